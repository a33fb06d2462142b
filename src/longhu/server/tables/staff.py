"""Staff at a table: the house's own, who are at every table, and the people whom the house employs."""

from __future__ import annotations

from longhu.accounts.names import AUTO_DEALER, AUTO_SUPERVISOR, CAGE, HOUSE
from longhu.server.actor import Actor
from longhu.server.streams.stream import Snapshot
from longhu.server.streams.table_stream import TableStream
from longhu.table.acts import Command, Refusal
from longhu.table.people import AssignStaff
from longhu.table.positions import Position
from longhu.table.state import Table

PATRON = Position.PATRON  # for what is asked at every command: the class is slow to ask
OWN_STAFF = {
    HOUSE: Position.CASINO_OPERATOR,
    CAGE: Position.GAMING_SHIFT_MANAGER,
    AUTO_SUPERVISOR: Position.PIT_SUPERVISOR,
    AUTO_DEALER: Position.DEALER,
}
OWN_COUNT = (AUTO_DEALER, AUTO_SUPERVISOR)  # who counts the tray where no person does


def is_in_place(table: Table, actor: Actor) -> bool:
    """Does somebody hold at this table what they hold in the house? Whoever is no longer staff acts in no position, either."""
    held, acting = table.staff.get(actor.person, PATRON), table.acting.get(actor.person, PATRON)
    return held == actor.position and not (actor.position is PATRON and acting > PATRON)


async def assign(live: TableStream, actor: Actor, at: int) -> Refusal | None:
    """Give somebody at this table the position that they hold in the house, and no other; the refusal, where it cannot be."""

    def assignment(snapshot: Snapshot[Table]) -> Command | None:
        table = snapshot.state
        if is_in_place(table, actor):
            return None
        return AssignStaff(
            by=HOUSE,
            at=at,
            position=Position.CASINO_OPERATOR,
            person=actor.person,
            to=actor.position,
            acting=table.staff.get(actor.person, Position.PATRON) == actor.position,
        )

    while not is_in_place(live.state, actor):
        done = await live.propose(assignment)
        if isinstance(done, Refusal):
            return done
    return None
