"""The table of authority: every row at each moment, by each position, alone and with a second person.

Two things are wanted of it. What the rows say is what happens (`decide` reads them), and no act of one person alone, written down or not,
changes what a round pays once a card of it is out.
"""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

from longhu.eventsourcing import Event, Refusal, name_of
from longhu.games.registry import built_in
from longhu.positions import Position
from longhu.table.authority import (
    AUTHORITIES,
    AUTHORITY,
    EVERY,
    FIRST_TABLE,
    MOVES,
    WHILE_WAITING,
    Moment,
    Row,
    Tables,
    rows_of,
    second_person,
)
from longhu.table.betting_phase import CallPlaceYourBets
from longhu.table.confirmation import ConfirmReport, RejectReport
from longhu.table.dealing import AnnounceTotals, DrawCard
from longhu.table.engine import decide, replay
from longhu.table.irregularities.cards import DrawCardsTogether, JudgeIrregularity, ReportMislaidCards
from longhu.table.irregularities.late import (
    ReportLateChips,
    ReportLiftedWager,
    ReportOffLimitsWager,
)
from longhu.table.irregularities.missing import ReportMissingCards
from longhu.table.irregularities.power import ReportMalfunction, ReportPowerFailure
from longhu.table.irregularities.rulings import MakeRuling, ReportIncident
from longhu.table.messages import AS_TOLD, TABLE, ActCosigned, Command, ConfirmationAwaited
from longhu.table.opening import OpenTable
from longhu.table.people import AssignStaff, TakeTheDeal
from longhu.table.remedies.procedure import ReportIrregularity
from longhu.table.remedies.void import CancelExpiredRound, RoundVoided
from longhu.table.remedies.withdrawal import AnswerWithdrawalOffer
from longhu.table.settling import SettleRound
from tests.table.rounds import Play

IDT = "immortal-dragon-tiger"
DOCS = Path(__file__).parents[2] / "docs"
OFF: dict[str, Any] = {"patron": "ann", "place": 1, "wager": "banker", "amount": 150_000}
PAIR: dict[str, Any] = {"order_known": False, "cards": ("KH", "KC")}


def dealing(cards: int = 4, **settings: Any) -> Play:
    """Real cards and real chips, ann on Banker, and so many cards out: Player 5, Banker 6."""
    play = Play(IDT, cards="2D KC 3D 6C 9H 9S", **{"method": "B", "device": "reading-shoe", **settings})
    play.does(AssignStaff, "opal", person="eve", to=Position.SURVEILLANCE)
    play.does(AssignStaff, "opal", person="dora", to=Position.DEALER)
    play.open_betting()
    play.bet("bob", "player", "100.00")
    play.close_betting()
    for _ in range(cards):
        play.draw()
    return play


def code(decision: list[Event] | Refusal) -> str:
    """What came of it: a refusal by its code, that a second person is awaited, or that it was done."""
    if isinstance(decision, Refusal):
        return decision.reason.code
    return "awaited" if isinstance(decision[-1], ConfirmationAwaited) else "done"


# ---------------------------------------------------------------- the table itself


def test_every_row_names_an_act_of_the_table_and_says_why() -> None:
    names = {name_of(kind) for kind in TABLE.deciders} | {EVERY}
    for rows in AUTHORITIES.values():
        assert {row.command for row in rows} <= names
        assert rows[-1].command == EVERY
        assert rows[-1].second is not None
        for row in rows:
            assert row.why or row.second is None, row
    assert {*AUTHORITIES} == {*range(1, AUTHORITY + 1)}


def test_what_it_names_is_there() -> None:
    assert {name_of(kind) for kind in TABLE.evolvers} >= MOVES
    assert {name_of(kind) for kind in TABLE.deciders} >= WHILE_WAITING


def test_of_the_rows_of_an_act_the_latest_moment_stands_first() -> None:
    """The first that holds decides: one that holds at any time would hide those below it."""
    for kind in TABLE.deciders:
        own = [row for row in rows_of(AUTHORITY, kind) if row.command != EVERY and row.case is None]
        assert all(row.since is not Moment.ANY for row in own[:-1]), name_of(kind)


def test_a_table_names_its_version_and_no_other_is_known() -> None:
    play = Play(IDT)
    assert play.table.authority == AUTHORITY
    closed = Play(IDT, open=False)
    refusal = closed.refused(OpenTable, "opal", **closed.opening(), authority=AUTHORITY + 1)
    assert refusal.reason.code == "unknown-authority"


