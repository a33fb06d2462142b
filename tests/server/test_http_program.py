"""What a node runs, hashed on demand."""

from __future__ import annotations

from pathlib import Path

import pytest

from longhu.server.accounts.house_log import Running as Program
from longhu.server.accounts.house_log import running as hashed
from tests.server.running import quick, running


@pytest.mark.clause("LOG-10")
def test_the_program_is_hashed_on_demand_and_a_changed_one_starts_no_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(quick(tmp_path / "house.db")) as site:
        site.staffed()
        alba = site.signed_in("alba")
        told = alba.get("/api/audit/program").json()
        found = hashed()
        assert (told["right"], told["digest"], told["definitions"]) == (True, found.digest, found.definitions)
        assert site.signed_in("ann").get("/api/audit/program").status_code == 403
        monkeypatch.setattr("longhu.server.accounts.house_log.running", lambda: Program("0" * 64, found.definitions))
        told = alba.get("/api/audit/program").json()
        assert (told["right"], told["digest"]) == (False, "0" * 64)
        assert told["wrong"] == {"code": "program-changed", "args": {"changed": ["longhu"]}}
