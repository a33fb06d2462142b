"""The language of `when`: what binds how, what may be compared with what, and where a mistake is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from longhu.deal.facts import FactKind, OutcomeTable, Value, members
from longhu.deal.one_card import OneCard
from longhu.games.meaning import Vocabulary
from longhu.games.registry import built_in, load_game
from longhu.games.when import CONSTANTS, DEPTH_MAX, LENGTH_MAX, NUMBER_MAX, WhenError, names, parse, tokens
from tests.games.effort import at_most_calls

GAMES = ["dragon-tiger", "immortal-dragon-tiger", "dragon-21"]
Facts = Mapping[str, Value]


@cache
def table(game: str) -> OutcomeTable:
    """The endings of a shipped game's procedure; one-card with suits, so that there are words to compare."""
    procedure = load_game(built_in()[game]).procedure
    return (replace(procedure, suits=True) if isinstance(procedure, OneCard) else procedure).outcomes()


@cache
def described(game: str) -> Mapping[int, Facts]:
    return {number: table(game).describe(number) for number in table(game).endings}


def endings(text: str, game: str) -> set[int]:
    """For which endings does it hold?"""
    return set(members(Vocabulary(table(game)).endings(parse(text))))


def those(holds: Callable[[Facts], object], game: str) -> set[int]:
    """The same by looking at each ending in turn."""
    return {number for number, facts in described(game).items() if holds(facts)}


def mistake(text: str, game: str = "dragon-21") -> tuple[int, str]:
    """Where an expression is wrong, counted in characters from 0, and why."""
    with pytest.raises(WhenError) as told:
        Vocabulary(table(game)).endings(parse(text))
    return told.value.offset, str(told.value)


# ---------------------------------------------------------------- what binds how


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("tie or player.wins and player.total == 7", "tie or (player.wins and (player.total == 7))"),
        ("player.pair and tie or banker.pair", "(player.pair and tie) or banker.pair"),
        ("not tie and player.pair", "(not tie) and player.pair"),
        ("not tie or player.pair", "(not tie) or player.pair"),
        ("not player.total == 7", "not (player.total == 7)"),
        ("not player.total in [7]", "not (player.total in [7])"),
        ("not not tie", "tie"),
        ("player.total + 2 * banker.total > 9", "(player.total + (2 * banker.total)) > 9"),
        ("player.total - banker.total - 1 > 2", "((player.total - banker.total) - 1) > 2"),
        ("player.total * 3 % 4 == 2", "((player.total * 3) % 4) == 2"),
        ("player.total + 3 % 2 == 8", "(player.total + (3 % 2)) == 8"),
        ("-player.total + 9 > 3", "(0 - player.total) + 9 > 3"),
        ("player.total - -1 == 8", "player.total + 1 == 8"),
        ("player.total == 7 == tie", "player.total == 7 and 7 == tie"),
    ],
)
def test_an_expression_binds_as_in_arithmetic_and_speech(written: str, meant: str) -> None:
    game = "immortal-dragon-tiger"
    if "== tie" in written:  # a chain compares neighbours, so this one compares a number with a truth value
        assert mistake(written, game)[1] == mistake(meant, game)[1]
        return
    assert endings(written, game) == endings(meant, game)
    assert 0 < len(endings(written, game)) < len(table(game).endings)


def test_comparisons_chain() -> None:
    game = "immortal-dragon-tiger"
    assert endings("4 <= player.margin <= 9", game) == those(lambda of: 4 <= int(of["player.margin"]) <= 9, game)
    assert endings("1 < player.total > banker.total < 5", game) == those(
        lambda of: 1 < int(of["player.total"]) > int(of["banker.total"]) < 5, game
    )


def test_and_or_and_not_follow_the_laws_of_logic() -> None:
    game = "dragon-21"
    assert endings("not (tie and dragon.pair)", game) == endings("not tie or not dragon.pair", game)
    assert endings("tie or not tie", game) == set(table(game).endings)
    assert endings("tie and not tie", game) == set()


