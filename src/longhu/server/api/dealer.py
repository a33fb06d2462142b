"""The dealer's console: the fields of each command, a preview of its result, payments and collections.

Dealers also ask here for the next electronic shoe, and give the deal back to the house.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import delete, get, post
from litestar.params import FromPath, JSONBody
from msgspec import Meta

from longhu.accounts.alerts import Significant
from longhu.accounts.house_log import RaiseAlert
from longhu.eventsourcing import Decision, Refusal, name_of
from longhu.games.game import Game
from longhu.messages.message import Message, message_code
from longhu.money import UNSTATED, show
from longhu.positions import Position
from longhu.protocol import CALL_MAX, TEXT_PATTERN
from longhu.server import codec, problems
from longhu.server.api import guards
from longhu.server.api.guards import ANYBODY, at_table, staff
from longhu.server.api.http import Acted, CommandBody, Number, acted, command_id, query, whole
from longhu.server.api.tables import as_staff
from longhu.server.authorization import reserved_for_house
from longhu.server.codec import Unreadable, WireCommand
from longhu.server.problems import malformed
from longhu.server.realtime.command_forms import Inquiry, Report, inquiries, reports
from longhu.table.electronic import supplied
from longhu.table.engine import decide
from longhu.table.messages import NO_ROUND, Command, ConfirmationAwaited
from longhu.table.open_acts import CALLED
from longhu.table.settling import RoundCapped, SettleRound, WagerSettled
from longhu.table.state import Table, replace, seat_of

ALERT_CALL = message_code("alert-call", person="person", text="text")


class Inquiries(msgspec.Struct, frozen=True, kw_only=True):
    """The form of every command, and which one reports each kind of irregularity."""

    commands: dict[str, Inquiry]
    reports: dict[str, list[Report]]


class TrialRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A command that is not given, only thought of."""

    command: WireCommand


class CallForPit(CommandBody, frozen=True, kw_only=True):
    """A dealer wants somebody to come."""

    told: Annotated[str, Meta(min_length=1, max_length=CALL_MAX, pattern=TEXT_PATTERN)]


class Consequence(msgspec.Struct, frozen=True, kw_only=True):
    name: str  # of an event
    clause: str


class Outlook(msgspec.Struct, frozen=True, kw_only=True):
    """What would follow; or why it would be refused."""

    follows: list[Consequence]
    reason: Message | None = None
    remedy: Message | None = None
    clause: str = ""


class Payment(msgspec.Struct, frozen=True, kw_only=True):
    """What becomes of one stake."""

    patron: str
    seat: Number | None
    place: Number
    wager: str
    amount: str
    line: Number  # which line of the wager decides it, from 0
    result: str
    pays: str
    net: str  # to the patron; below 0, into the tray
    commission: str
    tallied: bool  # it is not kept now: it goes on the patron's tally
    chips: str  # what the dealer pays out in chips, or takes in (below zero)
    owed: str  # what comes to no chip and is recorded as owed; below zero, it is in the chips
    returned: str
    clause: str


class Capped(msgspec.Struct, frozen=True, kw_only=True):
    patron: str
    cut: str
    clause: str


class Payments(msgspec.Struct, frozen=True, kw_only=True):
    """Collections first, then payments, each in the order of the table."""

    round: Number
    payments: list[Payment]
    capped: list[Capped]


@get("/api/commands", opt=ANYBODY)
async def commands() -> Inquiries:
    """What each command asks: a screen makes its forms from this."""
    return Inquiries(commands=inquiries(), reports=reports())


@post(
    "/api/tables/{table:str}/trial",
    status_code=200,
    opt={**staff(Position.DEALER), "example": {"command": {"command": "draw-card", "card": "5H"}}},
)
async def trial(request: guards.Request, table: FromPath[str], data: JSONBody[TrialRequest]) -> Outlook:
    """What would follow from a command, without giving it: the names of events, and nothing of what is in them.

    What waits for a second person is told with what follows once that person has confirmed it. Whoever is called and signs at this
    screen does it together with whoever called.

    A command that takes cards from an electronic shoe has no outlook: nobody knows what comes. Nor has a count: nobody is told
    beforehand what it should be (OPS-1, OPS-3).
    """
    actor, live, house = await at_table(request, table)
    try:
        command = codec.command(data.command, actor, house.now(), live.game.currency or UNSTATED)
    except Unreadable as error:
        raise malformed(error.message) from None
    state = as_staff(live.state, actor)
    if command.position > actor.position:  # how it would be if somebody above came and gave it
        state = replace(state, staff={**state.staff, CALLED: command.position})
        command = replace(command, by=CALLED, cosigned_by=(actor.person,))
    refusal = reserved_for_house(state, command)
    if refusal is None and command.blind:
        return Outlook(follows=[])
    if refusal is None and supplied(state, command, ("?",) * 10_000) != command:
        return Outlook(follows=[])
    events = _with_second_person(state, live.game, command) if refusal is None else refusal
    if isinstance(events, Refusal):
        return Outlook(follows=[], reason=events.reason, remedy=events.remedy, clause=events.clause)
    return Outlook(follows=[Consequence(name=name_of(type(each)), clause=each.clause) for each in events])


