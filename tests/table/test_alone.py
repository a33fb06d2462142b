"""Nobody alone changes what a round pays once its first card is out: one member of staff, and any patrons, whatever they ask.

The same round is finished twice from the same cards: at once, and after one person of the staff has done whatever the table allows, with patrons
beside who stake, take back and look as they may. The cards that come are those of the shoe (an entry that differs from them is another matter). After that honest people
finish it: they reject reports of what is not there, rule that the round goes on, and patrons say nothing to an offer. Patrons' own answers to an offer are not tried: a
document leaves them to patrons, and the offer itself is never one person's doing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from longhu.eventsourcing import Refusal
from longhu.games.registry import built_in, load_game
from longhu.positions import Position
from longhu.table.betting_phase import CallPlaceYourBets
from longhu.table.confirmation import RejectReport
from longhu.table.correcting import CorrectCard
from longhu.table.dealer import next_act
from longhu.table.dealing import DrawCard
from longhu.table.engine import decide, evolve
from longhu.table.handling import RevealHand
from longhu.table.irregularities.cards import DrawCardsTogether, JudgeIrregularity
from longhu.table.irregularities.drawn_in_error import ReportDrawnInError
from longhu.table.irregularities.exposure import ExposeCards, ReportFaceUpCard
from longhu.table.irregularities.power import PaymentsReversed, ReportPowerFailure
from longhu.table.irregularities.rulings import MakeRuling, ReportIncident
from longhu.table.messages import TABLE, Command
from longhu.table.open_acts import examples
from longhu.table.opening import CloseTable, OpenTable
from longhu.table.people import AssignStaff, TakeSeat, TakeTheDeal
from longhu.table.remedies.procedure import ReportIrregularity
from longhu.table.remedies.void import RoundVoided, StakeReturned
from longhu.table.remedies.withdrawal import AnswerWithdrawalOffer, CloseWithdrawalOffer
from longhu.table.settling import SettleRound, WagerSettled
from longhu.table.shuffling import RevealShuffle
from longhu.table.wrong_payments import PaymentCorrected
from longhu.testing.scenario import from_shoe
from tests.table.rounds import Play

ALONE = ("dee", "sue", "pam", "gus", "opal")
PATRONS = ("ann", "bob", "stan")
UNTRIED: tuple[type[Command], ...] = (RevealShuffle, OpenTable, CloseTable, CallPlaceYourBets, CorrectCard)
AFTERWARDS = (PaymentsReversed, PaymentCorrected)  # what is done to payments that were made
HOUR = 3_600_000
CARDS = ("2D KC 3D 6C 9H 9S", "9S 2C KD 5H 4D 7C", "TS 9H TS 9C 2H 3H", "5C 6D 5H 6S 2S AC")


def dealt(id: str, chance: Random) -> Play:
    """A table with wagers and at least a card out; real cards and chips, or the program's."""
    settings: dict[str, Any] = {"device": "virtual", "chips": "electronic"}
    if chance.random() < 0.7:
        settings = {"device": "reading-shoe", "chips": "physical"}
    settings["method"] = chance.choice([*load_game(built_in()[id]).methods] or [""])
    play = Play(id, cards=chance.choice(CARDS), **settings)
    play.does(AssignStaff, "house", person="hon", to=Position.DEALER)
    play.does(AssignStaff, "house", person="gina", to=Position.GAMING_SHIFT_MANAGER)
    play.open_betting()
    wagers = [id for id in play.settings.limits if not play.game.wagers[id].requires]
    for patron in ("ann", "bob"):
        wager = chance.choice(wagers)
        if patron in play.table.people:
            play.bet(patron, wager, "50.00")
    play.close_betting()
    play.draw()
    for _ in range(chance.randint(0, 9)):  # to some moment up to the result, and perhaps into some trouble
        due = next_act(play.table, play.game, by="dee", at=play.now)
        if due is None or isinstance(due, SettleRound):
            break
        asks(play, due)
    for trouble in chance.sample(troubles(play), chance.randint(0, 2)):
        before, said = play.table, len(play.log)
        asks(play, replace(trouble, cosigned_by=("gina",)))
        if play.table.round is None:  # it was void
            play.table = before
            del play.log[said:]
    return play


def troubles(play: Play) -> list[Command]:
    """What two people may have put on record before."""
    dee: dict[str, Any] = {"by": "dee", "at": play.now, "position": Position.DEALER}
    return [
        ReportIncident(told="a glass fell", **dee),
        ReportPowerFailure(**dee),
        ExposeCards(kind="dealt-face-up", **dee),
        DrawCardsTogether(order_known=True, **dee),
        *(ReportIrregularity(kind=kind, recoverable=True, **dee) for kind in play.game.irregularities),
    ]


