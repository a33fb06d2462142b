"""Requests to the lab and its answers, as they are on the wire. Fractions are exact and reduced, as texts."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypedDict

import msgspec
from msgspec import Meta

from longhu.games.changes import Changes
from longhu.games.loader import DECKS_MAX
from longhu.games.source import FILE_BYTES_MAX
from longhu.messages.message import Message, message_code
from longhu.odds.exports import LineFigures, ReturnFigures, ShoeOdds
from longhu.paytable import GameRules
from longhu.protocol import GAME_ID_MAX, WAGER_ID_MAX

LAB_MISTAKE = message_code("lab-mistake", line="number", mistake="message", others="number")
LAB_TOO_LARGE = message_code("lab-too-large")
LAB_CANNOT_DEAL = message_code("lab-cannot-deal", detail="text")

SHOES_MAX = 2_000
DAY = r"^((19[7-9]|20[0-9])[0-9]-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8]))?$"
Exact = str  # "43/415", "-1/2", "0"


# ------------------------------------------------ questions


class Subject(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game by its id, or a text; never a path."""

    game: Annotated[str, Meta(max_length=GAME_ID_MAX, description="The id of a game", examples=["dragon-tiger"])] = ""
    text: Annotated[str, Meta(max_length=FILE_BYTES_MAX, description="A whole game file, instead of an id")] = ""
    changes: Changes = []
    decks: Annotated[int, Meta(ge=1, le=DECKS_MAX)] | None = None  # as many as usual where none is said


class CountingAsked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How far one wager can be beaten, measured over so many shoes."""

    subject: Subject
    wager: Annotated[str, Meta(min_length=1, max_length=WAGER_ID_MAX)]
    shoes: Annotated[int, Meta(ge=2, le=SHOES_MAX)] | None = None  # a second's work or a few, where none is said


class SheetAsked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The PAR sheet, as a page or for printing."""

    subject: Subject
    form: Literal["html", "pdf"]
    date: Annotated[str, Meta(pattern=DAY)] = ""  # today where none is said


# ------------------------------------------------ answers


class Mistake(msgspec.Struct, frozen=True, kw_only=True):
    """Something wrong in the file: where, and what can be done."""

    line: int  # of the text, from 1; before changes that are not written yet
    column: int
    at: list[str | int]  # the value or key; empty where the text itself is no TOML
    offset: int | None  # the character of that value at which it is, from 0
    message: Message
    says: str  # the same in English


class LabLine(LineFigures):
    contribution: Exact  # to the expectation


class ExactFigures(TypedDict):
    """The figures of a wager as fractions."""

    house_edge: Exact
    rtp: Exact
    hit_frequency: Exact
    push: Exact
    variance: Exact
    element_of_risk: Exact | None


class NetChance(TypedDict):
    net: Exact
    probability: Exact


class LabWager(ReturnFigures):
    """A wager with everything that can be counted of it."""

    lines: list[LabLine]
    exact: ExactFigures
    rounds_within_1: int  # rounds until the return is within a hundredth of what is expected
    nets: list[NetChance]


class LabOdds(ShoeOdds):
    """The exact odds of every wager."""

    wagers: dict[str, LabWager]


class GameFigures(msgspec.Struct, frozen=True, kw_only=True):
    """A game as it stands after the changes, with exact odds. Without `rules` and `odds` where it has mistakes."""

    mistakes: list[Mistake]
    left_out: list[str]  # doubtful clauses whose options no longer fit the file
    rules: GameRules | None
    odds: LabOdds | None
    seconds: float  # that it took


class ConditionFact(msgspec.Struct, frozen=True, kw_only=True):
    """A word that conditions may use."""

    name: str
    kind: str  # truth, number or word
    words: list[str]  # what it can be, where it is a word
    says: Message | None = None  # of a fact,
    means: str = ""  # and of a term of the file


class File(msgspec.Struct, frozen=True, kw_only=True):
    """The file after the changes: as text, as data, and what may stand in it."""

    text: str
    data: dict[str, Any] | None  # None where it is no TOML
    mistakes: list[Mistake]
    left_out: list[str]
    facts: list[ConditionFact]
    choices: dict[str, list[str]]  # what may be chosen, by key
    decks_max: int  # that can be counted


class RemovedCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card taken out of the full shoe, and what every wager gains by it."""

    card: str
    stands_for: str  # "A" for any ace, or the card itself
    effects: dict[str, Exact]


class Removals(msgspec.Struct, frozen=True, kw_only=True):
    decks: int
    cards: list[RemovedCard]
    seconds: float


class OptionFigures(msgspec.Struct, frozen=True, kw_only=True):
    option: str
    chosen: bool
    evs: dict[str, Exact]  # of every wager that is offered


class ReadingFigures(msgspec.Struct, frozen=True, kw_only=True):
    """A doubtful clause, and every wager under each way to read it."""

    reading: str
    options: list[OptionFigures]
    changed: list[str]  # the wagers about which the options do not agree


class CheckedClaim(msgspec.Struct, frozen=True, kw_only=True):
    """A published return beside the exact one."""

    wager: str
    decks: int
    published: str  # in per cent, as printed
    exact: Exact | None  # None where the wager is not offered
    agrees: bool
    clauses: list[str]


class ClaimsUnder(msgspec.Struct, frozen=True, kw_only=True):
    """All published returns under one set of readings."""

    reading: str  # "" for those in force
    option: str
    claims: list[CheckedClaim]


class Readings(msgspec.Struct, frozen=True, kw_only=True):
    readings: list[ReadingFigures]
    claims: list[ClaimsUnder]
    seconds: float


class DepthFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The rounds that begin within one step of the shoe."""

    dealt: float
    rounds: int
    positive: float
    mean: float
    high: float
    best: float
    gain: float


class GainFigures(msgspec.Struct, frozen=True, kw_only=True):
    """In units of the stake."""

    per_100: float
    per_100_error: float
    share: float


class Tag(msgspec.Struct, frozen=True, kw_only=True):
    """What a counter adds when this card, or a card of this rank, is seen."""

    card: str
    tag: int


class Counting(msgspec.Struct, frozen=True, kw_only=True):
    """How far a wager can be beaten by somebody who watches the cards."""

    wager: str
    decks: int
    cut: int
    shoes: int
    rounds: int
    seed: int
    reshuffled: bool
    level: int | None
    correlation: float | None
    tags: list[Tag]
    true_count: float | None  # from which the counter bets; None: never
    counter: GainFigures
    ceiling: GainFigures
    depths: list[DepthFigures]
    seconds: float
