"""A table that somebody says to have stood so: can one?

A part of a trail starts from a state whose digest is on record. Before anything is made of it, its numbers must be such as a
table can have: what comes from a stranger may ask for a billion cards.
"""

from __future__ import annotations

from longhu.cards import CARDS_PER_DECK
from longhu.ledger import unlimited
from longhu.table.state import Table


def impossible(table: Table) -> str:
    """What no table of these settings can have, in words; "" for nothing."""
    settings, shoe, shuffle = table.settings, table.shoe, table.shuffle
    if settings is None:
        return "it is closed"
    if not 1 <= settings.decks <= 100:
        return f"it has {settings.decks} decks"
    mixes = [("shoe", shoe.counts)] if shoe is not None else []
    mixes += [("shuffle", shuffle.mix.counts)] if shuffle is not None and shuffle.mix is not None else []
    for name, counts in mixes:
        if len(counts) != CARDS_PER_DECK or not all(0 <= count <= settings.decks for count in counts):
            return f"the {name} does not hold cards of {settings.decks} decks"
    if shoe is not None and not 0 <= shoe.drawn <= settings.cards:
        return f"{shoe.drawn} cards have left its shoe"
    if sum(table.balances.values()):
        return "its balances do not sum to zero"
    owing = next((account for account, held in table.balances.items() if held < 0 and not unlimited(account)), None)
    if owing is not None:
        return f"{owing} owes money"
    if table.round is not None:
        return "a round is in progress"
    seats = [person.seat for person in table.people.values() if person.seat is not None]
    if len(set(seats)) != len(seats) or not all(1 <= seat <= settings.positions for seat in seats):
        return "its seats are taken twice, or are not there"
    return ""
