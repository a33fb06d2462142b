"""Fills and credits: four steps by four people, a blind count at the end, and money that moves only then (OPS-3)."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from longhu.eventsourcing import Refusal
from longhu.money import AMOUNT_MAX
from longhu.positions import Position
from longhu.table.cash import BuyIn
from longhu.table.fills import (
    CHIP_REQUEST_STANDS_AT,
    NOT_THE_CAGE,
    NOT_THE_DEALER,
    TOOK_PART_ALREADY,
    AcceptChips,
    ChipRequestMoved,
    DeliverChips,
    IssueChips,
    RecountChips,
    RequestChips,
    VoidChipRequest,
)
from longhu.table.messages import CHIPS_NOT_COUNTED, Command
from longhu.table.opening import CloseTable, OpenTable
from longhu.table.people import AssignStaff, TakeTheDeal
from longhu.table.views import Role, Viewer, view
from tests.table.chips import STEPS, asked, moves, request, tray
from tests.table.rounds import STAFF, Play

pytestmark = pytest.mark.clause("OPS-3")
CHIPS = {500_00: 4, 100_00: 10}  # 3,000.00
AMOUNT = 3000_00


def real(**settings: Any) -> Play:
    """A table with real chips."""
    play = Play("dragon-tiger", people={}, open=False, chips="physical", **settings)
    play.does(OpenTable, "opal", **play.opening(float_counted=100_000_00, chips={1000_00: 100}))
    play.does(TakeTheDeal, "dee")
    return play


@pytest.mark.parametrize(("kind", "sign"), [("fill", 1), ("credit", -1)])
def test_four_people_take_the_four_steps_and_money_moves_at_the_last(kind: str, sign: int) -> None:
    play = Play("dragon-tiger", chips="electronic")
    before = tray(play)
    play.does(RequestChips, "sue", kind=kind, amount=1000_00)
    for step, person in STEPS[kind]:
        assert tray(play) == before
        play.does(step, person, number=1)
    assert tray(play) == before + sign * 1000_00
    acts = [(each.request.stage, each.by) for each in play.log if isinstance(each, ChipRequestMoved)]
    by = [person for _, person in STEPS[kind]]
    assert acts == [("requested", "sue"), ("issued", by[0]), ("delivered", by[1]), ("accepted", by[2])]
    assert request(play).steps == {"requested": "sue", "issued": by[0], "delivered": by[1], "accepted": by[2]}
    play.refused(AcceptChips, by[2], "OPS-3", number=1)


def test_a_dealer_asks_for_no_fill() -> None:
    play = Play("dragon-tiger", chips="electronic")
    play.refused(RequestChips, "dee", kind="fill", amount=1000_00)


@pytest.mark.parametrize("person", ["sue", "pam", "gus", "opal", "dee"])
def test_the_cage_alone_issues_a_fill_and_receives_a_credit(person: str) -> None:
    """No manager does it instead: the cage is on no ladder."""
    play = Play("dragon-tiger", chips="electronic")
    fill = asked(play, "fill", 1000_00, by="sue" if person != "sue" else "pam")
    refusal = play.refused(IssueChips, person, "OPS-3", number=fill)
    assert refusal.reason == NOT_THE_CAGE(kind="fill", position=STAFF[person].value)
    credit = asked(play, "credit", 1000_00, steps=2, by="sue" if person != "sue" else "pam")
    play.refused(AcceptChips, person, "OPS-3", number=credit)
    play.refused(IssueChips, person, number=fill, position=Position.CAGE)  # which they do not hold


def test_the_dealer_who_has_the_deal_counts_and_nobody_else() -> None:
    play = Play("dragon-tiger", chips="electronic")
    number = asked(play, "fill", 1000_00, steps=2)
    play.does(AssignStaff, "pam", person="del", to=Position.DEALER)
    for person in ("del", "pam", "gus", "opal"):
        assert play.refused(AcceptChips, person, "OPS-3", number=number).reason == NOT_THE_DEALER(person=person)
    play.refused(AcceptChips, "kit", "OPS-3", number=number)
    play.does(TakeTheDeal, "del")
    play.refused(AcceptChips, "dee", "OPS-3", number=number)
    play.does(AcceptChips, "del", number=number)


def test_nobody_takes_two_steps_whatever_they_rank() -> None:
    play = Play("dragon-tiger", chips="electronic")
    play.does(TakeTheDeal, "gus")
    play.does(RequestChips, "gus", kind="fill", amount=1000_00)
    play.does(IssueChips, "kit", number=1)
    assert play.refused(DeliverChips, "gus", "OPS-3", number=1).reason == TOOK_PART_ALREADY(
        person="gus", step="requested"
    )
    play.refused(DeliverChips, "kit", number=1)  # the cage carries nothing
    play.does(DeliverChips, "opal", number=1)
    assert play.refused(AcceptChips, "gus", "OPS-3", number=1).reason == TOOK_PART_ALREADY(
        person="gus", step="requested"
    )
    play.does(TakeTheDeal, "opal")
    play.refused(AcceptChips, "opal", "OPS-3", number=1)
    play.does(TakeTheDeal, "dee")
    play.does(AcceptChips, "dee", number=1)


def test_the_steps_are_taken_in_their_order() -> None:
    play = Play("dragon-tiger", chips="electronic")
    number = asked(play, "fill", 1000_00)
    refusal = play.refused(AcceptChips, "dee", "OPS-3", number=number)
    assert refusal.reason == CHIP_REQUEST_STANDS_AT(kind="fill", number=number, stage="requested")
    play.refused(DeliverChips, "rex", "OPS-3", number=number)
    play.does(IssueChips, "kit", number=number)
    play.refused(IssueChips, "kit", "OPS-3", number=number)
    play.refused(AcceptChips, "dee", "OPS-3", number=number)
    play.refused(DeliverChips, "rex", "OPS-3", number=number + 1)


def test_no_sequence_of_commands_by_fewer_than_four_people_moves_chips() -> None:
    """Every act of a fill or credit by any three of the staff, at random, at a table of either kind of chips."""
    for seed in range(60):
        chance = random.Random(seed)
        play = real() if seed % 2 else Play("dragon-tiger", people={}, chips="electronic")
        before, crew = tray(play), chance.sample([*STAFF, "kim"], 3)
        play.does(AssignStaff, "opal", person="kim", to=Position.CAGE)
        for _ in range(120):
            kind = chance.choice(_ANY)
            play.asks(kind, chance.choice(crew), **_told(kind, chance))
            assert tray(play) == before, (seed, crew)
        assert sum(play.table.balances.values()) == 0


_ACTS: tuple[type[Command], ...] = (
    RequestChips, IssueChips, DeliverChips, AcceptChips, RecountChips, VoidChipRequest,
)  # fmt: skip

_ANY: tuple[type[Command], ...] = (*_ACTS, TakeTheDeal)


def _told(kind: type[Command], chance: random.Random) -> dict[str, Any]:
    if kind is TakeTheDeal:
        return {}
    if kind is RequestChips:
        return {"kind": chance.choice(("fill", "credit")), "amount": AMOUNT, "chips": CHIPS}
    told: dict[str, Any] = {"number": chance.randint(1, 3)}
    if kind is AcceptChips:
        return {**told, "chips": chance.choice((CHIPS, CHIPS, {100_00: 1}))}
    return {**told, "reason": "put back"} if kind is VoidChipRequest else told


def test_with_a_fourth_it_does_move() -> None:
    """The property above is no empty one: four people with the positions for it move chips by the same random acts."""
    moved = 0
    for seed in range(20):
        chance, play = random.Random(seed), real()
        before, crew = tray(play), ("sue", "kit", "rex", "dee")
        for _ in range(150):
            kind = chance.choice(_ACTS[:5])
            play.asks(kind, chance.choice(crew), **_told(kind, chance))
        moved += tray(play) != before
    assert moved


# ---------------------------------------------------------------- the count at the end


def test_real_chips_are_asked_for_and_counted_by_value() -> None:
    play = real()
    assert play.refused(RequestChips, "sue", "OPS-3", kind="fill", amount=AMOUNT).reason == CHIPS_NOT_COUNTED()
    number = asked(play, "fill", AMOUNT, steps=2, chips=CHIPS)
    assert play.refused(AcceptChips, "dee", "OPS-3", number=number).reason == CHIPS_NOT_COUNTED()
    play.refused(AcceptChips, "dee", "OPS-3", number=number, chips={500_00: -1})
    play.does(AcceptChips, "dee", number=number, chips=CHIPS | {25_00: 0})
    assert (tray(play), request(play).counted) == (103_000_00, CHIPS)


@pytest.mark.parametrize("kind", ["fill", "credit"])
@pytest.mark.parametrize("counted", [{500_00: 4, 100_00: 9}, {500_00: 6}, {1000_00: 3}])
def test_a_count_that_differs_stops_it_on_record(kind: str, counted: dict[int, int]) -> None:
    """Too little, and as much in other chips."""
    play = real()
    number = asked(play, kind, AMOUNT, steps=2, chips=CHIPS)
    counts, gives = STEPS[kind][2][1], STEPS[kind][0][1]
    play.does(AcceptChips, counts, number=number, chips=counted)
    assert (tray(play), request(play).stage) == (100_000_00, "disputed")
    assert (request(play).counted, request(play).counted_by) == (counted, counts)
    play.refused(AcceptChips, counts, "OPS-3", number=number, chips=CHIPS)
    play.refused(CloseTable, "sue", "OPS-3", float_counted=100_000_00, chips={1000_00: 100}, counted_by=("sue", "dee"))
    play.refused(RecountChips, "dee", number=number)
    play.does(RecountChips, "sue", number=number)
    play.does(AcceptChips, counts, number=number, chips=counted)
    play.refused(VoidChipRequest, "sue", "OPS-3", number=number, reason="short")
    play.refused(VoidChipRequest, gives, "OPS-3", number=number)
    play.does(VoidChipRequest, gives, number=number, reason="one chip short: back with whoever gave them")
    assert (tray(play), request(play).stage, play.table.float_record.requests) == (100_000_00, "void", {})  # type: ignore[union-attr]


def test_a_recount_that_is_right_is_accepted() -> None:
    play = real()
    number = asked(play, "fill", AMOUNT, steps=2, chips=CHIPS)
    play.does(AcceptChips, "dee", number=number, chips={500_00: 4})
    play.does(RecountChips, "pam", number=number)
    play.does(AcceptChips, "dee", number=number, chips=CHIPS)
    assert tray(play) == 103_000_00
    stages = [each.request.stage for each in play.log if isinstance(each, ChipRequestMoved)]
    assert stages == ["requested", "issued", "delivered", "disputed", "delivered", "accepted"]


@pytest.mark.parametrize(("kind", "blind"), [("fill", Role.DEALER), ("credit", Role.CAGE)])
def test_whoever_counts_is_not_told_how_much_it_should_be(kind: str, blind: Role) -> None:
    play = real()
    asked(play, kind, AMOUNT, steps=2, chips=CHIPS)
    told = {role: view(play.table, play.game, Viewer(role=role)).chip_requests for role in Role}
    assert told[Role.PATRON] == told[Role.SPECTATOR] == ()
    for role in (Role.DEALER, Role.CAGE, Role.PIT, Role.AUDITOR):
        (found,) = told[role]
        assert (found.stage, found.requested_by, found.delivered_by) == ("delivered", "sue", "rex")
        assert (found.amount, found.chips) == ((None, None) if role is blind else (AMOUNT, CHIPS))


# ---------------------------------------------------------------- void, bounds, the table's end


def test_a_request_is_void_before_anything_was_given_out() -> None:
    play = Play("dragon-tiger", chips="electronic")
    before, number = tray(play), asked(play, "fill", 1000_00)
    play.refused(VoidChipRequest, "dee", "OPS-3", number=number)
    play.refused(VoidChipRequest, "kit", "OPS-3", number=number)
    play.does(VoidChipRequest, "sue", number=number)
    play.refused(IssueChips, "kit", "OPS-3", number=number)
    assert (tray(play), request(play).stage) == (before, "void")
    assert moves(play, "fill", 10_00) == number + 1  # numbers are given once
    play.refused(VoidChipRequest, "sue", "OPS-3", number=number + 1)


@pytest.mark.parametrize(("kind", "gives"), [("fill", "kit"), ("credit", "dee")])
@pytest.mark.parametrize("steps", [1, 2])
def test_chips_that_are_out_come_back_to_whoever_gave_them(kind: str, gives: str, steps: int) -> None:
    play = Play("dragon-tiger", chips="electronic")
    before, number = tray(play), asked(play, kind, 1000_00, steps=steps)
    for person in {"sue", "pam", "rex", "kit", "dee"} - {gives}:
        play.refused(VoidChipRequest, person, "OPS-3", number=number, reason="not needed")
    play.refused(VoidChipRequest, gives, "OPS-3", number=number, reason=" ")
    play.does(VoidChipRequest, gives, number=number, reason="not needed")
    assert (tray(play), request(play).reason) == (before, "not needed")


@pytest.mark.parametrize("kind", ["fill", "credit"])
@pytest.mark.parametrize("amount", [AMOUNT_MAX + 1, 2**63 - 1, 2**63, 2**64, 10**40])
def test_no_tray_holds_more_than_can_be_counted(kind: str, amount: int) -> None:
    play = Play("dragon-tiger", people={"ann": 1}, chips="electronic")
    play.refused(RequestChips, "sue", "OPS-3", kind=kind, amount=amount)
    play.does(RequestChips, "sue", kind=kind, amount=AMOUNT_MAX)


def test_many_fills_are_no_way_around_it() -> None:
    play = Play("dragon-tiger", people={"ann": 1}, chips="electronic")
    assert moves(play, "fill", AMOUNT_MAX - tray(play))
    assert tray(play) == AMOUNT_MAX
    number = asked(play, "fill", 1, steps=2)
    play.refused(AcceptChips, "dee", "OPS-3", number=number)
    play.does(VoidChipRequest, "kit", number=number, reason="no room")
    assert tray(play) == AMOUNT_MAX


def test_a_credit_is_not_more_than_the_tray_holds() -> None:
    play = Play("dragon-tiger", people={}, float_counted=100_00, chips="electronic")
    number = asked(play, "credit", 200_00, steps=2)
    play.refused(AcceptChips, "kit", "OPS-3", number=number)


def test_a_table_does_not_close_while_chips_are_on_their_way() -> None:
    play = Play("dragon-tiger", chips="electronic")
    asked(play, "fill", 1000_00)
    count = {"float_counted": tray(play), "counted_by": ("sue", "dee")}
    play.refused(CloseTable, "sue", "OPS-3", **count)
    play.does(VoidChipRequest, "sue", number=1)
    play.does(CloseTable, "sue", **count)


def test_the_chips_of_a_request_add_up_and_are_on_record() -> None:
    play = Play("dragon-tiger", chips="electronic")
    for wrong in ({500_00: 3}, {500_00: 4, 0: 2}, {500_00: 6, 1000_00: -1}):
        play.refused(RequestChips, "sue", "OPS-3", kind="fill", amount=2000_00, chips=wrong)
    asked(play, "fill", 2000_00, steps=3, chips={500_00: 4})
    assert request(play).chips == {500_00: 4}


def test_of_real_chips_no_refusal_tells_what_the_ledger_has() -> None:
    play = real()
    told = play.refused(BuyIn, "dee", patron="ann", amount=5000_00)  # nobody is there
    assert told.reason.code == "not-at-table"
    number = asked(play, "credit", 100_001_00, steps=2, chips={1_00: 100_001})
    refusal = play.refused(AcceptChips, "kit", "OPS-3", number=number, chips={1_00: 100_001})
    assert (refusal.reason.code, refusal.reason.args) == ("tray-has-less", {"amount": 100_001_00})


def test_every_pair_of_steps_needs_two_people() -> None:
    """Whoever took an earlier step is refused for that at every later one, in whatever position they could take it."""
    for first, then in product(range(3), range(3)):
        if first >= then + 1:
            continue
        play = Play("dragon-tiger", chips="electronic")
        number = asked(play, "fill", 1000_00, steps=then)
        under_way = play.table.float_record.requests[number]  # type: ignore[union-attr]
        who = list(under_way.steps.values())[first]
        step, usual = STEPS["fill"][then]
        position = STAFF[usual]
        play.table = replace(play.table, staff={**play.table.staff, who: position}, dealer=who)
        decision = play.asks(step, who, number=number, position=position)
        assert isinstance(decision, Refusal)
        assert decision.reason.code == "took-part-already", (first, then)
