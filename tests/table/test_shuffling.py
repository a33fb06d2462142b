"""The shuffle of an electronic shoe at the table: commitment, contributions, cut, secret; and suspension."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

import longhu
from longhu.eventsourcing import Refusal
from longhu.fairness.shuffle import Contribution, commitment
from longhu.games.registry import built_in
from longhu.positions import Position
from longhu.table.betting_phase import CallPlaceYourBets, RoundStarted
from longhu.table.dealing import DrawCard
from longhu.table.electronic import order, supplied
from longhu.table.engine import decide, evolve
from longhu.table.irregularities.cards import DrawCardsTogether
from longhu.table.opening import ChangeSettings, CloseTable
from longhu.table.shoe import SHOE_REVEALED, EndShoe, LoadShoe, VerifyCards
from longhu.table.shuffling import (
    LOAD_AND_REVEAL,
    CommitShuffle,
    Contribute,
    ContributionMade,
    CutCards,
    RevealShuffle,
    ShuffleRevealed,
)
from longhu.table.state import Suspension, Table, replace
from longhu.table.suspension import TABLE_SUSPENDED, ResumeTable, SuspendTable
from tests.table.random_play import Chance
from tests.table.rounds import SECRET, Play

GAMES = tuple(built_in())
OTHER = bytes(range(32))


def committed(id: str = "immortal-dragon-tiger", **settings: object) -> Play:
    """A table before its first shoe, with a commitment."""
    play = Play(id, cards=None, **settings)  # type: ignore[arg-type]
    play.shuffle()
    return play


def seal(play: Play, secret: bytes = SECRET) -> str:
    return commitment("T1", play.table.shoes + 1, secret)


@pytest.mark.clause("RUL-6")
def test_no_electronic_shoe_without_a_commitment() -> None:
    play = Play("immortal-dragon-tiger", cards=None)
    play.refused(LoadShoe, "dee", "RUL-6", declined=("ann", "bob", "cay"))
    play.refused(CommitShuffle, "dee", "RUL-6", commitment="not a digest")
    play.refused(CommitShuffle, "ann", commitment=seal(play))
    play.does(CommitShuffle, "dee", commitment=seal(play))
    play.refused(CommitShuffle, "dee", "RUL-6", commitment=seal(play, OTHER))  # the first stands
    play.does(LoadShoe, "dee", declined=("ann", "bob", "cay"))
    play.refused(LoadShoe, "dee", "RUL-6", declined=("ann", "bob", "cay"))


def test_a_physical_shoe_needs_no_commitment_and_takes_none() -> None:
    play = Play("immortal-dragon-tiger", device="hand-shoe")
    play.refused(CommitShuffle, "dee", commitment=seal(play))
    assert play.table.shuffle is None


@pytest.mark.clause("RUL-6")
def test_seated_patrons_contribute_once_after_the_commitment_and_before_the_cards_are_loaded() -> None:
    play = Play("immortal-dragon-tiger", cards=None)
    play.refused(Contribute, "ann", value="luck")
    play.does(CommitShuffle, "dee", commitment=seal(play))
    play.refused(Contribute, "stan", value="luck")  # who stands
    play.refused(Contribute, "ann", value="")
    play.refused(Contribute, "ann", value="x" * 129)
    play.refused(Contribute, "ann", value="two\nlines")
    play.does(Contribute, "ann", value="八")
    play.refused(Contribute, "ann", value="another")
    play.does(Contribute, "bob", value="luck")
    play.does(LoadShoe, "dee", declined=("ann", "bob", "cay"))
    play.refused(Contribute, "cay", value="too late")
    mix = play.table.shuffle and play.table.shuffle.mix
    assert mix is not None
    assert mix.contributions == (Contribution("#1", "八"), Contribution("#2", "luck")), "nobody's name is mixed in"
    assert [each.by for each in play.log if isinstance(each, ContributionMade)] == ["ann", "bob"]


def test_what_patrons_add_and_who_cuts_changes_the_order() -> None:
    orders = set()
    for value, cutter in (("", "ann"), ("luck", "ann"), ("Luck", "ann"), ("luck", "bob")):
        play = committed("dragon-21")
        for person in ("dee", "sue"):
            play.does(VerifyCards, person, counted=416)
        if value:
            play.does(Contribute, "ann", value=value)
        play.does(CutCards, cutter)
        play.does(LoadShoe, "dee")
        orders.add(order(play.table, SECRET))
    assert len(orders) == 4


@pytest.mark.clause("RUL-6", "D21-5.6b")
def test_nobody_cuts_in_a_patron_s_name() -> None:
    """Whoever knows the secret and chose the cut would choose the order."""
    play = committed("dragon-21")
    for person in ("dee", "sue"):
        play.does(VerifyCards, person, counted=416)
    play.refused(LoadShoe, "dee", "RUL-6", cut_by="ann", cut_behind=40)
    play.refused(CutCards, "stan", "D21-7.0c")
    play.refused(CutCards, "ann", "D21-7.0c", behind=416)
    play.refused(CutCards, "ann", "D21-7.0c", behind=0)
    play.does(CutCards, "ann", behind=40)
    play.refused(CutCards, "bob", "D21-7.0c", behind=41)
    play.refused(LoadShoe, "dee", "RUL-6", cut_by="bob")
    play.refused(LoadShoe, "dee", "RUL-6", cut_by="ann", cut_behind=41)
    play.does(LoadShoe, "dee")
    assert play.table.shoe is not None
    assert (play.table.shoe.cut_by, play.table.shoe.cut_at) == ("#1", 416 - 40)
    play.refused(CutCards, "bob", "D21-7.0c")


def test_cards_that_are_mixed_for_every_round_are_not_cut() -> None:
    play = committed("dragon-bonus-online")
    play.refused(CutCards, "ann")


@pytest.mark.clause("RUL-6", "RNG-6")
@pytest.mark.parametrize("id", GAMES)
def test_nothing_that_anybody_wagers_reaches_the_order_of_the_cards(id: str) -> None:
    """The order is fixed before the first wager, and is the same whatever the people, their money and their wagers are."""
    play = Play(id)
    before = order(play.table, SECRET)
    play.open_betting()
    play.bet("ann", next(iter(play.settings.limits)), "50.00")
    rich = replace(play.table, balances={}, people={}, staff={}, rounds=99, results=(1, 2, 3))
    assert order(play.table, SECRET) == order(rich, SECRET) == before
    play.refused(RevealShuffle, "dee", secret=SECRET.hex())
    play.refused(CommitShuffle, "dee", commitment=seal(play))


@pytest.mark.clause("RNG-3")
def test_the_order_and_the_secret_are_in_no_event_and_no_state_before_the_reveal() -> None:
    play = Play("dragon-tiger", cards=None)
    play.does(CommitShuffle, "dee", commitment=commitment("T1", 1, OTHER))
    play.does(LoadShoe, "dee", declined=("ann", "bob", "cay"))
    cards = order(play.table, OTHER)
    stored = msgspec.json.encode([play.log, play.table]).decode()
    assert OTHER.hex() not in stored
    assert '","'.join(cards[:8]) not in stored
    play.does(RevealShuffle, "dee", secret=OTHER.hex())
    assert play.last(ShuffleRevealed).secret == OTHER.hex()


@pytest.mark.clause("RUL-6")
def test_only_the_secret_that_was_committed_to_is_revealed_and_then_no_card_is_dealt() -> None:
    play = Play("dragon-tiger")
    play.refused(RevealShuffle, "dee", "RUL-6", secret=OTHER.hex())
    play.refused(RevealShuffle, "dee", "RUL-6", secret="00")
    play.does(RevealShuffle, "dee", secret=SECRET.hex())
    refusal = play.refused(CallPlaceYourBets, "dee")
    assert refusal.reason == SHOE_REVEALED()
    play.refused(RevealShuffle, "dee", secret=SECRET.hex())


@pytest.mark.clause("RUL-6")
def test_a_commitment_is_not_given_up() -> None:
    """Whoever could drop a commitment after the contributions could choose among shuffles."""
    play = committed()
    play.does(Contribute, "ann", value="luck")
    play.refused(RevealShuffle, "dee", "RUL-6", secret=SECRET.hex())
    play.refused(CommitShuffle, "dee", "RUL-6", commitment=seal(play, OTHER))
    for changes in ({"decks": 6}, {"burn": 3}, {"cut_reserve": 20}, {"device": "hand-shoe"}):
        play.refused(ChangeSettings, "opal", "RUL-6", changes=changes)
    refusal = play.refused(CloseTable, "sue", "RUL-6", float_counted=0, counted_by=("sue", "dee"))
    assert refusal.remedy == LOAD_AND_REVEAL()
    play.refused(LoadShoe, "dee", "RUL-6", declined=("ann", "bob", "cay"), cut_behind=40)  # the dealer's own place


def test_a_physical_shoe_may_follow_one_that_was_revealed() -> None:
    play = Play("dragon-tiger")
    play.round()
    play.does(EndShoe, "dee")
    play.reveal()
    play.does(ChangeSettings, "opal", changes={"device": "hand-shoe"})
    play.does(LoadShoe, "dee", declined=("ann", "bob", "cay"))
    play.does(CallPlaceYourBets, "dee")


@pytest.mark.clause("RNG-6")
def test_the_shoe_alone_says_which_cards_come() -> None:
    play = Play("dragon-tiger", cards="2S 9H")
    play.open_betting()
    play.close_betting()
    deals: dict[str, Any] = {"by": "dee", "at": play.now, "position": Position.DEALER}
    typed = DrawCard(card="KS", **deals)
    assert supplied(play.table, typed, play.order).card == "2S"
    together = DrawCardsTogether(order_known=True, count=2, cards=("KS", "KD"), **deals)
    assert supplied(play.table, together, play.order).cards == ("2S", "9H")
    assert supplied(play.table, typed, ()).card == ""


@pytest.mark.clause("DBO-ABOUT-3")
def test_a_full_shoe_for_every_round_has_a_commitment_of_its_own() -> None:
    play = Play("dragon-bonus-online")
    for _ in range(3):
        play.round(ann={"player": "50.00"})
    revealed = [event.number for event in play.log if isinstance(event, ShuffleRevealed)]
    assert revealed == [1, 2]
    assert play.table.shuffle is not None
    assert play.table.shuffle.number == 3


# ---------------------------------------------------------------- suspension


@pytest.mark.clause("RNG-7", "REC-2")
def test_a_suspended_table_finishes_its_round_and_starts_no_other() -> None:
    play = Play("dragon-tiger", cards="KS 2H")
    play.open_betting()
    play.bet("ann", "dragon", "50.00")
    play.does(SuspendTable, "dee", reason="the source of chance has failed")
    play.finish()
    assert play.net("ann") == "50.00"
    refusal = play.refused(CallPlaceYourBets, "dee", "REC-2")
    assert refusal.reason == TABLE_SUSPENDED(cause="staff")
    assert play.table.suspended == Suspension("staff", "the source of chance has failed")
    play.refused(SuspendTable, "dee", reason="again")
    play.reveal()
    play.refused(CommitShuffle, "dee", "REC-2", commitment=seal(play))
    play.refused(ResumeTable, "dee", reason="works again")
    play.refused(ResumeTable, "sue", reason=" ")
    play.does(ResumeTable, "sue", reason="another source")
    play.refused(ResumeTable, "sue", reason="again")
    play.load()
    play.does(CallPlaceYourBets, "dee")


def test_a_closed_table_is_not_suspended() -> None:
    assert Table(game="").suspended is None
    play = Play("dragon-tiger", open=False)
    play.refused(SuspendTable, "dee", reason="why")


def test_no_round_is_dealt_from_a_shoe_whose_secret_is_public() -> None:
    """Not even once the next shuffle is committed to and its shoe is not loaded yet."""
    play = Play("dragon-21", method="A", cards="TS 9H TH 9C")
    play.round(ann={"dragon": "50.00"})
    play.reveal()
    assert play.refused(CallPlaceYourBets, "dee").reason == SHOE_REVEALED()
    play.shuffle()
    assert play.refused(CallPlaceYourBets, "dee").reason == SHOE_REVEALED()


@pytest.mark.parametrize("seed", [21, 3])
@pytest.mark.parametrize("game", ["dragon-21", "immortal-dragon-tiger"])
def test_chance_deals_no_card_of_a_shoe_whose_secret_is_public(game: str, seed: int) -> None:
    rules, public, drawn = longhu.game(game).definition, set[int](), 0
    chance, table = Chance(rules, seed), Table(game="")
    for _ in range(900):
        decision = decide(table, rules, chance.command(table))
        for event in [] if isinstance(decision, Refusal) else decision:
            if isinstance(event, ShuffleRevealed):
                public.add(event.number)
            if isinstance(event, RoundStarted):
                assert table.shoe is not None
                assert table.shoe.number not in public
                drawn += 1
            table = evolve(table, event)
    assert drawn
