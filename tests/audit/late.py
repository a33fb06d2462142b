"""Forgeries late in an evening, when most lines are like others before: whoever remembers must say what the rules say.

The loop stands here once for all ways in which lines like others before are taken.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from longhu.audit import proof
from longhu.audit.findings import Wrong
from longhu.audit.verify import Verifier
from tests.audit.forging import Lines, kind_of, mended, words
from tests.audit.test_mutations import Mutation, forked, mutations


class Late:
    """Two verifiers that have read the same lines: one remembers what was learned, the other asks the rules about each record."""

    def __init__(self, lines: Sequence[bytes], start: int, end: int, quick: Verifier, first: int = 0) -> None:
        """Lines from `start` to `end` are read, and forged from `first` on; `quick` has read those before, or remembers even more."""
        self.lines, self.start, self.end, self.first = list(lines[:end]), start, end, first or start
        self.quick, self.slow, self.others = quick, Verifier(shortcuts=False), words(self.lines)
        self.slow.lines(lines[:start])
        quick._leave_the_walk()
        quick._walk = None  # so that less has to be copied: what was learned stays
        self._after = list(lines[end : end + 2])
        self._records = sum(line.startswith(proof.RECORD) for line in lines[: start - 1])

    def verdict(self, rest: Iterable[bytes], about: object = "") -> str:
        """What is wrong with these lines instead of those from `start` on; "" for nothing. Both must say the same."""
        chained = mended([self.lines[self.start - 1], *rest, proof.closing_line(0, "")], self._records)[1:]
        due = first_wrong(self.slow, chained)
        assert first_wrong(self.quick, chained) == due, about
        return due

    def mutations(self, place: int) -> list[Mutation]:
        """What can be done to a line."""
        return list(mutations([*self.lines, *self._after], place, self.others))

    def forged(self, place: int, mutation: Mutation) -> str:
        """The verdict about a mutation of one line, with the chain mended behind it."""
        return self.verdict([*self.lines[self.start : place], *mutation.rest], (place, mutation[:3]))

    def at_random(self, chance: random.Random, times: int) -> int:
        """Lines of any kind, altered, dropped, doubled or moved; how many were caught."""
        by_kind: dict[str, list[int]] = {}
        for place in range(self.first, self.end):
            by_kind.setdefault(kind_of(self.lines[place]), []).append(place)
        caught = 0
        for _ in range(times):
            place = chance.choice(by_kind[chance.choice(list(by_kind))])
            caught += self.forged(place, chance.choice(self.mutations(place))) != ""
        return caught


def first_wrong(verifier: Verifier, rest: Lines) -> str:
    """What is wrong with the rest of a proof, which is read in one piece; "" for nothing.

    What a verifier has learned stays its own: the rules have confirmed it, whatever is forged behind.
    """
    verifier = forked(verifier, *verifier._memories.values())
    for memory in verifier._memories.values():
        for way in (memory.stride._whole, memory.stride._crowd) if memory.stride is not None else ():
            way._stuck = way._misses = way._waits = 0  # which are of another file
    try:
        verifier.lines(rest)
        verifier.finish()
    except Wrong as found:
        return str(found)
    return ""


def rounds_of(lines: Sequence[bytes]) -> list[tuple[int, int]]:
    """The first and the last line of each round."""
    starts = [place for place, line in enumerate(lines) if b'"event":"round-started/1"' in line]
    return [
        (start, next(end for end in range(start, len(lines)) if b'"event":"round-ended/1"' in lines[end]))
        for start in starts
    ]
