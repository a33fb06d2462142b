"""What a visit may meet: tables that are closed, suspended or full, an empty wallet, a guest who goes; on screens of
every shape."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.page.browser import PHONE, Visitor
from tests.page.croupier import Floor
from tests.page.houses import DemoHouse
from tests.page.patrons import area, asked, seated
from tests.page.words import t

Come = Callable[..., Visitor]


@pytest.fixture(scope="module")
def floor(browser: Browser, house: DemoHouse) -> Iterator[Floor]:
    floor = Floor(browser, house)
    yield floor
    floor.close()


def opened(floor: Floor, name: str, game: str = "dragon-tiger") -> str:
    """A table at which nobody deals, and nobody sits."""
    signatures = [{"person": "supervisor", "password": "play-money"}]
    floor.staff["pit-manager"].act(
        "tables",
        table=name,
        game=game,
        dealer="human",
        device="hand-shoe",
        minimum="10.00",
        maximum="500.00",
        signatures=signatures,
    )
    return name


def test_whoever_looks_on_unknown_sees_that_it_is_play_money(visitor: Come) -> None:
    page = visitor().open("/table/dragon-tiger")
    expect(page.get_by_role("region", name=t("page.table.watching"))).to_be_visible()
    expect(page.get_by_role("banner").get_by_text(t("page.parts.top-bar-play"))).to_be_visible()


def test_a_table_that_is_suspended_then_closed_says_so_and_points_elsewhere(visitor: Come, floor: Floor) -> None:
    table = opened(floor, "visit-idle")
    manager = floor.staff["pit-manager"]
    manager.give(table, "suspend-table", reason="a pipe has burst")
    who = visitor()
    who.come_as_guest()
    page = who.open(f"/table/{table}")
    rail = page.get_by_role("region", name=t("page.table.watching"))
    expect(rail).to_contain_text(t("page.table.suspended"))
    expect(rail.get_by_role("link", name=t("page.table.other-tables"))).to_be_visible()
    expect(rail.locator(".main")).to_have_text(t("page.table.other-tables"))
    manager.act(
        f"tables/{table}/closing",
        float_counted=manager.ask("GET", f"floor/{table}")["tray"]["held"],
        signatures=[{"person": "supervisor", "password": "play-money"}],
    )
    expect(rail).to_contain_text(t("page.table.closed"))
    expect(rail.get_by_role("button")).to_have_count(0)
    area(page, "tie").first.click()  # whoever points at the felt all the same is told, and nothing breaks
    expect(page.get_by_label(t("page.parts.notes-notes"))).to_contain_text(t("page.table.closed"))
    page.get_by_role("tab", name=t("page.table.limits")).click()
    expect(page.get_by_role("tabpanel")).to_contain_text(t("page.table.closed"))
    who.check_access()


@pytest.mark.parametrize("path", ["/table/", "/table/no/such"])
def test_a_table_that_is_none_is_not_asked_for_again(visitor: Come, path: str) -> None:
    who = visitor()
    sockets: list[str] = []
    page = who.page
    page.clock.install()
    page.on("websocket", lambda socket: sockets.append(socket.url))
    who.open(path)
    expect(page.get_by_role("heading", name=t("page.table.no-table"))).to_be_visible()
    tried = len(sockets)
    page.clock.run_for(60_000)
    assert len(sockets) == tried
    who.complaints.clear()  # the house answered 404


@pytest.mark.parametrize("path", ["/history/nope", "/fairness/nope"])
def test_a_page_about_no_table_has_no_title_of_one(visitor: Come, path: str) -> None:
    page = visitor().open(path)
    expect(page.get_by_role("heading", level=1)).to_have_text(t("page.history.no-table"))
    expect(page.get_by_text(t("no-such-table", table="nope"))).to_be_visible()


def test_an_empty_wallet_is_told_before_a_seat_is_taken(visitor: Come) -> None:
    who = visitor(PHONE)
    who.come_as_guest()
    headers = {"Origin": who.address, "X-Longhu-CSRF": asked(who, "/api/session")["csrf"]}
    data = {"id": "all", "amount": "10000.00"}
    assert who.context.request.post(f"{who.address}/api/me/withdrawals", headers=headers, data=data).ok
    page = who.open("/table/dragon-tiger")
    page.get_by_role("button", name=t("page.table.join-standing")).click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Your wallet is empty")
    who.check_access()
    dialog.get_by_role("link", name=t("page.table.to-wallet")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(t("page.account.title"))


@pytest.mark.clause("PLY-1")
def test_a_guest_is_asked_what_becomes_of_their_chips(visitor: Come) -> None:
    who = visitor()
    with seated(who, "dragon-bonus", buy_in="500.00") as page:
        page.locator("[data-chips]").wait_for()
        page.get_by_role("button", name=t("page.parts.top-bar-sign-out")).click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text(t("page.parts.parting-at", table="dragon-bonus", chips="500"))
        expect(dialog).to_contain_text("You are a guest")
        who.check_access()
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        page.get_by_role("button", name=t("page.parts.top-bar-sign-out")).click()
        dialog.get_by_role("button", name=t("page.parts.parting-cash-out")).click()
        expect(page.get_by_role("button", name=t("page.table.play-as-guest"))).to_be_visible()
    who.complaints.clear()  # whoever is out is answered with 401


def test_a_guest_is_not_asked_for_a_password(visitor: Come) -> None:
    who = visitor()
    who.come_as_guest()
    page = who.open("/account")
    security = page.get_by_role("region", name=t("page.account.security"))
    expect(security).to_contain_text(t("page.account.guest"))
    expect(security.get_by_label(t("page.account.old"))).to_have_count(0)
    assert asked(who, "/api/me")["has_password"] is False


def test_the_menu_of_a_small_screen(visitor: Come) -> None:
    who = visitor(PHONE, locale="zh-CN")
    who.come_as_guest()
    page = who.open("/")
    opener = page.get_by_role("button", name=t("page.parts.top-bar-menu", "zh-CN"))
    expect(page.get_by_role("banner")).to_contain_text("10,000")
    expect(page.get_by_role("link", name=t("page.parts.top-bar-lab", "zh-CN"))).to_be_hidden()
    opener.click()
    who.check_access()
    page.keyboard.press("Escape")
    expect(opener).to_be_focused()
    opener.press("Enter")
    page.get_by_role("link", name=t("page.parts.top-bar-history", "zh-CN"), exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(t("page.history.title", "zh-CN"))
    expect(page.get_by_role("link", name=t("page.parts.top-bar-lab", "zh-CN"))).to_be_hidden()


SCREENS = {"landscape": (844, 390), "narrow": (320, 640), "zoomed": (640, 400)}


@pytest.mark.parametrize("size", SCREENS.values(), ids=SCREENS)
def test_a_table_fits_the_width_of_any_screen(visitor: Come, size: tuple[int, int]) -> None:
    who = visitor({"width": size[0], "height": size[1]}, reduced_motion="reduce")
    with seated(who, "immortal-dragon-tiger") as page:
        expect(area(page, "tie")).to_be_visible()
        assert page.evaluate("() => document.documentElement.scrollWidth") <= size[0]
        hands, own = page.locator("[data-hand]").first.bounding_box(), area(page, "banker").bounding_box()
        tray = page.locator("[data-chips]").bounding_box()
        assert hands
        assert own
        assert tray
        if size == SCREENS["landscape"]:  # all of it at once: cards, areas and chips
            assert hands["y"] >= 0
            assert own["y"] + own["height"] <= tray["y"]
        who.check_access()


def test_a_statement_is_printed_without_what_is_around_it(visitor: Come) -> None:
    who = visitor()
    who.come_as_guest()
    page = who.open("/history")
    page.get_by_role("button", name=t("page.history.show"), exact=True).click()
    expect(page.get_by_role("row", name=t("page.history.movement-deposit"))).to_contain_text("+10,000")
    expect(page.get_by_role("button", name=t("page.history.print"))).to_be_visible()
    page.emulate_media(media="print")
    expect(page.get_by_role("heading", name=t("page.history.statement"))).to_be_visible()
    expect(page.get_by_role("row", name=t("page.history.movement-deposit"))).to_be_visible()
    for gone in (page.get_by_role("banner"), page.get_by_role("button"), page.get_by_text(t("page.history.any-table"))):
        expect(gone.first).to_be_hidden()
    assert page.evaluate("() => getComputedStyle(document.body).color") == "rgb(0, 0, 0)"


@pytest.mark.clause("RUL-1")
def test_a_table_fills_the_screen_and_tells_the_rule_behind_a_card(visitor: Come) -> None:
    page = visitor(reduced_motion="reduce").open("/table/dragon-bonus")
    expect(page.get_by_role("tabpanel").get_by_role("heading", name=t("page.parts.road-big"))).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollHeight <= innerHeight")
    tops = {round(box["y"]) for tab in page.get_by_role("tab").all() if (box := tab.bounding_box())}
    assert len(tops) == 1  # all tabs in one row
    page.get_by_role("tab", name=t("page.table.rules-tab")).click()
    page.get_by_role("tabpanel").locator("summary").first.click()
    page.get_by_role("tabpanel").get_by_role("button", name="read the rule").first.click()
    rule = page.get_by_role("dialog")
    expect(rule).to_contain_text(t("page.parts.clause-window-title", id="DBC-"))
    expect(rule).to_contain_text("Dragon Bonus baccarat, the patron's card")
    page.keyboard.press("Escape")
    expect(rule).to_have_count(0)
