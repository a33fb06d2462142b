"""What the pit orders for the end of a round is kept by the house, and done once, whichever node drives the table by then."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from longhu.accounts.account import ChangePosition
from longhu.accounts.orders import REMEMBERED, WAITING_MAX, GiveOrder, NoteOrder
from longhu.accounts.state import Order, Wait
from longhu.audit.record import decode
from longhu.messages.localization import english
from longhu.positions import Position
from longhu.server.house import House
from longhu.server.streams.commands import SYSTEM, Actor, StoreUnavailable
from longhu.table.messages import POSITION_TOO_LOW
from longhu.table.opening import ChangeSettings
from longhu.table.people import FreeSeat
from longhu.table.state import Table
from tests.server.houses import a_house, a_patron, a_table, bets, betting, checked, done, refused, staff, until
from tests.server.test_leases import driven

SLOW: dict[str, Any] = {"betting_seconds": 600}


async def in_a_round(house: House) -> Actor:
    """A table at which a wager lies, and a supervisor."""
    live = await a_table(house)
    ann = await a_patron(house, "ann")
    done(await house.join(ann, "T1", 1, 10_000))
    await until(live, betting)
    done(await bets(house, ann, "dragon"))
    return await staff(house, "sue", Position.PIT_SUPERVISOR)


async def order(house: House, actor: Actor, seconds: int, id: str) -> Order:
    live = await house.stream("T1")
    assert live is not None
    changes = ChangeSettings(by="", at=0, changes={"withdrawal_seconds": seconds}, why="a test")
    given = await house.scheduled.give(actor, live, changes, id)
    assert isinstance(given, Order), given
    return given


def changed(seconds: int) -> Any:
    def holds(table: Table) -> bool:
        return table.settings is not None and table.settings.withdrawal_seconds == seconds

    return holds


def times(house: House, name: str) -> int:
    """How often something stands in the trail of the table."""
    return sum(type(decode(line).event).__name__ == name for line in house.store.records("T1"))


@pytest.mark.clause("REC-1", "LOG-4")
def test_an_order_outlives_the_server_that_took_it(database: str) -> None:
    async def main() -> None:
        async with a_house(database, **SLOW) as house:
            sue = await in_a_round(house)
            given = await order(house, sue, 20, "slower")
            assert given.state is Wait.WAITING
        async with a_house(database) as house:  # betting is over there long since
            await until(house.tables["T1"], changed(20))
            await house.idle()
            (found,) = await house.scheduled.of("T1")
            assert (found.number, found.by, found.state) == (given.number, "sue", Wait.DONE)
            assert (await order(house, sue, 20, "slower")).number == given.number  # sent again
        async with a_house(database) as house:
            await driven(house.leases)
            await house.idle()
            assert times(house, "SettingsChanged") == 1

    asyncio.run(main())


@pytest.mark.clause("REC-1", "REC-3")
def test_what_was_done_and_not_noted_is_not_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when the server dies between the two: a seat that was freed is free, and the order is done, not refused."""

    async def main() -> None:
        database = str(tmp_path / "house.db")
        async with a_house(database, **SLOW) as house:
            live = await a_table(house)
            done(await house.join(await a_patron(house, "ann"), "T1", 1, 10_000))
            await until(live, betting)
            sue, act = await staff(house, "sue", Position.PIT_SUPERVISOR), house.house_log.act

            async def dies(by: Any, command: Any, id: str) -> Any:
                if isinstance(command, NoteOrder):
                    raise StoreUnavailable("killed")
                return await act(by, command, id)

            monkeypatch.setattr(house.house_log, "act", dies)
            free = FreeSeat(by="", at=0, patron="ann", reason="did not come back")
            given = await house.scheduled.give(sue, live, free, "free")
            assert isinstance(given, Order)
            assert (given.state, "ann" in live.state.people) == (Wait.WAITING, False)
        async with a_house(database) as house:
            await driven(house.leases)
            await house.scheduled.look_at_all()
            await house.idle()
            (found,) = await house.scheduled.of("T1")
            assert found.state is Wait.DONE
            assert times(house, "PatronLeft") == 1

    asyncio.run(main())


