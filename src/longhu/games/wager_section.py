"""The [terms] and [[wager]] sections: what can be bet on, and the lines that decide it."""

from __future__ import annotations

from dataclasses import dataclass

from longhu.deal.facts import Endings, members
from longhu.deal.procedure import Clauses
from longhu.games.game import Line, Odds, Result, StakeLimit, Wager
from longhu.games.meaning import Vocabulary
from longhu.games.reader import Node, Wrong
from longhu.games.translations import read_text
from longhu.games.values import LEAST_OVER_MOST, SECOND_ID, clauses_in, read_amount, read_names, read_odds
from longhu.games.when import CONSTANTS, KEYWORDS, Expression, WhenError, names, parse
from longhu.messages.message import Message, message_code
from longhu.money import Currency
from longhu.texts import SIMPLIFIED, TRADITIONAL, Text

LINE_KEYS = ("says", "when", "pays", "commission", "result", "clause")
OTHERWISE = "otherwise"
TERM_IS_FACT = message_code("file-term-is-fact", name="text")
TERM_IS_WORD = message_code("file-term-is-word", name="text")
NO_TERM_NAME = message_code("file-no-term-name", found="text")
CALLED_ALIKE = message_code("file-called-alike", first="text", second="text", word="text")
WAGER_MISSING = message_code("file-wager-missing")
NAMES_ITSELF = message_code("file-names-itself", key="text")
LINES_MISSING = message_code("file-lines-missing")
OTHERWISE_UNREACHED = message_code("file-otherwise-unreached")
LINE_NEVER_HOLDS = message_code("file-line-never-holds")
LINE_DECIDED_ABOVE = message_code("file-line-decided-above")
PAYS_AND_RESULT = message_code("file-pays-and-result")
RESULT_MISSING = message_code("file-result-missing")
COMMISSION_WITHOUT_WIN = message_code("file-commission-without-win")
UNDECIDED = message_code("file-undecided", outcomes="number")
UNDECIDED_SUCH_AS = message_code("file-undecided-such-as", outcomes="number", example="text")
UNSAID = Text(
    OTHERWISE, {SIMPLIFIED: "其他情况", TRADITIONAL: "其他情況"}
)  # the last line, where the file has no words for it


def read_expression(node: Node) -> Expression:
    """An expression as a tree; a mistake is told at its own column."""
    text = node.text()
    try:
        return parse(text)
    except WhenError as error:
        node.fail(error.message, at=error.offset)


def names_used(root: Node) -> set[str]:
    """Every name in any expression of the file, before it is known which of them exist."""
    used: set[str] = set()
    for text in _expressions(root.value):
        try:
            used |= names(parse(text))
        except WhenError:
            continue  # told when the line itself is read
    return used


def _expressions(data: object) -> list[str]:
    """The text of every `when` and `means`, wherever they stand in a file that may be wrong anywhere."""
    found: list[str] = []
    match data:
        case {"when": str(text)} | {"means": str(text)}:
            found.append(text)
        case dict():
            found += [text for value in data.values() for text in _expressions(value)]
        case list():
            found += [text for value in data for text in _expressions(value)]
    return found


def read_terms(node: Node | None, vocabulary: Vocabulary) -> dict[str, tuple[str, Clauses]]:
    """Words that the lines use, as a document's definitions are; a term may use those above it."""
    terms: dict[str, tuple[str, Clauses]] = {}
    if node is None:
        return terms
    for name, term in node.items():
        try:
            if name in vocabulary.table.facts or name in KEYWORDS or name in CONSTANTS:
                taken = TERM_IS_FACT if name in vocabulary.table.facts else TERM_IS_WORD
                term.note(taken(name=repr(name)), key=True)
                continue
            if not all(part.isidentifier() and part.isascii() for part in name.split(".")):
                term.fail(NO_TERM_NAME(found=repr(name[:40])), key=True)
            term.table(["means"], ["clause"])
            means = term.need("means")
            vocabulary.define(name, _holds(means, read_expression(means), vocabulary))
            terms[name] = (means.text(), clauses_in(term))
        except Wrong:
            vocabulary.broken.add(name)  # its mistake is told; its uses are not blamed
    return terms


def _holds(node: Node, tree: Expression, vocabulary: Vocabulary) -> Endings:
    if vocabulary.broken & names(tree):
        raise Wrong
    try:
        return vocabulary.endings(tree)
    except WhenError as error:
        node.fail(error.message, at=error.offset)


@dataclass(frozen=True, slots=True)
class WagerContext:
    """What the wagers are read against."""

    vocabulary: Vocabulary
    hands: list[str]
    layouts: list[str]
    currency: Currency | None


def wager_ids(node: Node | None) -> list[str]:
    """The ids of all wagers, before the wagers themselves are read."""
    if node is None or not isinstance(node.value, list):
        return []
    ids = [table.get("id") for table in node.value if isinstance(table, dict)]
    return [id for id in ids if isinstance(id, str)]


def read_wagers(node: Node, context: WagerContext) -> dict[str, Wager]:
    elements = node.elements(most=100)
    known = wager_ids(node)
    wagers: dict[str, Wager] = {}
    called = {id: id for id in known}
    for element in elements:
        try:
            wager = _read_wager(element, known, context)
        except Wrong:
            continue
        if wager.id in wagers:
            element.child("id").note(SECOND_ID(what="wager", id=repr(wager.id)))
            continue
        for key, text in (("name", wager.name), ("label", wager.label)):
            for word in (text.en, *text.translations.values()):
                other = called.setdefault(word, wager.id) if key in element.value else wager.id
                if other != wager.id:
                    element.child(key).note(CALLED_ALIKE(first=repr(other), second=repr(wager.id), word=repr(word)))
                    break
        wagers[wager.id] = wager
    if not elements:
        node.note(WAGER_MISSING())
    return wagers


