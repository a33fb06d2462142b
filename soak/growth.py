"""How a house grows: what takes longer, or more room, after ten times as many rounds.

A house with eight tables of Dragon Tiger and three patrons at each plays without a pause until it has so many rounds. Then it is
served by `longhu serve`, in a process of its own, and asked what people ask of it. It goes on from there to the next number.
"""

from __future__ import annotations

import argparse
import asyncio
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing, suppress
from functools import partial
from pathlib import Path
from uuid import uuid4

import httpx
import psycopg
import uvloop
from tests.server.conftest import an_empty_database
from tests.server.houses import done
from tests.server.running import PASSWORD, Client, agreed, quick
from tests.store.server import Server as PostgreSQL
from tests.store.server import programs

from longhu.accounts.wallet import PayIn
from longhu.cli.terminal import progress
from longhu.positions import Position
from longhu.server.config import TableConfig
from longhu.server.house import House
from longhu.server.streams.commands import SYSTEM, Actor
from longhu.server.streams.table_stream import TableStream, load_snapshot
from longhu.server.tables.opening import setup
from longhu.store.address import open_store
from longhu.table.betting import PlaceWager
from longhu.table.state import Phase

TABLES, SEATS = 8, 3
WAGERS = ("dragon", "tiger", "tie")  # of the patrons of a table
MONEY, LEAST = 10**9, 100  # that each patron buys chips for, and wagers in a round, in minor units
BETTING = 0.005  # seconds; all patrons wager at once
LONG = 100_000  # minutes: nobody is asked for a rest
STARTS, WAGERED, ASKED = 3, 200, 5  # times that the house is started, a wager is placed, and anything else is asked
FIRST, AUDITOR, MANAGER = "T1", "alba", "pat"
KIB, MIB = 1 << 10, 1 << 20

Rows = dict[str, str]


# ------------------------------------------------ filling


