"""Accounts on a store: made, acted upon, kept across restarts and between nodes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import closing
from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace

from longhu.accounts.account import ChangePosition, CloseAccount, CreateAccount
from longhu.accounts.limits import SetLimit
from longhu.accounts.protection import CoolOff, SelfExclude, SetRealityCheck
from longhu.accounts.sign_in_rules import LockAccount, RefuseSignIn, UnlockAccount
from longhu.accounts.state import Account, Kind, Span
from longhu.accounts.times import MINUTE
from longhu.accounts.wallet import PayIn, PayOut
from longhu.eventsourcing import Refusal
from longhu.positions import Position
from longhu.server.accounts.passwords import PASSWORD_COMMON, PLAY, Passwords
from longhu.server.accounts.people import PAY_IT_OUT_FIRST
from longhu.server.accounts.sign_in import THE_ACCOUNT_IS_CLOSED, WRONG, SignedIn
from longhu.server.streams.account_stream import NAME_OF_A_CASH_PATRON, NOBODY_CALLED
from longhu.server.streams.commands import SYSTEM, Actor, Committed, StoreUnavailable
from longhu.store.entries import Append
from longhu.store.errors import CommitFailed
from longhu.store.integrity import check_chain, check_money
from longhu.store.interface import Result
from tests.codes import code
from tests.server.residents import PASSWORD, QUICK, START, residents, run
from tests.store.house import Seat, rules

OPERATOR = Actor("boss", Position.CASINO_OPERATOR)
SHIFT = Actor("max", Position.GAMING_SHIFT_MANAGER)
CASHIER = Actor("cass", Position.CAGE)
AUDITOR = Actor("otto", Position.AUDITOR)


@pytest.mark.clause("LOG-5")
def test_a_patron_has_a_wallet_and_staff_have_none(database: str) -> None:
    async def story() -> None:
        patron = await house.create("ann")
        dealer = await house.create("dee", Position.DEALER)
        assert (patron.position, dealer.position) == (Position.PATRON, Position.DEALER)
        assert await house.people.wallet("ann") == 0
        assert await house.people.wallet("dee") is None
        assert await house.people.names() == ["ann", "dee"]
        assert await house.people.account("bob") is None
        assert patron.password.startswith("$argon2id$")

    with residents(database) as house:
        run(story())
        for trail in ("person:ann", "person:dee"):
            assert check_chain(house.store, trail) == 1


def test_a_name_is_given_once(tmp_path: Path) -> None:
    async def story() -> None:
        made = await asyncio.gather(
            *(house.people.create(SYSTEM, "ann", f"Ann {number}", None) for number in range(4)),
            *(other.people.create(SYSTEM, "ann", f"Another {number}", None) for number in range(4)),
        )
        assert sum(not isinstance(each, Refusal) for each in made) == 1
        assert await house.people.account("ann") == await other.people.account("ann")

    with residents(tmp_path / "house.db") as house:
        other = house.beside()
        run(story())
        other.close()


# Who creates accounts: by whom, for which positions. Nobody else creates any.
CREATES = {
    Position.PIT_SUPERVISOR: "patron",
    Position.PIT_MANAGER: "patron, dealer, pit supervisor",
    Position.GAMING_SHIFT_MANAGER: "patron, dealer, pit supervisor, pit manager",
    Position.CASINO_OPERATOR: "patron, dealer, pit supervisor, pit manager, gaming shift manager, cage, surveillance, auditor",
}


@pytest.mark.clause("SEC-1")
def test_who_creates_accounts_of_which_positions(tmp_path: Path) -> None:
    """Staff are created from as high as positions are changed: a supervisor alone has no second signatures."""

    async def story() -> int:
        made = 0
        for by, position in product(Position, Position):
            given = None if position is Position.PATRON else position
            second = Actor("another", Position.CASINO_OPERATOR)
            found = await house.people.create(
                Actor("somebody", by), f"p{house.now}", "", PASSWORD, given, second=second
            )
            allowed = position.word in CREATES.get(by, "").split(", ")
            assert isinstance(found, Refusal) is not allowed, (by, position, found)
            made += allowed
            house.later(1)
        return made

    with residents(tmp_path / "house.db") as house:
        made = run(story())
        assert len(house.store.trails()) == made, "who is refused leaves nothing behind"


@pytest.mark.clause("SEC-1")
def test_a_password_that_somebody_else_chose_is_good_for_choosing_another_only(tmp_path: Path) -> None:
    """Whoever creates an account, or resets its password, can neither act nor sign with it."""

    async def story() -> None:
        pat, own = Actor("pat", Position.PIT_MANAGER), "a password of my own"
        made = await house.people.create(pat, "sue", "Sue", PASSWORD, Position.PIT_SUPERVISOR, second=SHIFT)
        assert isinstance(made, Account)
        for password, new in ((PASSWORD, own), ("chosen by the shift", "and another of my own")):
            token = (await house.sign_in("sue", password)).token
            assert await house.people.actor(token) is None
            refused = await house.people.signed("sue", password, "10.0.0.7", "dee")
            assert isinstance(refused, Refusal)
            assert code(refused.remedy) == "signer-signs-in-first"
            sue = await house.people.newcomer(token)
            assert sue is not None
            same = await house.people.change_password(sue[0], "sue", password, old=password, but=token)
            assert isinstance(same, Refusal)
            assert isinstance(
                await house.people.change_password(sue[0], "sue", new, old=password, but=token), Committed
            )
            assert await house.people.actor(token) is not None
            assert await house.people.newcomer(token) is None
            assert isinstance(await house.people.signed("sue", new, "10.0.0.7", "dee"), Account)
            reset = await house.people.change_password(SHIFT, "sue", "chosen by the shift", second=pat)
            assert isinstance(reset, Committed)
        assert await house.is_as_stored("sue")

    with residents(tmp_path / "house.db") as house:
        run(story())


def test_a_password_that_is_typed_at_the_console_stands(tmp_path: Path) -> None:
    async def story() -> None:
        await house.create("olga", Position.CASINO_OPERATOR)
        assert await house.people.actor((await house.sign_in("olga")).token) is not None

    with residents(tmp_path / "house.db") as house:
        run(story())


@pytest.mark.clause("SEC-2")
@pytest.mark.parametrize("password", ["", "short", "x" * 201, "ann-ann-", "ANN12345"])
def test_a_password_has_a_length_and_is_not_the_name(password: str, tmp_path: Path) -> None:
    with residents(tmp_path / "house.db") as house:
        found = run(house.people.create(SYSTEM, "ann", "Ann", password))
        assert isinstance(found, Refusal)
        assert found.clause == "SEC-2"
        assert password[:3] not in str(found) or len(password) < 3


@pytest.mark.clause("SEC-2")
@pytest.mark.parametrize("password", [PLAY, "Play-Money", "12345678", "PASSWORD", "88888888", "ababababab"])
def test_where_something_is_at_stake_no_password_is_one_that_everybody_tries(password: str) -> None:
    """That of the demonstration above all: its staff must not be let into a house with real accounts."""
    for play_money, found in ((False, PASSWORD_COMMON()), (True, None)):
        with closing(Passwords(replace(QUICK, play_money=play_money))) as passwords:
            unfit = passwords.unfit(password, "operator")
            assert (None if unfit is None else unfit.reason) == found


def test_a_name_of_somebody_who_plays_for_cash_is_taken(tmp_path: Path) -> None:
    with residents(tmp_path / "house.db") as house:
        seat = Seat(house.store.create("T1", rules(), START))
        house.store.commit([seat.fills(), seat.buys(100, patron="ann")])
        found = run(house.people.create(SYSTEM, "ann", "Ann", None))
        assert isinstance(found, Refusal)
        assert found.reason == NAME_OF_A_CASH_PATRON(person="ann")


def test_a_trail_that_a_crash_left_empty_is_used(tmp_path: Path) -> None:
    with residents(tmp_path / "house.db") as house:
        house.store.create_trail("person:ann", START, "ann")
        assert run(house.people.account("ann")) is None
        assert run(house.people.names()) == []
        run(house.create("ann"))


def test_an_account_is_what_its_trail_says(database: str) -> None:
    async def story() -> None:
        await house.create("ann")
        await house.sign_in()
        await house.done(PayIn(amount=10_000))
        await house.done(SetLimit(kind=Kind.DEPOSIT, span=Span.DAY, most=20_000))
        await house.refused(PayIn(amount=15_000))
        await house.done(CoolOff(hours=24))
        await house.wrong()
        assert await house.is_as_stored()

    with residents(database) as house:
        run(story())
        account = run(house.people.account("ann"))
        check_money(house.store, "person:ann")
    with residents(database) as again:
        assert run(again.people.account("ann")) == account


# ------------------------------------------------ what is asked


@pytest.mark.clause("REC-3")
def test_what_is_sent_twice_is_done_once_and_answered_alike(tmp_path: Path) -> None:
    async def story() -> None:
        await house.create("ann")
        first = await house.act(PayIn(amount=100), id="one")
        assert first == Committed(2, 2)
        assert await house.act(PayIn(amount=100), id="one") == Committed(2, 2, duplicate=True)
        refusal = await house.act(PayIn(amount=0), id="two")
        assert isinstance(refusal, Refusal)
        assert await house.act(PayIn(amount=0), id="two") == refusal
        assert await other.act(PayIn(amount=0), id="two") == refusal
        limit = SetLimit(kind=Kind.LOSS, span=Span.DAY, most=5)
        done = await asyncio.gather(*(each.act(limit, id="three") for each in (house, other) * 5))
        assert {(each.first, each.last) for each in done if isinstance(each, Committed)} == {(4, 4)}
        assert sum(isinstance(each, Committed) and not each.duplicate for each in done) == 1
        assert len(done) == 10
        assert await house.people.wallet("ann") == 100

    with residents(tmp_path / "house.db") as house:
        other = house.beside()
        run(story())
        other.close()


def test_an_id_is_a_person_s_own(tmp_path: Path) -> None:
    async def story() -> None:
        await house.create("ann")
        assert await house.act(PayIn(amount=100), id="one") == Committed(2, 2)
        assert await house.act(PayIn(amount=100), by=CASHIER, id="one") == Committed(3, 3)

    with residents(tmp_path / "house.db") as house:
        run(story())


@pytest.mark.clause("MON-3")
def test_a_balance_is_spent_once_however_many_ask_on_however_many_nodes(database: str) -> None:
    async def story() -> None:
        await house.create("ann")
        await house.done(PayIn(amount=10_000))
        done = await asyncio.gather(
            *(house.act(PayOut(amount=1_000), id=f"here {number}") for number in range(10)),
            *(other.act(PayOut(amount=1_000), id=f"there {number}") for number in range(10)),
        )
        assert sum(isinstance(each, Committed) for each in done) == 10
        refused = [each for each in done if isinstance(each, Refusal)]
        assert {each.clause for each in refused} == {"MON-3"}
        assert await house.people.wallet("ann") == 0
        other.people.forget("person:ann")
        account = await other.people.account("ann")
        assert account is not None
        assert account.net_deposits == 0

    with residents(database) as house:
        other = house.beside()
        run(story())
        other.close()
        check_money(house.store, "person:ann")


@pytest.mark.clause("LIM-2")
def test_two_nodes_do_not_pay_in_more_than_the_limit_together(database: str) -> None:
    async def story() -> None:
        await house.create("ann")
        await house.done(SetLimit(kind=Kind.DEPOSIT, span=Span.DAY, most=5_000))
        done = await asyncio.gather(
            *(house.people.act(CASHIER, "ann", PayIn(amount=1_000), f"here {number}") for number in range(8)),
            *(other.people.act(SHIFT, "ann", PayIn(amount=1_000), f"there {number}") for number in range(8)),
        )
        assert sum(isinstance(each, Committed) for each in done) == 5
        assert await house.people.wallet("ann") == 5_000

    with residents(database) as house:
        other = house.beside()
        run(story())
        other.close()


def test_the_program_s_own_acts_are_nobody_else_s(tmp_path: Path) -> None:
    async def story() -> None:
        await house.create("ann")
        for command in (
            RefuseSignIn(address="x"),
            CreateAccount(person="ann", name="", to=Position.CASINO_OPERATOR),
        ):
            assert (await house.refused(command, OPERATOR)).clause == "SEC-1"
        assert (await house.refused(PayIn(amount=1), person="bob")).reason == NOBODY_CALLED(person="bob")

    with residents(tmp_path / "house.db") as house:
        run(story())


@pytest.mark.clause("LOG-4", "SEC-1")
def test_a_position_holds_from_the_next_request_on_and_on_every_node(tmp_path: Path) -> None:
    async def story() -> None:
        await house.create("dee", Position.DEALER)
        token = (await house.sign_in("dee")).token
        found = await other.people.actor(token)
        assert found is not None
        assert found[0].position is Position.DEALER
        promote = ChangePosition(to=Position.PIT_SUPERVISOR, why="promoted")
        done = await house.people.act(OPERATOR, "dee", promote, "promote", second=SHIFT)
        assert isinstance(done, Committed)
        for node in (house, other):
            node.people.forget("person:dee", done.last)  # as the store tells nodes
            found = await node.people.actor(token)
            assert found is not None
            assert found[0] == Actor("dee", Position.PIT_SUPERVISOR, found[0].session)

    with residents(tmp_path / "house.db") as house:
        other = house.beside()
        run(story())
        other.close()


def test_an_account_with_money_is_not_closed(tmp_path: Path) -> None:
    async def story() -> None:
        await house.create("ann")
        token = (await house.sign_in()).token
        await house.done(PayIn(amount=100))
        assert (await house.refused(CloseAccount(why="x"))).remedy == PAY_IT_OUT_FIRST()
        await house.done(PayOut(amount=100))
        await house.done(CloseAccount(why="x"))
        assert await house.people.actor(token) is None
        assert (await house.wrong(password=PASSWORD)).reason == THE_ACCOUNT_IS_CLOSED()
        account = await house.people.account("ann")
        assert account is not None
        assert not account.sessions
        assert isinstance(await house.people.create(SYSTEM, "ann", "Ann", None), Refusal), "the name is gone for good"

    with residents(tmp_path / "house.db") as house:
        run(story())


@pytest.mark.clause("SEC-2")
def test_whoever_the_house_locks_out_is_out_at_once(tmp_path: Path) -> None:
    async def story() -> None:
        await house.create("ann")
        token = (await house.sign_in()).token
        await house.done(LockAccount(why="stolen"), SHIFT)
        assert await house.people.actor(token) is None
        assert await house.wrong(password=PASSWORD) == WRONG
        await house.done(UnlockAccount(why="found"), SHIFT)
        assert await house.people.actor(token) is None
        await house.sign_in()

    with residents(tmp_path / "house.db") as house:
        run(story())


def test_a_guest_has_play_money_and_no_password(tmp_path: Path) -> None:
    async def story() -> None:
        guest = await house.people.guest("192.0.2.1", "a browser")
        assert isinstance(guest, SignedIn)
        person = guest.account.person
        assert guest.account.play_money
        assert await house.people.wallet(person) == QUICK.guest_money
        assert await house.people.may_play(person, house.now, 100) is None
        found = await house.people.actor(guest.token)
        assert found is not None
        assert found[0].person == person
        for password in ("", PASSWORD):
            await house.wrong(person, password)

    with residents(tmp_path / "house.db") as house:
        run(story())
    with residents(tmp_path / "real.db", play_money=False) as real:
        assert isinstance(run(real.people.guest()), Refusal)


# ------------------------------------------------ may somebody play?


@pytest.mark.clause("LIM-3", "PLY-2")
def test_what_a_patron_asks_for_holds_for_the_next_wager(tmp_path: Path) -> None:
    async def story() -> None:
        await house.create("ann")
        await house.sign_in()
        assert await house.people.may_play("ann", house.now, 100) is None
        await house.done(SetRealityCheck(minutes=10))
        house.later(10 * MINUTE)
        refusal = await house.people.may_play("ann", house.now, 100)
        assert refusal is not None
        assert refusal.clause == "PLY-2"
        await house.people.acknowledge(Actor("ann", Position.PATRON))
        assert await house.people.may_play("ann", house.now, 100) is None
        await house.done(SelfExclude(days=183))
        refusal = await house.people.may_play("ann", house.now, 100)
        assert refusal is not None
        assert refusal.clause == "LIM-3"
        assert await other.people.may_play("ann", house.now, 100) == refusal

    with residents(tmp_path / "house.db") as house:
        other = house.beside()
        run(story())
        other.close()


@pytest.mark.clause("LIM-3")
def test_exclusion_on_one_node_holds_on_another_once_it_is_told(tmp_path: Path) -> None:
    async def story() -> None:
        await house.create("ann")
        assert await other.people.may_play("ann", house.now) is None
        done = await house.done(SelfExclude(days=183))
        other.people.forget("person:ann", done.last)
        assert await other.people.may_play("ann", house.now) is not None

    with residents(tmp_path / "house.db") as house:
        other = house.beside()
        run(story())
        other.close()


def test_cash_patrons_and_robots_have_agreed_on_nothing(tmp_path: Path) -> None:
    with residents(tmp_path / "house.db") as house:
        assert run(house.people.may_play("robot-1", house.now, 10**9)) is None


def test_a_store_that_cannot_write_is_busy_and_nothing_is_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        await house.create("ann")
        with monkeypatch.context() as failing:
            failing.setattr(house.store, "commit", full)
            with pytest.raises(StoreUnavailable, match="the disk is full"):
                await house.act(PayIn(amount=100), id="one")
        account = await house.people.account("ann")
        assert account is not None
        assert account.deposited == 0
        assert await house.act(PayIn(amount=100), id="one") == Committed(2, 2)
        assert await house.is_as_stored()

    def full(_batch: object) -> None:
        raise CommitFailed("the disk is full")

    with residents(tmp_path / "house.db") as house:
        run(story())


def test_giving_up_the_wait_does_not_lose_what_was_stored(tmp_path: Path) -> None:
    async def story() -> None:
        await house.create("ann")
        for number in range(20):
            task = asyncio.create_task(house.act(PayIn(amount=1), id=f"cut {number}"))
            for _ in range(number % 5):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        await house.done(PayIn(amount=1))
        account = await house.people.account("ann")
        assert account is not None
        assert account.deposited == await house.people.wallet("ann")
        assert await house.is_as_stored()

    with residents(tmp_path / "house.db") as house:
        run(story())


def test_another_node_that_writes_at_the_same_moment_is_not_overlooked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told of a record behind our own before our own is answered."""

    async def story() -> None:
        await house.create("ann")
        commit = house.writer.commit

        async def and_then(appends: Sequence[Append]) -> Sequence[Result]:
            found = await commit(appends)
            monkeypatch.undo()
            done = await other.people.act(SYSTEM, "ann", PayIn(amount=7), "theirs")
            assert isinstance(done, Committed)
            house.people.forget("person:ann", done.last)
            return found

        monkeypatch.setattr(house.writer, "commit", and_then)
        await house.done(PayIn(amount=100))
        account = await house.people.account("ann")
        assert account is not None
        assert account.deposited == 107

    with residents(tmp_path / "house.db") as house:
        other = house.beside()
        run(story())
        other.close()


@pytest.mark.clause("MON-3")
def test_a_wallet_that_was_short_is_looked_at_again_when_somebody_else_wrote(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Short, then overtaken: what was found of the wallet may be true no longer."""

    async def story() -> None:
        await house.create("ann")
        commit, tries = house.writer.commit, 0

        async def overtaken(appends: Sequence[Append]) -> Sequence[Result]:
            nonlocal tries
            tries += 1
            if tries == 2:  # the refusal is about to be written
                await other.people.act(SYSTEM, "ann", PayIn(amount=500), "theirs")
            return await commit(appends)

        monkeypatch.setattr(house.writer, "commit", overtaken)
        await house.done(PayOut(amount=500))
        assert tries == 3
        assert await house.people.wallet("ann") == 0
        assert await house.is_as_stored()

    with residents(tmp_path / "house.db") as house:
        other = house.beside()
        run(story())
        other.close()
