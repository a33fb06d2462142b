"""What people try who mean no good, and what a machine does that means nothing: full disks, clocks that jump.

Sessions, tokens, origins and lock-out are tried in test_http_session and test_socket, frames and bodies that are none in
test_socket, test_http_edges and test_openapi, amounts in test_http_tables. Here is what goes beyond one request.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import msgspec
import pytest
from msgspec import inspect as forms

from longhu.accounts.alerts import Significant
from longhu.accounts.house_log import ALERT_CLOCK_STEP
from longhu.eventsourcing import Refusal
from longhu.positions import Position
from longhu.server.api import operations
from longhu.server.codec import ACCEPTED, KINDS
from longhu.server.house import House
from longhu.server.streams.commands import Actor
from longhu.server.timers import MILLISECOND, Clock
from longhu.store.integrity import check_chain, check_money, check_wallets
from longhu.store.sqlite import SqliteStore
from longhu.table.state import Phase, Table
from tests.server.conftest import an_empty_database
from tests.server.houses import a_house, a_patron, a_table, bets, betting, checked, done, recorded, staff, until
from tests.server.running import PASSWORD, Client, Running, quick, running
from tests.server.sockets import Socket, at
from tests.store.server import Server

DAY, HOUR = 86_400_000, 3_600_000


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Running]:
    """A house of play money with a dealer at its one table, so that nothing happens by itself."""
    with running(quick(tmp_path / "house.db", demo=True)) as server:
        server.staffed()
        server.open_table("T1", dealer="human")
        yield server


def sits(client: Client, table: str = "T1", seat: int | None = None, buy_in: str | None = "100.00") -> None:
    answer = client.post(f"/api/tables/{table}/seat", json={"id": uuid4().hex, "seat": seat, "buy_in": buy_in})
    assert answer.status_code == 200, answer.text


def state_of(server: Running, table: str = "T1") -> Table:
    return server.until(table, lambda _: True)


# ------------------------------------------------ everything that a command can be


def filled(
    form: type[msgspec.Struct], person: str, position: str | None = None, *, whole: bool = True
) -> dict[str, Any]:
    """A command with something in every field, or in those that must be there."""
    told = forms.type_info(form)
    assert isinstance(told, forms.StructType)
    given = {
        each.encode_name: value_of(each.encode_name, each.type, person)
        for each in told.fields
        if each.required or whole
    }
    return {**given, "command": told.tag, "position": position}


def value_of(name: str, kind: forms.Type, person: str) -> Any:
    """Something sensible: the person, where a person can be named."""
    known: dict[str, Any] = {
        "patron": person, "person": person, "patrons": [person], "counted_by": ["ann", "bob"], "declined": [person],
        "wager": "dragon", "hand": "dragon", "card": "7H", "cards": ["7H"], "kind": "fill", "winner": "dragon",
        "amount": "5.00", "most": "500.00", "float_counted": "1.00", "chips": ["5.00"], "seat": 2, "decision": "void",
    }  # fmt: skip
    match kind:
        case forms.UnionType():
            return value_of(name, next(each for each in kind.types if not isinstance(each, forms.NoneType)), person)
        case forms.LiteralType():
            return kind.values[-1]
        case forms.IntType():
            return 1
        case forms.BoolType():
            return True
        case forms.DictType() | forms.StructType():
            return {}
        case forms.VarTupleType():
            return known.get(name) or [value_of("", kind.item_type, person)]
        case forms.TupleType():
            return [value_of("", each, person) for each in kind.item_types]
        case _:
            return known.get(name, "x")


def others(server: Running) -> tuple[Any, ...]:
    """Everything at the table that is not Ann's own."""
    state = state_of(server)
    round = state.round
    return (
        state.settings,
        state.staff,
        state.dealer,
        state.suspended,
        state.stopped,
        state.shoe,
        {each: held for each, held in state.balances.items() if each in ("patron:bob", "float:T1", "cage", "drop:T1")},
        state.people["bob"],
        round and (round.number, round.phase, round.cards, round.stakes_of("bob")),
        server.house.store.wallet("bob"),
    )


