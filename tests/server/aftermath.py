"""What must be right while no server runs, however the last one ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing

from longhu.accounts import record
from longhu.accounts.names import HOUSE_TRAIL, trail_of
from longhu.accounts.orders import CommandScheduled, ScheduledCommandDone, ScheduledCommandRefused
from longhu.audit.record import decode
from longhu.money import UNSTATED
from longhu.server.codec import written
from longhu.store.address import open_store
from longhu.store.integrity import check_chain, check_ends, check_money, check_wallets
from longhu.store.interface import Store
from longhu.table.betting import WagerPlaced
from longhu.table.opening import ChangeSettings, SettingsChanged
from tests.server.crowd import Asking, Patron, Person, Supervisor
from tests.server.houses import MONEY, checked


def tables(store: Store) -> list[str]:
    return [each.table for each in store.tables()]


def inspect(database: str, people: list[Person]) -> None:
    """While no server runs: everything that was answered is there, once, and everything that is there is sound."""
    with closing(open_store(database)) as store:
        sound(store)
        for person in people:
            answered(store, person.asked)
        for each in people:
            once(store, each)


def sound(store: Store) -> None:
    """Chains, postings, wallets, and every table as a stranger verifies it."""
    check_ends(store)
    for name in (*tables(store), *(each.name for each in store.trails())):
        check_chain(store, name)
        check_money(store, name)
    check_wallets(store)
    for table in tables(store):
        checked(store, table)


def answered(store: Store, asked: list[Asking]) -> None:
    """What was answered has the records that it was said to have."""
    for each in asked:
        if each.path.endswith("/commands") and each.done is not None:
            found = store.done(each.path.split("/")[3], f"{each.id}@{each.person}")
            assert found is not None, f"{each}: was acknowledged, and is not there"
            assert (found.first, found.last) == each.done, f"{each}: {found}, and was acknowledged as {each.done}"


def once(store: Store, person: Person) -> None:
    """Money paid and wagers placed are those that were asked for, each once; what was not answered may be there or not."""
    if isinstance(person, Supervisor):
        ordered(store, person)
    if not isinstance(person, Patron):
        return
    paid = sum(each.paid for each in person.asked if each.done is not None)
    doubtful = [each.paid for each in person.asked if each.is_open and each.paid]
    outside = -store.balances(trail_of(person.person)).get(f"outside:{person.person}", 0) - MONEY
    assert outside - paid in sums(doubtful), f"{person.person} paid {paid} (or {doubtful} more), and {outside} came in"
    placed = [each for each in person.asked if each.command == "place-wager"]
    told = {each.done[0] for each in placed if each.done is not None}
    found = set(wagers_of(store, person.table, person.person))
    assert told <= found, f"wagers of {person.person} are missing: {sorted(told - found)}"
    assert len(found - told) <= sum(each.is_open for each in placed), f"{person.person} never asked for {found - told}"


def ordered(store: Store, person: Supervisor) -> None:
    """Orders that were acknowledged are in the book of the house; each was carried out once, or waits, or was refused."""
    events = [*record.events(store.records(HOUSE_TRAIL))]
    given = {each.number: each.asks for each in events if isinstance(each, CommandScheduled)}
    for each in person.asked:
        if each.done is not None:
            assert written(given[each.done[0]], UNSTATED) == each.told["command"], f"{each}: is another in the book"
    changes = [decode(line).event for line in store.records(person.table) if b'"settings-changed/1"' in line]
    done = Counter(each.why for each in changes if isinstance(each, SettingsChanged))
    over = {number: type(each) for each in events if (number := getattr(each, "number", 0)) in given}
    for number, asks in given.items():
        assert isinstance(asks, ChangeSettings)
        least = over[number] is ScheduledCommandDone
        assert least <= done.pop(asks.why, 0) <= (over[number] is not ScheduledCommandRefused), (
            f"order {number}: {over[number]}"
        )
    assert not done, "nobody ordered these"


def sums(amounts: list[int]) -> set[int]:
    """Of any of them together."""
    found = {0}
    for each in amounts:
        found |= {each + one for one in found}
    return found


def wagers_of(store: Store, table: str, person: str) -> Iterator[int]:
    """The records by which somebody placed a wager."""
    for line in store.records(table):
        if b'"wager-placed/1"' in line:
            found = decode(line)
            if isinstance(found.event, WagerPlaced) and found.event.by == person:
                yield found.sequence


def rest(store: Store, people: list[Person]) -> None:
    """Everybody has left: no chips, no stakes, no doubt; and each wallet is what was paid in and played."""
    sound(store)
    for person in people:
        assert not [each for each in person.asked if each.is_open], person.person
        answered(store, person.asked)
        once(store, person)
        if isinstance(person, Patron):
            paid = sum(each.paid for each in person.asked if each.done is not None)
            assert store.wallet(person.person) == MONEY + paid - store.lost(person.person, 0), person.person
    for table in tables(store):
        left = {each: held for each, held in store.balances(table).items() if each.startswith(("patron:", "layout:"))}
        assert not left, f"{table}: {left}"
