"""What is asked of the house (commands) and what happened in it (events), for people's accounts and for the house itself.

As at a table: each area keeps its commands and events beside the functions that judge and apply them. A `Register` knows
them all for one kind of trail: a person's account, or the book of the house.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from longhu.accounts.policy import Policy
from longhu.table.acts import Event, Refusal
from longhu.table.positions import Position


class HouseCommand(msgspec.Struct, frozen=True, kw_only=True, tag_field="command"):
    """Something that somebody asks of the house; time and identity come in with it."""

    needs: ClassVar[Position] = Position.CASINO_OPERATOR  # the lowest position that may ask for it, for somebody else
    own: ClassVar[bool] = False  # may people ask for it for themselves?
    internal: ClassVar[bool] = False  # only the program asks, once it has looked at a password or a session
    reasoned: ClassVar[bool] = False  # must it say why?
    recorded: ClassVar[bool] = True  # is it on record where it is refused?

    by: str = ""  # a person
    at: int = 0  # milliseconds, UTC
    position: Position = Position.PATRON  # that the person holds in the house
    why: str = ""


class HouseEvent(Event, frozen=True, kw_only=True):
    """Something that happened in the house: who, when, in which position, by which rule, and why (LOG-4)."""

    why: str = ""


class HouseRefused(HouseEvent, frozen=True, kw_only=True, tag="house-refused/1"):
    """Somebody asked for what the rules do not allow. It changes nothing, and is on record."""

    command: str
    reason: str
    remedy: str

    @property
    def refusal(self) -> Refusal:
        """What was answered, and is answered again where the same is sent twice."""
        return Refusal(self.reason, self.remedy, self.clause)


Decision = list[HouseEvent] | Refusal
S = TypeVar("S")
C = TypeVar("C", bound=HouseCommand)
E = TypeVar("E", bound=HouseEvent)
Judge = Callable[[S, Policy, C], Decision]
Change = Callable[[S, E], S]


class Register(Generic[S]):
    """Who judges each command and who applies each event, for trails of one kind."""

    def __init__(self) -> None:
        self.deciders: dict[type[HouseCommand], Callable[[S, Policy, Any], Decision]] = {}
        self.evolvers: dict[type[HouseEvent], Callable[[S, Any], S]] = {HouseRefused: lambda state, _event: state}

    def decides(self, command: type[C]) -> Callable[[Judge[S, C]], Judge[S, C]]:
        """Register the function that judges a command."""

        def register(function: Judge[S, C]) -> Judge[S, C]:
            self.deciders[command] = function
            return function

        return register

    def evolves(self, event: type[E]) -> Callable[[Change[S, E]], Change[S, E]]:
        """Register the function that applies an event."""

        def register(function: Change[S, E]) -> Change[S, E]:
            self.evolvers[event] = function
            return function

        return register


def about(command: HouseCommand, clause: str = "") -> dict[str, Any]:
    """What an event takes from the command behind it."""
    return {
        "by": command.by,
        "at": command.at,
        "position": command.position,
        "clause": clause,
        "why": command.why,
    }


def name_of(command: HouseCommand) -> str:
    """A command's stored name."""
    return str(type(command).__struct_config__.tag)


def on_record(command: HouseCommand, refusal: Refusal) -> HouseRefused:
    """The refusal as an event for the trail."""
    told = about(command, refusal.clause)
    return HouseRefused(command=name_of(command), reason=refusal.reason, remedy=refusal.remedy, **told)
