"""Compiled kernels: kept between runs until something that they are made of changes, and announced where they have to be compiled.

Numba compares the file in which a function stands. A kernel also has in it what it calls and the constants that it reads, and these
may stand in other files: with such a file changed alone, by an update, the old code would go on. Ours are compared with all of them.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from numba.core import caching, config

PACKAGE = Path(__file__).parent
OTHERS = ("IPythonCacheLocator", "ZipCacheLocator")  # Numba's own, for code that is not ours
_IMPORT = re.compile(r"^from longhu\.([\w.]+) import ([\w, ]*)", re.MULTILINE)


@cache
def made_of(file: Path) -> frozenset[Path]:
    """A kernel's file, with all of ours that it imports, and what the kernels among them import."""
    found = {file}
    waiting = [file]
    while waiting:
        new = set(_imported(waiting.pop())) - found
        found |= new
        waiting += [each for each in new if each.parent.name == "kernels"]
    return frozenset(found)


def _imported(file: Path) -> list[Path]:
    """Modules that it imports something from, or imports as a whole."""
    named: list[Path] = []
    for module, names in _IMPORT.findall(file.read_bytes().decode()):
        path = PACKAGE.joinpath(*module.split("."))
        named += [
            path.with_suffix(".py"),
            *(path / f"{each.split()[0]}.py" for each in names.split(",") if each.strip()),
        ]
    return [each for each in named if each.is_file()]


@cache
def stamp(file: Path) -> bytes:
    """What the kernels of a file are made of, as a digest."""
    digest = sha256()
    for each in sorted(made_of(file)):
        digest.update(sha256(each.read_bytes()).digest())
    return digest.digest()


class _Compared:
    """A place for compiled code, which is as old as whatever it is made of."""

    _py_file: str

    def get_source_stamp(self) -> Any:
        file = Path(self._py_file)
        return stamp(file) if file.is_relative_to(PACKAGE) else super().get_source_stamp()  # type: ignore[misc]


class Told(_Compared, caching.UserProvidedCacheLocator):  # type: ignore[misc]
    """Where the environment says."""


class Beside(_Compared, caching.InTreeCacheLocator):  # type: ignore[misc]
    """Beside the source."""


class OfUser(_Compared, caching.UserWideCacheLocator):  # type: ignore[misc]
    """With the user's other caches."""


def compare() -> None:
    """Have Numba ask here, unless somebody has chosen otherwise."""
    if not config.CACHE_LOCATOR_CLASSES:
        ours = (f"{each.__module__}.{each.__qualname__}" for each in (Told, Beside, OfUser))
        config.CACHE_LOCATOR_CLASSES = ",".join((*ours, *OTHERS))


_announced = False


def announce_compiling(*kernels: Any) -> None:
    """Say on the standard error that kernels are being compiled, where they are, once in a process."""
    global _announced
    if not _announced and any(not _ready(kernel) for kernel in kernels):
        _announced = True
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
