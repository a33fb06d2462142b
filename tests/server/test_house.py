"""The house around its tables: who may act, money between account and table, opening and closing, stopping and going on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from msgspec.structs import replace

from longhu.accounts.alerts import Significant
from longhu.accounts.house_log import ALERT_CLOCK_STEP
from longhu.accounts.limits import SetLimit
from longhu.accounts.protection import SelfExclude
from longhu.accounts.state import Kind, Span
from longhu.audit import signed_heads
from longhu.audit.verify import verify
from longhu.eventsourcing import Refusal
from longhu.games import registry
from longhu.positions import Position
from longhu.server.accounts.house_log import Running, running
from longhu.server.authorization import HOUSE_DEALS_HERE
from longhu.server.config import BadConfig, TableConfig
from longhu.server.house import House
from longhu.server.problems import NO_SUCH_TABLE
from longhu.server.streams.commands import SYSTEM, Actor, Committed
from longhu.server.tables.opening import setup
from longhu.server.timers import MILLISECOND, Clock
from longhu.store.address import open_store
from longhu.store.integrity import check_chain, check_money, proof_of
from longhu.table.betting import PlaceWager
from longhu.table.betting_phase import CallNoMoreBets, CallPlaceYourBets
from longhu.table.cash import BuyIn
from longhu.table.confirmation import ConfirmReport
from longhu.table.dealing import DrawCard
from longhu.table.irregularities.rulings import MakeRuling, ReportIncident
from longhu.table.messages import ASK_POSITION, POSITION_TOO_LOW, ROUND_IN_PROGRESS, Command, CommandRefused
from longhu.table.people import AssignStaff, JoinTable, LeaveTable
from longhu.table.settling import SettleRound
from longhu.table.shuffling import CommitShuffle, RevealShuffle
from longhu.table.state import Phase
from longhu.table.suspension import ResumeTable, SuspendTable
from tests.server.houses import (
    MONEY,
    a_house,
    a_patron,
    a_table,
    bets,
    betting,
    checked,
    done,
    gives,
    play,
    recorded,
    refused,
    staff,
    until,
)
from tests.server.running import quick

SLOW: dict[str, Any] = {"betting_seconds": 60}  # nobody closes betting during the test
KEY = "0123456789abcdef" * 4


def run(main: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(main())


@pytest.fixture
def file(tmp_path: Path) -> str:
    return str(tmp_path / "house.db")


# ------------------------------------------------ who may act


@pytest.mark.clause("SEC-1")
def test_an_auditor_changes_nothing(file: str) -> None:
    async def main() -> None:
        async with a_house(file) as house:
            live = await a_table(house)
            alba = await staff(house, "alba", Position.AUDITOR)
            before = live.sequence
            for command, told in ((JoinTable, {"seat": 1}), (SuspendTable, {"reason": "I say so"})):
                assert refused(await gives(house, alba, command, **told)).clause == "SEC-1"
            assert live.sequence == before

    run(main)


@pytest.mark.clause("SEC-1", "PLY-3")
@pytest.mark.parametrize(
    ("command", "game", "clause"),
    [
        (CallNoMoreBets, "dragon-tiger", "SEC-1"),
        (DrawCard, "dragon-tiger", "SEC-1"),
        (SettleRound, "immortal-dragon-tiger", "IDT-6.2"),
    ],
)
def test_a_patron_is_told_whom_to_ask_where_the_house_deals(
    file: str, command: type[Command], game: str, clause: str
) -> None:
    async def main() -> None:
        async with a_house(file) as house:
            await a_table(house, game)
            ann, dee = await a_patron(house, "ann"), await staff(house, "dee", Position.DEALER)
            for position in (Position.PATRON, Position.DEALER):
                told = refused(await gives(house, ann, command, position=position))
                assert told == Refusal(
                    POSITION_TOO_LOW(position="patron", needed="dealer"), ASK_POSITION(position="dealer"), clause
                )
                told = refused(await gives(house, dee, command, position=position))
                assert (told.reason, told.clause) == (HOUSE_DEALS_HERE(), "PLY-3")

    run(main)


@pytest.mark.clause("SEC-1", "LOG-4")
def test_a_position_in_the_house_is_one_at_every_table(file: str) -> None:
    """Given at the first act there, changed when it changes, and taken away with it, also what somebody was acting in."""

    async def main() -> None:
        async with a_house(file) as house:
            live = await a_table(house)
            gus = await staff(house, "gus", Position.GAMING_SHIFT_MANAGER)
            dee = await staff(house, "dee", Position.DEALER)
            assert "gus" not in live.state.staff
            done(await gives(house, gus, SuspendTable, reason="a drill"))
            assert live.state.staff.items() >= {("gus", Position.GAMING_SHIFT_MANAGER)}
            assert refused(await gives(house, dee, ResumeTable, reason="over")).remedy == ASK_POSITION(
                position="pit-supervisor"
            )
            done(await gives(house, gus, AssignStaff, person="dee", to=Position.PIT_SUPERVISOR, acting=True))
            done(await gives(house, dee, ResumeTable, reason="over", position=Position.PIT_SUPERVISOR))
            assert not isinstance(await house.people.create(SYSTEM, "ann", "Ann", None), Refusal)
            for person in ("ann", "a stranger"):
                assert (
                    refused(await gives(house, gus, AssignStaff, person=person, to=Position.DEALER)).clause == "SEC-1"
                )
            left = Actor("dee", Position.PATRON)  # who is no dealer any more
            assert refused(await gives(house, left, SuspendTable, reason="!", position=Position.PIT_SUPERVISOR))
            assert (live.state.staff["dee"], live.state.acting["dee"]) == (Position.PATRON, Position.PATRON)
            lower = Actor("gus", Position.PIT_SUPERVISOR)
            refused(await gives(house, lower, SuspendTable, reason="!", position=Position.GAMING_SHIFT_MANAGER))
            assert live.state.staff.items() >= {("gus", Position.PIT_SUPERVISOR)}

    run(main)


@pytest.mark.clause("LIM-3")
def test_whoever_is_excluded_neither_sits_nor_bets_and_takes_the_chips_away(file: str) -> None:
    async def main() -> None:
        async with a_house(file, **SLOW) as house:
            live = await a_table(house)
            await a_table(house, table="T2")
            ann = await a_patron(house, "ann")
            done(await house.join(ann, "T1", 1, 10_000))
            await until(live, betting)
            done(await bets(house, ann, "dragon"))
            done(await house.people.act(ann, "ann", SelfExclude(days=200), "enough"))
            assert refused(await bets(house, ann, "dragon")).clause == "LIM-3"
            assert refused(await house.buy_chips(ann, "T1", 1000)).clause == "LIM-3"
            assert refused(await house.join(ann, "T2", 1)).clause == "LIM-3"
            done(await house.leave(ann, "T1"))  # with the wager, which may still come back
            assert house.store.wallet("ann") == MONEY

    run(main)


@pytest.mark.clause("LIM-3")
def test_a_loss_limit_counts_what_is_at_risk_at_all_tables(file: str) -> None:
    async def main() -> None:
        async with a_house(file, **SLOW) as house:
            lives = [await a_table(house, table=table) for table in ("T1", "T2")]
            ann = await a_patron(house, "ann")
            limit = SetLimit(kind=Kind.LOSS, span=Span.DAY, most=3000)
            done(await house.people.act(ann, "ann", limit, "limit"))
            for live in lives:
                done(await house.join(ann, live.name, 1, 10_000))
                await until(live, betting)
            answers = await asyncio.gather(*(bets(house, ann, "dragon", 1000, live.name) for live in lives * 3))
            assert sum(isinstance(each, Committed) for each in answers) == 3
            assert {each.clause for each in answers if isinstance(each, Refusal)} == {"LIM-3"}
            assert house.staked("ann") == 3000

    run(main)


def test_an_answer_stays_what_it_was_although_the_house_would_say_otherwise_now(file: str) -> None:
    async def main() -> None:
        async with a_house(file, **SLOW) as house:
            live = await a_table(house)
            ann = await a_patron(house, "ann")
            done(await house.join(ann, "T1", 1, 10_000, "came"))
            await until(live, betting)
            wager = PlaceWager(by="ann", at=0, place=1, wager="dragon", amount=1000)
            first = done(await house.act(ann, "T1", wager, "bet"))
            done(await house.people.act(ann, "ann", SelfExclude(days=200), "enough"))
            assert await house.act(ann, "T1", wager, "bet") == Committed(first.first, first.last, duplicate=True)
            refused(await house.act(ann, "T1", wager, "another"))

    run(main)


def test_what_nobody_does_for_others_or_in_the_house_s_place(file: str) -> None:
    async def main() -> None:
        async with a_house(file) as house:
            await a_table(house)
            dee = await staff(house, "dee", Position.DEALER)
            ann = await a_patron(house, "ann")
            done(await house.join(ann, "T1", 1))
            assert refused(await gives(house, dee, BuyIn, patron="ann", amount=1000)).clause == "MON-3"
            assert refused(await gives(house, dee, JoinTable, seat=2)).clause == "SEC-1"
            assert refused(await gives(house, dee, CommitShuffle, commitment="0" * 64)).clause == "RUL-6"
            assert refused(await gives(house, dee, RevealShuffle, secret="0" * 64)).clause == "RUL-6"
            for id in ("", "x" * 101, "a\0b", "ü"):
                assert refused(await house.act(ann, "T1", LeaveTable(by="ann", at=0), id)).clause == "REC-3"
            refusal = refused(await gives(house, ann, LeaveTable, "person:ann"))
            assert refusal.reason == NO_SUCH_TABLE(table="person:ann")

    run(main)


# ------------------------------------------------ money


@pytest.mark.clause("MON-3")
def test_one_balance_is_not_spent_twice(database: str) -> None:
    """Two sessions buy chips at two tables, at two nodes, at once."""

    async def main() -> None:
        async with a_house(database, node="one") as one, a_house(database, node="two") as two:
            for table in ("T1", "T2"):
                await a_table(one, table=table)
            ann = await a_patron(one, "ann", 100_000)
            for table in ("T1", "T2"):
                done(await one.join(ann, table, 1))
                await two.stream(table)
            houses = [(one, "T1"), (two, "T2"), (two, "T1"), (one, "T2")] * 2
            answers = await asyncio.gather(*(house.buy_chips(ann, table, 30_000) for house, table in houses))
            assert sum(isinstance(each, Committed) for each in answers) == 3
            assert {each.clause for each in answers if isinstance(each, Refusal)} == {"MON-3"}
            assert one.store.wallet("ann") == 10_000

    run(main)


def test_whoever_cannot_pay_for_the_chips_does_not_stay(file: str) -> None:
    async def main() -> None:
        async with a_house(file) as house:
            live = await a_table(house)
            ann = await a_patron(house, "ann", 500)
            assert refused(await house.join(ann, "T1", 1, 1000)).clause == "MON-3"
            assert not live.state.people
            done(await house.join(ann, "T1", 1, 500))

    run(main)


def test_chips_come_from_the_account_and_go_back_to_it(file: str) -> None:
    async def main() -> None:
        async with a_house(file) as house:
            live = await a_table(house)
            ann = await a_patron(house, "ann")
            first = done(await house.join(ann, "T1", 1, 10_000, "in"))
            assert (await house.join(ann, "T1", 1, 10_000, "in")) == Committed(first.first, first.last, duplicate=True)
            assert house.store.wallet("ann") == MONEY - 10_000
            await play(house, {ann: "dragon"}, 2)
            await until(live, betting)
            done(await bets(house, ann, "tiger"))
            gone = await house.leave(ann, "T1")
            while isinstance(gone, Refusal):  # the cards were on their way
                await until(live, lambda table: not (table.round and table.round.stakes))
                gone = await house.leave(ann, "T1")
            assert house.store.wallet("ann") == MONEY - house.store.lost("ann", 0)
            assert "ann" not in live.state.people
            check_chain(house.store, "T1")
            check_money(house.store, "T1")

    run(main)


# ------------------------------------------------ opening and closing


@pytest.mark.clause("RUL-4")
def test_a_table_opens_only_with_rules_that_are_approved(file: str) -> None:
    async def main() -> None:
        async with a_house(file) as house:
            made = setup(TableConfig(table="T1", game="dragon-tiger"))
            assert refused(await house.open_table(SYSTEM, made.game, made.settings, made.float)).clause == "RUL-4"
            assert not house.store.tables()
            for name in ("house", "person:ann", "", "T 1", "x" * 81):
                settings = replace(made.settings, table=name)
                answer = await house.open_table(SYSTEM, made.game, settings, made.float)
                assert refused(answer).reason.code == "not-a-table-name"

    run(main)


def test_what_does_not_fit_leaves_no_table_behind(file: str) -> None:
    async def main() -> None:
        async with a_house(file) as house:
            made = setup(TableConfig(table="T1", game="dragon-tiger"))
            done(await house.house_log.approve_game(SYSTEM, made.game, "for a test", "1"))
            refused(await house.open_table(SYSTEM, made.game, replace(made.settings, decks=99), made.float))
            dee = await staff(house, "dee", Position.DEALER)
            refused(await house.open_table(dee, made.game, made.settings, made.float))
            assert not house.store.tables()
            opened = done(await house.open_table(SYSTEM, made.game, made.settings, made.float, id="open"))
            again = await house.open_table(SYSTEM, made.game, made.settings, made.float, id="open")
            assert again == Committed(opened.first, opened.last, duplicate=True)

    run(main)


@pytest.mark.clause("OPS-1", "RUL-3", "RUL-6")
def test_a_table_is_closed_with_its_shuffle_revealed_and_opened_with_other_rules(file: str) -> None:
    async def main() -> None:
        async with a_house(file, **SLOW) as house:
            live = await a_table(house)
            ann = await a_patron(house, "ann")
            done(await house.join(ann, "T1", 1, 10_000))
            await until(live, betting)
            done(await bets(house, ann, "dragon"))
            assert refused(await house.close_table(SYSTEM, "T1")).reason == ROUND_IN_PROGRESS()
            assert live.state.suspended  # so that no other starts
            done(await house.leave(ann, "T1"))
            held = live.state.balances["float:T1"]
            done(await house.close_table(SYSTEM, "T1"))
            assert (live.state.settings, house.store.sealed("T1")) == (None, {})
            other = setup(TableConfig(table="T1", game="dragon-21", favours_patrons=["dragon", "tiger"]))
            done(await house.house_log.approve_game(SYSTEM, other.game, "for a test", "1"))
            done(await house.open_table(SYSTEM, other.game, other.settings, held))
            assert live.game.id == "dragon-21"
            done(await house.join(ann, "T1", 2, 10_000))
            await until(live, betting)
            assert {*checked(house.store).games} == {"dragon-21", "dragon-tiger"}

    run(main)


@pytest.mark.clause("MON-2")
def test_a_table_has_the_same_money_as_the_wallets(file: str) -> None:
    """A hundred at the table must not be ten thousand in the wallet."""

    async def main() -> None:
        told = [TableConfig(table="T1", game="dragon-tiger")]
        async with a_house(file, currency="JPY") as house:
            made = setup(told[0])
            done(await house.house_log.approve_game(SYSTEM, made.game, "for a test", "1"))
            answer = refused(await house.open_table(SYSTEM, made.game, made.settings, made.float))
            assert (answer.clause, answer.reason.code == "game-of-other-currency") == ("MON-2", True)
        with pytest.raises(BadConfig, match=r"table T1: dragon-tiger counts money in .* and this house in JPY"):
            async with a_house(file, currency="JPY", tables=told):
                pass
        async with a_house(file, currency="SGD", tables=told) as house:  # hundredths of something that is not said
            assert house.tables.keys() == {"T1"}
        with pytest.raises(BadConfig, match="table T1"):
            async with a_house(file, currency="JPY"):
                pass

    run(main)


@pytest.mark.clause("MON-4")
def test_a_wager_that_comes_too_late_is_refused_and_on_record_with_its_time(file: str) -> None:
    async def main() -> None:
        async with a_house(file, betting_seconds=0.05, pace_seconds=0.5) as house:
            live = await a_table(house)
            ann = await a_patron(house, "ann")
            done(await house.join(ann, "T1", 1, 10_000))
            await until(live, betting)
            done(await bets(house, ann, "dragon"))
            await until(live, lambda table: table.round is not None and table.round.phase is Phase.DEALING)
            chips, at = live.state.balances["patron:ann"], house.now()
            assert refused(await bets(house, ann, "tiger")).clause == "DT-5.6a"
            assert live.state.balances["patron:ann"] == chips
            late = next(each for each in reversed(recorded(house)) if isinstance(each, CommandRefused))
            assert (late.by, late.clause) == ("ann", "DT-5.6a")
            assert at <= late.at <= house.now()

    run(main)


def test_tables_of_the_configuration_are_opened_once(file: str) -> None:
    async def main() -> None:
        told = [TableConfig(table="T1", game="dragon-tiger")]
        async with a_house(file, tables=told) as house:
            assert not house.tables  # the game is not approved yet
            game = registry.load_game(registry.find("dragon-tiger"))
            done(await house.house_log.approve_game(SYSTEM, game, "for a test", "1"))
        for _ in range(2):
            async with a_house(file, tables=told) as house:
                assert house.tables.keys() == {"T1"}
                assert house.tables["T1"].sequence == 1

    run(main)


# ------------------------------------------------ stopping, and going on


@pytest.mark.clause("REC-1", "REC-4")
def test_a_round_goes_on_where_the_house_stopped(database: str) -> None:
    async def main() -> None:
        async with a_house(database, **SLOW) as house:
            live = await a_table(house)
            ann = await a_patron(house, "ann")
            done(await house.join(ann, "T1", 1, 10_000))
            await until(live, betting)
            done(await bets(house, ann, "dragon"))
            state = live.state
        async with a_house(database, starts=False) as house:
            assert house.tables["T1"].state == state
            await house.start()
            await until(house.tables["T1"], lambda table: table.rounds == 1 and table.round is None)
            assert len(house.store.plays("ann")) == 1
            assert checked(house.store).not_checked[0].startswith("the cards of shoe 1 ")

    run(main)


def test_a_house_of_play_money_is_never_one_of_real_money(file: str) -> None:
    async def main() -> None:
        async with a_house(file):
            pass
        house = await House.open(quick(file, demo=False))
        try:
            with pytest.raises(BadConfig, match="play money"):
                await house.start()
        finally:
            await house.stop()

    run(main)


def test_a_table_that_cannot_be_read_keeps_nobody_from_the_others(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        async with a_house(file) as house:
            for table in ("T1", "T2"):
                await a_table(house, table=table)
        load = House._loaded

        async def fails(self: House, table: str) -> Any:
            if table == "T1":
                raise ValueError("no event is called that")
            return await load(self, table)

        monkeypatch.setattr(House, "_loaded", fails)
        async with a_house(file) as house:
            assert house.tables.keys() == {"T2"}
            await house.idle()
            (alert,) = await house.house_log.alerts()
            assert (alert.kind, alert.table) == (Significant.STOPPED, "T1")

    run(main)


# ------------------------------------------------ the clock, the program, the key


class Watch:
    """A wall clock and a steady one, both set by hand."""

    def __init__(self) -> None:
        self.wall, self.steady = 1_794_859_200_000, 5_000
        self.clock = Clock(lambda: self.wall * MILLISECOND, lambda: self.steady * MILLISECOND)

    def goes(self, ms: int, step: int = 0) -> int:
        self.wall, self.steady = self.wall + ms + step, self.steady + ms
        return self.clock.now()


@pytest.mark.clause("LOG-8")
def test_the_clock_never_goes_back_and_never_stands_still() -> None:
    watch = Watch()
    start = watch.clock.now()
    assert watch.goes(100) == start + 100
    assert watch.goes(100, step=3_600_000) == start + 3_600_200  # forward it goes along
    assert watch.goes(100, step=-3_600_000) == start + 3_600_290  # back, it goes on, a little slower
    assert watch.goes(10_000) == start + 3_609_290
    assert [(each.after - each.before) for each in watch.clock.steps()] == [3_600_000, -3_600_000]
    assert not watch.clock.steps()
    for _ in range(100):
        watch.goes(400_000)
    assert watch.clock.now() == watch.wall  # caught up
    watch.clock.seen(watch.wall + 5_000)  # a record of another node, whose clock is ahead
    assert watch.clock.now() == watch.wall + 5_000
    watch.goes(200, step=900)  # a drift is no step
    assert not watch.clock.steps()


@pytest.mark.clause("LOG-8", "LOG-3")
def test_a_step_of_the_clock_is_on_record_and_must_be_acknowledged(file: str) -> None:
    async def main() -> None:
        watch = Watch()
        async with a_house(file, clock=watch.clock, node="one") as house:
            await a_table(house)
            watch.goes(10, step=-60_000)
            await house.maintenance.note_clock()
            (alert,) = await house.house_log.alerts()
            assert alert.kind is Significant.CLOCK_STEP
            assert alert.message == ALERT_CLOCK_STEP(node="one", seconds="-60.0")
            ann = await a_patron(house, "ann")
            done(await house.join(ann, "T1", 1))  # and everything goes on
            times = [each.at for each in recorded(house)]
            assert times == sorted(times)

    run(main)


@pytest.mark.clause("LOG-10")
def test_a_program_that_was_changed_while_it_runs_starts_no_further_round(
    file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        async with a_house(file) as house:
            live = await a_table(house)
            ann = await a_patron(house, "ann")
            done(await house.join(ann, "T1", 1, 10_000))
            await until(live, betting)
            await house.maintenance.check_program()
            assert not house.maintenance.changed
            found = running()
            monkeypatch.setattr(
                "longhu.server.accounts.house_log.running", lambda: Running("0" * 64, found.definitions)
            )
            await house.maintenance.check_program()
            assert refused(house.maintenance.changed).clause == "LOG-10"
            done(await bets(house, ann, "dragon"))
            await until(live, lambda table: table.rounds == 1 and table.round is None)  # the round ends
            await house.leases.turn()
            assert live.state.round is None
            assert [each.kind for each in await house.house_log.alerts()] == [Significant.PROGRAM_CHANGED]

    run(main)


@pytest.mark.clause("LOG-2")
def test_the_house_signs_where_its_trails_stand(file: str) -> None:
    async def main() -> None:
        async with a_house(file, signing_key=KEY) as house:
            live = await a_table(house)
            while "T1" not in house.leases.driven:
                await house.leases.turn()
            await house.maintenance.sign_heads()
            await house.maintenance.sign_heads()  # nothing is new: nothing is signed
            assert [each.sequence for each in house.store.heads("T1")] == [live.sequence]
            done(await house.join(await a_patron(house, "ann"), "T1", 1))
            await until(live, betting)
        store = open_store(file)
        try:
            key = signed_heads.public_key(bytes.fromhex(KEY))
            found = verify(proof_of(store, "T1", key=key), key=key)
            assert (found.heads, found.signed_to) == (2, found.records)  # the last when the house stopped
        finally:
            store.close()

    run(main)


@pytest.mark.clause("LOG-3")
def test_what_somebody_must_have_seen_is_an_alert_until_it_is_acknowledged(file: str) -> None:
    async def main() -> None:
        async with a_house(file, betting_seconds=60, large_win=1) as house:
            live = await a_table(house, dealer="human")
            ann = await a_patron(house, "ann")
            dee, gus = (
                await staff(house, "dee", Position.DEALER),
                await staff(house, "gus", Position.GAMING_SHIFT_MANAGER),
            )
            while "T1" not in house.leases.driven:
                await house.leases.turn()
            done(await house.join(ann, "T1", 1, 10_000))
            done(await house.new_shoe(dee, "T1"))
            await until(live, lambda table: table.shoe is not None)
            done(await gives(house, dee, CallPlaceYourBets))
            done(await bets(house, ann, "dragon"))
            done(await gives(house, dee, CallNoMoreBets))
            done(await gives(house, dee, ReportIncident, told="a card fell"))
            done(await gives(house, gus, MakeRuling, decision="void", reason="nobody knows which"))
            done(await gives(house, dee, ConfirmReport, number=1))
            await house.idle()
            alerts = await house.house_log.alerts()
            assert [each.kind for each in alerts] == [Significant.CORRECTION, Significant.VOID]
            for alert in alerts:
                done(await house.house_log.acknowledge(gus, alert.number, uuid4().hex))
            assert not await house.house_log.alerts()

    run(main)
