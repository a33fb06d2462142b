"""Many rounds at once: compiled code gives the same verdict as the rules, whatever a forger alters."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Sequence
from types import ModuleType

import numpy as np
import pytest

from longhu.audit import proof, verify
from longhu.audit.findings import Wrong
from longhu.audit.heads import Head
from longhu.audit.kernels import lines as kernel
from longhu.audit.kernels.shuffles import first_unlike
from longhu.audit.record import digest
from longhu.audit.shortcut import atlas, leap
from longhu.audit.shortcut.atlas import HOLES, KINDS, Deck
from longhu.audit.shortcut.forms import Hole, Kind
from longhu.audit.shortcut.steps import Memory
from longhu.audit.shortcut.stride import Stride
from longhu.audit.verify import Verifier
from longhu.cards import NUMBER_OF_TEXT
from longhu.fairness.shuffle import Mix, Shuffles, Stream, commitment, mixed, order
from longhu.games.registry import built_in, load_game
from tests.audit.forging import FORGERIES
from tests.audit.late import Late, rounds_of
from tests.audit.test_shortcut import CHANGED, GAMES, evening


@pytest.fixture(autouse=True)
def _long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file is a long one."""
    monkeypatch.setattr(verify, "LONG", 0)
    monkeypatch.setattr(verify, "LEAST", 1)


