"""Lines of a file that are read together, and which of them is due."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from io import BufferedIOBase, BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from longhu.audit.shortcut.sheets import Sheet

PAGE = 1 << 21  # bytes that are read together


class Page(Iterator[bytes]):
    """Lines, taken one by one by whoever can, and many at once by compiled code, which needs them as a sheet."""

    def __init__(self, lines: Sequence[bytes], sheet: Sheet | None = None) -> None:
        self._lines, self._sheet, self._size = lines, sheet, len(lines)
        self.due = 0  # the line that comes next
        self.kept = 0  # bytes that are left for the next page

    @classmethod
    def of(cls, text: bytes) -> Page:
        """Lines as a file has them: only a line feed ends one."""
        return cls(BytesIO(text).readlines())

    @classmethod
    def long(cls, text: memoryview) -> Page:
        """The same for compiled code; a line is cut out where somebody wants to see it."""
        from longhu.audit.shortcut.sheets import Sheet  # which short files do without

        sheet = Sheet(text)
        return cls(sheet, sheet)

    def __next__(self) -> bytes:
        here = self.due
        if here >= self._size:
            raise StopIteration
        self.due = here + 1
        return self._lines[here]

    @property
    def left(self) -> int:
        """Lines that are still to come, with the one that was given out last."""
        return self._size - self.due + 1

    def sheet(self) -> Sheet:
        """All of them, for compiled code."""
        if self._sheet is None:
            from longhu.audit.shortcut.sheets import Sheet

            self._sheet = Sheet.of(self._lines)
        return self._sheet

    def keep(self) -> None:
        """What is still to come is the beginning of a round: it is for the next page, where there is one."""
        if self._lines is self._sheet:
            self.kept, self.due = self._sheet.bytes_from(self.due), self._size


def pages(file: BufferedIOBase, is_long: Callable[[], bool], advance: Callable[[int], object]) -> Iterator[Page]:
    """A file from where it stands. Each page is done with when the next is asked for: all are read into the same place."""
    text, held = bytearray(PAGE), 0
    while read := file.readinto(memoryview(text)[held:]):
        held += read
        whole = text.rfind(b"\n", 0, held) + 1
        if whole:
            lines = memoryview(text)[:whole]
            page = Page.long(lines) if is_long() else Page.of(bytes(lines))
            yield page
            taken = whole - page.kept
            text[: held - taken] = text[taken:held]
            held -= taken
            advance(taken)
        if held > len(text) // 2:
            text = text + bytes(len(text))  # one line, or one round, is longer than a page
    yield Page.of(bytes(text[:held]))
