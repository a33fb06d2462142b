"""Squeezing by mouse, by keyboard and by a finger: whoever holds a hand sees its cards, and nobody else does."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocket, expect

from longhu.table.state import STEPS
from tests.page.browser import PHONE, Visitor
from tests.page.patrons import OPEN, PATIENCE, asked, given, remember_settlement, seated, settlement
from tests.page.words import t

Come = Callable[..., Visitor]
TABLE = "immortal-dragon-tiger"


@pytest.mark.clause("IDT-3.10")
@pytest.mark.clause("IDT-1.1.13")
def test_two_holders_look_at_their_own_cards_by_mouse_and_by_keyboard(visitor: Come) -> None:
    ann, ben, eve = visitor(), visitor(PHONE), visitor()
    heard = {who: told_to(who.page) for who in (ann, ben, eve)}
    with seated(ann, TABLE) as first, seated(ben, TABLE) as second:
        third = eve.open(f"/table/{TABLE}")
        bet_the_most(ann, "player", ben, "banker")
        for page in (first, second):
            remember_settlement(page)
        bent_by_mouse(first)
        ann.check_access()
        bent_by_keyboard(second)
        expect(third.locator(f"[data-hand='banker'] [aria-label*='{STEPS} of {STEPS}']")).to_be_attached()
        assert "of" in str(second.evaluate("() => document.querySelector('[aria-live=polite]').textContent"))
        for page in (first, second):  # and again when a third card comes
            page.evaluate("() => setInterval(() => document.querySelector('dialog [data-turn]')?.click(), 100)")
        for page in (first, second):
            assert len(settlement(page)["faces"]) >= 4
    assert secret_faces(heard[ann], "player")
    assert not secret_faces(heard[ann], "banker")
    assert secret_faces(heard[ben], "banker")
    assert not secret_faces(heard[ben], "player")
    assert not secret_faces(heard[eve], "player")
    assert not secret_faces(heard[eve], "banker")


@pytest.mark.clause("IDT-3.10.5")
def test_whoever_would_rather_not_passes_the_cards_on(visitor: Come) -> None:
    """On a phone, in Chinese, after a look at a corner with a finger."""
    ann = visitor(PHONE, locale="zh-CN", has_touch=True, is_mobile=True)
    with seated(ann, TABLE) as page:
        bet_the_most(ann, "player", ann, "player")
        bent_by_touch(page)
        ann.check_access()
        page.get_by_role("button", name=t("page.table.pass-on", "zh-CN")).tap()
        expect(page.locator("[data-steps]")).to_have_count(0, timeout=PATIENCE)
        assert asked(ann, f"/api/tables/{TABLE}")["view"]["round"]["holds"] == []


def bet_the_most(first: Visitor, one: str, second: Visitor, two: str) -> None:
    """Larger wagers than anybody's, in the same round of play."""
    for id in count():
        first.page.locator(OPEN).wait_for(timeout=PATIENCE)
        taken = [
            given(who, TABLE, f"most-{id}-{wager}", "place-wager", wager=wager)
            for who, wager in ((first, one), (second, two))
        ]
        if all(taken):
            return
        assert id < 8, "the largest wagers were never accepted in one round"


def bent_by_mouse(page: Page) -> None:
    """The lower edge of a card, bent up halfway: what is printed there shows, and the card stays where it is."""
    page.locator("[data-steps]").wait_for(timeout=PATIENCE)
    assert page.locator("[data-steps]").get_attribute("data-steps") == str(STEPS)
    card = page.locator("[data-steps] button").first
    expect(card).to_have_attribute("data-bent", "0")
    around = card.bounding_box()
    assert around is not None
    middle, bottom = around["x"] + around["width"] / 2, around["y"] + around["height"]
    page.mouse.move(middle, bottom - 4)
    page.mouse.down()
    page.mouse.move(middle, bottom - around["height"] * 0.6, steps=5)
    expect(card.locator(".flap svg[aria-label*=' of ']")).to_be_attached(timeout=PATIENCE)
    expect(card).not_to_have_attribute("data-bent", "0")
    page.mouse.up()
    expect(card.locator(".flap")).to_have_count(0)


def bent_by_touch(page: Page) -> None:
    """A corner, drawn towards the middle with a finger: the card bends, and the page does not scroll away under it."""
    page.locator("[data-steps]").wait_for(timeout=PATIENCE)
    card = page.locator("[data-steps] button").first
    around, before = card.bounding_box(), page.evaluate("() => scrollY")
    assert around is not None
    right, bottom = around["x"] + around["width"], around["y"] + around["height"]
    finger = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    touch("touchStart", (right - 4, bottom - 4))
    for share in (0.1, 0.2, 0.3, 0.4, 0.5):
        touch("touchMove", (right - around["width"] * share, bottom - around["height"] * share))
    expect(card.locator(".flap svg[aria-label]")).to_be_attached(timeout=PATIENCE)
    expect(card).not_to_have_attribute("data-bent", "0")
    assert page.evaluate("() => scrollY") == before
    touch("touchEnd")
    expect(card.locator(".flap")).to_have_count(0)


def bent_by_keyboard(page: Page) -> None:
    """Step by step with an arrow key, until the whole card is seen."""
    page.locator("[data-steps]").wait_for(timeout=PATIENCE)
    card = page.locator("[data-steps] button").first
    card.focus()
    for _ in range(STEPS):
        page.keyboard.press("ArrowUp")
    expect(card).to_have_attribute("data-bent", str(STEPS), timeout=PATIENCE)
    expect(card).not_to_have_attribute("data-seen", "")


def told_to(page: Page) -> list[str]:
    """Every message that a page gets from the house, as it comes."""
    heard: list[str] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: heard.append(str(frame)))

    page.on("websocket", listen)
    return heard


def secret_faces(heard: list[str], hand: str) -> set[str]:
    """Faces of cards of a hand that came to a page before they lay open."""
    return {
        card["face"]
        for card in map(dict, cards_in(heard))
        if card["hand"] == hand and card["face"] and not card["public"]
    }


def cards_in(heard: list[str]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for told in map(json.loads, heard):
        found += ((told.get("view") or {}).get("round") or {}).get("cards", [])
        for each in told.get("patch", ()):
            if each["path"] == "/round/cards":
                found += each["value"]
            elif each["path"] == "/round":
                found += (each["value"] or {}).get("cards", [])
    return found
