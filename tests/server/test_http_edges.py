"""What no client should send and some do; what every answer carries; and what happens when the store does not answer."""

from __future__ import annotations

import asyncio
import gc
import gzip
import json
import re
import socket
import threading
import time
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from structlog.testing import capture_logs

from longhu.server import observability
from longhu.server.api import http, operations, page
from longhu.server.api.http import whole
from longhu.server.authorization import Rate
from longhu.server.house import House
from longhu.server.problems import ProblemKind
from longhu.server.streams.commands import StoreUnavailable
from longhu.store.errors import CommitFailed, StoreUnusable
from tests.server.running import PASSWORD, Running, quick, running


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(quick(tmp_path_factory.mktemp("edges") / "house.db")) as server:
        server.staffed()
        server.open_table("T1")
        yield server


def raw(site: Running, request: bytes) -> bytes:
    """What is answered to these bytes until the connection is closed, or its first part."""
    place = urlsplit(site.address)
    with socket.create_connection((place.hostname or "", place.port or 0), timeout=20) as connection:
        connection.sendall(request)
        return connection.recv(65_536)


# ------------------------------------------------ malformed

BODIES: dict[str, tuple[bytes, int]] = {
    "nothing": (b"", 400),
    "no JSON": (b"{", 400),
    "a list": (b"[]", 400),
    "no UTF-8": (b'{"person":"\xff","password":"x"}', 400),
    "half a surrogate": (b'{"person":"ann","password":"\\ud800"}', 400),
    "a NUL in a name": (b'{"person":"a\\u0000","password":"x"}', 400),
    "a NUL in a password": (b'{"person":"ann","password":"\\u0000"}', 401),
    "a number for a text": (b'{"person":5,"password":"x"}', 400),
    "a text twice": (b'{"person":"ann","person":"bob","password":"x"}', 401),
    "a field too many": (b'{"person":"ann","password":"x","admin":true}', 400),
    "a huge number": (b'{"person":' + b"9" * 5000 + b',"password":"x"}', 400),
    "deep lists": (b"[" * 30_000, 400),
    "deep objects": (b'{"person":' * 6_000, 400),
    "deep in a field that nobody knows": (b'{"x":' + b"[" * 30_000 + b"]" * 30_000 + b"}", 400),
    "too much": (b" " * 140_000, 413),
}


@pytest.mark.parametrize("body", BODIES)
def test_a_body_that_cannot_be_read_is_a_problem_and_no_defect(site: Running, body: str) -> None:
    content, status = BODIES[body]
    answer = site.client().post("/api/session", content=content, headers={"Content-Type": "application/json"})
    assert answer.status_code == status, answer.text
    told = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert (told["status"], told["request"]) == (status, answer.headers["x-request-id"])
    assert told["detail"]


def test_a_body_that_cannot_be_read_is_told_why_and_what_would_do(site: Running) -> None:
    client = site.signed_in("ann")
    kind = {"Content-Type": "application/json"}
    half = client.post("/api/session", content=BODIES["half a surrogate"][0], headers=kind).json()
    assert half["message"]["args"]["problem"]["code"] == "half-a-character"
    much = client.post("/api/session", content=BODIES["too much"][0], headers=kind).json()
    assert much["remedy"] == {"code": "send-at-most", "args": {"bytes": 131_072}}
    told = client.command("T1", "nope").json()
    wrong = told["message"]["args"]["problem"]["args"]
    assert (wrong["field"], wrong["problem"]["code"]) == ("command.command", "command-unknown")
    assert told["remedy"]["code"] == "list-commands"


LEFT_OVER = {
    ("GET", "/api/tables?opne=true"): "unknown-query-parameter opne; no-query-parameters",
    ("GET", "/api/me/rounds?limt=5"): "unknown-query-parameter limt; known-query-parameters ['before', 'limit']",
    ("GET", "/api/me/rounds?limit=5&limit=6"): "repeated-query-parameter limit 2; give-it-once",
    ("GET", "/api/me/rounds?=5"): "unknown-query-parameter ; known-query-parameters ['before', 'limit']",
    ("DELETE", "/api/tables/T1/seat"): "no-body-taken; known-query-parameters ['id']",
    ("GET", "/api/tables"): "no-body-taken; send-no-body",
}  # fmt: skip


