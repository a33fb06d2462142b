"""The auditor's desk in a browser: records found, a cent followed, a table verified, a day settled again, a proof taken away."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import ViewportSize, expect

from longhu.audit.verify import verify
from tests.page.browser import DESKTOP, PHONE, Visitor
from tests.page.houses import PASSWORD
from tests.page.words import t

Come = Callable[..., Visitor]


def audit(visitor: Come, path: str = "/audit", **options: object) -> Visitor:
    come = visitor(**options)
    come.sign_in("auditor", PASSWORD)
    come.open(path)
    return come


def settled(come: Visitor, table: str = "dragon-tiger") -> None:
    """Wait until a wager has been settled there: robots play."""
    come.page.evaluate(
        """async (table) => {
            for (let tries = 0; tries < 120; tries++) {
                const found = await (await fetch(`/api/audit/search?trail=${table}&kind=wager-settled/&limit=1`)).json();
                if (found.records.length > 0) return;
                await new Promise((again) => setTimeout(again, 500));
            }
            throw new Error(`no wager was settled at ${table}`);
        }""",
        table,
    )


@pytest.mark.clause("LOG-6")
def test_records_are_found_and_read_in_their_chain(visitor: Come) -> None:
    come = audit(visitor)
    page = come.page
    settled(come)
    page.get_by_label(t("page.audit.search-where")).select_option("=dragon-tiger")
    page.get_by_label(t("page.audit.search-kind")).select_option("wager-settled/")
    page.get_by_role("button", name=t("page.audit.search-search"), exact=True).click()
    row = page.locator("tbody tr").first
    expect(row).to_contain_text("dragon-tiger #")
    come.check_access()
    row.get_by_role("link").click()
    expect(page.get_by_role("list", name=t("page.audit.chain-links-chain"))).to_contain_text(
        t("page.audit.chain-links-agrees")
    )
    expect(page.get_by_role("heading", level=2).first).to_contain_text("of dragon-tiger")
    page.get_by_text(t("page.audit.record-page-raw")).click()
    expect(page.locator("pre")).to_contain_text('"event":"wager-settled/1"')
    come.check_access()


def test_a_cent_is_followed_from_the_buy_in(visitor: Come) -> None:
    come = audit(visitor)
    page = come.page
    settled(come)
    page.get_by_label(t("page.audit.search-where")).select_option("=dragon-tiger")
    page.get_by_label(t("page.audit.search-kind")).select_option("wager-placed/")
    page.get_by_role("button", name=t("page.audit.search-search"), exact=True).click()
    page.locator("tbody tr").last.get_by_role("link").click()
    layout = page.locator("tbody tr", has_text="layout:").first
    expect(layout).to_be_visible()
    moves = layout.get_by_role("link", name="moves next")
    if moves.count():  # it has been settled by now
        moves.click()
        expect(page.locator(".says")).to_be_visible()
        page.go_back()
    page.get_by_role("link", name="patron:").first.click()
    expect(page.locator("tbody tr").first).to_contain_text(t("event.chips-bought"))
    expect(page.locator("tbody tr").first).to_contain_text("world:")
    come.check_access()
    page.locator("tbody tr").first.get_by_role("link", name="world:").click()
    expect(page.get_by_text("Wallet of")).to_be_visible()
    for path, told in (
        ("abc/T", t("page.audit.audit-none")),
        ("99999999/dragon-tiger", t("page.audit.record-page-missing")),
    ):
        come.open(f"/audit/record/{path}")
        expect(page.locator("main")).to_contain_text(told)


@pytest.mark.clause("LOG-2")
@pytest.mark.parametrize(("size", "locale"), [(DESKTOP, "en-GB"), (PHONE, "zh-CN")])
def test_a_table_is_verified_and_a_day_settled_again(visitor: Come, size: ViewportSize, locale: str) -> None:
    come = audit(visitor, "/audit/checks", size=size, locale=locale)
    page = come.page
    right, same = (t("page.audit.check-run-right", locale), t("page.audit.check-run-same", locale))
    for form in (0, 1):
        chosen = page.locator("form").nth(form)
        chosen.locator("select").select_option("dragon-tiger")
        chosen.get_by_role("button").click()
    expect(page.locator(".verdict", has_text=right)).to_be_visible()
    expect(page.locator(".verdict", has_text=same)).to_be_visible()
    come.check_access()
    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow <= 0


@pytest.mark.clause("LOG-6")
def test_a_proof_is_taken_away_and_checked_without_the_house(visitor: Come) -> None:
    come = audit(visitor, "/audit/exports")
    page = come.page
    page.locator("main select").nth(0).select_option("dragon-tiger")
    page.locator("main select").nth(1).select_option("day")
    come.check_access()
    with page.expect_download() as downloaded:
        page.get_by_role("link", name=t("page.audit.exports-download")).click()
    lines = Path(downloaded.value.path()).read_bytes().splitlines(keepends=True)
    assert verify(iter(lines)).table == "dragon-tiger"
