"""Nominees: somebody who wagers, handles cards, or both, for a patron (D21-2.2).

A patron names a nominee, a supervisor approves and then announces; only then may the nominee act. The role ends by a
supervisor's announcement once the patron has confirmed it. At any time a supervisor may withdraw approval and order patrons to
wager, or to turn cards, themselves. When the order is lifted, a nominee acts again once approved and announced again.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec.structs import replace

from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game
from longhu.messages.message import message_code
from longhu.positions import Position
from longhu.table.document import cite
from longhu.table.messages import NOT_AT_TABLE, Command, decides, evolves
from longhu.table.state import Nominee, Table

NO_NOMINEES = message_code("no-nominees")
ASK_DEALER_TO_PLACE = message_code("ask-dealer-to-place")
ACTS_FOR_ANOTHER = message_code("acts-for-another", person="person", patron="person")
END_ROLE_FIRST = message_code("end-role-first")
STAFF_ACT_FOR_NOBODY = message_code("staff-act-for-nobody", person="person")
NAME_SOMEBODY_ELSE = message_code("name-somebody-else")
BARRED_AS_NOMINEE = message_code("barred-as-nominee", person="person", status="choice")
CANNOT_ACT_FOR = message_code("cannot-act-for", person="person", patron="person")
NAME_SOMEBODY_AT_TABLE = message_code("name-somebody-at-table")
NOMINEE_WITHOUT_POWERS = message_code("nominee-without-powers")
SAY_WHICH = message_code("say-which")
HAS_NOMINEE = message_code("has-nominee", person="person", patron="person")
NO_NOMINEE_TO_APPROVE = message_code("no-nominee-to-approve", patron="person")
NOMINEE_NOT_APPROVED = message_code("nominee-not-approved", patron="person")
APPROVE_NOMINEE_FIRST = message_code("approve-nominee-first")
NOMINEE_ANNOUNCED_ALREADY = message_code("nominee-announced-already", person="person")
NO_NOMINEE = message_code("no-nominee", patron="person")
NOMINEE_NOT_ACTIVE = message_code("nominee-not-active", person="person", patron="person")
NAME_ANOTHER_OR_END = message_code("name-another-or-end")
END_NOT_CONFIRMED = message_code("end-not-confirmed", patron="person")
ASK_PATRON_TO_CONFIRM = message_code("ask-patron-to-confirm")
NO_ORDER_FOR = message_code("no-order-for", patron="person")
NO_ORDER_STANDS = message_code("no-order-stands")
LIFT_ORDER_AS_GIVEN = message_code("lift-order-as-given")
MUST_ACT_IN_PERSON = message_code("must-act-in-person", patron="person", act="choice")
LIFT_ORDER_FIRST = message_code("lift-order-first")

EVERYBODY = "*"  # an order to all patrons, those who come later too

Act = Literal["wager", "handle"]
ACTS: tuple[Act, ...] = ("wager", "handle")


class NameNominee(Command, frozen=True, kw_only=True, tag="name-nominee/1"):
    """A patron asks for a nominee; nothing follows from it until a supervisor approves."""

    person: str
    may_wager: bool = True
    may_handle: bool = True


class NomineeNamed(Event, frozen=True, kw_only=True, tag="nominee-named/1"):
    nominee: Nominee


class _Supervisors(Command, frozen=True, kw_only=True, tag="_-supervisors/1"):
    """What a supervisor decides about nominees, by the condition of the nominee section that has this letter."""

    needs: ClassVar[Position] = Position.PIT_SUPERVISOR
    letter: ClassVar[str] = ""

    def reserved_by(self, game: Game) -> str:
        return clause_for(game, self.letter) or Command.reserved_by(self, game)


class ApproveNominee(_Supervisors, frozen=True, kw_only=True, tag="approve-nominee/1"):
    """A game supervisor or casino supervisor approves, before the nominee is announced."""

    letter: ClassVar[str] = "a"

    patron: str


class NomineeApproved(Event, frozen=True, kw_only=True, tag="nominee-approved/1"):
    patron: str
    acts: tuple[Act, ...]  # what the patron asked for and no order forbids


class AnnounceNominee(_Supervisors, frozen=True, kw_only=True, tag="announce-nominee/1"):
    """A supervisor tells the table who acts for whom; from now on the nominee may act, and the marker lies there."""

    letter: ClassVar[str] = "b"

    patron: str


class NomineeAnnounced(Event, frozen=True, kw_only=True, tag="nominee-announced/1"):
    patron: str
    person: str  # the nominee


class ConfirmNomineeEnd(Command, frozen=True, kw_only=True, tag="confirm-nominee-end/1"):
    """A patron confirms that the nominee shall act no longer."""


class NomineeEndConfirmed(Event, frozen=True, kw_only=True, tag="nominee-end-confirmed/1"):
    patron: str


class EndNominee(_Supervisors, frozen=True, kw_only=True, tag="end-nominee/1"):
    """A supervisor tells the table that a nominee acts no longer."""

    letter: ClassVar[str] = "e"

    patron: str


class NomineeEnded(Event, frozen=True, kw_only=True, tag="nominee-ended/1"):
    patron: str
    person: str  # the nominee


class _Order(_Supervisors, frozen=True, kw_only=True):
    act: Act
    patrons: tuple[str, ...] = ()

    def reserved_by(self, game: Game) -> str:
        return (clause_for(game, "fa") if self.act == "wager" else clause_for(game, "ga")) or Command.reserved_by(
            self, game
        )


class OrderInPerson(_Order, frozen=True, kw_only=True, tag="order-in-person/1"):
    """A supervisor withdraws approval: these patrons, or all where none is named, act themselves (D21-2.2.fa, D21-2.2.ga)."""


class InPersonOrdered(Event, frozen=True, kw_only=True, tag="in-person-ordered/1"):
    act: Act
    patrons: tuple[str, ...]


class LiftInPersonOrder(_Order, frozen=True, kw_only=True, tag="lift-in-person-order/1"):
    """A supervisor ends an order, for all patrons where none is named; nominees need another approval and announcement."""


class InPersonOrderLifted(Event, frozen=True, kw_only=True, tag="in-person-order-lifted/1"):
    act: Act
    patrons: tuple[str, ...]


def acts_alone(table: Table, patron: str, act: Act) -> bool:
    """Has this patron been ordered to do it without anybody's help?"""
    return act in table.self_only.get(patron, ()) or act in table.self_only.get(EVERYBODY, ())


