"""Which events of a table are significant (LOG-3)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from longhu.accounts.alerts import Significant, significant
from longhu.eventsourcing import Event
from longhu.games.vocabulary import IRREGULARITY
from longhu.messages.localization import english
from longhu.money import Currency
from longhu.table.betting_phase import BettingClosed
from longhu.table.irregularities.power import RoundReversed
from longhu.table.irregularities.rulings import RulingMade
from longhu.table.messages import AS_TOLD
from longhu.table.opening import SettingsChanged
from longhu.table.remedies.void import IrregularityFound, RoundVoided
from longhu.table.settling import WagerSettled
from longhu.table.state import Limit, Settings, Stake
from longhu.table.suspension import TableStopped


def settled(net: int) -> WagerSettled:
    stake = Stake("ann", 3, "tie", 100_00, since=0, placed_by="ann")
    return WagerSettled(table="T1", stake=stake, line=0, result="win", pays="8:1", net=net)


SETTINGS = Settings(table="T1", layout="A", positions=7, decks=8, limits={"tie": Limit(100, 1000)})


MALFUNCTION = english(IRREGULARITY["malfunction"]())


@pytest.mark.clause("LOG-3")
@pytest.mark.parametrize(
    ("event", "kind", "says"),
    [
        (settled(800_00), Significant.LARGE_WIN, "ann won 800.00 with tie at position 3"),
        (
            RoundVoided(number=7, why=AS_TOLD(text="a card face up")),
            Significant.VOID,
            "round 7 is void: a card face up",
        ),
        (
            IrregularityFound(kind="malfunction", told=AS_TOLD(text="both kings"), remedy=""),
            Significant.MISDEAL,
            f"{MALFUNCTION}: both kings",
        ),
        (IrregularityFound(kind="malfunction", told=None, remedy=""), Significant.MISDEAL, MALFUNCTION),
        (RulingMade(by="mia", decision="go on", reason="x"), Significant.CORRECTION, "mia ruled: go on (x)"),
        (RoundReversed(number=7), Significant.CORRECTION, "the payments of round 7 were taken back"),
        (TableStopped(defect="KeyError: x"), Significant.STOPPED, "KeyError: x"),
        (
            SettingsChanged(
                by="mia", before=SETTINGS, after=replace(SETTINGS, limits={"tie": Limit(1, 9)}), why="slow"
            ),
            Significant.LIMIT_CHANGE,
            "mia changed the limits: slow",
        ),
    ],
)
def test_significant_events_say_what_happened(event: Event, kind: Significant, says: str) -> None:
    assert significant(event, 500_00) == (kind, says)


@pytest.mark.parametrize(
    "event",
    [
        settled(499_99),
        settled(-100_00),
        BettingClosed(number=1),
        SettingsChanged(before=SETTINGS, after=replace(SETTINGS, positions=5), why=""),
    ],
)
def test_most_events_are_not(event: Event) -> None:
    assert significant(event, 500_00) is None


def test_amounts_are_told_in_the_house_s_currency() -> None:
    found = significant(settled(80000), 1, Currency("JPY", 0))
    assert found is not None
    assert "won 80000 with" in found[1]


@pytest.mark.clause("LOG-3")
def test_the_list_has_what_the_standard_asks_for() -> None:
    asked = (
        "large win, void, misdeal, manual correction, limit change, clock step, RNG fault, login failure burst, export"
    )
    assert set(asked.split(", ")) <= {each.value for each in Significant}
