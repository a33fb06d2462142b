"""Connections to a PostgreSQL server, none of which waits for ever: not for a lock, not for an answer, not for a network
that is gone."""

from __future__ import annotations

import select
import time
from collections.abc import Mapping
from typing import TypeVar

import psycopg
from psycopg import sql
from psycopg.abc import PQGen
from psycopg.conninfo import conninfo_to_dict
from psycopg.types.numeric import Int8Dumper

from longhu.store.asking import Row

Connection = psycopg.Connection[Row]
T = TypeVar("T")

ANSWERS = 30.0  # seconds after which a server that says nothing is given up
REACHED = {  # as the address does not say otherwise; seconds, the last one milliseconds
    "connect_timeout": 10,
    "keepalives": 1,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
LIMITS = {  # what the server itself ends, so that a node that is frozen or gone does not keep its locks
    "statement_timeout": "15s",
    "lock_timeout": "10s",
    "idle_in_transaction_session_timeout": "15s",
    "transaction_timeout": "20s",
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "2",
    "tcp_keepalives_count": "3",
    "tcp_user_timeout": "10s",
}
BY_KEY = {  # a plan that is made while tables are small, and kept, must not read them whole once they are large
    "enable_seqscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
    "plan_cache_mode": "force_generic_plan",  # it is made once: whatever is asked for, it is found in the same way
    "default_transaction_isolation": "read committed",  # a statement sees what its lock waited for
}
PACKED = {
    "default_toast_compression": "lz4"
}  # a fifth of the time that the usual way takes; see scripts/…/0001-store.sql
STEADILY = {
    "backend_flush_after": "1MB"
}  # what is written goes on to the disk: a checkpoint that finds all of it unwritten keeps commits waiting
_SET = (  # an older server lacks some of them, and one that was built without lz4 that
    "select set_config(asked.name, asked.value, false) from unnest(%s::text[], %s::text[]) as asked (name, value) "
    "join pg_settings known on known.name = asked.name and (known.enumvals is null or asked.value = any (known.enumvals))"
)


class Patient(Connection):
    """A connection that is closed when the server does not answer."""

    def wait(self, gen: PQGen[T], interval: float = 0.1, timeout: float | None = None) -> T:
        started = time.monotonic()
        try:
            return super().wait(gen, interval, ANSWERS if timeout is None else timeout)
        except psycopg.OperationalError as error:
            if timeout is not None or time.monotonic() - started < ANSWERS:
                raise
            self.close()
            raise psycopg.OperationalError(f"the server has not answered for {ANSWERS:g} s") from error


def reached(address: str) -> dict[str, str | int | None]:
    """What an address says, and what it leaves to us."""
    return {**REACHED, **conninfo_to_dict(address)}


def connect(address: str, schema: str, settings: Mapping[str, str] = LIMITS) -> Patient:
    """A connection for short questions."""
    connection = Patient.connect(autocommit=True, **reached(address))  # type: ignore[arg-type]
    try:
        connection.adapters.register_dumper(int, Int8Dumper)  # one type for all whole numbers: one plan for a statement
        _at_home(connection, schema)
        connection.execute(_SET, (list(settings), list(settings.values())))
    except BaseException:
        connection.close()
        raise
    return connection


def connect_by_key(address: str, schema: str) -> Patient:
    """A connection for questions that name the rows they mean, as all do that are asked while something is written."""
    return connect(address, schema, LIMITS | BY_KEY | PACKED | STEADILY)


def connect_for_long(address: str, schema: str) -> Connection:
    """A connection that may take as long as it takes: to change the shape of a large database, or to wait for that."""
    connection: Connection = psycopg.connect(autocommit=True, **reached(address))  # type: ignore[arg-type]
    try:
        _at_home(connection, schema)
    except BaseException:
        connection.close()
        raise
    return connection


def is_alive(connection: Connection) -> bool:
    """Nothing is heard from the server while nothing is asked, unless it has gone."""
    polled = select.poll()
    polled.register(connection.fileno(), select.POLLIN)
    return not polled.poll(0)


def _at_home(connection: Connection, schema: str) -> None:
    connection.execute(sql.SQL("set search_path to {}").format(sql.Identifier(schema)))
    ((synchronous,),) = connection.execute("show synchronous_commit").fetchall()
    if synchronous == "off":  # a commit would be acknowledged before it is on the disk
        connection.execute("set synchronous_commit to on")
