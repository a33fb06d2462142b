"""A table as it is sent to its subscribers.

Whoever subscribes gets a snapshot of what they may see, then every event with its number and with what it changes on their
screen. Those who see the same are one audience, and a message to it is encoded and framed once, however many they are. Everything
comes from committed state, and everything that is shown comes from `table.views`.

Events of one kind that are committed together, such as the wagers of a busy moment, change the screen once, with the last of them.
Making messages is held to a small share of the time: a busy table sends in larger groups. A client that cannot keep up
is left alone until it can, and then gets a snapshot.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from itertools import groupby
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, Union

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import FieldInfo

from longhu.audit.record import decode
from longhu.eventsourcing import Event, name_of
from longhu.games.game import Game
from longhu.money import UNSTATED, Currency
from longhu.protocol import REPLAYED_MAX
from longhu.server import codec
from longhu.server.codec import Operation, Way, as_sent, encode, fields_of, form, framed, writer
from longhu.server.realtime.public_events import PARTS, TOLD
from longhu.server.streams.commands import Actor
from longhu.server.streams.table_stream import AppliedTableEvent, TableStream
from longhu.server.timers import closes_at
from longhu.store.interface import Store
from longhu.table.betting import WagerPlaced, WagerTakenBack
from longhu.table.people import StaffAssigned
from longhu.table.settling import RoundEnded
from longhu.table.state import Card, Table
from longhu.table.views import STAFF, Glanced, PublicIdentity, Role, View, Viewer, role_of, view, viewer

ON_THE_LAYOUT = frozenset([WagerPlaced, WagerTakenBack])  # chips that go there and back change nothing of an account
SHARE = 40  # times as long as making messages took, a table makes no more,
RESTS_MOST = 0.25  # but no longer than so many seconds


def viewer_of(table: Table, actor: Actor | None) -> Viewer:
    """As whom somebody looks at a table: as the table knows them, or else by the position they hold in the house.

    Only patrons, and those who act for them, have something of their own to see there. All others of a role see the same.
    """
    if actor is None:
        return Viewer()
    known = viewer(table, actor.person)
    if known.role is Role.PATRON:
        return known
    role = known.role if known.role is not Role.SPECTATOR else role_of(actor.position)
    return Viewer(role=role)


class Outlet(Protocol):
    """A connection to one client, as far as a broadcast needs it."""

    is_full: bool
    drained: Callable[[], None]

    def write(self, frames: bytes) -> None: ...


class Subscriber:
    """One open connection."""

    __slots__ = ("actor", "audience", "is_behind", "money_moved", "outlet")

    def __init__(
        self, outlet: Outlet, actor: Actor | None, audience: Audience, money_moved: Callable[[], None]
    ) -> None:
        self.outlet, self.actor, self.audience = outlet, actor, audience
        self.money_moved = money_moved  # called when chips of theirs came or went, or a round of theirs has ended
        self.is_behind = False  # something was left out: a snapshot is due

    def send(self, frames: bytes) -> None:
        """Send, where the client keeps up."""
        if self.is_behind or self.outlet.is_full:
            self.is_behind = True
        else:
            self.outlet.write(frames)


class CommonChange(NamedTuple):
    """What anybody saw before and sees after something, and the patch from one to the other."""

    before: View
    after: View
    patch: codec.Patch


class RunTexts(NamedTuple):
    """What everybody of a kind is told of a run: frames, and the last text, to which a patch is added."""

    opening: bytes
    last: bytes | None  # None: nobody hears of these events


class Audience:
    """All who see the same, and what they were last shown."""

    __slots__ = ("_encoded", "seen", "subscribers", "viewer")

    def __init__(self, viewer: Viewer, seen: View) -> None:
        self.viewer, self.seen = viewer, seen
        self.subscribers: set[Subscriber] = set()
        self._encoded: bytes | None = None  # what they see, where somebody has asked for it in full

    @property
    def is_staff(self) -> bool:
        """Do they see the names that people sign in with?"""
        return self.viewer.role in STAFF

    def change(self, table: Table, game: Game, currency: Currency, common: CommonChange) -> codec.Patch:
        """Look again: the patch of their screens, which is the common one itself where it is the same."""
        now = view(table, game, self.viewer, common.after)
        patch = codec.changes_beside(self.seen, now, (common.before, common.after), common.patch, currency)
        self.seen = now
        if patch:
            self._encoded = None
        return common.patch if patch == common.patch else patch

    def in_full(self, currency: Currency) -> bytes:
        if self._encoded is None:
            self._encoded = encode(codec.view(self.seen, currency))
        return self._encoded


class Run:
    """Events of one kind that were committed one after the other; of the tables around them, the first and the last."""

    __slots__ = ("before", "events", "kind", "last")

    def __init__(self, kind: type[Event], first: AppliedTableEvent) -> None:
        self.kind, self.before = kind, first.before
        self.events: list[tuple[int, Event]] = []
        self.last = first

    def extend(self, applied: Sequence[AppliedTableEvent]) -> None:
        self.events += [(each.sequence, each.event) for each in applied]
        self.last = applied[-1]


class Broadcast:
    """One table, sent to all who watch it on this node. It belongs to one event loop."""

    def __init__(
        self,
        live: TableStream,
        now: Callable[[], int],
        betting: int,
        dropped: Callable[[], None] = lambda: None,
        peers: Sized = (None,),
        play_money: bool = False,
    ) -> None:
        self._live, self._now, self._betting, self._play_money = live, now, betting, play_money
        self._dropped = dropped  # called where a slow client gets a snapshot instead of what happened
        self._peers = peers  # the broadcasts of this node: together they keep to their share of the time
        self._loop = asyncio.get_running_loop()
        self._audiences: dict[Viewer, Audience] = {}
        self._recent: deque[tuple[int, Event]] = deque(maxlen=REPLAYED_MAX)  # what everybody was sent, by number
        self.sequence, self._table = live.sequence, live.state  # as last sent,
        self._known_since = live.sequence  # and from where on all of it is in `_recent`
        self._seen = view(self._table, live.game, Viewer())  # what anybody may see,
        self._seen_of, self._seen_by = self._table, live.game  # of which table, and under which rules
        self._runs: list[Run] = []  # not sent yet
        self._last: AppliedTableEvent | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._rests_until = 0.0
        self._stop_listening = live.listen(self._applied, first=True)  # people who watch wait for nobody

    def close(self) -> None:
        self._stop_listening()
        if self._timer is not None:
            self._timer.cancel()

    # ------------------------------------------------ who watches

    def join(
        self,
        outlet: Outlet,
        actor: Actor | None,
        missed: Sequence[tuple[int, Event]] = (),
        money_moved: Callable[[], None] = lambda: None,
    ) -> Subscriber:
        """Subscribe: `missed` events, those sent since, then a snapshot."""
        self.send_now()
        subscriber = Subscriber(outlet, actor, self._audience(viewer_of(self._table, actor)), money_moved)
        subscriber.audience.subscribers.add(subscriber)
        outlet.drained = lambda: self._catch_up(subscriber)
        last = missed[-1][0] if missed else self.sequence
        events = [*missed, *(each for each in self._recent if each[0] > last)] if missed else []
        texts = self._texts(events, None if subscriber.audience.is_staff else PublicIdentity(self._table))
        subscriber.send(b"".join([*map(framed, texts), self._snapshot(subscriber.audience)]))
        return subscriber

    async def missed(self, after: int, store: Store) -> list[tuple[int, Event]]:
        """The events since a number, from memory or from the store; none where that is too long ago or never was."""
        self.send_now()
        last = self.sequence
        if after > last or last - after > REPLAYED_MAX:
            return []
        if after >= self._known_since:
            return [each for each in self._recent if each[0] > after]
        lines = await asyncio.to_thread(store.records_between, self._live.name, after + 1, last)
        records = [decode(line) for line in lines]
        if any(each.game != self._live.game.digest for each in records):
            return []
        return [(each.sequence, each.event) for each in records]

    def leave(self, subscriber: Subscriber) -> None:
        subscriber.outlet.drained = lambda: None
        self._remove(subscriber)

    def _remove(self, subscriber: Subscriber) -> None:
        audience = subscriber.audience
        audience.subscribers.discard(subscriber)
        if not audience.subscribers:
            self._audiences.pop(audience.viewer, None)

    def _audience(self, viewer: Viewer) -> Audience:
        known = self._audiences.get(viewer)
        if known is None:
            known = self._audiences[viewer] = Audience(viewer, view(self._table, self._live.game, viewer, self._seen))
        return known

    def _catch_up(self, subscriber: Subscriber) -> None:
        """A client that had to be left alone can be written to again."""
        if subscriber.is_behind:
            self.send_now()
            self._dropped()
            subscriber.is_behind = False
            subscriber.send(self._snapshot(subscriber.audience))

    # ------------------------------------------------ what they are sent

    def _applied(self, applied: Sequence[AppliedTableEvent]) -> None:
        for kind, group in groupby(applied, key=lambda each: type(each.event)):
            public = is_public(kind)
            shown = [each for each in group if public or each.after is not each.before]
            if not shown:
                continue
            if not self._runs or self._runs[-1].kind is not kind:
                self._runs.append(Run(kind, shown[0]))
            self._runs[-1].extend(shown)
        self._last = applied[-1]
        if self._timer is None:
            if self._rests_until <= self._loop.time():
                self.send_now()
            else:
                self._timer = self._loop.call_at(self._rests_until, self.send_now)

    def send_now(self) -> None:
        """Send everybody what has happened since."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._last is None:
            return
        runs, last, before = self._runs, self._last, self._table
        self._runs, self._last = [], None
        started = perf_counter()
        who = PublicIdentity(last.after, before)
        outgoing: dict[Audience, list[bytes]] = {each: [] for each in self._audiences.values()}
        for run in runs:
            self._send_run(run, who, outgoing)
        made = perf_counter()
        self.sequence, self._table = last.sequence, last.after
        for audience, frames in outgoing.items():
            joined = b"".join(frames)
            for subscriber in audience.subscribers if joined else ():
                subscriber.send(joined)  # this is where thousands are served
        if _others_are_here(before, self._table):
            self._regroup()
        is_alone = (
            len(runs) == 1 and len(runs[0].events) == 1
        )  # then only making it counts: no later event would go with it
        took = (made if is_alone else perf_counter()) - started
        self._rests_until = self._loop.time() + min(RESTS_MOST, took * SHARE * len(self._peers))

    def _send_run(self, run: Run, who: PublicIdentity, outgoing: dict[Audience, list[bytes]]) -> None:
        """What each audience is sent: the messages that all get, the last of them with what changes on their screens."""
        last, game = run.last, self._live.game
        after = view(last.after, game, Viewer(), before=self._glanced())
        common = CommonChange(self._seen, after, codec.changes(self._seen, after, self._currency))
        self._seen, self._seen_of, self._seen_by = after, last.after, game
        self._remember(run.events)
        countdown = self._countdown(run)
        public, staff = self._run_texts(run, who, countdown), None
        usual = (
            b"" if public.last is None else _with_patch(public.last, common.patch)
        )  # for all who see no more than anybody
        for audience, collected in outgoing.items():
            patch = audience.change(last.after, game, self._currency, common)
            texts = public
            if audience.is_staff:
                texts = staff = staff or self._run_texts(run, None, countdown)
            collected.append(texts.opening)
            if texts.last is not None:
                is_usual = patch is common.patch and texts is public
                collected.append(usual if is_usual else _with_patch(texts.last, patch))
            elif patch:  # nobody hears of the event, and yet this audience sees something of it
                collected.append(self._snapshot(audience, last.sequence, last.after))
            moved = "balance" in patch and type(last.event) not in ON_THE_LAYOUT
            if moved or (isinstance(last.event, RoundEnded) and audience.viewer.role is Role.PATRON):
                for subscriber in audience.subscribers:
                    subscriber.money_moved()

    def _run_texts(self, run: Run, who: PublicIdentity | None, countdown: bytes) -> RunTexts:
        texts = list(self._texts(run.events, who))
        last = texts.pop()[:-1] + countdown + b"}" if texts else None
        return RunTexts(b"".join(map(framed, texts)), last)

    def _texts(self, events: Iterable[tuple[int, Event]], who: PublicIdentity | None) -> Iterator[bytes]:
        """What is told of events: to staff, where nobody's name is hidden, or to everybody else."""
        for sequence, event in events:
            found = text(sequence, event, self._live.game, who)
            if found is not None:
                yield found

    def _remember(self, events: Sequence[tuple[int, Event]]) -> None:
        self._recent.extend(events)
        if len(self._recent) == REPLAYED_MAX:
            self._known_since = self._recent[0][0]

    def _countdown(self, run: Run) -> bytes:
        """The time until betting closes, as a field of a message; nothing where it has not changed."""
        before, after = closes_at(run.before, self._betting), closes_at(run.last.after, self._betting)
        at = run.last.event.at
        if before == after or _left(before, at) == _left(after, at):
            return b""
        return b',"countdown":' + encode(_left(after, at))

    def _glanced(self) -> Glanced | None:
        """What anybody saw last, where the rules are still the same."""
        return (self._seen_of, self._seen) if self._seen_by is self._live.game else None

    def _snapshot(self, audience: Audience, sequence: int | None = None, table: Table | None = None) -> bytes:
        """What an audience sees, in full; as last sent, unless another moment is meant."""
        now = self._now()
        head = {
            "type": "snapshot",
            "table": self._live.name,
            "sequence": self.sequence if sequence is None else sequence,
            "at": now,
            "countdown": _left(closes_at(self._table if table is None else table, self._betting), now),
            "play_money": self._play_money,
        }
        return framed(encode(head)[:-1] + b',"view":' + audience.in_full(self._currency) + b"}")

    @property
    def _currency(self) -> Currency:
        return self._live.currency

    def _regroup(self) -> None:
        """Some are now somebody else to the table: they get a snapshot of what they may see from now on."""
        for subscriber in [
            one for each in self._audiences.values() for one in each.subscribers if one.actor is not None
        ]:
            now = viewer_of(self._table, subscriber.actor)
            if now != subscriber.audience.viewer:
                self._remove(subscriber)
                subscriber.audience = self._audience(now)
                subscriber.audience.subscribers.add(subscriber)
                subscriber.send(self._snapshot(subscriber.audience))
                subscriber.money_moved()


