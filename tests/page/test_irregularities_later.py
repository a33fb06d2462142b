"""A game that is left in progress for longer than its document allows: the house opens again a month later."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.page.browser import DESKTOP, Visitor
from tests.page.croupier import Floor
from tests.page.houses import PASSWORD, demonstration
from tests.page.words import t


def visit(browser: Browser, address: str, person: str) -> Visitor:
    context = browser.new_context(viewport=DESKTOP, locale="en-GB")
    visitor = Visitor(context, address)
    visitor.sign_in(person, PASSWORD)
    return visitor


@pytest.mark.clause("DBO-30D-1a", "DBO-30D-1b", "REC-5")
def test_a_game_that_expired_is_cancelled_and_refunded(browser: Browser, tmp_path: Path) -> None:
    with demonstration(tmp_path) as house:
        floor = Floor(browser, house)
        table = floor.opened("dragon-bonus-online", device="virtual").closed()
        table.dealer("draw-card")
        assert table.view()["round"]["stakes"]
        floor.close()
    with demonstration(tmp_path, ahead=timedelta(days=31)) as house:
        dealer, pit = visit(browser, house.address, "dealer"), visit(browser, house.address, "pit-manager")
        page = dealer.open(f"/dealer/{table.name}")
        expect(page.locator("main header p").first).to_have_text(t("phase.between-rounds"))
        expect(page.get_by_role("region", name=t("page.dealer.pay-list-layout"))).to_contain_text(
            t("page.dealer.pay-list-none")
        )
        page = pit.open(f"/pit/{table.name}")
        alerts = page.get_by_role("region", name="Alerts")
        expect(alerts).to_contain_text(t("alert.void"))
        expect(alerts).to_contain_text(re.compile(r"Round \d+ is void"))
        patrons = page.get_by_role("region", name="Patrons").get_by_role("listitem")
        for patron, _, _ in table.bets:
            expect(patrons.filter(has_text=patron.name)).to_contain_text("300")
        for visitor in (dealer, pit):
            assert not visitor.complaints
            visitor.context.close()
