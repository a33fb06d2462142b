"""Something that must not stop halfway because whoever asked has gone, or waited too long."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from longhu.server.logs import log

T = TypeVar("T")


async def whole(what: Coroutine[Any, Any, T]) -> T:
    """What it comes to. Giving up the wait does not take it back: it goes on to its end, and what goes wrong then is logged."""
    task = asyncio.ensure_future(what)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        task.add_done_callback(_ended)
        raise


def _ended(task: asyncio.Task[Any]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.warning("something failed that nobody waited for any more", why=f"{type(error).__name__}: {error}")
