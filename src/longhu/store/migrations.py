"""Migrations: numbered scripts, each applied once, in a transaction of its own."""

from __future__ import annotations

from importlib.resources import files

import msgspec

from longhu.store.errors import SchemaTooNew


class Script(msgspec.Struct, frozen=True):
    """One step from an older shape to a newer one."""

    number: int
    name: str
    text: str


def scripts(backend: str) -> list[Script]:
    """The scripts that this program knows, in order."""
    folder = files("longhu.store") / "scripts" / backend
    found = sorted((each for each in folder.iterdir() if each.name.endswith(".sql")), key=lambda each: each.name)
    known = [Script(int(each.name[:4]), each.name, each.read_text(encoding="utf-8")) for each in found]
    if [each.number for each in known] != list(range(1, len(known) + 1)):
        raise AssertionError(f"scripts of {backend} are not numbered one after the other")
    return known


def pending(known: list[Script], applied: int, where: str) -> list[Script]:
    """What a database still lacks; `SchemaTooNew` where it has had more than this program knows."""
    if applied > len(known):
        raise SchemaTooNew(
            f"{where} has shape {applied}, and this version of Longhu knows shapes up to {len(known)}. "
            "Start the newer version that changed it, or restore a backup from before."
        )
    return known[applied:]
