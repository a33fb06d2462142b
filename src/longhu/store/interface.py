"""The interface of a store. The contract tests run on every implementation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from longhu.audit.proof import GameFile
from longhu.audit.signed_heads import Head
from longhu.games.game import Game
from longhu.store.entries import (
    Append,
    Appended,
    Duplicate,
    Entry,
    Lease,
    Play,
    PlaySums,
    RoundEntry,
    SearchPage,
    Session,
    StreamHead,
    TableEntry,
    TrailEnd,
    TrailEntry,
    WalletSum,
)
from longhu.store.errors import StoreError

Result = Appended | Duplicate | StoreError
Wake = Callable[[str, int], None]
Movement = tuple[str, int, int]  # the trail, the sequence of the record, and the place among its postings


class Store(Protocol):
    """Trails of many tables and people. Any thread may read and write; several processes may share one database.

    Where something is asked of a table that any trail has (its records, entries, balances, commands, heads), the name of
    another trail does as well.
    """

    # -------------------------------------------- trails

    def create(self, table: str, game: Game, at: int) -> StreamHead:
        """A new table; `AlreadyExists` where there is a trail of that name."""
        ...

    def create_trail(self, name: str, at: int, wallet: str = "") -> StreamHead:
        """A new trail that has no game, such as a person's; `AlreadyExists` where there is one of that name.

        With a wallet, what moves on the account `world:ID` of that person, in any trail, moves the wallet from now on.
        `AlreadyExists` where there is such a wallet, or where somebody of that name has played for cash.
        """
        ...

    def adopt(self, table: str, game: Game) -> None:
        """Other rules for a table: records under them can follow. The rules before stay, for the records before."""
        ...

    def commit(self, batch: Sequence[Append]) -> list[Result]:
        """Write all of these that can be written, in one durable transaction; one result for each.

        One that cannot be written has an error for a result, and spoils none of the others. Where the commit itself
        fails, this raises `CommitFailed` or `StoreUnusable`, and nothing was acknowledged.
        """
        ...

    def keep_head(self, head: Head) -> None:
        """A signed head of a record that is here; `InvalidAppend` where the record has another digest."""
        ...

    def tables(self) -> list[TableEntry]: ...

    def trails(self, prefix: str = "") -> list[TrailEntry]:
        """The trails that are no table's, by name."""
        ...

    def ends(self) -> Iterator[TrailEnd]:
        """How every trail ends that is no table's."""
        ...

    def standing(self, table: str) -> StreamHead: ...

    def games(self, table: str) -> Mapping[str, GameFile]:
        """All rules that the table ever had, by their digest."""
        ...

    def records(self, table: str, after: int = 0) -> Iterator[bytes]:
        """The lines behind a sequence, without their ends, in constant memory."""
        ...

    def records_between(self, table: str, first: int, last: int) -> list[bytes]:
        """The lines from one sequence to another, both included."""
        ...

    def done(self, table: str, command: str) -> Duplicate | None:
        """The records of a command, where it was done."""
        ...

    def sealed(self, table: str) -> dict[int, bytes]:
        """The secrets that are not revealed yet, by the number of the shoe. For whoever drives the table alone."""
        ...

    def heads(self, table: str, after: int = 0) -> Iterator[Head]: ...

    def changes(self, wake: Wake) -> AbstractContextManager[None]:
        """Be told, in a thread of its own, of everything that anybody appends: which trail, and its last sequence.

        One that is told twice or late is harmless; `("", 0)` says that some may have been missed: look at everything.
        """
        ...

    # -------------------------------------------- search

    def search(
        self, text: str, *, streams: Sequence[str] | None = None, before: int | None = None, limit: int = 100
    ) -> SearchPage:
        """Records that have every part of the text (parts are separated by spaces), newest first.

        Letters may be large or small. A part is found where it begins with the beginning of a word: "ann", "wager-pl" and
        "102" find `"ann"`, `"wager-placed/1"` and `10200`; "nn" finds none of them. The number and the time of a record, and
        the beginning of a digest, are not found.

        All records of a command come together, even where that makes an answer longer than the limit. An answer may be short,
        or empty, and not the last: go on with its `before` until that is None.
        """
        ...

    def index_records(self) -> int:
        """Put into the index of the search what was appended since; how many appends. A search does that first."""
        ...

    # -------------------------------------------- money

    def entries(self, table: str, after: int = 0) -> Iterator[Entry]:
        """What the records of a trail moved."""
        ...

    def follow(self, account: str, after: Movement = ("", 0, -1)) -> Iterator[Entry]:
        """Every movement of an account behind that one, trail by trail."""
        ...

    def moved_before(self, account: str, table: str, sequence: int) -> Entry | None:
        """The last movement of an account in a trail before a record."""
        ...

    def balances(self, table: str, *, empty: bool = False) -> dict[str, int]:
        """Every account of a trail with what it holds; empty accounts only where they are asked for."""
        ...

    def wallet(self, person: str) -> int | None:
        """What somebody has who has a wallet."""
        ...

    def wallets(self) -> Iterator[tuple[str, int]]:
        """Every wallet with what is in it, by person."""
        ...

    def wallet_sums(self) -> Iterator[WalletSum]:
        """Every wallet against all postings that should have moved it, each as of one moment."""
        ...

    # -------------------------------------------- rounds

    def plays(
        self, person: str, *, before: int | None = None, since: int = 0, until: int | None = None, limit: int = 100
    ) -> list[Play]:
        """What somebody played, newest first: from `since`, to before `until` and `before` (milliseconds, UTC).

        The last millisecond of an answer is complete, even where that makes it longer than the limit: what comes next
        is asked for with `before` as the time of the last one here.
        """
        ...

    def sums(self, person: str, *, since: int = 0, until: int | None = None) -> PlaySums:
        """What all plays of somebody add up to, from `since` to before `until`: one look into an index."""
        ...

    def lost(self, person: str, since: int) -> int:
        """What somebody lost since then, below zero where it was won."""
        ...

    def purses(self, asked: Sequence[tuple[str, int]]) -> list[tuple[int | None, int]]:
        """For people and a time for each, all at once: `wallet`, and `lost` since then."""
        ...

    def rounds(self, table: str, *, before: int | None = None, limit: int = 100) -> list[RoundEntry]:
        """The rounds of a table that are over, newest first, with numbers below `before`."""
        ...

    def round(self, table: str, number: int) -> RoundEntry | None: ...

    # -------------------------------------------- sessions

    def keep_session(self, session: Session) -> None:
        """A new session. Address and agent are notes: what cannot be stored of them is left out."""
        ...

    def session(self, digest: str) -> Session | None:
        """The session of that token, be it open, over or ended."""
        ...

    def sessions_under(self, digests: Sequence[str]) -> list[Session]:
        """The same for many tokens at once, in any order and without those that are not kept."""
        ...

    def touch_sessions(self, used: Iterable[Session]) -> None:
        """When they were seen, and how long they may stay; a session that has ended stays so."""
        ...

    def end_session(self, digest: str, at: int) -> None: ...

    def end_sessions(self, person: str, at: int, but: str = "") -> int:
        """End all open sessions of somebody, but one; how many there were."""
        ...

    def sessions(self, person: str) -> list[Session]:
        """All that are kept, newest first."""
        ...

    def forget_sessions(self, before: int) -> int:
        """Keep no more those that ended, or could have been used last, before that time; how many there were."""
        ...

    # -------------------------------------------- leases

    def take_lease(self, name: str, holder: str, at: int, duration_ms: int) -> Lease:
        """Taken, or renewed, or as it is held by somebody else: compare the holder."""
        ...

    def take_leases(self, names: Sequence[str], holder: str, at: int, duration_ms: int) -> list[Lease]:
        """The same for many in one transaction."""
        ...

    def release_lease(self, name: str, holder: str) -> None: ...

    def leases(self) -> list[Lease]: ...

    # -------------------------------------------- states

    def keep_state(self, table: str, sequence: int, form: str, state: bytes) -> None:
        """What a table was after a record, for whoever reads on from there; an older one of that form is forgotten.

        It may be dropped at any time. `InvalidAppend` where the record is not stored yet.
        """
        ...

    def state(self, table: str, form: str) -> tuple[int, bytes] | None: ...

    def close(self) -> None: ...
