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
from longhu.table import cutting_card, differential
from longhu.table.document import cite, clause_of, overdue
from longhu.table.messages import (
    ANNOUNCE_RESULT,
    BETTING_STILL_OPEN,
    CARD_NOT_TOLD,
    CARDS_FACE_DOWN,
    DEAL_ON,
    HANDS_COMPLETE,
    INITIAL_DEAL_NOT_OVER,
    NO_CARD_DUE,
    PIT_DECIDES_FIRST,
    POSSIBLE_VALUES,
    REPORT_DRAWN_IN_ERROR,
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
from longhu.table.people import another_deals, of_the_deal
from longhu.table.remedies.procedure import applied, follow, not_to_be_entered
from longhu.table.settling import RoundEnded, outcome_of
from longhu.table.shoe_reads import not_by_hand
from longhu.table.state import ANNOUNCED, DEALING, Card, Phase, Round, ShoeInUse, Source, Table

CLOSE_BETTING_FIRST = message_code("close-betting-first")
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
CARDS_OVER = message_code("cards-over", cards="number")
ANOTHER_CARD_COMES_NEXT = message_code("another-card-comes-next", card="card")
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


class AnnouncementContradicted(Event, frozen=True, kw_only=True, tag="announcement-contradicted/1"):
    """A slip of the tongue: what was announced is not what the cards say. The cards stand, and are announced (IDT-6.3)."""

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


def cards_say(game: Game, round: Round) -> str | None:
    """What there is to announce: a hand or "tie"; None while a card is due, or one lies face down."""
    complete = len(round.cards) >= game.procedure.initial_cards and round.all_known and round.all_public
    number = round.dealt(game.procedure).number if complete else None
    return None if number is None else game.winner(number) or "tie"


def next_hand(game: Game, round: Round) -> tuple[int | None, Reason | None]:
    """The hand that is due a card, and why; the initial cards go in turn whatever they are."""
    if len(round.cards) < game.procedure.initial_cards:
        due = deal_so_far(game.procedure, [DECK[0]] * len(round.cards)).due  # whatever the cards are
        return due.hand, due.reasons[-1]
    due = procedure_due(game, round)
    return due.hand, due.reasons[-1] if due.reasons else None


def hands_complete(game: Game, round: Round) -> bool:
    """Has every hand its cards, as everybody sees?"""
    dealt = len(round.cards) >= game.procedure.initial_cards and round.all_known and round.all_public
    return dealt and next_hand(game, round)[0] is None


def is_over(round: Round) -> bool:
    """Do cards lie beside the shoe that a ruling must dispose of? Those kept for a hand that was gone are not (IDT-5.11.1)."""
    return bool(round.reserve) and not round.search.attended_by


@decides(DrawCard)
@of_the_deal
def draw_card(table: Table, game: Game, command: DrawCard) -> Decision:
    return not_by_hand(table) or draw(table, game, command)


def draw(table: Table, game: Game, command: DrawCard) -> Decision:
    """The next card, whoever tells its face."""
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
    if table.settings is not None and table.settings.virtual_shoe and shoe.is_cut_within(1) and not round.reserve:
        shown = cutting_card.appears(table, game, command)
        after = applied(table, shown)
        if after.round is None or after.round.halt.offer is not None or after.shoe is None:
            return shown  # the card stays in the shoe until all have answered
        drawn = _drawn(after, game, command, after.round, after.shoe)
        return drawn if isinstance(drawn, Refusal) else [*shown, *drawn]
    return _drawn(table, game, command, round, shoe)


def not_ready(table: Table, game: Game, command: DrawCard, round: Round) -> Refusal | None:
    """Everything that must be settled before a card leaves the shoe."""
    if table.dealer not in ("", command.by) and "position-above" not in game.cites:
        return another_deals(table, game)  # the dealer alone draws, whoever stands above (D21-4.2c)
    if round.has_expired(game, command.at):
        return overdue(game)
    if round.halt.for_ruling:
        return Refusal(ROUND_WAITS_FOR_RULING(), PIT_DECIDES_FIRST(), cite(game, "announce-result"))
    if round.halt.offer is not None:
        return Refusal(WITHDRAWAL_OFFERED(), WAIT_FOR_ANSWERS(), round.halt.offer.clause)
    if differential.exceeded(table, game):
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
        impossible = not_to_be_entered(table, game, (command.card,))
        if impossible is not None:
            return impossible
        drawn = str(CARD_OF_TEXT[command.card])
        if not settings.virtual_shoe and drawn != next(filter(None, shoe.ahead[:1]), drawn):
            return Refusal(ANOTHER_CARD_COMES_NEXT(card=shoe.ahead[0]), TELL_CARD())
    elif face_up or settings.virtual_shoe:
        return Refusal(CARD_NOT_TOLD(), TELL_CARD())
    else:
        drawn = ""
    source: Source = "" if not drawn else "shuffle" if settings.virtual_shoe else "dealer"
    if round.reserve and round.reserve[0]:
        source = round.reserve_source
    laid = Card(drawn, round.hands[hand], face_up, round.holders[hand] if round.passed else "", source=source)
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
        just_entered=(len(round.cards),) if event.card.source == "dealer" else (),
        phase=DEALING,
        reserve=reserve,
        first_card_at=event.at if round.first_card_at is None else round.first_card_at,
        last_card_at=event.at,
    )
    return replace(table, round=laid, shoe=shoe)


