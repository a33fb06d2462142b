"""How messages put things: the nearest name, a list of names, a value that may be anything."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

NAMES_MAX, NEAR_MAX = 40, 600  # how many names are listed, and how many are compared


def suggest(found: str, possible: Iterable[str]) -> str:
    """What to say of a name that does not exist: the nearest one, and all.

    >>> suggest("bankr", ["player", "banker"])
    " Did you mean 'banker'? Possible: player, banker"
    """
    names = list(possible)
    near = nearest(found, names)
    hint = f" Did you mean {near!r}?" if near else ""
    return f"{hint} Possible: {enumerated(names) or 'none'}"


def enumerated(names: Sequence[str]) -> str:
    """As many names as anybody reads.

    >>> enumerated(["player", "banker"])
    'player, banker'
    """
    more = ", …" if len(names) > NAMES_MAX else ""
    return ", ".join(name[:60] for name in names[:NAMES_MAX]) + more


def nearest(found: str, possible: Sequence[str]) -> str:
    """The name that is nearest to what was written; "" where none is near.

    >>> nearest("bankr", ["player", "banker"])
    'banker'
    """
    from difflib import get_close_matches  # only when something is wrong: it costs start-up time

    return next(iter(get_close_matches(found[:80], possible[:NEAR_MAX], 1, 0.6)), "")


def listed(names: Sequence[str], joined: str = "and") -> str:
    """
    >>> listed(["Dragon", "Tiger", "Tie"], "or")
    'Dragon, Tiger or Tie'
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {joined} {names[-1]}"


def shown(value: object, most: int = 24) -> str:
    """A value as it was written, cut short where it is long.

    >>> shown("5" * 100)
    "'5555555555555555555555…"
    """
    if isinstance(value, int) and value.bit_length() > 256:
        return f"a number of {value.bit_length()} bits"
    text = repr(value) if not isinstance(value, str) or len(value) <= most else repr(value[:most])
    return text if len(text) <= most else text[: most - 1] + "…"
