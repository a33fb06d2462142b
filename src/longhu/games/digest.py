"""The digest that identifies a game: the same for every file that plays and pays the same by the same clauses.

The canonical form is the file's content as JSON with sorted keys and no spaces, without names, sentences and
translations. Comments, layout and the order of keys do not count, nor does spacing inside an expression. The order of
wagers and lines does, and so do clause ids: every record cites one.
"""

from __future__ import annotations

import hashlib
import json
from datetime import date, datetime, time
from typing import Any

from longhu.games.when import tokens

Path = tuple[str, ...]
WORDS: frozenset[Path] = frozenset({
    ("translations",), ("game", "name"), ("deal", "hands", "name"), ("wager", "name"), ("wager", "label"),
    ("wager", "lines", "says"), ("wager", "otherwise", "says"), ("layout", "name"), ("method", "name"),
    ("reading", "asks"), ("reading", "takes"), ("reading", "because"),
})  # fmt: skip


def canonical(data: Any) -> bytes:
    return json.dumps(_plain(data), sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def digest(data: Any) -> str:
    """SHA-256 of the canonical form, in hexadecimal."""
    return hashlib.sha256(canonical(data)).hexdigest()


def _plain(data: Any, path: Path = ()) -> Any:
    match data:
        case dict():
            inside = {
                name: _plain(value, (*path, name)) for name, value in data.items() if not _is_words((*path, name))
            }
            if path == ("wager",) and inside.get("otherwise") == {}:
                del inside["otherwise"]  # it had nothing but words
            return inside
        case list():
            return [_plain(value, path) for value in data]
        case datetime() | date() | time():
            return data.isoformat()
        case str() if _is_option(path):
            return {}  # an option that is nothing but its words
        case str() if path == ("wager", "lines", "when") or (path[:1] == ("terms",) and path[2:] == ("means",)):
            return " ".join(token.text for token in tokens(data))
        case _:
            return data


def _is_words(path: Path) -> bool:
    return path in WORDS or (_is_option(path[:-1]) and path[-1] == "says")


def _is_option(path: Path) -> bool:
    return path[:2] == ("reading", "options") and len(path) == 3
