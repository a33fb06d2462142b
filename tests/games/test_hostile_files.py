"""Files that mean harm, or were never game files: refused with a place, without a crash and without delay."""

from __future__ import annotations

import tracemalloc
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longhu.games.game import Game
from longhu.games.loader import load
from longhu.games.source import FILE_BYTES_MAX, NESTING_MAX, GameFileError, read_bytes, read_file
from tests.games.effort import at_most_calls, at_most_seconds
from tests.games.small import BACCARAT, FILE, ONE_CARD, assert_told, changed, game, mistakes

LAST_LINE = ONE_CARD.count("\n") + 1
READING = '[[reading]]\nid = "r"\nasks = "a"\ntakes = "b"\nbecause = "c"\n'


# ---------------------------------------------------------------- nesting


@pytest.mark.parametrize(
    "deep",
    [
        "x = " + "[" * 100_000,
        "x = " + "[" * 100_000 + "]" * 100_000,
        "x = " + "{a=" * 60_000,
        "x = " + "[{a=" * 40_000,
        "x = [" + "[\n# ]\n" * 30_000,
    ],
)
def test_brackets_in_brackets_are_refused_where_they_get_too_deep(deep: str) -> None:
    told = mistakes(ONE_CARD + deep)
    assert len(told) == 1
    assert f"nested more than {NESTING_MAX} deep" in told[0]
    assert int(told[0].split(":")[1]) >= LAST_LINE


def test_the_place_of_a_bracket_that_is_too_deep_is_exact() -> None:
    column = len("x = ") + NESTING_MAX + 1
    assert mistakes(ONE_CARD + "x = " + "[" * 20 + "]" * 20)[0].startswith(f"{FILE}:{LAST_LINE}:{column}: nested")


@pytest.mark.parametrize(
    "key",
    [
        "x" + ".x" * 1000,
        "x" + " . x" * 1000,
        "x" + f"{' ' * 12}.{' ' * 12}x" * 1000,
        "x" + "\t.\tx" * 1000,
        ".".join(["x" * 70] * 1000),
        ".".join(['"x"'] * 1000),
        ".".join(["'x.y'"] * 1000),
        ".".join(['"' + r"\u0078" * 20 + '"'] * 1000),
    ],
    ids=["plain", "spaced", "far apart", "tabs", "long names", "quoted", "quoted dots", "escapes"],
)
@pytest.mark.parametrize("form", ["{} = 1\n", "[{}]\n"])
def test_a_key_with_a_thousand_parts_is_refused(key: str, form: str) -> None:
    told = mistakes(ONE_CARD + form.format(key))
    assert len(told) == 1
    assert f"nested more than {NESTING_MAX} deep" in told[0]
    assert told[0].startswith(f"{FILE}:{LAST_LINE}:")


def test_brackets_in_texts_and_comments_do_not_count() -> None:
    text = changed(ONE_CARD, '"Nobody"', f"'{'[' * 300}' # {'[' * 300}")
    assert game(text).authority == "[" * 300


@pytest.mark.parametrize(("opening", "closing"), [("(", ")"), ("not ", ""), ("-", ""), ("not(", ")")])
def test_an_expression_that_is_nested_too_deep_is_told_inside_its_text(opening: str, closing: str) -> None:
    depth = 60
    text = changed(ONE_CARD, '"dragon.wins"', f'"{opening * depth}tie{closing * depth}"')
    told = mistakes(text)[0]
    line, column = (int(number) for number in told.split(":")[1:3])
    assert line == 35
    assert 34 < column < 34 + depth * len(opening)
    assert "nested more than 24 deep" in told


# ---------------------------------------------------------------- numbers


@pytest.mark.parametrize(
    "number",
    [
        "99999999999999999999999999",
        "-99999999999999999999999999",
        "0x" + "f" * 5000,
        "1e400",
        "-inf",
        "nan",
        "1_000_000_000_000",
    ],
)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("min = 1, max = 8, default", "min = ¦{}, max = 8, default"),
        ("format = 1", "format = ¦{}"),
        ('version = "1"', "version = ¦{}"),
        ('amount = "1000.00"', "amount = ¦{}"),
        ("title = true", "title = ¦{}"),
        ('from = "patron"', "from = ¦{}"),
    ],
)
def test_a_number_beyond_all_measure_is_told_at_its_place_and_briefly(number: str, old: str, new: str) -> None:
    assert_told(ONE_CARD, old, new.format(number))
    told = mistakes(changed(ONE_CARD, old, new.format(number).replace("¦", "")))
    assert all(len(line) < 400 for line in told)


