"""Wagers while betting is open: placed, set down from a call, taken back, confirmed, and how much may lie where.

Limits of a wager are IDT-3.5.1 and D21-5.8, how many share an area IDT-3.7 and D21-5.7, wagers that stand only beside another
D21-11Ad, DBO-BET-5 and DBC-DB-3.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import ClassVar

from msgspec.structs import replace

from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game
from longhu.ledger import Transaction, chips_account, is_spot, moved
from longhu.messages.message import Message, MessageCode, message_code
from longhu.money import Amount, Money
from longhu.positions import Position
from longhu.settlement import WAGER_NEEDS_ANOTHER, wrong_area, wrong_company
from longhu.table import call_bets, differential, nominees
from longhu.table.call_bets import SetSpokenWager, SpeakWager, SpokenWagerEnded, WagerSpoken
from longhu.table.differential import AMOUNT_NOT_ON_WAGER, left_alone
from longhu.table.document import cite, overdue
from longhu.table.messages import (
    AMOUNT_NOT_POSITIVE,
    BETTING_NOT_OPEN,
    BUY_CHIPS_FIRST,
    CHIPS_DO_NOT_ADD_UP,
    NOT_AT_TABLE,
    NOT_ENOUGH_CHIPS,
    TABLE_NOT_OPEN,
    Command,
    decides,
    evolves,
    evolves_round,
)
from longhu.table.spots import spot_of
from longhu.table.state import (
    BETTING,
    CLOSED,
    Limit,
    Phase,
    Round,
    Settings,
    Spoken,
    Stake,
    Table,
    area_account,
    chips_held,
    may_bet,
    open_round,
    stake_key,
)

WAIT_FOR_OPENING_CALL = message_code("wait-for-opening-call")
VOID_HAND_HAS_NO_WAGERS = message_code("void-hand-has-no-wagers")
BETTING_CLOSED = message_code("betting-closed", round="number")
BET_NEXT_ROUND = message_code("bet-next-round")
MAY_NOT_WAGER_FOR = message_code("may-not-wager-for", person="person", patron="person")
APPROVE_AND_ANNOUNCE_NOMINEE = message_code("approve-and-announce-nominee")
NOMINEE_MAY_NOT_WAGER = message_code("nominee-may-not-wager", patron="person")
PATRON_PLACES_WAGER = message_code("patron-places-wager")
WAGER_NOT_IN_CHIPS = message_code("wager-not-in-chips")
BET_THE_MINIMUM = message_code("bet-the-minimum")
NO_SUCH_PLACE = message_code("no-such-place", place="number", places="number")
WAGER_NOT_OFFERED = message_code("wager-not-offered", wager="wager")
CHOOSE_WAGER = message_code("choose-wager", wagers="any wager")
PLACE_ANOTHER_FIRST = message_code("place-another-first", wagers="any wager")
WAGER_BELOW_MINIMUM = message_code("wager-below-minimum", wager="wager", amount="money", minimum="money")
WAGER_ABOVE_MAXIMUM = message_code("wager-above-maximum", wager="wager", amount="money", maximum="money")
MAY_ADD = message_code("may-add", amount="money")
WAGER_NOT_IN_STEPS = message_code("wager-not-in-steps", wager="wager", step="money")
BET_WHOLE_STEPS = message_code("bet-whole-steps")
AREA_FULL = message_code("area-full", patrons="number")
CHOOSE_ANOTHER_PLACE = message_code("choose-another-place")
AREA_CAPPED = message_code("area-capped", wager="wager", place="number", most="number", counts="choice")
PLAYS_AT_PLACE = message_code("plays-at-place", patron="person", place="number")
BET_THERE = message_code("bet-there")
AREA_ABOVE_MAXIMUM = message_code("area-above-maximum", wager="wager", amount="money", maximum="money")
MAY_NOT_CHANGE_WAGER = message_code("may-not-change-wager", person="person", patron="person")
NO_SUCH_WAGER = message_code("no-such-wager", patron="person", wager="wager", place="number")
ANSWER_THE_OFFER = message_code("answer-the-offer")
WAGER_STAYS_AT_RISK = message_code("wager-stays-at-risk")
REST_OFF_LIMITS = message_code("rest-off-limits", rest="money")
TAKE_ALL_OR_LEAVE_MINIMUM = message_code("take-all-or-leave-minimum")
WAGER_DEPENDS_ON_THIS = message_code("wager-depends-on-this", wager="wager")
TAKE_BACK_FIRST = message_code("take-back-first", wager="wager")
PATRON_HAS_NOT_ASKED = message_code("patron-has-not-asked", patron="person")
SAY_PATRON_ASKED = message_code("say-patron-asked")
WAGER_STANDS_UNCONFIRMED = message_code("wager-stands-unconfirmed")
CAP_BELOW_ONE = message_code("cap-below-one")
NO_CALL_BETS = message_code("no-call-bets")
PLACE_CHIPS_OR_ASK_DEALER = message_code("place-chips-or-ask-dealer")
CALL_BET_CHIPS_DIFFER = message_code("call-bet-chips-differ", called="money", handed="money")
HAND_CHIPS_WITH_CALL = message_code("hand-chips-with-call")
CALL_BET_WAITS = message_code("call-bet-waits")
NO_CALL_BET = message_code("no-call-bet", patron="person", wager="wager")
SPOT_ELSEWHERE = message_code("spot-elsewhere", patron="person", place="number")
NAME_SPOT_OF_POSITION = message_code("name-spot-of-position")
CHIPS_WAGERED = message_code("chips-wagered", patron="person", wager="wager")
CHIPS_TAKEN_BACK = message_code("chips-taken-back", patron="person", wager="wager")

STANDARD = "LIM-1"  # what stands behind limits where the document has no clause


class PlaceWager(Command, frozen=True, kw_only=True, tag="place-wager/1"):
    """Put chips on an area, or more of them; by the patron, a nominee, or staff on the patron's word; chips at a spot are entered by staff.

    Whoever places it, it is the patron's, and so is the care that it lies right (D21-5.5a). The standing wager like the
    seated (D21-5.6a).
    """

    place: int
    wager: str
    amount: Amount
    patron: str = ""  # for whom, where somebody else places it
    chips: tuple[Amount, ...] = ()  # the stack from the bottom up, where it is recorded
    cash: bool = False
    requested: bool = False  # the patron has asked for it, says the member of staff who places it (IDT-3.8a)


class WagerPlaced(Event, frozen=True, kw_only=True, tag="wager-placed/1"):
    """A stake as it is now; `added` came from the patron."""

    stake: Stake
    added: Amount
    chips: tuple[Amount, ...] = ()  # the chips added, from the bottom up, where they were told (D21-5.3a)
    restack: bool = False  # the stack is in the wrong order; the wager stands (D21-5.3b)

    def transactions(self) -> tuple[Transaction, ...]:
        stake, source = self.stake, self.stake.purse
        what = Message(
            CHIPS_WAGERED.code, {"patron": stake.patron, "wager": stake.wager}
        )  # without checks: at every wager
        return (moved(what, self.added, source, stake.account, self.clause, stake.wager),)


class TakeWagerBack(Command, frozen=True, kw_only=True, tag="take-wager-back/1"):
    """Lower or withdraw a wager; `amount` is what comes back, all of it where none is said."""

    place: int
    wager: str
    amount: Amount | None = None
    patron: str = ""
    requested: bool = False  # the patron has asked for it, says the member of staff who takes it back


class WagerTakenBack(Event, frozen=True, kw_only=True, tag="wager-taken-back/1"):
    """What remains (0 for a wager withdrawn) and what went back to the patron."""

    stake: Stake
    returned: Amount
    requested: bool = False  # by the patron, where staff took it back

    def transactions(self) -> tuple[Transaction, ...]:
        what = CHIPS_TAKEN_BACK(patron=self.stake.patron, wager=self.stake.wager)
        stake = self.stake
        return (moved(what, self.returned, stake.account, stake.purse, clause=self.clause, wager=stake.wager),)


class ConfirmWager(Command, frozen=True, kw_only=True, tag="confirm-wager/1"):
    """A patron has looked at a wager that somebody else placed, and it is right."""

    place: int
    wager: str


class WagerConfirmed(Event, frozen=True, kw_only=True, tag="wager-confirmed/1"):
    key: str


class CapArea(Command, frozen=True, kw_only=True, tag="cap-area/1"):
    """How many wagers one area may take: a wager's area at one position of the layout (IDT-3.7). None lifts the cap."""

    needs: ClassVar[Position] = Position.PIT_MANAGER

    place: int
    wager: str
    most: int | None


