"""The WebSocket of a table, over the network: playing at it, and everything that somebody may do wrong there."""

from __future__ import annotations

import json
import re
import socket as network
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from longhu.money import parse
from longhu.positions import Position
from longhu.protocol import IN_FLIGHT_MAX, UNREADABLE_MAX, CloseCode
from longhu.server.accounts.sign_in import WRONG
from longhu.server.realtime import connection as sockets
from longhu.server.realtime import subscriptions
from longhu.server.streams.commands import SYSTEM
from longhu.table.state import Phase
from tests.server.houses import a_table, cheap
from tests.server.running import Client, Running, quick, running
from tests.server.sockets import at

PASSWORD = "a long enough password"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A house with one table of Dragon Tiger that is dealt by hand, so that nothing happens by itself."""
    database = tmp_path_factory.mktemp("socket") / "house.db"
    with running(cheap(quick(database, demo=True, requests_per_second=200))) as server:
        server.do(lambda house: a_table(house, table="T1", dealer="human"))
        server.do(lambda house: house.people.create(SYSTEM, "dee", "Dee", PASSWORD, Position.DEALER))
        server.do(lambda house: house.people.create(SYSTEM, "sue", "Sue", PASSWORD, Position.PIT_SUPERVISOR))
        server.do(lambda house: house.people.create(SYSTEM, "otto", "Otto", PASSWORD, Position.AUDITOR))
        yield server


@pytest.fixture
def guest(server: Running) -> Client:
    """A patron with play money."""
    client = server.client()
    client.enter()
    return client


@pytest.fixture
def seated(guest: Client) -> Iterator[Client]:
    """The same, standing at the table with chips."""
    answer = guest.post("/api/tables/T1/seat", json={"id": "sit", "seat": None, "buy_in": "100.00"})
    assert answer.status_code == 200, answer.text
    yield guest
    guest.delete("/api/tables/T1/seat", params={"id": "go"})


@pytest.mark.clause("PLY-1")
def test_a_patron_is_shown_the_table_and_answered(
    server: Running, seated: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "ACCOUNT_EVERY", 0.01)
    with at(server, "T1", seated) as socket:
        snapshot = socket.next()
        assert snapshot["type"] == "snapshot"
        assert (socket.view["role"], socket.view["balance"]) == ("patron", "100.00")
        account = socket.until("account")
        before = account["balance"]
        assert account["session_net"] == "0.00"
        done = socket.ask("cash-out", amount="40.00")
        assert (done["type"], done["first"]) == ("done", done["last"])
        while socket.view["balance"] == "100.00":
            socket.next()
        assert socket.view["balance"] == "60.00"
        while account["balance"] == before:
            account = socket.until("account")
        assert parse(account["balance"]) == parse(before) + parse("40.00")


@pytest.mark.clause("PLY-1")
def test_a_patron_is_told_the_result_of_a_round_though_no_chips_have_moved(
    server: Running, guest: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wager that loses leaves the chips as they were, and the session's result is another all the same."""
    monkeypatch.setattr(sockets, "ACCOUNT_EVERY", 0.01)
    server.do(lambda house: a_table(house, table="A1"))
    answer = guest.post("/api/tables/A1/seat", json={"id": "sit", "buy_in": "100.00"})
    assert answer.status_code == 200, answer.text
    with at(server, "A1", guest) as socket:
        server.until("A1", lambda state: state.round is not None and state.round.phase is Phase.BETTING)
        assert socket.ask("place-wager", place=1, wager="tie", amount="5.00")["type"] == "done"
        while (account := socket.until("account"))["session_net"] == "0.00":
            pass
        assert account["session_net"] == "-5.00" or parse(account["session_net"]) > 0
        assert "round-ended" in [each.get("name") for each in socket.got]
    guest.delete("/api/tables/A1/seat", params={"id": "go"})


