"""`longhu odds`, `claims` and `readings` as a user meets them, and the same figures from Python."""

from __future__ import annotations

import csv
import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import longhu as api
from longhu.cards import Shoe, ShoeError, cards
from longhu.cli import claims as claims_command
from longhu.cli import odds as odds_command
from longhu.cli import readings as readings_command
from longhu.cli.main import run
from longhu.deal.procedure import CARDS_LEFT_OVER
from longhu.settlement import (
    LAYOUT_UNKNOWN,
    WAGER_ABOVE_GAME_MAXIMUM,
    WAGER_NEEDS_ANOTHER,
    WAGER_UNKNOWN_NEAR,
    WAGER_WITHOUT_STAKE,
)
from tests.odds.shoes import THIRD_PARTY, game_of, usual_odds
from tests.rounds import refused, said

IDT, DBO, DT, D21 = "immortal-dragon-tiger", "dragon-bonus-online", "dragon-tiger", "dragon-21"
DT_WAGERS = ["dragon", "tiger", "tie", "dragon-big", "dragon-small", "tiger-big", "tiger-small"]


@dataclass(frozen=True)
class Ran:
    status: object
    out: str
    err: str

    @property
    def told(self) -> Any:
        """What was answered in JSON."""
        assert (self.status, self.err) == (0, "")
        return json.loads(self.out)

    @property
    def rows(self) -> list[list[str]]:
        assert (self.status, self.err) == (0, "")
        return list(csv.reader(self.out.splitlines()))


Longhu = Callable[..., Ran]


@pytest.fixture
def longhu(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Longhu:
    """The whole command from its words on, in this process; anything but an orderly exit fails the test."""

    def call(*words: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["longhu", *words])
        with pytest.raises(SystemExit) as done:
            run()
        return Ran(done.value.code, *capsys.readouterr())

    return call


def is_reduced(text: str) -> bool:
    return str(Fraction(text)) == text


# ------------------------------------------------ help


@pytest.mark.parametrize("command", ["odds", "claims", "readings"])
def test_help_has_examples(command: str, longhu: Longhu) -> None:
    done = longhu(command, "--help")
    assert (done.status, done.err) == (0, "")
    assert f"longhu {command} " in done.out.partition("examples:")[2]


def examples(epilog: str) -> list[list[str]]:
    """The examples of a help text as words; what stands behind two spaces explains them."""
    lines = [line.strip().partition("  ")[0] for line in epilog.splitlines() if line.startswith("  longhu ")]
    return [shlex.split(line)[1:] for line in lines]


EXAMPLES = [words for command in (odds_command, claims_command, readings_command) for words in examples(command.EPILOG)]


@pytest.mark.parametrize("words", EXAMPLES, ids=" ".join)
def test_every_example_of_the_help_works(words: list[str], longhu: Longhu) -> None:
    done = longhu(*words)
    failing = words == ["claims", DBO, "--reading", "banker_0_2_vs_8=stand"]
    assert (done.status, done.err) == (1 if failing else 0, "")
    assert done.out


def test_the_help_has_some_examples_of_each() -> None:
    assert [words[0] for words in EXAMPLES].count("odds") >= 8
    assert {words[0] for words in EXAMPLES} == {"odds", "claims", "readings"}


@pytest.mark.parametrize("words", [["odds", DT, "--json"], ["odds", IDT], ["claims", DBO], ["readings", DT]])
def test_exact_odds_need_no_arrays_and_no_compiler(words: list[str]) -> None:
    seen = f"import sys; from longhu.cli.main import main; main({words!r}); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", seen], capture_output=True, text=True, check=True)
    modules = set(done.stderr.split())
    assert "longhu.odds.ways" in modules
    assert not modules & {"numpy", "numba", "llvmlite", "jinja2", "typst", "pandas", "polars"}


