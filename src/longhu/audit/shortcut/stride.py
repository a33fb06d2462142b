"""Many rounds at once: lines of a long file are held against an atlas by compiled code, in one of two ways.

Rounds like others before are followed as a whole (`atlas`, `kernels.rounds`); where patrons wager as they like, wager by wager (`crowd`,
`kernels.crowd`). Whatever neither knows, `Walk.on` takes up at the beginning of that round, and the rules behind it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, TypeVar

from longhu.audit.shortcut.atlas import Atlas, Deck
from longhu.audit.shortcut.crowd import Crowd, over_crowd
from longhu.audit.shortcut.fresh_shoes import is_order
from longhu.audit.shortcut.leap import Leap, may_leap

if TYPE_CHECKING:
    from longhu.audit.shortcut.sheets import Sheet
    from longhu.audit.shortcut.steps import Memory, Place
    from longhu.audit.shortcut.walk import Walk

PATIENCE = 64  # rounds, at most, until the kernel is asked again where it knew nothing
FORMS_PER_STOP = 16  # to bring an atlas up to date costs as much as a stop does, for so many forms
Book = TypeVar("Book", bound=Atlas)


class Way(Generic[Book]):
    """An atlas, and when it is worth asking."""

    def __init__(
        self,
        write: Callable[[Memory, Place, Deck], Book],
        run: Callable[[Walk, Book, Deck, Sheet, int], tuple[int, int]],
        memory: Memory,
        deck: Deck,
    ) -> None:
        self._write, self._run, self._memory, self._deck = write, run, memory, deck
        self._atlas: Book | None = None
        self._place: Place | None = None
        self._stops = self._misses = self._waits = self._stuck = 0

    def over(self, walk: Walk, sheet: Sheet, line: int) -> tuple[int, bool]:
        """As `Stride.over`."""
        if self._waits:
            self._waits -= 1
            return line, False
        if walk.sequence == self._stuck:
            return line, False
        atlas = self._up_to_date(walk)
        if not may_leap(walk, atlas):
            return line, False
        known, stopped = self._run(walk, atlas, self._deck, sheet, line)
        self._stops += 1
        self._stuck = walk.sequence if stopped < len(sheet) else 0
        self._misses = 0 if known > line else self._misses + 1
        self._waits = min(PATIENCE, 1 << self._misses) if self._misses > 4 else 0
        return known, stopped == len(sheet)

    def _up_to_date(self, walk: Walk) -> Book:
        """The atlas, brought up to date where many stops may be due to what it does not know."""
        atlas = self._atlas
        if atlas is None or self._place is not walk.place:
            atlas = self._atlas = self._write(self._memory, walk.place, self._deck)
            self._place, self._stops = walk.place, 0
        elif self._memory.forms != atlas.forms and self._stops > atlas.size // FORMS_PER_STOP:
            atlas.update()
            self._stops = 0
        return atlas

    def forget(self) -> None:
        """Something that was learned is in doubt."""
        self._atlas = None


class Stride:
    """The two ways of a game; the one that knew more comes first."""

    def __init__(self, memory: Memory) -> None:
        deck = Deck(memory)
        self._whole = Way(Atlas, _over_known, memory, deck)
        self._crowd = Way(Crowd, over_crowd, memory, deck)
        self._crowd_first = False

    def over(self, walk: Walk, sheet: Sheet, line: int) -> tuple[int, bool]:
        """The line up to which whole rounds of a walk that stands between rounds are as they must be.

        And whether nothing else stands behind it than the beginning of a round that is known, too.
        """
        walk.shoes.compare = is_order
        for crowd in (self._crowd_first, not self._crowd_first):
            if crowd and not walk.medley.is_busy:
                continue
            known, all_fit = (self._crowd if crowd else self._whole).over(walk, sheet, line)
            if known > line:
                self._crowd_first = crowd
                return known, all_fit
        return line, False

    def forget(self) -> None:
        """Something that was learned is in doubt."""
        self._whole.forget()
        self._crowd.forget()


def _over_known(walk: Walk, atlas: Atlas, deck: Deck, sheet: Sheet, line: int) -> tuple[int, int]:
    return Leap(walk, atlas, deck).over(sheet, line)
