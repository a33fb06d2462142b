"""What every store keeps to, shown on each of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from longhu.audit import export, proof
from longhu.audit.record import beginning, digest
from longhu.audit.signed_heads import signed
from longhu.audit.verify import verify
from longhu.store.database import CHUNK
from longhu.store.entries import Append, Appended, Duplicate, Entry, Sealed, StreamHead, TableEntry
from longhu.store.errors import AlreadyExists, InvalidAppend, NotFound, StoreError, WrongExpectedVersion
from longhu.store.integrity import check_chain, check_money, proof_of
from longhu.store.interface import Store
from tests.audit.evening import PRIVATE, PUBLIC, START, ordinary
from tests.store.house import Place, Seat, appends_of, opened, rules

SECRET = bytes(range(100, 132))


def refused(store: Store, append: Append, kind: type[StoreError]) -> str:
    """Append what must not be stored: nothing changes. The words of the error."""
    before = [(each, store.standing(each.table), store.balances(each.table)) for each in store.tables()]
    (result,) = store.commit([append])
    assert isinstance(result, kind), result
    assert [(each, store.standing(each.table), store.balances(each.table)) for each in store.tables()] == before
    assert store.done(append.table, append.command) is None
    return str(result)


# ---------------------------------------------------------------- records


@pytest.mark.parametrize("game", ["dragon-tiger", "dragon-21", "immortal-dragon-tiger"])
@pytest.mark.clause("LOG-1", "LOG-2", "LOG-6")
def test_an_evening_comes_back_byte_for_byte_and_its_export_is_a_proof(store: Store, game: str) -> None:
    trail = ordinary(game).trail
    store.create("T1", trail.games[next(iter(trail.games))], START)
    for append in appends_of(trail):
        assert store.commit([append]) == [Appended(append.after + 1, append.after + len(append.lines))]
    lines = list(proof.records(trail.lines))
    assert list(store.records("T1")) == lines
    assert list(store.records("T1", after=7)) == lines[7:]
    assert store.standing("T1") == StreamHead("T1", len(lines), trail.chain.head, trail.chain.last_at)
    for head in trail.heads:
        store.keep_head(head)
    exported = list(proof_of(store, "T1", program="test", key=PUBLIC))
    assert exported == trail.proof()
    assert verify(exported).records == len(lines)
    assert verify(list(export.export(exported, export.shoe(1)))).records < len(lines)
    assert check_chain(store, "T1") == len(lines)
    assert check_money(store, "T1") > 0
    assert store.balances("T1") == proof.replayed(exported).balances


def test_records_are_kept_after_the_store_is_closed(place: Place) -> None:
    store = place.open()
    seat = opened(store)
    append = seat.buys(5, 7)
    store.commit([append])
    store.close()
    again = place.open()
    assert tuple(again.records("T1", after=1)) == append.lines
    assert again.standing("T1") == seat.standing()
    again.close()


def test_long_answers_come_in_chunks_without_a_seam(store: Store) -> None:
    seat = opened(store)
    store.commit([*(seat.buys(1) for _ in range(CHUNK)), seat.buys(*[1] * 10)])
    sequences = [int(line[len(b'{"sequence":') :].partition(b",")[0]) for line in store.records("T1")]
    assert sequences == list(range(1, CHUNK + 12))
    assert [each.balance for each in store.follow("patron:ann")] == list(range(1, CHUNK + 11))
    assert len(list(store.entries("T1"))) == 2 + 4 * (CHUNK + 10)
    assert len(list(store.entries("T1", after=CHUNK))) == 4 * 11
    reading = store.records("T1")
    next(reading)
    store.commit([seat.buys(1)])  # appended while somebody reads
    assert len(list(reading)) == CHUNK + 11


def test_a_table_is_in_the_register_with_its_rules(store: Store) -> None:
    assert store.create("T2", rules(), 5) == StreamHead("T2", 0, beginning("T2"), 0)
    store.create("T1", rules("dragon-21"), 6)
    assert store.tables() == [
        TableEntry("T1", rules("dragon-21").digest, 6),
        TableEntry("T2", rules().digest, 5),
    ]
    assert store.games("T2") == proof.game_files([rules()])
    with pytest.raises(AlreadyExists, match="already"):
        store.create("T2", rules(), 7)
    store.adopt("T2", rules("dragon-21"))
    store.adopt("T2", rules("dragon-21"))
    assert store.games("T2") == dict(sorted(proof.game_files([rules(), rules("dragon-21")]).items()))
    assert store.tables()[1] == TableEntry("T2", rules("dragon-21").digest, 5)


def test_what_is_not_there_is_said_to_be_missing(store: Store) -> None:
    asked: list[Callable[[], object]] = [
        lambda: store.standing("T9"),
        lambda: store.games("T9"),
        lambda: store.adopt("T9", rules()),
        lambda: store.keep_head(signed("T9", 1, "0" * 64, 0, PRIVATE)),
    ]
    for ask in asked:
        with pytest.raises(NotFound, match="T9"):
            ask()
    assert not list(store.records("T9"))
    assert not list(store.heads("T9"))
    refused(store, Seat(StreamHead("T9", 0, beginning("T9"), 0)).fills(), NotFound)


@pytest.mark.parametrize("name", ["", "a\0b", "\ud800", "x" * 501])
def test_names_that_cannot_be_stored_are_refused_everywhere(store: Store, name: str) -> None:
    seat = opened(store)
    with pytest.raises(InvalidAppend):
        store.create(name, rules(), 0)
    append = seat.buys(5)
    refused(store, replace(append, command=name), InvalidAppend)
    if name:
        renamed = tuple(tuple((name, amount) for _, amount in each) for each in append.postings)
        assert isinstance(store.commit([replace(append, postings=renamed)])[0], InvalidAppend)
        assert isinstance(store.commit([replace(append, table=name)])[0], InvalidAppend)
    assert store.commit([append]) == [Appended(2, 2)]


def test_names_of_any_language_are_kept(store: Store) -> None:
    seat = opened(store, "龙虎 'T1' %s ?")
    store.commit([seat.buys(5, patron="八; drop table records", command="第一 ? %s")])
    assert store.done(seat.table, "第一 ? %s") == Duplicate(2, 2)
    assert store.balances(seat.table)["patron:八; drop table records"] == 5


# ---------------------------------------------------------------- order


def test_a_gap_is_refused(store: Store) -> None:
    seat = opened(store)
    seat.buys(5)  # made, and never stored
    said = refused(store, seat.buys(7), WrongExpectedVersion)
    assert "stands at record 1, and this follows record 2" in said


@pytest.mark.clause("LOG-2")
def test_of_two_that_follow_the_same_record_one_is_refused(store: Store) -> None:
    seat = opened(store)
    other = Seat(seat.standing())
    assert store.commit([seat.buys(5)]) == [Appended(2, 2)]
    refused(store, other.buys(7), WrongExpectedVersion)
    other.stands(store.standing("T1"))
    assert store.commit([other.buys(7)]) == [Appended(3, 3)]


def test_a_fork_that_is_as_long_is_refused(store: Store) -> None:
    """The number fits, and the record before is another."""
    seat = opened(store)
    other = Seat(seat.standing())
    other.buys(7)
    store.commit([seat.buys(5)])
    assert "another record 2" in refused(store, other.buys(7), WrongExpectedVersion)


def test_records_that_do_not_follow_each_other_are_a_defect(store: Store) -> None:
    seat = opened(store)
    append = seat.buys(5, 6, 7)
    first, second, third = append.lines
    for lines in ((second, first, third), (first, third, second), (first, first, second), (first, second, b"{}")):
        assert "does not follow" in refused(store, replace(append, lines=lines), InvalidAppend)
    refused(store, replace(append, lines=(first, second, third + b"\n")), InvalidAppend)
    refused(store, replace(append, lines=()), InvalidAppend)
    refused(store, replace(append, postings=append.postings[:2]), InvalidAppend)
    assert store.commit([append]) == [Appended(2, 4)]


def test_time_does_not_go_back(store: Store) -> None:
    seat = opened(store)
    assert "before the last" in refused(store, replace(seat.buys(5), at=START), InvalidAppend)


def test_records_under_rules_that_are_not_here_are_a_defect(store: Store) -> None:
    seat = opened(store)
    append = seat.buys(5)
    strange = append.lines[0].replace(rules().digest.encode(), b"f" * 64)
    assert "Adopt them first" in refused(store, replace(append, lines=(strange,)), InvalidAppend)


# ---------------------------------------------------------------- once


@pytest.mark.clause("REC-3")
def test_a_command_that_is_sent_twice_is_done_once(store: Store) -> None:
    seat = opened(store)
    append = seat.buys(5, 6, command="c1")
    assert store.commit([append]) == [Appended(2, 3)]
    assert store.commit([append]) == [Duplicate(2, 3)]
    assert store.commit([seat.buys(9, command="c1")]) == [Duplicate(2, 3)]  # decided again, on what is there now
    assert store.done("T1", "c1") == Duplicate(2, 3)
    assert store.done("T1", "c2") is None
    assert store.balances("T1")["patron:ann"] == 11


def test_an_id_is_a_table_s_own(store: Store) -> None:
    one, two = opened(store, "T1"), opened(store, "T2")
    assert store.commit([one.buys(5, command="c"), two.buys(5, command="c")]) == [Appended(2, 2), Appended(2, 2)]


def test_in_a_batch_each_is_judged_behind_the_ones_before(store: Store) -> None:
    seat, other = opened(store), opened(store, "T2")
    late = Seat(seat.standing())
    first, second = seat.buys(5, command="a"), seat.buys(6, command="b")
    overdrawn = other.cashes(1)
    other.stands(store.standing("T2"))
    batch = [first, late.buys(1), overdrawn, second, first, other.buys(3)]
    results = store.commit(batch)
    assert [type(each) for each in results] == [
        Appended,
        WrongExpectedVersion,
        InvalidAppend,
        Appended,
        Duplicate,
        Appended,
    ]
    assert (results[0], results[3], results[4]) == (Appended(2, 2), Appended(3, 3), Duplicate(2, 2))
    assert store.balances("T1")["patron:ann"] == 11
    assert store.balances("T2")["patron:ann"] == 3
    for table in ("T1", "T2"):
        check_chain(store, table)
        check_money(store, table)


def test_an_empty_batch_is_nothing(store: Store) -> None:
    assert store.commit([]) == []


# ---------------------------------------------------------------- money


@pytest.mark.clause("LOG-1")
def test_a_cent_can_be_followed(store: Store) -> None:
    for table in ("T1", "T2"):
        seat = opened(store, table)
        store.commit([seat.buys(500, 20)])
        store.commit([seat.cashes(30)])
    assert list(store.follow("patron:ann")) == [
        Entry(table, sequence, place, "patron:ann", amount, balance)
        for table in ("T1", "T2")
        for sequence, place, amount, balance in ((2, 3, 500, 500), (3, 3, 20, 520), (4, 0, -30, 490))
    ]
    assert list(store.follow("patron:bob")) == []
    everything = list(store.follow("patron:ann"))
    for number, each in enumerate(everything):
        assert list(store.follow("patron:ann", (each.table, each.sequence, each.place))) == everything[number + 1 :]
        before = [one for one in everything[:number] if one.table == each.table and one.sequence < each.sequence]
        assert store.moved_before("patron:ann", each.table, each.sequence) == (before[-1] if before else None)
    assert store.moved_before("patron:ann", "T1", 10**6) == [each for each in everything if each.table == "T1"][-1]
    assert store.moved_before("patron:bob", "T1", 10**6) is None


def test_an_account_that_is_empty_is_not_listed(store: Store) -> None:
    seat = opened(store)
    store.commit([seat.buys(500)])
    store.commit([seat.cashes(500)])
    assert "patron:ann" not in store.balances("T1")
    assert store.balances("T1")["cage"] == -(10**12)


@pytest.mark.clause("MON-3")
def test_nobody_owes_who_may_not(store: Store) -> None:
    seat = opened(store)
    store.commit([seat.buys(500)])
    said = refused(store, seat.cashes(501), InvalidAppend)
    assert "patron:ann would stand at -1" in said


@pytest.mark.clause("MON-1")
def test_postings_that_do_not_sum_to_zero_are_a_defect(store: Store) -> None:
    seat = opened(store)
    append = seat.buys(5)
    assert "sum to 1" in refused(store, replace(append, postings=((("cage", 1),),)), InvalidAppend)
    assert "larger" in refused(
        store, replace(append, postings=((("cage", 2**63), ("world:x", -(2**63))),)), InvalidAppend
    )
    most = ((("cage", -(2**63 - 1)), ("world:x", 2**63 - 1)),)
    assert "more than can be written" in refused(store, replace(append, postings=most), InvalidAppend)


# ---------------------------------------------------------------- secrets


@pytest.mark.clause("RUL-6")
def test_a_secret_is_sealed_with_its_commitment_and_stands_in_no_record_until_it_is_revealed(store: Store) -> None:
    seat = opened(store)
    assert store.commit([seat.commits(1, SECRET)]) == [Appended(2, 2)]
    assert store.sealed("T1") == {1: SECRET}
    assert SECRET.hex() not in b"".join(proof_of(store, "T1")).decode()
    assert store.commit([seat.reveals(1, SECRET)]) == [Appended(3, 3)]
    assert store.sealed("T1") == {}
    assert SECRET.hex() in b"".join(proof_of(store, "T1")).decode()


def test_secrets_that_are_sealed_and_revealed_in_one_commit_are_gone(store: Store) -> None:
    seat = opened(store)
    other = bytes(range(32))
    batch = [seat.commits(1, SECRET), seat.reveals(1, SECRET), seat.commits(2, other)]
    assert store.commit(batch) == [Appended(2, 2), Appended(3, 3), Appended(4, 4)]
    assert store.sealed("T1") == {2: other}
    assert store.commit([seat.reveals(2, other), seat.commits(3, SECRET)]) == [Appended(5, 5), Appended(6, 6)]
    assert store.sealed("T1") == {3: SECRET}


def test_a_secret_is_not_shown_by_accident() -> None:
    assert repr(Sealed(1, SECRET)) == "Sealed(shoe=1)"
    shown = repr(Seat(StreamHead("T1", 0, beginning("T1"), 0)).commits(1, SECRET))
    assert "Sealed(shoe=1)" in shown
    assert SECRET.hex() not in shown


def test_a_secret_is_sealed_only_if_its_commitment_is_stored(store: Store) -> None:
    seat = opened(store)
    seat.buys(5)
    refused(store, seat.commits(1, SECRET), WrongExpectedVersion)
    assert store.sealed("T1") == {}


def test_a_record_that_tells_the_secret_it_commits_to_is_a_defect(store: Store) -> None:
    assert "stands in a record" in refused(store, opened(store).commits(1, SECRET, told=SECRET), InvalidAppend)


def test_a_secret_is_given_up_only_for_a_record_that_tells_it(store: Store) -> None:
    seat = opened(store)
    store.commit([seat.commits(1, SECRET)])
    before = seat.standing()
    refused(store, seat.reveals(1, bytes(32)), InvalidAppend)
    seat.stands(before)
    refused(store, seat.reveals(2, SECRET), InvalidAppend)
    seat.stands(before)
    assert "sealed already" in refused(store, seat.commits(1, bytes(32)), InvalidAppend)
    seat.stands(before)
    refused(store, seat.commits(2, b"short"), InvalidAppend)
    assert store.sealed("T1") == {1: SECRET}


# ---------------------------------------------------------------- heads


def test_heads_are_kept_of_records_as_they_are(store: Store) -> None:
    seat = opened(store)
    store.commit([seat.buys(5, 6)])
    lines = list(store.records("T1"))
    kept = [signed("T1", number, digest(lines[number - 1]), START + number, PRIVATE) for number in (1, 3)]
    for head in kept:
        store.keep_head(head)
        store.keep_head(head)
    assert list(store.heads("T1")) == kept
    assert list(store.heads("T1", after=1)) == kept[1:]
    with pytest.raises(InvalidAppend, match="Sign what is stored"):
        store.keep_head(signed("T1", 2, digest(lines[0]), START, PRIVATE))
    with pytest.raises(NotFound):
        store.keep_head(signed("T1", 4, digest(lines[0]), START, PRIVATE))
