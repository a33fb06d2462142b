"""What each person may see and do: faces, balances, the scoreboard, offers, and the acts that are open to them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from longhu.eventsourcing import Refusal
from longhu.games.registry import built_in
from longhu.positions import Position
from longhu.table.betting import ConfirmWager, PlaceWager, TakeWagerBack
from longhu.table.betting_phase import CallNoMoreBets, CallPlaceYourBets
from longhu.table.cash import BuyIn, CashOut
from longhu.table.dealing import AnnounceResult, AnnounceTotals, DrawCard
from longhu.table.engine import decide
from longhu.table.handling import ChooseFirstHand, GrantSqueeze, PassHands, RefuseHand, RevealHand, SqueezeCard
from longhu.table.irregularities.rulings import MakeRuling, ReportIncident
from longhu.table.messages import AS_TOLD, Command
from longhu.table.nominees import AnnounceNominee, ApproveNominee, NameNominee
from longhu.table.open_acts import open_acts
from longhu.table.opening import ChangeSettings, CloseTable, PostedLimit
from longhu.table.people import JoinTable
from longhu.table.remedies.mispassed import ReportMispassedHand
from longhu.table.remedies.procedure import ReportIrregularity
from longhu.table.settling import SettleRound
from longhu.table.shoe import LoadShoe
from longhu.table.shuffling import RevealShuffle
from longhu.table.state import Halt, Limit, Offer, Table
from longhu.table.views import (
    INFORMATION_ONLY,
    STAFF,
    WAITS_FOR_ANSWERS,
    WAITS_FOR_RULING,
    Role,
    View,
    Viewer,
    view,
    viewer,
)
from tests.table.other_secrets import Sights, leaks
from tests.table.rounds import Play, equipment_for

GAMES = tuple(built_in())
EVERYBODY = ("ann", "bob", "cay", "stan", "dee", "sue", "pam", "gus", "opal", "passer-by")
AUDITOR, SPECTATOR = Viewer("aud", Role.AUDITOR), Viewer()


def seen(play: Play, person: str) -> View:
    return view(play.table, play.game, viewer(play.table, person))


def everybody(table: Table) -> list[Viewer]:
    return [*(viewer(table, person) for person in EVERYBODY), AUDITOR, SPECTATOR]


def faces(view: View) -> list[str | None]:
    assert view.round is not None
    return [card.face for card in view.round.cards]


def passed(cards: str = "2D KC 3D 6C 9H") -> Play:
    """Method A: four cards face down; ann has the Player hand, bob the Banker hand."""
    play = Play("immortal-dragon-tiger", cards=cards, method="A")
    play.open_betting()
    play.bet("ann", "player", "100.00")
    play.bet("bob", "banker", "200.00")
    play.close_betting()
    for _ in range(4):
        play.draw()
    play.does(PassHands, "dee")
    return play


# ------------------------------------------------ roles


def test_the_table_knows_as_what_somebody_looks() -> None:
    play = Play("dragon-21")
    roles = {person: viewer(play.table, person).role for person in ("ann", "stan", "dee", "sue", "opal", "passer-by")}
    assert roles == {
        "ann": Role.PATRON,
        "stan": Role.PATRON,
        "dee": Role.DEALER,
        "sue": Role.PIT,
        "opal": Role.PIT,
        "passer-by": Role.SPECTATOR,
    }
    audited = replace(play.table, staff={**play.table.staff, "aud": Position.AUDITOR})
    assert viewer(audited, "aud") == AUDITOR


@pytest.mark.parametrize("id", GAMES)
def test_a_view_is_plain_data_and_reads_back_from_json(id: str) -> None:
    play = Play(id)
    play.open_betting()
    for who in everybody(play.table):
        shown = view(play.table, play.game, who)
        assert msgspec.json.decode(msgspec.json.encode(shown), type=View) == shown


def test_a_closed_table_shows_that_it_is_closed() -> None:
    play = Play("dragon-tiger", open=False)
    shown = view(play.table, play.game, SPECTATOR)
    assert (shown.open, shown.notice, shown.round, shown.cards_left, shown.display) == (False, None, None, None, None)


# ------------------------------------------------ cards


@pytest.mark.clause("IDT-3.10.2")
def test_a_face_down_card_has_no_face_to_anybody() -> None:
    play = passed()
    for who in everybody(play.table):
        assert faces(view(play.table, play.game, who)) == [None] * 4


@pytest.mark.clause("IDT-1.1.13")
def test_a_holder_sees_a_card_once_he_has_squeezed_it_and_nobody_else_does() -> None:
    play = passed("2D KC 3D 6C")
    play.does(SqueezeCard, "ann", place=0, step=1)
    assert faces(seen(play, "ann")) == ["2D", None, None, None]
    for other in ("bob", "cay", "dee", "sue", "opal", "passer-by"):
        assert faces(seen(play, other)) == [None] * 4
    assert faces(view(play.table, play.game, AUDITOR)) == [None] * 4


def test_a_hand_that_is_turned_over_is_seen_by_all() -> None:
    play = passed("2D KC 3D 6C")
    play.does(RevealHand, "ann", hand="player")
    for who in everybody(play.table):
        assert faces(view(play.table, play.game, who)) == ["2D", None, "3D", None]


def test_the_next_holder_has_not_seen_what_the_one_before_squeezed() -> None:
    play = Play("immortal-dragon-tiger", cards="2D KC 3D 6C", method="A")
    play.open_betting()
    play.bet("ann", "player", "200.00")
    play.bet("bob", "player", "100.00")
    play.close_betting()
    for _ in range(4):
        play.draw()
    play.does(PassHands, "dee")
    play.does(SqueezeCard, "ann", place=0, step=3)
    refused = play.asks(RefuseHand, "ann", hand="player")
    if isinstance(refused, Refusal):  # whoever has looked keeps the hand: nothing to leak
        return
    assert faces(seen(play, "bob")) == [None] * 4
    play.does(SqueezeCard, "bob", place=0, step=1)
    assert faces(seen(play, "bob"))[0] == "2D"


@pytest.mark.parametrize("to", ["bob", "cay"])
def test_a_hand_that_goes_to_the_wrong_person_does_not_take_along_what_was_seen(to: str) -> None:
    play = passed("2D KC 3D 6C")
    play.does(SqueezeCard, "ann", place=0, step=1)
    play.does(ReportMispassedHand, "dee", hand="player", to=to)
    assert faces(seen(play, to)) == [None] * 4
    for who in everybody(play.table):
        assert leaks(play.table, play.game, who, Sights(play.log)) == ""


def test_the_record_of_who_has_looked_does_not_ask_the_table() -> None:
    """A card that is marked as seen, and that its holder has never looked at, is a secret to the holder."""
    play = passed("2D KC 3D 6C")
    round = play.current
    marked = tuple(replace(each, seen=True, bent=1) for each in round.cards)
    wrong = replace(play.table, round=replace(round, cards=marked))
    assert "SECRET" in leaks(wrong, play.game, viewer(wrong, "ann"), Sights(play.log))


@pytest.mark.clause("D21-8.0d")
def test_style_b_shows_faces_to_the_designated_seat_alone_until_it_reveals_them() -> None:
    play = Play("dragon-21", cards="TS 9H TH 9C", method="B")
    play.open_betting()
    play.bet("ann", "dragon", "50.00")
    play.bet("bob", "tiger", "50.00")
    play.close_betting()
    for _ in range(4):
        play.draw()
    play.does(PassHands, "dee")
    play.does(SqueezeCard, "ann", place=0, step=1)
    play.does(SqueezeCard, "ann", place=2, step=1)
    assert faces(seen(play, "ann")) == ["TS", None, "TH", None]
    for who in everybody(play.table):
        if who.person != "ann":
            assert faces(view(play.table, play.game, who)) == [None] * 4
    play.does(RevealHand, "ann", hand="dragon")
    assert faces(seen(play, "passer-by")) == ["TS", None, "TH", None]


def test_totals_are_shown_as_announced_and_tell_nothing_of_a_card_since() -> None:
    play = passed("2D KC 3D 6C 9H")  # Player 5, Banker 6; Player draws a 9
    play.does(RevealHand, "ann", hand="player")
    play.does(RevealHand, "bob", hand="banker")
    assert seen(play, "cay").round.totals is None  # type: ignore[union-attr]
    play.does(AnnounceTotals, "dee")
    assert seen(play, "cay").round.totals == (5, 6)  # type: ignore[union-attr]
    play.draw()
    assert faces(seen(play, "cay"))[4] is None
    assert seen(play, "cay").round.totals == (5, 6)  # type: ignore[union-attr]
    play.does(RevealHand, "ann", hand="player")
    play.does(AnnounceResult, "dee")
    told = seen(play, "cay").round
    assert told is not None
    assert (told.totals, told.winner) == ((4, 6), "banker")


# ------------------------------------------------ the shoe


@pytest.mark.parametrize("id", GAMES)
def test_no_view_tells_the_order_of_the_shoe_or_what_is_left_in_it(id: str) -> None:
    """Everything that a viewer may not know is altered to marks: no text has them, and no view is another for it."""
    play = Play(id)
    main = next(wager.id for wager in play.game.wagers.values() if wager.hand)
    play.open_betting()
    play.bet("ann", main, "50.00")
    play.close_betting()
    for _ in range(play.game.procedure.initial_cards):
        play.draw()
        for who in everybody(play.table):
            assert leaks(play.table, play.game, who, Sights(play.log)) == ""


def test_the_search_for_leaks_finds_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Views that tell a face, the order, or a balance are caught."""
    play = passed()
    honest = view
    for leak in (
        lambda table: table.round.cards[0].card,
        lambda table: str(table.shoe.counts[0] - table.shoe.counts[-1]),
        lambda table: str(table.balances["patron:bob"]),
    ):

        def leaky(table: Table, game: Any, who: Viewer, leak: Any = leak) -> View:
            return replace(honest(table, game, who), stopped=leak(table))

        monkeypatch.setattr("tests.table.other_secrets.view", leaky)
        assert leaks(play.table, play.game, viewer(play.table, "cay"), Sights(play.log))


