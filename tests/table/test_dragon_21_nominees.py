"""Dragon 21 at the live table: nominees, and who may handle cards."""

from __future__ import annotations

from typing import Any

import pytest

import longhu
from longhu.positions import Position
from longhu.table import views
from longhu.table.betting import PlaceWager, TakeWagerBack
from longhu.table.dealing import DrawCard
from longhu.table.handling import GrantSqueeze, PassHands, RefuseHand, RevealHand, SqueezeCard, designated, pucks
from longhu.table.messages import TABLE
from longhu.table.nominees import (
    AnnounceNominee,
    ApproveNominee,
    ConfirmNomineeEnd,
    EndNominee,
    LiftInPersonOrder,
    NameNominee,
    NomineeEnded,
    OrderInPerson,
)
from longhu.table.open_acts import open_acts
from longhu.table.people import JoinTable, LeaveTable, TakeSeat
from longhu.table.settling import WagerSettled
from tests.table.rounds import Play

FRIENDS: dict[str, int | None] = {"ann": 1, "bob": 2, "cay": 3, "dan": 4, "ned": 5, "eve": 6, "stan": None}


def play(method: str = "A", cards: str = "TS 9H TH 9C", **settings: Any) -> Play:
    """Friends at a table; `ned` and `eve`, seated, and `stan`, standing, may be nominees."""
    return Play("dragon-21", cards=cards, people=FRIENDS, method=method, **settings)


def act_for(table: Play, patron: str, person: str, **powers: bool) -> None:
    """Named, approved, announced."""
    table.does(NameNominee, patron, person=person, **powers)
    table.does(ApproveNominee, "sue", patron=patron)
    table.does(AnnounceNominee, "sue", patron=patron)


def wager(patron: str, place: int, on: str = "dragon", amount: int = 25_00) -> dict[str, Any]:
    return {"patron": patron, "place": place, "wager": on, "amount": amount}


def hands_dealt(table: Play, **bets: str) -> None:
    """Dragon wagers, and the four initial cards passed."""
    table.open_betting()
    for patron, amount in bets.items():
        table.bet(patron, "dragon", amount)
    table.close_betting()
    for _ in range(4):
        table.draw()
    table.does(PassHands, "dee")


# ---------------------------------------------------------------- 2.2 conditions


@pytest.mark.clause("D21-1.0-NOMINEE")
@pytest.mark.parametrize(("may_wager", "may_handle"), [(True, False), (False, True), (True, True)])
def test_a_nominee_may_wager_or_handle_cards_or_both(may_wager: bool, may_handle: bool) -> None:
    table = play("B")
    act_for(table, "ann", "ned", may_wager=may_wager, may_handle=may_handle)
    table.open_betting()
    table.bet("ann", "dragon", "50.00")
    ask = table.does if may_wager else table.refused
    ask(PlaceWager, "ned", **wager("ann", 1))
    table.close_betting()
    for _ in range(4):
        table.draw()
    table.does(PassHands, "dee")
    ask = table.does if may_handle else table.refused
    ask(RevealHand, "ned", hand="dragon")


def test_a_nominee_without_any_power_is_refused() -> None:
    play().refused(NameNominee, "ann", "D21-2.2", person="ned", may_wager=False, may_handle=False)


@pytest.mark.clause("D21-2.2.a")
def test_a_nominee_is_powerless_until_a_supervisor_approves() -> None:
    table = play()
    table.does(NameNominee, "ann", person="ned")
    table.open_betting()
    table.refused(PlaceWager, "ned", "D21-2.2", **wager("ann", 1))
    table.refused(ApproveNominee, "dee", "D21-2.2.a", patron="ann")
    table.refused(AnnounceNominee, "sue", "D21-2.2.a", patron="ann")
    table.does(ApproveNominee, "sue", patron="ann")
    table.does(AnnounceNominee, "sue", patron="ann")
    table.does(PlaceWager, "ned", **wager("ann", 1))


def test_a_patron_has_one_nominee_at_a_time() -> None:
    table = play()
    act_for(table, "ann", "ned")
    table.refused(NameNominee, "ann", "D21-2.2.a", person="eve")


@pytest.mark.clause("D21-2.2.b")
def test_an_approved_nominee_waits_for_the_announcement() -> None:
    table = play()
    table.does(NameNominee, "ann", person="ned")
    table.does(ApproveNominee, "gus", patron="ann")
    table.open_betting()
    table.refused(PlaceWager, "ned", "D21-2.2", **wager("ann", 1))
    table.refused(AnnounceNominee, "dee", "D21-2.2.b", patron="ann")
    table.does(AnnounceNominee, "sue", patron="ann")
    table.does(PlaceWager, "ned", **wager("ann", 1))


