"""Rounds as JSON lines: what a good line gives, what a bad line is told, and that no line minds its neighbours."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import longhu
from longhu import roundfile
from longhu.games import registry
from longhu.games.game import Game
from longhu.money import Money, currency
from longhu.roundfile import LINE_BYTES_MAX, RoundFile, lines_of
from longhu.settlement import (
    DECKS_OUTSIDE_RANGE,
    LAYOUT_UNKNOWN,
    WAGER_ABOVE_GAME_MAXIMUM,
    WAGER_NEEDS_ANOTHER,
    WAGER_NOT_ON_LAYOUT,
    WAGER_UNKNOWN,
    WAGERS_EXCLUDE,
)
from tests.rounds import refused

DRAGON_TIGER, DRAGON_21, IMMORTAL, BONUS, BONUS_ONLINE = (
    longhu.game(id).definition
    for id in ("dragon-tiger", "dragon-21", "immortal-dragon-tiger", "dragon-bonus", "dragon-bonus-online")
)


def line(drawn: str, **wagers: str) -> bytes:
    """A line as a client writes it; `_` for `-` in the wagers' ids."""
    named = {name.replace("_", "-"): stake for name, stake in wagers.items()}
    return json.dumps({"cards": drawn.split(), "wagers": named}, ensure_ascii=False).encode()


GOOD = line("KS QH", dragon="10.00")


def settled(game: Game, *lines: bytes, **settings: Any) -> list[dict[str, Any]]:
    return [json.loads(each) for each in RoundFile(game, **settings).settle_lines(list(lines))]


def refusal(game: Game, bad: bytes, **settings: Any) -> dict[str, Any]:
    """Why a line is refused: the same alone, between two others, and when the file comes line by line."""
    good = {DRAGON_TIGER.id: GOOD}.get(game.id, b"")
    (alone,) = settled(game, bad, **settings)
    between = settled(game, good, bad, good, **settings)
    file = RoundFile(game, **settings)
    one_by_one = [json.loads(each) for raw in (good, bad, good) for each in file.settle_lines([raw])]
    assert alone["line"] == 1
    assert between == one_by_one
    assert {**alone, "line": 2} in between
    if good:
        assert [each.get("net") for each in between] == ["10.00", None, "10.00"]
        assert file.failed == 1
    return alone


# ---------------------------------------------------------------- good lines


def test_a_line_gives_hands_totals_settlement_and_net() -> None:
    (told,) = settled(IMMORTAL, line("5D KC 2C 4C QD", player="100.00", small_dragon="5.00", banker="10.00"))
    assert told == {
        "hands": {"player": ["5D", "2C"], "banker": ["KC", "4C", "QD"]},
        "totals": {"player": 7, "banker": 4},
        "settlement": {
            "player": {"stake": "100.00", "result": "win", "pays": "1:2", "net": "50.00", "clause": "IDT-4.1b"},
            "small-dragon": {"stake": "5.00", "result": "win", "pays": "15:1", "net": "75.00", "clause": "IDT-4.3b"},
            "banker": {"stake": "10.00", "result": "lose", "pays": None, "net": "-10.00", "clause": "IDT-3.14"},
        },
        "net": "115.00",
    }


def test_lines_come_out_in_the_order_in_which_they_went_in() -> None:
    lines = [line(f"{rank}S 7H", dragon=f"{place}.00") for place, rank in enumerate("A23456789TJQK", start=1)]
    nets = [each["net"] for each in settled(DRAGON_TIGER, *lines)]
    assert nets == ["-1.00", "-2.00", "-3.00", "-4.00", "-5.00", "-6.00", "-3.50",
                    "8.00", "9.00", "10.00", "11.00", "12.00", "13.00"]  # fmt: skip


