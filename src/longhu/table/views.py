"""What each person may see of a table: plain data for one viewer, made anew from the state.

A view is built from what the viewer may know and never by striking out the rest, so nothing is forgotten in it. Chips
on the layout lie in the open; balances are one's own, and the pit's and the auditor's business. A face-down card is a
card without a face to everybody, dealer and pit included, save to whoever handles it and has looked. The order of an
electronic shoe, and what is left in it card by card, is in no view at all.

Names to sign in with are for staff and auditors. Whoever is no staff sees a patron as `#7`, the seventh or so who joined,
which stays the same for as long as they are at the table and means nothing elsewhere; a nominee who is not at the table as
`#7 nominee`; staff by their position. A spot stands for nobody, and is told as it is: `@3.2`. Oneself is one of these as well: `View.viewer` says which.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from enum import Enum
from types import NoneType
from typing import Any

import msgspec
from msgspec.structs import replace

from longhu.cards import card
from longhu.deal.procedure import deal_so_far
from longhu.eventsourcing import Event, Refusal
from longhu.games.game import Game
from longhu.ledger import is_spot
from longhu.messages.message import Message, message_code
from longhu.money import Amount
from longhu.positions import Position
from longhu.table.card_source import lies_unread, waiting_hand
from longhu.table.differential import LEFT, cited, gap
from longhu.table.document import cite
from longhu.table.handling import glimpse, may_handle
from longhu.table.opening import Notice, notice
from longhu.table.people import NOBODY
from longhu.table.state import (
    MARK,
    SOMEBODY,
    ChipRequest,
    Outcome,
    Round,
    ShoeInUse,
    Shuffle,
    Table,
    public_label,
    standing,
)
from longhu.table.suspension import stop, suspension

INFORMATION_ONLY = message_code("for-information-only")
WAITS_FOR_RULING = message_code("waits-for-ruling")
WAITS_FOR_ANSWERS = message_code("waits-for-answers")
WAITS_FOR_DIFFERENTIAL = message_code("waits-for-differential")
WAITS_FOR_HOLDER = message_code("waits-for-holder")
WAITS_FOR_SECOND_PERSON = message_code("waits-for-second-person")


class Role(Enum):
    """As what somebody looks at a table."""

    SPECTATOR = "spectator"
    PATRON = "patron"  # holders of a hand are patrons, or their nominees
    DEALER = "dealer"
    PIT = "pit"  # supervisor and up
    CAGE = "cage"
    AUDITOR = "auditor"


SEES_ACCOUNTS = (Role.PIT, Role.AUDITOR)
STAFF = (Role.DEALER, Role.PIT, Role.CAGE, Role.AUDITOR)
COUNTS = {"fill": Role.DEALER, "credit": Role.CAGE}  # who is not told how much it should be
AT_TABLE = (
    "patron:",
    "layout:",
    "spoken:",
    "drop:",
    "unpaid:",
)  # accounts from which nobody works out what real chips the tray has


class Viewer(msgspec.Struct, frozen=True):
    person: str = ""
    role: Role = Role.SPECTATOR


class SeatView(msgspec.Struct, frozen=True):
    person: str
    seat: int | None  # None: standing
    nominee: str = ""  # the marker in front of a patron who is represented (D21-2.2.c)
    name: str = ""  # chosen by the patron to be shown


class StakeView(msgspec.Struct, frozen=True):
    patron: str
    place: int
    wager: str
    amount: Amount
    placed_by: str
    confirmed: bool
    restack: bool = False  # its chips lie in the wrong order: the dealer asks for them to be stacked anew (D21-5.3b)


class CardView(msgspec.Struct, frozen=True):
    hand: str
    face: str | None  # None: face down to this viewer
    public: bool
    holder: str  # "" is the dealer
    bent: int  # how far it has been squeezed open, which everybody can watch
    substitute: bool = False


class DisplayView(msgspec.Struct, frozen=True):
    """The scoreboard of this shoe, and what it is worth (IDT-6.3a)."""

    results: tuple[Outcome, ...]
    says: Message
    clause: str


class OfferView(msgspec.Struct, frozen=True):
    """Will you withdraw? Asked of those who may, shown to staff."""

    why: str
    until: int
    whole: bool
    then: str
    clause: str
    waits_for: tuple[str, ...]


class DifferentialView(msgspec.Struct, frozen=True):
    """The hands lie too far apart: which leads, by how much, what the notice allows, and how it comes down."""

    stage: str  # "asked", "scale"
    may_leave: bool  # the dealer may deal all the same (D21-5.13)
    heavier: str  # the hand's id
    gap: Amount
    allowed: Amount
    clause: str


class ReturnedView(msgspec.Struct, frozen=True):
    """A wager that came back from a tie, and how much of it lies for the next round (D21-5.11)."""

    patron: str
    place: int
    wager: str
    amount: Amount
    kept: Amount


class ChipRequestView(msgspec.Struct, frozen=True):
    """A fill or a credit under way, for staff; who counts it at the end is not told how much it should be (OPS-3)."""

    number: int
    kind: str
    stage: str
    requested_by: str
    issued_by: str
    delivered_by: str
    amount: Amount | None
    chips: dict[Amount, int] | None


class RoundView(msgspec.Struct, frozen=True, kw_only=True):
    number: int
    phase: str
    method: str
    wagering: bool
    stakes: tuple[StakeView, ...]
    cards: tuple[CardView, ...]
    holders: tuple[str, str]
    holds: tuple[str, ...]  # the hands that the viewer may handle
    totals: tuple[int, int] | None  # as last announced
    counted: tuple[int | None, int | None]  # of the cards that lie there now; None while one of the hand's is not known
    opens_first: str | None  # the hand that the dealer wants turned over before the other (IDT-3.10.6)
    just_entered: tuple[int, ...]  # cards that the dealer alone may correct still
    winner: str | None  # a hand's id or "tie", once announced
    waits: tuple[Message, ...]  # what must be settled before the round goes on
    incident: Message | None  # what waits for a ruling, for staff
    offer: OfferView | None
    differential: DifferentialView | None  # while it must come down
    reveal_until: int | None  # when whoever holds cards face down counts as absent
    in_error: tuple[str | None, ...]  # cards drawn in error that wait for a ruling; None lies face down
    aside: int  # cards beside the shoe, which are dealt before any other (IDT-5.8, IDT-5.11.1)
    sort_record: dict[str, int]  # what was counted when a card was missing, for everybody to see (IDT-5.11.2)


class SourceView(msgspec.Struct, frozen=True, kw_only=True):
    """The shoe that reads cards, as staff see it."""

    shoe: str
    connected: bool
    lost: str  # why it is not: "disconnected", "silent", "revoked"
    heard: int  # when it last said something
    messages: int
    by_hand: bool  # people enter the faces
    fault: Message | None  # why it is not relied on
    unread: bool  # a card lies there that it could not read
    waits_for: str  # the hand that its next card goes to, "" where none is due
    read: str  # the card that it read last, where that lies open


class View(msgspec.Struct, frozen=True, kw_only=True):
    viewer: str
    role: Role
    game: str
    version: str  # of its rules
    in_force: str  # from when these rules are in force; "" where their document has no date
    open: bool
    stopped: Message | None  # why nothing goes on
    suspended: Message | None  # why no further round starts
    dealer: str
    phase: str  # of the round; "" between rounds
    round_number: int
    notice: Notice | None  # None while the table is closed
    seats: tuple[SeatView, ...]
    round: RoundView | None
    returned: tuple[ReturnedView, ...]  # between two rounds, after a tie
    display: DisplayView | None  # None where the table has none (D21-3.4.e)
    cards_left: int | None  # None without a shoe
    shuffle: Shuffle | None  # the commitment, what patrons added, and the secret once it is revealed
    cutting_card_out: bool
    source: SourceView | None  # for staff, where a shoe reads the cards
    cutting_card_expected: bool  # of real cards, by the count since the shuffle: a warning, and nothing follows from it
    balance: Amount | None  # one's own chips
    owed: Amount | None  # to oneself, for what came to no chip
    commission: Amount | None  # one's own on the tally, where wins are paid in full (Q51)
    commissions: dict[str, Amount] | None  # who has commission on the tally, for staff
    most: dict[str, Amount]  # one's own maximum by wager, where the house has set one
    owes: dict[str, Amount] | None  # to whom the table owes less than a chip, for staff
    balances: (
        dict[str, Amount] | None
    )  # every account, for pit and auditor; of real chips not those that tell the pit what is in the tray
    chip_requests: tuple[ChipRequestView, ...]  # for staff
    exposed: dict[str, int] | None  # cards that have lain open since the shoe began, for the auditor


def viewer(table: Table, person: str) -> Viewer:
    """Somebody as the table knows them; strangers look on."""
    held = standing(table, person)
    if held is None:
        nominee = any(each.person == person for each in table.nominees.values())
        return Viewer(person, Role.PATRON if nominee else Role.SPECTATOR)
    return Viewer(person, Role.PATRON if held is Position.PATRON else role_of(held))


def role_of(position: Position) -> Role:
    """As what somebody who does not play looks on: surveillance as the auditor."""
    if position.reads_everything:
        return Role.AUDITOR
    if position is Position.CAGE:
        return Role.CAGE
    if position >= Position.PIT_SUPERVISOR:
        return Role.PIT
    return Role.DEALER if position.is_staff else Role.SPECTATOR


Glanced = tuple[Table, View]  # a table, and what somebody saw of it
Named = Callable[[str], str]  # somebody, as the viewer may know them


def named(table: Table, viewer: Viewer) -> Named:
    """Staff see everybody by name; to others people are what they are in public."""
    return str if viewer.role in STAFF else PublicIdentity(table).of


def view(table: Table, game: Game, viewer: Viewer, like: View | None = None, before: Glanced | None = None) -> View:
    """The table as this viewer may see it.

    `like` is what a spectator sees of this very table: what is the same for everybody is taken from there, not made again.
    So is what has not changed since `before`, an earlier moment of a spectator under the same rules.
    """
    shoe, round, who = table.shoe, table.round, named(table, viewer)
    others = None if viewer.role in STAFF else like  # in which people are named as they are to this viewer
    accounts = viewer.role in SEES_ACCOUNTS
    return View(
        viewer=who(viewer.person),
        role=viewer.role,
        game=game.id,
        version=game.version,
        in_force=game.in_force,
        open=table.settings is not None,
        stopped=stop(table, to_staff=viewer.role in STAFF) if table.stopped else None,
        suspended=None if table.suspended is None else suspension(table, to_staff=viewer.role in STAFF),
        dealer=who(table.dealer),
        phase=round.phase.value if round else "",
        round_number=table.rounds,
        notice=_notice(table, game, before) if like is None else like.notice,
        seats=_seats(table, who, before) if others is None else others.seats,
        round=_round(table, game, round, viewer, who, None if others is None else others.round) if round else None,
        returned=_returned(table, who) if others is None else others.returned,
        display=_display(table, game, before) if like is None else like.display,
        cards_left=(shoe.left if shoe else None) if like is None else like.cards_left,
        shuffle=_shuffle(table, who),
        cutting_card_out=shoe is not None and shoe.cutting_card_out,
        source=_source(table, game) if viewer.role in STAFF else None,
        cutting_card_expected=_is_cut_expected(table, game) if like is None else like.cutting_card_expected,
        balance=table.balances.get(f"patron:{viewer.person}", 0) if viewer.person in table.people else None,
        owed=table.owed_to(viewer.person) if viewer.person in table.people else None,
        commission=table.tallied().get(viewer.person, 0) if viewer.person in table.people else None,
        commissions=table.tallied() if viewer.role in STAFF else None,
        most=table.people[viewer.person].maxima if viewer.person in table.people else {},
        owes=table.owed() if viewer.role in STAFF else None,
        balances=_balances(table, viewer) if accounts else None,
        chip_requests=_chip_requests(table, viewer) if viewer.role in STAFF else (),
        exposed=_exposed(shoe, round) if shoe and viewer.role is Role.AUDITOR else None,
    )


def _is_cut_expected(table: Table, game: Game) -> bool:
    """Within the cards of one round, the cutting card of a real shoe should come; until somebody reports it."""
    shoe, settings = table.shoe, table.settings
    if shoe is None or settings is None or settings.virtual_shoe:
        return False
    return shoe.is_cut_within(game.procedure.cards_max)


def tray_is_secret(table: Table) -> bool:
    """Real chips are counted blind: until a count of two people is in, what the ledger has is told to nobody who may count (OPS-1)."""
    return table.settings is not None and table.settings.chips == "physical"


def _balances(table: Table, viewer: Viewer) -> dict[str, int]:
    if viewer.role is Role.AUDITOR or not tray_is_secret(table):
        return dict(table.balances)
    return {account: held for account, held in table.balances.items() if account.startswith(AT_TABLE)}


def _chip_requests(table: Table, viewer: Viewer) -> tuple[ChipRequestView, ...]:
    record = table.float_record
    return tuple([chip_request(each, viewer.role) for each in record.requests.values()]) if record is not None else ()


def chip_request(request: ChipRequest, role: Role) -> ChipRequestView:
    """A request as somebody in this role sees it."""
    told = role is not COUNTS[request.kind]
    return ChipRequestView(
        request.number,
        request.kind,
        request.stage,
        request.requested_by,
        request.issued_by,
        request.delivered_by,
        request.amount if told else None,
        request.chips if told else None,
    )


def _shuffle(table: Table, who: Named) -> Shuffle | None:
    """What was contributed and mixed has nobody's name; only who has cut is to be told."""
    shuffle = table.shuffle
    return replace(shuffle, cut_by=who(shuffle.cut_by)) if shuffle is not None and shuffle.cut_by else shuffle