# ---------------------------------------------------------------- every row, at each moment, by each position


@dataclass(frozen=True)
class Try:
    """An act that the rules would allow at a table where so many cards are out, and what it needs there."""

    command: type[Command]
    fields: dict[str, Any]
    before: dict[int, str]  # the lowest second person by cards out; "" where a dealer alone does it


TRIES = (
    Try(ReportOffLimitsWager, OFF, {0: "", 1: "sue", 4: "sue"}),
    Try(ReportIrregularity, {"kind": "foreign-card"}, {0: "sue", 1: "sue", 4: "sue"}),
    Try(ReportIrregularity, {"kind": "missing-card"}, {0: "sue", 4: "sue"}),
    Try(DrawCardsTogether, PAIR, {0: "sue", 1: "sue", 2: "sue"}),
    Try(ReportMislaidCards, {"lies": ("banker", "player")}, {2: "sue"}),
    Try(ReportPowerFailure, {}, {0: "", 1: "sue"}),
    Try(ReportIncident, {"told": "a glass fell"}, {0: "", 4: ""}),  # it only stops the round
    Try(ReportLateChips, {**OFF, "amount": 1000}, {0: "", 4: ""}),
    Try(ReportLiftedWager, {"patron": "bob", "place": 2, "wager": "player"}, {0: "", 4: ""}),
)
CASES = [(each, cards, second) for each in TRIES for cards, second in each.before.items()]


@pytest.mark.clause("SEC-1")
@pytest.mark.parametrize(("each", "cards", "second"), CASES, ids=lambda value: getattr(value, "command", value))
def test_a_dealer_alone_does_it_or_a_second_person_confirms(each: Try, cards: int, second: str) -> None:
    play = dealing(cards)
    stakes, balances = play.current.stakes, play.table.balances
    asked = play.asks(each.command, "dee", **each.fields)
    if not second:
        assert code(asked) == "done"
        return
    assert code(asked) == "awaited"
    assert (play.current.stakes, play.table.balances) == (stakes, balances)
    play.refused(DrawCard, "dee", "SEC-1")  # no card,
    play.refused(SettleRound, "dee", "SEC-1")  # and no payment
    play.refused(ConfirmReport, "dee", "SEC-1", number=1)
    play.refused(ConfirmReport, "dora", "SEC-1", number=1)  # a second dealer is no supervisor
    surveillance = play.table.awaited is not None and play.table.awaited.surveillance
    assert code(play.asks(ConfirmReport, "eve" if surveillance else second, number=1)) == "done"
    assert play.table.awaited is None


@pytest.mark.clause("SEC-1")
@pytest.mark.parametrize(("each", "cards", "second"), [each for each in CASES if each[2]], ids=str)
def test_whoever_signs_with_it_at_once_is_the_second_person(each: Try, cards: int, second: str) -> None:
    for cosigners, found in (
        (("dee",), "cosigner-is-actor"),
        (("sue", "sue"), "cosigner-twice"),
        (("ann",), "cosigner-not-staff"),
        (("nobody",), "cosigner-not-staff"),
        (("dora",), "cosigner-too-low"),
        ((second,), "done"),
        (("dora", "gus"), "done"),
        (("eve",), "done"),
    ):
        play = dealing(cards)
        decision = play.asks(each.command, "dee", cosigned_by=cosigners, **each.fields)
        assert code(decision) == found, cosigners
        if isinstance(decision, list):
            assert isinstance(decision[0], ActCosigned)
            assert decision[0].cosigned_by == cosigners


@pytest.mark.clause("SEC-1")
def test_a_higher_position_is_one_of_two_as_well() -> None:
    """Of the two one is a supervisor or above, and the other may be a dealer."""
    for by in ("sue", "pam", "gus", "opal"):
        play = dealing()
        assert code(play.asks(ReportOffLimitsWager, by, **OFF)) == "awaited"
        assert code(play.asks(ConfirmReport, "dora", number=1)) == "done"