def test_the_command_runs_as_a_process_and_a_user_s_mistake_is_no_traceback() -> None:
    command = [sys.executable, "-m", "longhu", "odds", DT, "--wager", "tie"]
    done = subprocess.run([*command, "--json"], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["wagers"]["tie"]["ev"] == "-43/415"
    bad = subprocess.run([*command, "--without", "1S"], capture_output=True, text=True, check=False)
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr.startswith("longhu: --without: '1S' is no card")
    assert bad.stderr.count("\n") == 1


# ------------------------------------------------ JSON


def test_json_has_the_shape_that_programs_rely_on(longhu: Longhu) -> None:
    told = longhu("odds", DT, "--wager", "tie", "--json").told
    assert (told["game"], told["decks"], told["cards"], told["void"]) == (DT, 8, 416, "0")
    assert list(told["wagers"]) == ["tie"]
    tie = told["wagers"]["tie"]
    assert {key: tie[key] for key in ("ev", "house_edge", "rtp", "hit_frequency", "favours_patron")} == {
        "ev": "-43/415",
        "house_edge": pytest.approx(43 / 415, abs=1e-15),
        "rtp": pytest.approx(372 / 415, abs=1e-15),
        "hit_frequency": pytest.approx(31 / 415, abs=1e-15),
        "favours_patron": False,
    }
    assert tie["variance"] == pytest.approx(144 * 31 / 415 * 384 / 415, rel=1e-14)
    assert tie["standard_deviation"] ** 2 == pytest.approx(tie["variance"])
    assert "decided" not in tie
    assert [{key: line[key] for key in ("result", "pays", "clause", "probability")} for line in tie["lines"]] == [
        {"result": "win", "pays": "11:1", "clause": "DT-4.1c", "probability": "31/415"},
        {"result": "lose", "pays": None, "clause": "DT-3.6b", "probability": "384/415"},
    ]


@pytest.mark.parametrize("game", [DT, IDT, DBO, "dragon-bonus"])
def test_fractions_are_reduced_and_add_up(game: str, longhu: Longhu) -> None:
    told = longhu("odds", game, "--json").told
    assert list(told["wagers"]) == list(usual_odds(game))
    assert told["digest"] == usual_odds(game).game.digest
    for id, each in told["wagers"].items():
        chances = [Fraction(line["probability"]) for line in each["lines"]]
        nets = [Fraction(line["net"]) for line in each["lines"]]
        assert all(is_reduced(text) for text in (each["ev"], *(line["probability"] for line in each["lines"])))
        assert sum(chances) == 1
        assert sum(chance * net for chance, net in zip(chances, nets, strict=True)) == Fraction(each["ev"])
        assert Fraction(each["ev"]) == usual_odds(game)[id].ev
        assert [line["ways"] for line in each["lines"]] == [chance * told["deals"] for chance in chances]


def test_json_tells_what_the_cards_on_the_table_decide(longhu: Longhu) -> None:
    told = longhu("odds", IDT, "--dealt", "5D,KC,2C", "--json").told
    assert told["dealt"] == ["5D", "KC", "2C"]
    now = {id: each["decided"] for id, each in told["wagers"].items()}
    assert (now["big-dragon"], now["player-pair"], now["small-dragon"]) == ("lost", "lost", "open")
    assert now["tiger-tie"] == "lost"  # Player stands on 7
    done = longhu("odds", IDT, "--dealt", "5D,KC,2C,4C,QD", "--json").told
    assert {each["decided"] for each in done["wagers"].values()} <= {"won", "lost", "pushed"}
    assert done["wagers"]["player"]["ev"] == "1/2"
    assert done["wagers"]["tie"]["decided"] == "lost"


# ------------------------------------------------ which shoe


def test_decks_choose_a_full_shoe(longhu: Longhu) -> None:
    told = longhu("odds", DT, "--decks", "6", "--wager", "tie", "--json").told
    assert (told["decks"], told["cards"]) == (6, 312)
    assert told["wagers"]["tie"]["lines"][0]["probability"] == "23/311"


def test_decks_that_the_document_does_not_know_are_counted_with_a_note(longhu: Longhu) -> None:
    done = longhu("odds", DT, "--decks", "1", "--wager", "tie", "--json")
    assert (done.status, done.err.count("\n")) == (0, 1)
    assert "dragon-tiger is played with 4 to 8" in done.err
    assert json.loads(done.out)["wagers"]["tie"]["lines"][0]["probability"] == "1/17"


def test_a_shoe_may_be_given_by_rank(longhu: Longhu) -> None:
    told = longhu("odds", DT, "--shoe", "A:2,10:1,k:1", "--json").told
    assert (told["decks"], told["cards"]) == (None, 4)
    assert told["shoe"]["by_rank"] == [2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1]
    assert told["wagers"]["tie"]["lines"][0]["probability"] == "1/6"
    full = ",".join(f"{rank}:32" for rank in "A23456789TJQK")
    assert longhu("odds", IDT, "--shoe", full, "--json").told == longhu("odds", IDT, "--json").told


def test_a_shoe_by_rank_says_that_it_knows_no_suits_where_they_matter(longhu: Longhu) -> None:
    file = str(THIRD_PARTY / "dragon-tiger-suited-tie.toml")
    done = longhu("odds", "--game", file, "--shoe", "A:4", "--wager", "suited-tie", "--json")
    assert done.err == "longhu: --shoe tells ranks only; each is spread over the four suits as evenly as it goes\n"
    assert json.loads(done.out)["wagers"]["suited-tie"]["ev"] == "-1"


def test_a_shoe_may_be_a_file_of_counts_by_card(longhu: Longhu, tmp_path: Path) -> None:
    (tmp_path / "shoe.json").write_text('{"AS": 2, "ah": 1, "KD": 1}')
    file = str(THIRD_PARTY / "dragon-tiger-suited-tie.toml")
    told = longhu("odds", "--game", file, "--shoe", str(tmp_path / "shoe.json"), "--json").told
    assert told["wagers"]["tie"]["lines"][0]["probability"] == "1/2"
    assert told["wagers"]["suited-tie"]["lines"][0]["probability"] == "1/6"


def test_cards_may_be_taken_out(longhu: Longhu) -> None:
    told = longhu("odds", IDT, "--without", "8S, 8S KD", "--json").told
    odds = api.game(IDT).odds(shoe=Shoe.of_decks(8).without(cards("8S 8S KD")))
    assert (told["decks"], told["cards"]) == (None, 413)
    assert {id: each["ev"] for id, each in told["wagers"].items()} == {id: str(each.ev) for id, each in odds.items()}


def test_a_shoe_that_runs_out_says_how_often(longhu: Longhu) -> None:
    told = longhu("odds", DT, "--shoe", "A:1", "--json").told
    assert told["void"] == "1"
    assert {each["ev"] for each in told["wagers"].values()} == {"0"}
    shown = longhu("odds", DT, "--shoe", "A:1").out
    assert "The cards run out before the round is finished in 100.0000 % of the deals: void." in shown


# ------------------------------------------------ which wagers, under which reading


def test_wagers_are_named_as_on_the_table(longhu: Longhu) -> None:
    for words in (["--wager", "tie", "--wager", "Big Dragon"], ["--wager", "和,大龙"], ["--wager", "TIE,big-dragon"]):
        assert list(longhu("odds", IDT, *words, "--json").told["wagers"]) == ["tie", "big-dragon"]


def test_a_layout_limits_the_wagers(longhu: Longhu) -> None:
    offered = {layout: longhu("odds", IDT, "--layout", layout, "--json").told["wagers"] for layout in "AE"}
    assert len(offered["E"]) == 12
    assert set(offered["E"]) - set(offered["A"]) == {"player-pair", "banker-pair", "immortal-dragon"}


def test_a_reading_alters_the_figures_and_is_named(longhu: Longhu) -> None:
    told = longhu("odds", IDT, "--reading", "pair_basis=points", "--wager", "player-pair", "--json").told
    assert round(told["wagers"]["player-pair"]["house_edge"], 4) == -0.3234
    shown = longhu("odds", IDT, "--reading", "pair_basis=points", "--wager", "player-pair").out
    assert "Under the reading pair_basis=points: the same point value, save two different pictures." in shown
    assert "Player Pair favours the patron: it returns 132.34 %" in shown


def test_wagers_that_favour_the_patron_are_told_in_plain_words(longhu: Longhu) -> None:
    shown = longhu("odds", D21).out
    sentence = "Dragon and Tiger favour the patron: they return 110.74 %, so the house loses 10.74 of every 100 staked."
    assert sentence in shown


def test_wagers_that_do_not_favour_the_patron_are_not(longhu: Longhu) -> None:
    shown = longhu("odds", DT).out
    assert "the patron" not in shown
    assert "10.3614 %" in shown
    assert "the patron" not in longhu("odds", IDT, "--dealt", "5D,KC,2C").out  # nobody may bet any more


def test_one_wager_is_shown_line_by_line(longhu: Longhu) -> None:
    shown = longhu("odds", DT, "--wager", "dragon").out
    for text in ("31/415", "192/415", "DT-3.8b", "lose half", "Expectation -31/830 of the stake", "half lost"):
        assert text in shown
    assert "DT-3.8b" not in longhu("odds", DT).out


def test_within_tells_how_many_rounds_it_takes(longhu: Longhu) -> None:
    shown = longhu("odds", DT, "--wager", "dragon-big").out
    assert "rounds to ±1%" in shown
    assert "38,188" in shown
    for percent in ("10", "10%"):
        shown = longhu("odds", DT, "--wager", "dragon-big", "--within", percent).out
        assert "rounds to ±10%" in shown
        assert " 382 " in shown


# ------------------------------------------------ CSV and Markdown


def test_csv_has_a_row_a_wager(longhu: Longhu) -> None:
    head, *rows = longhu("odds", IDT, "--csv").rows
    assert head[:4] == ["wager", "ev", "house_edge", "rtp"]
    assert [row[0] for row in rows] == list(usual_odds(IDT))
    for row in rows:
        found, each = dict(zip(head, row, strict=True)), usual_odds(IDT)[row[0]]
        assert Fraction(found["ev"]) == each.ev
        assert float(found["house_edge"]) == float(each.house_edge)
        assert float(found["variance"]) == float(each.variance)
        assert found["element_of_risk"] == ("" if each.element_of_risk is None else repr(float(each.element_of_risk)))
    dealt_head, *_ = longhu("odds", IDT, "--csv", "--dealt", "5D").rows
    assert dealt_head == [*head, "decided"]


def test_markdown_has_a_table_of_the_wagers_and_one_for_each(longhu: Longhu) -> None:
    text = longhu("odds", DT, "--wager", "tie", "--markdown").out
    assert text.startswith("# Dragon Tiger: exact odds\n\n8 decks, 416 cards.")
    assert "| Tie | 10.3614 % | 89.6386 % | 7.47 % | 3.1549 | `-43/415` | 382,345 |" in text
    assert "| Both ranks alike | 11 to 1 | DT-4.1c | 7.4699 % | 13.4 | `31/415` |" in text
    widths = [line.count("|") for line in text.splitlines() if line.startswith("|")]
    assert widths == [8] * 3 + [7] * 4
    assert "| now |" in longhu("odds", IDT, "--dealt", "5D", "--markdown").out


# ------------------------------------------------ several stakes, and removal


def test_stakes_together_tell_how_the_round_can_end(longhu: Longhu) -> None:
    joint = longhu("odds", DT, "--stake", "dragon=10", "--stake", "tiger=10.00", "--json").told["together"]
    assert joint["stakes"] == {"dragon": "10.00", "tiger": "10.00"}
    assert joint["staked"] == "20.00"
    assert joint["nets"] == [{"net": "-10.00", "probability": "31/415"}, {"net": "0.00", "probability": "384/415"}]
    assert Fraction(joint["expected"]) == -1000 * Fraction(31, 415)
    assert joint["cap"] == {"probability": "0", "expected_cut": "0", "cuts": []}
    rows = longhu("odds", DT, "--stake", "dragon=10", "--stake", "tiger=10.00", "--csv").rows
    assert rows == [["net", "probability"], ["-10.00", "31/415"], ["0.00", "384/415"]]
    shown = longhu("odds", DT, "--stake", "dragon=10", "--stake", "tiger=10.00").out
    assert "On average -0.7470 a round, a return of 96.2651 %" in shown


def test_stakes_together_tell_of_the_cap(longhu: Longhu) -> None:
    shown = longhu("odds", DBO, "--stake", "player=100", "--stake", "dragon-bonus-player=100").out
    assert "The cap of 3300.00 a round (DBO-CAP-1) is never reached with these stakes." in shown


def test_a_cap_that_is_reached_is_told(longhu: Longhu, tmp_path: Path) -> None:
    """The online game with a cap of 1,000.00 instead: Dragon Bonus by 8 credits 1,100.00, by 9 it credits 3,100.00."""
    file = tmp_path / "low-cap.toml"
    text = Path(game_of(DBO).file).read_text(encoding="utf-8")
    file.write_text(text.replace('amount = "3300.00"', 'amount = "1000.00"'), encoding="utf-8")
    words = ["odds", "--game", str(file), "--stake", "tie=1", "--stake", "dragon-bonus-player=100"]
    cap = longhu(*words, "--json").told["together"]["cap"]
    by_9, by_8 = (usual_odds(DBO)["dragon-bonus-player"].lines[place].probability for place in (2, 3))
    assert cap["cuts"] == [{"cut": "100.00", "probability": str(by_8)}, {"cut": "2100.00", "probability": str(by_9)}]
    assert Fraction(cap["probability"]) == by_8 + by_9
    assert Fraction(cap["expected_cut"]) == 100_00 * by_8 + 2_100_00 * by_9
    assert "The cap of 1000.00 a round (DBO-CAP-1) cuts 1.0505 % of the rounds" in longhu(*words).out


def test_removal_tells_what_each_card_is_worth(longhu: Longhu) -> None:
    told = longhu("odds", DT, "--removal", "--json").told
    assert list(told["removal"]) == list("A23456789TJQK")
    big = Fraction(2 * 192, 415) - Fraction(2 * 192, 416)
    assert told["removal"]["A"]["dragon-big"] == str(big)
    assert told["removal"]["K"]["dragon-big"] == str(Fraction(2 * 191, 415) - Fraction(2 * 192, 416))
    head, *rows = longhu("odds", DT, "--removal", "--wager", "tie,dragon-big", "--csv").rows
    assert head == ["card", "tie", "dragon-big"]
    assert rows[0] == ["A", "0.0", repr(float(big))]
    shown = longhu("odds", DT, "--removal").out
    assert "+0.2224 %" in shown
    assert "-0.2595 %" in shown
    text = longhu("odds", DT, "--removal", "--wager", "dragon-big", "--markdown").out
    assert "\n| card out | Dragon Big |\n| --- | ---: |\n| A | +0.2224 % |\n" in text


# ------------------------------------------------ bad input

LOTS = "1" + "0" * 30
BAD_INPUT = [
    ([DT, "--decks", "0"], "0 decks: expected a whole number from 1 to 100"),
    ([DT, "--decks=-1"], "-1 decks: expected a whole number from 1 to 100"),
    ([DT, "--decks", "abc"], "--decks 'abc': expected a whole number"),
    ([DT, "--decks", "8.0"], "--decks '8.0': expected a whole number"),
    ([DT, "--decks", ""], "--decks '': expected a whole number"),
    ([DT, "--decks", "9" * 5000], "expected a whole number"),
    ([DT, "--decks", "101"], "101 decks: expected a whole number from 1 to 100"),
    ([DT, "--decks", LOTS], "decks: expected a whole number from 1 to 100"),
    ([DT, "--shoe", "A:-1"], "-1 of A: expected a whole number from 0 to 400"),
    ([DT, "--shoe", "A:--1"], "'A:--1' is no rank with its count"),
    ([DT, "--shoe", "A:401"], "401 of A: expected a whole number from 0 to 400"),
    ([DT, "--shoe", f"A:{LOTS}"], "is no rank with its count"),
    ([DT, "--shoe", "A:1.5"], "'A:1.5' is no rank with its count"),
    ([DT, "--shoe", "A:²"], "'A:²' is no rank with its count"),
    ([DT, "--shoe", "A:"], "'A:' is no rank with its count"),
    ([DT, "--shoe", "A=5"], "'A=5' is no rank with its count"),
    ([DT, "--shoe", "B:5"], "'B' is no rank: expected one of A 2 3"),
    ([DT, "--shoe", ":5"], "is no rank"),
    ([DT, "--shoe", "AS:5"], "'AS' is no rank"),
    ([DT, "--shoe", "A:5,A:5"], "A is counted twice"),
    ([DT, "--shoe", "A:5,a:5"], "A is counted twice"),
    ([DT, "--shoe", "T:5,10:5"], "T is counted twice"),
    ([DT, "--shoe", "A:0,K:0"], "the shoe is empty"),
    ([DT, "--shoe", ""], "--shoe : No such file or directory"),
    ([DT, "--shoe", "no-such-file.json"], "--shoe no-such-file.json: No such file or directory"),
    ([DT, "--shoe", "."], "--shoe .: Is a directory"),
    ([DT, "--without", "8S," * 9], "8S was drawn 9 times, and the shoe held 8"),
    ([DT, "--shoe", "A:1", "--without", "AS"], "the shoe is empty"),
    ([DT, "--without", "1S"], "--without: '1S' is no card"),
    ([DT, "--without", "joker"], "--without: 'joker' is a joker"),
    ([DT, "--dealt", "KX"], "--dealt: 'KX' is no card: suit 'X'"),
    ([DT, "--dealt", "JK"], "--dealt: 'JK' is a joker"),
    ([DT, "--dealt", "KS,KS,KS"], "--dealt: " + said(DT, CARDS_LEFT_OVER(given=3, complete=2, cards=["KS"]))),
    ([IDT, "--dealt", "9S,KD,KC,TC,5D"], "--dealt: " + said(IDT, CARDS_LEFT_OVER(given=5, complete=4, cards=["5D"]))),
    (
        [IDT, "--dealt", ",".join(["5D"] * 9)],
        "--dealt: " + said(IDT, CARDS_LEFT_OVER(given=9, complete=6, cards=["5D"] * 3)),
    ),
    ([DT, "--shoe", "A:5", "--dealt", "KS"], "--dealt: KS was drawn 1 times, and the shoe held none"),
    ([DT, "--without", ",".join(["KS"] * 8), "--dealt", "KS"], "--dealt: KS was drawn 1 times"),
    ([DT, "--wager", "tei"], "dragon-tiger offers no wager 'tei'. Did you mean 'tie'?"),
    ([DT, "--wager", ""], "dragon-tiger offers no wager ''"),
    ([IDT, "--layout", "A", "--wager", "player-pair"], "offers no wager 'player-pair' on layout A"),
    ([IDT, "--layout", "Z"], said(IDT, LAYOUT_UNKNOWN(name="Z", game=IDT, layouts=[*"ABCDE"]), "IDT-2.2")),
    ([IDT, "--reading", "pair_basis=suits"], "no option 'suits'"),
    ([IDT, "--reading", "pair_base=rank"], "Did you mean 'pair_basis'?"),
    ([IDT, "--reading", "pair_basis"], "write NAME=OPTION"),
    (["no-such-game"], "no game is called 'no-such-game'"),
    ([], "which game? Possible: dragon-21"),
    ([DT, "--within", "0"], "--within '0': expected a percentage above 0"),
    ([DT, "--within", "nan"], "--within 'nan': expected a percentage above 0"),
    ([DT, "--within", "inf"], "--within 'inf': expected a percentage above 0"),
    ([DT, "--within=-1"], "--within '-1': expected a percentage above 0"),
    ([DT, "--within", "much"], "--within 'much': expected a percentage above 0"),
    ([DT, "--stake", "tie"], "--stake 'tie': write WAGER=AMOUNT"),
    ([DT, "--stake", "tie="], "--stake 'tie=': write WAGER=AMOUNT"),
    ([DT, "--stake", "tie=-5"], "is negative"),
    ([DT, "--stake", "tie=1e3"], "scientific notation"),
    ([DT, "--stake", "tie=0"], "--stake: " + said(DT, WAGER_WITHOUT_STAKE(wager="tie", amount=0))),
    ([DT, "--stake", "tie=1", "--stake", "Tie=2"], "--stake: tie is staked twice"),
    (
        [DT, "--stake", "tei=1"],
        "--stake: " + said(DT, WAGER_UNKNOWN_NEAR(name="tei", game=DT, near="tie", wagers=DT_WAGERS)),
    ),
    (
        [DBO, "--stake", "dragon-bonus-player=100"],
        "--stake: "
        + said(DBO, WAGER_NEEDS_ANOTHER(wager="dragon-bonus-player", others=["player", "banker", "tie"]), "DBO-BET-5"),
    ),
    (
        [DBO, "--stake", "player=101"],
        "--stake: " + said(DBO, WAGER_ABOVE_GAME_MAXIMUM(wager="player", amount=101_00, maximum=100_00), "DBO-MAX-1"),
    ),
    ([DT, "--removal", "--dealt", "KS"], "--removal is about the shoe before a round"),
    ([DT, "--removal", "--stake", "tie=1"], "--removal is about the shoe before a round"),
]


def assert_one_line(done: Ran, complaint: str) -> None:
    """Exit status 2, nothing on the standard output, and one line that says what is wrong."""
    assert done.status == 2
    assert done.out == ""
    assert complaint in done.err
    assert done.err.startswith("longhu: ")
    assert done.err.count("\n") == 1, done.err
    assert len(done.err) < 500


@pytest.mark.parametrize(("words", "complaint"), BAD_INPUT, ids=[" ".join(words)[:60] for words, _ in BAD_INPUT])
def test_bad_input_is_one_clear_line_and_exit_status_2(words: list[str], complaint: str, longhu: Longhu) -> None:
    assert_one_line(longhu("odds", *words), complaint)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "no JSON file of counts by card"),
        ("{", "no JSON file of counts by card"),
        ("[8, 8]", "expected counts by card"),
        ("8", "expected counts by card"),
        ("null", "expected counts by card"),
        ("{}", "the shoe is empty"),
        ('{"AS": 0}', "the shoe is empty"),
        ('{"AS": 8.0}', "8.0 of AS: expected a whole number from 0 to 100"),
        ('{"AS": true}', "of AS: expected a whole number from 0 to 100"),
        ('{"AS": "8"}', "of AS: expected a whole number from 0 to 100"),
        ('{"AS": null}', "of AS: expected a whole number from 0 to 100"),
        ('{"AS": [8]}', "of AS: expected a whole number from 0 to 100"),
        ('{"AS": NaN}', "of AS: expected a whole number from 0 to 100"),
        ('{"AS": -1}', "-1 of AS: expected a whole number from 0 to 100"),
        ('{"AS": 101}', "101 of AS: expected a whole number from 0 to 100"),
        (f'{{"AS": {LOTS}}}', "of AS: expected a whole number from 0 to 100"),
        (f'{{"AS": {"9" * 5000}}}', "no JSON file of counts by card"),
        ('{"AS": 1, "AS": 2}', "AS is counted twice"),
        ('{"AS": 1, "as": 2}', "AS is counted twice"),
        ('{"A": 32}', "is no card"),
        ('{"joker": 2}', "'joker' is a joker"),
        ("[" * 100_000, "no JSON file of counts by card"),
        (" " * 1_100_000, "the file is too large for counts of 52 cards"),
        ("\x00\xff", "no JSON file of counts by card"),
    ],
    ids=lambda value: str(value)[:24].strip() or "blank",
)
def test_a_bad_shoe_file_is_one_clear_line(text: str, complaint: str, longhu: Longhu, tmp_path: Path) -> None:
    file = tmp_path / "shoe.json"
    file.write_bytes(text.encode("latin-1"))
    assert_one_line(longhu("odds", DT, "--shoe", str(file)), complaint)


