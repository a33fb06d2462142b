"""Nominees over HTTP: what the house notes on an account comes with its owner to every table (D21-2.2.h)."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import httpx
import pytest

from tests.server.running import Client, Running, quick, running


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(quick(tmp_path_factory.mktemp("nominees") / "house.db")) as server:
        server.staffed()
        server.open_table("T1", "dragon-21", dealer="human")
        yield server


def noted(client: Client, person: str, association: str, why: str = "told by the staff office") -> httpx.Response:
    act = {"act": "set-association", "association": association, "why": why}
    return client.post(f"/api/people/{person}/acts", json={"id": uuid4().hex, "act": act})


def found(answer: httpx.Response) -> tuple[int, str, str]:
    told = answer.json()
    return answer.status_code, told["message"]["code"], told["clause"]


@pytest.mark.clause("D21-2.2.h")
@pytest.mark.parametrize("comes", ["seat", "command"])
@pytest.mark.parametrize("association", ["employee", "associate", "contractor"])
def test_whoever_works_at_the_casino_is_refused_as_a_nominee(site: Running, association: str, comes: str) -> None:
    ann, bob, pat, sue = (site.signed_in(person) for person in ("ann", "bob", "pat", "sue"))
    assert ann.post(
        "/api/tables/T1/seat", json={"id": f"ann-{association}-{comes}", "seat": 1, "buy_in": "50.00"}
    ).is_success
    told = noted(pat, "bob", association)
    assert told.is_success, told.text
    assert pat.get_json("/api/people/bob")["association"] == association

    def joined(id: str) -> httpx.Response:
        if comes == "seat":
            return bob.post("/api/tables/T1/seat", json={"id": id, "seat": 2, "buy_in": "50.00"})
        return bob.command("T1", "join-table", seat=2)

    assert joined(f"bob-{association}-{comes}").is_success
    assert found(ann.command("T1", "name-nominee", person="bob")) == (409, "barred-as-nominee", "D21-2.2.h")
    assert found(sue.command("T1", "approve-nominee", patron="ann"))[0] == 409
    assert bob.delete("/api/tables/T1/seat", params={"id": f"off-{association}-{comes}"}).is_success

    assert noted(pat, "bob", "none", "has left the casino").is_success
    assert joined(f"again-{association}-{comes}").is_success
    assert ann.command("T1", "name-nominee", person="bob").is_success
    assert sue.command("T1", "approve-nominee", patron="ann").is_success
    assert sue.command("T1", "end-nominee", patron="ann").is_success
    for client, id in ((bob, "bob"), (ann, "ann")):
        assert client.delete("/api/tables/T1/seat", params={"id": f"end-{id}-{association}-{comes}"}).is_success


def test_a_pit_manager_notes_it_with_a_reason_and_nobody_below(site: Running) -> None:
    sue, pat, ann = (site.signed_in(person) for person in ("sue", "pat", "ann"))
    assert found(noted(sue, "ann", "associate"))[1:] == ("position-too-low", "SEC-1")
    assert found(noted(pat, "ann", "associate", why=" "))[1:] == ("reason-missing", "LOG-4")
    assert "set-association" not in sue.get_json("/api/people/ann")["may"]
    assert "set-association" not in pat.get_json("/api/people/dee")["may"]
    assert (
        ann.post(
            "/api/people/ann/acts", json={"id": "own", "act": {"act": "set-association", "association": "none"}}
        ).status_code
        == 403
    )