def test_commands_are_counted_over_both_ways_however_often_somebody_looks(server: Running, seated: Client) -> None:
    def counted() -> dict[str, float]:
        told = server.client().get("/metrics").text
        found = re.findall(r'^longhu_commands_total\{result="([a-z-]+)"\} (\S+)$', told, re.MULTILINE)
        return {result: float(times) for result, times in found}

    before = counted()
    with at(server, "T1", seated) as socket:
        for _ in range(3):
            assert socket.ask("cash-out", amount="1.00")["type"] == "done"
        assert counted()["done"] == before.get("done", 0) + 3
        assert socket.ask("cash-out", amount="999999.00")["type"] == "refused"
    assert seated.command("T1", "cash-out", amount="1.00").status_code == 200
    assert counted() == counted()
    assert counted()["done"] == before.get("done", 0) + 4
    assert counted()["refused"] == before.get("refused", 0) + 1


@pytest.mark.clause("REC-3")
def test_a_command_that_is_sent_twice_is_done_once(server: Running, seated: Client) -> None:
    with at(server, "T1", seated) as socket:
        first = socket.ask("cash-out", id="once", amount="1.00")
        again = socket.ask("cash-out", id="once", amount="1.00")
        assert (again["first"], again["last"], again["duplicate"]) == (first["first"], first["last"], True)
        other = socket.ask("cash-out", id="once", amount="2.00")
        assert (other["type"], other["about"]) == ("problem", "/api/problems#id-reused")
    with at(server, "T1", seated) as socket:
        socket.next()
        assert socket.view["balance"] == "99.00"


def test_what_the_rules_do_not_allow_is_refused_with_its_clause(server: Running, seated: Client) -> None:
    with at(server, "T1", seated) as socket:
        told = socket.ask("place-wager", place=1, wager="dragon", amount="5.00")
        assert told["type"] == "refused"
        assert (told["reason"]["code"], told["remedy"]["code"]) == ("betting-not-open", "wait-for-opening-call")
        assert told["clause"].startswith("DT-")


@pytest.mark.clause("REC-4")
@pytest.mark.parametrize("query", ["aftr=3", "after=3&after=4", "after=5&x=1", "x="])
def test_a_mistyped_resumption_does_not_go_unnoticed(server: Running, query: str) -> None:
    with at(server, "T1", after=query) as socket:
        assert socket.closed() == (1008, "the query may say `after`, once, and nothing else")


@pytest.mark.clause("MON-2")
@pytest.mark.parametrize("amount", ["5.5", "true", "[]"])
def test_what_cannot_be_read_is_answered_with_its_id(server: Running, seated: Client, amount: str) -> None:
    """Whoever has several on their way knows which one it was."""
    with at(server, "T1", seated) as socket:
        socket.send(f'{{"type":"command","id":"w3","command":{{"command":"cash-out","amount":{amount}}}}}')
        told = socket.until("problem")
        assert (told["id"], told["status"]) == ("w3", 400)
        socket.send('{"type":"command","id":7}')
        assert "id" not in socket.until("problem")
        socket.send('{"type":"comm')
        assert socket.until("problem")["message"]["args"]["problem"]["code"] == "ends-too-early"


def test_play_money_is_marked_wherever_a_table_or_money_is_shown(server: Running, guest: Client) -> None:
    with at(server, "T1") as socket:
        socket.next()
        assert socket.got[0]["play_money"] is True
    assert {each["play_money"] for each in guest.get_json("/api/tables")} == {True}
    for path in ("/api/house", "/api/tables/T1", "/api/me", "/api/me/statement"):
        assert guest.get_json(path)["play_money"] is True
    assert "play money" in guest.get("/api/me/statement", params={"form": "csv"}).text


@pytest.mark.clause("MON-3")
def test_nobody_cashes_out_what_they_do_not_have(server: Running, seated: Client) -> None:
    with at(server, "T1", seated) as socket:
        told = socket.ask("cash-out", amount="9999999.00")
        assert (told["type"], told["clause"]) == ("refused", "OPS-2")


def test_many_commands_may_be_on_their_way_at_once(server: Running, seated: Client) -> None:
    with at(server, "T1", seated) as socket:
        for number in range(60):
            asked = {"command": "cash-out", "amount": "1.00"}
            socket.send({"type": "command", "id": f"many-{number}", "command": asked})
        answers = {socket.until("done")["id"] for _ in range(60)}
        assert answers == {f"many-{number}" for number in range(60)}


