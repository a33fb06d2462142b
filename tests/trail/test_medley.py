"""Wagers known one by one: what they are said to rest on is all that the rules look at, and nothing passes that the rules would not."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from longhu.games.game import Game
from longhu.games.registry import built_in, load_game
from longhu.table.acts import Command, Refusal
from longhu.table.betting import PlaceWager, WagerPlaced
from longhu.table.calls import BettingClosed, CallNoMoreBets
from longhu.table.engine import decide, evolve
from longhu.table.settling import Settle, WagerSettled
from longhu.table.state import Phase, Stake, Table, replace
from longhu.trail import proof
from longhu.trail.implied import implied
from longhu.trail.record import decode
from longhu.trail.shortcut.medley import Medley
from longhu.trail.verify import Verifier, verify
from tests.trail.forging import mended, words
from tests.trail.test_mutations import forked, mutations, wrong
from tests.trail.test_shortcut import FORGERIES, GAMES, HIDDEN, evening, rounds_of

OTHERS = 5
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


@pytest.mark.parametrize("id", BUSY)
def test_a_wager_rests_on_those_of_its_patron_and_those_at_its_position(id: str) -> None:
    compared = refused = 0
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
            assert decide(with_stakes(table, stakes), game, asked) == answer
            compared += len(stakes) < len(table.round.stakes)
            refused += isinstance(answer, Refusal)
    assert compared > 20 < refused


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
    chance, lines = random.Random(id), list(evening(id, 40, others=OTHERS))
    rounds = rounds_of(tuple(lines))
    start, end = rounds[-5][0], rounds[-2][1] + 1
    quick, slow, others = Verifier(), Verifier(shortcuts=False), words(lines)
    quick.lines(lines[:start])
    quick._leave_the_walk()
    quick._walk = None
    quick = remembering(quick, lines, start, end)
    slow.lines(lines[:start])
    closing = [proof.closing_line(0, "")]
    for _ in range(FORGERIES):
        place = chance.randrange(start, end)
        mutation = chance.choice(list(mutations(lines[: end + 2], place, others)))
        forgery = mended([*lines[:place], *mutation.rest, *closing])[start:]
        assert wrong(quick, forgery) == wrong(slow, forgery), (place, mutation[:3])


def remembering(verifier: Verifier, lines: list[bytes], start: int, end: int) -> Verifier:
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
