"""`longhu admin` as whoever looks after a house meets it, on both stores, beside a running server and without one."""

from __future__ import annotations

import io
import json
import os
import shlex
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from itertools import pairwise
from os import getuid
from pathlib import Path
from pwd import getpwuid
from typing import Any

import apsw
import psycopg
import pytest

from longhu.cli import admin
from longhu.cli.administration.copies import DUMP
from longhu.cli.main import BadInput, main
from longhu.cli.options.house import shown_address
from longhu.positions import Position
from longhu.server.house import House
from longhu.store.address import open_store
from longhu.store.mirror import Mirror, MirrorFolder
from longhu.store.sql import decode_lines, encode_lines
from tests.server.conftest import an_empty_database, database, postgresql
from tests.server.running import WAITS, Running, quick, running
from tests.store.server import Server

__all__ = ["database", "postgresql"]

PASSWORD = "a good password"
GAME = "dragon-tiger"


class Admin:
    """Somebody at the command line of one house."""

    def __init__(self, database: str, capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        self.database, self._capsys, self._patch = database, capsys, patch

    def __call__(self, *words: str, given: str = "", status: int = 0) -> str:
        """What is printed."""
        self._patch.setattr("sys.stdin", io.StringIO(given))
        self._capsys.readouterr()
        assert main(["admin", *words, "--database", self.database]) == status, self._capsys.readouterr().err
        return self._capsys.readouterr().out

    def json(self, *words: str, given: str = "", status: int = 0) -> Any:
        return json.loads(self(*words, "--json", given=given, status=status))

    def refused(self, *words: str, given: str = "") -> str:
        """Why it is not done; one line."""
        with pytest.raises(BadInput) as refusal:
            self(*words, given=given)
        told = str(refusal.value)
        assert "\n" not in told
        return told

    def people(self) -> dict[str, dict[str, str]]:
        return {each["person"]: each for each in self.json("people", "list")}


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of whoever runs the tests; passwords cost little here."""
    for name in os.environ:
        if name.startswith("LONGHU_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("LONGHU_HASH_TIME", "1")
    monkeypatch.setenv("LONGHU_HASH_MEMORY_KIB", "19456")


@pytest.fixture
def house(database: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Admin:
    """On each kind of store."""
    return Admin(database, capsys, monkeypatch)


@pytest.fixture
def small(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Admin:
    """On a file, with a table and two people."""
    made = Admin(str(tmp_path / "house.db"), capsys, monkeypatch)
    _furnish(made)
    return made


def _furnish(house: Admin) -> None:
    house("games", "approve", GAME)
    house("tables", "create", "T1", "--game", GAME)
    house("people", "create", "ann", "--name", "Ann Lee", given=PASSWORD + "\n")
    house("people", "create", "li", "--name", "Li Wei", "--position", "pit-manager", given=PASSWORD + "\n")


@pytest.mark.clause("SEC-1", "LOG-3")
def test_the_first_two_operators_are_set_up_and_whatever_follows_raises_an_alert(small: Admin) -> None:
    """Two are made on record; then each act at the console says who typed it, and its alert is raised before it is done."""
    for person in ("olga", "omar", "eve"):
        small("people", "create", person, "--name", "", "--position", "casino-operator", given=PASSWORD + "\n")
    small("people", "position", "li", "gaming-shift-manager", "--why", "promoted")
    small("people", "password", "li", given=PASSWORD + "\n")
    small("people", "lock", "li")
    small("people", "unlock", "li")
    small("devices", "create", "shoe-9", "--table", "T1")
    house = [json.loads(line)["event"] for line in small("export", "--floor").splitlines()]
    set_up = [each for each in house if each["event"] == "operator-set-up/1"]
    user = getpwuid(getuid()).pw_name
    assert [(each["person"], each["console"]) for each in set_up] == [("olga", user), ("omar", user)]
    told = [
        each["message"]["args"] for each in house if each["event"] == "alert-raised/1" and each["kind"] == "console"
    ]
    assert [(each["user"], each["command"], each["person"]) for each in told] == [
        (user, "create-account", "ann"),
        (user, "create-account", "li"),
        (user, "create-account", "eve"),
        (user, "change-position", "li"),
        (user, "set-password", "li"),
        (user, "lock-account", "li"),
        (user, "unlock-account", "li"),
        (user, "create-device", "shoe-9"),
    ]
    trail = [json.loads(line)["event"] for line in small("export", "--person", "li").splitlines()]
    assert {each["console"] for each in trail} == {user}


# ------------------------------------------------ help


def leaves(parser: ArgumentParser, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every act that can be asked for."""
    nested = [each for each in parser._actions if isinstance(each.choices, dict)]
    if not nested:
        yield words
    for action in nested:
        assert isinstance(action.choices, dict)
        for name, sub in action.choices.items():
            yield from leaves(sub, (*words, name))


def acts() -> list[tuple[str, ...]]:
    parser = ArgumentParser()
    admin.configure(parser)
    return list(leaves(parser))


def groups() -> list[tuple[str]]:
    """What has several acts."""
    return [(name,) for name in dict.fromkeys(words[0] for words in acts() if len(words) > 1)]


def examples(told: str) -> list[str]:
    """The examples in a help text."""
    behind = told.partition("examples:\n")[2].partition("\n\n")[0]
    return [line.strip() for line in behind.splitlines()]


@pytest.mark.parametrize("words", acts(), ids=" ".join)
def test_every_act_has_help_with_examples(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as done:
        main(["admin", *words, "--help"])
    assert done.value.code == 0
    told = capsys.readouterr().out
    own = " ".join(("longhu admin", *words))
    assert examples(told)
    assert all(f"{each} ".startswith(f"{own} ") for each in examples(told)), "of this act, and of no other"
    assert "--json" in told


@pytest.mark.parametrize("words", [(), *groups(), *acts()], ids=" ".join)
def test_every_example_in_help_can_be_typed(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """As a shell reads it: without what is behind #, and without files that go in."""
    with pytest.raises(SystemExit):
        main(["admin", *words, "--help"])
    found = examples(capsys.readouterr().out)
    assert found
    parser = ArgumentParser()
    admin.configure(parser)
    for each in found:
        typed = shlex.split(each.partition(" < ")[0], comments=True)
        assert typed[:2] == ["longhu", "admin"]
        assert parser.parse_args(typed[2:]).act


def test_help_of_a_group_has_an_example_of_each_act(capsys: pytest.CaptureFixture[str]) -> None:
    for (group,) in groups():
        with pytest.raises(SystemExit):
            main(["admin", group, "--help"])
        found = [each.split()[3] for each in examples(capsys.readouterr().out)]
        assert found == [words[1] for words in acts() if words[0] == group]


def test_help_promises_no_list_of_servers_that_drive_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["admin", "nodes", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert "Which server drives which table; a server that drives none is not listed." in told


# ------------------------------------------------ people


@pytest.mark.clause("LOG-4", "LOG-5")
def test_people_are_made_listed_moved_locked_and_given_passwords(house: Admin) -> None:
    told = house("people", "create", "li", "--name", "Li Wei", "--position", "dealer", given=PASSWORD + "\n")
    assert told == "li (Li Wei) has an account as dealer.\n"
    house("people", "create", "ann", "--name", "Ann Lee", given=PASSWORD)
    assert house.people()["ann"] == {
        "person": "ann",
        "name": "Ann Lee",
        "position": "patron",
        "standing": "open",
        "wallet": "0.00",
        "money": "real",
    }
    house("people", "position", "li", "pit supervisor", "--why", "promoted")
    assert house.people()["li"]["position"] == Position.PIT_SUPERVISOR.value
    house("people", "lock", "ann")
    assert house.people()["ann"]["standing"] == "locked"
    house("people", "unlock", "ann")
    assert house.people()["ann"]["standing"] == "open"
    house("people", "password", "ann", given="another password\n")
    trail = house("export", "--person", "li")
    assert '"promoted"' not in trail  # it stands behind who did it
    assert ": promoted" in trail
    assert "longhu admin by " in trail


def test_what_cannot_be_done_with_people_is_said_in_a_line(small: Admin) -> None:
    assert "is taken" in small.refused("people", "create", "ann", "--name", "Ann", given=PASSWORD)
    assert "reserved for the house" in small.refused("people", "create", "robot-9", "--name", "R", given=PASSWORD)
    assert "pit-manager" in small.refused("people", "position", "li", "pit-manger")
    assert "patron" in small.refused("people", "position", "ann", "dealer")
    assert "Nobody" in small.refused("people", "lock", "zoe")
    assert "not locked" in small.refused("people", "unlock", "ann")


@pytest.mark.clause("SEC-2")
@pytest.mark.parametrize("given", ["", "short", "\n"])
def test_a_password_that_is_none_makes_no_account(given: str, small: Admin) -> None:
    small.refused("people", "create", "bob", "--name", "Bob", given=given)
    assert "bob" not in small.people()


def test_a_password_is_never_an_argument() -> None:
    parser = ArgumentParser()
    admin.configure(parser)
    with pytest.raises(SystemExit):
        parser.parse_args(["people", "create", "bob", "--name", "Bob", "--password", "x"])


# ------------------------------------------------ tables and games


@pytest.mark.clause("RUL-4")
def test_a_table_opens_with_approved_rules_closes_and_opens_again(house: Admin, tmp_path: Path) -> None:
    assert "RUL-4" in house.refused("tables", "create", "T1", "--game", GAME)
    house("games", "approve", GAME, "--why", "looked at")
    (approved,) = house.json("games", "list")
    assert approved["game"] == GAME
    house("tables", "create", "T1", "--game", GAME, "--min", "5.00", "--max", "200.00")
    (table,) = house.json("tables", "list")
    assert (table["table"], table["standing"], table["dealer"]) == ("T1", "open", "automatic")
    assert "open already" in house.refused("tables", "create", "T1", "--game", GAME)
    house("tables", "close", "T1")
    (table,) = house.json("tables", "list")
    assert table["standing"] == "closed"
    real = ("tables", "create", "T1", "--game", GAME, "--dealer", "human", "--device", "hand-shoe")
    assert "what stands on the table" in house.refused(*real)
    file = tmp_path / "T1.toml"
    file.write_text('sets = [["red"]]\nshoe = 416\ndiscard_rack = 416\ncutting_cards = 1\ndrop_box = "D1"\n')
    told = ("--equipment", str(file), "--checked", "cameras on", "--cards-counted")
    assert "415" in house.refused(*real, *told, "415")
    house(*real, *told, "416")
    (table,) = house.json("tables", "list")
    assert (table["standing"], table["dealer"]) == ("open", "human")
    assert house.json("check")["sound"]


def test_what_cannot_be_done_with_tables_is_said_in_a_line(small: Admin) -> None:
    assert "dragon-tiger" in small.refused("tables", "create", "T2", "--game", "dragon-tigr")
    assert "above the maximum" in small.refused("tables", "create", "T2", "--game", GAME, "--min", "5", "--max", "1")
    assert "no amount" in small.refused("tables", "create", "T2", "--game", GAME, "--min", "five")
    assert "layout" in small.refused("tables", "create", "T2", "--game", GAME, "--layout", "Z")
    assert "no table" in small.refused("tables", "close", "T2")
    assert "already approved" in small.refused("games", "approve", GAME)


def test_nothing_is_made_by_asking_where_there_is_nothing(tmp_path: Path, small: Admin) -> None:
    small.database = str(tmp_path / "nowhere.db")
    for words in (("people", "list"), ("tables", "list"), ("check",), ("backup", str(tmp_path / "b.db")), ("nodes",)):
        assert "no house is there" in small.refused(*words)
    assert not Path(small.database).exists()


@pytest.mark.clause("SEC-1")
def test_positions_tell_what_each_may_do(small: Admin) -> None:
    told = small.json("positions")
    assert {each["position"] for each in told} >= {each.value for each in Position} - {
        "casino-operator",
        "surveillance",
    }
    (only,) = {each["position"] for each in small.json("positions", "pit manager")}
    assert only == "pit-manager"
    assert "grant-squeeze" in small("positions", "pit-manager")


# ------------------------------------------------ beside a running server


@pytest.fixture
def served(database: str) -> Iterator[Running]:
    with running(quick(database)) as server:
        yield server


def test_what_is_done_beside_a_running_server_holds_there_at_once(served: Running, house: Admin) -> None:
    """Made by the command line, used over HTTP; and what is locked there is locked here."""
    _furnish(house)
    client = served.client()
    client.sign_in("li", PASSWORD)
    assert client.get("/api/me").status_code == 200
    assert served.do(lambda running: running.stream("T1")) is not None
    lobby = [each["table"] for each in client.get_json("/api/tables")]
    assert lobby == ["T1"]
    until = time.monotonic() + WAITS
    while not (driven := [each["drives"] for each in house.json("nodes")]) and time.monotonic() < until:
        time.sleep(0.05)  # a server looks for tables that nobody drives a few times a second
    assert driven == ["T1"]
    house("tables", "close", "T1")
    served.do(lambda running: running.tables["T1"].catch_up())
    (table,) = client.get_json("/api/tables")
    assert not table["open"]
    house("people", "lock", "li")
    served.do(_noticed)
    assert client.get("/api/me").status_code == 401
    assert house.json("check")["sound"]


async def _tables(house: House) -> list[str]:
    await house.stream("T1")
    return list(house.tables)


async def _noticed(house: House) -> None:
    """What a store tells its nodes comes a moment later; here it is not waited for."""
    house.people.forget("")


# ------------------------------------------------ copies


@pytest.fixture
def programs(request: pytest.FixtureRequest, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """PostgreSQL's own, where the house is on such a server."""
    if database.startswith("postgresql://"):
        server: Server = request.getfixturevalue("postgresql")
        monkeypatch.setenv("PATH", f"{server.bin}{os.pathsep}{os.environ['PATH']}")


@pytest.fixture
def elsewhere(request: pytest.FixtureRequest, database: str, tmp_path: Path) -> str:
    """Another place for a house of the same kind."""
    if database.startswith("postgresql://"):
        return an_empty_database(request.getfixturevalue("postgresql"))
    return str(tmp_path / "elsewhere.db")


def contents(database: str) -> dict[str, list[bytes]]:
    store = open_store(database)
    try:
        names = [each.table for each in store.tables()] + [each.name for each in store.trails()]
        return {name: list(store.records(name)) for name in names}
    finally:
        store.close()


@pytest.mark.usefixtures("programs")
def test_a_backup_of_a_running_house_is_restored_elsewhere(
    served: Running, house: Admin, elsewhere: str, tmp_path: Path
) -> None:
    _furnish(house)
    assert "T1" in served.do(_tables)
    backup = tmp_path / "backup"
    house("backup", str(backup))
    assert backup.stat().st_mode & 0o077 == 0, "it holds secrets"
    kept = contents(house.database)
    house("people", "create", "bob", "--name", "Bob", given=PASSWORD)
    assert "there already" in house.refused("backup", str(backup))
    house.database = elsewhere
    house("restore", str(backup))
    assert contents(elsewhere) == kept
    assert set(house.people()) == {"ann", "li"}
    assert house.json("check")["sound"]
    assert "already" in house.refused("restore", str(backup)), "never over a house that is there"


@pytest.mark.usefixtures("programs")
def test_with_replace_the_house_that_was_there_is_kept(house: Admin, tmp_path: Path) -> None:
    _furnish(house)
    backup = tmp_path / "backup"
    house("backup", str(backup))
    house("people", "create", "bob", "--name", "Bob", given=PASSWORD)
    newer = contents(house.database)
    told = house.json("restore", str(backup), "--replace")
    assert set(house.people()) == {"ann", "li"}
    if not house.database.startswith("postgresql://"):
        assert contents(told["kept"]) == newer
        return
    with psycopg.connect(house.database) as connection:
        schema = told["kept"].removeprefix("schema ")
        rows = connection.execute(
            f"select cast(sum(last_sequence - first_sequence + 1) as bigint) from {schema}.appends".encode()
        ).fetchall()
    assert rows == [(sum(len(lines) for lines in newer.values()),)]


@pytest.mark.usefixtures("programs")
def test_nothing_is_restored_under_a_running_server(served: Running, house: Admin, tmp_path: Path) -> None:
    _furnish(house)
    backup = tmp_path / "backup"
    house("backup", str(backup))
    told = house.refused("restore", str(backup), "--replace")
    assert "stop the server" in told
    assert served.client().get("/readyz").status_code == 200
    assert set(house.people()) == {"ann", "li"}


def test_a_damaged_backup_is_not_restored(small: Admin, tmp_path: Path) -> None:
    backup, before = tmp_path / "backup.db", contents(small.database)
    small("backup", str(backup))
    tampered(backup)
    assert "WRONG" in _error(small, "restore", str(backup), "--replace")
    assert contents(small.database) == before
    (tmp_path / "noise").write_bytes(b"\0" * 5000)
    told = small.refused("restore", str(tmp_path / "noise"), "--replace")
    assert told == f"{tmp_path / 'noise'} is no backup of a house; `longhu admin backup` makes one"
    small.refused("restore", str(tmp_path / "missing"), "--replace")
    small.refused("restore", small.database, "--replace")
    assert contents(small.database) == before
    assert not [each for each in tmp_path.iterdir() if "unfinished" in each.name or "before" in each.name]


def test_a_house_that_cannot_be_read_any_more_is_replaced_and_kept(small: Admin, tmp_path: Path) -> None:
    backup, before = tmp_path / "backup.db", contents(small.database)
    small("backup", str(backup))
    Path(small.database).write_bytes(b"nothing that anybody could read" * 1000)
    assert "house.db" in small.refused("check")
    told = small.json("restore", str(backup), "--replace")
    assert contents(small.database) == before
    assert Path(told["kept"]).read_bytes().startswith(b"nothing that")


def test_the_log_of_another_house_is_never_mixed_with_a_backup(small: Admin, tmp_path: Path) -> None:
    backup = tmp_path / "backup.db"
    small("backup", str(backup))
    small.database = str(tmp_path / "lost.db")
    (tmp_path / "lost.db-wal").write_bytes(b"what is left of it")
    assert "lost.db-wal" in small.refused("restore", str(backup))
    assert not Path(small.database).exists()


def test_a_dump_that_fails_leaves_the_old_house_in_place(
    postgresql: Server, small: Admin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{postgresql.bin}{os.pathsep}{os.environ['PATH']}")
    small.database = an_empty_database(postgresql)
    _furnish(small)
    before = contents(small.database)
    (tmp_path / "noise").write_bytes(DUMP + b" and then no dump at all")
    assert "pg_restore" in small.refused("restore", str(tmp_path / "noise"), "--replace")
    assert contents(small.database) == before


def test_a_backup_of_one_kind_is_not_restored_to_the_other(
    postgresql: Server, small: Admin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{postgresql.bin}{os.pathsep}{os.environ['PATH']}")
    file, server = small.database, an_empty_database(postgresql)
    small("backup", str(tmp_path / "of-file"))
    small.database = server
    assert "is a backup of a file" in small.refused("restore", str(tmp_path / "of-file"))
    _furnish(small)
    small("backup", str(tmp_path / "of-server"))
    small.database = file
    assert "is a backup of a PostgreSQL" in small.refused("restore", str(tmp_path / "of-server"), "--replace")


def test_without_the_programs_of_postgresql_a_line_says_so(
    postgresql: Server, small: Admin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small.database = an_empty_database(postgresql)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "pg_dump is not to be found" in small.refused("backup", str(tmp_path / "b.dump"))
    assert not (tmp_path / "b.dump").exists()


def test_an_older_pg_dump_makes_no_backup_and_says_why(
    small: Admin, postgresql: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = postgresql.bin.parents[1] / "pginstall" / "bin"
    if older == postgresql.bin or not (older / "pg_dump").exists():
        pytest.skip("the wheel has one version of PostgreSQL only")
    small.database = an_empty_database(postgresql)
    open_store(small.database).close()
    monkeypatch.setenv("PATH", str(older))
    assert "server version mismatch" in small.refused("backup", str(tmp_path / "b.dump"))
    assert not (tmp_path / "b.dump").exists()


def test_a_password_in_an_address_is_shown_to_nobody() -> None:
    shown = shown_address("postgresql://longhu:sesame@db.example:5432/house?sslmode=require")
    assert shown == "postgresql://longhu@db.example:5432/house"


# ------------------------------------------------ exports and checks


def tampered(database: Path) -> None:
    """Somebody with the file and a little knowledge alters a record."""
    connection = apsw.Connection(str(database))
    triggers = [name for (name,) in connection.execute("select name from sqlite_schema where type = 'trigger'")]
    for name in triggers:
        list(connection.execute(f"drop trigger {name}"))
    for number, row in list(connection.execute("select number, lines from appends where table_id = 'T1'")):
        altered = encode_lines([line.replace(b'"T1"', b'"T2"') for line in decode_lines(row)])
        connection.execute("update appends set lines = ? where number = ?", (altered, number))
    connection.close()


def _error(house: Admin, *words: str) -> str:
    house._patch.setattr("sys.stdin", io.StringIO(""))
    house._capsys.readouterr()
    assert main(["admin", *words, "--database", house.database]) == 4
    return house._capsys.readouterr().err


@pytest.mark.clause("LOG-2")
def test_check_finds_a_record_that_was_altered(small: Admin) -> None:
    assert "everything holds" in small("check")
    tampered(Path(small.database))
    assert "WRONG: " in _error(small, "check")
    told = small.json("check", status=4)
    assert told["sound"] is False
    assert "T1" in told["wrong"]


@pytest.mark.clause("LOG-2")
def test_check_holds_the_second_copy_against_the_store(
    small: Admin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "copy"
    store = open_store(small.database)
    with Mirror(store, folder):
        pass
    store.close()
    monkeypatch.setenv("LONGHU_COPY", str(folder))
    assert small.json("check")["not_copied"] == 0
    assert "is the same." in small("check")
    small("people", "create", "bob", "--name", "Bob", given=PASSWORD)
    assert small.json("check")["not_copied"] > 0
    day = MirrorFolder(folder).days("T1")[0]
    day.write_bytes(day.read_bytes().replace(b'"T1"', b'"T2"', 1))
    assert "is another in the second copy" in _error(small, "check")


@pytest.mark.clause("LOG-3", "LOG-6")
def test_exports_are_complete_checked_and_on_record(small: Admin, tmp_path: Path) -> None:
    key, proof, folder = tmp_path / "house.key", tmp_path / "proof.jsonl", tmp_path / "all"
    assert main(["anchor", "--new-key", str(key)]) == 0
    small("export", "T1", "--sign", str(key), "-o", str(proof))
    assert main(["verify", str(proof)]) == 0
    small("export", "--all", str(folder))
    assert {each.name for each in (folder / "tables").iterdir()} == {"T1.jsonl"}
    assert {each.name for each in (folder / "trails").iterdir()} == {
        "house.jsonl",
        "person%3Aann.jsonl",
        "person%3Ali.jsonl",
    }
    assert main(["verify", str(folder / "tables" / "T1.jsonl")]) == 0
    trail = [json.loads(line) for line in small("export", "--person", "ann").splitlines()]
    assert trail[0]["event"]["event"] == "account-created/1"
    assert trail[0]["event"]["password"] == "…", "what a password was made into is nobody's business"
    floor = [json.loads(line)["event"] for line in small("export", "--floor").splitlines()]
    assert [each["kind"] for each in floor if each["event"] == "alert-raised/1"] == ["console"] * 2 + ["export"] * 3
    assert all(after["previous"] == before["digest"] for before, after in pairwise(trail))


def test_whoever_verifies_all_that_was_exported_is_not_told_of_a_fraud(small: Admin, tmp_path: Path) -> None:
    """Tables hold; trails of people and of the house are no proofs, which is no wrong."""
    small("export", "--all", str(tmp_path / "all"))
    trails = sorted((tmp_path / "all" / "trails").iterdir())
    assert len(trails) == 3
    for trail in trails:
        with pytest.raises(BadInput) as refusal:
            main(["verify", str(trail)])
        told = str(refusal.value)
        assert told.startswith(f"{trail}: this is the audit log of a person or of the house, and no proof of a table")
        assert "`longhu admin check`" in told
        assert "tables/*.jsonl" in told


def test_the_trail_of_a_house_in_which_nothing_was_done_is_missing(small: Admin, tmp_path: Path) -> None:
    small.database = str(tmp_path / "empty.db")
    open_store(small.database).close()
    assert "no trail of its own yet" in small.refused("export", "--floor", "-o", str(tmp_path / "x"))
    assert not (tmp_path / "x").exists()


def test_what_cannot_be_exported_is_said_in_a_line(small: Admin, tmp_path: Path) -> None:
    assert "name one thing" in small.refused("export")
    assert "name one thing" in small.refused("export", "T1", "--floor")
    for name in ("T9", "house", "person:ann"):
        told = small.refused("export", name, "-o", str(tmp_path / "x"))
        assert told == f"no table is called {name!r}: `longhu admin tables list` tells which there are"
    told = small.refused("export", "--person", "zoe", "-o", str(tmp_path / "x"))
    assert told == "nobody is called 'zoe': `longhu admin people list` tells who has an account"
    assert "shoe 7" in small.refused("export", "T1", "--shoe", "7", "-o", str(tmp_path / "x"))
    assert "2026-11-16" in small.refused("export", "T1", "--day", "yesterday")
    assert "for one table" in small.refused("export", "--floor", "--shoe", "1")
    assert not (tmp_path / "x").exists()


def test_nobody_runs_where_nobody_runs(small: Admin) -> None:
    assert small("nodes") == "No server drives a table. One that runs and drives none is not listed.\n"
    assert small.json("nodes") == []


def test_an_address_that_is_no_store_is_said_in_a_line(small: Admin, tmp_path: Path) -> None:
    small.database = "mysql://db/house"
    assert "mysql" in small.refused("people", "list")
    (tmp_path / "text.db").write_text("hello")
    small.database = str(tmp_path / "text.db")
    assert "text.db" in small.refused("people", "list")


def test_settings_come_from_the_file_too(small: Admin, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "house.toml"
    file.write_text(f'database = "{small.database}"\n')
    assert main(["admin", "people", "list", "--json", "--config", str(file)]) == 0
    assert {each["person"] for each in json.loads(capsys.readouterr().out)} == {"ann", "li"}
    file.write_text("databse = 'x'\n")
    with pytest.raises(BadInput, match="databse"):
        main(["admin", "people", "list", "--config", str(file)])
