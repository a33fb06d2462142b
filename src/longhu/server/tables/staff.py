"""The house's own staff: who acts at every table in its name, and in which position."""

from __future__ import annotations

from longhu.accounts.names import AUTO_DEALER, AUTO_SUPERVISOR, CAGE, HOUSE
from longhu.eventsourcing import Refusal
from longhu.positions import Position
from longhu.server.actor import Actor
from longhu.server.done import Busy
from longhu.server.tables.live import Live
from longhu.table.people import AssignStaff
from longhu.table.state import Table

PATRON = Position.PATRON  # for what is asked at every command: the class is slow to ask
OWN_STAFF = {
    HOUSE: Position.CASINO_OPERATOR,
    CAGE: Position.GAMING_SHIFT_MANAGER,
    AUTO_SUPERVISOR: Position.PIT_SUPERVISOR,
    AUTO_DEALER: Position.DEALER,
}
OWN_COUNT = (AUTO_DEALER, AUTO_SUPERVISOR)  # who counts the tray where no person does
TRIES = 20  # that somebody is assigned anew because others act at the table


def is_in_place(table: Table, actor: Actor) -> bool:
    """Does somebody hold at this table what they hold in the house? Whoever is no staff any more acts in no position, either."""
    held, acting = table.staff.get(actor.person, PATRON), table.acting.get(actor.person, PATRON)
    return held == actor.position and not (actor.position is PATRON and acting > PATRON)


async def assigned(live: Live, actor: Actor, at: int) -> Refusal | None:
    """Give somebody at this table the position that they hold in the house, and no other; why not, where it cannot be."""
    for _ in range(TRIES):
        if is_in_place(live.state, actor):
            return None
        acting = live.state.staff.get(actor.person, Position.PATRON) == actor.position
        command = AssignStaff(
            by=HOUSE,
            at=at,
            position=Position.CASINO_OPERATOR,
            person=actor.person,
            to=actor.position,
            acting=acting,
        )
        done = await live.step(command)
        if isinstance(done, Refusal):
            return done
    raise Busy("others act at this table all the time. Ask again.")
