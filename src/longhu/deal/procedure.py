"""A deal procedure: how cards become two finished hands.

A procedure knows what a hand becomes when it takes a card, whose card is next (and why), and how two
finished hands are numbered. Of a hand it keeps only what steers the draw; what nobody waits for (whether
the first two cards pair, which suit the card has) is the hand's mark, read off its cards at the end.
`deal_out` walks a list of cards through the procedure and keeps the story for people; `walker.Walker`
does the same at speed.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, Protocol, TypeVar

from longhu.cards import Card
from longhu.deal.facts import OutcomeTable
from longhu.messages.localization import Localization
from longhu.messages.message import Message, MessageCode, message_code
from longhu.texts import Text

H = TypeVar("H", bound=Hashable)
Clauses = tuple[str, ...]

INITIAL_CARD = message_code("initial-card", hand="hand", which="choice")
DRAWS_ON_TOTAL = message_code("draws-on-total", hand="hand", total="number")
SAME_TOTAL = message_code("fact-same-total")
FINAL_TOTAL = message_code("fact-total", hand="hand", least="number", most="number")
STANDS_ON_TOTAL = message_code("stands-on-total", hand="hand", total="number")
ROUND_COMPLETE = message_code("round-complete")
TOO_FEW_CARDS = message_code("too-few-cards")
TOO_MANY_CARDS = message_code("too-many-cards")
CARDS_LEFT_OVER = message_code("cards-left-over", given="number", complete="number", cards="cards")
HAND_NEEDS_CARD = message_code("hand-needs-card", given="number", hand="hand", reason="message")


@dataclass(frozen=True, slots=True)
class HandName:
    """A hand's id in game files and what people call it."""

    id: str
    name: Text

    @property
    def en(self) -> str:
        return self.name.en


@dataclass(frozen=True, slots=True)
class Reason:
    """One decision of the procedure, with the clauses that make it."""

    message: Message
    clauses: Clauses = ()

    def text(self, words: Localization) -> str:
        """`Player stands on 6 (IDT-3.13-P67)`"""
        return cited(words.text(self.message), self.clauses)


@lru_cache(4096)
def reason(code: MessageCode, clauses: Clauses, **args: Hashable) -> Reason:
    """A reason, made once: the procedures give the same few again and again."""
    return Reason(code(**args), clauses)


def cited(said: str, clauses: Clauses) -> str:
    """A sentence with its clause, before the full stop."""
    stop = said[-1:] if said.endswith((".", "。")) else ""
    return f"{said.removesuffix(stop)} ({clauses[0]}){stop}" if clauses else said


@dataclass(frozen=True, slots=True)
class Due:
    """Whose card is next: 0 for the first hand, 1 for the second, None when the round is finished."""

    hand: int | None
    reasons: tuple[Reason, ...] = ()


class Procedure(Protocol[H]):
    """What the three procedures have in common; a hand is summed up by what still matters of it."""

    @property
    def name(self) -> str: ...
    @property
    def hands(self) -> tuple[HandName, HandName]: ...
    @property
    def empty(self) -> H: ...
    @property
    def cards_max(self) -> int: ...
    @property
    def initial_cards(self) -> int: ...  # dealt in turn, first hand first, before anything is decided
    def take(self, hand: H, drawn: Card) -> H: ...
    def due(self, first: H, second: H) -> Due: ...
    def draw_number(self, first: H, second: H) -> int: ...
    @property
    def marks(self) -> int: ...  # how many marks a hand can have; 1 when nobody looks
    @property
    def marked_cards(self) -> int: ...  # how many of a hand's first cards the mark looks at
    def mark(self, cards: Sequence[Card]) -> int: ...
    def total(self, hand: H) -> int: ...
    def outcomes(self) -> OutcomeTable: ...


def ending_number(procedure: Procedure[Any], draw_number: int, first_mark: int, second_mark: int) -> int:
    """The number of an ending: how the draw went, then the marks of both hands."""
    return (draw_number * procedure.marks + first_mark) * procedure.marks + second_mark


