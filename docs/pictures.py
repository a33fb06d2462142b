"""Make the pictures of the README anew: `python docs/pictures.py`, with the page built and a Chromium installed.

A demonstration is started, somebody sits down and bets, and the pages are looked at as patrons, dealers, pit managers and
designers see them. So the pictures show what there is.
"""

from __future__ import annotations

import base64
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
from palette import png
from playwright.sync_api import Browser, Page, expect
from tests.page.browser import DESKTOP, PHONE, Visitor, started
from tests.page.croupier import Floor
from tests.page.houses import PASSWORD, DemoHouse, demonstration
from tests.page.patrons import OPEN, area, asked, seated
from tests.page.words import t

FOLDER = Path(__file__).with_name("pictures")
BYTES_MAX = 300_000
PATIENCE = 60_000
ROUNDS = 24  # that were played before somebody looks
SETTINGS = {"LONGHU_BETTING_SECONDS": "4", "LONGHU_PACE_SECONDS": "0.3"}
FACES = "svg[role='img'][aria-label*=' of ']"  # cards that lie open
PIXELS = """async (data) => {
  const bitmap = await createImageBitmap(await (await fetch('data:image/png;base64,' + data)).blob());
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext('2d');
  context.drawImage(bitmap, 0, 0);
  const { data: octets } = context.getImageData(0, 0, bitmap.width, bitmap.height);
  let text = '';
  for (let at = 0; at < octets.length; at += 32768) text += String.fromCharCode(...octets.subarray(at, at + 32768));
  return [bitmap.width, bitmap.height, btoa(text)];
}"""


def keep(name: str, page: Page) -> None:
    """What the page shows now, as a small PNG."""
    shot = base64.b64encode(page.screenshot()).decode()
    blank = page.context.new_page()
    width, height, octets = blank.evaluate(PIXELS, shot)
    blank.close()
    pixels = np.frombuffer(base64.b64decode(octets), np.uint8).reshape(height, width, 4)[:, :, :3]
    packed = png(pixels)
    (FOLDER / f"{name}.png").write_bytes(packed)
    print(f"docs/pictures/{name}.png: {width} x {height}, {len(packed) / 1000:.0f} kB")
    if len(packed) > BYTES_MAX:
        raise SystemExit(f"{name}.png is larger than {BYTES_MAX // 1000} kB")


def somebody(browser: Browser, house: DemoHouse, size: Any = DESKTOP, **options: Any) -> Visitor:
    context = browser.new_context(viewport=size, locale="en-GB", **options)
    context.set_default_timeout(PATIENCE)
    return Visitor(context, house.address)


def table(browser: Browser, house: DemoHouse, game: str, wagers: Sequence[str], **options: Any) -> None:
    """A patron in the middle of a round: chips on the felt, all first cards on the table."""
    patron = somebody(browser, house, **options)
    while asked(patron, f"/api/tables/{game}")["view"]["round_number"] < ROUNDS:
        patron.page.wait_for_timeout(500)  # until the roads have something to show
    with seated(patron, game) as page:
        expect(page.locator(OPEN)).to_be_attached(timeout=PATIENCE)
        for wager in wagers:
            area(page, wager).first.click()
        page.wait_for_selector(OPEN, state="detached")
        page.add_locator_handler(page.get_by_role("button", name="Turn over"), lambda button: button.click())
        expect(page.locator(FACES).nth(1)).to_be_visible(timeout=PATIENCE)
        page.mouse.move(640, 20)  # no area is pointed at
        page.evaluate("() => new Promise((done) => setTimeout(done, 900))")
        expect(page.get_by_role("dialog")).to_have_count(0)  # a further card that was the patron's is turned over, too
        keep("table" if options == {} else "table-phone", page)
    patron.context.close()


def pit(browser: Browser, house: DemoHouse) -> None:
    manager = somebody(browser, house)
    manager.sign_in("pit-manager", PASSWORD)
    page = manager.open("/pit")
    expect(page.get_by_text("dragon-bonus-online").first).to_be_visible()
    page.evaluate("() => new Promise((done) => setTimeout(done, 1500))")
    keep("pit", page)
    manager.context.close()


def lab(browser: Browser, house: DemoHouse) -> None:
    page = somebody(browser, house).open("/lab/immortal-dragon-tiger")
    returns = page.get_by_role("region", name=t("page.lab.returns-title"))
    returns.get_by_role("button", name="Tie", exact=False).first.click()
    page.get_by_role("textbox", name=t("page.lab.line-editor-pays")).fill("9:1")
    expect(page.get_by_text("was 8:1")).to_be_visible()
    expect(page.get_by_role("status").first).to_contain_text("Exact")
    keep("odds-lab", page)
    page.get_by_role("tab", name=t("page.lab.workbench-removal")).click()
    expect(page.get_by_role("region", name=t("page.lab.heat-map-title")).get_by_role("cell").nth(20)).to_be_visible()
    keep("odds-lab-cards", page)
    page.context.close()


def dealer(browser: Browser, house: DemoHouse) -> None:
    """In the middle of a round from a physical shoe: the next card is entered."""
    floor = Floor(browser, house)
    opened = floor.opened("immortal-dragon-tiger", method="B").loaded()
    person = somebody(browser, house)
    person.sign_in("dealer", PASSWORD)
    page = person.open(f"/dealer/{opened.name}")
    _next(page, "call-place-your-bets")
    page.keyboard.press("Enter")
    _next(page, "call-no-more-bets")
    for patron, place, wager in opened.bets:
        patron.give(opened.name, "place-wager", place=place, wager=wager, amount="100.00")
    expect(page.get_by_role("region", name="On the layout").get_by_role("listitem")).to_have_count(len(opened.bets))
    page.locator("body").press("Space")
    _next(page, "draw-card")
    for number, card in enumerate(("7h", "ks", "3d"), 1):
        page.keyboard.type(card)
        page.keyboard.press("Enter")
        expect(page.locator("[data-hand] svg")).to_have_count(number)
    page.evaluate("() => new Promise((done) => setTimeout(done, 1500))")  # until every card has been entered
    keep("dealer", page)
    person.context.close()
    floor.close()


def _next(page: Page, act: str) -> None:
    expect(page.locator("[data-act]")).to_have_attribute("data-act", act)


PICTURES: dict[str, Callable[[Browser, DemoHouse], None]] = {
    "lab": lab,
    "dealer": dealer,
    "table": lambda browser, house: table(browser, house, "immortal-dragon-tiger", ("banker", "tie", "dragon-tiger")),
    "phone": lambda browser, house: table(
        browser,
        house,
        "dragon-tiger",
        ("dragon", "tie"),
        size=PHONE,
        device_scale_factor=2,
        has_touch=True,
        is_mobile=True,
    ),
    "pit": pit,  # last: the tables have something to show by then
}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    chosen = sys.argv[1:] or list(PICTURES)
    with TemporaryDirectory() as folder, demonstration(Path(folder), **SETTINGS) as house, started() as browser:
        for name in chosen:
            PICTURES[name](browser, house)


if __name__ == "__main__":
    main()
