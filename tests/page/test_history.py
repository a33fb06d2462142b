"""History in a real browser: my rounds, a table's rounds, and any round card by card."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import pytest
from playwright.sync_api import Page, Route, ViewportSize, expect

from tests.page.browser import DESKTOP, PHONE, Visitor
from tests.page.words import t

Comes = Callable[..., Visitor]
TABLE = "dragon-bonus-online"


def a_round(page: Page) -> None:
    """Wait until the table has one, and open it."""
    expect(page.get_by_role("link", name="Player").or_(page.get_by_role("link", name="Banker")).first).to_be_visible(
        timeout=30_000
    )


@pytest.mark.clause("LOG-9")
def test_a_round_is_replayed_card_by_card(visitor: Comes) -> None:
    page = visitor(reduced_motion="reduce").open(f"/history/{TABLE}")
    a_round(page)
    page.locator("main ul a").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(TABLE)
    expect(page.get_by_text("version 2020")).to_be_visible()
    steps = page.get_by_role("region", name=t("page.history.steps"))
    expect(steps.get_by_role("button", name=t("event.round-ended"))).to_have_attribute("aria-current", "step")
    cards = page.locator("main .felt").get_by_role("img")
    last = cards.count()
    assert last in (4, 5, 6)
    page.keyboard.press("Home")
    expect(cards).to_have_count(0)
    expect(steps.get_by_role("button", name=t("event.round-started"))).to_have_attribute("aria-current", "step")
    page.get_by_role("button", name=t("page.history.last")).click()
    expect(cards).to_have_count(last)
    page.get_by_role("slider").fill("1")
    page.get_by_role("button", name=t("page.history.back")).click()
    expect(cards).to_have_count(0)
    page.keyboard.press("p")
    expect(page.get_by_role("button", name=t("page.history.pause"))).to_be_visible()
    expect(cards.first).to_be_visible()
    page.keyboard.press("End")
    expect(page.get_by_role("link", name=t("page.history.fairness", n="").rstrip())).to_be_visible()


def test_my_round_is_in_my_history_with_what_each_wager_came_to(visitor: Comes) -> None:
    someone = visitor()
    someone.come_as_guest()
    page = someone.open("/history")
    expect(page.get_by_text(t("page.history.none"))).to_be_visible()
    csrf = page.evaluate("fetch('/api/session').then((answer) => answer.json()).then((told) => told.csrf)")
    headers = {"Origin": someone.address, "X-Longhu-CSRF": csrf}
    place = f"{someone.address}/api/tables/dragon-tiger"
    ask = someone.context.request
    assert ask.post(f"{place}/seat", headers=headers, data={"id": uuid4().hex, "buy_in": "100.00"}).ok
    bet = {"command": "place-wager", "place": 1, "wager": "dragon", "amount": "10.00"}

    def is_placed() -> bool:
        return ask.post(f"{place}/commands", headers=headers, data={"id": uuid4().hex, "command": bet}).ok

    for _ in range(100):
        if is_placed():
            break
        page.wait_for_timeout(200)  # betting is not open all the time, and nothing here tells when it is
    row = page.get_by_role("row", name="dragon-tiger")
    for _ in range(60):
        page.reload()
        expect(page.get_by_role("heading", name=t("page.history.statement"))).to_be_visible()
        if row.count():
            break
        page.wait_for_timeout(500)
    expect(row).to_contain_text("10")
    with page.expect_download() as download:
        page.get_by_role("link", name=t("page.history.csv")).click()
    assert download.value.suggested_filename.endswith(".csv")
    assert "dragon-tiger" in download.value.path().read_text()
    page.get_by_role("button", name=t("page.history.show"), exact=True).click()
    expect(page.get_by_text(t("page.history.net-sum"))).to_be_visible()
    row.get_by_role("link", name=t("page.history.replay")).click()
    mine = page.get_by_role("region", name=t("page.history.mine"))
    expect(mine.get_by_role("row", name="Dragon").first).to_contain_text("DT-")


def test_a_long_statement_comes_page_by_page(visitor: Comes) -> None:
    """The newest page first; each older one is asked for with `before`, of the same period."""
    someone = visitor()
    someone.come_as_guest()
    page = someone.open("/history")
    asked: list[dict[str, list[str]]] = []

    def told(route: Route) -> None:
        query = parse_qs(urlsplit(route.request.url).query)
        asked.append(query)
        answer = route.fetch().json()
        rounds, before = ([1, 2], None) if "before" in query else ([3, 4], 3_000)
        answer["plays"] = [
            {"at": 1_000 * each, "table": "T1", "round": each, "kind": "round", "staked": "1.00", "net": "-1.00"}
            for each in rounds
        ]
        route.fulfill(json=answer | {"movements": [], "before": before})

    page.route("**/api/me/statement?*", told)
    page.get_by_role("button", name=t("page.history.show"), exact=True).click()
    statement = page.get_by_role("region", name=t("page.history.statement"))
    links = statement.get_by_role("row").get_by_role("link")
    expect(links).to_have_text(["T1, round 4", "T1, round 3"], ignore_case=True)
    statement.get_by_role("button", name=t("page.history.more")).click()
    expect(links).to_have_text([f"T1, round {each}" for each in (4, 3, 2, 1)], ignore_case=True)
    expect(statement.get_by_role("button", name=t("page.history.more"))).to_have_count(0)
    first, second = asked
    assert (second["before"], second["since"], second["until"]) == (["3000"], first["since"], first["until"])


def test_a_round_that_was_never_played_is_none(visitor: Comes) -> None:
    page = visitor().open(f"/history/{TABLE}/999999")
    expect(
        page.get_by_text(t("page.history.round-n", n="999999 of table dragon-bonus-online is not over"))
    ).to_be_visible()


@pytest.mark.parametrize(("size", "locale"), [(DESKTOP, "en-GB"), (PHONE, "zh-CN")], ids=["desktop", "phone"])
def test_everybody_can_use_the_history(visitor: Comes, size: ViewportSize, locale: str) -> None:
    someone = visitor(size, locale=locale, reduced_motion="reduce")
    someone.come_as_guest()
    page = someone.open("/history")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("link", name=re.compile(rf"(^|\s){TABLE}$"))).to_be_visible()
    someone.check_access()
    page = someone.open(f"/history/{TABLE}")
    expect(page.locator("main ul a").first).to_be_visible(timeout=30_000)
    expect(page.get_by_role("img").first).to_be_visible()
    someone.check_access()
    page.locator("main ul a").first.click()
    expect(page.locator("main .felt").get_by_role("img").first).to_be_visible()
    if locale == "zh-CN":
        expect(page.locator("ol")).to_contain_text("点")  # the house's own words, too: the totals of the result
    someone.check_access()
