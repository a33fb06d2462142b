"""Live chances and revealed shuffles over HTTP: exact, of open cards alone, and nothing before its time."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from fractions import Fraction
from uuid import uuid4

import pytest

from longhu.cards import Shoe, cards
from longhu.fairness.shuffle import Contribution, Mix, commitment, order
from longhu.games import registry
from longhu.odds.figures import game_odds
from longhu.server.api import games
from longhu.server.api.games import open_cards
from longhu.table.state import Card, Phase, Round
from tests.server.running import Running, quick, running
from tests.server.test_http_roads import dealt, physical_table
from tests.server.test_http_tables import bet, over, sit


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(quick(tmp_path_factory.mktemp("chances") / "house.db")) as server:
        server.staffed()
        yield server


# ------------------------------------------------ chances


def test_the_chances_are_exact_given_the_open_cards(site: Running) -> None:
    table, dee = physical_table(site)
    client, game = site.client(), registry.load_game(registry.all_games()["dragon-tiger"])
    before = client.get_json(f"/api/tables/{table}/chances")
    assert before["hands"]["tie"]["probability"] == "31/415"
    assert before["totals"] == {"dragon": None, "tiger": None}
    dealt(dee, table, "QS")
    told = client.get_json(f"/api/tables/{table}/chances")
    odds = game_odds(game, Shoe.of_decks(8), cards("QS"))
    assert (told["cards_open"], told["totals"]) == (1, {"dragon": 12, "tiger": None})
    assert {id: Fraction(each["probability"]) for id, each in told["hands"].items()} == {
        "dragon": Fraction(11 * 32, 415),
        "tiger": Fraction(32, 415),
        "tie": Fraction(31, 415),
    }
    assert {id: each["ev"] for id, each in told["wagers"].items()} == {id: float(each.ev) for id, each in odds.items()}
    assert (told["wagers"]["dragon-big"]["decided"], told["wagers"]["tie"]["decided"]) == ("won", "open")
    assert told["decks"] == 8


def test_the_answer_changes_with_the_table_alone(site: Running) -> None:
    table, dee = physical_table(site)
    client = site.client()
    first = client.get(f"/api/tables/{table}/chances")
    again = client.get(f"/api/tables/{table}/chances", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    dealt(dee, table, "QS")
    other = client.get(f"/api/tables/{table}/chances", headers={"If-None-Match": first.headers["etag"]})
    assert other.status_code == 200


HANDS = ("player", "banker")


def laid(text: str) -> Round:
    """Cards of a round of baccarat; in brackets those that lie face down."""
    faces = text.split()
    made = [
        Card(face.strip("()"), HANDS[place % 2 if place < 4 else place - 4], "(" not in face)
        for place, face in enumerate(faces)
    ]
    return Round(1, Phase.DEALING, "A", 0, HANDS, cards=tuple(made))


@pytest.mark.parametrize(
    ("lies", "known"),
    [
        ("", ("", "")),
        ("(KS) (3D)", ("", "")),
        ("(KS) 3D (4H) 8C", ("", "3D 8C")),
        ("KS (3D) 4H (8C)", ("KS 4H", "")),
        ("KS 3D 4H 8C (9S)", ("KS 4H", "3D 8C")),
        ("KS 3D 4H 8C 9S (2C)", ("KS 4H 9S", "3D 8C")),
        ("(KS) 3D 4H 8C 9S", ("4H", "3D 8C")),
    ],
)
def test_a_card_that_lies_face_down_is_unknown(lies: str, known: tuple[str, str]) -> None:
    procedure = registry.load_game(registry.all_games()["immortal-dragon-tiger"]).procedure
    expected = tuple(tuple(cards(each)) for each in known)
    assert open_cards(procedure, laid(lies)) == expected


def test_what_many_ask_for_at_once_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    game = registry.load_game(registry.all_games()["dragon-tiger"])
    asked: list[int] = []
    plain = games._ways

    def counting(*told: object) -> object:
        asked.append(1)
        return plain(*told)  # type: ignore[arg-type]

    monkeypatch.setattr(games, "_ways", counting)

    async def many() -> None:
        memory = games.OddsCache()
        found = await asyncio.gather(*(memory.ways(game, 8) for _ in range(50)))
        assert len({id(each) for each in found}) == 1
        assert await memory.ways(game, 8) is found[0]

    asyncio.run(many())
    assert len(asked) == 1


# ------------------------------------------------ shuffles


def played(site: Running, person: str, table: str, wager: str, rounds: int) -> None:
    client = site.signed_in(person)
    sit(client, table)
    for _ in range(rounds):
        over(site, table, bet(site, client, table, wager))


@pytest.mark.clause("RUL-6")
def test_a_shuffle_that_is_over_can_be_made_again_by_anybody(site: Running) -> None:
    """Every round of this game has a shoe of its own, so several are over soon."""
    table = site.open_table(f"T-{uuid4().hex[:8]}", "dragon-bonus-online", maximum="100.00")
    played(site, "ann", table, "player", 5)
    client = site.client()
    for number in (1, 2, 4):
        told = client.get_json(f"/api/tables/{table}/shuffles/{number}")
        mix = Mix(
            **{
                **told["mix"],
                "counts": tuple(told["mix"]["counts"]),
                "contributions": tuple(Contribution(**each) for each in told["mix"]["contributions"]),
            }
        )
        secret = bytes.fromhex(told["secret"])
        assert commitment(table, number, secret) == told["commitment"]
        made = order(mix, secret)[told["burned"] :]
        assert told["dealt"]
        assert list(made[: len(told["dealt"])]) == told["dealt"]
        assert told["committed_at"] <= told["revealed_at"]
        round = client.get_json(f"/api/tables/{table}/rounds/{number}")
        assert round["shoe"] == number
        assert [each["face"] for each in round["cards"]] == told["dealt"]


@pytest.mark.clause("RUL-6")
def test_a_shuffle_in_use_is_told_to_nobody(site: Running) -> None:
    table = site.open_table(f"T-{uuid4().hex[:8]}", "dragon-tiger")
    played(site, "bob", table, "dragon", 1)
    for number in (1, 2, 0, 10**12):
        answer = site.client().get(f"/api/tables/{table}/shuffles/{number}")
        assert (answer.status_code, answer.json()["clause"]) == (404, "RUL-6")
