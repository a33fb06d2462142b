"""What the house does at a table by itself: it deals, waits as long as it must and no longer, and never gets stuck."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from longhu.accounts.alerts import Significant
from longhu.accounts.names import AUTO_DEALER, AUTO_SUPERVISOR, CAGE, HOUSE
from longhu.eventsourcing import Event
from longhu.fairness.source import RandomSource
from longhu.positions import Position
from longhu.server.authorization import OWN_STAFF
from longhu.server.automation.dealer_acts import dealer_acts, filling, owed
from longhu.server.automation.shuffle_ceremony import Chance, open_until
from longhu.server.house import House
from longhu.server.streams.commands import SYSTEM, Actor
from longhu.server.streams.projections import Milestones
from longhu.server.streams.table_stream import TableStream
from longhu.server.timers import DealerTiming, closes_at, deadlines, is_dealt_automatically
from longhu.table.betting import PlaceWager, TakeWagerBack
from longhu.table.betting_phase import BettingClosed, CallNoMoreBets, CallPlaceYourBets, RoundStarted
from longhu.table.cash import in_tray
from longhu.table.dealing import AnnounceResult, DrawCard
from longhu.table.differential import RemoveWager
from longhu.table.fills import AcceptChips, ChipRequestMoved, DeliverChips, IssueChips, RequestChips
from longhu.table.handling import CardsRevealed, NameHolder, PassHands, RevealHand
from longhu.table.irregularities.exposure import RevealForAbsent
from longhu.table.irregularities.power import ReportPowerFailure
from longhu.table.irregularities.rulings import ReportIncident
from longhu.table.messages import SHOE_NOT_LOADED, Command
from longhu.table.people import LeaveTable, TakeTheDeal
from longhu.table.remedies.passing import HandPassed
from longhu.table.remedies.void import CancelExpiredRound, RoundVoided
from longhu.table.remedies.withdrawal import WithdrawalOfferClosed
from longhu.table.settling import RoundEnded, SettleRound
from longhu.table.shoe import CardsCut, CutDeclined, ShoeLoaded
from longhu.table.shuffling import Contribute, CutCards, ShuffleCommitted, ShuffleRevealed
from longhu.table.state import DAY
from longhu.table.suspension import ResumeTable, SuspendTable, TableResumed
from tests.audit.evening import GAMES, MAIN
from tests.server.houses import (
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
from tests.table.rounds import Play

PACE = DealerTiming(betting=1000, act=0, contribution=5000, ruling=60_000)


def run(main: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(main())


def own(table: Play) -> Play:
    """A table at which the house has staff of its own."""
    table.table = replace(table.table, staff={**table.table.staff, **OWN_STAFF}, dealer="")
    return table


def does(table: Play, act: Command) -> list[Event]:
    """What the house does at a table, which the rules must allow."""
    told = {name: getattr(act, name) for name in act.__struct_fields__ if name not in ("by", "at")}
    return table.does(type(act), act.by, at=table.now, **told)


# ------------------------------------------------ whole rounds


@pytest.mark.parametrize("game", GAMES)
def test_the_house_deals_every_game_by_itself(game: str, tmp_path: Path) -> None:
    """Patrons bet and squeeze; everything else happens by itself, and the trail can be verified by anybody."""

    async def main() -> None:
        async with a_house(str(tmp_path / "house.db")) as house:
            live = await a_table(house, game)
            ann = await a_patron(house, "ann")
            done(await house.join(ann, "T1", 1, 100_000))
            live.listen(lambda _: house.spawn(_turns_over(house, live), "a hand"))
            table = await play(house, {ann: MAIN[game]}, 4)
            assert table.rounds >= 4
            done(await house.leave(ann, "T1"))
            done(await house.close_table(SYSTEM, "T1"))
            assert house.store.wallet("ann") == 1_000_000 - house.store.lost("ann", 0)
            assert len(house.store.plays("ann")) == 4
            found = checked(house.store)
            assert (found.rounds, found.refusals) == (4, 0)
            assert found.shuffles == found.commitments
            assert not await house.house_log.alerts()

    run(main)


async def _turns_over(house: House, live: TableStream) -> None:
    """Whoever holds a hand turns it over."""
    round = live.state.round
    for hand, holder in enumerate(round.holders if round else ()):
        if round and holder and any(not each.public for each in round.cards_of(hand)):
            id = f"{round.number}-{hand}-{len(round.cards)}"
            command = RevealHand(by=holder, at=0, hand=live.game.procedure.hands[hand].id)
            await house.act(Actor(holder, Position.PATRON), live.name, command, id)


@pytest.mark.clause("PLY-3")
def test_betting_is_open_for_as_long_as_the_house_says(tmp_path: Path) -> None:
    async def main() -> None:
        async with a_house(str(tmp_path / "house.db"), betting_seconds=0.3) as house:
            live = await a_table(house)
            ann = await a_patron(house, "ann")
            done(await house.join(ann, "T1", 1, 10_000))
            await until(live, betting)
            assert 0 < (house.countdown(live) or 0) <= 300
            await play(house, {ann: "dragon"}, 1)
            at = {type(each): each.at for each in recorded(house)}
            assert 300 <= at[BettingClosed] - at[RoundStarted] < 10_000
            assert house.closes_at("T1") is None or betting(live.state)

    run(main)


def automatic() -> Play:
    """A table at which the house deals."""
    play = Play("dragon-tiger", automatic_dealer=True)
    play.table = replace(play.table, dealer=AUTO_DEALER, staff={**play.table.staff, AUTO_DEALER: Position.DEALER})
    return play


def test_nobody_is_dealt_a_round_that_nobody_has_bet_on() -> None:
    """Betting stays open, and closes so long after the first wager."""
    table = automatic()
    table.does(CallPlaceYourBets, AUTO_DEALER)
    start = table.now
    assert closes_at(table.table, 1000) == start + 1000
    assert not [*dealer_acts(table.table, table.game, Milestones(), start + 5000, PACE)]
    table.does(PlaceWager, "ann", place=1, wager="dragon", amount=1000, at=start + 9000)
    assert closes_at(table.table, 1000) == start + 10_000
    table.does(TakeWagerBack, "ann", place=1, wager="dragon", at=start + 9100)
    assert closes_at(table.table, 1000) == start + 1000
    early = automatic()
    early.does(CallPlaceYourBets, AUTO_DEALER)
    early.does(PlaceWager, "ann", place=1, wager="dragon", amount=1000, at=early.now + 10)
    assert closes_at(early.table, 1000) == early.now + 990


def test_an_automatic_table_sleeps_while_nobody_is_there(tmp_path: Path) -> None:
    async def main() -> None:
        async with a_house(str(tmp_path / "house.db")) as house:
            live = await a_table(house)
            ann, bob = await a_patron(house, "ann"), await a_patron(house, "bob")
            done(await house.join(ann, "T1", 1))
            await until(live, betting)
            done(await gives(house, ann, LeaveTable))
            sequence = live.sequence
            done(await house.join(bob, "T1", 2, 10_000))
            assert live.sequence == sequence + 2  # nothing else has happened
            await play(house, {bob: "tiger"}, 1)

    run(main)


# ------------------------------------------------ shoes


@pytest.mark.clause("D21-7.0c", "RUL-6")
def test_patrons_contribute_and_cut_until_their_time_is_up(tmp_path: Path) -> None:
    async def main() -> None:
        async with a_house(str(tmp_path / "house.db"), contribution_seconds=20) as house:
            live = await a_table(house, "dragon-21")
            ann, bob = await a_patron(house, "ann"), await a_patron(house, "bob")
            done(await house.join(ann, "T1", 1))
            await until(live, lambda table: table.shuffle is not None)
            done(await house.join(bob, "T1", 2))
            done(await gives(house, ann, Contribute, value="luck"))
            done(await gives(house, bob, Contribute, value="none"))
            assert live.state.shoe is None  # somebody may still cut
            done(await gives(house, bob, CutCards, behind=60))
            table = await until(live, lambda table: table.shoe is not None)
            assert table.shoe is not None
            assert (table.shoe.cut_by, table.shoe.cut_at) == ("#2", 8 * 52 - 60)
            assert table.shuffle is not None
            assert table.shuffle.mix is not None
            assert [each.value for each in table.shuffle.mix.contributions] == ["luck", "none"]

    run(main)


@pytest.mark.clause("D21-7.0c")
def test_whoever_has_not_cut_in_time_has_declined_the_cut(tmp_path: Path) -> None:
    async def main() -> None:
        async with a_house(str(tmp_path / "house.db"), contribution_seconds=0.1) as house:
            live = await a_table(house, "dragon-21")
            for seat, person in enumerate(("ann", "bob"), 1):
                done(await house.join(await a_patron(house, person), "T1", seat))
            await until(live, lambda table: table.shoe is not None)
            events = recorded(house)
            assert {each.person for each in events if isinstance(each, CutDeclined)} == {"ann", "bob"}
            assert [each.person for each in events if isinstance(each, CardsCut)] == [AUTO_DEALER]
            at = {type(each): each.at for each in events}
            assert at[ShoeLoaded] - at[ShuffleCommitted] >= 100

    run(main)


def test_the_time_to_contribute_ends_when_nobody_has_anything_to_add() -> None:
    table, marks = Play("dragon-21", cards=None), Milestones(shuffle_committed_at=1000)
    table.shuffle()
    assert open_until(table.table, table.game, marks, 5000) == 6000
    for person in ("ann", "bob", "cay"):
        table.does(Contribute, person, value=person)
    assert open_until(table.table, table.game, marks, 5000) == 6000  # the cut is still on offer
    table.does(CutCards, "cay")
    assert open_until(table.table, table.game, marks, 5000) == 1000
    alone = Play("dragon-21", cards=None, people={"stan": None})
    alone.shuffle()
    assert open_until(alone.table, alone.game, marks, 5000) == 1000  # nobody sits, so nobody could


@pytest.mark.clause("RNG-7", "LOG-3")
def test_a_source_of_chance_that_fails_suspends_the_table(tmp_path: Path) -> None:
    async def main() -> None:
        chance = Chance(lambda: RandomSource(lambda count: bytes(count)))
        async with a_house(str(tmp_path / "house.db"), chance=chance) as house:
            live = await a_table(house)
            done(await house.join(await a_patron(house, "ann"), "T1", 1))
            table = await until(live, lambda table: table.suspended)
            assert table.suspended is not None
            assert (table.suspended.cause, table.suspended.reason) == (
                "random-source",
                "source-not-random",
            )
            assert table.shuffle is None
            await house.idle()
            assert [alert.kind for alert in await house.house_log.alerts()] == [Significant.RNG_FAULT]

    run(main)


@pytest.mark.clause("RUL-6", "REC-2")
def test_a_commitment_is_not_left_hanging_when_the_table_is_suspended(tmp_path: Path) -> None:
    async def main() -> None:
        async with a_house(str(tmp_path / "house.db"), contribution_seconds=0.3) as house:
            live = await a_table(house)
            sue = await staff(house, "sue", Position.PIT_SUPERVISOR)
            done(await house.join(await a_patron(house, "ann"), "T1", 1))
            await until(live, lambda table: table.shuffle is not None)
            done(await gives(house, sue, SuspendTable, reason="a fire drill"))
            table = await until(live, lambda table: table.shoe is not None)
            assert table.suspended
            assert table.round is None
            done(await gives(house, sue, ResumeTable, reason="it is over"))
            await until(live, betting)

    run(main)


def test_a_worn_shoe_is_changed_and_its_secret_told(tmp_path: Path) -> None:
    async def main() -> None:
        async with a_house(str(tmp_path / "house.db"), betting_seconds=0.01) as house:
            live = await a_table(house, decks=4, cut_reserve=4 * 52 - 6)  # the fourth round is the last of a shoe
            ann = await a_patron(house, "ann")
            done(await house.join(ann, "T1", 1, 100_000))
            await play(house, {ann: "dragon"}, 5)
            assert [each.number for each in recorded(house) if isinstance(each, ShuffleRevealed)] == [1]
            assert live.state.shoes == 2
            assert checked(house.store).shuffles == 1
            assert house.store.sealed("T1").keys() == {2}

    run(main)


# ------------------------------------------------ deadlines


def test_whoever_does_not_turn_the_cards_in_time_is_absent(tmp_path: Path) -> None:
    """IDT-5.10: the dealer turns them, and the round goes on."""

    async def main() -> None:
        async with a_house(str(tmp_path / "house.db")) as house:
            await a_table(house, "immortal-dragon-tiger", reveal_seconds=0)
            ann = await a_patron(house, "ann")
            done(await house.join(ann, "T1", 1, 100_000))
            await play(house, {ann: "player"}, 1)
            events = recorded(house)
            passed = [each.to for each in events if isinstance(each, HandPassed)]
            assert passed[:2] == ["ann", ""]
            assert "" in passed[2:]  # taken from ann
            assert {each.by for each in events if isinstance(each, CardsRevealed)} == {AUTO_DEALER}

    run(main)


@pytest.mark.clause("IDT-5.10")
def test_a_hand_may_be_held_for_as_long_as_the_table_says() -> None:
    table = own(Play("immortal-dragon-tiger", reveal_seconds=60))
    table.open_betting()
    table.bet("ann", "player", "50.00")
    table.close_betting()
    for _ in range(4):
        table.draw()
    assert not [*deadlines(table.table, table.game)]  # nobody holds a hand
    table.does(PassHands, "dee")
    passed = table.now
    (turn,) = deadlines(table.table, table.game)
    assert turn.due == passed + 60_000
    assert isinstance(turn.command, RevealForAbsent)
    assert turn.command.hand == "player"
    table.does(ReportIncident, "dee", told="somebody shouts")
    assert not [*deadlines(table.table, table.game)]  # the cards stay as they lie until the pit has ruled


@pytest.mark.clause("REC-5", "DBO-30D-1a", "DBO-30D-1b")
def test_a_game_in_progress_for_thirty_days_is_cancelled_by_itself() -> None:
    table = own(Play("dragon-bonus-online"))
    table.does(CallPlaceYourBets, "dee")
    table.does(PlaceWager, "ann", place=1, wager="player", amount=1000)
    placed = table.now
    (turn,) = deadlines(table.table, table.game)
    assert turn.due == placed + 30 * DAY + 1
    assert isinstance(turn.command, CancelExpiredRound)
    assert turn.command.by == AUTO_DEALER
    table.refused(CancelExpiredRound, AUTO_DEALER, at=turn.due - 1)
    table.refused(CancelExpiredRound, "dee", "SEC-1", at=turn.due)  # no person cancels a round alone, expired or not
    events = table.does(CancelExpiredRound, AUTO_DEALER, at=turn.due)
    assert any(isinstance(event, RoundVoided) for event in events)


# ------------------------------------------------ what a document leaves to somebody's judgement


@pytest.mark.clause("IDT-3.10.4.1")
def test_among_equal_wagers_the_first_is_named() -> None:
    table = own(Play("immortal-dragon-tiger", automatic_dealer=True))
    table.open_betting()
    at = table.now + 10
    for person in ("bob", "ann"):
        table.bet(person, "player", "50.00", at=at)
    table.close_betting()
    for _ in range(4):
        table.draw()
    table.does(PassHands, "dee")
    (turn,) = dealer_acts(table.table, table.game, Milestones(), table.now, PACE)
    assert isinstance(turn.command, NameHolder)
    does(table, turn.command)
    assert table.current.holders[0] == "bob"


@pytest.mark.clause("IDT-5.16.1", "IDT-5.16.2", "IDT-5.16.3")
def test_the_table_differential_is_brought_down_by_patrons_and_then_by_the_house() -> None:
    """Patrons have time to come down and to go up; what is then still too much comes off, the last wager first."""
    table = own(Play("immortal-dragon-tiger", automatic_dealer=True, differential=100_00, withdrawal_seconds=30))
    table.open_betting()
    table.bet("ann", "player", "150.00")
    table.bet("bob", "player", "100.00")
    table.close_betting()
    closed = table.now
    while table.current.differential:
        (turn,) = dealer_acts(table.table, table.game, Milestones(differential_at=closed), closed, PACE)
        assert (turn.due, type(turn.command)) == (closed + 30_000, RemoveWager)
        does(table, turn.command)
    assert {each.patron: each.amount for each in table.current.stakes.values()} == {"ann": 100_00}
    (turn,) = dealer_acts(table.table, table.game, Milestones(), table.now, PACE)
    assert isinstance(turn.command, DrawCard)


@pytest.mark.clause("REC-2")
def test_a_round_that_nobody_rules_on_is_void_in_the_end(tmp_path: Path) -> None:
    async def main() -> None:
        async with a_house(str(tmp_path / "house.db"), betting_seconds=30) as house:
            house.timing = replace(house.timing, ruling=50)
            live = await a_table(house)
            ann, dee = await a_patron(house, "ann"), await staff(house, "dee", Position.DEALER)
            done(await house.join(ann, "T1", 1, 10_000))
            await until(live, betting)
            done(await bets(house, ann, "dragon"))
            done(await gives(house, dee, ReportIncident, told="the lights flicker"))
            table = await until(live, lambda table: table.balances.get("patron:ann") == 10_000)
            voided = next(each for each in recorded(house) if isinstance(each, RoundVoided))
            assert voided.by == HOUSE
            assert table.rounds == 1
            await house.idle()
            kinds = {alert.kind for alert in await house.house_log.alerts()}
            assert kinds == {Significant.VOID, Significant.CORRECTION}

    run(main)


def test_an_offer_that_nobody_answers_is_closed_when_its_time_is_up(tmp_path: Path) -> None:
    """Silence means stay (Q34), at a table with a human dealer as well."""

    async def main() -> None:
        async with a_house(str(tmp_path / "house.db")) as house:
            live = await a_table(house, "immortal-dragon-tiger", dealer="human", method="B", withdrawal_seconds=1)
            ann, dee = await a_patron(house, "ann"), await staff(house, "dee", Position.DEALER)
            done(await house.join(ann, "T1", 1, 10_000))
            done(await house.new_shoe(dee, "T1"))
            await until(live, lambda table: table.shoe is not None)
            done(await gives(house, dee, CallPlaceYourBets))
            done(await bets(house, ann, "player"))
            done(await gives(house, dee, CallNoMoreBets))
            done(await gives(house, dee, ReportPowerFailure))
            await until(live, lambda table: table.round and table.round.halt.offer)
            await until(live, lambda table: table.round and not table.round.halt.offer)
            closed = next(each for each in recorded(house) if isinstance(each, WithdrawalOfferClosed))
            assert (closed.by, closed.silent) == (AUTO_DEALER, ("ann",))
            done(await gives(house, dee, DrawCard))  # and the dealer goes on

    run(main)


# ------------------------------------------------ the tray


@pytest.mark.clause("OPS-3")
def test_a_tray_that_is_short_is_filled_in_four_acts(tmp_path: Path) -> None:
    async def main() -> None:
        async with a_house(str(tmp_path / "house.db")) as house:
            await a_table(house, float="10.00")
            ann = await a_patron(house, "ann")
            done(await house.join(ann, "T1", 1, 100_000))
            acts = [each for each in recorded(house) if isinstance(each, ChipRequestMoved)]
            assert [(each.request.stage, each.by) for each in acts] == [
                ("requested", AUTO_SUPERVISOR),
                ("issued", CAGE),
                ("delivered", HOUSE),
                ("accepted", AUTO_DEALER),
            ]

    run(main)


def test_what_winners_are_paid_is_in_the_tray_before_they_are() -> None:
    table = own(
        Play("dragon-tiger", cards="KS KH", float_counted=4_000_000 + 100, automatic_dealer=True, chips="electronic")
    )
    table.open_betting()
    table.bet("ann", "tie", "200.00")
    table.close_betting()
    table.deal()
    table.does(AnnounceResult, "dee")
    assert owed(table.table, table.game) > in_tray(table.table) == 100
    table.refused(SettleRound, "dee", "OPS-2")
    acts = []
    while (act := filling(table.table, owed(table.table, table.game), table.now)) is not None:
        acts.append(type(act))
        does(table, act)
    assert acts == [RequestChips, IssueChips, DeliverChips]
    table.does(AcceptChips, "dee", number=1)  # who has the deal
    table.does(SettleRound, "dee")


def test_where_a_person_has_the_deal_that_person_accepts_the_fill() -> None:
    table = own(Play("dragon-tiger", chips="electronic"))
    for step in (RequestChips, IssueChips, DeliverChips):
        act = filling(table.table, 10**10, table.now)
        assert isinstance(act, step)
        does(table, act)
    table.does(TakeTheDeal, "dee")
    assert filling(table.table, 10**10, table.now) is None
    table.does(AcceptChips, "dee", number=1)
    assert in_tray(table.table) > 10**10


def test_real_chips_are_carried_by_people_and_the_house_fills_nothing() -> None:
    table = own(Play("dragon-tiger", chips="physical"))
    assert filling(table.table, 10**10, table.now) is None


def test_a_fill_that_was_begun_is_ended_by_whoever_takes_over() -> None:
    table = own(Play("dragon-tiger", chips="electronic"))
    first = filling(table.table, 10**10, table.now)
    assert isinstance(first, RequestChips)
    does(table, first)
    second = filling(table.table, 0, table.now)  # another node, which needs nothing itself
    assert isinstance(second, IssueChips)
    assert second.by == CAGE


# ------------------------------------------------ people deal


def test_at_a_table_with_a_human_dealer_the_house_deals_nothing(tmp_path: Path) -> None:
    async def main() -> None:
        async with a_house(str(tmp_path / "house.db")) as house:
            live = await a_table(house, dealer="human")
            ann, dee = await a_patron(house, "ann"), await staff(house, "dee", Position.DEALER)
            done(await house.join(ann, "T1", 1, 10_000))
            assert not is_dealt_automatically(live.state)
            assert refused(await gives(house, dee, CallPlaceYourBets)).reason == SHOE_NOT_LOADED()
            shoe = done(await house.new_shoe(dee, "T1", "shoe"))
            assert await house.new_shoe(dee, "T1", "shoe") == replace(shoe, duplicate=True)
            await until(live, lambda table: table.shoe is not None)
            done(await gives(house, dee, CallPlaceYourBets))
            done(await bets(house, ann, "dragon"))
            done(await gives(house, dee, CallNoMoreBets))
            for command in (DrawCard, DrawCard, AnnounceResult, SettleRound):
                done(await gives(house, dee, command))
            assert {each.by for each in recorded(house) if isinstance(each, RoundEnded)} == {"dee"}
            assert checked(house.store).rounds == 1

    run(main)


def test_the_house_does_not_deal_while_a_person_has_the_deal() -> None:
    table = own(Play("dragon-tiger", automatic_dealer=True))
    assert is_dealt_automatically(table.table)
    table.does(TakeTheDeal, "dee")
    assert not is_dealt_automatically(table.table)
    table.does(TakeTheDeal, AUTO_DEALER)
    assert is_dealt_automatically(table.table)


def test_cards_of_a_physical_shoe_are_left_to_whoever_holds_them() -> None:
    table = own(Play("dragon-tiger", automatic_dealer=True, device="hand-shoe"))
    table.open_betting()
    table.bet("ann", "dragon", "50.00")
    table.close_betting()
    assert not [*dealer_acts(table.table, table.game, Milestones(), table.now, PACE)]
    table.draw("KS", "2H")
    (turn,) = dealer_acts(table.table, table.game, Milestones(), table.now, PACE)
    assert isinstance(turn.command, AnnounceResult)


@pytest.mark.clause("REC-2")
def test_a_suspended_table_ends_its_round_and_starts_no_other(tmp_path: Path) -> None:
    async def main() -> None:
        async with a_house(str(tmp_path / "house.db"), betting_seconds=0.2) as house:
            live = await a_table(house)
            ann, sue = await a_patron(house, "ann"), await staff(house, "sue", Position.PIT_SUPERVISOR)
            done(await house.join(ann, "T1", 1, 10_000))
            await until(live, betting)
            done(await bets(house, ann, "dragon"))
            done(await gives(house, sue, SuspendTable, reason="a look at the shoe"))
            await until(live, lambda table: table.round is None)
            last = live.sequence
            done(await gives(house, sue, ResumeTable, reason="all is well"))
            assert live.sequence >= last + 1
            assert [number for number, each in enumerate(recorded(house), 1) if isinstance(each, TableResumed)] == [
                last + 1
            ]
            await until(live, betting)

    run(main)
