"""Which events of a table are significant (LOG-3)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from longhu.accounts.alerts import (
    ALERT_IRREGULARITY,
    ALERT_LARGE_WIN,
    ALERT_LIMITS_CHANGED,
    ALERT_REVERSED,
    ALERT_RULING,
    ALERT_TABLE_STOPPED,
    ALERT_VOID,
    Significant,
    significant,
)
from longhu.eventsourcing import Event
from longhu.games.vocabulary import IRREGULARITY
from longhu.messages.localization import Localization, english
from longhu.messages.message import Message
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
        (settled(800_00), Significant.LARGE_WIN, ALERT_LARGE_WIN(person="ann", amount=800_00, wager="tie", place=3)),
        (RoundVoided(number=7, why=AS_TOLD(text="a card face up")), Significant.VOID, ALERT_VOID(round=7)),
        (
            IrregularityFound(kind="malfunction", told=AS_TOLD(text="both kings"), remedy=""),
            Significant.MISDEAL,
            ALERT_IRREGULARITY(kind=IRREGULARITY["malfunction"]()),
        ),
        (
            IrregularityFound(kind="malfunction", told=None, remedy=""),
            Significant.MISDEAL,
            ALERT_IRREGULARITY(kind=IRREGULARITY["malfunction"]()),
        ),
        (
            RulingMade(by="mia", decision="go on", reason="x"),
            Significant.CORRECTION,
            ALERT_RULING(person="mia", decision="go on"),
        ),
        (RoundReversed(number=7, decks=8), Significant.CORRECTION, ALERT_REVERSED(round=7)),
        (TableStopped(defect="KeyError: x"), Significant.STOPPED, ALERT_TABLE_STOPPED(defect="KeyError: x")),
        (
            SettingsChanged(
                by="mia", before=SETTINGS, after=replace(SETTINGS, limits={"tie": Limit(1, 9)}), why="slow"
            ),
            Significant.LIMIT_CHANGE,
            ALERT_LIMITS_CHANGED(person="mia", reason="slow"),
        ),
    ],
)
def test_significant_events_say_what_happened(event: Event, kind: Significant, says: Message) -> None:
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


def test_amounts_are_said_in_the_house_s_currency() -> None:
    found = significant(settled(80000), 1)
    assert found is not None
    assert Localization("en", currency=Currency("JPY", 0)).text(found[1]) == "ann won 80,000 on tie at position 3."


@pytest.mark.clause("LOG-3")
def test_the_list_has_what_the_standard_asks_for() -> None:
    asked = "large-win, void, misdeal, manual-correction, limit-change, clock-step, rng-fault, sign-in-failures, export"
    assert set(asked.split(", ")) <= {each.value for each in Significant}
