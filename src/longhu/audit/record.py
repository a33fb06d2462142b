"""Records of an audit log: one line for each event, chained by digests.

A line holds an event with its place, the position of the person who acted, the rules in force, and the digest of the line before.
It is JSON, and its digest is the SHA-256 of its bytes. The fields stand in one order and nothing else stands there, so there is one
way to write a record. An event that hides something (a card face down) carries a salt: without it, whoever sees the digest could try
all faces.

Most records need not keep the command beside the event. `inferred_command` gives the plainest command that could have led to an event;
where it is the one that was given, the record leaves it out, and the verifier infers it again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from longhu.eventsourcing import Codec, Event, any_of, stored_name
from longhu.games.game import Game
from longhu.positions import Position
from longhu.table import engine
from longhu.table.betting import PlaceWager, TakeWagerBack, WagerPlaced, WagerTakenBack
from longhu.table.betting_phase import BettingClosed, CallNoMoreBets, CallPlaceYourBets, RoundStarted
from longhu.table.card_source import SourceHeard
from longhu.table.cash import BuyIn, ChipsBought
from longhu.table.checkpoint import RecordState, StateRecorded
from longhu.table.dealing import AnnounceResult, AnnounceTotals, CardDrawn, DrawCard, ResultAnnounced, TotalsAnnounced
from longhu.table.handling import CardSqueezed, CardsRevealed, FirstHandChosen, PassHands, RevealHand, SqueezeCard
from longhu.table.irregularities.cards import CardsSetAside
from longhu.table.irregularities.drawn_in_error import CardsDrawnInError
from longhu.table.messages import TABLE, Command
from longhu.table.remedies.passing import HandPassed
from longhu.table.settling import SettleRound, WagerSettled
from longhu.table.shoe import CardsVerified, EndShoe, ShoeEnded, VerifyCards
from longhu.table.shuffling import (
    CommitShuffle,
    Contribute,
    ContributionMade,
    RevealShuffle,
    ShuffleCommitted,
    ShuffleRevealed,
)
from longhu.table.state import Table
from longhu.upcasting import UPCASTERS, untold

T = TypeVar("T")
PROTOCOL = "longhu-trail/1"
SALT_BYTES = 16
AREAS = engine.AREAS  # whose commands and events a line can hold
EVENT_NAMES = frozenset(stored_name(each) for each in TABLE.evolvers)  # as they are stored

if TYPE_CHECKING:
    AnyCommand = Command
    AnyEvent = Event
else:  # everything that some area of the table knows
    AnyCommand, AnyEvent = any_of(TABLE.deciders), any_of(TABLE.evolvers)


class Record(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """An event in the audit log of a table."""

    sequence: int  # from 1, without a gap
    previous: str  # the digest of the line before
    game: str  # the digest of the rules in force
    event: AnyEvent
    held: Position | None = None  # the position that the person held; the event has the one that was used
    asked: AnyCommand | None = None  # where the event alone does not say what was asked
    salt: str = ""  # where the event hides something


_CODEC = Codec(Record)
encode, decode, is_canonical = _CODEC.encode, _CODEC.decode, _CODEC.is_canonical


def untold_fields(line: bytes) -> frozenset[str]:
    """Fields of a record's event that its stored shape, an old one, does not tell."""
    return untold(read(line, dict[str, Any]).get("event", {}))


def read(line: bytes, kind: type[T]) -> T:
    """What any other line holds; `msgspec.MsgspecError` where it is something else, or no text at all."""
    try:
        return msgspec.json.decode(line, type=kind)
    except (UnicodeDecodeError, RecursionError) as error:
        raise msgspec.DecodeError(str(error)) from None


def digest(line: bytes) -> str:
    """What the next line names as the one before."""
    return hashlib.sha256(line).hexdigest()


def beginning(table: str) -> str:
    """What the first record of a table names: no line, but the table."""
    return digest(f"{PROTOCOL} {table}".encode())


def hides(event: Event) -> bool:
    """Does it hold a card that nobody may know yet?"""
    if type(event) is CardDrawn:
        return not event.card.public and event.card.card != ""
    if isinstance(event, CardsDrawnInError):
        return any(each.card and not each.exposed for each in event.cards)
    return isinstance(event, (CardsSetAside, SourceHeard))


def is_salt(text: str) -> bool:
    return len(text) == 2 * SALT_BYTES and not text.strip("0123456789abcdef")


def why_no_record(line: bytes, error: msgspec.MsgspecError) -> str:
    """Why a line is no record, as far as can be told."""
    try:
        found: Any = read(line, object)
    except msgspec.MsgspecError:
        return f"this is no JSON ({error}); the file was cut off or altered"
    event = found.get("event") if isinstance(found, dict) else None
    name = event.get("event") if isinstance(event, dict) else None
    if isinstance(name, str) and name not in EVENT_NAMES and name not in UPCASTERS:
        return f"no event is called {name[:60]!r}; a newer version of Longhu may have written it"
    return f"this is no record of a table: {error}"


