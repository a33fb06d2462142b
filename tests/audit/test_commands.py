"""`longhu verify`, `longhu export` and `longhu anchor` as a user meets them: what they print, write and answer."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import cache
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import NamedTuple

import pytest

from longhu.audit import signed_heads
from longhu.audit.signed_heads import read_heads
from longhu.cli.main import run
from tests.audit.evening import DAY, PRIVATE, PUBLIC, START, Told, ordinary
from tests.audit.forging import Lines, kind_of, mended, parsed, written

OK, BAD_INPUT, WRONG = 0, 2, 4


class Done(NamedTuple):
    status: int
    out: str
    err: str


class Shell:
    """Types a command, in a directory with the files of an evening."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
        self._monkeypatch, self._capture = monkeypatch, capfdbinary

    def __call__(self, *words: str) -> Done:
        self._monkeypatch.setattr(sys, "argv", ["longhu", *words])
        with pytest.raises(SystemExit) as ended:
            run()
        out, err = self._capture.readouterr()
        assert b"Traceback" not in err
        return Done(int(ended.value.code or 0), out.decode(), err.decode())


@cache
def evening() -> tuple[bytes, ...]:
    """Two days, two shoes, heads signed on the way."""
    told = Told("dragon-tiger", signs=True)
    told.round(ann={"dragon": "50.00"}, bob={"tie": "5.00"})
    told.record_state()
    told.trail.sign()
    told.now = START // DAY * DAY + DAY
    told.record_state()
    told.another_shoe(ann="八")
    told.round(ann={"tiger": "20.00"})
    told.reveal()
    told.trail.sign()
    return tuple(told.trail.proof())


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path) -> Shell:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    keep("evening.jsonl", list(evening()))
    Path("house.key").write_text(PRIVATE.hex() + "\n")
    return Shell(monkeypatch, capfdbinary)


def keep(name: str, lines: Lines) -> str:
    Path(name).write_bytes(b"".join(lines))
    return name


def tampered() -> Lines:
    lines = list(evening())
    place = next(at for at, line in enumerate(lines) if kind_of(line) == "wager-settled/1")
    record = parsed(lines[place])
    record["event"]["net"] += 100
    return [*lines[:place], written(record), *lines[place + 1 :]]


# ------------------------------------------------ verify


@pytest.mark.clause("LOG-2")
def test_a_sound_file_is_told_with_everything_that_was_checked(shell: Shell) -> None:
    done = shell("verify", "evening.jsonl")
    assert (done.status, done.err) == (OK, "")
    assert "Table T1, the whole table: dragon-tiger" in done.out
    assert "2026-11-16 20:00:01.000 UTC to 2026-11-17" in done.out
    assert "Everything that was checked holds." in done.out
    for what in (
        "records",
        "refusals",
        "second persons",
        "table of authority, version 1",
        "rounds",
        "wagers settled",
        "postings",
        "shuffles",
        "signed heads",
    ):
        assert what in done.out
    assert parsed(evening()[-1])["head"] in done.out
    assert "Note" not in done.out
    assert [line for line in done.out.splitlines() if line.startswith("Not checked: ")] == [
        "Not checked: whose key signed the heads: it is the one that the file names (--key names the house's)."
    ]
    assert "Not checked" not in shell("verify", "evening.jsonl", "--key", PUBLIC).out


def test_for_programs_there_is_json(shell: Shell) -> None:
    told = json.loads(shell("verify", "evening.jsonl", "--json").out)
    assert (told["verified"], told["rounds"], told["shuffles"], told["heads"]) == (True, 2, 2, 2)
    keep("bad.jsonl", tampered())
    done = shell("verify", "bad.jsonl", "--json")
    assert done.status == WRONG
    told = json.loads(done.out)
    assert told["verified"] is False
    assert told["line"] == told["record"] + 1
    assert "one of the two was altered" in told["wrong"] or "the rules make it" in told["wrong"]


