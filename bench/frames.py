"""How smoothly the page moves while cards are dealt: in a real browser at a real table.

A demonstration deals quickly; a patron watches. Two measures:

The work. The browser's own trace tells how much processor time each of its threads spent, and how many frames were drawn. That
does not depend on what else the machine does. A screen with 60 frames a second leaves 16.7 ms for each; the threads work side by side, so
each has them for itself. Goal: every thread of the page needs less than half of it, and 99 of 100 frames less than all of it. The
pixels themselves are put together by the graphics card of an ordinary laptop; here, without one, by the processor, and that is told apart.

The frames. Those that `requestAnimationFrame` has while cards move, against the same browser with an empty page: on a machine
without a graphics card and with other work beside it, that is not 60 a second either.

    python bench/frames.py [seconds]
"""

from __future__ import annotations

import json
import statistics
import sys
from bisect import bisect
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from playwright.sync_api import Browser, Page
from tests.page.browser import DESKTOP, started
from tests.page.houses import demonstration

FRAME_MS = 1000 / 60
LATE_MS = 1.5 * FRAME_MS
TABLE = "immortal-dragon-tiger"  # the one with most areas, and cards that are bent
BETTING = "2"  # seconds: the rest of a round is cards
CATEGORIES = ["toplevel", "devtools.timeline", "cc"]
TASK = "ThreadControllerImpl::RunTask"
DRAWN = "ProxyImpl::ScheduledActionDraw"
MAIN, COMPOSITOR, RASTER, PIXELS = "CrRendererMain", "Compositor", "ThreadPoolForegroundWorker", "VizCompositorThread"
KINDS = {
    "script": ("FunctionCall", "EvaluateScript", "MinorGC", "MajorGC"),
    "style": ("UpdateLayoutTree",),
    "layout": ("Layout",),
    "paint": ("PrePaint", "Paint", "Layerize", "Commit"),
}
FRAMES = """(seconds) => new Promise((done) => {
  const began = performance.now(), deltas = [];
  let last = began;
  const next = (now) => {
    deltas.push([now - last, document.getAnimations().length]);
    last = now;
    if (now - began < seconds * 1000) requestAnimationFrame(next); else done(deltas.slice(1));
  };
  requestAnimationFrame(next);
})"""


@dataclass(frozen=True)
class Work:
    """Processor time of the threads of a browser, in milliseconds for each frame that was drawn."""

    frames: int
    threads: dict[str, float]
    kinds: dict[str, float]  # of the main thread
    of_each: list[float]  # the main thread between one frame and the next

    @property
    def worst(self) -> float:
        """99 of 100 frames need less of the main thread."""
        return statistics.quantiles(self.of_each, n=100)[98]


def work_of(trace: bytes) -> Work:
    """What a trace tells; the page's own process is the one whose main thread did most."""
    events: list[dict[str, Any]] = json.loads(trace)["traceEvents"]
    names = {
        (each["pid"], each["tid"]): each["args"]["name"]
        for each in events
        if each["ph"] == "M" and each["name"] == "thread_name"
    }
    spans = [each for each in events if each["ph"] == "X" and "tdur" in each]
    tasks = [each for each in spans if each["name"] == TASK]
    spent = Counter[tuple[int, str]]()
    for each in tasks:
        spent[each["pid"], names.get((each["pid"], each["tid"]), "")] += each["tdur"]
    page = max((pid for pid, name in spent if name == MAIN), key=lambda pid: spent[pid, MAIN])
    drawn = sorted(each["ts"] for each in spans if each["name"] == DRAWN and each["pid"] == page)
    between = [0.0] * (len(drawn) + 1)
    kinds = Counter[str]()
    raster = 0.0
    for each in spans:
        thread = names.get((each["pid"], each["tid"]), "")
        if thread == RASTER and each["pid"] == page and each["name"] == "RasterTask":
            raster += each["tdur"]
        if thread != MAIN or each["pid"] != page:
            continue
        if each["name"] == TASK:
            between[bisect(drawn, each["ts"])] += each["tdur"] / 1000
        for kind, those in KINDS.items():
            kinds[kind] += each["tdur"] if each["name"] in those else 0
    share = 1000 * max(1, len(drawn))
    pixels = sum(time for (_, name), time in spent.items() if name == PIXELS)
    threads = {
        "main": spent[page, MAIN],
        "compositor": spent[page, COMPOSITOR],
        "raster": raster,
        "pixels": pixels,
    }
    return Work(
        frames=len(drawn),
        threads={name: time / share for name, time in threads.items()},
        kinds={name: time / share for name, time in kinds.items()},
        of_each=between[1:],
    )


