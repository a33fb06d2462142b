"""The forms of the console, filled in by role and label: with a tap, a choice or the keys, from what the house is told."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, expect

from longhu.messages.localization import catalogue
from tests.page.croupier import Table
from tests.page.words import t

CHOICES = catalogue("en")
RANKS = {"A": "rank-a", "J": "rank-j", "Q": "rank-q", "K": "rank-k"}


def card_name(face: str) -> str:
    """As a screen reader says it: king of hearts."""
    rank, suit = face[0], t(f"page.parts.suit-{face[1].lower()}")
    word = t(f"page.parts.{RANKS[rank]}") if rank in RANKS else rank.replace("T", "10")
    return t("page.parts.card", rank=word, suit=suit)


def fill(form: Locator, table: Table, values: dict[str, Any]) -> None:
    """Every question of a form, by its label."""
    for name, value in values.items():
        label = t(f"field.{name.replace('_', '-')}")
        group = form.get_by_role("group", name=re.compile(rf"^{re.escape(label)}\s*($|[·.])"))
        single = [
            form.get_by_role(role, name=label, exact=True) for role in ("combobox", "textbox", "checkbox", "spinbutton")
        ]
        field = group
        for each in single:
            field = field.or_(each)
        expect(field.first).to_be_visible()
        if group.count():
            _group(group.first, table, name, value)
        elif single[0].count():
            single[0].select_option(option(table, value))
        elif single[2].count():
            single[2].check()
        else:
            single[1].or_(single[3]).fill(str(value))


def option(table: Table, value: Any) -> str:
    """What stands on the page for a value: a hand, a wager, a choice, or the value itself."""
    hands = {each["id"]: each["name"]["en"] for each in table.rules["hands"]}
    if value in hands:
        return str(hands[value])
    if value in table.rules["wagers"]:
        return str(table.rules["wagers"][value]["name"]["en"])
    word = {"true": "yes", "false": "no"}.get(str(value), str(value))
    return t(f"choice.{word}") if f"choice.{word}" in CHOICES else str(value)


def _group(group: Locator, table: Table, name: str, value: Any) -> None:
    if name in ("card", "cards"):
        for face in [value] if isinstance(value, str) else value:
            group.get_by_role("textbox").press_sequentially(face.lower())
    elif name == "counts":
        for face, count in value.items():
            group.get_by_role("spinbutton", name=card_name(face)).fill(str(count))
    elif name == "order":
        for place in value:
            group.get_by_role("button").nth(place).click()
    elif name == "lies":
        for place, hand in (each.split("-", 1) for each in value):
            group.get_by_role("listitem").nth(int(place)).get_by_role("radio", name=option(table, hand)).check()
    elif isinstance(value, list):
        for place in value:
            group.get_by_role("checkbox").nth(int(place)).check()
    else:
        group.get_by_role("radio", name=re.compile(rf"(^|· ){re.escape(option(table, value))}$")).check()