def _source(table: Table, game: Game) -> SourceView | None:
    source, round = table.source, table.round
    if source is None:
        return None
    hand = waiting_hand(table, game)
    read = [each.card for each in round.cards if each.public and each.source == "device"] if round else []
    return SourceView(
        shoe=source.shoe,
        connected=source.connected,
        lost=source.lost,
        heard=source.heard,
        messages=source.sequence,
        by_hand=source.deals_by_hand(round.number if round else -1),
        fault=source.fault.told if source.fault else None,
        unread=lies_unread(table),
        waits_for="" if hand is None else game.procedure.hands[hand].id,
        read=read[-1] if read else "",
    )


def _notice(table: Table, game: Game, before: Glanced | None) -> Notice | None:
    if before is not None and before[0].settings is table.settings:
        return before[1].notice
    return notice(table, game)


def _seats(table: Table, who: Named, before: Glanced | None) -> tuple[SeatView, ...]:
    if before is not None and before[0].people is table.people and before[0].nominees is table.nominees:
        return before[1].seats
    return tuple(
        [SeatView(who(each.id), each.seat, who(_marker(table, each.id)), each.name) for each in table.people.values()]
    )


def _marker(table: Table, patron: str) -> str:
    nominee = table.nominees.get(patron)
    return nominee.person if nominee is not None and nominee.active else ""


