"""The application: routes, the socket of each table and the page over one `House`, and the server that runs it."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import signal
import socket
import ssl
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path

import uvicorn
import uvloop
from litestar import Litestar
from litestar.datastructures import State
from litestar.handlers import HTTPRouteHandler

from longhu.server import observability
from longhu.server.api import (
    accounts,
    cage,
    dealer,
    devices,
    disputes,
    floor,
    games,
    lab,
    operations,
    page,
    patron,
    pit,
    rounds,
    sign_in,
    statement,
    tables,
)
from longhu.server.api.audit import checks, records, search
from longhu.server.api.audit.checks import Checks
from longhu.server.api.devices import device_socket
from longhu.server.api.games import OddsCache
from longhu.server.api.guards import guard
from longhu.server.api.http import Body, Edge, LimitedConnection, nothing_left_over
from longhu.server.api.lab import Lab
from longhu.server.api.tables import table_socket
from longhu.server.authorization import Rate
from longhu.server.config import BadConfig, Config
from longhu.server.demonstration.demo import demonstration
from longhu.server.house import House
from longhu.server.observability import Metrics
from longhu.server.problems import answer
from longhu.server.realtime.connection import FrameConnection
from longhu.server.tables.theory import Theories
from longhu.wording import shown

GARBAGE = 20_000  # objects more than before, between two looks at the young ones
KEPT = 75  # seconds that an idle connection stays open: longer than proxies keep theirs, which would send into a closed one
HANDED_OVER = 0.0005  # seconds after which a thread that is at work lets another go on

ROUTES = (
    sign_in, patron, statement, games, tables, rounds, dealer, floor, pit, cage, disputes, devices, accounts, records, search, checks, lab, operations,
)  # fmt: skip


def _handlers() -> list[HTTPRouteHandler]:
    """All routes of these modules."""
    return [each for module in ROUTES for each in vars(module).values() if isinstance(each, HTTPRouteHandler)]


def create(config: Config) -> Litestar:
    """The application; its lifespan opens the house and closes it."""

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        house = await House.open(config)
        app.state.house = house
        app.state.theories = Theories(house.store)
        app.state.checks = Checks(house.store, app.state.verifying)
        app.state.lab = Lab()
        async with AsyncExitStack() as stack:
            stack.push_async_callback(house.stop)
            stack.push_async_callback(app.state.lab.close)
            stack.push_async_callback(app.state.checks.stop)
            await house.start()
            yield

    metrics = Metrics()
    app = Litestar(
        [*_handlers(), *page.handlers(), table_socket, device_socket],
        lifespan=[lifespan],
        state=State(
            {
                "config": config,
                "metrics": metrics,
                "sign_ins": Rate(config.sign_ins_per_minute, 60.0),
                "lab_rate": Rate(config.lab_per_second),
                "odds_cache": OddsCache(),
                "verifying": asyncio.Semaphore(1),
            }
        ),
        guards=[guard, nothing_left_over],
        dto=Body,
        return_dto=None,
        exception_handlers={Exception: answer},
        request_max_body_size=config.body_bytes,
        openapi_config=None,
        logging_config=None,
    )
    app.asgi_handler = Edge(app.asgi_handler, config, metrics.requests, metrics.seconds)
    return app


class Server(uvicorn.Server):
    """Uvicorn without its signal handlers."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    def stop(self) -> None:
        """Take no new connections and let requests finish; called twice, cut them off."""
        self.force_exit = self.should_exit
        self.should_exit = True


@asynccontextmanager
async def running(config: Config) -> AsyncIterator[tuple[Litestar, str, Server]]:
    """The application while it answers, its address, and its server."""
    tls = _certified(config)
    with contextlib.closing(_bound(config)) as listening:
        app = create(config)
        server = Server(
            uvicorn.Config(
                app,
                lifespan="off",  # it is entered here, so that what goes wrong is told to whoever starts it
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=bool(config.believed),
                forwarded_allow_ips=config.believed,
                http=LimitedConnection,
                ws=FrameConnection,
                ws_max_size=config.body_bytes,
                ws_per_message_deflate=False,
                timeout_keep_alive=KEPT,
                timeout_graceful_shutdown=max(1, round(config.stop_seconds)),
                ssl_context_factory=None if tls is None else lambda *_: tls,
            )
        )
        async with app.lifespan():
            serving = asyncio.create_task(server.serve([listening]))
            try:
                yield app, f"{config.scheme}://{_place(listening)}", server
            finally:
                server.stop()
                await serving


def _bound(config: Config) -> socket.socket:
    """The socket to listen on; `OSError` where the port is in use."""
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((config.host, config.port))
        listening.listen(2048)
    except OSError:
        listening.close()
        raise
    return listening


def _place(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _certified(config: Config) -> ssl.SSLContext | None:
    """TLS with the certificate, where there is one; `BadConfig` says what is wrong with its files."""
    if not config.certificate:
        return None
    for name, file in (("certificate", config.certificate), ("certificate_key", config.certificate_key)):
        try:
            Path(file).read_bytes()
        except OSError as error:
            raise BadConfig(f"{name}: the file {shown(file, 80)} cannot be read: {error.strerror}") from None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(config.certificate, config.certificate_key, password="")
    except ssl.SSLError as error:
        raise BadConfig(
            f"certificate: {shown(config.certificate, 80)} and {shown(config.certificate_key, 80)} are no certificate and "
            f"its key without a password, in PEM: {error.reason or error}"
        ) from None
    return context


def _furnished(config: Config, house: House) -> AbstractAsyncContextManager[object]:
    """Tables, staff and robots of a demonstration; nothing for any other house."""
    return demonstration(house) if config.demo else contextlib.nullcontext()


def serve(config: Config, started: Callable[[str, House], None]) -> None:
    """Answer until SIGTERM or SIGINT; `started` is told the address and the house once requests are answered."""

    async def main() -> None:
        ended = asyncio.Event()
        async with running(config) as (app, address, server), _furnished(config, app.state.house):
            _on_signals(ended.set)
            settle_in()
            started(address, app.state.house)
            await ended.wait()
            _on_signals(server.stop)  # somebody is in a hurry

    handler = observability.configure(config)
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(main())
    finally:
        observability.remove(handler)


def settle_in() -> None:
    """Keep the garbage collector away from what was loaded at the start, so that nobody waits for it.

    Hardly anything that is made later is a cycle, so that looking more rarely costs no memory to speak of. With every
    statement a thread that asks something of the store lets go of the interpreter, and has to get it back from a loop that is
    busy: at the usual 5 ms each time, ten statements would take longer than all that they read or write.
    """
    sys.setswitchinterval(HANDED_OVER)
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE, 20, 50)


def _on_signals(act: Callable[[], None]) -> None:
    """Ctrl-C and SIGTERM; a thread beside the main one is not told of them."""
    if threading.current_thread() is threading.main_thread():
        for each in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(each, act)