@pytest.fixture
def leapt(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many lines were taken at once, each time."""
    counted: list[int] = []
    over = Stride.over

    def watched(self: Stride, walk: object, sheet: object, line: int) -> tuple[int, bool]:
        known, all_fit = over(self, walk, sheet, line)  # type: ignore[arg-type]
        counted.append(known - line)
        return known, all_fit

    monkeypatch.setattr(Stride, "over", watched)
    return counted


def knowing(lines: Sequence[bytes]) -> Verifier:
    """A verifier that has read nothing yet, and remembers what another has learned of these lines."""
    other, verifier = Verifier(), Verifier()
    other.lines(lines)
    verifier._memories = other._memories
    for memory in verifier._memories.values():
        memory.stride = None  # so that all of it is in the next atlas
    return verifier


@pytest.mark.parametrize("id", GAMES)
def test_all_ways_check_the_same(id: str, leapt: list[int]) -> None:
    lines = evening(id, 300)
    checked = verify.verify(lines)
    assert checked == verify.verify(lines, shortcuts=False)
    verifier = knowing(lines)
    leapt.clear()
    verifier.lines(lines)
    assert verifier.finish() == checked
    assert sum(leapt) > len(lines) / 2, "hardly any line was taken with others"


@pytest.mark.clause("LOG-2")
@pytest.mark.parametrize("id", GAMES)
def test_whatever_is_altered_among_many_rounds_is_judged_by_the_rules(id: str, leapt: list[int]) -> None:
    """Every hole and every word of records that the kernel knows: altered, dropped, doubled, moved, and mended."""
    lines = evening(id, 150)
    rounds = rounds_of(lines)
    start, end = rounds[-16][0], rounds[-6][1] + 1
    quick = knowing(lines[:end])
    quick.lines(lines[:start])
    late = Late(lines, start, end, quick)
    leapt.clear()
    assert late.verdict(lines[start:end]) == ""
    assert sum(leapt) > (end - start) / 2
    assert late.at_random(random.Random(id), FORGERIES) > FORGERIES / 2


def test_a_record_that_somebody_has_kept_is_held_against_that() -> None:
    lines = evening("dragon-tiger", 300)
    records = list(proof.records(lines))
    head = Head(table="practice", sequence=2000, digest=digest(records[1999]), at=1, key="", signature="")
    assert verify.verify(lines, anchors=[head]).anchors == 1
    with pytest.raises(Wrong, match="anchor"):
        verify.verify(lines, anchors=[Head("practice", 2000, "0" * 64, 1, "", "")])


@pytest.mark.parametrize("missing", [b"", b"\n", b"x\n"])
def test_lines_that_are_none_are_seen(missing: bytes) -> None:
    lines = list(evening("dragon-tiger", 100))
    start, _ = rounds_of(lines)[-3]
    with pytest.raises(Wrong):
        verify.verify([*lines[:start], missing, *lines[start:]])


def test_the_kernel_numbers_holes_and_kinds_as_forms_do() -> None:
    assert {hole.name: number for hole, number in HOLES.items()} == {
        each.name: getattr(kernel, each.name) for each in Hole
    }
    assert {kind.name: number for kind, number in KINDS.items()} == {
        each.name: getattr(kernel, each.name) for each in Kind
    }


@pytest.mark.parametrize("id", GAMES)
def test_the_kernel_counts_endings_as_the_procedure_does(id: str) -> None:
    game, chance = load_game(built_in()[id]), random.Random(id)
    memory = Memory(game)
    cards, faces = Deck(memory).cards, list(NUMBER_OF_TEXT)
    for _ in range(200):
        hands, number, dealt = memory.no_cards, 0, (list[str](), list[str]())
        while hands.due is not None:
            face = chance.choice(faces)
            dealt[hands.due].append(face)
            number, hands = cards.then[number, NUMBER_OF_TEXT[face]], hands.then(face.encode())
        assert (cards.due[number], cards.draw[number]) == (-1, hands.draw)
        marks = [0, 0]
        for hand in (0, 1):
            for face in dealt[hand][: cards.marked]:
                marks[hand] = marks[hand] * 52 + NUMBER_OF_TEXT[face]
        found = cards.draw[number] * cards.strides[0] + cards.marks[marks[0]] * cards.strides[1]
        found += cards.marks[marks[1]] * cards.strides[2]
        due = memory.ending(hands.draw or 0, *([face.encode() for face in hand] for hand in dealt))
        assert found == due.number


# ------------------------------------------------ a full shoe for every round


class Told(Stream):
    """A stream that says the words it is given."""

    def __init__(self, said: Sequence[int]) -> None:
        self._told = iter(said)

    def word(self) -> int:
        return next(self._told)


@pytest.mark.clause("RNG-3")
def test_the_first_cards_are_those_of_the_shuffle() -> None:
    mix, burned, size = Mix("T 7", 3, (8,) * 52), 3, 6
    shuffles, secrets = Shuffles(mix), [random.Random(number).randbytes(32) for number in range(40)]
    for number, secret in enumerate(secrets):
        assert shuffles.commitment(number, secret) == commitment(mix.table, number, secret)
    orders = [order(Mix("T 7", number, mix.counts), secret) for number, secret in enumerate(secrets)]
    dealt = np.array([NUMBER_OF_TEXT[card] for each in orders for card in each[burned : burned + size]], np.int64)
    words = [shuffles.stream(number, secret, 64) for number, secret in enumerate(secrets)]
    streams = np.frombuffer(b"".join(words), ">u4").reshape(len(secrets), -1).astype(np.uint32)
    unmixed = np.array([NUMBER_OF_TEXT[card] for card in mix.cards], np.int64)
    starts = np.arange(0, size * len(secrets) + 1, size)
    assert first_unlike(streams, unmixed, dealt, starts, burned) == -1
    for place in (0, 7, len(dealt) - 1):
        swapped = dealt.copy()
        swapped[place] = (swapped[place] + 1) % 52
        assert first_unlike(streams, unmixed, swapped, starts, burned) == place // size


def test_a_word_beyond_the_last_whole_share_is_left_by_the_kernel_too() -> None:
    unmixed = np.arange(52)
    said = [2**32 - 1, 5, 2**32 - 1, 2**32 - 1, 9, 2**31]
    due = mixed([str(card) for card in range(52)], Told(said), 3)
    dealt = np.array([int(card) for card in due])
    streams, starts = np.array([said], np.uint32), np.array([0, 3])
    assert first_unlike(streams, unmixed, dealt, starts, 0) == -1
    assert first_unlike(streams[:, :5], unmixed, dealt, starts, 0) == 0, "there were not words enough"


def test_from_shoe_to_shoe_the_table_is_made_twice_in_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    from longhu.audit.shortcut.leap import Leap

    made, lines = list[object](), evening(CHANGED, 300)
    at_the_table = Leap._at_the_table

    def watched(self: Leap, change: object, laid: object) -> bool:
        made.append(change)
        return at_the_table(self, change, laid)  # type: ignore[arg-type]

    monkeypatch.setattr(Leap, "_at_the_table", watched)
    shoes = sum(b'"event":"shoe-loaded/1"' in line for line in lines)
    assert verify.verify(lines).shuffles == shoes
    assert 0 < len(made) < shoes


def test_changes_of_shoes_that_nobody_can_check_go_the_slower_way(
    leapt: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it is not sure which shoe is loaded before each round, none is taken with others."""
    lines = evening(CHANGED, 150)
    monkeypatch.setattr(atlas, "_shoe", lambda _form: None)
    verifier = knowing(lines)
    leapt.clear()
    verifier.lines(lines)
    assert verifier.finish() == verify.verify(lines, shortcuts=False)
    assert 0 < max(leapt) <= max(end + 1 - start for start, end in rounds_of(lines)), "a change was taken"


@pytest.mark.parametrize(("rounds", "loads"), [(20, False), (1200, True)])
def test_only_a_long_file_loads_compiled_code(rounds: int, loads: bool) -> None:
    code = (
        "import sys; from longhu.audit import verify; verify.LONG = 5000; "
        "verify.verify(sys.stdin.buffer.readlines()); print('numba' in sys.modules)"
    )
    lines = b"".join(evening("dragon-tiger", rounds))
    told = subprocess.run([sys.executable, "-c", code], input=lines, capture_output=True, check=True)
    assert told.stdout.decode().strip() == str(loads)


def test_the_table_stands_as_its_events_have_made_it() -> None:
    """What was taken at once is put away by the table's own function."""
    lines = evening("dragon-tiger", 120)
    verifier = knowing(lines)
    verifier.lines(lines)
    verifier._leave_the_walk()
    assert verifier._table == proof.replayed(lines)


@pytest.mark.parametrize("where", [leap, atlas])
def test_more_than_the_kernel_can_count_goes_the_slower_way(
    where: ModuleType, leapt: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = evening("dragon-tiger", 60)
    monkeypatch.setattr(where, {leap: "NUMBER_MAX", atlas: "POSTING_MAX"}[where], 100)
    verifier = knowing(lines)
    leapt.clear()
    verifier.lines(lines)
    assert verifier.finish() == verify.verify(lines, shortcuts=False)
    assert sum(leapt) == 0
