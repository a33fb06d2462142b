"""Write web/src/lib/message_kinds.ts: the kinds of the arguments of every message, and the values of every text of the page.

The kinds come from the codes that the modules of longhu declare, the values from the places in the English catalogue.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import longhu
from longhu.messages.icu import parse, places
from longhu.messages.localization import catalogue
from longhu.messages.message import CODES

FILE = Path(__file__).parent / "src" / "lib" / "message_kinds.ts"
TYPES = {"": "string | number", "number": "number", "plural": "number", "select": "string"}


def _codes() -> Iterator[str]:
    for module in walk_packages(longhu.__path__, "longhu."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    return (code for code in sorted(CODES) if CODES[code].kinds and not code.startswith("example-"))


def _values(text: str) -> str:
    types: dict[str, str] = {}
    for place in places(parse(text)):
        if TYPES[place.type] != types.get(place.name, "string | number"):
            types[place.name] = TYPES[place.type]
        types.setdefault(place.name, TYPES[place.type])
    return "; ".join(f"{name}: {types[name]}" for name in sorted(types))


def written() -> str:
    """The module, as it should be."""
    kinds = [f"  {json.dumps(code)}: {json.dumps(dict(sorted(CODES[code].kinds.items())))}," for code in _codes()]
    values = [
        f"  {json.dumps(code)}: {{ {found} }};" for code, text in catalogue("en").items() if (found := _values(text))
    ]
    return "\n".join(
        [
            "// Written by `make messages` from the declared codes and the English catalogue: do not edit.",
            "",
            "/** The kind of each argument of a message of the house. */",
            "export const KINDS: Record<string, Record<string, string>> = {",
            *kinds,
            "};",
            "",
            "/** What stands in the places of each text. */",
            "export type Values = {",
            *values,
            "};",
            "",
        ]
    )


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
