"""A whole evening at a practice table, as a proof: what `longhu play --rounds N --log FILE` keeps, for tests and benchmarks."""

from __future__ import annotations

import io

from longhu.cli.practice.table import YOU, PracticeTable, YourHand, practice_settings
from longhu.cli.practice.trail import TrailFile
from longhu.eventsourcing import Refusal
from longhu.games.game import Game
from longhu.table.handling import RevealHand
from longhu.table.state import Limit

STAKE, MOST = 500, 100_000  # the least that may be wagered, and the most where the document has none


def evening(
    game: Game, rounds: int, *, others: int = 0, stakes: int = 4, bankroll: int = 10**9, seed: int = 1
) -> list[bytes]:
    """One patron with a wager a round, of so many different sizes by turns; other patrons bet as they like."""
    layout = next(iter(game.layouts.values()))
    others = min(others, layout.positions_max - 1)
    offered = game.offered(layout.id)
    limits = {wager: Limit(STAKE, offered[wager].limit.max or MOST) for wager in offered}
    settings = practice_settings(
        game,
        layout=layout.id,
        decks=game.decks.default,
        method=next(iter(game.methods), ""),
        limits=limits,
        seats=1 + others,
    )
    house, file = PracticeTable(game, settings, bankroll, others=others, seed=seed), io.BytesIO()
    trail = TrailFile(file, house)
    house.open()
    mains = [wager for wager in limits if offered[wager].hand]
    for number in range(rounds):
        house.new_shoe()
        house.open_round()
        house.bet(mains[number % len(mains)], STAKE * (1 + number % stakes))
        house.others_bet()
        while (act := house.dealers_act()) is not None:
            if isinstance(act, YourHand):
                house.must(RevealHand(by=YOU, at=house.now(), hand=act.hand))
            elif isinstance(act, Refusal):
                raise AssertionError(f"the dealer was refused: {act}")
    trail.end()
    return file.getvalue().splitlines(keepends=True)
