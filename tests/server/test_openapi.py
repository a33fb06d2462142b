"""The description of the API: complete, true, and a source of requests that nobody thought of.

`LONGHU_CASES=100 pytest tests/server/test_openapi.py` tries thousands.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from copy import deepcopy
from itertools import count
from typing import Any

import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute
from schemathesis import Case, GenerationMode
from schemathesis.checks import (
    content_type_conformance,
    negative_data_rejection,
    not_a_server_error,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.schemas import APIOperation, BaseSchema

from longhu.positions import Position
from longhu.server.api.app import create
from longhu.server.api.description.openapi import describe
from longhu.server.api.guards import COOKIE, CSRF, SAFE
from longhu.server.api.http import Body
from longhu.server.config import Config
from longhu.server.house import House
from longhu.server.problems import MEDIA_TYPE
from longhu.server.streams.commands import SYSTEM
from tests.server.running import PASSWORD, Running, agreed, quick, running

CASES = int(os.environ.get("LONGHU_CASES", "0"))
FEW = 2
APP = create(Config())
DESCRIPTION = describe(APP)
OPERATIONS = [(method, path) for path, item in DESCRIPTION["paths"].items() for method in item]
NAMES = [f"{method} {path}" for method, path in OPERATIONS]
POSITIONS: dict[str, Position | None] = {"patron": None, "operator": Position.CASINO_OPERATOR}
REAL = {"table": "T1", "person": "ann", "game": "dragon-tiger", "account": "world:ann"}
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
]
NUMBERS = count(1)


# ------------------------------------------------ complete and true


def handlers(app: Litestar) -> Iterator[tuple[str, HTTPRouteHandler]]:
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            for handler in route.route_handlers:
                yield route.path_format, handler


def test_every_route_says_whom_it_serves_and_is_told() -> None:
    for path, handler in handlers(APP):
        if handler.http_methods == {"OPTIONS"}:
            continue
        assert "needs" in handler.opt, path
        if path.startswith("/api/") and handler.opt.get("told", True):
            assert {each.lower() for each in handler.http_methods} <= DESCRIPTION["paths"][path].keys()


@pytest.mark.parametrize(("method", "path"), OPERATIONS, ids=NAMES)
def test_every_operation_is_told_whole(method: str, path: str) -> None:
    told = DESCRIPTION["paths"][path][method]
    assert told["summary"]
    assert told["tags"]
    assert {each["name"] for each in told["parameters"] if each["in"] == "path"} == {
        part[1:-1] for part in path.split("/") if part.startswith("{")
    }
    good = [status for status in told["responses"] if status.startswith("2")]
    assert len(good) == 1
    for status, answer in told["responses"].items():
        assert answer["description"]
        if status[0] in "45":
            assert answer["content"].keys() == {MEDIA_TYPE}
        elif status not in ("204", "304"):
            assert answer["content"]
    if method.upper() not in SAFE and "security" in told:
        assert told["security"] == [{"session": [], "csrf": []}]


def test_names_are_unique_and_everything_that_is_referred_to_is_there() -> None:
    ids = [told["operationId"] for item in DESCRIPTION["paths"].values() for told in item.values()]
    assert len(set(ids)) == len(ids)
    for reference in _references(DESCRIPTION):
        assert reference.removeprefix("#/components/schemas/") in DESCRIPTION["components"]["schemas"]
    schemes = DESCRIPTION["components"]["securitySchemes"]
    assert (schemes["session"]["name"], schemes["csrf"]["name"]) == (COOKIE, CSRF)


def _references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        for each in part.values():
            yield from _references(each)
    elif isinstance(part, list):
        for each in part:
            yield from _references(each)


def test_the_example_of_every_body_is_one() -> None:
    bodies = [handler for _, handler in handlers(APP) if handler.parsed_data_field is not None]
    assert bodies
    for handler in bodies:
        decoder = Body.decoders[handler.handler_id]
        decoder.decode(msgspec.json.encode(handler.opt["example"]))


def test_the_server_tells_it(api: Running) -> None:
    answer = api.client().get("/api/schema/openapi.json")
    assert answer.json() == msgspec.json.decode(msgspec.json.encode(DESCRIPTION))


# ------------------------------------------------ requests that nobody thought of


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(quick(tmp_path_factory.mktemp("api") / "house.db")) as server:
        server.staffed()
        server.open_table(REAL["table"], REAL["game"])
        yield server


@pytest.fixture(scope="module")
def schema(api: Running) -> BaseSchema:
    """The description without how to sign in: who asks is up to the test."""
    raw: dict[str, Any] = deepcopy(DESCRIPTION)
    del raw["components"]["securitySchemes"]
    for item in raw["paths"].values():
        for told in item.values():
            told.pop("security", None)
    loaded = schemathesis.openapi.from_dict(raw)
    loaded.config.update(base_url=api.address)
    return loaded


def somebody(api: Running, position: Position | None) -> dict[str, str]:
    """The headers of somebody new: what is tried may well end a session, or lock an account."""
    person = f"somebody-{next(NUMBERS)}"

    async def made(house: House) -> None:
        agreed(await house.people.create(SYSTEM, person, "", PASSWORD, position))

    api.do(made)
    client = api.client()
    client.sign_in(person, PASSWORD)
    return {"Cookie": client.cookie, CSRF: client.headers[CSRF]}


def told_wrong(operation: APIOperation[Any, Any, Any, Any]) -> bool:
    """Is there anything in it that can be told wrong? Any text is the name of something."""
    return bool(operation.body or operation.query or "number" in operation.path)


@pytest.mark.parametrize(("method", "path"), OPERATIONS, ids=NAMES)
def test_whatever_is_asked_the_answer_is_as_described_and_never_our_mistake(
    api: Running, schema: BaseSchema, method: str, path: str
) -> None:
    operation = schema[path][method.upper()]
    people = [{}, *(somebody(api, position) for position in POSITIONS.values())]
    modes = [GenerationMode.POSITIVE, *([GenerationMode.NEGATIVE] if told_wrong(operation) else [])]
    for mode in modes:
        examples = CASES or (FEW if mode is GenerationMode.POSITIVE else 1)

        @settings(
            max_examples=examples,
            deadline=None,
            database=None,
            derandomize=not CASES,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate],
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def asked(case: Case[Any]) -> None:
            _mostly_real(case)
            for headers in people:
                answer = case.call(headers=headers)
                case.validate_response(answer, checks=CHECKS)

        asked()


def _mostly_real(case: Case[Any]) -> None:
    """Things that are there are found; a name that begins late in the alphabet stays, and finds nothing."""
    for name, real in REAL.items():
        if str(case.path_parameters.get(name, "~"))[:1] < "a":
            case.path_parameters[name] = real
