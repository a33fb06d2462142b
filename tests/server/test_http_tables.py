"""Tables over HTTP: looking, sitting down, wagering, leaving, opening, closing, and rounds that are over."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import pytest

from longhu.games.game import Game
from longhu.games.loader import load
from longhu.games.registry import find, load_game
from longhu.games.source import read_text
from longhu.protocol import COMMAND_ID_MAX
from longhu.server.codec import ACCEPTED
from longhu.server.house import House
from longhu.server.streams.table_stream import _loaded_game
from longhu.server.tables.visits import seated as seated_at
from longhu.table.call_bets import SpeakWager
from longhu.table.state import Phase, Table
from tests.server.running import PASSWORD, STANDING, Client, Running, quick, running
from tests.table.rounds import Play


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(quick(tmp_path_factory.mktemp("tables") / "house.db")) as server:
        server.staffed()
        yield server


@pytest.fixture
def table(site: Running) -> str:
    """A table of its own for each test, with an automatic dealer."""
    return site.open_table(f"T-{uuid4().hex[:8]}", minimum="5.00", maximum="100.00")


@pytest.fixture
def ann(site: Running) -> Iterator[Client]:
    """Ann, who takes her money with her when the test is over."""
    client = site.signed_in("ann")
    yield client
    for each in client.get_json("/api/me")["tables"]:
        site.until(each["table"], lambda state: state.round is None or not state.round.stakes_of("ann"))
        client.delete(f"/api/tables/{each['table']}/seat", params={"id": uuid4().hex})


def sit(client: Client, table: str, buy_in: str | None = "50.00", seat: int | None = 1) -> None:
    answer = client.post(f"/api/tables/{table}/seat", json={"id": uuid4().hex, "seat": seat, "buy_in": buy_in})
    assert answer.status_code == 200, answer.text


def betting(table: Table) -> bool:
    return table.round is not None and table.round.phase is Phase.BETTING and not table.round.stakes


def bet(site: Running, client: Client, table: str, wager: str = "tie", amount: str = "5.00") -> int:
    """Wager in the next round; its number."""
    state = site.until(table, betting)
    answer = client.command(table, "place-wager", place=1, wager=wager, amount=amount)
    assert answer.status_code == 200, answer.text
    return state.rounds


def over(site: Running, table: str, number: int) -> None:
    """Wait for the end of a round."""
    site.until(table, lambda state: state.rounds > number or state.round is None)


# ------------------------------------------------ looking


@pytest.mark.clause("PLY-1")
def test_chips_in_the_dealers_hand_are_in_play() -> None:
    """A spoken wager that waits to be set down (D21-5.4b) is nobody else's money."""
    play = Play("dragon-21")
    play.open_betting()
    before = seated_at("T1", play.table, "ann")
    play.does(SpeakWager, "ann", place=1, wager="dragon", amount=100_00, chips=(100_00,))
    after = seated_at("T1", play.table, "ann")
    assert before
    assert after
    assert (after.chips, after.staked) == (before.chips - 100_00, 100_00)


def test_the_lobby_and_a_table_as_a_stranger_sees_it(site: Running, table: str, ann: Client) -> None:
    sit(ann, table)
    stranger = site.client()
    entry = next(each for each in stranger.get_json("/api/tables") if each["table"] == table)
    assert (entry["game"], entry["open"], entry["dealer"], entry["taken"]) == ("dragon-tiger", True, "automatic", 1)
    assert (entry["minimum"], entry["maximum"]) == ("5.00", "100.00")
    whole = stranger.get_json(f"/api/tables/{table}")
    assert (entry["play_money"], whole["play_money"]) == (False, False)
    seen = whole["view"]
    assert (seen["role"], seen["balance"], seen["balances"]) == ("spectator", None, None)
    assert [each["seat"] for each in seen["seats"].values()] == [1]
    own = ann.get_json(f"/api/tables/{table}")["view"]
    assert (own["balance"], own["seats"][own["viewer"]]["seat"]) == ("50.00", 1)
    pit = site.signed_in("sue").get_json(f"/api/tables/{table}")["view"]
    assert pit["seats"]["ann"]["seat"] == 1
    assert pit["balances"]["patron:ann"] == "50.00"


