"""Who handles the cards: passing, refusing, squeezing, revealing (IDT-3.10, D21-8.0f, DBC-DEAL-2)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar

from msgspec.structs import replace

from longhu.cards import CARD_OF_TEXT
from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game
from longhu.messages.message import message_code
from longhu.positions import Position
from longhu.table import nominees
from longhu.table.document import cite, ruling_clause
from longhu.table.messages import (
    CARD_NOT_IN_SHOE,
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
from longhu.table.priority import hand_index, kept_off, next_holder
from longhu.table.remedies.mispassed import retrievable, retrieved, rightly_held
from longhu.table.remedies.procedure import follow, not_in_shoe
from longhu.table.state import Card, Phase, Round, Table, open_round

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


class PassHands(Command, frozen=True, kw_only=True, tag="pass-hands/1"):
    """After the initial deal the dealer passes each hand to whoever is entitled, face down."""

    needs: ClassVar[Position] = Position.DEALER


class RefuseHand(Command, frozen=True, kw_only=True, tag="refuse-hand/1"):
    """The holder would not handle the cards: they go to the next."""

    hand: str


class NameHolder(Command, frozen=True, kw_only=True, tag="name-holder/1"):
    """Where amounts and times give no answer, a pit supervisor picks somebody (IDT-3.10.4.1)."""

    needs: ClassVar[Position] = Position.PIT_SUPERVISOR

    hand: str
    person: str


class GrantSqueeze(Command, frozen=True, kw_only=True, tag="grant-squeeze/1"):
    """A pit manager lets somebody squeeze a hand, whoever is entitled (IDT-3.15)."""

    needs: ClassVar[Position] = Position.PIT_MANAGER

    hand: str
    person: str


class HandPassed(Event, frozen=True, kw_only=True, tag="hand-passed/1"):
    hand: int
    to: str  # "" is the dealer
    declined: tuple[str, ...]


class HolderAsked(Event, frozen=True, kw_only=True, tag="holder-asked/1"):
    """Nobody can say who comes first; dealing waits for a pit supervisor."""

    hand: int
    among: tuple[str, ...]
    declined: tuple[str, ...] = ()


class SqueezeGranted(Event, frozen=True, kw_only=True, tag="squeeze-granted/1"):
    hand: int
    person: str


class ChooseFirstHand(Command, frozen=True, kw_only=True, tag="choose-first-hand/1"):
    """The dealer says which hand is turned over first after the initial deal (IDT-3.10.6)."""

    needs: ClassVar[Position] = Position.DEALER

    hand: str


class FirstHandChosen(Event, frozen=True, kw_only=True, tag="first-hand-chosen/1"):
    hand: int


class SqueezeCard(Command, frozen=True, kw_only=True, tag="squeeze-card/1"):
    """Look at a card by bending it, step by step; it never changes what the card is (IDT-1.1.13)."""

    place: int  # among the cards of the round, from 0
    step: int


class CardSqueezed(Event, frozen=True, kw_only=True, tag="card-squeezed/1"):
    place: int
    step: int


class RevealHand(Command, frozen=True, kw_only=True, tag="reveal-hand/1"):
    """Turn a hand's cards over: by its holder, or by the dealer where nobody holds it."""

    hand: str
    cards: tuple[str, ...] = ()  # faces that the table does not know yet


class CardsRevealed(Event, frozen=True, kw_only=True, tag="cards-revealed/1"):
    hand: int
    cards: tuple[str, ...]  # all cards of the hand, in order


STEPS = 10  # of a squeeze


def squeezed(game: Game, round: Round) -> bool:
    """Is the round dealt by a method in which patrons may handle cards?"""
    method = game.methods.get(round.method)
    return method is not None and method.squeeze != "nobody"


