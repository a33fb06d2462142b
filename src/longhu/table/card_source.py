"""A shoe that reads the cards that leave it: what it tells, and how that agrees with what is due.

A card that it reads when one is due is that card: nobody enters it. Whatever else it tells is on record, and nothing is dealt or paid
on a guess: a card that is not due, or that the shoe cannot hold, a gap in its messages, cards taken out in another way. Then the shoe
is not believed, the round waits for a ruling (IDT-6.1, D21-12.0f), and people enter the rest of the round. A card that it could not
read is entered by the dealer.

The house knows shoes by their credentials. What the table knows is that the shoe which connected is the one that speaks.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec.structs import replace

from longhu.cards import CARD_OF_TEXT
from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game
from longhu.messages.message import Message, message_code
from longhu.positions import Position
from longhu.table.cutting_card import ReportCuttingCard, report_cutting_card
from longhu.table.dealing import CardDrawn, DrawCard, draw, next_hand, not_ready
from longhu.table.document import rule_of, ruler, ruling_clause
from longhu.table.irregularities.cards import LEFT_SHOE_TOGETHER, CardsSetAside
from longhu.table.irregularities.drawn_in_error import ReportDrawnInError, report_drawn_in_error
from longhu.table.messages import (
    CARD_NOT_IN_SHOE,
    CARD_NOT_TOLD,
    FINISH_ROUND_FIRST,
    GIVE_REASON,
    NO_CARD_DUE,
    PIT_DECIDES_FIRST,
    REASON_MISSING,
    ROUND_IN_PROGRESS,
    ROUND_WAITS_FOR_RULING,
    TABLE_NOT_OPEN,
    TELL_EACH_FACE,
    Command,
    decides,
    evolves,
)
from longhu.table.remedies.procedure import IncidentOpened, follow, not_in_shoe
from longhu.table.remedies.void import IrregularityFound
from longhu.table.state import (
    DEVICE_MARK,
    RECENT,
    CardSource,
    Fault,
    FaultKind,
    Phase,
    Round,
    Source,
    Table,
    open_round,
)

NOT_A_READING_SHOE = message_code("not-a-reading-shoe")
ANOTHER_SHOE_READS = message_code("another-shoe-reads", shoe="text")
REVOKE_IT_FIRST = message_code("revoke-it-first")
NO_SHOE_CONNECTED = message_code("no-shoe-connected")
CONNECT_SHOE_FIRST = message_code("connect-shoe-first")
DEALS_BY_HAND_ALREADY = message_code("deals-by-hand-already")
SHOE_READS_ALREADY = message_code("shoe-reads-already")
NO_UNREAD_CARD = message_code("no-unread-card")
SHOE_MESSAGES_MISSING = message_code("shoe-messages-missing", missing="number")
SHOE_CARD_NOT_DUE = message_code("shoe-card-not-due", card="card")
SHOE_UNREAD_NOT_DUE = message_code("shoe-unread-not-due")
SHOE_READ_PAST_UNREAD = message_code("shoe-read-past-unread", card="card")
SHOE_CARD_REMOVED = message_code("shoe-card-removed")
SHOE_LIFTED = message_code("shoe-lifted")
SHOE_OTHER = message_code("shoe-other", shoe="text")
SHOE_CONTRADICTS = message_code("shoe-contradicts", sequence="number")
SHOE_RESTARTED = message_code("shoe-restarted", sequence="number", known="number")
SHOE_REPORTS_FAULT = message_code("shoe-reports-fault", detail="text")

Became = Literal["dealt", "set-aside", "unread", "in-error", "burned", "noted", "fault", "repeated"]


# ------------------------------------------------ what a shoe says


class SourceCommand(Command, frozen=True, kw_only=True):
    """What a shoe says of itself; nobody else does (SEC-1)."""

    needs: ClassVar[Position] = Position.DEVICE

    shoe: str  # what it calls itself
    sequence: int  # of its messages, from 1 without a gap; where it says nothing new, of the last
    told_at: int  # by its own clock, milliseconds UTC

    def held_by(self, table: Table) -> Position | None:
        source = table.source
        bound = source is not None and source.device == self.by and source.lost != "revoked"
        return Position.DEVICE if bound else None


class ConnectSource(SourceCommand, frozen=True, kw_only=True, tag="connect-source/1"):
    """A shoe is there: from now on it tells the cards."""

    def held_by(self, table: Table) -> Position | None:
        del table  # which does not know it yet: the house has checked its credential
        return Position.DEVICE if self.by.startswith(DEVICE_MARK) else None


class ReadCard(SourceCommand, frozen=True, kw_only=True, tag="read-card/1"):
    """A card has left the shoe, and this is its face."""

    card: str
    together: bool = False  # in one movement with the card before


class ReadCuttingCard(SourceCommand, frozen=True, kw_only=True, tag="read-cutting-card/1"):
    """The cutting card has left the shoe."""


class ReportRemoved(SourceCommand, frozen=True, kw_only=True, tag="report-removed/1"):
    """A card was taken out in another way than a card is drawn, or the shoe was lifted."""

    what: Literal["card", "shoe"]


class ReportReadError(SourceCommand, frozen=True, kw_only=True, tag="report-read-error/1"):
    """A card has left the shoe and could not be read, or something is wrong with the shoe itself."""

    what: Literal["unreadable", "fault"]
    detail: str = ""  # in the words of whoever made it


class CountMessages(SourceCommand, frozen=True, kw_only=True, tag="count-messages/1"):
    """The shoe says how many messages it has sent, and some of them have not come."""


# ------------------------------------------------ what the house and its staff decide


class LoseSource(Command, frozen=True, kw_only=True, tag="lose-source/1"):
    """The house hears nothing of the shoe any more, or has taken back its credential."""

    needs: ClassVar[Position] = Position.CASINO_OPERATOR

    cause: Literal["disconnected", "silent", "revoked"]


class DealByHand(Command, frozen=True, kw_only=True, tag="deal-by-hand/1"):
    """People enter the faces from now on, whatever the shoe says."""

    needs: ClassVar[Position] = Position.PIT_SUPERVISOR

    reason: str


class DealFromSource(Command, frozen=True, kw_only=True, tag="deal-from-source/1"):
    """The cards are accounted for: the shoe is believed again."""

    needs: ClassVar[Position] = Position.PIT_SUPERVISOR

    reason: str


class EnterUnreadCard(Command, frozen=True, kw_only=True, tag="enter-unread-card/1"):
    """The dealer enters the face of the card that the shoe could not read."""

    needs: ClassVar[Position] = Position.DEALER

    card: str


# ------------------------------------------------ what has happened


class SourceConnected(Event, frozen=True, kw_only=True, tag="source-connected/1"):
    sequence: int
    told_at: int


class SourceLost(Event, frozen=True, kw_only=True, tag="source-lost/1"):
    device: str
    cause: str


class SourceHeard(Event, frozen=True, kw_only=True, tag="source-heard/1"):
    """A message of the shoe, and what became of it."""

    kind: str  # the name of the command
    sequence: int
    told_at: int
    said: str  # by which another message under the same number is told apart
    became: Became
    missing: int = 0  # messages before it that have not come


class UnreadCardEntered(Event, frozen=True, kw_only=True, tag="unread-card-entered/1"):
    """What the shoe could not read lies open on record: the card before this."""


class SourceFaultFound(Event, frozen=True, kw_only=True, tag="source-fault-found/1"):
    """The shoe is not believed any more."""

    kind: FaultKind
    told: Message


class HandDealingDecided(Event, frozen=True, kw_only=True, tag="hand-dealing-decided/1"):
    device: str
    reason: str


class SourceBelieved(Event, frozen=True, kw_only=True, tag="source-believed/1"):
    device: str
    reason: str


# ------------------------------------------------ a shoe comes and goes


@decides(ConnectSource)
def connect_source(table: Table, game: Game, command: ConnectSource) -> Decision:
    settings, known = table.settings, table.source
    if settings is None:
        return Refusal(TABLE_NOT_OPEN())
    if settings.device != "reading-shoe":
        return Refusal(NOT_A_READING_SHOE(), clause="SEC-1")
    if known is not None and known.device != command.by and (known.connected or _in_play(table)):
        return Refusal(ANOTHER_SHOE_READS(shoe=known.shoe), REVOKE_IT_FIRST(), "SEC-1")
    connected = SourceConnected(sequence=command.sequence, told_at=command.told_at, **about(command, "LOG-8"))
    if command.shoe != command.by.removeprefix(DEVICE_MARK):
        return [connected, *_doubted(table, game, command, "other-shoe", SHOE_OTHER(shoe=command.shoe))]
    same = known is not None and known.device == command.by
    if known is not None and same and command.sequence < known.sequence and _in_play(table):
        told = SHOE_RESTARTED(sequence=command.sequence, known=known.sequence)
        return [connected, *_doubted(table, game, command, "restarted", told)]
    return [connected]


@evolves(SourceConnected)
def source_connected(table: Table, event: SourceConnected) -> Table:
    """One that has told more than has come must still tell it: the table's count stays. One that counts anew is taken as it is."""
    known = table.source
    if known is None or known.device != event.by:
        return replace(table, source=CardSource(event.by, True, event.sequence, event.at))
    sequence = min(known.sequence, event.sequence)
    recent = known.recent if sequence == known.sequence else ()
    return replace(
        table, source=replace(known, connected=True, lost="", sequence=sequence, heard=event.at, recent=recent)
    )