class RuleError(ValueError):
    """What the rules of a game do not allow: a message, and the clause."""

    def __init__(self, message: Message, clause: str = "") -> None:
        super().__init__(message, clause)
        self.message, self.clause = message, clause

    def text(self, words: Localization) -> str:
        return cited(words.text(self.message), (self.clause,) if self.clause else ())

    def __str__(self) -> str:
        return self.text(Localization())


class DealError(RuleError):
    """Cards that do not make one whole round."""


@dataclass(frozen=True, slots=True)
class Step:
    """One card: the hand that took it, and why it was that hand's turn."""

    drawn: Card
    hand: int
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Dealt:
    """The story of a round as far as it has been dealt."""

    steps: tuple[Step, ...]
    totals: tuple[int, int]
    due: Due  # what comes next; `due.hand` is None when the round is finished
    number: int | None  # the ending, once finished

    def hand(self, index: int) -> tuple[Card, ...]:
        return tuple(step.drawn for step in self.steps if step.hand == index)


class Deal(Generic[H]):
    """A round being dealt: one card leads to the next deal, so what is known of the cards before is not worked out again."""

    __slots__ = ("_both", "_due", "_procedure", "_steps", "_told", "dealt")

    def __init__(
        self, procedure: Procedure[H], both: tuple[H, H], steps: tuple[Step, ...], told: frozenset[Reason]
    ) -> None:
        self._procedure, self._both, self._steps, self._told = procedure, both, steps, told
        self._due = procedure.due(*both)
        number = None
        if self._due.hand is None:
            marks = [procedure.mark([step.drawn for step in steps if step.hand == hand]) for hand in (0, 1)]
            number = ending_number(procedure, procedure.draw_number(*both), *marks)
        totals = (procedure.total(both[0]), procedure.total(both[1]))
        self.dealt = Dealt(steps, totals, Due(self._due.hand, _untold(self._due.reasons, told)), number)

    def then(self, drawn: Card) -> Deal[H]:
        """With one more card; a complete round takes none."""
        due, first, second = self._due, *self._both
        if due.hand is None:
            raise DealError(ROUND_COMPLETE())
        step = Step(drawn, due.hand, (*_untold(due.reasons[:-1], self._told), due.reasons[-1]))
        both = (
            (self._procedure.take(first, drawn), second)
            if due.hand == 0
            else (first, self._procedure.take(second, drawn))
        )
        return Deal(self._procedure, both, (*self._steps, step), self._told.union(due.reasons[:-1]))


def new_deal(procedure: Procedure[H]) -> Deal[H]:
    """Before the first card."""
    return Deal(procedure, (procedure.empty, procedure.empty), (), frozenset())


def deal_so_far(procedure: Procedure[H], drawn: Sequence[Card]) -> Dealt:
    """Deal these cards; the round may be unfinished afterwards, but no card may be left over."""
    deal = new_deal(procedure)
    for place, each in enumerate(drawn):
        if deal.dealt.due.hand is None:
            left = [str(each) for each in drawn[place:]]
            raise DealError(CARDS_LEFT_OVER(given=len(drawn), complete=place, cards=left))
        deal = deal.then(each)
    return deal.dealt


def _untold(reasons: tuple[Reason, ...], told: frozenset[Reason]) -> tuple[Reason, ...]:
    """A hand stands once, however many cards the other draws afterwards."""
    return tuple(reason for reason in reasons if reason not in told) if told else reasons


def deal_out(procedure: Procedure[H], drawn: Sequence[Card]) -> Dealt:
    """Deal exactly one whole round."""
    dealt = deal_so_far(procedure, drawn)
    if dealt.due.hand is not None:
        hand, reason = procedure.hands[dealt.due.hand].id, dealt.due.reasons[-1]
        needs = HAND_NEEDS_CARD(given=len(drawn), hand=hand, reason=reason.message)
        raise DealError(needs, reason.clauses[0] if reason.clauses else "")
    return dealt