def test_an_order_is_carried_out_by_whoever_drives_the_table(database: str) -> None:
    """Given at one node, seen at the other, and done by the other once it has taken the table over."""

    async def main() -> None:
        async with a_house(database, node="two", starts=False) as two:
            async with a_house(database, node="one", starts=False, **SLOW) as one:
                one.leases.lasts = 600.0
                await one.start()
                sue = await in_a_round(one)
                await driven(one.leases)
                await two.start()
                first = await order(two, sue, 20, "first")
                second = await order(one, sue, 40, "second")
                two.house_log.forget("")
                assert [each.number for each in await two.scheduled.of("T1")] == [second.number, first.number]
                assert not two.leases.driven
            await driven(two.leases)
            await until(two.tables["T1"], changed(40))
            await two.idle()
            assert {each.state for each in await two.scheduled.of("T1")} == {Wait.DONE}
            assert times(two, "SettingsChanged") == 2

    asyncio.run(main())


@pytest.mark.clause("SEC-1")
def test_an_order_is_judged_by_what_its_giver_is_when_it_is_done(tmp_path: Path) -> None:
    async def main() -> None:
        database = str(tmp_path / "house.db")
        async with a_house(database, **SLOW) as house:
            sue = await in_a_round(house)
            await order(house, sue, 20, "slower")
            done(await house.people.act(SYSTEM, "sue", ChangePosition(to=Position.DEALER, why="a test"), "lower"))
        async with a_house(database) as house:
            await until(house.tables["T1"], lambda table: table.rounds == 1 and not table.round)
            await house.scheduled.look_at_all()
            await house.idle()
            (found,) = await house.scheduled.of("T1")
            assert found.state is Wait.REFUSED
            assert english(POSITION_TOO_LOW(position="dealer", needed="pit-supervisor")) in found.says
            assert times(house, "SettingsChanged") == 0

    asyncio.run(main())


@pytest.mark.clause("LOG-4")
def test_so_many_orders_wait_and_no_more(tmp_path: Path) -> None:
    async def main() -> None:
        async with a_house(str(tmp_path / "house.db"), **SLOW) as house:
            sue = await in_a_round(house)
            live = house.tables["T1"]
            for number in range(WAITING_MAX):
                await order(house, sue, 20 + number, f"order-{number}")
            one_more = ChangeSettings(by="", at=0, changes={"withdrawal_seconds": 9}, why="a test")
            assert "wait" in refused(await house.scheduled.give(sue, live, one_more, "more")).reason
            taken = await house.scheduled.take_back(sue, live, 1, "back")
            assert isinstance(taken, Order)
            assert taken.state is Wait.TAKEN_BACK
            assert "no order 1 waits" in refused(await house.scheduled.take_back(sue, live, 1, "again")).reason
            await order(house, sue, 9, "now")

    asyncio.run(main())


@pytest.mark.clause("REC-3")
def test_an_order_sent_again_is_answered_as_before_however_long_ago_it_was(tmp_path: Path) -> None:
    async def main() -> None:
        async with a_house(str(tmp_path / "house.db"), **SLOW) as house:
            await a_table(house)
            sue = await staff(house, "sue", Position.PIT_SUPERVISOR)
            for number in range(REMEMBERED + 3):
                assert (
                    await order(house, sue, 20 + number, f"order-{number}")
                ).state is Wait.DONE  # no round is played
            assert len(await house.scheduled.of("T1")) == REMEMBERED
            again = await order(house, sue, 20, "order-0")
            assert (again.number, again.state) == (1, Wait.DONE)
            assert times(house, "SettingsChanged") == REMEMBERED + 3

    asyncio.run(main())


@pytest.mark.clause("REC-3")
def test_two_nodes_that_carry_out_an_order_at_once_do_it_once(database: str) -> None:
    """As when a node was thought dead and is not."""

    async def main() -> None:
        async with (
            a_house(database, node="one", starts=False) as one,
            a_house(database, node="two", starts=False) as two,
        ):
            here = await a_table(one)
            there = await two.stream("T1")
            assert there is not None
            sue = await staff(one, "sue", Position.PIT_SUPERVISOR)
            for seconds in (20, 40, 50):
                changes = ChangeSettings(by="", at=0, changes={"withdrawal_seconds": seconds}, why="a test")
                done(await one.house_log.act(sue, GiveOrder(table="T1", asks=changes), f"order-{seconds}"))
            two.house_log.forget("")
            await asyncio.gather(one.scheduled._carry_out(here), two.scheduled._carry_out(there))
            one.house_log.forget("")
            assert [each.state for each in await one.scheduled.of("T1")] == [Wait.DONE] * 3
            assert times(one, "SettingsChanged") == 3
            assert checked(one.store).refusals == 0

    asyncio.run(main())
