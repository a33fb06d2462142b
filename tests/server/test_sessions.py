"""Signing in and out: passwords, lock-out, tokens that only the browser has, sessions that end."""

from __future__ import annotations

import asyncio
import hashlib
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

import pytest
from msgspec.structs import replace

from longhu.accounts.account import CloseAccount
from longhu.accounts.alerts import Significant
from longhu.accounts.messages import HouseCommand
from longhu.accounts.sign_in_rules import LockAccount, SessionEnded, SignInRefused, UnlockAccount
from longhu.accounts.state import Alert
from longhu.accounts.times import HOUR, MINUTE, SECOND
from longhu.eventsourcing import Refusal
from longhu.positions import Position
from longhu.server.accounts import sign_in
from longhu.server.accounts.passwords import WAITING_MAX, Passwords
from longhu.server.accounts.sessions import AHEAD, BELIEVED, CACHED_MAX, Sessions, digest_of, id_of
from longhu.server.accounts.sign_in import ALERT_BURST, ALERT_GUESSING, ALERT_LOCKED, WRONG, SignedIn
from longhu.server.streams.commands import SYSTEM, Actor, Committed, StoreUnavailable
from longhu.store.entries import Session
from longhu.store.interface import Store
from tests.server.residents import PASSWORD, QUICK, START, Residents, residents, run

SHIFT = Actor("max", Position.GAMING_SHIFT_MANAGER)
ANN = Actor("ann", Position.PATRON)


def watched(monkeypatch: pytest.MonkeyPatch, store: Store, name: str) -> list[tuple[object, ...]]:
    """Every question of one kind that is asked of a store from here on."""
    asked: list[tuple[object, ...]] = []
    answer = getattr(store, name)

    def heard(*arguments: object) -> object:
        asked.append(arguments)
        return answer(*arguments)

    monkeypatch.setattr(store, name, heard)
    return asked


# ------------------------------------------------ passwords


@pytest.mark.clause("SEC-2")
def test_passwords_are_kept_as_argon2id(tmp_path: Path) -> None:
    with residents(tmp_path / "house.db") as house:
        account = run(house.create("ann"))
        assert account.password.startswith("$argon2id$v=19$m=8,t=1,p=1$")
        stored = b"".join(house.store.records("person:ann"))
        assert PASSWORD.encode() not in stored


def test_the_same_letters_from_another_keyboard_are_the_same_password(tmp_path: Path) -> None:
    async def story() -> None:
        await house.create("ann", password="Übermorgen früh")
        await house.sign_in(password="U\u0308bermorgen fru\u0308h")
        await house.sign_in(" ANN ", "Übermorgen früh")

    with residents(tmp_path / "house.db") as house:
        run(story())


@pytest.mark.clause("SEC-2", "LOG-5")
def test_three_wrong_passwords_lock_the_account_and_raise_an_alert(database: str) -> None:
    async def story() -> None:
        await house.create("ann")
        assert [await house.wrong() for _ in range(3)] == [WRONG] * 3
        assert await house.wrong(password=PASSWORD) == WRONG  # nobody learns that it is the right one
        assert await house.wrong() == WRONG, "who does not know the password learns nothing of the lock"
        (alert,) = await house.people.house_log.alerts()
        found = ALERT_LOCKED(person="ann", failures=3, source="unknown", address="192.0.2.9")
        assert alert == Alert(1, Significant.LOCKED, START, found, person="ann")
        house.later(QUICK.lock_minutes * MINUTE)
        signed_in = await house.sign_in(address="192.0.2.9")
        assert signed_in.account.failures_since == 5
        assert await house.people.house_log.alerts() == [alert], "an alert stays open"
        assert await house.is_as_stored()

    with residents(database) as house:
        run(story())
        refused = [event for event in house.events() if isinstance(event, SignInRefused)]
        assert {event.address for event in refused} == {"192.0.2.9"}


@pytest.mark.clause("SEC-2")
def test_staff_unlock_an_account(tmp_path: Path) -> None:
    async def story() -> None:
        await house.create("ann")
        for _ in range(3):
            await house.wrong()
        await house.done(UnlockAccount(why="seen in person"), SHIFT)
        await house.sign_in(address="192.0.2.9")

    with residents(tmp_path / "house.db") as house:
        run(story())