@pytest.mark.parametrize("bad", [[], [1], [64], [65], [64, 65, 66], [1, 63, 127, 128, 129, 200]], ids=str)
def test_errors_stand_in_their_places_among_many_lines(bad: list[int]) -> None:
    lines = [line("KS") if number in bad else line("KS QH", dragon=f"{number}.00") for number in range(1, 201)]
    told = settled(DRAGON_TIGER, *lines)
    assert [each.get("net", each.get("line")) for each in told] == [
        number if number in bad else f"{number}.00" for number in range(1, 201)
    ]


def test_a_round_may_have_no_wagers() -> None:
    for raw in (b'{"cards":["KS","QH"]}', b'{"cards":["KS","QH"],"wagers":{}}'):
        assert settled(DRAGON_TIGER, raw) == [
            {
                "hands": {"dragon": ["KS"], "tiger": ["QH"]},
                "totals": {"dragon": 13, "tiger": 12},
                "settlement": {},
                "net": "0.00",
            }
        ]


def test_blank_lines_give_nothing_and_count() -> None:
    file = RoundFile(DRAGON_TIGER)
    told = [json.loads(each) for each in file.settle_lines([b"", GOOD, b"  \t", b"\r", b"{", GOOD, b""])]
    assert [each.get("line") for each in told] == [None, 5, None]
    assert (file.line, file.rounds, file.failed) == (7, 3, 1)
    (later,) = file.settle_lines([b"["])
    assert json.loads(later)["line"] == 8


def test_lines_may_end_as_windows_ends_them() -> None:
    assert settled(DRAGON_TIGER, GOOD + b"\r", GOOD + b"\r") == settled(DRAGON_TIGER, GOOD, GOOD)


@pytest.mark.parametrize("written", ["ks 10h", "KS 10H", "Ks Th", "kS tH"])
def test_cards_may_be_written_as_people_write_them_and_come_out_in_one_way(written: str) -> None:
    (told,) = settled(DRAGON_TIGER, line(written, dragon="10.00"))
    assert told["hands"] == {"dragon": ["KS"], "tiger": ["TH"]}


def test_wagers_may_be_named_in_chinese_or_as_on_the_layout() -> None:
    for names in (("dragon", "tie", "tiger-big"), ("龙", "和", "虎大"), ("Dragon", "Tie", "Tiger Big")):
        raw = json.dumps({"cards": ["KS", "KH"], "wagers": dict.fromkeys(names, "10.00")}, ensure_ascii=False)
        (told,) = settled(DRAGON_TIGER, raw.encode())
        assert list(told["settlement"]) == ["dragon", "tie", "tiger-big"]
        assert told["net"] == "115.00"
        assert settled(DRAGON_TIGER, json.dumps(json.loads(raw)).encode()) == [told]  # escaped: 龙


def test_a_commission_is_shown_where_one_is_charged() -> None:
    (told,) = settled(BONUS, line("KS KD 6D 7C", banker="0.50", player="1.00"))
    assert told["settlement"]["banker"] == {
        "stake": "0.50", "result": "win", "pays": "0.95:1", "net": "0.48", "clause": "DBC-MAIN-3", "commission": "0.02",
    }  # fmt: skip
    assert "commission" not in told["settlement"]["player"]


def raised(tmp_path: Path, stake_max: str) -> Game:
    """Dragon Bonus online with other maximums, so that its cap can be reached."""
    text = registry.find("dragon-bonus-online").read_text(encoding="utf-8")
    (tmp_path / "raised.toml").write_text(text.replace('max = "100.00"', f'max = "{stake_max}"'), encoding="utf-8")
    return registry.load_game(tmp_path / "raised.toml")


NINE_NOTHING = "KS KD 4D QC 5H JS"  # Player 9 with three cards, Banker 0


def test_the_largest_credit_at_the_printed_limits_is_not_cut() -> None:
    (told,) = settled(BONUS_ONLINE, line(NINE_NOTHING, player="100.00", dragon_bonus_player="100.00"))
    assert told["net"] == "3100.00"
    assert "cap" not in told


