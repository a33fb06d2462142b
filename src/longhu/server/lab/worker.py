"""The process in which the lab works: one question at a time comes in, one answer goes out.

It has no socket, no store and no secret of the house. It takes what the tables leave of the processors, and no more memory than
it may; whoever started it ends it when a question takes too long.

A message is its length in four bytes, then itself: a question is `name` + newline + JSON; an answer is `+` and the answer, or
`-` and why there is none.
"""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Callable
from typing import Any, BinaryIO

import msgspec

from longhu.games.source import GameFileError
from longhu.server.lab import work
from longhu.server.lab.questions import CountingAsked, SheetAsked
from longhu.server.lab.subject import Subject, Unknown

NICE = 10
MEMORY_BYTES = 4 << 30  # of addresses; compiled code reserves far more than it uses
QUESTIONS: dict[str, tuple[type[msgspec.Struct], Callable[[Any], Any]]] = {
    "figures": (Subject, work.figures),
    "file": (Subject, work.file),
    "removals": (Subject, work.removals),
    "readings": (Subject, work.readings),
    "counting": (CountingAsked, work.counting),
    "sheet": (SheetAsked, work.sheet),
}


def answered(message: bytes) -> bytes:
    """The answer to a question."""
    name, _, content = message.partition(b"\n")
    kind, answer = QUESTIONS[name.decode()]
    try:
        found = answer(msgspec.json.decode(content, type=kind))
    except (GameFileError, Unknown) as error:
        return b"-" + _first_line(error).encode("utf-8", "replace")
    except MemoryError:
        return b"-this game takes more memory than the lab may use"
    return b"+" + (found if isinstance(found, bytes) else msgspec.json.encode(found))


def _first_line(error: Exception) -> str:
    lines = str(error).splitlines() or ["it cannot be read"]
    more = f" ({len(lines) - 1} more)" if len(lines) > 1 else ""
    return lines[0][:400] + more


def serve(asked: BinaryIO, told: BinaryIO) -> None:
    """Answer until nobody asks any more."""
    while len(head := asked.read(4)) == 4:
        answer = answered(asked.read(int.from_bytes(head, "big")))
        told.write(len(answer).to_bytes(4, "big") + answer)
        told.flush()


def main() -> None:
    os.nice(NICE)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    told = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints does not get between the answers
    serve(sys.stdin.buffer, told)


if __name__ == "__main__":
    main()
