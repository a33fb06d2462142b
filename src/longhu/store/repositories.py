"""Repositories beside the records: sessions, leases, snapshots, wallets, plays and rounds.

Each class is a part of `Store`, whose interface documents the methods.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from longhu.ledger import WORLD
from longhu.store.database import CHUNK, MOST, C, Database, Row, no_table
from longhu.store.entries import Lease, Play, PlaySums, RoundEntry, Session, WalletSum
from longhu.store.errors import AlreadyExists, InvalidAppend
from longhu.store.validation import LARGEST, storable

NOTE = 200  # characters kept of what a browser says of itself
_DIGEST = re.compile("[0-9a-f]{64}")


class SessionRepository(Database[C]):
    """Who is signed in."""

    def keep_session(self, session: Session) -> None:
        if not _DIGEST.fullmatch(session.digest):
            raise InvalidAppend(
                "a session is kept under the SHA-256 of its token, in hexadecimal, and never under the token"
            )
        if not session.person or not storable(session.person) or not storable(session.csrf):
            raise InvalidAppend("a session has a name that cannot be stored")
        notes = (_note(session.address), _note(session.agent))
        with self._writing() as writing:
            made = writing.ask(
                "insert into sessions (digest, person, created, seen, until, ended, csrf, address, agent) "
                "values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing returning digest",
                *(session.digest, session.person, session.created, session.seen, session.until, session.ended),
                *(session.csrf, *notes),
            )
            if not made:
                raise AlreadyExists("there is a session with that token already. Make another token.")

    def session(self, digest: str) -> Session | None:
        found = self.sessions_under([digest])
        return found[0] if found else None

    def sessions_under(self, digests: Sequence[str]) -> list[Session]:
        found: list[Row] = []
        asked = [each for each in digests if _DIGEST.fullmatch(each)]
        for first in range(0, len(asked), CHUNK):
            some = asked[first : first + CHUNK]
            found += self._answer(f"{_SESSIONS} where digest in ({', '.join('?' * len(some))})", *some)
        return [Session(*row) for row in found]

    def sessions(self, person: str) -> list[Session]:
        rows = self._answer(f"{_SESSIONS} where person = ? order by created desc, digest", person)
        return [Session(*row) for row in rows]

    def touch_sessions(self, used: Iterable[Session]) -> None:
        with self._writing() as writing:
            for each in sorted(used, key=lambda each: each.digest):  # in order, as with leases
                writing.run(
                    "update sessions set seen = ?, until = ? where digest = ? and ended = 0 and seen <= ?",
                    *(each.seen, each.until, each.digest, each.seen),
                )

    def end_session(self, digest: str, at: int) -> None:
        self._changed("update sessions set ended = ? where digest = ? and ended = 0 returning 1", at, digest)

    def end_sessions(self, person: str, at: int, but: str = "") -> int:
        return self._changed(
            "update sessions set ended = ? where person = ? and ended = 0 and digest <> ? returning 1", at, person, but
        )

    def forget_sessions(self, before: int) -> int:
        return self._changed(
            "delete from sessions where until < ? or (ended > 0 and ended < ?) returning 1", before, before
        )


class LeaseRepository(Database[C]):
    """Which node does what."""

    def take_lease(self, name: str, holder: str, at: int, duration_ms: int) -> Lease:
        return self.take_leases([name], holder, at, duration_ms)[0]

    def take_leases(self, names: Sequence[str], holder: str, at: int, duration_ms: int) -> list[Lease]:
        if not holder or not all(map(storable, (holder, *names))):
            raise InvalidAppend("a lease has a name that cannot be stored")
        held: dict[str, Lease] = {}
        with self._writing() as writing:
            for name in sorted(set(names)):  # in order: whoever takes them in this order waits for nobody who waits
                rows = writing.ask(_TAKE, name, holder, at + duration_ms, at) or writing.ask(
                    f"{_LEASES} where name = ?", name
                )
                held[name] = Lease(*rows[0])
        return [held[name] for name in names]

    def release_lease(self, name: str, holder: str) -> None:
        self._changed("delete from leases where name = ? and holder = ? returning 1", name, holder)

    def leases(self) -> list[Lease]:
        return [Lease(*row) for row in self._answer(f"{_LEASES} order by name")]


class SnapshotRepository(Database[C]):
    """States of tables to read on from."""

    def keep_state(self, table: str, sequence: int, form: str, state: bytes) -> None:
        if not form or not storable(form):
            raise InvalidAppend("the form of a state has a name that cannot be stored")
        stands = self._answer("select sequence from tables where id = ?", table)
        if not stands:
            raise no_table(table)
        if not 0 < sequence <= stands[0][0]:
            raise InvalidAppend(
                f"{table} has {stands[0][0]} records, so there is no state after record {sequence}. Store, then keep."
            )
        with self._writing() as writing:
            writing.run(
                "insert into states (table_id, form, sequence, state) values (?, ?, ?, ?) "
                "on conflict (table_id, form) do update set sequence = excluded.sequence, state = excluded.state "
                "where excluded.sequence > states.sequence",
                *(table, form, sequence, state),
            )

    def state(self, table: str, form: str) -> tuple[int, bytes] | None:
        rows = self._answer("select sequence, state from states where table_id = ? and form = ?", table, form)
        return (rows[0][0], rows[0][1]) if rows else None


class PlayRepository(Database[C]):
    """Wallets, plays and rounds. They are written by `commit`."""

    def wallet(self, person: str) -> int | None:
        rows = self._answer("select balance from wallets where person = ?", person)
        return int(rows[0][0]) if rows else None

    def wallets(self) -> Iterator[tuple[str, int]]:
        question = "select person, balance from wallets where person > ? order by person limit ?"
        for row in self._chunks(question, (), ("",), lambda row: (row[0],)):
            yield row[0], row[1]

    def wallet_sums(self) -> Iterator[WalletSum]:
        question = (
            "select person, balance, (select cast(coalesce(sum(b.balance), 0) as bigint) from balances b "
            f"where b.account = '{WORLD}' || wallets.person) from wallets where person > ? order by person limit ?"
        )
        for row in self._chunks(question, (), ("",), lambda row: (row[0],)):
            yield WalletSum(*row)

    def plays(
        self, person: str, *, before: int | None = None, since: int = 0, until: int | None = None, limit: int = 100
    ) -> list[Play]:
        end = min(each for each in (before, until, LARGEST) if each is not None)
        rows = self._plays("at >= ? and at < ?", person, since, end, limit=limit)
        if len(rows) < _sane(limit):
            return [Play(*row) for row in rows]
        oldest = rows[-1][3]
        whole = [row for row in rows if row[3] > oldest]
        return [Play(*row) for row in (*whole, *self._plays("at = ?", person, oldest, limit=MOST))]

    def _plays(self, when: str, *parameters: object, limit: int) -> list[Row]:
        return self._answer(
            "select person, table_id, round, at, staked, net, sequence, kind from plays "
            f"where person = ? and {when} order by at desc, table_id desc, sequence desc, kind desc limit ?",
            *(*parameters, _sane(limit)),
        )

    def sums(self, person: str, *, since: int = 0, until: int | None = None) -> PlaySums:
        rows = self._answer(
            "select count(*), cast(coalesce(sum(staked), 0) as bigint), cast(coalesce(sum(net), 0) as bigint) from plays "
            "where person = ? and at >= ? and at < ?",
            *(person, since, LARGEST if until is None else until),
        )
        return PlaySums(*rows[0]) if rows else PlaySums(0, 0, 0)

    def lost(self, person: str, since: int) -> int:
        rows = self._answer(
            "select cast(coalesce(sum(net), 0) as bigint) from plays where person = ? and at >= ?", person, since
        )
        return -int(rows[0][0]) if rows else 0

    def purses(self, asked: Sequence[tuple[str, int]]) -> list[tuple[int | None, int]]:
        found: list[tuple[int | None, int]] = []
        for first in range(0, len(asked), CHUNK):
            places = [(place, *_findable(*each)) for place, each in enumerate(asked[first : first + CHUNK])]
            question = _PURSES.format(", ".join([_PURSE] * len(places)))
            found += [(row[0], -int(row[1])) for row in self._answer(question, *chain.from_iterable(places))]
        return found

    def rounds(self, table: str, *, before: int | None = None, limit: int = 100) -> list[RoundEntry]:
        rows = self._answer(
            f"{_ROUNDS} where table_id = ? and number < ? order by number desc limit ?",
            *(table, LARGEST if before is None else before, _sane(limit)),
        )
        return [RoundEntry(*row) for row in rows]

    def round(self, table: str, number: int) -> RoundEntry | None:
        rows = self._answer(f"{_ROUNDS} where table_id = ? and number = ?", table, number)
        return RoundEntry(*rows[0]) if rows else None


_SESSIONS = "select digest, person, created, seen, until, ended, csrf, address, agent from sessions"
_LEASES = "select name, holder, until from leases"
_TAKE = (
    "insert into leases (name, holder, until) values (?, ?, ?) on conflict (name) "
    "do update set holder = excluded.holder, until = excluded.until "
    "where leases.holder = excluded.holder or leases.until <= ? returning name, holder, until"
)
_PURSE = "(cast(? as bigint), cast(? as text), cast(? as bigint))"
_PURSES = (
    "with asked (place, person, since) as (values {}) select (select w.balance from wallets w where w.person = asked.person), "
    "(select cast(coalesce(sum(p.net), 0) as bigint) from plays p where p.person = asked.person and p.at >= asked.since) "
    "from asked order by place"
)
_ROUNDS = "select table_id, number, first_sequence, last_sequence, started, ended, winner from rounds"


def _note(text: str) -> str:
    """As much of a text as any database holds."""
    return text.replace("\0", "").encode(errors="replace").decode()[:NOTE]


def _findable(person: str, since: int) -> tuple[str, int]:
    """Nobody has a name that cannot be stored, and nothing was before or after all times."""
    return person if storable(person) else "", max(-LARGEST, min(since, LARGEST))


def _sane(limit: int) -> int:
    """How many rows somebody gets who asks for so many."""
    return max(1, min(limit, MOST))