def may_act_for(table: Table, person: str, patron: str, act: Act) -> bool:
    """May this person, as a nominee, do this for the patron now? Nobody handles cards standing (D21-1.0-DRAGON)."""
    nominee = table.nominees.get(patron)
    if nominee is None or nominee.person != person or not nominee.active or act not in nominee.approved:
        return False
    return act == "wager" or (person in table.people and table.people[person].seat is not None)


def conditions(game: Game) -> str:
    """The clause behind nominees; where a house takes them for designees, the one that lets designees squeeze (Q32)."""
    return cite(game, "nominee") or (
        cite(game, "squeeze-grant") if game.chosen.get("designee_rules") == "nominee" else ""
    )


def clause_for(game: Game, letter: str) -> str:
    """The condition of the nominee section that has this letter; in another game, what its conditions stand on."""
    own = game.cites.get("nominee", ())
    return next((each for each in own if each.endswith(f".{letter}")), "" if own else conditions(game))


def _no_nominees(game: Game) -> Refusal | None:
    if "nominee" in game.cites or game.chosen.get("designee_rules") == "nominee":
        return None
    return Refusal(NO_NOMINEES(), ASK_DEALER_TO_PLACE())


def _busy(table: Table, game: Game, person: str, patron: str) -> Refusal | None:
    """One represented patron at a time (D21-2.2.d)."""
    for each in table.nominees.values():
        if each.person == person and each.patron != patron and each.active:
            return Refusal(ACTS_FOR_ANOTHER(person=person, patron=each.patron), END_ROLE_FIRST(), clause_for(game, "d"))
    return None


def _barred(table: Table, game: Game, person: str) -> Refusal | None:
    """Nobody who works for the house, or is associated with it (D21-2.2.h)."""
    known = table.people.get(person)
    if person in table.staff or person in table.acting:
        return Refusal(STAFF_ACT_FOR_NOBODY(person=person), NAME_SOMEBODY_ELSE(), clause_for(game, "h"))
    status = next((each for each in known.status), "") if known else ""  # as the house keeps it (Q18)
    return (
        Refusal(BARRED_AS_NOMINEE(person=person, status=status), NAME_SOMEBODY_ELSE(), clause_for(game, "h"))
        if status
        else None
    )


