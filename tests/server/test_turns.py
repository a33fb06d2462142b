"""What is asked of a table in one turn of the loop: judged one by one, written and told together."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from math import ceil
from typing import cast

import pytest
from msgspec.structs import replace

from longhu.games.game import Game
from longhu.server.done import Busy, Done
from longhu.server.tables.ahead import Ahead
from longhu.server.tables.asked import Answer, Asked
from longhu.server.tables.live import Live
from longhu.server.tables.moment import Happened, Moment
from longhu.server.tables.turns import LARGE, MANY, SHARE, Turns
from longhu.store.entries import Append, Appended
from longhu.store.errors import CommitFailed
from longhu.store.group_commit import Callback, GroupCommit
from longhu.store.interface import Result, Store
from longhu.table.acts import Command, Event, Refusal
from longhu.table.betting import PlaceWager, WagerPlaced
from longhu.table.calls import CallNoMoreBets
from longhu.table.engine import decide, evolve
from longhu.table.state import Table
from tests.server.houses import names
from tests.server.test_live import CHIPS, DEALER, LEAST, PATRONS, Commit, a_live, bet, file, opened, replayed, store

__all__ = ["file", "store"]  # fixtures

Told = Answer | Exception


def asked(live: Live, *commands: tuple[Command, str]) -> list[asyncio.Future[Told]]:
    """All of these in one turn."""
    futures: list[asyncio.Future[Told]] = []
    for command, id in commands:
        future: asyncio.Future[Told] = asyncio.get_running_loop().create_future()
        live.ask(command, id, future.set_result)
        futures.append(future)
    return futures


def did(answer: Told) -> Done:
    assert isinstance(answer, Done), answer
    return answer


def counted(batches: list[int]) -> Callable[[Commit], Commit]:
    def counting(commit: Commit) -> Commit:
        def commits(batch: Sequence[Append]) -> list[Result]:
            batches.append(len(batch))
            return commit(batch)

        return commits

    return counting


def test_what_is_asked_in_one_turn_is_written_in_one_commit_and_told_in_order(store: Store) -> None:
    batches: list[int] = []

    async def main() -> None:
        await opened(store)
        async with a_live(store, commit=counted(batches)) as live:
            told: list[Happened] = []
            live.listen(told.extend)
            first, before = live.sequence + 1, live.state
            answers = await asyncio.gather(*asked(live, *((bet(PATRONS[n % 3]), f"{n}") for n in range(30))))
            assert answers == [Done(first + n, first + n) for n in range(30)]
            assert batches == [30]
            assert [each.sequence for each in told] == [*range(first, first + 30)]
            assert live.durable.state == live.state == replayed(store)
            assert before.round is not None
            assert not before.round.stakes  # what somebody has seen stays as it was
            assert before.balances["patron:ann"] == CHIPS

    asyncio.run(main())


def held_back(batches: list[int], begun: threading.Event, goes_on: threading.Event) -> Callable[[Commit], Commit]:
    """Commits that are counted, of which the first waits until it is told to go on."""

    def holding(commit: Commit) -> Commit:
        def commits(batch: Sequence[Append]) -> list[Result]:
            batches.append(len(batch))
            begun.set()
            if len(batches) == 1:
                assert goes_on.wait(60)
            return commit(batch)

        return commits

    return holding


async def turned() -> None:
    """Whatever is due in this turn of the loop and in the next is done."""
    for _ in range(3):
        await asyncio.sleep(0)


def test_what_is_asked_while_more_is_being_written_waits_for_company(file: Store) -> None:
    """A turn for each of them would cost more than all of them together, and be durable no sooner."""
    batches, begun, goes_on = list[int](), threading.Event(), threading.Event()
    many = 10
    few = ceil(SHARE * many) - 1

    async def main() -> None:
        await opened(file)
        async with a_live(file, commit=held_back(batches, begun, goes_on)) as live:
            before = live.sequence
            answers = asked(live, *((bet("ann"), f"first-{n}") for n in range(many)))
            assert await asyncio.to_thread(begun.wait, 60)
            for n in range(few):
                answers += asked(live, (bet("bob"), f"then-{n}"))
                await turned()
                assert live.sequence == before + many
            goes_on.set()
            done = [did(each) for each in await asyncio.gather(*answers)]
            assert [each.first for each in done] == [*range(before + 1, before + many + few + 1)]
            assert batches == [many, few]
            assert live.durable.state == replayed(file)

    asyncio.run(main())


def test_where_a_part_as_many_wait_as_are_being_written_they_are_decided_meanwhile(file: Store) -> None:
    batches, begun, goes_on = list[int](), threading.Event(), threading.Event()
    many = 10
    enough = ceil(SHARE * many)

    async def main() -> None:
        await opened(file)
        async with a_live(file, commit=held_back(batches, begun, goes_on)) as live:
            before = live.sequence
            answers = asked(live, *((bet("ann"), f"first-{n}") for n in range(many)))
            assert await asyncio.to_thread(begun.wait, 60)
            answers += asked(live, *((bet("bob"), f"then-{n}") for n in range(enough)))
            await turned()
            assert live.sequence == before + many + enough
            assert live.durable.sequence == before
            goes_on.set()
            done = [did(each) for each in await asyncio.gather(*answers)]
            assert [each.first for each in done] == [*range(before + 1, before + many + enough + 1)]
            assert batches == [many, enough]

    asyncio.run(main())


def test_many_are_decided_at_once_while_others_are_still_being_read(file: Store) -> None:
    async def main() -> None:
        await opened(file)
        async with a_live(file) as live:
            before = live.sequence
            answers = asked(live, *((bet("ann"), f"{n}") for n in range(MANY - 1)))
            assert live.sequence == before
            answers += asked(live, (bet("ann"), "one more"))
            assert live.sequence == before + MANY  # and the loop has not gone on yet
            done = [did(each) for each in await asyncio.gather(*answers)]
            assert [each.first for each in done] == [*range(before + 1, before + MANY + 1)]

    asyncio.run(main())


class Handed:
    """In place of a writer: what was handed in, and whom to tell."""

    def __init__(self) -> None:
        self.batches: list[tuple[Sequence[Append], Callback]] = []

    def submit(self, appends: Sequence[Append], told: Callback) -> None:
        self.batches.append((appends, told))

    def land(self) -> None:
        for appends, told in self.batches:
            told([Appended(each.after + 1, each.after + len(each.lines)) for each in appends])
        self.batches.clear()


class Asking:
    """In place of a table: where something has landed, it hands in one more."""

    def __init__(self, turns: Turns, more: int = 0) -> None:
        self.turns, self.more, self.landings = turns, more, 0

    def turn(self) -> None:
        """Nothing was asked of it."""

    def landed(self, group: Sequence[Asked], results: Sequence[Result]) -> None:
        assert len(group) == len(results)
        self.landings += 1
        if self.more:
            self.more -= 1
            self.hand_in(1)

    def hand_in(self, records: int) -> None:
        append = Append("T1", 0, "", (b"{}",) * records, ((),) * records, 0, "id")
        self.turns.hand_in(self, [Asked(bet("ann"), "id")], [append])


class Eager:
    """In place of a table: while it is being decided, so much is asked of it that another turn is due."""

    def __init__(self, turns: Turns) -> None:
        self.turns, self.turned, self.deciding = turns, 0, False

    def turn(self) -> None:
        assert not self.deciding
        self.deciding, self.turned = True, self.turned + 1
        for _ in range(MANY if self.turned == 1 else 0):
            self.turns.asked(self)
        self.deciding = False

    def landed(self, group: Sequence[Asked], results: Sequence[Result]) -> None:
        """Nothing was handed in."""


def test_a_table_that_is_being_decided_is_not_decided_once_more_meanwhile() -> None:
    async def main() -> None:
        turns = Turns(cast(GroupCommit, Handed()))
        table = Eager(turns)
        for _ in range(MANY):
            turns.asked(table)
        assert table.turned == 1
        await turned()
        assert table.turned == 2

    asyncio.run(main())


def test_a_round_that_is_settled_is_written_while_the_next_table_is_decided() -> None:
    async def main() -> None:
        writer = Handed()
        table = Asking(Turns(cast(GroupCommit, writer)))
        table.hand_in(1)
        assert not writer.batches  # others of this turn may come
        table.hand_in(LARGE)
        assert [len(appends) for appends, _ in writer.batches] == [2]  # in order: nothing is left behind
        await turned()
        assert len(writer.batches) == 1

    asyncio.run(main())


def test_what_is_handed_in_while_something_lands_is_written_as_well() -> None:
    async def main() -> None:
        writer = Handed()
        table = Asking(Turns(cast(GroupCommit, writer)), more=2)
        table.hand_in(1)
        for landings in (1, 2, 3):
            await turned()
            assert len(writer.batches) == 1
            writer.land()
            await turned()
            assert table.landings == landings
        assert not writer.batches

    asyncio.run(main())


def test_each_of_them_is_judged_on_what_the_one_before_has_left(store: Store) -> None:
    """The chips are enough for one of two wagers, and a call in between ends the betting for those behind it."""

    async def main() -> None:
        await opened(store)
        async with a_live(store) as live:
            answers = await asyncio.gather(
                *asked(
                    live,
                    (bet("ann", CHIPS), "all"),
                    (bet("ann", LEAST, "tiger"), "more"),
                    (bet("bob"), "bob"),
                    (CallNoMoreBets(**DEALER), "close"),
                    (bet("cay"), "late"),
                )
            )
            assert [type(each).__name__ for each in answers] == ["Done", "Refusal", "Done", "Done", "Refusal"]
            assert [each.clause for each in answers if isinstance(each, Refusal)] == ["MON-3", "DT-5.6a"]
            kinds = ["WagerPlaced", "CommandRefused", "WagerPlaced", "BettingClosed", "CommandRefused"]
            assert names([*live.history][-5:]) == kinds
            assert live.state == replayed(store)

    asyncio.run(main())


@pytest.mark.clause("REC-3")
def test_sent_twice_in_one_turn_it_is_done_once(store: Store) -> None:
    async def main() -> None:
        await opened(store)
        async with a_live(store) as live:
            first, again = await asyncio.gather(*asked(live, (bet("ann"), "bet"), (bet("ann"), "bet")))
            assert again == replace(did(first), duplicate=True)
            (later,) = await asyncio.gather(*asked(live, (bet("ann"), "bet")))
            assert later == again
        async with a_live(store) as live:  # another process, which remembers nothing
            once_more, other = await asyncio.gather(*asked(live, (bet("ann"), "bet"), (bet("bob"), "bob")))
            assert once_more == again
            assert not did(other).duplicate
            assert live.state == replayed(store)

    asyncio.run(main())


def test_turns_of_two_nodes_at_one_table_are_both_done(store: Store) -> None:
    async def main() -> None:
        await opened(store)
        async with a_live(store) as one, a_live(store) as other:
            here = asked(one, *((bet(PATRONS[n % 3]), f"one {n}") for n in range(20)))
            there = asked(other, *((bet(PATRONS[n % 3]), f"other {n}") for n in range(20)))
            answers = [did(each) for each in await asyncio.gather(*here, *there)]
            assert len({each.first for each in answers}) == 40
            await asyncio.gather(one.catch_up(), other.catch_up())
            assert one.durable == other.durable
            assert one.state == replayed(store)

    asyncio.run(main())


def test_what_is_decided_at_once_comes_behind_what_was_asked_before(file: Store) -> None:
    """A step of the house is taken at the table as it stands, with the wagers of this turn."""

    async def main() -> None:
        await opened(file)
        async with a_live(file) as live:
            (wager,) = asked(live, (bet("ann"), "bet"))
            closed = did(await live.step(CallNoMoreBets(**DEALER)))
            assert did(await wager).last + 1 == closed.first
            assert live.state.round is not None
            assert [each.patron for each in live.state.round.stakes.values()] == ["ann"]

    asyncio.run(main())


def test_a_writer_that_turns_a_turn_away_leaves_everything_as_it_was(file: Store) -> None:
    async def main() -> None:
        await opened(file)
        async with a_live(file) as live:
            before = live.state

            def turns_away(*_: object) -> None:
                raise CommitFailed("thousands are waiting")

            with pytest.MonkeyPatch.context() as patched:
                patched.setattr("longhu.store.group_commit.GroupCommit.submit", turns_away)
                answers = await asyncio.gather(*asked(live, (bet("ann"), "1"), (bet("bob"), "2")))
            assert [type(each) for each in answers] == [Busy, Busy]
            await live.catch_up()
            assert live.state == before
            (again,) = await asyncio.gather(*asked(live, (bet("ann"), "1")))
            assert not did(again).duplicate
            assert live.state == replayed(file)

    asyncio.run(main())


def test_whoever_fails_to_take_an_answer_keeps_no_other_from_theirs(file: Store) -> None:
    def fails(_: Told) -> None:
        raise ZeroDivisionError("a defect of whoever is told")

    async def main() -> None:
        await opened(file)
        async with a_live(file) as live:
            live.ask(bet("ann"), "1", fails)
            (answer,) = await asyncio.gather(*asked(live, (bet("bob"), "2")))
            assert did(answer).last == live.durable.sequence

    asyncio.run(main())


def wagers_in_a_row(table: Table, game: Game, count: int) -> list[Event]:
    events: list[Event] = []
    for number in range(count):
        asks = PlaceWager(by=PATRONS[number % 3], at=table_time(table) + number, place=1, wager="tiger", amount=LEAST)
        decision = decide(table, game, asks)
        assert isinstance(decision, list)
        events += decision
        table = evolve(table, decision[0])
    return events


def table_time(table: Table) -> int:
    assert table.round is not None
    return table.round.started


def test_a_row_of_wagers_leaves_the_table_as_one_after_the_other_does(file: Store) -> None:
    """And whoever holds the table from before sees nothing of it."""

    async def main() -> None:
        await opened(file)
        async with a_live(file) as live:
            before, game = live.state, live.game
            ahead = Ahead(Moment(7, "", 0, before))
            events, one_by_one = wagers_in_a_row(before, game, 12), before
            happened = [each for event in events for each in ahead.take([event])]
            for event in events:
                assert isinstance(event, WagerPlaced)
                one_by_one = evolve(one_by_one, event)
            assert ahead.state == one_by_one
            assert [each.sequence for each in happened] == [*range(8, 20)]
            assert happened[-1].after is ahead.state
            assert before.round is not None
            assert not before.round.stakes

    asyncio.run(main())