@pytest.mark.clause("D21-2.2")
def test_what_else_lets_a_nominee_act_does_not_replace_approval() -> None:
    table = play("B")  # Style B lets the nominee of the designated patron handle cards (D21-9.4a)
    table.does(NameNominee, "ann", person="ned")
    hands_dealt(table, ann="50.00")
    assert table.current.holders[0] == "ann"
    table.refused(RevealHand, "ned", hand="dragon")
    table.does(ApproveNominee, "sue", patron="ann")
    table.does(AnnounceNominee, "sue", patron="ann")
    table.does(RevealHand, "ned", hand="dragon")


@pytest.mark.clause("D21-2.2.c")
def test_a_marker_lies_in_front_of_the_patron_while_the_nominee_acts() -> None:
    table = play()

    def marked() -> dict[int | None, str]:
        seats = views.view(table.table, table.game, views.viewer(table.table, "gus")).seats
        return {each.seat: each.nominee for each in seats if each.nominee}

    table.does(NameNominee, "cay", person="ned")
    table.does(ApproveNominee, "sue", patron="cay")
    assert marked() == {}
    table.does(AnnounceNominee, "sue", patron="cay")
    assert marked() == {3: "ned"}
    table.does(ConfirmNomineeEnd, "cay")
    assert marked() == {3: "ned"}
    table.does(EndNominee, "sue", patron="cay")
    assert marked() == {}


@pytest.mark.clause("D21-2.2.d")
def test_a_nominee_acts_for_one_patron_at_a_time() -> None:
    table = play()
    table.does(NameNominee, "dan", person="ned")  # both ask before anybody is announced
    table.does(ApproveNominee, "sue", patron="dan")
    act_for(table, "bob", "ned")
    table.refused(AnnounceNominee, "sue", "D21-2.2.d", patron="dan")
    table.refused(NameNominee, "cay", "D21-2.2.d", person="ned")
    table.does(ConfirmNomineeEnd, "bob")
    table.does(EndNominee, "sue", patron="bob")
    table.does(AnnounceNominee, "sue", patron="dan")


@pytest.mark.clause("D21-2.2.e")
def test_the_role_ends_by_announcement_once_the_patron_confirms() -> None:
    table = play()
    act_for(table, "ann", "ned")
    table.refused(EndNominee, "sue", "D21-2.2.e", patron="ann")
    table.does(ConfirmNomineeEnd, "ann")
    table.refused(EndNominee, "dee", "D21-2.2.e", patron="ann")
    table.does(EndNominee, "sue", patron="ann")
    ended = table.last(NomineeEnded)
    assert (ended.person, ended.patron) == ("ned", "ann")
    table.open_betting()
    table.refused(PlaceWager, "ned", "D21-2.2", **wager("ann", 1))


@pytest.mark.clause("D21-2.2.e")
def test_a_patron_confirms_the_end_of_a_role_that_has_begun() -> None:
    table = play()
    table.does(NameNominee, "ann", person="ned")
    table.refused(ConfirmNomineeEnd, "ann", "D21-2.2.e")
    table.does(ApproveNominee, "sue", patron="ann")
    table.refused(ConfirmNomineeEnd, "ann", "D21-2.2.e")
    table.does(AnnounceNominee, "sue", patron="ann")
    table.refused(EndNominee, "sue", "D21-2.2.e", patron="ann")
    table.does(ConfirmNomineeEnd, "ann")
    table.does(EndNominee, "sue", patron="ann")


@pytest.mark.clause("D21-2.2.c", "D21-2.2.fa")
def test_an_order_takes_approval_and_marker_and_lifting_it_gives_neither_back() -> None:
    table = play()

    def marked() -> list[int | None]:
        seats = views.view(table.table, table.game, views.viewer(table.table, "gus")).seats
        return [each.seat for each in seats if each.nominee]

    table.does(NameNominee, "ann", person="ned", may_handle=False)
    table.does(ApproveNominee, "sue", patron="ann")
    table.does(AnnounceNominee, "sue", patron="ann")
    assert marked() == [1]
    table.does(OrderInPerson, "sue", act="wager", patrons=("ann",))
    assert marked() == []
    table.refused(ApproveNominee, "sue", "D21-2.2.fb", patron="ann")
    table.does(LiftInPersonOrder, "sue", act="wager", patrons=("ann",))
    table.open_betting()
    table.refused(PlaceWager, "ned", "D21-2.2", **wager("ann", 1))
    table.refused(AnnounceNominee, "sue", "D21-2.2.a", patron="ann")
    assert marked() == []
    table.does(ApproveNominee, "sue", patron="ann")
    table.refused(PlaceWager, "ned", "D21-2.2", **wager("ann", 1))
    table.does(AnnounceNominee, "sue", patron="ann")
    assert marked() == [1]
    table.does(PlaceWager, "ned", **wager("ann", 1))