@pytest.mark.clause("SEC-1", "IDT-6.1")
def test_nobody_voids_a_round_by_a_ruling_alone() -> None:
    play = dealing()
    play.does(ReportIncident, "dee", told="a glass fell")
    assert code(play.asks(MakeRuling, "gus", decision="void", reason="nobody saw the cards")) == "awaited"
    confirmed = play.does(ConfirmReport, "dee", number=1)
    assert any(isinstance(event, RoundVoided) for event in confirmed)
    other = dealing()
    other.does(ReportIncident, "dee", told="a glass fell")
    assert code(other.asks(MakeRuling, "gus", decision="continue", reason="no card is wet")) == "done"


@pytest.mark.clause("DBO-MALF-1")
def test_payments_are_taken_back_by_two() -> None:
    play = Play("dragon-bonus-online")
    play.round(ann={"banker": "20.00"})
    balances = play.table.balances
    assert code(play.asks(ReportMalfunction, "dee", number=1)) == "awaited"
    play.refused(CallPlaceYourBets, "dee", "SEC-1")  # no other round starts meanwhile
    assert play.table.balances == balances
    assert code(play.asks(ConfirmReport, "sue", number=1)) == "done"
    assert play.net("ann") == "0.00"


@pytest.mark.clause("SEC-1", "IDT-5.8.1")
def test_what_a_patron_answers_is_the_patrons_word_or_that_of_two() -> None:
    play = dealing(2)
    play.does(DrawCardsTogether, "dee", order_known=True, cards=("3D", "6C"))
    bob: dict[str, Any] = {"withdraw": True, "patron": "bob"}
    assert code(play.asks(AnswerWithdrawalOffer, "dee", **bob)) == "second-person-needed"
    assert code(play.asks(AnswerWithdrawalOffer, "dee", **bob, cosigned_by=("eve",))) == "done"
    own = dealing(2)
    own.does(DrawCardsTogether, "dee", order_known=True, cards=("3D", "6C"))
    assert code(own.asks(AnswerWithdrawalOffer, "bob", withdraw=True)) == "done"


@pytest.mark.clause("IDT-5.11")
def test_what_a_missing_card_was_is_seen_by_two() -> None:
    play = Play(IDT, method="A", device="hand-shoe")
    play.open_betting()
    play.bet("ann", "player", "100.00")
    play.close_betting()
    play.draw("", "", "", "")
    asked = play.asks(ReportMissingCards, "dee", hand="player", established=("9H", "KH"))
    assert code(asked) == "awaited"
    assert not any(each.card for each in play.current.cards)


@pytest.mark.clause("SEC-1")
def test_a_judgement_has_a_second_person_once_a_card_is_out() -> None:
    play = dealing(4)
    play.does(AnnounceTotals, "dee")
    play.does(DrawCardsTogether, "dee", **PAIR)
    assert code(play.asks(JudgeIrregularity, "pam", put_right=True, order=(1, 0))) == "awaited"
    assert code(play.asks(ConfirmReport, "dee", number=2)) == "done"


def test_the_program_alone_reads_the_clock_of_a_game() -> None:
    play = Play("dragon-bonus-online")
    play.open_betting()
    play.bet("ann", "banker", "20.00")
    late = play.now + 31 * 24 * 3_600_000
    assert code(play.asks(CancelExpiredRound, "gus", at=late)) == "house-does-this"
    assert code(play.asks(CancelExpiredRound, "house", at=late)) == "done"


# ---------------------------------------------------------------- kinds of tables, and whose deal it is


@pytest.mark.clause("SEC-1", "MON-3")
@pytest.mark.parametrize(
    "row", [row for row in FIRST_TABLE if row.tables is not Tables.ALL], ids=lambda row: row.command
)
def test_what_cannot_occur_at_a_table_is_refused_there(row: Row) -> None:
    kind = next(kind for kind in TABLE.deciders if name_of(kind) == row.command)
    program = dealing(device="virtual", chips="electronic")
    found = {Tables.REAL_CARDS: "no-real-cards", Tables.LOOSE_CHIPS: "all-chips-recorded"}[row.tables]
    told: dict[str, Any] = dict.fromkeys(each.name for each in msgspec.structs.fields(kind) if each.required)
    if "kind" in told:
        told["kind"] = "missing-card"
    asked = kind(**{**told, "by": "opal", "at": program.now, "position": Position.CASINO_OPERATOR})
    assert code(decide(program.table, program.game, asked)) == found


