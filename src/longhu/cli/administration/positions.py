"""`longhu admin positions`: what each position may do, read from the commands themselves."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from longhu.cli.main import OK, BadInput

if TYPE_CHECKING:
    from longhu.accounts.messages import HouseCommand
    from longhu.positions import Position


AUDITS = {"of": "everything", "command": "", "says": "Reads, and changes nothing"}


def position_named(word: str) -> Position:
    """A position by its word, however it is written: pit-manager, pit manager, PIT_MANAGER."""
    from longhu.positions import Position
    from longhu.wording import suggest

    words = {each.value: each for each in Position}
    meant = word.strip().lower().replace(" ", "-").replace("_", "-")
    if meant not in words:
        raise BadInput(f"no position is called {word[:40]!r}.{suggest(meant, words)}")
    return words[meant]


def acts_of(position: Position) -> list[dict[str, str]]:
    """What this position may ask of a table or of the house, and the ones below it may not."""
    from inspect import getdoc

    import longhu.accounts.engine
    import longhu.table.engine  # noqa: F401  (every area registers its commands)
    from longhu.accounts.state import ACCOUNT, HOUSE_LOG
    from longhu.eventsourcing import name_of
    from longhu.table.messages import TABLE

    of_tables: list[tuple[str, Any]] = [
        ("a table", each) for each in TABLE.deciders if each.needs is position or position in each.also_by
    ]
    of_house: list[tuple[str, Any]] = [
        ("the house", each)
        for each in (*ACCOUNT.deciders, *HOUSE_LOG.deciders)
        if not each.internal and _is_asked_in(position, each)
    ]
    return [
        {
            "position": position.value,
            "of": of,
            "command": name_of(command),
            "says": (getdoc(command) or "").splitlines()[0].rstrip("."),
        }
        for of, command in (*of_tables, *of_house)
    ]


def _is_asked_in(position: Position, command: type[HouseCommand]) -> bool:
    """Of what people do for themselves, only what a position is named for is done for others as well."""
    from longhu.positions import Position

    if command.own and position is Position.PATRON:
        return True
    return command.needs is position and (not command.own or "needs" in vars(command))


def positions(args: Namespace) -> int:
    from longhu.positions import Position

    wanted = [position_named(args.position)] if args.position else list(Position)
    rows: list[dict[str, Any]] = [row for each in wanted for row in acts_of(each)]
    if Position.AUDITOR in wanted:
        rows.insert(0, {**AUDITS, "position": Position.AUDITOR.value})
    args.told.table(
        rows,
        {"position": "position", "of": "asked of", "command": "command", "says": "what it is"},
        f"A {wanted[0].word} may do what lower positions may, and nothing beyond.",
    )
    return OK
