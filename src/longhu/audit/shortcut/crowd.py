"""Patrons who wager as they like, in a long file: what is known of single wagers as rows of numbers, and runs of the kernel over such rounds.

Wagers that share a position with somebody else's, and those of a patron at several positions, are not there: such rounds go the slower way.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

import numpy as np

from longhu.audit.kernels import crowd as kernel
from longhu.audit.kernels.lines import PASSES, SCATTER, cue_of
from longhu.audit.shortcut.atlas import POSTING_MAX, Atlas, Deck
from longhu.audit.shortcut.forms import Form, Kind
from longhu.audit.shortcut.leap import Leap
from longhu.audit.shortcut.medley import AMOUNT, Backing, Medley
from longhu.audit.shortcut.steps import Bets, Closing, Deal, Ending, Memory, Place, Spot
from longhu.table.document import chosen
from longhu.table.priority import hand_index, kept_off

if TYPE_CHECKING:
    from longhu.audit.kernels import rounds
    from longhu.audit.shortcut.sheets import Sheet
    from longhu.audit.shortcut.walk import Walk

MARKS_MAX = 20  # wagers that a game may have here
CHIPS_MAX, CHIP_BITS = 4096, 13  # different amounts; and slots for twice as many, as a power of two
WORDS = (1 << 64) - 1
# What a form rests on besides its place, as the kernel counts it; None where it has no number.
Numbered = Callable[[Any], int | None]


class Chips:
    """Amounts, and what each comes to by each line of each wager: asked of the rules once."""

    def __init__(self, medley: Medley) -> None:
        self._medley, self._count = medley, 0
        self._lines = [(id, line) for id, wager in medley.game.wagers.items() for line in range(len(wager.lines))]
        size = (len(self._lines), CHIPS_MAX)
        self.table = kernel.Chips(
            slots=np.full(1 << CHIP_BITS, kernel.NO_CHIP, np.int64),
            shift=np.uint64(64 - CHIP_BITS),
            amounts=np.zeros(CHIPS_MAX, np.int64),
            nets=np.zeros(size, np.int64),
            commissions=np.zeros(size, np.int64),
        )

    def first_lines(self) -> list[int]:
        """Where the lines of each wager begin."""
        return [self._lines.index((id, 0)) for id in self._medley.game.wagers]

    def add(self, amount: int) -> bool:
        """One more amount; False where it is too large, or there are too many."""
        came = [self._medley.came(*line, amount) for line in self._lines]
        if self._count == CHIPS_MAX or max(amount, *(abs(each) for both in came for each in both)) > POSTING_MAX:
            return False
        table, chip = self.table, self._count
        table.amounts[chip] = amount
        table.nets[:, chip], table.commissions[:, chip] = zip(*came, strict=True)
        slot = _slot(amount, CHIP_BITS)
        while table.slots[slot] != kernel.NO_CHIP:
            slot = (slot + 1) & (1 << CHIP_BITS) - 1
        table.slots[slot] = chip
        self._count += 1
        return True


def _slot(number: int, bits: int) -> int:
    """Where the kernel looks for a number first."""
    return (number * int(SCATTER) & WORDS) >> 64 - bits


class Crowd(Atlas):
    """The rounds from one place, as far as their wagers are known one by one."""

    def __init__(self, memory: Memory, place: Place, deck: Deck) -> None:
        if place.medley is None:
            raise AssertionError("a place where no walk has begun")
        self.medley = place.medley
        self.chips = Chips(self.medley)
        self._marks = {wager: number for number, wager in enumerate(memory.game.wagers)}
        self._patrons: dict[str, int] = {}
        self._positions: dict[int, int] = {}
        self._alone: dict[Spot, Numbered] = {}  # places of single wagers, and how what they rest on is numbered
        self._deals: list[list[int]] = []
        super().__init__(memory, place, deck)

    def update(self) -> None:
        medley, self._deals = self.medley, []
        self._lone(medley.announced_at, lambda cue: 2 * self._cues[cue[1]] + cue[0] if cue[1] in self._cues else None)
        self._lone(medley.drawn_at, self._turn)
        self._lone(medley.closed, lambda _: 0)
        self._lone(medley.ended, lambda _: None)  # which comes below
        self.backed = list(medley.backings.items())
        for _, backing in self.backed:
            self._lone(backing.placed, self._beside(backing))
            self._lone(backing.settled, lambda cue: (2 * cue[0] + cue[1]) * 2 + cue[2])
        super().update()
        self.crowd = self._gathered()

    def _lone(self, spot: Spot, numbered: Numbered) -> None:
        self._number(spot)
        self._alone[spot] = numbered

    def _beside(self, backing: Backing) -> Numbered:
        """Which wagers its patron has at the same position, where nobody else has any and the patron none elsewhere."""
        backings, marks, stake = self.medley.backings, self._marks, backing.stake

        def numbered(cue: tuple[frozenset[bytes], frozenset[bytes]]) -> int | None:
            mine, there = cue
            if mine != there or len(marks) > MARKS_MAX or not all(backed in backings for backed in mine):
                return None
            beside = [backings[backed].stake for backed in mine]
            if any((each.patron, each.place) != (stake.patron, stake.place) for each in beside):
                return None
            return sum(1 << marks[each.wager] for each in beside)

        return numbered

    def _turn(self, cue: tuple[bool, Hashable, str]) -> int | None:
        """Whose turn it is, and who has that hand."""
        announced, turn, to = cue
        held = self._given(to)
        if turn not in self._cues or held >= kernel.PATRONS_MAX:
            return None
        return (2 * self._cues[turn] + announced) * kernel.PATRONS_MAX + held

    def _given(self, to: str) -> int:
        """Whoever has a hand; 0 is the dealer."""
        return self._patron(to) + 1 if to else 0

    def _put(self, spot: Spot) -> None:
        numbered, number = self._alone.get(spot), self._spots[spot]
        if numbered is None:
            super()._put(spot)
        else:
            for cue, forms in spot.forms.items():
                cue_number = numbered(cue)
                if cue_number is not None and cue_number < PASSES:
                    self._under(number, cue_number, forms)
            self._layouts.append(())
            self._decided.append([])
        if spot is self.medley.ended:
            for tie in self.medley.tied:
                self._under(number, int(tie), spot.forms.get(None, ()))
        self._deals.append(self._dealt(spot))

    def _dealt(self, spot: Spot) -> list[int]:
        """How far a deal has come, as a row."""
        row = [0] * kernel.DEALT
        row[kernel.TOTALS] = row[kernel.PASSED_HAND] = row[kernel.PASSED] = -1
        if isinstance(spot, Deal):
            held = [self._given(to) for to in spot.holders]
            counted = spot.open and max(held) < kernel.PATRONS_MAX  # others would be taken for somebody else
            row[kernel.OPEN], row[kernel.ANNOUNCED], row[kernel.PASSED_HAND] = counted, spot.announced, spot.passes_hand
            if counted:
                row[kernel.HELD_BY], row[kernel.HELD_BY + 1] = held
                after = [self._number(spot.after_card(hand, hidden=True)) for hand in (0, 1)]
                row[kernel.HIDES], row[kernel.HIDES + 1] = after
            if counted and not spot.announced:
                row[kernel.TOTALS] = self._number(spot.totals_told())
            if spot.passes_hand >= 0:
                self._lone(spot.passed, self._given)
                row[kernel.PASSED] = self._number(spot.passed)
        return row

    def _patron(self, patron: str) -> int:
        return self._patrons.setdefault(patron, len(self._patrons))

    def _is_for_all(self, form: Form) -> bool:
        if form.kind is Kind.ENDED:
            return form.alone and form.complete
        return form.kind is not Kind.CHANGE and super()._is_for_all(form)

    def _led(self, form: Form) -> Spot:
        return self._found[0] if form.alone or form.kind is Kind.START else super()._led(form)

    def _gathered(self) -> kernel.Crowd:
        """The single wagers as they are known by now."""
        medley, table, game, said, rows = self.medley, self.medley.table, self._game, bytearray(), list[list[int]]()
        bits = max(4, (4 * len(self.backed)).bit_length())
        slots = np.full(1 << bits, -1, np.int64)
        for number, (backed, backing) in enumerate(self.backed):
            stake, limit, start = backing.stake, backing.limit, len(said)
            said += backed
            position = self._positions.setdefault(stake.place, len(self._positions) + 1)
            places = self._spots[backing.placed], self._spots[backing.settled]
            limits = (
                max(0, limit.min),
                min(limit.max, POSTING_MAX),
                limit.increment,
            )  # numbers of the kernel, for all amounts
            rows.append(
                [start, len(said), self._patron(stake.patron), position, self._marks[stake.wager], *places, *limits]
            )
            slot = _slot(int(cue_of(np.frombuffer(backed, np.uint8), 0, len(backed))), bits)
            while slots[slot] >= 0:
                slot = (slot + 1) & (1 << bits) - 1
            slots[slot] = number
        handles = [patron in table.people and not kept_off(table, game, patron) for patron in self._patrons]
        hands = [hand_index(game, wager.hand) if wager.hand else None for wager in game.wagers.values()]
        return kernel.Crowd(
            slots=slots,
            shift=np.uint64(64 - bits),
            backings=np.array(rows, np.int64).reshape(-1, kernel.BACKED),
            said=np.frombuffer(bytes(said) or b" ", np.uint8),
            deciding=self._deciding,
            first_line=np.array(self.chips.first_lines(), np.int64),
            hand=np.array([-1 if hand is None else hand for hand in hands], np.int64),
            handles=np.array([*handles, False], np.bool_),
            largest=chosen(game, "squeeze_measure") == "single-wager",
            deals=np.array(self._deals, np.int64),
            announced=self._spots[medley.announced_at],
            drawn=self._spots[medley.drawn_at],
            closed=self._spots[medley.closed],
            ended=self._spots[medley.ended],
        )


class CrowdLeap(Leap):
    """One run of the kernel over rounds whose wagers are known one by one."""

    _atlas: Crowd

    def __init__(self, walk: Walk, atlas: Crowd, deck: Deck) -> None:
        super().__init__(walk, atlas, deck)
        rows = np.zeros((kernel.STAKES_MAX, kernel.LYING), np.int64)
        self._left = kernel.Left(lying=rows, stakes=np.zeros(1, np.int64), wanted=np.zeros(1, np.int64))

    @property
    def wanted(self) -> int:
        """An amount that nobody has asked about, at which the run has stopped; 0 for none."""
        return int(self._left.wanted[0])

    def _follow(self, shoe: rounds.Shoe, run: rounds.Run, sheet: Sheet, line: int, last: int) -> tuple[int, int]:
        atlas, cards = self._atlas, self._deck.cards
        known, stopped = kernel.follow(
            atlas.book, atlas.crowd, atlas.chips.table, cards, shoe, run, self._left, sheet.letters, sheet.ends, sheet.before, line, last
        )  # fmt: skip
        return known, stopped

    def _leaves(self, run: rounds.Run, over: int) -> tuple[Closing, dict[str, bytes]]:
        medley, amounts, told, since = self._atlas.medley, self._atlas.chips.table.amounts, dict[str, bytes](), {}
        layout: tuple[str, ...] = ()
        for row in self._left.lying[: self._left.stakes[0]].tolist():
            backed, backing = self._atlas.backed[row[kernel.BACKING]]
            key, layout = backing.stake.key, (*layout, backing.stake.wager)
            told[key] = backed + AMOUNT + b"%d" % amounts[row[kernel.CHIP]]
            since[key] = b"%d" % row[kernel.SINCE_WHEN]
        number = int(run.endings[over - 1])
        ending = Ending(number, b"%d" % number, medley.game.winner(number))
        closing = medley.closing(Bets(layout, told=told, fleeting=True), ending)
        if closing is None:
            raise AssertionError("a round with a wager that nobody knows")
        return closing, since


def over_crowd(walk: Walk, atlas: Crowd, deck: Deck, sheet: Sheet, line: int) -> tuple[int, int]:
    """As far as wagers are known; an amount that nobody has asked about yet is asked about, and the run goes on."""
    while True:
        leap = CrowdLeap(walk, atlas, deck)
        line, stopped = leap.over(sheet, line)
        if not leap.wanted or not atlas.chips.add(leap.wanted):
            return line, stopped