@decides(LoseSource)
def lose_source(table: Table, game: Game, command: LoseSource) -> Decision:
    source = table.source
    if source is None or (not source.connected and source.lost in (command.cause, "revoked")):
        return Refusal(NO_SHOE_CONNECTED(), CONNECT_SHOE_FIRST())
    clause = ruling_clause(game) if _in_play(table) else "LOG-8"
    return [SourceLost(device=source.device, cause=command.cause, **about(command, clause))]


@evolves(SourceLost)
def source_lost(table: Table, event: SourceLost) -> Table:
    return _with(table, connected=False, lost=event.cause, heard=event.at)


# ------------------------------------------------ a shoe speaks


@decides(ReadCard)
def read_card(table: Table, game: Game, command: ReadCard) -> Decision:
    face = str(CARD_OF_TEXT.get(command.card, ""))
    if not face:
        return _unreadable(table, game, command, f"unreadable {command.card[:8]}")
    said = f"card {face}"
    wrong = _out_of_line(table, game, command, said)
    if wrong is not None:
        return wrong
    source, heard = bound(table), _heard(command, said)
    if source.to_burn and not _in_play(table):
        return [replace(heard, became="burned")]
    if lies_unread(table):
        return _faulty(table, game, command, said, "unread", SHOE_READ_PAST_UNREAD(card=face))
    if not_in_shoe(table, (face,)) is not None:
        return _faulty(table, game, command, said, "foreign-card", CARD_NOT_IN_SHOE(card=face))
    if command.together and is_due(table, game):
        return _together(table, game, command, face)
    drawn = _next_card(table, game, command, face) if table.awaited is None else Refusal(NO_CARD_DUE())
    if not isinstance(drawn, Refusal):
        return [heard, *drawn]
    if _only_totals_missing(table, game):
        aside = CardsSetAside(
            cards=(face,), shoe_number=table.shoe.number if table.shoe else 0, source="device", **about(command)
        )
        return [replace(heard, became="set-aside"), aside]
    told = ReportDrawnInError(by=table.dealer, at=command.at, position=Position.DEALER, exposed=True, card=face)
    in_error = report_drawn_in_error(table, game, told) if table.awaited is None else Refusal(NO_CARD_DUE())
    if not isinstance(in_error, Refusal):  # the document says what becomes of it
        return [replace(heard, became="in-error"), *_by_shoe(in_error, command)]
    return _faulty(table, game, command, said, "not-due", SHOE_CARD_NOT_DUE(card=face))


