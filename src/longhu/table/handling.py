"""Who handles the cards: passing, refusing, squeezing, revealing (IDT-3.10, D21-8.0f, DBC-DEAL-2)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import ClassVar

from msgspec.structs import replace

from longhu.cards import CARD_OF_TEXT
from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game
from longhu.ledger import is_spot
from longhu.messages.message import message_code
from longhu.positions import Position
from longhu.table import nominees
from longhu.table.betting import NAME_SPOT_OF_POSITION
from longhu.table.document import cite, ruling_clause
from longhu.table.messages import (
    HAND_ALREADY_OPEN,
    HAND_NOT_PASSED,
    INITIAL_DEAL_NOT_OVER,
    NO_SUCH_CARD,
    NO_SUCH_HAND,
    NOT_AT_TABLE,
    PIT_DECIDES_FIRST,
    ROUND_WAITS_FOR_RULING,
    TELL_EACH_FACE,
    WAIT_FOR_ANSWERS,
    WITHDRAWAL_OFFERED,
    Command,
    decides,
    evolves,
    evolves_round,
)
from longhu.table.people import of_the_deal
from longhu.table.priority import hand_index, kept_off, next_holder, takes_cards
from longhu.table.remedies.mispassed import retrievable, retrieved
from longhu.table.remedies.passing import HandPassed, held_by, method_clause, passed_on
from longhu.table.remedies.procedure import not_to_be_entered
from longhu.table.remedies.restoring import handed
from longhu.table.state import STEPS, Card, Phase, Round, Table, has_spot, open_round, seat_of

DEALER_HANDLES_CARDS = message_code("dealer-handles-cards")
CHOOSE_ANOTHER_METHOD = message_code("choose-another-method")
HANDS_PASSED_ALREADY = message_code("hands-passed-already")
HANDS_NOT_PASSED = message_code("hands-not-passed")
PASS_HANDS_FIRST = message_code("pass-hands-first")
NOT_HOLDER_OF_HAND = message_code("not-holder-of-hand", person="person", hand="hand")
HAND_PLAYED_OUT = message_code("hand-played-out", hand="hand")
NOBODY_TO_NAME = message_code("nobody-to-name")
NOT_AMONG_EQUAL_WAGERS = message_code("not-among-equal-wagers", person="person")
NOBODY_GRANTS_SQUEEZE = message_code("nobody-grants-squeeze")
NEITHER_SEATED_NOR_NOMINEE = message_code("neither-seated-nor-nominee", person="person")
NAME_NOMINEE_FIRST = message_code("name-nominee-first")
CARDS_DEALT_FACE_UP = message_code("cards-dealt-face-up")
STANDING_MAY_NOT_HANDLE = message_code("standing-may-not-handle", person="person")
SIT_DOWN_OR_HAND_BACK = message_code("sit-down-or-hand-back")
NOT_HOLDER_OF_CARD = message_code("not-holder-of-card", person="person")
CARDS_STAY = message_code("cards-stay")
NOTHING_TO_SQUEEZE = message_code("nothing-to-squeeze")
CARD_OPEN_BY = message_code("card-open-by", step="number", steps="number")
HOLDER_TO_BE_NAMED = message_code("holder-to-be-named")
ANOTHER_HOLDS_HAND = message_code("another-holds-hand", person="person", hand="hand")
DEALER_HOLDS_HAND = message_code("dealer-holds-hand", hand="hand")
HAND_OPENS_FIRST = message_code("hand-opens-first", hand="hand")
FACES_NOT_TOLD = message_code("faces-not-told", needed="number", told="number")
HOLDER_NAMES_NO_CARD = message_code("holder-names-no-card", person="person")
GIVE_CARDS_BACK = message_code("give-cards-back")
FACE_NOT_KNOWN = message_code("face-not-known")
SQUEEZE_AND_GIVE_BACK = message_code("squeeze-and-give-back")
NOT_CARDS_OF_HAND = message_code("not-cards-of-hand", hand="hand")
NAME_CARDS_FACE_DOWN = message_code("name-cards-face-down")


class PassHands(Command, frozen=True, kw_only=True, tag="pass-hands/1"):
    """After the initial deal the dealer passes each hand to whoever is entitled, face down, and says which opens first."""

    needs: ClassVar[Position] = Position.DEALER

    first: str = ""  # the hand that opens first (IDT-3.10.6); "" is the one that is dealt to first


class PassToSpot(Command, frozen=True, kw_only=True, tag="pass-to-spot/1"):
    """Pass a hand to a spot where nobody's chips on it have been entered: the dealer sees who has wagered most."""

    needs: ClassVar[Position] = Position.DEALER

    hand: str
    patron: str  # the spot


