"""Rows as PostgreSQL takes many of them at once: one array for each column, written as the server reads them.

psycopg does it as well, value by value; in a profile of large batches that was half of the time. So a column is written as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, chain
from typing import Any

from longhu.store.asking import Row

Column = Callable[[Sequence[Any]], str]  # writes all values of one


def arrays(rows: Iterable[Row], *columns: Column) -> list[str]:
    r"""
    >>> arrays([("red", 1), ('the "black"', 2)], texts, numbers)
    ['{"red","the \\"black\\""}', '{1,2}']
    """
    turned = list(zip(*rows, strict=True)) or [()] * len(columns)
    return [column(values) for column, values in zip(columns, turned, strict=True)]


def texts(values: Sequence[str]) -> str:
    if not values:
        return "{}"
    joined = '","'.join(values)
    if "\\" in joined or joined.count('"') > 2 * (len(values) - 1):  # one of them has what means something there
        joined = '","'.join([each.replace("\\", "\\\\").replace('"', '\\"') for each in values])
    return f'{{"{joined}"}}'


def numbers(values: Sequence[int]) -> str:
    """Truths as well."""
    return "{" + ",".join(map(str, values)) + "}"


def secrets(values: Sequence[bytes]) -> str:
    return "{" + ",".join([f'"\\\\x{each.hex()}"' for each in values]) + "}"


def pieces(pairs: Sequence[tuple[bytes, str]]) -> tuple[bytes, str, str, str]:
    """Two long values of each row in one piece, and where in it each begins and the second ends, counted from one.

    >>> pieces([(b"ab", "c"), (b"", "de")])
    (b'abcde', '{1,4}', '{3,4}', '{4,6}')
    """
    whole = list(chain.from_iterable([(first, second.encode()) for first, second in pairs]))
    places = list(accumulate(map(len, whole), initial=1))
    return b"".join(whole), numbers(places[:-1:2]), numbers(places[1::2]), numbers(places[2::2])