class AreaCapped(Event, frozen=True, kw_only=True, tag="area-capped/1"):
    place: int
    wager: str
    most: int | None


@decides(PlaceWager)
def place_wager(table: Table, game: Game, command: PlaceWager) -> Decision:
    patron = command.patron or command.by
    refusal = (
        not_betting(table, game, command, patron)
        or _wrong_person(table, game, command, patron)
        or _wrong_form(game, command)
        or _not_offered(table, game, command)
    )
    if refusal is not None:
        return refusal
    round = open_round(table)
    before = round.stakes.get(stake_key(patron, command.place, command.wager))
    amount = command.amount + (before.amount if before is not None else 0)
    late_raise = round.phase is not BETTING and not until_first_card(game, round)
    refusal = (
        beyond_limits(round, game, command, patron, amount, limit_for(table, game, command.wager, patron))
        or area_full(table, game, command, patron)
        or no_companion(table, game, command.wager, patron)
        or (_wrong_raise(table, game, command, before) if late_raise else None)
        or short_of_chips(table, patron, command.amount, BUY_CHIPS_FIRST)
    )
    if refusal is not None:
        return refusal
    in_person, chips = command.by == patron or is_spot(patron), command.chips  # what lies at a spot, its owner has laid
    stake = Stake(
        patron,
        command.place,
        command.wager,
        amount,
        command.at,
        command.by,
        requested=not in_person,
        confirmed=in_person,
        pieces=(before.pieces if before is not None else 0) + (len(chips) or 1),
    )
    placed = WagerPlaced(
        stake=stake,
        added=command.amount,
        chips=chips,
        restack=bool(chips) and any(lower < upper for lower, upper in pairwise(chips)),
        by=command.by,
        at=command.at,
        position=command.position,
        clause=differential.cited(game, 2) if late_raise else _placing_clause(game, command, patron),
    )
    if not late_raise:
        return [placed]
    return [placed, *differential.judged(table, game, command, {**round.stakes, stake.key: stake})]


