"""Signing in and out over HTTP: cookies, tokens, origins, locks, guests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from longhu.server.api.guards import COOKIE, CSRF
from longhu.server.house import House
from tests.server.running import PASSWORD, Running, quick, running


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(quick(tmp_path_factory.mktemp("session") / "house.db")) as server:
        server.staffed()
        yield server


@pytest.mark.clause("SEC-2")
def test_the_cookie_is_for_the_browser_alone_and_the_session_tells_the_token(site: Running) -> None:
    client = site.client()
    answer = client.post("/api/session", json={"person": "ann", "password": PASSWORD})
    assert answer.status_code == 201
    cookie = answer.headers["set-cookie"].lower()
    assert {"httponly", "samesite=strict", "path=/"} <= {part.strip() for part in cookie.split(";")}
    assert client.cookies[COOKIE] not in answer.text
    told = client.get_json("/api/session")
    assert (told["person"], told["position"], told["csrf"]) == ("ann", "patron", answer.json()["csrf"])


@pytest.mark.clause("PLY-4")
def test_the_last_sign_in_is_told(site: Running) -> None:
    first = site.signed_in("pat").get_json("/api/session")
    again = site.signed_in("pat").get_json("/api/session")
    assert again["last_sign_in"] == first["since"]
    assert again["last_address"] == "127.0.0.1"


def test_signing_out_ends_the_session_for_good(site: Running) -> None:
    client = site.signed_in("ann")
    cookie = client.cookie
    assert client.delete("/api/session").status_code == 204
    assert COOKIE not in client.cookies
    answer = site.client().get("/api/me", headers={"Cookie": cookie})
    assert (answer.status_code, answer.json()["clause"]) == (401, "SEC-2")


def test_signing_in_again_ends_what_the_browser_had_before(site: Running) -> None:
    client = site.signed_in("ann")
    before = client.cookie
    client.sign_in("ann", PASSWORD)
    assert site.client().get("/api/me", headers={"Cookie": before}).status_code == 401
    assert client.get("/api/me").status_code == 200


@pytest.mark.clause("SEC-2")
def test_signing_out_everywhere_but_here_or_altogether(site: Running) -> None:
    here, there = site.signed_in("bob"), site.signed_in("bob")
    assert [each["this"] for each in here.get_json("/api/sessions")].count(True) == 1
    assert here.delete("/api/sessions", params={"but_here": "true"}).json()["ended"] >= 1
    assert (here.get("/api/me").status_code, there.get("/api/me").status_code) == (200, 401)
    assert here.delete("/api/sessions").json() == {"ended": 1}
    assert here.get("/api/me").status_code == 401


@pytest.mark.clause("SEC-2")
def test_a_change_without_the_sessions_token_is_refused(site: Running) -> None:
    client = site.signed_in("ann")
    token = client.headers.pop(CSRF)
    for wrong in ({}, {CSRF: ""}, {CSRF: token[:-1]}, {CSRF: token + "x"}):
        answer = client.post("/api/me/cool-off", json={"id": "1", "hours": 24}, headers=wrong)
        assert (answer.status_code, answer.json()["type"]) == (403, "/api/problems#foreign")
    assert client.delete("/api/session").status_code == 403
    assert client.get("/api/me").json()["cool_off_until"] is None


FOREIGN = (
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://["},
    {"Origin": "http://localhost.evil.example"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Host": "rebound.example", "Origin": "http://rebound.example"},
)


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
@pytest.mark.clause("SEC-2")
def test_nothing_is_taken_from_a_page_of_somebody_else(site: Running, headers: dict[str, str]) -> None:
    who = {"person": "ann", "password": PASSWORD}
    status = 421 if "Host" in headers else 403
    assert site.client().post("/api/session", json=who, headers=headers).status_code == status
    assert site.signed_in("ann").delete("/api/session", headers=headers).status_code == status


def test_our_own_page_and_programs_may_ask(site: Running) -> None:
    who = {"person": "ann", "password": PASSWORD}
    for headers in ({"Origin": site.address, "Sec-Fetch-Site": "same-origin"}, {}):
        assert site.client().post("/api/session", json=who, headers=headers).status_code == 201


@pytest.mark.clause("SEC-2")
def test_three_wrong_passwords_lock_the_account_and_staff_unlock_it(site: Running) -> None:
    client, wrong = site.client(), {"person": "dee", "password": "not the right one"}
    stranger = client.post("/api/session", json={"person": "nobody", "password": "whatever it is"}).json()
    for _ in range(3):
        answer = client.post("/api/session", json=wrong)
        assert answer.status_code == 401
        assert answer.json()["detail"] == stranger["detail"]
    right = {"person": "dee", "password": PASSWORD}
    answer = client.post("/api/session", json=right)  # nobody learns from a locked account which password is right
    assert (answer.status_code, answer.json()["detail"]) == (401, stranger["detail"])
    assert stranger["message"]["code"] == "sign-in-wrong"
    sue = site.signed_in("sue")
    assert any(alert["message"]["args"].get("person") == "dee" for alert in sue.get_json("/api/alerts"))
    unlock = {"act": {"act": "unlock", "why": "she was here"}, "signatures": site.signs("gus")}
    assert sue.post("/api/people/dee/acts", json={"id": "u1", **unlock}).json()["clause"] == "SEC-1"
    answer = site.signed_in("pat").post("/api/people/dee/acts", json={"id": "u1", **unlock})
    assert answer.status_code == 200, answer.text
    assert client.post("/api/session", json=right).status_code == 201


@pytest.mark.clause("SEC-2")
def test_a_device_that_has_signed_in_is_known_by_a_cookie_of_its_own(site: Running) -> None:
    """Whoever guesses at the same address does not keep it out."""
    owner, other = site.client(), site.client()
    right, wrong = {"person": "ann", "password": PASSWORD}, {"person": "ann", "password": "wrong"}
    answer = owner.post("/api/session", json=right)
    (kept,) = [each for each in answer.headers.get_list("set-cookie") if each.startswith("longhu-device=")]
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= {each.strip() for each in kept.split(";")}
    assert f"Max-Age={90 * 86_400}" in kept
    for _ in range(4):
        assert other.post("/api/session", json=wrong).status_code == 401
    assert other.post("/api/session", json=right).status_code == 401
    assert owner.cookies["longhu-device"] not in b"".join(site.house.store.records("person:ann")).decode()
    device = owner.cookies["longhu-device"]
    owner.cookies.delete("longhu")
    assert owner.post("/api/session", json=right).status_code == 201
    assert owner.cookies["longhu-device"] == device, "it stays the same"


def test_a_new_password_ends_the_other_sessions(site: Running) -> None:
    here, there = site.signed_in("sue"), site.signed_in("sue")
    other = {"old": PASSWORD, "new": PASSWORD + "!"}
    assert here.post("/api/me/password", json={**other, "old": "wrong"}).status_code == 409
    assert here.post("/api/me/password", json=other).status_code == 200
    assert (here.get("/api/me").status_code, there.get("/api/me").status_code) == (200, 401)
    assert here.post("/api/me/password", json={"old": other["new"], "new": PASSWORD}).status_code == 200


def test_a_house_with_real_accounts_has_no_guests(site: Running) -> None:
    assert site.client().post("/api/guests").status_code == 404


@pytest.mark.clause("SEC-2")
def test_an_address_that_tries_too_often_waits(tmp_path: Path) -> None:
    config = quick(tmp_path / "house.db", demo=True, sign_ins_per_minute=2, requests_per_second=5)
    with running(config) as server:
        client = server.client()
        guest = client.enter()
        assert (guest["position"], guest["play_money"]) == ("patron", True)
        assert client.get_json("/api/me")["balance"] == "10000.00"
        who = {"person": "ann", "password": "whatever"}
        tries = [client.post("/api/session", json=who) for _ in range(4)]
        assert [each.status_code for each in tries] == [401, 401, 401, 429]
        assert int(tries[-1].headers["retry-after"]) > 0
        assert 429 in (client.get("/healthz").status_code for _ in range(200))


@pytest.mark.clause("PLY-4")
def test_sessions_end_by_themselves_when_nobody_does_anything(tmp_path: Path) -> None:
    async def an_hour_later(house: House) -> None:
        house.clock.seen(house.now() + 3_600_000)

    with running(quick(tmp_path / "house.db", idle_minutes=30)) as server:
        server.staffed()
        client = server.signed_in("ann")
        assert client.get("/api/me").status_code == 200
        server.do(an_hour_later)
        assert client.get("/api/me").status_code == 401
