"""What all tests share: profiles for the property tests, and the account of clauses."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from longhu.clauses import clauses, standards

settings.register_profile("suite", max_examples=40, deadline=None, derandomize=True)
settings.register_profile("soak", max_examples=5000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))

if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # a shell's background job: tests of Ctrl-C, and what they start, hear it
    signal.signal(signal.SIGINT, signal.default_int_handler)

WITNESSES = pytest.StashKey[str]()  # the account of what was collected, where that is the whole suite


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--witnesses", type=Path, help="write which collected tests show which clause to this file")


@pytest.hookimpl(tryfirst=True)  # before some are left out
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A test may cite only what exists; with --witnesses the account is written down."""
    shown: set[tuple[str, str]] = set()
    for item in items:
        for mark in item.iter_markers("clause"):
            for id in mark.args:
                if id not in clauses() and id not in standards():
                    raise pytest.UsageError(f"{item.nodeid} cites {id!r}, which is no clause and no standard")
                shown.add((id, item.nodeid.partition("[")[0]))
    order = {id: place for place, id in enumerate([*clauses(), *standards()])}
    rows = sorted(shown, key=lambda row: (order[row[0]], row[1]))
    account = "clause,test\n" + "".join(f"{id},{test}\n" for id, test in rows)
    if path := config.getoption("--witnesses"):
        path.write_text(account, encoding="utf-8")
    if config.args == config.getini("testpaths"):
        config.stash[WITNESSES] = account