def _together(table: Table, game: Game, command: ReadCard, face: str) -> Decision:
    """A card that came with the one before it: their order is known, and the document says what follows (IDT-5.8, DT-5.3)."""
    kind = "drawn-together-order-known"
    rule = rule_of(game, kind)
    aside = CardsSetAside(
        cards=(face,),
        shoe_number=table.shoe.number if table.shoe else 0,
        source="device",
        **about(command, rule.clauses[0] if rule and rule.clauses else ""),
    )
    followed = follow(table, game, command, kind, LEFT_SHOE_TOGETHER(cards=2), [aside], put_right=True)
    heard = replace(_heard(command, f"card {face}"), became="set-aside")
    return followed if isinstance(followed, Refusal) else [heard, *followed]


@decides(ReadCuttingCard)
def read_cutting_card(table: Table, game: Game, command: ReadCuttingCard) -> Decision:
    """As the dealer reports it; where it has come already, or patrons think about something, it is only noted."""
    said = "cutting-card"
    wrong = _out_of_line(table, game, command, said)
    if wrong is not None:
        return wrong
    told = ReportCuttingCard(by=table.dealer, at=command.at, position=Position.DEALER)
    shown = report_cutting_card(table, game, told)
    if isinstance(shown, Refusal):
        return [replace(_heard(command, said), became="noted")]
    return [_heard(command, said), *_by_shoe(shown, command)]


