"""Settlement: losing stakes are taken in, winners are paid, and the round ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import ClassVar, NamedTuple

from msgspec.structs import replace

from longhu.cards import card
from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game, Line, Result
from longhu.ledger import Posting, Transaction, chips_account
from longhu.messages.message import Message, message_code
from longhu.money import Amount, Money
from longhu.positions import Position
from longhu.settlement import cut_of, won
from longhu.table.betting import counted_beside, limit_for
from longhu.table.cash import in_tray, tray_short
from longhu.table.document import cite, overdue
from longhu.table.messages import PIT_DECIDES_FIRST, ROUND_WAITS_FOR_RULING, Command, decides, evolves
from longhu.table.owed import owing, portions
from longhu.table.people import of_the_deal
from longhu.table.requirements import rounding_of
from longhu.table.state import (
    KEPT_ROUNDS,
    OWED,
    PAID,
    TALLY,
    Outcome,
    Paid,
    PaidRound,
    Round,
    Settings,
    ShoeInUse,
    Stake,
    Table,
    open_round,
)

RESULT_NOT_ANNOUNCED = message_code("result-not-announced")
ANNOUNCE_IT_FIRST = message_code("announce-it-first")
FILL_THEN_SETTLE = message_code("fill-then-settle")
WAGER_SETTLED = message_code("wager-settled", patron="person", wager="wager")
ROUND_CAPPED = message_code("round-capped", patron="person")


class SettleRound(Command, frozen=True, kw_only=True, tag="settle-round/1"):
    """Take in the losing wagers, then pay the winners."""

    needs: ClassVar[Position] = Position.DEALER


class WagerSettled(Event, frozen=True, kw_only=True, tag="wager-settled/1"):
    """What became of one stake: so much to the patron, the rest to the house (or more from it)."""

    table: str
    stake: Stake
    line: int  # which of the wager's lines decides it, from 0
    result: str
    pays: str
    net: Amount
    commission: Amount = 0  # kept from the win; the net is what is left
    tallied: bool = False  # the commission was not kept: it is on the tally, and the net is without it (Q51)
    owed: Amount = 0  # of what the patron gets, so much comes to no chip; below 0, what was owed before is in the chips
    may_lie: bool = False  # returned by a tie: it may be changed before the next round (D21-5.11)
    returned: Amount = 0  # given back before anything else: over the maximum, or under the minimum again

    def transactions(self) -> tuple[Transaction, ...]:
        """The stake leaves the area; the patron gets what is left of it and what was won, the tray has the rest."""
        stake, chips = self.stake, self.chips
        postings = (
            Posting(stake.account, -stake.amount),
            Posting(stake.purse, chips),
            Posting(f"float:{self.table}", stake.amount - chips),
            *owing(self.table, stake.patron, self.owed),
        )
        if self.tallied:
            due = (Posting(f"{TALLY}{stake.patron}", self.due), Posting(f"commissions:{self.table}", -self.due))
            postings = (*postings, *due)
        what = Message(
            WAGER_SETTLED.code, {"patron": stake.patron, "wager": stake.wager}
        )  # without checks: at every wager
        moved = tuple([each for each in postings if each.amount])
        return (Transaction(what, moved, self.clause, stake.wager),)

    @property
    def chips(self) -> int:
        """What the patron gets in chips, the stake included."""
        return self.stake.amount + self.net - self.owed

    @property
    def due(self) -> int:
        """What the patron owes of the win."""
        return self.commission if self.tallied else 0

    @property
    def kept_net(self) -> int:
        """The net once all commission is paid."""
        return self.net - self.due


class RoundCapped(Event, frozen=True, kw_only=True, tag="round-capped/1"):
    """One round credits a patron at most so much; what is over stays with the house."""

    table: str
    patron: str
    cut: Amount
    owed: Amount = 0  # by how much more is owed afterwards, or less

    def transactions(self) -> tuple[Transaction, ...]:
        chips, tray = self.cut + self.owed, f"float:{self.table}"
        postings = (
            Posting(chips_account(self.patron), -chips),
            Posting(tray, chips),
            *owing(self.table, self.patron, self.owed),
        )
        moved = tuple([each for each in postings if each.amount])
        return (Transaction(ROUND_CAPPED(patron=self.patron), moved, self.clause),)


class RoundEnded(Event, frozen=True, kw_only=True, tag="round-ended/1"):
    number: int
    outcome: Outcome


def settle(table: Table, game: Game, command: SettleRound) -> Decision:
    round, settings = table.round, table.settings
    number = round.outcome(game.procedure) if round is not None else None
    if round is None or settings is None or number is None:
        return Refusal(RESULT_NOT_ANNOUNCED(), ANNOUNCE_IT_FIRST(), cite(game, "collect-and-pay"))
    if round.halt.for_ruling:
        return Refusal(ROUND_WAITS_FOR_RULING(), PIT_DECIDES_FIRST(), cite(game, "announce-result"))
    if round.has_expired(game, command.at):
        return overdue(game)
    paid = payments(table, game, command, number)
    if isinstance(paid, Refusal):
        return paid
    ended = RoundEnded(
        number=round.number, outcome=outcome_of(game, number), **about(command, cite(game, "round-ends"))
    )
    return [*paid, ended]


def payments(table: Table, game: Game, command: SettleRound, number: int) -> list[Event] | Refusal:
    """What becomes of the stakes at an outcome: all collections, then all payments, then what a cap takes back."""
    round, settings = open_round(table), table.settings
    if settings is None:
        raise AssertionError("payments of a table that is closed")
    off = _off_limits(table, game, round)
    settled = _settled(game, command, settings, number, round.stakes.values(), off)
    settled = [each for each in settled if not is_payment(each.net)] + [
        each for each in settled if is_payment(each.net)
    ]
    settled = _in_chips(table, settings, settled)
    out = sum([event.chips - event.stake.amount for event in settled])  # all of it before a cap takes its part back
    if out > in_tray(table):
        return tray_short(table, out, FILL_THEN_SETTLE(), "OPS-2")
    return [*settled, *_capped(table, game, command, settled)]


def _in_chips(table: Table, settings: Settings, settled: list[WagerSettled]) -> list[WagerSettled]:
    """The same payments, each in as many chips as it comes to with what its patron is owed by then."""
    if settings.chip_unit == 1 and not any(account.startswith(OWED) for account in table.balances):
        return settled  # every coin is a chip
    owed: dict[str, int] = {}
    paid: list[WagerSettled] = []
    for event in settled:
        patron = event.stake.patron
        before = owed.get(patron, table.owed_to(patron))
        change = portions(event.stake.amount + event.net, before, settings.chip_unit).owed
        owed[patron] = before + change
        paid.append(replace(event, owed=change) if change else event)
    return paid


def outcome_of(game: Game, number: int) -> Outcome:
    """The outcome of this number in words."""
    return Outcome(game.winner(number) or "tie", game.pairs(number))


decides(SettleRound)(of_the_deal(settle))


def is_payment(net: int) -> bool:
    """All collections come before payments (D21-10.2)."""
    return net >= 0


def _capped(table: Table, game: Game, command: SettleRound, settled: list[WagerSettled]) -> list[Event]:
    """What a cap on the round takes back, patron by patron."""
    events: list[Event] = []
    if game.cap is None or table.settings is None:
        return events
    for patron in dict.fromkeys(event.stake.patron for event in settled):
        mine = [event for event in settled if event.stake.patron == patron]
        net = sum(event.kept_net for event in mine)
        cut = cut_of(game.cap, sum(event.stake.amount for event in mine) + net, net)
        if cut is not None:
            clause = cut.cap.clauses[0] if cut.cap.clauses else ""
            owed = table.owed_to(patron) + sum(event.owed for event in mine)
            change = portions(-cut.amount, owed, table.settings.chip_unit).owed
            stamp = about(command, clause)
            events.append(RoundCapped(table=table.settings.table, patron=patron, cut=cut.amount, owed=change, **stamp))
    return events


class OffLimits(NamedTuple):
    """A stake that was found off the limits: which, and what of it is at risk."""

    kind: str
    at_risk: int


def _off_limits(table: Table, game: Game, round: Round) -> dict[str, OffLimits]:
    """Stakes found under the minimum or over the maximum, by key.

    Under the minimum is settled one time only, afterwards returned (IDT-5.12). Over the maximum is paid or collected
    to the maximum (IDT-5.13), which is for one area or for all, as when a wager is placed. All short wagers of one
    round are settled alike, whichever was reported first: the future starts with the next round.
    """
    off: dict[str, OffLimits] = {}
    within = replace(round, stakes={key: each for key, each in round.stakes.items() if not each.found})
    for stake in (each for each in round.stakes.values() if each.found):
        limit = limit_for(table, game, stake.wager, stake.patron)
        room = limit.max - counted_beside(within, game, stake.patron, stake.wager, stake.place)
        at_risk = max(0, min(stake.amount, room))
        if stake.amount < limit.min:
            off[stake.key] = OffLimits("under-minimum", 0 if stake.patron in table.short_once else stake.amount)
        elif at_risk < stake.amount:
            off[stake.key] = OffLimits("over-maximum", at_risk)
        within = replace(within, stakes={**within.stakes, stake.key: replace(stake, amount=at_risk)})
    return off


def _minimum(table: Table, stake: Stake) -> int:
    """The table's, which no patron has of their own."""
    return table.settings.limits[stake.wager].min if table.settings else 0


