"""For whoever deals: what commands ask, what would follow from one, who must be called, and what is to be paid."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
import pytest

from longhu.games import registry
from longhu.games.vocabulary import IRREGULARITIES
from longhu.messages.localization import catalogue
from longhu.paytable import game_json
from longhu.server.codec import ACCEPTED
from longhu.server.realtime.command_forms import inquiries, reports
from longhu.table.settling import RESULT_NOT_ANNOUNCED
from longhu.texts import LANGUAGES
from tests.server.running import PASSWORD, Client, Running, quick, running


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(quick(tmp_path_factory.mktemp("dealing") / "house.db")) as server:
        server.staffed()
        yield server


@pytest.fixture
def dee(site: Running) -> Client:
    return site.signed_in("dee")


def opened(site: Running, dee: Client, **told: Any) -> str:
    """A table with a human dealer and a physical shoe, in which ann has 10.00 on Dragon; betting is closed."""
    table = site.open_table(f"T-{uuid4().hex[:8]}", dealer="human", device="hand-shoe", minimum="5.00", **told)
    given(dee, table, "load-shoe")
    ann = site.signed_in("ann")
    sat = ann.post(f"/api/tables/{table}/seat", json={"id": uuid4().hex, "seat": 1, "buy_in": "20.00"})
    assert sat.status_code == 200, sat.text
    given(dee, table, "call-place-your-bets")
    given(ann, table, "place-wager", place=1, wager="dragon", amount="10.00")
    given(dee, table, "call-no-more-bets")
    return table


def given(client: Client, table: str, name: str, **fields: Any) -> None:
    answer = client.command(table, name, **fields)
    assert answer.status_code == 200, answer.text


def outlook(client: Client, table: str, name: str, **fields: Any) -> dict[str, Any]:
    answer = client.post(f"/api/tables/{table}/trial", json={"command": {"command": name, **fields}})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


# ------------------------------------------------ what commands ask


def test_every_command_says_what_it_asks(site: Running) -> None:
    told = site.client().get_json("/api/commands")
    assert set(told["commands"]) == set(ACCEPTED)
    draw = told["commands"]["draw-card"]
    assert (draw["needs"], draw["asks"]) == ("dealer", [{"name": "card", "kind": "card"}])
    rule = {each["name"]: each for each in told["commands"]["make-ruling"]["asks"]}
    assert rule["decision"] == {
        "name": "decision", "kind": "choice", "required": True, "choices": ["continue", "void", "burn", "replace"],
    }  # fmt: skip
    together = {each["name"]: each for each in told["commands"]["draw-cards-together"]["asks"]}
    assert together["count"] == {"name": "count", "kind": "number", "usual": 2}
    assert together["order_known"] == {"name": "order_known", "kind": "yes or no", "required": True}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_of_a_command_has_a_label_in_each_language(language: str) -> None:
    words = catalogue(language)
    asked = {f"field.{each.name.replace('_', '-')}" for told in inquiries().values() for each in told.asks}
    assert asked <= set(words), sorted(asked - set(words))


def test_every_irregularity_has_a_name_a_report_and_the_words_of_its_clauses() -> None:
    assert set(reports()) == set(IRREGULARITIES)
    asked = inquiries()
    for report in (each for found in reports().values() for each in found):
        fields = {each.name for each in asked[report.command].asks}
        assert set(msgspec.to_builtins(report)) - {"command"} <= fields
    for path in registry.all_games().values():
        told = game_json(registry.load_game(path))
        for kind, found in told["irregularities"].items():
            assert kind in IRREGULARITIES
            assert found["name"]["en"]
            assert found["name"]["zh-Hans"]
            assert found["name"]["zh-Hant"]
            assert found["clauses"]
            assert all(each["requirement"] for each in found["clauses"])
        assert told["methods"]


# ------------------------------------------------ what would follow


def test_a_card_that_cannot_come_is_refused_and_nothing_is_done_by_asking(site: Running, dee: Client) -> None:
    """A slip of the hand is no foreign card: that is reported, and waits for a second person."""
    table = opened(site, dee, decks=4)
    before = dee.get_json(f"/api/tables/{table}")["sequence"]
    assert [each["name"] for each in outlook(dee, table, "draw-card", card="KH")["follows"]] == ["card-drawn"]
    slip = outlook(dee, table, "draw-card", card="ZZ")
    assert (slip["follows"], slip["reason"]["code"]) == ([], "not-a-card")
    foreign = outlook(dee, table, "report-irregularity", kind="foreign-card")["follows"]
    names = [each["name"] for each in foreign]  # what it waits for, and what follows once somebody confirms it
    assert names[0] == "confirmation-awaited"
    assert {"act-cosigned", "irregularity-found", "round-voided"} <= set(names)
    refused = outlook(dee, table, "settle-round")
    assert (refused["follows"], refused["reason"]["code"]) == ([], RESULT_NOT_ANNOUNCED.code)
    assert dee.get_json(f"/api/tables/{table}")["sequence"] == before


def test_nobody_is_told_what_an_electronic_shoe_would_give(site: Running, dee: Client) -> None:
    table = site.open_table(f"T-{uuid4().hex[:8]}", dealer="human", device="virtual")
    shoe = dee.post(f"/api/tables/{table}/shoe", params={"id": uuid4().hex})
    assert shoe.status_code == 200, shoe.text
    site.until(table, lambda state: state.shoe is not None)
    given(dee, table, "call-place-your-bets")
    given(dee, table, "call-no-more-bets")
    for name, fields in (("draw-card", {"card": "KH"}), ("draw-cards-together", {"order_known": True})):
        told = outlook(dee, table, name, **fields)
        assert told == {"follows": [], "reason": None, "remedy": None, "clause": ""}


def test_patrons_ask_for_no_outlook(site: Running, dee: Client) -> None:
    table = opened(site, dee)
    answer = site.signed_in("ann").post(f"/api/tables/{table}/trial", json={"command": {"command": "settle-round"}})
    assert answer.status_code == 403
    assert site.signed_in("ann").get(f"/api/tables/{table}/reckoning").status_code == 403


# ------------------------------------------------ who is called


def test_a_round_that_waits_names_who_must_be_called_and_they_sign_at_the_dealers_screen(
    site: Running, dee: Client
) -> None:
    table = opened(site, dee)
    acts = dee.get_json(f"/api/tables/{table}/acts")
    assert (acts["due"]["hand"], acts["above"]) == ("dragon", [])
    for card in ("2H", "9S"):
        given(dee, table, "draw-card", card=card)
    assert dee.get_json(f"/api/tables/{table}/acts")["result"] == "tiger"
    given(dee, table, "announce-result", winner="dragon")  # a slip of the tongue, which waits for nobody
    assert dee.get_json(f"/api/tables/{table}/acts")["above"] == []
    given(dee, table, "report-incident", told="a patron disputes the result")
    above = dee.get_json(f"/api/tables/{table}/acts")["above"]
    assert [(each["position"], each["told"]) for each in above] == [("gaming-shift-manager", ["make-ruling"])]
    ruling = {"command": "make-ruling", "decision": "continue", "reason": "the cards stand"}

    def asked(by: str, *signed: tuple[str, str]) -> tuple[int, str]:
        signatures = [{"person": person, "password": password} for person, password in signed]
        answer = dee.post(
            f"/api/tables/{table}/commands",
            json={"id": uuid4().hex, "command": ruling, "by": by, "signatures": signatures},
        )
        return answer.status_code, answer.json().get("message", {}).get("code", "")

    assert asked("gus") == (409, "not-signed-as-staff")
    assert asked("gus", ("dee", PASSWORD))[0] == 409
    assert asked("gus", ("gus", "a wrong password"))[0] == 409
    assert asked("sue", ("sue", PASSWORD)) == (409, "position-too-low")
    assert asked("ann", ("ann", PASSWORD)) == (409, "not-signed-as-staff")
    assert asked("dee", ("dee", PASSWORD)) == (409, "cosigner-is-actor")
    assert asked("gus", ("gus", PASSWORD)) == (200, "")
    assert dee.get_json(f"/api/tables/{table}/acts")["above"] == []
    made = site.until(table, lambda state: state.round is not None and not state.round.halt.for_ruling)
    assert made.staff["gus"].word == "gaming shift manager"


@pytest.mark.clause("SEC-1", "SEC-2")
def test_a_patron_cannot_try_passwords_of_staff_as_signatures(site: Running, dee: Client) -> None:
    """Nor lock them out by it: nobody looks at what a patron sends as somebody's signature."""
    table, ann = opened(site, dee), site.signed_in("ann")
    ruling = {"command": "suspend-table", "reason": "because"}
    for signed, password in (("sue", "a guess"), ("pat", PASSWORD)):
        for by in ({"by": signed}, {}):
            asked = {"command": ruling, "signatures": [{"person": signed, "password": password}], **by}
            for _ in range(4):
                told = ann.post(f"/api/tables/{table}/commands", json={"id": uuid4().hex, **asked}).json()
                assert (told["message"]["code"], told["clause"]) == ("nothing-to-cosign", "SEC-1")
    assert site.signed_in("sue").get_json("/api/me")["person"] == "sue"


