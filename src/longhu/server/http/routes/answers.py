"""What is answered to whoever asks for something to be done: the records that say so, or the problem."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Response

from longhu.accounts.account import CloseAccount
from longhu.accounts.messages import HouseCommand
from longhu.eventsourcing import Refusal
from longhu.server.http import guards, problems
from longhu.server.http.fields import Asking, Number
from longhu.server.http.whole import whole
from longhu.server.streams.outcomes import Committed
from longhu.server.tables.visits import something_left


class Acted(msgspec.Struct, frozen=True):
    """It was done, and is durable: these records of the trail say so."""

    first: Number
    last: Number
    duplicate: bool = False  # it had been done before, under the same id


def unchanged(request: guards.Asked, tag: str) -> Response[Any] | None:
    """What is answered to whoever has this already (If-None-Match); None where it is new to them."""
    known = request.headers.get("if-none-match") == tag
    return Response(None, status_code=304, headers={"ETag": tag}) if known else None


async def act_on(request: guards.Asked, person: str, command: HouseCommand, id: str) -> Acted:
    """Something in an account."""
    actor, house = await guards.acting(request), guards.house(request)
    if isinstance(command, CloseAccount) and (left := something_left(house, person)) is not None:
        raise problems.refused(left)
    return acted(await whole(house.people.act(actor, person, command, id)))


def acted(done: Committed | Refusal) -> Acted:
    """What became of it; a refusal is a problem."""
    if isinstance(done, Refusal):
        raise problems.refused(done)
    return Acted(done.first, done.last, done.duplicate)


async def act(request: guards.Asked, command: HouseCommand, data: Asking) -> Acted:
    """Something in one's own account."""
    actor = await guards.acting(request)
    return await act_on(request, actor.person, command, await guards.command_id(request, data))
