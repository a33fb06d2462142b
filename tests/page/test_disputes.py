"""Disputes at the pages: a ruling on a single wager, and a file that a patron opens about a round."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.page.croupier import Floor
from tests.page.houses import DemoHouse
from tests.page.test_acts_of_two import Come, at, look_and_do, sign_here, waiting
from tests.page.words import t


@pytest.fixture(scope="module")
def floor(browser: Browser, house: DemoHouse) -> Iterator[Floor]:
    floor = Floor(browser, house)
    yield floor
    floor.close()


@pytest.mark.clause("IDT-6.1", "SEC-1")
def test_a_ruling_in_the_pit_returns_one_wager_and_lets_the_other_stand(visitor: Come, floor: Floor) -> None:
    table = floor.opened("immortal-dragon-tiger", method="B").dealt("2D", "KC", "3D", "6C")
    floor.dealer.give(table.name, "report-incident", told="a sleeve has moved chips")
    before = table.view()["round"]["stakes"]
    pit = at(visitor, "shift-manager", f"/pit/{table.name}")
    pit.get_by_role("button", name=t("command.make-ruling")).first.click()
    ruling = pit.get_by_role("dialog", name=t("command.make-ruling"))
    named = ruling.get_by_role("group", name=t("field.returns"))
    expect(named).to_have_count(0)  # of a decision that is not taken yet nothing is asked
    ruling.get_by_label(t("choice.continue"), exact=True).check()
    named.get_by_role("checkbox").first.check()
    ruling.get_by_label(t("field.reason"), exact=True).fill("a sleeve moved it")
    look_and_do(ruling, t("command.make-ruling"))
    panel = waiting(pit, "make-ruling")
    assert len(table.view()["round"]["stakes"]) == len(before)
    sign_here(panel, "dealer")
    assert len(table.view()["round"]["stakes"]) == len(before) - 1
