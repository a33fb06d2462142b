"""Settlement: losing stakes are taken in, winners are paid, and the round ends."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from longhu.cards import card
from longhu.games.game import Game, Result
from longhu.ledger import Posting, Transaction
from longhu.money import UNSTATED, Money, show
from longhu.settlement import cut_of, settle_wager
from longhu.table.acts import Command, Decision, Event, Refusal, about, cite, decides, evolves
from longhu.table.positions import Position
from longhu.table.state import Phase, Stake, Table


class Settle(Command, frozen=True, kw_only=True):
    """Take in the losing wagers, then pay the winners."""

    needs: ClassVar[Position] = Position.DEALER


class WagerSettled(Event, frozen=True, kw_only=True, tag="wager-settled/1"):
    """What became of one stake: so much to the patron, the rest to the house (or more from it)."""

    table: str
    stake: Stake
    line: str  # what it says
    result: str
    pays: str
    net: int
    returned: int = 0  # given back before anything else: over the maximum, or under the minimum again

    def transactions(self) -> tuple[Transaction, ...]:
        stake = self.stake
        to_patron = stake.amount + self.net
        postings = [Posting(stake.account, -stake.amount)]
        if to_patron:
            postings.append(Posting(f"patron:{stake.patron}", to_patron))
        if self.net:
            postings.append(Posting(f"float:{self.table}", -self.net))
        says = f"{stake.wager} of {stake.patron}: {self.line}"
        return (Transaction(says, tuple(postings), self.clause, stake.wager, self.line),)


class RoundCapped(Event, frozen=True, kw_only=True, tag="round-capped/1"):
    """One round credits a patron at most so much; what is over stays with the house."""

    table: str
    patron: str
    cut: int

    def transactions(self) -> tuple[Transaction, ...]:
        postings = (Posting(f"patron:{self.patron}", -self.cut), Posting(f"float:{self.table}", self.cut))
        return (Transaction(f"Cap on the round of {self.patron}", postings, self.clause),)


class RoundEnded(Event, frozen=True, kw_only=True, tag="round-ended/1"):
    number: int
    ending: int


@decides(Settle)
def settle(table: Table, game: Game, command: Settle) -> Decision:
    round, settings = table.round, table.settings
    if round is None or settings is None or round.number_of_ending is None or round.phase is not Phase.ANNOUNCED:
        return Refusal("the result has not been announced", "Announce it first", cite(game, "collect-and-pay"))
    if round.incident or round.frozen:
        return Refusal("the round waits for a ruling", "The pit decides first", cite(game, "announce-result"))
    settled = [_settled(table, game, command, stake) for stake in round.stakes.values()]
    settled.sort(key=lambda event: event.net >= 0)  # collections before payments (D21-10.2)
    events: list[Event] = [*settled]
    for patron in dict.fromkeys(stake.patron for stake in round.stakes.values()):
        mine = [event for event in settled if event.stake.patron == patron]
        net = sum(event.net for event in mine)
        cut = cut_of(game.cap, sum(event.stake.amount for event in mine) + net, net)
        if cut is not None:
            clause = cut.cap.clauses[0] if cut.cap.clauses else ""
            events.append(RoundCapped(table=settings.table, patron=patron, cut=cut.amount, **about(command, clause)))
    owed = sum(event.net for event in settled)
    held = table.balances.get(f"float:{settings.table}", Money(0))
    if owed > held:
        short = show(Money(owed - held), game.currency or UNSTATED)
        return Refusal(f"the tray is short of {short}", "Ask for a fill, then settle", "OPS-2")
    ended = RoundEnded(number=round.number, ending=round.number_of_ending, **about(command, cite(game, "round-ends")))
    return [*events, ended]


def _settled(table: Table, game: Game, command: Settle, stake: Stake) -> WagerSettled:
    round, settings = table.round, table.settings
    if round is None or round.number_of_ending is None or settings is None:
        raise AssertionError("settlement without a result")
    wager = game.wagers[stake.wager]
    line = wager.line(round.number_of_ending)
    limit = settings.limits[stake.wager]
    at_risk, why = stake.amount, ""
    if stake.found and stake.amount > limit.max:  # paid or collected to the maximum (IDT-5.13)
        at_risk, why = limit.max, "over-maximum"
    elif stake.found and stake.amount < limit.min and table.people[stake.patron].short_once:
        at_risk, why = 0, "under-minimum"  # returned, whatever the outcome (IDT-5.12c)
    elif stake.found and stake.amount < limit.min:
        why = "under-minimum"
    net = settle_wager(wager, line, Money(at_risk), game.rounding).net if at_risk else 0
    clause = line.clause or ""
    if why and why in game.irregularities:
        clauses = game.irregularities[why].clauses
        won = line.result is Result.WIN
        clause = clauses[2] if not at_risk else clauses[0 if won else 1]
    return WagerSettled(
        table=settings.table,
        stake=stake,
        line=line.says.en,
        result=line.result.value,
        pays=line.odds.text if line.odds else "",
        net=net,
        returned=stake.amount - at_risk,
        **about(command, clause),
    )


@evolves(WagerSettled)
def wager_settled(table: Table, event: WagerSettled) -> Table:
    round = table.round
    if round is None:
        raise AssertionError("a settlement without a round")
    stakes = {key: stake for key, stake in round.stakes.items() if key != event.stake.key}
    table = replace(table, round=replace(round, stakes=stakes, phase=Phase.PAID))
    limit = table.settings.limits[event.stake.wager] if table.settings else None
    if event.stake.found and limit and event.stake.amount < limit.min:
        person = replace(table.people[event.stake.patron], short_once=True)
        table = replace(table, people={**table.people, person.id: person})
    return table


@evolves(RoundCapped)
def round_capped(table: Table, _event: RoundCapped) -> Table:
    return table


@evolves(RoundEnded)
def round_ended(table: Table, event: RoundEnded) -> Table:
    return round_over(replace(table, results=(*table.results, event.ending)))


def round_over(table: Table) -> Table:
    """The cards go to the discards, or back into a continuous shuffler; the table is ready for another round."""
    round, shoe, settings = table.round, table.shoe, table.settings
    if round is None or shoe is None or settings is None:
        return replace(table, round=None)
    played = tuple(each.card for each in round.cards if each.card and not each.substitute)
    if settings.equipment.setup == "continuous-shuffler":
        counts = list(shoe.counts)
        for face in played:
            counts[card(face).number] += 1
        shoe = replace(shoe, counts=tuple(counts))
    else:
        shoe = replace(shoe, discards=shoe.discards + played)
    if shoe.cutting_card_out:
        shoe = replace(shoe, rounds_since_cut=shoe.rounds_since_cut + 1)
    return replace(table, round=None, shoe=shoe)
