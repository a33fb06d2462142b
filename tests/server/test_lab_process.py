"""The processes of the lab: limits of time and memory, a line that has an end, and nobody left behind."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable

import msgspec
import pytest

from longhu.games.registry import NO_SUCH_GAME
from longhu.server.api import lab as labs
from longhu.server.api.lab import Full, Lab, Lane, NoAnswer, TooMuch
from longhu.server.lab.questions import Subject

TIGER = msgspec.json.encode(Subject(game="dragon-tiger"))
LONG = msgspec.json.encode(Subject(game="dragon-21", decks=9))


def working(work: Callable[[Lab], Awaitable[None]], **limits: float) -> None:
    """Do this with a lab, and end it."""

    async def whole() -> None:
        lab = Lab(
            idle_seconds=limits.pop("idle", 300.0), limits={Lane[name.upper()]: told for name, told in limits.items()}
        )
        try:
            await work(lab)
        finally:
            await lab.close()

    asyncio.run(whole())


def process_of(lab: Lab, lane: Lane = Lane.QUICK) -> int:
    process = lab._lanes[lane]._process
    assert process is not None
    return process.pid


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_what_takes_too_long_is_ended_and_the_next_question_is_answered() -> None:
    async def work(lab: Lab) -> None:
        await lab.ask(Lane.LONG, "figures", TIGER, "a")
        first = process_of(lab, Lane.LONG)
        lab._lanes[Lane.LONG]._seconds = 0.3
        with pytest.raises(TooMuch):
            await lab.ask(Lane.LONG, "figures", LONG, "a")
        assert not is_there(first)
        lab._lanes[Lane.LONG]._seconds = 60
        assert b'"43/415"' in await lab.ask(Lane.LONG, "figures", TIGER, "a")

    working(work)


def test_a_line_has_an_end_and_whoever_gives_up_leaves_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labs, "OF_ONE_ADDRESS", 2)
    monkeypatch.setattr(labs, "IN_LINE", 3)

    async def work(lab: Lab) -> None:
        first = asyncio.create_task(lab.ask(Lane.QUICK, "figures", TIGER, "a"))
        second = asyncio.create_task(lab.ask(Lane.QUICK, "figures", TIGER, "a"))
        await asyncio.sleep(0)
        with pytest.raises(Full):
            await lab.ask(Lane.QUICK, "figures", TIGER, "a")  # a third of the same address
        third = asyncio.create_task(lab.ask(Lane.QUICK, "figures", TIGER, "b"))
        await asyncio.sleep(0)
        with pytest.raises(Full):
            await lab.ask(Lane.QUICK, "figures", TIGER, "c")  # a fourth of anybody
        second.cancel()
        with pytest.raises(asyncio.CancelledError):
            await second
        assert b'"43/415"' in await lab.ask(Lane.QUICK, "figures", TIGER, "c")
        assert await first == await first
        assert b'"43/415"' in await third
        assert lab._lanes[Lane.QUICK]._asking.total() == 0

    working(work)


def test_whoever_hangs_up_while_it_is_worked_on_leaves_the_next_answer_whole() -> None:
    async def work(lab: Lab) -> None:
        await lab.ask(Lane.QUICK, "figures", TIGER, "a")
        gone = asyncio.create_task(
            lab.ask(Lane.QUICK, "figures", msgspec.json.encode(Subject(game="dragon-bonus")), "a")
        )
        while not lab._lanes[Lane.QUICK]._turn.locked():
            await asyncio.sleep(0)
        gone.cancel()
        with pytest.raises(asyncio.CancelledError):
            await gone
        assert b'"43/415"' in await lab.ask(Lane.QUICK, "figures", TIGER, "a")

    working(work)


def test_a_process_that_falls_is_started_again() -> None:
    async def work(lab: Lab) -> None:
        await lab.ask(Lane.QUICK, "figures", TIGER, "a")
        process = lab._lanes[Lane.QUICK]._process
        assert process is not None
        process.kill()
        await process.wait()
        assert b'"43/415"' in await lab.ask(Lane.QUICK, "figures", TIGER, "a")

    working(work)


def test_a_process_that_nobody_needs_ends_and_so_do_all_in_the_end() -> None:
    found: list[int] = []

    async def work(lab: Lab) -> None:
        await lab.ask(Lane.QUICK, "figures", TIGER, "a")
        process = lab._lanes[Lane.QUICK]._process
        assert process is not None
        assert await asyncio.wait_for(process.wait(), 30) != 0
        await lab.ask(Lane.QUICK, "figures", TIGER, "a")
        found.append(process_of(lab))

    working(work, idle=0.05)
    assert not is_there(found[0])


def test_the_process_is_modest_and_knows_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LONGHU_SIGNING_KEY", "ab" * 32)
    monkeypatch.setenv("PGPASSWORD", "secret")

    async def work(lab: Lab) -> None:
        await lab.ask(Lane.QUICK, "figures", TIGER, "a")
        pid = process_of(lab)
        with open(f"/proc/{pid}/environ", "rb") as file:
            environment = file.read()
        assert b"SIGNING_KEY" not in environment
        assert b"PGPASSWORD" not in environment
        assert os.getpriority(os.PRIO_PROCESS, pid) > os.getpriority(os.PRIO_PROCESS, 0)
        with open(f"/proc/{pid}/limits") as limits:
            memory = next(line for line in limits if line.startswith("Max address space"))
        assert "unlimited" not in memory

    working(work)


def test_why_there_is_no_answer_is_told() -> None:
    async def work(lab: Lab) -> None:
        with pytest.raises(NoAnswer) as error:
            await lab.ask(Lane.QUICK, "figures", msgspec.json.encode(Subject(game="nothing")), "a")
        assert error.value.message == NO_SUCH_GAME(game="nothing")

    working(work)