def test_how_many_cards_are_left_is_told_as_a_number() -> None:
    play = Play("dragon-tiger", decks=8)
    assert seen(play, "ann").cards_left == 416
    play.round(ann={"dragon": "50.00"})
    assert seen(play, "ann").cards_left == 414


def test_only_the_auditor_sees_counts_and_only_of_cards_that_lay_open() -> None:
    play = passed("2D KC 3D 6C")
    assert view(play.table, play.game, AUDITOR).exposed == {}
    play.does(RevealHand, "ann", hand="player")
    assert view(play.table, play.game, AUDITOR).exposed == {"2D": 1, "3D": 1}
    assert all(seen(play, person).exposed is None for person in EVERYBODY)


def test_cards_of_a_void_round_that_were_never_turned_over_stay_unseen() -> None:
    play = passed("2D KC 3D 6C")
    play.does(RevealHand, "ann", hand="player")
    play.does(ReportIncident, "dee", told="a guest falls on the table")
    play.does(MakeRuling, "opal", decision="void", reason="the cards are mixed up")
    assert play.table.round is None
    assert view(play.table, play.game, AUDITOR).exposed == {"2D": 1, "3D": 1}


# ------------------------------------------------ money


def test_chips_on_the_layout_are_seen_by_all_and_balances_by_their_owner() -> None:
    play = passed()
    for who in everybody(play.table):
        shown = view(play.table, play.game, who).round
        assert shown is not None
        ann, bob = ("ann", "bob") if who.role in STAFF else ("#1", "#2")
        assert [(each.patron, each.wager, each.amount) for each in shown.stakes] == [
            (ann, "player", 100_00),
            (bob, "banker", 200_00),
        ]
    assert seen(play, "ann").balance == 9_900_00
    assert seen(play, "bob").balance == 9_800_00
    for other in ("dee", "passer-by"):
        assert seen(play, other).balance is None
    for other in ("ann", "bob", "cay", "dee", "passer-by"):
        assert seen(play, other).balances is None


