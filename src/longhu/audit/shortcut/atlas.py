"""Everything that was learned of rounds from one place, as rows of numbers for compiled code.

An atlas is a copy. What is learned later is not in it, and whoever meets that goes the slower way; from time to time another copy is made.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import accumulate, pairwise, product, zip_longest
from typing import Any

import numpy as np

from longhu.audit.kernels import lines, rounds
from longhu.audit.record import decode
from longhu.audit.shortcut.forms import Form, Hole, Kind, Who
from longhu.audit.shortcut.hands import Hands
from longhu.audit.shortcut.steps import Bets, Closing, Memory, Place, Spot
from longhu.cards import CARD_OF_TEXT, NUMBER_OF_TEXT
from longhu.deal.procedure import ending_number
from longhu.games.game import Game
from longhu.ledger import unlimited
from longhu.table.checkpoint import StateRecorded
from longhu.table.shoe import ShoeEnded, ShoeLoaded
from longhu.table.shuffling import ShuffleCommitted, ShuffleRevealed
from longhu.table.state import ShoeInUse

HOLES = {hole: number for number, hole in enumerate(Hole)}
KINDS = {kind: number for number, kind in enumerate(Kind)}
STEPS = {
    ShoeEnded: lines.PUT_AWAY,
    ShuffleRevealed: lines.REVEALED,
    StateRecorded: lines.STATE,
    ShuffleCommitted: lines.COMMITTED,
    ShoeLoaded: lines.LOADED,
}
POSTING_MAX = 1 << 44  # in one posting; so much thousands of times is still a number of the kernel
LAYOUT_MAX = 7  # wagers that lie together; more go the slower way
FACES, NOBODY = list(NUMBER_OF_TEXT), -2


class Deck:
    """The game's own procedure, asked about every hand that there is."""

    def __init__(self, memory: Memory) -> None:
        game, procedure = memory.game, memory.game.procedure
        all_hands, rows = _all_hands(memory.no_cards)
        self.cues: dict[Hashable, int] = {None: 0}  # what records rest on, besides their place
        for each in all_hands:
            self.cues.setdefault(each.turn, len(self.cues))
            self.cues.setdefault(each.cue, len(self.cues))
        first_cards = product(FACES, repeat=procedure.marked_cards)
        origin, ones = ending_number(procedure, 0, 0, 0), ((1, 0, 0), (0, 1, 0), (0, 0, 1))
        face_of, winner = np.full(1 << 16, -1, np.int64), np.full(game.outcomes.size, NOBODY, np.int64)
        for number, face in enumerate(FACES):
            face_of[ord(face[0]) * 256 + ord(face[1])] = number
        for number in game.outcomes.endings:
            winner[number] = hand_number(game, game.winner(number))
        self.cards = rounds.Cards(
            then=np.array(rows, np.int64),
            due=_numbers(-1 if each.due is None else each.due for each in all_hands),
            turn=_numbers(self.cues[each.turn] for each in all_hands),
            cue=_numbers(self.cues[each.cue] for each in all_hands),
            draw=_numbers(-1 if each.draw is None else each.draw for each in all_hands),
            marks=_numbers(procedure.mark([CARD_OF_TEXT[face] for face in first]) for first in first_cards),
            marked=procedure.marked_cards,
            strides=_numbers(ending_number(procedure, *one) - origin for one in ones),
            winner=winner,
            face_of=face_of,
            letters=np.frombuffer("".join(FACES).encode(), np.uint8),
        )


def _all_hands(start: Hands) -> tuple[list[Hands], list[list[int]]]:
    """Every hand that can come of this one, by number, and the numbers of those that each card leads to."""
    numbers, found, rows = {id(start): 0}, [start], list[list[int]]()
    for hands in found:
        row = [0] * len(FACES)
        for face in FACES if hands.due is not None else ():
            after = hands.then(face.encode())
            if id(after) not in numbers:
                numbers[id(after)] = len(found)
                found.append(after)
            row[NUMBER_OF_TEXT[face]] = numbers[id(after)]
        rows.append(row)
    return found, rows


def hand_number(game: Game, winner: str | None) -> int:
    """The hand that won, counted from 0; -1 for a tie."""
    return -1 if winner is None else [hand.id for hand in game.procedure.hands].index(winner)


