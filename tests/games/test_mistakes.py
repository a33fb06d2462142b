"""Every mistake in a game file is found when the file is loaded, and told with its place and what is possible.

A case changes one passage of a small valid game; `¦` in the new text marks the line and column that must be
told.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from longhu.games.loader import load
from longhu.games.readings import ReadingError
from longhu.games.registry import built_in
from longhu.games.source import GameFileError, read_bytes, read_file
from tests.games.small import (
    BACCARAT,
    ONE_CARD,
    TWENTY_ONE,
    assert_only_told,
    assert_told,
    changed,
    game,
    marked,
    mistakes,
)

Case = tuple[str, str, tuple[str, ...]]


@pytest.mark.parametrize("text", [ONE_CARD, BACCARAT, TWENTY_ONE])
def test_the_small_games_are_valid_before_anything_is_changed(text: str) -> None:
    assert game(text).wagers


def test_a_mistake_is_told_as_file_line_and_column_with_what_was_found_and_what_is_possible() -> None:
    assert mistakes(changed(ONE_CARD, '"dragon.wins"', '"dragn.wins"')) == [
        "small.toml:35:35: unknown fact 'dragn.wins'. Did you mean 'dragon.wins'? Possible: high, tie, suited, "
        "dragon.wins, dragon.rank, dragon.suit, dragon.colour, tiger.wins, tiger.rank, tiger.suit, tiger.colour"
    ]


# ---------------------------------------------------------------- keys


UNKNOWN_KEYS = [
    ("format = 1\n", "format = 1\n¦wagers = 1\n", "wagers", "wager"),
    ("[game]\n", "[game]\n¦versoin = 1\n", "versoin", "version"),
    ("decks = { min", "decks = { ¦mni = 1, min", "mni", "min"),
    ('name = { en = "Small"', 'name = { ¦eng = 1, en = "Small"', "eng", "en"),
    ("[deal]\n", "[deal]\n¦first_card = 1\n", "first_card", "first_cards"),
    ('name = "Tiger" },', 'name = "Tiger", ¦names = 1 },', "names", "name"),
    ("high = { means", "high = { ¦claus = 1, means", "claus", "clause"),
    ('id = "dragon"\nname', '¦layout = 1\nid = "dragon"\nname', "layout", "layouts"),
    ('{ says = "Tie", ', '{ says = "Tie", ¦pay = "1:1", ', "pay", "pays"),
    ('{ says = "Tiger is higher"', '{ ¦say = 1, says = "Tiger is higher"', "say", "says"),
    ("limit = { min", "limit = { ¦maxi = 1, min", "maxi", "max"),
    ('id = "A"\n', 'id = "A"\n¦row = 1\n', "row", "rows"),
    ("positions = { min", "positions = { ¦mix = 1, min", "mix", "min"),
    ('{ areas = ["dragon-high"] }', '{ areas = ["dragon-high"], ¦notice = 1 }', "notice", "notices"),
    ('id = "open"\n', 'id = "open"\n¦card = 1\n', "card", "cards"),
    ("[limits]\n", "[limits]\n¦roundings = 1\n", "roundings", "rounding"),
    ("round_cap = { amount", "round_cap = { ¦amout = 1, amount", "amout", "amount"),
    ("[differential]\n", "[differential]\n¦decide = 1\n", "decide", "decides"),
    ("foreign-card = { remedy", "foreign-card = { ¦remedi = 1, remedy", "remedi", "remedy"),
    ('id = "odd_unit"\n', 'id = "odd_unit"\n¦option = 1\n', "option", "options"),
    ('{ says = "the house gets it"', '{ ¦changes = 1, says = "the house gets it"', "changes", "change"),
    ('{ at = "limits.rounding"', '{ ¦form = 1, at = "limits.rounding"', "form", "from"),
    ('wager = "tiger"\n', 'wager = "tiger"\n¦rpt = 1\n', "rpt", "rtp"),
]


@pytest.mark.parametrize(("old", "new", "found", "meant"), UNKNOWN_KEYS, ids=[case[2] for case in UNKNOWN_KEYS])
def test_an_unknown_key_is_told_at_the_key_with_the_keys_that_are_possible(
    old: str, new: str, found: str, meant: str
) -> None:
    assert_told(ONE_CARD, old, new, f"unknown key '{found}'", f"Did you mean '{meant}'?", "Possible: ")


@pytest.mark.parametrize(
    ("text", "old", "new", "found"),
    [
        (BACCARAT, "pair =", '¦pairs = "rank"\npair =', "pairs"),
        (BACCARAT, "natural = { totals", "natural = { ¦total = 1, totals", "total"),
        (BACCARAT, '{ on = [7], draws = "never" }', '{ on = [7], draws = "never", ¦draw = 1 }', "draw"),
        (BACCARAT, 'banker = "X-2" }', 'banker = "X-2", ¦bankr = 1 }', "bankr"),
        (TWENTY_ONE, "pair =", "¦draw_to = 1\npair =", "draw_to"),
        (TWENTY_ONE, "draws_to = { total", "draws_to = { ¦totals = 1, total", "totals"),
        (TWENTY_ONE, "blackjack = { clause", "blackjack = { ¦clauses = 1, clause", "clauses"),
    ],
)
def test_an_unknown_key_of_a_procedure_is_told_at_the_key(text: str, old: str, new: str, found: str) -> None:
    assert_told(text, old, new, f"unknown key '{found}'", "Did you mean", "Possible: ")


MISSING_KEYS: list[Case] = [
    ('[game]\nid = "small"\n', "¦[game]\n", ("[game] has no 'id'",)),
    ("max = 8, default = 6", "max = 8", ("has no 'default'",)),
    ('procedure = "one-card"\n', "", ("[deal] has no 'procedure'", "one-card, baccarat, twenty-one")),
    ('{ id = "tiger", name = "Tiger" }', '¦{ id = "tiger" }', ("has no 'name'",)),
    ('{ when = "tie", result = "push" }', '¦{ result = "push" }', ("has no 'when'",)),
    ('[[method]]\nid = "open"\nname = "Face up"\n', '¦[[method]]\nid = "open"\n', ("has no 'name'",)),
    ('policy = "pro-rata"\n', "", ("[differential] has no 'policy'",)),
    ('{ remedy = "void", ', "{ ", ("has no 'remedy'",)),
    ('because = "Nothing is said."\n', "", ("has no 'because'",)),
    (', basis = "credit"', "", ("has no 'basis'",)),
    ('rtp = "98.00%"\n', "", ("has no 'rtp'",)),
]


@pytest.mark.parametrize(("old", "new", "words"), MISSING_KEYS)
def test_a_missing_key_is_told_once_at_the_table_that_needs_it(old: str, new: str, words: tuple[str, ...]) -> None:
    broken, places = marked(changed(ONE_CARD, old, new))
    told = mistakes(broken)
    assert len(told) == 1, told
    assert all(word in told[0] for word in words)
    if places:
        assert told[0].startswith(places[0] + ": ")


def test_a_key_that_need_not_be_there_is_not_missed() -> None:
    assert game(changed(ONE_CARD, 'version = "1"\neffective = 2025-01-31\n', "")).effective is None


@pytest.mark.parametrize("section", ["game", "deal", "wager"])
def test_a_file_without_a_section_that_every_game_has_is_told_at_its_beginning(section: str) -> None:
    lines = {"game": "[deal]\n", "deal": "[game]\n", "wager": "[game]\n[deal]\n"}[section]
    assert f"small.toml:1:1: the file has no '{section}', and needs one" in mistakes(lines)


# ---------------------------------------------------------------- types

WRONG_TYPES: list[Case] = [
    ("format = 1", "format = ¦2", ("format is 2", "from 1 to 1")),
    ("format = 1", 'format = ¦"1"', ("format must be a whole number", "found a text ('1')")),
    ('id = "small"', "id = ¦7", ("id must be a text", "found a number (7)")),
    ('id = "small"', 'id = ¦"Small Game"', ("'Small Game' is no id", "small letters, digits and hyphens")),
    ('id = "small"', 'id = ¦""', ("id is empty",)),
    ('version = "1"', "version = ¦1.5", ("version must be a text", "found a decimal number (1.5)")),
    ("effective = 2025-01-31", 'effective = ¦"2025-01-31"', ("must be a date such as 2025-07-28", "found a text")),
    ("effective = 2025-01-31", "effective = ¦09:00:00", ("must be a date such as 2025-07-28", "found a time")),
    ('shuffle = "each-shoe"', 'shuffle = ¦"each-shoo"', ("Did you mean 'each-shoe'?", "each-round")),
    ("min = 1, max = 8, default = 6", "min = ¦true, max = 8, default = 6", ("whole number", "a truth value (True)")),
    ("min = 1, max = 8, default = 6", "min = ¦0, max = 8, default = 6", ("min is 0", "from 1 to 20")),
    ("min = 1, max = 8, default = 6", "min = 1, max = ¦8.0, default = 6", ("whole number", "decimal number (8.0)")),
    ("min = 1, max = 8, default = 6", "min = 1, max = 8, default = ¦9", ("default is 9", "from 1 to 8")),
    ("decks = { min = 1,", "decks = ¦{ min = 9,", ("the least number of decks is more than the most",)),
    ('{ id = "tiger", name = "Tiger" }', "¦3", ("must be a table", "found a number (3)")),
    ('clause = "DT-0"', "clause = ¦2025-01-31", ("clause must be a text", "found a date")),
    ('clause = "DT-0"', 'clause = ¦"rule 1"', ("'rule 1' is no clause id", "IDT-4.1b")),
    ('hand = "dragon"', 'hand = ¦"dragn"', ("hand is 'dragn'", "Did you mean 'dragon'?", "dragon, tiger")),
    ('excludes = ["tiger"]', 'excludes = ¦"tiger"', ("excludes must be a list", "found a text ('tiger')")),
    ("optional = true", "optional = ¦1", ("optional must be true or false", "found a number (1)")),
    ('layouts = ["A"]', "layouts = [¦2]", ("must be a text", "found a number (2)")),
    ('when = "dragon.rank < 7"', "when = ¦7", ("when must be a text", "found a number (7)")),
    ('when = "dragon.rank < 7"', 'when = ¦"  "', ("when is empty",)),
    ('pays = "3:2"', "pays = ¦1.5", ("pays must be a text", "found a decimal number (1.5)")),
    ('result = "push"', 'result = ¦"puhs"', ("result is 'puhs'", "Did you mean 'push'?", "push, half, lose")),
    ('result = "push"', 'result = ¦"win"', ("result is 'win'", "push, half, lose")),
    ('min = "5.00"', "min = ¦5", ("5 is no text", "as a string")),
    ('min = "5.00"', "min = ¦5.0", ("5.0 is no text", "as a string")),
    ('min = "5.00"', 'min = ¦"5.005"', ("'5.005' is finer than the smallest unit, 0.01",)),
    ('limit = { min = "5.00"', 'limit = ¦{ min = "501"', ("the least stake is more than the most",)),
    ('commission = "5%"', 'commission = ¦"5"', ("commission is '5'", 'a percentage such as "98.76%"')),
    ('commission = "5%"', 'commission = ¦"100%"', ("leaves nothing of the win",)),
    ("title = true", 'title = ¦"yes"', ("title must be true or false", "found a text ('yes')")),
    ("positions = { min = 1,", "positions = { min = ¦99,", ("min is 99", "from 1 to 20")),
    ("positions = { min = 1,", "positions = ¦{ min = 8,", ("the least number of positions is more than the most",)),
    ('places = ["dragon", ', 'places = [¦"dragn", ', ("no hand is called 'dragn'", "Did you mean 'dragon'?")),
    ('notices = ["half"]', 'notices = [¦"hlf"]', ("'hlf'", "Did you mean 'half'?", "win, push, half, lose")),
    ('cards = "face-up"', 'cards = ¦"face-pu"', ("cards is 'face-pu'", "Did you mean 'face-up'?", "face-down")),
    ('squeeze = "nobody"', 'squeeze = ¦"anybody"', ("squeeze is 'anybody'", "nobody", "largest-wager")),
    ('chosen_by = "dealer"', 'chosen_by = ¦"dealr"', ("Did you mean 'dealer'?", "pit-manager")),
    ('currency = "SGD"', 'currency = ¦"SGX"', ("'SGX' is no currency known here", "SGD")),
    ('rounding = "patron"', 'rounding = ¦"patrn"', ("Did you mean 'patron'?", "patron, house")),
    ('basis = "credit"', 'basis = ¦"credits"', ("Did you mean 'credit'?", "credit, profit")),
    ('amount = "1000.00"', 'amount = ¦"1,000.00"', ("has separators", "write 1000.00")),
    ('policy = "pro-rata"', 'policy = ¦"prorata"', ("Did you mean 'pro-rata'?", "ask-raise-remove")),
    ('decides = "pit-manager"', 'decides = ¦"manager"', ("decides is 'manager'", "pit-manager")),
    ('remedy = "void"', 'remedy = ¦"viod"', ("remedy is 'viod'", "Did you mean 'void'?", "reconstruct")),
    ('decides = "pit-supervisor"', 'decides = ¦"boss"', ("decides is 'boss'", "pit-supervisor")),
    ("at_table = true", "at_table = ¦0", ("at_table must be true or false",)),
    ('wager = "tiger"', 'wager = ¦"tigr"', ("Did you mean 'tiger'?", "dragon, tiger, dragon-high")),
    ('rtp = "98.00%"', "rtp = ¦98.0", ("rtp must be a text", "decimal number (98.0)")),
    ('rtp = "98.00%"', 'rtp = ¦"98 of 100"', ("write a percentage",)),
    ('rtp = "98.00%"\ndecks = 6', 'rtp = "98.00%"\ndecks = ¦21', ("decks is 21", "from 1 to 20")),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "words"), WRONG_TYPES)
def test_a_value_of_the_wrong_kind_is_told_at_the_value(old: str, new: str, words: tuple[str, ...]) -> None:
    assert_told(ONE_CARD, old, new, *words)


@pytest.mark.parametrize(
    ("section", "passage", "words"),
    [
        ("cites", '[cites]\nclosing-call = "DT-3.2"\n', ("cites must be a table", "found a number (5)")),
        ("terms", '[terms]\nhigh = { means = "dragon.rank >= 8", clause = "DT-1.1.1" }\n', ("must be a table",)),
    ],
)
def test_a_section_that_is_no_table_is_told(section: str, passage: str, words: tuple[str, ...]) -> None:
    without = changed(ONE_CARD, passage, "").replace('"high"', '"dragon.rank > 7"')
    assert_told(without, "format = 1\n", f"format = 1\n{section} = ¦5\n", *words)


def test_a_name_that_is_neither_text_nor_a_table_of_languages_is_told_so() -> None:
    assert_told(ONE_CARD, 'name = "Face up"', "name = ¦5", "name must be a text", "found a number (5)")


def test_a_list_longer_than_any_game_needs_is_told() -> None:
    many = ", ".join(f'"w{number}"' for number in range(201))
    assert_told(ONE_CARD, 'excludes = ["tiger"]', f"excludes = ¦[{many}]", "has 201 entries", "at most 200")


def test_a_text_longer_than_any_game_needs_is_told() -> None:
    assert_told(ONE_CARD, '"Nobody"', f'¦"{"x" * 601}"', "authority has 601 characters", "at most 600")


# ---------------------------------------------------------------- expressions


BAD_EXPRESSIONS: list[Case] = [
    ('"dragon.rank < 7"', '"¦dragn.rank < 7"', ("unknown fact 'dragn.rank'", "Did you mean 'dragon.rank'?", "Possible: ")),
    ('"dragon.rank < 7"', '"dragon.rank < ¦tigr.rank"', ("unknown fact 'tigr.rank'", "Did you mean 'tiger.rank'?")),
    ('"dragon.rank < 7"', '"dragon.suit == ¦heart"', ("unknown word 'heart'", "Did you mean 'hearts'?", "spades")),
    ('"dragon.rank < 7"', '"dragon.rank ¦= 6"', ("compare with '=='",)),
    ('"dragon.rank < 7"', '"dragon.rank < 7 ¦&& tie"', ("write 'and', 'or', 'not'",)),
    ('"dragon.rank < 7"', '"¦dragon.rank"', ("dragon.rank is a number", "yes or no is needed")),
    ('"dragon.rank < 7"', '"tie and ¦dragon.rank"', ("dragon.rank is a number", "yes or no is needed")),
    ('"dragon.rank < 7"', '"tie ¦== 7"', ("compares tie, a truth value, with 7, a number",)),
    ('"dragon.rank < 7"', '"dragon.rank < 7 and¦"', ("ends too early",)),
    ('"dragon.rank < 7"', '"(dragon.rank < 7¦"', ("expected ')', found the end",)),
    ('"dragon.rank < 7"', '"dragon.rank < 7 ¦tie"', ("did not expect 'tie' here",)),
    ('"dragon.rank < 7"', '"dragon.rank in ¦7"', ("expected '[', found '7'",)),
    ('"dragon.rank < 7"', '"dragon.rank in [¦7..6]"', ("the range is empty",)),
    ('"dragon.rank < 7"', '"dragon.rank < ¦1000001"', ("too large", "1,000,000")),
    ('"dragon.rank >= 8"', '"dragon.rank >= ¦aces"', ("unknown fact 'aces'",)),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "words"), BAD_EXPRESSIONS)
def test_a_mistake_in_an_expression_is_told_at_its_own_column(old: str, new: str, words: tuple[str, ...]) -> None:
    assert_told(ONE_CARD, old, new, *words)


@pytest.mark.parametrize(
    "quoted", ["'¦dragn.wins'", '"""¦dragn.wins"""', "'''¦dragn.wins'''", r'"\u0074ie or ¦dragn.wins"']
)
def test_the_column_in_an_expression_is_right_however_the_text_is_quoted(quoted: str) -> None:
    assert_told(ONE_CARD, '"dragon.wins"', quoted, "unknown fact 'dragn.wins'")


def test_a_term_that_has_the_name_of_a_fact_is_told_and_its_uses_are_not_blamed() -> None:
    assert_only_told(ONE_CARD, "[terms]\n", '[terms]\n¦tie = { means = "dragon.wins" }\n', "'tie' is a fact already")


@pytest.mark.parametrize("name", ["and", "not", "in", "ace", "king"])
def test_a_term_that_has_the_name_of_a_keyword_or_a_constant_is_told(name: str) -> None:
    assert_told(ONE_CARD, "[terms]\n", f'[terms]\n¦{name} = {{ means = "dragon.wins" }}\n', repr(name))


def test_a_term_whose_name_is_no_word_is_told() -> None:
    assert_told(
        ONE_CARD, "[terms]\n", '[terms]\n¦"very high" = { means = "tie" }\n', "'very high' is no name for a term"
    )


def test_a_mistake_in_a_term_is_told_once_and_its_uses_are_not_blamed() -> None:
    assert_only_told(ONE_CARD, '"dragon.rank >= 8"', '"¦dragn.rank >= 8"', "unknown fact 'dragn.rank'")


def test_a_term_may_use_only_those_above_it() -> None:
    below = '[terms]\nhigher = { means = "¦hgh" }\n'
    assert_told(ONE_CARD, "[terms]\n", below.replace("¦hgh", "¦high"), "unknown fact 'high'")


# ---------------------------------------------------------------- odds


@pytest.mark.parametrize(
    ("odds", "why"),
    [
        ("1:0", "nothing is won for a stake of zero"),
        ("0:1", 'result = "push"'),
        ("0.0:1", 'result = "push"'),
        ("x", '"8:1", "3:2" or "0.95:1"'),
        ("8", '"8:1", "3:2" or "0.95:1"'),
        ("8 to 1", '"8:1", "3:2" or "0.95:1"'),
        ("8 : 1", '"8:1", "3:2" or "0.95:1"'),
        ("-1:1", '"8:1", "3:2" or "0.95:1"'),
        ("1:-1", '"8:1", "3:2" or "0.95:1"'),
        ("1e3:1", '"8:1", "3:2" or "0.95:1"'),
        ("٨:1", '"8:1", "3:2" or "0.95:1"'),
        ("nan:1", '"8:1", "3:2" or "0.95:1"'),
        ("999999:1", "more than 100,000 to 1"),
        ("9999999:1", '"8:1", "3:2" or "0.95:1"'),
    ],
)
def test_bad_odds_are_told_at_the_odds_with_how_to_write_them(odds: str, why: str) -> None:
    assert_told(ONE_CARD, '"3:2"', f'¦"{odds}"', f"bad odds {odds!r}", why)


def test_the_highest_odds_that_are_read_are_a_hundred_thousand_to_one() -> None:
    wager = game(changed(ONE_CARD, '"3:2"', '"100000:1"')).wagers["dragon-high"]
    assert wager.lines[0].net == 100_000


def test_a_line_that_both_pays_and_has_a_result_is_told() -> None:
    line = '{ when = "tie", result = "push" }'
    assert_told(
        ONE_CARD, line, '¦{ when = "tie", pays = "1:1", result = "push" }', "either pays or has a result, not both"
    )


def test_a_line_that_neither_pays_nor_has_a_result_is_told() -> None:
    line = '{ when = "tie", result = "push" }'
    assert_told(
        ONE_CARD, line, '¦{ when = "tie" }', "a line says what happens", 'pays = "8:1"', '"push", "half" or "lose"'
    )


def test_a_commission_without_a_win_is_told() -> None:
    line = '{ when = "tie", result = "push" }'
    assert_told(ONE_CARD, line, '¦{ when = "tie", result = "push", commission = "5%" }', "from a win only")


# ---------------------------------------------------------------- lines that decide nothing, outcomes left undecided


@pytest.mark.parametrize(
    "never", ["tie and dragon.wins", "dragon.rank > king", "dragon.rank in [14..20]", "not (tie or not tie)"]
)
def test_a_line_whose_condition_never_holds_is_told(never: str) -> None:
    line = '{ when = "tiger.wins", pays = "0.95:1" },'
    new = f'{{ when = ¦"{never}", pays = "9:1" }},\n  {line}'
    assert_told(ONE_CARD, line, new, "no outcome can reach this line", "its condition never holds")


@pytest.mark.parametrize("shadowed", ["tie", "tie and dragon.rank == 3", "tie or tiger.wins"])
def test_a_line_that_the_lines_above_leave_nothing_is_told(shadowed: str) -> None:
    line = '{ when = "tiger.wins", pays = "0.95:1" },'
    new = f'{line}\n  {{ when = ¦"{shadowed}", pays = "9:1" }},'
    assert_told(ONE_CARD, line, new, "no outcome can reach this line", "the lines above decide every outcome")


def test_a_line_of_which_the_lines_above_leave_something_is_no_mistake() -> None:
    line = '{ when = "tiger.wins", pays = "0.95:1" },'
    later = '{ when = "tie or dragon.rank == 13", pays = "9:1" },'
    deciding = game(changed(ONE_CARD, line, f"{line}\n  {later}")).wagers["tiger"].lines[2]
    assert deciding.decides.bit_count() == 12  # a king over each of the twelve lower ranks


def test_otherwise_that_is_never_reached_is_told() -> None:
    last = '{ when = "dragon.rank == 7", result = "lose" },\n]\n'
    assert_told(ONE_CARD, last, last + "¦otherwise = {}\n", "is never reached", "decide every outcome")


def test_an_outcome_left_undecided_by_a_wager_that_lists_its_losses_is_told_with_an_example() -> None:
    assert_told(
        ONE_CARD,
        'optional = true\nlines = [\n  { when = "high", pays = "3:2" },\n  { when = "dragon.rank < 7", result = "lose" },\n',
        'optional = true\nlines = ¦[\n  { when = "high", pays = "3:2" },\n  { when = "dragon.rank < 6", result = "lose" },\n',
        "leaves 13 outcomes undecided",
        "dragon.rank 6",
        'otherwise = { result = "lose" }',
    )


def test_otherwise_settles_what_a_list_of_losses_leaves_over() -> None:
    last = '{ when = "dragon.rank == 7", result = "lose" },\n]\n'
    text = changed(ONE_CARD, last, ']\notherwise = { says = "A 7", result = "push" }\n')
    assert game(text).wagers["dragon-high"].lines[-1].decides.bit_count() == 13


def test_a_wager_without_lines_is_told() -> None:
    lines = 'lines = [\n  { when = "tie", result = "push" },\n  { when = "tiger.wins", pays = "0.95:1" },\n]'
    assert_told(ONE_CARD, lines, "lines = ¦[]", "at least one line")


def test_a_game_without_wagers_is_told() -> None:
    text = re.sub(r"\[\[wager\]\].*", "", BACCARAT, flags=re.DOTALL)
    assert_told(text, "[game]\n", "wager = ¦[]\n[game]\n", "at least one [[wager]]")


# ---------------------------------------------------------------- ids and references


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('id = "tiger"\nname = "Tiger"\nl', 'id = ¦"dragon"\nname = "Tiger"\nl', "a second wager with the id 'dragon'"),
        ('id = "B"\n', 'id = ¦"A"\n', "a second layout with the id 'A'"),
        ('id = "late"\n', 'id = ¦"odd_unit"\n', "a second reading with the id 'odd_unit'"),
    ],
)
def test_an_id_that_stands_twice_is_told_at_the_second(old: str, new: str, words: str) -> None:
    broken, places = marked(changed(ONE_CARD, old, new))
    assert any(line.startswith(f"{places[0]}: {words}") for line in mistakes(broken))


def test_a_method_id_that_stands_twice_is_told_at_the_second() -> None:
    method = '[[method]]\nid = "open"\nname = "Face up"\ncards = "face-up"\nsqueeze = "nobody"\nchosen_by = "dealer"\n'
    assert_told(ONE_CARD, method, method + method.replace('"open"', '¦"open"'), "a second method with the id 'open'")


def test_two_hands_with_one_id_are_told() -> None:
    assert_told(BACCARAT, 'hands = [{ id = "player"', 'hands = ¦[{ id = "banker"', "both hands have the id 'banker'")


def test_two_wagers_with_one_name_are_told_at_the_second() -> None:
    assert_told(
        ONE_CARD, 'name = "Dragon High"', 'name = ¦"Tiger"', "'tiger' and 'dragon-high' are both called 'Tiger'"
    )


def test_two_wagers_with_one_label_are_told_at_the_label() -> None:
    new = 'name = "Dragon High"\nlabel = ¦"Tiger"'
    assert_told(ONE_CARD, 'name = "Dragon High"', new, "'tiger' and 'dragon-high' are both called 'Tiger'")


def test_a_wager_called_like_the_id_of_another_is_told() -> None:
    """A stake on "tiger" would go to the wager with the id, and the cloth would say another."""
    assert_told(ONE_CARD, 'name = "Dragon High"', 'name = ¦"tiger"', "'tiger'")


def test_a_wager_without_a_name_is_told_even_if_its_id_is_the_name_of_another() -> None:
    text = changed(ONE_CARD, 'name = "Tiger"\nlines', 'name = "dragon-high"\nlines')
    nameless = '¦[[wager]]\nid = "dragon-high"\n'
    assert_told(text, '[[wager]]\nid = "dragon-high"\nname = "Dragon High"\n', nameless, "has no 'name'")


REFERENCES: list[Case] = [
    ('requires = ["dragon", ', 'requires = [¦"dragn", ', ("no wager is called 'dragn'", "Did you mean 'dragon'?", "Possible: ")),
    ('requires = ["dragon", "tiger"]', 'requires = ["dragon", ¦"dragon"]', ("'dragon' is named twice",)),
    ('requires = ["dragon", "tiger"]', 'requires = ¦["dragon-high"]', ("cannot name itself in requires",)),
    ('excludes = ["tiger"]', 'excludes = [¦"tigre"]', ("no wager is called 'tigre'", "Did you mean 'tiger'?")),
    ('excludes = ["tiger"]', 'excludes = ¦["dragon"]', ("cannot name itself in excludes",)),
    ('layouts = ["A"]', 'layouts = ["A", ¦"C"]', ("no layout is called 'C'", "Possible: A, B")),
    ('["dragon", "odds", "tiger"]', '["dragon", "odds", "tiger", ¦"tie"]', ("no wager is called 'tie'", "Possible: dragon, tiger")),
    ('like = "A"', 'like = ¦"AA"', ("like is 'AA'", "Possible: A")),
    ('id = "B"\nlike = "A"', 'id = "B"\nlike = "A"\nrows = [{ areas = ["dragon"] }]', ("wager 'tiger' is offered on layout 'B'", "no area")),
    ('id = "B"\nlike = "A"\n', 'id = "B"\n', ("layout 'B' has neither rows nor another layout",)),
    ("closing-call =", "¦closing-cal =", ("unknown step 'closing-cal'", "Did you mean 'closing-call'?", "Possible: ")),
    ("foreign-card =", "¦forein-card =", ("unknown irregularity 'forein-card'", "Did you mean 'foreign-card'?", "Possible: ")),
    ('foreign-card = { remedy', 'foreign-card = { ¦days = 3, remedy', ("unknown key 'days'",)),
    ('foreign-card = { remedy', '¦game-expired = { remedy', ("[irregularities.game-expired] has no 'days'",)),
    ('foreign-card = { remedy', 'game-expired = { days = ¦0, remedy', ("days is 0", "from 1 to 3,660")),
    ('clause = "DT-3.8a"', 'clause = ¦"DT-3.8z"', ("no clause 'DT-3.8z'", "Did you mean 'DT-3.8", "longhu rules")),
    ('clause = "DT-3.8a"', 'clause = ["DT-3.8a", ¦"DT-99"]', ("no clause 'DT-99'",)),
    ('closing-call = "DT-3.2"', 'closing-call = ¦"DT-3.2x"', ("no clause 'DT-3.2x'", "Did you mean 'DT-3.2")),
    ('first_cards = "DT-3.4b"', 'first_cards = ¦"DT-3.4q"', ("no clause 'DT-3.4q'", "Did you mean 'DT-3.4")),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "words"), REFERENCES)
def test_a_name_that_refers_to_nothing_is_told_with_what_is_possible(
    old: str, new: str, words: tuple[str, ...]
) -> None:
    broken, places = marked(changed(ONE_CARD, old, new))
    told = mistakes(broken)
    assert len(told) == 1, told
    assert all(word in told[0] for word in words)
    if places:
        assert told[0].startswith(places[0] + ": ")


def test_a_layout_like_another_has_its_areas_even_for_wagers_that_the_other_does_not_offer() -> None:
    layouts = game(changed(ONE_CARD, 'layouts = ["A"]', 'layouts = ["B"]')).layouts
    assert layouts["A"].wagers == ("dragon", "tiger")
    assert layouts["B"].wagers == ("dragon", "tiger", "dragon-high")


def test_a_clause_of_a_document_that_we_do_not_hold_is_taken_as_it_is() -> None:
    text = changed(ONE_CARD, 'clause = "DT-3.8a"', 'clause = "HOUSE-7b"')
    assert game(text).wagers["dragon"].lines[0].clauses == ("HOUSE-7b",)


# ---------------------------------------------------------------- the deal


PLAYER = 'player = [\n  { on = [0, 1, 2, 3, 4, 5], draws = "always" },\n  { on = [6, 7], draws = "never" },\n]'
DEALS: list[Case] = [
    ('procedure = "baccarat"', 'procedure = ¦"bacarat"', ("Did you mean 'baccarat'?", "one-card, baccarat, twenty-one")),
    ('procedure = "baccarat"', "procedure = ¦3", ("procedure must be a text",)),
    ('hands = [{ id = "player"', 'hands = [{ id = ¦"Player"', ("'Player' is no id",)),
    ('hands = [{ id = "player"', 'hands = ¦[{ id = "the-player"', ("a hand's id is used in expressions", "no hyphen")),
    ('pair = "rank"', 'pair = ¦"ranks"', ("pair is 'ranks'", "Did you mean 'rank'?", "points")),
    ("totals = [8, 9]", "totals = [8, 9, ¦10]", ("is 10, and must be from 0 to 9",)),
    (PLAYER, PLAYER.replace("[6, 7]", "[7]").replace("= [\n", "= ¦[\n"), ("player: nothing says what happens on 6",)),
    (PLAYER, PLAYER.replace("[0, 1, 2,", "[1, ").replace("= [\n", "= ¦[\n"), ("nothing says what happens on 0, 2",)),
    (PLAYER, PLAYER.replace("[6,", "[5, 6,").replace("= [\n", "= ¦[\n"), ("player: total 5 stands in two rows",)),
    (PLAYER, PLAYER.replace("7]", "7, 8]").replace("= [\n", "= ¦[\n"), ("player: total 8 ends the round as a natural",)),
    (PLAYER, "player = ¦[]", ("nothing says what happens on 0, 1, 2, 3, 4, 5, 6, 7",)),
    (PLAYER, 'player = ¦"draws on 0 to 5"', ("player must be a list",)),
    ("on = [4, 5, 6]", "on = [4, 5, ¦11]", ("is 11, and must be from 0 to 9",)),
    ("draws = [4, 5, 6, 7]", 'draws = ¦"sometimes"', ('draws must be "always", "never" or a list of third cards',)),
    ("draws = [4, 5, 6, 7]", "draws = [4, ¦12]", ("is 12, and must be from 0 to 9",)),
    ('draws = "always", clause = "X-3"', 'draws = ¦[1, 2], clause = "X-3"', ('draws must be "always" or "never"',)),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "words"), DEALS)
def test_a_mistake_in_the_deal_is_told_at_its_place(old: str, new: str, words: tuple[str, ...]) -> None:
    assert_told(BACCARAT, old, new, *words)


def test_a_natural_that_is_taken_away_leaves_a_gap_in_the_draw_table() -> None:
    text = changed(BACCARAT, "totals = [8, 9]", "totals = [9]")
    assert_told(text, PLAYER, PLAYER.replace("= [\n", "= ¦[\n"), "player: nothing says what happens on 8")


ONE_HAND = '{ id = "player", name = "Player" }'


@pytest.mark.parametrize("hands", ["[]", "5", f"[{ONE_HAND}]", f"[{ONE_HAND}, {ONE_HAND}, {ONE_HAND}]"])
def test_the_wrong_number_of_hands_is_told_at_the_hands(hands: str) -> None:
    whole = 'hands = [{ id = "player", name = "Player" }, { id = "banker", name = "Banker" }]'
    assert_told(BACCARAT, whole, f"hands = ¦{hands}", "hands")


def test_a_draw_table_that_is_missing_is_told_by_its_name() -> None:
    text = changed(BACCARAT, PLAYER + "\n", "")
    assert_told(text, "[deal]\n", "¦[deal]\n", "[deal] has no 'player', and needs one")


@pytest.mark.parametrize("total", [10, 21, 0, -1])
def test_twenty_one_draws_to_a_total_that_makes_sense(total: int) -> None:
    assert_told(TWENTY_ONE, "total = 16", f"total = ¦{total}", f"total is {total}", "must be from 11 to")


def most_that_twenty_one_draws_to() -> int:
    """The greatest total that a file may name, as the refusal of a greater one tells it."""
    told = mistakes(changed(TWENTY_ONE, "total = 16", "total = 99"))[0]
    return int(told.rsplit(" ", 1)[1])


def test_whatever_total_twenty_one_draws_to_no_two_endings_share_a_number() -> None:
    """Drawn to 17 a hand can reach 27, which must not be numbered like a Blackjack."""
    for draws_to in range(11, most_that_twenty_one_draws_to() + 1):
        table = game(changed(TWENTY_ONE, "total = 16", f"total = {draws_to}")).outcomes
        told = [table.describe(number) for number in table.endings]
        ended = {
            tuple(each[f"{hand}.{fact}"] for hand in ("dragon", "tiger") for fact in ("total", "blackjack"))
            for each in told
        }
        drawn = range(draws_to + 1, draws_to + 11)
        missing = [(one, other) for one in drawn for other in drawn if (one, False, other, False) not in ended]
        assert not missing, f"drawn to {draws_to}, these totals cannot end a round: {missing}"


# ---------------------------------------------------------------- readings


READINGS: list[Case] = [
    ('at = "limits.rounding"', 'at = ¦"limits.roundin"', ("nothing at 'limits.roundin'",)),
    ('at = "limits.rounding"', 'at = ¦"limts.rounding"', ("nothing at 'limts'",)),
    ('at = "limits.rounding"', 'at = ¦"wager.9.id"', ("nothing at 'wager.9'",)),
    ('at = "limits.rounding"', 'at = ¦"wager.²"', ("nothing at 'wager.²'",)),
    ('at = "limits.rounding"', 'at = ¦"wager.tiger.lines.0.when.0"', ("nothing at 'wager.tiger.lines.0.when.0'",)),
    ('at = "limits.rounding"', 'at = ¦""', ("at is empty",)),
    ('from = "patron"', 'from = ¦"house"', ("the file says 'patron' there",)),
    ('from = "patron"', "from = ¦1", ("the file says 'patron' there",)),
    ('from = "patron", to = "house"', 'from = "patron", to = ¦"patron"', ("changes nothing",)),
    ('taken = "patron"', 'taken = ¦"patrn"', ("taken is 'patrn'", "Did you mean 'patron'?", "patron, house")),
]


@pytest.mark.parametrize(("old", "new", "words"), READINGS)
def test_a_change_that_does_not_fit_the_file_is_told_at_its_place(old: str, new: str, words: tuple[str, ...]) -> None:
    assert_told(ONE_CARD, old, new, *words)


def test_an_option_that_changes_nothing_is_told_unless_only_a_table_can_tell_it_apart() -> None:
    assert_told(
        ONE_CARD,
        '[[reading]]\nid = "late"\nasks = "What is late?"\ntakes = "After the call."\nbecause = "It says so."\nat_table = true\n',
        '¦[[reading]]\nid = "late"\nasks = "What is late?"\ntakes = "After the call."\nbecause = "It says so."\n',
        "option 'card' changes nothing",
        "at_table = true",
    )


def test_a_reading_with_options_that_takes_none_is_told() -> None:
    head = '[[reading]]\nid = "late"\nasks = "What is late?"\ntakes = "After the call."\nbecause = "It says so."\nat_table = true\n'
    assert_told(ONE_CARD, head + 'taken = "call"\n', "¦" + head, "says which one is taken")


def test_the_option_taken_is_what_the_file_says_and_may_change_nothing() -> None:
    """Otherwise choosing what is taken already would make another game of it."""
    change = 'change = [{ at = "limits.rounding", from = "patron", to = "house" }]'
    taken = f'options.patron = {{ says = "the patron gets it", ¦{change} }}'
    assert_told(ONE_CARD, 'options.patron = "the patron gets it"', taken, "'patron'")


def test_an_option_that_is_neither_a_text_nor_a_table_is_told() -> None:
    assert_told(ONE_CARD, 'options.call = "after the call"', "options.call = ¦5", "call must be", "found a number (5)")


def test_an_option_that_breaks_the_game_is_told_when_it_is_chosen() -> None:
    text = changed(ONE_CARD, 'to = "house"', 'to = "hose"')
    assert "Did you mean 'house'?" in mistakes(text, {"odd_unit": "house"})[0]


def test_a_reading_that_the_game_does_not_have_is_refused_with_those_it_has() -> None:
    with pytest.raises(
        ReadingError, match=r"no reading is called 'od_unit'. Did you mean 'odd_unit'\? Possible: odd_unit, late"
    ):
        game(ONE_CARD, {"od_unit": "house"})


def test_an_option_that_the_reading_does_not_have_is_refused_with_those_it_has() -> None:
    with pytest.raises(
        ReadingError, match=r"'odd_unit' has no option 'hous'. Did you mean 'house'\? Possible: patron, house"
    ):
        game(ONE_CARD, {"odd_unit": "hous"})


def test_a_reading_of_a_game_without_readings_is_refused() -> None:
    with pytest.raises(ReadingError, match=r"no reading is called 'odd_unit'\. Possible: none"):
        game(BACCARAT, {"odd_unit": "house"})


# ---------------------------------------------------------------- several mistakes


def test_all_mistakes_are_told_together_in_the_order_of_their_places() -> None:
    text, places = marked(
        ONE_CARD.replace('id = "small"', "id = ¦7")
        .replace("min = 1, max = 8, default = 6", "min = ¦0, max = 8, default = 6")
        .replace('excludes = ["tiger"]', 'excludes = [¦"tigre"]')
        .replace('"dragon.wins"', '"¦dragn.wins"')
        .replace('commission = "5%"', 'commission = "5%", ¦comission = 1')
        .replace('"3:2"', '¦"3 to 2"')
        .replace('"DT-3.2"', '¦"DT-3.2x"')
        .replace('remedy = "void"', 'remedy = ¦"viod"')
        .replace('rtp = "98.00%"', "rtp = ¦98")
    )
    told = [line.split(": ")[0] for line in mistakes(text)]
    assert told == places
    assert len(told) == 9


def test_two_mistakes_on_one_line_are_told_from_left_to_right() -> None:
    text, places = marked(
        changed(ONE_CARD, 'areas = ["dragon", "odds", "tiger"]', 'areas = [¦"a", "dragon", ¦"b", "tiger"]')
    )
    assert [line.split(": ")[0] for line in mistakes(text)] == places


BREEDING = [
    (ONE_CARD, 'hand = "dragon"', 'hand = ¦"dragn"'),  # the layouts name this wager, and it is there
    (ONE_CARD, 'min = "5.00"', "min = ¦5"),
    (ONE_CARD, 'name = "Tiger"\nlines', 'name = "Tiger"\noptional = ¦"yes"\nlines'),  # so does the claim
    (ONE_CARD, "title = true", 'title = ¦"yes"'),  # layout B is like this one
    (ONE_CARD, 'at = "limits.rounding"', 'at = ¦"limits.roundin"'),  # the option does say what it changes
    (ONE_CARD, 'from = "patron"', 'from = ¦"house"'),
    (BACCARAT, "on = [4, 5, 6]", "on = [4, 5, ¦11]"),  # there is a row for 6, it was only mistyped
    (BACCARAT, "draws = [4, 5, 6, 7]", 'draws = ¦"sometimes"'),
]


@pytest.mark.parametrize(("text", "old", "new"), BREEDING)
def test_one_mistake_is_told_once_and_what_depends_on_it_is_not_blamed(text: str, old: str, new: str) -> None:
    assert_only_told(text, old, new)


def test_a_mistake_in_the_deal_leaves_the_other_sections_to_tell_theirs() -> None:
    text = changed(ONE_CARD, '"one-card"', '"two-card"')
    assert_told(text, 'remedy = "void"', 'remedy = ¦"viod"', "Did you mean 'void'?")


def test_an_unknown_clause_in_the_deal_does_not_hide_the_mistakes_in_the_wagers() -> None:
    text = changed(ONE_CARD, 'first_cards = "DT-3.4b"', 'first_cards = "DT-3.4q"')
    assert_told(text, '"dragon.wins"', '"¦dragn.wins"', "unknown fact 'dragn.wins'")


# ---------------------------------------------------------------- the file itself


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('version = "1"', "version = ¦yes", "Invalid value"),
        ('version = "1"', "version¦ ", "Expected '='"),
        ('version = "1"', 'version = "1¦\nx = 2', "Illegal character"),
        ('version = "1"', 'version = "1" ¦"2"', "Expected newline"),
        ('version = "1"', 'version = "1"\nversion = "2"¦', "Cannot overwrite a value"),
        ("[limits]\n", "[game]¦\n[limits]\n", "twice"),
        ("effective = 2025-01-31", "effective = ¦2025-02-30", "Invalid date"),
        ('version = "1"', r'version = "\q¦"', "Unescaped"),
    ],
)
def test_a_mistake_in_the_toml_is_told_with_its_place(old: str, new: str, words: str) -> None:
    broken, places = marked(changed(ONE_CARD, old, new))
    told = mistakes(broken)
    assert len(told) == 1
    assert told[0].partition(": ")[2].startswith("not valid TOML: ")
    assert words in told[0]
    line, column = (int(number) for number in told[0].split(":")[1:3])
    _, expected_line, expected_column = places[0].split(":")
    assert line == int(expected_line)
    assert abs(column - int(expected_column)) <= 1  # the parser points at the sign or just behind it


@pytest.mark.parametrize("end", ["x = [1, 2", 'x = """abc', "x = {"])
def test_a_file_that_stops_in_the_middle_is_told_at_its_end(end: str) -> None:
    last_line = ONE_CARD.count("\n") + 1
    assert mistakes(ONE_CARD + end)[0].startswith(f"small.toml:{last_line}:")


