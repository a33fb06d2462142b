"""Every clause is accounted for: shown by a test, left to people with a reason, or on the list still to come."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import longhu
from longhu.clause_acts import CARRIED_OUT, REMEDIES, Act, acts, acts_of, beside_the_table
from longhu.clauses import DOCUMENTS, KINDS, clauses, rulebook_rows, standards
from longhu.enforcement import State, shown_live, standings
from longhu.eventsourcing import name_of
from longhu.games import registry
from longhu.games.vocabulary import REMEDIES as REMEDY_WORDS
from longhu.messages.message import CODES
from longhu.table.messages import TABLE
from tests import clause_account
from tests import conftest as collected

ROOT = Path(__file__).parent.parent
RULEBOOK = ROOT / "src/longhu/rulebook"
WITNESSES, SCREENS = RULEBOOK / "witnesses.csv", RULEBOOK / "screens.csv"
LIVE_AT_LEAST = 496  # clauses of which a test drives a running table; it only rises


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


def test_every_clause_acts_at_a_running_table_or_it_is_said_why_not() -> None:
    nowhere = [id for id in clauses() if id not in acts() and id not in beside_the_table()]
    assert not nowhere, f"no command, refusal, record or view of the table is by {nowhere}"
    in_vain = [id for id in beside_the_table() if id in acts() or id not in clauses()]
    assert not in_vain, f"take off beside_table.csv: {in_vain}"
    assert all(beside_the_table().values())


def test_a_clause_that_stands_in_a_comment_alone_does_not_act(tmp_path: Path) -> None:
    text = registry.find("immortal-dragon-tiger").read_text(encoding="utf-8")
    line = 'cutting-card-first = "IDT-3.16.1"'
    assert line in text
    commented = tmp_path / "immortal-dragon-tiger.toml"
    commented.write_text(text.replace(line, f"# {line}"), encoding="utf-8")
    assert "IDT-3.16.1" in acts_of(longhu.game("immortal-dragon-tiger").definition)
    assert "IDT-3.16.1" not in acts_of(longhu.load(commented).definition)


@pytest.mark.parametrize(
    ("clause", "command", "outcome"),
    [
        ("IDT-5.4a", "place-wager", "betting-closed"),
        ("IDT-5.4a", "report-late-chips", "late-chips-returned"),
        ("IDT-3.10.6", "reveal-hand", "hand-opens-first"),
        ("IDT-3.10.6", "pass-hands", "first-hand-chosen"),
        ("IDT-5.16.3", "remove-wager", "wager-reduced"),
        ("IDT-5.11.3", "substitute-cards", "cards-substituted"),
        ("IDT-4.1b", "settle-round", "wager-settled"),
        ("IDT-6.3a", "view", "display"),
        ("DT-5.1.1", "report-irregularity", "round-voided"),
        ("D21-2.2.d", "approve-nominee", "acts-for-another"),
        ("D21-2.2.c", "view", "seats"),
        ("D21-2.2.fa", "order-in-person", "in-person-ordered"),
        ("D21-2.2.fb", "place-wager", "must-act-in-person"),
        ("DT-0", "call-place-your-bets", "round-started"),
        ("IDT-3.10.4.1", "name-holder", "hand-passed"),
        ("D21-3.4.a.i.B", "open-table", "shoe-cover-missing"),
        ("D21-3.4.c", "open-table", "discard-rack-too-small"),
        ("DBO-CAP-1", "settle-round", "round-capped"),
        ("DBC-DB-3", "place-wager", "wager-needs-another"),
    ],
)
def test_the_account_says_by_which_command_and_code_a_clause_acts(clause: str, command: str, outcome: str) -> None:
    assert Act(command, outcome) in acts()[clause]


def test_a_condition_of_nominees_names_its_own_acts_and_not_those_of_the_others() -> None:
    assert {act.command for act in acts()["D21-2.2.fa"]} == {"order-in-person", "lift-in-person-order"}
    assert Act("announce-nominee", "nominee-announced") not in acts()["D21-2.2.a"]


def test_what_the_account_names_is_there() -> None:
    """Commands, records and codes; what is carried out or remedied is named by hand, and stands here for that."""
    commands = {name_of(each) for each in TABLE.deciders}
    said = {name_of(each) for each in TABLE.evolvers} | {*CODES}
    for clause, done in acts().items():
        for command, outcome in done:
            assert command == "view" or (command in commands and outcome in said), (clause, command, outcome)
    assert {record for records in REMEDIES.values() for record in records} <= said
    assert {each for pairs in CARRIED_OUT.values() for each, _ in pairs} <= commands | {"view"}
    assert {*REMEDIES} <= {*REMEDY_WORDS}


def test_no_fewer_clauses_than_before_have_a_test_that_drives_a_running_table() -> None:
    live = shown_live() & clauses().keys()
    assert len(live) >= LIVE_AT_LEAST


def test_the_account_of_tests_is_up_to_date(pytestconfig: pytest.Config, tmp_path: Path) -> None:
    """Compares with the whole suite, which is collected anew where only a part of it runs; `make rules` writes the account."""
    found = pytestconfig.stash.get(collected.WITNESSES, "") or _collected_anew(tmp_path / "witnesses.csv")
    assert found == WITNESSES.read_text(), "run: make rules"
    assert clause_account.screens() == SCREENS.read_text(), "run: make rules"


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
