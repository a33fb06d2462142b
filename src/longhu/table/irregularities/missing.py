"""A patron leaves with cards: what they were is found by counting all the others (IDT-5.11).

Where the device's log or surveillance knows the cards, nothing has to be counted. Otherwise, with a gaming shift
manager present, two cards are set aside for third cards, the rest is sorted in view of everybody, what is missing is
taken from a complete deck, and the round is finished. Afterwards the set is replaced (Q37).
"""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from longhu.cards import CARD_OF_TEXT, CARDS_PER_DECK, DECK
from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game
from longhu.messages.message import message_code
from longhu.positions import OF_WORD, Position
from longhu.table.document import rule_of, ruler, ruling_clause
from longhu.table.irregularities.cards import CardsSetAside
from longhu.table.irregularities.exposure import FACES_TOLD_WRONG, NO_CARD_FACE_DOWN, CardsExposed
from longhu.table.messages import (
    ASK_POSITION,
    CALL_SHIFT_MANAGER,
    CARDS_FACE_DOWN,
    COUNT_AGAIN,
    PIT_DECIDES_FIRST,
    POSITION_TOO_LOW,
    REVEAL_CARDS_FIRST,
    TABLE_NOT_OPEN,
    TELL_EACH_FACE,
    Command,
    decides,
    evolves,
    evolves_round,
)
from longhu.table.remedies.passing import rightly_held
from longhu.table.remedies.procedure import (
    CARDS_LEFT,
    RULING_AWAITED,
    Case,
    IncidentOpened,
    follow,
    not_in_shoe,
    not_to_be_entered,
    round_in_hand,
)
from longhu.table.remedies.void import LEFT_WITH_CARDS, IrregularityFound, condemned
from longhu.table.state import Deferred, Round, Source, Table

KIND = LEFT_WITH_CARDS
RESERVED = 2  # a third card for each hand


NO_CARDS_GONE = message_code("no-cards-gone")
MANAGER_NOT_PRESENT = message_code("manager-not-present")
KNOWN_CARDS_GONE = message_code("known-cards-gone", cards="cards")
UNKNOWN_CARDS_GONE = message_code("unknown-cards-gone", cards="number")
CARDS_STAYED = message_code("cards-stayed", cards="number")
CARDS_SET_ASIDE_ALREADY = message_code("cards-set-aside-already")
CARDS_NOT_SET_ASIDE = message_code("cards-not-set-aside")
SET_CARDS_ASIDE = message_code("set-cards-aside")
NOT_A_COUNT = message_code("not-a-count")
CARD_TOO_MANY = message_code("card-too-many", card="card", found="number", decks="number")
COUNT_AGAIN_OR_FOREIGN = message_code("count-again-or-foreign")
COUNT_DOES_NOT_FIT = message_code("count-does-not-fit", found="number", gone="number")
CARD_ACCOUNTED_FOR = message_code("card-accounted-for", card="card")
MISSING_NOT_KNOWN = message_code("missing-not-known")
SORT_CARDS_FIRST = message_code("sort-cards-first")
WRONG_SUBSTITUTES = message_code("wrong-substitutes", taken="cards", missing="cards")
TAKE_CARDS = message_code("take-cards", cards="cards")


class ReportMissingCards(Command, frozen=True, kw_only=True, tag="report-missing-cards/1"):
    """Somebody has left with cards that nobody has told the table."""

    needs: ClassVar[Position] = Position.DEALER

    places: tuple[int, ...] = ()  # among the cards of the round, from 0
    hand: str = ""  # instead of places: every card of the hand that lies face down
    established: tuple[str, ...] = ()  # what surveillance saw, where it saw them all
    left: tuple[str, ...] = ()  # faces of the hand's other cards, which the holder left behind


class CardsFoundMissing(Event, frozen=True, kw_only=True, tag="cards-found-missing/1"):
    """The procedure starts: nobody knows what these cards were."""

    places: tuple[int, ...]
    decider: Position


class AttendSearch(Command, frozen=True, kw_only=True, tag="attend-search/1"):
    """The gaming shift manager is present."""

    needs: ClassVar[Position] = Position.PIT_SUPERVISOR


class SearchAttended(Event, frozen=True, kw_only=True, tag="search-attended/1"):
    person: str