def told_of(octets: bytes) -> str:
    with pytest.raises(GameFileError) as told:
        load(read_bytes(octets, "small.toml"))
    return str(told.value)


BROKEN = changed(ONE_CARD, '"dragon.wins"', '"dragn.wins"')


def test_windows_line_ends_do_not_move_the_place() -> None:
    assert told_of(BROKEN.replace("\n", "\r\n").encode()) == told_of(BROKEN.encode())
    assert game(ONE_CARD.replace("\n", "\r\n")).digest == game(ONE_CARD).digest


def test_a_byte_order_mark_does_not_move_the_place() -> None:
    assert told_of(b"\xef\xbb\xbf" + BROKEN.encode()) == told_of(BROKEN.encode())
    first = changed(ONE_CARD, "format = 1", "fromat = 1")
    assert told_of(b"\xef\xbb\xbf" + first.encode()).startswith("small.toml:1:1: unknown key 'fromat'")


def test_a_column_counts_characters_and_not_bytes() -> None:
    assert_told(ONE_CARD, 'zh = "小" }', 'zh = "小小小", ¦cn = "x" }', "unknown key 'cn'")


def test_tabs_comments_and_blank_lines_do_not_move_the_place() -> None:
    new = '\n\t# a "comment" with [brackets] and = signs\n\n\tversion\t=\t¦1   # "1"\n'
    assert_told(ONE_CARD, 'version = "1"\n', new, "version must be a text")


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "gb18030", "big5"])
def test_a_file_in_another_encoding_is_told_with_what_to_do(encoding: str) -> None:
    text = changed(ONE_CARD, '{ en = "Small", zh = "小" }', '"中"' if encoding != "latin-1" else '"é"').replace(
        "龙", "中"
    )
    octets = (text if encoding != "latin-1" else text.replace("中", "é")).encode(encoding)
    line = 1 if encoding == "utf-16" else 5
    assert re.match(rf"small\.toml:{line}:\d+: byte \d+ is not UTF-8: save the file as UTF-8", told_of(octets))


