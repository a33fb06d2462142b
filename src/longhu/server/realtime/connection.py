"""One WebSocket of a table: what happens there goes out, commands come in and are answered.

Out: `snapshot`, `event`, `account`, and in answer `done`, `refused`, `problem`, `pong`. In: `command`, `ping`. Commands of one
socket are submitted in the order in which they come, and several may be in flight; whoever needs one to be done before the next
waits for its answer. A socket that sends too quickly is read more slowly, and one that sends nothing that can be read is closed.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

import msgspec
from litestar import WebSocket
from litestar.exceptions import WebSocketException
from msgspec import UNSET

from longhu.eventsourcing import Refusal
from longhu.money import show
from longhu.positions import Position
from longhu.protocol import IN_FLIGHT_MAX, UNREADABLE_MAX, CloseCode
from longhu.server import problems
from longhu.server.authorization import Grant, submit
from longhu.server.cosigning import Cosigning
from longhu.server.house import House
from longhu.server.observability import log
from longhu.server.problems import ProblemKind, Trouble
from longhu.server.rate_limit import Bucket
from longhu.server.realtime import codec
from longhu.server.realtime.broadcast import Broadcast
from longhu.server.realtime.codec import (
    AccountMessage,
    CommandMessage,
    DoneMessage,
    PingMessage,
    PongMessage,
    RefusedMessage,
)
from longhu.server.realtime.prepared_frames import FrameConnection, framed
from longhu.server.streams.commands import Actor, Committed
from longhu.server.streams.stream import Answer
from longhu.server.streams.table_stream import TableStream
from longhu.server.wire_types import Unreadable, in_words
from longhu.store.entries import Session
from longhu.table.public_identity import PublicIdentity

ACCOUNT_EVERY = 1.0  # seconds, at most

NOT_SIGNED_IN = Trouble(ProblemKind.NOT_SIGNED_IN, "Nobody is signed in, or the session has ended.", remedy="Sign in.")


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
            message = codec.decode_message(text)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            await self._answer_unreadable(text, error)
            return
        self._unreadable = 0
        if isinstance(message, PingMessage):
            self._send(codec.encode_message(PongMessage(self._house.now(), message.id or UNSET)))
        else:
            await self._handle_command(message)

    async def _answer_unreadable(self, text: str | bytes, error: Exception) -> None:
        given = text if isinstance(text, bytes) else text.encode("utf-8", "replace")
        says = in_words(error, given) if isinstance(error, msgspec.MsgspecError) else "it is no text that can be read"
        self._send_problem(Trouble(ProblemKind.MALFORMED, f"This cannot be read: {says}."), codec.id_of(text))
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
            raise Trouble(ProblemKind.MALFORMED, f"{error}.", clause="MON-2") from None
        if message.signatures or hasattr(command, "counted_by"):
            refusal = await self._visit.cosigning.witnessed(live, actor, command, message.signatures, at)
            if refusal is not None:
                return refusal
        return await submit(house, actor, live, command, message.id, plays=grant.plays)

    async def _grant(self, at: int) -> Grant:
        """What the session allows, as of now: it may have ended, and a position may be another."""
        if self._visit.actor is None:
            raise NOT_SIGNED_IN
        found = await self._house.authorizations.grant(self._visit.token, at)
        if found is None:
            await self.end_session()
            raise NOT_SIGNED_IN
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
                self._send(codec.encode_message(DoneMessage(first, last, id, duplicate)))
            case Refusal():
                self._visit.results["refused"] += 1
                told = self._as_told(outcome)
                self._send(codec.encode_message(RefusedMessage(told.reason, told.remedy, told.clause, id)))
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
        self._outgoing.append(framed(text))

    def _flush(self) -> None:
        outgoing, self._outgoing = self._outgoing, []
        if not self._closing:
            self._frames.write(b"".join(outgoing))

    def _send_problem(self, trouble: Trouble, id: str | None) -> None:
        self._send(codec.encode_message(codec.problem_message(problems.problem(trouble), id)))

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
                self._send(codec.encode_message(told))
            await asyncio.sleep(ACCOUNT_EVERY)
            await self._money_moved.wait()
