"""Games of other people: a file is enough, and no code of ours knows them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import longhu
from longhu.roundfile import RoundFile
from tests.rounds import in_dealing_order, played

FOLDER = Path(__file__).parent / "third_party"
PACKAGE = FOLDER / "package"
FILES = sorted(FOLDER.glob("*.toml"))
SOURCES = Path(longhu.__file__).parent

EZ_BACCARAT = """
    player        banker        wager      stake    result   net       rule
    KS 9D         2H 5C         player     10.00    win       10.00    Player wins
    4S 2D         3H 3C         player     10.00    push       0.00    a tie pushes Player
    KS 6D         2H 5C         player     10.00    lose     -10.00    Banker is higher
    KS 6D         2H 5C         banker     10.00    win       10.00    a two-card 7 pays Banker in full, no commission
    KS 6D         9H 5C +4S     banker     10.00    win       10.00    so does a three-card 8
    KS 6D         KH 3C +4S     banker     10.00    push       0.00    a three-card 7 pushes Banker
    KS QD +AH     KH 3C +4S     banker     10.00    push       0.00    also when Player drew
    4S 2D         3H 3C         banker     10.00    push       0.00    a tie pushes Banker
    KS 7D         KH 3C +4S     banker     10.00    push       0.00    a three-card 7 that ties is a tie
    KS 9D         2H 5C         banker     10.00    lose     -10.00    Player is higher
    4S 2D         3H 3C         tie         5.00    win       40.00    Tie pays 8 to 1
    KS 9D         2H 5C         tie         5.00    lose      -5.00    no tie
    KS 6D         KH 3C +4S     dragon-7    5.00    win      200.00    Dragon 7 pays 40 to 1
    KS 6D         2H 5C         dragon-7    5.00    lose      -5.00    two cards are no Dragon 7
    KS 7D         KH 3C +4S     dragon-7    5.00    lose      -5.00    a 7 that ties does not win
    KS AD +7H     KH 7C         panda-8     5.00    win      125.00    Panda 8 pays 25 to 1
    KS 8D         KH 7C         panda-8     5.00    lose      -5.00    a natural 8 is no Panda 8
    KS AD +7H     KH 4C +4D     panda-8     5.00    lose      -5.00    an 8 that ties does not win
"""

SUPER_6 = """
    player        banker        wager      stake    result   net       rule
    KS 9D         2H 5C         player     10.00    win       10.00    Player wins
    4S 2D         3H 3C         player     10.00    push       0.00    a tie pushes Player
    KS 6D         2H 5C         player     10.00    lose     -10.00    Banker is higher
    KS 6D         2H 5C         banker     10.00    win       10.00    Banker wins with 7, no commission
    KS QD +5H     2H 4C         banker     10.00    win        5.00    Banker wins with a two-card 6, half
    KS QD +5H     KH 4C +2C     banker     10.00    win        5.00    Banker wins with a three-card 6, half
    KS QD +5H     2H 4C         banker      0.05    win        0.03    the half cent goes to the patron
    4S 2D         3H 3C         banker     10.00    push       0.00    6 against 6 is a tie
    KS 7D         2H 4C         banker     10.00    lose     -10.00    Player is higher
    4S 2D         3H 3C         tie         5.00    win       40.00    Tie pays 8 to 1
    KS 6D         2H 5C         tie         5.00    lose      -5.00    no tie
    KS QD +5H     2H 4C         super-6     5.00    win       60.00    two-card 6, 12 to 1
    KS QD +5H     KH 4C +2C     super-6     5.00    win       60.00    three-card 6, 12 to 1 as well
    4S 2D         3H 3C         super-6     5.00    lose      -5.00    a 6 that ties does not win
    KS 7D         2H 4C         super-6     5.00    lose      -5.00    a 6 that is beaten does not win
"""

DRAGON_TIGER_SUITED_TIE = """
    dragon        tiger         wager      stake    result   net       rule
    KS            QD            dragon     10.00    win       10.00    Dragon wins
    QS            KD            dragon     10.00    lose     -10.00    Tiger is higher
    QS            QD            dragon     10.00    half      -5.00    a tie takes half
    QS            QS            dragon     10.00    half      -5.00    a suited tie takes no more
    QS            KD            tiger      10.00    win       10.00    Tiger wins
    AS            2D            tiger      10.00    win       10.00    an ace is low
    KS            QD            tiger      10.00    lose     -10.00    Dragon is higher
    QS            QD            tiger       0.05    half      -0.02    half of 5 cents, the fraction to the patron
    QS            QD            tie         5.00    win       40.00    Tie pays 8 to 1
    QS            QS            tie         5.00    win       40.00    a suited tie is a tie
    QS            KS            tie         5.00    lose      -5.00    one suit is not enough
    QS            QS            suited-tie  5.00    win      250.00    Suited Tie pays 50 to 1
    QS            QC            suited-tie  5.00    lose      -5.00    one colour is not enough
    QS            KS            suited-tie  5.00    lose      -5.00    one suit without a tie
