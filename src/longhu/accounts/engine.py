"""Accounts and the house's own log as state machines: `decide` judges a command, `evolve` applies an event.

`decide` changes nothing and `evolve` judges nothing: what stands in a trail is replayed, never tried again.
"""

from __future__ import annotations

from longhu.accounts import account as accounts
from longhu.accounts import association, devices, house_log, limits, orders, protection, sign_in_rules, wallet
from longhu.accounts.messages import (
    ASK_ABOVE,
    AT_MOST_CHARACTERS,
    AUDITOR_CHANGES_NOTHING,
    Decision,
    HouseCommand,
    too_low,
)
from longhu.accounts.names import HOUSE
from longhu.accounts.policy import Policy
from longhu.accounts.state import ACCOUNT, HOUSE_LOG, Account, HouseLog
from longhu.eventsourcing import Refusal
from longhu.messages.message import message_code
from longhu.positions import Position, outranks
from longhu.table.messages import ASK_POSITION, GIVE_REASON, REASON_MISSING

NOT_FOR_ONESELF = message_code("not-for-oneself")
NOT_BELOW = message_code("person-not-below", person="person", position="position", actor="position")
REASON_TOO_LONG = message_code("reason-too-long")

# each registers its commands and events when it is imported
AREAS = (accounts, association, devices, house_log, limits, orders, protection, sign_in_rules, wallet)
REASON_MAX = 500


def decide_account(account: Account, policy: Policy, command: HouseCommand) -> Decision:
    """What happens to an account when somebody asks for this: events, or the reason why not."""
    refusal = _not_entitled(account, command) or _no_reason(command)
    return refusal or ACCOUNT.decide(account, policy, command)


def decide_house(state: HouseLog, policy: Policy, command: HouseCommand) -> Decision:
    """What happens in the house when somebody asks for this."""
    refusal = _too_low(command) or _no_reason(command)
    return refusal or HOUSE_LOG.decide(state, policy, command)


def _not_entitled(account: Account, command: HouseCommand) -> Refusal | None:
    """People do some things for themselves; for others it takes a position that is high enough, and higher than theirs."""
    if command.by == HOUSE:
        return None
    if command.by == account.person:
        if command.own:
            return None
        return Refusal(NOT_FOR_ONESELF(), ASK_ABOVE(), "SEC-1")
    refusal = _too_low(command)
    if (
        refusal is None
        and account.person
        and not account.is_patron
        and not outranks(command.position, account.position)
    ):
        found = NOT_BELOW(person=account.person, position=account.position.value, actor=command.position.value)
        return Refusal(found, ASK_ABOVE(), "SEC-1")
    return refusal


def _too_low(command: HouseCommand) -> Refusal | None:
    if command.by == HOUSE or command.position in command.open_to:
        return None
    if command.position is Position.AUDITOR:
        return Refusal(AUDITOR_CHANGES_NOTHING(), ASK_POSITION(position=command.needs.value), "SEC-1")
    return too_low(command.position, command.needs)


def _no_reason(command: HouseCommand) -> Refusal | None:
    """What changes somebody's standing says why (LOG-4)."""
    if command.reasoned and not command.why.strip() and command.by != HOUSE:
        return Refusal(REASON_MISSING(), GIVE_REASON(), "LOG-4")
    if len(command.why) > REASON_MAX:
        return Refusal(REASON_TOO_LONG(), AT_MOST_CHARACTERS(maximum=REASON_MAX), "LOG-4")
    return None


evolve_account, evolve_house = ACCOUNT.evolve, HOUSE_LOG.evolve
