"""A source that has broken down is found, and a sound one is left alone."""

from __future__ import annotations

import hashlib
from fractions import Fraction
from math import comb

import pytest

from longhu.fairness.health import ALARM, FREQUENT, RUN, WINDOW, Health
from longhu.fairness.start import start_checks

FALSE_ALARM = Fraction(1, 1 << ALARM)


def sound(count: int) -> bytes:
    """Always the same bytes, none of which is out of the ordinary."""
    return hashlib.shake_256(b"sound").digest(count)


def at_least(count: int, trials: int) -> Fraction:
    """The chance that one byte of 256 comes so often, exactly."""
    ways = sum(comb(trials, each) * 255 ** (trials - each) for each in range(count, trials + 1))
    return Fraction(ways, 256**trials)


# ------------------------------------------------ what must be found


@pytest.mark.clause("RNG-7")
def test_a_stuck_source_is_found_at_once() -> None:
    assert Health().problem(bytes([7] * RUN)) == f"byte 7 came {RUN} times in a row"
    assert not Health().problem(bytes([7] * (RUN - 1)))


@pytest.mark.clause("RNG-7")
def test_a_run_is_found_across_two_reads() -> None:
    health = Health()
    assert not health.problem(b"\x01" + bytes([7] * (RUN - 2)))
    assert health.problem(bytes([7] * 2)) == f"byte 7 came {RUN} times in a row"


@pytest.mark.clause("RNG-7")
def test_a_favourite_value_is_found() -> None:
    """Every eighth byte the same: never a run, and far too many."""
    chance = bytes(0 if place % 8 == 0 else byte | 1 for place, byte in enumerate(sound(WINDOW)))
    assert Health().problem(chance) == f"byte 0 came {FREQUENT} times within {WINDOW} bytes"


@pytest.mark.clause("RNG-7")
def test_a_favourite_is_counted_within_a_window_only() -> None:
    """One less than an alarm in each of two windows is none."""
    window = [0] + [place % 255 + 1 for place in range(WINDOW - 1)]
    for place in range(FREQUENT - 2):
        window[10 + 2 * place] = 0
    assert window.count(0) == FREQUENT - 1
    assert not Health().problem(bytes(window) + bytes(window))
    window[8] = 0
    assert Health().problem(bytes(window)) == f"byte 0 came {FREQUENT} times within {WINDOW} bytes"


@pytest.mark.clause("RNG-7")
def test_a_block_that_comes_again_is_found() -> None:
    health = Health()
    assert not health.problem(sound(32))
    assert health.problem(sound(32)) == "the same 32 bytes came twice in a row"


@pytest.mark.clause("RNG-7")
def test_a_source_that_loses_its_chance_is_found_while_it_runs() -> None:
    health = Health()
    assert not health.problem(sound(4096))
    assert health.problem(bytes(range(16)) * 2 + bytes(32))


# ------------------------------------------------ what must not


@pytest.mark.clause("RNG-7")
def test_a_sound_source_raises_no_alarm() -> None:
    health, chance = Health(), sound(1 << 18)
    assert not any(health.problem(chance[start : start + 32]) for start in range(0, len(chance), 32))


@pytest.mark.clause("RNG-7")
def test_the_run_that_is_an_alarm_is_the_shortest_with_so_few_false_ones() -> None:
    assert Fraction(1, 256) ** (RUN - 1) <= FALSE_ALARM < Fraction(1, 256) ** (RUN - 2)


@pytest.mark.clause("RNG-7")
def test_the_frequency_that_is_an_alarm_is_the_tail_of_the_binomial_distribution() -> None:
    """As NIST SP 800-90B reckons it: the least count that a window of a sound source reaches so seldom."""
    assert at_least(FREQUENT, WINDOW) <= FALSE_ALARM < at_least(FREQUENT - 1, WINDOW)


@pytest.mark.clause("RNG-7")
def test_false_alarms_are_as_seldom_as_is_said() -> None:
    """The byte that a window counts is its first, which is there for certain; still less than 2^-40 for each byte."""
    assert at_least(FREQUENT - 1, WINDOW - 1) / WINDOW < FALSE_ALARM


# ------------------------------------------------ the checks of a start


@pytest.mark.clause("RNG-7")
def test_the_checks_of_a_start_show_that_each_alarm_goes_off() -> None:
    checks = start_checks()
    assert len(checks) == 5
    assert all(check.passed for check in checks)


@pytest.mark.clause("RNG-7")
def test_a_broken_source_fails_the_checks_of_a_start() -> None:
    answers, source, *alarms = start_checks(bytes)
    assert answers.passed
    assert not source.passed
    assert "byte 0 came 6 times in a row" in source.found
    assert all(alarm.passed for alarm in alarms)


@pytest.mark.clause("RNG-7")
def test_alarms_that_do_not_go_off_fail_the_checks_of_a_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Health, "problem", lambda _self, _chance: "")
    assert [check.passed for check in start_checks()] == [True, True, False, False, False]
