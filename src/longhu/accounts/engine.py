"""Accounts and the house's own log as state machines: `decide` judges a command, `evolve` applies an event.

`decide` changes nothing and `evolve` judges nothing: what stands in a trail is replayed, never tried again.
"""

from __future__ import annotations

from longhu.accounts import account as accounts
from longhu.accounts import house_log, limits, orders, protection, sign_in_rules, wallet
from longhu.accounts.account import outranks
from longhu.accounts.messages import Decision, HouseCommand
from longhu.accounts.names import HOUSE
from longhu.accounts.policy import Policy
from longhu.accounts.state import ACCOUNT, HOUSE_LOG, Account, HouseLog
from longhu.eventsourcing import Refusal
from longhu.positions import Position

# each registers its commands and events when it is imported
AREAS = (accounts, house_log, limits, orders, protection, sign_in_rules, wallet)
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
        return Refusal("nobody does this for themselves", "Ask somebody in a higher position", "SEC-1")
    refusal = _too_low(command)
    if refusal is None and account.person and not outranks(command.position, account.position):
        return Refusal(
            f"{account.person} is {account.position.word}, which is not below {command.position.word}",
            "Ask somebody in a higher position",
            "SEC-1",
        )
    return refusal


def _too_low(command: HouseCommand) -> Refusal | None:
    if command.by == HOUSE or command.position >= command.needs:
        return None
    if command.position is Position.AUDITOR:
        return Refusal("an auditor reads everything and changes nothing", f"Ask a {command.needs.word}", "SEC-1")
    return Refusal(f"a {command.position.word} may not do this", f"Ask a {command.needs.word}", "SEC-1")


def _no_reason(command: HouseCommand) -> Refusal | None:
    """What changes somebody's standing says why (LOG-4)."""
    if command.reasoned and not command.why.strip() and command.by != HOUSE:
        return Refusal("this is done for a reason, and none was given", "Say why", "LOG-4")
    if len(command.why) > REASON_MAX:
        return Refusal("the reason is too long", f"Use up to {REASON_MAX} characters", "LOG-4")
    return None


evolve_account, evolve_house = ACCOUNT.evolve, HOUSE_LOG.evolve