@pytest.mark.parametrize(("method", "path"), LEFT_OVER)
def test_what_is_not_asked_for_is_refused_and_not_passed_over(site: Running, method: str, path: str) -> None:
    """A name that is mistyped, an id in a body that nobody reads: whoever sends it must not think that it was taken."""
    body = b"" if "?" in path else b'{"id":"go"}'
    answer = site.signed_in("ann").request(method, path, content=body)
    told = answer.json()
    assert (answer.status_code, told["type"]) == (400, "/api/problems#malformed")
    says = [" ".join([each["code"], *map(str, each["args"].values())]) for each in (told["message"], told["remedy"])]
    assert "; ".join(says) == LEFT_OVER[method, path]


@pytest.mark.parametrize(("parts", "status"), [([], 200), ([b"{", b"}"], 400)])
def test_a_body_that_is_announced_and_empty_is_none(site: Running, parts: list[bytes], status: int) -> None:
    """As some proxies send it: `Transfer-Encoding: chunked`, and then nothing."""
    answer = site.signed_in("ann").request("DELETE", "/api/sessions?but_here=true", content=iter(parts))
    assert answer.request.headers["transfer-encoding"] == "chunked"
    assert answer.status_code == status


def test_what_can_be_asked_is_told_whatever_the_query(site: Running) -> None:
    assert site.client().options("/api/me/rounds?limit=5&other=6").status_code == 204


def test_whoever_may_not_ask_is_told_that_first(site: Running) -> None:
    assert site.client().get("/api/me/rounds?limt=5").status_code == 401
    assert site.signed_in("ann").get("/api/audit/house?limt=5").status_code == 403


def test_what_is_no_json_is_not_taken_for_it(site: Running) -> None:
    body = json.dumps({"person": "ann", "password": PASSWORD})
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "x"):
        answer = site.client().post("/api/session", content=body, headers={"Content-Type": kind})
        assert (answer.status_code, answer.json()["type"]) == (415, "/api/problems#not-json")


PATHS = {
    "/api/tables/%00": 404,
    "/api/tables/%ff%fe": 404,
    "/api/tables/" + "a" * 3000: 404,
    "/api/tables/T1/rounds/" + "9" * 5000: 404,
    "/api/tables/T1/rounds/" + "9" * 30: 404,
    "/api/tables/T1/rounds/-1": 404,
    "/api/tables/T1/rounds/1.5": 404,
    "/api/tables/T1/rounds?before=" + "9" * 300: 400,
    "/api/tables/T1/rounds?before=-1": 400,
    "/api/tables/T1/rounds?limit=0": 400,
    "/api/tables/T1/rounds?limit=501": 400,
    "/api/tables/T1/rounds?limit=%ff": 400,
    "/api/tables/T1/rounds?limit=true": 400,
    "/api/tables/T1/socket": 405,
    "/api/games/..%2f..%2fetc%2fpasswd": 404,
    "/api/games/%00": 404,
    "/%": 404,
    "/.git/config": 404,
    "/?%%%": 200,
}


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path[:50])
def test_odd_addresses(site: Running, path: str) -> None:
    answer = site.client().get(path)
    assert answer.status_code == PATHS[path], answer.text


def test_methods_that_are_not_there(site: Running) -> None:
    client = site.client()
    for method in ("PUT", "DELETE", "PATCH", "TRACE"):
        answer = client.request(method, "/api/tables")
        assert (answer.status_code, answer.json()["type"]) == (405, "/api/problems#no-such-method")
        assert answer.headers["allow"] == "GET, HEAD, POST, OPTIONS"
        assert answer.json()["remedy"]["args"] == {"methods": "GET, HEAD, POST, OPTIONS"}
    assert client.options("/api/tables/T1/commands").status_code == 204


@pytest.mark.parametrize(
    "request_",
    [
        b"garbage\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\nHost: x\r\n\r\n",
        b"POST /api/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: -5\r\n\r\n",
        b"POST /api/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nx: " + b"y" * 200_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n" + b"x: y\r\n" * 50_000 + b"\r\n",
        b"GET /" + b"y" * 200_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    ],
    ids=lambda request: request[:40].decode("latin1"),
)
def test_bytes_that_are_no_request(site: Running, request_: bytes) -> None:
    assert raw(site, request_).startswith(b"HTTP/1.1 400 ")
    assert site.client().get("/healthz").status_code == 200