@decides(ReportRemoved)
def report_removed(table: Table, game: Game, command: ReportRemoved) -> Decision:
    said = f"removed {command.what}"
    told = SHOE_LIFTED() if command.what == "shoe" else SHOE_CARD_REMOVED()
    return _out_of_line(table, game, command, said) or _faulty(table, game, command, said, "removed", told)


@decides(ReportReadError)
def report_read_error(table: Table, game: Game, command: ReportReadError) -> Decision:
    if command.what == "unreadable":
        return _unreadable(table, game, command, "unreadable")
    told, said = SHOE_REPORTS_FAULT(detail=command.detail), "fault"
    return _out_of_line(table, game, command, said) or _faulty(table, game, command, said, "device", told)


@decides(CountMessages)
def count_messages(table: Table, game: Game, command: CountMessages) -> Decision:
    source = bound(table)
    missing = command.sequence - source.sequence
    if missing <= 0:
        return Refusal(SHOE_READS_ALREADY())
    heard = SourceHeard(
        kind="count-messages",
        sequence=command.sequence,
        told_at=command.told_at,
        said="",
        became="noted" if _is_noted(table) else "fault",
        missing=missing,
        **about(command, "LOG-8"),
    )
    told = SHOE_MESSAGES_MISSING(missing=missing)
    return [heard] if _is_noted(table) else [heard, *_doubted(table, game, command, "gap", told)]


def _unreadable(table: Table, game: Game, command: ReadCard | ReportReadError, said: str) -> Decision:
    """A card that is due lies there unread: the dealer enters it. Another one is nobody's."""
    wrong = _out_of_line(table, game, command, said)
    if wrong is not None:
        return wrong
    if lies_unread(table) or not is_due(table, game):
        return _faulty(table, game, command, said, "not-due", SHOE_UNREAD_NOT_DUE())
    return [replace(_heard(command, said), became="unread")]


def _out_of_line(table: Table, game: Game, command: SourceCommand, said: str) -> Decision | None:
    """A message that is no next one, or that is only noted; None where it is to be looked at."""
    source = bound(table)
    if command.shoe != source.shoe:
        return _faulty(table, game, command, said, "other-shoe", SHOE_OTHER(shoe=command.shoe))
    missing = command.sequence - source.sequence - 1
    if missing < 0:
        before = _said_before(source, command.sequence)
        if before in ("", said):
            return [replace(_heard(command, said), became="repeated")]
        told = SHOE_CONTRADICTS(sequence=command.sequence)
        return _faulty(table, game, command, said, "contradiction", told)
    if _is_noted(table):
        return [replace(_heard(command, said), became="noted", missing=missing)]
    if missing:
        return _faulty(table, game, command, said, "gap", SHOE_MESSAGES_MISSING(missing=missing), missing)
    return None


def _said_before(source: CardSource, sequence: int) -> str:
    """What a message said that has come; "" where that is forgotten."""
    place = len(source.recent) - 1 - (source.sequence - sequence)
    return source.recent[place] if 0 <= place < len(source.recent) else ""


def _is_noted(table: Table) -> bool:
    """Is what the shoe says only noted? While people enter the faces, and while somebody must look at it."""
    source, round = bound(table), table.round
    by_people = round is not None and bool(round.search.missing)  # who take cards out to find out others (IDT-5.11.1)
    return table.shoe is None or by_people or source.fault is not None or source.deals_by_hand(_round(table))


def lies_unread(table: Table) -> bool:
    """Does a card of the round lie there that the shoe could not read?"""
    return table.source is not None and table.round is not None and table.source.unread_in == table.round.number


