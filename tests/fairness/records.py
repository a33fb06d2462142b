"""Proofs of tables whose cards came as their shuffles say: what a patron would be given to check."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from longhu.cards import CARDS_PER_DECK
from longhu.table.opening import ChangeSettings, CloseTable
from longhu.table.shoe import EndShoe, LoadShoe
from tests.audit.evening import Told
from tests.table.rounds import equipment_for

Record = list[dict[str, Any]]


def read(lines: Iterable[bytes]) -> Record:
    """A proof, line by line."""
    return [json.loads(line) for line in lines]


def close(told: Told) -> Record:
    """The table closes, and this is its proof."""
    told.does(CloseTable, "opal", float_counted=told.table.balances["float:T1"], counted_by=("sue", "dee"))
    return read(told.trail.proof())


def two_shoes() -> Record:
    """A shoe cut by a patron, three cards burned, two drawn together; then another, without contributions."""
    told = Told("immortal-dragon-tiger", cards=None, burn=3)
    told.shoe_of = {"ann": "seven come eleven", "bob": "恭喜發財"}
    told.load(cut_by="cay", cut_behind=20)
    told.round(ann={"banker": "50.00"})
    told.round(ann={"player": "50.00"})
    told.round(bob={"player": "50.00"})
    told.another_shoe()
    told.round(ann={"banker": "50.00"})
    return together(close(told), 2)


def together(record: Record, number: int) -> Record:
    """The first two cards of a round, set aside before they are dealt: no electronic shoe of ours does it, and a page that checks shuffles reads it."""
    start = [place for place, line in enumerate(record) if "round-started/1" in str(line)][number - 1]
    first, *more = (place for place in range(start, len(record)) if "card-drawn/1" in str(record[place]))
    drawn = [record[place]["event"] for place in (first, more[0])]
    for each in drawn:
        each["from_reserve"] = True
    aside = {
        **{name: drawn[0][name] for name in ("by", "at", "position", "clause", "shoe_number")},
        "event": "cards-set-aside/1",
        "cards": [each["card"]["card"] for each in drawn],
    }
    return [*record[:first], {**record[first], "event": aside}, *record[first:]]


def fresh_shoes() -> Record:
    """A game with a full shoe for every round."""
    told = Told("dragon-bonus-online", cards=None)
    for value in ("one", "two", "three"):
        told.another_shoe(ann=value)
        told.round(ann={"banker": "50.00"})
    return close(told)


def shuffler() -> Record:
    """A continuous shuffler that keeps twenty cards back."""
    equipment = equipment_for(8, setup="continuous-shuffler", shuffler=8 * CARDS_PER_DECK, shoe=0, held_out=20)
    told = Told("dragon-21", cards=None, equipment=equipment)
    for value in ("one", "two", "three", "four"):
        told.another_shoe(ann=value)
        told.round(ann={"dragon": "50.00"})
    return close(told)


def abandoned() -> Record:
    """A shoe that is put away unused; then what no table of ours does: settings changed, and a commitment given up."""
    told = Told("dragon-bonus-online", cards=None)
    told.another_shoe()
    told.does(EndShoe, "dee")
    told.shuffle()
    told.does(LoadShoe, "dee")
    told.shuffle()
    record = read(told.trail.proof())
    loaded = max(place for place, line in enumerate(record) if "shoe-loaded/1" in str(line))
    settings = to_builtins(told.settings)
    changed = {"event": "settings-changed/1", "before": settings, "after": {**settings, "burn": 2}}
    again = [line for line in record if "shuffle-committed/1" in str(line)][-1:]
    return [*record[:loaded], {**record[loaded], "event": changed}, *record[loaded:], *again]


def physical_afterwards() -> Record:
    """An electronic shoe, and then cards that a dealer shuffles by hand."""
    told = Told("dragon-tiger")
    told.round(ann={"dragon": "50.00"})
    told.does(EndShoe, "dee")
    told.does(ChangeSettings, "opal", changes={"device": "hand-shoe"})
    told.settings = replace(told.settings, device="hand-shoe")
    told.load()
    told.open_betting()
    told.bet("ann", "dragon", "50.00")
    told.close_betting()
    told.draw("KS", "7H")
    told.finish()
    return close(told)