@decides(PassHands)
def pass_hands(table: Table, game: Game, command: PassHands) -> Decision:
    round = table.round
    if round is None or round.phase is not Phase.DEALING or len(round.cards) < game.procedure.initial_cards:
        return Refusal(INITIAL_DEAL_NOT_OVER())
    if not squeezed(game, round):
        return Refusal(DEALER_HANDLES_CARDS(), clause=_method_clause(game, round))
    if round.passed:
        return Refusal(HANDS_PASSED_ALREADY(), clause=_method_clause(game, round))
    if (waits := _waits(game, round)) is not None:
        return waits
    events: list[Event] = []
    for hand in (0, 1):
        to = next_holder(table, game, hand, ())
        clause = _method_clause(game, round)
        if isinstance(to, tuple):
            events.append(HolderAsked(hand=hand, among=to, **about(command, clause)))
        else:
            events.append(HandPassed(hand=hand, to=to, declined=(), **about(command, clause)))
    return events


def _method_clause(game: Game, round: Round, paragraph: str = "") -> str:
    """The clause of the method in use, or of one of its paragraphs where the document has it."""
    clauses = game.methods[round.method].clauses if round.method in game.methods else ()
    named = [clause for clause in clauses if paragraph and clause.endswith(f"-{paragraph}")]
    return next(iter((*named, *clauses)), "")


@decides(RefuseHand)
def refuse_hand(table: Table, game: Game, command: RefuseHand) -> Decision:
    round, hand = table.round, hand_index(game, command.hand)
    if round is None or hand is None or not round.passed:
        return Refusal(HAND_NOT_PASSED(hand=command.hand))
    clause, holder = _method_clause(game, round), round.holders[hand]
    if not holder or not may_handle(table, command.by, holder):
        return Refusal(NOT_HOLDER_OF_HAND(person=command.by, hand=command.hand), clause=clause)
    if _played_out(game, round, hand):
        return Refusal(HAND_PLAYED_OUT(hand=command.hand), clause=clause)
    if (waits := _waits(game, round)) is not None:
        return waits
    if hand in round.mispassed and retrievable(game, round, hand):  # who was never entitled declines nothing
        return retrieved(table, game, command, hand)
    declined = (*round.declined[hand], holder)
    to = next_holder(table, game, hand, declined)
    if isinstance(to, tuple):
        return [HolderAsked(hand=hand, among=to, declined=declined, **about(command, clause))]
    return [HandPassed(hand=hand, to=to, declined=declined, **about(command, clause))]


@decides(NameHolder)
def name_holder(table: Table, game: Game, command: NameHolder) -> Decision:
    round, hand = table.round, hand_index(game, command.hand)
    if round is None or hand is None or hand not in round.asks_supervisor:
        return Refusal(NOBODY_TO_NAME())
    if (waits := _waits(game, round)) is not None:
        return waits
    among = next_holder(table, game, hand, round.declined[hand])
    if command.person not in (among if isinstance(among, tuple) else (among,)):
        return Refusal(NOT_AMONG_EQUAL_WAGERS(person=command.person), clause=cite(game, "equal-wagers"))
    passed = HandPassed(
        hand=hand, to=command.person, declined=round.declined[hand], **about(command, cite(game, "equal-wagers"))
    )
    return [passed]


def _seated_or_nominee(table: Table, person: str) -> bool:
    """Under the nominee conditions a designee plays himself, or acts for somebody in due form (Q32)."""
    acting = any(each.person == person and each.active and each.may_handle for each in table.nominees.values())
    return acting or table.people[person].seat is not None


@decides(GrantSqueeze)
def grant_squeeze(table: Table, game: Game, command: GrantSqueeze) -> Decision:
    round, hand = table.round, hand_index(game, command.hand)
    if round is None or hand is None:
        return Refusal(NO_SUCH_HAND(hand=command.hand))
    if not squeezed(game, round):
        return Refusal(
            DEALER_HANDLES_CARDS(),
            CHOOSE_ANOTHER_METHOD(),
            _method_clause(game, round),
        )
    if "squeeze-grant" not in game.cites:
        return Refusal(NOBODY_GRANTS_SQUEEZE(), clause=_method_clause(game, round))
    if _played_out(game, round, hand):
        return Refusal(HAND_PLAYED_OUT(hand=command.hand), clause=cite(game, "squeeze-grant"))
    if round.passed and (waits := _waits(game, round)) is not None:
        return waits
    if command.person not in table.people:
        return Refusal(NOT_AT_TABLE(person=command.person))
    if game.chosen.get("designee_rules") == "nominee" and not _seated_or_nominee(table, command.person):
        return Refusal(
            NEITHER_SEATED_NOR_NOMINEE(person=command.person),
            NAME_NOMINEE_FIRST(),
            cite(game, "squeeze-grant"),
        )
    granted = SqueezeGranted(hand=hand, person=command.person, **about(command, cite(game, "squeeze-grant")))
    return [granted]