def short_of_chips(
    table: Table, owner: str, amount: int, remedy: MessageCode | None = None, clause: str = "MON-3"
) -> Refusal | None:
    """Nobody lays chips that they do not have at the table; what lies at a spot is there."""
    held = chips_held(table, owner)
    if held is None or amount <= held:
        return None
    return Refusal(NOT_ENOUGH_CHIPS(patron=owner, held=held), None if remedy is None else remedy(), clause)


def _wrong_raise(table: Table, game: Game, command: PlaceWager, before: Stake | None) -> Refusal | None:
    """After the call only the differential lets a wager be raised (IDT-5.16)."""
    return differential.wrong_raise(table, game, before.key if before else "", command.wager, command.amount)


def _placing_clause(game: Game, command: PlaceWager, patron: str) -> str:
    """The wager's own clause, or the one that lets staff place it on request (IDT-3.8a)."""
    own = game.wagers[command.wager].clauses
    by_staff = command.by != patron and command.position >= Position.DEALER and not is_spot(patron)
    asked = cite(game, "staff-places-wager") if by_staff else ""
    return asked or (own[0] if own else "")


def not_betting(table: Table, game: Game, command: Command, patron: str) -> Refusal | None:
    """A wager is taken between the two calls only (DT-5.6a, IDT-5.4a, D21-5.9.a)."""
    round = table.round
    if round is None:
        return Refusal(BETTING_NOT_OPEN(), WAIT_FOR_OPENING_CALL(), cite(game, "opening-call"))
    if not round.wagering:
        return Refusal(VOID_HAND_HAS_NO_WAGERS(), clause=cite(game, "void-hand"))
    if round.has_expired(game, command.at):
        return overdue(game)
    if round.phase is BETTING:
        return None
    if isinstance(command, PlaceWager) and differential.raising(table, game, command.wager):
        return None
    if not until_first_card(game, round):
        before = isinstance(command, PlaceWager) and stake_key(patron, command.place, command.wager) in round.stakes
        return Refusal(
            BETTING_CLOSED(round=round.number),
            BET_NEXT_ROUND(),
            cite(game, "late-increase" if before else "late-wager") or cite(game, "closing-call"),
        )
    return None


