"""What holds for every game: those in the registry, the third-party files, and each under every reading.

A new game file inherits these tests; none of them asks which game it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import longhu
from longhu.cards import DECK, Card, Shoe, card, cards
from longhu.clauses import DOCUMENTS, clauses
from longhu.deal.facts import Value, members
from longhu.deal.procedure import (
    CARDS_LEFT_OVER,
    HAND_NEEDS_CARD,
    DealError,
    Procedure,
    deal_out,
    deal_so_far,
    ending_number,
)
from longhu.deal.walker import Walker
from longhu.games import registry
from longhu.games.digest import canonical
from longhu.games.game import Game, Result, Wager
from longhu.games.when import CONSTANTS
from longhu.money import TO_HOUSE, TO_PATRON, UNSTATED, HouseRounding, Money, show
from longhu.odds.exports import as_json as odds_json
from longhu.odds.figures import game_odds
from longhu.paytable import game_json, pays, printed_odds
from longhu.roundfile import RoundFile
from longhu.settlement import SettledRound, settle, settle_round, settle_wager
from longhu.texts import LANGUAGES
from longhu.transcript import wager_row
from tests.rounds import refused

THIRD_PARTY = sorted((Path(__file__).parent / "third_party").glob("*.toml"))

# ---------------------------------------------------------------- every game, under every reading


@dataclass(frozen=True)
class Edition:
    """A game under one choice of reading; `reading` is empty for the game as its file has it."""

    path: Path
    reading: str = ""
    option: str = ""

    @property
    def game(self) -> Game:
        return registry.load_game(self.path, {self.reading: self.option} if self.reading else {})

    def __str__(self) -> str:
        return f"{self.path.stem} {self.reading}={self.option}" if self.reading else self.path.stem


def other_readings(path: Path) -> Iterator[Edition]:
    """The editions that differ from the file: every option that changes something and is not the one taken."""
    for reading in Edition(path).game.readings.values():
        for option in reading.options.values():
            if option.id != reading.default and option.changes:
                yield Edition(path, reading.id, option.id)


AS_FILED = [Edition(path) for path in (*registry.all_games().values(), *THIRD_PARTY)]
OTHERWISE_READ = [edition for filed in AS_FILED for edition in other_readings(filed.path)]
EDITIONS = [*AS_FILED, *OTHERWISE_READ]
BUILT_IN = [Edition(path) for path in registry.built_in().values()]

every_edition = pytest.mark.parametrize("edition", EDITIONS, ids=str)
every_game = pytest.mark.parametrize("edition", AS_FILED, ids=str)
every_built_in = pytest.mark.parametrize("edition", BUILT_IN, ids=str)
some = settings(max_examples=max(5, settings().max_examples // 4))  # for each of some thirty editions


def test_the_editions_are_those_that_the_files_offer() -> None:
    assert {"dragon-tiger", "dragon-21", "immortal-dragon-tiger", "dragon-bonus", "dragon-bonus-online"} <= set(
        map(str, AS_FILED)
    )
    assert {"ez-baccarat", "super-6", "dragon-tiger-suited-tie"} <= set(map(str, AS_FILED))
    assert {"dragon-21 over_21_pays=1-to-2", "dragon-bonus-online cap_basis=profit"} <= set(map(str, OTHERWISE_READ))


def test_the_games_can_be_listed_again_after_one_was_loaded() -> None:
    """Whatever was imported meanwhile: `longhu.games` is the package of game files, the list has its own name."""
    longhu.game("dragon-tiger")
    assert "dragon-tiger" in longhu.game_ids()


@pytest.mark.parametrize("edition", OTHERWISE_READ, ids=str)
def test_another_reading_is_another_game_and_says_so(edition: Edition) -> None:
    filed, read = Edition(edition.path).game, edition.game
    assert read.digest != filed.digest
    assert read.readings[edition.reading].chosen == edition.option
    assert list(read.wagers) == list(filed.wagers)


@every_game
def test_choosing_what_the_file_takes_anyway_changes_nothing(edition: Edition) -> None:
    taken = {reading.id: reading.default for reading in edition.game.readings.values() if reading.default}
    assert registry.load_game(edition.path, taken).digest == edition.game.digest


# ---------------------------------------------------------------- lines


@every_edition
def test_exactly_one_line_decides_each_wager_and_every_line_is_reached(edition: Edition) -> None:
    game = edition.game
    for wager in game.wagers.values():
        decided = [number for line in wager.lines for number in members(line.decides)]
        assert sorted(decided) == sorted(game.outcomes.endings), wager.id
        assert all(line.decides for line in wager.lines), wager.id


@every_edition
def test_the_first_line_that_holds_decides(edition: Edition) -> None:
    """Each condition is worked out a second time, by Python, ending by ending."""
    game = edition.game
    told = {number: game.outcomes.describe(number) for number in game.outcomes.endings}
    for wager in game.wagers.values():
        conditions = [as_python(line.when, game) for line in wager.lines]
        for number, facts in told.items():
            first = next(place for place, holds in enumerate(conditions) if eval(holds, {"facts": facts}))
            assert wager.deciding[number] == first, (wager.id, facts)
            assert wager.line(number) is wager.lines[first]


@cache
def _compiled(text: str) -> Any:
    return compile(text, "condition", "eval")


def as_python(when: str, game: Game) -> Any:
    """A condition of a game file as Python: terms written out, facts looked up, ranges counted out."""
    return _compiled("True" if when == "otherwise" else python_text(when, game))


def python_text(when: str, game: Game) -> str:
    def meaning(found: re.Match[str]) -> str:
        name = found[0]
        if name in ("and", "or", "not", "in"):
            return name
        if name in game.terms:
            return f"({python_text(game.terms[name][0], game)})"
        if name in game.outcomes.facts:
            return f"facts[{name!r}]"
        return str(CONSTANTS[name]) if name in CONSTANTS else repr(name)

    counted = re.sub(r"(\w+)\.\.(\w+)", r"*range(\1, \2 + 1)", when)
    assert "range" not in game.outcomes.facts
    return re.sub(r"(?<!\*)\b[a-z_]\w*(?:\.[a-z_]\w*)*", meaning, counted)


def test_python_reads_a_condition_as_its_author_meant_it() -> None:
    game = registry.load_game(registry.find("dragon-21"))
    assert python_text("dragon.total in [18..21] and not tie", game) == (
        "facts['dragon.total'] in [*range(18, 21 + 1)] and not facts['tie']"
    )


@every_edition
def test_what_a_wager_pays_is_what_its_deciding_line_says(edition: Edition) -> None:
    game = edition.game
    for wager in game.wagers.values():
        assert len(wager.pays) == game.outcomes.size
        for number, paid in enumerate(wager.pays):
            expected = wager.line(number).net if number in game.outcomes.endings else None
            assert paid == expected, (wager.id, number)
        for line in wager.lines:
            assert (line.odds is not None) == (line.result is Result.WIN)
            assert line.net >= -1


# ---------------------------------------------------------------- endings

Totals = tuple[int, int]


HandState = tuple[Any, tuple[Card, ...] | int]  # what steers the draw; the first cards, or once complete their mark


def walked(procedure: Procedure[Any]) -> dict[int, set[Totals]]:
    """Every ending that dealing can bring, found by dealing: all 52 cards to whoever is due, from the empty table on."""
    becomes: dict[HandState, set[HandState]] = {}
    nothing: HandState = (procedure.empty, ())
    open_tables, met = [(nothing, nothing)], {(nothing, nothing)}
    ends: dict[int, set[Totals]] = {}
    while open_tables:
        (first, first_mark), (second, second_mark) = both = open_tables.pop()
        turn = procedure.due(first, second).hand
        if turn is None:
            assert isinstance(first_mark, int)
            assert isinstance(second_mark, int)
            number = ending_number(procedure, procedure.draw_number(first, second), first_mark, second_mark)
            ends.setdefault(number, set()).add((procedure.total(first), procedure.total(second)))
            continue
        if both[turn] not in becomes:
            becomes[both[turn]] = {with_card(procedure, both[turn], drawn) for drawn in DECK}
        for taken in becomes[both[turn]]:
            after = (taken, both[1]) if turn == 0 else (both[0], taken)
            if after not in met:
                met.add(after)
                open_tables.append(after)
    return ends


def with_card(procedure: Procedure[Any], hand: HandState, drawn: Card) -> HandState:
    summary, mark = hand
    if not isinstance(mark, int):
        mark = (*mark, drawn)
        if len(mark) == procedure.marked_cards:
            mark = procedure.mark(mark)
    return procedure.take(summary, drawn), mark


_walked: dict[bytes, dict[int, set[Totals]]] = {}


def walked_once(game: Game) -> dict[int, set[Totals]]:
    """Editions that deal alike, and look at suits alike, are walked together."""
    key = canonical([game.data["deal"], game.procedure.marks])
    if key not in _walked:
        _walked[key] = walked(game.procedure)
    return _walked[key]


def check_endings(game: Game) -> None:
    """The table has the endings that dealing brings, no other, and each tells the totals that were dealt."""
    ends = walked_once(game)
    assert set(ends) == set(game.outcomes.endings)
    assert max(ends) < game.outcomes.size
    for number, totals in ends.items():
        assert totals == {totals_told(game, game.outcomes.describe(number))}


def totals_told(game: Game, facts: Mapping[str, Value]) -> Totals:
    one, other = (int(facts.get(f"{hand.id}.total", facts.get(f"{hand.id}.rank", -1))) for hand in game.procedure.hands)
    return one, other


@every_edition
def test_the_table_holds_the_endings_that_dealing_can_bring_and_no_others(edition: Edition) -> None:
    check_endings(edition.game)


TWENTY_ONE = """
[game]
id = "house-21"
name = "House 21"
decks = {{ min = 1, max = 8, default = 8 }}
[deal]
procedure = "twenty-one"
hands = [{{ id = "left", name = "Left" }}, {{ id = "right", name = "Right" }}]
draws_to = {{ total = {total} }}
[[wager]]
id = "left"
name = "Left"
lines = [{{ when = "left.wins", pays = "1:1" }}]
"""


@pytest.mark.parametrize("total", range(11, 21))
def test_a_twenty_one_may_draw_to_any_total_that_a_file_may_name(total: int, tmp_path: Path) -> None:
    (tmp_path / "house-21.toml").write_text(TWENTY_ONE.format(total=total), encoding="utf-8")
    check_endings(registry.load_game(tmp_path / "house-21.toml"))


def test_drawing_over_a_higher_total_never_makes_a_blackjack(tmp_path: Path) -> None:
    """Left draws a ten to 17 and holds 27; Right's 18 wins."""
    (tmp_path / "house-21.toml").write_text(TWENTY_ONE.format(total=17), encoding="utf-8")
    round = longhu.load(tmp_path / "house-21.toml").settle("TS TH 7S 8H TD", left="10.00")
    assert (round.totals, round.winner, round.net) == ({"left": 27, "right": 18}, "right", "-10.00")


