"""A dealer who colludes with a patron, over HTTP: each of these was accepted and paid once, and is refused or waits now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from longhu.positions import Position
from longhu.server.house import House
from longhu.server.streams.commands import SYSTEM
from tests.server.running import PASSWORD, Client, Running, agreed, quick, running


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(quick(tmp_path_factory.mktemp("collusion") / "house.db")) as server:
        server.staffed()

        async def made(house: House) -> None:
            agreed(await house.people.create(SYSTEM, "dora", "Dora", PASSWORD, Position.DEALER))

        server.do(made)
        yield server


@pytest.fixture
def dee(site: Running) -> Client:
    return site.signed_in("dee")


def given(client: Client, table: str, name: str, **fields: Any) -> None:
    answer = client.command(table, name, **fields)
    assert answer.status_code == 200, answer.text


def found(client: Client, table: str, name: str, signatures: list[dict[str, str]] | None = None, **fields: Any) -> str:
    """What came of a command: "waits", "done", or the code of the refusal."""
    told = {"id": uuid4().hex, "command": {"command": name, **fields}, "signatures": signatures or []}
    answer = client.post(f"/api/tables/{table}/commands", json=told)
    if answer.status_code != 200:
        return str(answer.json()["message"]["code"])
    return "waits" if client.get_json(f"/api/tables/{table}/acts")["awaited"] else "done"


def dealt(site: Running, dee: Client, *cards: str, **told: Any) -> str:
    """Real cards and chips, ann with 10.00 on Player, and these cards out."""
    told = {"device": "hand-shoe", "chips": "physical", "method": "B", "minimum": "5.00", "maximum": "50.00", **told}
    game, wager = told.pop("game", "immortal-dragon-tiger"), told.pop("wager", "player")
    table = site.open_table(f"T-{uuid4().hex[:8]}", game, dealer="human", **told)
    given(dee, table, "load-shoe")
    ann = site.signed_in("ann")
    sat = ann.post(f"/api/tables/{table}/seat", json={"id": uuid4().hex, "seat": 1, "buy_in": "20.00"})
    assert sat.status_code == 200, sat.text
    given(dee, table, "call-place-your-bets")
    given(ann, table, "place-wager", place=1, wager=wager, amount="10.00")
    given(dee, table, "call-no-more-bets")
    for card in cards:
        given(dee, table, "draw-card", card=card)
    return table


FOUR = ("2D", "KC", "3D", "6C")  # Player 5, Banker 6
OFF: dict[str, Any] = {"patron": "ann", "place": 2, "wager": "banker", "amount": "1.00"}


@pytest.mark.clause("SEC-1")
@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("report-off-limits-wager", OFF),
        *(
            ("report-irregularity", {"kind": kind})
            for kind in ("foreign-card", "extra-card", "missing-card", "unshuffled-cards", "order-altered")
        ),
        ("draw-cards-together", {"order_known": False, "cards": ["KH", "KD"]}),
        ("report-mislaid-cards", {"lies": ["banker", "player", "banker", "player"], "recoverable": False}),
    ],
)
def test_what_a_dealer_says_of_cards_and_chips_waits_for_a_second_person(
    site: Running, dee: Client, name: str, fields: dict[str, Any]
) -> None:
    table = dealt(site, dee, *FOUR)
    before = site.until(table, lambda state: state.round is not None)
    assert found(dee, table, name, **fields) == "waits"
    assert found(dee, table, "announce-totals") == "confirmation-pending"
    assert found(dee, table, "confirm-report", number=1) == "reported-it-themselves"
    now = site.until(table, lambda state: state.awaited is not None)
    assert now.balances == before.balances
    sue = site.signed_in("sue")
    awaited = sue.get_json(f"/api/tables/{table}/acts")["awaited"]
    assert (awaited["by"], awaited["needed"], awaited["command"]["command"]) == ("dee", "pit-supervisor", name)
    given(sue, table, "reject-report", number=1, reason="it is not so")
    assert site.until(table, lambda state: state.awaited is None).round == before.round


@pytest.mark.clause("SEC-1")
def test_no_signature_but_a_colleagues_own_is_a_second_person(site: Running, dee: Client) -> None:
    table = dealt(site, dee, *FOUR)

    def signed(person: str, password: str) -> str:
        return found(dee, table, "report-off-limits-wager", [{"person": person, "password": password}], **OFF)

    assert signed("dee", PASSWORD) in ("person-signs-twice", "cosigner-is-actor")
    assert signed("sue", "a guess") == "sign-in-wrong"
    told = {"id": uuid4().hex, "command": {"command": "report-off-limits-wager", **OFF, "cosigned_by": ["sue"]}}
    assert dee.post(f"/api/tables/{table}/commands", json=told).status_code == 400  # the wire says nothing of it
    assert signed("ann", PASSWORD) in ("cosigner-not-staff", "nothing-to-cosign", "staff-do-not-play", "plays-here")
    assert signed("sue", PASSWORD) == "done"


@pytest.mark.clause("SEC-1")
def test_a_colleague_confirms_at_the_dealers_screen(site: Running, dee: Client) -> None:
    table = dealt(site, dee, *FOUR)
    assert found(dee, table, "report-off-limits-wager", **OFF) == "waits"
    told = {
        "id": uuid4().hex,
        "command": {"command": "confirm-report", "number": 1},
        "by": "sue",
        "signatures": [{"person": "sue", "password": PASSWORD}],
    }
    answer = dee.post(f"/api/tables/{table}/commands", json=told)
    assert answer.status_code == 200, answer.text
    assert site.until(table, lambda state: state.awaited is None).round is not None


@pytest.mark.clause("SEC-1")
def test_a_power_failure_and_the_patrons_answer_to_it_are_not_one_persons(site: Running, dee: Client) -> None:
    table = dealt(site, dee, "2D")
    assert found(dee, table, "report-power-failure") == "waits"
    given(site.signed_in("sue"), table, "confirm-report", number=1)
    answer: dict[str, Any] = {"patron": "ann", "withdraw": True}
    assert found(dee, table, "answer-withdrawal-offer", **answer) == "second-person-needed"
    assert "answer-withdrawal-offer" in dee.get_json(f"/api/tables/{table}/acts")["seconds"]


@pytest.mark.clause("SEC-1", "MON-3")
def test_where_the_program_keeps_cards_and_chips_there_is_nothing_to_report(site: Running) -> None:
    """An automatic table, and a dealer who never took its deal."""
    dee, table = site.signed_in("dee"), site.open_table(f"T-{uuid4().hex[:8]}", "immortal-dragon-tiger", method="B")
    ann = site.signed_in("ann")
    sat = ann.post(f"/api/tables/{table}/seat", json={"id": uuid4().hex, "seat": 1, "buy_in": "5.00"})
    assert sat.status_code == 200, sat.text
    assert found(dee, table, "report-off-limits-wager", **OFF) == "all-chips-recorded"
    assert found(dee, table, "report-irregularity", kind="missing-card") == "no-real-cards"
    assert found(dee, table, "draw-cards-together", order_known=True) == "no-real-cards"
    assert found(dee, table, "report-power-failure") in ("nobody-deals", "another-deals")
    assert found(dee, table, "cancel-expired-round") == "house-does-this"


@pytest.mark.clause("IDT-3.9.1", "SEC-1")
def test_a_dealer_without_the_deal_reports_nothing(site: Running, dee: Client) -> None:
    table = dealt(site, dee, *FOUR)
    dora, sue = site.signed_in("dora"), site.signed_in("sue")
    assert found(dora, table, "report-off-limits-wager", **OFF) == "another-deals"
    assert found(dora, table, "report-irregularity", kind="missing-card") == "another-deals"
    assert found(sue, table, "report-off-limits-wager", **OFF) == "waits"  # a higher position may, and waits as well
    given(dee, table, "confirm-report", number=1)


@pytest.mark.clause("IDT-6.1", "SEC-1")
def test_a_shift_manager_alone_voids_nothing(site: Running, dee: Client) -> None:
    table, gus = dealt(site, dee, *FOUR), site.signed_in("gus")
    given(dee, table, "report-incident", told="a glass fell")
    assert found(gus, table, "make-ruling", decision="void", reason="nobody could see") == "waits"
    given(dee, table, "confirm-report", number=1)
    assert site.until(table, lambda state: state.round is None).balances["patron:ann"] == 20_00


@pytest.mark.clause("DBO-MALF-1", "SEC-1")
def test_a_paid_round_is_not_reversed_by_one(site: Running, dee: Client) -> None:
    told = {"game": "dragon-bonus-online", "wager": "banker", "method": "", "minimum": "1.00"}
    table = dealt(site, dee, "9S", "2C", "KD", "5H", **told)
    given(dee, table, "announce-result", winner="player")
    given(dee, table, "settle-round")
    lost = site.until(table, lambda state: state.round is None).balances
    assert found(dee, table, "report-malfunction", number=1) == "waits"
    assert site.until(table, lambda state: state.awaited is not None).balances == lost
    given(site.signed_in("sue"), table, "confirm-report", number=1)
    assert site.until(table, lambda state: state.awaited is None).balances["patron:ann"] == 20_00


@pytest.mark.clause("IDT-3.10", "SEC-1")
def test_a_patron_who_holds_real_cards_names_no_face(site: Running, dee: Client) -> None:
    table = dealt(site, dee, "", "", "", "", method="A")
    given(dee, table, "pass-hands", first="player")
    ann = site.signed_in("ann")
    before = site.until(table, lambda state: state.round is not None and state.round.passed)
    assert found(ann, table, "reveal-hand", hand="player", cards=["9H", "KH"]) == "holder-names-no-card"
    assert found(ann, table, "correct-card", laid=0, card="9H") == "position-too-low"
    assert found(ann, table, "confirm-report", number=1) == "position-too-low"
    assert site.until(table, lambda state: state.round is not None).round == before.round


@pytest.mark.clause("SEC-1")
@pytest.mark.parametrize("signer", ["dee", "ann", "dora"])
def test_nobody_gives_a_command_in_anothers_name(site: Running, dee: Client, signer: str) -> None:
    """`by` names who of those that have signed gives it; a position is nobody's to say."""
    table = dealt(site, dee, *FOUR)
    told: dict[str, Any] = {"command": {"command": "report-irregularity", "kind": "missing-card"}, "by": "sue"}
    signatures = [] if signer == "dee" else [{"person": signer, "password": PASSWORD}]
    answer = dee.post(f"/api/tables/{table}/commands", json={"id": uuid4().hex, "signatures": signatures, **told})
    assert answer.status_code in (400, 403, 409, 422), answer.text
    for position in ("pit-supervisor", "casino-operator", "surveillance"):
        raised = found(dee, table, "report-irregularity", kind="missing-card", position=position)
        assert raised == "position-not-held"
    assert site.until(table, lambda state: state.round is not None).awaited is None
