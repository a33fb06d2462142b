"""Lines of trails that have no game: written one way, chained, and read back."""

from __future__ import annotations

import json

import msgspec
import pytest

from longhu.accounts import record
from longhu.accounts.account import SetPassword
from longhu.accounts.messages import HouseCommand, HouseEvent
from longhu.accounts.names import trail_of
from longhu.accounts.state import ACCOUNT, HOUSE_LOG
from longhu.accounts.wallet import PayIn
from longhu.audit.record import beginning, digest
from tests.accounts.keeping import START, an_account

COMMANDS = [*ACCOUNT.deciders, *HOUSE_LOG.deciders]
EVENTS = {*ACCOUNT.evolvers, *HOUSE_LOG.evolvers}


def test_a_line_has_its_place_the_line_before_and_the_event() -> None:
    kept = an_account()
    kept.done(PayIn(amount=5000, reference="voucher"), "ann")
    first, second = kept.lines
    assert second.decode() == (
        f'{{"sequence":2,"previous":"{digest(first)}","event":{{"event":"paid-in/1","by":"ann","at":{START},"position":"patron",'
        '"clause":"MON-1","why":"","console":"","person":"ann","amount":5000,"reference":"voucher"}}'
    )
    assert first.startswith(f'{{"sequence":1,"previous":"{beginning(trail_of("ann"))}","event":{{"event":'.encode())


def test_every_line_reads_back_what_it_wrote() -> None:
    kept = an_account()
    kept.done(PayIn(amount=5000), "ann")
    kept.refused(PayIn(amount=0), "ann")
    for line in kept.lines:
        assert msgspec.json.encode(record.decode(line)) == line
    assert kept.replay() == kept.state


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{}",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"sequence":1,"previous":"","event":{"event":"wager-placed/1"}}',
        b'{"sequence":1,"previous":"","event":{"event":"account-closed/1"},"game":"x"}',
    ],
)
def test_something_else_is_no_line(line: bytes) -> None:
    with pytest.raises(msgspec.MsgspecError):
        record.decode(line)


def test_every_command_has_a_name_of_its_own() -> None:
    names = [each.__struct_config__.tag for each in COMMANDS]
    assert len(set(names)) == len(names)
    assert all(issubclass(each, HouseCommand) for each in COMMANDS)
    assert all(issubclass(each, HouseEvent) for each in EVENTS)


@pytest.mark.clause("LOG-6")
def test_an_auditor_is_told_everything_but_what_a_password_was_made_into() -> None:
    kept = an_account()
    kept.done(SetPassword(password="$argon2id$secret"), "ann")
    for line in kept.lines:
        told = record.told(line)
        assert "kept" not in json.dumps(told)
        assert "argon2id" not in json.dumps(told)
        assert told["digest"] == digest(line)
        assert told["event"]["by"] in ("house", "ann")
