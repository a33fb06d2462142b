"""Where compiled code is kept, so that only the first run waits for the compiler.

Numba keeps it beside the program or with the user's other caches, and refuses to work where neither can be written: an
installation of root's, run by a user without a home. There it is kept for this run alone, in a folder that nobody else knows.
"""

from __future__ import annotations

import os
from collections.abc import MutableMapping
from os.path import dirname, join

PACKAGE = dirname(dirname(__file__))
VARIABLE = "NUMBA_CACHE_DIR"


def keep_compiled_code(environ: MutableMapping[str, str], package: str = PACKAGE) -> None:
    """Set where to keep it, if that has to be told."""
    if VARIABLE in environ or os.access(package, os.W_OK) or _is_made(_of_user(environ)):
        return
    import atexit
    import shutil
    from tempfile import mkdtemp

    try:
        folder = mkdtemp(prefix="longhu-compiled-")
    except OSError:  # nothing at all can be written: whoever compiles is told
        return
    environ[VARIABLE] = folder
    atexit.register(shutil.rmtree, folder, ignore_errors=True)


def _of_user(environ: MutableMapping[str, str]) -> str:
    return join(environ.get("XDG_CACHE_HOME") or join(environ.get("HOME") or "/nonexistent", ".cache"), "numba")


def _is_made(folder: str) -> bool:
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)
