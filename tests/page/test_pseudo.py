"""A made-up language, in which every text of the catalogue stands in brackets: what the page shows outside of them is in no catalogue."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.page.browser import Visitor
from tests.page.houses import PASSWORD
from tests.page.patrons import seated
from tests.page.words import t

Come = Callable[..., Visitor]
PSEUDO = "localStorage.setItem('longhu.language', 'en-XA');"
# What the page shows and says to those who listen: texts, and attributes in their place. Names of games, wagers and hands come from
# the game files, names of tables and people from the house; those are told by the API and are taken out.
LOOSE = """() => {
  const found = [];
  const hidden = (node) => !node.checkVisibility({ visibilityProperty: true }) && !node.closest('.unseen');
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const skipped = 'script, style, code, pre, kbd, input, textarea, svg, select[aria-label], [data-person], .clause';
  while (walker.nextNode()) {
    const holder = walker.currentNode.parentElement;
    if (!holder || holder.closest(skipped) || (holder.tagName !== 'OPTION' && hidden(holder))) continue;
    found.push(walker.currentNode.data);
  }
  for (const node of document.querySelectorAll('[aria-label], [title], [placeholder], [alt]'))
    for (const name of ['aria-label', 'title', 'placeholder', 'alt']) if (node.getAttribute(name)) found.push(node.getAttribute(name));
  return found.map((text) => text.trim()).filter(Boolean);
}"""
PATRON = [
    "/",
    "/history",
    "/history/dragon-tiger",
    "/account",
    "/fairness",
    "/fairness/dragon-tiger",
    "/lab",
    "/nowhere",
]
PEOPLE = r"\b(robot|guest|auto)-\w+|^[A-Z]\w+, [a-z -]+$|^(dealer|supervisor|Guest|pit-manager|shift-manager|manager|auditor|operator|cage|cashier|surveillance|house)$"
OTHERS = (  # clauses, digests, accounts, letters of keys, browsers and units
    r"\b[A-Z0-9]+-[A-Z0-9.]+[a-z]?\b|\b[0-9a-f]{6,}\b|\b(world|patron|layout|float|drop|unpaid|outside|person):\S*|\b[ZCDRPBT]\b|\bChrome \d+|\b(ms|s|h)\b"
)


def names(visitor: Visitor) -> set[str]:
    """Names that game files and the house give: they are no texts of the page."""
    found = {"Longhu", "龍虎", "龍", "虎", "English", "简体中文", "繁體中文"}
    for game in visitor.context.request.get(f"{visitor.address}/api/games").json():
        rules = visitor.context.request.get(f"{visitor.address}/api/games/{game['id']}").json()["rules"]
        found |= words(rules)
    if (me := visitor.context.request.get(f"{visitor.address}/api/me")).ok:
        found |= {me.json()["name"], me.json()["person"]}
    for table in visitor.context.request.get(f"{visitor.address}/api/tables").json():
        found.add(table["table"])
    return found


def words(told: object) -> set[str]:
    """Every name within the rules of a game: {"en": …, "zh-Hans": …}, its ids and its document."""
    if isinstance(told, dict):
        own = {
            str(told[key])
            for key in ("en", "zh-Hans", "zh-Hant", "id", "document", "sign", "authority", "version")
            if told.get(key)
        }
        return own.union(told, *(words(each) for each in told.values()))
    return set[str]().union(*(words(each) for each in told)) if isinstance(told, list) else set()


def loose(page: Page, known: set[str]) -> list[str]:
    """What stands outside of brackets, apart from names, ids, times and figures."""
    found = []
    longest = sorted(known, key=len, reverse=True)
    for text in page.evaluate(LOOSE):
        bare = re.sub("“[^”]*”", " ", text)  # what somebody typed
        while bare != (inner := re.sub(r"⟦[^⟦⟧]*⟧", " ", bare)):
            bare = inner
        bare = re.sub(PEOPLE, " ", bare.strip())
        for name in (each for each in longest if len(each) > 3):  # before what is looked for within them
            bare = bare.replace(name, " ")
        bare = re.sub(OTHERS, " ", bare)
        for name in longest:
            bare = bare.replace(name, " ")
        if re.search(r"[^\W\d_]{2}", bare):
            found.append(text)
    return sorted(set(found))


def settled(page: Page) -> None:
    expect(page.get_by_role("heading").first).to_be_visible()
    if "/dealer/" not in page.url:  # which has a socket
        page.wait_for_load_state("networkidle")


class Walk:
    """Somebody who goes through the house in the made-up language, and what they met that is in no catalogue."""

    def __init__(self, someone: Visitor) -> None:
        self.someone, self.known = someone, names(someone)
        self.wrong: dict[str, list[str]] = {}

    def looks(self, page: Page, where: str) -> None:
        """What is to be seen, with everything unfolded that can be."""
        page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        assert page.evaluate(LOOSE), where
        if found := loose(page, self.known):
            self.wrong[where] = found

    def goes(self, path: str) -> Page:
        page = self.someone.open(path)
        settled(page)
        self.looks(page, path)
        return page

    def tabs(self, page: Page, where: str) -> None:
        for place in range(page.get_by_role("tab").count()):
            tab = page.get_by_role("tab").nth(place)
            tab.click()
            self.looks(page, f"{where} {tab.inner_text()}")

    def windows(self, page: Page, where: str, *codes: str) -> None:
        """Each window that a button of this name opens, and the forms that a menu in it leads to."""
        for code in codes:
            page.get_by_role("button", name=re.compile(re.escape(t(code)))).first.click()
            window = page.locator("dialog[open]")
            expect(window).to_be_visible()
            self.looks(page, f"{where} {code}")
            items = window.locator("[data-command], [data-kind]:not(.closed)")
            for place in range(items.count()):
                items.nth(place).click()
                self.looks(page, f"{where} {code} {place}")
                window.get_by_role("button", name=re.compile("^←")).click()
            page.keyboard.press("Escape")
            expect(window).to_have_count(0)


@pytest.fixture
def walk(visitor: Come) -> Iterator[Callable[..., Walk]]:
    """Somebody in the made-up language: a guest, or a member of staff; in the end nothing was met that is in no catalogue."""
    walks: list[Walk] = []

    def of(person: str = "") -> Walk:
        someone = visitor()
        someone.context.add_init_script(PSEUDO)
        if person:
            someone.sign_in(person, PASSWORD)
        else:
            someone.come_as_guest()
        walks.append(Walk(someone))
        return walks[-1]

    yield of
    assert {where: texts for each in walks for where, texts in each.wrong.items()} == {}


def test_a_patron_meets_nothing_that_is_not_in_the_catalogue(walk: Callable[..., Walk]) -> None:
    guest = walk()
    for path in PATRON:
        guest.goes(path)
    page = guest.goes("/history/dragon-tiger")
    page.locator("main ul a").first.click()
    expect(page.get_by_role("slider")).to_be_visible()
    guest.looks(page, "a replay")
    page = guest.goes("/account")
    guest.windows(page, "/account", "page.account.close", "page.account.cool-off", "page.account.exclude")
    page = guest.goes("/lab/dragon-tiger")
    expect(page.get_by_role("tab").first).to_be_visible(timeout=60_000)
    guest.tabs(page, "/lab")


def test_a_dealer_meets_nothing_that_is_not_in_the_catalogue(walk: Callable[..., Walk]) -> None:
    dealer = walk("dealer")
    dealer.goes("/dealer")
    page = dealer.goes("/dealer/dragon-tiger")
    codes = ("page.dealer.others", "page.dealer.something-wrong", "page.dealer.call-the-pit")
    dealer.windows(page, "/dealer", *codes)


def test_the_pit_meets_nothing_that_is_not_in_the_catalogue(walk: Callable[..., Walk]) -> None:
    manager = walk("pit-manager")
    manager.goes("/pit/people")
    manager.windows(manager.goes("/pit"), "/pit", "page.pit.open")
    page = manager.goes("/pit/dragon-tiger")
    acts = (
        "page.pit.settings-panel-change",
        "page.pit.tray-fill",
        "page.pit.tray-credit",
        "page.pit.suspension-act-suspend",
    )
    manager.windows(page, "/pit/dragon-tiger", *acts, "page.pit.close")


def test_an_auditor_meets_nothing_that_is_not_in_the_catalogue(walk: Callable[..., Walk]) -> None:
    auditor = walk("auditor")
    for path in ("/audit/account", "/audit/checks", "/audit/exports"):
        auditor.goes(path)
    page = auditor.goes("/audit")
    record = page.locator("main a[href*='/audit/']:has-text('#')").first
    expect(record).to_be_visible()
    record.click()
    settled(page)
    auditor.looks(page, "a record")


def test_a_table_shows_nothing_that_is_not_in_the_catalogue(visitor: Come) -> None:
    someone = visitor()
    someone.context.add_init_script(PSEUDO)
    known = names(someone)
    with seated(someone, "dragon-tiger") as page:
        expect(page.locator("[data-wager]").first).to_be_visible()
        wrong = {"felt": loose(page, known)}
        for place in range(page.get_by_role("tab").count()):
            tab = page.get_by_role("tab").nth(place)
            tab.click()
            wrong[tab.inner_text()] = loose(page, known)
    assert {path: texts for path, texts in wrong.items() if texts} == {}
