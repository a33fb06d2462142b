"""Opening and closing a table, its notice, and what may be changed between rounds."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, ClassVar, Literal

import msgspec
from msgspec.structs import replace

from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game
from longhu.ledger import CIRCULATION, Transaction, is_spot, moved
from longhu.messages.message import message_code
from longhu.money import AMOUNT_MAX, UNSTATED, Amount, Money
from longhu.positions import OF_WORD, Position
from longhu.protocol import Chips, Device, Patrons
from longhu.table.authority import AUTHORITIES, AUTHORITY
from longhu.table.cash import TRAY_OUT_OF_RANGE, in_tray
from longhu.table.chip_set import chip_set
from longhu.table.document import cite, ruler, ruling_clause
from longhu.table.messages import (
    ASK_POSITION,
    CHIPS_DO_NOT_ADD_UP,
    CHIPS_NOT_COUNTED,
    COUNT_AGAIN,
    COUNT_BY_VALUE,
    FINISH_ROUND_FIRST,
    OPEN_TABLE_THEN,
    ROUND_IN_PROGRESS,
    TABLE_NOT_OPEN,
    Command,
    decides,
    evolves,
)
from longhu.table.owed import BREAKAGE
from longhu.table.patrons_edge import unconfirmed_edges
from longhu.table.people import NAME_A_PERSON, NOT_A_NAME, PATRON_LEAVES_FIRST, PLAYS_HERE, can_rule, is_somebody
from longhu.table.requirements import as_read, check_settings
from longhu.table.rounding import CHANGES_COST, PostedRounding, posted_rounding, unconfirmed
from longhu.table.shoe import CARDS_COUNT_WRONG, FIND_DIFFERENCE, CardsVerified
from longhu.table.shuffling import is_pending, still_sealed
from longhu.table.state import OWED, FloatRecord, Settings, Table

MAY_NOT_SET = message_code("may-not-set", position="position", settings="texts")
SEAT_BEYOND_LAYOUT = message_code("seat-beyond-layout", person="person", seat="number", seats="number")
PATRON_CHANGES_SEAT_FIRST = message_code("patron-changes-seat-first")
TABLE_OPEN_ALREADY = message_code("table-open-already")
CLOSE_TABLE_FIRST = message_code("close-table-first")
CHECKLIST_ITEM_NOT_DONE = message_code("checklist-item-not-done", item="text")
DO_IT_FIRST = message_code("do-it-first")
NOBODY_ON_STAFF_IS = message_code("nobody-on-staff-is", position="position")
NAME_STAFF_WHO_IS = message_code("name-staff-who-is", position="position")
NOT_ON_STAFF = message_code("not-on-staff", person="person")
STAFF_COUNT_TRAY = message_code("staff-count-tray")
TRAY_COUNTED_BY_TWO = message_code("tray-counted-by-two")
NAME_BOTH_COUNTERS = message_code("name-both-counters")
CHIP_VALUES_WRONG = message_code("chip-values-wrong")
TRAY_COUNT_OFF = message_code("tray-count-off", counted="money", difference="money", against="choice")
COUNT_AGAIN_OR_SHIFT_MANAGER = message_code("count-again-or-shift-manager")
CHIP_REQUEST_UNDER_WAY = message_code("chip-request-under-way", kind="choice", number="number")
ACCEPT_OR_VOID_FIRST = message_code("accept-or-void-first")
UNKNOWN_SETTING = message_code("unknown-setting", setting="text")
CHANGE_BEFORE_NEXT_ROUND = message_code("change-before-next-round")
SHOE_IN_PLAY = message_code("shoe-in-play")
END_SHOE_FIRST = message_code("end-shoe-first")
SHUFFLE_COMMITTED_ALREADY = message_code("shuffle-committed-already")
LOAD_ITS_SHOE_FIRST = message_code("load-its-shoe-first")
SETTING_WRONG = message_code("setting-wrong", settings="texts", problem="text")
GIVE_RIGHT_VALUE = message_code("give-right-value")
CHIPS_SET_AT_OPENING = message_code("chips-set-at-opening")
CLOSE_COUNT_REOPEN = message_code("close-count-reopen")
OPENING_FLOAT = message_code("opening-float", table="text")
CLOSING_COUNT_OVER = message_code("closing-count-over")
CLOSING_COUNT_SHORT = message_code("closing-count-short")
CLOSING_FLOAT = message_code("closing-float")
DROP_BOX = message_code("drop-box")
COMMISSION_DUE = message_code("commission-due")
COLLECT_COMMISSION = message_code("collect-commission-first")
BREAKAGE_SETTLED = message_code("breakage-settled")
UNCLAIMED = message_code("unclaimed", patron="person")
CHIPS_OUT = message_code("chips-out")
PATRONS_STILL_HERE = message_code("patrons-still-here", patrons="number")
LET_PATRONS_LEAVE = message_code("let-patrons-leave")

RULES_NOT_IN_FORCE = message_code("rules-not-in-force", game="game", version="text", at="time")
UNKNOWN_AUTHORITY = message_code("unknown-authority", version="number")

OPERATORS = {"area_players", "area_cap", "area_named", "extra_cards_face_up"}  # settings (D21-5.7, D21-9.5)
OF_THE_CARDS = {"burn", "decks", "equipment", "device"}  # nothing that a shoe in play can change with


class OpenTable(Command, frozen=True, kw_only=True, tag="open-table/1"):
    """Open a table with these settings, its staff, and what is in the tray."""

    needs: ClassVar[Position] = Position.PIT_SUPERVISOR
    blind: ClassVar[bool] = True

    settings: Settings
    staff: dict[str, Position]
    float_counted: Amount
    counted_by: tuple[str, ...]  # two people count the tray (OPS-1)
    chips: dict[Amount, int] = msgspec.field(default_factory=dict)  # how many of each value; real chips are counted so
    checked: tuple[str, ...] = ()  # items of the house's opening checklist that were done (D21-6.0a)
    cards_counted: int = 0  # in the set, by those who counted the tray (D21-6.0b); 0 where it is counted later
    authority: int = AUTHORITY  # the version of the table of authority that holds until it closes
    confirms_rounding: str = ""  # the policy of rounding in the settings, named by whoever has seen what it costs

    def held_by(self, table: Table) -> Position | None:
        del table  # it has nobody yet: who opens it is named in the command
        return self.staff.get(self.by)

    def staff_of(self, table: Table) -> Collection[str]:
        del table
        return self.staff.keys()


class TableOpened(Event, frozen=True, kw_only=True, tag="table-opened/1"):
    settings: Settings
    staff: dict[str, Position]
    game: str
    float_counted: Amount
    counted_by: tuple[str, ...]
    chips: dict[Amount, int] = msgspec.field(default_factory=dict)
    checked: tuple[str, ...] = ()  # the opening checklist as it was done (D21-6.0a)
    difference: Amount = 0  # from the count at the last closing (OPS-1)
    authority: int = AUTHORITY

    def transactions(self) -> tuple[Transaction, ...]:
        what, tray = OPENING_FLOAT(table=self.settings.table), f"float:{self.settings.table}"
        return (moved(what, self.float_counted, "cage", tray, clause="OPS-1"),) if self.float_counted else ()


class CloseTable(Command, frozen=True, kw_only=True, tag="close-table/1"):
    """Count the tray and close the table; what the count is off by is on record, and signed for (OPS-1)."""

    needs: ClassVar[Position] = Position.PIT_SUPERVISOR
    blind: ClassVar[bool] = True

    float_counted: Amount
    counted_by: tuple[str, ...]
    chips: dict[Amount, int] = msgspec.field(default_factory=dict)


class TableClosed(Event, frozen=True, kw_only=True, tag="table-closed/1"):
    table: str
    float_counted: Amount
    drop: Amount
    win: Amount
    counted_by: tuple[str, ...]
    chips: dict[Amount, int] = msgspec.field(default_factory=dict)
    difference: Amount = 0  # over what the ledger has, or short of it
    breakage: Amount = 0  # owed to patrons for payments that came to no chip; the cage answers for it from now on
    unclaimed: dict[str, Amount] = msgspec.field(
        default_factory=dict
    )  # the same of spots: nobody can claim it, and the table keeps it
    circulation: Amount = (
        0  # chips of no account that came from the tray, less those that went to it; below 0, the other way about
    )

    def transactions(self) -> tuple[Transaction, ...]:
        """The cage receives what was counted; what the ledger has otherwise stays on record as over or short (OPS-1)."""
        tray, over_short = f"float:{self.table}", f"over-short:{self.table}"
        moves = (
            (CLOSING_COUNT_OVER(), max(0, self.difference), over_short, tray, "OPS-1"),
            (CLOSING_COUNT_SHORT(), max(0, -self.difference), tray, over_short, "OPS-1"),
            (CLOSING_FLOAT(), self.float_counted, tray, "cage", "OPS-1"),
            (DROP_BOX(), self.drop, f"drop:{self.table}", "cage", "OPS-4"),
            (BREAKAGE_SETTLED(), self.breakage, "cage", f"{BREAKAGE}{self.table}", "OPS-4"),
            *(
                (UNCLAIMED(patron=spot), owed, f"{OWED}{spot}", f"{BREAKAGE}{self.table}", "OPS-4")
                for spot, owed in self.unclaimed.items()
            ),
            (CHIPS_OUT(), max(0, self.circulation), CIRCULATION, "cage", "OPS-4"),
            (CHIPS_OUT(), max(0, -self.circulation), "cage", CIRCULATION, "OPS-4"),
        )
        return tuple(moved(*each) for each in moves if each[1])


class ChangeSettings(Command, frozen=True, kw_only=True, tag="change-settings/1"):
    """Alter limits, method, differential or sharing; only between rounds."""

    needs: ClassVar[Position] = Position.PIT_SUPERVISOR

    changes: dict[str, Any]
    why: str = ""  # in the words of whoever changes them
    confirms_rounding: str = ""  # the policy of rounding as it then is, named by whoever has seen what it costs


class SettingsChanged(Event, frozen=True, kw_only=True, tag="settings-changed/1"):
    before: Settings
    after: Settings
    why: str


@decides(OpenTable)
def open_table(table: Table, game: Game, command: OpenTable) -> Decision:
    if table.settings is not None:
        return Refusal(TABLE_OPEN_ALREADY(), CLOSE_TABLE_FIRST())
    if command.authority not in AUTHORITIES:
        return Refusal(UNKNOWN_AUTHORITY(version=command.authority), clause="RUL-3")
    if command.at < game.in_force_at:
        early = RULES_NOT_IN_FORCE(game=game.id, version=game.version, at=game.in_force_at)
        return Refusal(early, OPEN_TABLE_THEN(), cite(game, "in-force"))
    refusal = (
        check_settings(game, command.settings)
        or _not_theirs_to_set(game, command.position, _decided(game, command.settings))
        or _wrong_staff(table, game, command)
        or _seat_gone(table, command.settings)
        or _rated_here(table, command.settings)
        or unconfirmed(game, command.settings, command.confirms_rounding)
        or unconfirmed_edges(game, command.settings, command.position)
    )
    if refusal is not None:
        return refusal
    undone = next((each for each in command.settings.checklist if each not in command.checked), None)
    if undone is not None:
        return Refusal(CHECKLIST_ITEM_NOT_DONE(item=undone), DO_IT_FIRST(), cite(game, "open-table"))
    cards = command.settings.cards
    if command.cards_counted not in (0, cards):
        reason = CARDS_COUNT_WRONG(counted=command.cards_counted, cards=cards)
        return Refusal(reason, FIND_DIFFERENCE(), game.cites.get("open-table", ("",))[-1])
    last = table.last_closing
    difference = 0 if last is None else command.float_counted - last
    allowed = command.settings.discrepancy_max
    before = table.last_settings
    by_value = "physical" in (command.settings.chips, before.chips if before is not None else "")
    refusal = _wrong_count(command, command.staff, difference, allowed, "last-closing", by_value=by_value)
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
            authority=command.authority,
            **about(command, cite(game, "open-table")),
        ),
        *_cards_verified(game, command),
    ]


def _cards_verified(game: Game, command: OpenTable) -> list[Event]:
    """Who has counted the cards at opening need not do so again before the first shuffle (D21-6.0b)."""
    if not command.cards_counted:
        return []
    clause = game.cites.get("open-table", ("",))[-1]
    return [
        CardsVerified(person=each, counted=command.cards_counted, **about(command, clause))
        for each in command.counted_by
    ]


def _decided(game: Game, settings: Settings) -> dict[str, Any]:
    """What somebody has set otherwise than the game's first method, the house's readings and a plain shoe have it."""
    plain = {"area_players": 0, "area_cap": "off", "area_named": (), "extra_cards_face_up": False, "rounding": ""}
    plain = {**plain, "differential": None}
    usual = {"method": next(iter(game.methods), ""), **plain, **as_read(game)}
    told = {name: getattr(settings, name) for name in ("method", *plain)}
    decided = {name: value for name, value in told.items() if value not in (usual[name], plain.get(name))}
    return decided if settings.equipment.setup == "shoe" else {**decided, "equipment": settings.equipment}


def _not_theirs_to_set(game: Game, position: Position, changes: dict[str, Any]) -> Refusal | None:
    """Methods, sharing and set-ups are chosen by whom the document names, at opening as later (IDT-3.9.2a, D21-5.7)."""
    required = authority(game, changes)
    if position >= required:
        return None
    return Refusal(
        MAY_NOT_SET(position=position.value, settings=[*changes]),
        ASK_POSITION(position=required.value),
        _clause_of(game, changes),
    )


def _wrong_staff(table: Table, game: Game, command: OpenTable) -> Refusal | None:
    """People with names who do not play here, and among them somebody who can rule on whatever happens."""
    unnamed = next((each for each in command.staff if not is_somebody(each)), None)
    if unnamed is not None:
        return Refusal(NOT_A_NAME(name=unnamed), NAME_A_PERSON())
    patron = next((each for each in command.staff if each in table.people), None)
    if patron is not None:
        return Refusal(PLAYS_HERE(person=patron), PATRON_LEAVES_FIRST())
    if not can_rule(game, command.staff):
        needed = ruler(game).value
        return Refusal(NOBODY_ON_STAFF_IS(position=needed), NAME_STAFF_WHO_IS(position=needed), ruling_clause(game))
    return None


def _seat_gone(table: Table, settings: Settings) -> Refusal | None:
    """Nobody is left on a seat that the layout has no more."""
    beyond = next((each for each in table.people.values() if (each.seat or 0) > settings.positions), None)
    if beyond is None:
        return None
    return Refusal(
        SEAT_BEYOND_LAYOUT(person=beyond.id, seat=beyond.seat, seats=settings.positions), PATRON_CHANGES_SEAT_FIRST()
    )


def _rated_here(table: Table, settings: Settings) -> Refusal | None:
    """Nobody with an account is left at a table that rates nobody."""
    if settings.patrons != "unrated" or not table.people:
        return None
    return Refusal(PATRONS_STILL_HERE(patrons=len(table.people)), LET_PATRONS_LEAVE())


def _wrong_count(
    command: OpenTable | CloseTable,
    staff: Mapping[str, Position],
    difference: int,
    allowed: int,
    against: str,
    *,
    by_value: bool,
) -> Refusal | None:
    """Two of the staff sign one count; one that is far off needs a gaming shift manager (OPS-1).

    Real chips are counted by value, and nobody takes over a figure instead. What the ledger has is told last, once the whole
    count is in and both have signed for it; that refusal is on record with the difference.
    """
    counted = command.float_counted
    stranger = next((each for each in command.counted_by if each not in staff), None)
    if stranger is not None:
        return Refusal(NOT_ON_STAFF(person=stranger), STAFF_COUNT_TRAY(), "OPS-1")
    if len({each for each in command.counted_by if staff[each] >= Position.DEALER}) < 2:
        return Refusal(TRAY_COUNTED_BY_TWO(), NAME_BOTH_COUNTERS(), "OPS-1")
    if not 0 <= counted <= AMOUNT_MAX:
        return Refusal(TRAY_OUT_OF_RANGE(amount=counted, maximum=AMOUNT_MAX), COUNT_AGAIN(), "OPS-1")
    if by_value and not command.chips:
        return Refusal(CHIPS_NOT_COUNTED(), COUNT_BY_VALUE(), "OPS-1")
    if any(value <= 0 or number < 0 for value, number in command.chips.items()):
        return Refusal(CHIP_VALUES_WRONG(), COUNT_AGAIN(), "OPS-1")
    if command.chips and sum(value * number for value, number in command.chips.items()) != counted:
        return Refusal(CHIPS_DO_NOT_ADD_UP(amount=counted), COUNT_AGAIN(), "OPS-1")
    if abs(difference) > allowed and command.position < Position.GAMING_SHIFT_MANAGER:
        return Refusal(
            TRAY_COUNT_OFF(counted=counted, difference=difference, against=against),
            COUNT_AGAIN_OR_SHIFT_MANAGER(),
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
        authority=event.authority,
    )


@decides(CloseTable)
def close_table(table: Table, game: Game, command: CloseTable) -> Decision:
    settings, record = table.settings, table.float_record
    if settings is None or record is None:
        return Refusal(TABLE_NOT_OPEN())
    if table.round is not None:
        return Refusal(ROUND_IN_PROGRESS(), FINISH_ROUND_FIRST(), cite(game, "round-ends"))
    sealed = still_sealed(table)
    if sealed is not None:
        return sealed
    if record.requests:
        number = min(record.requests)
        return Refusal(
            CHIP_REQUEST_UNDER_WAY(kind=record.requests[number].kind, number=number), ACCEPT_OR_VOID_FIRST(), "OPS-3"
        )
    if table.tallied():
        return Refusal(COMMISSION_DUE(), COLLECT_COMMISSION(), "OPS-4")
    difference = command.float_counted - in_tray(table)
    staff, by_value = {**table.staff, **table.acting}, settings.chips == "physical"
    refusal = _wrong_count(command, staff, difference, settings.discrepancy_max, "ledger", by_value=by_value)
    if refusal is not None:
        return refusal
    drop = table.balances.get(f"drop:{settings.table}", Money(0))
    unclaimed = {owner: held for owner, held in table.owed().items() if is_spot(owner)}
    breakage = -table.balances.get(f"{BREAKAGE}{settings.table}", Money(0)) - sum(unclaimed.values())
    win = command.float_counted + record.credits + drop - record.fills - record.opening - breakage  # OPS-4
    return [
        TableClosed(
            table=settings.table,
            float_counted=command.float_counted,
            drop=drop,
            win=win,
            counted_by=command.counted_by,
            chips=command.chips,
            difference=difference,
            breakage=breakage,
            unclaimed=unclaimed,
            circulation=table.balances.get(CIRCULATION, Money(0)),
            **about(command, "OPS-4"),
        )
    ]


@evolves(TableClosed)
def table_closed(table: Table, event: TableClosed) -> Table:
    """What belongs to the day goes with it; a claim that nobody collected is in what the count was short of."""
    closed = replace(
        table,
        settings=None,
        float_record=None,
        shoe=None,
        shuffle=None,
        results=(),
        returned={},
        kept={},
        suspended=None,
    )
    closed = replace(closed, acting={}, caps={}, dealer="", settled=(), claims_lost={}, verified=(), last_tie=False)
    return replace(closed, last_closing=event.float_counted, last_settings=table.settings, short_once=())


@decides(ChangeSettings)
def change_settings(table: Table, game: Game, command: ChangeSettings) -> Decision:
    settings = table.settings
    if settings is None:
        return Refusal(TABLE_NOT_OPEN())
    unknown = [name for name in command.changes if name not in settings.__struct_fields__ or name == "table"]
    if unknown:
        return Refusal(UNKNOWN_SETTING(setting=unknown[0]))
    after = _changed(settings, command.changes)
    if isinstance(after, Refusal):
        return after
    if after.chips != settings.chips:
        return Refusal(CHIPS_SET_AT_OPENING(), CLOSE_COUNT_REOPEN(), "OPS-1")
    clause = _clause_of(game, command.changes)
    if table.round is not None:
        return Refusal(ROUND_IN_PROGRESS(), CHANGE_BEFORE_NEXT_ROUND(), clause)
    refusal = _not_theirs_to_set(game, command.position, command.changes)
    if refusal is not None:
        return refusal
    if table.shoe is not None and OF_THE_CARDS & set(command.changes):
        return Refusal(SHOE_IN_PLAY(), END_SHOE_FIRST(), cite(game, "end-of-shoe"))
    if is_pending(table) and (OF_THE_CARDS | {"cut_reserve"}) & set(command.changes):
        return Refusal(SHUFFLE_COMMITTED_ALREADY(), LOAD_ITS_SHOE_FIRST(), "RUL-6")
    refusal = check_settings(game, after) or _seat_gone(table, after) or _rated_here(table, after)
    if refusal is None and CHANGES_COST & set(command.changes):
        told = {**command.changes, "rounding": after.rounding}
        refusal = _not_theirs_to_set(game, command.position, told) or unconfirmed(
            game, after, command.confirms_rounding
        )
    if refusal is None and (CHANGES_COST | {"favours_patrons"}) & set(command.changes):
        refusal = unconfirmed_edges(game, after, command.position, settings.favours_patrons)
    if refusal is not None:
        return refusal
    return [SettingsChanged(before=settings, after=after, why=command.why, **about(command, clause))]


def _changed(settings: Settings, changes: dict[str, Any]) -> Settings | Refusal:
    """The settings afterwards; a value that is none of its setting's is refused, whoever sent it."""
    try:
        told = {**msgspec.to_builtins(settings), **msgspec.to_builtins(changes)}
        return msgspec.convert(told, Settings)
    except (msgspec.ValidationError, TypeError) as error:
        return Refusal(SETTING_WRONG(settings=[*changes], problem=str(error)), GIVE_RIGHT_VALUE())


