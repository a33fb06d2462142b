"""The remedies: what is done about each kind of irregularity, as the game file says.

A report tells what happened (facts); the file's word for that kind says what follows. One implementation of each word
serves all games; what a document does not cover goes to a ruling (IDT-6.1, D21-12.0f).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, NamedTuple

from msgspec.structs import replace

from longhu.cards import CARD_OF_TEXT
from longhu.deal.facts import members
from longhu.eventsourcing import Decision, Event, Refusal, about, replay
from longhu.games.game import Game, Rule
from longhu.games.vocabulary import IRREGULARITIES, IRREGULARITY
from longhu.messages.message import Message, message_code
from longhu.odds.reach import reachable
from longhu.positions import OF_WORD, Position
from longhu.table.document import rule_of, ruler
from longhu.table.messages import (
    ANNOUNCE_RESULT,
    AS_TOLD,
    CARD_NOT_IN_SHOE,
    DEAL_ON,
    DECIDE_IT_FIRST,
    HANDS_COMPLETE,
    NO_ROUND,
    ROUND_UNDECIDED,
    WAIT_FOR_ANSWERS,
    WITHDRAWAL_OFFERED,
    Command,
    decides,
    evolve,
    evolves_round,
)
from longhu.table.remedies.restoring import ordered, restored
from longhu.table.remedies.void import CARDS_WRONG, LEFT_WITH_CARDS, IrregularityFound, condemned, voided
from longhu.table.remedies.withdrawal import decided_wagers, exposed, offered, unless_decided
from longhu.table.settling import SettleRound, payments
from longhu.table.state import Deferred, Phase, Round, Table

ROUND_PAID = message_code("round-paid")
REPORT_NEXT_ROUND = message_code("report-next-round")
UNKNOWN_IRREGULARITY = message_code("unknown-irregularity", kind="text")
REPORT_INCIDENT = message_code("report-incident")
REPLACE_WRONG_CARDS = message_code("replace-wrong-cards")
REPORT_OF_ITS_OWN = message_code("report-of-its-own", irregularity="message")
USE_REPORT = message_code("use-report", command="command")
CARDS_LEFT = message_code("cards-left", cards="number")
IRREGULARITY_TOLD = message_code("irregularity-told", irregularity="message", told="message")
NOT_A_CARD = message_code("not-a-card", text="text")
ENTER_CARD_AGAIN = message_code("enter-card-again")
CHECK_CARD_OR_REPORT = message_code("check-card-or-report")
RULING_AWAITED = message_code("ruling-awaited", incident="message")
INCIDENTS = message_code("incidents", incidents="messages")


class ReportIrregularity(Command, frozen=True, kw_only=True, tag="report-irregularity/1"):
    """Something happened at the table that the document has a procedure for."""

    needs: ClassVar[Position] = Position.DEALER

    kind: str  # one of the vocabulary's irregularities
    told: str = ""
    also: tuple[str, ...] = ()  # what came to light with it: an extra card beside a foreign one
    recoverable: bool = False  # the order of the cards can be restored, as from a device's log (IDT-5.2)


class IncidentOpened(Event, frozen=True, kw_only=True, tag="incident-opened/1"):
    told: Message  # what was found, or what a person said of it
    decider: Position
    deferred: Deferred | None = None  # what is done if the round goes on


class JudgementAwaited(Event, frozen=True, kw_only=True, tag="judgement-awaited/1"):
    """The round waits for somebody who may say whether it can be put right."""

    kind: str
    decider: Position


class Case(NamedTuple):
    """Something that happened, and the document's rule for it."""

    table: Table  # with the facts on it
    game: Game
    command: Command
    kind: str
    told: Message | None
    rule: Rule | None
    put_right: bool = False  # the cards can be brought into their order
    order: tuple[int, ...] = ()  # and this is it, where it is not the one in which they were told
    deferred: Deferred | None = None  # what the report would do, where a ruling comes first

    def clause(self, place: int = 0) -> str:
        clauses = self.rule.clauses if self.rule else ()
        return clauses[min(place, len(clauses) - 1)] if clauses else ""

    @property
    def decider(self) -> Position:
        return OF_WORD[self.rule.decides] if self.rule and self.rule.decides else Position.DEALER


OWN_REPORTS = {  # kinds whose report has to say more than that it happened
    "drawn-together-order-known": "draw-cards-together",
    "drawn-together-initial-deal": "draw-cards-together",
    "drawn-together-later": "draw-cards-together",
    "drawn-in-error": "report-drawn-in-error",
    "wrong-order": "report-mislaid-cards",
    "too-many-cards-to-hand": "report-mislaid-cards",
    "wrong-recipient": "report-mispassed-hand",
    "wrong-squeezer": "retrieve-hand",
    "not-passed": "expose-cards",
    "dealt-face-up": "expose-cards",
    "card-exposed": "expose-cards",
    "card-face-up": "report-face-up-card",
    "patron-absent": "reveal-for-absent",
    "patron-left-with-cards": "report-missing-cards",
    "device-reset": "reset-device",
    "power-failure": "report-power-failure",
    "malfunction": "report-malfunction",
    "under-minimum": "report-off-limits-wager",
    "over-maximum": "report-off-limits-wager",
    "game-expired": "cancel-expired-round",
}


