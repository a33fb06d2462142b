"""The store of a house on several machines: a PostgreSQL database.

A writer locks the row of each table first, in the order of names, so that writers wait for each other but never in a
circle. A batch is a handful of statements, however many appends it has: keys and rows go in as one JSON text, and what is found comes
back as one. Every wait has a timeout: for a lock, for an answer, for the network.
"""

from __future__ import annotations

import select
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from typing import TypeVar

import msgspec
import psycopg
from psycopg import sql
from psycopg.abc import PQGen
from psycopg.conninfo import conninfo_to_dict
from psycopg.types.numeric import Int8BinaryDumper, Int8Dumper

from longhu.store.database import Conversation, Pool, Row, Script, pending, scripts
from longhu.store.errors import CommitFailed, NotAStore, StoreError
from longhu.store.interface import Wake
from longhu.store.notifications import Listening, channel, notices
from longhu.store.sql import SqlStore, decode_found, encode_writes
from longhu.store.validation import Found, Needs, Writes

Connection = psycopg.Connection[Row]
T = TypeVar("T")

STARTING = 0x4C6F6E67  # the lock of whoever changes the shape
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
        for dumper in (Int8Dumper, Int8BinaryDumper):  # one type for all whole numbers: one plan for a statement
            connection.adapters.register_dumper(int, dumper)
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


class _PostgresqlConversation:
    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def ask(self, sql: str, *parameters: object) -> list[Row]:
        return self.asked(sql, *parameters).fetchall()

    def asked(self, sql: str, *parameters: object) -> psycopg.Cursor[Row]:
        """A question whose answer is fetched later, so that others can be on their way with it."""
        return self.connection.execute(_query(sql), parameters, binary=True)

    def run(self, sql: str, *parameters: object) -> None:
        self.connection.execute(_query(sql), parameters)


class PostgresqlStore(SqlStore[_PostgresqlConversation]):
    """A store in one schema of a database."""

    _holds = "strpos(postings, ?) > 0"
    _matching = "words join appends a on a.number = words.number where words.words @@ ?::tsquery"

    def __init__(self, address: str, *, schema: str = "longhu") -> None:
        self._schema = schema
        self._connect = partial(connect, address, schema)
        self._readers = Pool(self._connect, psycopg.Connection.close, is_alive)
        self._writers = Pool(partial(connect_by_key, address, schema), psycopg.Connection.close, is_alive, kept=2)
        try:
            with connect_for_long(address, schema) as connection:
                _durable(connection)
                self._migrate(connection)
        except psycopg.Error as error:
            raise NotAStore(f"the PostgreSQL store cannot be opened: {_words(error)}. Check the address.") from error

    def _migrate(self, connection: Connection) -> None:
        """Bring the schema to the shape that this program knows. Whoever starts at the same time waits."""
        known = scripts("postgresql")
        connection.execute("select pg_advisory_lock(%s)", (STARTING,))
        try:
            while missing := self._missing(connection, known):
                with connection.transaction():
                    self._apply(connection, missing[0])
        finally:
            if not connection.broken:
                connection.execute("select pg_advisory_unlock(%s)", (STARTING,))

    def _missing(self, connection: Connection, known: list[Script]) -> list[Script]:
        found = connection.execute("select to_regclass(%s)", (f'"{self._schema}".migrations',)).fetchall()
        ((applied,),) = (
            connection.execute("select coalesce(max(number), 0) from migrations").fetchall() if found[0][0] else [(0,)]
        )
        return pending(known, applied, f"the schema {self._schema}")

    def _apply(self, connection: Connection, script: Script) -> None:
        if script.number == 1:
            connection.execute(sql.SQL("create schema if not exists {}").format(sql.Identifier(self._schema)))
            connection.execute("create table migrations (number integer primary key, name text not null)")
        connection.execute(script.text.encode())
        connection.execute("insert into migrations (number, name) values (%s, %s)", (script.number, script.name))

    @contextmanager
    def _reading(self) -> Iterator[Conversation]:
        try:
            with self._readers.lent() as connection:
                yield _PostgresqlConversation(connection)
        except psycopg.Error as error:
            raise StoreError(f"the PostgreSQL store could not be read: {_words(error)}. Ask again.") from error

    @contextmanager
    def _writing(self) -> Iterator[_PostgresqlConversation]:
        """Statements are sent without waiting for the one before, except where an answer is asked for."""
        try:
            with self._writers.lent() as connection:
                with connection.pipeline():
                    connection.execute(
                        "begin isolation level read committed"
                    )  # a question sees what the lock waited for
                    yield _PostgresqlConversation(connection)
                    committed = connection.execute("commit")
                if committed.statusmessage != "COMMIT":
                    raise psycopg.OperationalError(f"the answer to commit was {committed.statusmessage}")
        except psycopg.Error as error:
            raise _unwritten(error) from error

    def _find(self, writing: _PostgresqlConversation, needs: Needs) -> Found:
        """All questions go at once; each is answered after the one before, the first when it has the locks."""
        asked = msgspec.json.encode(needs).decode()
        answers = [writing.asked(_LOCKED, needs.tables), writing.asked(_FIND, asked)]
        if needs.people:
            answers.append(writing.asked(_WALLETS, needs.people))
        if needs.bounds:
            answers.append(writing.asked(_LOSSES, asked))
        return decode_found(*(answer.fetchall()[0][0] for answer in answers))

    def _put(self, writing: _PostgresqlConversation, writes: Writes) -> None:
        rows, columns = encode_writes(writes)
        news = notices([(each.table, each.sequence) for each in writes.standings.values()])
        writing.run(_PUT, msgspec.json.encode(rows).decode(), columns, channel(self._schema), news)

    def _last_number(self, indexed: int) -> int:
        question = "select coalesce(max(number), ?) from appends"
        if self._answer(question, indexed) == [(indexed,)]:
            return indexed
        with self._writing() as writing:  # a number is given before its commit: nobody must be in the middle of one
            writing.run("lock table appends in share mode")
            return int(writing.ask(question, indexed)[0][0])

    def _put_words(self, writing: _PostgresqlConversation, words: Sequence[tuple[int, str]]) -> None:
        writing.run(_PUT_WORDS, msgspec.json.encode(words).decode())

    def _match(self, whole: Sequence[str], beginnings: Sequence[str]) -> str:
        return " & ".join([*(f"'{word}'" for word in whole), *(f"'{word}':*" for word in beginnings)])

    def _hold_wallets(self, writing: _PostgresqlConversation) -> None:
        """Whoever moves money of people locks rows here first, so that this waits for them and they for this."""
        writing.run("lock table wallets in exclusive mode")

    def changes(self, wake: Wake) -> Listening:
        return Listening(wake, self._connect, self._schema)

    def close(self) -> None:
        self._readers.close()
        self._writers.close()


