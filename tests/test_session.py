"""`longhu session` as people use it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from longhu.cli.main import BadInput, main

BET = ["dragon-tiger", "--bet", "dragon=10.00", "--bankroll", "200.00"]


def told(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["session", *words]) == 0
    return capsys.readouterr().out


def test_figures_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    words = [*BET, "--rounds", "50", "--sessions", "5k", "--seed", "7", "--system", "martingale", "--limit", "10-100"]
    one, two = (json.loads(told(capsys, *words, "--json", "--workers", workers)) for workers in ("1", "3"))
    assert {**one, "seconds": 0} == {**two, "seconds": 0}
    assert (one["sessions"], one["seed"], one["complete"], one["bankroll"]) == (5000, 7, True, "200.00")
    assert one["limits"] == {"min": "10.00", "max": "100.00"}
    result = one["result"]
    assert result["ahead"] + result["even"] + result["behind"] == pytest.approx(1)
    assert sum(one["ends"].values()) == pytest.approx(1)
    assert one["ruin"]["risk"] == one["ends"]["ruined"] > 0
    assert abs(result["z"]) < 4.5
    rows = list(csv.DictReader(io.StringIO(told(capsys, *words, "--csv"))))
    assert sum(int(row["sessions"]) for row in rows) == 5000
    assert (rows[0]["result"], rows[-1]["result"]) == (result["least"], result["most"])
    mean = sum(float(row["result"]) * int(row["sessions"]) for row in rows) / 5000
    assert mean == pytest.approx(result["mean"])


def test_a_page_for_people_and_a_picture(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "sessions.svg"
    page = told(
        capsys, *BET, "--stop-win", "50.00", "--sessions", "1k", "--by-shoe", "--cut", "60", "--plot", str(file)
    )
    assert "until 50.00 won or ruin; 8 decks, shoe by shoe, 60 cards behind the cut, seed " in page
    for words in ("worth by the exact odds", "risk of ruin", "deepest drawdown", "won enough", "█"):
        assert words in page
    assert file.read_text().startswith("<svg")
    assert [each.name for each in tmp_path.iterdir()] == ["sessions.svg"]


SYSTEMS = """
calls = 0

def doubled(history, bankroll, stakes):
    return {wager: 2 * stake for wager, stake in stakes.items()}

def stopped(history, bankroll, stakes):
    global calls
    calls += 1
    if calls > 20:
        raise KeyboardInterrupt
    return None

number = 3
"""


@pytest.fixture
def systems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "house_of_systems.py").write_text(SYSTEMS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(__import__("sys").modules, "house_of_systems", raising=False)


@pytest.mark.usefixtures("systems")
def test_a_system_of_one_s_own(capsys: pytest.CaptureFixture[str]) -> None:
    words = [*BET, "--rounds", "20", "--sessions", "50", "--json", "--system", "house_of_systems:doubled"]
    found = json.loads(told(capsys, *words))
    assert found["staked"] == pytest.approx(20 * found["rounds"]["mean"])


@pytest.mark.usefixtures("systems")
def test_stopped_by_hand_it_gives_what_it_has(capsys: pytest.CaptureFixture[str]) -> None:
    words = [*BET, "--stop-win", "50.00", "--sessions", "50", "--json", "--system", "house_of_systems:stopped"]
    assert main(["session", *words]) == 130
    out, err = capsys.readouterr()
    assert (json.loads(out)["sessions"], json.loads(out)["complete"]) == (16, False)
    assert "stopped after 16 of 50 sessions" in err


BAD = [
    (["--bet", "dragn=10"], "--bet: Dragon Tiger has no wager dragn. Did you mean dragon?"),
    (["--bet", "tie"], "--bet 'tie': write WAGER=AMOUNT"),
    (["--bet", "dragon=5"], "--bet: dragon is staked twice"),
    (["--bet", "tie=0.001"], "finer than the smallest unit"),
    (["--bet", "tie=0"], "wagers nothing"),
    (["--bankroll", "5.00"], "stakes of 10.00 with a bankroll of 5.00: not even one round"),
    (["--bankroll", "-5"], "--bankroll: '-5' is negative"),
    (["--rounds", "0"], "--rounds '0': expected a whole number above 0"),
    (["--rounds", "1.5"], "expected a whole number above 0"),
    (["--rounds", "1e9"], "--rounds '1e9': expected at most 1,000,000"),
    (["--sessions", "0"], "--sessions '0': expected a whole number above 0"),
    (["--stop-win", "x"], "--stop-win: 'x' is no amount"),
    (["--stop-loss", "200.00"], "a stop-loss of 200.00 with a bankroll of 200.00: name less"),
    (["--limit", "5.00"], "10.00 on dragon: the table takes from 0.01 to 5.00"),
    (["--limit", "20.00-10.00"], "the least comes first"),
    (["--limit", "a-b"], "--limit: 'a' is no amount"),
    (["--system", "martingail"], "--system: no system is called 'martingail'. Did you mean 'martingale'?"),
    (["--system", "no.such.module:x"], "--system: no.such.module:x cannot be had: ModuleNotFoundError"),
    (["--system", "json:nothing"], "--system: json:nothing cannot be had: AttributeError"),
    (["--system", "sys:maxsize"], "--system: sys:maxsize is no function: it is of type int"),
    (["--seed", "x"], "--seed 'x': expected a whole number"),
    (["--workers", "0"], "--workers 0: expected from 1"),
    (["--cut", "30"], "--cut is about shoes: add --by-shoe"),
    (["--by-shoe", "--cut", "500"], "none is left to deal"),
    (["--plot", "no/such/folder/x.svg"], "there is no folder"),
]


@pytest.mark.parametrize(("words", "says"), BAD, ids=[" ".join(words) for words, _ in BAD])
def test_bad_input_is_told_in_one_line(words: list[str], says: str) -> None:
    usual = [*BET, "--sessions", "10"]
    with pytest.raises(BadInput) as error:
        main(["session", *usual, *words])
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_what_must_be_said(capsys: pytest.CaptureFixture[str]) -> None:
    for words, says in (
        (["--bankroll", "5.00"], "nothing is wagered: add --bet dragon=10.00"),
        (["--bet", "tie=1.00"], "Add --bankroll"),
    ):
        with pytest.raises(BadInput, match=says):
            main(["session", "dragon-tiger", *words])
    assert capsys.readouterr().out == ""
