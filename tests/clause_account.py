"""The account of clauses: which tests show them, whether a test drives a running table, and on which pages each command is given."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest

from longhu.clauses import clauses, standards
from longhu.eventsourcing import name_of
from longhu.table import engine
from longhu.table.messages import TABLE
from longhu.testing.scenario import Scenario

WEB = Path(__file__).parent.parent / "web/src"
THROUGH_THE_SERVER = ("tests/server/", "tests/page/")
DRIVES: tuple[Any, ...] = (engine.decide, Scenario)  # what a running table is asked by
PAGES = {
    "table": "patron's page",
    "dealer": "dealer's console",
    "pit": "pit",
    "cage": "cage",
    "account": "account",
    "lobby": "lobby",
}


def witnesses(items: list[pytest.Item]) -> str:
    """Each clause with the tests that are marked for it, and `live` beside those that drive a running table."""
    shown: dict[tuple[str, str], bool] = {}
    for item in items:
        for mark in item.iter_markers("clause"):
            for id in mark.args:
                if id not in clauses() and id not in standards():
                    raise pytest.UsageError(f"{item.nodeid} cites {id!r}, which is no clause and no standard")
                row = (id, item.nodeid.partition("[")[0])
                if row not in shown:
                    shown[row] = drives_a_table(item)
    order = {id: place for place, id in enumerate([*clauses(), *standards()])}
    rows = sorted(shown.items(), key=lambda row: (order[row[0][0]], row[0][1]))
    return "clause,test,live\n" + "".join(f"{id},{test},{'live' if live else ''}\n" for (id, test), live in rows)


def drives_a_table(item: pytest.Item) -> bool:
    """Does the code of a test, with its fixtures and what they call in the tests, ask a running table?"""
    if item.nodeid.startswith(THROUGH_THE_SERVER):
        return True
    fixtures = getattr(item, "_fixtureinfo", None)
    defined = fixtures.name2fixturedefs.values() if fixtures is not None else ()
    return any(map(_drives, [getattr(item, "obj", None), *(each.func for found in defined for each in found)]))


@cache
def _drives(start: Any) -> bool:
    seen: list[Any] = []
    waiting = [start]
    while waiting:
        each = waiting.pop()
        each = getattr(getattr(each, "hypothesis", None), "inner_test", None) or each
        each = inspect.unwrap(each) if callable(each) else each
        if any(each is driver for driver in DRIVES):
            return True
        if any(each is other for other in seen):
            continue
        seen.append(each)
        if isinstance(each, type):
            waiting += [
                method for method in vars(each).values() if isinstance(method, (FunctionType, classmethod, property))
            ]
        elif isinstance(each, property):
            waiting.append(each.fget)
        elif isinstance(each, FunctionType):
            waiting += _named(each)
        elif inspect.ismethod(each):
            waiting.append(each.__func__)
    return False


def _named(function: FunctionType) -> Iterator[Any]:
    """What a function of the tests names: functions and classes of the tests, and what drives a table."""
    names = set(_names(function.__code__))
    for name in names:
        value = function.__globals__.get(name)
        values = [getattr(value, each, None) for each in names] if isinstance(value, ModuleType) else [value]
        for each in values:
            module = getattr(each, "__module__", None) or ""
            if any(each is driver for driver in DRIVES) or (callable(each) and module.startswith("tests")):
                yield each


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _names(each)


def screens() -> str:
    """Each command of the table with the pages whose sources name it."""
    sources = [
        (path, path.read_text(encoding="utf-8")) for path in sorted(WEB.rglob("*")) if path.suffix in (".svelte", ".ts")
    ]
    rows = []
    for command in sorted({name_of(each) for each in TABLE.deciders}):
        named = re.compile(f"['\"]{command}['\"]")
        folders = {path.relative_to(WEB).parts[0] for path, text in sources if named.search(text)}
        rows += [f"{command},{PAGES[each]}\n" for each in sorted(folders & PAGES.keys())]
    return "command,page\n" + "".join(rows)
