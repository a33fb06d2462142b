"""What is asked of the house (commands) and what happened in it (events), for people's accounts and for the house itself."""

from __future__ import annotations

from typing import Any, ClassVar

from longhu.eventsourcing import Command, Event, Refusal, S, stored_name
from longhu.eventsourcing import about as who_and_when
from longhu.messages.message import Message, message_code
from longhu.positions import Position
from longhu.table.messages import ASK_POSITION, POSITION_TOO_LOW

ASK_ABOVE = message_code("ask-somebody-above")
AT_MOST_CHARACTERS = message_code("at-most-characters", maximum="number")
AUDITOR_CHANGES_NOTHING = message_code("auditor-changes-nothing")
ASK_THE_STAFF = message_code("ask-the-staff")


class HouseCommand(Command, frozen=True, kw_only=True):
    """Something that somebody asks of the house."""

    needs: ClassVar[Position] = Position.CASINO_OPERATOR  # the lowest position that may ask for it, for somebody else
    own: ClassVar[bool] = False  # may people ask for it for themselves?
    internal: ClassVar[bool] = False  # only the program asks, once it has looked at a password or a session
    reasoned: ClassVar[bool] = False  # must it say why?
    recorded: ClassVar[bool] = True  # is it on record where it is refused?

    by: str = ""  # a person
    at: int = 0  # milliseconds, UTC
    why: str = ""
    console: str = ""  # who typed it at the house's own console, as the operating system knows them


class Cosigned(HouseCommand, frozen=True, kw_only=True):
    """Something that somebody else may have to sign as well (SEC-1)."""

    second: str = ""
    second_position: Position = Position.PATRON


class HouseEvent(Event, frozen=True, kw_only=True):
    """Something that happened in the house: who, when, in which position, by which rule, and why (LOG-4)."""

    why: str = ""
    console: str = ""


class CosignedEvent(HouseEvent, frozen=True, kw_only=True):
    second: str = ""  # who signed with whoever asked; "": nobody


class HouseCommandRefused(HouseEvent, frozen=True, kw_only=True, tag="house-command-refused/1"):
    """Somebody asked for what the rules do not allow. It changes nothing, and is on record."""

    command: str
    reason: Message
    remedy: Message | None

    @property
    def refusal(self) -> Refusal:
        """What was answered, and is answered again where the same is sent twice."""
        return Refusal(self.reason, self.remedy, self.clause)


Decision = list[HouseEvent] | Refusal


def refused(state: S, _event: HouseCommandRefused) -> S:
    """A refusal changes nothing."""
    return state


def about(command: HouseCommand, clause: str = "") -> dict[str, Any]:
    """What an event takes from the command behind it."""
    told = {**who_and_when(command, clause), "why": command.why, "console": command.console}
    return {**told, "second": command.second} if isinstance(command, Cosigned) else told


def too_low(position: Position, needed: Position, clause: str = "SEC-1") -> Refusal:
    """The refusal of what takes a higher position."""
    found = POSITION_TOO_LOW(position=position.value, needed=needed.value)
    return Refusal(found, ASK_POSITION(position=needed.value), clause)


def on_record(command: HouseCommand, refusal: Refusal) -> HouseCommandRefused:
    """The refusal as an event for the log."""
    told = {name: value for name, value in about(command, refusal.clause).items() if name != "second"}
    return HouseCommandRefused(command=stored_name(command), reason=refusal.reason, remedy=refusal.remedy, **told)
