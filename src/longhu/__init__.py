"""Longhu (龍虎): the rulebook you can run.

>>> import longhu
>>> longhu.game("dragon-tiger").settle("KH KS", tie="10.00").net
'110.00'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from longhu.api import Game, Round, game, game_ids, load

__all__ = ["Game", "Round", "game", "game_ids", "load"]


def __getattr__(name: str) -> Any:
    """Import the interface only when it is used, so that `longhu --help` stays quick."""
    if name not in __all__:
        raise AttributeError(f"module 'longhu' has no attribute {name!r}")
    from longhu import api

    return getattr(api, name)