def _clause_of(game: Game, changes: dict[str, Any]) -> str:
    """The clause that a change belongs to."""
    if changes.get("rounding"):
        return "MON-2"
    if {*changes} == {"favours_patrons"}:
        return ""
    if "equipment" in changes and "set-up" in game.equipment:
        return game.equipment["set-up"][0]
    if {"method", "extra_cards_face_up"} & set(changes):
        return cite(game, "change-method")
    if "differential" in changes and game.differential is not None:
        return (game.differential.set_clauses or game.differential.clauses or ("",))[0]
    return cite(game, "shared-area" if OPERATORS & set(changes) else "limits")


@evolves(SettingsChanged)
def settings_changed(table: Table, event: SettingsChanged) -> Table:
    """Cards that somebody has counted are counted again when they are others (D21-6.0b)."""
    cards = [(each.decks, each.equipment.sets) for each in (event.before, event.after)]
    source = table.source if event.after.device == "reading-shoe" else None
    verified = table.verified if cards[0] == cards[1] else ()
    return replace(table, settings=event.after, verified=verified, source=source)


def authority(game: Game, changes: dict[str, Any]) -> Position:
    """Who may make these changes: a method and a differential by whom the document names, sharing by the operator (D21-5.7)."""
    required = Position.PIT_SUPERVISOR
    if "method" in changes and changes["method"] in game.methods:
        required = max(required, OF_WORD[game.methods[changes["method"]].chosen_by])
    if "differential" in changes and game.differential is not None and game.differential.set_by:
        required = max(required, OF_WORD[game.differential.set_by])
    if changes.get("rounding") or OPERATORS & set(changes) or ("equipment" in changes and "set-up" in game.equipment):
        required = max(required, Position.CASINO_OPERATOR)
    return required