@pytest.mark.clause("LOG-2")
def test_the_first_wrong_thing_is_told_with_its_place(shell: Shell) -> None:
    keep("bad.jsonl", mended(tampered()))
    done = shell("verify", "bad.jsonl")
    assert (done.status, done.out) == (WRONG, "")
    assert done.err.startswith("WRONG: bad.jsonl, line ")
    assert "wager-settled, 2026-11-16 20:00:" in done.err
    assert "and the rules make it" in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    ("made", "status", "says"),
    [
        (lambda _: b"", BAD_INPUT, "the file is empty"),
        (lambda _: b"hello\n", WRONG, "this is no proof"),
        (lambda _: bytes(range(256)) * 40, WRONG, "this is no proof"),
        (lambda _: b'{"sequence":1}\n', WRONG, "this is no proof"),
        (lambda whole: whole[:-40], WRONG, "this is no end of a proof"),
        (lambda whole: whole[: len(whole) * 3 // 4], WRONG, "this is no JSON"),
        (lambda whole: whole.replace(b"\n", b"\r\n"), WRONG, "line 2"),
        (lambda whole: whole + b"\n", WRONG, "data after the end of the proof"),
        (lambda whole: whole.replace(b"\n", b"\n\n"), WRONG, "line 2: this is neither a record nor another line"),
        (lambda whole: b"\xef\xbb\xbf" + whole, WRONG, "this is no proof"),
    ],
    ids=["empty", "text", "binary", "no opening", "no end", "cut", "CRLF", "a line too many", "empty lines", "BOM"],
)
def test_a_file_that_is_no_proof_or_was_damaged(shell: Shell, made: object, status: int, says: str) -> None:
    assert callable(made)
    Path("file.jsonl").write_bytes(made(b"".join(evening())))
    done = shell("verify", "file.jsonl")
    assert done.status == status
    assert says in done.err
    assert not done.out


DIGEST = "5" * 64
OF_ANN = {
    "sequence": 1,
    "previous": DIGEST,
    "event": {
        "event": "account-created/1",
        "by": "house",
        "at": START,
        "position": "casino-operator",
        "clause": "LOG-5",
        "password": "…",
    },
    "digest": DIGEST,
}


def first_line(record: dict[str, object]) -> bytes:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


@pytest.mark.parametrize(
    "record", [OF_ANN, {**OF_ANN, "sequence": 800}, {name: OF_ANN[name] for name in ("sequence", "previous", "event")}]
)
@pytest.mark.parametrize("command", [["verify"], ["verify", "--json"], ["export"]], ids=" ".join)
def test_a_trail_of_a_person_is_no_proof_and_not_a_wrong_one(
    shell: Shell, command: list[str], record: dict[str, object]
) -> None:
    Path("ann.jsonl").write_bytes(first_line(record) + b"whatever follows\n")
    done = shell(*command, "ann.jsonl")
    assert (done.status, done.out) == (BAD_INPUT, "")
    assert "ann.jsonl: this is the audit log of a person or of the house, and no proof of a table" in done.err
    assert "nothing in it was checked" in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    "line",
    [
        evening()[1],
        first_line({name: value for name, value in parsed(evening()[1]).items() if name in ("sequence", "previous", "event")}),
        first_line({**OF_ANN, "game": DIGEST}),
        first_line({**OF_ANN, "more": 1}),
        first_line({**OF_ANN, "sequence": 0}),
        first_line({**OF_ANN, "sequence": "1"}),
        first_line({**OF_ANN, "previous": DIGEST[1:]}),
        first_line({**OF_ANN, "previous": DIGEST + "\n"}),
        first_line({**OF_ANN, "digest": "none"}),
        first_line({**OF_ANN, "event": {"event": "account-created/1"}}),
        first_line({**OF_ANN, "event": "account-created/1"}),
        first_line(dict(reversed(OF_ANN.items()))),
        first_line(OF_ANN)[:-20],
        b" " + first_line(OF_ANN),
    ],
    ids=[
        "a table's record", "a table's without its game", "a game", "a field too many", "record 0", "a text for a number",
        "a short digest", "a long digest", "no digest", "nobody did it", "no event", "another order", "cut", "a space",
    ],
)  # fmt: skip
def test_a_file_that_only_looks_like_such_a_trail_is_wrong(shell: Shell, line: bytes) -> None:
    Path("file.jsonl").write_bytes(line)
    done = shell("verify", "file.jsonl")
    assert (done.status, done.out) == (WRONG, "")
    assert "WRONG: file.jsonl, line 1: this is no proof" in done.err


def test_help_tells_what_is_no_proof(shell: Shell) -> None:
    told = shell("verify", "--help").out
    assert "trails/*.jsonl" in told
    assert "`longhu admin check`" in told


