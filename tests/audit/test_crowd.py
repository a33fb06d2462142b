"""A busy table in a long file: compiled code knows wagers one by one, and gives the same verdict as the rules, whatever a forger alters."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import longhu
from longhu.audit import proof, verify
from longhu.audit.findings import Wrong
from longhu.audit.kernels import crowd as kernel
from longhu.audit.shortcut import crowd, medley
from longhu.audit.shortcut.crowd import CHIPS_MAX, Chips, Crowd, CrowdLeap
from longhu.audit.shortcut.medley import Medley
from longhu.audit.verify import Verifier
from longhu.money import show
from longhu.table import checkpoint
from longhu.table.betting import CapArea, PlaceWager
from longhu.table.nominees import AnnounceNominee, ApproveNominee, NameNominee
from longhu.table.people import GrantMaximum
from longhu.table.priority import next_holder
from longhu.table.state import Phase, Round, Table, replace
from tests.audit.evening import Told
from tests.audit.forging import FORGERIES, kind_of, mended, parsed, written
from tests.audit.late import Late, rounds_of
from tests.audit.test_medley import BUSY, OTHERS
from tests.audit.test_mutations import LISTED
from tests.audit.test_shortcut import HIDDEN, evening

OPEN = LISTED | {("card-drawn/1", "salt")}  # what the rules leave open
MENDED = ("sequence", "previous")  # which a forger writes anew
Lines = tuple[bytes, ...]


@pytest.fixture(autouse=True)
def _long_and_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file is a long one, and every table a busy one."""
    monkeypatch.setattr(verify, "LONG", 0)
    monkeypatch.setattr(verify, "LEAST", 1)
    monkeypatch.setattr(medley, "BUSY", 1)


