"""Tables over HTTP and WebSocket: the lobby, one table as each viewer may see it, commands, seats and chips."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import Annotated, Any, Literal

import msgspec
from litestar import Response, WebSocket, delete, get, post, websocket
from litestar.params import FromPath, JSONBody
from msgspec import Meta

from longhu.eventsourcing import Refusal, name_of
from longhu.messages.message import Message, message_code
from longhu.money import UNSTATED, show
from longhu.positions import Position
from longhu.protocol import SEATS_MAX, CloseCode
from longhu.server import codec, problems
from longhu.server.api import guards
from longhu.server.api.games import GamePage, paytable
from longhu.server.api.guards import ANYBODY, PATRONS, at_table, cosigning, live_table, staff, watching
from longhu.server.api.http import (
    Acted,
    CommandBody,
    Held,
    Number,
    Time,
    above_zero,
    acted,
    amount,
    command_id,
    query,
    unchanged,
    whole,
)
from longhu.server.authorization import SIGN_WITH_OWN_PASSWORD, execute, put_among_staff, reserved_for_house
from longhu.server.codec import MoneyText, Person, SentView, Signatures, Unreadable, WireCommand, WrittenCommand
from longhu.server.house import House
from longhu.server.problems import malformed
from longhu.server.realtime.broadcast import viewer_of
from longhu.server.realtime.connection import EXTENSION, FrameConnection, TableConnection, Visit
from longhu.server.realtime.subscriptions import Subscriptions
from longhu.server.streams.commands import Actor, Committed
from longhu.server.streams.table_stream import TableStream, rules_of
from longhu.table.cash import BuyIn
from longhu.table.confirmation import asked
from longhu.table.dealing import AnnounceResult, DrawCard, cards_say, next_hand
from longhu.table.handling import turned_next
from longhu.table.open_acts import OpenAct, calls, open_acts, second_persons
from longhu.table.state import Table, replace
from longhu.table.views import PublicIdentity, view
from longhu.texts import Names

NEVER_HAD_THESE_RULES = message_code("table-never-had-these-rules", table="text", digest="text")
NOT_SIGNED_AS_STAFF = message_code("not-signed-as-staff", person="text")


class LobbyEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A table in short."""

    table: str
    game: str
    name: Names
    open: bool
    suspended: bool
    stopped: bool
    dealer: Literal["automatic", "human"]
    phase: str
    round: Number
    seats: Number
    taken: Number
    patrons: Number
    minimum: str | None
    maximum: str | None
    countdown: int | None  # milliseconds left to bet
    play_money: bool  # nothing here is worth anything


class TableView(msgspec.Struct, frozen=True, kw_only=True):
    """A table as this viewer may see it."""

    table: str
    sequence: Number  # of the last record in it
    at: Time
    countdown: int | None
    play_money: bool
    view: SentView


class Called(msgspec.Struct, frozen=True, kw_only=True):
    """What waits for somebody in a higher position, and what they could ask."""

    position: Held
    ready: list[WrittenCommand]
    told: list[str]


class NextCard(msgspec.Struct, frozen=True, kw_only=True):
    """The next card: whose it is, and why."""

    hand: str
    why: Message
    clause: str


class AwaitedReport(msgspec.Struct, frozen=True, kw_only=True):
    """A report that waits: what it says, who made it, and who may confirm it."""

    number: Number
    command: WrittenCommand
    by: str
    needed: str
    surveillance: bool  # may confirm it, too


class Acts(msgspec.Struct, frozen=True, kw_only=True):
    """What may be asked now: whole commands, ready to be sent, and names of those that want something told."""

    sequence: Number
    ready: list[WrittenCommand]
    told: list[str]
    due: NextCard | None  # where a card is to be drawn
    turns: str | None  # the hand that is turned over next, where its faces are told
    result: str | None  # a hand or "tie", as the cards say it, where it is to be announced
    above: list[Called]  # whom to call, where the round waits for a decision that is not mine; for staff
    seconds: dict[str, str]  # acts that want a second person now, by name, and the lowest position of that person
    awaited: AwaitedReport | None  # the report that waits for a second person; for staff


@get("/api/tables", opt=ANYBODY)
async def lobby(request: guards.Request) -> list[LobbyEntry]:
    """The tables of the house."""
    await watching(request)
    house = guards.house(request)
    return [_entry(house, live) for _, live in sorted(house.tables.items())]


