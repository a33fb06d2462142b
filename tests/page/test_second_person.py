"""A report that waits for a second person: the dealer's console says so, and a colleague signs there or rejects it on the pit's own screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.page.browser import DESKTOP, Visitor
from tests.page.croupier import Floor
from tests.page.houses import PASSWORD, DemoHouse
from tests.page.words import t

Come = Callable[..., Visitor]


@pytest.fixture(scope="module")
def floor(browser: Browser, house: DemoHouse) -> Iterator[Floor]:
    floor = Floor(browser, house)
    yield floor
    floor.close()


@pytest.mark.clause("SEC-1")
def test_a_colleague_signs_at_the_dealers_screen_for_a_foreign_card(visitor: Come, floor: Floor) -> None:
    table = floor.opened("immortal-dragon-tiger", method="B").dealt("2H", "KS")
    come = visitor(DESKTOP, locale="en-GB")
    come.sign_in("dealer", PASSWORD)
    page = come.open(f"/dealer/{table.name}")
    table.dealer("report-irregularity", kind="foreign-card", told="another back")
    title = t("page.dealer.second-person-waits", command=t("command.report-irregularity"))
    waiting = page.get_by_role("region", name=title)
    expect(waiting).to_be_visible()
    waiting.get_by_label(t("page.dealer.signing-name")).fill("supervisor")
    waiting.get_by_label(t("page.dealer.signing-password")).fill(PASSWORD)
    waiting.get_by_role("button", name=t("page.dealer.second-person-here"), exact=True).click()
    expect(waiting).to_have_count(0)


@pytest.mark.clause("SEC-1")
def test_a_supervisor_rejects_a_report_with_a_reason(visitor: Come, floor: Floor) -> None:
    table = floor.opened("immortal-dragon-tiger", method="B").dealt("2H", "KS")
    table.dealer("report-irregularity", kind="foreign-card", told="another back")
    come = visitor(DESKTOP, locale="en-GB")
    come.sign_in("supervisor", PASSWORD)
    page = come.open(f"/pit/{table.name}")
    title = t("page.dealer.second-person-waits", command=t("command.report-irregularity"))
    waiting = page.get_by_role("region", name=title)
    expect(waiting.get_by_role("button", name=t("page.dealer.second-person-confirm"), exact=True)).to_be_visible()
    waiting.get_by_label(t("field.reason")).fill("it is one of ours")
    waiting.get_by_role("button", name=t("page.dealer.second-person-reject"), exact=True).click()
    expect(waiting).to_have_count(0)


@pytest.mark.clause("SEC-1")
def test_what_waits_is_told_in_the_words_of_the_reader(visitor: Come, floor: Floor) -> None:
    """A second person reads what was reported: hands and cards by their names, in Chinese too, and no code."""
    table = floor.opened("immortal-dragon-tiger", method="B").dealt("2H", "KS")
    table.dealer("report-mislaid-cards", lies=[table.hands[1], table.hands[0]])
    come = visitor(DESKTOP, locale="zh-HK")
    come.sign_in("dealer", PASSWORD)
    waiting = come.open(f"/dealer/{table.name}").locator("section.waiting")
    expect(waiting).to_contain_text("莊")
    expect(waiting).not_to_contain_text("banker")
