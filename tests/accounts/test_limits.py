"""Limits on deposits, losses and time: lower at once, higher after a day and a second yes."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from longhu.accounts.engine import decide_account
from longhu.accounts.limits import (
    CONFIRMED_WITHIN,
    RAISED_AFTER,
    REVIEWED_EVERY,
    ConfirmLimit,
    ImposeLimit,
    LimitChanged,
    LimitRaiseRequested,
    ReviewLimits,
    SetLimit,
    deposited,
    in_force,
    review_due,
)
from longhu.accounts.protection import COME_BACK_LATER
from longhu.accounts.state import Account, Kind, Span
from longhu.accounts.times import DAY, HOUR, MINUTE
from longhu.accounts.wallet import DEPOSIT_LIMIT, DEPOSIT_UP_TO, PayIn
from longhu.eventsourcing import Refusal
from longhu.money import AMOUNT_MAX
from longhu.positions import Position
from tests.accounts.keeping import Kept, an_account
from tests.codes import code

SPANS = {Span.DAY: 24 * HOUR, Span.WEEK: 7 * DAY, Span.MONTH: 31 * DAY}


def sets(kept: Kept[Account], most: int | None, kind: Kind = Kind.DEPOSIT, span: Span = Span.DAY) -> type:
    (event,) = kept.done(SetLimit(kind=kind, span=span, most=most), "ann")
    return type(event)


def confirm(kind: Kind = Kind.DEPOSIT, span: Span = Span.DAY) -> ConfirmLimit:
    return ConfirmLimit(kind=kind, span=span)


@pytest.mark.clause("LIM-2", "LIM-3")
@pytest.mark.parametrize("kind", Kind)
def test_a_lower_limit_holds_at_once_and_a_higher_one_after_a_day_and_a_second_yes(kind: Kind) -> None:
    kept = an_account()
    assert sets(kept, 100, kind) is LimitChanged
    assert sets(kept, 50, kind) is LimitChanged
    assert in_force(kept.state, kind, Span.DAY) == 50
    assert sets(kept, 80, kind) is LimitRaiseRequested
    assert in_force(kept.state, kind, Span.DAY) == 50
    kept.later(RAISED_AFTER - 1)
    assert code(kept.refused(confirm(kind), "ann").remedy) == "confirm-after"
    kept.later(1)
    assert in_force(kept.state, kind, Span.DAY) == 50, "a day alone raises nothing"
    kept.done(confirm(kind), "ann")
    assert in_force(kept.state, kind, Span.DAY) == 80
    kept.refused(confirm(kind), "ann")


@pytest.mark.clause("LIM-2")
def test_taking_a_limit_away_is_a_raise() -> None:
    kept = an_account()
    sets(kept, 100)
    assert sets(kept, None) is LimitRaiseRequested
    kept.later(RAISED_AFTER)
    kept.done(confirm(), "ann")
    assert in_force(kept.state, Kind.DEPOSIT, Span.DAY) is None


@pytest.mark.clause("LIM-2")
def test_whoever_lowers_a_limit_meanwhile_has_changed_their_mind() -> None:
    kept = an_account()
    sets(kept, 100)
    sets(kept, 500)
    kept.later(HOUR)
    assert sets(kept, 100) is LimitChanged, "to the one that holds: the higher one is dropped"
    kept.later(RAISED_AFTER)
    assert kept.refused(confirm(), "ann").reason.code == "no-higher-limit-waits"


@pytest.mark.clause("LIM-2")
def test_asking_for_yet_more_starts_the_day_again() -> None:
    kept = an_account()
    sets(kept, 100)
    sets(kept, 200)
    kept.later(RAISED_AFTER - HOUR)
    sets(kept, 300)
    kept.later(HOUR)
    kept.refused(confirm(), "ann")
    kept.later(RAISED_AFTER - HOUR)
    kept.done(confirm(), "ann")
    assert in_force(kept.state, Kind.DEPOSIT, Span.DAY) == 300


@pytest.mark.clause("LIM-2")
def test_a_higher_limit_that_is_not_confirmed_is_forgotten() -> None:
    kept = an_account()
    sets(kept, 100)
    sets(kept, 200)
    kept.later(RAISED_AFTER + CONFIRMED_WITHIN)
    assert isinstance(decide_account(kept.state, kept.policy, replace(confirm(), by="ann", at=kept.at)), list)
    kept.later(1)
    assert code(kept.refused(confirm(), "ann").remedy) == "ask-for-it-first"


@pytest.mark.clause("LIM-2")
def test_the_lowest_wins() -> None:
    kept = an_account()
    sets(kept, 1000, span=Span.DAY)
    sets(kept, 1500, span=Span.WEEK)
    kept.done(PayIn(amount=1000), "ann")
    kept.later(DAY)
    refusal = kept.refused(PayIn(amount=501), "ann")
    assert refusal == Refusal(DEPOSIT_LIMIT(amount=501, maximum=1500, span="week"), DEPOSIT_UP_TO(maximum=500), "LIM-2")
    kept.done(PayIn(amount=500), "ann")
    kept.later(6 * DAY)
    kept.done(PayIn(amount=1000), "ann")


@pytest.mark.clause("LIM-2", "LOG-4")
def test_the_house_may_limit_as_well_and_only_it_lifts_that() -> None:
    kept = an_account()
    imposed = ImposeLimit(kind=Kind.DEPOSIT, span=Span.DAY, most=300, why="worried")
    assert kept.refused(imposed, "ann").clause == "SEC-1"
    assert kept.refused(imposed, "sue", Position.PIT_SUPERVISOR).clause == "SEC-1"
    kept.done(imposed, "mia", Position.PIT_MANAGER)
    sets(kept, 500)
    assert in_force(kept.state, Kind.DEPOSIT, Span.DAY) == 300
    sets(kept, 200)
    assert in_force(kept.state, Kind.DEPOSIT, Span.DAY) == 200
    lifted = ImposeLimit(kind=Kind.DEPOSIT, span=Span.DAY, most=None, why="talked")
    kept.done(lifted, "mia", Position.PIT_MANAGER)
    assert in_force(kept.state, Kind.DEPOSIT, Span.DAY) == 200, "never what the patron has chosen"
    kept.refused(lifted, "mia", Position.PIT_MANAGER)


@pytest.mark.clause("LIM-2")
def test_nobody_sets_a_patrons_own_limit_but_the_patron() -> None:
    kept = an_account()
    command = SetLimit(kind=Kind.DEPOSIT, span=Span.DAY, most=100)
    assert kept.refused(command, "max", Position.GAMING_SHIFT_MANAGER).clause == "SEC-1"


@pytest.mark.clause("LIM-2")
def test_twice_a_year_patrons_are_asked_about_their_limits() -> None:
    kept = an_account()
    kept.later(10 * REVIEWED_EVERY)
    assert not review_due(kept.state, kept.at), "who has none is not asked"
    sets(kept, 100)
    assert not review_due(kept.state, kept.at + REVIEWED_EVERY - 1)
    kept.later(REVIEWED_EVERY)
    assert review_due(kept.state, kept.at)
    kept.done(ReviewLimits(), "ann")
    assert not review_due(kept.state, kept.at)


@pytest.mark.parametrize(
    ("kind", "span", "most"),
    [
        (Kind.DEPOSIT, Span.DAY, -1),
        (Kind.DEPOSIT, Span.MONTH, AMOUNT_MAX + 1),
        (Kind.TIME, Span.DAY, 24 * 60 + 1),
        (Kind.LOSS, Span.WEEK, -5),
    ],
)
def test_impossible_limits_are_refused(kind: Kind, span: Span, most: int) -> None:
    refusal = an_account().refused(SetLimit(kind=kind, span=span, most=most), "ann")
    assert code(refusal.remedy) == "limit-range"


def test_the_same_limit_again_is_nothing_to_do() -> None:
    kept = an_account()
    sets(kept, 100)
    assert kept.refused(SetLimit(kind=Kind.DEPOSIT, span=Span.DAY, most=100), "ann").reason.code == "limit-unchanged"


@pytest.mark.clause("LIM-2")
def test_no_deposits_at_all_is_a_limit() -> None:
    kept = an_account()
    sets(kept, 0)
    assert kept.refused(PayIn(amount=1), "ann").remedy == COME_BACK_LATER()


# ------------------------------------------------ over time


@dataclass
class Promise:
    """What the standard promises, written down a second time: one limit over one span."""

    most: int | None = None
    asked: tuple[int | None, int] | None = None  # how much, and when

    def set(self, most: int | None, at: int) -> None:
        if self.most is not None and (most is None or most > self.most):
            self.asked = (most, at)
        else:
            self.most, self.asked = most, None

    def confirm(self, at: int) -> None:
        if self.asked is not None and DAY <= at - self.asked[1] <= 8 * DAY:
            self.most, self.asked = self.asked[0], None


@dataclass
class Promises:
    own: dict[Span, Promise] = field(default_factory=lambda: {span: Promise() for span in Span})
    house: dict[Span, int | None] = field(default_factory=lambda: dict.fromkeys(Span))
    paid: list[tuple[int, int]] = field(default_factory=list)

    def allows(self, amount: int, at: int) -> bool:
        """Would every window that ends now stay within what is promised for it?"""
        return all(
            most is None or amount + sum(paid for when, paid in self.paid if when > at - SPANS[span]) <= most
            for span in Span
            for most in (self.own[span].most, self.house[span])
        )


amounts = st.integers(0, 40)
limits = st.none() | amounts
spans = st.sampled_from(Span)
steps = st.one_of(
    st.tuples(st.just("set"), spans, limits),
    st.tuples(st.just("confirm"), spans, st.none()),
    st.tuples(st.just("impose"), spans, limits),
    st.tuples(st.just("pay"), st.none(), st.integers(1, 20)),
    st.tuples(st.just("pay"), st.none(), st.integers(1, 20)),
    st.tuples(
        st.just("wait"), st.none(), st.sampled_from([1, MINUTE, HOUR, 12 * HOUR, DAY - 1, DAY, 3 * DAY, 9 * DAY])
    ),
)


@pytest.mark.clause("LIM-2")
@settings(max_examples=settings().max_examples * 3)
@given(st.lists(steps, max_size=60))
def test_no_window_ever_holds_more_than_was_in_force(walk: list[tuple[str, Span | None, int | None]]) -> None:
    """Whatever is set, raised, confirmed and paid in, in whatever order: a deposit is taken exactly where it may be."""
    kept, promised = an_account(), Promises()
    for name, span, number in walk:
        if name == "wait":
            kept.later(number or 0)
        elif name == "pay":
            assert number is not None
            taken = isinstance(kept.ask(PayIn(amount=number), "ann"), list)
            assert taken is promised.allows(number, kept.at)
            if taken:
                promised.paid.append((kept.at, number))
        else:
            assert span is not None
            _change(kept, promised, name, span, number)
    for span, length in SPANS.items():
        expected = sum(paid for when, paid in promised.paid if when > kept.at - length)
        assert deposited(kept.state, span, kept.at) == expected
    assert kept.replay() == kept.state


def _change(kept: Kept[Account], promised: Promises, name: str, span: Span, most: int | None) -> None:
    if name == "set":
        kept.ask(SetLimit(kind=Kind.DEPOSIT, span=span, most=most), "ann")
        promised.own[span].set(most, kept.at)
    elif name == "confirm":
        kept.ask(ConfirmLimit(kind=Kind.DEPOSIT, span=span), "ann")
        promised.own[span].confirm(kept.at)
    else:
        command = ImposeLimit(kind=Kind.DEPOSIT, span=span, most=most, why="x")
        kept.ask(command, "mia", Position.PIT_MANAGER)
        promised.house[span] = most
    known = [each for each in (promised.own[span].most, promised.house[span]) if each is not None]
    assert in_force(kept.state, Kind.DEPOSIT, span) == min(known, default=None)
