"""The [deal] section: which procedure, whose hands, and its draw table as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from longhu.deal import baccarat, one_card, twenty_one
from longhu.deal.baccarat import Baccarat, DrawRow, TableOfPlay
from longhu.deal.one_card import OneCard
from longhu.deal.pairs import PairBasis
from longhu.deal.procedure import Clauses, HandName, Procedure
from longhu.deal.twenty_one import TwentyOne
from longhu.games.reader import KEY_MISSING, MUST_BE, Node, Wrong, hint, kind
from longhu.games.translations import read_text
from longhu.games.values import clauses_in
from longhu.messages.message import message_code

Hands = tuple[HandName, HandName]

PROCEDURE_MISSING = message_code("deal-procedure-missing", hint="message")
NOT_TWO_HANDS = message_code("deal-not-two-hands", found="number")
HAND_HAS_HYPHEN = message_code("deal-hand-has-hyphen")
HANDS_ALIKE = message_code("deal-hands-alike", id="text")
TOTAL_TWICE = message_code("deal-total-twice", rows="text", total="number")
TOTAL_IS_NATURAL = message_code("deal-total-is-natural", rows="text", total="number")
TOTALS_MISSING = message_code("deal-totals-missing", rows="text", totals="text")
DRAWS_ALWAYS_OR_NEVER = message_code("deal-draws-always-or-never")
DRAWS_ALWAYS_NEVER_OR_LIST = message_code("deal-draws-always-never-or-list")


def read_deal(node: Node, used: set[str]) -> Procedure[Any]:
    """The procedure; `used` are the names in the wagers, which tell whether suits matter."""
    if not isinstance(node.value, dict):
        node.fail(MUST_BE(key="[deal]", what="table", found=kind(node.value)))
    if "procedure" not in node.value:
        node.fail(PROCEDURE_MISSING(hint=hint("", PROCEDURES)), key=True)
    return PROCEDURES[node.child("procedure").one_of(PROCEDURES)](node, used)


def _hands(node: Node) -> Hands:
    elements = node.need("hands").elements()
    if len(elements) != 2:
        node.need("hands").fail(NOT_TWO_HANDS(found=len(elements)))
    hands: list[HandName] = []
    for element in elements:
        element.table(["id", "name"])
        hands.append(HandName(element.need("id").id(), read_text(element.need("name"))))
    if "-" in hands[0].id + hands[1].id:
        node.need("hands").fail(HAND_HAS_HYPHEN())
    if hands[0].id == hands[1].id:
        node.need("hands").fail(HANDS_ALIKE(id=repr(hands[0].id)))
    return hands[0], hands[1]


def _suits(used: set[str], facts: list[Any]) -> bool:
    return any(fact.needs_suits and fact.name in used for fact in facts)


def _pair_basis(node: Node) -> PairBasis:
    pair = node.get("pair")
    return PairBasis(pair.one_of([basis.value for basis in PairBasis])) if pair else PairBasis.RANK


def _one_card(node: Node, used: set[str]) -> OneCard:
    node.table(["procedure", "hands"], ["first_cards"])
    hands = _hands(node)
    suits = _suits(used, one_card.facts(hands))
    return OneCard(hands, suits, clauses_in(node, "first_cards"))


def _twenty_one(node: Node, used: set[str]) -> TwentyOne:
    node.table(["procedure", "hands"], ["first_cards", "blackjack", "draws_to", "pair"])
    hands = _hands(node)
    clauses: dict[str, Clauses] = {}
    draws_to = 16
    if (blackjack := node.get("blackjack")) is not None:
        clauses["blackjack"] = clauses_in(blackjack.table(["clause"]))
    if (rule := node.get("draws_to")) is not None:
        rule.table(["total"], [hand.id for hand in hands])
        draws_to = rule.need("total").integer(11, 20)
        clauses |= {hand.id: clauses_in(rule, hand.id) for hand in hands}
    return TwentyOne(
        hands,
        draws_to,
        _pair_basis(node),
        _suits(used, twenty_one.facts(hands, draws_to + 10)),
        clauses_in(node, "first_cards"),
        clauses.get("blackjack", ()),
        (clauses.get(hands[0].id, ()), clauses.get(hands[1].id, ())),
    )


def _baccarat(node: Node, used: set[str]) -> Baccarat:
    if "hands" not in node.value:
        node.fail(KEY_MISSING(table="[deal]", key="'hands'"), key=True)
    first, second = hands = _hands(node)
    stood, drew = f"{second.id}_if_{first.id}_stands", f"{second.id}_if_{first.id}_draws"
    node.table(["procedure", "hands", "natural", first.id, stood, drew], ["first_cards", "pair"])
    natural = node.need("natural").table(["totals"], ["clause"])
    naturals = frozenset(natural.need("totals").list_of(lambda each: each.integer(0, 9)))
    play = TableOfPlay(
        naturals,
        clauses_in(natural),
        _rows(node, first.id, naturals, against=False),
        _rows(node, stood, naturals, against=False),
        _rows(node, drew, naturals, against=True),
    )
    firsts: tuple[Clauses, Clauses] = ((), ())
    if (order := node.get("first_cards")) is not None:
        order.table([first.id, second.id])
        firsts = (clauses_in(order, first.id), clauses_in(order, second.id))
    return Baccarat(hands, play, _pair_basis(node), _suits(used, baccarat.facts(hands, naturals)), firsts)


def _rows(deal: Node, key: str, naturals: frozenset[int], *, against: bool) -> Mapping[int, DrawRow]:
    """The rows of one hand; together they must say once what happens on every total but a natural."""
    table = deal.need(key)
    by_total: dict[int, DrawRow] = {}
    mistakes = len(table.problems)
    for row in table.list_of(lambda each: _row(each, against=against)):
        for total in row.totals:
            if total in by_total or total in naturals:
                table.fail((TOTAL_IS_NATURAL if total in naturals else TOTAL_TWICE)(rows=key, total=total))
            by_total[total] = row
    if len(table.problems) > mistakes:
        raise Wrong  # a row that could not be read is no gap
    missing = [total for total in range(10) if total not in naturals and total not in by_total]
    if missing:
        table.fail(TOTALS_MISSING(rows=key, totals=", ".join(map(str, missing))))
    return by_total


def _row(row: Node, *, against: bool) -> DrawRow:
    row.table(["on", "draws"], ["clause"])
    totals = frozenset(row.need("on").list_of(lambda each: each.integer(0, 9)))
    draws = row.need("draws")
    clauses = clauses_in(row)
    if draws.value in ("always", "never"):
        return DrawRow(totals, draws.value == "always", clauses)
    if not against or not isinstance(draws.value, list):
        draws.fail(DRAWS_ALWAYS_NEVER_OR_LIST() if against else DRAWS_ALWAYS_OR_NEVER())
    return DrawRow(totals, frozenset(draws.list_of(lambda each: each.integer(0, 9))), clauses)


PROCEDURES: Mapping[str, Callable[[Node, set[str]], Procedure[Any]]] = {
    "one-card": _one_card,
    "baccarat": _baccarat,
    "twenty-one": _twenty_one,
}
