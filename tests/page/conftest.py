"""A house and browsers that look at it. The house is a demonstration that deals quickly, on a port of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, ViewportSize

from tests.page.browser import DESKTOP, Visitor, started
from tests.page.houses import DemoHouse, demonstration


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Only while this folder's tests run: Playwright keeps an event loop in the thread, and other tests start their own."""
    with started() as browser:
        yield browser


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoHouse]:
    """One demonstration for all tests that only play: the real program, as `make serve` starts it, but quick."""
    with demonstration(tmp_path_factory.mktemp("house")) as house:
        yield house


@pytest.fixture
def visitor(browser: Browser, house: DemoHouse) -> Iterator[Callable[..., Visitor]]:
    """Whoever comes: each call is another person with another browser, in the size that is asked for."""
    came: list[Visitor] = []

    def come(size: ViewportSize = DESKTOP, **options: Any) -> Visitor:
        options.setdefault("locale", "en-GB")
        context = browser.new_context(viewport=size, **options)
        context.set_default_timeout(15_000)
        came.append(Visitor(context, house.address))
        return came[-1]

    yield come
    complaints = [said for each in came for said in each.complaints]
    for each in came:
        each.context.close()
    assert not complaints, complaints
