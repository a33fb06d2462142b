"""A published battery on our chance: dieharder, on the raw bits and on the bits that are in final shuffles.

Everything comes through `longhu rng export`, so by the way that live tables take. Each test reads fresh bits and gives
one probability or several; a pass goes through all tests once, and passes go on until the bits that were asked for are
used up. All probabilities together are judged by Holm's procedure at one per cent, to both sides: a sound source fails a
soak once in a hundred, so run one that failed again, and believe the second.

Only tests that dieharder itself calls good are run, each with one sample (-p 1) of its usual size or somewhat less: with few
samples its closing Kolmogorov-Smirnov test is not exact, with a hundred of them a run takes gigabytes.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import IO, NamedTuple

from longhu.fairness.significance import ALPHA, Finding, holm

BITS_MEGABYTES, SHUFFLE_MEGABYTES = 270, 140  # four passes, and two
LITTLE = (
    "-d 0", "-d 3", "-d 4", "-d 8", "-d 10", "-d 11", "-d 12", "-d 15", "-d 100", "-d 101", "-d 102",
    "-d 200 -n 1", "-d 200 -n 2", "-d 201 -n 2", "-d 201 -n 3", "-d 201 -n 4", "-d 201 -n 5",
    "-d 202 -n 2", "-d 202 -n 3", "-d 202 -n 4", "-d 202 -n 5",
)  # fmt: skip
MUCH = (
    "-d 1", "-d 2", "-d 9", "-d 13", "-d 16", "-d 17 -t 1000000", "-d 200 -n 4", "-d 203 -n 0",
    "-d 207 -t 200000", "-d 208 -t 200000",
)  # fmt: skip
FIELDS = ("test_name", "ntuple", "tsamples", "pvalues", "assessment")
DIEHARDER = ["dieharder", "-g", "200", "-p", "1", "-c", ",", *(word for field in FIELDS for word in ("-D", field))]
MISSING = """\
soak: dieharder is not installed, and without a published battery there is no soak.
Debian and Ubuntu:  apt-get install dieharder
elsewhere:          https://webhome.phy.duke.edu/~rgb/General/dieharder.php"""


class Reading(NamedTuple):
    """One probability that dieharder gave."""

    source: str
    test: str
    p: float
    assessment: str  # dieharder's own word: PASSED, WEAK, FAILED

    @property
    def chance(self) -> float:
        """To both sides: a probability near 1 is as suspect as one near 0."""
        return 2 * min(self.p, 1 - self.p)


class BrokenSoak(Exception):
    """The soak itself went wrong, which says nothing about the bits."""


def main() -> int:
    parser = argparse.ArgumentParser(description="dieharder on raw bits and on the bits of final shuffles")
    parser.add_argument("--bits", type=int, default=BITS_MEGABYTES, metavar="MB", help="megabytes of raw bits")
    parser.add_argument("--shuffles", type=int, default=SHUFFLE_MEGABYTES, metavar="MB", help="megabytes from shuffles")
    parser.add_argument(
        "--quick", action="store_true", help="only the tests that take little, 14 MB a pass instead of 66"
    )
    args = parser.parse_args()
    if shutil.which(DIEHARDER[0]) is None:
        print(MISSING, file=sys.stderr)
        return 1
    try:
        tests = LITTLE if args.quick else LITTLE + MUCH
        readings = [*soaked("bits", args.bits, tests), *soaked("shuffle-bits", args.shuffles, tests)]
    except BrokenSoak as broken:
        print(f"soak: {broken}", file=sys.stderr)
        return 1
    return judge(readings)


def soaked(source: str, megabytes: int, tests: Sequence[str]) -> list[Reading]:
    """Whole passes over one stream; it is an error if not even one was possible."""
    readings: list[Reading] = []
    command = [sys.executable, "-m", "longhu", "rng", "export", f"--{source}", "--count", f"{megabytes}M"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as export:
        stream = export.stdout
        if stream is None:
            raise BrokenSoak("no stream")
        passes = 0
        for found in all_passes(source, stream, tests):
            readings += found
            passes += 1
            print(f"soak: {source}, pass {passes}: {len(found)} probabilities", file=sys.stderr, flush=True)
        stream.close()
    if export.returncode != 0:
        raise BrokenSoak(f"`longhu rng export --{source}` ended with {export.returncode}")
    if not passes:
        raise BrokenSoak(f"{megabytes} MB of {source} ran out before the first pass was over")
    return readings


def all_passes(source: str, stream: IO[bytes], tests: Sequence[str]) -> Iterator[list[Reading]]:
    """Until the bits run out; a pass that was not finished tells nothing, since what is left out must not be chosen."""
    while True:
        found: list[Reading] = []
        for test in tests:
            done = subprocess.run(
                [*DIEHARDER, *test.split()], stdin=stream, capture_output=True, text=True, check=False
            )
            if "EOF" in done.stderr + done.stdout:
                return
            readings = list(read(source, done.stdout))
            if done.returncode != 0 or not readings:
                raise BrokenSoak(f"dieharder {test}: {done.stderr.strip() or 'no result'}")
            found += readings
        yield found


def read(source: str, printed: str) -> Iterator[Reading]:
    """dieharder's lines: name, n-tuple, samples, probability, assessment."""
    for line in printed.splitlines():
        cells = [cell.strip() for cell in line.split(",")]
        if len(cells) == len(FIELDS):
            yield Reading(source, f"{cells[0]} {cells[1]}", float(cells[3]), cells[4])


def judge(readings: list[Reading]) -> int:
    """A table with a line a test, and the verdict over everything."""
    findings = [Finding(f"{each.source}: {each.test}", each.p, 0, each.chance) for each in readings]
    verdicts = holm(findings)
    failed = Counter(verdict.finding.test for verdict in verdicts if not verdict.passed)
    print(f"{'test':44} {'times':>5} {'least p (two-sided)':>20} {'weak':>5} {'result':>7}")
    for name in dict.fromkeys(finding.test for finding in findings):
        mine = [each for each, finding in zip(readings, findings, strict=True) if finding.test == name]
        weak = sum(each.assessment != "PASSED" for each in mine)
        result = "FAILED" if failed[name] else "passed"
        print(f"{name:44} {len(mine):5} {min(each.chance for each in mine):20.6f} {weak:5} {result:>7}")
    weak = sum(each.assessment == "WEAK" for each in readings)
    print(
        f"{len(readings)} probabilities, {weak} of them WEAK in dieharder's own words ({len(readings) / 100:.0f} are to be expected); "
        f"{sum(failed.values())} fail together at {ALPHA:.0%} (Holm; the least must be above {ALPHA / len(readings):.2g})"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
