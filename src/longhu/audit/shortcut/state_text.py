"""The digest of a table's state, where most of the state is as it was the last time."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from itertools import groupby
from operator import attrgetter, is_

import msgspec

from longhu.audit.shortcut.steps import VARY
from longhu.table.state import Table

_encoder = msgspec.json.Encoder(order="deterministic")


NULL, TRUE, FALSE, NONE = b"null", b"true", b"false", b"{}"


def encoded(value: object) -> bytes:
    """A value as a state has it."""
    return _encoder.encode(msgspec.to_builtins(value, str_keys=True))


def encoded_map(value: Mapping[str, int]) -> bytes:
    """The same for a map from texts to numbers, quicker."""
    return _encoder.encode(value)


class Part:
    """Fields that stand together: one that every round changes, or all between two of those."""

    def __init__(self, names: list[str], *, varies: bool) -> None:
        self._names, self._read = (
            names,
            attrgetter(*names) if len(names) > 1 else lambda table: (getattr(table, names[0]),),
        )
        self._varies, self._changed_in_place = varies, "balances" in names
        self._last: tuple[object, ...] = ()
        self._text = b""

    def hole(self) -> bytes:
        """Where a field is that rounds change, with its name; "" for others."""
        name = self._names[0].encode()
        return b'"%b":%%(%b)b' % (name, name) if self._varies else b""

    def written(self, table: Table) -> bytes:
        """The fields; where they are the same objects again, they are not written again."""
        values = self._read(table)
        same = len(values) == len(self._last) and all(map(is_, values, self._last))
        if not same or self._changed_in_place:
            fields = zip(self._names, values, strict=True)
            self._text = b",".join([b'"%b":%b' % (name.encode(), encoded(value)) for name, value in fields])
            self._last = values
        return self._text


class StateText:
    """Writes a state as `checkpoint.written` does, part by part."""

    def __init__(self) -> None:
        fields = groupby(sorted(Table.__struct_fields__), key=lambda name: name if name in VARY else "")
        self._parts = [Part(list(names), varies=name != "") for name, names in fields]

    def written(self, table: Table) -> bytes:
        return b"{" + b",".join([part.written(table) for part in self._parts]) + b"}"

    def digest(self, table: Table) -> bytes:
        return sha256(self.written(table)).hexdigest().encode()

    def frame(self, table: Table) -> bytes:
        """The same with a hole of its name for each field that rounds change."""
        parts = [part.hole() or part.written(table).replace(b"%", b"%%") for part in self._parts]
        return b"{" + b",".join(parts) + b"}"
