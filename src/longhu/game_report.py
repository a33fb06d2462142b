"""A game as a report: its paytable, its layouts, its readings."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

from longhu.games.game import Result
from longhu.money import UNSTATED, show
from longhu.paytable import Area, decks, pays, printed_row
from longhu.report.blocks import Block, Boxes, Cell, Cells, Column, ColumnKind, Prose, Span, Table, Tone
from longhu.wording import listed

if TYPE_CHECKING:
    from longhu.games.game import Game, Layout, Reading

TONES = {Result.WIN: Tone.GOOD, Result.PUSH: Tone.EVEN, Result.HALF: Tone.HALF, Result.LOSE: Tone.QUIET}


def game_report(game: Game) -> list[Block]:
    blocks: list[Block] = [
        Prose(Span(f"{game.name}  ({game.id})", strong=True)),
        *map(Prose, _head(game)),
        _paytable(game),
    ]
    for wager in game.wagers.values():
        if wager.requires:
            beside = listed([game.wagers[id].name.en for id in wager.requires], "or")
            blocks.append(Prose(f"{wager.name.en} only beside {beside}."))
        if wager.house_terms:
            told = f"{wager.name.en}: the document names this wager without its terms; they are the house's."
            blocks.append(Prose(told))
    for layout, alike in _arrangements(game):
        blocks += _layout(game, layout, alike)
    return [*blocks, *([_readings(game)] if game.readings else [])]


def _head(game: Game) -> Iterator[str]:
    hour = ", %H:%M %Z" if isinstance(game.effective, datetime) else ""
    effective = f", in effect from {game.effective.strftime(f'%d %B %Y{hour}')}" if game.effective else ""
    yield f"Version {game.version}{effective}; decks: {decks(game)}; dealt {game.procedure.name}."
    yield f"Digest {game.digest}"
    if game.authority:
        yield game.authority
    if game.cap:
        cited = f" ({game.cap.clauses[0]})" if game.cap.clauses else ""
        yield f"One round credits at most {show(game.cap.amount, game.currency or UNSTATED)}{cited}."


def _paytable(game: Game) -> Table:
    rows: list[Cells] = []
    ruled = []
    for wager in game.wagers.values():
        ruled.append(len(rows))
        layouts = "" if set(wager.layouts) == set(game.layouts) else " ".join(wager.layouts) or "none"
        for number, line in enumerate(wager.lines):
            name = str(wager.name) if number == 0 else ""
            pay = Span(pays(line), TONES[line.result])
            rows.append((Span(name, strong=True), line.says.en, pay, line.clause or "", layouts if number == 0 else ""))
    names = ("wager", "when", "pays", "clause", "layouts")
    return Table(tuple(Column(name, ColumnKind.TEXT) for name in names), tuple(rows), ruled=tuple(ruled))


def _arrangements(game: Game) -> list[tuple[Layout, list[str]]]:
    """One layout of each arrangement, with the ids of all that are arranged so."""
    found: dict[Any, tuple[Layout, list[str]]] = {}
    for layout in game.layouts.values():
        found.setdefault(tuple(row.areas for row in layout.rows), (layout, []))[1].append(layout.id)
    return list(found.values())


def _layout(game: Game, layout: Layout, alike: list[str]) -> Iterator[Block]:
    """The cloth as the dealer's side sees it last: rows from the dealer down to the patrons."""
    least, most = layout.positions_min, layout.positions_max
    positions = f"{least} to {most}" if least != most else str(most)
    name = "Layouts" if len(alike) > 1 else "Layout"
    yield Prose(f"\n{name} {' '.join(alike)}, {positions} positions, dealer at the top")
    hands = {hand.id: str(hand.name) for hand in game.procedure.hands}
    rows: list[Cells] = [(Span(str(game.name), strong=True),)] if layout.title else []
    rows.append(tuple(Span(f"cards: {hands[place]}", Tone.QUIET) for place in layout.places))
    rows += [tuple(_area(area) for area in printed_row(game, row)) for row in layout.rows]
    yield Boxes(tuple(rows))


def _area(area: Area) -> Cell:
    more = [each for each in (area.odds if area.wager else "", *area.notices) if each]
    return (Span(area.label, strong=bool(area.wager)), *(Span(f" {each}") for each in more))


def _readings(game: Game) -> Table:
    rows = tuple(map(_reading, game.readings.values()))
    names = ("reading", "asks", "taken", "otherwise")
    return Table(tuple(Column(name, ColumnKind.TEXT) for name in names), rows, title="Readings of doubtful clauses")


def _reading(reading: Reading) -> Cells:
    others = ", ".join(option for option in reading.options if option != reading.chosen)
    name = (Span(reading.id), Span(f" {reading.question}" if reading.question else "", Tone.QUIET))
    taken: Cell
    if reading.chosen == reading.default:
        taken = (Span(f"{reading.chosen}: " if reading.chosen else "", strong=True), Span(reading.takes.en))
    else:
        says = f"{reading.chosen}: {reading.options[reading.chosen].says.en}"
        taken = (Span(says, Tone.EVEN), Span(f" (chosen; the file takes {reading.default})"))
    return name, reading.asks.en, taken, others