def _round(table: Table) -> int:
    """The number of the round in progress; between rounds of none that was or will be dealt by hand."""
    return table.round.number if table.round is not None else -1


def _in_play(table: Table) -> bool:
    """May what has left the shoe, or has not, decide a wager?"""
    return table.round is not None and table.round.phase in (Phase.CLOSED, Phase.DEALING)


def _heard(command: SourceCommand, said: str) -> SourceHeard:
    return SourceHeard(
        kind=str(command.__struct_config__.tag).partition("/")[0],
        sequence=command.sequence,
        told_at=command.told_at,
        said=said,
        became="dealt",
        **about(command, "LOG-8"),
    )


@evolves(SourceHeard)
def source_heard(table: Table, event: SourceHeard) -> Table:
    source = bound(table)
    if event.became == "repeated" or event.sequence <= source.sequence:
        return _with(table, connected=True, lost="", heard=event.at)
    recent = (*source.recent, *[""] * min(event.missing, RECENT), event.said)[-RECENT:]
    return _with(
        table,
        connected=True,
        lost="",
        sequence=event.sequence,
        heard=event.at,
        recent=recent,
        unread_in=open_round(table).number if event.became == "unread" else source.unread_in,
        to_burn=source.to_burn - (event.became == "burned"),
    )


# ------------------------------------------------ the card that is due


def is_due(table: Table, game: Game) -> bool:
    """Would a card that leaves the shoe now be the next one?"""
    round, source = table.round, table.source
    if round is None or round.phase not in (Phase.CLOSED, Phase.DEALING) or round.reserve or table.shoe is None:
        return False
    if table.awaited is not None or source is None or not source.connected or lies_unread(table) or _is_noted(table):
        return False
    return not_ready(table, game, _as_dealer(table, "", round.last_card_at), round) is None


def _as_dealer(table: Table, face: str, at: int) -> DrawCard:
    """The act of the dealer behind a card that the shoe reads."""
    dealers = [person for person, held in table.staff.items() if held is Position.DEALER]
    by = table.dealer or next(iter(dealers), "")
    return DrawCard(by=by, at=at, position=Position.DEALER, card=face)


def _next_card(table: Table, game: Game, command: Command, face: str, *, source: Source = "device") -> Decision:
    """The card as the next one, told by the shoe, or entered for it."""
    if table.round is not None and table.round.reserve:
        return Refusal(NO_CARD_DUE())
    drawn = draw(table, game, _as_dealer(table, face, command.at))
    if isinstance(drawn, Refusal):
        return drawn
    if not any(isinstance(event, CardDrawn) for event in drawn):  # something else comes first
        return Refusal(NO_CARD_DUE())
    told = [
        replace(each, card=replace(each.card, source=source)) if isinstance(each, CardDrawn) else each for each in drawn
    ]
    return _by_shoe(told, command)


def _by_shoe(events: list[Event], command: Command) -> list[Event]:
    """What follows from an act of the dealer, by whoever has told it."""
    return [replace(each, by=command.by, position=command.position) for each in events]


def _only_totals_missing(table: Table, game: Game) -> bool:
    """Is the next card due as soon as the dealer has announced the totals of the first?"""
    round = table.round
    if round is None or round.totals_announced or round.reserve or not (round.all_known and round.all_public):
        return False
    told = replace(table, round=replace(round, totals_announced=True))
    return is_due(told, game)


@decides(EnterUnreadCard)
def enter_unread_card(table: Table, game: Game, command: EnterUnreadCard) -> Decision:
    source, known = table.source, CARD_OF_TEXT.get(command.card)
    if source is None or not lies_unread(table) or source.fault is not None:
        return Refusal(NO_UNREAD_CARD())
    if known is None:
        return Refusal(CARD_NOT_TOLD(), TELL_EACH_FACE())
    if not_in_shoe(table, (str(known),)) is not None:
        return Refusal(CARD_NOT_IN_SHOE(card=str(known)), TELL_EACH_FACE())
    drawn = _next_card(table, game, command, str(known), source="two-people" if command.cosigned_by else "dealer")
    return drawn if isinstance(drawn, Refusal) else [*drawn, UnreadCardEntered(**about(command, "REC-2"))]


