"""Exact odds that are asked for again and again: counted once, by rules, decks and the cards that lie open.

Counting takes from a tenth of a millisecond to two seconds, in a thread of its own. However many screens ask for the same
at once, it is counted once; and what has been counted is remembered.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict

from longhu.cards import Shoe
from longhu.games.game import Game
from longhu.odds.ways import Known, Ways, open_ways

NOTHING_OPEN: Known = ((), ())
REMEMBERED = 4096

Key = tuple[str, int, Known]  # the digest of the rules, decks, open cards


class Counted:
    """The deals that were counted, of a full shoe of so many decks with these cards of it open on the table."""

    def __init__(self) -> None:
        self._found: OrderedDict[Key, Ways] = OrderedDict()
        self._under_way: dict[Key, asyncio.Task[Ways]] = {}

    async def ways(self, game: Game, decks: int, known: Known = NOTHING_OPEN) -> Ways:
        """`DealError` or `ShoeError` where no round can have these cards."""
        key = (game.digest, decks, known)
        if key in self._found:
            self._found.move_to_end(key)
            return self._found[key]
        task = self._under_way.get(key)
        if task is None:
            task = self._under_way[key] = asyncio.create_task(asyncio.to_thread(_ways, game, decks, known))
            task.add_done_callback(lambda done: self._done(key, done))
        return await asyncio.shield(task)

    def _done(self, key: Key, task: asyncio.Task[Ways]) -> None:
        del self._under_way[key]
        if not task.cancelled() and task.exception() is None:
            self._found[key] = task.result()
            if len(self._found) > REMEMBERED:
                self._found.popitem(last=False)


def _ways(game: Game, decks: int, known: Known) -> Ways:
    return open_ways(game.procedure, Shoe.of_decks(decks), known)
