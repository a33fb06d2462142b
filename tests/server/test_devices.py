"""Shoes that read cards, at a real server: credentials, forged messages, and rounds dealt by an unreliable shoe."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from longhu.audit.record import decode
from longhu.cli.practice.reading_shoe import FAULTS, Rates, SimulatedShoe
from longhu.eventsourcing import Event
from longhu.positions import Position
from longhu.server.house import House
from longhu.server.streams.commands import Actor
from longhu.table.betting import PlaceWager
from longhu.table.betting_phase import CallNoMoreBets, CallPlaceYourBets
from longhu.table.card_source import (
    DealFromSource,
    EnterUnreadCard,
    SourceFaultFound,
    SourceHeard,
    SourceLost,
    lies_unread,
)
from longhu.table.dealing import AnnounceResult, DrawCard, next_hand
from longhu.table.irregularities.rulings import MakeRuling
from longhu.table.messages import Command, CommandRefused
from longhu.table.people import TakeTheDeal
from longhu.table.remedies.void import RoundVoided
from longhu.table.settling import RoundEnded, SettleRound
from longhu.table.shoe import LoadShoe
from longhu.table.state import Phase, Table
from tests.server.running import PEOPLE, Running, agreed, quick, running

TABLE, SHOE = "T1", "shoe-3"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    config = quick(tmp_path_factory.mktemp("devices") / "house.db", shoe_silent_seconds=1.5)
    with running(config) as server:
        server.staffed()
        yield server


def ready(site: Running, table: str, *shoes: str) -> list[str]:
    """A table with a reading shoe, loaded, with a dealer and a patron; credentials of these shoes."""
    site.open_table(table, dealer="human", device="reading-shoe", decks=8)
    ann = site.signed_in("ann")
    answer = ann.post(f"/api/tables/{table}/seat", json={"id": uuid4().hex, "seat": 1, "buy_in": "60.00"})
    assert answer.status_code == 200, answer.text
    for person in ("sue", "dee"):
        act(site, table, person, TakeTheDeal)
    act(site, table, "dee", LoadShoe, declined=("ann",))
    pat = site.signed_in("pat")
    return [credential(pat, table, shoe) for shoe in shoes]


def credential(client: Any, table: str, shoe: str) -> str:
    told = {"id": uuid4().hex, "device": shoe, "why": "new", "signatures": Running.signs("sue")}
    answer = client.post(f"/api/floor/{table}/devices", json=told)
    assert answer.status_code == 200, answer.text
    found: str = answer.json()["credential"]
    return found


def act(site: Running, table: str, person: str, kind: type[Command], **fields: Any) -> Any:
    return agreed(answered(site, table, person, kind, **fields))


def answered(site: Running, table: str, person: str, kind: type[Command], **fields: Any) -> Any:
    position = PEOPLE[person] or Position.PATRON

    async def done(house: House) -> Any:
        command = kind(by=person, at=0, position=position, **fields)
        return await house.act(Actor(person, position), table, command, uuid4().hex)

    return site.do(done)


def state(site: Running, table: str) -> Table:
    async def found(house: House) -> Table:
        live = await house.stream(table)
        assert live is not None
        return live.state

    return site.do(found)


def events(site: Running, table: str) -> list[Event]:
    async def found(house: House) -> list[bytes]:
        return list(house.store.records(table, 0))

    return [decode(line).event for line in site.do(found)]


@contextmanager
def speaking(site: Running, table: str, shown: str) -> Iterator[ClientConnection]:
    address = f"ws{site.address.removeprefix('http')}/api/tables/{table}/device"
    with connect(address, additional_headers={"Authorization": f"Bearer {shown}"}) as socket:
        yield socket


def say(socket: ClientConnection, kind: str, sequence: int, shoe: str = SHOE, **fields: Any) -> None:
    socket.send(json.dumps({"type": kind, "shoe": shoe, "sequence": sequence, "at": 0, **fields}))


def hear(socket: ClientConnection, kind: str) -> dict[str, Any]:
    while (told := json.loads(socket.recv(timeout=10)))["type"] != kind:
        pass
    found: dict[str, Any] = told
    return found


# ------------------------------------------------ who is heard


@pytest.mark.clause("SEC-1", "SEC-2")
def test_credentials_are_the_pits_told_once_and_kept_as_digests(site: Running) -> None:
    (shown,) = ready(site, "T-cred", "shoe-c")
    dee, sue, pat = (site.signed_in(person) for person in ("dee", "sue", "pat"))
    path = "/api/floor/T-cred/devices"
    assert dee.post(path, json={"id": "d1", "device": "shoe-d"}).status_code == 403
    assert sue.post(path, json={"id": "d1", "device": "shoe-d"}).status_code == 403
    for signed, why in (
        ([], "takes-two-people"),
        (site.signs("pat"), "second-is-somebody-else"),
        (site.signs("dee"), "second-person-too-low"),
        (site.signs("siv"), "second-person-too-low"),
        (site.signs("sue"), "device-known-already"),
    ):
        answer = pat.post(path, json={"id": uuid4().hex, "device": "shoe-c", "signatures": signed})
        assert (answer.status_code, answer.json()["message"]["code"]) == (409, why)
    (listed,) = sue.get_json(path)
    assert (listed["device"], listed["by"], listed["connected"]) == ("shoe-c", "pat", False)

    async def kept(house: House) -> str:
        return repr(await house.devices.all()) + "".join(map(str, house.store.records("house", 0)))

    assert shown.partition(":")[2] not in site.do(kept)
    assert sue.delete(f"{path}/shoe-c", params={"id": "r1", "why": "lost"}).status_code == 200
    assert refused(site, "T-cred", shown) == 4401


def refused(site: Running, table: str, shown: str) -> int:
    """With which code somebody is turned away."""
    with speaking(site, table, shown) as socket, pytest.raises(ConnectionClosed) as closed:
        socket.recv(timeout=5)
    assert closed.value.rcvd is not None
    code: int = closed.value.rcvd.code
    return code


@pytest.mark.clause("SEC-2", "LOG-5")
def test_forged_devices_are_turned_away_on_record(site: Running) -> None:
    (own,) = ready(site, "T-own", "shoe-own")
    (other,) = ready(site, "T-other", "shoe-other")
    for shown in ("", "shoe-own:guess", "nobody:x", other):
        assert refused(site, "T-own", shown) == 4401

    async def noted(house: House) -> list[str]:
        return [str(line) for line in house.store.records("house", 0) if b"device-turned-away" in line]

    causes = " ".join(site.do(noted))
    assert '"cause":"credential"' in causes
    assert '"cause":"table"' in causes
    assert state(site, "T-own").source is None
    assert own


@pytest.mark.clause("LOG-8", "SEC-1")
def test_forged_messages_deal_nothing_and_are_on_record(site: Running) -> None:
    (shown,) = ready(site, "T-forged", SHOE)
    with speaking(site, "T-forged", shown) as socket:
        say(socket, "card", 1, card="KS")
        assert hear(socket, "turned-down")["reason"]["code"] == "say-hello-first"
        say(socket, "hello", 0)
        assert hear(socket, "welcome")["sequence"] == 0
        act(site, "T-forged", "dee", CallPlaceYourBets)
        act(site, "T-forged", "ann", PlaceWager, place=1, wager="dragon", amount=10_00)
        act(site, "T-forged", "dee", CallNoMoreBets)
        assert hear(socket, "due")["due"] in (True, False)
        say(socket, "card", 1, card="KS")
        assert hear(socket, "taken")["became"] == "dealt"
        say(socket, "card", 1, card="KS")
        assert hear(socket, "taken")["became"] == "repeated"
        say(socket, "card", 2, card="2H")
        assert hear(socket, "taken")["became"] == "dealt"
        act(site, "T-forged", "dee", AnnounceResult)
        act(site, "T-forged", "dee", SettleRound)
        say(socket, "card", 3, card="AS")  # after the round
        assert hear(socket, "taken")["became"] == "fault"
        socket.send("{}")
        assert hear(socket, "turned-down")["sequence"] is None
        dealt = [event.became for event in events(site, "T-forged") if isinstance(event, SourceHeard)]
        assert dealt == ["dealt", "repeated", "dealt", "fault"]
        site.signed_in("sue").delete("/api/floor/T-forged/devices/shoe-3", params={"id": "r2", "why": "forged"})
        site.until("T-forged", lambda table: table.source is not None and table.source.lost == "revoked")
    assert refused(site, "T-forged", shown) == 4401
    assert any(isinstance(event, SourceLost) and event.cause == "revoked" for event in events(site, "T-forged"))
    dee = site.signed_in("dee")
    for name in ("read-card", "connect-source", "lose-source"):
        told: dict[str, Any] = {"shoe": SHOE, "sequence": 9, "told_at": 0, "card": "KS"}
        assert dee.command("T-forged", name, **told).status_code in (400, 403)


@pytest.mark.clause("REC-2")
def test_a_shoe_that_says_nothing_any_more_is_lost_on_record_and_comes_back(site: Running) -> None:
    (shown,) = ready(site, "T-silent", SHOE)
    with speaking(site, "T-silent", shown) as socket:
        say(socket, "hello", 0)
        hear(socket, "welcome")
        lost = site.until("T-silent", lambda table: table.source is not None and not table.source.connected)
        assert lost.source is not None
        assert lost.source.lost == "silent"
    with speaking(site, "T-silent", shown) as socket:
        say(socket, "hello", 0)
        hear(socket, "welcome")
        say(socket, "heartbeat", 2)  # two messages have not come
        assert hear(socket, "taken")["fault"]["code"] == "shoe-messages-missing"
    gone = site.until("T-silent", lambda table: table.source is not None and not table.source.connected)
    assert gone.source is not None
    assert gone.source.lost == "disconnected"


# ------------------------------------------------ an unreliable shoe


class Dealer:
    """The people of a table, who do what the table asks of them; the cards that lie there are the shoe's."""

    def __init__(self, site: Running, table: str, shoe: SimulatedShoe) -> None:
        self.site, self.table, self.shoe = site, table, shoe
        self.true: dict[int, list[str]] = {}  # the cards that really lay there, by round

    def does(self, person: str, kind: type[Command], **fields: Any) -> Any:
        return act(self.site, self.table, person, kind, **fields)

    def tries(self, person: str, kind: type[Command], **fields: Any) -> None:
        """Something that the shoe may have been quicker than; the table is looked at again then."""
        answered(self.site, self.table, person, kind, **fields)

    def round(self) -> None:
        self.does("dee", CallPlaceYourBets)
        self.does("ann", PlaceWager, place=1, wager="dragon", amount=1_00)
        self.does("dee", CallNoMoreBets)
        number = state(self.site, self.table).rounds
        for _ in range(200):
            table = state(self.site, self.table)
            if table.round is None:
                break
            self._goes_on(table)
            self._sums_to_zero(table)
        assert state(self.site, self.table).round is None
        self.true[number] = list(self.shoe.lying)
        source = state(self.site, self.table).source
        if source is not None and source.fault is not None:
            self.does("sue", DealFromSource, reason="accounted for")

    def _sums_to_zero(self, table: Table) -> None:
        assert sum(table.balances.values()) == 0

    def _goes_on(self, table: Table) -> None:
        round, source = table.round, table.source
        assert round is not None
        assert source is not None
        if round.halt.for_ruling:
            decision = "void" if round.number % 3 == 0 else "burn" if round.in_error else "continue"
            self.tries("gus", MakeRuling, decision=decision, reason="looked at it", cosigned_by=("dee",))
        elif lies_unread(table):
            face = self.shoe.lying[len(round.cards)]
            self.tries("dee", EnterUnreadCard, card=face, cosigned_by=("sue",))
        elif round.phase is Phase.ANNOUNCED:
            self.tries("dee", SettleRound)
        elif next_hand_of(table) is None:
            self.tries("dee", AnnounceResult)
        elif source.deals_by_hand(round.number):
            if len(self.shoe.lying) <= len(round.cards):
                self.shoe.ask()
                self._waits(lambda: len(self.shoe.lying) > len(round.cards))
            self.tries("dee", DrawCard, card=self.shoe.lying[len(round.cards)])
        else:
            self._waits(lambda: state(self.site, self.table) is not table)

    def _waits(self, holds: Any) -> None:
        for _ in range(1000):
            if holds():
                return
            threading.Event().wait(0.01)
        raise AssertionError("nothing happens")