def test_a_file_whose_last_line_has_no_end_is_read_all_the_same(shell: Shell) -> None:
    Path("file.jsonl").write_bytes(b"".join(evening()).rstrip(b"\n"))
    assert shell("verify", "file.jsonl").status == OK


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["nowhere.jsonl"], "nowhere.jsonl: No such file or directory"),
        (["."], "this folder is not the copy of a table"),
        (["evening.jsonl", "--key", "12"], "a public key has 64 hexadecimal digits"),
        (["evening.jsonl", "--anchors", "nowhere"], "--anchors nowhere: No such file or directory"),
        (["evening.jsonl", "--anchors", "evening.jsonl"], "line 1 is no head"),
        (["evening.jsonl", "--anchors", "forged"], "the signature of the head in line 1 is not genuine"),
        (["evening.jsonl", "--anchors", "noise"], "line 1 is no head"),
        ([], "FILE"),
    ],
)
def test_what_the_user_can_put_right_is_told_in_one_line(shell: Shell, words: list[str], says: str) -> None:
    head = signed_heads.signed("T1", 1, "0" * 64, START, PRIVATE)
    forged = head.__class__(head.table, 2, head.digest, head.at, head.key, head.signature)
    Path("forged").write_bytes(json.dumps({name: getattr(forged, name) for name in forged.__struct_fields__}).encode())
    Path("noise").write_bytes(b"\xff\xfe\n")
    done = shell("verify", *words)
    assert done.status == BAD_INPUT
    assert says in done.err


@pytest.mark.clause("LOG-2")
def test_the_key_and_the_anchors_that_one_has_kept_are_held_against_the_file(shell: Shell) -> None:
    assert shell("anchor", "evening.jsonl", "--sign", "house.key", "--to", "heads.jsonl").status == OK
    assert shell("verify", "evening.jsonl", "--anchors", "heads.jsonl", "--key", PUBLIC).status == OK
    keep("short.jsonl", mended([*evening()[:-3], evening()[-1]]))
    assert shell("verify", "short.jsonl").status == OK
    done = shell("verify", "short.jsonl", "--anchors", "heads.jsonl")
    assert done.status == WRONG
    assert "and an anchor names record" in done.err
    assert shell("verify", "evening.jsonl", "--key", "0" * 64).status == WRONG


def test_standard_input_is_read_and_a_pipe_may_close_early(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "longhu", "verify", "-"]
    done = subprocess.run(command, input=b"".join(evening()), capture_output=True, timeout=60, check=False)
    assert done.returncode == OK, done.stderr
    assert b"Everything that was checked holds." in done.stdout
    keep(str(tmp_path / "evening.jsonl"), list(evening()))
    shown = f"{sys.executable} -m longhu verify {tmp_path}/evening.jsonl --json | head -c 1"
    assert subprocess.run(["bash", "-c", shown], capture_output=True, timeout=60, check=False).stderr == b""


@pytest.mark.parametrize("words", [["evening.jsonl"], ["-"]], ids=["a file", "a pipe"])
def test_whoever_waits_at_a_terminal_sees_records_a_second(tmp_path: Path, words: list[str]) -> None:
    keep(str(tmp_path / "evening.jsonl"), list(evening()))
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "longhu", "verify", *words],
        input=b"".join(evening()),
        stdout=subprocess.PIPE,
        stderr=theirs,
        cwd=tmp_path,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
        timeout=60,
        check=True,
    )
    os.close(theirs)
    shown = os.read(ours, 100_000).decode()
    os.close(ours)
    assert f"{len(evening())} records, " in shown
    assert "records/s" in shown
    assert b"records/s" not in done.stdout


@pytest.mark.parametrize("command", ["verify", "export", "anchor"])
def test_every_command_has_help_with_examples(shell: Shell, command: str) -> None:
    done = shell(command, "--help")
    assert done.status == OK
    assert f"longhu {command} evening.jsonl" in done.out


# ------------------------------------------------ export


@pytest.mark.clause("LOG-6")
@pytest.mark.parametrize(
    ("words", "span", "rounds"),
    [([], "the whole table", 2), (["--shoe", "2"], "shoe 2", 1), (["--day", "2026-11-17"], "2026-11-17", 1)],
)
def test_what_is_exported_can_be_verified(shell: Shell, words: list[str], span: str, rounds: int) -> None:
    done = shell("export", "evening.jsonl", *words, "-o", "part.jsonl", "--sign", "house.key")
    assert (done.status, done.out) == (OK, "")
    assert "part.jsonl: written. `longhu verify part.jsonl` checks it." in done.err
    told = json.loads(shell("verify", "part.jsonl", "--json", "--key", PUBLIC).out)
    assert (told["verified"], told["span"], told["rounds"], told["heads"]) == (True, span, rounds, 1)