@pytest.mark.parametrize(
    "words",
    [
        ["odds", DT, "--decks", "8", "--shoe", "A:5"],
        ["odds", DT, "--json", "--csv"],
        ["odds", DT, "--json", "--markdown"],
        ["odds", DT, "--no-such-option"],
        ["odds", DT, DT],
        ["odds", DT, "--decks"],
        ["claims", DT, "--decks", "8"],
        ["readings", DT, "--decks", "8", "--shoe", "A:5"],
    ],
    ids=" ".join,
)
def test_options_that_do_not_go_together_point_to_the_help(words: list[str], longhu: Longhu) -> None:
    done = longhu(*words)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"longhu {words[0]}: ")
    assert done.err.endswith(f"`longhu {words[0]} --help` tells how it is used\n")
    assert done.err.count("\n") == 2


@pytest.mark.parametrize("command", ["claims", "readings"])
@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["no-such-game"], "no game is called 'no-such-game'"),
        ([], "which game?"),
        ([DBO, "--reading", "banker_0_2_vs_8=sit"], "no option 'sit'"),
        (["--game", "no-such.toml"], "no-such.toml:1:1: cannot be read"),
    ],
)
def test_claims_and_readings_refuse_alike(command: str, words: list[str], complaint: str, longhu: Longhu) -> None:
    assert_one_line(longhu(command, *words), complaint)


