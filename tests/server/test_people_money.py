"""What patrons are told of their money, and loss limits against what was played."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from longhu.accounts.limits import SetLimit
from longhu.accounts.protection import STAKE_UP_TO
from longhu.accounts.state import Kind, Span
from longhu.accounts.times import DAY, HOUR, MINUTE, WEEK
from longhu.accounts.wallet import PayIn, PayOut
from longhu.positions import Position
from longhu.server.accounts import people
from longhu.store.entries import Appended, Play
from tests.server.residents import QUICK, START, Residents, residents, run
from tests.store.house import Seat, rules


class Evening:
    """A table at which Ann plays; what it was she lost does not matter here."""

    def __init__(self, house: Residents) -> None:
        self._house, self._round = house, 0
        self._seat = Seat(house.store.create("T1", rules(), START))
        house.store.commit([self._seat.fills()])

    def plays(self, net: int) -> Play:
        self._round += 1
        made = self._seat.buys(1, patron="bob")
        play = Play("ann", "T1", self._round, self._house.now, staked=100, net=net, sequence=made.after + 1)
        (result,) = self._house.store.commit([replace(made, plays=(play,))])
        assert isinstance(result, Appended), result
        return play


@pytest.mark.clause("LIM-3")
def test_a_loss_limit_counts_what_was_lost_in_the_last_hours(tmp_path: Path) -> None:
    async def story() -> None:
        await house.create("ann")
        await house.done(SetLimit(kind=Kind.LOSS, span=Span.DAY, most=1_000))
        evening = Evening(house)
        evening.plays(-700)
        house.later(MINUTE)
        evening.plays(+100)
        assert await house.people.may_play("ann", house.now, 400) is None
        refusal = await house.people.may_play("ann", house.now, 401)
        assert refusal is not None
        assert refusal.remedy == STAKE_UP_TO(maximum=400)
        evening.plays(-400)
        assert await house.people.may_play("ann", house.now) is not None
        house.later(DAY)
        assert await house.people.may_play("ann", house.now, 600) is None

    with residents(tmp_path / "house.db", check_minutes=10**6) as house:
        run(story())


@pytest.mark.clause("MON-5")
@pytest.mark.parametrize("limit", [1, 7, 40, 500])
def test_a_statement_has_what_was_paid_and_played_in_its_span(tmp_path: Path, limit: int) -> None:
    async def story() -> None:
        await house.create("ann")
        await house.done(PayIn(amount=10_000, reference="before"))
        house.later(WEEK)
        await house.done(PayIn(amount=5_000, reference="voucher"))
        evening = Evening(house)
        plays = []
        for number in range(40):
            plays.append(evening.plays(-100 if number % 3 else 80))
            house.later(MINUTE * (number % 2))
        await house.done(PayOut(amount=2_000))
        house.later(HOUR)
        await house.done(PayOut(amount=1_000))
        account = await house.people.account("ann")
        assert account is not None
        movements: list[people.Movement] = []
        played: list[Play] = []
        before = None
        while True:
            found = await house.people.statement(account, START + WEEK, house.now, before, limit)
            assert (found.deposited, found.withdrawn, found.staked) == (5_000, 2_000, 4_000)
            assert found.net == sum(each.net for each in plays)
            assert found.lifetime_net_deposits == 12_000
            assert found.play_money
            times = [*(each.at for each in found.movements), *(each.at for each in found.plays)]
            assert all(found.before is None or at >= found.before for at in times)
            assert all(before is None or at < before for at in times)
            movements, played, before = [*found.movements, *movements], [*found.plays, *played], found.before
            if before is None:
                break
        assert [(each.amount, each.reference) for each in movements] == [(5_000, "voucher"), (-2_000, "")]
        assert played == plays
        nothing = await house.people.statement(account, 0, 1, None, limit)
        assert (nothing.movements, nothing.plays, nothing.lifetime_net_deposits) == ([], [], 12_000)

    with residents(tmp_path / "house.db") as house:
        run(story())


@pytest.mark.clause("PLY-1", "PLY-2", "LIM-2")
def test_balance_net_and_time_are_there_to_be_shown(tmp_path: Path) -> None:
    async def story() -> None:
        await house.create("ann")
        await house.done(PayIn(amount=10_000))
        evening = Evening(house)
        evening.plays(-500)
        house.later(HOUR)
        session = (await house.sign_in()).session
        house.later(MINUTE)
        evening.plays(-100)
        evening.plays(+40)
        house.later(MINUTE)
        assert await house.people.figures(session) == people.PatronFigures(
            balance=10_000,
            since=START + HOUR,
            elapsed=2 * MINUTE,
            net=-60,
            check_at=START + HOUR + QUICK.check_minutes * MINUTE,
            check_due=False,
            review_due=False,
        )
        await house.done(SetLimit(kind=Kind.LOSS, span=Span.DAY, most=10**6))
        house.later(400 * DAY)
        figures = await house.people.figures(session)
        assert (figures.check_due, figures.review_due) == (True, True)

    with residents(tmp_path / "house.db") as house:
        run(story())


def test_staff_have_no_balance(tmp_path: Path) -> None:
    async def story() -> None:
        await house.create("dee", Position.DEALER)
        figures = await house.people.figures((await house.sign_in("dee")).session)
        assert figures.balance is None

    with residents(tmp_path / "house.db") as house:
        run(story())