@pytest.mark.clause("SEC-2")
def test_many_tries_at_once_are_no_more_tries(tmp_path: Path) -> None:
    """On two nodes, each with a crowd of guesses: the fourth of them is right, and comes too late."""

    async def story() -> None:
        await house.create("ann")
        guesses = ["guess", "guess again", "and again", PASSWORD, *(f"guess {number}" for number in range(9))]
        found = await asyncio.gather(
            *(node.people.sign_in("ann", guess, "192.0.2.9", "") for node in (house, other) for guess in guesses)
        )
        assert all(isinstance(each, Refusal) for each in found)
        assert house.names().count("account-locked/1") == 1

    with residents(tmp_path / "house.db") as house:
        other = house.beside()
        run(story())
        other.close()


@pytest.mark.clause("SEC-2")
def test_a_guess_waits_for_those_before_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fourth guess is right and quick, the three before it are wrong and slow: it is still the fourth."""
    right = asyncio.Event()

    async def is_right(password: str, _kept: str) -> bool:
        if password == PASSWORD:
            right.set()
            return True
        for _ in range(100):
            await asyncio.sleep(0)
        return False

    async def story() -> None:
        await house.create("ann")
        monkeypatch.setattr(house.people.authentication.passwords, "is_right", is_right)
        tries = [house.people.sign_in("ann", each, "", "") for each in ("one", "two", "three", PASSWORD)]
        found = await asyncio.gather(*tries)
        assert right.is_set()
        assert all(isinstance(each, Refusal) for each in found)

    with residents(tmp_path / "house.db") as house:
        run(story())


@pytest.mark.clause("SEC-2", "LOG-5")
def test_a_stranger_gets_the_same_answer_and_is_on_record_without_the_name(tmp_path: Path) -> None:
    async def story() -> None:
        await house.create("ann")
        assert await house.wrong("hunter2-is-my-password") == await house.wrong("ann") == WRONG
        assert await house.people.account("hunter2-is-my-password") is None

    with residents(tmp_path / "house.db") as house:
        run(story())
        assert house.names("house") == ["unknown-names-refused/1"]
        assert not any(b"hunter2" in line for line in house.store.records("house"))
        assert [each.name for each in house.store.trails()] == ["house", "person:ann"]


@pytest.mark.clause("SEC-2")
def test_a_stranger_waits_as_long_as_somebody_with_a_wrong_password(tmp_path: Path) -> None:
    async def story() -> None:
        await house.create("ann")

        async def took(person: str) -> float:
            start = time.perf_counter()
            await house.wrong(person)
            return time.perf_counter() - start

        known, unknown = [], []
        for _ in range(9):
            known.append(await took("ann"))
            unknown.append(await took("nobody-here"))
        assert 1 / 3 < median(unknown) / median(known) < 3

    with residents(tmp_path / "house.db", hash_memory_kib=4096, hash_time=8) as house:
        run(story())


@pytest.mark.clause("LOG-3")
def test_a_burst_of_wrong_sign_ins_raises_one_alert(tmp_path: Path) -> None:
    async def story() -> None:
        for number in range(30):
            await house.wrong(f"stranger-{number}")
            house.later(SECOND)
        (alert,) = await house.people.house_log.alerts()
        assert alert.kind is Significant.SIGN_IN_FAILURES
        assert alert.message == ALERT_BURST(failures=10, minutes=5)

    with residents(tmp_path / "house.db", burst=10) as house:
        run(story())


def test_wrong_sign_ins_now_and_then_are_no_burst(tmp_path: Path) -> None:
    async def story() -> None:
        for number in range(30):
            await house.wrong(f"stranger-{number}")
            house.later(MINUTE)
        assert await house.people.house_log.alerts() == []

    with residents(tmp_path / "house.db", burst=10) as house:
        run(story())


@pytest.mark.clause("LOG-5")
def test_an_attack_does_not_fill_the_disk_and_is_counted_to_the_last_try(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sign_in, "RECORDS", 5)

    async def story() -> None:
        await house.create("ann")
        for _ in range(40):
            await house.wrong()
        house.later(MINUTE)
        await house.wrong()

    with residents(tmp_path / "house.db", lock_minutes=60) as house:
        run(story())
        refused = [event.times for event in house.events() if isinstance(event, SignInRefused)]
        assert refused == [1, 1, 1, 1, 1, 36]


def test_too_many_who_sign_in_at_once_are_turned_away() -> None:
    async def story() -> None:
        tries = [passwords.is_right("x", "") for _ in range(WAITING_MAX + 5)]
        found = await asyncio.gather(*tries, return_exceptions=True)
        assert sum(isinstance(each, StoreUnavailable) for each in found) == 5
        assert sum(each is False for each in found) == WAITING_MAX
        assert not await passwords.is_right("x", "")

    passwords = Passwords(QUICK)
    run(story())
    passwords.close()


@pytest.mark.clause("SEC-2")
def test_a_new_password_ends_all_other_sessions(tmp_path: Path) -> None:
    async def story() -> None:
        await house.create("ann")
        here, there = await house.sign_in(), await house.sign_in()
        new = "another good password"
        for old, wrong in (("not it", "the old password is wrong"), (PASSWORD, "")):
            done = await house.people.change_password(ANN, "ann", new, old=old, but=here.token)
            assert isinstance(done, Refusal) is bool(wrong)
        assert await house.people.actor(here.token) is not None
        assert await house.people.actor(there.token) is None
        assert await house.wrong(password=PASSWORD) == WRONG
        await house.sign_in(password=new)
        short = await house.people.change_password(ANN, "ann", "short", old=new)
        assert isinstance(short, Refusal)

    with residents(tmp_path / "house.db") as house:
        run(story())


@pytest.mark.clause("SEC-1")
def test_staff_give_a_new_password_to_those_below_them_only(tmp_path: Path) -> None:
    async def story() -> None:
        await house.create("ann")
        await house.create("moe", Position.GAMING_SHIFT_MANAGER)
        token = (await house.sign_in()).token
        new = "another good password"
        second = Actor("sue", Position.PIT_SUPERVISOR)
        assert isinstance(await house.people.change_password(SHIFT, "ann", new), Refusal)
        assert isinstance(await house.people.change_password(SHIFT, "ann", new, second=second), Committed)
        assert await house.people.actor(token) is None
        for by, person in (
            (SHIFT, "moe"),
            (Actor("mia", Position.PIT_MANAGER), "ann"),
            (Actor("otto", Position.AUDITOR), "ann"),
            (Actor("bob", Position.PATRON), "ann"),
            (SHIFT, "nobody"),
        ):
            assert isinstance(await house.people.change_password(by, person, new, second=second), Refusal)

    with residents(tmp_path / "house.db") as house:
        run(story())


@pytest.mark.clause("SEC-1", "SEC-2")
def test_a_second_signature_is_a_password_and_wrong_ones_count(tmp_path: Path) -> None:
    async def story() -> None:
        await house.create("sue", Position.PIT_SUPERVISOR)
        signed = await house.people.signed("sue", PASSWORD, "10.0.0.7", "dee")
        assert not isinstance(signed, Refusal)
        assert signed.position is Position.PIT_SUPERVISOR
        for _ in range(3):
            assert await house.people.signed("sue", "wrong", "10.0.0.7", "dee") == WRONG
        assert isinstance(await house.people.signed("sue", PASSWORD, "10.0.0.7", "dee"), Refusal)

    with residents(tmp_path / "house.db") as house:
        run(story())
        assert "session-started/1" not in house.names("person:sue")
        tried = [event for event in house.events("person:sue") if isinstance(event, SignInRefused)]
        assert {(each.address, each.why) for each in tried} == {("10.0.0.7", "signature sent by dee")}


# ------------------------------------------------ an attacker from elsewhere


async def hammers(house: Residents, person: str = "ann", addresses: int = 20, times: int = 3) -> None:
    """Wrong passwords for one account, from many addresses at once."""
    tries = [
        house.people.sign_in(person, f"guess {each}", f"203.0.113.{number}", "a program")
        for each in range(times)
        for number in range(addresses)
    ]
    assert all(each == WRONG for each in await asyncio.gather(*tries))


@pytest.mark.clause("SEC-2")
def test_the_owner_signs_in_on_a_known_device_while_somebody_guesses(database: str) -> None:
    async def story() -> None:
        await house.create("ann")
        device = (await house.sign_in()).device
        await hammers(house)
        mistaken = await house.wrong(address="198.51.100.1", device=device)
        assert mistaken == WRONG, "the owner mistypes"
        assert (await house.sign_in(address="198.51.100.1", device=device)).device == device
        await house.sign_in(address="192.0.2.1")  # and without what the browser kept, from where they were before
        assert await house.wrong(password=PASSWORD, address="203.0.113.200") == WRONG, "from elsewhere nobody does"
        assert await house.wrong(password=PASSWORD, address="203.0.113.3", device="x" * 43) == WRONG
        assert await house.is_as_stored()
        other = house.beside()
        await other.sign_in(address="198.51.100.2", device=device)
        other.close()

    with residents(database) as house:
        run(story())


@pytest.mark.clause("SEC-2")
def test_the_owner_does_not_wait_behind_those_who_guess(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    never = asyncio.Event()

    async def is_right(password: str, _kept: str) -> bool:
        if password != PASSWORD:
            await never.wait()
        return password == PASSWORD

    async def story() -> None:
        await house.create("ann")
        device = (await house.sign_in()).device
        monkeypatch.setattr(house.people.authentication.passwords, "is_right", is_right)
        attack = asyncio.create_task(hammers(house))
        await asyncio.sleep(0.01)
        async with asyncio.timeout(5):
            await house.sign_in(address="198.51.100.1", device=device)
        attack.cancel()

    with residents(tmp_path / "house.db") as house:
        run(story())


@pytest.mark.clause("SEC-1", "SEC-2")
def test_a_signature_and_a_new_password_are_taken_while_somebody_guesses(tmp_path: Path) -> None:
    async def story() -> None:
        await house.create("sue", Position.PIT_SUPERVISOR)
        await hammers(house, "sue")
        signed = await house.people.signed("sue", PASSWORD, "10.0.0.7", "dee")
        assert not isinstance(signed, Refusal)
        sue = Actor("sue", Position.PIT_SUPERVISOR)
        done = await house.people.change_password(sue, "sue", "another good password", old=PASSWORD)
        assert isinstance(done, Committed)

    with residents(tmp_path / "house.db") as house:
        run(story())


@pytest.mark.clause("SEC-2")
def test_wrong_signatures_lock_signatures_of_that_sender_only(tmp_path: Path) -> None:
    async def story() -> None:
        await house.create("sue", Position.PIT_SUPERVISOR)
        for _ in range(3):
            assert await house.people.signed("sue", "wrong", "10.0.0.7", "dee") == WRONG
        assert await house.people.signed("sue", PASSWORD, "10.0.0.7", "dee") == WRONG
        assert not isinstance(await house.people.signed("sue", PASSWORD, "10.0.0.7", "don"), Refusal)
        await house.sign_in("sue")
        (alert,) = await house.people.house_log.alerts()
        found = ALERT_LOCKED(person="sue", failures=3, source="session", address="dee")
        assert (alert.kind, alert.message) == (Significant.LOCKED, found)

    with residents(tmp_path / "house.db") as house:
        run(story())


@pytest.mark.clause("SEC-2")
def test_guesses_from_twenty_addresses_are_bounded(tmp_path: Path) -> None:
    """Of 400 passwords that come within an hour, fifteen are looked at."""

    async def story() -> None:
        await house.create("ann")
        for _ in range(20):
            await hammers(house, times=1)
            house.later(3 * MINUTE)

    with residents(tmp_path / "house.db") as house:
        run(story())
        refused = [event for event in house.events() if isinstance(event, SignInRefused)]
        assert sum(event.times for event in refused) == 20 * 20, "all of them are on record"
        assert max(event.guesses for event in refused) <= 15


@pytest.mark.clause("LOG-3", "SEC-2")
def test_guesses_from_many_sources_raise_an_alert_of_their_own(tmp_path: Path) -> None:
    async def story() -> None:
        await house.create("ann")
        await house.sign_in()
        for _ in range(4):
            await house.wrong(address="192.0.2.1")
        (mistyped,) = await house.people.house_log.alerts()
        assert mistyped.kind is Significant.LOCKED
        assert mistyped.message.args["source"] == "known"
        await hammers(house, addresses=4)
        assert {each.kind for each in await house.people.house_log.alerts()} == {Significant.LOCKED}
        await hammers(house, addresses=20)
        (alert,) = [each for each in await house.people.house_log.alerts() if each.kind is Significant.GUESSING]
        assert alert.person == "ann"
        assert alert.message == ALERT_GUESSING(person="ann", sources=5)

    with residents(tmp_path / "house.db", burst=1000) as house:
        run(story())


# ------------------------------------------------ sessions


@pytest.mark.clause("SEC-2")
def test_only_the_digest_of_a_token_is_kept(tmp_path: Path) -> None:
    async def story() -> list[SignedIn]:
        await house.create("ann")
        return [await house.sign_in() for _ in range(20)]

    with residents(tmp_path / "house.db") as house:
        found = run(story())
        tokens = [each.token for each in found]
        assert len(set(tokens)) == len({each.session.csrf for each in found}) == 20
        assert {len(token) for token in tokens} == {43}, "256 bits"
        assert found[0].session.digest == hashlib.sha256(tokens[0].encode()).hexdigest()
        assert tokens[0] not in repr(found[0])
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert found[0].session.digest.encode() in stored
    assert not any(token.encode() in stored for token in tokens)


@pytest.mark.parametrize("token", ["", "x", "x" * 43, "ü" * 43, "x" * 10_000, "x" * 42 + "\n"])
def test_something_else_is_no_session(token: str, tmp_path: Path) -> None:
    with residents(tmp_path / "house.db") as house:
        assert run(house.people.actor(token)) is None
        run(house.people.sign_out(token))


@pytest.mark.clause("LOG-5", "PLY-4")
def test_a_session_begins_and_ends_on_record_with_an_id(tmp_path: Path) -> None:
    async def story() -> None:
        await house.create("ann")
        first = await house.sign_in()
        assert first.account.signed_in_before == 0
        found = await house.people.actor(first.token)
        assert found is not None
        assert found == (Actor("ann", Position.PATRON, id_of(first.session.digest)), first.session)
        house.later(MINUTE // 2)
        await house.people.sign_out(first.token)
        assert await house.people.actor(first.token) is None
        await house.people.sign_out(first.token)
        second = await house.sign_in()
        assert (second.account.signed_in_before, second.account.signed_in_from_before) == (START, "192.0.2.1")

    with residents(tmp_path / "house.db") as house:
        run(story())
        assert house.names() == ["account-created/1", "session-started/1", "session-ended/1", "session-started/1"]
        (ended,) = [event for event in house.events() if isinstance(event, SessionEnded)]
        assert (ended.by, ended.why, ended.ended - ended.started) == ("ann", "signed-out", MINUTE // 2)


@pytest.mark.clause("SEC-2")
@pytest.mark.parametrize("command", [CloseAccount(why="x"), LockAccount(why="x")])
def test_a_crash_leaves_nobody_signed_in_to_a_closed_account(command: HouseCommand, tmp_path: Path) -> None:
    async def story() -> None:
        await house.create("ann")
        signed_in = await house.sign_in()
        stamped = replace(command, by=SYSTEM.person, position=SYSTEM.position)
        await house.people.accounts.book("ann").do(stamped, "x")  # and no session was ended
        assert await house.people.actor(signed_in.token) is None
        assert not await house.people.authentication.stays(signed_in.session)

    with residents(tmp_path / "house.db") as house:
        run(story())


@pytest.mark.clause("PLY-4")
def test_a_session_ends_when_nobody_uses_it(tmp_path: Path) -> None:
    async def story() -> None:
        await house.create("ann")
        token = (await house.sign_in()).token
        for _ in range(10):
            house.later((QUICK.idle_minutes - 2) * MINUTE)
            assert await house.people.actor(token) is not None
        last = house.now
        house.later(QUICK.idle_minutes * MINUTE)
        assert await house.people.actor(token) is None
        (ended,) = [event for event in house.events() if isinstance(event, SessionEnded)]
        assert (ended.by, ended.ended) == ("house", last)
        assert ended.at == house.now
        assert await house.people.actor(token) is None

    with residents(tmp_path / "house.db") as house:
        run(story())


@pytest.mark.clause("PLY-4")
def test_no_session_lasts_for_ever(tmp_path: Path) -> None:
    async def story() -> None:
        await house.create("ann")
        token = (await house.sign_in()).token
        for _ in range(QUICK.session_hours * 4 - 1):
            house.later(15 * MINUTE)
            assert await house.people.actor(token) is not None
        house.later(15 * MINUTE)
        assert await house.people.actor(token) is None

    with residents(tmp_path / "house.db") as house:
        run(story())


def test_use_is_written_down_once_in_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        await house.create("ann")
        token = (await house.sign_in()).token
        written = watched(monkeypatch, house.store, "touch_sessions")
        for _ in range(300):
            house.later(SECOND)
            assert await house.people.actor(token) is not None
        assert len(written) == 5

    with residents(tmp_path / "house.db") as house:
        run(story())


def test_what_was_just_read_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        await house.create("ann")
        token = (await house.sign_in()).token
        asked = watched(monkeypatch, house.store, "sessions_under")
        for _ in range(100):
            assert await house.people.actor(token) is not None
        assert not asked
        house.later(BELIEVED)
        assert await house.people.actor(token) is not None
        assert len(asked) == 1

    with residents(tmp_path / "house.db") as house:
        run(story())


@pytest.mark.clause("SEC-2")
def test_signing_out_everywhere_ends_every_session_on_every_node(database: str) -> None:
    async def story() -> None:
        await house.create("ann")
        tokens = [(await node.sign_in()).token for node in (house, other, house)]
        for token in tokens:
            assert await other.people.actor(token) is not None
        assert await house.people.sign_out_everywhere(ANN, but=tokens[0]) == 2
        other.people.forget("person:ann", 10**6)  # as the store tells nodes
        alive = [await other.people.actor(token) is not None for token in tokens]
        assert alive == [True, False, False]
        assert await house.people.sign_out_everywhere(ANN) == 1
        other.people.forget("person:ann", 10**6)
        assert await other.people.actor(tokens[0]) is None
        account = await house.people.account("ann")
        assert account is not None
        assert not account.sessions

    with residents(database) as house:
        other = house.beside()
        run(story())
        other.close()


@pytest.mark.clause("SEC-2")
def test_a_node_that_was_not_told_finds_out_in_seconds(tmp_path: Path) -> None:
    async def story() -> None:
        await house.create("ann")
        token = (await house.sign_in()).token
        assert await other.people.actor(token) is not None
        await house.people.sign_out(token)
        house.later(BELIEVED)
        assert await other.people.actor(token) is None

    with residents(tmp_path / "house.db") as house:
        other = house.beside()
        run(story())
        other.close()


@pytest.mark.clause("LOG-5")
def test_sessions_that_were_left_behind_are_swept(tmp_path: Path) -> None:
    async def story() -> None:
        await house.create("ann")
        await house.sign_in()
        house.later(MINUTE)
        lost = await house.sign_in()
        house.store.end_session(lost.session.digest, house.now)  # a crash before it was on record
        house.people.forget("")  # and a start
        assert await house.people.sweep() == 1
        assert await house.people.sweep() == 0
        house.later(QUICK.idle_minutes * MINUTE)
        assert await house.people.sweep() == 1
        account = await house.people.account("ann")
        assert account is not None
        assert not account.sessions
        assert await house.is_as_stored()

    with residents(tmp_path / "house.db") as house:
        run(story())


def test_who_is_known_to_be_there_is_not_looked_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        await house.create("ann")
        token = (await house.sign_in()).token
        asked = watched(monkeypatch, house.store, "sessions")
        for _ in range(60):
            house.later(MINUTE)
            assert await house.people.actor(token) is not None
            assert await house.people.sweep() == 0
        assert not asked

    with residents(tmp_path / "house.db") as house:
        run(story())


def test_a_session_that_was_never_kept_is_swept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A crash between the record and the session: nobody has its token, and time must not run on."""

    async def story() -> None:
        await house.create("ann")
        with monkeypatch.context() as crashing:
            crashing.setattr(house.store, "keep_session", crash)
            with pytest.raises(RuntimeError, match="power"):
                await house.people.sign_in("ann", PASSWORD, "", "")
        assert await house.people.sweep() == 0, "it may be on its way"
        house.later(HOUR)
        await house.sign_in()
        account = await house.people.account("ann")
        assert account is not None
        assert list(account.sessions.values()) == [START + HOUR]
        assert [each.end - each.start for each in account.stretches] == [0]

    def crash(_session: object) -> None:
        raise RuntimeError("power")

    with residents(tmp_path / "house.db") as house:
        run(story())


