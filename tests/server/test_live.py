"""A table as a node knows it: decided, stored, then told; and what happens when storing fails."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from itertools import count, pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from longhu.audit.record import decode
from longhu.games import registry
from longhu.games.game import Game
from longhu.server.done import Busy, Done, Stopped
from longhu.server.tables.live import Live
from longhu.server.tables.moment import Happened, first_moment, kept, read
from longhu.server.tables.shoes import Chance, loading, new_shuffle
from longhu.server.tables.staff import OWN_COUNT, OWN_STAFF
from longhu.store.address import open_store
from longhu.store.entries import Append
from longhu.store.errors import CommitFailed, InsufficientFunds, InvalidAppend
from longhu.store.group_commit import GroupCommit
from longhu.store.interface import Result, Store
from longhu.table.acts import Command, Refusal
from longhu.table.betting import PlaceWager, TakeBack
from longhu.table.calls import CallNoMoreBets, CallPlaceYourBets
from longhu.table.cash import BuyIn, CashOut
from longhu.table.engine import replay
from longhu.table.opening import OpenTable
from longhu.table.people import Join
from longhu.table.positions import Position
from longhu.table.state import Table
from longhu.table.usual import usual_limits, usual_settings
from tests.server.houses import checked, done, names, refused

START = 1_794_859_200_000
DEALER: dict[str, Any] = {"by": "auto-dealer", "at": START, "position": Position.DEALER}
PATRONS = ("ann", "bob", "cay")
CHIPS, LEAST = 100_000, 100
FORM = "a program"
Commit = Callable[[Sequence[Append]], list[Result]]


def dragon_tiger() -> Game:
    return registry.load_game(registry.find("dragon-tiger"))


@asynccontextmanager
async def a_live(store: Store, *, commit: Callable[[Commit], Commit] | None = None, **also: Any) -> AsyncIterator[Live]:
    """The table T1 as one node knows it; `commit` may put something in the way of commits."""
    if commit is not None:
        setattr(store, "commit", commit(store.commit))  # noqa: B010 (no store has another commit, save here)
    with GroupCommit(store) as writer:
        live = await Live.load("T1", store, writer, **also)
        yield live
        await live.close()


async def opened(store: Store, *wallets: str) -> None:
    """T1 with patrons who have chips, a shoe, and betting open."""
    game = dragon_tiger()
    for person in wallets:
        store.create_trail(f"person:{person}", START, wallet=person)
    limits = usual_limits(game, "A", LEAST, CHIPS)
    assert not isinstance(limits, Refusal)
    settings = usual_settings(game, "T1", limits, layout="A")
    store.create("T1", game, START)
    async with a_live(store) as live:
        house: dict[str, Any] = {"by": "house", "at": START, "position": Position.CASINO_OPERATOR}
        staff: dict[str, Any] = {"staff": OWN_STAFF, "counted_by": OWN_COUNT}
        commands: list[Command] = [OpenTable(settings=settings, float_counted=100 * CHIPS, **staff, **house)]
        for seat, person in enumerate(PATRONS, 1):
            commands.append(Join(by=person, at=START, seat=seat))
            if person not in wallets:
                commands.append(BuyIn(patron=person, amount=CHIPS, **DEALER))
        for number, command in enumerate(commands):
            done(await live.do(command, f"opening {number}"))
        who: dict[str, Any] = {"by": "auto-dealer", "position": Position.DEALER}
        done(await new_shuffle(live, Chance(), "", now=lambda: START, **who))
        done(await live.step(loading(live.state, live.game, START)))
        done(await live.do(CallPlaceYourBets(**DEALER), "call"))


def bet(person: str, amount: int = LEAST, wager: str = "dragon") -> PlaceWager:
    return PlaceWager(by=person, at=START, place=PATRONS.index(person) + 1, wager=wager, amount=amount)


def replayed(store: Store) -> Table:
    return replay(Table(game=""), (decode(line).event for line in store.records("T1")))


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    """One of each kind."""
    with contextlib.closing(open_store(database)) as store:
        yield store


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Store]:
    """Where one kind will do."""
    with contextlib.closing(open_store(tmp_path / "house.db")) as store:
        yield store


# ------------------------------------------------ decided, stored, told


@pytest.mark.clause("REC-3")
def test_what_is_done_is_stored_and_what_is_refused_is_on_record(store: Store) -> None:
    async def main() -> None:
        await opened(store)
        async with a_live(store) as live:
            first = live.sequence
            assert await live.do(bet("ann"), "1") == Done(first + 1, first + 1)
            refusal = refused(await live.do(CallPlaceYourBets(**DEALER), "2"))
            assert (refusal.reason, refusal.remedy) == ("a round is open already", "It ends first")
            assert names([*live.history][-2:]) == ["WagerPlaced", "CommandRefused"]
            assert live.durable.state == replayed(store)

    asyncio.run(main())


def test_commands_do_not_wait_for_each_other_s_disk(file: Store) -> None:
    """Many wagers at once: fewer commits than wagers, each behind the one before, and told in order."""
    batches: list[int] = []

    def counted(commit: Commit) -> Commit:
        def commits(batch: Sequence[Append]) -> list[Result]:
            batches.append(len(batch))
            return commit(batch)

        return commits

    async def main() -> None:
        await opened(file)
        async with a_live(file, commit=counted) as live:
            told: list[Happened] = []
            live.listen(told.extend)
            first = live.sequence + 1
            answers = await asyncio.gather(*(live.do(bet(PATRONS[n % 3]), f"{n}") for n in range(60)))
            assert [done(answer).first for answer in answers] == [*range(first, first + 60)]
            assert [each.sequence for each in told] == [*range(first, first + 60)]
            assert all(before.after is after.before for before, after in pairwise(told))
            assert len(batches) < 20
            assert sum(batches) == 60

    asyncio.run(main())


@pytest.mark.clause("REC-3")
def test_nobody_is_told_before_it_is_durable(file: Store) -> None:
    may_commit, tries = threading.Event(), threading.Event()

    def held(commit: Commit) -> Commit:
        def waits(batch: Sequence[Append]) -> list[Result]:
            tries.set()
            assert may_commit.wait(20)
            return commit(batch)

        return waits

    async def main() -> None:
        await opened(file)
        async with a_live(file, commit=held) as live:
            told: list[Happened] = []
            live.listen(told.extend)
            before = live.durable
            asked = asyncio.create_task(live.do(bet("ann"), "1"))
            await asyncio.to_thread(tries.wait, 20)
            assert not asked.done()
            assert not told
            assert live.durable is before
            assert live.state.balances["patron:ann"] == CHIPS - LEAST  # decided, but nobody may know
            may_commit.set()
            done(await asked)
            assert names(told) == ["WagerPlaced"]

    asyncio.run(main())


# ------------------------------------------------ once


@pytest.mark.clause("REC-3")
def test_a_command_sent_twice_is_done_once_and_answered_as_the_first_time(store: Store) -> None:
    async def main() -> None:
        await opened(store)
        async with a_live(store) as live:
            both = await asyncio.gather(live.do(bet("ann"), "bet"), live.do(bet("ann"), "bet"))
            first = done(both[0])
            assert both[1] == Done(first.first, first.last, duplicate=True)
            refusal = refused(await live.do(CallPlaceYourBets(**DEALER), "again"))
        async with a_live(store) as live:  # another process, which remembers nothing
            later, last = asyncio.create_task(live.do(bet("bob"), "bob")), live.sequence
            assert await live.do(bet("ann"), "bet") == Done(first.first, first.last, duplicate=True)
            assert refused(await live.do(CallPlaceYourBets(**DEALER), "again")).reason == refusal.reason
            assert await live.before("bet") == Done(first.first, first.last, duplicate=True)
            assert await live.before("never") is None
            assert done(await later) == Done(last + 1, last + 1)
            assert live.state == replayed(store)
            assert live.state.round is not None
            assert {each.patron: each.amount for each in live.state.round.stakes.values()} == {"ann": 100, "bob": 100}

    asyncio.run(main())


def test_whoever_gives_up_waiting_does_not_take_the_command_back(file: Store) -> None:
    async def main() -> None:
        await opened(file)
        async with a_live(file) as live:
            asked = asyncio.create_task(live.do(bet("ann"), "bet"))
            await asyncio.sleep(0)  # it is on its way
            asked.cancel()
            again = done(await live.do(bet("ann"), "bet"))
            assert again.duplicate
            assert live.state.balances["patron:ann"] == CHIPS - LEAST

    asyncio.run(main())


# ------------------------------------------------ others append, too


def test_two_nodes_append_to_one_table(store: Store) -> None:
    """Whoever comes second reads on and decides again; both end with the same table."""

    async def main() -> None:
        await opened(store)
        async with a_live(store) as one, a_live(store) as other:
            told: list[Happened] = []
            other.listen(told.extend)
            here = [one.do(bet(PATRONS[n % 3]), f"one {n}") for n in range(20)]
            there = [other.do(bet(PATRONS[n % 3]), f"other {n}") for n in range(20)]
            answers = [done(each) for each in await asyncio.gather(*here, *there)]
            assert len({each.first for each in answers}) == 40
            await asyncio.gather(one.catch_up(), other.catch_up())
            assert one.durable == other.durable
            assert one.state == replayed(store)
            assert [each.sequence for each in told] == [*range(told[0].sequence, one.sequence + 1)]

    asyncio.run(main())


def test_an_append_that_fits_behind_the_same_records_of_another_node_leaves_no_gap(file: Store, tmp_path: Path) -> None:
    """Two nodes write the same bet of the same moment: the first of two appends conflicts, and the second is done."""
    tries, may_commit = threading.Event(), threading.Event()

    def held(commit: Commit) -> Commit:
        def waits(batch: Sequence[Append]) -> list[Result]:
            tries.set()
            assert may_commit.wait(20)
            return commit(batch)

        return waits

    async def main() -> None:
        await opened(file)
        with contextlib.closing(open_store(tmp_path / "house.db")) as same:
            async with a_live(file, commit=held) as late, a_live(same) as early:
                told: list[Happened] = []
                late.listen(told.extend)
                first, second = (asyncio.create_task(late.do(bet(who), f"late {who}")) for who in ("ann", "bob"))
                await asyncio.to_thread(tries.wait, 20)
                assert done(await early.do(bet("ann"), "early ann")).last == late.durable.sequence + 1
                may_commit.set()
                again, behind = done(await first), done(await second)
                assert (behind.first, again.first) == (early.sequence + 1, early.sequence + 2)
                assert [each.sequence for each in told] == [early.sequence, behind.first, again.first]
                assert late.state == replayed(file)

    asyncio.run(main())


def test_what_was_decided_on_a_state_that_is_gone_is_decided_again(file: Store) -> None:
    """A raise that was fine is too late once another node has closed betting."""

    async def main() -> None:
        await opened(file)
        async with a_live(file) as one, a_live(file) as other:
            done(await other.do(CallNoMoreBets(**DEALER), "close"))
            refusal = refused(await one.do(bet("ann"), "late"))
            assert refusal.clause == "DT-5.6a"
            assert not (one.state.round and one.state.round.stakes)

    asyncio.run(main())


def test_a_step_of_the_house_is_taken_once_whoever_takes_it(file: Store) -> None:
    async def main() -> None:
        await opened(file)
        async with a_live(file) as one, a_live(file) as other:
            done(await one.step(CallNoMoreBets(**DEALER)))
            assert await other.step(CallNoMoreBets(**DEALER)) is None
            assert other.sequence == one.sequence
            assert refused(await other.step(CallNoMoreBets(**DEALER))).reason == "betting is not open"
            assert other.sequence == one.sequence  # which is not on record
            await asyncio.gather(*(live.catch_up() for live in (one, other)))

    asyncio.run(main())


# ------------------------------------------------ storing fails


@pytest.mark.clause("MON-3")
def test_a_short_wallet_fails_alone(store: Store) -> None:
    """What was decided behind it, with chips that are not there, is decided again."""

    async def main() -> None:
        await opened(store, "ann")
        async with a_live(store) as live:
            answers = await asyncio.gather(
                live.do(bet("bob"), "1"),
                live.do(BuyIn(patron="ann", amount=CHIPS, **DEALER), "2"),
                live.do(bet("ann"), "3"),
                live.do(bet("cay"), "4"),
                return_exceptions=True,
            )
            assert isinstance(answers[1], InsufficientFunds)
            assert refused(answers[2]).clause == "MON-3"
            assert [type(answers[place]) for place in (0, 3)] == [Done, Done]
            assert live.state == replayed(store)
            assert store.wallet("ann") == 0

    asyncio.run(main())


def test_a_commit_that_fails_leaves_everything_as_it_was(file: Store) -> None:
    fails = [False]

    def failing(commit: Commit) -> Commit:
        def commits(batch: Sequence[Append]) -> list[Result]:
            if fails[0]:
                raise CommitFailed("the disk is full")
            return commit(batch)

        return commits

    async def main() -> None:
        await opened(file)
        async with a_live(file, commit=failing) as live:
            before = live.state
            fails[0] = True
            answers = await asyncio.gather(*(live.do(bet("ann"), f"{n}") for n in range(5)), return_exceptions=True)
            assert all(isinstance(each, Busy) for each in answers)
            await live.catch_up()
            assert live.state == before
            fails[0] = False
            assert not done(await live.do(bet("ann"), "0")).duplicate
            assert live.state == replayed(file)

    asyncio.run(main())


def test_a_commit_that_was_written_although_it_failed_is_not_done_twice(file: Store) -> None:
    lies = [False]

    def lying(commit: Commit) -> Commit:
        def commits(batch: Sequence[Append]) -> list[Result]:
            results = commit(batch)
            if lies[0]:
                lies[0] = False
                raise CommitFailed("the connection was lost at the last moment")
            return results

        return commits

    async def main() -> None:
        await opened(file)
        async with a_live(file, commit=lying) as live:
            lies[0] = True
            with pytest.raises(Busy):
                await live.do(bet("ann"), "bet")
            assert done(await live.do(bet("ann"), "bet")).duplicate
            assert live.state.balances["patron:ann"] == CHIPS - LEAST

    asyncio.run(main())


def test_a_store_that_cannot_be_read_turns_commands_away_until_it_can(file: Store) -> None:
    async def main() -> None:
        await opened(file)
        async with a_live(file) as live, a_live(file) as other:
            done(await other.do(bet("ann"), "1"))

            def unreadable(*_: object) -> None:
                raise CommitFailed("the connection is lost")

            with pytest.MonkeyPatch.context() as patched:
                patched.setattr(file, "records", unreadable)
                with pytest.raises(Busy):
                    await live.do(bet("bob"), "2")
            done(await live.do(bet("bob"), "2"))
            assert live.state == replayed(file)

    asyncio.run(main())


# ------------------------------------------------ defects


@pytest.mark.clause("REC-6")
def test_a_defect_stops_the_table_and_says_so(file: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    alarms: list[str] = []

    def broken(*_: object) -> list[Any]:
        raise ZeroDivisionError("a rule that divides by nothing")

    async def main() -> None:
        await opened(file)
        async with a_live(file, alarm=lambda _, says: alarms.append(says)) as live:
            with monkeypatch.context() as patched:
                patched.setattr("longhu.table.engine.decide", broken)
                with pytest.raises(Stopped, match="divides by nothing"):
                    await live.do(TakeBack(by="ann", at=START, place=1, wager="dragon"), "1")
            assert live.durable.state.stopped.startswith("ZeroDivisionError")
            assert refused(await live.do(bet("ann"), "2")).reason.startswith("the table has stopped")
        assert alarms == ["ZeroDivisionError: a rule that divides by nothing"]

    asyncio.run(main())
    assert "would not have" in checked(file).remarks[0]


def test_a_defect_that_the_store_finds_stops_the_table(file: Store) -> None:
    """Records that do not follow, or money that is not there: the store refuses them, and nothing is paid."""
    faults = count()

    def finding(commit: Commit) -> Commit:
        def commits(batch: Sequence[Append]) -> list[Result]:
            return [InvalidAppend("the postings are wrong")] * len(batch) if next(faults) == 0 else commit(batch)

        return commits

    async def main() -> None:
        await opened(file)
        async with a_live(file, commit=finding) as live:
            with pytest.raises(Stopped, match="the postings are wrong"):
                await live.do(bet("ann"), "1")
            assert live.durable.state.stopped
            assert live.durable.state.balances["patron:ann"] == CHIPS

    asyncio.run(main())


def test_a_table_whose_defect_cannot_be_stored_stands_still(file: Store) -> None:
    def finding(_: Commit) -> Commit:
        return lambda batch: [InvalidAppend("nothing fits")] * len(batch)

    async def main() -> None:
        await opened(file)
        async with a_live(file, commit=finding) as live:
            for id in ("1", "2"):
                with pytest.raises(Stopped, match="nothing fits"):
                    await live.do(bet("ann"), id)
            assert live.broken
            assert not live.durable.state.stopped

    asyncio.run(main())


def test_what_no_record_can_hold_is_refused(file: Store) -> None:
    async def main() -> None:
        await opened(file)
        async with a_live(file) as live:
            for told in (bet("ann", 10**5000), PlaceWager(by="ann", at=START, place=1, wager="\ud800", amount=1)):
                assert "cannot be put on record" in refused(await live.do(told, "odd")).reason
            done(await live.do(bet("ann"), "plain"))

    asyncio.run(main())


def test_a_listener_that_fails_keeps_nothing_from_the_others(file: Store) -> None:
    async def main() -> None:
        await opened(file)
        async with a_live(file) as live:
            told: list[Happened] = []

            def fails(_: object) -> None:
                raise RuntimeError("a screen that broke")

            live.listen(fails)
            stop = live.listen(told.extend)
            done(await live.do(bet("ann"), "1"))
            stop()
            done(await live.do(bet("ann"), "2"))
            assert names(told) == ["WagerPlaced"]

    asyncio.run(main())


# ------------------------------------------------ kept states


@pytest.mark.clause("REC-1")
def test_a_table_is_read_from_a_kept_state_as_from_its_first_record(store: Store) -> None:
    async def main() -> None:
        await opened(store)
        async with a_live(store, form=FORM) as live:
            done(await live.do(bet("ann"), "1"))
        assert store.state("T1", FORM) is not None  # closing kept it
        async with a_live(store) as live:
            done(await live.do(bet("bob"), "2"))
        whole, short = read(store, "T1", ""), read(store, "T1", FORM)
        assert short.moment == whole.moment
        assert len(short.happened) == 1 < len(whole.happened)

    asyncio.run(main())


def test_a_kept_state_is_never_believed(file: Store) -> None:
    """One that cannot be read, or has other money than the ledger, is passed over."""

    async def main() -> None:
        await opened(file)
        whole = read(file, "T1", "").moment
        for state in (b"nothing", kept(first_moment("T1"))):
            file.keep_state("T1", 3, FORM, state)
            assert read(file, "T1", FORM).moment == whole

    asyncio.run(main())


# ------------------------------------------------ anything at all


@pytest.mark.clause("MON-1", "REC-1")
def test_any_commands_at_two_nodes_leave_one_history(file: Store) -> None:
    """Random commands, some sent twice and some to both: what was acknowledged is there once, in every order of events."""
    chance = Random(7)

    def anything() -> Command:
        person = chance.choice(PATRONS)
        match chance.randrange(6):
            case 0:
                return TakeBack(by=person, at=START, place=PATRONS.index(person) + 1, wager="dragon")
            case 1:
                return CashOut(by=person, at=START, amount=chance.choice((LEAST, 40 * LEAST)))
            case 2:
                return BuyIn(patron=person, amount=chance.choice((50, LEAST)), **DEALER)
        return bet(person, LEAST * chance.randrange(1, 300), chance.choice(("dragon", "tie", "nothing")))

    async def main() -> None:
        await opened(file)
        start = read(file, "T1", "").moment.sequence
        async with a_live(file) as one, a_live(file) as other:
            asked = [(anything(), f"{number}") for number in range(300)]
            sent = [*asked, *chance.sample(asked, 60)]
            answers: dict[str, set[int]] = {}
            for place in range(0, len(sent), 30):
                part = sent[place : place + 30]
                got = await asyncio.gather(*(chance.choice((one, other)).do(*each) for each in part))
                for (_, id), answer in zip(part, got, strict=True):
                    answers.setdefault(id, set()).add(answer.first if isinstance(answer, Done) else 0)
            await asyncio.gather(one.catch_up(), other.catch_up())
            assert one.durable == other.durable
            assert one.state == replayed(file)
        assert all(len(firsts) == 1 for firsts in answers.values())  # sent twice, answered alike
        assert sum(done is not None for done in (file.done("T1", id) for _, id in asked)) == 300
        assert file.standing("T1").sequence == start + 300

    asyncio.run(main())
    assert checked(file).commands > 300
