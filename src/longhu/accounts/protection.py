"""What keeps a patron from playing on: cool-off, exclusion, limits that are reached, and the reality check (LIM-3, PLY-2).

All of it holds from the moment it is on record, also for somebody who is sitting at a table: the next wager is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from msgspec.structs import replace

from longhu.accounts.limits import in_force, not_a_patron, time_played
from longhu.accounts.messages import Decision, HouseCommand, HouseEvent, about
from longhu.accounts.policy import Policy
from longhu.accounts.state import ACCOUNT, Account, Exclusion, Kind, Span
from longhu.accounts.times import DAY, HOUR, MINUTE
from longhu.eventsourcing import Refusal
from longhu.messages.message import message_code
from longhu.positions import Position
from longhu.table.messages import ASK_POSITION

SELF_EXCLUDED = message_code("self-excluded")
NOT_BEFORE = message_code("exclusion-not-before", at="time")
EXCLUDED_UNTIL_ASKED = message_code("excluded-until-asked")
ASK_TO_COME_BACK = message_code("ask-to-come-back")
BARRED_UNTIL = message_code("barred-until", at="time")
BARRED = message_code("barred")
COOLING_OFF = message_code("cooling-off")
PLAY_AFTER = message_code("play-after", at="time")
OTHER_MONEY = message_code("money-of-another-kind", account="choice")
USE_ANOTHER_ACCOUNT = message_code("use-another-account")
TIME_LIMIT_REACHED = message_code("time-limit-reached", maximum="duration", span="choice")
SIGN_OUT_AND_WAIT = message_code("sign-out-and-wait")
LOSS_LIMIT_REACHED = message_code("loss-limit-reached", maximum="money", span="choice")
COME_BACK_LATER = message_code("come-back-later")
LOSS_LIMIT_AT_RISK = message_code("loss-limit-at-risk", stake="money", maximum="money")
STAKE_UP_TO = message_code("stake-up-to", maximum="money")
REALITY_CHECK_DUE = message_code("reality-check-due", since="duration")
ACKNOWLEDGE_CHECK_FIRST = message_code("acknowledge-reality-check")
OUT_OF_RANGE = message_code("span-out-of-range", asked="number", unit="choice")
CHOOSE_RANGE = message_code("span-range", minimum="number", maximum="number", unit="choice")
BREAK_UNTIL = message_code("break-until", at="time")
ONLY_LONGER = message_code("only-longer")
EXCLUDED_UNTIL = message_code("excluded-until", at="time")
NOTHING_TO_COME_BACK_FROM = message_code("nothing-to-come-back-from")
BARRED_LONGER = message_code("barred-longer")
LIFT_THAT_FIRST = message_code("lift-that-first")
NOT_BARRED = message_code("not-barred", person="person")
OWN_EXCLUSION_HOLDS = message_code("own-exclusion-holds")

COOL_OFF_HOURS = (24, 42 * 24)
EXCLUSION_DAYS = (183, 5 * 366)
BACK_AFTER = DAY  # between asking to come back after an exclusion and playing again
CHECK_MINUTES = (1, 24 * 60)


class CoolOff(HouseCommand, frozen=True, kw_only=True, tag="cool-off/1"):
    """No play for some days."""

    own: ClassVar[bool] = True

    hours: int


class CoolOffStarted(HouseEvent, frozen=True, kw_only=True, tag="cool-off-started/1"):
    until: int


class SelfExclude(HouseCommand, frozen=True, kw_only=True, tag="self-exclude/1"):
    """No play for a long time; nobody can take it back."""

    own: ClassVar[bool] = True

    days: int


class SelfExcluded(HouseEvent, frozen=True, kw_only=True, tag="self-excluded/1"):
    until: int


class RequestReturn(HouseCommand, frozen=True, kw_only=True, tag="request-return/1"):
    """The exclusion has run out, and the person wants to play again."""

    own: ClassVar[bool] = True


class ReturnRequested(HouseEvent, frozen=True, kw_only=True, tag="return-requested/1"):
    until: int  # the exclusion holds so long still


class BarPatron(HouseCommand, frozen=True, kw_only=True, tag="bar-patron/1"):
    """The house excludes somebody, for so many days or (None) until it lifts that."""

    needs: ClassVar[Position] = Position.PIT_MANAGER
    reasoned: ClassVar[bool] = True

    days: int | None


class PatronBarred(HouseEvent, frozen=True, kw_only=True, tag="patron-barred/1"):
    until: int | None


class LiftBar(HouseCommand, frozen=True, kw_only=True, tag="lift-bar/1"):
    """The house takes back what it has said; never what the person has."""

    needs: ClassVar[Position] = Position.GAMING_SHIFT_MANAGER
    reasoned: ClassVar[bool] = True


class BarLifted(HouseEvent, frozen=True, kw_only=True, tag="bar-lifted/1"):
    until: int | None  # what it had been


class SetRealityCheck(HouseCommand, frozen=True, kw_only=True, tag="set-reality-check/1"):
    """Remind me every so many minutes."""

    own: ClassVar[bool] = True

    minutes: int


class RealityCheckSet(HouseEvent, frozen=True, kw_only=True, tag="reality-check-set/1"):
    before: int  # 0: as the house has it
    after: int


class AcknowledgeRealityCheck(HouseCommand, frozen=True, kw_only=True, tag="acknowledge-reality-check/1"):
    """The patron has seen for how long and with which result, and plays on."""

    own: ClassVar[bool] = True


class RealityCheckAcknowledged(HouseEvent, frozen=True, kw_only=True, tag="reality-check-acknowledged/1"):
    elapsed: int  # milliseconds since the last


# ------------------------------------------------ may somebody play?


def may_play(
    account: Account, policy: Policy, at: int, *, losses: Mapping[Span, int] | None = None, stake: int = 0
) -> Refusal | None:
    """Why this patron may not wager, sit down or buy chips at this moment; None where nothing is against it.

    `losses` are what was lost at the tables in each span that has a limit, `stake` is what would be at risk.
    """
    return (
        not_a_patron(account)
        or _other_money(account, policy)
        or shut_out(account, at)
        or _time_is_up(account, at)
        or _enough_lost(account, losses or {}, stake)
        or check_due(account, policy, at)
    )


def shut_out(account: Account, at: int) -> Refusal | None:
    """Excluded, by oneself or by the house, or cooling off: no play, and nothing paid in."""
    if account.excluded is not None and holds(account.excluded, at):
        until = account.excluded.until
        if until is not None and at < until:
            return Refusal(SELF_EXCLUDED(), NOT_BEFORE(at=until), "LIM-3")
        return Refusal(EXCLUDED_UNTIL_ASKED(), ASK_TO_COME_BACK(), "LIM-3")
    if account.barred is not None and holds(account.barred, at):
        until = account.barred.until
        manager = ASK_POSITION(position=Position.GAMING_SHIFT_MANAGER.value)
        return Refusal(BARRED() if until is None else BARRED_UNTIL(at=until), manager, "LIM-3")
    if at < account.cool_off_until:
        return Refusal(COOLING_OFF(), PLAY_AFTER(at=account.cool_off_until), "LIM-3")
    return None


def is_excluded(account: Account, at: int) -> bool:
    """By oneself or by the house; a break is something else."""
    return any(each is not None and holds(each, at) for each in (account.excluded, account.barred))


def holds(exclusion: Exclusion, at: int) -> bool:
    """Is it still in force? One's own is until one has asked to come back."""
    return exclusion.until is None or at < exclusion.until or exclusion.returns


