"""A game on the terminal: its paytable, its layouts, its readings."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

from longhu.cli.screen import cell, console, table
from longhu.games.game import Result
from longhu.money import UNSTATED, show
from longhu.paytable import Area, decks, pays, printed_row
from longhu.wording import listed

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from longhu.games.game import Game, Layout

STYLES = {Result.WIN: "green", Result.PUSH: "yellow", Result.HALF: "magenta", Result.LOSE: "dim"}


def print_game(game: Game) -> None:
    out = console()
    out.print(cell(f"{game.name}  ({game.id})", "bold"))
    for line in _head(game):
        out.print(line, soft_wrap=True)
    out.print(_paytable(game))
    for wager in game.wagers.values():
        if wager.requires:
            beside = listed([game.wagers[id].name.en for id in wager.requires], "or")
            out.print(f"{wager.name.en} only beside {beside}.")
    for layout, alike in _arrangements(game):
        _print_layout(game, layout, alike)
    if game.readings:
        out.print(_readings(game))


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
    shown = table("wager", "when", "pays", "clause", "layouts")
    for wager in game.wagers.values():
        layouts = "" if set(wager.layouts) == set(game.layouts) else " ".join(wager.layouts) or "none"
        for number, line in enumerate(wager.lines):
            shown.add_row(
                cell(str(wager.name), "bold") if number == 0 else "",
                line.says.en,
                cell(pays(line), STYLES[line.result]),
                line.clause or "",
                layouts if number == 0 else "",
                end_section=number == len(wager.lines) - 1,
            )
    return shown


def _arrangements(game: Game) -> list[tuple[Layout, list[str]]]:
    """One layout of each arrangement, with the ids of all that are arranged so."""
    found: dict[Any, tuple[Layout, list[str]]] = {}
    for layout in game.layouts.values():
        found.setdefault(tuple(row.areas for row in layout.rows), (layout, []))[1].append(layout.id)
    return list(found.values())


def _print_layout(game: Game, layout: Layout, alike: list[str]) -> None:
    """The cloth as the dealer's side sees it last: rows from the dealer down to the patrons."""
    out = console()
    least, most = layout.positions_min, layout.positions_max
    positions = f"{least} to {most}" if least != most else str(most)
    name = "Layouts" if len(alike) > 1 else "Layout"
    out.print(f"\n{name} {' '.join(alike)}, {positions} positions, dealer at the top")
    if layout.title:
        out.print(_boxes([cell(str(game.name), "bold")]))
    hands = {hand.id: str(hand.name) for hand in game.procedure.hands}
    out.print(_boxes([cell(f"cards: {hands[place]}", "dim") for place in layout.places]))
    for row in layout.rows:
        out.print(_boxes([_area(area) for area in printed_row(game, row)]))


def _area(area: Area) -> Text:
    shown = cell(area.label, "bold" if area.wager else "")
    for more in (area.odds if area.wager else "", *area.notices):
        if more:
            shown.append(f" {more}", "not bold")
    return shown


def _boxes(cells: list[Text]) -> Table:
    from rich import box
    from rich.table import Table

    grid = Table(box=box.SQUARE, show_header=False, padding=(0, 1))
    for _ in cells:
        grid.add_column(justify="center")
    grid.add_row(*cells)
    return grid


def _readings(game: Game) -> Table:
    shown = table("reading", "asks", "taken", "otherwise", title="Readings of doubtful clauses")
    for reading in game.readings.values():
        others = ", ".join(option for option in reading.options if option != reading.chosen)
        name = cell(reading.id)
        name.append(f"\n{reading.question}" if reading.question else "", "dim")
        if reading.chosen == reading.default:
            taken = cell(f"{reading.chosen}: " if reading.chosen else "", "bold")
            taken.append(reading.takes.en, "not bold")
        else:
            taken = cell(f"{reading.chosen}: {reading.options[reading.chosen].says.en}", "yellow")
            taken.append(f" (chosen; the file takes {reading.default})")
        shown.add_row(name, reading.asks.en, taken, others)
    return shown
