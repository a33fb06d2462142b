"""Who creates, moves, resets and unlocks whom, and who signs: the whole table, with and without the second person (SEC-1)."""

from __future__ import annotations

from itertools import product

import pytest
from msgspec.structs import replace

from longhu.accounts.account import (
    ChangePosition,
    CreateAccount,
    SetPassword,
    not_apart,
)
from longhu.accounts.appointments import Appointment, required
from longhu.accounts.engine import decide_account
from longhu.accounts.messages import Cosigned
from longhu.accounts.sign_in_rules import LockAccount, UnlockAccount
from longhu.accounts.state import Account
from longhu.accounts.times import DAY
from longhu.eventsourcing import Refusal
from longhu.positions import LADDER, OF_PEOPLE, Position, outranks
from tests.accounts.keeping import PLAY, START, an_account
from tests.codes import code

PATRON, SUPERVISOR, MANAGER, SHIFT = (
    Position.PATRON,
    Position.PIT_SUPERVISOR,
    Position.PIT_MANAGER,
    Position.GAMING_SHIFT_MANAGER,
)
STAFF = [each for each in OF_PEOPLE if each is not PATRON]
# As docs/server.md says it: the lowest who asks, the lowest who signs; of staff, both are above whomever it is about.
LEAST = {
    Appointment.CREATE: ((SUPERVISOR, None), (MANAGER, MANAGER)),
    Appointment.MOVE: (None, (MANAGER, MANAGER)),
    Appointment.RESET: ((SHIFT, SUPERVISOR), (SHIFT, MANAGER)),
    Appointment.UNLOCK: ((SUPERVISOR, None), (MANAGER, MANAGER)),
}


def may(act: Appointment, asks: Position, signs: Position | None, whom: tuple[Position, ...]) -> bool:
    """By the table above."""
    for each in whom:
        row = LEAST[act][0 if each is PATRON else 1]
        if row is None or not asks >= row[0]:
            return False
        if each is not PATRON and not outranks(asks, each):
            return False
        if row[1] is None:
            continue
        if signs is None or not signs >= row[1] or (each is not PATRON and not outranks(signs, each)):
            return False
    return True


def asked(act: Appointment, to: Position) -> Cosigned:
    match act:
        case Appointment.CREATE:
            return CreateAccount(person="new", name="", to=to, play_money=True)
        case Appointment.MOVE:
            return ChangePosition(to=to, why="a new shift")
        case Appointment.RESET:
            return SetPassword(password="kept")
        case Appointment.UNLOCK:
            return UnlockAccount(why="seen in person")


@pytest.mark.clause("SEC-1")
@pytest.mark.parametrize(("act", "about"), [*product(Appointment, OF_PEOPLE)])
def test_the_whole_table_with_and_without_the_second_person(act: Appointment, about: Position) -> None:
    """Position by position by position: whoever asks, whoever signs, and whomever it is about, and moved to where."""
    account = Account()
    if act is not Appointment.CREATE:
        kept = an_account(person="new", position=about)
        kept.by_house(LockAccount(why="lost"))
        account = kept.state
    targets = [each for each in STAFF if each is not about] if act is Appointment.MOVE else [about]
    for asks, signs, to in product(Position, (None, *Position), targets):
        whom = (about, to) if act is Appointment.MOVE else (about,)
        command = replace(asked(act, to), by="boss", position=asks, at=START)
        if signs is not None:
            command = replace(command, second="other", second_position=signs)
        decision = decide_account(account, PLAY, command)
        locked = act is Appointment.UNLOCK and asks is SUPERVISOR  # what the house has locked it unlocks higher up
        assert isinstance(decision, list) is (may(act, asks, signs, whom) and not locked), (asks, signs, whom)