@pytest.mark.clause("SEC-2")
def test_signatures_are_tried_no_quicker_than_sign_ins(tmp_path: Path) -> None:
    with running(quick(tmp_path / "house.db", sign_ins_per_minute=4)) as server:
        server.staffed()
        table, dee = server.open_table("T1"), server.signed_in("dee")
        asked = {"command": {"command": "suspend-table", "reason": "x"}, "by": "nobody"}
        tries = [
            dee.post(
                f"/api/tables/{table}/commands",
                json={"id": f"t{n}", **asked, "signatures": [{"person": "nobody", "password": "a guess"}]},
            )
            for n in range(10)
        ]
        assert [each.status_code for each in tries[:5]] == [409] * 5
        assert tries[-1].status_code == 429
        assert int(tries[-1].headers["retry-after"]) > 0


def test_a_call_for_the_pit_stays_until_somebody_has_looked(site: Running, dee: Client) -> None:
    table = opened(site, dee)
    called = dee.post(f"/api/tables/{table}/call", json={"id": uuid4().hex, "told": "a chip fell off the table"})
    assert called.status_code == 200, called.text
    (alert,) = [each for each in site.signed_in("sue").get_json("/api/alerts") if each["table"] == table]
    assert alert["kind"] == "table-call"
    assert alert["message"] == {"code": "alert-call", "args": {"person": "dee", "text": "a chip fell off the table"}}


# ------------------------------------------------ what is paid


def test_what_is_to_be_collected_and_paid_is_what_is_settled_then(site: Running, dee: Client) -> None:
    table = opened(site, dee)
    assert dee.get(f"/api/tables/{table}/reckoning").status_code == 409
    for card in ("9H", "9S"):
        given(dee, table, "draw-card", card=card)
    given(dee, table, "announce-result", winner="tie")
    (due,) = dee.get_json(f"/api/tables/{table}/reckoning")["payments"]
    assert (due["patron"], due["seat"], due["place"], due["wager"], due["amount"]) == ("ann", 1, 1, "dragon", "10.00")
    assert (due["result"], due["net"], due["commission"], due["clause"]) == ("half", "-5.00", "0.00", "DT-3.8b")
    given(dee, table, "settle-round")
    assert dee.get(f"/api/tables/{table}/reckoning").status_code == 409
    assert site.signed_in("ann").get_json(f"/api/tables/{table}")["view"]["balance"] == "15.00"
