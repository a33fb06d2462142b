"""How each irregularity is walked through at the dealer's console: the moment, what is told, and who decides what then."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.page.croupier import BUY_IN, Table

SUPERVISOR, PIT_MANAGER, SHIFT_MANAGER = "supervisor", "pit-manager", "shift-manager"
VOID, GOES_ON, BETTING, REFUSED = "void", "goes on", "betting is open", "refused"
Told = dict[str, Any]


@dataclass(frozen=True)
class Step:
    """What follows upon a report: a form of the console, filled in, and signed where somebody was called."""

    command: str
    told: Callable[[Table], Told] = lambda _: {}
    signed: str = ""
    again: bool = False  # it may be done again
    second: str = ""  # who confirms it, where it waits for a second person


@dataclass(frozen=True)
class Walk:
    """One irregularity at the console."""

    moment: Callable[[Table], Any]
    told: Callable[[Table], Told] = lambda _: {"told": "seen by the dealer"}
    steps: tuple[Step | Callable[[Table], None], ...] = ()
    ends: str = VOID
    method: str = ""
    device: str = "hand-shoe"
    chips: str = "electronic"
    buy_in: str = BUY_IN
    second: str = ""  # who confirms the report, where it waits for a second person


def _answers(table: Table) -> Told:
    return {"answer": [place for _, place, _ in table.bets]}


def _swapped(table: Table) -> Told:
    return {"lies": [f"0-{table.hands[1]}", f"1-{table.hands[0]}"]}


def _crowded(table: Table) -> Told:
    return {"lies": [f"1-{table.hands[0]}"]}


def _off(amount: str) -> Callable[[Table], Told]:
    return lambda table: {"patron": table.bets[0][0].name, "place": "1", "wager": table.bets[0][2], "amount": amount}


def _bob_looks(table: Table) -> None:
    table.floor.bob.give(table.name, "squeeze-card", place=0, step=1)


def _bob_reveals(table: Table) -> None:
    """He gives his cards back, and the dealer opens and enters them."""
    table.floor.bob.give(table.name, "reveal-hand", hand=table.hands[1])
    table.dealer("reveal-hand", hand=table.hands[1], cards=["4S", "4D"])


def _left_over(table: Table) -> Told:
    """A full set without the two on the table, the two set aside, and the two that are gone."""
    return {"counts": dict.fromkeys(("4S", "4D", "9C", "9D", "KH", "QH"), table.decks - 1)}


JUDGED_RIGHT = Step("judge-irregularity", lambda _: {"put_right": "true"}, SUPERVISOR)
JUDGED_WRONG = Step("judge-irregularity", lambda _: {"put_right": "false"}, SUPERVISOR)
VOIDED_BY_SHIFT = Step("judge-irregularity", lambda _: {"put_right": "false"}, SHIFT_MANAGER)  # a casino supervisor's
ANSWERED = Step("answer-withdrawal-offer", _answers)
ANSWERED_BY_TWO = Step("answer-withdrawal-offer", _answers, SUPERVISOR)  # once a card is out
RULED = Step("make-ruling", lambda _: {"decision": "continue", "reason": "nothing was changed by it"}, SHIFT_MANAGER)
RETRIEVED = Step("retrieve-hand", lambda table: {"hand": table.hands[0]})

TOGETHER: Callable[[Table], Told] = lambda _: {"cards": ["5H", "9S"]}  # noqa: E731
ONE_OPEN: Callable[[Table], Told] = lambda _: {"places": ["0"], "cards": ["5H"]}  # noqa: E731
CLOSED = Walk(Table.closed)
OF_THE_SET = Walk(Table.closed, second=SUPERVISOR)  # the document leaves no choice, so two confirm the fact
TWO_DEALT: Callable[[Table], Table] = lambda table: table.dealt("5H", "9S")  # noqa: E731
TWO_HIDDEN: Callable[[Table], Table] = lambda table: table.dealt("", "")  # noqa: E731
ABSENT = Walk(
    Table.passed,
    lambda table: {"hand": table.hands[0], "gone": True, "cards": ["5H", "9S"]},
    ends=GOES_ON,
)


def _with(walk: Walk, **changed: Any) -> Walk:
    return Walk(**{**walk.__dict__, **changed})


def _spare(signed: str) -> tuple[Step, ...]:
    return (Step("make-ruling", lambda _: {"decision": "burn", "reason": "no hand was due it"}, signed),)


SPARE: Callable[[Table], Told] = lambda _: {"card": "KH", "exposed": "false"}  # noqa: E731

DT: dict[str, Walk] = {
    **dict.fromkeys(("foreign-card", "extra-card", "missing-card", "unshuffled-cards"), OF_THE_SET),
    "insufficient-cards": CLOSED,
    "order-altered": _with(OF_THE_SET, steps=(JUDGED_WRONG,)),
    "wrong-order": Walk(TWO_DEALT, _swapped, (JUDGED_RIGHT,), GOES_ON, second=SUPERVISOR),
    "too-many-cards-to-hand": Walk(TWO_DEALT, _crowded, (JUDGED_WRONG,), second=SUPERVISOR),
    "drawn-together-order-known": Walk(Table.closed, TOGETHER, (JUDGED_RIGHT,), GOES_ON, second=SUPERVISOR),
    "drawn-together-initial-deal": Walk(Table.closed, TOGETHER, (JUDGED_WRONG,), second=SUPERVISOR),
    "drawn-in-error": Walk(TWO_DEALT, SPARE, _spare(SUPERVISOR), ends=GOES_ON),
}

IDT: dict[str, Walk] = {
    **dict.fromkeys(
        ("foreign-card", "extra-card", "missing-card", "unshuffled-cards", "order-altered"),
        _with(OF_THE_SET, method="B"),
    ),
    "insufficient-cards": _with(CLOSED, method="B"),
    "card-face-up": Walk(lambda table: table.dealt("5H"), lambda _: {"card": "9S"}, ends=GOES_ON, method="B"),
    "wrong-order": Walk(TWO_DEALT, _swapped, ends=GOES_ON, method="B", second=SUPERVISOR),
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
        device="virtual",
    ),
    "not-passed": Walk(
        lambda table: table.dealt("", "", "", ""),
        lambda _: {"cards": ["5H", "9S", "KC", "2D"]},
        ends=GOES_ON,
        method="A",
    ),
    "dealt-face-up": Walk(TWO_HIDDEN, ONE_OPEN, ends=GOES_ON, method="A"),
    "card-exposed": Walk(TWO_HIDDEN, ONE_OPEN, ends=GOES_ON, method="A"),
    "drawn-together-order-known": Walk(
        Table.closed, TOGETHER, (ANSWERED_BY_TWO,), GOES_ON, method="B", second=SUPERVISOR
    ),
    "drawn-together-initial-deal": Walk(Table.closed, TOGETHER, method="B", second=SUPERVISOR),
    "drawn-together-later": Walk(
        lambda table: table.dealt("2H", "2S", "3D", "3C"),
        TOGETHER,
        (Step("judge-irregularity", lambda _: {"put_right": "true", "order": [1, 0]}, PIT_MANAGER), ANSWERED_BY_TWO),
        GOES_ON,
        method="B",
        second=SUPERVISOR,
    ),
    "device-reset": Walk(
        Table.closed, lambda _: {"dealer_error": "true"}, (ANSWERED,), ends=BETTING, method="A", device="virtual"
    ),
    "patron-absent": _with(ABSENT, method="A"),
    "patron-left-with-cards": Walk(
        Table.passed,
        lambda table: {"hand": table.hands[0]},
        (
            Step("attend-search", signed=SHIFT_MANAGER),
            _bob_reveals,
            Step("reserve-cards", lambda _: {"cards": ["9C", "9D"]}),
            Step("sort-cards", _left_over, again=True, second=SUPERVISOR),
            Step("substitute-cards", lambda _: {"cards": ["QH", "KH"]}, second=SUPERVISOR),
        ),
        GOES_ON,
        method="A",
        second=SUPERVISOR,
    ),
    "under-minimum": Walk(Table.closed, _off("5.00"), ends=GOES_ON, method="B", chips="physical"),
    "over-maximum": Walk(Table.closed, _off("600.00"), ends=GOES_ON, method="B", chips="physical", buy_in="700.00"),
    "drawn-in-error": Walk(
        lambda table: table.dealt("5H", "9S", "AD", "KC"), SPARE, _spare(SHIFT_MANAGER), ends=GOES_ON, method="B"
    ),
    "power-failure": Walk(Table.closed, steps=(ANSWERED,), ends=GOES_ON, method="B"),
    "other": Walk(Table.closed, steps=(RULED,), ends=GOES_ON, method="B"),
}

D21: dict[str, Walk] = {
    **dict.fromkeys(
        ("foreign-card", "extra-card", "missing-card", "unshuffled-cards"),
        _with(OF_THE_SET, method="B"),
    ),
    "order-altered": _with(OF_THE_SET, steps=(VOIDED_BY_SHIFT,), method="B"),
    "insufficient-cards": _with(CLOSED, method="B"),
    "wrong-order": Walk(TWO_HIDDEN, _swapped, ends=GOES_ON, method="B", second=SUPERVISOR),
    "drawn-together-order-known": Walk(Table.closed, TOGETHER, ends=GOES_ON, method="B", second=SUPERVISOR),
    "drawn-together-initial-deal": Walk(Table.closed, TOGETHER, (VOIDED_BY_SHIFT,), method="B", second=SUPERVISOR),
    "drawn-together-later": Walk(Table.passed, TOGETHER, (VOIDED_BY_SHIFT,), method="B", second=SUPERVISOR),
    "card-face-up": Walk(lambda table: table.dealt(""), lambda _: {"card": "9S"}, ends=GOES_ON, method="B"),
    "card-exposed": Walk(TWO_HIDDEN, ONE_OPEN, ends=GOES_ON, method="B"),
    "dealt-face-up": Walk(TWO_HIDDEN, ONE_OPEN, ends=GOES_ON, method="B"),
    "drawn-in-error": Walk(
        lambda table: table.dealt("KH", "KS", "QH", "QS"), SPARE, _spare(SHIFT_MANAGER), ends=GOES_ON, method="B"
    ),
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
            Table.closed, lambda table: {"number": str(table.view()["round_number"])}, device="virtual"
        ),
        "game-expired": Walk(Table.closed, lambda _: {}, ends=REFUSED, device="virtual"),
    },
}