"""

TABLES = {"ez-baccarat": EZ_BACCARAT, "super-6": SUPER_6, "dragon-tiger-suited-tie": DRAGON_TIGER_SUITED_TIE}


@dataclass(frozen=True)
class Example:
    """One row: two hands, one wager, what becomes of it."""

    game: str
    first: str
    second: str
    wager: str
    stake: str
    result: str
    net: str
    rule: str


def examples() -> Iterator[Example]:
    for game, table in TABLES.items():
        _, *rows = table.strip().splitlines()
        yield from (Example(game, *re.split(r"\s{2,}", row.strip())) for row in rows)


def third_party(id: str) -> longhu.Game:
    return longhu.load(FOLDER / f"{id}.toml")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_alone_is_a_game(path: Path) -> None:
    """It loads without a mistake, is called what its file is called, and stays short enough to read."""
    game = longhu.load(path)
    assert game.id == path.stem
    assert game.id in TABLES
    assert len(path.read_text(encoding="utf-8").splitlines()) < 90


@pytest.mark.parametrize("row", list(examples()), ids=lambda row: f"{row.game}: {row.wager}, {row.rule}")
def test_each_line_pays_as_its_rule_says(row: Example) -> None:
    paid = played(third_party(row.game), row.first, row.second, **{row.wager: row.stake})[row.wager]
    assert (paid.result, paid.net) == (row.result, row.net)


@pytest.mark.parametrize("game", TABLES)
def test_the_examples_meet_every_line_of_every_wager(game: str) -> None:
    met = {
        (row.wager, played(third_party(game), row.first, row.second, **{row.wager: row.stake})[row.wager].says)
        for row in examples()
        if row.game == game
    }
    assert met == {(id, line.says.en) for id, wager in third_party(game).wagers.items() for line in wager.lines}


@pytest.mark.parametrize("game", TABLES)
def test_rounds_of_a_third_party_game_settle_as_json_lines(game: str) -> None:
    rows = [row for row in examples() if row.game == game]
    lines = [
        json.dumps({"cards": in_dealing_order(row.first, row.second).split(), "wagers": {row.wager: row.stake}})
        for row in rows
    ]
    settled = [
        json.loads(line) for line in RoundFile(third_party(game).definition).settle_lines([x.encode() for x in lines])
    ]
    assert [
        (each["settlement"][row.wager]["result"], each["net"]) for row, each in zip(rows, settled, strict=True)
    ] == [(row.result, row.net) for row in rows]


def test_a_house_names_its_clauses_as_it_likes() -> None:
    round = played(third_party("ez-baccarat"), "KS 6D", "KH 3C +4S", banker="10.00", dragon_7="1.00")
    assert (round["banker"].clause, round["dragon-7"].clause) == ("EZ-2", "EZ-2")
    assert played(third_party("super-6"), "KS 6D", "2H 5C", banker="10.00")["banker"].clause is None


def test_a_file_that_was_changed_is_read_anew(tmp_path: Path) -> None:
    """A designer edits a pay table and loads it again; what counts is what the file says now."""
    file, text = tmp_path / "mine.toml", (FOLDER / "super-6.toml").read_text(encoding="utf-8")
    file.write_text(text, encoding="utf-8")
    assert played(longhu.load(file), "KS QD +5H", "2H 4C", super_6="1.00").net == "12.00"
    file.write_text(text.replace('"12:1"', '"15:1"'), encoding="utf-8")
    assert played(longhu.load(file), "KS QD +5H", "2H 4C", super_6="1.00").net == "15.00"


def test_a_relative_path_means_the_folder_one_is_in_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for house, odds in (("north", "12:1"), ("south", "15:1")):
        (tmp_path / house).mkdir()
        text = (FOLDER / "super-6.toml").read_text(encoding="utf-8").replace('"12:1"', f'"{odds}"')
        (tmp_path / house / "game.toml").write_text(text, encoding="utf-8")
    paid = {}
    for house in ("north", "south"):
        monkeypatch.chdir(tmp_path / house)
        paid[house] = played(longhu.load("game.toml"), "KS QD +5H", "2H 4C", super_6="1.00").net
    assert paid == {"north": "12.00", "south": "15.00"}


# ---------------------------------------------------------------- installed packages

ASK = """
import json, longhu
from longhu.games import registry
round = longhu.game("high-card").settle("KS QD", left="5.00")
print(json.dumps([list(registry.installed()), list(registry.all_games()), round.net, round.settled.game.file]))
"""


def ask_where_installed(site: Path, *, entry_points: str, code: str = ASK) -> subprocess.CompletedProcess[str]:
    """Run some code where a package with these entry points is installed: a dist-info folder beside it is all it takes."""
    info = site / "riverside_games-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: riverside-games\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(entry_points, encoding="utf-8")
    paths = os.pathsep.join([str(site), str(PACKAGE)])
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_an_installed_package_brings_its_games_through_its_entry_point(tmp_path: Path) -> None:
    ran = ask_where_installed(tmp_path, entry_points="[longhu.games]\nriverside = riverside_games\n")
    assert ran.returncode == 0, ran.stderr
    installed, all_games, net, file = json.loads(ran.stdout)
    assert installed == ["high-card"]
    assert {"high-card", "dragon-tiger"} <= set(all_games)
    assert net == "5.00"
    assert Path(file) == PACKAGE / "riverside_games" / "high-card.toml"


def test_a_package_without_the_entry_point_brings_no_games(tmp_path: Path) -> None:
    ran = ask_where_installed(tmp_path, entry_points="[console_scripts]\nriverside = riverside_games:run\n")
    assert ran.returncode == 1
    assert "no game is called 'high-card'" in ran.stderr
