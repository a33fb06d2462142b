"""The language of a line's `when`: closed, typed, and answered for all endings at once.

    player.total == 7 and banker.wins
    4 <= player.margin <= 9 and not player.natural
    dragon.rank in [8..king]
    tiger.pair_kind == perfect

Facts and terms, whole numbers, words; comparisons (they chain), `and`, `or`, `not`, `+`, `-`, `*`, `%`,
`in [a, b, c..d]`. Nothing else: no calls, no attributes, no text. An expression is read once, when a game
is loaded, and becomes the set of endings for which it holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import add, eq, ge, gt, le, lt, mod, mul, ne, sub

from longhu.deal.facts import Endings, Kind, OutcomeTable, Partition, Value, members
from longhu.wording import suggest

LENGTH_MAX = 500
DEPTH_MAX = 24
NUMBER_MAX = 1_000_000
CONSTANTS = {"ace": 1, "jack": 11, "queen": 12, "king": 13}


class WhenError(ValueError):
    """A mistake in an expression, and at which character (from 0) it starts."""

    def __init__(self, offset: int, message: str) -> None:
        super().__init__(message)
        self.offset = offset


@dataclass(frozen=True, slots=True)
class Token:
    text: str
    offset: int


_WORD = r"[A-Za-z_][A-Za-z0-9_]*"
_TOKEN = re.compile(rf"\s*(?:(?P<ok>{_WORD}(?:\.{_WORD})*|[0-9]+|<=|>=|==|!=|\.\.|[<>+\-*%()\[\],])|(?P<bad>\S))")
KEYWORDS = {"and", "or", "not", "in"}


def tokens(text: str) -> list[Token]:
    """Cut an expression into words, numbers and signs.

    >>> [token.text for token in tokens("player.total==7 and not tie")]
    ['player.total', '==', '7', 'and', 'not', 'tie']
    """
    if len(text) > LENGTH_MAX:
        raise WhenError(0, f"the expression has {len(text)} characters, and at most {LENGTH_MAX} are read")
    found: list[Token] = []
    at = 0
    while match := _TOKEN.match(text, at):
        if match["bad"]:
            raise WhenError(match.start("bad"), _why_bad(match["bad"], text[match.start("bad") :]))
        found.append(Token(match["ok"], match.start("ok")))
        at = match.end()
    return found


def _why_bad(sign: str, rest: str) -> str:
    if rest.startswith("="):
        return "'=' is no sign of this language: compare with '=='"
    if rest.startswith(("&&", "||")) or sign == "!":
        return f"{rest[:2]!r} is no sign of this language: write 'and', 'or', 'not'"
    if sign in "'\"":
        return "texts are not used here: write the word without quotes, as in pair_kind == perfect"
    return f"{sign!r} is no sign of this language. Signs: == != < <= > >= + - * % in and or not ( ) [ ]"


# ---------------------------------------------------------------- reading: text to tree


@dataclass(frozen=True, slots=True)
class Name:
    """A fact, a term, a constant, or a word of a fact's vocabulary."""

    name: str
    offset: int


@dataclass(frozen=True, slots=True)
class Number:
    value: int
    offset: int


@dataclass(frozen=True, slots=True)
class Not:
    of: Expression
    offset: int


@dataclass(frozen=True, slots=True)
class Both:
    """`and` or `or`."""

    sign: str
    left: Expression
    right: Expression
    offset: int


@dataclass(frozen=True, slots=True)
class Sum:
    """Arithmetic: + - * %."""

    sign: str
    left: Expression
    right: Expression
    offset: int


@dataclass(frozen=True, slots=True)
class Compare:
    sign: str
    left: Expression
    right: Expression
    offset: int


@dataclass(frozen=True, slots=True)
class OneOf:
    """`x in [1, 3..5]`; each item is a range, of one value when nothing else was written."""

    of: Expression
    items: tuple[tuple[Expression, Expression], ...]
    offset: int


Expression = Name | Number | Not | Both | Sum | Compare | OneOf


def parse(text: str) -> Expression:
    """Read an expression; the tree knows nothing yet of which facts exist."""
    return _Reader(text).whole()