def _entry(house: House, live: TableStream) -> LobbyEntry:
    table, game = live.state, live.game
    settings, money = table.settings, game.currency or UNSTATED
    limits = settings.limits.values() if settings is not None else ()
    return LobbyEntry(
        table=live.name,
        game=game.id,
        name=game.name.by_language,
        open=settings is not None,
        suspended=bool(table.suspended),
        stopped=bool(table.stopped or live.halted),
        dealer="automatic" if settings is not None and settings.automatic_dealer else "human",
        phase=table.round.phase.value if table.round is not None else "",
        round=table.rounds,
        seats=settings.positions if settings is not None else 0,
        taken=sum(each.seat is not None for each in table.people.values()),
        patrons=len(table.people),
        minimum=show(min((each.min for each in limits), default=0), money) if limits else None,
        maximum=show(max((each.max for each in limits), default=0), money) if limits else None,
        countdown=house.countdown(live),
        play_money=house.config.demo,
    )


@get("/api/tables/{table:str}", opt={**ANYBODY, "etag": True, "problems": (401,)})
async def table_view(request: guards.Request, table: FromPath[str]) -> Response[TableView]:
    """A table as I may see it.

    The WebSocket of the table tells the same and what changes.
    """
    actor, live, house = await watching(request), await live_table(request, table), guards.house(request)
    state, sequence = live.state, live.sequence
    seen = viewer_of(state, actor)
    tag = f'"{sequence}-{seen.role.value}-{seen.person}"'
    if (same := unchanged(request, tag)) is not None:
        return same
    told = codec.view(view(state, live.game, seen), live.game.currency or UNSTATED)
    answer = TableView(
        table=live.name,
        sequence=sequence,
        at=house.now(),
        countdown=house.countdown(live),
        play_money=house.config.demo,
        view=told,
    )
    return Response(answer, headers={"ETag": tag, "Cache-Control": "no-cache"})


class RulesQuery(msgspec.Struct, frozen=True, kw_only=True):
    digest: Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")] = ""  # of an earlier round; "" for the rules in force


@get("/api/tables/{table:str}/rules", opt={**ANYBODY, "query": RulesQuery, "etag": True, "problems": (401,)})
async def table_rules(request: guards.Request, table: FromPath[str]) -> Response[GamePage]:
    """What this table pays, as the house reads the rules here, and the exact odds with its decks (RUL-1).

    With `digest`, the rules by which an earlier round was played, and the odds with their usual number of decks.
    """
    await watching(request)
    live, asked = await live_table(request, table), query(request, RulesQuery).digest
    if asked and asked != live.game.digest:
        earlier = await asyncio.to_thread(rules_of, guards.house(request).store, live.name, asked)
        if earlier is None:
            raise problems.Trouble(
                problems.ProblemKind.NOT_FOUND, NEVER_HAD_THESE_RULES(table=live.name, digest=asked[:12])
            )
        return await paytable(request, earlier, earlier.decks.default)
    settings = live.state.settings
    return await paytable(request, live.game, settings.decks if settings is not None else live.game.decks.default)


@get("/api/tables/{table:str}/acts", opt=guards.SIGNED_IN)
async def acts(request: guards.Request, table: FromPath[str]) -> Acts:
    """What I may do at this table now."""
    actor, live, house = await at_table(request, table)
    state, sequence = as_staff(live.state, actor), live.sequence
    auditor, at = actor.position is Position.AUDITOR, house.now()
    found = [] if auditor else open_acts(state, live.game, actor.person, at)
    above = calls(state, live.game, actor.person, at) if actor.position >= Position.DEALER else {}
    ready, told = _written(live, state, found)
    return Acts(
        sequence=sequence,
        ready=ready,
        told=told,
        due=_due(live, state, found),
        turns=turned_next(state.round) if state.round is not None and "reveal-hand" in told else None,
        result=_result(live, state, found),
        above=[Called(position=held.value, ready=r, told=t) for held, (r, t) in _above(live, state, above).items()],
        seconds={name: held.value for name, held in _seconds(live, state, actor, found, at).items()},
        awaited=_awaited(live, state) if actor.position.is_staff else None,
    )


def _seconds(live: TableStream, state: Table, actor: Actor, found: list[OpenAct], at: int) -> dict[str, Position]:
    return second_persons(state, live.game, found, actor.person, at) if actor.position.is_staff else {}


def _awaited(live: TableStream, state: Table) -> AwaitedReport | None:
    awaited = state.awaited
    if awaited is None:
        return None
    return AwaitedReport(
        number=awaited.number,
        command=codec.written(asked(awaited), live.game.currency or UNSTATED),
        by=awaited.by,
        needed=awaited.needed.value,
        surveillance=awaited.surveillance,
    )


