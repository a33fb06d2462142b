"""Records: events as lines and back, the chain that they form, and the table that they lead to."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from longhu.audit import proof
from longhu.audit.record import (
    PROTOCOL,
    Chain,
    ChainError,
    Record,
    beginning,
    decode,
    digest,
    encode,
    hides,
    why_no_record,
)
from longhu.eventsourcing import Command, Event, stored_name
from longhu.positions import Position
from longhu.table.cash import BuyIn
from longhu.table.dealing import CardDrawn
from longhu.table.messages import TABLE
from longhu.table.people import JoinTable, PatronJoined
from tests.audit.evening import GAMES, MAIN, Told, ordinary

JOINED = PatronJoined(person="ann", seat=3, status=(), by="ann", at=7)


def record(event: Event, **fields: object) -> Record:
    given = {"sequence": 1, "previous": beginning("T1"), "game": "0" * 64, "event": event, **fields}
    return msgspec.convert(given, Record, from_attributes=True)


@pytest.mark.clause("LOG-1", "LOG-8")
@pytest.mark.parametrize("id", GAMES)
def test_a_trail_reads_back_as_the_events_that_were_written(id: str) -> None:
    told = ordinary(id)
    records = [decode(line) for line in proof.records(told.trail.proof())]
    assert [each.event for each in records] == told.log
    assert [type(each.event) for each in records] == [type(event) for event in told.log]
    assert [each.sequence for each in records] == list(range(1, len(told.log) + 1))
    assert {each.game for each in records} == {told.game.digest}
    assert list(proof.events(told.trail.proof())) == told.log


@pytest.mark.clause("LOG-2")
@pytest.mark.parametrize("id", GAMES)
def test_each_record_names_the_one_before_and_the_first_names_the_table(id: str) -> None:
    before = digest(f"{PROTOCOL} T1".encode())
    for line in proof.records(ordinary(id).trail.proof()):
        assert decode(line).previous == before
        before = digest(line)


@pytest.mark.parametrize("id", GAMES)
def test_replaying_the_bytes_gives_the_table_that_was_live(id: str) -> None:
    told = ordinary(id)
    assert proof.replayed(told.trail.proof()) == told.table


@pytest.mark.parametrize("id", GAMES)
def test_writing_again_what_was_read_gives_the_same_bytes(id: str) -> None:
    for line in proof.records(ordinary(id).trail.proof()):
        assert encode(decode(line)) == line


def test_a_record_is_a_line_of_json_under_its_stored_name() -> None:
    line = encode(record(JOINED))
    assert b"\n" not in line
    assert msgspec.json.decode(line)["event"]["event"] == "patron-joined/1"
    assert decode(line) == record(JOINED)


@pytest.mark.parametrize("kinds", [TABLE.evolvers, TABLE.deciders], ids=["events", "commands"])
def test_everything_that_is_stored_has_a_name_of_its_own_with_a_version(kinds: Sequence[type[Command | Event]]) -> None:
    names = {stored_name(each) for each in kinds}
    assert len(names) == len(kinds)
    assert all(name.rpartition("/")[2].isdigit() for name in names)


def test_the_command_is_kept_only_where_the_event_does_not_say_it() -> None:
    told = Told("dragon-tiger")
    kept = {decode(line).event.__struct_config__.tag: decode(line).asked for line in proof.records(told.trail.proof())}
    assert kept["chips-bought/1"] is None
    assert isinstance(kept["patron-joined/1"], JoinTable)
    assert stored_name(kept["patron-joined/1"]) == "join-table/1"


def test_who_stood_where_is_in_every_record() -> None:
    told = Told("dragon-tiger")
    told.round(ann={MAIN["dragon-tiger"]: "50.00"})
    held = {(each.event.by, each.held) for each in map(decode, proof.records(told.trail.proof()))}
    assert held == {
        ("opal", Position.CASINO_OPERATOR),
        ("dee", Position.DEALER),
        *((patron, Position.PATRON) for patron in ("ann", "bob", "cay", "stan")),
    }


def test_what_nobody_may_know_yet_has_a_salt_and_nothing_else_has() -> None:
    told = Told("immortal-dragon-tiger")
    told.round(ann={"player": "50.00"})
    records = [decode(line) for line in proof.records(told.trail.proof())]
    salts = [each.salt for each in records if each.salt]
    assert [each.event for each in records if each.salt] == [event for event in told.log if hides(event)]
    assert any(isinstance(each.event, CardDrawn) for each in records if each.salt)
    assert len(set(salts)) == len(salts) > 0


@pytest.mark.clause("LOG-8")
def test_no_trail_takes_a_step_back_in_time() -> None:
    told = Told("dragon-tiger")
    with pytest.raises(ChainError, match=r"the clock went back from \d+ to 5\. Give the later time"):
        told.ask(BuyIn(patron="ann", amount=100, by="dee", at=5, position=Position.DEALER))


def test_a_chain_goes_on_where_it_stood() -> None:
    told = Told("dragon-tiger")
    command = told.command(BuyIn, "dee", patron="ann", amount=100)
    later = Chain("T1", lambda: "", sequence=7, head="0" * 64, last_at=3)
    (line,) = later.lines(told.table, told.game, command, [JOINED])
    assert (decode(line).sequence, decode(line).previous) == (8, "0" * 64)
    assert (later.sequence, later.head, later.last_at) == (8, digest(line), command.at)


def test_a_chain_that_breaks_off_stands_where_it_stood() -> None:
    told = Told("immortal-dragon-tiger")
    told.round(ann={"player": "50.00"})
    hidden = next(event for event in told.log if hides(event))

    def no_salt() -> str:
        raise KeyboardInterrupt

    chain = Chain("T1", no_salt, sequence=7, head="0" * 64, last_at=3)
    with pytest.raises(KeyboardInterrupt):
        chain.lines(told.table, told.game, told.command(BuyIn, "dee", patron="ann", amount=100), [JOINED, hidden])
    assert (chain.sequence, chain.head, chain.last_at) == (7, "0" * 64, 3)


@pytest.mark.parametrize(
    ("altered", "says"),
    [
        ((b"patron-joined/1", b"patron-flew/1"), "no event is called 'patron-flew/1'; a newer version of Longhu"),
        ((b'"seat":3', b'"seat":"3"'), "this is no record of a table: Expected `int | null`"),
        ((b'"person":"ann",', b""), "this is no record of a table: Object missing required field `person`"),
        ((b'"game":', b'"rules":'), "this is no record of a table"),
        ((b"}", b""), "the file was cut off or altered"),
        ((b"ann", b"\xff"), "the file was cut off or altered"),
    ],
)
def test_a_line_that_is_no_record_is_told(altered: tuple[bytes, bytes], says: str) -> None:
    line = encode(record(JOINED)).replace(*altered)
    with pytest.raises(msgspec.MsgspecError) as error:
        decode(line)
    assert says in why_no_record(line, error.value)


@pytest.mark.parametrize("line", [b"", b"[]", b"3", b"null", b'{"event":3}', b'{"event":{"event":3}}', b"[" * 100_000])
def test_whatever_a_line_holds_there_are_words_for_it(line: bytes) -> None:
    with pytest.raises(msgspec.MsgspecError) as error:
        decode(line)
    assert why_no_record(line, error.value).startswith("this is no ")


def test_events_are_compared_by_what_they_say() -> None:
    """The comparisons above mean something only if another event is not equal."""
    other: Event = PatronJoined(person="ann", seat=4, status=(), by="ann", at=7)
    assert other != JOINED
