"""What a condition means: the set of endings for which it holds.

Every part of an expression divides the endings by its value, as facts do; comparing and joining parts is
then set algebra, and types are checked on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import add, eq, ge, gt, le, lt, mod, mul, ne, sub

from longhu.deal.facts import Endings, FactKind, OutcomeTable, Partition, Value, members
from longhu.games.reader import hint
from longhu.games.when import (
    CONSTANTS,
    NUMBER_MAX,
    Both,
    Compare,
    Expression,
    Name,
    Not,
    Number,
    OneOf,
    Sum,
    WhenError,
    start,
)
from longhu.messages.message import Message, message_code

THIS = message_code("condition-this")  # a part of a condition that has no name of its own,
THE_SUM = message_code("condition-sum")
NAMED = message_code("condition-name", name="text")  # and one that has
NOT_YES_OR_NO = message_code("condition-not-yes-or-no", part="message", kind="choice")
NO_NUMBER = message_code("condition-no-number", part="message", kind="choice")
DIVIDES_BY_ZERO = message_code("condition-divides-by-zero")
NUMBER_REACHED = message_code("condition-number-reached", found="text", most="number")
COMPARED_UNLIKE = message_code(
    "condition-compared-unlike", first="message", first_kind="choice", second="message", second_kind="choice"
)
NO_WORDS_IN_COMMON = message_code("condition-no-words-in-common", first="message", second="message")
ONLY_EQUAL_OR_NOT = message_code("condition-only-equal-or-not", part="message", kind="choice")
RANGE_EMPTY = message_code("condition-range-empty")
UNKNOWN_FACT = message_code("condition-unknown-fact", found="text", hint="message")
UNKNOWN_WORD = message_code("condition-unknown-word", found="text", hint="message")


@dataclass(frozen=True, slots=True)
class _Meaning:
    """What a part of an expression is worth: its kind, and the endings divided by its value."""

    kind: FactKind
    partition: Partition
    shown: Message  # how it is called in a sentence
    words: tuple[str, ...] = ()


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
        if meaning.kind is not FactKind.TRUTH:
            raise WhenError(start(tree), NOT_YES_OR_NO(part=meaning.shown, kind=meaning.kind.value))
        return meaning.partition.get(True, 0)

    def _yes(self, endings: Endings) -> _Meaning:
        return _Meaning(FactKind.TRUTH, {True: endings, False: self.table.possible & ~endings}, shown=THIS())

    def _meaning(self, tree: Expression) -> _Meaning:
        """What a part is worth; a part that stands in several places is worked out once."""
        known = self._meanings.get(id(tree))
        if known is None:
            known = self._meanings[id(tree)] = (tree, self._worked_out(tree))
        return known[1]

    def _worked_out(self, tree: Expression) -> _Meaning:
        match tree:
            case Number(value):
                return _Meaning(FactKind.NUMBER, {value: self.table.possible}, shown=NAMED(name=str(value)))
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
            return _Meaning(FactKind.TRUTH, self._yes(self.terms[tree.name]).partition, shown=NAMED(name=tree.name))
        if tree.name in self.table.facts:
            fact = self.table.facts[tree.name]
            return _Meaning(fact.kind, self.table.partition(tree.name), NAMED(name=tree.name), fact.words)
        if tree.name in CONSTANTS:
            return _Meaning(FactKind.NUMBER, {CONSTANTS[tree.name]: self.table.possible}, shown=NAMED(name=tree.name))
        raise WhenError(tree.offset, UNKNOWN_FACT(found=repr(tree.name[:40]), hint=hint(tree.name, self.known())))

    def _number(self, tree: Expression) -> _Meaning:
        meaning = self._meaning(tree)
        if meaning.kind is not FactKind.NUMBER:
            raise WhenError(start(tree), NO_NUMBER(part=meaning.shown, kind=meaning.kind.value))
        return meaning

    def _arithmetic(self, sign: str, left: _Meaning, right: _Meaning, offset: int) -> _Meaning:
        if sign == "%" and 0 in right.partition:
            raise WhenError(offset, DIVIDES_BY_ZERO())
        work = _ARITHMETIC[sign]
        divided: dict[Value, Endings] = {}
        for one, other, endings in self._joint(left.partition, right.partition):
            value = work(one, other)
            if abs(value) > NUMBER_MAX:
                raise WhenError(offset, NUMBER_REACHED(found=str(value), most=NUMBER_MAX))
            divided[value] = divided.get(value, 0) | endings
        return _Meaning(FactKind.NUMBER, divided, shown=THE_SUM())

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
                tree.offset,
                COMPARED_UNLIKE(
                    first=left.shown, first_kind=left.kind.value, second=right.shown, second_kind=right.kind.value
                ),
            )
        if left.kind is FactKind.WORD and left.words != right.words:
            raise WhenError(tree.offset, NO_WORDS_IN_COMMON(first=left.shown, second=right.shown))
        if left.kind is not FactKind.NUMBER:
            if tree.sign not in ("==", "!="):
                raise WhenError(tree.offset, ONLY_EQUAL_OR_NOT(part=left.shown, kind=left.kind.value))
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
        if left.kind is FactKind.WORD:
            return left, self._word(tree.right, left)
        return left, self._meaning(tree.right)

    def _word(self, tree: Expression, across: _Meaning) -> _Meaning:
        """A word among those that the fact across can be; or another fact with words."""
        if isinstance(tree, Name) and tree.name in across.words:
            return _Meaning(FactKind.WORD, {tree.name: self.table.possible}, NAMED(name=tree.name), across.words)
        if isinstance(tree, Name) and tree.name not in self.known():
            unknown = UNKNOWN_WORD if across.words else UNKNOWN_FACT
            near = hint(tree.name, list(across.words) or self.known())
            raise WhenError(tree.offset, unknown(found=repr(tree.name[:40]), hint=near))
        return self._meaning(tree)

    def _membership(self, tree: OneOf) -> _Meaning:
        holds = 0
        for low, high in tree.items:
            offset = start(low)
            if low is high:
                holds |= self._truth(Compare("==", tree.of, low, offset))
                continue
            bounds = [self._number(end).partition for end in (low, high)]
            if all(len(bound) == 1 for bound in bounds) and int(next(iter(bounds[0]))) > int(next(iter(bounds[1]))):
                raise WhenError(offset, RANGE_EMPTY())
            holds |= self._truth(Compare("<=", low, tree.of, offset)) & self._truth(
                Compare("<=", tree.of, high, offset)
            )
        return self._yes(holds)
