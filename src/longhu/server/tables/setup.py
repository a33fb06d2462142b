"""A table as the configuration tells it, turned into a game and the settings that the table opens with."""

from __future__ import annotations

from pathlib import Path

import msgspec

from longhu.eventsourcing import Refusal
from longhu.games import registry
from longhu.games.game import Game
from longhu.games.readings import ReadingError
from longhu.games.source import GameFileError
from longhu.money import UNSTATED, Currency, MoneyError, parse
from longhu.server.config import BadConfig, TableConfig
from longhu.table.default_settings import fullest_layout, usual_limits, usual_settings
from longhu.table.requirements import check_settings
from longhu.table.settings import Limit, Settings


class Setup(msgspec.Struct, frozen=True):
    """What a table is opened with."""

    table: str
    game: Game
    settings: Settings
    float: int  # chips in the tray, in minor units


def setup(told: TableConfig) -> Setup:
    """The game and the settings of a table; `BadConfig` says what does not fit, in one line."""
    game = _game(told)
    money = game.currency or UNSTATED
    layout = told.layout or fullest_layout(game)
    if layout not in game.layouts:
        raise BadConfig(f"table {told.table}: {game.id} has no layout {layout!r}. Possible: {', '.join(game.layouts)}")
    also = {"positions": told.positions} if told.positions else {}
    settings = usual_settings(
        game,
        told.table,
        _limits(told, game, layout, money),
        layout=layout,
        decks=told.decks,
        method=told.method,
        area=told.area,
        automatic_dealer=told.dealer == "automatic",
        electronic_shoe=told.shoe == "electronic",
    )
    settings = msgspec.structs.replace(settings, **also)
    refusal = check_settings(game, settings)
    if refusal is not None:
        raise BadConfig(f"table {told.table}: {_one_line(refusal)}")
    return Setup(told.table, game, settings, _amount(told, "float", told.float, money))


def _game(told: TableConfig) -> Game:
    name = told.game
    try:
        path = Path(name) if name.endswith(".toml") or "/" in name else registry.find(name)
        return registry.load_game(path, told.readings)
    except (registry.UnknownGame, ReadingError, GameFileError) as error:
        raise BadConfig(f"table {told.table}: {error}") from None


def _limits(told: TableConfig, game: Game, layout: str, money: Currency) -> dict[str, Limit]:
    least, most = _amount(told, "minimum", told.minimum, money), _amount(told, "maximum", told.maximum, money)
    if least > most:
        raise BadConfig(f"table {told.table}: minimum {told.minimum} is more than maximum {told.maximum}")
    limits = usual_limits(game, layout, least, most)
    if isinstance(limits, Refusal):
        raise BadConfig(f"table {told.table}: {_one_line(limits)}")
    for wager, own in told.limits.items():
        if wager not in limits:
            raise BadConfig(
                f"table {told.table}: layout {layout} of {game.id} offers no wager {wager!r}. Possible: {', '.join(limits)}"
            )
        amounts = {name: _amount(told, f"limits.{wager}.{name}", text, money) for name, text in own.items()}
        limits[wager] = msgspec.structs.replace(limits[wager], **amounts)
    return limits


def _amount(told: TableConfig, name: str, text: str, money: Currency) -> int:
    try:
        return parse(text, money)
    except MoneyError as error:
        raise BadConfig(f"table {told.table}: {name}: {error}") from None


def _one_line(refusal: Refusal) -> str:
    cited = f" ({refusal.clause})" if refusal.clause else ""
    return f"{refusal.reason}{cited}" + (f". {refusal.remedy}" if refusal.remedy else "")