@pytest.mark.clause("LOG-6")
def test_without_a_file_the_proof_goes_to_standard_output(shell: Shell) -> None:
    done = shell("export", "evening.jsonl", "--shoe", "1")
    Path("shoe.jsonl").write_text(done.out)
    assert shell("verify", "shoe.jsonl").status == OK


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["evening.jsonl", "-o", "evening.jsonl"], "the trail itself is never written over"),
        (["evening.jsonl", "-o", "./evening.jsonl"], "the trail itself is never written over"),
        (["evening.jsonl", "--shoe", "9", "-o", "part"], "nothing of shoe 9 is in this audit log"),
        (["evening.jsonl", "--day", "2030-01-01", "-o", "part"], "nothing of 2030-01-01 is in this audit log"),
        (["evening.jsonl", "--day", "yesterday"], "expected a day such as 2026-11-16"),
        (["evening.jsonl", "--day", "2026-11-17", "--shoe", "1"], "exclude each other"),
        (["evening.jsonl", "--sign", "evening.jsonl"], "this is no key file"),
        (["evening.jsonl", "--sign", "nowhere"], "nowhere: No such file or directory"),
        (["nowhere.jsonl"], "nowhere.jsonl: No such file or directory"),
        (["nowhere.jsonl", "-o", "evening.jsonl"], "nowhere.jsonl: No such file or directory"),
        (["house.key"], "this is no proof"),
        (["cut.jsonl", "-o", "part"], "`longhu verify` says where"),
        (["evening.jsonl", "-o", "no/such/place"], "No such file or directory"),
    ],
)
def test_an_export_that_cannot_be_made_leaves_nothing_behind(shell: Shell, words: list[str], says: str) -> None:
    Path("cut.jsonl").write_bytes(b"".join(ordinary("dragon-tiger", signs=False).trail.proof()[:-1])[:-9])
    before = {path.name: path.read_bytes() for path in Path().iterdir()}
    done = shell("export", *words)
    assert done.status == BAD_INPUT
    assert says in done.err
    assert {path.name: path.read_bytes() for path in Path().iterdir()} == before


# ------------------------------------------------ anchor


def test_a_key_is_made_once_and_kept_from_others(shell: Shell) -> None:
    done = shell("anchor", "--new-key", "new.key")
    assert done.status == OK
    key = done.out.splitlines()[-1]
    assert signed_heads.public_key(bytes.fromhex(Path("new.key").read_text().strip())) == key
    assert Path("new.key").stat().st_mode & 0o777 == 0o600
    again = shell("anchor", "--new-key", "new.key")
    assert again.status == BAD_INPUT
    assert "File exists" in again.err


@pytest.mark.clause("LOG-2")
def test_a_slip_for_paper(shell: Shell) -> None:
    done = shell("anchor", "evening.jsonl", "--sign", "house.key")
    head = parsed(evening()[-1])["head"]
    assert done.status == OK
    assert head in done.out.replace(" ", "").replace("\n", "")
    assert done.out.startswith("Table T1, record ")
    assert f"signed with {PUBLIC[:16]}…" in done.out
    assert max(map(len, done.out.splitlines())) <= 40


@pytest.mark.clause("LOG-2")
def test_heads_are_added_to_a_file(shell: Shell) -> None:
    for _ in range(2):
        done = shell("anchor", "evening.jsonl", "--sign", "house.key", "--to", "heads.jsonl")
        assert done.status == OK
        assert "is anchored" in done.err
    first, second = read_heads(Path("heads.jsonl").read_bytes())
    assert first.digest == second.digest == parsed(evening()[-1])["head"]


def _altered(lines: list[bytes], place: int) -> list[bytes]:
    return [*lines[:place], lines[place].replace(b'"at":1', b'"at":2', 1), *lines[place + 1 :]]


