"""What the pit approves and takes off, given at its own console and seen at the table by whom it concerns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from tests.page.browser import DESKTOP, Visitor
from tests.page.croupier import Floor, Table
from tests.page.houses import PASSWORD, DemoHouse
from tests.page.words import t

LARGE: ViewportSize = {"width": 1280, "height": 1500}


class Evening:
    """A floor with the pit manager's screen and that of a patron, ann, for all tests of this module."""

    def __init__(self, browser: Browser, house: DemoHouse) -> None:
        self.floor = Floor(browser, house)
        context = browser.new_context(viewport=LARGE, locale="en-GB", reduced_motion="reduce")
        context.set_default_timeout(20_000)
        self.pit = Visitor(context, house.address)
        self.pit.sign_in("pit-manager", PASSWORD)
        self.ann = Visitor(self.floor.ann.context, house.address)
        self.ann.page.set_viewport_size(DESKTOP)

    def at(self, table: Table) -> tuple[Page, Page]:
        """The pit's page of a table, and the table as ann sees it."""
        return self.pit.open(f"/pit/{table.name}"), self.ann.open(f"/table/{table.name}")

    def close(self) -> None:
        self.pit.context.close()
        self.floor.close()


@pytest.fixture(scope="module")
def evening(browser: Browser, house: DemoHouse) -> Iterator[Evening]:
    evening = Evening(browser, house)
    yield evening
    complaints = [*evening.pit.complaints, *evening.ann.complaints]
    evening.close()
    assert not complaints, complaints


def changed(table: Table, by: str = "pit-manager", **changes: Any) -> None:
    """Settings for the next round."""
    command = {"command": "change-settings", "changes": changes, "why": "the evening"}
    given = table.floor.staff[by].act(f"tables/{table.name}/orders", command=command)
    assert given["state"] == "done", given


def lies(page: Page, amount: str) -> None:
    """What ann has on this layout."""
    expect(page.locator("[data-in-play]")).to_have_text(amount)


def window(page: Page) -> Locator:
    return page.get_by_role("dialog")


def approved(page: Page, act: str) -> None:
    """Choose what shall be approved, see what follows with its clause, and do it."""
    page.get_by_role("region", name=t("page.pit.approvals-title")).get_by_role("button", name=act).click()
    expect(window(page).get_by_role("status")).to_contain_text(t("page.dealer.consequences-follows"))
    window(page).get_by_role("button", name=act).click()
    expect(window(page)).to_have_count(0)


