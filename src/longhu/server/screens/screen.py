"""One open socket of a table: what it is sent, what it asks, and how it is answered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

import msgspec
from litestar import WebSocket
from litestar.exceptions import WebSocketException
from msgspec.structs import replace

from longhu.money import UNSTATED, show
from longhu.server.actor import Actor
from longhu.server.done import Done, Reused
from longhu.server.house import House, too_little
from longhu.server.http import problems
from longhu.server.http.problems import Kind, Trouble
from longhu.server.http.rates import Bucket
from longhu.server.http.signatures import named, witnessed
from longhu.server.logs import log
from longhu.server.people.passes import Pass
from longhu.server.people.sessions import digest_of
from longhu.server.screens import wire
from longhu.server.screens.complaints import in_words
from longhu.server.screens.feed import Feed
from longhu.server.screens.forms import Unreadable
from longhu.server.screens.frames import framed
from longhu.server.screens.lines import TwoWay
from longhu.server.screens.phrases import Again, Ask, Ping, id_of, phrases_in, read
from longhu.server.tables.asked import Answer
from longhu.server.tables.live import Live
from longhu.server.tables.repeats import is_other_command
from longhu.store.entries import Session
from longhu.store.errors import Short
from longhu.table.acts import Command, Refusal
from longhu.table.positions import Position
from longhu.table.public_identity import PublicIdentity

AT_ONCE = 32  # commands of one socket that may be on their way
NONSENSE = 20  # messages in a row that cannot be read
ACCOUNT_EVERY = 1.0  # seconds, at most

POLICY, TOO_BIG, SESSION_OVER = 1008, 1009, 4401  # why a socket is closed

_encode = msgspec.json.Encoder().encode


class Seat(NamedTuple):
    """From where somebody looks: which table, and who they are; None for those who are not signed in."""

    house: House
    live: Live
    actor: Actor | None
    session: Session | None
    token: str
    noted: Callable[..., None]  # what becomes of commands, for the figures


class Screen:
    """The conversation with one socket.

    What most ask most of the time, a wager of somebody who may place it, takes no task and waits for nothing but the disk: the
    message is read, the command handed to the table, and its answer written when it is durable. All the rest, whatever has to
    be looked up first, and whatever is refused, goes the long way.
    """

    def __init__(self, socket: WebSocket[Any, Any, Any], line: TwoWay, seat: Seat) -> None:
        self._socket, self._line, self._seat = socket, line, seat
        self._house, self._live, self._most = seat.house, seat.live, seat.house.config.body_bytes
        self._digest = digest_of(seat.token) if seat.actor is not None else ""
        self._pass: Pass | None = None  # of whoever sits there, while it holds
        self._loop = asyncio.get_running_loop()
        self._rate = Bucket(seat.house.config.requests_per_second)
        self._on_their_way = 0  # commands that are not answered
        self._room = asyncio.Event()  # for another
        self._room.set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._nonsense = 0
        self._closing = False
        self._money_moved = asyncio.Event()
        self._game = seat.live.game  # whose currency is that of the phrases
        self._phrases = phrases_in(self._game.currency or UNSTATED)
        self._answers: list[bytes] = []  # frames that are sent together, at the end of this turn

    async def run(self, feed: Feed, after: int | None) -> None:
        """Send what happens and answer what is asked, until the socket is closed."""
        watcher = feed.join(self._line, self._seat.actor, after, self._money_moved.set)
        telling = asyncio.create_task(self._tell_account()) if self._seat.session is not None else None
        self._line.take(self._taken)
        try:
            while (text := await self._received()) is not None:
                self._heard(text)
        finally:
            self._line.take(None)
            feed.leave(watcher)
            if telling is not None:
                telling.cancel()
                await asyncio.gather(telling, return_exceptions=True)

    async def sent_away(self) -> None:
        """The session has ended, or somebody is excluded."""
        await self._close(SESSION_OVER, "the session has ended")

    async def _close(self, code: int, why: str) -> None:
        if not self._closing:
            self._closing = True
            with suppress(WebSocketException, OSError, RuntimeError):  # they may have closed it at the same moment
                await self._socket.close(code, why)

    # ------------------------------------------------ what comes in

    def _taken(self, text: bytes) -> None:
        """A message, as soon as it is there; the next one comes when this socket may send one and there is room for an answer."""
        self._heard(text)
        wait = self._rate.wait()
        if wait or self._on_their_way >= AT_ONCE or self._line.is_full:
            self._line.hold()
            self._spawn(self._goes_on(wait))

    async def _goes_on(self, wait: float) -> None:
        while wait:
            await asyncio.sleep(wait)
            wait = self._rate.wait()
        await self._room.wait()
        await self._line.room()
        self._line.go_on()

    async def _received(self) -> str | bytes | None:
        """The next message that has to be waited for; None at the end."""
        while wait := self._rate.wait():
            await asyncio.sleep(wait)
        await self._room.wait()
        await self._line.room()
        received: Any = await self._socket.receive()
        if received["type"] == "websocket.disconnect":
            return None
        text: str | bytes = received.get("text") or received.get("bytes") or ""
        return text

    def _heard(self, text: str | bytes) -> None:
        if len(text) > self._most:
            self._spawn(self._close(TOO_BIG, f"a message has at most {self._most} bytes"))
            return
        try:
            asked = self._read(text)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            told = text if isinstance(text, bytes) else text.encode("utf-8", "replace")
            says = (
                in_words(error, told) if isinstance(error, msgspec.MsgspecError) else "it is no text that can be read"
            )
            self._unreadable(f"This cannot be read: {says}.", id_of(text))
            return
        self._nonsense = 0
        if isinstance(asked, Ping):
            self._send({"type": "pong", "at": self._seat.house.now(), **({} if asked.id is None else {"id": asked.id})})
            return
        self._on_their_way += 1
        if self._on_their_way == AT_ONCE:
            self._room.clear()
        try:
            if self._asks_at_once(asked):
                return
            whole = read(text) if isinstance(asked, Again) else asked
        except Exception as error:
            self._failed(asked.id, error)
            self._answered()
        else:
            if isinstance(whole, Ask):
                self._spawn(self._answer(whole.id, self._done(whole)))

    def _read(self, text: str | bytes) -> Ask | Ping | Again:
        game = self._live.game
        if game is not self._game:
            self._game, self._phrases = game, phrases_in(game.currency or UNSTATED)
        return self._phrases.read(text)

    def _unreadable(self, says: str, id: str | None) -> None:
        self._nonsense += 1
        self._problem(Trouble(Kind.MALFORMED, says), id)
        if self._nonsense >= NONSENSE:
            self._spawn(self._close(POLICY, "nothing of this can be read"))

    def _spawn(self, what: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(what)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ------------------------------------------------ what is asked

    def _asks_at_once(self, asked: Ask | Again) -> bool:
        """Hand it to the table, where nothing has to be looked up for it; says whether it did."""
        house, live, holder = self._house, self._live, self._pass
        at = house.now()
        if holder is None or not holder.holds(at):
            holder = self._pass = house.people.pass_of(self._digest, at) if self._digest else None
        if holder is None:
            return False
        actor = holder.actor
        if type(asked) is Again:
            command = replace(asked.command, by=actor.person, at=at, position=actor.position)
        elif isinstance(asked, Ask) and not asked.signatures:
            try:
                command = wire.command(asked.command, actor, at, live.game.currency or UNSTATED)
            except Unreadable:
                return False
            if named(command):
                return False
        else:
            return False
        if not house.admits(live, holder, command):
            return False
        id = asked.id
        live.ask(command, actor.own(id), partial(self._told, id, actor, command))
        return True

    def _told(self, id: str, actor: Actor, command: Command, answer: Answer | Exception) -> None:
        """What the table says to it."""
        if type(answer) is Done and not answer.duplicate:
            self._answered()
            text = b'{"type":"done","first":%d,"last":%d,"id":"%b"}' % (answer.first, answer.last, id.encode())
            self._answers.append(framed(text))
            if len(self._answers) == 1:
                self._loop.call_soon(self._send_answers)
        else:
            self._spawn(self._answer(id, self._looked_at(id, actor, command, answer)))

    def _send_answers(self) -> None:
        answers, self._answers = self._answers, []
        self._seat.noted("done", len(answers))
        if not self._closing:
            self._line.send(answers, b"".join(answers))

    async def _looked_at(self, id: str, actor: Actor, command: Command, answer: Answer | Exception) -> dict[str, Any]:
        """An answer that is no plain success: was the same asked under this id before?"""
        live = self._seat.live
        if isinstance(answer, Short):
            answer = too_little(live, answer)
        if isinstance(answer, Exception):
            raise answer
        if answer is None:
            raise AssertionError("a command without an answer")
        return await self._said(actor, id, command, answer)

    async def _answer(self, id: str, doing: Coroutine[Any, Any, dict[str, Any]]) -> None:
        """Do it, and say what became of it. It goes on to its end, though the socket be closed meanwhile."""
        try:
            answer = await doing
        except Exception as error:
            self._failed(id, error)
        else:
            self._seat.noted("duplicate" if "duplicate" in answer else answer["type"])
            self._send({**answer, "id": id})
        finally:
            self._answered()

    def _failed(self, id: str, error: Exception) -> None:
        trouble = problems.of_error(error)
        if trouble.kind is Kind.DEFECT:
            log.error("defect", exc_info=error)
        self._seat.noted(trouble.kind.id)
        self._problem(trouble, id)

    def _answered(self) -> None:
        self._on_their_way -= 1
        if self._on_their_way < AT_ONCE:
            self._room.set()

    async def _done(self, asked: Ask) -> dict[str, Any]:
        house, live = self._seat.house, self._seat.live
        actor, at = await self._actor(), house.now()
        try:
            command = wire.command(asked.command, actor, at, live.game.currency or UNSTATED)
        except Unreadable as error:
            raise Trouble(Kind.MALFORMED, f"{error}.", clause="MON-2") from None
        refusal = await witnessed(self._socket, live, actor, command, asked.signatures, at)
        outcome = refusal or await house.act(actor, live.id, command, asked.id)
        return await self._said(actor, asked.id, command, outcome)

    async def _said(self, actor: Actor, id: str, command: Command, outcome: Done | Refusal) -> dict[str, Any]:
        """An outcome in words; where it may belong to something else that was asked under this id, that is looked up."""
        house, live = self._seat.house, self._seat.live
        if isinstance(outcome, Refusal) or outcome.duplicate:
            known = actor.own(id)
            if await asyncio.to_thread(is_other_command, house.store, live.id, known, command):
                raise Reused
        if isinstance(outcome, Refusal):
            if actor.position is Position.PATRON:
                outcome = PublicIdentity(live.state).refusal(outcome, actor.person)
            return {"type": "refused", "reason": outcome.reason, "remedy": outcome.remedy, "clause": outcome.clause}
        return _done(outcome)

    async def _actor(self) -> Actor:
        """Who asks, as of now: a session may have ended, and a position may be another."""
        found = await self._seat.house.people.actor(self._seat.token) if self._seat.actor is not None else None
        if found is None:
            if self._seat.actor is not None:
                await self.sent_away()
            raise Trouble(Kind.NOT_SIGNED_IN, "Nobody is signed in, or the session has ended.", remedy="Sign in.")
        return found[0]

    # ------------------------------------------------ what goes out

    def _send(self, told: dict[str, Any]) -> None:
        """An answer: it is sent however slow the screen is, and the next thing asked waits until there is room."""
        if not self._closing:
            frame = framed(_encode(told))
            self._line.send([frame], frame)

    def _problem(self, trouble: Trouble, id: str | None = None) -> None:
        told = msgspec.to_builtins(problems.problem(trouble))
        named = {} if id is None else {"id": id}
        self._send({**told, **named, "type": "problem", "about": told["type"]})

    async def _tell_account(self) -> None:
        """Balance, result and time of the session: at first, and whenever money has moved (PLY-1)."""
        house, session = self._seat.house, self._seat.session
        if session is None:
            return
        while True:
            self._money_moved.clear()
            try:
                figures = await house.people.figures(session)
            except Exception as error:
                log.warning("an account could not be told", why=str(error))
            else:
                money = house.config.money
                self._send(
                    {
                        "type": "account",
                        "at": house.now(),
                        "balance": None if figures.balance is None else show(figures.balance, money),
                        "session_since": figures.since,
                        "session_net": show(figures.net, money),
                        "check_due": figures.check_due,
                        "next_check": figures.check_at,
                    }
                )
            await asyncio.sleep(ACCOUNT_EVERY)
            await self._money_moved.wait()


def _done(done: Done) -> dict[str, Any]:
    return {"type": "done", "first": done.first, "last": done.last, **({"duplicate": True} if done.duplicate else {})}
