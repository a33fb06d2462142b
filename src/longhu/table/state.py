"""A table at one moment: everything that the rules ask about, and nothing of how it came to be.

These values never form cycles, so the collector is told not to look at them (`gc=False`): a replay makes millions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from math import lcm
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from longhu.cards import CARDS_PER_DECK, NUMBER_OF_TEXT, card
from longhu.deal.procedure import Deal, Dealt, Procedure, new_deal
from longhu.fairness.shuffle import Contribution, Mix
from longhu.games.game import Game
from longhu.ledger import chips_account, is_spot
from longhu.messages.message import Message
from longhu.money import Amount, Money
from longhu.positions import OUTSIDE_LADDER, Position
from longhu.protocol import Chips, Device, Patrons
from longhu.table.spots import spot_of

__all__ = ["Card", "Offer", "Paid", "Person", "Phase", "Round", "ShoeInUse", "Shuffle", "Stake", "Table", "replace"]


# ------------------------------------------------ what a table is opened with


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
    cover: bool = False  # the shoe has a sliding cover that nobody sees through
    shuffler: int = 0
    discard_rack: int = 0
    cutting_cards: int = 1
    pucks: int = 0
    drop_box: str = ""
    display: bool = True
    held_out: int = 0  # cards that a continuous shuffler keeps back
    assumed: bool = (
        False  # nobody has looked: a demonstration, or a virtual shoe, for which nothing stands on the table
    )


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """A table as the house sets it up."""

    table: str
    layout: str
    positions: int
    limits: dict[str, Limit]  # by wager
    decks: int
    method: str = ""  # as the game names it; "" where the game has one way to deal
    differential: Amount | None = None  # the largest table differential
    favours_patrons: tuple[str, ...] = ()  # wagers with a negative house edge that the operator offers all the same
    area: str = ""  # the part of the house it stands in
    equipment: Equipment = Equipment()
    device: Device = "virtual"
    chips: Chips = "electronic"
    patrons: Patrons = "rated"  # whose chips are wagered; those of no account are real ones, and lie at a spot
    automatic_dealer: bool = False
    chip_unit: Amount = 1
    chip_values: tuple[Amount, ...] = ()  # the chips that a page offers, the smallest first; () is a plain set
    rounding: str = (
        ""  # posted: payments in whole chips, the rest to "patron" or "house"; "" is exact, the rest is owed
    )
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
    def virtual_shoe(self) -> bool:
        return self.device == "virtual"

    @property
    def takes_spots(self) -> bool:
        """Are chips that belong to no account wagered here?"""
        return self.patrons != "rated"

    @property
    def electronic(self) -> bool:
        """Is the dealing device one that can be reset (IDT-5.9)?"""
        return self.device != "hand-shoe"

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


# ------------------------------------------------ the table


class Phase(Enum):
    """Where a round of play stands."""

    BETTING = "place-your-bets"
    CLOSED = "no-more-bets"
    DEALING = "dealing"
    COMPLETE = "all-cards-dealt"
    ANNOUNCED = "result-announced"
    PAID = "paid"


DAY = 24 * 60 * 60 * 1000  # milliseconds: days of 24 hours, whatever the clocks do (Q47)
BETTING, CLOSED, DEALING, COMPLETE, ANNOUNCED, PAID = Phase  # for what is done at every event: the class is slow to ask


Cause = Literal["staff", "closing", "random-source"]  # of a suspension
Source = Literal["", "shuffle", "device", "dealer", "two-people"]  # whose word a face is; "" while nobody has told it


class Person(msgspec.Struct, frozen=True, gc=False):
    """Somebody at the table who is no staff of it."""

    id: str
    seat: int | None = None  # None: standing
    status: tuple[str, ...] = ()  # "employee", "associate", "contractor": never a nominee (D21-2.2.h)
    maxima: dict[str, Amount] = msgspec.field(default_factory=dict)  # by wager, instead of the table's (D21-5.8.b)
    number: int = 0  # of the visit: what others are told instead of the id
    name: str = ""  # chosen by the patron, for others to see; "": none


def stake_key(patron: str, place: int, wager: str) -> str:
    """The key under which a round keeps the chips of a patron on a wager at a position."""
    return f"{patron}/{place}/{wager}"


def area_account(place: int, wager: str) -> str:
    """The account of the chips on an area of the layout."""
    return f"layout:{place}/{wager}"


class Stake(msgspec.Struct, frozen=True, gc=False):
    """Chips of one patron, or of a spot, on one wager at one position of the layout."""

    patron: str
    place: int  # the position on the layout, from 1
    wager: str
    amount: Amount
    since: int  # when it reached this amount (Q29)
    placed_by: str
    requested: bool = False  # placed by somebody else on the patron's word
    confirmed: bool = False  # the patron has said that it is right (D21-5.5b)
    found: bool = False  # chips that were found to be off the limits after the call (Q38)
    pieces: int = 1  # how many chips, as far as anybody told
    claim: bool = False  # pulled back after the call: at risk all the same (DT-5.7)

    @property
    def key(self) -> str:
        return stake_key(self.patron, self.place, self.wager)

    @property
    def account(self) -> str:
        return area_account(self.place, self.wager)

    @property
    def purse(self) -> str:
        """The account that its chips come from and go back to."""
        return chips_account(self.patron)


class Spoken(msgspec.Struct, frozen=True, gc=False):
    """A wager told aloud, with its chips in the dealer's hand; the dealer sets it down or it lapses (D21-5.4)."""

    patron: str
    place: int
    wager: str
    chips: tuple[Amount, ...]
    told_by: str

    @property
    def key(self) -> str:
        return stake_key(self.patron, self.place, self.wager)

    @property
    def amount(self) -> int:
        return sum(self.chips)


