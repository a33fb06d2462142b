"""Opening and closing a table, its notice, and what may be changed between rounds."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

from longhu.games.game import Game
from longhu.ledger import Transaction, moved
from longhu.money import UNSTATED, Money, show
from longhu.table.acts import Command, Decision, Event, Refusal, about, cite, decides, evolves
from longhu.table.positions import OF_WORD, Position
from longhu.table.requirements import check_settings
from longhu.table.settings import Settings
from longhu.table.shuffling import still_sealed
from longhu.table.state import FloatRecord, Table

OPERATORS = {"area_players", "area_cap", "area_named", "extra_cards_face_up"}  # settings (D21-5.7, D21-9.5)
OF_THE_CARDS = {"decks", "equipment", "electronic_shoe"}  # nothing that a shoe in play can change with


class OpenTable(Command, frozen=True, kw_only=True):
    """Open a table with these settings, its staff, and what is in the tray."""

    needs: ClassVar[Position] = Position.PIT_SUPERVISOR

    settings: Settings
    staff: dict[str, Position]
    float_counted: int
    counted_by: tuple[str, ...]  # two people count the tray (OPS-1)
    chips: dict[int, int] = msgspec.field(default_factory=dict)  # how many of each value were counted, where told
    checked: tuple[str, ...] = ()  # items of the house's opening checklist that were done (D21-6.0a)


class TableOpened(Event, frozen=True, kw_only=True, tag="table-opened/1"):
    settings: Settings
    staff: dict[str, Position]
    game: str
    float_counted: int
    counted_by: tuple[str, ...]
    chips: dict[int, int] = msgspec.field(default_factory=dict)
    checked: tuple[str, ...] = ()  # the opening checklist as it was done (D21-6.0a)
    difference: int = 0  # from the count at the last closing (OPS-1)

    def transactions(self) -> tuple[Transaction, ...]:
        says = f"Opening float of {self.settings.table}"
        return (moved(says, self.float_counted, "cage", f"float:{self.settings.table}"),) if self.float_counted else ()


class CloseTable(Command, frozen=True, kw_only=True):
    """Count the tray and close the table; what the count is off by is on record, and signed for (OPS-1)."""

    needs: ClassVar[Position] = Position.PIT_SUPERVISOR

    float_counted: int
    counted_by: tuple[str, ...]
    chips: dict[int, int] = msgspec.field(default_factory=dict)


class TableClosed(Event, frozen=True, kw_only=True, tag="table-closed/1"):
    table: str
    float_counted: int
    drop: int
    win: int
    counted_by: tuple[str, ...]
    chips: dict[int, int] = msgspec.field(default_factory=dict)
    difference: int = 0  # over what the ledger has, or short of it

    def transactions(self) -> tuple[Transaction, ...]:
        return tuple(
            moved(says, amount, account, "cage")
            for says, amount, account in (
                ("Closing float", self.float_counted - self.difference, f"float:{self.table}"),
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
    undone = next((each for each in command.settings.checklist if each not in command.checked), None)
    if undone is not None:
        return Refusal(f"{undone!r} of the opening checklist is not done", "Do it first", cite(game, "open-table"))
    last = table.last_closing
    difference = 0 if last is None else command.float_counted - last
    allowed = command.settings.discrepancy_max
    refusal = _wrong_count(game, command, difference, allowed, "the last closing")
    if refusal is not None:
        return refusal
    return [
        TableOpened(
            settings=command.settings,
            staff=command.staff,
            game=game.digest,
            float_counted=command.float_counted,
            counted_by=command.counted_by,
            chips=command.chips,
            checked=command.checked,
            difference=difference,
            **about(command, cite(game, "open-table")),
        )
    ]


def _wrong_count(
    game: Game, command: OpenTable | CloseTable, difference: int, allowed: int, against: str
) -> Refusal | None:
    """Two people count the chips by value; a count that is far off needs a gaming shift manager (OPS-1)."""
    money, counted = game.currency or UNSTATED, command.float_counted
    if len(set(command.counted_by)) < 2:
        return Refusal("the tray is counted by two people, and fewer are named", "Name both who counted it", "OPS-1")
    if counted < 0:
        return Refusal("the tray cannot hold less than nothing", "Count it again", "OPS-1")
    if command.chips and sum(value * number for value, number in command.chips.items()) != counted:
        return Refusal(f"the chips do not come to {show(counted, money)}", "Count them again", "OPS-1")
    if abs(difference) > allowed and command.position < Position.GAMING_SHIFT_MANAGER:
        return Refusal(
            f"the tray was counted at {show(counted, money)}, "
            f"{show(abs(difference), money)} {'over' if difference > 0 else 'short of'} {against}",
            "Count again; a difference that stays goes to the gaming shift manager",
            "OPS-1",
        )
    return None


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
    sealed = still_sealed(table)
    if sealed is not None:
        return sealed
    if record.requests:
        number = min(record.requests)
        return Refusal(f"{record.requests[number].kind} {number} is on its way", "Accept or void it first", "OPS-3")
    held = table.balances.get(f"float:{settings.table}", Money(0))
    difference = command.float_counted - held
    refusal = _wrong_count(game, command, difference, settings.discrepancy_max, "the ledger")
    if refusal is not None:
        return refusal
    drop = table.balances.get(f"drop:{settings.table}", Money(0))
    win = command.float_counted + record.credits + drop - record.fills - record.opening  # OPS-4
    return [
        TableClosed(
            table=settings.table,
            float_counted=command.float_counted,
            drop=drop,
            win=win,
            counted_by=command.counted_by,
            chips=command.chips,
            difference=difference,
            **about(command, "OPS-4"),
        )
    ]


@evolves(TableClosed)
def table_closed(table: Table, event: TableClosed) -> Table:
    closed = replace(table, settings=None, float_record=None, shoe=None, shuffle=None, results=(), returned={}, kept={})
    return replace(closed, last_closing=event.float_counted, short_once=())


@decides(ChangeSettings)
def change_settings(table: Table, game: Game, command: ChangeSettings) -> Decision:
    settings = table.settings
    if settings is None:
        return Refusal("the table is not open")
    unknown = [name for name in command.changes if name not in settings.__struct_fields__ or name == "table"]
    if unknown:
        return Refusal(f"{unknown[0]!r} is no setting that can be changed")
    after = _changed(settings, command.changes)
    if isinstance(after, Refusal):
        return after
    clause = _clause_of(game, command.changes)
    if table.round is not None:
        return Refusal("a round is in progress", "It may be changed before the next round starts", clause)
    required = authority(game, command.changes)
    if command.position < required:
        return Refusal(
            f"a {command.position.word} may not change {', '.join(command.changes)}",
            f"Ask a {required.word}",
            clause,
        )
    if table.shoe is not None and OF_THE_CARDS & set(command.changes):
        return Refusal("a shoe is in play", "End it first", cite(game, "end-of-shoe"))
    refusal = check_settings(game, after)
    if refusal is not None:
        return refusal
    return [SettingsChanged(before=settings, after=after, why=command.why, **about(command, clause))]


def _changed(settings: Settings, changes: dict[str, Any]) -> Settings | Refusal:
    """The settings afterwards; a value that is none of its setting's is refused, whoever sent it."""
    try:
        told = {**msgspec.to_builtins(settings), **msgspec.to_builtins(changes)}
        return msgspec.convert(told, Settings)
    except (msgspec.ValidationError, TypeError) as error:
        return Refusal(f"that is no value of {', '.join(changes)}: {error}", "Give one of the right form")


def _clause_of(game: Game, changes: dict[str, Any]) -> str:
    """The clause that a change belongs to."""
    if "equipment" in changes and "set-up" in game.equipment:
        return game.equipment["set-up"][0]
    if {"method", "extra_cards_face_up"} & set(changes):
        return cite(game, "change-method")
    return cite(game, "shared-area" if OPERATORS & set(changes) else "limits")


@evolves(SettingsChanged)
def settings_changed(table: Table, event: SettingsChanged) -> Table:
    return replace(table, settings=event.after)


def authority(game: Game, changes: dict[str, Any]) -> Position:
    """Who may make these changes: a method by whom the document names, sharing by the operator (D21-5.7)."""
    required = Position.PIT_SUPERVISOR
    if "method" in changes and changes["method"] in game.methods:
        required = max(required, OF_WORD[game.methods[changes["method"]].chosen_by])
    if OPERATORS & set(changes) or ("equipment" in changes and "set-up" in game.equipment):
        required = max(required, Position.CASINO_OPERATOR)
    return required


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
        "dealer": "automatic" if settings.automatic_dealer else "human",
        "general_rules": list(settings.general_rules),
    }
