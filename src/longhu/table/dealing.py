"""The deal: cards in the order of the procedure, announcements, and what an impossible card means."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from longhu.cards import CARD_OF_TEXT, DECK
from longhu.deal.procedure import Due, Reason, deal_so_far
from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game
from longhu.messages.message import Message, message_code
from longhu.positions import Position
from longhu.table import differential
from longhu.table.document import cite, overdue
from longhu.table.messages import (
    ANNOUNCE_RESULT,
    BETTING_STILL_OPEN,
    CARD_NOT_IN_SHOE,
    CARD_NOT_TOLD,
    CARDS_FACE_DOWN,
    DEAL_ON,
    HANDS_COMPLETE,
    INITIAL_DEAL_NOT_OVER,
    NO_CARD_DUE,
    PIT_DECIDES_FIRST,
    POSSIBLE_VALUES,
    REVEAL_CARDS_FIRST,
    ROUND_WAITS_FOR_RULING,
    SHOE_NOT_LOADED,
    WAIT_FOR_ANSWERS,
    WITHDRAWAL_OFFERED,
    Command,
    decides,
    evolves,
    evolves_round,
)
from longhu.table.remedies.procedure import follow
from longhu.table.remedies.withdrawal import offer_at_the_cut
from longhu.table.settling import RoundEnded
from longhu.table.state import ANNOUNCED, DEALING, Card, Phase, Round, ShoeInUse, Table

CLOSE_BETTING_FIRST = message_code("close-betting-first")
ANOTHER_DEALS = message_code("another-deals", dealer="person")
NOBODY_DEALS = message_code("nobody-deals")
TAKE_DEAL_FIRST = message_code("take-deal-first")
DIFFERENTIAL_OVER_LIMIT = message_code("differential-over-limit")
BRING_DIFFERENTIAL_DOWN = message_code("bring-differential-down")
TOTALS_NOT_ANNOUNCED = message_code("totals-not-announced")
ANNOUNCE_TOTALS_FIRST = message_code("announce-totals-first")
TELL_CARD = message_code("tell-card")
TOTALS_WITH_RESULT = message_code("totals-with-result")
TOTALS_ANNOUNCED_ALREADY = message_code("totals-announced-already")
UNKNOWN_RESULT = message_code("unknown-result", result="text")
HANDS_INCOMPLETE = message_code("hands-incomplete")
TOTALS = message_code("totals", first="hand", first_total="number", second="hand", second_total="number")
RESULT = message_code("result", first="hand", first_total="number", second="hand", second_total="number", winner="hand")
TIE = message_code("tie", total="number")
ANNOUNCEMENT_DIFFERS = message_code("announcement-contradicted", announced="hand", cards="hand")
SHOE_EMPTY = message_code("shoe-empty")


class DrawCard(Command, frozen=True, kw_only=True, tag="draw-card/1"):
    """The dealer alone draws (IDT-3.9.1), the next card; its face is told, unless it lies face down from a physical shoe."""

    needs: ClassVar[Position] = Position.DEALER

    card: str = ""


class CardDrawn(Event, frozen=True, kw_only=True, tag="card-drawn/1"):
    card: Card
    shoe_number: int
    why: Message  # whose turn it was
    from_reserve: bool = False  # it had left the shoe before (IDT-5.8, IDT-5.11.4)


class CuttingCardShown(Event, frozen=True, kw_only=True, tag="cutting-card-shown/1"):
    first: bool  # in place of the round's first card


class AnnounceTotals(Command, frozen=True, kw_only=True, tag="announce-totals/1"):
    """After the initial deal, both totals are told (IDT-3.13)."""

    needs: ClassVar[Position] = Position.DEALER


class TotalsAnnounced(Event, frozen=True, kw_only=True, tag="totals-announced/1"):
    totals: tuple[int, int]


class AnnounceResult(Command, frozen=True, kw_only=True, tag="announce-result/1"):
    """Both hands are complete: the dealer tells totals and winner; what a person says is compared."""

    needs: ClassVar[Position] = Position.DEALER

    winner: str | None = None  # the hand's id, "tie", or nothing where the table itself tells


class ResultAnnounced(Event, frozen=True, kw_only=True, tag="result-announced/1"):
    totals: tuple[int, int]
    winner: str
    number: int  # of the ending


class AnnouncementContradicted(Event, frozen=True, kw_only=True, tag="announcement-contradicted/1"):
    """What was announced is not what the cards say: the round waits for the pit."""

    announced: str
    cards_say: str


def totals_told(game: Game, totals: tuple[int, int]) -> Message:
    """What the dealer says of the initial hands."""
    first, second = game.procedure.hands
    return TOTALS(first=first.id, first_total=totals[0], second=second.id, second_total=totals[1])


def result_told(game: Game, event: ResultAnnounced) -> Message:
    """What the dealer says at the end of the deal."""
    first, second = game.procedure.hands
    if event.winner == "tie":
        return TIE(total=event.totals[0])
    return RESULT(
        first=first.id,
        first_total=event.totals[0],
        second=second.id,
        second_total=event.totals[1],
        winner=event.winner,
    )


def procedure_due(game: Game, round: Round) -> Due:
    """Whose card is next; every card so far must be known."""
    return round.dealt(game.procedure).due


def next_hand(game: Game, round: Round) -> tuple[int | None, Reason | None]:
    """The hand that is due a card, and why; the initial cards go in turn whatever they are."""
    if len(round.cards) < game.procedure.initial_cards:
        due = deal_so_far(game.procedure, [DECK[0]] * len(round.cards)).due  # whatever the cards are
        return due.hand, due.reasons[-1]
    due = procedure_due(game, round)
    return due.hand, due.reasons[-1] if due.reasons else None


@decides(DrawCard)
def draw_card(table: Table, game: Game, command: DrawCard) -> Decision:
    round, shoe = table.round, table.shoe
    if round is None or round.phase is Phase.BETTING:
        return Refusal(BETTING_STILL_OPEN(), CLOSE_BETTING_FIRST(), cite(game, "first-card"))
    refusal = not_ready(table, game, command, round)
    if refusal is not None:
        return refusal
    if shoe is None:
        return Refusal(SHOE_NOT_LOADED())
    if not round.cards and (judged := differential.judged(table, game, command, round.stakes)):
        return judged  # withdrawals since the call have opened the differential, or closed it
    if shoe.cut_at and shoe.drawn >= shoe.cut_at and not shoe.cutting_card_out and not round.reserve:
        first = not round.cards and "cutting-card-first" in game.cites
        step = "cutting-card-first" if first else "cutting-card" if "cutting-card" in game.cites else "end-of-shoe"
        clauses = game.cites.get(step, ("",))
        shown = CuttingCardShown(first=first, **about(command, clauses[0]))
        if first:
            return [shown, *offer_at_the_cut(table, game, command)]
        drawn = _drawn(table, game, command, round, shoe)
        return drawn if isinstance(drawn, Refusal) else [shown, *drawn]
    return _drawn(table, game, command, round, shoe)


def not_ready(table: Table, game: Game, command: DrawCard, round: Round) -> Refusal | None:
    """Everything that must be settled before a card leaves the shoe."""
    assigned = table.dealer or (command.by if table.staff.get(command.by) is Position.DEALER else "")
    if command.by != assigned and "position-above" not in game.cites:
        return Refusal(
            ANOTHER_DEALS(dealer=assigned) if assigned else NOBODY_DEALS(),
            TAKE_DEAL_FIRST(),
            cite(game, "dealer-draws"),
        )
    if (over := overdue(game, round, command.at)) is not None:
        return over
    if round.halt.for_ruling:
        return Refusal(ROUND_WAITS_FOR_RULING(), PIT_DECIDES_FIRST(), cite(game, "announce-result"))
    if round.halt.offer is not None:
        return Refusal(WITHDRAWAL_OFFERED(), WAIT_FOR_ANSWERS(), round.halt.offer.clause)
    if round.differential and differential.exceeded(table, game):
        clause = game.differential.clauses[0] if game.differential else ""
        return Refusal(DIFFERENTIAL_OVER_LIMIT(), BRING_DIFFERENTIAL_DOWN(), clause)
    if round.phase not in (Phase.CLOSED, Phase.DEALING):
        return Refusal(NO_CARD_DUE())
    initial = game.procedure.initial_cards
    if len(round.cards) < initial:
        return None
    if not round.all_known or not round.all_public:
        return Refusal(CARDS_FACE_DOWN(), REVEAL_CARDS_FIRST(), cite(game, "announce-totals"))
    if not round.totals_announced and "announce-totals" in game.cites:
        return Refusal(TOTALS_NOT_ANNOUNCED(), ANNOUNCE_TOTALS_FIRST(), cite(game, "announce-totals"))
    if next_hand(game, round)[0] is None:
        return Refusal(HANDS_COMPLETE(), ANNOUNCE_RESULT(), cite(game, "announce-result"))
    return None


def _drawn(table: Table, game: Game, command: DrawCard, round: Round, shoe: ShoeInUse) -> Decision:
    hand, reason = next_hand(game, round)
    settings = table.settings
    if hand is None or reason is None or settings is None:
        return Refusal(NO_CARD_DUE())
    if shoe.left == 0 and not round.reserve:
        return follow(table, game, command, "insufficient-cards", SHOE_EMPTY())
    face_up = faces_up(game, round, extra_up=settings.extra_cards_face_up)
    if round.reserve and round.reserve[0]:
        drawn = round.reserve[0]
    elif command.card:
        known = CARD_OF_TEXT.get(command.card)
        if known is None or not shoe.counts[known.number]:
            return follow(table, game, command, "foreign-card", CARD_NOT_IN_SHOE(card=command.card))
        drawn = str(known)
    elif face_up or settings.electronic_shoe:
        return Refusal(CARD_NOT_TOLD(), TELL_CARD())
    else:
        drawn = ""
    laid = Card(drawn, hand, face_up, round.holders[hand] if round.passed else "")
    clause = cite(game, "first-card") if not round.cards else next(iter(reason.clauses), "")
    drawn_card = CardDrawn(
        card=laid,
        shoe_number=shoe.number,
        why=reason.message,
        from_reserve=bool(round.reserve),
        **about(command, clause),
    )
    return [drawn_card]


def faces_up(game: Game, round: Round, *, extra_up: bool) -> bool:
    """Is the next card laid face up? As the method says; further cards may be another matter (D21-9.3, D21-9.5)."""
    method = game.methods.get(round.method)
    if method is None or method.cards == "face-up":
        return True
    if len(round.cards) < game.procedure.initial_cards:
        return False
    return extra_up or (method.squeeze == "nobody" and "announce-totals" not in game.cites)


@evolves(CardDrawn)
def card_drawn(table: Table, event: CardDrawn) -> Table:
    round, shoe = table.round, table.shoe
    if round is None or shoe is None:
        raise AssertionError("a card drawn without a round or a shoe")
    face, reserve = event.card.card, round.reserve
    if not event.from_reserve:
        shoe = shoe.gives([face])
    else:
        if face and not reserve[0]:
            shoe = shoe.told([face])
        reserve = reserve[1:]
    laid = replace(
        round,
        cards=(*round.cards, event.card),
        phase=DEALING,
        reserve=reserve,
        first_card_at=event.at if round.first_card_at is None else round.first_card_at,
        last_card_at=event.at,
    )
    return replace(table, round=laid, shoe=shoe)


@evolves(CuttingCardShown)
def cutting_card_shown(table: Table, _event: CuttingCardShown) -> Table:
    if table.shoe is None:
        raise AssertionError("a cutting card without a shoe")
    return replace(table, shoe=replace(table.shoe, cutting_card_out=True))


@decides(AnnounceTotals)
def announce_totals(table: Table, game: Game, command: AnnounceTotals) -> Decision:
    round = table.round
    if "announce-totals" not in game.cites:
        return Refusal(TOTALS_WITH_RESULT(), DEAL_ON(), cite(game, "announce-result"))
    if round is None or round.phase is not Phase.DEALING or len(round.cards) < game.procedure.initial_cards:
        return Refusal(INITIAL_DEAL_NOT_OVER(), clause=cite(game, "announce-totals"))
    if round.halt.for_ruling or round.halt.offer:
        return Refusal(ROUND_WAITS_FOR_RULING(), PIT_DECIDES_FIRST(), cite(game, "announce-totals"))
    if not round.all_known or not round.all_public:
        return Refusal(CARDS_FACE_DOWN(), REVEAL_CARDS_FIRST(), cite(game, "announce-totals"))
    if round.totals_announced:
        return Refusal(TOTALS_ANNOUNCED_ALREADY(), DEAL_ON(), cite(game, "announce-totals"))
    totals = round.dealt(game.procedure).totals
    return [TotalsAnnounced(totals=totals, **about(command, cite(game, "announce-totals")))]


@evolves_round(TotalsAnnounced)
def totals_announced(round: Round, _event: TotalsAnnounced) -> Round:
    return replace(round, totals_announced=True)


@decides(AnnounceResult)
def announce_result(table: Table, game: Game, command: AnnounceResult) -> Decision:
    round, words = table.round, [*(hand.id for hand in game.procedure.hands), "tie"]
    if command.winner is not None and command.winner not in words:
        return Refusal(
            UNKNOWN_RESULT(result=command.winner), POSSIBLE_VALUES(values=words), cite(game, "announce-result")
        )
    if round is None or round.phase is not Phase.DEALING or len(round.cards) < game.procedure.initial_cards:
        return Refusal(HANDS_INCOMPLETE(), DEAL_ON(), cite(game, "announce-result"))
    if (over := overdue(game, round, command.at)) is not None:
        return over
    if round.halt.for_ruling or round.halt.offer:
        return Refusal(ROUND_WAITS_FOR_RULING(), PIT_DECIDES_FIRST(), cite(game, "announce-result"))
    if not round.all_known or not round.all_public:
        return Refusal(CARDS_FACE_DOWN(), REVEAL_CARDS_FIRST(), cite(game, "announce-result"))
    dealt = round.dealt(game.procedure)
    if dealt.number is None:
        return Refusal(HANDS_INCOMPLETE(), DEAL_ON(), cite(game, "announce-result"))
    winner = game.winner(dealt.number) or "tie"
    if command.winner is not None and command.winner != winner:
        differs = AnnouncementContradicted(
            announced=command.winner, cards_say=winner, **about(command, cite(game, "announce-result"))
        )
        return [differs]
    step = "announce-tie" if winner == "tie" and "announce-tie" in game.cites else "announce-result"
    told = ResultAnnounced(totals=dealt.totals, winner=winner, number=dealt.number, **about(command, cite(game, step)))
    if round.stakes:
        return [told]
    ended = RoundEnded(number=round.number, ending=dealt.number, **about(command, cite(game, "round-ends")))
    return [told, ended]  # nothing to take in or to pay (DT-1.1.2b, IDT-1.1.10b)


@evolves(ResultAnnounced)
def result_announced(table: Table, event: ResultAnnounced) -> Table:
    if table.round is None:
        raise AssertionError("a result without a round")
    round = replace(table.round, phase=ANNOUNCED, number_of_ending=event.number)
    return replace(table, round=round, last_tie=event.winner == "tie")


@evolves_round(AnnouncementContradicted)
def announcement_differs(round: Round, event: AnnouncementContradicted) -> Round:
    """The pit is told what differed; all cards lie open by now."""
    told = ANNOUNCEMENT_DIFFERS(announced=event.announced, cards=event.cards_say)
    decider = max(round.halt.decider, Position.PIT_SUPERVISOR)
    return replace(round, halt=replace(round.halt, frozen=True, incident=told, decider=decider))
