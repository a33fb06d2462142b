"""What a house asks about rounds that are over, and about the money of people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from longhu.ledger import WORLD
from longhu.store.asking import CHUNK, MOST, Asking, C, Row
from longhu.store.entries import Play, PlaySums, RoundEntry, WalletSum
from longhu.store.validation import LARGEST, storable


class Played(Asking[C]):
    """Wallets, plays and rounds; `Store` says what each part of it is for. They are written by `commit`."""

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


_PURSE = "(cast(? as bigint), cast(? as text), cast(? as bigint))"
_PURSES = (
    "with asked (place, person, since) as (values {}) select (select w.balance from wallets w where w.person = asked.person), "
    "(select cast(coalesce(sum(p.net), 0) as bigint) from plays p where p.person = asked.person and p.at >= asked.since) "
    "from asked order by place"
)
_ROUNDS = "select table_id, number, first_sequence, last_sequence, started, ended, ending from rounds"


def _findable(person: str, since: int) -> tuple[str, int]:
    """Nobody has a name that cannot be stored, and nothing was before or after all times."""
    return person if storable(person) else "", max(-LARGEST, min(since, LARGEST))


def _sane(limit: int) -> int:
    """How many rows somebody gets who asks for so many."""
    return max(1, min(limit, MOST))
