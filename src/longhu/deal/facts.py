"""The outcome table: the endings a round can have, and what is true of each.

Every ending has a number. A fact (``player.total``, ``tie``) divides the endings by its value, so a
fact over the whole table is a partition: each value with the set of endings that have it. Sets are
Python integers used as bit sets (ending n is bit n), so that "and", "or" and "not" over thousands of
endings are single operations, and a question such as "can this line ever be reached?" has an exact
answer when a game is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any

from longhu.messages.message import Message

Endings = int  # a set of ending numbers, as a bit set
Value = bool | int | str
Partition = Mapping[Value, Endings]


class FactKind(Enum):
    """What a fact's value is: yes or no, a number, or one of a few words."""

    TRUTH = "truth"
    NUMBER = "number"
    WORD = "word"


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that a wager may depend on."""

    name: str
    kind: FactKind
    says: Message
    of: Callable[[Any], Value]
    words: tuple[str, ...] = ()  # the possible values, when the kind is a word
    needs_suits: bool = False


@dataclass(frozen=True)
class OutcomeTable:
    """All endings of a deal procedure by number, and the facts about them."""

    endings: Mapping[int, Hashable]
    facts: Mapping[str, Fact]
    size: int  # numbers run from 0 to size - 1; not all of them can occur
    _partitions: dict[str, Partition] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def possible(self) -> Endings:
        return bits(self.endings, self.size)

    def partition(self, name: str) -> Partition:
        """The endings divided by the value of one fact."""
        known = self._partitions.get(name)
        if known is None:
            of = self.facts[name].of
            numbers: dict[Value, list[int]] = {}
            for number, ending in self.endings.items():
                numbers.setdefault(of(ending), []).append(number)
            known = {value: bits(those, self.size) for value, those in numbers.items()}
            self._partitions[name] = known
        return known

    def describe(self, number: int) -> dict[str, Value]:
        """Every fact of one ending."""
        return {name: fact.of(self.endings[number]) for name, fact in self.facts.items()}


def bits(numbers: Mapping[int, object] | list[int], size: int) -> Endings:
    """The set of these numbers."""
    octets = bytearray(size // 8 + 1)
    for number in numbers:
        octets[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(octets, "little")


def members(endings: Endings) -> Iterator[int]:
    """The numbers in a set, in ascending order.

    >>> list(members(0b101001))
    [0, 3, 5]
    """
    octets = endings.to_bytes(endings.bit_length() // 8 + 1, "little")
    for index, octet in enumerate(octets):
        base = index << 3
        while octet:
            lowest = octet & -octet
            yield base + lowest.bit_length() - 1
            octet ^= lowest