@pytest.mark.parametrize("naturals", [[], [9], [8, 9], [0, 9]], ids=str)
def test_a_baccarat_may_call_any_totals_natural(naturals: list[int], tmp_path: Path) -> None:
    text = (THIRD_PARTY[0].parent / "super-6.toml").read_text(encoding="utf-8")
    text = text.replace("totals = [8, 9]", f"totals = {naturals}")
    for row in ("[0, 1, 2, 3, 4, 5]", "[0, 1, 2]"):
        low = [total for total in json.loads(row) if total not in naturals]
        text = text.replace(f"on = {row}", f"on = {low}")
    high = [total for total in (8, 9) if total not in naturals]
    text = text.replace("on = [6, 7]", f"on = {[6, 7, *high]}").replace("on = [7]", f"on = {[7, *high]}")
    (tmp_path / "house.toml").write_text(text, encoding="utf-8")
    check_endings(registry.load_game(tmp_path / "house.toml"))


def longest_round(procedure: Procedure[Any]) -> int:
    """How many cards the longest round takes, found card by card."""
    tables, dealt, after = {(procedure.empty, procedure.empty)}, 0, dict[Any, Any]()
    while True:
        for first, second in tables - after.keys():
            turn = procedure.due(first, second).hand
            takes = {procedure.take((first, second)[turn], drawn) for drawn in DECK[:13]} if turn is not None else ()
            after[first, second] = [(taken, second) if turn == 0 else (first, taken) for taken in takes]
        tables = {table for before in tables for table in after[before]}
        if not tables:
            return dealt
        dealt += 1


