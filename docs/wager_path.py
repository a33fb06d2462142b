"""Trace one wager from a patron's socket to another patron's, and draw its way: `make docs`.

A server runs in this process with one table, two patrons and a dealer on real sockets. While one wager goes through, every call of a
Python function of ours is noted, in the event loop and in the thread that commits.

    python docs/wager_path.py            draw docs/pictures/wager.svg
    python docs/wager_path.py --print    print the modules instead, for a wager over the socket and over HTTP
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from itertools import groupby
from pathlib import Path
from types import FrameType
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src"
PICTURE = ROOT / "docs" / "pictures" / "wager.svg"
ONCE_A_SECOND = 1.5  # seconds after which what is sent at most once a second has been sent
SENT = "Subscriber.send"
STARTED = 4  # bytes of a function's code at most that have run when it is entered
SETTLES = 0.3  # seconds for what follows an answer: other screens, the automatic dealer's look

sys.path.insert(0, str(ROOT))  # for the server of the tests

from tests.server.running import Client, Running, quick, running
from tests.server.sockets import Socket, at

from longhu.table.state import Phase


class Call(NamedTuple):
    """A function of ours that was entered."""

    thread: str  # "event loop" or "commit thread"
    module: str
    function: str


class Tracer:
    """Notes calls while it is on, in every thread that starts after it was installed."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self._is_on = False
        self._ours = str(SOURCES)

    def install(self) -> None:
        threading.setprofile(self._profile)

    def _profile(self, frame: FrameType, event: str, _: object) -> None:
        if not self._is_on or event != "call" or frame.f_lasti > STARTED:  # a coroutine that goes on is not called
            return
        code = frame.f_code
        if code.co_filename.startswith(self._ours):
            module = ".".join(Path(code.co_filename).relative_to(SOURCES).with_suffix("").parts)
            thread = "commit thread" if "commit" in threading.current_thread().name else "event loop"
            self.calls.append(Call(thread, module, code.co_qualname))

    @contextmanager
    def on(self) -> Iterator[list[Call]]:
        self.calls.clear()
        self._is_on = True
        try:
            yield self.calls
        finally:
            time.sleep(SETTLES)
            self._is_on = False


class Traces(NamedTuple):
    """The calls of a wager that was placed before (so that nothing is loaded or compiled for it)."""

    socket: list[Call]
    http: list[Call]


def traced() -> Traces:
    tracer = Tracer()
    tracer.install()
    try:
        with (
            tempfile.TemporaryDirectory() as folder,
            running(quick(Path(folder) / "house.db", betting_seconds=3600.0)) as server,
        ):
            return _played(server, tracer)
    finally:
        threading.setprofile(None)  # type: ignore[arg-type]


def _played(server: Running, tracer: Tracer) -> Traces:
    """One wager after the other, once betting is open; each comes from ann, and is seen by bob and by the dealer."""
    server.staffed()
    server.open_table("T1")
    ann, bob, dee = (server.signed_in(person) for person in ("ann", "bob", "dee"))
    for seat, patron in enumerate((ann, bob), 1):
        patron.post("/api/tables/T1/seat", json={"id": "sit", "seat": seat, "buy_in": "500.00"}).raise_for_status()
    server.until("T1", lambda table: table.round is not None and table.round.phase is Phase.BETTING)
    with at(server, "T1", ann) as hers, at(server, "T1", bob) as his, at(server, "T1", dee):
        ways: list[Callable[[], None]] = [lambda: _wager(hers, his), lambda: _wager_over_http(ann, his)]
        for way in ways * 2:
            way()
        time.sleep(ONCE_A_SECOND)
        return Traces(*(_of(tracer, way) for way in ways))


def _of(tracer: Tracer, act: Callable[[], None]) -> list[Call]:
    """The calls until the last screen was written to; what the house looks at afterwards is not on the way."""
    with tracer.on() as calls:
        act()
    sent = [place for place, each in enumerate(calls) if each.function == SENT]
    return calls[: sent[-1] + 2]


def _wager(hers: Socket, his: Socket) -> None:
    answer = hers.ask("place-wager", place=1, wager="dragon", amount="5.00")
    if answer["type"] != "done":
        raise SystemExit(f"the wager was not placed: {answer}")
    his.until("event", name="wager-placed")


def _wager_over_http(ann: Client, his: Socket) -> None:
    answer = ann.command("T1", "place-wager", place=1, wager="dragon", amount="5.00")
    if answer.status_code != 200:
        raise SystemExit(f"the wager was not placed: {answer.text}")
    his.until("event", name="wager-placed")


def modules(calls: list[Call]) -> list[str]:
    """In the order in which they were first entered."""
    return list(dict.fromkeys(each.module for each in calls))


# ------------------------------------------------ the drawing

WIDTH, ROW, LEFT, LANE = 960, 22, 24, 300
INK, SOFT, FILLS = "#1f2328", "#57606a", {"event loop": "#ddf4ff", "commit thread": "#fff8c5"}


def drawing(calls: list[Call]) -> str:
    """The way as an SVG: one row for each time that a module is entered for the first time in a thread."""
    steps: list[tuple[str, str, list[str]]] = []
    seen: set[tuple[str, str]] = set()
    for (thread, module), group in groupby(calls, key=lambda each: (each.thread, each.module)):
        functions = list(dict.fromkeys(each.function.rpartition(".")[2] for each in group))
        if (thread, module) in seen:
            continue
        seen.add((thread, module))
        steps.append((thread, module.removeprefix("longhu."), functions))
    height = ROW * (len(steps) + 4)
    rows = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="monospace" font-size="13">',
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        _text(LEFT, ROW, "a patron's click: one message on a socket", SOFT),
    ]
    for number, (thread, module, functions) in enumerate(steps, 2):
        y = number * ROW
        x = LEFT + (0 if thread == "event loop" else 120)
        rows.append(f'<rect x="{x}" y="{y - 15}" width="{LANE}" height="{ROW - 3}" rx="4" fill="{FILLS[thread]}"/>')
        rows.append(_text(x + 8, y, module, INK))
        rows.append(_text(x + LANE + 12, y, ", ".join(functions)[:70], SOFT))
    rows.append(_text(LEFT, ROW * (len(steps) + 2), "the other patron's screen, and the answer to the first", SOFT))
    rows.append(
        _text(LEFT, ROW * (len(steps) + 3), f"{len(modules(calls))} modules; indented: the commit thread", SOFT)
    )
    return "\n".join([*rows, "</svg>\n"])


def _text(x: int, y: int, says: str, colour: str) -> str:
    return f'<text x="{x}" y="{y}" fill="{colour}">{escape(says)}</text>'


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    asked.add_argument("--print", action="store_true", help="print the modules instead of drawing")
    only_print = asked.parse_args().print
    traces = traced()
    socket, http = modules(traces.socket), modules(traces.http)
    if only_print:
        for name, found in (("socket", socket), ("HTTP", http)):
            print(f"{name}: {len(found)} modules, {len(traces.socket if name == 'socket' else traces.http)} calls")
            print("\n".join(f"  {each}" for each in found))
        print("HTTP adds:", *sorted(set(http) - set(socket)), sep="\n  ")
    else:
        PICTURE.write_text(drawing(traces.socket), encoding="utf-8")
        print(f"{PICTURE.relative_to(ROOT)}: {len(socket)} modules; HTTP adds {len(set(http) - set(socket))}")


if __name__ == "__main__":
    main()