def test_readings_take_any_shoe_and_refuse_what_is_none(longhu: Longhu) -> None:
    assert_one_line(longhu("readings", DT, "--shoe", "B:5"), "'B' is no rank")


# ------------------------------------------------ claims


def test_claims_hold_under_the_readings_in_force_and_not_as_printed(longhu: Longhu) -> None:
    told = longhu("claims", DBO, "--json").told
    taken, other = told["reckonings"]
    assert (taken["under"], taken["agrees"]) == (None, True)
    assert (other["under"], other["agrees"]) == ("banker_0_2_vs_8=stand", False)
    for reckoning, rounded in ((taken, "97.35"), (other, "101.36")):
        (claim,) = (each for each in reckoning["claims"] if each["wager"] == "dragon-bonus-player")
        assert (claim["published"], claim["rounded"], claim["clause"]) == ("97.35", rounded, "DBO-RTP-4")
        assert claim["agrees"] is (rounded == "97.35")
        assert is_reduced(claim["exact"])
    assert Fraction(taken["claims"][0]["exact"]) == usual_odds(DBO)["player"].rtp


def test_claims_show_both_readings_to_people(longhu: Longhu) -> None:
    done = longhu("claims", DBO)
    assert (done.status, done.err) == (0, "")
    for text in (
        "98.764919 %",
        "99.575426 %",
        "All 5 published returns agree",
        "5 of 5 published returns do not agree",
    ):
        assert text in done.out
    assert "Under banker_0_2_vs_8=stand: Banker 0 to 2 stands against an 8, as printed" in done.out


