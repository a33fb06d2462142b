"""A dealing device that must be reset (IDT-5.9)."""

from __future__ import annotations

from typing import ClassVar

from longhu.eventsourcing import Decision, Refusal
from longhu.games.game import Game
from longhu.messages.message import Message, message_code
from longhu.positions import Position
from longhu.table.document import clause_of
from longhu.table.irregularities.cards import CARDS_ARE_GONE, FIND_OUT_CARDS
from longhu.table.messages import Command, decides
from longhu.table.remedies.procedure import REPORT_INCIDENT, follow, round_in_hand, said
from longhu.table.state import ANNOUNCED, BETTING, Round, Table

DEVICE_NOT_ELECTRONIC = message_code("device-not-electronic")
DEVICE_RESET = message_code("device-reset")
DEVICE_RESET_AFTER_CALL = message_code("device-reset-after-call")


class ResetDevice(Command, frozen=True, kw_only=True, tag="reset-device/1"):
    """An electronic dealing device must be reset: IDT-5.9 after a dealer's error and the closing call, else a ruling."""

    needs: ClassVar[Position] = Position.DEALER

    dealer_error: bool
    told: str = ""


@decides(ResetDevice)
def reset_device(table: Table, game: Game, command: ResetDevice) -> Decision:
    round, settings = round_in_hand(table), table.settings
    if isinstance(round, Refusal):
        return round
    clause = clause_of(game, "device-reset")
    if settings is None or not settings.electronic:
        return Refusal(DEVICE_NOT_ELECTRONIC(), REPORT_INCIDENT(), clause)
    if round.search.missing:
        return Refusal(CARDS_ARE_GONE(), FIND_OUT_CARDS(), clause)
    kind = "device-reset" if command.dealer_error and _is_dealt(round) else "other"
    return follow(table, game, command, kind, said(command.told) or _found(round))


def _is_dealt(round: Round) -> bool:
    """After the closing call, and before the result: cards that are out change nothing (IDT-5.9)."""
    return round.phase not in (BETTING, ANNOUNCED)


def _found(round: Round) -> Message:
    return DEVICE_RESET() if round.phase is BETTING else DEVICE_RESET_AFTER_CALL()
