"""Records that the rules have confirmed, kept as texts with holes.

What may differ when the same step is taken again is a hole; everything else of the line stands in the text, to the letter. So
a line is held against a form by filling the holes with what must stand there, and comparing.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

from longhu.audit.record import Record, encode
from longhu.eventsourcing import Event

if TYPE_CHECKING:
    from longhu.audit.shortcut.steps import Bets, Closing, Deal, Spot

TIME = 13  # digits of a time, from 2001 to 2286; others go to the rules
DIGEST, FACE = 64, 2  # characters
Who = tuple[str, int]  # a person, and the position used
NEXT_FACE = '","'


class Hole(Enum):
    """What may differ."""

    SEQUENCE = auto()  # the number of the record
    PREVIOUS = auto()  # the digest of the record before
    AT = auto()  # when
    SINCE = auto()  # since when a stake lies there
    FACE = auto()  # of the card that is drawn
    SALT = auto()  # of a card that lies face down
    FACES = auto()  # of a hand that is turned over
    ROUND = auto()  # the number of a round
    ENDING = auto()  # the number of an ending
    SHOE = auto()  # the number of a shoe
    DIGEST = auto()  # a secret, a commitment, or the digest of the state
    AMOUNT = auto()  # of a stake
    NET = auto()  # what a stake has come to
    COMMISSION = auto()  # kept of it


MARKS: dict[Hole, int | str] = {  # which stand in the holes while a form is written; no record has them
    Hole.SEQUENCE: 10**18 + 1,
    Hole.PREVIOUS: "<previous>",
    Hole.AT: 10**18 + 2,
    Hole.SINCE: 10**18 + 3,
    Hole.FACE: "<face>",
    Hole.SALT: "<salt>",
    Hole.FACES: "<faces>",
    Hole.ROUND: 10**18 + 4,
    Hole.ENDING: 10**18 + 5,
    Hole.SHOE: 10**18 + 6,
    Hole.DIGEST: "<digest>",
    Hole.AMOUNT: 10**18 + 8,
    Hole.NET: 10**18 + 9,
    Hole.COMMISSION: 10**18 + 10,
}


class Kind(Enum):
    """What a form is for."""

    START = auto()  # the opening call
    WAGER = auto()
    CLOSE = auto()  # the closing call
    CARD = auto()  # face up
    HIDDEN = auto()  # a card, face down
    CUT = auto()  # the cutting card, with what was asked: the card behind it
    TURN = auto()  # a hand turned over
    TOLD = auto()  # hands passed, totals, a cap on the round: nothing else in it may differ
    RESULT = auto()
    SETTLED = auto()
    ENDED = auto()
    CHANGE = auto()  # a step in the change of a shoe
    LAID = auto()  # a wager that is known by itself, whatever its amount (`medley`)
    CAME = auto()  # what became of such a wager


class Filled(NamedTuple):
    """A hole, and what stands in it in the record that the form is made of."""

    hole: Hole
    held: int | str


class Share(NamedTuple):
    """A posting as a multiple of a stake's amount, and of what it has come to."""

    account: str
    of_amount: int
    of_net: int


class Form:
    """A line that the rules have confirmed, and where it leads."""

    __slots__ = (
        "alone", "at", "behind_cut", "bets", "closing", "commands", "complete", "deal", "doubted", "face", "goes_on", "hand", "holes", "key", "kind", "later", "money",
        "pieces", "shares", "spot", "step", "tail", "text", "who", "winner",
    )  # fmt: skip
    bets: Bets  # where it leads: one of these three
    deal: Deal
    spot: Spot

    def __init__(self, kind: Kind, pieces: tuple[str, ...], holes: tuple[Hole, ...], *, later: bool) -> None:
        self.kind, self.pieces, self.holes = kind, pieces, holes  # text and holes by turns
        self.text = "%b".join(piece.replace("%", "%%") for piece in pieces).encode() + b"\n"
        self.at = len("".join(pieces[:3]).encode()) + DIGEST  # where the time stands, but for the record's number
        self.face = self.at + TIME + len(pieces[3].encode())  # and a face
        self.face += TIME + len(pieces[4].encode()) if kind is Kind.CUT else 0
        self.tail = len(pieces[-1].encode()) + 1  # what stands behind the last hole
        self.later = later  # than the record before; otherwise it has the same time
        self.commands = 0  # 1 where it is the first event of a command
        self.complete = True  # whether it is the last
        self.who: Who = ("", 0)  # has asked for it
        self.goes_on: Who | None = None  # the same, where the command began before: then whoever began it goes on
        self.doubted = False  # there were two answers to one question
        self.money: tuple[tuple[str, int], ...] = ()
        self.shares: tuple[Share, ...] = ()  # instead, where the amount may differ
        self.hand = 0  # that is turned over
        self.alone = False  # it does not rest on all the wagers (`medley`)
        self.behind_cut = False  # a card that was asked for when the cutting card came
        self.step: type[Event] | None = None  # in the change of a shoe
        self.key = ""  # of the stake
        self.winner: str | None = None
        self.closing: Closing | None = None  # of the round that it ends

    def led_to(self, who: Who, *, first: bool, complete: bool) -> None:
        """Whose command has led to it, and whether it is the first and the last of what that led to."""
        self.who, self.commands, self.complete = who, int(first), complete
        self.goes_on = None if first else who

    def moved(self, amount: int, net: int) -> list[tuple[str, int]]:
        """The money that moves with so much at stake; nothing is not posted."""
        postings = [(each.account, each.of_amount * amount + each.of_net * net) for each in self.shares]
        return [posting for posting in postings if posting[1]]

    def filled(self, held: Sequence[str]) -> str:
        """The line, with these in its holes."""
        return "".join([part for pair in zip(self.pieces, (*held, ""), strict=True) for part in pair])


def form(kind: Kind, marked: Record, filled: tuple[Filled, ...], line: bytes, *, later: bool) -> Form | None:
    """The form of a confirmed line; `marked` is its record with marks in the holes, in the order of the text.

    None where a mark is not found just once: then a text in the record looks like one.
    """
    text = encode(marked).decode()
    pieces: list[str] = []
    marks = [str(MARKS[each.hole]) for each in filled]
    for each in marks:
        before, mark, text = text.partition(each)
        if not mark:
            return None
        pieces.append(before)
    pieces.append(text)
    rest = "\n".join(pieces)
    if any(mark in rest for mark in marks):
        return None
    made = Form(kind, tuple(pieces), tuple([each.hole for each in filled]), later=later)
    return made if made.filled([str(each.held) for each in filled]).encode() == line else None
