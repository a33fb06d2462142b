"""Questions that come while another is answered are asked together."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence

import pytest

from longhu.server.accounts.sessions import MOST, BatchLoader


class Clerk:
    """Answers with the square, when it is let; a negative number is too much for it."""

    def __init__(self) -> None:
        self.asked: list[Sequence[int]] = []
        self.goes_on = threading.Event()

    def __call__(self, numbers: Sequence[int]) -> list[int]:
        self.asked.append(numbers)
        assert self.goes_on.wait(20)
        if min(numbers, default=0) < 0:
            raise ValueError("below zero")
        return [each * each for each in numbers]


def test_everybody_who_asks_meanwhile_is_answered_at_once_and_in_order() -> None:
    async def story() -> None:
        first = asyncio.create_task(together.ask(7))
        while not clerk.asked:
            await asyncio.sleep(0.001)
        rest = [asyncio.create_task(together.ask(each)) for each in range(2 * MOST)]
        await asyncio.sleep(0)
        clerk.goes_on.set()
        assert await first == 49
        assert await asyncio.gather(*rest) == [each * each for each in range(2 * MOST)]
        assert [len(each) for each in clerk.asked] == [1, MOST, MOST]
        assert await together.ask(3) == 9

    clerk = Clerk()
    together = BatchLoader(clerk)
    asyncio.run(story())


def test_an_error_is_told_to_those_who_asked_with_it_and_to_nobody_else() -> None:
    async def story() -> None:
        clerk.goes_on.set()
        found = await asyncio.gather(*(together.ask(each) for each in (2, -1)), return_exceptions=True)
        assert [type(each) for each in found] == [ValueError, ValueError]
        assert await together.ask(2) == 4

    clerk = Clerk()
    together = BatchLoader(clerk)
    asyncio.run(story())


def test_whoever_gives_up_holds_up_nobody() -> None:
    async def story() -> None:
        asking = [asyncio.create_task(together.ask(each)) for each in (1, 2, 3)]
        while not clerk.asked:
            await asyncio.sleep(0.001)
        later = [asyncio.create_task(together.ask(each)) for each in (4, 5)]
        await asyncio.sleep(0)
        asking[1].cancel()
        later[0].cancel()
        clerk.goes_on.set()
        assert [await asking[0], await asking[2], await later[1]] == [1, 9, 25]
        for each in (asking[1], later[0]):
            with pytest.raises(asyncio.CancelledError):
                await each
        assert clerk.asked[1:] == [[5]]

    clerk = Clerk()
    together = BatchLoader(clerk)
    asyncio.run(story())
