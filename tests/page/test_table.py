"""The patron's table: a whole round of every game, refusals, keys, breaks of the line; on a phone, in Chinese, without a mouse."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Page, ViewportSize, WebSocketRoute, expect

from tests.page.browser import DESKTOP, PHONE, Visitor
from tests.page.houses import DemoHouse, demonstration
from tests.page.patrons import OPEN, PATIENCE, area, bet, dealt, in_play, rebet, remember_settlement, seated, settlement
from tests.page.words import t

Come = Callable[..., Visitor]
ROUNDS = {  # what is bet, on which screen, in which language
    "dragon-tiger": (("tiger", "tie"), DESKTOP, "en-GB"),
    "dragon-21": (("dragon", "dragon-perfect-pair"), DESKTOP, "zh-CN"),
    "immortal-dragon-tiger": (("tie", "big-tiger"), PHONE, "en-GB"),
    "dragon-bonus": (("tie", "dragon-bonus-banker"), DESKTOP, "en-GB"),
    "dragon-bonus-online": (("banker", "dragon-bonus-player"), PHONE, "zh-CN"),
}


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoHouse]:
    """A house in which betting stays open for as long as a test looks at it."""
    with demonstration(tmp_path_factory.mktemp("patient"), LONGHU_BETTING_SECONDS="300") as house:
        yield house


def test_a_round_of_each_game_from_the_bet_to_the_settlement(visitor: Come) -> None:
    with ExitStack() as stack:
        pages: dict[str, Page] = {}
        for table, (wagers, size, locale) in ROUNDS.items():
            come = visitor(size, locale=locale, reduced_motion="reduce")
            pages[table] = stack.enter_context(seated(come, table))
            expect(pages[table].locator("h1")).to_have_count(1)
            bet(pages[table], *wagers)
            remember_settlement(pages[table])
        for table, page in pages.items():
            ended = settlement(page)
            assert len(ended["faces"]) >= 2, f"{table}: both hands have cards, {ended}"
            assert all(ended["faces"]), f"{table}: cards that lie open, {ended}"
            assert ended["said"].strip(), f"{table}: the result was said"
            lines = ended["text"].splitlines()
            wagers, _, locale = ROUNDS[table]
            net = lines.index(t("page.table.net", locale))
            assert lines[net + 1].lstrip("+\u2212").replace(".", "").replace(",", "").isdigit(), ended["text"]
            assert len([line for line in lines if line.startswith(("+", "\u2212", "0"))]) >= len(wagers), ended["text"]
        page = pages["dragon-tiger"]
        rebet(page, "tiger", "tie")
        area(page, "tie").hover()
        told = "(open) => document.querySelector(open) && document.querySelector('.hint')?.innerText"
        hint = page.wait_for_function(told, arg=OPEN, timeout=PATIENCE).json_value()
        assert t("page.table.edge") in hint
        assert "Now" not in hint, "before a card lies open, the chances of the round before are nobody's"


def test_a_bet_that_the_house_refuses_is_told_where_it_was_put(visitor: Come, patient: DemoHouse) -> None:
    with seated(visitor(), "dragon-tiger", address=patient.address, buy_in="50.00") as page:
        page.locator("[data-phase='place-your-bets']").wait_for(timeout=PATIENCE)
        page.get_by_role("radio", name=t("page.table.chip", amount="100")).click()
        area(page, "tie").click()
        expect(page.get_by_role("alert")).to_contain_text("Not enough chips", timeout=PATIENCE)
        in_play(page, "0")


def test_a_refusal_on_a_small_screen_covers_no_area(visitor: Come, patient: DemoHouse) -> None:
    who = visitor(PHONE, reduced_motion="reduce")
    with seated(who, "dragon-tiger", address=patient.address, buy_in="50.00") as page:
        page.locator(OPEN).wait_for(timeout=PATIENCE)
        page.get_by_role("radio", name=t("page.table.chip", amount="100")).click()
        area(page, "tie").click()
        refusal, first = page.get_by_role("alert"), page.locator("button[data-wager]").first
        expect(refusal).to_contain_text("Not enough chips", timeout=PATIENCE)
        told, below = refusal.bounding_box(), first.bounding_box()
        assert told
        assert below
        assert 0 <= told["y"] < told["y"] + told["height"] <= below["y"]


def test_everything_by_keyboard(visitor: Come, patient: DemoHouse) -> None:
    """A guest comes to a seat, bets, changes their mind, and leaves, without touching the mouse."""
    who = visitor()
    who.address = patient.address
    page = who.open("/table/dragon-bonus")
    page.get_by_role("button", name=t("page.table.take-seat")).focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name=t("page.table.play-as-guest")).focus()
    page.keyboard.press("Enter")
    page.get_by_label(t("page.table.buy-in")).fill("500")
    page.keyboard.press("Enter")
    expect(page.locator("[data-chips]")).to_have_text("500", timeout=PATIENCE)
    page.locator("[data-phase='place-your-bets']").wait_for(timeout=PATIENCE)
    page.keyboard.press("2")
    expect(page.get_by_role("radio", name=t("page.table.chip", amount="25"))).to_have_attribute("aria-checked", "true")
    page.keyboard.press("b")
    in_play(page, "25")
    area(page, "tie").focus()
    page.keyboard.press("Enter")
    in_play(page, "50")
    page.keyboard.press("d")
    in_play(page, "100")
    page.keyboard.press("z")
    in_play(page, "75")
    page.keyboard.press("c")
    in_play(page, "0")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text(t("page.table.help-title"))
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name=t("page.table.leave-short")).focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name=t("page.table.leave")).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=t("page.table.take-seat"))).to_be_visible(timeout=PATIENCE)


def test_a_broken_line_loses_neither_the_place_nor_the_wager(visitor: Come) -> None:
    who = visitor(reduced_motion="reduce")
    lines: list[WebSocketRoute] = []
    cut = False

    def through(line: WebSocketRoute) -> None:
        if cut:
            line.close(code=1001)
        else:
            line.connect_to_server()
            lines.append(line)

    who.page.route_web_socket("**/socket**", through)
    with seated(who, "dragon-tiger") as page:
        bet(page, "dragon")
        remember_settlement(page)
        cut = True
        lines[-1].close(code=1001)
        expect(page.get_by_role("status").filter(has_text=t("page.table.lost"))).to_be_visible()
        cut = False
        expect(page.get_by_role("status").filter(has_text=t("page.table.lost"))).to_have_count(0, timeout=PATIENCE)
        assert len(lines) == 2
        assert "Dragon" in settlement(page)["text"]


def test_without_a_network_no_chip_is_put_and_none_is_lost(visitor: Come, patient: DemoHouse) -> None:
    who = visitor(reduced_motion="reduce")
    with seated(who, "dragon-tiger", address=patient.address) as page:
        bet(page, "dragon", chip="25")
        in_play(page, "25")
        who.context.set_offline(True)
        lost = page.get_by_role("status").filter(has_text=t("page.table.lost"))
        expect(lost).to_be_visible()
        area(page, "tie").click()
        expect(page.get_by_role("alert")).to_contain_text(t("page.table.cut-off"))
        who.context.set_offline(False)
        expect(lost).to_have_count(0)
        bet(page, "tie", chip="5")
        in_play(page, "30")
    who.complaints.clear()  # the browser says that it could not connect


def test_a_wager_that_never_arrived_is_not_placed_in_another_round(visitor: Come) -> None:
    who = visitor(reduced_motion="reduce")
    lines: list[WebSocketRoute] = []
    lost: list[str] = []

    def through(line: WebSocketRoute) -> None:
        house = line.connect_to_server()

        def passed(message: str | bytes) -> None:
            if "place-wager" in str(message) and '"tie"' in str(message):
                lost.append(str(message))
            else:
                house.send(message)

        line.on_message(passed)
        lines.append(line)

    who.page.route_web_socket("**/socket**", through)
    with seated(who, "dragon-tiger") as page:
        for _ in range(6):
            lost.clear()
            bet(page, "dragon")  # a round goes on only if somebody bets
            area(page, "tie").click()
            if page.locator(OPEN).count():
                break  # it was still open when the chip was put
        dealt(page)
        lines[-1].close(code=1001)
        refused = page.get_by_role("alert").filter(has_text="lost before the house took it")
        expect(refused).to_be_visible(timeout=PATIENCE)
        assert len(lost) == 1


def test_a_network_that_goes_while_cards_are_dealt_comes_back_to_the_table(visitor: Come) -> None:
    who = visitor(reduced_motion="reduce")
    with seated(who, "dragon-bonus") as page:
        bet(page, "tie")  # whoever bets on a hand may be handed its cards
        dealt(page)
        who.context.set_offline(True)
        lost = page.get_by_role("status").filter(has_text=t("page.table.lost"))
        expect(lost).to_be_visible()
        who.context.set_offline(False)
        expect(lost).to_have_count(0)
        page.locator(OPEN).wait_for(timeout=PATIENCE)  # the next round
    who.complaints.clear()


def test_a_table_that_a_defect_has_stopped_says_so_and_counts_down_no_more(visitor: Come, patient: DemoHouse) -> None:
    who = visitor()

    def through(line: WebSocketRoute) -> None:
        def told(message: str | bytes) -> None:
            said = json.loads(message)
            if said["type"] == "snapshot":
                said["view"]["stopped"] = "the postings of a round do not balance"
            line.send(json.dumps(said))

        line.connect_to_server().on_message(told)

    who.page.route_web_socket("**/socket**", through)
    with seated(who, "dragon-tiger", address=patient.address) as page:
        page.locator(OPEN).wait_for(timeout=PATIENCE)
        expect(page.locator(OPEN)).to_have_text(t("page.table.stopped"))
        expect(page.get_by_text(t("page.table.stopped-words"))).to_be_visible()
        expect(page.get_by_role("timer")).to_have_count(0)


@pytest.mark.clause("PLY-4")
def test_the_delay_of_the_line_is_shown_and_a_slow_one_is_told(visitor: Come, patient: DemoHouse) -> None:
    """With what a late wager comes to, beside the limits."""
    who = visitor()
    late: list[str] = []

    def through(line: WebSocketRoute) -> None:
        house = line.connect_to_server()

        def passed(message: str | bytes) -> None:
            if "ping" in str(message) and not late:
                late.append(str(message))
                who.page.wait_for_timeout(600)
            house.send(message)

        line.on_message(passed)

    who.page.route_web_socket("**/socket**", through)
    with seated(who, "dragon-tiger", address=patient.address) as page:
        expect(page.locator("[data-delay]")).to_contain_text("ms", timeout=PATIENCE)
        slow = page.get_by_role("status").filter(has_text=t("page.table.slow", n=0).split("(")[0].rstrip())
        expect(slow).to_be_visible()
        assert int(page.locator("[data-delay]").get_attribute("data-delay") or 0) >= 600
        expect(slow).to_have_count(0, timeout=PATIENCE)  # the next measurement is quick
        assert int(page.locator("[data-delay]").get_attribute("data-delay") or 0) < 600
        page.get_by_role("tab", name=t("page.table.limits")).click()
        expect(page.locator("[data-late]")).to_contain_text(t("page.table.late-after-call"))
        expect(page.locator("[data-late]")).to_contain_text("DT-5.6a")


@pytest.mark.clause("PLY-3")
def test_nothing_is_celebrated_that_is_not_a_gain(visitor: Come) -> None:
    """Whoever bets on both hands wins one wager of the two and has gained nothing; a tie takes half of each."""
    with seated(visitor(reduced_motion="reduce"), "dragon-tiger") as page:
        page.get_by_role("button", name=t("page.table.sound-off")).click()
        for wagers in (("dragon", "tiger"), ("dragon",), ("tiger",)):
            bet(page, *wagers, chip="5")  # what came too late for both hands may have won with one, in the round before
            hear(page)
            remember_settlement(page)
            ended = settlement(page)
            gained = ended["net"].startswith("+")
            assert not gained or len(wagers) == 1, ended
            assert ended["gain"] is gained, ended
            page.locator(OPEN).wait_for(timeout=PATIENCE)  # the next round: all has been heard
            heard = page.evaluate("() => window.heard")
            assert heard, "sounds have captions"
            assert any("rising" in each for each in heard) is gained, (ended, heard)


def hear(page: Page) -> None:
    """Keep the captions of all sounds from now on, not the one that is still in sight."""
    page.evaluate(
        """() => {
            const caption = () => document.querySelector('.caption')?.textContent;
            let last = caption();
            window.heard = [];
            window.hearing?.disconnect();
            window.hearing = new MutationObserver(() => {
                const said = caption();
                if (said && said !== last) window.heard.push(said);
                last = said;
            });
            window.hearing.observe(document.body, { childList: true, subtree: true, characterData: true });
        }"""
    )


@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_nothing_stands_in_anybodys_way(visitor: Come, patient: DemoHouse, size: ViewportSize, locale: str) -> None:
    """axe-core looks at somebody who watches, a patron with chips on the felt, every panel, and the windows over the table."""
    who = visitor(size, locale=locale, reduced_motion="reduce")
    with seated(who, "immortal-dragon-tiger", address=patient.address) as page:
        bet(page, "player", "tie")
        area(page, "tie").focus()
        who.check_access()
        if size == DESKTOP and locale == "en-GB":
            for tab in page.get_by_role("tab").all():
                tab.click()
                page.locator("[role='tabpanel'] > *").first.wait_for()
                who.check_access()
        page.keyboard.press("?")
        page.get_by_role("dialog").wait_for()
        who.check_access()
