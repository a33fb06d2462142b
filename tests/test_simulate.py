"""`longhu simulate` as people use it."""

from __future__ import annotations

import csv
import io
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from longhu.cli.main import BadInput, main


def told(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["simulate", *words]) == 0
    return capsys.readouterr().out


def test_figures_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(told(capsys, "dragon-tiger", "--rounds", "1e6", "--seed", "7", "--json"))
    assert (found["game"], found["rounds"], found["seed"], found["complete"]) == ("dragon-tiger", 1_000_000, 7, True)
    tie = found["wagers"]["tie"]
    assert tie["exact_rtp"] == pytest.approx(1 - 43 / 415)
    assert tie["z"] == pytest.approx((tie["rtp"] - tie["exact_rtp"]) / tie["standard_error"])
    rows = list(csv.DictReader(io.StringIO(told(capsys, "dragon-tiger", "--rounds", "1M", "--seed", "7", "--csv"))))
    assert {row["wager"]: float(row["rtp"]) for row in rows} == {
        id: each["rtp"] for id, each in found["wagers"].items()
    }


def test_the_same_seed_gives_the_same_figures_on_any_number_of_threads(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["dragon-bonus", "--rounds", "5M", "--seed", "1", "--by-shoe", "--depths", "4", "--json"]
    found = [json.loads(told(capsys, *words, "--workers", workers)) for workers in ("1", "3")]
    assert {**found[0], "seconds": 0} == {**found[1], "seconds": 0}
    assert [depth["every_shoe_has_them"] for depth in found[0]["depths"]] == [True, True, False, False]


def test_a_page_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    page = told(capsys, "immortal-dragon-tiger", "--rounds", "1M", "--by-shoe", "--cut", "30", "--depths", "2")
    assert "shoe by shoe, 30 cards behind the cut, seed " in page
    assert "Immortal Dragon" in page
    assert "million rounds a second" in page


def test_some_wagers_alone(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(told(capsys, "dragon-21", "--rounds", "1k", "--wager", "tie", "--json"))
    assert list(found["wagers"]) == ["tie"]


def test_until_every_return_is_known_well_enough(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["dragon-tiger", "--until-error", "0.0005", "--seed", "2", "--json"]
    found = [json.loads(told(capsys, *words, "--workers", workers)) for workers in ("1", "2")]
    assert max(each["standard_error"] for each in found[0]["wagers"].values()) <= 0.0005
    assert {**found[0], "seconds": 0} == {**found[1], "seconds": 0}


def test_a_run_is_kept_and_goes_on(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = str(tmp_path / "run.json")
    told(capsys, "dragon-tiger", "--rounds", "5M", "--seed", "7", "--save", file, "--json")
    longer = json.loads(told(capsys, "dragon-tiger", "--rounds", "9M", "--resume", file, "--json"))
    at_once = json.loads(told(capsys, "dragon-tiger", "--rounds", "9M", "--seed", "7", "--json"))
    assert {**longer, "seconds": 0} == {**at_once, "seconds": 0}


BAD = [
    (["--rounds", "0"], "--rounds '0': expected a whole number above 0"),
    (["--rounds", "-3"], "expected a whole number above 0"),
    (["--rounds", "1.5"], "expected a whole number above 0"),
    (["--rounds", "many"], "expected a whole number above 0"),
    (["--rounds", "1e300"], "expected a whole number above 0"),
    (["--rounds", "nan"], "expected a whole number above 0"),
    (["--seed", "x"], "--seed 'x': expected a whole number"),
    (["--seed", "18446744073709551616"], "a seed of 18446744073709551616"),
    (["--decks", "0"], "0 decks: dragon-tiger is dealt from"),
    (["--cut", "30"], "--cut is about shoes: add --by-shoe"),
    (["--by-shoe", "--cut", "500"], "none is left to deal"),
    (["--by-shoe", "--cut", "1"], "at least 4 must be there"),
    (["--by-shoe", "--depths", "0"], "--depths 0: expected from 1 to 100"),
    (["--until-error", "0"], "--until-error '0': expected a share"),
    (["--until-error", "0.1", "--rounds", "5"], "exclude each other"),
    (["--workers", "0"], "--workers 0: expected from 1"),
    (["--rounds", ""], "expected a whole number above 0"),
    (["--save", ""], "no name"),
    (["--resume", "nowhere.json"], "nowhere.json: No such file"),
    (["--save", "no/such/folder/run.json"], "there is no folder"),
    (["--wager", "dragn"], "dragn"),
]


@pytest.mark.parametrize(("words", "says"), BAD, ids=[" ".join(words) for words, _ in BAD])
def test_bad_input_is_told_in_one_line(words: list[str], says: str) -> None:
    with pytest.raises(BadInput) as error:
        main(["simulate", "dragon-tiger", *words])
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_nothing_is_written_over(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    file.write_text("precious")
    for words, says in ((["--save", str(file)], "there is such a file"), (["--resume", str(file)], "is no saved run")):
        with pytest.raises(BadInput, match=says):
            main(["simulate", "dragon-tiger", "--rounds", "1k", *words])
    assert file.read_text() == "precious"
    run = str(tmp_path / "other.json")
    told(capsys, "dragon-bonus", "--rounds", "3M", "--seed", "1", "--save", run)
    before = Path(run).read_bytes()
    with pytest.raises(BadInput, match="a run with the game dragon-bonus"):
        main(["simulate", "dragon-tiger", "--rounds", "5M", "--resume", run])
    assert Path(run).read_bytes() == before


@pytest.mark.parametrize(
    ("found", "instead"),
    [('"blocks":1,', '"blocks":2,'), ('"seed":1,', '"seed":1,"more":1,'), ('"ahead":[]', '"ahead":[1]')],
)
def test_a_file_that_does_not_add_up_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, found: str, instead: str
) -> None:
    file = tmp_path / "run.json"
    told(capsys, "dragon-tiger", "--rounds", "3M", "--seed", "1", "--save", str(file))
    text = file.read_text()
    assert found in text
    file.write_text(text.replace(found, instead))
    with pytest.raises(BadInput, match=r"damaged|no saved run"):
        main(["simulate", "dragon-tiger", "--rounds", "9M", "--resume", str(file)])
    assert file.read_text() == text.replace(found, instead)


OFTEN = """
import sys
from longhu.cli import simulate
from longhu.cli.main import run
simulate.SAVE_EVERY = 0.1
run()
"""


def test_stopped_by_hand_it_gives_what_it_has(tmp_path: Path) -> None:
    """A real process, a real interrupt once it has kept something, and the run goes on from its file."""
    file = tmp_path / "run.json"
    words = ["simulate", "dragon-21", "--rounds", "1e12", "--seed", "7", "--json", "--save", str(file)]
    process = subprocess.Popen(
        [sys.executable, "-c", OFTEN, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # whoever runs us may ignore it
    )
    try:
        until = time.monotonic() + 120
        while not file.exists() and time.monotonic() < until:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    found = json.loads(out)
    assert found["rounds"] > 0
    assert not found["complete"]
    assert f"go on with --resume {file}" in err.decode()
    assert json.loads(file.read_text())["blocks"] * (1 << 21) == found["rounds"]
