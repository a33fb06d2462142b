"""Health, readiness and figures of the server, for those who operate it, and for Prometheus."""

from __future__ import annotations

import asyncio

import msgspec
from litestar import Response, get

from longhu.messages.message import message_code
from longhu.positions import Position
from longhu.server.api import guards
from longhu.server.api.guards import ANYBODY
from longhu.server.api.http import address
from longhu.server.config import is_loopback
from longhu.server.house import House
from longhu.server.problems import NOTHING_HERE, ProblemKind, Trouble
from longhu.store.errors import StoreError, StoreUnusable
from longhu.store.group_commit import GroupCommit

METRICS_FOR_STAFF = message_code("metrics-for-staff")
METRICS_OPEN = message_code("metrics-open")

MEDIA_TYPE = "text/plain; version=1.0.0"  # and the charset, which is added to every text
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
async def readyz(request: guards.Request) -> Response[Ready]:
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
            await _reached(house.commits)
    except StoreError as error:
        return "unusable" if isinstance(error, StoreUnusable) else "unwritten"
    except TimeoutError:
        return "it does not answer"
    return "" if house.commits.is_writing else "unwritten"


async def _reached(commits: GroupCommit) -> None:
    """Wait until the commit thread has come to an empty submission behind all that was handed in before."""
    loop = asyncio.get_running_loop()
    reached = asyncio.Event()

    def told(_: object) -> None:
        loop.call_soon_threadsafe(reached.set)

    commits.submit((), told)
    await reached.wait()


@get("/metrics", opt={**ANYBODY, "gives": "text/plain", "problems": (403, 404)})
async def figures(request: guards.Request) -> Response[bytes]:
    """Figures for Prometheus: for staff, and for whoever asks from this machine, unless `metrics_open` is set."""
    config = guards.config(request)
    if not config.metrics:
        raise Trouble(ProblemKind.NOT_FOUND, NOTHING_HERE())
    if not (config.metrics_open or is_loopback(address(request.scope)) or await _is_staff(request)):
        raise Trouble(
            ProblemKind.NOT_ALLOWED,
            METRICS_FOR_STAFF(),
            remedy=METRICS_OPEN(),
            clause="SEC-1",
        )
    house, counted = guards.house(request), request.app.state.metrics
    counted.tables.set(len(house.tables))
    counted.driven.set(len(house.driven()))
    counted.alerts.set(len(await house.house_log.alerts()))
    return Response(counted.told(), media_type=MEDIA_TYPE)


async def _is_staff(request: guards.Request) -> bool:
    actor = await guards.whoever(request)
    return actor is not None and guards.may_ask(actor, Position.DEALER, changes=False)
