"""What a condition means: the set of endings for which it holds.

Every part of an expression divides the endings by its value, as facts do; comparing and joining parts is
then set algebra, and types are checked on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import add, eq, ge, gt, le, lt, mod, mul, ne, sub

from longhu.deal.facts import Endings, Kind, OutcomeTable, Partition, Value, members
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
from longhu.wording import suggest


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
                start(tree), f"{meaning.shown} is {meaning.kind.value}, and yes or no is needed here: compare it"
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
            raise WhenError(start(tree), f"{meaning.shown} is {meaning.kind.value}, and a number is needed here")
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
            offset = start(low)
            if low is high:
                holds |= self._truth(Compare("==", tree.of, low, offset))
                continue
            bounds = [self._number(end).partition for end in (low, high)]
            if all(len(bound) == 1 for bound in bounds) and int(next(iter(bounds[0]))) > int(next(iter(bounds[1]))):
                raise WhenError(offset, "the range is empty: its first number is greater than its last")
            holds |= self._truth(Compare("<=", low, tree.of, offset)) & self._truth(
                Compare("<=", tree.of, high, offset)
            )
        return self._yes(holds)


def unknown(found: str, possible: list[str], what: str) -> str:
    return f"unknown {what} {found[:40]!r}.{suggest(found, possible)}"
