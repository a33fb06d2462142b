"""The `longhu` command as a user meets it: run as a process, judged by what it prints and how it exits."""

from __future__ import annotations

import json
import os
import pty
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from longhu.cli.main import COMMANDS
from longhu.deal.baccarat import DRAWS_AFTER_STAND
from longhu.games import registry
from longhu.settlement import DECKS_OUTSIDE_RANGE, LAYOUT_UNKNOWN, WAGER_NOT_ON_LAYOUT
from tests.rounds import said

ROUND = '{"cards": ["5D", "KC", "2C", "4C", "QD"], "wagers": {"player": "100.00"}}'
GAME = "immortal-dragon-tiger"


def longhu(*words: str, given: str | bytes = "", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "longhu", *words],
        input=given if isinstance(given, bytes) else given.encode(),
        capture_output=True,
        cwd=cwd,
        timeout=60,
        check=False,
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def answers(done: subprocess.CompletedProcess[str]) -> list[Any]:
    return [json.loads(line) for line in done.stdout.splitlines()]


# ------------------------------------------------ help and start-up


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["games"],
        ["games", "list"],
        ["games", "show"],
        ["games", "check"],
        ["games", "diff"],
        ["games", "facts"],
        ["rules"],
        ["settle"],
    ],
    ids=" ".join,
)
def test_every_command_has_help(words: list[str]) -> None:
    done = longhu(*words, "--help")
    assert done.returncode == 0
    assert "longhu" in done.stdout
    assert not done.stderr


@pytest.mark.parametrize("command", ["games", "rules", "settle"])
def test_help_has_examples(command: str) -> None:
    assert f"longhu {command}" in longhu(command, "--help").stdout.partition("examples:")[2]


def test_help_imports_nothing_heavy() -> None:
    """`--help` must be quick: neither numbers nor servers nor tables nor games are imported for it."""
    seen = "import sys; from longhu.cli.main import main; main(['--help']); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", seen], capture_output=True, text=True, check=True)
    modules = set(done.stderr.split())
    assert not modules & {"numpy", "numba", "litestar", "rich", "msgspec", "longhu.games.loader", "difflib"}