def _due(live: TableStream, state: Table, found: list[OpenAct]) -> NextCard | None:
    """The hand that the procedure deals to next, which follows from open cards alone."""
    if state.round is None or not any(each is DrawCard or isinstance(each, DrawCard) for each in found):
        return None
    hand, why = next_hand(live.game, state.round)
    if hand is None or why is None:
        return None
    return NextCard(hand=live.game.procedure.hands[hand].id, why=why.message, clause=next(iter(why.clauses), ""))


def _result(live: TableStream, state: Table, found: list[OpenAct]) -> str | None:
    if state.round is None or not any(isinstance(each, AnnounceResult) for each in found):
        return None
    return cards_say(live.game, state.round)


def _above(
    live: TableStream, state: Table, above: Mapping[Position, list[OpenAct]]
) -> dict[Position, tuple[list[WrittenCommand], list[str]]]:
    return {held: _written(live, state, acts) for held, acts in above.items()}


def _written(live: TableStream, state: Table, found: list[OpenAct]) -> tuple[list[WrittenCommand], list[str]]:
    """Whole commands as they are sent, and names of those that want something told."""
    money = live.game.currency or UNSTATED
    whole_ones = [each for each in found if not isinstance(each, type)]
    ready = [codec.written(each, money) for each in whole_ones if reserved_for_house(state, each) is None]
    told = [each for each in found if isinstance(each, type) and name_of(each) in codec.ACCEPTED]
    spots = state.settings is not None and state.settings.takes_spots
    return ready, [
        name_of(each) for each in told if spots or each is not BuyIn
    ]  # an account buys its chips itself (MON-3)


def as_staff(table: Table, actor: Actor) -> Table:
    """The table with the actor among its staff, as the actor's first command there will make it."""
    known = actor.person in table.staff or actor.person in table.people
    if known or not actor.position.is_staff or table.settings is None:
        return table
    return replace(table, staff={**table.staff, actor.person: actor.position})


class CommandRequest(CommandBody, frozen=True, kw_only=True):
    """A command at a table."""

    command: WireCommand
    signatures: Signatures = ()
    by: Person | None = (
        None  # who of those who sign gives it: a supervisor who was called decides at the dealer's screen
    )


class SeatRequest(CommandBody, frozen=True, kw_only=True):
    """Come to the table with chips from the wallet."""

    seat: Annotated[int, Meta(ge=1, le=SEATS_MAX)] | None = None  # null: standing
    buy_in: MoneyText | None = None  # null, or left out: no chips now


class ChipsRequest(CommandBody, frozen=True, kw_only=True):
    amount: MoneyText


@post(
    "/api/tables/{table:str}/commands",
    status_code=200,
    opt={
        **staff(Position.PATRON, Position.CAGE, Position.SURVEILLANCE),
        "example": {"id": "bet-1", "command": {"command": "place-wager", "place": 1, "wager": "tie", "amount": "5.00"}},
    },
)
async def give_command(request: guards.Request, table: FromPath[str], data: JSONBody[CommandRequest]) -> Acted:
    """Give a command.

    It is durable once this answers. Sent again with the same id it is not done again, and answered as it was; the same id
    with another content is a mistake, and told so.
    """
    actor, live, house = await at_table(request, table)
    at = house.clock.now()
    others, called = data.signatures, data.by is not None and data.by != actor.person
    screen = actor  # whose screen it is
    if called:
        actor = await _signer(request, actor, data)
        others = tuple(each for each in others if each.person != actor.person)
    try:
        command = codec.command(data.command, actor, at, live.game.currency or UNSTATED)
    except Unreadable as error:
        raise malformed(error.message) from None
    if called:  # whoever called somebody to their own screen takes part in what is done there
        refusal = await put_among_staff(live, {screen.person: screen.position}, at)
        if refusal is not None:
            raise problems.refused(refusal)
        command = replace(command, cosigned_by=(screen.person,))
    cosigned = await cosigning(request).cosigned(live, actor, command, others, at)
    if isinstance(cosigned, Refusal):
        raise problems.refused(cosigned)
    command = cosigned
    grant = await guards.grant_of(request)
    plays = grant is not None and grant.actor == actor and grant.plays
    done = await execute(house, actor, live, command, command_id(request, data), plays=plays)
    _count(request, done)
    if isinstance(done, Refusal) and actor.position is Position.PATRON:
        done = PublicIdentity(live.state).refusal(done, actor.person)
    return acted(done)


async def _signer(request: guards.Request, actor: Actor, data: CommandRequest) -> Actor:
    """Somebody who was called to the screen of staff and signs there: the command is theirs, in the position that they hold."""
    signed = await cosigning(request).signed(actor, [each for each in data.signatures if each.person == data.by])
    if isinstance(signed, Refusal):
        raise problems.refused(signed)
    position = signed.get(data.by or "")
    if position is None or not position.is_staff:
        raise problems.refused(Refusal(NOT_SIGNED_AS_STAFF(person=data.by), SIGN_WITH_OWN_PASSWORD(), "SEC-1"))
    return Actor(data.by or "", position)


