"""What patrons are told of their own money and time: always on screen, and for any span that they choose (PLY-1, MON-5)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from longhu.accounts import record
from longhu.accounts.limits import review_due
from longhu.accounts.names import trail_of
from longhu.accounts.policy import Policy
from longhu.accounts.protection import check_due, next_check
from longhu.accounts.state import Account
from longhu.accounts.wallet import PaidIn, PaidOut
from longhu.store.entries import Play, Session
from longhu.store.interface import Store

PAGE = 100  # plays of a page


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """What stays on screen."""

    balance: int | None  # in the wallet; None for staff
    since: int  # when the session started
    elapsed: int  # milliseconds
    net: int  # won at the tables since then, below zero where it was lost
    check_at: int  # when the next reality check is due
    check_due: bool
    review_due: bool  # is it time to look at one's limits again (LIM-2)?


class Movement(msgspec.Struct, frozen=True):
    """Money that was paid in, or (below zero) out."""

    sequence: int  # the record of it in the person's trail
    at: int
    amount: int
    reference: str
    by: str


class Statement(msgspec.Struct, frozen=True, kw_only=True):
    """A page of a span of time in somebody's account, oldest first, with the sums of the span and of a lifetime."""

    person: str
    play_money: bool
    since: int
    until: int
    movements: list[Movement]  # of the page, as are
    plays: list[Play]
    before: int | None  # ask for the page before this one with it; None: this is the first of the span
    deposited: int
    withdrawn: int
    staked: int
    net: int  # won at the tables, below zero where it was lost
    lifetime_net_deposits: int


def figures(account: Account, policy: Policy, session: Session, at: int, wallet: int | None, lost: int) -> Figures:
    return Figures(
        balance=wallet if account.is_patron else None,
        since=session.created,
        elapsed=max(0, at - session.created),
        net=-lost,
        check_at=next_check(account, policy),
        check_due=check_due(account, policy, at) is not None,
        review_due=review_due(account, at),
    )


def statement(
    store: Store, account: Account, since: int, until: int, *, before: int | None = None, limit: int = PAGE
) -> Statement:
    """The last so many rounds from `since` to before `until`, and before `before`, with the payments between them."""
    moved = [each for each in _movements(store, account.person) if since <= each.at < until]
    end = until if before is None else min(before, until)
    plays = store.plays(account.person, since=since, before=end, limit=limit)
    more = plays[-1].at if len(plays) >= limit else None
    sums = store.sums(account.person, since=since, until=until)
    return Statement(
        person=account.person,
        play_money=account.play_money,
        since=since,
        until=until,
        movements=[each for each in moved if (since if more is None else more) <= each.at < end],
        plays=plays[::-1],
        before=more,
        deposited=sum(each.amount for each in moved if each.amount > 0),
        withdrawn=-sum(each.amount for each in moved if each.amount < 0),
        staked=sums.staked,
        net=sums.net,
        lifetime_net_deposits=account.net_deposits,
    )


def _movements(store: Store, person: str) -> Iterator[Movement]:
    for line in store.records(trail_of(person)):
        found = record.decode(line)
        event = found.event
        if isinstance(event, PaidIn | PaidOut):
            amount = event.amount if isinstance(event, PaidIn) else -event.amount
            yield Movement(found.sequence, event.at, amount, event.reference, event.by)
