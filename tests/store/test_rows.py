"""Records in a row come back byte for byte, and whoever has old rows can still read them."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longhu.audit import proof
from longhu.store.errors import Damaged
from longhu.store.interface import Store
from longhu.store.sql import DICTIONARY, decode_lines, encode_lines, lines_of
from tests.audit.evening import ordinary
from tests.store.house import Place, opened
from tests.store.tampering import rewrite_lines

LINES = st.lists(st.binary().map(lambda text: b"{" + text.replace(b"\n", b"")), min_size=1)


@given(LINES)
def test_lines_come_back_byte_for_byte(lines: list[bytes]) -> None:
    row = encode_lines(lines)
    assert decode_lines(row) == lines
    assert lines_of(7, row, after=7) == lines[1:]
    assert lines_of(7, row, after=6, last=7) == lines[:1]


@given(LINES)
def test_rows_that_are_not_compressed_can_be_read(lines: list[bytes]) -> None:
    assert decode_lines(b"\n".join(lines)) == lines


def test_the_dictionary_is_the_one_that_rows_were_written_with() -> None:
    """Another dictionary gets another number, and this one stays."""
    assert hashlib.sha256(DICTIONARY).hexdigest() == "a57bb8adaf24f3a8e0e50856d40911f734fe41dd351dcd739047a2ce4cd5e8e9"


@pytest.mark.parametrize("game", ["dragon-tiger", "dragon-21", "immortal-dragon-tiger"])
def test_records_take_less_than_half_of_their_length(game: str) -> None:
    lines = list(proof.records(ordinary(game).trail.lines))
    assert sum(len(encode_lines([line])) for line in lines) < sum(map(len, lines)) / 2


def test_a_row_may_stay_plain() -> None:
    lines = [b'{"sequence":1}', b'{"sequence":2}']
    assert encode_lines(lines, plain=True) == b"\n".join(lines)
    assert decode_lines(b"\n".join(lines)) == lines


def test_a_row_that_cannot_be_decompressed_is_damaged() -> None:
    with pytest.raises(Damaged, match="cannot be read"):
        decode_lines(b"\x01no deflated text at all")


def test_a_plain_row_among_others_is_read(place: Place, store: Store) -> None:
    seat = opened(store)
    store.commit([seat.buys(5, 6)])
    before = list(store.records("T1"))
    rewrite_lines(place, "T1", lambda lines: lines)  # writes them plain
    store.commit([seat.buys(7)])
    assert list(store.records("T1"))[:3] == before
