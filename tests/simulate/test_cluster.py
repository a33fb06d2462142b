"""A real scheduler and real workers on loopback: one dies in the middle, and the tally is that of one process."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from longhu.games.registry import find, load_game
from longhu.simulate.plan import plan
from longhu.simulate.run import ClusterError, on_threads, run
from longhu.simulate.totals import Totals

SECONDS = 60


class Cluster:
    """A scheduler and workers, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.workers = folder, list[subprocess.Popen[bytes]]()
        self.scheduler = self._start("scheduler", "--no-dashboard", "--host", "127.0.0.1", "--port", "0")
        assert self.scheduler.stderr is not None
        told = next(line for line in self.scheduler.stderr if b"Scheduler at:" in line)
        self.address = told.split()[-1].decode()

    def _start(self, *words: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "dask", *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=self.folder
        )

    def add_worker(self) -> None:
        """One that has told the scheduler of itself."""
        options = ["--nthreads", "1", "--nworkers", "1", "--no-dashboard", "--no-nanny"]
        where = ["--host", "127.0.0.1", "--local-directory", str(self.folder / f"worker-{len(self.workers)}")]
        worker = self._start("worker", self.address, *options, *where)
        self.workers.append(worker)
        assert worker.stderr is not None
        assert any(b"Registered to:" in line for line in worker.stderr)

    def stop(self) -> None:
        for process in [*self.workers, self.scheduler]:
            process.kill()
            process.wait(SECONDS)
            if process.stderr is not None:
                process.stderr.close()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    made = Cluster(tmp_path)
    try:
        made.add_worker()
        made.add_worker()
        yield made
    finally:
        made.stop()


@pytest.mark.filterwarnings("ignore")  # dask's own, in its own code
def test_a_worker_dies_and_the_tally_is_the_same(cluster: Cluster) -> None:
    from longhu.simulate.cluster import on_cluster

    planned = plan(load_game(find("dragon-21")), rounds=150_000_000, seed=7)
    totals, came = Totals(planned), 0
    with on_cluster(cluster.address) as deal:
        for portion in deal(totals):
            totals.add(portion)
            came += 1
            if came == 2:
                cluster.workers[0].send_signal(signal.SIGKILL)
    assert cluster.workers[0].wait(SECONDS) == -signal.SIGKILL
    assert came > 4
    assert totals.upto == planned.blocks
    assert np.array_equal(totals.by_depth, run(Totals(planned), on_threads()).by_depth)


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    from longhu.simulate import cluster

    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1)
    for address in ("tcp://127.0.0.1:1", "nonsense://x"):
        with pytest.raises(ClusterError, match=f"no scheduler answers at '{address}' "), cluster.on_cluster(address):
            pass
