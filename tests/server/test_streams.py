"""The stream of a table: decided in batches, committed, then answered and published; and what happens when a commit fails."""

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

from longhu.accounts.policy import Policy
from longhu.audit.record import decode
from longhu.eventsourcing import Refusal
from longhu.games import registry
from longhu.games.game import Game
from longhu.positions import Position
from longhu.server.authorization import OWN_COUNT, OWN_STAFF
from longhu.server.automation.shuffle_ceremony import Chance, loading, new_shuffle
from longhu.server.streams.commands import Committed, IdempotencyConflict, StoreUnavailable, TableHalted
from longhu.server.streams.stream import Snapshot
from longhu.server.streams.table_stream import AppliedTableEvent, TableStream, load_snapshot
from longhu.store.address import open_store
from longhu.store.entries import Append
from longhu.store.errors import CommitFailed, InvalidAppend
from longhu.store.group_commit import GroupCommit
from longhu.store.interface import Result, Store
from longhu.table.betting import PlaceWager, TakeBack
from longhu.table.betting_phase import CallNoMoreBets, CallPlaceYourBets
from longhu.table.cash import BuyIn, CashOut
from longhu.table.default_settings import usual_limits, usual_settings
from longhu.table.engine import replay
from longhu.table.messages import BETTING_NOT_OPEN, FINISH_ROUND_FIRST, ROUND_IN_PROGRESS, Command
from longhu.table.opening import OpenTable
from longhu.table.people import Join
from longhu.table.state import Phase, Table
from longhu.table.suspension import TABLE_STOPPED
from tests.server.houses import checked, done, names, refused

START = 1_794_859_200_000
DEALER: dict[str, Any] = {"by": "auto-dealer", "at": START, "position": Position.DEALER}
PATRONS = ("ann", "bob", "cay")
CHIPS, LEAST = 100_000, 100
PROGRAM = "a program"
Commit = Callable[[Sequence[Append]], list[Result]]


def dragon_tiger() -> Game:
    return registry.load_game(registry.find("dragon-tiger"))


@asynccontextmanager
async def a_live(
    store: Store, *, commit: Callable[[Commit], Commit] | None = None, **also: Any
) -> AsyncIterator[TableStream]:
    """The table T1 as one node knows it; `commit` may put something in the way of commits."""
    if commit is not None:
        setattr(store, "commit", commit(store.commit))  # noqa: B010 (no store has another commit, save here)
    with GroupCommit(store) as commits:
        live = await TableStream.load("T1", store, commits, Policy(), **also)
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
            done(await live.execute(command, f"opening {number}"))
        who: dict[str, Any] = {"by": "auto-dealer", "position": Position.DEALER}
        done(await new_shuffle(live, Chance(), now=lambda: START, **who))
        done(await live.propose(lambda now: loading(now.state, live.game, START)))
        done(await live.execute(CallPlaceYourBets(**DEALER), "call"))


def bet(person: str, amount: int = LEAST, wager: str = "dragon") -> PlaceWager:
    return PlaceWager(by=person, at=START, place=PATRONS.index(person) + 1, wager=wager, amount=amount)


def replayed(store: Store) -> Table:
    return replay(Table(game=""), (decode(line).event for line in store.records("T1")))


