"""Exact counts for twenty-one between two hands, for any shoe, in whole numbers.

Nobody decides anything, so a hand is a path: it draws until it stands. How often a path occurs depends only
on which values it took, and the order in which unseen cards lie is exchangeable. So both hands are stopped
just before their last card. Such an open hand is a set of values (with repetition) and a summary; with
`draws_to` 16 there are 600. Two open hands that together take the cards c can do so in

    W[c] orders, times the product of n[v] (n[v] - 1) ... (n[v] - c[v] + 1) over the values v,

where W depends on the rules alone, and many pairs of hands share c and their summaries. The last cards x
and y, for which n[x] - c[x] and n[y] - c[y] - [x = y] cards are left, decide both totals; as these are
linear in c, it is enough to add up, for each pair of summaries, the deals and the deals weighted with
c[x], c[y] and c[x] c[y].

Rounds with a Blackjack end with four cards and are counted one by one. Pairs are counted apart: see `marks`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import mul

from longhu.cards import Card, Shoe
from longhu.deal.twenty_one import TwentyOne, TwentyOneHand, point_value
from longhu.odds.falling import behind, falling
from longhu.odds.marks import Group, Marks, kinds
from longhu.odds.open_hands import VALUES, DrawMemo, Orders, Start, how_many, parts
from longhu.odds.ways import Known

BLACKJACK = 0  # stands for the total of a Blackjack
Ends = dict[tuple[int, int], int]  # the deals by both hands' totals


def count(procedure: TwentyOne, left: Shoe, known: Known) -> dict[int, int]:
    """The deals by ending."""
    round = DealtRound(DrawMemo(procedure), left, known)
    deals = RoundDeals(round.shoe)
    return round.endings(lambda one, other: _meet(round.drawing, deals, one, other))


class DealtRound:
    """A round as far as it is dealt: what is left of the shoe, and from which starts the hands draw on."""

    def __init__(self, drawing: DrawMemo, left: Shoe, known: Known = ((), ())) -> None:
        procedure = drawing.procedure
        held = kinds(left, suits=procedure.suits)
        self._hands = [_held(procedure, cards) for cards in known]
        self.drawing = drawing
        self.shoe = ValueShoe.of(held, procedure.cards_max - len(known[0]) - len(known[1]))
        self._marks = Marks(procedure, held, point_value, known)

    def starts(self) -> dict[tuple[Group, Group], tuple[Start, Start]]:
        """The starts that have to be told apart; of two that only exchange the hands, one."""
        marks, alike = self._marks, self._hands[0] == self._hands[1]
        found: dict[tuple[Group, Group], tuple[Start, Start]] = {}
        for first in marks.groups(0):
            for second in marks.groups(1):
                if not alike or (second, first) not in found:
                    found[first, second] = (
                        self.drawing.start(self._hands[0], tuple(marks.drawn(0, first))),
                        self.drawing.start(self._hands[1], tuple(marks.drawn(1, second))),
                    )
        return found

    def endings(self, meet: Callable[[Start, Start], Ends]) -> dict[int, int]:
        """The deals by ending; `meet` counts those in which both hands draw."""
        procedure, tails = self.drawing.procedure, dict[tuple[Group, Group], dict[int, int]]()
        for (first, second), (one, other) in self.starts().items():
            ends = self.shoe.per_choice(one.taken + other.taken, self._ends(one, other, meet))
            tails[first, second] = by_number(procedure, ends)
            if first != second and self._hands[0] == self._hands[1]:
                turned = {(total, total_too): ways for (total_too, total), ways in ends.items()}
                tails[second, first] = by_number(procedure, turned)
        return self._marks.endings(tails)

    def _ends(self, one: Start, other: Start, meet: Callable[[Start, Start], Ends]) -> Ends:
        """The deals that follow from two starts."""
        shoe, found = self.shoe, _blackjacks(self.shoe, one, other)
        if one.after.blackjack or other.after.blackjack:
            return found
        if one.stands and other.stands:
            taken = one.taken + other.taken
            found[one.after.total, other.after.total] += shoe.ways(taken) * shoe.behind(how_many(taken))
        elif one.stands:
            for total, ways in _alone(self.drawing, shoe, other, one.taken):
                found[one.after.total, total] += ways
        elif other.stands:
            for total, ways in _alone(self.drawing, shoe, one, other.taken):
                found[total, other.after.total] += ways
        else:
            for totals, ways in meet(one, other).items():
                found[totals] += ways
        return found


def _held(procedure: TwentyOne, cards: Sequence[Card]) -> TwentyOneHand:
    """What cards come to."""
    hand = procedure.empty
    for each in cards:
        hand = procedure.take(hand, each)
    return hand


def by_number(procedure: TwentyOne, ends: Ends) -> dict[int, int]:
    """The deals by draw number."""
    return {
        procedure.draw_number(_finished(one), _finished(other)): ways for (one, other), ways in ends.items() if ways
    }


def _finished(total: int) -> TwentyOneHand:
    return TwentyOneHand(2, 11, True) if total == BLACKJACK else TwentyOneHand(3, total)


def _blackjacks(shoe: ValueShoe, one: Start, other: Start) -> Ends:
    """Rounds that a Blackjack stops with four cards."""
    found: Ends = defaultdict(int)
    if one.hand.cards >= 2 and other.hand.cards >= 2:
        return found
    seconds = other.initial_hands()
    stopping = [(cards, hand) for cards, hand in seconds if hand.blackjack]
    for cards, hand in one.initial_hands():
        for more, hand_too in seconds if hand.blackjack else stopping:
            ways = shoe.ways(cards + more) * shoe.behind(how_many(cards + more))
            found[_total(hand), _total(hand_too)] += ways
    return found


def _total(hand: TwentyOneHand) -> int:
    return BLACKJACK if hand.blackjack else hand.total


def _alone(drawing: DrawMemo, shoe: ValueShoe, start: Start, taken: int) -> Iterator[tuple[int, int]]:
    """How one hand ends when the other takes no more cards than `taken`."""
    for cards, hand, orders in start.open_hands:
        held = dict(parts(cards + taken))
        ways = orders * shoe.ways(cards + taken) * shoe.behind(sum(held.values()) + 1)
        if ways:
            for value, total in drawing.lasts(hand).items():
                yield total, ways * (shoe.values[value] - held.get(value, 0))


def _meet(drawing: DrawMemo, deals: RoundDeals, one: Start, other: Start) -> Ends:
    """Both hands draw. When they start alike, each pair of summaries is looked at once and counts both ways."""
    found: Ends = defaultdict(int)
    seconds = list(other.by_summary.items())
    for place, (first, ones) in enumerate(one.by_summary.items()):
        for second, others in seconds[place:] if one is other else seconds:
            together = sum(map(mul, *deals.of(_taken_together(ones, others))))
            if not together:
                continue
            weighted = deals.weighted(together)
            lasts = drawing.lasts(second).items()
            for x, total in drawing.lasts(first).items():
                for y, total_too in lasts:
                    ways = deals.with_last(weighted, x, y)
                    found[total, total_too] += ways
                    if one is other and first != second:
                        found[total_too, total] += ways
    return found


def _taken_together(ones: Orders, others: Orders) -> Orders:
    """The sets that two hands can take between them, and in how many orders."""
    together: Orders = {}
    known = together.get
    for cards, orders in ones.items():
        for more, more_orders in others.items():
            both = cards + more
            together[both] = known(both, 0) + orders * more_orders
    return together


# Where a weight stands among the digits of `RoundDeals`: low values first, so that most numbers are short.
WEIGHTS = [(x, y) for x in range(11) for y in range(x + 1)]
DIGITS = [[WEIGHTS.index((max(x, y), min(x, y))) for y in range(11)] for x in range(11)]


class RoundDeals(dict[int, int]):
    """For a set of values, the deals of these cards, weighted in all the ways that last cards ask for.

    The deals themselves, times c[x] and times c[x] c[y] for all values, are the digits of one long number, with
    digits so large that sums never carry: adding up over hands is then a few operations on long numbers.
    """

    def __init__(self, shoe: ValueShoe) -> None:
        super().__init__()
        self.shoe = shoe
        self.octets = (falling(shoe.size, shoe.counted).bit_length() + 12) // 8 + 1  # 12: a weight is below 64 * 64

    def __missing__(self, cards: int) -> int:
        held = parts(cards)
        deals = self.shoe.ways(cards) * self.shoe.behind(how_many(cards) + 2)
        digits = 0
        if deals:
            bits = 8 * self.octets
            digits = 1
            for place, (x, taken) in enumerate(held):
                digits += taken << DIGITS[x][0] * bits
                for y, taken_too in held[: place + 1]:
                    digits += taken * taken_too << DIGITS[x][y] * bits
        self[cards] = weighted = digits * deals
        return weighted

    def of(self, together: Orders) -> tuple[Iterable[int], Iterable[int]]:
        """The deals of sets of values, beside their orders."""
        return map(self.__getitem__, together), together.values()

    def weighted(self, together: int) -> list[int]:
        """The digits of a sum."""
        octets = together.to_bytes(len(WEIGHTS) * self.octets, "little")
        places = range(0, len(octets), self.octets)
        return [int.from_bytes(octets[place : place + self.octets], "little") for place in places]

    def with_last(self, weighted: list[int], x: int, y: int) -> int:
        """The deals when x is the first hand's last card and y the second's: (n[x] - c[x]) (n[y] - c[y] - [x = y])."""
        digits, values = DIGITS[x], self.shoe.values
        left_x, left_y = values[x], values[y] - (x == y)
        with_x = left_x * weighted[0] - weighted[digits[0]]
        return left_y * with_x - left_x * weighted[DIGITS[y][0]] + weighted[digits[y]]


@dataclass(frozen=True, slots=True)
class ValueShoe:
    """How many cards of each value are left, and how many are dealt in a deal that is counted."""

    values: Mapping[int, int]
    size: int
    counted: int

    @classmethod
    def of(cls, held: Mapping[Card, int], cards_max: int) -> ValueShoe:
        values = dict.fromkeys(VALUES, 0)
        for each, some in held.items():
            values[point_value(each.rank)] += some
        size = sum(values.values())
        return cls(values, size, min(size, cards_max))

    def behind(self, drawn: int) -> int:
        return behind(self.size, drawn, self.counted)

    def ways(self, cards: int) -> int:
        """Ordered draws of these cards, place by place."""
        found = 1
        for value, some in parts(cards):
            found *= falling(self.values[value], some)
        return found

    def per_choice(self, cards: int, ends: Ends) -> Ends:
        """Deals in which these cards come first, for each choice of which ones of their value they are."""
        choices = self.ways(cards)
        return {totals: ways // choices for totals, ways in ends.items()} if choices else {}
