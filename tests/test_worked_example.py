"""docs/messages.md is played through: a new irregularity is its word, its rule and its name, and a wording touches no behaviour."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = (
    (ROOT / "docs/messages.md").read_text(encoding="utf-8").partition("## Add an irregularity")[2].partition("\n## ")[0]
)

PLAYED = """
from longhu.messages.localization import Localization
from longhu.server.realtime.command_forms import reports
from longhu.table.remedies.procedure import IrregularityFound, ReportIrregularity
from longhu.table.remedies.void import RoundVoided
from tests.table.rounds import Play

play = Play("dragon-tiger", cards="KS QH")
play.open_betting()
play.bet("ann", "dragon", "50.00")
play.close_betting()
play.draw()
play.does(ReportIrregularity, "pam", kind="spilled-drink")
found, voided = play.last(IrregularityFound), play.last(RoundVoided)
assert (found.kind, found.remedy, found.clause, play.table.round) == ("spilled-drink", "void", "DT-5.1", None)
assert [(each.command, each.kind) for each in reports()["spilled-drink"]] == [("report-irregularity", "spilled-drink")]
print(Localization("en").text(voided.why), Localization("zh-Hant").text(voided.why), sep="|")
"""


def _replaced(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text, path
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def _ran(*asked: str, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    places = os.pathsep.join(str(each) for each in (path, ROOT) if each is not None)
    return subprocess.run(
        [sys.executable, *asked],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": places},
        capture_output=True,
        text=True,
        check=False,
    )


def test_an_irregularity_is_added_in_the_three_places_that_the_page_names(tmp_path: Path) -> None:
    """In a copy of the program, with what the page says and nothing else."""
    (rule,) = re.findall(r"`(spilled-drink = \{.*?\})`", PAGE)
    (name,) = re.findall(r"`\"(irregularity\.spilled-drink)\": \".*?\"`", PAGE)
    (english,) = re.findall(rf"`\"{name}\": \"(.*?)\"`", PAGE)
    copy = tmp_path / "longhu"
    shutil.copytree(ROOT / "src/longhu", copy, ignore=shutil.ignore_patterns("page"))
    _replaced(copy / "games/vocabulary.py", "IRREGULARITIES = (\n", 'IRREGULARITIES = (\n    "spilled-drink",\n')
    _replaced(copy / "games/dragon-tiger.toml", "\nforeign-card =", f"\n{rule.replace('…', 'DT-5.1')}\nforeign-card =")
    for language, says in {"en": english, "zh-Hans": "牌上洒了饮料", "zh-Hant": "牌上灑了飲料"}.items():
        catalogue = copy / f"messages/{language}.json"
        catalogue.write_text(
            json.dumps({**json.loads(catalogue.read_text(encoding="utf-8")), name: says}), encoding="utf-8"
        )
    played = _ran("-c", PLAYED, path=tmp_path)
    assert played.stdout.strip() == f"{english}|牌上灑了飲料", played.stderr


def test_rewording_every_sentence_changes_no_behaviour() -> None:
    """The scenarios of the documentation, limits, and whole rounds, while every English sentence is nonsense."""
    asked = ("-m", "pytest", "-q", "-p", "tests.nonsense", "-p", "no:xdist", "tests/table/test_scenarios.py", "tests/table/test_limits.py", "tests/table/test_lifecycle.py")  # fmt: skip
    ran = _ran(*asked)
    assert ran.returncode == 0, ran.stdout[-3000:]
    assert int(re.findall(r"(\d+) passed", ran.stdout)[0]) > 100