def worth(server: Running, person: str) -> int:
    """What somebody has in all."""
    state = state_of(server)
    staked = sum(each.amount for each in state.round.stakes_of(person)) if state.round else 0
    return (server.house.store.wallet(person) or 0) + state.balances.get(f"patron:{person}", 0) + staked


def tries_everything(ann: Client, socket: Socket, moment: int) -> set[str]:
    """Every command, about herself and about Bob, as what she is and as a casino operator; what was done.

    By both ways in turn, beginning with the other at the next moment.
    """
    accepted: set[str] = set()
    for number, (name, form) in enumerate(ACCEPTED.items(), moment):
        if name == "leave-table":
            continue
        for turn, asked in enumerate(
            (
                filled(form, "ann", whole=False),
                filled(form, "bob"),
                filled(form, "bob", "casino-operator", whole=False),
            ),
            number,
        ):
            position = asked["position"]
            if turn % 2:
                answer = ann.post("/api/tables/T1/commands", json={"id": uuid4().hex, "command": asked})
                assert answer.status_code in (200, 400, 409), (asked, answer.text)
                done = answer.status_code == 200
            else:
                told = socket.ask(asked.pop("command"), **asked)
                assert told["type"] in ("done", "refused", "problem"), (asked, told)
                assert told.get("status", 400) == 400, (asked, told)
                done = told["type"] == "done"
            if done:
                assert position is None, asked
                accepted.add(name)
    return accepted


@pytest.mark.clause("SEC-1", "MON-1")
def test_a_patron_tries_everything_at_every_moment_of_a_round(site: Running) -> None:
    """Between rounds, while betting is open, and while cards are dealt."""
    ann, bob, dee = (site.signed_in(person) for person in ("ann", "bob", "dee"))
    sits(ann, seat=1)
    sits(bob, seat=2)
    before = worth(site, "ann")
    shoe = dee.post("/api/tables/T1/shoe", headers={"Idempotency-Key": "shoe"})
    assert shoe.status_code == 200, shoe.text
    site.until("T1", lambda table: table.shoe is not None)
    with at(site, "T1", ann) as socket:
        for moment, acts in enumerate(((), ("call-place-your-bets",), ("call-no-more-bets", "draw-card"))):
            for name in acts:
                assert dee.command("T1", name).status_code == 200, name
            if acts == ("call-place-your-bets",):
                placed = bob.command("T1", "place-wager", place=2, wager="tiger", amount="5.00")
                assert placed.status_code == 200, placed.text
            untouched = others(site)
            accepted = tries_everything(ann, socket, moment)
            assert {KINDS[ACCEPTED[name]].needs for name in accepted} <= {Position.PATRON}, accepted
            assert others(site) == untouched
            assert worth(site, "ann") == before
            if acts == ("call-place-your-bets",):
                assert "place-wager" in accepted  # so that it was not all in vain


# ------------------------------------------------ replays


@pytest.mark.clause("REC-3", "MON-3")
def test_coming_buying_and_leaving_are_done_once_however_often_they_are_sent(site: Running) -> None:
    """Old requests that arrive again, in the middle of another visit, move nothing of that visit."""
    ann, dee = site.signed_in("ann"), site.signed_in("dee")
    chips, seat = "/api/tables/T1/chips", "/api/tables/T1/seat"
    first: list[tuple[str, str, dict[str, Any]]] = [
        ("POST", seat, {"json": {"id": "sit", "seat": 1, "buy_in": "50.00"}}),
        ("POST", chips, {"json": {"id": "more", "amount": "20.00"}}),
        ("DELETE", seat, {"params": {"id": "go"}}),
    ]
    answers = [ann.request(method, path, **told) for method, path, told in first]
    assert [each.status_code for each in answers] == [200] * 3, [each.text for each in answers]
    sits(ann, seat=3)
    assert dee.post("/api/tables/T1/shoe", headers={"Idempotency-Key": "shoe"}).status_code == 200
    site.until("T1", lambda table: table.shoe is not None)
    assert dee.command("T1", "call-place-your-bets").status_code == 200
    assert ann.command("T1", "place-wager", place=3, wager="tie", amount="5.00").status_code == 200
    before = state_of(site)
    for forgets in (False, True):
        if forgets:
            site.forget_ids()
        for (method, path, told), answer in zip(first, answers, strict=True):
            again = ann.request(method, path, **told)
            assert (again.status_code, again.json()) == (200, {**answer.json(), "duplicate": True})
    after = state_of(site)
    assert (after.people, after.balances, after.round) == (before.people, before.balances, before.round)