def next_hand_of(table: Table) -> int | None:
    from longhu import game

    assert table.round is not None
    return next_hand(game("dragon-tiger").definition, table.round)[0]


@pytest.mark.clause("REC-2", "LOG-8", "MON-1", "LOG-1")
@pytest.mark.parametrize("fault", ["", *FAULTS, "all"])
def test_rounds_dealt_by_an_unreliable_shoe_end_right_void_or_ruled(site: Running, fault: str) -> None:
    name = f"T-{fault or 'sound'}"
    (shown,) = ready(site, name, f"shoe-{fault or 'sound'}")
    rates = Rates() if not fault else Rates(**dict.fromkeys(FAULTS, 0.04) if fault == "all" else {fault: 0.15})
    address = f"ws{site.address.removeprefix('http')}/api/tables/{name}/device"
    shoe = SimulatedShoe(address=address, credential=shown, seed=11, rates=rates)
    thread = threading.Thread(target=shoe.run, daemon=True)
    thread.start()
    try:
        site.until(name, lambda table: table.source is not None and table.source.connected)
        people = Dealer(site, name, shoe)
        for _ in range(40 if fault == "all" else 16):
            people.round()
    finally:
        shoe.stop()
        thread.join(20)
    told = events(site, name)
    settled = rounds_of(told)
    assert len(settled) == len(people.true)
    for number, (over, cards, sources) in settled.items():
        if over == "ended":  # paid by the cards that really lay there
            assert cards == people.true[number][: len(cards)], number
            assert len(cards) == 2
            assert not any(source in ("", "shuffle") for source in sources)
    heard = Counter(event.became for event in told if isinstance(event, SourceHeard))
    found = Counter(event.kind for event in told if isinstance(event, SourceFaultFound))
    if not fault:
        assert found == {}
        assert heard.keys() == {"dealt"}
        assert not any(isinstance(event, RoundVoided) for event in told)
    elif fault != "all":
        assert shoe.faults[fault] > 0
        on_record = {
            "drop": found["gap"],
            "repeat": heard["repeated"],
            "misread": heard["unread"],
            "swap": found["gap"] + found["contradiction"],
            "extra": found["not-due"] + heard["in-error"],
            "remove": found["removed"],
            "disconnect": sum(isinstance(event, SourceLost) for event in told),
        }
        assert on_record[fault] > 0, (shoe.faults, heard, found)
    assert not any(isinstance(event, CommandRefused) and event.by.startswith("device:") for event in told)


