"""A game as the rest of Longhu sees it: what a game file says, checked and made exact."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from enum import Enum
from fractions import Fraction
from functools import cached_property
from typing import Any

from longhu.deal.facts import Endings, OutcomeTable
from longhu.deal.procedure import Clauses, Procedure
from longhu.messages.localization import Localization
from longhu.money import UNSTATED, Currency, HouseRounding, Money
from longhu.texts import Text

NO_LINE = 255


class Result(Enum):
    """How a wager can end."""

    WIN = "win"
    PUSH = "push"  # the stake comes back
    HALF = "half"  # half of the stake is lost (DT-3.8)
    LOSE = "lose"


@dataclass(frozen=True, slots=True)
class Odds:
    """What a winning line pays: ``8 to 1`` is written ``8:1``; commission is a share of the win."""

    win: Fraction
    text: str  # as the document has it, before the commission
    commission: Fraction = Fraction(0)

    @property
    def net(self) -> Fraction:
        """Won for each unit staked, commission taken off."""
        return self.win * (1 - self.commission)

    @property
    def printed(self) -> str:
        """As it is printed wherever a pay is shown: what is won, commission taken off.

        >>> Odds(Fraction(1), "1:1", Fraction(5, 100)).printed, Odds(Fraction(1, 2), "1:2").printed
        ('0.95:1', '1:2')
        """
        if not self.commission:
            return self.text
        net = self.net
        shortened = f"{float(net):.12f}".rstrip("0").rstrip(".")
        return f"{shortened}:1" if Fraction(shortened) == net else f"{net.numerator}:{net.denominator}"

    @property
    def words(self) -> str:
        """As people say it: `8 to 1`, `.95 to 1`."""
        win, stake = self.text.split(":")
        return f"{win.removeprefix('0') if win.startswith('0.') else win} to {stake}"


NET_WITHOUT_ODDS = {Result.PUSH: Fraction(0), Result.HALF: Fraction(-1, 2), Result.LOSE: Fraction(-1)}


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a wager: when it holds and is the first to hold, it decides."""

    says: Text
    when: str
    result: Result
    odds: Odds | None  # of a winning line
    clauses: Clauses
    decides: Endings = field(repr=False)  # the endings for which this line is the first that holds
    row: int = 0  # the line of the game file
    net: Fraction = field(init=False)  # gained for each unit staked: 8 at 8 to 1, 0 on a push, -1/2 on a half loss

    def __post_init__(self) -> None:
        object.__setattr__(self, "net", self.odds.net if self.odds is not None else NET_WITHOUT_ODDS[self.result])

    @property
    def clause(self) -> str | None:
        return self.clauses[0] if self.clauses else None


@dataclass(frozen=True, slots=True)
class StakeLimit:
    """The least and the most that the document itself lets a patron stake."""

    min: Money | None = None
    max: Money | None = None
    clauses: Clauses = ()