def high_limit(game: Game, settings: Settings) -> bool:
    """Is the table in a high limit gaming area (IDT-1.1.5)?"""
    return game.high_limit is not None and settings.area in game.high_limit.areas


class PostedLimit(msgspec.Struct, frozen=True):
    """What may be staked on a wager, and in which steps."""

    min: Amount
    max: Amount
    increment: Amount


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """What a table displays: limits of every wager offered, and the differential (IDT-3.5.1c, D21-5.12b).

    Whether it stands in a high limit area is said too: there, patrons may withdraw where others may not (IDT-3.16.1).
    """

    table: str
    game: str
    limits: dict[str, PostedLimit]
    area: str | None
    high_limit: bool
    differential: Amount | None
    layout: str
    positions: int
    decks: int
    method: str | None
    device: Device
    chips: Chips
    patrons: Patrons
    chip_unit: Amount
    dealer: Literal["automatic", "human"]
    general_rules: tuple[str, ...]
    chip_values: tuple[Amount, ...]  # of the chips that a page offers
    house_terms: tuple[str, ...]  # wagers that the document names without terms: those are the house's (D21-11A)
    rounding: PostedRounding | None  # None: exact payments, and what comes to no chip is owed


def notice(table: Table, game: Game) -> Notice | None:
    """None while the table is closed."""
    settings = table.settings
    if settings is None:
        return None
    return Notice(
        table=settings.table,
        game=game.id,
        limits={id: PostedLimit(limit.min, limit.max, settings.step(id)) for id, limit in settings.limits.items()},
        area=settings.area or None,
        high_limit=high_limit(game, settings),
        differential=settings.differential,
        layout=settings.layout,
        positions=settings.positions,
        decks=settings.decks,
        method=settings.method or None,
        device=settings.device,
        chips=settings.chips,
        patrons=settings.patrons,
        chip_unit=settings.chip_unit,
        dealer="automatic" if settings.automatic_dealer else "human",
        general_rules=settings.general_rules,
        chip_values=chip_set(settings, game.currency or UNSTATED),
        house_terms=tuple(id for id, wager in game.offered(settings.layout).items() if wager.house_terms),
        rounding=posted_rounding(game, settings),
    )