def test_what_has_not_changed_is_not_sent_again(site: Running, table: str) -> None:
    client = site.client()
    first = client.get(f"/api/tables/{table}")
    again = client.get(f"/api/tables/{table}", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = site.signed_in("sue").get(f"/api/tables/{table}", headers={"If-None-Match": first.headers["etag"]})
    assert other.status_code == 200


@pytest.mark.clause("RUL-1", "RUL-2")
def test_what_a_table_pays_and_its_exact_odds_are_told_to_everybody(site: Running, table: str) -> None:
    told = site.client().get_json(f"/api/tables/{table}/rules")
    assert told["odds"]["wagers"]["tie"]["ev"] == "-43/415"
    lines = told["rules"]["wagers"]["tie"]["lines"]
    assert [(line["pays"], line["clauses"][0]) for line in lines if line["pays"]] == [("11:1", "DT-4.1c")]
    same = site.client().get_json("/api/games/dragon-tiger", decks=told["odds"]["decks"])
    assert same["odds"] == told["odds"]
    assert site.client().get("/api/games/dragon-tiger", params={"decks": 99}).status_code == 400


@pytest.mark.clause("RUL-3")
def test_the_rules_of_an_earlier_round_are_told_by_their_digest(site: Running, table: str) -> None:
    now, old = site.client().get_json(f"/api/tables/{table}/rules"), load_game(find("dragon-21"))
    same = site.client().get_json(f"/api/tables/{table}/rules", digest=now["digest"])
    assert same == now
    unknown = site.client().get(f"/api/tables/{table}/rules", params={"digest": old.digest})
    assert unknown.status_code == 404
    assert site.client().get(f"/api/tables/{table}/rules", params={"digest": "x"}).status_code == 400

    async def adopted(house: House) -> None:
        file = find("dragon-tiger").read_text(encoding="utf-8").replace('pays = "11:1"', 'pays = "8:1"')
        earlier.append(load(read_text(file, "an earlier file")))
        house.store.adopt(table, earlier[0])

    earlier: list[Game] = []
    site.do(adopted)
    found = site.client().get_json(f"/api/tables/{table}/rules", digest=earlier[0].digest)
    assert found["digest"] == earlier[0].digest
    assert found["rules"]["wagers"]["tie"]["lines"][0]["pays"] == "8:1"


def test_a_table_takes_the_words_of_our_own_file_where_it_plays_the_same() -> None:
    text = find("dragon-tiger").read_text(encoding="utf-8").partition("[translations.")[0]
    assert _loaded_game(text, ()) is load_game(find("dragon-tiger"))
    other = _loaded_game(text.replace('pays = "11:1"', 'pays = "8:1"'), ())
    assert other.name.by_language == {"en": "Dragon Tiger"}


def test_what_is_open_to_me_would_be_accepted(site: Running, table: str, ann: Client) -> None:
    sit(ann, table)
    site.until(table, betting)
    acts = ann.get_json(f"/api/tables/{table}/acts")
    wagers = [each for each in acts["ready"] if each["command"] == "place-wager"]
    assert wagers
    assert "cash-out" in acts["told"]
    for each in (*acts["ready"], *({"command": name} for name in acts["told"])):
        assert each["command"] in ACCEPTED
    answer = ann.post(f"/api/tables/{table}/commands", json={"id": "open-1", "command": wagers[0]})
    assert answer.status_code == 200, answer.text


def test_staff_are_offered_what_they_may_do_before_they_have_done_anything_there(site: Running, table: str) -> None:
    told = site.signed_in("gus").get_json(f"/api/tables/{table}/acts")
    assert "suspend-table" in told["told"]
    assert site.signed_in("alba").get_json(f"/api/tables/{table}/acts") == {
        "sequence": told["sequence"],
        "ready": [],
        "told": [],
        "due": None,
        "turns": None,
        "result": None,
        "above": [],
        "seconds": {},
        "awaited": None,
    }


# ------------------------------------------------ playing


@pytest.mark.clause("MON-1", "MON-3", "PLY-1")
def test_an_evening_from_the_wallet_to_the_table_and_back(site: Running, table: str, ann: Client) -> None:
    before = ann.get_json("/api/me")
    sit(ann, table, "50.00")
    seated = ann.get_json("/api/me")
    assert float(seated["balance"]) == float(before["balance"]) - 50
    assert (seated["chips"], seated["tables"][0]["table"]) == ("50.00", table)
    number = bet(site, ann, table, "dragon", "10.00")
    over(site, table, number)
    played = ann.get_json("/api/me/rounds", limit=1)["rounds"][0]
    assert (played["table"], played["round"], played["staked"]) == (table, number, "10.00")
    after = ann.get_json("/api/me")
    assert float(after["chips"]) == 50 + float(played["net"])
    assert float(after["session_net"]) == float(played["net"])
    answer = ann.delete(f"/api/tables/{table}/seat", params={"id": "leave-1"})
    assert answer.status_code == 200, answer.text
    gone = ann.get_json("/api/me")
    assert float(gone["balance"]) == float(before["balance"]) + float(played["net"])
    assert (gone["chips"], gone["tables"]) == ("0.00", [])


def test_whoever_leaves_under_the_longest_id_takes_back_the_wager_with_the_longest_name(
    site: Running, ann: Client
) -> None:
    table = site.open_table(f"T-{uuid4().hex[:8]}", "immortal-dragon-tiger", minimum="5.00", maximum="100.00")
    sit(ann, table, "50.00")
    bet(site, ann, table, "immortal-dragon", "5.00")
    answer = ann.delete(f"/api/tables/{table}/seat", params={"id": "x" * COMMAND_ID_MAX})
    assert answer.status_code == 200, answer.text
    assert ann.get_json("/api/me")["tables"] == []


def test_chips_are_bought_with_what_is_in_the_wallet_and_no_more(table: str, ann: Client) -> None:
    sit(ann, table, None)
    assert ann.post(f"/api/tables/{table}/chips", json={"id": "c1", "amount": "20.00"}).status_code == 200
    answer = ann.post(f"/api/tables/{table}/chips", json={"id": "c2", "amount": "99999.00"})
    assert (answer.status_code, answer.json()["clause"]) == (409, "MON-3")
    assert ann.get_json("/api/me")["chips"] == "20.00"


@pytest.mark.clause("REC-3")
def test_sent_twice_done_once_and_the_same_id_for_something_else_is_told(
    site: Running, table: str, ann: Client
) -> None:
    sit(ann, table)
    site.until(table, betting)
    wager = {"place": 1, "wager": "tie", "amount": "5.00"}
    first = ann.command(table, "place-wager", id="w1", **wager)
    again = ann.command(table, "place-wager", id="w1", **wager)
    assert first.status_code == again.status_code == 200
    assert {**first.json(), "duplicate": True} == again.json()
    other = ann.command(table, "place-wager", id="w1", **{**wager, "amount": "6.00"})
    assert (other.status_code, other.json()["type"]) == (409, "/api/problems#id-reused")
    assert ann.get_json("/api/me")["staked"] in ("5.00", "0.00")


@pytest.mark.clause("REC-3")
def test_an_id_is_remembered_by_what_is_stored_as_well(site: Running, table: str, ann: Client) -> None:
    """As after a restart, or at another node: what this process remembers is gone."""
    sit(ann, table)
    site.until(table, betting)
    wager = {"place": 1, "wager": "tie", "amount": "5.00"}
    assert ann.command(table, "place-wager", id="w2", **wager).status_code == 200
    refused = ann.command(table, "place-wager", id="w3", **{**wager, "amount": "5000.00"})
    assert refused.json()["type"] == "/api/problems#refused"
    site.forget_ids()
    assert ann.command(table, "place-wager", id="w2", **wager).json()["duplicate"]
    again = ann.command(table, "place-wager", id="w3", **{**wager, "amount": "5000.00"})
    assert again.json()["detail"] == refused.json()["detail"]
    site.forget_ids()
    for id in ("w2", "w3"):
        other = ann.command(table, "place-wager", id=id, **{**wager, "wager": "dragon"})
        assert (other.status_code, other.json()["type"]) == (409, "/api/problems#id-reused")


@pytest.mark.clause("REC-3", "MON-3")
@pytest.mark.parametrize("forgets", [False, True], ids=["the same node", "another, or after a restart"])
def test_seats_and_chips_are_for_one_id_as_well(site: Running, table: str, ann: Client, forgets: bool) -> None:
    def asks(what: str, **told: object) -> tuple[int, object]:
        if forgets:
            site.forget_ids()
        answer = ann.post(f"/api/tables/{table}/{what}", json=told)
        return answer.status_code, answer.json().get("duplicate", answer.json().get("type"))

    other = (409, "/api/problems#id-reused")
    come = {"id": "s1", "seat": 1, "buy_in": "50.00"}
    assert asks("seat", **come) == (200, False)
    assert asks("seat", **come) == (200, True)
    assert asks("seat", **{**come, "buy_in": "60.00"}) == other
    assert asks("seat", **{**come, "seat": 2}) == other
    assert asks("chips", id="c1", amount="10.00") == (200, False)
    assert asks("chips", id="c1", amount="10.00") == (200, True)
    assert asks("chips", id="c1", amount="20.00") == other
    assert ann.get_json(f"/api/tables/{table}")["view"]["balance"] == "60.00"


@pytest.mark.clause("MON-2")
@pytest.mark.parametrize("nothing", ["0", "0.00"])
def test_a_buy_in_of_nothing_is_no_buy_in(table: str, ann: Client, nothing: str) -> None:
    seat = f"/api/tables/{table}/seat"
    answer = ann.post(seat, json={"id": "s1", "seat": 1, "buy_in": nothing})
    assert (answer.status_code, answer.json()["clause"]) == (400, "MON-2")
    assert answer.json()["message"] == {"code": "amount-not-above-zero", "args": {"field": "buy_in"}}
    assert ann.post(seat, json={"id": "s2", "seat": 1}).status_code == 200  # without one, chips are bought later


@pytest.mark.clause("REC-3")
def test_the_id_stands_in_the_body_or_in_a_header(site: Running, table: str, ann: Client) -> None:
    sit(ann, table)
    site.until(table, betting)
    asked = {"command": {"command": "place-wager", "place": 1, "wager": "tie", "amount": "5.00"}}
    place = f"/api/tables/{table}/commands"
    assert ann.post(place, json=asked).status_code == 400
    assert ann.post(place, json=asked, headers={"Idempotency-Key": "k1"}).status_code == 200
    assert ann.post(place, json={**asked, "id": "k1"}).json()["duplicate"]
    two = ann.post(place, json={**asked, "id": "k1"}, headers={"Idempotency-Key": "k2"})
    assert (two.status_code, two.json()["message"]["code"]) == (400, "two-command-ids")


def test_what_the_rules_do_not_allow_is_told_with_the_clause_and_the_remedy(
    site: Running, table: str, ann: Client
) -> None:
    sit(ann, table, "5.00")
    site.until(table, betting)
    answer = ann.command(table, "place-wager", place=1, wager="dragon", amount="50.00")
    told = answer.json()
    assert (answer.status_code, told["type"], answer.headers["content-type"]) == (
        409,
        "/api/problems#refused",
        "application/problem+json",
    )
    assert (told["clause"], told["remedy"]["code"]) == ("MON-3", "buy-chips-first")


WRONG_AMOUNTS = (5, 5.0, True, None, "5,00", "5.001", "1e3", "-5.00", "NaN", " 5.00", "५", "9" * 50, ["5.00"])


@pytest.mark.parametrize("amount", WRONG_AMOUNTS, ids=repr)
@pytest.mark.clause("MON-2")
def test_an_amount_is_a_decimal_string_and_nothing_else(site: Running, amount: object) -> None:
    table = "amounts" if "amounts" in site.house.tables else site.open_table("amounts")
    answer = site.signed_in("bob").command(table, "place-wager", place=1, wager="tie", amount=amount)
    assert (answer.status_code, "amount" in answer.json()["detail"]) == (400, True)


@pytest.mark.clause("SEC-1", "RUL-6")
def test_a_patron_tries_every_command_of_every_position(site: Running, table: str, ann: Client) -> None:
    """Whatever is asked, nothing happens that only staff or the house may do."""
    sit(ann, table)
    site.until(table, betting)
    for name in (*ACCEPTED, "commit-shuffle", "reveal-shuffle", "open-table", "record-state"):
        for position in (None, "casino-operator"):
            answer = ann.command(table, name, position=position)
            assert answer.status_code in (200, 400, 409), (name, answer.text)
            if position is not None:
                assert answer.status_code != 200
    state = site.until(table, lambda _: True)
    assert (state.suspended, state.stopped, state.staff.get("ann")) == (None, "", None)


# ------------------------------------------------ opening and closing


@pytest.mark.clause("OPS-1", "SEC-1")
def test_a_table_is_opened_by_two_who_count_and_closed_by_two(site: Running) -> None:
    sue = site.signed_in("sue")
    site.open_table("approves", "dragon-tiger")  # the rules, for this house
    asked = {
        "table": "T9",
        "game": "dragon-tiger",
        "dealer": "human",
        "device": "hand-shoe",
        "equipment": STANDING,
        "float": "900.00",
    }
    alone = sue.post("/api/tables", json={"id": "o1", **asked})
    assert (alone.status_code, alone.json()["clause"]) == (409, "OPS-1")
    forged = {"person": "dee", "password": "not hers"}
    assert sue.post("/api/tables", json={"id": "o2", **asked, "signatures": [forged]}).status_code == 409
    signed = {"person": "dee", "password": PASSWORD}
    opened = sue.post("/api/tables", json={"id": "o3", **asked, "signatures": [signed]})
    assert opened.status_code == 201, opened.text
    again = sue.post("/api/tables", json={"id": "o3", **asked, "signatures": [signed]})
    assert again.json() == {**opened.json(), "duplicate": True}
    site.forget_ids()
    for other in ({"float": "950.00"}, {"maximum": "100.00"}, {"game": "dragon-21"}, {"counted": {"100.00": 9}}):
        told = sue.post("/api/tables", json={"id": "o3", **asked, **other, "signatures": [signed]}).json()
        assert told["type"] == "/api/problems#id-reused", other
    close = {"command": "close-table", "float_counted": "900.00", "counted_by": ["sue", "dee"]}
    place = "/api/tables/T9/commands"
    unsigned = sue.post(place, json={"id": "x1", "command": close})
    assert (unsigned.status_code, unsigned.json()["clause"]) == (409, "SEC-1")
    closed = sue.post(place, json={"id": "x1", "command": close, "signatures": [signed]})
    assert closed.status_code == 200, closed.text
    assert site.client().get_json("/api/tables/T9")["view"]["open"] is False


@pytest.mark.clause("OPS-1", "SEC-1")
def test_a_closing_that_is_refused_is_told_so(site: Running) -> None:
    """A refusal is on record under the id of whoever asked, and is no success."""
    site.open_table("T11", "dragon-tiger", dealer="human", float="900.00")
    sue, signed = site.signed_in("sue"), [{"person": "dee", "password": PASSWORD}]
    alone = sue.post("/api/tables/T11/closing", json={"id": "c1", "float_counted": "900.00"})
    assert (alone.status_code, alone.json()["clause"]) == (409, "OPS-1")
    asked = {"id": "c2", "float_counted": "1.00", "signatures": signed}
    for _ in range(2):
        wrong = sue.post("/api/tables/T11/closing", json=asked)
        assert (wrong.status_code, wrong.json()["clause"]) == (409, "OPS-1")
    asked = {"id": "c3", "float_counted": "900.00", "signatures": signed}
    closed = sue.post("/api/tables/T11/closing", json=asked)
    assert closed.status_code == 200, closed.text
    assert sue.post("/api/tables/T11/closing", json=asked).json() == {**closed.json(), "duplicate": True}
    site.forget_ids()
    other = sue.post("/api/tables/T11/closing", json={**asked, "float_counted": "901.00"})
    assert other.json()["type"] == "/api/problems#id-reused"


def test_the_deal_of_an_automatic_table_is_given_back(site: Running, table: str, ann: Client) -> None:
    """Whoever has taken it need not be there any more: any dealer says that the house deals again."""
    sit(ann, table)
    dee, sue, place = site.signed_in("dee"), site.signed_in("sue"), f"/api/tables/{table}/deal"
    site.until(table, betting)
    assert sue.delete(place, params={"id": "d0"}).status_code == 409  # nobody has taken it
    assert dee.command(table, "take-the-deal").status_code == 200
    assert ann.delete(place, params={"id": "d1"}).status_code == 403
    given = sue.delete(place, params={"id": "d1"})
    assert given.status_code == 200, given.text
    assert sue.delete(place, params={"id": "d1"}).json() == {**given.json(), "duplicate": True}
    over(site, table, bet(site, ann, table))
    site.open_table("T12", "dragon-tiger", dealer="human")
    assert sue.delete("/api/tables/T12/deal", params={"id": "d2"}).status_code == 409


@pytest.mark.clause("RUL-4")
def test_a_table_opens_only_with_rules_that_are_approved(site: Running) -> None:
    sue, signed = site.signed_in("sue"), [{"person": "dee", "password": PASSWORD}]
    asked = {"table": "T10", "game": "dragon-bonus-online", "signatures": signed, "maximum": "100.00"}
    refused = sue.post("/api/tables", json={"id": "o4", **asked})
    assert (refused.status_code, refused.json()["clause"]) == (409, "RUL-4")
    why = {"id": "a1", "why": "as the authority wrote"}
    assert sue.post("/api/games/dragon-bonus-online/approval", json=why).status_code == 403
    early = {"id": "a0", "why": "for last year", "effective": 1_700_000_000_000}
    (entry,) = (each for each in sue.get_json("/api/games") if each["id"] == "immortal-dragon-tiger")
    before = site.signed_in("gus").post("/api/games/immortal-dragon-tiger/approval", json=early)
    assert (before.status_code, before.json()["message"]["code"]) == (409, "approved-before-in-force")
    assert entry["in_force"] == "2025-07-28T09:00:00+08:00"
    assert entry in sue.get_json("/api/games")  # approved as before, or not at all
    assert site.signed_in("gus").post("/api/games/dragon-bonus-online/approval", json=why).status_code == 200
    assert sue.post("/api/tables", json={"id": "o5", **asked}).status_code == 201


# ------------------------------------------------ rounds that are over


@pytest.mark.clause("LOG-9")
def test_the_last_rounds_are_recalled_card_by_card(site: Running, table: str, ann: Client) -> None:
    sit(ann, table, "60.00")
    for _ in range(11):
        over(site, table, bet(site, ann, table))
    stranger = site.client()
    page = stranger.get_json(f"/api/tables/{table}/rounds", limit=10)
    assert len(page["rounds"]) == 10
    assert page["before"] == page["rounds"][-1]["number"]
    older = stranger.get_json(f"/api/tables/{table}/rounds", before=page["before"])
    assert [each["number"] for each in older["rounds"]] == [1]
    for entry in page["rounds"]:
        told = stranger.get_json(f"/api/tables/{table}/rounds/{entry['number']}")
        assert (told["recall"], told["winner"], told["void"]) == (True, entry["winner"], False)
        assert (told["version"], told["in_force"]) == ("2013-07-17", "2013-07-17T00:00:00+08:00")
        assert [card["hand"] for card in told["cards"]] == ["dragon", "tiger"]
        assert all(card["shown"] and card["face"] for card in told["cards"])
        names = [event["name"] for event in told["events"]]
        assert names[0] == "round-started"
        assert names[-1] == "round-ended"
        assert [name for name in names if name == "card-drawn"] == ["card-drawn"] * 2
        assert told["staked"] == {"tie": "5.00"}
        for client, viewer in ((ann, "#1"), (site.signed_in("dee"), "ann")):
            told = client.get_json(f"/api/tables/{table}/rounds/{entry['number']}")
            settled = next(event["told"] for event in told["events"] if event["name"] == "wager-settled")
            assert settled["stake"]["patron"] == viewer
        assert told["staff"]["dealt_by"] == ["auto-dealer"]
        (wagered,) = told["staff"]["wagers"]
        assert (wagered["patron"], wagered["place"], wagered["wager"], wagered["amount"]) == ("ann", 1, "tie", "5.00")
        assert (wagered["placed_by"], wagered["net"]) == ("ann", settled["net"])
        assert told["shuffled_here"] is True
        for client in (stranger, site.signed_in("bob")):
            told = client.get_json(f"/api/tables/{table}/rounds/{entry['number']}")
            assert (told["viewer"], told["staff"]) == ("", None)
            assert not [event for event in told["events"] if event["name"].startswith("wager-")]
    assert stranger.get(f"/api/tables/{table}/rounds/99").status_code == 404
    assert stranger.get(f"/api/tables/{table}/rounds/0").status_code == 404


@pytest.mark.clause("RUL-1")
def test_whoever_reads_a_clause_is_told_what_it_asks(site: Running) -> None:
    client = site.client()
    told = client.get_json("/api/clauses/IDT-3.13-B4")
    assert told["document"].startswith("Immortal Dragon Tiger Baccarat")
    assert (told["place"], "4" in told["requirement"]) == ("3.13 table, Banker 4", True)
    assert client.get_json("/api/clauses/PLY-1")["requirement"]
    assert client.get("/api/clauses/IDT-99").status_code == 404


def test_people_are_told_whether_they_have_a_password(ann: Client) -> None:
    assert ann.get_json("/api/me")["has_password"] is True


@pytest.mark.clause("IDT-7-Ab", "IDT-7-Ea")
@pytest.mark.parametrize("name", ["庄", "莊", "Banker"])
def test_a_wager_over_http_may_be_named_as_the_layout_calls_it(site: Running, ann: Client, name: str) -> None:
    limits = {"闲": {"max": "80.00"}}
    table = site.open_table(
        f"T-{uuid4().hex[:8]}", "immortal-dragon-tiger", dealer="human", minimum="5.00", limits=limits
    )
    sit(ann, table)
    dee = site.signed_in("dee")
    assert dee.post(f"/api/tables/{table}/shoe?id={uuid4().hex}").is_success
    assert dee.command(table, "take-the-deal").is_success
    site.until(table, lambda state: state.shoe is not None)
    assert dee.command(table, "call-place-your-bets").is_success
    placed = ann.command(table, "place-wager", place=1, wager=name, amount="25.00")
    assert placed.status_code == 200, placed.text
    view = ann.get_json(f"/api/tables/{table}")["view"]
    assert [each["wager"] for each in view["round"]["stakes"].values()] == ["banker"]
    assert view["notice"]["limits"]["player"]["max"] == "80.00"
    assert ann.command(table, "take-wager-back", place=1, wager=name).is_success
