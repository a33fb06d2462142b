"""Nobody makes a second person: somebody who tries over HTTP, with no password but their own, in every way there is (SEC-1)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from longhu.positions import Position
from longhu.protocol import CloseCode
from tests.server.running import PASSWORD, PEOPLE, Client, Running, quick, running
from tests.server.sockets import at

OWN = "a password of my own"
GIVEN = "chosen by somebody else"
NUMBERS = count(1)
COUNT = {"float_counted": "1000.00"}  # what two people sign


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(quick(tmp_path_factory.mktemp("second") / "house.db")) as server:
        server.staffed()
        server.open_table("T1", minimum="5.00", maximum="100.00", dealer="human")
        yield server


def code(answer: Any) -> str:
    """Why it was refused."""
    assert answer.status_code in (400, 403, 409), answer.text
    return str(answer.json().get("message", {}).get("code", ""))


def signature(person: str, password: str) -> dict[str, Any]:
    return {"signatures": [{"person": person, "password": password}]}


def taken_over(site: Running, person: str, given: str) -> Client:
    """Whoever chose the password signs in first, and chooses another as the owner would."""
    client = site.client()
    client.sign_in(person, given)
    assert client.post("/api/me/password", json={"old": given, "new": OWN}).status_code == 200
    return client


@pytest.mark.clause("SEC-1")
@pytest.mark.parametrize("who", ["sue", "pat", "gus", "olga"])
def test_nobody_alone_makes_changes_or_takes_over_somebody_of_the_staff(site: Running, who: str) -> None:
    client, before = site.signed_in(who), staff(site)
    below = [person for person, position in PEOPLE.items() if position is not None and PEOPLE[who] > position]  # type: ignore[operator]
    tries = [
        *(
            ("/api/people", {"person": f"puppet-of-{who}", "password": GIVEN, "position": position.value})
            for position in Position
            if position is not Position.PATRON
        ),
        *((f"/api/people/{each}/password", {"password": GIVEN}) for each in PEOPLE if PEOPLE[each] is not None),
        *(
            ("/api/people/" + each + "/acts", act("change-position", to=to))
            for each in PEOPLE
            for to in ("pit-manager", "dealer")
        ),
        *(("/api/people/" + each + "/acts", act("unlock")) for each in below),
        (f"/api/people/{who}/acts", act("change-position", to="casino-operator")),
    ]
    locked = [each for each in below if lock(site, each)]
    for path, told in tries:
        for signed in ({}, signature(who, PASSWORD), signature("dee", "a guess")):
            once = {"id": f"try-{next(NUMBERS)}"} if "act" in told else {}
            answer = client.post(path, json={**told, **once, **signed})
            assert answer.status_code in (403, 409), (path, told, answer.text)
    answer = client.post(
        "/api/people", json={"person": "x", "password": GIVEN, "second": "gus", "second_position": "casino-operator"}
    )
    assert answer.status_code == 400, "nobody says themselves who has signed"
    assert staff(site) == before
    for each in locked:
        both = {**act("unlock"), **signature("omar", PASSWORD)}
        assert site.signed_in("olga").post(f"/api/people/{each}/acts", json=both).status_code == 200


def act(name: str, **fields: str) -> dict[str, Any]:
    return {"id": f"try-{next(NUMBERS)}", "act": {"act": name, "why": "a try", **fields}}


def lock(site: Running, person: str) -> bool:
    return site.signed_in("olga").post(f"/api/people/{person}/acts", json=act("lock")).status_code == 200


def staff(site: Running) -> dict[str, str]:
    """Who holds which position, by the people page of somebody who only reads."""
    people = site.signed_in("alba").get_json("/api/people")["people"]
    return {each["person"]: each["position"] for each in people if each["position"] != "patron"}


@pytest.mark.clause("SEC-1")
def test_a_patron_whom_one_makes_alone_is_nobodys_second(site: Running) -> None:
    """A supervisor creates patrons alone: such an account signs for nothing, and is never moved among the staff."""
    pat = site.signed_in("pat")
    assert pat.post("/api/people", json={"person": "puppet", "password": GIVEN}).status_code == 201
    dealer = {"person": "another", "password": GIVEN, "position": "dealer"}
    assert code(pat.post("/api/people", json={**dealer, **signature("puppet", GIVEN)})) == "signer-password-given"
    puppet = taken_over(site, "puppet", GIVEN)
    assert code(pat.post("/api/people", json={**dealer, **signature("puppet", OWN)})) == "chose-the-password"
    gus = site.signed_in("gus")
    assert code(gus.post("/api/people", json={**dealer, **signature("puppet", OWN)})) == "second-person-too-low"
    signed = {**act("change-position", to="dealer"), **signature("gus", PASSWORD)}
    assert code(pat.post("/api/people/puppet/acts", json=signed)) == "patron-or-staff"
    assert code(pat.command("T1", "assign-staff", person="puppet", to="dealer", acting=True)) == "not-staff"
    assert puppet.post("/api/people", json=dealer).status_code == 403


@pytest.mark.clause("SEC-1")
def test_an_account_made_a_minute_ago_signs_for_nobody_who_made_it(site: Running) -> None:
    """A second person who signed in good faith is not enough: whoever chose the password signs in first, and is two."""
    pat = site.signed_in("pat")
    made = {"person": "shill", "password": GIVEN, "position": "pit-manager"}
    made["position"] = "pit-supervisor"
    assert pat.post("/api/people", json={**made, **signature("gus", PASSWORD)}).status_code == 201
    closing = {"id": "count", **COUNT}
    assert (
        code(pat.post("/api/tables/T1/closing", json={**closing, **signature("shill", GIVEN)}))
        == "signer-password-given"
    )
    shill = taken_over(site, "shill", GIVEN)
    for one, other, password in ((pat, "shill", OWN), (shill, "pat", PASSWORD), (site.signed_in("gus"), "shill", OWN)):
        answer = one.post("/api/tables/T1/closing", json={**closing, **signature(other, password)})
        assert code(answer) == "chose-the-password", "neither asks while the other signs"
        assert one.get_json("/api/floor/T1")["open"] is True
    ruled = {
        "id": "r",
        "command": {"command": "suspend-table", "reason": "x"},
        "by": "shill",
        **signature("shill", OWN),
    }
    assert code(pat.post("/api/tables/T1/commands", json=ruled)) == "chose-the-password", (
        "not at the dealer's screen either"
    )


@pytest.mark.clause("SEC-1")
def test_a_password_that_another_chose_does_nothing_at_a_socket(site: Running) -> None:
    """Before its owner has chosen another: neither a command, nor a signature sent by somebody else."""
    made = {"person": "fresh", "password": GIVEN, "position": "dealer", **signature("gus", PASSWORD)}
    assert site.signed_in("pat").post("/api/people", json=made).status_code == 201
    fresh = site.client()
    assert fresh.sign_in("fresh", GIVEN)["must_change_password"] is True
    with at(site, "T1", fresh) as socket:
        assert socket.closed()[0] == CloseCode.SESSION_OVER
    with at(site, "T1", site.signed_in("sue")) as socket:
        socket.until("snapshot")
        command = {"command": "suspend-table", "reason": "x"}
        socket.send({"type": "command", "id": "s", "command": command, **signature("fresh", GIVEN)})
        assert socket.until("refused", id="s")["reason"]["code"] == "signer-password-given"


def made(site: Running, by: Client, person: str, position: str) -> Client:
    """Somebody whose password `by` has chosen, with gus's signature, and used before its owner."""
    told = {"person": person, "password": GIVEN, "position": position, **signature("gus", PASSWORD)}
    assert by.post("/api/people", json=told).status_code == 201
    return taken_over(site, person, GIVEN)