def test_pit_and_auditor_see_every_account() -> None:
    play = Play("dragon-tiger", chips="electronic")
    for shown in (seen(play, "sue"), seen(play, "opal"), view(play.table, play.game, AUDITOR)):
        assert shown.balances == play.table.balances
        assert shown.balances["patron:bob"] == 10_000_00


@pytest.mark.clause("OPS-1")
@pytest.mark.parametrize("game", ["dragon-21", "dragon-tiger", "immortal-dragon-tiger"])
def test_of_real_chips_the_ledger_of_the_tray_is_in_no_view_but_the_auditors(game: str) -> None:
    """Nor can it be worked out: what a transaction sums to zero with is not told, either."""
    play = Play(game, chips="physical")
    tray = f"float:{play.settings.table}"
    play.round(ann={next(iter(play.settings.limits)): "50.00"})
    for person in ("ann", "dee", "sue", "pam", "gus", "opal", "kit", "passer-by"):
        shown = seen(play, person)
        told = shown.balances or {}
        assert not [name for name in told if name.startswith(("float:", "cage", "world:", "over-short:", "breakage:"))]
        assert str(play.table.balances[tray]).encode() not in msgspec.json.encode(shown)
    assert view(play.table, play.game, AUDITOR).balances == play.table.balances


def test_a_patron_does_not_find_another_ones_balance_anywhere() -> None:
    play = Play("dragon-21")
    play.does(BuyIn, "dee", patron="bob", amount=1_234_567)
    held = str(play.table.balances["patron:bob"]).encode()
    assert held in msgspec.json.encode(seen(play, "bob"))
    for other in ("ann", "cay", "stan", "dee", "passer-by"):
        assert held not in msgspec.json.encode(seen(play, other))