STEPS = 10  # of a squeeze; after the last its holder has seen the whole face


class Card(msgspec.Struct, frozen=True, gc=False):
    """A card on the table; "" is one that nobody has told the table yet (a physical card, face down)."""

    card: str
    hand: str  # its id: "player", "dragon"
    public: bool
    holder: str = ""  # who handles it; "" is the dealer
    seen: bool = False  # the holder has looked
    bent: int = 0  # how far the holder has squeezed it open, in steps (IDT-1.1.13)
    substitute: bool = False  # stands for a card that is gone (IDT-5.11.3)
    source: Source = ""  # who has told the face: the shuffle, a shoe that reads, the dealer, or two people together

    @property
    def exposed(self) -> bool:
        """Has somebody seen its whole face: everybody, or the holder who has squeezed it open (Q31)?"""
        return bool(self.card) and (self.public or self.bent == STEPS)


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """How a round ended, as a scoreboard tells it."""

    winner: str  # a hand's id, or "tie"
    pairs: tuple[str, ...] = ()  # the hands that began with a pair


class ShoeInUse(msgspec.Struct, frozen=True, gc=False):
    """The cards that rounds are dealt from."""

    number: int  # from 1, in the table's life
    counts: tuple[int, ...]  # what may still come, by card, as the table knows it
    unknown: int = 0  # cards that have left it and that nobody has told the table: still among the counts
    drawn: int = 0  # cards that have left it
    cut_at: int = 0  # after how many cards the cutting card shows; 0 where there is none
    cut_by: str = ""  # as everybody is told: the shuffle is made again from it
    cutting_card_out: bool = False
    ahead: tuple[str, ...] = ()  # cards that were put back, and come next; "" is one that nobody has told
    rounds_since_cut: int = 0
    replaced_after_round: bool = False  # it must be changed before another round (IDT-5.11.5)
    discards: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()  # discards that were never turned over

    @property
    def left(self) -> int:
        return sum(self.counts) - self.unknown

    def is_cut_within(self, cards: int) -> bool:
        """By the count since the shuffle, does the cutting card come before so many more cards are drawn?"""
        return bool(self.cut_at) and not self.cutting_card_out and self.drawn + cards > self.cut_at

    def gives(self, faces: Iterable[str]) -> ShoeInUse:
        """Without cards that leave it; "" is one whose face nobody tells yet."""
        counts, told, untold = list(self.counts), 0, 0
        for face in faces:
            if face:
                counts[NUMBER_OF_TEXT[face]] -= 1
                told += 1
            else:
                untold += 1
        drawn = told + untold
        left = {"unknown": self.unknown + untold, "drawn": self.drawn + drawn, "ahead": self.ahead[drawn:]}
        return replace(self, counts=tuple(counts), **left)

    def takes_back(self, faces: Sequence[str]) -> ShoeInUse:
        """With cards that left it last put back, in their order: they are the next to come."""
        counts, told = list(self.counts), 0
        for face in filter(None, faces):
            counts[NUMBER_OF_TEXT[face]] += 1
            told += 1
        left = {"unknown": self.unknown - (len(faces) - told), "drawn": self.drawn - len(faces)}
        return replace(self, counts=tuple(counts), ahead=(*faces, *self.ahead), **left)

    def told(self, faces: Iterable[str]) -> ShoeInUse:
        """The faces of cards that left it before are known now."""
        counts, told = list(self.counts), 0
        for face in faces:
            counts[NUMBER_OF_TEXT[face]] -= 1
            told += 1
        return replace(self, counts=tuple(counts), unknown=self.unknown - told)


