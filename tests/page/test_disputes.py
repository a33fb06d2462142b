"""Disputes at the pages: a ruling on a single wager, and a file that a patron opens about a round."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.page.croupier import Floor
from tests.page.houses import PASSWORD, DemoHouse
from tests.page.test_acts_of_two import Come, at, chips, look_and_do, report, sign_here, waiting
from tests.page.words import t


@pytest.fixture(scope="module")
def floor(browser: Browser, house: DemoHouse) -> Iterator[Floor]:
    floor = Floor(browser, house)
    yield floor
    floor.close()


@pytest.mark.clause("IDT-6.1", "SEC-1")
def test_a_ruling_in_the_pit_returns_one_wager_and_lets_the_other_stand(visitor: Come, floor: Floor) -> None:
    table = floor.opened("immortal-dragon-tiger", method="B").dealt("2D", "KC", "3D", "6C")
    floor.dealer.give(table.name, "report-incident", told="a sleeve has moved chips")
    before = table.view()["round"]["stakes"]
    pit = at(visitor, "shift-manager", f"/pit/{table.name}")
    pit.get_by_role("button", name=t("command.make-ruling")).first.click()
    ruling = pit.get_by_role("dialog", name=t("command.make-ruling"))
    named = ruling.get_by_role("group", name=t("field.returns"))
    expect(named).to_have_count(0)  # of a decision that is not taken yet nothing is asked
    ruling.get_by_label(t("choice.continue"), exact=True).check()
    named.get_by_role("checkbox").first.check()
    ruling.get_by_label(t("field.reason"), exact=True).fill("a sleeve moved it")
    look_and_do(ruling, t("command.make-ruling"))
    panel = waiting(pit, "make-ruling")
    assert len(table.view()["round"]["stakes"]) == len(before)
    sign_here(panel, "dealer")
    assert len(table.view()["round"]["stakes"]) == len(before) - 1


@pytest.mark.clause("DBO-MALF-1", "SEC-1")
def test_the_dealer_reports_that_an_earlier_game_was_hit_by_a_malfunction(visitor: Come, floor: Floor) -> None:
    table = floor.opened("dragon-bonus-online")
    ann = table.bets[0][0]
    for _ in range(2):
        table.betting()
        for patron, _, _ in table.bets:
            patron.give(table.name, "confirm-deal")
        for face in ("9S", "2H", "KD", "5C"):
            table.dealer("draw-card", card=face)
        table.dealer("announce-result")
        table.dealer("settle-round")
    before = chips(table, ann.name)
    page = at(visitor, "dealer", f"/dealer/{table.name}")
    dialog = report(page, "malfunction")
    dialog.get_by_label(t("field.number"), exact=True).fill("1")
    look_and_do(dialog, t("page.dealer.command-form-report"))
    panel = waiting(page, "report-malfunction")
    assert chips(table, ann.name) == before
    sign_here(panel, "supervisor")
    assert chips(table, ann.name) == before - 50
    rounds = floor.supervisor.ask("GET", f"tables/{table.name}/rounds")["rounds"]
    assert {each["number"]: each["void"] for each in rounds} == {1: True, 2: False}
    recalled = floor.supervisor.ask("GET", f"tables/{table.name}/rounds/1")
    assert (recalled["void"], len(recalled["cards"])) == (True, 4)


@pytest.mark.clause("IDT-6.1", "SEC-1")
def test_a_patron_disputes_a_round_of_the_history_and_two_correct_it_as_it_is_ruled(
    visitor: Come, floor: Floor
) -> None:
    table = floor.opened("immortal-dragon-tiger", method="B").dealt("2D", "KC", "3D", "6C")
    for command, told in (
        ("announce-totals", {}),
        ("draw-card", {"card": "KH"}),
        ("announce-result", {}),
        ("settle-round", {}),
    ):
        table.dealer(command, **told)
    ann = table.bets[0][0]
    before = chips(table, ann.name)
    page = visitor(storage_state=ann.context.storage_state()).open(f"/history/{table.name}/1")
    page.get_by_role("button", name=t("command.raise-dispute")).click()
    page.get_by_label(t("choice.wager"), exact=True).check()
    page.get_by_label(t("page.disputes.told"), exact=True).fill("my chips lay on Banker")
    page.get_by_role("button", name=t("command.raise-dispute")).click()
    own = page.get_by_role("article", name=t("page.disputes.number", n=1))
    expect(own).to_contain_text(t("page.disputes.open"))
    expect(own.get_by_role("list", name=t("page.disputes.statements"))).to_contain_text("my chips lay on Banker")

    desk = at(visitor, "dealer", "/disputes")
    desk.get_by_role("link", name=t("page.disputes.at", n=1, table=table.name, round=1)).click()
    file = desk.get_by_role("article", name=t("page.disputes.number", n=1))
    file.get_by_label(t("command.add-statement")).fill("they lay on the line")
    file.get_by_role("button", name=t("page.disputes.add"), exact=True).click()
    expect(file.get_by_role("list", name=t("page.disputes.statements"))).to_contain_text("they lay on the line")
    expect(file.get_by_role("button", name=t("page.disputes.rule"), exact=True)).to_have_count(0)  # not a dealer's

    pit = at(visitor, "shift-manager", f"/history/{table.name}/1")
    ruled = pit.get_by_role("article", name=t("page.disputes.number", n=1))
    ruled.get_by_label(t("choice.correct"), exact=True).check()
    ruled.get_by_label(t("field.reason"), exact=True).fill("seen on camera")
    ruled.get_by_role("button", name=t("page.disputes.rule"), exact=True).click()
    expect(ruled.get_by_role("region", name=t("page.disputes.ruling"))).to_contain_text("seen on camera")
    assert chips(table, ann.name) == before
    ruled.get_by_role("button", name=t("command.correct-payment")).click()
    form = ruled.get_by_role("form", name=t("command.correct-payment"))
    form.get_by_role("combobox", name=t("field.wager")).select_option("Player")
    form.get_by_label(t("choice.too-little"), exact=True).check()
    expect(form.get_by_label(t("field.patron"), exact=True)).to_have_value(ann.name)
    form.get_by_label(t("field.amount"), exact=True).fill("50.00")
    form.get_by_label(t("field.reason"), exact=True).fill("the stake goes back")
    form.get_by_label(t("page.pit.name"), exact=True).fill("pit-manager")
    form.get_by_label(t("page.pit.password"), exact=True).fill(PASSWORD)
    form.get_by_role("button", name=t("command.correct-payment")).click()
    entries = ruled.get_by_role("list", name=t("page.disputes.entries"))
    expect(entries).to_contain_text("pit-manager")
    assert chips(table, ann.name) == before + 50
    with pit.expect_download() as saved:
        ruled.get_by_role("link", name=t("page.disputes.export")).click()
    assert saved.value.suggested_filename == "dispute-1-round-1.jsonl"
    page.reload()
    expect(own).to_contain_text("seen on camera")
    expect(own).not_to_contain_text("pit-manager")
    page.goto(f"{floor.address}/history")
    page.get_by_role("main").get_by_role("link", name=t("page.disputes.title"), exact=True).click()
    listed = page.get_by_role("link", name=t("page.disputes.at", n=1, table=table.name, round=1))
    expect(listed).to_be_visible()
