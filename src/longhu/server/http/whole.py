"""Something that must not stop halfway because whoever asked has gone, or waited too long."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def whole(what: Coroutine[Any, Any, T]) -> T:
    """What it comes to. Giving up the wait does not take it back: it goes on to its end."""
    return await asyncio.shield(asyncio.ensure_future(what))
