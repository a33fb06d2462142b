"""Evenings whose trail is kept: real tables, played at by the real core, as proofs.

`Told` plays what a test tells it, `random_evening` plays anything at all, and `scenarios` plays the pages of the
documentation. The same evening gives the same bytes: times start at `START`, and salts are counted.

>>> told = Told("dragon-tiger")
>>> _ = told.round(ann={"dragon": "50.00"})
>>> told.shuffle()                                      # which reveals the secret of the shoe before
>>> verify(told.trail.proof()).shuffles
1
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from longhu.audit import proof, signed_heads
from longhu.audit.record import Chain
from longhu.audit.signed_heads import Head
from longhu.audit.verify import verify
from longhu.eventsourcing import Decision, Event, Refusal
from longhu.games import registry
from longhu.games.game import Game
from longhu.table.betting import PlaceWager
from longhu.table.cash import CashOut
from longhu.table.checkpoint import RecordState
from longhu.table.electronic import supplied
from longhu.table.engine import decide, replay
from longhu.table.messages import Command, on_record
from longhu.table.opening import CloseTable
from longhu.table.people import LeaveTable
from longhu.table.shuffling import Contribute
from longhu.table.state import Table
from longhu.testing.scenario import Scenario
from longhu.testing.scenario import from_shoe as from_shoe_of_page
from tests.table.random_play import Chance, from_shoe
from tests.table.rounds import Play

START = 1_794_859_200_000  # 2026-11-16 20:00 UTC
HOUR, DAY = 3_600_000, 86_400_000
PRIVATE = bytes(range(32))  # the house's key
PUBLIC = signed_heads.public_key(PRIVATE)
MAIN = {
    "dragon-21": "dragon",
    "dragon-bonus": "player",
    "dragon-bonus-online": "player",
    "dragon-tiger": "dragon",
    "immortal-dragon-tiger": "player",
}
GAMES = tuple(MAIN)
READ: dict[tuple[object, ...], Game] = {}  # rules that a proof of these tests has inside, by their text
PAGES = Path(__file__).parents[2] / "docs/scenarios"

__all__ = ("GAMES", "Told", "Trail", "ordinary", "random_evening", "scenarios", "verify")


class Trail:
    """What a house keeps of a table."""

    def __init__(self, table: str = "T1", *, signs: bool = False) -> None:
        numbers = count(1)
        self.chain = Chain(table, lambda: f"{next(numbers):032x}")
        self.games: dict[str, Game] = {}
        self.lines: list[bytes] = []
        self.heads: list[Head] = []
        self.key = PUBLIC if signs else ""

    def note(self, table: Table, game: Game, command: Command, decision: Decision) -> list[Event]:
        """What somebody asked, and what came of it, refusals included."""
        self.games[game.digest] = game
        events: list[Event] = [on_record(command, decision)] if isinstance(decision, Refusal) else decision
        self.lines += [line + b"\n" for line in self.chain.lines(table, game, command, events)]
        return events

    def head(self) -> Head:
        """Where the trail stands, signed by the house."""
        return signed_heads.signed(self.chain.table, self.chain.sequence, self.chain.head, self.chain.last_at, PRIVATE)

    def sign(self) -> None:
        self.heads.append(self.head())
        self.lines.append(proof.head_line(self.heads[-1]))

    def proof(self) -> list[bytes]:
        """All lines of a proof of the whole table."""
        files = proof.game_files(self.games.values())
        first = proof.opening_line(self.chain.table, "the whole table", files, program="test", key=self.key)
        return [first, *self.lines, proof.closing_line(self.chain.sequence, self.chain.head)]


class Told(Play):
    """A table in play whose trail is kept; the shoe gives what its secret says, unless a test supplies the order."""

    def __init__(
        self, game: str | Game = "dragon-tiger", *, signs: bool = False, fixed: bool = False, **settings: Any
    ) -> None:
        self.trail = Trail(signs=signs)
        self.fixed = fixed  # the shoe starts with the cards that the test names, and is never revealed
        super().__init__(game, **settings)

    def command(self, command: type[Command], by: str, **fields: Any) -> Command:
        self.now = max(self.now, START)
        return super().command(command, by, **fields)

    def asks(self, command: type[Command], by: str, **fields: Any) -> Decision:
        if command is CloseTable and self.table.round is None:
            self.reveal()
        return self.ask(self.dealt(self.command(command, by, **fields)))

    def dealt(self, command: Command) -> Command:
        """With the card that the shoe gives."""
        return supplied(self.table, command, self.order) if self.fixed else from_shoe(self.table, command)

    def ask(self, command: Command) -> Decision:
        decision = decide(self.table, self.game, command)
        self.tell(command, decision)
        return decision

    def tell(self, command: Command, decision: Decision) -> None:
        """What the house says came of it: on record, and at the table."""
        events = self.trail.note(self.table, self.game, command, decision)
        self.table = replay(self.table, events)
        self.log += events

    def another_shoe(self, **contributions: str) -> None:
        """The secret of the last, a commitment, what patrons add to it, and the shoe."""
        self.shoe_of = contributions
        uncut = self.game.reshuffled or self.settings.equipment.setup == "continuous-shuffler"
        self.load(**({} if uncut or "bob" not in self.table.people else {"cut_by": "bob"}))

    def shuffle(self) -> None:
        super().shuffle()
        for person, value in getattr(self, "shoe_of", {"ann": "seven come eleven"}).items():
            if person in self.table.people:
                self.does(Contribute, person, value=value)

    def record_state(self) -> None:
        self.does(RecordState, "dee")


def ordinary(id: str, *, rounds: int = 2, signs: bool = True) -> Told:
    """An evening at which nothing goes wrong: two shoes, refused wagers, states on record, and a table that closes."""
    told, main = Told(id, signs=signs), MAIN[id]
    bets = {"ann": {main: "50.00", "tie": "5.00"}, "bob": {main: "25.00"}}
    for _ in range(rounds):
        told.round(**{patron: bet for patron, bet in bets.items() if patron in told.table.people})
    told.refused(PlaceWager, "ann", place=1, wager=main, amount=5000)
    told.record_state()
    if signs:
        told.trail.sign()
    told.another_shoe(ann="八", bob="luck")
    told.round(ann={main: "10.00"})
    told.record_state()
    for patron in tuple(told.table.people):
        told.does(CashOut, patron, amount=told.table.balances[f"patron:{patron}"])
        told.does(LeaveTable, patron)
    told.does(CloseTable, "opal", float_counted=told.table.balances["float:T1"], counted_by=("sue", "dee"))
    if signs:
        told.trail.sign()
    return told


def random_evening(game: Game, seed: int, commands: int, *, signs: bool = False) -> Trail:
    """Commands of every kind from everybody, allowed and refused."""
    chance, table, trail = Chance(game, seed), Table(game=""), Trail(signs=signs)
    chance.at = START
    for number in range(commands):
        command = chance.command(table)
        table = replay(table, trail.note(table, game, command, decide(table, game, command)))
        if signs and number % 50 == 49:
            trail.sign()
    return trail


class Page(Scenario):
    """A page of the documentation, played with its trail kept."""

    def __init__(self) -> None:
        super().__init__(load)
        self.trail = Trail()
        self._clock = START

    def _do(self, command: Command) -> None:
        table, asked = self.table, from_shoe_of_page(self.table, command, self._order)
        self.trail.note(table, self._of(), asked, decide(table, self._of(), asked))
        super()._do(command)


@cache
def _loaded(id: str, readings: tuple[tuple[str, str], ...]) -> Game:
    return registry.load_game(registry.find(id), dict(readings))


def load(id: str, readings: Mapping[str, str]) -> Game:
    return _loaded(id, tuple(sorted(readings.items())))


def scenarios() -> Iterator[tuple[str, Trail]]:
    """Every scenario of the documentation, by its page and number."""
    for path in sorted(PAGES.glob("*.md")):
        blocks = re.findall(r"```scenario\n(.*?)```", path.read_text(encoding="utf-8"), re.S)
        for number, block in enumerate(blocks, 1):
            page = Page()
            page.run(block)
            yield f"{path.stem} {number}", page.trail
