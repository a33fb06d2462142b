"""Shuffles checked in a real browser: one that is right, one that is not, and what a commitment means."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, ViewportSize, expect

from tests.page.browser import DESKTOP, PHONE, Visitor
from tests.page.words import t

Comes = Callable[..., Visitor]
TABLE = "dragon-bonus-online"  # every round has a shoe of its own


def is_over(page: Page) -> None:
    expect(
        page.get_by_role("link", name=t("page.fairness.check"))
        .or_(page.get_by_role("link", name=t("page.fairness.check", "zh-CN")))
        .first
    ).to_be_visible(timeout=5_000)


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
    expect(page.get_by_text(t("page.fairness.commitment"), exact=True)).to_be_visible()
    page.get_by_role("link", name=t("page.fairness.check")).first.click()
    expect(page.get_by_role("heading", name=t("page.fairness.agrees"))).to_be_visible()
    steps = page.get_by_role("region", name=t("page.fairness.steps"))
    expect(steps).to_contain_text(t("page.fairness.program-good", n=8))
    expect(steps).to_contain_text(t("finding.commitment-holds"))
    expect(steps).to_contain_text(re.compile(r"All [\d,]+ cards were dealt in this order\."))
    page.get_by_text(t("page.fairness.order")).last.click()
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
    page.get_by_role("link", name=t("page.fairness.check")).first.click()
    expect(page.get_by_role("heading", name=t("page.fairness.wrong"))).to_be_visible()


def test_the_offline_page_is_there(visitor: Comes) -> None:
    page = visitor().open("/fairness")
    expect(page.get_by_role("heading", level=1)).to_have_text(t("page.fairness.title"))
    page.get_by_role("link", name=t("page.fairness.offline-link")).click()
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
