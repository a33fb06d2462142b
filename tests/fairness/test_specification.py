"""docs/shuffle.md is true: every figure of its example is worked out again from what the page itself says."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from longhu.audit.record import AREAS
from longhu.cards import DECK
from longhu.fairness.shuffle import PROTOCOL, VALUE_CHARACTERS, Mix, commitment, order
from longhu.fairness.vectors import KnownAnswer, digest, vectors
from longhu.table.messages import TABLE

DOCUMENT = (Path(__file__).parents[2] / "docs/shuffle.md").read_text()
EXAMPLE = DOCUMENT.partition("### One of them, step by step")[2].partition("### A word that is left")[0]
LEFT = DOCUMENT.partition("### A word that is left")[2]


def tables(text: str) -> list[list[dict[str, str]]]:
    """Every table of a text, its rows by column."""
    found = []
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        head, _, *rows = (
            [cell.strip().strip("`") for cell in row.strip("|\n").split("|")] for row in block.splitlines()
        )
        found.append([dict(zip(head, row, strict=True)) for row in rows])
    return found


def packed(rows: list[dict[str, str]]) -> bytes:
    return b"".join(bytes.fromhex(row["length"] + row["bytes"]) for row in rows)


def blocks(text: str) -> list[bytes]:
    return [bytes.fromhex(block) for block in re.findall(r"```\n([0-9a-f\n]+)```", text)]


def words(seed: bytes) -> Iterator[bytes]:
    stream = hashlib.shake_256(seed).digest(4 * 1000)
    return (stream[start : start + 4] for start in range(0, len(stream), 4))


@pytest.fixture
def known() -> KnownAnswer:
    return vectors()[2]


def test_each_part_of_the_example_is_its_length_and_its_bytes() -> None:
    for rows in tables(EXAMPLE)[:2]:
        for row in rows:
            told = bytes.fromhex(row["bytes"])
            assert int(row["length"], 16) == len(told)
            assert row["text"].encode() == told or row["part"] == "secret"


def test_the_parts_are_those_of_the_known_answer(known: KnownAnswer) -> None:
    sealed, seed = tables(EXAMPLE)[:2]
    said = [text for each in known.mix.contributions for text in (each.person, each.value)]
    counts = ",".join(map(str, known.mix.counts))
    start = [known.mix.table, str(known.mix.number), ""]
    assert [row["text"] for row in sealed] == [PROTOCOL.decode(), "commitment", *start]
    cut = [known.mix.cut_by, str(known.mix.cut_at)]
    assert [row["text"] for row in seed] == [PROTOCOL.decode(), "order", *start, counts, *cut, *said]
    assert {row["bytes"] for row in (*sealed, *seed) if row["part"] == "secret"} == {known.secret}


def test_the_packed_bytes_are_the_parts_in_turn() -> None:
    sizes = [int(size) for size in re.findall(r"Packed, (\d+) bytes", EXAMPLE)]
    made = [packed(rows) for rows in tables(EXAMPLE)[:2]]
    assert made == blocks(EXAMPLE)
    assert [len(each) for each in made] == sizes


def test_the_commitment_and_the_digest_follow(known: KnownAnswer) -> None:
    told = re.findall(r": `([0-9a-f]{64})`", EXAMPLE)
    cards = order(known.mix, bytes.fromhex(known.secret))
    assert told == [hashlib.sha256(blocks(EXAMPLE)[0]).hexdigest(), digest(cards)]
    assert told[0] == known.commitment == commitment(known.mix.table, known.mix.number, bytes.fromhex(known.secret))


def test_the_first_steps_follow(known: KnownAnswer) -> None:
    assert steps(tables(EXAMPLE)[2], known.mix, words(blocks(EXAMPLE)[1])) == list(known.first)


def steps(rows: list[dict[str, str]], mix: Mix, stream: Iterator[bytes]) -> list[str]:
    """The steps of a table, made with nothing but what the document says; the cards that they lay."""
    cards = [face for face, count in zip(deck(), mix.counts, strict=True) for _ in range(count)]
    for place, row in enumerate(rows):
        word, bound, other = next(stream), len(cards) - place, int(row["other"])
        assert (row["place"], row["word"]) == (str(place), word.hex())
        check_row(row, bound)
        assert other == place + int(row["word mod bound"])
        cards[place], cards[other] = cards[other], cards[place]
        assert row["card"] == cards[place]
    return cards[: len(rows)]


def check_row(row: dict[str, str], bound: int) -> None:
    number, fair = int(row["word"], 16), 2**32 - 2**32 % bound
    assert (int(row["as a number"]), int(row["bound"]), int(row["fair"])) == (number, bound, fair)
    assert row["word mod bound"] == (str(number % bound) if number < fair else "left")


def test_the_word_that_is_left() -> None:
    known = vectors()[7]
    (left, taken), secret = tables(LEFT)[0], bytes.fromhex(known.secret)
    place = int(left["place"])
    mix, counts = known.mix, ",".join(map(str, known.mix.counts))
    assert not mix.contributions
    parts = [PROTOCOL, b"order", mix.table.encode(), b"%d" % mix.number, secret, counts.encode()]
    parts += [mix.cut_by.encode(), b"%d" % mix.cut_at]
    stream = list(words(b"".join(len(part).to_bytes(4, "big") + part for part in parts)))
    assert [stream[place].hex(), stream[place + 1].hex()] == [left["word"], taken["word"]]
    for row in (left, taken):
        check_row(row, sum(mix.counts) - place)
    assert left["word mod bound"] == "left"
    assert int(taken["other"]) == place + int(taken["word mod bound"])
    assert taken["card"] == order(mix, secret)[place]


def deck() -> list[str]:
    """The deck as the document writes it out."""
    (block,) = re.findall(r"```\n(AS[^`]+)```", DOCUMENT)
    return str(block).split()


def test_the_deck_is_written_out() -> None:
    assert deck() == [str(each) for each in DECK]


def test_the_figures_of_the_text() -> None:
    passed = sum((2**32 % bound) / 2**32 for bound in range(2, 417))
    assert f"one shoe of {round(1 / passed, -3):,.0f}" in DOCUMENT
    assert f"1 to {VALUE_CHARACTERS} characters" in DOCUMENT
    assert f"`8,8,…,8`, {len(','.join('8' * 52))} bytes" in DOCUMENT


def test_the_events_are_called_so() -> None:
    told = set(re.findall(r"`([a-z-]+/1)`", DOCUMENT))
    assert len(told) == 12
    assert AREAS  # every area of the table has registered its events
    assert told - {PROTOCOL.decode()} <= {str(each.__struct_config__.tag) for each in TABLE.evolvers}
