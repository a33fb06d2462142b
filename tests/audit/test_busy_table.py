"""A busy table: many patrons wager as they like, under limits of all sorts, and whatever a forger alters is judged by the rules."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise, product
from typing import Any

import pytest

import longhu
from longhu.audit import proof
from longhu.audit.report import VerificationFailed
from longhu.audit.verify import verify
from longhu.games.registry import built_in, load_game
from longhu.messages.localization import english
from longhu.messages.message import Message
from longhu.money import show
from longhu.table import checkpoint
from longhu.table.betting import WAGER_ABOVE_MAXIMUM, WAGER_BELOW_MINIMUM, CapArea
from longhu.table.nominees import AnnounceNominee, ApproveNominee, NameNominee
from longhu.table.people import GrantMaximum
from longhu.table.state import Table, replace
from tests.audit.evening import Told
from tests.audit.forging import FORGERIES, kind_of, mended, parsed, written
from tests.audit.late import Late, evening
from tests.audit.test_mutations import LISTED

HIDDEN = "immortal-dragon-tiger"
OTHERS = 5
BUSY = tuple(
    id for id in built_in() if all(each.positions_max > 1 for each in load_game(built_in()[id]).layouts.values())
)
OPEN = LISTED | {("card-drawn/1", "salt")}  # what the rules leave open
MENDED = ("sequence", "previous")  # which a forger writes anew
Lines = Sequence[bytes]


@cache
def two_rounds() -> Late:
    return Late(evening(HIDDEN, 40, others=OTHERS), -4, -3)


@pytest.mark.clause("LOG-2")
@pytest.mark.parametrize("id", BUSY)
def test_most_of_what_is_altered_at_a_busy_table_is_caught(id: str) -> None:
    late = Late(evening(id, 40, others=OTHERS), -8, -3)
    assert late.verdict(late.rest) == ""
    assert late.at_random(random.Random(id), FORGERIES) > FORGERIES / 2


@pytest.mark.clause("LOG-2")
def test_every_field_of_every_record_of_a_busy_round_altered_is_caught() -> None:
    """The table of mutations, with the chain mended behind each; what the rules leave open is listed there."""
    late = two_rounds()
    assert late.verdict(late.rest) == ""
    places, passed = dict[tuple[object, ...], int](), list[tuple[str, str]]()
    for place in range(late.end - 1, late.start - 1, -1):
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


def altered(late: Late, old: bytes, new: bytes) -> list[bytes]:
    """The lines with something told otherwise wherever it is told."""
    return [line.replace(old, new) for line in late.rest]


def a_stake(late: Late) -> tuple[bytes, bytes, int]:
    """The first wager: what its lines say of it before and behind the amount, and the amount."""
    found = re.search(rb'("stake":\{.*?"amount":)(\d+)(,"since":\d+)', late.rest[1])
    assert found is not None
    return found[1], found[3], int(found[2])


def with_amount(late: Late, much: int) -> list[bytes]:
    """The first wager with another amount, wherever that is told."""
    before, behind, amount = a_stake(late)
    forged = altered(late, before + b"%d" % amount + behind, before + b"%d" % much + behind)
    forged[1] = forged[1].replace(b'"added":%d' % amount, b'"added":%d' % much)
    return forged


@pytest.mark.parametrize(
    ("much", "told"),
    [
        (499, WAGER_BELOW_MINIMUM(wager="player", amount=499, minimum=500)),
        (100_001, WAGER_ABOVE_MAXIMUM(wager="player", amount=100_001, maximum=100_000)),
        (10**17, WAGER_ABOVE_MAXIMUM(wager="player", amount=10**17, maximum=100_000)),
    ],
)
def test_a_wager_beyond_its_limits_is_seen_wherever_it_is_told(much: int, told: Message) -> None:
    assert english(told) in two_rounds().verdict(with_amount(two_rounds(), much))


def test_a_wager_of_another_amount_is_judged_by_the_rules() -> None:
    """Within the limits it could have been so; the settlement says otherwise."""
    late = two_rounds()
    _, _, amount = a_stake(late)
    for much in (amount + 100, 100_000, 777):
        assert re.search("wager-settled|hand-passed", late.verdict(with_amount(late, much)))
    assert late.verdict(altered(late, b'"added":%d' % amount, b'"added":%d' % (amount + 1))) != ""


@pytest.mark.parametrize("written_so", [b"01500", b"1500.0", b"1.5e3", b"+1500", b"", b"-1500", b'"1500"', b"1500 "])
def test_an_amount_is_written_in_one_way(written_so: bytes) -> None:
    late = two_rounds()
    before, _, amount = a_stake(late)
    assert late.verdict(altered(late, before + b"%d" % amount, before + written_so)) != ""


def test_a_wager_laid_twice_is_seen() -> None:
    late = two_rounds()
    for place in range(late.start, late.end):
        if b'"wager-placed/1"' in late.lines[place]:
            assert late.verdict([*late.lines[late.start : place + 1], *late.lines[place:]]) != ""


def test_a_hand_given_to_somebody_else_is_seen_wherever_that_is_told() -> None:
    late = two_rounds()
    passed = next(line for line in late.rest if b'"hand-passed/1"' in line)
    holder = parsed(passed)["event"]["to"]
    for other in (f"seat {number}" for number in range(1, OTHERS + 2)):
        forged = [
            line.replace(f'"{holder}"'.encode(), f'"{other}"'.encode())
            if b'"hand-passed/1"' in line or b'"cards-revealed/1"' in line or b'"card-drawn/1"' in line
            else line
            for line in late.rest
        ]
        assert bool(late.verdict(forged)) is (other != holder)


def test_payments_before_collections_are_seen() -> None:
    late = two_rounds()
    lines = late.rest
    settled = [place for place, line in enumerate(lines) if b'"wager-settled/1"' in line]
    swapped = 0
    for one, other in pairwise(settled):
        if other == one + 1 and (parsed(lines[one])["event"]["net"] < 0) != (parsed(lines[other])["event"]["net"] < 0):
            forged = [*lines]
            forged[one], forged[other] = lines[other], lines[one]
            assert late.verdict(forged) != ""
            swapped += 1
    assert swapped


# ------------------------------------------------ tables with limits of their own


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
    told.does(GrantMaximum, "pam", person="ann", wagers=tuple(told.settings.limits), most=150_000)


def capped(told: Told) -> None:
    """Three patrons, or chips, at most on each area."""
    for place, wager in product(range(1, 5), told.settings.limits):
        told.does(CapArea, "pam", place=place, wager=wager, most=3)


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
    ("id", "before", "readings", "settings"),
    [
        (HIDDEN, nothing, (), ()),
        (HIDDEN, granted, (), ()),
        (HIDDEN, capped, (), ()),
        (HIDDEN, capped, (("area_count", "chips"),), ()),
        (HIDDEN, nothing, (("limit_scope", "area"),), ()),
        (HIDDEN, nothing, (("squeeze_measure", "single-wager"),), ()),
        ("dragon-21", represented, (), ()),
        ("dragon-21", nothing, (), (("area_cap", "all"),)),
    ],
)
def test_evenings_under_limits_of_all_sorts_hold_and_forgeries_do_not(
    id: str,
    before: Callable[[Told], None],
    readings: tuple[tuple[str, str], ...],
    settings: tuple[tuple[str, str], ...],
) -> None:
    lines = table_of(id, ROUNDS, before, readings, settings)
    assert verify(lines).rounds == ROUNDS
    late = Late(lines, -4, -2)
    assert late.verdict(late.rest) == ""
    assert late.at_random(random.Random(id), FORGERIES) > FORGERIES / 2


@pytest.mark.parametrize(
    ("before", "patron", "amount", "place", "maximum"),
    [
        (granted, "ann", 150_100, 1, 150_000),
        (granted, "bob", 100_100, 2, 100_000),
        (capped, "cay", 700, 1, 0),
        (nothing, "cay", 700, 1, 0),
    ],
)
def test_a_wager_forged_against_such_limits_is_judged_by_the_rules(
    before: Callable[[Told], None], patron: str, amount: int, place: int, maximum: int
) -> None:
    """The first wager of a patron in a round, with another amount or at another's position."""
    late = Late(table_of(HIDDEN, ROUNDS, before), -4, -2)
    lines = late.rest
    number = next(
        number
        for number, line in enumerate(lines)
        if kind_of(line) == "wager-placed/1" and parsed(line)["event"]["by"] == patron
    )
    record = parsed(lines[number])
    record["event"]["stake"] |= {"amount": amount, "place": place}
    record["event"]["added"] = amount
    verdict = late.verdict([*lines[:number], written(record), *lines[number + 1 :]])
    over = WAGER_ABOVE_MAXIMUM(wager=record["event"]["stake"]["wager"], amount=amount, maximum=maximum)
    assert (english(over) in verdict) is bool(maximum)
    assert verdict


@pytest.mark.clause("LOG-2")
@pytest.mark.parametrize("number", [1 << 63, 10**30, -(10**30)])
def test_numbers_that_no_table_has_are_judged_by_the_rules(number: int) -> None:
    """A part starts from a state that anybody can write; whatever the numbers in it, the answer is a verdict."""
    told = Told("dragon-21", people=FRIENDS)
    play(told, 2)
    stood, before = told.table, len(told.trail.lines) - 1
    settings = stood.settings
    assert settings is not None
    play(told, 4)
    limits = {
        id: replace(limit, **({"max": number} if number > 0 else {"min": number}))
        for id, limit in settings.limits.items()
    }
    people = {id: replace(person, maxima={"tiger-perfect-pair": number}) for id, person in stood.people.items()}
    for state in (
        replace(stood, settings=replace(settings, limits=limits)),
        replace(stood, settings=replace(settings, burn=number)),
        replace(stood, people=people),
    ):
        with pytest.raises(
            VerificationFailed, match=r"state-recorded, .*digest is"
        ):  # the next state on record has other numbers
            verify(part_from(state, told, before))


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
            proof.state_line(state),
            written(record),
            *told.trail.lines[before + 1 :],
            proof.closing_line(0, ""),
        ]
    )