@every_game
def test_no_round_takes_more_cards_than_the_procedure_says(edition: Edition) -> None:
    """A shoe must be able to finish the longest round there is."""
    assert longest_round(edition.game.procedure) == edition.game.procedure.cards_max


def test_no_twenty_one_takes_more_cards_than_the_procedure_says(tmp_path: Path) -> None:
    (tmp_path / "house-21.toml").write_text(TWENTY_ONE.format(total=20), encoding="utf-8")
    procedure = registry.load_game(tmp_path / "house-21.toml").procedure
    assert longest_round(procedure) <= procedure.cards_max


# ---------------------------------------------------------------- rounds from a shuffled shoe


def shuffled(decks: int, seed: int) -> list[Card]:
    """So many cards from the top of a shuffled shoe as any round can take."""
    return Random(seed).sample([each for each in DECK for _ in range(decks)], 30)


def dealt_from(game: Game, seed: int) -> list[Card]:
    """The cards of one round from the top of a shuffled shoe."""
    shoe, drawn = shuffled(game.decks.default, seed), list[Card]()
    while deal_so_far(game.procedure, drawn).due.hand is not None:
        drawn.append(shoe[len(drawn)])
    return drawn


def stakes_for(game: Game, seed: int) -> dict[str, Money]:
    """Stakes that the game allows, some odd and some round: what stands alone, what needs company, within limits."""
    chance = Random(seed)
    stakes: dict[str, Money] = {}
    for wager in chance.sample(list(game.offered(None).values()), chance.randint(0, len(game.offered(None)))):
        if any(other in stakes for other in wager.excludes):
            continue
        most = min(wager.limit.max or 10**9, chance.choice([99, 10_000, 10**9]))
        stakes[wager.id] = Money(chance.randint(1, most))
        if wager.requires and not any(other in stakes for other in wager.requires):
            stakes[chance.choice(wager.requires)] = Money(chance.randint(1, 100))
    return stakes


