"""The one event-sourcing module: a register decides and applies, a replay folds, a codec reads what it wrote."""

from __future__ import annotations

import msgspec
import pytest

from longhu.eventsourcing import Codec, Command, Event, Refusal, Register, about, any_of, replay, stored_name
from longhu.ledger import Transaction, moved
from longhu.messages.message import Message, message_code
from longhu.positions import Position


class Add(Command, frozen=True, kw_only=True, tag="add/1"):
    amount: int


class Stop(Command, frozen=True, kw_only=True, tag="stop/1"):
    pass


ADDED = message_code("example-added")


class Added(Event, frozen=True, kw_only=True, tag="added/1"):
    amount: int

    def transactions(self) -> tuple[Transaction, ...]:
        return (moved(ADDED(), self.amount, "world:ann", "patron:ann"),)


class Doubled(Event, frozen=True, kw_only=True, tag="doubled/1"):
    pass


class Line(msgspec.Struct, frozen=True):
    event: any_of((Added, Doubled))  # type: ignore[valid-type]


SUMS: Register[int, int, Command, Event] = Register()


@SUMS.decides(Add)
def add(total: int, most: int, command: Add) -> list[Event] | Refusal:
    if total + command.amount > most:
        return Refusal(Message("not-asked-here"), Message("choose-from-list"), "LIM-1")
    return [Added(amount=command.amount, **about(command, "LIM-1"))]


@SUMS.evolves(Added)
def added(total: int, event: Added) -> int:
    return total + event.amount


@SUMS.evolves(Doubled)
def doubled(total: int, _event: Doubled) -> int:
    return 2 * total


def test_a_command_is_decided_by_its_rules_and_leads_to_events_with_who_and_when() -> None:
    decision = SUMS.decide(3, 10, Add(by="ann", at=7, position=Position.DEALER, amount=4))
    assert decision == [Added(amount=4, by="ann", at=7, position=Position.DEALER, clause="LIM-1")]


def test_a_refusal_says_the_rule_what_was_found_and_what_can_be_done() -> None:
    decision = SUMS.decide(3, 10, Add(by="ann", at=7, amount=8))
    assert isinstance(decision, Refusal)
    assert str(decision) == "Refused (LIM-1): This cannot be asked here.\nChoose one from the list."


def test_a_command_that_nobody_decides_is_refused() -> None:
    assert isinstance(SUMS.decide(3, 10, Stop(by="ann", at=7)), Refusal)


def test_a_replay_applies_events_in_their_order() -> None:
    assert replay(SUMS.evolve, 1, [Added(amount=2), Doubled(), Added(amount=1)]) == 7
    assert replay(SUMS.evolve, 1, []) == 1


def test_postings_are_those_of_the_transactions() -> None:
    assert Added(amount=5).postings() == [("world:ann", -5), ("patron:ann", 5)]
    assert Doubled().postings() == []


def test_a_line_is_read_back_by_the_stored_name_of_its_event() -> None:
    lines = Codec(Line)
    for event in (Added(amount=5, by="ann"), Doubled()):
        assert f'"event":"{stored_name(event)}"'.encode() in lines.encode(Line(event))
        assert lines.decode(lines.encode(Line(event))) == Line(event)


@pytest.mark.parametrize(
    "line",
    [b"", b"{}", b'{"event":{"event":"removed/1"}}', b'{"event":"\xff"}', b"[" * 5000],
    ids=["empty", "no-event", "unknown", "no-text", "deep"],
)
def test_what_is_no_line_is_a_decode_error(line: bytes) -> None:
    with pytest.raises(msgspec.MsgspecError):
        Codec(Line).decode(line)
