"""Who watches a table, what each of them is sent, and what a slow screen costs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterator, Sequence
from functools import wraps
from typing import Any, cast

import msgspec
import pytest

from longhu.accounts.names import AUTO_DEALER
from longhu.audit.record import Record, encode
from longhu.money import UNSTATED
from longhu.positions import Position
from longhu.server import codec
from longhu.server.realtime import broadcast as broadcasts
from longhu.server.realtime.broadcast import Broadcast, viewer_of
from longhu.server.streams.commands import Actor
from longhu.server.streams.stream import AppliedEvent
from longhu.server.streams.table_stream import AppliedTableEvent, TableStream
from longhu.store.interface import Store
from longhu.table.betting import PlaceWager
from longhu.table.betting_phase import CallNoMoreBets, CallPlaceYourBets
from longhu.table.cash import CashOut
from longhu.table.engine import evolve
from longhu.table.handling import PassHands, RevealHand, SqueezeCard
from longhu.table.messages import on_record
from longhu.table.people import AssignStaff, JoinTable, LeaveTable
from longhu.table.state import Table
from longhu.table.views import Role, Viewer, view
from tests.server.patching import patched
from tests.table.rounds import Play

Test = Callable[..., Coroutine[Any, Any, None]]


def on_a_loop(test: Test) -> Callable[..., None]:
    """A test that needs an event loop of its own."""

    @wraps(test)
    def run(*arguments: Any, **fixtures: Any) -> None:
        asyncio.run(test(*arguments, **fixtures))

    return run


ANN, BOB = Actor("ann", Position.PATRON), Actor("bob", Position.PATRON)
PAM, AUDITOR = Actor("pam", Position.PIT_MANAGER), Actor("otto", Position.AUDITOR)
BETTING = 15_000


class Watched:
    """A table that is played at in a test, as `TableStream` would publish it; and the store that has its records."""

    def __init__(self, play: Play) -> None:
        self.play, self.name, self.game, self.currency = play, "T1", play.game, UNSTATED
        self._listeners: list[Callable[[Sequence[AppliedTableEvent]], None]] = []
        self.sequence, self.state = len(play.log), play.table

    def listen(
        self, listener: Callable[[Sequence[AppliedTableEvent]], None], *, first: bool = False
    ) -> Callable[[], None]:
        del first
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def tell(self) -> None:
        """Everything since the last time is committed now."""
        news = []
        for event in self.play.log[self.sequence :]:
            after = evolve(self.state, event)
            self.sequence += 1
            news.append(AppliedEvent(self.sequence, event, self.state, after))
            self.state = after
        for listener in tuple(self._listeners):
            listener(news)

    def feed(self) -> Broadcast:
        return Broadcast(cast(TableStream, self), lambda: self.play.now, BETTING)

    def records_between(self, _: str, first: int, last: int) -> list[bytes]:
        events = enumerate(self.play.log[first - 1 : last], first)
        return [encode(Record(sequence, "", self.game.digest, event)) for sequence, event in events]

    async def back(self, feed: Broadcast, after: int) -> Page:
        """Somebody who has seen everything up to a number, and comes back."""
        page = Page()
        feed.join(page, None, await feed.missed(after, cast(Store, self)))
        return page


def texts(frames: bytes) -> Iterator[bytes]:
    """The texts of frames that were sent together."""
    while frames:
        size, head = frames[1], 2
        if size >= 126:
            head = 4 if size == 126 else 10
            size = int.from_bytes(frames[2:head])
        yield frames[head : head + size]
        frames = frames[head + size :]


class Page:
    """A connection that keeps what it gets, and a page that applies it."""

    def __init__(self) -> None:
        self.drained: Callable[[], None] = lambda: None
        self.is_full = False
        self.got: list[dict[str, Any]] = []
        self.frames: list[bytes] = []
        self.view: Any = None
        self.noted: Callable[[], None] = lambda: None

    def write(self, frames: bytes) -> None:
        self.frames.append(frames)
        for each in texts(frames):
            told = json.loads(each)
            self.got.append(told)
            self.view = told["view"] if told["type"] == "snapshot" else patched(self.view, told.get("patch", []))
        self.noted()

    def names(self) -> list[str]:
        """What was told, in order."""
        return [each.get("name", each["type"]) for each in self.got]

    def sees(self, table: Table, watched: Watched, viewer: Viewer) -> bool:
        """Does the page show what this viewer may see?"""
        full = json.loads(msgspec.json.encode(codec.view(view(table, watched.game, viewer), UNSTATED)))
        return bool(self.view == full)


def squeezed() -> Play:
    """Method A: ann has the Player hand, bob the Banker hand."""
    return Play("immortal-dragon-tiger", cards="2D KC 3D 6C 9H", method="A")


@on_a_loop
async def test_everybody_sees_a_whole_round_as_they_may() -> None:
    play = squeezed()
    table = Watched(play)
    feed = table.feed()
    pages = {who: Page() for who in (None, ANN, BOB, PAM, AUDITOR)}
    for who, page in pages.items():
        feed.join(page, who)
    steps: list[Callable[[], object]] = [
        play.open_betting,
        lambda: play.bet("ann", "player", "100.00"),
        lambda: play.bet("bob", "banker", "200.00"),
        play.close_betting,
        *[play.draw] * 4,
        lambda: play.does(PassHands, "dee"),
        lambda: play.does(SqueezeCard, "ann", place=0, step=1),
        lambda: play.does(SqueezeCard, "ann", place=0, step=9),
        lambda: play.does(RevealHand, "ann", hand="player"),
        play.finish,
    ]
    for step in steps:
        step()
        table.tell()
        feed.send_now()
        for who, page in pages.items():
            assert page.sees(play.table, table, viewer_of(play.table, who)), (who, play.log[-1])
    squeezes = [each for each in pages[ANN].got if each.get("name") == "card-squeezed"]
    cards = [one["value"] for each in squeezes for one in each["patch"] if one["path"] == "/round/cards"]
    faces = [[card["face"] for card in each] for each in cards]
    assert faces[0] == ["2D", None, None, None]
    for who in (None, BOB, PAM, AUDITOR):
        assert b"2D" not in b"".join(pages[who].frames[:12]), "a card was seen before it lay open"
    feed.close()


@on_a_loop
async def test_events_are_numbered_and_a_snapshot_says_where_they_start() -> None:
    play = Play("dragon-tiger", cards="KH 9S")
    table = Watched(play)
    feed, page = table.feed(), Page()
    feed.join(page, None)
    first = len(play.log)
    assert (page.got[0]["type"], page.got[0]["sequence"], page.got[0]["table"]) == ("snapshot", first, "T1")
    play.round(ann={"dragon": "5.00"})
    table.tell()
    feed.send_now()
    assert [each["sequence"] for each in page.got[1:]] == list(range(first + 1, len(play.log) + 1))
    assert [each["at"] for each in page.got[1:]] == [each.at for each in play.log[first:]]


@on_a_loop
async def test_all_who_see_the_same_get_the_same_bytes() -> None:
    play = Play("dragon-tiger", cards="KH 9S")
    table = Watched(play)
    feed = table.feed()
    crowd = [Page() for _ in range(5)]
    for page in crowd:
        feed.join(page, None)
    play.round(ann={"dragon": "5.00"})
    table.tell()
    feed.send_now()
    assert len({id(page.frames[-1]) for page in crowd}) == 1, "encoded more than once"


@on_a_loop
async def test_wagers_that_come_together_change_the_screen_once() -> None:
    play = Play("dragon-tiger")
    table = Watched(play)
    play.open_betting()
    table.tell()
    feed, page = table.feed(), Page()
    feed.join(page, ANN)
    for _ in range(50):
        play.bet("ann", "dragon", "5.00")
    table.tell()
    feed.send_now()
    assert [("patch" in each) for each in page.got[1:]] == [False] * 49 + [True]
    assert page.view["round"]["stakes"]["#1/1/dragon"]["amount"] == "250.00"
    assert page.got[-1]["patch"] == [
        {"op": "add", "path": "/round/stakes/#1~11~1dragon", "value": page.view["round"]["stakes"]["#1/1/dragon"]},
        {"op": "replace", "path": "/balance", "value": page.view["balance"]},
    ]


@on_a_loop
async def test_a_refusal_is_neither_told_nor_does_it_part_what_comes_together() -> None:
    play = Play("dragon-tiger")
    table = Watched(play)
    play.open_betting()
    table.tell()
    feed, page = table.feed(), Page()
    feed.join(page, None)
    for amount in (500, 10**9, 500):
        asked = play.command(PlaceWager, "ann", place=1, wager="dragon", amount=amount)
        decision = play.asks(PlaceWager, "ann", place=1, wager="dragon", amount=amount)
        if not isinstance(decision, list):
            play.log.append(on_record(asked, decision))
    table.tell()
    feed.send_now()
    assert page.names() == ["snapshot", "wager-placed", "wager-placed"]
    assert ["patch" in each for each in page.got] == [False, False, True]
    assert page.got[2]["sequence"] == page.got[1]["sequence"] + 2


# ------------------------------------------------ slow screens


@on_a_loop
async def test_a_slow_screen_is_left_alone_and_then_gets_a_snapshot() -> None:
    play = Play("dragon-tiger", cards="KH 9S 2D 3C")
    table = Watched(play)
    feed, slow, quick = table.feed(), Page(), Page()
    feed.join(slow, None)
    feed.join(quick, None)
    slow.is_full = True
    play.round(ann={"dragon": "5.00"})
    table.tell()
    feed.send_now()
    slow.is_full = False
    play.open_betting()
    table.tell()
    feed.send_now()
    assert slow.names() == ["snapshot"], "part of what happened is worse than nothing"
    slow.drained()
    assert slow.names() == ["snapshot", "snapshot"]
    assert slow.view == quick.view
    play.bet("ann", "dragon", "5.00")
    table.tell()
    feed.send_now()
    assert slow.names()[-1] == "wager-placed"
    assert slow.view == quick.view


# ------------------------------------------------ coming back


@on_a_loop
async def test_whoever_comes_back_gets_what_they_missed_then_a_snapshot() -> None:
    play = Play("dragon-tiger", cards="KH 9S")
    table = Watched(play)
    seen = len(play.log)
    feed = table.feed()
    feed.join(Page(), None)
    play.round(ann={"dragon": "5.00"})
    table.tell()
    feed.send_now()
    back = await table.back(feed, seen + 2)
    numbers = [each["sequence"] for each in back.got]
    assert numbers == [*range(seen + 3, len(play.log) + 1), len(play.log)]
    assert back.names()[-1] == "snapshot"
    assert not any("patch" in each for each in back.got)


@on_a_loop
async def test_what_happened_before_anybody_watched_comes_from_the_store() -> None:
    play = Play("dragon-tiger", cards="KH 9S")
    table = Watched(play)
    seen = len(play.log)
    play.round(ann={"dragon": "5.00"})
    table.tell()
    back = await table.back(table.feed(), seen)
    assert [each["sequence"] for each in back.got[:-1]] == list(range(seen + 1, len(play.log) + 1))


@pytest.mark.parametrize("after", [1000, 10**9])
@on_a_loop
async def test_a_number_that_nobody_knows_any_more_gives_a_snapshot(after: int) -> None:
    play = Play("dragon-tiger", cards="KH 9S")
    table = Watched(play)
    play.round(ann={"dragon": "5.00"})
    table.tell()
    back = await table.back(table.feed(), after)
    assert back.names() == ["snapshot"]


@on_a_loop
async def test_only_so_much_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broadcasts, "REPLAYED_MAX", 3)
    play = Play("dragon-tiger", cards="KH 9S")
    table = Watched(play)
    feed, seen = table.feed(), len(play.log)
    feed.join(Page(), None)
    play.round(ann={"dragon": "5.00"})
    table.tell()
    feed.send_now()
    last = len(play.log)
    for after, missed in ((seen, 0), (last - 5, 0), (last - 3, 3), (last - 1, 1), (last, 0)):
        back = await table.back(feed, after)
        assert len(back.got) - 1 == missed, after


# ------------------------------------------------ who somebody is


@on_a_loop
async def test_whoever_sits_down_sees_their_own_chips_from_then_on() -> None:
    play = Play("dragon-tiger", people={"ann": 1})
    table = Watched(play)
    feed, page = table.feed(), Page()
    moved: list[str] = []
    feed.join(page, BOB, money_moved=lambda: moved.append("bob"))
    assert page.view["role"] == "spectator"
    play.does(JoinTable, "bob", seat=2)
    table.tell()
    feed.send_now()
    assert page.names() == ["snapshot", "patron-joined", "snapshot"]
    assert (page.view["role"], page.view["viewer"], page.view["balance"]) == ("patron", "#2", "0.00")
    play.does(LeaveTable, "bob")
    table.tell()
    feed.send_now()
    assert page.view["role"] == "spectator"
    assert moved


@on_a_loop
async def test_whoever_joins_the_staff_sees_the_tray() -> None:
    play = Play("dragon-tiger", chips="electronic")
    table = Watched(play)
    feed, page = table.feed(), Page()
    feed.join(page, Actor("sam", Position.PATRON))
    play.does(AssignStaff, "pam", person="sam", to=Position.PIT_SUPERVISOR)
    table.tell()
    feed.send_now()
    assert page.view["role"] == "pit"
    assert "float:T1" in page.view["balances"]


@pytest.mark.clause("OPS-1")
@on_a_loop
async def test_whoever_joins_the_staff_does_not_see_what_is_in_a_tray_of_real_chips() -> None:
    play = Play("dragon-tiger", chips="physical")
    table = Watched(play)
    feed, page = table.feed(), Page()
    feed.join(page, Actor("sam", Position.PATRON))
    play.does(AssignStaff, "pam", person="sam", to=Position.PIT_SUPERVISOR)
    table.tell()
    feed.send_now()
    assert page.view["role"] == "pit"
    assert "patron:ann" in page.view["balances"]
    assert "float:T1" not in page.view["balances"]


@pytest.mark.clause("SEC-1")
def test_people_look_as_the_table_knows_them_or_as_the_house_does() -> None:
    table = Play("dragon-tiger").table
    expected = {
        ANN: Viewer("ann", Role.PATRON),
        Actor("dee", Position.DEALER): Viewer("", Role.DEALER),
        PAM: Viewer("", Role.PIT),
        AUDITOR: Viewer("", Role.AUDITOR),
        Actor("zoe", Position.DEALER): Viewer("", Role.DEALER),
        Actor("zeb", Position.CASINO_OPERATOR): Viewer("", Role.PIT),
        Actor("zac", Position.PATRON): Viewer(),
        None: Viewer(),
    }
    assert {who: viewer_of(table, who) for who in expected} == expected


@on_a_loop
async def test_money_that_moves_is_noticed_by_its_owner_alone() -> None:
    play = Play("dragon-tiger")
    table = Watched(play)
    feed, moved = table.feed(), list[str]()
    for who in (ANN, BOB):
        feed.join(Page(), who, money_moved=lambda who=who: moved.append(who.person))  # type: ignore[misc]
    play.does(CashOut, "ann", amount=500)
    table.tell()
    feed.send_now()
    assert moved == ["ann"]


# ------------------------------------------------ time


@pytest.mark.clause("PLY-4")
@on_a_loop
async def test_the_countdown_is_told_when_betting_opens_and_to_whoever_comes_later() -> None:
    play = Play("dragon-tiger", automatic_dealer=True)
    play.table = msgspec.structs.replace(
        play.table, dealer=AUTO_DEALER, staff={**play.table.staff, AUTO_DEALER: Position.DEALER}
    )
    table = Watched(play)
    feed, page = table.feed(), Page()
    feed.join(page, None)
    assert page.got[0]["countdown"] is None
    play.does(CallPlaceYourBets, AUTO_DEALER)
    table.tell()
    feed.send_now()
    assert page.got[-1]["countdown"] == BETTING
    play.now += 4_000
    late = Page()
    feed.join(late, None)
    assert (late.got[0]["countdown"], late.got[0]["at"]) == (BETTING - 4_000, play.now)
    play.bet("ann", "dragon", "5.00")
    play.does(CallNoMoreBets, AUTO_DEALER)
    table.tell()
    feed.send_now()
    assert page.got[-1]["name"] == "betting-closed"
    assert page.got[-1]["countdown"] is None
    assert "countdown" not in page.got[-2]


@on_a_loop
async def test_under_load_messages_come_in_larger_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broadcasts, "SHARE", 10_000)  # so that the second group surely comes while the feed rests
    play = Play("dragon-tiger")
    table = Watched(play)
    play.open_betting()
    table.tell()
    feed, page = table.feed(), Page()
    feed.join(page, None)
    for _ in range(3):
        play.bet("ann", "dragon", "5.00")
        table.tell()
    assert page.names() == ["snapshot", "wager-placed"]
    feed.send_now()
    assert page.names() == ["snapshot", *["wager-placed"] * 3]
    monkeypatch.setattr(broadcasts, "SHARE", 0)
    play.bet("ann", "dragon", "5.00")
    table.tell()
    feed.join(Page(), None)
    assert page.names()[-1] == "wager-placed"
    feed.close()


@on_a_loop
async def test_a_feed_that_rests_tells_by_itself_when_it_has_rested() -> None:
    play = Play("dragon-tiger")
    table = Watched(play)
    play.open_betting()
    table.tell()
    feed, page, told = table.feed(), Page(), asyncio.Event()
    feed.join(page, None)
    play.bet("ann", "dragon", "5.00")
    table.tell()
    page.noted = told.set
    play.bet("ann", "dragon", "5.00")
    table.tell()
    await asyncio.wait_for(told.wait(), 10)
    assert page.names() == ["snapshot", "wager-placed", "wager-placed"]
