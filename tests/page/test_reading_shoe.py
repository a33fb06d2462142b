"""A shoe that reads the cards on the dealer's console and in the pit, by role and label, with the simulated shoe."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect

from longhu.cli.practice.reading_shoe import SimulatedShoe
from tests.page.browser import DESKTOP, TABLET, Visitor
from tests.page.croupier import Floor, Table
from tests.page.houses import PASSWORD, DemoHouse
from tests.page.test_acts_of_two import sign_here, waiting
from tests.page.words import t

Come = Callable[..., Visitor]
SHOE = "shoe-3"


@pytest.fixture(scope="module")
def floor(browser: Browser, house: DemoHouse) -> Iterator[Floor]:
    floor = Floor(browser, house)
    yield floor
    floor.close()


@contextmanager
def connected(floor: Floor, table: Table, credential: str) -> Iterator[SimulatedShoe]:
    """The simulated shoe, from which a card is drawn when it is asked."""
    address = f"ws{floor.address.removeprefix('http')}/api/tables/{table.name}/device"
    shoe = SimulatedShoe(address=address, credential=credential, seed=5, follows=False)
    thread = threading.Thread(target=shoe.run, daemon=True)
    thread.start()
    try:
        yield shoe
    finally:
        shoe.stop()
        thread.join(20)


def state_is(page: Page, says: str) -> None:
    panel = page.get_by_role("region", name=t("page.dealer.shoe"), exact=True)
    expect(panel.get_by_role("status")).to_have_text(t(says))


@pytest.mark.clause("SEC-1", "LOG-1", "REC-2")
def test_a_shoe_gets_its_credential_in_the_pit_deals_misreads_and_is_lost(visitor: Come, floor: Floor) -> None:
    table = floor.opened("dragon-tiger", device="reading-shoe")
    table.loaded()
    pit = visitor(DESKTOP)
    pit.sign_in("pit-manager", PASSWORD)
    desk = pit.open(f"/pit/{table.name}")
    devices = desk.get_by_role("region", name=t("page.pit.devices-title"))
    devices.get_by_text(t("page.pit.devices-more")).click()
    devices.get_by_label(t("page.pit.devices-name")).fill(SHOE)
    devices.get_by_label(t("page.pit.name"), exact=True).fill("supervisor")
    devices.get_by_label(t("page.pit.password"), exact=True).fill(PASSWORD)
    devices.get_by_role("button", name=t("page.pit.devices-create")).click()
    credential = devices.get_by_role("status").locator("code").inner_text()
    assert credential.startswith(f"{SHOE}:")
    console = visitor(TABLET)
    console.sign_in("dealer", PASSWORD)
    page = console.open(f"/dealer/{table.name}")
    with connected(floor, table, credential) as shoe:
        state_is(page, "page.dealer.shoe-reads")
        expect(devices.get_by_text(t("page.pit.devices-connected"), exact=True)).to_be_visible()
        table.closed()
        panel = page.get_by_role("region", name=t("page.dealer.shoe"), exact=True)
        expect(panel.get_by_text(t("page.dealer.shoe-draw", hand="Dragon"))).to_be_visible()
        shoe.ask()
        expect(panel.get_by_text(t("page.dealer.shoe-draw", hand="Tiger"))).to_be_visible()
        expect(page.locator("[data-hand] svg")).to_have_count(1)
        shoe.rates.misread = 1.0
        shoe.ask()
        state_is(page, "page.dealer.shoe-unread")
        expect(page.get_by_role("heading", name=t("command.enter-unread-card"))).to_be_visible()
        expect(panel.get_by_text(t("page.dealer.shoe-unread-do"))).to_be_visible()
        act = page.get_by_role("region", name=t("page.dealer.next-act-next"))
        typed = act.get_by_label(t("page.dealer.cards-field-type", label=t("field.card")))
        typed.press_sequentially(shoe.lying[-1].lower())
        act.get_by_role("button", name=t("command.enter-unread-card"), exact=True).click()
        sign_here(waiting(page, "enter-unread-card"), "supervisor")
        state_is(page, "page.dealer.shoe-reads")
        expect(page.locator("[data-hand] svg")).to_have_count(2)
        table.dealer("announce-result")
        table.dealer("settle-round")
    state_is(page, "page.dealer.shoe-lost")
    state_is(desk, "page.dealer.shoe-lost")
    panel = desk.get_by_role("region", name=t("page.dealer.shoe"), exact=True)
    panel.get_by_text(t("command.deal-by-hand")).first.click()
    panel.get_by_label(t("field.reason")).fill("sent for repair")
    panel.get_by_role("button", name=t("command.deal-by-hand")).click()
    state_is(page, "page.dealer.shoe-by-hand")
    with connected(floor, table, credential):
        panel.get_by_text(t("command.deal-from-source")).first.click()
        panel.get_by_label(t("field.reason")).fill("repaired")
        panel.get_by_role("button", name=t("command.deal-from-source")).click()
        state_is(page, "page.dealer.shoe-reads")
    state_is(page, "page.dealer.shoe-lost")
    devices.get_by_text(t("page.pit.devices-revoke"), exact=True).click()
    devices.get_by_label(t("page.pit.devices-why")).first.fill("sent for repair")
    devices.get_by_role("button", name=t("page.pit.devices-revoke-now")).click()
    expect(devices.get_by_text(t("page.pit.devices-none"))).to_be_visible()
