"""The page that checks shuffles elsewhere: written from docs/shuffle.md alone, and it agrees with us on everything.

Its functions run here in an engine of their own (QuickJS), as they would in a patron's browser.
"""

from __future__ import annotations

import base64
import hashlib
import json
import random
import re
from collections.abc import Callable
from copy import deepcopy
from html.parser import HTMLParser
from importlib.resources import files
from typing import Any

import pytest
import quickjs  # type: ignore[import-untyped, unused-ignore]

from longhu.audit import export
from longhu.cards import CARDS_PER_DECK
from longhu.fairness.shuffle import Contribution, Mix, commitment, order
from longhu.fairness.vectors import vectors
from longhu.games import registry
from tests.audit.evening import DAY, GAMES, START, Told, ordinary, random_evening
from tests.fairness import records
from tests.fairness.records import Record

FOLDER = files("longhu.fairness")
PAGE = FOLDER.joinpath("check", "index.html").read_text("utf-8")
TEXTS = ("", "x", "seven come eleven", "恭喜發財", "🐉🐅", "é\u0301", " two  spaces ", "1,2", '"quoted"', "a" * 128)


def part(tag: str, id: str = "") -> str:
    """What stands between a tag and its end."""
    named = f'[^>]* id="{id}"' if id else ""
    (text,) = re.findall(rf"<{tag}{named}>(.*?)</{tag}>", PAGE, re.DOTALL)
    return str(text)


class Engine:
    """The functions of the page, without a page."""

    def __init__(self) -> None:
        self._context = quickjs.Context()
        self._context.eval(part("script", "core"))

    def __call__(self, function: str, *arguments: Any) -> Any:
        return self.value(f"({function})(...{json.dumps(arguments)})")

    def value(self, expression: str) -> Any:
        text = self._context.eval(f"JSON.stringify({expression})")
        return None if text is None else json.loads(text)


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine()


# ------------------------------------------------ the arithmetic

LENGTHS = (*range(10), *range(50, 70), *range(115, 140), *range(270, 275), 1000)  # around the ends of blocks


def test_sha_256_is_that_of_everybody(engine: Engine) -> None:
    chance = random.Random(1)
    for length in LENGTHS:
        told = chance.randbytes(length)
        assert engine("(text) => toHex(sha256(fromHex(text)))", told.hex()) == hashlib.sha256(told).hexdigest(), length


@pytest.mark.parametrize("wanted", [1, 135, 136, 137, 500])
def test_shake_256_is_that_of_everybody(engine: Engine, wanted: int) -> None:
    read = """(text, wanted) => {
        const stream = shake256(fromHex(text));
        return toHex(Array.from({ length: wanted }, () => stream.next().value));
    }"""
    chance = random.Random(wanted)
    for length in LENGTHS:
        told = chance.randbytes(length)
        assert engine(read, told.hex(), wanted) == hashlib.shake_256(told).hexdigest(wanted), length


def test_texts_are_utf_8(engine: Engine) -> None:
    for text in (*TEXTS, "\x7f\x80\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff"):
        assert engine("utf8", text) == list(text.encode())
    assert engine("isText", "\ud800") is False


def random_mix(chance: random.Random) -> Mix:
    """Any mix at all: whole decks, a shuffler with cards held out, or a handful of cards."""
    decks = chance.randint(1, 8)
    counts = [decks] * CARDS_PER_DECK
    if chance.random() < 0.3:
        counts = [chance.randint(0, decks) for _ in counts]
    people = chance.sample(("ann", "bob", "陳先生", "cay"), chance.randint(0, 4))
    said = tuple(Contribution(each, chance.choice(TEXTS)) for each in people)
    cutter = chance.choice(("", "ann", "陳先生"))
    return Mix(
        table=chance.choice(("T1", "Baccarat 7", "龍虎")),
        number=chance.choice((1, 12, 2**40)),
        counts=tuple(counts),
        contributions=said,
        cut_by=cutter,
        cut_at=chance.randint(1, sum(counts)) if cutter and sum(counts) else 0,
    )