# Each question is answered with one JSON text. `limit 1` keeps the order of a join: for each key that is asked for, one look into an index.
_LOCKED = """
select json_build_object('standings', coalesce(json_agg(json_build_array(
  t.id, t.sequence, t.head, t.last_at, t.game is null,
  array(select g.digest from table_games g where g.table_id = t.id))), '[]'))::text
from (select * from tables where id = any(?::text[]) order by id for update) as t
"""
_FIND = """
with asked as (select ?::jsonb as needs)
select json_build_object(
  'commands', (
    select coalesce(json_agg(json_build_array(a.table_id, a.command, a.first_sequence, a.last_sequence, a.fingerprint)), '[]')
    from jsonb_array_elements(needs -> 'commands') as key cross join lateral (
      select * from appends where table_id = key ->> 0 and command = key ->> 1 limit 1) as a),
  'balances', (
    select coalesce(json_agg(json_build_array(b.table_id, b.account, b.balance)), '[]')
    from jsonb_array_elements(needs -> 'accounts') as key cross join lateral (
      select * from balances where table_id = key ->> 0 and account = key ->> 1 limit 1) as b),
  'sealed', (
    select coalesce(json_agg(json_build_array(s.table_id, s.shoe, encode(s.secret, 'hex'))), '[]')
    from jsonb_array_elements(needs -> 'shoes') as key cross join lateral (
      select * from sealed where table_id = key ->> 0 and shoe = (key ->> 1)::bigint limit 1) as s))::text
from asked
"""
_WALLETS = """
select json_build_object('wallets', coalesce(json_object_agg(person, balance), '{}'))::text
from (select * from wallets where person = any(?::text[]) order by person for update) as w
"""
# Both as of one moment: what is settled in it is lost, or still at stake, and never neither.
_LOSSES = """
with asked as (
  select key ->> 0 as person, (key ->> 1)::bigint as since from jsonb_array_elements(?::jsonb -> 'bounds') as key)
select json_build_object(
  'lost', (
    select json_agg(json_build_array(person, since, (
      select coalesce(-sum(p.net), 0) from plays p where p.person = asked.person and p.at >= asked.since)))
    from asked),
  'risks', (
    select coalesce(json_agg(json_build_array(r.person, r.table_id, r.round, r.staked)), '[]')
    from risks r where r.person in (select person from asked)
    and not exists (select 1 from rounds o where o.table_id = r.table_id and o.number >= r.round)))::text
"""
_PUT = """
with put as (select ?::jsonb as rows, ?::bytea as columns),
put_appends as (
  insert into appends (table_id, first_sequence, last_sequence, command, fingerprint, lines, postings)
  select row ->> 0, (row ->> 1)::bigint, (row ->> 2)::bigint, row ->> 3, row ->> 4,
    substring(columns from (row ->> 5)::int for (row ->> 6)::int - (row ->> 5)::int),
    convert_from(substring(columns from (row ->> 6)::int for (row ->> 7)::int - (row ->> 6)::int), 'UTF8')
  from put, jsonb_array_elements(rows -> 'appends') as row),
put_standings as (
  update tables set sequence = (row ->> 1)::bigint, head = row ->> 2, last_at = (row ->> 3)::bigint
  from put, jsonb_array_elements(rows -> 'standings') as row where id = row ->> 0),
put_balances as (
  insert into balances (table_id, account, balance, may_owe)
  select row ->> 0, row ->> 1, (row ->> 2)::bigint, (row ->> 3)::boolean
  from put, jsonb_array_elements(rows -> 'balances') as row
  on conflict (table_id, account) do update set balance = excluded.balance),
put_seals as (
  insert into sealed (table_id, shoe, secret) select row ->> 0, (row ->> 1)::bigint, decode(row ->> 2, 'hex')
  from put, jsonb_array_elements(rows -> 'seals') as row),
put_reveals as (
  delete from sealed using put, jsonb_array_elements(rows -> 'reveals') as row
  where table_id = row ->> 0 and shoe = (row ->> 1)::bigint),
put_wallets as (
  update wallets set balance = (row ->> 1)::bigint
  from put, jsonb_array_elements(rows -> 'wallets') as row where person = row ->> 0),
put_plays as (
  insert into plays (person, table_id, round, at, staked, net, sequence, kind)
  select row ->> 0, row ->> 1, (row ->> 2)::bigint, (row ->> 3)::bigint, (row ->> 4)::bigint, (row ->> 5)::bigint,
    (row ->> 6)::bigint, row ->> 7
  from put, jsonb_array_elements(rows -> 'plays') as row),
put_rounds as (
  insert into rounds (table_id, number, first_sequence, last_sequence, started, ended, winner)
  select row ->> 0, (row ->> 1)::bigint, (row ->> 2)::bigint, (row ->> 3)::bigint, (row ->> 4)::bigint, (row ->> 5)::bigint,
    row ->> 6
  from put, jsonb_array_elements(rows -> 'rounds') as row
  on conflict (table_id, number) do update set
    first_sequence = excluded.first_sequence, last_sequence = excluded.last_sequence,
    started = excluded.started, ended = excluded.ended, winner = excluded.winner),
put_risks as (
  insert into risks (person, table_id, round, staked)
  select row ->> 0, row ->> 1, (row ->> 2)::bigint, (row ->> 3)::bigint
  from put, jsonb_array_elements(rows -> 'risks') as row
  on conflict (person, table_id) do update set round = excluded.round, staked = excluded.staked)
select pg_notify(?, news) from unnest(?::text[]) as news
"""
_PUT_WORDS = """
insert into words (number, words)
select (row ->> 0)::bigint, array_to_tsvector(string_to_array(row ->> 1, ' ')) from jsonb_array_elements(?::jsonb) as row
"""


@cache
def _query(text: str) -> bytes:
    """As psycopg has it. Parameters are binary: nothing is escaped."""
    return text.replace("?", "%b").encode()


def _durable(connection: Connection) -> None:
    """A server that does not sync its disk, or does not keep texts as they are, is no store."""
    for setting, expected in (("fsync", "on"), ("server_encoding", "UTF8")):
        found = connection.execute(sql.SQL("show {}").format(sql.Identifier(setting))).fetchall()[0][0]
        if found != expected:
            raise NotAStore(
                f"the PostgreSQL server has {setting} = {found}, and a store needs {expected}: what was acknowledged "
                "could be lost. Set it, and start again."
            )


def _unwritten(error: psycopg.Error) -> CommitFailed:
    return CommitFailed(
        f"the PostgreSQL store could not be written: {_words(error)}. Nothing was acknowledged. "
        "Ask again with the same command id."
    )


def _words(error: psycopg.Error) -> str:
    """The first line of what the server said, without its full stop."""
    said = str(error).strip().splitlines() or [type(error).__name__]
    return said[0].rstrip(".")
