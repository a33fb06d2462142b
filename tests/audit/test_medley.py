"""Wagers known one by one: what they are said to rest on is all that the rules look at, and nothing passes that the rules would not."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from longhu.audit import proof
from longhu.audit.implied import implied
from longhu.audit.record import decode
from longhu.audit.shortcut.medley import Backing, Medley
from longhu.audit.verify import Verifier, verify
from longhu.eventsourcing import Refusal
from longhu.games.game import Game
from longhu.games.registry import built_in, load_game
from longhu.table.betting import PlaceWager, WagerPlaced
from longhu.table.betting_phase import BettingClosed, CallNoMoreBets
from longhu.table.dealing import CardDrawn
from longhu.table.engine import decide, evolve
from longhu.table.limits import limit_for
from longhu.table.messages import Command
from longhu.table.settling import Settle, WagerSettled
from longhu.table.state import Phase, Stake, Table, replace
from tests.audit.forging import FORGERIES
from tests.audit.late import Late, rounds_of
from tests.audit.test_mutations import forked
from tests.audit.test_shortcut import GAMES, HIDDEN, evening

OTHERS = 5
STAKE = Stake("ann", 1, "tie", 500, 0, "ann")
BUSY = tuple(id for id in GAMES if all(each.positions_max > 1 for each in load_game(built_in()[id]).layouts.values()))


def moments(id: str, kind: type[object]) -> Iterator[tuple[Table, Game, Command]]:
    """Each time that a command of this kind was given at a busy table, the table before it."""
    game, table = load_game(built_in()[id]), Table(game="")
    for line in proof.records(evening(id, 12, others=OTHERS)):
        event = decode(line).event
        if type(event) is kind:
            command, round = implied(game, event), table.round
            assert command is not None
            if not isinstance(command, Settle) or (round is not None and round.phase is Phase.ANNOUNCED):
                yield table, game, command
        table = evolve(table, event)


def with_stakes(table: Table, stakes: dict[str, Stake]) -> Table:
    assert table.round is not None
    return replace(table, round=replace(table.round, stakes=stakes))


def other_amounts(stakes: dict[str, Stake], chance: random.Random) -> dict[str, Stake]:
    return {key: replace(stake, amount=chance.choice((500, 700, 5000, 100_000))) for key, stake in stakes.items()}


@pytest.mark.parametrize("id", BUSY)
def test_a_wager_rests_on_which_its_patron_has_and_which_are_at_its_position(id: str) -> None:
    """Others do not matter, and of these no amount does."""
    compared = refused = 0
    chance = random.Random(id)
    for table, game, command in moments(id, WagerPlaced):
        assert isinstance(command, PlaceWager)
        assert table.round is not None
        for amount in (1, command.amount, 10 * command.amount, 10**9):
            asked = replace(command, amount=amount)
            stakes = {
                key: stake
                for key, stake in table.round.stakes.items()
                if stake.patron == asked.by or stake.place == asked.place
            }
            answer = decide(table, game, asked)
            assert decide(with_stakes(table, other_amounts(stakes, chance)), game, asked) == answer
            compared += len(stakes) < len(table.round.stakes)
            refused += isinstance(answer, Refusal)
    assert compared > 20 < refused


@pytest.mark.parametrize("id", BUSY)
def test_a_wager_may_have_any_amount_that_its_limits_allow(id: str) -> None:
    """And no other, as long as its patron has the chips; nothing else of the record is different."""
    allowed = refused = 0
    for table, game, command in moments(id, WagerPlaced):
        assert isinstance(command, PlaceWager)
        limit = limit_for(table, game, command.wager, command.by)
        due, backing = decide(table, game, command), Backing(STAKE, limit)
        assert isinstance(due, list)
        placed = due[0]
        assert isinstance(placed, WagerPlaced)
        for amount in (limit.min - 1, limit.min, limit.min + 1, limit.max - 1, limit.max, limit.max + 1, 10**9):
            answer = decide(table, game, replace(command, amount=amount))
            assert isinstance(answer, list) is backing.allows(amount)
            if isinstance(answer, list):
                assert answer == [replace(placed, stake=replace(placed.stake, amount=amount), added=amount)]
            allowed += isinstance(answer, list)
            refused += isinstance(answer, Refusal)
    assert allowed > 20 < refused


@pytest.mark.parametrize("id", BUSY)
def test_a_further_card_rests_on_its_own_hand_alone(id: str) -> None:
    """Whoever has the other, and whatever lies on the layout."""
    for table, game, command in moments(id, CardDrawn):
        round = table.round
        assert round is not None
        if len(round.cards) < game.procedure.initial_cards:
            continue
        answer = decide(table, game, command)
        assert isinstance(answer, list)
        drawn = answer[-1]
        assert isinstance(drawn, CardDrawn)
        other = 1 - drawn.card.hand
        for holder in ("", "seat 1", "seat 2", "seat 3"):
            holders = [*round.holders]
            holders[other] = holder
            cards = tuple(replace(card, holder=holder) if card.hand == other else card for card in round.cards)
            changed = replace(round, holders=tuple(holders), cards=cards, stakes={})
            assert decide(replace(table, round=changed), game, command) == answer


@pytest.mark.parametrize("id", BUSY)
def test_the_closing_call_rests_on_no_wager(id: str) -> None:
    for table, game, command in moments(id, BettingClosed):
        assert isinstance(command, CallNoMoreBets)
        assert table.round is not None
        answer = decide(table, game, command)
        for key, stake in table.round.stakes.items():
            assert decide(with_stakes(table, {key: stake}), game, command) == answer


@pytest.mark.parametrize("id", BUSY)
def test_a_stake_is_settled_as_if_it_lay_there_alone(id: str) -> None:
    for table, game, command in moments(id, WagerSettled):
        assert table.round is not None
        answer = decide(table, game, command)
        assert not isinstance(answer, Refusal)
        settled = {event.stake.key: event for event in answer if isinstance(event, WagerSettled)}
        assert len(settled) == len(answer) - 1 == len(table.round.stakes)
        for key, stake in table.round.stakes.items():
            alone = decide(with_stakes(table, {key: stake}), game, command)
            assert alone == [settled[key], answer[-1]]


def test_at_a_busy_table_most_lines_are_not_asked_about() -> None:
    lines = evening(HIDDEN, 300, others=OTHERS)
    asked, verifier = 0, Verifier()
    verifier.lines(lines[: len(lines) // 2])
    recorded = verifier._recorded

    def watched(line: bytes) -> None:
        nonlocal asked
        asked += 1
        recorded(line)

    verifier._recorded = watched  # type: ignore[method-assign]
    verifier.lines(lines[len(lines) // 2 :])
    assert verifier.finish() == verify(lines, shortcuts=False)
    assert asked < len(lines) / 4


@pytest.mark.clause("LOG-2")
@pytest.mark.parametrize("id", BUSY)
def test_whatever_is_altered_at_a_busy_table_is_judged_by_the_rules(id: str) -> None:
    lines, quick = evening(id, 40, others=OTHERS), Verifier()
    rounds = rounds_of(lines)
    start, end = rounds[-5][0], rounds[-2][1] + 1
    quick.lines(lines[:start])
    quick._leave_the_walk()
    quick._walk = None
    late = Late(lines, start, end, remembering(quick, lines, start, end))
    assert late.verdict(lines[start:end]) == ""
    assert late.at_random(random.Random(id), FORGERIES) > FORGERIES / 2


def remembering(verifier: Verifier, lines: tuple[bytes, ...], start: int, end: int) -> Verifier:
    """The same with everything learned of some lines that it has not read yet: their wagers are known one by one."""
    ahead = forked(verifier)
    for _ in range(2):
        ahead.lines(lines[start:end])
        ahead._leave_the_walk()
        memories = ahead._memories
        ahead = forked(verifier)
        ahead._memories = memories
        ahead._walk = None
    return ahead


def test_what_a_round_leaves_behind_is_held_against_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    closing, off = Medley.closing, list[Medley]()

    def wrongly(self: Medley, bets: object, ending: object) -> object:
        made = closing(self, bets, ending)  # type: ignore[arg-type]
        if made is not None:
            made.paid = made.paid[1:]
            off.append(self)
        return made

    monkeypatch.setattr(Medley, "closing", wrongly)
    lines = evening(HIDDEN, 60, others=OTHERS)
    assert verify(lines) == verify(lines, shortcuts=False)
    assert off
    assert not any(each.sound for each in off), "nobody saw the difference"
