"""What a patron is to the casino: an employee of it, an associated person, somebody else who works there, or none of these.

The house keeps it on the account, and a table learns it when the patron comes. None of them acts for another patron (D21-2.2.h).
"""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from longhu.accounts.limits import not_a_patron
from longhu.accounts.messages import Decision, HouseCommand, HouseEvent, about
from longhu.accounts.policy import Policy
from longhu.accounts.state import ACCOUNT, Account
from longhu.eventsourcing import Refusal
from longhu.messages.message import message_code
from longhu.positions import Position
from longhu.protocol import Association

ASSOCIATED_ALREADY = message_code("associated-already", person="person", association="choice")


class SetAssociation(HouseCommand, frozen=True, kw_only=True, tag="set-association/1"):
    """Note what a patron is to the casino, for the next table that they come to; "none" takes it back."""

    needs: ClassVar[Position] = Position.PIT_MANAGER
    reasoned: ClassVar[bool] = True

    association: Association


class AssociationSet(HouseEvent, frozen=True, kw_only=True, tag="association-set/1"):
    before: Association
    after: Association


@ACCOUNT.decides(SetAssociation)
def set_association(account: Account, _policy: Policy, command: SetAssociation) -> Decision:
    if (refusal := not_a_patron(account)) is not None:
        return refusal
    if command.association == account.association:
        reason = ASSOCIATED_ALREADY(person=account.person, association=command.association)
        return Refusal(reason, clause="LOG-4")
    return [AssociationSet(before=account.association, after=command.association, **about(command, "LOG-4"))]


@ACCOUNT.evolves(AssociationSet)
def association_set(account: Account, event: AssociationSet) -> Account:
    return replace(account, association=event.after)
