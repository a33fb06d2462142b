"""The shoe: cards verified, shuffled, cut and burned; the cutting card; the end of a shoe."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from longhu.cards import CARDS_PER_DECK, Shoe
from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.fairness.shuffle import Mix
from longhu.games.game import Game
from longhu.messages.message import Message, message_code
from longhu.positions import Position
from longhu.table.commission import collected
from longhu.table.document import cite
from longhu.table.messages import (
    FINISH_ROUND_FIRST,
    POSSIBLE_RANGE,
    ROUND_IN_PROGRESS,
    SHOE_NOT_LOADED,
    TABLE_NOT_OPEN,
    Command,
    decides,
    evolves,
)
from longhu.table.shuffling import CUT_OUT_OF_RANGE, STANDING_MAY_NOT_CUT, STAYS_AS_MADE, not_committed
from longhu.table.state import ShoeInUse, Shuffle, Table, public_id

CARDS_COUNT_WRONG = message_code("cards-count-wrong", counted="number", cards="number")
FIND_DIFFERENCE = message_code("find-difference")
NEW_SET_NOT_COUNTED = message_code("new-set-not-counted")
CARDS_NOT_COUNTED = message_code("cards-not-counted")
COUNT_CARDS_FIRST = message_code("count-cards-first")
PATRON_HAS_NOT_CUT = message_code("patron-has-not-cut", patron="person")
PATRON_CUTS_IN_PERSON = message_code("patron-cuts-in-person")
CUT_MADE_ALREADY = message_code("cut-made-already", patron="person", behind="number")
CUT_DECLINED_ALREADY = message_code("cut-declined-already", patron="person")
NAME_WHO_CUTS = message_code("name-who-cuts")
NOT_OFFERED_THE_CUT = message_code("not-offered-the-cut", patron="person")
OFFER_CUT_FIRST = message_code("offer-cut-first", patron="person")
DEALER_CUTS_LAST = message_code("dealer-cuts-last")
DEALER_CUTS_AS_SET = message_code("dealer-cuts-as-set")
NAME_NO_PLACE = message_code("name-no-place")
SHOE_REVEALED = message_code("shoe-revealed")
SHUFFLER_MIXES_EVERY_ROUND = message_code("shuffler-mixes-every-round")
CARDS_TO_BE_REPLACED = message_code("cards-to-be-replaced")
CUTTING_CARD_OUT = message_code("cutting-card-out")

BOARD = 100  # results that a board shows at most, where no end of a shoe clears it


class VerifyCards(Command, frozen=True, kw_only=True, tag="verify-cards/1"):
    """Somebody of the staff has counted the whole set (D21-6.0b)."""

    needs: ClassVar[Position] = Position.DEALER

    counted: int


class CardsVerified(Event, frozen=True, kw_only=True, tag="cards-verified/1"):
    person: str
    counted: int


class LoadShoe(Command, frozen=True, kw_only=True, tag="load-shoe/1"):
    """A shuffled set goes into the shoe; that of an electronic one has been committed to, and nobody says its order."""

    needs: ClassVar[Position] = Position.DEALER

    cut_by: str = ""  # a seated patron; "" is the dealer
    cut_behind: int | None = None  # cards behind the cutting card, where the cutter says
    declined: tuple[str, ...] = ()  # seated patrons who would not cut


class CardsShuffled(Event, frozen=True, kw_only=True, tag="cards-shuffled/1"):
    """The whole set, or what a continuous shuffler holds, has been mixed."""

    cards: int
    verified_by: tuple[str, ...]  # who had counted the set before (D21-6.0b)


class CutDeclined(Event, frozen=True, kw_only=True, tag="cut-declined/1"):
    person: str


class CardsCut(Event, frozen=True, kw_only=True, tag="cards-cut/1"):
    person: str
    behind: int  # cards behind the cutting card
    label: str  # what is mixed in for the person: everybody may know it


class ShoeLoaded(Event, frozen=True, kw_only=True, tag="shoe-loaded/1"):
    shoe: ShoeInUse
    burned: int
    forgets_short: bool = False  # wagers under the minimum are remembered for a shoe only (Q38)


class EndShoe(Command, frozen=True, kw_only=True, tag="end-shoe/1"):
    """Put the shoe away; the next round needs another."""

    needs: ClassVar[Position] = Position.DEALER

    why: str = ""  # in the words of whoever ends it


class ShoeEnded(Event, frozen=True, kw_only=True, tag="shoe-ended/1"):
    number: int
    why: str


@decides(VerifyCards)
def verify_cards(table: Table, game: Game, command: VerifyCards) -> Decision:
    if table.settings is None:
        return Refusal(TABLE_NOT_OPEN())
    cards, clause = table.settings.decks * CARDS_PER_DECK, game.cites.get("open-table", ("",))[-1]
    if command.counted != cards:
        return Refusal(
            CARDS_COUNT_WRONG(counted=command.counted, cards=cards),
            FIND_DIFFERENCE(),
            clause,
        )
    return [CardsVerified(person=command.by, counted=command.counted, **about(command, clause))]


@evolves(CardsVerified)
def cards_verified(table: Table, event: CardsVerified) -> Table:
    return replace(table, verified=(*(each for each in table.verified if each != event.person), event.person))


@decides(LoadShoe)
def load_shoe(table: Table, game: Game, command: LoadShoe) -> Decision:
    settings = table.settings
    if settings is None:
        return Refusal(TABLE_NOT_OPEN())
    if table.round is not None:
        return Refusal(ROUND_IN_PROGRESS(), FINISH_ROUND_FIRST(), cite(game, "cutting-card"))
    uncut = settings.equipment.setup == "continuous-shuffler" or game.reshuffled
    mixed = in_the_shuffler(table) or Shoe.of_decks(settings.decks)
    refusal = _not_verified(table, game) or not_committed(table)
    if refusal is not None:
        return refusal
    if not uncut:
        cut = _as_cut(table, game, command)
        if isinstance(cut, Refusal):
            return cut
        command = cut
    behind = settings.cut_reserve if command.cut_behind is None else command.cut_behind
    shoe = ShoeInUse(
        number=table.shoes + 1,
        counts=mixed.counts,
        cut_at=0 if uncut else mixed.size - behind,
        cut_by="" if uncut else public_id(table, command.cut_by or command.by),
        discards=table.shoe.discards if table.shoe and in_the_shuffler(table) else (),
    )
    burned = ("",) * settings.burn  # nobody sees them (D21-7.0e)
    shoe = replace(shoe.gives(burned), discards=shoe.discards + burned, unseen=burned)
    shuffled = CardsShuffled(cards=mixed.size, verified_by=table.verified, **about(command, cite(game, "shuffle")))
    loaded = ShoeLoaded(
        shoe=shoe,
        burned=settings.burn,
        forgets_short=game.chosen.get("undermin_memory") == "shoe",
        **about(command, cite(game, "burn" if burned else "shuffle")),
    )
    due = [] if uncut or table.shoe is None else collected(table, game, command)  # the shoe before is over (Q51)
    return [*due, shuffled, *([] if uncut else _cut(game, command, shoe.cut_by, behind)), loaded]


def in_the_shuffler(table: Table) -> Shoe | None:
    """What a continuous shuffler in use holds: all cards but those held out; None where there is none (Q40)."""
    if table.shoe is None or table.settings is None or table.settings.equipment.setup != "continuous-shuffler":
        return None
    if table.shoe.replaced_after_round:
        return None
    return Shoe(table.shoe.counts)


def _cut(game: Game, command: LoadShoe, label: str, behind: int) -> list[Event]:
    declined = [CutDeclined(person=each, **about(command, cite(game, "cut"))) for each in command.declined]
    person = command.cut_by or command.by
    return [*declined, CardsCut(person=person, behind=behind, label=label, **about(command, cite(game, "cut")))]


@evolves(CardsShuffled, CutDeclined, CardsCut)
def cards_prepared(table: Table, _event: Event) -> Table:
    return table  # what came of it is in the shoe that is loaded


def _not_verified(table: Table, game: Game) -> Refusal | None:
    """Where the document asks for it, a dealer and a supervisor have counted the cards (D21-6.0b)."""
    if table.new_set and not table.verified:
        return Refusal(NEW_SET_NOT_COUNTED(), COUNT_CARDS_FIRST(), new_set_clause(game))
    if "open-table" not in game.cites or in_the_shuffler(table):
        return None
    positions = [table.staff.get(person, Position.PATRON) for person in table.verified]
    if len(positions) >= 2 and any(each >= Position.PIT_SUPERVISOR for each in positions):
        return None
    return Refusal(CARDS_NOT_COUNTED(), COUNT_CARDS_FIRST(), game.cites["open-table"][-1])


def new_set_clause(game: Game) -> str:
    """Why the whole set is replaced: after cards were gone, their order and faces are known (IDT-5.11.5)."""
    rule = game.irregularities.get("patron-left-with-cards")
    return rule.clauses[-1] if rule and rule.clauses else ""


def _as_cut(table: Table, game: Game, command: LoadShoe) -> LoadShoe | Refusal:
    """The command with the cut that is made; of an electronic shoe, only a patron says where that patron cuts (RUL-6)."""
    sealed = table.shuffle if table.settings is not None and table.settings.virtual_shoe else None
    if sealed is None or not sealed.cut_by:
        refusal = _wrong_cut(table, game, command)
        if refusal is None and sealed is not None and command.cut_by:
            refusal = Refusal(PATRON_HAS_NOT_CUT(patron=command.cut_by), PATRON_CUTS_IN_PERSON(), "RUL-6")
        return refusal or command
    if command.cut_by not in ("", sealed.cut_by) or command.cut_behind not in (None, sealed.cut_behind):
        return Refusal(CUT_MADE_ALREADY(patron=sealed.cut_by, behind=sealed.cut_behind), STAYS_AS_MADE(), "RUL-6")
    return replace(command, cut_by=sealed.cut_by, cut_behind=sealed.cut_behind)


def _wrong_cut(table: Table, game: Game, command: LoadShoe) -> Refusal | None:
    """A seated patron cuts, or the dealer; a standing one never (D21-5.6b, D21-7.0c)."""
    cutter = table.people.get(command.cut_by)
    if command.cut_by and (cutter is None or cutter.seat is None):
        return Refusal(STANDING_MAY_NOT_CUT(patron=command.cut_by), clause=cite(game, "cut"))
    if command.cut_by in command.declined:
        return Refusal(CUT_DECLINED_ALREADY(patron=command.cut_by), NAME_WHO_CUTS(), cite(game, "cut"))
    seated = [each.id for each in table.people.values() if each.seat is not None]
    stranger = next((each for each in command.declined if each not in seated), None)
    if stranger is not None:
        return Refusal(NOT_OFFERED_THE_CUT(patron=stranger), clause=cite(game, "cut"))
    asked = next((each for each in seated if each not in command.declined), None)
    real = (
        table.settings is not None and not table.settings.virtual_shoe
    )  # the house offers the cut of real cards in every game
    if not command.cut_by and asked and (real or "cut" in game.cites):
        return Refusal(OFFER_CUT_FIRST(patron=asked), DEALER_CUTS_LAST(), cite(game, "cut"))
    if command.cut_behind is not None and not 1 <= command.cut_behind < dealt_from(table):
        return Refusal(
            CUT_OUT_OF_RANGE(behind=command.cut_behind),
            POSSIBLE_RANGE(least=1, most=dealt_from(table) - 1),
            cite(game, "cut"),
        )
    own = command.cut_behind is not None and table.settings is not None and table.settings.virtual_shoe
    if own and not command.cut_by:
        return Refusal(DEALER_CUTS_AS_SET(), NAME_NO_PLACE(), "RUL-6")
    return None


def dealt_from(table: Table) -> int:
    """The cards of a full shoe once some are burned."""
    return table.settings.decks * CARDS_PER_DECK - table.settings.burn if table.settings else 0


@evolves(ShoeLoaded)
def shoe_loaded(table: Table, event: ShoeLoaded) -> Table:
    # Where the mix has no end (a shuffler, a full shoe for every round) the board goes on (DBO-RANK-2).
    cleared = event.shoe.cut_at or (table.shoe is not None and table.shoe.replaced_after_round)
    results = () if cleared else table.results[-BOARD:]
    return replace(
        table,
        source=None if table.source is None else replace(table.source, to_burn=event.burned),
        shoe=event.shoe,
        shuffle=_made(table, event.shoe),
        shoes=event.shoe.number,
        results=results,
        verified=(),
        new_set=False,
        short_once=() if event.forgets_short else table.short_once,
    )


@decides(EndShoe)
def end_shoe(table: Table, game: Game, command: EndShoe) -> Decision:
    if table.shoe is None:
        return Refusal(SHOE_NOT_LOADED())
    if table.round is not None:
        return Refusal(ROUND_IN_PROGRESS(), FINISH_ROUND_FIRST(), cite(game, "end-of-shoe"))
    due = collected(table, game, command)
    return [*due, ShoeEnded(number=table.shoe.number, why=command.why, **about(command, cite(game, "end-of-shoe")))]


@evolves(ShoeEnded)
def shoe_ended(table: Table, _event: ShoeEnded) -> Table:
    return replace(table, shoe=None)


def _made(table: Table, shoe: ShoeInUse) -> Shuffle | None:
    """The shuffle with everything that the order follows from: nothing can be added to it any more."""
    shuffle, settings = table.shuffle, table.settings
    if shuffle is None or settings is None or not settings.virtual_shoe:
        return shuffle
    mix = Mix(settings.table, shuffle.number, shoe.counts, shuffle.contributions, shoe.cut_by, shoe.cut_at)
    return replace(shuffle, mix=mix)


def finished(table: Table) -> Message | None:
    """Why no further round may be dealt from the shoe, None where one may."""
    shoe, settings = table.shoe, table.settings
    if shoe is None or settings is None:
        return SHOE_NOT_LOADED()
    sealed = table.shuffle if table.shuffle is not None and table.shuffle.number >= shoe.number else None
    if sealed is not None and (sealed.secret or sealed.number > shoe.number):
        return SHOE_REVEALED()  # the next shuffle is committed to once the secret of the last is public
    if settings.virtual_shoe != (sealed is not None):
        return SHOE_NOT_LOADED()  # it was loaded into another device
    if settings.virtual_shoe and in_the_shuffler(table) and shoe.drawn > settings.burn:
        return SHUFFLER_MIXES_EVERY_ROUND()
    if shoe.replaced_after_round:
        return CARDS_TO_BE_REPLACED()
    if shoe.cutting_card_out and shoe.rounds_since_cut > settings.rounds_after_cut:
        return CUTTING_CARD_OUT()
    return None