def _with_patch(text: bytes, patch: codec.Patch) -> bytes:
    return framed(text[:-1] + b',"patch":' + encode(codec.operations(patch)) + b"}" if patch else text)


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


# ------------------------------------------------ events as everybody is told them


class ShownCard(msgspec.Struct, frozen=True):
    """A card as everybody sees it."""

    hand: str
    face: str | None  # None: face down
    public: bool


class PublicFields(NamedTuple):
    """How the public fields of a kind of event are told."""

    types: tuple[tuple[str, Any], ...]  # as they are sent
    written: tuple[tuple[str, Way | None], ...]  # each in its wire form; None where it stands as it is


def told(event: Event, game: Game, who: PublicIdentity | None) -> dict[str, Any] | None:
    """What everybody is told of it; None where nobody is told that it happened. Without `who`, people have their names."""
    public = _PUBLIC[type(event)]
    if public is None:
        return None
    currency, fields = game.currency or UNSTATED, dict[str, Any]()
    for name, write in public.written:
        value = getattr(event, name)
        fields[name] = value if write is None else write(value, currency)
    if who is None:
        return fields
    if isinstance(event, StaffAssigned):  # to a position, and not to a person
        return {**fields, "person": who.of(event.person, event.to)}
    told: dict[str, Any] = who.told("", fields)
    return told


