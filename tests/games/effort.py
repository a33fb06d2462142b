"""How much work a text may cause, counted rather than timed."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import pytest


class TooMuchWork(AssertionError):
    """A small text that would keep the reader busy for long."""


@contextmanager
def told_briefly() -> Iterator[None]:
    """Fail without a traceback and without what came before: what takes long to read takes as long to print."""
    try:
        yield
    except TooMuchWork as too_much:
        message = f"{too_much}: the work grows much faster than the text"
        raise pytest.fail.Exception(message, pytrace=False) from None


@contextmanager
def at_most_calls(most: int) -> Iterator[None]:
    """Fail after so many function calls, on a slow machine and a fast one alike."""
    calls = 0

    def count(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal calls
        if event == "call":
            calls += 1
            if calls > most:
                sys.setprofile(None)
                raise TooMuchWork(f"more than {most} calls")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        with told_briefly():
            yield
    finally:
        sys.setprofile(before)


@contextmanager
def at_most_seconds(most: float) -> Iterator[None]:
    """Fail when a single call into C, such as a regular expression, does not come back.

    Only for work that takes a hundredth of this when it is linear in the size of the text.
    """

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise TooMuchWork(f"more than {most} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, most)
    try:
        with told_briefly():
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
