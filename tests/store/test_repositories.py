"""What is kept beside the trails: who is signed in, which node does what, and states to read on from."""

from __future__ import annotations

import hashlib
import threading

import pytest
from msgspec.structs import replace

from longhu.store.database import CHUNK
from longhu.store.entries import Lease, Session
from longhu.store.errors import AlreadyExists, InvalidAppend, NotFound
from longhu.store.interface import Store
from longhu.store.repositories import NOTE
from tests.store.house import Place, opened
from tests.store.test_races import at_once

TOKEN = "a token that nobody guesses"


def a_session(token: str = TOKEN, person: str = "ann", *, created: int = 1000, until: int = 5000) -> Session:
    digest = hashlib.sha256(token.encode()).hexdigest()
    return Session(digest, person, created, created, until, 0, f"csrf of {token}", "127.0.0.1", "a browser")


# ---------------------------------------------------------------- sessions


@pytest.mark.clause("SEC-2")
def test_a_session_is_found_by_the_digest_of_its_token(store: Store) -> None:
    kept = a_session()
    store.keep_session(kept)
    assert store.session(kept.digest) == kept
    assert store.session(TOKEN) is store.session("0" * 64) is store.session("\0") is None
    with pytest.raises(AlreadyExists, match="another token"):
        store.keep_session(kept)


def test_sessions_are_found_by_many_digests_at_once(store: Store) -> None:
    kept = [a_session(f"token {each}", f"p{each % 7}") for each in range(20)]
    for each in kept:
        store.keep_session(each)
    unknown = [hashlib.sha256(b"%d" % each).hexdigest() for each in range(2 * CHUNK)]
    asked = [*unknown, *(each.digest for each in kept), "\0", "", TOKEN]
    assert sorted(store.sessions_under(asked), key=lambda each: each.digest) == sorted(
        kept, key=lambda each: each.digest
    )
    assert store.sessions_under([]) == store.sessions_under(unknown) == []


@pytest.mark.clause("SEC-2")
def test_a_token_is_never_kept(store: Store) -> None:
    for digest in (TOKEN, "", "A" * 64, "0" * 63):
        with pytest.raises(InvalidAppend, match="never under the token"):
            store.keep_session(replace(a_session(), digest=digest))
    for odd in ({"person": ""}, {"person": "a\0b"}, {"csrf": "x" * 501}):
        with pytest.raises(InvalidAppend, match="cannot be stored"):
            store.keep_session(replace(a_session(), **odd))
    assert "csrf" not in repr(a_session())
    assert a_session().digest not in repr(a_session())


def test_notes_of_a_session_are_kept_as_far_as_they_can_be(store: Store) -> None:
    odd = replace(a_session(), agent="龙\0\ud800" * 1000, address="x" * 10_000)
    store.keep_session(odd)
    found = store.session(odd.digest)
    assert found is not None
    assert found.agent == ("龙?" * NOTE)[:NOTE]
    assert found.address == "x" * NOTE


@pytest.mark.clause("PLY-4")
def test_a_session_goes_on_while_somebody_is_there_and_ends_for_good(store: Store) -> None:
    kept = a_session()
    store.keep_session(kept)
    store.touch_sessions([replace(kept, seen=2000, until=7000)])
    store.touch_sessions([replace(kept, seen=1500, until=6500)])  # from another node, late
    assert store.session(kept.digest) == replace(kept, seen=2000, until=7000)
    store.end_session(kept.digest, 2500)
    store.touch_sessions([replace(kept, seen=3000, until=8000)])
    store.end_session(kept.digest, 3500)
    assert store.session(kept.digest) == replace(kept, seen=2000, until=7000, ended=2500)
    store.touch_sessions([replace(kept, digest="0" * 64, seen=1, until=1)])
    store.touch_sessions([])
    store.end_session("\0", 1)


def test_all_sessions_of_somebody_end_but_one(store: Store) -> None:
    mine = [a_session(f"token {number}", created=1000 + number) for number in range(4)]
    other = a_session("another", "bob")
    for session in (*mine, other):
        store.keep_session(session)
    store.end_session(mine[0].digest, 2000)
    assert store.end_sessions("ann", 3000, but=mine[3].digest) == 2
    assert [(each.digest, each.ended) for each in store.sessions("ann")] == [
        (mine[3].digest, 0),
        (mine[2].digest, 3000),
        (mine[1].digest, 3000),
        (mine[0].digest, 2000),
    ]
    assert store.end_sessions("ann", 4000) == 1
    assert store.end_sessions("ann", 5000) == 0
    assert store.sessions("bob") == [other]
    assert store.sessions("cem") == []