def test_a_number_of_five_thousand_digits_is_told_at_its_place() -> None:
    assert_told(ONE_CARD, "min = 1, max = 8, default", f"min = ¦{'9' * 5000}, max = 8, default")


def test_a_number_of_five_thousand_digits_in_an_option_does_not_stop_the_digest() -> None:
    """Numbers are never this long; it is refused, or it is digested, but it is no crash."""
    text = changed(ONE_CARD, 'to = "house"', f"to = 0x{'f' * 5000}")
    assert loaded_or_told(text.encode())


@pytest.mark.parametrize("digits", ["9" * 400, "0" * 400 + "1"])
def test_a_long_number_in_an_expression_is_told_at_its_place(digits: str) -> None:
    assert_told(ONE_CARD, '"dragon.rank < 7"', f'"dragon.rank < ¦{digits}"', "too large")


def test_odds_with_thousands_of_digits_are_told_briefly() -> None:
    assert_told(ONE_CARD, '"3:2"', f'¦"{"9" * 500}:1"', "bad odds '99999")
    assert_told(ONE_CARD, '"3:2"', f'¦"{"9" * 5000}:1"', "pays has 5,002 characters")


# ---------------------------------------------------------------- size


def test_a_file_at_the_limit_is_read_and_a_byte_more_is_not() -> None:
    octets = ONE_CARD.encode()
    full = octets + b"#" * (FILE_BYTES_MAX - len(octets))
    assert load(read_bytes(full, FILE)).id == "small"
    with pytest.raises(GameFileError, match=rf"{FILE}:1:1: the file is larger than 256 KiB, which no game needs"):
        read_bytes(full + b"#", FILE)


def test_a_file_of_two_gigabytes_is_refused_without_being_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.toml"
    with path.open("wb") as file:
        file.truncate(2 << 30)  # a hole: it takes no room on the disk
    tracemalloc.start()
    try:
        with pytest.raises(GameFileError, match="larger than 256 KiB"):
            read_file(path)
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()


def test_a_text_that_fills_the_file_is_told_by_its_length() -> None:
    assert_told(ONE_CARD, '"Nobody"', f'¦"{"x" * 200_000}"', "authority has 200,000 characters, and at most 600")


@pytest.mark.parametrize(
    "noise",
    [
        r"\"",
        "'",
        '"',
        r"\"" + "'",
        "a.",
        "a. ",
        '"a".',
        "#",
        "[]",
        "\\",
        "=",
        "a=1,",
        '"""',
        "'''\n'",
        '\\"""',
        "''' \\",
    ],
)
def test_a_file_full_of_one_sign_is_refused_without_delay(noise: str) -> None:
    """Each of these takes a few hundredths of a second when the text is read once."""
    fill = noise * ((FILE_BYTES_MAX - len(ONE_CARD.encode()) - 10) // len(noise))
    with at_most_seconds(4):
        assert loaded_or_told((ONE_CARD + fill).encode())


def test_what_is_told_about_many_mistakes_does_not_outgrow_the_file() -> None:
    terms = "[terms]\n" + "".join(f'name{number} = {{ means = "nothing" }}\n' for number in range(1000))
    said = "\n".join(mistakes(BACCARAT + terms))
    assert len(said) < 30 * len(terms)


def test_what_is_told_about_many_names_does_not_outgrow_the_file() -> None:
    unknown = ", ".join(f'"x{number}"' for number in range(100))
    wagers = "".join(
        f'[[wager]]\nid = "w{number}"\nname = "W{number}"\nrequires = [{unknown}]\n'
        'lines = [{ when = "tie", pays = "8:1" }]\n'
        for number in range(60)
    )
    said = "\n".join(mistakes(BACCARAT + wagers))
    assert len(said) < 30 * len(wagers)


# ---------------------------------------------------------------- expressions that would be something else elsewhere


@pytest.mark.parametrize(
    "trick",
    [
        "player.__class__",
        "player.__class__.__mro__",
        "__import__('os').system('true')",
        "__builtins__",
        "(lambda: tie)()",
        "lambda: tie",
        "f'{tie}'",
        "`id`",
        "$(id)",
        "${HOME}",
        "tie; tie",
        "tie\\n",
        "tie if tie else tie",
        "[tie for tie in tie]",
        "{tie}",
        "tie := tie",
        "print(tie)",
        "tie.real",
        "player.total.bit_length()",
        "player.total ** 99",
        "player.total << 9999",
        "player.total // 2 == 1",
        "player.total / 0 == 1",
        "1e9 > 2",
        "0x10 > 2",
        "True",
        "None",
        "@tie",
        "tie # comment",
        "tie -- comment",
        "' or 1==1 --",
        "{{ tie }}",
        "%s",
        "ｔｉｅ",
        "tíe",
        "tie\u200b",
    ],
)  # fmt: skip
def test_an_expression_has_no_calls_no_attributes_and_no_texts(trick: str) -> None:
    text = changed(BACCARAT, '"player.wins"', f"'''{trick}'''")
    told = mistakes(text)
    assert len(told) == 1
    assert told[0].startswith(f"{FILE}:29:")


# ---------------------------------------------------------------- signs that people do not see

BIDI = [chr(code) for code in (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))]
CONTROL = [chr(code) for code in (*range(1, 0x20), 0x7F, *range(0x80, 0xA0))]
BREAKS = ["\u2028", "\u2029"]
INVISIBLE = ["\u200b", "\ufeff", "\u2060"]


