"""One source for types: the descriptions and the page's types follow from the structs, and what a server sends is as described."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import pytest

import longhu
from longhu import protocol
from longhu.eventsourcing import name_of
from longhu.money import UNSTATED
from longhu.protocol import CloseCode
from longhu.server import codec
from longhu.server.api.description.asyncapi import ANSWERS, SENT, TAKEN, describe
from longhu.server.realtime.broadcast import message
from longhu.server.realtime.device import ANSWERED, SAID
from longhu.server.realtime.public_events import TOLD
from longhu.table.state import Phase
from longhu.table.views import PublicIdentity, view
from tests.server.running import Running, quick, running
from tests.server.sockets import Socket, at
from tests.server.test_public_events import GAMES, VIEWERS, evening

ROOT = Path(__file__).parents[2]
DESCRIPTION: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(describe()))
SCHEMAS: dict[str, Any] = DESCRIPTION["components"]["schemas"]


def strict(schemas: dict[str, Any]) -> dict[str, Any]:
    """The same, without room for fields that are not described."""
    made = deepcopy(schemas)
    for each in made.values():
        if "properties" in each:
            each["additionalProperties"] = False
    return made


STRICT = strict(SCHEMAS)


@cache
def validator(name: str) -> jsonschema_rs.Draft7Validator:
    """Of a component of the description."""
    return jsonschema_rs.Draft7Validator({"$ref": f"#/components/schemas/{name}", "components": {"schemas": STRICT}})


MESSAGES = {
    name: told["payload"]["$ref"].rpartition("/")[2] for name, told in DESCRIPTION["components"]["messages"].items()
}


def mistakes(told: dict[str, Any]) -> list[str]:
    """What is wrong with a message by its description; events are known by their names."""
    name = told["name"] if told["type"] == "event" else told["type"]
    return [f"{name}: {each.message} at {each.instance_path}" for each in validator(MESSAGES[name]).iter_errors(told)]


# ------------------------------------------------ the page's types


@pytest.fixture(scope="module")
def generator() -> Any:
    spec = importlib.util.spec_from_file_location("contract", ROOT / "web" / "contract.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_types_of_the_page_are_current(generator: Any) -> None:
    assert generator.CONTRACT.read_text(encoding="utf-8") == generator.contract(), "run: make contract"


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({}, "unknown"),
        ({"type": "integer", "minimum": 0}, "number"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string | null"),
        ({"enum": ["a", 1, None]}, "'a' | 1 | null"),
        ({"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]}}, "(string | number)[]"),
        ({"type": "array", "prefixItems": [{"type": "string"}, {"type": "null"}], "items": False}, "[string, null]"),
        ({"type": "array", "items": [{"type": "string"}, {"type": "null"}]}, "[string, null]"),
        ({"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Stake"}}, "Record<string, Stake>"),
        ({"type": "object"}, "Record<string, unknown>"),
        ({"title": "T", "type": "object", "properties": {}}, "Record<string, never>"),
        (
            {"title": "T", "type": "object", "properties": {"a": {"type": "string"}, "b-c": {}}, "required": ["a"]},
            "{ a: string; 'b-c'?: unknown }",
        ),
    ],
)
def test_every_kind_of_schema_has_its_type(generator: Any, schema: dict[str, Any], text: str) -> None:
    assert generator.Types({}).text(schema) == text


# ------------------------------------------------ the description of the socket


def references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        for each in part.values():
            yield from references(each)
    elif isinstance(part, list):
        for each in part:
            yield from references(each)


def resolved(reference: str) -> Any:
    found: Any = DESCRIPTION
    for name in reference.removeprefix("#/").split("/"):
        found = found[name]
    return found


def test_every_reference_leads_somewhere_and_every_schema_is_one() -> None:
    assert len({each: resolved(each) for each in references(DESCRIPTION)}) > 200
    for schema in SCHEMAS.values():
        assert jsonschema_rs.meta.is_valid({**schema, "$schema": "http://json-schema.org/draft-07/schema#"})


def test_it_has_the_structure_of_asyncapi_3() -> None:
    assert DESCRIPTION["asyncapi"] == "3.0.0"
    assert DESCRIPTION["info"].keys() >= {"title", "version"}
    assert DESCRIPTION.keys() == {
        "asyncapi", "info", "defaultContentType", "servers", "channels", "operations", "components",
    }  # fmt: skip
    for server in DESCRIPTION["servers"].values():
        assert server.keys() >= {"host", "protocol"}
    assert set(DESCRIPTION["channels"]) == {"table", "device"}
    channel = DESCRIPTION["channels"]["table"]
    assert set(channel["parameters"]) == {part[1:-1] for part in channel["address"].split("/") if part.startswith("{")}
    assert channel.keys() <= {
        "address",
        "title",
        "summary",
        "description",
        "messages",
        "parameters",
        "bindings",
        "x-close-codes",
    }
    for operation in DESCRIPTION["operations"].values():
        assert operation.keys() <= {"action", "channel", "title", "summary", "description", "messages", "reply"}
        assert operation["action"] in ("send", "receive")
        assert resolved(operation["channel"]["$ref"]) in DESCRIPTION["channels"].values()
        for told in (operation, operation.get("reply", {"messages": []})):
            for each in told["messages"]:  # as the specification has it: they are the channel's
                assert each["$ref"].rpartition("/")[0] == f"{operation['channel']['$ref']}/messages"
    for name, told in DESCRIPTION["components"]["messages"].items():
        assert told.keys() <= {"name", "title", "summary", "payload"}
        assert re.fullmatch(r"[\w.-]+", name)
        assert told["name"] == name
        assert told["payload"]["$ref"]


def test_every_message_in_both_directions_is_part_of_an_operation() -> None:
    told = {"send": set[str](), "receive": set[str]()}
    for operation in DESCRIPTION["operations"].values():
        told[operation["action"]] |= {each["$ref"].rpartition("/")[2] for each in operation["messages"]}
        told["send"] |= {each["$ref"].rpartition("/")[2] for each in operation.get("reply", {}).get("messages", ())}
    assert told == {"send": {*SENT, *ANSWERED}, "receive": {*TAKEN, *SAID}}
    assert set(DESCRIPTION["channels"]["table"]["messages"]) == {*SENT, *TAKEN}
    assert set(DESCRIPTION["channels"]["device"]["messages"]) == {*ANSWERED, *SAID}
    assert {*ANSWERS, "snapshot", "account", "pong"} < set(SENT)


def test_every_command_and_every_public_event_is_described() -> None:
    commands = {each.rpartition("/")[2] for each in references(SCHEMAS["CommandMessage"]["properties"]["command"])}
    assert {SCHEMAS[each]["properties"]["command"]["enum"][0] for each in commands} == set(codec.ACCEPTED)
    events = {name_of(kind) for kind, names in TOLD.items() if names is not None}
    assert events == {name for name in SENT if "told" in SENT[name].__struct_fields__}


def test_every_way_to_be_closed_is_described() -> None:
    told = DESCRIPTION["channels"]["table"]["x-close-codes"]
    assert {each["code"] for each in told} == {code.value for code in CloseCode}
    assert all(each["description"] for each in told)


def test_limits_are_published() -> None:
    properties = SCHEMAS["CommandMessage"]["properties"]
    assert properties["id"]["maxLength"] == protocol.COMMAND_ID_MAX
    assert properties["signatures"]["maxItems"] == protocol.SIGNATURES_MAX


# ------------------------------------------------ what is sent


@pytest.mark.parametrize("game", GAMES)
def test_every_event_and_every_view_of_an_evening_is_as_described(game: str) -> None:
    """As staff are told, and as everybody else is."""
    rules = longhu.game(game).definition
    told = 0
    for number, (event, after) in enumerate(evening(game)):
        for who in (None, PublicIdentity(after)):
            found = message(number, event, rules, who)
            if found is not None:
                told += 1
                assert not mistakes(msgspec.to_builtins(found, str_keys=True))
        if number % 5 == 0:
            seen = codec.view(view(after, rules, VIEWERS[number // 5 % len(VIEWERS)]), UNSTATED)
            assert not [
                each.message for each in validator("View").iter_errors(msgspec.to_builtins(seen, str_keys=True))
            ]
    assert told > 50


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(quick(tmp_path_factory.mktemp("contract") / "house.db")) as server:
        server.staffed()
        yield server


def test_the_house_serves_the_description(site: Running) -> None:
    assert site.client().get("/api/schema/asyncapi.json").json() == DESCRIPTION


@pytest.mark.parametrize("game", ["dragon-tiger", "dragon-21"])
def test_every_frame_of_a_running_server_is_as_described(site: Running, game: str) -> None:
    table = site.open_table(f"T-{game}", game, minimum="5.00", maximum="100.00")
    ann, sue = site.signed_in("ann"), site.signed_in("sue")
    with at(site, table) as passer_by, at(site, table, sue) as pit, at(site, table, ann) as patron:
        assert ann.post(
            f"/api/tables/{table}/seat", json={"id": f"sit-{game}", "seat": 1, "buy_in": "80.00"}
        ).is_success
        wager = next(iter(patron.until("snapshot")["view"]["notice"]["limits"]))
        for number in range(2):
            site.until(
                table,
                lambda state: state.round is not None and state.round.phase is Phase.BETTING and not state.round.stakes,
            )
            assert patron.ask("place-wager", place=1, wager=wager, amount="5.00")["type"] == "done"
            assert (
                patron.ask("place-wager", place=1, wager=wager, amount="5000.00", id=f"much-{number}")["type"]
                == "refused"
            )
            patron.send({"type": "ping", "id": "p"})
            patron.send({"type": "ping"})
            patron.send({"type": "command", "id": "nonsense", "command": {"command": "fly"}})
            patron.send("{")
            for socket in (passer_by, pit, patron):
                socket.until("event", name="round-ended")
        for socket in (passer_by, pit, patron):
            heard(socket, socket is patron)
    ann.delete(f"/api/tables/{table}/seat", params={"id": f"leave-{game}"})


def heard(socket: Socket, plays: bool) -> None:
    """Everything that came is as described, and much of what can come did."""
    for told in socket.got:
        assert not mistakes(told)
    names = {told.get("name", told["type"]) for told in socket.got}
    assert names >= {"snapshot", "round-started", "wager-placed", "card-drawn", "result-announced", "wager-settled"}
    assert any("patch" in told for told in socket.got)
    assert any("countdown" in told for told in socket.got if told["type"] == "event")
    if plays:
        assert names >= {"done", "refused", "problem", "account", "pong"}