@pytest.fixture
def leapt(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many lines were taken at once, each time, with their wagers known one by one."""
    counted: list[int] = []
    over = CrowdLeap.over

    def watched(self: CrowdLeap, sheet: object, line: int) -> tuple[int, int]:
        known, stopped = over(self, sheet, line)  # type: ignore[arg-type]
        counted.append(known - line)
        return known, stopped

    monkeypatch.setattr(CrowdLeap, "over", watched)
    return counted


def knowing(lines: Sequence[bytes]) -> Verifier:
    """A verifier that has read nothing yet, and remembers all that can be learned of these lines."""
    verifier = Verifier()
    for _ in range(4):
        other, verifier = verifier, Verifier()
        other.lines(lines)
        verifier._memories = other._memories
        for memory in verifier._memories.values():
            memory.stride = None  # so that all of it is in the next atlas
    return verifier


def of_late(lines: Sequence[bytes], first: int, last: int) -> Late:
    """Some rounds towards the end of an evening, all of which is known; with the one before, many are taken at once from there on."""
    rounds = rounds_of(lines)
    start, end = rounds[first - 1][0], rounds[last][1] + 1
    quick = knowing(lines[:end])
    quick.lines(lines[:start])
    return Late(lines, start, end, quick, rounds[first][0])


@cache
def two_rounds() -> Late:
    return of_late(evening(HIDDEN, 40, others=OTHERS), -4, -3)


@pytest.mark.parametrize("id", BUSY)
def test_all_ways_check_the_same_at_a_busy_table(id: str, leapt: list[int]) -> None:
    lines = evening(id, 60, others=OTHERS)
    checked = verify.verify(lines)
    assert checked == verify.verify(lines, shortcuts=False)
    verifier = knowing(lines)
    leapt.clear()
    verifier.lines(lines)
    assert verifier.finish() == checked
    assert sum(leapt) > len(lines) / 2, "hardly any line was taken with others"


def test_the_table_stands_as_its_events_have_made_it(leapt: list[int]) -> None:
    lines = evening("dragon-21", 60, others=OTHERS)
    verifier = knowing(lines)
    leapt.clear()
    verifier.lines(lines)
    verifier._leave_the_walk()
    assert sum(leapt) > len(lines) / 2
    assert verifier._table == proof.replayed(lines)


@pytest.mark.clause("LOG-2")
@pytest.mark.parametrize("id", BUSY)
def test_whatever_is_altered_at_a_busy_table_is_judged_by_the_rules(id: str, leapt: list[int]) -> None:
    late = of_late(evening(id, 40, others=OTHERS), -8, -3)
    leapt.clear()
    assert late.verdict(late.lines[late.start :]) == ""
    assert sum(leapt) == late.end - late.first, "not all of it was taken at once"
    assert late.at_random(random.Random(id), FORGERIES) > FORGERIES / 2


@pytest.mark.clause("LOG-2")
def test_every_field_of_every_record_of_a_busy_round_altered_is_caught(leapt: list[int]) -> None:
    """The table of mutations, with the chain mended behind each; what the rules leave open is listed there."""
    late = two_rounds()
    leapt.clear()
    assert late.verdict(late.lines[late.start :]) == ""
    assert sum(leapt) == late.end - late.first
    places, passed = dict[tuple[object, ...], int](), list[tuple[str, str]]()
    for place in range(late.end - 1, late.first - 1, -1):
        record = parsed(late.lines[place])
        event = record["event"]
        sort = event.get("result"), event.get("card", {}).get("public"), event.get("net", 0) > 0, event.get("hand")
        places[(event["event"], *sort)] = place
    assert {kind for kind, *_ in places} >= {"wager-placed/1", "wager-settled/1", "hand-passed/1", "round-ended/1"}
    for place in places.values():
        for mutation in late.mutations(place):
            if not late.forged(place, mutation) and mutation.field not in MENDED:
                passed.append((mutation.kind, mutation.field))
    assert set(passed) <= OPEN


# ------------------------------------------------ forged with care


def altered(late: Late, old: bytes, new: bytes, *, where: bytes = b"") -> list[bytes]:
    """The lines with something told otherwise wherever it is told."""
    return [line.replace(old, new) if where in line else line for line in late.lines[late.start :]]


def a_stake(late: Late) -> tuple[bytes, bytes, int]:
    """A wager of the first round to forge: what its lines say of it before and behind the amount, and the amount."""
    line = late.lines[late.first + 1]
    found = re.search(rb'("stake":\{.*?"amount":)(\d+)(,"since":\d+)', line)
    assert found is not None
    return found[1], found[3], int(found[2])


def test_a_wager_beyond_its_limits_is_seen_wherever_it_is_told() -> None:
    late = two_rounds()
    before, behind, amount = a_stake(late)
    for much, says in ((499, "under the minimum"), (100_001, "over the maximum"), (10**17, "over the maximum")):
        forged = altered(late, before + b"%d" % amount + behind, before + b"%d" % much + behind)
        placed = late.first + 1 - late.start
        forged[placed] = forged[placed].replace(b'"added":%d' % amount, b'"added":%d' % much)
        assert says in late.verdict(forged)


def test_a_wager_of_another_amount_is_judged_by_the_rules() -> None:
    """Within the limits it could have been so; the settlement says otherwise."""
    late = two_rounds()
    before, behind, amount = a_stake(late)
    for much in (amount + 100, 100_000, 777):
        forged = altered(late, before + b"%d" % amount + behind, before + b"%d" % much + behind)
        placed = late.first + 1 - late.start
        forged[placed] = forged[placed].replace(b'"added":%d' % amount, b'"added":%d' % much)
        assert re.search("wager-settled|hand-passed", late.verdict(forged))
    assert late.verdict(altered(late, b'"added":%d' % amount, b'"added":%d' % (amount + 1))) != ""


@pytest.mark.parametrize("written_so", [b"01500", b"1500.0", b"1.5e3", b"+1500", b"", b"-1500", b'"1500"', b"1500 "])
def test_an_amount_is_written_in_one_way(written_so: bytes) -> None:
    late = two_rounds()
    before, _, amount = a_stake(late)
    assert late.verdict(altered(late, before + b"%d" % amount, before + written_so)) != ""


def test_a_wager_laid_twice_is_seen() -> None:
    late = two_rounds()
    for place in range(late.first, late.end):
        if b'"wager-placed/1"' in late.lines[place]:
            assert late.verdict([*late.lines[late.start : place + 1], *late.lines[place:]]) != ""


def test_a_hand_given_to_somebody_else_is_seen_wherever_that_is_told() -> None:
    late = two_rounds()
    lines = late.lines[late.start :]
    passed = next(line for line in late.lines[late.first :] if b'"hand-passed/1"' in line)
    holder = parsed(passed)["event"]["to"]
    for other in (f"seat {number}" for number in range(1, OTHERS + 2)):
        forged = [
            line.replace(f'"{holder}"'.encode(), f'"{other}"'.encode())
            if b'"hand-passed/1"' in line or b'"cards-revealed/1"' in line or b'"card-drawn/1"' in line
            else line
            for line in lines
        ]
        assert bool(late.verdict(forged)) is (other != holder)


def test_payments_before_collections_are_seen() -> None:
    late = two_rounds()
    lines = late.lines[late.start :]
    settled = [place for place, line in enumerate(lines) if b'"wager-settled/1"' in line]
    swapped = 0
    for one, other in pairwise(settled):
        if other == one + 1 and (parsed(lines[one])["event"]["net"] < 0) != (parsed(lines[other])["event"]["net"] < 0):
            forged = [*lines]
            forged[one], forged[other] = lines[other], lines[one]
            assert late.verdict(forged) != ""
            swapped += 1
    assert swapped


def test_a_stake_that_nobody_has_is_seen() -> None:
    """Each wager is within its limits; only that there are no chips left tells it."""
    told = table_of(HIDDEN, ROUNDS)
    late = of_late(told, -4, -3)
    lines = late.lines[late.start :]
    for each in (late.quick, late.slow):
        each._balances["patron:dan"] = 2000
        each._table = replace(each._table, balances=each._balances)
    assert "chips" in late.verdict(lines)


# ------------------------------------------------ tables that are not everybody's


ROUNDS = 20
FRIENDS = {"ann": 1, "bob": 2, "cay": 3, "dan": 4}


def play(told: Told, rounds: int, **most: int) -> Lines:
    """Friends who wager as they like, up to so much."""
    chance, mains = random.Random(rounds), [id for id, wager in told.game.wagers.items() if wager.hand]
    sides = [id for id in told.settings.limits if id not in mains and not told.game.wagers[id].requires]
    for number in range(rounds):
        if number and number % 8 == 0:
            told.another_shoe()
        bets = {}
        for patron in FRIENDS:
            tops = [500, 700, 2500, 10_000, most.get(patron, 20_000)]
            wagers = [chance.choice(mains), *chance.sample(sides, min(len(sides), chance.choice((0, 0, 1, 2))))]
            bets[patron] = {wager: show(chance.choice(tops)) for wager in wagers}
        told.round(**bets)
    told.record_state()
    return tuple(told.trail.proof())


def granted(told: Told) -> None:
    """Ann may stake more than others."""
    told.does(GrantMaximum, "pam", person="ann", most=150_000)


def capped(told: Told) -> None:
    """Three patrons, or chips, at most at each position."""
    for place in range(1, 5):
        told.does(CapArea, "pam", place=place, most=3)


def represented(told: Told) -> None:
    """Dan has a nominee who may wager for him."""
    told.does(NameNominee, "dan", person="cay", may_wager=True, may_handle=False)
    told.does(ApproveNominee, "sue", patron="dan")
    told.does(AnnounceNominee, "sue", patron="dan")


def nothing(_told: Told) -> None:
    """A table as it opens."""


@cache
def table_of(
    id: str,
    rounds: int,
    before: Callable[[Told], None] = nothing,
    readings: tuple[tuple[str, str], ...] = (),
    settings: tuple[tuple[str, str], ...] = (),
) -> Lines:
    told = Told(longhu.game(id, **dict(readings)).definition, people=FRIENDS, **dict[str, Any](settings))
    before(told)
    return play(told, rounds, **({"ann": 150_000} if before is granted else {}))


@pytest.mark.parametrize(
    ("id", "before", "readings", "settings", "leaps"),
    [
        (HIDDEN, nothing, (), (), True),
        (HIDDEN, granted, (), (), True),
        (HIDDEN, capped, (), (), True),
        (HIDDEN, capped, (("area_count", "chips"),), (), True),
        (HIDDEN, nothing, (("limit_scope", "area"),), (), False),
        (HIDDEN, nothing, (("squeeze_measure", "single-wager"),), (), True),
        ("dragon-21", represented, (), (), True),
        ("dragon-21", nothing, (), (("area_cap", "all"),), False),
    ],
)
def test_limits_of_all_sorts_are_checked_the_same_way(
    id: str,
    before: Callable[[Told], None],
    readings: tuple[tuple[str, str], ...],
    settings: tuple[tuple[str, str], ...],
    leaps: bool,
    leapt: list[int],
) -> None:
    """Where a limit is set on what several wagers come to, nothing is known one by one."""
    lines = table_of(id, ROUNDS, before, readings, settings)
    checked = verify.verify(lines, shortcuts=False)
    assert verify.verify(lines) == checked
    late = of_late(lines, -4, -2)
    leapt.clear()
    assert late.verdict(late.lines[late.start :]) == ""
    assert (sum(leapt) > 0) is leaps
    late.at_random(random.Random(id), FORGERIES)


@pytest.mark.parametrize(
    ("before", "patron", "amount", "place", "says"),
    [
        (granted, "ann", 150_100, 1, "over the maximum"),
        (granted, "bob", 100_100, 2, "over the maximum"),
        (capped, "cay", 700, 1, ""),
        (nothing, "cay", 700, 1, ""),
    ],
)
def test_a_wager_forged_against_such_limits_is_judged_by_the_rules(
    before: Callable[[Told], None], patron: str, amount: int, place: int, says: str
) -> None:
    """The first wager of a patron in a round, with another amount or at another's position."""
    late = of_late(table_of(HIDDEN, ROUNDS, before), -4, -2)
    lines, second = late.lines[late.start :], late.first - late.start
    number = next(
        number for number, line in enumerate(lines) if number > second and kind_of(line) == "wager-placed/1" and parsed(line)["event"]["by"] == patron
    )  # fmt: skip
    record = parsed(lines[number])
    record["event"]["stake"] |= {"amount": amount, "place": place}
    record["event"]["added"] = amount
    verdict = late.verdict([*lines[:number], written(record), *lines[number + 1 :]])
    assert says in verdict
    assert verdict


def test_a_shared_position_goes_the_slower_way(leapt: list[int]) -> None:
    told = Told(longhu.game(HIDDEN).definition, people=FRIENDS)
    for number in range(12):
        told.open_betting()
        told.does(PlaceWager, "ann", place=1, wager="player", amount=500 + 100 * number)
        told.does(PlaceWager, "bob", place=1, wager="banker", amount=700)
        told.does(PlaceWager, "cay", place=3, wager="player", amount=900)
        told.does(PlaceWager, "cay", place=4, wager="player", amount=900)
        told.finish()
    lines = told.trail.proof()
    verifier = knowing(lines)
    leapt.clear()
    verifier.lines(lines)
    assert verifier.finish() == verify.verify(lines, shortcuts=False)
    assert sum(leapt) == 0


@pytest.mark.clause("LOG-2")
@pytest.mark.parametrize("number", [1 << 63, 10**30, -(10**30)])
def test_numbers_that_no_table_can_have_are_judged_by_the_rules(number: int, leapt: list[int]) -> None:
    """A part starts from a state that anybody can write; compiled code has a bound for its numbers."""
    told = Told("dragon-21", people=FRIENDS)
    play(told, 2)
    stood, before = told.table, len(told.trail.lines) - 1
    settings = stood.settings
    assert settings is not None
    play(told, ROUNDS)
    limits = {id: replace(limit, **({"max": number} if number > 0 else {"min": number})) for id, limit in settings.limits.items()}  # fmt: skip
    people = {id: replace(person, personal_max=number) for id, person in stood.people.items()}
    for state in (
        replace(stood, settings=replace(settings, limits=limits)),
        replace(stood, settings=replace(settings, burn=number)),
        replace(stood, people=people),
    ):
        lines = part_from(state, told, before)
        leapt.clear()
        found = [first_wrong_of(lines, shortcuts=shortcuts) for shortcuts in (True, False)]
        assert found[0] == found[1]
        assert leapt, "compiled code was never asked"


def part_from(state: Table, told: Told, before: int) -> list[bytes]:
    """A part of a trail that starts from a state of somebody's own making, in the place of the one on record."""
    record = parsed(told.trail.lines[before])
    assert record["event"]["event"] == "state-recorded/1"
    record["event"]["digest"] = checkpoint.digest(state)
    files = proof.game_files(told.trail.games.values())
    opening = proof.opening_line("T1", f"shoe {told.table.shoes}", files, program="test", key="")
    return mended(
        [
            opening,
            proof.standing_line(state),
            written(record),
            *told.trail.lines[before + 1 :],
            proof.closing_line(0, ""),
        ]
    )


def first_wrong_of(lines: list[bytes], *, shortcuts: bool) -> str:
    try:
        verify.verify(lines, shortcuts=shortcuts)
    except Wrong as wrong:
        return str(wrong)
    return ""


# ------------------------------------------------ what the kernel reckons


@cache
def known_crowd() -> tuple[Crowd, Table]:
    """What is known after an evening, as the kernel has it."""
    from longhu.audit.shortcut.atlas import Deck

    verifier = knowing(evening(HIDDEN, 40, others=OTHERS))
    memory = next(iter(verifier._memories.values()))
    place = memory._places[0]
    assert place.medley is not None
    return Crowd(memory, place, Deck(memory)), place.medley.table


@given(st.data())
def test_a_hand_goes_to_whom_the_table_would_give_it(data: st.DataObject) -> None:
    atlas, table = known_crowd()
    crowd, backed = atlas.crowd, [backing for _, backing in atlas.backed]
    amounts = np.array([500, 1000, 1500, 3000], np.int64)
    which = data.draw(st.lists(st.integers(0, len(backed) - 1), unique=True, max_size=12))
    rows = [[each, data.draw(st.integers(0, 3)), data.draw(st.integers(1, 4))] for each in which]
    stakes = {
        backed[each].stake.key: replace(backed[each].stake, amount=int(amounts[chip]), since=since)
        for each, chip, since in rows
    }
    shown = replace(table, round=Round(1, Phase.DEALING, "", 0, stakes=stakes))
    lying = np.array(rows, np.int64).reshape(-1, kernel.LYING)
    for hand in (0, 1):
        found = kernel.holder(crowd.backings, crowd.hand, crowd.handles, crowd.largest, amounts, lying, len(rows), hand)
        due = next_holder(shown, atlas.medley.game, hand, ())
        if isinstance(due, tuple):
            assert found == kernel.SOMEBODY
        else:
            assert (kernel.DEALER if due == "" else atlas._patrons[due]) == found


def test_nobody_is_taken_for_somebody_else_however_many_have_been_at_the_table() -> None:
    """A hand's holder is part of a number of the kernel: whoever has no place in it goes the slower way."""
    from longhu.audit.shortcut.atlas import Deck

    atlas, _ = known_crowd()
    cues: list[Any] = list(atlas.medley.drawn_at.forms)
    assert any(to for _, _, to in cues)
    many = Crowd(atlas._memory, atlas._memory._places[0], Deck(atlas._memory))
    for known, counts in ((kernel.PATRONS_MAX - 3, True), (kernel.PATRONS_MAX - 1, False), (3000, False)):
        many._patrons = {f"stranger {number}": number for number in range(known)}
        numbers = [many._turn(cue) for cue in cues]
        told = [number for number in numbers if number is not None]
        assert len(set(told)) == len(told)
        assert all(number is not None for (_, _, to), number in zip(cues, numbers, strict=True) if not to)
        assert any(number is not None for (_, _, to), number in zip(cues, numbers, strict=True) if to) is counts
        many.update()
        rows = many.crowd.deals
        assert (rows[rows[:, kernel.OPEN] > 0][:, kernel.HELD_BY : kernel.HELD_BY + 2] < kernel.PATRONS_MAX).all()


def test_what_amounts_come_to_is_asked_of_the_rules() -> None:
    game = longhu.game(HIDDEN).definition
    chips = Chips(Medley(table_with(game), game))
    for amount in (500, 501, 33_333, 100_000):
        assert chips.add(amount)
    table = chips.table
    lines = [line for wager in game.wagers.values() for line in wager.lines]
    for amount in (500, 501, 33_333, 100_000):
        chip = kernel.chip_of(table.slots, table.shift, table.amounts, amount)
        assert table.amounts[chip] == amount
        for number, line in enumerate(lines):
            net = table.nets[number, chip]
            assert abs(net - line.net * amount) < 1
    assert kernel.chip_of(table.slots, table.shift, table.amounts, 502) == kernel.NO_CHIP
    assert not chips.add(1 << 50)


def test_more_amounts_than_there_is_room_for_go_the_slower_way(
    leapt: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = evening(HIDDEN, 30, others=OTHERS)
    assert CHIPS_MAX > 100
    monkeypatch.setattr(crowd, "CHIPS_MAX", 2)
    verifier = knowing(lines)
    leapt.clear()
    verifier.lines(lines)
    assert verifier.finish() == verify.verify(lines, shortcuts=False)
    assert sum(leapt) < len(lines) / 4


def table_with(game: longhu.games.game.Game) -> Table:
    return Told(game).table
