"""Commands that are asked again and again are read once, and are the same each time."""

from __future__ import annotations

import msgspec
import pytest

from longhu.money import UNSTATED
from longhu.server.screens import phrases
from longhu.server.screens.phrases import Again, Ask, Phrases, Ping
from longhu.table.betting import PlaceWager

WAGER = '{"command":"place-wager","place":1,"wager":"tiger","amount":"5.00"}'


def asks(id: str, command: str = WAGER, **also: object) -> bytes:
    more = "".join(f',"{name}":{msgspec.json.encode(value).decode()}' for name, value in also.items())
    return f'{{"type":"command","id":"{id}","command":{command}{more}}}'.encode()


def test_what_was_asked_before_is_known_and_only_its_id_is_another() -> None:
    known = Phrases(UNSTATED)
    assert isinstance(known.read(asks("1")), Ask)
    again = known.read(asks("2"))
    assert again == Again("2", PlaceWager(by="", at=0, place=1, wager="tiger", amount=500))
    assert known.read(asks("2").decode()) == again  # a text of any other server


@pytest.mark.parametrize(
    "id", ["018f3c2a9b7d4e1f", "0192f0c1-7b5e-7d43-9a1c-3f2e5d6c7b8a", "3f0c7a52-6c1b-4c0e-8a57-0d6a4b1f9e21"]
)
def test_a_uuid_is_an_id_like_others(id: str) -> None:
    known = Phrases(UNSTATED)
    known.read(asks("1"))
    assert isinstance(known.read(asks(id)), Again)


def test_what_differs_in_one_byte_is_read() -> None:
    known = Phrases(UNSTATED)
    known.read(asks("1"))
    other = known.read(asks("2", WAGER.replace("5.00", "6.00")))
    assert isinstance(other, Ask)
    assert isinstance(known.read(asks("3", WAGER.replace(",", ", "))), Ask)


@pytest.mark.parametrize(
    ("id", "also"),
    [("1.5-a", {}), ("--", {}), ("x", {"signatures": [{"person": "sue", "password": "secret"}]})],
)
def test_what_is_unusual_is_read_in_full_each_time(id: str, also: dict[str, object]) -> None:
    known = Phrases(UNSTATED)
    for _ in range(2):
        assert isinstance(known.read(asks(id, WAGER, **also)), Ask)
        assert isinstance(known.read(asks("known")), Ask | Again)


def test_what_is_asked_in_a_position_or_cannot_be_meant_is_not_remembered() -> None:
    known = Phrases(UNSTATED)
    for command in (WAGER[:-1] + ',"position":"dealer"}', WAGER.replace("5.00", "5.001")):
        for number in range(2):
            assert isinstance(known.read(asks(f"{number}", command)), Ask)


@pytest.mark.parametrize(
    "text",
    [
        asks(""),
        asks("9" * 101),
        asks("1", WAGER[:-1]),
        asks("1", WAGER.replace("tiger", "\x00")),
        asks("1", more=1),
        asks("1", WAGER.replace("1,", "1.5,")),
        b'{"type":"bet","id":"1"}',
        b"\xff",
        b"[" * 100_000,
    ],
    ids=range(9),
)
def test_what_cannot_be_read_is_as_unreadable_as_ever(text: bytes) -> None:
    known = Phrases(UNSTATED)
    known.read(asks("1"))
    with pytest.raises((msgspec.MsgspecError, UnicodeError, RecursionError)) as found:
        known.read(text)
    with pytest.raises(found.type):
        phrases.read(text)


def test_a_ping_is_a_ping() -> None:
    assert Phrases(UNSTATED).read(b'{"type":"ping","id":"7"}') == Ping("7")


def test_as_much_is_remembered_as_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phrases, "REMEMBERED", 2)
    known = Phrases(UNSTATED)
    amounts = [WAGER.replace("5.00", f"{amount}.00") for amount in (1, 2, 3)]
    for each in amounts:
        known.read(asks("1", each))
    assert [type(known.read(asks("2", each))) for each in reversed(amounts)] == [Again, Again, Ask]
    assert isinstance(known.read(asks("3", WAGER + " " * phrases.BYTES)), Ask | Again)
