"""Names and sentences of a game file in further languages: read, checked, and complete in our own files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from longhu.games.registry import built_in, load_game
from longhu.games.source import Place, read_text
from longhu.games.translations import gaps
from longhu.paytable import game_json
from longhu.texts import LANGUAGES, Text
from tests.games.small import ONE_CARD, assert_only_told, changed, game

END = 'clause = "DT-4.1b"\n'
TABLES = """
[translations.zh-Hans]
"Tiger" = "虎"
"Dragon wins" = "龙赢"

[translations.zh-Hant]
"Dragon" = "龍"
"Tiger" = "虎"
"the patron gets it" = "歸客人"
"""


def told(text: str) -> list[tuple[str, Place, str]]:
    return [(language, each.place, each.text()) for language, each in gaps(game(text), read_text(text, "small.toml"))]


@pytest.mark.parametrize("id", built_in())
def test_our_own_games_are_translated_whole_and_nothing_else_is(id: str) -> None:
    found = load_game(built_in()[id])
    assert not [each.text() for _, each in gaps(found, read_text(found.text, found.file))]
    for text in found.texts:
        assert list(text.by_language) == list(LANGUAGES)


def test_a_text_has_the_translations_of_its_english_wherever_it_stands() -> None:
    found = game(ONE_CARD + TABLES)
    assert found.procedure.hands[0].name == Text("Dragon", {"zh-Hans": "龙", "zh-Hant": "龍"})
    assert found.wagers["dragon"].name == Text("Dragon", {"zh-Hant": "龍"})
    assert (
        found.wagers["tiger"].name == found.procedure.hands[1].name == Text("Tiger", {"zh-Hans": "虎", "zh-Hant": "虎"})
    )
    assert found.wagers["dragon"].lines[1].says.into("zh-Hans") == "龙赢"
    assert found.readings["odd_unit"].options["patron"].says.into("zh-Hant") == "歸客人"
    assert found.wager_of_name["龍"] is found.wagers["dragon"]


def test_programs_are_told_a_text_in_all_its_languages() -> None:
    said = json.loads(json.dumps(game_json(game(ONE_CARD + TABLES))))
    assert said["wagers"]["tiger"]["name"] == {"en": "Tiger", "zh-Hans": "虎", "zh-Hant": "虎"}
    assert said["hands"][0] == {"id": "dragon", "name": {"en": "Dragon", "zh-Hans": "龙", "zh-Hant": "龍"}}
    assert said["wagers"]["tiger"]["lines"][0]["says"] == {"en": "tie"}


def test_an_inline_translation_is_that_of_the_table_or_none() -> None:
    same = game(
        changed(ONE_CARD, '{ id = "tiger", name = "Tiger" }', '{ id = "tiger", name = { en = "Tiger", zh = "虎" } }')
        + TABLES
    )
    assert same.procedure.hands[1].name == Text("Tiger", {"zh-Hans": "虎", "zh-Hant": "虎"})
    assert_only_told(
        ONE_CARD + TABLES,
        '{ id = "tiger", name = "Tiger" }',
        '{ id = "tiger", name = { en = "Tiger", zh = ¦"大虎" } }',
        "'Tiger' has another translation in [translations.zh-Hans]",
    )


MISTAKES: dict[str, tuple[str, tuple[str, ...]]] = {
    "no language": ('¦[translations.Chinese]\n"Tiger" = "虎"\n', ("'Chinese' is no language", "zh-Hans")),
    "English": ('¦[translations.en]\n"Tiger" = "Tiger"\n', ("'en' is no language to translate into", "in the file itself")),
    "no text": ('[translations.zh-Hans]\n"Tiger" = ¦3\n', ("Tiger must be a text",)),
    "nothing": ('[translations.zh-Hans]\n"Tiger" = ¦""\n', ("Tiger is empty",)),
    "an invisible character": ('[translations.zh-Hans]\n"Tiger" = "虎¦\\u200b"\n', ("invisible character U+200B",)),
    "no table": ("[translations]\nzh-Hans = ¦3\n", ("zh-Hans must be a table",)),
    "one name for two wagers": ('[translations.zh-Hant]\n"Tiger" = "龍"\n"Dragon" = "龍"\n', ("'dragon' and 'tiger' are both called '龍'",)),
}  # fmt: skip


@pytest.mark.parametrize(("tables", "words"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_wrong_translation_is_told_where_it_stands(tables: str, words: tuple[str, ...]) -> None:
    if "¦" not in tables:
        with pytest.raises(ValueError, match=words[0]):
            game(ONE_CARD + tables)
        return
    assert_only_told(ONE_CARD, END, END + tables, *words)


def test_a_file_may_have_many_texts_and_not_any_number() -> None:
    table = "[translations.fr]\n" + "".join(f'"text {number}" = "texte {number}"\n' for number in range(1_000))
    assert game(ONE_CARD + table).digest == game(ONE_CARD).digest
    more = "".join(f'"more {number}" = "x"\n' for number in range(4_001))
    assert_only_told(ONE_CARD, END, f"{END}¦{table}{more}", "fr has 5,001 entries, and at most 5,000 are read")


def test_a_missing_translation_is_named_by_language() -> None:
    found = told(ONE_CARD + TABLES)
    names = {(language, message.partition(" is not")[0]) for language, _, message in found}
    assert ("zh-Hans", "'Dragon High'") in names
    assert ("zh-Hant", "'Dragon wins'") in names
    assert ("zh-Hans", "'Tiger'") not in names
    assert ("zh-Hans", "'tie'") not in names, "a line without words shows its condition, which has no language"


def test_a_language_of_which_the_file_has_nothing_is_named_once() -> None:
    assert [message for language, _, message in told(ONE_CARD) if language == "zh-Hant"] == [
        "nothing is translated into zh-Hant"
    ]


def test_a_superfluous_translation_is_named_where_it_stands() -> None:
    text = ONE_CARD + '[translations.fr]\n"Tiger" = "Tigre"\n"Lion" = "Lion"\n'
    line = text.count("\n")
    assert ("fr", Place(line, 1), "'Lion' is translated into fr, and the file does not say it") in told(text)


def test_the_check_of_a_file_warns_and_the_file_is_sound(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from longhu.cli.main import main

    path = tmp_path / "small.toml"
    path.write_text(ONE_CARD + TABLES, encoding="utf-8")
    assert main(["games", "check", str(path)]) == 0
    out = capsys.readouterr().out
    assert f"{path}: small is sound" in out
    assert "warning: 'Dragon wins' is not translated into zh-Hant" in out
    assert main(["games", "check", "--json", str(path)]) == 0
    warnings = json.loads(capsys.readouterr().out)[str(path)]["warnings"]
    assert {each["language"] for each in warnings} == {"zh-Hans", "zh-Hant"}
    assert all(each["line"] > 1 for each in warnings)
