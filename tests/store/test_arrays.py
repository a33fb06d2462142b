"""Columns as the server reads them: whatever is in a value comes out as it went in."""

from __future__ import annotations

import psycopg
from hypothesis import given
from hypothesis import strategies as st

from longhu.store.arrays import arrays, numbers, pieces, secrets, texts
from tests.store.server import Server

NAMES = st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0") | st.sampled_from('"\\{},')), max_size=5)


def test_values_come_out_as_they_went_in(server: Server) -> None:
    with psycopg.connect(server.address, autocommit=True) as connection:

        @given(NAMES, st.lists(st.integers(-(2**63), 2**63 - 1)), st.lists(st.binary()), st.lists(st.booleans()))
        def check(names: list[str], amounts: list[int], hidden: list[bytes], truths: list[bool]) -> None:
            asked = "select %s::text[], %s::bigint[], %s::bytea[], %s::boolean[]"
            written = (texts(names), numbers(amounts), secrets(hidden), numbers(truths))
            assert connection.execute(asked, written).fetchone() == (names, amounts, hidden, truths)

        check()


@given(st.lists(st.tuples(st.text(), st.integers(), st.binary())))
def test_rows_are_columns(rows: list[tuple[str, int, bytes]]) -> None:
    columns = [[row[place] for row in rows] for place in range(3)]
    assert arrays(rows, str, str, str) == [str(tuple(each)) for each in columns]


@given(st.lists(st.tuples(st.binary(), st.text(st.characters(codec="utf-8")))))
def test_pieces_are_where_it_is_said(pairs: list[tuple[bytes, str]]) -> None:
    whole, *places = pieces(pairs)
    cut = zip(*([int(each) for each in place[1:-1].split(",") if each] for place in places), strict=True)
    assert [(whole[a - 1 : b - 1], whole[b - 1 : c - 1].decode()) for a, b, c in cut] == pairs