# ------------------------------------------------ notice and display


@pytest.mark.clause("IDT-3.5.1c")
def test_the_table_notice_lists_minimum_and_maximum_of_every_wager_offered() -> None:
    play = Play("immortal-dragon-tiger", layout="C")
    for who in everybody(play.table):
        notice = view(play.table, play.game, who).notice
        assert notice is not None
        assert set(notice.limits) == set(play.game.offered("C"))
        assert all(each.min and each.max for each in notice.limits.values())
        assert notice.limits["player"] == PostedLimit(min=5_00, max=1_000_00, increment=1)


@pytest.mark.clause("D21-3.4.e")
def test_the_optional_display_shows_the_last_results_in_order_or_none() -> None:
    cards = "TS 9H TH 9C  9S TD 9D TC  TS TH TD TC"  # Dragon 20-18, Tiger 18-20, a tie at 20
    play = Play("dragon-21", cards=cards)
    for told in (["dragon"], ["dragon", "tiger"], ["dragon", "tiger", "tie"]):
        play.round(ann={"dragon": "50.00"})
        shown = seen(play, "ann").display
        assert shown is not None
        assert [each.winner for each in shown.results] == told
    without = Play("dragon-21", cards=cards, equipment=equipment_for(8, display=False))
    without.round(ann={"dragon": "50.00"})
    assert all(view(without.table, without.game, who).display is None for who in everybody(without.table))


@pytest.mark.clause("DBO-RANK-2")
def test_the_tracking_board_lists_earlier_games_in_their_order() -> None:
    play = Play("dragon-bonus-online")
    told: list[str] = []
    for cards, winner in (("9S 8H TC TD", "player"), ("8S 9H TC TD", "banker"), ("9S 9H TC TD", "tie")):
        play.load(cards)
        play.does(CallPlaceYourBets, "dee")
        play.bet("ann", "player", "5.00")
        play.finish()
        told.append(winner)
    shown = seen(play, "ann").display
    assert shown is not None
    assert [each.winner for each in shown.results] == told


