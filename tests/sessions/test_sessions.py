"""Sessions against what can be worked out exactly: ruin in closed form, whole distributions, and the worth of the bets."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import islice
from math import sqrt
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import longhu
from longhu.cards import Shoe
from longhu.deal.procedure import Procedure
from longhu.games.game import Game
from longhu.games.registry import built_in, find, load_game
from longhu.money import Money
from longhu.odds.together import together
from longhu.odds.ways import Ways, ways
from longhu.sessions import play, stakes
from longhu.sessions.figures import SessionFigures
from longhu.sessions.picture import grid_of, picture
from longhu.sessions.plan import SessionPlan, TableLimits, session_plan
from longhu.sessions.session import carry_out
from longhu.sessions.systems import SYSTEMS, Asked, OwnSystem, Played, SystemFault, Wish
from longhu.sessions.tally import Distribution
from longhu.settlement import settle
from longhu.simulate.dealers import ByShoe, _General
from longhu.simulate.ends import End
from longhu.simulate.plan import PlanError

UNIT = Money(10_00)
BEYOND_CHANCE = 4.5  # standard errors


COUNTED: dict[tuple[int, int], tuple[Procedure[Any], Ways]] = {}


def counted(procedure: Procedure[Any], cards: int) -> Ways:
    place = id(procedure), cards
    if place not in COUNTED:
        COUNTED[place] = procedure, ways(procedure, Shoe.of_decks(cards // 52))
    return COUNTED[place][1]


@pytest.fixture(autouse=True)
def counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The deals of a full shoe, which take their time, are counted once for all tests."""
    monkeypatch.setattr(stakes, "ways", lambda procedure, shoe: counted(procedure, shoe.size))


@cache
def game(id: str = "dragon-tiger") -> Game:
    return load_game(find(id))


def planned(
    id: str = "dragon-tiger",
    stakes: Mapping[str, int] | None = None,
    units: int = 10,
    system: str | Asked = "flat",
    sessions: int = 20_000,
    **how: object,
) -> SessionPlan:
    chosen = SYSTEMS[system] if isinstance(system, str) else OwnSystem("mine", system)
    placed = {wager: Money(stake) for wager, stake in (stakes or {"dragon-big": UNIT}).items()}
    settled: dict[str, object] = {"seed": 7, **how}
    return session_plan(
        game(id),
        stakes=placed,
        bankroll=Money(units * sum(placed.values())),
        system_name="under test",
        system=chosen,
        sessions=sessions,
        **settled,  # type: ignore[arg-type]
    )


def played(plan: SessionPlan, workers: int | None = None) -> SessionFigures:
    found, stopped = carry_out(plan, workers)
    assert not stopped
    return found


def near(found: float, exact: float, error: float) -> bool:
    return abs(found - exact) < BEYOND_CHANCE * error


# ------------------------------------------------ gambler's ruin


@pytest.mark.parametrize(("start", "target"), [(5, 10), (10, 15), (3, 20)])
def test_gambler_s_ruin(start: int, target: int) -> None:
    """Dragon Big wins one for one with six ranks of thirteen: the textbook's walk between two barriers."""
    up, down = Fraction(6, 13), Fraction(7, 13)
    ratio = down / up
    ruin = (ratio**start - ratio**target) / (1 - ratio**target)
    lasts = start / (down - up) - target / (down - up) * (1 - ratio**start) / (1 - ratio**target)
    found = played(planned(units=start, stop_win=Money((target - start) * UNIT)))
    assert near(found.ruin, float(ruin), sqrt(float(ruin * (1 - ruin)) / found.sessions))
    assert near(found.rounds.mean, float(lasts), found.rounds.standard_error)
    assert set(found.ends) == {End.RUINED, End.STOPPED_AHEAD}
    assert found.results.values.tolist() == [-start * UNIT, (target - start) * UNIT]


def test_a_stop_loss_is_ruin_with_money_left() -> None:
    ruined = played(planned(units=5, stop_win=Money(5 * UNIT)))
    stopped = played(planned(units=50, stop_win=Money(5 * UNIT), stop_loss=Money(5 * UNIT)))
    assert ruined.tally.ended[End.RUINED] == stopped.tally.ended[End.STOPPED_BEHIND] > 0
    assert stopped.ruin == 0
    assert [*ruined.results] == [*stopped.results]