FaultKind = Literal[
    "gap", "not-due", "foreign-card", "unread", "removed", "other-shoe", "contradiction", "restarted", "device"
]


class Fault(msgspec.Struct, frozen=True, gc=False):
    """Why the word of a reading shoe is not taken any more, until somebody has looked."""

    kind: FaultKind
    told: Message  # what was found
    at: int


class CardSource(msgspec.Struct, frozen=True, gc=False):
    """The shoe that tells the table which cards leave it: what it has said, and whether its word is taken."""

    device: str  # as it acts: `device:` and the name of its credential
    connected: bool
    sequence: int  # of its last message
    heard: int  # when it was last heard of by a message, or came or went
    lost: str = ""  # why it is not connected: "disconnected", "silent", "revoked"
    recent: tuple[str, ...] = ()  # what its last messages said, the last one last
    fault: Fault | None = None
    unread_in: int = 0  # the round in which a card of it lies that it could not read: the dealer enters it
    to_burn: int = 0  # cards of a new shoe that are burned, and that it reads
    by_hand: int | None = None  # faces are entered by people: in this round, or (0) until somebody decides otherwise

    @property
    def shoe(self) -> str:
        """The name of its credential, which is what the shoe calls itself."""
        return self.device.removeprefix(DEVICE_MARK)

    def deals_by_hand(self, round: int) -> bool:
        """Do people enter the faces in the round of this number?"""
        return self.by_hand is not None and self.by_hand in (0, round)

    def settled_for(self, round: int) -> CardSource:
        """What the shoe said of this round is ruled on, and people enter the rest of it."""
        return replace(self, fault=None, unread_in=0, by_hand=self.by_hand if self.by_hand == 0 else round)


DEVICE_MARK = "device:"  # what acts begin with that no person does: nobody is called so
RECENT = 20  # messages of a shoe that are remembered, to tell a repeat from another message under the same number


class Shuffle(msgspec.Struct, frozen=True, gc=False):
    """The shuffle behind the electronic shoe in use, or behind the next: what everybody may know of it."""

    number: int  # of its shoe
    commitment: str
    contributions: tuple[Contribution, ...] = ()
    cut_by: str = ""  # the patron who has cut
    cut_behind: int = 0  # cards behind the cutting card, where that patron put it
    mix: Mix | None = None  # None: no shoe has been made of it yet
    secret: str = ""  # "" until it is revealed


class Offer(msgspec.Struct, frozen=True, gc=False):
    """Patrons are asked whether they withdraw; until all have answered, or the time is up, the round waits."""

    why: str  # the irregularity
    until: int
    waits_for: tuple[str, ...]
    whole: bool  # all of a patron's undecided wagers or none (Q34)
    then: str  # the remedy that follows
    clause: str = ""
    cards: tuple[str, ...] = ()  # that were drawn together, in the order that is to be restored
    order: tuple[int, ...] = ()  # in which the cards on the table left the shoe, where somebody judged it


class CardInError(msgspec.Struct, frozen=True, gc=False):
    """A card that left the shoe although no hand was due one; a ruling says what becomes of it."""

    card: str  # "" is one that nobody has told
    exposed: bool