class _Reader:
    """A recursive-descent reader, one method a level of binding, loosest first."""

    def __init__(self, text: str) -> None:
        self.text, self.tokens, self.at, self.depth = text, tokens(text), 0, 0

    def whole(self) -> Expression:
        if not self.tokens:
            raise WhenError(0, "the expression is empty")
        tree = self.either()
        if self.at < len(self.tokens):
            left = self.tokens[self.at]
            raise WhenError(left.offset, f"did not expect {left.text!r} here")
        return tree

    def peek(self) -> str:
        return self.tokens[self.at].text if self.at < len(self.tokens) else ""

    def offset(self) -> int:
        return self.tokens[self.at].offset if self.at < len(self.tokens) else len(self.text)

    def next(self) -> Token:
        if self.at == len(self.tokens):
            raise WhenError(len(self.text), "the expression ends too early")
        self.at += 1
        return self.tokens[self.at - 1]

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > DEPTH_MAX:
            raise WhenError(self.offset(), f"nested more than {DEPTH_MAX} deep")

    def either(self) -> Expression:
        tree = self.both()
        while self.peek() == "or":
            sign = self.next()
            tree = Both("or", tree, self.both(), sign.offset)
        return tree

    def both(self) -> Expression:
        tree = self.negation()
        while self.peek() == "and":
            sign = self.next()
            tree = Both("and", tree, self.negation(), sign.offset)
        return tree

    def negation(self) -> Expression:
        if self.peek() != "not":
            return self.comparison()
        self.deeper()
        sign = self.next()
        tree = Not(self.negation(), sign.offset)
        self.depth -= 1
        return tree

    def comparison(self) -> Expression:
        left = self.sum()
        links: list[Expression] = []
        while self.peek() in _COMPARE or self.peek() in ("in", "not"):
            sign = self.next()
            if sign.text == "not":
                if self.peek() != "in":
                    raise WhenError(self.offset(), "expected 'in' after 'not' here")
                self.next()
                links.append(Not(OneOf(left, self.choices(), sign.offset), sign.offset))
            elif sign.text == "in":
                links.append(OneOf(left, self.choices(), sign.offset))
            else:
                right = self.sum()
                links.append(Compare(sign.text, left, right, sign.offset))
                left = right
        if not links:
            return left
        tree = links[0]
        for link in links[1:]:
            tree = Both("and", tree, link, link.offset)
        return tree

    def choices(self) -> tuple[tuple[Expression, Expression], ...]:
        self.expect("[")
        items: list[tuple[Expression, Expression]] = []
        while True:
            low = high = self.sum()
            if self.peek() == "..":
                self.next()
                high = self.sum()
            items.append((low, high))
            if self.peek() != ",":
                break
            self.next()
        self.expect("]")
        return tuple(items)

    def sum(self) -> Expression:
        tree = self.product()
        while self.peek() in ("+", "-"):
            sign = self.next()
            tree = Sum(sign.text, tree, self.product(), sign.offset)
        return tree

    def product(self) -> Expression:
        tree = self.atom()
        while self.peek() in ("*", "%"):
            sign = self.next()
            tree = Sum(sign.text, tree, self.atom(), sign.offset)
        return tree

    def atom(self) -> Expression:
        token = self.next()
        if token.text == "(":
            self.deeper()
            tree = self.either()
            self.expect(")")
            self.depth -= 1
            return tree
        if token.text == "-":
            self.deeper()
            tree = Sum("-", Number(0, token.offset), self.atom(), token.offset)
            self.depth -= 1
            return tree
        if token.text.isdigit():
            if len(token.text) > 7 or int(token.text) > NUMBER_MAX:
                raise WhenError(token.offset, f"{token.text[:12]} is too large: numbers go up to {NUMBER_MAX}")
            return Number(int(token.text), token.offset)
        if token.text in KEYWORDS or not (token.text[0].isalpha() or token.text[0] == "_"):
            raise WhenError(token.offset, f"did not expect {token.text!r} here: expected a fact, a number or '('")
        return Name(token.text, token.offset)

    def expect(self, sign: str) -> None:
        if self.peek() != sign:
            found = repr(self.peek()) if self.peek() else "the end"
            raise WhenError(self.offset(), f"expected {sign!r}, found {found}")
        self.next()


