"""The shuffle: known answers, permutations, and what the order follows from and what it does not."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import fields, replace

from longhu.cards import DECK
from longhu.cli.practice.table import PracticeTable, practice_settings
from longhu.eventsourcing import Event
from longhu.fairness import shuffle
from longhu.fairness.shuffle import Contribution, Mix, SecretStream, commitment, order, secret_of
from longhu.fairness.source import RandomSource, SourceFailed
from longhu.fairness.vectors import KnownAnswer, digest, known_answers, vectors
from longhu.games.registry import built_in, load_game
from longhu.messages.message import Message
from longhu.table.dealing import CardDrawn
from longhu.table.shuffling import CONTRIBUTION_EMPTY, CONTRIBUTION_NOT_PRINTABLE, CONTRIBUTION_TOO_LONG, unfit
from longhu.table.state import Limit
from tests.fairness.shoes import secret
from tests.fairness.test_source import Tape

MIX = Mix("T1", 3, (8,) * 52, (Contribution("ann", "lucky"), Contribution("bob", "八")), "ann", 402)

texts = st.text(max_size=12)
secrets = st.binary(min_size=32, max_size=32)
contributions = st.lists(st.builds(Contribution, texts, texts), max_size=3).map(tuple)
compositions = st.lists(st.integers(0, 3), min_size=52, max_size=52).map(tuple)
mixes = st.builds(Mix, texts, st.integers(1, 10**6), compositions, contributions, texts, st.integers(0, 500))


# ------------------------------------------------ known answers


@pytest.mark.clause("RNG-1")
@pytest.mark.parametrize("vector", vectors(), ids=lambda vector: vector.says)
def test_known_answers(vector: KnownAnswer) -> None:
    known = bytes.fromhex(vector.secret)
    assert commitment(vector.mix.table, vector.mix.number, known) == vector.commitment
    cards = order(vector.mix, known)
    assert cards[: len(vector.first)] == vector.first
    assert digest(cards) == vector.digest


def test_all_known_answers_are_given() -> None:
    assert known_answers() == ""


@pytest.mark.clause("RNG-1")
def test_a_second_reading_of_the_specification_gives_the_same() -> None:
    """Written out anew from the words of the specification, without the module's own code."""

    def packed(*parts: bytes) -> bytes:
        return b"".join(len(part).to_bytes(4, "big") + part for part in parts)

    known = secret(1)
    counts = ",".join(map(str, MIX.counts)).encode()
    said = [text.encode() for one in MIX.contributions for text in (one.person, one.value)]
    seed = packed(b"longhu-shuffle/1", b"order", b"T1", b"3", known, counts, b"ann", b"402", *said)
    chance = hashlib.shake_256(seed).digest(100_000)
    cards, read = [str(card) for card in DECK for _ in range(8)], 0
    for place in range(len(cards) - 1):
        left = len(cards) - place
        while True:
            word = int.from_bytes(chance[read : read + 4], "big")
            read += 4
            if word < 2**32 // left * left:
                break
        other = place + word % left
        cards[place], cards[other] = cards[other], cards[place]
    assert order(MIX, known) == tuple(cards)


# ------------------------------------------------ an order of just these cards


@pytest.mark.clause("RNG-6")
@given(mixes, secrets)
def test_every_card_is_there_as_often_as_it_was_mixed(mix: Mix, known: bytes) -> None:
    found = Counter(order(mix, known))
    assert found == Counter({str(card): count for card, count in zip(DECK, mix.counts, strict=True) if count})


@pytest.mark.clause("RNG-6")
@given(mixes, secrets, st.integers(0, 200))
def test_the_first_few_are_the_beginning_of_the_whole(mix: Mix, known: bytes, first: int) -> None:
    assert order(mix, known, first) == order(mix, known)[:first]


@pytest.mark.parametrize("counts", [(0,) * 52, (1,) + (0,) * 51], ids=["none", "one"])
def test_nothing_and_a_single_card_are_in_order(counts: tuple[int, ...]) -> None:
    assert order(replace(MIX, counts=counts), secret(1)) == ("AS",) * counts[0]


