"""A game's wagers and layouts as people know them: names, odds in words, what is printed on the cloth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypedDict, cast

from longhu.clauses import clauses
from longhu.deal.procedure import HandName
from longhu.games.game import ODDS, Game, Layout, Line, PrintedRow, Result, Rule, Wager
from longhu.games.vocabulary import IRREGULARITY
from longhu.messages.localization import catalogue
from longhu.money import UNSTATED, show
from longhu.texts import LANGUAGES, Names
from longhu.wording import listed


def pays(line: Line) -> str:
    """`11 to 1`, `.95 to 1`, `1 to 1 less 5%`, `push`, `lose half`, `lose`."""
    if line.odds is None:
        return {Result.PUSH: "push", Result.HALF: "lose half", Result.LOSE: "lose"}[line.result]
    commission = f" less {float(line.odds.commission * 100):g}%" if line.odds.commission else ""
    return line.odds.words + commission


def decks(game: Game) -> str:
    """`4 to 8, usually 8`"""
    span = game.decks
    return f"{span.min}" if span.min == span.max else f"{span.min} to {span.max}, usually {span.default}"


def printed_odds(wager: Wager) -> str:
    """The odds as a layout prints them: `11-1`, or `100-1 40-1 30-1` from the best down."""
    odds = {line.odds.net: line.odds.printed.replace(":", "-") for line in wager.lines if line.odds}
    return " ".join(odds[win] for win in sorted(odds, reverse=True))


@dataclass(frozen=True, slots=True)
class Area:
    """One cell of a printed row: a wagering area, or the odds between two of them."""

    wager: str | None
    label: str
    odds: str
    notices: tuple[str, ...] = ()


def printed_row(game: Game, row: PrintedRow) -> list[Area]:
    """A layout's row from left to right, with everything that is printed on it."""
    cells: list[Area] = []
    odds = " ".join(dict.fromkeys(printed_odds(game.wagers[area]) for area in row.areas if area != ODDS))
    apart = ODDS in row.areas
    for area in row.areas:
        if area == ODDS:
            cells.append(Area(None, odds, odds))
        else:
            wager = game.wagers[area]
            notices = tuple(notice for result in row.notices for notice in _notices(game, result))
            cells.append(Area(area, str(wager.label), "" if apart else printed_odds(wager), notices))
    return cells


def _notices(game: Game, result: Result) -> list[str]:
    """`Dragon and Tiger lose half`: which wagers end that way, from their own lines."""
    names = [wager.name.en for wager in game.wagers.values() if any(line.result is result for line in wager.lines)]
    word = {Result.HALF: "lose half", Result.PUSH: "push", Result.LOSE: "lose", Result.WIN: "win"}[result]
    return [f"{listed(names)} {word}"] if names else []


class HandRules(TypedDict):
    id: str
    name: Names


class LineRules(TypedDict):
    """A line of a wager: when it decides, and what it pays."""

    says: Names
    when: str
    result: Literal["win", "lose", "push", "half"]
    pays: str | None
    commission: str | None
    clauses: tuple[str, ...]


class WagerRules(TypedDict):
    name: Names
    label: Names
    hand: str | None
    requires: tuple[str, ...]
    excludes: tuple[str, ...]
    layouts: tuple[str, ...]
    optional: bool
    house_terms: bool
    min: str | None
    max: str | None
    clauses: tuple[str, ...]
    lines: list[LineRules]


class LayoutRow(TypedDict):
    """Areas from left to right: ids of wagers, or "odds" for a panel that prints them."""

    areas: tuple[str, ...]
    each_position: bool
    notices: list[str]


class CellSpan(TypedDict):
    min: int
    max: int


class LayoutRules(TypedDict):
    """Rows from the dealer's side to the patrons'."""

    name: Names
    positions: CellSpan
    places: tuple[str, ...]
    wagers: tuple[str, ...]
    title: bool
    rows: list[LayoutRow]
    clauses: tuple[str, ...]


class MethodRules(TypedDict):
    name: Names
    cards: str
    squeeze: str
    chosen_by: str | None
    clauses: tuple[str, ...]


class ClauseRules(TypedDict):
    id: str
    requirement: str


class IrregularityRules(TypedDict):
    name: Names
    remedy: str
    decides: str | None
    days: int | None
    clauses: list[ClauseRules]


class ReadingRules(TypedDict):
    """How a doubtful clause is read."""

    question: str | None
    asks: Names
    takes: Names
    because: Names
    clauses: tuple[str, ...]
    chosen: str | None
    options: dict[str, Names]
    at_table: bool


class DeckRules(CellSpan):
    default: int


class CapRules(TypedDict):
    amount: str
    basis: str
    clauses: tuple[str, ...]


class ClaimRules(TypedDict):
    wager: str
    rtp: str
    decks: int
    clauses: tuple[str, ...]


