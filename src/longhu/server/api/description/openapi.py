"""The API described as OpenAPI 3.1, generated from the routes: the structs that are decoded are the schemas that are published.

A route's docstring is its summary and description, `opt` says whom it serves, what its query holds and an example of its
body; the problems that any route can answer with follow from what it takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from inspect import cleandoc
from typing import Any, get_args, get_origin

import msgspec
from litestar import Litestar, Response
from litestar.handlers import HTTPRouteHandler
from litestar.response import Stream
from litestar.routes import HTTPRoute
from msgspec import inspect

from longhu.server import problems
from longhu.server.api.guards import COOKIE, CSRF, SAFE
from longhu.server.api.http import JSON
from longhu.server.problems import Problem, ProblemKind

SESSION, TOKEN = "session", "csrf"
REFERENCE = "#/components/schemas/{name}"
INTRODUCTION = """\
Tables, wagers, accounts and the audit trail of a house. Amounts are decimal strings in both directions; times are milliseconds
since 1970, UTC. A command carries an id, in its body or in the header Idempotency-Key: sent twice, it is done once. Errors are problem+json, with the clause of the rule
and what can be done. `POST /api/session` signs in: the cookie is the session, and every change carries its token in a header.
The WebSocket of a table is at `/api/tables/{table}/socket`; `/api/schema/asyncapi.json` describes its messages.
"""
MEANS = {kind.status: kind.title for kind in reversed(ProblemKind)}


def describe(app: Litestar) -> dict[str, Any]:
    """The whole description, as JSON has it."""
    operations = list(_operations(app))
    handlers = [handler for _, _, handler in operations]
    sent = [Problem, *(each for handler in handlers if (each := _given(handler)) is not None)]
    taken = [each for handler in handlers for each in (_body(handler), _query(handler)) if each is not None]
    schema_of, components = schemas(sent, taken)
    paths: dict[str, dict[str, Any]] = {}
    for path, method, handler in operations:
        paths.setdefault(path, {})[method.lower()] = _operation(path, method, handler, schema_of, components)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Longhu",
            "version": version("longhu"),
            "description": INTRODUCTION,
            "license": {"name": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "paths": {path: dict(sorted(item.items())) for path, item in sorted(paths.items())},
        "components": {
            "schemas": components,
            "securitySchemes": {
                SESSION: {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": COOKIE,
                    "description": "POST /api/session sets it.",
                },
                TOKEN: {"type": "apiKey", "in": "header", "name": CSRF, "description": "GET /api/session tells it."},
            },
        },
    }


def _operations(app: Litestar) -> Iterator[tuple[str, str, HTTPRouteHandler]]:
    """Path, method and handler of every documented operation."""
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            for handler in route.route_handlers:
                if handler.opt.get("told", True) and "needs" in handler.opt:
                    for method in sorted(handler.http_methods):
                        yield route.path_format, method, handler


def _operation(
    path: str, method: str, handler: HTTPRouteHandler, schema_of: dict[Any, Any], components: dict[str, Any]
) -> dict[str, Any]:
    says = cleandoc(handler.fn.__doc__ or "")
    summary, _, more = says.partition("\n\n")
    told: dict[str, Any] = {
        "operationId": f"{method.lower()}-{handler.handler_name}",
        "summary": summary.rstrip("."),
        "tags": [_tag(path)],
        "parameters": [*_path_parameters(path), *_query_parameters(_query(handler), components)],
        "responses": _responses(path, method, handler, schema_of),
    }
    if more:
        told["description"] = more
    body = _body(handler)
    if body is not None:
        example = handler.opt.get("example")
        content: dict[str, Any] = {"schema": schema_of[body]}
        if example is not None:
            content["example"] = msgspec.to_builtins(example, str_keys=True)
        told["requestBody"] = {"required": True, "content": {JSON: content}}
    if handler.opt["needs"] is not None:
        told["security"] = [{SESSION: []} if method in SAFE else {SESSION: [], TOKEN: []}]
    return told


def _tag(path: str) -> str:
    """The first word of the path behind /api."""
    parts = path.strip("/").split("/")
    return parts[1] if parts[0] == "api" else "operation"


def _body(handler: HTTPRouteHandler) -> Any:
    data = handler.parsed_fn_signature.parameters.get("data")
    return None if data is None else data.annotation


def _query(handler: HTTPRouteHandler) -> Any:
    return handler.opt.get("query")


def _given(handler: HTTPRouteHandler) -> Any:
    """The type of a successful answer; None where it has no JSON."""
    found = handler.parsed_fn_signature.return_type.annotation
    if get_origin(found) is Response or (isinstance(found, type) and issubclass(found, Response)):
        found = next(iter(get_args(found)), None)
    return None if found in (None, type(None), bytes, str) or found is Stream else found


def _path_parameters(path: str) -> list[dict[str, Any]]:
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    return [{"name": name, "in": "path", "required": True, "schema": _path_schema(name)} for name in names]


def _path_schema(name: str) -> dict[str, Any]:
    return {"type": "integer", "minimum": 0} if name == "number" else {"type": "string", "minLength": 1}


def _query_parameters(query: Any, components: dict[str, Any]) -> list[dict[str, Any]]:
    """Each field of the struct is one parameter of the query."""
    if query is None:
        return []
    schema = components[query.__name__]
    required = schema.get("required", ())
    return [
        {"name": name, "in": "query", "required": name in required, "schema": each}
        for name, each in schema["properties"].items()
    ]


def _responses(path: str, method: str, handler: HTTPRouteHandler, schema_of: dict[Any, Any]) -> dict[str, Any]:
    given, media = _given(handler), handler.opt.get("gives", JSON)
    good: dict[str, Any] = {"description": "Done" if method not in SAFE else "As it stands"}
    if given is not None:
        good["content"] = {JSON: {"schema": schema_of[given]}}
    elif handler.status_code != 204:
        good["content"] = {media: {"schema": {"type": "string"}}}
    for also in handler.opt.get("also", ()):
        good["content"][also] = {"schema": {"type": "string"}}
    told = {str(handler.status_code): good}
    if handler.opt.get("etag"):
        told["304"] = {"description": "As it was"}
    problem = {"content": {problems.MEDIA_TYPE: {"schema": schema_of[Problem]}}}
    for status in sorted(_may_go_wrong(path, method, handler)):
        told[str(status)] = {"description": MEANS[status], **problem}
    return told


def _may_go_wrong(path: str, method: str, handler: HTTPRouteHandler) -> set[int]:
    found = {400, 421, 429, 503}
    if handler.opt["needs"] is not None:
        found |= {401, 403}
    if method not in SAFE:
        found |= {403, 409}
    if _body(handler) is not None:
        found |= {413, 415}
    if "{" in path:
        found.add(404)
    return found | set(handler.opt.get("problems", ()))


# ------------------------------------------------ schemas


def schemas(sent: Iterable[Any], taken: Iterable[Any]) -> tuple[dict[Any, Any], dict[str, Any]]:
    """The JSON Schema of each type, and the components that they refer to, made from the structs that are encoded and decoded.

    A field with a default may be left out of what a client sends. What the server sends has all its fields, so there they are
    required, unless the struct leaves out defaults or a field may be unset.
    """
    sent = list(dict.fromkeys(sent))
    types = list(dict.fromkeys([*sent, *taken]))
    found, components = msgspec.json.schema_components(types, ref_template=REFERENCE)
    for struct in _structs(inspect.multi_type_info(sent), set()):
        if not struct.cls.__struct_config__.omit_defaults:
            fields = msgspec.structs.fields(struct.cls)
            always = [each.encode_name for each in fields if each.default is not msgspec.UNSET]
            if tag := struct.tag_field:
                always.insert(0, tag)
            components[struct.cls.__name__]["required"] = always
    return dict(zip(types, found, strict=True)), components


def _structs(types: Sequence[Any], known: set[type]) -> Iterator[inspect.StructType]:
    """Every struct that stands in these types."""
    for each in types:
        if isinstance(each, inspect.StructType):
            if each.cls in known:
                continue
            known.add(each.cls)
            yield each
        yield from _structs(list(_parts(each)), known)


def _parts(type: Any) -> Iterator[Any]:
    """The types that another is made of."""
    match type:
        case inspect.StructType() | inspect.TypedDictType():
            yield from (each.type for each in type.fields)
        case inspect.UnionType():
            yield from type.types
        case inspect.DictType():
            yield from (type.key_type, type.value_type)
        case inspect.ListType() | inspect.VarTupleType():
            yield type.item_type
        case inspect.TupleType():
            yield from type.item_types
        case inspect.Metadata():
            yield type.type