class RefuseHand(Command, frozen=True, kw_only=True, tag="refuse-hand/1"):
    """The holder would not handle the cards, as the dealer says of a spot: they go to the next."""

    hand: str


class NameHolder(Command, frozen=True, kw_only=True, tag="name-holder/1"):
    """Where amounts and times lead to nobody, a pit supervisor picks somebody, or lets the dealer turn the cards (IDT-3.10.4.1)."""

    needs: ClassVar[Position] = Position.PIT_SUPERVISOR

    hand: str
    person: str


class GrantSqueeze(Command, frozen=True, kw_only=True, tag="grant-squeeze/1"):
    """A pit manager lets somebody squeeze a hand, or any of its cards, whoever is entitled (IDT-3.15)."""

    needs: ClassVar[Position] = Position.PIT_MANAGER

    hand: str
    person: str
    places: tuple[int, ...] = ()  # cards of the hand, among those of the round from 0; none: the whole hand


class SqueezeGranted(Event, frozen=True, kw_only=True, tag="squeeze-granted/1"):
    hand: str
    person: str
    places: tuple[int, ...] = ()  # none: the whole hand


class ChooseFirstHand(Command, frozen=True, kw_only=True, tag="choose-first-hand/1"):
    """The dealer says which hand is turned over first after the initial deal (IDT-3.10.6)."""

    needs: ClassVar[Position] = Position.DEALER

    hand: str


class FirstHandChosen(Event, frozen=True, kw_only=True, tag="first-hand-chosen/1"):
    hand: str


class SqueezeCard(Command, frozen=True, kw_only=True, tag="squeeze-card/1"):
    """Look at a card by bending it, step by step; it never changes what the card is (IDT-1.1.13)."""

    place: int  # among the cards of the round, from 0
    step: int


class CardSqueezed(Event, frozen=True, kw_only=True, tag="card-squeezed/1"):
    place: int
    step: int


class RevealHand(Command, frozen=True, kw_only=True, tag="reveal-hand/1"):
    """Turn a hand's cards over: by its holder, or by the dealer where nobody holds it.

    Where the table does not know the faces, the holder only gives the cards back: the dealer turns them and enters what lies
    there, one card after the other or several at once.
    """

    hand: str
    cards: tuple[str, ...] = ()  # faces that the table does not know yet, as the dealer sees them


class CardsGivenBack(Event, frozen=True, kw_only=True, tag="cards-given-back/1"):
    """Real cards are with the dealer again, to be turned over; further cards still go to the holder of the hand (IDT-3.10.7)."""

    hand: str
    places: tuple[int, ...]


class CardsRevealed(Event, frozen=True, kw_only=True, tag="cards-revealed/1"):
    hand: str
    cards: tuple[str, ...]  # all cards of the hand, in order; "" lies face down still


OPENS_FIRST = "3.10.6"  # the paragraph of a method by which the dealer says which hand opens first


def squeezed(game: Game, round: Round) -> bool:
    """Is the round dealt by a method in which patrons may handle cards?"""
    method = game.methods.get(round.method)
    return method is not None and method.squeeze != "nobody"