def test_help_takes_little_of_the_processor() -> None:
    """Against a bare interpreter in the same run, so that a slow machine does not matter."""

    def cpu(*command: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        for _ in range(5):
            subprocess.run([sys.executable, *command], capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime

    cpu("-m", "longhu", "--help")
    assert cpu("-m", "longhu", "--help") < 8 * cpu("-c", "pass") + 0.25


def test_a_mistyped_command_is_answered_with_a_suggestion() -> None:
    done = longhu("setle")
    assert done.returncode == 2
    assert done.stderr == (
        f"longhu: no command is called 'setle'. Did you mean 'settle'? Possible: {', '.join(COMMANDS)}\n"
    )


def test_no_command_at_all_shows_what_there_is() -> None:
    done = longhu()
    assert done.returncode == 2
    assert "commands:" in done.stdout


# ------------------------------------------------ settle


def test_settle_answers_one_line_for_one_line() -> None:
    assert answers(longhu("settle", GAME, given=ROUND)) == [
        {
            "hands": {"player": ["5D", "2C"], "banker": ["KC", "4C", "QD"]},
            "totals": {"player": 7, "banker": 4},
            "settlement": {
                "player": {"stake": "100.00", "result": "win", "pays": "1:2", "net": "50.00", "clause": "IDT-4.1b"}
            },
            "net": "50.00",
        }
    ]


def test_a_bad_line_is_told_in_its_place_and_the_rest_goes_on() -> None:
    done = longhu("settle", GAME, given=f"{ROUND}\n\n{{]\n{ROUND}\n")
    good, bad, again = answers(done)
    assert bad == {"error": "not valid JSON: Expecting property name enclosed in double quotes at column 2", "line": 3}
    assert good == again
    assert done.returncode == 1
    assert done.stderr == "longhu: 1 of 3 rounds could not be settled\n"


def test_settle_answers_while_the_pipe_is_open() -> None:
    """Streaming: a round is settled when it arrives, not when the file ends."""
    command = [sys.executable, "-m", "longhu", "settle", GAME]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            process.stdin.write(ROUND.encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["net"] == "50.00"
        process.stdin.close()
        assert process.wait(timeout=20) == 0


def test_settle_needs_no_more_memory_for_a_longer_file(tmp_path: Path) -> None:
    """Ten times as many rounds, with stakes that never repeat, and the same memory to within a few MiB."""

    def peak(rounds: int) -> int:
        file = tmp_path / f"{rounds}.jsonl"
        wagers = ["player", "banker", "tie", "dragon-tiger", "big-dragon", "small-dragon", "tiger-tie", "player-pair"]
        hands = ['"5D","KC","2C","4C","QD"', '"9S","JD","KC","TC"', '"KS","QH","6D","6C"', '"7S","9H","KD","KC"']
        with file.open("w") as out:
            for number in range(1, rounds + 1):
                stakes = ",".join(f'"{id}":"{number}.{place:02}"' for place, id in enumerate(wagers))
                out.write(f'{{"cards":[{hands[number % len(hands)]}],"wagers":{{{stakes}}}}}\n')
        program = (
            "import resource, sys; from longhu.cli.main import main; "
            f"status = main(['settle', {GAME!r}, {str(file)!r}]); "
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr); sys.exit(status)"
        )
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        assert len(done.stdout.splitlines()) == rounds
        return int(done.stderr)

    assert peak(40_000) < peak(4_000) + 8 * 1024


def test_a_reading_for_the_live_table_says_that_it_alters_no_settlement() -> None:
    done = longhu("settle", GAME, "--reading", "void_keeps_decided=yes", given=ROUND)
    assert done.stderr == "longhu: reading void_keeps_decided is for a live table; it alters no settlement\n"
    assert not longhu("settle", GAME, "--reading", "pair_basis=points", given=ROUND).stderr


def test_settle_explains_every_round_to_people() -> None:
    done = longhu("settle", GAME, "--human", given=f"{ROUND}\n{{\n")
    assert said(GAME, DRAWS_AFTER_STAND(hand="banker", total=4, other="player"), "IDT-3.13-BPS") in done.stdout
    assert "Player wins with 7 (IDT-4.1b)" in done.stdout
    assert "line 2 cannot be settled: not valid JSON" in done.stdout
    assert "1 rounds settled, 1 failed; the patron's net is 50.00" in done.stdout
    assert done.returncode == 1


@pytest.mark.parametrize("language", ["zh-Hans", "zh-Hant"])
def test_settle_explains_a_round_in_the_language_chosen(language: str) -> None:
    words = registry.load_game(registry.find(GAME)).localization(language)
    reason = DRAWS_AFTER_STAND(hand="banker", total=4, other="player")
    assert words.text(reason) in longhu("settle", GAME, "--human", "--language", language, given=ROUND).stdout
    assert longhu("settle", GAME, "--human", "--language", "fr", given=ROUND).returncode == 2


@pytest.mark.parametrize(("word", "explained"), [("", True), ("--json", False)])
def test_a_terminal_gets_the_explanation_unless_it_asks_for_json(word: str, *, explained: bool, tmp_path: Path) -> None:
    (tmp_path / "rounds.jsonl").write_text(ROUND + "\n")
    ours, theirs = pty.openpty()
    words = ["settle", GAME, "rounds.jsonl", *([word] if word else [])]
    with subprocess.Popen([sys.executable, "-m", "longhu", *words], stdout=theirs, cwd=tmp_path) as process:
        process.wait(timeout=30)
    os.close(theirs)
    shown = os.read(ours, 100_000).decode()
    os.close(ours)
    assert ("(IDT-3.13-BPS)" in shown) is explained
    assert shown.startswith("{") is not explained


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["no-such-game"], "no game is called 'no-such-game'"),
        (["immortal-dragon-tigr"], "Did you mean 'immortal-dragon-tiger'?"),
        ([], "which game? Possible: dragon-21"),
        ([GAME, "--layout", "Z"], said(GAME, LAYOUT_UNKNOWN(name="Z", game=GAME, layouts=[*"ABCDE"]), "IDT-2.2")),
        ([GAME, "--decks", "3"], said(GAME, DECKS_OUTSIDE_RANGE(decks=3, game=GAME, least=4, most=10), "IDT-2.1a")),
        ([GAME, "--decks", "x"], "invalid int value: 'x'"),
        ([GAME, "--reading", "pair_basis"], "write NAME=OPTION"),
        ([GAME, "--reading", "pair_basis=suits"], "no option 'suits'. Possible: rank, points"),
        ([GAME, "--reading", "pair_base=rank"], "Did you mean 'pair_basis'?"),
        ([GAME, "--currency", "XXX"], "'XXX' is no currency known here"),
        ([GAME, "--chip-unit", "0.005"], "finer than the smallest unit"),
        ([GAME, "no-such-file.jsonl"], "no-such-file.jsonl: No such file or directory"),
        (["dragon-bonus-online", "--currency", "JPY"], "states its limits in USD, not in JPY"),
        (["--game", "no-such.toml"], "no-such.toml:1:1: cannot be read: No such file or directory"),
    ],
)
def test_bad_input_is_one_clear_line_and_exit_status_2(words: list[str], complaint: str) -> None:
    done = longhu("settle", *words)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr
    assert not done.stdout


