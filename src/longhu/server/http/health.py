"""Is the process there, can the house take a wager, and how is it doing: for whoever watches over it."""

from __future__ import annotations

import asyncio

import msgspec
from litestar import Response, get

from longhu.server.house import House
from longhu.server.http import guards, metrics
from longhu.server.http.guards import ANYBODY
from longhu.server.http.problems import Kind, Trouble
from longhu.store.errors import StoreError, StoreUnusable
from longhu.store.group_commit import GroupCommit

PROBE = "probe"  # a lease that nobody else takes: that it can be taken shows that the store is writable
PROBE_MS = 1_000  # how long it lasts, and an answer is good
PROBE_SECONDS = 5.0


class Alive(msgspec.Struct, frozen=True):
    """The process answers."""

    alive: bool = True


class Ready(msgspec.Struct, frozen=True, kw_only=True):
    """Whether wagers can be taken, and if not, why."""

    ready: bool
    store: str  # "" where it can be written to
    drivers: dict[str, bool]  # of the tables that this node drives: is the driver at work?
    node: str


@get("/healthz", opt=ANYBODY)
async def healthz() -> Alive:
    """The process answers."""
    return Alive()


@get("/readyz", opt=ANYBODY)
async def readyz(request: guards.Asked) -> Response[Ready]:
    """The store can be written to, and the tables of this node are driven; 503 where not."""
    house, state = guards.house(request), request.app.state
    if house.now() >= state.get("probed", (0, ""))[0] + PROBE_MS:
        state.probed = (house.now(), await _unwritable(house))
    wrong = state.probed[1]
    drivers = house.driven()
    ready = not wrong and all(drivers.values())
    told = Ready(ready=ready, store=wrong, drivers=drivers, node=house.config.node)
    return Response(told, status_code=200 if ready else 503)


async def _unwritable(house: House) -> str:
    name = f"{PROBE}:{house.config.node}"
    try:
        async with asyncio.timeout(PROBE_SECONDS):
            await asyncio.to_thread(house.store.take_lease, name, house.config.node, house.now(), PROBE_MS)
            await _reached(house.writer)
    except StoreError as error:
        return "unusable" if isinstance(error, StoreUnusable) else "unwritten"
    except TimeoutError:
        return "it does not answer"
    return "" if house.writer.is_writing else "unwritten"


async def _reached(writer: GroupCommit) -> None:
    """Whoever commits is at work: it has come to an append of nothing, behind all that was handed in before."""
    loop = asyncio.get_running_loop()
    reached = asyncio.Event()

    def told(_: object) -> None:
        loop.call_soon_threadsafe(reached.set)

    writer.submit((), told)
    await reached.wait()


@get("/metrics", opt={**ANYBODY, "gives": "text/plain", "problems": (404,)})
async def figures(request: guards.Asked) -> Response[bytes]:
    """Figures for Prometheus."""
    if not guards.config(request).metrics:
        raise Trouble(Kind.NOT_FOUND, "There is nothing at this address.")
    house, counted = guards.house(request), request.app.state.metrics
    counted.tables.set(len(house.tables))
    counted.driven.set(len(house.driven()))
    counted.alerts.set(len(await house.floor.alerts()))
    return Response(counted.told(), media_type=metrics.MEDIA_TYPE)


HANDLERS = [healthz, readyz, figures]
