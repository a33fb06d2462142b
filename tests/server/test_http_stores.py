"""The same server on either store: an evening, and two sessions that want to spend the same money."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from longhu.audit.verify import verify
from longhu.table.state import Phase, Table
from tests.server.running import Client, Running, quick, running


@pytest.fixture
def site(database: str) -> Iterator[Running]:
    with running(quick(database)) as server:
        server.staffed()
        yield server


def betting(table: Table) -> bool:
    return table.round is not None and table.round.phase is Phase.BETTING


def over(number: int) -> Callable[[Table], bool]:
    return lambda table: table.rounds > number or table.round is None


@pytest.mark.clause("MON-1", "MON-3", "LOG-9")
def test_an_evening_and_what_is_left_of_it(site: Running) -> None:
    site.open_table("T1", minimum="5.00", maximum="100.00")
    ann, alba = site.signed_in("ann"), site.signed_in("alba")
    assert site.client().get_json("/readyz")["ready"]
    assert ann.post("/api/tables/T1/seat", json={"id": "s", "seat": 1, "buy_in": "100.00"}).status_code == 200
    for number in (1, 2):
        site.until("T1", betting)
        placed = ann.command("T1", "place-wager", id=f"w{number}", place=1, wager="tie", amount="5.00")
        assert placed.status_code == 200, placed.text
        again = ann.command("T1", "place-wager", id=f"w{number}", place=1, wager="tie", amount="5.00")
        assert again.json()["duplicate"]
        site.until("T1", over(number))
    assert ann.delete("/api/tables/T1/seat", params={"id": "l"}).status_code == 200
    told = ann.get_json("/api/me/statement")
    assert [(each["round"], each["staked"]) for each in told["plays"]] == [(1, "5.00"), (2, "5.00")]
    assert float(told["balance"]) == 1000 + float(told["net"])
    assert [each["number"] for each in ann.get_json("/api/tables/T1/rounds")["rounds"]] == [2, 1]
    assert len(ann.get_json("/api/tables/T1/rounds/1")["cards"]) == 2
    proof = alba.get("/api/audit/proof/T1").content
    assert verify(line + b"\n" for line in proof.splitlines()).rounds == 2


@pytest.mark.clause("MON-5", "PLY-1")
def test_a_statement_at_another_node_has_all_of_somebodys_money(database: str, site: Running) -> None:
    """What was just bought there is in neither figure of a node that has not heard of it yet, unless it asks."""
    site.open_table("T1", minimum="5.00", maximum="100.00")
    ann = site.signed_in("ann")
    assert ann.post("/api/tables/T1/seat", json={"id": "s", "seat": 1, "buy_in": "100.00"}).status_code == 200
    with running(quick(database, node="another")) as another:
        elsewhere = another.signed_in("ann")
        for number in range(10):
            bought = ann.post("/api/tables/T1/chips", json={"id": f"c{number}", "amount": "10.00"})
            assert bought.status_code == 200, bought.text
            told = elsewhere.get_json("/api/me/statement")
            assert (float(told["balance"]), float(told["at_tables"])) == (890 - 10 * number, 110 + 10 * number)


@pytest.mark.clause("MON-3")
def test_two_sessions_cannot_spend_the_same_balance(site: Running) -> None:
    """Ann has 1000.00. From eight browsers at once she wants 300.00 in chips at each of eight tables."""
    tables = [site.open_table(f"T{number}") for number in range(8)]
    clients = [site.signed_in("ann") for _ in tables]

    def sits(client: Client, table: str) -> int:
        asked = {"id": "s", "seat": None, "buy_in": "300.00"}
        return client.post(f"/api/tables/{table}/seat", json=asked).status_code

    with ThreadPoolExecutor(len(tables)) as together:
        answers = list(together.map(sits, clients, tables))
    assert sorted(answers) == [200] * 3 + [409] * 5
    me = clients[0].get_json("/api/me")
    assert (me["balance"], me["chips"], len(me["tables"])) == ("100.00", "900.00", 3)
