"""Readings that only a live table can tell apart, under the options that a house may choose."""

from __future__ import annotations

from typing import Any

import longhu
from longhu.ledger import LedgerError
from longhu.table.betting import CapArea, PlaceWager, TakeWagerBack
from longhu.table.betting_phase import CallPlaceYourBets
from longhu.table.dealer import automatic_act
from longhu.table.dealing import DrawCard
from longhu.table.engine import evolve
from longhu.table.handling import GrantSqueeze
from longhu.table.irregularities.late import ReportLiftedWager, ReportOffLimitsWager
from longhu.table.messages import TABLE_STOPPED
from longhu.table.nominees import AnnounceNominee, ApproveNominee, NameNominee
from longhu.table.remedies.void import CancelExpiredRound
from longhu.table.suspension import stopped_by
from tests.table.rounds import Play

IDT, DBO = "immortal-dragon-tiger", "dragon-bonus-online"
BANKER_WINS = "2D 9C KC QC"
DAYS = 24 * 60 * 60 * 1000


def play(game: str = IDT, cards: str = BANKER_WINS, settings: dict[str, Any] | None = None, **readings: str) -> Play:
    return Play(longhu.game(game, **readings).definition, cards=cards, **(settings or {}))


def test_betting_may_stay_open_until_the_first_card() -> None:
    """Q08, close_on=first-card: the call is made, and wagers are still taken until a card is drawn."""
    table = play(close_on="first-card")
    table.open_betting()
    table.close_betting()
    table.bet("ann", "banker", "50.00")
    table.does(TakeWagerBack, "ann", place=1, wager="banker")
    table.bet("ann", "banker", "50.00")
    table.does(DrawCard, "dee")
    table.refused(PlaceWager, "ann", place=1, wager="tie", amount=50_00)
    table.refused(TakeWagerBack, "ann", place=1, wager="banker")
    usual = play()
    usual.open_betting()
    usual.close_betting()
    usual.refused(PlaceWager, "ann", "IDT-5.4a", place=1, wager="banker", amount=50_00)


def test_thirty_days_may_count_from_the_first_card() -> None:
    table = play(DBO, "9S 2H KD 5C", expiry="from-deal")
    table.open_betting()
    table.bet("ann", "player", "10.00")
    start = table.now
    table.close_betting()
    table.refused(CancelExpiredRound, "house", at=start + 40 * DAYS)
    table.does(DrawCard, "dee", at=start + 41 * DAYS)
    table.refused(CancelExpiredRound, "house", at=start + 71 * DAYS)
    table.does(CancelExpiredRound, "house", at=start + 71 * DAYS + 1)
    assert table.table.round is None


def test_a_wager_under_the_minimum_may_be_remembered_for_a_shoe_only() -> None:
    for memory, remembered in (("gaming-day", True), ("shoe", False)):
        table = play(undermin_memory=memory)
        table.open_betting()
        table.close_betting()
        table.does(ReportOffLimitsWager, "dee", patron="ann", place=1, wager="banker", amount=1)
        table.finish()
        assert "ann" in table.table.short_once
        table.load(BANKER_WINS)
        assert ("ann" in table.table.short_once) is remembered


def test_a_cap_on_an_area_may_count_chips() -> None:
    patrons = play()
    patrons.does(CapArea, "pam", place=1, wager="banker", most=1)
    patrons.open_betting()
    patrons.bet("ann", "banker", "50.00")
    patrons.bet("ann", "banker", "50.00")
    patrons.refused(PlaceWager, "bob", "IDT-3.7", place=1, wager="banker", amount=50_00)
    chips = play(area_count="chips")
    chips.does(CapArea, "pam", place=1, wager="banker", most=2)
    chips.open_betting()
    chips.does(PlaceWager, "ann", place=1, wager="banker", amount=50_00, chips=(25_00, 25_00))
    chips.refused(PlaceWager, "ann", "IDT-3.7", place=1, wager="banker", amount=50_00)
    chips.does(PlaceWager, "ann", place=1, wager="tie", amount=50_00)


def test_a_designee_may_have_to_be_a_nominee() -> None:
    """Q32, designee_rules=nominee: a standing person squeezes only as an announced nominee."""
    table = play(settings={"method": "A"}, designee_rules="nominee")
    table.open_betting()
    table.refused(GrantSqueeze, "pam", "IDT-3.15", hand="banker", person="stan")
    table.does(GrantSqueeze, "pam", hand="banker", person="ann")
    table.does(NameNominee, "ann", person="stan")
    table.does(ApproveNominee, "sue", patron="ann")
    table.does(AnnounceNominee, "sue", patron="ann")
    table.does(GrantSqueeze, "pam", hand="banker", person="stan")


def test_a_device_may_hold_the_stakes_after_the_call() -> None:
    for option, allowed in (("ledger", True), ("block", False)):
        table = play(late_withdrawal=option)
        table.open_betting()
        table.bet("ann", "banker", "50.00")
        table.close_betting()
        if allowed:
            table.does(ReportLiftedWager, "dee", patron="ann", place=1, wager="banker")
        else:
            table.refused(ReportLiftedWager, "dee", "IDT-5.5", patron="ann", place=1, wager="banker")


def test_a_table_deals_by_itself_only_where_the_house_has_set_it_so() -> None:
    for automatic in (True, False):
        table = play(settings={"automatic_dealer": automatic})
        act = automatic_act(table.table, table.game, by="dee", at=table.now)
        assert isinstance(act, CallPlaceYourBets) is automatic
        assert table.notice.dealer == ("automatic" if automatic else "human")


def test_a_defect_stops_the_table() -> None:
    table = play()
    table.open_betting()
    stopped = stopped_by(LedgerError("patron:ann would stand at -5"), at=table.now)
    table.table = evolve(table.table, stopped)
    refusal = table.refused(PlaceWager, "ann", place=1, wager="banker", amount=50_00)
    assert refusal.reason == TABLE_STOPPED()
    assert table.table.stopped == "LedgerError: patron:ann would stand at -5"
