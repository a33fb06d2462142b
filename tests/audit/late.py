"""Long evenings at a practice table, and forgeries late in them, when most of what could be wrong has been right many times."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from functools import cache

from longhu.audit import proof
from longhu.audit.verify import Verifier
from longhu.cli.practice import evening as play_evening
from longhu.games.registry import built_in, load_game
from tests.audit.forging import kind_of, mended, words
from tests.audit.test_mutations import Mutation, mutations, wrong


@cache
def evening(id: str, rounds: int, others: int = 0) -> tuple[bytes, ...]:
    return tuple(play_evening.evening(load_game(built_in()[id]), rounds, others=others, stakes=3, seed=3))


def rounds_of(lines: Sequence[bytes]) -> list[tuple[int, int]]:
    """The first and the last line of each round."""
    starts = [place for place, line in enumerate(lines) if b'"event":"round-started/1"' in line]
    return [
        (start, next(end for end in range(start, len(lines)) if b'"event":"round-ended/1"' in lines[end]))
        for start in starts
    ]


class Late:
    """Some rounds towards the end of an evening, with a verifier that has read everything before them."""

    def __init__(self, lines: Sequence[bytes], first: int, last: int) -> None:
        """From the beginning of round `first` to the end of round `last`; -1 is the last of all."""
        rounds = rounds_of(lines)
        self.start, self.end = rounds[first][0], rounds[last][1] + 1
        self.lines = list(lines[: self.end])
        self._verifier, self._others = Verifier(), words(self.lines)
        self._verifier.lines(lines[: self.start])
        self._after = list(lines[self.end : self.end + 2])
        self._records = sum(line.startswith(proof.RECORD) for line in lines[: self.start - 1])

    @property
    def rest(self) -> list[bytes]:
        return self.lines[self.start :]

    def verdict(self, rest: Iterable[bytes]) -> str:
        """What is wrong with these lines in the place of those from `start` on; "" for nothing."""
        chained = mended([self.lines[self.start - 1], *rest, proof.closing_line(0, "")], self._records)[1:]
        return wrong(self._verifier, chained)

    def mutations(self, place: int) -> list[Mutation]:
        """What can be done to a line."""
        return list(mutations([*self.lines, *self._after], place, self._others))

    def forged(self, place: int, mutation: Mutation) -> str:
        """The verdict about a mutation of one line, with the chain mended behind it."""
        return self.verdict([*self.lines[self.start : place], *mutation.rest])

    def at_random(self, chance: random.Random, times: int) -> int:
        """Lines of any kind, altered, dropped, doubled or moved; how many were caught."""
        by_kind: dict[str, list[int]] = {}
        for place in range(self.start, self.end):
            by_kind.setdefault(kind_of(self.lines[place]), []).append(place)
        caught = 0
        for _ in range(times):
            place = chance.choice(by_kind[chance.choice(list(by_kind))])
            caught += self.forged(place, chance.choice(self.mutations(place))) != ""
        return caught