@pytest.mark.clause("D21-2.2.fa", "D21-2.2.fb")
def test_an_order_to_all_binds_those_who_name_a_nominee_later() -> None:
    table = play()
    table.does(OrderInPerson, "sue", act="wager")
    table.does(NameNominee, "bob", person="ned")
    table.does(ApproveNominee, "sue", patron="bob")  # to handle cards; that is all an approval can give
    table.does(AnnounceNominee, "sue", patron="bob")
    table.refused(ApproveNominee, "sue", "D21-2.2.fb", patron="bob")
    table.open_betting()
    table.refused(PlaceWager, "ned", "D21-2.2.fb", **wager("bob", 2))
    table.refused(PlaceWager, "eve", "D21-2.2.fb", **wager("dan", 4))  # a friend


@pytest.mark.clause("D21-2.2.ga", "D21-2.2.e")
def test_a_nominee_left_with_one_power_keeps_the_marker_until_the_patron_confirms_the_end() -> None:
    table = play("B")
    act_for(table, "ann", "ned")
    table.does(OrderInPerson, "sue", act="handle", patrons=("ann",))
    seats = views.view(table.table, table.game, views.viewer(table.table, "gus")).seats
    assert [each.seat for each in seats if each.nominee] == [1]
    table.does(LiftInPersonOrder, "sue", act="handle", patrons=("ann",))
    hands_dealt(table, ann="50.00")
    table.refused(RevealHand, "ned", hand="dragon")
    table.does(ApproveNominee, "sue", patron="ann")
    table.refused(RevealHand, "ned", hand="dragon")
    table.does(AnnounceNominee, "sue", patron="ann")
    table.does(RevealHand, "ned", hand="dragon")


def test_the_role_ends_without_the_patron_where_approval_was_withdrawn() -> None:
    table = play()
    act_for(table, "ann", "ned")
    table.does(OrderInPerson, "sue", act="wager", patrons=("ann",))
    table.refused(EndNominee, "sue", "D21-2.2.e", patron="ann")  # ned may still handle cards
    table.does(OrderInPerson, "sue", act="handle", patrons=("ann",))
    table.does(EndNominee, "sue", patron="ann")


@pytest.mark.clause("D21-2.2.fa")
def test_some_or_all_patrons_may_be_ordered_to_wager_themselves() -> None:
    table = play()
    act_for(table, "ann", "eve")
    act_for(table, "bob", "ned")
    act_for(table, "dan", "stan")
    table.refused(OrderInPerson, "dee", "D21-2.2.fa", act="wager", patrons=("ann", "dan"))
    table.does(OrderInPerson, "sue", act="wager", patrons=("ann", "dan"))  # seats 1 and 4
    table.open_betting()
    table.refused(PlaceWager, "eve", "D21-2.2.fb", **wager("ann", 1))
    table.refused(PlaceWager, "stan", "D21-2.2.fb", **wager("dan", 4))
    table.does(PlaceWager, "ned", **wager("bob", 2))
    table.does(OrderInPerson, "gus", act="wager")
    table.refused(PlaceWager, "ned", "D21-2.2.fb", **wager("bob", 2))


@pytest.mark.clause("D21-2.2.fb")
def test_while_the_order_stands_only_the_patron_wagers() -> None:
    table = play()
    act_for(table, "dan", "ned")
    table.does(OrderInPerson, "sue", act="wager", patrons=("dan",))
    table.open_betting()
    table.refused(PlaceWager, "ned", "D21-2.2.fb", **wager("dan", 4))
    table.bet("dan", "dragon", "25.00")
    table.refused(TakeWagerBack, "ned", "D21-2.2", patron="dan", place=4, wager="dragon")
    table.does(PlaceWager, "dee", **wager("dan", 4, "tiger"), requested=True)  # the dealer is no nominee (Q18)


