"""Robot patrons at real tables: what they ask for is allowed, modest, and alive."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from longhu.cli.practice.table import YOU, PracticeTable, YourHand
from longhu.eventsourcing import Refusal
from longhu.games import registry
from longhu.games.game import Game
from longhu.server.config import TableConfig
from longhu.server.demonstration.habits import SHARE, Habits, Seen, Wish, bets, habits, wishes
from longhu.server.tables.opening import setup
from longhu.table.betting import PlaceWager
from longhu.table.engine import decide
from longhu.table.handling import RefuseHand, RevealHand, SqueezeCard
from longhu.table.messages import Command
from longhu.table.settling import WagerSettled
from longhu.table.shuffling import Contribute, CutCards
from longhu.table.state import STEPS, Card, Phase
from tests.table.rounds import confirmed

GAMES = [id for id in registry.built_in() if id != "dragon-bonus-online"]  # which has one seat
ROUNDS, ROBOTS = 60, 4


class Company(PracticeTable):
    """A practice table at which everybody but you is a robot."""

    def __init__(self, game: Game, others: int, seed: int) -> None:
        told = TableConfig(table="T", game=game.id, minimum="5.00", maximum="100.00")
        super().__init__(game, confirmed(game, setup(told).settings), 500_00, others, seed)
        self.chance = Random(seed)
        self.mine = {f"seat {number}": habits(self.chance) for number in range(2, others + 2)}
        self.asked: Counter[type[Command]] = Counter()
        self.refused: list[Refusal] = []

    def seen(self, person: str) -> Seen:
        return Seen(self.table, self.game, person, self.now(), 15.0, 10.0)

    def wish(self, wish: Wish) -> None:
        self.asked[type(wish.command)] += 1
        answer = self.ask(wish.command)
        if isinstance(answer, Refusal):
            self.refused.append(answer)

    def _contribute(self) -> None:
        for person, mine in self.mine.items():
            for wish in wishes(self.seen(person), mine, self.chance):
                if isinstance(wish.command, CutCards):  # which the practice table has done by you
                    assert not isinstance(decide(self.table, self.game, wish.command), Refusal)
                else:
                    self.wish(wish)

    def others_bet(self) -> None:
        for person, mine in self.mine.items():
            before = self.balance(f"patron:{person}")
            for wish in bets(self.seen(person), mine, self.chance):
                assert isinstance(wish.command, PlaceWager)
                assert wish.command.amount * SHARE <= before
                assert 0 < wish.seconds < 15
                self.wish(wish)

    def handle(self) -> bool:
        """A robot does what it wants with the hand that it holds; False where it waits for another hand to lie open."""
        for person, mine in self.mine.items():
            for wish in wishes(self.seen(person), mine, self.chance):
                self.wish(wish)
                return True
        return False

    def round(self) -> None:
        self.new_shoe()
        self.open_round()
        self.bet("player" if "player" in self.settings.limits else "dragon", self.chance.choice([500, 1000, 2500]))
        self.others_bet()
        while (act := self.dealers_act_or_robots()) is not None:
            if isinstance(act, YourHand):
                self.must(RevealHand(by=YOU, at=self.now(), hand=act.hand))

    def dealers_act_or_robots(self) -> Any:
        round = self.table.round
        held = (
            {round.holders[round.hands.index(each.hand)] for each in round.cards if not each.public} if round else set()
        )
        if held & self.mine.keys() and self.handle():
            return ()
        acted = self.dealers_act()
        assert not isinstance(acted, Refusal), acted  # or it would be asked again for ever
        return acted


@pytest.mark.parametrize("id", GAMES)
def test_robots_play_by_the_rules_and_within_their_means(id: str) -> None:
    game = registry.load_game(registry.find(id))
    table = Company(game, ROBOTS, seed=7)
    assert table.open() is None
    settled: list[WagerSettled] = []
    table.listeners.append(lambda events: settled.extend(each for each in events if isinstance(each, WagerSettled)))
    for _ in range(ROUNDS):
        table.round()
    assert not table.refused
    own = [each.stake for each in settled if each.stake.patron in table.mine]
    assert {each.patron for each in own} == set(table.mine)
    assert len({each.amount for each in own}) > 3, "stakes vary"
    assert any(not game.wagers[each.wager].hand for each in own), "something on the side"
    assert len(own) < 2 * ROBOTS * ROUNDS, "not every round"
    assert table.asked[Contribute] >= ROBOTS
    if game.methods[table.settings.method].squeeze != "nobody":
        assert table.asked[SqueezeCard] > 2 * table.asked[RevealHand] > 0, "they squeeze before they turn"


def test_a_robot_bets_on_one_hand_only() -> None:
    game = registry.load_game(registry.find("immortal-dragon-tiger"))
    table = Company(game, 4, seed=3)
    assert table.open() is None
    table.new_shoe()
    table.open_round()
    for person, mine in table.mine.items():
        for _ in range(200):
            chosen = [each.command for each in bets(table.seen(person), mine, table.chance)]
            hands = [game.wagers[each.wager].hand for each in chosen if isinstance(each, PlaceWager)]
            assert len([each for each in hands if each]) <= 1
            assert len(chosen) <= 2


def test_who_has_hardly_any_chips_looks_on() -> None:
    game = registry.load_game(registry.find("dragon-tiger"))
    table = Company(game, 2, seed=3)
    table.bankroll = 39_00  # an eighth of it is less than the minimum of 5.00
    assert table.open() is None
    table.new_shoe()
    table.open_round()
    keen = Habits(sits_out=0, sides=1, follows=0.5, haste=0.5, bends=0.2, declines=0, rounds=10)
    assert not bets(table.seen("seat 2"), keen, table.chance)


def test_a_hand_of_a_physical_shoe_is_handed_back() -> None:
    """A robot cannot read cards that lie on a real table."""
    game = registry.load_game(registry.find("immortal-dragon-tiger"))
    table = Company(game, 1, seed=3)
    assert table.open() is None
    table.new_shoe()
    table.open_round()
    hidden = _holding(table, faces=("", "", "", ""))
    (wish,) = wishes(hidden, table.mine["seat 2"], table.chance)
    assert isinstance(wish.command, RefuseHand)


def test_a_card_is_bent_step_by_step_and_then_turned() -> None:
    game = registry.load_game(registry.find("immortal-dragon-tiger"))
    table = Company(game, 1, seed=3)
    assert table.open() is None
    table.new_shoe()
    table.open_round()
    patient = Habits(sits_out=0, sides=0, follows=0.5, haste=0.5, bends=0.2, declines=0, rounds=10)
    bent = _holding(table, faces=("4C", "KD", "7H", "2S"), bent=4)
    (wish,) = wishes(bent, patient, table.chance)
    assert isinstance(wish.command, SqueezeCard)
    assert 4 < wish.command.step <= STEPS
    (wish,) = wishes(_holding(table, faces=("4C", "KD", "7H", "2S"), bent=STEPS), patient, table.chance)
    assert isinstance(wish.command, RevealHand)


def _holding(table: Company, faces: tuple[str, ...], bent: int = 0) -> Seen:
    """The table with a face-down hand of the robot's."""
    assert table.table.round is not None
    cards = tuple(
        Card(face, table.game.hands[place % 2], public=bool(place % 2), holder="" if place % 2 else "seat 2", bent=bent)
        for place, face in enumerate(faces)
    )
    round = replace(
        table.table.round, phase=Phase.DEALING, cards=cards, holders=("seat 2", ""), passed=True, totals_announced=False
    )
    return Seen(replace(table.table, round=round), table.game, "seat 2", table.now(), 15.0, 10.0)
