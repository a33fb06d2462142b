"""Opening a table on the pit's page: what stands on it, and what the operator must have seen."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.page.browser import Visitor
from tests.page.houses import PASSWORD
from tests.page.words import t

Come = Callable[..., Visitor]


def form_of(page: Page, game: str, table: str) -> Locator:
    """The form, with a game and a name, a dealer, a count of the tray, and who signs."""
    page.get_by_role("button", name=t("page.pit.open")).click()
    form = page.get_by_role("dialog")
    form.get_by_label(t("page.pit.game")).select_option(game)
    expect(form.get_by_label(t("page.pit.layout"))).not_to_have_value("")
    form.get_by_label(t("page.pit.open-table-name")).fill(table)
    form.get_by_label(t("page.pit.open-table-dealer")).select_option("human")
    form.get_by_label(t("page.pit.count-sheet-number", value="1,000"), exact=True).fill("10")
    form.get_by_label(t("page.pit.name"), exact=True).fill("dealer")
    form.get_by_label(t("page.pit.password")).fill(PASSWORD)
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