def kinds(store: Store) -> list[str]:
    """What is on record."""
    return [type(decode(line).event).__name__ for line in store.records("T1")]


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
            assert await live.execute(bet("ann"), "1") == Committed(first + 1, first + 1)
            refusal = refused(await live.execute(CallPlaceYourBets(**DEALER), "2"))
            assert (refusal.reason, refusal.remedy) == (ROUND_IN_PROGRESS(), FINISH_ROUND_FIRST())
            assert kinds(store)[-2:] == ["WagerPlaced", "CommandRefused"]
            assert live.state == replayed(store)

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
            told: list[AppliedTableEvent] = []
            live.listen(told.extend)
            first = live.sequence + 1
            answers = await asyncio.gather(*(live.execute(bet(PATRONS[n % 3]), f"{n}") for n in range(60)))
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
            told: list[AppliedTableEvent] = []
            live.listen(told.extend)
            before = live.snapshot
            asked = asyncio.create_task(live.execute(bet("ann"), "1"))
            await asyncio.to_thread(tries.wait, 20)
            assert not asked.done()
            assert not told
            assert live.snapshot is before
            assert live.state.balances["patron:ann"] == CHIPS
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
            both = await asyncio.gather(live.execute(bet("ann"), "bet"), live.execute(bet("ann"), "bet"))
            first = done(both[0])
            assert both[1] == Committed(first.first, first.last, duplicate=True)
            refusal = refused(await live.execute(CallPlaceYourBets(**DEALER), "again"))
        async with a_live(store) as live:  # another process, which remembers nothing
            later, last = asyncio.create_task(live.execute(bet("bob"), "bob")), live.sequence
            assert await live.execute(bet("ann"), "bet") == Committed(first.first, first.last, duplicate=True)
            assert refused(await live.execute(CallPlaceYourBets(**DEALER), "again")).reason == refusal.reason
            assert await live.previous("bet") == Committed(first.first, first.last, duplicate=True)
            assert await live.previous("never") is None
            assert done(await later) == Committed(last + 1, last + 1)
            assert live.state == replayed(store)
            assert live.state.round is not None
            assert {each.patron: each.amount for each in live.state.round.stakes.values()} == {"ann": 100, "bob": 100}

    asyncio.run(main())


def test_whoever_gives_up_waiting_does_not_take_the_command_back(file: Store) -> None:
    async def main() -> None:
        await opened(file)
        async with a_live(file) as live:
            asked = asyncio.create_task(live.execute(bet("ann"), "bet"))
            await asyncio.sleep(0)  # it is on its way
            asked.cancel()
            again = done(await live.execute(bet("ann"), "bet"))
            assert again.duplicate
            assert live.state.balances["patron:ann"] == CHIPS - LEAST

    asyncio.run(main())


# ------------------------------------------------ others append, too


def test_two_nodes_append_to_one_table(store: Store) -> None:
    """Whoever comes second reads on and decides again; both end with the same table."""

    async def main() -> None:
        await opened(store)
        async with a_live(store) as one, a_live(store) as other:
            told: list[AppliedTableEvent] = []
            other.listen(told.extend)
            here = [one.execute(bet(PATRONS[n % 3]), f"one {n}") for n in range(20)]
            there = [other.execute(bet(PATRONS[n % 3]), f"other {n}") for n in range(20)]
            answers = [done(each) for each in await asyncio.gather(*here, *there)]
            assert len({each.first for each in answers}) == 40
            await asyncio.gather(one.catch_up(), other.catch_up())
            assert one.snapshot == other.snapshot
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
                told: list[AppliedTableEvent] = []
                late.listen(told.extend)
                first, second = (asyncio.create_task(late.execute(bet(who), f"late {who}")) for who in ("ann", "bob"))
                await asyncio.to_thread(tries.wait, 20)
                assert done(await early.execute(bet("ann"), "early ann")).last == late.sequence + 1
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
            done(await other.execute(CallNoMoreBets(**DEALER), "close"))
            refusal = refused(await one.execute(bet("ann"), "late"))
            assert refusal.clause == "DT-5.6a"
            assert not (one.state.round and one.state.round.stakes)

    asyncio.run(main())


def closing(snapshot: Snapshot[Table]) -> CallNoMoreBets | None:
    """What the house does while betting is open."""
    round = snapshot.state.round
    return CallNoMoreBets(**DEALER) if round is not None and round.phase is Phase.BETTING else None


def test_what_the_house_proposes_is_done_once_whichever_node_proposes_it(file: Store) -> None:
    async def main() -> None:
        await opened(file)
        async with a_live(file) as one, a_live(file) as other:
            done(await one.propose(closing))
            assert await other.propose(closing) is None
            assert other.sequence == one.sequence
            assert refused(await other.propose(lambda _: CallNoMoreBets(**DEALER))).reason == BETTING_NOT_OPEN()
            assert other.sequence == one.sequence  # which is not on record
            assert kinds(file).count("BettingClosed") == 1

    asyncio.run(main())