def _round(table: Table, game: Game, round: Round, viewer: Viewer, who: Named, like: RoundView | None) -> RoundView:
    """The round; where this viewer sees of it what somebody else sees, it is the very same."""
    cards = tuple(
        [
            CardView(
                each.hand,
                glimpse(table, place, viewer.person)[0] or None,
                each.public,
                who(each.holder),
                each.bent,
                each.substitute,
            )
            for place, each in enumerate(round.cards)
        ]
    )
    holds = tuple(
        [
            id
            for id, holders in zip(game.hands, _handlers(round), strict=True)
            if any(may_handle(table, viewer.person, holder) for holder in holders)
        ]
    )
    incident = round.halt.incident if viewer.role in STAFF else None
    offer = _offer(round, viewer, who)
    if like is not None:
        same = (cards, holds, incident, offer) == (like.cards, like.holds, like.incident, like.offer)
        return like if same else replace(like, cards=cards, holds=holds, incident=incident, offer=offer)
    number = round.outcome(game.procedure)
    return RoundView(
        number=round.number,
        phase=round.phase.value,
        method=round.method,
        wagering=round.wagering,
        stakes=tuple(
            [
                StakeView(
                    who(each.patron),
                    each.place,
                    each.wager,
                    each.amount,
                    who(each.placed_by),
                    each.confirmed,
                    key in round.restack,
                )
                for key, each in round.stakes.items()
            ]
        ),
        cards=cards,
        holders=(who(round.holders[0]), who(round.holders[1])),
        holds=holds,
        totals=_totals(game, round),
        counted=(_counted(game, round, 0), _counted(game, round, 1)),
        opens_first=None if round.reveals_first is None else round.hands[round.reveals_first],
        just_entered=round.just_entered,
        winner=None if number is None else game.winner(number) or "tie",
        waits=waits(table, round),
        incident=incident,
        offer=offer,
        differential=_differential(table, game, round),
        reveal_until=_reveal_due(table, round),
        in_error=tuple([each.card or None if each.exposed else None for each in round.in_error]),
        aside=len(round.reserve),
        sort_record=dict(round.search.sort_record),
    )