@pytest.mark.clause("SEC-1")
@pytest.mark.parametrize("second", ["boss", "dee"])
def test_nobody_signs_for_themselves(second: str) -> None:
    """Neither whoever asks, nor whomever it is about."""
    kept = an_account(person="dee", position=Position.DEALER)
    for command in (
        ChangePosition(to=SUPERVISOR, why="a friend", second=second, second_position=Position.CASINO_OPERATOR),
        SetPassword(password="kept", second=second, second_position=Position.CASINO_OPERATOR),
    ):
        refusal = kept.refused(command, "boss", Position.CASINO_OPERATOR)
        assert refusal.reason.code == "second-is-somebody-else"


@pytest.mark.clause("SEC-1")
@pytest.mark.parametrize("act", Appointment)
def test_nobody_in_the_house_makes_or_changes_an_operator(act: Appointment) -> None:
    assert required(act, Position.CASINO_OPERATOR) == (None, None)
    assert not any(may(act, asks, signs, (Position.CASINO_OPERATOR,)) for asks, signs in product(LADDER, LADDER))
    refusal = decide_account(
        Account(),
        PLAY,
        CreateAccount(
            by="boss",
            position=Position.CASINO_OPERATOR,
            person="new",
            name="",
            to=Position.CASINO_OPERATOR,
            play_money=True,
        ),
    )
    assert isinstance(refusal, Refusal)
    assert code(refusal.remedy) == "use-longhu-admin"


@pytest.mark.clause("SEC-1")
def test_two_who_act_together_have_not_chosen_each_others_password() -> None:
    """While it is the given one, and for a day after its owner chose another: the owner finds out that somebody else did."""
    boss = an_account(person="boss", position=Position.CASINO_OPERATOR).state
    kept = an_account(person="dee", position=Position.DEALER)
    given = SetPassword(password="given", second="gus", second_position=Position.CASINO_OPERATOR)
    kept.done(given, "boss", Position.CASINO_OPERATOR)
    gus = an_account(person="gus", position=SHIFT).state
    other = an_account(person="pat", position=MANAGER).state

    def apart(one: Account, at: int) -> bool:
        both = not_apart(one, kept.state, at), not_apart(kept.state, one, at)
        assert (both[0] is None) is (both[1] is None), "whichever of them asks"
        return both[0] is None

    assert [apart(each, START + 10 * DAY) for each in (boss, gus, other)] == [False, False, True]
    kept.later(10 * DAY)
    kept.done(SetPassword(password="own"), "dee")
    chosen = kept.at
    assert [apart(each, chosen + DAY - 1) for each in (boss, gus, other)] == [False, False, True]
    assert [apart(each, chosen + DAY) for each in (boss, gus, other)] == [True, True, True]
    assert kept.replay() == kept.state


@pytest.mark.clause("SEC-1")
def test_two_whose_passwords_one_person_has_just_chosen_do_not_act_together() -> None:
    """Who signed for both is another matter: nobody but whoever chose a password knows it."""
    one, two, three = (an_account(person=each, position=Position.DEALER) for each in ("dee", "dora", "dan"))
    for kept, by in ((one, "boss"), (two, "boss"), (three, "chief")):
        chosen = SetPassword(password="given", second="gus", second_position=Position.CASINO_OPERATOR)
        kept.done(chosen, by, Position.CASINO_OPERATOR)
        kept.done(SetPassword(password="own"), kept.state.person)
    at = one.at
    refusal = not_apart(one.state, two.state, at)
    assert refusal is not None
    assert refusal.reason.code == "chose-both-passwords"
    assert not_apart(one.state, three.state, at) is None
    assert not_apart(one.state, two.state, max(one.at, two.at) + DAY) is None


@pytest.mark.clause("SEC-1")
def test_a_password_typed_at_the_console_is_given_too() -> None:
    kept = an_account(person="dee", position=Position.DEALER)
    given = [kept.state.password_given]  # of the program's own accounts it is not
    kept.by_house(SetPassword(password="typed", console="root"))
    given.append(kept.state.password_given)
    kept.done(SetPassword(password="own"), "dee")
    assert [*given, kept.state.password_given] == [False, True, False]