def acts(play: Play, person: str, chance: Random) -> Iterator[Command]:
    """What this person may do: often what comes next in the round, else an act of any kind, in some form that is accepted."""
    if person in play.table.staff and chance.random() < 0.4:
        due = next_act(play.table, play.game, by=person, at=play.now)
        if due is not None and type(due) not in UNTRIED:
            yield replace(due, position=play.table.staff[person])
    for kind in chance.sample([*TABLE.deciders], len(TABLE.deciders)):
        if kind in UNTRIED or (kind is AnswerWithdrawalOffer and person in PATRONS):
            continue
        forms = [*islice(examples(play.table, play.game, person, play.now, kind), chance.randint(1, 8))]
        if forms:
            yield truly(forms[-1])


def truly(asked: Command) -> Command:
    """With the cards that really lie there: whoever names another is the subject of other tests."""
    if isinstance(asked, (DrawCard, ReportFaceUpCard, ReportDrawnInError)):
        return replace(asked, card="")
    return replace(asked, cards=()) if isinstance(asked, DrawCardsTogether) else asked


def asks(play: Play, command: Command) -> bool:
    play.now += 1000
    asked = from_shoe(play.table, replace(command, at=play.now), play.order)
    decision = decide(play.table, play.game, asked)
    if isinstance(decision, Refusal):
        return False
    for event in decision:
        play.table = evolve(play.table, event)
        play.log.append(event)
    return True


def honest(play: Play) -> Iterator[Command]:
    """What honest people do next, in the order in which they try it."""
    table, round = play.table, play.current
    gina: dict[str, Any] = {"by": "gina", "at": play.now, "position": Position.GAMING_SHIFT_MANAGER}
    hon: dict[str, Any] = {"by": "hon", "at": play.now, "position": Position.DEALER}
    house: dict[str, Any] = {"by": "house", "at": play.now, "position": Position.CASINO_OPERATOR}
    for person, held in (("hon", Position.DEALER), ("gina", Position.GAMING_SHIFT_MANAGER)):
        if table.staff.get(person) is not held:
            yield AssignStaff(person=person, to=held, **house)
    if table.awaited is not None:
        yield RejectReport(number=table.awaited.number, reason="it is not so", **gina)
    if table.dealer != "hon":
        yield TakeTheDeal(**hon)
    if round.halt.offer is not None:
        play.now += HOUR
        yield CloseWithdrawalOffer(**hon)
    if round.halt.for_ruling:
        yield MakeRuling(decision="continue", reason="nothing is wrong", **gina)
        for decision in ("replace", "burn"):  # of a card that is said to have left the shoe, while none was due
            yield MakeRuling(decision=decision, reason="so it stays", cosigned_by=("hon",), **gina)
        yield JudgeIrregularity(put_right=True, cosigned_by=("hon",), **gina)
    due = next_act(table, play.game, by="hon", at=play.now)
    if due is not None:
        yield due
    for hand, holder in zip(play.game.hands, round.holders, strict=True):
        if holder:
            ann: dict[str, Any] = {"by": holder, "at": play.now, "position": Position.PATRON}
            yield RevealHand(hand=hand, **ann)
            seats = range(1, play.settings.positions + 1) if table.people[holder].seat is None else ()
            yield from (TakeSeat(seat=seat, **ann) for seat in seats)
        yield RevealHand(hand=hand, **hon)


def paid(play: Play) -> dict[str, int]:
    """What the round pays, by wager, once honest people have finished it."""
    number = play.current.number
    for _ in range(120):
        if play.table.round is None or play.table.round.number != number:
            break
        assert any(asks(play, command) for command in honest(play)), play.current
    found: dict[str, int] = {}
    for event in play.log:
        if isinstance(event, WagerSettled):
            found[event.stake.key] = event.net
        elif isinstance(event, StakeReturned):
            found[event.stake.key] = 0
    assert not any(isinstance(event, RoundVoided) for event in play.log) or not any(found.values())
    return found


@pytest.mark.clause("SEC-1", "IDT-6.3a")
@pytest.mark.parametrize("id", built_in())
@given(st.randoms(use_true_random=False))
def test_nobody_alone_changes_what_a_round_pays_once_a_card_is_out(id: str, chance: Random) -> None:
    play = dealt(id, chance)
    table, now, log = play.table, play.now, len(play.log)
    due = paid(play)
    assert due
    play.table, play.now = table, now
    del play.log[log:]
    alone, story = chance.choice(ALONE), list[Command]()
    for _ in range(chance.randint(1, 8)):
        person = alone if chance.random() < 0.8 else chance.choice(PATRONS)
        play.now += chance.choice((0, 0, HOUR))
        asked = next((each for each in acts(play, person, chance) if asks(play, each)), None)
        if asked is not None:
            story.append(asked)
    if play.table.round is not None and play.table.round.number == table.rounds:
        found = paid(play)
    else:
        found = {event.stake.key: event.net for event in play.log if isinstance(event, WagerSettled)}
        found |= {event.stake.key: 0 for event in play.log if isinstance(event, StakeReturned)}
    assert found == due, story
    assert not any(isinstance(event, AFTERWARDS) for event in play.log), story