def _handlers(round: Round) -> tuple[set[str], set[str]]:
    """Who handles something of each hand: its holder, and whoever a single card was granted to (IDT-3.15)."""
    found = {round.holders[0]}, {round.holders[1]}
    for each in round.cards:
        if not each.public:
            found[round.hands.index(each.hand)].add(each.holder)
    return found[0] - {""}, found[1] - {""}


def _totals(game: Game, round: Round) -> tuple[int, int] | None:
    """What the dealer has announced: after the initial deal, then of the whole hands; nothing of a card since."""
    if not round.announced and not round.totals_announced:
        return None
    told = round.cards if round.announced else round.cards[: game.procedure.initial_cards]
    if not all(each.public and each.card for each in told):
        return None
    return deal_so_far(game.procedure, [card(each.card) for each in told]).totals


def _counted(game: Game, round: Round, hand: int) -> int | None:
    """The total of a hand as its open cards have it; none where one lies face down, or more lie there than a hand takes."""
    laid, procedure = round.cards_of(hand), game.procedure
    if not 0 < len(laid) <= procedure.cards_max // 2 or not all(each.public and each.card for each in laid):
        return None
    taken = procedure.empty
    for each in laid:
        taken = procedure.take(taken, card(each.card))
    return procedure.total(taken)


