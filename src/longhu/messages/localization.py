"""Messages in a language: catalogues, and arguments in words.

>>> from longhu.messages.message import Message
>>> Localization("en").text(Message("list-of-two", {"first": "Player", "second": "Banker"}))
'Player and Banker'
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files

from longhu.messages.icu import Pattern, format_message, parse
from longhu.messages.message import CODES, LISTS, OR_LISTS, Argument, Message, message_code
from longhu.money import UNSTATED, Currency, show
from longhu.texts import LANGUAGES

SUITS = str.maketrans("SHDC", "♠♥♦♣")
LIST_OF_TWO = message_code("list-of-two", first="text", second="text")
LIST_OF_MORE = message_code("list-of-more", first="text", second="text")
EITHER_OF_TWO = message_code("either-of-two", first="text", second="text")
DURATION_HOURS = message_code("duration-hours", hours="number")
DURATION_MINUTES = message_code("duration-minutes", minutes="number")
NUMBERED_PATRON = message_code("numbered-patron", number="text")
NOMINEE_OF_PATRON = message_code("nominee-of-patron", number="text")
SPOT = message_code("spot", place="number", number="number")
SOMEBODY = message_code("somebody")

Names = Callable[[str, str], str]  # the name of a wager, a hand or a game (the kind, the id)


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """Every sentence of a language, by its code."""
    found = files("longhu.messages").joinpath(f"{language}.json").read_text(encoding="utf-8")
    sentences: Mapping[str, str] = json.loads(found)
    return sentences


@cache
def _pattern(language: str, code: str) -> Pattern:
    return parse(catalogue(language)[code])


def _id(_kind: str, id: str) -> str:
    return id


class Localization:
    """Says messages in one language, with the names that a game file gives and the currency of the house."""

    def __init__(self, language: str = "en", names: Names = _id, currency: Currency = UNSTATED) -> None:
        if language not in LANGUAGES:
            raise ValueError(f"Unknown language {language!r}. Known: {', '.join(LANGUAGES)}.")
        self.language, self._names, self._currency = language, names, currency

    def text(self, message: Message) -> str:
        """The message as a sentence."""
        kinds = CODES[message.code].kinds if message.code in CODES else {}
        values = {name: self._value(kinds.get(name, "text"), value) for name, value in message.args.items()}
        return format_message(_pattern(self.language, message.code), values, self.language)

    def _value(self, kind: str, value: Argument) -> str | int:
        """What is put into a sentence: numbers and choices as they are, for plurals and selections; the rest in words."""
        if isinstance(value, list):
            joined = EITHER_OF_TWO if kind in OR_LISTS else LIST_OF_TWO
            kind = OR_LISTS.get(kind) or LISTS.get(kind, "text")
            return self._list([str(self._value(kind, each)) for each in value], joined.code, " " * (kind == "card"))
        if isinstance(value, Message):
            return self.text(value)
        if kind == "number":
            return value
        if kind == "choice":
            return str(value).replace("-", "_")  # names of branches have no hyphens
        return self._word(kind, value)

    def _word(self, kind: str, value: int | str) -> str:
        if kind == "money":
            return self.money(int(value))
        if kind == "time":
            return datetime.fromtimestamp(int(value) / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
        if kind == "duration":
            return self._duration(int(value))
        if kind == "percent":
            return f"{value}%"
        if kind == "card":
            return str(value).translate(SUITS)
        if kind in ("wager", "hand", "game"):
            return self.name(kind, str(value))
        if kind == "person":
            return self._person(str(value))
        if kind in ("position", "command", "reason"):
            return catalogue(self.language).get(f"{kind}.{value}", str(value))
        return str(value)

    def name(self, kind: str, id: str) -> str:
        """The name of a wager, a hand or a game."""
        return self._names(kind, id)

    def _person(self, name: str) -> str:
        """Somebody by name; in public by position, or by the number of the visit: #7, and #7 nominee; a spot as it is: @3.2."""
        number, _, nominee = name.removeprefix("#").partition(" ")
        if name.startswith("#"):
            return self.text((NOMINEE_OF_PATRON if nominee else NUMBERED_PATRON)(number=number))
        if name.startswith("@"):
            place, _, number = name[1:].partition(".")
            return self.text(SPOT(place=int(place), number=int(number)))
        return (
            self.text(SOMEBODY()) if name == SOMEBODY.code else catalogue(self.language).get(f"position.{name}", name)
        )

    def money(self, amount: int) -> str:
        """An amount in a sentence: 1,250.50, and 1,250 where nothing is behind the point."""
        whole, point, decimals = self.exact_money(amount).partition(".")
        return f"{whole}{point}{decimals}" if decimals.strip("0") else whole

    def exact_money(self, amount: int) -> str:
        """An amount in a column: 1,250.00."""
        whole, point, decimals = show(abs(amount), self._currency).partition(".")
        sign = "\u2212" if amount < 0 else ""
        return f"{sign}{int(whole):,}{point}{decimals}"

    def _duration(self, minutes: int) -> str:
        """Hours and minutes: 1 h 30 min, 2 h, 0 min."""
        hours, rest = divmod(minutes, 60)
        parts = [DURATION_HOURS(hours=hours)] if hours else []
        if rest or not hours:
            parts.append(DURATION_MINUTES(minutes=rest))
        return " ".join(map(self.text, parts))

    def _list(self, words: Sequence[str], last: str, separator: str = "") -> str:
        if separator or len(words) < 2:
            return separator.join(words)
        *before, ultimate = words
        joined = before[0]
        for word in before[1:]:
            joined = self._pair(LIST_OF_MORE.code, joined, word)
        return self._pair(last, joined, ultimate)

    def _pair(self, code: str, first: str, second: str) -> str:
        return format_message(_pattern(self.language, code), {"first": first, "second": second}, self.language)


def english(message: Message | None) -> str:
    """A message in English, with ids where a game file has names; "" where there is none."""
    return "" if message is None else Localization().text(message)