@pytest.mark.parametrize(
    ("words", "stake", "net"),
    [
        ([], "0.50", "0.48"),  # .95 to 1 on 50 cents is 47.5: the half cent goes to the patron
        (["--reading", "rounding=house"], "0.50", "0.47"),
        (["--chip-unit", "0.25"], "0.50", "0.50"),
        (["--reading", "rounding=house", "--chip-unit", "0.25"], "0.50", "0.25"),
        (["--currency", "JPY"], "50", "48"),
        (["--currency", "KWD"], "0.50", "0.475"),
    ],
)
@pytest.mark.clause("IDT-4.1c")
def test_the_house_rounds_in_one_place(words: list[str], stake: str, net: str) -> None:
    given = json.dumps({"cards": ["2S", "9H", "3S", "KD"], "wagers": {"banker": stake}})
    (answer,) = answers(longhu("settle", GAME, *words, given=given))
    assert answer["net"] == net


def test_a_layout_limits_what_may_be_wagered() -> None:
    given = '{"cards": ["5S", "KH", "2D", "6C"], "wagers": {"immortal-dragon": "5.00"}}'
    (refused,) = answers(longhu("settle", GAME, "--layout", "A", given=given))
    (settled,) = answers(longhu("settle", GAME, "--layout", "C", given=given))
    assert (refused["code"], refused["clause"]) == (WAGER_NOT_ON_LAYOUT.code, "IDT-4.6a")
    assert refused["args"] == {"wager": "immortal-dragon", "layout": "A", "layouts": ["C", "D", "E"]}
    assert settled["net"] == "-5.00"


