"""A game file written anew after changes: what was not changed stays as it stands, comments and columns included."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import tomlkit

from longhu.games.changes import GameChange, changed


def rewritten(text: str, changes: Sequence[GameChange]) -> str:
    """The text of a file, which must be valid TOML, after the changes."""
    if not changes:
        return text
    document = tomlkit.parse(text)
    changed(document, changes, made=_item)
    return tomlkit.dumps(document)


def _item(value: Any) -> Any:
    """A value as our files write it: tables in one line, with a space inside the braces."""
    return tomlkit.parse(f"value = {written(value)}")["value"]


def written(value: Any) -> str:
    """TOML for a value of a change.

    >>> written({"says": "Tie", "when": "tie", "pays": "8:1"})
    '{ says = "Tie", when = "tie", pays = "8:1" }'
    """
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {written(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return _quoted(value) if isinstance(value, str) else str(value)


def _key(key: str) -> str:
    bare = key and key.isascii() and all(each.isalnum() or each in "-_" for each in key)
    return key if bare else _quoted(key)


def _quoted(text: str) -> str:
    """JSON's escapes are TOML's as well, save that TOML wants DEL escaped too."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
