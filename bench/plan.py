"""What the clients of `bench/serve.py` are told to do and what they tell of it: they are a program in C (`crowd.c`)."""

from __future__ import annotations

import shutil
import struct
import subprocess
from pathlib import Path

import msgspec

CROWD = Path(__file__).with_name("crowd.c")
DIGITS = 12  # of the number of a question: all are of one length


class Connection(msgspec.Struct, frozen=True):
    """What one client says."""

    hello: bytes = b""
    before: bytes = b""
    after: bytes = b""


class Plan(msgspec.Struct, frozen=True):
    host: str
    port: int
    connections: list[Connection]
    answer: bytes = b""
    wrong: list[bytes] = []  # what no answer may have
    window: int = 1  # questions of one connection that are on their way
    rate: float = 0.0  # questions a second of all connections; 0 asks as soon as there is an answer
    warms: float = 1.0  # seconds before anything is counted
    seconds: float = 4.0
    first: int = 0  # the number of the first question
    silent: int = 0  # connections that never read

    def written(self) -> bytes:
        """As `crowd.c` reads it: numbers of eight bytes as this machine has them, and texts with their length before them."""
        said = [part for each in self.connections for part in (each.hello, each.before, each.after)]
        parts = [
            text(self.host.encode()),
            struct.pack("=Qddd", self.port, self.rate, self.warms, self.seconds),
            struct.pack("=QQQQ", self.window, self.silent, self.first, DIGITS),
            text(self.answer),
            struct.pack("=Q", len(self.wrong)),
            *map(text, self.wrong),
            struct.pack("=Q", len(self.connections)),
            *map(text, said),
        ]
        return b"".join(parts)


class Asked(msgspec.Struct):
    """What came of asking."""

    rate: float  # answers a second
    median: float  # seconds
    p99: float
    busy: float  # part of a core that the clients took: at 1 they were the bottleneck themselves


def text(said: bytes) -> bytes:
    return struct.pack("=Q", len(said)) + said


def compiled(folder: Path) -> Path:
    """The program, for this machine."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        raise SystemExit("no C compiler was found, and the clients are a program in C: install gcc")
    program = folder / "crowd"
    if subprocess.run([compiler, "-O2", "-Wall", "-Wextra", "-o", str(program), str(CROWD)]).returncode:
        raise SystemExit(
            f"{compiler} could not compile the clients: it needs the C library's headers (Debian: libc6-dev)"
        )
    return program