@pytest.mark.parametrize(
    ("listed", "ranks"),
    [
        ("[7]", {7}),
        ("[1, 3, 5]", {1, 3, 5}),
        ("[8..10]", {8, 9, 10}),
        ("[8..king]", {8, 9, 10, 11, 12, 13}),
        ("[ace, jack..king]", {1, 11, 12, 13}),
        ("[ace,5..6 , queen]", {1, 5, 6, 12}),
        ("[5..5]", {5}),
        ("[3 + 4..2 * 4]", {7, 8}),
        ("[12..99]", {12, 13}),
    ],
)
def test_a_list_holds_numbers_and_ranges_with_both_ends(listed: str, ranks: set[int]) -> None:
    assert endings(f"dragon.rank in {listed}", "dragon-tiger") == those(
        lambda of: of["dragon.rank"] in ranks, "dragon-tiger"
    )
    assert endings(f"dragon.rank not in {listed}", "dragon-tiger") == those(
        lambda of: of["dragon.rank"] not in ranks, "dragon-tiger"
    )


def test_a_list_may_hold_facts() -> None:
    game = "dragon-tiger"
    assert endings("dragon.rank in [tiger.rank]", game) == endings("tie", game)
    assert endings("dragon.rank in [tiger.rank..king]", game) == endings("not tiger.wins", game)


@pytest.mark.parametrize(("word", "rank"), [("ace", 1), ("jack", 11), ("queen", 12), ("king", 13)])
def test_the_constants_are_the_ranks_that_have_names(word: str, rank: int) -> None:
    assert endings(f"dragon.rank == {word}", "dragon-tiger") == endings(f"dragon.rank == {rank}", "dragon-tiger")
    assert CONSTANTS[word] == rank


def test_a_word_stands_on_either_side() -> None:
    perfect = those(lambda of: of["dragon.pair_kind"] == "perfect", "dragon-21")
    assert perfect
    assert endings("dragon.pair_kind == perfect", "dragon-21") == perfect
    assert endings("perfect == dragon.pair_kind", "dragon-21") == perfect
    assert endings("dragon.pair_kind != perfect", "dragon-21") == set(table("dragon-21").endings) - perfect
    assert endings("dragon.pair_kind in [perfect, mixed]", "dragon-21") == those(
        lambda of: of["dragon.pair_kind"] in ("perfect", "mixed"), "dragon-21"
    )


def test_two_facts_with_words_are_compared_with_each_other() -> None:
    assert endings("dragon.suit == tiger.suit", "dragon-tiger") == endings("suited", "dragon-tiger")


def test_two_facts_with_different_words_are_not_compared() -> None:
    """A suit is never a colour: `==` would never hold and `!=` would always."""
    assert mistake("dragon.suit != tiger.colour", "dragon-tiger")[0] in (0, 12, 15)


def test_truth_values_are_compared_with_each_other() -> None:
    assert endings("dragon.pair == tiger.pair", "dragon-21") == those(
        lambda of: of["dragon.pair"] == of["tiger.pair"], "dragon-21"
    )
    assert endings("tie != dragon.pair", "dragon-21") == those(lambda of: of["tie"] != of["dragon.pair"], "dragon-21")


def test_spaces_do_not_matter() -> None:
    assert parse("dragon.total==17and tie").__class__ is parse("dragon.total == 17 and tie").__class__
    tight = [token.text for token in tokens("dragon.total in[17..21]and(not tie)")]
    loose = [token.text for token in tokens("  dragon.total  in [ 17 .. 21 ]  and ( not tie ) ")]
    assert tight == loose


def test_the_names_in_an_expression_are_known_before_any_fact_is() -> None:
    assert names(parse("a.b == perfect and not (c in [d..5] or 3 < e % 2)")) == {"a.b", "perfect", "c", "d", "e"}


