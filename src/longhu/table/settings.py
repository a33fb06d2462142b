"""What a table is opened with: layout, limits, equipment, dealing method, and who runs it."""

from __future__ import annotations

from math import lcm

import msgspec

from longhu.cards import CARDS_PER_DECK
from longhu.money import Amount


class Limit(msgspec.Struct, frozen=True):
    """What one patron may stake on one wager, in minor units."""

    min: Amount
    max: Amount
    increment: Amount = 1


class CardSet(msgspec.Struct, frozen=True):
    """The cards of one shoe: complete decks with one back (DT-2.1c, IDT-2.1c)."""

    backs: tuple[str, ...]  # the back of each deck

    @property
    def decks(self) -> int:
        return len(self.backs)


class Equipment(msgspec.Struct, frozen=True):
    """What stands on the table (D21-3.4); a capacity is in cards."""

    setup: str = "shoe"  # "shoe", "batch-shuffler", "continuous-shuffler"
    sets: tuple[CardSet, ...] = ()
    shoe: int = 0
    shuffler: int = 0
    discard_rack: int = 0
    cutting_cards: int = 1
    pucks: int = 0
    drop_box: str = ""
    display: bool = True
    held_out: int = 0  # cards that a continuous shuffler keeps back


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """A table as the house sets it up."""

    table: str
    layout: str
    positions: int
    limits: dict[str, Limit]  # by wager
    decks: int
    method: str = ""  # as the game names it; "" where the game has one way to deal
    differential: Amount | None = None  # the largest table differential
    area: str = ""  # the part of the house it stands in
    equipment: Equipment = Equipment()
    electronic_shoe: bool = True
    automatic_dealer: bool = False
    chip_unit: Amount = 1
    rounding: str = ""  # to whom a fraction of a chip goes, "patron" or "house"; "" is as the game file says (Q01)
    cut_reserve: int = 14  # cards behind the cutting card
    burn: int = 0
    rounds_after_cut: int = 0
    area_players: int = 0  # how many patrons may share a wagering area; 0 as the game is read
    area_cap: str = "off"  # "off", "all", "named": whose wagers on an area are capped together (D21-5.7)
    area_named: tuple[str, ...] = ()
    general_rules: tuple[str, ...] = ()  # texts of the house that apply beside the game's (D21-2.1)
    checklist: tuple[str, ...] = ()  # what the house wants done before the table opens (D21-6.0a)
    discrepancy_max: Amount = 0  # by how much a count of the tray may be off before a shift manager must sign (OPS-1)
    withdrawal_seconds: int = 30  # how long patrons may think about a withdrawal that is offered
    reveal_seconds: int = 60  # after which somebody who handles cards counts as absent
    extra_cards_face_up: bool = False  # D21-9.5
    seats_ascend_counter_clockwise: bool = True  # Q29

    @property
    def cards(self) -> int:
        """In a full shoe."""
        return self.decks * CARDS_PER_DECK

    def step(self, wager: str) -> int:
        """What a wager goes up and down by: its increment, in whole chips."""
        return lcm(self.limits[wager].increment, self.chip_unit)

    def whole(self, amount: int) -> bool:
        """Can this much be laid, paid and carried in chips?"""
        return amount % self.chip_unit == 0

    def least(self, wager: str) -> int:
        """The smallest wager that can be laid: the minimum, or the first step above it."""
        step = self.step(wager)
        return -(-self.limits[wager].min // step) * step
