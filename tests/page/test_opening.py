"""Opening a table on the pit's page: what stands on it, and what the operator must have seen."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.page.browser import Visitor
from tests.page.houses import PASSWORD
from tests.page.words import t

Come = Callable[..., Visitor]


def form_of(page: Page, game: str, table: str, locale: str = "en-GB") -> Locator:
    """The form, with a game and a name, a dealer, a count of the tray, and who signs."""
    page.get_by_role("button", name=t("page.pit.open", locale), exact=True).click()
    form = page.get_by_role("dialog")
    form.get_by_label(t("page.pit.game", locale)).select_option(game)
    expect(form.get_by_label(t("page.pit.layout", locale))).not_to_have_value("")
    form.get_by_label(t("page.pit.open-table-name", locale)).fill(table)
    form.get_by_label(t("page.pit.open-table-dealer", locale)).select_option("human")
    form.get_by_label(t("page.pit.count-sheet-number", locale, value="1,000"), exact=True).fill("10")
    form.get_by_label(t("page.pit.name", locale), exact=True).fill("dealer")
    form.get_by_label(t("page.pit.password", locale)).fill(PASSWORD)
    return form


def test_the_operator_confirms_a_game_on_which_patrons_are_ahead(visitor: Come) -> None:
    come = visitor()
    come.sign_in("operator", PASSWORD)
    page = come.open("/pit")
    form = form_of(page, "dragon-21", "P-ahead")
    form.get_by_role("button", name=t("page.pit.open-table-open")).click()
    expect(form.get_by_role("alert")).to_contain_text("10.7365%")
    come.check_access()
    form.get_by_label(t("page.pit.open-table-edges")).check()
    form.get_by_role("button", name=t("page.pit.open-table-open")).click()
    expect(form).to_be_hidden()
    expect(page.locator(".tables a", has_text="P-ahead")).to_be_visible()


@pytest.mark.clause("D21-3.4", "D21-3.4.a.i.B", "D21-6.0a", "D21-6.0b")
@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
def test_what_stands_on_a_table_is_told_and_signed_for(visitor: Come, locale: str) -> None:
    come = visitor(locale=locale)
    come.sign_in("operator", PASSWORD)
    page = come.open("/pit")
    table = f"P-real-{locale}"
    form = form_of(page, "dragon-21", table, locale)
    form.get_by_label(t("page.pit.open-table-device", locale)).select_option("hand-shoe")
    standing = form.get_by_role("group", name=t("page.pit.equipment-title", locale))
    numbers = {"shoe": "312", "rack": "416", "cutting": "1", "pucks": "2"}
    for name, number in numbers.items():
        standing.get_by_label(t(f"page.pit.equipment-{name}", locale)).fill(number)
    standing.get_by_label(t("page.pit.equipment-backs", locale), exact=True).fill("red")
    standing.get_by_label(t("page.pit.equipment-box", locale)).fill("D7")
    standing.get_by_label(t("page.pit.equipment-counted", locale, cards=416)).fill("416")
    standing.get_by_label(t("page.pit.equipment-checklist", locale)).fill("cameras on\nkeys counted")
    come.check_access()

    def refused(code: str, **args: int) -> None:
        form.get_by_role("button", name=t("page.pit.open-table-open", locale)).click()
        expect(page.locator(".note").filter(has_text=t(code, locale, **args))).not_to_have_count(0)

    refused("shoe-too-small", holds=312, cards=416)
    standing.get_by_label(t("page.pit.equipment-shoe", locale)).fill("416")
    refused("shoe-cover-missing")
    standing.get_by_label(t("page.pit.equipment-cover", locale)).check()
    form.get_by_role("button", name=t("page.pit.open-table-open", locale)).click()
    form.get_by_label(t("page.pit.open-table-edges", locale)).check()
    form.get_by_role("button", name=t("page.pit.open-table-open", locale)).click()
    standing.get_by_label(t("page.pit.equipment-done", locale)).check()
    form.get_by_role("button", name=t("page.pit.open-table-open", locale)).click()
    expect(form).to_be_hidden()
    page.locator(".tables a", has_text=table).click()
    expect(page.get_by_text("D7")).to_be_visible()


def test_a_demonstration_assumes_equipment_and_says_so(visitor: Come) -> None:
    come = visitor()
    come.sign_in("supervisor", PASSWORD)
    page = come.open("/pit")
    form = form_of(page, "dragon-tiger", "P-assumed")
    form.get_by_label(t("page.pit.open-table-device")).select_option("hand-shoe")
    expect(form.get_by_text(t("page.pit.equipment-demonstration"))).to_be_visible()
    form.get_by_role("button", name=t("page.pit.open-table-open")).click()
    expect(form).to_be_hidden()
    page.locator(".tables a", has_text="P-assumed").click()
    expect(page.get_by_text(t("page.pit.equipment-assumed"))).to_be_visible()


@pytest.mark.clause("MON-2")
def test_the_smallest_chip_is_chosen_when_a_table_opens(visitor: Come) -> None:
    """Real chips begin at 1.00 unless somebody says otherwise, and wagers go in whole chips."""
    come = visitor()
    come.sign_in("supervisor", PASSWORD)
    page = come.open("/pit")
    form = form_of(page, "dragon-tiger", "P-chips")
    unit = form.get_by_label(t("page.pit.settings-panel-unit"))
    expect(unit).to_have_value("")
    form.get_by_role("combobox", name=t("page.pit.open-table-chips"), exact=True).select_option("physical")
    expect(unit).to_have_value("1.00")
    form.get_by_role("combobox", name=t("page.pit.open-table-chips"), exact=True).select_option("electronic")
    unit.fill("2.50")
    form.get_by_role("button", name=t("page.pit.open-table-open")).click()
    expect(form).to_be_hidden()
    notice = come.context.request.get(f"{come.address}/api/tables/P-chips").json()["view"]["notice"]
    assert notice["chip_unit"] == "2.50"
    assert {each["increment"] for each in notice["limits"].values()} == {"2.50"}
