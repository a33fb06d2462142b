"""Rounds like others before: the short way gives the same verdict as asking the rules again, and forgets in time."""

from __future__ import annotations

import random
import re
import tracemalloc
from collections.abc import Sequence
from functools import cache

import pytest

from longhu.audit import proof
from longhu.audit.findings import Wrong
from longhu.audit.record import decode, digest
from longhu.audit.shortcut import steps
from longhu.audit.shortcut.forms import Form, Hole, Kind
from longhu.audit.shortcut.state_text import StateText
from longhu.audit.shortcut.steps import Memory, Spot
from longhu.audit.verify import Verifier, verify
from longhu.cli import play_evening
from longhu.games.registry import built_in, load_game
from longhu.table import checkpoint
from longhu.table.engine import evolve
from longhu.table.state import Table
from tests.audit.forging import FORGERIES, Lines, kind_of, mended, parsed
from tests.audit.late import Late, rounds_of

GAMES = tuple(built_in())
HIDDEN, CHANGED = "immortal-dragon-tiger", "dragon-bonus-online"  # cards face down; a shoe for every round
_AT = re.compile(rb'"at":(\d+)')


@cache
def evening(id: str, rounds: int, others: int = 0) -> tuple[bytes, ...]:
    return tuple(play_evening.evening(load_game(built_in()[id]), rounds, others=others, stakes=3, seed=3))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The lines that go to the rules."""
    lines: list[bytes] = []
    recorded = Verifier._recorded

    def watched(self: Verifier, line: bytes) -> None:
        lines.append(line)
        recorded(self, line)

    monkeypatch.setattr(Verifier, "_recorded", watched)
    return lines


@pytest.mark.parametrize("id", GAMES)
def test_both_ways_check_the_same(id: str, asked: list[bytes]) -> None:
    lines = evening(id, 300)
    checked = verify(lines)
    few = len(asked)
    assert checked == verify(lines, shortcuts=False)
    assert checked.rounds == 300
    assert few < len(lines) / 3, "hardly any line was like another: the short way is not taken"


@pytest.mark.parametrize("id", GAMES)
def test_lines_one_by_one_are_judged_like_all_at_once(id: str) -> None:
    lines, one_by_one = evening(id, 60), Verifier()
    for line in lines:
        one_by_one.line(line)
    assert one_by_one.finish() == verify(lines)


@pytest.mark.parametrize("long", [0, 10**9])
def test_lines_without_their_end_are_judged_like_others(long: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has split a file gives lines without a line feed, all or some; compiled code needs those with one."""
    monkeypatch.setattr("longhu.audit.verify.LONG", long)
    lines = list(evening(HIDDEN, 60))
    checked, bare = verify(lines), [line.rstrip(b"\n") for line in lines]
    assert verify(bare) == checked
    assert verify([*lines[:400], *bare[400:500], *lines[500:]]) == checked


def test_a_file_that_was_cut_off_is_told_alike_both_ways() -> None:
    """Its last lines may be like others before: the place is that of the end, and no record."""
    lines = evening(HIDDEN, 60)
    for end in range(600, 640):
        told = [str(wrong_in(lines[:end], shortcuts=shortcuts)) for shortcuts in (True, False)]
        assert told[0] == told[1]
        assert told[0].startswith(f"line {end + 1}: the file has no end")


def wrong_in(lines: Sequence[bytes], *, shortcuts: bool) -> Wrong:
    with pytest.raises(Wrong) as found:
        verify(lines, shortcuts=shortcuts)
    return found.value


@pytest.mark.parametrize("id", GAMES)
def test_both_ways_check_the_same_at_a_full_table(id: str) -> None:
    lines = evening(id, 30, others=3)
    assert verify(lines) == verify(lines, shortcuts=False)


def test_from_shoe_to_shoe_nothing_is_asked_twice(asked: list[bytes]) -> None:
    verify(evening(CHANGED, 60))
    assert sum(b'"event":"shuffle-revealed/1"' in line for line in asked) < 5


