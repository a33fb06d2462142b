"""An id is for one thing: the same id with another content is a mistake of whoever asks, and must not look like success (REC-3).

What was asked lately is remembered here. What was asked before that, or of another node, is compared with what is stored: of a table
by `tables/repeats.py`, of accounts and the house by `people/book.py`.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Mapping

import msgspec
from msgspec import structs

from longhu.server.actor import Actor
from longhu.server.api import guards
from longhu.server.api.codec import CommandBody, Id
from longhu.server.api.problems import USE, ProblemKind, Trouble
from longhu.server.done import Done, Reused
from longhu.server.house import House
from longhu.server.tables.repeats import asked_under, is_other_command
from longhu.table.acts import Command, Refusal

KEY = "Idempotency-Key"
REMEMBERED = 20_000
NO_CONTENT = ("id", "signatures", "password")  # fields of a body that say nothing of what is asked
Use = tuple[str, str, str]  # a person, where they ask, and the id


class Ids:
    """What each id was used for lately: digests, never what was sent."""

    def __init__(self) -> None:
        self._used: OrderedDict[Use, bytes] = OrderedDict()

    def is_other(self, key: Use, content: object) -> bool:
        """Has this person used the id here for something else? If it is new, this is what it is for."""
        digest = hashlib.sha256(msgspec.json.encode(content)).digest()
        before = self._used.setdefault(key, digest)
        self._used.move_to_end(key)
        if len(self._used) > REMEMBERED:
            self._used.popitem(last=False)
        return before != digest

    def forget(self, key: Use) -> None:
        """It was for something else, by what is stored: then it is not for this."""
        self._used.pop(key, None)


async def command_id(request: guards.Request, data: CommandBody) -> str:
    """The id of what somebody asks; used for something else before, it is refused. Who signs it is no part of it, nor is a password."""
    id, actor, ids = _told_id(request, data.id), await guards.acting(request), request.app.state.ids
    content = {name: value for name, value in structs.asdict(data).items() if name not in NO_CONTENT}
    use: Use = (actor.person, f"{request.method} {request.url.path}", id)
    if ids.is_other(use, content):
        raise Reused
    request.scope["state"][USE] = use
    return id


def _told_id(request: guards.Request, id: str | None) -> str:
    """The id of what is asked, from the body or from the header; where both are there they must agree."""
    key = request.headers.get(KEY)
    if key is not None:
        try:
            msgspec.convert(key, Id)
        except msgspec.ValidationError as error:
            raise Trouble(ProblemKind.MALFORMED, f"{KEY}: {error}.", clause="REC-3") from None
    if key is not None and id is not None and key != id:
        raise Trouble(ProblemKind.MALFORMED, f"The body and the header {KEY} tell two different ids.", clause="REC-3")
    found = id if id is not None else key
    if found is None:
        place = "body" if "data" in request.route_handler.parsed_fn_signature.parameters else "query"
        told = f"Nothing tells the id of what is asked, neither the {place} nor the header {KEY}."
        raise Trouble(
            ProblemKind.MALFORMED, told, remedy="Make one that is new for each thing that you ask.", clause="REC-3"
        )
    return found


async def same_command(house: House, table: str, actor: Actor, id: str, command: Command, done: Done | Refusal) -> None:
    """`Reused` where an answer that was given before is one to another command."""
    is_first = isinstance(done, Done) and not done.duplicate
    if not is_first and await asyncio.to_thread(is_other_command, house.store, table, actor.own(id), command):
        raise Reused


async def done_before(
    house: House, table: str, id: str, outcome: Done | Refusal, same: Mapping[str, object]
) -> Done | Refusal:
    """A table that is open cannot be opened; asked again with the same id, it is what was done before. A refusal stays one.

    What `same` names must have been told then, too, or it was something else: `Reused`.
    """
    live = await house.live(table) if isinstance(outcome, Refusal) else None
    before = await live.before(id) if live is not None else None
    done = before if isinstance(before, Done) else outcome
    if isinstance(done, Done) and done.duplicate:
        asked = await asyncio.to_thread(asked_under, house.store, table, id)
        if any(getattr(asked, name, None) != value for name, value in same.items()):
            raise Reused
    return done
