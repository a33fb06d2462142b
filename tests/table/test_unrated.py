"""Chips by position and spot that belong to no account: one path with everybody else's, money in circulation, nobody's statement."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from longhu.games.registry import built_in
from longhu.ledger import CIRCULATION, chips_account
from longhu.messages.localization import Localization
from longhu.messages.message import Message
from longhu.money import parse
from longhu.positions import Position
from longhu.server.streams.projections import Milestones, plays_and_round
from longhu.table.betting import SPOT_ELSEWHERE, PlaceWager, TakeWagerBack, WagerPlaced
from longhu.table.cash import BuyIn, in_tray
from longhu.table.dealing import AnnounceResult, AnnounceTotals
from longhu.table.handling import PassHands, PassToSpot, RefuseHand, RevealHand
from longhu.table.irregularities.late import ChipsEntered, ReportOffLimitsWager, ReportUnenteredChips
from longhu.table.irregularities.power import ReportMalfunction
from longhu.table.messages import NOT_AT_TABLE, ConfirmationAwaited
from longhu.table.open_acts import open_acts
from longhu.table.opening import PATRONS_STILL_HERE, ChangeSettings, CloseTable, OpenTable, TableClosed
from longhu.table.people import TABLE_RATES_NOBODY, AssignStaff, JoinTable
from longhu.table.requirements import UNRATED_NEEDS_DEALER, UNRATED_NOT_REAL, UNRATED_PAYS_IN_PARTS
from longhu.table.settling import SettleRound, WagerSettled
from longhu.table.spots import Spot, spot_of
from longhu.table.state import Limit, seat_of
from longhu.table.theory import Theory, figures
from longhu.table.tie_returns import ChangeReturnedWager
from longhu.table.views import Role, Viewer, view
from tests.table.rounds import STAFF, Play

GAMES = tuple(built_in())
BANKER_WINS = ("2D", "KC", "3D", "6C", "KH")  # Immortal Dragon Tiger: 5 and a king against 6


def unrated(game: str = "immortal-dragon-tiger", **settings: Any) -> Play:
    """A table that rates nobody, with real cards."""
    if game == "immortal-dragon-tiger":
        settings = {"method": "B", **settings}
    usual = {"people": {}, "patrons": "unrated", "device": "hand-shoe"}
    return Play(game, **{**usual, **settings})


def lies(play: Play, spot: str, wager: str, amount: str) -> list[Any]:
    """The dealer enters chips at a spot."""
    known = spot_of(spot)
    assert known is not None
    return play.does(PlaceWager, "dee", patron=spot, place=known.place, wager=wager, amount=parse(amount))


def dealt(play: Play, *cards: str) -> None:
    """Real cards are drawn one after the other, totals after the first four."""
    play.close_betting()
    play.draw(*cards[:4])
    if len(cards) > 4 and "announce-totals" in play.game.cites:
        play.does(AnnounceTotals, "dee")
    if len(cards) > 4:
        play.draw(*cards[4:])
    play.does(AnnounceResult, "dee")


def circulating(play: Play) -> int:
    return play.table.balances.get(CIRCULATION, 0)


# ------------------------------------------------ money


@pytest.mark.clause("OPS-2", "OPS-4", "MON-1")
@pytest.mark.parametrize("game", GAMES)
def test_what_the_tray_loses_to_a_spot_is_in_circulation_and_a_count_that_agrees_is_not_off(game: str) -> None:
    play = unrated(game, device="virtual", cards="KS 2D 9H 3C")
    wager, other = [id for id, each in play.game.offered(play.settings.layout).items() if each.hand][:2]
    before = in_tray(play.table)
    play.open_betting()
    lies(play, "@1.1", wager, "20.00")
    lies(play, "@1.2", other, "40.00")
    assert circulating(play) == -60_00
    settled = [each for each in play.finish() if isinstance(each, WagerSettled)]
    assert {each.stake.patron for each in settled} == {"@1.1", "@1.2"}
    assert circulating(play) == sum(each.net for each in settled) == before - in_tray(play.table) != 0
    assert not any(account.startswith("patron:") for account in play.table.balances)
    play.does(CloseTable, "sue", float_counted=in_tray(play.table), counted_by=("sue", "dee"))
    closed = play.last(TableClosed)
    assert (closed.difference, closed.win) == (0, closed.float_counted - before)
    assert {account for account in play.table.balances if account != "cage"} == set()


@pytest.mark.clause("OPS-4")
def test_a_win_at_a_spot_is_in_the_totals_of_the_table_and_in_nobodys_statement() -> None:
    play = unrated()
    play.does(BuyIn, "dee", patron="@4.1", amount=1000_00)
    play.open_betting()
    lies(play, "@3.1", "banker", "300.00")
    dealt(play, *BANKER_WINS)
    settled = play.does(SettleRound, "dee")
    plays, entry = plays_and_round("T1", Milestones(), 1, settled)
    assert plays == ()
    assert entry is not None
    theory = Theory(lambda _, decks: figures(play.game, decks))
    for event in play.log:
        theory.take(event)
    assert (theory.win, theory.staked) == (-285_00, 300_00)
    assert play.table.balances["drop:T1"] == 1000_00


@pytest.mark.clause("MON-2")
def test_whole_chips_are_paid_since_nobody_can_be_owed_the_rest() -> None:
    """A chip of 5.00 pays 5 % of 100.00 and not of 25.00; a rounding that is posted is another way."""
    limits = {id: Limit(25_00, 1000_00) for id in unrated().settings.limits}
    play = unrated(open=False, chip_unit=5_00, limits=limits)
    opening = play.opening(float_counted=100_000_00, chips={1000_00: 100})
    refusal = play.refused(OpenTable, "opal", "MON-2", **opening)
    assert refusal.reason.code == UNRATED_PAYS_IN_PARTS.code
    told = Localization("en").text(refusal.reason)
    assert "banker" in told.lower()
    assert "tie" not in told.lower()
    steps = {id: replace(each, min=100_00, increment=100_00) for id, each in limits.items()}
    play.does(OpenTable, "opal", **{**opening, "settings": replace(play.settings, limits=steps)})


@pytest.mark.clause("IDT-5.12a", "MON-2")
def test_what_comes_to_no_chip_at_a_spot_is_the_tables_once_it_closes() -> None:
    """A wager under the minimum is off the steps, too: 10.00 on Banker wins 9.50, and the chip is 5.00."""
    play = unrated(chip_unit=5_00, limits={id: Limit(100_00, 1000_00, 100_00) for id in unrated().settings.limits})
    play.open_betting()
    play.close_betting()
    play.does(ReportOffLimitsWager, "dee", patron="@4.1", place=4, wager="banker", amount=10_00)
    play.draw(*BANKER_WINS[:4])
    play.does(AnnounceTotals, "dee")
    play.draw(BANKER_WINS[4])
    play.does(AnnounceResult, "dee")
    play.does(SettleRound, "dee")
    assert (circulating(play), play.table.balances["owed:@4.1"]) == (5_00, 4_50)
    assert view(play.table, play.game, Viewer("dee", Role.DEALER)).owes == {"@4.1": 4_50}
    play.does(CloseTable, "sue", float_counted=in_tray(play.table), counted_by=("sue", "dee"))
    closed = play.last(TableClosed)
    assert (closed.unclaimed, closed.breakage, closed.win) == ({"@4.1": 4_50}, 0, -5_00)
    assert set(play.table.balances) <= {"cage"}


@pytest.mark.clause("DBO-MALF-1")
def test_a_round_that_is_reversed_takes_from_a_spot_what_it_was_paid() -> None:
    play = unrated("dragon-bonus-online", device="virtual", cards="KS 2D 9H 3C")
    play.open_betting()
    lies(play, "@1.1", "player", "20.00")
    play.finish()
    assert circulating(play) == 20_00
    play.does(ReportMalfunction, "sue", number=1)
    assert (circulating(play), in_tray(play.table)) == (0, 100_000_000)


# ------------------------------------------------ the setting


@pytest.mark.clause("OPS-2")
@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"chips": "electronic"}, UNRATED_NOT_REAL.code),
        ({"automatic_dealer": True}, UNRATED_NEEDS_DEALER.code),
    ],
)
def test_chips_of_no_account_are_real_and_a_person_deals(changes: dict[str, Any], code: str) -> None:
    play = unrated(open=False, **changes)
    opening = play.opening(float_counted=100_000_00, chips={1000_00: 100})
    assert play.refused(OpenTable, "opal", "OPS-2", **opening).reason.code == code


def test_nobody_sits_down_where_nobody_is_rated_and_nobody_is_called_like_a_spot() -> None:
    play = unrated()
    assert play.refused(JoinTable, "ann", seat=1).reason.code == TABLE_RATES_NOBODY.code
    both = unrated(patrons="both")
    both.refused(JoinTable, "@3.1", seat=1)
    both.refused(AssignStaff, "opal", person="@3.1", to=Position.DEALER)
    both.does(JoinTable, "ann", seat=1)
    gone = both.refused(ChangeSettings, "sue", changes={"patrons": "unrated"})
    assert gone.reason.code == PATRONS_STILL_HERE.code


def test_a_table_of_accounts_has_no_spots() -> None:
    play = Play("dragon-tiger")
    play.open_betting()
    refusal = play.refused(PlaceWager, "dee", patron="@3.1", place=3, wager="dragon", amount=25_00)
    assert refusal.reason.code == NOT_AT_TABLE.code
    assert play.refused(BuyIn, "dee", patron="@3.1", amount=25_00).reason.code == NOT_AT_TABLE.code


# ------------------------------------------------ wagers


def test_chips_lie_at_the_position_of_their_spot_and_only_staff_enters_them() -> None:
    play = unrated(patrons="both", people={"ann": 1})
    play.open_betting()
    wrong = play.refused(PlaceWager, "dee", patron="@3.1", place=4, wager="tie", amount=25_00)
    assert wrong.reason.code == SPOT_ELSEWHERE.code
    play.refused(PlaceWager, "ann", patron="@3.1", place=3, wager="tie", amount=25_00)
    for nowhere in ("@99.1", "@3.21", "@0.1", "@3", "@3.01"):
        play.refused(PlaceWager, "dee", patron=nowhere, place=3, wager="tie", amount=25_00)
    placed = lies(play, "@3.2", "tie", "25.00")[0]
    assert isinstance(placed, WagerPlaced)
    assert (placed.stake.requested, placed.stake.confirmed) == (False, True)
    play.does(TakeWagerBack, "dee", patron="@3.2", place=3, wager="tie")
    assert circulating(play) == 0


@pytest.mark.clause("IDT-3.5.1b")
def test_the_limits_of_the_notice_hold_at_each_spot() -> None:
    play = unrated()
    play.open_betting()
    lies(play, "@3.1", "banker", "1000.00")
    over: dict[str, Any] = {"place": 3, "wager": "banker", "amount": 5_00}
    assert play.refused(PlaceWager, "dee", patron="@3.1", **over).reason.code == "wager-above-maximum"
    play.does(PlaceWager, "dee", patron="@3.2", **over)
    under = play.refused(PlaceWager, "dee", patron="@4.1", place=4, wager="banker", amount=1_00)
    assert under.reason.code == "wager-below-minimum"


@pytest.mark.clause("IDT-5.16")
def test_chips_that_are_entered_before_the_first_card_count_for_the_differential() -> None:
    play = unrated(differential=500_00)
    play.open_betting()
    play.close_betting()
    told = play.does(ReportUnenteredChips, "dee", patron="@3.1", place=3, wager="banker", amount=900_00)
    assert [type(each).__name__ for each in told] == ["ChipsEntered", "DifferentialExceeded"]
    lowered = play.does(TakeWagerBack, "dee", patron="@3.1", place=3, wager="banker", amount=400_00)
    assert type(lowered[-1]).__name__ == "DifferentialMet"


@pytest.mark.clause("SEC-1")
def test_once_a_card_is_out_nobody_alone_says_what_lay_at_a_spot() -> None:
    play = unrated()
    play.open_betting()
    play.close_betting()
    play.draw("2D")
    entry = {"patron": "@3.1", "place": 3, "wager": "banker", "amount": 100_00}
    waiting = play.asks(ReportUnenteredChips, "dee", **entry)
    assert isinstance(waiting, list)
    assert isinstance(waiting[-1], ConfirmationAwaited)
    assert not play.current.stakes
    assert circulating(play) == 0


def test_chips_that_were_entered_too_many_or_not_at_all_are_as_they_lie() -> None:
    play = unrated()
    play.open_betting()
    lies(play, "@3.1", "banker", "300.00")
    play.close_betting()
    entered: dict[str, Any] = {"patron": "@3.1", "place": 3, "wager": "banker"}
    play.does(ReportUnenteredChips, "dee", amount=200_00, **entered)
    assert play.last(ChipsEntered).added == -100_00
    assert play.refused(ReportUnenteredChips, "dee", amount=200_00, **entered).reason.code == "reported-already"
    play.does(ReportUnenteredChips, "dee", amount=0, **entered)
    assert not play.current.stakes
    assert circulating(play) == 0
    rated: dict[str, Any] = {"patron": "ann", "place": 3, "wager": "banker", "amount": 100_00}
    assert play.refused(ReportUnenteredChips, "dee", **rated).reason.code == "no-spot"


@pytest.mark.clause("D21-5.11")
def test_a_spot_whose_wager_a_tie_gave_back_may_let_it_lie() -> None:
    play = unrated("dragon-21", device="virtual", cards="TS TH 9H 9C")
    play.open_betting()
    lies(play, "@3.1", "dragon", "50.00")
    play.finish()
    assert circulating(play) == 0
    play.does(ChangeReturnedWager, "dee", patron="@3.1", place=3, wager="dragon", amount=30_00)
    play.open_betting()
    assert [each.amount for each in play.current.stakes_of("@3.1")] == [30_00]


# ------------------------------------------------ cards


@pytest.mark.clause("D21-5.6c")
def test_spot_1_is_seated_and_any_other_stands() -> None:
    play = unrated("dragon-21", method="B")
    assert (seat_of(play.table, "@3.1"), seat_of(play.table, "@3.2")) == (3, None)
    play.open_betting()
    lies(play, "@3.2", "dragon", "500.00")
    lies(play, "@4.1", "dragon", "50.00")
    play.close_betting()
    play.draw("", "", "", "")
    play.does(PassHands, "dee")
    assert play.current.holders == ("@4.1", "")
    play.refused(PassToSpot, "dee", "D21-5.6b", hand="tiger", patron="@3.2")
    play.does(PassToSpot, "dee", hand="tiger", patron="@3.1")
    play.does(RefuseHand, "dee", hand="tiger")
    assert play.current.holders == ("@4.1", "")
    assert RevealHand in open_acts(play.table, play.game, "dee", play.now)


def test_cards_on_a_screen_are_handed_to_no_spot() -> None:
    play = unrated(method="A", device="virtual")
    play.open_betting()
    lies(play, "@3.1", "player", "500.00")
    play.close_betting()
    play.draw("", "", "", "")
    play.does(PassHands, "dee")
    assert play.current.holders == ("", "")
    play.refused(PassToSpot, "dee", hand="player", patron="@3.1")


# ------------------------------------------------ who sees what


@pytest.mark.clause("OPS-1")
def test_everybody_sees_the_chips_by_area_and_nobody_the_tray() -> None:
    play = unrated()
    play.open_betting()
    lies(play, "@3.2", "banker", "300.00")
    for role in (Role.SPECTATOR, Role.DEALER, Role.PIT):
        seen = view(play.table, play.game, Viewer("", role))
        assert seen.round is not None
        assert [(each.patron, each.place, each.amount) for each in seen.round.stakes] == [("@3.2", 3, 300_00)]
        assert not {CIRCULATION, "float:T1"} & set(seen.balances or {})
    audited = view(play.table, play.game, Viewer("", Role.AUDITOR)).balances
    assert audited is not None
    assert audited[CIRCULATION] == -300_00


def test_a_spot_is_told_in_words() -> None:
    told = Message("not-at-table", {"person": "@3.2"})
    assert "Position 3, spot 2" in Localization("en").text(told)
    assert "3 号位第 2 注" in Localization("zh-Hans").text(told)
    assert "Position 3 " in Localization("en").text(Message("not-at-table", {"person": Spot(3).name}))


def test_a_spot_has_no_account() -> None:
    assert [chips_account(each) for each in ("ann", "@3.1")] == ["patron:ann", "circulation"]
    assert "@3.1" not in STAFF
