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

PAGE = 500  # plays that are asked for at a time


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
    """A span of time in somebody's account, oldest first, and all its life in one number."""

    person: str
    play_money: bool
    since: int
    until: int
    movements: list[Movement]
    plays: list[Play]
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


def statement(store: Store, account: Account, since: int, until: int) -> Statement:
    """From `since` to before `until`."""
    movements = [each for each in _movements(store, account.person) if since <= each.at < until]
    plays = [*_plays(store, account.person, since, until)][::-1]
    return Statement(
        person=account.person,
        play_money=account.play_money,
        since=since,
        until=until,
        movements=movements,
        plays=plays,
        deposited=sum(each.amount for each in movements if each.amount > 0),
        withdrawn=-sum(each.amount for each in movements if each.amount < 0),
        staked=sum(each.staked for each in plays),
        net=sum(each.net for each in plays),
        lifetime_net_deposits=account.net_deposits,
    )


def _movements(store: Store, person: str) -> Iterator[Movement]:
    for line in store.records(trail_of(person)):
        found = record.decode(line)
        event = found.event
        if isinstance(event, PaidIn | PaidOut):
            amount = event.amount if isinstance(event, PaidIn) else -event.amount
            yield Movement(found.sequence, event.at, amount, event.reference, event.by)


def _plays(store: Store, person: str, since: int, until: int) -> Iterator[Play]:
    """Newest first, page by page."""
    before = until
    while page := store.plays(person, since=since, before=before, limit=PAGE):
        yield from page
        before = page[-1].at