def until_first_card(game: Game, round: Round) -> bool:
    """Is the call made, but betting open until the first card, where a house reads it so (Q08)?"""
    return round.phase is CLOSED and game.chosen.get("close_on") == "first-card" and differential.undisturbed(round)


def _unrequested(game: Game, command: PlaceWager | TakeWagerBack, patron: str) -> Refusal | None:
    """Staff touch a wager on its patron's request, and say so (IDT-3.8a, D21-5.5); what lies at a spot they enter."""
    if command.requested or is_spot(patron):
        return None
    return Refusal(PATRON_HAS_NOT_ASKED(patron=patron), SAY_PATRON_ASKED(), cite(game, "staff-places-wager"))


def _wrong_person(table: Table, game: Game, command: PlaceWager, patron: str) -> Refusal | None:
    """The patron, an active nominee, or staff on request (IDT-3.8a, D21-2.2); staff alone for a spot."""
    if not may_bet(table, patron):
        return Refusal(NOT_AT_TABLE(person=patron))
    if is_spot(patron) and (wrong_spot := of_another_position(patron, command.place)) is not None:
        return wrong_spot
    if command.by == patron:
        return None
    if command.position >= Position.DEALER:
        return _unrequested(game, command, patron)
    nominee = table.nominees.get(patron)
    clause = cite(game, "nominee")
    if nominees.acts_alone(table, patron, "wager"):
        reason = nominees.MUST_ACT_IN_PERSON(patron=patron, act="wager")
        return Refusal(reason, PATRON_PLACES_WAGER(), nominees.clause_for(game, "fb"))
    if nominee is None or nominee.person != command.by or not nominee.active:
        return Refusal(MAY_NOT_WAGER_FOR(person=command.by, patron=patron), APPROVE_AND_ANNOUNCE_NOMINEE(), clause)
    if nominees.may_act_for(table, command.by, patron, "wager"):
        return None
    return Refusal(NOMINEE_MAY_NOT_WAGER(patron=patron), PATRON_PLACES_WAGER(), clause)


def of_another_position(patron: str, place: int) -> Refusal | None:
    """Chips at a spot lie on the areas of its own position."""
    spot = spot_of(patron)
    if spot is None or spot.place == place:
        return None
    return Refusal(SPOT_ELSEWHERE(patron=patron, place=place), NAME_SPOT_OF_POSITION())


def _wrong_form(game: Game, command: PlaceWager) -> Refusal | None:
    """Chips on the layout, in whole chips (D21-5.3a)."""
    if command.cash:
        return Refusal(WAGER_NOT_IN_CHIPS(), BUY_CHIPS_FIRST(), cite(game, "chips-on-layout") or "OPS-2")
    if command.chips and sum(command.chips) != command.amount:
        return Refusal(CHIPS_DO_NOT_ADD_UP(amount=command.amount))
    if command.amount <= 0:
        return Refusal(
            AMOUNT_NOT_POSITIVE(amount=command.amount), BET_THE_MINIMUM(), limit_clause(game, command.wager) or STANDARD
        )
    return None