FORGED: dict[str, tuple[Callable[[list[bytes], int], list[bytes]], str]] = {  # the last record is in line `last`
    "altered": (lambda lines, _: _altered(lines, 9), "the record in line 11 does not follow what is before it"),
    "left out": (lambda lines, _: lines[:9] + lines[10:], "the record in line 10 does not follow"),
    "the first left out": (lambda lines, _: lines[:1] + lines[2:], "the record in line 2 does not follow"),
    "twice": (lambda lines, _: lines[:9] + lines[8:], "the record in line 10 does not follow"),
    "no number": (lambda lines, _: [*lines[:9], b'{"sequence":x}\n', *lines[9:]], "the record in line 10 does not follow"),
    "the last altered": (lambda lines, last: _altered(lines, last - 1), "tells of other records than there are before it"),
    "the last ones cut off": (lambda lines, last: lines[: last - 4] + lines[-1:], "tells of other records than there are"),
    "no end that can be read": (lambda lines, _: [*lines[:-1], b'{"end":x}\n'], "tells of other records than there are"),
}  # fmt: skip


@pytest.mark.clause("LOG-2")
@pytest.mark.parametrize("command", ["anchor", "export"])
@pytest.mark.parametrize("forged", FORGED)
def test_nobody_signs_a_trail_whose_chain_is_broken(shell: Shell, command: str, forged: str) -> None:
    made, says = FORGED[forged]
    lines = list(evening())
    last = max(place for place, line in enumerate(lines, 1) if line.startswith(b'{"sequence":'))
    forgery = made(lines, last)
    assert forgery != lines
    Path("forged.jsonl").write_bytes(b"".join(forgery))
    done = shell(command, "forged.jsonl", "--sign", "house.key", "--to" if command == "anchor" else "-o", "out.jsonl")
    assert done.status == BAD_INPUT
    assert says in done.err
    assert not Path("out.jsonl").exists()


class Auditor(HTTPServer):
    """Somebody outside who keeps heads."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Takes)
        self.kept: list[bytes] = []
        self.answer = 204


class _Takes(BaseHTTPRequestHandler):
    server: Auditor

    def do_POST(self) -> None:
        self.server.kept.append(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(self.server.answer)
        self.end_headers()

    def log_message(self, *_said: object) -> None:
        """Tests are quiet."""


@pytest.fixture
def auditor() -> Iterator[Auditor]:
    server = Auditor()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.clause("LOG-2")
def test_heads_go_to_a_webhook(shell: Shell, auditor: Auditor) -> None:
    address = f"http://127.0.0.1:{auditor.server_port}/heads"
    done = shell("anchor", "evening.jsonl", "--sign", "house.key", "--to", address, "--to", "heads.jsonl")
    assert done.status == OK
    (kept,) = auditor.kept
    (head,) = read_heads(kept)
    assert head.digest == parsed(evening()[-1])["head"]
    assert read_heads(Path("heads.jsonl").read_bytes()) == [head]


@pytest.mark.parametrize("answer", [500, 404, 302])
def test_a_webhook_that_does_not_take_the_head_is_told(shell: Shell, auditor: Auditor, answer: int) -> None:
    auditor.answer = answer
    done = shell("anchor", "evening.jsonl", "--sign", "house.key", "--to", f"http://127.0.0.1:{auditor.server_port}/")
    assert done.status == BAD_INPUT
    assert "not anchored" in done.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["evening.jsonl"], "name the trail and the key"),
        (["--sign", "house.key"], "name the trail and the key"),
        (["evening.jsonl", "--sign", "house.key", "--to", "ftp://example/"], "is no address of a webhook"),
        (["evening.jsonl", "--sign", "house.key", "--to", "http://127.0.0.1:9/"], "did not take the head"),
        (["evening.jsonl", "--sign", "house.key", "--to", "no/such/place"], "No such file or directory"),
        (["house.key", "--sign", "house.key"], "this is no proof"),
        (["nowhere", "--sign", "house.key"], "nowhere: No such file or directory"),
        (["empty.jsonl", "--sign", "house.key"], "no record is in it"),
        (["cut.jsonl", "--sign", "house.key"], "cut off or altered"),
    ],
)
def test_an_anchor_that_cannot_be_kept_is_told(shell: Shell, words: list[str], says: str) -> None:
    keep("empty.jsonl", [evening()[0]])
    Path("cut.jsonl").write_bytes(b"".join(ordinary("dragon-tiger", signs=False).trail.proof()[:-1])[:-9])
    done = shell("anchor", *words)
    assert done.status == BAD_INPUT
    assert says in done.err
