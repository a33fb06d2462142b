"""The house's own log: approvals, alerts, what nodes run, steps of the clock."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from longhu.accounts.alerts import ALERT_VOID, Significant
from longhu.accounts.house_log import (
    ALERT_ACKNOWLEDGED,
    ALERT_CLOCK_STEP,
    ALERTS_MAX,
    NO_SUCH_ALERT,
    NODES_MAX,
    OWN_ALERT,
    PROGRAM_CHANGED,
    AcknowledgeAlert,
    AlertAcknowledged,
    ApproveGame,
    CheckProgram,
    ClockStepped,
    NoteClock,
    NoteTable,
    NoteUnknownNames,
    ProgramChecked,
    RaiseAlert,
    StartHouse,
    WithdrawApproval,
    may_open,
    may_start,
)
from longhu.accounts.state import Alert, HouseLog
from longhu.accounts.times import DAY, HOUR
from longhu.positions import Position
from longhu.table.messages import ASK_POSITION
from tests.accounts.keeping import PLAY, REAL, START, Kept, a_house_log
from tests.codes import code

RULES, OTHERS = "a" * 64, "b" * 64
SHIFT, MANAGER = Position.GAMING_SHIFT_MANAGER, Position.PIT_MANAGER
APPROVE = ApproveGame(digest=RULES, game="dragon-tiger", why="tested")


@pytest.mark.clause("RUL-4", "LOG-4")
def test_a_table_opens_only_with_rules_that_are_approved() -> None:
    kept = a_house_log()
    refusal = may_open(kept.state, RULES, kept.at)
    assert refusal is not None
    assert refusal.clause == "RUL-4"
    assert kept.refused(APPROVE, "mia", MANAGER).clause == "SEC-1"
    assert kept.refused(ApproveGame(digest=RULES, game="dragon-tiger"), "max", SHIFT).clause == "LOG-4"
    kept.done(APPROVE, "max", SHIFT)
    assert may_open(kept.state, RULES, kept.at) is None
    assert may_open(kept.state, OTHERS, kept.at) is not None
    assert kept.refused(APPROVE, "max", SHIFT).reason.code == "rules-approved-already"


@pytest.mark.clause("RUL-4")
def test_rules_are_approved_from_a_time_on() -> None:
    kept = a_house_log()
    kept.done(ApproveGame(digest=RULES, game="x", effective=START + DAY, why="from tomorrow"), "max", SHIFT)
    refusal = may_open(kept.state, RULES, kept.at)
    assert refusal is not None
    assert refusal.reason.code == "rules-approved-later"
    assert may_open(kept.state, RULES, START + DAY) is None
    kept.done(APPROVE, "max", SHIFT)
    assert may_open(kept.state, RULES, kept.at) is None, "or earlier, if somebody says so"


@pytest.mark.clause("RUL-4", "IDT-0b")
def test_an_approval_takes_effect_no_earlier_than_the_rules() -> None:
    kept, later = a_house_log(), START + DAY
    early = ApproveGame(digest=RULES, game="x", effective=later - 1, in_force=later, why="for tonight")
    refusal = kept.refused(early, "max", SHIFT)
    assert (refusal.reason.code, refusal.reason.args["at"]) == ("approved-before-in-force", later)
    kept.done(replace(early, effective=0), "max", SHIFT)
    assert kept.state.approved[RULES].effective == later, "as soon as they are in force"
    refused = may_open(kept.state, RULES, later - 1)
    assert refused is not None
    assert refused.reason.args["at"] == later
    assert may_open(kept.state, RULES, later) is None


@pytest.mark.clause("RUL-4")
def test_an_approval_is_withdrawn() -> None:
    kept = a_house_log()
    kept.done(APPROVE, "max", SHIFT)
    kept.done(NoteTable(table="T1", digest=RULES), "mia", MANAGER)
    kept.done(WithdrawApproval(digest=RULES, why="a mistake in it"), "max", SHIFT)
    assert may_open(kept.state, RULES, kept.at) is not None
    assert kept.refused(NoteTable(table="T2", digest=RULES), "mia", MANAGER).clause == "RUL-4"
    assert kept.refused(WithdrawApproval(digest=RULES, why="x"), "max", SHIFT).clause == "RUL-4"
    assert kept.state.tables == {"T1": RULES}


@pytest.mark.parametrize("digest", ["", "a" * 63, "A" * 64, "g" * 64])
def test_a_digest_is_64_digits(digest: str) -> None:
    assert a_house_log().refused(ApproveGame(digest=digest, game="x", why="x"), "max", SHIFT).clause == "RUL-3"


# ------------------------------------------------ alerts


def raises(
    kept: Kept[HouseLog],
    kind: Significant = Significant.VOID,
    *,
    table: str = "",
    person: str = "",
    round: int = 7,
) -> None:
    kept.by_house(RaiseAlert(kind=kind, message=ALERT_VOID(round=round), table=table, person=person))


@pytest.mark.clause("SEC-2", "LOG-3")
def test_an_alert_stays_open_until_somebody_who_may_has_acknowledged_it() -> None:
    kept = a_house_log()
    raises(kept, table="T1")
    assert kept.state.alerts == {1: Alert(1, Significant.VOID, START, ALERT_VOID(round=7), "T1")}
    kept.later(365 * DAY)
    assert 1 in kept.state.alerts
    for by, position in (("ann", Position.PATRON), ("dee", Position.DEALER), ("otto", Position.AUDITOR)):
        kept.refused(AcknowledgeAlert(number=1), by, position)
    assert kept.done(AcknowledgeAlert(number=1, why="seen"), "mia", MANAGER) == [
        AlertAcknowledged(
            by="mia", at=kept.at, position=MANAGER, clause="SEC-2", why="seen", number=1, kind=Significant.VOID
        )
    ]
    assert kept.state.alerts == {}
    assert kept.refused(AcknowledgeAlert(number=1), "mia", MANAGER).reason == ALERT_ACKNOWLEDGED(number="1")
    for number in (0, -1, 2):
        refusal = kept.refused(AcknowledgeAlert(number=number), "mia", MANAGER)
        assert refusal.reason == NO_SUCH_ALERT(number=str(number))


@pytest.mark.clause("SEC-2")
@pytest.mark.parametrize("kind", Significant)
def test_grave_ones_need_a_higher_position(kind: Significant) -> None:
    kept = a_house_log()
    raises(kept, kind)
    if kind.needs is SHIFT:
        refusal = kept.refused(AcknowledgeAlert(number=1), "mia", MANAGER)
        assert refusal.remedy == ASK_POSITION(position="gaming-shift-manager")
    kept.done(AcknowledgeAlert(number=1), "max", SHIFT)


@pytest.mark.clause("SEC-2")
def test_nobody_acknowledges_what_is_about_themselves() -> None:
    kept = a_house_log()
    raises(kept, Significant.LOCKED, person="max")
    assert kept.refused(AcknowledgeAlert(number=1), "max", SHIFT).reason == OWN_ALERT()
    kept.done(AcknowledgeAlert(number=1), "moe", SHIFT)


def test_the_same_is_said_once_while_it_is_open() -> None:
    kept = a_house_log()
    raises(kept, table="T1")
    kept.refused(RaiseAlert(kind=Significant.VOID, message=ALERT_VOID(round=7), table="T1"), "dee", Position.DEALER)
    raises(kept, table="T2")
    raises(kept, table="T1", round=8)
    kept.done(AcknowledgeAlert(number=1), "mia", MANAGER)
    raises(kept, table="T1")
    assert list(kept.state.alerts) == [2, 3, 4]


def test_a_flood_of_alerts_has_a_bound() -> None:
    kept = a_house_log()
    for number in range(ALERTS_MAX):
        raises(kept, table="T1", round=number)
    kept.refused(
        RaiseAlert(kind=Significant.VOID, message=ALERT_VOID(round=ALERTS_MAX), table="T1"), "dee", Position.DEALER
    )
    raises(kept, table="T2", round=1)
    assert len(kept.state.alerts) == ALERTS_MAX + 1


# ------------------------------------------------ program and clock


def starts(kept: Kept[HouseLog], node: str = "n1", digest: str = RULES) -> None:
    kept.by_house(StartHouse(node=node, version="1", digest=digest, definitions={"x.toml": OTHERS}))


@pytest.mark.clause("LOG-10")
def test_a_node_whose_program_was_changed_starts_no_further_round() -> None:
    kept = a_house_log()
    starts(kept)
    kept.later(DAY)
    (event,) = kept.by_house(CheckProgram(node="n1", digest=RULES, definitions={"x.toml": OTHERS}))
    assert isinstance(event, ProgramChecked)
    assert event.changed == ()
    assert may_start(kept.state, "n1") is None
    kept.later(DAY)
    kept.by_house(CheckProgram(node="n1", digest=OTHERS, definitions={"x.toml": RULES, "y.toml": RULES}))
    refusal = may_start(kept.state, "n1")
    assert refusal is not None
    assert refusal.clause == "LOG-10"
    assert refusal.reason == PROGRAM_CHANGED(changed=("longhu", "x.toml", "y.toml"))
    assert [alert.kind for alert in kept.state.alerts.values()] == [Significant.PROGRAM_CHANGED]
    kept.by_house(CheckProgram(node="n1", digest=RULES, definitions={"x.toml": OTHERS}))
    assert may_start(kept.state, "n1") is not None, "changed back is changed"
    assert may_start(kept.state, "n2") is None
    starts(kept, digest=OTHERS)
    assert may_start(kept.state, "n1") is None, "a new start is a new program"


def test_only_the_program_itself_tells_what_it_runs() -> None:
    kept = a_house_log()
    command = StartHouse(node="n1", version="1", digest=RULES, definitions={})
    assert kept.refused(command, "max", SHIFT).clause == "SEC-1"
    assert kept.refused(CheckProgram(node="n1", digest="", definitions={}), "house").clause == "LOG-10"


def test_nodes_of_long_ago_are_forgotten() -> None:
    kept = a_house_log()
    for number in range(NODES_MAX + 20):
        kept.later(HOUR)
        starts(kept, f"n{number}")
    assert len(kept.state.programs) == NODES_MAX
    assert list(kept.state.programs)[-1] == f"n{NODES_MAX + 19}"


@pytest.mark.clause("MON-6")
def test_a_house_of_play_money_never_becomes_one_of_real_money() -> None:
    for first, then in ((PLAY, REAL), (REAL, PLAY)):
        kept = a_house_log(first)
        starts(kept)
        kept.policy = then
        command = StartHouse(node="n2", version="1", digest=RULES, definitions={})
        assert code(kept.refused(command, "house").remedy) == "use-another-database"


@pytest.mark.clause("LOG-8", "LOG-3")
def test_a_step_of_the_clock_is_an_event() -> None:
    kept = a_house_log()
    events = kept.by_house(NoteClock(node="n1", before=START + 5000, after=START))
    assert isinstance(events[0], ClockStepped)
    assert [alert.message for alert in kept.state.alerts.values()] == [ALERT_CLOCK_STEP(node="n1", seconds="-5.0")]
    assert [alert.kind for alert in kept.state.alerts.values()] == [Significant.CLOCK_STEP]


@pytest.mark.clause("LOG-5")
def test_strangers_who_try_to_sign_in_are_on_record() -> None:
    kept = a_house_log()
    before = kept.state
    kept.by_house(NoteUnknownNames(address="192.0.2.9", mark="0123456789abcdef", times=3))
    assert kept.state == before
    assert b'"unknown-names-refused/1"' in kept.lines[-1]
    assert kept.replay() == kept.state