@pytest.mark.clause("IDT-3.7", "IDT-3.15", "IDT-5.16", "IDT-5.16.3", "IDT-6.1")
def test_an_evening_of_immortal_dragon_tiger(evening: Evening) -> None:
    """An area is capped, a maximum set, a wager taken off for the differential, a squeeze granted, a round made void."""
    floor = evening.floor
    table = floor.opened("immortal-dragon-tiger", method="A", device="virtual", buy_in="700.00")
    changed(table, differential="300.00")
    pit, seen = evening.at(table)
    table.between()

    approvals = pit.get_by_role("region", name=t("page.pit.approvals-title"))
    for wager in ("Banker", "Tie"):
        approvals.get_by_role("button", name=t("command.cap-area")).click()
        window(pit).get_by_label(t("field.place")).select_option("2")
        window(pit).get_by_label(t("field.wager")).select_option(wager)
        window(pit).get_by_role("button", name=t("page.pit.cap-form-set")).click()
        expect(approvals).to_contain_text(t("page.pit.cap", n="2", wager=wager))
    lift = t("page.pit.cap-form-lift-of", area=t("page.pit.cap", n="2", wager="Tie"))
    approvals.get_by_role("button", name=lift).click()
    expect(approvals).not_to_contain_text(t("page.pit.cap", n="2", wager="Tie"))
    pit.get_by_role("button", name=t("page.pit.patron-list-act", person=floor.ann.name)).click()
    window(pit).get_by_role("group", name=t("page.pit.patron-list-wagers")).get_by_label("Player", exact=True).check()
    window(pit).get_by_label(t("page.pit.patron-list-most")).fill("700")
    window(pit).get_by_role("button", name=t("page.pit.patron-list-give")).click()
    expect(pit.get_by_role("region", name=t("page.pit.patrons"))).to_contain_text(
        t("page.pit.patron-list-own", wager="Player", n="700")
    )

    table.dealer("call-place-your-bets")
    floor.bob.give(table.name, "place-wager", place=2, wager="banker", amount="50.00")
    refused = floor.ann.refused(table.name, "place-wager", place=2, wager="banker", amount="50.00")
    full = {"wager": "banker", "place": 2, "most": 1, "counts": "patrons"}
    assert refused["message"] == {"code": "area-capped", "args": full}
    floor.ann.refused(table.name, "place-wager", place=1, wager="banker", amount="600.00")
    assert refused["clause"].startswith("IDT-3.7")
    floor.ann.give(table.name, "place-wager", place=1, wager="player", amount="600.00")  # over the table's maximum
    lies(seen, "600")

    table.dealer("call-no-more-bets")
    waits = pit.get_by_role("region", name=t("page.pit.decisions-title"))
    expect(waits).to_contain_text(t("page.dealer.differential-down", hand="Player", over="250"))
    evening.pit.check_access()
    expect(waits.get_by_role("list", name=t("page.dealer.differential-steps"))).to_contain_text(
        t("page.dealer.differential-step-raise", other="Banker")
    )
    waits.get_by_role("button", name=t("page.dealer.differential-whose", wager="Player", patron=floor.ann.name)).click()
    expect(window(pit).get_by_label(t("page.dealer.removal-enough", n="250"))).to_be_checked()
    window(pit).get_by_role("button", name=t("page.dealer.removal-reason-largest")).click()
    window(pit).get_by_role("button", name=t("page.dealer.removal-off", n="250")).click()
    expect(waits).to_contain_text(t("page.pit.decisions-quiet"))
    lies(seen, "350")

    for _ in range(4):
        table.dealer("draw-card")
    pit.get_by_role("button", name=t("page.pit.approvals-let")).click()
    window(pit).get_by_role("radio", name="Banker").check()
    window(pit).get_by_label(floor.ann.name).check()
    window(pit).get_by_role("button", name=t("page.dealer.command-form-check")).click()
    expect(window(pit)).to_contain_text("IDT-3.15")
    window(pit).get_by_role("button", name=t("page.pit.approvals-let")).click()
    expect(pit.get_by_role("region", name=t("page.pit.approvals-title"))).to_contain_text(
        t("page.pit.approvals-granted", hand="Banker", person=floor.ann.name)
    )
    table.dealer("pass-hands")
    assert table.view()["round"]["holders"] == [floor.ann.name] * 2
    expect(seen.get_by_role("dialog").locator("[data-reveal-clock]")).to_be_visible()

    table.dealer("report-incident", told="a card fell off the table")
    expect(waits).to_contain_text(t("page.pit.decisions-above", position="gaming shift manager", what="Make a ruling"))
    waits.get_by_role("button", name=t("page.pit.decisions-here")).click()
    window(pit).get_by_text("Void the round").click()
    window(pit).get_by_label(t("page.pit.reason")).fill("nobody knows which")
    window(pit).get_by_label(t("page.pit.name")).fill("shift-manager")
    window(pit).get_by_label(t("page.pit.password")).fill(PASSWORD)
    window(pit).get_by_role("button", name=t("page.dealer.command-form-check")).click()
    expect(window(pit)).to_contain_text(t("event.round-voided"))
    window(pit).get_by_role("button", name=t("page.dealer.command-form-sign")).click()
    expect(waits).to_contain_text(t("page.pit.decisions-quiet"))
    lies(seen, "0")


def ordered(pit: Page, order: str) -> None:
    """A supervisor's order to wager in person, or its end, on the pit's page."""
    decisions = pit.get_by_role("region", name=t("page.pit.decisions-title"))
    more = decisions.get_by_text(t("page.pit.decisions-more"))
    if not more.evaluate("each => each.closest('details').open"):
        more.click()
    decisions.get_by_role("button", name=t(f"command.{order}")).click()
    form = window(pit)
    form.get_by_role("radio", name=t("choice.wager")).check()
    form.get_by_role("button", name=t("page.dealer.command-form-check")).click()
    form.get_by_role("button", name=t(f"command.{order}")).click()
    expect(form).to_have_count(0)