@decides(AnnounceTotals)
@of_the_deal
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
    first = [CARD_OF_TEXT[each.card] for each in round.cards[: game.procedure.initial_cards]]
    totals = deal_so_far(game.procedure, first).totals  # of these alone, also where a correction has them told again
    return [TotalsAnnounced(totals=totals, **about(command, cite(game, "announce-totals")))]


@evolves_round(TotalsAnnounced)
def totals_announced(round: Round, _event: TotalsAnnounced) -> Round:
    return replace(round, totals_announced=True)


@decides(AnnounceResult)
@of_the_deal
def announce_result(table: Table, game: Game, command: AnnounceResult) -> Decision:
    round, words = table.round, [*game.hands, "tie"]
    if command.winner is not None and command.winner not in words:
        return Refusal(
            UNKNOWN_RESULT(result=command.winner), POSSIBLE_VALUES(values=words), cite(game, "announce-result")
        )
    if round is None or round.phase is not Phase.DEALING or len(round.cards) < game.procedure.initial_cards:
        return Refusal(HANDS_INCOMPLETE(), DEAL_ON(), cite(game, "announce-result"))
    if round.has_expired(game, command.at):
        return overdue(game)
    if round.halt.for_ruling or round.halt.offer:
        return Refusal(ROUND_WAITS_FOR_RULING(), PIT_DECIDES_FIRST(), cite(game, "announce-result"))
    if not round.all_known or not round.all_public:
        return Refusal(CARDS_FACE_DOWN(), REVEAL_CARDS_FIRST(), cite(game, "announce-result"))
    dealt = round.dealt(game.procedure)
    if dealt.number is None:
        return Refusal(HANDS_INCOMPLETE(), DEAL_ON(), cite(game, "announce-result"))
    if is_over(round):
        return Refusal(CARDS_OVER(cards=len(round.reserve)), REPORT_DRAWN_IN_ERROR(), clause_of(game, "drawn-in-error"))
    outcome = outcome_of(game, dealt.number)
    winner = outcome.winner
    if command.winner is not None and command.winner != winner:
        differs = AnnouncementContradicted(
            announced=command.winner, cards_say=winner, **about(command, cite(game, "announce-result"))
        )
        return [differs]
    step = "announce-tie" if winner == "tie" and "announce-tie" in game.cites else "announce-result"
    totals: list[Event] = []
    if "announce-totals" in game.cites and not round.totals_announced:  # no further card: both are told in one breath
        totals = [TotalsAnnounced(totals=dealt.totals, **about(command, cite(game, "announce-totals")))]
    told = ResultAnnounced(totals=dealt.totals, winner=winner, **about(command, cite(game, step)))
    unentered = (
        round.wagering and table.settings is not None and table.settings.takes_spots
    )  # chips that only the dealer sees
    if round.stakes or unentered:
        return [*totals, told]
    ended = RoundEnded(number=round.number, outcome=outcome, **about(command, cite(game, "round-ends")))
    return [*totals, told, ended]  # nothing to take in or to pay (DT-1.1.2b, IDT-1.1.10b)


@evolves(ResultAnnounced)
def result_announced(table: Table, event: ResultAnnounced) -> Table:
    if table.round is None:
        raise AssertionError("a result without a round")
    round = replace(table.round, phase=ANNOUNCED)
    return replace(table, round=round, last_tie=event.winner == "tie")


@evolves(AnnouncementContradicted)
def announcement_contradicted(table: Table, _event: AnnouncementContradicted) -> Table:
    return table
