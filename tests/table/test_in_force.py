"""Rules are in force from their date on, and every round names them."""

from __future__ import annotations

from datetime import datetime

import pytest

from longhu.audit.report import VerificationFailed
from longhu.audit.verify import verify
from longhu.table.betting_phase import CallPlaceYourBets, RoundStarted
from longhu.table.opening import OpenTable
from longhu.table.views import Viewer, view
from tests.audit.evening import Told
from tests.audit.forging import kind_of, mended, parsed, written
from tests.table.rounds import Play

IDT, DT = "immortal-dragon-tiger", "dragon-tiger"


def at(when: str) -> int:
    """Milliseconds of an hour in Singapore."""
    return int(datetime.fromisoformat(f"{when}+08:00").timestamp() * 1000)


@pytest.mark.parametrize(
    ("game", "minute_before", "first"),
    [
        pytest.param(IDT, "2025-07-28T08:59", "2025-07-28T09:00", marks=pytest.mark.clause("IDT-0b")),
        pytest.param(DT, "2013-07-16T23:59", "2013-07-17T00:00", marks=pytest.mark.clause("DT-0")),
    ],
)
def test_a_table_opens_and_a_round_starts_from_the_minute_at_which_the_rules_are_in_force(
    game: str, minute_before: str, first: str
) -> None:
    clause = {IDT: "IDT-0b", DT: "DT-0"}[game]
    play = Play(game, open=False)
    early = play.refused(OpenTable, "opal", clause, at=at(minute_before), **play.opening())
    assert early.reason.code == "rules-not-in-force"
    assert early.reason.args["at"] == at(first)
    play.refused(OpenTable, "opal", clause, at=at(first) - 1, **play.opening())
    play.refused(CallPlaceYourBets, "dee", at=at(minute_before))
    play.does(OpenTable, "opal", at=at(first), **play.opening())
    play.load()
    play.does(CallPlaceYourBets, "dee", at=at(first))
    assert play.last(RoundStarted).at == at(first)


@pytest.mark.clause("IDT-0b")
def test_a_round_names_its_rules_by_id_version_and_date_on_record_and_in_every_view() -> None:
    play = Play(IDT)
    play.open_betting()
    started = play.last(RoundStarted)
    assert (started.game, started.game_id) == (play.game.digest, IDT)
    assert (started.version, started.in_force) == ("2025-07-28", "2025-07-28T09:00:00+08:00")
    seen = view(play.table, play.game, Viewer())
    assert (seen.game, seen.version, seen.in_force) == (IDT, started.version, started.in_force)


@pytest.mark.clause("DT-0")
@pytest.mark.parametrize(
    ("field", "lie"), [("version", "2013-07-18"), ("in_force", "2013-07-18T00:00:00+08:00"), ("game_id", IDT)]
)
def test_the_verifier_holds_the_edition_on_record_against_the_rules(field: str, lie: str) -> None:
    told = Told(DT)
    told.round(ann={"dragon": "50.00"})
    lines = told.trail.proof()
    assert verify(lines).editions == ["dragon-tiger 2013-07-17, in force from 2013-07-17T00:00:00+08:00"]
    place = next(place for place, line in enumerate(lines) if kind_of(line) == "round-started/1")
    record = parsed(lines[place])
    record["event"][field] = lie
    with pytest.raises(VerificationFailed, match=f"{field} is"):
        verify(mended([*lines[:place], written(record), *lines[place + 1 :]]))