@decides(PassHands)
@of_the_deal
def pass_hands(table: Table, game: Game, command: PassHands) -> Decision:
    round = table.round
    if round is None or round.phase is not Phase.DEALING or len(round.cards) < game.procedure.initial_cards:
        return Refusal(INITIAL_DEAL_NOT_OVER())
    if not squeezed(game, round):
        return Refusal(DEALER_HANDLES_CARDS(), clause=method_clause(game, round))
    if round.passed:
        return Refusal(HANDS_PASSED_ALREADY(), clause=method_clause(game, round))
    if (waits := _waits(game, round)) is not None:
        return waits
    first, ordered = hand_index(game, command.first), method_clause(game, round, OPENS_FIRST)
    if command.first and first is None:
        return Refusal(NO_SUCH_HAND(hand=command.first), clause=ordered)
    events: list[Event] = []
    if command.first or ordered.endswith(OPENS_FIRST):
        events = [FirstHandChosen(hand=round.hands[first or 0], **about(command, ordered))]
    return [*events, *(passed_on(table, game, command, hand, ()) for hand in (0, 1))]


@decides(PassToSpot)
@of_the_deal
def pass_to_spot(table: Table, game: Game, command: PassToSpot) -> Decision:
    round, hand = table.round, hand_index(game, command.hand)
    if round is None or hand is None or not round.passed:
        return Refusal(HAND_NOT_PASSED(hand=command.hand))
    clause, spot, declined = method_clause(game, round), command.patron, round.declined[hand]
    if not has_spot(table, spot) or not takes_cards(table, spot):
        return Refusal(NOT_AT_TABLE(person=spot), NAME_SPOT_OF_POSITION(), clause)
    if (waits := _waits(game, round)) is not None:
        return waits
    entitled = next_holder(table, game, hand, declined)
    if round.holders[hand] or entitled:
        due = round.holders[hand] or (entitled if isinstance(entitled, str) else entitled[0])
        return Refusal(ANOTHER_HOLDS_HAND(person=due, hand=command.hand), clause=clause)
    if _played_out(game, round, hand):
        return Refusal(HAND_PLAYED_OUT(hand=command.hand), clause=clause)
    if kept_off(table, game, spot):
        return Refusal(STANDING_MAY_NOT_HANDLE(person=spot), NAME_SPOT_OF_POSITION(), cite(game, "standing"))
    return [HandPassed(hand=command.hand, to=spot, declined=declined, **about(command, clause))]


@decides(RefuseHand)
def refuse_hand(table: Table, game: Game, command: RefuseHand) -> Decision:
    round, hand = table.round, hand_index(game, command.hand)
    if round is None or hand is None or not round.passed:
        return Refusal(HAND_NOT_PASSED(hand=command.hand))
    clause, holder = method_clause(game, round), round.holders[hand]
    told = is_spot(holder) and command.position >= Position.DEALER
    if not holder or not (told or may_handle(table, command.by, holder)):
        return Refusal(NOT_HOLDER_OF_HAND(person=command.by, hand=command.hand), clause=clause)
    if _played_out(game, round, hand):
        return Refusal(HAND_PLAYED_OUT(hand=command.hand), clause=clause)
    if (waits := _waits(game, round)) is not None:
        return waits
    if hand in round.mispassed and retrievable(game, round, hand):  # who was never entitled declines nothing
        return retrieved(table, game, command, hand)
    declined = (*round.declined[hand], holder)
    return [passed_on(table, game, command, hand, declined)]


def _all_declined(table: Table, game: Game, round: Round, hand: int) -> bool:
    """Amounts and times lead to nobody: all who wagered on the hand declined it, and the dealer has it face down (IDT-3.10.4.1)."""
    if "equal-wagers" not in game.cites or not round.passed or round.holders[hand] or _played_out(game, round, hand):
        return False
    return bool(round.declined[hand]) and next_holder(table, game, hand, round.declined[hand]) == ""


