"""The PAR sheet: what it states is what the odds are, in the page and in the PDF; nothing in it is read as markup."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from fractions import Fraction
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from longhu.cards import Shoe
from longhu.games.game import Game
from longhu.games.registry import find, load_game
from longhu.money import Money
from longhu.par.sections import Issue, report
from longhu.par.sheet import Sheet, gather, largest_stakes, steps
from longhu.report.blocks import Cell, Report, Section, Table, text_of
from longhu.report.html import page
from longhu.report.pdf import HAVE, LACKING, document, pages, printable

GAME = "dragon-tiger"
DAY = date(2026, 3, 31)
ISSUE = Issue(DAY, "9.9", "longhu odds dragon-tiger --json", "longhu par dragon-tiger --date 2026-03-31")
HOSTILE = """<script>alert(1)</script> & "x" #panic() $x$ @y *z* <b> #read(\\"/etc/passwd\\") 和 {{ 7 * 7 }}"""


def longhu(*words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "longhu", *words]
    return subprocess.run(command, capture_output=True, cwd=cwd, timeout=60, check=False)


def sheet_of(file: Path, shoe: Shoe | None = None, readings: Mapping[str, str] | None = None) -> Sheet:
    def reload(chosen: Mapping[str, str]) -> Game:
        return load_game(file, {**(readings or {}), **chosen})

    game = reload({})
    return gather(game, shoe or Shoe.of_decks(game.decks.default), reload)


@pytest.fixture(scope="module")
def sheet() -> Sheet:
    return sheet_of(find(GAME))


@pytest.fixture(scope="module")
def told(sheet: Sheet) -> Report:
    return report(sheet, ISSUE)


@pytest.fixture(scope="module")
def html(told: Report) -> str:
    return page(told)


def section(told: Report, title: str) -> Section:
    return next(each for each in told.sections if each.title == title)


def paytables(told: Report) -> list[Table]:
    wagers = section(told, "Wagers").parts
    return [next(block for block in part.blocks if isinstance(block, Table)) for part in wagers]


def number(cell: Cell) -> Fraction:
    return Fraction(text_of(cell).replace(",", "").replace("\N{MINUS SIGN}", "-"))


# ------------------------------------------------ what it states


def test_the_page_has_every_wager_line_and_clause_and_the_exact_fractions(sheet: Sheet, html: str) -> None:
    text = unescape(html)
    for each in sheet.odds.values():
        assert each.wager.name.en in text
        assert each.wager.name.into("zh-Hans") in text
        assert f">{each.ev}<" in html
        assert f">{each.rtp}<" in html
        for one in each.lines:
            assert one.line.says.en in text
            assert f"{one.ways:,}" in text
            assert all(clause in text for clause in one.line.clauses)


def test_the_title_block_says_which_game_which_rules_and_when(sheet: Sheet, html: str) -> None:
    for stated in (sheet.game.id, sheet.game.version, sheet.game.digest, "17 July 2013", "8 decks, 416 cards"):
        assert stated in html
    for stated in ("DT: Dragon Tiger (MBS)", "31 March 2026", "Longhu 9.9", "172,640", "not stated"):
        assert stated in html


def test_the_totals_are_all_deals_and_the_exact_return(sheet: Sheet, told: Report) -> None:
    for each, table in zip(sheet.odds.values(), paytables(told), strict=True):
        places = {column.title: place for place, column in enumerate(table.columns)}
        ways, returned = places["Ways"], places["Ways × returned"]
        assert sum(number(row[ways]) for row in table.rows) == number(table.total[ways]) == sheet.odds.ways.deals
        assert sum(number(row[returned]) for row in table.rows) == number(table.total[returned])
        assert number(table.total[returned]) / sheet.odds.ways.deals == each.rtp


def test_deals_that_run_out_of_cards_stand_in_the_paytable_and_in_the_method() -> None:
    found = sheet_of(find("dragon-bonus"), Shoe.of_counts({"5S": 5}))
    told = report(found, ISSUE)
    assert found.odds.ways.void
    for table in paytables(told):
        assert any(row[0] == "The cards run out: void" for row in table.rows)
        assert sum(number(row[4]) for row in table.rows) == found.odds.ways.deals
    assert "such a round is void" in page(told)
    assert "Cards in the shoe" in page(told)


