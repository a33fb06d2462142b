"""Proofs of real evenings hold, and what the verifier says it has checked is what there was."""

from __future__ import annotations

import random
import re
import subprocess
import sys
import tracemalloc
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import settings

from longhu.audit import export, proof, signed_heads
from longhu.audit.proof import ProofError
from longhu.audit.record import decode, hides
from longhu.audit.report import VerificationFailed, VerificationReport
from longhu.audit.signed_heads import Head
from longhu.audit.verify import verify
from longhu.games.loader import load as read_game
from longhu.games.registry import built_in
from longhu.games.source import read_text
from longhu.table.state import KEPT_ROUNDS
from tests.audit.evening import (
    DAY,
    GAMES,
    MAIN,
    PRIVATE,
    PUBLIC,
    START,
    Told,
    load,
    ordinary,
    random_evening,
    scenarios,
)
from tests.audit.forging import Lines, kind_of, mended, parsed, written
from tests.audit.late import evening as long_evening
from tests.audit.troubles import TROUBLES

EVENINGS, COMMANDS = max(1, settings().max_examples // 60), 120  # the soak has many more


def counted(lines: Lines) -> dict[str, int]:
    """What is in a proof, counted without the verifier."""
    kinds = Counter(map(kind_of, lines))
    records = [decode(line) for line in lines if line.startswith(proof.RECORD)]
    return {
        "records": len(records),
        "refusals": kinds["command-refused/1"],
        "rounds": kinds["round-ended/1"] + kinds["round-voided/1"],
        "voided": kinds["round-voided/1"],
        "wagers": kinds["wager-settled/1"],
        "cards": kinds["card-drawn/1"],
        "face_down": sum(hides(record.event) for record in records),
        "postings": sum(len(each.postings) for record in records for each in record.event.transactions()),
        "commitments": kinds["shuffle-committed/1"],
        "contributions": kinds["contribution-made/1"],
        "heads": kinds["head"],
        "states": kinds["state-recorded/1"],
        "first_at": records[0].event.at,
        "last_at": records[-1].event.at,
    }


def agrees(checked: VerificationReport, lines: Lines) -> None:
    assert {name: getattr(checked, name) for name in counted(lines)} == counted(lines)
    assert checked.head == parsed(lines[-1])["head"]


@pytest.mark.clause("LOG-1", "LOG-2", "RNG-6", "RUL-6")
@pytest.mark.parametrize("id", GAMES)
def test_an_ordinary_evening_holds(id: str) -> None:
    told = ordinary(id, rounds=4)
    lines = told.trail.proof()
    checked = verify(lines, key=PUBLIC, anchors=told.trail.heads)
    agrees(checked, lines)
    assert checked.table == "T1"
    assert checked.games == [id]
    assert checked.shuffles == told.table.shoes  # every shoe was revealed
    assert checked.shuffled_cards == checked.cards
    assert checked.sources == {"shuffle": checked.cards}
    assert checked.commands <= checked.records
    assert checked.remarks == []
    assert checked.not_checked == []


@pytest.mark.clause("LOG-2")
@pytest.mark.parametrize("evening", range(EVENINGS))
@pytest.mark.parametrize("id", GAMES)
def test_whatever_people_ask_the_proof_of_it_holds(id: str, evening: int) -> None:
    trail = random_evening(load(id, {}), seed=evening, commands=COMMANDS, signs=True)
    lines = trail.proof()
    checked = verify(lines, anchors=trail.heads)
    agrees(checked, lines)
    assert checked.commands == COMMANDS
    assert checked.refusals > 0


@pytest.mark.clause("RUL-3")
def test_other_rules_under_a_name_that_is_known_are_told() -> None:
    """A house that pays less by a file of its own: every payment is right by the rules inside."""
    text = built_in()["dragon-tiger"].read_text("utf-8")
    assert text.count('pays = "11:1"') == 1
    for file, unlike in ((text, 0), (text + "\n# a remark\n", 0), (text.replace('"11:1"', '"8:1"'), 1)):
        told = Told(read_game(read_text(file, "a file of the house")))
        told.round(ann={"tie": "5.00"})
        remarks = [each for each in verify(told.trail.proof()).remarks if "under that name" in each]
        assert len(remarks) == unlike
    read_otherwise = Told(load("dragon-tiger", {"rounding": "house"}))
    assert not any("under that name" in each for each in verify(read_otherwise.trail.proof()).remarks)


@pytest.mark.clause("LOG-2")
@pytest.mark.parametrize("id", GAMES)
def test_a_proof_holds_when_the_words_of_its_game_file_are_others(id: str) -> None:
    """Records have ids, places of lines and clauses: what a wager or a line is called decides nothing."""
    opening, *rest = ordinary(id).trail.proof()
    first = parsed(opening)
    ((digest, file),) = first["games"].items()
    text = file["text"].partition("[translations.")[0]
    reworded, count = re.subn(r'(^(?:name|label) = "|says = ")', r"\1So-called ", text, flags=re.MULTILINE)
    assert count > 20
    lines = [written({**first, "games": {digest: {**file, "text": reworded}}}), *rest]
    agrees(verify(lines, key=PUBLIC), lines)
    with pytest.raises(VerificationFailed, match="they were altered"):
        verify([written({**first, "games": {digest: {**file, "text": text.replace('"1:1"', '"2:1"')}}}), *rest])


@pytest.mark.parametrize("trouble", TROUBLES, ids=lambda trouble: trouble.__name__)
def test_an_evening_with_trouble_holds(trouble: type[Told]) -> None:
    lines = trouble().trail.proof()
    agrees(verify(lines), lines)


def test_the_pages_of_the_documentation_hold_as_proofs() -> None:
    """One of them reveals a secret that did not make its shoe: there the page tells the cards."""
    wrong = []
    for name, trail in scenarios():
        try:
            agrees(verify(trail.proof()), trail.proof())
        except VerificationFailed as found:
            wrong.append(f"{name}: {found.says}")
    assert wrong == ["order 11: card 1 of shoe 2 was 9S, and the shuffle made it 4S"]


@pytest.mark.clause("RUL-3")
def test_rules_that_the_house_reads_its_own_way_go_with_the_proof() -> None:
    game = load("immortal-dragon-tiger", {"undermin_memory": "shoe"})
    assert game.digest != load("immortal-dragon-tiger", {}).digest
    told = Told(game)
    told.round(ann={"player": "50.00"})
    lines = told.trail.proof()
    assert parsed(lines[0])["games"][game.digest]["readings"] == {"undermin_memory": "shoe"}
    assert verify(lines).rounds == 1


def test_lines_are_taken_one_by_one_from_anything_that_gives_them() -> None:
    lines = ordinary("dragon-tiger").trail.proof()

    def one_by_one() -> Iterator[bytes]:
        yield from lines

    assert verify(one_by_one()).records == len(lines) - 4  # opening, two heads, closing


# ------------------------------------------------ parts


@pytest.mark.clause("LOG-6")
@pytest.mark.parametrize("id", GAMES)
def test_each_shoe_is_a_proof_of_its_own(id: str) -> None:
    told = ordinary(id)
    for number in range(1, told.table.shoes + 1):
        part = list(export.export(told.trail.proof(), export.shoe(number)))
        checked = verify(part)
        agrees(checked, part)
        assert checked.span == f"shoe {number}"
        assert number in {parsed(line)["event"]["number"] for line in part if kind_of(line) == "shuffle-revealed/1"}


@pytest.mark.clause("LOG-6")
def test_a_day_is_a_proof_of_its_own_and_starts_from_the_state_on_record() -> None:
    told = Told("dragon-tiger")
    told.round(ann={"dragon": "50.00"})
    told.now = START // DAY * DAY + DAY
    told.record_state()
    stood = told.table
    told.round(ann={"tiger": "20.00"})
    lines = told.trail.proof()
    part = list(export.export(lines, export.day(START // DAY * DAY + DAY, "2026-11-17")))
    assert verify(part).rounds == 1
    state = proof.state_line(stood)
    assert part[1] == state
    assert part[2:-1] == [line for line in lines[1:-1] if decode(line).event.at >= START // DAY * DAY + DAY]


@pytest.mark.clause("LOG-6", "RNG-6")
@pytest.mark.parametrize("id", ["dragon-21", "dragon-tiger"])
def test_a_part_that_starts_in_the_middle_of_a_shoe_is_checked_from_its_next_card_on(id: str) -> None:
    told, main, midnight = Told(id, burn=3), MAIN[id], START // DAY * DAY + DAY
    told.round(ann={main: "50.00"})
    told.now = midnight
    told.record_state()
    told.round(ann={main: "20.00"})
    told.reveal()
    part = list(export.export(told.trail.proof(), export.day(midnight, "2026-11-17")))
    checked = verify(part)
    assert (checked.shuffles, checked.shuffled_cards, checked.commitments) == (1, checked.cards, 0)
    assert not any("put away" in remark for remark in checked.remarks)
    told = Told(id, burn=3)
    told.round(ann={main: "50.00"})
    told.now = midnight
    told.record_state()
    assert told.table.shoe is not None
    drawn = told.table.shoe.drawn
    told.order, told.fixed = ("KS",) * 400, True
    told.round(ann={main: "20.00"})
    told.reveal()
    with pytest.raises(VerificationFailed, match=f"card {drawn + 1} of shoe 1 was KS, and"):
        verify(export.export(told.trail.proof(), export.day(midnight, "2026-11-17")))


@pytest.mark.clause("LOG-6")
def test_a_part_of_a_part_is_a_proof() -> None:
    lines = ordinary("dragon-tiger").trail.proof()
    part = list(export.export(lines, export.shoe(2)))
    again = list(export.export(part, export.whole()))
    assert verify(again).records == verify(part).records
    assert verify(list(export.export(part, export.shoe(2)))).shuffles == 1


def test_nothing_of_a_span_is_told() -> None:
    lines = ordinary("dragon-tiger").trail.proof()
    with pytest.raises(ProofError, match="nothing of shoe 9 is in this audit log"):
        list(export.export(lines, export.shoe(9)))


# ------------------------------------------------ what is no proof


def test_nothing_is_no_proof() -> None:
    with pytest.raises(ProofError, match="the file is empty"):
        verify([])


@pytest.mark.parametrize(
    ("first", "says"),
    [
        (b"\n", "its first line says nothing of one"),
        (b"hello\n", "its first line says nothing of one"),
        (b"\xff\xfe\x00\n", "its first line says nothing of one"),
        (b'{"proof":"longhu-proof/9","table":"T1","span":"","games":{}}\n', "of the form 'longhu-proof/9'"),
        (b'{"proof":"longhu-proof/1","table":"T1","span":"","games":{"0":{"text":"x"}}}\n', "cannot be read"),
    ],
)
def test_a_first_line_that_says_nothing_of_a_proof(first: bytes, says: str) -> None:
    with pytest.raises(VerificationFailed, match=f"^line 1: .*{says}"):
        verify([first])


def test_whatever_bytes_are_altered_the_answer_is_a_place_and_a_reason() -> None:
    """Noise in a file is told like any other alteration: no traceback, and never taken for sound."""
    chance, lines = random.Random(5), ordinary("dragon-tiger", rounds=1).trail.proof()
    for _ in range(150):
        place = chance.randrange(1, len(lines))
        line = bytearray(lines[place])
        at = chance.randrange(len(line) - 1)
        match chance.randrange(3):
            case 0:
                line[at] ^= 1 << chance.randrange(8)
            case 1:
                del line[at : at + chance.randrange(1, 9)]
            case _:
                line[at:at] = chance.choice((b"[" * 2000, b"\x00", b"\xf0\x28", b"1" * 400, b'"', b"-", b"\r\n"))
        altered = [*lines[:place], bytes(line), *lines[place + 1 :]]
        with pytest.raises(VerificationFailed, match=r"^line \d+"):
            verify(altered)


def test_a_number_too_large_for_a_clock_is_told() -> None:
    told = Told("dragon-tiger")
    lines = told.trail.proof()
    late = [*lines[:-2], lines[-2].replace(b'"at":%d' % told.now, b'"at":%d' % 10**18), lines[-1]]
    with pytest.raises(VerificationFailed, match="1000000000000000000 ms"):
        verify(late)


def test_a_day_that_ends_at_no_time_of_a_clock_is_told() -> None:
    """The rules leave a time open, so the last record may have any; the name of the proof says otherwise."""
    told = Told("dragon-tiger")
    told.record_state()
    lines = told.trail.proof()
    opening = written({**parsed(lines[0]), "span": "2026-11-16"})
    assert verify([opening, *lines[1:]]).states == 1
    late = lines[-2].replace(b'"at":%d' % told.now, b'"at":%d' % 10**18)
    with pytest.raises(VerificationFailed, match="the proof is called '2026-11-16', and something else is in it"):
        verify(mended([opening, *lines[1:-2], late, lines[-1]]))


# ------------------------------------------------ signed heads and anchors


@pytest.mark.clause("LOG-2")
def test_every_head_that_was_kept_is_compared() -> None:
    told = ordinary("dragon-tiger")
    first, last = told.trail.heads
    assert verify(told.trail.proof(), anchors=[first]).heads == 2
    later = Head(last.table, last.sequence + 5, last.digest, last.at, last.key, last.signature)
    with pytest.raises(
        VerificationFailed, match=f"the audit log ends with record {last.sequence}, and an anchor names record"
    ):
        verify(told.trail.proof(), anchors=[first, later])
    other = Head(first.table, first.sequence, "0" * 64, first.at, first.key, first.signature)
    with pytest.raises(VerificationFailed, match=f"record {first.sequence}, .*the audit log was written anew"):
        verify(told.trail.proof(), anchors=[other])


def test_the_key_that_one_knows_counts_and_not_the_one_in_the_file() -> None:
    lines = ordinary("dragon-tiger").trail.proof()
    with pytest.raises(VerificationFailed, match=r"line 1: the house's key is 0000000000000000…, and the proof names "):
        verify(lines, key="0" * 64)


def test_heads_of_other_tables_and_before_a_part_say_nothing_about_it() -> None:
    """One file holds the heads of the whole house."""
    told = ordinary("dragon-tiger")
    part = list(export.export(told.trail.proof(), export.shoe(2)))
    first = parsed(part[2])["sequence"]
    before = signed_heads.signed("T1", first - 5, "0" * 64, START, PRIVATE)
    others = [signed_heads.signed("T2", sequence, "0" * 64, START, PRIVATE) for sequence in (first, first + 1, 10**6)]
    assert verify(part, anchors=[before, *others]).records


@pytest.mark.clause("LOG-2")
def test_two_heads_of_one_record_that_differ_cannot_both_be_right() -> None:
    told = ordinary("dragon-tiger")
    right = told.trail.heads[0]
    other = signed_heads.signed("T1", right.sequence, "0" * 64, START, PRIVATE)
    for anchors in ([right, other], [other, right]):
        with pytest.raises(VerificationFailed, match="the audit log was written anew"):
            verify(told.trail.proof(), anchors=anchors)


def test_the_evenings_are_the_same_every_time() -> None:
    assert ordinary("dragon-tiger").trail.proof() == ordinary("dragon-tiger").trail.proof()
    assert MAIN.keys() == set(GAMES)


# ------------------------------------------------ long files


def test_a_short_and_a_long_proof_need_the_same_memory() -> None:
    def peak(lines: tuple[bytes, ...]) -> int:
        tracemalloc.start()
        verify(lines)
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return used

    short, long = (long_evening("dragon-tiger", KEPT_ROUNDS * times) for times in (4, 12))
    peak(long)  # what is loaded, and what the table keeps of hands that come again, which has a bound
    assert peak(long) < 1.2 * peak(short) + 50_000


def test_no_compiled_code_is_loaded() -> None:
    code = (
        "import sys; from longhu.audit.verify import verify; verify(sys.stdin.buffer); "
        "print({'numba', 'numpy'} & set(sys.modules))"
    )
    lines = b"".join(long_evening("dragon-tiger", 120))
    done = subprocess.run([sys.executable, "-c", code], input=lines, capture_output=True, check=True)
    assert done.stdout.strip() == b"set()"