@decides(NameHolder)
def name_holder(table: Table, game: Game, command: NameHolder) -> Decision:
    round, hand = table.round, hand_index(game, command.hand)
    if round is None or hand is None or not (hand in round.asks_supervisor or _all_declined(table, game, round, hand)):
        return Refusal(NOBODY_TO_NAME())
    if (waits := _waits(game, round)) is not None:
        return waits
    among = next_holder(table, game, hand, round.declined[hand])
    if among and command.person not in (among if isinstance(among, tuple) else (among,)):
        return Refusal(NOT_AMONG_EQUAL_WAGERS(person=command.person), clause=cite(game, "equal-wagers"))
    if not takes_cards(table, command.person) or kept_off(table, game, command.person):
        return Refusal(NOT_AT_TABLE(person=command.person), clause=cite(game, "equal-wagers"))
    passed = HandPassed(
        hand=command.hand,
        to=command.person,
        declined=round.declined[hand],
        **about(command, cite(game, "equal-wagers")),
    )
    return [passed]


def _seated_or_nominee(table: Table, person: str) -> bool:
    """Under the nominee conditions a designee plays himself, or acts for somebody in due form (Q32)."""
    acting = any(
        each.person == person and each.announced and "handle" in each.approved for each in table.nominees.values()
    )
    return acting or seat_of(table, person) is not None


@decides(GrantSqueeze)
def grant_squeeze(table: Table, game: Game, command: GrantSqueeze) -> Decision:
    round, hand = table.round, hand_index(game, command.hand)
    if round is None or hand is None:
        return Refusal(NO_SUCH_HAND(hand=command.hand))
    if not squeezed(game, round):
        return Refusal(
            DEALER_HANDLES_CARDS(),
            CHOOSE_ANOTHER_METHOD(),
            method_clause(game, round),
        )
    if "squeeze-grant" not in game.cites:
        return Refusal(NOBODY_GRANTS_SQUEEZE(), clause=method_clause(game, round))
    if _played_out(game, round, hand):
        return Refusal(HAND_PLAYED_OUT(hand=command.hand), clause=cite(game, "squeeze-grant"))
    if round.passed and (waits := _waits(game, round)) is not None:
        return waits
    if not takes_cards(table, command.person):
        return Refusal(NOT_AT_TABLE(person=command.person))
    if command.places and not round.passed:
        return Refusal(HANDS_NOT_PASSED(), PASS_HANDS_FIRST(), cite(game, "squeeze-grant"))
    hidden = {place for place, each in enumerate(round.cards) if each.hand == command.hand and not each.public}
    if not set(command.places) <= hidden:
        return Refusal(NOT_CARDS_OF_HAND(hand=command.hand), NAME_CARDS_FACE_DOWN(), cite(game, "squeeze-grant"))
    if game.chosen.get("designee_rules") == "nominee" and not _seated_or_nominee(table, command.person):
        return Refusal(
            NEITHER_SEATED_NOR_NOMINEE(person=command.person),
            NAME_NOMINEE_FIRST(),
            cite(game, "squeeze-grant"),
        )
    clause = cite(game, "squeeze-grant")
    return [SqueezeGranted(hand=command.hand, person=command.person, places=command.places, **about(command, clause))]


@evolves_round(SqueezeGranted)
def squeeze_granted(round: Round, event: SqueezeGranted) -> Round:
    if event.places:
        cards = [handed(each, event.person) if at in event.places else each for at, each in enumerate(round.cards)]
        return replace(round, cards=tuple(cards), last_card_at=event.at)
    granted, hand = [*round.granted], round.hands.index(event.hand)
    granted[hand] = event.person
    round = replace(round, granted=(granted[0], granted[1]))
    if round.passed:
        round = held_by(round, hand, event.person)
    asks = tuple(each for each in round.asks_supervisor if each != hand)
    return replace(round, asks_supervisor=asks)


@decides(ChooseFirstHand)
@of_the_deal
def choose_first_hand(table: Table, game: Game, command: ChooseFirstHand) -> Decision:
    round, hand = table.round, hand_index(game, command.hand)
    if round is None or hand is None:
        return Refusal(NO_SUCH_HAND(hand=command.hand))
    method, clause = game.methods.get(round.method), method_clause(game, round, OPENS_FIRST)
    if method is None or method.cards == "face-up":
        return Refusal(CARDS_DEALT_FACE_UP(), clause=clause)
    if round.phase is not Phase.DEALING or len(round.cards) < game.procedure.initial_cards:
        return Refusal(INITIAL_DEAL_NOT_OVER(), clause=clause)
    for each in (hand, 1 - hand):
        if all(laid.public for laid in round.cards_of(each)):
            return Refusal(HAND_ALREADY_OPEN(hand=round.hands[each]), clause=clause)
    return [FirstHandChosen(hand=command.hand, **about(command, clause))]