seeds = st.integers(0, 2**32 - 1)


@every_edition
@some
@given(seed=seeds)
def test_the_ending_tells_the_cards_that_were_dealt(edition: Edition, seed: int) -> None:
    """Facts are counted a second time, from the cards alone."""
    game = edition.game
    dealt = deal_out(game.procedure, dealt_from(game, seed))
    assert dealt.number is not None
    told = game.outcomes.describe(dealt.number)
    for index, hand in enumerate(game.procedure.hands):
        for fact, value in COUNT[game.procedure.name](
            dealt.hand(index), str(game.data["deal"].get("pair", "rank"))
        ).items():
            if not game.outcomes.facts[f"{hand.id}.{fact}"].needs_suits or game.procedure.marks == 4:
                assert told[f"{hand.id}.{fact}"] == value, (fact, dealt.hand(index))
    assert totals_told(game, told) == dealt.totals
    first, second = (bool(told[f"{hand.id}.wins"]) for hand in game.procedure.hands)
    assert [first, second, bool(told["tie"])].count(True) == 1


def count_one_card(hand: tuple[Card, ...], _basis: str) -> dict[str, Value]:
    (only,) = hand
    return {"rank": only.rank, "suit": only.suit.word, "colour": "red" if str(only)[1] in "HD" else "black"}