def given(client: Client, table: str, name: str, **fields: Any) -> None:
    answer = client.command(table, name, **fields)
    assert answer.status_code == 200, answer.text


@pytest.mark.clause("SEC-1")
def test_whoever_chose_the_password_is_no_second_person_from_another_screen(site: Running) -> None:
    """Nor is one of two whose passwords the same person chose today."""
    pat, table = site.signed_in("pat"), site.open_table("T2", dealer="human", device="hand-shoe")
    shill, other = made(site, pat, "shill-1", "pit-supervisor"), made(site, pat, "shill-2", "dealer")
    for name, fields in (
        ("load-shoe", {}),
        ("call-place-your-bets", {}),
        ("call-no-more-bets", {}),
        ("draw-card", {"card": "2D"}),
    ):
        given(pat, table, name, **fields)
    given(pat, table, "report-irregularity", kind="foreign-card")
    for each in (shill, other):
        assert code(each.command(table, "confirm-report", number=1)) == "chose-the-password"
    given(pat, table, "reject-report", number=1, reason="it is one of ours")
    given(shill, table, "report-irregularity", kind="foreign-card")
    assert code(other.command(table, "confirm-report", number=2)) == "chose-both-passwords"
    assert code(pat.command(table, "confirm-report", number=2)) == "chose-the-password"
    signed = {
        "id": "s",
        "command": {"command": "confirm-report", "number": 2},
        "by": "shill-2",
        **signature("shill-2", OWN),
    }
    assert code(shill.post(f"/api/tables/{table}/commands", json=signed)) == "chose-both-passwords"
    given(site.signed_in("dee"), table, "confirm-report", number=2)


@pytest.mark.clause("SEC-1", "OPS-3")
def test_the_four_people_of_a_fill_have_not_chosen_each_others_passwords(site: Running) -> None:
    table = site.open_table("T3", dealer="human", device="hand-shoe")
    pat, cass, dee = (site.signed_in(each) for each in ("pat", "cass", "dee"))
    runner = made(site, pat, "shill-3", "dealer")
    given(dee, table, "take-the-deal")
    given(pat, table, "request-chips", kind="fill", amount="50.00")
    given(cass, table, "issue-chips", number=1)
    assert code(runner.command(table, "deliver-chips", number=1)) == "chose-the-password"
    given(site.signed_in("sue"), table, "deliver-chips", number=1)
    given(dee, table, "accept-chips", number=1)


@pytest.mark.clause("SEC-1", "LOG-4")
def test_two_people_make_a_third_and_both_are_on_record(site: Running) -> None:
    made = {"person": "third", "password": GIVEN, "position": "cage"}
    olga = site.signed_in("olga")
    assert code(olga.post("/api/people", json={**made, **signature("gus", PASSWORD)})) == "second-person-too-low"
    assert olga.post("/api/people", json={**made, **signature("omar", PASSWORD)}).status_code == 201
    (created,) = site.signed_in("alba").get_json("/api/audit/people/third")["records"]
    assert (created["event"]["by"], created["event"]["second"]) == ("olga", "omar")
    person = olga.get_json("/api/people/third")
    assert person["signed"] == {"change-position": "casino-operator", "reset-password": "casino-operator"}