def test_a_capped_round_says_what_the_cap_took(tmp_path: Path) -> None:
    raw = line(NINE_NOTHING, player="100.00", dragon_bonus_player="200.00")
    (told,) = settled(raised(tmp_path, "200.00"), raw)
    assert told["settlement"]["dragon-bonus-player"]["net"] == "6000.00"
    assert told["cap"] == {"cap": "3300.00", "cut": "3100.00", "clause": "DBO-CAP-1"}
    assert told["net"] == "3000.00"
    assert list(told) == ["hands", "totals", "settlement", "cap", "net"]


def test_a_cent_over_the_cap_is_cut_and_at_the_cap_nothing_is(tmp_path: Path) -> None:
    game = raised(tmp_path, "100.01")
    at, over = settled(
        game,
        line(NINE_NOTHING, player="100.00", dragon_bonus_player="100.00"),
        line(NINE_NOTHING, player="100.00", dragon_bonus_player="100.00", tie="0.01", banker="0.01"),
    )
    assert ("cap" in at, "cap" in over) == (False, False)  # losing stakes bring no credit
    (over,) = settled(game, line(NINE_NOTHING, player="100.01", dragon_bonus_player="100.00"))
    assert over["cap"]["cut"] == "0.02"
    assert over["net"] == "3099.99"


def test_amounts_have_the_decimals_of_their_currency() -> None:
    (yen,) = settled(DRAGON_TIGER, line("KS KH", dragon="101"), currency=currency("JPY"))
    assert yen["settlement"]["dragon"]["net"] == yen["net"] == "-50"
    (dinar,) = settled(DRAGON_TIGER, line("KS KH", dragon="1.001"), currency=currency("KWD"))
    assert dinar["net"] == "-0.500"
    finer = refusal(BONUS, line("KS KD 6D 7C", banker="1.5"), currency=currency("JPY"))
    assert "finer than the smallest unit, 1" in finer["error"]


def test_a_file_has_its_layout_and_its_decks() -> None:
    raw = line("5D KC 2C 4C QD", immortal_dragon="5.00")
    assert settled(IMMORTAL, raw, layout="C")[0]["net"] == "-5.00"
    told = refusal(IMMORTAL, raw, layout="B")
    assert (told["code"], told["clause"]) == (WAGER_NOT_ON_LAYOUT.code, "IDT-4.6a")
    assert told["args"] == {"wager": "immortal-dragon", "layout": "B", "layouts": ["C", "D", "E"]}
    with refused(DECKS_OUTSIDE_RANGE, "DT-2.1a", decks=3, game="dragon-tiger", least=4, most=8):
        RoundFile(DRAGON_TIGER, decks=3)


def test_a_layout_that_does_not_exist_is_refused_in_words() -> None:
    with refused(LAYOUT_UNKNOWN, name="Z"):
        settled(IMMORTAL, line("5D KC 2C 4C QD", player="5.00"), layout="Z")


# ---------------------------------------------------------------- bad lines


@dataclass(frozen=True)
class Bad:
    """A line that cannot be settled at Dragon Tiger, words that its error must have, and its code where a rule refuses it."""

    why: str
    raw: bytes
    words: tuple[str, ...]
    code: str | None = None


def at_dragon_tiger(cards: object, wagers: object) -> bytes:
    return json.dumps({"cards": cards, "wagers": wagers}, ensure_ascii=False).encode()


def staked(stake: object) -> bytes:
    return at_dragon_tiger(["KS", "QH"], {"dragon": stake})


