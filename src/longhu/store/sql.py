"""Queries that are the same for every SQL database.

A backend adds how to run a query (`Conversation`), how a transaction becomes durable, and how to look up and write many
rows at once.
"""

from __future__ import annotations

import re
import zlib
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from importlib.resources import files
from itertools import accumulate
from typing import ClassVar

import msgspec
from msgspec.structs import astuple

from longhu.audit.proof import GameFile
from longhu.audit.record import beginning, digest
from longhu.audit.signed_heads import Head
from longhu.games.game import Game
from longhu.ledger import WORLD, unlimited
from longhu.store.database import CHUNK, C, Conversation, Row, no_table
from longhu.store.entries import (
    Append,
    Duplicate,
    Entry,
    FoundRecord,
    SearchPage,
    StreamHead,
    TableEntry,
    TrailEnd,
    TrailEntry,
)
from longhu.store.errors import AlreadyExists, Damaged, InvalidAppend, NotFound
from longhu.store.interface import Movement, Result, Wake
from longhu.store.repositories import LeaseRepository, PlayRepository, SessionRepository, SnapshotRepository
from longhu.store.validation import (
    LARGEST,
    NAME_BYTES,
    Found,
    Moved,
    Needs,
    Writes,
    needs,
    storable,
    unfit,
    validate,
)

PAGES = 40  # of rows that one search looks at
FEW, BYTES = 20, 1_000_000  # rows that are read first of a trail, and about how many bytes at a time from then on


