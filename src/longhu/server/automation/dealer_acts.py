"""The staff of an automatic table: what dealer, supervisor and pit do next, and when.

Every act is a command like a person's, and the rules decide it. What a document leaves to somebody's judgement is done in the
plainest way: among equals the first is named, the last wager comes off first, and a round that nobody can decide is void,
which gives everybody back what they staked (REC-2).
"""

from __future__ import annotations

from collections.abc import Iterator

from longhu.accounts.names import AUTO_DEALER, AUTO_SUPERVISOR, HOUSE
from longhu.games.game import Game
from longhu.positions import Position
from longhu.server.automation.timers import DealerTiming, TimedCommand, closes_at
from longhu.server.streams.milestones import Milestones
from longhu.table.dealer import automatic_act
from longhu.table.dealing import DrawCard
from longhu.table.differential import CallForRemoval, InviteRaises, RemoveWager, exceeded, gap
from longhu.table.handling import NameHolder, Reveal
from longhu.table.irregularities.rulings import Rule
from longhu.table.messages import Command
from longhu.table.priority import next_holder
from longhu.table.state import Phase, Round, Table

NO_RULING = "nobody has ruled on it in time"


def dealer_acts(
    table: Table, game: Game, milestones: Milestones, at: int, timing: DealerTiming
) -> Iterator[TimedCommand]:
    """What the house does next in this round, or to start one; nothing where it is somebody else's turn."""
    round = table.round
    if round is None:
        if table.people and not table.suspended:
            yield from _acts(table, game, at)
    elif round.halt.for_ruling:
        ruling = Rule(by=HOUSE, at=at, position=Position.CASINO_OPERATOR, decision="void", reason=NO_RULING)
        yield TimedCommand(milestones.halted_at + timing.ruling, ruling)
    elif round.halt.offer is not None:
        return
    elif round.asks_supervisor:
        yield TimedCommand(at, _named(table, game, round, at), paced=True)
    elif round.phase is Phase.BETTING:
        closes = closes_at(table, timing.betting)
        if closes is not None and (round.stakes or round.spoken or not round.wagering):
            yield from (TimedCommand(closes, act.command) for act in _acts(table, game, at))
    elif round.differential in ("asked", "raise", "remove") and exceeded(table, game):
        yield _brought_down(table, game, milestones, round, at)
    else:
        yield from _acts(table, game, at)


def _acts(table: Table, game: Game, at: int) -> Iterator[TimedCommand]:
    """The dealer's next act; cards of a physical shoe are drawn and told by a person, or by a device that reads them."""
    act = automatic_act(table, game, by=AUTO_DEALER, at=at)
    by_hand = table.settings is not None and not table.settings.electronic_shoe and isinstance(act, (DrawCard, Reveal))
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


def _brought_down(table: Table, game: Game, milestones: Milestones, round: Round, at: int) -> TimedCommand:
    """The table differential, stage by stage: patrons have as long for each as for a withdrawal (IDT-5.16)."""
    waits = table.settings.withdrawal_seconds * 1000 if table.settings else 0
    if round.differential == "asked":
        return TimedCommand(
            milestones.differential_stage_at + waits, InviteRaises(by=AUTO_DEALER, at=at, position=Position.DEALER)
        )
    if round.differential == "raise":
        return TimedCommand(
            milestones.differential_stage_at + waits, CallForRemoval(by=AUTO_DEALER, at=at, position=Position.DEALER)
        )
    return TimedCommand(at, _removed(table, game, round, at), paced=True)


def _removed(table: Table, game: Game, round: Round, at: int) -> Command:
    """The last wager on the heavier hand comes off, as much of it as must; what would be left of too little, all of it."""
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
        reason="the last wager on the heavier hand comes off first",
        amount=stake.amount if whole else amount,
    )