def waits(table: Table, round: Round) -> tuple[Message, ...]:
    """What somebody must settle before the round goes on."""
    reasons = (
        (WAITS_FOR_SECOND_PERSON, table.awaited is not None),
        (WAITS_FOR_RULING, round.halt.for_ruling),
        (WAITS_FOR_ANSWERS, round.halt.offer is not None),
        (WAITS_FOR_DIFFERENTIAL, round.differential not in ("", LEFT)),
        (WAITS_FOR_HOLDER, bool(round.asks_supervisor)),
    )
    return tuple([reason() for reason, holds in reasons if holds])


def _offer(round: Round, viewer: Viewer, who: Named) -> OfferView | None:
    offer = round.halt.offer
    if offer is None or not (viewer.role in STAFF or viewer.person in offer.waits_for):
        return None
    waits_for = tuple([who(each) for each in offer.waits_for])
    return OfferView(offer.why, offer.until, offer.whole, offer.then, offer.clause, waits_for)


def _differential(table: Table, game: Game, round: Round) -> DifferentialView | None:
    if round.differential in ("", LEFT):
        return None
    found = gap(table, game, round.stakes)
    if found is None or found.over <= 0 or game.differential is None:
        return None
    heavier, may_leave = game.procedure.hands[found.heavier].id, game.differential.may_leave
    return DifferentialView(round.differential, may_leave, heavier, found.amount, found.limit, cited(game))


def _returned(table: Table, who: Named) -> tuple[ReturnedView, ...]:
    """What a tie gave back; once the next round has started, it is wagered or it is not."""
    if table.round is not None or not table.returned:
        return ()
    return tuple(
        [
            ReturnedView(who(each.patron), each.place, each.wager, each.amount, _kept(table, key))
            for key, each in table.returned.items()
        ]
    )


def _kept(table: Table, key: str) -> int:
    return table.kept[key].amount if key in table.kept else 0


def _display(table: Table, game: Game, before: Glanced | None) -> DisplayView | None:
    if before is not None and before[0].settings is table.settings and before[0].results is table.results:
        return before[1].display
    if table.settings is None or not table.settings.equipment.display:
        return None
    return DisplayView(table.results, INFORMATION_ONLY(), cite(game, "display"))


def _exposed(shoe: ShoeInUse, round: Round | None) -> dict[str, int]:
    """What has lain open: discards that were turned over, and open cards on the table."""
    seen = Counter(shoe.discards) - Counter(shoe.unseen)
    seen.update(each.card for each in (round.cards if round else ()) if each.public and each.card)
    return dict(sorted(seen.items()))


