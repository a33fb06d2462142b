"""The odds lab in a real browser: exact figures as one types, mistakes at their place, plots, and what is taken home."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from playwright.sync_api import Download, Locator, Page, ViewportSize, expect

from longhu.games import registry
from longhu.games.loader import load
from longhu.games.source import read_file
from longhu.odds.figures import game_odds
from tests.page.browser import DESKTOP, PHONE, Visitor
from tests.page.houses import DemoHouse
from tests.page.words import t

COUNTED = 60_000  # milliseconds for what is counted on a machine with much else to do
Come = Callable[..., Visitor]


@pytest.fixture
def lab(visitor: Come) -> Page:
    """Dragon Tiger on the bench, with its tie chosen."""
    page = visitor().open("/lab/dragon-tiger")
    choose(page, "Tie")
    return page


def choose(page: Page, wager: str, locale: str = "en-GB") -> None:
    returns = page.get_by_role("region", name=t("page.lab.returns-title", locale))
    returns.get_by_role("button", name=wager).first.click(timeout=COUNTED)
    expect(page.get_by_role("heading", name=wager, level=2)).to_be_visible()


def exact_edge(page: Page) -> Locator:
    return page.locator("[data-figure='exact-edge']")


def taken(page: Page, button: str, folder: Path) -> Path:
    with page.expect_download(timeout=COUNTED) as waiting:
        page.get_by_role("button", name=button).click()
    download: Download = waiting.value
    file = folder / download.suggested_filename
    download.save_as(file)
    return file


def test_every_game_is_there_to_begin_with(visitor: Come) -> None:
    page = visitor().open("/lab")
    for path in registry.all_games().values():
        expect(page.get_by_role("link", name=registry.load_game(path).name.en).first).to_be_visible()
    page.get_by_role("link", name="Dragon Tiger Version").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Odds lab: Dragon Tiger")


def test_a_changed_pay_shows_the_exact_return_and_can_be_taken_back(lab: Page) -> None:
    expect(exact_edge(lab)).to_have_text("43/415", timeout=COUNTED)
    lab.get_by_role("textbox", name=t("page.lab.line-editor-pays")).fill("12:1")
    expect(exact_edge(lab)).to_have_text("12/415", timeout=COUNTED)
    expect(lab.get_by_text("was 11:1")).to_be_visible()
    row = lab.get_by_role("region", name=t("page.lab.returns-title")).get_by_role("button", pressed=True)
    expect(row).to_contain_text("2.8916")
    expect(row).to_contain_text("−7.4699")
    lab.get_by_role("button", name=t("page.lab.toolbar-undo")).click()
    expect(exact_edge(lab)).to_have_text("43/415", timeout=COUNTED)
    lab.get_by_role("button", name=t("page.lab.toolbar-redo")).click()
    expect(exact_edge(lab)).to_have_text("12/415", timeout=COUNTED)
    lab.reload()
    choose(lab, "Tie")
    expect(exact_edge(lab)).to_have_text("12/415", timeout=COUNTED)  # it was kept
    lab.get_by_role("button", name=t("page.lab.toolbar-reset")).click()
    expect(exact_edge(lab)).to_have_text("43/415", timeout=COUNTED)
    lab.get_by_role("button", name=t("page.lab.toolbar-fewer")).click()
    expect(exact_edge(lab)).to_have_text("13/121", timeout=COUNTED)  # 1 - 12 * 27/363
    expect(lab.get_by_text("The document deals from")).to_have_count(0)
    for _ in range(4):
        lab.get_by_role("button", name=t("page.lab.toolbar-fewer")).click()
    expect(exact_edge(lab)).to_have_text("23/155", timeout=COUNTED)  # 1 - 12 * 11/155 with three decks
    expect(lab.get_by_text(t("page.lab.toolbar-outside", min=4, max=8))).to_be_visible()


def test_lines_are_added_moved_and_taken_out(lab: Page) -> None:
    lab.get_by_role("button", name=t("page.lab.wager-panel-add")).click()
    line = lab.get_by_role("group", name=t("page.lab.line-editor-line", n="2"))
    line.get_by_label(t("page.lab.line-editor-when")).fill("dragon.rank == 7")
    expect(lab.get_by_text(t("page.lab.spread-title"))).to_be_visible()
    lab.get_by_role("button", name=t("page.lab.line-editor-up", n="2")).click()
    first = lab.get_by_role("group", name=t("page.lab.line-editor-line", n="1"))
    expect(first.get_by_label(t("page.lab.line-editor-when"))).to_have_value("dragon.rank == 7")
    first.get_by_label(t("page.lab.line-editor-then")).select_option("win")
    first.get_by_role("textbox", name=t("page.lab.line-editor-pays")).fill("3:1")
    # A 7 for the dragon comes 1 time in 13; otherwise a tie pays 11: 3/13 + 11 * 12/13 * 31/415 - the rest.
    expect(exact_edge(lab)).to_have_text(_edge_with_seven(), timeout=COUNTED)
    lab.get_by_role("button", name=t("page.lab.line-editor-out", n="1")).click()
    expect(exact_edge(lab)).to_have_text("43/415", timeout=COUNTED)


def _edge_with_seven() -> str:
    seven, tie = Fraction(1, 13), Fraction(12, 13) * Fraction(31, 415)
    return str(-(3 * seven + 11 * tie - (1 - seven - tie)))


def test_a_mistake_is_told_at_its_character_and_the_figures_wait(lab: Page) -> None:
    condition = lab.get_by_label(t("page.lab.line-editor-when"))
    condition.fill("tie and dragn.rank == 7")
    wrong = lab.get_by_text("unknown fact 'dragn.rank'")
    expect(wrong).to_be_visible(timeout=COUNTED)
    expect(lab.get_by_text(t("page.lab.condition-column", n="9"))).to_be_visible()
    expect(lab.locator("mark")).to_have_text("dragn.rank")
    expect(condition).to_have_attribute("aria-invalid", "true")
    expect(lab.get_by_role("status").first).to_have_text(t("page.lab.workbench-wrong", n=1))
    lab.get_by_role("tab", name=t("page.lab.workbench-file")).click()
    place = lab.get_by_role("button", name=re.compile(r"Line 57, column \d+"))
    expect(place).to_be_visible(timeout=COUNTED)
    place.click()
    chosen = "() => { const area = document.activeElement; return area.value.slice(area.selectionStart, area.selectionStart + 10); }"
    assert lab.evaluate(chosen) == "dragn.rank"
    lab.get_by_role("button", name=t("page.lab.toolbar-undo")).click()
    expect(lab.get_by_role("status").first).to_contain_text(t("page.lab.claims-exact"), timeout=COUNTED)


def test_a_mistake_is_told_in_the_language_of_the_page(visitor: Come) -> None:
    page = visitor(locale="zh-TW").open("/lab/dragon-tiger")
    choose(page, "和", "zh-TW")
    page.get_by_label(t("page.lab.line-editor-when", "zh-TW")).fill("tie and dragn.rank == 7")
    expect(page.get_by_text("未知的事實 'dragn.rank'。是否指 'dragon.rank'？")).to_be_visible(timeout=COUNTED)
    page.get_by_text(t("page.lab.words-words", "zh-TW")).click()
    expect(page.get_by_text("兩張牌點數相同")).to_be_visible()


def test_the_file_can_be_written_here(lab: Page) -> None:
    lab.get_by_role("tab", name=t("page.lab.workbench-file")).click()
    text = lab.get_by_label(t("page.lab.file-text-label"))
    expect(text).to_have_value(registry.find("dragon-tiger").read_text(encoding="utf-8"), timeout=COUNTED)
    text.fill(text.input_value().replace('pays = "11:1"', 'pays = "10:1"'))
    lab.get_by_role("tab", name=t("page.lab.workbench-lines")).click()
    expect(exact_edge(lab)).to_have_text("74/415", timeout=COUNTED)


def test_what_is_taken_home_is_what_was_seen(lab: Page, tmp_path: Path) -> None:
    lab.get_by_role("textbox", name=t("page.lab.line-editor-pays")).fill("12:1")
    expect(exact_edge(lab)).to_have_text("12/415", timeout=COUNTED)
    file = taken(lab, t("page.lab.toolbar-file"), tmp_path)
    assert file.name == "dragon-tiger.toml"
    game = load(read_file(file))
    assert str(game_odds(game)["tie"].house_edge) == "12/415"
    assert "# 1. Definitions, of this game only (DT-1.1)" in file.read_text(encoding="utf-8")
    sheet = taken(lab, "PAR sheet", tmp_path)
    assert "12/415" in sheet.read_text(encoding="utf-8")
    opened = lab.context.new_page()
    opened.goto(sheet.as_uri())
    expect(opened.get_by_role("heading", level=1)).to_have_text("Dragon Tiger 龙虎")
    assert taken(lab, "PAR as PDF", tmp_path).read_bytes().startswith(b"%PDF")


def test_a_link_carries_the_changes_to_somebody_else(lab: Page, visitor: Come) -> None:
    lab.get_by_role("textbox", name=t("page.lab.line-editor-pays")).fill("12:1")
    expect(exact_edge(lab)).to_have_text("12/415", timeout=COUNTED)
    lab.get_by_role("button", name=t("page.lab.toolbar-share")).click()
    expect(lab.get_by_text(t("page.lab.toolbar-copied")).first).to_be_attached()
    path = lab.evaluate("() => location.pathname + location.hash")
    other = visitor().open(path)
    choose(other, "Tie")
    expect(exact_edge(other)).to_have_text("12/415", timeout=COUNTED)


def test_readings_claims_and_cards(visitor: Come) -> None:
    page = visitor().open("/lab/dragon-bonus-online")
    page.get_by_role("tab", name=t("page.lab.workbench-readings")).click()
    expect(page.get_by_text(f"✓ {t('page.lab.claims-agrees')}").first).to_be_visible(timeout=COUNTED)
    expect(page.get_by_text(f"✗ {t('page.lab.claims-fails')}").first).to_be_visible()
    before = page.get_by_role("region", name=t("page.lab.returns-title")).get_by_role("button").first.inner_text()
    page.get_by_role("button", name=t("page.lab.readings-take")).first.click()
    changed = page.get_by_role("region", name=t("page.lab.returns-title")).get_by_role("button").first
    expect(changed).not_to_have_text(before, timeout=COUNTED)
    expect(changed).to_contain_text(t("page.lab.returns-than", difference="").strip())
    page.get_by_role("tab", name=t("page.lab.workbench-removal")).click()
    cells = page.get_by_role("region", name=t("page.lab.heat-map-title")).get_by_role("cell")
    expect(cells).to_have_count(5 * 13, timeout=COUNTED)
    page.get_by_role("tab", name=t("page.lab.workbench-deal")).click()
    cell = page.get_by_role(
        "button", name=f"{t('page.lab.draw-table-cell', total=0, third=8)}: {t('page.lab.draw-table-stands')}"
    )
    cell.click()
    expect(
        page.get_by_role(
            "button", name=f"{t('page.lab.draw-table-cell', total=0, third=8)}: {t('page.lab.draw-table-draws')}"
        )
    ).to_be_visible()


def test_the_ceiling_by_depth_is_drawn(lab: Page, house: DemoHouse) -> None:
    for _ in range(
        4
    ):  # the first compiles, which a busy machine may not do in the time of one question; what is compiled stays
        asks = {"subject": {"game": "dragon-tiger"}, "wager": "tie", "shoes": 20}
        if lab.request.post(f"{house.address}/api/lab/counting", data=asks).status != 503:
            break
    lab.get_by_role("tab", name=t("page.lab.workbench-counting")).click()
    plot = lab.get_by_role("img", name=t("page.lab.depth-plot-label", first="", last="", low="", high="").split(",")[0])
    expect(plot).to_be_visible(timeout=COUNTED)
    assert plot.locator("rect").count() > 10
    lab.get_by_text(t("page.lab.depth-plot-table")).click()
    expect(lab.get_by_role("row").nth(5)).to_be_visible()


def test_keys_alone_are_enough(lab: Page) -> None:
    lab.get_by_role("tab", name=t("page.lab.workbench-lines")).focus()
    lab.keyboard.press("ArrowRight")
    expect(lab.get_by_role("tab", name=t("page.lab.workbench-deal"))).to_be_focused()
    expect(lab.get_by_role("heading", name=t("page.lab.deal-title"))).to_be_visible()
    lab.keyboard.press("ArrowLeft")
    expect(lab.get_by_label(t("page.lab.line-editor-when"))).to_be_visible()


TABS = ("lines", "deal", "readings", "removal", "counting", "file")
LOOKS = {
    "desktop": (DESKTOP, "en-GB", TABS),
    "desktop in Chinese": (DESKTOP, "zh-CN", TABS[:1]),
    "phone": (PHONE, "en-GB", TABS[:1]),
    "phone in Chinese": (PHONE, "zh-CN", TABS),
}


@pytest.mark.parametrize(("size", "locale", "tabs"), LOOKS.values(), ids=LOOKS)
def test_everybody_can_use_it(visitor: Come, size: ViewportSize, locale: str, tabs: tuple[str, ...]) -> None:
    somebody = visitor(size, locale=locale)
    page = somebody.open("/lab")
    expect(page.get_by_role("link", name="Dragon 21" if locale == "en-GB" else "龙虎二十一点").first).to_be_visible()
    somebody.check_access()
    somebody.open("/lab/dragon-bonus-online")
    counted = t("page.lab.workbench-ready", locale, ms="").rstrip()
    expect(page.get_by_role("status").first).to_contain_text(counted, timeout=COUNTED)
    for tab in tabs:
        page.locator(f"#tab-{tab}").click()
        shown = {"readings": "✓", "removal": "10", "counting": "±"}.get(tab)
        if shown:
            expect(page.get_by_role("tabpanel")).to_contain_text(shown, timeout=COUNTED)
        expect(page.locator(".busy")).to_have_count(0, timeout=COUNTED)
        somebody.check_access()
        fits = "() => document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        assert page.evaluate(fits), f"{tab} is wider than the screen"
