"""The pit in a browser: the floor, a table opened, suspended, changed, filled and closed, alerts, people."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.page.browser import DESKTOP, PHONE, TABLET, Visitor
from tests.page.houses import PASSWORD, DemoHouse
from tests.page.words import t

Come = Callable[..., Visitor]


def pit(visitor: Come, person: str = "supervisor", path: str = "/pit", **options: object) -> Visitor:
    come = visitor(**options)
    come.sign_in(person, PASSWORD)
    come.open(path)
    return come


def status(page: Page, text: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_contain_text(text)


@pytest.mark.parametrize(("size", "locale"), [(DESKTOP, "en-GB"), (TABLET, "zh-CN"), (PHONE, "en-GB")])
def test_the_floor_shows_every_table_and_can_be_read_by_everybody(
    visitor: Come, size: ViewportSize, locale: str
) -> None:
    come = pit(visitor, size=size, locale=locale)
    cards = come.page.locator(".tables a")
    expect(cards.first).to_be_visible()
    assert cards.count() >= 6
    expect(come.page.locator(".tables")).to_contain_text("immortal-dragon-tiger")
    come.check_access()
    overflow = come.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow <= 0
    come.page.locator("main select").nth(0).select_option("closed")
    come.page.get_by_role("searchbox").fill("no table is called so")
    expect(cards).to_have_count(0)
    come.open("/pit/NOPE")
    expect(come.page.locator("main")).to_contain_text(t("page.pit.known-table-nothing", locale))
    expect(come.page.locator(".note")).to_have_count(0)


def test_somebody_else_is_asked_to_sign_in(visitor: Come) -> None:
    come = visitor()
    page = come.open("/pit")
    expect(page.get_by_role("heading", level=1)).to_have_text(t("page.pit.staff-only-title"))
    come.check_access()
    page.get_by_label(t("page.pit.name")).fill("supervisor")
    page.get_by_label(t("page.pit.password")).fill(PASSWORD)
    page.get_by_role("button", name=t("page.pit.staff-only-sign-in"), exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(t("page.pit.floor-title"))


def opened(come: Visitor, table: str) -> None:
    """A table of people, with a count of its tray and two signatures."""
    page = come.page
    page.get_by_role("button", name=t("page.pit.open")).click()
    form = page.get_by_role("dialog")
    form.get_by_label(t("page.pit.game")).select_option("dragon-tiger")
    expect(form.get_by_label(t("page.pit.layout"))).to_have_value("A")
    form.get_by_label(t("page.pit.open-table-name")).fill(table)
    form.get_by_label(t("page.pit.open-table-dealer")).select_option("human")
    form.get_by_label(t("page.pit.count-sheet-number", value="10,000")).fill("9")
    form.get_by_label(t("page.pit.count-sheet-number", value="1,000"), exact=True).fill("10")
    expect(form).to_contain_text("100,000")
    come.check_access()
    form.get_by_label(t("page.pit.name"), exact=True).fill("dealer")
    form.get_by_label(t("page.pit.password")).fill(PASSWORD)
    form.get_by_role("button", name=t("page.pit.open-table-open")).click()
    expect(form).to_be_hidden()


@pytest.mark.clause("OPS-1")
def test_a_table_is_opened_suspended_changed_and_closed(visitor: Come) -> None:
    """On a tablet, as it is carried through the pit."""
    come = pit(visitor, size=TABLET)
    page = come.page
    opened(come, "P-9")
    page.locator(".tables a", has_text="P-9").click()
    status(page, "Open")

    for act, reason, after in (("Suspend", "lunch", "Suspended"), ("Resume", "everybody is back", "Open")):
        page.get_by_role("button", name=act, exact=True).click()
        page.get_by_role("dialog").get_by_label(t("page.pit.reason")).fill(reason)
        page.get_by_role("dialog").get_by_role("button", name=act).click()
        status(page, after)

    page.get_by_role("button", name=t("page.pit.settings-panel-change")).click()
    form = page.get_by_role("dialog")
    expect(form.get_by_role("button", name=t("page.pit.settings-panel-change"))).to_be_disabled()
    come.check_access()
    form.get_by_label(t("page.pit.settings-panel-of", what=t("page.pit.settings-panel-max"), wager="Tie")).fill("80.00")
    form.get_by_label(t("page.pit.reason")).fill("a quiet evening")
    form.get_by_role("button", name=t("page.pit.settings-panel-change")).click()
    expect(form).to_be_hidden()
    expect(page.get_by_role("row", name=re.compile("^Tie"))).to_contain_text("80")
    expect(page.get_by_role("region", name=t("page.pit.order-list-title"))).to_contain_text(
        t("page.pit.order-list-state-done")
    )

    page.get_by_role("button", name=t("page.pit.close")).click()
    form = page.get_by_role("dialog")
    form.get_by_role("button", name=t("page.pit.close-table-suspend")).click()
    form.get_by_label(t("page.pit.count-sheet-number", value="10,000")).fill("9")
    expect(form).to_contain_text("\u221210,000")  # electronic chips: the ledger is no secret
    come.check_access()
    form.get_by_label(t("page.pit.count-sheet-number", value="1,000"), exact=True).fill("10")
    expect(form).to_contain_text(t("page.pit.count-sheet-none"))
    form.get_by_label(t("page.pit.name")).fill("dealer")
    form.get_by_label(t("page.pit.password")).fill(PASSWORD)
    form.get_by_role("button", name=t("page.pit.close")).click()
    expect(form.get_by_role("status")).to_contain_text("100,000")
    form.get_by_role("button", name=t("page.pit.count-done")).click()
    status(page, "Closed")
    expect(page.get_by_text(t("page.pit.table-desk-closed", amount="100,000"))).to_be_visible()


@pytest.mark.clause("OPS-4")
@pytest.mark.parametrize(("size", "locale"), [(DESKTOP, "en-GB"), (PHONE, "zh-CN")])
def test_a_table_shows_its_win_against_theory(visitor: Come, size: ViewportSize, locale: str) -> None:
    come = pit(visitor, "pit-manager", "/pit/dragon-tiger", size=size, locale=locale)
    picture = come.page.locator("svg.picture")
    expect(picture).to_be_visible(timeout=60_000)
    assert picture.locator("path.win").get_attribute("d")
    assert picture.locator("path.band").get_attribute("d")
    expect(come.page.locator("section", has=picture)).to_contain_text("± 2σ")
    come.check_access()
    overflow = come.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow <= 0


@pytest.mark.clause("LOG-3", "SEC-2")
def test_an_alert_stays_until_somebody_who_may_acknowledges_it(visitor: Come) -> None:
    auditor = visitor()
    auditor.sign_in("auditor", PASSWORD)
    assert auditor.context.request.get(f"{auditor.address}/api/audit/house?limit=1").ok
    supervisor = pit(visitor)
    listed = supervisor.page.get_by_role("region", name=t("page.pit.alert-list-title")).locator(
        "li", has_text="auditor exported the log of house"
    )
    expect(listed).to_contain_text(t("page.pit.alert-list-may", position="gaming shift manager"))
    expect(listed.get_by_role("button")).to_have_count(0)
    manager = pit(visitor, "shift-manager")
    mine = manager.page.get_by_role("region", name=t("page.pit.alert-list-title")).locator(
        "li", has_text="auditor exported the log of house"
    )
    mine.get_by_role("button").click()
    manager.page.get_by_role("dialog").get_by_label(t("page.pit.alert-list-what")).fill("the monthly audit")
    manager.check_access()
    manager.page.get_by_role("dialog").get_by_role("button", name=t("page.pit.alert-list-seen")).click()
    expect(mine).to_have_count(0)
    expect(listed).to_have_count(0)


@pytest.mark.clause("OPS-2")
def test_the_seat_of_somebody_who_has_gone_is_freed(visitor: Come, house: DemoHouse) -> None:
    guest = visitor()
    guest.come_as_guest()
    token = guest.context.request.get(f"{house.address}/api/session").json()
    asked = {"id": "sit", "seat": 7, "buy_in": "100.00"}
    headers = {"Origin": house.address, "X-Longhu-CSRF": token["csrf"]}
    seated = guest.context.request.post(f"{house.address}/api/tables/dealers-table/seat", headers=headers, data=asked)
    if not seated.ok:  # a robot was quicker
        seated = guest.context.request.post(
            f"{house.address}/api/tables/dealers-table/seat", headers=headers, data={"id": "stand", "buy_in": "100.00"}
        )
    assert seated.ok, seated.text()
    come = pit(visitor, path="/pit/dealers-table")
    patrons = come.page.get_by_role("region", name=t("page.pit.patrons"))
    patrons.get_by_role("button", name=t("page.pit.patron-list-act", person=token["person"])).click()
    dialog = come.page.get_by_role("dialog")
    dialog.get_by_label(t("page.pit.reason")).fill("went home")
    dialog.get_by_role("button", name=t("page.pit.patron-list-free")).click()
    expect(patrons.get_by_text(token["person"])).to_have_count(0)


@pytest.mark.clause("LOG-4")
def test_people_are_found_locked_and_unlocked(visitor: Come) -> None:
    come = pit(visitor, "pit-manager", "/pit/people")
    page = come.page
    page.get_by_label(t("page.pit.people-search")).fill("robot-h")
    page.get_by_role("link", name="robot-hua", exact=True).click()
    person = page.get_by_role("region", name=re.compile("^robot-hua"))
    come.check_access()
    for act, after in (("lock", "locked"), ("unlock", "may play")):
        person.get_by_label(t("page.pit.person-desk-what")).select_option(act)
        person.get_by_label(t("page.pit.reason")).fill("a test of the lock")
        person.get_by_role("button", name=t("page.pit.person-desk-give")).click()
        expect(person).to_contain_text(after)


@pytest.mark.clause("SEC-1")
def test_somebody_new_chooses_a_password_before_anything_else(visitor: Come) -> None:
    manager = pit(visitor, "pit-manager")
    token = manager.context.request.get(f"{manager.address}/api/session").json()["csrf"]
    made = manager.context.request.post(
        f"{manager.address}/api/people",
        headers={"Origin": manager.address, "X-Longhu-CSRF": token},
        data={
            "person": "newest-dealer",
            "password": "chosen by the pit",
            "position": "dealer",
            "signatures": [{"person": "shift-manager", "password": PASSWORD}],
        },
    )
    assert made.ok, made.text()
    new = visitor()
    new.sign_in("newest-dealer", "chosen by the pit")
    page = new.open("/dealer")
    status(page, t("page.account.own-password"))
    new.check_access()
    for chosen in ("chosen by the pit", "nine cards of jade"):
        page.get_by_label(t("page.account.old")).fill("chosen by the pit")
        page.get_by_label(t("page.account.fresh")).fill(chosen)
        page.get_by_role("button", name=t("page.account.password")).click()
        if chosen == "chosen by the pit":
            expect(page.get_by_role("alert")).to_contain_text("the new password is the old one", ignore_case=True)
    status(page, t("page.dealer.table-list-title"))
