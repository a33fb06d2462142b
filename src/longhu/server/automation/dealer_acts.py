"""The next act of dealer, supervisor and pit at an automatic table, and its time.

Every act is a command like a person's, and the rules decide it. Where a document leaves something to judgement, the plainest choice is
made: among equals the first is named, the last wager comes off first, and a round that nobody can decide is void, which gives everybody
back their stakes (REC-2). A tray that runs short is filled: requested, issued, delivered, accepted (OPS-3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from longhu.accounts.names import AUTO_DEALER, AUTO_SUPERVISOR, CAGE, HOUSE
from longhu.eventsourcing import Refusal
from longhu.games.game import Game
from longhu.messages.message import program_reason
from longhu.money import HouseRounding, Money
from longhu.positions import Position
from longhu.server.streams.projections import Milestones
from longhu.server.streams.table_stream import TableStream
from longhu.server.timers import DealerTiming, TimedCommand, closes_at
from longhu.table.cash import in_tray
from longhu.table.dealer import automatic_act
from longhu.table.dealing import DrawCard
from longhu.table.differential import RemoveWager, exceeded, gap
from longhu.table.fills import AcceptChips, DeliverChips, IssueChips, RequestChips, has_the_deal
from longhu.table.handling import NameHolder, RevealHand
from longhu.table.irregularities.rulings import MakeRuling
from longhu.table.messages import Command
from longhu.table.priority import next_holder
from longhu.table.state import ChipRequest, Phase, Round, Table

NO_RULING = program_reason("no-ruling-in-time")
LAST_COMES_OFF_FIRST = program_reason("last-wager-comes-off-first")


def dealer_acts(
    table: Table, game: Game, milestones: Milestones, at: int, timing: DealerTiming
) -> Iterator[TimedCommand]:
    """What the house does next in this round, or to start one; nothing where it is somebody else's turn."""
    round = table.round
    if round is None:
        if table.people and not table.suspended:
            yield from _acts(table, game, at)
    elif round.halt.for_ruling:
        ruling = MakeRuling(by=HOUSE, at=at, position=Position.CASINO_OPERATOR, decision="void", reason=NO_RULING)
        yield TimedCommand(milestones.halted_at + timing.ruling, ruling)
    elif round.halt.offer is not None:
        return
    elif round.asks_supervisor:
        yield TimedCommand(at, _named(table, game, round, at), paced=True)
    elif round.phase is Phase.BETTING:
        closes = closes_at(table, timing.betting)
        if closes is not None and (round.stakes or round.spoken or not round.wagering):
            yield from (TimedCommand(closes, act.command) for act in _acts(table, game, at))
    elif round.differential == "asked" and exceeded(table, game):
        waits = table.settings.withdrawal_seconds * 1000 if table.settings else 0
        yield TimedCommand(milestones.differential_at + waits, _removed(table, game, round, at), paced=True)
    else:
        yield from _acts(table, game, at)


def _acts(table: Table, game: Game, at: int) -> Iterator[TimedCommand]:
    """The dealer's next act; cards of a physical shoe are drawn and told by a person, or by a device that reads them."""
    act = automatic_act(table, game, by=AUTO_DEALER, at=at)
    by_hand = table.settings is not None and not table.settings.virtual_shoe and isinstance(act, (DrawCard, RevealHand))
    if act is not None and not by_hand:
        yield TimedCommand(at, act, paced=True)


def _named(table: Table, game: Game, round: Round, at: int) -> Command:
    """The first among equals handles the cards (IDT-3.10.4.1)."""
    hand = round.asks_supervisor[0]
    among = next_holder(table, game, hand, round.declined[hand])
    return NameHolder(
        by=AUTO_SUPERVISOR,
        at=at,
        position=Position.PIT_SUPERVISOR,
        hand=game.procedure.hands[hand].id,
        person=among if isinstance(among, str) else among[0],
    )


def _removed(table: Table, game: Game, round: Round, at: int) -> Command:
    """The last wager on the heavier hand comes off, as much of it as must; what would be left of too little, all of it.

    Patrons have had as long to come down and to go up as for a withdrawal (IDT-5.16).
    """
    found, settings = gap(table, game, round.stakes), table.settings
    if found is None or settings is None:
        raise AssertionError("a differential without a limit")
    heavy = game.procedure.hands[found.heavier].id
    stake = max(
        (each for each in round.stakes.values() if game.wagers[each.wager].hand == heavy), key=lambda each: each.since
    )
    amount = min(stake.amount, -(-found.over // settings.chip_unit) * settings.chip_unit)
    whole = stake.amount - amount < settings.limits[stake.wager].min and stake.amount <= found.amount + found.limit
    return RemoveWager(
        by=HOUSE,
        at=at,
        position=Position.CASINO_OPERATOR,
        patron=stake.patron,
        place=stake.place,
        wager=stake.wager,
        reason=LAST_COMES_OFF_FIRST,
        amount=stake.amount if whole else amount,
    )


# ------------------------------------------------ the tray


def owed(table: Table, game: Game) -> int:
    """What the round takes out of the tray at most, once its result is announced."""
    round, settings = table.round, table.settings
    number = round.outcome(game.procedure) if round is not None else None
    if round is None or settings is None or number is None:
        return 0
    rounding = HouseRounding(to_patron=True, unit=Money(settings.chip_unit))  # with what is owed by then, the most
    alike = Counter([(stake.wager, stake.amount) for stake in round.stakes.values()])
    lines = {id: game.wagers[id].line(number) for id, _ in alike}
    whole = game.tallies_commission  # a win is paid in full, and its commission collected later
    rates = {id: line.odds.win if whole and line.odds else line.net for id, line in lines.items()}
    return sum([count * rounding.share(amount, rates[id]) for (id, amount), count in alike.items()])


def filling(table: Table, needed: int, at: int) -> Command | None:
    """The next act of a fill that the house has under way, or the first of one where less than this is in the tray.

    Real chips are counted and carried by people: there the house does nothing by itself.
    """
    record, settings = table.float_record, table.settings
    if record is None or settings is None or settings.chips == "physical":
        return None
    for request in record.requests.values():
        if request.requested_by == AUTO_SUPERVISOR:
            return _next_step(table, request, at)
    short = needed - in_tray(table)
    if short <= 0:
        return None
    unit = settings.chip_unit
    amount = -(-(short + max(needed, record.opening)) // unit) * unit
    return RequestChips(by=AUTO_SUPERVISOR, at=at, position=Position.PIT_SUPERVISOR, kind="fill", amount=amount)


def _next_step(table: Table, request: ChipRequest, at: int) -> Command | None:
    """The next of the four steps, each by another who acts for the house; where a person deals, that person accepts."""
    number = request.number
    match request.stage:
        case "requested":
            return IssueChips(by=CAGE, at=at, position=Position.CAGE, number=number)
        case "issued":
            return DeliverChips(by=HOUSE, at=at, position=Position.CASINO_OPERATOR, number=number)
        case "delivered" if has_the_deal(table, AUTO_DEALER):
            return AcceptChips(by=AUTO_DEALER, at=at, position=Position.DEALER, number=number)
    return None


async def fill(live: TableStream, needed: int, now: Callable[[], int]) -> None:
    """At least so much in the tray, where the house can bring it there."""
    while filling(live.state, needed, now()) is not None:
        done = await live.propose(lambda snapshot: filling(snapshot.state, needed, now()))
        if isinstance(done, Refusal):
            return
