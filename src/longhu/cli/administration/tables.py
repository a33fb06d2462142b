"""`longhu admin tables` and `games`: tables opened and closed, and rules approved, by the house itself."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from longhu.cli.administration.house import agreed, reason
from longhu.cli.main import OK, BadInput
from longhu.cli.options.game import open_game, readings

if TYPE_CHECKING:
    from longhu.server.config import Config
    from longhu.server.house import House
    from longhu.server.table_equipment import TableEquipment

LOOKS_EVERY = 0.2  # seconds, while a round in play is waited for


@asynccontextmanager
async def house_of(config: Config, *, new: bool = False) -> AsyncIterator[House]:
    """The house, which takes commands here and drives no table; a server beside it hears of what is done."""
    from longhu.server.house import House
    from longhu.store.address import is_server

    if not new and not is_server(config.database) and not Path(config.database).exists():
        raise BadInput(f"{config.database}: no house is there; --database, --config or --demo names one")
    house = await House.open(config)
    try:
        yield house
    finally:
        await house.stop()


def done(what: Coroutine[Any, Any, None]) -> int:
    from longhu.server.config import BadConfig
    from longhu.server.streams.commands import StoreUnavailable, TableHalted

    try:
        asyncio.run(what)
    except (BadConfig, StoreUnavailable, TableHalted) as error:
        raise BadInput(str(error)) from None
    return OK


# ------------------------------------------------ tables


def every_table(args: Namespace) -> int:
    async def told() -> None:
        async with house_of(args.house) as house:
            rows = [
                {
                    "table": table.name,
                    "game": table.game.id,
                    "standing": _standing(table.state.stopped, table.state.suspended, table.state.settings),
                    "dealer": _dealer(table.state.settings),
                    "rounds": table.state.rounds,
                    "patrons": len(table.state.people),
                    "records": table.sequence,
                }
                for table in house.tables.values()
            ]
        columns = {"table": "table", "game": "game", "standing": "standing", "dealer": "dealer"}
        counts = {"rounds": "rounds>", "patrons": "patrons>", "records": "records>"}
        args.told.table(rows, {**columns, **counts}, "There is no table yet.")

    return done(told())


def _standing(stopped: str, suspended: object, settings: object) -> str:
    return "stopped" if stopped else "closed" if settings is None else "suspended" if suspended else "open"


def _dealer(settings: Any) -> str:
    return "" if settings is None else "automatic" if settings.automatic_dealer else "human"


def create(args: Namespace) -> int:
    from longhu.server.config import TableConfig

    told = TableConfig(
        table=args.table,
        game=args.game,
        readings=readings(args),
        layout=args.layout,
        method=args.method,
        decks=args.decks,
        minimum=args.min,
        maximum=args.max,
        float=args.float,
        dealer=args.dealer,
        device=args.device,
        chips=args.chips,
        favours_patrons=args.favours_patrons,
        differential=args.differential,
        equipment=_equipment(args.equipment),
        cards_counted=args.cards_counted,
        checklist=args.checked,
        checked=args.checked,
    )

    async def opened() -> None:
        from longhu.server.streams.commands import SYSTEM
        from longhu.server.tables.opening import setup

        made = setup(told, assumes=args.house.demo)
        async with house_of(args.house, new=True) as house:
            agreed(
                await house.open_table(
                    SYSTEM, made.game, made.settings, made.float, checked=made.checked, cards_counted=made.cards_counted
                )
            )
        args.told({"table": args.table, "game": made.game.id}, f"{args.table} is open: {made.game.name.en}.")

    return done(opened())


def _equipment(file: str | None) -> TableEquipment | None:
    """What stands on the table, as a TOML file tells it."""
    import tomllib

    import msgspec

    from longhu.server.table_equipment import TableEquipment

    if file is None:
        return None
    try:
        return msgspec.convert(tomllib.loads(Path(file).read_text(encoding="utf-8")), TableEquipment)
    except OSError as error:
        raise BadInput(f"{file}: {error.strerror}") from None
    except ValueError as error:
        raise BadInput(f"{file}: {error}") from None


def close(args: Namespace) -> int:
    """Nothing further starts; the round in play ends first, which takes a server that drives the table."""

    async def closed() -> None:
        from longhu.eventsourcing import Refusal
        from longhu.server.streams.commands import SYSTEM

        async with house_of(args.house) as house:
            answer = await house.close_table(SYSTEM, args.table)
            if isinstance(answer, Refusal) and await _round_over(house, args.table, args.wait):
                answer = await house.close_table(SYSTEM, args.table)
            agreed(answer)
        args.told({"table": args.table, "closed": True}, f"{args.table} is closed.")

    return done(closed())


async def _round_over(house: House, name: str, seconds: float) -> bool:
    """Whether a round was in play at this table and is over within so many seconds."""
    table = await house.stream(name)
    if table is None or table.state.round is None:
        return False
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while table.state.round is not None:
                await asyncio.sleep(LOOKS_EVERY)
                await table.catch_up()
    return table.state.round is None


# ------------------------------------------------ games


def approved_games(args: Namespace) -> int:
    async def told() -> None:
        from longhu.accounts.times import moment

        async with house_of(args.house) as house:
            approved = (await house.house_log.state()).approved
        rows = [
            {"game": each.game, "digest": digest, "from": moment(each.effective), "by": each.by}
            for digest, each in approved.items()
        ]
        columns = {"game": "game", "digest": "rules", "from": "from", "by": "by"}
        args.told.table(rows, columns, "No game is approved yet: `longhu admin games approve GAME`.")

    return done(told())


def approve_game(args: Namespace) -> int:
    async def approved() -> None:
        from longhu.server.streams.commands import SYSTEM

        game = open_game(args.game, readings(args))
        async with house_of(args.house, new=True) as house:
            agreed(await house.house_log.approve_game(SYSTEM, game, reason(args.why), token_hex(12)))
        args.told(
            {"game": game.id, "digest": game.digest}, f"Tables may open with {game.name.en} as it is: {game.digest}."
        )

    return done(approved())