def _not_offered(table: Table, game: Game, command: PlaceWager) -> Refusal | None:
    settings = table.settings
    if settings is None:
        return Refusal(TABLE_NOT_OPEN())
    if not 1 <= command.place <= settings.positions:
        return Refusal(NO_SUCH_PLACE(place=command.place, places=settings.positions))
    if command.wager in game.layouts[settings.layout].wagers and command.wager in settings.limits:
        return None
    if (error := wrong_area(game, command.wager, settings.layout)) is not None:
        return Refusal(error.message, clause=error.clause)
    return _unoffered(game, settings, command.wager)


def _unoffered(game: Game, settings: Settings, wager: str) -> Refusal:
    ids = [id for id in game.offered(settings.layout) if id in settings.limits]
    return Refusal(WAGER_NOT_OFFERED(wager=wager), CHOOSE_WAGER(wagers=ids) if ids else None)


def no_companion(table: Table, game: Game, id: str, patron: str) -> Refusal | None:
    """Some wagers stand only beside another, or never beside one."""
    wager = game.wagers[id]
    if not wager.requires and not wager.excludes:
        return None
    error = wrong_company(wager, {each.wager for each in open_round(table).stakes_of(patron)})
    if error is None:
        return None
    alone = error.message.code == WAGER_NEEDS_ANOTHER.code
    return Refusal(error.message, PLACE_ANOTHER_FIRST(wagers=wager.requires) if alone else None, error.clause)


# ------------------------------------------------ how much may lie where


def beyond_limits(
    round: Round, game: Game, command: PlaceWager, patron: str, amount: int, limit: Limit
) -> Refusal | None:
    """A stake on an area has the minimum; the maximum is for it alone, or for all areas of the wager (IDT-3.5.1b, D21-5.8)."""
    beside = counted_beside(round, game, patron, command.wager, command.place)
    if limit.min <= amount <= limit.max - beside and not amount % limit.increment:
        return None
    if amount < limit.min:
        return Refusal(
            WAGER_BELOW_MINIMUM(wager=command.wager, amount=amount, minimum=limit.min),
            BET_THE_MINIMUM(),
            limit_clause(game, command.wager) or STANDARD,
        )
    if beside + amount > limit.max:
        return Refusal(
            WAGER_ABOVE_MAXIMUM(wager=command.wager, amount=beside + amount, maximum=limit.max),
            MAY_ADD(amount=max(0, limit.max - beside - amount + command.amount)),
            maximum_clause(game, command.wager) or STANDARD,
        )
    return Refusal(
        WAGER_NOT_IN_STEPS(wager=command.wager, step=limit.increment),
        BET_WHOLE_STEPS(),
        limit_clause(game, command.wager) or "OPS-2",
    )


def counted_beside(round: Round, game: Game, patron: str, wager: str, place: int) -> int:
    """What a patron has on the same wager at other positions, where one maximum is for all of them (D21-5.8.b)."""
    if game.maximum.per == "area":
        return 0
    same = [each for each in round.stakes.values() if (each.patron, each.wager) == (patron, wager)]
    return sum([each.amount for each in same if each.place != place])


def limit_clause(game: Game, wager: str) -> str:
    """The clause that limits this wager: its own where the document has one for each (DBO-MAX-1 to DBO-MAX-5)."""
    own = game.wagers[wager].limit.clauses if wager in game.wagers else ()
    return own[0] if own else cite(game, "limits")


def maximum_clause(game: Game, wager: str) -> str:
    own = game.wagers[wager].limit.clauses or game.maximum.clauses
    return own[0] if own else limit_clause(game, wager)


def limit_for(table: Table, game: Game, wager: str, patron: str) -> Limit:
    """What this patron may stake on it, in whole chips: the table's limits, with a personal maximum where one is set.

    A house grants what is its own to grant: a maximum of the document holds for everybody (DBO-MAX-1).
    """
    if table.settings is None:
        raise AssertionError("limits of a closed table")
    limit, step = table.settings.limits[wager], table.settings.step(wager)
    maxima: Mapping[str, int] = table.people[patron].maxima if patron in table.people else {}
    most, document = maxima.get(wager, limit.max), game.wagers[wager].limit.max
    return Limit(limit.min, most if document is None else min(most, document), step)