@evolves_round(SqueezeGranted)
def squeeze_granted(round: Round, event: SqueezeGranted) -> Round:
    granted = [*round.granted]
    granted[event.hand] = event.person
    round = replace(round, granted=(granted[0], granted[1]))
    if round.passed:
        round = _held_by(round, event.hand, event.person)
    asks = tuple(each for each in round.asks_supervisor if each != event.hand)
    return replace(round, asks_supervisor=asks)


@evolves_round(HandPassed)
def hand_passed(round: Round, event: HandPassed) -> Round:
    hand = event.hand
    declined = (event.declined, round.declined[1]) if hand == 0 else (round.declined[0], event.declined)
    asks = tuple(each for each in round.asks_supervisor if each != hand) if round.asks_supervisor else ()
    return _held_by(round, hand, event.to, passed=True, declined=declined, asks_supervisor=asks, last_card_at=event.at)


def _held_by(round: Round, hand: int, holder: str, **also: Any) -> Round:
    holders = (holder, round.holders[1]) if hand == 0 else (round.holders[0], holder)
    cards = [
        replace(each, holder=holder, seen=False, bent=0) if each.hand == hand and each.holder != holder else each
        for each in round.cards
    ]  # what somebody else has looked at, the new holder has not
    return replace(round, holders=holders, cards=tuple(cards), mispassed=rightly_held(round, hand), **also)


@evolves_round(HolderAsked)
def holder_asked(round: Round, event: HolderAsked) -> Round:
    round = _held_by(round, event.hand, "")
    declined = [*round.declined]
    declined[event.hand] = event.declined
    asks = (*(each for each in round.asks_supervisor if each != event.hand), event.hand)
    return replace(round, passed=True, declined=(declined[0], declined[1]), asks_supervisor=asks)


@decides(ChooseFirstHand)
def choose_first_hand(table: Table, game: Game, command: ChooseFirstHand) -> Decision:
    round, hand = table.round, hand_index(game, command.hand)
    if round is None or hand is None:
        return Refusal(NO_SUCH_HAND(hand=command.hand))
    method, clause = game.methods.get(round.method), _method_clause(game, round, "3.10.6")
    if method is None or method.cards == "face-up":
        return Refusal(CARDS_DEALT_FACE_UP(), clause=clause)
    laid = round.cards_of(hand)
    if laid and all(each.public for each in laid):
        return Refusal(HAND_ALREADY_OPEN(hand=command.hand), clause=clause)
    return [FirstHandChosen(hand=hand, **about(command, clause))]


@evolves_round(FirstHandChosen)
def first_hand_chosen(round: Round, event: FirstHandChosen) -> Round:
    return replace(round, reveals_first=event.hand)


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
    people = [table.people.get(designated(table, hand)) for hand in (0, 1)]
    first, second = (person.seat if person else None for person in people)
    return first, second


