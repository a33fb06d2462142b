"""Deal on a Dask cluster that runs already: the same portions of blocks, on other machines.

A portion is a pure function of the plan and its numbers, so it does not matter which worker deals it, nor how often: when
a worker dies, the scheduler gives its portions to another.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from itertools import islice
from typing import Any

from longhu.simulate.plan import Plan
from longhu.simulate.run import AHEAD, ClusterError, Deal
from longhu.simulate.totals import Portion, Totals, dealt

CONNECT_SECONDS = 10
WORKER_SECONDS = 30  # to wait for the first worker
RETRIES = 5  # of a portion, besides those that a lost worker costs
ROUNDS = 10**8  # of a portion: about a second's work
ROUNDS_PER_SHOE = 60  # near enough to choose how much a portion holds


@contextmanager
def on_cluster(address: str) -> Iterator[Deal]:
    """On the workers of the scheduler at this address; `ClusterError` where there is none."""
    client = _connected(address)
    try:
        _check_workers(client, address)
        yield _dealing(client)
    finally:
        client.close()


def _dealing(client: Any) -> Deal:
    def deal(totals: Totals) -> Iterator[Portion]:
        from distributed import as_completed

        threads = max(1, sum(client.nthreads().values()))
        missing = totals.missing(_portion(totals.plan, threads))
        first = [_submitted(client, totals.plan, each) for each in islice(missing, AHEAD * threads)]
        done: Any = as_completed(first, loop=client.loop)  # type: ignore[no-untyped-call]
        try:
            for future in done:
                portion = _result(future)
                future.release()
                for each in islice(missing, 1):
                    done.add(_submitted(client, totals.plan, each))
                yield portion
        finally:
            client.cancel(list(done.futures), force=True)

    return deal


def _portion(plan: Plan, threads: int) -> int:
    """Blocks that go to a worker at once: enough to outweigh the way there, and a few portions for everybody."""
    rounds = plan.units_per_block * (1 if plan.by_shoe is None else ROUNDS_PER_SHOE)
    return max(1, min(ROUNDS // rounds, plan.blocks // (AHEAD * threads)))


def _submitted(client: Any, plan: Plan, portion: tuple[int, int]) -> Any:
    return client.submit(dealt, plan, *portion, pure=False, retries=RETRIES)


def _result(future: Any) -> Portion:
    try:
        return future.result()  # type: ignore[no-any-return]
    except Exception as error:
        raise ClusterError(f"a worker failed: {error!r}. Look at its log, and go on with --resume") from error


def _connected(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise ClusterError("this needs dask.distributed: install longhu[cluster]") from None
    try:
        found = asyncio.run(asyncio.wait_for(_who_is_at(address), CONNECT_SECONDS))
        if found != "Scheduler":
            raise ValueError(f"a {found.lower()} is there")
        return Client(address, timeout=CONNECT_SECONDS, set_as_default=False)  # type: ignore[no-untyped-call]
    except Exception as error:  # of any kind: an address may ask for whatever Dask can do, or cannot on this machine
        told = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ClusterError(
            f"no scheduler answers at {address[:100]!r} ({told}). Start one with `dask scheduler`, and give its address"
        ) from None


async def _who_is_at(address: str) -> str:
    """Asked first and by itself: a client that has failed to connect is slow to go, and not quiet."""
    from distributed.core import rpc
    from distributed.security import Security

    arguments = Security().get_connection_args("client")  # type: ignore[no-untyped-call]
    there: Any = rpc(address, timeout=CONNECT_SECONDS, connection_args=arguments)  # type: ignore[no-untyped-call]
    async with there:
        return str((await there.identity())["type"])


def _check_workers(client: Any, address: str) -> None:
    """Somebody to deal, with the same version of Longhu: another one might deal otherwise."""
    try:
        client.wait_for_workers(1, timeout=WORKER_SECONDS)
    except TimeoutError:
        raise ClusterError(
            f"the scheduler at {address} has no workers. Start one with `dask worker {address}`"
        ) from None
    ours = version("longhu")
    try:
        theirs = client.run(version, "longhu")
    except Exception as error:
        raise ClusterError(f"a worker cannot tell its version of Longhu: {error}. Install {ours} there") from None
    for worker, found in theirs.items():
        if found != ours:
            raise ClusterError(f"the worker at {worker} has Longhu {found}, and this is {ours}. Install the same")
