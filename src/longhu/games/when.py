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
from dataclasses import dataclass

from longhu.messages.localization import english
from longhu.messages.message import Message, message_code

LENGTH_MAX = 500
DEPTH_MAX = 24
NUMBER_MAX = 1_000_000
EQUALS_SIGN = message_code("condition-equals-sign")
WORDS_FOR_SIGNS = message_code("condition-words-for-signs", found="text")
NO_QUOTES = message_code("condition-no-quotes")
NO_SUCH_SIGN = message_code("condition-no-such-sign", found="text")
CONDITION_TOO_LONG = message_code("condition-too-long", found="number", most="number")
CONDITION_EMPTY = message_code("condition-empty")
CONDITION_TOO_DEEP = message_code("condition-too-deep", most="number")
UNEXPECTED = message_code("condition-unexpected", found="text")
NO_OPERAND = message_code("condition-no-operand", found="text")
ENDS_TOO_EARLY = message_code("condition-ends-too-early")
IN_EXPECTED = message_code("condition-in-expected")
NUMBER_OVER_MOST = message_code("condition-number-over-most", found="text", most="number")
SIGN_EXPECTED = message_code("condition-sign-expected", sign="text", found="text")
SIGN_EXPECTED_AT_END = message_code("condition-sign-expected-at-end", sign="text")
CONSTANTS = {"ace": 1, "jack": 11, "queen": 12, "king": 13}


class WhenError(ValueError):
    """A mistake in an expression, and at which character (from 0) it starts."""

    def __init__(self, offset: int, message: Message) -> None:
        super().__init__(message.code)
        self.offset, self.message = offset, message

    def __str__(self) -> str:
        return english(self.message)


@dataclass(frozen=True, slots=True)
class Token:
    text: str
    offset: int


_WORD = r"[A-Za-z_][A-Za-z0-9_]*"
_TOKEN = re.compile(rf"\s*(?:(?P<ok>{_WORD}(?:\.{_WORD})*|[0-9]+|<=|>=|==|!=|\.\.|[<>+\-*%()\[\],])|(?P<bad>\S))")
KEYWORDS = {"and", "or", "not", "in"}
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


def tokens(text: str) -> list[Token]:
    """Cut an expression into words, numbers and signs.

    >>> [token.text for token in tokens("player.total==7 and not tie")]
    ['player.total', '==', '7', 'and', 'not', 'tie']
    """
    if len(text) > LENGTH_MAX:
        raise WhenError(0, CONDITION_TOO_LONG(found=len(text), most=LENGTH_MAX))
    found: list[Token] = []
    at = 0
    while match := _TOKEN.match(text, at):
        if match["bad"]:
            raise WhenError(match.start("bad"), _why_bad(match["bad"], text[match.start("bad") :]))
        found.append(Token(match["ok"], match.start("ok")))
        at = match.end()
    return found


def _why_bad(sign: str, rest: str) -> Message:
    if rest.startswith("="):
        return EQUALS_SIGN()
    if rest.startswith(("&&", "||")) or sign == "!":
        return WORDS_FOR_SIGNS(found=repr(rest[:2]))
    if sign in "'\"":
        return NO_QUOTES()
    return NO_SUCH_SIGN(found=repr(sign))


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
            raise WhenError(0, CONDITION_EMPTY())
        tree = self.either()
        if self.at < len(self.tokens):
            left = self.tokens[self.at]
            raise WhenError(left.offset, UNEXPECTED(found=repr(left.text)))
        return tree

    def peek(self) -> str:
        return self.tokens[self.at].text if self.at < len(self.tokens) else ""

    def offset(self) -> int:
        return self.tokens[self.at].offset if self.at < len(self.tokens) else len(self.text)

    def next(self) -> Token:
        if self.at == len(self.tokens):
            raise WhenError(len(self.text), ENDS_TOO_EARLY())
        self.at += 1
        return self.tokens[self.at - 1]

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > DEPTH_MAX:
            raise WhenError(self.offset(), CONDITION_TOO_DEEP(most=DEPTH_MAX))

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
        while self.peek() in COMPARISONS or self.peek() in ("in", "not"):
            sign = self.next()
            if sign.text == "not":
                if self.peek() != "in":
                    raise WhenError(self.offset(), IN_EXPECTED())
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
                raise WhenError(token.offset, NUMBER_OVER_MOST(found=token.text[:12], most=NUMBER_MAX))
            return Number(int(token.text), token.offset)
        if token.text in KEYWORDS or not (token.text[0].isalpha() or token.text[0] == "_"):
            raise WhenError(token.offset, NO_OPERAND(found=repr(token.text)))
        return Name(token.text, token.offset)

    def expect(self, sign: str) -> None:
        if self.peek() != sign:
            found = self.peek()
            expected = (
                SIGN_EXPECTED(sign=repr(sign), found=repr(found)) if found else SIGN_EXPECTED_AT_END(sign=repr(sign))
            )
            raise WhenError(self.offset(), expected)
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


def start(tree: Expression) -> int:
    """At which character an expression begins."""
    match tree:
        case Both(_, left) | Sum(_, left) | Compare(_, left):
            return min(start(left), tree.offset)
        case OneOf(of):
            return start(of)
        case _:
            return tree.offset