def count_baccarat(hand: tuple[Card, ...], basis: str) -> dict[str, Value]:
    total, kind = sum(min(each.rank, 10) for each in hand) % 10, pair_word(hand, basis)
    natural = len(hand) == 2 and total in (8, 9)
    return {"total": total, "cards": len(hand), "natural": natural, "pair": kind != "none", "pair_kind": kind}


def count_twenty_one(hand: tuple[Card, ...], basis: str) -> dict[str, Value]:
    points, kind = sum(min(each.rank, 10) for each in hand), pair_word(hand, basis)
    total = points + 10 if any(each.rank == 1 for each in hand) and points + 10 <= 21 else points
    blackjack = len(hand) == 2 and total == 21
    return {"total": total, "blackjack": blackjack, "pair": kind != "none", "pair_kind": kind}


def pair_word(hand: tuple[Card, ...], basis: str) -> str:
    one, other = (str(each) for each in hand[:2])
    rank, suit, other_rank, other_suit = one[0], one[1], other[0], other[1]
    alike = {"rank": [], "points": ["TJQK"], "points-except-pictures": ["TJ", "TQ", "TK"]}[basis]
    if rank != other_rank and not any({rank, other_rank} <= set(group) for group in alike):
        return "none"
    if suit == other_suit:
        return "perfect"
    return "coloured" if {suit, other_suit} in ({"H", "D"}, {"S", "C"}) else "mixed"


COUNT = {"one-card": count_one_card, "baccarat": count_baccarat, "twenty-one": count_twenty_one}


@every_edition
@some
@given(seed=seeds)
def test_the_readable_deal_the_fast_walk_and_the_round_file_agree(edition: Edition, seed: int) -> None:
    game = edition.game
    drawn, stakes = dealt_from(game, seed), stakes_for(game, seed)
    dealt = deal_out(game.procedure, drawn)
    walker = Walker(game.procedure)
    for _ in range(2):  # the second time from memory
        end, *hands = walker.walk([str(each) for each in drawn])
        number = walker.number(end, *hands)
        assert (number, end.totals) == (dealt.number, dealt.totals)
        assert [cards(" ".join(hand)) for hand in hands] == [dealt.hand(0), dealt.hand(1)]

    settled = settle_round(game, drawn, stakes)
    money = game.currency or UNSTATED
    line = {"cards": [str(each) for each in drawn], "wagers": {id: show(stake, money) for id, stake in stakes.items()}}
    file = RoundFile(game)
    for _ in range(2):
        assert list(file.settle_lines([json.dumps(line).encode()])) == [as_json(settled)]
    assert (file.line, file.rounds, file.failed) == (2, 2, 0)


def as_json(settled: SettledRound) -> str:
    """A settled round as a line of JSON, written from DESIGN.md without the round file's own code."""

    def amount(minor: int) -> str:
        sign, decimals = "-" if minor < 0 else "", settled.currency.decimals
        return f"{sign}{abs(minor) // 10**decimals}.{abs(minor) % 10**decimals:0{decimals}}"

    names, settlement = settled.game.procedure.hands, settled.settlement
    told: dict[str, Any] = {
        "hands": {name.id: [str(each) for each in settled.dealt.hand(place)] for place, name in enumerate(names)},
        "totals": {name.id: settled.dealt.totals[place] for place, name in enumerate(names)},
        "settlement": {},
    }
    for each in settlement.wagers:
        told["settlement"][each.wager.id] = {
            "stake": amount(each.stake),
            "result": each.line.result.value,
            "pays": each.line.odds.printed if each.line.odds else None,
            "net": amount(each.net),
            "clause": each.line.clauses[0] if each.line.clauses else None,
        }
        if each.line.odds and each.line.odds.commission:
            told["settlement"][each.wager.id]["commission"] = amount(each.commission)
    if cut := settlement.cut:
        told["cap"] = {"cap": amount(cut.cap.amount), "cut": amount(cut.amount), "clause": cut.cap.clauses[0]}
    told["net"] = amount(settlement.net)
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