# ------------------------------------------------ commands inferred from events


def inferred_command(game: Game, event: Event) -> Command | None:
    """The command behind the first event that it led to; None where the event does not say."""
    infer = INFERRED.get(type(event))
    return infer(game, event) if infer is not None else None


def _placed(_game: Game, event: WagerPlaced) -> Command:
    stake = event.stake
    patron = "" if stake.patron == event.by else stake.patron
    return PlaceWager(
        by=event.by,
        at=event.at,
        position=event.position,
        place=stake.place,
        wager=stake.wager,
        amount=event.added,
        patron=patron,
        chips=event.chips,
        requested=stake.requested and event.position >= Position.DEALER,
    )


def _taken_back(_game: Game, event: WagerTakenBack) -> Command:
    stake = event.stake
    patron = "" if stake.patron == event.by else stake.patron
    return TakeWagerBack(
        by=event.by,
        at=event.at,
        position=event.position,
        place=stake.place,
        wager=stake.wager,
        patron=patron,
        requested=event.requested,
    )


def _revealed(game: Game, event: CardsRevealed) -> Command | None:
    if event.hand not in game.hands:
        return None
    return RevealHand(by=event.by, at=event.at, position=event.position, hand=event.hand)


INFERRED: dict[type[Event], Callable[[Game, Any], Command | None]] = {
    RoundStarted: lambda _, event: CallPlaceYourBets(
        by=event.by, at=event.at, position=event.position, wagering=event.wagering
    ),
    WagerPlaced: _placed,
    WagerTakenBack: _taken_back,
    BettingClosed: lambda _, event: CallNoMoreBets(by=event.by, at=event.at, position=event.position),
    CardDrawn: lambda _, event: DrawCard(by=event.by, at=event.at, position=event.position, card=event.card.card),
    FirstHandChosen: lambda _, event: PassHands(by=event.by, at=event.at, position=event.position),
    HandPassed: lambda _, event: PassHands(by=event.by, at=event.at, position=event.position),
    CardSqueezed: lambda _, event: SqueezeCard(
        by=event.by, at=event.at, position=event.position, place=event.place, step=event.step
    ),
    CardsRevealed: _revealed,
    TotalsAnnounced: lambda _, event: AnnounceTotals(by=event.by, at=event.at, position=event.position),
    ResultAnnounced: lambda _, event: AnnounceResult(by=event.by, at=event.at, position=event.position),
    WagerSettled: lambda _, event: SettleRound(by=event.by, at=event.at, position=event.position),
    ChipsBought: lambda _, event: BuyIn(
        by=event.by, at=event.at, position=event.position, patron=event.patron, amount=event.amount
    ),
    CardsVerified: lambda _, event: VerifyCards(
        by=event.by, at=event.at, position=event.position, counted=event.counted
    ),
    ShuffleCommitted: lambda _, event: CommitShuffle(
        by=event.by, at=event.at, position=event.position, commitment=event.commitment
    ),
    ContributionMade: lambda _, event: Contribute(
        by=event.by, at=event.at, position=event.position, value=event.contribution.value
    ),
    ShuffleRevealed: lambda _, event: RevealShuffle(
        by=event.by, at=event.at, position=event.position, secret=event.secret
    ),
    ShoeEnded: lambda _, event: EndShoe(by=event.by, at=event.at, position=event.position, why=event.why),
    StateRecorded: lambda _, event: RecordState(by=event.by, at=event.at, position=event.position),
}


# ------------------------------------------------ the chain


class ChainError(ValueError):
    """Something that no audit log may hold: what was found, and what to do."""


class Chain:
    """The end of an audit log, and the lines that come next."""

    def __init__(
        self, table: str, salt: Callable[[], str], *, sequence: int = 0, head: str = "", last_at: int = 0
    ) -> None:
        self.table, self.sequence, self.head, self.last_at = table, sequence, head or beginning(table), last_at
        self._salt = salt  # a new one, in hexadecimal, each time it is asked

    def lines(self, table: Table, game: Game, command: Command, events: Sequence[Event]) -> list[bytes]:
        """The records of what a command led to; `table` is as it was before.

        The chain moves on once all of them are made: where one cannot be, it stands as it stood.
        """
        if command.at < self.last_at:
            raise ChainError(
                f"the clock went back from {self.last_at} to {command.at}. Give the later time, and record the step."
            )
        held, sequence, head = command.held_by(table), self.sequence, self.head
        lines: list[bytes] = []
        for place, event in enumerate(events):
            asked = command if place == 0 and inferred_command(game, event) != command else None
            salt = self._salt() if hides(event) else ""
            sequence += 1
            line = encode(Record(sequence, head, game.digest, event, held, asked, salt))
            head = digest(line)
            lines.append(line)
        self.sequence, self.head, self.last_at = sequence, head, command.at
        return lines
