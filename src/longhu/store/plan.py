"""What becomes of a batch of appends: judged in order, one by one, against what the database was found to hold.

Nothing here reads or writes. Every backend asks for what `needs` names while nobody else can write it, has it judged
here, and writes the rows. So all of them judge alike, and one bad append costs the others nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from longhu.ledger import WORLD, LedgerError, post
from longhu.money import Money
from longhu.store.entries import SECRET_BYTES, Append, Appended, Duplicate, Play, RoundEntry, Standing
from longhu.store.errors import Conflict, Faulty, Missing, Short
from longhu.store.interface import Result
from longhu.trail.record import digest

NAME_BYTES = 500  # an entry of an index has room for three such names
LARGEST = 2**63 - 1  # that a column of whole numbers holds
_GAME = b'"game":"'
_RULES = len(_GAME) + 64  # bytes of the field that names the rules


class Needs(msgspec.Struct, frozen=True):
    """What must be known to judge a batch."""

    tables: list[str]  # and other trails, in order: whoever locks them in this order waits for nobody who waits
    commands: list[tuple[str, str]]
    accounts: list[tuple[str, str]]
    shoes: list[tuple[str, int]]
    people: list[str]  # whose pockets are touched, in order; locked after the tables


class Found(msgspec.Struct):
    """What the database holds of it."""

    standings: dict[str, Standing] = {}
    games: set[tuple[str, str]] = set()  # table, digest
    without_game: set[str] = set()  # trails that are no table's
    commands: dict[tuple[str, str], tuple[int, int]] = {}
    balances: dict[tuple[str, str], int] = {}
    sealed: dict[tuple[str, int], bytes] = {}
    wallets: dict[str, int] = {}  # of those who have one


class Writes(msgspec.Struct):
    """The rows that a batch leads to."""

    records: list[tuple[str, int, bytes]] = []
    postings: list[tuple[str, int, int, str, int, int]] = []
    commands: list[tuple[str, str, int, int]] = []
    standings: dict[str, Standing] = {}
    balances: dict[tuple[str, str], int] = {}
    seals: list[tuple[str, int, bytes]] = []
    reveals: list[tuple[str, int]] = []
    wallets: dict[str, int] = {}
    plays: list[Play] = []
    rounds: dict[tuple[str, int], RoundEntry] = {}


def needs(batch: Iterable[Append]) -> Needs:
    """What to look up for appends that are fit to be stored."""
    tables: set[str] = set()
    commands: set[tuple[str, str]] = set()
    accounts: set[tuple[str, str]] = set()
    shoes: set[tuple[str, int]] = set()
    for each in batch:
        tables.add(each.table)
        commands.add((each.table, each.command))
        accounts.update((each.table, account) for postings in each.postings for account, _ in postings)
        shoes.update((each.table, shoe) for shoe in _shoes(each))
    people = {account.removeprefix(WORLD) for _, account in accounts if account.startswith(WORLD)}
    return Needs(sorted(tables), sorted(commands), sorted(accounts), sorted(shoes), sorted(people))


def judge(batch: Sequence[Append], found: Found) -> tuple[list[Result], Writes]:
    """A result for each, and the rows of those that can be written. All are fit to be stored."""
    judged = _Judged(found)
    return [judged.take(each) for each in batch], judged.writes


class _Judged:
    """The database as it will be after what was judged so far."""

    def __init__(self, found: Found) -> None:
        self.found, self.writes = found, Writes()

    def take(self, append: Append) -> Result:
        try:
            return self._taken(append)
        except (Conflict, Faulty, Missing, Short) as error:
            return error

    def _taken(self, append: Append) -> Result:
        standing = self.found.standings.get(append.table)
        if standing is None:
            raise Missing(f"there is no table or trail {append.table!r} in this store. Create it first.")
        if done := self.found.commands.get((append.table, append.command)):
            return Duplicate(*done)
        if (append.after, append.head) != (standing.sequence, standing.head):
            raise Conflict(append.table, expected=append.after, found=standing.sequence)
        after = self._chained(append, standing)
        self._secrets(append)
        balances, postings = self._posted(append)
        wallets = self._wallets(append)
        self._write(append, after, balances, postings, wallets)
        return Appended(append.after + 1, after.sequence)

    def _chained(self, append: Append, standing: Standing) -> Standing:
        """Each line must name the one before, as the first fields of a record do."""
        if append.at < standing.last_at:
            raise Faulty(
                f"the records of {append.table} are of {append.at}, before the last at {standing.last_at}. "
                "Give the later time, and record the step."
            )
        sequence, head = standing.sequence, standing.head
        for line in append.lines:
            sequence += 1
            start = f'{{"sequence":{sequence},"previous":"{head}",'.encode()
            if not line.startswith(start) or b"\n" in line:
                raise Faulty(
                    f"the record that should be number {sequence} of {append.table} does not follow the one "
                    f"before it. It starts with {line[:100]!r}. Nothing of it was written."
                )
            self._under_rules(append.table, sequence, line[len(start) : len(start) + _RULES])
            head = digest(line)
        return Standing(append.table, sequence, head, append.at)

    def _under_rules(self, table: str, sequence: int, field: bytes) -> None:
        """The next field of a table's record names rules that are here; that of another trail's names none."""
        named = field.startswith(_GAME)
        if table in self.found.without_game:
            if named:
                raise Faulty(f"record {sequence} of {table} names rules, and {table} is no table. Nothing was written.")
            return
        game = field[len(_GAME) :].decode("ascii", "replace") if named else "no rules"
        if (table, game) not in self.found.games:
            raise Faulty(
                f"record {sequence} of table {table} is under the rules {game[:16]}…, which the store does "
                "not have. Adopt them first, so that every record can be read with its rules."
            )

    def _secrets(self, append: Append) -> None:
        """A secret stands in no record while it is sealed, and is given up only where a record tells it."""
        seals, shoe = append.seals, append.reveals
        if seals is not None:
            if (append.table, seals.shoe) in self.found.sealed:
                raise Faulty(f"the secret of shoe {seals.shoe} at table {append.table} is sealed already")
            if any(_tells(line, seals.secret) for line in append.lines):
                raise Faulty(f"the secret of shoe {seals.shoe} stands in a record that commits to it. Choose another.")
        if shoe is not None:
            secret = self.found.sealed.get((append.table, shoe))
            if secret is None:
                raise Faulty(f"no secret of shoe {shoe} at table {append.table} is sealed, so none can be revealed")
            if not any(_tells(line, secret) for line in append.lines):
                raise Faulty(f"these records do not tell the secret of shoe {shoe} at table {append.table}")

    def _posted(self, append: Append) -> tuple[dict[str, Money], list[tuple[str, int, int, str, int, int]]]:
        """The balances afterwards, and each posting with the balance after it; the ledger judges."""
        accounts = {account for postings in append.postings for account, _ in postings}
        held = {each: Money(self.found.balances.get((append.table, each), 0)) for each in accounts}
        rows: list[tuple[str, int, int, str, int, int]] = []
        for sequence, postings in enumerate(append.postings, append.after + 1):
            running = dict(held)
            for place, (account, amount) in enumerate(postings):
                running[account] = Money(running.get(account, 0) + amount)
                if abs(running[account]) > LARGEST:
                    raise Faulty(f"{account} at table {append.table} would hold more than can be written down")
                rows.append((append.table, sequence, place, account, amount, running[account]))
            try:
                post(held, postings)
            except LedgerError as error:
                raise Faulty(
                    f"record {sequence} of table {append.table}: {error}. Nothing of it was written; stop the table."
                ) from None
        return {each: held.get(each, Money(0)) for each in accounts}, rows

    def _wallets(self, append: Append) -> dict[str, int]:
        """What those have afterwards who have a wallet; no record may take more than is in it."""
        after: dict[str, int] = {}
        if not self.found.wallets:
            return after
        for postings in append.postings:
            for person, amount in _pocketed(postings).items():
                balance = after.get(person, self.found.wallets.get(person))
                if balance is None:
                    continue  # somebody who plays for cash
                if balance + amount < 0:
                    raise Short(person, balance, -amount)
                if balance + amount > LARGEST:
                    raise Faulty(f"the wallet of {person} would hold more than can be written down")
                after[person] = balance + amount
        return after

    def _write(
        self,
        append: Append,
        after: Standing,
        balances: dict[str, Money],
        postings: list[tuple[str, int, int, str, int, int]],
        wallets: dict[str, int],
    ) -> None:
        table, found, writes = append.table, self.found, self.writes
        first = append.after + 1
        writes.records += [(table, sequence, line) for sequence, line in enumerate(append.lines, first)]
        writes.postings += postings
        writes.commands.append((table, append.command, first, after.sequence))
        found.commands[table, append.command] = (first, after.sequence)
        found.standings[table] = writes.standings[table] = after
        for account, balance in balances.items():
            found.balances[table, account] = writes.balances[table, account] = balance
        if append.seals is not None:
            writes.seals.append((table, append.seals.shoe, append.seals.secret))
            found.sealed[table, append.seals.shoe] = append.seals.secret
        if append.reveals is not None:
            writes.reveals.append((table, append.reveals))
            del found.sealed[table, append.reveals]
        found.wallets |= wallets
        writes.wallets |= wallets
        writes.plays += append.plays
        if append.round is not None:
            writes.rounds[table, append.round.number] = append.round


def unfit(append: Append) -> str:
    """Why it can be in no database, "" where it can."""
    moved = [each for postings in append.postings for each in postings]
    if not append.lines or len(append.lines) != len(append.postings):
        return f"there are {len(append.lines)} records with {len(append.postings)} lists of postings"
    if not append.command:
        return "the command has no id, so that it could be done twice"
    if not all(map(storable, {append.table, append.head, append.command, *(account for account, _ in moved)})):
        return f"a name is longer than {NAME_BYTES} bytes, or holds a character that cannot be stored"
    if min(append.after, append.at) < 0 or max(append.after, append.at) > LARGEST - len(append.lines):
        return f"record {append.after} at {append.at} is out of range"
    if moved and max(abs(amount) for _, amount in moved) > LARGEST:
        return "an amount is larger than can be written down"
    return (_shoes(append) and _unfit_secret(append)) or _unfit_rounds(append)


def _unfit_secret(append: Append) -> str:
    seals = append.seals
    if seals is not None and len(seals.secret) != SECRET_BYTES:
        return f"a secret has {SECRET_BYTES} bytes, and this one has {len(seals.secret)}"
    if not all(0 <= shoe <= LARGEST for shoe in _shoes(append)):
        return "the number of a shoe is out of range"
    if seals is not None and append.reveals == seals.shoe:
        return f"the secret of shoe {seals.shoe} is sealed and revealed at once"
    return ""


def _unfit_rounds(append: Append) -> str:
    """What is told of rounds is told of this table, and with the records that decide it."""
    last = append.after + len(append.lines)
    if len({(each.person, each.at, each.sequence, each.kind) for each in append.plays}) < len(append.plays):
        return "a play is told twice"
    for play in append.plays:
        if play.table != append.table or not append.after < play.sequence <= last:
            return f"a play of record {play.sequence} of {play.table} is told with other records"
        if not play.person or not storable(play.person) or not storable(play.kind):
            return "a play has a name that cannot be stored"
        if not all(map(_countable, (play.at, play.staked, play.round))) or abs(play.net) > LARGEST:
            return "a play has an amount or a time that is out of range"
    entry = append.round
    if entry is None:
        return ""
    if entry.table != append.table or not append.after < entry.last <= last or not 0 < entry.first <= entry.last:
        return f"a round of records {entry.first} to {entry.last} of {entry.table} is told with other records"
    if not all(map(_countable, (entry.number, entry.started, entry.ended))) or not -1 <= entry.ending <= LARGEST:
        return "a round has a number or a time that is out of range"
    return ""


def _countable(number: int) -> bool:
    return 0 <= number <= LARGEST


def storable(name: str) -> bool:
    """Can every database hold this name, and look it up? Some hold no NUL, none half a character."""
    if name.isascii():
        return len(name) <= NAME_BYTES and "\0" not in name
    try:
        return len(name.encode()) <= NAME_BYTES and "\0" not in name
    except UnicodeEncodeError:
        return False


def _shoes(append: Append) -> list[int]:
    sealed = [append.seals.shoe] if append.seals is not None else []
    return [*sealed, append.reveals] if append.reveals is not None else sealed


def _pocketed(postings: Sequence[tuple[str, int]]) -> dict[str, int]:
    """What a record moves in and out of the pockets of people."""
    moved: dict[str, int] = {}
    for account, amount in postings:
        if account.startswith(WORLD):
            person = account.removeprefix(WORLD)
            moved[person] = moved.get(person, 0) + amount
    return moved


def _tells(line: bytes, secret: bytes) -> bool:
    return secret.hex().encode() in line.lower()