def test_sessions_that_are_long_over_are_forgotten(store: Store) -> None:
    over, ended, open_one = a_session("1", until=1500), a_session("2", until=9000), a_session("3", until=9000)
    for session in (over, ended, open_one):
        store.keep_session(session)
    store.end_session(ended.digest, 1600)
    assert store.forget_sessions(1500) == 0
    assert store.forget_sessions(1601) == 2
    assert store.sessions("ann") == [open_one]


# ---------------------------------------------------------------- leases


def test_one_holds_a_lease_until_it_is_over_or_given_back(store: Store) -> None:
    assert store.take_lease("T1", "a", 1000, 300) == Lease("T1", "a", 1300)
    assert store.take_lease("T1", "b", 1299, 300) == Lease("T1", "a", 1300)
    assert store.take_lease("T1", "a", 1200, 300) == Lease("T1", "a", 1500)
    assert store.take_lease("T1", "b", 1500, 300) == Lease("T1", "b", 1800)
    assert store.take_lease("T1", "a", 1501, 300).holder == "b"
    store.release_lease("T1", "a")
    assert store.leases() == [Lease("T1", "b", 1800)]
    store.release_lease("T1", "b")
    assert store.leases() == []
    assert store.take_lease("T1", "a", 1502, 300) == Lease("T1", "a", 1802)


def test_many_leases_are_taken_at_once(store: Store) -> None:
    store.take_lease("T2", "b", 1000, 300)
    taken = store.take_leases(["T3", "T2", "T1", "T3"], "a", 1100, 300)
    assert [(each.name, each.holder) for each in taken] == [("T3", "a"), ("T2", "b"), ("T1", "a"), ("T3", "a")]
    assert [each.name for each in store.leases()] == ["T1", "T2", "T3"]
    assert store.take_leases([], "a", 1100, 300) == []
    for names, holder in ((["a\0b"], "a"), (["T1"], ""), (["T1"], "\ud800")):
        with pytest.raises(InvalidAppend):
            store.take_leases(names, holder, 1100, 300)


def test_of_many_nodes_that_ask_at_once_one_holds_each_lease(place: Place) -> None:
    stores = [place.open() for _ in range(3)]
    names = [f"T{number}" for number in range(6)]
    for turn in range(5):
        barrier = threading.Barrier(3)
        held: dict[str, list[Lease]] = {}

        def take(number: int, barrier: threading.Barrier = barrier, held: dict[str, list[Lease]] = held) -> None:
            order = names[number:] + names[:number]
            barrier.wait()
            held[f"n{number}"] = stores[number].take_leases(order, f"n{number}", 1000 * turn, 500)  # noqa: B023

        at_once(*(lambda number=number: take(number) for number in range(3)))
        told = {
            name: {each.holder for leases in held.values() for each in leases if each.name == name} for name in names
        }
        assert all(len(holders) == 1 for holders in told.values()), told
    for store in stores:
        store.close()


# ---------------------------------------------------------------- states


def test_the_newest_state_of_each_form_is_kept(store: Store) -> None:
    seat = opened(store)
    store.commit([seat.buys(1, 2, 3)])
    assert store.state("T1", "form 1") is None
    store.keep_state("T1", 2, "form 1", b"two\0")
    store.keep_state("T1", 4, "form 1", b"four")
    store.keep_state("T1", 3, "form 1", b"three")
    store.keep_state("T1", 3, "form 2", b"another program's")
    assert store.state("T1", "form 1") == (4, b"four")
    assert store.state("T1", "form 2") == (3, b"another program's")
    assert store.state("T2", "form 1") is None


def test_there_is_no_state_of_what_is_not_stored(store: Store) -> None:
    opened(store)
    for sequence in (0, 2, 2**70):
        with pytest.raises(InvalidAppend, match="Store, then keep"):
            store.keep_state("T1", sequence, "form", b"")
    with pytest.raises(NotFound):
        store.keep_state("T9", 1, "form", b"")
    with pytest.raises(InvalidAppend):
        store.keep_state("T1", 1, "", b"")
