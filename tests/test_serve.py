"""`longhu serve` as whoever starts it meets it: a process, judged by what it prints, answers and leaves behind."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from queue import Queue
from typing import Any, NamedTuple

import apsw
import httpx
import pytest
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from longhu.cli.main import BadInput, main
from longhu.cli.options.house import demo_database
from longhu.money import parse, show
from longhu.server.demonstration.demo import ACCOUNTS, PASSWORD
from longhu.store.address import open_store
from tests.server.patching import patched
from tests.server.running import Client

QUICK = {
    "LONGHU_BETTING_SECONDS": "0.5",
    "LONGHU_PACE_SECONDS": "0.01",
    "LONGHU_CONTRIBUTION_SECONDS": "0.1",
    "LONGHU_STOP_SECONDS": "2",
}
DEMO = {"LONGHU_HASH_TIME": "1", "LONGHU_HASH_MEMORY_KIB": "64"}  # passwords that everybody knows need no protection
TABLE, MONEY = "dragon-tiger", 10_000_00  # what a guest starts with
LATE = ("came after the closing call", "betting is not open")
PATIENCE = 60.0  # seconds; a busy machine takes its time
DOCUMENT = Path(__file__).parent.parent / "docs" / "server.md"


def environment(folder: Path, **settings: str) -> dict[str, str]:
    """Without settings of whoever runs the tests, and with a data folder of its own."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("LONGHU_")}
    return {**own, "XDG_DATA_HOME": str(folder), **settings}


def longhu(folder: Path, *words: str, given: str = "", **settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "longhu", *words],
        input=given,
        capture_output=True,
        text=True,
        env=environment(folder, **settings),
        cwd=folder,
        timeout=60,
        check=False,
    )


class Process:
    """A server that somebody has started in a terminal."""

    def __init__(self, folder: Path, *words: str, **settings: str) -> None:
        self._errors = (folder / "errors").open("a+")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "longhu", "serve", *words],
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            env=environment(folder, **settings),
            cwd=folder,
        )
        self.printed: list[str] = []
        self._lines: Queue[str] = Queue()
        self._clients = ExitStack()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as output:
            for line in output:
                self._lines.put(line.rstrip("\n"))
        self._lines.put("")  # no more

    def started(self) -> str:
        """The address, once the last line of the greeting is printed."""
        while not any("Ctrl-C" in line for line in self.printed):
            line = self._lines.get(timeout=PATIENCE)
            assert line, f"the server did not start: {self.printed} {self.errors}"
            self.printed.append(line)
        return next(word for line in self.printed for word in line.split() if word.startswith("http://"))

    @property
    def errors(self) -> str:
        self._errors.seek(0)
        return self._errors.read()

    def client(self) -> Client:
        return self._clients.enter_context(Client(base_url=self.started(), timeout=PATIENCE))

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """The exit status."""
        self._clients.close()
        if self._process.poll() is None:
            self._process.send_signal(how)
            self._process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        return self._process.returncode

    def close(self) -> None:
        self.stop()
        self._errors.close()


@contextmanager
def serving(folder: Path, *words: str, **settings: str) -> Iterator[Process]:
    quick = QUICK | DEMO if "--demo" in words else QUICK
    process = Process(folder, *words, **{**quick, **settings})
    try:
        process.started()
        yield process
    finally:
        process.close()


# ------------------------------------------------ one clear line for what can be put right


def refused(folder: Path, *words: str) -> str:
    """Why the server does not start; `run` makes one line and exit status 2 of it."""
    with pytest.MonkeyPatch.context() as patch:
        for name in os.environ:
            if name.startswith("LONGHU_"):
                patch.delenv(name)
        patch.chdir(folder)
        with pytest.raises(BadInput) as refusal:
            main(["serve", *words])
    told = str(refusal.value)
    assert "\n" not in told
    return told


def test_help_tells_how_it_is_used(tmp_path: Path) -> None:
    done = longhu(tmp_path, "serve", "--help")
    assert done.returncode == 0
    assert "longhu serve --demo" in done.stdout.partition("examples:")[2]


