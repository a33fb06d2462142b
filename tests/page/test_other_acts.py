"""What is seldom done at a table, at the dealer's console, in the pit and at the patron's place: each act by its role and label."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.page.browser import TABLET, Visitor
from tests.page.croupier import PHYSICAL, Floor, Table
from tests.page.forms import fill
from tests.page.houses import PASSWORD, DemoHouse, demonstration
from tests.page.test_acts_of_two import at, look_and_do, sign_here, waiting
from tests.page.words import t

Come = Callable[..., Visitor]


@pytest.fixture(scope="module")
def floor(browser: Browser, house: DemoHouse) -> Iterator[Floor]:
    floor = Floor(browser, house)
    yield floor
    floor.close()


def other(page: Page, command: str) -> Locator:
    """The form of one of the other acts."""
    page.get_by_role("button", name=t("page.dealer.others"), exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name=t(f"command.{command}"), exact=True).click()
    return page.get_by_role("dialog", name=t(f"command.{command}"))


def done(form: Locator, command: str) -> None:
    form.get_by_role("button", name=t(f"command.{command}"), exact=True).click()
    expect(form).to_have_count(0)


def pit_act(page: Page, command: str) -> Locator:
    """The form of something else that the pit may do at a table."""
    more = page.get_by_text(t("page.pit.decisions-more"), exact=True)
    if not more.evaluate("each => each.closest('details').open"):
        more.click()
    page.get_by_role("button", name=t(f"command.{command}"), exact=True).click()
    return page.get_by_role("dialog", name=t(f"command.{command}"))


def round_of(table: Table) -> dict[str, Any]:
    found: dict[str, Any] = table.view()["round"]
    return found


@pytest.mark.clause("D21-6.0b")
def test_cards_are_counted_by_two_and_a_shoe_is_put_away(visitor: Come, floor: Floor) -> None:
    table = floor.opened("dragon-21", method="A")
    page = at(visitor, "dealer", f"/dealer/{table.name}", TABLET)
    cards = str(table.decks * 52)
    for screen in (page, at(visitor, "supervisor", f"/dealer/{table.name}", TABLET)):
        act = screen.get_by_role("region", name=t("page.dealer.next-act-next"))
        act.get_by_label(t("field.counted")).fill(cards)
        act.get_by_role("button", name=t("command.verify-cards"), exact=True).click()
    table.between()
    other_act = other(page, "end-shoe")
    other_act.get_by_label(t("field.why"), exact=True).fill("a card is bent")
    done(other_act, "end-shoe")
    expect(page.get_by_role("region", name=t("page.dealer.next-act-next"))).to_contain_text(t("command.verify-cards"))


@pytest.mark.clause("DT-5.6b", "DT-5.7", "SEC-1")
def test_late_chips_a_lifted_wager_and_what_was_not_handed_over(visitor: Come, floor: Floor) -> None:
    table = floor.opened("dragon-tiger", chips="physical").closed()
    patron = table.bets[0][0].name
    page = at(visitor, "dealer", f"/dealer/{table.name}", TABLET)

    def reported(command: str) -> Locator:
        page.get_by_role("button", name=t("page.dealer.something-wrong")).click()
        page.get_by_role("dialog").get_by_role("button", name=t(f"command.{command}")).click()
        form = page.get_by_role("dialog", name=t(f"command.{command}"))
        form.get_by_role("group", name=t("field.patron"), exact=True).get_by_label(patron).check()
        return form

    late = reported("report-late-chips")
    late.get_by_role("group", name=t("field.place"), exact=True).get_by_label("1", exact=True).check()
    late.get_by_role("combobox", name=t("field.wager"), exact=True).select_option("Tie")
    late.get_by_label(t("field.amount"), exact=True).fill("25.00")
    look_and_do(late, t("page.dealer.command-form-report"))
    assert [each["amount"] for each in round_of(table)["stakes"].values()] == ["50.00", "50.00"]
    lifted = reported("report-lifted-wager")
    lifted.get_by_role("group", name=t("field.place"), exact=True).get_by_label("1", exact=True).check()
    lifted.get_by_role("combobox", name=t("field.wager"), exact=True).select_option("Dragon")
    look_and_do(lifted, t("page.dealer.command-form-report"))
    for card in ("2H", "9S"):
        table.dealer("draw-card", card=card)
    for act in ("announce-result", "settle-round"):
        table.dealer(act)
    pit = at(visitor, "supervisor", f"/pit/{table.name}")
    unpaid = pit_act(pit, "record-unpaid-loss")
    unpaid.get_by_label(patron).check()
    unpaid.get_by_label(t("field.amount"), exact=True).fill("50.00")
    unpaid.get_by_label(t("field.reason"), exact=True).fill("gone")
    look_and_do(unpaid, t("page.dealer.command-form-report"))
    sign_here(waiting(pit, "record-unpaid-loss"), "dealer")


@pytest.mark.clause("IDT-3.10.6")
def test_the_dealer_says_anew_which_hand_opens_first(visitor: Come, floor: Floor) -> None:
    table = floor.opened("immortal-dragon-tiger", method="A").passed()
    page = at(visitor, "dealer", f"/dealer/{table.name}", TABLET)
    form = other(page, "choose-first-hand")
    form.get_by_label("Banker", exact=True).check()
    done(form, "choose-first-hand")
    assert round_of(table)["opens_first"] == "banker"


@pytest.mark.clause("REC-2", "SEC-1")
def test_a_request_for_chips_is_taken_back_in_the_pit(visitor: Come, floor: Floor) -> None:
    table = floor.opened("dragon-tiger", chips="physical")
    floor.supervisor.give(table.name, "request-chips", kind="fill", amount="10000.00", chips={"10000.00": 1})
    pit = at(visitor, "supervisor", f"/pit/{table.name}")
    tray = pit.get_by_role("region", name=t("page.pit.tray"))
    fill = tray.get_by_role("article", name=t("page.pit.tray-fill-n", n=1))
    fill.get_by_role("button", name=t("page.pit.tray-void")).click()
    expect(fill).to_have_count(0)


@pytest.mark.clause("IDT-6.2", "SEC-1")
def test_somebody_acts_in_a_higher_position_for_a_while(visitor: Come, floor: Floor) -> None:
    table = floor.opened("dragon-tiger")
    pit = at(visitor, "pit-manager", f"/pit/{table.name}")
    staff = pit.get_by_role("region", name=t("page.pit.staff-list-title"))
    staff.get_by_text(t("page.pit.staff-list-more"), exact=True).click()
    table.dealer("take-the-deal")
    staff.get_by_label(t("page.pit.name")).fill("dealer")
    staff.get_by_label(t("page.pit.position")).select_option(t("position.pit-supervisor"))
    staff.get_by_role("button", name=t("page.pit.staff-list-assign")).click()
    expect(staff).to_contain_text(t("page.pit.staff-list-as", position=t("position.pit-supervisor")))


@pytest.mark.clause("D21-2.2")
def test_the_pit_has_patrons_act_themselves_and_lifts_it(visitor: Come, floor: Floor) -> None:
    table = floor.opened("dragon-21", method="A")
    pit = at(visitor, "supervisor", f"/pit/{table.name}")
    for act in ("order-in-person", "lift-in-person-order"):
        form = pit_act(pit, act)
        form.get_by_role("group", name=t("field.act"), exact=True).get_by_label(t("choice.wager")).check()
        form.get_by_label(table.bets[0][0].name).check()
        look_and_do(form, t(f"command.{act}"))


@pytest.mark.clause("D21-5.4a")
def test_a_called_wager_is_put_on_the_layout_by_the_dealer(visitor: Come, floor: Floor) -> None:
    table = floor.opened("dragon-21", method="A").betting()
    patron = table.bets[0][0].name
    page = at(visitor, "dealer", f"/dealer/{table.name}", TABLET)
    called = other(page, "speak-wager")
    called.get_by_role("combobox", name=t("field.place"), exact=True).select_option("1")
    called.get_by_role("radio", name="Tie", exact=True).check()
    called.get_by_label(t("field.amount"), exact=True).fill("30.00")
    called.get_by_label(t("field.chips"), exact=True).fill("25 5")
    called.get_by_role("combobox", name=t("field.patron"), exact=True).select_option(f"Seat 1 · {patron}")
    done(called, "speak-wager")
    assert not [each for each in round_of(table)["stakes"].values() if each["wager"] == "tie"]
    put = other(page, "set-spoken-wager")
    put.get_by_role("group", name=t("field.patron"), exact=True).get_by_label(patron).check()
    put.get_by_role("combobox", name=t("field.place"), exact=True).select_option("1")
    put.get_by_role("radio", name="Tie", exact=True).check()
    done(put, "set-spoken-wager")
    assert [each["amount"] for each in round_of(table)["stakes"].values() if each["wager"] == "tie"] == ["30.00"]


@pytest.mark.clause("IDT-3.8a")
def test_the_dealer_places_a_wager_and_takes_it_back_on_a_patrons_request(visitor: Come, floor: Floor) -> None:
    table = floor.opened("immortal-dragon-tiger", method="B").betting()
    patron = table.bets[0][0].name
    page = at(visitor, "dealer", f"/dealer/{table.name}", TABLET)
    for act in ("place-wager", "take-wager-back"):
        form = other(page, act)
        fill(form, table, {"place": 1, "wager": "tie"})
        if act == "place-wager":
            form.get_by_label(t("field.amount"), exact=True).fill("30.00")
        form.get_by_role("combobox", name=t("field.patron"), exact=True).select_option(f"Seat 1 · {patron}")
        form.get_by_role("checkbox", name=t("field.requested"), exact=True).check()
        done(form, act)
        ties = [each["amount"] for each in round_of(table)["stakes"].values() if each["wager"] == "tie"]
        assert ties == (["30.00"] if act == "place-wager" else [])


@pytest.mark.clause("DBO-DEAL-1")
def test_a_player_of_the_online_game_asks_for_the_deal(floor: Floor) -> None:
    table = floor.opened("dragon-bonus-online", device="virtual").betting()
    ann = Visitor(floor.ann.context, floor.address)
    ready = ann.open(f"/table/{table.name}").get_by_role("button", name=t("page.table.ready"), exact=True)
    ready.click()
    expect(ready).to_have_count(0)
    assert not ann.complaints


@pytest.mark.clause("RUL-6", "D21-7.0b")
def test_a_patron_adds_words_to_the_shuffle_and_cuts(browser: Browser, tmp_path: Path) -> None:
    with demonstration(tmp_path, LONGHU_CONTRIBUTION_SECONDS="60") as house:
        floor = Floor(browser, house)
        table = floor.opened("immortal-dragon-tiger", method="B", device="virtual")
        page = Visitor(floor.ann.context, floor.address).open(f"/table/{table.name}")
        dealer = Visitor(floor.dealer.context, floor.address).open(f"/dealer/{table.name}")
        dealer.get_by_role("button", name=t("command.new-shoe"), exact=True).click()
        shuffle = page.get_by_role("region", name=t("page.table.shuffle-title"))
        shuffle.get_by_label(t("page.table.your-words")).fill("seven of hearts")
        shuffle.get_by_role("button", name=t("page.table.contribute")).click()
        expect(shuffle.get_by_label(t("page.table.your-words"))).to_have_count(0)
        shuffle.get_by_label(t("page.table.cut-words")).fill("40")
        shuffle.get_by_role("button", name=t("page.table.cut"), exact=True).click()
        expect(shuffle).to_have_count(0)
        told = table.view()["shuffle"]
        assert ([each["value"] for each in told["contributions"]], told["cut_behind"]) == (["seven of hearts"], 40)
        floor.close()


def spots(floor: Floor, name: str) -> str:
    """A table whose chips belong to no account."""
    opened = {
        "table": name,
        "game": "immortal-dragon-tiger",
        "method": "A",
        "dealer": "human",
        "device": "hand-shoe",
        "patrons": "unrated",
        **PHYSICAL,
    }
    floor.staff["pit-manager"].act("tables", **opened, signatures=[{"person": "supervisor", "password": PASSWORD}])
    return name


@pytest.mark.clause("IDT-3.10.2")
def test_a_hand_is_passed_to_a_position_where_no_chips_are_entered(visitor: Come, floor: Floor) -> None:
    table = spots(floor, "spots")
    for command in ("load-shoe", "call-place-your-bets", "call-no-more-bets", *["draw-card"] * 4, "pass-hands"):
        floor.dealer.give(table, command)
    page = at(visitor, "dealer", f"/dealer/{table}", TABLET)
    form = other(page, "pass-to-spot")
    form.get_by_role("radio", name="Player", exact=True).check()
    form.get_by_role("combobox", name=t("field.patron"), exact=True).select_option("Position 3")
    done(form, "pass-to-spot")
    entry = page.get_by_role("region", name=t("page.dealer.draw-entry-title"))
    expect(entry).to_contain_text("Position 3")


@pytest.mark.clause("OPS-2")
def test_cash_is_changed_into_chips_at_a_position(visitor: Come, floor: Floor) -> None:
    """At a table of accounts it is not offered: those buy their chips themselves (MON-3)."""
    rated = at(visitor, "dealer", f"/dealer/{floor.opened('dragon-tiger', chips='physical').name}", TABLET)
    rated.get_by_role("button", name=t("page.dealer.others"), exact=True).click()
    expect(rated.get_by_role("button", name=t("command.suspend-table"), exact=True)).to_be_visible()
    expect(rated.get_by_role("button", name=t("command.buy-in"), exact=True)).to_have_count(0)
    page = at(visitor, "dealer", f"/dealer/{spots(floor, 'cash')}", TABLET)
    form = other(page, "buy-in")
    form.get_by_role("combobox", name=t("field.patron"), exact=True).select_option("Position 2")
    form.get_by_label(t("field.amount"), exact=True).fill("500.00")
    done(form, "buy-in")
    assert floor.supervisor.ask("GET", "floor/cash")["tray"]["drop"] == "500.00"


@pytest.mark.clause("MON-2")
def test_the_operator_posts_rounding_after_its_cost_was_shown_and_patrons_read_it(visitor: Come, floor: Floor) -> None:
    table = floor.opened("immortal-dragon-tiger", method="B")
    page = at(visitor, "operator", f"/pit/{table.name}")
    page.get_by_role("button", name=t("page.pit.settings-panel-change")).click()
    form = page.get_by_role("dialog", name=t("page.pit.settings-panel-change"))
    form.get_by_label(t("page.pit.settings-panel-unit")).fill("5.00")
    form.get_by_label(t("page.pit.settings-panel-rounding")).select_option(t("page.pit.settings-panel-to-house"))
    form.get_by_label(t("page.pit.reason")).fill("no coins here")
    form.get_by_role("button", name=t("page.pit.settings-panel-change")).click()
    expect(page.get_by_role("region", name=t("page.parts.notes-notes"))).to_contain_text("Banker: house edge")
    assert table.view()["notice"]["rounding"] is None
    form.get_by_label(t("page.pit.settings-panel-confirm-rounding")).check()
    form.get_by_role("button", name=t("page.pit.settings-panel-change")).click()
    expect(form).to_have_count(0)
    planned = page.get_by_role("region", name=t("page.pit.order-list-title"))
    expect(planned).to_contain_text(t("page.pit.order-list-state-done"))
    assert table.view()["notice"]["rounding"]["to"] == "house"
    ann = Visitor(floor.ann.context, floor.address)
    seen = ann.open(f"/table/{table.name}")
    seen.get_by_role("tab", name=t("page.table.limits")).or_(
        seen.get_by_role("button", name=t("page.table.limits"))
    ).click()
    expect(seen.get_by_text(t("page.table.rounded-to-house", unit="5"))).to_be_visible()
    expect(
        seen.get_by_role("table", name=t("page.table.rounding-costs")).get_by_role("row", name="Banker")
    ).to_be_visible()
