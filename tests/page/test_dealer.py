"""The dealer's console in a real browser: a whole round, cards typed and tapped, what is announced compared, who is paid."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.page.browser import DESKTOP, PHONE, TABLET, Visitor
from tests.page.croupier import Floor, Table
from tests.page.houses import PASSWORD, DemoHouse
from tests.page.words import t

Come = Callable[..., Visitor]

LATE = """
  const Plain = WebSocket;
  window.WebSocket = class extends Plain {
    set onmessage(hear) {
      super.onmessage = (message) => {
        if (["event", "snapshot"].includes(JSON.parse(message.data).type)) setTimeout(() => hear.call(this, message), 700);
        else hear.call(this, message);
      };
    }
  };
"""  # what happens at the table is told late, as by a busy house; an answer comes at once


@pytest.fixture(scope="module")
def floor(browser: Browser, house: DemoHouse) -> Iterator[Floor]:
    floor = Floor(browser, house)
    yield floor
    floor.close()


def at_console(
    come: Come, table: Table, *, size: ViewportSize = DESKTOP, locale: str = "en-GB", late: bool = False
) -> Visitor:
    visitor = come(size, locale=locale)
    if late:
        visitor.context.add_init_script(LATE)
    visitor.sign_in("dealer", PASSWORD)
    page = visitor.open(f"/dealer/{table.name}")
    expect(page.get_by_role("heading", level=1)).to_contain_text(table.name)
    return visitor


def next_is(page: Page, act: str) -> None:
    """What the console offers, once it is done with the act before: until then it takes no key."""
    expect(page.locator("[data-act][aria-busy=false]")).to_have_attribute("data-act", act)


def unfold(page: Page) -> None:
    """What cannot happen now is folded away in the menu."""
    folded = page.locator("dialog details:not([open]) summary")
    if folded.count():
        folded.click()


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
    next_is(page, "load-shoe")  # with patrons seated, whoever cuts or declines is told first
    declined = page.get_by_role("group", name=t("field.declined")).get_by_role("checkbox")
    expect(declined).to_have_count(2)
    for each in declined.all():
        each.check()
    page.locator("[data-act=load-shoe] button[type=submit]").click()
    next_is(page, "call-place-your-bets")
    page.keyboard.press("Enter")
    next_is(page, "call-no-more-bets")
    expect(
        page.locator("main").get_by_text(t("page.dealer.call-no-more-bets"), exact=True)
    ).to_be_visible()  # with the next act
    for patron, place, wager in table.bets:
        patron.give(table.name, "place-wager", place=place, wager=wager, amount="100.00")
    expect(page.get_by_role("region", name=t("page.dealer.pay-list-layout")).get_by_role("listitem")).to_have_count(2)
    page.locator("body").press("Space")
    next_is(page, "draw-card")
    expect(page.locator("main").get_by_text(t("page.dealer.call-no-more-bets", "zh-CN"))).to_have_count(0)  # it is said
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
    page.keyboard.press("Enter")
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


def test_a_card_that_the_shoe_cannot_give_is_asked_about(visitor: Come, floor: Floor) -> None:
    table = floor.opened("dragon-tiger", decks=4)
    for _ in range(2):
        table.round("KH", "KH")
    table.closed()
    page = at_console(visitor, table).page
    next_is(page, "draw-card")
    page.keyboard.type("kh")
    page.keyboard.press("Enter")
    alert = page.get_by_role("alert").filter(has_text=t("card-not-in-shoe", card="K♥"))
    expect(alert).to_contain_text(t("check-card-or-report"))
    assert not table.view()["round"]["cards"]
    alert.get_by_role("button", name=t("page.dealer.entry-drop", card="king of hearts")).last.click()
    lay(page, "KS")
    assert [each["face"] for each in table.view()["round"]["cards"]] == ["KS"]
    page.keyboard.type("kh")
    page.keyboard.press("Enter")
    alert.get_by_role("button", name=t("page.dealer.impossible-report")).click()  # it does lie there
    expect(page.get_by_role("dialog", name=t("irregularity.foreign-card"))).to_be_visible()


def test_a_slip_of_the_tongue_is_told_and_the_cards_are_announced(visitor: Come, floor: Floor) -> None:
    table = floor.opened("dragon-tiger")
    table.dealt("KH", "3C")
    page = at_console(visitor, table).page
    next_is(page, "announce-result")
    expect(page.locator("main").get_by_text("Dragon King, Tiger 3: Dragon wins", exact=True)).to_be_visible()
    expect(page.locator("[data-hand=dragon] p")).to_have_text("King")  # no total of 13
    page.get_by_role("button", name=t("page.dealer.result-entry-wins", hand="Tiger")).click()
    expect(page.get_by_role("region", name=t("page.parts.notes-notes"))).to_contain_text("Cards say: Dragon wins.")
    expect(page.get_by_role("region", name=t("page.dealer.happened-title"))).to_contain_text(
        t("page.dealer.log-slip", said="Tiger")
    )
    next_is(page, "announce-result")
    page.locator("body").press("Enter")
    next_is(page, "settle-round")
    page.keyboard.press("Enter")
    phase_is(page, t("phase.between-rounds"))


FOUR = ("5H", "9S", "AD", "KC")


@pytest.mark.parametrize("latency", [0, 400], ids=["at once", "slow line"])
def test_a_burst_of_keys_loses_no_card(visitor: Come, floor: Floor, latency: int) -> None:
    """Twelve keys in a tenth of a second, as a scanner sends them; and once more over a slow line."""
    table = floor.opened("immortal-dragon-tiger", method="B")
    table.closed()
    page = at_console(visitor, table).page
    next_is(page, "draw-card")
    if latency:
        slow = page.context.new_cdp_session(page)
        slow.send("Network.enable")
        conditions = {"offline": False, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1}
        slow.send("Network.emulateNetworkConditions", conditions)
    keys = [key for card in FOUR for key in (*card, "Enter")]
    page.evaluate(
        """keys => keys.forEach((key, place) => setTimeout(
            () => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true})), place * 8))""",
        keys,
    )
    next_is(page, "announce-result")  # a natural: totals and result in one breath
    assert [each["face"] for each in table.view()["round"]["cards"]] == [*FOUR]
    expect(page.locator("main").get_by_text("Player 6, Banker 9: Banker wins", exact=True)).to_be_visible()


def test_cards_typed_too_early_wait_and_can_be_taken_out(visitor: Come, floor: Floor) -> None:
    table = floor.opened("immortal-dragon-tiger", method="B")
    table.betting()
    page = at_console(visitor, table).page
    next_is(page, "call-no-more-bets")
    for card in ("5H", "9S"):
        page.keyboard.type(card.lower())
        page.keyboard.press("Enter")
    queue = page.get_by_role("region", name=t("page.dealer.entry-queue"))
    expect(queue).to_contain_text(t("page.dealer.entry-waits", n=2))
    queue.get_by_role("button", name=t("page.dealer.entry-remove", card="9 of spades")).click()
    expect(queue.get_by_role("button")).to_have_count(1)
    page.locator("body").press("Enter")  # is not taken for the call while a card waits
    expect(page.get_by_role("region", name=t("page.parts.notes-notes"))).to_contain_text("Enter was not taken")
    table.dealer("call-no-more-bets")
    expect(page.locator("[data-hand] svg")).to_have_count(1)
    assert [each["face"] for each in table.view()["round"]["cards"]] == ["5H"]


@pytest.mark.clause("IDT-6.3b")
def test_a_card_typed_wrongly_is_corrected_at_once_and_later_with_a_second_person(visitor: Come, floor: Floor) -> None:
    table = floor.opened("immortal-dragon-tiger", method="B")
    table.dealt("2D", "5D")
    page = at_console(visitor, table).page
    page.get_by_role("button", name=t("page.dealer.correct-which", card="5 of diamonds")).click()
    dialog = page.get_by_role("dialog", name=t("command.correct-card"))
    dialog.locator("[data-card='4D']").click()
    dialog.get_by_role("button", name=t("page.dealer.correct-to", before="5 of diamonds", card="4 of diamonds")).click()
    expect(dialog).to_have_count(0)
    assert [each["face"] for each in table.view()["round"]["cards"]] == ["2D", "4D"]
    page.get_by_role("button", name=t("page.dealer.correct-which", card="2 of diamonds")).click()
    expect(dialog).to_contain_text(t("page.dealer.correct-second"))
    dialog.locator("[data-card='3D']").click()
    dialog.locator("button.main").click()
    expect(dialog).to_have_count(0)
    assert [each["face"] for each in table.view()["round"]["cards"]] == ["2D", "4D"]  # until somebody confirms it
    floor.supervisor.give(table.name, "confirm-report", number=1)
    expect(page.get_by_role("button", name=t("page.dealer.correct-which", card="3 of diamonds"))).to_be_visible()


@pytest.mark.clause("IDT-3.10", "IDT-3.10.6", "IDT-3.10.7b")
def test_a_squeeze_of_real_cards_is_finished_at_the_console(visitor: Come, floor: Floor) -> None:
    """Method A with a real shoe: passed, squeezed, given back, opened and entered, third card and all."""
    table = floor.opened("immortal-dragon-tiger", method="A")
    table.dealt("", "", "", "")
    page = at_console(visitor, table).page
    next_is(page, "pass-hands")
    expect(page.locator("[data-act=pass-hands] button")).to_have_count(2)  # Player first, or Banker first
    page.keyboard.press("Enter")
    next_is(page, "reveal-hand")
    entry = page.get_by_role("region", name=t("page.dealer.draw-entry-title"))
    expect(entry).to_contain_text(t("page.dealer.draw-entry-held", who=t("page.dealer.seat", n=1)))
    ann = Visitor(floor.ann.context, floor.address)
    squeeze = ann.open(f"/table/{table.name}").get_by_role("dialog")
    expect(squeeze).to_contain_text(t("page.table.squeeze-real"))
    expect(squeeze.locator("[data-bent]")).to_have_count(0)
    squeeze.get_by_role("button", name=t("page.table.give-back")).click()
    expect(squeeze).to_have_count(0)
    for card in ("2D", "KC", "3C", "QC"):  # Player's, which ann gave back, then Banker's, which bob throws over
        page.keyboard.type(card.lower())
        page.keyboard.press("Enter")
    next_is(page, "announce-totals")
    expect(page.locator("main").get_by_text("Player 2, Banker 3", exact=True)).to_be_visible()
    page.locator("body").press("Enter")
    for card, after in (("5H", "draw-card"), ("4S", "announce-result")):
        next_is(page, "draw-card")
        page.locator("body").press("Enter")
        next_is(page, "reveal-hand")
        page.keyboard.type(card.lower())
        page.keyboard.press("Enter")
        next_is(page, after)
    totals = page.locator("[data-hand] p")
    expect(totals.first).to_contain_text(t("page.dealer.hands-total", n=7))
    expect(totals.last).to_contain_text(t("page.dealer.hands-total", n=7))  # of the cards that lie there
    page.locator("body").press("Enter")
    next_is(page, "settle-round")
    assert table.view()["round"]["winner"] == "tie"


@pytest.mark.clause("IDT-3.10.7b")
def test_cards_are_entered_to_their_hands_although_the_screen_is_late(visitor: Come, floor: Floor) -> None:
    """The console knows from the house's answer what comes next, and not from the screen, which may be behind it."""
    table = floor.opened("immortal-dragon-tiger", method="A")
    table.dealt("", "", "", "")
    page = at_console(visitor, table, late=True).page
    next_is(page, "pass-hands")
    page.keyboard.press("Enter")
    next_is(page, "reveal-hand")
    for card in ("2D", "KC", "3C", "QC"):
        page.keyboard.type(card.lower())
        page.keyboard.press("Enter")
    next_is(page, "announce-totals")
    page.locator("body").press("Enter")
    for card, after in (("5H", "draw-card"), ("4S", "announce-result")):
        next_is(page, "draw-card")
        page.locator("body").press("Enter")
        next_is(page, "reveal-hand")
        page.keyboard.type(card.lower())
        page.keyboard.press("Enter")
        next_is(page, after)
    page.locator("body").press("Enter")
    next_is(page, "settle-round")
    assert [each["face"] for each in table.view()["round"]["cards"]] == ["2D", "3C", "KC", "QC", "5H", "4S"]
    assert table.view()["round"]["winner"] == "tie"


