"""The odds lab over HTTP: exact figures of changed games, mistakes with their places, and files that mean harm."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import httpx
import pytest

from longhu.cards import Shoe
from longhu.games import registry
from longhu.games.loader import load
from longhu.games.meaning import UNKNOWN_FACT
from longhu.games.source import read_text
from longhu.odds.figures import game_odds
from longhu.odds.removal import removals
from tests.server.running import PASSWORD, Client, Running, quick, running

TIE_PAYS = ["wager", 2, "lines", 0, "pays"]
TRIES = 4  # the first compiles, which a busy machine may not do in the time of one question; what is compiled stays
TIE_WHEN = ["wager", 2, "lines", 0, "when"]
DRAGON_TIGER = registry.find("dragon-tiger").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(quick(tmp_path_factory.mktemp("lab") / "house.db", lab_per_second=100_000)) as server:
        yield server


@pytest.fixture
def client(house: Running) -> Client:
    return house.client()


def setting(at: list[Any], to: Any) -> dict[str, Any]:
    return {"do": "set", "at": at, "to": to}


def asked(client: Client, what: str, **subject: Any) -> Any:
    answer = client.post(f"/api/lab/{what}", json=subject)
    assert answer.status_code == 200, answer.text
    return answer.json()


# ------------------------------------------------ figures


def test_a_changed_pay_changes_the_return_exactly(client: Client) -> None:
    told = asked(client, "odds", game="dragon-tiger", changes=[setting(TIE_PAYS, "12:1")])
    assert told["mistakes"] == []
    tie = told["odds"]["wagers"]["tie"]
    assert tie["exact"]["house_edge"] == str(1 - 13 * Fraction(31, 415))  # of 415 second cards 31 have the first's rank
    assert tie["exact"]["rtp"] == "403/415"
    assert sum(Fraction(line["contribution"]) for line in tie["lines"]) == Fraction(tie["ev"])
    assert told["rules"]["wagers"]["tie"]["lines"][0]["pays"] == "12:1"
    assert told["odds"]["wagers"]["dragon"]["ev"] == "-31/830"  # the others stay as they were


@pytest.mark.parametrize("game", ["dragon-tiger", "immortal-dragon-tiger", "dragon-bonus-online"])
def test_a_game_without_changes_is_the_game_of_the_house(client: Client, game: str) -> None:
    ours = client.get_json(f"/api/games/{game}")
    told = asked(client, "odds", game=game)
    assert told["odds"]["digest"] == ours["digest"]
    assert {id: each["ev"] for id, each in told["odds"]["wagers"].items()} == {
        id: each["ev"] for id, each in ours["odds"]["wagers"].items()
    }


def test_decks_and_draw_rules_are_counted(client: Client) -> None:
    told = asked(client, "odds", game="dragon-tiger", decks=1)
    assert told["odds"]["wagers"]["tie"]["exact"]["hit_frequency"] == "3/51".replace("3/51", "1/17")
    stands = {"do": "read", "at": ["banker_0_2_vs_8"], "to": "stand"}
    told = asked(client, "odds", game="dragon-bonus-online", changes=[stands])
    game = registry.load_game(registry.find("dragon-bonus-online"), {"banker_0_2_vs_8": "stand"})
    assert told["odds"]["wagers"]["banker"]["ev"] == str(game_odds(game)["banker"].ev)


def test_the_file_that_is_written_loads_and_counts_the_same(client: Client) -> None:
    line = {"says": "Two sevens", "when": "tie and dragon.rank == 7", "pays": "50:1"}
    changes = [
        setting(TIE_PAYS, "9.5:1"),
        {"do": "insert", "at": ["wager", 2, "lines", 0], "to": line},
        setting(["game", "decks", "default"], 6),
    ]
    text = asked(client, "file", game="dragon-tiger", changes=changes)["text"]
    assert [each for each in DRAGON_TIGER.splitlines() if each.startswith("#")] == [
        each for each in text.splitlines() if each.startswith("#")
    ]
    counted = game_odds(load(read_text(text, "downloaded.toml")))
    told = asked(client, "odds", game="dragon-tiger", changes=changes)["odds"]
    again = asked(client, "odds", text=text)["odds"]
    assert counted.decks == told["decks"] == 6
    for id, each in counted.items():
        assert told["wagers"][id]["ev"] == again["wagers"][id]["ev"] == str(each.ev)


def test_effects_of_removal_are_those_of_the_library(client: Client) -> None:
    told = asked(client, "removal", game="dragon-tiger", decks=6)
    game = registry.load_game(registry.find("dragon-tiger"))
    exact = {
        each.stands_for: {id: str(effect) for id, effect in each.effects.items()}
        for each in removals(game, Shoe.of_decks(6), game.wagers)
    }
    assert {each["stands_for"]: each["effects"] for each in told["cards"]} == exact


def test_readings_and_claims_side_by_side(client: Client) -> None:
    told = asked(client, "readings", game="dragon-bonus-online")
    (doubtful,) = [each for each in told["readings"] if each["reading"] == "banker_0_2_vs_8"]
    assert [each["option"] for each in doubtful["options"] if each["chosen"]] == ["draw"]
    assert "banker" in doubtful["changed"]
    in_force, *others = told["claims"]
    assert all(claim["agrees"] for claim in in_force["claims"])
    assert not any(claim["agrees"] for each in others if each["option"] == "stand" for claim in each["claims"])


def test_counting_by_depth(client: Client) -> None:
    asks = {"subject": {"game": "dragon-tiger"}, "wager": "tie", "shoes": 20}
    for _ in range(TRIES):
        answer = client.post("/api/lab/counting", json=asks)
        if answer.status_code != 503:
            break
    told = answer.json()
    assert told["shoes"] == 20
    assert told["ceiling"]["per_100"] > 0  # whoever remembers all cards beats the tie
    depths = [each["dealt"] for each in told["depths"]]
    assert depths == sorted(depths)
    assert len(depths) > 10
    nothing = client.post("/api/lab/counting", json={"subject": {"game": "dragon-tiger"}, "wager": "tied", "shoes": 20})
    assert (nothing.status_code, problem_of(nothing.json())["code"]) == (400, "wager-unknown")


@pytest.mark.parametrize(
    ("form", "begins", "media"), [("pdf", b"%PDF", "application/pdf"), ("html", b"<!doctype", "text/html")]
)
def test_the_par_sheet_of_a_changed_game(client: Client, form: str, begins: bytes, media: str) -> None:
    subject = {"game": "dragon-tiger", "changes": [setting(TIE_PAYS, "12:1")]}
    answer = client.post("/api/lab/par", json={"subject": subject, "form": form, "date": "2026-03-01"})
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith(media)
    assert answer.headers["content-disposition"] == f'attachment; filename="dragon-tiger-par.{form}"'
    assert answer.content.lower().startswith(begins.lower())
    if form == "html":
        assert "12/415" in answer.text
        assert "<script" not in answer.text


# ------------------------------------------------ mistakes


def test_a_mistake_in_a_condition_is_told_at_its_character(client: Client) -> None:
    told = asked(client, "odds", game="dragon-tiger", changes=[setting(TIE_WHEN, "tie and dragn.rank == 7")])
    (mistake,) = told["mistakes"]
    assert (told["rules"], told["odds"]) == (None, None)
    assert (mistake["at"], mistake["offset"]) == (TIE_WHEN, len("tie and "))
    assert mistake["message"]["code"] == UNKNOWN_FACT.code
    assert "Did you mean 'dragon.rank'?" in mistake["says"]
    written = asked(client, "file", game="dragon-tiger", changes=[setting(TIE_WHEN, "tie and dragn.rank == 7")])
    (there,) = written["mistakes"]
    line = written["text"].splitlines()[there["line"] - 1]
    assert line[there["column"] - 1 :].startswith("dragn.rank")


def test_a_text_that_is_no_toml_is_told_with_line_and_column(client: Client) -> None:
    told = asked(client, "odds", text="format = 1\n[game\n")
    (mistake,) = told["mistakes"]
    assert mistake["line"] == 2
    assert mistake["at"] == []
    assert asked(client, "file", text="format = 1\n[game\n")["data"] is None


# ------------------------------------------------ files that mean harm

WAGER = '[[wager]]\nid = "w{}"\nname = "W{}"\nlines = [{}]\n'
LINE = '{{ when = "{}", pays = "1:1" }},\n'
LONG = " or ".join(f"dragon.rank * tiger.rank % {number} == 3" for number in range(2, 14))
HOSTILE = {
    "python": DRAGON_TIGER.replace('when = "tie"', "when = \"__import__('os').system('touch HERE')\""),
    "attributes": DRAGON_TIGER.replace('when = "tie"', 'when = "tie.__class__.__mro__"'),
    "format": DRAGON_TIGER.replace('says = "Dragon wins"', 'says = "{0.__class__}"'),
    "template": DRAGON_TIGER.replace('says = "Dragon wins"', 'says = "{{ 7*7 }}{% for x in y %}"'),
    "deep": DRAGON_TIGER + "x = " + "[" * 20_000 + "]" * 20_000,
    "dotted": DRAGON_TIGER + ".".join(["x"] * 5_000) + " = 1",
    "number": DRAGON_TIGER + "x = " + "9" * 50_000,
    "wagers": DRAGON_TIGER + "".join(WAGER.format(n, n, LINE.format("tie")) for n in range(300)),
    "lines": DRAGON_TIGER + WAGER.format(0, 0, LINE.format("dragon.rank == 1") * 300),
    "arithmetic": DRAGON_TIGER + WAGER.format(0, 0, LINE.format(LONG[:480].rpartition(" or ")[0]) * 100),
    "brackets": DRAGON_TIGER.replace('when = "tie"', f'when = "{"(" * 200}tie{")" * 200}"'),
    "pays": DRAGON_TIGER.replace('pays = "11:1"', f'pays = "{"9" * 40_000}:1"'),
    "nothing": "\0" * 9_000,
    "controls": DRAGON_TIGER.replace("Dragon wins", "Dragon\\u202ewins"),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_file_is_told_its_mistakes_and_harms_nobody(client: Client, text: str, tmp_path: Path) -> None:
    text = text.replace("HERE", str(tmp_path / "harm"))
    for what in ("odds", "file"):
        answer = client.post(f"/api/lab/{what}", json={"text": text})
        assert answer.status_code == 200, answer.text
        told = answer.json()
        harmless = text in (HOSTILE["format"], HOSTILE["template"])
        assert bool(told["mistakes"]) is not harmless
    assert asked(client, "odds", game="dragon-tiger")["mistakes"] == []
    assert not (tmp_path / "harm").exists()


@pytest.mark.parametrize(
    "game",
    ["../../../../etc/passwd", "/etc/passwd", "dragon-tiger.toml", "./dragon-tiger", "dragon-tiger\0", "", "%2e%2e"],
)
def test_a_game_is_known_by_its_id_and_no_path_leads_anywhere(client: Client, game: str) -> None:
    answer = client.post("/api/lab/odds", json={"game": game})
    assert answer.status_code == 400
    assert problem_of(answer.json())["code"] == "no-such-game"


def test_texts_of_a_file_stay_texts_in_the_sheet(client: Client) -> None:
    text = DRAGON_TIGER.replace('says = "Dragon wins"', 'says = "<script>alert({{ 7*7 }})</script>"')
    sheet = client.post("/api/lab/par", json={"subject": {"text": text}, "form": "html"}).text
    assert "&lt;script&gt;alert({{ 7*7 }})&lt;/script&gt;" in sheet
    assert "<script" not in sheet


def test_what_is_larger_than_any_request_is_not_even_read(client: Client) -> None:
    assert client.post("/api/lab/odds", json={"text": "#" * 140_000}).status_code == 413
    many = [setting(TIE_PAYS, "12:1")] * 401
    assert client.post("/api/lab/odds", json={"game": "dragon-tiger", "changes": many}).status_code == 400
    wrong = client.post("/api/lab/odds", json={"game": "dragon-tiger", "changes": [setting(["wager", 99], "x")]})
    assert wrong.status_code == 400
    change = problem_of(wrong.json())
    assert (change["code"], change["args"]["problem"]["args"]) == ("change-impossible", {"at": "'wager.99'"})


def problem_of(told: dict[str, Any]) -> dict[str, Any]:
    """What could not be read of a request."""
    found: dict[str, Any] = told["message"]["args"]["problem"]
    return found


def test_nothing_is_kept_and_the_games_of_the_house_stay_as_they_are(client: Client) -> None:
    before = client.get_json("/api/games")
    asked(client, "odds", game="dragon-tiger", changes=[setting(TIE_PAYS, "99:1")])
    assert client.get_json("/api/games") == before
    assert asked(client, "odds", game="dragon-tiger")["odds"]["wagers"]["tie"]["exact"]["house_edge"] == "43/415"


# ------------------------------------------------ others do not suffer


def test_the_house_answers_while_the_lab_works(house: Running) -> None:
    """Dragon 21 takes seconds to count: meanwhile everybody else is served."""
    answers: list[httpx.Response] = []
    lab = threading.Thread(
        target=lambda: answers.append(house.client().post("/api/lab/odds", json={"game": "dragon-21", "decks": 7}))
    )
    lab.start()
    somebody = house.client()
    for _ in range(30):
        assert somebody.get("/api/games").status_code == 200
    assert lab.is_alive(), "the lab was done before thirty quick questions were answered"
    lab.join()
    assert answers[0].status_code == 200


def test_an_address_asks_so_often_and_no_more(tmp_path: Path) -> None:
    with running(quick(tmp_path / "house.db", lab_per_second=1)) as server:
        client = server.client()
        told = [client.post("/api/lab/odds", json={"game": "nothing"}).status_code for _ in range(4)]
        assert 429 in told
        assert client.get("/api/games").status_code == 200


def test_where_only_those_signed_in_may_watch_the_lab_is_for_them(tmp_path: Path) -> None:
    with running(quick(tmp_path / "house.db", spectators=False)) as server:
        server.staffed()
        client = server.client()
        assert client.post("/api/lab/odds", json={"game": "nothing"}).status_code == 401
        client.sign_in("ann", PASSWORD)
        assert client.post("/api/lab/odds", json={"game": "nothing"}).status_code == 400
