"""Acting at a table: commands, seats, chips."""

from __future__ import annotations

import asyncio
from typing import Annotated

from litestar import delete, post
from litestar.params import FromPath, JSONBody
from msgspec import Meta

from longhu.money import UNSTATED
from longhu.server.actor import Actor
from longhu.server.done import Done, Reused
from longhu.server.http import guards, problems
from longhu.server.http.fields import Asking, Person, amount, query
from longhu.server.http.guards import PATRONS, command_id
from longhu.server.http.problems import Kind, Trouble
from longhu.server.http.routes.answers import Acted, acted
from longhu.server.http.routes.tables import at_table
from longhu.server.http.signatures import Signature, signed_by, witnessed
from longhu.server.http.whole import whole
from longhu.server.screens import wire
from longhu.server.screens.forms import MoneyText, Unreadable
from longhu.server.screens.wire import WireCommand
from longhu.server.tables.repeats import is_other_command
from longhu.table.acts import Refusal
from longhu.table.positions import Position
from longhu.table.public_identity import PublicIdentity

SIGNATURES_MAX = 5
Signatures = Annotated[
    tuple[Signature, ...], Meta(max_length=SIGNATURES_MAX, description="Of others who did it with you")
]


class Ask(Asking, frozen=True, kw_only=True):
    """A command at a table."""

    command: WireCommand
    signatures: Signatures = ()
    by: Person | None = (
        None  # who of those who sign gives it: a supervisor who was called decides at the dealer's screen
    )


class TakeSeat(Asking, frozen=True, kw_only=True):
    """Come to the table with chips from the wallet."""

    seat: Annotated[int, Meta(ge=1, le=100)] | None = None  # null: standing
    buy_in: MoneyText = "0"


class BuyChips(Asking, frozen=True, kw_only=True):
    amount: MoneyText


@post(
    "/api/tables/{table:str}/commands",
    status_code=200,
    opt={
        **PATRONS,
        "example": {"id": "bet-1", "command": {"command": "place-wager", "place": 1, "wager": "tie", "amount": "5.00"}},
    },
)
async def give_command(request: guards.Asked, table: FromPath[str], data: JSONBody[Ask]) -> Acted:
    """Give a command.

    It is durable once this answers. Sent again with the same id it is not done again, and answered as it was; the same id
    with another content is a mistake, and told so.
    """
    actor, live, house = await at_table(request, table)
    others = data.signatures
    if data.by is not None and data.by != actor.person:
        actor = await _signer(request, actor, data)
        others = tuple(each for each in others if each.person != actor.person)
    try:
        command = wire.command(data.command, actor, house.now(), live.game.currency or UNSTATED)
    except Unreadable as error:
        raise Trouble(Kind.MALFORMED, f"In the command, {error}.") from None
    id = await command_id(request, data)
    refusal = await witnessed(request, live, actor, command, others, house.now())
    if refusal is not None:
        raise problems.refused(refusal)
    done = await house.act(actor, live.id, command, id)
    if isinstance(done, Refusal) or done.duplicate:
        known = actor.own(id)
        if await asyncio.to_thread(is_other_command, house.store, live.id, known, command):
            raise Reused
    _count(request, done)
    if isinstance(done, Refusal) and actor.position is Position.PATRON:
        done = PublicIdentity(live.state).refusal(done, actor.person)
    return acted(done)


async def _signer(request: guards.Asked, actor: Actor, data: Ask) -> Actor:
    """Somebody who was called to the screen of staff and signs there: what is asked is theirs, in the position that they hold."""
    signed = await signed_by(request, actor, [each for each in data.signatures if each.person == data.by])
    if isinstance(signed, Refusal):
        raise problems.refused(signed)
    position = signed.get(data.by or "")
    if position is None or position < Position.DEALER:
        told = Refusal(
            f"{data.by} has not signed as staff of the house", "Whoever decides signs with their own password", "SEC-1"
        )
        raise problems.refused(told)
    return Actor(data.by or "", position)


def _count(request: guards.Asked, done: Done | Refusal) -> None:
    result = "refused" if isinstance(done, Refusal) else "duplicate" if done.duplicate else "done"
    request.app.state.metrics.commands[result] += 1


@post(
    "/api/tables/{table:str}/seat",
    status_code=200,
    opt={**PATRONS, "example": TakeSeat(id="sit-1", seat=3, buy_in="100.00")},
)
async def sit_down(request: guards.Asked, table: FromPath[str], data: JSONBody[TakeSeat]) -> Acted:
    """Come to a table, to a seat or standing, and buy chips from the wallet."""
    actor, live, house = await at_table(request, table)
    buy_in = amount(data.buy_in, live.game.currency or UNSTATED, "buy_in")
    return acted(await whole(house.join(actor, live.id, data.seat, buy_in, id=await command_id(request, data))))


@delete("/api/tables/{table:str}/seat", status_code=200, opt={**PATRONS, "query": Asking})
async def stand_up(request: guards.Asked, table: FromPath[str]) -> Acted:
    """Leave a table: wagers that may still come back do, and all chips go to the wallet."""
    actor, live, house = await at_table(request, table)
    return acted(await whole(house.leave(actor, live.id, id=await command_id(request, query(request, Asking)))))


@post(
    "/api/tables/{table:str}/chips", status_code=200, opt={**PATRONS, "example": BuyChips(id="chips-1", amount="50.00")}
)
async def buy_chips(request: guards.Asked, table: FromPath[str], data: JSONBody[BuyChips]) -> Acted:
    """Buy chips from the wallet."""
    actor, live, house = await at_table(request, table)
    wanted = amount(data.amount, live.game.currency or UNSTATED)
    return acted(await whole(house.buy_chips(actor, live.id, wanted, id=await command_id(request, data))))


HANDLERS = [give_command, sit_down, stand_up, buy_chips]