@pytest.mark.clause("REC-3")
def test_leaving_that_was_refused_stays_refused_under_its_id(site: Running) -> None:
    """Her wager is on the layout: she cannot leave. Sent again when the round is over, it takes no chips away behind her."""
    ann, dee = site.signed_in("ann"), site.signed_in("dee")
    sits(ann, seat=1)
    assert dee.post("/api/tables/T1/shoe", headers={"Idempotency-Key": "shoe"}).status_code == 200
    site.until("T1", lambda table: table.shoe is not None)
    assert dee.command("T1", "call-place-your-bets").status_code == 200
    assert ann.command("T1", "place-wager", place=1, wager="tie", amount="5.00").status_code == 200
    assert dee.command("T1", "call-no-more-bets").status_code == 200
    refused = ann.delete("/api/tables/T1/seat", params={"id": "go"})
    assert refused.status_code == 409
    for name in ("draw-card", "draw-card", "announce-result", "settle-round"):
        assert dee.command("T1", name).status_code == 200, name
    before = state_of(site).balances["patron:ann"]
    again = ann.delete("/api/tables/T1/seat", params={"id": "go"})
    assert (again.status_code, again.json()["detail"]) == (409, refused.json()["detail"])
    assert state_of(site).balances["patron:ann"] == before
    assert ann.delete("/api/tables/T1/seat", params={"id": "go-2"}).status_code == 200


@pytest.mark.clause("REC-3", "SEC-2")
def test_an_id_is_its_owners_on_every_way_in(site: Running) -> None:
    """What Ann sent over HTTP is known at the socket; Bob's same id is something else; hers is not his to repeat."""
    ann, bob = site.signed_in("ann"), site.signed_in("bob")
    sits(ann)
    sits(bob)
    first = ann.command("T1", "cash-out", id="mine", amount="1.00").json()
    with at(site, "T1", ann) as socket:
        again = socket.ask("cash-out", id="mine", amount="1.00")
        assert (again["first"], again["last"], again["duplicate"]) == (first["first"], first["last"], True)
        assert socket.ask("cash-out", id="mine", amount="2.00")["about"] == "/api/problems#id-reused"
    with at(site, "T1", bob) as socket:
        his = socket.ask("cash-out", id="mine", amount="3.00")
        assert his["type"] == "done"
        assert "duplicate" not in his
    balances = state_of(site).balances
    assert (balances["patron:ann"], balances["patron:bob"]) == (99_00, 97_00)


@pytest.mark.clause("REC-3", "RUL-6")
def test_a_shoe_is_made_once_however_many_act_at_the_table_meanwhile(tmp_path: Path) -> None:
    """The dealer's request comes three times at once, while patrons come to the table."""

    async def main() -> None:
        async with a_house(str(tmp_path / "house.db")) as house:
            live, dee = await a_table(house, dealer="human"), await staff(house, "dee", Position.DEALER)
            patrons = [await a_patron(house, f"patron-{number}") for number in range(12)]
            asked = [house.new_shoe(dee, "T1", "shoe") for _ in range(3)]
            answers = await asyncio.gather(*asked, *(house.join(each, "T1", None) for each in patrons))
            assert len({(done(each).first, done(each).last) for each in answers[:3]}) == 1
            await until(live, lambda table: table.shoes == 1)
            assert len(live.state.people) == 12

    asyncio.run(main())


# ------------------------------------------------ frames