async def full_room(house: Residents, people: int = 20) -> list[str]:
    """Tokens of people who have all just come."""
    names = [f"p{each}" for each in range(people)]
    for each in names:
        await house.create(each)
    return [(await house.sign_in(each)).token for each in names]


def test_whoever_asks_while_a_session_is_read_gets_the_same_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        await house.create("ann")
        token = (await house.sign_in()).token
        house.later(BELIEVED)
        asked = watched(monkeypatch, house.store, "sessions_under")
        found = await asyncio.gather(*(house.people.actor(token) for _ in range(500)))
        assert {each and each[0].person for each in found} == {"ann"}
        assert len(asked) == 1

    with residents(tmp_path / "house.db") as house:
        run(story())


def test_sessions_of_those_who_come_at_one_moment_are_read_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a restart, when everybody's browser comes back at once."""

    async def story() -> None:
        tokens = await full_room(house)
        house.people.authentication.sessions.forget()
        asked = watched(monkeypatch, house.store, "sessions_under")
        found = await asyncio.gather(*(house.people.actor(each) for each in (*tokens, "x" * 43)))
        assert [each and each[0].person for each in found] == [*(f"p{n}" for n in range(len(tokens))), None]
        assert len(asked) <= 2, "not one by one"

    with residents(tmp_path / "house.db") as house:
        run(story())


