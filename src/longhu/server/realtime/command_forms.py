"""Forms of commands: the fields of each, their kinds, and the choices of each.

A screen makes its forms from this, so a new command has a form without further work. The kind of a field follows from
its type and its name, as in `longhu.table.open_acts`: a hand, an area of the layout, cards that lie on the table, an amount.
"""

from __future__ import annotations

from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import msgspec
from msgspec import NODEFAULT, UNSET, UnsetType
from msgspec.structs import FieldInfo

from longhu.eventsourcing import name_of
from longhu.games.vocabulary import IRREGULARITIES
from longhu.money import Amount
from longhu.positions import Position
from longhu.server.codec import ACCEPTED, KINDS, NOT_SAID
from longhu.table.fills import RequestChips
from longhu.table.irregularities.cards import DrawCardsTogether
from longhu.table.irregularities.exposure import BY_MISTAKE, ExposeCards
from longhu.table.irregularities.rulings import DECISIONS, OF_CARDS_IN_ERROR, ReportIncident
from longhu.table.messages import TABLE, Command
from longhu.table.remedies.mispassed import ReportMispassedHand
from longhu.table.remedies.procedure import OWN_REPORTS, ReportIrregularity


class FieldAsked(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One field of a command."""

    name: str
    kind: str  # one of NAMED and TYPED
    required: bool = False
    choices: tuple[str, ...] = ()  # where the words are few and known
    usual: Any = None  # what holds where nothing is told


class Inquiry(msgspec.Struct, frozen=True, kw_only=True):
    """A command: who may give it at least, and what it asks."""

    needs: str  # a position
    asks: tuple[FieldAsked, ...]


NAMED: dict[str, str] = {  # what a name stands for, whatever the command
    "also": "irregularities",
    "card": "card",
    "cards": "cards",
    "changes": "settings",
    "counted_by": "people",
    "counts": "count of cards",
    "cut_by": "patron",
    "declined": "patrons",
    "established": "cards",
    "first": "hand",
    "hand": "hand",
    "laid": "card on the table",
    "left": "cards",
    "lies": "hand of each card",
    "other": "patron",
    "order": "order of cards",
    "patron": "patron",
    "patrons": "patrons",
    "person": "person",
    "place": "position on the layout",
    "places": "cards on the table",
    "seat": "seat",
    "wager": "wager",
    "wagers": "wagers",
    "winner": "result",
}
TYPED: dict[Any, str] = {
    Amount: "amount",
    Position: "position",
    bool: "yes or no",
    int: "number",
    str: "text",
    tuple[Amount, ...]: "amounts",
    dict[Amount, int]: "count of chips",
}
CHOICES: dict[tuple[type[Command], str], tuple[str, ...]] = {
    (ExposeCards, "kind"): BY_MISTAKE,
    (ReportIrregularity, "kind"): IRREGULARITIES,
    (RequestChips, "kind"): ("fill", "credit"),
}
DECIDED = {"decision": tuple(dict.fromkeys((*DECISIONS, *OF_CARDS_IN_ERROR)))}


def inquiries() -> dict[str, Inquiry]:
    """Every command that people may give, by its name."""
    return {name: _inquiry(KINDS[made]) for name, made in ACCEPTED.items()}


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """A command that reports an irregularity, with what is known of it."""

    command: str
    kind: str | UnsetType = UNSET
    order_known: bool | UnsetType = UNSET


def reports() -> dict[str, list[Report]]:
    """How each kind of irregularity is reported: commands with what is known of them; the first that is open is the one."""
    by_name = {name_of(kind): kind for kind in TABLE.deciders}
    found: dict[str, list[Report]] = {}
    for kind in IRREGULARITIES:
        own = by_name[OWN_REPORTS[kind]] if kind in OWN_REPORTS else ReportIrregularity
        told = ReportIncident if kind == "other" else own
        found[kind] = [_known(told, kind)]
    found["wrong-squeezer"].append(_known(ReportMispassedHand, "wrong-squeezer"))  # before it can be taken back
    return found


def _known(command: type[Command], kind: str) -> Report:
    """What follows for a command from the irregularity that it reports."""
    return Report(
        command=name_of(command),
        kind=kind if "kind" in command.__struct_fields__ else UNSET,
        order_known=kind == "drawn-together-order-known" if command is DrawCardsTogether else UNSET,
    )


def _inquiry(command: type[Command]) -> Inquiry:
    left_out = (*Command.__struct_fields__, *NOT_SAID.get(command, ()))
    fields = [each for each in msgspec.structs.fields(command) if each.name not in left_out]
    return Inquiry(needs=command.needs.value, asks=tuple(_question(command, each) for each in fields))


def _question(command: type[Command], field: FieldInfo) -> FieldAsked:
    kind, choices = _kind(field), _choices(command, field)
    usual = field.default if field.default is not NODEFAULT and isinstance(field.default, (bool, int)) else None
    return FieldAsked(
        name=field.name, kind="choice" if choices else kind, required=field.required, choices=choices, usual=usual
    )


def _kind(field: FieldInfo) -> str:
    type = _something(field.type)
    if field.name == "to" and type is str:
        return "patron"
    if type == tuple[tuple[int, str], ...]:
        return "stakes"
    if type == tuple[tuple[str, int, str], ...]:
        return "wagers of patrons"
    if field.name in NAMED:
        return NAMED[field.name]
    return "choice" if get_origin(type) is Literal else TYPED[type]


def _choices(command: type[Command], field: FieldInfo) -> tuple[str, ...]:
    type = _something(field.type)
    if get_origin(type) is Literal:
        return tuple(get_args(type))
    return CHOICES.get((command, field.name), DECIDED.get(field.name, ()))


def _something(type: Any) -> Any:
    """The type of what is told, where nothing may be told as well."""
    if get_origin(type) in (Union, UnionType):
        (type,) = (each for each in get_args(type) if each not in (NoneType, UnsetType))
    return type