def test_claims_fail_with_exit_status_1(longhu: Longhu) -> None:
    done = longhu("claims", DBO, "--reading", "banker_0_2_vs_8=stand", "--json")
    assert (done.status, done.err) == (1, "")
    taken, other = json.loads(done.out)["reckonings"]
    assert (taken["under"], taken["agrees"]) == (None, False)
    assert (other["under"], other["agrees"]) == ("banker_0_2_vs_8=draw", True)


def test_one_claim_that_fails_is_enough(longhu: Longhu, tmp_path: Path) -> None:
    text = Path(game_of(DBO).file).read_text(encoding="utf-8")
    (tmp_path / "boast.toml").write_text(text.replace('"90.63%"', '"90.64%"'), encoding="utf-8")
    done = longhu("claims", "--game", str(tmp_path / "boast.toml"))
    assert done.status == 1
    assert "1 of 5 published returns do not agree with the exact ones." in done.out


def test_a_game_that_claims_nothing_has_nothing_to_check(longhu: Longhu) -> None:
    done = longhu("claims", DT)
    assert (done.status, done.err) == (0, "")
    assert done.out == "dragon-tiger publishes no returns, so there is nothing to hold against the exact ones.\n"


# ------------------------------------------------ readings


def test_readings_show_the_edge_under_each_option(longhu: Longhu) -> None:
    shown = longhu("readings", DBO).out
    for text in ("banker_0_2_vs_8", "Q42", "draw (taken)", "stand", "1.2351 %", "0.4246 %", "-1.3574 %"):
        assert text in shown
    assert "No figure depends on it." in shown