def test_sessions_of_those_who_are_there_are_read_in_one_question_before_they_are_too_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        tokens = await full_room(house)
        digests = [digest_of(each) for each in tokens]
        many = watched(monkeypatch, house.store, "sessions_under")
        sessions = house.people.authentication.sessions
        for _ in range(3):
            await sessions.read_ahead(digests, house.now)
            house.later(AHEAD)
            await sessions.read_ahead([*digests, "0" * 64], house.now)
            assert all([await house.people.actor(each) for each in tokens])
        assert len(many) == 3

    with residents(tmp_path / "house.db") as house:
        run(story())


def test_what_another_node_ended_or_forgot_is_noticed_ahead(tmp_path: Path) -> None:
    async def story() -> None:
        tokens = await full_room(house, 3)
        stays, ends, goes = map(digest_of, tokens)
        house.store.end_session(ends, house.now)
        house.store.end_session(goes, 1)
        assert house.store.forget_sessions(2) == 1
        house.later(AHEAD)
        sessions = house.people.authentication.sessions
        await sessions.read_ahead([stays, ends, goes], house.now)
        assert [bool(await house.people.actor(each)) for each in tokens] == [True, False, False]
        assert sessions.known(ends) == house.store.session(ends)
        assert sessions.known(goes) is None

    with residents(tmp_path / "house.db") as house:
        run(story())