def _numbers(values: Iterable[int]) -> Any:
    return np.array(list(values), np.int64)


class Atlas:
    """The rounds from one place, as far as they were known when the book was last written."""

    def __init__(self, memory: Memory, place: Place, deck: Deck) -> None:
        self._memory, self._game, self._cues = memory, memory.game, deck.cues
        self.accounts: dict[str, int] = {}
        self.closings: list[Closing] = []
        self._loaded: list[Form] = []  # the last step in the change of a shoe
        self._wagers = {wager: number for number, wager in enumerate(memory.game.wagers)}
        self.stakes: dict[str, int] = {}
        self._people: dict[Who, int] = {}  # who has asked for something
        self._spots: dict[Spot, int] = {}
        self._found: list[Spot] = []
        self._forms: dict[Form, int] = {}
        self._rows: list[list[int]] = []  # a row of numbers for each form, piece and posting
        self._pieces: list[tuple[int, int, int]] = []
        self._postings: list[tuple[int, int, int]] = []
        self._letters = bytearray()
        self._deciding = np.array([[*wager.deciding] for wager in memory.game.wagers.values()], np.int64)
        self._number(place.rest)
        self._number(place.deal)
        self.update()

    def update(self) -> None:
        """Everything that is known by now."""
        self.forms = self._memory.forms  # how much that is
        self._keys: dict[int, list[int]] = {}
        self._layouts: list[tuple[str, ...]] = []
        self._decided: list[list[tuple[int, int]]] = []
        for spot in self._found:
            self._put(spot)
        self.book = self._bound()
        self.unlimited = np.array([unlimited(account) for account in self.accounts], np.bool_)
        shoes = [_shoe(form) for form in self._loaded]
        self.fresh = shoes[0] if shoes and all(each == shoes[0] for each in shoes) else None  # loaded before each round

    @property
    def size(self) -> int:
        """How many forms stand in it."""
        return len(self._forms)

    def _number(self, spot: Spot) -> int:
        """A place in the book."""
        if spot not in self._spots:
            self._spots[spot] = len(self._found)
            self._found.append(spot)
        return self._spots[spot]

    def _put(self, spot: Spot) -> None:
        """Everything that was confirmed from a spot."""
        number, decided = self._spots[spot], list[tuple[int, int]]()
        layout: tuple[str, ...] = ()
        for cue, forms in spot.forms.items():
            if isinstance(cue, bytes):
                self._under(number, lines.cue_of(np.frombuffer(cue, np.uint8), 0, len(cue)), forms)
            elif cue in self._cues:
                self._under(number, self._cues[cue], forms)
        if isinstance(spot, Bets) and len(spot.layout) <= LAYOUT_MAX:
            for deal, passed in spot.passes.items():
                self._keys[number * lines.CUES + lines.PASSES + self._number(deal)] = [self._number(passed)]
            layout = spot.layout
            decided = [
                (_as_number(self._game, *how), self._number(settling)) for how, settling in spot.settling.items()
            ]
        self._layouts.append(layout)
        self._decided.append(decided)

    def _under(self, spot: int, cue: int, forms: tuple[Form, ...]) -> None:
        kept = [self._added(form) for form in forms if self._is_for_all(form)]
        self._keys.setdefault(spot * lines.CUES + cue, []).extend(kept)

    def _is_for_all(self, form: Form) -> bool:
        """Is it a step of rounds that leave nothing special behind, or of a change of shoes between each two rounds?"""
        if any(abs(amount) > POSTING_MAX for _, amount in form.money):
            return False
        if form.kind is Kind.ENDED:
            return form.closing is not None and form.closing.all and form.complete
        changes = self._game.reshuffled or form.kind is not Kind.CHANGE
        return changes and not form.behind_cut and form.kind is not Kind.CUT

    def _added(self, form: Form) -> int:
        """The number of a form, which is written down once."""
        if form in self._forms:
            return self._forms[form]
        number, row = len(self._forms), [0] * lines.COLUMNS
        self._forms[form] = number
        row[lines.KIND], row[lines.LATER], row[lines.COMMAND] = KINDS[form.kind], form.later, form.commands
        row[lines.HAND], row[lines.WINNER] = form.hand, hand_number(self._game, form.winner)
        row[lines.WHO] = who = self._people.setdefault(form.who, len(self._people) + 1)
        row[lines.GOES_ON], row[lines.HALF_TOLD] = 0 if form.goes_on is None else who, 0 if form.complete else who
        row[lines.LEADS] = self._number(self._led(form))
        row[lines.KEY] = self.stakes.setdefault(form.key, len(self.stakes))
        row[lines.STEP] = STEPS.get(form.step, lines.OTHER) if form.step is not None else lines.OTHER
        row[lines.CLOSING], row[lines.PIECE], row[lines.POSTING] = (
            len(self.closings), len(self._pieces), len(self._postings)
        )  # fmt: skip
        self._rows.append(row)
        if form.closing is not None:
            self.closings.append(form.closing)
        if form.step is ShoeLoaded:
            self._loaded.append(form)
        for piece, hole in zip_longest(form.pieces, form.holes):
            start = len(self._letters)
            self._letters += piece.encode()
            self._pieces.append((start, len(self._letters), lines.END if hole is None else HOLES[hole]))
        for account, amount, net in form.shares or [(*posting, 0) for posting in form.money]:
            self._postings.append((self.accounts.setdefault(account, len(self.accounts)), amount, net))
        return number

    def _led(self, form: Form) -> Spot:
        """Where a form leads."""
        if form.kind in (Kind.START, Kind.WAGER, Kind.CLOSE):
            return form.bets
        if form.kind is Kind.RESULT:
            return self._found[0]  # that rests on the ending
        return form.deal if hasattr(form, "deal") else form.spot

    def _bound(self) -> rounds.Book:
        """The book as it is written by now."""
        behind = [0] * lines.COLUMNS
        behind[lines.PIECE], behind[lines.POSTING] = len(self._pieces), len(self._postings)
        forms = np.array([*self._rows, behind], np.int64)
        forms[:, lines.NEXT] = -1
        for key, under in self._keys.items():
            if key % lines.CUES < lines.PASSES:
                for form, after in pairwise(under):
                    forms[form, lines.NEXT] = after
        keys, shift, first = _scattered({key: under[0] for key, under in self._keys.items() if under})
        decided = [each for ways in self._decided for each in ways]
        return rounds.Book(
            keys=keys,
            shift=shift,
            first=first,
            forms=forms,
            pieces=np.array(self._pieces, np.int64).reshape(-1, 3),
            postings=np.array(self._postings, np.int64).reshape(-1, 3),
            letters=np.frombuffer(bytes(self._letters), np.uint8),
            layout=_numbers(accumulate((len(layout) for layout in self._layouts), initial=0)),
            wager=_numbers(self._wagers[wager] for layout in self._layouts for wager in layout),
            deciding=self._deciding,
            decided=_numbers(accumulate((len(ways) for ways in self._decided), initial=0)),
            lines=_numbers(deciding for deciding, _ in decided),
            settles=_numbers(place for _, place in decided),
        )


