"""The digest that identifies a game: the same for every file that says the same.

The canonical form is the file's content as JSON with sorted keys and no spaces; comments, layout and the
order of keys do not count, nor does spacing inside an expression. The order of wagers and lines does.
"""

from __future__ import annotations

import hashlib
import json
from datetime import date, datetime, time
from typing import Any

from longhu.games.when import tokens


def canonical(data: Any) -> bytes:
    return json.dumps(_plain(data), sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def digest(data: Any) -> str:
    """SHA-256 of the canonical form, in hexadecimal."""
    return hashlib.sha256(canonical(data)).hexdigest()


def _plain(data: Any, path: tuple[str, ...] = ()) -> Any:
    match data:
        case dict():
            return {name: _plain(value, (*path, name)) for name, value in data.items()}
        case list():
            return [_plain(value, path) for value in data]
        case datetime() | date() | time():
            return data.isoformat()
        case str() if path == ("wager", "lines", "when") or (path[:1] == ("terms",) and path[2:] == ("means",)):
            return " ".join(token.text for token in tokens(data))
        case _:
            return data