def test_a_proposal_is_asked_at_the_very_state_that_it_is_decided_on(file: Store) -> None:
    """Wagers that are queued before it are on the layout by then; what comes behind it is too late."""

    async def main() -> None:
        await opened(file)
        async with a_live(file) as live:
            early = live.submit(bet("ann"), "early")
            closed = asyncio.create_task(live.propose(closing))
            await asyncio.sleep(0)
            late = live.submit(bet("bob"), "late")
            assert done(await early).last + 1 == done(await closed).first
            assert refused(await late).clause == "DT-5.6a"
            assert live.state.round is not None
            assert [each.patron for each in live.state.round.stakes.values()] == ["ann"]

    asyncio.run(main())


# ------------------------------------------------ batches


def test_each_command_is_decided_on_what_the_one_before_leaves(store: Store) -> None:
    """The chips are enough for one of two wagers, and a call in between ends the betting for those behind it."""

    async def main() -> None:
        await opened(store)
        async with a_live(store) as live:
            answers = await asyncio.gather(
                live.submit(bet("ann", CHIPS), "all"),
                live.submit(bet("ann", LEAST, "tiger"), "more"),
                live.submit(bet("bob"), "bob"),
                live.submit(CallNoMoreBets(**DEALER), "close"),
                live.submit(bet("cay"), "late"),
            )
            assert [type(each) for each in answers] == [Committed, Refusal, Committed, Committed, Refusal]
            assert [each.clause for each in answers if isinstance(each, Refusal)] == ["MON-3", "DT-5.6a"]
            written = ["WagerPlaced", "CommandRefused", "WagerPlaced", "BettingClosed", "CommandRefused"]
            assert kinds(store)[-5:] == written
            assert live.state == replayed(store)

    asyncio.run(main())


def test_commands_that_come_during_a_commit_form_the_next_batch(file: Store) -> None:
    batches, begun, goes_on = list[int](), threading.Event(), threading.Event()

    def held(commit: Commit) -> Commit:
        def commits(batch: Sequence[Append]) -> list[Result]:
            batches.append(len(batch))
            begun.set()
            assert goes_on.wait(20)
            return commit(batch)

        return commits

    async def main() -> None:
        await opened(file)
        async with a_live(file, commit=held) as live:
            first = live.sequence + 1
            answers = [live.submit(bet("ann"), f"first {n}") for n in range(10)]
            assert await asyncio.to_thread(begun.wait, 20)
            for n in range(25):
                answers.append(live.submit(bet("bob"), f"then {n}"))
                await asyncio.sleep(0)
            goes_on.set()
            assert [done(each).first for each in await asyncio.gather(*answers)] == [*range(first, first + 35)]
            assert batches == [10, 25]
            assert live.state == replayed(file)

    asyncio.run(main())


@pytest.mark.clause("REC-3")
def test_a_key_is_for_one_command(store: Store) -> None:
    """At once, later, and in another process that remembers nothing."""

    async def main() -> None:
        await opened(store)
        async with a_live(store) as live:
            bets = live.submit(bet("ann"), "bet")
            with pytest.raises(IdempotencyConflict):
                live.submit(bet("ann", 2 * LEAST), "bet")
            done(await bets)
            with pytest.raises(IdempotencyConflict):
                await live.execute(bet("ann", wager="tiger"), "bet")
            refused(await live.execute(CallPlaceYourBets(**DEALER), "refused"))
        async with a_live(store) as live:
            for command, key in ((bet("ann", 2 * LEAST), "bet"), (bet("bob"), "refused")):
                with pytest.raises(IdempotencyConflict):
                    await live.execute(command, key)
                with pytest.raises(IdempotencyConflict):
                    await live.previous(key, command)
            assert done(await live.execute(bet("ann"), "bet")).duplicate
            assert live.state == replayed(store)

    asyncio.run(main())


