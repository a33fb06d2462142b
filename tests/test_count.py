"""`longhu count` as people use it."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from longhu.cli.main import BadInput, main

SMALL = ["--shoes", "64", "--seed", "7"]


def told(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["count", *words]) == 0
    return capsys.readouterr().out


def test_figures_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(told(capsys, "dragon-tiger", *SMALL, "--json"))
    assert {name: found[name] for name in ("game", "decks", "cut", "shoes", "rounds", "seed")} == {
        "game": "dragon-tiger", "decks": 8, "cut": 14, "shoes": 64, "rounds": 64 * 201, "seed": 7,
    }  # fmt: skip
    big = found["wagers"]["dragon-big"]
    assert big["count"]["tags"] == {rank: 1 if rank in "A234567" else -1 for rank in "A23456789TJQK"}
    assert big["effects"]["A"] == pytest.approx(192 * 2 / 415 - 1 + 1 / 13)
    assert 0 < big["counter"]["per_100_rounds"] <= big["ceiling"]["per_100_rounds"]
    assert found["wagers"]["tie"]["count"] is None
    rows = {row["wager"]: row for row in csv.DictReader(io.StringIO(told(capsys, "dragon-tiger", *SMALL, "--csv")))}
    assert list(rows) == list(found["wagers"])
    for id, row in rows.items():
        assert float(row["ceiling_per_shoe"]) == found["wagers"][id]["ceiling"]["per_shoe"]
    assert (rows["dragon-big"]["trigger"], rows["tie"]["trigger"]) == ("0.0", "")


def test_the_same_seed_on_any_number_of_threads(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["dragon-tiger", "--shoes", "300", "--seed", "1", "--json", "--cut", "60", "--decks", "6"]
    found = [json.loads(told(capsys, *words, "--workers", workers)) for workers in ("1", "3")]
    assert {**found[0], "seconds": 0} == {**found[1], "seconds": 0}


def test_one_table_answers_for_the_whole_game(capsys: pytest.CaptureFixture[str]) -> None:
    page = told(capsys, "dragon-tiger", *SMALL)
    assert "how far each wager can be beaten. 8 decks, 14 cards behind the cut, 64 shoes, seed 7" in page
    for name in ("Dragon", "Tiger", "Tie", "Dragon Big", "Dragon Small", "Tiger Big", "Tiger Small"):
        assert f"\n{name} " in page
    assert "Dragon, Tiger, Tie: one card is as good as any other" in page
    assert "█" in page


def test_one_wager_with_its_effects_and_depths(capsys: pytest.CaptureFixture[str]) -> None:
    page = told(capsys, "dragon-bonus", *SMALL, "--wager", "dragon-bonus-player", "--level", "2")
    assert "when one card has left the full shoe" in page
    assert "the expectation against depth" in page
    assert re.search(r"^3 +\+0\.1430 +\+{24}$", page, re.MULTILINE)
    assert "1: 0.980, 2: 0.985" in page


def test_what_the_house_should_know(capsys: pytest.CaptureFixture[str]) -> None:
    page = told(capsys, "dragon-bonus-online", *SMALL, "--wager", "tie")
    assert "The document deals every round from a full shoe: then nothing can be counted." in page


def test_a_seed_is_shown_where_none_was_given(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["dragon-tiger", "--shoes", "16", "--json"]
    first = json.loads(told(capsys, *words))
    again = json.loads(told(capsys, *words, "--seed", str(first["seed"])))
    assert first["wagers"] == again["wagers"]


def test_a_picture(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "depth.svg"
    told(capsys, "dragon-tiger", *SMALL, "--plot", str(path))
    root = ElementTree.fromstring(path.read_text())
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"Dragon Big", "Tie", "mean"} <= set(texts)
    assert "never positive in any round that was met" in texts
    lines = list(root.iter("{http://www.w3.org/2000/svg}polyline"))
    assert len(lines) == 3 * 7


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--shoes", "0"], "--shoes '0': expected a whole number above 0"),
        (["--shoes", "-4"], "--shoes '-4'"),
        (["--shoes", "2.5"], "--shoes '2.5'"),
        (["--shoes", "1"], "1 shoes: expected a whole number from 2"),
        (["--cut", "416"], "none is left to deal"),
        (["--cut", "2"], "at least 4 must be there"),
        (["--decks", "1"], "1 decks"),
        (["--seed", "x"], "--seed 'x': expected a whole number"),
        (["--level", "9"], "level 9: "),
        (["--workers", "0"], "--workers 0"),
        (["--wager", "tiger-tie"], "dragon-tiger offers no wager 'tiger-tie'"),
        (["--plot", "nowhere/a.svg"], "there is no folder nowhere"),
    ],
)
def test_bad_input_is_one_line(words: list[str], says: str) -> None:
    with pytest.raises(BadInput) as error:
        main(["count", "dragon-tiger", *words])
    assert says in str(error.value)
    assert "\n" not in str(error.value)