@evolves_round(FirstHandChosen)
def first_hand_chosen(round: Round, event: FirstHandChosen) -> Round:
    return replace(round, reveals_first=round.hands.index(event.hand))


def may_handle(table: Table, person: str, holder: str) -> bool:
    """The holder, or the holder's active nominee who may handle cards (D21-9.4a)."""
    return person == holder or nominees.may_act_for(table, person, holder, "handle")


def _stands(table: Table, game: Game, person: str) -> Refusal | None:
    """Who has stood up with cards in front keeps them, and touches them again when seated (D21-5.6b)."""
    if not kept_off(table, game, person):
        return None
    return Refusal(STANDING_MAY_NOT_HANDLE(person=person), SIT_DOWN_OR_HAND_BACK(), cite(game, "standing"))


def designated(table: Table, hand: int) -> str:
    """Who receives a hand's cards: its holder, or the nominee who handles cards for the holder; "" is the dealer."""
    holder = table.round.holders[hand] if table.round else ""
    nominee = table.nominees.get(holder)
    return nominee.person if nominee and may_handle(table, nominee.person, holder) else holder


def pucks(table: Table) -> tuple[int | None, int | None]:
    """The seats where the two pucks lie, by hand; None is parked with the dealer (D21-3.4.d)."""
    first, second = (seat_of(table, designated(table, hand)) for hand in (0, 1))
    return first, second


@decides(SqueezeCard)
def squeeze(table: Table, game: Game, command: SqueezeCard) -> Decision:
    round = table.round
    if round is None or not 0 <= command.place < len(round.cards):
        return Refusal(NO_SUCH_CARD())
    laid = round.cards[command.place]
    if not squeezed(game, round):
        return Refusal(DEALER_HANDLES_CARDS(), clause=method_clause(game, round))
    if not laid.holder or not may_handle(table, command.by, laid.holder):
        return Refusal(NOT_HOLDER_OF_CARD(person=command.by), clause=method_clause(game, round))
    if (standing := _stands(table, game, command.by)) is not None:
        return standing
    if _stays(round, round.hands.index(laid.hand)):
        return Refusal(CARDS_STAY(), clause=_waits_by(game, round))
    if not laid.card:
        return Refusal(FACE_NOT_KNOWN(), SQUEEZE_AND_GIVE_BACK(), method_clause(game, round))
    if laid.public or not laid.bent < command.step <= STEPS:
        return Refusal(NOTHING_TO_SQUEEZE(), CARD_OPEN_BY(step=laid.bent, steps=STEPS))
    return [CardSqueezed(place=command.place, step=command.step, **about(command, method_clause(game, round)))]


@evolves_round(CardSqueezed)
def card_squeezed(round: Round, event: CardSqueezed) -> Round:
    cards = list(round.cards)
    cards[event.place] = replace(cards[event.place], seen=True, bent=event.step)
    return replace(round, cards=tuple(cards))


def glimpse(table: Table, place: int, person: str) -> tuple[str, Fraction]:
    """What somebody sees of a card, and how much of it: all of an open one, of a squeezed one what its holder bends."""
    laid = open_round(table).cards[place]
    if laid.public:
        return laid.card, Fraction(1)
    if laid.bent and laid.holder and may_handle(table, person, laid.holder):
        return laid.card, Fraction(laid.bent, STEPS)
    return "", Fraction(0)


