"""What anybody is told at the door: what kind of house this is, before they sign in."""

from __future__ import annotations

import msgspec
from litestar import get

from longhu.server.http import guards
from longhu.server.http.guards import ANYBODY


class Welcome(msgspec.Struct, frozen=True, kw_only=True):
    """The house from outside."""

    play_money: bool  # nothing here is worth anything (PLY-4)
    guests: bool  # may anybody come in as a guest?
    spectators: bool  # may anybody watch without being signed in?
    currency: str  # an ISO code, "" where amounts are hundredths of something


@get("/api/house", opt=ANYBODY)
async def welcome(request: guards.Asked) -> Welcome:
    """What kind of house this is."""
    config = guards.config(request)
    return Welcome(play_money=config.demo, guests=config.demo, spectators=config.spectators, currency=config.money.code)


HANDLERS = [welcome]