@pytest.mark.clause("IDT-3.9.1", "IDT-6.2")
@pytest.mark.parametrize("each", TRIES, ids=lambda each: each.command.__name__)
def test_another_dealer_reports_nothing_while_somebody_has_the_deal(each: Try) -> None:
    if each.command is ReportIncident:  # anybody may stop a round
        return
    play = dealing(2)
    assert code(play.asks(each.command, "dora", **each.fields)) == "another-deals"
    assert code(play.asks(each.command, "sue", **each.fields)) in ("done", "awaited")
    play.does(TakeTheDeal, "dora")
    assert code(play.asks(each.command, "dora", **each.fields)) != "another-deals"


# ---------------------------------------------------------------- while a report waits


def test_a_rejected_report_leaves_the_round_as_it_was() -> None:
    play = dealing()
    before = play.table
    play.asks(ReportOffLimitsWager, "dee", **OFF)
    play.refused(RejectReport, "dora", "SEC-1", number=1, reason="no")  # too low
    play.refused(RejectReport, "sue", "SEC-1", number=1, reason=" ")
    play.refused(RejectReport, "sue", "SEC-1", number=2, reason="no")  # there is no such report
    play.does(RejectReport, "sue", number=1, reason="there are no chips")
    after = play.table
    assert (after.round, after.balances, after.awaited) == (before.round, before.balances, None)
    play.refused(ConfirmReport, "gus", "SEC-1", number=1)
    play.finish()


def test_whoever_reported_it_may_take_it_back() -> None:
    play = dealing()
    play.asks(ReportOffLimitsWager, "dee", **OFF)
    play.does(RejectReport, "dee", number=1, reason="the wrong area")
    play.finish()
    assert play.net("ann") == "0.00"


def test_a_report_is_decided_on_the_table_as_it_is_when_it_is_confirmed() -> None:
    """Whoever reported it and is no longer staff has reported nothing."""
    play = dealing()
    play.asks(ReportOffLimitsWager, "dee", **OFF)
    play.does(AssignStaff, "opal", person="dee", to=Position.PATRON)
    play.refused(ConfirmReport, "sue", number=1)
    play.does(RejectReport, "sue", number=1, reason="dee has gone home")


def test_patrons_come_and_dealers_change_while_a_report_waits() -> None:
    play = dealing()
    play.asks(ReportOffLimitsWager, "dee", **OFF)
    play.does(TakeTheDeal, "dora")
    confirmed = play.asks(ConfirmReport, "sue", number=1)
    assert code(confirmed) == "another-deals"  # whoever reported it deals no more: it is rejected, or reported anew
    play.does(RejectReport, "sue", number=1, reason="dora deals now, and reports it herself")


def test_the_log_leads_to_the_same_table() -> None:
    play = dealing()
    play.asks(ReportOffLimitsWager, "dee", **OFF)
    play.does(ConfirmReport, "sue", number=1)
    play.does(ReportOffLimitsWager, "dee", cosigned_by=("eve",), **{**OFF, "amount": 120_000})
    assert replay(type(play.table)(""), play.log) == play.table


# ---------------------------------------------------------------- the last row


@pytest.mark.clause("SEC-1")
def test_what_would_void_a_round_needs_two_whatever_the_act() -> None:
    """An act that nobody has thought of a row for: here drawing a card, if it led to that."""
    play = dealing(2)
    voided = [RoundVoided(number=1, why=AS_TOLD(text="so it is"))]
    draws = play.command(DrawCard, "dee")
    row = second_person(play.table, draws, voided)
    assert row is not None
    assert row.command == EVERY
    assert second_person(play.table, draws, play.asks(DrawCard, "dee")) is None  # type: ignore[arg-type]  # it is allowed
    assert second_person(dealing(0).table, draws, voided) is None  # chance has decided nothing
    assert second_person(play.table, play.command(DrawCard, "house"), voided) is None  # the program follows its rules


@pytest.mark.parametrize("id", built_in())
def test_an_ordinary_round_asks_nobody_else(id: str) -> None:
    play = Play(id)
    play.open_betting()
    play.bet("ann", next(iter(play.settings.limits)), "50.00")
    play.finish()
    assert not any(isinstance(event, (ConfirmationAwaited, ActCosigned)) for event in play.log)


def test_the_page_shows_the_table_as_it_is() -> None:
    """`make docs` writes it."""
    spec = importlib.util.spec_from_file_location("authority_page", DOCS / "authority_page.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert (DOCS / "authority.md").read_text() == module.page()