BAD_LINES = [
    Bad("bad JSON", b'{"cards": ["KS", "QH"', ("not valid JSON", "column 22")),
    Bad("no JSON at all", b"KS QH dragon 10.00", ("not valid JSON", "column 1")),
    Bad("a list", b'["KS", "QH"]', ("the line is a list", '{"cards": ')),
    Bad("a number", b"12", ("the line is a number",)),
    Bad("a text", b'"KS QH"', ("the line is a text",)),
    Bad("null", b"null", ("the line is null",)),
    Bad("two rounds on a line", GOOD + b" " + GOOD, ("not valid JSON", "Extra data")),
    Bad("an unknown key", b'{"card": ["KS", "QH"]}', ("unknown key 'card'", "Did you mean 'cards'?")),
    Bad("a key too many", b'{"cards": ["KS", "QH"], "wager": {}}', ("'wager'", "Did you mean 'wagers'?")),
    Bad("no cards", b'{"wagers": {"dragon": "10.00"}}', ("the line has no cards",)),
    Bad("cards as one text", b'{"cards": "KS QH"}', ("cards is a text",)),
    Bad("a card as a number", b'{"cards": ["KS", 7]}', ("a card is a number",)),
    Bad("a card as null", b'{"cards": ["KS", null]}', ("a card is null",)),
    Bad("no such card", at_dragon_tiger(["KS", "1H"], {}), ("'1H' is no card", "rank '1'")),
    Bad("no such suit", at_dragon_tiger(["KS", "7X"], {}), ("'7X' is no card", "suit 'X'")),
    Bad("an empty card", at_dragon_tiger(["KS", ""], {}), ("an empty text is no card",)),
    Bad("a joker", at_dragon_tiger(["KS", "Joker"], {}), ("'Joker' is a joker", "without jokers")),
    Bad("too few cards", at_dragon_tiger(["KS"], {}), ("1 card ", "Tiger", "DT-3.4b"), "hand-needs-card"),
    Bad("none at all", at_dragon_tiger([], {}), ("0 cards ", "Dragon"), "hand-needs-card"),
    Bad("too many cards", at_dragon_tiger(["KS", "QH", "2C"], {}), ("after 2", "2♣"), "cards-left-over"),
    Bad("wagers as a list", at_dragon_tiger(["KS", "QH"], ["dragon"]), ("wagers is a list",)),
    Bad("wagers as null", at_dragon_tiger(["KS", "QH"], None), ("wagers is null",)),
    Bad("an unknown wager", at_dragon_tiger(["KS", "QH"], {"dragn": "1"}), ("dragn.", "dragon?"), "wager-unknown-near"),
    Bad("a wager of another game", at_dragon_tiger(["KS", "QH"], {"banker": "1"}), ("banker.",), "wager-unknown"),
    Bad("one wager by two names", at_dragon_tiger(["KS", "QH"], {"dragon": "1", "龙": "1"}), ("Dragon", "龙"), "wager-twice"),
    Bad("a number as stake", staked(10), ("dragon: 10 is a bare number", "as a string")),
    Bad("a decimal number as stake", staked(10.5), ("dragon: 10.5 is a floating-point number",)),
    Bad("true as stake", staked(True), ("dragon: True is a truth value",)),
    Bad("null as stake", staked(None), ("dragon: None",)),
    Bad("an object as stake", staked({"amount": "1"}), ("dragon: ",)),
    Bad("scientific notation", staked("1e3"), ("dragon: '1e3' is in scientific notation",)),
    Bad("half a cent", staked("1.005"), ("'1.005' is finer than the smallest unit, 0.01",)),
    Bad("a negative stake", staked("-5"), ("'-5' is negative",)),
    Bad("nothing staked", staked("0.00"), ("Dragon",), "wager-without-stake"),
    Bad("an empty stake", staked(""), ("'' is no amount",)),
    Bad("separators", staked("1,000.00"), ("has separators: write 1000.00",)),
    Bad("a stake with spaces", staked(" 10.00"), ("is no amount",)),
    Bad("full-width digits", staked("１０"), ("is no amount",)),
    Bad("an absurd stake", staked("99999999999999.99"), ("is more than 9999999999999.99",)),
    Bad("an absurd number of digits", staked("9" * 5000), ("too many digits",)),
    Bad("a number too long to read", b'{"cards":["KS","QH"],"wagers":{"dragon":' + b"9" * 5000 + b"}}", ("number",)),
    Bad("not a number", b'{"cards":["KS","QH"],"wagers":{"dragon":NaN}}', ("not valid JSON",)),
    Bad("infinity as cards", b'{"cards":Infinity}', ("not valid JSON",)),
    Bad("a stake twice", b'{"cards":["KS","QH"],"wagers":{"dragon":"1","dragon":"2"}}', ("'dragon' stands twice",)),
    Bad("wagers twice", b'{"cards":["KS","QH"],"wagers":{"dragon":"1"},"wagers":{}}', ("'wagers' stands twice",)),
    Bad("cards twice", b'{"cards":["KS","QH"],"cards":["2S","QH"],"wagers":{}}', ("'cards' stands twice",)),
    Bad("cards twice, no wagers", b'{"cards":["KS","QH"],"cards":["2S","QH"]}', ("'cards' stands twice",)),
    Bad("an escaped key twice", b'{"cards":["KS","QH"],"wagers":{"tie":"1","ti\\u0065":"2"}}', ("'tie' stands twice",)),
    Bad("invalid UTF-8", b'{"cards":["KS","QH"],"wagers":{"\xff":"1"}}', ("not UTF-8",)),
    Bad("invalid UTF-8 in a card", b'{"cards":["KS","Q\xc3"]}', ("not UTF-8",)),
    Bad("half a surrogate in a card", b'{"cards":["KS","\\ud83c"]}', ("not valid JSON",)),
    Bad("half a surrogate in a name", b'{"cards":["KS","QH"],"wagers":{"\\udc00":"1"}}', ("not valid JSON",)),
    Bad("a byte order mark", b"\xef\xbb\xbf" + GOOD, ("not valid JSON", "BOM")),
    Bad("a bare control character", b'{"cards":["KS","QH\x01"]}', ("not valid JSON",)),
    Bad("deep nesting", b"[" * 100_000, ("nested too deeply",)),
    Bad("deep nesting in cards", b'{"cards":' + b"[" * 100_000 + b"]" * 100_000 + b"}", ("nested too deeply",)),
    Bad("deep nesting in a stake", b'{"cards":["KS","QH"],"wagers":{"tie":' + b'{"a":' * 50_000, ("nested too deeply",)),
    Bad("a line too long", GOOD[:-1] + b" " * LINE_BYTES_MAX + b"}", ("longer than 1 MiB",)),
    Bad("a long line of nothing", b"x" * (LINE_BYTES_MAX + 1), ("longer than 1 MiB",)),
]  # fmt: skip


