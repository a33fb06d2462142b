"""Values that several sections of a game file write in the same way: clauses, odds, amounts."""

from __future__ import annotations

import re
from fractions import Fraction

from longhu.clauses import DOCUMENTS, clauses
from longhu.deal.procedure import Clauses
from longhu.games.game import Odds
from longhu.games.reader import Node, Wrong
from longhu.money import UNSTATED, Currency, Money, MoneyError, parse
from longhu.wording import suggest

PAYS_MAX = 100_000
_CLAUSE = re.compile(r"[A-Z][A-Z0-9]*-[A-Za-z0-9.\-]+")
_ODDS = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,6})?):([0-9]{1,6})")


def read_clauses(node: Node | None) -> Clauses:
    """One clause id or a list of them; ids of a document that we hold must exist."""
    if node is None:
        return ()
    if isinstance(node.value, list):
        return tuple(id for ids in node.list_of(read_clauses) for id in ids)
    id = node.text()
    if not _CLAUSE.fullmatch(id):
        node.fail(f"{id[:40]!r} is no clause id: expected something like IDT-4.1b")
    document = id.partition("-")[0]
    if document in DOCUMENTS and id not in clauses():
        near = suggest(id, (known for known in clauses() if known.startswith(document + "-"))).split(" Possible")[0]
        node.fail(f"no clause {id!r} is in the rulebook.{near} `longhu rules` lists them")
    return (id,)


def clauses_in(table: Node, key: str = "clause") -> Clauses:
    """The clauses that a table cites; a wrong one is told and does not spoil the rest."""
    return table.attempt(lambda: read_clauses(table.get(key))) or ()


def read_odds(node: Node, commission: Node | None) -> Odds:
    """`8:1`, `3:2`, `0.95:1`; with `commission = "5%"` a share of the win stays with the house."""
    text = node.text()
    found = _ODDS.fullmatch(text)
    if not found:
        node.fail(f'bad odds {text[:24]!r}: write what is won and for how much, as in "8:1", "3:2" or "0.95:1"')
    if not int(found[2]):
        node.fail(f"bad odds {text!r}: nothing is won for a stake of zero")
    win = Fraction(found[1]) / int(found[2])
    if not win:
        node.fail(f'bad odds {text!r}: a line that pays nothing is written result = "push"')
    if win > PAYS_MAX:
        node.fail(f"bad odds {text!r}: more than {PAYS_MAX} to 1")
    share = Fraction(0)
    if commission is not None:
        share = commission.percentage()[0]
        if share >= 1:
            commission.fail(f"a commission of {commission.value} leaves nothing of the win")
    return Odds(win, text, share)


def read_amount(node: Node, currency: Currency | None) -> Money:
    try:
        return parse(node.value, currency or UNSTATED)
    except MoneyError as error:
        node.fail(str(error))


def read_names(node: Node | None, known: list[str], what: str) -> tuple[str, ...]:
    """A list of ids, each of which must be known."""
    if node is None:
        return ()
    names: list[str] = []
    for element in node.elements():
        try:
            name = element.text()
        except Wrong:
            continue
        if name not in known:
            element.note(f"no {what} is called {name[:40]!r}.{suggest(name, known)}")
        elif name in names:
            element.note(f"{what} {name!r} is named twice")
        else:
            names.append(name)
    return tuple(names)
