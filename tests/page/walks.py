"""How each irregularity is walked through at the dealer's console: the moment, what is told, and who decides what then."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.page.croupier import Table

SUPERVISOR, PIT_MANAGER, SHIFT_MANAGER = "supervisor", "pit-manager", "shift-manager"
VOID, GOES_ON, BETTING = "void", "goes on", "betting is open"
Told = dict[str, Any]


@dataclass(frozen=True)
class Step:
    """What follows upon a report: a form of the console, filled in, and signed where somebody was called."""

    command: str
    told: Callable[[Table], Told] = lambda _: {}
    signed: str = ""
    again: bool = False  # it may be done again


@dataclass(frozen=True)
class Walk:
    """One irregularity at the console."""

    moment: Callable[[Table], Any]
    told: Callable[[Table], Told] = lambda _: {"told": "seen by the dealer"}
    steps: tuple[Step | Callable[[Table], None], ...] = ()
    ends: str = VOID
    method: str = ""
    shoe: str = "physical"


def _answers(table: Table) -> Told:
    return {"answer": [patron.name for patron, _, _ in table.bets]}


def _swapped(table: Table) -> Told:
    return {"lies": [f"0-{table.hands[1]}", f"1-{table.hands[0]}"]}


def _crowded(table: Table) -> Told:
    return {"lies": [f"1-{table.hands[0]}"]}


def _off(amount: str) -> Callable[[Table], Told]:
    return lambda table: {"patron": table.bets[0][0].name, "place": "1", "wager": table.bets[0][2], "amount": amount}


def _bob_looks(table: Table) -> None:
    table.floor.bob.give(table.name, "squeeze-card", place=0, step=1)


def _bob_reveals(table: Table) -> None:
    table.floor.bob.give(table.name, "reveal-hand", hand=table.hands[1], cards=["4S", "4D"])


def _left_over(table: Table) -> Told:
    """A full set without the two on the table, the two set aside, and the two that are gone."""
    return {"counts": dict.fromkeys(("4S", "4D", "9C", "9D", "KH", "QH"), table.decks - 1)}


JUDGED_RIGHT = Step("judge-irregularity", lambda _: {"put_right": "true"}, SUPERVISOR)
JUDGED_WRONG = Step("judge-irregularity", lambda _: {"put_right": "false"}, SUPERVISOR)
ANSWERED = Step("answer-withdrawal-offer", _answers)
RULED = Step("make-ruling", lambda _: {"decision": "continue", "reason": "nothing was changed by it"}, SHIFT_MANAGER)
RETRIEVED = Step("retrieve-hand", lambda table: {"hand": table.hands[0]})

TOGETHER: Callable[[Table], Told] = lambda _: {"cards": ["5H", "9S"]}  # noqa: E731
ONE_OPEN: Callable[[Table], Told] = lambda _: {"places": ["0"], "cards": ["5H"]}  # noqa: E731
CLOSED = Walk(Table.closed)
TWO_DEALT: Callable[[Table], Table] = lambda table: table.dealt("5H", "9S")  # noqa: E731
TWO_HIDDEN: Callable[[Table], Table] = lambda table: table.dealt("", "")  # noqa: E731
ABSENT = Walk(
    Table.passed,
    lambda table: {"hand": table.hands[0], "gone": True, "cards": ["5H", "9S"]},
    ends=GOES_ON,
)


def _with(walk: Walk, **changed: Any) -> Walk:
    return Walk(**{**walk.__dict__, **changed})


DT: dict[str, Walk] = {
    **dict.fromkeys(("foreign-card", "extra-card", "missing-card", "unshuffled-cards", "insufficient-cards"), CLOSED),
    "order-altered": _with(CLOSED, steps=(JUDGED_WRONG,)),
    "wrong-order": Walk(TWO_DEALT, _swapped, (JUDGED_RIGHT,), GOES_ON),
    "too-many-cards-to-hand": Walk(TWO_DEALT, _crowded, (JUDGED_WRONG,)),
    "drawn-together-order-known": Walk(Table.closed, TOGETHER, (JUDGED_RIGHT,), GOES_ON),
    "drawn-together-initial-deal": Walk(Table.closed, TOGETHER, (JUDGED_WRONG,)),
}

IDT: dict[str, Walk] = {
    **dict.fromkeys(
        ("foreign-card", "extra-card", "missing-card", "unshuffled-cards", "order-altered", "insufficient-cards"),
        _with(CLOSED, method="B"),
    ),
    "card-face-up": Walk(lambda table: table.dealt("5H"), lambda _: {"card": "9S"}, ends=GOES_ON, method="B"),
    "wrong-order": Walk(TWO_DEALT, _swapped, ends=GOES_ON, method="B"),
    "wrong-recipient": Walk(
        Table.passed,
        lambda table: {"hand": table.hands[0], "to": table.floor.bob.name},
        (RETRIEVED,),
        GOES_ON,
        method="A",
    ),
    "wrong-squeezer": Walk(
        Table.passed,
        lambda table: {"hand": table.hands[0], "to": table.floor.bob.name},
        (_bob_looks, Step("retrieve-hand", lambda table: {"hand": table.hands[0]}, again=True)),
        GOES_ON,
        method="A",
        shoe="electronic",
    ),
    "not-passed": Walk(
        lambda table: table.dealt("", "", "", ""),
        lambda _: {"cards": ["5H", "9S", "KC", "2D"]},
        ends=GOES_ON,
        method="A",
    ),
    "dealt-face-up": Walk(TWO_HIDDEN, ONE_OPEN, ends=GOES_ON, method="A"),
    "card-exposed": Walk(TWO_HIDDEN, ONE_OPEN, ends=GOES_ON, method="A"),
    "drawn-together-order-known": Walk(Table.closed, TOGETHER, (ANSWERED,), GOES_ON, method="B"),
    "drawn-together-initial-deal": Walk(Table.closed, TOGETHER, method="B"),
    "drawn-together-later": Walk(
        lambda table: table.dealt("2H", "2S", "3D", "3C"),
        TOGETHER,
        (Step("judge-irregularity", lambda _: {"put_right": "true", "order": [1, 0]}, PIT_MANAGER), ANSWERED),
        GOES_ON,
        method="B",
    ),
    "device-reset": Walk(Table.closed, steps=(ANSWERED,), ends=BETTING, method="A", shoe="electronic"),
    "patron-absent": _with(ABSENT, method="A"),
    "patron-left-with-cards": Walk(
        Table.passed,
        lambda table: {"hand": table.hands[0]},
        (
            Step("attend-search", signed=SHIFT_MANAGER),
            _bob_reveals,
            Step("reserve-cards", lambda _: {"cards": ["9C", "9D"]}),
            Step("sort-cards", _left_over, again=True),
            Step("substitute-cards", lambda _: {"cards": ["QH", "KH"]}),
        ),
        GOES_ON,
        method="A",
    ),
    "under-minimum": Walk(Table.closed, _off("5.00"), ends=GOES_ON, method="B"),
    "over-maximum": Walk(Table.closed, _off("600.00"), ends=GOES_ON, method="B"),
    "power-failure": Walk(Table.closed, steps=(ANSWERED,), ends=GOES_ON, method="B"),
    "other": Walk(Table.closed, steps=(RULED,), ends=GOES_ON, method="B"),
}

D21: dict[str, Walk] = {
    **dict.fromkeys(
        ("foreign-card", "extra-card", "missing-card", "unshuffled-cards", "order-altered", "insufficient-cards"),
        _with(CLOSED, method="B"),
    ),
    "wrong-order": Walk(TWO_HIDDEN, _swapped, ends=GOES_ON, method="B"),
    "drawn-together-order-known": Walk(Table.closed, TOGETHER, ends=GOES_ON, method="B"),
    "drawn-together-initial-deal": Walk(Table.closed, TOGETHER, method="B"),
    "drawn-together-later": Walk(Table.passed, TOGETHER, method="B"),
    "card-face-up": Walk(lambda table: table.dealt(""), lambda _: {"card": "9S"}, ends=GOES_ON, method="B"),
    "card-exposed": Walk(TWO_HIDDEN, ONE_OPEN, ends=GOES_ON, method="B"),
    "dealt-face-up": Walk(TWO_HIDDEN, ONE_OPEN, ends=GOES_ON, method="B"),
    "patron-absent": _with(ABSENT, method="B"),
    "other": Walk(Table.closed, steps=(RULED,), ends=GOES_ON, method="B"),
}

WALKS: dict[str, dict[str, Walk]] = {
    "dragon-tiger": DT,
    "immortal-dragon-tiger": IDT,
    "dragon-21": D21,
    "dragon-bonus": {"patron-absent": ABSENT},
    "dragon-bonus-online": {
        "malfunction": Walk(
            Table.closed, lambda table: {"number": str(table.view()["round_number"])}, shoe="electronic"
        ),
        "game-expired": Walk(Table.closed, lambda _: {}, ends="refused", shoe="electronic"),
    },
}
