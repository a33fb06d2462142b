"""A node of a house in a process of its own, to be killed: it tells what it drives and what happens, a line at a time."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence

from longhu.server.streams.table_stream import AppliedTableEvent
from tests.server.houses import a_house

PACE = 0.25  # seconds between two acts of the dealer: time enough to be killed in


async def main(database: str, node: str) -> None:
    async with a_house(database, node=node, pace_seconds=PACE) as house:
        for live in house.tables.values():
            live.listen(_tell)
        known: set[str] = set()
        while True:
            for table in house.leases.driven.keys() - known:
                sys.stdout.write(f"drives {table}\n")
                sys.stdout.flush()
            known = {*house.leases.driven}
            await house.leases.turn()


def _tell(happened: Sequence[AppliedTableEvent]) -> None:
    for each in happened:
        sys.stdout.write(f"{each.sequence} {type(each.event).__name__}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