@decides(NameNominee)
def name_nominee(table: Table, game: Game, command: NameNominee) -> Decision:
    patron, person = command.by, command.person
    if (refusal := _no_nominees(game)) is not None:
        return refusal
    if patron not in table.people:
        return Refusal(NOT_AT_TABLE(person=patron), clause=conditions(game))
    barred = _barred(table, game, person)
    if barred is not None:
        return barred
    if person not in table.people or person == patron:
        return Refusal(CANNOT_ACT_FOR(person=person, patron=patron), NAME_SOMEBODY_AT_TABLE(), conditions(game))
    if not (command.may_wager or command.may_handle):
        return Refusal(NOMINEE_WITHOUT_POWERS(), SAY_WHICH(), conditions(game))
    present = table.nominees.get(patron)
    if present is not None and present.active:
        return Refusal(
            HAS_NOMINEE(person=present.person, patron=patron),
            END_ROLE_FIRST(),
            clause_for(game, "a"),
        )
    nominee = Nominee(person, patron, command.may_wager, command.may_handle)
    named = NomineeNamed(nominee=nominee, **about(command, clause_for(game, "a")))
    return _busy(table, game, person, patron) or [named]


@evolves(NomineeNamed)
def nominee_named(table: Table, event: NomineeNamed) -> Table:
    return replace(table, nominees={**table.nominees, event.nominee.patron: event.nominee})


@decides(ApproveNominee)
def approve_nominee(table: Table, game: Game, command: ApproveNominee) -> Decision:
    nominee = table.nominees.get(command.patron)
    if (refusal := _no_nominees(game)) is not None:
        return refusal
    if nominee is None or nominee.approved == nominee.asked:
        return Refusal(NO_NOMINEE_TO_APPROVE(patron=command.patron), clause=clause_for(game, "a"))
    forbidden = [act for act in ACTS if act in nominee.asked and acts_alone(table, command.patron, act)]
    acts = tuple([act for act in ACTS if act in nominee.asked and act not in forbidden])
    if acts == nominee.approved:
        reason = MUST_ACT_IN_PERSON(patron=command.patron, act=forbidden[0])
        return Refusal(
            reason, LIFT_ORDER_FIRST(), clause_for(game, "fb") if forbidden[0] == "wager" else clause_for(game, "gb")
        )
    approved = NomineeApproved(patron=command.patron, acts=acts, **about(command, clause_for(game, "a")))
    return _barred(table, game, nominee.person) or _busy(table, game, nominee.person, command.patron) or [approved]


@evolves(NomineeApproved)
def nominee_approved(table: Table, event: NomineeApproved) -> Table:
    """Whoever is approved anew is announced anew."""
    again = {"approved_by": event.by, "approved": event.acts, "announced": False, "patron_confirms_end": False}
    return _with(table, replace(table.nominees[event.patron], **again))


@decides(AnnounceNominee)
def announce_nominee(table: Table, game: Game, command: AnnounceNominee) -> Decision:
    nominee = table.nominees.get(command.patron)
    if (refusal := _no_nominees(game)) is not None:
        return refusal
    if nominee is None or not nominee.approved:
        return Refusal(NOMINEE_NOT_APPROVED(patron=command.patron), APPROVE_NOMINEE_FIRST(), clause_for(game, "a"))
    if nominee.announced:
        return Refusal(NOMINEE_ANNOUNCED_ALREADY(person=nominee.person), clause=clause_for(game, "b"))
    announced = NomineeAnnounced(patron=command.patron, person=nominee.person, **about(command, clause_for(game, "b")))
    return _busy(table, game, nominee.person, command.patron) or [announced]


@evolves(NomineeAnnounced)
def nominee_announced(table: Table, event: NomineeAnnounced) -> Table:
    return _with(table, replace(table.nominees[event.patron], announced=True))


@decides(ConfirmNomineeEnd)
def confirm_nominee_ends(table: Table, game: Game, command: ConfirmNomineeEnd) -> Decision:
    nominee = table.nominees.get(command.by)
    if (refusal := _no_nominees(game)) is not None:
        return refusal
    if nominee is None:
        return Refusal(NO_NOMINEE(patron=command.by), clause=clause_for(game, "e"))
    if not nominee.active:
        return Refusal(
            NOMINEE_NOT_ACTIVE(person=nominee.person, patron=command.by),
            NAME_ANOTHER_OR_END(),
            clause_for(game, "e"),
        )
    return [NomineeEndConfirmed(patron=command.by, **about(command, clause_for(game, "e")))]


