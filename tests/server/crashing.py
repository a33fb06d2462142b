"""A house whose server is killed over and over while people play in it, and what must be right afterwards.

Several patrons, a dealer and a supervisor ask over HTTP and over sockets, each thing under an id of its own, and note what was answered.
Whatever was not answered when the server was killed is asked again of the next one, under the same id, before anything
else. While no server runs, the store is gone through: everything that was answered is there, nothing is there twice, every
trail verifies, and every balance is what was paid in and played. In the end everybody leaves, and nothing is left over.
"""

from __future__ import annotations

import asyncio
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec

from longhu.accounts.wallet import PayIn
from longhu.positions import Position
from longhu.server.config import Config
from longhu.server.streams.commands import SYSTEM
from longhu.store.address import open_store
from tests.server.aftermath import inspect, rest, tables
from tests.server.crowd import Dealer, Patron, Person, Supervisor, Watcher
from tests.server.houses import MONEY, a_house, a_table, cheap, checked, done
from tests.server.running import PASSWORD, agreed, quick
from tests.server.servers import WAITS, Servers

EARLY = 0.25  # how often a server is killed while it starts
STARTING = 0.4  # seconds after its birth, at the latest
ANSWERS, MOMENT = 150, 0.02  # any other, after so many answers at most and so many seconds more
LAST = 60  # answers, in the end, before everybody leaves
DEALER, SUPERVISOR = "dee", "sue"
QUICK, BY_PATRONS, BY_HAND = "quick", "squeeze", "hand"  # tables
NODES = (*["one"] * 7, "two")  # mostly the same name again; another waits until the lease is over


class Seat(NamedTuple):
    """Who plays what where, and how."""

    person: str
    table: str
    hand: str
    seat: int
    kind: type[Patron]


class Squeezed(NamedTuple):
    """A game whose cards patrons turn over themselves."""

    game: str
    method: str
    hands: tuple[str, str]


SQUEEZED = (
    Squeezed("immortal-dragon-tiger", "A", ("player", "banker")),
    Squeezed("dragon-bonus", "squeeze", ("player", "banker")),
    Squeezed("dragon-21", "B", ("dragon", "tiger")),
)


def seats(squeezed: Squeezed) -> list[Seat]:
    return [
        Seat("ann", QUICK, "dragon", 1, Watcher),
        Seat("bob", QUICK, "tiger", 2, Patron),
        *(
            Seat(who, BY_PATRONS, hand, nth, Watcher)
            for nth, (who, hand) in enumerate(zip(("cat", "dan"), squeezed.hands, strict=True), 1)
        ),
        Seat("eve", BY_HAND, "dragon", 1, Patron),
    ]


async def furnish(database: str, squeezed: Squeezed) -> None:
    """Three tables with shoes that end soon: one the house deals, one where patrons turn the cards, one with a dealer."""
    async with a_house(database, starts=False) as house:
        await a_table(house, "dragon-tiger", QUICK, decks=4, cut_reserve=4 * 52 - 40)
        await a_table(
            house, squeezed.game, BY_PATRONS, method=squeezed.method, decks=4, cut_reserve=4 * 52 - 60, reveal_seconds=2
        )
        await a_table(house, "dragon-tiger", BY_HAND, dealer="human", decks=4, cut_reserve=4 * 52 - 30)
        for each in seats(squeezed):
            agreed(await house.people.create(SYSTEM, each.person, each.person, PASSWORD))
            done(await house.people.act(SYSTEM, each.person, PayIn(amount=MONEY, reference="at first"), "at-first"))
        agreed(await house.people.create(SYSTEM, SUPERVISOR, SUPERVISOR, PASSWORD, Position.PIT_SUPERVISOR))
        agreed(await house.people.create(SYSTEM, DEALER, DEALER, PASSWORD, Position.DEALER))


