"""What a page does with the messages of a table: a JSON Patch, applied as RFC 6902 has it."""

from __future__ import annotations

from copy import deepcopy
from typing import Any


def patched(document: Any, patch: list[dict[str, Any]]) -> Any:
    """The document with all operations applied, one after the other; a place that must be there and is not is an error."""
    result = deepcopy(document)
    for operation in patch:
        *parents, name = _tokens(operation["path"])
        target = result
        for each in parents:
            target = target[each]
        assert isinstance(target, dict), operation
        match operation["op"]:
            case "add":
                target[name] = operation["value"]
            case "replace":
                assert name in target, operation
                target[name] = operation["value"]
            case "remove":
                del target[name]
            case other:
                raise AssertionError(other)
    return result


def _tokens(pointer: str) -> list[str]:
    """The names of a JSON Pointer (RFC 6901)."""
    empty, *tokens = pointer.split("/")
    assert empty == "", pointer
    return [each.replace("~1", "/").replace("~0", "~") for each in tokens]