def _read_wager(node: Node, known: list[str], context: WagerContext) -> Wager:
    node.table(
        ["id", "name", "lines"],
        ["label", "hand", "requires", "excludes", "layouts", "optional", "house_terms", "limit", OTHERWISE, "clause"],
    )
    id = node.need("id").id()
    name = node.attempt(lambda: read_text(node.need("name"))) or Text(id)
    label = node.get("label")
    hand = node.get("hand")
    layouts = node.get("layouts")
    optional, house_terms = node.get("optional"), node.get("house_terms")
    requires = read_names(node.get("requires"), known, "wager")
    excludes = read_names(node.get("excludes"), known, "wager")
    for key, those in (("requires", requires), ("excludes", excludes)):
        if id in those:
            node.child(key).note(NAMES_ITSELF(key=key))
    lines = _read_lines(node, context.vocabulary)
    return Wager(
        id,
        name,
        read_text(label) if label else name,
        hand.one_of(context.hands) if hand else None,
        requires,
        excludes,
        read_names(layouts, context.layouts, "layout") if layouts else tuple(context.layouts),
        optional.truth() if optional else False,
        house_terms.truth() if house_terms else False,
        _read_limit(node.get("limit"), context.currency),
        lines,
        clauses_in(node),
        context.vocabulary.table.size,
        node.row,
    )


def _read_limit(node: Node | None, currency: Currency | None) -> StakeLimit:
    if node is None:
        return StakeLimit()
    node.table([], ["min", "max", "clause"])
    least, most = node.get("min"), node.get("max")
    limit = StakeLimit(
        read_amount(least, currency) if least else None,
        read_amount(most, currency) if most else None,
        clauses_in(node),
    )
    if limit.min is not None and limit.max is not None and limit.min > limit.max:
        node.note(LEAST_OVER_MOST(what="stake"))
    return limit


def _read_lines(wager: Node, vocabulary: Vocabulary) -> tuple[Line, ...]:
    """The lines in order, each with the endings that it decides, and "otherwise" last."""
    lines: list[Line] = []
    remaining = vocabulary.table.possible
    sound = True
    if wager.need("lines").value == []:
        wager.child("lines").fail(LINES_MISSING())
    for node in wager.need("lines").elements():
        try:
            line, holds = _read_line(node, vocabulary, remaining)
        except Wrong:
            sound = False
            continue
        lines.append(line)
        remaining &= ~holds
    last = _read_otherwise(wager.get(OTHERWISE))
    if not sound:
        return tuple(lines)  # which endings are left over cannot be told
    losses_listed = any(line.result is Result.LOSE for line in lines)
    if remaining and losses_listed and OTHERWISE not in wager.value:
        wager.child("lines").note(_undecided(wager, remaining, vocabulary))
    if remaining:
        says, result, clauses = last
        lines.append(Line(says, OTHERWISE, result, None, clauses or clauses_in(wager), remaining, wager.row))
    elif OTHERWISE in wager.value:
        wager.child(OTHERWISE).note(OTHERWISE_UNREACHED(), key=True)
    return tuple(lines)


def _read_otherwise(node: Node | None) -> tuple[Text, Result, Clauses]:
    if node is None:
        return UNSAID, Result.LOSE, ()
    node.table([], ["says", "result", "clause"])
    says, result = node.get("says"), node.get("result")
    return (
        read_text(says) if says else UNSAID,
        Result(result.one_of(["lose", "push", "half"])) if result else Result.LOSE,
        clauses_in(node),
    )


def _read_line(node: Node, vocabulary: Vocabulary, remaining: Endings) -> tuple[Line, Endings]:
    node.table(["when"], [key for key in LINE_KEYS if key != "when"])
    when = node.need("when")
    holds = _holds(when, read_expression(when), vocabulary)
    result, odds = _read_result(node)
    says = node.get("says")
    if not holds:
        when.fail(LINE_NEVER_HOLDS())
    if not holds & remaining:
        when.fail(LINE_DECIDED_ABOVE())
    text = read_text(says) if says else Text(when.text())
    return Line(text, when.text(), result, odds, clauses_in(node), holds & remaining, node.row), holds


def _read_result(node: Node) -> tuple[Result, Odds | None]:
    pays, result = node.get("pays"), node.get("result")
    if pays is not None and result is not None:
        node.fail(PAYS_AND_RESULT())
    if pays is not None:
        return Result.WIN, read_odds(pays, node.get("commission"))
    if result is None:
        node.fail(RESULT_MISSING())
    if node.get("commission") is not None:
        node.fail(COMMISSION_WITHOUT_WIN())
    return Result(result.one_of(["push", "half", "lose"])), None


def _undecided(wager: Node, remaining: Endings, vocabulary: Vocabulary) -> Message:
    """The first ending that no line decides, told by the facts that the wager looks at."""
    used = names_used(wager)
    told = vocabulary.table.describe(next(members(remaining)))
    shown = ", ".join(
        f"{name} {value}".lower() for name, value in told.items() if name in used and name not in ("tie",)
    )
    count = remaining.bit_count()
    return UNDECIDED_SUCH_AS(outcomes=count, example=shown) if shown else UNDECIDED(outcomes=count)
