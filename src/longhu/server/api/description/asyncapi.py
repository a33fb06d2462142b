"""The WebSocket of a table described as AsyncAPI 3, generated from the structs that it decodes and the types that it sends."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from inspect import cleandoc
from typing import Any

from longhu.protocol import IN_FLIGHT_MAX, MESSAGE_BYTES, REPLAYED_MAX, UNREADABLE_MAX, CloseCode
from longhu.server.api.description.openapi import schemas
from longhu.server.config import Config
from longhu.server.realtime.broadcast import EVENT_MESSAGES
from longhu.server.realtime.connection import (
    AccountMessage,
    CommandMessage,
    DoneMessage,
    PingMessage,
    PongMessage,
    ProblemMessage,
    RefusedMessage,
    SnapshotMessage,
)
from longhu.server.realtime.device import ANSWERED, SAID

CHANNEL, DEVICE = "table", "device"
INTRODUCTION = f"""\
The WebSocket of a table. It sends a snapshot of what this viewer may see, then every event with its number and with what it
changes on the screen: `patch` is a JSON Patch (RFC 6902) of `view` in the snapshot. A client that was cut off comes back with `after`, the number of the last event
that it has; it gets up to {REPLAYED_MAX} events that it missed, then a snapshot. A client that cannot keep up gets a snapshot when it can.

Commands of one socket are done in the order in which they come. {IN_FLIGHT_MAX} of them may be unanswered; further ones are read later. Sent
again under its id, a command is done once. Amounts are decimal strings; times are milliseconds since 1970, UTC.

The session is the cookie of `POST /api/session`; without one the viewer is a spectator. `/api/schema/openapi.json` describes the rest of the API.
"""
CLOSED = {
    CloseCode.POLICY: f"The query says something other than `after`, or {UNREADABLE_MAX} messages in a row could not be read",
    CloseCode.TOO_BIG: f"A message is larger than {MESSAGE_BYTES} bytes, or what the house has set instead",
    CloseCode.SESSION_OVER: "The session has ended, or spectators are not admitted",
    CloseCode.NO_TABLE: "There is no such table",
    CloseCode.DEVICE_GONE: "A shoe that reads cards has said nothing for too long, or has connected anew",
}
TAKEN = {"command": CommandMessage, "ping": PingMessage}
ANSWERS = {"done": DoneMessage, "refused": RefusedMessage, "problem": ProblemMessage}
SENT: dict[str, Any] = {
    "snapshot": SnapshotMessage,
    "account": AccountMessage,
    **ANSWERS,
    "pong": PongMessage,
    **{str(each.__struct_config__.tag): each for each in EVENT_MESSAGES.values()},
}
AFTER = {
    "type": "integer",
    "minimum": 0,
    "description": "The number of the last event that was seen",
}


def describe() -> dict[str, Any]:
    """The whole description, as JSON has it."""
    messages, of_devices = {**SENT, **TAKEN}, {**ANSWERED, **SAID}
    found, components = schemas((*SENT.values(), *ANSWERED.values()), (*TAKEN.values(), *SAID.values()))
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Longhu, the WebSocket of a table",
            "version": version("longhu"),
            "description": INTRODUCTION,
            "license": {"name": "Apache-2.0"},
        },
        "defaultContentType": "application/json",
        "servers": {
            "house": {
                "host": f"127.0.0.1:{Config().port}",
                "protocol": "ws",
                "description": "A house on this machine; `wss` and its own address elsewhere",
            }
        },
        "channels": {
            CHANNEL: {
                "address": "/api/tables/{table}/socket",
                "description": "Closed with "
                + "; ".join(f"{code.value}: {CLOSED[code][0].lower()}{CLOSED[code][1:]}" for code in CloseCode)
                + ".",
                "parameters": {"table": {"description": "The name of the table"}},
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in messages},
                "bindings": {
                    "ws": {
                        "method": "GET",
                        "query": {"type": "object", "properties": {"after": AFTER}},
                        "bindingVersion": "0.1.0",
                    },
                },
                "x-close-codes": [
                    {"code": code.value, "name": code.name.lower().replace("_", "-"), "description": CLOSED[code]}
                    for code in CloseCode
                ],
            },
            DEVICE: {
                "address": "/api/tables/{table}/device",
                "description": "A shoe that reads cards, with the credential of the pit as `Authorization: Bearer`",
                "parameters": {"table": {"description": "The name of the table"}},
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in of_devices},
            },
        },
        "operations": {
            "watch": _operation("send", "What happens at the table", SENT.keys() - ANSWERS.keys() - {"pong"}),
            "command": _operation("receive", "Give a command", ["command"], replies=ANSWERS),
            "ping": _operation("receive", "Is the server there, and how far away?", ["ping"], replies=["pong"]),
            "read": _operation("receive", "Tell what left the shoe", SAID, replies=ANSWERED, channel=DEVICE),
        },
        "components": {
            "messages": {name: _message(name, kind, found[kind]) for name, kind in {**messages, **of_devices}.items()},
            "schemas": {name: _draft_7(each) for name, each in components.items()},
        },
    }


def _operation(action: str, summary: str, messages: Any, replies: Any = (), channel: str = CHANNEL) -> dict[str, Any]:
    there, named = {"$ref": f"#/channels/{channel}"}, _named(messages, channel)
    told: dict[str, Any] = {"action": action, "channel": there, "summary": summary, "messages": named}
    if replies:
        told["reply"] = {"channel": there, "messages": _named(replies, channel)}
    return told


def _named(messages: Any, channel: str) -> list[dict[str, str]]:
    return [{"$ref": f"#/channels/{channel}/messages/{name}"} for name in sorted(messages)]


def _message(name: str, kind: Any, schema: Mapping[str, Any]) -> dict[str, Any]:
    told: dict[str, Any] = {"name": name, "title": kind.__name__, "payload": schema}
    if kind.__doc__:
        told["summary"] = cleandoc(kind.__doc__).partition("\n")[0]
    return told


def _draft_7(schema: Any) -> Any:
    """A schema of AsyncAPI 3, which is one of JSON Schema's draft 7: `items` is the list of a tuple's parts."""
    if isinstance(schema, list):
        return [_draft_7(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    told = {name: _draft_7(each) for name, each in schema.items() if name != "discriminator"}
    if "prefixItems" in told:
        told["items"] = told.pop("prefixItems")
        told["additionalItems"] = False
    return told
