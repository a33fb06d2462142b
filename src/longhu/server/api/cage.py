"""The cage: fills to issue and credits to receive, at every table (OPS-3)."""

from __future__ import annotations

import msgspec
from litestar import get

from longhu.money import UNSTATED, show
from longhu.positions import Position
from longhu.server.api import guards
from longhu.server.api.guards import staff
from longhu.server.api.http import Number
from longhu.server.api.pit import RequestView, request_view, role_in_house
from longhu.server.codec import Shown

CAGE = staff(Position.CAGE)


class CageRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A fill or a credit of a table, as the cage sees it: of what it counts itself, not how much it should be."""

    table: str
    dealer: str
    decimals: Number  # of the table's money
    unit: Shown  # the smallest chip
    physical: bool  # real chips: they are counted by value
    request: RequestView


@get("/api/cage", opt=CAGE)
async def cage_requests(request: guards.Request) -> list[CageRequest]:
    """Everything that is under way between the cage and a table."""
    role, found = await role_in_house(request), []
    for name, live in sorted(guards.house(request).tables.items()):
        record, settings, money = live.state.float_record, live.state.settings, live.game.currency or UNSTATED
        if record is None or settings is None:
            continue
        found += [
            CageRequest(
                table=name,
                dealer=live.state.dealer,
                decimals=money.decimals,
                unit=show(settings.chip_unit, money),
                physical=settings.chips == "physical",
                request=request_view(each, money, role),
            )
            for each in record.requests.values()
        ]
    return found
