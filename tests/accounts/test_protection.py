"""Cool-off, exclusion, limits that are reached, and the reality check: each holds at once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longhu.accounts.account import CloseAccount
from longhu.accounts.limits import SetLimit
from longhu.accounts.messages import HouseCommand
from longhu.accounts.policy import Policy
from longhu.accounts.protection import (
    ACKNOWLEDGE_CHECK_FIRST,
    BACK_AFTER,
    CHECK_MINUTES,
    COOL_OFF_HOURS,
    EXCLUSION_DAYS,
    LOSS_LIMIT_REACHED,
    NOT_BARRED,
    PLAY_AFTER,
    REALITY_CHECK_DUE,
    STAKE_UP_TO,
    AcknowledgeRealityCheck,
    BarPatron,
    CoolOff,
    LiftBar,
    RequestReturn,
    SelfExclude,
    SetRealityCheck,
    may_play,
    next_check,
)
from longhu.accounts.sign_in_rules import EndSession, StartSession
from longhu.accounts.state import Account, Kind, Span
from longhu.accounts.times import DAY, HOUR, MINUTE
from longhu.accounts.wallet import PayIn, PayOut
from longhu.eventsourcing import Refusal
from longhu.positions import OF_PEOPLE, Position
from tests.accounts.keeping import PLAY, REAL, Kept, an_account
from tests.codes import code

MANAGER = Position.PIT_MANAGER
SHIFT = Position.GAMING_SHIFT_MANAGER
RARELY = Policy(play_money=True, check_minutes=10**9)  # where a test is about something else than reality checks


def asks(kept: Kept[Account], stake: int = 0, **losses: int) -> Refusal | None:
    found = may_play(
        kept.state, kept.policy, kept.at, losses={Span(name): lost for name, lost in losses.items()}, stake=stake
    )
    assert found is None or (found.clause and found.remedy), found
    return found


def test_nothing_is_against_a_new_patron() -> None:
    assert asks(an_account(), 10**9) is None


@pytest.mark.clause("LIM-3")
def test_a_break_holds_at_once_and_until_it_is_over() -> None:
    kept = an_account(RARELY)
    kept.done(CoolOff(hours=48), "ann")
    refusal = asks(kept)
    assert refusal is not None
    assert (refusal.clause, refusal.remedy) == ("LIM-3", PLAY_AFTER(at=kept.at + 48 * HOUR))
    assert kept.refused(PayIn(amount=100), "ann").clause == "LIM-3"
    kept.later(47 * HOUR)
    assert asks(kept) is not None
    kept.later(HOUR)
    assert asks(kept) is None


@pytest.mark.clause("LIM-3")
def test_a_break_is_made_longer_never_shorter() -> None:
    kept = an_account(RARELY)
    kept.done(CoolOff(hours=72), "ann")
    assert code(kept.refused(CoolOff(hours=24), "ann").remedy) == "only-longer"
    kept.done(CoolOff(hours=96), "ann")
    kept.later(95 * HOUR)
    assert asks(kept) is not None


@pytest.mark.clause("LIM-3")
def test_self_exclusion_holds_until_its_end_and_then_until_somebody_asks_to_come_back() -> None:
    kept = an_account(RARELY)
    days = EXCLUSION_DAYS[0]
    kept.done(SelfExclude(days=days, why="enough"), "ann")
    assert asks(kept) is not None
    kept.refused(RequestReturn(), "ann")
    kept.later(days * DAY - 1)
    kept.refused(RequestReturn(), "ann")
    kept.later(1)
    refusal = asks(kept)
    assert refusal is not None
    assert code(refusal.remedy) == "ask-to-come-back"
    kept.done(RequestReturn(), "ann")
    assert asks(kept) is not None, "not at once"
    kept.refused(RequestReturn(), "ann")
    kept.later(BACK_AFTER)
    assert asks(kept) is None


@pytest.mark.clause("LIM-3")
@pytest.mark.parametrize("position", OF_PEOPLE)
def test_nobody_lifts_what_a_patron_has_said(position: Position) -> None:
    kept = an_account(RARELY)
    kept.done(SelfExclude(days=400), "ann")
    for command in (LiftBar(why="a good customer"), RequestReturn(), SelfExclude(days=183)):
        kept.refused(command, "boss", position)
        if position is Position.CASINO_OPERATOR and not isinstance(command, SelfExclude):
            kept.refused(command, "house", position)


@pytest.mark.clause("LIM-3", "LOG-4")
def test_the_house_excludes_for_a_reason_and_lifts_for_one() -> None:
    kept = an_account(RARELY)
    assert kept.refused(BarPatron(days=None, why="x"), "sue", Position.PIT_SUPERVISOR).clause == "SEC-1"
    assert kept.refused(BarPatron(days=None), "mia", MANAGER).clause == "LOG-4"
    kept.done(BarPatron(days=None, why="marked cards"), "mia", MANAGER)
    kept.later(1000 * DAY)
    refusal = asks(kept)
    assert refusal is not None
    assert refusal.reason.code == "barred"
    assert kept.refused(LiftBar(why="cleared"), "mia", MANAGER).clause == "SEC-1"
    assert code(kept.refused(BarPatron(days=1, why="shorter"), "mia", MANAGER).remedy) == "lift-that-first"
    kept.done(LiftBar(why="cleared"), "max", SHIFT)
    assert asks(kept) is None
    assert kept.refused(LiftBar(why="again"), "max", SHIFT).reason == NOT_BARRED(person="ann")


def test_a_bar_for_some_days_runs_out() -> None:
    kept = an_account(RARELY)
    kept.done(BarPatron(days=10, why="loud"), "mia", MANAGER)
    assert asks(kept) is not None
    kept.later(10 * DAY)
    assert asks(kept) is None


@pytest.mark.clause("LIM-3")
def test_whoever_is_excluded_gets_their_money() -> None:
    kept = an_account(RARELY)
    kept.done(PayIn(amount=1000), "ann")
    kept.done(SelfExclude(days=400), "ann")
    assert kept.refused(PayIn(amount=1), "ann").clause == "LIM-3"
    kept.done(PayOut(amount=1000), "ann")


@pytest.mark.parametrize(
    "command",
    [
        CoolOff(hours=COOL_OFF_HOURS[0] - 1),
        CoolOff(hours=COOL_OFF_HOURS[1] + 1),
        SelfExclude(days=EXCLUSION_DAYS[0] - 1),
        SelfExclude(days=EXCLUSION_DAYS[1] + 1),
        SetRealityCheck(minutes=0),
        SetRealityCheck(minutes=CHECK_MINUTES[1] + 1),
    ],
)
def test_spans_that_cannot_be_chosen_say_which_can(command: HouseCommand) -> None:
    assert code(an_account().refused(command, "ann").remedy) == "span-range"


# ------------------------------------------------ limits that are reached


@pytest.mark.clause("LIM-3")
def test_a_loss_limit_refuses_the_wager_that_could_break_it() -> None:
    kept = an_account()
    kept.done(SetLimit(kind=Kind.LOSS, span=Span.WEEK, most=10_000), "ann")
    assert asks(kept, 10_000) is None
    assert asks(kept, 4_000, week=6_000) is None
    refusal = asks(kept, 4_001, week=6_000)
    assert refusal is not None
    assert (refusal.clause, refusal.remedy) == ("LIM-3", STAKE_UP_TO(maximum=40_00))
    assert asks(kept, 1_000, week=-50_000) is None
    for lost in (10_000, 10_500):
        refusal = asks(kept, 0, week=lost)
        assert refusal is not None, "not even a seat, or chips"
        assert refusal.reason == LOSS_LIMIT_REACHED(maximum=100_00, span="week")


@pytest.mark.clause("LIM-3")
def test_of_several_loss_limits_the_lowest_wins() -> None:
    kept = an_account()
    kept.done(SetLimit(kind=Kind.LOSS, span=Span.DAY, most=1_000), "ann")
    kept.done(SetLimit(kind=Kind.LOSS, span=Span.MONTH, most=2_000), "ann")
    assert asks(kept, 500, day=0, month=1_600) is not None
    assert asks(kept, 400, day=0, month=1_600) is None
    assert asks(kept, 400, day=700, month=700) is not None


@pytest.mark.clause("LIM-3")
def test_a_time_limit_ends_play_in_the_middle_of_a_session() -> None:
    kept = an_account(RARELY)
    kept.done(SetLimit(kind=Kind.TIME, span=Span.DAY, most=120), "ann")
    kept.done(StartSession(session="s1", address="", agent=""), "ann")
    kept.later(119 * MINUTE)
    assert asks(kept) is None
    kept.later(MINUTE)
    refusal = asks(kept)
    assert refusal is not None
    assert refusal.reason.code == "time-limit-reached"
    kept.done(EndSession(session="s1", ended=kept.at), "ann")
    kept.done(StartSession(session="s2", address="", agent=""), "ann")
    assert asks(kept) is not None, "signing in again is no way round it"
    kept.done(EndSession(session="s2", ended=kept.at), "ann")
    kept.later(23 * HOUR)
    assert asks(kept) is None


# ------------------------------------------------ reality check


@pytest.mark.clause("PLY-2")
def test_a_reality_check_must_be_acknowledged() -> None:
    kept = an_account()
    kept.done(SetRealityCheck(minutes=30), "ann")
    kept.done(StartSession(session="s1", address="", agent=""), "ann")
    kept.later(30 * MINUTE)
    refusal = asks(kept)
    assert refusal == Refusal(REALITY_CHECK_DUE(since=30), ACKNOWLEDGE_CHECK_FIRST(), "PLY-2")
    kept.later(MINUTE)
    (event,) = kept.done(AcknowledgeRealityCheck(), "ann")
    assert b'"elapsed":1860000' in kept.lines[-1]
    assert asks(kept) is None
    assert next_check(kept.state, kept.policy) == event.at + 30 * MINUTE


@pytest.mark.clause("PLY-2")
def test_the_house_has_an_interval_for_whoever_chooses_none() -> None:
    kept = an_account()
    kept.done(StartSession(session="s1", address="", agent=""), "ann")
    kept.later(PLAY.check_minutes * MINUTE - 1)
    assert asks(kept) is None
    kept.later(1)
    assert asks(kept) is not None


@pytest.mark.clause("PLY-2")
def test_another_screen_is_no_way_round_a_reality_check() -> None:
    kept = an_account()
    kept.done(StartSession(session="s1", address="", agent=""), "ann")
    kept.later(PLAY.check_minutes * MINUTE)
    kept.done(StartSession(session="s2", address="", agent=""), "ann")
    assert asks(kept) is not None
    for session in ("s1", "s2"):
        kept.done(EndSession(session=session, ended=kept.at), "ann")
    kept.later(DAY)
    kept.done(StartSession(session="s3", address="", agent=""), "ann")
    assert asks(kept) is None, "who comes back the next day starts anew"


# ------------------------------------------------ who does not play at all


@pytest.mark.clause("SEC-1")
@pytest.mark.parametrize("position", [each for each in OF_PEOPLE if each is not Position.PATRON])
def test_people_of_the_house_do_not_play_in_it(position: Position) -> None:
    refusal = asks(an_account(person="dee", position=position))
    assert refusal is not None
    assert refusal.clause == "SEC-1"


def test_a_closed_account_does_not_play() -> None:
    kept = an_account()
    kept.done(CloseAccount(why="x"), "ann")
    assert asks(kept) is not None


@pytest.mark.clause("MON-6")
def test_play_money_does_not_play_where_money_is_real() -> None:
    kept = an_account(PLAY)
    refusal = may_play(kept.state, REAL, kept.at)
    assert refusal is not None
    assert refusal.clause == "MON-6"


# ------------------------------------------------ whatever anybody does

by_patron = st.one_of(
    st.builds(CoolOff, hours=st.integers(20, 1100)),
    st.builds(SelfExclude, days=st.integers(180, 2000)),
    st.builds(RequestReturn),
    st.builds(AcknowledgeRealityCheck),
    st.builds(SetRealityCheck, minutes=st.integers(0, 2000)),
    st.builds(SetLimit, kind=st.sampled_from(Kind), span=st.sampled_from(Span), most=st.none() | st.integers(0, 10**6)),
    st.builds(PayIn, amount=st.integers(0, 10**6)),
    st.builds(PayOut, amount=st.integers(0, 10**6)),
)
by_staff = st.one_of(
    st.builds(BarPatron, days=st.none() | st.integers(1, 400), why=st.just("x")),
    st.builds(LiftBar, why=st.just("x")),
    st.builds(RequestReturn),
)
walks = st.lists(st.tuples(by_patron | by_staff, st.sampled_from(Position), st.integers(0, 60 * DAY)), max_size=40)


@pytest.mark.clause("LIM-3")
@given(walks)
def test_what_a_patron_has_said_is_never_over_before_its_time(walk: list[tuple[HouseCommand, Position, int]]) -> None:
    """Breaks and exclusions hold to their last millisecond, whatever anybody in any position asks for meanwhile."""
    kept = an_account(RARELY)
    until = 0  # until when nobody may play
    for command, position, wait in walk:
        by = "ann" if position is Position.PATRON else "boss"
        done = kept.ask(command, by, position)
        if isinstance(done, list) and isinstance(command, CoolOff | SelfExclude):
            ends = command.hours * HOUR if isinstance(command, CoolOff) else command.days * DAY
            until = max(until, kept.at + ends)
        for moment in (kept.at, min(kept.at + wait, until - 1)):
            if kept.at <= moment < until:
                refusal = may_play(kept.state, kept.policy, moment)
                assert refusal is not None
                assert refusal.clause == "LIM-3"
        kept.later(wait)
    assert kept.replay() == kept.state
