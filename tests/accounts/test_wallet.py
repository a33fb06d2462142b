"""Money in and out of a wallet."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longhu.accounts import record
from longhu.accounts.account import CloseAccount
from longhu.accounts.names import CAGE
from longhu.accounts.times import MINUTE, MONTH
from longhu.accounts.wallet import (
    DEPOSITS_MAX,
    REFERENCE_MAX,
    REFERENCE_TOO_LONG,
    WALLET_SHORT,
    PaidIn,
    PayIn,
    PayOut,
    short,
)
from longhu.ledger import posted
from longhu.money import AMOUNT_MAX
from longhu.positions import Position
from longhu.table.messages import ASK_POSITION
from tests.accounts.keeping import REAL, START, an_account

SHIFT = Position.GAMING_SHIFT_MANAGER


@pytest.mark.clause("MON-1")
def test_a_deposit_comes_from_outside_and_goes_into_the_wallet() -> None:
    kept = an_account()
    (event,) = kept.done(PayIn(amount=5000, reference="voucher 7"), "ann")
    assert event.postings() == [("outside:ann", -5000), ("world:ann", 5000)]
    (event,) = kept.done(PayOut(amount=2000), "ann")
    assert event.postings() == [("world:ann", -2000), ("outside:ann", 2000)]


@pytest.mark.clause("MON-5")
def test_lifetime_net_deposits_are_known_for_good() -> None:
    kept = an_account()
    for _ in range(3):
        kept.done(PayIn(amount=1000), "ann")
        kept.done(PayOut(amount=400), "ann")
        kept.later(2 * MONTH)
    assert (kept.state.deposited, kept.state.withdrawn, kept.state.net_deposits) == (3000, 1200, 1800)


@pytest.mark.clause("MON-3")
def test_real_money_moves_at_the_cage_only() -> None:
    kept = an_account(REAL)
    for command in (PayIn(amount=100), PayOut(amount=100)):
        assert kept.refused(command, "ann").reason.code == "cage-only"
        assert kept.refused(command, "mia", Position.PIT_MANAGER).clause == "SEC-1"
        assert kept.refused(command, "max", SHIFT).clause == "SEC-1"
        assert kept.refused(command, "olga", Position.CASINO_OPERATOR).remedy == ASK_POSITION(position="cage")
        kept.done(command, "cass", Position.CAGE)
        kept.done(command, CAGE, Position.CAGE)


@pytest.mark.clause("MON-2")
@pytest.mark.parametrize("amount", [0, -1, AMOUNT_MAX + 1])
def test_an_amount_is_some_money(amount: int) -> None:
    kept = an_account()
    assert kept.refused(PayIn(amount=amount), "ann").clause == "MON-2"
    assert kept.refused(PayOut(amount=amount), "ann").clause == "MON-2"


def test_a_reference_has_a_length() -> None:
    refusal = an_account().refused(PayIn(amount=1, reference="x" * (REFERENCE_MAX + 1)), "ann")
    assert refusal.reason == REFERENCE_TOO_LONG()


def test_what_is_left_in_a_closed_account_is_paid_out_by_the_staff() -> None:
    kept = an_account()
    kept.done(CloseAccount(why="x"), "ann")
    assert kept.refused(PayOut(amount=100), "ann").reason.code == "account-closed"
    assert kept.refused(PayIn(amount=100), "cass", Position.CAGE).reason.code == "account-closed"
    kept.done(PayOut(amount=100), "cass", Position.CAGE)


def test_nothing_is_paid_out_of_an_account_without_a_wallet() -> None:
    kept = an_account(person="dee", position=Position.DEALER)
    kept.done(CloseAccount(why="x"), "boss", Position.CASINO_OPERATOR)
    kept.refused(PayOut(amount=100), "cass", Position.CAGE)


def test_what_is_kept_of_deposits_has_a_bound() -> None:
    kept = an_account()
    for _ in range(DEPOSITS_MAX):
        kept.done(PayIn(amount=1), "ann")
        kept.later(MINUTE)
    kept.refused(PayIn(amount=1), "ann")
    kept.later(MONTH - DEPOSITS_MAX // 2 * MINUTE)
    kept.done(PayIn(amount=1), "ann")
    assert len(kept.state.deposits) <= DEPOSITS_MAX // 2 + 1
    kept.later(MONTH)
    kept.done(PayIn(amount=1), "ann")
    assert [each.at for each in kept.state.deposits] == [kept.at]


def test_a_wallet_that_is_short_says_what_is_there() -> None:
    refusal = short(1234)
    assert (refusal.clause, refusal.reason) == ("MON-3", WALLET_SHORT(balance=1234))


@pytest.mark.clause("MON-1")
@given(st.lists(st.tuples(st.booleans(), st.integers(1, 10**9)), max_size=30))
def test_the_account_agrees_with_its_postings(moves: list[tuple[bool, int]]) -> None:
    kept = an_account()
    for pays_in, amount in moves:
        kept.done(PayIn(amount=amount) if pays_in else PayOut(amount=amount), "ann")
    balances = posted({}, [each for event in record.events(kept.lines) for each in event.transactions()])
    assert balances.get("world:ann", 0) == -balances.get("outside:ann", 0) == kept.state.net_deposits


def test_a_deposit_reads_back_as_it_was_written() -> None:
    kept = an_account()
    kept.done(PayIn(amount=5000, reference="voucher"), "ann")
    expected = PaidIn(by="ann", at=START, clause="MON-1", person="ann", amount=5000, reference="voucher")
    assert record.decode(kept.lines[-1]).event == expected
