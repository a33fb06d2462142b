"""A full shoe for every round: many changes of shoes at once, without making the table for each.

Where every round has a shuffle of its own, most of a file is changes of shoes, and what they leave at the table is known: numbers go up by one, there
is another commitment, the board has one more result. So secrets, cards and the digests of states are checked from these alone. The
first and the last change of a run are made by the table's own functions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple

import numpy as np

from longhu.audit.kernels.shuffles import first_unlike
from longhu.audit.shoes import ShoeWatch
from longhu.audit.shortcut.state_text import FALSE, NONE, NULL, TRUE, StateText, encoded, encoded_map
from longhu.audit.shortcut.steps import Closing
from longhu.cards import NUMBER_OF_TEXT
from longhu.fairness.shuffle import Mix, Shuffles
from longhu.money import Money
from longhu.table.shoe import BOARD
from longhu.table.state import ShoeInUse, Shuffle, Stake, Table, replace

NUMBER, COMMITMENT, SECRET = 10**18 + 7, "<commitment>", "<secret>"  # marks, where these stand in the text of a shuffle
SPARE = 10  # words of a stream that may be left, and cards that one round takes


class Change(NamedTuple):
    """One round, and the next shoe; digests are as they are told."""

    secret: str
    state: str  # "" where none is told
    commitment: str
    endings: Sequence[int]
    closing: Closing | None  # of the last round; None where none was dealt
    returned: dict[str, Stake]
    balances: Mapping[str, Money]


def is_order(mix: Mix, secret: bytes, before: int, cards: Sequence[str]) -> bool:
    """Are these the cards of a shuffle, behind so many? A secret whose stream leaves many words is for others."""
    words = np.frombuffer(Shuffles(mix).stream(mix.number, secret, 4 * (before + len(cards) + SPARE)), ">u4")
    dealt = np.array([NUMBER_OF_TEXT.get(card, -1) for card in cards], np.int64)
    starts = np.array([0, len(cards)], np.int64)
    return bool(first_unlike(words.astype(np.uint32).reshape(1, -1), _unmixed(mix.counts), dealt, starts, before) < 0)


@lru_cache(16)
def _unmixed(counts: tuple[int, ...]) -> Any:
    """The cards as numbers, as they lie before they are mixed."""
    return np.repeat(np.arange(len(counts)), counts)


class FreshShoes:
    """A table between rounds with a full shoe, as far as rounds and changes of shoes alter it."""

    def __init__(self, table: Table, fresh: ShoeInUse, burned: int, text: StateText) -> None:
        if table.shuffle is None or table.shuffle.mix is None:
            raise AssertionError("a shoe that nobody has shuffled")
        self._table, self._fresh, self._burned, self._mix = table, fresh, burned, table.shuffle.mix
        self._number, self._commitment = table.shuffle.number, table.shuffle.commitment
        self._rounds, self._results = table.rounds, list(table.results)
        self._board = _listed(table.results)  # the same as a state has it
        self._paid, self._last_tie, self._returned = table.paid, table.last_tie, table.returned
        self._paid_texts: dict[int, bytes] = {}
        self._frame, self._shuffle = text.frame(table), _shuffle_frame(replace(self._mix, number=NUMBER))

    @staticmethod
    def may_be(table: Table, fresh: ShoeInUse) -> bool:
        """Was the shoe in use made of nothing but its secret? Then the next ones are like it."""
        shuffle, name = table.shuffle, table.settings.table if table.settings is not None else ""
        if shuffle is None or any(mark in name for mark in (str(NUMBER), COMMITMENT, SECRET)):
            return False
        made = shuffle.mix == Mix(name, shuffle.number, fresh.counts)
        return made and not fresh.cut_at and table.shoe == replace(fresh, number=table.shoes)

    def first_wrong(self, changes: Sequence[Change], dealt: Any, starts: Any, watch: ShoeWatch) -> int | None:
        """The first change whose secret, cards or state are not what they must be.

        `dealt` has the cards that left the shoes, as numbers, and `starts` where those of each begin.
        """
        shuffles, first = Shuffles(self._mix), self._number
        size = 4 * (self._burned + SPARE + int(np.diff(starts).max()))
        streams: list[bytes] = []
        for number, change in enumerate(changes, first):
            secret = bytes.fromhex(change.secret)
            if shuffles.commitment(number, secret) != self._commitment or not self._stands(change):
                return number - first
            streams.append(shuffles.stream(number, secret, size))
        words = np.frombuffer(b"".join(streams), ">u4").reshape(len(changes), -1).astype(np.uint32)
        wrong = int(first_unlike(words, _unmixed(self._mix.counts), dealt, starts, self._burned))
        if wrong >= 0:
            return wrong
        watch.passed(np.diff(starts).tolist(), self._commitment, replace(self._mix, number=self._number), self._burned)
        return None

    def _stands(self, change: Change) -> bool:
        """After a round and a change the table stands so; False where the state is told otherwise."""
        if change.closing is not None:
            self._rounds += len(change.endings)
            self._results += change.endings
            self._board += _listed(change.endings)
            self._paid, self._last_tie = change.closing.paid, change.closing.last_tie
            self._returned = change.returned
        if change.state and change.state != self._digest(change.secret, change.balances):
            return False
        self._forget(len(self._results) - BOARD)
        self._number += 1
        self._commitment = change.commitment
        return True

    def _forget(self, results: int) -> None:
        """The first of them leave the board."""
        for _ in range(results):
            self._board = self._board[self._board.find(b",", 1) :]
        del self._results[: max(0, results)]

    def _digest(self, secret: str, balances: Mapping[str, Money]) -> str:
        """Of the state after the secret was told, without a shoe."""
        number = b"%d" % self._number
        shuffle = self._shuffle % (self._commitment.encode(), number, number, secret.encode())
        text = self._frame % {
            b"balances": encoded_map(balances),
            b"last_tie": TRUE if self._last_tie else FALSE,
            b"paid": self._paid_texts.get(id(self._paid)) or self._paid_text(),
            b"results": b"[%b]" % self._board[1:],
            b"returned": encoded(self._returned) if self._returned else NONE,
            b"round": NULL,
            b"rounds": b"%d" % self._rounds,
            b"shoe": NULL,
            b"shoes": number,
            b"shuffle": shuffle,
        }
        return sha256(text).hexdigest()

    def _paid_text(self) -> bytes:
        """What the last round came to; closings, which have it, are kept for as long as this is."""
        self._paid_texts[id(self._paid)] = text = encoded(self._paid)
        return text

    def table(self) -> Table:
        """The table as it stands, but for its balances."""
        return replace(
            self._table,
            rounds=self._rounds,
            results=tuple(self._results),
            paid=self._paid,
            last_tie=self._last_tie,
            returned=self._returned,
            shoe=replace(self._fresh, number=self._number),
            shoes=self._number,
            shuffle=Shuffle(self._number, self._commitment, mix=replace(self._mix, number=self._number)),
        )


def _listed(numbers: Sequence[int]) -> bytes:
    """Numbers in a list, a comma before each."""
    return b"".join([b",%d" % number for number in numbers])


def _shuffle_frame(mix: Mix) -> bytes:
    """A shuffle that was revealed, with holes for its commitment, twice its number, and its secret."""
    text = encoded(Shuffle(NUMBER, COMMITMENT, mix=mix, secret=SECRET)).replace(b"%", b"%%")
    for mark, times in ((COMMITMENT, 1), (str(NUMBER), 2), (SECRET, 1)):
        if text.count(mark.encode()) != times:
            raise AssertionError("a text in a shuffle that looks like a mark")
        text = text.replace(mark.encode(), b"%b")
    return text
