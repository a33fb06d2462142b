"""A pytest plugin: run only the tests that are marked for these clauses, and write down which clauses had a test that failed.

    python -m pytest -p soak.clause_outcomes --clauses DT-3.8b,IDT-4.1c --outcomes out.json tests/clauses

A test is left out once each of its clauses has had a failure, so that a fault that is noticed at once costs little.
"""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

FIRST = ("tests/clauses/", "tests/table/")  # what runs in this process goes before what starts a server


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--clauses", default="", help="ids, with commas between them")
    parser.addoption("--outcomes", type=Path, help="where to write how many tests each clause had, and which failed")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--outcomes"):
        config.pluginmanager.register(Outcomes(config), "clause-outcomes")


class Outcomes:
    def __init__(self, config: pytest.Config) -> None:
        self.asked: frozenset[str] = frozenset(filter(None, config.getoption("--clauses").split(",")))
        self.path: Path = config.getoption("--outcomes")
        self.tests: dict[str, int] = {}
        self.failed: dict[str, str] = {}

    def clauses_of(self, item: pytest.Item) -> set[str]:
        return {id for mark in item.iter_markers("clause") for id in mark.args} & self.asked

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if self.clauses_of(item)), key=lambda item: not item.nodeid.startswith(FIRST)
        )
        for item in items:
            for id in self.clauses_of(item):
                self.tests[id] = self.tests.get(id, 0) + 1

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        if self.clauses_of(item) <= self.failed.keys():
            pytest.skip("each of its clauses has had a failure")

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, Any, None]:
        outcome = yield
        if outcome.get_result().failed:
            for id in self.clauses_of(item):
                self.failed.setdefault(id, item.nodeid)
            self.write()

    def pytest_sessionfinish(self) -> None:
        self.write()

    def write(self) -> None:
        self.path.write_text(json.dumps({"tests": self.tests, "failed": self.failed}), encoding="utf-8")