@pytest.mark.clause("D21-2.2", "D21-2.2.c", "D21-2.2.fa", "D21-5.13")
def test_an_evening_of_dragon_21(evening: Evening) -> None:
    """A nominee is approved, announced and ended; wagers are scaled back at one table, and left as they are at another."""
    floor = evening.floor
    table = floor.opened("dragon-21", method="B")
    pit, seen = evening.at(table)
    seen.get_by_role("tab", name=t("page.table.round-tab")).click()
    nominee = seen.get_by_role("region", name=t("page.table.nominee"))
    nominee.get_by_label(t("page.table.nominee-name")).fill(floor.bob.name)
    nominee.get_by_label(t("page.table.nominee-handles")).uncheck()
    nominee.get_by_role("button", name=t("page.table.nominee-ask")).click()
    expect(nominee.get_by_role("status")).to_have_text(t("page.table.nominee-asked", person=floor.bob.name))
    approved(pit, t("command.approve-nominee"))
    approved(pit, t("command.announce-nominee"))
    expect(seen.locator(".nominee")).to_be_visible()
    ordered(pit, "order-in-person")
    expect(seen.locator(".nominee")).to_have_count(0)
    ordered(pit, "lift-in-person-order")
    expect(seen.locator(".nominee")).to_have_count(0)  # until approved and announced anew
    approved(pit, t("command.approve-nominee"))
    approved(pit, t("command.announce-nominee"))
    nominee.get_by_role("button", name=t("page.table.nominee-end")).click()
    expect(pit.get_by_role("region", name=t("page.pit.approvals-title"))).to_contain_text(t("page.pit.approvals-ends"))
    approved(pit, t("command.end-nominee"))
    expect(seen.locator(".nominee")).to_have_count(0)

    changed(table, by="operator", differential="100.00")
    table.between()
    table.dealer("call-place-your-bets")
    for person, place, wager, amount in ((floor.ann, 1, "dragon", "300.00"), (floor.bob, 2, "tiger", "50.00")):
        person.give(table.name, "place-wager", place=place, wager=wager, amount=amount)
    lies(seen, "300")
    table.dealer("call-no-more-bets")
    waits = pit.get_by_role("region", name=t("page.pit.decisions-title"))
    expect(waits).to_contain_text(t("page.dealer.differential-down", hand="Dragon", over="150"))
    waits.get_by_role("button", name=t("command.scale-back")).click()
    expect(waits).to_contain_text(t("page.pit.decisions-quiet"))
    lies(seen, "150")

    table = floor.opened("dragon-21", method="A")
    changed(table, by="operator", differential="100.00")
    console = evening.pit.open(f"/dealer/{table.name}")
    table.between()
    table.dealer("call-place-your-bets")
    floor.ann.give(table.name, "place-wager", place=1, wager="dragon", amount="200.00")
    table.dealer("call-no-more-bets")
    waiting = console.get_by_role("region", name=t("page.dealer.waiting-title"))
    waiting.get_by_role("button", name=t("command.leave-differential")).click()
    expect(waiting).to_have_count(0)
    assert table.view()["round"]["differential"] is None
    assert [each["amount"] for each in table.view()["round"]["stakes"].values()] == ["200.00"]


@pytest.mark.clause("DT-5.4")
def test_a_void_is_approved_by_a_judgement_from_the_pit(evening: Evening) -> None:
    table = evening.floor.opened("dragon-tiger")
    table.closed()
    pit, seen = evening.at(table)
    lies(seen, "50")
    table.dealer("report-irregularity", kind="order-altered", told="the shoe was knocked over")
    pit.get_by_role("button", name=t("page.dealer.second-person-confirm"), exact=True).click()  # two have seen it
    pit.get_by_role("region", name=t("page.pit.decisions-title")).get_by_role("button", name="Judge").click()
    window(pit).get_by_role("radio", name="No").check()
    window(pit).get_by_role("button", name=t("page.dealer.command-form-check")).click()
    expect(window(pit).get_by_role("status")).to_contain_text(t("event.round-voided"))
    window(pit).get_by_role("button", name="Judge").click()
    expect(pit.get_by_role("region", name=t("page.pit.decisions-title"))).to_contain_text(t("page.pit.decisions-quiet"))
    lies(seen, "0")


@pytest.mark.clause("IDT-3.10.4.1")
def test_the_pit_picks_somebody_for_a_hand_that_all_decline(evening: Evening) -> None:
    floor = evening.floor
    table = floor.opened("immortal-dragon-tiger", method="A", device="virtual").passed()
    (first, _, wager), (other, _, _) = table.bets
    hand = table.rules["wagers"][wager]["hand"]
    first.give(table.name, "refuse-hand", hand=hand)
    pit, _ = evening.at(table)
    decisions = pit.get_by_role("region", name=t("page.pit.decisions-title"))
    decisions.get_by_text(t("page.pit.decisions-more")).click()
    decisions.get_by_role("button", name=t("command.name-holder")).click()
    form = window(pit)
    form.get_by_role("radio", name=re.compile(hand, re.IGNORECASE)).check()
    form.get_by_role("radio", name=re.compile(other.name)).check()
    form.get_by_role("button", name=t("page.dealer.command-form-check")).click()
    expect(form.get_by_role("status")).to_contain_text(t("event.hand-passed"))
    form.get_by_role("button", name=t("command.name-holder")).click()
    expect(form).to_have_count(0)
    assert table.view()["round"]["holders"][table.hands.index(hand)] == other.name