@every_game
@some
@given(seed=seeds)
def test_every_part_of_a_round_says_whose_card_is_next(edition: Edition, seed: int) -> None:
    game = edition.game
    drawn = dealt_from(game, seed)
    parts = [deal_so_far(game.procedure, drawn[:count]) for count in range(len(drawn) + 1)]
    for part, longer in pairwise(parts):
        assert part.number is None
        assert part.due.hand == longer.steps[-1].hand
        assert part.due.reasons
        assert longer.steps[: len(part.steps)] == part.steps
        with refused(HAND_NEEDS_CARD, hand=game.procedure.hands[part.due.hand].id):
            deal_out(game.procedure, drawn[: len(part.steps)])
        with pytest.raises(DealError):
            Walker(game.procedure).walk([str(each) for each in drawn[: len(part.steps)]])
    assert parts[-1].due.hand is None
    assert parts[-1].number in game.outcomes.endings


@every_game
@some
@given(seed=seeds, extra=st.sampled_from(DECK))
def test_a_card_too_many_is_refused(edition: Edition, seed: int, extra: Card) -> None:
    game = edition.game
    drawn = dealt_from(game, seed)
    with refused(CARDS_LEFT_OVER, complete=len(drawn), cards=[str(extra)]):
        deal_out(game.procedure, [*drawn, extra])
    with pytest.raises(DealError):
        Walker(game.procedure).walk([str(each) for each in (*drawn, extra)])
    line = json.dumps({"cards": [str(each) for each in (*drawn, extra)]}).encode()
    assert json.loads(next(iter(RoundFile(game).settle_lines([line]))))["code"] == CARDS_LEFT_OVER.code


# ---------------------------------------------------------------- money

POLICIES = {
    "fractions to the patron": TO_PATRON,
    "fractions to the house": TO_HOUSE,
    "whole chips, up": HouseRounding(to_patron=True, unit=Money(500)),
    "whole chips, down": HouseRounding(to_patron=False, unit=Money(500)),
}
amounts = st.integers(1, 10**12).map(Money) | st.integers(1, 1000).map(Money)
every_policy = pytest.mark.parametrize("rounding", POLICIES.values(), ids=POLICIES.keys())


def wagers_of_all_games() -> list[Wager]:
    """One wager for each different list of results and odds."""
    found: dict[object, Wager] = {}
    for edition in EDITIONS:
        for wager in edition.game.wagers.values():
            found.setdefault(tuple((line.result, line.odds) for line in wager.lines), wager)
    return list(found.values())


WAGERS = wagers_of_all_games()


@every_policy
@given(stake=amounts)
def test_no_wager_gives_back_less_than_nothing(rounding: HouseRounding, stake: Money) -> None:
    for wager in WAGERS:
        for line in wager.lines:
            paid = settle_wager(wager, line, stake, rounding)
            assert paid.credit == paid.stake + paid.net
            assert paid.credit >= 0, (wager.id, line.says.en)
            assert paid.commission >= 0


@every_policy
@given(stake=amounts)
def test_a_push_returns_exactly_the_stake_and_a_loss_takes_exactly_the_stake(
    rounding: HouseRounding, stake: Money
) -> None:
    for wager in WAGERS:
        for line in wager.lines:
            paid = settle_wager(wager, line, stake, rounding)
            if line.result is Result.PUSH:
                assert paid.credit == stake
            if line.result is Result.LOSE:
                assert paid.credit == 0, (wager.id, line.says.en)


@every_policy
@given(stake=amounts)
def test_rounding_never_moves_a_whole_unit_and_moves_it_the_way_it_was_posted(
    rounding: HouseRounding, stake: Money
) -> None:
    for wager in WAGERS:
        for line in wager.lines:
            net, exact = settle_wager(wager, line, stake, rounding).net, stake * line.net
            assert abs(net - exact) < rounding.unit, (wager.id, line.says.en)
            assert (net >= exact) if rounding.to_patron else (net <= exact)


