"""Lines of a long file in one piece, with their digests, for compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import takewhile
from typing import Any, overload

import numpy as np

from longhu.audit.kernels.digests import digest_lines, line_ends
from longhu.audit.shortcut.forms import DIGEST


class Sheet(Sequence[bytes]):
    """Some whole lines of a file."""

    def __init__(self, text: bytes | memoryview) -> None:
        self._text = memoryview(text)
        self.letters: Any = np.frombuffer(text, np.uint8)
        self.letters.flags.writeable = False  # nor is it: compiled code is made for one sort of array
        self.ends: Any = line_ends(self.letters)  # where each ends

    @classmethod
    def of(cls, lines: Sequence[bytes]) -> Sheet:
        """The first of some lines, as far as each is one."""
        return cls(b"".join([*takewhile(_is_line, lines)]))

    def __len__(self) -> int:
        return len(self.ends)

    @overload
    def __getitem__(self, line: int) -> bytes: ...
    @overload
    def __getitem__(self, line: slice) -> list[bytes]: ...
    def __getitem__(self, line: int | slice) -> bytes | list[bytes]:
        if isinstance(line, slice):
            return [self[each] for each in range(len(self))[line]]
        starts = self._starts
        return bytes(self._text[starts[line] : starts[line + 1]])

    @cached_property
    def _starts(self) -> list[int]:
        """Where each begins, and the one that would come next."""
        return [0, *(self.ends + 1).tolist()]

    def bytes_from(self, line: int) -> int:
        """How many there are from a line to the end."""
        return len(self._text) - self._starts[line]

    @cached_property
    def before(self) -> Any:
        """The digest of the line before each, as it is written; room for that of the line before all."""
        digests = np.zeros((len(self) + 1) * DIGEST, np.uint8)
        digest_lines(self.letters, self.ends, digests[DIGEST:])
        return digests

    def digest_before(self, line: int) -> bytes:
        return bytes(self.before[line * DIGEST : (line + 1) * DIGEST])

    def put_before(self, line: int, digest: bytes) -> None:
        self.before[line * DIGEST : (line + 1) * DIGEST] = np.frombuffer(digest, np.uint8)

    def told(self, place: int) -> str:
        """The digest that stands there; "" at the very beginning, where none can stand."""
        return str(self._text[place : place + DIGEST], "ascii") if place else ""


def _is_line(line: bytes) -> bool:
    return line.endswith(b"\n") and line.count(b"\n") == 1
