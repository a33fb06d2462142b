"""What the records of rounds mean for patrons: plays and rounds as the store keeps them, held against the ledger."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest

from longhu.audit.record import decode
from longhu.eventsourcing import Event, Refusal
from longhu.games import registry
from longhu.games.vocabulary import IRREGULARITIES
from longhu.ledger import is_spot
from longhu.positions import Position
from longhu.server.streams.projections import Milestones, plays_and_round, reached
from longhu.store.entries import Play, RoundEntry
from longhu.table.betting_phase import RoundStarted
from longhu.table.cash import CashOut
from longhu.table.engine import decide, replay
from longhu.table.irregularities.late import ReportLiftedWager, ReportOffLimitsWager
from longhu.table.irregularities.power import ReportMalfunction, RoundReversed
from longhu.table.irregularities.rulings import MakeRuling, ReportIncident
from longhu.table.messages import Command
from longhu.table.remedies.procedure import ReportIrregularity
from longhu.table.remedies.void import RoundVoided
from longhu.table.settling import RoundCapped, RoundEnded
from longhu.table.state import Outcome, Spoken, Stake, Table
from longhu.table.wrong_payments import CorrectPayment, PaymentError
from tests.audit.evening import GAMES, START, scenarios
from tests.table.random_play import Chance, from_shoe, second_persons
from tests.table.rounds import Play as Told

COMMANDS, EVENINGS = 1000, 2  # in each game


class Book:
    """What a store would keep of a trail."""

    def __init__(self) -> None:
        self.table, self.marks, self.events = Table(game=""), Milestones(), [Event()]  # records are counted from 1
        self.plays: list[Play] = []
        self.rounds: dict[int, RoundEntry] = {}

    def write(self, events: list[Event]) -> None:
        """The records of one command."""
        first = len(self.events)
        for sequence, event in enumerate(events, first):
            self.marks = reached(self.marks, sequence, event)
        plays, round = plays_and_round("T1", self.marks, first, events)
        self.plays += plays
        if round is not None:
            self.rounds[round.number] = round
        self.events += events
        self.table = replay(self.table, events)

    def net(self) -> Counter[str]:
        """What each patron has won or lost, by the plays."""
        net: Counter[str] = Counter()
        for play in self.plays:
            net[play.person] += play.net
        return net

    def moved(self) -> Counter[str]:
        """The same by the ledger: what they have at the table and took to it or away, and what lies on the layout.

        Chips at a spot are in nobody's statement.
        """
        moved: Counter[str] = Counter()
        for account, amount in self.table.balances.items():
            kind, _, person = account.partition(":")
            if kind in ("patron", "world", "owed"):
                moved[person] += amount
        round = self.table.round
        if round is not None:
            on_the_layout: list[Stake | Spoken] = [*round.stakes.values(), *round.spoken.values()]
            for stake in on_the_layout:
                moved[stake.patron] += stake.amount
        return Counter({person: amount for person, amount in moved.items() if not is_spot(person)})


@cache
def random_books() -> list[Book]:
    """Two evenings of each game on which much goes wrong."""
    books = []
    for seed, id in enumerate([*GAMES] * EVENINGS, start=15):
        game = registry.load_game(registry.find(id))
        chance, book = Chance(game, seed), Book()
        for _ in range(COMMANDS):
            command = chance.opening() if book.table.settings is None else _next(chance, book.table)
            decision = decide(book.table, game, from_shoe(book.table, command))
            if not isinstance(decision, Refusal):
                book.write(decision)
            chance.at += 1000
        books.append(book)
    return books


def _next(chance: Chance, table: Table) -> Command:
    """The next step of an ordinary evening, or something that goes wrong."""
    pick = chance.random.choice
    staff: dict[str, Any] = {"by": "opal", "at": chance.at, "position": Position.CASINO_OPERATOR}
    stakes = [*table.round.stakes.values()] if table.round else []
    if table.awaited is not None:
        return next(each for each in second_persons(table, chance.at) if chance.is_allowed(table, each))
    match chance.random.randrange(60):
        case 0:
            return ReportMalfunction(number=table.rounds, **staff)
        case 1:
            return ReportIrregularity(kind=pick(IRREGULARITIES), **staff)
        case 2:
            return ReportIncident(told="something else", **staff)
        case 3 if stakes:
            stake = pick(stakes)
            return ReportLiftedWager(patron=stake.patron, place=stake.place, wager=stake.wager, **staff)
        case 4 if stakes:
            stake = pick(stakes)
            return ReportOffLimitsWager(
                patron=stake.patron, place=stake.place, wager=stake.wager, amount=pick((100, 10**6)), **staff
            )
        case 5:
            person = pick(("ann", "bob", "cay"))
            return CashOut(by=person, at=chance.at, amount=table.balances.get(f"patron:{person}", 0))
        case 6 | 7 | 8 | 9 | 10 | 11 if table.settled and table.settled[-1].paid:
            paid, other = pick(table.settled[-1].paid), pick(("", "ann", "bob"))
            error: PaymentError = "wrong-patron" if other else pick(("too-much", "too-little"))
            about: dict[str, Any] = {
                "round": table.rounds - (table.round is not None),
                "wager": paid.wager,
                "patron": paid.patron,
                "other": other,
            }
            return CorrectPayment(
                error=error, amount=5_00, cause=pick(("record", "hand")), reason="a slip", **about, **staff
            )
    if table.round is not None and table.round.halt.for_ruling:
        return MakeRuling(decision=pick(("void", "continue")), reason="so be it", **staff)
    return chance.step(table)


def agree(book: Book) -> bool:
    return {each: net for each, net in book.net().items() if net} == {
        each: amount for each, amount in book.moved().items() if amount
    }


@pytest.mark.clause("MON-1", "MON-5")
def test_plays_are_what_the_ledger_moved() -> None:
    """Whatever happens at a table: settlements, caps, voids, reversals and claims."""
    kinds: Counter[str] = Counter()
    for book in random_books():
        assert agree(book)
        kinds.update(play.kind for play in book.plays)
    assert kinds["round"] > 100
    assert kinds["void"] > 10
    assert kinds["reversal"] > 0
    assert kinds["correction"] > 3


@pytest.mark.clause("LOG-1", "LOG-9")
def test_rounds_are_found_in_the_trail() -> None:
    """Every round that ended or is void is there, from its opening call to its end, and says how it ended."""
    for book in random_books():
        ends = {each.number: each for each in book.events if isinstance(each, (RoundEnded, RoundVoided, RoundReversed))}
        assert book.rounds.keys() == ends.keys()
        for number, round in book.rounds.items():
            started, end = book.events[round.first], book.events[round.last]
            assert isinstance(started, RoundStarted)
            assert (started.number, started.at) == (number, round.started)
            assert (end, end.at) == (ends[number], round.ended)
            assert round.winner == (end.outcome.winner if isinstance(end, RoundEnded) else "")


def test_plays_of_the_pages_of_the_documentation() -> None:
    """Pages about claims, reversals, void rounds and the rest; a page without a command for each event has them one by one."""
    for page, trail in scenarios():
        book, events = Book(), [decode(line) for line in trail.lines if line.startswith(b'{"sequence":')]
        command: list[Event] = []
        for record in events:
            if command and record.event.at != command[0].at:
                book.write(command)
                command = []
            command.append(record.event)
        book.write(command)
        assert agree(book), page


def test_a_round_that_is_reversed_gives_back_what_it_paid() -> None:
    told = Told("dragon-bonus-online", cards="9S 2H KH 3C 4D")
    told.round(ann={"player": "50.00"})
    won = told.table.settled[-1].paid[0].net
    reversal = told.does(ReportMalfunction, "dee", number=1, told="the screen froze")
    plays, round = plays_and_round("T1", Milestones(40, START), 50, reversal)
    assert [(play.person, play.staked, play.net, play.kind) for play in plays] == [("ann", 0, -won, "reversal")]
    assert round is not None
    assert (round.number, round.winner) == (1, "")


def test_a_cap_on_a_round_is_part_of_what_it_came_to() -> None:
    events = [
        RoundCapped(at=START, table="T1", patron="ann", cut=500),
        RoundEnded(at=START, number=3, outcome=Outcome("tie")),
    ]
    plays, _ = plays_and_round("T1", Milestones(1, START), 10, events)
    assert plays == (Play("ann", "T1", 3, START, 0, -500, 11),)


def test_an_earlier_round_that_is_reversed_keeps_its_place_in_the_log_and_has_no_winner_any_more() -> None:
    told, milestones, sequence = Told("dragon-bonus-online", cards="9S 2H KH 3C 4D"), Milestones(), 0
    told.round(ann={"player": "50.00"})
    told.round(ann={"player": "50.00"})
    for sequence, event in enumerate(told.log, 1):
        milestones = reached(milestones, sequence, event)
    first = next(number for number, each in enumerate(told.log, 1) if isinstance(each, RoundStarted))
    last = next(number for number, each in enumerate(told.log, 1) if isinstance(each, RoundEnded))
    reversal = told.does(ReportMalfunction, "dee", number=1)
    _, round = plays_and_round("T1", milestones, sequence + 1, reversal)
    assert round is not None
    assert (round.number, round.first, round.last, round.winner) == (1, first, last, "")