@decides(RevealHand)
@of_the_deal
def reveal(table: Table, game: Game, command: RevealHand) -> Decision:
    round, hand = table.round, hand_index(game, command.hand)
    if round is None or hand is None:
        return Refusal(NO_SUCH_HAND(hand=command.hand))
    if len(round.cards) < game.procedure.initial_cards:
        return Refusal(INITIAL_DEAL_NOT_OVER())
    if round.asks_supervisor:
        return Refusal(HOLDER_TO_BE_NAMED(), clause=cite(game, "equal-wagers"))
    if _stays(round, hand):
        return Refusal(CARDS_STAY(), clause=_waits_by(game, round))
    hidden = {place: each for place, each in enumerate(round.cards) if each.hand == command.hand and not each.public}
    if not hidden:
        return Refusal(HAND_ALREADY_OPEN(hand=command.hand))
    if squeezed(game, round) and not round.passed:
        return Refusal(HANDS_NOT_PASSED(), PASS_HANDS_FIRST(), method_clause(game, round))
    if command.position < Position.DEALER:
        return _opens_later(game, round, hand) or _by_holder(table, game, command, hand, hidden)
    return _by_dealer(table, game, command, hand, hidden)


def _by_holder(table: Table, game: Game, command: RevealHand, hand: int, hidden: dict[int, Card]) -> Decision:
    """A patron turns over the cards that the table knows, and gives back those that it does not: nobody names the own cards."""
    round = open_round(table)
    clause, holders = method_clause(game, round), [each.holder for each in hidden.values()]
    own = {place: each for place, each in hidden.items() if each.holder and may_handle(table, command.by, each.holder)}
    if not own:
        another = next(filter(None, holders), "")
        told = (
            ANOTHER_HOLDS_HAND(person=another, hand=command.hand) if another else DEALER_HOLDS_HAND(hand=command.hand)
        )
        return Refusal(told, clause=clause)
    if (standing := _stands(table, game, command.by)) is not None:
        return standing
    if command.cards:
        return Refusal(HOLDER_NAMES_NO_CARD(person=command.by), GIVE_CARDS_BACK(), clause)
    if not all(each.card for each in own.values()):
        return [CardsGivenBack(hand=command.hand, places=tuple(own), **about(command, clause))]
    return [CardsRevealed(hand=command.hand, cards=_faces(round, hand, {*own}), **about(command, clause))]


def _by_dealer(table: Table, game: Game, command: RevealHand, hand: int, hidden: dict[int, Card]) -> Decision:
    """The dealer turns over what nobody else has, and at a table with real cards what lies there again."""
    round = open_round(table)
    clause, with_patrons = method_clause(game, round), {at: each for at, each in hidden.items() if each.holder}
    if table.settings is not None and table.settings.virtual_shoe:
        hidden = {at: each for at, each in hidden.items() if not each.holder}
        if not hidden:
            holder = next(each.holder for each in with_patrons.values())
            return Refusal(ANOTHER_HOLDS_HAND(person=holder, hand=command.hand), clause=clause)
    unknown = [place for place, each in hidden.items() if not each.card]
    if len(command.cards) > len(unknown) or "" in command.cards or (unknown and not command.cards):
        return Refusal(FACES_NOT_TOLD(needed=len(unknown), told=len(command.cards)), TELL_EACH_FACE(), clause)
    impossible = not_to_be_entered(table, game, command.cards)
    if impossible is not None:
        return impossible
    told = dict(zip(unknown, (str(CARD_OF_TEXT[face]) for face in command.cards), strict=False))
    opened = {place for place, each in hidden.items() if each.card or place in told}
    back = tuple(place for place in opened if place in with_patrons)
    given: list[Event] = [CardsGivenBack(hand=command.hand, places=back, **about(command, clause))] if back else []
    return [*given, CardsRevealed(hand=command.hand, cards=_faces(round, hand, opened, told), **about(command, clause))]


def _faces(
    round: Round, hand: int, opened: set[int], told: Mapping[int, str] = MappingProxyType({})
) -> tuple[str, ...]:
    """The faces of a hand that lie open now, in order; "" where a card stays face down."""
    cards = [(place, each) for place, each in enumerate(round.cards) if each.hand == round.hands[hand]]
    return tuple([(told.get(at) or each.card) if each.public or at in opened else "" for at, each in cards])


