"""Where each clause of the rulebook stands: cited where, acting where, shown by which tests, left to whom, still to come.

A clause is cited where its id is written: a line of a game file, or of the code. Both are part of the package, so an installed Longhu can
answer as well as a checkout. Where it acts at a running table is another matter (`clause_acts`). Which tests show a clause, and whether they
drive a running table, is written down by `make rules` in `rulebook/witnesses.csv`; the suite fails when that account is not true.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path

from longhu.clauses import Clause, clauses, rulebook_rows

PACKAGE = Path(__file__).parent
TALKS_OF_CLAUSES = (
    "cli/",
    "api.py",
    "clauses.py",
    "clause_acts.py",
    "enforcement.py",
    "transcript.py",
)  # names them as examples only
_ID = re.compile(r"\b(?:DT|D21|IDT|DBO|DBC)-[A-Za-z0-9][A-Za-z0-9.\-]*[A-Za-z0-9]|\b(?:DT|D21|IDT|DBO|DBC)-[0-9]\b")


class State(Enum):
    SHOWN = "shown"  # by at least one test
    PEOPLE = "people"  # left to people, with the reason
    TO_COME = "to come"  # on the list of what later work must show
    OPEN = "open"  # none of these: the suite fails


@dataclass(frozen=True, slots=True)
class Standing:
    """One clause and all that is known of it."""

    clause: Clause
    state: State
    places: tuple[str, ...]  # `games/dragon-tiger.toml:41`, `deal/baccarat.py:20`
    tests: tuple[str, ...]
    live: bool  # does one of the tests drive a running table?
    reason: str  # why it is left to people, or what it waits for


@cache
def standings() -> Mapping[str, Standing]:
    """Every clause by id, in the documents' order."""
    places, tests = cited_at(), witnesses()
    people, to_come = _listed("people.csv"), _listed("to_come.csv")
    found: dict[str, Standing] = {}
    for id, clause in clauses().items():
        state = State.OPEN
        if id in tests:
            state = State.SHOWN
        elif id in people:
            state = State.PEOPLE
        elif id in to_come:
            state = State.TO_COME
        reason = people.get(id) or to_come.get(id) or ""
        live = id in shown_live()
        found[id] = Standing(clause, state, tuple(places.get(id, ())), tuple(tests.get(id, ())), live, reason)
    return found


@cache
def cited_at() -> Mapping[str, list[str]]:
    """Each clause with the lines of game files and code that cite it."""
    places: dict[str, list[str]] = {}
    for path in [*sorted(PACKAGE.glob("games/*.toml")), *sorted(PACKAGE.rglob("*.py"))]:
        name = path.relative_to(PACKAGE).as_posix()
        if name.startswith(TALKS_OF_CLAUSES):
            continue
        for number, line in enumerate(_rules_part(path).splitlines(), 1):
            for id in dict.fromkeys(_ID.findall(line)):
                if id in clauses():
                    places.setdefault(id, []).append(f"{name}:{number}")
    return places


def _rules_part(path: Path) -> str:
    """A game file up to its readings, which discuss clauses and do not enforce them; code as a whole."""
    text = path.read_text(encoding="utf-8")
    return text.partition("\n[[reading]]")[0] if path.suffix == ".toml" else text


@cache
def witnesses() -> Mapping[str, list[str]]:
    """Each clause with the tests that show it, as written down by `make rules`."""
    found: dict[str, list[str]] = {}
    for id, test, _ in rulebook_rows("witnesses.csv"):
        found.setdefault(id, []).append(test)
    return found


@cache
def shown_live() -> frozenset[str]:
    """The clauses of which a test drives a running table: by `decide` and `evolve`, by a scenario, or through the server."""
    return frozenset([id for id, _, live in rulebook_rows("witnesses.csv") if live])


def _listed(name: str) -> dict[str, str]:
    return {row[0]: row[1] for row in rulebook_rows(name)}
