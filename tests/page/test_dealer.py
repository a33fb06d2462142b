"""The dealer's console in a real browser: a whole round, cards typed and tapped, what is announced compared, who is paid."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.page.browser import DESKTOP, PHONE, TABLET, Visitor
from tests.page.croupier import Floor, Table
from tests.page.houses import PASSWORD, DemoHouse
from tests.page.words import t

Come = Callable[..., Visitor]


@pytest.fixture(scope="module")
def floor(browser: Browser, house: DemoHouse) -> Iterator[Floor]:
    floor = Floor(browser, house)
    yield floor
    floor.close()


def at_console(come: Come, table: Table, *, size: ViewportSize = DESKTOP, locale: str = "en-GB") -> Visitor:
    visitor = come(size, locale=locale)
    visitor.sign_in("dealer", PASSWORD)
    page = visitor.open(f"/dealer/{table.name}")
    expect(page.get_by_role("heading", level=1)).to_contain_text(table.name)
    return visitor


def next_is(page: Page, act: str) -> None:
    """What the console offers, once it is done with the act before: until then it takes no key."""
    expect(page.locator("[data-act][aria-busy=false]")).to_have_attribute("data-act", act)


def lay(page: Page, card: str) -> None:
    """Type a card and lay it, as with a scanner: rank, suit, Enter."""
    lying = page.locator("[data-hand] svg")
    before = lying.count()
    page.keyboard.type(card.lower())
    page.keyboard.press("Enter")
    expect(lying).to_have_count(before + 1)


def phase_is(page: Page, words: str) -> None:
    expect(page.locator("main header p").first).to_contain_text(words)


@pytest.mark.clause("IDT-3.13")
def test_a_dealer_deals_a_whole_round_from_a_physical_shoe(visitor: Come, floor: Floor) -> None:
    table = floor.opened("immortal-dragon-tiger", method="B")
    page = at_console(visitor, table).page
    next_is(page, "load-shoe")
    page.keyboard.press("Enter")
    next_is(page, "call-place-your-bets")
    page.keyboard.press("Enter")
    next_is(page, "call-no-more-bets")
    expect(page.locator("main").get_by_text(t("page.dealer.call-place-your-bets"), exact=True)).to_be_visible()
    for patron, place, wager in table.bets:
        patron.give(table.name, "place-wager", place=place, wager=wager, amount="100.00")
    expect(page.get_by_role("region", name=t("page.dealer.pay-list-layout")).get_by_role("listitem")).to_have_count(2)
    page.locator("body").press("Space")
    next_is(page, "draw-card")
    expect(page.locator("main").get_by_text(t("page.dealer.call-no-more-bets", "zh-CN"))).to_be_visible()
    for card in ("2H", "KS"):
        lay(page, card)
    for card in ("3D", "4C"):  # by tap
        page.locator(f"[data-card='{card}']").click()
        page.get_by_role("button", name=t("page.dealer.draw-entry-lay", card="").rstrip()).click()
        expect(page.locator("[data-hand] svg")).to_have_count(3 if card == "3D" else 4)
    next_is(page, "announce-totals")
    page.keyboard.press("Enter")
    expect(page.locator("main").get_by_text("Player 5, Banker 4", exact=True)).to_be_visible()
    next_is(page, "draw-card")
    expect(page.get_by_role("heading", name=t("page.dealer.draw-entry-to", hand="Player"))).to_be_visible()
    lay(page, "QD")
    next_is(page, "announce-result")  # Banker stands on 4 against a queen
    page.locator("[data-result=player]").click()
    next_is(page, "settle-round")
    expect(
        page.locator("main").get_by_text(
            t("page.dealer.result-entry-wins", hand="Player 5, Banker 4: Player"), exact=True
        )
    ).to_be_visible()
    due = page.get_by_role("region", name=t("page.dealer.pay-list-due")).get_by_role("listitem")
    expect(due).to_have_count(2)
    expect(due.first).to_contain_text("Banker")  # collections come first
    expect(due.last).to_contain_text("Player")
    expect(due.last).to_contain_text("1:1")
    page.keyboard.press("Enter")
    next_is(page, "call-place-your-bets")
    phase_is(page, t("phase.between-rounds"))


def test_a_card_that_the_shoe_cannot_give_is_not_laid(visitor: Come, floor: Floor) -> None:
    table = floor.opened("dragon-tiger", decks=4)
    for _ in range(2):
        table.round("KH", "KH")
    table.closed()
    page = at_console(visitor, table).page
    next_is(page, "draw-card")
    page.keyboard.type("kh")
    page.keyboard.press("Enter")
    alert = page.locator("main [role=alert]")
    expect(alert).to_contain_text(t("page.dealer.impossible-foreign", card="king of hearts"))
    expect(alert).to_contain_text(t("event.round-voided"))  # that is what it would mean
    assert not table.view()["round"]["cards"]
    alert.get_by_role("button", name=t("page.dealer.impossible-again")).click()
    lay(page, "KS")
    assert [each["face"] for each in table.view()["round"]["cards"]] == ["KS"]


def test_a_wrong_announcement_waits_for_the_pit_which_signs_at_the_dealers_screen(visitor: Come, floor: Floor) -> None:
    table = floor.opened("dragon-tiger")
    table.dealt("2H", "9S")
    page = at_console(visitor, table).page
    next_is(page, "announce-result")
    page.keyboard.press("1")
    waits = page.get_by_role("region", name=t("page.dealer.waiting-title"))
    expect(waits).to_contain_text("Dragon was announced; the cards say Tiger.")
    expect(waits).to_contain_text(t("page.dealer.waiting-call", position="pit supervisor"))
    expect(page.locator("[data-act]")).to_have_count(0)
    ruling = waits.locator("[data-step=make-ruling]")
    ruling.get_by_label(t("choice.continue")).check()
    ruling.get_by_label("Reason").fill("a slip of the tongue")
    ruling.get_by_label(t("page.dealer.signing-name")).fill("dealer")  # who may not
    ruling.get_by_label(t("page.dealer.signing-password")).fill(PASSWORD)
    ruling.get_by_role("button", name=t("page.dealer.command-form-check")).click()
    ruling.get_by_role("button", name=t("page.dealer.command-form-sign")).click()
    expect(page.get_by_role("region", name=t("page.parts.notes-notes"))).to_contain_text(
        t("position-too-low", needed="pit supervisor")
    )
    ruling.get_by_label(t("page.dealer.signing-name")).fill("supervisor")
    ruling.locator("button[type=submit]").click()
    ruling.get_by_role("button", name=t("page.dealer.command-form-sign")).click()
    expect(waits).to_have_count(0)
    next_is(page, "announce-result")
    page.keyboard.press("2")
    next_is(page, "settle-round")
    page.keyboard.press("Enter")
    phase_is(page, t("phase.between-rounds"))


def test_an_electronic_shoe_is_asked_for_and_each_card_is_one_act(visitor: Come, floor: Floor) -> None:
    table = floor.opened("dragon-tiger", shoe="electronic")
    page = at_console(visitor, table).page
    page.get_by_role("button", name=t("command.new-shoe")).click()
    next_is(page, "call-place-your-bets")
    page.keyboard.press("Enter")
    next_is(page, "call-no-more-bets")
    page.keyboard.press("Enter")
    next_is(page, "draw-card")
    expect(page.locator("[data-card]")).to_have_count(0)
    for count in (1, 2):
        page.locator("[data-act=draw-card] button").click()
        expect(page.locator("[data-hand] svg")).to_have_count(count)
    next_is(page, "announce-result")


def test_the_deal_of_an_automatic_table_is_taken_and_given_back(visitor: Come, floor: Floor) -> None:
    table = floor.opened("dragon-tiger", shoe="electronic", dealer="automatic")
    page = at_console(visitor, table).page
    page.get_by_role("button", name=t("command.take-the-deal")).click()
    expect(page.locator("main").get_by_text(t("page.dealer.status-bar-deals", who="dealer"))).to_be_visible()
    page.get_by_role("button", name=t("command.give-back")).click()
    expect(page.locator("main").get_by_text(t("page.dealer.status-bar-deals", who="dealer"), exact=True)).to_have_count(
        0
    )


def test_a_dealer_calls_the_pit(visitor: Come, floor: Floor) -> None:
    table = floor.opened("dragon-tiger")
    page = at_console(visitor, table).page
    page.get_by_role("button", name=t("page.dealer.call-the-pit")).click()
    page.get_by_label(t("page.dealer.call-supervisor-what")).fill("a drink was spilled")
    page.get_by_role("button", name=t("page.dealer.call-supervisor-send"), exact=True).click()
    expect(page.get_by_role("region", name=t("page.parts.notes-notes"))).to_contain_text(
        t("page.dealer.call-supervisor-called")
    )
    alerts = floor.supervisor.ask("GET", "alerts")
    assert any(
        each["table"] == table.name and each["message"]["args"]["text"] == "a drink was spilled" for each in alerts
    )


def test_patrons_do_not_deal(visitor: Come) -> None:
    guest = visitor()
    guest.come_as_guest()
    page = guest.open("/dealer/dragon-tiger")
    expect(page.locator("main").get_by_text(t("page.dealer.dealer-staff"))).to_be_visible()
    guest.check_access()


@pytest.mark.parametrize(
    ("size", "locale"), [(DESKTOP, "en-GB"), (TABLET, "zh-CN"), (PHONE, "zh-CN")], ids=["desktop", "tablet", "phone"]
)
def test_everybody_can_use_the_console(visitor: Come, floor: Floor, size: ViewportSize, locale: str) -> None:
    table = floor.opened("immortal-dragon-tiger", method="B")
    table.closed()
    dealer = at_console(visitor, table, size=size, locale=locale)
    page = dealer.page
    expect(page.locator("[data-card='5H']")).to_be_visible()
    dealer.check_access()
    wrong, call, others = page.locator("main nav button").all()[:3]
    for button, inside in ((others, "[data-command=buy-in]"), (call, "form"), (wrong, "[data-kind=power-failure]")):
        button.click()
        expect(page.get_by_role("dialog").locator(inside).first).to_be_visible()
        dealer.check_access()
        if button is not wrong:
            page.keyboard.press("Escape")
    page.locator("[data-kind=power-failure]").click()
    page.get_by_role("dialog").locator("button[type=submit]").click()
    expect(page.get_by_role("dialog").get_by_role("status")).to_be_visible()
    dealer.check_access()
    page.get_by_role("dialog").locator("button[type=submit]").click()
    expect(page.locator("[data-step=answer-withdrawal-offer]")).to_be_visible()
    dealer.check_access()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than the screen"
    dealer.open("/dealer")
    expect(page.get_by_role("link", name="dealers-table")).to_be_visible()
    dealer.check_access()


KINDS_OF_FIELDS = {  # one irregularity for each kind of question that a report asks
    "wrong-order": "lies",
    "drawn-together-order-known": "cards",
    "over-maximum": "wager",
    "card-exposed": "places",
    "patron-left-with-cards": "hand",
}


def test_every_kind_of_question_can_be_answered_by_everybody(visitor: Come, floor: Floor) -> None:
    """The forms of irregularities on a tablet, in Chinese: each kind of field, looked at by axe."""
    table = floor.opened("immortal-dragon-tiger", method="A")
    table.dealt("", "")
    dealer = at_console(visitor, table, size=TABLET, locale="zh-CN")
    page = dealer.page
    page.locator("main nav button").first.click()
    for kind, field in KINDS_OF_FIELDS.items():
        page.locator(f"[data-kind={kind}]").click()
        expect(page.locator(f"dialog [data-field={field}]")).to_be_visible()
        dealer.check_access()
        page.locator("dialog button.back").click()


@pytest.mark.clause("D21-5.11")
def test_what_a_tie_gave_back_is_changed_before_the_next_round(visitor: Come, floor: Floor) -> None:
    """The patron lets it lie, the dealer takes it down on the patron's word, and the next round starts with it."""
    table = floor.opened("dragon-21", method="A").dealt("KH", "KS", "QH", "QS")  # twenty each, and nobody draws
    page = at_console(visitor, table).page
    patron = Visitor(floor.ann.context, floor.address)
    for act in ("announce-result", "settle-round"):
        table.dealer(act)
    seen = patron.open(f"/table/{table.name}")
    prompt = seen.locator("[data-returned]")
    prompt.get_by_role("button", name=t("page.dealer.returned-list-leave")).click()
    expect(prompt).to_contain_text(t("page.table.returned-prompt-kept", kept=50, wager="Dragon"))
    listed = page.get_by_role("region", name=t("page.dealer.returned-list-title"))
    expect(listed).to_contain_text(t("page.dealer.returned-list-lies", n="50"))
    listed.get_by_role(
        "button", name=t("page.dealer.returned-list-whose", wager="Dragon", patron=floor.ann.name)
    ).click()
    page.get_by_role("dialog").get_by_label(t("page.dealer.returned-list-amount")).fill("20.00")
    page.get_by_role("dialog").get_by_role("button", name=t("page.dealer.returned-list-leave")).click()
    expect(listed).to_contain_text(t("page.dealer.returned-list-lies", n="20"))
    table.dealer("call-place-your-bets")
    expect(seen.locator("[data-in-play]")).to_have_text("20")
    expect(listed).to_have_count(0)
    assert not patron.complaints