@pytest.mark.clause("PLY-4")
def test_a_ping_is_answered_with_the_time(server: Running) -> None:
    with at(server, "T1") as socket:
        socket.send({"type": "ping", "id": "1"})
        pong = socket.until("pong")
        assert pong["id"] == "1"
        assert abs(pong["at"] - socket.got[0]["at"]) < 60_000


# ------------------------------------------------ who may come in


def test_a_passer_by_may_watch_and_do_nothing(server: Running) -> None:
    with at(server, "T1") as socket:
        socket.next()
        assert (socket.view["role"], socket.view.get("balance")) == ("spectator", None)
        told = socket.ask("join-table", seat=1)
        assert (told["type"], told["about"], told["status"]) == ("problem", "/api/problems#not-signed-in", 401)


@pytest.mark.clause("SEC-1")
def test_an_auditor_sees_every_account_and_changes_nothing(server: Running) -> None:
    otto = server.client()
    otto.sign_in("otto", PASSWORD)
    with at(server, "T1", otto) as socket:
        socket.next()
        assert socket.view["role"] == "auditor"
        assert "float:T1" in socket.view["balances"]
        assert socket.ask("suspend-table", reason="to see")["type"] == "refused"


def test_a_house_may_keep_passers_by_out(tmp_path: Path) -> None:
    with running(cheap(quick(tmp_path / "house.db", demo=True, spectators=False))) as server:
        server.do(lambda house: a_table(house, table="T1", dealer="human"))
        with at(server, "T1") as socket:
            assert socket.closed()[0] == CloseCode.SESSION_OVER


def test_a_session_that_is_none_is_told_so(server: Running) -> None:
    with at(server, "T1", cookie="longhu=" + "x" * 43) as socket:
        assert socket.closed() == (CloseCode.SESSION_OVER, "nobody is signed in, or the session has ended")


def test_there_is_no_socket_of_a_table_that_is_not_there(server: Running) -> None:
    with at(server, "nowhere") as socket:
        assert socket.closed() == (4404, "there is no such table")


@pytest.mark.clause("SEC-2")
@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null", "http://localhost.elsewhere.example"])
def test_a_page_of_somebody_else_gets_no_socket(server: Running, guest: Client, origin: str) -> None:
    with pytest.raises(InvalidStatus) as refused, at(server, "T1", guest, origin=origin):
        pass
    assert refused.value.response.status_code == 403


@pytest.mark.clause("SEC-2")
def test_signing_out_closes_the_socket(server: Running, guest: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subscriptions, "LOOKS_EVERY", 0.05)
    with at(server, "T1", guest) as socket, at(server, "T1") as other:
        socket.next()
        assert guest.delete("/api/session").status_code in (200, 204)
        assert socket.closed() == (CloseCode.SESSION_OVER, "the session has ended")
        other.next()
        other.send({"type": "ping"})
        other.until("pong")


@pytest.mark.clause("LIM-3")
def test_exclusion_closes_the_socket(server: Running, guest: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subscriptions, "LOOKS_EVERY", 0.05)
    with at(server, "T1", guest) as socket:
        socket.next()
        answer = guest.post("/api/me/exclusion", json={"id": "enough", "days": 183})
        assert answer.status_code == 200, answer.text
        assert socket.closed()[0] == CloseCode.SESSION_OVER


@pytest.mark.clause("SEC-1", "OPS-1")
def test_an_act_of_two_people_is_signed_by_both(server: Running) -> None:
    dee = server.client()
    dee.sign_in("dee", PASSWORD)
    counted = {"command": "close-table", "float_counted": "1.00", "counted_by": ["dee", "sue"]}
    signatures = [[], [{"person": "sue", "password": "not the one"}], [{"person": "sue", "password": PASSWORD}]]
    reasons = []
    with at(server, "T1", dee) as socket:
        for number, each in enumerate(signatures):
            socket.send({"type": "command", "id": f"close-{number}", "command": counted, "signatures": each})
            reasons.append(socket.until("refused")["reason"])
    assert [each["code"] for each in reasons] == ["person-not-signed", WRONG.reason.code, "position-too-low"]


