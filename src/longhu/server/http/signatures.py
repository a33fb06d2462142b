"""Acts of two people: whoever is named as having counted with you says so with their own password (SEC-1, OPS-1)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import msgspec

from longhu.eventsourcing import Refusal
from longhu.positions import Position, may_act_as
from longhu.server.actor import Actor
from longhu.server.http import guards
from longhu.server.http.edge import address
from longhu.server.http.fields import Password, Person
from longhu.server.tables.live import Live
from longhu.server.tables.staff import assigned
from longhu.table.messages import Command


class Signature(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody else's word for it."""

    person: Person
    password: Password

    def __repr__(self) -> str:
        """Without the password: a log line must not have it."""
        return f"Signature(person={self.person!r})"


def named(command: Command) -> tuple[str, ...]:
    """Who is said to have counted."""
    found: tuple[str, ...] = getattr(command, "counted_by", ())
    return found


async def signed_by(
    connection: guards.Connection, actor: Actor, signatures: Sequence[Signature]
) -> dict[str, Position] | Refusal:
    """Who has signed, in which position; a refusal where one of them has not.

    Nobody but staff has anything signed: whoever else sends the passwords of others is trying them.
    """
    if signatures and not may_act_as(actor.position, Position.DEALER):
        return Refusal(f"a {actor.position.word} has nothing that others sign", "Leave the signatures out", "SEC-1")
    found: dict[str, Position] = {}
    for each in signatures:
        guards.not_too_quickly(connection)
        people, place = guards.house(connection).people, address(connection.scope)
        account = await people.signed(each.person, each.password, place, actor.person)
        if isinstance(account, Refusal):
            return account
        found[account.person] = account.position
    return found


def missing(actor: Actor, command: Command, signed: Collection[str]) -> Refusal | None:
    """Why an act of several people is not theirs; None where everybody named is there, or has signed."""
    absent = next((each for each in named(command) if each != actor.person and each not in signed), None)
    if absent is None:
        return None
    return Refusal(f"{absent} has not signed", "Everybody who counted signs with their own password", "SEC-1")


async def put_among_staff(live: Live, signed: Mapping[str, Position], at: int) -> Refusal | None:
    """Whoever signs for something at a table does it in the position that they hold in the house."""
    for person, position in signed.items():
        refusal = await assigned(live, Actor(person, position), at)
        if refusal is not None:
            return refusal
    return None


async def witnessed(
    connection: guards.Connection,
    live: Live,
    actor: Actor,
    command: Command,
    signatures: Sequence[Signature],
    at: int,
) -> Refusal | None:
    """Why an act of several people cannot be theirs at this table; None where they are there, have signed, and are staff."""
    signed = await signed_by(connection, actor, signatures)
    if isinstance(signed, Refusal):
        return signed
    return missing(actor, command, signed) or await put_among_staff(live, signed, at)
