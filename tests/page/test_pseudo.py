"""A made-up language, in which every text of the catalogue stands in brackets: what the page shows outside of them is in no catalogue."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.page.browser import Visitor
from tests.page.houses import PASSWORD
from tests.page.patrons import seated

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
PEOPLE = r"\b(robot|guest|auto)-\w+|^[A-Z]\w+, [a-z -]+$|^(dealer|supervisor|Guest|pit-manager|shift-manager|manager|auditor|operator|cage|house)$"
OTHERS = (  # clauses, digests, accounts, letters of keys, browsers and units
    r"\b[A-Z0-9]+-[A-Z0-9.]+[a-z]?\b|\b[0-9a-f]{6,}\b|\b(world|patron|layout|float|drop|unpaid|outside|person):\S*|\b[ZCDRPBT]\b|\bChrome \d+|\b(ms|s|h)\b"
)
STAFF = {
    "dealer": ["/dealer", "/dealer/dragon-tiger"],
    "pit-manager": ["/pit", "/pit/dragon-tiger", "/pit/people"],
    "auditor": ["/audit", "/audit/account", "/audit/checks", "/audit/exports"],
}


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
            for key in ("en", "zh-Hans", "zh-Hant", "id", "document", "sign", "authority")
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
        bare = re.sub(f"{PEOPLE}|{OTHERS}", " ", bare.strip())
        for name in longest:
            bare = bare.replace(name, " ")
        if re.search(r"[^\W\d_]{2}", bare):
            found.append(text)
    return sorted(set(found))


def settled(page: Page) -> None:
    expect(page.get_by_role("heading").first).to_be_visible()
    if "/dealer/" not in page.url:  # which has a socket
        page.wait_for_load_state("networkidle")


def test_a_patron_meets_nothing_that_is_not_in_the_catalogue(visitor: Come) -> None:
    someone = visitor()
    someone.context.add_init_script(PSEUDO)
    someone.come_as_guest()
    known = names(someone)
    wrong = {}
    for path in PATRON:
        page = someone.open(path)
        settled(page)
        assert page.evaluate(LOOSE), path
        wrong[path] = loose(page, known)
    assert {path: texts for path, texts in wrong.items() if texts} == {}


@pytest.mark.parametrize("person", STAFF)
def test_staff_meet_nothing_that_is_not_in_the_catalogue(visitor: Come, person: str) -> None:
    someone = visitor()
    someone.context.add_init_script(PSEUDO)
    someone.sign_in(person, PASSWORD)
    known = names(someone)
    wrong = {}
    for path in STAFF[person]:
        page = someone.open(path)
        settled(page)
        wrong[path] = loose(page, known)
    assert {path: texts for path, texts in wrong.items() if texts} == {}


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
