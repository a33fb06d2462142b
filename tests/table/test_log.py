"""The log: events as bytes and back, and the table that they lead to."""

from __future__ import annotations

import msgspec
import pytest

from longhu.games.registry import built_in
from longhu.table import log
from longhu.table.acts import EVOLVERS, Event
from longhu.table.log import LogError
from longhu.table.people import PatronJoined
from tests.table.rounds import Play

GAMES = tuple(built_in())


def evening(id: str) -> Play:
    play = Play(id)
    main = next(wager.id for wager in play.game.wagers.values() if wager.hand)
    play.round(ann={main: "50.00"})
    return play


@pytest.mark.parametrize("id", GAMES)
def test_a_log_reads_back_as_the_events_that_were_written(id: str) -> None:
    play = evening(id)
    records = list(log.read(log.write(play.log)))
    assert [record.event for record in records] == play.log
    assert [type(record.event) for record in records] == [type(event) for event in play.log]
    assert [record.sequence for record in records] == list(range(1, len(play.log) + 1))


@pytest.mark.parametrize("id", GAMES)
def test_replaying_the_bytes_gives_the_table_that_was_live(id: str) -> None:
    play = evening(id)
    assert log.replayed(log.write(play.log)) == play.table


@pytest.mark.parametrize("id", GAMES)
def test_writing_again_what_was_read_gives_the_same_bytes(id: str) -> None:
    text = log.write(evening(id).log)
    assert log.write(record.event for record in log.read(text)) == text


def test_a_log_may_start_later_than_with_the_first_event() -> None:
    events = evening("dragon-tiger").log
    rest = log.write(events[5:], first=6)
    assert next(record.sequence for record in log.read(rest, first=6)) == 6
    with pytest.raises(LogError, match="event 6 stands where 1 is due"):
        list(log.read(rest))


def test_one_event_is_a_line_of_json_under_its_stored_name() -> None:
    joined = PatronJoined(person="ann", seat=3, status=(), by="ann", at=7)
    line = log.write([joined])
    assert line.count(b"\n") == 1
    assert msgspec.json.decode(line)["event"]["event"] == "patron-joined/1"
    assert log.decode_event(log.encode_event(joined)) == joined


def test_every_event_has_a_name_of_its_own_with_a_version() -> None:
    assert len(log.EVENTS) == len(EVOLVERS)
    assert all(name.rpartition("/")[2].isdigit() for name in log.EVENTS)


def test_an_event_that_nobody_knows_is_told_by_name() -> None:
    text = log.write([PatronJoined(person="ann", seat=3, status=())]).replace(b"patron-joined/1", b"patron-flew/1")
    with pytest.raises(LogError, match=r"line 1: no event is called 'patron-flew/1'\. A newer version"):
        list(log.read(text))
    with pytest.raises(LogError, match="no event is called 'patron-flew/1'"):
        log.decode_event(b'{"event": "patron-flew/1"}')


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b'{"sequence": 1, "event": {"event": "patron-joined/1"}}', "patron-joined/1 does not have the form"),
        (b'{"sequence": 1, "event": {"event": "patron-jo', "cut off or altered"),
        (b'{"sequence": 1, "event": 3}', "no record of an event"),
        (b"[]", "no record of an event"),
    ],
)
def test_a_line_that_was_cut_off_or_altered_is_told_with_its_place(line: bytes, says: str) -> None:
    good = log.write([PatronJoined(person="bob", seat=1, status=())])
    with pytest.raises(LogError, match=f"line 2: .*{says}"):
        list(log.read(good + line + b"\n"))


def test_a_line_left_out_is_noticed() -> None:
    lines = log.write(evening("dragon-tiger").log).splitlines(keepends=True)
    with pytest.raises(LogError, match="line 3: event 4 stands where 3 is due"):
        list(log.read(b"".join(lines[:2] + lines[3:])))


def test_events_are_compared_by_what_they_say() -> None:
    """The comparisons above mean something only if another event is not equal."""
    one: Event = PatronJoined(person="ann", seat=3, status=())
    assert one != PatronJoined(person="ann", seat=4, status=())