@pytest.mark.clause("D21-2.2.ga", "D21-2.2.gb")
def test_a_patron_may_be_ordered_to_turn_cards_and_the_nominee_still_wagers() -> None:
    table = play("B")
    act_for(table, "bob", "ned")
    table.does(OrderInPerson, "sue", act="handle", patrons=("bob",))
    table.open_betting()
    table.does(PlaceWager, "ned", **wager("bob", 2))
    table.close_betting()
    for _ in range(4):
        table.draw()
    table.does(PassHands, "dee")
    table.refused(SqueezeCard, "ned", place=0, step=1)
    table.refused(RevealHand, "ned", hand="dragon")
    table.does(RevealHand, "bob", hand="dragon")


@pytest.mark.clause("D21-2.2.h")
@pytest.mark.parametrize("status", ["employee", "associate", "contractor"])
def test_nobody_of_the_house_is_a_nominee(status: str) -> None:
    table = play()
    table.does(JoinTable, "wes", seat=7, status=(status,))
    table.refused(NameNominee, "ann", "D21-2.2.h", person="wes")
    table.refused(NameNominee, "ann", "D21-2.2.h", person="dee")
    table.refused(ApproveNominee, "sue", patron="ann")


def test_a_nominee_does_not_walk_away_from_the_role() -> None:
    table = Play("dragon-21", people={"ann": 1})
    table.does(JoinTable, "ned", seat=2)
    act_for(table, "ann", "ned")
    table.refused(LeaveTable, "ned", "D21-2.2")
    table.does(ConfirmNomineeEnd, "ann")
    table.does(EndNominee, "sue", patron="ann")
    table.does(LeaveTable, "ned")


def test_a_house_that_takes_nominees_for_designees_cites_the_clause_of_designees() -> None:
    table = Play(longhu.game("immortal-dragon-tiger", designee_rules="nominee").definition)
    table.refused(NameNominee, "ann", "IDT-3.15", person="nobody")
    table.refused(NameNominee, "ann", "IDT-3.15", person="bob", may_wager=False, may_handle=False)
    table.refused(NameNominee, "dee", "IDT-3.15", person="bob")
    for person in ("ann", "dee", "sue", "pam"):
        assert open_acts(table.table, table.game, person, table.now)
    named = table.does(NameNominee, "ann", person="bob")
    assert [event.clause for event in named] == ["IDT-3.15"]


def test_games_without_nominees_know_none() -> None:
    table = Play("immortal-dragon-tiger")
    table.refused(NameNominee, "ann", person="bob")


# ---------------------------------------------------------------- 5.1, 5.5 wagers through others


@pytest.mark.clause("D21-5.1")
def test_a_nominees_wager_is_the_patrons() -> None:
    table = play()
    act_for(table, "eve", "ned")
    table.open_betting()
    table.does(PlaceWager, "ned", **wager("eve", 6, "tie"))
    assert table.chips("eve") == "9975.00"
    assert table.chips("ned") == "10000.00"
    for on in ("dragon", "tiger"):
        table.does(PlaceWager, "ned", **wager("eve", 6, on))
    table.finish()
    assert table.net("eve") == "-25.00"  # Dragon 20 beats Tiger 18: 25 won, 50 lost
    assert table.net("ned") == "0.00"


@pytest.mark.clause("D21-5.5a")
def test_a_wager_counts_where_it_lies_whoever_set_it() -> None:
    table = play()
    act_for(table, "ann", "ned")
    table.open_betting()
    table.does(PlaceWager, "ned", **wager("ann", 1, "tiger", 50_00))  # Ann had said Dragon
    table.finish()
    settled = table.last(WagerSettled)
    assert (settled.stake.wager, settled.net, settled.stake.placed_by) == ("tiger", -50_00, "ned")
    assert table.net("ann") == "-50.00"


# ---------------------------------------------------------------- 1.0 Dragon and Tiger, 3.4(d), 5.6


@pytest.mark.clause("D21-1.0-DRAGON")
def test_dragon_is_a_seated_patron_or_a_seated_nominee() -> None:
    table = play("B")
    act_for(table, "ann", "stan")  # he stands
    hands_dealt(table, ann="50.00", stan="500.00")
    assert designated(table.table, 0) == "ann"
    table.refused(RevealHand, "stan", hand="dragon")

    nobody = play("A")
    act_for(nobody, "ann", "ned")
    nobody.open_betting()
    nobody.bet("ann", "dragon", "50.00")
    nobody.close_betting()
    nobody.deal()
    assert (designated(nobody.table, 0), nobody.current.holders) == ("", ("", ""))


@pytest.mark.clause("D21-1.0-TIGER")
def test_tiger_is_a_seated_patron_or_a_seated_nominee() -> None:
    table = play("B")
    act_for(table, "ann", "ned")
    table.open_betting()
    table.bet("ann", "tiger", "50.00")
    table.bet("stan", "tiger", "500.00")
    table.close_betting()
    for _ in range(4):
        table.draw()
    table.does(PassHands, "dee")
    assert designated(table.table, 1) == "ned"
    table.refused(RevealHand, "stan", hand="tiger")
    table.does(RevealHand, "ned", hand="tiger")


