"""The store of one house on one machine: a SQLite file.

WAL and synchronous FULL: a commit is one write and one sync of the log, and readers wait for nobody. apsw brings its own
SQLite; that of the interpreter may have the fault that can lose a WAL.

A batch takes few statements, however many appends it has: keys and rows go in as one JSON text, and what is found comes
back as one. With every step of a statement the interpreter may go to another thread, and a busy one keeps it for
milliseconds.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import apsw
import msgspec
from msgspec.structs import astuple

from longhu.store.database import Conversation, Pool, Row, pending, scripts
from longhu.store.errors import AlreadyExists, CommitFailed, Damaged, NotAStore, StoreError, StoreUnusable
from longhu.store.interface import Wake
from longhu.store.notifications import Ends, Polling
from longhu.store.sql import SqlStore, decode_found, encode_writes
from longhu.store.validation import Found, Needs, Writes

APPLICATION = 0x4C6F6E67  # "Long": marks the file as ours
WAITS = 10_000  # milliseconds for another process that writes
PAGES_KEPT = 4000  # of the log, before it is written back to the file
CACHE_KIB = 32_768  # of the file, in memory


class _SqliteConversation:
    def __init__(self, connection: apsw.Connection) -> None:
        self.connection = connection

    def ask(self, sql: str, *parameters: object) -> list[Row]:
        return list(self.connection.execute(sql, parameters))

    def run(self, sql: str, *parameters: object) -> None:
        self.ask(sql, *parameters)

    def put(self, sql: str, rows: Iterable[object], *parameters: object) -> None:
        """Many rows in one statement, which reads them with `jsonb_each(?1)`."""
        if text := _json(rows):
            self.connection.execute(sql, (text, *parameters))


def _write_ahead(connection: apsw.Connection) -> None:
    """Switch to the write-ahead log. SQLite does not wait for others who switch at the same moment: so we do."""
    until = time.monotonic() + WAITS / 1000
    while True:
        try:
            list(connection.execute("pragma journal_mode = wal"))
        except apsw.BusyError:
            if time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return


class SqliteStore(SqlStore[_SqliteConversation]):
    """A store in a file. One connection writes; others read beside it."""

    _holds = "instr(postings, ?) > 0"
    _matching = "words cross join appends a on a.number = words.rowid where words match ?"

    def __init__(self, path: Path, *, pages_max: int = 0) -> None:
        """`pages_max` limits the size of the file; 0 leaves it to the disk."""
        self.path, self._pages_max = path, pages_max
        self._unusable = ""
        self._lock = threading.Lock()
        self._readers = Pool(self._connect, apsw.Connection.close)
        try:
            _private(path)
            self._writer = self._connect()
        except (apsw.Error, OSError) as error:
            raise NotAStore(f"{path} cannot be opened as a store: {error}. Name another file.") from None
        try:
            self._migrate()
        except BaseException:
            self._writer.close()
            raise

    def _connect(self) -> apsw.Connection:
        connection = apsw.Connection(str(self.path))
        connection.set_busy_timeout(WAITS)
        settings = ["synchronous = full", "fullfsync = on", "foreign_keys = on"]
        settings += [f"wal_autocheckpoint = {PAGES_KEPT}", f"cache_size = -{CACHE_KIB}"]
        if self._pages_max:
            settings.append(f"max_page_count = {self._pages_max}")
        try:
            _write_ahead(connection)
            for setting in settings:
                list(connection.execute(f"pragma {setting}"))
        except BaseException:
            connection.close()
            raise
        return connection

    def _migrate(self) -> None:
        """Bring the file to the shape that this program knows. Whoever starts at the same time waits."""
        known = scripts("sqlite")
        while True:
            with self._writing() as writing:
                ((marked,),) = writing.ask("pragma application_id")
                ((applied,),) = writing.ask("pragma user_version")
                if marked != APPLICATION and (marked or applied or writing.ask("select 1 from sqlite_schema limit 1")):
                    raise NotAStore(f"{self.path} is a database of another program. Name another file.")
                missing = pending(known, applied, str(self.path))
                if not missing:
                    return
                writing.run(f"pragma application_id = {APPLICATION}")
                writing.run(missing[0].text)
                writing.run(f"pragma user_version = {missing[0].number}")

    @contextmanager
    def _reading(self) -> Iterator[Conversation]:
        try:
            with self._readers.lent() as connection:
                yield _SqliteConversation(connection)
        except apsw.Error as error:
            raise _told(error, self.path) from error

    @contextmanager
    def _writing(self) -> Iterator[_SqliteConversation]:
        with self._lock:
            if self._unusable:
                raise StoreUnusable(self._unusable)
            try:
                self._writer.execute("begin immediate")
                yield _SqliteConversation(self._writer)
                self._writer.execute("commit")
            except apsw.Error as error:
                self._roll_back()
                told = _told(error, self.path)
                if isinstance(told, StoreUnusable):
                    self._unusable = str(told)
                raise told from error
            except BaseException:
                self._roll_back()
                raise

    def _roll_back(self) -> None:
        if self._writer.in_transaction:
            with suppress(apsw.Error):  # a full disk has rolled back already; what is left open is found below
                self._writer.execute("rollback")
        if self._writer.in_transaction:
            self._unusable = f"a transaction of {self.path} could not be undone. Open the store again."

    def _find(self, writing: _SqliteConversation, needs: Needs) -> Found:
        ((answer,),) = writing.ask(_FIND, *(msgspec.json.encode(each).decode() for each in astuple(needs)))
        return decode_found(answer)

    def _put(self, writing: _SqliteConversation, writes: Writes) -> None:
        rows, columns = encode_writes(writes)
        for kind, each in rows.items():
            writing.put(_PUT[kind], each, *((columns,) if kind == "appends" else ()))

    def _last_number(self, indexed: int) -> int:
        return int(self._answer("select coalesce(max(number), ?) from appends", indexed)[0][0])

    def _put_words(self, writing: _SqliteConversation, words: Sequence[tuple[int, str]]) -> None:
        writing.put(
            "insert into words (rowid, text) select value ->> 0, value ->> 1 from jsonb_each(?1) order by 1", words
        )

    def _match(self, whole: Sequence[str], beginnings: Sequence[str]) -> str:
        return " ".join([*(f'"{word}"' for word in whole), *(f'"{word}"*' for word in beginnings)])

    def _hold_wallets(self, writing: _SqliteConversation) -> None:
        """Nobody else writes at all."""

    def changes(self, wake: Wake) -> Polling:
        return Polling(wake, partial(self._last_number, 0), self._appended)

    def _appended(self, number: int) -> tuple[int, Ends]:
        """The number of the last append, and where the trails stand that something was appended to behind that number."""
        rows = self._answer(
            "select table_id, max(last_sequence), max(number) from appends where number > ? group by table_id", number
        )
        return max((row[2] for row in rows), default=number), {row[0]: row[1] for row in rows}

    def backup(self, path: Path) -> None:
        """A copy of the store as it stands at this moment, while it is in use. It is whole, or it is not there.

        The copy has the secrets of shuffles that are not revealed: keep it as well as the store itself.
        """
        if path.exists():
            raise AlreadyExists(f"{path} is there already. Choose another name; a backup is never written over.")
        unfinished = path.with_name(path.name + ".unfinished")
        unfinished.unlink(missing_ok=True)
        try:
            _private(unfinished)
            self._copy(unfinished)
            _sync(unfinished)
            os.link(unfinished, path)  # fails where somebody else has made that file meanwhile
            _sync(path.parent)
        except (apsw.Error, OSError) as error:
            raise CommitFailed(f"{path} could not be written: {error}. There is no backup of that name.") from error
        finally:
            unfinished.unlink(missing_ok=True)

    def _copy(self, path: Path) -> None:
        target = apsw.Connection(str(path))
        try:
            with self._readers.lent() as source, target.backup("main", source, "main") as copying:
                copying.step(-1)  # in one go: a reader of a WAL keeps its snapshot, and hinders no writer
            list(target.execute("pragma journal_mode = delete"))  # so that the copy is one file
            ((sound,),) = target.execute("pragma quick_check(1)")
        finally:
            target.close()
        if sound != "ok":
            raise Damaged(f"the copy in {path} is not sound: {sound}. Check the disk, and the store itself.")

    def close(self) -> None:
        """Nothing is lost by not closing; the log is written back to the file."""
        self._readers.close()
        with self._lock:
            self._unusable = self._unusable or "the store is closed. Open it again."
            self._writer.close()


# The parameters are the fields of `Needs`. A cross join is read from left to right: for each key that is asked for, one look into the table.
_FIND = """
select json_object(
  'standings', json((
    select json_group_array(json_array(
      t.id, t.sequence, t.head, t.last_at, json(iif(t.game is null, 'true', 'false')),
      json((select json_group_array(g.digest) from table_games g where g.table_id = t.id))))
    from jsonb_each(?1) as asked cross join tables t on t.id = asked.value)),
  'commands', json((
    select json_group_array(json_array(a.table_id, a.command, a.first_sequence, a.last_sequence, a.fingerprint))
    from jsonb_each(?2) as asked
    cross join appends a on a.table_id = asked.value ->> 0 and a.command = asked.value ->> 1)),
  'balances', json((
    select json_group_array(json_array(b.table_id, b.account, b.balance))
    from jsonb_each(?3) as asked
    cross join balances b on b.table_id = asked.value ->> 0 and b.account = asked.value ->> 1)),
  'sealed', json((
    select json_group_array(json_array(s.table_id, s.shoe, hex(s.secret)))
    from jsonb_each(?4) as asked
    cross join sealed s on s.table_id = asked.value ->> 0 and s.shoe = asked.value ->> 1)),
  'wallets', json((
    select json_group_object(w.person, w.balance)
    from jsonb_each(?5) as asked cross join wallets w on w.person = asked.value)),
  'risks', json((
    select json_group_array(json_array(r.person, r.table_id, r.round, r.staked))
    from (select distinct value ->> 0 as person from jsonb_each(?6)) as asked
    cross join risks r on r.person = asked.person
    where not exists (select 1 from rounds o where o.table_id = r.table_id and o.number >= r.round))),
  'lost', json((
    select json_group_array(json_array(asked.value ->> 0, asked.value ->> 1, (
      select coalesce(-sum(p.net), 0) from plays p
      where p.person = asked.value ->> 0 and p.at >= asked.value ->> 1)))
    from jsonb_each(?6) as asked)))
