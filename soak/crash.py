"""A house whose server is killed over and over, for an hour, on either store in turn: LONGHU_SOAK_SECONDS says how long.

Each evening is a new house, as in `tests/server/test_crash.py`, with a seed of its own. The first thing that is wrong ends the
soak; its store stays where the last line says.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
import traceback
from contextlib import ExitStack
from itertools import count
from pathlib import Path

from tests.server.conftest import an_empty_database
from tests.server.crashing import Tally, evening
from tests.store.server import Server, programs

SECONDS = float(os.environ.get("LONGHU_SOAK_SECONDS", "3600"))
FIRST = int(os.environ.get("LONGHU_SERVER_SEED", str(time.time_ns() // 1_000_000)))
KILLS = 25  # of each evening


def main() -> int:
    asked = argparse.ArgumentParser(prog="python -m soak.crash", description=__doc__)
    asked.add_argument("--seconds", type=float, default=SECONDS, help=f"how long; {SECONDS:g} unless told")
    asked.add_argument("--seed", type=int, default=FIRST, help="of the first evening; the time of day unless told")
    told = asked.parse_args()
    found = programs()
    if found is None:
        print("soak: no PostgreSQL server is installed, and both stores are to be soaked", file=sys.stderr)
        return 2
    folder, ends = Path(tempfile.mkdtemp(prefix="longhu-soak-")), time.monotonic() + told.seconds
    totals = {"SQLite": Tally(), "PostgreSQL": Tally()}
    with ExitStack() as stack:
        server = Server(found)
        stack.callback(server.stop)
        for number in count():
            store = ("SQLite", "PostgreSQL")[number % 2]
            seed = told.seed + number
            database = str(folder / f"{seed}.db") if store == "SQLite" else an_empty_database(server)
            try:
                tally = asyncio.run(evening(database, folder / f"{seed}.log", KILLS, seed))
            except Exception:
                traceback.print_exc()
                print(
                    f"soak: FAILED on {store} with seed {seed}, {KILLS} kills an evening. Look at {folder}", flush=True
                )
                return 1
            totals[store] += tally
            left = max(0, ends - time.monotonic())
            print(f"{store}, seed {seed}: {tally}; {left / 60:.0f} minutes left", flush=True)
            if not left and number:
                break
    for store, total in totals.items():
        print(f"{store} in all: {total}")
    for each in folder.iterdir():
        each.unlink()
    folder.rmdir()
    return 0


if __name__ == "__main__":
    sys.exit(main())