@pytest.mark.clause("IDT-6.3a")
@pytest.mark.parametrize("id", GAMES)
def test_every_display_of_results_says_that_it_is_information_only(id: str) -> None:
    play = Play(id)
    for who in everybody(play.table):
        shown = view(play.table, play.game, who).display
        assert shown is not None
        assert shown.says == INFORMATION_ONLY()
        assert shown.clause == next(iter(play.game.cites.get("display", ())), "")


# ------------------------------------------------ what the round waits for


def test_an_offer_is_shown_to_those_who_are_asked_and_to_staff() -> None:
    play = passed()
    assert play.table.round is not None
    offer = Offer("drawn-together-later", 99_000, ("ann",), whole=True, then="reconstruct", cards=("7S", "QH"))
    table = replace(play.table, round=replace(play.table.round, halt=Halt(offer=offer)))
    for person in ("ann", "dee", "sue"):
        shown = view(table, play.game, viewer(table, person)).round
        assert shown is not None
        assert shown.offer is not None
        assert shown.offer.waits_for == (("#1",) if person == "ann" else ("ann",))
    for who in (viewer(table, "bob"), viewer(table, "passer-by")):
        shown = view(table, play.game, who).round
        assert shown is not None
        assert (shown.offer, shown.waits) == (None, (WAITS_FOR_ANSWERS(),))
    assert all(b"7S" not in msgspec.json.encode(view(table, play.game, who)) for who in everybody(table))


def test_the_words_of_an_incident_are_for_staff() -> None:
    play = passed()
    play.does(ReportIncident, "dee", told="bob marks the cards")
    marks = AS_TOLD(text="bob marks the cards")
    for person, told in (("dee", marks), ("sue", marks), ("ann", None), ("bob", None)):
        shown = seen(play, person).round
        assert shown is not None
        assert (shown.incident, shown.waits) == (told, (WAITS_FOR_RULING(),))


# ------------------------------------------------ what is open to somebody


def kinds(play: Play, person: str) -> set[type[Command]]:
    acts = open_acts(play.table, play.game, person, play.now)
    return {act if isinstance(act, type) else type(act) for act in acts}


def test_what_is_open_follows_the_round() -> None:
    play = Play("immortal-dragon-tiger", cards="2D KC 3D 6C 9H", method="A")
    assert CallPlaceYourBets in kinds(play, "dee")
    assert {PlaceWager, CallPlaceYourBets}.isdisjoint(kinds(play, "ann"))
    play.open_betting()
    assert PlaceWager in kinds(play, "ann")
    assert {CallNoMoreBets, PlaceWager} <= kinds(play, "dee")  # a dealer places on request
    play.bet("ann", "player", "100.00")
    assert TakeWagerBack in kinds(play, "ann")
    assert TakeWagerBack not in kinds(play, "bob")
    play.close_betting()
    assert {PlaceWager, TakeWagerBack}.isdisjoint(kinds(play, "ann"))
    assert DrawCard in kinds(play, "dee")
    for _ in range(4):
        play.draw()
    play.does(PassHands, "dee")
    assert {SqueezeCard, RevealHand, RefuseHand} <= kinds(play, "ann")
    assert {SqueezeCard, RevealHand, RefuseHand}.isdisjoint(kinds(play, "bob"))
    play.deal()
    assert AnnounceResult in kinds(play, "dee")
    play.does(AnnounceResult, "dee")
    assert {SettleRound, ReportIncident, ReportIrregularity} <= kinds(play, "dee")
    assert SettleRound not in kinds(play, "ann")
    play.does(SettleRound, "dee")
    assert CloseTable not in kinds(play, "sue")  # nobody could check the shuffle
    assert RevealShuffle in kinds(play, "dee")
    play.reveal()
    assert {ChangeSettings, CloseTable} <= kinds(play, "sue")
    assert {ChangeSettings, CloseTable}.isdisjoint(kinds(play, "dee"))