def _other_money(account: Account, policy: Policy) -> Refusal | None:
    if account.play_money is policy.play_money:
        return None
    return Refusal(OTHER_MONEY(account="play" if account.play_money else "real"), USE_ANOTHER_ACCOUNT(), "MON-6")


def _time_is_up(account: Account, at: int) -> Refusal | None:
    for span in Span:
        most = in_force(account, Kind.TIME, span)
        if most is not None and time_played(account, span, at) >= most * MINUTE:
            return Refusal(TIME_LIMIT_REACHED(maximum=most, span=span.value), SIGN_OUT_AND_WAIT(), "LIM-3")
    return None


def _enough_lost(account: Account, losses: Mapping[Span, int], stake: int) -> Refusal | None:
    for span in Span:
        most = in_force(account, Kind.LOSS, span)
        if most is None:
            continue
        left = most - losses.get(span, 0)
        if left <= 0:
            return Refusal(LOSS_LIMIT_REACHED(maximum=most, span=span.value), COME_BACK_LATER(), "LIM-3")
        if stake > left:
            return too_much_at_risk(stake, most, left)
    return None


def too_much_at_risk(stake: int, most: int, left: int) -> Refusal:
    """So much at stake, at all tables together, could be more than a limit on losses leaves."""
    return Refusal(LOSS_LIMIT_AT_RISK(stake=stake, maximum=most), STAKE_UP_TO(maximum=max(left, 0)), "LIM-3")


def next_check(account: Account, policy: Policy) -> int:
    """When the next reality check is due."""
    return account.checked + (account.check_minutes or policy.check_minutes) * MINUTE


def check_due(account: Account, policy: Policy, at: int) -> Refusal | None:
    """A reality check that waits to be acknowledged (PLY-2)."""
    if at < next_check(account, policy):
        return None
    since = (at - account.checked) // MINUTE
    return Refusal(REALITY_CHECK_DUE(since=since), ACKNOWLEDGE_CHECK_FIRST(), "PLY-2")


# ------------------------------------------------ what they ask for


def _span_refused(found: int, span: tuple[int, int], unit: str, clause: str) -> Refusal | None:
    if span[0] <= found <= span[1]:
        return None
    possible = CHOOSE_RANGE(minimum=span[0], maximum=span[1], unit=unit)
    return Refusal(OUT_OF_RANGE(asked=found, unit=unit), possible, clause)


