"""Patrons for the tests of the page: they come as guests, take a seat with chips, and give it back when they go."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast
from uuid import uuid4

from playwright.sync_api import Locator, Page, expect

from tests.page.browser import Visitor

PATIENCE = 90_000  # milliseconds: a whole round, also one in which somebody who holds cards has gone (reveal_seconds)
OPEN = "[data-phase='place-your-bets']"


@contextmanager
def seated(visitor: Visitor, table: str, *, buy_in: str = "2000.00", address: str = "") -> Iterator[Page]:
    """A guest at a seat of a table, standing where none is free, with the table's page open."""
    visitor.address = address or visitor.address
    visitor.come_as_guest()
    path = f"{visitor.address}/api/tables/{table}"
    headers = {"Origin": visitor.address, "X-Longhu-CSRF": asked(visitor, "/api/session")["csrf"]}
    for _ in range(20):  # a robot may be quicker
        told = {"id": str(uuid4()), "seat": free_seat(visitor, table), "buy_in": buy_in}
        sat = visitor.context.request.post(f"{path}/seat", headers=headers, data=told)
        if sat.ok or "is taken" not in sat.text():
            break
    assert sat.ok, sat.text()
    try:
        yield visitor.open(f"/table/{table}")
    finally:
        visitor.context.request.delete(f"{path}/seat?id={uuid4()}", headers=headers)


def free_seat(visitor: Visitor, table: str) -> int | None:
    """The first that nobody has; None where whoever comes must stand."""
    view = asked(visitor, f"/api/tables/{table}")["view"]
    taken = {each["seat"] for each in view["seats"].values()}
    return next((seat for seat in range(1, view["notice"]["positions"] + 1) if seat not in taken), None)


def asked(visitor: Visitor, path: str) -> dict[str, Any]:
    answer = visitor.context.request.get(visitor.address + path)
    assert answer.ok, answer.text()
    return cast(dict[str, Any], answer.json())


def given(visitor: Visitor, table: str, id: str, command: str, **fields: Any) -> bool:
    """A command without the page; a wager is the most that the table takes, at one's seat. False where it is refused."""
    view = asked(visitor, f"/api/tables/{table}")["view"]
    if command == "place-wager":
        seat = view["seats"][view["viewer"]]["seat"]
        fields = {"place": seat or 1, "amount": view["notice"]["limits"][fields["wager"]]["max"], **fields}
    answer = visitor.context.request.post(
        f"{visitor.address}/api/tables/{table}/commands",
        headers={"Origin": visitor.address, "X-Longhu-CSRF": asked(visitor, "/api/session")["csrf"]},
        data={"id": id, "command": {"command": command, **fields}},
    )
    return answer.ok


def area(page: Page, wager: str) -> Locator:
    """The area of a wager that is one's own."""
    return page.locator(f"button[data-wager='{wager}']:not([aria-hidden])")


def bet(page: Page, *wagers: str, chip: str = "") -> None:
    """Chips on these areas in one round: whoever comes too late tries the next one."""
    if chip:
        page.get_by_role("radio", name=f" {chip}", exact=False).and_(page.locator(f"[aria-label$=' {chip}']")).click()

    def act() -> None:
        for wager in wagers:
            area(page, wager).click()

    _in_one_round(page, wagers, act)


def rebet(page: Page, *wagers: str) -> None:
    """The wagers of the round before, which are these, by the button: in a round that has just been opened."""

    def act() -> None:
        page.wait_for_function("(open) => !document.querySelector(open)", arg=OPEN, timeout=PATIENCE)
        page.locator("button:enabled", has_text="Rebet").click(timeout=PATIENCE)

    _in_one_round(page, wagers, act)


def _in_one_round(page: Page, wagers: Sequence[str], act: Callable[[], None]) -> None:
    """Whoever comes too late tries the next round."""
    for _ in range(6):
        page.locator(OPEN).wait_for(timeout=PATIENCE)
        act()
        if all(accepted(page, wager) for wager in wagers):
            return
    raise AssertionError(f"no wager on {wagers} was accepted")


def accepted(page: Page, wager: str) -> bool:
    """Whether the house takes what was put on an area; False when it refuses, or the round is over."""
    found = page.wait_for_function(
        """([wager, open]) => {
            const area = document.querySelector(`button[data-wager='${wager}']:not([aria-hidden])`);
            if (!area || area.classList.contains('refused') || !document.querySelector(open)) return 'no';
            const chip = area.querySelector('.chips svg');
            return chip && !chip.classList.contains('pending') ? 'yes' : null;
        }""",
        arg=[wager, OPEN],
        timeout=PATIENCE,
    )
    return bool(found.json_value() == "yes")


def dealt(page: Page) -> None:
    """Wait until cards are being dealt, looked for at every frame: it lasts no longer than half a second here."""
    page.wait_for_function("() => document.querySelector(\"[data-phase='dealing']\")", timeout=PATIENCE)


def remember_settlement(page: Page) -> None:
    """Have the page keep what it shows when this round is settled, however soon it goes."""
    page.evaluate(
        """() => { window.ended = new Promise((done) => {
            const number = () => document.querySelector('[data-settlement]')?.getAttribute('aria-label');
            const before = number();
            const timer = setInterval(() => {
                if (!number() || number() === before) return;
                clearInterval(timer);
                done({
                    text: document.querySelector('[data-settlement]').innerText,
                    faces: [...document.querySelectorAll('[data-hand] [data-face]')].map((each) => each.dataset.face),
                    said: document.querySelector('[data-why]').innerText,
                    net: document.querySelector('[data-settlement] > p b').innerText,
                    gain: document.querySelector('[data-settlement]').classList.contains('gain'),
                });
            }, 40);
        }); }"""
    )


def settlement(page: Page) -> dict[str, Any]:
    page.wait_for_function("() => window.ended", timeout=PATIENCE)
    return cast(dict[str, Any], page.evaluate("() => window.ended"))


def in_play(page: Page, amount: str) -> None:
    """What lies on the layout, at the tray and among the figures that are always in sight (PLY-1)."""
    expect(page.locator("[data-in-play]")).to_have_text(amount, timeout=15_000)
    expect(page.locator("[data-figure='in-play']")).to_have_text(amount, timeout=15_000)
