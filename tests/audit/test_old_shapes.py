"""Records of old shapes, and of versions that cited other clauses: read, replayed and verified as they were written.

No shape is old yet. These tests make some up: an event that told less, an event and a command under other names.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from longhu import upcasting
from longhu.accounts import record as house
from longhu.accounts.wallet import PaidIn, PayIn
from longhu.audit import proof
from longhu.audit.record import beginning, decode, digest, encode
from longhu.audit.report import VerificationFailed
from longhu.audit.verify import verify
from longhu.table.betting import PlaceWager, WagerPlaced
from longhu.table.checkpoint import digest as state_digest
from longhu.table.messages import CommandRefused
from longhu.table.people import JoinTable, PatronJoined
from longhu.table.state import Table
from longhu.upcasting import Fields, inserted, names_read_as, upcasts
from tests.accounts.keeping import an_account
from tests.audit.evening import MAIN, Told, ordinary
from tests.audit.forging import Lines, mended, parsed, written


@pytest.fixture(autouse=True)
def old_shapes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shapes of a version that never was. A wager that was placed did not tell its chips; people entered with a chair."""
    monkeypatch.setattr("longhu.upcasting.UPCASTERS", {})
    monkeypatch.setattr("longhu.audit.record.UPCASTERS", upcasting.UPCASTERS)

    @upcasts("chips-set-down/1", "wager-placed/0", adds=("restack",))
    def wager_placed(old: Fields) -> Fields:
        return {**old, "restack": False}

    @upcasts("wager-placed/0", "wager-placed/1")
    def with_chips(old: Fields) -> Fields:
        return inserted(old, before="restack", chips=[])

    @upcasts("enter/1", "join-table/1")
    def join_table(old: Fields) -> Fields:
        return {"seat" if name == "chair" else name: value for name, value in old.items()}

    @upcasts("bet/7", "place-wager/1")
    def place_wager(old: Fields) -> Fields:
        return old

    @upcasts("money-in/1", "paid-in/1")
    def paid_in(old: Fields) -> Fields:
        return old


def old(line: bytes) -> bytes:
    """The line as that version wrote it."""
    if not line.startswith(proof.RECORD):
        return line
    record = parsed(line)
    event, asked = record["event"], record.get("asked", {})
    if event["event"] == "wager-placed/1":
        assert event["chips"] == []
        record["event"] = {**event, "event": "chips-set-down/1"}
        del record["event"]["chips"], record["event"]["restack"]
    if asked.get("command") == "join-table/1":
        told = {"seat": "chair", "command": "command"}
        record["asked"] = {told.get(name, name): value for name, value in asked.items()} | {"command": "enter/1"}
    if asked.get("command") == "place-wager/1":
        record["asked"] = {**asked, "command": "bet/7"}
        record["event"] = {**event, "command": "bet/7"}
    return written(record)


@pytest.fixture(scope="module")
def today() -> Lines:
    return ordinary("dragon-tiger", rounds=1, signs=False).trail.proof()


def older(lines: Lines) -> Lines:
    return mended([old(line) for line in lines])


@pytest.mark.clause("LOG-2")
def test_a_proof_of_an_older_format_is_verified(today: Lines) -> None:
    lines = older(today)
    names = [parsed(line)["event"]["event"] for line in lines if line.startswith(proof.RECORD)]
    commands = {parsed(line).get("asked", {}).get("command") for line in lines}
    assert "chips-set-down/1" in names
    assert {"enter/1", "bet/7"} <= commands
    found, due = verify(lines), verify(today)
    assert msgspec.structs.replace(found, head="") == msgspec.structs.replace(due, head="")
    assert found.head == digest([line for line in lines if line.startswith(proof.RECORD)][-1].rstrip(b"\n"))
    assert proof.replayed(lines) == proof.replayed(today)


def test_an_old_record_is_read_in_todays_shape(today: Lines) -> None:
    for line in proof.records(older(today)):
        record = decode(line)
        assert isinstance(record.event, WagerPlaced) == (b"chips-set-down/1" in line)
        if isinstance(record.event, PatronJoined):
            assert isinstance(record.asked, JoinTable)
            assert record.asked.seat == record.event.seat
        if isinstance(record.event, CommandRefused):
            assert isinstance(record.asked, PlaceWager)
            assert record.event.command == "place-wager/1"


def test_without_its_upcaster_an_old_record_is_told_as_unknown(today: Lines, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = older(today)
    monkeypatch.delitem(upcasting.UPCASTERS, "chips-set-down/1")
    with pytest.raises(VerificationFailed, match="no event is called 'chips-set-down/1'"):
        verify(lines)


def forged(lines: Lines, **fields: Any) -> Lines:
    """The first wager of an old proof, altered, and the chain mended."""
    place = next(place for place, line in enumerate(lines) if b"chips-set-down/1" in line)
    record = parsed(lines[place])
    record["event"].update(fields)
    return mended([*lines[:place], written(record), *lines[place + 1 :]])


@pytest.mark.clause("LOG-1")
@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"added": 1}, "the rules"),
        ({"by": "bob"}, "the rules"),
        ({"extra": 1}, "not written as a record is written"),
        ({"restack": True}, "a field of a later version"),
        ({"stake": 7}, "this is no record of a table"),
        ({"at": "soon"}, "this is no record of a table"),
    ],
    ids=repr,
)
def test_an_old_record_is_checked_as_strictly(today: Lines, fields: dict[str, Any], says: str) -> None:
    with pytest.raises(VerificationFailed, match=says):
        verify(forged(older(today), **fields))


