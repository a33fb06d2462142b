"""Every clause is accounted for: shown by a test, left to people with a reason, or on the list still to come."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from longhu.clauses import DOCUMENTS, KINDS, clauses, rulebook_rows, standards
from longhu.enforcement import State, standings
from tests import conftest as collected

ROOT = Path(__file__).parent.parent
WITNESSES = ROOT / "src/longhu/rulebook/witnesses.csv"


def test_the_rulebook_has_512_clauses_of_five_documents() -> None:
    per_document = Counter(clause.document for clause in clauses().values())
    assert per_document == {"DT": 61, "D21": 162, "IDT": 170, "DBO": 76, "DBC": 43}
    assert list(per_document) == list(DOCUMENTS)
    assert len(standards()) == 51


def test_every_clause_says_what_it_asks_and_how_a_test_can_see_it() -> None:
    for clause in clauses().values():
        assert clause.requirement, clause.id
        assert clause.acceptance, clause.id
        assert clause.kind in KINDS, clause.id


def test_every_clause_has_a_test_or_a_reason_or_is_on_the_list() -> None:
    unaccounted = [id for id, standing in standings().items() if standing.state is State.OPEN]
    assert not unaccounted, f"no test, no reason, not on the list still to come: {unaccounted}"


@pytest.mark.parametrize("name", ["people.csv", "to_come.csv"])
def test_no_clause_is_listed_in_vain(name: str) -> None:
    """The lists only shrink: a clause that a test shows, or that does not exist, must leave them."""
    for id, reason in rulebook_rows(name):
        assert id in clauses(), id
        assert reason, f"{id} is listed without a reason"
        assert not standings()[id].tests, f"{id} is shown by a test now: take it off {name}"


def test_no_clause_is_on_both_lists() -> None:
    people, to_come = ({row[0] for row in rulebook_rows(name)} for name in ("people.csv", "to_come.csv"))
    assert not people & to_come


def test_every_clause_that_is_shown_is_enforced_somewhere() -> None:
    nowhere = [id for id, standing in standings().items() if standing.state is State.SHOWN and not standing.places]
    assert not nowhere, f"no line of a game file or of the code cites {nowhere}"


def test_the_account_of_tests_is_up_to_date(pytestconfig: pytest.Config, tmp_path: Path) -> None:
    """Compares with the whole suite, which is collected anew where only a part of it runs; `make rules` writes the account."""
    found = pytestconfig.stash.get(collected.WITNESSES, "") or _collected_anew(tmp_path / "witnesses.csv")
    assert found == WITNESSES.read_text(), "run: make rules"


def _collected_anew(written: Path) -> str:
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:xdist", f"--witnesses={written}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return written.read_text()


@pytest.mark.parametrize(
    ("mark", "complaint"),
    [("DT-99.9", "cites 'DT-99.9', which is no clause and no standard"), ("DT-3.8b", "")],
)
def test_a_test_may_cite_only_what_exists(mark: str, complaint: str, tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text("from tests.conftest import *\n")
    (tmp_path / "test_it.py").write_text(
        f"import pytest\n@pytest.mark.clause({mark!r})\ndef test_it():\n    assert True\n"
    )
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = clause: clauses\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", str(tmp_path)]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=False, env={"PYTHONPATH": str(ROOT)}
    )
    assert complaint in done.stdout + done.stderr
    assert (done.returncode == 0) is (not complaint)