def test_whoever_breaks_off_leaves_nothing_behind(server: Running, caplog: pytest.LogCaptureFixture) -> None:
    for number in range(30):
        with by_hand(server) as connection:
            if number % 3:
                connection.sendall(masked(b'{"type":"ping"}') * number)
            connection.setsockopt(network.SOL_SOCKET, network.SO_LINGER, b"\x01\0\0\0\0\0\0\0")  # cut, not closed
    with at(server, "T1") as socket:
        socket.send({"type": "ping"})
        socket.until("pong")
    assert not [each for each in caplog.records if each.levelname in ("ERROR", "CRITICAL")]


# ------------------------------------------------ coming back


@pytest.mark.clause("REC-4")
def test_whoever_comes_back_is_told_what_happened_meanwhile(server: Running, seated: Client) -> None:
    with at(server, "T1", seated) as socket:
        last = socket.next()["sequence"]
    for number in range(3):
        assert seated.command("T1", "cash-out", id=f"away-{number}", amount="1.00").status_code == 200
    with at(server, "T1", seated, after=last) as socket:
        told = [socket.next() for _ in range(4)]
        assert [each["type"] for each in told] == ["event", "event", "event", "snapshot"]
        assert [each["sequence"] for each in told] == [last + 1, last + 2, last + 3, last + 3]
        assert socket.view["balance"] == "97.00"


@pytest.mark.parametrize("after", ["-1", "x", "1.5", "9" * 16, "１"])
def test_a_number_to_start_from_is_a_number(server: Running, after: str) -> None:
    with at(server, "T1", after=after) as socket:
        assert socket.closed()[0] == CloseCode.POLICY


# ------------------------------------------------ nonsense


NONSENSE = [
    "",
    "x",
    "{",
    "[]",
    "null",
    "5",
    '"text"',
    "[" * 5000,
    '{"type":"command"}',
    '{"type":"nothing"}',
    '{"type":"command","id":"1","command":{}}',
    '{"type":"command","id":"","command":{"command":"leave-table"}}',
    '{"type":"command","id":"1","command":{"command":"leave-table","by":"bob"}}',
    '{"type":"command","id":"1","command":{"command":"commit-shuffle","commitment":"00"}}',
    '{"type":"command","id":1,"command":{"command":"leave-table"}}',
    '{"type":"ping","more":1}',
    b"\x00\x01",
    '{"type":"ping","id":"\\ud800"}',
]


def test_nonsense_is_answered_with_what_is_wrong_and_then_shown_the_door(server: Running) -> None:
    with at(server, "T1") as socket:
        socket.next()
        for each in NONSENSE:
            socket.send(each)
            told = socket.next()
            assert (told["type"], told["about"], told["status"]) == ("problem", "/api/problems#malformed", 400), each
            assert "Traceback" not in told["detail"]
        with suppress(ConnectionClosed):  # the door may shut before the last of it
            for _ in range(UNREADABLE_MAX):
                socket.send("x")
        assert socket.closed() == (CloseCode.POLICY, "nothing of this can be read")


def test_an_amount_that_is_none_is_named(server: Running, seated: Client) -> None:
    with at(server, "T1", seated) as socket:
        told = socket.ask("cash-out", amount="1.005")
        assert (told["type"], told["clause"]) == ("problem", "MON-2")
        assert wrong_field(told) == ("amount", "file-amount-wrong")
        socket.send('{"type":"command","id":"z","command":{"command":"cash-out","amount":5}}')
        assert wrong_field(socket.until("problem")) == ("command.amount", "field-of-other-kind")


def wrong_field(problem: dict[str, Any]) -> tuple[str, str]:
    """Which field could not be read, and the code of why."""
    found = problem["message"]["args"]["problem"]["args"]
    return found["field"], found["problem"]["code"]


def test_a_message_that_is_too_large_closes_the_socket(server: Running) -> None:
    with at(server, "T1") as socket:
        socket.next()
        socket.send(json.dumps({"type": "ping", "id": "x" * 200_000}))
        assert socket.closed()[0] == CloseCode.TOO_BIG