@pytest.mark.parametrize("bad", BAD_LINES, ids=lambda bad: bad.why)
def test_a_bad_line_is_told_why_in_its_place_and_the_rest_goes_on(bad: Bad) -> None:
    told = refusal(DRAGON_TIGER, bad.raw)
    error = told["error"]
    assert told.get("code") == bad.code
    for words in bad.words:
        assert words in error
    assert len(error) < 400
    error.encode()  # an error can be written to a file as UTF-8


def test_a_bonus_needs_its_main_wager() -> None:
    nine = "KS KD 4D QC 5H JS"
    refused_line = refusal(BONUS, line(nine, dragon_bonus_player="5.00"))
    assert (refused_line["code"], refused_line["clause"]) == (WAGER_NEEDS_ANOTHER.code, "DBC-DB-3")
    assert refused_line["args"] == {"wager": "dragon-bonus-player", "others": ["player", "banker", "tie"]}
    file = RoundFile(BONUS)
    told = [json.loads(each) for each in file.settle_lines([
        line(nine, player="5.00", dragon_bonus_player="5.00"),
        line(nine, dragon_bonus_player="5.00"),
        line(nine, banker="5.00", dragon_bonus_player="5.00"),
    ])]  # fmt: skip
    assert [each.get("net") for each in told] == ["155.00", None, "145.00"]