def test_no_message_however_mangled_is_a_defect(site: Running) -> None:
    """Good messages with a piece of them cut out, doubled or replaced: each is answered, by the rules or as unreadable."""
    ann, chance = site.signed_in("ann"), Random(6)
    sits(ann)
    good = [json.dumps({"type": "command", "id": "x", "command": filled(form, "bob")}) for form in ACCEPTED.values()]
    pieces = ["null", "-1", "1e999", '"\\u0000"', "{}", "[]", "true", "9" * 40, '"é龍"', ",", '"', "\\", "}"]
    before = worth(site, "ann")
    with at(site, "T1", ann) as socket:
        for number in range(400):
            text = chance.choice(good)
            start = chance.randrange(len(text))
            end = min(len(text), start + chance.randrange(12))
            middle = chance.choice(["", text[start:end] * 2, chance.choice(pieces)])
            socket.send(text[:start] + middle + text[end:])
            if number % 10 == 9:  # a good one in between, for nothing but nonsense is shown the door
                socket.send({"type": "ping", "id": str(number)})
                socket.until("pong", id=str(number))
        found = [each for each in socket.got if each["type"] == "problem"]
    assert len(found) > 100
    assert {each["status"] for each in found} <= {400, 409}, [each for each in found if each["status"] >= 500]
    assert worth(site, "ann") == before


# ------------------------------------------------ one balance, many hands


@pytest.mark.clause("MON-3")
def test_two_nodes_and_many_browsers_spend_one_balance_once(postgresql: Server) -> None:
    """Ann has 1000.00 and asks at two servers at once, in eight browsers: 8 times 150.00 paid out, 8 times 150.00 in chips."""
    database = an_empty_database(postgresql)
    with (
        running(quick(database, demo=True, node="one")) as one,
        running(quick(database, demo=True, node="two")) as two,
    ):
        one.staffed()
        for table in ("T1", "T2"):
            one.open_table(table, dealer="human")
            assert two.do(lambda house, table=table: house.stream(table)) is not None  # type: ignore[misc]
        clients = [server.signed_in("ann") for server in (one, two) for _ in range(4)]
        for table in ("T1", "T2"):
            sits(clients[0], table, buy_in=None)

        def spends(number: int) -> int:
            client = clients[number % len(clients)]
            if number % 2:
                answer = client.post("/api/me/withdrawals", json={"id": f"out-{number}", "amount": "150.00"})
            else:
                asked = {"id": f"chips-{number}", "amount": "150.00"}
                answer = client.post(f"/api/tables/T{1 + number // 8}/chips", json=asked)
            return answer.status_code

        with ThreadPoolExecutor(len(clients)) as together:
            answers = list(together.map(spends, range(16)))
        assert sorted(answers) == [200] * 6 + [409] * 10
        assert one.house.store.wallet("ann") == 100_00
        assert check_wallets(one.house.store) == check_wallets(two.house.store)


# ------------------------------------------------ sessions


@pytest.mark.clause("SEC-2")
def test_a_token_that_somebody_planted_is_never_a_session(site: Running) -> None:
    planted = "A" * 43
    victim, attacker = site.client(), site.client()
    for each in (victim, attacker):
        each.cookies.set("longhu", planted, domain="127.0.0.1")
    victim.post("/api/session", json={"person": "ann", "password": PASSWORD}).raise_for_status()
    assert victim.cookies.get("longhu", domain="127.0.0.1", path="/") != planted
    assert attacker.get("/api/me").status_code == 401
    own = site.signed_in("bob")  # and the token of a change is that of the very session
    other = site.signed_in("bob")
    own.headers["X-Longhu-CSRF"] = other.headers["X-Longhu-CSRF"]
    assert own.post("/api/me/deposits", json={"id": "d", "amount": "5.00"}).status_code == 403


# ------------------------------------------------ a full disk


def limit(store: SqliteStore, pages: int) -> None:
    """How large the file may become; less than it has means: not a page more."""
    with store._lock:
        list(store._writer.execute(f"pragma max_page_count = {pages}"))


