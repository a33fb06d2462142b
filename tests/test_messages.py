"""The catalogues: every code has a sentence in every language, and every sentence fits its code."""

from __future__ import annotations

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from icu4py.messageformat import MessageFormat

import longhu
from longhu.accounts.alerts import Significant
from longhu.clauses import DOCUMENTS, standards
from longhu.eventsourcing import Command, Event
from longhu.games.vocabulary import IRREGULARITIES, POSITIONS
from longhu.messages.icu import PatternError, Placeholder, format_message, parse, places
from longhu.messages.localization import Localization, catalogue
from longhu.messages.message import CODES, LISTS, OR_LISTS, REASONS, Message, message_code
from longhu.protocol import Chips, Device
from longhu.table.state import Phase
from longhu.texts import LANGUAGES

Values = dict[str, int | float | str | Decimal | date | datetime]  # as ICU takes them
OF_THE_PAGE = {"give-back", "new-shoe"}  # acts of the console that are no commands of the table
WEB = Path(__file__).parent.parent / "web"
TYPES = {"number": {"number", "plural"}, "choice": {"select"}}  # of a place, by the kind of its argument

for module in walk_packages(longhu.__path__, "longhu."):
    if not module.name.endswith("__main__"):
        import_module(module.name)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_has_a_sentence_for_every_code_and_no_other(language: str) -> None:
    codes = {code for code in CODES if not code.startswith("example-") and "." not in code}
    found = {code for code in catalogue(language) if "." not in code}
    assert (sorted(codes - found), sorted(found - codes)) == ([], [])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_has_the_codes_of_the_english_one(language: str) -> None:
    assert catalogue(language).keys() == catalogue("en").keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_cites_a_clause(language: str) -> None:
    """A refusal's clause stands beside its message, and is shown in details: never in a note to a patron."""
    documents = "|".join((*DOCUMENTS, *{each.partition("-")[0] for each in standards()}))
    cited = re.compile(rf"\b(?:{documents})-[0-9A-Z]")
    found = {code for code, says in catalogue(language).items() if cited.search(says)}
    assert found == {"file-no-clause-id"}  # which shows how an id of a clause is written, to whoever writes a game file


def test_families_name_everything_of_their_kind_and_nothing_else() -> None:
    events, commands = (
        {
            tag.partition("/")[0]: each
            for each in _subclasses(base)
            if (tag := str(each.__struct_config__.tag)).endswith("/1")
        }
        for base in (Event, Command)
    )
    assert _family("event") == events.keys()
    assert _family("command") - OF_THE_PAGE == commands.keys() - {"command"}
    assert _family("hint") <= _family("command")
    assert _family("irregularity") == set(IRREGULARITIES)
    assert _family("reason") == REASONS
    assert _family("alert") == {each.value for each in Significant}
    assert _family("phase") - {"between-rounds"} == {each.value for each in Phase}
    assert _family("device") == set(get_args(Device))
    assert _family("chips") == set(get_args(Chips))
    assert _family("position") >= {*POSITIONS, "patron", "auditor"}
    wrong = {
        code: sorted(missing)
        for kind in _family("record")
        if (missing := _places(code := f"record.{kind}") - _fields(events[kind]))
    }
    assert wrong == {}


def _family(name: str) -> set[str]:
    return {code.partition(".")[2] for code in catalogue("en") if code.startswith(f"{name}.")}


def _places(code: str) -> set[str]:
    return {place.name for place in places(parse(catalogue("en")[code]))}


