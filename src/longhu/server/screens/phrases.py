"""What people ask again and again: the same chips on the same areas, under another id each time. It is read once.

A message whose command was read before, byte for byte, is that command; only its id is looked at. Everything else is read in
full, and so is a message that somebody else signs, or that is asked in a position of one's own choice.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from typing import NamedTuple

import msgspec

from longhu.money import Currency
from longhu.server.actor import Actor
from longhu.server.api.codec import ID_MAX, Id, Signatures
from longhu.server.api.guards import named
from longhu.server.screens import wire
from longhu.server.screens.forms import Unreadable
from longhu.table.acts import Command
from longhu.table.positions import Position

REMEMBERED, BYTES = 2000, 300  # commands, and how long each may be

_NOBODY = Actor("", Position.PATRON)  # who asks, and when, is said each time


class Ask(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="command", tag_field="type"):
    """Somebody asks for something; the id makes sure that it is done once."""

    id: Id
    command: wire.WireCommand
    signatures: Signatures = ()


class Ping(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="ping", tag_field="type"):
    """Is somebody there, and how far away?"""

    id: Id | None = None


class Again(NamedTuple):
    """Somebody asks for what was asked before, by whomever."""

    id: str
    command: Command  # without who and when


class _Outside(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="command", tag_field="type"):
    """A message with its command unread."""

    id: str
    command: msgspec.Raw
    signatures: Signatures = ()


class _Named(msgspec.Struct, frozen=True):
    """Of a message its id, whatever else it says."""

    id: Id


_named = msgspec.json.Decoder(_Named)
_outside, _whole = msgspec.json.Decoder(_Outside), msgspec.json.Decoder(Ask | Ping)


def read(text: str | bytes) -> Ask | Ping:
    """A message; `msgspec.MsgspecError` and others where it is none."""
    asked: Ask | Ping = _whole.decode(text)
    return asked


def id_of(text: str | bytes) -> str | None:
    """The id of a message that is otherwise none, so that whoever asked knows which one it was.

    >>> id_of(b'{"type":"command","id":"w3","command":7}')
    'w3'
    """
    try:
        return _named.decode(text).id
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None


class Phrases:
    """Commands that were read, where amounts are in one currency."""

    def __init__(self, currency: Currency) -> None:
        self._currency = currency
        self._known: OrderedDict[bytes, Command] = OrderedDict()

    def read(self, text: str | bytes) -> Ask | Ping | Again:
        """The same, and quicker where the command is known."""
        try:
            outside = _outside.decode(text)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):  # a ping, or nothing that can be read
            return read(text)
        id, said = outside.id, bytes(outside.command)
        command = self._known.get(said)
        if command is not None and not outside.signatures and _is_plain(id):
            return Again(id, command)
        asked = read(text)
        if command is None and isinstance(asked, Ask) and len(said) <= BYTES:
            self._remember(said, asked)
        return asked

    def _remember(self, said: bytes, asked: Ask) -> None:
        if asked.command.position is not None:
            return
        try:
            command = wire.command(asked.command, _NOBODY, 0, self._currency)
        except Unreadable:
            return
        if not named(command):
            self._known[said] = command
            if len(self._known) > REMEMBERED:
                self._known.popitem(last=False)


def _is_plain(id: str) -> bool:
    """Is it as most are, a number or a UUID? That is sooner seen than whether it is an `Id`, as all of these are."""
    return id.replace("-", "").isalnum() and id.isascii() and len(id) <= ID_MAX


phrases_in = lru_cache(maxsize=None)(Phrases)  # one for each currency
