"""Tables of rounds as text: two hands, a wager, its stake, what comes back, and the clauses that say so."""

from __future__ import annotations

import re

import pytest

from longhu.api import Game
from tests.rounds import credit


def paid_rounds(table: str, document: str) -> list[object]:
    """The rows of a table below its heading, for `parametrize`; two spaces or more divide the columns.

    The last column names clauses without their document: `3.8b 3.8a` under DT is DT-3.8b and DT-3.8a.
    """
    _, *rows = (re.split(r"\s{2,}", line.strip()) for line in table.strip().splitlines())
    return [
        pytest.param(
            first,
            second,
            wager,
            stake,
            back,
            marks=pytest.mark.clause(*(f"{document}-{clause}" for clause in clauses.split())),
            id=f"{first} v {second}, {stake} on {wager}",
        )
        for first, second, wager, stake, back, clauses in rows
    ]


def credit_in_company(game: Game, first: str, second: str, wager: str, stake: str) -> str:
    """What one wager gives back; one that may not stand alone is placed beside a unit on Tie."""
    beside = {"tie": "1.00"} if game.wagers[wager].requires else {}
    return credit(game, first, second, wager, stake, **beside)
