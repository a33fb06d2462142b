"""The catalogues: every code has a sentence in every language, and every sentence fits its code."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import longhu
from longhu.messages.icu import PatternError, Place, format_message, parse, places
from longhu.messages.localization import Localization, catalogue
from longhu.messages.message import CODES, Argument, Message, message_code
from longhu.texts import LANGUAGES

FAMILIES = (
    "alert.",
    "position.",
    "command.",
    "event.",
    "page.",
)  # named by a registry or by the page, not by message_code
TYPES = {"number": {"number", "plural"}, "choice": {"select"}}  # of a place, by the kind of its argument

for module in walk_packages(longhu.__path__, "longhu."):
    if not module.name.endswith("__main__"):
        import_module(module.name)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_has_a_sentence_for_every_code_and_no_other(language: str) -> None:
    codes = {code for code in CODES if not code.startswith("example-")}
    found = {code for code in catalogue(language) if not code.startswith(FAMILIES)}
    assert (sorted(codes - found), sorted(found - codes)) == ([], [])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_has_the_codes_of_the_english_one(language: str) -> None:
    assert catalogue(language).keys() == catalogue("en").keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_is_sorted_by_code_and_has_each_code_once(language: str) -> None:
    file = Path(longhu.__file__).parent / "messages" / f"{language}.json"
    codes = [code for code, _ in json.loads(file.read_text(encoding="utf-8"), object_pairs_hook=list)]
    assert codes == sorted(set(codes))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_places_of_a_sentence_fit_the_arguments_of_its_code(language: str) -> None:
    wrong = []
    for code, sentence in catalogue(language).items():
        found = {(place.name, place.type) for place in places(parse(sentence))}
        if {name for name, _ in found} != {place.name for place in places(parse(catalogue("en")[code]))}:
            wrong.append(f"{code}: other arguments than the English sentence")
        if code in CODES:
            kinds = CODES[code].kinds
            wrong += [f"{code}: no argument {name}" for name, _ in found if name not in kinds]
            wrong += [
                f"{code}: {name} is {kinds[name]}, and stands as {type or 'words'}"
                for name, type in found
                if name in kinds and type not in TYPES.get(kinds[name], {""})
            ]
    assert wrong == []


def test_arguments_are_said_by_their_kind() -> None:
    message_code("example-kinds", a="money", n="number", w="wagers", o="any hand", c="cards", t="time", p="position")
    parsed = parse("{a}; {n, plural, one {# card} other {# cards}}; {w}; {o}; {c}; {t}; {p}")
    names = {"player": "Player", "banker": "Banker", "tie": "Tie"}
    english = Localization("en", lambda _, each: names[each])
    args: dict[str, Argument] = {
        "a": -123450,
        "n": 1,
        "w": ["player", "banker", "tie"],
        "o": ["player", "banker"],
        "c": ["5D", "TS"],
    }
    message = Message("example-kinds", {**args, "t": 0, "p": "pit-supervisor"})
    values = {name: english._value(CODES["example-kinds"].kinds[name], each) for name, each in message.args.items()}
    said = format_message(parsed, values, "en")
    assert (
        said
        == "\u22121,234.50; 1 card; Player, Banker and Tie; Player or Banker; 5♦ T♠; 1970-01-01 00:00 UTC; pit supervisor"
    )


def test_a_code_takes_its_own_arguments_only() -> None:
    code = message_code("example-own", amount="money")
    with pytest.raises(TypeError, match=r"example-own: found arguments .'sum'., expected amount"):
        code(sum=1)
    with pytest.raises(ValueError, match="declared twice"):
        message_code("example-own", amount="number")
    with pytest.raises(ValueError, match=r"unknown kind .'coin'."):
        message_code("example-kind", amount="coin")


def test_names_of_persons_are_replaced_wherever_they_stand() -> None:
    inner = message_code("example-inner", who="person")
    outer = message_code("example-outer", all="persons", note="text", inner="message")
    message = outer(all=("ann", "bob"), note="ann", inner=inner(who="ann"))
    public = message.with_persons(lambda name: "seat 1" if name == "ann" else name)
    assert public == outer(all=["seat 1", "bob"], note="ann", inner=inner(who="seat 1"))


@pytest.mark.parametrize(
    "text", ["{", "{}", "{n, date}", "{n, plural}", "{n, plural, one {#}}", "a } b", "{n, select, other {x}", "'{ open"]
)
def test_what_is_no_message_format_is_refused(text: str) -> None:
    with pytest.raises(PatternError):
        parse(text)


def test_apostrophes_quote_only_before_braces() -> None:
    assert parse("Player's '{'x'}' it''s") == ("Player's {x} it's",)
    assert parse("{n, plural, other {# '#' {n}}}") == (
        Place("n", "plural", {"other": (Place("n", "number", {}), " # ", Place("n", "", {}))}),
    )