def message(sequence: int, event: Event, game: Game, who: PublicIdentity | None) -> PublicEvent | None:
    """An event as a screen gets it, without what it changes there; None where nobody is told.

    `who` tells people to patrons and whoever looks on; staff are told names.
    """
    fields = told(event, game, who)
    if fields is None:
        return None
    return {
        "type": "event",
        "sequence": sequence,
        "at": event.at,
        "name": _NAMES[type(event)],
        "by": event.by if who is None else who.of(event.by, event.position),
        "clause": event.clause,
        "told": fields,
    }


def text(sequence: int, event: Event, game: Game, who: PublicIdentity | None) -> bytes | None:
    """The same, encoded."""
    found = message(sequence, event, game, who)
    return None if found is None else encode(found)


def is_public(kind: type[Event]) -> bool:
    """Is anybody told that such an event happened?"""
    return _PUBLIC[kind] is not None


def _public_fields(kind: type[Event], names: tuple[str, ...] | None) -> PublicFields | None:
    if names is None:
        return None
    types = {each.name: each.type for each in fields_of(kind)}
    written = tuple([(name, _writer(types[name])) for name in names])
    return PublicFields(tuple([(name, _type(types[name])) for name in names]), written)


def _face(card: Card, _currency: Currency) -> dict[str, Any]:
    """What everybody sees of a card."""
    return {"hand": card.hand, "face": card.card or None if card.public else None, "public": card.public}


