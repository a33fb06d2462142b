"""A process of its own that commits: it answers as the store does, and when it ends another takes its place."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path

import pytest

from longhu.store.address import open_store
from longhu.store.entries import Append, Appended, Duplicate, Standing
from longhu.store.errors import Conflict, Exceeded, Faulty, Missing, Short, StoreError, Unusable, Unwritten
from longhu.store.integrity import check_chain, check_money
from longhu.store.interface import Result, Store
from longhu.store.letters import answer, message, read_answer, whole
from longhu.store.scribe import ENOUGH, Scribe, _requests
from tests.server.conftest import an_empty_database
from tests.store.conftest import BACKENDS
from tests.store.house import Seat, opened

PATIENCE = 60.0  # seconds
ROOT = Path(__file__).parents[2]


@pytest.fixture(params=BACKENDS)
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgresql":
        return an_empty_database(request.getfixturevalue("server"))
    return str(tmp_path / "house.db")


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    found = open_store(address)
    yield found
    found.close()


@asynccontextmanager
async def writing(address: str) -> AsyncIterator[Scribe]:
    scribe = await Scribe.start(address)
    try:
        yield scribe
    finally:
        await scribe.ended()


def run(main: Callable[[], Awaitable[None]]) -> None:
    async def patiently() -> None:
        await asyncio.wait_for(main(), PATIENCE)

    asyncio.run(patiently())


def number(scribe: Scribe) -> int:
    assert scribe.process is not None
    return scribe.process


async def told(scribe: Scribe, appends: list[Append]) -> list[Result]:
    future: asyncio.Future[list[Result]] = asyncio.get_running_loop().create_future()
    scribe.tell_all(appends, lambda results: future.set_result([*results]))
    return await future


def test_it_writes_and_answers_as_the_store_does(store: Store, address: str) -> None:
    seat, other = opened(store, "T1"), opened(store, "T2")
    start = seat.standing()

    async def main() -> None:
        async with writing(address) as scribe:
            first, second = seat.buys(5), seat.buys(1, 2)
            assert await told(scribe, [first, second]) == [Appended(2, 2), Appended(3, 4)]
            assert await scribe.appended(first) == Duplicate(2, 2)
            mixed = await told(scribe, [other.buys(1), Seat(start).buys(1), other.cashes(7), first])
            assert [type(each) for each in mixed] == [Appended, Conflict, Faulty, Duplicate]
            with pytest.raises(Missing, match="T9"):
                await scribe.appended(Seat(Standing("T9", 0, "", 0)).buys(1))
            many = [asyncio.ensure_future(scribe.appended(seat.buys(1))) for _ in range(50)]
            assert [each.last for each in await asyncio.gather(*many)] == [*range(5, 55)]

    run(main)
    assert check_chain(store, "T1")
    assert check_money(store, "T1")
    assert store.standing("T1").sequence == 54


@pytest.mark.clause("REC-1", "REC-3")
def test_a_process_that_is_killed_is_followed_by_another(store: Store, address: str) -> None:
    seat = opened(store)

    async def main() -> None:
        async with writing(address) as scribe:
            assert await scribe.appended(seat.buys(1)) == Appended(2, 2)
            os.kill(number(scribe), signal.SIGKILL)
            stands, append = seat.standing(), seat.buys(2)
            with pytest.raises(Unwritten, match="ask again"):  # nobody knows yet that nobody reads it
                await scribe.appended(append)
            assert await scribe.appended(append) in (Appended(3, 3), Duplicate(3, 3))
            with pytest.raises(Conflict):
                await scribe.appended(Seat(stands).buys(9))

    run(main)
    assert store.standing("T1").sequence == 3


HANDS_IN_AND_DIES = """
import asyncio, os, signal, sys
from longhu.store.address import open_store
from longhu.store.scribe import Scribe
from tests.store.house import Seat

async def main():
    scribe = await Scribe.start(sys.argv[1])
    print(scribe.process, flush=True)
    scribe.tell_all([append], print)
    os.kill(os.getpid(), signal.SIGKILL)

