"""The one source of chance: the operating system's, tested from the first byte, silent once it has failed."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from collections.abc import Callable

import msgspec
import pytest

from longhu.fairness import vectors
from longhu.fairness.health import WINDOW
from longhu.fairness.shuffle import SECRET_BYTES
from longhu.fairness.source import RandomSource, SourceFailed
from tests.fairness.test_health import sound


class Tape:
    """Sound bytes, and a record of what was asked; `then` takes over after so many reads."""

    def __init__(self, good: int = 10**9, then: Callable[[int], bytes] = bytes) -> None:
        self.asked: list[int] = []
        self.gave: list[bytes] = []
        self._good, self._then = good, then

    def __call__(self, count: int) -> bytes:
        start = sum(self.asked)
        self.asked.append(count)
        given = sound(start + count)[start:] if len(self.asked) <= self._good else self._then(count)
        self.gave.append(given)
        return given


@pytest.mark.clause("RNG-1", "RNG-3")
def test_chance_is_the_operating_system_s_where_nobody_says_otherwise() -> None:
    assert inspect.signature(RandomSource).parameters["read"].default is os.urandom


@pytest.mark.clause("RNG-1")
def test_a_secret_is_what_the_operating_system_gave_and_nothing_else() -> None:
    tape = Tape()
    source = RandomSource(tape)
    secrets = [source.secret() for _ in range(3)]
    assert tape.asked == [2 * WINDOW, SECRET_BYTES, SECRET_BYTES, SECRET_BYTES]
    assert secrets == tape.gave[1:]


@pytest.mark.clause("RNG-3")
def test_what_the_tests_at_the_start_saw_is_used_for_nothing() -> None:
    tape = Tape()
    secret = RandomSource(tape).secret()
    assert secret not in tape.gave[0]


@pytest.mark.clause("RNG-3", "RNG-5")
def test_no_secret_comes_twice() -> None:
    first, second = RandomSource(), RandomSource()
    secrets = {source.secret() for source in (first, second) for _ in range(2000)}
    assert len(secrets) == 4000
    assert all(len(secret) == SECRET_BYTES for secret in secrets)


@pytest.mark.clause("RNG-3")
def test_a_start_repeats_nothing_of_another() -> None:
    program = "from longhu.fairness.source import RandomSource; print(RandomSource().secret().hex())"
    runs = [
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
        for _ in range(3)
    ]
    assert len(set(runs)) == 3


@pytest.mark.clause("RNG-5")
def test_a_later_secret_does_not_follow_from_an_earlier_one() -> None:
    """Two sources that agree up to a moment, and are given other chance from then on, share nothing more."""
    one, other = RandomSource(Tape()), RandomSource(Tape(good=2, then=os.urandom))
    assert one.secret() == other.secret()
    assert one.secret() != other.secret()


@pytest.mark.clause("RNG-7")
def test_a_source_is_tested_before_its_first_secret() -> None:
    with pytest.raises(SourceFailed, match="byte 0 came 6 times in a row"):
        RandomSource(bytes)


@pytest.mark.clause("RNG-7")
@pytest.mark.parametrize(
    ("then", "says"),
    [
        (bytes, "byte 0 came 6 times in a row"),
        (lambda count: sound(count - 1), "31 bytes came instead of 32"),
        (lambda count: sound(count + 1), "33 bytes came instead of 32"),
        (lambda _count: b"", "0 bytes came instead of 32"),
    ],
    ids=["stuck", "short", "long", "empty"],
)
def test_a_failure_is_told_and_lasts(then: Callable[[int], bytes], says: str) -> None:
    tape = Tape(good=2, then=then)
    source = RandomSource(tape)
    source.secret()
    for _ in range(3):
        with pytest.raises(SourceFailed, match=f"{says}. Suspend the table, and replace the source."):
            source.secret()
    assert len(tape.asked) == 3  # the failed source is asked no more


@pytest.mark.clause("RNG-7")
def test_a_block_given_twice_fails_the_source() -> None:
    source = RandomSource(Tape(good=1, then=lambda count: sound(count)))
    source.secret()
    with pytest.raises(SourceFailed, match="the same 32 bytes came twice in a row"):
        source.secret()


@pytest.mark.clause("RNG-7")
def test_what_the_operating_system_refuses_is_not_made_up() -> None:
    def refuse(_count: int) -> bytes:
        raise OSError("no entropy")

    with pytest.raises(OSError, match="no entropy"):
        RandomSource(refuse)


@pytest.mark.clause("RNG-7")
@pytest.mark.parametrize("field", ["commitment", "digest", "first"])
def test_a_program_that_shuffles_otherwise_does_not_start(field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    known = vectors.vectors()
    wrong = {"commitment": "0" * 64, "digest": "0" * 64, "first": ("AS",) * 10}[field]
    changed = msgspec.structs.replace(known[-1], **{field: wrong})
    monkeypatch.setattr(vectors, "vectors", lambda: (*known[:-1], changed))
    with pytest.raises(SourceFailed, match="the shuffle does not give what it must"):
        RandomSource(Tape())
