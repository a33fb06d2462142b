"""Values that several sections of a game file write in the same way: clauses, odds, amounts."""

from __future__ import annotations

import re
from fractions import Fraction

from longhu.clauses import DOCUMENTS, clauses
from longhu.deal.procedure import Clauses
from longhu.games.game import Odds
from longhu.games.reader import Node, Wrong, hint
from longhu.messages.message import Message, message_code
from longhu.money import UNSTATED, Currency, Money, MoneyError, parse
from longhu.wording import nearest

PAYS_MAX = 100_000

NO_CLAUSE_ID = message_code("file-no-clause-id", found="text")
NO_SUCH_CLAUSE = message_code("file-no-such-clause", clause="text")
NO_SUCH_CLAUSE_NEAR = message_code("file-no-such-clause-near", clause="text", near="text")
ODDS_UNREADABLE = message_code("file-odds-unreadable", found="text")
ODDS_FOR_NOTHING = message_code("file-odds-for-nothing", found="text")
ODDS_OF_NOTHING = message_code("file-odds-of-nothing", found="text")
ODDS_TOO_HIGH = message_code("file-odds-too-high", found="text", most="number")
COMMISSION_TAKES_ALL = message_code("file-commission-takes-all", commission="text")
AMOUNT_WRONG = message_code("file-amount-wrong", why="choice", found="text", expected="text")
LEAST_OVER_MOST = message_code("file-least-over-most", what="choice")
SECOND_ID = message_code("file-second-id", what="choice", id="text")
NO_SUCH_NAME = message_code("file-no-such-name", what="choice", found="text", hint="message")
NAMED_TWICE = message_code("file-named-twice", what="choice", name="text")
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
        node.fail(NO_CLAUSE_ID(found=repr(id[:40])))
    document = id.partition("-")[0]
    if document in DOCUMENTS and id not in clauses():
        near = nearest(id, [known for known in clauses() if known.startswith(document + "-")])
        node.fail(NO_SUCH_CLAUSE_NEAR(clause=repr(id), near=repr(near)) if near else NO_SUCH_CLAUSE(clause=repr(id)))
    return (id,)


def clauses_in(table: Node, key: str = "clause") -> Clauses:
    """The clauses that a table cites; a wrong one is told and does not spoil the rest."""
    return table.attempt(lambda: read_clauses(table.get(key))) or ()


def read_odds(node: Node, commission: Node | None) -> Odds:
    """`8:1`, `3:2`, `0.95:1`; with `commission = "5%"` a share of the win stays with the house."""
    text = node.text()
    found = _ODDS.fullmatch(text)
    if not found:
        node.fail(ODDS_UNREADABLE(found=repr(text[:24])))
    if not int(found[2]):
        node.fail(ODDS_FOR_NOTHING(found=repr(text)))
    win = Fraction(found[1]) / int(found[2])
    if not win:
        node.fail(ODDS_OF_NOTHING(found=repr(text)))
    if win > PAYS_MAX:
        node.fail(ODDS_TOO_HIGH(found=repr(text), most=PAYS_MAX))
    share = Fraction(0)
    if commission is not None:
        share = commission.percentage()[0]
        if share >= 1:
            commission.fail(COMMISSION_TAKES_ALL(commission=commission.value))
    return Odds(win, text, share)


def read_amount(node: Node, currency: Currency | None) -> Money:
    try:
        return parse(node.value, currency or UNSTATED)
    except MoneyError as error:
        node.fail(amount_wrong(error))


def amount_wrong(error: MoneyError) -> Message:
    """Why an amount or a currency cannot be read."""
    return AMOUNT_WRONG(why=error.why, found=error.found, expected=error.expected)


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
            element.note(NO_SUCH_NAME(what=what, found=repr(name[:40]), hint=hint(name, known)))
        elif name in names:
            element.note(NAMED_TWICE(what=what, name=repr(name)))
        else:
            names.append(name)
    return tuple(names)
