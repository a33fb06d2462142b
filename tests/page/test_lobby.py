"""The lobby in a real browser: tables that live, coming in, signing in, both languages and sizes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from tests.page.browser import DESKTOP, PHONE, Visitor
from tests.page.houses import PASSWORD, DemoHouse, demonstration
from tests.page.words import t

Comes = Callable[..., Visitor]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoHouse]:
    """One in which nobody opens further tables."""
    with demonstration(tmp_path_factory.mktemp("lobby")) as house:
        yield house


def test_the_lobby_shows_every_table_with_limits_seats_and_roads(visitor: Comes) -> None:
    page = visitor().open()
    expect(page.get_by_role("heading", level=1)).to_have_text(t("page.lobby.title"))
    cards = page.get_by_role("article")
    expect(cards).to_have_count(6)
    card = cards.filter(has_text="dragon-bonus-online")
    expect(card).to_contain_text("Baccarat with Dragon Bonus")
    expect(card).to_contain_text("百家乐龙宝")
    expect(card).to_contain_text("1–100")
    expect(page.get_by_text(t("page.lobby.play"))).to_be_visible()
    expect(page.get_by_role("img", name="Dragon").first).to_be_visible(timeout=30_000)  # a road, once a round has ended


def test_the_tables_live(visitor: Comes) -> None:
    """The number of the round goes on by itself."""
    page = visitor().open()
    card = page.get_by_role("article").filter(has_text="dragon-bonus-online")
    number = card.get_by_text(re.compile(r"^Round \d+$"))
    expect(number).to_be_visible(timeout=30_000)
    before = number.inner_text()
    expect(number).not_to_have_text(before, timeout=45_000)


def test_tables_are_chosen_by_game_with_the_keyboard(visitor: Comes) -> None:
    page = visitor().open()
    chosen = page.get_by_role("button", name="Dragon 21")
    chosen.focus()
    page.keyboard.press("Enter")
    expect(chosen).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("article")).to_have_count(1)
    page.get_by_role("link", name=t("page.lobby.watch")).press("Enter")
    expect(page).to_have_url(re.compile("/table/dragon-21$"))


def test_a_guest_comes_in_and_sees_their_money(visitor: Comes) -> None:
    page = visitor().open()
    page.get_by_role("button", name=t("page.lobby.guest")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(t("page.lobby.welcome", name="Guest"))
    bar = page.get_by_role("banner")
    expect(bar).to_contain_text(t("page.parts.top-bar-play"))
    for each in ("wallet", "chips", "in-play", "net", "time"):
        expect(bar.get_by_text(t(f"page.parts.figures-{each}"), exact=True)).to_be_visible()
    expect(bar).to_contain_text("10,000")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text(
        t("page.lobby.welcome", name="Guest")
    )  # the cookie is enough
    bar.get_by_role("button", name=t("page.parts.top-bar-sign-out")).click()
    expect(page.get_by_role("button", name=t("page.lobby.guest"))).to_be_visible()


@pytest.mark.parametrize(
    ("person", "place"), [("dealer", "/dealer"), ("supervisor", "/pit"), ("auditor", "/audit")], ids=lambda each: each
)
def test_staff_are_led_to_their_own_place(visitor: Comes, person: str, place: str) -> None:
    page = visitor().open()
    page.get_by_role("button", name=t("page.lobby.sign-in")).click()
    page.get_by_label(t("page.lobby.name")).fill(person)
    page.get_by_label(t("page.lobby.password")).fill("wrong")
    page.get_by_role("dialog").get_by_role("button", name=t("page.lobby.sign-in")).click()
    expect(page.get_by_role("alert")).to_contain_text("the name or the password is wrong", ignore_case=True)
    page.get_by_label(t("page.lobby.password")).fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"{place}$"))


def test_everything_is_in_chinese_for_readers_of_chinese(visitor: Comes) -> None:
    page = visitor(locale="zh-CN").open()
    expect(page.get_by_role("heading", level=1)).to_have_text(t("page.lobby.title", "zh-CN"))
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    expect(page.get_by_role("article").filter(has_text="dragon-tiger").first).to_contain_text(
        t("page.lobby.limits", "zh-CN")
    )
    page.get_by_role("button", name=t("page.lobby.sign-in", "zh-CN")).click()
    page.get_by_label(t("page.lobby.name", "zh-CN")).fill("nobody")
    page.get_by_label(t("page.lobby.password", "zh-CN")).fill("nothing")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("名称或密码错误")
    page.keyboard.press("Escape")
    page.get_by_role("combobox").select_option(label="English")
    expect(page.get_by_role("heading", level=1)).to_have_text(t("page.lobby.title"))


def test_a_house_without_spectators_hides_its_tables(browser: Browser, tmp_path: Path) -> None:
    with demonstration(tmp_path, LONGHU_SPECTATORS="false") as private:
        context = browser.new_context(locale="en-GB")
        visitor = Visitor(context, private.address)
        page = visitor.open()
        expect(page.get_by_text(t("page.lobby.private"))).to_be_visible()
        expect(page.get_by_role("article")).to_have_count(0)
        page.get_by_role("button", name=t("page.lobby.guest")).click()
        expect(page.get_by_role("article")).to_have_count(6, timeout=20_000)
        context.close()
        assert not visitor.complaints


@pytest.mark.parametrize(("size", "locale"), [(DESKTOP, "en-GB"), (PHONE, "zh-CN")], ids=["desktop", "phone"])
def test_everybody_can_use_the_lobby(visitor: Comes, size: ViewportSize, locale: str, house: DemoHouse) -> None:
    someone = visitor(size, locale=locale)
    someone.come_as_guest()
    page = someone.open()
    expect(page.get_by_role("article")).to_have_count(6)
    someone.check_access()
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, "the page is wider than the screen"
    assert house.process.poll() is None
