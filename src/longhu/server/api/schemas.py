"""JSON Schemas of what is sent and what is taken, made from the structs that are encoded and decoded.

A field with a default may be left out of what a client sends. What the server sends has all its fields, so there they are
required, unless the struct leaves out defaults or a field may be unset.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec import inspect

REFERENCE = "#/components/schemas/{name}"


def schemas(sent: Iterable[Any], taken: Iterable[Any]) -> tuple[dict[Any, Any], dict[str, Any]]:
    """The schema of each type, and the components that they refer to."""
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
