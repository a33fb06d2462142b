"""A real shoe at the dealer's console: the cutting card, and a card drawn in error with its ruling."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.page.browser import TABLET
from tests.page.croupier import Floor
from tests.page.houses import DemoHouse
from tests.page.test_dealer import Come, at_console
from tests.page.words import t


@pytest.fixture(scope="module")
def floor(browser: Browser, house: DemoHouse) -> Iterator[Floor]:
    floor = Floor(browser, house)
    yield floor
    floor.close()


@pytest.mark.clause("IDT-3.16a")
def test_the_dealer_reports_the_cutting_card_by_key_or_button(visitor: Come, floor: Floor) -> None:
    table = floor.opened("immortal-dragon-tiger", method="B").dealt("2H")
    page = at_console(visitor, table, size=TABLET).page
    button = page.get_by_role("button", name=t("command.report-cutting-card"))
    expect(button).to_be_visible()
    page.keyboard.press("x")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(t("hint.report-cutting-card"))
    dialog.get_by_role("button", name=t("command.report-cutting-card")).click()
    expect(button).to_have_count(0)
    expect(page.locator("main header")).to_contain_text(t("page.dealer.status-bar-cut"))
    assert [each["face"] for each in table.view()["round"]["cards"]] == ["2H"]


@pytest.mark.clause("DT-5.2a")
def test_a_card_drawn_in_error_is_reported_shown_and_ruled_on(visitor: Come, floor: Floor) -> None:
    table = floor.opened("dragon-tiger").dealt("2H", "9S")
    page = at_console(visitor, table, size=TABLET).page
    page.get_by_role("button", name=t("page.dealer.something-wrong")).click()
    page.locator("[data-kind=drawn-in-error]").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("group", name=t("field.exposed")).get_by_label(t("choice.no")).check()
    dialog.locator("button[type=submit]").click()
    dialog.locator("button[type=submit]").click()
    lying = page.get_by_role("group", name=t("page.dealer.hands-in-error"))
    expect(lying.locator("svg")).to_have_count(1)
    ruling = page.locator("[data-step=make-ruling]")
    for decision in ("burn", "replace", "void"):
        expect(ruling.get_by_label(t(f"choice.{decision}"), exact=True)).to_be_visible()
    expect(ruling.get_by_label(t("choice.continue"), exact=True)).to_have_count(0)
    assert table.view()["round"]["in_error"] == [None]
