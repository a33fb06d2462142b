"""The [translations] sections: names and sentences of the file in further languages, keyed by their English.

[translations.zh-Hans]
"Dragon wins" = "龙赢"
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from longhu.games.reader import MUST_BE, Node, kind
from longhu.games.source import FileMistake, FileSource
from longhu.messages.message import message_code
from longhu.texts import ENGLISH, LANGUAGES, SIMPLIFIED, Text
from longhu.wording import shown

if TYPE_CHECKING:
    from longhu.games.game import Game

SECTION = "translations"
TRANSLATED_TWICE = message_code("file-translated-twice", text="text", section="text")
ENGLISH_STANDS_IN_FILE = message_code("file-english-stands-in-file", tag="text")
NO_SUCH_LANGUAGE = message_code("file-no-such-language", tag="text")
NOTHING_TRANSLATED = message_code("file-nothing-translated", language="text")
NOT_TRANSLATED = message_code("file-not-translated", text="text", language="text")
TRANSLATED_UNSAID = message_code("file-translated-unsaid", text="text", language="text")
TEXTS_MAX = 5_000  # in one language
_TAG = re.compile(r"[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|[0-9]{3}))?")


def read_text(node: Node) -> Text:
    """A name or a sentence: `"Player"`, or with its Simplified Chinese `{ en = "Player", zh = "闲" }`."""
    if isinstance(node.value, str):
        return _translated(node.source, node.text())
    if not isinstance(node.value, dict):
        node.fail(MUST_BE(key=node.place_name, what="text-or-translated", found=kind(node.value)))
    node.table(["en"], ["zh"])
    text, zh = _translated(node.source, node.need("en").text()), node.get("zh")
    if zh is None:
        return text
    if text.into(SIMPLIFIED) not in ("", zh.text()):
        zh.fail(TRANSLATED_TWICE(text=repr(text.en), section=f"[{SECTION}.{SIMPLIFIED}]"))
    return Text(text.en, {SIMPLIFIED: zh.text(), **text.translations})


def _translated(source: FileSource, en: str) -> Text:
    sections = source.data.get(SECTION)
    tables = sections.items() if isinstance(sections, dict) else ()
    found = {tag: table.get(en) for tag, table in tables if isinstance(table, dict)}
    return Text(en, {tag: text for tag, text in found.items() if isinstance(text, str)})


def read_translations(node: Node | None) -> None:
    """Note what is wrong with the tables; the texts themselves look up their translations."""
    for tag, table in node.items() if node else []:
        if tag == ENGLISH or not _TAG.fullmatch(tag):
            table.note((ENGLISH_STANDS_IN_FILE if tag == ENGLISH else NO_SUCH_LANGUAGE)(tag=shown(tag)), key=True)
        for _, text in table.attempt(partial(table.items, TEXTS_MAX)) or []:
            text.attempt(text.text)


def _strings(data: object) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list):
        for each in data.values() if isinstance(data, dict) else data:
            yield from _strings(each)


def gaps(game: Game, source: FileSource) -> Iterator[tuple[str, FileMistake]]:
    """What is not translated, and translations of what the file does not say, by language."""
    written = set(_strings(source.data))
    texts = {text.en: text for text in game.texts if text.en in written}  # not those that the program supplies
    tables = source.data.get(SECTION, {})
    for language in dict.fromkeys((*LANGUAGES[1:], *tables)):
        path = (SECTION, language)
        missing = [en for en, text in texts.items() if not text.into(language)]
        if len(missing) == len(texts):
            yield language, FileMistake(source.key_place(path), NOTHING_TRANSLATED(language=language))
            continue
        for en in missing:
            yield language, FileMistake(source.key_place(path), NOT_TRANSLATED(text=shown(en, 120), language=language))
        for en in tables.get(language, {}):
            if en not in texts:
                unsaid = TRANSLATED_UNSAID(text=shown(en, 120), language=language)
                yield language, FileMistake(source.key_place((*path, en)), unsaid)