def test_readings_give_programs_the_exact_figures(longhu: Longhu) -> None:
    told = longhu("readings", IDT, "--decks", "8", "--json").told
    readings = {reading["id"]: reading for reading in told["readings"]}
    assert list(readings) == list(game_of(IDT).readings)
    evs = readings["pair_basis"]["ev"]
    assert evs["rank"]["player-pair"] == "-43/415"
    assert {id: Fraction(ev) for id, ev in evs["rank"].items()} == {id: odds.ev for id, odds in usual_odds(IDT).items()}
    assert readings["pair_basis"]["chosen"] == "rank"
    assert [id for id in evs["rank"] if evs["rank"][id] != evs["points"][id]] == ["player-pair", "banker-pair"]
    assert readings["layout_e"]["ev"] == {}


def test_readings_keep_the_other_choices(longhu: Longhu) -> None:
    """Under one reading, what the others do is told from there."""
    told = longhu("readings", DBO, "--reading", "banker_0_2_vs_8=stand", "--json").told
    rounding = next(reading for reading in told["readings"] if reading["id"] == "rounding")
    assert {option: round(float(1 + Fraction(evs["player"])), 4) for option, evs in rounding["ev"].items()} == {
        "patron": 0.9958,
        "house": 0.9958,
    }


# ------------------------------------------------ the same from Python


