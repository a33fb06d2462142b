"""A forger's tools: lines of a proof altered, left out, repeated, moved or made up, and the chain mended behind them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from hypothesis import settings

from longhu.audit import proof
from longhu.audit.record import digest

Lines = list[bytes]
_PLACE = re.compile(rb'^\{"sequence":(\d+),"previous":"([0-9a-f]*)"')
_DIGITS = re.compile(r"[0-9a-f]{32,}")
FORGERIES = min(
    250, max(1, settings().max_examples // 6)
)  # of an evening; so many in the soak, which has many evenings
DROP = object()
MANY = 50  # of a table of 52 cards, three are enough


def parsed(line: bytes) -> Any:
    return json.loads(line)


def written(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def kind_of(line: bytes) -> str:
    """What a line is: the stored name of its event, or which line of the frame."""
    if line.startswith(proof.RECORD):
        return str(parsed(line)["event"]["event"])
    return str(next(iter(parsed(line))))


def mended(lines: Lines, before: int = 0) -> Lines:
    """The same lines with places and digests that fit, and an end that fits; nothing is signed.

    So many records stand before them, where they are not the whole of a proof.
    """
    chained: Lines = []
    sequence, head, records = 0, "", 0
    for line in lines:
        found = _PLACE.match(line)
        if line.startswith(proof.HEAD):
            continue
        if line.startswith(proof.END):
            chained.append(proof.closing_line(before + records, head))
        elif found is None:
            chained.append(line)
        else:
            started = records > 0
            sequence = sequence + 1 if started else int(found[1])
            head = head if started else found[2].decode()
            line = b'{"sequence":%d,"previous":"%b"' % (sequence, head.encode()) + line[found.end() :]
            head, records = digest(line.rstrip(b"\n")), records + 1
            chained.append(line)
    return chained


Path = tuple[str, ...]
Mutation = tuple[str, str, Any]  # the field, what is done to it, the whole value afterwards


def field_mutations(value: Mapping[str, Any], others: Mapping[str, list[str]]) -> Iterator[Mutation]:
    """Every field changed, dropped, and one added; `others` are words that stand under the same name elsewhere."""
    for path, how, new in _changes(value, (), others):
        yield ".".join(path), how, _with(value, path, new)


def _changes(value: Any, path: Path, others: Mapping[str, list[str]]) -> Iterator[tuple[Path, str, Any]]:
    if isinstance(value, dict):
        for name, inner in list(value.items())[: 3 if len(value) > MANY else None]:
            yield from _changes(inner, (*path, name), others)
            if len(path) < 2:
                yield (*path, name), "dropped", DROP
        yield (*path, "added"), "added", 1
    elif isinstance(value, list):
        yield from _changed_list(value, path, others)
    else:
        for how, new in _changed_leaf(value, path[-1], others):
            yield path, how, new
        if value is not None:
            yield path, "emptied", None


def _changed_list(value: list[Any], path: Path, others: Mapping[str, list[str]]) -> Iterator[tuple[Path, str, Any]]:
    if not value:
        yield path, "filled", ["x"]
        return
    yield path, "shortened", value[1:]
    yield path, "doubled", [*value, value[-1]]
    for _, how, new in _changes(value[0], (path[-1],), others):
        if not isinstance(value[0], (dict, list)):
            yield path, f"first {how}", [new, *value[1:]]


def _changed_leaf(value: Any, name: str, others: Mapping[str, list[str]]) -> Iterator[tuple[str, Any]]:
    if value is None:
        yield "given", 1
    elif isinstance(value, bool):
        yield "flipped", not value
    elif isinstance(value, int):
        yield "raised", value + 1
    elif _DIGITS.fullmatch(value):
        yield "altered", value[:-1] + ("0" if value[-1] != "0" else "1")
    else:
        word = next((each for each in others.get(name, ()) if each != value), None)
        yield "altered", value + "x" if word is None else word


def _with(value: Any, path: Path, new: Any) -> Any:
    name, rest = path[0], path[1:]
    if rest:
        return {**value, name: _with(value[name], rest, new)}
    if new is DROP:
        return {each: inner for each, inner in value.items() if each != name}
    return {**value, name: new}


def words(lines: Lines) -> dict[str, list[str]]:
    """Every text in the records, by the name of the field that it stands in."""
    found: dict[str, dict[str, None]] = {}

    def look(value: Any, name: str) -> None:
        if isinstance(value, dict):
            for each, inner in value.items():
                look(inner, each)
        elif isinstance(value, list):
            for inner in value:
                look(inner, name)
        elif isinstance(value, str) and value:
            found.setdefault(name, {})[value] = None

    for line in lines:
        if line.startswith(proof.RECORD):
            look(parsed(line), "")
    return {name: list(values) for name, values in found.items()}