def test_a_closed_pipe_is_no_error() -> None:
    given = (ROUND + "\n") * 5000
    command = f"{sys.executable} -m longhu settle {GAME} | head -n 1"
    done = subprocess.run(["bash", "-c", command], input=given, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr


# ------------------------------------------------ games


def test_games_lists_the_five() -> None:
    told = json.loads(longhu("games", "--json").stdout)
    assert told == json.loads(longhu("games", "list", "--json").stdout)
    assert told == json.loads(longhu("games", "--json", "list").stdout)
    assert {id: len(game["wagers"]) for id, game in told.items()} == {
        "dragon-21": 5,
        "dragon-bonus": 5,
        "dragon-bonus-online": 5,
        "dragon-tiger": 7,
        "immortal-dragon-tiger": 12,
    }
    shown = longhu("games").stdout
    assert all(id in shown for id in told)


def test_show_prints_the_paytable_as_people_know_it() -> None:
    shown = longhu("games", "show", "dragon-tiger").stdout
    for text in ("Tie 和", "11 to 1", "lose half", "DT-4.1c", "in effect from 17 July 2013", "11-1", "Readings of"):
        assert text in shown
    assert ".95 to 1" in longhu("games", "show", GAME).stdout
    assert "1 to 1 less 5%" in longhu("games", "show", "dragon-bonus").stdout


def test_show_tells_a_chosen_reading() -> None:
    shown = longhu("games", "show", "dragon-21", "--reading", "over_21_pays=1-to-2").stdout
    assert "(chosen; the file takes 5-to-1)" in shown.replace("\n", " ")
    told = json.loads(longhu("games", "show", "dragon-21", "--reading", "over_21_pays=1-to-2", "--json").stdout)
    assert told["readings"]["over_21_pays"]["chosen"] == "1-to-2"
    assert [line["pays"] for line in told["wagers"]["dragon"]["lines"]][2] == "1:2"


def test_what_a_file_says_is_never_read_as_markup(tmp_path: Path) -> None:
    text = (Path(__file__).parent / "third_party/super-6.toml").read_text(encoding="utf-8")
    file = tmp_path / "odd.toml"
    file.write_text(text.replace('name = "', 'name = "[red]odd[/] ', 1).replace('en = "', 'en = "[red]odd[/] ', 1))
    assert "[red]odd[/]" in longhu("games", "show", "--game", str(file)).stdout


def test_check_tells_every_mistake_with_its_place(tmp_path: Path) -> None:
    from longhu.games.registry import find

    file = tmp_path / "mine.toml"
    text = find("dragon-tiger").read_text(encoding="utf-8")
    file.write_text(
        text.replace('"dragon.wins"', '"dragon.win"', 1).replace('"11:1"', '"11 to 1"', 1), encoding="utf-8"
    )
    done = longhu("games", "check", "mine.toml", cwd=tmp_path)
    first, second = done.stdout.splitlines()
    assert first.startswith("mine.toml:37:41: unknown fact 'dragon.win'. Did you mean 'dragon.wins'?")
    assert second.startswith("mine.toml:57:53: bad odds '11 to 1'")
    assert done.returncode == 1
    file.write_text(text, encoding="utf-8")
    assert "mine.toml: dragon-tiger is sound" in longhu("games", "check", "mine.toml", cwd=tmp_path).stdout


def test_diff_shows_what_is_played_differently() -> None:
    shown = longhu("games", "diff", "dragon-bonus", "dragon-bonus-online").stdout
    assert "limits.round_cap" in shown
    assert "DBC-DEAL-1" not in shown
    assert "DBC-DEAL-1" in longhu("games", "diff", "dragon-bonus", "dragon-bonus-online", "--all").stdout
    assert "say the same" in longhu("games", "diff", "dragon-21", "dragon-21").stdout


def test_facts_lists_the_language() -> None:
    shown = longhu("games", "facts", "dragon-21").stdout
    assert "dragon.pair_kind" in shown
    assert "none, mixed, coloured, perfect" in shown
    assert "in [a, b, c..d]" in shown


# ------------------------------------------------ rules


def test_rules_counts_all_clauses() -> None:
    shown = longhu("rules").stdout
    assert "512" in shown
    assert len(json.loads(longhu("rules", "--json").stdout)) == 512


def test_rules_shows_one_clause_whole() -> None:
    told = json.loads(longhu("rules", GAME, "3.13-B4", "--json").stdout)
    assert told == json.loads(longhu("rules", "IDT-3.13-B4", "--json").stdout)
    assert told["state"] == "shown"
    assert any(place.startswith("games/immortal-dragon-tiger.toml:") for place in told["cited"])
    assert {"command": "draw-card", "outcome": "card-drawn"} in told["acts"]
    assert told["screens"] == ["dealer's console"]
    assert told["live"]
    assert any("test_immortal_dragon_tiger" in test for test in told["tests"])
    shown = longhu("rules", "DT-3.8b").stdout
    assert "Q01" in shown
    assert "Take half of each Dragon and Tiger stake on a tie" in shown
    assert "settle-round: wager-settled  (dealer's console)" in shown
    assert "not at a table: A figure" in longhu("rules", "DBO-RTP-1").stdout


def test_rules_takes_a_file_where_it_takes_a_game() -> None:
    from longhu.games.registry import find

    told = json.loads(longhu("rules", "--game", str(find("dragon-21")), "5.1A-17", "--json").stdout)
    assert told["id"] == "D21-5.1A-17"
    theirs = str(Path(__file__).parent / "third_party/super-6.toml")
    assert "super-6 comes with no document of ours" in longhu("rules", "--game", theirs).stderr


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["IDT-3.13-B44"], "Did you mean 'IDT-3.13-B4'?"),
        (["dragon-tiger", "9.9"], "DT has no clause '9.9'"),
        (["dragon-tigr"], "Did you mean 'dragon-tiger'?"),
    ],
)
def test_rules_suggests(words: list[str], complaint: str) -> None:
    done = longhu("rules", *words)
    assert done.returncode == 2
    assert complaint in done.stderr
