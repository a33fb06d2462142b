"""Values that are stored, and values that queries return."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

SECRET_BYTES = 32


class StoredEvent(Protocol):
    """What the store must know of an event, be it of a table, of a person or of the house."""

    @property
    def at(self) -> int: ...

    def postings(self) -> Sequence[tuple[str, int]]: ...


class StreamHead(msgspec.Struct, frozen=True):
    """Where a trail stands: what a `Chain` starts from."""

    table: str  # or the name of a trail that is no table's
    sequence: int
    head: str  # the digest of the last record
    last_at: int  # milliseconds, UTC


class Sealed(msgspec.Struct, frozen=True):
    """The secret of a committed shuffle, which stands in no record until it is revealed."""

    shoe: int
    secret: bytes

    def __repr__(self) -> str:
        """Without the secret: a log line must not have it."""
        return f"Sealed(shoe={self.shoe})"


class Play(msgspec.Struct, frozen=True):
    """What a round of play, or what was put right of it afterwards, meant for one person."""

    person: str
    table: str
    round: int
    at: int  # milliseconds, UTC
    staked: int
    net: int  # below zero where the person lost
    sequence: int  # of the record that decided it
    kind: str = "round"  # or "void", "reversal", "correction"


class PlaySums(msgspec.Struct, frozen=True):
    """What the plays of a period add up to."""

    count: int
    staked: int
    net: int


class FoundRecord(msgspec.Struct, frozen=True):
    """A record that a search has found."""

    number: int  # of its append, in the order of writing
    table: str
    sequence: int
    line: bytes


class SearchPage(msgspec.Struct, frozen=True):
    """What a search has found, newest first."""

    records: list[FoundRecord]
    before: int | None  # where to go on; None where everything was looked at


class RoundEntry(msgspec.Struct, frozen=True):
    """Where a round of play stands in the trail of its table."""

    table: str
    number: int
    first: int  # the sequences of its records
    last: int
    started: int  # milliseconds, UTC
    ended: int
    winner: str  # a hand, or "tie"; "" where it is void


class LossLimit(msgspec.Struct, frozen=True):
    """No more than so much may be lost since then, with everything that is at stake."""

    since: int  # milliseconds, UTC
    most: int


class OpenStake(msgspec.Struct, frozen=True):
    """What somebody has on the layout of a table, in a round that is not over."""

    table: str
    round: int
    staked: int


class Exposure(msgspec.Struct, frozen=True):
    """What somebody who has a limit on losses has at stake at a table, once these records are written."""

    person: str
    round: int
    staked: int
    bounds: tuple[LossLimit, ...] = ()  # none where it is not more than before
    elsewhere: tuple[
        OpenStake, ...
    ] = ()  # what is known to lie at other tables: it may be there since before the limit was


class Append(msgspec.Struct, frozen=True):
    """What one command led to: all of it is stored, or nothing."""

    table: str
    after: int  # the sequence of the record that it follows
    head: str  # that record's digest, as it was seen
    lines: tuple[bytes, ...]  # as `Chain` made them
    postings: tuple[tuple[tuple[str, int], ...], ...]  # for each line: account, amount
    at: int  # of the last record
    command: str  # the idempotency key of the command: sent twice, done once
    fingerprint: str = ""  # identifies what was asked; empty where the program itself acts
    plain: bool = False  # stored without compression, because there are thousands a second
    seals: Sealed | None = None  # stored together with the commitment to it
    reveals: int | None = None  # the shoe whose secret stands in these records, and is a secret no more
    plays: tuple[Play, ...] = ()  # that these records decided
    round: RoundEntry | None = None  # that these records ended; a later entry of the same round takes its place
    risks: tuple[
        Exposure, ...
    ] = ()  # of those who have a limit on losses: one that would be passed is `LossLimitExceeded`


class Appended(msgspec.Struct, frozen=True):
    """It is durable: these records were made."""

    first: int
    last: int


class Duplicate(msgspec.Struct, frozen=True):
    """The command was done before, with these records; nothing was done now."""

    first: int
    last: int
    fingerprint: str = ""  # of what was asked then


class Entry(msgspec.Struct, frozen=True):
    """One movement of an account, with the balance after it."""

    table: str
    sequence: int
    place: int  # among the postings of the record
    account: str
    amount: int
    balance: int


class TableEntry(msgspec.Struct, frozen=True):
    """A table of the house."""

    table: str
    game: str  # the digest of the rules that it has now
    created_at: int


class TrailEntry(msgspec.Struct, frozen=True):
    """A trail that is no table's: of a person, or of the house."""

    name: str
    created_at: int
    sequence: int


class TrailEnd(msgspec.Struct, frozen=True):
    """How a trail ends."""

    standing: StreamHead  # as it is said to end
    line: bytes | None  # its last record, where there is one
    more: bool  # are there records behind?


class WalletSum(msgspec.Struct, frozen=True):
    """What a wallet is said to hold, and what the postings of all trails say."""

    person: str
    balance: int
    posted: int


class Session(msgspec.Struct, frozen=True):
    """Somebody is signed in. The token itself is nowhere but with them."""

    digest: str  # SHA-256 of the token, in hexadecimal
    person: str
    created: int  # milliseconds, UTC, as all of these
    seen: int
    until: int
    ended: int  # 0 while it is open
    csrf: str
    address: str
    agent: str

    def __repr__(self) -> str:
        """Without what opens doors: a log line must not have it."""
        return f"Session(person={self.person!r}, created={self.created}, until={self.until}, ended={self.ended})"


class Lease(msgspec.Struct, frozen=True):
    """One node does something, and the others leave it alone, until then."""

    name: str
    holder: str
    until: int  # milliseconds, UTC


def following(
    standing: StreamHead,
    lines: Sequence[bytes],
    events: Sequence[StoredEvent],
    command: str,
    *,
    seals: Sealed | None = None,
    reveals: int | None = None,
    plays: Sequence[Play] = (),
    round: RoundEntry | None = None,
    risks: Sequence[Exposure] = (),
) -> Append:
    """What a command led to, in a trail that stood there; the money is what the events moved."""
    return Append(
        table=standing.table,
        after=standing.sequence,
        head=standing.head,
        lines=tuple(lines),
        postings=tuple(tuple(event.postings()) for event in events),
        at=max((event.at for event in events), default=standing.last_at),
        command=command,
        seals=seals,
        reveals=reveals,
        plays=tuple(plays),
        round=round,
        risks=tuple(risks),
    )
