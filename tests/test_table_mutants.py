"""The faults of soak/table_mutants.py are still faults: each passage stands once in the code, and each clause exists."""

from __future__ import annotations

from pathlib import Path

import pytest
from soak.table_mutants import MUTANTS, Mutant

from longhu.clauses import clauses
from longhu.enforcement import witnesses

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_changes_what_is_there_and_asks_clauses_that_have_tests(mutant: Mutant) -> None:
    for path, old, new in mutant.changes:
        text = (ROOT / path).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"soak/table_mutants.py: find the passage of {mutant.name} anew in {path}"
        compile(text.replace(old, new), path, "exec")
    assert mutant.clauses
    assert not [id for id in mutant.clauses if id not in clauses()]
    assert not [id for id in mutant.clauses if not witnesses().get(id)]


def test_no_two_mutants_share_a_name() -> None:
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS) > 40