def _subclasses(base: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for each in base.__subclasses__():
        if each.__module__.startswith("longhu."):
            yield from () if each.__name__.startswith("_") else (each,)
            yield from _subclasses(each)


def _fields(event: type[msgspec.Struct]) -> set[str]:
    """The fields of an event, and those of a stake, a request or a card within it."""
    inner = [get_type_hints(event).get(name) for name in ("stake", "request", "card")]
    nested = [each for each in inner if isinstance(each, type) and issubclass(each, msgspec.Struct)]
    return {name for each in (event, *nested) for name in each.__struct_fields__}


def test_the_page_knows_the_kinds_of_every_message() -> None:
    found = runpy.run_path(str(WEB / "message_kinds.py"))
    assert found["FILE"].read_text(encoding="utf-8") == found["written"](), "run: make messages"


def test_the_page_says_every_message_as_we_do() -> None:
    messages = [_sample(code) for code in catalogue("en")]
    told = subprocess.run(
        [_node(), "tests/say.mjs"],
        cwd=WEB,
        env={**os.environ, "TZ": "UTC"},
        input=msgspec.json.encode(dict.fromkeys(LANGUAGES, messages)),
        capture_output=True,
        check=False,
    )
    assert told.returncode == 0, told.stderr.decode()
    ours = {language: [Localization(language).text(message) for message in messages] for language in LANGUAGES}
    without_zone = {language: [each.replace(" UTC", "") for each in texts] for language, texts in ours.items()}
    assert msgspec.json.decode(told.stdout) == without_zone


def _sample(code: str) -> Message:
    """A message with an argument for each place: of its kind, or what fits its type in a text of the page."""
    kinds = CODES[code].kinds if code in CODES else {}
    found = {place.name: place.type for place in places(parse(catalogue("en")[code]))}
    return Message(code, {name: _argument(kinds.get(name, ""), type) for name, type in found.items()})


def _argument(kind: str, type: str) -> Any:
    if kind in LISTS or kind in OR_LISTS:
        one = LISTS.get(kind) or OR_LISTS.get(kind, "")
        return [_argument(one, type)] * 3
    if kind == "message":
        return Message("list-of-two", {"first": "one", "second": "two"})
    if type in ("number", "plural") or kind in ("money", "number", "time", "duration"):
        return -123450 if kind == "money" else 1500
    return {"card": "TS", "percent": "1.06", "position": "pit-manager", "command": "settle-round"}.get(kind, "some-id")


@pytest.mark.parametrize("language", LANGUAGES)
def test_icu_says_every_message_as_we_do(language: str) -> None:
    """Each pattern with numbers of every plural, a text, and each branch of a selection."""
    wrong = []
    for code, text in catalogue(language).items():
        ours, theirs = parse(text), MessageFormat(text, language)
        trials = _trials({place.name: place for place in places(ours)})
        wrong += [
            (code, each) for each in trials if format_message(ours, _plain(each), language) != theirs.format(each)
        ]
    assert wrong == []


def _trials(found: Mapping[str, Placeholder]) -> Iterator[Values]:
    numbers = (0, 1, 2, 5, 1500, -3, 1_234_567) if found else (0,)
    for number in numbers:
        of_type: Values = {"number": number, "plural": number, "": "Player’s {0} '1'"}
        yield {
            name: sorted(place.branches)[number % len(place.branches)]
            if place.type == "select"
            else of_type[place.type]
            for name, place in found.items()
        }


def _plain(values: Values) -> dict[str, str | int]:
    return {name: value for name, value in values.items() if isinstance(value, (str, int))}


@pytest.mark.parametrize(
    ("language", "letters", "others"), [("zh-Hans", "gb2312", "龍曱甴♪·—–"), ("zh-Hant", "big5", "枱着裏曱甴♪")]
)
def test_a_chinese_catalogue_is_written_in_one_set_of_characters(language: str, letters: str, others: str) -> None:
    """Simplified ones in the one, traditional ones in the other, and each in one form (戶, not 户)."""
    found = {each for sentence in catalogue(language).values() for each in sentence} - set(others)
    assert {each for each in found if each.encode(letters, "replace") == b"?" != each.encode()} == set()


def _node() -> str:
    beside = Path(sys.executable).with_name("node")
    found = str(beside) if beside.exists() else shutil.which("node")
    if found is None:
        pytest.fail("no Node is installed: run `make page`")
    return found


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
    english = Localization("en", lambda _, name: names[name])
    args: dict[str, Any] = {
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
        Placeholder("n", "plural", {"other": (Placeholder("n", "number", {}), " # ", Placeholder("n", "", {}))}),
    )
