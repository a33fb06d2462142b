"""What people are told of themselves, and their money: balance, rounds, statements (PLY-1, MON-5)."""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec
from litestar import Response, get, post, put
from litestar.params import JSONBody
from msgspec import Meta

from longhu.accounts import protection
from longhu.accounts.account import DISPLAY_NAME_MAX, CloseAccount, SetDisplayName
from longhu.accounts.purse import PayIn, PayOut
from longhu.accounts.state import Account
from longhu.money import show
from longhu.server.house import House
from longhu.server.http import guards, problems
from longhu.server.http.fields import Asking, Held, Page, Password, Shown, Time, Words, amount, query
from longhu.server.http.guards import NEWCOMERS, PATRONS
from longhu.server.http.routes.answers import Acted, act, acted
from longhu.server.http.statement import MONTHS_3, Period, PlayView, StatementView, as_csv, play_view, told
from longhu.server.http.whole import whole
from longhu.server.screens.forms import WORD_OF, MoneyText
from longhu.server.tables.seats import seats_of

CSV = "text/csv"
TRIES = 3  # at one moment of somebody who buys and cashes chips all the time


class AtTable(msgspec.Struct, frozen=True, kw_only=True):
    table: str
    chips: Shown
    staked: Shown


class Me(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody as the house knows them; what a screen shows at all times (PLY-1)."""

    person: str
    name: str
    display_name: str  # as other patrons see me at a table; "": by my seat
    position: Held
    play_money: bool
    currency: str
    at: Time
    balance: Shown | None  # in the wallet; None for staff
    chips: Shown  # at tables
    staked: Shown  # on layouts
    tables: list[AtTable]
    session_since: Time
    session_net: Shown  # won or lost at the tables since then
    elapsed: str  # h:mm:ss
    may_play: bool
    why_not: str = ""
    check_due: bool = False  # a reality check waits to be acknowledged
    next_check: Time | None = None
    cool_off_until: Time | None = None
    excluded_until: Time | None = None
    has_password: bool  # a guest has none, and cannot come back once signed out


class Move(Asking, frozen=True, kw_only=True):
    """Money into the wallet, or out of it."""

    amount: MoneyText
    reference: Words = ""


class NewPassword(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    old: Password
    new: Password


class NewDisplayName(Asking, frozen=True, kw_only=True):
    """What other patrons call me at a table; "" for my seat."""

    name: Annotated[str, Meta(max_length=DISPLAY_NAME_MAX)]


class Farewell(Asking, frozen=True, kw_only=True):
    """Why somebody closes their account."""

    why: Words


class Plays(msgspec.Struct, frozen=True):
    rounds: list[PlayView]
    before: Time | None  # ask for what is older with this; None: that was all


async def account_of(request: guards.Asked) -> Account:
    actor = await guards.acting(request)
    account = await guards.house(request).people.account(actor.person)
    if account is None:
        raise AssertionError("a session without an account")
    return account


@get("/api/me", opt=NEWCOMERS)
async def me(request: guards.Asked) -> Me:
    """Myself: balance, chips, what is staked, how long and with which result I have played, and whether I may.

    What a screen shows at all times (PLY-1).
    """
    house, account = guards.house(request), await account_of(request)
    found = await guards.session_of(request)
    if found is None:
        raise AssertionError("a route without a guard")
    session, now, money = found[1], house.now(), house.config.money
    tables = seats_of(house, account.person)
    figures, refusal = await house.people.figures(session), await house.people.may_play(account.person, now)
    return Me(
        person=account.person,
        name=account.name,
        display_name=account.display_name,
        position=WORD_OF[account.position],
        play_money=account.play_money,
        currency=money.code,
        at=now,
        balance=None if figures.balance is None else show(figures.balance, money),
        chips=show(sum(each.chips for each in tables), money),
        staked=show(sum(each.staked for each in tables), money),
        tables=[
            AtTable(table=each.table, chips=show(each.chips, money), staked=show(each.staked, money)) for each in tables
        ],
        session_since=figures.since,
        session_net=show(figures.net, money),
        elapsed=_clock(figures.elapsed),
        may_play=refusal is None,
        why_not=problems.sentence(refusal.reason) if refusal is not None else "",
        check_due=account.is_patron and figures.check_due,
        next_check=figures.check_at if account.is_patron else None,
        cool_off_until=account.cool_off_until if account.cool_off_until > now else None,
        excluded_until=_excluded(account, now),
        has_password=bool(account.password),
    )


def _clock(ms: int) -> str:
    """
    >>> _clock(3_723_000)
    '1:02:03'
    """
    minutes, seconds = divmod(max(0, ms) // 1000, 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"


def _excluded(account: Account, now: int) -> int | None:
    """Until when, as far as that is known."""
    ends = [
        each.until for each in (account.excluded, account.barred) if each is not None and protection.holds(each, now)
    ]
    return max((each for each in ends if each is not None), default=None)


MOVE = Move(id="money-1", amount="100.00")


@post("/api/me/deposits", status_code=200, opt={**PATRONS, "example": MOVE})
async def deposit(request: guards.Asked, data: JSONBody[Move]) -> Acted:
    """Put play money into my wallet; real money is paid in at the cage (LIM-2)."""
    money = guards.config(request).money
    return await act(request, PayIn(amount=amount(data.amount, money), reference=data.reference), data)


@post("/api/me/withdrawals", status_code=200, opt={**PATRONS, "example": MOVE})
async def withdraw(request: guards.Asked, data: JSONBody[Move]) -> Acted:
    """Take play money out of my wallet; real money is paid out at the cage."""
    money = guards.config(request).money
    return await act(request, PayOut(amount=amount(data.amount, money), reference=data.reference), data)


@post(
    "/api/me/password", status_code=200, opt={**NEWCOMERS, "example": NewPassword(old="old one", new="a new password")}
)
async def change_password(request: guards.Asked, data: JSONBody[NewPassword]) -> Acted:
    """Change my password; all other sessions of mine end (SEC-2)."""
    actor = await guards.acting(request)
    people = guards.house(request).people
    return acted(
        await whole(
            people.change_password(actor, actor.person, data.new, old=data.old, but=request.cookies[guards.COOKIE])
        )
    )


@put("/api/me/display-name", opt={**PATRONS, "example": NewDisplayName(id="name-1", name="Lucky Seven")})
async def set_display_name(request: guards.Asked, data: JSONBody[NewDisplayName]) -> Acted:
    """Choose the name that other patrons see.

    It is shown at tables that I come to from now on. Nobody but the staff sees the name that I sign in with.
    """
    return await act(request, SetDisplayName(name=data.name), data)


@post("/api/me/closing", status_code=200, opt={**PATRONS, "example": Farewell(id="bye-1", why="I have had enough")})
async def close_account(request: guards.Asked, data: JSONBody[Farewell]) -> Acted:
    """Close my account for good, once nothing is in the wallet or at a table; all my sessions end (LOG-5)."""
    return await act(request, CloseAccount(why=data.why), data)


@get("/api/me/rounds", opt={**PATRONS, "query": Page})
async def my_rounds(request: guards.Asked) -> Plays:
    """The rounds that I have played, newest first."""
    page, actor, house = query(request, Page), await guards.acting(request), guards.house(request)
    money = house.config.money
    found = await asyncio.to_thread(lambda: house.store.plays(actor.person, before=page.before, limit=page.limit))
    return Plays([play_view(each, money) for each in found], found[-1].at if len(found) >= page.limit else None)


@get("/api/me/statement", opt={**PATRONS, "query": Period, "also": (CSV,)})
async def my_statement(request: guards.Asked) -> Response[StatementView]:
    """My statement: payments, rounds and sums of a period, and of a lifetime (MON-5).

    The last three months where no period is asked for; `form=csv` for a spreadsheet.
    """
    return await statement(request, await account_of(request))


async def statement(request: guards.Asked, account: Account) -> Response[StatementView]:
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


HANDLERS = [me, deposit, withdraw, change_password, set_display_name, close_account, my_rounds, my_statement]
