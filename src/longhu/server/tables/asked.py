"""A command on its way through a table: from whoever asks, to the disk, and back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from longhu.server.done import Done
from longhu.server.logs import log
from longhu.server.tables.moment import Happened
from longhu.store.entries import LossLimit, OpenStake, Sealed
from longhu.table.acts import Command, Refusal

Answer = Done | Refusal | None
Bounds = Mapping[  # what those may lose who have a limit, and whose stakes a command may change; and what of theirs lies elsewhere
    str, tuple[tuple[LossLimit, ...], tuple[OpenStake, ...]]
]
NOBODY: Bounds = {}
Told = Callable[[Answer | Exception], None]  # called once, with the answer or with what went wrong


class Asked:
    """A command on its way: waiting to be decided, or decided and not yet durable."""

    happened: Sequence[Happened] = ()
    tries = 0
    refusal: Refusal | None = None  # where the rules do not allow it
    defect: Exception | None = None  # which it brought to light
    follows: int | None = None  # the record that it has to follow
    seals: Sealed | None = None
    bounds: Bounds = NOBODY

    def __init__(self, command: Command, id: str, *told: Told) -> None:
        self.command, self.id = command, id
        self.waiting = [*told]

    def answered(self, outcome: Answer) -> None:
        self.happened = ()
        self._tell(outcome)

    def failed(self, error: Exception) -> None:
        self._tell(error)

    def _tell(self, answer: Answer | Exception) -> None:
        waiting, self.waiting = self.waiting, []
        for each in waiting:
            try:
                each(answer)
            except Exception:  # of one who is told, which must not keep the others waiting
                log.exception("an answer could not be told", command=self.id)

    def future(self, loop: asyncio.AbstractEventLoop) -> asyncio.Future[Answer]:
        """What will be answered."""
        future: asyncio.Future[Answer] = loop.create_future()
        self.waiting.append(partial(_settle, future))
        return future


def _settle(future: asyncio.Future[Answer], answer: Answer | Exception) -> None:
    if future.done():  # nobody waits any more
        return
    if isinstance(answer, Exception):
        future.set_exception(answer)
    else:
        future.set_result(answer)
