"""Disputes at the pages: a ruling on a single wager, and a file that a patron opens about a round."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.page.croupier import Floor
from tests.page.houses import DemoHouse
from tests.page.test_acts_of_two import Come, at, chips, look_and_do, report, sign_here, waiting
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


@pytest.mark.clause("DBO-MALF-1", "SEC-1")
def test_the_dealer_reports_that_an_earlier_game_was_hit_by_a_malfunction(visitor: Come, floor: Floor) -> None:
    table = floor.opened("dragon-bonus-online")
    ann = table.bets[0][0]
    for _ in range(2):
        table.betting()
        for patron, _, _ in table.bets:
            patron.give(table.name, "confirm-deal")
        for face in ("9S", "2H", "KD", "5C"):
            table.dealer("draw-card", card=face)
        table.dealer("announce-result")
        table.dealer("settle-round")
    before = chips(table, ann.name)
    page = at(visitor, "dealer", f"/dealer/{table.name}")
    dialog = report(page, "malfunction")
    dialog.get_by_label(t("field.number"), exact=True).fill("1")
    look_and_do(dialog, t("page.dealer.command-form-report"))
    panel = waiting(page, "report-malfunction")
    assert chips(table, ann.name) == before
    sign_here(panel, "supervisor")
    assert chips(table, ann.name) == before - 50
    rounds = floor.supervisor.ask("GET", f"tables/{table.name}/rounds")["rounds"]
    assert {each["number"]: each["void"] for each in rounds} == {1: True, 2: False}
    recalled = floor.supervisor.ask("GET", f"tables/{table.name}/rounds/1")
    assert (recalled["void"], len(recalled["cards"])) == (True, 4)
