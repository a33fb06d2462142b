"""What the stores have in common: the same questions, asked of any database that speaks SQL.

A backend says how to ask (`Session`), how a transaction that writes is made durable, and how it looks up and writes many
rows at once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from longhu.games.game import Game
from longhu.store.entries import Append, Duplicate, Entry, Standing, TableEntry
from longhu.store.errors import Faulty, Missing, Taken
from longhu.store.interface import Result
from longhu.store.plan import NAME_BYTES, Found, Needs, Writes, judge, needs, storable, unfit
from longhu.trail.heads import Head
from longhu.trail.proof import GameFile
from longhu.trail.record import beginning, digest

CHUNK = 500  # rows held in memory while a long answer is read
Row = tuple[Any, ...]


class Session(Protocol):
    """A conversation with a database. Parameters stand as `?` in a question."""

    def ask(self, sql: str, *parameters: object) -> list[Row]: ...

    def run(self, sql: str, *parameters: object) -> None: ...


S = TypeVar("S", bound=Session)


class SqlStore(ABC, Generic[S]):
    """A store in a database; `Store` says what each part of it is for."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Session]:
        """A moment in which to ask; no snapshot is held between two questions."""

    @abstractmethod
    def _writing(self) -> AbstractContextManager[S]:
        """A durable transaction."""

    @abstractmethod
    def _find(self, session: S, needs: Needs) -> Found:
        """What is needed to judge a batch; from here to the end of the transaction nobody else changes it."""

    @abstractmethod
    def _put(self, session: S, writes: Writes) -> None:
        """All rows of a batch."""

    @abstractmethod
    def close(self) -> None: ...

    # -------------------------------------------- writing

    def create(self, table: str, game: Game, at: int) -> Standing:
        if not table or not storable(table):
            raise Faulty(f"{table[:40]!r} is no name for a table: one has up to {NAME_BYTES} bytes, and no NUL")
        head = beginning(table)
        with self._writing() as session:
            _keep_rules(session, game)
            made = session.ask(
                "insert into tables (id, game, created_at, sequence, head, last_at) values (?, ?, ?, 0, ?, 0) "
                "on conflict do nothing returning id",
                *(table, game.digest, at, head),
            )
            if not made:
                raise Taken(f"there is a table {table!r} already. Choose another name, or adopt its rules.")
            session.run("insert into table_games (table_id, digest) values (?, ?)", table, game.digest)
        return Standing(table, 0, head, 0)

    def adopt(self, table: str, game: Game) -> None:
        self.standing(table)
        with self._writing() as session:
            _keep_rules(session, game)
            session.run("update tables set game = ? where id = ?", game.digest, table)
            session.run(
                "insert into table_games (table_id, digest) values (?, ?) on conflict do nothing", table, game.digest
            )

    def commit(self, batch: Sequence[Append]) -> list[Result]:
        wrongs = [unfit(append) for append in batch]
        fit = [append for append, wrong in zip(batch, wrongs, strict=True) if not wrong]
        judged: list[Result] = []
        if fit:
            with self._writing() as session:
                judged, writes = judge(fit, self._find(session, needs(fit)))
                if writes.records:
                    self._put(session, writes)
        results = iter(judged)
        return [Faulty(f"{wrong}. Nothing of it was written.") if wrong else next(results) for wrong in wrongs]

    def keep_head(self, head: Head) -> None:
        self.standing(head.table)
        with self._writing() as session:
            found = session.ask(
                "select line from records where table_id = ? and sequence = ?", head.table, head.sequence
            )
            if not found:
                raise Missing(f"table {head.table!r} has no record {head.sequence}, so no head of it can be kept")
            if digest(found[0][0]) != head.digest:
                raise Faulty(
                    f"the head of record {head.sequence} of table {head.table} has the digest {head.digest[:16]}…, and "
                    f"the record has {digest(found[0][0])[:16]}…. Sign what is stored."
                )
            session.run(
                "insert into heads (table_id, sequence, digest, at, key, signature) values (?, ?, ?, ?, ?, ?) "
                "on conflict do nothing",
                *(head.table, head.sequence, head.digest, head.at, head.key, head.signature),
            )

    # -------------------------------------------- reading

    def tables(self) -> list[TableEntry]:
        return [TableEntry(*row) for row in self._answer("select id, game, created_at from tables order by id")]

    def standing(self, table: str) -> Standing:
        rows = self._answer("select id, sequence, head, last_at from tables where id = ?", table)
        if not rows:
            raise Missing(_no_table(table))
        return Standing(*rows[0])

    def games(self, table: str) -> Mapping[str, GameFile]:
        rows = self._answer(
            "select games.digest, games.text, games.readings from table_games "
            "join games on games.digest = table_games.digest where table_games.table_id = ? order by games.digest",
            table,
        )
        if not rows:
            raise Missing(_no_table(table))
        return {row[0]: GameFile(row[1], msgspec.json.decode(row[2], type=dict[str, str])) for row in rows}

    def records(self, table: str, after: int = 0) -> Iterator[bytes]:
        question = "select sequence, line from records where table_id = ? and sequence > ? order by sequence limit ?"
        for row in self._chunks(question, (table,), (after,), lambda row: (row[0],)):
            yield row[1]

    def entries(self, table: str, after: int = 0) -> Iterator[Entry]:
        question = (
            "select table_id, sequence, place, account, amount, balance from postings "
            "where table_id = ? and (sequence, place) > (?, ?) order by sequence, place limit ?"
        )
        for row in self._chunks(question, (table,), (after + 1, -1), lambda row: (row[1], row[2])):
            yield Entry(*row)

    def follow(self, account: str) -> Iterator[Entry]:
        question = (
            "select table_id, sequence, place, account, amount, balance from postings "
            "where account = ? and (table_id, sequence, place) > (?, ?, ?) order by table_id, sequence, place limit ?"
        )
        for row in self._chunks(question, (account,), ("", 0, -1), lambda row: (row[0], row[1], row[2])):
            yield Entry(*row)

    def balances(self, table: str) -> dict[str, int]:
        rows = self._answer(
            "select account, balance from balances where table_id = ? and balance <> 0 order by account", table
        )
        return {row[0]: row[1] for row in rows}

    def done(self, table: str, command: str) -> Duplicate | None:
        rows = self._answer(
            "select first_sequence, last_sequence from commands where table_id = ? and command = ?", table, command
        )
        return Duplicate(*rows[0]) if rows else None

    def sealed(self, table: str) -> dict[int, bytes]:
        rows = self._answer("select shoe, secret from sealed where table_id = ? order by shoe", table)
        return {row[0]: row[1] for row in rows}

    def heads(self, table: str, after: int = 0) -> Iterator[Head]:
        question = (
            "select table_id, sequence, digest, at, key, signature from heads "
            "where table_id = ? and (sequence, key, at) > (?, ?, ?) order by sequence, key, at limit ?"
        )
        for row in self._chunks(question, (table,), (after + 1, "", -1), lambda row: (row[1], row[4], row[3])):
            yield Head(*row)

    def _answer(self, question: str, *parameters: object) -> list[Row]:
        """Nothing has a name that cannot be stored."""
        if not all(storable(each) for each in parameters if isinstance(each, str)):
            return []
        with self._reading() as session:
            return session.ask(question, *parameters)

    def _chunks(self, question: str, fixed: Row, start: Row, place: Callable[[Row], Row]) -> Iterator[Row]:
        """A long answer, so many rows at a time; each question starts behind the last row of the one before."""
        while True:
            rows = self._answer(question, *fixed, *start, CHUNK)
            yield from rows
            if len(rows) < CHUNK:
                return
            start = place(rows[-1])


def _keep_rules(session: Session, game: Game) -> None:
    session.run(
        "insert into games (digest, text, readings) values (?, ?, ?) on conflict do nothing",
        *(game.digest, game.text, msgspec.json.encode(dict(game.taken)).decode()),
    )


def _no_table(table: str) -> str:
    return f"there is no table {table[:80]!r} in this store. `tables` lists those that are."
