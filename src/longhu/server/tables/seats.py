"""Where somebody sits, and with how much."""

from __future__ import annotations

import msgspec

from longhu.eventsourcing import Refusal
from longhu.server.house import House
from longhu.table.state import Table


class Seated(msgspec.Struct, frozen=True):
    """Somebody at a table, in minor units."""

    table: str
    chips: int
    staked: int  # on the layout, or in the dealer's hand to be set there


def seats_of(house: House, person: str) -> list[Seated]:
    """Every table at which somebody is."""
    found = [seated(name, live.durable.state, person) for name, live in sorted(house.tables.items())]
    return [each for each in found if each is not None]


def seated(name: str, table: Table, person: str) -> Seated | None:
    """Somebody's chips at a table, and what they have wagered; None for a stranger."""
    if person not in table.people:
        return None
    stakes = table.round.stakes_of(person) if table.round is not None else []
    staked = sum(each.amount for each in stakes) + table.balances.get(f"spoken:{person}", 0)
    return Seated(name, table.balances.get(f"patron:{person}", 0), staked)


def something_left(house: House, person: str) -> Refusal | None:
    """Why an account cannot be closed yet: nobody could fetch what its owner has left at a table."""
    for name, live in sorted(house.tables.items()):
        round = live.state.round
        if live.state.balances.get(f"patron:{person}") or (round is not None and round.stakes_of(person)):
            return Refusal(f"there are chips of {person} at table {name}", "Leave the table first", "MON-3")
    return None