class SqlStore(SessionRepository[C], LeaseRepository[C], SnapshotRepository[C], PlayRepository[C]):
    """A store in a database; `Store` says what each part of it is for."""

    _holds: ClassVar[str]  # how this database asks whether a text holds another,
    _matching: ClassVar[str]  # and which appends match what is asked of the index

    @abstractmethod
    def _find(self, writing: C, needs: Needs) -> Found:
        """What is needed to validate a batch; nobody else changes it until the end of the transaction."""

    @abstractmethod
    def _put(self, writing: C, writes: Writes) -> None:
        """All rows of a batch."""

    @abstractmethod
    def _last_number(self, indexed: int) -> int:
        """The number of the last append, where none will get a lower one; `indexed` where there is none behind it."""

    @abstractmethod
    def _put_words(self, writing: C, words: Sequence[tuple[int, str]]) -> None:
        """The words of appends, by their numbers."""

    @abstractmethod
    def _match(self, whole: Sequence[str], beginnings: Sequence[str]) -> str:
        """A question to the index, as this database reads it."""

    @abstractmethod
    def _hold_wallets(self, writing: C) -> None:
        """From here to the end of the transaction nobody else moves money in or out of a pocket."""

    @abstractmethod
    def changes(self, wake: Wake) -> AbstractContextManager[None]: ...

    @abstractmethod
    def close(self) -> None: ...

    # -------------------------------------------- writing

    def create(self, table: str, game: Game, at: int) -> StreamHead:
        with self._writing() as writing:
            _keep_rules(writing, game)
            standing = _begun(writing, table, game.digest, at)
            writing.run("insert into table_games (table_id, digest) values (?, ?)", table, game.digest)
        return standing

    def create_trail(self, name: str, at: int, wallet: str = "") -> StreamHead:
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
        reasons = [unfit(append) for append in batch]
        fit = [append for append, reason in zip(batch, reasons, strict=True) if not reason]
        results = iter(self._commit(fit) if fit else ())
        return [
            InvalidAppend(f"{reason}. Nothing of it was written.") if reason else next(results) for reason in reasons
        ]

    def _commit(self, batch: Sequence[Append]) -> list[Result]:
        """Look up, validate, write: one transaction."""
        with self._writing() as writing:
            results, writes = validate(batch, self._find(writing, needs(batch)))
            if writes.appends:
                self._put(writing, writes)
        return results

    def keep_head(self, head: Head) -> None:
        self.standing(head.table)
        with self._writing() as writing:
            found = _between(writing, head.table, head.sequence, head.sequence)
            if not found:
                raise NotFound(f"table {head.table!r} has no record {head.sequence}, so no head of it can be kept")
            if digest(found[0]) != head.digest:
                raise InvalidAppend(
                    f"the head of record {head.sequence} of table {head.table} has the digest {head.digest[:16]}…, and "
                    f"the record has {digest(found[0])[:16]}…. Sign what is stored."
                )
            writing.run(
                "insert into heads (table_id, sequence, digest, at, key, signature) values (?, ?, ?, ?, ?, ?) "
                "on conflict do nothing",
                *(head.table, head.sequence, head.digest, head.at, head.key, head.signature),
            )

    # -------------------------------------------- search

    def index_records(self) -> int:
        count = 0
        ((indexed,),) = self._answer("select last from indexed")
        last = self._last_number(indexed)
        while indexed < last:
            rows = self._answer(
                "select number, lines from appends where number > ? and number <= ? order by number limit ?",
                *(indexed, last, CHUNK),
            )
            words = [(number, _words(lines)) for number, lines in rows]
            upto = rows[-1][0] if rows else last
            with self._writing() as writing:
                mine = writing.ask("update indexed set last = ? where last = ? returning last", upto, indexed)
                if mine:
                    self._put_words(writing, words)
                    count += len(words)
                ((indexed,),) = writing.ask("select last from indexed")  # another process may do the same
        return count

    def search(
        self, text: str, *, streams: Sequence[str] | None = None, before: int | None = None, limit: int = 100
    ) -> SearchPage:
        self.index_records()
        parts, at = text.lower().split(), LARGEST if before is None else before
        whole, beginnings = asked_words(text)
        found: list[FoundRecord] = []
        for _ in range(PAGES):
            rows = self._candidates(whole, beginnings, streams, at)
            for at, table, first, lines in rows:
                records = enumerate(decode_lines(lines), first)
                fits = [(sequence, line) for sequence, line in records if has_all(line, parts)]
                found += [FoundRecord(at, table, sequence, line) for sequence, line in reversed(fits)]
                if len(found) >= limit:
                    return SearchPage(found, at)
            if len(rows) < CHUNK:
                return SearchPage(found, None)
        return SearchPage(found, at)

    def _candidates(
        self, whole: Sequence[str], beginnings: Sequence[str], streams: Sequence[str] | None, before: int
    ) -> list[Row]:
        """Rows that the index names, newest first; any rows where it can be asked for nothing."""
        asked: list[object] = []
        question = "select a.number, a.table_id, a.first_sequence, a.lines from"
        if whole or beginnings:
            question += f" {self._matching} and a.number < ?"
            asked.append(self._match(whole, beginnings))
        else:
            question += " appends a where a.number < ?"
        asked.append(before)
        if streams is not None:
            known = [each for each in streams if storable(each)]
            question += f" and a.table_id in ({', '.join('?' * len(known)) or 'null'})"
            asked += known
        with self._reading() as asking:
            return asking.ask(f"{question} order by a.number desc limit ?", *asked, CHUNK)

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
            "select t.id, t.sequence, t.head, t.last_at, a.lines, "
            "exists (select 1 from appends more where more.table_id = t.id and more.last_sequence > t.sequence) "
            "from tables t left join appends a on a.table_id = t.id and a.last_sequence = t.sequence "
            "where t.game is null and t.id > ? order by t.id limit ?"
        )
        for row in self._chunks(question, (), ("",), lambda row: (row[0],)):
            last = None if row[4] is None else decode_lines(row[4])[-1]
            yield TrailEnd(StreamHead(*row[:4]), last, bool(row[5]))

    def standing(self, table: str) -> StreamHead:
        rows = self._answer("select id, sequence, head, last_at from tables where id = ?", table)
        if not rows:
            raise no_table(table)
        return StreamHead(*rows[0])

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
        for first, _, lines in self._rows("lines", table, after):
            yield from lines_of(first, lines, after)

    def records_between(self, table: str, first: int, last: int) -> list[bytes]:
        if first > last or not storable(table) or not -LARGEST <= first <= last <= LARGEST:
            return []
        with self._reading() as asking:
            return _between(asking, table, first, last)

    def entries(self, table: str, after: int = 0) -> Iterator[Entry]:
        for first, last, postings in self._rows("postings", table, after):
            yield from (each for each in entries_of(table, first, last, postings) if each.sequence > after)

    def follow(self, account: str, after: Movement = ("", 0, -1)) -> Iterator[Entry]:
        behind, start, place = after
        tables = "select table_id from balances where account = ? and table_id >= ? order by table_id"
        for (table,) in self._answer(tables, account, behind):
            since = (start, place) if table == behind else (0, -1)
            for first, last, postings in self._rows(
                "postings", table, since[0] - 1, f"and {self._holds}", encode_account(account)
            ):
                for each in entries_of(table, first, last, postings):
                    if each.account == account and (each.sequence, each.place) > since:
                        yield each

    def moved_before(self, account: str, table: str, sequence: int) -> Entry | None:
        rows = self._answer(
            f"select first_sequence, last_sequence, postings from appends where table_id = ? and {self._holds} "
            "and last_sequence <= "
            "coalesce((select min(last_sequence) from appends where table_id = ? and last_sequence >= ?), ?) "
            "order by last_sequence desc limit 2",  # the first may hold the record itself, and none before it
            *(table, encode_account(account), table, sequence, LARGEST),
        )
        found = (each for row in reversed(rows) for each in entries_of(table, *row))
        earlier = [each for each in found if each.account == account and each.sequence < sequence]
        return earlier[-1] if earlier else None

    def _rows(self, column: str, table: str, after: int, only: str = "", *parameters: str) -> Iterator[Row]:
        """First and last sequence and one of the packed columns of rows behind a sequence, about so many bytes at a time."""
        question = (
            f"select first_sequence, last_sequence, {column} from appends "
            f"where table_id = ? {only} and last_sequence > ? order by last_sequence limit ?"
        )
        limit = FEW
        while rows := self._answer(question, table, *parameters, after, limit):
            yield from rows
            if len(rows) < limit:
                return
            after = rows[-1][1]
            limit = max(1, min(CHUNK, BYTES * limit // (1 + sum(len(row[2]) for row in rows))))

    def balances(self, table: str, *, empty: bool = False) -> dict[str, int]:
        rows = self._answer("select account, balance from balances where table_id = ? order by account", table)
        return {account: balance for account, balance in rows if balance or empty}

    def done(self, table: str, command: str) -> Duplicate | None:
        rows = self._answer(
            "select first_sequence, last_sequence, fingerprint from appends where table_id = ? and command = ?",
            table,
            command,
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


def _words(row: bytes) -> str:
    """A row that is damaged is for the integrity check to find: it keeps nobody from finding the others."""
    try:
        return words_of(decode_lines(row))
    except Damaged:
        return ""


def _between(asking: Conversation, table: str, first: int, last: int) -> list[bytes]:
    """The records from one sequence to another, out of the rows that hold them."""
    rows = asking.ask(
        "select first_sequence, lines from appends where table_id = ? and last_sequence >= ? and last_sequence <= "
        "coalesce((select min(last_sequence) from appends where table_id = ? and last_sequence >= ?), ?) "
        "order by last_sequence",
        *(table, first, table, last, LARGEST),
    )
    return [line for row in rows for line in lines_of(row[0], row[1], first - 1, last)]


def _begun(writing: Conversation, name: str, game: str | None, at: int) -> StreamHead:
    """A new trail, of a table where it has rules."""
    if not name or not storable(name):
        raise InvalidAppend(f"{name[:40]!r} is no name for a trail: one has up to {NAME_BYTES} bytes, and no NUL")
    head = beginning(name)
    made = writing.ask(
        "insert into tables (id, game, created_at, sequence, head, last_at) values (?, ?, ?, 0, ?, 0) "
        "on conflict do nothing returning id",
        *(name, game, at, head),
    )
    if not made:
        raise AlreadyExists(f"there is a table or trail {name!r} already. Choose another name.")
    return StreamHead(name, 0, head, 0)


def _open_wallet(writing: Conversation, trail: str, person: str) -> None:
    """An empty wallet; what it holds is the sum of all that moves from now on."""
    if not storable(WORLD + person):
        raise InvalidAppend(f"{person[:40]!r} is no name for a wallet")
    if writing.ask("select 1 from balances where account = ? limit 1", WORLD + person):
        raise AlreadyExists(f"somebody called {person!r} has played for cash here. Choose another name.")
    made = writing.ask(
        "insert into wallets (person, trail, balance) values (?, ?, 0) on conflict do nothing returning person",
        *(person, trail),
    )
    if not made:
        raise AlreadyExists(f"there is a wallet of {person!r} already. Choose another name.")


def _keep_rules(writing: Conversation, game: Game) -> None:
    writing.run(
        "insert into games (digest, text, readings) values (?, ?, ?) on conflict do nothing",
        *(game.digest, game.text, msgspec.json.encode(dict(game.taken)).decode()),
    )


# ------------------------------------------------ rows: the records of one command, and what they moved
#
# Lines are compressed with a dictionary of typical records, which is a file of this package: a record alone has little that repeats, and
# most of it is in every other record. The first byte says how. A row that starts with `{` is plain: so are wagers, which come by the
# thousand, and to compress them would cost more than their bytes, above all in waiting for the interpreter.

DICTIONARY = (files("longhu.store") / "dictionary-1.txt").read_bytes()  # never edited: rows could not be read any more
DEFLATED = b"\x01"  # with that dictionary
_WINDOW, _MEMORY, _LEVEL = -14, 6, 6  # no header and no checksum: the chain of digests is one

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(list[list[Moved]])
_deflate = zlib.compressobj(_LEVEL, zlib.DEFLATED, _WINDOW, _MEMORY, zdict=DICTIONARY)


def encode_lines(lines: Sequence[bytes], *, plain: bool = False) -> bytes:
    """No record holds a line feed."""
    row = b"\n".join(lines)
    if plain:
        return row
    deflate = _deflate.copy()  # has read the dictionary already
    return DEFLATED + deflate.compress(row) + deflate.flush()


def decode_lines(row: bytes) -> list[bytes]:
    """All records of a row; one that cannot be read is in no chain, and found by its digest."""
    if row.startswith(DEFLATED):
        try:
            row = zlib.decompressobj(_WINDOW, zdict=DICTIONARY).decompress(row[1:])
        except zlib.error as error:
            raise Damaged(f"a row of records cannot be read: {error}. Compare this database with a backup.") from None
    return row.split(b"\n")


def lines_of(first: int, row: bytes, after: int = 0, last: int | None = None) -> list[bytes]:
    """The records of a row that starts with number `first`: those behind one number, up to another."""
    return decode_lines(row)[max(after + 1 - first, 0) : None if last is None else max(last + 1 - first, 0)]


def entries_of(table: str, first: int, last: int, postings: str) -> Iterator[Entry]:
    """What the records of a row moved, from number `first` to `last`."""
    try:
        records = _decoder.decode(postings)
    except msgspec.MsgspecError as error:
        raise Damaged(f"what records {first} to {last} of {table} moved cannot be read: {error}") from None
    if len(records) != last - first + 1:
        raise Damaged(f"the postings of records {first} to {last} of {table} are those of {len(records)} records")
    for sequence, moved in enumerate(records, first):
        for place, (account, amount, balance) in enumerate(moved):
            yield Entry(table, sequence, place, account, amount, balance)


def encode_account(account: str) -> str:
    """An account as it stands in the postings of every row that moves it."""
    return _encoder.encode(account).decode()


def encode_writes(writes: Writes) -> tuple[dict[str, list[Row]], bytes]:
    """What a batch writes, for a database that takes it as JSON: rows by their kind, and the bytes of lines and postings.

    JSON can hold no bytes. So a row of `appends` ends with three numbers instead: where its lines begin in those bytes, where its
    postings begin, and where those end. Kinds that have no rows are left out.
    """
    columns: list[bytes] = []
    for append, moved in writes.appends:
        columns += (encode_lines(append.lines, plain=append.plain), _encoder.encode(moved))
    starts = list(accumulate(map(len, columns), initial=1))
    appends = [
        (each.table, each.after + 1, each.after + len(each.lines), each.command, each.fingerprint, *starts[at : at + 3])
        for at, (each, _) in zip(range(0, len(columns), 2), writes.appends, strict=True)
    ]
    rows: dict[str, list[Row]] = {
        "appends": appends,
        "standings": [astuple(each) for each in writes.standings.values()],
        "balances": [(*key, balance, unlimited(key[1])) for key, balance in writes.balances.items()],
        "seals": [(*key, secret.hex()) for key, secret in writes.seals.items()],
        "reveals": [*writes.reveals],
        "wallets": [*writes.wallets.items()],
        "plays": [astuple(each) for each in writes.plays],
        "rounds": [astuple(each) for each in writes.rounds.values()],
        "risks": [(*key, *at_stake) for key, at_stake in writes.risks.items()],
    }
    return {kind: each for kind, each in rows.items() if each}, b"".join(columns)


class _Answer(msgspec.Struct):
    """What a database answers that is asked for all that a batch needs, as JSON."""

    standings: list[tuple[str, int, str, int, bool, list[str]]] = []
    commands: list[tuple[str, str, int, int, str]] = []
    balances: list[tuple[str, str, int]] = []
    sealed: list[tuple[str, int, str]] = []
    wallets: dict[str, int] = {}
    risks: list[tuple[str, str, int, int]] = []
    lost: list[tuple[str, int, int]] = []


_answers = msgspec.json.Decoder(_Answer)


def decode_found(*answers: str) -> Found:
    """What was found, out of one answer or several that each have a part of it."""
    found = Found()
    for answer in map(_answers.decode, answers):
        for table, sequence, head, last_at, without_game, games in answer.standings:
            found.standings[table], found.games[table] = StreamHead(table, sequence, head, last_at), games
            if without_game:
                found.without_game.add(table)
        for table, command, first, last, asked in answer.commands:
            found.commands[table, command] = (first, last, asked)
        for table, account, balance in answer.balances:
            found.balances.setdefault(table, {})[account] = balance
        for table, shoe, secret in answer.sealed:
            found.sealed[table, shoe] = bytes.fromhex(secret)
        found.wallets |= answer.wallets
        for person, table, round, staked in answer.risks:
            found.risks.setdefault(person, {})[table] = (round, staked)
        for person, since, lost in answer.lost:
            found.lost[person, since] = lost
    return found


# ------------------------------------------------ words: what the index of text search has of a record
#
# Names, ids, names of events, cards, amounts. Not the names of the usual fields, which are in nearly every record, nor values that
# differ in every record: digests, salts, its number and its time.

_FIELDS = "|".join(sorted(set(re.findall('"([a-z_]+)":', DICTIONARY.decode()))))
_NOT_INDEXED = re.compile(
    rf'"(?:sequence|at)":\d+|"?\b(?:{_FIELDS})":|\b[0-9a-f]{{32,}}\b|\\.'
)  # the last is an escape of JSON
_WORD = re.compile(r"[^\W_]+")
WORDS = 20  # of a question that the index is asked for; the rest is compared with what it finds


def words_of(lines: Iterable[bytes]) -> str:
    """The words of the records of a row, each once."""
    text = "\n".join(line.decode(errors="replace") for line in lines).lower()
    return " ".join(sorted({_encode(word) for word in _WORD.findall(_NOT_INDEXED.sub(" ", text))}))


def asked_words(text: str) -> tuple[list[str], list[str]]:
    """What to ask the index for: words that a record has, and beginnings of words that it has.

    A single letter or digit begins words of nearly every record, and the index would gather all of them: it is left out
    where anything else is asked for.

    >>> asked_words('Ann wager-placed/1 "amount":102')
    (['placed', 'wager'], ['102', 'ann'])
    >>> asked_words("1")
    ([], ['1'])
    """
    whole, beginnings = set[str](), set[str]()
    for part in text.lower().split():
        *before, last = _WORD.findall(_NOT_INDEXED.sub(" ", part)) or [""]
        whole.update(map(_encode, before))
        beginnings.add(_encode(last))
    telling = {each for each in beginnings if len(each) > 1}
    if not whole and not telling:
        telling = beginnings - {""}
    return sorted(whole)[:WORDS], sorted(telling)[:WORDS]


def has_all(line: bytes, parts: Sequence[str]) -> bool:
    """Does a record have every part somewhere in it, in large or small letters? The parts are in small ones."""
    text = line.decode(errors="replace").lower()
    return all(part in text for part in parts)


def _encode(word: str) -> str:
    """In letters that every database takes for letters; a beginning stays one.

    >>> _encode("ann"), _encode("龙虎")
    ('ann', 'xe9be99e8998e')
    """
    return word if word.isascii() else f"x{word.encode().hex()}"