def _reveal_due(table: Table, round: Round) -> int | None:
    """When whoever holds cards face down counts as absent; None where nobody does, or where the time stands still."""
    if table.settings is None or round.halt.offer is not None or round.halt.for_ruling or round.asks_supervisor:
        return None
    if not any(round.holders) or not any(each.holder and not each.public for each in round.cards):
        return None
    return round.last_card_at + table.settings.reveal_seconds * 1000


# ------------------------------------------------ people in public

# Fields of events, views and their parts that name people, whatever the event is.
PEOPLE = {
    "among", "asks", "by", "cut_by", "dealer", "holder", "holders", "may_raise", "nominee", "other", "patron", "patrons", "person", "placed_by", "to",
    "told_by", "viewer", "waits_for",
}  # fmt: skip
KEYS = frozenset(["key"])  # that begin with the name of a patron: ann/3/dragon
PERSON_FIELDS = frozenset([*PEOPLE, *KEYS])
NAMELESS = frozenset([int, bool, NoneType])  # values that hold no name, whatever the field
WORDS = frozenset(each.word for each in Position)  # what a record has already in place of a name, as of who has cut


class PublicIdentity:
    """How the people of a table are told to others. The newest table is given first: it knows who is there, the others who was."""

    def __init__(self, *tables: Table) -> None:
        self._tables = tables
        self._labels: dict[str, str | None] = {}

    def of(self, name: str, position: Position = Position.PATRON) -> str:
        """Somebody in public; whoever has acted in a position and is not known here is told by that."""
        label = self._labels.get(name)
        if label is not None:
            return label
        if name in NOBODY or name.startswith(MARK) or is_spot(name):
            return name
        label = self.label(name)
        if label is None and position is not Position.PATRON:
            return str(position.value)
        return label or (name if name in WORDS else SOMEBODY)

    def label(self, name: str) -> str | None:
        """What stands for a name; None for a stranger."""
        if name not in self._labels:
            labels = (public_label(table, name) for table in self._tables)
            self._labels[name] = next((label for label in labels if label is not None), None)
        return self._labels[name]

    def refusal(self, refusal: Refusal, own: str) -> Refusal:
        """A refusal for whoever is no staff."""
        remedy = None if refusal.remedy is None else self.message(refusal.remedy, own)
        return Refusal(self.message(refusal.reason, own), remedy, refusal.clause)

    def message(self, message: Message, own: str = "") -> Message:
        """A message without the names of anybody at the table but one's own."""
        return message.with_persons(lambda name: name if name == own else self.of(name))

    def told(self, field: str, value: Any) -> Any:
        """A field of an event or a view as it is sent, with everybody in it in public."""
        if isinstance(value, str):
            if field in PEOPLE:
                return self.of(value)
            if field in KEYS:
                name, _, rest = value.partition("/")
                return f"{self.of(name)}/{rest}"
            return value
        if isinstance(value, Message):
            return self.message(value)
        if isinstance(value, dict):
            found = dict(value)
            for name, each in value.items():
                if name in PERSON_FIELDS if type(each) is str else type(each) not in NAMELESS:
                    found[name] = self.told(name, each)
            return found
        return [self.told(field, each) for each in value] if isinstance(value, (list, tuple)) else value


class RecalledIdentity(PublicIdentity):
    """The same for a round that is over, of which the events alone are at hand: patrons by the order in which they appear."""

    def __init__(self, events: Iterable[Event]) -> None:
        super().__init__()
        self._staff: dict[str, Position] = {}
        self._patrons: dict[str, str] = {}
        for event in events:
            if event.position is not Position.PATRON:
                self._staff[event.by] = event.position
            else:
                self._number(event.by)
            stake = getattr(event, "stake", None)
            self._number(getattr(stake, "patron", ""))
            self._number(getattr(event, "patron", ""))

    def _number(self, name: str) -> None:
        if name not in NOBODY and not name.startswith(MARK) and not is_spot(name):
            self._patrons.setdefault(name, f"{MARK}{len(self._patrons) + 1}")

    def label(self, name: str) -> str | None:
        position = self._staff.get(name)
        return position.value if position is not None else self._patrons.get(name)
