"""Several nodes on one store: any of them takes any command, one acts for the house at a table, another takes over."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from longhu.positions import Position
from longhu.server.cluster.leases import LEASE, Leases
from longhu.server.streams.table_stream import TableStream
from longhu.store.address import open_store
from longhu.store.errors import CommitFailed
from longhu.store.interface import Store
from longhu.table.suspension import SuspendTable
from tests.server.houses import (
    WAITS,
    a_house,
    a_patron,
    a_table,
    bets,
    betting,
    checked,
    done,
    gives,
    play,
    staff,
    until,
)

ROOT = Path(__file__).parents[2]


async def driven(nodes: Leases, table: str = "T1") -> None:
    """Wait until a node drives a table."""
    async with asyncio.timeout(WAITS):
        while table not in nodes.driven:
            await nodes.turn()


def test_two_nodes_share_a_house(database: str) -> None:
    """A table made at one is known at the other; both take wagers; what happens is told at both, in the same order."""

    async def main() -> None:
        quick: dict[str, Any] = {"betting_seconds": 0.6}  # another node on the same file looks every fifth of a second
        async with a_house(database, node="one", **quick) as one, a_house(database, node="two", **quick) as two:
            here = await a_table(one)
            ann, bob = await a_patron(one, "ann"), await a_patron(two, "bob")
            there = await two.stream("T1")
            assert there is not None
            told: dict[TableStream, list[int]] = {here: [], there: []}
            for live, sequences in told.items():
                live.listen(lambda happened, told=sequences: told.extend(each.sequence for each in happened))  # type: ignore[misc]
            first = there.sequence + 1
            done(await one.join(ann, "T1", 1, 10_000))
            done(await two.join(bob, "T1", 2, 10_000))
            for number in (1, 2):
                for house, live, actor, wager in ((one, here, ann, "dragon"), (two, there, bob, "tiger")):
                    await until(live, lambda table, number=number: betting(table) and table.rounds == number)  # type: ignore[misc]
                    done(await bets(house, actor, wager))
                await until(there, lambda table, number=number: table.rounds == number and not table.round)  # type: ignore[misc]
            await asyncio.gather(here.catch_up(), there.catch_up())
            for sequences in told.values():
                assert sequences == [*range(first, sequences[-1] + 1)]
            assert {*one.leases.driven, *two.leases.driven} == {"T1"}
            assert bool(one.leases.driven) != bool(two.leases.driven)
            found = checked(one.store)
            assert (found.rounds, found.wagers, found.refusals) == (2, 4, 0)

    asyncio.run(main())


def test_a_node_that_stops_hands_its_tables_over_at_once(tmp_path: Path) -> None:
    async def main() -> None:
        database = str(tmp_path / "house.db")
        async with a_house(database, node="two", starts=False) as two:
            async with a_house(database, node="one", starts=False) as one:
                one.leases.lasts = 600.0  # killed, it would be waited for
                live = await a_table(one)
                ann = await a_patron(one, "ann")
                done(await one.join(ann, "T1", 1, 10_000))
                await one.start()
                await until(live, betting)
                await two.start()
                await two.leases.turn()
                assert one.leases.driven.keys() == {"T1"}
                assert not two.leases.driven
            await driven(two.leases)
            await play(two, {ann: "dragon"}, 1)

    asyncio.run(main())


def test_two_drivers_at_once_do_everything_once(tmp_path: Path) -> None:
    """As when a node was thought dead and is not: both act for the house, and no card is drawn twice."""

    async def main() -> None:
        database = str(tmp_path / "house.db")
        async with (
            a_house(database, node="one", betting_seconds=0.02) as one,
            a_house(database, node="two", starts=False) as two,
        ):
            await a_table(one)
            ann = await a_patron(one, "ann")
            there = await two.stream("T1")
            assert there is not None
            task = two._drive("T1")  # without a lease
            try:
                done(await one.join(ann, "T1", 1, 10_000))
                await play(one, {ann: "dragon"}, 6)
            finally:
                task.cancel()
            found = checked(one.store)
            assert (found.rounds, found.refusals, found.wagers) == (6, 0, 6)

    asyncio.run(main())


def test_a_node_that_cannot_renew_its_leases_gives_its_tables_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others may have taken them: until it can ask again, it drives none."""

    async def main() -> None:
        async with a_house(str(tmp_path / "house.db")) as house:
            await a_table(house)
            await driven(house.leases)

            def lost(*_: object) -> None:
                raise CommitFailed("the connection is lost")

            with monkeypatch.context() as patched:
                patched.setattr(house.store, "take_leases", lost)
                async with asyncio.timeout(WAITS):
                    while house.leases.driven:
                        await house.leases.turn()
            await driven(house.leases)

    asyncio.run(main())


def test_an_act_of_staff_at_one_node_holds_at_the_other(tmp_path: Path) -> None:
    async def main() -> None:
        database = str(tmp_path / "house.db")
        async with a_house(database, node="one") as one, a_house(database, node="two") as two:
            await a_table(one)
            sue = await staff(one, "sue", Position.PIT_SUPERVISOR)
            there = await two.stream("T1")
            assert there is not None
            done(await gives(one, sue, SuspendTable, reason="a look at the cards"))
            await until(there, lambda table: table.suspended)

    asyncio.run(main())


# ------------------------------------------------ killed


class Process:
    """A node in a process of its own."""

    def __init__(self, database: str, node: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.server.node", database, node], stdout=subprocess.PIPE, text=True, cwd=ROOT
        )

    def until(self, told: str) -> None:
        """Wait until it tells something."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if told in line:
                return
        raise AssertionError(f"the node ended before it told {told!r}")

    def kill(self) -> None:
        """SIGKILL: nothing is finished, nothing is given up."""
        self._process.kill()
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()


@pytest.mark.clause("REC-1", "REC-2")
def test_a_node_killed_in_the_middle_of_a_round_is_taken_over(database: str) -> None:
    """Two real processes; the one that deals is killed with SIGKILL between two cards, and the other ends the round."""

    async def main() -> None:
        async with a_house(database, node="two", starts=False) as house:
            live = await a_table(house)
            ann = await a_patron(house, "ann")
            done(await house.join(ann, "T1", 1, 10_000))
            process = Process(database, "one")
            try:
                await asyncio.to_thread(process.until, "drives T1")
                await house.start()
                await until(live, betting)
                done(await bets(house, ann, "dragon"))
                await asyncio.to_thread(process.until, "CardDrawn")
                assert not house.leases.driven
            finally:
                process.kill()
            killed = house.now()
            await until(live, lambda table: table.round is None)
            assert house.now() - killed < 10_000
            assert house.leases.driven.keys() == {"T1"}

    asyncio.run(main())
    with contextlib.closing(open_store(database)) as store:
        assert_right(store)


def assert_right(store: Store) -> None:
    """One round was played to its end, and everybody has what is theirs."""
    found = checked(store)
    assert (found.rounds, found.wagers, found.voided) == (1, 1, 0)
    (play,) = store.plays("ann")
    assert store.balances("T1")["patron:ann"] == 10_000 + play.net
    assert store.wallet("ann") == 1_000_000 - 10_000
    assert not [each for each in store.leases() if each.name == LEASE + "T1"]  # given up by the one that ended