def area_full(table: Table, game: Game, command: PlaceWager, patron: str) -> Refusal | None:
    """How many patrons share an area, and what they may have there together (IDT-3.7, D21-5.7)."""
    settings, round = table.settings, table.round
    if settings is None or round is None:
        return None
    if game.chosen.get("sets_per_player") == "one":
        elsewhere = {each.place for each in round.stakes_of(patron)}
        if elsewhere - {command.place}:
            return Refusal(PLAYS_AT_PLACE(patron=patron, place=min(elsewhere)), BET_THERE(), cite(game, "shared-area"))
    most_sharing, cap = _area_players(game, settings), table.caps.get(area_account(command.place, command.wager))
    summed = settings.area_cap != "off" or game.chosen.get("limit_scope") == "area"  # Q27
    if not most_sharing and cap is None and not summed:
        return None
    there = [each for each in round.stakes.values() if (each.place, each.wager) == (command.place, command.wager)]
    others = {each.patron for each in there} - {patron}
    if most_sharing and len(others) >= most_sharing:
        return Refusal(AREA_FULL(patrons=len(others)), CHOOSE_ANOTHER_PLACE(), cite(game, "shared-area"))
    if cap is not None and _counted(game, command, patron, there) > cap:
        clauses, counts = game.cites.get("shared-area", ("",)), game.chosen.get("area_count") or "patrons"
        full = AREA_CAPPED(wager=command.wager, place=command.place, most=cap, counts=counts)
        return Refusal(full, CHOOSE_ANOTHER_PLACE(), clauses[-1])
    named = settings.area_named if settings.area_cap == "named" else None
    if summed and (named is None or patron in named):
        sharing = [each for each in there if named is None or each.patron in named]
        together = sum(each.amount for each in sharing) + command.amount
        most = settings.limits[command.wager].max
        if together > most:
            clauses = game.cites.get("area-cap") or game.cites.get("limits", (STANDARD,))
            return Refusal(
                AREA_ABOVE_MAXIMUM(wager=command.wager, amount=together, maximum=most),
                MAY_ADD(amount=max(0, most - together + command.amount)),
                clauses[0] if named is None else clauses[-1],
            )
    return None


def _counted(game: Game, command: PlaceWager, patron: str, there: list[Stake]) -> int:
    """How many wagers an area would have: of separate patrons, or as the house reads it (Q28)."""
    if game.chosen.get("area_count") == "chips":
        return sum(each.pieces for each in there) + (len(command.chips) or 1)
    return len({each.patron for each in there} | {patron})


def _area_players(game: Game, settings: Settings) -> int:
    """How many patrons may share a wagering area, 0 for any number: as set, or as the game is read (D21-5.7.a)."""
    return settings.area_players or int(game.chosen.get("area_players", 0))


# ------------------------------------------------ wagers on the layout


@evolves_round(WagerPlaced)
def wager_placed(round: Round, event: WagerPlaced) -> Round:
    stake = event.stake
    stakes = round.stakes | {stake.key: stake}
    first = event.at if round.first_wager is None else round.first_wager
    ready = tuple([each for each in round.ready if each != stake.patron]) if round.ready else ()
    restack = _restack(round, stake.key, wrong=event.restack) if event.restack or round.restack else ()
    return replace(round, stakes=stakes, first_wager=first, restack=restack, ready=ready)


def _restack(round: Round, key: str, *, wrong: bool) -> tuple[str, ...]:
    """The wagers that the dealer asks to stack anew: smaller chips lie on top, and a wager stands as it lies (D21-5.3b)."""
    return (*(each for each in round.restack if each != key), *((key,) if wrong else ()))


def _touching(game: Game, round: Round, stake: Stake) -> str:
    """The clause against taking a wager back after the call; a losing one is another matter (D21-5.10)."""
    number = round.outcome(game.procedure)
    lost = number is not None and game.wagers[stake.wager].line(number).net < 0
    return (cite(game, "losing-wager") if lost else "") or cite(game, "late-withdrawal")


