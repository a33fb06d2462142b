"""Who watches a table, and what each of them is sent.

Whoever joins gets a snapshot of what they may see, then every event with its number and with what it changes on their
screen. Those who see the same are one audience, and a message to it is encoded once, however many they are. Everything
comes from what is durable, and everything that is shown comes from `table.views`.

Events of one kind that come together, such as the wagers of a busy moment, change the screen once, with the last of them.
Making messages takes at most a twentieth of the time, that of all tables together, and so does sending them where they come
faster than one by one: under load they come in larger groups, one table after the other (`rota.py`), and nobody waits longer than
it takes to notice. What is the same for everybody is looked up, compared and encoded once. A screen that cannot keep up is left
alone until it can, and then gets a snapshot.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from time import perf_counter
from typing import NamedTuple

import msgspec

from longhu.games.game import Game
from longhu.money import UNSTATED, Currency
from longhu.server.actor import Actor
from longhu.server.screens import told, wire
from longhu.server.screens.frames import framed, text_of
from longhu.server.screens.lines import Line
from longhu.server.screens.rota import Rota
from longhu.server.tables.dealing import deals
from longhu.server.tables.live import Live
from longhu.server.tables.moment import Happened
from longhu.server.tables.pace import closes_at
from longhu.server.tables.past import Course, Past, past
from longhu.table.acts import Event
from longhu.table.betting import WagerPlaced, WagerTakenBack
from longhu.table.positions import Position
from longhu.table.public_identity import PublicIdentity
from longhu.table.settling import RoundEnded
from longhu.table.state import Table
from longhu.table.views import STAFF, Glanced, Role, View, Viewer, view, viewer

ON_THE_LAYOUT = frozenset([WagerPlaced, WagerTakenBack])  # chips that go there and back change nothing of an account
REMEMBERED = 500  # messages, for whoever comes back and missed some

_encode = msgspec.json.Encoder().encode


def viewer_of(table: Table, actor: Actor | None) -> Viewer:
    """As whom somebody looks at a table: as the table knows them, or else by the position they hold in the house.

    Only patrons, and those who act for them, have something of their own to see there. All others of a role see the same.
    """
    if actor is None:
        return Viewer()
    known = viewer(table, actor.person)
    if known.role is Role.PATRON:
        return known
    role = known.role if known.role is not Role.SPECTATOR else _role_of(actor.position)
    return Viewer(role=role)


def _role_of(position: Position) -> Role:
    if position >= Position.PIT_SUPERVISOR:
        return Role.PIT
    return {Position.AUDITOR: Role.AUDITOR, Position.DEALER: Role.DEALER}.get(position, Role.SPECTATOR)


class Watcher:
    """One open screen."""

    __slots__ = ("actor", "audience", "behind", "line", "money_moved")

    def __init__(self, line: Line, actor: Actor | None, audience: Audience, money_moved: Callable[[], None]) -> None:
        self.line, self.actor, self.audience = line, actor, audience
        self.money_moved = money_moved  # called when chips of theirs came or went, or a round of theirs has ended
        self.behind = False  # something was left out: a snapshot is due

    def send(self, frames: Sequence[bytes]) -> None:
        """Send, where the screen keeps up."""
        parcel = Parcel()
        parcel.put(frames, b"".join(frames))
        parcel.send([self])


class Parcel:
    """What all of an audience are sent together: frame by frame, and joined, as many of them are already."""

    __slots__ = ("_frames", "_joined")

    def __init__(self) -> None:
        self._frames: list[bytes] = []
        self._joined: list[bytes] = []

    def put(self, frames: Sequence[bytes], joined: bytes) -> None:
        self._frames += frames
        self._joined.append(joined)

    def send(self, watchers: Iterable[Watcher]) -> None:
        """The same to all: this is where thousands are served."""
        if not self._frames:
            return
        frames, joined = self._frames, b"".join(self._joined)
        for watcher in watchers:
            if not watcher.behind and not watcher.line.offer(frames, joined):
                watcher.behind = True


class Run:
    """Events of one kind that came together; of the tables after them, the last alone is looked at, and kept."""

    __slots__ = ("events", "kind", "last")

    def __init__(self, kind: type[Event]) -> None:
        self.kind = kind
        self.events: list[Past] = []
        self.last: Happened

    def goes_on(self, happened: Sequence[Happened]) -> None:
        self.events += past(happened)
        self.last = happened[-1]


class Glance(NamedTuple):
    """What whoever merely looks on saw before and sees after something, and the patch from one to the other."""

    before: View
    after: View
    changes: dict[str, object]


class Message(NamedTuple):
    """An event as it is sent: to staff with names, to everybody else without."""

    sequence: int
    public: bytes
    staff: bytes

    def to(self, viewer: Viewer) -> bytes:
        return self.staff if viewer.role in STAFF else self.public


class Audience:
    """All who see the same, and what they were last shown."""

    __slots__ = ("seen", "viewer", "watchers", "written")

    def __init__(self, viewer: Viewer, seen: View) -> None:
        self.viewer, self.seen = viewer, seen
        self.watchers: set[Watcher] = set()
        self.written: bytes | None = None  # what they see, encoded, where somebody has asked for it

    def sees(self, table: Table, game: Game, currency: Currency, everybody: Glance) -> dict[str, object]:
        """Look again; what has changed on their screens, which is the very patch of everybody where it is the same."""
        now = view(table, game, self.viewer, everybody.after)
        others = (everybody.before, everybody.after)
        changes = wire.changes_beside(self.seen, now, others, everybody.changes, currency)
        self.seen = now
        if changes:
            self.written = None
        return everybody.changes if changes == everybody.changes else changes

    def in_full(self, currency: Currency) -> bytes:
        if self.written is None:
            self.written = _encode(wire.view(self.seen, currency))
        return self.written


class Feed:
    """A table as it is sent to screens, by this node. All of it belongs to one event loop."""

    def __init__(
        self,
        live: Live,
        now: Callable[[], int],
        betting: int,
        dropped: Callable[[], None] = lambda: None,
        rota: Rota | None = None,
        play_money: bool = False,
    ) -> None:
        self._live, self._now, self._betting, self._play_money = live, now, betting, play_money
        self._dropped = dropped  # called where a slow screen gets a snapshot instead of what happened
        self._rota = rota or Rota()  # of all tables that are watched on this node
        self._rota.feeds += 1
        self._loop = asyncio.get_running_loop()
        self._audiences: dict[Viewer, Audience] = {}
        self._recent: deque[Message] = deque(maxlen=REMEMBERED)
        self.sequence, self._table = live.durable.sequence, live.durable.state  # as last told,
        self._seen = view(self._table, live.game, Viewer())  # and as anybody may see it,
        self._seen_of, self._seen_by = self._table, live.game  # of which table, and under which rules
        self._first = live.history[0].sequence if live.history else self.sequence + 1  # that can be told again
        self._history, self._rules = tuple(live.history), live.game  # from before: told where somebody asks for it
        self._news: list[Run] = []  # that nobody was told of,
        self._last: Happened | None = None  # and the last of it
        self._count = 0  # events of it
        self._timer: asyncio.TimerHandle | None = None
        self._rests_until = 0.0
        self._stop_listening = live.listen(self._heard)

    def close(self) -> None:
        """Listen no more."""
        self._rota.feeds -= 1
        self._stop_listening()
        if self._timer is not None:
            self._timer.cancel()

    # ------------------------------------------------ who watches

    def join(
        self,
        line: Line,
        actor: Actor | None,
        after: int | None = None,
        money_moved: Callable[[], None] = lambda: None,
    ) -> Watcher:
        """Somebody opens a screen: what they missed since that number, where it is still known, then a snapshot."""
        self.tell_now()
        watcher = Watcher(line, actor, self._audience(viewer_of(self._table, actor)), money_moved)
        watcher.audience.watchers.add(watcher)
        line.caught_up = lambda: self._catch_up(watcher)
        missed = [] if after is None else self._missed(after, watcher.audience.viewer)
        watcher.send([*missed, self._snapshot(watcher.audience)])
        return watcher

    def _missed(self, after: int, viewer: Viewer) -> list[bytes]:
        """What was told since that number; nothing where that is not known any more, or never was."""
        if self._history:
            earlier, self._history = self._messages(self._history, self._rules, PublicIdentity(self._table)), ()
            self._recent = deque([*earlier, *self._recent], REMEMBERED)
            self._forget()
        if not self._first - 1 <= after <= self.sequence:
            return []
        return [each.to(viewer) for each in self._recent if each.sequence > after]

    def _forget(self) -> None:
        """Of what came before the messages that are remembered, nothing is known."""
        if len(self._recent) == REMEMBERED:
            self._first, self._history = self._recent[0].sequence, ()

    def leave(self, watcher: Watcher) -> None:
        """A screen is closed."""
        watcher.line.caught_up = lambda: None
        self._away(watcher)

    def _away(self, watcher: Watcher) -> None:
        audience = watcher.audience
        audience.watchers.discard(watcher)
        if not audience.watchers:
            self._audiences.pop(audience.viewer, None)

    def _audience(self, viewer: Viewer) -> Audience:
        known = self._audiences.get(viewer)
        if known is None:
            known = self._audiences[viewer] = Audience(viewer, view(self._table, self._live.game, viewer, self._seen))
        return known

    def _catch_up(self, watcher: Watcher) -> None:
        """A screen that had to be left alone can be written to again."""
        if watcher.behind:
            self.tell_now()
            self._dropped()
            watcher.behind = False
            watcher.send([self._snapshot(watcher.audience)])

    # ------------------------------------------------ what they are sent

    def _heard(self, happened: Sequence[Happened]) -> None:
        for kind, each in groupby(happened, key=lambda each: type(each.event)):
            seen = [one for one in each if told.TOLD[kind] is not None or one.after is not one.before]
            if not seen:
                continue
            if not self._news or self._news[-1].kind is not kind:
                self._news.append(Run(kind))
            self._news[-1].goes_on(seen)
        self._last, self._count = happened[-1], self._count + len(happened)
        if self._timer is None:
            now = self._loop.time()
            moment = self._rota.turn(now, self._rests_until)
            if moment <= now:
                self.tell_now()
            else:
                self._timer = self._loop.call_at(moment, self.tell_now)

    def tell_now(self) -> None:
        """Send everybody what has happened since."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._last is None:
            return
        news, last, count = self._news, self._last, self._count
        self._news, self._last, self._count = [], None, 0
        started = perf_counter()
        who = PublicIdentity(last.after, self._table)
        plain = [self._messages(each.events, self._live.game, who) for each in news]
        ready = {each: Parcel() for each in self._audiences.values()}
        for run, messages in zip(news, plain, strict=True):
            self._tell_run(run.last, messages, ready)
        made = perf_counter()
        before = self._table
        self.sequence, self._table = last.sequence, last.after
        for each in plain:
            self._recent.extend(each)
        self._forget()
        for audience, parcel in ready.items():
            parcel.send(audience.watchers)
        if _others_are_here(before, self._table):
            self._seat_again()
        took = (made if count == 1 else perf_counter()) - started
        self._rests_until = self._rota.told(self._loop.time(), took)

    def _tell_run(self, last: Happened, plain: list[Message], ready: dict[Audience, Parcel]) -> None:
        """What each audience is sent: the messages that all get, the last of them with what changes on their screens."""
        after = view(last.after, self._live.game, Viewer(), before=self._glanced())
        everybody = Glance(self._seen, after, wire.changes(self._seen, after, self._currency))
        self._seen, self._seen_of, self._seen_by = after, last.after, self._live.game
        public, staff = ([each.public for each in plain], [each.staff for each in plain])
        joined_of = {id(each): b"".join(each[:-1]) for each in (public, staff)}
        usual: bytes | None = None  # what all are sent at last who see no more than anybody
        for audience, parcel in ready.items():
            messages = staff if audience.viewer.role in STAFF else public
            first, told, joined = messages[:-1], messages[-1] if messages else None, joined_of[id(messages)]
            changes = audience.sees(last.after, self._live.game, self._currency, everybody)
            if changes is not everybody.changes or told is None or messages is staff:
                closing = self._changing(audience, last, told, changes)
            else:
                closing = usual = usual or self._changing(audience, last, told, changes)
            parcel.put(first, joined)
            if closing is not None:
                parcel.put([closing], closing)
            moved = "balance" in changes and type(last.event) not in ON_THE_LAYOUT
            if moved or (isinstance(last.event, RoundEnded) and audience.viewer.role is Role.PATRON):
                for watcher in audience.watchers:
                    watcher.money_moved()

    def _glanced(self) -> Glanced | None:
        """What anybody saw last, where the rules are still the same."""
        return (self._seen_of, self._seen) if self._seen_by is self._live.game else None

    def _changing(
        self, audience: Audience, last: Happened, told: bytes | None, changes: dict[str, object]
    ) -> bytes | None:
        if changes and told is not None:
            return framed(text_of(told)[:-1] + b',"set":' + _encode(changes) + b"}")
        if changes:  # nobody is told of it, and yet this audience sees something of it
            return self._snapshot(audience, last.sequence, last.after)
        return told

    def _messages(self, happened: Iterable[Past], game: Game, who: PublicIdentity) -> list[Message]:
        """What everybody is told."""
        found = []
        known: Course | None = None  # of what came together
        closed = closes = None
        for sequence, event, course in happened:
            text, named = (told.text(sequence, event, game, each) for each in (who, None))
            if text is None or named is None:
                continue
            if course is not known:
                known, (closed, closes) = course, [each and each.closes(self._betting) for each in course]
            if closed != closes:
                countdown = _left(closes, event.at)
                if countdown != _left(closed, event.at):
                    left = b',"countdown":' + _encode(countdown) + b"}"
                    text, named = text[:-1] + left, named[:-1] + left
            found.append(Message(sequence, framed(text), framed(named)))
        return found

    def _snapshot(self, audience: Audience, sequence: int | None = None, table: Table | None = None) -> bytes:
        """What an audience sees, in full; as last told, unless another moment is meant."""
        now = self._now()
        told_of = {
            "type": "snapshot",
            "table": self._live.id,
            "sequence": self.sequence if sequence is None else sequence,
            "at": now,
            "countdown": self._countdown(self._table if table is None else table, now),
            "play_money": self._play_money,
        }
        return framed(_encode(told_of)[:-1] + b',"view":' + audience.in_full(self._currency) + b"}")

    def _countdown(self, table: Table, at: int) -> int | None:
        """Milliseconds until betting closes; None where it is not open, or a person closes it."""
        return _left(closes_at(table, self._betting) if deals(table) else None, at)

    @property
    def _currency(self) -> Currency:
        return self._live.game.currency or UNSTATED

    def _seat_again(self) -> None:
        """Some are now somebody else to the table: they get a snapshot of what they may see from now on."""
        for watcher in [one for each in self._audiences.values() for one in each.watchers if one.actor is not None]:
            now = viewer_of(self._table, watcher.actor)
            if now != watcher.audience.viewer:
                self._away(watcher)
                watcher.audience = self._audience(now)
                watcher.audience.watchers.add(watcher)
                watcher.send([self._snapshot(watcher.audience)])
                watcher.money_moved()


def _left(closes: int | None, at: int) -> int | None:
    return closes - at if closes is not None and closes > at else None


def _others_are_here(before: Table, after: Table) -> bool:
    """May somebody be somebody else to the table than before?"""
    return (
        before.people is not after.people
        or before.staff is not after.staff
        or before.acting is not after.acting
        or before.nominees is not after.nominees
    )
