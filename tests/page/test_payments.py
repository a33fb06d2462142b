"""What an area says before a chip is put down, what Banker is printed to pay, and how payments are told; in three languages."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.page.browser import DESKTOP, PHONE, Visitor
from tests.page.houses import DemoHouse, demonstration
from tests.page.patrons import PATIENCE, area, in_play, seated
from tests.page.words import t

Come = Callable[..., Visitor]


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoHouse]:
    """A house in which betting stays open for as long as a test looks at it."""
    with demonstration(tmp_path_factory.mktemp("payments"), LONGHU_BETTING_SECONDS="300") as house:
        yield house


@pytest.mark.parametrize(("size", "locale"), [(DESKTOP, "en-GB"), (PHONE, "zh-CN"), (DESKTOP, "zh-TW")])
def test_an_area_says_what_a_small_chip_bets_before_it_is_put_down(
    visitor: Come, patient: DemoHouse, size: ViewportSize, locale: str
) -> None:
    come = visitor(size, locale=locale, reduced_motion="reduce")
    with seated(come, "immortal-dragon-tiger", address=patient.address) as page:
        tray = page.get_by_role("radiogroup", name=t("page.table.tray", locale))
        tray.get_by_role("radio", name=t("page.table.chip", locale, amount="5"), exact=True).click()
        raised = t("page.table.minimum-bets", locale, minimum="10", amount="10")
        expect(area(page, "banker")).to_contain_text(raised, timeout=PATIENCE)
        area(page, "banker").click()
        in_play(page, "10")
        expect(area(page, "banker")).not_to_contain_text(raised)
        tray.get_by_role("radio").last.click()
        expect(area(page, "tie")).to_contain_text(t("page.table.maximum-bets", locale, maximum="200", amount="200"))


@pytest.mark.parametrize("table", ["dragon-bonus", "dragon-bonus-online"])
@pytest.mark.parametrize("locale", ["en-GB", "zh-CN", "zh-TW"])
def test_banker_is_printed_as_it_is_paid(visitor: Come, patient: DemoHouse, table: str, locale: str) -> None:
    who = visitor(DESKTOP, locale=locale, reduced_motion="reduce")
    who.address = patient.address
    page = who.open(f"/table/{table}")
    banker = page.locator("button[data-wager='banker']:not([aria-hidden])")
    expect(banker).to_contain_text("0.95:1", timeout=PATIENCE)
    banker.hover()
    expect(page.locator(".hint")).to_contain_text("0.95:1")
    expect(page.locator(".hint").get_by_text("1:1", exact=True)).to_have_count(0)
