"""The house's own log: which rules it may play by, which tables it has made, what somebody must look at, and what it runs.

RUL-4: a table opens only with rules that are approved. LOG-3, SEC-2: a significant event stays open until somebody who may has
acknowledged it. LOG-8: a step of the clock is an event. LOG-10: program and game files are hashed at the start and every
day; a node whose program is no longer what it started with starts no further round.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from longhu.accounts.alerts import Significant
from longhu.accounts.messages import Decision, HouseCommand, HouseEvent, about, too_low
from longhu.accounts.names import HOUSE
from longhu.accounts.policy import Policy
from longhu.accounts.state import HOUSE_LOG, Alert, Approval, HouseLog, Program
from longhu.accounts.times import SECOND
from longhu.eventsourcing import Refusal
from longhu.messages.message import Message, message_code
from longhu.positions import Position
from longhu.table.messages import OPEN_TABLE_THEN

RULES_NOT_APPROVED = message_code("rules-not-approved")
APPROVED_BY = message_code("approved-by-a-position", position="position")
APPROVED_LATER = message_code("rules-approved-later", at="time")
PROGRAM_CHANGED = message_code("program-changed", changed="texts")
RESTART_SERVER = message_code("restart-server")
HOUSE_OF_OTHER_MONEY = message_code("house-of-other-money", was="choice")
USE_ANOTHER_DATABASE = message_code("use-another-database")
NODE_NOT_STARTED = message_code("node-not-started", node="text")
RECORD_ITS_START = message_code("record-its-start")
NO_DIGEST = message_code("no-digest-of-rules")
GIVE_64_DIGITS = message_code("give-64-digits")
APPROVED_BEFORE_IN_FORCE = message_code("approved-before-in-force", game="game", at="time")
APPROVE_FROM_THEN = message_code("approve-from-then")
APPROVED_ALREADY = message_code("rules-approved-already", game="game")
RULES_ARE_NOT_APPROVED = message_code("rules-have-no-approval")
TABLE_KNOWN = message_code("table-known-already", table="text")
ALERT_OPEN_ALREADY = message_code("alert-open-already")
ACKNOWLEDGE_IT = message_code("acknowledge-that-alert")
ALERT_ACKNOWLEDGED = message_code("alert-acknowledged-already", number="text")
NO_SUCH_ALERT = message_code("no-such-alert", number="text")
SEE_OPEN_ALERTS = message_code("see-open-alerts")
OWN_ALERT = message_code("own-alert")
ASK_SOMEBODY_ELSE = message_code("ask-somebody-else")
ALERT_CLOCK_STEP = message_code("alert-clock-stepped", node="text", seconds="text")
ALERT_PROGRAM_CHANGED = message_code("alert-program-changed", node="text", changed="texts")

SET_UP_ALREADY = message_code("set-up-already")

SET_UP = 2  # people who are made before there is anybody to make them
NODES_MAX = 100  # whose programs are remembered
ALERTS_MAX = 1000  # open at one time; of more, only the first of each kind and table
UNAPPROVED = Refusal(RULES_NOT_APPROVED(), APPROVED_BY(position=Position.GAMING_SHIFT_MANAGER.value), "RUL-4")


class StartHouse(HouseCommand, frozen=True, kw_only=True, tag="start-house/1"):
    """A node starts; what it runs was hashed just now."""

    internal: ClassVar[bool] = True

    node: str
    version: str
    digest: str
    definitions: dict[str, str]


class HouseStarted(HouseEvent, frozen=True, kw_only=True, tag="house-started/1"):
    node: str
    version: str
    digest: str
    definitions: dict[str, str]
    play_money: bool


class SetUpOperator(HouseCommand, frozen=True, kw_only=True, tag="set-up-operator/1"):
    """One of the first two people: casino operators, who make all others together (SEC-1)."""

    internal: ClassVar[bool] = True
    recorded: ClassVar[bool] = False

    person: str


class OperatorSetUp(HouseEvent, frozen=True, kw_only=True, tag="operator-set-up/1"):
    person: str


class CheckProgram(HouseCommand, frozen=True, kw_only=True, tag="check-program/1"):
    """What a node runs was hashed again."""

    internal: ClassVar[bool] = True

    node: str
    digest: str
    definitions: dict[str, str]


class ProgramChecked(HouseEvent, frozen=True, kw_only=True, tag="program-checked/1"):
    node: str
    digest: str
    definitions: dict[str, str]
    changed: tuple[str, ...]  # what is not as it was when the node started: the program, or game files


class ApproveGame(HouseCommand, frozen=True, kw_only=True, tag="approve-game/1"):
    """Tables may be opened with these rules, from now or from a later time on."""

    needs: ClassVar[Position] = Position.GAMING_SHIFT_MANAGER
    reasoned: ClassVar[bool] = True

    digest: str
    game: str
    effective: int = 0  # 0: as soon as the rules are in force
    in_force: int = 0  # from when the rules are in force, as their file says; the house fills it in


class GameApproved(HouseEvent, frozen=True, kw_only=True, tag="game-approved/1"):
    digest: str
    game: str
    effective: int


class WithdrawApproval(HouseCommand, frozen=True, kw_only=True, tag="withdraw-approval/1"):
    """No further table is opened with these rules."""

    needs: ClassVar[Position] = Position.GAMING_SHIFT_MANAGER
    reasoned: ClassVar[bool] = True

    digest: str


class ApprovalWithdrawn(HouseEvent, frozen=True, kw_only=True, tag="approval-withdrawn/1"):
    digest: str
    game: str


class NoteTable(HouseCommand, frozen=True, kw_only=True, tag="note-table/1"):
    """A table was made."""

    needs: ClassVar[Position] = Position.PIT_MANAGER

    table: str
    digest: str  # of its rules


class TableCreated(HouseEvent, frozen=True, kw_only=True, tag="table-created/1"):
    table: str
    digest: str


class RaiseAlert(HouseCommand, frozen=True, kw_only=True, tag="raise-alert/1"):
    """Something that somebody must look at."""

    needs: ClassVar[Position] = Position.DEALER
    recorded: ClassVar[bool] = False  # what is said already is not said again

    kind: Significant
    message: Message
    table: str = ""
    person: str = ""


class AlertRaised(HouseEvent, frozen=True, kw_only=True, tag="alert-raised/1"):
    number: int
    kind: Significant
    message: Message
    table: str
    person: str


class AcknowledgeAlert(HouseCommand, frozen=True, kw_only=True, tag="acknowledge-alert/1"):
    """Somebody who may has looked at it."""

    needs: ClassVar[Position] = Position.PIT_MANAGER

    number: int


class AlertAcknowledged(HouseEvent, frozen=True, kw_only=True, tag="alert-acknowledged/1"):
    number: int
    kind: Significant


class NoteClock(HouseCommand, frozen=True, kw_only=True, tag="note-clock/1"):
    """The clock of a node was moved."""

    internal: ClassVar[bool] = True

    node: str
    before: int  # what it should have said
    after: int  # what it said


class ClockStepped(HouseEvent, frozen=True, kw_only=True, tag="clock-stepped/1"):
    node: str
    before: int
    after: int


class NoteUnknownNames(HouseCommand, frozen=True, kw_only=True, tag="note-unknown-names/1"):
    """Somebody tried to sign in under a name that nobody has (LOG-5)."""

    internal: ClassVar[bool] = True

    address: str
    mark: str  # the start of the name's digest: the name itself may be somebody's password, mistyped
    times: int = 1


class UnknownNamesRefused(HouseEvent, frozen=True, kw_only=True, tag="unknown-names-refused/1"):
    address: str
    mark: str
    times: int


# ------------------------------------------------ what may be done


def may_open(log: HouseLog, digest: str, at: int) -> Refusal | None:
    """May a table open with these rules (RUL-4)?"""
    approval = log.approved.get(digest)
    if approval is None:
        return UNAPPROVED
    if at < approval.effective:
        return Refusal(APPROVED_LATER(at=approval.effective), OPEN_TABLE_THEN(), "RUL-4")
    return None


def may_start(log: HouseLog, node: str) -> Refusal | None:
    """May this node start another round (LOG-10)?"""
    program = log.programs.get(node)
    if program is None or not program.changed:
        return None
    return Refusal(PROGRAM_CHANGED(changed=program.changed), RESTART_SERVER(), "LOG-10")


# ------------------------------------------------ what is asked


@HOUSE_LOG.decides(StartHouse)
def start_house(log: HouseLog, policy: Policy, command: StartHouse) -> Decision:
    """Play money and real money never meet: a house that was started with one is never started with the other."""
    if log.play_money not in (None, policy.play_money):
        was = "play" if log.play_money else "real"
        return Refusal(HOUSE_OF_OTHER_MONEY(was=was), USE_ANOTHER_DATABASE(), "MON-6")
    return [
        HouseStarted(
            node=command.node,
            version=command.version,
            digest=command.digest,
            definitions=command.definitions,
            play_money=policy.play_money,
            **about(command, "LOG-10"),
        )
    ]


@HOUSE_LOG.evolves(HouseStarted)
def house_started(log: HouseLog, event: HouseStarted) -> HouseLog:
    """Nodes are named anew each time they start, and what those before ran is in the trail."""
    program = Program(event.digest, event.definitions, event.at)
    kept = dict(sorted(log.programs.items(), key=lambda each: each[1].at)[-NODES_MAX + 1 :])
    kept.pop(event.node, None)
    return replace(log, play_money=event.play_money, programs={**kept, event.node: program})


@HOUSE_LOG.decides(SetUpOperator)
def set_up_operator(log: HouseLog, _policy: Policy, command: SetUpOperator) -> Decision:
    """Two are enough to make everybody else; a third who comes by the console raises an alert."""
    if command.person in log.set_up or len(log.set_up) >= SET_UP:
        return Refusal(SET_UP_ALREADY(), clause="SEC-1")
    return [OperatorSetUp(person=command.person, **about(command, "SEC-1"))]


@HOUSE_LOG.evolves(OperatorSetUp)
def operator_set_up(log: HouseLog, event: OperatorSetUp) -> HouseLog:
    return replace(log, set_up=(*log.set_up, event.person))


@HOUSE_LOG.decides(CheckProgram)
def check_program(log: HouseLog, _policy: Policy, command: CheckProgram) -> Decision:
    program = log.programs.get(command.node)
    if program is None:
        return Refusal(NODE_NOT_STARTED(node=command.node), RECORD_ITS_START(), "LOG-10")
    changed = _changed(program, command)
    told = about(command, "LOG-10")
    checked = ProgramChecked(
        node=command.node, digest=command.digest, definitions=command.definitions, changed=changed, **told
    )
    if not changed or program.changed:
        return [checked]
    found = ALERT_PROGRAM_CHANGED(node=command.node, changed=changed)
    return [checked, *_raised(log, command, Significant.PROGRAM_CHANGED, found)]


def _changed(program: Program, command: CheckProgram) -> tuple[str, ...]:
    before, after = program.definitions, command.definitions
    files = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    return (*(["longhu"] if command.digest != program.digest else []), *files)


@HOUSE_LOG.evolves(ProgramChecked)
def program_checked(log: HouseLog, event: ProgramChecked) -> HouseLog:
    """Once something was changed the node must start again, even if it was changed back."""
    program = log.programs[event.node]
    after = replace(program, changed=program.changed or event.changed)
    return replace(log, programs={**log.programs, event.node: after})


@HOUSE_LOG.decides(ApproveGame)
def approve_game(log: HouseLog, _policy: Policy, command: ApproveGame) -> Decision:
    if len(command.digest) != 64 or set(command.digest) - set("0123456789abcdef"):
        return Refusal(NO_DIGEST(), GIVE_64_DIGITS(), "RUL-3")
    if 0 < command.effective < command.in_force:
        early = APPROVED_BEFORE_IN_FORCE(game=command.game, at=command.in_force)
        return Refusal(early, APPROVE_FROM_THEN(), "RUL-4")
    effective = max(command.effective, command.at, command.in_force)
    known = log.approved.get(command.digest)
    if known is not None and known.effective <= effective:
        return Refusal(APPROVED_ALREADY(game=known.game), clause="RUL-4")
    return [
        GameApproved(digest=command.digest, game=command.game, effective=effective, **about(command, "RUL-4")),
    ]


@HOUSE_LOG.evolves(GameApproved)
def game_approved(log: HouseLog, event: GameApproved) -> HouseLog:
    approval = Approval(event.game, event.effective, event.by)
    return replace(log, approved={**log.approved, event.digest: approval})


@HOUSE_LOG.decides(WithdrawApproval)
def withdraw_approval(log: HouseLog, _policy: Policy, command: WithdrawApproval) -> Decision:
    approval = log.approved.get(command.digest)
    if approval is None:
        return Refusal(RULES_ARE_NOT_APPROVED(), clause="RUL-4")
    return [ApprovalWithdrawn(digest=command.digest, game=approval.game, **about(command, "RUL-4"))]


@HOUSE_LOG.evolves(ApprovalWithdrawn)
def approval_withdrawn(log: HouseLog, event: ApprovalWithdrawn) -> HouseLog:
    left = {digest: approval for digest, approval in log.approved.items() if digest != event.digest}
    return replace(log, approved=left)


@HOUSE_LOG.decides(NoteTable)
def note_table(log: HouseLog, _policy: Policy, command: NoteTable) -> Decision:
    if log.tables.get(command.table) == command.digest:
        return Refusal(TABLE_KNOWN(table=command.table), clause="LOG-4")
    refusal = may_open(log, command.digest, command.at)
    return refusal or [TableCreated(table=command.table, digest=command.digest, **about(command, "LOG-4"))]


@HOUSE_LOG.evolves(TableCreated)
def table_made(log: HouseLog, event: TableCreated) -> HouseLog:
    return replace(log, tables={**log.tables, event.table: event.digest})


@HOUSE_LOG.decides(RaiseAlert)
def raise_alert(log: HouseLog, _policy: Policy, command: RaiseAlert) -> Decision:
    raised = _raised(log, command, command.kind, command.message, command.table, command.person)
    return raised or Refusal(ALERT_OPEN_ALREADY(), ACKNOWLEDGE_IT(), "LOG-3")


def _raised(
    log: HouseLog, command: HouseCommand, kind: Significant, message: Message, table: str = "", person: str = ""
) -> list[HouseEvent]:
    """A new alert; none where the same is open, or so many are that only the first of a kind is still kept."""
    many = len(log.alerts) >= ALERTS_MAX
    for each in log.alerts.values():
        same = (each.kind, each.table) == (kind, table)
        if same and (many or (each.person, each.message) == (person, message)):
            return []
    number = log.raised + 1
    return [
        AlertRaised(number=number, kind=kind, message=message, table=table, person=person, **about(command, "LOG-3")),
    ]


@HOUSE_LOG.evolves(AlertRaised)
def alert_raised(log: HouseLog, event: AlertRaised) -> HouseLog:
    alert = Alert(event.number, event.kind, event.at, event.message, event.table, event.person)
    return replace(log, alerts={**log.alerts, event.number: alert}, raised=event.number)


@HOUSE_LOG.decides(AcknowledgeAlert)
def acknowledge_alert(log: HouseLog, _policy: Policy, command: AcknowledgeAlert) -> Decision:
    alert = log.alerts.get(command.number)
    if alert is None:
        found = ALERT_ACKNOWLEDGED if 0 < command.number <= log.raised else NO_SUCH_ALERT
        return Refusal(found(number=str(command.number)), SEE_OPEN_ALERTS(), "SEC-2")
    if command.by == alert.person:
        return Refusal(OWN_ALERT(), ASK_SOMEBODY_ELSE(), "SEC-2")
    if command.position < alert.kind.needs and command.by != HOUSE:
        return too_low(command.position, alert.kind.needs, "SEC-2")
    return [AlertAcknowledged(number=alert.number, kind=alert.kind, **about(command, "SEC-2"))]


@HOUSE_LOG.evolves(AlertAcknowledged)
def alert_acknowledged(log: HouseLog, event: AlertAcknowledged) -> HouseLog:
    return replace(log, alerts={number: alert for number, alert in log.alerts.items() if number != event.number})


@HOUSE_LOG.decides(NoteClock)
def note_clock(log: HouseLog, _policy: Policy, command: NoteClock) -> Decision:
    """Told in UTC by the node that saw it; the trail's own times never go back (LOG-8)."""
    step = (command.after - command.before) / SECOND
    stepped = ClockStepped(node=command.node, before=command.before, after=command.after, **about(command, "LOG-8"))
    moved = ALERT_CLOCK_STEP(node=command.node, seconds=f"{step:+.1f}")
    return [stepped, *_raised(log, command, Significant.CLOCK_STEP, moved)]


@HOUSE_LOG.evolves(ClockStepped)
def clock_stepped(log: HouseLog, _event: ClockStepped) -> HouseLog:
    return log


@HOUSE_LOG.decides(NoteUnknownNames)
def note_strangers(_log: HouseLog, _policy: Policy, command: NoteUnknownNames) -> Decision:
    return [
        UnknownNamesRefused(address=command.address, mark=command.mark, times=command.times, **about(command, "LOG-5")),
    ]


@HOUSE_LOG.evolves(UnknownNamesRefused)
def strangers_refused(log: HouseLog, _event: UnknownNamesRefused) -> HouseLog:
    return log