@pytest.mark.clause("D21-3.4.d")
def test_the_pucks_lie_where_the_hands_are_held() -> None:
    table = play("B")
    act_for(table, "bob", "ned")
    assert pucks(table.table) == (None, None)
    table.open_betting()
    table.bet("ann", "dragon", "50.00")
    table.bet("bob", "tiger", "50.00")
    table.close_betting()
    for _ in range(4):
        table.draw()
    table.does(PassHands, "dee")
    assert pucks(table.table) == (1, 5)  # Ned, Bob's nominee, sits at 5
    for style in ("A", "C"):
        parked = play(style)
        parked.open_betting()
        parked.bet("ann", "dragon", "50.00")
        parked.close_betting()
        parked.deal()
        assert pucks(parked.table) == (None, None)


@pytest.mark.clause("D21-5.6c")
def test_a_standing_patron_is_never_designated() -> None:
    table = play("B")
    hands_dealt(table, stan="500.00", ann="100.00")
    assert table.current.holders == ("ann", "")


@pytest.mark.clause("D21-5.6b")
def test_whoever_stands_up_with_a_hand_does_not_touch_it_until_seated_again() -> None:
    table = play("B")
    hands_dealt(table, ann="100.00", bob="50.00")
    table.does(TakeSeat, "ann", seat=None)
    table.refused(SqueezeCard, "ann", "D21-5.6b", place=0, step=1)
    table.refused(RevealHand, "ann", "D21-5.6b", hand="dragon")
    table.does(TakeSeat, "ann", seat=1)
    table.does(SqueezeCard, "ann", place=0, step=1)
    table.does(TakeSeat, "ann", seat=None)
    table.does(RefuseHand, "ann", hand="dragon")
    assert table.current.holders == ("bob", "")
    table.does(RevealHand, "bob", hand="dragon")


@pytest.mark.clause("D21-9.4b")
def test_a_nominee_who_handles_the_hand_may_refuse_it_for_the_patron() -> None:
    table = play("B")
    act_for(table, "ann", "ned")
    hands_dealt(table, ann="100.00", bob="50.00")
    table.refused(RefuseHand, "eve", "D21-8.0d", hand="dragon")
    table.does(RefuseHand, "ned", hand="dragon")
    assert (table.current.holders, table.current.declined[0]) == (("bob", ""), ("ann",))


# ---------------------------------------------------------------- 4.2 card handling


@pytest.mark.clause("D21-4.2a")
@pytest.mark.parametrize("style", ["A", "C"])
def test_patrons_do_not_touch_cards_unless_the_style_lets_them(style: str) -> None:
    table = play(style)
    table.open_betting()
    table.bet("ann", "dragon", "50.00")
    table.close_betting()
    for _ in range(4):
        table.draw()
    clause = {"A": "D21-8.0c", "C": "D21-8.0e"}[style]
    for person in ("ann", "stan"):
        table.refused_on_record(SqueezeCard, person, clause, place=0, step=1)
        table.refused_on_record(RevealHand, person, hand="dragon")
    table.refused(PassHands, "dee", clause)


@pytest.mark.clause("D21-4.2b")
def test_nobody_can_let_a_spectator_handle_cards() -> None:
    table = play("B")
    hands_dealt(table, ann="50.00")
    table.refused_on_record(GrantSqueeze, "dee", hand="dragon", person="stan")
    table.refused_on_record(GrantSqueeze, "dee", hand="dragon", person="stan", position=Position.PIT_MANAGER)
    table.refused(GrantSqueeze, "gus", "D21-8.0d", hand="dragon", person="stan")
    table.refused(RevealHand, "stan", hand="dragon")
    granting = [each.__name__ for each in TABLE.deciders if "Grant" in each.__name__ or "Allow" in each.__name__]
    assert sorted(granting) == ["GrantMaximum", "GrantSqueeze"]


@pytest.mark.clause("D21-4.2c")
@pytest.mark.parametrize("style", ["A", "B", "C"])
def test_the_assigned_dealer_deals(style: str) -> None:
    table = play(style)
    act_for(table, "ann", "ned")
    table.open_betting()
    table.close_betting()
    for person in ("ann", "ned", "stan"):
        table.refused(DrawCard, person)
    table.refused(DrawCard, "sue", "D21-4.2c")
    table.does(DrawCard, "dee")