class GameRules(TypedDict):
    """A game: what it is called, how it is dealt, what every wager pays, and by which clause."""

    id: str
    name: Names
    version: str
    effective: str | None
    authority: str | None
    document: str | None
    digest: str
    decks: DeckRules
    shuffle: Literal["each-round", "each-shoe"]
    procedure: str
    hands: tuple[HandRules, HandRules]
    wagers: dict[str, WagerRules]
    layouts: dict[str, LayoutRules]
    methods: dict[str, MethodRules]
    cites: dict[str, list[str]]
    irregularities: dict[str, IrregularityRules]
    readings: dict[str, ReadingRules]
    cap: CapRules | None
    claims: list[ClaimRules]


def game_json(game: Game) -> GameRules:
    """Everything that a program wants to know of a game."""
    first, second = game.procedure.hands
    return {
        "id": game.id,
        "name": game.name.by_language,
        "version": game.version,
        "effective": game.effective.isoformat() if game.effective else None,
        "authority": game.authority or None,
        "document": game.document or None,
        "digest": game.digest,
        "decks": {"min": game.decks.min, "max": game.decks.max, "default": game.decks.default},
        "shuffle": "each-round" if game.reshuffled else "each-shoe",
        "procedure": game.procedure.name,
        "hands": (_hand_json(first), _hand_json(second)),
        "wagers": {wager.id: _wager_json(wager, game) for wager in game.wagers.values()},
        "layouts": {layout.id: _layout_json(layout) for layout in game.layouts.values()},
        "methods": {
            method.id: {
                "name": method.name.by_language,
                "cards": method.cards,
                "squeeze": method.squeeze,
                "chosen_by": method.chosen_by or None,
                "clauses": method.clauses,
            }
            for method in game.methods.values()
        },
        "cites": {step: list(clauses) for step, clauses in game.cites.items()},
        "irregularities": {kind: _irregularity_json(kind, rule) for kind, rule in game.irregularities.items()},
        "readings": {
            reading.id: {
                "question": reading.question or None,
                "asks": reading.asks.by_language,
                "takes": reading.takes.by_language,
                "because": reading.because.by_language,
                "clauses": reading.clauses,
                "chosen": reading.chosen or None,
                "options": {option.id: option.says.by_language for option in reading.options.values()},
                "at_table": reading.at_table,
            }
            for reading in game.readings.values()
        },
        "cap": None
        if game.cap is None
        else {
            "amount": show(game.cap.amount, game.currency or UNSTATED),
            "basis": game.cap.basis,
            "clauses": game.cap.clauses,
        },
        "claims": [
            {
                "wager": claim.wager,
                "rtp": f"{float(claim.rtp * 100):.{claim.decimals}f}%",
                "decks": claim.decks,
                "clauses": claim.clauses,
            }
            for claim in game.claims
        ],
    }


def _hand_json(hand: HandName) -> HandRules:
    return {"id": hand.id, "name": hand.name.by_language}


def _irregularity_json(kind: str, rule: Rule) -> IrregularityRules:
    """What can go wrong, what the document does about it, who decides, and the clauses with what they require."""
    name = IRREGULARITY[kind].code
    return {
        "name": cast("Names", {language: catalogue(language)[name] for language in LANGUAGES}),
        "remedy": rule.remedy,
        "decides": rule.decides or None,
        "days": rule.days or None,
        "clauses": [{"id": id, "requirement": clauses()[id].requirement} for id in rule.clauses if id in clauses()],
    }


def _wager_json(wager: Wager, game: Game) -> WagerRules:
    money = game.currency or UNSTATED
    return {
        "name": wager.name.by_language,
        "label": wager.label.by_language,
        "hand": wager.hand,
        "requires": wager.requires,
        "excludes": wager.excludes,
        "layouts": wager.layouts,
        "optional": wager.optional,
        "house_terms": wager.house_terms,
        "min": None if wager.limit.min is None else show(wager.limit.min, money),
        "max": None if wager.limit.max is None else show(wager.limit.max, money),
        "clauses": wager.clauses,
        "lines": [
            {
                "says": line.says.by_language,
                "when": line.when,
                "result": line.result.value,
                "pays": line.odds.printed if line.odds else None,
                "commission": f"{float(line.odds.commission * 100):g}%" if line.odds and line.odds.commission else None,
                "clauses": line.clauses,
            }
            for line in wager.lines
        ],
    }


def _layout_json(layout: Layout) -> LayoutRules:
    return {
        "name": layout.name.by_language,
        "positions": {"min": layout.positions_min, "max": layout.positions_max},
        "places": layout.places,
        "wagers": layout.wagers,
        "title": layout.title,
        "rows": [
            {"areas": row.areas, "each_position": row.each_position, "notices": [each.value for each in row.notices]}
            for row in layout.rows
        ],
        "clauses": layout.clauses,
    }