class Deferred(msgspec.Struct, frozen=True, gc=False):
    """What a report would do by itself; it waits for a ruling, and is done if that lets the round go on."""

    hand: str = ""  # a hand that goes to somebody
    to: str = ""  # "" is the dealer
    gone: tuple[int, ...] = ()  # places of cards that have to be found out


class Halt(msgspec.Struct, frozen=True, gc=False):
    """What keeps a round from going on: an offer to be answered, an irregularity to be judged, an incident to be ruled on."""

    offer: Offer | None = None
    incident: Message | None = None  # something that only a ruling can end (IDT-6.1)
    decider: Position = Position.DEALER  # who may rule on it
    waits: str = ""  # the irregularity that somebody must judge before the round goes on
    judge: Position = Position.DEALER  # who may say whether it can be put right
    frozen: bool = False  # dealing stopped until the pit has looked at it
    deferred: Deferred | None = None  # what follows if a ruling lets the round go on

    @property
    def for_ruling(self) -> bool:
        """Must somebody rule or judge before a card moves, or money?"""
        return self.frozen or self.incident is not None


class Search(msgspec.Struct, frozen=True, gc=False):
    """Cards that a patron has left with, and how far it has been found out what they were (IDT-5.11)."""

    missing: tuple[int, ...] = ()  # places among the cards of the round whose faces are gone
    attended_by: str = ""  # the gaming shift manager who is present (IDT-5.11.1)
    sort_record: dict[str, int] = msgspec.field(default_factory=dict)  # cards counted in view of all (IDT-5.11.2)
    deduced: tuple[str, ...] = ()  # what the missing cards were (IDT-5.11.2.1)


UNHALTED, NO_SEARCH = Halt(), Search()  # of a round in which nothing goes wrong


class Round(msgspec.Struct, frozen=True, gc=False):
    """One round of play. What changes most often stands first: `replace` looks for a field from the top."""

    number: int
    phase: Phase
    method: str
    started: int
    hands: tuple[str, str]  # their ids, in the order in which they are dealt: what is kept by hand stands in this order
    wagering: bool = True  # False: a Void Hand, dealt without wagers (D21-1.0-VOID-HAND)
    stakes: dict[str, Stake] = msgspec.field(default_factory=dict)
    cards: tuple[Card, ...] = ()
    just_entered: tuple[
        int, ...
    ] = ()  # places of the faces entered last: until the next card, the dealer alone corrects them
    last_card_at: int = 0  # when a card was last laid, or passed to somebody
    first_card_at: int | None = None  # when the round's first card was drawn
    reserve: tuple[str, ...] = ()  # cards out of the shoe, dealt before any other (IDT-5.8, IDT-5.11.1)
    reserve_source: Source = ""  # whose word their faces are
    holders: tuple[str, str] = ("", "")  # who handles each hand; "" is the dealer
    declined: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())  # who would not
    passed: bool = False  # the initial hands have been passed
    asks_supervisor: tuple[int, ...] = ()  # hands for which a pit supervisor must name somebody (IDT-3.10.4.1)
    mispassed: dict[int, str] = msgspec.field(default_factory=dict)  # hands at the wrong person: whose they are
    granted: tuple[str, str] = ("", "")  # whom a pit manager lets squeeze each hand (IDT-3.15)
    reveals_first: int | None = None  # the hand that the dealer wants turned over before the other (IDT-3.10.6)
    totals_announced: bool = False
    differential: str = ""  # "asked" (IDT-5.16), "scale" or "left" (D21-5.13)
    first_wager: int | None = None  # when the first wager was accepted (Q47)
    restack: tuple[str, ...] = ()  # wagers whose chips lie in the wrong order (D21-5.3b)
    ready: tuple[str, ...] = ()  # who has confirmed the deal, where no call closes betting (Q08)
    spoken: dict[str, Spoken] = msgspec.field(default_factory=dict)  # told aloud, not on the layout yet (D21-5.4b)
    in_error: tuple[CardInError, ...] = ()  # cards drawn in error, in the order in which they left the shoe
    halt: Halt = UNHALTED
    search: Search = NO_SEARCH

    def cards_of(self, hand: int) -> tuple[Card, ...]:
        return tuple(each for each in self.cards if each.hand == self.hands[hand])

    def stakes_of(self, patron: str) -> list[Stake]:
        return [stake for stake in self.stakes.values() if stake.patron == patron]

    def expires_at(self, game: Game) -> int | None:
        """So many times 24 hours after the first wager was accepted, or after the first card (Q47); None where it never does."""
        rule = game.irregularities.get("game-expired")
        start = self.first_card_at if game.chosen.get("expiry") == "from-deal" else self.first_wager
        return None if rule is None or start is None else start + rule.days * DAY

    def has_expired(self, game: Game, at: int) -> bool:
        """Has it been open for longer than that? At the very end it still is."""
        end = self.expires_at(game)
        return end is not None and at > end

    def dealt(self, procedure: Procedure[object]) -> Dealt:
        """The story so far; every card must be known."""
        return _deal(procedure, tuple([each.card for each in self.cards])).dealt

    @property
    def announced(self) -> bool:
        """Has the result been told?"""
        return self.phase is ANNOUNCED or self.phase is PAID

    def outcome(self, procedure: Procedure[object]) -> int | None:
        """The number of its outcome, which follows from the cards; None before the result is announced."""
        return self.dealt(procedure).number if self.announced else None

    @property
    def all_known(self) -> bool:
        return all(each.card for each in self.cards)

    @property
    def all_public(self) -> bool:
        return all(each.public for each in self.cards)