class ReserveCards(Command, frozen=True, kw_only=True, tag="reserve-cards/1"):
    """Two cards lie beside the shoe for possible third cards, and keep their order; only the manager sees them."""

    needs: ClassVar[Position] = Position.DEALER

    cards: tuple[str, ...] = ()  # those beside the shoe that nobody has seen, then what comes from the shoe


class SortCards(Command, frozen=True, kw_only=True, tag="sort-cards/1"):
    """The rest of the shoe and the earlier discards are sorted into decks, in view of patrons and surveillance."""

    needs: ClassVar[Position] = Position.DEALER

    counts: dict[str, int]  # by card


class CardsSorted(Event, frozen=True, kw_only=True, tag="cards-sorted/1"):
    """The record that everybody is shown, and what it says of the missing cards."""

    counts: dict[str, int]
    accounted_for: int
    missing: tuple[str, ...]


class SubstituteCards(Command, frozen=True, kw_only=True, tag="substitute-cards/1"):
    """Cards of the same suit and value, from a complete deck, take the places of those that are gone."""

    needs: ClassVar[Position] = Position.DEALER

    cards: tuple[str, ...]


class CardsSubstituted(Event, frozen=True, kw_only=True, tag="cards-substituted/1"):
    places: tuple[int, ...]
    cards: tuple[str, ...]


def _clause(game: Game, place: int) -> str:
    rule = rule_of(game, KIND)
    return rule.clauses[min(place, len(rule.clauses) - 1)] if rule and rule.clauses else ""


def _under_way(table: Table) -> Round | Refusal:
    if table.round is None or not table.round.search.missing:
        return Refusal(NO_CARDS_GONE())
    return table.round


def _attended(table: Table, game: Game) -> Round | Refusal:
    """The round while the procedure goes on before the manager's eyes, and nothing else is to be ruled on."""
    round = _under_way(table)
    if isinstance(round, Refusal):
        return round
    if round.halt.incident:
        return Refusal(RULING_AWAITED(incident=round.halt.incident), PIT_DECIDES_FIRST(), ruling_clause(game))
    if not round.search.attended_by:
        return Refusal(MANAGER_NOT_PRESENT(), CALL_SHIFT_MANAGER(), _clause(game, 1))
    return round


# ------------------------------------------------ the report


@decides(ReportMissingCards)
def report_cards_gone(table: Table, game: Game, command: ReportMissingCards) -> Decision:
    round = round_in_hand(table)
    if isinstance(round, Refusal):
        return round
    hidden = [place for place, each in enumerate(round.cards) if not each.public]
    places = command.places or tuple(place for place in hidden if round.cards[place].hand == command.hand)
    clause = _clause(game, 0)
    if not places or not set(places) <= set(hidden) or len(set(places)) != len(places):
        return Refusal(NO_CARD_FACE_DOWN(), clause=clause)
    faces = tuple(round.cards[place].card for place in places)
    if not all(faces) and command.established:
        foreign = not_in_shoe(table, command.established)
        if len(command.established) != len(places) or "" in command.established or foreign is not None:
            return Refusal(FACES_TOLD_WRONG(needed=len(places), told=len(command.established)), clause=clause)
        faces = tuple(str(CARD_OF_TEXT[face]) for face in command.established)
    if all(faces):  # the device's log or surveillance knows them
        told = KNOWN_CARDS_GONE(cards=faces)
        found = IrregularityFound(kind=KIND, told=told, remedy="known", **about(command, clause))
        shown = CardsExposed(places=places, cards=faces, **about(command, clause))
        return [found, shown, *_set_replaced(table, game, command)]
    return _started(table, game, command, round, places)