def turned_next(round: Round) -> str | None:
    """The hand that the dealer turns over next: the one that opens first, while cards of it lie face down."""
    first = round.reveals_first or 0
    for hand in (first, 1 - first):
        if not _stays(round, hand) and not all(each.public for each in round.cards_of(hand)):
            return round.hands[hand]
    return None


def _opens_later(game: Game, round: Round, hand: int) -> Refusal | None:
    """The hand that the dealer wants first lies open before a patron turns the other (IDT-3.10.6)."""
    if any(round.cards[place].hand != round.hands[hand] for place in round.search.missing):
        return None  # its cards are gone (IDT-5.11)
    if round.reveals_first == 1 - hand and not all(each.public for each in round.cards_of(1 - hand)):
        return Refusal(HAND_OPENS_FIRST(hand=round.hands[1 - hand]), clause=method_clause(game, round, OPENS_FIRST))
    return None


def _stays(round: Round, hand: int) -> bool:
    """Nobody turns cards while something is to be decided; where cards are gone, the other hand is turned over."""
    gone, halt = {round.cards[place].hand for place in round.search.missing}, round.halt
    return (
        halt.offer is not None or halt.incident is not None or (halt.frozen and (not gone or round.hands[hand] in gone))
    )


def _waits(game: Game, round: Round) -> Refusal | None:
    """Cards go to nobody while patrons think about an offer, or a ruling is awaited: it may change who is entitled."""
    if (offer := round.halt.offer) is not None:
        return Refusal(WITHDRAWAL_OFFERED(), WAIT_FOR_ANSWERS(), offer.clause)
    if round.halt.for_ruling:
        return Refusal(ROUND_WAITS_FOR_RULING(), PIT_DECIDES_FIRST(), ruling_clause(game))
    return None


def _waits_by(game: Game, round: Round) -> str:
    return round.halt.offer.clause if round.halt.offer else ruling_clause(game)


def _played_out(game: Game, round: Round, hand: int) -> bool:
    """Does a hand lie open for good? While the deal goes on, another card may come to it."""
    laid = round.cards_of(hand)
    if not laid or not all(each.public for each in laid):
        return False
    if round.phase is not Phase.DEALING:
        return True
    over = round.all_known and round.all_public and len(round.cards) >= game.procedure.initial_cards
    return over and round.dealt(game.procedure).number is not None


def faces_of(table: Table, game: Game, cards: tuple[Card, ...], told: tuple[str, ...]) -> tuple[str, ...] | Refusal:
    """The faces of a hand; those that the table does not know are told."""
    unknown = sum(1 for each in cards if not each.card)
    if len(told) != unknown or "" in told:
        given = sum(1 for face in told if face)
        return Refusal(FACES_NOT_TOLD(needed=unknown, told=given), TELL_EACH_FACE())
    impossible = not_to_be_entered(table, game, told)
    if impossible is not None:
        return impossible
    fresh = iter(told)
    return tuple(each.card or str(CARD_OF_TEXT[next(fresh)]) for each in cards)


@evolves_round(CardsGivenBack)
def cards_given_back(round: Round, event: CardsGivenBack) -> Round:
    cards = [handed(each, "") if place in event.places else each for place, each in enumerate(round.cards)]
    return replace(round, cards=tuple(cards))


@evolves(CardsRevealed)
def cards_revealed(table: Table, event: CardsRevealed) -> Table:
    round, shoe, faces = open_round(table), table.shoe, iter(event.cards)
    cards: list[Card] = []
    told: list[str] = []  # cards that the table did not know: they have left the shoe, too
    entered: list[int] = []
    for place, each in enumerate(round.cards):
        face = next(faces) if each.hand == event.hand else ""
        if face and not each.card:
            told.append(face)
            entered.append(place)
        cards.append(replace(each, card=face, public=True, source=each.source or "dealer") if face else each)
    round = replace(round, cards=tuple(cards), just_entered=tuple(entered) or round.just_entered, last_card_at=event.at)
    table = replace(table, round=round)
    if not told or shoe is None:
        return table
    return replace(table, shoe=shoe.told(told))