# ------------------------------------------------ whole distributions


def multiples(system: str, past: Sequence[int]) -> int:
    """What each system stakes next, told by the signs of the rounds before; written once more, in other words."""
    decided = [sign for sign in past if sign]
    lost = next((place for place, sign in enumerate(reversed(decided)) if sign > 0), len(decided))
    won = next((place for place, sign in enumerate(reversed(decided)) if sign < 0), len(decided))
    if system == "martingale":
        return int(2**lost)
    if system == "paroli":
        return int(2 ** (won % 3))
    return (1, 3, 2, 6)[won % 4] if system == "1-3-2-6" else 1


def exactly(plan: SessionPlan, system: str, most: int) -> tuple[dict[int, Fraction], Fraction]:
    """The results of a session and the risk of ruin, over every course that it can take."""
    (wager,) = plan.stakes
    deals = counted(plan.game.procedure, 52 * plan.decks)
    results: dict[int, Fraction] = defaultdict(Fraction)
    ruin = Fraction(0)
    courses: dict[tuple[tuple[int, ...], int], Fraction] = {((), plan.bankroll): Fraction(1)}
    for number in range(plan.rounds):
        longer: dict[tuple[tuple[int, ...], int], Fraction] = defaultdict(Fraction)
        for (past, bank), chance in courses.items():
            stake = min(plan.stakes[wager] * multiples(system, past), most)
            if stake > bank:
                ruin += chance
                results[bank - plan.bankroll] += chance
                continue
            for net, likely in together(plan.game, deals, {wager: Money(stake)}).nets.items():
                after = bank + net
                over = number + 1 == plan.rounds or after == 0
                if over:
                    ruin += chance * likely if after == 0 else 0
                    results[after - plan.bankroll] += chance * likely
                else:
                    longer[(*past, (net > 0) - (net < 0)), after] += chance * likely
        courses = longer
    return dict(results), ruin


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_whole_distribution_of_a_short_session(system: str) -> None:
    """Dragon wins, loses, or loses a half: five rounds, with a limit that cuts the fourth doubling, and ruin on the way."""
    most = Money(60_00)
    plan = planned(
        stakes={"dragon": UNIT}, units=9, system=system, rounds=5, limits=TableLimits(UNIT, most), sessions=40_000
    )
    exact, ruin = exactly(plan, system, most)
    found = played(plan)
    shares = dict(found.results)
    assert sum(exact.values()) == 1
    assert shares.keys() <= exact.keys()
    for result, chance in exact.items():
        error = sqrt(float(chance * (1 - chance)) / found.sessions)
        assert near(shares.get(result, 0) / found.sessions, float(chance), error), (system, result)
    assert near(found.ruin, float(ruin), sqrt(float(ruin * (1 - ruin)) / found.sessions) + 1e-12)
    assert (ruin > 0) == (system == "martingale") or found.ruin == 0


# ------------------------------------------------ what the bets are worth


def some_stakes(rules: Game) -> dict[str, int]:
    """On the first wager, and on another that may lie beside it."""
    first, *others = rules.offered(None).values()
    beside = next(each for each in others if first.id not in each.excludes and each.id not in first.excludes)
    return {first.id: 7_77, beside.id: 1_23}


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("id", list(built_in()))
def test_no_system_changes_what_a_bet_is_worth(id: str, system: str) -> None:
    """Whatever a system does and whenever it gets up, the result is the edge on what it staked, but for chance."""
    plan = planned(id, some_stakes(game(id)), 60, system, 4000, rounds=120, stop_win=Money(150_00))
    found = played(plan)
    assert abs(found.z) < BEYOND_CHANCE
    assert found.staked >= found.rounds.total * sum(plan.stakes.values())
    if system == "flat":
        worth = together(plan.game, counted(plan.game.procedure, 52 * plan.decks), plan.stakes).expected
        assert found.expected == pytest.approx(float(worth) * found.rounds.mean)


