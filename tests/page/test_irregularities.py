"""Every irregularity of every game file, walked through at the dealer's console by people with the positions it needs."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect
from playwright.sync_api import TimeoutError as NotInTime

from longhu.games import registry
from tests.page.browser import DESKTOP, Visitor
from tests.page.croupier import Floor, Table
from tests.page.forms import fill
from tests.page.houses import PASSWORD, DemoHouse
from tests.page.walks import BETTING, REFUSED, VOID, WALKS, Step, Walk
from tests.page.words import t

KINDS = [
    (game.id, kind) for path in registry.all_games().values() for game in [registry.load_game(path)] for kind in game.irregularities
]  # fmt: skip

UNFOLDS_MS = 2_000


class Pit:
    """One dealer's browser, and a table of each sort that is used again by the next test."""

    def __init__(self, browser: Browser, house: DemoHouse) -> None:
        self.floor = Floor(browser, house)
        self._tables: dict[tuple[str, ...], Table] = {}
        context = browser.new_context(viewport=DESKTOP, locale="en-GB")
        context.set_default_timeout(20_000)
        self.visitor = Visitor(context, house.address)
        self.visitor.sign_in("dealer", PASSWORD)

    def table(self, game: str, walk: Walk) -> Table:
        sort = (game, walk.method, walk.device, walk.chips, walk.buy_in)
        if sort not in self._tables:
            self._tables[sort] = self.floor.opened(
                game, method=walk.method, device=walk.device, chips=walk.chips, buy_in=walk.buy_in
            )
        return self._tables[sort]

    def close(self) -> None:
        self.visitor.context.close()
        self.floor.close()


@pytest.fixture(scope="module")
def pit(browser: Browser, house: DemoHouse) -> Iterator[Pit]:
    pit = Pit(browser, house)
    yield pit
    complaints = pit.visitor.complaints
    pit.close()
    assert not complaints, complaints


@pytest.mark.parametrize(("game", "kind"), KINDS, ids=[f"{game}-{kind}" for game, kind in KINDS])
def test_an_irregularity_is_walked_through(pit: Pit, game: str, kind: str) -> None:
    walk = WALKS[game][kind]
    table = pit.table(game, walk)
    walk.moment(table)
    page = pit.visitor.page
    if not page.url.endswith(f"/dealer/{table.name}"):
        pit.visitor.open(f"/dealer/{table.name}")
    page.get_by_role("button", name=t("page.dealer.something-wrong")).click()
    chosen(page, kind, folded=walk.ends == REFUSED)
    dialog = page.get_by_role("dialog")
    for clause in table.rules["irregularities"][kind]["clauses"]:
        expect(dialog).to_contain_text(clause["requirement"])
    fill(dialog, table, walk.told(table))
    look(dialog)
    if walk.ends == REFUSED:
        expect(dialog.get_by_role("status")).to_contain_text(t("house-does-this"))
        dialog.get_by_role("button", name="Close").click()
        return
    expect(dialog.get_by_role("status")).to_contain_text(t("page.dealer.consequences-follows"))
    if walk.second:
        expect(dialog.get_by_role("status")).to_contain_text(t("event.confirmation-awaited"))
        assert dialog.get_by_role("status").get_by_role("listitem").count() > 1, "nothing is said of what follows then"
    dialog.get_by_role("button", name=t("page.dealer.command-form-report"), exact=True).click()
    expect(dialog).to_have_count(0)
    seconded(page, table, walk.second)
    for step in walk.steps:
        if isinstance(step, Step):
            walked(page, table, step)
        else:
            step(table)
    ended(page, walk.ends)


def test_what_is_chosen_too_early_becomes_what_can_be_reported(pit: Pit) -> None:
    """A quick dealer chooses before the page has heard what is possible now: the form must not stay that of a moment ago."""
    table = pit.floor.opened("immortal-dragon-tiger", method="A", device="virtual")
    page, held, holds = pit.visitor.open(f"/dealer/{table.name}"), list[Route](), True
    expect(page.get_by_role("button", name=t("page.dealer.something-wrong"))).to_be_enabled()

    def later(route: Route) -> None:
        if holds:
            held.append(route)
        else:
            route.continue_()

    page.route("**/acts", later)
    table.passed()
    page.get_by_role("button", name=t("page.dealer.something-wrong")).click()
    chosen(page, "wrong-squeezer", folded=True)
    expect(page.get_by_role("dialog")).to_contain_text(
        f"{t('page.dealer.report-happened')}: {t('command.retrieve-hand')}"
    )
    holds = False
    for each in held:
        each.continue_()
    expect(page.get_by_role("dialog")).to_contain_text(
        f"{t('page.dealer.report-happened')}: {t('command.report-mispassed-hand')}"
    )
    fill(page.get_by_role("dialog"), table, {"hand": table.hands[0], "to": table.floor.bob.name})
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    page.unroute("**/acts")