"""
# What fails takes back the whole transaction, as it would here in any case. So SQLite need not write down, statement by
# statement, how the pages were before: that was nearly half of all that a commit wrote.
_PUT = {  # by kind, as `encode_writes` has them
    "appends": """
insert or rollback into appends (table_id, first_sequence, last_sequence, command, fingerprint, lines, postings)
select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4,
  substr(?2, value ->> 5, (value ->> 6) - (value ->> 5)), cast(substr(?2, value ->> 6, (value ->> 7) - (value ->> 6)) as text)
from jsonb_each(?1)
""",
    "standings": """
update or rollback tables set sequence = put.value ->> 1, head = put.value ->> 2, last_at = put.value ->> 3
from jsonb_each(?1) as put where tables.id = put.value ->> 0
""",
    "balances": """
insert or rollback into balances (table_id, account, balance, may_owe)
select value ->> 0, value ->> 1, value ->> 2, value ->> 3 from jsonb_each(?1) where true
on conflict (table_id, account) do update set balance = excluded.balance
""",
    "seals": """
insert or rollback into sealed (table_id, shoe, secret)
select value ->> 0, value ->> 1, unhex(value ->> 2) from jsonb_each(?1)
""",
    "reveals": "delete from sealed where (table_id, shoe) in (select value ->> 0, value ->> 1 from jsonb_each(?1))",
    "wallets": """
