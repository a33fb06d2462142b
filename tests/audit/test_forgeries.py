"""What a forger would try late in a long evening: every record looks like one that was right before, and the chain is mended."""

from __future__ import annotations

import random
import re
from functools import cache

import pytest

from longhu.audit import proof
from longhu.audit.record import decode, digest
from longhu.audit.report import VerificationFailed
from longhu.audit.verify import verify
from longhu.cli.practice import evening as play_evening
from longhu.games.registry import built_in, load_game
from longhu.messages.localization import english
from longhu.table.document import ROUND_EXPIRED
from tests.audit.forging import FORGERIES, Lines, kind_of, mended, parsed
from tests.audit.late import Late, evening, rounds_of

GAMES = tuple(built_in())
HIDDEN, CHANGED = "immortal-dragon-tiger", "dragon-bonus-online"  # cards face down; a shoe for every round
_AT = re.compile(rb'"at":(\d+)')


@cache
def late(id: str) -> Late:
    return Late(evening(id, 150), -9, -6)


@pytest.mark.clause("LOG-2")
@pytest.mark.parametrize("id", GAMES)
def test_most_of_what_is_altered_late_in_the_evening_is_caught(id: str) -> None:
    """Records of rounds and changes of shoes: altered, dropped, doubled, moved, and mended."""
    assert late(id).verdict(late(id).rest) == ""
    assert late(id).at_random(random.Random(id), FORGERIES) > FORGERIES / 2


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
        ("dragon-tiger", "card-drawn/1", rb'"card":"..","hand":"dragon"', b'"card":"ZZ","hand":"dragon"'),
        ("dragon-tiger", "result-announced/1", rb'"totals":\[\d+', b'"totals":[14'),
        ("dragon-tiger", "wager-settled/1", rb'"since":\d+', b'"since":1794820520850'),
        ("dragon-tiger", "wager-settled/1", rb'"net":(-?)\d+', rb'"net":\g<1>99900'),
        ("dragon-tiger", "round-ended/1", rb'"pairs":\[\]', b'"pairs":["tiger"]'),
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
def test_each_field_holds_only_what_must_stand_there(id: str, kind: str, old: bytes, new: bytes) -> None:
    lines = evening(id, 150)
    places = [place for place, line in enumerate(lines) if line.startswith(proof.RECORD) and kind_of(line) == kind]
    place = next(place for place in reversed(places) if re.search(old, lines[place]) and place < len(lines) - 60)
    with pytest.raises(VerificationFailed):
        verify(replaced(lines, place, old, new))


@pytest.mark.clause("LOG-2")
@pytest.mark.parametrize("id", GAMES)
def test_a_command_without_its_last_event_is_seen(id: str) -> None:
    lines = evening(id, 150)
    kinds = {kind_of(line) for line in lines if line.startswith(proof.RECORD)}
    for kind in {"round-ended/1", "hand-passed/1", "shoe-loaded/1", "cards-cut/1"} & kinds:
        place = [place for place, line in enumerate(lines[:-60]) if f'"event":"{kind}"'.encode() in line][-1]
        with pytest.raises(VerificationFailed):
            verify(mended([*lines[:place], *lines[place + 1 :]]))


def test_a_card_behind_the_cutting_card_is_the_one_that_was_asked_for() -> None:
    lines = evening("dragon-tiger", 1200)
    place = [place for place, line in enumerate(lines) if b'"event":"cutting-card-shown/1"' in line][-1]
    card = parsed(lines[place])["asked"]["card"]
    other = b"AS" if card != "AS" else b"KD"
    with pytest.raises(VerificationFailed):
        verify(replaced(lines, place, rb'"card":".."', b'"card":"%b"' % other))


def test_a_stake_that_nobody_has_is_seen() -> None:
    """Every record is right by itself; only that there are no chips left tells it."""
    game = load_game(built_in()["dragon-tiger"])
    lines = play_evening.evening(game, 60, stakes=1, bankroll=20_000, seed=5)
    bought = next(place for place, line in enumerate(lines) if b'"event":"chips-bought/1"' in line)
    balance = lowest = 20_000
    for line in proof.records(lines):
        for each in decode(line).event.transactions():
            for posting in each.postings:
                if posting.account == "patron:seat 1" and b"chips-bought" not in line:
                    balance += posting.amount
                    lowest = min(lowest, balance)
    assert 0 < lowest < 20_000
    short = lines[bought].replace(b'"amount":20000', b'"amount":%d' % (20_000 - lowest - 1))
    states = [b'"event":"state-recorded/1"' in line for line in lines]
    kept = [
        line for line, state in zip([*lines[:bought], short, *lines[bought + 1 :]], states, strict=True) if not state
    ]
    enough = [line for line, state in zip(lines, states, strict=True) if not state]
    assert verify(mended(enough)).rounds == 60
    with pytest.raises(VerificationFailed, match=r"chips|would stand at"):
        verify(mended(kept))


