"""What two people do at a table, on the dealer's and the pit's own pages: a payment, a ruling, a card, a reset, and surveillance."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from tests.page.browser import DESKTOP, TABLET, Visitor
from tests.page.croupier import Floor, Table
from tests.page.houses import PASSWORD, DemoHouse
from tests.page.words import t

Come = Callable[..., Visitor]


@pytest.fixture(scope="module")
def floor(browser: Browser, house: DemoHouse) -> Iterator[Floor]:
    floor = Floor(browser, house)
    yield floor
    floor.close()


def at(visitor: Come, person: str, path: str, size: ViewportSize = DESKTOP) -> Page:
    come = visitor(size)
    come.sign_in(person, PASSWORD)
    return come.open(path)


def waiting(page: Page, command: str) -> Locator:
    """The panel of the report that waits for a second person."""
    return page.get_by_role("region", name=t("page.dealer.second-person-waits", command=t(f"command.{command}")))


def sign_here(panel: Locator, person: str) -> None:
    """A colleague signs at this screen, with their own password."""
    panel.get_by_label(t("page.dealer.signing-name")).fill(person)
    panel.get_by_label(t("page.dealer.signing-password")).fill(PASSWORD)
    panel.get_by_role("button", name=t("page.dealer.second-person-here"), exact=True).click()
    expect(panel).to_have_count(0)


def confirm(panel: Locator) -> None:
    panel.get_by_role("button", name=t("page.dealer.second-person-confirm"), exact=True).click()
    expect(panel).to_have_count(0)


def report(page: Page, irregularity: str) -> Locator:
    """The form of a report, from the menu of what can go wrong."""
    page.get_by_role("button", name=t("page.dealer.something-wrong")).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name=t(f"irregularity.{irregularity}")).first.click()
    return dialog


def look_and_do(dialog: Locator, act: str) -> None:
    """What follows is shown first, and then it is done."""
    dialog.get_by_role("button", name=t("page.dealer.command-form-check"), exact=True).click()
    dialog.get_by_role("button", name=act, exact=True).click()
    expect(dialog).to_have_count(0)


@pytest.mark.clause("SEC-1", "MON-1")
def test_a_patron_who_was_paid_too_much_gives_it_back_by_two(visitor: Come, floor: Floor) -> None:
    table = floor.opened("dragon-tiger").dealt("KH", "3C")
    patron = table.bets[0][0]
    before = chips(table, patron.name)  # with 50 on Dragon, which wins as much
    page = at(visitor, "dealer", f"/dealer/{table.name}", TABLET)
    page.get_by_role("button", name=t("page.dealer.result-entry-wins", hand="Dragon")).click()
    page.get_by_role("button", name=t("command.settle-round")).click()
    expect(page.get_by_role("button", name=t("command.call-place-your-bets"))).to_be_visible()
    assert chips(table, patron.name) == before + 100
    page.get_by_role("button", name=t("page.dealer.others"), exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name=t("command.correct-payment")).click()
    form = page.get_by_role("dialog", name=t("command.correct-payment"))
    expect(form.get_by_label(t("field.round"), exact=True)).to_have_value("1")  # the last one
    form.get_by_role("combobox", name=t("field.wager"), exact=True).select_option("Dragon")
    form.get_by_label(t("choice.too-much"), exact=True).check()
    form.get_by_label(t("choice.record"), exact=True).check()
    form.get_by_role("group", name=t("field.patron"), exact=True).get_by_label(patron.name).check()
    form.get_by_label(t("field.amount"), exact=True).fill("20.00")
    form.get_by_label(t("field.reason"), exact=True).fill("only 30 lay there")
    form.get_by_role("button", name=t("command.correct-payment"), exact=True).click()
    panel = waiting(page, "correct-payment")
    expect(panel).to_contain_text(t("choice.too-much"))
    assert chips(table, patron.name) == before + 100  # until somebody else has signed
    sign_here(panel, "supervisor")
    assert chips(table, patron.name) == before + 100 - 20


def chips(table: Table, patron: str) -> Decimal:
    """What a patron has at the table, as the pit reads it."""
    patrons = table.floor.supervisor.ask("GET", f"floor/{table.name}")["patrons"]
    return next(Decimal(each["chips"]) for each in patrons if each["person"] == patron)


@pytest.mark.clause("DT-5.2a", "SEC-1")
def test_a_card_drawn_in_error_is_burned_by_the_ruling_in_the_pit(visitor: Come, floor: Floor) -> None:
    table = floor.opened("dragon-tiger").dealt("2H", "9S")
    page = at(visitor, "dealer", f"/dealer/{table.name}", TABLET)
    dialog = report(page, "drawn-in-error")
    dialog.get_by_role("group", name=t("field.exposed")).get_by_label(t("choice.no")).check()
    look_and_do(dialog, t("page.dealer.command-form-report"))
    expect(page.get_by_role("group", name=t("page.dealer.hands-in-error"))).to_be_visible()
    pit = at(visitor, "shift-manager", f"/pit/{table.name}")
    pit.get_by_role("button", name=t("command.make-ruling")).first.click()
    ruling = pit.get_by_role("dialog", name=t("command.make-ruling"))
    ruling.get_by_label(t("choice.burn"), exact=True).check()
    ruling.get_by_label(t("field.reason"), exact=True).fill("nobody has seen it")
    look_and_do(ruling, t("command.make-ruling"))
    panel = waiting(pit, "make-ruling")
    expect(panel).to_contain_text(t("choice.burn"))
    assert table.view()["round"]["in_error"] == [None]
    sign_here(panel, "dealer")
    expect(page.get_by_role("group", name=t("page.dealer.hands-in-error"))).to_have_count(0)
    round = table.view()["round"]
    assert (round["in_error"], round["waits"]) == ([], [])
    assert [each["face"] for each in round["cards"]] == ["2H", "9S"]


@pytest.mark.clause("IDT-6.3b", "SEC-1")
def test_a_card_is_corrected_after_the_result_by_a_second_person_in_the_pit(visitor: Come, floor: Floor) -> None:
    table = floor.opened("dragon-tiger").dealt("KH", "3C")
    table.dealer("announce-result")
    assert table.view()["round"]["winner"] == "dragon"
    page = at(visitor, "dealer", f"/dealer/{table.name}", TABLET)
    page.get_by_role("button", name=t("page.dealer.correct-which", card="king of hearts")).click()
    dialog = page.get_by_role("dialog", name=t("command.correct-card"))
    expect(dialog).to_contain_text(t("page.dealer.correct-second"))
    dialog.get_by_role("button", name="2 of hearts", exact=True).click()
    correct = t("page.dealer.correct-to", before="king of hearts", card="2 of hearts")
    dialog.get_by_role("button", name=correct, exact=True).click()
    expect(waiting(page, "correct-card")).to_be_visible()
    pit = at(visitor, "supervisor", f"/pit/{table.name}")
    panel = waiting(pit, "correct-card")
    expect(panel).to_contain_text(f"{t('field.laid')} Dragon · king of hearts", use_inner_text=True)
    expect(panel).to_contain_text(f"{t('field.card')} 2 of hearts", use_inner_text=True)
    confirm(panel)
    expect(page.get_by_role("button", name=t("page.dealer.correct-which", card="2 of hearts"))).to_be_visible()
    page.get_by_role("button", name=t("page.dealer.result-entry-wins", hand="Tiger")).click()  # announced anew
    expect(page.get_by_role("button", name=t("command.settle-round"))).to_be_visible()
    round = table.view()["round"]
    assert (round["cards"][0]["face"], round["winner"]) == ("2H", "tiger")


@pytest.mark.clause("IDT-5.9a", "IDT-5.9b", "SEC-1")
def test_a_reading_shoe_is_reset_after_the_closing_call(visitor: Come, floor: Floor) -> None:
    table = floor.opened("immortal-dragon-tiger", device="reading-shoe", method="B").closed()
    page = at(visitor, "dealer", f"/dealer/{table.name}", TABLET)
    dialog = report(page, "device-reset")
    dialog.get_by_role("group", name=t("field.dealer-error")).get_by_label(t("choice.yes")).check()
    look_and_do(dialog, t("page.dealer.command-form-report"))
    expect(page.get_by_role("heading", name=t("irregularity.device-reset"))).to_be_visible()
    assert set(table.view()["round"]["offer"]["waits_for"]) >= {each[0].name for each in table.bets}
    for seat in (1, 2):
        who = t("page.dealer.seat", n=seat)
        page.get_by_role("button", name=t("page.dealer.offer-answers-stays", who=who), exact=True).click()
        expect(
            page.get_by_role("button", name=t("page.dealer.offer-answers-stays", who=who), exact=True)
        ).to_have_count(0)
    expect(page.get_by_role("heading", name=t("irregularity.device-reset"))).to_have_count(0)
    assert table.view()["round"]["offer"] is None


@pytest.mark.clause("IDT-5.9a", "SEC-1")
def test_a_reset_once_a_card_is_out_takes_a_second_person(visitor: Come, floor: Floor) -> None:
    table = floor.opened("immortal-dragon-tiger", device="reading-shoe", method="B").dealt(
        "2H"
    )  # entered, as no shoe is connected
    page = at(visitor, "dealer", f"/dealer/{table.name}", TABLET)
    dialog = report(page, "device-reset")
    dialog.get_by_role("group", name=t("field.dealer-error")).get_by_label(t("choice.yes")).check()
    look_and_do(dialog, t("page.dealer.command-form-report"))
    panel = waiting(page, "reset-device")
    expect(panel).to_contain_text(f"{t('field.dealer-error')} {t('choice.yes')}", use_inner_text=True)
    assert table.view()["round"]["offer"] is None
    sign_here(panel, "supervisor")
    stays = t("page.dealer.offer-answers-stays", who=t("page.dealer.seat", n=1))
    expect(page.get_by_role("button", name=stays, exact=True)).to_be_visible()
    assert table.view()["round"]["offer"]["waits_for"]


@pytest.mark.clause("SEC-1")
def test_surveillance_confirms_a_report_and_does_nothing_else(visitor: Come, floor: Floor) -> None:
    table = floor.opened("immortal-dragon-tiger", method="B").dealt("2H", "KS")
    page = at(visitor, "surveillance", "/pit")
    expect(page.get_by_role("button", name=t("page.pit.open"), exact=True)).to_have_count(0)
    page.get_by_role("region", name=t("page.pit.floor"), exact=True).get_by_role("link", name=table.name).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(table.name)
    expect(page.get_by_role("heading", name=t("page.pit.staff-list-title"))).to_be_visible()
    expect(page.get_by_role("main").get_by_role("button")).to_have_count(0)
    before = [chips(table, each[0].name) for each in table.bets]
    table.dealer("report-irregularity", kind="foreign-card", told="another back")
    panel = waiting(page, "report-irregularity")
    expect(panel).to_contain_text(t("irregularity.foreign-card"))
    expect(panel).not_to_contain_text("foreign-card")
    expect(panel).to_contain_text(t("page.dealer.second-person-surveillance"))
    here = page.get_by_role("main").get_by_role("button")
    expect(here).to_have_text([t("page.dealer.second-person-confirm"), t("page.dealer.second-person-reject")])
    confirm(panel)
    expect(here).to_have_count(0)
    acts = page.context.request.get(f"{floor.address}/api/tables/{table.name}/acts").json()
    assert (acts["ready"], acts["told"], acts["awaited"]) == ([], [], None)
    assert table.view()["round"] is None  # IDT-5.1: it is void, and the stakes are back
    assert [chips(table, each[0].name) for each in table.bets] == [each + 50 for each in before]