def by_hand(server: Running, buffer: int = 0) -> network.socket:
    """A socket opened without a library, which would not send nonsense nor stop reading."""
    where = urlsplit(server.socket_address("T1"))
    connection = network.socket()
    connection.settimeout(20)
    if buffer:
        connection.setsockopt(network.SOL_SOCKET, network.SO_RCVBUF, buffer)
    connection.connect((where.hostname, where.port))
    connection.sendall(
        f"GET {where.path} HTTP/1.1\r\nHost: {where.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    found = b""
    while not found.endswith(b"\r\n\r\n"):
        found += connection.recv(1)
    assert b" 101 " in found
    return connection


def messages(connection: network.socket) -> Iterator[dict[str, Any]]:
    """What comes over it, message by message."""
    with connection.makefile("rb") as stream:
        while True:
            _, size = stream.read(2)
            if size >= 126:
                size = int.from_bytes(stream.read(2 if size == 126 else 8))
            yield json.loads(stream.read(size))


def masked(text: bytes) -> bytes:
    """A frame as a client sends it, under a mask that changes nothing."""
    assert len(text) < 126
    return bytes((0x81, 0x80 | len(text))) + bytes(4) + text


def raw(server: Running, frames: bytes) -> bytes:
    """Send bytes that no library would, and read until the end."""
    with by_hand(server) as connection:
        connection.sendall(frames)
        found = b""
        while more := connection.recv(65_536):
            found += more
        return found


def test_a_screen_that_does_not_read_costs_little_and_gets_a_snapshot_when_it_does(
    server: Running, seated: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "BUFFER_BYTES", 4096)
    with by_hand(server, buffer=4096) as slow, at(server, "T1", seated) as quick:
        first = quick.next()["sequence"]
        for number in range(500):
            asked = {"command": "cash-out", "amount": "0.10"}
            quick.send({"type": "command", "id": f"slow-{number}", "command": asked})
        last = max(quick.until("done")["last"] for _ in range(500))
        told = messages(slow)
        got = [next(told)]
        while got[-1].get("sequence", 0) < last:
            got.append(next(told))
    numbers = [each["sequence"] for each in got]
    assert numbers == sorted(numbers)
    assert got[0]["type"] == "snapshot"
    assert [each for each in got[1:] if each["type"] == "snapshot"], "it was sent everything"
    assert len(got) < last - first
    for before, after in pairwise(got):
        assert after["type"] == "snapshot" or after["sequence"] == before["sequence"] + 1, "something is missing"


@pytest.mark.parametrize(
    ("frames", "code"),
    [
        (b"\x81\x82\x00\x00\x00\x00\xff\xff", 1007),  # a text that is no UTF-8
        (b"\x81\x02hi", 1002),  # not masked
        (b"\xf1\x82\x00\x00\x00\x00hi", 1002),  # reserved bits
        (b"\x83\x82\x00\x00\x00\x00hi", 1002),  # no such frame
        (b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00", 1009),  # nine quintillion bytes are announced
        (b"\x80\x82\x00\x00\x00\x00hi", 1002),  # goes on with nothing
    ],
)
def test_frames_that_are_none_close_the_socket_without_a_traceback(
    server: Running, frames: bytes, code: int, caplog: pytest.LogCaptureFixture
) -> None:
    found = raw(server, frames)
    assert code.to_bytes(2) in found[found.rindex(b"\x88") :]
    assert "Traceback" not in caplog.text


PING = b'{"type":"ping","id":"p%d"}'
UMLAUT = '{"type":"ping","id":"\\u00fc","ü":1}'.encode()


def answers(connection: network.socket, last: str) -> list[str]:
    """The ids of what was answered, until that one."""
    ids: list[str] = []
    for told in messages(connection):
        if told["type"] in ("pong", "problem"):
            ids.append(told.get("id", "?"))
            if ids[-1] == last:
                break
    return ids


@pytest.mark.parametrize("piece", [1, 2, 3, 5, 7, 11, 40, 1000])
def test_messages_are_read_wherever_the_network_cuts_them(server: Running, piece: int) -> None:
    """Texts in one frame, in several, with a ping of the protocol between, longer ones, and one that is not plain ASCII."""
    longer = PING % 4 + b" " * 200
    text = PING % 2
    frames = [
        masked(PING % 1),
        bytes((0x01, 0x80 | 4)) + bytes(4) + text[:4],  # the beginning of a text,
        bytes((0x89, 0x82)) + bytes(4) + b"hi",  # a ping, which may come between,
        bytes((0x80, 0x80 | len(text) - 4)) + bytes(4) + text[4:],  # and its end
        masked(UMLAUT),
        bytes((0x82, 0x80 | len(PING % 3))) + bytes(4) + PING % 3,  # in binary
        bytes((0x81, 0xFE)) + len(longer).to_bytes(2) + bytes(4) + longer,
        bytes((0x81, 0x80 | len(PING % 5), 1, 2, 3, 4)) + bytes(c ^ (n % 4 + 1) for n, c in enumerate(PING % 5)),
    ]
    sent = b"".join(frames)
    with by_hand(server) as connection:
        connection.setsockopt(network.IPPROTO_TCP, network.TCP_NODELAY, 1)
        for start in range(0, len(sent), piece):
            connection.sendall(sent[start : start + piece])
        with connection.makefile("rb") as stream:
            found, pongs = [], 0
            while "p5" not in found:
                first, size = stream.read(2)
                if size >= 126:
                    size = int.from_bytes(stream.read(2 if size == 126 else 8))
                body = stream.read(size)
                pongs += first == 0x8A
                told = json.loads(body) if first == 0x81 else {}
                found += [told.get("id", "?")] if told.get("type") in ("pong", "problem") else []
    assert found == ["p1", "p2", "?", "p3", "p4", "p5"]
    assert pongs == 1


@pytest.mark.parametrize("count", [1, 33, 500])
def test_many_messages_in_one_piece_are_all_answered_in_order(server: Running, count: int) -> None:
    """More than may be on their way at once: the rest waits, and nothing of it is lost."""
    with by_hand(server) as connection:
        connection.sendall(b"".join(masked(PING % number) for number in range(count)))
        assert answers(connection, f"p{count - 1}") == [f"p{number}" for number in range(count)]


def test_more_wagers_in_one_piece_than_may_be_on_their_way_are_all_done(server: Running, seated: Client) -> None:
    with at(server, "T1", seated) as socket:
        asked = {"command": "cash-out", "amount": "0.10"}
        for number in range(3 * IN_FLIGHT_MAX):
            socket.send({"type": "command", "id": f"many-{number}", "command": asked})
        done = [socket.until("done") for _ in range(3 * IN_FLIGHT_MAX)]
    assert [each["id"] for each in done] == [f"many-{number}" for number in range(3 * IN_FLIGHT_MAX)]
    assert [each["first"] for each in done] == sorted(each["first"] for each in done)


@pytest.mark.clause("LIM-3")
def test_a_break_that_begins_while_the_socket_is_open_holds_for_the_next_act(server: Running, seated: Client) -> None:
    """What was looked up for the one before is not believed any more."""
    with at(server, "T1", seated) as socket:
        assert socket.ask("take-seat", seat=7)["type"] == "done"
        assert socket.ask("take-seat", seat=None)["type"] == "done"
        assert seated.post("/api/me/cool-off", json={"id": "break", "hours": 24}).status_code == 200
        refused = socket.ask("take-seat", seat=7)
        assert (refused["type"], refused["clause"]) == ("refused", "LIM-3")


def test_a_socket_that_asks_too_quickly_is_read_more_slowly(server: Running) -> None:
    with at(server, "T1") as socket:
        socket.next()
        for number in range(450):
            socket.send({"type": "ping", "id": f"{number}"})
        times = [socket.until("pong")["at"] for _ in range(450)]
    assert times[-1] - times[0] >= 200, "50 more than twice two hundred take a quarter of a second"


def test_a_defect_is_told_without_its_cause(server: Running, seated: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise KeyError("the inside of the server")

    monkeypatch.setattr(sockets, "submit", fails)
    with at(server, "T1", seated) as socket:
        told = socket.ask("leave-table")
        assert (told["type"], told["status"]) == ("problem", 500)
        assert "inside" not in json.dumps(told)
    monkeypatch.undo()
