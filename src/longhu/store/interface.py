"""What every store does. The contract tests run on each of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from longhu.games.game import Game
from longhu.store.entries import Append, Appended, Duplicate, Entry, Standing, TableEntry
from longhu.store.errors import StoreError
from longhu.trail.heads import Head
from longhu.trail.proof import GameFile

Result = Appended | Duplicate | StoreError


class Store(Protocol):
    """Trails of many tables. Any thread may read and write; several processes may share one database."""

    def create(self, table: str, game: Game, at: int) -> Standing:
        """A new table; `Taken` where there is one of that name."""
        ...

    def adopt(self, table: str, game: Game) -> None:
        """Other rules for a table: records under them can follow. The rules before stay, for the records before."""
        ...

    def commit(self, batch: Sequence[Append]) -> list[Result]:
        """Write all of these that can be written, in one durable transaction; one result for each.

        One that cannot be written has an error for a result, and spoils none of the others. Where the commit itself
        fails, this raises `Unwritten` or `Unusable`, and nothing was acknowledged.
        """
        ...

    def keep_head(self, head: Head) -> None:
        """A signed head of a record that is here; `Faulty` where the record has another digest."""
        ...

    def tables(self) -> list[TableEntry]: ...

    def standing(self, table: str) -> Standing: ...

    def games(self, table: str) -> Mapping[str, GameFile]:
        """All rules that the table ever had, by their digest."""
        ...

    def records(self, table: str, after: int = 0) -> Iterator[bytes]:
        """The lines behind a sequence, without their ends, in constant memory."""
        ...

    def entries(self, table: str, after: int = 0) -> Iterator[Entry]:
        """What the records of a table moved."""
        ...

    def follow(self, account: str) -> Iterator[Entry]:
        """Every movement of an account, table by table."""
        ...

    def balances(self, table: str) -> dict[str, int]:
        """Every account of a table that is not empty."""
        ...

    def done(self, table: str, command: str) -> Duplicate | None:
        """The records of a command, where it was done."""
        ...

    def sealed(self, table: str) -> dict[int, bytes]:
        """The secrets that are not revealed yet, by the number of the shoe. For whoever drives the table alone."""
        ...

    def heads(self, table: str, after: int = 0) -> Iterator[Head]: ...

    def close(self) -> None: ...