def test_a_round_without_a_wager_is_asked_about(visitor: Come, floor: Floor) -> None:
    table = floor.opened("immortal-dragon-tiger", method="B").between()
    page = at_console(visitor, table).page
    next_is(page, "call-place-your-bets")
    page.keyboard.press("Enter")
    empty = page.get_by_role("region", name=t("page.dealer.empty-round"))
    expect(empty).to_be_visible()
    page.locator("body").press("Enter")  # deals nothing for nobody
    next_is(page, "call-no-more-bets")
    empty.get_by_role("button", name=t("command.abandon-round")).click()
    next_is(page, "call-place-your-bets")
    assert table.view()["round"] is None


def test_what_happened_is_told_with_who_what_and_how_much(visitor: Come, floor: Floor) -> None:
    table = floor.opened("immortal-dragon-tiger", method="B")
    page = at_console(visitor, table).page
    table.dealt("7H")
    log = page.get_by_role("region", name=t("page.dealer.happened-title"))
    expect(log).to_contain_text("Seat 1 bet 50 on Player")
    expect(log).to_contain_text("7♥ to Player")


SIZES = [{"width": 1440, "height": 900}, {"width": 1024, "height": 768}, {"width": 768, "height": 1024}]


@pytest.mark.parametrize("size", SIZES, ids=["desktop", "tablet", "portrait"])
def test_pay_list_and_entry_are_in_sight_on_each_screen(visitor: Come, floor: Floor, size: ViewportSize) -> None:
    table = floor.opened("immortal-dragon-tiger", method="B")
    table.dealt("2D", "3C")
    page = at_console(visitor, table, size=size).page
    grid = page.get_by_role("group", name=t("page.dealer.draw-entry-grid"))
    expect(grid).to_be_in_viewport(ratio=1)
    next_card = page.locator(".due").bounding_box()
    hand = page.locator("[data-hand]").first.bounding_box()
    assert next_card is not None
    assert hand is not None
    assert next_card["x"] + next_card["width"] <= hand["x"] + hand["width"]
    for card in ("KC", "QC"):
        table.dealer("draw-card", card=card)
    table.dealer("announce-totals")
    for card in ("5H", "4S"):
        table.dealer("draw-card", card=card)
    table.dealer("announce-result")
    next_is(page, "settle-round")
    due = page.get_by_role("region", name=t("page.dealer.pay-list-due"))
    expect(due).to_be_in_viewport(ratio=1)
    expect(page.locator("[data-act=settle-round] button")).to_be_in_viewport(ratio=1)