@every_game
@some
@given(seed=seeds)
def test_a_round_credits_the_stakes_and_the_net_and_no_more_than_its_cap(edition: Edition, seed: int) -> None:
    game = edition.game
    stakes = {id: Money(Random(seed + place).randint(1, 10**6)) for place, id in enumerate(game.wagers)}
    for number in Random(seed).sample(list(game.outcomes.endings), 20):
        settled = settle(game, number, stakes)
        uncut = sum(each.net for each in settled.wagers)
        assert settled.credit == sum(stakes.values()) + settled.net
        assert settled.credit >= 0
        if game.cap is None:
            assert (settled.cut, settled.net) == (None, uncut)
        elif game.cap.basis == "credit":
            assert settled.credit == min(sum(stakes.values()) + uncut, game.cap.amount)
        else:
            assert settled.net == min(uncut, game.cap.amount)


def test_the_profit_is_what_a_cap_on_profit_counts() -> None:
    """The cap that no stake within its limits can reach, with stakes that can."""
    capped = {basis: longhu.game("dragon-bonus-online", cap_basis=basis).definition for basis in ("credit", "profit")}
    number = deal_out(capped["credit"].procedure, cards("KS KD 4D QC 5H JS")).number
    assert number is not None
    stakes = {"player": Money(100_00), "dragon-bonus-player": Money(200_00)}
    uncut = 100_00 + 30 * 200_00
    for basis, net in (("credit", 3300_00 - 300_00), ("profit", 3300_00)):
        settled = settle(capped[basis], number, stakes)
        assert settled.net == net
        assert settled.cut is not None
        assert settled.cut.amount == uncut - net


# ---------------------------------------------------------------- notations


@given(drawn=st.lists(st.sampled_from(DECK), max_size=24))
def test_cards_read_back_what_they_wrote(drawn: list[Card]) -> None:
    for separator in (" ", ",", ", "):
        written = separator.join(map(str, drawn))
        assert cards(written) == cards(written.lower()) == cards(written.replace("T", "10")) == tuple(drawn)


@given(drawn=st.lists(st.sampled_from(DECK), max_size=30))
def test_a_shoe_reads_back_what_it_counts(drawn: list[Card]) -> None:
    shoe = Shoe.of_decks(30).without(drawn)
    assert Shoe.of_counts({str(each): shoe.count(each) for each in DECK}) == shoe
    assert shoe.size == 30 * 52 - len(drawn)


def test_each_card_has_one_spelling_of_its_own() -> None:
    assert len({str(each) for each in DECK}) == 52
    assert all(card(str(each)) is each for each in DECK)


# ---------------------------------------------------------------- the games of this package, against the rulebook


@every_built_in
def test_every_line_names_its_clause(edition: Edition) -> None:
    for wager in edition.game.wagers.values():
        assert wager.clauses, wager.id
        for line in wager.lines:
            assert line.clause, f"{wager.id}: {line.says.en}"


@every_built_in
def test_every_wager_and_hand_is_named_in_english_and_chinese(edition: Edition) -> None:
    game = edition.game
    wagers = [text for wager in game.wagers.values() for text in (wager.name, wager.label)]
    for text in (*wagers, *(hand.name for hand in game.procedure.hands)):
        assert text.en
        assert text.en.isascii()
        for language in ("zh-Hans", "zh-Hant"):
            assert re.fullmatch(r"[一-鿿]+", text.into(language)), text.en


@every_built_in
def test_every_clause_that_is_cited_exists_in_the_documents_of_the_game(edition: Edition) -> None:
    game = edition.game
    cited = {text for text in texts_in(game.data) if re.fullmatch(rf"({'|'.join(DOCUMENTS)})-\S+", text)}
    assert len(cited) > 20
    assert {id for id in cited if id not in clauses()} == set()
    assert {id for id in cited if clauses()[id].document != game.document} == set()


