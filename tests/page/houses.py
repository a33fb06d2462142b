"""The real server in a process of its own, as a demonstration, with short countdowns."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

PASSWORD = "play-money"
QUICK = {"LONGHU_BETTING_SECONDS": "4", "LONGHU_PACE_SECONDS": "0.25", "LONGHU_CONTRIBUTION_SECONDS": "0.5", "LONGHU_HASH_TIME": "1",
         "LONGHU_HASH_MEMORY_KIB": "8192", "LONGHU_REQUESTS_PER_SECOND": "1000", "LONGHU_LAB_PER_SECOND": "1000", "LONGHU_SIGN_INS_PER_MINUTE": "1000"}  # fmt: skip


@dataclass(frozen=True)
class DemoHouse:
    address: str
    process: subprocess.Popen[str]


_OTHER_CLOCK = """
import runpy, sys, time
ahead, coarse = int(sys.argv.pop(1)), int(sys.argv.pop(1)) or 1
wall, wall_ns, steady_ns = time.time, time.time_ns, time.monotonic_ns
time.time, time.time_ns = lambda: wall() + ahead, lambda: wall_ns() // coarse * coarse + ahead * 10**9
time.monotonic_ns = lambda: steady_ns() // coarse * coarse
runpy.run_module("longhu", run_name="__main__", alter_sys=True)
"""  # the program on a machine whose clock is so many seconds ahead, and ticks once in so many nanoseconds


@contextmanager
def demonstration(
    folder: Path, *, ahead: timedelta = timedelta(), tick: timedelta = timedelta(), **settings: str
) -> Iterator[DemoHouse]:
    """`longhu serve --demo` on any free port; `settings` are further ones, as the environment has them.

    With `ahead` it is as much later: a house that was closed in this folder is opened again then. With `tick` its clock goes
    so coarsely that what comes one after the other comes at one moment.
    """
    clock = [str(ahead // timedelta(seconds=1)), str(tick // timedelta(microseconds=1) * 1000)]
    program = ["-c", _OTHER_CLOCK, *clock] if ahead or tick else ["-m", "longhu"]
    command = [sys.executable, *program, "serve", "--demo", "--database", str(folder / "demo.db"), "--port", "0"]
    with (folder / "log.txt").open("w") as log:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=log, text=True, env={**os.environ, **QUICK, **settings}
        )
        try:
            assert process.stdout is not None
            told = process.stdout.readline()
            found = re.search(r"http://\S+", told)
            assert found, f"the server did not start: {told!r} {(folder / 'log.txt').read_text()[-2000:]}"
            yield DemoHouse(found[0], process)
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            if process.stdout is not None:
                process.stdout.close()
        failures = [line for line in (folder / "log.txt").read_text().splitlines() if "[error" in line]
        assert not failures, "\n".join(["the house logged errors:", *failures])