TALLY = "commission:"  # the account of the commission that somebody has on the tally starts with it
OWED = "owed:"  # the account of what somebody is owed starts with it


class Table(msgspec.Struct, frozen=True, gc=False):
    """A table of a game, opened or not; what every round changes stands first, as in a round."""

    game: str  # the digest of its definition
    settings: Settings | None = None  # None: closed
    round: Round | None = None
    shoe: ShoeInUse | None = None
    paid: tuple[Paid, ...] = ()  # of the round that is being settled
    balances: dict[str, Money] = msgspec.field(default_factory=dict)
    rounds: int = 0
    results: tuple[Outcome, ...] = ()  # of this shoe's rounds, for the scoreboards
    settled: tuple[PaidRound, ...] = ()  # the last rounds since the table opened
    last_tie: bool = False  # wagers returned by a tie may be changed (D21-5.11)
    returned: dict[str, Stake] = msgspec.field(default_factory=dict)  # by the tie, as they were
    kept: dict[str, Stake] = msgspec.field(default_factory=dict)  # what lies for the next round
    shuffle: Shuffle | None = None
    shoes: int = 0
    source: CardSource | None = None  # the shoe that reads cards here; None: people enter them
    verified: tuple[str, ...] = ()  # who has counted the cards of the next shoe
    new_set: bool = False  # the next shoe takes another set of cards, which somebody has counted (IDT-5.11.5)
    staff: dict[str, Position] = msgspec.field(default_factory=dict)
    acting: dict[str, Position] = msgspec.field(default_factory=dict)  # recorded as acting in a higher position
    dealer: str = ""  # who is assigned to deal at the moment
    people: dict[str, Person] = msgspec.field(default_factory=dict)
    nominees: dict[str, Nominee] = msgspec.field(default_factory=dict)  # by the patron represented
    self_only: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)  # ordered to wager or turn themselves
    caps: dict[str, int] = msgspec.field(
        default_factory=dict
    )  # how many wagers an area takes, by its account (IDT-3.7)
    float_record: FloatRecord | None = None
    last_closing: int | None = None  # what the tray held when the table was last closed (OPS-1)
    last_settings: Settings | None = None  # as it was set up then
    claims_lost: dict[str, int] = msgspec.field(default_factory=dict)  # lost by patrons who had lifted the chips (Q12)
    short_once: tuple[
        str, ...
    ] = ()  # who has had a wager under the minimum settled, while the table is open (IDT-5.12)
    stopped: str = ""  # a defect: nothing goes on
    suspended: Suspension | None = None  # why no further round starts
    authority: int = 0  # the version of the table of authority that it opened with
    awaited: Awaited | None = None  # a report that waits for a second person
    reports: int = 0  # how many have waited so
    visits: int = 0  # how often a patron has joined
    disputes: dict[int, Dispute] = msgspec.field(default_factory=dict)  # by their numbers

    def settled_round(self, number: int) -> PaidRound | None:
        """What a round came to, as long as it is kept."""
        return next((each for each in self.settled if each.number == number), None)

    def paid_lately(self) -> frozenset[str]:
        """Who had something in a round that is kept."""
        return frozenset(each.patron for round in self.settled for each in round.paid)

    def owed_to(self, patron: str) -> Money:
        """What the house owes somebody here, less than a chip."""
        return self.balances.get(f"{OWED}{patron}", Money(0))

    def tallied(self) -> dict[str, int]:
        """Who has commission on the tally, and how much (Q51)."""
        return {
            account.removeprefix(TALLY): held for account, held in self.balances.items() if account.startswith(TALLY)
        }

    def owed(self) -> dict[str, int]:
        """To whom the house owes less than a chip, patrons and spots."""
        return {account.removeprefix(OWED): held for account, held in self.balances.items() if account.startswith(OWED)}