append = Seat(open_store(sys.argv[1]).standing("T1")).buys(5)
asyncio.run(main())
"""


@pytest.mark.clause("REC-1")
def test_whoever_is_left_behind_while_it_starts_writes_nothing(store: Store, address: str) -> None:
    """Another server may be at work by then: no store is opened and nothing is written for one that is no more."""
    opened(store)
    ended = subprocess.run(
        [sys.executable, "-c", HANDS_IN_AND_DIES, address], cwd=ROOT, capture_output=True, text=True, check=False
    )  # the other has the same pipes: this ends when both have ended
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    assert ended.stdout.strip().isdigit()
    assert ended.stderr == ""
    assert store.standing("T1").sequence == 1


@pytest.mark.clause("REC-1", "REC-3")
def test_one_that_is_killed_before_it_has_opened_the_store_is_followed_as_well(store: Store, address: str) -> None:
    """Whatever ends processes may end two in a row: the house takes wagers again all the same."""
    seat = opened(store)

    async def main() -> None:
        async with writing(address) as scribe:
            await scribe.opened()
            for _ in range(3):
                os.kill(last := number(scribe), signal.SIGKILL)
                while number(scribe) == last:
                    await asyncio.sleep(0.005)
            await writes(scribe)
            assert await scribe.appended(seat.buys(1)) == Appended(2, 2)

    run(main)


def test_a_store_that_cannot_be_opened_again_for_a_while_is_opened_later(tmp_path: Path) -> None:
    place, away = tmp_path / "house.db", tmp_path / "away.db"
    with closing(open_store(place)) as store:
        seat = opened(store)

    async def main() -> None:
        async with writing(str(place)) as scribe:
            await scribe.opened()
            place.rename(away)
            place.mkdir()
            os.kill(number(scribe), signal.SIGKILL)
            append = seat.buys(1)
            for _ in range(3):
                with pytest.raises(Unwritten, match="ask again"):
                    await scribe.appended(append)
            assert not scribe.is_writing
            place.rmdir()
            away.rename(place)
            await writes(scribe)
            assert await scribe.appended(append) == Appended(2, 2)

    run(main)


@pytest.mark.clause("REC-3")
def test_one_that_hangs_is_ended_and_followed_by_another(store: Store, address: str) -> None:
    seat = opened(store)

    async def main() -> None:
        scribe = await Scribe.start(address, answers=3.0)
        try:
            await scribe.opened()
            os.kill(number(scribe), signal.SIGSTOP)
            append = seat.buys(2)
            with pytest.raises(Unwritten, match="ask again"):
                await scribe.appended(append)
            assert await answered(scribe, append) == Appended(2, 2)
        finally:
            await scribe.ended()

    run(main)


async def answered(scribe: Scribe, append: Append) -> Result:
    """As often as it takes: on a slow machine the next one is taken for one that hangs as well."""
    while True:
        with suppress(Unwritten):
            return await scribe.appended(append)


async def writes(scribe: Scribe) -> None:
    while not scribe.is_writing:
        await asyncio.sleep(0.005)


def test_what_was_handed_in_is_written_before_the_end_and_nothing_after_it(store: Store, address: str) -> None:
    seat = opened(store)

    async def main() -> None:
        scribe = await Scribe.start(address)
        answers: list[Result] = []
        for _ in range(20):
            scribe.tell_all([seat.buys(1)], answers.extend)
        await scribe.ended()
        assert answers == [Appended(number, number) for number in range(2, 22)]
        with pytest.raises(Unusable, match="closed"):
            await scribe.appended(seat.buys(1))
        with pytest.raises(ProcessLookupError):
            os.kill(number(scribe), 0)

    run(main)


def test_a_database_that_cannot_be_opened_is_told_to_whoever_starts(tmp_path: Path) -> None:
    (tmp_path / "other.db").write_bytes(b"no database at all, and longer than a header" * 100)

    async def main() -> None:
        with pytest.raises(Unusable, match=r"other\.db"):
            async with writing(str(tmp_path / "other.db")) as scribe:
                await scribe.opened()

    run(main)


@pytest.mark.parametrize(
    "result",
    [
        Appended(7, 8),
        Duplicate(3, 4),
        Conflict("T1", expected=5, found=6),
        Short("ann", 5, 7),
        Exceeded("ann", 100, 50, 60),
        Faulty("a defect"),
        Missing("no table"),
        Unwritten("the disk is full"),
        Unusable("the disk failed"),
    ],
    ids=lambda result: type(result).__name__,
)
def test_every_result_comes_over_as_it_is(result: Result) -> None:
    """The errors with what they say, and with what whoever catches them asks."""
    appends = [Append("T1", 4, "", (b"line",), ((),), 0, "c")]
    (body,), rest = whole(answer(appends, [result]))
    (read,) = read_answer(appends, body)
    assert rest == b""
    assert type(read) is type(result)
    assert str(read) == str(result)
    assert vars_of(read) == vars_of(result)


def vars_of(result: Result) -> object:
    return vars(result) if isinstance(result, StoreError) else result


def test_that_everything_was_appended_goes_without_saying() -> None:
    appends = [Append("T1", 4, "", (b"one", b"two"), ((), ()), 0, "c"), Append("T1", 6, "", (b"three",), ((),), 0, "d")]
    (body,), _ = whole(answer(appends, [Appended(5, 6), Appended(7, 7)]))
    assert body == b""
    assert read_answer(appends, body) == [Appended(5, 6), Appended(7, 7)]


def test_large_messages_that_have_arrived_are_taken_together_up_to_a_bound() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4 << 20)
        sent = [bytes([each]) * (ENOUGH // 8 + each) for each in range(20)]

        def send() -> None:
            for each in sent:
                ours.sendall(message(each))
            ours.close()

        sending = threading.Thread(target=send)
        sending.start()
        time.sleep(0.1)  # as many are there as have room
        taken = list(_requests(theirs))
        sending.join()
    assert [each for some in taken for each in some] == sent
    assert len(taken[0]) > 1
    assert max(sum(map(len, some)) for some in taken) <= 2 * ENOUGH
