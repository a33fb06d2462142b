"""A house that writes every record a second time, in a folder of its own (LOG-2)."""

from __future__ import annotations

import asyncio
import json
import stat
from pathlib import Path

import pytest

from longhu.accounts.alerts import Significant
from longhu.accounts.names import HOUSE_TRAIL
from longhu.cli.main import OK, WRONG, BadInput, main
from longhu.server.config import BadConfig
from longhu.server.streams.commands import SYSTEM
from longhu.store.address import open_store
from longhu.store.mirror import RULES, MirrorFolder, check_mirror
from tests.server.houses import a_house, a_patron, a_table, done, play


@pytest.mark.clause("LOG-2")
def test_what_happens_in_a_house_is_written_twice(tmp_path: Path) -> None:
    database, folder = str(tmp_path / "house.db"), tmp_path / "copy"

    async def evening() -> None:
        async with a_house(database, copy=str(folder)) as house:
            await a_table(house)
            ann = await a_patron(house, "ann")
            done(await house.join(ann, "T1", 1, 100_000))
            await play(house, {ann: "dragon"}, rounds=2)

    asyncio.run(evening())
    store = open_store(database)
    try:
        assert check_mirror(store, folder) == 0
        for trail in ("T1", "person:ann", HOUSE_TRAIL):
            assert list(MirrorFolder(folder).lines(trail)) == list(store.records(trail)) != []
    finally:
        store.close()


@pytest.mark.clause("LOG-2")
def test_a_copy_is_verified_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By a stranger, without the house: the rules are beside the records, also those that came later."""
    folder = tmp_path / "copy"

    async def evening() -> None:
        async with a_house(str(tmp_path / "house.db"), copy=str(folder)) as house:
            ann = await a_patron(house, "ann")
            for game, wager in (("dragon-tiger", "dragon"), ("dragon-bonus-online", "player")):
                await a_table(house, game)
                done(await house.join(ann, "T1", 1, 100_000))
                await play(house, {ann: wager}, rounds=1)
                done(await house.leave(ann, "T1"))
                done(await house.close_table(SYSTEM, "T1"))

    asyncio.run(evening())
    assert main(["verify", str(folder / "T1"), "--json"]) == OK
    assert json.loads(capsys.readouterr().out)["rounds"] == 2
    with pytest.raises(BadInput, match=r"Tables in it: T1\."):
        main(["verify", str(folder)])
    with pytest.raises(BadInput, match="not the copy of a table"):
        main(["verify", str(folder / HOUSE_TRAIL)])
    assert stat.S_IMODE((folder / "T1" / RULES).stat().st_mode) == 0o600
    (day,) = MirrorFolder(folder).days("T1")
    whole = day.read_bytes()
    day.write_bytes(whole.replace(b'"amount":100000', b'"amount":200000', 1))
    assert day.read_bytes() != whole
    assert main(["verify", str(folder / "T1")]) == WRONG


@pytest.mark.clause("LOG-2", "LOG-3")
def test_a_copy_that_is_another_is_an_alert(tmp_path: Path) -> None:
    database, folder = str(tmp_path / "house.db"), tmp_path / "copy"

    async def evening(*, changed: bool) -> None:
        async with a_house(database, copy=str(folder)) as house:
            if not changed:
                await a_table(house)
            while changed and not await house.house_log.alerts():
                await asyncio.sleep(0.01)
            assert [each.kind for each in await house.house_log.alerts()] == [Significant.COPY_FAULT] * changed

    asyncio.run(evening(changed=False))
    day = MirrorFolder(folder).days("T1")[-1]
    day.write_bytes(day.read_bytes().replace(b'"T1"', b'"T2"'))
    asyncio.run(evening(changed=True))


def test_two_houses_do_not_copy_to_one_folder(tmp_path: Path) -> None:
    async def main() -> None:
        async with a_house(str(tmp_path / "one.db"), copy=str(tmp_path / "copy")):
            with pytest.raises(BadConfig, match="copy: somebody else copies"):
                async with a_house(str(tmp_path / "two.db"), copy=str(tmp_path / "copy")):
                    pass

    asyncio.run(main())
