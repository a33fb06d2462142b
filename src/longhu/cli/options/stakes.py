"""How a command lets the user lay money on wagers: `WAGER=AMOUNT`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from longhu.cli.main import BadInput

if TYPE_CHECKING:
    from longhu.games.game import Game
    from longhu.money import Money


def chosen_stakes(game: Game, texts: Sequence[str], option: str, layout: str | None = None) -> dict[str, Money]:
    """`player=100.00` as money on a wager; refused where the game would refuse it."""
    if not texts:
        return {}
    from longhu.money import UNSTATED, MoneyError, parse
    from longhu.settlement import SettlementError, check_stakes

    money = game.currency or UNSTATED
    stakes: dict[str, Money] = {}
    for text in texts:
        name, sign, amount = text.partition("=")
        wager = game.wager_of_name.get(name)
        if not sign or not amount:
            raise BadInput(f"{option} {text[:60]!r}: write WAGER=AMOUNT, as in {option} tie=10.00")
        if wager is not None and wager.id in stakes:
            raise BadInput(f"{option}: {wager.id} is staked twice")
        try:
            stakes[wager.id if wager else name] = parse(amount, money)
        except MoneyError as error:
            raise BadInput(f"{option} {text[:60]!r}: {error}") from None
    try:
        check_stakes(game, stakes, layout)
    except SettlementError as error:
        raise BadInput(f"{option}: {error.text(game.localization())}") from None
    return stakes
