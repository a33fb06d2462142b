"""Wagers that stand only beside another (D21-11Ad, DBO-BET-5, DBC-DB-3)."""

from __future__ import annotations

from collections.abc import Iterable

from longhu.games.game import Game
from longhu.table.state import Stake


def left_alone(game: Game, stakes: Iterable[Stake]) -> list[Stake]:
    """Those whose patron has none of the wagers that they have to stand beside."""
    lying = [stake for stake in stakes if stake.amount]
    held = {(stake.patron, stake.wager) for stake in lying}
    needy = [stake for stake in lying if game.wagers[stake.wager].requires]
    return [stake for stake in needy if not any((stake.patron, id) in held for id in game.wagers[stake.wager].requires)]