async def fill(database: str, rounds: int) -> float:
    """Play until there are so many rounds at all tables together; how many a second were played."""
    house = await House.open(quick(database, betting_seconds=BETTING, check_minutes=LONG, log_level="error"))
    try:
        await house.start()
        if not house.tables:
            await furnish(house)
        counted = sum(each.state.rounds for each in house.tables.values())
        share, start = -(-rounds // TABLES), time.monotonic()
        with progress(f"{rounds:,} rounds", rounds - counted) as advance:
            await asyncio.gather(*(play(house, live, share, advance) for live in house.tables.values()))
        rate = (rounds - counted) / (time.monotonic() - start)
        await asyncio.to_thread(house.store.index_records)  # as the house does every now and then
    finally:
        await house.stop()
    return rate


async def furnish(house: House) -> None:
    """Tables, a patron for each seat, and staff who ask."""
    for number in range(1, TABLES + 1):
        table = f"T{number}"
        made = setup(TableConfig(table=table, game="dragon-tiger", maximum="9999999.00", float="999999999.00"))
        if not await house.house_log.approved(made.game.digest):
            done(await house.house_log.approve_game(SYSTEM, made.game, "to grow", uuid4().hex))
        done(await house.open_table(SYSTEM, made.game, made.settings, made.float))
        for seat in range(1, SEATS + 1):
            person = f"patron-{table.lower()}-{seat}"
            agreed(await house.people.create(SYSTEM, person, person, PASSWORD))
            done(await house.people.act(SYSTEM, person, PayIn(amount=MONEY, reference="to grow"), uuid4().hex))
            done(await house.join(Actor(person, Position.PATRON), table, seat, MONEY))
    agreed(await house.people.create(SYSTEM, AUDITOR, AUDITOR, PASSWORD, Position.AUDITOR))
    agreed(await house.people.create(SYSTEM, MANAGER, MANAGER, PASSWORD, Position.PIT_MANAGER))


async def play(house: House, live: TableStream, rounds: int, advance: Callable[[int], None]) -> None:
    """Everybody at a table wagers in each round as soon as it begins, until it has so many rounds."""
    changed = asyncio.Event()
    stop_listening = live.listen(lambda _: changed.set())
    wagered, over = 0, live.state.rounds
    try:
        while over <= rounds:  # the last of them is in play
            changed.clear()
            round = live.state.round
            if round is not None and round.phase is Phase.BETTING and round.number > wagered:
                wagered = round.number
                patrons = [(each.seat or 0, person) for person, each in live.state.people.items()]
                await asyncio.gather(*(wager(house, live.name, person, seat) for seat, person in patrons))
            elif live.state.rounds == over:
                await changed.wait()
            advance(live.state.rounds - over)
            over = live.state.rounds
    finally:
        stop_listening()


async def wager(house: House, table: str, person: str, seat: int) -> None:
    """Somebody places the least; who is late, is refused."""
    command = PlaceWager(by=person, at=0, place=seat, wager=WAGERS[seat - 1], amount=LEAST)
    await house.act(Actor(person, Position.PATRON), table, command, uuid4().hex)


# ------------------------------------------------ asking


class Process:
    """`longhu serve`, in a process of its own."""

    def __init__(self, config: Path, port: int) -> None:
        self.address, log = f"http://127.0.0.1:{port}", config.with_suffix(".log")
        with log.open("wb") as told:
            start = time.monotonic()
            self._process = subprocess.Popen(longhu("serve", "--config", config), stdout=told, stderr=told)
        while not self._is_ready():
            if self._process.poll() is not None:
                raise SystemExit(f"soak: the server ended by itself\n{log.read_text()}")
            time.sleep(0.005)
        self.seconds = time.monotonic() - start
        self.memory = self.resident()

    def _is_ready(self) -> bool:
        with suppress(httpx.TransportError):
            return httpx.get(f"{self.address}/readyz", timeout=10).status_code == 200
        return False

    def resident(self) -> int:
        """Bytes of memory that it has."""
        status = Path(f"/proc/{self._process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) * KIB for line in status if line.startswith("VmRSS"))

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait()


def longhu(*words: str | Path) -> list[str]:
    return [sys.executable, "-m", "longhu", *map(str, words)]


def seconds(what: Callable[[], object], times: int) -> list[float]:
    """How long something takes, so many times, in order."""
    found = []
    for _ in range(times):
        start = time.monotonic()
        what()
        found.append(time.monotonic() - start)
    return sorted(found)


def ms(found: Sequence[float]) -> str:
    return f"{1000 * statistics.median(found):.1f} ms"


def measure(database: str, folder: Path) -> Rows:
    """A house is started some times, and asked."""
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    config = folder / "house.toml"
    config.write_text(
        f'database = "{database}"\nport = {port}\nbetting_seconds = 3600\npace_seconds = 0\ncontribution_seconds = 0\n'
        f'log_level = "error"\nrequests_per_second = 1000000\nsign_ins_per_minute = 1000000\ncheck_minutes = {LONG}\n'
    )
    starts = []
    for number in range(1, STARTS + 1):
        process = Process(config, port)
        starts.append(process)
        try:
            rows = questions(process, folder / "proof.jsonl") if number == STARTS else {}
        finally:
            process.stop()
    return {
        "start until `/readyz`, median of 3": f"{statistics.median(each.seconds for each in starts):.2f} s",
        "memory after start, median of 3": f"{statistics.median(each.memory for each in starts) / MIB:.0f} MiB",
        **rows,
    }


def got(client: Client, path: str) -> httpx.Response:
    answer = client.get(path)
    assert answer.status_code == 200, f"{path}: {answer.status_code} {answer.text[:200]}"
    return answer


def questions(process: Process, proof: Path) -> Rows:
    """What patrons, an auditor and a pit manager ask of a house that was just started."""
    patron = f"patron-{FIRST.lower()}-1"
    with ExitStack() as stack:
        ann, auditor, manager = (stack.enter_context(Client(base_url=process.address, timeout=600)) for _ in range(3))
        for client, person in ((ann, patron), (auditor, AUDITOR), (manager, MANAGER)):
            client.sign_in(person, PASSWORD)

        def asked(client: Client, path: str, *queries: str) -> str:
            return " / ".join(ms(seconds(partial(got, client, path + query), ASKED)) for query in queries or ("",))

        def bet() -> None:
            answer = ann.command(FIRST, "place-wager", place=1, wager=WAGERS[0], amount="1.00")
            assert answer.status_code == 200, answer.text

        bet()
        wagers = seconds(bet, WAGERED)
        listed, theory = f"/api/tables/{FIRST}/rounds", f"/api/floor/{FIRST}/theory"
        rounds = got(ann, listed).json()["rounds"][0]["number"]
        size = len(got(ann, "/api/me/statement").content)
        first = ms(seconds(lambda: got(manager, theory), 1))
        rows = {
            "a wager over HTTP, median / p95 of 200": f"{ms(wagers)} / {ms([wagers[WAGERED * 95 // 100]])}",
            "rounds of a table: newest / middle page": asked(ann, listed, "", f"?before={rounds // 2}"),
            "a patron's statement: first page": f"{asked(ann, '/api/me/statement')}, {size / KIB:.0f} KiB",
            "all of it as CSV": asked(ann, "/api/me/statement?form=csv"),
            "audit records: first / middle page": asked(
                auditor, f"/api/audit/records?table={FIRST}", "", f"&after={6 * rounds}"
            ),
            "search for text that is nowhere": asked(auditor, "/api/audit/search?text=nowhere-at-all"),
            "search for a patron's name": asked(auditor, f"/api/audit/search?text={patron}"),
            "theory of a table: first / later": f"{first} / {asked(manager, theory)}",
            "memory after these questions": f"{process.resident() / MIB:.0f} MiB",
        }
        start, lines = time.monotonic(), 0
        with proof.open("wb") as file, auditor.stream("GET", f"/api/audit/proof/{FIRST}") as told:
            for part in told.iter_bytes():
                lines += part.count(b"\n")
                file.write(part)
        rows["export of one table"] = f"{lines:,} lines, {time.monotonic() - start:.1f} s"
    verified = seconds(lambda: subprocess.run(longhu("verify", proof), check=True, stdout=subprocess.DEVNULL), 1)
    rows["`longhu verify` of it, with the start of the program"] = f"{verified[0]:.1f} s"
    return rows


def size_of(database: str) -> int:
    """Bytes on disk, of everything that belongs to the house."""
    if not database.startswith("postgresql:"):
        return Path(database).stat().st_size
    with psycopg.connect(database) as connection:
        tables = "select oid from pg_class where relkind = 'r' and relnamespace = 'longhu'::regnamespace"
        ((sized,),) = connection.execute(f"select sum(pg_total_relation_size(oid)) from ({tables})".encode())
    return int(sized)


def grown(database: str, rounds: int, folder: Path) -> Rows:
    """The house as it is with so many rounds."""
    rate = uvloop.run(fill(database, rounds))
    measured = measure(database, folder)
    with closing(open_store(database)) as store:
        tables = [each.table for each in store.tables()]
        records = sum(store.standing(table).sequence for table in tables)
        played = sum(store.rounds(table, limit=1)[0].number for table in tables)
        replayed = seconds(lambda: load_snapshot(store, FIRST, "another version of the program"), 1)
    size = size_of(database)
    return {
        "rounds": f"{played:,}",
        "records at the tables": f"{records:,}",
        "rounds a second while it was filled": f"{rate:,.0f}",
        "database": f"{size / 1e6:,.0f} MB",
        "bytes a round": f"{size / played:,.0f}",
        **measured,
        "one table read without its snapshot, as after an upgrade": f"{replayed[0]:.1f} s",
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m soak.growth", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, nargs="+", default=[10_000, 100_000], help="10000 100000 unless told")
    parser.add_argument("--store", choices=("sqlite", "postgresql"), default="sqlite")
    told = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="longhu-growth-")))
        database = str(folder / "house.db")
        if told.store == "postgresql":
            if (found := programs()) is None:
                raise SystemExit("soak: no PostgreSQL server is installed")
            server = PostgreSQL(found)
            stack.callback(server.stop)
            database = an_empty_database(server)
        columns = [grown(database, rounds, folder) for rounds in sorted(told.rounds)]
    for number, row in enumerate(columns[0]):
        print("|".join(["", f" {told.store if not number else row} ", *(f" {each[row]} " for each in columns), ""]))
        if not number:
            print("|---" * (len(columns) + 1) + "|")


if __name__ == "__main__":
    main()
