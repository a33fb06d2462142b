"""A running server for each test that asks for one, and both kinds of store for those that want them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from longhu.server.config import Config
from tests.server.running import Running, quick, running
from tests.store.conftest import BACKENDS
from tests.store.conftest import server as postgresql
from tests.store.server import Server

__all__ = ["postgresql"]


def an_empty_database(postgresql: Server) -> str:
    """The address of a new database on the server of the tests."""
    name = f"h{uuid4().hex}"
    with psycopg.connect(postgresql.address, autocommit=True) as connection:
        connection.execute(f"create database {name}".encode())
    return postgresql.address.replace("/postgres?", f"/{name}?")


@pytest.fixture(params=BACKENDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty store, of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "house.db")
    return an_empty_database(request.getfixturevalue("postgresql"))


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """A quick house on a file."""
    return quick(tmp_path / "house.db")


@pytest.fixture
def server(config: Config) -> Iterator[Running]:
    with running(config) as server:
        yield server
