"""Trace one wager from a patron's socket to another patron's, and draw its way: `make docs`.

A server runs in this process with one table, two patrons and a dealer on real sockets. While one wager goes through, every call of a
Python function of ours is noted, in the event loop and in the thread that commits. A third thread looks every 200 ms for what anybody has
appended, for the sake of other nodes and of the second copy. Nothing waits for it, so it is not on the way.

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
from pathlib import Path
from types import FrameType
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src"
PICTURE = ROOT / "docs" / "pictures" / "wager.svg"
ONCE_A_SECOND = 1.5  # seconds after which what is sent at most once a second has been sent
SETTLES = 0.3  # seconds for what follows an answer: other screens, the automatic dealer's look
TRACED = (
    3  # wagers of each kind; the one that enters fewest modules counts: what is done once a second fell into no other
)
LOOP, COMMIT = "event loop", "commit thread"
NOTIFIER = "longhu-changes"
SENT = "Subscriber.send"  # the last of these ends the way to other screens,
ANSWERED = ("FrameConnection.write", "Edge._note")  # and the last of these the way of the answer,
ANSWERS = ("longhu.server.realtime.", "longhu.server.api.")  # which goes through these alone
VALUES = {  # by their last names, modules of data and of pure functions on it, which the others use; every other module takes a step
    "commands", "document", "game", "handling", "ledger", "money", "positions", "requirements", "state", "timers", "views",
}  # fmt: skip
MONO, SANS = "ui-monospace, Menlo, Consolas, monospace", "system-ui, Segoe UI, Helvetica, Arial, sans-serif"

sys.path.insert(0, str(ROOT))  # for the server of the tests

from tests.server.running import Client, Running, quick, running
from tests.server.sockets import Socket, at

from longhu.table.state import Phase


class Call(NamedTuple):
    """A function of ours that was entered."""

    thread: str
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
        code = frame.f_code
        if not self._is_on or event != "call" or not code.co_filename.startswith(self._ours):
            return
        if threading.current_thread().name == NOTIFIER:
            return
        if code.co_code[frame.f_lasti + 1] == 0:  # RESUME 0; a coroutine or generator that goes on has another number
            module = ".".join(Path(code.co_filename).relative_to(SOURCES).with_suffix("").parts)
            self.calls.append(Call(_thread(), module, code.co_qualname))

    @contextmanager
    def on(self) -> Iterator[list[Call]]:
        self.calls.clear()
        self._is_on = True
        try:
            yield self.calls
        finally:
            time.sleep(SETTLES)
            self._is_on = False


def _thread() -> str:
    """Where a call is drawn; a thread that the event loop waits for belongs to it."""
    return COMMIT if "commit" in threading.current_thread().name else LOOP


class Traces(NamedTuple):
    """The calls of a wager that was placed before (so that nothing is loaded or compiled for it)."""

    socket: list[Call]
    http: list[Call]


class Counts(NamedTuple):
    """How many modules a wager passes."""

    socket: int
    acting: int
    http_adds: int


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
        threading.setprofile(None)


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
        return Traces(*(min((_of(tracer, way) for _ in range(TRACED)), key=_length) for way in ways))


def _length(calls: list[Call]) -> int:
    return len(modules(calls))


def _of(tracer: Tracer, act: Callable[[], None]) -> list[Call]:
    """The calls until the last screen was written to, and those of the answer; what the house looks at afterwards is not on the way."""
    with tracer.on() as noted:
        act()
    calls = list(noted)
    sent = max(place for place, each in enumerate(calls) if each.function == SENT) + 2  # with what it calls
    answered = max(place for place, each in enumerate(calls) if each.function in ANSWERED) + 1
    return [
        each
        for place, each in enumerate(calls)
        if place < sent or (place < answered and each.module.startswith(ANSWERS))
    ]


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


def is_value(module: str) -> bool:
    return module.rpartition(".")[2] in VALUES


def counts(traces: Traces) -> Counts:
    socket = modules(traces.socket)
    acting = [each for each in socket if not is_value(each)]
    return Counts(len(socket), len(acting), len(set(modules(traces.http)) - set(socket)))


# ------------------------------------------------ the drawing

WIDTH, MARGIN = 900, 14
LOOP_X, LOOP_WIDTH, OTHER_X, OTHER_WIDTH = 142, 372, 536, 350
BOX, GAP, HEADING, CHARACTER = 32, 4, 25, 6.05
INK, SOFT, LINE = "#1f2328", "#57606a", "#8c959f"
FILLS = {LOOP: ("#ddf4ff", "#54aeff"), COMMIT: ("#fff8c5", "#d4a72c")}
PHASES = {  # the function with which each begins, in order
    "TableConnection._handle": "read the message",
    "AuthorizationCache.grant": "who sends it, and may they?",
    "Stream.submit": "queue it under its key",
    "Stream._commit_batch": "decide everything that waits, on a working value",
    "TableStream.encode": "evolve, and write the records",
    "GroupCommit.commit": "hand the batch over",
    "Stream._answer": "durable: the working value becomes the state",
    "Broadcast._applied": "what each audience sees of it",
    "Subscriber.send": "one frame to every socket, then the answer",
}
OTHER_PHASES = {COMMIT: "one transaction for all streams that wait"}
COMMITS = "GroupCommit.commit"  # after this phase come those of the other threads


class Entered(NamedTuple):
    """A module in one phase: its place among all modules, and the functions of it that were not called before."""

    place: int
    name: str
    functions: list[str]


class Stage(NamedTuple):
    says: str
    thread: str
    acting: list[Entered]
    values: list[Entered]


def phases(calls: list[Call]) -> list[Stage]:
    """The calls in phases, each with the modules that do something new in it."""
    found: dict[str, tuple[str, list[Call]]] = {}
    now = ""
    for call in calls:
        if call.thread == LOOP and call.function in PHASES:
            now = max(now, PHASES[call.function], key=list(PHASES.values()).index) if now else PHASES[call.function]
        says = now if call.thread == LOOP else OTHER_PHASES[call.thread]
        found.setdefault(says, (call.thread, []))[1].append(call)
    order = list(PHASES.values())
    after = order.index(PHASES[COMMITS]) + 1
    order[after:after] = OTHER_PHASES.values()
    places = {module: place for place, module in enumerate(modules(calls), 1)}
    shown: set[tuple[str, str]] = set()
    return [_phase(says, *found[says], places, shown) for says in order if says in found]


def _phase(says: str, thread: str, calls: list[Call], places: dict[str, int], shown: set[tuple[str, str]]) -> Stage:
    acting, values = list[Entered](), list[Entered]()
    for module in modules(calls):
        functions = list(dict.fromkeys(_plain(each.function) for each in calls if each.module == module))
        fresh = [each for each in functions if each and (module, each) not in shown]
        shown.update((module, each) for each in fresh)
        if fresh:
            name = module.removeprefix("longhu.")
            (values if is_value(module) else acting).append(Entered(places[module], name, fresh))
    return Stage(says, thread, acting, values)


def _plain(function: str) -> str:
    """A function as it is drawn; "" for a part of one."""
    if "<" in function.rpartition(".")[2]:
        return ""
    *owner, name = [each for each in function.split(".") if not each.startswith("<")]
    return owner[-1] if name.startswith("__") and owner else name


def drawing(traces: Traces) -> str:
    """The way as an SVG, from the top down: a lane for browsers, one for the event loop, one for other threads."""
    found, numbers = phases(traces.socket), counts(traces)
    canvas = Canvas()
    canvas.text(MARGIN, 30, "A wager, from one patron's click to another's screen", 17, INK, bold=True)
    canvas.text(
        MARGIN,
        50,
        f"{numbers.socket} modules from socket to socket, {numbers.acting} of which act; HTTP adds {numbers.http_adds}. "
        "Numbers: the order in which modules are entered.",
        12,
        SOFT,
    )
    y = canvas.lanes(72)
    y = canvas.arrow_in(y, "ann clicks", "place-wager")
    before = LOOP
    for phase in found:
        canvas.crossing(y, before, phase.thread)
        if phase.thread == COMMIT:
            canvas.text(LOOP_X, y + 40, "The loop reads other messages meanwhile.", 12, SOFT)
            canvas.text(LOOP_X, y + 57, "Commands for this table form its next batch.", 12, SOFT)
        y, before = canvas.phase(y, phase), phase.thread
    canvas.arrow_out(y - 2 * (BOX + GAP) + 16, "bob's screen", "event + patch")
    canvas.arrow_out(y - GAP - BOX // 2, "ann's screen", "done")
    y = canvas.legend(y + 24, sorted(set(modules(traces.http)) - set(modules(traces.socket))))
    return canvas.document(y)


class Canvas:
    """An SVG that grows downwards."""

    def __init__(self) -> None:
        self._parts: list[str] = []

    def text(
        self, x: float, y: float, says: str, size: int, colour: str, *, bold: bool = False, mono: bool = False
    ) -> None:
        style = ' font-weight="600"' if bold else ""
        style += f' font-family="{MONO}"' if mono else ""
        self._parts.append(f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{colour}"{style}>{escape(says)}</text>')

    def lanes(self, y: int) -> int:
        for x, says in ((MARGIN, "browsers"), (LOOP_X, "event loop"), (OTHER_X, "commit thread")):
            self.text(x, y, says, 13, INK, bold=True)
        return y + 14

    def phase(self, y: int, phase: Stage) -> int:
        """Its heading, a box for each module that acts, and the values that they use in one box below."""
        x, width = (LOOP_X, LOOP_WIDTH) if phase.thread == LOOP else (OTHER_X, OTHER_WIDTH)
        y += HEADING
        self.text(x, y - 9, phase.says, 12, SOFT)
        for each in phase.acting:
            fill, border = FILLS[phase.thread]
            self._box(x, y, width, fill, border)
            self.text(x + 8, y + 14, f"{each.place}", 10, SOFT, mono=True)
            self.text(x + 30, y + 14, each.name, 12, INK, bold=True, mono=True)
            self.text(x + 30, y + 27, _fitting(each.functions, width - 38), 10, SOFT, mono=True)
            y += BOX + GAP
        if phase.values:
            lines = _wrapped([f"{each.place} {each.name}" for each in phase.values], width - 62)
            self._box(x, y, width, "white", LINE, height=8 + 14 * len(lines), dashed=True)
            self.text(x + 8, y + 15, "values", 10, SOFT)
            for line in lines:
                self.text(x + 52, y + 15, line, 10, INK, mono=True)
                y += 14
            y += 8 + GAP
        return y

    def _box(
        self, x: int, y: int, width: int, fill: str, border: str, *, height: int = BOX, dashed: bool = False
    ) -> None:
        dash = ' stroke-dasharray="3 3"' if dashed else ""
        self._parts.append(
            f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="4" fill="{fill}" stroke="{border}"{dash}/>'
        )

    def arrow_in(self, y: int, who: str, what: str) -> int:
        self.text(MARGIN, y + 30, who, 12, INK, bold=True)
        self.text(MARGIN, y + 45, what, 10, SOFT, mono=True)
        self._arrow(MARGIN + 86, y + 38, LOOP_X - 4, y + 38)
        return y

    def arrow_out(self, y: int, who: str, what: str) -> None:
        self.text(MARGIN, y - 6, who, 12, INK, bold=True)
        self.text(MARGIN, y + 9, what, 10, SOFT, mono=True)
        self._arrow(LOOP_X - 4, y, MARGIN + 92, y)

    def crossing(self, y: int, before: str, after: str) -> None:
        """From the event loop to the other lane, or back."""
        left, right = LOOP_X + LOOP_WIDTH // 2, OTHER_X + 24
        if before == LOOP and after == COMMIT:
            self._path(f"M {left} {y - 2} V {y + 9} H {OTHER_X - 4}", arrow=True)
        elif before == COMMIT:
            self._path(f"M {right} {y - 2} V {y + 9} H {LOOP_X + LOOP_WIDTH - 50}", arrow=True)

    def _arrow(self, x: int, y: int, to_x: int, to_y: int) -> None:
        self._path(f"M {x} {y} L {to_x} {to_y}", arrow=True)

    def _path(self, d: str, *, arrow: bool) -> None:
        end = ' marker-end="url(#tip)"' if arrow else ""
        self._parts.append(f'<path d="{d}" fill="none" stroke="{LINE}" stroke-width="1.5"{end}/>')

    def legend(self, y: int, http: list[str]) -> int:
        names = ", ".join(each.removeprefix("longhu.") for each in http)
        for line in (
            f"HTTP comes in by {names}, and joins the way where it is asked who sends it.",
            "Drawn from a traced run by docs/wager_path.py (make docs): SQLite, two patrons and a dealer on sockets, a wager like one before it.",
        ):
            self.text(MARGIN, y, line, 11, SOFT)
            y += 17
        return y

    def document(self, height: int) -> str:
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
            f'font-family="{SANS}">\n<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
            f'orient="auto"><path d="M 0 0 L 8 4 L 0 8 z" fill="{LINE}"/></marker></defs>\n'
            f'<rect width="{WIDTH}" height="{height}" fill="white"/>'
        )
        return "\n".join([head, *self._parts, "</svg>\n"])


def _fitting(names: list[str], width: float) -> str:
    """As many names as there is room for, and how many more there are."""
    for kept in range(len(names), 0, -1):
        more = f" +{len(names) - kept}" if kept < len(names) else ""
        line = ", ".join(names[:kept]) + more
        if len(line) * CHARACTER <= width:
            return line
    return names[0][: int(width / CHARACTER)]


def _wrapped(names: list[str], width: float) -> list[str]:
    lines = [""]
    for name in names:
        longer = f"{lines[-1]} · {name}".strip(" ·")
        if len(longer) * CHARACTER <= width:
            lines[-1] = longer
        else:
            lines.append(name)
    return [line for line in lines if line]


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    asked.add_argument("--print", action="store_true", help="print the modules instead of drawing")
    only_print = asked.parse_args().print
    traces = traced()
    if only_print:
        for name, calls in traces._asdict().items():
            print(f"{name}: {len(modules(calls))} modules, {len(calls)} calls")
            print("\n".join(f"  {each}" for each in modules(calls)))
        print("HTTP adds:", *sorted(set(modules(traces.http)) - set(modules(traces.socket))), sep="\n  ")
    else:
        PICTURE.write_text(drawing(traces), encoding="utf-8")
        numbers = counts(traces)
        print(f"{PICTURE.relative_to(ROOT)}: {numbers.socket} modules; HTTP adds {numbers.http_adds}")


if __name__ == "__main__":
    main()
