"""The scoreboard of a table: the roads of the shoe in use, and what the results come to. It informs and foretells nothing (IDT-6.3, RUL-7)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from litestar import Response, get
from litestar.params import FromPath

from longhu.games.game import Game
from longhu.roads.board import (
    ROWS,
    Bead,
    BigRoadCell,
    Colour,
    DerivedCell,
    DerivedRoad,
    Hand,
    RoundResult,
    ask,
    round_result,
    scoreboard,
)
from longhu.roads.text import NOTICE, hand_signs
from longhu.server.http import guards
from longhu.server.http.fields import Number
from longhu.server.http.guards import ANYBODY
from longhu.server.http.routes.answers import unchanged
from longhu.server.http.routes.tables import live_table, watching
from longhu.server.streams.table_stream import TableStream
from longhu.table.document import cite

COLOURS = {Colour.RED: "red", Colour.BLUE: "blue"}
IDS = {road: road.name.lower().replace("_", "-") for road in DerivedRoad}
HANDS: tuple[Hand, Hand] = (0, 1)


class HandSign(msgspec.Struct, frozen=True, kw_only=True):
    """A hand, and the letter that stands for it on a road."""

    id: str
    en: str
    zh: str
    sign: str


class BeadView(msgspec.Struct, frozen=True, kw_only=True):
    """A round on the bead plate; its pairs in the order of the hands."""

    column: Number
    row: Number
    winner: str  # a hand, or "tie"
    pairs: tuple[bool, bool]


class BigRoadView(msgspec.Struct, frozen=True, kw_only=True):
    """A round that a hand won, and the ties behind it."""

    column: Number
    row: Number
    winner: str
    ties: Number


class DerivedView(msgspec.Struct, frozen=True, kw_only=True):
    column: Number
    row: Number
    colour: str  # "red": regular; "blue": irregular; neither means a hand


class AskView(msgspec.Struct, frozen=True, kw_only=True):
    """What the roads would gain if a hand won the next round."""

    big_road: BigRoadView
    derived: dict[str, DerivedView | None]  # None while a road has nothing to compare


class Roads(msgspec.Struct, frozen=True, kw_only=True):
    """The five roads of the shoe in use. A place is a column and one of six rows, from the top left."""

    table: str
    game: str
    shoe: Number
    rounds: Number  # of this shoe
    rows: Number
    shown: bool  # False where the table has no display of results: there is nothing on the roads then
    says: str  # what a road is worth
    clause: str
    hands: tuple[HandSign, HandSign]
    bead_plate: list[BeadView]
    big_road: list[BigRoadView]
    ties_waiting: Number  # before the first round that a hand won
    derived: dict[str, list[DerivedView]]  # big-eye-boy, small-road, cockroach-pig
    asks: dict[str, AskView]  # by hand
    counts: dict[str, Number]  # rounds by winner: the hands and "tie"
    pairs: dict[str, Number]  # rounds in which a hand began with a pair


@get("/api/tables/{table:str}/roads", opt={**ANYBODY, "etag": True, "problems": (401,)})
async def roads(request: guards.Asked, table: FromPath[str]) -> Response[Roads]:
    """The roads of the shoe in use, for information only: the cards decide."""
    await watching(request)
    live = await live_table(request, table)
    state = live.state
    tag = f'"{live.game.digest[:16]}-{state.shoes}-{len(state.results)}-{int(_is_shown(live))}-{hash(state.results):x}"'
    if (same := unchanged(request, tag)) is not None:
        return same
    return Response(_roads(live), headers={"ETag": tag, "Cache-Control": "no-cache"})


def _is_shown(live: TableStream) -> bool:
    """Does the table have a display (D21-3.4.e)?"""
    settings = live.state.settings
    return settings is not None and settings.equipment.display


def _roads(live: TableStream) -> Roads:
    game, state = live.game, live.state
    shown = _is_shown(live)
    results = [round_result(game, number) for number in state.results] if shown else []
    board, ids = scoreboard(results), _ids(game)
    signs = hand_signs(game.procedure.hands)
    return Roads(
        table=live.name,
        game=game.id,
        shoe=state.shoes,
        rounds=len(results),
        rows=ROWS,
        shown=shown,
        says=NOTICE,
        clause=cite(game, "display"),
        hands=tuple(
            HandSign(id=hand.id, en=hand.en, zh=hand.zh, sign=sign)
            for hand, sign in zip(game.procedure.hands, signs, strict=True)
        ),  # type: ignore[arg-type]
        bead_plate=[_bead(each, ids) for each in board.bead_plate],
        big_road=[_big_road_cell(each, ids) for each in board.big_road.cells],
        ties_waiting=board.big_road.ties_waiting,
        derived={IDS[road]: [_derived(each) for each in cells] for road, cells in board.derived.items()},
        asks={ids[hand]: _ask(results, hand, ids) for hand in HANDS} if shown else {},
        counts=_counts(results, ids),
        pairs={ids[hand]: sum(each.pairs[hand] for each in results) for hand in HANDS},
    )


def _ids(game: Game) -> tuple[str, str]:
    first, second = game.procedure.hands
    return first.id, second.id


def _bead(bead: Bead, ids: tuple[str, str]) -> BeadView:
    column, row = bead.place
    return BeadView(column=column, row=row, winner=_winner(bead.result, ids), pairs=bead.result.pairs)


def _winner(result: RoundResult, ids: tuple[str, str]) -> str:
    return "tie" if result.winner is None else ids[result.winner]


def _big_road_cell(cell: BigRoadCell, ids: tuple[str, str]) -> BigRoadView:
    column, row = cell.place
    return BigRoadView(column=column, row=row, winner=ids[cell.winner], ties=cell.ties)


def _derived(cell: DerivedCell) -> DerivedView:
    column, row = cell.place
    return DerivedView(column=column, row=row, colour=COLOURS[cell.colour])


def _ask(results: Sequence[RoundResult], hand: Hand, ids: tuple[str, str]) -> AskView:
    what_if = ask(results, hand)
    gained = {IDS[road]: None if cell is None else _derived(cell) for road, cell in what_if.derived.items()}
    return AskView(big_road=_big_road_cell(what_if.big_road, ids), derived=gained)


def _counts(results: Sequence[RoundResult], ids: tuple[str, str]) -> dict[str, int]:
    winners = [_winner(each, ids) for each in results]
    return {each: winners.count(each) for each in (*ids, "tie")}


HANDLERS = [roads]
