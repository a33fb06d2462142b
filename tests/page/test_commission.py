"""Commission on a tally at the pages: what is due stands before the patron and the dealer, and the dealer collects it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.page.browser import DESKTOP, Visitor
from tests.page.croupier import Floor
from tests.page.houses import PASSWORD, QUICK, demonstration
from tests.page.test_acts_of_two import chips
from tests.page.words import t


@pytest.fixture
def floor(browser: Browser, tmp_path: Path) -> Iterator[Floor]:
    """A house of its own, which has approved the other reading at its console."""
    with demonstration(tmp_path) as house:
        approve = ["admin", "games", "approve", "dragon-bonus", "--reading", "commission=tally", "--demo"]
        approve += ["--database", str(tmp_path / "demo.db")]
        subprocess.run([sys.executable, "-m", "longhu", *approve], check=True, env={**os.environ, **QUICK})
        floor = Floor(browser, house)
        yield floor
        floor.close()


@pytest.mark.clause("DBC-MAIN-3")
def test_what_is_due_is_shown_and_collected(browser: Browser, floor: Floor) -> None:
    def come(path: str, **options: Any) -> Page:
        """Somebody at this house: a guest who has signed in already, or the dealer."""
        context = browser.new_context(viewport=DESKTOP, locale="en-GB", **options)
        visitor = Visitor(context, floor.address)
        if not options:
            visitor.sign_in("dealer", PASSWORD)
        return visitor.open(path)

    table = floor.opened("dragon-bonus", readings={"commission": "tally"}).betting()
    bob, _, wager = table.bets[1]
    assert wager == "banker"
    table.dealer("call-no-more-bets")
    for _ in range(4):
        table.dealer("draw-card")
    table.dealer("pass-hands")
    for (holder, _, _), hand, faces in zip(table.bets, table.hands, (["2H", "3D"], ["9S", "KC"]), strict=True):
        holder.give(table.name, "reveal-hand", hand=hand)
        table.dealer("reveal-hand", hand=hand, cards=faces)
    table.dealer("announce-result")
    page = come(f"/dealer/{table.name}")
    expect(page.get_by_role("region", name=t("page.dealer.pay-list-due"))).to_contain_text(
        t("page.dealer.pay-list-tallied", n="2.50")
    )
    before = chips(table, bob.name)
    table.dealer("settle-round")
    assert chips(table, bob.name) == before + 100
    patron = come(f"/table/{table.name}", storage_state=bob.context.storage_state())
    tray = patron.get_by_role("region", name=t("page.table.tray"))
    expect(tray.get_by_role("term").filter(has_text=t("page.table.commission-due"))).to_be_visible()
    expect(tray).to_contain_text("2.50")
    listed = page.get_by_role("region", name=t("page.dealer.pay-list-layout"))
    expect(listed).to_contain_text(t("page.dealer.pay-list-tally"))
    page.get_by_role("button", name=t("page.dealer.others"), exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name=t("command.collect-commission")).click()
    form = page.get_by_role("dialog", name=t("command.collect-commission"))
    form.get_by_role("button", name=t("command.collect-commission"), exact=True).click()
    expect(form).to_have_count(0)
    expect(listed).not_to_contain_text(t("page.dealer.pay-list-tally"))
    expect(tray).not_to_contain_text(t("page.table.commission-due"))
    assert float(chips(table, bob.name)) == float(before) + 97.5
