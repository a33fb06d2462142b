"""A patron's statement: payments, rounds and sums of a period, page by page as JSON, or all of it for a spreadsheet (MON-5)."""

from __future__ import annotations

import csv
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from datetime import UTC, datetime
from io import StringIO
from typing import Annotated, Literal

import msgspec
from litestar import Response, get
from litestar.params import FromPath
from litestar.response import Stream
from msgspec import Meta

from longhu.accounts.state import Account
from longhu.money import Currency, show
from longhu.positions import Position
from longhu.protocol import PAGE_MAX
from longhu.server.accounts.people import PAGE, Statement
from longhu.server.api import guards
from longhu.server.api.guards import PATRONS, staff
from longhu.server.api.http import Moment, Number, Time, query
from longhu.server.codec import Shown
from longhu.server.house import House
from longhu.server.tables.visits import seats_of
from longhu.store.entries import Play

CSV = "text/csv"
TRIES = 3  # at one moment of somebody who buys and cashes chips all the time
MONTHS_3 = 92 * 24 * 60 * 60 * 1000  # what is told where no period is asked for


class Period(msgspec.Struct, frozen=True, kw_only=True):
    """From when to when, and which page of it."""

    since: Moment | None = None  # three months ago where none is said
    until: Moment | None = None  # now
    before: Moment | None = None  # the page before the one that told this; a spreadsheet has no pages
    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = PAGE  # rounds of a page
    form: Literal["json", "csv"] = "json"


class MovementView(msgspec.Struct, frozen=True, kw_only=True):
    """Money paid in or out."""

    at: Time
    kind: Literal["deposit", "withdrawal"]
    amount: Shown
    by: str
    reference: str


class PlayView(msgspec.Struct, frozen=True, kw_only=True):
    """A round, or what was put right of one."""

    at: Time
    table: str
    round: Number
    kind: str
    staked: Shown
    net: Shown


class StatementView(msgspec.Struct, frozen=True, kw_only=True):
    """A page of a period, oldest first, with the sums of the whole period and of a lifetime; the newest page comes first."""

    person: str
    play_money: bool
    currency: str
    since: Time
    until: Time
    deposits: Shown  # in the period, as all sums up to `net`
    withdrawals: Shown
    staked: Shown
    net: Shown  # won or lost at the tables
    balance: Shown  # in the wallet now,
    at_tables: Shown  # and as chips and wagers at tables
    lifetime_net_deposits: Shown
    movements: list[MovementView]
    plays: list[PlayView]
    before: Time | None  # ask for what is older with this; None: that was all


HEADINGS = ("at", "what", "table", "round", "staked", "amount", "by", "reference")
SUMS = ("deposits", "withdrawals", "staked", "net", "balance", "at_tables", "lifetime_net_deposits")


def told(statement: Statement, balance: int, at_tables: int, money: Currency) -> StatementView:
    """A statement with amounts as people write them."""
    return StatementView(
        person=statement.person,
        play_money=statement.play_money,
        currency=money.code,
        since=statement.since,
        until=statement.until,
        deposits=show(statement.deposited, money),
        withdrawals=show(statement.withdrawn, money),
        staked=show(statement.staked, money),
        net=show(statement.net, money),
        balance=show(balance, money),
        at_tables=show(at_tables, money),
        lifetime_net_deposits=show(statement.lifetime_net_deposits, money),
        movements=[
            MovementView(
                at=each.at,
                kind="deposit" if each.amount > 0 else "withdrawal",
                amount=show(abs(each.amount), money),
                by=each.by,
                reference=each.reference,
            )
            for each in statement.movements
        ],
        plays=[play_view(each, money) for each in statement.plays],
        before=statement.before,
    )


def play_view(play: Play, money: Currency) -> PlayView:
    return PlayView(
        at=play.at,
        table=play.table,
        round=play.round,
        kind=play.kind,
        staked=show(play.staked, money),
        net=show(play.net, money),
    )


def _rows(page: StatementView) -> str:
    """A page as lines of a spreadsheet, the newest first."""
    lines: list[tuple[int, list[str]]] = [
        (each.at, [each.kind, "", "", "", each.amount, each.by, each.reference]) for each in page.movements
    ]
    lines += [(each.at, [each.kind, each.table, str(each.round), each.staked, each.net, "", ""]) for each in page.plays]
    lines.sort(key=lambda line: line[0])
    return _written([_time(at), *map(_plain, cells)] for at, cells in reversed(lines))


def _sums(page: StatementView) -> str:
    """The last lines of a spreadsheet."""
    told = [["", "play money", "", "", "", "", "", ""]] if page.play_money else []
    return _written(told + [["", name.replace("_", " "), "", "", "", getattr(page, name), "", ""] for name in SUMS])


def _written(rows: Iterable[Sequence[str]]) -> str:
    out = StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue()


def _time(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3] + "Z"


def _plain(cell: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    is_formula = cell[:1] in ("=", "+", "@", "\t", "\r") or (cell[:1] == "-" and not cell[1:2].isdigit())
    return f"'{cell}" if is_formula else cell


@get("/api/me/statement", opt={**PATRONS, "query": Period, "also": (CSV,)})
async def my_statement(request: guards.Request) -> Response[StatementView]:
    """My statement: payments, rounds and sums of a period, and of a lifetime (MON-5).

    The last three months where no period is asked for. The newest page comes first; `form=csv` has all of it, for a spreadsheet.
    """
    return await _statement(request, await guards.own_account(request))


@get("/api/people/{person:str}/statement", opt={**staff(Position.PIT_MANAGER), "query": Period, "also": (CSV,)})
async def their_statement(request: guards.Request, person: FromPath[str]) -> Response[StatementView]:
    """Somebody's statement, on their request (MON-5)."""
    return await _statement(request, await guards.account_of(request, person))


async def _statement(request: guards.Request, account: Account) -> Response[StatementView]:
    """Somebody's statement: a page of it as JSON, or all of it as CSV."""
    house, period = guards.house(request), query(request, Period)
    until = house.now() if period.until is None else period.until
    since = max(0, until - MONTHS_3) if period.since is None else period.since
    held = await _holds(house, account.person)

    async def page(before: int | None, limit: int) -> StatementView:
        found = await house.people.statement(account, since, until, before, limit)
        return told(found, *held, house.config.money)

    if period.form == "json":
        return Response(await page(period.before, period.limit))
    attached = {"Content-Disposition": f'attachment; filename="statement-{account.person}.csv"'}
    return Stream(_spreadsheet(page), media_type=CSV, headers=attached)  # type: ignore[return-value]


async def _spreadsheet(page: Callable[[int | None, int], Awaitable[StatementView]]) -> AsyncIterator[str]:
    """All pages, one in memory at a time, and the sums."""
    yield _written([HEADINGS])
    found = await page(None, PAGE_MAX)
    yield _rows(found)
    while found.before is not None:
        found = await page(found.before, PAGE_MAX)
        yield _rows(found)
    yield _sums(found)


async def _holds(house: House, person: str) -> tuple[int, int]:
    """What somebody has in the wallet and at tables at one moment: chips bought meanwhile count once."""
    for _ in range(TRIES):
        wallet = await house.people.wallet(person)
        await house.caught_up()
        at_tables = sum(each.chips + each.staked for each in seats_of(house, person))
        if await house.people.wallet(person) == wallet:
            break
    return wallet or 0, at_tables