def _count(request: guards.Request, done: Committed | Refusal) -> None:
    result = "refused" if isinstance(done, Refusal) else "duplicate" if done.duplicate else "done"
    request.app.state.metrics.commands[result] += 1


@post(
    "/api/tables/{table:str}/seat",
    status_code=200,
    opt={**PATRONS, "example": SeatRequest(id="sit-1", seat=3, buy_in="100.00")},
)
async def sit_down(request: guards.Request, table: FromPath[str], data: JSONBody[SeatRequest]) -> Acted:
    """Come to a table, to a seat or standing, and buy chips from the wallet."""
    actor, live, house = await at_table(request, table)
    buy_in = 0 if data.buy_in is None else above_zero(data.buy_in, live.game.currency or UNSTATED, "buy_in")
    return acted(await whole(house.join(actor, live.name, data.seat, buy_in, id=command_id(request, data))))


@delete("/api/tables/{table:str}/seat", status_code=200, opt={**PATRONS, "query": CommandBody})
async def stand_up(request: guards.Request, table: FromPath[str]) -> Acted:
    """Leave a table: wagers that may still come back do, and all chips go to the wallet."""
    actor, live, house = await at_table(request, table)
    return acted(await whole(house.leave(actor, live.name, id=command_id(request, query(request, CommandBody)))))


@post(
    "/api/tables/{table:str}/chips",
    status_code=200,
    opt={**PATRONS, "example": ChipsRequest(id="chips-1", amount="50.00")},
)
async def buy_chips(request: guards.Request, table: FromPath[str], data: JSONBody[ChipsRequest]) -> Acted:
    """Buy chips from the wallet."""
    actor, live, house = await at_table(request, table)
    wanted = amount(data.amount, live.game.currency or UNSTATED)
    return acted(await whole(house.buy_chips(actor, live.name, wanted, id=command_id(request, data))))


# ------------------------------------------------ the socket of a table

NUMBER_DIGITS = 15


@websocket("/api/tables/{table:str}/socket", opt=guards.ANYBODY)
async def table_socket(socket: WebSocket[Any, Any, Any], table: FromPath[str]) -> None:
    """Watch a table and play at it; `after` is the number of the last event that was seen."""
    if guards.foreign_origin(socket) is not None:
        await socket.receive()
        await socket.close(CloseCode.POLICY)  # before it is accepted: the browser is told 403
        return
    house, found = guards.house(socket), await guards.session_of(socket)
    told, live = list(socket.query_params.multi_items()), await house.stream(table)
    after = told[0][1] if told else None
    await socket.accept()
    if found is None and (guards.COOKIE in socket.cookies or not house.config.spectators):
        await socket.close(CloseCode.SESSION_OVER, "nobody is signed in, or the session has ended")
    elif live is None:
        await socket.close(CloseCode.NO_TABLE, "there is no such table")
    elif [name for name, _ in told] not in ([], ["after"]):
        await socket.close(CloseCode.POLICY, "the query may say `after`, once, and nothing else")
    elif after is not None and not _is_number(after):
        await socket.close(CloseCode.POLICY, "after: the number of an event is expected")
    else:
        actor, session = found if found is not None else (None, None)
        token, subscriptions = socket.cookies.get(guards.COOKIE, ""), _subscriptions(socket, house)
        visit = Visit(house, live, actor, session, token, guards.cosigning(socket), socket.app.state.metrics.commands)
        await _serve(socket, subscriptions, visit, None if after is None else int(after))


async def _serve(
    socket: WebSocket[Any, Any, Any], subscriptions: Subscriptions, visit: Visit, after: int | None
) -> None:
    """From the first snapshot until the socket is closed."""
    extensions: Any = socket.scope["extensions"]
    frames: FrameConnection = extensions[EXTENSION]["connection"]
    connection = TableConnection(socket, frames, visit)
    async with AsyncExitStack() as stack:
        broadcast = await stack.enter_async_context(subscriptions.broadcast(visit.live))
        await stack.enter_async_context(subscriptions.watching(visit.session, connection.end_session))
        await connection.run(broadcast, after)


def _subscriptions(socket: WebSocket[Any, Any, Any], house: House) -> Subscriptions:
    """One for each application."""
    state = socket.app.state
    if "subscriptions" not in state:
        state.subscriptions = Subscriptions(house, state.metrics)
    found: Subscriptions = state.subscriptions
    return found


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= NUMBER_DIGITS
