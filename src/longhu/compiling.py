"""The first ever call of a kernel compiles it, which takes seconds; afterwards it is read from a cache."""

from __future__ import annotations

import sys
from typing import Any

_told = False


def tell(*kernels: Any) -> None:
    """Say on the standard error that kernels are being compiled, where they are, once in a process."""
    global _told
    if not _told and any(not _ready(kernel) for kernel in kernels):
        _told = True
        sys.stderr.write("longhu: compiling the kernels for this machine, which happens once and takes a moment\n")
        sys.stderr.flush()


def _ready(kernel: Any) -> bool:
    """Is it compiled in this process, or in the cache? Where numba will not tell, it is taken to be."""
    if kernel.signatures:
        return True
    try:
        return bool(kernel._cache._cache_file._load_index())
    except (AttributeError, OSError):
        return True
