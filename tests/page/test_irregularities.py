"""Every irregularity of every game file, walked through at the dealer's console by people with the positions it needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from longhu.games import registry
from tests.page.browser import DESKTOP, Visitor
from tests.page.croupier import Floor, Table
from tests.page.houses import PASSWORD, DemoHouse
from tests.page.walks import BETTING, REFUSED, VOID, WALKS, Step, Walk
from tests.page.words import t

KINDS = [
    (game.id, kind) for path in registry.all_games().values() for game in [registry.load_game(path)] for kind in game.irregularities
]  # fmt: skip


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
    told(dialog, walk.told(table))
    submit(dialog)
    if walk.ends == REFUSED:
        expect(dialog.get_by_role("status")).to_contain_text(t("house-does-this"))
        dialog.get_by_role("button", name="Close").click()
        return
    expect(dialog.get_by_role("status")).to_contain_text(t("page.dealer.consequences-follows"))
    if walk.second:
        expect(dialog.get_by_role("status")).to_contain_text(t("event.confirmation-awaited"))
        assert dialog.get_by_role("status").get_by_role("listitem").count() > 1, "nothing is said of what follows then"
    submit(dialog)
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
    told(page.get_by_role("dialog"), {"hand": table.hands[0], "to": table.floor.bob.name})
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    page.unroute("**/acts")


def walked(page: Page, table: Table, step: Step) -> None:
    """One step of a procedure that goes on: filled in, signed where somebody was called, and sent."""
    form, values = page.locator(f"[data-step={step.command}]"), step.told(table)
    if step.signed:
        form.get_by_label(t("page.dealer.signing-name")).fill(step.signed)
        form.get_by_label(t("page.dealer.signing-password")).fill(PASSWORD)
    for place in values.pop("answer", ()):
        stays = form.get_by_role(
            "button", name=t("page.dealer.offer-answers-stays", who=t("page.dealer.seat", n=place))
        )
        stays.click()
        expect(stays).to_have_count(0)
    if step.command == "answer-withdrawal-offer":
        return
    told(form, values)
    submit(form)
    if step.command in ("make-ruling", "judge-irregularity"):
        expect(form.get_by_role("status")).to_contain_text(t("page.dealer.consequences-follows"))
        submit(form)
    if step.second:
        seconded(page, table, step.second)
    if not step.again:
        expect(form).to_have_count(0)


def seconded(page: Page, table: Table, second: str) -> None:
    """Nothing follows until a second person has signed beside the dealer; where nobody else is needed, nothing waits."""
    waiting = page.get_by_role("region", name=t("page.dealer.second-person-waits", command="").strip())
    if not second:
        assert table.awaited() is None
        expect(waiting).to_have_count(0)
        return
    waiting.get_by_label(t("page.dealer.signing-name")).fill(second)
    waiting.get_by_label(t("page.dealer.signing-password")).fill(PASSWORD)
    waiting.get_by_role("button", name=t("page.dealer.second-person-here"), exact=True).click()
    expect(waiting).to_have_count(0)
    assert table.awaited() is None


def chosen(page: Page, kind: str, *, folded: bool = False) -> None:
    """Choose in the menu of irregularities; what cannot happen now is folded away there."""
    if folded:
        page.locator("dialog details summary").click()
    page.locator(f"[data-kind={kind}]").click()


def submit(form: Locator) -> None:
    form.locator("button[type=submit]").click()


def told(form: Locator, values: dict[str, Any]) -> None:
    """Fill in a form, field by field, as a person would: with a tap, a choice or the keys."""
    for name, value in values.items():
        field = form.locator(f"[data-field={name}]")
        expect(field).to_be_visible()
        FILLED.get(name, _chosen)(field, value)


def _faces(field: Locator, value: str | list[str]) -> None:
    first, *others = [value] if isinstance(value, str) else value
    field.locator(f"[data-card='{first}']").click()
    for face in others:
        field.locator("input").press_sequentially(face.lower())


def _counts(field: Locator, value: dict[str, int]) -> None:
    for face, count in value.items():
        field.locator(f"[data-count='{face}']").fill(str(count))


def _order(field: Locator, value: list[int]) -> None:
    for place in value:
        field.get_by_role("button").nth(place).click()


def _chosen(field: Locator, value: Any) -> None:
    if isinstance(value, list):
        for each in value:
            field.locator(f"input[value='{each}']").check()
    elif value is True:
        field.locator("input").check()
    elif field.locator("select").count():
        field.locator("select").select_option(value)
    elif field.locator("input[type=radio]").count():
        field.locator(f"input[value='{value}']").check()
    else:
        field.locator("input").fill(value)


FILLED: dict[str, Callable[[Locator, Any], None]] = {
    "card": _faces,
    "cards": _faces,
    "counts": _counts,
    "order": _order,
}


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