class Dispute(msgspec.Struct, frozen=True, gc=False):
    """A file about a round that somebody says was not right; what was said in it stands in the records."""

    number: int
    round: int
    about: str
    patron: str  # whose it is; "" is the staff's
    by: str  # who has raised it
    at: int
    decision: str = ""  # "payments-stand" or "correct"; "" while nobody has ruled

    def raised_by(self, patron: str, person: str) -> bool:
        """Is it this patron's, or of this person of the staff?"""
        return self.patron == patron and (bool(patron) or self.by == person)


class Suspension(msgspec.Struct, frozen=True, gc=False):
    """Why no further round starts."""

    cause: Cause
    reason: str  # in the words of the staff, or of what failed


class Awaited(msgspec.Struct, frozen=True, gc=False):
    """A report that a second person has to confirm before anything follows from it; the table waits."""

    number: int  # from 1, in the table's life
    name: str  # of the command, on the wire
    command: dict[str, Any]  # as it was given, with its stored name
    by: str
    needed: Position  # the lowest position of the second person
    surveillance: bool = False  # may confirm it, too


class Paid(msgspec.Struct, frozen=True, gc=False):
    """What a patron gained or lost in a round by one wager, or by the cap on the round ("")."""

    patron: str
    wager: str
    net: Amount
    claim: bool = False  # of a wager that had been lifted (Q12)
    staked: Amount = 0  # as far as it was at risk


KEPT_ROUNDS = 200  # that can be taken back as a whole (DBO-MALF-1); of an earlier one each payment is corrected


class PaidRound(msgspec.Struct, frozen=True, gc=False):
    """What a round came to, in case it must be reversed (DBO-MALF-1)."""

    number: int
    decks: int  # that it was dealt from
    paid: tuple[Paid, ...]
    shown: bool = True  # its result is on the board


class Nominee(msgspec.Struct, frozen=True, gc=False):
    """Somebody who may wager, handle cards, or both, for a patron (D21-1.0-NOMINEE)."""

    person: str
    patron: str
    may_wager: bool  # as the patron has asked
    may_handle: bool
    approved_by: str = ""
    approved: tuple[str, ...] = ()  # for what; an order takes from it, and only another approval gives it back
    announced: bool = False
    patron_confirms_end: bool = False

    @property
    def asked(self) -> tuple[str, ...]:
        """What the patron wants done: "wager", "handle"."""
        return tuple(act for act, wanted in (("wager", self.may_wager), ("handle", self.may_handle)) if wanted)

    @property
    def active(self) -> bool:
        return bool(self.approved) and self.announced


class FloatRecord(msgspec.Struct, frozen=True, gc=False):
    """The tray since the table opened."""

    opening: Amount
    fills: Amount = 0
    credits: Amount = 0
    requests: dict[int, ChipRequest] = msgspec.field(default_factory=dict)
    last_request: int = 0


