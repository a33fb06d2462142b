"""Write docs/authority.md from the table of authority: `make docs`.

python docs/authority_page.py            write it
python docs/authority_page.py --print    print it instead
"""

from __future__ import annotations

import sys
from pathlib import Path

from longhu.eventsourcing import name_of
from longhu.positions import LADDER, Position
from longhu.table import engine
from longhu.table.authority import AUTHORITIES, AUTHORITY, EVERY, MOVES, PROGRAM, WHILE_WAITING, Row
from longhu.table.messages import TABLE

PAGE = Path(__file__).with_name("authority.md")
KINDS = {name_of(kind): kind for kind in TABLE.deciders}
HEAD = f"""# Who may do what at a table

Written from `src/longhu/table/authority.py` (`make docs`), which `decide` reads: this is version {AUTHORITY}. A log names the version that its
table opened with, and `longhu verify` judges it by that one.

Of the rows of an act the first that holds decides. An act without a row is for its lowest position, alone: those stand at the end. Where
there is a second person, one of the two holds the position that stands there, or a higher one, and the other is at least a dealer on the
table's staff. Two people are the house's policy (SEC-1): no clause asks for them. Where a document names who decides, that position decides;
where it leaves no choice ("shall be void"), the second person confirms the fact, and the document's rule follows.

The second person signs at once, with name and password beside the act (`cosigned_by` in the log, which the server alone fills in). Otherwise
the report is on record and **the round waits** (`confirmation-awaited`): no card, no wager, no payment, until `confirm-report` comes from
that person's own screen, or `reject-report` with a reason. What is done at once only (†) has a clock of its own. A report that only stops the
round and asks for a ruling needs nobody else, for the ruling does.

| act | from which moment on | lowest position | second person | tables | why |
|---|---|---|---|---|---|
"""


def lowest(row: Row) -> str:
    if row.program:
        return "the program"
    if row.command == EVERY:
        return "anybody of the staff"
    kind = KINDS[row.command]
    held = row.actor or kind.needs
    named = " who has the deal" if row.dealing and held is Position.DEALER else ""
    return held.word + named + "".join(f", {each.word}" for each in kind.also_by)


def second(row: Row) -> str:
    if row.second is None:
        return "–"
    return row.second.word + (", or surveillance" if row.surveillance else "") + ("" if row.waits else " †")


def line(row: Row) -> str:
    act = "every other act that moves a stake or a card" if row.command == EVERY else f"`{row.command}`"
    act += f" {row.case.says}" if row.case else ""
    return f"| {act} | {row.since.value} | {lowest(row)} | {second(row)} | {row.tables.value} | {row.why} |"


def listed(names: frozenset[str] | tuple[str, ...]) -> str:
    return ", ".join(f"`{each}`" for each in sorted(names))


def rung(who: str) -> tuple[int, str]:
    """Where the position that stands first is on the ladder; those outside it come last."""
    words = [each.word for each in LADDER]
    first = who.partition(",")[0]
    return (words.index(first) if first in words else len(words), who)


def page() -> str:
    """The whole page."""
    rows = AUTHORITIES[AUTHORITY]
    others: dict[str, list[str]] = {}
    for name, kind in KINDS.items():
        if name not in {row.command for row in rows}:
            who = kind.needs.word + "".join(f", {each.word}" for each in kind.also_by)
            others.setdefault(who, []).append(name)
    tail = [
        "",
        f"What moves a stake or a card, in the last row, is an act that leads to one of these: {listed(MOVES)}.",
        "",
        f"While a report waits these go on, and nothing else: {listed(WHILE_WAITING)}.",
        "",
        f"The program acts under names that nobody signs in with ({listed(PROGRAM)}): what it does follows from the clock, the"
        " shuffle and the rules, and needs no second person.",
        "",
        "## Acts without a row",
        "",
        "| lowest position | acts |",
        "|---|---|",
        *(f"| {who} | {listed(tuple(others[who]))} |" for who in sorted(others, key=rung)),
    ]
    return HEAD + "\n".join([*map(line, rows), *tail]) + "\n"


if __name__ == "__main__":
    assert engine.AREAS  # each registers its acts
    if "--print" in sys.argv:
        print(page(), end="")
    else:
        PAGE.write_text(page())
