"""Authorization: what the house allows somebody at a table, before the rules of the table decide.

Sockets and HTTP ask the same function. It stamps the command with who gives it, when and in which position, checks what the
house forbids (an account that may not play, somebody who is no longer staff, what the house does by itself), and finds the loss
limits that the store must hold the command against.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from longhu.server.actor import SYSTEM, Actor
from longhu.server.automation.timers import is_dealt_automatically
from longhu.server.streams.stream import NO_LIMITS, LossLimits
from longhu.server.streams.table_stream import TableStream, staked
from longhu.server.tables.staff import assign, is_in_place
from longhu.store.entries import Lying
from longhu.table.acts import Command, Refusal
from longhu.table.betting import PlaceWager, TakeBack
from longhu.table.calls import CallNoMoreBets, CallPlaceYourBets
from longhu.table.cash import BuyIn
from longhu.table.checkpoint import RecordState
from longhu.table.dealing import AnnounceResult, AnnounceTotals, DrawCard
from longhu.table.differential import ScaleBack
from longhu.table.handling import PassHands
from longhu.table.opening import OpenTable
from longhu.table.people import AssignStaff, Join, TakeSeat
from longhu.table.positions import Position, may_act_as
from longhu.table.returned import ChangeReturned
from longhu.table.settling import Settle
from longhu.table.shoe import LoadShoe
from longhu.table.shuffling import CommitShuffle, RevealShuffle
from longhu.table.spoken import SpeakWager
from longhu.table.state import Table

if TYPE_CHECKING:
    from longhu.server.house import House

KEY_MAX = 100  # characters of an idempotency key
OF_THE_SHUFFLE = (CommitShuffle, RevealShuffle)  # who knew a secret would know every card
HOUSE_ONLY: tuple[type[Command], ...] = (*OF_THE_SHUFFLE, OpenTable, RecordState)  # people have other ways, or none
DEALER_ONLY: tuple[type[Command], ...] = (  # of the automatic dealer, where the house deals (PLY-3)
    AnnounceResult, AnnounceTotals, CallNoMoreBets, CallPlaceYourBets, DrawCard, PassHands, ScaleBack, Settle,
)  # fmt: skip
_NOT_EVERYBODYS = frozenset([*HOUSE_ONLY, *DEALER_ONLY, LoadShoe])


class Authorized(NamedTuple):
    """A command that the house allows."""

    command: Command
    limits: LossLimits  # that the store holds it against


async def authorize(house: House, actor: Actor, live: TableStream, command: Command, key: str) -> Authorized | Refusal:
    """May this person give this command here and now? Nothing is read from the store where accounts are in memory."""
    reserved = reserved_for_house(live.state, command) if actor != SYSTEM else None
    refusal = unfit_key(key) or (reserved and (too_low(actor, command, live) or reserved))
    if refusal is not None:
        return refusal
    position = command.position if command.position > Position.PATRON else actor.position
    command = replace(command, by=actor.person, at=house.now(), position=position)
    refusal = forbidden(actor, command) or await _refused_by_house(house, command)
    if refusal is None and not is_in_place(live.state, actor):
        refusal = await assign(live, actor, command.at)
    return refusal or Authorized(command, await _loss_limits(house, live, command))


def unfit_key(key: str) -> Refusal | None:
    """An idempotency key stands in the store, with the name of whoever gives it."""
    if 0 < len(key) <= KEY_MAX and key.isascii() and key.isprintable():
        return None
    return Refusal(
        f"a command has an id of 1 to {KEY_MAX} plain characters", "Give each command one of its own", "REC-3"
    )


def reserved_for_house(table: Table, command: Command) -> Refusal | None:
    """What people may not do at this table, whatever position they hold."""
    kind, settings = type(command), table.settings
    if kind not in _NOT_EVERYBODYS:
        return None
    if kind in HOUSE_ONLY:
        return Refusal("the house does this by itself", clause="RUL-6" if kind in OF_THE_SHUFFLE else "")
    if kind is LoadShoe and settings is not None and settings.electronic_shoe:
        return Refusal("the shoe is electronic, and the house loads it", "Ask for a new shoe", "RUL-6")
    if kind in DEALER_ONLY and is_dealt_automatically(table):
        return Refusal("the house deals at this table", "Take the deal first", "PLY-3")
    return None


def too_low(actor: Actor, command: Command, live: TableStream) -> Refusal | None:
    """What is for staff: a patron is told whom to ask, and nothing of how staff would go about it."""
    if actor.position is not Position.PATRON or may_act_as(actor.position, command.needs):
        return None
    clause = command.reserved_by(live.game)
    return Refusal(f"a {actor.position.word} may not do this", f"Ask a {command.needs.word}", clause)


def forbidden(actor: Actor, command: Command) -> Refusal | None:
    """What nobody in this position does at any table."""
    if actor.position is Position.AUDITOR:
        return Refusal("an auditor reads everything and changes nothing", clause="SEC-1")
    if isinstance(command, Join) and actor.position is not Position.PATRON:
        return Refusal("staff of the house do not play in it", clause="SEC-1")
    return None


async def _refused_by_house(house: House, command: Command) -> Refusal | None:
    """What the house forbids, whatever the rules of the table say."""
    match command:
        case CallPlaceYourBets():
            return house.maintenance.changed
        case BuyIn() if await house.people.account(command.patron) is not None:
            return Refusal(f"{command.patron} pays from an account", "The patron buys the chips", "MON-3")
        case AssignStaff():
            account = await house.people.account(command.person)
            if account is None or account.position is Position.PATRON:
                return Refusal(
                    f"{command.person} is no staff of this house", "Give the account a position first", "SEC-1"
                )
    for person, stake in _at_stake(command):
        refusal = await house.people.may_play(person, command.at, stake, partial(house.staked, person))
        if refusal is not None:
            return refusal
    return None


def _at_stake(command: Command) -> Sequence[tuple[str, int]]:
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


async def _loss_limits(house: House, live: TableStream, command: Command) -> LossLimits:
    """The loss limits of those whose stakes the command may change, and what they have at other tables."""
    people = [person for person, _ in _at_stake(command)]
    if isinstance(command, TakeBack):
        people = [command.patron or command.by]
    limits = NO_LIMITS
    for person in people:
        bounds = await house.people.bounds(person, command.at)
        if bounds:
            await house.read_tables_for_limits(person)
            limits = {**limits, person: (bounds, _elsewhere(house, person, live))}
    return limits


def _elsewhere(house: House, person: str, here: TableStream) -> tuple[Lying, ...]:
    rounds = [(live.name, live.state) for live in house.tables.values() if live is not here and live.state.round]
    found = [Lying(name, state.round.number, staked(state, person)) for name, state in rounds if state.round]
    return tuple(each for each in found if each.staked)
