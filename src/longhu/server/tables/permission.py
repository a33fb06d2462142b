"""What the house forbids somebody at a table before the rules of the table are asked."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from longhu.eventsourcing import Refusal
from longhu.games.game import Game
from longhu.positions import Position, may_act_as
from longhu.server.actor import Actor
from longhu.table.betting import PlaceWager, TakeBack
from longhu.table.call_bets import SpeakWager
from longhu.table.messages import Command
from longhu.table.people import Join, TakeSeat
from longhu.table.state import Round
from longhu.table.tie_returns import ChangeReturned

AUDITOR, PATRON = Position.AUDITOR, Position.PATRON  # for what is asked at every command: the class is slow to ask
ID_MAX = 100  # characters of a command's id


def unfit_id(id: str) -> Refusal | None:
    """An id says which command this is; it stands in the store, behind the name of whoever gives it."""
    if 0 < len(id) <= ID_MAX and id.isascii() and id.isprintable():
        return None
    return Refusal(
        f"a command has an id of 1 to {ID_MAX} plain characters", "Give each command one of its own", "REC-3"
    )


def stamped(actor: Actor, command: Command, at: int) -> Command:
    """The command as this person gives it now, in the position that is named or else held; the table looks at that."""
    position = command.position if command.position > Position.PATRON else actor.position
    return replace(command, by=actor.person, at=at, position=position)


def forbidden(actor: Actor, command: Command) -> Refusal | None:
    """What nobody in this position does at any table."""
    if actor.position is AUDITOR:
        return Refusal("an auditor reads everything and changes nothing", clause="SEC-1")
    if isinstance(command, Join) and actor.position is not Position.PATRON:
        return Refusal("staff of the house do not play in it", clause="SEC-1")
    return None


def beneath(actor: Actor, command: Command, game: Game) -> Refusal | None:
    """What is for staff: a patron is told whom to ask, and nothing of how staff would go about it."""
    if actor.position is not PATRON or may_act_as(actor.position, command.needs):
        return None
    return Refusal(f"a {actor.position.word} may not do this", f"Ask a {command.needs.word}", command.reserved_by(game))


def at_stake(command: Command) -> Sequence[tuple[str, int]]:
    """Whose account must be one that may play, and with how much: whoever takes a seat, or has money wagered."""
    match command:
        case PlaceWager() | ChangeReturned():
            return ((command.patron or command.by, command.amount),)
        case SpeakWager():
            return ((command.patron or command.by, sum(command.chips)),)
        case Join():
            return ((command.by, 0),)
        case TakeSeat() if command.seat is not None:
            return ((command.by, 0),)
    return ()


def staked_by(round: Round, person: str) -> int:
    """What somebody has on the layout."""
    return sum(stake.amount for stake in round.stakes_of(person))


def whose_stakes(command: Command) -> Sequence[str]:
    """Whose money on the layout it may change, or who comes to put some there."""
    if isinstance(command, (PlaceWager, TakeBack)):
        return (command.patron or command.by,)
    return [person for person, _ in at_stake(command)]
