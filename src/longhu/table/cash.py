"""Chips for cash and back (OPS-2). What comes to the tray from the cage is told in `fills`."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from longhu.eventsourcing import Decision, Event, Refusal, about, replay
from longhu.games.game import Game
from longhu.ledger import Posting, Transaction, chips_account, moved
from longhu.messages.message import Message, message_code
from longhu.money import Amount, Money
from longhu.positions import Position
from longhu.table.commission import collected
from longhu.table.messages import (
    AMOUNT_NOT_POSITIVE,
    NOT_AT_TABLE,
    NOT_ENOUGH_CHIPS,
    NOT_WHOLE_CHIPS,
    TABLE_NOT_OPEN,
    TAKE_WHOLE_CHIPS_OR_ALL,
    Command,
    decides,
    evolve,
    evolves,
)
from longhu.table.state import OWED, Table, may_bet

TRAY_SHORT = message_code("tray-short", short="money", held="money")
TRAY_HAS_LESS = message_code("tray-has-less", amount="money")
ASK_FOR_FILL = message_code("ask-for-fill")
TRAY_OUT_OF_RANGE = message_code("tray-out-of-range", amount="money", maximum="money")
CHIPS_BOUGHT = message_code("chips-bought", patron="person")
CHIPS_CASHED = message_code("chips-cashed", patron="person")
OWED_PAID = message_code("owed-paid", patron="person")


class BuyIn(Command, frozen=True, kw_only=True, tag="buy-in/1"):
    """Chips for cash, at a spot for whoever stands there; the cash goes into the drop box. The cage gives them for money in a wallet."""

    needs: ClassVar[Position] = Position.DEALER
    also_by: ClassVar[tuple[Position, ...]] = (Position.CAGE,)

    patron: str
    amount: Amount


class ChipsBought(Event, frozen=True, kw_only=True, tag="chips-bought/1"):
    table: str
    patron: str
    amount: Amount

    def transactions(self) -> tuple[Transaction, ...]:
        postings = (
            Posting(f"world:{self.patron}", -self.amount),
            Posting(f"drop:{self.table}", self.amount),
            Posting(f"float:{self.table}", -self.amount),
            Posting(chips_account(self.patron), self.amount),
        )
        return (Transaction(CHIPS_BOUGHT(patron=self.patron), postings, clause="OPS-2"),)


class CashOut(Command, frozen=True, kw_only=True, tag="cash-out/1"):
    """A patron takes chips to the cage, which pays in coins what the table owed besides."""

    amount: Amount


class ChipsCashed(Event, frozen=True, kw_only=True, tag="chips-cashed/1"):
    patron: str
    amount: Amount
    owed: Amount = 0  # paid besides: what came to no chip at the table

    def transactions(self) -> tuple[Transaction, ...]:
        pocket, patron = f"world:{self.patron}", self.patron
        moves = (
            (CHIPS_CASHED(patron=patron), self.amount, f"patron:{patron}", pocket, "OPS-2"),
            (OWED_PAID(patron=patron), self.owed, f"{OWED}{patron}", pocket, "OPS-2"),
        )
        return tuple(moved(*each) for each in moves if each[1])


@decides(BuyIn)
def buy_in(table: Table, _game: Game, command: BuyIn) -> Decision:
    if table.settings is None:
        return Refusal(TABLE_NOT_OPEN())
    if not may_bet(table, command.patron):
        return Refusal(NOT_AT_TABLE(person=command.patron))
    if command.amount <= 0:
        return Refusal(AMOUNT_NOT_POSITIVE(amount=command.amount), clause="OPS-2")
    if not table.settings.whole(command.amount):
        unit = table.settings.chip_unit
        return Refusal(NOT_WHOLE_CHIPS(amount=command.amount, unit=unit), clause="OPS-2")
    if command.amount > in_tray(table):
        return tray_short(table, command.amount, ASK_FOR_FILL(), "OPS-2")
    return [ChipsBought(table=table.settings.table, patron=command.patron, amount=command.amount, **about(command))]


@decides(CashOut)
def cash_out(table: Table, game: Game, command: CashOut) -> Decision:
    """Whoever has commission on the tally pays it first; the cage pays what is left of the chips (Q51)."""
    paid = collected(table, game, command, command.by)
    if paid:
        after = replay(evolve, table, paid)
        left = min(command.amount, after.balances.get(f"patron:{command.by}", Money(0)))
        rest = cash_out(after, game, replace(command, amount=left)) if left or after.owed_to(command.by) else []
        return rest if isinstance(rest, Refusal) else [*paid, *rest]
    held, owed = table.balances.get(f"patron:{command.by}", Money(0)), table.owed_to(command.by)
    if command.amount < 0 or not (command.amount or owed):
        return Refusal(AMOUNT_NOT_POSITIVE(amount=command.amount), clause="OPS-2")
    if command.amount > held:
        return Refusal(NOT_ENOUGH_CHIPS(patron=command.by, held=held), clause="OPS-2")
    if command.amount != held and table.settings is not None and not table.settings.whole(command.amount):
        return Refusal(
            NOT_WHOLE_CHIPS(amount=command.amount, unit=table.settings.chip_unit), TAKE_WHOLE_CHIPS_OR_ALL(), "OPS-2"
        )
    return [ChipsCashed(patron=command.by, amount=command.amount, owed=owed, **about(command))]


def cashed(table: Table, command: Command, patron: str, clause: str = "") -> list[Event]:
    """Everything that somebody has at the table and is owed there goes to the cage, where there is anything."""
    chips, owed = table.balances.get(f"patron:{patron}", Money(0)), table.owed_to(patron)
    return [ChipsCashed(patron=patron, amount=chips, owed=owed, **about(command, clause))] if chips or owed else []


@evolves(ChipsBought, ChipsCashed)
def chips_changed(table: Table, _event: Event) -> Table:
    return table  # only money moved, and that is the ledger's


# ------------------------------------------------ the tray


def in_tray(table: Table) -> Money:
    """What the ledger has of the tray."""
    return table.balances.get(f"float:{table.settings.table}", Money(0)) if table.settings else Money(0)


def tray_short(table: Table, amount: int, remedy: Message, clause: str) -> Refusal:
    """The tray has less than this. Of real chips nobody is told how much by the ledger: they are counted blind (OPS-1)."""
    if table.settings is not None and table.settings.chips == "physical":
        return Refusal(TRAY_HAS_LESS(amount=amount), remedy, clause)
    held = in_tray(table)
    return Refusal(TRAY_SHORT(short=amount - held, held=held), remedy, clause)
