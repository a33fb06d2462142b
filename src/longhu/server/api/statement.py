"""A patron's statement as it is sent: amounts as people write them, as JSON or for a spreadsheet (MON-5)."""

from __future__ import annotations

import csv
from datetime import UTC, datetime
from io import StringIO
from typing import Literal

import msgspec
from litestar import Response, get
from litestar.params import FromPath

from longhu.accounts.state import Account
from longhu.money import Currency, show
from longhu.server.api import guards
from longhu.server.api.codec import Moment, Number, Shown, Time, query
from longhu.server.api.guards import PATRONS, staff
from longhu.server.house import House
from longhu.server.people.statements import Statement
from longhu.server.tables.seats import seats_of
from longhu.store.entries import Play
from longhu.table.positions import Position

CSV = "text/csv"
TRIES = 3  # at one moment of somebody who buys and cashes chips all the time
MONTHS_3 = 92 * 24 * 60 * 60 * 1000  # what is told where no period is asked for


class Period(msgspec.Struct, frozen=True, kw_only=True):
    """From when to when."""

    since: Moment | None = None  # three months ago where none is said
    until: Moment | None = None  # now
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
    """Everything of a period, oldest first, and the figures of a lifetime."""

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


def as_csv(statement: StatementView) -> str:
    """The same as lines for a spreadsheet: movements and rounds by time, then the sums."""
    out = StringIO()
    rows = csv.writer(out)
    rows.writerow(["at", "what", "table", "round", "staked", "amount", "by", "reference"])
    lines: list[tuple[int, list[str]]] = [
        (each.at, [each.kind, "", "", "", each.amount, each.by, each.reference]) for each in statement.movements
    ]
    lines += [
        (each.at, [each.kind, each.table, str(each.round), each.staked, each.net, "", ""]) for each in statement.plays
    ]
    for at, cells in sorted(lines, key=lambda line: line[0]):
        rows.writerow([_written(at), *(_plain(cell) for cell in cells)])
    if statement.play_money:
        rows.writerow(["", "play money", "", "", "", "", "", ""])
    for name in SUMS:
        rows.writerow(["", name.replace("_", " "), "", "", "", getattr(statement, name), "", ""])
    return out.getvalue()


def _written(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3] + "Z"


def _plain(cell: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    is_formula = cell[:1] in ("=", "+", "@", "\t", "\r") or (cell[:1] == "-" and not cell[1:2].isdigit())
    return f"'{cell}" if is_formula else cell


@get("/api/me/statement", opt={**PATRONS, "query": Period, "also": (CSV,)})
async def my_statement(request: guards.Request) -> Response[StatementView]:
    """My statement: payments, rounds and sums of a period, and of a lifetime (MON-5).

    The last three months where no period is asked for; `form=csv` for a spreadsheet.
    """
    return await _statement(request, await guards.own_account(request))


@get("/api/people/{person:str}/statement", opt={**staff(Position.PIT_MANAGER), "query": Period, "also": (CSV,)})
async def their_statement(request: guards.Request, person: FromPath[str]) -> Response[StatementView]:
    """Somebody's statement, on their request (MON-5)."""
    return await _statement(request, await guards.account_of(request, person))


async def _statement(request: guards.Request, account: Account) -> Response[StatementView]:
    """Somebody's statement, as JSON or as CSV."""
    house, period = guards.house(request), query(request, Period)
    until = house.now() if period.until is None else period.until
    since = max(0, until - MONTHS_3) if period.since is None else period.since
    found = await house.people.statement(account.person, since, until)
    if found is None:
        raise AssertionError("a statement without an account")
    view = told(found, *await _holds(house, account.person), house.config.money)
    if period.form == "json":
        return Response(view)
    attached = {"Content-Disposition": f'attachment; filename="statement-{account.person}.csv"'}
    return Response(as_csv(view), media_type=CSV, headers=attached)  # type: ignore[arg-type]


async def _holds(house: House, person: str) -> tuple[int, int]:
    """What somebody has in the wallet and at tables, as of one moment: whoever buys chips meanwhile has them in one of the two."""
    for _ in range(TRIES):
        wallet = await house.people.wallet(person)
        await house.caught_up()
        at_tables = sum(each.chips + each.staked for each in seats_of(house, person))
        if await house.people.wallet(person) == wallet:
            break
    return wallet or 0, at_tables


HANDLERS = [my_statement, their_statement]
