"""The socket of a shoe that reads cards: what it says, what it is answered, and when it counts as silent (docs/device.md)."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Annotated, Any, Literal

import msgspec
from litestar import WebSocket
from litestar.exceptions import WebSocketException
from msgspec import Meta

from longhu.eventsourcing import Refusal
from longhu.messages.localization import english
from longhu.messages.message import Message, message_code
from longhu.positions import Position
from longhu.protocol import (
    DEVICE_NAME_MAX,
    DEVICE_NAME_PATTERN,
    REASON_MAX,
    TEXT_PATTERN,
    TIME_MAX,
    UNREADABLE_MAX,
    WHOLE_MAX,
    CloseCode,
)
from longhu.server import codec, problems
from longhu.server.house import House
from longhu.server.observability import log
from longhu.server.problems import decode_error
from longhu.server.streams.commands import Committed, StoreUnavailable, TableHalted
from longhu.server.streams.table_stream import TableStream
from longhu.table import card_source
from longhu.table.card_source import Became, SourceCommand, SourceHeard, waiting_hand
from longhu.table.state import DEVICE_MARK, Table

SAY_HELLO_FIRST = message_code("say-hello-first")

Number = Annotated[int, Meta(ge=0, le=WHOLE_MAX)]
ShoeName = Annotated[
    str,
    Meta(min_length=1, max_length=DEVICE_NAME_MAX, pattern=DEVICE_NAME_PATTERN, examples=["shoe-3"]),
]
DeviceTime = Annotated[
    int, Meta(ge=0, le=TIME_MAX, description="By the shoe's own clock, milliseconds since 1970, UTC")
]
Face = Annotated[str, Meta(min_length=1, max_length=8, description="Rank and suit, as 7H, TS, KD", examples=["7H"])]


class ShoeMessage(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """What a shoe says: which shoe, under which number, and when by its own clock."""

    shoe: ShoeName
    sequence: Number  # counted from 1 without a gap; in a hello or a heartbeat, of the last message
    at: DeviceTime


class HelloMessage(ShoeMessage, frozen=True, kw_only=True, tag="hello"):
    """The first message: the shoe is there."""


class CardMessage(ShoeMessage, frozen=True, kw_only=True, tag="card"):
    """A card has left the shoe."""

    card: Face
    together: bool = False  # in one movement with the card before


class CuttingCardMessage(ShoeMessage, frozen=True, kw_only=True, tag="cutting-card"):
    """The cutting card has left the shoe."""


class RemovedMessage(ShoeMessage, frozen=True, kw_only=True, tag="removed"):
    """A card was taken out in another way than a card is drawn, or the shoe was lifted."""

    what: Literal["card", "shoe"]


class ErrorMessage(ShoeMessage, frozen=True, kw_only=True, tag="error"):
    """A card has left the shoe unread, or something is wrong with the shoe itself."""

    what: Literal["unreadable", "fault"]
    detail: Annotated[str, Meta(max_length=REASON_MAX, pattern=TEXT_PATTERN)] = ""


class HeartbeatMessage(ShoeMessage, frozen=True, kw_only=True, tag="heartbeat"):
    """The shoe is still there, and has sent so many messages."""


class WelcomeMessage(msgspec.Struct, frozen=True, kw_only=True, tag="welcome", tag_field="type"):
    """The table hears the shoe. Messages after `sequence` have not come: send them now."""

    table: str
    sequence: int
    at: int
    silent_after: int  # milliseconds without any message


class TakenMessage(msgspec.Struct, frozen=True, kw_only=True, tag="taken", tag_field="type"):
    """A message is on record; what became of it."""

    sequence: int
    became: Became
    fault: Message | None  # why the shoe is not relied on, from now on or still


class DueMessage(msgspec.Struct, frozen=True, kw_only=True, tag="due", tag_field="type"):
    """Whether a card that leaves the shoe now would be dealt, and to which hand."""

    due: bool
    hand: str
    round: int


class TurnedDownMessage(msgspec.Struct, frozen=True, kw_only=True, tag="turned-down", tag_field="type"):
    """A message that the table does not take, or that could not be read."""

    sequence: int | None
    reason: Message
    detail: str  # that in English


AnyShoeMessage = HelloMessage | CardMessage | CuttingCardMessage | RemovedMessage | ErrorMessage | HeartbeatMessage
SAID = {
    str(each.__struct_config__.tag): each
    for each in (HelloMessage, CardMessage, CuttingCardMessage, RemovedMessage, ErrorMessage, HeartbeatMessage)
}
ANSWERED = {
    str(each.__struct_config__.tag): each for each in (WelcomeMessage, TakenMessage, DueMessage, TurnedDownMessage)
}
_decode = msgspec.json.Decoder(AnyShoeMessage).decode


def command_of(message: AnyShoeMessage, device: str) -> SourceCommand:
    """What a message asks of the table; a heartbeat tells it how many messages there were."""
    told: dict[str, Any] = {
        "by": DEVICE_MARK + device,
        "at": 0,
        "position": Position.DEVICE,
        "shoe": message.shoe,
        "sequence": message.sequence,
        "told_at": message.at,
    }
    match message:
        case HelloMessage():
            return card_source.ConnectSource(**told)
        case CardMessage(card=card, together=together):
            return card_source.ReadCard(card=card, together=together, **told)
        case CuttingCardMessage():
            return card_source.ReadCuttingCard(**told)
        case RemovedMessage(what=what):
            return card_source.ReportRemoved(what=what, **told)
        case ErrorMessage(what=kind, detail=detail):
            return card_source.ReportReadError(what=kind, detail=detail, **told)
        case HeartbeatMessage():
            return card_source.CountMessages(**told)


class DeviceConnection:
    """The conversation with one shoe."""

    def __init__(self, socket: WebSocket[Any, Any, Any], house: House, live: TableStream, device: str) -> None:
        self._socket, self._house, self._live, self._device = socket, house, live, device
        self._due: tuple[bool, str, int] | None = None
        self._became: dict[int, Became] = {}  # of messages that are being answered
        self._changed = asyncio.Event()
        self._over = asyncio.Event()
        self._cause: Literal["disconnected", "silent", "revoked"] = "disconnected"
        self._unreadable = 0

    async def run(self) -> None:
        """From its first message until it is gone, silent, or turned away."""
        silent = self._house.config.shoe_silent_seconds
        listens_no_more = self._live.listen(self._applied)
        end = self._over.set
        self._house.devices.speaks(self._device, end)
        telling = asyncio.create_task(self._tell_due())
        try:
            greeted = False
            while (text := await self._receive(silent)) is not None:
                greeted = await self._handle(text, greeted=greeted)
        finally:
            listens_no_more()
            telling.cancel()
            await asyncio.gather(telling, return_exceptions=True)
            if self._house.devices.has_gone(self._device, end):
                with suppress(StoreUnavailable, TableHalted):
                    await self._house.devices.lost(self._live, self._device, self._cause)
            await self._close()

    async def _receive(self, seconds: float) -> str | bytes | None:
        """The next message; None once it is gone or says nothing any more, or another connection has taken its place."""
        receiving = asyncio.ensure_future(self._socket.receive())
        over = asyncio.ensure_future(self._over.wait())
        done, _ = await asyncio.wait({receiving, over}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        over.cancel()
        if receiving not in done:
            receiving.cancel()
            await asyncio.gather(receiving, return_exceptions=True)
            self._cause = "silent" if not self._over.is_set() else "disconnected"
            return None
        received: Any = receiving.result()
        if received["type"] == "websocket.disconnect":
            return None
        text: str | bytes = received.get("text") or received.get("bytes") or ""
        return text

    async def _handle(self, text: str | bytes, *, greeted: bool) -> bool:
        """Take one message; whether the shoe has been welcomed."""
        try:
            message = _decode(text)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            self._unreadable += 1
            await self._send(_turned_down(None, decode_error(error)))
            if self._unreadable >= UNREADABLE_MAX:
                self._over.set()
            return greeted
        if not await self._house.devices.is_good(self._device):
            self._cause = "revoked"
            self._over.set()
            return greeted
        source = self._live.state.source
        if not greeted and not isinstance(message, HelloMessage):
            await self._send(_turned_down(message.sequence, SAY_HELLO_FIRST()))
            return False
        if isinstance(message, HeartbeatMessage) and source is not None and source.connected:
            told = message.sequence
            if told <= source.sequence or source.fault is not None:
                await self._send(TakenMessage(sequence=told, became="noted", fault=self._fault()))
                return greeted
        elif isinstance(message, HeartbeatMessage):  # it counted as silent, as at a node that has gone
            message = HelloMessage(shoe=message.shoe, sequence=message.sequence, at=message.at)
        return await self._told(message, greeted=greeted)

    async def _told(self, message: AnyShoeMessage, *, greeted: bool) -> bool:
        self._became.pop(message.sequence, None)
        try:
            done = await self._house.devices.tell(self._live, command_of(message, self._device))
        except Exception as error:
            trouble = problems.of_error(error)
            log.warning("a device was not heard", table=self._live.name, why=str(error))
            await self._send(_turned_down(message.sequence, trouble.message))
            return greeted
        if isinstance(done, Refusal):
            await self._send(_turned_down(message.sequence, done.reason))
            return greeted
        assert_committed(done)
        if isinstance(message, HelloMessage):
            await self._send(self._welcome())
            self._changed.set()
            return True
        became = self._became.pop(message.sequence, "noted")
        await self._send(TakenMessage(sequence=message.sequence, became=became, fault=self._fault()))
        return greeted

    def _welcome(self) -> WelcomeMessage:
        source = self._live.state.source
        return WelcomeMessage(
            table=self._live.name,
            sequence=source.sequence if source is not None else 0,
            at=self._house.now(),
            silent_after=round(1000 * self._house.config.shoe_silent_seconds),
        )

    def _fault(self) -> Message | None:
        source = self._live.state.source
        return source.fault.told if source is not None and source.fault is not None else None

    # ------------------------------------------------ what happens at the table

    def _applied(self, applied: Any) -> None:
        for each in applied:
            if isinstance(each.event, SourceHeard):
                self._became[each.event.sequence] = each.event.became
        self._changed.set()

    async def _tell_due(self) -> None:
        """Say whether a card is due, whenever that changes."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            table: Table = self._live.state
            hand = waiting_hand(table, self._live.game)
            named = "" if hand is None else self._live.game.procedure.hands[hand].id
            due = (hand is not None, named, table.rounds)
            if due != self._due and table.source is not None:
                self._due = due
                await self._send(DueMessage(due=due[0], hand=due[1], round=due[2]))

    async def _send(self, message: msgspec.Struct) -> None:
        with suppress(WebSocketException, OSError, RuntimeError):
            await self._socket.send_text(codec.encode(message).decode())

    async def _close(self) -> None:
        code = CloseCode.SESSION_OVER if self._cause == "revoked" else CloseCode.DEVICE_GONE
        with suppress(WebSocketException, OSError, RuntimeError):
            await self._socket.close(code, "the credential was revoked" if self._cause == "revoked" else self._cause)


def _turned_down(sequence: int | None, reason: Message) -> TurnedDownMessage:
    return TurnedDownMessage(sequence=sequence, reason=reason, detail=english(reason))


def assert_committed(done: Committed | Refusal) -> None:
    """What was told stands on record before it is answered (REC-3)."""
    if not isinstance(done, Committed):
        raise AssertionError("an answer that is none")