def test_the_return_is_told_for_every_number_of_decks(sheet: Sheet, told: Report) -> None:
    rows = [
        row
        for block in section(told, "Return by number of decks").blocks
        if isinstance(block, Table)
        for row in block.rows
    ]
    assert list(sheet.by_decks) == [4, 5, 6, 7, 8]
    for returns in sheet.by_decks.values():
        assert {str(share) for share in returns.values()} <= {cell for row in rows for cell in row}


def test_readings_are_told_whole_with_the_edge_under_each_option(sheet: Sheet, html: str) -> None:
    text = unescape(html)
    for reading in sheet.game.readings.values():
        for words in (
            reading.id,
            reading.question,
            reading.asks.en,
            reading.takes.en,
            reading.because.en,
            *reading.clauses,
        ):
            assert words in text
        assert all(option.says.en in text for option in reading.options.values())


def test_published_returns_and_the_cap_are_held_against_the_exact_figures() -> None:
    found = sheet_of(find("dragon-bonus-online"))
    text = page(report(found, ISSUE))
    assert "5 of 5 published returns agree" in text
    assert "Under banker_0_2_vs_8=stand" in text
    assert "0 of 5 published returns agree" in text
    assert all(clause in text for clause in ("DBO-RTP-1", "DBO-CAP-1", "DBO-MAX-5"))
    assert found.capped is not None
    assert set(found.capped.stakes.values()) == {Money(100_00)}
    assert "3300.00 USD" in text
    assert "never takes anything off" in text
    assert "1.235081\N{NO-BREAK SPACE}%" in text  # Player's edge as taken
    assert "0.424574\N{NO-BREAK SPACE}%" in text  # and as printed


def test_the_cap_is_held_against_stakes_that_may_stand_together() -> None:
    game = load_game(find("dragon-bonus-online"), {"bonus_both": "no"})
    assert "dragon-bonus-banker" not in largest_stakes(game.offered(None))
    alone = {id: wager for id, wager in game.wagers.items() if wager.requires}
    assert not largest_stakes(alone)


def test_a_wager_that_favours_the_patron_is_warned_of(told: Report) -> None:
    assert "favours the patron" not in page(told)
    found = sheet_of(find("dragon-bonus-online"), readings={"banker_0_2_vs_8": "stand"})
    text = page(report(found, ISSUE))
    assert "Dragon Bonus Player favours the patron: it returns 101.36\N{NO-BREAK SPACE}%" in text
    assert "Under the reading banker_0_2_vs_8=stand" in text


def test_gathering_tells_of_every_step() -> None:
    game = load_game(find(GAME), {})
    done: list[int] = []
    gather(game, Shoe.of_decks(8), lambda chosen: load_game(find(GAME), dict(chosen)), advance=done.append)
    assert sum(done) == steps(game)


# ------------------------------------------------ markup