def test_the_head_of_an_answer_is_that_of_the_answer(site: Running) -> None:
    """Load balancers probe with it."""
    client = site.client()
    for path in ("/", "/healthz", "/readyz", "/api/tables", "/api/games/dragon-tiger", "/api/nothing"):
        whole, head = client.get(path), client.head(path)
        assert head.content == b""
        assert head.status_code == whole.status_code
        for name in ("content-type", "content-length", "etag", "content-security-policy"):
            assert head.headers.get(name) == whole.headers.get(name), (path, name)
    assert 'method="HEAD",route="/healthz"' in client.get("/metrics").text


def test_odd_headers(site: Running) -> None:
    head = (
        b'GET /api/me HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: longhu=\xff"; ;=;x=%00; longhu='
        + b"a" * 5000
        + b"\r\n\r\n"
    )
    assert raw(site, head).startswith(b"HTTP/1.1 401 ")


def test_a_connection_that_says_nothing_is_closed(site: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "HEAD_SECONDS", 0.05)
    assert raw(site, b"GET / HTTP/1.1\r\nHost: x\r\n") == b""


# ------------------------------------------------ what every answer carries


def test_every_answer_has_the_headers_that_protect_a_browser(site: Running) -> None:
    client = site.client()
    answers = [client.get("/"), client.get("/api/tables"), client.get("/nowhere"), client.post("/api/session")]
    for answer in (*answers, client.get("/fairness/check/")):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert "server" not in answer.headers
    assert client.get("/api/tables").headers["cache-control"] == "no-store"


def test_a_house_without_a_built_page_lists_its_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "BUILT", tmp_path / "nowhere")
    with running(quick(tmp_path / "house.db")) as server:
        server.open_table("T1")
        text = server.client().get("/").text
        assert "T1" in text
        assert "/api/schema/openapi.json" in text
        assert "/fairness/check/" in text
        assert "<script" not in text
        assert server.client().get("/fairness/check/").text.startswith("<!doctype html>")