def _scattered(first: dict[int, int]) -> tuple[Any, Any, Any]:
    """Keys in slots, where the kernel looks for them; how far a key is shifted; what stands under each."""
    bits = max(4, (4 * len(first)).bit_length())
    keys, values = np.full(1 << bits, -1, np.int64), np.full(1 << bits, -1, np.int64)
    for key, value in first.items():
        slot = (key * int(lines.SCATTER) & (1 << 64) - 1) >> 64 - bits
        while keys[slot] >= 0:
            slot = (slot + 1) & (1 << bits) - 1
        keys[slot], values[slot] = key, value
    return keys, np.uint64(64 - bits), values


def _as_number(game: Game, winner: str | None, deciding: bytes) -> int:
    """Who won and by which lines, as the kernel counts it."""
    return int.from_bytes(deciding, "big") + ((hand_number(game, winner) + 1) << 8 * len(deciding))


def _shoe(loaded: Form) -> ShoeInUse | None:
    """The shoe that a form loads, whatever its number is."""
    shown = {Hole.SEQUENCE: "1", Hole.PREVIOUS: "", Hole.AT: "1", Hole.SHOE: "1"}
    event = decode(loaded.filled([shown[hole] for hole in loaded.holes]).encode()).event
    return event.shoe if isinstance(event, ShoeLoaded) else None
