"""The store of one house on one machine: a SQLite file.

WAL and synchronous FULL: a commit is one write and one sync of the log, and readers wait for nobody. apsw brings its own
SQLite; that of the interpreter may have the fault that can lose a WAL.

A batch takes few statements, each with many rows and one answer. With every step of a statement the interpreter may go to
another thread, and a busy one keeps it for milliseconds.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import apsw
import msgspec
from msgspec.structs import astuple

from longhu.ledger import unlimited
from longhu.store.asking import Conversation, Row
from longhu.store.entries import Standing
from longhu.store.errors import Contradicted, Damaged, NotOurs, StoreError, Taken, Unusable, Unwritten
from longhu.store.interface import Wake
from longhu.store.migrations import pending, scripts
from longhu.store.plan import Found, Needs, Writes, moved_on
from longhu.store.polling import Polling, Stands
from longhu.store.pool import Pool
from longhu.store.sql import SqlStore

APPLICATION = 0x4C6F6E67  # "Long": marks the file as ours
WAITS = 10_000  # milliseconds for another process that writes
PAGES_KEPT = 4000  # of the log, before it is written back to the file
CACHE_KIB = 32_768  # of the file, in memory
ROWS = (256, 64, 16, 4, 1)  # that go in one statement


class _Conversation:
    def __init__(self, connection: apsw.Connection) -> None:
        self.connection = connection

    def ask(self, sql: str, *parameters: object) -> list[Row]:
        return list(self.connection.execute(sql, parameters))

    def run(self, sql: str, *parameters: object) -> None:
        self.ask(sql, *parameters)

    def told(self, sql: str, *parameters: object) -> Any:
        """An answer that is one JSON text."""
        ((answer,),) = self.connection.execute(sql, parameters)
        return msgspec.json.decode(answer)

    def put(self, sql: str, rows: Sequence[Row]) -> None:
        """Many rows, where `{}` stands for them in a statement."""
        done = 0
        for many in ROWS:
            while len(rows) - done >= many:
                statement = _for_rows(sql, len(rows[0]), many)
                self.connection.execute(statement, tuple(chain.from_iterable(rows[done : done + many])))
                done += many


@cache
def _for_rows(sql: str, columns: int, rows: int) -> str:
    row = f"({', '.join('?' * columns)})"
    return sql.format(f"values {', '.join([row] * rows)}")


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


class _News:
    """Where trails stand: all of them when it is asked first, and from then on those that something was appended to."""

    def __init__(self, ask: Callable[..., list[Row]]) -> None:
        self._ask = ask
        self._last = 0  # the number of the last append that was seen

    def __call__(self) -> Stands:
        ((last,),) = self._ask("select coalesce(max(number), 0) from appends")
        if not self._last:
            found = self._ask("select id, sequence from tables")
        else:
            found = self._ask(
                "select table_id, max(last_sequence) from appends where number > ? and number <= ? group by table_id",
                self._last,
                last,
            )
        self._last = last
        return {row[0]: row[1] for row in found}


class SqliteStore(SqlStore[_Conversation]):
    """A store in a file. One connection writes; others read beside it."""

    _holds = "instr(postings, ?) > 0"

    def __init__(self, path: Path, *, pages_max: int = 0) -> None:
        """`pages_max` limits the size of the file; 0 leaves it to the disk."""
        super().__init__()
        self.path, self._pages_max = path, pages_max
        self._unusable = ""
        self._lock = threading.Lock()
        self._polling: list[Polling] = []
        self._readers = Pool(self._connect, apsw.Connection.close)
        try:
            _private(path)
            self._writer = self._connect()
        except (apsw.Error, OSError) as error:
            raise NotOurs(f"{path} cannot be opened as a store: {error}. Name another file.") from None
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
                    raise NotOurs(f"{self.path} is a database of another program. Name another file.")
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
                yield _Conversation(connection)
        except apsw.Error as error:
            raise _told(error, self.path) from error

    @contextmanager
    def _writing(self) -> Iterator[_Conversation]:
        with self._lock:
            if self._unusable:
                raise Unusable(self._unusable)
            try:
                self._writer.execute("begin immediate")
                yield _Conversation(self._writer)
                self._writer.execute("commit")
            except apsw.Error as error:
                self._roll_back()
                told = _told(error, self.path)
                if isinstance(told, Unusable):
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

    def _find(self, writing: _Conversation, needs: Needs) -> Found:
        found = Found()
        for *stands, balanced, without_game, games in writing.told(_STANDINGS, _list(needs.tables)):
            standing = Standing(*stands)
            found.standings[standing.table], found.balanced[standing.table] = standing, balanced
            if without_game:
                found.without_game.add(standing.table)
            found.games[standing.table] = games
        for row in writing.ask(_COMMANDS, _list(needs.commands)):
            found.commands[row[0], row[1]] = (row[2], row[3])
        for table, account, balance in self._find_balances(writing, needs.accounts):
            found.balances.setdefault(table, {})[account] = balance
        if needs.people:
            found.wallets = dict(writing.told(_WALLETS, _list(needs.people)))
        if needs.bounds:
            risks = writing.told(_RISKS, _list(sorted({person for person, _ in needs.bounds})))
            for person, table, round, staked in risks:
                found.risks.setdefault(person, {})[table] = (round, staked)
            found.lost = {(row[0], row[1]): row[2] for row in writing.told(_LOST, _list(needs.bounds))}
        for shoe in needs.shoes:
            for row in writing.ask("select secret from sealed where table_id = ? and shoe = ?", *shoe):
                found.sealed[shoe] = row[0]
        return found

    def _find_balances(
        self, writing: _Conversation, accounts: Sequence[tuple[str, str]]
    ) -> Iterable[tuple[str, str, int]]:
        found: list[tuple[str, str, int]] = writing.told(_BALANCES, _list(accounts)) if accounts else []
        return found

    def _put(self, writing: _Conversation, writes: Writes) -> None:
        writing.put(_PUT_APPENDS, writes.appends)
        writing.put(_PUT_BALANCES, [(*key, balance, unlimited(key[1])) for key, balance in writes.balances.items()])
        writing.put(_PUT_STANDINGS, moved_on(writes))
        writing.put("insert into sealed (table_id, shoe, secret) {}", writes.seals)
        writing.put("delete from sealed where (table_id, shoe) in ({})", writes.reveals)
        writing.put(_PUT_WALLETS, list(writes.wallets.items()))
        writing.put(_PUT_PLAYS, list(map(astuple, writes.plays)))
        writing.put(_PUT_ROUNDS, list(map(astuple, writes.rounds.values())))
        writing.put(_PUT_RISKS, [(*key, *at_stake) for key, at_stake in writes.risks.items()])

    def _put_alone(self, writes: Writes) -> None:
        with self._writing() as writing:
            self._put(writing, writes)

    def _hold_wallets(self, writing: _Conversation) -> None:
        """Nobody else writes at all."""

    def _committed(self, standings: Sequence[Standing]) -> None:
        news = {each.table: each.sequence for each in standings}
        for each in tuple(self._polling) if news else ():
            each.tell(news)

    @contextmanager
    def changes(self, wake: Wake) -> Iterator[None]:
        polling = Polling(wake, self._version, _News(self._answer))
        self._polling.append(polling)
        try:
            with polling:
                yield
        finally:
            self._polling.remove(polling)

    def _version(self) -> int:
        """Another number whenever somebody else has written: the connection that asks counts for nobody else."""
        with self._lock:
            if self._unusable:
                raise Unusable(self._unusable)
            try:
                return int(_Conversation(self._writer).ask("pragma data_version")[0][0])
            except apsw.Error as error:
                raise _told(error, self.path) from error

    def backup(self, path: Path) -> None:
        """A copy of the store as it stands at this moment, while it is in use. It is whole, or it is not there.

        The copy has the secrets of shuffles that are not revealed: keep it as well as the store itself.
        """
        if path.exists():
            raise Taken(f"{path} is there already. Choose another name; a backup is never written over.")
        unfinished = path.with_name(path.name + ".unfinished")
        unfinished.unlink(missing_ok=True)
        try:
            _private(unfinished)
            self._copy(unfinished)
            _sync(unfinished)
            os.link(unfinished, path)  # fails where somebody else has made that file meanwhile
            _sync(path.parent)
        except (apsw.Error, OSError) as error:
            raise Unwritten(f"{path} could not be written: {error}. There is no backup of that name.") from error
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


# A cross join is read from left to right: for each key that is asked for, one look into the table.
_STANDINGS = (
    "select json_group_array(json_array(t.id, t.sequence, t.head, t.last_at, t.balanced, t.game is null, "
    "json((select json_group_array(g.digest) from table_games g where g.table_id = t.id)))) "
    "from json_each(?) as asked cross join tables t on t.id = asked.value"
)
_COMMANDS = (
    "select a.table_id, a.command, a.first_sequence, a.last_sequence "
    "from json_each(?) as asked "
    "cross join appends a on a.table_id = asked.value ->> 0 and a.command = asked.value ->> 1"
)
_BALANCES = (
    "select json_group_array(json_array(b.table_id, b.account, b.held)) from json_each(?) as asked "
    "cross join balances b on b.table_id = asked.value ->> 0 and b.account = asked.value ->> 1"
)
_WALLETS = (
    "select json_group_array(json_array(w.person, w.balance)) "
    "from json_each(?) as asked cross join wallets w on w.person = asked.value"
)
_RISKS = (
    "select json_group_array(json_array(r.person, r.table_id, r.round, r.staked)) "
    "from json_each(?) as asked cross join risks r on r.person = asked.value "
    "where not exists (select 1 from rounds o where o.table_id = r.table_id and o.number >= r.round)"
)
_LOST = (
    "select json_group_array(json_array(asked.value ->> 0, asked.value ->> 1, "
    "(select coalesce(-sum(p.net), 0) from plays p where p.person = asked.value ->> 0 and p.at >= asked.value ->> 1))) "
    "from json_each(?) as asked"
)
# What fails takes back the whole transaction, as it would here in any case. So SQLite need not write down, statement by statement, how
# the pages were before: that was nearly half of all that a commit wrote.
_PUT_APPENDS = "insert or rollback into appends (table_id, first_sequence, last_sequence, command, lines, postings) {}"
_PUT_BALANCES = (
    "insert or rollback into balances (table_id, account, held, may_owe) {} "
    "on conflict (table_id, account) do update set held = excluded.held"
)
_PUT_STANDINGS = (  # a trail that stands elsewhere has no next sequence, and that may not be
    "update or rollback tables set "
    "sequence = case when sequence = put.column2 and head = put.column3 then put.column4 end, "
    "head = put.column5, last_at = put.column6, balanced = put.column7 from ({}) as put where id = put.column1"
)
_PUT_WALLETS = "update or rollback wallets set balance = put.column2 from ({}) as put where person = put.column1"
_PUT_PLAYS = "insert or rollback into plays (person, table_id, round, at, staked, net, sequence, kind) {}"
_PUT_ROUNDS = (
    "insert or rollback into rounds (table_id, number, first_sequence, last_sequence, started, ended, ending) {} "
    "on conflict (table_id, number) do update set "
    "first_sequence = excluded.first_sequence, last_sequence = excluded.last_sequence, "
    "started = excluded.started, ended = excluded.ended, ending = excluded.ending"
)

_PUT_RISKS = (
    "insert or rollback into risks (person, table_id, round, staked) {} "
    "on conflict (person, table_id) do update set round = excluded.round, staked = excluded.staked"
)


def _list(keys: Sequence[object]) -> str:
    return msgspec.json.encode(keys).decode()


def _told(error: apsw.Error, path: Path) -> StoreError:
    """What happened to the file, and whether the store can still be used."""
    if isinstance(error, apsw.FullError):
        return Unwritten(f"{path}: the disk is full ({error}). Nothing was written. Make room, and ask again.")
    if isinstance(error, apsw.ConstraintError):
        return Contradicted(f"{path} holds something else than was expected ({error}). Nothing was written. Ask again.")
    if isinstance(error, apsw.BusyError):
        return Unwritten(f"{path}: another process has been writing for {WAITS // 1000} s. Ask again.")
    if isinstance(error, apsw.CorruptError | apsw.NotADBError):
        return Unusable(f"{path} is damaged: {error}. Stop, keep the file as it is, and restore a backup beside it.")
    if isinstance(error, apsw.IOError | apsw.CantOpenError | apsw.ReadOnlyError):
        return Unusable(
            f"{path}: the disk failed ({error}). Nothing was acknowledged. Mend it, and open the store again."
        )
    return Unwritten(f"{path}: {error}. Nothing was written.")


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
