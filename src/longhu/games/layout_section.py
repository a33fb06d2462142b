"""The [[layout]] and [[method]] sections: what is printed on the cloth, and who holds the cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from longhu.games.game import ODDS, Layout, Method, PrintedRow, Result, Wager
from longhu.games.reader import Node, Wrong, hint
from longhu.games.translations import read_text
from longhu.games.values import LEAST_OVER_MOST, NO_SUCH_NAME, SECOND_ID, clauses_in, read_names
from longhu.games.vocabulary import FACINGS, POSITIONS, SQUEEZES
from longhu.messages.message import message_code
from longhu.texts import SIMPLIFIED, TRADITIONAL, Text

POSITIONS_MAX = 20
WAGER_WITHOUT_AREA = message_code("file-wager-without-area", wager="text", layout="text")
LAYOUT_WITHOUT_ROWS = message_code("file-layout-without-rows", layout="text")
DEFAULT_LAYOUT = "A"
DEFAULT_METHOD = Text("Dealer", {SIMPLIFIED: "荷官", TRADITIONAL: "荷官"})


def layout_ids(node: Node | None) -> list[str]:
    """The ids of all layouts, before the layouts themselves are read."""
    if node is None or not isinstance(node.value, list):
        return [DEFAULT_LAYOUT]
    ids = [table.get("id") for table in node.value if isinstance(table, dict)]
    return [id for id in ids if isinstance(id, str)]


def read_layouts(
    node: Node | None, wagers: Mapping[str, Wager], known: list[str], hands: list[str]
) -> dict[str, Layout]:
    """All layouts; a file without any gets one, with every wager at each of seven positions."""
    if node is None:
        row = PrintedRow(tuple(wagers), True, ())
        return {DEFAULT_LAYOUT: Layout(DEFAULT_LAYOUT, _unnamed(DEFAULT_LAYOUT), tuple(hands), (row,), 1, 7, False, ())}
    elements = node.elements(most=40)
    elements.sort(key=lambda element: "like" in element.value if isinstance(element.value, dict) else False)
    whole: dict[str, Layout] = {}  # with the areas of every wager, for others to be like
    layouts: dict[str, Layout] = {}
    for element in elements:  # those with rows of their own first, then those that are like them
        try:
            base = _read_layout(element, known, hands, whole, layout_ids(node))
        except Wrong:
            continue
        whole[base.id] = base
        layout = replace(base, rows=tuple(filter(None, (_offered(row, base.id, wagers) for row in base.rows))))
        if layout.id in layouts:
            element.child("id").note(SECOND_ID(what="layout", id=repr(layout.id)))
        layouts[layout.id] = layout
        for wager in wagers.values():
            if layout.id in wager.layouts and wager.id not in layout.wagers:
                element.note(WAGER_WITHOUT_AREA(wager=repr(wager.id), layout=repr(layout.id)))
    return {id: layouts[id] for id in layout_ids(node) if id in layouts}


def _read_layout(
    node: Node, wagers: list[str], hands: list[str], above: Mapping[str, Layout], ids: list[str]
) -> Layout:
    node.table(["id"], ["name", "clause", "places", "positions", "title", "rows", "like"])
    id = node.need("id").text()
    like = node.get("like")
    base = above.get(like.one_of(ids)) if like else None
    if like and base is None:
        raise Wrong  # that layout's own mistake is told
    if base is None and "rows" not in node.value:
        node.fail(LAYOUT_WITHOUT_ROWS(layout=repr(id)), key=True)
    name, places, title = node.get("name"), node.get("places"), node.get("title")
    least, most = _positions(node.get("positions"), base)
    rows = node.get("rows")
    found = rows.list_of(lambda row: _read_row(row, wagers)) if rows else base.rows if base else ()
    return Layout(
        id,
        read_text(name) if name else _unnamed(id),
        read_names(places, hands, "hand") if places else base.places if base else tuple(hands),
        found,
        least,
        most,
        title.truth() if title else bool(base and base.title),
        clauses_in(node),
    )


def _unnamed(id: str) -> Text:
    return Text(f"Layout {id}", {SIMPLIFIED: f"布局 {id}", TRADITIONAL: f"佈局 {id}"})


def _positions(node: Node | None, base: Layout | None) -> tuple[int, int]:
    if node is None:
        return (base.positions_min, base.positions_max) if base else (1, 7)
    node.table(["min", "max"], ["clause"])
    clauses_in(node)
    least = node.need("min").integer(1, POSITIONS_MAX)
    most = node.need("max").integer(1, POSITIONS_MAX)
    if least > most:
        node.fail(LEAST_OVER_MOST(what="positions"))
    return least, most


def _read_row(node: Node, wagers: list[str]) -> PrintedRow:
    node.table(["areas"], ["each_position", "clause", "notices"])
    areas: list[str] = []
    for element in node.need("areas").elements():
        try:
            area = element.text()
        except Wrong:
            continue
        if area != ODDS and area not in wagers:
            element.note(NO_SUCH_NAME(what="wager", found=repr(area[:40]), hint=hint(area, [*wagers, ODDS])))
        else:
            areas.append(area)
    each, notices = node.get("each_position"), node.get("notices")
    return PrintedRow(
        tuple(areas),
        each.truth() if each else False,
        clauses_in(node),
        notices.list_of(lambda one: Result(one.one_of([result.value for result in Result]))) if notices else (),
    )


def _offered(row: PrintedRow, layout: str, wagers: Mapping[str, Wager]) -> PrintedRow | None:
    """The row without the areas of wagers that this layout does not offer."""
    areas = tuple(area for area in row.areas if area == ODDS or (area in wagers and layout in wagers[area].layouts))
    return PrintedRow(areas, row.each_position, row.clauses, row.notices) if set(areas) - {ODDS} else None


def read_methods(node: Node | None) -> dict[str, Method]:
    """Ways of conducting the round; a file without any deals face up and lets nobody touch the cards."""
    if node is None:
        dealer = Method("dealer", DEFAULT_METHOD, "face-up", "nobody", "dealer", ())
        return {dealer.id: dealer}
    methods: dict[str, Method] = {}
    for element in node.elements(most=20):
        try:
            element.table(["id", "name", "cards", "squeeze", "chosen_by"], ["clause"])
            method = Method(
                element.need("id").text(),
                read_text(element.need("name")),
                element.need("cards").one_of(FACINGS),
                element.need("squeeze").one_of(SQUEEZES),
                element.need("chosen_by").one_of(POSITIONS),
                clauses_in(element),
            )
        except Wrong:
            continue
        if method.id in methods:
            element.child("id").note(SECOND_ID(what="method", id=repr(method.id)))
        methods[method.id] = method
    return methods
