"""The roads in a real browser: as the house works them out, with what-if marks, for eyes and ears."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.page.browser import DESKTOP, PHONE, Visitor
from tests.page.words import t

Comes = Callable[..., Visitor]
TABLE = "dragon-bonus-online"


@pytest.mark.clause("IDT-6.3a", "RUL-7")
def test_five_roads_with_what_if_marks_and_the_notice(visitor: Comes) -> None:
    someone = visitor()
    page = someone.open(f"/history/{TABLE}")
    expect(page.locator("main ul a").first).to_be_visible(timeout=30_000)
    roads = page.get_by_role("region", name=t("page.parts.title"))
    for name in ("Bead plate", "Big road", "Big eye boy", "Small road", "Cockroach pig"):
        expect(roads.get_by_role("heading", name=name)).to_be_visible()
    expect(roads).to_contain_text("For information only: the cards decide, and past rounds say nothing about the next.")
    told = someone.context.request.get(f"{someone.address}/api/tables/{TABLE}/roads").json()
    heard = roads.get_by_role("list", name=t("page.parts.results")).get_by_role("listitem")
    assert 0 < heard.count() <= told["rounds"]
    names = {hand["id"]: hand["name"]["en"] for hand in told["hands"]} | {"tie": "Tie"}
    for place in range(min(3, heard.count())):
        expect(heard.nth(place)).to_contain_text(names[told["bead_plate"][place]["winner"]])
    ask = roads.get_by_role("button", name=t("page.parts.ask", hand="Banker"))
    ask.press("Enter")
    expect(ask).to_have_attribute("aria-pressed", "true")
    expect(roads.locator(".what-if").first).to_be_visible()
    ask.press("Enter")
    expect(roads.locator(".what-if")).to_have_count(0)


@pytest.mark.parametrize(("size", "locale"), [(DESKTOP, "en-GB"), (PHONE, "zh-CN")], ids=["desktop", "phone"])
def test_everybody_can_read_the_roads(visitor: Comes, size: ViewportSize, locale: str) -> None:
    someone = visitor(size, locale=locale)
    page = someone.open("/history/dragon-tiger")
    expect(page.locator("section.roads svg").first).to_be_visible(timeout=30_000)
    if locale == "zh-CN":
        expect(page.locator("section.roads")).to_contain_text("仅供参考")
    someone.check_access()
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, "the page is wider than the screen"
