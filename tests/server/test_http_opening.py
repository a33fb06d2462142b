"""Tables opened over HTTP: what whoever opens one has to tell, and what only the operator may confirm."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.server.running import Running, quick, running


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