def _settled(
    game: Game,
    command: SettleRound,
    settings: Settings,
    ending: int,
    stakes: Iterable[Stake],
    off: Mapping[str, OffLimits],
) -> list[WagerSettled]:
    """What becomes of each stake. Equal stakes on one wager, as long as they are within the limits, come to the same."""
    rounding = rounding_of(game, settings)
    tallies = game.tallies_commission
    ties = "change-after-tie" in game.cites and game.winner(ending) is None

    def one(stake: Stake, limits: OffLimits | None) -> WagerSettled:
        wager = game.wagers[stake.wager]
        number = wager.deciding[ending]
        line = wager.lines[number]
        at_risk = stake.amount if limits is None else limits.at_risk
        net, commission = won(line, Money(at_risk), rounding) if at_risk else (0, 0)
        tallied = tallies and commission > 0
        return WagerSettled(
            by=command.by,
            at=command.at,
            position=command.position,
            clause=(line.clause or "") if limits is None else _clause_off_limits(game, line, limits),
            table=settings.table,
            stake=stake,
            line=number,
            result=line.result.value,
            pays=line.odds.printed if line.odds else "",
            net=net + commission if tallied else net,
            commission=commission,
            tallied=tallied,
            may_lie=ties and wager.hand is not None and line.result is Result.PUSH,
            returned=stake.amount - at_risk,
        )

    alike: dict[tuple[str, int], WagerSettled] = {}
    settled: list[WagerSettled] = []
    for stake in stakes:
        limits = off.get(stake.key) if off else None
        same = alike.get((stake.wager, stake.amount)) if limits is None else None
        if same is not None:
            settled.append(replace(same, stake=stake))
            continue
        settled.append(one(stake, limits))
        if limits is None:
            alike[stake.wager, stake.amount] = settled[-1]
    return settled


