"""Amounts that no column of a database holds: refused, and the table goes on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from longhu.money import AMOUNT_MAX
from longhu.positions import Position
from longhu.table.fills import RequestChips
from tests.server.houses import a_house, a_table, checked, done, gives, refused, staff


@pytest.mark.clause("OPS-3", "LOG-7")
def test_a_fill_that_no_database_could_hold_is_refused(tmp_path: Path) -> None:
    async def main() -> None:
        async with a_house(str(tmp_path / "house.db"), starts=False) as house:
            live = await a_table(house, dealer="human")
            sue = await staff(house, "sue", Position.PIT_SUPERVISOR)
            for amount in (AMOUNT_MAX + 1, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 10**30):
                refused(await gives(house, sue, RequestChips, kind="fill", amount=amount))
                assert not live.halted
            done(await gives(house, sue, RequestChips, kind="fill", amount=100))
            assert checked(house.store).refusals == 6

    asyncio.run(main())
