"""Validate a batch of appends, one after the other, against what the database holds.

Nothing here reads or writes. A backend looks up what `needs` names while nobody else can change it, calls `validate`,
and writes the rows. So all backends decide alike, and an append that cannot be written spoils no other: in effect each
has a savepoint of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import msgspec

from longhu.audit.record import digest
from longhu.ledger import WORLD, unlimited
from longhu.store.entries import SECRET_BYTES, Append, Appended, Duplicate, Play, RoundEntry, StreamHead
from longhu.store.errors import InsufficientFunds, InvalidAppend, LossLimitExceeded, NotFound, WrongExpectedVersion
from longhu.store.interface import Result

NAME_BYTES = 500  # an entry of an index has room for three such names
LARGEST = 2**63 - 1  # that a column of whole numbers holds
Moved = tuple[str, int, int]  # account, amount, balance after it
_GAME = b'"game":"'
_RULES = len(_GAME) + 64  # bytes of the field that names the rules


class Needs(msgspec.Struct, frozen=True):
    """What must be looked up to validate a batch."""

    tables: list[str]  # and other trails, in order: whoever locks them in this order waits for nobody who waits
    commands: list[tuple[str, str]]
    accounts: list[tuple[str, str]]
    shoes: list[tuple[str, int]]
    people: list[str]  # whose pockets are touched, or whose losses count, in order; locked after the tables
    bounds: list[tuple[str, int]] = []  # people, and since when their losses count; asked when they are locked


class Found(msgspec.Struct):
    """What the database holds of it."""

    standings: dict[str, StreamHead] = {}
    games: dict[str, Sequence[str]] = {}  # of each table, their digests
    without_game: set[str] = set()  # trails that are no table's
    commands: dict[tuple[str, str], tuple[int, int, str]] = {}  # first and last record, fingerprint
    balances: dict[str, dict[str, int]] = {}  # table, account; one that is not here is empty
    sealed: dict[tuple[str, int], bytes] = {}
    wallets: dict[str, int] = {}  # of those who have one
    risks: dict[str, dict[str, tuple[int, int]]] = {}  # person, table: the round and what is at stake in it
    lost: dict[tuple[str, int], int] = {}  # person, since


class Writes(msgspec.Struct):
    """What a batch leads to."""

    appends: list[tuple[Append, list[list[Moved]]]] = []  # and what each of its records moved
    standings: dict[str, StreamHead] = {}
    balances: dict[tuple[str, str], int] = {}  # table, account
    seals: dict[tuple[str, int], bytes] = {}  # table, shoe
    reveals: list[tuple[str, int]] = []  # of those that were sealed before this batch
    wallets: dict[str, int] = {}
    plays: list[Play] = []
    rounds: dict[tuple[str, int], RoundEntry] = {}
    risks: dict[tuple[str, str], tuple[int, int]] = {}  # person, table


def needs(batch: Iterable[Append]) -> Needs:
    """What to look up for appends that are fit to be stored."""
    tables: set[str] = set()
    commands: set[tuple[str, str]] = set()
    accounts: set[tuple[str, str]] = set()
    shoes: set[tuple[str, int]] = set()
    people: set[str] = set()
    bounds: set[tuple[str, int]] = set()
    for each in batch:
        table = each.table
        tables.add(table)
        commands.add((table, each.command))
        if each.seals is not None or each.reveals is not None:
            shoes.update((table, shoe) for shoe in _shoes(each))
        for risk in each.risks:
            people.add(risk.person)
            bounds.update((risk.person, bound.since) for bound in risk.bounds)
        for account in {account for postings in each.postings for account, _ in postings}:
            accounts.add((table, account))
            if account.startswith(WORLD):
                people.add(account.removeprefix(WORLD))
    return Needs(sorted(tables), sorted(commands), sorted(accounts), sorted(shoes), sorted(people), sorted(bounds))


def validate(batch: Sequence[Append], found: Found) -> tuple[list[Result], Writes]:
    """A result for each append, and the rows of those that can be written. All are fit to be stored."""
    validation = _Validation(found)
    return [validation.take(each) for each in batch], validation.writes


class _Validation:
    """The database as it will be after the appends so far."""

    def __init__(self, found: Found) -> None:
        self.found, self.writes = found, Writes()
        self._rules: dict[str, bytes] = {}  # that the last record of each table was under

    def take(self, append: Append) -> Result:
        try:
            return self._taken(append)
        except (WrongExpectedVersion, LossLimitExceeded, InvalidAppend, NotFound, InsufficientFunds) as error:
            return error

    def _taken(self, append: Append) -> Result:
        standing = self.found.standings.get(append.table)
        if standing is None:
            raise NotFound(f"there is no table or trail {append.table!r} in this store. Create it first.")
        if done := self.found.commands.get((append.table, append.command)):
            return Duplicate(*done)
        if (append.after, append.head) != (standing.sequence, standing.head):
            raise WrongExpectedVersion(append.table, expected=append.after, found=standing.sequence)
        after = self._chained(append, standing)
        if append.seals is not None or append.reveals is not None:
            self._secrets(append)
        balances, moved = self._posted(append)
        wallets = self._wallets(append, balances) if self.found.wallets else {}
        if append.risks:
            self._risks(append)
        self._write(append, after, balances, moved, wallets)
        return Appended(append.after + 1, after.sequence)

    def _chained(self, append: Append, standing: StreamHead) -> StreamHead:
        """Each line must name the one before, as the first fields of a record do."""
        if append.at < standing.last_at:
            raise InvalidAppend(
                f"the records of {append.table} are of {append.at}, before the last at {standing.last_at}. "
                "Give the later time, and record the step."
            )
        sequence, head, rules = standing.sequence, standing.head, self._rules.get(append.table)
        for line in append.lines:
            sequence += 1
            start = f'{{"sequence":{sequence},"previous":"{head}",'.encode()
            if not line.startswith(start) or b"\n" in line:
                raise InvalidAppend(
                    f"the record that should be number {sequence} of {append.table} does not follow the one "
                    f"before it. It starts with {line[:100]!r}. Nothing of it was written."
                )
            named = line[len(start) : len(start) + _RULES]
            if named != rules:
                self._under_rules(append.table, sequence, named)
                rules = self._rules[append.table] = named
            head = digest(line)
        return StreamHead(append.table, sequence, head, append.at)

    def _under_rules(self, table: str, sequence: int, field: bytes) -> None:
        """The next field of a table's record names rules that are here; that of another trail's names none."""
        named = field.startswith(_GAME)
        if table in self.found.without_game:
            if named:
                raise InvalidAppend(
                    f"record {sequence} of {table} names rules, and {table} is no table. Nothing was written."
                )
            return
        game = field[len(_GAME) :].decode("ascii", "replace") if named else "no rules"
        if game not in self.found.games.get(table, ()):
            raise InvalidAppend(
                f"record {sequence} of table {table} is under the rules {game[:16]}…, which the store does "
                "not have. Adopt them first, so that every record can be read with its rules."
            )

    def _secrets(self, append: Append) -> None:
        """A secret stands in no record while it is sealed, and is given up only where a record tells it."""
        seals, shoe = append.seals, append.reveals
        if seals is not None:
            if (append.table, seals.shoe) in self.found.sealed:
                raise InvalidAppend(f"the secret of shoe {seals.shoe} at table {append.table} is sealed already")
            if any(_tells(line, seals.secret) for line in append.lines):
                raise InvalidAppend(
                    f"the secret of shoe {seals.shoe} stands in a record that commits to it. Choose another."
                )
        if shoe is not None:
            secret = self.found.sealed.get((append.table, shoe))
            if secret is None:
                raise InvalidAppend(
                    f"no secret of shoe {shoe} at table {append.table} is sealed, so none can be revealed"
                )
            if not any(_tells(line, secret) for line in append.lines):
                raise InvalidAppend(f"these records do not tell the secret of shoe {shoe} at table {append.table}")

    def _posted(self, append: Append) -> tuple[dict[str, int], list[list[Moved]]]:
        """The balances afterwards, and what each record moved with the balances after it."""
        before = self.found.balances.get(append.table, {})
        after: dict[str, int] = {}
        told: list[list[Moved]] = []
        for postings in append.postings:
            total = 0
            moved: list[Moved] = []
            for account, amount in postings:
                total += amount
                balance = (after if account in after else before).get(account, 0) + amount
                if not 0 <= balance <= LARGEST:
                    _judge_balance(append, len(told), account, balance)
                after[account] = balance
                moved.append((account, amount, balance))
            if total:
                raise _faulty(append, len(told), f"the postings sum to {total}")
            told.append(moved)
        return after, told

    def _wallets(self, append: Append, touched: Iterable[str]) -> dict[str, int]:
        """What those have afterwards who have a wallet; no record may take more than is in it."""
        after: dict[str, int] = {}
        if not any(account.startswith(WORLD) for account in touched):
            return after
        for postings in append.postings:
            for person, amount in _pocketed(postings).items():
                balance = after.get(person, self.found.wallets.get(person))
                if balance is None:
                    continue  # somebody who plays for cash
                if balance + amount < 0:
                    raise InsufficientFunds(person, balance, -amount)
                if balance + amount > LARGEST:
                    raise InvalidAppend(f"the wallet of {person} would hold more than can be written down")
                after[person] = balance + amount
        return after

    def _risks(self, append: Append) -> None:
        """Nobody who has a limit on losses may have more at stake, at all tables together, than is left of it."""
        for risk in append.risks:
            lying = dict(self.found.risks.get(risk.person, {}))
            for each in risk.elsewhere:
                lying[each.table] = max(lying.get(each.table, (0, 0)), (each.round, each.staked))
            staked = risk.staked + sum(staked for table, (_, staked) in lying.items() if table != append.table)
            for bound in risk.bounds:
                lost = self.found.lost[risk.person, bound.since]
                if lost + staked > bound.most:
                    raise LossLimitExceeded(risk.person, bound.most, lost, staked)

    def _write(
        self,
        append: Append,
        after: StreamHead,
        balances: dict[str, int],
        moved: list[list[Moved]],
        wallets: dict[str, int],
    ) -> None:
        table, found, writes = append.table, self.found, self.writes
        writes.appends.append((append, moved))
        found.commands[table, append.command] = (append.after + 1, after.sequence, append.fingerprint)
        found.standings[table] = writes.standings[table] = after
        found.balances.setdefault(table, {}).update(balances)
        for account, balance in balances.items():
            writes.balances[table, account] = balance
        if append.seals is not None:
            found.sealed[table, append.seals.shoe] = writes.seals[table, append.seals.shoe] = append.seals.secret
        if append.reveals is not None:
            del found.sealed[table, append.reveals]
            if writes.seals.pop((table, append.reveals), None) is None:
                writes.reveals.append((table, append.reveals))
        found.wallets |= wallets
        writes.wallets |= wallets
        writes.plays += append.plays
        if append.round is not None:
            writes.rounds[table, append.round.number] = append.round
        for risk in append.risks:
            at_stake = (risk.round, risk.staked)
            found.risks.setdefault(risk.person, {})[table] = writes.risks[risk.person, table] = at_stake
        if found.lost:
            self._round_over(append)

    def _round_over(self, append: Append) -> None:
        """What was at stake is lost or won, for those of whom somebody asks in the same batch."""
        for play in append.plays:
            for (person, since), lost in self.found.lost.items():
                if person == play.person and since <= play.at:
                    self.found.lost[person, since] = lost - play.net
        for staked in self.found.risks.values():
            if (
                append.round is not None
                and staked.get(append.table, (append.round.number + 1, 0))[0] <= append.round.number
            ):
                del staked[append.table]


def _judge_balance(append: Append, place: int, account: str, balance: int) -> None:
    """One that is below zero, or very large."""
    if balance < 0 and not unlimited(account):
        raise _faulty(append, place, f"{account} would stand at {balance}")
    if not -LARGEST <= balance <= LARGEST:
        raise _faulty(append, place, f"{account} would hold more than can be written down")


def _faulty(append: Append, place: int, why: str) -> InvalidAppend:
    return InvalidAppend(
        f"record {append.after + 1 + place} of table {append.table}: {why}. Nothing of it was written; stop the table."
    )


def unfit(append: Append) -> str:
    """Why it can be in no database, "" where it can."""
    if not append.lines or len(append.lines) != len(append.postings):
        return f"there are {len(append.lines)} records with {len(append.postings)} lists of postings"
    if not append.command:
        return "the command has no id, so that it could be done twice"
    fits = storable(append.command) and _often_asked(append.table)
    for postings in append.postings:
        for account, amount in postings:
            if not -LARGEST <= amount <= LARGEST:
                return "an amount is larger than can be written down"
            fits = fits and _often_asked(account)
    if not fits:
        return f"a name is longer than {NAME_BYTES} bytes, or holds a character that cannot be stored"
    if not 0 <= append.after <= LARGEST - len(append.lines) or not 0 <= append.at <= LARGEST:
        return f"record {append.after} at {append.at} is out of range"
    if append.seals is not None or append.reveals is not None:
        return _unfit_secret(append) or _unfit_rounds(append) or _unfit_risks(append)
    if append.plays or append.round is not None or append.risks:
        return _unfit_rounds(append) or _unfit_risks(append)
    return ""


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
    if entry.table != append.table or not 0 < entry.first <= entry.last <= last:
        return f"a round of records {entry.first} to {entry.last} of {entry.table} is told with other records"
    if not all(map(_countable, (entry.number, entry.started, entry.ended))):
        return "a round has a number or a time that is out of range"
    if not storable(entry.winner):
        return "a round has a winner that cannot be stored"
    return ""


def _unfit_risks(append: Append) -> str:
    for risk in append.risks:
        numbers = [risk.round, risk.staked, *(bound.since for bound in risk.bounds)]
        numbers += [number for each in risk.elsewhere for number in (each.round, each.staked)]
        if not risk.person or not storable(risk.person) or not all(map(_countable, numbers)):
            return "a risk has a name or a number that cannot be stored"
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


_often_asked = lru_cache(maxsize=50_000)(storable)  # of tables and accounts


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
