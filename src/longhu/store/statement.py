"""A statement that goes with every commit: the server knows it by its name, and is sent the parameters alone.

psycopg does that for any query, and finds out each time how to write every value and read every answer. For this one that is
known, and finding it out took half of our own time for a commit of one row.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import count

from psycopg import errors, pq
from psycopg.generators import execute

from longhu.store.connecting import Patient

TEXT, BINARY = pq.Format.TEXT, pq.Format.BINARY


class Statement:
    """One whose parameters are texts, or bytes as they are, and whose answer is that it was done."""

    def __init__(self, name: str, sql: str) -> None:
        numbers = count(1)
        self._name, self._sql = name.encode(), re.sub(r"\?", lambda _: f"${next(numbers)}", sql).encode()

    def run(self, connection: Patient, parameters: Sequence[bytes | str]) -> None:
        """Nothing else may be on its way on this connection."""
        if self._name not in connection.named:
            connection.pgconn.send_prepare(self._name, self._sql)
            _wait_for(connection)
            connection.named.add(self._name)
        connection.pgconn.send_query_prepared(
            self._name,
            [each if isinstance(each, bytes) else each.encode() for each in parameters],
            [BINARY if isinstance(each, bytes) else TEXT for each in parameters],
        )
        _wait_for(connection)


def _wait_for(connection: Patient) -> None:
    for each in connection.wait(execute(connection.pgconn)):
        if each.status not in (pq.ExecStatus.COMMAND_OK, pq.ExecStatus.TUPLES_OK):
            raise errors.error_from_result(each)
