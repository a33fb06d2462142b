"""Co-signing: an act of two people. Whoever takes part confirms it with their own password (SEC-1, OPS-1).

The server alone says who has: it puts them into the command (`cosigned_by`), and the table's rules say whether they are enough.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from longhu.eventsourcing import Refusal
from longhu.messages.message import message_code
from longhu.positions import Position
from longhu.protocol import SIGNATURES_MAX
from longhu.server.accounts.people import People
from longhu.server.authorization import assign
from longhu.server.codec import Password, Person
from longhu.server.streams.commands import Actor
from longhu.server.streams.table_stream import TableStream
from longhu.table.messages import Command

NOTHING_TO_COSIGN = message_code("nothing-to-cosign", position="position")
LEAVE_SIGNATURES_OUT = message_code("leave-signatures-out")
SIGN_WITH_OWN_PASSWORD = message_code("sign-with-own-password")
NOT_SIGNED = message_code("person-not-signed", person="person")


class Signature(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody else's word for it."""

    person: Person
    password: Password

    def __repr__(self) -> str:
        """Without the password: a log line must not have it."""
        return f"Signature(person={self.person!r})"


Signatures = Annotated[
    tuple[Signature, ...], Meta(max_length=SIGNATURES_MAX, description="Of others who did it with you")
]


class Cosigning:
    """Checks signatures that come from one address."""

    def __init__(self, people: People, address: str, throttle: Callable[[], None]) -> None:
        self._people, self._address = people, address
        self._throttle = throttle  # raises where too many passwords have come from there

    async def signed(self, actor: Actor, signatures: Sequence[Signature]) -> dict[str, Position] | Refusal:
        """Who has signed, in which position; a refusal where one of them has not.

        Nobody but staff has anything signed: anybody else who sends the passwords of others is trying them.
        """
        if signatures and not actor.position.is_staff:
            return Refusal(NOTHING_TO_COSIGN(position=actor.position.value), LEAVE_SIGNATURES_OUT(), "SEC-1")
        found: dict[str, Position] = {}
        for each in signatures:
            self._throttle()
            account = await self._people.signed(each.person, each.password, self._address, actor.person)
            if isinstance(account, Refusal):
                return account
            if (same := await self._people.not_apart(actor, account)) is not None:
                return same
            found[account.person] = account.position
        return found

    async def second(self, actor: Actor, signatures: Sequence[Signature]) -> Actor | Refusal | None:
        """Somebody else who signs for what one person may not do alone; None where nobody has signed."""
        signed = await self.signed(actor, signatures)
        if isinstance(signed, Refusal):
            return signed
        return next((Actor(person, position) for person, position in signed.items()), None)

    async def cosigned(
        self, live: TableStream, actor: Actor, command: Command, signatures: Sequence[Signature], at: int
    ) -> Command | Refusal:
        """The command with everybody who has signed for it at this table, each in the position that they hold in the house.

        A refusal where somebody has not signed who is named in it, or where a signature is wrong. Nothing of it is taken from the wire.
        """
        if not signatures and not named(command):
            return command
        signed = await self.signed(actor, signatures)
        if isinstance(signed, Refusal):
            return signed
        refusal = missing(actor, command, signed) or await put_among_staff(live, signed, at)
        if refusal is not None:
            return refusal
        return replace(command, cosigned_by=(*command.cosigned_by, *signed))


def named(command: Command) -> tuple[str, ...]:
    """Who is said to have counted."""
    found: tuple[str, ...] = getattr(command, "counted_by", ())
    return found


def missing(actor: Actor, command: Command, signed: Collection[str]) -> Refusal | None:
    """Why an act of several people is not theirs; None where everybody named is there, or has signed."""
    absent = next((each for each in named(command) if each != actor.person and each not in signed), None)
    if absent is None:
        return None
    return Refusal(NOT_SIGNED(person=absent), SIGN_WITH_OWN_PASSWORD(), "SEC-1")


async def put_among_staff(live: TableStream, signed: Mapping[str, Position], at: int) -> Refusal | None:
    """Whoever signs for something at a table does it in the position that they hold in the house."""
    for person, position in signed.items():
        refusal = await assign(live, Actor(person, position), at)
        if refusal is not None:
            return refusal
    return None
