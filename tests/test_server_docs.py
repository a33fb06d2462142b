"""docs/server.md says what is so: every setting with its default, every position with its acts, commands that can be typed."""

from __future__ import annotations

import importlib.util
import re
import shlex
import tomllib
from argparse import ArgumentParser
from importlib import import_module
from pathlib import Path

import msgspec
import pytest

from longhu.cli.administration.positions import acts_of
from longhu.positions import Position
from longhu.server.config import FIELDS, OF_POLICY, Config, TableConfig, load
from longhu.server.tables.opening import setup

DOCS = Path(__file__).parent.parent / "docs"
DOCUMENT = (DOCS / "server.md").read_text()
ROWS = dict(re.findall(r"^\| `(\w+)` \| (.*?) \| .+ \|$", DOCUMENT, re.MULTILINE))
OF_TABLES = dict(
    re.findall(r"^\| `(\w+)` \| ?(.*?) \| .+ \|$", DOCUMENT.partition("Each of `[[tables]]`")[2], re.MULTILINE)
)
TOLD = dict(re.findall(r"^\| `(\w+)` \| .*? \| (.+) \|$", DOCUMENT, re.MULTILINE))
IN_WORDS = {"node": "host and chance", "secure_cookies": "as needed"}
COMMANDS = [
    line.partition("#")[0].strip()
    for block in re.findall(r"```sh\n(.*?)```", DOCUMENT, re.DOTALL)
    for line in block.splitlines()
    if line.strip()
]


def written(value: object) -> str:
    """A default as the tables have it."""
    if value == "":
        return '`""`'
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


@pytest.mark.parametrize("name", FIELDS)
def test_every_setting_is_told_with_its_default(name: str) -> None:
    config = Config()
    default = getattr(config.policy, OF_POLICY[name]) if name in OF_POLICY else getattr(config, name)
    assert ROWS[name] == IN_WORDS.get(name, written(default))


@pytest.mark.parametrize("name", TableConfig.__struct_fields__)
def test_every_setting_of_a_table_is_told_with_its_default(name: str) -> None:
    required = next(each.required for each in msgspec.structs.fields(TableConfig) if each.name == name)
    plain = TableConfig(table="T", game="dragon-tiger")
    assert OF_TABLES[name] == ("" if required else written(getattr(plain, name)))


def test_no_setting_is_told_that_there_is_not() -> None:
    known = {*FIELDS, *TableConfig.__struct_fields__}
    messages = {"snapshot", "event", "done", "refused", "problem", "account", "pong", "command", "ping"}
    assert set(ROWS) | set(OF_TABLES) <= known | messages


@pytest.mark.clause("SEC-1")
@pytest.mark.parametrize("position", [each for each in Position if each is not Position.AUDITOR])
def test_what_each_position_may_do_is_told(position: Position) -> None:
    (row,) = re.findall(rf"^\| {position.word} \| (.*?) \| (.*?) \|$", DOCUMENT, re.MULTILINE)
    for told, of in zip(row, ("a table", "the house"), strict=True):
        assert set(re.findall(r"`(.*?)`", told)) == {each["command"] for each in acts_of(position) if each["of"] == of}


@pytest.mark.clause("SEC-1")
def test_who_creates_accounts_is_told_as_it_is() -> None:
    """`make docs` writes both tables."""
    spec = importlib.util.spec_from_file_location("server_tables", DOCS / "server_tables.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.page(DOCUMENT) == DOCUMENT
    assert "| create the account of | patron | pit supervisor | – |" in DOCUMENT


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_can_be_typed(line: str) -> None:
    program, name, *words = shlex.split(line)
    assert program == "longhu"
    parser = ArgumentParser(exit_on_error=False)
    import_module(f"longhu.cli.{name}").configure(parser)
    parser.parse_args(words)


def test_the_settings_of_the_example_can_be_started_with(tmp_path: Path) -> None:
    (text,) = re.findall(r"```toml\n(.*?)```", DOCUMENT, re.DOTALL)
    key, file = tmp_path / "house.key", tmp_path / "house.toml"
    key.write_text("ab" * 32)
    named = tomllib.loads(text)["signing_key"]
    file.write_text(text.replace(named, str(key)))
    config = load(file, {})
    (table,) = config.tables
    made = setup(table)
    assert made.settings.limits["tie"].max == 50_00
    assert made.settings.limits["tiger"].max == 500_00
