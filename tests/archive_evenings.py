"""What the archive is made of: evenings of tables, an account and a house's log, in which every kind of event happens.

`python -m tests.archive_evenings` (`make archive`) writes the files of tests/archive. Until 0.2.0 is released it writes all of them anew; from then
on it only adds files, since those that are there were written by a version that is in use somewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from longhu.accounts.account import ChangePosition, CloseAccount, SetDisplayName, SetPassword
from longhu.accounts.alerts import ALERT_LARGE_WIN, Significant
from longhu.accounts.association import SetAssociation
from longhu.accounts.devices import CreateDevice, NoteDeviceRefused, RevokeDevice
from longhu.accounts.house_log import (
    AcknowledgeAlert,
    ApproveGame,
    CheckProgram,
    NoteClock,
    NoteTable,
    NoteUnknownNames,
    RaiseAlert,
    SetUpOperator,
    StartHouse,
    WithdrawApproval,
)
from longhu.accounts.limits import ConfirmLimit, ImposeLimit, ReviewLimits, SetLimit
from longhu.accounts.messages import HouseCommand
from longhu.accounts.names import trail_of
from longhu.accounts.orders import CancelScheduledCommand, NoteScheduledCommand, ScheduleCommand
from longhu.accounts.protection import (
    AcknowledgeRealityCheck,
    BarPatron,
    CoolOff,
    LiftBar,
    RequestReturn,
    SelfExclude,
    SetRealityCheck,
)
from longhu.accounts.sign_in_rules import EndSession, LockAccount, RefuseSignIn, StartSession, UnlockAccount
from longhu.accounts.state import Account, HouseLog, Kind, Span
from longhu.accounts.times import DAY, HOUR
from longhu.accounts.wallet import PayIn, PayOut
from longhu.audit import export, proof
from longhu.audit.record import digest
from longhu.cards import DECK
from longhu.eventsourcing import Refusal
from longhu.positions import Position
from longhu.table.checkpoint import plain
from longhu.table.dealing import DrawCard
from longhu.table.handling import RevealHand
from longhu.table.messages import Command
from longhu.table.people import FreeSeat, GrantMaximum
from longhu.table.remedies.procedure import ReportIrregularity
from longhu.table.state import replace
from tests.accounts.keeping import Kept, a_house_log, an_account
from tests.audit.evening import GAMES, MAIN, Told, ordinary, scenarios
from tests.audit.forging import Lines, kind_of
from tests.audit.troubles import TROUBLES
from tests.test_stored_names import RELEASED

FOLDER = Path(__file__).parent / "archive"
ONLINE = "dragon-bonus-online"  # has no table with cards
SHOE = [str(each) for each in DECK for _ in range(8)]
ORDER = [SHOE[37 * place % len(SHOE)] for place in range(len(SHOE))]  # every card once: 37 and 416 share no factor
MANAGER, SHIFT = Position.PIT_MANAGER, Position.GAMING_SHIFT_MANAGER


# ------------------------------------------------ tables


class Physical(Told):
    """A table with cards: the dealer tells each face as it is turned over; patrons give theirs back for that."""

    def __init__(self, id: str) -> None:
        self._faces = iter(ORDER)
        super().__init__(id, signs=True, device="hand-shoe")

    def dealt(self, command: Command) -> Command:
        match command:
            case DrawCard() if self.game.methods[self.current.method].cards == "face-up":
                return replace(command, card=next(self._faces))
            case RevealHand() if command.position is Position.DEALER:
                down = [each for each in self.current.cards if each.hand == command.hand and not each.card]
                return replace(command, cards=tuple(next(self._faces) for _ in down))
            case _:
                return command

    def turn_over(self) -> None:
        super().turn_over()
        for hand in self.game.procedure.hands:
            if any(each.hand == hand.id and not each.public for each in self.current.cards):
                self.does(RevealHand, "dee", hand=hand.id)


def physical(id: str) -> Told:
    """Two rounds and a void one, from a shoe of cards."""
    told = Physical(id)
    for _ in range(2):
        told.round(ann={MAIN[id]: "50.00", "tie": "5.00"}, bob={MAIN[id]: "25.00"})
    told.open_betting()
    told.bet("ann", MAIN[id], "50.00")
    told.does(ReportIrregularity, "dee", kind="foreign-card", told="another back")
    told.trail.sign()
    return told


def tables() -> Iterator[tuple[str, Lines]]:
    """Each game with an electronic shoe and with cards; part of one; and what it takes to have every kind of event."""
    seen: set[str] = set()
    for name, lines in _usual():
        seen |= _kinds(lines)
        yield name, lines
    for name, lines in _unusual():
        if not _kinds(lines) <= seen:
            seen |= _kinds(lines)
            yield name, lines


def _usual() -> Iterator[tuple[str, Lines]]:
    for id in GAMES:
        yield f"{id}-electronic", ordinary(id, rounds=1).trail.proof()
        if id != ONLINE:
            yield f"{id}-cards", physical(id).trail.proof()
    yield "part-of-dragon-tiger", list(export.export(ordinary("dragon-tiger").trail.proof(), export.shoe(2)))


def _unusual() -> Iterator[tuple[str, Lines]]:
    yield from ((each.__name__.replace("_", "-"), each().trail.proof()) for each in TROUBLES)
    yield from ((f"scenario-{name.replace(' ', '-')}", trail.proof()) for name, trail in scenarios())


def _kinds(lines: Lines) -> set[str]:
    return {kind_of(line) for line in lines if line.startswith(proof.RECORD)}


# ------------------------------------------------ accounts, and the house


def account() -> Kept[Account]:
    """Ann, from her first day to her last."""
    kept = an_account()
    ann: list[tuple[HouseCommand, int]] = [  # and how long before
        (SetPassword(password="what argon2id made of it"), 0),
        (StartSession(session="s1", address="192.0.2.1", agent="a browser"), HOUR),
        (PayIn(amount=500_00, reference="voucher 7"), 0),
        (PayOut(amount=900_00), 0),
        (PayOut(amount=100_00), 0),
        (SetDisplayName(name="Lucky"), 0),
        (SetLimit(kind=Kind.LOSS, span=Span.DAY, most=100_00), 0),
        (SetLimit(kind=Kind.LOSS, span=Span.DAY, most=200_00), 0),
        (ConfirmLimit(kind=Kind.LOSS, span=Span.DAY), DAY + HOUR),
        (ReviewLimits(), 0),
        (SetRealityCheck(minutes=30), 0),
        (AcknowledgeRealityCheck(), HOUR),
        (EndSession(session="s1", ended=kept.at + 2 * HOUR), 0),
        (CoolOff(hours=48), 0),
    ]
    _ask(kept, ann, "ann", Position.PATRON)
    kept.by_house(RefuseSignIn(address="203.0.113.9"))
    for _ in range(2):
        kept.by_house(RefuseSignIn(address="203.0.113.9"))
    by_staff: list[tuple[HouseCommand, int]] = [
        (UnlockAccount(why="seen in person"), 0),
        (LockAccount(why="a stolen card"), 0),
        (UnlockAccount(why="found again"), 0),
        (ImposeLimit(kind=Kind.DEPOSIT, span=Span.WEEK, most=1000_00, why="asked for by the family"), 0),
        (BarPatron(days=10, why="loud"), 0),
        (LiftBar(why="a mistake"), 0),
        (SetAssociation(association="employee", why="works at the hotel desk"), 0),
    ]
    _ask(kept, by_staff, "max", SHIFT)
    _ask(kept, [(SelfExclude(days=200, why="enough"), 0), (RequestReturn(), 300 * DAY)], "ann", Position.PATRON)
    _ask(kept, [(CloseAccount(why="moving away"), 30 * DAY)], "ann", Position.PATRON)
    return kept


def staff() -> Kept[Account]:
    """Dee, who was a dealer."""
    kept = an_account(person="dee", position=Position.DEALER)
    promotion = ChangePosition(to=Position.PIT_SUPERVISOR, why="promoted", second="mia", second_position=MANAGER)
    _ask(kept, [(promotion, 0)], "max", SHIFT)
    return kept


def house_log() -> Kept[HouseLog]:
    kept = a_house_log()
    rules, others = "a" * 64, "b" * 64
    kept.by_house(StartHouse(node="n1", version="0.1.0", digest=rules, definitions={"dragon-tiger.toml": others}))
    kept.by_house(CheckProgram(node="n1", digest=rules, definitions={"dragon-tiger.toml": others}))
    kept.by_house(NoteClock(node="n1", before=kept.at, after=kept.at + 5000))
    for operator in ("opal", "omar"):
        kept.by_house(SetUpOperator(person=operator))
    kept.by_house(NoteUnknownNames(address="203.0.113.9", mark="0a1b2c", times=2))
    who: dict[str, Any] = {"by": "max", "at": 0, "position": SHIFT}
    shift: list[tuple[HouseCommand, int]] = [
        (ApproveGame(digest=rules, game="dragon-tiger", why="tested"), 0),
        (ApproveGame(digest=rules, game="dragon-tiger"), 0),
        (NoteTable(table="T1", digest=rules), 0),
        (
            CreateDevice(
                device="shoe-3", table="T1", digest="c" * 64, second="pat", second_position=Position.PIT_MANAGER
            ),
            0,
        ),
        (RevokeDevice(device="shoe-3", why="sent to be repaired"), 0),
        (WithdrawApproval(digest=rules, why="a mistake in it"), 0),
        (AcknowledgeAlert(number=1, why="looked at"), 0),
        (ScheduleCommand(table="T1", asks=FreeSeat(patron="ann", reason="gone for an hour", **who)), 0),
        (ScheduleCommand(table="T1", asks=GrantMaximum(person="ann", wagers=("dragon",), most=2000_00, **who)), 0),
        (ScheduleCommand(table="T1", asks=GrantMaximum(person="bob", wagers=("dragon",), most=2000_00, **who)), 0),
        (CancelScheduledCommand(table="T1", number=3), 0),
    ]
    _ask(kept, shift, "max", SHIFT)
    kept.by_house(NoteDeviceRefused(device="shoe-3", table="T1", address="192.0.2.7", cause="revoked"))
    kept.by_house(NoteScheduledCommand(table="T1", number=1))
    kept.by_house(NoteScheduledCommand(table="T1", number=2, refusal=_refusal(kept)))
    kept.by_house(
        RaiseAlert(
            kind=Significant.LARGE_WIN,
            message=ALERT_LARGE_WIN(person="ann", amount=1_000_000, wager="tie", place=1),
            table="T1",
            person="ann",
        )
    )
    return kept


def _refusal(kept: Kept[HouseLog]) -> Refusal:
    """One that the house gave just now."""
    return kept.refused(ApproveGame(digest="", game=""), "dee", Position.DEALER)


def _ask(kept: Kept[Any], commands: Iterable[tuple[HouseCommand, int]], by: str, position: Position) -> None:
    for command, wait in commands:
        kept.later(wait + 1000)
        kept.ask(command, by, position)


def trail(name: str, kept: Kept[Any]) -> Lines:
    """The records of an audit log without a game, and in the last line what they lead to."""
    end = {"end": len(kept.lines), "head": digest(kept.lines[-1]), "state": plain(kept.state), "trail": name}
    return [*(line + b"\n" for line in kept.lines), msgspec.json.encode(end) + b"\n"]


def everything() -> Iterator[tuple[str, Lines]]:
    yield from ((f"tables/{name}.jsonl", lines) for name, lines in tables())
    yield "trails/account.jsonl", trail(trail_of("ann"), account())
    yield "trails/staff.jsonl", trail(trail_of("dee"), staff())
    yield "trails/house.jsonl", trail("house", house_log())


def write() -> None:
    made = {FOLDER / name: b"".join(lines) for name, lines in everything()}
    for path in () if RELEASED else FOLDER.rglob("*.jsonl"):
        path.unlink()
    for path, text in made.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.write_bytes(text)


if __name__ == "__main__":
    write()