update or rollback wallets set balance = put.value ->> 1 from jsonb_each(?1) as put where person = put.value ->> 0
""",
    "plays": """
insert or rollback into plays (person, table_id, round, at, staked, net, sequence, kind)
select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7
from jsonb_each(?1)
""",
    "rounds": """
insert or rollback into rounds (table_id, number, first_sequence, last_sequence, started, ended, winner)
select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6
from jsonb_each(?1) where true
on conflict (table_id, number) do update set
  first_sequence = excluded.first_sequence, last_sequence = excluded.last_sequence,
  started = excluded.started, ended = excluded.ended, winner = excluded.winner
""",
    "risks": """
insert or rollback into risks (person, table_id, round, staked)
select value ->> 0, value ->> 1, value ->> 2, value ->> 3 from jsonb_each(?1) where true
on conflict (person, table_id) do update set round = excluded.round, staked = excluded.staked
""",
}


def _json(rows: Iterable[object]) -> str:
    """As many rows as there are, "" for none."""
    listed = list(rows)
    return msgspec.json.encode(listed).decode() if listed else ""


def _told(error: apsw.Error, path: Path) -> StoreError:
    """What happened to the file, and whether the store can still be used."""
    if isinstance(error, apsw.FullError):
        return CommitFailed(f"{path}: the disk is full ({error}). Nothing was written. Make room, and ask again.")
    if isinstance(error, apsw.ConstraintError):
        return CommitFailed(f"{path} refuses what was to be written ({error}). Nothing was written.")
    if isinstance(error, apsw.BusyError):
        return CommitFailed(f"{path}: another process has been writing for {WAITS // 1000} s. Ask again.")
    if isinstance(error, apsw.CorruptError | apsw.NotADBError):
        return StoreUnusable(
            f"{path} is damaged: {error}. Stop, keep the file as it is, and restore a backup beside it."
        )
    if isinstance(error, apsw.IOError | apsw.CantOpenError | apsw.ReadOnlyError):
        return StoreUnusable(
            f"{path}: the disk failed ({error}). Nothing was acknowledged. Mend it, and open the store again."
        )
    return CommitFailed(f"{path}: {error}. Nothing was written.")


def _private(path: Path) -> None:
    """A new file that only its owner reads: it will hold secrets."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def _sync(path: Path) -> None:
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