def worked(browser: Browser, page: Page, seconds: float) -> Work:
    """What the browser does while somebody looks on."""
    browser.start_tracing(page=page, categories=CATEGORIES)
    page.evaluate("(seconds) => new Promise((done) => setTimeout(done, seconds * 1000))", seconds)
    return work_of(browser.stop_tracing())


def told_work(work: Work) -> None:
    kinds = ", ".join(f"{name} {time:.2f}" for name, time in work.kinds.items())
    print(f"{work.frames} frames were drawn; of the {FRAME_MS:.1f} ms that each has, processor time took")
    print(f"  main thread   {work.threads['main']:6.2f} ms ({kinds}); 99 of 100 frames below {work.worst:.1f} ms")
    print(f"  compositor    {work.threads['compositor']:6.2f} ms")
    print(f"  raster        {work.threads['raster']:6.2f} ms (all workers together)")
    print(f"  pixels        {work.threads['pixels']:6.2f} ms (in software here; a graphics card does that on a laptop)")
    most = max(work.threads[name] for name in ("main", "compositor", "raster"))
    print(f"busiest thread: {most / FRAME_MS * 100:.0f} % of a frame (goal: below 50 %)")


def noted(page: Page, seconds: float) -> list[tuple[float, int]]:
    """Milliseconds since the last frame, and how many things moved."""
    found: list[tuple[float, int]] = page.evaluate(FRAMES, seconds)
    return found


def told(name: str, deltas: list[float]) -> float:
    """A line; and how many frames a second there were."""
    if len(deltas) < 2:
        print(f"{name:24} no frames")
        return 0.0
    rate = 1000 * len(deltas) / sum(deltas)
    late = sum(delta > LATE_MS for delta in deltas) / len(deltas)
    percentiles = statistics.quantiles(deltas, n=100)
    print(
        f"{name:24} {len(deltas):6} frames  {rate:5.1f} a second  median {percentiles[49]:5.1f} ms  95 % {percentiles[94]:5.1f} ms"
        f"  99 % {percentiles[98]:5.1f} ms  late {late * 100:4.1f} %"
    )
    return rate


def measured(browser: Browser, address: str, seconds: float) -> float:
    context = browser.new_context(viewport=DESKTOP)
    page = context.new_page()
    page.goto("about:blank")
    bare = told("an empty page", [delta for delta, _ in noted(page, seconds / 2)])
    page.goto(f"{address}/table/{TABLE}")
    page.wait_for_selector("[data-phase]")
    page.wait_for_selector("[data-face]")  # a round has begun, and everything is loaded
    told_work(worked(browser, page, seconds))
    found = noted(page, seconds)
    told("a table, at rest", [delta for delta, moving in found if not moving])
    dealing = told("a table, cards moving", [delta for delta, moving in found if moving])
    context.close()
    return dealing / bare if bare else 0.0


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 20.0
    with (
        TemporaryDirectory() as folder,
        demonstration(Path(folder), LONGHU_BETTING_SECONDS=BETTING) as house,
        started() as browser,
    ):
        share = measured(browser, house.address, seconds)
    print(
        f"while cards move, the page has {share * 100:.0f} % of the frames of an empty page (goal on an idle machine: 95 %)"
    )


if __name__ == "__main__":
    main()
