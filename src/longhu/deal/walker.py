"""Deal many rounds fast, with the procedure itself as the only definition.

A hand's summary takes few values, so the walker asks the procedure once for each step that it has not
met, and remembers: what a hand becomes with a card, whose turn it is, how two hands end a round. What it
remembers is bounded by the procedure's own finite set of summaries, not by the number of rounds.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from longhu.cards import DECK, CardError, card
from longhu.deal.procedure import TOO_FEW_CARDS, TOO_MANY_CARDS, DealError, Procedure, ending_number

FIRST, SECOND = 0, 1


class _Ranks(dict[str, int]):
    """The rank of each card by its canonical text; suits never steer a draw."""

    def __missing__(self, text: str) -> int:
        raise CardError(f"{text!r} is not the canonical spelling of a card")


RANK_OF_TEXT = _Ranks((str(each), each.rank) for each in DECK)


@dataclass(slots=True, eq=False)
class FinishedRound:
    """A finished round as settlement needs it; one object for each way the draw can go."""

    base: int  # its ending's number when neither hand has a mark
    totals: tuple[int, int]
    told: str = ""  # for a reader to keep what it says of the totals


class _Hand:
    """A summary, what it becomes with each card, and whose turn it is against each other hand."""

    __slots__ = ("becomes", "summary", "turns")

    def __init__(self, summary: Hashable) -> None:
        self.summary = summary
        self.becomes: dict[int, _Hand] = {}
        self.turns: dict[_Hand, int | FinishedRound] = {}


class Walker:
    """A procedure with a memory."""

    def __init__(self, procedure: Procedure[Any]) -> None:
        self.procedure = procedure
        self._hands: dict[Hashable, _Hand] = {}
        self._starts: dict[str, dict[str, _Hand]] = {}
        self._initial = procedure.initial_cards
        self._marks: dict[tuple[str, ...], int] = {}
        self._ends: dict[int, FinishedRound] = {}

    def walk(self, drawn: list[str]) -> tuple[FinishedRound, list[str], list[str]]:
        """Deal one whole round of cards in their canonical spelling: its end, and both hands.

        Raises `DealError` without details when the cards are too many or too few; `deal_out` tells which.
        """
        initial, starts = self._initial, self._starts
        if len(drawn) < initial:
            raise DealError(TOO_FEW_CARDS())
        firsts, seconds = drawn[0:initial:2], drawn[1:initial:2]
        try:
            first, second = starts[firsts[0]][firsts[-1]], starts[seconds[0]][seconds[-1]]
            turn = first.turns[second]
        except KeyError:
            first, second = self._start(firsts), self._start(seconds)
            turn = self._turn(first, second)
        for text in drawn[initial:]:
            rank = RANK_OF_TEXT[text]
            if turn is FIRST:
                firsts.append(text)
                try:
                    first = first.becomes[rank]
                except KeyError:
                    first = self._take(first, rank)
            elif turn is SECOND:
                seconds.append(text)
                try:
                    second = second.becomes[rank]
                except KeyError:
                    second = self._take(second, rank)
            else:
                raise DealError(TOO_MANY_CARDS())
            try:
                turn = first.turns[second]
            except KeyError:
                turn = self._turn(first, second)
        if isinstance(turn, FinishedRound):
            return turn, firsts, seconds
        raise DealError(TOO_FEW_CARDS())

    def _start(self, initial: list[str]) -> _Hand:
        """An initial hand, remembered by its first and last card (the same one, where a hand gets one card)."""
        hand = self._hand(self.procedure.empty)
        for text in initial:
            hand = self._take(hand, RANK_OF_TEXT[text])
        self._starts.setdefault(initial[0], {})[initial[-1]] = hand
        return hand

    def number(self, end: FinishedRound, firsts: list[str], seconds: list[str]) -> int:
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

    def _take(self, hand: _Hand, rank: int) -> _Hand:
        becomes = hand.becomes[rank] = self._hand(self.procedure.take(hand.summary, DECK[rank - 1]))
        return becomes

    def _turn(self, first: _Hand, second: _Hand) -> int | FinishedRound:
        procedure, one, other = self.procedure, first.summary, second.summary
        turn: int | FinishedRound | None = procedure.due(one, other).hand
        if turn is None:
            base = ending_number(procedure, procedure.draw_number(one, other), 0, 0)
            totals = procedure.total(one), procedure.total(other)
            turn = self._ends.setdefault(base, FinishedRound(base, totals))
        first.turns[second] = turn
        return turn