def test_what_is_remembered_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    lines, kept = evening("dragon-tiger", 120), list[Memory]()
    made = Memory.__init__

    def watched(self: Memory, *args: object) -> None:
        kept.append(self)
        made(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(Memory, "__init__", watched)
    checked = verify(lines)
    monkeypatch.setattr(steps, "FORMS_MAX", 40)
    assert verify(lines) == checked
    unbounded, bounded = (each.forms for each in kept)
    assert bounded < 60 < unbounded


def test_a_short_and_a_long_proof_need_the_same_memory() -> None:
    def peak(lines: tuple[bytes, ...]) -> int:
        tracemalloc.start()
        verify(lines)
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return used

    long = evening("dragon-tiger", 1200)
    short = evening("dragon-tiger", 120)
    peak(short)  # what is loaded and kept for good
    assert peak(long) < 2 * peak(short) + 2_000_000


@pytest.mark.parametrize("id", [HIDDEN, CHANGED])
def test_a_state_is_written_in_parts_as_it_is_written_whole(id: str) -> None:
    table, text = Table(game=""), StateText()
    for line in proof.records(evening(id, 12)):
        table = evolve(table, decode(line).event)
        assert text.written(table) == checkpoint.written(table)


def test_two_answers_to_the_same_question_are_no_answer() -> None:
    """Then what is remembered does not tell two places apart, and the rules are asked."""
    spot = Spot()
    first, other = (
        Form(Kind.TOLD, ("a", "b", "c", says), (Hole.SEQUENCE, Hole.PREVIOUS, Hole.AT), later=True) for says in "xy"
    )
    assert spot.learn(None, "asked", first) is first
    assert spot.forms[None] == (first,)
    assert spot.learn(None, "asked", other) is other
    assert spot.forms[None] == ()
    spot.learn(None, "asked", first)
    assert spot.forms[None] == ()


# ------------------------------------------------ what a forger would try on the short way


@pytest.mark.clause("LOG-2")
@pytest.mark.parametrize("id", GAMES)
def test_whatever_is_altered_late_in_the_evening_is_judged_as_if_nothing_were_remembered(id: str) -> None:
    """Every hole and every word of known lines, rounds and changes of shoes: altered, dropped, doubled, moved, and mended."""
    lines, quick = evening(id, 150), Verifier()
    rounds = rounds_of(lines)
    start, end = rounds[-9][0], rounds[-6][1] + 1
    quick.lines(lines[:start])
    late = Late(lines, start, end, quick)
    assert late.verdict(lines[start:end]) == ""
    assert late.at_random(random.Random(id), FORGERIES) > FORGERIES / 2


def replaced(lines: tuple[bytes, ...], place: int, old: bytes, new: bytes) -> Lines:
    assert len(re.findall(old, lines[place])) == 1, (old, lines[place])
    return mended([*lines[:place], re.sub(old, new, lines[place]), *lines[place + 1 :]])


@pytest.mark.clause("LOG-2")
@pytest.mark.parametrize(
    ("id", "kind", "old", "new"),
    [
        ("dragon-tiger", "round-started/1", rb'"number":\d+', b'"number":7'),
        ("dragon-tiger", "betting-closed/1", rb'"number":\d+', b'"number":7'),
        ("dragon-tiger", "wager-placed/1", rb'"since":\d+', b'"since":1794820520850'),
        ("dragon-tiger", "card-drawn/1", rb'"shoe_number":\d+', b'"shoe_number":9'),
        ("dragon-tiger", "card-drawn/1", rb'"card":"..","hand":0', b'"card":"ZZ","hand":0'),
        ("dragon-tiger", "result-announced/1", rb'"number":\d+', b'"number":3'),
        ("dragon-tiger", "wager-settled/1", rb'"since":\d+', b'"since":1794820520850'),
        ("dragon-tiger", "wager-settled/1", rb'"net":(-?)\d+', rb'"net":\g<1>99900'),
        ("dragon-tiger", "round-ended/1", rb'"ending":\d+', b'"ending":3'),
        (HIDDEN, "card-drawn/1", rb'"salt":".', b'"salt":"G'),
        (HIDDEN, "card-drawn/1", rb',"salt":"[0-9a-f]{32}"', b""),
        (HIDDEN, "cards-revealed/1", rb'"cards":\["..', b'"cards":["ZZ'),
        (HIDDEN, "hand-passed/1", rb'"to":"[^"]*"', b'"to":"seat 9"'),
        (CHANGED, "shoe-ended/1", rb'"number":\d+', b'"number":7'),
        (CHANGED, "shuffle-revealed/1", rb'"secret":"..', b'"secret":"zz'),
        (CHANGED, "state-recorded/1", rb'"digest":".{8}', b'"digest":"00000000'),
        (CHANGED, "shuffle-committed/1", rb'"commitment":"..', b'"commitment":"ZZ'),
        (CHANGED, "shuffle-committed/1", rb'"commitment":".{8}', b'"commitment":"00000000'),
        (CHANGED, "cards-shuffled/1", rb'"asked":\{"command":"load-shoe/1","by":"dealer","at":\d+', b'"asked":{"command":"load-shoe/1","by":"dealer","at":1794820520850'),
        (CHANGED, "shoe-loaded/1", rb'"shoe":\{"number":\d+', b'"shoe":{"number":7'),
    ],
)  # fmt: skip
def test_each_hole_holds_only_what_must_stand_there(id: str, kind: str, old: bytes, new: bytes) -> None:
    lines = evening(id, 150)
    places = [place for place, line in enumerate(lines) if line.startswith(proof.RECORD) and kind_of(line) == kind]
    place = next(place for place in reversed(places) if re.search(old, lines[place]) and place < len(lines) - 60)
    forged = replaced(lines, place, old, new)
    for shortcuts in (True, False):
        with pytest.raises(Wrong):
            verify(forged, shortcuts=shortcuts)


@pytest.mark.clause("LOG-2")
@pytest.mark.parametrize("id", GAMES)
def test_a_command_that_is_told_by_half_is_seen(id: str) -> None:
    """Known lines, and the last event of some command left out."""
    lines = evening(id, 150)
    kinds = {kind_of(line) for line in lines if line.startswith(proof.RECORD)}
    for kind in {"round-ended/1", "hand-passed/1", "shoe-loaded/1", "cards-cut/1"} & kinds:
        place = [place for place, line in enumerate(lines[:-60]) if f'"event":"{kind}"'.encode() in line][-1]
        with pytest.raises(Wrong) as found:
            verify(mended([*lines[:place], *lines[place + 1 :]]))
        with pytest.raises(Wrong) as due:
            verify(mended([*lines[:place], *lines[place + 1 :]]), shortcuts=False)
        assert str(found.value) == str(due.value)


def test_a_card_behind_the_cutting_card_is_the_one_that_was_asked_for() -> None:
    lines = evening("dragon-tiger", 1200)
    place = [place for place, line in enumerate(lines) if b'"event":"cutting-card-shown/1"' in line][-1]
    card = parsed(lines[place])["asked"]["card"]
    other = b"AS" if card != "AS" else b"KD"
    for shortcuts in (True, False):
        with pytest.raises(Wrong):
            verify(replaced(lines, place, rb'"card":".."', b'"card":"%b"' % other), shortcuts=shortcuts)


def test_a_stake_that_nobody_has_is_seen() -> None:
    """Each line was seen before; only that there are no chips left tells it."""
    game = load_game(built_in()["dragon-tiger"])
    lines = play_evening.evening(game, 60, stakes=1, bankroll=20_000, seed=5)
    bought = next(place for place, line in enumerate(lines) if b'"event":"chips-bought/1"' in line)
    balance = lowest = 20_000
    for line in proof.records(lines):
        for account, amount in decode(line).event.postings():
            if account == "patron:seat 1" and b"chips-bought" not in line:
                balance += amount
                lowest = min(lowest, balance)
    assert 0 < lowest < 20_000
    short = lines[bought].replace(b'"amount":20000', b'"amount":%d' % (20_000 - lowest - 1))
    states = [b'"event":"state-recorded/1"' in line for line in lines]
    kept = [
        line for line, state in zip([*lines[:bought], short, *lines[bought + 1 :]], states, strict=True) if not state
    ]
    enough = [line for line, state in zip(lines, states, strict=True) if not state]
    assert verify(mended(enough)).rounds == 60
    for shortcuts in (True, False):
        with pytest.raises(Wrong, match=r"chips|would stand at"):
            verify(mended(kept), shortcuts=shortcuts)


def test_a_round_that_lasts_too_long_is_for_the_rules() -> None:
    """More than thirty days after the first wager such a game is neither dealt nor paid."""
    lines = list(evening(CHANGED, 60))
    start, _ = rounds_of(lines)[-3]
    first_card = next(place for place in range(start, len(lines)) if b'"event":"card-drawn/1"' in lines[place])
    late = [
        re.sub(rb'"at":(\d+)', lambda at: b'"at":%d' % (int(at[1]) + 31 * 86_400_000), line)
        for line in lines[first_card:]
    ]
    for shortcuts in (True, False):
        with pytest.raises(Wrong, match="in progress for more than"):
            verify(mended([*lines[:first_card], *late]), shortcuts=shortcuts)


@pytest.mark.clause("LOG-2")
@pytest.mark.parametrize("id", GAMES)
def test_wagers_moved_behind_the_cards_are_seen(id: str) -> None:
    """Past-posting, forged with care: times, since and chain all fit, and every single record is one that was seen before."""
    lines = evening(id, 300)
    start, end = rounds_of(lines)[-3]
    body = list(lines[start : end + 1])
    bets = [line for line in body if b"wager-placed/1" in line or b"betting-closed/1" in line]
    cards = [line for line in body if b"card-drawn/1" in line]
    rest = [line for line in body[1:] if line not in bets and line not in cards]
    times = [_AT.search(line)[1] for line in body]  # type: ignore[index]
    moved = [body[0], *cards, *bets, *rest]
    timed = [_AT.sub(b'"at":' + at, line, count=1) for line, at in zip(moved, times, strict=True)]
    placed = next(line for line in timed if b"wager-placed/1" in line)
    since = b'"since":' + _AT.search(placed)[1]  # type: ignore[index]
    timed = [re.sub(rb'"since":\d+', since, line) for line in timed]
    forged = mended([*lines[:start], *timed, *lines[end + 1 :]])
    with pytest.raises(Wrong):
        verify(forged, shortcuts=False)
    with pytest.raises(Wrong):
        verify(forged)


def test_a_command_that_is_kept_is_always_asked_again() -> None:
    """What stands beside an event is no step of an ordinary round: its time could be another."""
    lines = evening("dragon-tiger", 300)
    start, _ = rounds_of(lines)[-3]
    line = lines[start].rstrip(b"\n")
    asked = b',"asked":{"command":"call-place-your-bets/1","by":"dealer","at":1,"position":1,"wagering":true}}\n'
    with pytest.raises(Wrong):
        verify(mended([*lines[:start], line[:-1] + asked, *lines[start + 1 :]]))


@pytest.mark.parametrize("at", [b"0" + b"1" * 12, b"9" * 5000, b"-1", b"1e3", b"17948205208x0"])
def test_times_that_are_none_are_seen(at: bytes) -> None:
    lines = evening("dragon-tiger", 300)
    start, _ = rounds_of(lines)[-3]
    forged = [*lines[:start], _AT.sub(b'"at":' + at, lines[start], count=1), *lines[start + 1 :]]
    with pytest.raises(Wrong):
        verify(mended(forged))


def test_a_line_that_does_not_end_is_seen() -> None:
    """What stands where the line feed should be is not cut off unseen."""
    lines = list(evening("dragon-tiger", 100))
    start, _ = rounds_of(lines)[-3]
    lines[start] = lines[start][:-1] + b"x"
    with pytest.raises(Wrong):
        verify(lines)


def test_known_lines_behind_the_end_are_seen() -> None:
    """They would follow from what came before; the file has said that it is whole."""
    lines = evening("dragon-tiger", 100)
    start, end = rounds_of(lines)[-3]
    last = parsed(lines[start - 1])
    whole = [*lines[:start], proof.closing_line(last["sequence"], digest(lines[start - 1].rstrip(b"\n")))]
    assert verify(whole).rounds == 97
    for shortcuts in (True, False):
        with pytest.raises(Wrong, match="behind the end"):
            verify([*whole, *lines[start : end + 1]], shortcuts=shortcuts)