@pytest.mark.parametrize("ahead", [False, True])
def test_a_clock_that_steps_back_keeps_no_session_alive(tmp_path: Path, ahead: bool) -> None:
    async def story() -> None:
        (token,) = await full_room(house, 1)
        digest, sessions = digest_of(token), house.people.authentication.sessions
        house.later(-MINUTE)
        house.store.end_session(digest, house.now)
        if ahead:
            await sessions.read_ahead([digest], house.now)
        assert await house.people.actor(token) is None

    with residents(tmp_path / "house.db") as house:
        run(story())


@pytest.mark.parametrize("ahead", [False, True])
def test_a_session_that_ends_while_it_is_read_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ahead: bool
) -> None:
    """The question is answered before the session ends, and heard after it."""

    async def story() -> None:
        await house.create("ann")
        token = (await house.sign_in()).token
        sessions = house.people.authentication.sessions
        session = sessions.known(digest_of(token))
        assert session is not None
        house.later(BELIEVED)
        reads, goes_on = threading.Event(), threading.Event()
        answer = house.store.sessions_under

        def slow(digests: Sequence[str]) -> list[Session]:
            found = answer(digests)
            reads.set()
            assert goes_on.wait(20)
            return found

        with monkeypatch.context() as slowly:
            slowly.setattr(house.store, "sessions_under", slow)
            digest = session.digest
            asking = sessions.read_ahead([digest], house.now) if ahead else sessions.find(digest, house.now)
            reading = asyncio.ensure_future(asking)
            await asyncio.to_thread(reads.wait, 20)
            await sessions.end(session, house.now)
            goes_on.set()
            await reading
        assert await house.people.actor(token) is None

    with residents(tmp_path / "house.db") as house:
        run(story())