def test_help_does_not_import_the_server() -> None:
    code = """
import sys
from longhu.cli.main import main
try:
    main(["serve", "--help"])
except SystemExit:
    print(*sys.modules, file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not set(done.stderr.split()) & {"litestar", "uvicorn", "msgspec", "longhu.server.api.app", "rich"}


def test_the_demonstration_keeps_its_data_with_the_user_s_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    usual = tmp_path / ".local" / "share" / "longhu" / "demo.db"
    assert demo_database({"XDG_DATA_HOME": "/data"}) == Path("/data/longhu/demo.db")
    assert (
        demo_database({}) == demo_database({"XDG_DATA_HOME": ""}) == demo_database({"XDG_DATA_HOME": "here"}) == usual
    )


def test_a_port_in_use_is_said_in_a_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = longhu(tmp_path, "serve", "--database", "h.db", "--port", port)
    assert done.returncode == 2
    assert not done.stdout
    assert done.stderr.startswith(f"longhu: port {port} of 127.0.0.1 is in use")
    assert done.stderr.count("\n") == 1


def test_a_database_of_a_newer_program_is_left_alone(tmp_path: Path) -> None:
    open_store(tmp_path / "h.db").close()
    connection = apsw.Connection(str(tmp_path / "h.db"))
    list(connection.execute("pragma user_version = 999"))
    connection.close()
    assert "999" in refused(tmp_path, "--database", "h.db", "--port", "0")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("prot = 8000", "prot"),
        ("port = 'many'", "port"),
        ("betting_seconds = 1.0", "PLY-3"),
        ("host = '0.0.0.0'", "origin"),
        ("[[tables]]\ntable = 'T1'\ngame = 'dragon-tigr'", "dragon-tigr"),
        ("port = [", "house.toml"),
    ],
)
def test_a_bad_setting_is_said_in_a_line(text: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text(text)
    assert says in refused(tmp_path, "--config", "house.toml")


def test_a_missing_file_and_a_bad_port_are_said_in_a_line(tmp_path: Path) -> None:
    assert "nowhere.toml" in refused(tmp_path, "--config", "nowhere.toml")
    assert "65535" in refused(tmp_path, "--port", "70000")
    assert "mysql" in refused(tmp_path, "--database", "mysql://x/y", "--port", "0")


@pytest.mark.parametrize("also", [[], ["--demo"]])
def test_a_database_that_was_left_empty_is_none(also: list[str], tmp_path: Path) -> None:
    """A variable that was not set, as in `--database "$HOUSE"`: no other house is opened in its place."""
    assert "database: found nothing" in refused(tmp_path, "--database", "", "--port", "0", *also)
    assert not [*tmp_path.rglob("*.db")]


# ------------------------------------------------ what the documents say


class Shown(NamedTuple):
    """A demonstration that has been shown and stopped: its folder, and what the examples of docs/server.md printed there."""

    folder: Path
    with_curl: list[str]
    with_python: list[str]


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    folder = tmp_path_factory.mktemp("shown")
    with serving(folder, "--demo", "--port", "0", "--database", "h.db") as server:
        here = server.started().removeprefix("http://")
        with_curl = _run(["bash", "-e", "-c", _example("bash", here)], folder) if shutil.which("curl") else []
        with_python = _run([sys.executable, "-c", _example("python", here)], folder)
    return Shown(folder, with_curl, with_python)


def _example(language: str, here: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)
    assert "127.0.0.1:8270" in found
    return str(found).replace("127.0.0.1:8270", here)


def _run(command: list[str], folder: Path) -> list[str]:
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def objects(text: str) -> Iterator[Any]:
    """JSON objects that stand one behind the other."""
    while text:
        found, end = json.JSONDecoder().raw_decode(text)
        yield found
        text = text[end:]


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_api_answers_as_the_document_shows(shown: Shown) -> None:
    sat, bet, me = objects("".join(shown.with_curl))
    assert sat["first"] < sat["last"] < bet["first"]
    assert (me["staked"], me["chips"], me["balance"]) in [
        ("10.00", "490.00", "9500.00"),
        ("0.00", me["chips"], "9500.00"),
    ]


def test_the_socket_tells_what_the_document_shows(shown: Shown) -> None:
    limits, result = shown.with_python
    assert limits == "{'min': '5.00', 'max': '500.00', 'increment': '0.01'}"
    assert re.fullmatch(r"\[\d+, \d+\] (dragon|tiger|tie)", result)


@pytest.mark.clause("MON-6")
def test_play_money_and_real_money_never_meet(shown: Shown, tmp_path: Path) -> None:
    """A demonstration's accounts have passwords that everybody knows: no real house starts on them, nor they in it."""
    assert "play money" in refused(shown.folder, "--database", "h.db", "--port", "0")
    with serving(tmp_path, "--port", "0", "--database", "real.db", LONGHU_BETTING_SECONDS="5") as real:
        assert not any("play money" in line for line in real.printed)
        assert real.client().post("/api/guests").status_code == 404
    assert "real money" in refused(tmp_path, "--demo", "--database", "real.db", "--port", "0")