def test_a_round_that_lasts_too_long_is_refused() -> None:
    """More than thirty days after the first wager such a game is neither dealt nor paid."""
    lines = list(evening(CHANGED, 60))
    start, _ = rounds_of(lines)[-3]
    first_card = next(place for place in range(start, len(lines)) if b'"event":"card-drawn/1"' in lines[place])
    days_later = [
        re.sub(rb'"at":(\d+)', lambda at: b'"at":%d' % (int(at[1]) + 31 * 86_400_000), line)
        for line in lines[first_card:]
    ]
    with pytest.raises(VerificationFailed, match=re.escape(english(ROUND_EXPIRED(days=30)))):
        verify(mended([*lines[:first_card], *days_later]))


@pytest.mark.clause("LOG-2")
@pytest.mark.parametrize("id", GAMES)
def test_wagers_moved_behind_the_cards_are_seen(id: str) -> None:
    """Past-posting, forged with care: times, since and chain all fit, and every single record was right before."""
    lines = evening(id, 150)
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
    with pytest.raises(VerificationFailed):
        verify(mended([*lines[:start], *timed, *lines[end + 1 :]]))


def test_a_command_that_need_not_be_kept_is_seen() -> None:
    lines = evening("dragon-tiger", 150)
    start, _ = rounds_of(lines)[-3]
    line = lines[start].rstrip(b"\n")
    asked = b',"asked":{"command":"call-place-your-bets/1","by":"dealer","at":1,"position":"dealer","wagering":true}}\n'
    with pytest.raises(VerificationFailed):
        verify(mended([*lines[:start], line[:-1] + asked, *lines[start + 1 :]]))


@pytest.mark.parametrize("at", [b"0" + b"1" * 12, b"9" * 5000, b"-1", b"1e3", b"17948205208x0"])
def test_times_that_are_none_are_seen(at: bytes) -> None:
    lines = evening("dragon-tiger", 150)
    start, _ = rounds_of(lines)[-3]
    forged = [*lines[:start], _AT.sub(b'"at":' + at, lines[start], count=1), *lines[start + 1 :]]
    with pytest.raises(VerificationFailed):
        verify(mended(forged))


# ------------------------------------------------ lines that are none


def test_lines_without_their_end_are_judged_like_others() -> None:
    """Whoever has split a file gives lines without a line feed, all or some."""
    lines = list(evening(HIDDEN, 60))
    checked, bare = verify(lines), [line.rstrip(b"\n") for line in lines]
    assert verify(bare) == checked
    assert verify([*lines[:400], *bare[400:500], *lines[500:]]) == checked


def test_a_file_that_was_cut_off_is_told_at_its_end() -> None:
    lines = evening(HIDDEN, 60)
    for end in range(600, 640):
        with pytest.raises(VerificationFailed, match=f"^line {end + 1}: the file has no end"):
            verify(lines[:end])


@pytest.mark.parametrize("missing", [b"", b"\n", b"x\n"])
def test_lines_that_hold_nothing_are_seen(missing: bytes) -> None:
    lines = list(evening("dragon-tiger", 100))
    start, _ = rounds_of(lines)[-3]
    with pytest.raises(VerificationFailed):
        verify([*lines[:start], missing, *lines[start:]])


def test_a_line_that_does_not_end_is_seen() -> None:
    """What stands where the line feed should be is not cut off unseen."""
    lines = list(evening("dragon-tiger", 100))
    start, _ = rounds_of(lines)[-3]
    lines[start] = lines[start][:-1] + b"x"
    with pytest.raises(VerificationFailed):
        verify(lines)


@pytest.mark.parametrize("as_it_is", [b"\n", b"x\r\n", b""], ids=["empty", "CR", "nothing"])
def test_what_is_wrong_is_found_at_its_line(as_it_is: bytes) -> None:
    lines = list(evening("dragon-bonus", 60))
    place = rounds_of(lines)[-4][0] + 3
    for altered in (lines[place].replace(b'"at":1', b'"at":2', 1), as_it_is, lines[place - 1]):
        with pytest.raises(VerificationFailed) as found:
            verify([*lines[:place], altered, *lines[place + 1 :]])
        assert found.value.line in (place + 1, place + 2)


def test_records_behind_the_end_are_seen() -> None:
    """They would follow from what came before; the file has said that it is whole."""
    lines = evening("dragon-tiger", 100)
    start, end = rounds_of(lines)[-3]
    last = parsed(lines[start - 1])
    whole = [*lines[:start], proof.closing_line(last["sequence"], digest(lines[start - 1].rstrip(b"\n")))]
    assert verify(whole).rounds == 97
    with pytest.raises(VerificationFailed, match="data after the end"):
        verify([*whole, *lines[start : end + 1]])
