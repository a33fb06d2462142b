"""How fast a trail is replayed, against msgspec merely decoding the same records.

A killed server resumes every round from its trail, and an auditor replays years of them: both wait for `evolve`. The
trails are of ordinary rounds, six patrons with a few wagers each, shoe after shoe. Decoding and replaying run one after
the other in this process, and what counts is the time that a core spends on them, so the figures mean something on a
machine that has other things to do. The goal is 300,000 events a second.
"""

from __future__ import annotations

import gc
import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from longhu.audit.record import SALT_BYTES, Chain, decode
from longhu.cards import CARDS_PER_DECK
from longhu.eventsourcing import Event, Refusal
from longhu.fairness.shuffle import commitment
from longhu.games.game import Game
from longhu.games.registry import built_in, load_game
from longhu.positions import Position
from longhu.table.betting import PlaceWager
from longhu.table.betting_phase import CallPlaceYourBets
from longhu.table.cash import BuyIn
from longhu.table.dealer import next_act
from longhu.table.electronic import order, supplied
from longhu.table.engine import decide, evolve, replay
from longhu.table.handling import RevealHand
from longhu.table.messages import Command
from longhu.table.opening import OpenTable
from longhu.table.patrons_edge import patrons_edges
from longhu.table.people import JoinTable
from longhu.table.shoe import LoadShoe, VerifyCards, finished
from longhu.table.shuffling import CommitShuffle, RevealShuffle
from longhu.table.state import CardSet, Equipment, Limit, Round, Settings, Table
from longhu.testing.scenario import START

EVENTS, REPEATS, GOAL = 100_000, 7, 300_000
PATRONS, WAGERS = ("ann", "bob", "cho", "dan", "eve", "fay"), 3
STAFF = {
    "dee": Position.DEALER,
    "sue": Position.PIT_SUPERVISOR,
    "gus": Position.GAMING_SHIFT_MANAGER,
    "opal": Position.CASINO_OPERATOR,
}
STAKES = (2500, 5000, 10_000, 20_000)


class Play:
    """A table at which nothing goes wrong."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.chance, self.table = game, random.Random(seed), Table(game="")
        self.chain = Chain("T1", lambda: self.chance.randbytes(SALT_BYTES).hex())
        self.lines: list[bytes] = []
        self.at = START
        self.secret, self.order = b"", tuple[str, ...]()

    def do(self, command: Command) -> bool:
        """Was it done? A refusal ends the step, never the evening."""
        self.at += 1
        asked = supplied(self.table, command, self.order)
        decided = decide(self.table, self.game, asked)
        if isinstance(decided, Refusal):
            return False
        self.lines += self.chain.lines(self.table, self.game, asked, decided)
        for event in decided:
            self.table = evolve(self.table, event)
        return True

    def dealer(self) -> dict[str, Any]:
        return {"by": "dee", "at": self.at, "position": Position.DEALER}

    def open(self) -> None:
        game, decks = self.game, self.game.decks.default
        layout = next(iter(game.layouts.values()))
        cards, backs = decks * CARDS_PER_DECK, CardSet(("red",) * decks)
        settings = Settings(
            table="T1",
            layout=layout.id,
            positions=layout.positions_max,
            limits={id: Limit(100, wager.limit.max or 50_000) for id, wager in game.offered(layout.id).items()},
            decks=decks,
            method=next(iter(game.methods), ""),
            equipment=Equipment(sets=(backs,), shoe=cards, cover=True, discard_rack=cards, pucks=2, drop_box="D1"),
        )
        opened = OpenTable(
            by="opal",
            at=self.at,
            position=Position.CASINO_OPERATOR,
            settings=replace(settings, favours_patrons=tuple(patrons_edges(game, settings))),
            staff=STAFF,
            float_counted=10**12,
            counted_by=tuple(STAFF),
        )
        if not self.do(opened):
            raise AssertionError(decide(self.table, game, opened))
        for seat, patron in enumerate(PATRONS, 1):
            self.do(JoinTable(by=patron, at=self.at, seat=seat if seat <= settings.positions else None))
            self.do(BuyIn(patron=patron, amount=10**10, **self.dealer()))

    def shoe(self) -> None:
        decks = self.game.decks.default
        for person, position in STAFF.items():
            self.do(VerifyCards(by=person, at=self.at, position=position, counted=decks * CARDS_PER_DECK))
        if self.table.shuffle is not None:
            self.do(RevealShuffle(secret=self.secret.hex(), **self.dealer()))
        self.secret = self.chance.randbytes(32)
        self.do(CommitShuffle(commitment=commitment("T1", self.table.shoes + 1, self.secret), **self.dealer()))
        seated = tuple(each.id for each in self.table.people.values() if each.seat is not None)
        if not self.do(LoadShoe(declined=seated, **self.dealer())):
            raise AssertionError("a shoe is refused")
        self.order = order(self.table, self.secret)

    def round(self) -> None:
        game = self.game
        if finished(self.table) or game.reshuffled:
            self.shoe()
        self.do(CallPlaceYourBets(**self.dealer()))
        settings = self.table.settings
        if settings is None:
            raise AssertionError("the table is closed")
        for place, patron in enumerate(PATRONS):
            for wager in self.chance.sample(list(settings.limits), WAGERS):
                amount = self.chance.choice(STAKES)
                self.do(
                    PlaceWager(by=patron, at=self.at, place=place % settings.positions + 1, wager=wager, amount=amount)
                )
        while self.table.round is not None:
            if not self.do(self.next_step(self.table.round)):
                raise AssertionError("the round goes no further")

    def next_step(self, round: Round) -> Command:
        """What the dealer does next; where patrons hold the cards, they turn them over."""
        act = next_act(self.table, self.game, by="dee", at=self.at)
        if act is not None:
            return act
        hand = next(each.hand for each in round.cards if not each.public)
        return RevealHand(by=round.holders[round.hands.index(hand)], at=self.at, hand=hand)


def ordinary(game: Game, seed: int, count: int = EVENTS) -> Play:
    """A trail of so many events, and the table that it leads to."""
    play = Play(game, seed)
    play.open()
    while len(play.lines) < count:
        play.round()
    return play


def seconds(run: Callable[[], object]) -> float:
    gc.collect()
    start = time.process_time()
    run()
    return time.process_time() - start


def times_of(play: Play) -> list[tuple[float, float]]:
    """Seconds for replaying and for decoding the trail, again and again."""
    lines, empty = play.lines, Table(game="")
    events: list[Event] = [decode(line).event for line in lines]
    if replay(empty, events) != play.table:
        raise AssertionError("the trail does not lead to the table")
    gc.freeze()  # what is loaded stays, and need not be looked at again
    return [
        (seconds(lambda: replay(empty, events)), seconds(lambda: [decode(line) for line in lines]))
        for _ in range(REPEATS)
    ]


def main() -> int:
    heads = f"{'game':24}{'events':>9}{'replay/s':>12}{'decode/s':>12}{'ratio':>8}"
    print(f"{heads}   (median of {REPEATS})")
    reached = True
    for path in built_in().values():
        play = ordinary(load_game(path), seed=1)
        times, count = times_of(play), len(play.lines)
        mine, yardstick = (count / statistics.median(column) for column in zip(*times, strict=True))
        ratio = statistics.median(decoding / replaying for replaying, decoding in times)
        reached &= mine >= GOAL
        print(f"{play.game.id:24}{count:9,}{mine:12,.0f}{yardstick:12,.0f}{ratio:8.2f}")
    print(f"goal {GOAL:,} events a second: {'reached' if reached else 'MISSED'}")
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
