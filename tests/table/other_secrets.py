"""A table with other secrets: the same to whoever may not know them.

A view leaks nothing when it stays the same while everything that its viewer may not know is altered. What it is altered
to occurs nowhere else, so it would be found in the text, too.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from longhu.games.game import Game
from longhu.money import Money
from longhu.table.handling import may_handle
from longhu.table.state import Card, Round, ShoeInUse, Table
from longhu.table.views import Role, Viewer, view

MARK, SUM = "SECRET", 987_654_321


def leaks(table: Table, game: Game, viewer: Viewer) -> str:
    """What this viewer could learn and may not; "" for nothing."""
    plain = view(table, game, viewer)
    marked = msgspec.json.encode(view(with_other_secrets(table, viewer), game, viewer))
    for secret in (MARK, str(SUM)):
        if secret.encode() in marked:
            return f"{viewer} sees {secret} in {marked.decode()}"
    text = msgspec.json.encode(plain)
    return "" if text == marked else f"what {viewer} sees depends on secrets: {text.decode()} or {marked.decode()}"


def with_other_secrets(table: Table, viewer: Viewer) -> Table:
    """Other faces of what lies face down, another shoe, other people's balances."""
    if table.round is not None:
        table = replace(table, round=_other_cards(table, table.round, viewer))
    if table.shoe is not None:
        table = replace(table, shoe=_other_shoe(table.shoe))
    if viewer.role in (Role.PIT, Role.AUDITOR):
        return table
    own = f"patron:{viewer.person}"
    balances = {account: held if account == own else Money(SUM) for account, held in table.balances.items()}
    return replace(table, balances=balances | {"patron:nobody": Money(SUM)})


def _other_cards(table: Table, round: Round, viewer: Viewer) -> Round:
    cards = tuple(each if _may_know(table, each, viewer) else replace(each, card=MARK) for each in round.cards)
    offer = round.offer and replace(round.offer, cards=(MARK,) * len(round.offer.cards))
    return replace(round, cards=cards, offer=offer, reserve=(MARK,) * len(round.reserve))


def _may_know(table: Table, laid: Card, viewer: Viewer) -> bool:
    looked = laid.seen and laid.holder != "" and may_handle(table, viewer.person, laid.holder)
    return laid.public or looked or not laid.card


def _other_shoe(shoe: ShoeInUse) -> ShoeInUse:
    seen = list(shoe.discards)
    for face in shoe.unseen:
        seen.remove(face)
    return replace(
        shoe,
        counts=shoe.counts[::-1],
        discards=(*seen, *(MARK for _ in shoe.unseen)),
        unseen=(MARK,) * len(shoe.unseen),
    )
