"""The soak can fail: for want of dieharder, for want of bits, and for what dieharder finds."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from soak import randomness
from soak.randomness import BrokenSoak, Reading, judge, read, soaked

SCRIPT = Path(randomness.__file__)
PRINTED = """\
   marsaglia_tsang_gcd,   0,   1000000,0.33312345,  PASSED
   marsaglia_tsang_gcd,   0,   1000000,0.99999999,   WEAK
# stdin_input_raw(): a remark
"""


def test_what_dieharder_prints_is_read() -> None:
    assert list(read("bits", PRINTED)) == [
        Reading("bits", "marsaglia_tsang_gcd 0", 0.33312345, "PASSED"),
        Reading("bits", "marsaglia_tsang_gcd 0", 0.99999999, "WEAK"),
    ]


def readings(*least: float) -> list[Reading]:
    """A hundred probabilities as they should be, and some more."""
    usual = [Reading("bits", "usual", (place + 0.5) / 100, "PASSED") for place in range(100)]
    return [*usual, *(Reading("shuffle-bits", "odd", p, "WEAK") for p in least)]


@pytest.mark.clause("RNG-4")
@pytest.mark.parametrize(
    ("least", "status"),
    [((), 0), ((0.003,), 0), ((0.00004,), 1), ((0.99996,), 1), ((0.0,), 1), ((1.0,), 1), ((0.0002, 0.9998), 0)],
)
def test_all_probabilities_are_judged_together(
    least: tuple[float, ...], status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert judge(readings(*least)) == status
    shown = capsys.readouterr().out
    assert ("FAILED" in shown) is bool(status)
    assert f"{100 + len(least)} probabilities, {len(least)} of them WEAK" in shown


def test_without_dieharder_there_is_no_soak() -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT)], capture_output=True, text=True, env={"PATH": ""}, timeout=60, check=False
    )
    assert done.returncode == 1
    assert "apt-get install dieharder" in done.stderr


@pytest.mark.skipif(shutil.which("dieharder") is None, reason="dieharder is not installed")
def test_too_few_bits_are_no_soak() -> None:
    with pytest.raises(BrokenSoak, match="1 MB of bits ran out before the first pass was over"):
        soaked("bits", 1, ["-d 0", "-d 3"])


@pytest.mark.skipif(shutil.which("dieharder") is None, reason="dieharder is not installed")
def test_a_pass_reads_fresh_bits_for_every_test() -> None:
    found = soaked("bits", 1, ["-d 100", "-d 100"])
    assert len(found) >= 2
    assert len({reading.p for reading in found}) == len(found)
    assert {reading.test for reading in found} == {"sts_monobit 1"}
