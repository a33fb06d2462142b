"""What the house asks of a patron: an offer to withdraw, a wager that somebody placed for them, and a reality check."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, WebSocketRoute, expect

from tests.page.browser import PHONE, Visitor
from tests.page.croupier import Floor, Table
from tests.page.houses import DemoHouse
from tests.page.patrons import PATIENCE, area, asked, in_play, seated
from tests.page.words import t

Come = Callable[..., Visitor]
GAME = "immortal-dragon-tiger"


@pytest.fixture(scope="module")
def floor(browser: Browser, house: DemoHouse) -> Iterator[Floor]:
    floor = Floor(browser, house)
    yield floor
    floor.close()


@pytest.mark.clause("D21-5.5b")
@pytest.mark.clause("IDT-5.15")
def test_wagers_placed_for_patrons_and_an_offer_to_withdraw_are_answered(floor: Floor, visitor: Come) -> None:
    """One says that it is right and later withdraws; the other, on a phone in Chinese, takes it back, bets, and stays in."""
    ann, ben = visitor(reduced_motion="reduce"), visitor(PHONE, locale="zh-CN", reduced_motion="reduce")
    table = floor.opened(GAME, method="B").betting()
    with seated(ann, table.name) as first, seated(ben, table.name) as second:
        for who, page in ((ann, first), (ben, second)):
            table.dealer("place-wager", place=1, wager="tie", amount="20.00", patron=name_of(who), requested=True)
            page.locator("section.prompt").wait_for(timeout=PATIENCE)
            who.check_access()
        answer(first, t("page.table.confirm"))
        assert stakes(table, ann) == {"tie": True}
        answer(second, t("page.table.not-mine", "zh-CN"))
        assert stakes(table, ben) == {}
        in_play(second, "0")
        area(second, "banker").click()
        in_play(second, "25")
        table.dealer("call-no-more-bets")
        table.dealer("report-power-failure")
        for who, page in ((ann, first), (ben, second)):
            page.get_by_role("alertdialog").wait_for(timeout=PATIENCE)
            who.check_access()
        expect(first.get_by_role("alertdialog")).to_contain_text(
            table.rules["irregularities"]["power-failure"]["name"]["en"]
        )
        answer(first, t("page.table.offer-withdraw"))
        assert stakes(table, ann) == {}
        in_play(first, "0")
        answer(second, t("page.table.offer-stay", "zh-CN"))
        assert stakes(table, ben) == {"banker": True}


def answer(page: Page, words: str) -> None:
    """A button of what is asked, after which nothing is asked any more."""
    prompt = page.locator(".prompt")
    prompt.get_by_role("button", name=words).click()
    expect(prompt).to_have_count(0, timeout=PATIENCE)


def name_of(who: Visitor) -> str:
    return str(asked(who, "/api/session")["person"])


def stakes(table: Table, who: Visitor) -> dict[str, bool]:
    """What lies at the table for somebody, and whether it is confirmed."""
    lie = table.view()["round"]["stakes"].values()
    return {each["wager"]: each["confirmed"] for each in lie if each["patron"] == name_of(who)}


@pytest.mark.clause("PLY-2")
def test_a_reality_check_comes_by_itself_and_is_answered_before_anything_else(visitor: Come) -> None:
    """The page is told that the next one is due in a moment, and nothing more."""
    who = visitor(reduced_motion="reduce")
    who.page.route_web_socket("**/socket**", hastened_line)
    haste = {"on": True}

    def told(route: Route) -> None:
        route.fulfill(json=hastened(route.fetch().json())) if haste["on"] else route.continue_()

    def read(route: Route) -> None:
        haste["on"] = False
        route.continue_()

    who.page.route("**/api/me", told)
    who.page.route("**/api/me/reality-check", read)
    with seated(who, "dragon-21") as page:
        due = asked(who, "/api/me")["next_check"]
        window = page.get_by_role("dialog", name=t("page.table.check-title"))
        expect(window).to_contain_text(
            t("page.table.check-words", time="", net="").split(":")[0].split(". ")[1], timeout=PATIENCE
        )
        who.check_access()
        page.keyboard.press("Escape")
        expect(window).to_be_visible()
        with page.expect_response("**/api/me/reality-check") as answer:
            window.get_by_role("button", name=t("page.table.check-go")).click()
        assert answer.value.ok
        expect(window).to_have_count(0)
        assert asked(who, "/api/me")["next_check"] > due


def hastened(told: dict[str, Any]) -> dict[str, Any]:
    return {**told, "next_check": told["at"] + 500} if "next_check" in told else told


def hastened_line(line: WebSocketRoute) -> None:
    house = line.connect_to_server()
    house.on_message(lambda told: line.send(json.dumps(hastened(json.loads(told)))))
