"""From a game file to a `Game`: every key read, every mistake told, every line proven reachable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from longhu.deal.procedure import Clauses
from longhu.games.deal_section import read_deal
from longhu.games.digest import digest
from longhu.games.game import Cap, Claim, Decks, Differential, Game, HighLimit, Maximum, Reading, Rule
from longhu.games.layout_section import layout_ids, read_layouts, read_methods
from longhu.games.meaning import Vocabulary
from longhu.games.reader import Node, Wrong, hint
from longhu.games.readings import choose, read_readings
from longhu.games.source import FileSource
from longhu.games.translations import SECTION as TRANSLATIONS
from longhu.games.translations import read_text, read_translations
from longhu.games.values import LEAST_OVER_MOST, amount_wrong, clauses_in, read_amount, read_clauses
from longhu.games.vocabulary import (
    DIFFERENTIALS,
    EQUIPMENT,
    IRREGULARITIES,
    MAXIMUMS,
    POSITIONS,
    REMEDIES,
    STEPS,
    TIMED,
)
from longhu.games.wager_section import WagerContext, names_used, read_terms, read_wagers, wager_ids
from longhu.messages.message import message_code
from longhu.money import TO_HOUSE, TO_PATRON, Currency, HouseRounding, MoneyError, currency
from longhu.texts import Text

FORMAT = 1
NO_SUCH_WORD = message_code("file-no-such-word", what="choice", found="text", hint="message")
DECKS_MAX = 20
DAYS_MAX = 3660


def load(source: FileSource, chosen: Mapping[str, str] | None = None) -> Game:
    """The game that a file describes, under the readings chosen; raises `GameFileError` with every mistake."""
    root = _root(source)
    readings = root.attempt(lambda: read_readings(root.get("reading"), source.data)) or {}
    if chosen:
        root.done()
        source = choose(source, readings, chosen)
        root = _root(source)
        readings = {id: replace(reading, chosen=chosen.get(id, reading.chosen)) for id, reading in readings.items()}
    game = _read_game(root, readings)
    root.done()
    if game is None:
        raise AssertionError("a game that could not be read has told no mistake")
    return replace(game, taken=dict(chosen or {}))


def _root(source: FileSource) -> Node:
    return Node(source, [], source.data).table(
        ["game", "deal", "wager"],
        [
            "format", "terms", "layout", "method", "limits", "differential", "equipment", "high_limit", "cites",
            "irregularities", "reading", "claim", TRANSLATIONS,
        ],
    )  # fmt: skip


def _read_game(root: Node, readings: Mapping[str, Reading]) -> Game | None:
    """Section by section; a section that cannot be read leaves the others to tell their own mistakes."""
    if (version := root.get("format")) is not None:
        root.attempt(lambda: version.integer(FORMAT, FORMAT))
    root.attempt(lambda: read_translations(root.get(TRANSLATIONS)))
    head = root.attempt(lambda: _Head(root.need("game")))
    money = root.attempt(lambda: _currency(root.get("limits")))
    procedure = root.attempt(lambda: read_deal(root.need("deal"), names_used(root)))
    methods = root.attempt(lambda: read_methods(root.get("method"))) or {}
    cites = root.attempt(lambda: _cited(root.get("cites"), "step", STEPS)) or {}
    equipment = root.attempt(lambda: _cited(root.get("equipment"), "equipment", EQUIPMENT)) or {}
    high_limit = root.attempt(lambda: _high_limit(root.get("high_limit")))
    irregularities = root.attempt(lambda: _irregularities(root.get("irregularities"))) or {}
    differential = root.attempt(lambda: _differential(root.get("differential")))
    maximum = root.attempt(lambda: _maximum(root.get("limits"))) or Maximum()
    cap = root.attempt(lambda: _cap(root.get("limits"), money))
    rounding = root.attempt(lambda: _rounding(root.get("limits"))) or TO_PATRON
    if procedure is None:
        return None  # without a procedure there are no facts to read the wagers against
    words = Vocabulary(procedure.outcomes())
    hands = [hand.id for hand in procedure.hands]
    terms = root.attempt(lambda: read_terms(root.get("terms"), words)) or {}
    context = WagerContext(words, hands, layout_ids(root.get("layout")), money)
    ids = wager_ids(root.get("wager"))
    wagers = root.attempt(lambda: read_wagers(root.need("wager"), context)) or {}
    layouts = root.attempt(lambda: read_layouts(root.get("layout"), wagers, ids, hands)) or {}
    claims = root.attempt(lambda: _claims(root.get("claim"), ids)) or ()
    if root.problems or head is None:
        return None
    return Game(
        head.id, head.name, head.version, head.effective, head.authority, head.document, head.decks, head.reshuffled,
        money, procedure, terms, wagers, layouts, methods, maximum, cap, rounding, differential, cites, irregularities, equipment, high_limit, readings, claims,
        digest(root.value), root.source.name, root.value, root.source.text,
    )  # fmt: skip


class _Head:
    """The [game] section."""

    def __init__(self, node: Node) -> None:
        node.table(["id", "name", "decks"], ["version", "effective", "authority", "clauses", "shuffle", "clause"])
        self.id = node.attempt(lambda: node.need("id").id()) or ""
        self.name = node.attempt(lambda: read_text(node.need("name"))) or Text("")
        self.version = node.attempt(lambda: _optional_text(node.get("version"), "1")) or "1"
        effective = node.get("effective")
        self.effective = node.attempt(lambda: effective.day() if effective else None)
        self.authority = node.attempt(lambda: _optional_text(node.get("authority"))) or ""
        self.document = node.attempt(lambda: _optional_text(node.get("clauses"))) or ""
        self.decks = node.attempt(lambda: _decks(node.need("decks"))) or Decks(1, 1, 1, ())
        shuffle = node.get("shuffle")
        options = ["each-shoe", "each-round"]
        self.reshuffled = node.attempt(lambda: bool(shuffle and shuffle.one_of(options) == "each-round")) or False
        self.clauses = clauses_in(node)


def _optional_text(node: Node | None, default: str = "") -> str:
    return node.text() if node else default


def _decks(node: Node) -> Decks:
    node.table(["min", "max", "default"], ["clause"])
    least, most = node.need("min").integer(1, DECKS_MAX), node.need("max").integer(1, DECKS_MAX)
    if least > most:
        node.fail(LEAST_OVER_MOST(what="decks"))
    return Decks(least, most, node.need("default").integer(least, most), clauses_in(node))


def _currency(limits: Node | None) -> Currency | None:
    if limits is None:
        return None
    limits.table([], ["currency", "maximum", "round_cap", "rounding"])
    node = limits.get("currency")
    if node is None:
        return None
    try:
        return currency(node.text())
    except MoneyError as error:
        node.fail(amount_wrong(error))


def _maximum(limits: Node | None) -> Maximum:
    node = limits.get("maximum") if limits else None
    if node is None:
        return Maximum()
    node.table(["per"], ["clause"])
    return Maximum(node.need("per").one_of(MAXIMUMS), clauses_in(node))


def _cap(limits: Node | None, money: Currency | None) -> Cap | None:
    node = limits.get("round_cap") if limits else None
    if node is None:
        return None
    node.table(["amount", "basis"], ["clause"])
    basis = node.need("basis").one_of(["credit", "profit"])
    return Cap(read_amount(node.need("amount"), money), basis, clauses_in(node))


def _rounding(limits: Node | None) -> HouseRounding:
    node = limits.get("rounding") if limits else None
    return TO_HOUSE if node and node.one_of(["patron", "house"]) == "house" else TO_PATRON


def _differential(node: Node | None) -> Differential | None:
    if node is None:
        return None
    node.table(["policy", "decides"], ["clause", "may_leave", "set_by"])
    leave, sets = node.get("may_leave"), node.get("set_by")
    if sets is not None:
        sets.table(["position"], ["clause"])
    return Differential(
        node.need("policy").one_of(DIFFERENTIALS),
        node.need("decides").one_of(POSITIONS),
        clauses_in(node),
        leave.truth() if leave else False,
        sets.need("position").one_of(POSITIONS) if sets else "",
        clauses_in(sets) if sets else (),
    )


def _cited(node: Node | None, what: str, words: tuple[str, ...]) -> dict[str, Clauses]:
    """Words of a closed list, each with the clauses behind it."""
    cites: dict[str, Clauses] = {}
    for word, element in node.items() if node else []:
        if word not in words:
            element.note(NO_SUCH_WORD(what=what, found=repr(word[:40]), hint=hint(word, words)), key=True)
        else:
            cites[word] = element.attempt(partial(read_clauses, element)) or ()
    return cites


def _high_limit(node: Node | None) -> HighLimit | None:
    if node is None:
        return None
    node.table(["areas"], ["clause"])
    return HighLimit(node.need("areas").list_of(lambda each: each.text()), clauses_in(node))


def _irregularities(node: Node | None) -> dict[str, Rule]:
    rules: dict[str, Rule] = {}
    for kind, element in node.items() if node else []:
        if kind not in IRREGULARITIES:
            element.note(
                NO_SUCH_WORD(what="irregularity", found=repr(kind[:40]), hint=hint(kind, IRREGULARITIES)), key=True
            )
            continue
        try:
            timed = ["days"] if kind in TIMED else []
            element.table(["remedy", *timed], ["decides", "clause"])
            decides = element.get("decides")
            by = decides.one_of(POSITIONS) if decides else ""
            days = element.need("days").integer(1, DAYS_MAX) if timed else 0
            rules[kind] = Rule(element.need("remedy").one_of(REMEDIES), by, clauses_in(element), days)
        except Wrong:
            continue
    return rules


def _claims(node: Node | None, wagers: list[str]) -> tuple[Claim, ...]:
    return node.list_of(lambda each: _claim(each, wagers)) if node else ()


def _claim(node: Node, wagers: list[str]) -> Claim:
    node.table(["wager", "rtp", "decks"], ["clause"])
    rtp, decimals = node.need("rtp").percentage()
    decks = node.need("decks").integer(1, DECKS_MAX)
    return Claim(node.need("wager").one_of(wagers), rtp, decimals, decks, clauses_in(node))