class Tags(HTMLParser):
    """Which elements and attributes a page has."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """Dragon Tiger with markup of every kind in its texts."""
    text = find(GAME).read_text(encoding="utf-8")
    quoted = HOSTILE.replace('"x"', '\\"x\\"')
    for words in ("Dragon Tiger", "Tie: half is lost", "The document sets no breakage.", "龙虎", "Dragon Big"):
        assert f'"{words}"' in text
        text = text.replace(f'"{words}"', f'"{quoted} {words}"')  # where it stands, and where it is translated
    file = tmp_path / "hostile.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_nothing_that_a_game_file_says_is_read_as_markup(hostile: Path, html: str) -> None:
    told = report(sheet_of(hostile), ISSUE)
    text = page(told)
    ours, theirs = Tags(), Tags()
    ours.feed(html)
    theirs.feed(text)
    assert theirs.tags == ours.tags
    assert theirs.attributes == ours.attributes
    assert "script" not in theirs.tags
    assert "{{ 7 * 7 }}" in text
    assert pages(document(told)) >= pages(document(report(sheet_of(find(GAME)), ISSUE)))


def test_signs_that_no_font_has_are_marked_in_the_pdf() -> None:
    assert printable(["Tie 和局", "a\x00b\u202e", "“½ − ×” ♠"]) == [
        f"Tie {LACKING}",
        f"a{LACKING}b{LACKING}",
        "“½ − ×” ♠",
    ]


def test_every_sign_that_counts_as_printable_is_in_the_fonts(told: Report) -> None:
    signs = printable("".join(chr(code) for low, high in HAVE for code in range(low, high + 1)))
    assert document(replace(told, title=signs, sections=())).startswith(b"%PDF")


def test_the_page_needs_no_network_and_no_script(html: str) -> None:
    tags = Tags()
    tags.feed(html)
    assert not tags.tags & {"script", "link", "img", "iframe", "object", "embed", "base"}
    assert not tags.attributes & {"src", "srcset", "onload"}
    assert set(re.findall(r"https?://[^\"'<\s]+", html)) == {"http://www.w3.org/2000/svg"}


# ------------------------------------------------ the same again


def test_the_same_input_gives_the_same_bytes(told: Report, html: str) -> None:
    again = report(sheet_of(find(GAME)), ISSUE)
    assert page(again) == html
    assert document(again) == document(told)


def test_the_pdf_has_pages_and_the_date_of_the_report(told: Report) -> None:
    pdf = document(told)
    assert pdf.startswith(b"%PDF-")
    assert pages(pdf) > 3
    assert b"D:20260331" in pdf
    assert document(replace(told, date="2026-04-01")) != pdf


# ------------------------------------------------ the command


def test_both_files_are_written_and_told(tmp_path: Path) -> None:
    done = longhu("par", GAME, "--date", "2026-03-31", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    assert sorted(each.name for each in tmp_path.iterdir()) == ["dragon-tiger-par.html", "dragon-tiger-par.pdf"]
    first, second = done.stdout.decode().splitlines()
    assert re.fullmatch(r"dragon-tiger-par\.html: \d+ KiB", first)
    assert re.fullmatch(r"dragon-tiger-par\.pdf: \d+ pages, \d+ KiB", second)
    assert (tmp_path / "dragon-tiger-par.pdf").read_bytes().startswith(b"%PDF")
    shown = longhu("par", GAME, "--date", "2026-03-31", "--html", "-", cwd=tmp_path)
    assert shown.stdout == (tmp_path / "dragon-tiger-par.html").read_bytes()


def test_the_page_goes_to_the_standard_output_alone(tmp_path: Path) -> None:
    done = longhu("par", GAME, "--html", "-", "--wager", "tie", "--decks", "6", cwd=tmp_path)
    text = done.stdout.decode()
    assert text.startswith("<!DOCTYPE html>")
    assert text.rstrip().endswith("</html>")
    assert "longhu odds dragon-tiger --decks 6 --wager tie --json" in text
    assert "Dragon Big" not in text
    assert not list(tmp_path.iterdir())


def test_a_file_of_ones_own_is_named_without_its_folder(hostile: Path) -> None:
    text = longhu("par", "--game", str(hostile), "--html", "-").stdout.decode()
    assert "--game hostile.toml" in text
    assert str(hostile.parent) not in text


def test_an_earlier_file_is_replaced_whole(tmp_path: Path) -> None:
    (tmp_path / "sheet.html").write_text("old " * 100_000)
    done = longhu("par", GAME, "--html", "sheet.html", cwd=tmp_path)
    assert done.returncode == 0
    assert "old old" not in (tmp_path / "sheet.html").read_text(encoding="utf-8")
    assert [each.name for each in tmp_path.iterdir()] == ["sheet.html"]


def test_a_device_is_written_to_and_never_replaced() -> None:
    assert longhu("par", GAME, "--html", os.devnull).returncode == 0
    assert not Path(os.devnull).is_file()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--html", "no-such/sheet.html"], "--html no-such/sheet.html: there is no folder no-such"),
        (["--pdf", "."], "--pdf .: a folder"),
        (["--pdf", "-"], "--pdf -: a PDF goes to a file"),
        (["--html", "x" * 300], "File name too long"),
        (["--date", "31.3.2026"], "--date '31.3.2026': expected a day since 1970"),
        (["--date", "2026-02-30"], "expected a day since 1970"),
        (["--layout", "Z"], "has no layout Z"),
    ],
)
def test_what_cannot_be_done_is_one_clear_line(words: list[str], complaint: str, tmp_path: Path) -> None:
    done = longhu("par", GAME, *words, cwd=tmp_path)
    said = done.stderr.decode()
    assert done.returncode == 2
    assert complaint in said
    assert said.count("\n") == 1
    assert not done.stdout
    assert not list(tmp_path.iterdir())


def test_help_has_examples() -> None:
    done = longhu("par", "--help")
    assert done.returncode == 0
    assert b"longhu par dragon-tiger" in done.stdout.partition(b"examples:")[2]
