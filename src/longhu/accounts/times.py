"""Spans of time in milliseconds, as all times are, and how messages tell them."""

from __future__ import annotations

from datetime import UTC, datetime

SECOND = 1000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
WEEK = 7 * DAY
MONTH = 31 * DAY  # the longest there is, so that no calendar month gets round a limit

LATEST = 253_402_300_799 * SECOND  # the last second of the year 9999


def whole_minute(at: int) -> int:
    """The first whole minute from then on, for messages: nobody waits for seconds."""
    return -(-at // MINUTE) * MINUTE


def moment(at: int) -> str:
    """A time to the minute; nobody waits for seconds.

    >>> moment(1794859203000)
    '2026-11-16 20:00 UTC'
    """
    return datetime.fromtimestamp(min(at, LATEST) // SECOND, UTC).strftime("%Y-%m-%d %H:%M UTC")


def duration(ms: int) -> str:
    """So long, in hours and minutes.

    >>> duration(5_400_000), duration(7_200_000), duration(0)
    ('1 h 30 min', '2 h', '0 min')
    """
    hours, minutes = divmod(ms // MINUTE, 60)
    if not hours:
        return f"{minutes} min"
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"