class ChipRequest(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A fill or a credit on its way, and the four people who take part in it (OPS-3)."""

    number: int
    kind: str  # "fill" or "credit"
    amount: Amount
    stage: str = "requested"  # then "issued", "delivered", "accepted"; "disputed" while a count differs; or "void"
    requested_by: str = ""
    issued_by: str = ""  # who gave the chips out: of the cage for a fill, the dealer for a credit
    delivered_by: str = ""
    accepted_by: str = ""  # who counted and received them
    chips: dict[Amount, int] = msgspec.field(default_factory=dict)  # how many of each value, where that was told
    counted: dict[Amount, int] = msgspec.field(default_factory=dict)  # at the other end
    counted_by: str = ""  # where the count differed
    reason: str = ""  # why it is void

    @property
    def steps(self) -> dict[str, str]:
        """Who took which step so far."""
        told = {"requested": self.requested_by, "issued": self.issued_by, "delivered": self.delivered_by}
        return {step: person for step, person in {**told, "accepted": self.accepted_by}.items() if person}


_Deals = dict[tuple[str, ...], Deal[Any]]
_DEALS: dict[int, tuple[Procedure[Any], _Deals]] = {}  # of the procedures in use, which are known by identity
_DEALS_MAX = 1 << 14


def _deal(procedure: Procedure[Any], faces: tuple[str, ...]) -> Deal[Any]:
    """The deal of these cards, from that of all but the last: the table asks several times after each card."""
    known = _DEALS.get(id(procedure))
    if known is None:
        if len(_DEALS) > 64:
            _DEALS.clear()
        known = _DEALS[id(procedure)] = (procedure, {})
    deals = known[1]
    deal = deals.get(faces)
    if deal is None:
        if len(deals) > _DEALS_MAX:
            deals.clear()
        deal = _deal(procedure, faces[:-1]).then(card(faces[-1])) if faces else new_deal(procedure)
        deals[faces] = deal
    return deal


def open_round(table: Table) -> Round:
    """The round in progress; an event of a round without one is a defect."""
    if table.round is None:
        raise AssertionError("an event of a round without a round")
    return table.round


def standing(table: Table, person: str) -> Position | None:
    """The highest position that somebody holds or acts in here; None for a stranger.

    Whoever stands outside the ladder acts in no other position (SEC-1).
    """
    held, acting = table.staff.get(person), table.acting.get(person)
    if held is None or acting is None:
        return held or acting or (Position.PATRON if person in table.people else None)
    return held if held in OUTSIDE_LADDER or held >= acting else acting


# ------------------------------------------------ patrons and spots


def may_bet(table: Table, name: str) -> bool:
    """Is this a patron at the table, or one of its spots, where it takes chips of no account?"""
    return name in table.people or has_spot(table, name)


def has_spot(table: Table, name: str) -> bool:
    """Is this a spot of the table?"""
    settings, spot = table.settings, spot_of(name) if is_spot(name) else None
    return settings is not None and settings.takes_spots and spot is not None and spot.place <= settings.positions


def seat_of(table: Table, name: str) -> int | None:
    """The seat of a patron or of a spot; None for whoever stands, and for strangers."""
    spot, person = spot_of(name), table.people.get(name)
    return spot.seat if spot is not None else person.seat if person is not None else None


def chips_held(table: Table, owner: str) -> int | None:
    """What somebody has at the table; None of a spot, whose chips nobody counts."""
    return None if is_spot(owner) else table.balances.get(chips_account(owner), Money(0))


# ------------------------------------------------ people in public

SOMEBODY = "somebody"  # who is not at the table any more
MARK = "#"  # no name to sign in with begins so


def public_id(table: Table, name: str) -> str:
    """Somebody at a table in public.

    >>> table = Table("", people={"ann": Person("ann", number=7)}, staff={"dee": Position.DEALER})
    >>> [public_id(table, name) for name in ("ann", "dee", "bob", "")]
    ['#7', 'dealer', 'somebody', '']
    """
    return name and (public_label(table, name) or SOMEBODY)


def public_label(table: Table, name: str) -> str | None:
    """What stands for a name in public: the number of a patron's visit, or a position; None for a stranger."""
    person = table.people.get(name)
    if person is not None:
        return f"{MARK}{person.number}"
    if is_spot(name):
        return name
    held = standing(table, name)
    if held is not None and held is not Position.PATRON:
        return str(held.value)
    if name == table.dealer:
        return Position.DEALER.value
    patron = next((each.patron for each in table.nominees.values() if each.person == name), None)
    return None if patron is None else f"{public_label(table, patron) or SOMEBODY} nominee"