@decides(SqueezeCard)
def squeeze(table: Table, game: Game, command: SqueezeCard) -> Decision:
    round = table.round
    if round is None or not 0 <= command.place < len(round.cards):
        return Refusal(NO_SUCH_CARD())
    laid = round.cards[command.place]
    if not squeezed(game, round):
        return Refusal(DEALER_HANDLES_CARDS(), clause=_method_clause(game, round))
    if not laid.holder or not may_handle(table, command.by, laid.holder):
        return Refusal(NOT_HOLDER_OF_CARD(person=command.by), clause=_method_clause(game, round))
    if (standing := _stands(table, game, command.by)) is not None:
        return standing
    if _stays(round, laid.hand):
        return Refusal(CARDS_STAY(), clause=_waits_by(game, round))
    if laid.public or not laid.bent < command.step <= STEPS:
        return Refusal(NOTHING_TO_SQUEEZE(), CARD_OPEN_BY(step=laid.bent, steps=STEPS))
    return [CardSqueezed(place=command.place, step=command.step, **about(command, _method_clause(game, round)))]


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
    cards = round.cards_of(hand)
    if all(each.public for each in cards):
        return Refusal(HAND_ALREADY_OPEN(hand=command.hand))
    refusal = _not_to_reveal(table, game, command, hand)
    if refusal is not None:
        return refusal
    faces = faces_of(table, game, command, cards, command.cards)
    if not isinstance(faces, tuple):
        return faces
    return [CardsRevealed(hand=hand, cards=faces, **about(command, _method_clause(game, round)))]


def _not_to_reveal(table: Table, game: Game, command: RevealHand, hand: int) -> Refusal | None:
    """Whoever holds the hand turns it over, after the one that the dealer wants first."""
    round = open_round(table)
    holder = round.holders[hand]
    if squeezed(game, round) and not round.passed:
        return Refusal(HANDS_NOT_PASSED(), PASS_HANDS_FIRST(), _method_clause(game, round))
    if holder and not may_handle(table, command.by, holder):
        return Refusal(ANOTHER_HOLDS_HAND(person=holder, hand=command.hand), clause=_method_clause(game, round))
    if holder and (standing := _stands(table, game, command.by)) is not None:
        return standing
    if not holder and command.position < Position.DEALER:
        return Refusal(DEALER_HOLDS_HAND(hand=command.hand), clause=_method_clause(game, round))
    if round.reveals_first == 1 - hand and not all(each.public for each in round.cards_of(1 - hand)):
        return Refusal(
            HAND_OPENS_FIRST(hand=game.procedure.hands[1 - hand].id), clause=_method_clause(game, round, "3.10.6")
        )
    return None


def _stays(round: Round, hand: int) -> bool:
    """Nobody turns cards while something is to be decided; where cards are gone, the other hand is turned over."""
    gone, halt = {round.cards[place].hand for place in round.search.missing}, round.halt
    return halt.offer is not None or halt.incident is not None or (halt.frozen and (not gone or hand in gone))


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


def faces_of(
    table: Table, game: Game, command: Command, cards: tuple[Card, ...], told: tuple[str, ...]
) -> tuple[str, ...] | Decision:
    """The faces of a hand; those that the table does not know are told. One that the shoe cannot hold is foreign."""
    unknown = sum(1 for each in cards if not each.card)
    if len(told) != unknown or "" in told:
        given = sum(1 for face in told if face)
        return Refusal(FACES_NOT_TOLD(needed=unknown, told=given), TELL_EACH_FACE())
    foreign = not_in_shoe(table, told)
    if foreign is not None:
        return follow(table, game, command, "foreign-card", CARD_NOT_IN_SHOE(card=foreign))
    fresh = iter(told)
    return tuple(each.card or str(CARD_OF_TEXT[next(fresh)]) for each in cards)


@evolves(CardsRevealed)
def cards_revealed(table: Table, event: CardsRevealed) -> Table:
    round, shoe, faces = open_round(table), table.shoe, iter(event.cards)
    cards: list[Card] = []
    told: list[str] = []  # cards that the table did not know: they have left the shoe, too
    for each in round.cards:
        if each.hand != event.hand:
            cards.append(each)
            continue
        face = next(faces)
        if not each.card:
            told.append(face)
        cards.append(replace(each, card=face, public=True))
    table = replace(table, round=replace(round, cards=tuple(cards)))
    if not told or shoe is None:
        return table
    return replace(table, shoe=shoe.told(told))