@pytest.mark.parametrize("cut", ["stake", "added"])
def test_what_is_missing_in_an_old_record_is_told(today: Lines, cut: str) -> None:
    line = next(line for line in older(today) if b"chips-set-down/1" in line)
    record = parsed(line)
    del record["event"][cut]
    with pytest.raises(msgspec.MsgspecError):
        decode(written(record).rstrip())


def test_white_space_in_an_old_record_is_found(today: Lines) -> None:
    lines = older(today)
    place = next(place for place, line in enumerate(lines) if b"chips-set-down/1" in line)
    lines[place] = lines[place].replace(b'"added":', b'"added": ')
    with pytest.raises(VerificationFailed, match="not written as a record is written"):
        verify(mended(lines))


def test_current_records_are_not_looked_at_twice(today: Lines, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("longhu.eventsourcing.upcast", lambda _: pytest.fail("a current record was upcast"))
    verify(today)


def test_an_account_reads_its_old_records() -> None:
    kept = an_account()
    kept.done(PayIn(amount=5000), "ann")
    line = kept.lines[-1].replace(b"paid-in/1", b"money-in/1")
    found = house.decode(line).event
    assert isinstance(found, PaidIn)
    assert found.amount == 5000
    assert house.is_canonical(house.decode(line), line)


def test_what_looks_for_an_event_by_its_name_finds_old_names_too() -> None:
    assert names_read_as("wager-placed/1") == {"wager-placed/1", "wager-placed/0", "chips-set-down/1"}
    assert names_read_as("patron-joined/1") == {"patron-joined/1"}


# ------------------------------------------------ clauses


def recited(lines: Lines, name: str, clause: str) -> Lines:
    """The first event of this name with another clause, and the chain mended."""
    place = next(place for place, line in enumerate(lines) if f'"{name}/1"'.encode() in line)
    record = parsed(lines[place])
    assert record["event"]["clause"] != clause
    record["event"]["clause"] = clause
    return mended([*lines[:place], written(record), *lines[place + 1 :]])


@pytest.mark.parametrize("clause", ["LIM-99", "DT-3.99", ""])
def test_another_clause_for_a_refusal_changes_no_verdict(clause: str) -> None:
    told = Told("dragon-tiger")
    told.open_betting()
    told.refused(PlaceWager, "ann", place=1, wager=MAIN["dragon-tiger"], amount=1)  # below the table's minimum
    assert verify(recited(told.trail.proof(), "command-refused", clause)).refusals == 1


@pytest.mark.parametrize("clause", ["RUL-99", ""])
def test_another_clause_of_the_houses_standards_changes_no_verdict(today: Lines, clause: str) -> None:
    assert verify(recited(today, "shuffle-committed", clause)).commitments


@pytest.mark.parametrize("clause", ["DT-3.9", "LIM-1", ""])
def test_a_clause_of_the_document_must_be_the_one_that_the_rules_in_the_proof_cite(today: Lines, clause: str) -> None:
    with pytest.raises(VerificationFailed, match=r'clause is .*, and the rules make it "DT-'):
        verify(recited(today, "wager-settled", clause))


def test_a_clause_of_the_document_stands_where_the_house_has_none(today: Lines) -> None:
    with pytest.raises(VerificationFailed, match=r'clause is "DT-1\.1"'):
        verify(recited(today, "shuffle-committed", "DT-1.1"))


def test_an_old_record_keeps_its_place_in_the_chain(today: Lines) -> None:
    head = beginning("T1")
    for line in proof.records(older(today)):
        assert decode(line).previous == head
        head = digest(line)
        assert (encode(decode(line)) == line) == (b'/1"' in line and not any(each in line for each in OLD))


OLD = (b"chips-set-down/1", b"enter/1", b"bet/7")


# ------------------------------------------------ the state on record


class Later(Table, frozen=True):
    """A table of a later version, which knows one thing more."""

    a_later_thing: int = 0


def test_a_field_that_a_later_version_adds_changes_no_digest_of_a_state() -> None:
    table = ordinary("immortal-dragon-tiger", rounds=1).table
    later = Later(**{name: getattr(table, name) for name in table.__struct_fields__})
    assert state_digest(later) == state_digest(table)
    assert proof.state_line(later) == proof.state_line(table)
    assert state_digest(msgspec.structs.replace(later, a_later_thing=1)) != state_digest(table)


def test_a_state_reads_back_as_it_was_written() -> None:
    told = Told("immortal-dragon-tiger")
    told.round(ann={"player": "50.00"})
    assert proof.read_state(proof.state_line(told.table)) == told.table
