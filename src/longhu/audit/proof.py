"""A proof: a self-contained file of a table, a shoe or a day, which anybody checks without the house.

JSON lines. The first says what it is and holds the game files; for a part of a trail the second holds the table as it stood
before. Then come the records, byte for byte as the chain made them, with signed heads where they were signed. The last line
tells how many there were.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated

import msgspec

from longhu.audit.record import beginning, decode, digest, read
from longhu.audit.signed_heads import Head
from longhu.games.game import Game
from longhu.games.loader import load
from longhu.games.source import read_text
from longhu.table.acts import EVOLVERS, Event
from longhu.table.engine import replay
from longhu.table.state import Table

FORMAT = "longhu-proof/1"
DIGITS = 19  # the number of a record has fewer
Digest = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}\Z")]


class ProofError(ValueError):
    """A file that is no proof: what was found, and what to do."""


class OtherTrail(ProofError):
    """A trail of a person or of the house, as it was exported: it has no table, and is checked elsewhere."""


class GameFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rules that were in force, as they were written, with the readings that the house took."""

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
    """The table as it stood before the first record, where that is not the table's first."""

    state: Table


class Closing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last line."""

    end: int  # how many records there are
    head: str  # the digest of the last


class SignedHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    head: Head


class OtherEvent(msgspec.Struct, frozen=True):
    """What every event has, whatever else is in it."""

    event: str
    by: str
    at: int
    position: int


class OtherRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of a trail that has no game: of a person, or of the house."""

    sequence: Annotated[int, msgspec.Meta(ge=1)]
    previous: Digest
    event: OtherEvent
    digest: Digest | None = None  # of the line itself, where it was exported


_encoder = msgspec.json.Encoder()
RECORD, HEAD, STATE, END = b'{"sequence":', b'{"head":', b'{"state":', b'{"end":'


def game_files(games: Iterable[Game]) -> dict[str, GameFile]:
    return {game.digest: GameFile(game.text, dict(game.taken)) for game in games}


def opening_line(table: str, span: str, games: Mapping[str, GameFile], *, program: str = "", key: str = "") -> bytes:
    return _encoder.encode(Opening(FORMAT, table, span, dict(games), program, key)) + b"\n"


def state_line(table: Table) -> bytes:
    return _encoder.encode(StartingState(table)) + b"\n"


def head_line(head: Head) -> bytes:
    return _encoder.encode(SignedHead(head)) + b"\n"


def closing_line(records: int, head: str) -> bytes:
    return _encoder.encode(Closing(records, head)) + b"\n"


def read_opening(line: bytes) -> Opening:
    """The first line of a proof; anything else is no proof."""
    try:
        opening = read(line, Opening)
    except msgspec.MsgspecError as error:
        if is_of_other_trail(line):
            raise OtherTrail(
                "this is the trail of a person or of the house, and no proof of a table; nothing in it was checked. "
                "`longhu admin check` checks such trails in the house's own store; proofs of tables are in tables/*.jsonl "
                "of `longhu admin export --all`."
            ) from None
        raise ProofError(
            f"this is no proof: its first line says nothing of one ({error}). `longhu export` makes proofs."
        ) from None
    if opening.proof != FORMAT:
        raise ProofError(f"this is a proof of the form {opening.proof[:40]!r}, and {FORMAT} can be read here")
    return opening


def is_of_other_trail(line: bytes) -> bool:
    """Is it a record of a trail that has no game? One of a table that has lost its game is not."""
    try:
        record = read(line, OtherRecord)
    except msgspec.MsgspecError:
        return False
    of_tables = {str(each.__struct_config__.tag) for each in EVOLVERS}
    return line.startswith(RECORD) and record.event.event not in of_tables


def records(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The lines of a proof that hold records."""
    return (line.rstrip(b"\n") for line in lines if line.startswith(RECORD))


def followed(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The same lines, as long as each record follows the one before, and the last line names the last of them.

    Whoever signs looks at this much; whether the records follow the rules is for the verifier.
    """
    count, sequence, head = 0, 0, ""  # no head: the state of the table is on record, and what comes next follows it
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
        elif line.startswith(END) and _closing(line) != Closing(count, head):
            raise ProofError(
                f"line {number} tells of other records than there are before it. `longhu verify` says more."
            )
        yield line


def _sequence(line: bytes) -> int:
    """Of a record, as its line begins; nothing follows one that has none."""
    told = line[len(RECORD) :].partition(b",")[0]
    return int(told) if told.isdigit() and len(told) < DIGITS else -2


def _closing(line: bytes) -> Closing | None:
    try:
        return read(line, Closing)
    except msgspec.MsgspecError:
        return None


def events(lines: Iterable[bytes]) -> Iterator[Event]:
    """What happened, record by record; nothing is judged."""
    return (decode(line).event for line in records(lines))


def replayed(lines: Iterable[bytes]) -> Table:
    """The table as a proof of the whole of it leaves it."""
    return replay(Table(game=""), events(lines))