@dataclass(frozen=True)
class Wager:
    """Something to bet on: its lines in the document's order, the last one being "otherwise"."""

    id: str
    name: Text
    label: Text  # what is printed on its area
    hand: str | None  # a main wager: it backs this hand, counts for squeezing and for the differential
    requires: tuple[str, ...]  # one of these must be placed too
    excludes: tuple[str, ...]  # none of these may be placed too
    layouts: tuple[str, ...]  # on which layouts it is offered
    optional: bool  # the house may leave it out
    house_terms: bool  # the document names the wager and does not give its terms: they are the house's own
    limit: StakeLimit
    lines: tuple[Line, ...]
    clauses: Clauses
    size: int = field(repr=False)
    row: int = 0

    @cached_property
    def deciding(self) -> bytes:
        """For each ending number, the index of the line that decides it."""
        deciding = bytearray([NO_LINE]) * self.size
        for index, line in enumerate(self.lines):
            for octet, eight in enumerate(line.decides.to_bytes(self.size // 8 + 1, "little")):
                if eight:
                    for bit in range(8):
                        if eight >> bit & 1:
                            deciding[octet * 8 + bit] = index
        return bytes(deciding)

    def line(self, number: int) -> Line:
        """The line that decides this ending."""
        return self.lines[self.deciding[number]]

    @cached_property
    def pays(self) -> tuple[Fraction | None, ...]:
        """One exact value for each ending number; None where no round can end."""
        return tuple(None if index == NO_LINE else self.lines[index].net for index in self.deciding)


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """A row of a layout, left to right: wager ids, or ODDS where the row's odds are printed."""

    areas: tuple[str, ...]
    each_position: bool  # repeated, with its number, at every position
    clauses: Clauses
    notices: tuple[Result, ...] = ()  # results to warn of on each area: the half loss on a tie


ODDS = "odds"


@dataclass(frozen=True, slots=True)
class Layout:
    """What is printed on the cloth; it decides which wagers are offered."""

    id: str
    name: Text
    places: tuple[str, ...]  # card places at the dealer's side, left to right, by hand
    rows: tuple[PrintedRow, ...]  # from the dealer's side to the patrons'
    positions_min: int
    positions_max: int
    title: bool  # the game's name is printed in the centre
    clauses: Clauses
    wagers: tuple[str, ...] = field(init=False)  # which wagers it offers, each once

    def __post_init__(self) -> None:
        found = dict.fromkeys(area for row in self.rows for area in row.areas if area != ODDS)
        object.__setattr__(self, "wagers", tuple(found))


@dataclass(frozen=True, slots=True)
class Method:
    """A way of conducting the round: who holds the cards and who chooses it."""

    id: str
    name: Text
    cards: str  # "face-up", "face-down"
    squeeze: str  # who may handle and reveal: "largest-wager" or "nobody"
    chosen_by: str
    clauses: Clauses


@dataclass(frozen=True, slots=True)
class Rule:
    """What the document does about one kind of event, and where it says so."""

    remedy: str
    decides: str  # the position that decides or must be present; "" where nobody has to
    clauses: Clauses
    days: int = 0  # after how many it applies, where it is a matter of time


@dataclass(frozen=True, slots=True)
class Change:
    """What choosing an option alters in the file: the value at a path."""

    at: tuple[str, ...]
    old: Any
    new: Any


@dataclass(frozen=True, slots=True)
class Option:
    id: str
    says: Text
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """A doubtful clause: what is asked, what we take it to mean and why, and what a house may choose."""

    id: str
    question: str  # the number in the rulebook, "Q25"
    asks: Text
    takes: Text
    because: Text
    clauses: Clauses
    chosen: str  # the option in force; "" where there is nothing to choose
    default: str
    options: Mapping[str, Option]
    at_table: bool  # only a live table can tell the options apart
    row: int = 0


@dataclass(frozen=True, slots=True)
class Claim:
    """A figure that the document publishes, to be held against the exact one."""

    wager: str
    rtp: Fraction
    decimals: int  # of the percentage, as printed
    decks: int
    clauses: Clauses


@dataclass(frozen=True, slots=True)
class Decks:
    min: int
    max: int
    default: int
    clauses: Clauses


@dataclass(frozen=True, slots=True)
class HighLimit:
    """The parts of the house whose tables are high limit gaming areas (IDT-1.1.5)."""

    areas: tuple[str, ...]
    clauses: Clauses


@dataclass(frozen=True, slots=True)
class Maximum:
    """What a patron's maximum on a wager is for: one area of the layout, or all the areas of that outcome together."""

    per: str = "area"  # or "outcome"
    clauses: Clauses = ()


@dataclass(frozen=True, slots=True)
class Differential:
    """How the main wagers on the two hands are brought together again when they lie too far apart."""

    policy: str  # "pro-rata" or "ask-raise-remove"
    decides: str  # the position that cuts wagers, or takes them off
    clauses: Clauses
    may_leave: bool = False  # the dealer may, and need not
    set_by: str = ""  # the position that sets the limit, where the document names one
    set_clauses: Clauses = ()


@dataclass(frozen=True, slots=True)
class Cap:
    """The most that one round may credit a patron; `basis` says whether stakes count (Q45)."""

    amount: Money
    basis: str  # "credit" or "profit"
    clauses: Clauses


@dataclass(frozen=True)
class Game:
    """A loaded game. Everything that a table, a mathematician or a patron is told comes from here."""

    id: str
    name: Text
    version: str
    effective: date | datetime | None
    authority: str
    document: str  # the prefix of its clauses
    decks: Decks
    reshuffled: bool  # a full shoe for every round
    currency: Currency | None  # of the amounts in the file
    procedure: Procedure[Any]
    terms: Mapping[str, tuple[str, Clauses]]
    wagers: Mapping[str, Wager]
    layouts: Mapping[str, Layout]
    methods: Mapping[str, Method]
    maximum: Maximum
    cap: Cap | None
    rounding: HouseRounding
    differential: Differential | None
    cites: Mapping[str, Clauses]  # lifecycle step to the clauses behind it
    irregularities: Mapping[str, Rule]
    equipment: Mapping[str, Clauses]  # what must be on record before a table opens
    high_limit: HighLimit | None
    readings: Mapping[str, Reading]
    claims: tuple[Claim, ...]
    digest: str  # of what decides play and payment: names and sentences may be worded anew
    file: str
    data: Mapping[str, Any] = field(repr=False)  # the effective content of the file
    text: str = field(default="", repr=False)  # the file as it was written, so that it can be kept with what was played
    taken: Mapping[str, str] = field(default_factory=dict)  # readings chosen when it was loaded

    @cached_property
    def in_force(self) -> str:
        """Its effective date as records hold it, "" where the document has none."""
        return self.effective.isoformat() if self.effective else ""

    @cached_property
    def in_force_at(self) -> int:
        """The first millisecond at which it may be played; a date without an hour starts at midnight UTC, and 0 is no date."""
        start = self.effective
        if start is None:
            return 0
        instant = start if isinstance(start, datetime) else datetime.combine(start, time())
        return int((instant if instant.tzinfo else instant.replace(tzinfo=UTC)).timestamp() * 1000)

    @property
    def outcomes(self) -> OutcomeTable:
        return self.procedure.outcomes()

    @cached_property
    def hands(self) -> tuple[str, str]:
        """The ids of the hands, in the order in which they are dealt."""
        first, second = self.procedure.hands
        return first.id, second.id

    def localization(self, language: str = "en", currency: Currency | None = None) -> Localization:
        """Says messages in this language, with the names that the file gives."""
        hands = {hand.id: hand.name for hand in self.procedure.hands}
        wagers = {wager.id: wager.name for wager in self.wagers.values()}
        texts = {"hand": hands, "wager": wagers, "game": {self.id: self.name}}

        def name(kind: str, id: str) -> str:
            text = texts[kind].get(id)
            return id if text is None else text.into(language) or text.en

        return Localization(language, name, currency or self.currency or UNSTATED)

    @cached_property
    def wording(self) -> str:
        """A digest of the whole file as it was written: another for every wording and translation."""
        return hashlib.sha256(f"{self.digest}\n{self.text}".encode()).hexdigest()

    @property
    def texts(self) -> Iterator[Text]:
        """Everything that people read of it on a page, in the order of the file."""
        yield self.name
        yield from (hand.name for hand in self.procedure.hands)
        for wager in self.wagers.values():
            yield from (wager.name, wager.label, *(line.says for line in wager.lines if line.says.en != line.when))
        yield from (layout.name for layout in self.layouts.values())
        yield from (method.name for method in self.methods.values())
        for reading in self.readings.values():
            yield from (reading.asks, reading.takes, reading.because)
            yield from (option.says for option in reading.options.values())

    @cached_property
    def wager_of_name(self) -> Mapping[str, Wager]:
        """Wagers by id and by what the layout calls them, in whatever language (IDT-7-Ab)."""
        named: dict[str, Wager] = {}
        for wager in self.wagers.values():
            for text in (wager.name, wager.label):
                for word in (text.en, text.en.lower(), *text.translations.values()):
                    named.setdefault(word, wager)
        return {**named, **self.wagers}

    def offered(self, layout: str | None) -> Mapping[str, Wager]:
        """The wagers of a layout; when none is named, those that any layout has."""
        layouts = self.layouts.values() if layout is None else (self.layouts[layout],)
        shown = {id for each in layouts for id in each.wagers}
        return {id: wager for id, wager in self.wagers.items() if id in shown}

    @cached_property
    def tallies_commission(self) -> bool:
        """Is a win paid in full, and its commission collected later (Q51)?"""
        return self.chosen.get("commission") == "tally"

    @cached_property
    def chosen(self) -> Mapping[str, str]:
        """How the house reads each doubtful clause of this game."""
        return {id: reading.chosen for id, reading in self.readings.items()}

    def looks_at_marks(self, wager: Wager) -> bool:
        """Does it depend on pairs or suits, or on the draw alone?"""
        decided: dict[int, int] = {}
        for number in self.outcomes.endings:
            line, draw = wager.deciding[number], number // self.procedure.marks**2
            if decided.setdefault(draw, line) != line:
                return True
        return False

    def winner(self, number: int) -> str | None:
        """The hand that won, or None for a tie."""
        facts, ending = self.outcomes.facts, self.outcomes.endings[number]
        return next((hand for hand in self.hands if facts[f"{hand}.wins"].of(ending)), None)

    def pairs(self, number: int) -> tuple[str, ...]:
        """The hands that began with a pair; none where the game knows no pairs."""
        facts, ending = self.outcomes.facts, self.outcomes.endings[number]
        return tuple(hand for hand in self.hands if (fact := facts.get(f"{hand}.pair")) and fact.of(ending))