@ACCOUNT.decides(CoolOff)
def cool_off(account: Account, _policy: Policy, command: CoolOff) -> Decision:
    refusal = not_a_patron(account) or _span_refused(command.hours, COOL_OFF_HOURS, "hours", "LIM-3")
    if refusal is not None:
        return refusal
    until = command.at + command.hours * HOUR
    if until < account.cool_off_until:
        return Refusal(BREAK_UNTIL(at=account.cool_off_until), ONLY_LONGER(), "LIM-3")
    return [CoolOffStarted(until=until, **about(command, "LIM-3"))]


@ACCOUNT.evolves(CoolOffStarted)
def cool_off_started(account: Account, event: CoolOffStarted) -> Account:
    return replace(account, cool_off_until=event.until)


@ACCOUNT.decides(SelfExclude)
def exclude_myself(account: Account, _policy: Policy, command: SelfExclude) -> Decision:
    refusal = not_a_patron(account) or _span_refused(command.days, EXCLUSION_DAYS, "days", "LIM-3")
    if refusal is not None:
        return refusal
    until = command.at + command.days * DAY
    if account.excluded is not None and until < (account.excluded.until or 0):
        return Refusal(EXCLUDED_UNTIL(at=account.excluded.until or 0), ONLY_LONGER(), "LIM-3")
    return [SelfExcluded(until=until, **about(command, "LIM-3"))]


@ACCOUNT.evolves(SelfExcluded)
def self_excluded(account: Account, event: SelfExcluded) -> Account:
    return replace(account, excluded=Exclusion(event.at, event.until, returns=True))


@ACCOUNT.decides(RequestReturn)
def come_back(account: Account, _policy: Policy, command: RequestReturn) -> Decision:
    if (refusal := not_a_patron(account)) is not None:
        return refusal
    own = account.excluded
    if own is None or not own.returns:
        return Refusal(NOTHING_TO_COME_BACK_FROM(), clause="LIM-3")
    if own.until is not None and command.at < own.until:
        return Refusal(EXCLUDED_UNTIL(at=own.until), NOT_BEFORE(at=own.until), "LIM-3")
    return [ReturnRequested(until=command.at + BACK_AFTER, **about(command, "LIM-3"))]


@ACCOUNT.evolves(ReturnRequested)
def return_asked(account: Account, event: ReturnRequested) -> Account:
    since = account.excluded.since if account.excluded is not None else event.at
    return replace(account, excluded=Exclusion(since, event.until))


@ACCOUNT.decides(BarPatron)
def bar_patron(account: Account, _policy: Policy, command: BarPatron) -> Decision:
    days, barred = command.days, account.barred
    refusal = not_a_patron(account)
    if refusal is None and days is not None:
        refusal = _span_refused(days, (1, EXCLUSION_DAYS[1]), "days", "LIM-3")
    if refusal is not None:
        return refusal
    until = None if days is None else command.at + days * DAY
    if barred is not None and until is not None and (barred.until is None or until < barred.until):
        return Refusal(BARRED_LONGER(), LIFT_THAT_FIRST(), "LIM-3")
    return [PatronBarred(until=until, **about(command, "LIM-3"))]


@ACCOUNT.evolves(PatronBarred)
def patron_barred(account: Account, event: PatronBarred) -> Account:
    return replace(account, barred=Exclusion(event.at, event.until))


@ACCOUNT.decides(LiftBar)
def lift_bar(account: Account, _policy: Policy, command: LiftBar) -> Decision:
    if (refusal := not_a_patron(account)) is not None:
        return refusal
    if account.barred is None or not holds(account.barred, command.at):
        own = account.excluded is not None and holds(account.excluded, command.at)
        return Refusal(NOT_BARRED(person=account.person), OWN_EXCLUSION_HOLDS() if own else None, "LIM-3")
    return [BarLifted(until=account.barred.until, **about(command, "LIM-3"))]


@ACCOUNT.evolves(BarLifted)
def bar_lifted(account: Account, _event: BarLifted) -> Account:
    return replace(account, barred=None)


@ACCOUNT.decides(SetRealityCheck)
def set_reality_check(account: Account, _policy: Policy, command: SetRealityCheck) -> Decision:
    refusal = not_a_patron(account) or _span_refused(command.minutes, CHECK_MINUTES, "minutes", "PLY-2")
    if refusal is not None:
        return refusal
    return [RealityCheckSet(before=account.check_minutes, after=command.minutes, **about(command, "PLY-2"))]


@ACCOUNT.evolves(RealityCheckSet)
def reality_check_set(account: Account, event: RealityCheckSet) -> Account:
    return replace(account, check_minutes=event.after)


@ACCOUNT.decides(AcknowledgeRealityCheck)
def acknowledge_check(account: Account, _policy: Policy, command: AcknowledgeRealityCheck) -> Decision:
    refusal = not_a_patron(account)
    elapsed = command.at - account.checked
    return refusal or [RealityCheckAcknowledged(elapsed=elapsed, **about(command, "PLY-2"))]


@ACCOUNT.evolves(RealityCheckAcknowledged)
def check_acknowledged(account: Account, event: RealityCheckAcknowledged) -> Account:
    return replace(account, checked=event.at)
