"""Shuffles for a laboratory, and the bits that are in them."""

from __future__ import annotations

from collections import Counter
from itertools import islice, permutations

import msgspec
import pytest

from longhu.cards import NUMBER_OF_TEXT
from longhu.fairness.samples import Sample, bits_of, fair_bits, mixes, orders, place_among, samples
from longhu.fairness.shuffle import Mix, commitment, order
from longhu.fairness.source import RandomSource
from tests.fairness.shoes import ONE_DECK, fair
from tests.fairness.test_source import Tape


@pytest.mark.clause("RNG-8")
def test_a_sample_is_made_as_a_table_makes_its_shoe() -> None:
    tape = Tape()
    first, second = samples(RandomSource(tape), mixes((8,) * 52, 2, behind=14))
    for number, sample in ((1, first), (2, second)):
        known = tape.gave[number]
        assert sample.mix == Mix("laboratory", number, (8,) * 52, (), "patron", 402)
        assert sample.secret == known.hex()
        assert sample.commitment == commitment("laboratory", number, known)
        assert sample.order == order(sample.mix, known)


@pytest.mark.clause("RNG-8")
def test_shoes_without_their_secrets_are_the_same_shoes() -> None:
    assert list(orders(RandomSource(Tape()), mixes(ONE_DECK, 5))) == [
        sample.order for sample in samples(RandomSource(Tape()), mixes(ONE_DECK, 5))
    ]


def test_nobody_cuts_where_nothing_lies_behind() -> None:
    (mix,) = mixes(ONE_DECK, 1)
    assert (mix.cut_by, mix.cut_at) == ("", 0)


def test_a_sample_reads_back_what_it_wrote() -> None:
    (sample,) = samples(RandomSource(Tape()), mixes(ONE_DECK, 1, behind=14))
    assert msgspec.json.decode(msgspec.json.encode(sample), type=Sample) == sample


# ------------------------------------------------ from orders to bits


@pytest.mark.parametrize("counts", [(1, 1, 1, 1), (2, 1), (3, 0, 2, 1), (2, 2, 2)])
def test_every_order_has_its_own_place(counts: tuple[int, ...]) -> None:
    cards = [card for card, count in enumerate(counts) for _ in range(count)]
    every = sorted(set(permutations(cards)))
    assert [place_among(order, counts) for order in every] == [(place, len(every)) for place in range(len(every))]


@pytest.mark.clause("RNG-2")
@pytest.mark.parametrize("bound", [1, 2, 3, 6, 7, 24, 100, 120, 720])
def test_of_numbers_that_are_equally_likely_so_are_the_bits(bound: int) -> None:
    found = Counter(fair_bits(number, bound) for number in range(bound))
    assert set(found.values()) == {1}
    widths = Counter(width for _bits, width in found)
    assert all(many == 1 << width for width, many in widths.items())


def test_a_number_beyond_the_bound_is_refused() -> None:
    with pytest.raises(ValueError, match="not below the bound"):
        fair_bits(6, 6)


@pytest.mark.clause("RNG-8")
def test_bits_are_joined_without_a_gap() -> None:
    shoes = list(islice(fair(), 50))
    found = b"".join(bits_of(shoes, ONE_DECK))
    bits = ""
    for cards in shoes:
        number, width = fair_bits(*place_among([NUMBER_OF_TEXT[card] for card in cards], ONE_DECK))
        bits += f"{number:0{width}b}" if width else ""
    assert found == int(bits[: len(bits) // 8 * 8], 2).to_bytes(len(bits) // 8, "big")
    assert len(found) > 50 * 200 // 8  # an order of 52 cards holds nearly 226 bits
