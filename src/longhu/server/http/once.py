"""An id is for one thing: the same id with another content is a mistake of whoever asks, and must not look like success (REC-3).

What was asked lately is remembered here. What was asked before that, or of another node, is compared with what is stored: of a table
by `tables/repeats.py`, of accounts and the house by `people/book.py`.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict

import msgspec

REMEMBERED = 20_000
Use = tuple[str, str, str]  # a person, where they ask, and the id


class Ids:
    """What each id was used for lately: digests, never what was sent."""

    def __init__(self) -> None:
        self._used: OrderedDict[Use, bytes] = OrderedDict()

    def is_other(self, key: Use, content: object) -> bool:
        """Has this person used the id here for something else? If it is new, this is what it is for."""
        digest = hashlib.sha256(msgspec.json.encode(content)).digest()
        before = self._used.setdefault(key, digest)
        self._used.move_to_end(key)
        if len(self._used) > REMEMBERED:
            self._used.popitem(last=False)
        return before != digest

    def forget(self, key: Use) -> None:
        """It was for something else, by what is stored: then it is not for this."""
        self._used.pop(key, None)
