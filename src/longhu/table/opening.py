"""Opening and closing a table, its notice, and what may be changed between rounds."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec.structs import replace

from longhu.cards import CARDS_PER_DECK
from longhu.games.game import Game, Result, Wager
from longhu.ledger import Transaction, moved
from longhu.money import UNSTATED, Money, show
from longhu.table.acts import Command, Decision, Event, Refusal, about, cite, decides, evolves
from longhu.table.positions import OF_WORD, Position
from longhu.table.settings import Limit, Settings
from longhu.table.state import FloatRecord, Table

SETUPS = ("shoe", "batch-shuffler", "continuous-shuffler")
SHUFFLER_CARDS = 8 * CARDS_PER_DECK  # what a batch shuffler must hold (D21-3.4.a.ii.B)


class OpenTable(Command, frozen=True, kw_only=True):
    """Open a table with these settings, its staff, and what is in the tray."""

    needs: ClassVar[Position] = Position.PIT_SUPERVISOR

    settings: Settings
    staff: dict[str, Position]
    float_counted: int
    counted_by: tuple[str, ...]  # two people count the tray (OPS-1)


class TableOpened(Event, frozen=True, kw_only=True, tag="table-opened/1"):
    settings: Settings
    staff: dict[str, Position]
    game: str
    float_counted: int
    counted_by: tuple[str, ...]

    def transactions(self) -> tuple[Transaction, ...]:
        says = f"Opening float of {self.settings.table}"
        return (moved(says, self.float_counted, "cage", f"float:{self.settings.table}"),) if self.float_counted else ()


class CloseTable(Command, frozen=True, kw_only=True):
    needs: ClassVar[Position] = Position.PIT_SUPERVISOR

    float_counted: int
    counted_by: tuple[str, ...]


class TableClosed(Event, frozen=True, kw_only=True, tag="table-closed/1"):
    table: str
    float_counted: int
    drop: int
    win: int
    counted_by: tuple[str, ...]

    def transactions(self) -> tuple[Transaction, ...]:
        return tuple(
            moved(says, amount, account, "cage")
            for says, amount, account in (
                ("Closing float", self.float_counted, f"float:{self.table}"),
                ("Drop box", self.drop, f"drop:{self.table}"),
            )
            if amount
        )


class ChangeSettings(Command, frozen=True, kw_only=True):
    """Alter limits, method, differential or sharing; only between rounds."""

    needs: ClassVar[Position] = Position.PIT_SUPERVISOR

    changes: dict[str, Any]
    why: str = ""


class SettingsChanged(Event, frozen=True, kw_only=True, tag="settings-changed/1"):
    before: Settings
    after: Settings
    why: str


@decides(OpenTable)
def open_table(table: Table, game: Game, command: OpenTable) -> Decision:
    if table.settings is not None:
        return Refusal("the table is open already", "Close it first")
    refusal = check_settings(game, command.settings)
    if refusal is not None:
        return refusal
    if len(set(command.counted_by)) < 2:
        return Refusal("the tray is counted by two people, and fewer are named", "Name both who counted it", "OPS-1")
    if command.float_counted < 0:
        return Refusal("the tray cannot hold less than nothing")
    return [
        TableOpened(
            settings=command.settings,
            staff=command.staff,
            game=game.digest,
            float_counted=command.float_counted,
            counted_by=command.counted_by,
            **about(command, cite(game, "open-table")),
        )
    ]


@evolves(TableOpened)
def table_opened(table: Table, event: TableOpened) -> Table:
    return replace(
        table,
        settings=event.settings,
        staff=event.staff,
        game=event.game,
        float_record=FloatRecord(event.float_counted),
    )


@decides(CloseTable)
def close_table(table: Table, game: Game, command: CloseTable) -> Decision:
    settings, record = table.settings, table.float_record
    if settings is None or record is None:
        return Refusal("the table is not open")
    if table.round is not None:
        return Refusal("a round is in progress", "Finish it first", cite(game, "round-ends"))
    held = table.balances.get(f"float:{settings.table}", Money(0))
    if command.float_counted != held:
        money = game.currency or UNSTATED
        return Refusal(
            f"the tray was counted at {show(Money(command.float_counted), money)} and the ledger has {show(held, money)}",
            "Count again; a difference that stays goes to the gaming shift manager",
            "OPS-1",
        )
    if len(set(command.counted_by)) < 2:
        return Refusal("the tray is counted by two people, and fewer are named", "Name both who counted it", "OPS-1")
    drop = table.balances.get(f"drop:{settings.table}", Money(0))
    win = command.float_counted + record.credits + drop - record.fills - record.opening  # OPS-4
    return [
        TableClosed(
            table=settings.table,
            float_counted=command.float_counted,
            drop=drop,
            win=win,
            counted_by=command.counted_by,
            **about(command, "OPS-4"),
        )
    ]


@evolves(TableClosed)
def table_closed(table: Table, _event: TableClosed) -> Table:
    return replace(table, settings=None, float_record=None, shoe=None, results=())


@decides(ChangeSettings)
def change_settings(table: Table, game: Game, command: ChangeSettings) -> Decision:
    settings = table.settings
    if settings is None:
        return Refusal("the table is not open")
    unknown = [name for name in command.changes if name not in settings.__struct_fields__ or name == "table"]
    if unknown:
        return Refusal(f"{unknown[0]!r} is no setting that can be changed")
    step = "change-method" if "method" in command.changes else "limits"
    if table.round is not None:
        return Refusal("a round is in progress", "It may be changed before the next round starts", cite(game, step))
    required = authority(game, command.changes)
    if command.position < required:
        return Refusal(
            f"a {command.position.word} may not change {', '.join(command.changes)}",
            f"Ask a {required.word}",
            cite(game, step),
        )
    after = replace(settings, **command.changes)
    refusal = check_settings(game, after)
    if refusal is not None:
        return refusal
    return [SettingsChanged(before=settings, after=after, why=command.why, **about(command, cite(game, step)))]


@evolves(SettingsChanged)
def settings_changed(table: Table, event: SettingsChanged) -> Table:
    return replace(table, settings=event.after)


def authority(game: Game, changes: dict[str, Any]) -> Position:
    """Who may make these changes: a method by whom the document names, sharing by the operator (D21-5.7)."""
    required = Position.PIT_SUPERVISOR
    if "method" in changes and changes["method"] in game.methods:
        required = max(required, OF_WORD[game.methods[changes["method"]].chosen_by])
    if {"area_players", "area_cap", "area_named"} & set(changes):
        required = max(required, Position.CASINO_OPERATOR)
    return required


def check_settings(game: Game, settings: Settings) -> Refusal | None:
    """What does not fit the game, with the clause."""
    checks = (_layout, _decks, _method, _limits, _equipment)
    return next((refusal for check in checks if (refusal := check(game, settings)) is not None), None)


def _layout(game: Game, settings: Settings) -> Refusal | None:
    layout = game.layouts.get(settings.layout)
    if layout is None:
        return Refusal(f"{game.id} has no layout {settings.layout!r}", f"Possible: {', '.join(game.layouts)}")
    if not layout.positions_min <= settings.positions <= layout.positions_max:
        span = f"{layout.positions_min} to {layout.positions_max}"
        clause = layout.clauses[0] if layout.clauses else ""
        return Refusal(f"{settings.positions} positions on layout {layout.id}", f"It has {span}", clause)
    return None


def _decks(game: Game, settings: Settings) -> Refusal | None:
    if not game.decks.min <= settings.decks <= game.decks.max:
        clause = game.decks.clauses[0] if game.decks.clauses else ""
        return Refusal(
            f"{settings.decks} decks", f"{game.id} is played with {game.decks.min} to {game.decks.max}", clause
        )
    return None


def _method(game: Game, settings: Settings) -> Refusal | None:
    if settings.method not in (list(game.methods) or [""]):
        return Refusal(f"{game.id} has no dealing method {settings.method!r}", f"Possible: {', '.join(game.methods)}")
    return None


def _limits(game: Game, settings: Settings) -> Refusal | None:
    """Every wager offered has limits, within the document's, and pays in whole units (Q01)."""
    money = game.currency or UNSTATED
    for id, wager in game.offered(settings.layout).items():
        limit = settings.limits.get(id)
        if limit is None:
            if wager.optional:
                continue
            return Refusal(
                f"no limits are set for {wager.name.en}", "Set its minimum and maximum", cite(game, "limits")
            )
        if not 0 < limit.min <= limit.max or limit.increment < 1:
            return Refusal(f"the limits of {wager.name.en} are not a span of amounts", clause=cite(game, "limits"))
        beyond = _beyond_document(wager, limit)
        if beyond is not None:
            return Refusal(
                f"{wager.name.en} may be staked up to {show(beyond, money)} only", clause=wager.limit.clauses[0]
            )
    return next((refusal for wager in settings.limits if (refusal := _offered(game, settings, wager))), None)


