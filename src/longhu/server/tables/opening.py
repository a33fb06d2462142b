"""Opening and closing tables, from the configuration or on request, and new shoes for dealers who ask for one."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from longhu.accounts.account import CHOOSE_ANOTHER_NAME
from longhu.accounts.alerts import Significant
from longhu.accounts.messages import too_low
from longhu.accounts.names import AUTO_DEALER, HOUSE_TRAIL
from longhu.eventsourcing import Refusal
from longhu.fairness.source import SourceFailed
from longhu.games import registry
from longhu.games.game import Game
from longhu.games.readings import ReadingError
from longhu.games.source import GameFileError
from longhu.games.values import amount_wrong
from longhu.messages.localization import english
from longhu.messages.message import message_code
from longhu.money import UNSTATED, Currency, MoneyError, parse
from longhu.positions import Position
from longhu.protocol import TABLE_NAME_MAX, TABLE_NAME_PATTERN
from longhu.server.authorization import assign
from longhu.server.automation.shuffle_ceremony import RANDOM_SOURCE_FAILED, loading, new_shuffle, revealing
from longhu.server.codec import FIELD_WRONG
from longhu.server.config import BadConfig, TableConfig
from longhu.server.problems import CHOOSE_FROM_LIST, NO_SUCH_TABLE
from longhu.server.streams.commands import Actor, Committed
from longhu.server.streams.table_stream import TableStream
from longhu.server.table_equipment import not_told, on_record
from longhu.server.timers import is_dealt_automatically
from longhu.settlement import LAYOUT_UNKNOWN, WAGER_UNKNOWN
from longhu.store.errors import AlreadyExists
from longhu.table.betting_phase import AbandonRound
from longhu.table.cash import in_tray
from longhu.table.default_settings import fullest_layout, usual_limits, usual_settings
from longhu.table.engine import decide
from longhu.table.messages import CALL_SHIFT_MANAGER, Command
from longhu.table.opening import CloseTable, OpenTable
from longhu.table.people import TakeTheDeal
from longhu.table.requirements import check_settings
from longhu.table.shoe import EndShoe
from longhu.table.shuffling import CommitShuffle, is_pending
from longhu.table.state import Limit, Phase, Settings, Table
from longhu.table.suspension import SuspendTable

MINIMUM_ABOVE_MAXIMUM = message_code("minimum-above-maximum", minimum="money", maximum="money")
NOT_A_TABLE_NAME = message_code("not-a-table-name", table="text")
TABLE_NAME_RULE = message_code("table-name-rule")
TABLE_EXISTS = message_code("table-exists", table="text")
OTHER_CURRENCY = message_code("game-of-other-currency", game="game", found="text", expected="text")
NAME_ONE_CURRENCY = message_code("name-one-currency")
SHOE_IS_PHYSICAL = message_code("shoe-is-physical")
SHUFFLE_AND_LOAD = message_code("shuffle-and-load")
NOT_AN_AUTOMATIC_TABLE = message_code("not-an-automatic-table")
LET_A_DEALER_DEAL = message_code("let-a-dealer-deal")
HOUSE_DEALS_ALREADY = message_code("house-deals-already")

if TYPE_CHECKING:
    from longhu.server.house import House


class Setup(msgspec.Struct, frozen=True):
    """What a table is opened with."""

    table: str
    game: Game
    settings: Settings
    float: int  # chips in the tray, in minor units
    checked: tuple[str, ...]  # of the checklist
    cards_counted: int


def setup(told: TableConfig, *, assumes: bool = False) -> Setup:
    """The game and the settings of a table; `BadTable` says what does not fit.

    A demonstration `assumes` equipment that nobody tells of, which is on record as assumed.
    """
    game = _game(told)
    money = game.currency or UNSTATED
    layout = told.layout or fullest_layout(game)
    if layout not in game.layouts:
        raise BadTable(told, Refusal(LAYOUT_UNKNOWN(name=layout, game=game.id, layouts=list(game.layouts))))
    missing = not_told(told.device, told.chips) if told.equipment is None and not assumes else None
    if missing is not None:
        raise BadTable(told, missing)
    also: dict[str, Any] = {"positions": told.positions} if told.positions else {}
    if told.equipment is not None:
        also["equipment"] = on_record(told.equipment, told.decks or game.decks.default)
    if told.chip_unit:
        also["chip_unit"] = _amount(told, "chip_unit", told.chip_unit, money)
    if told.differential:
        also["differential"] = _amount(told, "differential", told.differential, money)
    settings = usual_settings(
        game,
        told.table,
        _limits(told, game, layout, money),
        layout=layout,
        decks=told.decks,
        method=told.method,
        area=told.area,
        automatic_dealer=told.dealer == "automatic",
        device=told.device,
        chips=told.chips,
        patrons=told.patrons,
        favours_patrons=tuple(told.favours_patrons),
        checklist=tuple(told.checklist),
    )
    settings = msgspec.structs.replace(settings, **also)
    refusal = check_settings(game, settings)
    if refusal is not None:
        raise BadTable(told, refusal)
    float = _amount(told, "float", told.float, money)
    return Setup(told.table, game, settings, float, tuple(told.checked), told.cards_counted)


def _game(told: TableConfig) -> Game:
    name = told.game
    try:
        path = Path(name) if name.endswith(".toml") or "/" in name else registry.find(name)
        return registry.load_game(path, told.readings)
    except registry.UnknownGame:
        raise BadTable(
            told, Refusal(registry.NO_SUCH_GAME(game=name[:60]), registry.CHOOSE_GAME(games=[*registry.all_games()]))
        ) from None
    except (ReadingError, GameFileError) as error:
        raise BadConfig(f"table {told.table}: {error}") from None


def _limits(told: TableConfig, game: Game, layout: str, money: Currency) -> dict[str, Limit]:
    least, most = _amount(told, "minimum", told.minimum, money), _amount(told, "maximum", told.maximum, money)
    if least > most:
        raise BadTable(told, Refusal(MINIMUM_ABOVE_MAXIMUM(minimum=least, maximum=most)))
    limits = usual_limits(game, layout, least, most)
    if isinstance(limits, Refusal):
        raise BadTable(told, limits)
    for name, own in told.limits.items():
        wager = game.wager_of_name[name].id if name in game.wager_of_name else name
        if wager not in limits:
            raise BadTable(told, Refusal(WAGER_UNKNOWN(name=wager[:60], game=game.id, wagers=list(limits))))
        amounts = {name: _amount(told, f"limits.{wager}.{name}", text, money) for name, text in own.items()}
        limits[wager] = msgspec.structs.replace(limits[wager], **amounts)
    return limits


def _amount(told: TableConfig, name: str, text: str, money: Currency) -> int:
    try:
        return parse(text, money)
    except MoneyError as error:
        raise BadTable(told, Refusal(FIELD_WRONG(field=name, problem=amount_wrong(error)))) from None


class BadTable(BadConfig):
    """A table that cannot be set up so."""

    def __init__(self, told: TableConfig, refusal: Refusal) -> None:
        cited = f" ({refusal.clause})" if refusal.clause else ""
        super().__init__(f"table {told.table}: {english(refusal.reason)}{cited} {english(refusal.remedy)}".rstrip())
        self.refusal = refusal


NAME = re.compile(TABLE_NAME_PATTERN)


async def open_table(house: House, actor: Actor, game: Game, command: OpenTable, id: str) -> Committed | Refusal:
    """What would be refused leaves nothing behind."""
    table, known = command.settings.table, actor.own(id)
    if len(table) > TABLE_NAME_MAX or not NAME.fullmatch(table) or table == HOUSE_TRAIL:
        return Refusal(NOT_A_TABLE_NAME(table=table[:80]), TABLE_NAME_RULE())
    live = await house.stream(table)
    state = live.state if live is not None else Table(game="")
    refusal = other_money(house.config.money, game)
    refusal = refusal or await house.house_log.may_open(game.digest)
    if refusal is None:  # the exact odds of a full shoe, once counted, are known; counting them takes most of a second
        refusal = await asyncio.to_thread(_refused, state, game, command)
    if refusal is not None:
        return (await live.previous(known, _as_asked(command)) if live is not None else None) or refusal
    if live is None:
        try:
            await asyncio.to_thread(house.store.create, table, game, command.at)
        except AlreadyExists:
            return Refusal(TABLE_EXISTS(table=table), CHOOSE_ANOTHER_NAME())
        live = await house.stream(table)
    elif live.game.digest != game.digest:
        await asyncio.to_thread(house.store.adopt, table, game)
        await live.catch_up()
    if live is None:
        raise AssertionError(f"table {table} was made and is not there")
    noted = await house.house_log.made_table(actor, table, game.digest)
    if isinstance(noted, Refusal) and noted.clause == "RUL-4":
        return noted
    opened = await live.execute(command, known, asked=_as_asked(command))
    house.leases.look()
    return opened


def other_money(ours: Currency, game: Game) -> Refusal | None:
    """Why a table of this game cannot stand in a house whose wallets have that money: 10 there must be 10 here (MON-2)."""
    theirs = game.currency or UNSTATED
    if theirs.decimals == ours.decimals and (theirs.code == ours.code or not (theirs.code and ours.code)):
        return None
    told = [each.code or f"something with {each.decimals} decimals" for each in (theirs, ours)]
    return Refusal(OTHER_CURRENCY(game=game.id, found=told[0], expected=told[1]), NAME_ONE_CURRENCY(), "MON-2")


def _refused(table: Table, game: Game, command: Command) -> Refusal | None:
    decision = decide(table, game, command)
    return decision if isinstance(decision, Refusal) else None


async def close_table(
    house: House,
    actor: Actor,
    table: str,
    float_counted: int | None,
    counted_by: tuple[str, ...],
    chips: dict[int, int],
    id: str,
) -> Committed | Refusal:
    live = await house.stream(table)
    if live is None:
        return Refusal(NO_SUCH_TABLE(table=table[:80]), CHOOSE_FROM_LIST())
    refusal = _not_entitled(actor, CloseTable.needs) or await assign(live, actor, house.now())
    refusal = refusal or await _wound_up(house, live, actor)
    if refusal is not None:
        return refusal
    command = CloseTable(
        by=actor.person,
        at=house.now(),
        position=actor.position,
        float_counted=in_tray(live.state) if float_counted is None else float_counted,
        counted_by=counted_by,
        chips=chips,
    )
    asked = replace(command, counted_by=(), float_counted=float_counted or 0)
    return await live.execute(command, actor.own(id), asked=asked)


def _as_asked(command: OpenTable) -> OpenTable:
    """Without the staff, whom the house adds, and without who signed."""
    return replace(command, staff={}, counted_by=())


def _not_entitled(actor: Actor, needs: Position) -> Refusal | None:
    if actor.position >= needs:
        return None
    return too_low(actor.position, needs)


async def _wound_up(house: House, live: TableStream, actor: Actor) -> Refusal | None:
    """No further round starts, and the last shuffle is revealed; a round that is in progress is left to end."""
    while (
        done := await live.propose(lambda snapshot: _winding_up(live, snapshot.state, actor, house.now()))
    ) is not None:
        if isinstance(done, Refusal):
            return done
    return None


def _winding_up(live: TableStream, table: Table, actor: Actor, at: int) -> Command | Refusal | None:
    """The next act before a table can be closed; None where there is none, or it has to wait for the round to end."""
    settings, round, shuffle = table.settings, table.round, table.shuffle
    dealer: dict[str, Any] = {"by": AUTO_DEALER, "at": at, "position": Position.DEALER}
    if settings is None:
        return None
    if settings.automatic_dealer and not table.suspended:
        return SuspendTable(by=actor.person, at=at, position=actor.position, reason="", cause="closing")
    if round is not None:
        nothing = round.phase is Phase.BETTING and not round.stakes and not round.spoken
        return AbandonRound(**dealer) if nothing else None
    if is_pending(table):
        return loading(table, live.game, at)
    if shuffle is None or shuffle.secret:
        return None
    return EndShoe(**dealer) if table.shoe is not None else revealing(live, table, **dealer)


async def new_shoe(house: House, actor: Actor, table: str, id: str) -> Committed | Refusal:
    live, known = await house.stream(table), actor.own(id)
    if live is None:
        return Refusal(NO_SUCH_TABLE(table=table[:80]), CHOOSE_FROM_LIST())
    before = await live.previous(known)
    if before is not None:
        return before
    settings = live.state.settings
    if settings is not None and not settings.virtual_shoe:
        return Refusal(SHOE_IS_PHYSICAL(), SHUFFLE_AND_LOAD())
    refusal = _not_entitled(actor, CommitShuffle.needs) or await assign(live, actor, house.now())
    if refusal is not None:
        return refusal
    try:
        return await _shuffled(house, live, actor, known)
    except SourceFailed as failed:
        house.alert(Significant.RNG_FAULT, table, RANDOM_SOURCE_FAILED(problem=failed.problem))
        return Refusal(RANDOM_SOURCE_FAILED(problem=failed.problem), CALL_SHIFT_MANAGER(), "RNG-7")


async def _shuffled(house: House, live: TableStream, actor: Actor, key: str) -> Committed | Refusal:
    """Whatever others do at the table meanwhile, the shuffle goes on from there.

    One at a time: a request that comes twice must not put away the shoe that it has made.
    """
    async with house.shuffling:
        while (done := await live.previous(key)) is None:
            made = await new_shuffle(
                live, house.chance, by=actor.person, position=actor.position, now=house.now, key=key
            )
            if made is not None:
                return made
        return done


async def give_deal_back(house: House, actor: Actor, table: str, id: str) -> Committed | Refusal:
    """At a table with an automatic dealer, somebody who took the deal is done, or has gone: the house deals again."""
    live, known = await house.stream(table), actor.own(id)
    if live is None:
        return Refusal(NO_SUCH_TABLE(table=table[:80]), CHOOSE_FROM_LIST())
    before = await live.previous(known)
    if before is not None:
        return before
    refusal = _not_entitled(actor, TakeTheDeal.needs) or await assign(live, actor, house.now())
    if refusal is not None:
        return refusal
    settings = live.state.settings
    if settings is None or not settings.automatic_dealer:
        return Refusal(NOT_AN_AUTOMATIC_TABLE(), LET_A_DEALER_DEAL())
    if is_dealt_automatically(live.state):
        return Refusal(HOUSE_DEALS_ALREADY())
    return await live.execute(TakeTheDeal(by=AUTO_DEALER, at=house.now(), position=Position.DEALER), known)