def told(mix: Mix, secret: bytes, **more: Any) -> dict[str, Any]:
    """A shuffle as a patron would paste it."""
    said = [{"person": each.person, "value": each.value} for each in mix.contributions]
    fields = {
        "table": mix.table,
        "number": mix.number,
        "counts": list(mix.counts),
        "cut_by": mix.cut_by,
        "cut_at": mix.cut_at,
    }
    sealed = commitment(mix.table, mix.number, secret)
    return {"mix": {**fields, "contributions": said}, "secret": secret.hex(), "commitment": sealed, **more}


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.clause("RNG-2")
def test_both_programs_make_the_same_shuffles(engine: Engine, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(40):
        mix, secret = random_mix(chance), chance.randbytes(32)
        given, whole = told(mix, secret), order(mix, secret)
        assert engine("commitment", mix.table, mix.number, secret.hex()) == given["commitment"]
        assert engine("order", given["mix"], secret.hex()) == list(whole)
        first = chance.randint(0, len(whole))
        assert (
            engine("order", given["mix"], secret.hex(), first) == list(order(mix, secret, first)) == list(whole[:first])
        )


def test_the_page_gives_the_known_answers(engine: Engine) -> None:
    embedded = json.loads(part("script", "vectors"))
    assert engine("selfTest", embedded) == {"right": len(vectors()), "total": len(vectors())}
    for known in embedded:
        known["digest"] = known["digest"][::-1]
    assert engine("selfTest", embedded)["right"] == 0


# ------------------------------------------------ one shuffle


def says(result: dict[str, Any]) -> set[str]:
    """Everything that was found, by name."""
    every = [*result["findings"], *(one for shoe in result["shoes"] for one in shoe["findings"])]
    return {str(one["says"]) for one in every}


def judged(engine: Engine, given: object, **more: str) -> dict[str, Any]:
    result: dict[str, Any] = engine("check", json.dumps(given), more)
    return result


@pytest.fixture
def shuffle() -> dict[str, Any]:
    """An honest one, twenty cards of which were seen."""
    mix = Mix("T1", 3, (8,) * CARDS_PER_DECK, (Contribution("ann", "one"), Contribution("bob", "two")), "cay", 402)
    secret = bytes(range(32))
    return told(mix, secret, burned=2, dealt=list(order(mix, secret, 22)[2:]))


def test_an_honest_shuffle_agrees(engine: Engine, shuffle: dict[str, Any]) -> None:
    result = judged(engine, shuffle)
    assert (result["verdict"], says(result)) == ("agrees", {"commitment-holds", "cards-follow", "last-word-cut"})
    del shuffle["mix"]["counts"]
    shuffle["mix"]["decks"] = 8
    assert judged(engine, shuffle)["verdict"] == "agrees"
    shuffle["dealt"][5] = ""
    assert "faces-untold" in says(judged(engine, shuffle))


def other_secret(given: dict[str, Any]) -> None:
    given["secret"] = given["secret"][::-1]


def contributions_swapped(given: dict[str, Any]) -> None:
    given["mix"]["contributions"].reverse()


def contribution_altered(given: dict[str, Any]) -> None:
    given["mix"]["contributions"][0]["value"] = "One"


def contribution_dropped(given: dict[str, Any]) -> None:
    del given["mix"]["contributions"][1]


def cards_swapped(given: dict[str, Any]) -> None:
    dealt = given["dealt"]
    last = next(place for place in range(1, len(dealt)) if dealt[place] != dealt[0])
    dealt[0], dealt[last] = dealt[last], dealt[0]


def other_cut(given: dict[str, Any]) -> None:
    given["mix"]["cut_at"] -= 1


def other_cutter(given: dict[str, Any]) -> None:
    given["mix"]["cut_by"] = "dee"


def other_decks(given: dict[str, Any]) -> None:
    given["mix"]["counts"][0] = 7


def another_burned(given: dict[str, Any]) -> None:
    given["burned"] = 1


TAMPERED: dict[Callable[[dict[str, Any]], None], str] = {
    other_secret: "commitment-broken",
    contributions_swapped: "card-differs",
    contribution_altered: "card-differs",
    contribution_dropped: "card-differs",
    cards_swapped: "card-differs",
    other_cut: "card-differs",
    other_cutter: "card-differs",
    other_decks: "card-differs",
    another_burned: "card-differs",
}


@pytest.mark.parametrize("tamper", TAMPERED, ids=lambda each: each.__name__)
def test_a_shuffle_that_was_tampered_with_is_seen(
    engine: Engine, shuffle: dict[str, Any], tamper: Callable[[dict[str, Any]], None]
) -> None:
    tamper(shuffle)
    result = judged(engine, shuffle)
    assert result["verdict"] == "wrong"
    assert TAMPERED[tamper] in says(result)


MISSHAPEN = {
    "table": ("\ud800", 7, None),
    "number": (0, -1, 1.5, "3", None),
    "counts": ([8], [8] * 51 + [-1], [8] * 51 + ["8"], [8] * 51 + [101], "8", None),
    "contributions": ([{"person": "ann"}], [None], "ann", None),
    "cut_by": (None, 3),
    "cut_at": (417, -1, "402", None),
}


@pytest.mark.parametrize("field", MISSHAPEN)
def test_a_mix_of_another_form_is_named(engine: Engine, shuffle: dict[str, Any], field: str) -> None:
    for value in MISSHAPEN[field]:
        shuffle["mix"][field] = value
        result = judged(engine, shuffle)
        assert result["verdict"] == "wrong"
        assert result["shoes"][0]["findings"][0] == {"mark": "bad", "says": "form", "part": field}, value


@pytest.mark.parametrize(
    ("field", "value"),
    [("secret", "00"), ("secret", "Z" * 64), ("commitment", ""), ("dealt", ["1S"]), ("dealt", None), ("burned", -1)],
)
def test_what_is_told_beside_the_mix_has_a_form_too(
    engine: Engine, shuffle: dict[str, Any], field: str, value: object
) -> None:
    result = judged(engine, {**shuffle, field: value})
    assert result["shoes"][0]["findings"] == [{"mark": "bad", "says": "form", "part": field}]


def test_more_cards_than_the_shoe_holds(engine: Engine, shuffle: dict[str, Any]) -> None:
    assert "too-many-cards" in says(judged(engine, {**shuffle, "dealt": ["AS"] * 415}))


def test_a_list_of_shuffles(engine: Engine, shuffle: dict[str, Any]) -> None:
    result = judged(engine, [shuffle, json.loads(part("script", "vectors"))[0], None])
    assert [len(shoe["findings"]) for shoe in result["shoes"]] == [3, 4, 1]


@pytest.mark.parametrize("text", ["", "hello", "{}", "[]", '{"event": {"event": "round-ended/1"}}', "null", "7"])
def test_nothing_to_check(engine: Engine, text: str) -> None:
    assert engine("check", text)["verdict"] == "nothing"


def test_the_commitment_that_a_patron_kept(engine: Engine, shuffle: dict[str, Any]) -> None:
    assert "kept-found" in says(judged(engine, shuffle, kept=shuffle["commitment"]))
    missing = judged(engine, shuffle, kept="0" * 64)
    assert (missing["verdict"], "kept-missing" in says(missing)) == ("wrong", True)


def test_cards_as_people_write_them(engine: Engine) -> None:
    assert engine("readCards", " ks, 10h;Td 7♣ A♥\ufe0f ?\n") == ["KS", "TH", "TD", "7C", "AH", ""]
    assert engine("readCards", "") == []
    assert engine("readCards", "KS 1S") is None


# ------------------------------------------------ the record of a table


def checked(engine: Engine, record: Record, **more: str) -> dict[str, Any]:
    result: dict[str, Any] = engine("check", "\n".join(json.dumps(line) for line in record) + "\n", more)
    return result


@pytest.fixture(scope="module")
def honest() -> Record:
    return records.two_shoes()


def places(record: Record, name: str) -> list[int]:
    """Where events of a name stand."""
    return [place for place, line in enumerate(record) if line.get("event", {}).get("event") == name]


def event(record: Record, name: str, which: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = record[places(record, name)[which]]["event"]
    return found


@pytest.mark.clause("RUL-6")
def test_an_honest_record_agrees(engine: Engine, honest: Record) -> None:
    result = checked(engine, honest)
    assert (result["verdict"], result["findings"]) == ("agrees", [])
    first, second = result["shoes"]
    drawn = [honest[place]["event"] for place in places(honest, "card-drawn/1")]
    aside = event(honest, "cards-set-aside/1")["cards"]
    assert len(aside) == 2
    assert len(first["dealt"]) + len(second["dealt"]) == len(drawn)  # two from the reserve, two set aside
    assert sum(each["from_reserve"] for each in drawn) == 2
    assert [each["says"] for each in first["findings"]] == ["commitment-holds", "cards-follow", "last-word-cut"]
    assert (first["burned"], first["mix"]["cut_at"]) == (3, 416 - 20)


@pytest.mark.parametrize("play", [records.fresh_shoes, records.shuffler], ids=lambda each: each.__name__)
def test_a_shuffle_for_every_round(engine: Engine, play: Callable[[], Record]) -> None:
    result = checked(engine, play())
    assert (result["verdict"], result["findings"]) == ("agrees", [])
    assert [shoe["mix"]["number"] for shoe in result["shoes"]] == [1, 2, 3, 4][: len(result["shoes"])]
    assert all(shoe["findings"][-1]["says"] == "last-word-contribution" for shoe in result["shoes"])
    sizes = [sum(shoe["mix"]["counts"]) for shoe in result["shoes"]]
    assert (sizes[-1] < sizes[0]) == (play is records.shuffler)


def test_a_shoe_in_use_is_not_checked_yet(engine: Engine, honest: Record) -> None:
    result = checked(engine, honest[: places(honest, "card-drawn/1")[6]])
    assert result["verdict"] == "open"
    later = checked(engine, honest[: places(honest, "card-drawn/1")[-1]])
    assert (later["verdict"], [bool(shoe.get("open")) for shoe in later["shoes"]]) == ("agrees", [False, True])


def test_lines_without_their_proof(engine: Engine, honest: Record) -> None:
    start = places(honest, "shuffle-committed/1")[1]
    assert "commitment-broken" in says(checked(engine, honest[start:]))
    assert checked(engine, honest[start:], table="T1")["verdict"] == "agrees"


def test_one_proof_after_the_other(engine: Engine, honest: Record) -> None:
    other = deepcopy(honest)
    event(other, "table-opened/1")["settings"]["table"] = "T2"
    result = checked(engine, [*honest, *other])
    broken = [shoe["mix"]["table"] for shoe in result["shoes"] if shoe.get("broken")]
    assert (len(result["shoes"]), broken) == (4, ["T2", "T2"])


@pytest.mark.parametrize("game", GAMES)
def test_a_part_of_an_evening(engine: Engine, game: str) -> None:
    whole = ordinary(game).trail.proof()
    shoes = checked(engine, records.read(whole))["shoes"]
    last = shoes[-1]["mix"]["number"]
    for span in (export.whole(), export.shoe(last), export.day(START - START % DAY, "the day")):
        result = checked(engine, records.read(export.export(whole, span)))
        assert (result["verdict"], result["shoes"][-1]) == ("agrees", shoes[-1]), span.says


def test_a_part_that_begins_within_a_shoe(engine: Engine) -> None:
    told = Told("dragon-tiger", burn=1)
    told.round(ann={"dragon": "50.00"})
    told.record_state()
    told.now += DAY
    told.round(ann={"dragon": "50.00"})
    told.reveal()
    part = records.read(export.export(told.trail.proof(), export.day(START - START % DAY + DAY, "the day after")))
    (shoe,) = checked(engine, part)["shoes"]
    assert [one["says"] for one in shoe["findings"]] == [
        "commitment-holds",
        "cards-follow",
        "last-word-cut",
        "begun-before",
    ]
    assert (shoe["burned"], len(shoe["dealt"])) == (3, 2)
    another_face("card-drawn/1")(part)
    assert "card-differs" in says(checked(engine, part))


@pytest.mark.parametrize("game", ["dragon-bonus", "dragon-21"])
def test_whatever_happens_at_an_honest_table_agrees(engine: Engine, game: str) -> None:
    trail = random_evening(registry.load_game(registry.find(game)), seed=2, commands=200)
    result = checked(engine, records.read(trail.proof()))
    assert result["shoes"]
    assert result["verdict"] in ("agrees", "doubtful", "open")


def test_a_table_that_goes_over_to_a_physical_shoe(engine: Engine) -> None:
    result = checked(engine, records.physical_afterwards())
    assert (result["verdict"], result["findings"], len(result["shoes"])) == ("agrees", [], 1)


Change = Callable[[Record], object]


def at(name: str, which: int = 0, **fields: Any) -> Change:
    """Other values in an event; `card__card` is the field of a field."""

    def change(record: Record) -> None:
        for path, value in fields.items():
            *way, last = path.split("__")
            into = event(record, name, which)
            for step in way:
                into = into[step]
            assert into[last] != value
            into[last] = value

    return change


def without(name: str, which: int = 0) -> Change:
    return lambda record: record.pop(places(record, name)[which])


def twice(name: str, which: int = 0) -> Change:
    def change(record: Record) -> None:
        place = places(record, name)[which]
        record.insert(place, record[place])

    return change


def moved(name: str, behind: str) -> Change:
    """The first event of a name, after the first of another."""

    def change(record: Record) -> None:
        line = record.pop(places(record, name)[0])
        record.insert(places(record, behind)[0] + 1, line)

    return change


def another_face(name: str, which: int = 0) -> Change:
    def change(record: Record) -> None:
        card = event(record, name, which)["card"]
        card["card"] = "AS" if card["card"] != "AS" else "KC"

    return change


def set_aside_swapped(record: Record) -> None:
    event(record, "cards-set-aside/1")["cards"].reverse()


CHEATS: dict[str, tuple[Change, str]] = {
    "another secret": (at("shuffle-revealed/1", secret="11" * 32), "commitment-broken"),
    "another commitment": (at("shuffle-committed/1", commitment="11" * 32), "commitment-broken"),
    "another table": (at("table-opened/1", settings__table="T2"), "commitment-broken"),
    "another number, committed": (at("shuffle-committed/1", number=7), "uncommitted"),
    "another number, revealed": (at("shuffle-revealed/1", number=7), "never-revealed"),
    "another text": (at("contribution-made/1", contribution__value="seven"), "card-differs"),
    "another patron": (at("contribution-made/1", contribution__person="dee"), "card-differs"),
    "a contribution left out": (without("contribution-made/1"), "card-differs"),
    "a contribution counted twice": (twice("contribution-made/1"), "card-differs"),
    "a contribution after the shoe": (moved("contribution-made/1", "shoe-loaded/1"), "late-contribution"),
    "a contribution before the commitment": (moved("shuffle-committed/1", "contribution-made/1"), "other-shoe"),
    "a commitment after the contributions": (moved("shuffle-committed/1", "shoe-loaded/1"), "uncommitted"),
    "no commitment": (without("shuffle-committed/1"), "uncommitted"),
    "another cut": (at("shoe-loaded/1", shoe__cut_at=395), "cut-differs"),
    "another cut, both times": (
        lambda record: (at("shoe-loaded/1", shoe__cut_at=395)(record), at("cards-cut/1", behind=21)(record)),
        "card-differs",
    ),
    "another cutter": (at("cards-cut/1", label="#9"), "cut-differs"),
    "other cards": (at("shoe-loaded/1", shoe__counts=[8] * 51 + [7]), "card-differs"),
    "fewer burned": (at("shoe-loaded/1", burned=2), "card-differs"),
    "the first card": (another_face("card-drawn/1"), "card-differs"),
    "the last card": (another_face("card-drawn/1", -1), "card-differs"),
    "a card left out": (without("card-drawn/1", 1), "card-differs"),
    "a card dealt twice": (twice("card-drawn/1", 1), "card-differs"),
    "cards set aside the other way round": (set_aside_swapped, "card-differs"),
    "no cards set aside": (without("cards-set-aside/1"), "reserve-differs"),
    "a card of another shoe": (at("card-drawn/1", shoe_number=9), "other-shoe"),
    "a card after the secret": (moved("card-drawn/1", "shuffle-revealed/1"), "dealt-after-reveal"),
    "two secrets": (twice("shuffle-revealed/1"), "stray-secret"),
    "no secret": (without("shuffle-revealed/1"), "never-revealed"),
    "a shoe out of nowhere": (twice("shoe-loaded/1"), "uncommitted"),
    "no mix": (at("shoe-loaded/1", shoe__counts=None), "line"),
    "no card": (at("card-drawn/1", card=None), "line"),
}


@pytest.mark.parametrize("cheat", CHEATS)
@pytest.mark.clause("RUL-6")
def test_a_record_that_was_tampered_with_is_seen(engine: Engine, honest: Record, cheat: str) -> None:
    change, found = CHEATS[cheat]
    record = deepcopy(honest)
    change(record)
    result = checked(engine, record)
    assert result["verdict"] == "wrong"
    assert found in says(result)


def test_no_card_of_a_record_can_be_another(engine: Engine, honest: Record) -> None:
    for which in range(len(places(honest, "card-drawn/1"))):
        record = deepcopy(honest)
        another_face("card-drawn/1", which)(record)
        assert says(checked(engine, record)) & {"card-differs", "reserve-differs"}, which


def test_a_card_of_the_reserve_is_one_of_those_set_aside(engine: Engine, honest: Record) -> None:
    record = deepcopy(honest)
    drawn = next(line["event"] for line in record if line.get("event", {}).get("from_reserve"))
    aside = event(record, "cards-set-aside/1")["cards"]
    drawn["card"]["card"] = next(face for face in ("AS", "KC", "7D") if face not in aside)
    assert "reserve-differs" in says(checked(engine, record))


SUSPECT: dict[str, tuple[Change, str]] = {
    "a commitment given up": (twice("shuffle-committed/1"), "given-up"),
    "no cut on record": (without("cards-cut/1"), "cut-unrecorded"),
}


@pytest.mark.parametrize("trace", SUSPECT)
def test_what_a_patron_should_look_at_is_named(engine: Engine, honest: Record, trace: str) -> None:
    change, found = SUSPECT[trace]
    record = deepcopy(honest)
    change(record)
    result = checked(engine, record)
    assert (result["verdict"], found in says(result)) == ("doubtful", True)


def test_a_shoe_that_is_missing_from_the_record_leaves_a_gap(engine: Engine) -> None:
    record = records.fresh_shoes()
    _, second, third = places(record, "shuffle-committed/1")
    result = checked(engine, record[:second] + record[third:])
    assert result["findings"] == [{"mark": "trace", "says": "gap", "from": 1, "to": 3}]


def test_a_shoe_put_away_unused_and_settings_changed_in_time(engine: Engine) -> None:
    found = says(checked(engine, records.abandoned()))
    assert {"put-away", "settings-changed", "house-alone", "given-up"} <= found


# ------------------------------------------------ the page itself


class Elements(HTMLParser):
    """Every tag with its attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(PAGE)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_the_page_holds_the_known_answers_as_they_are() -> None:
    assert json.loads(part("script", "vectors")) == json.loads(FOLDER.joinpath("shuffle.json").read_text("utf-8"))


def test_the_page_asks_for_nothing_outside_it() -> None:
    assert not re.search(
        r"https?:|//[a-z]|\bimport\b|@import|url\(|fetch\(|XMLHttp|WebSocket|sendBeacon|innerHTML", PAGE
    )
    for tag, attributes in Elements().found:
        assert tag not in ("link", "iframe", "img", "object", "embed", "base"), tag
        assert not {"src", "href", "action", "style"} & set(attributes), (tag, attributes)
        assert not any(name.startswith("on") for name in attributes), (tag, attributes)


def test_the_policy_allows_what_stands_in_the_page_and_nothing_else() -> None:
    def allowed(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    scripts = f"{allowed(part('script', 'core'))} {allowed(part('script', 'page'))}"
    policy = f"default-src 'none'; script-src {scripts}; style-src {allowed(part('style'))}; base-uri 'none'; form-action 'none'"
    (told,) = [each["content"] for _, each in Elements().found if each.get("http-equiv") == "Content-Security-Policy"]
    assert told == policy, f"a script or the style was changed: write this policy into the page: {policy}"


def test_every_field_has_a_label() -> None:
    found = Elements().found
    labelled = {attributes.get("for") for tag, attributes in found if tag == "label"}
    fields = [attributes.get("id") for tag, attributes in found if tag in ("input", "textarea")]
    assert len(fields) == 12
    assert set(fields) == labelled


def test_everything_is_said_in_both_languages(engine: Engine) -> None:
    text = part("script", "page").partition("const TEXT = ")[2].partition("\n};")[0] + "\n}"
    english, chinese = (engine.value(f"Object.keys(({text}).{each})") for each in ("en", "zh"))
    assert english == chinese
    wanted = {attributes["data-text"] for _, attributes in Elements().found if "data-text" in attributes}
    assert wanted <= set(english)
    core = part("script", "core")
    findings = set(re.findall(r'\b(?:good|bad|trace|remark)\("([a-z-]+)"', core))
    for language in ("en", "zh"):
        assert set(engine.value(f"Object.keys(({text}).{language}.findings)")) == findings
