"""The cage in a browser, and with it the pit and the dealer: a fill by four people, a credit, blind counts, wallets, a corrected payment."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.page.browser import DESKTOP, TABLET, Visitor
from tests.page.croupier import Floor
from tests.page.houses import PASSWORD, DemoHouse
from tests.page.words import t

Come = Callable[..., Visitor]
OF_500, OF_10_000 = (t("page.pit.count-sheet-number", value=value) for value in ("500", "10,000"))
SIGNED = [{"person": "dealer", "password": PASSWORD}]


@pytest.fixture(scope="module")
def floor(browser: Browser, house: DemoHouse) -> Iterator[Floor]:
    found = Floor(browser, house)
    yield found
    found.close()


def real_table(floor: Floor, name: str) -> str:
    """A table with real chips, counted by two; the dealer has the deal."""
    told: dict[str, Any] = {"table": name, "game": "immortal-dragon-tiger", "method": "B", "dealer": "human", "device": "hand-shoe",
                            "chips": "physical", "float": "100000.00", "counted": {"10000.00": 10}, "signatures": SIGNED}  # fmt: skip
    floor.staff["pit-manager"].act("tables", **told)
    floor.dealer.give(name, "take-the-deal")
    return name


def at(visitor: Come, person: str, path: str, **options: object) -> Page:
    come = visitor(**options)
    come.sign_in(person, PASSWORD)
    return come.open(path)


def sign(page: Page, person: str) -> None:
    form = page.get_by_role("dialog")
    form.get_by_label(t("page.dealer.signing-name")).fill(person)
    form.get_by_label(t("page.dealer.signing-password")).fill(PASSWORD)
    form.get_by_role("button", name=t("page.dealer.command-form-sign")).click()
    expect(form).to_be_hidden()


@pytest.mark.clause("OPS-3")
def test_a_fill_is_asked_for_issued_carried_and_counted_by_four(visitor: Come, floor: Floor) -> None:
    table = real_table(floor, "cage-fill")
    pit = at(visitor, "supervisor", f"/pit/{table}", size=DESKTOP)
    tray = pit.get_by_role("region", name=t("page.pit.tray"))
    tray.get_by_role("button", name=t("page.pit.tray-fill")).click()
    form = pit.get_by_role("dialog")
    form.get_by_label(OF_500, exact=True).fill("4")
    form.get_by_role("button", name=t("page.pit.tray-ask", amount="2,000")).click()
    fill = tray.get_by_role("article", name="Fill 1")
    expect(fill).to_contain_text("4 \u00d7 500")

    cage = at(visitor, "cashier", "/cage", size=DESKTOP)
    waiting = cage.get_by_role("article", name=f"{table}, Fill 1")
    expect(waiting).to_contain_text("2,000")
    waiting.get_by_role("button", name=t("page.cage.issue")).click()
    expect(waiting).to_contain_text(re.compile("Issued: cashier"))

    expect(
        fill.get_by_role("button", name=t("page.pit.tray-carried"))
    ).to_be_hidden()  # the supervisor has asked for it
    fill.get_by_role("button", name=t("page.pit.tray-runner")).click()
    sign(pit, "pit-manager")
    expect(fill).to_contain_text("pit-manager")

    dealer = at(visitor, "dealer", f"/dealer/{table}", size=TABLET)
    due = dealer.get_by_role("region", name="Fill 1")
    expect(due).not_to_contain_text("2,000")  # not before it is counted
    due.get_by_role("button", name=t("page.dealer.count-fill")).click()
    form = dealer.get_by_role("dialog")
    expect(form.get_by_label(OF_500, exact=True)).to_have_value("")
    form.get_by_label(OF_500, exact=True).fill("3")
    form.get_by_role("button", name=t("page.pit.count-accept")).click()
    expect(fill).to_contain_text(t("page.pit.chip-differs", person="dealer", chips="3 \u00d7 500"))
    fill.get_by_role("button", name=t("page.pit.tray-recount")).click()
    due.get_by_role("button", name=t("page.dealer.count-fill")).click()
    form.get_by_label(OF_500, exact=True).fill("4")
    form.get_by_role("button", name=t("page.pit.count-accept")).click()
    expect(due).to_be_hidden()
    expect(tray).to_contain_text(re.compile(r"Fills\s*2,000"))
    expect(tray).not_to_contain_text("102,000")


@pytest.mark.clause("OPS-3")
def test_a_credit_is_counted_out_by_the_dealer_and_counted_again_by_the_cage(visitor: Come, floor: Floor) -> None:
    table = real_table(floor, "cage-credit")
    floor.supervisor.give(table, "request-chips", kind="credit", amount="20000.00", chips={"10000.00": 2})
    dealer = at(visitor, "dealer", f"/dealer/{table}", size=TABLET)
    dealer.get_by_role("button", name=t("page.dealer.give-credit", amount="20,000")).click()
    dealer.get_by_role("region", name="Credit 1").get_by_role("button", name=t("page.pit.tray-runner")).click()
    sign(dealer, "pit-manager")
    cage = at(visitor, "cashier", "/cage", size=DESKTOP)
    credit = cage.get_by_role("article", name=f"{table}, Credit 1")
    expect(credit).not_to_contain_text("20,000")
    credit.get_by_role("button", name=t("page.cage.count")).click()
    form = cage.get_by_role("dialog")
    form.get_by_label(OF_10_000, exact=True).fill("2")
    form.get_by_role("button", name=t("page.pit.count-accept")).click()
    expect(credit).to_be_hidden()
    assert floor.supervisor.ask("GET", f"floor/{table}")["tray"]["credits"] == "20000.00"


@pytest.mark.clause("OPS-1")
def test_a_tray_of_real_chips_is_counted_before_the_page_knows_what_should_be_in_it(
    visitor: Come, floor: Floor
) -> None:
    table = real_table(floor, "cage-count")
    pit = at(visitor, "supervisor", f"/pit/{table}", size=DESKTOP)
    pit.get_by_role("button", name=t("page.pit.close"), exact=True).click()
    form = pit.get_by_role("dialog")
    form.get_by_role("button", name=t("page.pit.close-table-suspend")).click()
    expect(form).to_contain_text(t("page.pit.count-blind"))
    expect(form).not_to_contain_text("100,000")
    expect(form.get_by_role("button", name=re.compile("Electronic chips"))).to_have_count(0)
    form.get_by_label(OF_10_000, exact=True).fill("9")
    form.get_by_label(t("page.pit.name")).fill("dealer")
    form.get_by_label(t("page.pit.password")).fill(PASSWORD)
    form.get_by_role("button", name=t("page.pit.close")).click()
    expect(pit.get_by_label(t("page.parts.notes-notes"))).to_contain_text("90,000")  # off, and told only now
    form.get_by_label(OF_10_000, exact=True).fill("10")
    form.get_by_role("button", name=t("page.pit.close")).click()
    expect(form.get_by_role("status")).to_contain_text(t("page.pit.count-sheet-none"))
    expect(form.get_by_role("status")).to_contain_text("100,000")
    form.get_by_role("button", name=t("page.pit.count-done")).click()
    expect(pit.get_by_role("heading", level=1)).to_contain_text("Closed")


@pytest.mark.clause("MON-3")
def test_the_cage_pays_into_a_wallet(visitor: Come, floor: Floor) -> None:
    cage = at(visitor, "cashier", "/cage", size=DESKTOP)
    wallet = cage.get_by_role("region", name=t("page.cage.wallet"))
    wallet.get_by_label(t("page.cage.patron")).fill(floor.ann.name)
    wallet.get_by_role("button", name=t("page.cage.look")).click()
    wallet.get_by_label(t("page.pit.person-desk-amount")).fill("50.00")
    wallet.get_by_label(t("page.pit.reason")).fill("cash at the counter")
    wallet.get_by_role("button", name=t("page.account.pay-in")).click()
    expect(cage.get_by_label(t("page.parts.notes-notes"))).to_contain_text(floor.ann.name)


def test_somebody_else_is_not_let_into_the_cage(visitor: Come) -> None:
    page = at(visitor, "supervisor", "/cage")
    expect(page.get_by_role("heading", level=1)).to_have_text(t("page.pit.staff-only-title"))