def test_an_electronic_shoe_is_asked_for_and_each_card_is_one_act(visitor: Come, floor: Floor) -> None:
    table = floor.opened("dragon-tiger", device="virtual")
    page = at_console(visitor, table).page
    page.get_by_role("button", name=t("command.new-shoe")).click()
    next_is(page, "call-place-your-bets")
    page.keyboard.press("Enter")
    next_is(page, "call-no-more-bets")
    page.locator("[data-act=call-no-more-bets] button").click()  # nobody has bet: a key is not enough
    next_is(page, "draw-card")
    expect(page.locator("[data-card]")).to_have_count(0)
    for count in (1, 2):
        page.locator("[data-act=draw-card] button").click()
        expect(page.locator("[data-hand] svg")).to_have_count(count)
    next_is(page, "announce-result")


def test_the_deal_of_an_automatic_table_is_taken_and_given_back(visitor: Come, floor: Floor) -> None:
    table = floor.opened("dragon-tiger", device="virtual", dealer="automatic")
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
    for button, inside in (
        (others, "[data-command=verify-cards]"),
        (call, "form"),
        (wrong, "[data-kind=power-failure]"),
    ):
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
        unfold(page)
        page.locator(f"[data-kind={kind}]").click()
        expect(page.locator(f"dialog [data-field={field}]")).to_be_visible()
        dealer.check_access()
        page.locator("dialog button.back").click()


@pytest.mark.clause("D21-5.3b")
def test_a_stack_in_the_wrong_order_is_asked_to_be_stacked_anew(visitor: Come, floor: Floor) -> None:
    table = floor.opened("dragon-21", method="A").between()
    table.dealer("call-place-your-bets")
    page = at_console(visitor, table).page
    asked = page.get_by_role("region", name=t("page.dealer.restack-title"))
    wager: dict[str, Any] = {"place": 1, "wager": "dragon"}
    floor.ann.give(table.name, "place-wager", **wager, amount="105.00", chips=["5.00", "100.00"])
    expect(asked).to_contain_text(
        t("page.dealer.restack-which", who=t("page.dealer.seat", n=1), place=1, wager="Dragon")
    )
    expect(asked).to_contain_text("D21-5.3b")
    page.reload()
    expect(asked).to_be_visible()
    floor.ann.give(table.name, "take-wager-back", **wager)
    floor.ann.give(table.name, "place-wager", **wager, amount="105.00", chips=["100.00", "5.00"])
    expect(asked).to_have_count(0)


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
