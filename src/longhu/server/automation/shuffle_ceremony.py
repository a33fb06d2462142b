"""The shuffle of an electronic shoe, from the end of one shoe to the first card of the next.

The last shoe is put away and its secret revealed; a new secret is drawn, sealed in the store and committed to; then patrons have
some time to contribute and to cut, where the rules let them. When all have, or the time is up, the shoe is loaded: a patron who has
not cut by then has declined the cut (D21-7.0c), and one who has not contributed has nothing in the mix. The next step follows
from the table alone, so a node that takes a table over goes on where another stopped, and no commitment is left open.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from longhu.accounts.names import AUTO_DEALER, AUTO_SUPERVISOR
from longhu.eventsourcing import Refusal
from longhu.fairness.shuffle import commitment
from longhu.fairness.source import PROBLEMS, RandomSource, SourceFailed
from longhu.games.game import Game
from longhu.messages.message import message_code, program_reason
from longhu.positions import Position
from longhu.server.observability import log
from longhu.server.streams.projections import Milestones
from longhu.server.streams.stream import Answer, Snapshot
from longhu.server.streams.table_stream import TableStream
from longhu.store.entries import Sealed
from longhu.table.checkpoint import RecordState
from longhu.table.messages import Command
from longhu.table.opening import LOAD_ITS_SHOE_FIRST, SHUFFLE_COMMITTED_ALREADY
from longhu.table.shoe import EndShoe, LoadShoe, VerifyCards, finished, in_the_shuffler
from longhu.table.shuffling import CommitShuffle, RevealShuffle, is_pending
from longhu.table.state import Table, public_id
from longhu.table.suspension import SuspendTable

RANDOM_SOURCE_FAILED = message_code("random-source-failed", problem="reason")
FAILED = {each: program_reason(each) for each in PROBLEMS}  # of the source of random numbers
NO_SECRET = message_code("no-shuffle-secret")
RESTORE_BACKUP = message_code("restore-backup")


class Chance:
    """Where the secrets of all tables of this node come from: one source, watched, and failed for good once it has (RNG-7)."""

    def __init__(self, make: Callable[[], RandomSource] = RandomSource) -> None:
        self._make = make
        self._source: RandomSource | None = None

    def secret(self) -> bytes:
        """A new one; `SourceFailed` where the source is not to be trusted."""
        if self._source is None:
            self._source = self._make()
        return self._source.secret()


def worn(table: Table, game: Game) -> bool:
    """Is the shoe changed before another round?"""
    shoe, settings = table.shoe, table.settings
    if game.reshuffled and shoe is not None and settings is not None and shoe.drawn > settings.burn:
        return True  # every round has a full one
    return finished(table) is not None


def open_until(table: Table, game: Game, milestones: Milestones, window: int) -> int:
    """Until when patrons may add to the shuffle that is pending; it ends early once nobody has anything to add."""
    shuffle, seated = table.shuffle, _seated(table)
    contributed = {each.person for each in shuffle.contributions} if shuffle else set()
    cut = not _is_cut(table, game) or (shuffle is not None and bool(shuffle.cut_by))
    return milestones.shuffle_committed_at + (
        0 if contributed.issuperset(public_id(table, each) for each in seated) and (cut or not seated) else window
    )


def loading(table: Table, game: Game, at: int) -> Command:
    """What is done once that time is up: the set is counted where somebody must have counted it, then it is loaded."""
    counts = table.new_set or "open-table" in game.cites
    for person, position in ((AUTO_DEALER, Position.DEALER), (AUTO_SUPERVISOR, Position.PIT_SUPERVISOR)):
        if counts and person not in table.verified and table.settings is not None:
            return VerifyCards(by=person, at=at, position=position, counted=table.settings.cards)
    shuffle = table.shuffle
    declined = _seated(table) if _is_cut(table, game) and not (shuffle and shuffle.cut_by) else ()
    return LoadShoe(by=AUTO_DEALER, at=at, position=Position.DEALER, declined=declined)


def _seated(table: Table) -> tuple[str, ...]:
    return tuple(each.id for each in table.people.values() if each.seat is not None)


def _is_cut(table: Table, game: Game) -> bool:
    """Is a patron offered the cut?"""
    continuous = table.settings is not None and table.settings.equipment.setup == "continuous-shuffler"
    return "cut" in game.cites and not continuous and not game.reshuffled


async def new_shuffle(
    live: TableStream, chance: Chance, *, by: str, position: Position, now: Callable[[], int], key: str = ""
) -> Answer:
    """Put the shoe away, reveal its secret, and commit to the next; None where others did so meanwhile.

    The key is that of the last act, the commitment. A source of chance that has failed suspends the table.
    """
    who: dict[str, Any] = {"by": by, "position": position}
    if is_pending(live.state):
        return Refusal(SHUFFLE_COMMITTED_ALREADY(), LOAD_ITS_SHOE_FIRST(), "RUL-6")

    def put_away(snapshot: Snapshot[Table]) -> Command | Refusal | None:
        table = snapshot.state
        if table.shoe is not None and in_the_shuffler(table) is None:
            return EndShoe(at=now(), **who)
        if table.shuffle is not None and not table.shuffle.secret:
            return revealing(live, table, at=now(), **who)
        return None

    while (done := await live.propose(put_away)) is not None:
        if isinstance(done, Refusal):
            return done
    recorded = await live.propose(lambda _: RecordState(at=now(), **who))
    if isinstance(recorded, Refusal):
        return recorded
    try:
        secret = chance.secret()
    except SourceFailed as failed:
        log.error("the source of random numbers failed", table=live.name, why=str(failed))
        suspend = SuspendTable(at=now(), reason=FAILED[failed.problem], cause="random-source", **who)
        await live.propose(lambda _: suspend)
        raise
    number = live.state.shoes + 1
    committing = CommitShuffle(at=now(), commitment=commitment(live.name, number, secret), **who)
    return await live.propose(
        lambda snapshot: committing if snapshot.state.shoes + 1 == number else None,
        key=key,
        seals=Sealed(number, secret),
    )


def revealing(live: TableStream, table: Table, *, by: str, position: Position, at: int) -> RevealShuffle | Refusal:
    """Reveal the secret of the last shoe, so that anybody can check it."""
    shuffle = table.shuffle
    secret = live.secret(shuffle.number) if shuffle is not None else None
    if secret is None:
        return Refusal(NO_SECRET(), RESTORE_BACKUP(), "RUL-6")
    return RevealShuffle(by=by, at=at, position=position, secret=secret.hex())
