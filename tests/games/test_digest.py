"""The digest of a game: the same for every file that plays and pays the same, however it is worded."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longhu.games.loader import load
from longhu.games.registry import built_in, load_game
from longhu.games.source import read_bytes
from longhu.games.when import tokens
from tests.games.small import BACCARAT, ONE_CARD, TWENTY_ONE, changed, game

SHIPPED = sorted(built_in().items())
DIGEST = game(ONE_CARD).digest


def digest_of(text: str, **readings: str) -> str:
    return game(text, readings).digest


def test_a_digest_is_sha_256_in_hexadecimal() -> None:
    assert re.fullmatch("[0-9a-f]{64}", DIGEST)


KNOWN = {
    "dragon-21": "b6127bada0a52243a2f602424bafe49a9f0d857831979dc33530b0078b338675",
    "dragon-bonus": "6f8b39517a1d42799fad489d0284e9cd14e7a2ebd8643a89cf458c6aa8a57899",
    "dragon-bonus-online": "5c133656087e336534f38cec74a2614b0868cc9a3e24c35d8490dbc87841e67f",
    "dragon-tiger": "92da8083eb7cc27d82eeb5555d9cc2782997a00980c01c984416c41cd5607bee",
    "immortal-dragon-tiger": "889cc0876cfa337821f7769bb4302ad3a3dd651cdbf49411e7f8048a99f7396c",
}


def test_the_digests_of_our_games_are_known() -> None:
    """A digest that changes here is another game to every house that has approved the old one, and to every old proof."""
    assert {id: load_game(path).digest for id, path in SHIPPED} == KNOWN


def test_different_games_have_different_digests() -> None:
    digests = {load_game(path).digest for _, path in SHIPPED} | {
        digest_of(text) for text in (ONE_CARD, BACCARAT, TWENTY_ONE)
    }
    assert len(digests) == len(SHIPPED) + 3


# ---------------------------------------------------------------- what does not count


SAME: dict[str, tuple[str, str]] = {
    "a comment": ("[game]\n", "# the game\n[game] # here\n"),
    "blank lines": ("[deal]\n", "\n\n\n[deal]\n\n"),
    "the order of keys": ('id = "tiger"\nname = "Tiger"\n', 'name = "Tiger"\nid = "tiger"\n'),
    "the order of keys in a row": ('{ when = "tie", result = "push" }', '{ result = "push", when = "tie" }'),
    "spaces between words": ('id = "B"\nlike = "A"', 'id="B"\n  like   =   "A"'),
    "spaces in an expression": ('"dragon.rank == 7"', '"  dragon.rank==7 "'),
    "spaces in a term": ('"dragon.rank >= 8"', '"dragon.rank>=8"'),
    "how a text is quoted": ('"Dragon wins"', "'Dragon wins'"),
    "how a letter is written": ('"Dragon wins"', r'"\u0044ragon wins"'),
    "how a number is written": ("min = 1, max = 8, default", "min = 0x1, max = +8, default"),
    "a list over several lines": ('excludes = ["tiger"]', 'excludes = [\n  "tiger",\n]'),
    "a table of its own": (
        '[limits]\ncurrency = "SGD"\nround_cap = { amount = "1000.00", basis = "credit" }\nrounding = "patron"\n',
        '[limits]\ncurrency = "SGD"\nrounding = "patron"\n[limits.round_cap]\namount = "1000.00"\nbasis = "credit"\n',
    ),
    "dotted keys": ('round_cap = { amount = "1000.00", basis = "credit" }', 'round_cap.amount = "1000.00"\nround_cap.basis = "credit"'),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new"), SAME.values(), ids=SAME.keys())
def test_how_a_file_is_written_does_not_change_the_digest(old: str, new: str) -> None:
    assert digest_of(changed(ONE_CARD, old, new)) == DIGEST


def test_the_order_of_sections_does_not_change_the_digest() -> None:
    claim = ONE_CARD[ONE_CARD.index("[[claim]]") :]
    assert digest_of(ONE_CARD.replace(claim, "").replace("[deal]\n", claim + "\n[deal]\n")) == DIGEST


def test_line_ends_and_a_byte_order_mark_do_not_change_the_digest() -> None:
    octets = b"\xef\xbb\xbf" + ONE_CARD.replace("\n", "\r\n").encode()
    assert load(read_bytes(octets, "small.toml")).digest == DIGEST


def test_the_name_of_the_file_does_not_change_the_digest(tmp_path: Path) -> None:
    path = tmp_path / "another name.toml"
    path.write_text(ONE_CARD, encoding="utf-8")
    assert load_game(path).digest == DIGEST


@settings(max_examples=25)
@given(st.data())
def test_no_spacing_between_the_words_of_an_expression_changes_the_digest(data: st.DataObject) -> None:
    expression = "not(tie or tiger.rank in[1,3..5])and dragon.rank%2==1"
    spaces = st.text(" \t", min_size=1, max_size=3)
    spaced = "".join(token.text + data.draw(spaces) for token in tokens(expression))
    as_it_is = digest_of(changed(ONE_CARD, '"dragon.rank == 7"', f"'{expression} or dragon.rank == 7'"))
    assert (
        digest_of(changed(ONE_CARD, '"dragon.rank == 7"', f"'{spaced} or dragon.rank == 7'".replace("\t", " ")))
        == as_it_is
    )


WORDS: dict[str, tuple[str, str]] = {
    "the name of the game": ('en = "Small"', 'en = "Tiny"'),
    "the name of a hand": ('{ id = "tiger", name = "Tiger" }', '{ id = "tiger", name = "White Tiger" }'),
    "the name of a wager": ('"Dragon High"', '"High Dragon"'),
    "the label of a wager": ('en = "D"', 'en = "The Dragon"'),
    "no label": ('label = { en = "D", zh = "龙" }\n', ""),
    "what a line says": ('"Dragon wins"', '"The Dragon is higher"'),
    "a line that says nothing": ('says = "Dragon wins", ', ""),
    "what the last line says": ('says = "Tiger is higher"', 'says = "Dragon is lower"'),
    "words for the last line": ('"0.95:1" },\n]\n', '"0.95:1" },\n]\notherwise = { says = "Dragon is higher" }\n'),
    "the name of a layout": ('name = "Layout A"', 'name = "The only layout"'),
    "the name of a method": ('"Face up"', '"Open cards"'),
    "what a reading asks": ('"Who gets the odd unit?"', '"Whose is the odd unit?"'),
    "what a reading takes": ('"The patron."', '"Theirs."'),
    "the reason of a reading": ('because = "It says so."', 'because = "We think so."'),
    "what an option says": ('options.card = "after the first card"', 'options.card = "when a card is drawn"'),
    "an option with its words in a table": (
        'options.card = "after the first card"', 'options.card = { says = "after the first card" }'
    ),
    "what an option says that changes something": ('says = "the house gets it"', 'says = "it stays here"'),
    "a Chinese name": ('zh = "小"', 'zh = "大"'),
    "no Chinese name": ('{ en = "Small", zh = "小" }', '"Small"'),
    "a translation": ('clause = "DT-4.1b"\n', 'clause = "DT-4.1b"\n[translations.zh-Hant]\n"Tiger" = "虎"\n'),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new"), WORDS.values(), ids=WORDS.keys())
def test_how_a_game_is_worded_does_not_change_the_digest(old: str, new: str) -> None:
    worded = game(changed(ONE_CARD, old, new))
    assert worded.digest == DIGEST
    assert worded.wording != game(ONE_CARD).wording


@pytest.mark.parametrize(("id", "path"), SHIPPED)
def test_our_games_without_their_translations_have_the_same_digest(id: str, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert digest_of(text.partition("[translations.")[0]) == KNOWN[id]


# ---------------------------------------------------------------- what counts


OTHER: dict[str, tuple[str, str]] = {
    "odds": ('"3:2"', '"2:1"'),
    "odds written otherwise": ('"3:2"', '"6:4"'),  # the table shows them as written
    "a result": ('{ when = "tie", result = "push" }', '{ when = "tie", result = "half" }'),
    "a commission": ('commission = "5%"', 'commission = "4%"'),
    "what a wager needs beside it": ('requires = ["dragon", "tiger"]', 'requires = ["dragon"]'),
    "a clause": ('clause = "DT-3.8a"', 'clause = "DT-3.8b"'),
    "an expression that means the same": ('"dragon.rank < 7"', '"7 > dragon.rank"'),
    "the number of decks": ("default = 6", "default = 8"),
    "the version": ('version = "1"', 'version = "2"'),
    "the date": ("2025-01-31", "2025-02-01"),
    "a limit": ('max = "500.00"', 'max = "501.00"'),
    "an amount written otherwise": ('max = "500.00"', 'max = "500"'),
    "the rounding of a cap": ('basis = "credit"', 'basis = "profit"'),
    "a remedy": ('remedy = "void"', 'remedy = "refund"'),
    "an area": ('areas = ["dragon", "odds", "tiger"]', 'areas = ["tiger", "odds", "dragon"]'),
    "the reading taken": ('taken = "call"', 'taken = "card"'),
    "a question of the rulebook": ('question = "Q01"', 'question = "Q02"'),
    "a claim": ('rtp = "98.00%"', 'rtp = "98.01%"'),
}


@pytest.mark.parametrize(("old", "new"), OTHER.values(), ids=OTHER.keys())
def test_what_a_file_says_changes_the_digest(old: str, new: str) -> None:
    assert digest_of(changed(ONE_CARD, old, new)) != DIGEST


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('{ on = [7], draws = "never" },\n]\n\n[[wager]]', "{ on = [7], draws = [6] },\n]\n\n[[wager]]"),
        ('clause = "X-3"', 'clause = "X-4"'),
    ],
    ids=["which card draws", "the clause of a row"],
)
def test_the_table_of_play_changes_the_digest(old: str, new: str) -> None:
    assert digest_of(changed(BACCARAT, old, new)) != digest_of(BACCARAT)


def test_the_order_of_lines_changes_the_digest() -> None:
    """The first line that holds decides, so the order is part of the rule even where it makes no difference."""
    first, second = '{ when = "dragon.rank < 7", result = "lose" }', '{ when = "dragon.rank == 7", result = "lose" }'
    assert digest_of(changed(ONE_CARD, f"  {first},\n  {second},\n", f"  {second},\n  {first},\n")) != DIGEST


def test_the_order_of_wagers_changes_the_digest() -> None:
    dragon_high = ONE_CARD[ONE_CARD.index('[[wager]]\nid = "dragon-high"') : ONE_CARD.index("[[layout]]")]
    moved = ONE_CARD.replace(dragon_high, "").replace(
        '[[wager]]\nid = "tiger"', dragon_high + '[[wager]]\nid = "tiger"'
    )
    assert digest_of(moved) != DIGEST


def test_words_that_run_together_are_other_words() -> None:
    """`not tie` and `nottie` differ by a space that counts."""
    terms = '[terms]\nnottie = { means = "tie" }\n'
    text = changed(ONE_CARD, "[terms]\n", terms)
    one = digest_of(changed(text, '"dragon.rank == 7"', '"dragon.rank == 7 or nottie"'))
    other = digest_of(changed(text, '"dragon.rank == 7"', '"dragon.rank == 7 or not tie"'))
    assert one != other


# ---------------------------------------------------------------- readings


def test_a_chosen_reading_changes_the_digest_and_the_game() -> None:
    chosen = game(ONE_CARD, {"odd_unit": "house"})
    assert chosen.digest != DIGEST
    assert not chosen.rounding.to_patron
    assert chosen.readings["odd_unit"].chosen == "house"
    assert chosen.readings["odd_unit"].default == "patron"


def test_choosing_what_is_taken_already_does_not_change_the_digest() -> None:
    assert digest_of(ONE_CARD, odd_unit="patron") == DIGEST
    assert digest_of(ONE_CARD, odd_unit="patron", late="call") == DIGEST


def test_a_reading_that_only_a_table_can_tell_apart_changes_the_digest_too() -> None:
    assert digest_of(ONE_CARD, late="card") != DIGEST


def test_the_order_in_which_readings_are_chosen_does_not_matter() -> None:
    one = game(ONE_CARD, {"odd_unit": "house", "late": "card"}).digest
    assert one == game(ONE_CARD, {"late": "card", "odd_unit": "house"}).digest
    assert len({one, DIGEST, digest_of(ONE_CARD, odd_unit="house"), digest_of(ONE_CARD, late="card")}) == 4


def test_choosing_a_reading_leaves_the_game_without_it_as_it_was() -> None:
    source = read_bytes(ONE_CARD.encode(), "small.toml")
    load(source, {"odd_unit": "house"})
    assert load(source).digest == DIGEST


def test_the_game_under_a_reading_is_what_the_file_says_but_for_the_change() -> None:
    chosen, as_it_is = game(ONE_CARD, {"odd_unit": "house"}).data, game(ONE_CARD).data
    assert chosen["limits"] == {**as_it_is["limits"], "rounding": "house"}
    assert chosen["reading"] == [{**as_it_is["reading"][0], "taken": "house"}, as_it_is["reading"][1]]
    assert all(chosen[key] == as_it_is[key] for key in as_it_is if key not in ("limits", "reading"))


@pytest.mark.parametrize(("id", "path"), SHIPPED)
def test_every_option_that_changes_a_shipped_game_makes_a_game_of_its_own(id: str, path: Path) -> None:
    as_shipped = load_game(path)
    digests = [as_shipped.digest]
    for reading in as_shipped.readings.values():
        digests += [
            load_game(path, {reading.id: id}).digest for id, option in reading.options.items() if option.changes
        ]
    assert len(set(digests)) == len(digests)
    assert len(digests) > 1, id


@pytest.mark.parametrize(("id", "path"), SHIPPED)
def test_choosing_everything_that_a_shipped_game_takes_already_does_not_change_its_digest(id: str, path: Path) -> None:
    as_shipped = load_game(path)
    taken = {reading.id: reading.default for reading in as_shipped.readings.values() if reading.options}
    assert taken, id
    assert load_game(path, taken).digest == as_shipped.digest