# ------------------------------------------------ from nothing to a played round, and on after a restart


class AtTable:
    """A patron at the socket of a table, with the screen kept up to date as a page would."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self.view: dict[str, Any] = {}
        self.sequence = 0
        self._heard: list[dict[str, Any]] = []

    def next(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(self._socket.recv(PATIENCE))
        if told["type"] == "snapshot":
            self.view = told["view"]
        self.view = patched(self.view, told.get("patch", []))
        if "sequence" in told:
            assert told["sequence"] >= self.sequence
            self.sequence = told["sequence"]
        self._heard.append(told)
        return told

    def until(self, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first message of which that holds, be it here already or still to come."""
        deadline = time.monotonic() + PATIENCE
        found = next(filter(holds, self._heard), None)
        while found is None:
            assert time.monotonic() < deadline, [each.get("name", each["type"]) for each in self._heard]
            told = self.next()
            found = told if holds(told) else None
        return found

    def round_opens(self) -> None:
        """Wait for a round that was not open yet."""
        after = self.sequence
        self.until(
            lambda told: told["type"] == "event" and told["name"] == "round-started" and told["sequence"] > after
        )

    def command(self, id: str, **command: object) -> dict[str, Any]:
        self._socket.send(json.dumps({"type": "command", "id": id, "command": command}))
        return self.until(lambda told: told.get("id") == id)


@contextmanager
def at_table(client: Client, table: str) -> Iterator[AtTable]:
    origin = str(client.base_url).rstrip("/")
    address = f"ws{origin.removeprefix('http')}/api/tables/{table}/socket"
    headers: Mapping[str, str] = {"Cookie": client.cookie}
    with connect(address, origin=Origin(origin), additional_headers=headers, proxy=None) as socket:
        yield AtTable(socket)


def sit(client: Client, table: str) -> None:
    """At the first seat that is free, with chips."""
    for attempt in range(20):  # a robot may be quicker
        told = client.get_json(f"/api/tables/{table}")["view"]
        seat = min({1, 2, 3, 4, 5, 6, 7} - {each["seat"] for each in told["seats"].values()})
        sat = client.post(f"/api/tables/{table}/seat", json={"id": f"sit-{attempt}", "seat": seat, "buy_in": "500.00"})
        if sat.status_code == 200 or "is taken" not in sat.text:
            break
    assert sat.status_code == 200, sat.text


def play(client: Client, id: str) -> int:
    """Bet on the next round that opens; what it came to, in minor units."""
    with at_table(client, TABLE) as screen:
        id, wager, done = bet(screen, id)
        settled = screen.until(
            lambda told: (
                told.get("name") == "wager-settled" and told["told"]["stake"]["patron"] == screen.view["viewer"]
            )
        )
        again = client.command(TABLE, "place-wager", id, **wager)
        assert (again.status_code, again.json()["first"]) == (200, done["first"]), "sent twice, done once"
        return signed(settled["told"]["net"])


def bet(screen: AtTable, id: str) -> tuple[str, dict[str, object], dict[str, Any]]:
    """A wager with its id, and what was said of it. Whoever comes too late, and half a second is short, tries the next round."""
    for attempt in range(20):
        screen.round_opens()
        wager: dict[str, object] = {"place": seat_of(screen), "wager": "tiger", "amount": "50.00"}
        done = screen.command(f"{id}-{attempt}", command="place-wager", **wager)
        if done["type"] == "done" or not any(late in done.get("reason", "") for late in LATE):
            break
    assert done["type"] == "done", done
    return f"{id}-{attempt}", wager, done


def seat_of(screen: AtTable) -> int:
    seat: int = screen.view["seats"][screen.view["viewer"]]["seat"]
    return seat