@pytest.mark.parametrize("id", GAMES)
def test_every_command_that_is_offered_whole_would_be_accepted(id: str) -> None:
    play = Play(id)
    play.open_betting()
    whole = [
        act for person in EVERYBODY for act in open_acts(play.table, play.game, person, 99) if isinstance(act, Command)
    ]
    assert whole
    assert not [act for act in whole if isinstance(decide(play.table, play.game, act), Refusal)]


def test_a_patron_is_offered_each_area_with_the_least_that_it_takes() -> None:
    play = Play("dragon-tiger", positions=2)
    play.open_betting()
    areas = [act for act in open_acts(play.table, play.game, "ann", 99) if isinstance(act, PlaceWager)]
    assert {(act.place, act.wager) for act in areas} == {
        (place, wager) for place in (1, 2) for wager in play.game.offered("A")
    }
    assert {act.amount for act in areas} == {500}


def test_an_area_is_offered_with_the_first_step_above_its_minimum() -> None:
    play = Play("dragon-tiger", positions=1)
    limits = dict.fromkeys(play.settings.limits, Limit(500, 100_000, increment=300))
    play = Play("dragon-tiger", positions=1, limits=limits)
    play.open_betting()
    areas = [act for act in open_acts(play.table, play.game, "ann", 99) if isinstance(act, PlaceWager)]
    assert {act.amount for act in areas} == {600}


def test_a_nominee_is_offered_what_can_be_done_for_the_patron() -> None:
    play = Play("dragon-21", method="B", people={"ann": 1, "bob": 2, "ned": 3}, cards="TS 9H TH 9C", positions=7)
    play.does(NameNominee, "ann", person="ned")
    play.does(ApproveNominee, "sue", patron="ann")
    play.open_betting()
    assert for_whom(play, "ned", PlaceWager) == {""}
    play.does(AnnounceNominee, "sue", patron="ann")
    assert for_whom(play, "ned", PlaceWager) == {"", "ann"}
    assert for_whom(play, "bob", PlaceWager) == {""}
    play.bet("ann", "dragon", "50.00")
    assert for_whom(play, "ned", TakeWagerBack) == {"ann"}
    assert for_whom(play, "bob", TakeWagerBack) == set()
    play.close_betting()
    for _ in range(4):
        play.draw()
    play.does(PassHands, "dee")
    assert {SqueezeCard, RevealHand, RefuseHand} <= kinds(play, "ned")


def for_whom(play: Play, person: str, kind: type[PlaceWager | TakeWagerBack]) -> set[str]:
    """Whose wagers somebody is offered to place or to take back; "" is their own."""
    return {act.patron for act in open_acts(play.table, play.game, person, play.now) if isinstance(act, kind)}


@pytest.mark.clause("D21-1.0-VOID-HAND")
def test_a_supervisor_is_offered_a_void_hand_and_the_dealer_is_not() -> None:
    play = Play("dragon-21")
    for person, offered in (("sue", {True, False}), ("dee", {True})):
        acts = open_acts(play.table, play.game, person, play.now)
        assert {act.wagering for act in acts if isinstance(act, CallPlaceYourBets)} == offered


def test_acts_without_sense_are_neither_offered_nor_taken() -> None:
    play = passed("9D KC KD 6C")  # Player 9, Banker 6: no further card
    assert {GrantSqueeze, ReportMispassedHand, ChooseFirstHand} <= kinds(play, "pam")
    play.does(RevealHand, "ann", hand="player")
    play.refused(ReportMispassedHand, "dee", hand="player", to="cay")
    play.does(RevealHand, "bob", hand="banker")
    assert {GrantSqueeze, ReportMispassedHand, ChooseFirstHand}.isdisjoint(kinds(play, "pam"))
    assert RefuseHand not in kinds(play, "ann")
    play.does(AnnounceTotals, "dee")
    play.does(AnnounceResult, "dee")
    assert RefuseHand not in kinds(play, "ann")
    play.refused(RefuseHand, "ann", "IDT-3.10", hand="player")
    play.refused(GrantSqueeze, "pam", "IDT-3.15", hand="player", person="cay")
    plain = Play("dragon-tiger")
    plain.open_betting()
    plain.close_betting()
    plain.draw()
    plain.draw()
    assert {ChooseFirstHand, AnnounceTotals}.isdisjoint(kinds(plain, "dee"))
    plain.refused(AnnounceTotals, "dee")


