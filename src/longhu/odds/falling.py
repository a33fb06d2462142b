"""Falling factorials: how many ways there are to draw cards one after the other."""

from __future__ import annotations

from math import perm


def falling(count: int, length: int) -> int:
    """Ordered draws of `length` cards from `count`; none when there are too few.

    >>> falling(416, 6)
    4998398275503360
    """
    return perm(count, length) if length >= 0 else 0


def behind(left: int, drawn: int, dealt: int) -> int:
    """In how many ways the cards behind a round can lie, when it took `drawn` of the `dealt` that are counted.

    None when the shoe that is left does not hold so many.
    """
    return perm(left - drawn, dealt - drawn) if drawn <= dealt else 0