def _clause_off_limits(game: Game, line: Line, off: OffLimits) -> str:
    """Which rule settles a stake that was found off the limits."""
    if off.kind not in game.irregularities:
        return line.clause or ""
    clauses = game.irregularities[off.kind].clauses
    taken = line.result in (Result.LOSE, Result.HALF)
    back = off.kind == "under-minimum" and not off.at_risk
    return clauses[2 if back else 1 if taken else 0]


@evolves(WagerSettled)
def wager_settled(table: Table, event: WagerSettled) -> Table:
    round, stake = open_round(table), event.stake
    stakes = round.stakes.copy()
    stakes.pop(stake.key, None)
    paid = (*table.paid, Paid(stake.patron, stake.wager, event.kept_net, stake.claim, stake.amount - event.returned))
    return _remembered(replace(table, round=replace(round, stakes=stakes, phase=PAID), paid=paid), event)


def _remembered(table: Table, event: WagerSettled) -> Table:
    """What later rounds ask about: wagers that a tie gave back, chips that were lifted or off the limits."""
    stake = event.stake
    if event.may_lie:
        table = replace(table, returned={**table.returned, stake.key: stake})
    if stake.claim and event.net < 0:
        lost = table.claims_lost.get(stake.patron, 0) - event.net
        table = replace(table, claims_lost={**table.claims_lost, stake.patron: lost})
    if stake.found and stake.amount < _minimum(table, stake):
        table = replace(table, short_once=tuple(dict.fromkeys((*table.short_once, stake.patron))))
    return table


@evolves(RoundCapped)
def round_capped(table: Table, event: RoundCapped) -> Table:
    return replace(table, paid=(*table.paid, Paid(event.patron, "", -event.cut)))


@evolves(RoundEnded)
def round_ended(table: Table, event: RoundEnded) -> Table:
    return round_over(kept(replace(table, results=(*table.results, event.outcome)), shown=True))


def kept(table: Table, *, shown: bool) -> Table:
    """What the round came to is kept, in case that it must be reversed; the oldest is not any more."""
    if table.settings is None or not (table.paid or shown):
        return table
    settled = PaidRound(open_round(table).number, table.settings.decks, table.paid, shown)
    return replace(table, settled=(*table.settled[1 - KEPT_ROUNDS :], settled), paid=())


def _among(kept: tuple[str, ...], unseen: tuple[str, ...]) -> tuple[str, ...]:
    """Those that nobody saw, as far as they have not gone back to the mix."""
    return tuple((Counter(kept) & Counter(unseen)).elements())


def round_over(table: Table) -> Table:
    """The cards are off the table, which is ready for another round."""
    shoe = cleared(table)
    if shoe is not None and shoe.cutting_card_out:
        shoe = replace(shoe, rounds_since_cut=shoe.rounds_since_cut + 1)
    return replace(table, round=None, shoe=shoe)


def cleared(table: Table) -> ShoeInUse | None:
    """The shoe with the cards of the round among the discards, or back in a continuous shuffler."""
    round, shoe, settings = table.round, table.shoe, table.settings
    if round is None or shoe is None or settings is None:
        return shoe
    known = [each for each in round.cards if each.card and not each.substitute]
    aside = tuple(filter(None, round.reserve))
    errors = [each for each in round.in_error if each.card]
    played = tuple([each.card for each in known] + [each.card for each in errors]) + aside
    unseen = tuple(
        [each.card for each in known if not each.public] + [each.card for each in errors if not each.exposed]
    )
    unseen = shoe.unseen + unseen + aside
    if settings.equipment.setup == "continuous-shuffler":
        out = shoe.discards + played  # all go back to the mix but the last few, where some are held out (Q40)
        back = out[: max(0, len(out) - settings.equipment.held_out)]
        counts = list(shoe.counts)
        for face in filter(None, back):
            counts[card(face).number] += 1
        kept = out[len(back) :]
        return replace(shoe, counts=tuple(counts), unknown=kept.count(""), discards=kept, unseen=_among(kept, unseen))
    return replace(shoe, discards=shoe.discards + played, unseen=unseen)
