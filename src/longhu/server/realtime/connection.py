"""One WebSocket of a table: what happens there goes out, commands come in and are answered.

Out: `snapshot`, `event`, `account`, and in answer `done`, `refused`, `problem`, `pong`. In: `command`, `ping`. Commands of one
socket are submitted in the order in which they come, and several may be in flight; whoever needs one to be done before the next
waits for its answer. A socket that sends too quickly is read more slowly, and one that sends nothing that can be read is closed.

What a server sends is not masked (RFC 6455, 5.1), so a frame is the same for everybody, and is made once for thousands of
connections. Through ASGI each connection would make it anew in a coroutine of its own. `FrameConnection` is uvicorn's protocol, and
offers its connection to the application as an extension in the scope: reading, pings and closing stay with the library, and
finished frames go to the transport.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

import msgspec
from litestar import WebSocket
from litestar.exceptions import WebSocketException
from msgspec import UNSET, UnsetType
from msgspec.structs import asdict
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from longhu.eventsourcing import Refusal
from longhu.messages.message import Message
from longhu.money import show
from longhu.positions import Position
from longhu.protocol import IN_FLIGHT_MAX, UNREADABLE_MAX, CloseCode
from longhu.server import codec, problems
from longhu.server.authorization import Bucket, Cosigning, Grant, submit
from longhu.server.codec import Id, SentView, Shown, Signatures, Unreadable, WireCommand, as_sent, fields_of
from longhu.server.house import House
from longhu.server.observability import log
from longhu.server.problems import (
    NOT_SIGNED_IN,
    REQUEST_UNREADABLE,
    SIGN_IN,
    Problem,
    ProblemKind,
    Trouble,
    decode_error,
    malformed,
)
from longhu.server.realtime.broadcast import Broadcast
from longhu.server.streams.commands import Actor, Committed
from longhu.server.streams.stream import Answer
from longhu.server.streams.table_stream import TableStream
from longhu.store.entries import Session
from longhu.table.views import PublicIdentity

EXTENSION = "longhu.frames"
BUFFER_BYTES = 256 * 1024  # that may wait for a slow connection, and twice as much in the system's own buffer
GONE_SECONDS = 5.0  # for a connection that does not answer to be closed in good order

logging.getLogger("uvicorn.error").addFilter(  # a client's mistake, answered with 1007: no traceback for it
    lambda record: not str(record.msg).startswith("Invalid UTF-8 sequence")
)
ACCOUNT_EVERY = 1.0  # seconds, at most

UNSIGNED = Trouble(ProblemKind.NOT_SIGNED_IN, NOT_SIGNED_IN(), remedy=SIGN_IN())


# ------------------------------------------------ frames


class FrameConnection(WebSocketsSansIOProtocol):
    """A connection that takes finished frames, and says when it is full and when it has drained."""

    is_full = False  # does more wait than the client keeps up with?
    drained: Callable[[], None] = staticmethod(lambda: None)  # called when that is over

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.handshake_complete:  # refused
            return
        self.scope["extensions"][EXTENSION] = {"connection": self}
        self.transport.set_write_buffer_limits(high=BUFFER_BYTES, low=BUFFER_BYTES // 4)
        connected: socket.socket | None = self.transport.get_extra_info("socket")
        if connected is not None and connected.family != socket.AF_UNIX:
            connected.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER_BYTES)

    def write(self, frames: bytes) -> None:
        """Send whole frames; on a connection that is closing they are dropped."""
        if not self.close_sent and not self.disconnected:
            self.transport.write(frames)

    async def room(self) -> None:
        """Wait until the client keeps up, or is gone."""
        await self.writable.wait()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.is_full = True

    def resume_writing(self) -> None:
        super().resume_writing()
        self.is_full = False
        self.drained()

    def keepalive_timeout(self) -> None:
        """A client that does not answer may not read either: what waits for it is given up after a while."""
        super().keepalive_timeout()
        self.loop.call_later(GONE_SECONDS, self.transport.abort)


# ------------------------------------------------ messages of a socket


class CommandMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="command", tag_field="type"):
    """Somebody gives a command; the id is its idempotency key."""

    id: Id
    command: WireCommand
    signatures: Signatures = ()


class PingMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="ping", tag_field="type"):
    """Is somebody there, and how far away?"""

    id: Id | None = None


class DoneMessage(msgspec.Struct, frozen=True, omit_defaults=True, tag="done", tag_field="type"):
    """A command is committed, as these records."""

    first: int
    last: int
    id: str
    duplicate: bool = False


class RefusedMessage(msgspec.Struct, frozen=True, tag="refused", tag_field="type"):
    """The rules or the house do not allow a command."""

    reason: Message
    remedy: Message | None
    clause: str
    id: str


class PongMessage(msgspec.Struct, frozen=True, tag="pong", tag_field="type"):
    """The answer to a ping, with the server's time."""

    at: int
    id: str | UnsetType = UNSET


