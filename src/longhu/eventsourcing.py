"""Event sourcing, for tables, for accounts and for the house's own log: a stream of events is the only truth about its state.

- `decide` judges a command against a state and changes nothing: it returns events, or a `Refusal`.
- `evolve` applies an event to a state and judges nothing: history is replayed, never tried again under newer rules.
- `replay` applies many events, one after the other.
- `Codec` writes and reads records of events as JSON. Their stored names, the tags, are chosen for keeps; old shapes are read by
  `upcasting`.

Each area keeps its commands and events beside the functions that judge and apply them, and registers both in the
`Register` of its kind of stream. Nothing here knows a clock, chance or a disk: time and identity come in with a command.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any, ClassVar, Generic, TypeVar, Union

import msgspec

from longhu.ledger import Transaction, postings_of
from longhu.messages.localization import english
from longhu.messages.message import Message, message_code
from longhu.positions import Position
from longhu.upcasting import upcast

NOT_ASKED_HERE = message_code("not-asked-here")


class Command(msgspec.Struct, frozen=True, kw_only=True, tag_field="command"):
    """Something that somebody asks for."""

    needs: ClassVar[Position] = Position.PATRON  # the lowest position that may ask for it
    also_by: ClassVar[tuple[Position, ...]] = ()  # positions outside the ladder that may ask for it as well
    open_to: ClassVar[frozenset[Position]]  # all of these
    blind: ClassVar[bool] = (
        False  # what would follow is told to nobody beforehand: a count is held against what it should be
    )

    by: str  # a person
    at: int  # milliseconds, UTC
    position: Position = Position.PATRON  # the position in which the person acts

    def __init_subclass__(cls) -> None:
        cls.open_to = frozenset([each for each in Position if each >= cls.needs] + [*cls.also_by])


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", gc=False):
    """Something that happened."""

    by: str = ""
    at: int = 0
    position: Position = Position.PATRON
    clause: str = ""

    def transactions(self) -> tuple[Transaction, ...]:
        """The money that it moved."""
        return ()

    def postings(self) -> list[tuple[str, int]]:
        """The postings of these transactions: account and amount."""
        return postings_of(self.transactions())


class Refusal(msgspec.Struct, frozen=True):
    """Someone asked for what the rules do not allow: which rule, what was found, what can be done."""

    reason: Message
    remedy: Message | None = None  # what can be done
    clause: str = ""

    def __str__(self) -> str:
        cited = f" ({self.clause})" if self.clause else ""
        reason, remedy = (english(each).rstrip(".") for each in (self.reason, self.remedy))
        return f"Refused{cited}: {reason}." + (f"\n{remedy}." if remedy else "")


Decision = list[Event] | Refusal
S = TypeVar("S")  # the state of a stream
R = TypeVar("R")  # the rules that commands are judged by: a game, or a house's policy
C = TypeVar("C", bound=Command)  # its commands
E = TypeVar("E", bound=Event)  # its events
SomeC = TypeVar("SomeC", bound=Command)  # one kind of these commands
SomeE = TypeVar("SomeE", bound=Event)
T = TypeVar("T")
Decider = Callable[[S, R, C], list[E] | Refusal]
Evolver = Callable[[S, E], S]


class Register(Generic[S, R, C, E]):
    """The commands and events of one kind of stream, each with the function that judges or applies it."""

    def __init__(self) -> None:
        self.deciders: dict[type[C], Decider[S, R, Any, E]] = {}
        self.evolvers: dict[type[E], Evolver[S, Any]] = {}

    def decides(self, command: type[SomeC]) -> Callable[[Decider[S, R, SomeC, E]], Decider[S, R, SomeC, E]]:
        """Register the function that judges a command."""

        def register(function: Decider[S, R, SomeC, E]) -> Decider[S, R, SomeC, E]:
            self.deciders[command] = function  # type: ignore[index]  # SomeC is a C, which Python cannot say
            return function

        return register

    def evolves(self, *events: type[SomeE]) -> Callable[[Evolver[S, SomeE]], Evolver[S, SomeE]]:
        """Register the function that applies an event, or several."""

        def register(function: Evolver[S, SomeE]) -> Evolver[S, SomeE]:
            for event in events:
                self.evolvers[event] = function  # type: ignore[index]  # SomeE is an E, which Python cannot say
            return function

        return register

    def decide(self, state: S, rules: R, command: C) -> list[E] | Refusal:
        """What happens when somebody asks for this: events, or the reason why not."""
        decider = self.deciders.get(type(command))
        return decider(state, rules, command) if decider else Refusal(NOT_ASKED_HERE(), clause="SEC-1")

    def evolve(self, state: S, event: E) -> S:
        """The state after an event."""
        return self.evolvers[type(event)](state, event)


def replay(evolve: Evolver[S, E], state: S, events: Iterable[E]) -> S:
    """The state after many events."""
    return reduce(evolve, events, state)


def about(command: Command, clause: str = "") -> dict[str, Any]:
    """Who, when, in which position and by which rule: what an event takes from the command behind it."""
    return {"by": command.by, "at": command.at, "position": command.position, "clause": clause}


def stored_name(message: Command | Event | type[Command] | type[Event]) -> str:
    """The name of a command or an event in records, with the version of its shape: `place-wager/1`."""
    return str(message.__struct_config__.tag)


def name_of(message: Command | Event | type[Command] | type[Event]) -> str:
    """Its name everywhere else, without the version: on the wire, in scenarios, in messages."""
    return stored_name(message).partition("/")[0]


def any_of(messages: Iterable[type[Command] | type[Event]]) -> Any:
    """The type of a field that holds one of these, told apart by their stored names."""
    return Union[tuple(messages)]  # noqa: UP007


class Codec(Generic[T]):
    """Values of one type as lines of JSON, without the end of the line. Commands and events of old shapes are read, too."""

    def __init__(self, kind: type[T]) -> None:
        self._kind = kind
        self._decoder, self._encoder = msgspec.json.Decoder(kind), msgspec.json.Encoder()
        self.encode: Callable[[T], bytes] = self._encoder.encode

    def decode(self, line: bytes) -> T:
        """The value that a line holds; `msgspec.MsgspecError` where it holds none."""
        try:
            try:
                return self._decoder.decode(line)
            except msgspec.ValidationError as error:
                return self._upcast(line, error)
        except (UnicodeDecodeError, RecursionError) as error:
            raise msgspec.DecodeError(str(error)) from None

    def _upcast(self, line: bytes, error: msgspec.ValidationError) -> T:
        """A line with something of an old shape; the same error where all of it is of today's."""
        stored = msgspec.json.decode(line)
        try:
            today = upcast(stored)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as wrong:  # no such old shape
            raise msgspec.ValidationError(f"{type(wrong).__name__}: {wrong}") from None
        if today == stored:
            raise error
        return msgspec.convert(today, self._kind, str_keys=True)

    def is_canonical(self, value: T, line: bytes) -> bool:
        """Is the line written in the one way in which it can be, in today's shape or in an old one?"""
        if self.encode(value) == line:
            return True
        stored = msgspec.json.decode(line)
        today = upcast(stored)
        same_json = today != stored and self._encoder.encode(stored) == line
        return same_json and self._encoder.encode(today) == self.encode(value)
