"""Tables opened over HTTP: what whoever opens one has to tell, and what only the operator may confirm."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from longhu.positions import Position
from longhu.server.streams.commands import SYSTEM
from tests.server.running import PASSWORD, STANDING, Running, quick, running


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(quick(tmp_path_factory.mktemp("opening") / "house.db")) as server:
        server.staffed()
        for game in ("dragon-21", "dragon-tiger", "immortal-dragon-tiger"):
            server.open_table(f"approves-{game}", game)  # the rules, for this house
        yield server


def opens(site: Running, person: str, game: str, **told: Any) -> httpx.Response:
    """A table of this game, with a tray that somebody else has counted, too."""
    asked = {"id": uuid4().hex, "table": f"T-{uuid4().hex[:8]}", "game": game, "dealer": "human", **told}
    return site.signed_in(person).post("/api/tables", json={**asked, "signatures": site.signs("dee")})


def test_the_operator_alone_opens_a_table_on_which_patrons_are_ahead(site: Running) -> None:
    for person in ("gus", "olga"):
        told = opens(site, person, "dragon-21").json()
        assert (told["message"]["code"], told["remedy"]["args"]) == (
            "edges-favour-patrons",
            {"wagers": ["dragon", "tiger"]},
        )
    named = {"favours_patrons": ["dragon", "tiger"]}
    assert opens(site, "gus", "dragon-21", **named).json()["message"]["code"] == "position-too-low"
    opened = opens(site, "olga", "dragon-21", **named)
    assert opened.status_code == 201, opened.text


def refusal(answer: httpx.Response) -> tuple[int, str, str]:
    told = answer.json()
    return answer.status_code, told["message"]["code"], told["clause"]


REAL: dict[str, Any] = {"device": "hand-shoe", "chips": "physical", "float": "0.01", "counted": {"0.01": 1}}
AHEAD = {"favours_patrons": ["dragon", "tiger"]}


@pytest.mark.clause("D21-3.4", "D21-3.4.a.i.B", "D21-3.4.c", "D21-3.1c")
@pytest.mark.parametrize(
    ("lacks", "code", "clause"),
    [
        ({"cover": False}, "shoe-cover-missing", "D21-3.4.a.i.B"),
        ({"shoe": 312}, "shoe-too-small", "D21-3.4.a.i.B"),
        ({"discard_rack": 208}, "discard-rack-too-small", "D21-3.4.c"),
        ({"cutting_cards": 0}, "cutting-cards-wrong", "D21-3.4.b"),
        ({"drop_box": ""}, "drop-box-missing", "D21-3.1c"),
    ],
    ids=str,
)
def test_a_table_opens_with_what_stands_on_it_and_nothing_is_made_up(
    site: Running, lacks: dict[str, Any], code: str, clause: str
) -> None:
    assert refusal(opens(site, "olga", "dragon-21", **REAL, **AHEAD)) == (409, "equipment-not-told", "")
    told = opens(site, "olga", "dragon-21", **REAL, **AHEAD, equipment={**STANDING, **lacks})
    assert refusal(told) == (409, code, clause)


@pytest.mark.clause("DT-2.1c", "IDT-2.1c")
@pytest.mark.parametrize(("game", "clause"), [("dragon-tiger", "DT-2.1c"), ("immortal-dragon-tiger", "IDT-2.1c")])
def test_a_set_has_one_back(site: Running, game: str, clause: str) -> None:
    mixed = {**STANDING, "sets": [["blue"] * 7 + ["red"]]}
    assert refusal(opens(site, "sue", game, **REAL, equipment=mixed)) == (409, "backs-differ", clause)
    assert opens(site, "sue", game, **REAL, equipment={**STANDING, "sets": [["blue"] * 8]}).status_code == 201


@pytest.mark.clause("D21-6.0a", "D21-6.0b")
def test_opening_records_the_count_of_the_cards_the_checklist_and_who_signed(site: Running) -> None:
    asked: dict[str, Any] = {
        **REAL,
        **AHEAD,
        "equipment": STANDING,
        "differential": "500.00",
        "checklist": ["cameras on"],
    }
    told = opens(site, "olga", "dragon-21", **asked, cards_counted=416)
    assert refusal(told) == (409, "checklist-item-not-done", "D21-6.0a")
    told = opens(site, "olga", "dragon-21", **asked, cards_counted=415, checked=["cameras on"])
    assert refusal(told) == (409, "cards-count-wrong", "D21-6.0b")
    opened = opens(site, "olga", "dragon-21", **asked, cards_counted=416, checked=["cameras on"], table="T-counted")
    assert opened.status_code == 201, opened.text
    table = site.until("T-counted", lambda state: state.settings is not None)
    assert table.settings is not None
    assert (table.verified, table.settings.differential) == (("olga", "dee"), 500_00)
    assert not table.settings.equipment.assumed
    dee = site.signed_in("dee")
    assert dee.command("T-counted", "take-the-deal").is_success
    assert dee.command("T-counted", "load-shoe").is_success  # nobody counts the cards again


def test_a_demonstration_assumes_equipment_and_says_so(tmp_path: Path) -> None:
    with running(quick(tmp_path / "demo.db", demo=True)) as server:
        server.open_table("approves", "dragon-tiger")
        server.do(lambda house: house.people.create(SYSTEM, "olga", "Olga", PASSWORD, Position.CASINO_OPERATOR))
        server.do(lambda house: house.people.create(SYSTEM, "dee", "Dee", PASSWORD, Position.DEALER))
        opened = opens(server, "olga", "dragon-tiger", **REAL, table="T-assumed")
        assert opened.status_code == 201, opened.text
        settings = server.signed_in("olga").get_json("/api/floor/T-assumed")["settings"]
        assert settings["equipment"]["assumed"] is True
