"""What staff do beside the tables, in a browser: accounts with two signatures, approvals, a table opened again, rounds recalled, records."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Literal
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, expect

import longhu.accounts.engine
import longhu.table.engine  # noqa: F401
from longhu.accounts.state import ACCOUNT
from longhu.eventsourcing import Event, name_of
from longhu.table.messages import TABLE
from tests.page.browser import DESKTOP, PHONE, Visitor
from tests.page.croupier import Floor
from tests.page.houses import PASSWORD, DemoHouse
from tests.page.words import t

Come = Callable[..., Visitor]


@pytest.fixture(scope="module")
def floor(browser: Browser, house: DemoHouse) -> Iterator[Floor]:
    floor = Floor(browser, house)
    yield floor
    floor.close()


def at(visitor: Come, person: str, path: str, **options: object) -> Visitor:
    come = visitor(**options)
    come.sign_in(person, PASSWORD)
    come.open(path)
    return come


def signed(page: Page, person: str) -> None:
    """Somebody else signs, with their own password."""
    box = page.get_by_role("group", name=t("page.pit.second-signature-title"))
    box.get_by_label(t("page.pit.name")).fill(person)
    box.get_by_label(t("page.pit.password")).fill(PASSWORD)


# ------------------------------------------------ people and games


@pytest.mark.clause("SEC-1")
def test_two_people_create_a_dealer_and_give_a_forgotten_password(visitor: Come) -> None:
    come = at(visitor, "pit-manager", "/pit/people")
    page = come.page
    expect(page.get_by_text(t("page.pit.people-demonstration"))).to_be_visible()
    page.get_by_role("button", name=t("page.pit.create-person")).click()
    form = page.get_by_role("dialog")
    positions = form.get_by_label(t("page.pit.position"))
    assert positions.locator("option").all_inner_texts() == ["patron", "dealer", "pit supervisor"], (
        "those below one's own"
    )
    expect(form.get_by_role("group")).to_have_count(0)  # a patron takes no second person
    positions.select_option("dealer")
    form.get_by_label(t("page.pit.create-person-id")).fill("new-dealer")
    form.get_by_label(t("page.pit.create-person-name")).fill("Nia Dee")
    form.get_by_label(t("page.pit.create-person-password")).fill("chosen for Nia")
    expect(form).to_contain_text(t("page.pit.signs", position="pit manager"))
    come.check_access()
    signed(page, "supervisor")
    form.get_by_role("button", name=t("page.pit.create-person-create")).click()
    expect(page.locator(".note")).to_contain_text(
        t("second-person-too-low", person="supervisor", position="pit supervisor")
    )
    signed(page, "shift-manager")
    form.get_by_role("button", name=t("page.pit.create-person-create")).click()
    person = page.get_by_role("region", name=re.compile("^new-dealer"))
    expect(person).to_contain_text("Nia Dee")
    expect(person).to_contain_text(t("page.pit.account-open"))
    expect(person).not_to_contain_text(t("page.pit.good"))  # whoever works here does not play

    manager = at(visitor, "shift-manager", "/pit/people/new-dealer")
    desk = manager.page.get_by_role("region", name=re.compile("^new-dealer"))
    desk.get_by_label(t("page.pit.person-desk-what")).select_option("reset-password")
    desk.get_by_label(t("page.pit.person-desk-password")).fill("chosen once more")
    desk.get_by_label(t("page.pit.reason")).fill("forgotten")
    signed(manager.page, "pit-manager")
    manager.check_access()
    desk.get_by_role("button", name=t("page.pit.person-desk-give")).click()
    expect(manager.page.locator(".note")).to_contain_text(t("page.pit.person-desk-done"))
    new = visitor()
    new.sign_in("new-dealer", "chosen once more")
    expect(new.open("/dealer").get_by_role("heading", level=1)).to_have_text(t("page.account.own-password"))


@pytest.mark.clause("MON-3")
def test_the_cage_pays_in_and_has_nothing_else_to_do(visitor: Come) -> None:
    come = at(visitor, "cashier", "/pit/people/robot-mei")
    page = come.page
    desk = page.get_by_role("region", name=re.compile("^robot-mei"))
    acts = desk.get_by_label(t("page.pit.person-desk-what")).locator("option")
    expect(acts).to_have_text([t("act.pay-in"), t("act.pay-out")])
    desk.get_by_label(t("page.pit.person-desk-amount")).fill("10.00")
    desk.get_by_label(t("page.pit.reason")).fill("cash at the window")
    desk.get_by_role("button", name=t("page.pit.person-desk-give")).click()
    expect(page.locator(".note")).to_contain_text(t("page.pit.person-desk-done"))
    expect(page.get_by_role("button", name=t("page.pit.create-person"))).to_have_count(0)


@pytest.mark.clause("D21-2.2.h")
def test_a_patron_who_works_at_the_casino_is_noted_as_such(visitor: Come) -> None:
    come = at(visitor, "pit-manager", "/pit/people/robot-mei")
    desk = come.page.get_by_role("region", name=re.compile("^robot-mei"))
    for association in ("contractor", "none"):
        desk.get_by_label(t("page.pit.person-desk-what")).select_option("set-association")
        desk.get_by_label(t("page.pit.person-desk-association")).select_option(association)
        desk.get_by_label(t("page.pit.reason")).fill("told by the staff office")
        come.check_access()
        desk.get_by_role("button", name=t("page.pit.person-desk-give")).click()
        expect(desk.locator("strong").filter(has_text=t("association.contractor"))).to_have_count(
            int(association == "contractor")
        )


@pytest.mark.clause("RUL-4")
@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
def test_a_game_is_withdrawn_and_approved_from_the_page(visitor: Come, locale: str) -> None:
    come = at(visitor, "shift-manager", "/pit/games", locale=locale)
    page = come.page
    expect(page.get_by_role("row").filter(has_text="2025-07-28 09:00 +08:00")).to_have_count(1)
    row = page.get_by_role("row").nth(1)
    for act, after in (("withdraw", "not"), ("approve", "approved")):
        row.get_by_role("button", name=t(f"page.pit.games-{act}", locale), exact=True).click()
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_label(t("page.pit.games-from", locale))).to_have_count(int(act == "approve"))
        dialog.get_by_label(t("page.pit.reason", locale)).fill("a letter of the authority")
        come.check_access()
        dialog.get_by_role("button", name=t("page.pit.person-desk-give", locale)).click()
        expect(row.get_by_role("cell", name=t(f"page.pit.games-{after}", locale), exact=True)).to_be_visible()
    supervisor = at(visitor, "supervisor", "/pit/games")
    expect(supervisor.page.get_by_text(t("page.pit.games-who"))).to_be_visible()
    expect(supervisor.page.get_by_role("button", name=t("page.pit.games-withdraw"))).to_have_count(0)


# ------------------------------------------------ a table opened again


@pytest.mark.clause("OPS-1")
def test_a_table_that_opens_again_comes_with_its_last_settings(visitor: Come, floor: Floor) -> None:
    table = floor.opened("immortal-dragon-tiger", method="B", decks=6)
    before = floor.supervisor.ask("GET", f"floor/{table.name}")["settings"]
    for patron, _, _ in table.bets:
        patron.ask("DELETE", f"tables/{table.name}/seat?id={uuid4()}")
    both = {"signatures": [{"person": "dealer", "password": PASSWORD}]}
    tray = floor.supervisor.ask("GET", f"floor/{table.name}")["tray"]["held"]
    floor.supervisor.act(f"tables/{table.name}/closing", float_counted=tray, **both)
    come = at(visitor, "supervisor", f"/pit/{table.name}")
    page = come.page
    page.get_by_role("button", name=t("page.pit.table-desk-open")).click()
    form = page.get_by_role("dialog")
    for label, value in {
        "method": "B",
        "open-table-dealer": "human",
        "open-table-device": "hand-shoe",
        "layout": before["layout"],
        "decks": "6",
        "positions": str(before["positions"]),
        "open-table-maximum": "500.00",
    }.items():
        role: Literal["combobox", "textbox"] = "textbox" if "maximum" in label else "combobox"
        expect(form.get_by_role(role, name=t(f"page.pit.{label}"), exact=True)).to_have_value(value)
    expect(form).to_contain_text(t("page.pit.open-table-as-before"))
    come.check_access()


# ------------------------------------------------ a round recalled


@pytest.mark.clause("LOG-9")
def test_staff_read_who_dealt_ruled_and_wagered_and_the_console_keeps_the_last_round(
    visitor: Come, floor: Floor
) -> None:
    table = floor.opened("dragon-tiger")
    table.dealt("KH", "3C").dealer("announce-result")
    table.dealer("settle-round")
    number = table.view()["round_number"]
    patron = table.bets[0][0].name
    console = at(visitor, "dealer", f"/dealer/{table.name}", size={"width": 1024, "height": 768})
    last = console.page.locator("details", has_text=t("page.dealer.last-round", n=number))
    last.get_by_text(t("page.dealer.last-round", n=number)).click()
    expect(last.get_by_role("img", name=re.compile("king of hearts", re.IGNORECASE))).to_be_visible()
    expect(last.get_by_role("row").filter(has_text=patron)).to_contain_text("50")
    console.check_access()
    assert console.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    for person in ("auditor", "supervisor", "surveillance"):
        size = PHONE if person == "surveillance" else DESKTOP
        come = at(visitor, person, f"/history/{table.name}/{number}", size=size)
        recall = come.page.get_by_role("region", name=t("page.history.staff-title"))
        expect(recall).to_contain_text(t("page.history.staff-dealt", who="dealer"))
        expect(recall.get_by_role("row").filter(has_text=patron)).to_be_visible()
        expect(come.page.get_by_role("link", name=re.compile("^Check the shuffle"))).to_have_count(0)  # by hand
        come.check_access()


@pytest.mark.clause("LOG-9", "IDT-6.1")
def test_a_ruling_is_recalled_with_who_and_why(visitor: Come, floor: Floor) -> None:
    table = floor.opened("dragon-tiger")
    table.between()
    table.dealer("call-place-your-bets")
    table.dealer("report-incident", told="a drink on the layout")
    floor.staff["shift-manager"].give(table.name, "make-ruling", decision="void", reason="the chips are wet")
    number = table.view()["round_number"]
    come = at(visitor, "auditor", f"/history/{table.name}/{number}", size=PHONE)
    recall = come.page.get_by_role("region", name=t("page.history.staff-title"))
    for told in ("a drink on the layout", "the chips are wet", "shift-manager, gaming shift manager", t("choice.void")):
        expect(recall).to_contain_text(told)
    come.check_access()
    overflow = come.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow <= 0


# ------------------------------------------------ records of money

MONEY = sorted(
    name_of(kind) for kind in (*TABLE.evolvers, *ACCOUNT.evolvers) if kind.transactions is not Event.transactions
)
SEEN = {"table-opened", "table-closed", "chips-bought", "wager-placed", "wager-settled", "paid-in", "chips-cashed"}


@pytest.mark.clause("LOG-6", "MON-1")
def test_the_record_of_every_kind_of_money_event_opens(visitor: Come, floor: Floor) -> None:
    """Also that of a closing, which posts to the cage twice: the float and the drop box."""
    assert set(MONEY) >= SEEN
    table = floor.opened("dragon-tiger")
    table.dealt("KH", "3C").dealer("announce-result")
    table.dealer("settle-round")
    for patron, _, _ in table.bets:
        patron.ask("DELETE", f"tables/{table.name}/seat?id={uuid4()}")
    tray = floor.supervisor.ask("GET", f"floor/{table.name}")["tray"]["held"]
    both = {"signatures": [{"person": "dealer", "password": PASSWORD}]}
    floor.supervisor.act(f"tables/{table.name}/closing", float_counted=tray, **both)
    come = at(visitor, "auditor", "/audit")
    opened: set[str] = set()
    for kind in MONEY:
        for trail in (table.name, "dragon-tiger", f"person:{table.bets[0][0].name}"):
            asked = f"{come.address}/api/audit/search?trail={trail}&kind={kind}/&limit=1"
            found = json.loads(come.context.request.get(asked).text())["records"]
            if not found:
                continue
            page = come.open(f"/audit/record/{found[0]['sequence']}/{trail}")
            expect(page.get_by_role("heading", level=2).first).to_contain_text(str(found[0]["sequence"]))
            expect(page.get_by_text(t("page.audit.record-page-sum"))).to_be_visible()
            opened.add(kind)
            break
    assert opened >= SEEN, f"of the kinds {MONEY} only {sorted(opened)} were found"
