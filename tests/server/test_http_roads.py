"""The scoreboard of a table over HTTP: the roads as they follow from the results, what they are worth, and what the cards say against it."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import pytest

from longhu.roads.board import RoundResult, scoreboard
from longhu.roads.text import ROADS_NOTICE
from tests.server.running import Client, Running, quick, running


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(quick(tmp_path_factory.mktemp("roads") / "house.db")) as server:
        server.staffed()
        yield server


def dealt(dee: Client, table: str, cards: str) -> None:
    """A round without wagers of these cards, from a physical shoe, up to its last card."""
    for name in ("call-place-your-bets", "call-no-more-bets"):
        assert dee.command(table, name).status_code == 200
    for each in cards.split():
        answer = dee.command(table, "draw-card", card=each)
        assert answer.status_code == 200, answer.text


def physical_table(site: Running) -> tuple[str, Client]:
    """A dealer with a shoe of cards that she shuffled herself."""
    table = site.open_table(f"T-{uuid4().hex[:8]}", dealer="human", device="hand-shoe")
    dee = site.signed_in("dee")
    assert dee.command(table, "take-the-deal").status_code == 200
    for acts in range(3):
        ready = dee.get_json(f"/api/tables/{table}/acts")["ready"]
        loads = next((each for each in ready if each["command"] in ("verify-cards", "load-shoe")), None)
        if loads is None:
            assert acts
            break
        assert dee.post(f"/api/tables/{table}/commands", json={"id": uuid4().hex, "command": loads}).status_code == 200
    return table, dee


def test_the_roads_follow_from_the_results(site: Running) -> None:
    table, dee = physical_table(site)
    rounds = {"KS 3D": 0, "5H 5C": None, "2S 9D": 1, "4H TC": 1, "QS JD": 0}
    for cards in rounds:
        dealt(dee, table, cards)
        assert dee.command(table, "announce-result").status_code == 200
    told = site.client().get_json(f"/api/tables/{table}/roads")
    board = scoreboard([RoundResult(winner) for winner in rounds.values()])  # type: ignore[arg-type]
    ids = {0: "dragon", 1: "tiger", None: "tie"}
    assert [(each["column"], each["row"], each["winner"]) for each in told["bead_plate"]] == [
        (*bead.place, ids[bead.result.winner]) for bead in board.bead_plate
    ]
    assert [(each["column"], each["row"], each["winner"], each["ties"]) for each in told["big_road"]] == [
        (*cell.place, ids[cell.winner], cell.ties) for cell in board.big_road.cells
    ]
    assert told["counts"] == {"dragon": 2, "tiger": 2, "tie": 1}
    assert (told["rounds"], told["rows"], told["hands"][0]["sign"]) == (5, 6, "D")
    assert told["asks"]["tiger"]["big_road"] == {"column": 3, "row": 0, "winner": "tiger", "ties": 0}
    assert {mark["colour"] for mark in (ask["derived"]["big-eye-boy"] for ask in told["asks"].values()) if mark} == {
        "red",
        "blue",
    }


@pytest.mark.clause("IDT-6.3a", "RUL-7")
def test_every_board_says_that_it_informs_only(site: Running) -> None:
    table = site.open_table(f"T-{uuid4().hex[:8]}", "immortal-dragon-tiger", dealer="human")
    told = site.client().get_json(f"/api/tables/{table}/roads")
    assert (told["says"]["code"], told["clause"]) == (ROADS_NOTICE.code, "IDT-6.3a")


@pytest.mark.clause("IDT-6.3b")
def test_the_cards_prevail_over_what_was_announced_and_the_board_follows_them(site: Running) -> None:
    """The dealer announces Tiger where the cards give Dragon: it is on record, stops nothing, and the board shows Dragon."""
    table, dee = physical_table(site)
    dealt(dee, table, "KS 3D")
    assert dee.command(table, "announce-result", winner="tiger").status_code == 200
    assert site.client().get_json(f"/api/tables/{table}/roads")["rounds"] == 0  # nothing false is shown
    assert dee.command(table, "announce-result").status_code == 200
    told = site.client().get_json(f"/api/tables/{table}/roads")
    assert [each["winner"] for each in told["bead_plate"]] == ["dragon"]
    noted = site.client().get_json(f"/api/tables/{table}/rounds/1")["events"]
    assert [each["told"]["announced"] for each in noted if each["name"] == "announcement-contradicted"] == ["tiger"]


def test_what_has_not_changed_is_not_sent_again(site: Running) -> None:
    table, dee = physical_table(site)
    client = site.client()
    first = client.get(f"/api/tables/{table}/roads")
    again = client.get(f"/api/tables/{table}/roads", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    dealt(dee, table, "KS 3D")
    assert dee.command(table, "announce-result").status_code == 200
    other = client.get(f"/api/tables/{table}/roads", headers={"If-None-Match": first.headers["etag"]})
    assert other.status_code == 200


def test_a_house_without_spectators_shows_nothing_to_strangers(tmp_path_factory: pytest.TempPathFactory) -> None:
    with running(quick(tmp_path_factory.mktemp("private") / "house.db", spectators=False)) as server:
        server.staffed()
        table = server.open_table("T1")
        stranger, ann = server.client(), server.signed_in("ann")
        assert stranger.get_json("/api/house") == {
            "play_money": False,
            "guests": False,
            "spectators": False,
            "decimals": 2,
            "currency": "",
        }
        for path in ("roads", "chances", "shuffles/1"):
            assert stranger.get(f"/api/tables/{table}/{path}").status_code == 401
            assert ann.get(f"/api/tables/{table}/{path}").status_code in (200, 404)
