"""Write the tables of docs/server.md that tell who may do what: `make docs`.

What each position may do is read from the commands themselves, who creates accounts from `accounts/appointments.py`.

    python docs/server_tables.py            write them
    python docs/server_tables.py --print    print the whole page instead
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from longhu.accounts.appointments import Appointment, rows
from longhu.cli.administration.positions import acts_of
from longhu.positions import LADDER, Position

PAGE = Path(__file__).with_name("server.md")
APPOINTMENTS = "| what | of whom | who asks, or above | who signs, or above |"
POSITIONS = "| position | at a table | in the house |"
WORDS = {
    Appointment.CREATE: "create the account of",
    Appointment.MOVE: "move to or from",
    Appointment.RESET: "reset the password of",
    Appointment.UNLOCK: "unlock",
}


def appointments() -> Iterator[str]:
    """Who creates accounts, moves people, resets passwords and unlocks: a row each."""
    for act, whom, (asks, signs) in rows():
        of_whom = ", ".join(each.word for each in whom)
        yield f"| {WORDS[act]} | {of_whom} | {asks.word if asks else 'the console'} | {signs.word if signs else '–'} |"


def positions() -> Iterator[str]:
    """What each position may ask for, of a table and of the house, by name; the auditor asks for nothing."""
    for position in (*LADDER, *(each for each in reversed(Position) if each not in LADDER)):
        acts = sorted((each["of"], each["command"]) for each in acts_of(position))
        told = [" ".join(f"`{name}`" for asked, name in acts if asked == of) for of in ("a table", "the house")]
        if acts:
            yield f"| {position.word} | {told[0] or '–'} | {told[1] or '–'} |"


def with_table(page: str, head: str, lines: Iterator[str]) -> str:
    """The page with these rows under that head, in place of those that stand there."""
    before, found, after = page.partition(f"{head}\n")
    if not found:
        raise ValueError(f"{PAGE.name} has no table {head}")
    ruler, *others = after.split("\n")
    rest = next(place for place, line in enumerate(others) if not line.startswith("|"))
    return "\n".join([before + head, ruler, *lines, *others[rest:]])


def page(written: str) -> str:
    """The whole page, with its tables as they are now."""
    return with_table(with_table(written, APPOINTMENTS, appointments()), POSITIONS, positions())


if __name__ == "__main__":
    found = page(PAGE.read_text())
    if "--print" in sys.argv:
        print(found, end="")
    else:
        PAGE.write_text(found)