def test_two_wagers_that_exclude_each_other_are_refused_together() -> None:
    game = longhu.game("dragon-bonus", bonus_both="no").definition
    both = line("KS KD 4D QC 5H JS", tie="5.00", dragon_bonus_player="5.00", dragon_bonus_banker="5.00")
    assert refusal(game, both)["code"] == WAGERS_EXCLUDE.code


def test_a_stake_over_the_printed_maximum_is_refused_each_time() -> None:
    cards = "KS KD 6D 7C"
    lines = [line(cards, banker=stake) for stake in ("100.00", "100.01", "100.00", "100.01")]
    told = settled(BONUS_ONLINE, *lines)
    assert [each.get("net") for each in told] == ["95.00", None, "95.00", None]
    assert (told[1]["code"], told[1]["clause"]) == (WAGER_ABOVE_GAME_MAXIMUM.code, "DBO-MAX-2")
    assert told[1]["args"] == {"wager": "banker", "amount": 100_01, "maximum": 100_00}


def test_a_stake_of_nothing_is_refused_also_when_its_wager_was_settled_before() -> None:
    told = settled(DRAGON_TIGER, *[line("KS QH", dragon=stake) for stake in ("1.00", "0.00", "0", "1.00")])
    assert [each.get("net") for each in told] == ["1.00", None, None, "1.00"]


def test_a_ninth_ace_of_spades_is_not_in_eight_decks() -> None:
    """Dragon AS AS AS AS AS AS 5H is 21; Tiger AS AS, a third ace, and 7C is 20."""
    eight, nine = "AS AS AS AS AS AS AS AS 5H AH 7C", "AS AS AS AS AS AS AS AS 5H AS 7C"
    assert settled(DRAGON_21, line(eight))[0]["totals"] == {"dragon": 21, "tiger": 20}
    assert "AS was drawn 9 times, and the shoe held 8" in refusal(DRAGON_21, line(nine))["error"]
    assert "KS was drawn 9 times" in refusal(DRAGON_21, line("KS " * 9))["error"]


def test_five_alike_cards_are_not_in_four_decks() -> None:
    round = "5S 5S 5S TH 5S 3C 4C"  # Dragon 5 5 5 3, Tiger 5 T 4
    assert settled(DRAGON_21, line(round, dragon="1.00"), decks=4)[0]["totals"] == {"dragon": 18, "tiger": 19}
    fifth = "5S 5S 5S TH 5S 5S 2C"
    assert "error" not in settled(DRAGON_21, line(fifth), decks=5)[0]
    assert "5S was drawn 5 times, and the shoe held 4" in refusal(DRAGON_21, line(fifth), decks=4)["error"]


def test_an_error_counts_as_failed_and_as_a_round() -> None:
    file = RoundFile(DRAGON_TIGER)
    list(file.settle_lines([GOOD, line("KS"), b"", GOOD]))
    assert (file.line, file.rounds, file.failed) == (4, 3, 1)
    list(file.settle_lines([line("KS"), GOOD]))
    assert (file.line, file.rounds, file.failed) == (6, 5, 2)


def test_a_line_with_very_many_wagers_is_refused_without_delay() -> None:
    raw = at_dragon_tiger(["KS", "QH"], {f"w{number}": "1" for number in range(20_000)})
    assert len(raw) < LINE_BYTES_MAX
    start = perf_counter()
    (told,) = settled(DRAGON_TIGER, raw)
    assert (told["code"], told["args"]["name"]) == (WAGER_UNKNOWN.code, "w0")
    assert perf_counter() - start < 2


# ---------------------------------------------------------------- neighbours