# ---------------------------------------------------------------- the shipped files

SHIPPED = sorted(built_in().items())
TOP_KEY = re.compile(r"^(?:\[\[?(?P<section>[a-z]+)\]|(?P<key>[a-z_]+) = )", re.MULTILINE)
CLOSED_LISTS = ("cites", "equipment", "irregularities", "terms")  # their keys are names, not words of the format


def shipped_keys() -> list[tuple[str, str, str]]:
    """One place for each key of each section that the shipped files use: section, key, game.

    Without the procedure nothing else of [deal] can be read, so its absence is told instead.
    """
    found: dict[tuple[str, str], str] = {}
    for id, path in sorted(SHIPPED, key=lambda game: game[0] != "dragon-tiger"):  # the quickest to load first
        section = ""
        for match in TOP_KEY.finditer(path.read_text(encoding="utf-8")):
            section = match["section"] or section
            if match["key"] and section not in CLOSED_LISTS and match["key"] != "procedure":
                found.setdefault((section, match["key"]), id)
    return [(section, key, id) for (section, key), id in found.items()]


@pytest.mark.parametrize(("section", "key", "id"), shipped_keys())
def test_a_slip_in_a_key_of_a_shipped_file_is_told_at_its_place(section: str, key: str, id: str) -> None:
    text = built_in()[id].read_text(encoding="utf-8")
    current = ""
    for match in TOP_KEY.finditer(text):
        current = match["section"] or current
        if current == section and match["key"] == key:
            break
    line = text.count("\n", 0, match.start()) + 1
    told = mistakes(text[: match.start()] + "x" + text[match.start() :])
    assert any(each.startswith(f"small.toml:{line}:1: unknown key 'x{key}'") for each in told), told
    assert any(f"Did you mean '{key}'?" in each for each in told)


