"""What others are told of a person at a table: a number of the visit and a chosen name, never the name to sign in with.

Whoever is no staff sees a patron as `#7`, the seventh or so who joined, which stays the same for as long as they are at the
table and means nothing elsewhere; a nominee who is not at the table as `#7 nominee`; staff by their position. Oneself is one of
these as well, and a view says which. Staff and auditors see names: nothing is translated for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from longhu.eventsourcing import Event, Refusal
from longhu.positions import Position
from longhu.table.state import Table

SOMEBODY = "somebody"  # who is not at the table any more
MARK = "#"  # no name to sign in with begins so

# Fields of events, views and their parts that name people, whatever the event is.
PEOPLE = {
    "among", "asks", "by", "cut_by", "dealer", "holder", "holders", "nominee", "patron", "patrons", "person", "placed_by", "to",
    "told_by", "viewer", "waits_for",
}  # fmt: skip
KEYS = frozenset(["key"])  # that begin with the name of a patron: ann/3/dragon
PERSON_FIELDS = frozenset([*PEOPLE, *KEYS])
NESTED = (dict, list, tuple)
NOBODY = ("", "*")  # the dealer, everybody
WORDS = frozenset(each.value for each in Position)  # what a record has already in place of a name, as of who has cut

_NAME = re.compile(r"[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?")


class PublicIdentity:
    """How the people of a table are told to others. The newest table is given first: it knows who is there, the others who was."""

    def __init__(self, *tables: Table) -> None:
        self._tables = tables
        self._labels: dict[str, str | None] = {}

    def of(self, name: str, position: Position = Position.PATRON) -> str:
        """Somebody in public; whoever has acted in a position and is not known here is told by that."""
        if name in NOBODY or name.startswith(MARK):
            return name
        label = self.label(name)
        if label is None and position > Position.PATRON:
            return str(position.value)
        return label or (name if name in WORDS else SOMEBODY)

    def label(self, name: str) -> str | None:
        """What stands for a name; None for a stranger."""
        if name not in self._labels:
            labels = (_label(table, name) for table in self._tables)
            self._labels[name] = next((label for label in labels if label is not None), None)
        return self._labels[name]

    def text(self, text: str, own: str = "") -> str:
        """A sentence without the names of anybody at the table but one's own.

        Nobody signs in with a name that has to be told from a word: a patron who is called `seat` makes a sentence harder to
        read, and is not named in it.
        """
        return _NAME.sub(lambda found: self._instead(found[0], own), text)

    def _instead(self, word: str, own: str) -> str:
        return word if word == own else self.label(word) or word

    def refusal(self, refusal: Refusal, own: str) -> Refusal:
        """A refusal for whoever is no staff."""
        return Refusal(self.text(refusal.reason, own), self.text(refusal.remedy, own), refusal.clause)

    def told(self, field: str, value: Any) -> Any:
        """A field of an event or a view as plain data, with everybody in it in public."""
        if isinstance(value, str):
            if field in PEOPLE:
                return self.of(value)
            if field in KEYS:
                name, _, rest = value.partition("/")
                return f"{self.of(name)}/{rest}"
            return value
        if isinstance(value, dict):
            return {
                name: self.told(name, each) if name in PERSON_FIELDS or isinstance(each, NESTED) else each
                for name, each in value.items()
            }
        return [self.told(field, each) for each in value] if isinstance(value, (list, tuple)) else value


class RecalledIdentity(PublicIdentity):
    """The same for a round that is over, of which the events alone are at hand: patrons by the order in which they appear."""

    def __init__(self, events: Iterable[Event]) -> None:
        super().__init__()
        self._staff: dict[str, Position] = {}
        self._patrons: dict[str, str] = {}
        for event in events:
            if event.position > Position.PATRON:
                self._staff[event.by] = event.position
            else:
                self._number(event.by)
            stake = getattr(event, "stake", None)
            self._number(getattr(stake, "patron", ""))
            self._number(getattr(event, "patron", ""))

    def _number(self, name: str) -> None:
        if name not in NOBODY and not name.startswith(MARK):
            self._patrons.setdefault(name, f"{MARK}{len(self._patrons) + 1}")

    def label(self, name: str) -> str | None:
        position = self._staff.get(name)
        return position.value if position is not None else self._patrons.get(name)


def public_id(table: Table, name: str) -> str:
    """Somebody at a table in public.

    >>> from longhu.table.state import Person
    >>> table = Table("", people={"ann": Person("ann", number=7)}, staff={"dee": Position.DEALER})
    >>> [public_id(table, name) for name in ("ann", "dee", "bob", "")]
    ['#7', 'dealer', 'somebody', '']
    """
    return PublicIdentity(table).of(name)


def _label(table: Table, name: str) -> str | None:
    person = table.people.get(name)
    if person is not None:
        return f"{MARK}{person.number}"
    held = max(table.staff.get(name, Position.PATRON), table.acting.get(name, Position.PATRON))
    if held > Position.PATRON or name == table.dealer:
        return str(max(held, Position.DEALER).value)
    if table.staff.get(name) is Position.AUDITOR:
        return Position.AUDITOR.value
    patron = next((each.patron for each in table.nominees.values() if each.person == name), None)
    return None if patron is None else f"{_label(table, patron) or SOMEBODY} nominee"