def _writer(kind: Any) -> Way | None:
    """A field is told in its wire form, and of what stands within an event the public parts."""
    if kind is Card:
        return _face
    return form(kind).writes if kind not in PARTS else writer(_part(kind))


def _part(kind: type[msgspec.Struct]) -> list[FieldInfo]:
    return [each for each in fields_of(kind) if each.name in PARTS[kind]]


def _type(kind: Any) -> Any:
    """The type of a public field as it is sent."""
    if kind is Card:
        return ShownCard
    return form(kind).sent if kind not in PARTS else _PART_TYPES[kind]


_PART_TYPES = {
    kind: as_sent(f"Public{kind.__name__}", kind.__doc__, [(each.name, form(each.type).sent) for each in _part(kind)])
    for kind in PARTS
}
_NAMES = {kind: name_of(kind) for kind in TOLD}
_PUBLIC = {kind: _public_fields(kind, names) for kind, names in TOLD.items()}


def _message_type(kind: type[Event], public: PublicFields) -> type[msgspec.Struct]:
    """The message about an event of this kind."""
    own = [
        ("type", Literal["event"]),
        ("sequence", int),
        ("at", int),
        ("by", str),
        ("clause", str),
        ("told", as_sent(f"{kind.__name__}Told", None, public.types)),
        ("patch", tuple[Operation, ...] | UnsetType, UNSET),
        ("countdown", int | None | UnsetType, UNSET),
    ]
    return as_sent(kind.__name__, kind.__doc__, own, tag=_NAMES[kind], tag_field="name")


EVENT_MESSAGES = {kind: _message_type(kind, public) for kind, public in _PUBLIC.items() if public is not None}
if TYPE_CHECKING:
    PublicEvent = dict[str, Any]
else:
    PublicEvent = Union[tuple(EVENT_MESSAGES.values())]  # noqa: UP007
