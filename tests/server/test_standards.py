"""docs/standards.md accounts for every standard that a server must meet, and says of none what no test shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from longhu.clauses import standards
from longhu.enforcement import witnesses

ROOT = Path(__file__).parents[2]
AREAS = ("LOG", "REC", "MON", "LIM", "PLY", "OPS", "SEC")
ROWS = re.findall(r"^\| ([A-Z]{3}-\d+) \| (.+?) \| (.+) \|$", (ROOT / "docs/standards.md").read_text(), re.MULTILINE)


def test_every_standard_has_its_row() -> None:
    assert [id for id, _, _ in ROWS] == [id for id in standards() if id.startswith(AREAS)]


@pytest.mark.parametrize(("id", "state", "says"), ROWS, ids=lambda value: value if len(value) < 8 else "")
def test_what_is_met_is_shown_and_what_is_not_has_a_reason(id: str, state: str, says: str) -> None:
    assert state in ("met", "in part")
    assert witnesses()[id]
    assert state == "met" or ". " in says  # what there is; then what there is not