def _with_second_person(state: Table, game: Game, command: Command) -> Decision:
    """What would follow, and where it waits for a second person, what would follow then."""
    events = decide(state, game, command)
    match events:
        case [ConfirmationAwaited(awaited=awaited)]:
            attended = replace(state, staff={**state.staff, CALLED: awaited.needed})
            confirmed = decide(attended, game, replace(command, cosigned_by=(CALLED,)))
            return events if isinstance(confirmed, Refusal) else [*events, *confirmed]
    return events


@post(
    "/api/tables/{table:str}/call",
    status_code=200,
    opt={**staff(Position.DEALER), "example": CallForPit(id="call-1", told="a chip fell off the table")},
)
async def call(request: guards.Request, table: FromPath[str], data: JSONBody[CallForPit]) -> Acted:
    """Call the pit to a table: the alert stays until somebody has looked (LOG-3)."""
    actor, live, house = await at_table(request, table)
    alert = RaiseAlert(
        kind=Significant.CALLED,
        table=live.name,
        message=ALERT_CALL(person=actor.person, text=data.told),
        person=actor.person,
    )
    return acted(await whole(house.house_log.act(actor, alert, command_id(request, data))))


@get("/api/tables/{table:str}/reckoning", opt={**staff(Position.DEALER), "problems": (409,)})
async def reckoning(request: guards.Request, table: FromPath[str]) -> Payments:
    """What is to be collected and paid, once the result is announced."""
    _actor, live, house = await at_table(request, table)
    state = live.state
    dealer = next((person for person, held in state.staff.items() if held >= Position.DEALER), "")
    settle = SettleRound(by=dealer, at=house.now(), position=state.staff.get(dealer, Position.DEALER))
    events = decide(state, live.game, settle)
    if isinstance(events, Refusal) or state.round is None:
        raise problems.refused(events if isinstance(events, Refusal) else Refusal(NO_ROUND()))
    money = live.game.currency or UNSTATED
    payments = [_payment(state, live.game, each) for each in events if isinstance(each, WagerSettled)]
    capped = [
        Capped(patron=each.patron, cut=show(each.cut, money), clause=each.clause)
        for each in events
        if isinstance(each, RoundCapped)
    ]
    payments.sort(
        key=lambda each: (not each.net.startswith("-"), each.place)
    )  # whoever takes in does so first (D21-10.2)
    return Payments(round=state.round.number, payments=payments, capped=capped)


def _payment(table: Table, game: Game, event: WagerSettled) -> Payment:
    stake, money = event.stake, game.currency or UNSTATED
    return Payment(
        patron=stake.patron,
        seat=seat_of(table, stake.patron),
        place=stake.place,
        wager=stake.wager,
        amount=show(stake.amount, money),
        line=event.line,
        result=event.result,
        pays=event.pays,
        net=show(event.net, money),
        commission=show(event.commission, money),
        tallied=event.tallied,
        chips=show(event.chips - stake.amount, money),
        owed=show(event.owed, money),
        returned=show(event.returned, money),
        clause=event.clause,
    )


@post("/api/tables/{table:str}/shoe", status_code=200, opt={**staff(Position.DEALER), "query": CommandBody})
async def new_shoe(request: guards.Request, table: FromPath[str]) -> Acted:
    """Start the shuffle of the next electronic shoe at a table with a dealer."""
    actor, live, house = await at_table(request, table)
    return acted(await whole(house.new_shoe(actor, live.name, command_id(request, query(request, CommandBody)))))


@delete("/api/tables/{table:str}/deal", status_code=200, opt={**staff(Position.DEALER), "query": CommandBody})
async def give_deal_back(request: guards.Request, table: FromPath[str]) -> Acted:
    """Give the deal of an automatic table back to the house, after somebody has taken it."""
    actor, live, house = await at_table(request, table)
    id = command_id(request, query(request, CommandBody))
    return acted(await whole(house.give_deal_back(actor, live.name, id)))