def place(text: str, at: int) -> str:
    return f"small.toml:{text.count(chr(10), 0, at) + 1}:{at - text.rfind(chr(10), 0, at)}"


LINE = re.compile(r'^  \{ .*?when = "(?P<when>[^"]*)"', re.MULTILINE)


@pytest.mark.parametrize(("id", "path"), SHIPPED)
def test_every_unknown_fact_in_a_shipped_file_is_told_at_its_own_column(id: str, path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace(".wins", ".winz")
    places = [
        place(text, match.start("when") + found.start())
        for match in LINE.finditer(text)
        if (found := re.search(r"\w+\.winz", match["when"]))
    ]
    told = [line for line in mistakes(text) if "unknown fact" in line]
    assert [line.split(": ")[0] for line in told] == places
    assert all(re.search(r"unknown fact '(\w+)\.winz'. Did you mean '\1\.wins'\?", line) for line in told)
    assert len(places) >= 2, id


@pytest.mark.parametrize(("id", "path"), SHIPPED)
def test_every_bad_odds_in_a_shipped_file_is_told_at_the_odds(id: str, path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace('pays = "', 'pays = "x')
    places = [place(text, match.end()) for match in re.finditer(r'pays = (?="x)', text)]
    told = [line for line in mistakes(text) if "bad odds 'x" in line]
    assert [line.split(": ")[0] for line in told] == places
    assert len(places) >= 2, id


@pytest.mark.parametrize(("id", "path"), SHIPPED)
def test_every_unknown_clause_in_a_shipped_file_is_told_at_the_clause(id: str, path: Path) -> None:
    head, deal, rest = re.split(r"(?ms)(^\[deal\].*?)(?=^\[)", path.read_text(encoding="utf-8"), maxsplit=1)
    text = head + deal + re.sub(r'"((?:DT|D21|IDT|DBO|DBC)-[A-Za-z0-9.\-]+)"', r'"\1-ZZ"', rest)
    places = [place(text, match.start()) for match in re.finditer(r'"[A-Z0-9]+-[A-Za-z0-9.\-]+-ZZ"', text)]
    told = [line.split(": ")[0] for line in mistakes(text) if "no clause" in line]
    assert told == places
    assert len(places) >= 20, id


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(GameFileError, match=r"none\.toml:1:1: cannot be read: No such file or directory"):
        read_file(tmp_path / "none.toml")