@pytest.mark.parametrize("sign", [*BIDI, *CONTROL, *BREAKS, *INVISIBLE], ids=lambda sign: f"U+{ord(sign):04X}")
def test_a_name_holds_no_sign_that_nobody_sees(sign: str) -> None:
    """Two wagers could look alike on the cloth, or a name could print as another."""
    told = mistakes(changed(ONE_CARD, 'name = "Face up"', f'name = "Face\\u{ord(sign):04x} up"'))
    assert len(told) == 1
    assert told[0].startswith(f"{FILE}:76:13: ")
    assert f"U+{ord(sign):04X}" in told[0]


def test_a_sign_that_takes_a_second_look_is_told_in_keys_too() -> None:
    told = mistakes(changed(ONE_CARD, "[game]\n", '[game]\n"na\\u202eme" = 1\n'))
    assert len(told) == 1
    assert "unknown key 'na\\u202eme'" in told[0]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("decks = { min = 1, max = 8, default = 6, clause = \"DT-2.1a\" }", r'decks = "\u001b[31mred\u202e"'),
        ("optional = true", r'optional = "\u001b[31mred\u202e"'),
        ("effective = 2025-01-31", r'effective = "\u001b[31mred\u202e"'),
        ('options.call = "after the call"', r'options."\u001b[31mred\u202e" = 5'),
        ('foreign-card =', r'"\u001b[31mred\u202e" ='),
        ('closing-call =', r'"\u001b[31mred\u202e" ='),
        ("[terms]\n", '[terms]\n"\\u001b[31m\\u202e" = 5\n'),
        ('like = "A"', r'like = "\u001b[31mred\u202e"'),
        ('at = "limits.rounding"', r'at = "limits.\u001b[31m\u202e"'),
        ('from = "patron"', r'from = "\u001b[31m\u202e"'),
    ],
)  # fmt: skip
def test_a_message_never_repeats_a_control_sign(old: str, new: str) -> None:
    """What is told goes to a terminal, where an escape sequence would be obeyed."""
    said = "\n".join(mistakes(changed(ONE_CARD, old, new)))
    assert not {sign for sign in said if unicodedata.category(sign) in ("Cc", "Cf") and sign != "\n"}


# ---------------------------------------------------------------- words in places where the loader looks for others


@pytest.mark.parametrize("id", ["when", "means"])
def test_an_option_may_be_called_like_a_key_of_the_format(id: str) -> None:
    options = f'at_table = true\ntaken = "{id}"\noptions.{id} = "it\'s so"\n'
    assert game(BACCARAT + READING + options).readings["r"].options[id].says.en == "it's so"


def test_a_bad_expression_in_what_an_option_changes_is_no_crash() -> None:
    line = '{ when = "tie", result = "push" }'
    change = f'[{{ at = "wager.player.lines.0", from = {line}, to = {{ when = "a = b", result = "push" }} }}]'
    options = f'taken = "x"\noptions.x = "as it is"\noptions.y = {{ says = "else", change = {change} }}\n'
    assert loaded_or_told((BACCARAT + READING + options).encode())


