"""A long run at a real server, with all of its traffic on tape: what nobody may know yet is looked for in all of it.

Five games, hands that are squeezed, patrons, dealer, auditor and passers-by; sockets, requests, log lines and figures. When it
is over the trail says what was secret and until when, and the tape must not have it before.
"""

from __future__ import annotations

import asyncio
import base64
import io
import json
import logging
import re
import time
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache, partial
from math import inf
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from longhu.accounts.wallet import PayIn
from longhu.audit.record import Record, decode, hides
from longhu.cards import DECK
from longhu.eventsourcing import Event
from longhu.fairness.shuffle import order
from longhu.positions import Position
from longhu.server.house import House
from longhu.server.observability import configure
from longhu.server.streams.commands import SYSTEM, Actor
from longhu.table.engine import evolve
from longhu.table.shuffling import ShuffleRevealed
from longhu.table.state import Table
from longhu.table.views import Viewer
from tests.server.houses import a_table, cheap, done
from tests.server.room import Heard, Reader, Somebody, Tape, together
from tests.server.running import Client, Running, quick, running
from tests.table.other_secrets import EVERYBODY, Sights

GAMES = {
    "dragon-tiger": "",
    "dragon-21": "B",
    "immortal-dragon-tiger": "A",
    "dragon-bonus-online": "",
    "dragon-bonus": "squeeze",
}
ALONE = "dragon-bonus-online"  # one patron, and a full shoe for every round
STAFF = {"dee": Position.DEALER, "otto": Position.AUDITOR, "pam": Position.PIT_MANAGER}
PASSWORD = "a long enough password"
SHOES = max(1, settings().max_examples // 1000)  # that are revealed at each table; several in the soak
SECONDS = 60.0 * SHOES  # longer, and something is wrong
DEALT = 24  # cards of a shoe before the cutting card
FACE = r"[A2-9TJQK][SHDC]"
ALL_CARDS = {str(card) for card in DECK}
NAMED = re.compile(rf"(?<![A-Za-z0-9]){FACE}(?![A-Za-z0-9])")
EXPOSED = re.compile(r'"exposed":\{[^}]*\}')
SEVERAL = re.compile(rf"{FACE}(?:[^A-Za-z0-9]{{0,4}}{FACE}){{2,}}")


class Story:
    """What happened at a table, by its trail: which cards everybody or somebody knew, and when."""

    def __init__(self, records: list[Record], sealed: dict[int, bytes]) -> None:
        self.records, self.times = records, [each.event.at for each in records]
        self.sealed = sealed  # secrets that have not been told to this day
        self.tables = [Table(game="")]
        self.lookers: list[list[frozenset[str]]] = [[]]
        sights = Sights()
        for each in records:
            self.tables.append(evolve(self.tables[-1], each.event))
            sights.note(each.event)
            self.lookers.append([frozenset(one) for one in sights.lookers])

    def known(self, sequence: int, person: str) -> set[str]:
        """Faces of the round that this person may know after a record."""
        table = self.tables[sequence]
        if table.round is None:
            return set()
        sights = Sights()
        sights.lookers = [set(each) for each in self.lookers[sequence]]
        return {
            each.card for place, each in enumerate(table.round.cards) if sights.may_know(table, place, Viewer(person))
        }

    def open_in(self, first: int, last: int) -> set[str]:
        """Faces that lay open between two records."""
        found: set[str] = set()
        for sequence in range(max(0, first), min(last, len(self.records)) + 1):
            round = self.tables[sequence].round
            cards = round.cards if round else ()
            found |= {each.card for each, by in zip(cards, self.lookers[sequence], strict=False) if EVERYBODY in by}
        return found

    def at(self, time: int) -> int:
        """The last record at a time."""
        return bisect_right(self.times, time)

    def round(self, number: int) -> tuple[int, int]:
        """The records of a round."""
        inside = [n for n, each in enumerate(self.tables) if each.round is not None and each.round.number == number]
        return inside[0], inside[-1] + 1

    @property
    def reveals(self) -> dict[int, ShuffleRevealed]:
        """The secrets that were told, by the number of the record."""
        events: list[Event] = [each.event for each in self.records]
        return {n: each for n, each in enumerate(events, 1) if isinstance(each, ShuffleRevealed)}

    @cache  # noqa: B019
    def triples(self) -> set[tuple[str, ...]]:
        """Every three cards that lie behind each other in a shoe."""
        found: set[tuple[str, ...]] = set()
        secrets = {each.number: bytes.fromhex(each.secret) for each in self.reveals.values()} | self.sealed
        mixes = {each.shuffle.number: each.shuffle.mix for each in self.tables if each.shuffle and each.shuffle.mix}
        for number, mix in mixes.items():
            cards = order(mix, secrets[number])
            found |= {cards[place : place + 3] for place in range(len(cards) - 2)}
        return found

    def drawn(self, sequence: int) -> tuple[int, int]:
        """How many cards have left which shoe."""
        shoe = self.tables[sequence].shoe
        return (shoe.number, shoe.drawn) if shoe is not None else (self.tables[sequence].shoes, 0)


# ------------------------------------------------ the run


async def open_house(house: House) -> None:
    """Five tables, two patrons at each, a dealer and an auditor."""
    for game, method in GAMES.items():
        live = await a_table(house, game, game, **({"method": method} if method else {}), **_short(game))
        for nth, person in enumerate(patrons_of(game), 1):
            account = await house.people.create(SYSTEM, person, person, PASSWORD)
            assert account is not None
            done(await house.people.act(SYSTEM, person, PayIn(amount=10_000_000, reference="for a test"), "money"))
            done(await house.join(Actor(person, Position.PATRON), live.name, nth, 5_000_000))
    for name, position in STAFF.items():
        await house.people.create(SYSTEM, name, name, PASSWORD, position)


def patrons_of(game: str) -> list[str]:
    """Two, where the layout has room for them."""
    return [f"{name}-{game}" for name in (("ann",) if game == ALONE else ("ann", "bob"))]


def _short(game: str) -> dict[str, Any]:
    """Shoes that end soon, where a shoe has an end."""
    return {} if game == ALONE else {"decks": 4, "cut_reserve": 4 * 52 - DEALT}


def signed_in(server: Running, person: str) -> Client:
    client = server.client()
    client.sign_in(person, PASSWORD)
    return client


async def enough(server: Running) -> None:
    """Until every table has told the secrets of some shoes."""
    ends = time.monotonic() + SECONDS
    while any(live.state.shoes <= SHOES for live in server.house.tables.values()):
        assert time.monotonic() < ends, {id: live.state.shoes for id, live in server.house.tables.items()}
        await asyncio.sleep(0.05)


def recorded(server: Running) -> tuple[Tape, dict[str, Story]]:
    """A long run, and what its trail says."""
    tape = Tape()
    server.do(open_house)
    staff = {name: signed_in(server, name).cookie for name in STAFF}
    watching: list[tuple[Somebody, str]] = []
    reading: list[tuple[Reader, str]] = []
    for game in GAMES:
        hands = [each.id for each in server.house.tables[game].game.procedure.hands]
        for nth, (person, hand) in enumerate(zip(patrons_of(game), hands, strict=False), 1):
            watching.append((Somebody(tape, game, person, hand, nth), signed_in(server, person).cookie))
        watching += [(Somebody(tape, game, ""), ""), *((Somebody(tape, game, who), staff[who]) for who in staff)]
        patron = patrons_of(game)[-1]
        reading.append((Reader(tape, game, patron, _asked(server, game)), signed_in(server, patron).cookie))
        reading += [(Reader(tape, game, "", _asked(server, game)), ""), (Reader(tape, game, "otto", _audited(game)), staff["otto"])]  # fmt: skip
    reading.append(
        (Reader(tape, "", "pam", lambda: ["/metrics", "/api/floor", "/api/tables", "/readyz"]), staff["pam"])
    )
    asyncio.run(together(server, watching, reading, enough(server)))

    return tape, {table: server.do(partial(story_of, table)) for table in GAMES}


async def story_of(table: str, house: House) -> Story:
    """The house deals on: what is revealed while this is read was a secret as long as anybody listened."""

    def read() -> Story:
        records = [decode(line) for line in house.store.records(table)]
        sealed = house.store.sealed(table)
        later = [decode(line).event for line in house.store.records(table, len(records))]
        told = {each.number: bytes.fromhex(each.secret) for each in later if isinstance(each, ShuffleRevealed)}
        return Story(records, {**told, **sealed})

    return await asyncio.to_thread(read)


def _asked(server: Running, table: str) -> Any:
    def paths() -> list[str]:
        last = server.house.tables[table].state.rounds
        rounds = [f"/api/tables/{table}/rounds/{number}" for number in (last, last - 1) if number > 0]
        more = [f"/api/tables/{table}/{each}" for each in ("roads", "chances", "shuffles/1", "shuffles/2")]
        return [f"/api/tables/{table}", f"/api/tables/{table}/rounds", *rounds, *more]

    return paths


def _audited(table: str) -> Any:
    records, found = f"/api/audit/records?table={table}&after=0&limit=500", f"/api/audit/search?trail={table}&limit=200"
    return lambda: [f"/api/tables/{table}", records, found, f"/api/floor/{table}", f"/api/floor/{table}/theory"]


# ------------------------------------------------ what is looked for


def named(text: str) -> set[str]:
    """Every card that is named anywhere in a message, but for the auditor's list of all that has lain open."""
    return set(NAMED.findall(EXPOSED.sub("", text)))


def may_be_told(heard: Heard, story: Story) -> set[str]:
    """Cards that whoever got a message could know."""
    if heard.where == "socket":
        sequence = json.loads(heard.text).get("sequence", 0)
        return story.known(sequence, heard.person) | story.known(max(0, sequence - 1), heard.person)
    if number := re.search(r"/rounds/([0-9]+)$", heard.where):
        first, last = story.round(int(number[1]))
        shoe = story.drawn(last)[0]
        after = any(event.number >= shoe and event.at <= heard.came for event in story.reveals.values())
        return ALL_CARDS if after else story.open_in(first, last)
    if number := re.search(r"/shuffles/([0-9]+)$", heard.where):
        over = any(event.number == int(number[1]) and event.at <= heard.came for event in story.reveals.values())
        return ALL_CARDS if over else set()
    first, last = story.at(heard.asked - 1000), story.at(heard.came + 1000)
    return {face for n in range(first, min(last, len(story.records)) + 1) for face in story.known(n, heard.person)}


def spoken_too_early(heard: Heard, story: Story) -> set[str]:
    """Cards in a message that whoever got it could not know."""
    found = named(heard.text)
    return found - may_be_told(heard, story) if found else found


def told_by_records(heard: Heard, story: Story) -> Iterator[str]:
    """Records that an auditor got, and that hid a card which nobody had seen by then."""
    for told in json.loads(heard.text)["records"]:
        record = story.records[told["sequence"] - 1]
        if hides(record.event):
            shoe = story.drawn(record.sequence)[0]
            ends = [n for n, event in story.reveals.items() if event.number == shoe]
            opened = [n for n in range(record.sequence, len(story.tables)) if _all_open(story, record.sequence, n)]
            earliest = min([*ends, *opened], default=None)
            if earliest is None or story.times[earliest - 1] > heard.came:
                yield f"record {record.sequence} at {heard.came}"


def _all_open(story: Story, drawn: int, sequence: int) -> bool:
    place = len(story.lookers[drawn]) - 1
    before, round = story.tables[drawn].round, story.tables[sequence].round
    same = before is not None and round is not None and before.number == round.number
    return same and place < len(story.lookers[sequence]) and EVERYBODY in story.lookers[sequence][place]


def order_told(heard: Heard, story: Story) -> Iterator[str]:
    """Three cards behind each other as they lie in a shoe, however they are written, and not all of them known."""
    for several in SEVERAL.findall(heard.text):
        cards, known = re.findall(FACE, several), may_be_told(heard, story)
        for place in range(len(cards) - 2):
            three = tuple(cards[place : place + 3])
            if three in story.triples() and not known.issuperset(three):
                yield several


def by_name(heard: Heard, everybody: set[str]) -> set[str]:
    """Names to sign in with that a message tells, and that are neither the reader's own nor for staff."""
    words = set(re.findall(r"[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?", heard.text))
    return words & everybody - {heard.person}


def in_every_form(secret: str) -> Iterator[str]:
    """A secret as it could be written."""
    plain = bytes.fromhex(secret)
    yield from (
        secret,
        secret.upper(),
        base64.b64encode(plain).decode().rstrip("="),
        str(list(plain))[1:-1],
        repr(plain)[2:-1],
    )


@pytest.mark.clause("RUL-6", "RNG-3")
def test_no_secret_leaves_the_server_before_its_time(tmp_path: Path) -> None:
    config = cheap(quick(tmp_path / "house.db", demo=True, log_level="debug", betting_seconds=0.06))
    lines = io.StringIO()
    handler = configure(config, lines)
    try:
        with running(config) as server:
            tape, stories = recorded(server)
    finally:
        logging.getLogger().removeHandler(handler)
    log = lines.getvalue()
    assert len(tape.heard) > 2000, "the run was too short to show anything"
    assert log.count("\n") > 50
    hidden = sum(hides(each.event) for story in stories.values() for each in story.records)
    assert hidden > 50, "hardly a card lay face down"

    secrets: dict[str, float] = {}
    for story in stories.values():
        for event in story.reveals.values():
            secrets |= dict.fromkeys(in_every_form(event.secret), event.at)
        for secret in story.sealed.values():
            secrets |= dict.fromkeys(in_every_form(secret.hex()), inf)
    anywhere = re.compile("|".join(map(re.escape, secrets)))
    assert not anywhere.search(log)
    assert not NAMED.search(log)
    squeezed = named_to_staff = 0
    everybody = {*STAFF, *(person for game in GAMES for person in patrons_of(game))}
    for heard in tape:
        if heard.person in STAFF:
            named_to_staff += bool(by_name(heard, everybody))
        else:
            assert not by_name(heard, everybody), heard
        for found in anywhere.findall(heard.text):
            assert heard.came >= secrets[found], f"a secret was told before its shoe was over: {heard}"
        if not heard.table or heard.where == "/metrics":
            assert not NAMED.search(heard.text), heard
            continue
        story = stories[heard.table]
        if heard.where.startswith("/api/audit"):
            assert not [*told_by_records(heard, story)], heard.where
            continue
        early = spoken_too_early(heard, story)
        assert not early, (early, heard)
        assert not [*order_told(heard, story)], heard
        squeezed += '"card-squeezed"' in heard.text and '"patch"' in heard.text
    assert squeezed > 20, "nobody squeezed anything"
    assert named_to_staff > 100, "staff were told no names"
