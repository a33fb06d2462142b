"""A command on its way through a table: from whoever asks, to the disk, and back."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from longhu.server.done import Done
from longhu.server.tables.moment import Happened, Moment
from longhu.store.entries import Sealed
from longhu.table.acts import Command, Refusal

Answer = Done | Refusal | None


class Asked:
    """A command on its way: waiting to be decided, or decided and not yet durable."""

    __slots__ = (
        "command", "defect", "follows", "happened", "id", "moment", "outcome", "refusal", "seals", "tries", "waiting",
    )  # fmt: skip

    def __init__(
        self,
        command: Command,
        id: str,
        *,
        follows: int | None = None,
        seals: Sealed | None = None,
    ) -> None:
        self.command, self.id, self.follows, self.seals = command, id, follows, seals
        self.waiting: list[asyncio.Future[Answer]] = []
        self.outcome: Answer = None  # once it is known
        self.happened: Sequence[Happened] = ()
        self.moment: Moment | None = None  # after it
        self.tries = 0
        self.refusal: Refusal | None = None  # where the rules do not allow it
        self.defect: Exception | None = None  # which it brought to light

    def answered(self, outcome: Answer) -> None:
        self.outcome, self.happened, self.moment = outcome, (), None
        for each in self.waiting:
            if not each.done():
                each.set_result(outcome)
        self.waiting.clear()

    def failed(self, error: Exception) -> None:
        for each in self.waiting:
            if not each.done():
                each.set_exception(error)
