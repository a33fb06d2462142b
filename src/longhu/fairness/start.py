"""What is checked at every start, told one by one, and the proof that the checks can fail (RNG-7)."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple

from longhu.fairness.health import ALARM, FREQUENT, RUN, WINDOW, Health
from longhu.fairness.source import RandomSource, SourceFailed
from longhu.fairness.vectors import known_answers, vectors


class Check(NamedTuple):
    """One thing that was checked, and what was found."""

    check: str
    found: str
    passed: bool


def start_checks(read: Callable[[int], bytes] = os.urandom) -> list[Check]:
    """Known answers, the source itself, and the alarms: each is shown a broken source, and must go off."""
    wrong = known_answers()
    answers = Check("known answers of the shuffle", wrong or f"all {len(vectors())} agree", not wrong)
    return [answers, _source(read), *_alarms()]


def _source(read: Callable[[int], bytes]) -> Check:
    what = "the source at its start"
    try:
        RandomSource(read).secret()
    except SourceFailed as failed:
        return Check(what, str(failed), False)
    return Check(what, f"{2 * WINDOW} bytes and a secret without an alarm (false alarms: 2^-{ALARM} a test)", True)


def _alarms() -> list[Check]:
    favourite = bytes(0 if place % 4 == 0 else place % 255 + 1 for place in range(WINDOW))
    block = bytes(range(32))
    return [
        _alarm(f"alarm at {RUN} equal bytes in a row", bytes(RUN)),
        _alarm(f"alarm at {FREQUENT} equal bytes of {WINDOW}", favourite),
        _alarm("alarm at a block that comes twice", block, block),
    ]


def _alarm(what: str, *blocks: bytes) -> Check:
    problem = next(filter(None, map(Health().problem, blocks)), "")
    return Check(what, problem or "no alarm", bool(problem))