@pytest.mark.clause("RNG-6")
def test_the_same_inputs_give_the_same_order() -> None:
    assert order(MIX, secret(1)) == order(replace(MIX), secret(1))


# ------------------------------------------------ what the order follows from


CHANGES: dict[str, Any] = {
    "table": "T2",
    "number": 4,
    "counts": (8,) * 51 + (7,),
    "contributions": MIX.contributions[::-1],
    "cut_by": "bob",
    "cut_at": 401,
}


@pytest.mark.clause("RNG-1", "RUL-6")
@pytest.mark.parametrize("field", [field.name for field in fields(Mix)])
def test_each_part_of_the_mix_changes_the_order(field: str) -> None:
    assert order(replace(MIX, **{field: CHANGES[field]}), secret(1)) != order(MIX, secret(1))


@pytest.mark.parametrize(
    "said",
    [
        (),
        (Contribution("ann", "lucky"),),
        (Contribution("ann", "lucky!"), Contribution("bob", "八")),
        (Contribution("ann", "luckybob"), Contribution("", "八")),
        (Contribution("annlucky", ""), Contribution("bob", "八")),
    ],
)
@pytest.mark.clause("RUL-6")
def test_who_contributed_what_changes_the_order(said: tuple[Contribution, ...]) -> None:
    assert order(replace(MIX, contributions=said), secret(1)) != order(MIX, secret(1))


@pytest.mark.clause("RNG-1")
def test_each_bit_of_the_secret_changes_the_order() -> None:
    known = secret(1)
    found = {order(MIX, known, 52)}
    for bit in range(256):
        found.add(order(MIX, (int.from_bytes(known, "big") ^ 1 << bit).to_bytes(32, "big"), 52))
    assert len(found) == 257


@pytest.mark.clause("RUL-6")
def test_a_shuffle_knows_nothing_of_wagers() -> None:
    """What a mix holds: cards, and nothing about stakes, odds or money. That no wager leads there by an import is a contract of the package."""
    assert [field.name for field in fields(Mix)] == ["table", "number", "counts", "contributions", "cut_by", "cut_at"]


def house_of(game_id: str, others: int = 0, seed: int | None = 7) -> PracticeTable:
    """A practice table that is open, before its first shoe."""
    game = load_game(built_in()[game_id])
    layout = next(iter(game.layouts))
    limits = {
        id: Limit(wager.limit.min or 100, wager.limit.max or 100_00) for id, wager in game.offered(layout).items()
    }
    method, decks = next(iter(game.methods), ""), game.decks.default
    settings = practice_settings(game, layout=layout, decks=decks, method=method, limits=limits, seats=others + 1)
    house = PracticeTable(game, settings, 10_000_00, others=others, seed=seed)
    assert house.open() is None
    return house


def play_a_round(house: PracticeTable, stake: int) -> None:
    house.open_round()
    house.bet(next(iter(house.settings.limits)), stake)
    house.others_bet()
    while (act := house.dealers_act()) is not None:
        assert isinstance(act, list), act


def played(game_id: str, stake: int, others: int) -> tuple[tuple[str, ...], list[str]]:
    """The order of a practice table's first shoe, and the cards of three rounds as they were drawn."""
    house = house_of(game_id, others)
    drawn: list[str] = []

    def listen(events: list[Event]) -> None:
        drawn.extend(event.card.card for event in events if isinstance(event, CardDrawn))

    house.listeners.append(listen)
    assert house.new_shoe()
    for _ in range(3):
        play_a_round(house, stake)
    return house.order, drawn


@pytest.mark.clause("RNG-3")
def test_the_secret_is_in_no_event_before_it_is_revealed() -> None:
    house = house_of("dragon-tiger")
    told: list[Event] = []
    house.listeners.append(told.extend)
    house.new_shoe()
    play_a_round(house, 100)
    known = house._secret
    assert commitment(house.settings.table, 1, known) in repr(told)
    for written in (known.hex(), repr(known)):
        assert written not in repr(told)
        assert written not in repr(house.table)