@pytest.mark.clause("REC-3")
def test_a_disk_that_is_full_and_then_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Real pages run out in the middle of play: refused with 503, read as before, and gone on with when there is room."""
    monkeypatch.setattr(operations, "PROBE_MS", 0)
    with running(quick(tmp_path / "house.db", demo=True)) as server:
        server.staffed()
        server.open_table("T1")
        ann, store = server.signed_in("ann"), server.house.store
        assert isinstance(store, SqliteStore)
        sits(ann, seat=1)
        limit(store, 1)
        taken: list[str] = []
        for number in range(2000):
            answer = ann.post("/api/me/deposits", json={"id": f"d{number}", "amount": "1.00", "reference": "x" * 90})
            if answer.status_code != 200:
                break
            taken.append(f"d{number}")
        assert (answer.status_code, answer.json()["type"]) == (503, "/api/problems#unavailable"), answer.text
        me = ann.get_json("/api/me")
        assert float(me["balance"]) == 900 + len(taken)
        with at(server, "T1", ann) as socket:
            assert socket.next()["type"] == "snapshot"
        limit(store, 1_000_000)
        again = ann.post("/api/me/deposits", json={"id": f"d{number}", "amount": "1.00", "reference": "x" * 90})
        assert (again.status_code, again.json()["duplicate"]) == (200, False)
        dealt = state_of(server).rounds
        server.until("T1", lambda table: table.rounds > dealt or betting(table))  # the dealer goes on by himself
        server.until("T1", betting)
        assert ann.command("T1", "place-wager", place=1, wager="tie", amount="5.00").status_code == 200
        server.until("T1", lambda table: table.round is None or table.round.phase is not Phase.BETTING)
        assert server.client().get("/readyz").status_code == 200
        for trail in ("T1", "person:ann"):
            check_chain(store, trail)
            check_money(store, trail)
        assert check_wallets(store)
        assert store.wallet("ann") == 900_00 + 100 * (len(taken) + 1)


# ------------------------------------------------ a clock that jumps


class Jumping:
    """The clock of the machine, moved by hand while it goes on."""

    def __init__(self) -> None:
        self.moved = 0
        self.clock = Clock(lambda: time.time_ns() + self.moved * MILLISECOND)


@pytest.mark.clause("LOG-8", "REC-1")
@pytest.mark.parametrize("step", [-HOUR, DAY], ids=["back an hour", "forward a day"])
def test_a_clock_that_jumps_in_the_middle_of_a_round_harms_nothing(step: int, tmp_path: Path) -> None:
    """Betting still closes when it should or at once, the round ends, no record is before the last, and it is on record."""

    async def main() -> None:
        machine = Jumping()
        async with a_house(str(tmp_path / "house.db"), clock=machine.clock, betting_seconds=0.3, node="one") as house:
            live, ann = await a_table(house), await a_patron(house, "ann")
            done(await house.join(ann, "T1", 1, 10_000))
            await until(live, betting)
            done(await bets(house, ann, "dragon"))
            machine.moved = step
            started = asyncio.get_running_loop().time()
            assert (house.countdown(live) or 0) <= 300
            await until(live, lambda table: table.rounds >= 1 and not (table.round and table.round.number == 1))
            assert asyncio.get_running_loop().time() - started < 5
            await bets_again(house, ann)
            await house.maintenance.note_clock()
            (alert,) = [each for each in await house.house_log.alerts() if each.kind is Significant.CLOCK_STEP]
            assert alert.message == ALERT_CLOCK_STEP(node="one", seconds=f"{step / 1000:+.1f}")
            times = [each.at for each in recorded(house)]
            assert times == sorted(times)
            assert [each.net for each in house.store.plays("ann")]

    asyncio.run(main())
    with contextlib.closing(SqliteStore(tmp_path / "house.db")) as store:
        assert checked(store).rounds == 2


async def bets_again(house: House, ann: Actor) -> None:
    """Another round, all of it after the step."""
    live = house.tables["T1"]
    await until(live, lambda table: betting(table) and table.rounds == 2)
    placed = await bets(house, ann, "dragon")
    if isinstance(placed, Refusal):  # she has been here for a day, by that clock
        assert placed.clause == "PLY-2"
        done(await house.people.acknowledge(ann))
        placed = await bets(house, ann, "dragon")
    done(placed)
    await until(live, lambda table: table.rounds == 2 and table.round is None)
