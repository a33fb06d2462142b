"""What to say when somebody writes a name that does not exist."""

from __future__ import annotations

from collections.abc import Iterable


def suggest(found: str, possible: Iterable[str]) -> str:
    """The nearest name, and all names.

    >>> suggest("bankr", ["player", "banker"])
    " Did you mean 'banker'? Possible: player, banker"
    """
    from difflib import get_close_matches  # only when something is wrong: it costs start-up time

    listed = list(possible)
    near = get_close_matches(found[:80], listed, 1, 0.6)
    return (f" Did you mean {near[0]!r}?" if near else "") + f" Possible: {', '.join(listed) or 'none'}"