POOL = [
    GOOD,
    line("KS KH", tie="5.00", dragon="0.05"),
    line("2S 3H", 龙="1.00"),
    b'{"cards":["KS","QH"]}',
    b'{"wagers":{"tie":"1.00"},"cards":["KS","QH"]}',
    b'{"cards":["KS","QH"],"cards":["2S","QH"]}',
    b'{"cards":["KS","QH"],"wagers":{"dragon":"1.00","dragon":"2.00"}}',
    b'{"cards":["KS","QH"],',
    b'"wagers":{}}',
    b'"wagers":{}} {"cards":["2S","QH"],"wagers":{}}',
    GOOD + GOOD,
    b"",
    b" ",
    b"{}",
    b"[",
    line("KS"),
    line("KS QH 2C"),
    line("ks 10h", tiger="1.00"),
    line("KS QH", dragon="x:y"),
    b'{"cards":["KS","QH"],"wagers":{"a:b":"1.00"}}',
]


@given(lines=st.lists(st.sampled_from(POOL), max_size=6))
def test_what_a_line_gives_does_not_depend_on_the_lines_around_it(lines: list[bytes]) -> None:
    together, alone = RoundFile(DRAGON_TIGER), RoundFile(DRAGON_TIGER)
    assert list(together.settle_lines(lines)) == [told for each in lines for told in alone.settle_lines([each])]
    assert (together.line, together.rounds, together.failed) == (alone.line, alone.rounds, alone.failed)


@pytest.mark.parametrize(
    "lines",
    [
        [b'{"cards":["KS","QH"],"wagers":{"dragon":"1.00","dragon":"2.00"}}', b'{"cards":["KS","QH"]}'],
        [b'{"cards":["KS","QH"],', b'"wagers":{}} {"cards":["KS","QH"],"wagers":{}}'],
        [GOOD + GOOD, b""],
        [GOOD + b" " + GOOD, b" "],
    ],
    ids=[
        "a stake twice, beside a line without wagers",
        "a round over two lines",
        "two rounds, then a blank line",
        "two rounds, then spaces",
    ],
)
def test_a_bad_line_is_refused_whatever_stands_beside_it(lines: list[bytes]) -> None:
    assert "error" in settled(DRAGON_TIGER, *lines)[0]


# ---------------------------------------------------------------- streams


def outcome(chunks: list[bytes]) -> tuple[list[str], tuple[int, int, int]]:
    file = RoundFile(DRAGON_TIGER)
    told = [each for lines in lines_of(chunks) for each in file.settle_lines(lines)]
    return told, (file.line, file.rounds, file.failed)


STREAM = GOOD + b"\n\n" + line("KS KH", 和="5.00") + b"\r\nnonsense\n" + line("2S 3H", tiger="1.00")


@pytest.mark.parametrize("end", [b"", b"\n", b"\n\n"], ids=["no newline at the end", "a newline", "a blank line"])
def test_a_stream_cut_anywhere_gives_the_same_lines(end: bytes) -> None:
    stream = STREAM + end
    whole = [each for lines in lines_of([stream]) for each in lines]
    assert b"\n".join(whole) == stream.replace(b"\r\n", b"\n").removesuffix(b"\n")
    expected = outcome([stream])
    assert [json.loads(each).get("net") for each in expected[0]] == ["10.00", "55.00", None, "1.00"]
    for cut in range(len(stream) + 1):
        assert [each for lines in lines_of([stream[:cut], stream[cut:]]) for each in lines] == whole
        assert outcome([stream[:cut], stream[cut:]]) == expected
    assert outcome([stream[place : place + 1] for place in range(len(stream))]) == expected


def test_an_empty_stream_has_no_lines() -> None:
    assert [each for lines in lines_of([]) for each in lines] == []
    assert [each for lines in lines_of([b"", b""]) for each in lines] == []