# ------------------------------------------------ storing fails


@pytest.mark.clause("MON-3")
def test_a_short_wallet_fails_alone(store: Store) -> None:
    """What was decided behind it, with chips that are not there, is decided again."""

    async def main() -> None:
        await opened(store, "ann")
        async with a_live(store) as live:
            answers = await asyncio.gather(
                live.execute(bet("bob"), "1"),
                live.execute(BuyIn(patron="ann", amount=CHIPS, **DEALER), "2"),
                live.execute(bet("ann"), "3"),
                live.execute(bet("cay"), "4"),
            )
            short = refused(answers[1])
            assert (short.clause, short.reason) == ("MON-3", "ann has 0.00 in the account")
            assert kinds(store).count("CommandRefused") == 2  # both are on record
            assert refused(answers[2]).clause == "MON-3"
            assert [type(answers[place]) for place in (0, 3)] == [Committed, Committed]
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
            answers = await asyncio.gather(
                *(live.execute(bet("ann"), f"{n}") for n in range(5)), return_exceptions=True
            )
            assert all(isinstance(each, StoreUnavailable) for each in answers)
            await live.catch_up()
            assert live.state == before
            fails[0] = False
            assert not done(await live.execute(bet("ann"), "0")).duplicate
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
            with pytest.raises(StoreUnavailable):
                await live.execute(bet("ann"), "bet")
            assert done(await live.execute(bet("ann"), "bet")).duplicate
            assert live.state.balances["patron:ann"] == CHIPS - LEAST

    asyncio.run(main())


def test_a_store_that_cannot_be_read_turns_commands_away_until_it_can(file: Store) -> None:
    async def main() -> None:
        await opened(file)
        async with a_live(file) as live, a_live(file) as other:
            done(await other.execute(bet("ann"), "1"))

            def unreadable(*_: object) -> None:
                raise CommitFailed("the connection is lost")

            with pytest.MonkeyPatch.context() as patched:
                patched.setattr(file, "records", unreadable)
                with pytest.raises(StoreUnavailable):
                    await live.execute(bet("bob"), "2")
            done(await live.execute(bet("bob"), "2"))
            assert live.state == replayed(file)

    asyncio.run(main())


def test_a_store_that_ends_before_what_was_committed_halts_the_table(file: Store) -> None:
    """The file was replaced, or the disk has lost what it had acknowledged: nothing may be built on that."""
    alarms: list[str] = []

    async def main() -> None:
        await opened(file)
        async with a_live(file, alarm=lambda _, says: alarms.append(says)) as live:
            before = file.standing("T1")
            done(await live.execute(bet("ann"), "1"))
            with pytest.MonkeyPatch.context() as patched:
                patched.setattr(file, "standing", lambda _: before)
                live.follow(0)
                with pytest.raises(TableHalted, match="was committed"):
                    await live.execute(bet("ann"), "2")
            assert live.halted

    asyncio.run(main())
    assert len(alarms) == 1


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
                patched.setattr("longhu.server.streams.table_stream.decide", broken)
                with pytest.raises(TableHalted, match="divides by nothing"):
                    await live.execute(TakeBack(by="ann", at=START, place=1, wager="dragon"), "1")
            assert live.state.stopped.startswith("ZeroDivisionError")
            assert refused(await live.execute(bet("ann"), "2")).reason == TABLE_STOPPED()
        assert alarms == ["ZeroDivisionError: a rule that divides by nothing"]

    asyncio.run(main())
    assert "why the table stopped" in checked(file).not_checked[1]


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
            with pytest.raises(TableHalted, match="the postings are wrong"):
                await live.execute(bet("ann"), "1")
            assert live.state.stopped
            assert live.state.balances["patron:ann"] == CHIPS

    asyncio.run(main())