# ---------------------------------------------------------------- mistakes, each at its character


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("¦dragn.wins", "unknown fact 'dragn.wins'. Did you mean 'dragon.wins'? Possible: "),
        ("tie and ¦dragon.winz", "Did you mean 'dragon.wins'?"),
        ("dragon.pair_kind == ¦prefect", "unknown word 'prefect'. Did you mean 'perfect'? Possible: none, mixed, coloured, perfect"),
        ("¦prefect == dragon.pair_kind", "unknown word 'prefect'. Did you mean 'perfect'?"),
        ("dragon.pair_kind in [mixed, ¦prefect]", "unknown word 'prefect'. Did you mean 'perfect'?"),
        ("¦dragon.total", "dragon.total is a number, and yes or no is needed here: compare it"),
        ("¦7", "7 is a number, and yes or no is needed"),
        ("¦dragon.pair_kind", "dragon.pair_kind is a word, and yes or no is needed"),
        ("not ¦dragon.total", "dragon.total is a number, and yes or no is needed"),
        ("tie and ¦dragon.total or tie", "yes or no is needed"),
        ("¦dragon.total + 3", "the sum is a number, and yes or no is needed"),
        ("tie ¦== 7", "compares tie, a truth value, with 7, a number"),
        ("7 ¦== tie", "compares 7, a number, with tie, a truth value"),
        ("dragon.pair_kind ¦== tie", "compares dragon.pair_kind, a word, with tie, a truth value"),
        ("tie ¦< dragon.pair", "tie is a truth value: only == and != compare it"),
        ("dragon.pair_kind ¦< perfect", "dragon.pair_kind is a word: only == and != compare it"),
        ("¦tie + 1 > 3", "tie is a truth value, and a number is needed"),
        ("1 + ¦tie > 3", "tie is a truth value, and a number is needed"),
        ("3 * ¦dragon.pair_kind > 3", "dragon.pair_kind is a word, and a number is needed"),
        ("-¦tie > 3", "tie is a truth value, and a number is needed"),
        ("dragon.total in [¦tie]", "compares dragon.total, a number, with tie, a truth value"),
        ("dragon.total in [1..¦tie]", "tie is a truth value, and a number is needed"),
        ("dragon.total in [17, ¦9..8]", "the range is empty"),
        ("dragon.total ¦% 0 == 1", "divides by zero"),
        ("dragon.total ¦% (tiger.total - 20) == 1", "divides by zero for some ending"),
        ("dragon.total > ¦1000001", "1000001 is too large: numbers go up to 1,000,000"),
        ("dragon.total > ¦99999999999999999999", "999999999999 is too large"),
        ("dragon.total ¦* 1000000 > 1", "numbers go up to 1,000,000"),
        ("1000000 ¦+ 1 > dragon.total", "this can reach 1000001, and numbers go up to 1,000,000"),
        ("0 - 1000000 ¦- 1 > dragon.total", "this can reach -1000001"),
        ("tie ¦tie", "did not expect 'tie' here"),
        ("tie ¦)", "did not expect ')' here"),
        ("(tie¦", "expected ')', found the end"),
        ("(tie ¦]", "expected ')', found ']'"),
        ("tie and¦", "the expression ends too early"),
        ("tie and ¦or tie", "did not expect 'or' here: expected a fact, a number or '('"),
        ("¦and", "did not expect 'and' here"),
        ("dragon.total in ¦17", "expected '[', found '17'"),
        ("dragon.total in [¦]", "did not expect ']' here"),
        ("dragon.total in [17¦", "expected ']', found the end"),
        ("dragon.total not ¦17", "expected 'in' after 'not'"),
        ("dragon.total ¦= 17", "'=' is no sign of this language: compare with '=='"),
        ("tie ¦&& tie", "write 'and', 'or', 'not'"),
        ("tie ¦|| tie", "write 'and', 'or', 'not'"),
        ("¦!tie", "write 'and', 'or', 'not'"),
        ("dragon.pair_kind == ¦'perfect'", "write the word without quotes"),
        ('dragon.pair_kind == ¦"perfect"', "write the word without quotes"),
        ("dragon.total ¦/ 2 == 8", "'/' is no sign of this language. Signs: == != < "),
        ("dragon.total == 17¦.5", "'.' is no sign of this language"),
        ("dragon.total == ¦١٧", "is no sign of this language"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_at_its_character(written: str, why: str) -> None:
    offset, message = mistake(written.replace("¦", ""))
    assert why in message
    assert offset == written.index("¦"), message


@pytest.mark.parametrize("text", ["", "   ", "\t\n"])
def test_an_empty_expression_is_told(text: str) -> None:
    assert mistake(text) == (0, "the expression is empty")


def test_of_two_unknown_facts_the_first_is_told_first() -> None:
    assert mistake("dragn.total == tigr.total")[0] == 0


def test_the_greatest_numbers_are_read_and_reached() -> None:
    assert endings(f"dragon.total < {NUMBER_MAX}", "dragon-21") == set(table("dragon-21").endings)
    assert endings("0 - 999999 - 1 < dragon.total", "dragon-21") == set(table("dragon-21").endings)


def test_an_expression_is_read_up_to_its_greatest_length() -> None:
    longest = "tie" + " " * (LENGTH_MAX - 3)
    assert endings(longest, "dragon-21") == endings("tie", "dragon-21")
    assert (
        mistake(longest + " ")[1]
        == f"the expression has {LENGTH_MAX + 1} characters, and at most {LENGTH_MAX} are read"
    )


def test_an_expression_is_read_down_to_its_greatest_depth() -> None:
    for opening, closing in (("(", ")"), ("not ", "")):
        deepest = opening * DEPTH_MAX + "tie" + closing * DEPTH_MAX
        assert endings(deepest, "dragon-21") == endings("tie", "dragon-21")
        assert "nested more than" in mistake(opening + deepest + closing)[1]
    assert endings("0 == " + "-" * DEPTH_MAX + "dragon.total + 4 - 4", "dragon-21") == set()


def test_a_depth_that_was_left_does_not_count() -> None:
    shallow = " or ".join(["not (tie)"] * 30)
    assert endings(shallow, "dragon-21") == endings("not tie", "dragon-21")


@pytest.mark.parametrize(
    ("innermost", "around"),
    [
        ("nothing", "({} == 1)"),  # an unknown name below many comparisons
        ("tie", "({} in [tie, tie])"),  # a list that asks the same thing for every item
        ("tie", "(tie == {} == tie)"),  # a chain, whose middle stands in two comparisons
    ],
)
def test_the_work_grows_with_the_length_of_an_expression_and_not_with_its_double(innermost: str, around: str) -> None:
    """A few hundred characters must not keep a loader busy for hours."""
    text = innermost
    while len(text) + len(around) < LENGTH_MAX and text.count("(") < DEPTH_MAX - 1:
        text = around.format(text)
    with at_most_calls(300_000):
        try:
            tree = parse(text)
            assert names(tree)
            Vocabulary(table("dragon-tiger")).endings(tree)
        except WhenError:
            pass


# ---------------------------------------------------------------- random expressions against Python itself


@dataclass(frozen=True)
class Written:
    """An expression as a game file writes it, and the same as Python writes it."""

    here: str
    python: str

    def __str__(self) -> str:
        return self.here


class Grammar:
    """Random well-typed expressions over the facts of a table, level by level as the language binds."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.facts = {kind: [fact for fact in table(game).facts.values() if fact.kind is kind] for kind in FactKind}

    def fact(self, kind: FactKind) -> SearchStrategy[Written]:
        return st.sampled_from([Written(fact.name, f"of[{fact.name!r}]") for fact in self.facts[kind]])

    def literal(self, least: int = 0, most: int = 15) -> SearchStrategy[Written]:
        plain = st.integers(least, most).map(lambda number: Written(str(number), str(number)))
        named = st.sampled_from([Written(word, str(rank)) for word, rank in CONSTANTS.items()])
        return st.one_of(plain, named) if (least, most) == (0, 15) else plain

    def atom(self, depth: int) -> SearchStrategy[Written]:
        simple = st.one_of(self.fact(FactKind.NUMBER), self.fact(FactKind.NUMBER), self.literal())
        if not depth:
            return simple
        inner = self.sum(depth - 1)
        return st.one_of(
            simple,
            inner.map(lambda it: Written(f"({it.here})", f"({it.python})")),
            simple.map(lambda it: Written(f"-{it.here}", f"-{it.python}")),
        )

    @st.composite
    @staticmethod
    def product(draw: DrawFn, self: Grammar, depth: int) -> Written:
        written = draw(self.atom(depth))
        for _ in range(draw(st.integers(0, 1))):
            sign, by = draw(st.sampled_from("*%")), draw(self.literal(1, 9))
            written = Written(f"{written.here} {sign} {by.here}", f"{written.python} {sign} {by.python}")
        return written

    def sum(self, depth: int) -> SearchStrategy[Written]:
        return _joined(self.product(self, depth), ["+", "-"], 2)

    @st.composite
    @staticmethod
    def comparison(draw: DrawFn, self: Grammar, depth: int) -> Written:
        how = draw(st.sampled_from(["chain", "chain", "in", "not in", "words", "word list", "truths"]))
        if how == "chain":
            chain = _joined(self.sum(min(depth, 1)), ["==", "!=", "<", "<=", ">", ">="], 2, least=1)
            return draw(chain)
        if how in ("in", "not in"):
            of, items = draw(self.sum(0)), draw(st.lists(self.item(self), min_size=1, max_size=3))
            return Written(
                f"{of.here} {how} [{', '.join(item.here for item in items)}]",
                f"{of.python} {how} ({''.join(item.python + ',' for item in items)})",
            )
        if how == "truths" or not self.facts[FactKind.WORD]:
            left, right, sign = (
                draw(self.holds(depth)),
                draw(self.fact(FactKind.TRUTH)),
                draw(st.sampled_from(["==", "!="])),
            )
            return Written(f"({left.here}) {sign} {right.here}", f"({left.python}) {sign} {right.python}")
        fact = draw(st.sampled_from(self.facts[FactKind.WORD]))
        here, python = fact.name, f"of[{fact.name!r}]"
        words = draw(st.lists(st.sampled_from(fact.words), min_size=1, max_size=3))
        if how == "word list":
            return Written(f"{here} in [{', '.join(words)}]", f"{python} in {words!r}")
        sign = draw(st.sampled_from(["==", "!="]))
        if draw(st.booleans()):
            return Written(f"{words[0]} {sign} {here}", f"{words[0]!r} {sign} {python}")
        return Written(f"{here} {sign} {words[0]}", f"{python} {sign} {words[0]!r}")

    @st.composite
    @staticmethod
    def item(draw: DrawFn, self: Grammar) -> Written:
        if draw(st.booleans()):
            return draw(self.sum(0))
        low, high = sorted(draw(st.lists(st.integers(-5, 30), min_size=2, max_size=2)))
        return Written(f"{low}..{high}", f"*range({low}, {high + 1})")

    def negation(self, depth: int) -> SearchStrategy[Written]:
        plain = st.one_of(self.fact(FactKind.TRUTH), self.comparison(self, max(depth - 1, 0)))
        if not depth:
            return plain
        inner = self.holds(depth - 1)
        return st.one_of(
            plain,
            inner.map(lambda it: Written(f"({it.here})", f"({it.python})")),
            plain.map(lambda it: Written(f"not {it.here}", f"not {it.python}")),
        )

    def holds(self, depth: int) -> SearchStrategy[Written]:
        """A whole expression: `or` over `and` over `not` over comparisons."""
        if not depth:
            return self.fact(FactKind.TRUTH)
        return _joined(_joined(self.negation(depth - 1), ["and"], 1), ["or"], 1)


def _joined(parts: SearchStrategy[Written], signs: list[str], most: int, least: int = 0) -> SearchStrategy[Written]:
    """A part, then so many more, each behind a sign; no parentheses, so that binding is put to the test."""

    @st.composite
    def join(draw: DrawFn) -> Written:
        written = draw(parts)
        for _ in range(draw(st.integers(least, most))):
            sign, more = draw(st.sampled_from(signs)), draw(parts)
            written = Written(f"{written.here} {sign} {more.here}", f"{written.python} {sign} {more.python}")
        return written

    return join()


@pytest.mark.parametrize("game", GAMES)
def test_a_random_expression_holds_for_just_those_endings_for_which_python_says_so(game: str) -> None:
    @given(Grammar(game).holds(4))
    def agrees(written: Written) -> None:
        assume(len(written.here) <= LENGTH_MAX)
        python = compile(written.python, "<expression>", "eval")
        expected = {number for number, of in described(game).items() if eval(python, {"of": of, "range": range})}
        assert endings(written.here, game) == expected, written.here

    agrees()


def assert_read_or_told(text: str) -> None:
    """The text is an expression, or a mistake with a place inside it; and either is known soon."""
    error: WhenError | None = None
    with at_most_calls(200_000):
        try:
            endings(text, "dragon-tiger")
        except WhenError as told:
            error = told
    assert error is None or (0 <= error.offset <= len(text) and str(error))


@given(st.one_of(st.text(max_size=80), st.text("()[]<>=!.,+-*% 0123456789abdegilnorstw_\"'", max_size=80)))
def test_any_text_at_all_is_an_expression_or_a_mistake(text: str) -> None:
    assert_read_or_told(text)


WORDS = [
    "(",
    ")",
    "[",
    "]",
    ",",
    "..",
    "+",
    "-",
    "*",
    "%",
    "<",
    ">",
    "<=",
    ">=",
    "==",
    "!=",
    "and",
    "or",
    "not",
    "in",
    "tie",
    "dragon.rank",
    "tiger.suit",
    "hearts",
    "king",
    "7",
    "0",
    "x",
    "player.__class__",
]


@given(st.lists(st.sampled_from(WORDS), max_size=60).map(" ".join))
def test_any_words_of_the_language_in_any_order_are_an_expression_or_a_mistake(text: str) -> None:
    assert_read_or_told(text)
