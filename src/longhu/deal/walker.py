"""Deal many rounds fast, with the procedure itself as the only definition.

A hand's summary takes few values, so the walker asks the procedure once for each step that it has not
met, and remembers: what a hand becomes with a card, whose turn it is, how two hands end a round. What it
remembers is bounded by the procedure's own finite set of summaries, not by the number of rounds.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

from longhu.cards import CardError, card
from longhu.deal.procedure import DealError, Procedure, ending_number

FIRST, SECOND = 0, 1


@dataclass(slots=True, eq=False)
class End:
    """A finished round as settlement needs it; one object for each pair of finished hands."""

    base: int  # its ending's number when neither hand has a mark
    totals: tuple[int, int]
    told: str = ""  # for a reader to keep what it says of the totals


class _Hand:
    """A summary, what it becomes with each card, and whose turn it is against each other hand."""

    __slots__ = ("becomes", "summary", "turns")

    def __init__(self, summary: Hashable) -> None:
        self.summary = summary
        self.becomes: dict[str, _Hand] = {}
        self.turns: dict[_Hand, int | End] = {}


class Walker:
    """A procedure with a memory."""

    def __init__(self, procedure: Procedure[Any]) -> None:
        self.procedure = procedure
        self._hands: dict[Hashable, _Hand] = {}
        self._empty = self._hand(procedure.empty)
        self._marks: dict[str, dict[str, int]] = {}
        self._weight = procedure.marks
        self._marked = procedure.marked_cards if procedure.marks > 1 else 0

    def walk(self, drawn: Iterable[str]) -> tuple[int, End, list[str], list[str]]:
        """Deal one whole round of cards in their canonical spelling: the ending's number, its end, both hands.

        Raises `DealError` without details when the cards are too many or too few; `deal_out` tells which.
        """
        first = second = self._empty
        firsts: list[str] = []
        seconds: list[str] = []
        for text in drawn:
            try:
                turn = first.turns[second]
            except KeyError:
                turn = self._turn(first, second)
            if turn is FIRST:
                firsts.append(text)
                try:
                    first = first.becomes[text]
                except KeyError:
                    first = self._take(first, text)
            elif turn is SECOND:
                seconds.append(text)
                try:
                    second = second.becomes[text]
                except KeyError:
                    second = self._take(second, text)
            else:
                raise DealError("more cards than the round takes")
        try:
            end = first.turns[second]
        except KeyError:
            end = self._turn(first, second)
        if isinstance(end, int):
            raise DealError("fewer cards than the round takes")
        number = end.base
        if self._marked:
            marks, last = self._marks, self._marked - 1
            try:
                number += self._weight * marks[firsts[0]][firsts[last]]
                number += marks[seconds[0]][seconds[last]]
            except KeyError:
                number = end.base + self._weight * self._mark(firsts) + self._mark(seconds)
        return number, end, firsts, seconds

    def _mark(self, hand: list[str]) -> int:
        """A hand's mark, learned by its first cards (the same card twice where one decides)."""
        by_last = self._marks.setdefault(hand[0], {})
        last = hand[self._marked - 1]
        if last not in by_last:
            by_last[last] = self.procedure.mark([card(text) for text in hand])
        return by_last[last]

    def _hand(self, summary: Hashable) -> _Hand:
        return self._hands.setdefault(summary, _Hand(summary))

    def _take(self, hand: _Hand, text: str) -> _Hand:
        drawn = card(text)
        if str(drawn) != text:  # so that only 52 texts are remembered, and hands are shown as they should be
            raise CardError(f"{text!r} is not the canonical spelling of {drawn}")
        becomes = hand.becomes[text] = self._hand(self.procedure.take(hand.summary, drawn))
        return becomes

    def _turn(self, first: _Hand, second: _Hand) -> int | End:
        procedure, one, other = self.procedure, first.summary, second.summary
        turn: int | End | None = procedure.due(one, other).hand
        if turn is None:
            turn = End(
                ending_number(procedure, procedure.draw_number(one, other), 0, 0),
                (procedure.total(one), procedure.total(other)),
            )
        first.turns[second] = turn
        return turn
