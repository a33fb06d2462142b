"""Shuffles checked in a real browser: one that is right, one that is not, and what a commitment means."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, ViewportSize, expect

from tests.page.browser import DESKTOP, PHONE, Visitor

Comes = Callable[..., Visitor]
TABLE = "dragon-bonus-online"  # every round has a shoe of its own


def is_over(page: Page) -> None:
    expect(page.get_by_role("link", name="Check it").or_(page.get_by_role("link", name="核验 →")).first).to_be_visible(
        timeout=5_000
    )


def open_past(someone: Visitor) -> Page:
    """The shuffles of the table, once one of them is over."""
    page = someone.open(f"/fairness/{TABLE}")
    for _ in range(12):
        expect(page.get_by_role("heading", level=2).first).to_be_visible()
        try:
            is_over(page)
            return page
        except AssertionError:
            page.reload()
    is_over(page)
    return page


@pytest.mark.clause("RUL-6")
def test_a_shuffle_is_made_again_in_the_browser(visitor: Comes) -> None:
    page = open_past(visitor())
    expect(page.get_by_text("Commitment", exact=True)).to_be_visible()
    page.get_by_role("link", name="Check it").first.click()
    expect(page.get_by_role("heading", name="It agrees")).to_be_visible()
    steps = page.get_by_role("region", name="Step by step")
    expect(steps).to_contain_text("It gives all 8 known answers.")
    expect(steps).to_contain_text("exactly the fingerprint that was published before")
    expect(steps).to_contain_text("cards came as the order says")
    page.get_by_text("The order of the cards").last.click()
    expect(page.locator("details li.dealt").first).to_be_visible()
    assert page.locator("details li").count() == 8 * 52


@pytest.mark.clause("RUL-6")
@pytest.mark.parametrize("what", ["card", "secret", "contribution"])
def test_a_shuffle_that_was_changed_is_found_out(visitor: Comes, what: str) -> None:
    someone = visitor()

    def changed(route: Route) -> None:
        told: dict[str, Any] = route.fetch().json()
        if what == "card":
            told["dealt"][0] = "AS" if told["dealt"][0] != "AS" else "KD"
        elif what == "secret":
            told["secret"] = "0" * 64
        else:
            told["mix"]["contributions"] = [{"person": "ann", "value": "not what was said"}]
        route.fulfill(body=json.dumps(told), content_type="application/json")

    page = open_past(someone)
    page.route("**/shuffles/*", changed)
    page.get_by_role("link", name="Check it").first.click()
    expect(page.get_by_role("heading", name="It does not agree")).to_be_visible()


def test_the_offline_page_is_there(visitor: Comes) -> None:
    page = visitor().open("/fairness")
    expect(page.get_by_role("heading", level=1)).to_have_text("Check a shuffle")
    page.get_by_role("link", name="The offline page").click()
    expect(page.locator("#self-test")).to_contain_text("✓")


@pytest.mark.parametrize(("size", "locale"), [(DESKTOP, "en-GB"), (PHONE, "zh-CN")], ids=["desktop", "phone"])
def test_everybody_can_check(visitor: Comes, size: ViewportSize, locale: str) -> None:
    someone = visitor(size, locale=locale)
    page = someone.open("/fairness")
    expect(page.locator("main ol li")).to_have_count(3)
    someone.check_access()
    page = open_past(someone)
    someone.check_access()
    page.locator("main ul a").first.click()
    expect(page.locator("#verdict")).to_be_visible()
    page.locator("summary").click()
    someone.check_access()