def signed(amount: str) -> int:
    return -parse(amount[1:]) if amount.startswith("-") else parse(amount)


def worth(client: Client) -> int:
    """Everything that somebody has: wallet, chips, and what lies on layouts."""
    told = client.get_json("/api/me")
    return sum(parse(told[name]) for name in ("balance", "chips", "staked"))


@pytest.mark.clause("REC-1", "REC-3", "REC-4", "MON-1")
def test_a_guest_plays_the_server_is_stopped_and_everything_goes_on(tmp_path: Path) -> None:
    with serving(tmp_path, "--demo", "--port", "0") as server:
        database = tmp_path / "longhu" / "demo.db"
        assert any(str(database) in line for line in server.printed)
        for account in ACCOUNTS:
            assert any(account.person in line and account.position.word in line for line in server.printed)
        assert any("play money" in line for line in server.printed)
        assert any(PASSWORD in line for line in server.printed)
        client = server.client()
        client.enter()
        assert worth(client) == MONEY
        sit(client, TABLE)
        net = play(client, "first")
        assert worth(client) == MONEY + net
        cookies, csrf = client.cookies, client.headers["X-Longhu-CSRF"]
        assert server.stop() == 0
        assert "Stopped" in server.errors
        assert "Traceback" not in server.errors
    with serving(tmp_path, "--demo", "--port", "0") as server:
        client = server.client()
        client.cookies, client.headers["X-Longhu-CSRF"] = cookies, csrf
        assert worth(client) == MONEY + net, "what was settled is settled"
        net += play(client, "second")
        left = client.delete(f"/api/tables/{TABLE}/seat", params={"id": "go"})
        assert left.status_code == 200, left.text
        told = client.get_json("/api/me")
        assert (told["balance"], told["chips"]) == (show(MONEY + net), "0.00")
        checked = longhu(tmp_path, "admin", "check", "--demo")
        assert checked.returncode == 0, checked.stderr
        assert "everything holds" in checked.stdout
        assert server.stop(signal.SIGINT) == 0
    exported = longhu(tmp_path, "admin", "export", TABLE, "-o", "proof.jsonl", "--demo")
    assert exported.returncode == 0, exported.stderr
    verified = longhu(tmp_path, "verify", "proof.jsonl", "--json")
    assert verified.returncode == 0, verified.stderr
    found = json.loads(verified.stdout)
    assert found["verified"]
    assert found["rounds"] >= 2


@pytest.mark.clause("RUL-4")
def test_a_table_that_cannot_be_opened_is_told_with_what_to_type(tmp_path: Path) -> None:
    (tmp_path / "our house.toml").write_text(
        'database = "house.db"\nport = 0\n\n[[tables]]\ntable = "T1"\ngame = "dragon-21"\nreadings = { over_21_pays = "1-to-2" }\n'
    )
    with serving(tmp_path, "--config", "our house.toml", LONGHU_BETTING_SECONDS="5") as server:
        (told,) = [line for line in server.printed if line.startswith("Table")]
        assert told.startswith("Table T1 is not open. These rules are not approved for this house. Approve them with `")
        assert told.endswith("`, and start again.")
        assert server.client().get_json("/api/tables") == []
    typed = shlex.split(told.split("`")[1])
    assert typed[0] == "longhu"
    done = longhu(tmp_path, *typed[1:])
    assert done.returncode == 0, done.stderr
    with serving(tmp_path, "--config", "our house.toml", LONGHU_BETTING_SECONDS="5") as server:
        assert [each["table"] for each in server.client().get_json("/api/tables")] == ["T1"]
        assert not [line for line in server.printed if line.startswith("Table")]


def test_a_house_of_its_own_opens_the_tables_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text(
        'database = "house.db"\nport = 0\n\n[[tables]]\ntable = "T1"\ngame = "dragon-tiger"\nmaximum = "200.00"\n'
    )
    assert main(["admin", "games", "approve", TABLE, "--database", str(tmp_path / "house.db")]) == 0
    with serving(tmp_path, "--config", "house.toml", LONGHU_BETTING_SECONDS="5") as server:
        (told,) = server.client().get_json("/api/tables")
        assert (told["table"], told["maximum"]) == ("T1", "200.00")
        answer = httpx.get(f"{server.started()}/readyz")
        assert answer.json()["drivers"] == {"T1": True}