def test_a_stranger_may_join_and_an_auditor_may_do_nothing() -> None:
    play = Play("dragon-21")
    assert kinds(play, "passer-by") == {JoinTable}
    audited = replace(play.table, staff={**play.table.staff, "aud": Position.AUDITOR})
    assert open_acts(audited, play.game, "aud", 99) == []


def test_what_must_be_told_is_offered_as_a_kind_of_act() -> None:
    play = Play("dragon-tiger", cards=None, device="hand-shoe")
    assert LoadShoe in kinds(play, "dee")
    assert CashOut in open_acts(play.table, play.game, "ann", 99)
    play.load()
    play.open_betting()
    play.close_betting()
    assert DrawCard in open_acts(play.table, play.game, "dee", 99)  # the face is told from a physical shoe


def test_what_is_open_tells_nothing_about_cards_that_lie_face_down() -> None:
    one, other = passed("2D KC 3D 6C 9H"), passed("9D 4C 9S 3C 9H")
    for person in EVERYBODY:
        acts = (open_acts(play.table, play.game, person, 99_000) for play in (one, other))
        first, second = (
            [msgspec.to_builtins(act) if isinstance(act, Command) else act for act in each] for each in acts
        )
        assert first == second


@pytest.mark.clause("SEC-1")
def test_what_is_taken_from_somebody_elses_view_is_what_one_sees_oneself() -> None:
    play = passed()
    moments = [play.table]
    play.does(SqueezeCard, "ann", place=0, step=1)
    moments.append(play.table)
    play.does(RevealHand, "ann", hand="player")
    moments.append(play.table)
    apart = 0
    for table in moments:
        base = view(table, play.game, SPECTATOR)
        for who in everybody(table):
            alone = view(table, play.game, who)
            assert view(table, play.game, who, base) == alone
            apart += alone.round != base.round
        assert view(table, play.game, SPECTATOR, base).round is base.round
    assert apart  # somebody has looked at a card that others have not seen


@pytest.mark.clause("IDT-5.16.1")
def test_everybody_sees_how_far_the_hands_lie_apart_until_the_limit_is_met() -> None:
    play = Play("immortal-dragon-tiger", differential=100_00)
    play.open_betting()
    play.bet("ann", "player", "300.00")
    play.bet("bob", "banker", "50.00")
    play.close_betting()
    for person in ("ann", "dee", "passer-by"):
        told = seen(play, person).round
        assert told is not None
        assert told.differential is not None
        assert (told.differential.heavier, told.differential.gap, told.differential.allowed) == (
            "player",
            250_00,
            100_00,
        )
        assert (told.differential.stage, told.differential.clause) == ("asked", "IDT-5.16")
    play.does(TakeWagerBack, "ann", place=1, wager="player", amount=150_00)
    told = seen(play, "ann").round
    assert told is not None
    assert told.differential is None


def test_everybody_sees_how_long_cards_may_be_held() -> None:
    play = passed()
    told = seen(play, "passer-by").round
    assert told is not None
    assert play.table.round is not None
    assert play.table.settings is not None
    assert told.reveal_until == play.table.round.last_card_at + play.table.settings.reveal_seconds * 1000
    play.does(ReportIncident, "dee", told="a card fell")
    told = seen(play, "passer-by").round
    assert told is not None
    assert told.reveal_until is None  # the time stands still


def test_wagers_of_several_on_one_area_are_one_act_where_nobody_is_named() -> None:
    play = Play("dragon-tiger")
    play.open_betting()
    for person in ("ann", "bob"):
        play.does(PlaceWager, "dee", patron=person, requested=True, place=1, wager="tie", amount=20_00)
    acts = [each for each in open_acts(play.table, play.game, "ann", play.now) if isinstance(each, ConfirmWager)]
    assert len(acts) == 1
