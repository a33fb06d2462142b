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
    """A finished round as settlement needs it; one object for each way the draw can go."""

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
        self._marks: dict[tuple[str, ...], int] = {}
        self._ends: dict[int, End] = {}

    def walk(self, drawn: Iterable[str]) -> tuple[End, list[str], list[str]]:
        """Deal one whole round of cards in their canonical spelling: its end, and both hands.

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
        return end, firsts, seconds

    def number(self, end: End, firsts: list[str], seconds: list[str]) -> int:
        """The ending's number: the end, and the marks of both hands."""
        return end.base + self.procedure.marks * self._mark(firsts) + self._mark(seconds)

    def _mark(self, hand: list[str]) -> int:
        """A hand's mark, remembered by the cards that decide it."""
        decisive = tuple(hand[: self.procedure.marked_cards])
        try:
            return self._marks[decisive]
        except KeyError:
            mark = self._marks[decisive] = self.procedure.mark([card(text) for text in decisive])
            return mark

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
            base = ending_number(procedure, procedure.draw_number(one, other), 0, 0)
            totals = procedure.total(one), procedure.total(other)
            turn = self._ends.setdefault(base, End(base, totals))
        first.turns[second] = turn
        return turn