@evolves(NomineeEndConfirmed)
def nominee_end_confirmed(table: Table, event: NomineeEndConfirmed) -> Table:
    return _with(table, replace(table.nominees[event.patron], patron_confirms_end=True))


@decides(EndNominee)
def end_nominee(table: Table, game: Game, command: EndNominee) -> Decision:
    nominee = table.nominees.get(command.patron)
    if (refusal := _no_nominees(game)) is not None:
        return refusal
    if nominee is None:
        return Refusal(NO_NOMINEE(patron=command.patron), clause=clause_for(game, "e"))
    if nominee.active and not nominee.patron_confirms_end:
        return Refusal(END_NOT_CONFIRMED(patron=command.patron), ASK_PATRON_TO_CONFIRM(), clause_for(game, "e"))
    clause = clause_for(game, "e")
    return [NomineeEnded(patron=command.patron, person=nominee.person, **about(command, clause))]


@evolves(NomineeEnded)
def nominee_ended(table: Table, event: NomineeEnded) -> Table:
    return replace(table, nominees={id: each for id, each in table.nominees.items() if id != event.patron})


def _with(table: Table, nominee: Nominee) -> Table:
    return replace(table, nominees={**table.nominees, nominee.patron: nominee})


# ------------------------------------------------ orders


def _wrong_order(table: Table, game: Game, command: OrderInPerson | LiftInPersonOrder) -> Refusal | None:
    if (refusal := _no_nominees(game)) is not None:
        return refusal
    stranger = next((each for each in command.patrons if each not in table.people), None)
    if stranger is not None:
        return Refusal(NOT_AT_TABLE(person=stranger), clause=conditions(game))
    return None


@decides(OrderInPerson)
def order_themselves(table: Table, game: Game, command: OrderInPerson) -> Decision:
    clause = clause_for(game, "fa") if command.act == "wager" else clause_for(game, "ga")
    patrons = command.patrons or (EVERYBODY,)
    ordered = InPersonOrdered(act=command.act, patrons=patrons, **about(command, clause))
    return _wrong_order(table, game, command) or [ordered]


@evolves(InPersonOrdered)
def ordered_themselves(table: Table, event: InPersonOrdered) -> Table:
    """Approval is withdrawn; whose nominee may do nothing more has no marker, and no nominee who is announced."""
    orders = {id: tuple(dict.fromkeys((*table.self_only.get(id, ()), event.act))) for id in event.patrons}
    nominees = {
        id: _without(each, event.act) if id in event.patrons or EVERYBODY in event.patrons else each
        for id, each in table.nominees.items()
    }
    return replace(table, self_only={**table.self_only, **orders}, nominees=nominees)


def _without(nominee: Nominee, act: Act) -> Nominee:
    left = tuple(each for each in nominee.approved if each != act)
    if left:
        return replace(nominee, approved=left)
    return replace(nominee, approved=(), approved_by="", announced=False)


@decides(LiftInPersonOrder)
def lift_order(table: Table, game: Game, command: LiftInPersonOrder) -> Decision:
    clause = clause_for(game, "fa") if command.act == "wager" else clause_for(game, "ga")
    standing = [id for id, acts in table.self_only.items() if command.act in acts]
    refusal = _wrong_order(table, game, command)
    if refusal is not None:
        return refusal
    patrons = command.patrons or tuple(standing)
    missing = next((each for each in patrons if each not in standing), None)
    if missing is not None or not patrons:
        return Refusal(NO_ORDER_FOR(patron=missing) if missing else NO_ORDER_STANDS(), LIFT_ORDER_AS_GIVEN(), clause)
    return [InPersonOrderLifted(act=command.act, patrons=patrons, **about(command, clause))]


@evolves(InPersonOrderLifted)
def order_lifted(table: Table, event: InPersonOrderLifted) -> Table:
    orders = {
        id: tuple(act for act in acts if act != event.act or id not in event.patrons)
        for id, acts in table.self_only.items()
    }
    return replace(table, self_only={id: acts for id, acts in orders.items() if acts})
