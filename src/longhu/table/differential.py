"""The table differential: how far the main wagers on the two hands may lie apart, and what is done when they do.

Judged after the closing call and before the first card (Q16, Q52). One document has the dealer ask the heavier hand to
come down, lets the lighter go up meanwhile, and has a pit manager take off what is still too much (IDT-5.16). Another lets the
dealer scale the heavier hand back, or leave it (D21-5.13). Dealing waits until the limit is met, or left.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar, Literal

import msgspec
from msgspec.structs import replace

from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game
from longhu.ledger import Transaction, moved
from longhu.messages.message import Message, message_code
from longhu.money import Amount
from longhu.positions import OF_WORD, Position
from longhu.table.messages import (
    ASK_POSITION,
    DECIDE_IT_FIRST,
    GIVE_REASON,
    NOT_WHOLE_CHIPS,
    POSITION_TOO_LOW,
    REASON_MISSING,
    ROUND_UNDECIDED,
    TAKE_WHOLE_CHIPS_OR_ALL,
    Command,
    decides,
    evolves_round,
)
from longhu.table.state import Phase, Round, Stake, Table, open_round, stake_key

WOULD_LEAD_TOO_FAR = message_code("would-lead-too-far", hand="hand", most="money")
AT_MOST = message_code("at-most", amount="money")
NO_DIFFERENTIAL = message_code("no-differential")
HEAVIER_HAND = message_code("heavier-hand", hand="hand")
RAISE_LIGHTER_HAND = message_code("raise-lighter-hand", hand="hand")
ONLY_THOSE_ON_HAND_RAISE = message_code("only-those-on-hand-raise", hand="hand")
WAIT_FOR_NEXT_ROUND = message_code("wait-for-next-round")
DIFFERENTIAL_WITHIN_LIMIT = message_code("differential-within-limit")
DIFFERENTIAL_BEFORE_FIRST_CARD = message_code("differential-before-first-card")
DIFFERENTIAL_STAGE = message_code("differential-stage", stage="choice")
DIFFERENTIAL_MUST_BE_MET = message_code("differential-must-be-met")
NOT_ON_HEAVIER_HAND = message_code("not-on-heavier-hand", hand="hand")
CHOOSE_WAGER_ON = message_code("choose-wager-on", hand="hand")
DIFFERENTIAL = message_code("differential", leads="hand", trails="hand", gap="money", limit="money", over="money")
AMOUNT_NOT_ON_WAGER = message_code("amount-not-on-wager", amount="money", held="money")
WAGER_REDUCED = message_code("wager-reduced", patron="person", wager="wager")

Stage = Literal["asked", "scale"]
Reduction = Literal["removed", "pro-rata"]  # why a wager came down
FIRST_STAGE: Mapping[str, Stage] = {"ask-raise-remove": "asked", "pro-rata": "scale"}
LEFT = "left"  # a round's differential that the dealer has left as it is


class Gap(msgspec.Struct, frozen=True):
    """What lies on each hand, and the most that they may differ by."""

    totals: tuple[int, int]
    limit: int

    @property
    def heavier(self) -> int:
        return int(self.totals[1] > self.totals[0])

    @property
    def amount(self) -> int:
        return abs(self.totals[0] - self.totals[1])

    @property
    def over(self) -> int:
        """By how much the limit is passed; nothing or less where it is met."""
        return self.amount - self.limit


class DifferentialExceeded(Event, frozen=True, kw_only=True, tag="differential-exceeded/1"):
    """The hands lie too far apart: patrons on the heavier hand are asked to come down, those on the lighter may go up."""

    totals: tuple[Amount, Amount]
    limit: Amount
    stage: Stage
    asks: tuple[str, ...]  # to decrease their wagers (IDT-5.16.1)
    may_raise: tuple[str, ...] = ()  # who may increase theirs (IDT-5.16.2)


class DifferentialMet(Event, frozen=True, kw_only=True, tag="differential-met/1"):
    """The hands are within the limit again, and the deal may begin."""

    totals: tuple[Amount, Amount]


class RemoveWager(Command, frozen=True, kw_only=True, tag="remove-wager/1"):
    """Take a wager of the heavier hand off, or a part of it, with a reason."""

    needs: ClassVar[Position] = Position.DEALER

    patron: str
    place: int
    wager: str
    reason: str
    amount: Amount | None = None  # all of it where none is said


class LeaveDifferential(Command, frozen=True, kw_only=True, tag="leave-differential/1"):
    """Deal although the limit is passed, where the document only says that the dealer may reduce wagers (D21-5.13)."""

    needs: ClassVar[Position] = Position.DEALER


class DifferentialLeft(Event, frozen=True, kw_only=True, tag="differential-left/1"):
    """The hands stay as far apart as they lie, and the deal may begin."""

    totals: tuple[Amount, Amount]
    limit: Amount


class ScaleBack(Command, frozen=True, kw_only=True, tag="scale-back/1"):
    """Cut every wager of the heavier hand in proportion, until the limit is met (D21-5.13)."""

    needs: ClassVar[Position] = Position.DEALER


class WagerReduced(Event, frozen=True, kw_only=True, tag="wager-reduced/1"):
    """What is left of a stake (0: it is off), and what went back to its patron."""

    stake: Stake
    returned: Amount
    why: Reduction
    reason: str = ""  # of a removal, in the words of whoever decided it

    def transactions(self) -> tuple[Transaction, ...]:
        stake, what = self.stake, WAGER_REDUCED(patron=self.stake.patron, wager=self.stake.wager)
        return (moved(what, self.returned, stake.account, stake.purse, clause=self.clause, wager=stake.wager),)


# ------------------------------------------------ what the differential is


def totals(game: Game, stakes: Mapping[str, Stake]) -> tuple[int, int]:
    """The main wagers on each hand; ties, pairs and other side wagers are left out."""
    on = {hand.id: 0 for hand in game.procedure.hands}
    for stake in stakes.values():
        backs = game.wagers[stake.wager].hand
        if backs is not None:
            on[backs] += stake.amount
    first, second = on.values()
    return first, second


def table_differential(game: Game, stakes: Mapping[str, Stake]) -> int:
    """The gap between the hands, whichever leads (IDT-1.1.14, D21-1.0-TABLE-DIFFERENTIAL)."""
    first, second = totals(game, stakes)
    return abs(first - second)


def gap(table: Table, game: Game, stakes: Mapping[str, Stake]) -> Gap | None:
    """How the hands stand against the limit on the notice; None where no limit applies."""
    limit = table.settings.differential if table.settings else None
    return None if limit is None or game.differential is None else Gap(totals(game, stakes), limit)


def exceeded(table: Table, game: Game) -> bool:
    """Do the hands of the round in progress lie too far apart, so that something is still to be done?"""
    if table.round is None or table.round.differential in ("", LEFT):
        return False
    found = gap(table, game, table.round.stakes)
    return found is not None and found.over > 0


def cited(game: Game, paragraph: int = 0) -> str:
    """The clause of the procedure, or of one of its steps where the document has them."""
    clauses = game.differential.clauses if game.differential else ()
    if not clauses:
        return ""
    steps = [clause for clause in clauses[1:] if clause.startswith(f"{clauses[0]}.")]
    return steps[paragraph - 1] if 0 < paragraph <= len(steps) else clauses[0]


def judged(table: Table, game: Game, command: Command, stakes: Mapping[str, Stake]) -> list[Event]:
    """What follows when these are the stakes after the closing call: the procedure starts, or it ends."""
    round, found = table.round, gap(table, game, stakes)
    if round is None or round.cards or found is None or game.differential is None:
        return []
    if round.differential == LEFT:
        return []
    if round.differential and found.over <= 0:
        return [DifferentialMet(totals=found.totals, **about(command, cited(game)))]
    if round.differential or round.reserve or found.over <= 0:
        return []
    heavy, light = (
        [stake.patron for stake in stakes.values() if game.wagers[stake.wager].hand == hand.id]
        for hand in (game.procedure.hands[found.heavier], game.procedure.hands[1 - found.heavier])
    )
    stage = FIRST_STAGE[game.differential.policy]
    return [
        DifferentialExceeded(
            totals=found.totals,
            limit=found.limit,
            stage=stage,
            asks=tuple(dict.fromkeys(heavy)),
            may_raise=tuple(dict.fromkeys(light)) if stage == "asked" else (),
            **about(command, cited(game)),
        )
    ]


def differential_told(game: Game, found: Gap) -> Message:
    """What the dealer reads: who leads, by how much, what the notice allows."""
    leads, trails = game.procedure.hands[found.heavier].id, game.procedure.hands[1 - found.heavier].id
    return DIFFERENTIAL(leads=leads, trails=trails, gap=found.amount, limit=found.limit, over=found.over)


@evolves_round(DifferentialExceeded)
def differential_exceeded(round: Round, event: DifferentialExceeded) -> Round:
    return replace(round, differential=event.stage)


@evolves_round(DifferentialLeft)
def differential_left(round: Round, _event: DifferentialLeft) -> Round:
    return replace(round, differential=LEFT)


@evolves_round(DifferentialMet)
def differential_met(round: Round, _event: DifferentialMet) -> Round:
    return replace(round, differential="")


# ------------------------------------------------ what patrons may do meanwhile


def undisturbed(round: Round) -> bool:
    """Is no card of the round out of the shoe, and nothing else being decided? Only then may wagers still change."""
    return not (round.cards or round.reserve or round.halt.offer or round.halt.for_ruling)


def lowering(table: Table, game: Game, wager: str) -> bool:
    """May a wager come down, although the closing call was made? One on the heavier hand may (IDT-5.16.1)."""
    round = table.round
    if round is None or round.phase is not Phase.CLOSED or not undisturbed(round):
        return False
    if round.differential != "asked":
        return False
    found = gap(table, game, round.stakes)
    return found is not None and game.wagers[wager].hand == game.procedure.hands[found.heavier].id


def raising(table: Table, game: Game, wager: str) -> bool:
    """Is this a main wager while those on the lighter hand may go up, to be judged by `wrong_raise` (IDT-5.16.2)?"""
    round = table.round
    if round is None or round.phase is not Phase.CLOSED or round.differential != "asked" or not undisturbed(round):
        return False
    return wager in game.wagers and game.wagers[wager].hand is not None


def wrong_raise(table: Table, game: Game, stake: str, wager: str, amount: int) -> Refusal | None:
    """Only wagers that stand on the lighter hand go up, and not so far that the other hand is left behind."""
    round = open_round(table)
    found, clause = gap(table, game, round.stakes), cited(game, 2)
    if found is None:
        return Refusal(NO_DIFFERENTIAL())
    light = game.procedure.hands[1 - found.heavier]
    if game.wagers[wager].hand != light.id:
        return Refusal(
            HEAVIER_HAND(hand=game.procedure.hands[found.heavier].id),
            RAISE_LIGHTER_HAND(hand=light.id),
            clause,
        )
    if stake not in round.stakes:
        return Refusal(ONLY_THOSE_ON_HAND_RAISE(hand=light.id), WAIT_FOR_NEXT_ROUND(), clause)
    return _too_far(game, found, amount, clause)


def _too_far(game: Game, found: Gap, amount: int, clause: str) -> Refusal | None:
    """The heavier hand may not become so light that the gap opens on the other side."""
    most = found.amount + found.limit
    if amount <= most:
        return None
    trails = game.procedure.hands[1 - found.heavier].id
    return Refusal(WOULD_LEAD_TOO_FAR(hand=trails, most=most), AT_MOST(amount=most), clause)


def wrong_lowering(table: Table, game: Game, amount: int) -> Refusal | None:
    """A wager comes down no further than the limit on the other side."""
    found = gap(table, game, open_round(table).stakes)
    return None if found is None else _too_far(game, found, amount, cited(game, 1))


# ------------------------------------------------ what staff does


def _over(table: Table, game: Game, *stages: str) -> Gap | Refusal:
    """The gap while it is brought down in one of these ways."""
    round = table.round
    found = gap(table, game, round.stakes) if round else None
    if round is None or found is None or found.over <= 0 or not round.differential:
        return Refusal(DIFFERENTIAL_WITHIN_LIMIT(), clause=cited(game))
    if round.phase is not Phase.CLOSED:
        return Refusal(DIFFERENTIAL_BEFORE_FIRST_CARD(), clause=cited(game))
    if round.halt.offer is not None or round.halt.for_ruling:
        return Refusal(ROUND_UNDECIDED(), DECIDE_IT_FIRST(), cited(game))
    if round.differential not in stages:
        return Refusal(DIFFERENTIAL_STAGE(stage=round.differential), clause=cited(game))
    return found


@decides(RemoveWager)
def remove_wager(table: Table, game: Game, command: RemoveWager) -> Decision:
    clause, decider = cited(game, 3), Position.PIT_MANAGER
    if game.differential and game.differential.decides:
        decider = OF_WORD[game.differential.decides]
    if command.position < decider:
        return Refusal(
            POSITION_TOO_LOW(position=command.position.value, needed=decider.value),
            ASK_POSITION(position=decider.value),
            clause,
        )
    found = _over(table, game, "asked")
    if isinstance(found, Refusal):
        return found
    stakes, heavy = open_round(table).stakes, game.procedure.hands[found.heavier]
    stake = stakes.get(stake_key(command.patron, command.place, command.wager))
    if stake is None or game.wagers[stake.wager].hand != heavy.id:
        return Refusal(NOT_ON_HEAVIER_HAND(hand=heavy.id), CHOOSE_WAGER_ON(hand=heavy.id), clause)
    if not command.reason.strip():
        return Refusal(REASON_MISSING(), GIVE_REASON(), clause)
    amount = stake.amount if command.amount is None else command.amount
    if not 0 < amount <= stake.amount:
        return Refusal(AMOUNT_NOT_ON_WAGER(amount=amount, held=stake.amount), clause=clause)
    if amount != stake.amount and table.settings is not None and not table.settings.whole(amount):
        return Refusal(NOT_WHOLE_CHIPS(amount=amount, unit=table.settings.chip_unit), TAKE_WHOLE_CHIPS_OR_ALL(), clause)
    refusal = _too_far(game, found, amount, clause)
    if refusal is not None:
        return refusal
    return _reduced(table, game, command, {stake.key: stake.amount - amount}, clause, command.reason)


@decides(ScaleBack)
def scale_back(table: Table, game: Game, command: ScaleBack) -> Decision:
    found = _over(table, game, "scale")
    if isinstance(found, Refusal):
        return found
    heavy = game.procedure.hands[found.heavier].id
    on_it = [stake for stake in open_round(table).stakes.values() if game.wagers[stake.wager].hand == heavy]
    settings = table.settings
    if settings is None:
        raise AssertionError("a differential at a closed table")
    least = {id: settings.least(id) for id in settings.limits}
    left = shares(on_it, found.totals[1 - found.heavier] + found.limit, settings.chip_unit, least)
    return _reduced(table, game, command, left, cited(game))


@decides(LeaveDifferential)
def leave_differential(table: Table, game: Game, command: LeaveDifferential) -> Decision:
    if game.differential is None or not game.differential.may_leave:
        return Refusal(DIFFERENTIAL_MUST_BE_MET(), clause=cited(game))
    found = _over(table, game, "asked", "scale")
    if isinstance(found, Refusal):
        return found
    return [DifferentialLeft(totals=found.totals, limit=found.limit, **about(command, cited(game)))]


def shares(stakes: list[Stake], target: int, unit: int, least: Mapping[str, int]) -> dict[str, int]:
    """What each stake becomes so that together they are the target at most (Q16).

    Each is cut in proportion, down to the chip unit, but to no less than its minimum: the others carry what that leaves over.
    Where the target does not hold everybody's minimum, the last wagers come off whole. Units to spare go to the
    largest remainders, among equals to the earlier wager.
    """
    floors = {stake.key: min(stake.amount, least.get(stake.wager, 0)) for stake in stakes}
    staying = sorted(stakes, key=lambda stake: stake.since)
    while staying and sum(floors[stake.key] for stake in staying) > target:
        staying.pop()
    left = {stake.key: 0 for stake in stakes}
    cut, free, total = staying, target, 0
    while cut:
        total = sum(stake.amount for stake in cut)
        held = [stake for stake in cut if stake.amount * min(free, total) < floors[stake.key] * total]
        if not held:
            break
        left |= {stake.key: floors[stake.key] for stake in held}
        free -= sum(floors[stake.key] for stake in held)
        cut = [stake for stake in cut if stake not in held]
    free = min(free, total)
    left |= {stake.key: stake.amount * free // total // unit * unit for stake in cut}
    spare = (free - sum(left[stake.key] for stake in cut)) // unit
    order = sorted(cut, key=lambda stake: (left[stake.key] * total - stake.amount * free, stake.since))
    for stake in order:
        if spare > 0 and left[stake.key] + unit <= stake.amount:
            left[stake.key] += unit
            spare -= 1
    return left


def _reduced(
    table: Table, game: Game, command: Command, left: dict[str, int], clause: str, reason: str = ""
) -> list[Event]:
    """The stakes brought down to what is left of them, and what that does to the differential.

    Only wagers on the hand come down (D21-5.13): one that was placed beside them stays, whatever is left of them.
    """
    why: Reduction = "removed" if reason else "pro-rata"
    stakes = dict(open_round(table).stakes)
    events: list[Event] = []
    for key, amount in left.items():
        stake = stakes[key]
        if amount == stake.amount:
            continue
        stakes[key] = replace(stake, amount=amount)  # its time stays: the cut was no choice of the patron
        returned = stake.amount - amount
        events.append(
            WagerReduced(stake=stakes[key], returned=returned, why=why, reason=reason, **about(command, clause))
        )
    return [*events, *judged(table, game, command, stakes)]


@evolves_round(WagerReduced)
def wager_reduced(round: Round, event: WagerReduced) -> Round:
    stakes = {**round.stakes, event.stake.key: event.stake}
    if not event.stake.amount:
        del stakes[event.stake.key]
    return replace(round, stakes=stakes)


def left_alone(game: Game, stakes: Iterable[Stake]) -> list[Stake]:
    """Those whose patron has none of the wagers that they have to stand beside."""
    lying = [stake for stake in stakes if stake.amount]
    held = {(stake.patron, stake.wager) for stake in lying}
    needy = [stake for stake in lying if game.wagers[stake.wager].requires]
    return [stake for stake in needy if not any((stake.patron, id) in held for id in game.wagers[stake.wager].requires)]
