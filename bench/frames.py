"""How smoothly the page moves while cards are dealt: the time between two frames, in a real browser at a real table.

A demonstration deals quickly; a patron watches. Every frame is noted by `requestAnimationFrame`, while nothing happens and while
cards move. The measure is the same browser with an empty page: on a machine without a graphics card and with other work beside
it, that is not 60 frames a second either. Goal: the page keeps 95 of 100 frames that the empty page has.

    python bench/frames.py [seconds]
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1]))

from playwright.sync_api import Browser, Page
from tests.page.browser import DESKTOP, started
from tests.page.houses import demonstration

FRAME_MS = 1000 / 60
LATE_MS = 1.5 * FRAME_MS
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
    context = browser.new_context(viewport=DESKTOP)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto("about:blank")
    bare = told("an empty page", [delta for delta, _ in noted(page, seconds / 2)])
    page.goto(f"{address}/table/immortal-dragon-tiger")
    page.wait_for_selector("[data-phase]")
    found = noted(page, seconds)
    told("a table, at rest", [delta for delta, moving in found if not moving])
    dealing = told("a table, cards moving", [delta for delta, moving in found if moving])
    context.close()
    return dealing / bare if bare else 0.0


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 20.0
    with TemporaryDirectory() as folder, demonstration(Path(folder)) as house, started() as browser:
        share = measured(browser, house.address, seconds)
    print(f"while cards move, the page has {share * 100:.0f} % of the frames of an empty page (goal: 95 %)")


if __name__ == "__main__":
    main()
