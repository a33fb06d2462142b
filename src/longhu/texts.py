"""Names and sentences that a game file gives, in English and in the languages that it is translated into."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NotRequired, TypedDict, cast

ENGLISH = "en"
SIMPLIFIED = "zh-Hans"
TRADITIONAL = "zh-Hant"
LANGUAGES = (ENGLISH, SIMPLIFIED, TRADITIONAL)  # in which everything of ours can be read


Names = TypedDict(
    "Names", {"en": str, "zh-Hans": NotRequired[str], "zh-Hant": NotRequired[str]}
)  # of one thing, as JSON has them


@dataclass(frozen=True, slots=True)
class Text:
    """What people read: the English of the file, and its translations by language tag."""

    en: str
    translations: Mapping[str, str] = field(default_factory=dict, hash=False)

    def into(self, language: str) -> str:
        """The text in this language; "" where it is not translated."""
        return self.en if language == ENGLISH else self.translations.get(language, "")

    @property
    def by_language(self) -> Names:
        """As JSON has it: `{"en": "Tie", "zh-Hans": "和", "zh-Hant": "和"}`."""
        return cast("Names", {ENGLISH: self.en, **self.translations})

    def __str__(self) -> str:
        """As a cloth prints it: English, then Chinese."""
        return f"{self.en} {chinese}" if (chinese := self.into(SIMPLIFIED)) else self.en