def test_those_who_are_there_at_one_moment_are_written_down_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        tokens = await full_room(house)
        house.later(MINUTE)
        written = watched(monkeypatch, house.store, "touch_sessions")
        assert all(await asyncio.gather(*(house.people.actor(each) for each in tokens)))
        assert len(written) <= 3, "not one by one"
        assert {each.seen for token in tokens if (each := house.store.session(digest_of(token)))} == {house.now}

    with residents(tmp_path / "house.db") as house:
        run(story())


def test_a_session_that_two_have_ended_is_over_once(tmp_path: Path) -> None:
    """Somebody signs out while the house finds that the time is up: what was first is on record, and nobody is told of a mistake."""

    async def story() -> None:
        await house.create("ann")
        token = (await house.sign_in()).token
        session = house.people.authentication.sessions.known(digest_of(token))
        assert session is not None
        await house.people.authentication._over(session)
        await house.people.authentication._noted_end(
            Actor("ann", Position.PATRON), "ann", id_of(session.digest), 1, "signed out"
        )

    with residents(tmp_path / "house.db") as house:
        run(story())
        assert [each.why for each in house.events() if isinstance(each, SessionEnded)] == ["session-expired"]


def test_sessions_of_long_ago_are_forgotten_and_their_record_is_not(tmp_path: Path) -> None:
    async def story() -> None:
        await house.create("ann")
        await house.sign_in()
        house.later(40 * 24 * HOUR)
        await house.people.sweep()
        assert await house.people.sessions("ann") == []

    with residents(tmp_path / "house.db") as house:
        run(story())
        assert house.names()[-1] == "session-ended/1"


def test_what_is_remembered_of_sessions_has_a_bound(tmp_path: Path) -> None:
    with residents(tmp_path / "house.db") as house:
        sessions = Sessions(house.store, QUICK)
        for number in range(CACHED_MAX + 100):
            sessions._cache(sessions.new(f"p{number % 50}", START, "", "").session, START)
        assert len(sessions.cached) == CACHED_MAX
        assert sum(map(len, sessions._digests.values())) == CACHED_MAX
        sessions.forget("p7")
        assert len(sessions.cached) == CACHED_MAX - CACHED_MAX // 50
        sessions.forget()
        assert not sessions.cached
        assert not sessions._digests


def test_a_digest_is_of_tokens_only() -> None:
    assert digest_of("x" * 43)
    assert not digest_of("x" * 44)
