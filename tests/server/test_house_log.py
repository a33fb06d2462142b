"""The house log on a store: one stream for all nodes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from longhu.accounts import record
from longhu.accounts.alerts import ALERT_VOID, Significant
from longhu.accounts.engine import evolve_house
from longhu.accounts.house_log import AcknowledgeAlert, ApproveGame, StartHouse
from longhu.accounts.state import HouseLog
from longhu.eventsourcing import Refusal, replay
from longhu.positions import Position
from longhu.server.accounts.house_log import PACKAGE, Running, running
from longhu.server.automation.shuffle_ceremony import RANDOM_SOURCE_FAILED
from longhu.server.streams.commands import SYSTEM, Actor, Committed
from tests.server.residents import START, residents, run

SHIFT = Actor("max", Position.GAMING_SHIFT_MANAGER)
RULES = "a" * 64


def test_nodes_share_one_book(database: str) -> None:
    async def story() -> None:
        await asyncio.gather(
            *(here.raise_alert(Significant.VOID, "T1", ALERT_VOID(round=number)) for number in range(8)),
            *(there.raise_alert(Significant.VOID, "T1", ALERT_VOID(round=100 + number)) for number in range(8)),
        )
        here.forget("")
        alerts = await here.alerts()
        assert [alert.number for alert in alerts] == list(range(1, 17))
        assert len({alert.message.args["round"] for alert in alerts}) == 16
        done = await asyncio.gather(
            *(floor.acknowledge(SHIFT, number, f"{number}") for floor in (here, there) for number in range(1, 17))
        )
        assert sum(isinstance(each, Committed) and not each.duplicate for each in done) == 16
        here.forget("house", 10**6)
        assert await here.alerts() == []
        stored = replay(evolve_house, HouseLog(), record.events(house.store.records("house")))
        assert await here.state() == stored

    with residents(database) as house:
        other = house.beside()
        here, there = house.people.house_log, other.people.house_log
        run(story())
        other.close()


@pytest.mark.clause("SEC-2")
def test_alerts_outlive_a_restart(tmp_path: Path) -> None:
    with residents(tmp_path / "house.db") as house:
        run(
            house.people.house_log.raise_alert(
                Significant.RNG_FAULT, "T1", RANDOM_SOURCE_FAILED(problem="source-not-random")
            )
        )
        run(
            house.people.house_log.raise_alert(
                Significant.RNG_FAULT, "T1", RANDOM_SOURCE_FAILED(problem="source-not-random")
            )
        )
    with residents(tmp_path / "house.db") as again:
        (alert,) = run(again.people.house_log.alerts())
        assert (alert.kind, alert.table, alert.at) == (Significant.RNG_FAULT, "T1", START)
        assert alert.message == RANDOM_SOURCE_FAILED(problem="source-not-random")
        refused = run(again.people.house_log.act(Actor("ann", Position.PATRON), AcknowledgeAlert(number=1), "x"))
        assert isinstance(refused, Refusal)


@pytest.mark.clause("RUL-4")
def test_rules_are_approved_once_for_the_house(tmp_path: Path) -> None:
    async def story() -> None:
        floor = house.people.house_log
        assert not await floor.approved(RULES)
        assert isinstance(await floor.made_table(SYSTEM, "T1", RULES), Refusal)
        assert isinstance(
            await floor.act(SHIFT, ApproveGame(digest=RULES, game="dragon-tiger", why="tested"), "1"), Committed
        )
        assert await floor.approved(RULES)
        assert await floor.may_open(RULES) is None
        assert isinstance(await floor.made_table(SYSTEM, "T1", RULES), Committed)
        assert (await floor.state()).tables == {"T1": RULES}

    with residents(tmp_path / "house.db") as house:
        run(story())


@pytest.mark.clause("LOG-10")
def test_a_changed_program_is_found_and_stops_new_rounds(tmp_path: Path) -> None:
    async def story() -> None:
        floor = house.people.house_log
        assert isinstance(await floor.record_start("n1", "1.0"), Committed)
        assert await floor.check_program("n1") is None
        now = await asyncio.to_thread(running)
        refusal = await floor.check_program("n1", replace(now, digest=RULES))
        assert refusal is not None
        assert refusal.clause == "LOG-10"
        assert await floor.may_start("n1") == refusal
        assert await floor.may_start("n2") is None
        assert [alert.kind for alert in await floor.alerts()] == [Significant.PROGRAM_CHANGED]

    with residents(tmp_path / "house.db") as house:
        run(story())


@pytest.mark.clause("LOG-10")
def test_the_digest_covers_every_file_of_the_program_and_each_game(tmp_path: Path) -> None:
    found = running()
    assert set(found.definitions) == {path.name for path in PACKAGE.glob("games/*.toml")}
    (tmp_path / "games").mkdir()
    (tmp_path / "a.py").write_text("1")
    (tmp_path / "games" / "x.toml").write_text("1")
    first = running(tmp_path)
    assert running(tmp_path) == first
    (tmp_path / "a.py").write_text("2")
    second = running(tmp_path)
    assert (second.digest != first.digest, second.definitions) == (True, first.definitions)
    (tmp_path / "games" / "x.toml").write_text("2")
    third = running(tmp_path)
    assert (third.digest, third.definitions != second.definitions) == (second.digest, True)
    (tmp_path / "a.py").rename(tmp_path / "b.py")
    assert running(tmp_path).digest != third.digest


@pytest.mark.clause("MON-6")
def test_a_database_of_play_money_is_never_one_of_real_money(tmp_path: Path) -> None:
    program = Running(RULES, {})
    with residents(tmp_path / "house.db") as house:
        assert isinstance(run(house.people.house_log.record_start("n1", "1.0", program)), Committed)
    with residents(tmp_path / "house.db", play_money=False) as real:
        refusal = run(real.people.house_log.record_start("n2", "1.0", program))
        assert isinstance(refusal, Refusal)
        assert refusal.clause == "MON-6"


@pytest.mark.clause("LOG-8")
def test_a_step_of_the_clock_is_on_record_and_time_in_the_trail_never_goes_back(tmp_path: Path) -> None:
    async def story() -> None:
        floor = house.people.house_log
        await floor.raise_alert(Significant.VOID, "T1", ALERT_VOID(round=1))
        house.later(-60_000)
        await floor.clock_step("n1", START, START - 60_000)
        await floor.raise_alert(Significant.VOID, "T1", ALERT_VOID(round=2))

    with residents(tmp_path / "house.db") as house:
        run(story())
        assert house.names("house") == ["alert-raised/1", "clock-stepped/1", "alert-raised/1", "alert-raised/1"]
        assert {event.at for event in house.events("house")} == {START}


def test_only_the_program_tells_what_it_runs(tmp_path: Path) -> None:
    with residents(tmp_path / "house.db") as house:
        command = StartHouse(node="n1", version="1", digest=RULES, definitions={})
        operator = Actor("boss", Position.CASINO_OPERATOR)
        refusal = run(house.people.house_log.act(operator, command, "x"))
        assert isinstance(refusal, Refusal)
        assert refusal.clause == "SEC-1"