def said(text: str) -> Message | None:
    """What a person typed, as a message."""
    return AS_TOLD(text=text) if text else None


def applied(table: Table, events: Iterable[Event]) -> Table:
    """The table with these facts on it."""
    return replay(evolve, table, events)


def round_in_hand(table: Table) -> Round | Refusal:
    """The round in which something happened to the cards; nothing else must be waiting to be settled."""
    round = table.round
    if round is None:
        return Refusal(NO_ROUND())
    if round.phase is Phase.PAID:
        return Refusal(ROUND_PAID(), REPORT_NEXT_ROUND())
    if (offer := round.halt.offer) is not None:
        return Refusal(WITHDRAWAL_OFFERED(), WAIT_FOR_ANSWERS(), offer.clause)
    if round.halt.for_ruling:
        return Refusal(ROUND_UNDECIDED(), DECIDE_IT_FIRST())
    return round


def not_in_shoe(table: Table, faces: tuple[str, ...]) -> str | None:
    """The first of these faces that the shoe cannot hold any more; "" is a card that nobody has seen."""
    left = list(table.shoe.counts) if table.shoe else [0] * 52
    for face in faces:
        known = CARD_OF_TEXT.get(face)
        if face and (known is None or not left[known.number]):
            return face
        if known is not None:
            left[known.number] -= 1
    return None


def not_to_be_entered(table: Table, game: Game, faces: tuple[str, ...]) -> Refusal | None:
    """Why these faces are not taken as they were entered.

    A text that names no card is a slip. A card that the shoe cannot hold any more is a question first: it is reported as
    foreign by whoever sees it lie there (IDT-5.1), and entered again by whoever has mistyped it.
    """
    slip = next((face for face in faces if face and face not in CARD_OF_TEXT), None)
    if slip is not None:
        return Refusal(NOT_A_CARD(text=slip), ENTER_CARD_AGAIN())
    over = not_in_shoe(table, faces)
    if over is None:
        return None
    rule = rule_of(game, "foreign-card")
    return Refusal(
        CARD_NOT_IN_SHOE(card=over), CHECK_CARD_OR_REPORT(), rule.clauses[0] if rule and rule.clauses else ""
    )


@decides(ReportIrregularity)
def report(table: Table, game: Game, command: ReportIrregularity) -> Decision:
    unknown = next((kind for kind in (command.kind, *command.also) if kind not in IRREGULARITIES), None)
    if unknown is not None:
        return Refusal(UNKNOWN_IRREGULARITY(kind=unknown), REPORT_INCIDENT())
    if table.round is not None:
        return remedy(table, game, command)
    return _between_rounds(table, game, command)


def _between_rounds(table: Table, game: Game, command: ReportIrregularity) -> Decision:
    """Nothing is void, and the cards are replaced (Q10)."""
    kinds = [kind for kind in (command.kind, *command.also) if kind in CARDS_WRONG]
    if not kinds or table.shoe is None:
        return Refusal(NO_ROUND(), REPLACE_WRONG_CARDS())
    found: list[Event] = []
    for kind in kinds:
        rule = rule_of(game, kind)
        clause = rule.clauses[0] if rule and rule.clauses else ""
        found.append(IrregularityFound(kind=kind, told=said(command.told), remedy="replace", **about(command, clause)))
    return [*found, *condemned(table, command, kinds[0], found[0].clause)]


def remedy(table: Table, game: Game, command: ReportIrregularity) -> Decision:
    """The document's procedure for what was reported."""
    kinds = tuple(dict.fromkeys((command.kind, *command.also)))
    for kind in kinds:
        own = OWN_REPORTS.get(kind)
        if own and kind in game.irregularities:
            clauses = game.irregularities[kind].clauses
            use = USE_REPORT(command=own)
            return Refusal(REPORT_OF_ITS_OWN(irregularity=IRREGULARITY[kind]()), use, clauses[0] if clauses else "")
    if "insufficient-cards" in kinds and (enough := _enough_cards(table, game)) is not None:
        return enough
    strictest = min(kinds, key=lambda kind: _leniency(game, command, kind))
    also = [_found(game, command, kind, said(command.told)) for kind in kinds if kind != strictest]
    decision = follow(table, game, command, strictest, said(command.told), put_right=command.recoverable)
    return decision if isinstance(decision, Refusal) else [*also, *decision]