@decides(TakeWagerBack)
def take_back(table: Table, game: Game, command: TakeWagerBack) -> Decision:
    patron, round = command.patron or command.by, table.round
    key = stake_key(patron, command.place, command.wager)
    stake, told = (round.stakes.get(key), round.spoken.get(key)) if round else (None, None)
    entitled = command.by == patron or nominees.may_act_for(table, command.by, patron, "wager")
    if not entitled and command.position < Position.DEALER:
        return Refusal(MAY_NOT_CHANGE_WAGER(person=command.by, patron=patron), clause=cite(game, "nominee"))
    if not entitled and (unrequested := _unrequested(game, command, patron)) is not None:
        return unrequested
    if told is not None and (
        stake is None or command.amount in (None, told.amount)
    ):  # the last that was said comes first
        return call_bets.taken_back(game, command, told, command.amount)
    if round is None or stake is None:
        return Refusal(NO_SUCH_WAGER(patron=patron, wager=command.wager, place=command.place))
    lowers = differential.lowering(table, game, command.wager)
    if round.phase is not Phase.BETTING and not lowers and not until_first_card(game, round):
        return Refusal(
            BETTING_CLOSED(round=round.number),
            ANSWER_THE_OFFER() if round.halt.offer else WAGER_STAYS_AT_RISK(),
            _touching(game, round, stake),
        )
    amount = stake.amount if command.amount is None else command.amount
    left = stake.amount - amount
    if not 0 < amount <= stake.amount:
        return Refusal(AMOUNT_NOT_ON_WAGER(amount=amount, held=stake.amount))
    limit = limit_for(table, game, command.wager, patron)
    if left and (left < limit.min or left % limit.increment):
        return Refusal(
            REST_OFF_LIMITS(rest=left),
            TAKE_ALL_OR_LEAVE_MINIMUM(),
            limit_clause(game, command.wager) or STANDARD,
        )
    stakes = {**round.stakes, stake.key: replace(stake, amount=left, since=command.at)}
    refusal = left_without(game, stakes, patron) or (
        differential.wrong_lowering(table, game, amount) if lowers else None
    )
    if refusal is not None:
        return refusal
    own = game.wagers[stake.wager].clauses
    clause = cite(game, "closing-call") or (own[0] if own else "")  # until that call it is the patron's to change
    clause = differential.cited(game, 1) if lowers else clause
    back = WagerTakenBack(
        stake=stakes[stake.key], returned=amount, requested=command.requested, **about(command, clause)
    )
    return [back, *differential.judged(table, game, command, stakes)] if lowers else [back]


def left_without(game: Game, stakes: Mapping[str, Stake], patron: str) -> Refusal | None:
    """A wager that stands only beside another may not be left without one."""
    for each in left_alone(game, [each for each in stakes.values() if each.patron == patron]):
        wager = game.wagers[each.wager]
        clause = wager.clauses[0] if wager.clauses else ""
        return Refusal(WAGER_DEPENDS_ON_THIS(wager=wager.id), TAKE_BACK_FIRST(wager=wager.id), clause)
    return None


@evolves_round(WagerTakenBack)
def wager_taken_back(round: Round, event: WagerTakenBack) -> Round:
    stakes = {**round.stakes, event.stake.key: event.stake}
    if not event.stake.amount:
        del stakes[event.stake.key]
    first = round.first_wager if stakes else None
    ready = tuple(each for each in round.ready if each != event.stake.patron)  # it is confirmed as it lies now (Q08)
    restack = _restack(round, event.stake.key, wrong=False)
    return replace(round, stakes=stakes, first_wager=first, restack=restack, ready=ready)


@decides(ConfirmWager)
def confirm_wager(table: Table, game: Game, command: ConfirmWager) -> Decision:
    key = stake_key(command.by, command.place, command.wager)
    if table.round is None or key not in table.round.stakes:
        return Refusal(NO_SUCH_WAGER(patron=command.by, wager=command.wager, place=command.place))
    if table.round.phase is not Phase.BETTING:
        return Refusal(WAGER_STANDS_UNCONFIRMED(), clause=cite(game, "late-wager"))
    return [WagerConfirmed(key=key, **about(command))]