def test_python_gives_fractions() -> None:
    odds = api.game(IDT).odds(decks=8)
    edge = odds["banker"].house_edge
    assert isinstance(edge, Fraction)
    assert edge == -usual_odds(IDT)["banker"].ev
    assert all(isinstance(each, Fraction) for each in (odds["banker"].ev, odds["banker"].rtp, odds["tie"].variance))
    assert list(odds) == list(odds.wagers)
    assert len(odds) == 12
    with pytest.raises(KeyError):
        odds["no-such-wager"]


def test_python_takes_decks_or_a_shoe_with_cards_dealt_and_a_layout() -> None:
    game = api.game(IDT)
    shoe = Shoe.of_decks(4)
    assert game.odds(shoe=shoe).ways == game.odds(decks=4).ways
    assert "player-pair" not in game.odds(decks=4, layout="A")
    assert game.odds(decks=4, dealt="5D KC 2C").dealt == cards("5D KC 2C")
    with pytest.raises(ShoeError, match="a shoe or a number of decks, not both"):
        game.odds(decks=4, shoe=shoe)
    with pytest.raises(ShoeError, match="101 decks"):
        game.odds(decks=101)
    with refused(LAYOUT_UNKNOWN, name="Z"):
        game.odds(layout="Z")


def test_python_shows_odds_as_a_table() -> None:
    text = str(api.game(DT).odds(decks=8))
    assert text.splitlines()[0] == "Dragon Tiger, 8 decks"
    (tie,) = (line.split() for line in text.splitlines() if line.startswith("Tie "))
    assert tie == ["Tie", "10.3614", "%", "89.6386", "%", "7.47", "%", "3.1549"]
    assert len({len(line) for line in text.splitlines()[2:]}) == 1
    assert repr(api.game(DT).odds(decks=8)) == text
    dealt = str(api.game(DT).odds(decks=8, dealt="KS"))
    assert dealt.splitlines()[0] == "Dragon Tiger, 8 decks, KS on the table"
    assert dealt.splitlines()[2].split()[:2] == ["wager", "now"]
    wager = str(api.game(DT).odds(decks=8)["tie"])
    assert "Tie: house edge 43/415 (10.3614 %), returns 89.6386 %" in wager
    assert "7.4699 %     +11  Both ranks alike  DT-4.1c" in wager