def test_z_has_the_spread_of_chance() -> None:
    """Over many seeds its square is 1 on average; martingale is where a wrong variance would show."""
    squares = [
        played(planned(system="martingale", units=40, rounds=60, sessions=400, seed=seed)).z ** 2 for seed in range(150)
    ]
    assert 1 - BEYOND_CHANCE * sqrt(2 / 150) < sum(squares) / 150 < 1 + BEYOND_CHANCE * sqrt(2 / 150)


@pytest.mark.parametrize("id", list(built_in()))
def test_stakes_are_settled_as_a_table_settles_them(id: str) -> None:
    rules = game(id)
    deals = counted(rules.procedure, 52 * rules.decks.default)
    limits = {wager: rules.wagers[wager].limit.max or 10**9 for wager in rules.wagers}
    for factor in (1, 3, 20_000):  # odd cents that are rounded; money that a cap cuts
        laid = {wager: Money(min(stake * factor, limits[wager])) for wager, stake in some_stakes(rules).items()}
        bet = stakes.Book(rules, rules.decks.default).bet_of(laid)
        for ending in [*deals.of][:: max(1, len(deals.of) // 500)]:
            assert bet.nets[bet.kinds.of[ending]] == settle(rules, ending, laid).net
    exact = together(rules, deals, laid)
    assert (bet.expected, bet.variance) == (exact.expected, exact.variance)


# ------------------------------------------------ cards


@pytest.mark.parametrize("id", ["dragon-tiger", "immortal-dragon-tiger", "dragon-21"])
def test_the_rounds_of_a_session_are_dealt_as_a_simulation_deals_them(id: str) -> None:
    rules = game(id)
    laid = some_stakes(rules)
    dealer = _General(rules.procedure)
    fresh = Counter(islice(play._endings(planned(id, laid), 5), 700))
    assert fresh == counted_in(dealer.fresh(7, 5, 700, 8)[0])
    how = ByShoe(cut=80, burn=7, after=2)
    tally = dealer.shoes(7, 5, 3, 8, how)[0]
    rounds = int(tally.sum())
    assert Counter(islice(play._endings(planned(id, laid, by_shoe=how), 5), rounds)) == counted_in(tally)


def counted_in(tally: np.typing.NDArray[np.uint64]) -> Counter[int]:
    return Counter({int(ending): int(tally[ending]) for ending in np.flatnonzero(tally)})


def test_the_same_on_any_number_of_threads_and_in_blocks_of_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = planned(system="1-3-2-6", rounds=80, sessions=9001, by_shoe=ByShoe(cut=30))
    one, many = played(plan, 1), played(plan, 5)
    monkeypatch.setattr(play, "SESSIONS_PER_BLOCK", 100)
    small = played(plan, 3)
    for other in (many, small):
        assert said(other) == said(one)
    assert said(played(planned(system="1-3-2-6", rounds=80, sessions=9001, seed=8))) != said(one)


def said(found: SessionFigures) -> object:
    tally = found.tally
    placed = Counter[tuple[tuple[str, Money], ...]]()
    for bet, number in tally.placed.items():
        placed[tuple(sorted(bet.stakes.items()))] += number
    spread = [[*each] for each in (tally.results, tally.rounds, tally.drawdowns)]
    return spread, tally.ended, placed, found.z, found.expected


# ------------------------------------------------ systems of one's own


def in_python(system: str) -> Asked:
    def ask(history: Sequence[Played], _bankroll: int, _stakes: Mapping[str, int]) -> Wish:
        return multiples(system, [(each.net > 0) - (each.net < 0) for each in history])

    return ask


@pytest.mark.parametrize(
    ("id", "laid"),
    [("dragon-tiger", {"dragon": 10_00, "tie": 15_00}), ("dragon-bonus", {"player": 25_00})],
    ids=["two wagers", "one that can push"],
)
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_system_in_python_plays_the_same_rounds(system: str, id: str, laid: dict[str, int]) -> None:
    """One's own martingale is the compiled one, session by session: cards, limits, ruin, stops, drawdowns."""

    def plan(asked: str | Asked) -> SessionPlan:
        return planned(
            id,
            laid,
            units=12,
            system=asked,
            sessions=300,
            rounds=40,
            stop_win=Money(150_00),
            stop_loss=Money(250_00),
            limits=TableLimits(UNIT, Money(75_00)),
            by_shoe=ByShoe(cut=380),
        )

    compiled = played(plan(system))
    assert said(played(plan(in_python(system)))) == said(compiled)
    assert len(compiled.ends) >= (2 if system == "martingale" else 3)


def test_a_system_sees_its_history_and_may_sit_out_or_leave() -> None:
    banks: list[list[int]] = []

    def timid(history: Sequence[Played], bankroll: int, stakes: Mapping[str, int]) -> Wish:
        if not history:
            banks.append([bankroll])
        else:
            banks[-1].append(bankroll)
            assert bankroll == banks[-1][-2] + history[-1].net
        if len(history) % 3 == 2:
            return 0
        return None if len(history) == 30 else {"tiger": stakes["dragon-big"] * 2}

    found = played(planned(system=timid, units=100, rounds=50, sessions=20))
    assert found.ends == {End.LEFT: 1}
    assert found.staked == 20 * 20 * 2 * UNIT
    deepest = [max(high - low for place, high in enumerate(run) for low in run[place:]) for run in banks]
    assert [*found.drawdowns] == [*Distribution(np.array(deepest))]
    assert [*found.results] == [*Distribution(np.array([run[-1] - run[0] for run in banks]))]


def test_the_limits_of_table_and_document_hold_for_a_system() -> None:
    seen: set[int] = set()

    def wild(history: Sequence[Played], _bankroll: int, _stakes: Mapping[str, int]) -> Wish:
        seen.update(each.stakes["dragon"] for each in history[-1:])
        return {"dragon": 1 if len(history) % 2 else 10**9}

    played(
        planned(
            stakes={"dragon": UNIT}, units=50, system=wild, rounds=5, sessions=3, limits=TableLimits(UNIT, Money(30_00))
        )
    )
    assert seen == {10_00, 30_00}


WRONG: dict[str, tuple[Callable[[], object], str]] = {
    "a fraction": (lambda: 1.5, r"mine returned 1.5 in round 1 of session 0: expected amounts by wager"),
    "a truth value": (lambda: True, r"mine returned True in round 1"),
    "less than nothing": (lambda: -1, r"mine returned -1 in round 1"),
    "a fraction of an amount": (lambda: {"dragon": 2.5}, r"mine returned \{'dragon': 2.5\}"),
    "a wager without a name": (lambda: {3: 5}, r"mine returned \{3: 5\}"),
    "a wager that is none": (lambda: {"dragn": 5}, r"mine staked dragn=0.05 in round 1 of session 0: .*\bdragn\b"),
    "something that fails": (lambda: 1 // 0, r"mine failed in round 1 of session 0: ZeroDivisionError"),
}  # fmt: skip


@pytest.mark.parametrize(("answer", "says"), WRONG.values(), ids=list(WRONG))
def test_a_system_that_makes_no_sense(answer: Callable[[], object], says: str) -> None:
    def nonsense(_history: Sequence[Played], _bankroll: int, _stakes: Mapping[str, int]) -> Wish:
        return answer()  # type: ignore[return-value]

    with pytest.raises(SystemFault, match=says):
        played(planned(system=nonsense, sessions=3, rounds=3))


# ------------------------------------------------ plans, pictures, the interface


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({"rounds": 0}, "0 rounds: expected"),
        ({"rounds": 10**7}, "10000000 rounds: expected"),
        ({"sessions": 0}, "0 sessions: expected"),
        ({"units": 0}, "a bankroll of 0.00: expected"),
        ({"stop_win": Money(0)}, "a stop-win of 0.00: expected"),
        ({"stop_win": Money(10**13)}, "a stop-win of 100000000000.00: expected at most"),
        ({"stop_loss": Money(100_00)}, "a stop-loss of 100.00 with a bankroll of 100.00: name less"),
        ({"limits": TableLimits(Money(20_00), Money(10_00))}, "the least comes first"),
        ({"limits": TableLimits(Money(20_00), Money(30_00))}, "10.00 on dragon-big: the table takes from 20.00 to 30.00"),
        ({"seed": -1}, "a seed of -1"),
        ({"decks": 99}, "99 decks"),
        ({"by_shoe": ByShoe(cut=1)}, "at least 4 must be there"),
    ],
)  # fmt: skip
def test_what_cannot_be_played_is_refused(how: dict[str, object], says: str) -> None:
    with pytest.raises(PlanError, match=says):
        planned(**how)  # type: ignore[arg-type]


def test_stakes_that_the_bankroll_does_not_cover() -> None:
    flat = SYSTEMS["flat"]
    with pytest.raises(PlanError, match=r"stakes of 10\.00 with a bankroll of 9\.99: not even one round"):
        session_plan(
            game(), stakes={"tie": UNIT}, bankroll=Money(9_99), system_name="flat", system=flat, sessions=1, seed=1
        )


def test_the_course_of_a_bankroll_is_that_of_the_sessions() -> None:
    plan = planned(system="paroli", units=20, rounds=60, sessions=500)
    found = played(plan)
    walked = play.paths(plan, 500, np.array([1, 7, 60], np.int64))
    assert [*Distribution(walked[:, -1] - plan.bankroll)] == [*found.results]
    assert set((walked[:, 0] - plan.bankroll).tolist()) == {-UNIT, UNIT}


@pytest.mark.parametrize("system", ["flat", in_python("martingale")], ids=["compiled", "in Python"])
def test_a_picture_is_sound(system: str | Asked) -> None:
    found = played(planned(system=system, units=8, rounds=30, sessions=200))
    drawn = ElementTree.fromstring(picture(found))
    tags = Counter(each.tag.rpartition("}")[2] for each in drawn.iter())
    shown = [bar for bar in found.bars.bars if bar.sessions]
    assert tags["rect"] == len(shown)
    assert sum(bar.sessions for bar in shown) == found.sessions
    assert (tags["polygon"], tags["polyline"]) == (2, 1)
    assert grid_of(found)[-1] <= 30


def test_percentiles_count_sessions() -> None:
    found = Distribution(np.array([*range(1, 101)]))
    assert [found.percentile(percent) for percent in (0, 1, 5, 55, 99, 99.9, 100)] == [1, 1, 5, 55, 99, 100, 100]
    assert (found.mean, found.share(low=91), found.share(high=10), found.share(10, 10)) == (50.5, 0.1, 0.1, 0.01)


def test_from_python() -> None:
    rules = longhu.game("dragon-tiger")
    found = rules.session(
        {"dragon_big": "10.00"}, "100.00", stop_win="50.00", seed=3, sessions=300, limits=("5.00", "100.00")
    )
    again = rules.session(
        {"dragon-big": "10.00"}, "100.00", stop_win="50.00", system=lambda *_: 1, seed=3, sessions=300
    )
    assert found.ruin == again.ruin > 0
    assert "risk of ruin" in str(found)
    assert "<svg" in found._repr_html_()


def test_the_system_of_the_document_can_be_played() -> None:
    text = (Path(__file__).parents[2] / "docs/simulate.md").read_text()
    (block,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    names: dict[str, Any] = {}
    exec(block, names)
    found = played(planned(system=names["cautious"], units=30, rounds=60, sessions=40))
    assert found.ends.keys() == {End.PLAYED_ALL, End.LEFT}
    assert {bet.staked for bet in found.tally.placed} == {UNIT, UNIT // 2}


def test_a_system_that_empties_its_history_plays_no_longer() -> None:
    def forgetful(history: Sequence[Played], _bankroll: int, _stakes: Mapping[str, int]) -> int:
        assert isinstance(history, list)
        history.clear()
        return 1

    found = longhu.game("dragon-tiger").session(
        {"dragon": "1.00"}, "1000.00", rounds=20, system=forgetful, sessions=3, seed=1
    )
    assert found.rounds.percentile(0) == found.rounds.percentile(100) == 20