@evolves_round(WagerConfirmed)
def wager_confirmed(round: Round, event: WagerConfirmed) -> Round:
    stake = replace(round.stakes[event.key], confirmed=True)
    return replace(round, stakes={**round.stakes, event.key: stake})


@decides(CapArea)
def cap_area(table: Table, game: Game, command: CapArea) -> Decision:
    positions = table.settings.positions if table.settings else 0
    if not 1 <= command.place <= positions:
        return Refusal(NO_SUCH_PLACE(place=command.place, places=positions))
    if command.most is not None and command.most < 1:
        return Refusal(CAP_BELOW_ONE(), clause=cite(game, "shared-area"))
    if table.settings is not None and command.wager not in table.settings.limits:
        return _unoffered(game, table.settings, command.wager)
    clauses = game.cites.get("shared-area", ("",))
    capped = AreaCapped(place=command.place, wager=command.wager, most=command.most, **about(command, clauses[-1]))
    return [capped]


@evolves(AreaCapped)
def area_capped(table: Table, event: AreaCapped) -> Table:
    area = area_account(event.place, event.wager)
    caps = {each: most for each, most in table.caps.items() if each != area}
    return replace(table, caps=caps if event.most is None else {**caps, area: event.most})


@decides(SpeakWager)
def speak_wager(table: Table, game: Game, command: SpeakWager) -> Decision:
    patron, round, clauses = command.patron or command.by, table.round, game.cites.get("spoken-wager", ())
    if not clauses:
        return Refusal(NO_CALL_BETS(), PLACE_CHIPS_OR_ASK_DEALER())
    late = not_betting(table, game, command, patron)
    if late is not None or round is None:
        return late or Refusal(BETTING_NOT_OPEN())
    spoken = Spoken(patron, command.place, command.wager, command.chips, command.by)
    if min(command.chips, default=0) <= 0 or spoken.amount != command.amount:
        return Refusal(
            CALL_BET_CHIPS_DIFFER(called=command.amount, handed=spoken.amount),
            HAND_CHIPS_WITH_CALL(),
            clauses[0],
        )
    if spoken.key in round.spoken:
        return Refusal(CALL_BET_WAITS(), clause=clauses[0])
    short = short_of_chips(table, patron, spoken.amount, BUY_CHIPS_FIRST)
    if short is not None:
        return short
    allowed = _set_down(table, game, command, spoken)
    return allowed if isinstance(allowed, Refusal) else [WagerSpoken(spoken=spoken, **about(command, clauses[0]))]


def _set_down(table: Table, game: Game, command: Command, spoken: Spoken) -> Decision:
    """The wager as if it were placed now, by whoever spoke."""
    placed = PlaceWager(
        by=command.by,
        at=command.at,
        position=command.position,
        place=spoken.place,
        wager=spoken.wager,
        amount=spoken.amount,
        patron=spoken.patron,
        chips=spoken.chips,
        requested=True,
    )
    return place_wager(table, game, placed)


@decides(SetSpokenWager)
def set_spoken_wager(table: Table, game: Game, command: SetSpokenWager) -> Decision:
    spoken = table.round.spoken.get(stake_key(command.patron, command.place, command.wager)) if table.round else None
    clauses = game.cites.get("spoken-wager", ("",))
    if spoken is None:
        return Refusal(NO_CALL_BET(patron=command.patron, wager=command.wager), clause=clauses[-1])
    down = SpokenWagerEnded(spoken=spoken, lapsed=False, **about(command, clauses[-1]))
    purse = chips_account(spoken.patron)
    held = table.balances.get(purse, Money(0))
    back = replace(table, balances={**table.balances, purse: Money(held + spoken.amount)})
    placed = _set_down(back, game, command, spoken)
    return placed if isinstance(placed, Refusal) else [down, *placed]