def test_a_page_that_was_built_is_served_and_nothing_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = tmp_path / "page"
    (built / "assets").mkdir(parents=True)
    (built / "index.html").write_text("<!doctype html><title>built</title>")
    script_file = built / "assets" / "app.js"
    script_file.write_text("export {}")
    for suffix, packed in ((".gz", gzip.compress(b"export {}")), (".br", b"as brotli has it")):
        script_file.with_name(script_file.name + suffix).write_bytes(packed)
    (tmp_path / "secret.txt").write_text("not for anybody")
    monkeypatch.setattr(page, "BUILT", built)
    with running(quick(tmp_path / "house.db")) as server:
        client = server.client()
        assert "built" in client.get("/").text
        script = client.get("/assets/app.js")
        assert (script.text, script.headers["cache-control"]) == ("export {}", page.FOR_GOOD)
        assert "javascript" in script.headers["content-type"]
        for path in (
            "/../secret.txt",
            "/..%2fsecret.txt",
            "/%2e%2e/secret.txt",
            "/assets/..%2f..%2fsecret.txt",
            "/assets/%00",
            "/assets/" + "a" * 3000,
            "/nothing",
        ):
            answer = client.get(path)
            assert (answer.status_code, "not for" in answer.text) == (404, False)
            browsed = client.get(path, headers={"Accept": "text/html"})  # the page itself says that nothing is there
            assert (browsed.status_code, "built" in browsed.text) == (200, True)
        assert client.get("/api/nothing", headers={"Accept": "text/html"}).status_code == 404
        again = client.get("/assets/app.js", headers={"If-None-Match": script.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert client.get("/api/tables").json() == []
        zipped = client.get("/assets/app.js", headers={"Accept-Encoding": "gzip"})
        assert (zipped.text, zipped.headers["content-encoding"]) == ("export {}", "gzip")
        with client.stream("GET", "/assets/app.js", headers={"Accept-Encoding": "gzip, br"}) as answer:
            assert (answer.headers["content-encoding"], b"".join(answer.iter_raw())) == ("br", b"as brotli has it")
        plain = client.get("/assets/app.js", headers={"Accept-Encoding": "identity"})
        assert (plain.text, plain.headers.get("content-encoding")) == ("export {}", None)
        assert len({plain.headers["etag"], zipped.headers["etag"], answer.headers["etag"]}) == 3


def test_every_kind_of_problem_is_explained(site: Running) -> None:
    text = site.client().get("/api/problems").text
    for kind in ProblemKind:
        assert f'id="{kind.id}"' in text


def test_over_https_browsers_are_told_to_stay_there_and_cookies_with_them(tmp_path: Path) -> None:
    config = quick(tmp_path / "house.db", origin="https://tables.example")
    with running(config) as server:
        server.staffed()
        headers = {"Origin": "https://tables.example"}
        who = {"person": "ann", "password": PASSWORD}
        answer = server.client().post("/api/session", json=who, headers=headers)
        assert answer.status_code == 201, answer.text
        assert "secure" in answer.headers["set-cookie"].lower()
        assert answer.headers["strict-transport-security"]
        assert server.client().post("/api/session", json=who, headers={"Origin": server.address}).status_code == 403


def test_a_proxy_on_this_machine_says_for_whom_it_asks_where_there_is_an_origin(tmp_path: Path) -> None:
    who, told = {"person": "ann", "password": PASSWORD}, {"X-Forwarded-For": "203.0.113.7"}
    for origin, address in (("https://tables.example", "203.0.113.7"), ("", "127.0.0.1")):
        with running(quick(tmp_path / f"{address}.db", origin=origin)) as server:
            server.staffed()
            answer = server.client().post("/api/session", json=who, headers=told)
            cookie = {"Cookie": f"longhu={answer.cookies['longhu']}"}
            assert server.client().get("/api/sessions", headers=cookie).json()[0]["address"] == address


FOREIGN_HOSTS = (
    "evil.example",
    "evil.example:80",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "evil@localhost",
    "localhost/x",
    "[",
    "x y",
)


@pytest.mark.clause("SEC-2")
@pytest.mark.parametrize("host", FOREIGN_HOSTS)
def test_a_request_for_another_host_is_not_answered(site: Running, host: str) -> None:
    """DNS rebinding: a page of somebody else, whose name leads to this machine, reads nothing here."""
    for path in ("/", "/api/tables", "/metrics", "/nowhere"):
        told = raw(site, f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        assert told.startswith(b"HTTP/1.1 421 "), told
        assert b"/api/problems#misdirected" in told
        assert b"T1" not in told
    upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    asked = f"GET /api/tables/T1/socket HTTP/1.1\r\nHost: {host}\r\n{upgrade}{key}\r\n"
    assert raw(site, asked.encode()).startswith(b"HTTP/1.1 403 ")


def test_a_house_answers_under_its_addresses_and_its_names(tmp_path: Path) -> None:
    def status(server: Running, host: str) -> bytes:
        told = raw(server, f"GET /healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        return told.split(b" ")[1]

    with running(quick(tmp_path / "house.db")) as server:
        for host in ("localhost", "LOCALHOST:80", "127.0.0.1", "[::1]:8270", "192.0.2.7:8270"):
            assert status(server, host) == b"200"
        assert status(server, "tables.example") == b"421"
    named = quick(tmp_path / "house.db", origin="https://tables.example:8443", hosts=["longhu-upstream"])
    with running(named) as server:
        for host in ("tables.example", "tables.example:8443", "Longhu-Upstream", "127.0.0.1"):
            assert status(server, host) == b"200"
        assert status(server, "evil.example") == b"421"


def test_where_everybody_must_be_signed_in_strangers_see_nothing(tmp_path: Path) -> None:
    with running(quick(tmp_path / "house.db", spectators=False)) as server:
        server.staffed()
        server.open_table("T1")
        for path in ("/api/tables", "/api/tables/T1", "/api/tables/T1/rules", "/api/tables/T1/rounds"):
            assert server.client().get(path).status_code == 401
            assert server.signed_in("ann").get(path).status_code == 200


# ------------------------------------------------ health, figures, logs


def test_healthy_and_ready(site: Running) -> None:
    client = site.client()
    assert client.get_json("/healthz") == {"alive": True}
    ready = client.get_json("/readyz")
    assert (ready["ready"], ready["store"], ready["node"]) == (True, "", site.config.node)


def test_figures_name_routes_and_nobody(site: Running) -> None:
    client = site.signed_in("ann")
    client.get("/api/tables/T1")
    client.get("/nowhere/at/all")
    answer = site.client().get("/metrics")
    assert answer.headers["content-type"] == "text/plain; version=1.0.0; charset=utf-8"
    told = answer.text
    assert 'longhu_requests_total{method="GET",route="/api/tables/{table}",status="200"}' in told
    assert re.search(
        r'route="(none|/\{path\})",status="404"', told
    )  # the page answers for all other addresses, where it is built
    for secret in ("ann", "T1", "nowhere", client.cookies["longhu"]):
        assert secret not in told


def test_figures_can_be_turned_off(tmp_path: Path) -> None:
    with running(quick(tmp_path / "house.db", metrics=False)) as server:
        assert server.client().get("/metrics").status_code == 404


def test_figures_are_for_staff_and_for_this_machine_unless_they_are_opened(tmp_path: Path) -> None:
    from_elsewhere = {"X-Forwarded-For": "203.0.113.7"}
    settings = {"origin": "https://tables.example", "secure_cookies": False}
    with running(quick(tmp_path / "house.db", **settings)) as server:
        server.staffed()
        assert server.client().get("/metrics").status_code == 200
        for client, status in ((server.client(), 403), (server.signed_in("ann"), 403), (server.signed_in("dee"), 200)):
            answer = client.get("/metrics", headers=from_elsewhere)
            assert answer.status_code == status, answer.text
    with running(quick(tmp_path / "house.db", metrics_open=True, **settings)) as server:
        assert server.client().get("/metrics", headers=from_elsewhere).status_code == 200


@pytest.mark.clause("RNG-3")
def test_log_lines_are_json_with_the_number_of_the_request_and_no_secret(site: Running) -> None:
    stream = StringIO()
    handler = observability.configure(quick("house.db", log_level="info"), stream)
    try:
        client = site.signed_in("ann")
        answer = client.get("/api/me/rounds", params={"before": "123454321"})
        written = time.monotonic() + 20  # the line follows the answer
        while answer.headers["x-request-id"] not in stream.getvalue() and time.monotonic() < written:
            time.sleep(0.01)
        observability.log.warning("careless", password=PASSWORD, card="7H", token="t")
    finally:
        observability.remove(handler)
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    noted = next(line for line in lines if line.get("request") == answer.headers["x-request-id"])
    assert (noted["event"], noted["path"], noted["status"]) == ("request", "/api/me/rounds", 200)
    for secret in (PASSWORD, "7H", client.cookies["longhu"], client.headers["x-longhu-csrf"], "123454321"):
        assert secret not in stream.getvalue()


# ------------------------------------------------ when the store does not answer


@pytest.mark.clause("REC-3")
def test_a_full_disk_is_told_and_what_was_not_taken_may_be_asked_again(
    site: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = site.signed_in("ann")
    sat = {"id": "full-1", "seat": None, "buy_in": "10.00"}

    def full(_: object) -> None:
        raise CommitFailed("the disk is full. Nothing was written.")

    with monkeypatch.context() as patched:
        patched.setattr(site.house.store, "commit", full)
        answer = ann.post("/api/tables/T1/seat", json=sat)
        assert (answer.status_code, answer.json()["type"]) == (503, "/api/problems#unavailable")
        assert int(answer.headers["retry-after"]) > 0
        assert "disk" not in answer.text
    assert ann.post("/api/tables/T1/seat", json=sat).status_code == 200
    assert ann.get_json("/api/me")["chips"] == "10.00"
    assert ann.delete("/api/tables/T1/seat", params={"id": "full-2"}).status_code == 200


def test_a_store_that_is_gone_is_not_ready_and_the_process_is_alive(
    site: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object) -> None:
        raise StoreUnusable("the disk failed")

    async def later(house: House) -> None:
        house.clock.seen(house.now() + 2_000)  # an answer is good for a second

    monkeypatch.setattr(site.house.store, "take_lease", gone)
    site.do(later)
    client = site.client()
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["ready"], answer.json()["store"]) == (503, False, "unusable")
    assert client.get("/healthz").status_code == 200


def test_whoever_commits_and_hangs_is_not_ready(site: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """The store answers, and the thread that commits does not: no wager could be taken."""
    monkeypatch.setattr(operations, "PROBE_MS", 0)
    client = site.client()
    assert client.get("/readyz").status_code == 200
    with monkeypatch.context() as hanging:
        hanging.setattr(operations, "PROBE_SECONDS", 0.2)  # a slow disk has all its time otherwise
        hanging.setattr(site.house.commits, "submit", lambda *_: None)
        answer = client.get("/readyz")
        assert (answer.status_code, answer.json()["store"]) == (503, "it does not answer")
    with monkeypatch.context() as ended:
        ended.setattr(type(site.house.commits), "is_writing", False)
        answer = client.get("/readyz")
        assert (answer.status_code, answer.json()["store"]) == (503, "unwritten")
    assert client.get("/readyz").status_code == 200


def test_what_goes_on_without_whoever_asked_and_fails_is_a_line_in_the_log() -> None:
    ended: list[str] = []

    async def fails() -> None:
        await asyncio.sleep(0.01)
        ended.append("by itself")
        raise StoreUnavailable("the disk is full")

    async def main() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.001):
                await whole(fails())
        await asyncio.sleep(0.05)
        gc.collect()

    with capture_logs() as told, pytest.MonkeyPatch.context() as patched:
        patched.setattr(asyncio.BaseEventLoop, "call_exception_handler", lambda _, context: ended.append(str(context)))
        asyncio.run(main())
    assert ended == ["by itself"]
    assert [(each["log_level"], each["why"]) for each in told] == [("warning", "StoreUnavailable: the disk is full")]


def test_a_defect_of_ours_is_told_without_its_insides(site: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("an inner secret")

    client = site.signed_in("sue")
    monkeypatch.setattr(site.house.store, "leases", broken)
    answer = client.get("/api/floor")
    assert (answer.status_code, answer.json()["type"]) == (500, "/api/problems#defect")
    assert "inner" not in answer.text


def test_a_request_that_takes_too_long_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with running(quick(tmp_path / "house.db", request_seconds=1.0)) as server:
        server.staffed()
        goes_on = threading.Event()
        monkeypatch.setattr(server.house.store, "leases", lambda: goes_on.wait(20) and [])
        try:
            answer = server.signed_in("sue").get("/api/floor")
            assert (answer.status_code, answer.json()["type"]) == (503, "/api/problems#unavailable")
        finally:
            goes_on.set()


def test_whoever_hangs_up_halfway_leaves_nothing_behind(site: Running) -> None:
    place = urlsplit(site.address)
    for _ in range(20):
        with socket.create_connection((place.hostname or "", place.port or 0), timeout=20) as connection:
            connection.sendall(
                b"POST /api/session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"
            )
    assert site.client().get("/healthz").status_code == 200


def test_many_ask_at_once(site: Running) -> None:
    async def all_at_once() -> list[int]:
        async with httpx.AsyncClient(base_url=site.address, verify=False, timeout=30) as client:
            answers = await asyncio.gather(*(client.get("/api/tables/T1") for _ in range(100)))
        return [each.status_code for each in answers]

    assert asyncio.run(all_at_once()) == [200] * 100


# ------------------------------------------------ rates


def test_a_rate_lets_through_what_it_says_and_tells_how_long_to_wait() -> None:
    now = [0.0]
    rate = Rate(10, 60.0, clock=lambda: now[0])
    assert [rate.wait("a") for _ in range(20)] == [0.0] * 20
    assert rate.wait("a") == pytest.approx(6.0)
    assert rate.wait("b") == 0.0
    now[0] += 6.0
    assert (rate.wait("a"), rate.wait("a") > 0) == (0.0, True)


def test_a_rate_remembers_a_bounded_number_of_addresses() -> None:
    rate: Any = Rate(1)
    for number in range(10_100):
        rate.wait(str(number))
    assert len(rate._buckets) == 10_000