class AccountMessage(msgspec.Struct, frozen=True, kw_only=True, tag="account", tag_field="type"):
    """The wallet and the session of whoever is signed in (PLY-1): at first, and whenever money has moved."""

    at: int
    balance: Shown | None
    session_since: int
    session_net: Shown
    check_due: bool
    next_check: int | None


class SnapshotMessage(msgspec.Struct, frozen=True, kw_only=True, tag="snapshot", tag_field="type"):
    """The table as this viewer may see it now."""

    table: str
    sequence: int  # of the last event that is in it
    at: int
    countdown: int | None  # milliseconds left to bet
    play_money: bool
    view: SentView


ID = ("id", str | UnsetType, UNSET)  # of the message that is answered
ProblemMessage = as_sent(
    "ProblemMessage",
    "Something could not be read or done. `about` is the type of the problem.",
    [*((each.name, each.type) for each in fields_of(Problem, besides=("type", "request"))), ("about", str), ID],
    tag="problem",
    tag_field="type",
)


def problem_message(problem: Problem, id: str | None) -> msgspec.Struct:
    """A problem, with the id of the message that it is about, where that has one."""
    told = asdict(problem)
    about, _ = told.pop("type"), told.pop("request")
    return ProblemMessage(**told, about=about, id=UNSET if id is None else id)


class _Identified(msgspec.Struct, frozen=True):
    """Of a message its id, whatever else it says."""

    id: Id


_decode_message = msgspec.json.Decoder(CommandMessage | PingMessage).decode
_decode_identified = msgspec.json.Decoder(_Identified).decode


def id_of(text: str | bytes) -> str | None:
    """The id of a message that cannot be decoded, so that the client knows which one it was.

    >>> id_of(b'{"type":"command","id":"w3","command":7}')
    'w3'
    """
    try:
        return _decode_identified(text).id
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None


# ------------------------------------------------ the conversation


class Visit(NamedTuple):
    """Who is at a socket, and at which table; a spectator has no actor."""

    house: House
    live: TableStream
    actor: Actor | None
    session: Session | None
    token: str
    cosigning: Cosigning
    results: Counter[str]  # what became of commands, for the metrics


