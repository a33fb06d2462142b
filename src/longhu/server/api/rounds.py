"""Finished rounds: a list, each one card by card (LOG-9), the roads of the shoe in use, and revealed shuffles (RUL-6).

Staff read all of a round. Everybody else reads the cards, their own wagers, and the sums of the wagers of others: who played what,
and with which result, is not shown.

A round is read from its records, under the rules in force then, and shown as it was shown when it happened: what was secret then
stays secret. The one exception is a card that stayed face down in an electronic shoe: once the secret of its shuffle is revealed,
everybody can compute what it was, and it is shown. Roads inform and foretell nothing (IDT-6.3, RUL-7).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal
from zlib import crc32

import msgspec
from litestar import Response, get
from litestar.params import FromPath

from longhu.audit.record import Record, decode
from longhu.audit.resettlement import RoundCards, round_cards
from longhu.eventsourcing import Event, name_of
from longhu.games.game import Game
from longhu.messages.message import Message, message_code
from longhu.money import UNSTATED, Currency, Money, show
from longhu.positions import Position
from longhu.protocol import WHOLE_MAX
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
from longhu.roads.text import ROADS_NOTICE, hand_signs
from longhu.server.api import guards
from longhu.server.api.audit.visibility import RevealedShuffle, is_revealed, revealed
from longhu.server.api.guards import ANYBODY, live_table, watching
from longhu.server.api.http import Held, Number, PageQuery, Time, query, unchanged
from longhu.server.codec import Shown
from longhu.server.problems import ProblemKind, Trouble
from longhu.server.realtime.broadcast import PublicEvent, message
from longhu.server.streams.commands import Actor
from longhu.server.streams.table_stream import TableStream
from longhu.store.entries import RoundEntry
from longhu.store.interface import Store
from longhu.table.betting_phase import RoundStarted
from longhu.table.dealing import CardDrawn, ResultAnnounced, TotalsAnnounced
from longhu.table.document import cite
from longhu.table.messages import CommandRefused
from longhu.table.remedies.void import StakeReturned
from longhu.table.settling import WagerSettled
from longhu.table.views import RecalledIdentity
from longhu.texts import Names

ROUND_NOT_OVER = message_code("round-not-over", table="text", number="text")
SHUFFLE_NOT_REVEALED = message_code("shuffle-of-shoe-not-revealed", table="text", number="text")
REVEALED_AT_END = message_code("revealed-when-shoe-is-over")


class RoundSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A round that is over, in short."""

    number: Number
    started: Time
    ended: Time
    void: bool
    winner: str | None


class Rounds(msgspec.Struct, frozen=True, kw_only=True):
    table: str
    rounds: list[RoundSummary]
    before: Number | None  # ask for what is older with this; None: that was all


@get("/api/tables/{table:str}/rounds", opt={**ANYBODY, "query": PageQuery, "problems": (401,)})
async def rounds(request: guards.Request, table: FromPath[str]) -> Rounds:
    """The rounds of a table that are over, newest first."""
    await watching(request)
    live, page, store = await live_table(request, table), query(request, PageQuery), guards.house(request).store
    found = await asyncio.to_thread(lambda: store.rounds(live.name, before=page.before, limit=page.limit))
    told = [
        RoundSummary(
            number=each.number,
            started=each.started,
            ended=each.ended,
            void=not each.winner,
            winner=each.winner or None,
        )
        for each in found
    ]
    return Rounds(table=live.name, rounds=told, before=found[-1].number if len(found) == page.limit else None)


@get("/api/tables/{table:str}/rounds/{number:int}", opt={**ANYBODY, "problems": (401,)})
async def round_recalled(request: guards.Request, table: FromPath[str], number: FromPath[int]) -> Recalled:
    """A round that is over, card by card (LOG-9).

    Patrons and spectators read of others' wagers the sums alone; staff read everything that was told.
    """
    actor = await watching(request)
    live, house = await live_table(request, table), guards.house(request)
    told = await asyncio.to_thread(_recall, house.store, live, number, actor) if 0 < number < 2**53 else None
    if told is None:
        raise Trouble(ProblemKind.NOT_FOUND, ROUND_NOT_OVER(table=live.name, number=str(number)))
    return told


def _recall(store: Store, live: TableStream, number: int, actor: Actor | None) -> Recalled | None:
    entry = store.round(live.name, number)
    if entry is None:
        return None
    lines = store.records_between(live.name, entry.first, entry.last)
    games = {digest: file.load(f"the rules {digest[:12]}") for digest, file in store.games(live.name).items()}
    return recalled(
        entry, lines, games, lambda shoe: is_revealed(store, live.name, live.snapshot, shoe, entry.first), actor
    )


class RecalledCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card in the order in which it left the shoe."""

    hand: str
    face: str | None  # None: nobody has seen it yet
    shown: bool  # did it lie open in the round?


class RecalledWager(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one wager, and whose it was."""

    patron: str
    place: Number  # on the layout
    wager: str
    amount: Shown
    placed_by: str
    result: str  # "win", "lose", …; "void", "withdrawn" or "ruling" where it came back undecided
    line: Number | None  # which of the wager's lines decided it
    pays: str
    net: Shown
    commission: Shown
    clause: str


class RecalledDecision(msgspec.Struct, frozen=True, kw_only=True):
    """Something that somebody reported, found or ruled, and why."""

    name: str  # of the event
    sequence: Number
    at: Time
    by: str
    position: Held
    decision: str
    reason: str  # in the words of whoever decided
    told: Message | None
    cosigned_by: list[str]  # who confirmed it
    clause: str


class RecalledForStaff(msgspec.Struct, frozen=True, kw_only=True):
    """What staff are told of a round beside what everybody sees."""

    dealt_by: list[str]  # who drew its cards and announced them
    wagers: list[RecalledWager]
    decisions: list[RecalledDecision]


class Recalled(msgspec.Struct, frozen=True, kw_only=True):
    """A round that is over. It is a recall: nothing of it can be played."""

    recall: bool = True
    table: str
    number: Number
    game: str
    version: str  # of the rules, as the round has it on record
    in_force: str  # from when these rules are in force; "" where their document has no date
    digest: str
    started: Time
    ended: Time
    void: bool
    winner: str | None  # a hand, or "tie"
    totals: list[int] | None  # as announced
    shoe: Number  # that it was dealt from; 0 where no card was drawn
    shuffled_here: bool  # was the shoe shuffled by the house, so that anybody can check it?
    cards: list[RecalledCard]
    staked: dict[str, Shown]  # by all patrons together, on each wager
    viewer: str  # what whoever asks is called in the events; "" where none of the wagers is theirs
    events: list[PublicEvent]
    staff: RecalledForStaff | None


def recalled(
    entry: RoundEntry,
    lines: Sequence[bytes],
    games: Mapping[str, Game],
    is_revealed: Callable[[int], bool],
    actor: Actor | None,
) -> Recalled:
    """The round of these records for whoever asks; `is_revealed` says of a shoe whether its shuffle is."""
    records = [decode(line) for line in lines]
    game = games[records[0].game]
    own, is_staff = (actor.person, actor.position is not Position.PATRON) if actor is not None else ("", False)
    who = None if is_staff else RecalledIdentity(each.event for each in records)
    told = [
        message(each.sequence, each.event, games[each.game], who)
        for each in records
        if is_staff or patron_of(each.event) in ("", own)
    ]
    began = next(each.event for each in records if isinstance(each.event, RoundStarted))
    result = next((each.event for each in reversed(records) if isinstance(each.event, ResultAnnounced)), None)
    laid = round_cards(each.event for each in records)
    return Recalled(
        table=entry.table,
        number=entry.number,
        game=began.game_id,
        version=began.version,
        in_force=began.in_force,
        digest=began.game,
        started=entry.started,
        ended=entry.ended,
        void=not entry.winner,
        winner=entry.winner or None,
        totals=list(result.totals) if isinstance(result, ResultAnnounced) else None,
        shoe=laid.shoe,
        shuffled_here=any(card.source == "shuffle" for card in laid.cards),
        cards=_cards(laid, is_revealed),
        staked=_staked((each.event for each in records), game),
        viewer=own if who is None else who.label(own) or "",
        events=[each for each in told if each is not None],
        staff=_for_staff(records, game) if is_staff else None,
    )


def _for_staff(records: Sequence[Record], game: Game) -> RecalledForStaff:
    events = [each.event for each in records]
    dealt_by = [each.by for each in events if isinstance(each, CardDrawn | TotalsAnnounced | ResultAnnounced)]
    money = game.currency or UNSTATED
    return RecalledForStaff(
        dealt_by=list(dict.fromkeys(dealt_by)),
        wagers=[_wager(each, money) for each in events if isinstance(each, WagerSettled | StakeReturned)],
        decisions=[_decision(each) for each in records if _is_decision(each.event)],
    )


def _wager(event: WagerSettled | StakeReturned, money: Currency) -> RecalledWager:
    stake = event.stake
    return RecalledWager(
        patron=stake.patron,
        place=stake.place,
        wager=stake.wager,
        amount=show(stake.amount, money),
        placed_by=stake.placed_by,
        result=event.result if isinstance(event, WagerSettled) else event.why,
        line=event.line if isinstance(event, WagerSettled) else None,
        pays=event.pays if isinstance(event, WagerSettled) else "",
        net=show(Money(event.net) if isinstance(event, WagerSettled) else Money(0), money),
        commission=show(Money(event.commission) if isinstance(event, WagerSettled) else Money(0), money),
        clause=event.clause,
    )