def _leniency(game: Game, command: ReportIrregularity, kind: str) -> int:
    """Of several kinds at once one that voids comes first, then a ruling, then what a judgement may put right."""
    rule = rule_of(game, kind)
    if rule is None or rule.remedy == "ruling":
        return 1
    mended = command.recoverable and kind in RECOVERABLE
    awaited = bool(rule.decides) and command.position < OF_WORD[rule.decides]
    return 0 if rule.remedy in ("void", "refund") and not mended and not awaited else 2


def _enough_cards(table: Table, game: Game) -> Refusal | None:
    """A round is void for want of cards when one is due and there is none; an electronic shoe knows what it holds."""
    round, shoe, settings = table.round, table.shoe, table.settings
    rule = rule_of(game, "insufficient-cards")
    clause = rule.clauses[0] if rule and rule.clauses else ""
    if round is None or shoe is None or settings is None:
        return None
    known = len(round.cards) >= game.procedure.initial_cards and round.all_known
    if known and round.dealt(game.procedure).number is not None:
        return Refusal(HANDS_COMPLETE(), ANNOUNCE_RESULT(), clause)
    if settings.virtual_shoe and (round.reserve or shoe.left):
        return Refusal(CARDS_LEFT(cards=shoe.left + len(round.reserve)), DEAL_ON(), clause)
    return None


def follow(
    table: Table,
    game: Game,
    command: Command,
    kind: str,
    told: Message | None,
    facts: Sequence[Event] = (),
    own: Callable[[Case], list[Event]] | None = None,
    *,
    put_right: bool = False,
    deferred: Deferred | None = None,
) -> Decision:
    """What was found, the facts, and what the document does about them.

    `own` is what only this report can do; `deferred` is the same for a game that has a ruling first.
    """
    rule = rule_of(game, kind)
    case = Case(applied(table, facts), game, command, kind, told, rule, put_right, deferred=deferred)
    return [_found(game, command, kind, told), *facts, *follows(case, own)]


def _found(game: Game, command: Command, kind: str, told: Message | None) -> IrregularityFound:
    rule = rule_of(game, kind)
    clause = rule.clauses[0] if rule and rule.clauses else ""
    remedy = rule.remedy if rule else "ruling"
    return IrregularityFound(kind=kind, told=told, remedy=remedy, **about(command, clause))


def follows(case: Case, own: Callable[[Case], list[Event]] | None = None) -> list[Event]:
    """What the word of the rule does; where the rule names a position, it is asked first."""
    word = case.rule.remedy if case.rule else "ruling"
    if word in JUDGED and case.command.position < case.decider:
        return [JudgementAwaited(kind=case.kind, decider=case.decider, **about(case.command, case.clause()))]
    remedy = REMEDIES.get(word) or own or _ruled
    return remedy(case)


# ------------------------------------------------ one function for each word


def _void(case: Case) -> list[Event]:
    """Every stake of the round is returned; what can be put right is, instead (DT-5.2b, IDT-5.2)."""
    if case.put_right and case.kind in RECOVERABLE:
        return _put_right(case, case.clause(1))
    clause = case.clause(1) if case.clause(1).startswith(f"{case.clause()}.") else case.clause()
    kept = _settled_already(case) if case.game.chosen.get("void_keeps_decided") == "yes" else []
    if isinstance(kept, Refusal):
        return _ruled(case._replace(told=kept.reason))
    events = [*kept, *voided(applied(case.table, kept), case.command, IRREGULARITY[case.kind](), (clause,))]
    return [*events, *retired(case.table, case.game, case.command, case.kind, clause)]


def retired(table: Table, game: Game, command: Command, kind: str, clause: str) -> list[Event]:
    """What a void round does to the cards: a set that lacks some is replaced, a shoe that nobody can trust is left."""
    round = table.round
    if round is not None and _cards_are_gone(round):  # IDT-5.11.5
        lost = rule_of(game, LEFT_WITH_CARDS)
        own = lost.clauses[-1] if lost and lost.clauses else clause
        return condemned(table, command, LEFT_WITH_CARDS, own, new_set=True)
    return condemned(table, command, kind, clause) if kind in CARDS_WRONG else []


def _cards_are_gone(round: Round) -> bool:
    """Are they sought, or would they be if a ruling let the round go on?"""
    return bool(round.search.missing or (round.halt.deferred and round.halt.deferred.gone))


def _settled_already(case: Case) -> list[Event] | Refusal:
    """Where the house reads it so, wagers that the exposed cards decide are settled in a void round (Q02)."""
    table, game, round = case.table, case.game, case.table.round
    found = decided_wagers(table, game)
    if round is None or not found:
        return []
    number = next(iter(members(reachable(game.procedure, exposed(game, round)))))
    stakes = {key: stake for key, stake in round.stakes.items() if stake.wager in found}
    if table.settings is None:
        return []
    asked = SettleRound(by=case.command.by, at=case.command.at, position=case.command.position)
    undecided = replace(table, round=replace(round, stakes=stakes))
    return payments(undecided, game, asked, number)