class Cells(HTMLParser):
    """The texts of a page's cells, and the tags it has."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, _attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_a_notebook_shows_a_table_in_which_names_are_only_text(tmp_path: Path) -> None:
    text = (THIRD_PARTY / "super-6.toml").read_text(encoding="utf-8")
    odd = "<script>alert(1)</script> & <b>"
    file = tmp_path / "odd.toml"
    file.write_text(
        text.replace('en = "Super 6"', f'en = "{odd}"').replace('en = "Tie"', 'en = "<i>"'), encoding="utf-8"
    )
    page = api.load(file).odds()._repr_html_()
    cells = Cells(page)
    assert cells.tags.count("td") == 4 * 5
    assert set(cells.tags) == {"table", "caption", "thead", "tbody", "tr", "th", "td"}
    assert {odd, "<i>"} <= set(cells.texts)
    assert "<script" not in page


def test_rows_are_flat_and_plain() -> None:
    rows = api.game(IDT).odds(decks=8).rows()
    assert [row["wager"] for row in rows] == list(usual_odds(IDT))
    assert len({tuple(row) for row in rows}) == 1
    for row in rows:
        assert all(type(value) in (str, int, float, type(None)) for value in row.values())
    player = rows[0]
    assert (player["game"], player["decks"]) == (IDT, 8)
    assert Fraction(player["ev_exact"]) == usual_odds(IDT)["player"].ev
    assert player["rtp"] == pytest.approx(0.978513, abs=1e-6)
    assert json.loads(json.dumps(rows)) == rows