def names(tree: Expression) -> set[str]:
    """Every name that an expression uses. (Chained comparisons share their middle, so each part is seen once.)"""
    found: set[str] = set()
    seen: set[int] = set()
    parts: list[Expression] = [tree]
    while parts:
        part = parts.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        match part:
            case Name(name):
                found.add(name)
            case Not(of):
                parts.append(of)
            case Both(_, left, right) | Sum(_, left, right) | Compare(_, left, right):
                parts += [left, right]
            case OneOf(of, items):
                parts += [of, *(end for item in items for end in item)]
    return found


# ---------------------------------------------------------------- answering: tree to endings


@dataclass(frozen=True, slots=True)
class _Meaning:
    """What a part of an expression is worth: its kind, and the endings divided by its value."""

    kind: Kind
    partition: Partition
    words: tuple[str, ...] = ()
    shown: str = ""


_COMPARE: Mapping[str, Callable[[int, int], bool]] = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
_ARITHMETIC: Mapping[str, Callable[[int, int], int]] = {"+": add, "-": sub, "*": mul, "%": mod}


class Vocabulary:
    """The facts of an outcome table and the terms that a game defines on top of them."""

    def __init__(self, table: OutcomeTable) -> None:
        self.table = table
        self.terms: dict[str, Endings] = {}
        self.broken: set[str] = set()  # terms whose own mistake is told already
        self._meanings: dict[int, tuple[Expression, _Meaning]] = {}

    def define(self, name: str, endings: Endings) -> None:
        self.terms[name] = endings

    def known(self) -> list[str]:
        return [*self.terms, *self.table.facts]

    def endings(self, tree: Expression) -> Endings:
        """For which endings does it hold?"""
        self._meanings.clear()
        return self._truth(tree)

    def _truth(self, tree: Expression) -> Endings:
        meaning = self._meaning(tree)
        if meaning.kind is not Kind.TRUTH:
            raise WhenError(
                _start(tree), f"{meaning.shown} is {meaning.kind.value}, and yes or no is needed here: compare it"
            )
        return meaning.partition.get(True, 0)

    def _yes(self, endings: Endings) -> _Meaning:
        return _Meaning(Kind.TRUTH, {True: endings, False: self.table.possible & ~endings}, shown="it")

    def _meaning(self, tree: Expression) -> _Meaning:
        """What a part is worth; a part that stands in several places is worked out once."""
        known = self._meanings.get(id(tree))
        if known is None:
            known = self._meanings[id(tree)] = (tree, self._worked_out(tree))
        return known[1]

    def _worked_out(self, tree: Expression) -> _Meaning:
        match tree:
            case Number(value):
                return _Meaning(Kind.NUMBER, {value: self.table.possible}, shown=str(value))
            case Name():
                return self._named(tree)
            case Not(of):
                return self._yes(self.table.possible & ~self._truth(of))
            case Both("and", left, right):
                return self._yes(self._truth(left) & self._truth(right))
            case Both(_, left, right):
                return self._yes(self._truth(left) | self._truth(right))
            case Sum(sign, left, right, offset):
                return self._arithmetic(sign, self._number(left), self._number(right), offset)
            case Compare():
                return self._comparison(tree)
            case OneOf():
                return self._membership(tree)

    def _named(self, tree: Name) -> _Meaning:
        if tree.name in self.terms:
            return _Meaning(Kind.TRUTH, self._yes(self.terms[tree.name]).partition, shown=tree.name)
        if tree.name in self.table.facts:
            fact = self.table.facts[tree.name]
            return _Meaning(fact.kind, self.table.partition(tree.name), fact.words, tree.name)
        if tree.name in CONSTANTS:
            return _Meaning(Kind.NUMBER, {CONSTANTS[tree.name]: self.table.possible}, shown=tree.name)
        raise WhenError(tree.offset, unknown(tree.name, self.known(), "fact"))

    def _number(self, tree: Expression) -> _Meaning:
        meaning = self._meaning(tree)
        if meaning.kind is not Kind.NUMBER:
            raise WhenError(_start(tree), f"{meaning.shown} is {meaning.kind.value}, and a number is needed here")
        return meaning

    def _arithmetic(self, sign: str, left: _Meaning, right: _Meaning, offset: int) -> _Meaning:
        if sign == "%" and 0 in right.partition:
            raise WhenError(offset, "this divides by zero for some ending")
        work = _ARITHMETIC[sign]
        divided: dict[Value, Endings] = {}
        for one, other, endings in self._joint(left.partition, right.partition):
            value = work(one, other)
            if abs(value) > NUMBER_MAX:
                raise WhenError(offset, f"this can reach {value}, and numbers go up to {NUMBER_MAX}")
            divided[value] = divided.get(value, 0) | endings
        return _Meaning(Kind.NUMBER, divided, shown="the sum")

    def _joint(self, left: Partition, right: Partition) -> list[tuple[int, int, Endings]]:
        """The endings by the values of both sides; never more work than there are endings."""
        if len(left) * len(right) > max(4096, len(self.table.endings)):
            values = [{n: int(v) for v, those in side.items() for n in members(those)} for side in (left, right)]
            return [(values[0][n], values[1][n], 1 << n) for n in self.table.endings]
        return [
            (int(one), int(other), those & others)
            for one, those in left.items()
            for other, others in right.items()
            if those & others
        ]

    def _comparison(self, tree: Compare) -> _Meaning:
        left, right = self._sides(tree)
        if left.kind is not right.kind:
            raise WhenError(
                tree.offset, f"compares {left.shown}, {left.kind.value}, with {right.shown}, {right.kind.value}"
            )
        if left.kind is Kind.WORD and left.words != right.words:
            raise WhenError(tree.offset, f"{left.shown} and {right.shown} have no words in common")
        if left.kind is not Kind.NUMBER:
            if tree.sign not in ("==", "!="):
                raise WhenError(tree.offset, f"{left.shown} is {left.kind.value}: only == and != compare it")
            same = 0
            for value, those in left.partition.items():
                same |= those & right.partition.get(value, 0)
            return self._yes(same if tree.sign == "==" else self.table.possible & ~same)
        holds, compare = 0, _COMPARE[tree.sign]
        for one, other, endings in self._joint(left.partition, right.partition):
            if compare(one, other):
                holds |= endings
        return self._yes(holds)

    def _sides(self, tree: Compare) -> tuple[_Meaning, _Meaning]:
        """Both sides; a bare word is read in the vocabulary of the side across from it."""
        if isinstance(tree.left, Name) and tree.left.name not in [*self.known(), *CONSTANTS]:
            try:
                right = self._meaning(tree.right)
            except WhenError:
                return self._named(tree.left), self._meaning(tree.right)  # both are wrong: the first is told
            return self._word(tree.left, right), right
        left = self._meaning(tree.left)
        if left.kind is Kind.WORD:
            return left, self._word(tree.right, left)
        return left, self._meaning(tree.right)

    def _word(self, tree: Expression, across: _Meaning) -> _Meaning:
        """A word among those that the fact across can be; or another fact with words."""
        if isinstance(tree, Name) and tree.name in across.words:
            return _Meaning(Kind.WORD, {tree.name: self.table.possible}, across.words, tree.name)
        if isinstance(tree, Name) and tree.name not in self.known():
            raise WhenError(
                tree.offset, unknown(tree.name, list(across.words) or self.known(), "word" if across.words else "fact")
            )
        return self._meaning(tree)

    def _membership(self, tree: OneOf) -> _Meaning:
        holds = 0
        for low, high in tree.items:
            offset = _start(low)
            if low is high:
                holds |= self._truth(Compare("==", tree.of, low, offset))
                continue
            bounds = [self._number(end).partition for end in (low, high)]
            if all(len(bound) == 1 for bound in bounds) and next(iter(bounds[0])) > next(iter(bounds[1])):  # type: ignore[operator]
                raise WhenError(offset, "the range is empty: its first number is greater than its last")
            holds |= self._truth(Compare("<=", low, tree.of, offset)) & self._truth(
                Compare("<=", tree.of, high, offset)
            )
        return self._yes(holds)


def unknown(found: str, possible: list[str], what: str) -> str:
    return f"unknown {what} {found[:40]!r}.{suggest(found, possible)}"


def _start(tree: Expression) -> int:
    match tree:
        case Both(_, left) | Sum(_, left) | Compare(_, left):
            return min(_start(left), tree.offset)
        case OneOf(of):
            return _start(of)
        case _:
            return tree.offset
