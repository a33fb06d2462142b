"""The battery passes what is fair, and fails each shuffle that people get wrong, by the test that is meant for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice, permutations

import pytest

from longhu.cards import DECK
from longhu.fairness import battery
from longhu.fairness.battery import Apart, Followers, Orders, Places, Runs, SamePlace, SamePlaceRanks, ShoeTest
from longhu.fairness.shuffle import SecretStream, mixed
from longhu.fairness.significance import chi_square
from tests.fairness import shoes
from tests.fairness.shoes import ONE_DECK

FEW = (3, 0, 2) + (0,) * 11 + (2,) + (0,) * 37  # three aces of spades, two threes of spades, two twos of hearts


def failures(made: Iterable[Sequence[str]], count: int, counts: tuple[int, ...] = ONE_DECK) -> set[str]:
    tests = battery.shoe_tests(counts)
    assert max(battery.look(tests, counts, islice(made, count))) == count
    return {verdict.finding.test for verdict in battery.judge(tests) if not verdict.passed}


def every_order(counts: Sequence[int]) -> list[list[int]]:
    cards = [card for card, count in enumerate(counts) for _ in range(count)]
    return [list(cards) for cards in sorted(set(permutations(cards)))]


# ------------------------------------------------ fair shuffles pass


@pytest.mark.clause("RNG-4")
@pytest.mark.parametrize(("decks", "count"), [(1, 2000), (6, 300), (8, 300)])
def test_the_shuffle_passes(decks: int, count: int) -> None:
    counts = (decks,) * 52
    assert failures(shoes.fair(counts), count, counts) == set()


@pytest.mark.clause("RNG-4", "RNG-2")
def test_every_order_of_a_small_shoe_is_as_frequent() -> None:
    tests: list[ShoeTest] = []
    for size in battery.SMALL:
        counts = battery.small_counts(size)
        tests.append(Orders(counts))
        for _ in battery.look(tests[-1:], counts, islice(shoes.fair(counts), battery.small_shoes(size))):
            pass
    assert all(verdict.passed for verdict in battery.judge(tests))


# ------------------------------------------------ others do not


@pytest.mark.clause("RNG-4")
@pytest.mark.parametrize(
    ("wrong", "count", "caught_by"),
    [
        (shoes.whole_range, 1500, "card by place"),
        (shoes.last_stays, 260, "card by place"),
        (shoes.modulo_bytes, 6000, "card by place"),
        (shoes.hardly_mixed_again, 600, "card in the same place, one shoe on"),
        (shoes.riffled, 260, "card after card"),
        (shoes.dealt_in_turn, 260, "card by place"),
    ],
)
def test_a_wrong_shuffle_is_caught(wrong: Callable[[], Iterator[tuple[str, ...]]], count: int, caught_by: str) -> None:
    assert caught_by in failures(wrong(), count)


@pytest.mark.clause("RNG-4")
def test_the_usual_mistake_shows_in_the_orders_of_a_small_shoe() -> None:
    counts = battery.small_counts(4)
    test = Orders(counts)
    for _ in battery.look([test], counts, islice(shoes.whole_range(counts), battery.small_shoes(4))):
        pass
    assert not battery.judge([test])[0].passed


@pytest.mark.parametrize(
    ("swap", "says"),
    [
        (("AS", "KC"), "a card twice"),
        (("AS", "ZZ"), "a foreign card"),
        (("AS", ""), "a card missing"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_shoe_without_its_cards_is_no_shuffle(swap: tuple[str, str], says: str) -> None:
    def changed() -> Iterator[list[str]]:
        first, second = islice(shoes.fair(), 2)
        yield list(first)
        yield [card for card in (swap[1] if card == swap[0] else card for card in second) if card]

    tests = battery.shoe_tests(ONE_DECK)
    with pytest.raises(battery.WrongCards, match="shoe 2 does not hold the cards"):
        list(battery.look(tests, ONE_DECK, changed()))
    assert says


# ------------------------------------------------ the moments are those of all orders


MOMENTS: dict[str, Callable[[], ShoeTest]] = {
    "runs of cards": lambda: Runs(FEW, "cards", lambda card: card),
    "runs of suits": lambda: Runs(FEW, "suits", lambda card: card // 13),
    "runs of colours": lambda: Runs(FEW, "colours", lambda card: DECK[card].suit.colour == "red"),
    "ranks 1 card apart": lambda: Apart(FEW, 1),
    "ranks 2 cards apart": lambda: Apart(FEW, 2),
    "ranks 3 cards apart": lambda: Apart(FEW, 3),
}


@pytest.mark.clause("RNG-4")
@pytest.mark.parametrize("what", MOMENTS)
def test_mean_and_variance_are_those_of_all_orders(what: str) -> None:
    """In units of the standard deviation, the orders of a shoe have the mean 0 and the variance 1."""
    deviates = []
    for order in every_order(FEW):
        test = MOMENTS[what]()
        test.add(order)
        found = test.finding()
        assert found.test == what
        deviates.append(found.statistic)
    assert sum(deviates) == pytest.approx(0, abs=1e-9)
    assert sum(each**2 for each in deviates) == pytest.approx(len(deviates))


@pytest.mark.clause("RNG-4")
def test_ranks_between_shoes_have_the_variance_of_all_orders() -> None:
    first, *_ = orders = every_order(FEW)
    deviates = []
    for order in orders:
        test = SamePlaceRanks(FEW, 1)
        test.add(first)
        test.add(order)
        deviates.append(test.finding().statistic)
    assert sum(deviates) == pytest.approx(0, abs=1e-9)
    assert sum(each**2 for each in deviates) == pytest.approx(len(deviates))


@pytest.mark.clause("RNG-4")
@pytest.mark.parametrize(
    ("make", "expected", "before"),
    [
        (lambda: Places(FEW), 6 * 2, False),
        (lambda: Followers(FEW), 2 * 2, False),
        (lambda: SamePlace(FEW, 1), 2 * 2, True),
    ],
    ids=["card by place", "card after card", "card in the same place"],
)
def test_a_chi_square_has_the_mean_of_its_freedom(make: Callable[[], ShoeTest], expected: int, *, before: bool) -> None:
    """Whatever the composition: over all orders the mean of the statistic is its degrees of freedom."""
    first, *_ = orders = every_order(FEW)
    statistics = []
    for order in orders:
        test = make()
        for shoe in [first, order] if before else [order]:
            test.add(shoe)
        found = test.finding()
        assert found.freedom == expected
        statistics.append(found.statistic)
    assert sum(statistics) / len(statistics) == pytest.approx(expected)


# ------------------------------------------------ exhaustive


class Told(SecretStream):
    """A stream that says the words it is given."""

    def __init__(self, words: Sequence[int]) -> None:
        self._told = iter(words)

    def word(self) -> int:
        return next(self._told)


@cache
def few(words: int) -> type[Told]:
    """Streams in which there are only so many words."""
    return type("Few", (Told,), {"words": words})


def told(words: int, *said: int) -> Told:
    return few(words)(said)


@pytest.mark.clause("RNG-2")
@pytest.mark.parametrize("words", [2, 3, 16, 250, 256])
def test_all_words_are_shared_out_evenly(words: int) -> None:
    """The proof for small ranges: every word tried, every number found as often as every other."""
    for bound in range(1, words + 1):
        found = [0] * bound
        left = 0
        for word in range(words):
            try:
                found[told(words, word).below(bound)] += 1
            except StopIteration:
                left += 1
        assert set(found) == {words // bound}
        assert left == words % bound < bound


@pytest.mark.clause("RNG-2")
def test_a_word_that_is_left_is_followed_by_the_next() -> None:
    assert told(256, 255, 252, 251).below(7) == 251 % 7
    assert [told(256, word).below(256) for word in range(256)] == list(range(256))


@pytest.mark.clause("RNG-2", "RNG-4")
@pytest.mark.parametrize(("cards", "words", "length"), [("ABC", 7, 4), ("ABCD", 8, 4), ("ABCD", 5, 5), ("ABCDE", 5, 5)])
def test_every_order_of_a_tiny_shoe_is_exactly_as_likely(cards: str, words: int, length: int) -> None:
    """Every sequence of words that there is; those that run out while words are left out count for no order."""
    found = dict.fromkeys(permutations(cards), 0)
    said = [0] * length
    while True:
        try:
            order = mixed(list(cards), told(words, *said))
        except StopIteration:
            pass
        else:
            found[order] += 1
        place = next((place for place in range(length) if said[place] < words - 1), None)
        if place is None:
            break
        said[: place + 1] = [0] * place + [said[place] + 1]
    assert len(set(found.values())) == 1
    assert min(found.values()) > 0


@pytest.mark.clause("RNG-2")
def test_a_large_range_is_shared_out_evenly() -> None:
    """Three quarters of all words: the remainder alone would give numbers of the first third twice as often."""
    stream, bound, thirds = SecretStream(shoes.mix(ONE_DECK), shoes.secret(1)), 3 << 30, [0, 0, 0]
    for _ in range(6000):
        thirds[stream.below(bound) * 3 // bound] += 1
    test = chi_square("thirds", thirds, [2000] * 3)
    assert test.chance > 0.01
    assert chi_square("thirds", [3000, 1500, 1500], [2000] * 3).chance < 1e-9