def unfolded(form: Locator, title: str) -> None:
    """What is the dealer's to do unfolds by itself, a moment after it came; anything else with a click."""
    try:
        form.get_by_role("button").first.wait_for(timeout=UNFOLDS_MS)
    except NotInTime:
        form.get_by_role("heading", name=title, exact=True).click()


def walked(page: Page, table: Table, step: Step) -> None:
    """One step of a procedure that goes on: filled in, signed where somebody was called, and sent."""
    values = step.told(table)
    if step.command == "answer-withdrawal-offer":
        answered(page, step, values["answer"])
        return
    title = t(f"command.{step.command}")
    form = page.get_by_role("group").filter(has=page.get_by_role("heading", name=title, exact=True))
    expect(form).to_be_visible()
    unfolded(form, title)
    if step.signed:
        signed(form, step.signed)
    fill(form, table, values)
    if step.command in ("make-ruling", "judge-irregularity"):
        look(form)
        expect(form.get_by_role("status")).to_contain_text(t("page.dealer.consequences-follows"))
    act = t("page.dealer.command-form-sign") if step.signed else title
    form.get_by_role("button", name=act, exact=True).click()
    if step.second:
        seconded(page, table, step.second)
    if not step.again:
        expect(form).to_have_count(0)


def answered(page: Page, step: Step, places: list[int]) -> None:
    """What each patron says to an offer to withdraw."""
    if step.signed:
        signed(page.get_by_role("article").filter(has_text=t("page.dealer.offer-answers-ask")), step.signed)
    for place in places:
        stays = t("page.dealer.offer-answers-stays", who=t("page.dealer.seat", n=place))
        page.get_by_role("button", name=stays).click()
        expect(page.get_by_role("button", name=stays)).to_have_count(0)


def signed(form: Locator, person: str) -> None:
    form.get_by_label(t("page.dealer.signing-name")).fill(person)
    form.get_by_label(t("page.dealer.signing-password")).fill(PASSWORD)


def seconded(page: Page, table: Table, second: str) -> None:
    """Nothing follows until a second person has signed beside the dealer; where nobody else is needed, nothing waits."""
    waiting = page.get_by_role("region", name=t("page.dealer.second-person-waits", command="").strip())
    if not second:
        assert table.awaited() is None
        expect(waiting).to_have_count(0)
        return
    signed(waiting, second)
    waiting.get_by_role("button", name=t("page.dealer.second-person-here"), exact=True).click()
    expect(waiting).to_have_count(0)
    assert table.awaited() is None


def chosen(page: Page, kind: str, *, folded: bool = False) -> None:
    """Choose in the menu of irregularities; what cannot happen now is folded away there."""
    menu = page.get_by_role("dialog")
    title = t(f"irregularity.{kind}")
    if folded:
        menu.get_by_text(re.compile("that cannot happen now$")).click()
    menu.get_by_role("button").filter(has=page.get_by_text(re.compile(rf"^(\d )?{re.escape(title)}$"))).click()


def look(form: Locator) -> None:
    """What would follow is shown first."""
    form.get_by_role("button", name=t("page.dealer.command-form-check"), exact=True).click()


def ended(page: Page, how: str) -> None:
    """The round is void, betting is open again, or the deal goes on and nothing waits."""
    expect(page.get_by_role("region", name=t("page.dealer.waiting-title"))).to_have_count(0)
    phase = page.locator("main header p").first
    if how == VOID:
        expect(phase).to_have_text(t("phase.between-rounds"))
    elif how == BETTING:
        expect(phase).to_contain_text(t("phase.place-your-bets"))
    else:
        expect(phase).not_to_have_text(t("phase.between-rounds"))
