"""Random play over every built-in game: thousands of commands, legal and not, from every position.

After each of them money is conserved, a refusal has changed nothing, nobody sees what they may not, and nothing has
failed. Now and then dealer and pit bring the round to an end; at the end the log gives the table that was live. When
something is wrong, the commands that lead to it are cut down to the few that matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import settings

from longhu.audit.record import Record, decode, encode
from longhu.eventsourcing import Event, Refusal
from longhu.games.game import Game
from longhu.games.registry import built_in, load_game
from longhu.ledger import unlimited
from longhu.positions import Position
from longhu.protocol import Patrons
from longhu.table.confirmation import ConfirmReport
from longhu.table.dealer import next_act
from longhu.table.engine import decide, evolve, replay
from longhu.table.handling import PassHands
from longhu.table.irregularities.missing import SortCards, SubstituteCards
from longhu.table.irregularities.rulings import MakeRuling, ReportIncident
from longhu.table.messages import TABLE, Command
from longhu.table.open_acts import open_acts
from longhu.table.opening import OpenTable
from longhu.table.remedies.withdrawal import CloseWithdrawalOffer
from longhu.table.state import Table, standing
from longhu.table.views import Role, Viewer, viewer
from tests.table.other_secrets import Sights, leaks
from tests.table.random_play import CROWD, Chance, from_shoe, second_persons
from tests.table.rounds import Play

GAMES = tuple(built_in())
EVENINGS, COMMANDS = max(1, settings().max_examples // 10), 250  # the soak has many more evenings
HOUR = 3_600_000


class Wrong(AssertionError):
    """Something that must never happen at a table."""


class Evening:
    """A table that is watched while it is played at."""

    def __init__(self, game: Game, *, every: int = 1) -> None:
        self.game, self.table, self.every = game, Table(game=""), every  # what is slow is checked every so often
        self.events: list[Event] = []
        self.sights = Sights()
        self.asked = 0

    def ask(self, command: Command) -> list[Event] | Refusal:
        """One command, and everything that must hold after it."""
        before = msgspec.msgpack.encode(self.table)
        decided = decide(self.table, self.game, command)
        if msgspec.msgpack.encode(self.table) != before:
            raise Wrong("to judge a command has changed the table")
        if not isinstance(decided, Refusal):
            if self.asked % self.every == 0:
                self.check_offered(command)
            for event in decided:
                self.table = evolve(self.table, event)
                self.sights.note(event)
            self.events += decided
            check_money(self.table)
        self.asked += 1
        who = Viewer("aud", Role.AUDITOR) if self.asked % 7 == 0 else viewer(self.table, CROWD[self.asked % len(CROWD)])
        if leak := leaks(self.table, self.game, who, self.sights):
            raise Wrong(leak)
        if self.asked % self.every == 0:
            check_that_it_ends(self.table, self.game, command.at)
        return decided

    def check_offered(self, command: Command) -> None:
        """What the table allows, a page offers: the same command, or its kind where something is to be told."""
        if standing(self.table, command.by) is not command.position or isinstance(command, OpenTable):
            return
        offered = open_acts(self.table, self.game, command.by, command.at)
        if type(command) not in {act if isinstance(act, type) else type(act) for act in offered}:
            raise Wrong(f"{type(command).__name__} is allowed to {command.by}, and no page would offer it")

    def check_log(self) -> None:
        lines = [encode(Record(place, "", self.game.digest, event)) for place, event in enumerate(self.events, 1)]
        if replay(Table(game=""), (decode(line).event for line in lines)) != self.table:
            raise Wrong("the events as they are stored do not lead to the table that was live")
        if replay(Table(game=""), self.events) != self.table:
            raise Wrong("replaying the events does not lead to the table that was live")


def check_money(table: Table) -> None:
    """Nothing is created or destroyed; only the cage and the world may owe; chips on the layout are the stakes."""
    if sum(table.balances.values()):
        raise Wrong(f"the balances sum to {sum(table.balances.values())}")
    for account, held in table.balances.items():
        if held <= 0 and not unlimited(account):
            raise Wrong(f"{account} stands at {held}")
    stakes: Counter[str] = Counter()
    for stake in table.round.stakes.values() if table.round else ():
        stakes[stake.account] += stake.amount
    layout = {account: held for account, held in table.balances.items() if account.startswith("layout:")}
    if layout != {account: amount for account, amount in stakes.items() if amount}:
        raise Wrong(f"on the layout lie {layout}, the stakes are {dict(stakes)}")


def check_that_it_ends(table: Table, game: Game, at: int) -> None:
    """Whatever has happened, dealer and pit bring a round to an end: settled or void."""
    if standing(table, "opal") is not Position.CASINO_OPERATOR:
        return  # a table without pit
    for _ in range(80):
        if table.round is None:
            return
        at += HOUR
        answers = (decide(table, game, from_shoe(table, command)) for command in ending(table, game, at))
        events = next((answer for answer in answers if not isinstance(answer, Refusal)), None)
        if events is None:
            raise Wrong(f"nothing that the pit may do ends the round: {table.round}")
        table = replay(table, events)
    raise Wrong(f"the round does not end: {table.round}")


def ending(table: Table, game: Game, at: int) -> Iterator[Command]:
    """What dealer and pit try, in this order."""
    if table.awaited is not None:
        yield from second_persons(table, at)
    due = next_act(table, game, by=table.dealer or "dee", at=at)
    if due is not None:
        yield due
    pit: dict[str, Any] = {"by": "opal", "at": at, "position": Position.CASINO_OPERATOR}
    yield CloseWithdrawalOffer(**pit)
    yield MakeRuling(decision="void", reason="it cannot go on", **pit)
    yield ReportIncident(told="it cannot go on", **pit)


def played(game: Game, seed: int, patrons: Patrons = "rated") -> tuple[Evening, list[Command], Exception | None]:
    """One evening, the commands asked, and what went wrong."""
    chance, evening, asked = Chance(game, seed, patrons), Evening(game, every=15), list[Command]()
    try:
        for _ in range(COMMANDS):
            asked.append(chance.command(evening.table))
            evening.ask(asked[-1])
        evening.check_log()
    except Exception as error:
        return evening, asked, error
    return evening, asked, None


def fails(game: Game, commands: list[Command]) -> bool:
    evening = Evening(game)
    try:
        for command in commands:
            evening.ask(command)
        check_that_it_ends(evening.table, game, commands[-1].at if commands else 0)
        evening.check_log()
    except Exception:
        return True
    return False


def shortest(game: Game, commands: list[Command]) -> list[Command]:
    """The commands that still go wrong together, when ever smaller parts are left out."""
    size = len(commands) // 2
    while size:
        for start in range(len(commands) - size, -1, -size):
            without = commands[:start] + commands[start + size :]
            if fails(game, without):
                commands = without
        size //= 2
    return commands


def told(command: Command) -> str:
    """A command without what it leaves at its default, long values cut short."""
    defaults = {each.name: each.default for each in msgspec.structs.fields(command)}
    values = {name: value for name, value in msgspec.structs.asdict(command).items() if value != defaults[name]}
    return f"{type(command).__name__}({', '.join(f'{name}={str(value)[:400]}' for name, value in values.items())})"


@pytest.mark.parametrize("evening", range(EVENINGS))
@pytest.mark.parametrize("id", GAMES)
def test_nothing_goes_wrong_at_a_table_whatever_people_ask(id: str, evening: int) -> None:
    goes_well(id, evening, "rated")


@pytest.mark.parametrize("evening", range(max(1, EVENINGS // 5)))
@pytest.mark.parametrize("id", GAMES)
@pytest.mark.parametrize("patrons", ["unrated", "both"])
def test_nothing_goes_wrong_where_chips_belong_to_no_account(patrons: Patrons, id: str, evening: int) -> None:
    goes_well(id, evening, patrons)


def goes_well(id: str, evening: int, patrons: Patrons) -> None:
    game = load_game(built_in()[id])
    _, asked, error = played(game, evening, patrons)
    if error is not None:
        story = "\n".join(map(told, shortest(game, asked) if fails(game, asked) else asked[-3:]))
        raise Wrong(f"{id}, {patrons}, seed {evening}: {type(error).__name__}: {error}\n{story}") from error


def test_random_play_reaches_what_the_games_can_do() -> None:
    """Play that is always refused would prove nothing: rounds end both ways, and most commands are allowed sometimes."""
    done: Counter[str] = Counter()
    allowed: set[type[Command]] = set()
    for id in GAMES:
        game = load_game(built_in()[id])
        for seed in range(5):
            chance, table = Chance(game, seed), Table(game="")
            for _ in range(600):
                command = chance.command(table)
                decided = decide(table, game, command)
                if not isinstance(decided, Refusal):
                    allowed.add(type(command))
                    done.update(type(event).__name__ for event in decided)
                    table = replay(table, decided)
    assert done["RoundEnded"] > 50
    assert done["RoundVoided"] > 20
    assert len(allowed) > 0.75 * len(TABLE.deciders)


def test_random_play_follows_a_procedure_of_several_commands_to_its_end() -> None:
    """Cards that somebody has left with are counted out and replaced; chance alone would hardly get there."""
    play = Play("immortal-dragon-tiger", method="A", device="hand-shoe")
    play.open_betting()
    play.bet("ann", "player", "50.00")
    play.bet("bob", "banker", "50.00")
    play.close_betting()
    play.draw(*[""] * 4)
    play.does(PassHands, "dee")
    chance, table, asked = Chance(play.game, seed=0), play.table, list[type[Command]]()
    chance.at = play.now
    for act in next(filter(None, (chance.cards_gone(table) for _ in range(100)))):
        command = act(table)
        decided = decide(table, play.game, command)
        assert not isinstance(decided, Refusal), f"{told(command)}: {decided}"
        asked.append(type(command))
        table = replay(table, decided)
    assert asked[-3:] == [SortCards, ConfirmReport, SubstituteCards]
