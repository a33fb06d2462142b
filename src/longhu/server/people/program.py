"""What this server runs, as digests: the program, and each game file that comes with it (LOG-10)."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path

import msgspec

PACKAGE = Path(__file__).parents[2]
CODE = ("*.py", "*.csv", "*.sql", "server/page/**/*.*")  # and the page that people see
DEFINITIONS = "games/*.toml"
TRIES = 4


class Running(msgspec.Struct, frozen=True):
    """The program and its definitions at one moment."""

    digest: str
    definitions: dict[str, str]  # by the name of the file


def running(package: Path = PACKAGE) -> Running:
    """Hash everything anew, from the disk; again where a file has gone meanwhile, as while a page is built."""
    for _ in range(TRIES):
        try:
            return _hashed(package)
        except FileNotFoundError:
            continue
    return _hashed(package)


def _hashed(package: Path) -> Running:
    whole = hashlib.sha256()
    for path in sorted(path for pattern in CODE for path in package.rglob(pattern)):
        name = path.relative_to(package).as_posix()
        whole.update(f"{name}\0{_digest(path)}\n".encode())
    return Running(whole.hexdigest(), {path.name: _digest(path) for path in sorted(package.glob(DEFINITIONS))})


async def running_now() -> Running:
    """The same, without keeping anybody waiting."""
    return await asyncio.to_thread(running)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
