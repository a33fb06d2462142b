"""The digest of a table's state, where most of the state is as it was the last time."""

from __future__ import annotations

from hashlib import sha256

import msgspec

from longhu.table.state import Table

_encoder = msgspec.json.Encoder(order="deterministic")
_FIELDS = sorted(Table.__struct_fields__)


class StateText:
    """Writes a state as `checkpoint.written` does, field by field; what is the same object again is not written again."""

    def __init__(self) -> None:
        self._last: dict[str, tuple[object, bytes]] = {}

    def written(self, table: Table) -> bytes:
        return b"{" + b",".join([self._field(name, getattr(table, name)) for name in _FIELDS]) + b"}"

    def _field(self, name: str, value: object) -> bytes:
        last = self._last.get(name)
        if last is not None and last[0] is value and name != "balances":  # which are changed in place
            return last[1]
        text = b'"%b":%b' % (name.encode(), _encoder.encode(msgspec.to_builtins(value, str_keys=True)))
        self._last[name] = (value, text)
        return text

    def digest(self, table: Table) -> bytes:
        return sha256(self.written(table)).hexdigest().encode()
