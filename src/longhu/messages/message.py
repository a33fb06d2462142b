"""Messages: a code and its arguments, in place of a sentence.

Records, the API and the WebSocket carry messages. Sentences are in the catalogues, one file for each language, so a sentence can be
reworded or translated without a change to anything that is stored.

A code is declared once, beside the rule that says it, with the kind of each argument:

>>> BELOW_MINIMUM = message_code("example-below-minimum", wager="wager", minimum="money")
>>> BELOW_MINIMUM(wager="tie", minimum=500)
Message(code='example-below-minimum', args={'wager': 'tie', 'minimum': 500})

Codes are chosen for keeps: they are stored. An argument is added freely; to change what one means takes a new code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Union

import msgspec

KINDS: Final = {
    "money": "an amount in minor units",
    "number": "a whole number; in a sentence it is {n, number} or a plural",
    "percent": "a decimal number as text, in hundredths",
    "choice": "one of a few words; in a sentence it is a select, with _ for -",
    "person": "the name of a person, as accounts and tables have it",
    "wager": "the id of a wager, named by the game file",
    "hand": "the id of a hand, named by the game file",
    "game": "the id of a game, named by the game file",
    "position": "the word of a position, named by the catalogue",
    "command": "the stored name of a command, named by the catalogue",
    "card": "a card, as in 5D",
    "time": "an instant in milliseconds, UTC",
    "duration": "a number of minutes",
    "text": "what a person typed, or an id: said as it is",
    "reason": "why, as a person typed it, or a `program_reason` named by the catalogue",
    "message": "another message",
}
LISTS: Final = {f"{kind}s": kind for kind in KINDS if kind not in ("money", "choice")}  # joined by "and"
OR_LISTS: Final = {f"any {kind}": kind for kind in LISTS.values()}  # joined by "or"

Argument = Union[int, str, "Message", list[Union[int, str, "Message"]]]


class Message(msgspec.Struct, frozen=True, gc=False):
    """Something to say: a code, and an argument for each place in its sentence."""

    code: str
    args: dict[str, Argument] = {}

    def __hash__(self) -> int:  # of the code alone: arguments may hold lists
        return hash(self.code)

    def with_persons(self, change: Callable[[str], str]) -> Message:
        """The same message with each person's name replaced."""
        kinds = CODES[self.code].kinds if self.code in CODES else {}
        return Message(self.code, {name: _changed(kinds.get(name, ""), arg, change) for name, arg in self.args.items()})


def _changed(kind: str, arg: Any, change: Callable[[str], str]) -> Any:
    if isinstance(arg, list):
        return [_changed(LISTS.get(kind) or OR_LISTS.get(kind, ""), each, change) for each in arg]
    if isinstance(arg, Message):
        return arg.with_persons(change)
    return change(arg) if kind == "person" else arg


class MessageCode:
    """A declared code; call it with its arguments to make a message."""

    __slots__ = ("code", "kinds")

    def __init__(self, code: str, kinds: Mapping[str, str]) -> None:
        self.code, self.kinds = code, kinds

    def __call__(self, **args: Any) -> Message:
        if args.keys() != self.kinds.keys():
            expected = ", ".join(sorted(self.kinds)) or "none"
            raise TypeError(f"message {self.code}: found arguments {sorted(args)}, expected {expected}")
        return Message(
            self.code, {name: list(value) if isinstance(value, tuple) else value for name, value in args.items()}
        )

    def __repr__(self) -> str:
        return f"MessageCode({self.code!r}, {dict(self.kinds)})"


CODES: dict[str, MessageCode] = {}  # every code that was declared in a module imported so far


REASONS: set[str] = set()  # every reason of the program that was declared in a module imported so far


def program_reason(word: str) -> str:
    """Declare a reason that the program gives where a person would type one; catalogues name it `reason.…`."""
    REASONS.add(word)
    return word


def message_code(code: str, **kinds: str) -> MessageCode:
    """Declare a code and the kinds of its arguments."""
    if unknown := set(kinds.values()) - KINDS.keys() - LISTS.keys() - OR_LISTS.keys():
        raise ValueError(f"message {code}: unknown kind {sorted(unknown)}. Known: {', '.join(KINDS)}")
    if code in CODES:
        raise ValueError(f"message {code} is declared twice. Import the first declaration.")
    CODES[code] = MessageCode(code, kinds)
    return CODES[code]