def test_the_command_line_has_a_shoe_that_connects_and_deals(site: Running) -> None:
    (shown,) = ready(site, "T-cli", SHOE + "-cli")
    words = [sys.executable, "-m", "longhu", "shoe", "simulate", site.address, "T-cli", "--speed", "0", "--json"]
    with subprocess.Popen([*words, "--cards", "2"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as shoe:
        assert shoe.stdin is not None
        assert shoe.stdout is not None
        shoe.stdin.write(f"{shown}\n")
        shoe.stdin.close()
        site.until("T-cli", lambda table: table.source is not None and table.source.connected)
        act(site, "T-cli", "dee", CallPlaceYourBets)
        act(site, "T-cli", "dee", CallNoMoreBets)
        dealt = site.until("T-cli", lambda table: table.round is not None and len(table.round.cards) == 2)
        assert dealt.round is not None
        told = [json.loads(line) for line in shoe.stdout]
        assert shoe.wait(30) == 0
    said = [each["card"] for each in told if each["what"] == "said" and each["type"] == "card"]
    assert said == [each.card for each in dealt.round.cards]
    refused = subprocess.run(words, input="shoe-3:guess\n", capture_output=True, text=True, timeout=30)
    assert refused.returncode == 2
    assert "does not take this credential" in refused.stderr
    assert shown.partition(":")[2] not in refused.stderr


def rounds_of(told: list[Event]) -> dict[int, tuple[str, list[str], list[str]]]:
    """How each round ended, with its cards and whose word they were."""
    from longhu.table.betting_phase import RoundStarted
    from longhu.table.dealing import CardDrawn

    found: dict[int, tuple[str, list[str], list[str]]] = {}
    number, cards, sources = 0, list[str](), list[str]()
    for event in told:
        match event:
            case RoundStarted():
                number, cards, sources = event.number, [], []
            case CardDrawn():
                cards.append(event.card.card)
                sources.append(event.card.source)
            case RoundEnded():
                found[number] = ("ended", cards, sources)
            case RoundVoided():
                found[number] = ("void", cards, sources)
    return found
