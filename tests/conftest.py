"""What all tests share: profiles for the property tests, and the account of clauses."""

from __future__ import annotations

import os
import signal
from math import ceil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests import clause_account

settings.register_profile("suite", max_examples=40, deadline=None, derandomize=True)
settings.register_profile("soak", max_examples=5000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))

if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # a shell's background job: tests of Ctrl-C, and what they start, hear it
    signal.signal(signal.SIGINT, signal.default_int_handler)

PAGE = Path(__file__).parent / "page"
WITNESSES = pytest.StashKey[str]()  # the account of what was collected, where that is the whole suite


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--witnesses",
        type=Path,
        help="write which collected tests show which clause to this file, and the pages of each command to screens.csv beside it",
    )


@pytest.hookimpl(tryfirst=True)  # before some are left out
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A test may cite only what exists; with --witnesses the account is written down, and beside it where commands are given."""
    path, whole = config.getoption("--witnesses"), config.args == config.getini("testpaths")
    account = clause_account.witnesses(items)
    if path:
        path.write_text(account, encoding="utf-8")
        path.with_name("screens.csv").write_text(clause_account.screens(), encoding="utf-8")
    if whole:
        config.stash[WITNESSES] = account
        items[:] = spread(items, int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")))


def spread(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """The order in which half of the workers begin with tests of the page: a browser waits much of its time, and none is left for the end.

    Each worker begins with an equal part of the list, and takes from the end of another's part when it has done its own.
    """
    pages = [each for each in items if PAGE in each.path.parents]
    others = [each for each in items if PAGE not in each.path.parents]
    begin, part = max(1, workers // 2), ceil(len(items) / workers)
    found: list[pytest.Item] = []
    for worker in range(begin):
        first, last = (round(len(pages) * each / begin) for each in (worker, worker + 1))
        beside = max(0, part - (last - first))
        found += pages[first:last] + others[:beside]
        others = others[beside:]
    return found + others