# ---------------------------------------------------------------- what is no file, or no text


def test_a_directory_is_told(tmp_path: Path) -> None:
    with pytest.raises(GameFileError, match=r":1:1: cannot be read: Is a directory"):
        read_file(tmp_path)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(GameFileError, match=r"nothing\.toml:1:1: cannot be read: No such file or directory"):
        read_file(tmp_path / "nothing.toml")


def test_a_link_to_itself_is_told(tmp_path: Path) -> None:
    (tmp_path / "loop.toml").symlink_to(tmp_path / "loop.toml")
    with pytest.raises(GameFileError, match=r"loop\.toml:1:1: cannot be read: "):
        read_file(tmp_path / "loop.toml")


@pytest.mark.parametrize("name", ["a\0b.toml", "x" * 5000 + ".toml"])
def test_a_name_that_no_file_can_have_is_told(tmp_path: Path, name: str) -> None:
    with pytest.raises(GameFileError, match="cannot be read: "):
        read_file(tmp_path / name)


@pytest.mark.parametrize(
    "octets",
    [
        b"",
        b"\0",
        b"\0" * 1000,
        b"\xff\xfe\xfd",
        b"\x7fELF\x02\x01\x01" + b"\0" * 50,
        b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
        b"\x1f\x8b\x08" + bytes(range(255, -1, -1)),
        b"\xed\xa0\x80",
        b"\r\r\r",
        b"\xef\xbb\xbf",
        b"\xef\xbb\xbf\xef\xbb\xbf" + ONE_CARD.encode(),
        b"{}",
        b"<html></html>",
        b"null",
    ],
)
def test_what_was_never_a_game_file_is_told(octets: bytes) -> None:
    with pytest.raises(GameFileError) as told:
        load(read_bytes(octets, FILE))
    assert str(told.value).startswith(f"{FILE}:")


def loaded_or_told(octets: bytes) -> Game | list[str]:
    """The game, or what is wrong with it; anything else is a crash."""
    try:
        return load(read_bytes(octets, FILE))
    except GameFileError as error:
        assert error.problems  # noqa: PT017 - a refusal that says nothing is no refusal
        return str(error).splitlines()


@given(st.binary(max_size=400))
def test_any_bytes_at_all_are_a_game_or_a_mistake(octets: bytes) -> None:
    with at_most_calls(200_000):
        assert loaded_or_told(octets)


@given(st.text("[]{}='\"#.,\\\n\t abx019-:", max_size=200))
def test_any_signs_of_toml_in_any_order_are_a_game_or_a_mistake(text: str) -> None:
    with at_most_calls(200_000):
        assert loaded_or_told(text.encode())


LINES = [line for line in ONE_CARD.splitlines() if line]
VALUES = [
    "1",
    '"x"',
    "true",
    "[]",
    "{}",
    "2025-01-31",
    "1.5",
    '["x"]',
    "{ x = 1 }",
    '""',
    "[[]]",
    "[{}]",
    "-1",
    "09:00:00",
]


@given(
    st.lists(st.integers(0, len(LINES) - 1), max_size=8),
    st.lists(st.integers(0, len(LINES) - 1), max_size=3),
    st.data(),
)
def test_a_game_with_lines_left_out_and_values_mistaken_is_a_game_or_a_mistake(
    left_out: list[int], mistaken: list[int], data: st.DataObject
) -> None:
    lines = list(LINES)
    for index in mistaken:
        key, equals, _ = lines[index].partition(" = ")
        if equals and not key.startswith(" ") and not lines[index].endswith("["):
            lines[index] = f"{key} = {data.draw(st.sampled_from(VALUES))}"
    for index in left_out:
        lines[index] = ""
    assert loaded_or_told("\n".join(lines).encode())


@given(st.integers(0, len(ONE_CARD)), st.integers(0, 12), st.text(max_size=6))
def test_a_game_with_a_passage_overwritten_is_a_game_or_a_mistake(at: int, length: int, passage: str) -> None:
    assert loaded_or_told((ONE_CARD[:at] + passage + ONE_CARD[at + length :]).encode())
