"""A limit on losses is one limit, whichever nodes and tables take wagers at the same moment."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from longhu.accounts.limits import SetLimit
from longhu.accounts.state import Kind, Span
from longhu.eventsourcing import Refusal
from longhu.server.streams.commands import Committed
from longhu.table.betting import TakeWagerBack
from tests.server.houses import a_house, a_patron, a_table, bets, betting, done, gives, refused, until

SLOW: dict[str, Any] = {"betting_seconds": 600}
MOST = 3000


@pytest.mark.clause("LIM-3")
def test_two_nodes_at_once_do_not_pass_a_loss_limit(database: str) -> None:
    async def main() -> None:
        async with a_house(database, node="one", **SLOW) as one, a_house(database, node="two", **SLOW) as two:
            lives = [await a_table(one, table=table) for table in ("T1", "T2")]
            ann = await a_patron(one, "ann")
            done(await one.people.act(ann, "ann", SetLimit(kind=Kind.LOSS, span=Span.DAY, most=MOST), "limit"))
            for live in lives:
                done(await one.join(ann, live.name, 1, 10_000))
                await until(live, betting)
                there = await two.stream(live.name)
                assert there is not None
                await there.catch_up()
            two.people.forget("person:ann")
            at_once = [
                bets(house, ann, wager, 1000, table)
                for wager in ("dragon", "tiger")
                for house, table in ((one, "T1"), (two, "T2"))
            ]
            answers = await asyncio.gather(*at_once)
            assert sum(isinstance(each, Committed) for each in answers) == MOST // 1000
            (told,) = [each for each in answers if isinstance(each, Refusal)]
            assert told.clause == "LIM-3"
            assert "loss limit of 30.00" in told.reason
            for live in lives:
                await live.catch_up()
            assert one.staked("ann") == MOST
            assert refused(await bets(two, ann, "tie", 1000, "T2")).clause == "LIM-3"
            round = lives[0].state.round
            assert round is not None
            lies = next(iter(round.stakes.values()))  # whichever of the two came first
            done(await gives(one, ann, TakeWagerBack, "T1", place=1, wager=lies.wager))
            await two.tables["T1"].catch_up()
            done(await bets(two, ann, "tie", 1000, "T2"))

    asyncio.run(main())


@pytest.mark.clause("LIM-3")
def test_what_lay_on_a_layout_before_the_limit_counts_at_every_node(database: str) -> None:
    """Also where a node has not heard of it yet, and two take wagers at the same moment."""

    async def main() -> None:
        async with a_house(database, node="one", **SLOW) as one, a_house(database, node="two", starts=False) as two:
            lives = [await a_table(one, table=table) for table in ("T1", "T2", "T3")]
            ann = await a_patron(one, "ann")
            for live in lives:
                done(await one.join(ann, live.name, 1, 10_000))
                await until(live, betting)
                there = await two.stream(live.name)
                assert there is not None
                await there.catch_up()
            done(await bets(one, ann, "dragon", 1000, "T3"))
            done(await one.people.act(ann, "ann", SetLimit(kind=Kind.LOSS, span=Span.DAY, most=MOST), "limit"))
            assert two.staked("ann") == 0  # it is not started, and hears nothing
            two.people.forget("person:ann")
            at_once = await asyncio.gather(bets(one, ann, "dragon", 1000, "T1"), bets(two, ann, "tiger", 2000, "T2"))
            assert sorted(type(each).__name__ for each in at_once) == ["Committed", "Refusal"]
            for live in lives:
                await live.catch_up()
            assert one.staked("ann") <= MOST

    asyncio.run(main())