def _beyond_document(wager: Wager, limit: Limit) -> Money | None:
    most = wager.limit.max
    return most if most is not None and limit.max > most else None


def _offered(game: Game, settings: Settings, wager: str) -> Refusal | None:
    if wager in game.offered(settings.layout):
        return None
    return Refusal(f"layout {settings.layout} of {game.id} offers no wager {wager!r}")


def inexact(game: Game, settings: Settings) -> list[str]:
    """Wagers whose limits let a payment fall between two chips, so that a rounding policy decides (Q01)."""
    found: list[str] = []
    for id, limit in settings.limits.items():
        for line in game.wagers[id].lines:
            if line.result in (Result.WIN, Result.HALF) and (line.net * limit.increment) % settings.chip_unit:
                found.append(id)
                break
    return found


def _equipment(game: Game, settings: Settings) -> Refusal | None:
    """What the document asks for must be on record, and hold the cards in play; only what it lists is asked."""
    equipment, cards = settings.equipment, settings.decks * CARDS_PER_DECK
    backs = [set(each.backs) for each in equipment.sets]
    continuous, batch = equipment.setup == "continuous-shuffler", equipment.setup == "batch-shuffler"
    shoe, squeezed = not continuous and not batch, game.methods.get(settings.method)
    one_set, sets = len(equipment.sets) == 1, len(equipment.sets)
    wrong = {
        "one-back": (any(len(each) > 1 for each in backs), "a set of cards has decks with different backs"),
        "set-up": (equipment.setup not in SETUPS, f"{equipment.setup!r} is none of {', '.join(SETUPS)}"),
        "shoe-one-set": (shoe and not one_set, f"{sets} sets of cards where one is used"),
        "shoe-capacity": (shoe and equipment.shoe < cards, f"the shoe holds {equipment.shoe} of {cards} cards"),
        "batch-two-sets": (batch and (sets != 2 or backs[0] == backs[1]), "two sets with different backs are used"),
        "batch-shuffler-capacity": (
            batch and equipment.shuffler < SHUFFLER_CARDS,
            f"the shuffler holds {equipment.shuffler} cards, and must hold {SHUFFLER_CARDS}",
        ),
        "batch-shoe-capacity": (batch and equipment.shoe < cards, f"the shoe holds {equipment.shoe} of {cards} cards"),
        "continuous-one-set": (continuous and not one_set, f"{sets} sets of cards where one is used"),
        "continuous-capacity": (
            continuous and equipment.shuffler < cards,
            f"the shuffler holds {equipment.shuffler} of {cards} cards",
        ),
        "continuous-without-squeeze": (
            continuous and squeezed is not None and squeezed.squeeze != "nobody",
            f"{squeezed.name.en if squeezed else ''} is not dealt from a continuous shuffler",
        ),
        "cutting-cards": (
            equipment.cutting_cards not in (1, 2),
            f"{equipment.cutting_cards} cutting cards, not 1 or 2",
        ),
        "discard-rack": (
            equipment.discard_rack < cards,
            f"the discard rack holds {equipment.discard_rack} of {cards} cards",
        ),
        "pucks": (
            squeezed is not None and squeezed.squeeze != "nobody" and equipment.pucks < 2,
            "two pucks show who holds the hands",
        ),
        "drop-box": (not equipment.drop_box, "no drop box is on record"),
    }
    for requirement, clauses in game.equipment.items():
        failed, reason = wrong[requirement]
        if failed:
            return Refusal(reason, "Put the equipment right before the table opens", clauses[0] if clauses else "")
    for each in equipment.sets:
        if len(each.backs) != settings.decks:
            return Refusal(f"a set of {len(each.backs)} decks at a table of {settings.decks}", "Take complete sets")
    return None


def high_limit(game: Game, settings: Settings) -> bool:
    """Is the table in a high limit gaming area (IDT-1.1.5)?"""
    return game.high_limit is not None and settings.area in game.high_limit.areas


def notice(table: Table, game: Game) -> dict[str, Any]:
    """What the table displays: limits of every wager offered, and the differential (IDT-3.5.1c, D21-5.12b)."""
    settings, money = table.settings, game.currency or UNSTATED
    if settings is None:
        return {}
    return {
        "table": settings.table,
        "game": game.name.en,
        "limits": {
            id: {"min": show(Money(limit.min), money), "max": show(Money(limit.max), money)}
            for id, limit in settings.limits.items()
        },
        "differential": None if settings.differential is None else show(Money(settings.differential), money),
        "method": settings.method or None,
    }