def _started(table: Table, game: Game, command: ReportMissingCards, round: Round, places: tuple[int, ...]) -> Decision:
    """Nobody knows the cards: they have to be found out, or ruled on where they are of both hands (Q37)."""
    told, clause = UNKNOWN_CARDS_GONE(cards=len(places)), _clause(game, 0)
    hands = {round.cards[place].hand for place in places}
    behind = tuple(
        place for place, each in enumerate(round.cards) if each.hand in hands and place not in places and not each.card
    )
    if len(command.left) != len(behind) or "" in command.left or not_in_shoe(table, command.left) is not None:
        return Refusal(CARDS_STAYED(cards=len(behind)), TELL_EACH_FACE(), clause)
    faces = tuple(str(CARD_OF_TEXT[face]) for face in command.left)
    facts: list[Event] = [CardsExposed(places=behind, cards=faces, **about(command, clause))] if behind else []
    if len(hands) > 1:
        gone = CardsFoundMissing(places=places, decider=ruler(game), **about(command, clause))
        found = IrregularityFound(kind=KIND, told=told, remedy="ruling", **about(command, clause))
        return [found, *facts, gone, IncidentOpened(told=told, decider=ruler(game), **about(command, clause))]

    def searched(case: Case) -> list[Event]:
        return [CardsFoundMissing(places=places, decider=case.decider, **about(command, case.clause()))]

    return follow(table, game, command, KIND, told, facts, own=searched, deferred=Deferred(gone=places))


@evolves_round(CardsFoundMissing)
def cards_gone(round: Round, event: CardsFoundMissing) -> Round:
    halt = replace(round.halt, waits=KIND, frozen=True, judge=event.decider)
    return replace(round, halt=halt, search=replace(round.search, missing=event.places))


# ------------------------------------------------ the gaming shift manager, and two cards set aside


@decides(AttendSearch)
def attend(table: Table, game: Game, command: AttendSearch) -> Decision:
    round, rule = _under_way(table), rule_of(game, KIND)
    if isinstance(round, Refusal):
        return round
    required = OF_WORD[rule.decides] if rule and rule.decides else ruler(game)
    if command.position < required:
        return Refusal(
            POSITION_TOO_LOW(position=command.position.value, needed=required.value),
            ASK_POSITION(position=required.value),
            _clause(game, 1),
        )
    return [SearchAttended(person=command.by, **about(command, _clause(game, 1)))]


@evolves_round(SearchAttended)
def manager_attends(round: Round, event: SearchAttended) -> Round:
    return replace(round, search=replace(round.search, attended_by=event.person))


@decides(ReserveCards)
def reserve_cards(table: Table, game: Game, command: ReserveCards) -> Decision:
    round, shoe, settings = _attended(table, game), table.shoe, table.settings
    if isinstance(round, Refusal):
        return round
    unseen, more = round.reserve.count(""), max(0, RESERVED - len(round.reserve))
    if shoe is None or settings is None or not unseen + more:
        return Refusal(CARDS_SET_ASIDE_ALREADY(), clause=_clause(game, 1))
    faces = tuple(str(CARD_OF_TEXT.get(face, face)) for face in command.cards)
    if shoe.left < more:
        return follow(table, game, command, "insufficient-cards", CARDS_LEFT(cards=shoe.left))
    if len(faces) != unseen + more or "" in faces:
        wrong = FACES_TOLD_WRONG(needed=unseen + more, told=len(faces) - faces.count(""))
        return Refusal(wrong, TELL_EACH_FACE(), _clause(game, 1))
    impossible = not_to_be_entered(table, game, command.cards)
    if impossible is not None:
        return impossible
    seen, fresh = faces[:unseen], faces[unseen:]
    source: Source = "shuffle" if settings.virtual_shoe else "dealer"
    stamp = about(command, _clause(game, 2))
    return [CardsSetAside(cards=fresh, seen=seen, shoe_number=shoe.number, source=source, **stamp)]


# ------------------------------------------------ sorting, deducing, substituting


