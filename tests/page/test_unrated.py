"""A table that rates nobody, in a real browser: opened by the pit, dealt by the keys, paid and collected by position."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.page.browser import DESKTOP, Visitor
from tests.page.houses import PASSWORD
from tests.page.test_dealer import Come, lay, next_is
from tests.page.words import t

TABLE = "unrated-1"


def opened(come: Visitor) -> None:
    """The pit opens it: chips by position, real ones, and a person who deals."""
    come.sign_in("pit-manager", PASSWORD)
    page = come.open("/pit")
    page.get_by_role("button", name=t("page.pit.open")).click()
    form = page.get_by_role("dialog")
    form.get_by_label(t("page.pit.game")).select_option("immortal-dragon-tiger")
    form.get_by_label(t("page.pit.open-table-name")).fill(TABLE)
    form.get_by_label(t("page.pit.method")).select_option("B")
    form.get_by_label(t("page.pit.open-table-device")).select_option("hand-shoe")
    form.get_by_label(t("page.pit.open-table-patrons")).select_option("unrated")
    chips = form.get_by_role("combobox", name=t("page.pit.open-table-chips"), exact=True)
    expect(chips).to_have_value("physical")
    expect(form.get_by_label(t("page.pit.open-table-dealer"))).to_have_value("human")
    form.get_by_label(t("page.pit.count-sheet-number", value="10,000")).fill("10")
    form.get_by_label(t("page.pit.name"), exact=True).fill("supervisor")
    form.get_by_label(t("page.pit.password")).fill(PASSWORD)
    form.get_by_role("button", name=t("page.pit.open-table-open")).click()
    expect(form).to_be_hidden()


def enters(page: Page, where: str, wager: str, amount: str) -> None:
    """Position, wager, amount, Enter: and the keys are at the position again."""
    chips = page.get_by_role("region", name=t("page.dealer.spots"))
    chips.get_by_label(t("page.dealer.spots-position")).fill(where)
    chips.get_by_label(t("page.dealer.spots-wager")).select_option(label=wager)
    chips.get_by_label(t("page.dealer.spots-amount")).fill(amount)
    page.keyboard.press("Enter")
    expect(chips.get_by_label(t("page.dealer.spots-amount"))).to_have_value("")


@pytest.mark.clause("IDT-3.13", "SEC-1", "OPS-2")
def test_a_round_of_chips_that_belong_to_no_account(visitor: Come) -> None:
    opened(visitor(DESKTOP))
    come = visitor(DESKTOP, locale="en-GB")
    come.sign_in("dealer", PASSWORD)
    page = come.open(f"/dealer/{TABLE}")
    next_is(page, "load-shoe")
    page.keyboard.press("Enter")  # nobody is seated, so the dealer cuts
    next_is(page, "call-place-your-bets")
    page.keyboard.press("Enter")
    next_is(page, "call-no-more-bets")
    enters(page, "3", "Player", "100")
    enters(page, "3.2", "Banker", "50")
    enters(page, "5", "Tie", "25")
    come.check_access()
    layout = page.get_by_role("region", name=t("page.dealer.pay-list-layout"))
    expect(layout.get_by_role("listitem")).to_have_count(3)
    expect(layout).to_contain_text("Position 3, spot 2")
    off = t("page.dealer.spots-off", wager="Tie", who="Position 5", amount="25")
    page.get_by_role("button", name=off).click()
    expect(layout.get_by_role("listitem")).to_have_count(2)
    page.keyboard.press("Escape")
    next_is(page, "call-no-more-bets")
    page.locator("body").press("Space")
    next_is(page, "draw-card")
    lay(page, "2H")
    enters(page, "6", "Player", "30")  # a card is out: a second person has seen it, too
    waiting = page.get_by_role(
        "region", name=t("page.dealer.second-person-waits", command=t("command.report-unentered-chips"))
    )
    waiting.get_by_label(t("page.dealer.signing-name")).fill("supervisor")
    waiting.get_by_label(t("page.dealer.signing-password")).fill(PASSWORD)
    waiting.get_by_role("button", name=t("page.dealer.second-person-here"), exact=True).click()
    expect(waiting).to_have_count(0)
    next_is(page, "draw-card")
    for card in ("KS", "3D", "4C"):
        lay(page, card)
    next_is(page, "announce-totals")
    page.keyboard.press("Enter")
    next_is(page, "draw-card")
    lay(page, "QD")
    next_is(page, "announce-result")  # Player 5, Banker 4
    page.keyboard.press("Enter")
    next_is(page, "settle-round")
    due = page.get_by_role("region", name=t("page.dealer.pay-list-due")).get_by_role("listitem")
    expect(due).to_have_count(3)
    expect(due.nth(0)).to_contain_text("Position 3, spot 2")  # collections come first
    expect(due.nth(0)).to_contain_text("50")
    expect(due.nth(1)).to_contain_text("Position 3")
    expect(due.nth(1)).to_contain_text("100")
    expect(due.nth(2)).to_contain_text("Position 6")
    page.keyboard.press("Enter")
    next_is(page, "call-place-your-bets")
