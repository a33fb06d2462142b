"""Cards are read as people write them, and a shoe never gives what it does not hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longhu.cards import DECK, DECKS_MAX, SUITS, Card, CardError, Shoe, ShoeError, Suit, card, cards

# ---------------------------------------------------------------- reading and printing


@pytest.mark.parametrize(
    ("written", "rank", "suit", "printed"),
    [
        ("KS", 13, Suit.SPADES, "KS"),
        ("ks", 13, Suit.SPADES, "KS"),
        ("Ks", 13, Suit.SPADES, "KS"),
        ("kS", 13, Suit.SPADES, "KS"),
        ("TH", 10, Suit.HEARTS, "TH"),
        ("th", 10, Suit.HEARTS, "TH"),
        ("10h", 10, Suit.HEARTS, "TH"),
        ("10H", 10, Suit.HEARTS, "TH"),
        ("AD", 1, Suit.DIAMONDS, "AD"),
        ("2c", 2, Suit.CLUBS, "2C"),
    ],
)
def test_a_card_is_read_however_people_write_it_and_printed_one_way(
    written: str, rank: int, suit: Suit, printed: str
) -> None:
    read = card(written)
    assert (read.rank, read.suit) == (rank, suit)
    assert str(read) == repr(read) == printed


@pytest.mark.parametrize("each", DECK, ids=str)
def test_every_card_reads_back_what_it_printed(each: Card) -> None:
    assert card(str(each)) == card(str(each).lower()) == each


def test_a_deck_has_52_different_cards_each_at_its_number() -> None:
    assert len({str(each) for each in DECK}) == 52
    assert [each.number for each in DECK] == list(range(52))
    assert sorted(DECK, reverse=True) == list(DECK)[::-1]


def test_each_rank_stands_in_four_suits_two_red_and_two_black() -> None:
    for rank in range(1, 14):
        colours = [each.suit.colour for each in DECK if each.rank == rank]
        assert sorted(colours) == ["black", "black", "red", "red"]
    assert [suit.word for suit in SUITS] == ["spades", "hearts", "diamonds", "clubs"]


def test_several_cards_are_separated_by_spaces_or_commas() -> None:
    expected = (card("5D"), card("KC"), card("2C"))
    assert cards("5D KC 2C") == cards("5D,KC,2C") == cards(" 5d,  Kc\t2c\n") == expected
    assert cards("") == cards(" , ") == ()


FORM = "Write rank then suit, as in KS or TH."


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("1S", "'1S' is no card: rank '1' is none of A 2 3 4 5 6 7 8 9 T J Q K."),
        ("11S", "rank '11' is none of"),
        ("0H", "rank '0' is none of"),
        ("SK", "suit 'K' is none of S H D C."),
        ("K", "suit 'K' is none of S H D C."),
        ("S", "'S' is no card: rank '' is none of"),
        ("K♠", "suit '♠' is none of S H D C."),
        ("Kſ", "suit 'ſ' is none of S H D C."),
        ("KSS", "rank 'KS' is none of"),
        ("K S", "rank 'K ' is none of"),
        (" KS", "rank ' K' is none of"),
        ("KS\n", "is no card"),
        ("", "an empty text is no card."),
        ("   ", "an empty text is no card."),
        ("١٠S", "rank '١٠' is none of"),
        ("king of spades", "rank 'king of spade' is none of"),
    ],
)
def test_what_is_no_card_is_told_with_the_reason_and_how_to_write_one(written: str, why: str) -> None:
    with pytest.raises(CardError) as told:
        card(written)
    assert why in str(told.value)
    assert str(told.value).endswith(FORM)


@pytest.mark.parametrize(
    "written",
    ["joker", "Joker", "JOKER", "red joker", "black-joker", "JKR", "JK", "jr", "*", "🃏", "XS", "x", "joker2"],
)
def test_a_joker_is_told_by_its_name(written: str) -> None:
    with pytest.raises(CardError, match="is a joker, and every deck here has 52 cards without jokers"):
        card(written)


def test_a_jack_is_no_joker() -> None:
    assert [card(f"J{suit}").rank for suit in "shdc"] == [11] * 4


@pytest.mark.parametrize("value", [7, None, True, 1.5, ["KS"], {"KS": 1}, b"KS", card("KS")])
def test_what_is_no_text_is_told_as_such(value: object) -> None:
    with pytest.raises(CardError, match='a card is a text such as "KS", not '):
        card(value)  # type: ignore[arg-type]


def test_a_long_text_is_told_briefly() -> None:
    for long in ("x" * 100_000, "K" * 100_000 + "S"):
        with pytest.raises(CardError) as told:
            card(long)
        assert len(str(told.value)) < 200


@given(st.text(max_size=12))
def test_any_text_is_a_card_or_a_card_error(written: str) -> None:
    try:
        read = card(written)
    except CardError:
        return
    assert read in DECK


# ---------------------------------------------------------------- shoes


@given(st.integers(1, DECKS_MAX))
def test_a_full_shoe_has_so_many_of_each_card_and_four_times_so_many_of_each_rank(decks: int) -> None:
    shoe = Shoe.of_decks(decks)
    assert shoe.size == 52 * decks
    assert {shoe.count(each) for each in DECK} == {decks}
    assert shoe.by_rank() == (4 * decks,) * 13


@pytest.mark.parametrize("decks", [0, -1, DECKS_MAX + 1, 1.0, "8", True, None])
def test_a_number_of_decks_that_cannot_be_is_told(decks: object) -> None:
    with pytest.raises(ShoeError, match=rf"{decks!r} decks: expected a whole number from 1 to 100"):
        Shoe.of_decks(decks)  # type: ignore[arg-type]


def test_a_shoe_is_counted_by_card() -> None:
    shoe = Shoe.of_counts({"AS": 3, "ah": 1, "10D": 2})
    assert (shoe.count(card("AS")), shoe.count(card("AH")), shoe.count(card("TD"))) == (3, 1, 2)
    assert shoe.size == 6
    assert shoe.by_rank() == (4, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0)


def test_a_card_that_is_counted_twice_under_two_spellings_is_told() -> None:
    with pytest.raises(ShoeError, match="TH is counted twice"):
        Shoe.of_counts({"TH": 1, "10h": 1})


@pytest.mark.parametrize("count", [-1, DECKS_MAX + 1, 1.0, "1", True, None, pytest.param(10**5000, id="huge")])
def test_a_count_that_cannot_be_is_told_at_its_card(count: object) -> None:
    with pytest.raises(ShoeError, match="of KS: expected a whole number from 0 to 100"):
        Shoe.of_counts({"KS": count})  # type: ignore[dict-item]


def test_a_count_of_what_is_no_card_is_told() -> None:
    with pytest.raises(CardError, match="'1S' is no card"):
        Shoe.of_counts({"1S": 4})


def test_a_shoe_counts_52_cards() -> None:
    with pytest.raises(ShoeError, match="a shoe counts 52 cards, and 13 counts were given"):
        Shoe((32,) * 13)


def test_an_exhausted_card_is_told_with_how_many_there_were() -> None:
    with pytest.raises(ShoeError, match="KS was drawn 2 times, and the shoe held 1"):
        Shoe.of_decks(1).without(cards("KS KS"))
    with pytest.raises(ShoeError, match="5D was drawn 1 times, and the shoe held none"):
        Shoe.of_counts({"KS": 1}).without(cards("5D"))


def test_the_last_card_can_be_drawn() -> None:
    assert Shoe.of_decks(1).without(DECK).size == 0


@given(st.integers(1, 8), st.data())
def test_what_is_drawn_is_what_the_shoe_lacks_and_the_shoe_itself_is_unchanged(decks: int, data: st.DataObject) -> None:
    full = Shoe.of_decks(decks)
    drawn = data.draw(st.lists(st.sampled_from(DECK * decks), unique_by=id, max_size=30))
    drawn = [each for index, each in enumerate(drawn) if drawn[:index].count(each) < decks]
    left = full.without(drawn)
    assert all(left.count(each) == decks - drawn.count(each) for each in DECK)
    assert sum(left.by_rank()) == left.size == full.size - len(drawn)
    assert full == Shoe.of_decks(decks)
