"""A proof: a self-contained file of a table, a shoe or a day, which anybody can verify without the house.

JSON lines (docs/audit-log.md). The first says what the file is, and holds the game files. In a part of an audit log the second holds the
state of the table before. Then come the records, byte for byte as the chain made them, with signed heads after those that were signed. The
last line says how many records there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated

import msgspec

from longhu.audit.record import EVENT_NAMES, beginning, decode, digest, read
from longhu.audit.signed_heads import Head
from longhu.cards import CARDS_PER_DECK
from longhu.eventsourcing import Event
from longhu.games.game import Game
from longhu.games.loader import load
from longhu.games.source import read_text
from longhu.ledger import unlimited
from longhu.table.checkpoint import plain
from longhu.table.engine import replay
from longhu.table.state import Table

FORMAT = "longhu-proof/1"  # in which proofs are written
RECORD, HEAD, STATE, END = b'{"sequence":', b'{"head":', b'{"state":', b'{"end":'  # how the lines start
DIGITS = 19  # the number of a record has fewer
DECKS_MAX = 100
Digest = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}\Z")]


class ProofError(ValueError):
    """A file that is no proof: what was found, and what to do."""


class OtherLog(ProofError):
    """The exported audit log of a person or of the house: it has no table, and is checked elsewhere."""


# ------------------------------------------------ the lines


class GameFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rules in force, as they were written, with the readings that the house chose."""

    text: str
    readings: dict[str, str] = {}

    def load(self, name: str) -> Game:
        return load(read_text(self.text, name), self.readings)