def test_a_table_whose_defect_cannot_be_stored_stands_still(file: Store) -> None:
    def finding(_: Commit) -> Commit:
        return lambda batch: [InvalidAppend("nothing fits")] * len(batch)

    async def main() -> None:
        await opened(file)
        async with a_live(file, commit=finding) as live:
            for id in ("1", "2"):
                with pytest.raises(TableHalted, match="nothing fits"):
                    await live.execute(bet("ann"), id)
            assert live.halted
            assert not live.state.stopped

    asyncio.run(main())


def test_what_no_record_can_hold_is_refused(file: Store) -> None:
    async def main() -> None:
        await opened(file)
        async with a_live(file) as live:
            for told in (bet("ann", 10**5000), PlaceWager(by="ann", at=START, place=1, wager="\ud800", amount=1)):
                assert "cannot be recorded" in refused(await live.execute(told, "odd")).reason
            done(await live.execute(bet("ann"), "plain"))

    asyncio.run(main())


def test_a_listener_that_fails_keeps_nothing_from_the_others(file: Store) -> None:
    async def main() -> None:
        await opened(file)
        async with a_live(file) as live:
            told: list[AppliedTableEvent] = []

            def fails(_: object) -> None:
                raise RuntimeError("a screen that broke")

            live.listen(fails)
            stop = live.listen(told.extend)
            done(await live.execute(bet("ann"), "1"))
            stop()
            done(await live.execute(bet("ann"), "2"))
            assert names(told) == ["WagerPlaced"]

    asyncio.run(main())


# ------------------------------------------------ kept states


@pytest.mark.clause("REC-1")
def test_a_table_is_read_from_a_kept_state_as_from_its_first_record(store: Store) -> None:
    async def main() -> None:
        await opened(store)
        async with a_live(store, program=PROGRAM) as live:
            done(await live.execute(bet("ann"), "1"))
        assert store.state("T1", PROGRAM) is not None  # closing kept it
        async with a_live(store) as live:
            done(await live.execute(bet("bob"), "2"))
        read: list[int] = []
        records = store.records

        def counted(table: str, after: int = 0) -> Iterator[bytes]:
            read.append(after)
            return records(table, after)

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(store, "records", counted)
            assert load_snapshot(store, "T1", PROGRAM) == load_snapshot(store, "T1")
        assert read == [store.standing("T1").sequence - 1, 0]

    asyncio.run(main())


def test_a_kept_state_is_never_believed(file: Store) -> None:
    """One that cannot be read, or has other money than the ledger, is passed over."""

    async def main() -> None:
        await opened(file)
        async with a_live(file, program=PROGRAM) as live:
            done(await live.execute(bet("ann"), "1"))
        whole, found = load_snapshot(file, "T1"), file.state("T1", PROGRAM)
        assert found is not None
        for state in (b"nothing", found[1].replace(b"patron:ann", b"patron:eve")):
            file.keep_state("T1", 3, PROGRAM, state)
            assert load_snapshot(file, "T1", PROGRAM) == whole

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
        start = load_snapshot(file, "T1").sequence
        async with a_live(file) as one, a_live(file) as other:
            asked = [(anything(), f"{number}") for number in range(300)]
            sent = [*asked, *chance.sample(asked, 60)]
            answers: dict[str, set[int]] = {}
            for place in range(0, len(sent), 30):
                part = sent[place : place + 30]
                got = await asyncio.gather(*(chance.choice((one, other)).execute(*each) for each in part))
                for (_, id), answer in zip(part, got, strict=True):
                    answers.setdefault(id, set()).add(answer.first if isinstance(answer, Committed) else 0)
            await asyncio.gather(one.catch_up(), other.catch_up())
            assert one.snapshot == other.snapshot
            assert one.state == replayed(file)
        assert all(len(firsts) == 1 for firsts in answers.values())  # sent twice, answered alike
        assert sum(done is not None for done in (file.done("T1", id) for _, id in asked)) == 300
        assert file.standing("T1").sequence == start + 300

    asyncio.run(main())
    assert checked(file).commands > 300
