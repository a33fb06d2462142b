"""What everybody is told of events, and of views: every kind has its list, and no list has a secret in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import settings

import longhu
from longhu.eventsourcing import Event, Refusal
from longhu.games.registry import built_in
from longhu.money import UNSTATED
from longhu.positions import Position
from longhu.server import codec
from longhu.server.codec import encode
from longhu.server.realtime.broadcast import message, text, told
from longhu.server.realtime.public_events import TOLD
from longhu.table.betting import PlaceWager, WagerPlaced
from longhu.table.correcting import CardCorrected
from longhu.table.dealing import CardDrawn
from longhu.table.engine import decide, evolve
from longhu.table.irregularities.missing import CardsSorted
from longhu.table.messages import TABLE, TABLE_STOPPED
from longhu.table.state import Stake, Table
from longhu.table.suspension import STOPPED_BY_DEFECT, ResumeTable, stopped_by
from longhu.table.views import Role, View, Viewer, view, viewer
from tests.server.patching import patched
from tests.table.random_play import CROWD, Chance
from tests.table.rounds import Play

GAMES = tuple(built_in())
SEEDS = (17, 18, 19)  # of tables with electronic shoes and with real ones
COMMANDS = (
    5 * settings().max_examples
)  # at each: enough for cards to be dealt, whatever chance does; many more in the soak
FACE = re.compile(r"[A2-9TJQK][SHDC]")
VIEWERS = (Viewer(), Viewer("", Role.DEALER), Viewer("", Role.PIT), Viewer("", Role.AUDITOR))


def evening(game: str) -> Iterator[tuple[Event, Table]]:
    """Random play at several tables, one after the other: every event, and the table after it."""
    rules = longhu.game(game).definition
    for seed in SEEDS:
        chance, table = Chance(rules, seed), Table(game="")
        for number in range(COMMANDS):
            command = chance.command(table)
            if table.suspended and not number % 5:  # or the evening is over
                command = ResumeTable(by="opal", at=chance.at, position=Position.CASINO_OPERATOR, reason="it goes on")
            decision = decide(table, rules, command)
            for event in [] if isinstance(decision, Refusal) else decision:
                table = evolve(table, event)
                yield event, table


def test_every_kind_of_event_has_its_list() -> None:
    assert set(TOLD) == set(TABLE.evolvers), "say in longhu.server.realtime.public_events what everybody is told of it"
    for kind, names in TOLD.items():
        assert set(names or ()) <= set(kind.__struct_fields__), kind


def faces(value: Any) -> Iterator[str]:
    """Every card that is named in something."""
    match value:
        case str() if FACE.fullmatch(value):
            yield value
        case dict():
            for each in value.values():
                yield from faces(each)
        case list() | tuple():
            for each in value:
                yield from faces(each)


@pytest.mark.parametrize("game", GAMES)
def test_an_evening_as_everybody_is_told_of_it(game: str) -> None:
    """No card is told that does not lie open, and what changes on a screen makes the new view of the old."""
    rules = longhu.game(game).definition
    shown: dict[Viewer, tuple[View, Any]] = {}
    cards, before = 0, Table(game="")
    for number, (event, after) in enumerate(evening(game)):
        named = Counter(faces(told(event, rules, None)))
        if isinstance(event, CardCorrected):  # as it lay open before: another face was entered by mistake
            assert before.round is not None
            assert before.round.cards[event.place].public
            named.subtract([event.before])
        before = after
        lying = Counter(each.card for each in after.round.cards if each.public) if after.round else Counter()
        assert named <= lying or isinstance(event, CardsSorted), (event, named - lying)
        cards += named.total()
        if number % 3:  # views take longer
            continue
        who = viewer(after, CROWD[number // 3 % len(CROWD)]) if number % 2 else VIEWERS[number // 6 % len(VIEWERS)]
        now = view(after, rules, who)
        full = msgspec.to_builtins(codec.view(now, UNSTATED))
        if who in shown:
            seen, screen = shown[who]
            patch = msgspec.to_builtins(codec.operations(codec.changes(seen, now, UNSTATED)))
            assert patched(screen, patch) == full
        shown[who] = (now, full)
    assert cards, "no card was told all evening"


def test_a_message_has_number_time_and_amounts_as_strings() -> None:
    play = Play("dragon-tiger", cards="KH 9S")
    play.open_betting()
    (placed,) = play.bet("ann", "dragon", "5.00")
    assert message(12, placed, play.game, None) == {
        "type": "event",
        "sequence": 12,
        "at": placed.at,
        "name": "wager-placed",
        "by": "ann",
        "clause": placed.clause,
        "told": {
            "stake": {
                "patron": "ann", "place": 1, "wager": "dragon", "amount": "5.00", "placed_by": "ann", "confirmed": True,
            },
            "added": "5.00",
        },
    }  # fmt: skip


@pytest.mark.parametrize("game", GAMES)
def test_a_text_is_the_message_encoded(game: str) -> None:
    """Wagers are put together from parts that were encoded before."""
    rules = longhu.game(game).definition
    wagers = 0
    for number, (event, _) in enumerate(evening(game)):
        found = message(number, event, rules, None)
        assert text(number, event, rules, None) == (None if found is None else encode(found))
        wagers += isinstance(event, WagerPlaced)
    odd = WagerPlaced(stake=Stake('an"n\n', 1, "tie", 5, 0, "zoé"), added=7, by="\\", at=1, clause="")
    assert text(1, odd, rules, None) == encode(message(1, odd, rules, None))
    assert wagers


def test_a_face_down_card_has_no_face() -> None:
    play = Play("immortal-dragon-tiger", method="A")
    play.open_betting()
    play.close_betting()
    play.draw()
    drawn = play.log[-1]
    assert isinstance(drawn, CardDrawn)
    assert drawn.card.card
    assert not drawn.card.public
    fields = told(drawn, play.game, None) or {}
    assert fields["card"] == {"hand": "player", "face": None, "public": False}


def test_a_refusal_is_told_to_nobody() -> None:
    play = Play("dragon-tiger")
    refused = play.refused_on_record(PlaceWager, "ann", place=1, wager="dragon", amount=500)
    assert message(3, refused, play.game, None) is None


def test_what_a_defect_says_of_itself_is_for_the_staff() -> None:
    play = Play("dragon-tiger")
    stopped = stopped_by(ValueError("KH is the next card"), at=play.now)
    table = evolve(play.table, stopped)
    assert told(stopped, play.game, None) == {}
    says = {who.role: view(table, play.game, who).stopped for who in VIEWERS}
    assert says[Role.PIT] == STOPPED_BY_DEFECT(defect="ValueError: KH is the next card")
    assert says[Role.SPECTATOR] == TABLE_STOPPED()
