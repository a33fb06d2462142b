"""The part of ICU MessageFormat that the catalogues use: arguments, numbers, plurals and selections.

    {wager}                                            an argument, in words
    {n, number}                                        a whole number with its separators
    {n, plural, =0 {no cards} one {# card} other {# cards}}
    {result, select, win {wins} other {loses}}

The page formats the same files with intl-messageformat, and the suite compares both with ICU itself on every message.
An apostrophe quotes only before a brace (`'{'`), and in a plural before `#`; doubled it is always an apostrophe.

>>> format_message(parse("{n, plural, one {# card} other {# cards}} left"), {"n": 1500}, "en")
'1,500 cards left'
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_ARGUMENT = re.compile(r"\s*([A-Za-z][A-Za-z0-9_]*)\s*([,}])\s*")
_TYPE = re.compile(r"([a-z]+)\s*([,}])\s*")
_BRANCH = re.compile(r"\s*(=\d+|[A-Za-z][A-Za-z0-9_]*)\s*\{")
_END = re.compile(r"\s*\}")


class PatternError(ValueError):
    """A text that is not MessageFormat, with the reason."""


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A place in a sentence: a simple argument, a number, a plural or a selection."""

    name: str
    type: str  # "", "number", "plural" or "select"
    branches: Mapping[str, Pattern]


Pattern = tuple[
    "str | Placeholder", ...
]  # "#" stands as a place of type "number" that names the argument of its plural


def parse(text: str) -> Pattern:
    """The parts of a sentence."""
    pattern, end = _parts(text, 0, "")
    if end != len(text):
        raise PatternError(f"an unmatched }} at character {end + 1} of {text!r}")
    return pattern


def _parts(text: str, at: int, plural: str) -> tuple[Pattern, int]:
    parts: list[str | Placeholder] = []
    words: list[str] = []

    def keep() -> None:
        if words:
            parts.append("".join(words))
            words.clear()

    special = "{}#" if plural else "{}"
    while at < len(text) and text[at] != "}":
        letter = text[at]
        if letter == "'" and text[at + 1 : at + 2] == "'":
            words.append("'")
            at += 2
        elif letter == "'" and at + 1 < len(text) and text[at + 1] in special:
            end = text.find("'", at + 1)
            if end < 0:
                raise PatternError(f"a quotation that does not end in {text!r}")
            words.append(text[at + 1 : end])
            at = end + 1
        elif letter == "{":
            keep()
            place, at = _place(text, at + 1)
            parts.append(place)
        elif letter == "#" and plural:
            keep()
            parts.append(Placeholder(plural, "number", {}))
            at += 1
        else:
            words.append(letter)
            at += 1
    keep()
    return tuple(parts), at


def _place(text: str, at: int) -> tuple[Placeholder, int]:
    found = _ARGUMENT.match(text, at)
    if not found:
        raise PatternError(f"no name of an argument at character {at + 1} of {text!r}")
    name, at = found[1], found.end()
    if found[2] == "}":
        return Placeholder(name, "", {}), found.end(2)
    typed = _TYPE.match(text, at)
    if not typed or typed[1] not in ("number", "plural", "select"):
        raise PatternError(f"argument {name} of {text!r}: expected number, plural or select")
    if typed[1] == "number":
        if typed[2] != "}":
            raise PatternError(f"argument {name} of {text!r}: a number takes no style here")
        return Placeholder(name, "number", {}), typed.end(2)
    if typed[2] == "}":
        raise PatternError(f"argument {name} of {text!r}: a {typed[1]} needs branches")
    branches: dict[str, Pattern] = {}
    at = typed.end()
    while branch := _BRANCH.match(text, at):
        branches[branch[1]], end = _parts(text, branch.end(), name if typed[1] == "plural" else "")
        if text[end : end + 1] != "}":
            raise PatternError(f"branch {branch[1]} of argument {name} does not end in {text!r}")
        at = end + 1
    closed = _END.match(text, at)
    if not closed:
        raise PatternError(f"argument {name} of {text!r}: expected a branch or }} at character {at + 1}")
    if "other" not in branches:
        raise PatternError(f"argument {name} of {text!r} has no branch 'other'")
    return Placeholder(name, typed[1], branches), closed.end()


def places(pattern: Pattern) -> Iterator[Placeholder]:
    """Every place of a sentence, those within branches included."""
    for part in pattern:
        if isinstance(part, Placeholder):
            yield part
            for branch in part.branches.values():
                yield from places(branch)


def format_message(pattern: Pattern, values: Mapping[str, str | int], language: str) -> str:
    """The sentence; a value that is missing is a defect."""
    return "".join(part if isinstance(part, str) else _said(part, values, language) for part in pattern)


def _said(place: Placeholder, values: Mapping[str, str | int], language: str) -> str:
    value = values[place.name]
    if place.type == "":
        return str(value)
    if place.type == "number":
        return f"{int(value):,}"
    if place.type == "select":
        branch = place.branches.get(str(value))
    else:
        branch = place.branches.get(f"={value}")
        branch = place.branches.get(_plural(int(value), language)) if branch is None else branch
    return format_message(place.branches["other"] if branch is None else branch, values, language)


def _plural(number: int, language: str) -> str:
    """The plural category of a whole number (CLDR): English has two, Chinese one."""
    return "one" if language == "en" and number == 1 else "other"