@evolves(UnreadCardEntered)
def unread_card_entered(table: Table, _event: UnreadCardEntered) -> Table:
    return _with(table, unread_in=0)


# ------------------------------------------------ a shoe that is not believed


def _faulty(
    table: Table, game: Game, command: SourceCommand, said: str, kind: FaultKind, told: Message, missing: int = 0
) -> list[Event]:
    """The message is on record, and what it says is not dealt."""
    heard = replace(_heard(command, said), became="fault", missing=missing)
    return [heard, *_doubted(table, game, command, kind, told)]


def _doubted(table: Table, game: Game, command: SourceCommand, kind: FaultKind, told: Message) -> list[Event]:
    """The shoe is not believed any more; a round that its word could decide waits for whoever rules on it."""
    found = SourceFaultFound(kind=kind, told=told, **about(command, ruling_clause(game) or "REC-2"))
    round = table.round
    if round is None or not _in_play(table) or round.halt.for_ruling or table.awaited is not None:
        return [found]
    stamp = about(command, ruling_clause(game))
    named = "foreign-card" if kind == "foreign-card" and "foreign-card" in game.irregularities else "other"
    return [
        found,
        IrregularityFound(kind=named, told=told, remedy="ruling", **stamp),
        IncidentOpened(told=told, decider=ruler(game), **stamp),
    ]


@evolves(SourceFaultFound)
def source_fault_found(table: Table, event: SourceFaultFound) -> Table:
    return _with(table, fault=Fault(event.kind, event.told, event.at))


@decides(DealByHand)
def deal_by_hand(table: Table, game: Game, command: DealByHand) -> Decision:
    source = table.source
    if source is None:
        return Refusal(NO_SHOE_CONNECTED())
    if source.by_hand == 0:
        return Refusal(DEALS_BY_HAND_ALREADY())
    refusal = _not_to_decide(table, game, command)
    return refusal or [
        HandDealingDecided(device=source.device, reason=command.reason, **about(command, ruling_clause(game)))
    ]


@evolves(HandDealingDecided)
def hand_dealing_decided(table: Table, _event: HandDealingDecided) -> Table:
    return _with(table, by_hand=0, fault=None, unread_in=0)


@decides(DealFromSource)
def deal_from_source(table: Table, game: Game, command: DealFromSource) -> Decision:
    source = table.source
    if source is None or not source.connected:
        return Refusal(NO_SHOE_CONNECTED(), CONNECT_SHOE_FIRST())
    if source.fault is None and source.by_hand is None:
        return Refusal(SHOE_READS_ALREADY())
    if _in_play(table) and source.deals_by_hand(_round(table)) and open_cards(table):
        return Refusal(ROUND_IN_PROGRESS(), FINISH_ROUND_FIRST())
    refusal = _not_to_decide(table, game, command)
    return refusal or [SourceBelieved(device=source.device, reason=command.reason, **about(command))]


@evolves(SourceBelieved)
def source_believed(table: Table, _event: SourceBelieved) -> Table:
    return _with(table, by_hand=None, fault=None, unread_in=0)


def _not_to_decide(table: Table, game: Game, command: DealByHand | DealFromSource) -> Refusal | None:
    if not command.reason.strip():
        return Refusal(REASON_MISSING(), GIVE_REASON(), "LOG-3")
    if table.round is not None and table.round.halt.for_ruling:
        return Refusal(ROUND_WAITS_FOR_RULING(), PIT_DECIDES_FIRST(), ruling_clause(game))
    return None


def open_cards(table: Table) -> bool:
    """Are cards of the round out of the shoe?"""
    round: Round | None = table.round
    return round is not None and bool(round.cards or round.reserve)


def bound(table: Table) -> CardSource:
    """The shoe that reads here; a message of one where none is connected is a defect."""
    if table.source is None:
        raise AssertionError("a message of a shoe that is not connected")
    return table.source


def _with(table: Table, **changes: object) -> Table:
    return replace(table, source=replace(bound(table), **changes))


def waiting_hand(table: Table, game: Game) -> int | None:
    """The hand that the next card of the shoe goes to, where one is due."""
    return next_hand(game, table.round)[0] if table.round is not None and is_due(table, game) else None