def _continue(_case: Case) -> list[Event]:
    return []  # the outcome stands


def _reconstruct(case: Case) -> list[Event]:
    """The cards go where they belong; where their order is lost, the rule for a lost order applies."""
    if not case.put_right:
        return follows(case._replace(rule=rule_of(case.game, "order-altered")))
    return _put_right(case, case.clause())


def _put_right(case: Case, clause: str) -> list[Event]:
    """The cards lie where they belong; where the house reads the clause so, patrons may withdraw first (Q11)."""
    doubt = case.game.readings.get("reconstruct_withdrawal")
    about_this = doubt is not None and case.rule is not None and set(doubt.clauses) & set(case.rule.clauses)
    if about_this and case.game.chosen.get("reconstruct_withdrawal") == "on":
        return _offer_then_reconstruct(case)
    return restored(case.table, case.game, case.command, clause, case.order)


def _offer_then_reconstruct(case: Case) -> list[Event]:
    """Patrons may withdraw before the cards are put right (IDT-5.8.1)."""
    fixed = ordered(case.table, case.command, case.clause(), case.order)
    table = applied(case.table, fixed)
    order = () if table.round is not None and table.round.reserve else case.order  # of the cards on the table
    clause = case.clause(1)
    return [*fixed, *offered(table, case.game, case.command, case.kind, "reconstruct", clause, whole=True, order=order)]


def _order_then_offer(case: Case) -> list[Event]:
    """A named position fixes the order, then patrons may withdraw (IDT-5.8.2.2)."""
    if not case.put_right:
        return [JudgementAwaited(kind=case.kind, decider=case.decider, **about(case.command, case.clause()))]
    return _offer_then_reconstruct(case)


def _offer_then_reopen(case: Case) -> list[Event]:
    """Patrons may withdraw, some wagers or all, and betting opens again (IDT-5.9)."""
    whole = case.game.chosen.get("withdrawal_scope") == "all"
    return offered(case.table, case.game, case.command, case.kind, "reopen", case.clause(), whole=whole)


def _offer_unless_decided(case: Case) -> list[Event]:
    """Patrons may withdraw everything, unless a wager on offer is decided already (IDT-5.15)."""
    clauses = (case.clause(1), case.clause(4))
    only_placed = case.game.chosen.get("established_on") == "placed"
    return unless_decided(case.table, case.game, case.command, case.kind, clauses, only_placed=only_placed)


def _ruled(case: Case) -> list[Event]:
    """Somebody in a named position decides, with a reason."""
    decider = case.decider if case.rule and case.rule.decides else ruler(case.game)
    name = IRREGULARITY[case.kind]()
    told = name if case.told is None else IRREGULARITY_TOLD(irregularity=name, told=case.told)
    opened = IncidentOpened(told=told, decider=decider, deferred=case.deferred, **about(case.command, case.clause()))
    return [opened]


REMEDIES: dict[str, Callable[[Case], list[Event]]] = {
    "void": _void,
    "refund": _void,
    "continue": _continue,
    "reconstruct": _reconstruct,
    "offer-withdrawal-then-reconstruct": _offer_then_reconstruct,
    "order-then-offer-withdrawal": _order_then_offer,
    "offer-withdrawal-then-reopen": _offer_then_reopen,
    "offer-withdrawal-unless-decided": _offer_unless_decided,
    "ruling": _ruled,
}
JUDGED = ("void", "reconstruct", "offer-withdrawal-then-reconstruct")  # by the position that the rule names, if any
RECOVERABLE = (
    "order-altered", "too-many-cards-to-hand", "wrong-order",
    "drawn-together-order-known", "drawn-together-initial-deal", "drawn-together-later",
)  # fmt: skip


@evolves_round(JudgementAwaited)
def judgement_awaited(round: Round, event: JudgementAwaited) -> Round:
    return replace(round, halt=replace(round.halt, waits=event.kind, judge=event.decider, frozen=True))


@evolves_round(IncidentOpened)
def incident_opened(round: Round, event: IncidentOpened) -> Round:
    halt = round.halt
    told = event.told
    if halt.incident is not None:
        before = halt.incident.args.get("incidents")
        told = INCIDENTS(incidents=[*(before if isinstance(before, list) else [halt.incident]), event.told])
    decider = max(halt.decider, event.decider) if halt.incident else event.decider
    halt = replace(halt, incident=told, decider=decider, deferred=event.deferred or halt.deferred)
    return replace(round, halt=halt)