@decides(SortCards)
def sort_cards(table: Table, game: Game, command: SortCards) -> Decision:
    round, settings = _attended(table, game), table.settings
    if isinstance(round, Refusal) or settings is None:
        return round if isinstance(round, Refusal) else Refusal(TABLE_NOT_OPEN())
    if len(round.reserve) < RESERVED or "" in round.reserve:
        return Refusal(CARDS_NOT_SET_ASIDE(), SET_CARDS_ASIDE(), _clause(game, 1))
    if not command.counts or any(face not in CARD_OF_TEXT or count < 0 for face, count in command.counts.items()):
        return Refusal(NOT_A_COUNT(), COUNT_AGAIN(), _clause(game, 3))
    if any(not each.card for place, each in enumerate(round.cards) if place not in round.search.missing):
        return Refusal(CARDS_FACE_DOWN(), REVEAL_CARDS_FIRST(), _clause(game, 3))
    missing = deduced(round, settings.decks, command.counts)
    accounted = settings.decks * CARDS_PER_DECK - sum(missing.values())
    over = next((face for face, count in missing.items() if count < 0), None)
    if over is not None:
        too_many = CARD_TOO_MANY(card=over, found=settings.decks - missing[over], decks=settings.decks)
        return Refusal(too_many, COUNT_AGAIN_OR_FOREIGN(), _clause(game, 4))
    if sum(missing.values()) != len(round.search.missing):
        short = COUNT_DOES_NOT_FIT(found=accounted, gone=len(round.search.missing))
        return Refusal(short, COUNT_AGAIN(), _clause(game, 4))
    cards = tuple(face for face, count in missing.items() for _ in range(count))
    if (seen := not_in_shoe(table, cards)) is not None:
        return Refusal(CARD_ACCOUNTED_FOR(card=seen), COUNT_AGAIN_OR_FOREIGN(), _clause(game, 4))
    record = {str(CARD_OF_TEXT[face]): count for face, count in command.counts.items()}
    return [CardsSorted(counts=record, accounted_for=accounted, missing=cards, **about(command, _clause(game, 4)))]


def deduced(round: Round, decks: int, counts: dict[str, int]) -> dict[str, int]:
    """The full composition less everything accounted for: sorted, on the table, and the two set aside."""
    left = dict.fromkeys((str(each) for each in DECK), decks)
    for face, count in counts.items():
        left[str(CARD_OF_TEXT[face])] -= count
    on_table = [each.card for place, each in enumerate(round.cards) if place not in round.search.missing and each.card]
    for face in (*on_table, *round.reserve):
        left[face] -= 1
    return {face: count for face, count in left.items() if count}


@evolves_round(CardsSorted)
def cards_sorted(round: Round, event: CardsSorted) -> Round:
    return replace(round, search=replace(round.search, deduced=event.missing, sort_record=event.counts))


@decides(SubstituteCards)
def substitute_cards(table: Table, game: Game, command: SubstituteCards) -> Decision:
    round = _under_way(table)
    if isinstance(round, Refusal):
        return round
    if not round.search.deduced:
        return Refusal(MISSING_NOT_KNOWN(), SORT_CARDS_FIRST(), _clause(game, 4))
    cards = tuple(str(CARD_OF_TEXT.get(face, face)) for face in command.cards)
    if sorted(cards) != sorted(round.search.deduced):
        missing = round.search.deduced
        return Refusal(WRONG_SUBSTITUTES(taken=cards, missing=missing), TAKE_CARDS(cards=missing), _clause(game, 5))
    placed = CardsSubstituted(places=round.search.missing, cards=cards, **about(command, _clause(game, 5)))
    return [placed, *_set_replaced(table, game, command)]


def _set_replaced(table: Table, game: Game, command: Command) -> list[Event]:
    """A physical set that lacks cards is not dealt from again (IDT-5.11.5, Q37)."""
    electronic = table.settings is not None and table.settings.virtual_shoe
    if electronic or game.chosen.get("replace") == "substitutes":
        return []
    return condemned(table, command, KIND, _clause(game, 7), new_set=True)


@evolves(CardsSubstituted)
def cards_substituted(table: Table, event: CardsSubstituted) -> Table:
    round, shoe = table.round, table.shoe
    if round is None or shoe is None:
        raise AssertionError("cards without a round")
    cards = list(round.cards)
    for place, face in zip(event.places, event.cards, strict=True):
        cards[place] = replace(cards[place], card=face, public=True, substitute=True, holder="", source="two-people")
    hands = {
        round.hands.index(cards[place].hand) for place in event.places
    }  # whose holder is gone: the dealer takes over
    first, second = ("" if hand in hands else holder for hand, holder in enumerate(round.holders))
    found = replace(
        round,
        cards=tuple(cards),
        holders=(first, second),
        mispassed=rightly_held(round, *hands),
        halt=replace(round.halt, waits="", frozen=False, judge=Position.DEALER),
        search=replace(round.search, missing=(), deduced=()),
    )
    return replace(table, round=found, shoe=shoe.told(event.cards))  # those that are gone were the shoe's
