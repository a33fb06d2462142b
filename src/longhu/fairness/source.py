"""Where secrets come from: the operating system's generator, watched from the first byte to the last (RNG-1, RNG-7).

The only call site of chance behind a shuffle. A source that has failed once gives nothing any more.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from longhu.fairness.health import WINDOW, Health
from longhu.fairness.shuffle import SECRET_BYTES
from longhu.fairness.vectors import known_answers

PROBLEMS = DIFFERS, TOO_LITTLE, NOT_RANDOM = ("shuffle-differs", "source-gave-too-little", "source-not-random")


class SourceFailed(RuntimeError):
    """The source of chance is not to be trusted: no shuffle is made from it, and the table is suspended."""

    def __init__(self, problem: str, detail: str) -> None:
        self.problem = problem  # one of PROBLEMS, for records
        super().__init__(f"the source of chance has failed: {detail}. Suspend the table, and replace the source.")


class RandomSource:
    """Secrets for shuffles; tested before the first, and with each."""

    def __init__(self, read: Callable[[int], bytes] = os.urandom) -> None:
        self._read, self._health = read, Health()
        self._failed: SourceFailed | None = None
        wrong = known_answers()
        if wrong:
            self._fail(DIFFERS, f"the shuffle does not give what it must: {wrong}")
        self.bytes(2 * WINDOW)  # the tests at the start; what they looked at is used for nothing

    def secret(self) -> bytes:
        """The secret of one shuffle, never given twice."""
        return self.bytes(SECRET_BYTES)

    def bytes(self, count: int) -> bytes:
        """So many bytes, none of which an alarm was raised about."""
        if self._failed:
            raise self._failed
        chance = self._read(count)
        if len(chance) != count:
            self._fail(TOO_LITTLE, f"{len(chance)} bytes came instead of {count}")
        problem = self._health.problem(chance)
        if problem:
            self._fail(NOT_RANDOM, problem)
        return chance

    def _fail(self, problem: str, detail: str) -> None:
        self._failed = SourceFailed(problem, detail)
        raise self._failed
