"""The archive: proofs that were written by some version and that every later one verifies.

`make archive` writes it (tests/archive_evenings.py): all of it until 0.2.0 is released, and from then on only what is new.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from longhu.accounts import record as house
from longhu.accounts.state import ACCOUNT, HOUSE_LOG, Account, HouseLog
from longhu.audit import proof
from longhu.audit.record import beginning, decode, digest
from longhu.audit.report import VerificationReport
from longhu.audit.verify import FORMATS, verify
from longhu.eventsourcing import replay, stored_name
from longhu.games import registry
from longhu.table.checkpoint import plain
from longhu.table.confirmation import ReportConfirmed
from longhu.table.correcting import CardCorrected
from longhu.table.fills import ChipRequestMoved
from longhu.table.messages import TABLE, ActCosigned
from longhu.upcasting import current_name
from tests.archive_evenings import FOLDER, ONLINE, everything
from tests.test_stored_names import RELEASED

TABLES = sorted((FOLDER / "tables").glob("*.jsonl"))
TRAILS = sorted((FOLDER / "trails").glob("*.jsonl"))


def lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


@cache
def verified(path: Path) -> VerificationReport:
    return verify(lines_of(path))


@pytest.mark.clause("LOG-2", "LOG-6")
@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_every_archived_proof_is_verified(path: Path) -> None:
    assert verified(path).records > 5


@pytest.mark.clause("LOG-2", "LOG-6")
@pytest.mark.parametrize("path", TRAILS, ids=lambda path: path.stem)
def test_every_archived_log_without_a_game_is_read_and_leads_to_the_same_state(path: Path) -> None:
    *lines, last = (line.rstrip(b"\n") for line in lines_of(path))
    end: dict[str, Any] = json.loads(last)
    head, events = beginning(end["trail"]), []
    for number, line in enumerate(lines, 1):
        record = house.decode(line)
        assert (record.sequence, record.previous) == (number, head)
        assert house.is_canonical(record, line)
        head = digest(line)
        events.append(record.event)
    assert (len(lines), head) == (end["end"], end["head"])
    is_house = end["trail"] == "house"
    state = replay(HOUSE_LOG.evolve, HouseLog(), events) if is_house else replay(ACCOUNT.evolve, Account(), events)
    assert json.loads(msgspec.json.encode(plain(state))) == end["state"]


@pytest.mark.clause("LOG-6")
def test_the_archive_has_every_game_with_an_electronic_shoe_and_with_cards() -> None:
    electronic = {game for path in TABLES for game in verified(path).games if verified(path).shuffles}
    entered = [path for path in TABLES if any("from no electronic shoe" in each for each in verified(path).not_checked)]
    cards = {game for path in entered for game in verified(path).games}
    assert electronic >= set(registry.built_in())
    assert cards >= set(registry.built_in()) - {ONLINE}


def test_the_archive_has_void_rounds_refusals_signed_heads_and_a_part() -> None:
    reports = [verified(path) for path in TABLES]
    for each in ("voided", "refusals", "heads", "states", "face_down"):
        assert any(getattr(report, each) for report in reports), each
    assert {report.span for report in reports} >= {"the whole table", "shoe 2"}


def test_the_archive_has_every_kind_of_event() -> None:
    lines = [line for path in TABLES for line in proof.records(lines_of(path))]
    found = {stored_name(decode(line).event) for line in lines}
    assert found == {stored_name(each) for each in TABLE.evolvers}
    of_house = {json.loads(line)["event"]["event"] for path in TRAILS for line in lines_of(path)[:-1]}
    assert {current_name(each) for each in of_house} == {
        stored_name(each) for each in (*ACCOUNT.evolvers, *HOUSE_LOG.evolvers)
    }


@pytest.mark.clause("SEC-1", "OPS-3")
def test_the_archive_has_what_takes_several_people_and_what_a_shoe_has_read() -> None:
    events = [decode(line).event for path in TABLES for line in proof.records(lines_of(path))]
    signed = {each.command for each in events if isinstance(each, ActCosigned)}
    confirmed = {each.command for each in events if isinstance(each, ReportConfirmed)}
    assert {"report-off-limits-wager", "enter-unread-card"} <= signed
    assert {"report-malfunction", "correct-card", "correct-payment"} <= confirmed
    assert any(isinstance(each, CardCorrected) for each in events)
    moved = [each.request for each in events if isinstance(each, ChipRequestMoved)]
    assert any(each.stage == "accepted" and len(set(each.steps.values())) == 4 for each in moved)
    assert {"device", "dealer", "shuffle", "two-people"} <= {word for path in TABLES for word in verified(path).sources}


def test_every_format_that_can_be_verified_is_in_the_archive() -> None:
    assert {json.loads(lines_of(path)[0])["proof"] for path in TABLES} == set(FORMATS)


@pytest.mark.skipif(RELEASED, reason="the archive was written by earlier versions")
def test_until_the_first_release_the_archive_is_what_this_version_writes() -> None:
    made = {FOLDER / name: b"".join(lines) for name, lines in everything()}
    assert set(made) == {*TABLES, *TRAILS}
    other = [path.name for path, text in made.items() if path.read_bytes() != text]
    assert not other, f"`make archive` writes these anew: {', '.join(other)}"
