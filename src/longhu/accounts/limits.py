"""A patron's own limits on what is paid in, lost and played (LIM-2, LIM-3).

A lower limit holds at once. A higher one is asked for, and confirmed once a day has passed; until then the lower one holds.
The house may set limits of its own. Of all that there are, the lowest wins: each is kept, and each must be met.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from longhu.accounts.account import no_account
from longhu.accounts.messages import Decision, HouseCommand, HouseEvent, about
from longhu.accounts.names import CHOOSE_ANOTHER
from longhu.accounts.policy import Policy
from longhu.accounts.sign_in_rules import joined
from longhu.accounts.state import ACCOUNT, Account, Kind, Limit, Raise, Span, Stretch, key
from longhu.accounts.times import DAY, MINUTE, WEEK, whole_minute
from longhu.eventsourcing import Refusal
from longhu.messages.message import message_code
from longhu.money import AMOUNT_MAX
from longhu.positions import Position

PERSON_IS_STAFF = message_code("person-is-staff", person="person", position="position")
USE_A_PATRONS_ACCOUNT = message_code("use-a-patrons-account")
LIMIT_OUT_OF_RANGE = message_code("limit-out-of-range", kind="choice", span="choice", asked="number")
LIMIT_RANGE = message_code("limit-range", maximum="number")
LIMIT_UNCHANGED = message_code("limit-unchanged", kind="choice", span="choice")
NO_HIGHER_LIMIT_WAITS = message_code("no-higher-limit-waits", kind="choice", span="choice")
ASK_FOR_IT_FIRST = message_code("ask-for-it-first")
HIGHER_LIMIT_TOO_EARLY = message_code("higher-limit-too-early", wait="duration")
CONFIRM_AFTER = message_code("confirm-after", at="time")
HOUSE_LIMIT_UNCHANGED = message_code("house-limit-unchanged", kind="choice", span="choice")

RAISED_AFTER = DAY  # between asking for a higher limit and confirming it (LIM-2)
CONFIRMED_WITHIN = WEEK  # after which it must be asked for anew
REVIEWED_EVERY = 26 * WEEK  # when patrons are asked whether their limits are still what they want (LIM-2)


class SetLimit(HouseCommand, frozen=True, kw_only=True, tag="set-limit/1"):
    """So much and no more; None takes the limit away, which is the highest of all."""

    own: ClassVar[bool] = True

    kind: Kind
    span: Span
    most: int | None


class ConfirmLimit(HouseCommand, frozen=True, kw_only=True, tag="confirm-limit/1"):
    """A day has passed, and the higher limit is still wanted."""

    own: ClassVar[bool] = True

    kind: Kind
    span: Span


class LimitChanged(HouseEvent, frozen=True, kw_only=True, tag="limit-changed/1"):
    kind: Kind
    span: Span
    before: int | None
    after: int | None


class LimitRaiseRequested(HouseEvent, frozen=True, kw_only=True, tag="limit-raise-requested/1"):
    kind: Kind
    span: Span
    before: int | None
    after: int | None
    earliest: int  # it can be confirmed between these two times
    latest: int


class ImposeLimit(HouseCommand, frozen=True, kw_only=True, tag="impose-limit/1"):
    """The house limits a patron, beside what the patron has chosen; None lifts it."""

    needs: ClassVar[Position] = Position.PIT_MANAGER
    reasoned: ClassVar[bool] = True

    kind: Kind
    span: Span
    most: int | None


class LimitImposed(HouseEvent, frozen=True, kw_only=True, tag="limit-imposed/1"):
    kind: Kind
    span: Span
    before: int | None
    after: int | None


class ReviewLimits(HouseCommand, frozen=True, kw_only=True, tag="review-limits/1"):
    """The patron has looked at the limits, and keeps them."""

    own: ClassVar[bool] = True


class LimitsReviewed(HouseEvent, frozen=True, kw_only=True, tag="limits-reviewed/1"):
    pass


def in_force(account: Account, kind: Kind, span: Span) -> int | None:
    """The lowest of the patron's own and the house's; None where there is none."""
    if not account.limits and not account.imposed:  # most have none, and every wager asks
        return None
    own, imposed = account.limits.get(key(kind, span)), account.imposed.get(key(kind, span))
    set = [each for each in (own.most if own else None, imposed) if each is not None]
    return min(set, default=None)


def review_due(account: Account, at: int) -> bool:
    """Is it time to ask the patron about the limits (LIM-2)?"""
    return bool(account.limits) and at - account.reviewed >= REVIEWED_EVERY


def not_a_patron(account: Account) -> Refusal | None:
    """Staff have nothing to do with money of their own, or with limits on it."""
    refusal = no_account(account)
    if refusal is None and not account.is_patron:
        found = PERSON_IS_STAFF(person=account.person, position=account.position.value)
        return Refusal(found, USE_A_PATRONS_ACCOUNT(), "SEC-1")
    return refusal


def _impossible(kind: Kind, span: Span, most: int | None) -> Refusal | None:
    largest = span.ms // MINUTE if kind is Kind.TIME else AMOUNT_MAX
    if most is None or 0 <= most <= largest:
        return None
    asked = LIMIT_OUT_OF_RANGE(kind=kind.value, span=span.value, asked=most)
    return Refusal(asked, LIMIT_RANGE(maximum=largest), _clause(kind))


def _clause(kind: Kind) -> str:
    return "LIM-2" if kind is Kind.DEPOSIT else "LIM-3"


def _is_higher(most: int | None, than: int | None) -> bool:
    return than is not None and (most is None or most > than)


@ACCOUNT.decides(SetLimit)
def set_limit(account: Account, _policy: Policy, command: SetLimit) -> Decision:
    kind, span, most = command.kind, command.span, command.most
    refusal = not_a_patron(account) or _impossible(kind, span, most)
    if refusal is not None:
        return refusal
    limit = account.limits.get(key(kind, span), Limit(None))
    if most == limit.most and limit.pending is None:
        return Refusal(LIMIT_UNCHANGED(kind=kind.value, span=span.value), CHOOSE_ANOTHER(), _clause(kind))
    change = {"kind": kind, "span": span, "before": limit.most, "after": most, **about(command, _clause(kind))}
    if not _is_higher(most, limit.most):
        return [LimitChanged(**change)]
    earliest = command.at + RAISED_AFTER
    return [LimitRaiseRequested(earliest=earliest, latest=earliest + CONFIRMED_WITHIN, **change)]


@ACCOUNT.decides(ConfirmLimit)
def confirm_limit(account: Account, _policy: Policy, command: ConfirmLimit) -> Decision:
    kind, span, at = command.kind, command.span, command.at
    if (refusal := not_a_patron(account)) is not None:
        return refusal
    limit = account.limits.get(key(kind, span), Limit(None))
    if limit.pending is None or at > limit.pending.latest:
        none = NO_HIGHER_LIMIT_WAITS(kind=kind.value, span=span.value)
        return Refusal(none, ASK_FOR_IT_FIRST(), _clause(kind))
    if at < limit.pending.earliest:
        after = CONFIRM_AFTER(at=whole_minute(limit.pending.earliest))
        return Refusal(HIGHER_LIMIT_TOO_EARLY(wait=RAISED_AFTER // MINUTE), after, _clause(kind))
    return [
        LimitChanged(kind=kind, span=span, before=limit.most, after=limit.pending.most, **about(command, _clause(kind)))
    ]


@ACCOUNT.evolves(LimitChanged)
def limit_changed(account: Account, event: LimitChanged) -> Account:
    """Whatever was asked for before is no longer waiting; and whoever changes a limit has looked at it."""
    limits = {**account.limits, key(event.kind, event.span): Limit(event.after)}
    return replace(account, limits=limits, reviewed=event.at)


@ACCOUNT.evolves(LimitRaiseRequested)
def higher_limit_asked(account: Account, event: LimitRaiseRequested) -> Account:
    waiting = Raise(event.after, event.earliest, event.latest)
    return replace(account, limits={**account.limits, key(event.kind, event.span): Limit(event.before, waiting)})


@ACCOUNT.decides(ImposeLimit)
def impose_limit(account: Account, _policy: Policy, command: ImposeLimit) -> Decision:
    kind, span, most = command.kind, command.span, command.most
    refusal = not_a_patron(account) or _impossible(kind, span, most)
    if refusal is not None:
        return refusal
    before = account.imposed.get(key(kind, span))
    if most == before:
        return Refusal(HOUSE_LIMIT_UNCHANGED(kind=kind.value, span=span.value), CHOOSE_ANOTHER(), "LOG-4")
    return [LimitImposed(kind=kind, span=span, before=before, after=most, **about(command, "LOG-4"))]


@ACCOUNT.evolves(LimitImposed)
def limit_imposed(account: Account, event: LimitImposed) -> Account:
    imposed = {name: most for name, most in account.imposed.items() if name != key(event.kind, event.span)}
    if event.after is not None:
        imposed[key(event.kind, event.span)] = event.after
    return replace(account, imposed=imposed)


@ACCOUNT.decides(ReviewLimits)
def review_limits(account: Account, _policy: Policy, command: ReviewLimits) -> Decision:
    return not_a_patron(account) or [LimitsReviewed(**about(command, "LIM-2"))]


@ACCOUNT.evolves(LimitsReviewed)
def limits_reviewed(account: Account, event: LimitsReviewed) -> Account:
    return replace(account, reviewed=event.at)


# ------------------------------------------------ what counts against them


def deposited(account: Account, span: Span, at: int) -> int:
    """What was paid in during the last day, week or month, whatever was paid out again."""
    return sum(each.amount for each in account.deposits if each.at > at - span.ms)


def time_played(account: Account, span: Span, at: int) -> int:
    """For how long somebody was signed in during the last day, week or month, in milliseconds."""
    since = at - span.ms
    open_now = tuple(Stretch(start, at) for start in account.sessions.values() if start <= at)
    return sum(max(0, min(each.end, at) - max(each.start, since)) for each in joined((*account.stretches, *open_now)))
