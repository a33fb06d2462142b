"""Equal wagers at one moment: the cards go to whom a pit supervisor names, at the pit's own console (IDT-3.10.4.1)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.page.browser import DESKTOP, Visitor
from tests.page.croupier import Floor, Table
from tests.page.houses import PASSWORD, DemoHouse, demonstration
from tests.page.words import t

TICK = timedelta(seconds=2)


@pytest.fixture
def slow_clock(tmp_path: Path) -> Iterator[DemoHouse]:
    with demonstration(tmp_path, tick=TICK) as house:
        yield house


@pytest.mark.clause("IDT-3.10.4.1")
def test_a_supervisor_names_who_handles_the_cards(browser: Browser, slow_clock: DemoHouse) -> None:
    floor = Floor(browser, slow_clock)
    table = floor.opened("immortal-dragon-tiger", method="A", device="virtual")
    wait_for_a_supervisor(table)
    supervisor = Visitor(browser.new_context(viewport=DESKTOP, locale="en-GB"), slow_clock.address)
    supervisor.sign_in("supervisor", PASSWORD)
    ann = Visitor(floor.ann.context, slow_clock.address)
    patron = ann.open(f"/table/{table.name}")
    page = supervisor.open(f"/pit/{table.name}")
    page.get_by_role("button", name=t("command.name-holder")).first.click()
    window = page.get_by_role("dialog")
    expect(window).to_contain_text(t("hint.name-holder"))
    window.get_by_label("Player").check()
    window.get_by_label(floor.ann.name).check()
    window.get_by_role("button", name=t("page.dealer.command-form-check")).click()
    expect(window.get_by_role("status")).to_contain_text("IDT-3.10.4.1")
    window.get_by_role("button", name=t("command.name-holder")).click()
    expect(window).to_have_count(0)
    patron.locator("[data-steps]").wait_for()
    for visitor in (supervisor, ann):
        assert not visitor.complaints
        visitor.context.close()
    floor.close()


def wait_for_a_supervisor(table: Table) -> None:
    """Both patrons put the same on the same hand, again in another round where the clock ticked between them."""
    hand = table.bets[0][2]
    for _ in range(10):
        table.between().dealer("call-place-your-bets")
        for patron, place, _ in table.bets:
            patron.give(table.name, "place-wager", place=place, wager=hand, amount="50.00")
        table.dealer("call-no-more-bets")
        for _ in range(4):
            table.dealer("draw-card")
        table.dealer("pass-hands")
        if table.view()["round"]["waits"]:
            return
    raise AssertionError("the clock ticked between the two wagers in every round")
