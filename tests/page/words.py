"""What the page says, by its code: a text that is reworded changes no test."""

from __future__ import annotations

from typing import Any

from longhu.messages.localization import Localization
from longhu.messages.message import Message

LANGUAGES = {"en-GB": "en", "zh-CN": "zh-Hans", "zh-TW": "zh-Hant"}  # of the page, by the browser's


def t(code: str, locale: str = "en-GB", **values: Any) -> str:
    return Localization(LANGUAGES[locale]).text(Message(code, values))
