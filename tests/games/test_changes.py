"""Changes that a designer makes to a game file: to its data and to its text alike, with comments kept and readings that still fit."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longhu.games import registry
from longhu.games.changes import (
    CHANGE_BEHIND_END,
    CHANGE_IMPOSSIBLE,
    CHANGE_MOVES_OUTSIDE,
    CHANGE_NO_OPTION,
    CHANGE_NO_READING,
    CHANGE_NOT_IN_LIST,
    CHANGE_NOWHERE,
    CHANGE_WITHOUT_VALUE,
    ChangeError,
    GameChange,
    changed,
)
from longhu.games.loader import load
from longhu.games.reader import hint
from longhu.games.rewriting import rewritten
from longhu.games.source import FileSource, read_text
from longhu.messages.message import Message
from tests.games.small import ONE_CARD

ROUNDINGS = ["patron", "house"]
TEXTS = {id: path.read_text(encoding="utf-8") for id, path in registry.all_games().items()}
READINGS = [each["id"] for each in tomllib.loads(TEXTS["dragon-tiger"])["reading"]]
GAMES = {id: registry.load_game(path) for id, path in registry.all_games().items()}
OPTIONS = [
    (id, reading.id, option.id)
    for id, game in GAMES.items()
    for reading in game.readings.values()
    for option in reading.options.values()
    if option.changes
]


def made(do: Any, *at: str | int, to: Any = None) -> GameChange:
    return GameChange(do=do, at=list(at), to=to)


def both(id: str, *changes: GameChange) -> tuple[FileSource, list[str]]:
    """The file after the changes, which text and data must agree about; and the readings left out."""
    data = tomllib.loads(TEXTS[id])
    left_out = changed(data, changes)
    text = rewritten(TEXTS[id], changes)
    assert tomllib.loads(text) == data
    return read_text(text, "game.toml"), left_out


def comments(text: str) -> list[str]:
    return [line.partition("#")[2] for line in text.splitlines() if "#" in line]


def test_a_pay_is_set_and_everything_else_stays_as_it_is_written() -> None:
    source, left_out = both("dragon-tiger", made("set", "wager", 2, "lines", 0, "pays", to="12:1"))
    before, after = TEXTS["dragon-tiger"].splitlines(), source.text.splitlines()
    different = [(one, other) for one, other in zip(before, after, strict=True) if one != other]
    assert different == [(different[0][0], different[0][0].replace("11:1", "12:1"))]
    assert left_out == []


def test_lines_are_put_in_moved_and_taken_out_with_the_comments_kept() -> None:
    line = {"says": 'A "sure" thing', "when": "tie and dragon.rank == 7", "pays": "50:1"}
    lines = ("wager", 2, "lines")
    source, _ = both("dragon-tiger", made("insert", *lines, 0, to=line), made("move", *lines, 0, to=1))
    told = source.data["wager"][2]["lines"]
    assert told[1] == line
    assert comments(source.text) == comments(TEXTS["dragon-tiger"])
    source, _ = both("dragon-tiger", made("insert", *lines, 0, to=line), made("remove", *lines, 0))
    assert source.data == tomllib.loads(TEXTS["dragon-tiger"])


@pytest.mark.parametrize(("id", "reading", "option"), OPTIONS)
def test_every_reading_can_be_taken_and_taken_back(id: str, reading: str, option: str) -> None:
    """The file then says what the reading says, and counts as the game does under that choice."""
    source, left_out = both(id, made("read", reading, to=option))
    assert left_out == []
    game, chosen = load(source), registry.load_game(registry.find(id), {reading: option})
    assert game.readings[reading].chosen == option
    assert game.procedure == chosen.procedure
    assert [wager.pays for wager in game.wagers.values()] == [wager.pays for wager in chosen.wagers.values()]
    changed(source.data, [made("read", reading, to=GAMES[id].readings[reading].chosen)])
    assert source.data == tomllib.loads(TEXTS[id])


def test_a_reading_that_no_longer_fits_is_left_out_and_told() -> None:
    assert both("dragon-21", made("set", "deal", "pair", to="points"))[1] == ["pair_basis"]
    source, left_out = both("dragon-21", made("set", "deal", "pair", to="points-except-pictures"))
    assert left_out == []  # the options start from what it is now
    assert load(source).readings["pair_basis"].options["points"].changes[0].old == "points-except-pictures"
    source, left_out = both("dragon-21", made("remove", "wager", 0, "lines", 2))
    assert left_out == ["over_21_pays"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (made("set", "wager", 99, "lines", to="x"), CHANGE_NOWHERE(at="'wager.99'")),
        (made("set", "nowhere", "x", to="x"), CHANGE_NOWHERE(at="'nowhere'")),
        (made("set", "game", "name"), CHANGE_WITHOUT_VALUE(at="'game.name'")),
        (made("set", "wager", 99, to="x"), CHANGE_NOWHERE(at="'wager.99'")),
        (made("remove", "game", "nothing"), CHANGE_NOWHERE(at="'game.nothing'")),
        (made("insert", "game", "name", to="x"), CHANGE_NOT_IN_LIST(at="'game'")),
        (
            made("insert", "wager", 2, "lines", 9, to={"when": "tie"}),
            CHANGE_BEHIND_END(at="'wager.2.lines'", entries=1, place=9),
        ),
        (made("insert", "wager", 2, "lines", 0), CHANGE_WITHOUT_VALUE(at="'wager.2.lines.0'")),
        (made("move", "wager", 2, "lines", 0, to=7), CHANGE_MOVES_OUTSIDE(at="'wager.2.lines.0'", last=0, found="7")),
        (
            made("move", "wager", 2, "lines", 0, to=True),
            CHANGE_MOVES_OUTSIDE(at="'wager.2.lines.0'", last=0, found="True"),
        ),
        (made("read", "roundin", to="house"), CHANGE_NO_READING(reading="'roundin'", hint=hint("roundin", READINGS))),
        (
            made("read", "rounding", to="hause"),
            CHANGE_NO_OPTION(reading="'rounding'", option="'hause'", hint=hint("hause", ROUNDINGS)),
        ),
        (
            made("read", "rounding", "x", to="house"),
            CHANGE_NO_READING(reading="'rounding.x'", hint=hint("rounding", READINGS)),
        ),
    ],
)
def test_a_change_without_a_place_is_refused(change: GameChange, says: Message) -> None:
    for attempt in (
        lambda: changed(tomllib.loads(TEXTS["dragon-tiger"]), [change]),
        lambda: rewritten(TEXTS["dragon-tiger"], [change]),
    ):
        with pytest.raises(ChangeError) as error:
            attempt()
        assert error.value.message == CHANGE_IMPOSSIBLE(number=1, problem=says)


PARTS = st.one_of(
    st.sampled_from(["wager", "lines", "deal", "game", "reading", "options", "change", "id", "pays", "when", "decks"]),
    st.integers(0, 6),
)
VALUES = st.one_of(st.text(max_size=20), st.integers(-9, 9), st.booleans(), st.lists(st.integers(0, 9), max_size=4))
CHANGES = st.builds(
    GameChange,
    do=st.sampled_from(["set", "remove", "insert", "move", "read"]),
    at=st.lists(PARTS, min_size=1, max_size=5),
    to=st.none() | VALUES | st.dictionaries(st.sampled_from(["when", "pays", "on"]), st.text(max_size=5), max_size=2),
)


SMALL = (
    ONE_CARD
    + """
[[reading]]
id = "r"
asks = "a"
takes = "b"
because = "c"
taken = "one"
options.one = "so"
options.two = { says = "or so", change = [{ at = "wager.0.id", from = "dragon", to = "tiger" }] }
"""
)


@settings(max_examples=60, deadline=None)
@given(changes=st.lists(CHANGES, max_size=6))
def test_whatever_is_changed_text_and_data_agree_or_both_refuse(changes: list[GameChange]) -> None:
    data = tomllib.loads(SMALL)
    refused = _refusal(lambda: changed(data, changes))
    texts: list[str] = []
    assert _refusal(lambda: texts.append(rewritten(SMALL, changes))) == refused
    if not refused:
        assert tomllib.loads(texts[0]) == data


def _refusal(attempt: Callable[[], object]) -> str:
    try:
        attempt()
    except ChangeError as error:
        return str(error)
    return ""
