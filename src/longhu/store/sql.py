"""What the stores have in common: the same questions, asked of any database that speaks SQL.

A backend says how to ask (`Conversation`), how a transaction that writes is made durable, and how it looks up and writes
many rows at once.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager

import msgspec

from longhu.games.game import Game
from longhu.ledger import WORLD
from longhu.store.asking import C, Conversation, no_table
from longhu.store.entries import Append, Duplicate, Entry, Standing, TableEntry, TrailEnd, TrailEntry
from longhu.store.errors import Faulty, Missing, Taken
from longhu.store.interface import Result, Wake
from longhu.store.kept import Kept
from longhu.store.plan import NAME_BYTES, Found, Needs, Writes, judge, needs, storable, unfit
from longhu.store.played import Played
from longhu.trail.heads import Head
from longhu.trail.proof import GameFile
from longhu.trail.record import beginning, digest


class SqlStore(Kept[C], Played[C]):
    """A store in a database; `Store` says what each part of it is for."""

    @abstractmethod
    def _find(self, writing: C, needs: Needs) -> Found:
        """What is needed to judge a batch; from here to the end of the transaction nobody else changes it."""

    @abstractmethod
    def _put(self, writing: C, writes: Writes) -> None:
        """All rows of a batch."""

    @abstractmethod
    def _hold_wallets(self, writing: C) -> None:
        """From here to the end of the transaction nobody else moves money in or out of a pocket."""

    def _committed(self, standings: Sequence[Standing]) -> None:
        """These trails stand there now, durably."""

    @abstractmethod
    def changes(self, wake: Wake) -> AbstractContextManager[None]: ...

    @abstractmethod
    def close(self) -> None: ...

    # -------------------------------------------- writing

    def create(self, table: str, game: Game, at: int) -> Standing:
        with self._writing() as writing:
            _keep_rules(writing, game)
            standing = _begun(writing, table, game.digest, at)
            writing.run("insert into table_games (table_id, digest) values (?, ?)", table, game.digest)
        return standing

    def create_trail(self, name: str, at: int, wallet: str = "") -> Standing:
        with self._writing() as writing:
            standing = _begun(writing, name, None, at)
            if wallet:
                self._hold_wallets(writing)
                _open_wallet(writing, name, wallet)
        return standing

    def adopt(self, table: str, game: Game) -> None:
        self.games(table)
        with self._writing() as writing:
            _keep_rules(writing, game)
            writing.run("update tables set game = ? where id = ?", game.digest, table)
            writing.run(
                "insert into table_games (table_id, digest) values (?, ?) on conflict do nothing", table, game.digest
            )

    def commit(self, batch: Sequence[Append]) -> list[Result]:
        wrongs = [unfit(append) for append in batch]
        fit = [append for append, wrong in zip(batch, wrongs, strict=True) if not wrong]
        judged: list[Result] = []
        if fit:
            with self._writing() as writing:
                judged, writes = judge(fit, self._find(writing, needs(fit)))
                if writes.records:
                    self._put(writing, writes)
            self._committed(list(writes.standings.values()))
        results = iter(judged)
        return [Faulty(f"{wrong}. Nothing of it was written.") if wrong else next(results) for wrong in wrongs]

    def keep_head(self, head: Head) -> None:
        self.standing(head.table)
        with self._writing() as writing:
            found = writing.ask(
                "select line from records where table_id = ? and sequence = ?", head.table, head.sequence
            )
            if not found:
                raise Missing(f"table {head.table!r} has no record {head.sequence}, so no head of it can be kept")
            if digest(found[0][0]) != head.digest:
                raise Faulty(
                    f"the head of record {head.sequence} of table {head.table} has the digest {head.digest[:16]}…, and "
                    f"the record has {digest(found[0][0])[:16]}…. Sign what is stored."
                )
            writing.run(
                "insert into heads (table_id, sequence, digest, at, key, signature) values (?, ?, ?, ?, ?, ?) "
                "on conflict do nothing",
                *(head.table, head.sequence, head.digest, head.at, head.key, head.signature),
            )

    # -------------------------------------------- reading

    def tables(self) -> list[TableEntry]:
        rows = self._answer("select id, game, created_at from tables where game is not null order by id")
        return [TableEntry(*row) for row in rows]

    def trails(self, prefix: str = "") -> list[TrailEntry]:
        rows = self._answer(
            "select id, created_at, sequence from tables "
            "where game is null and id >= ? and substr(id, 1, length(cast(? as text))) = ? order by id",
            *(prefix, prefix, prefix),
        )
        return [TrailEntry(*row) for row in rows]

    def ends(self) -> Iterator[TrailEnd]:
        question = (
            "select t.id, t.sequence, t.head, t.last_at, r.line, "
            "exists (select 1 from records more where more.table_id = t.id and more.sequence > t.sequence) "
            "from tables t left join records r on r.table_id = t.id and r.sequence = t.sequence "
            "where t.game is null and t.id > ? order by t.id limit ?"
        )
        for row in self._chunks(question, (), ("",), lambda row: (row[0],)):
            yield TrailEnd(Standing(*row[:4]), row[4], bool(row[5]))

    def standing(self, table: str) -> Standing:
        rows = self._answer("select id, sequence, head, last_at from tables where id = ?", table)
        if not rows:
            raise no_table(table)
        return Standing(*rows[0])

    def games(self, table: str) -> Mapping[str, GameFile]:
        rows = self._answer(
            "select games.digest, games.text, games.readings from table_games "
            "join games on games.digest = table_games.digest where table_games.table_id = ? order by games.digest",
            table,
        )
        if not rows:
            raise no_table(table)
        return {row[0]: GameFile(row[1], msgspec.json.decode(row[2], type=dict[str, str])) for row in rows}

    def records(self, table: str, after: int = 0) -> Iterator[bytes]:
        question = "select sequence, line from records where table_id = ? and sequence > ? order by sequence limit ?"
        for row in self._chunks(question, (table,), (after,), lambda row: (row[0],)):
            yield row[1]

    def records_between(self, table: str, first: int, last: int) -> list[bytes]:
        rows = self._answer(
            "select line from records where table_id = ? and sequence between ? and ? order by sequence",
            *(table, first, last),
        )
        return [row[0] for row in rows]

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


def _begun(writing: Conversation, name: str, game: str | None, at: int) -> Standing:
    """A new trail, of a table where it has rules."""
    if not name or not storable(name):
        raise Faulty(f"{name[:40]!r} is no name for a trail: one has up to {NAME_BYTES} bytes, and no NUL")
    head = beginning(name)
    made = writing.ask(
        "insert into tables (id, game, created_at, sequence, head, last_at) values (?, ?, ?, 0, ?, 0) "
        "on conflict do nothing returning id",
        *(name, game, at, head),
    )
    if not made:
        raise Taken(f"there is a table or trail {name!r} already. Choose another name.")
    return Standing(name, 0, head, 0)


def _open_wallet(writing: Conversation, trail: str, person: str) -> None:
    """An empty wallet; what it holds is the sum of all that moves from now on."""
    if not storable(WORLD + person):
        raise Faulty(f"{person[:40]!r} is no name for a wallet")
    if writing.ask("select 1 from postings where account = ? limit 1", WORLD + person):
        raise Taken(f"somebody called {person!r} has played for cash here. Choose another name.")
    made = writing.ask(
        "insert into wallets (person, trail, balance) values (?, ?, 0) on conflict do nothing returning person",
        *(person, trail),
    )
    if not made:
        raise Taken(f"there is a wallet of {person!r} already. Choose another name.")


def _keep_rules(writing: Conversation, game: Game) -> None:
    writing.run(
        "insert into games (digest, text, readings) values (?, ?, ?) on conflict do nothing",
        *(game.digest, game.text, msgspec.json.encode(dict(game.taken)).decode()),
    )
