"""A real server under load, killed with SIGKILL at random instants and started again, on either store."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from longhu.store.integrity import check_wallets
from tests.server.conftest import an_empty_database
from tests.server.crashing import Tally, evening
from tests.server.houses import betting, checked
from tests.server.running import quick, running
from tests.store.conftest import BACKENDS
from tests.store.server import Server

KILLS = int(os.environ.get("LONGHU_SERVER_KILLS", "4"))
SEED = int(os.environ.get("LONGHU_SERVER_SEED", "21"))
WAITS = 20.0  # seconds
AN_EVENING = 12  # kills of one house at most; then another is opened


@pytest.fixture(params=BACKENDS)
def databases(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], str]:
    """An empty store of each kind, as often as one is asked for."""
    if request.param == "postgresql":
        server = request.getfixturevalue("postgresql")
        return lambda: an_empty_database(server)
    return lambda: str(tmp_path / f"house-{len(list(tmp_path.glob('*.db')))}.db")


@pytest.mark.filterwarnings(  # of those who were connecting when their server was killed
    "ignore::pytest.PytestUnraisableExceptionWarning", "ignore:unclosed:ResourceWarning"
)
@pytest.mark.clause("REC-1", "REC-2", "REC-3", "MON-1")
def test_a_house_goes_on_after_a_kill_at_any_instant(databases: Callable[[], str], tmp_path: Path) -> None:
    total, seed = Tally(), SEED
    while total.kills < KILLS:
        kills = min(AN_EVENING, KILLS - total.kills)
        try:
            total += asyncio.run(evening(databases(), tmp_path / "servers.log", kills, seed))
        except BaseException as error:
            error.add_note(f"once more: LONGHU_SERVER_SEED={seed} LONGHU_SERVER_KILLS={kills}")
            raise
        seed += 1
    assert total.done > 10 * KILLS, "hardly anything was going on"
    assert total.rounds


@pytest.mark.clause("REC-1", "REC-3")
def test_a_database_that_fails_and_comes_back_under_a_house(postgresql: Server) -> None:
    """PostgreSQL itself is killed: what cannot be stored is not taken, the process lives, and all goes on afterwards."""
    with running(quick(an_empty_database(postgresql), demo=True)) as server:
        server.staffed()
        server.open_table("T1")
        ann, deposit = server.signed_in("ann"), {"id": "d", "amount": "5.00"}
        assert ann.post("/api/tables/T1/seat", json={"id": "s", "seat": 1, "buy_in": "50.00"}).status_code == 200
        server.until("T1", betting)
        postgresql.kill()
        try:
            answer = ann.post("/api/me/deposits", json=deposit)
            assert (answer.status_code, answer.json()["type"]) == (503, "/api/problems#unavailable")
            assert server.client().get("/healthz").status_code == 200
        finally:
            postgresql.start()
        ends = time.monotonic() + WAITS
        while ann.post("/api/me/deposits", json=deposit).status_code == 503:
            assert time.monotonic() < ends, "the house does not find its database again"
        assert ann.get_json("/api/me")["balance"] == "955.00"
        number = server.until("T1", betting).rounds
        assert ann.command("T1", "place-wager", place=1, wager="tie", amount="5.00").status_code == 200
        server.until("T1", lambda table: table.rounds > number or table.round is None)
        store = server.house.store
        assert check_wallets(store)
        assert checked(store).rounds >= number
