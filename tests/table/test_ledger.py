"""The ledger: postings that sum to zero, balances that nobody overdraws, and errors that name what is wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longhu.ledger import LedgerError, Posting, Transaction, moved, posted, postings_of, unlimited
from longhu.messages.message import Message
from longhu.money import Money

BUYS = Message("chips-bought", {"patron": "ann"})
LIMITED = ("patron:ann", "layout:3/tie", "float:T7", "drop:T7")
UNLIMITED = ("cage", "world:ann", "outside:ann", "over-short:T7")


def test_money_moves_from_one_account_to_another() -> None:
    one = moved(BUYS, 500, "world:ann", "patron:ann", clause="MON-1", wager="tie")
    assert one == Transaction(BUYS, (Posting("world:ann", -500), Posting("patron:ann", 500)), "MON-1", "tie")
    assert (moved(BUYS, 1, "cage", "float:T7").clause, moved(BUYS, 1, "cage", "float:T7").wager) == ("", "")
    assert postings_of([one, one]) == [("world:ann", -500), ("patron:ann", 500)] * 2
    assert posted({}, [one]) == {"world:ann": -500, "patron:ann": 500}


def test_postings_that_do_not_sum_to_zero_are_a_defect_that_says_by_how_much() -> None:
    with pytest.raises(LedgerError, match=rf"^{BUYS.code}: the postings sum to 3$"):
        Transaction(BUYS, (Posting("world:ann", -2), Posting("patron:ann", 5)))


@pytest.mark.parametrize("account", LIMITED)
def test_nobody_is_overdrawn(account: str) -> None:
    assert not unlimited(account)
    with pytest.raises(LedgerError, match=rf"^{BUYS.code}: {account} would stand at -1$"):
        posted({account: Money(4)}, [moved(BUYS, 5, account, "cage")])


@pytest.mark.parametrize("account", UNLIMITED)
def test_where_money_comes_from_may_go_below_zero(account: str) -> None:
    assert unlimited(account)
    assert posted({}, [moved(BUYS, 5, account, "patron:ann")]) == {account: -5, "patron:ann": 5}


def test_an_empty_account_is_not_listed() -> None:
    back = moved(BUYS, 5, "patron:ann", "world:ann")
    assert posted({"patron:ann": Money(5), "world:ann": Money(-5)}, [back]) == {}
    nothing = Transaction(BUYS, (Posting("patron:bob", 0),))
    assert posted({}, [nothing]) == {}


@given(st.lists(st.tuples(st.sampled_from(UNLIMITED), st.sampled_from(UNLIMITED), st.integers(1, 10**12)), max_size=20))
def test_money_is_neither_made_nor_lost(movements: list[tuple[str, str, int]]) -> None:
    before = {"patron:ann": Money(7)}
    after = posted(before, [moved(BUYS, amount, source, target) for source, target, amount in movements])
    assert sum(after.values()) == 7
    assert before == {"patron:ann": 7}
    assert all(after.values())
