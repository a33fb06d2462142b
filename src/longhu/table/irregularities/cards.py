"""Cards drawn together, laid on the wrong hand, or out of a device that must be reset; and who judges their order."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from longhu.cards import CARD_OF_TEXT
from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game
from longhu.messages.message import message_code
from longhu.positions import Position
from longhu.table.dealing import hands_complete
from longhu.table.document import clause_of, rule_of
from longhu.table.messages import (
    ASK_POSITION,
    CARD_NOT_TOLD,
    NO_CARD_DUE,
    POSITION_TOO_LOW,
    POSSIBLE_RANGE,
    REPORT_DRAWN_IN_ERROR,
    TELL_EACH_FACE,
    Command,
    decides,
    evolves,
    evolves_round,
)
from longhu.table.remedies.procedure import (
    CARDS_LEFT,
    REPORT_INCIDENT,
    Case,
    applied,
    follow,
    follows,
    not_to_be_entered,
    round_in_hand,
)
from longhu.table.shoe_reads import not_by_hand
from longhu.table.state import Phase, Round, Source, Table

DEVICE_KNOWS_ORDER = message_code("device-knows-order")
REPORT_ORDER = message_code("report-order")
REPORT_AS_MANY = message_code("report-as-many")
CARDS_TOLD_TOGETHER = message_code("cards-told-together", cards="number")
LEFT_SHOE_TOGETHER = message_code("left-shoe-together", cards="number")
CARDS_ON_TABLE = message_code("cards-on-table", cards="number")
NAME_HAND_OF_EACH = message_code("name-hand-of-each", hands="any hand")
CARDS_LIE_RIGHT = message_code("cards-lie-right")
CARDS_LIE_ON = message_code("cards-lie-on", hands="hands")
NOTHING_TO_JUDGE = message_code("nothing-to-judge")
CARDS_ARE_GONE = message_code("cards-are-gone")
FIND_OUT_CARDS = message_code("find-out-cards")
ORDER_WRONG = message_code("order-wrong", cards="number")
ORDER_TO_BE_FIXED = message_code("order-to-be-fixed")
SAY_ORDER = message_code("say-order")


class DrawCardsTogether(Command, frozen=True, kw_only=True, tag="draw-cards-together/1"):
    """Several cards left the shoe at once (DT-5.3, IDT-5.8)."""

    needs: ClassVar[Position] = Position.DEALER

    order_known: bool
    cards: tuple[str, ...] = ()  # first to last where that is known; "" has not been seen
    count: int = 2  # which an electronic shoe supplies


class CardsSetAside(Event, frozen=True, kw_only=True, tag="cards-set-aside/1"):
    """Cards out of the shoe that no hand has yet; they are dealt before any other."""

    cards: tuple[str, ...]
    shoe_number: int
    seen: tuple[str, ...] = ()  # of those that lay there before, what nobody had told
    source: Source = "dealer"  # whose word their faces are


class ReportMislaidCards(Command, frozen=True, kw_only=True, tag="report-mislaid-cards/1"):
    """The cards on the table, in the order in which they left the shoe, lie on these hands."""

    needs: ClassVar[Position] = Position.DEALER

    lies: tuple[str, ...]  # a hand for each card
    recoverable: bool = True  # whoever reports knows which card came first


class CardsFoundMislaid(Event, frozen=True, kw_only=True, tag="cards-found-mislaid/1"):
    hands: tuple[str, ...]


class JudgeIrregularity(Command, frozen=True, kw_only=True, tag="judge-irregularity/1"):
    """Say whether the cards can be put right, and in which order they left the shoe (DT-5.2, IDT-5.8.2.2)."""

    needs: ClassVar[Position] = Position.DEALER

    put_right: bool
    order: tuple[int, ...] = ()  # of the cards set aside, or of those on the table, from 0; none: as they were told


class IrregularityJudged(Event, frozen=True, kw_only=True, tag="irregularity-judged/1"):
    kind: str
    put_right: bool


# ------------------------------------------------ drawn together


def together(game: Game, round: Round, *, order_known: bool) -> str:
    """Which of three kinds it is when cards are drawn together (IDT-5.8, IDT-5.8.2)."""
    if order_known:
        return "drawn-together-order-known"
    initial = len(round.cards) < game.procedure.initial_cards
    return "drawn-together-initial-deal" if initial else "drawn-together-later"


@decides(DrawCardsTogether)
def draw_together(table: Table, game: Game, command: DrawCardsTogether) -> Decision:
    round, shoe, settings = round_in_hand(table), table.shoe, table.settings
    if isinstance(round, Refusal):
        return round
    if shoe is None or settings is None or round.phase not in (Phase.CLOSED, Phase.DEALING):
        return Refusal(NO_CARD_DUE(), REPORT_INCIDENT())
    if (read := not_by_hand(table)) is not None:
        return read
    if settings.virtual_shoe:
        if not command.order_known:
            return Refusal(DEVICE_KNOWS_ORDER(), REPORT_ORDER())
        if shoe.left < command.count:
            return Refusal(CARDS_LEFT(cards=shoe.left), REPORT_AS_MANY())
    faces = tuple(str(CARD_OF_TEXT.get(face, face)) for face in command.cards)
    if settings.virtual_shoe and "" in faces:
        return Refusal(CARD_NOT_TOLD(), TELL_EACH_FACE())
    if not 2 <= len(faces) <= game.procedure.cards_max:
        possible = POSSIBLE_RANGE(least=2, most=game.procedure.cards_max)
        return Refusal(CARDS_TOLD_TOGETHER(cards=len(faces)), possible)
    impossible = not_to_be_entered(table, game, command.cards)
    if impossible is not None:
        return impossible
    if hands_complete(game, round):
        return Refusal(NO_CARD_DUE(), REPORT_DRAWN_IN_ERROR(), clause_of(game, "drawn-in-error"))
    kind = together(game, round, order_known=command.order_known)
    rule = rule_of(game, kind)
    aside = CardsSetAside(
        cards=faces,
        shoe_number=shoe.number,
        source="shuffle" if settings.virtual_shoe else "dealer",
        **about(command, rule.clauses[0] if rule and rule.clauses else ""),
    )
    told = LEFT_SHOE_TOGETHER(cards=len(faces))
    return follow(table, game, command, kind, told, [aside], put_right=command.order_known)


@evolves(CardsSetAside)
def cards_set_aside(table: Table, event: CardsSetAside) -> Table:
    round, shoe = table.round, table.shoe
    if round is None or shoe is None:
        raise AssertionError("cards set aside without a round or a shoe")
    seen = iter(event.seen)
    lying = tuple(face or next(seen) for face in round.reserve) if event.seen else round.reserve
    shoe = shoe.told(event.seen).gives(event.cards)
    aside = replace(round, reserve=(*lying, *event.cards), reserve_source=event.source)
    return replace(table, shoe=shoe, round=aside)


# ------------------------------------------------ on the wrong hand


@decides(ReportMislaidCards)
def report_mislaid(table: Table, game: Game, command: ReportMislaidCards) -> Decision:
    round = round_in_hand(table)
    if isinstance(round, Refusal):
        return round
    if len(command.lies) != len(round.cards) or not set(command.lies) <= set(game.hands):
        name_each = NAME_HAND_OF_EACH(hands=game.hands)
        return Refusal(CARDS_ON_TABLE(cards=len(round.cards)), name_each)
    if command.lies == tuple(each.hand for each in round.cards):
        return Refusal(CARDS_LIE_RIGHT())
    share = game.procedure.initial_cards // 2
    crowded = len(round.cards) <= game.procedure.initial_cards and max(map(command.lies.count, game.hands)) > share
    kind = "too-many-cards-to-hand" if crowded and "too-many-cards-to-hand" in game.irregularities else "wrong-order"
    rule = rule_of(game, kind)
    found = CardsFoundMislaid(hands=command.lies, **about(command, rule.clauses[0] if rule and rule.clauses else ""))
    told = CARDS_LIE_ON(hands=command.lies)
    return follow(table, game, command, kind, told, [found], put_right=command.recoverable)


@evolves_round(CardsFoundMislaid)
def cards_found_lying(round: Round, event: CardsFoundMislaid) -> Round:
    pairs = zip(round.cards, event.hands, strict=True)
    return replace(round, cards=tuple(replace(each, hand=hand) for each, hand in pairs))


# ------------------------------------------------ a judgement: can it be put right?


@decides(JudgeIrregularity)
def judge(table: Table, game: Game, command: JudgeIrregularity) -> Decision:
    round = table.round
    if round is None or not round.halt.waits:
        return Refusal(NOTHING_TO_JUDGE())
    if round.search.missing:
        return Refusal(CARDS_ARE_GONE(), FIND_OUT_CARDS())
    kind = round.halt.waits
    if kind == "drawn-together-order-known" and not command.put_right:
        kind = together(game, round, order_known=False)
    case = Case(table, game, command, kind, None, rule_of(game, kind), command.put_right, command.order)
    decider = max(case.decider, round.halt.judge)
    if command.position < decider:
        needed = {"position": command.position.value, "needed": decider.value}
        return Refusal(POSITION_TOO_LOW(**needed), ASK_POSITION(position=decider.value), case.clause())
    several = round.reserve or round.cards
    if command.order and sorted(command.order) != list(range(len(several))):
        return Refusal(ORDER_WRONG(cards=len(several)), clause=case.clause())
    if not command.put_right and case.rule is not None and case.rule.remedy == "order-then-offer-withdrawal":
        return Refusal(ORDER_TO_BE_FIXED(), SAY_ORDER(), case.clause())
    judged = IrregularityJudged(kind=kind, put_right=command.put_right, **about(command, case.clause()))
    return [judged, *follows(case._replace(table=applied(table, [judged])))]


@evolves_round(IrregularityJudged)
def was_judged(round: Round, _event: IrregularityJudged) -> Round:
    return replace(round, halt=replace(round.halt, waits="", judge=Position.DEALER, frozen=False))