class TableConnection:
    """The conversation with one socket."""

    def __init__(self, socket: WebSocket[Any, Any, Any], frames: FrameConnection, visit: Visit) -> None:
        self._socket, self._frames, self._visit = socket, frames, visit
        self._house, self._live = visit.house, visit.live
        self._rate = Bucket(visit.house.config.requests_per_second)
        self._in_flight = 0  # commands that are not answered
        self._room = asyncio.Event()  # for another
        self._room.set()
        self._outgoing: list[bytes] = []  # frames that are sent in this turn of the loop
        self._unreadable = 0
        self._closing = False
        self._money_moved = asyncio.Event()

    async def run(self, broadcast: Broadcast, after: int | None) -> None:
        """Send what happens and answer what is asked, until the socket is closed."""
        missed = await broadcast.missed(after, self._house.store) if after is not None else ()
        subscriber = broadcast.join(self._frames, self._visit.actor, missed, self._money_moved.set)
        account = asyncio.create_task(self._send_account()) if self._visit.session is not None else None
        try:
            while (text := await self._receive()) is not None:
                await self._handle(text)
        finally:
            broadcast.leave(subscriber)
            if account is not None:
                account.cancel()
                await asyncio.gather(account, return_exceptions=True)

    async def end_session(self) -> None:
        """The session has ended, or somebody is excluded."""
        await self._close(CloseCode.SESSION_OVER, "the session has ended")

    async def _close(self, code: int, why: str) -> None:
        if not self._closing:
            self._closing = True
            with suppress(
                WebSocketException, OSError, RuntimeError
            ):  # the client may have closed it at the same moment
                await self._socket.close(code, why)

    # ------------------------------------------------ what comes in

    async def _receive(self) -> str | bytes | None:
        """The next message, once the socket may send one and there is room for its answer; None at the end."""
        while wait := self._rate.wait():
            await asyncio.sleep(wait)
        if self._in_flight >= IN_FLIGHT_MAX:
            await self._room.wait()
        if self._frames.is_full:
            await self._frames.room()
        received: Any = await self._socket.receive()
        if received["type"] == "websocket.disconnect":
            return None
        text: str | bytes = received.get("text") or received.get("bytes") or ""
        return text

    async def _handle(self, text: str | bytes) -> None:
        most = self._house.config.body_bytes
        if len(text) > most:
            await self._close(CloseCode.TOO_BIG, f"a message has at most {most} bytes")
            return
        try:
            message = _decode_message(text)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            await self._answer_unreadable(text, error)
            return
        self._unreadable = 0
        if isinstance(message, PingMessage):
            self._send(codec.encode(PongMessage(self._house.now(), message.id or UNSET)))
        else:
            await self._handle_command(message)

    async def _answer_unreadable(self, text: str | bytes, error: Exception) -> None:
        given = text if isinstance(text, bytes) else text.encode("utf-8", "replace")
        self._send_problem(malformed(decode_error(error, given)), id_of(text))
        self._unreadable += 1
        if self._unreadable >= UNREADABLE_MAX:
            await self._close(CloseCode.POLICY, "nothing of this can be read")

    async def _handle_command(self, message: CommandMessage) -> None:
        self._in_flight += 1
        if self._in_flight == IN_FLIGHT_MAX:
            self._room.clear()
        try:
            submitted = await self._submit(message)
        except Exception as error:
            self._answer(message.id, error)
        else:
            if isinstance(submitted, asyncio.Future):
                submitted.add_done_callback(partial(self._answer_when_done, message.id))
            else:
                self._answer(message.id, submitted)

    async def _submit(self, message: CommandMessage) -> asyncio.Future[Answer] | Committed | Refusal:
        """Hand a command to the table, behind those of this socket before it."""
        house, live, at = self._house, self._live, self._house.clock.now()
        grant = await self._grant(at)
        actor = grant.actor
        try:
            command = codec.command(message.command, actor, at, live.currency)
        except Unreadable as error:
            raise Trouble(ProblemKind.MALFORMED, REQUEST_UNREADABLE(problem=error.message), clause="MON-2") from None
        cosigned = await self._visit.cosigning.cosigned(live, actor, command, message.signatures, at)
        if isinstance(cosigned, Refusal):
            return cosigned
        command = cosigned
        return await submit(house, actor, live, command, message.id, plays=grant.plays)

    async def _grant(self, at: int) -> Grant:
        """What the session allows, as of now: it may have ended, and a position may be another."""
        if self._visit.actor is None:
            raise UNSIGNED
        found = await self._house.authorizations.grant(self._visit.token, at)
        if found is None:
            await self.end_session()
            raise UNSIGNED
        return found

    # ------------------------------------------------ what goes out

    def _answer_when_done(self, id: str, submitted: asyncio.Future[Answer]) -> None:
        self._answer(id, submitted.exception() or submitted.result())

    def _answer(self, id: str, outcome: Answer | BaseException) -> None:
        self._in_flight -= 1
        if self._in_flight < IN_FLIGHT_MAX:
            self._room.set()
        match outcome:
            case Committed(first, last, duplicate):
                self._visit.results["duplicate" if duplicate else "done"] += 1
                self._send(codec.encode(DoneMessage(first, last, id, duplicate)))
            case Refusal():
                self._visit.results["refused"] += 1
                told = self._as_told(outcome)
                self._send(codec.encode(RefusedMessage(told.reason, told.remedy, told.clause, id)))
            case error:
                trouble = problems.of_error(error if isinstance(error, Exception) else RuntimeError("no answer"))
                if trouble.kind is ProblemKind.DEFECT:
                    log.error("defect", exc_info=error)
                self._visit.results[trouble.kind.id] += 1
                self._send_problem(trouble, id)

    def _as_told(self, refusal: Refusal) -> Refusal:
        """Patrons are not told the names that others sign in with."""
        actor = self._visit.actor
        if actor is None or actor.position is not Position.PATRON:
            return refusal
        return PublicIdentity(self._live.state).refusal(refusal, actor.person)

    def _send(self, text: bytes) -> None:
        """An answer is sent however slow the client is; its next command waits until there is room.

        The answers of one turn of the loop go out together.
        """
        if not self._outgoing:
            asyncio.get_running_loop().call_soon(self._flush)
        self._outgoing.append(codec.framed(text))

    def _flush(self) -> None:
        outgoing, self._outgoing = self._outgoing, []
        if not self._closing:
            self._frames.write(b"".join(outgoing))

    def _send_problem(self, trouble: Trouble, id: str | None) -> None:
        self._send(codec.encode(problem_message(problems.problem(trouble), id)))

    async def _send_account(self) -> None:
        """Balance, result and time of the session: at first, and whenever money has moved (PLY-1)."""
        house, session = self._house, self._visit.session
        if session is None:
            return
        while True:
            self._money_moved.clear()
            try:
                figures = await house.people.figures(session)
            except Exception as error:
                log.warning("account not sent", why=str(error))
            else:
                money = house.config.money
                told = AccountMessage(
                    at=house.now(),
                    balance=None if figures.balance is None else show(figures.balance, money),
                    session_since=figures.since,
                    session_net=show(figures.net, money),
                    check_due=figures.check_due,
                    next_check=figures.check_at,
                )
                self._send(codec.encode(told))
            await asyncio.sleep(ACCOUNT_EVERY)
            await self._money_moved.wait()