def _is_decision(event: Event) -> bool:
    """Has somebody said what they found, or why they decided?"""
    if isinstance(event, CommandRefused):
        return False
    return any(getattr(event, name, None) for name in ("decision", "reason", "told", "cosigned_by"))


def _decision(record: Record) -> RecalledDecision:
    event = record.event
    told, reason = getattr(event, "told", None), getattr(event, "reason", "")
    return RecalledDecision(
        name=name_of(type(event)),
        sequence=record.sequence,
        at=event.at,
        by=event.by,
        position=event.position.value,
        decision=getattr(event, "decision", ""),
        reason=told if isinstance(told, str) else reason,
        told=told if isinstance(told, Message) else None,
        cosigned_by=list(getattr(event, "cosigned_by", ())),
        clause=event.clause,
    )


def patron_of(event: Event) -> str:
    """Whose business alone an event is; "" for what concerns the table."""
    owned = next((part for name in ("stake", "spoken") if (part := getattr(event, name, None)) is not None), event)
    key: str = getattr(event, "key", "")
    patron: str = getattr(owned, "patron", "") or key.partition("/")[0]
    return patron


def _staked(events: Iterable[Event], game: Game) -> dict[str, str]:
    """What lay on each wager when it was settled or came back."""
    sums: Counter[str] = Counter()
    for event in events:
        if isinstance(event, WagerSettled | StakeReturned):
            sums[event.stake.wager] += event.stake.amount
    return {wager: show(Money(amount), game.currency or UNSTATED) for wager, amount in sums.items()}


def _cards(laid: RoundCards, is_revealed: Callable[[int], bool]) -> list[RecalledCard]:
    """As they lay in the end; what was turned over on the way is open."""
    all_told = all(card.public for card in laid.cards) or is_revealed(laid.shoe)
    return [
        RecalledCard(
            hand=card.hand,
            face=card.card or None if card.public or all_told else None,
            shown=card.public,
        )
        for card in laid.cards
    ]


@get("/api/tables/{table:str}/shuffles/{number:int}", opt={**ANYBODY, "problems": (401,)})
async def shuffle(request: guards.Request, table: FromPath[str], number: FromPath[int]) -> RevealedShuffle:
    """The shuffle of a shoe that is over: commitment, contributions, cut, secret, and the cards as they came."""
    await watching(request)
    live, store = await live_table(request, table), guards.house(request).store
    state = live.state
    in_use = state.shuffle is not None and state.shuffle.number == number and not state.shuffle.secret
    known = 0 < number <= min(state.shoes, WHOLE_MAX) and not in_use
    found = await asyncio.to_thread(revealed, store, live.name, number, state.rounds) if known else None
    if found is None:
        raise Trouble(
            ProblemKind.NOT_FOUND,
            SHUFFLE_NOT_REVEALED(table=live.name, number=str(number)),
            remedy=REVEALED_AT_END(),
            clause="RUL-6",
        )
    return found


COLOURS: dict[Colour, Literal["red", "blue"]] = {Colour.RED: "red", Colour.BLUE: "blue"}
IDS = {road: road.name.lower().replace("_", "-") for road in DerivedRoad}
HANDS: tuple[Hand, Hand] = (0, 1)


class HandSign(msgspec.Struct, frozen=True, kw_only=True):
    """A hand, and the letter that stands for it on a road."""

    id: str
    name: Names  # by language tag
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
    colour: Literal["red", "blue"]  # regular, irregular; neither means a hand


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
    says: Message  # what a road is worth
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
async def roads(request: guards.Request, table: FromPath[str]) -> Response[Roads]:
    """The roads of the shoe in use, for information only: the cards decide."""
    await watching(request)
    live = await live_table(request, table)
    state = live.state
    tag = f'"{live.game.wording[:16]}-{state.shoes}-{len(state.results)}-{int(_is_shown(live))}-{crc32(msgspec.json.encode(state.results)):x}"'
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
    results = [round_result(game.hands, each.winner, each.pairs) for each in state.results] if shown else []
    board, ids = scoreboard(results), game.hands
    signs = hand_signs(game.procedure.hands)
    return Roads(
        table=live.name,
        game=game.id,
        shoe=state.shoes,
        rounds=len(results),
        rows=ROWS,
        shown=shown,
        says=ROADS_NOTICE(),
        clause=cite(game, "display"),
        hands=tuple(
            HandSign(id=hand.id, name=hand.name.by_language, sign=sign)
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
