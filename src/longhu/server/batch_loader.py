"""What is asked of the store while it answers is asked together, in one question and by one thread.

A question takes a thread, which takes the interpreter from the loop and gives it back several times. Hundreds of them at one
moment, as when everybody comes back after a pause of the network, would hold up everything else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

Q = TypeVar("Q")
A = TypeVar("A")

MOST = 500  # questions in one


class BatchLoader(Generic[Q, A]):
    """Questions of one kind. All of it belongs to one event loop, but for `answer`, which has an answer for each of many."""

    def __init__(self, answer: Callable[[Sequence[Q]], Sequence[A]]) -> None:
        self._answer = answer
        self._asked: list[tuple[Q, asyncio.Future[A]]] = []
        self._asking: asyncio.Task[None] | None = None

    async def ask(self, question: Q) -> A:
        answered: asyncio.Future[A] = asyncio.get_running_loop().create_future()
        self._asked.append((question, answered))
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask_all())
        return await answered

    async def _ask_all(self) -> None:
        while self._asked:
            some, self._asked = self._asked[:MOST], self._asked[MOST:]
            waiting = [each for each in some if not each[1].done()]  # but for those who have given up
            try:
                answers = await asyncio.to_thread(self._answer, [question for question, _ in waiting])
            except Exception as error:
                for _, answered in waiting:
                    if not answered.done():
                        answered.set_exception(error)
                continue
            for (_, answered), answer in zip(waiting, answers, strict=True):
                if not answered.done():
                    answered.set_result(answer)