class Opening(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line."""

    proof: str  # FORMAT
    table: str
    span: str  # in words: "the whole table", "shoe 3", "2026-11-16"
    games: dict[str, GameFile]  # by digest
    program: str = ""  # the version of Longhu that wrote it
    key: str = ""  # the house's public key, where heads are signed


class StartingState(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table before the first record, where that is not the table's first."""

    state: Table


class HeadLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A signed head of the record above."""

    head: Head


class EndLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last line."""

    end: int  # how many records there are
    head: str  # the digest of the last


_encoder = msgspec.json.Encoder()


def game_files(games: Iterable[Game]) -> dict[str, GameFile]:
    return {game.digest: GameFile(game.text, dict(game.taken)) for game in games}


def opening_line(table: str, span: str, games: Mapping[str, GameFile], *, program: str = "", key: str = "") -> bytes:
    return _encoder.encode(Opening(FORMAT, table, span, dict(games), program, key)) + b"\n"


def state_line(table: Table) -> bytes:
    return _encoder.encode({"state": plain(table)}) + b"\n"


def head_line(head: Head) -> bytes:
    return _encoder.encode(HeadLine(head)) + b"\n"


def closing_line(records: int, head: str) -> bytes:
    return _encoder.encode(EndLine(records, head)) + b"\n"


# ------------------------------------------------ reading the opening


class _Format(msgspec.Struct, frozen=True):
    proof: str


def _opening_1(line: bytes) -> Opening:
    return read(line, Opening)


OPENINGS: dict[str, Callable[[bytes], Opening]] = {"longhu-proof/1": _opening_1}  # `verify.FORMATS` has the other lines


def read_opening(line: bytes) -> Opening:
    """The first line of a proof, in the format that it names; `ProofError` where it is anything else."""
    try:
        name = read(line, _Format).proof
        if name not in OPENINGS:
            raise ProofError(f"this is a proof of the form {name[:40]!r}, and {', '.join(OPENINGS)} can be read here")
        return OPENINGS[name](line)
    except msgspec.MsgspecError as error:
        if is_of_other_log(line):
            raise OtherLog(
                "this is the audit log of a person or of the house, and no proof of a table; nothing in it was checked. "
                "`longhu admin check` checks such logs in the house's own store; proofs of tables are in tables/*.jsonl "
                "of `longhu admin export --all`."
            ) from None
        raise ProofError(
            f"this is no proof: its first line says nothing of one ({error}). `longhu export` makes proofs."
        ) from None


class OtherEvent(msgspec.Struct, frozen=True):
    """What every event has, whatever else is in it."""

    event: str
    by: str
    at: int
    position: str


class OtherRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of an audit log that has no game: of a person, or of the house."""

    sequence: Annotated[int, msgspec.Meta(ge=1)]
    previous: Digest
    event: OtherEvent
    digest: Digest | None = None  # of the line itself, where it was exported


def is_of_other_log(line: bytes) -> bool:
    """Is it a record of an audit log that has no game? One of a table that has lost its game is not."""
    try:
        record = read(line, OtherRecord)
    except msgspec.MsgspecError:
        return False
    return line.startswith(RECORD) and record.event.event not in EVENT_NAMES


# ------------------------------------------------ reading the state that a part starts from


def read_state(line: bytes) -> Table:
    """The state in the second line of a part; `ProofError` where it is none, or one that no table can be in.

    It comes from a stranger and may ask for a billion cards, so its numbers are looked at before anything is made of it.
    """
    try:
        table = read(line, StartingState).state
    except msgspec.MsgspecError as error:
        raise ProofError(f"this is no state of a table: {error}") from None
    if state_line(table).rstrip(b"\n") != line.rstrip(b"\n"):
        raise ProofError("it is not written as the state of a table is written")
    impossible = _impossible(table)
    if impossible:
        raise ProofError(f"impossible table state: {impossible}")
    return table


def _impossible(table: Table) -> str:
    """What no table with these settings can have, in words; "" for nothing."""
    settings, shoe, shuffle = table.settings, table.shoe, table.shuffle
    if settings is None:
        return "it is closed"
    if not 1 <= settings.decks <= DECKS_MAX:
        return f"it has {settings.decks} decks"
    mixes = [("shoe", shoe.counts)] if shoe is not None else []
    mixes += [("shuffle", shuffle.mix.counts)] if shuffle is not None and shuffle.mix is not None else []
    for name, counts in mixes:
        if len(counts) != CARDS_PER_DECK or not all(0 <= count <= settings.decks for count in counts):
            return f"the {name} does not hold cards of {settings.decks} decks"
    if shoe is not None and not 0 <= shoe.drawn <= settings.cards:
        return f"{shoe.drawn} cards have left its shoe"
    if sum(table.balances.values()):
        return "its balances do not sum to zero"
    owing = next((account for account, held in table.balances.items() if held < 0 and not unlimited(account)), None)
    if owing is not None:
        return f"{owing} owes money"
    if table.round is not None:
        return "a round is in progress"
    seats = [person.seat for person in table.people.values() if person.seat is not None]
    if len(set(seats)) != len(seats) or not all(1 <= seat <= settings.positions for seat in seats):
        return "its seats are taken twice, or are not there"
    return ""


# ------------------------------------------------ the records in it


def records(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The lines of a proof that hold records."""
    return (line.rstrip(b"\n") for line in lines if line.startswith(RECORD))


def events(lines: Iterable[bytes]) -> Iterator[Event]:
    """What happened, record by record; nothing is checked."""
    return (decode(line).event for line in records(lines))


def replayed(lines: Iterable[bytes]) -> Table:
    """The table as a proof of the whole of it leaves it."""
    return replay(Table(game=""), events(lines))


def followed(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The same lines, as long as each record follows the one before, and the last line names the last of them.

    Whoever signs checks this much; whether the records follow the rules is for the verifier.
    """
    count, sequence, head = 0, 0, ""  # no head: the first record of a part names a line that is not here
    for number, line in enumerate(lines, 1):
        if number == 1:
            head = beginning(read_opening(line).table)
        elif line.startswith(STATE) and not count:
            head = ""
        elif line.startswith(RECORD):
            bare = line.rstrip(b"\n")
            if head and not bare.startswith(b'{"sequence":%d,"previous":"%s"' % (sequence + 1, head.encode())):
                raise ProofError(
                    f"the record in line {number} does not follow what is before it. `longhu verify` says more."
                )
            count, sequence, head = count + 1, _sequence(bare), digest(bare)
        elif line.startswith(END) and _closing(line) != EndLine(count, head):
            raise ProofError(
                f"line {number} tells of other records than there are before it. `longhu verify` says more."
            )
        yield line


def _sequence(line: bytes) -> int:
    """Of a record, as its line begins; nothing follows one that has none."""
    told = line[len(RECORD) :].partition(b",")[0]
    return int(told) if told.isdigit() and len(told) < DIGITS else -2


def _closing(line: bytes) -> EndLine | None:
    try:
        return read(line, EndLine)
    except msgspec.MsgspecError:
        return None