@pytest.mark.clause("RNG-7")
def test_no_shoe_is_made_from_a_source_that_has_failed() -> None:
    house = house_of("dragon-tiger", seed=None)
    house._source = RandomSource(Tape(good=1))
    with pytest.raises(SourceFailed, match="Suspend the table"):
        house.new_shoe()
    assert house.table.shoe is None
    assert house.table.shuffle is None


@pytest.mark.clause("RUL-6", "RNG-6")
def test_wagers_change_neither_the_order_nor_what_is_drawn() -> None:
    """The cards leave the shoe in its order, each once, whatever was staked and by how many."""
    shoe, drawn = played("dragon-tiger", 100, others=0)
    assert drawn == list(shoe[: len(drawn)])
    assert len(drawn) == 6
    assert played("dragon-tiger", 50_00, others=5) == (shoe, drawn)


# ------------------------------------------------ no input is taken for another


@pytest.mark.clause("RNG-1")
@given(st.lists(st.binary(max_size=6), max_size=5), st.lists(st.binary(max_size=6), max_size=5))
def test_no_two_lists_are_packed_alike(one: list[bytes], other: list[bytes]) -> None:
    assert (shuffle._packed(*one) == shuffle._packed(*other)) is (one == other)


@given(st.lists(st.binary(max_size=300), max_size=6))
def test_what_is_packed_can_be_read_back(parts: list[bytes]) -> None:
    packed, found = shuffle._packed(*parts), []
    while packed:
        size = int.from_bytes(packed[:4], "big")
        found.append(packed[4 : 4 + size])
        packed = packed[4 + size :]
    assert found == parts


@pytest.mark.clause("RNG-1")
@given(mixes, secrets)
def test_the_commitment_and_the_order_never_hash_the_same_bytes(mix: Mix, known: bytes) -> None:
    hashed: list[bytes] = []

    class Recording:
        def __getattr__(self, name: str) -> Any:
            def record(data: bytes) -> Any:
                hashed.append(data)
                return getattr(hashlib, name)(data)

            return record

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shuffle, "hashlib", Recording())
        commitment(mix.table, mix.number, known)
        SecretStream(mix, known).word()
    sealed, ordered = hashed
    protocol = len(shuffle.PROTOCOL).to_bytes(4, "big") + shuffle.PROTOCOL
    assert sealed.startswith(protocol + b"\x00\x00\x00\x0acommitment")
    assert ordered.startswith(protocol + b"\x00\x00\x00\x05order")


@pytest.mark.clause("RNG-3")
def test_a_commitment_is_bound_to_its_table_and_its_shoe() -> None:
    known = secret(1)
    found = {commitment(*what, known) for what in (("T1", 1), ("T1", 2), ("T2", 1), ("T1", 11), ("T11", 1))}
    assert len(found) == 5
    assert all(known.hex() not in each for each in found)


# ------------------------------------------------ the stream, and what is written


def test_the_stream_is_read_without_a_gap() -> None:
    stream = SecretStream(MIX, secret(1))
    words = b"".join(stream.word().to_bytes(4, "big") for _ in range(500))
    assert stream._shake.digest(2000) == words


@pytest.mark.parametrize(
    ("text", "read"),
    [("ab" * 32, bytes([0xAB] * 32)), ("AB" * 32, None), ("ab" * 31, None), ("ab " * 32, None), ("zz" * 32, None)],
)
def test_a_secret_is_written_in_one_way_only(text: str, read: bytes | None) -> None:
    assert secret_of(text) == read


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("八 lucky", None),
        ("", CONTRIBUTION_EMPTY()),
        ("x" * 129, CONTRIBUTION_TOO_LONG(characters=129, most=128)),
        ("a\nb", CONTRIBUTION_NOT_PRINTABLE()),
    ],
)
def test_what_may_be_contributed(value: str, problem: Message | None) -> None:
    assert unfit(value) == problem
