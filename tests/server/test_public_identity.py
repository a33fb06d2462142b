"""What others are told of a person at a table: a number and a chosen name, and never the name to sign in with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

import longhu
from longhu.eventsourcing import Refusal
from longhu.positions import Position
from longhu.server.codec import fields_of
from longhu.server.realtime.broadcast import message
from longhu.server.realtime.public_events import PARTS, TOLD
from longhu.table import views
from longhu.table.cash import CashOut
from longhu.table.messages import NOT_AT_TABLE
from longhu.table.nominees import ACTS_FOR_ANOTHER
from longhu.table.people import JoinTable, LeaveTable
from longhu.table.requirements import WRITE_INSTEAD
from longhu.table.state import SOMEBODY, Person, Table, public_id
from longhu.table.views import (
    KEYS,
    PEOPLE,
    STAFF,
    ChipRequestView,
    PublicIdentity,
    RecalledIdentity,
    SourceView,
    Viewer,
    view,
    viewer,
)
from tests.server.test_public_events import GAMES, evening
from tests.table.chips import asked
from tests.table.random_play import CROWD
from tests.table.rounds import Play
from tests.table.test_card_source import Reading

# Fields with text in them that nobody is named in; whoever adds one decides here.
OF_NOBODY = {
    "announced", "before", "card", "cards", "cards_say", "clause", "command", "commitment", "counts", "decided", "decision", "exposed", "face", "game", "hand", "hands", "heavier",
    "holds", "in_error", "in_force", "kind", "line", "method", "most", "name", "notice", "opens_first", "pays", "phase", "remedy", "result", "secret", "sort_record", "stage",
    "suspended", "then", "value", "version", "wager", "waits", "why", "winner",
}  # fmt: skip
OF_STAFF = {"balances", "commissions", "incident", "owes", "stopped"}  # that others are not shown, or not as they are
FOR_STAFF: dict[str, Any] = {
    "source": None,
    "chip_requests": (),
}  # parts of a view that others see as empty, whatever there is


def texts() -> Iterator[str]:
    """Every field with text that others than staff are told."""
    parts: list[tuple[Any, tuple[str, ...] | None]] = [each for each in (*TOLD.items(), *PARTS.items()) if each[1]]
    shown: list[tuple[Any, None]] = [
        (each, None)
        for name, each in vars(views).items()
        if name.endswith("View") and isinstance(each, type) and each not in (SourceView, ChipRequestView)
    ]
    for kind, names in [*parts, *shown]:
        for field in fields_of(kind):
            if (names is None or field.name in names) and "str" in str(field.type):
                yield field.name


def test_every_text_that_is_told_names_people_or_does_not() -> None:
    found = set(texts())
    assert found - PEOPLE - KEYS - OF_STAFF == OF_NOBODY & found
    assert found >= PEOPLE - {"by", "cut_by"}


@pytest.mark.clause("SEC-1", "OPS-3")
def test_the_shoe_that_reads_and_chips_on_their_way_are_shown_to_staff_alone() -> None:
    """Both name people or what the house knows of its equipment: nobody else sees anything of them."""
    play = Reading()
    asked(play, "fill", 100_00, steps=2)
    for who in (Viewer(), *(viewer(play.table, person) for person in (*play.table.people, *play.table.staff))):
        seen = view(play.table, play.game, who)
        shown = {name: getattr(seen, name) for name in FOR_STAFF}
        if who.role in STAFF:
            assert all(shown.values()), who
        else:
            assert shown == FOR_STAFF, who
            assert not re.search("shoe-3|sue|kit|rex", msgspec.json.encode(seen).decode()), who


@pytest.mark.parametrize("game", GAMES)
def test_an_evening_without_a_name(game: str) -> None:
    """Whoever is no staff hears and sees a whole evening, and no name in it."""
    rules = longhu.game(game).definition
    before, named = Table(""), 0
    for number, (event, after) in enumerate(evening(game)):
        names = {*after.people, *after.staff, *after.acting, *(each.person for each in after.nominees.values()), *CROWD}
        word = re.compile(rf"(?<![A-Za-z0-9])({'|'.join(map(re.escape, sorted(names)))})(?![A-Za-z0-9_])")
        told = message(number, event, rules, PublicIdentity(after, before))
        assert not word.search(msgspec.json.encode(told).decode()), told
        named += bool(word.search(msgspec.json.encode(message(number, event, rules, None)).decode()))
        if number % 7 == 0:
            for who in (Viewer(), *(viewer(after, person) for person in after.people)):
                seen = view(after, rules, who)
                assert who.role in STAFF or not word.search(msgspec.json.encode(seen).decode()), seen
        before = after
    assert named > 40


def test_a_number_is_kept_for_as_long_as_somebody_is_there() -> None:
    play = Play("dragon-tiger", people={"ann": 1, "bob": 2})
    numbers = {"ann": "#1", "bob": "#2"}
    assert {name: public_id(play.table, name) for name in numbers} == numbers
    play.does(CashOut, "ann", amount=play.table.balances["patron:ann"])
    play.does(LeaveTable, "ann")
    play.does(JoinTable, "eve", seat=1)
    assert [public_id(play.table, name) for name in ("bob", "eve", "ann")] == ["#2", "#3", SOMEBODY]


def test_staff_are_told_by_their_position_and_strangers_not_at_all() -> None:
    table = Table("", people={"ann": Person("ann", number=4)}, staff={"dee": Position.DEALER, "alba": Position.AUDITOR})
    who = PublicIdentity(table)
    assert [who.of(name) for name in ("dee", "alba", "zoe", "", "*", "#4", "dealer")] == [
        *("dealer", "auditor", SOMEBODY, "", "*", "#4", "dealer"),
    ]
    assert who.of("pam", Position.PIT_MANAGER) == "pit-manager"
    assert who.told("stake", {"patron": "ann", "wager": "ann", "place": 1}) == {
        "patron": "#4",
        "wager": "ann",
        "place": 1,
    }
    assert who.told("key", "ann/1/tie") == "#4/1/tie"


def test_a_refusal_names_nobody_but_oneself() -> None:
    table = Table("", people={"ann": Person("ann", number=1), "bo.b": Person("bo.b", number=2)})
    refusal = Refusal(ACTS_FOR_ANOTHER(person="ann", patron="bo.b"), WRITE_INSTEAD(word="bo.b"), "D21-2.2")
    told = PublicIdentity(table).refusal(refusal, own="ann")
    assert told == Refusal(ACTS_FOR_ANOTHER(person="ann", patron="#2"), WRITE_INSTEAD(word="bo.b"), "D21-2.2")
    gone = Refusal(NOT_AT_TABLE(person="cay"))
    assert PublicIdentity(table).refusal(gone, own="ann").reason == NOT_AT_TABLE(person=SOMEBODY)


def test_messages_within_an_event_name_nobody() -> None:
    table = Table("", people={"ann": Person("ann", number=1), "bob": Person("bob", number=2)})
    message = msgspec.to_builtins(ACTS_FOR_ANOTHER(person="ann", patron="bob"))
    told = PublicIdentity(table).told("", {"why": message})
    assert told == {"why": msgspec.to_builtins(ACTS_FOR_ANOTHER(person="#1", patron="#2"))}


def test_people_of_a_round_that_is_over_are_told_by_their_order() -> None:
    play = Play("dragon-tiger", cards="KH 9S")
    play.open_betting()
    play.bet("bob", "tiger", "5.00", place=2)
    play.bet("ann", "dragon", "5.00")
    who = RecalledIdentity(play.log[-3:])
    assert [who.of(name) for name in ("bob", "ann", "dee", "eve")] == ["#1", "#2", "dealer", SOMEBODY]