class Tally(msgspec.Struct):
    """What came of it."""

    kills: int = 0
    early: int = 0  # while the server started
    done: int = 0
    refused: int = 0
    lost: int = 0  # answers that never came, and were asked for again
    busy: int = 0  # times that the house could not take something, and said so
    records: int = 0
    rounds: int = 0
    voided: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(getattr(self, name) + getattr(other, name) for name in self.__struct_fields__))

    def __str__(self) -> str:
        return (
            f"{self.kills} kills ({self.early} while starting), {self.done} commands done, {self.refused} refused, "
            f"{self.lost} asked again, {self.busy} put off, {self.records} records, {self.rounds} rounds, {self.voided} void"
        )


async def evening(database: str, log: Path, kills: int, seed: int) -> Tally:
    """Play until the server has been killed so many times; then everybody leaves. The first thing that is wrong is raised."""
    chance, squeezed = Random(seed), SQUEEZED[seed % len(SQUEEZED)]
    await furnish(database, squeezed)
    servers = Servers(config_of(database), log)
    people: list[Person] = [
        each.kind(each.person, each.table, each.hand, each.seat, Random(chance.random()), servers)
        for each in seats(squeezed)
    ]
    people.append(Supervisor(SUPERVISOR, QUICK, Random(chance.random()), servers))
    people.append(Dealer(DEALER, BY_HAND, Random(chance.random()), servers))
    tally = Tally()
    await servers.open()
    try:
        for _ in range(kills):
            early = await killed(servers, people, chance)
            tally.kills, tally.early = tally.kills + 1, tally.early + early
            tally.lost += sum(each.is_open for one in people for each in one.asked)
            await asyncio.to_thread(inspect, database, people)
        await last_visit(servers, people)
    finally:
        await servers.close()
    with closing(open_store(database)) as store:
        rest(store, people)
        for table in tables(store):
            found = checked(store, table)
            tally.records += found.records
            tally.rounds += found.rounds
            tally.voided += found.voided
    asked, tally.busy = [each for one in people for each in one.asked], sum(each.busy for each in people)
    tally.done, tally.refused = sum(each.done is not None for each in asked), sum(bool(each.refused) for each in asked)
    assert not (told := log.read_text()), f"servers complained:\n{told}"
    return tally


def config_of(database: str) -> Config:
    """A house of play money, as quick as can be."""
    return cheap(quick(database, demo=True, betting_seconds=0.06, contribution_seconds=0.03, log_level="error"))


async def killed(servers: Servers, people: list[Person], chance: Random) -> bool:
    """One server, from its birth to its death; was it killed before it answered?"""
    early = chance.random() < EARLY
    await servers.start(chance.choice(NODES), answers=chance.randint(1, ANSWERS))
    if early:
        await asyncio.sleep(chance.uniform(0, STARTING))  # at any instant: nothing is waited for
        await servers.kill()
        answers = bool(await servers.address())
        assert not answers or not await servers.address()
        return not answers
    address = await servers.address()
    assert address, "a server ended by itself"
    visits: asyncio.Future[Any] = asyncio.gather(*(each.visit(address) for each in people))
    enough: asyncio.Future[Any] = asyncio.ensure_future(servers.enough.wait())
    await asyncio.wait([visits, enough], timeout=WAITS, return_when=asyncio.FIRST_COMPLETED)
    assert enough.done() or visits.done(), "hardly anything is answered"
    await asyncio.sleep(chance.uniform(0, MOMENT))  # into the middle of something
    await servers.kill()
    assert not await servers.address(), "the server had ended before it was killed"
    await visits
    return False


async def last_visit(servers: Servers, people: list[Person]) -> None:
    """Everybody plays a little more, and leaves; the dealer last."""
    await servers.start(NODES[0], answers=LAST)
    address, empty = await servers.address(), asyncio.Event()
    *patrons, dealer = people
    dealing: asyncio.Future[Any] = asyncio.ensure_future(dealer.visit(address, leaves=empty))
    visits: asyncio.Future[Any] = asyncio.gather(*(each.visit(address, leaves=servers.enough) for each in patrons))
    await asyncio.wait([visits, dealing], return_when=asyncio.FIRST_COMPLETED)
    empty.set()
    await dealing
    await visits
    await servers.kill()