@pytest.mark.parametrize("length", [49, 50, 51, 52, 120, 250])
@pytest.mark.parametrize("chunk", [1, 7, 50, 51, 64, 1000])
def test_a_line_of_absurd_length_is_one_error_however_it_arrives(
    length: int, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is never kept whole, and the lines after it keep their numbers."""
    monkeypatch.setattr(roundfile, "LINE_BYTES_MAX", 50)
    for end in (b"", b"\n" + GOOD, b"\n" + GOOD + b"\n\n" + b"y" * length):
        stream = GOOD + b"\n" + b"x" * length + end
        chunks = [stream[place : place + chunk] for place in range(0, len(stream), chunk)]
        kept = [each for lines in lines_of(chunks) for each in lines]
        assert max(map(len, kept)) <= 50 + chunk
        assert [len(each) > 50 for each in kept] == [len(each) > 50 for each in stream.split(b"\n")]
        assert [each for each in kept if len(each) <= 50] == [x for x in stream.split(b"\n") if len(x) <= 50]


# ---------------------------------------------------------------- memory


def remembered(file: RoundFile) -> dict[str, int]:
    """How much each of a file's memories holds in all."""
    return {
        "stakes": sum(map(len, file._paid.values())),
        "sets of stakes": sum(map(len, file._settled.values())),
        "combinations": len(file._combinations),
    }


def test_very_many_different_stakes_are_settled_and_not_all_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roundfile, "MEMORY_MAX", 50)
    file = RoundFile(DRAGON_TIGER)
    for batch in range(10):
        stakes = [Money(cents) for cents in range(batch * 40 + 1, batch * 40 + 81)]
        told = file.settle_lines([line("KS QH", dragon=f"{x // 100}.{x % 100:02}") for x in stakes])
        assert [json.loads(each)["net"] for each in told] == [f"{x // 100}.{x % 100:02}" for x in stakes]
        assert 0 < remembered(file)["stakes"] + remembered(file)["sets of stakes"] <= 52


def test_the_memory_is_bounded_over_all_lines_and_combinations_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stakes that never repeat, on many wagers, deciding lines and combinations: the sum is what counts."""
    monkeypatch.setattr(roundfile, "MEMORY_MAX", 100)
    file = RoundFile(DRAGON_TIGER)
    names = [name.replace("-", "_") for name in DRAGON_TIGER.wagers]
    cents = 0
    for order in permutations(names, 3):
        for cards in ("KS QH", "2S 7H", "5S 5H"):
            cents += 1
            stakes = {name: f"{cents}.{place:02}" for place, name in enumerate(order)}
            (told,) = file.settle_lines([line(cards, **stakes)])
            assert len(json.loads(told)["settlement"]) == 3
            held = remembered(file)
            assert held["stakes"] + held["sets of stakes"] <= 104


def test_one_stake_in_many_spellings_fills_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roundfile, "MEMORY_MAX", 50)
    file = RoundFile(DRAGON_TIGER)
    told = list(file.settle_lines([line("KS QH", dragon="0" * zeros + "1") for zeros in range(39)] * 5))
    told += file.settle_lines([line("KS QH", dragon="1." + "0" * zeros) for zeros in range(1, 39)] * 5)
    assert {json.loads(each)["net"] for each in told} == {"1.00"}
    assert remembered(file)["stakes"] <= 52


def test_very_many_combinations_of_wagers_are_not_all_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roundfile, "COMBINATIONS_MAX", 50)
    file = RoundFile(DRAGON_TIGER)
    names = [name.replace("-", "_") for name in DRAGON_TIGER.wagers]
    for order in list(permutations(names, 3)) * 2:
        (told,) = file.settle_lines([line("KS QH", **dict.fromkeys(order, "1.00"))])
        assert len(json.loads(told)["settlement"]) == 3
        assert remembered(file)["combinations"] <= 50


def test_refused_lines_leave_nothing_behind() -> None:
    file = RoundFile(DRAGON_TIGER)
    list(file.settle_lines([line("KS QH", **{f"w{number}": "1.00"}) for number in range(500)]))
    list(file.settle_lines([line("KS QH", dragon=f"-{number}") for number in range(500)]))
    assert file.failed == 1000
    assert remembered(file) == {"stakes": 0, "sets of stakes": 0, "combinations": 0}