def texts_in(data: object) -> Iterator[str]:
    match data:
        case str():
            yield data
        case dict():
            for value in data.values():
                yield from texts_in(value)
        case list():
            for value in data:
                yield from texts_in(value)


def clauses_by_question(document: str) -> dict[str, set[str]]:
    """For each question of the rulebook, the clauses of a document that ask it."""
    asked: dict[str, set[str]] = {}
    for clause in clauses().values():
        if clause.document == document:
            for question in re.findall(r"Q\d\d", clause.reading):
                asked.setdefault(question, set()).add(clause.id)
    return asked


def clauses_by_reading(game: Game) -> dict[str, set[str]]:
    answered: dict[str, set[str]] = {}
    for reading in game.readings.values():
        answered.setdefault(reading.question, set()).update(reading.clauses)
    return answered


@every_built_in
def test_every_question_of_the_document_is_answered_for_every_clause_that_asks_it(edition: Edition) -> None:
    game = edition.game
    asked, answered = clauses_by_question(game.document), clauses_by_reading(game)
    assert asked
    assert {q: ids - answered.get(q, set()) for q, ids in asked.items() if ids - answered.get(q, set())} == {}


@every_built_in
def test_no_reading_names_a_clause_that_does_not_ask_its_question(edition: Edition) -> None:
    game = edition.game
    asked, answered = clauses_by_question(game.document), clauses_by_reading(game)
    answered.pop("", None)  # readings of our own, of what no question of the rulebook asks
    assert {q: sorted(ids - asked.get(q, set())) for q, ids in answered.items() if ids - asked.get(q, set())} == {}


def test_a_share_of_the_win_is_what_a_commission_takes() -> None:
    """Banker at 1 to 1 less 5 % and Banker at .95 to 1 come to the same money, fraction for fraction."""
    shared, outright = (longhu.game(id).wagers["banker"] for id in ("dragon-bonus", "immortal-dragon-tiger"))
    (with_share,), (without,) = ([line for line in each.lines if line.odds] for each in (shared, outright))
    assert with_share.net == without.net == Fraction(19, 20)
    for stake in range(1, 200):
        paid = settle_wager(shared, with_share, Money(stake), TO_PATRON)
        assert paid.net == settle_wager(outright, without, Money(stake), TO_PATRON).net
        assert paid.net + paid.commission == stake


def as_ratio(printed: str) -> Fraction:
    """`0.95:1`, `11-1`, `.95 to 1`, `1 to 1 less 5%`: what is won for each unit staked."""
    odds, _, less = printed.partition(" less ")
    win, stake = re.split(":|-| to ", odds)
    share = Fraction(less.removesuffix("%") or 0) / 100
    return Fraction(win) / Fraction(stake) * (1 - share)


@every_game
def test_what_is_printed_for_a_line_is_what_it_pays_with_the_commission_taken(edition: Edition) -> None:
    """Felt, hint, rules, pay list and records read `pays` of the rules; the pay table, PAR sheet and cloth of the CLI the others."""
    game = edition.game
    told = game_json(game)["wagers"]
    exported = odds_json(game_odds(game, wagers=game.wagers))["wagers"]
    stake = Money(10_000)
    for wager in game.wagers.values():
        won = [line for line in wager.lines if line.result is Result.WIN]
        paid = [Fraction(settle_wager(wager, line, stake, TO_PATRON).net, stake) for line in won]
        assert [as_ratio(line["pays"]) for line in told[wager.id]["lines"] if line["pays"]] == paid, wager.id
        assert [as_ratio(line["pays"]) for line in exported[wager.id]["lines"] if line["pays"]] == paid, wager.id
        assert [as_ratio(pays(line)) for line in won] == paid, wager.id
        assert sorted(map(as_ratio, printed_odds(wager).split())) == sorted(set(paid)), wager.id
        for language in LANGUAGES:
            words = game.localization(language, game.currency or UNSTATED)
            rows = [wager_row(settle_wager(wager, line, stake, TO_PATRON), words) for line in won]
            assert [as_ratio(row[3]) for row in rows] == paid, (wager.id, language)
