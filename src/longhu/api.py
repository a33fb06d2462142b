"""Longhu for programs: load a game, settle a round, read the explanation.

>>> import longhu
>>> game = longhu.game("immortal-dragon-tiger")
>>> round = game.settle("5D KC 2C 4C QD", player="100.00", small_dragon="5.00")
>>> round.net, round.credit
('125.00', '230.00')
>>> round["player"].net, round["player"].clause
('50.00', 'IDT-4.1b')
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from longhu.cards import Card, Shoe, ShoeError, cards
from longhu.deal.procedure import Reason
from longhu.games import registry
from longhu.games.game import Game as Definition
from longhu.games.game import Layout, Reading, Wager
from longhu.money import UNSTATED, Money, parse, show
from longhu.odds.figures import GameOdds, game_odds
from longhu.settlement import WAGER_TWICE, SettledRound, SettledWager, SettlementError, check_layout, settle_round
from longhu.transcript import transcript
from longhu.wording import suggest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from longhu.counting.figures import Study
    from longhu.sessions.figures import SessionFigures
    from longhu.sessions.systems import Asked
    from longhu.simulate.dealers import ByShoe
    from longhu.simulate.figures import Simulation


def game(id: str, **readings: str) -> Game:
    """A built-in or installed game, under the house's readings of doubtful clauses."""
    return Game(registry.load_game(registry.find(id), readings))


def load(path: str | Path, **readings: str) -> Game:
    """A game from a file; `GameFileError` tells every mistake with its place."""
    return Game(registry.load_game(Path(path), readings))


def game_ids() -> list[str]:
    """The ids of all games that are built in or installed."""
    return list(registry.all_games())


@dataclass(frozen=True, slots=True)
class Paid:
    """One wager of a settled round, in people's terms."""

    settled: SettledWager
    round: SettledRound

    @property
    def stake(self) -> str:
        return show(self.settled.stake, self.round.currency)

    @property
    def result(self) -> str:
        """`win`, `push`, `half` or `lose`."""
        return self.settled.line.result.value

    @property
    def pays(self) -> str | None:
        return self.settled.line.odds.printed if self.settled.line.odds else None

    @property
    def net(self) -> str:
        return show(self.settled.net, self.round.currency)

    @property
    def commission(self) -> str:
        return show(self.settled.commission, self.round.currency)

    @property
    def clause(self) -> str | None:
        return self.settled.line.clause

    @property
    def says(self) -> str:
        return self.settled.line.says.en


@dataclass(frozen=True, slots=True, repr=False)
class Round(Mapping[str, Paid]):
    """A settled round: wagers by id, and the whole story when printed."""

    settled: SettledRound

    def __getitem__(self, wager: str) -> Paid:
        for each in self.settled.settlement.wagers:
            if each.wager.id == wager:
                return Paid(each, self.settled)
        raise KeyError(wager)

    def __iter__(self) -> Iterator[str]:
        return (each.wager.id for each in self.settled.settlement.wagers)

    def __len__(self) -> int:
        return len(self.settled.settlement.wagers)

    @property
    def net(self) -> str:
        return show(self.settled.settlement.net, self.settled.currency)

    @property
    def credit(self) -> str:
        """What the patron gets back in all, stakes included."""
        return show(self.settled.settlement.credit, self.settled.currency)

    @property
    def hands(self) -> dict[str, tuple[Card, ...]]:
        names = self.settled.game.procedure.hands
        return {name.id: self.settled.dealt.hand(index) for index, name in enumerate(names)}

    @property
    def totals(self) -> dict[str, int]:
        names = self.settled.game.procedure.hands
        return {name.id: self.settled.dealt.totals[index] for index, name in enumerate(names)}

    @property
    def winner(self) -> str | None:
        """The id of the hand that won, or None for a tie."""
        return self.settled.game.winner(self.settled.number)

    @property
    def reasons(self) -> list[Reason]:
        """Every decision of the deal, in order: a message, and the clauses behind it."""
        dealt = self.settled.dealt
        return [*(reason for step in dealt.steps for reason in step.reasons), *dealt.due.reasons]

    def __str__(self) -> str:
        return transcript(self.settled)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


@dataclass(frozen=True, slots=True, repr=False)
class Game:
    """A game that can be played with from Python; `definition` is everything that its file says."""

    definition: Definition

    @property
    def id(self) -> str:
        return self.definition.id

    @property
    def digest(self) -> str:
        return self.definition.digest

    @property
    def wagers(self) -> Mapping[str, Wager]:
        return self.definition.wagers

    @property
    def layouts(self) -> Mapping[str, Layout]:
        return self.definition.layouts

    @property
    def readings(self) -> Mapping[str, Reading]:
        return self.definition.readings

    def settle(self, drawn: str, *, decks: int | None = None, layout: str | None = None, **stakes: str) -> Round:
        """Settle one round: the cards in the order in which they left the shoe, and a stake for each wager.

        A wager is named by its id, with `_` for `-` if that is easier to write, or as the layout calls it.
        """
        return Round(settle_round(self.definition, cards(drawn), self._named(stakes), decks=decks, layout=layout))

    def _named(self, stakes: Mapping[str, str]) -> dict[str, Money]:
        """Amounts by the ids of wagers."""
        named: dict[str, Money] = {}
        known = self.definition.wager_of_name
        for name, amount in stakes.items():
            wager = known.get(name) or known.get(name.replace("_", "-"))
            id = wager.id if wager else name
            if id in named:
                raise SettlementError(WAGER_TWICE(wager=id, name=name[:40]))
            named[id] = self._money(amount)
        return named

    def _money(self, amount: str) -> Money:
        return parse(amount, self.definition.currency or UNSTATED)

    def odds(
        self, *, decks: int | None = None, shoe: Shoe | None = None, dealt: str = "", layout: str | None = None
    ) -> GameOdds:
        """The exact odds of every wager: from a full shoe, or any shoe, with cards already on the table or none.

        `shoe` is what the round is dealt from, before the cards in `dealt` left it.

        >>> odds = game("dragon-tiger").odds(decks=8)
        >>> odds["tie"].house_edge
        Fraction(43, 415)
        >>> game("immortal-dragon-tiger").odds(dealt="5D KC 2C")["big-dragon"].decided.value
        'lost'
        """
        if decks is not None and shoe is not None:
            raise ShoeError("give a shoe or a number of decks, not both")
        if shoe is None and decks is not None:
            shoe = Shoe.of_decks(decks)
        offered = self.definition.offered(check_layout(self.definition, layout))
        return game_odds(self.definition, shoe, cards(dealt), offered)

    def sweep(self, wager: str, shoes: Sequence[Shoe]) -> NDArray[np.float64]:
        """What one wager is expected to net in each of many shoes, for one unit staked, by compiled kernels.

        A baccarat wager that does not look at pairs takes about a microsecond a shoe. `odds` is the exact answer
        for one shoe; this is the same one to the last digits of a double.
        """
        from longhu.odds.sweep import expectations

        known = self.definition.wager_of_name.get(wager)
        if known is None:
            raise KeyError(f"{self.id} has no wager {wager!r}.{suggest(wager, self.wagers)}")
        return expectations(self.definition, known, shoes)

    def simulate(
        self,
        rounds: int,
        *,
        seed: int | None = None,
        decks: int | None = None,
        by_shoe: ByShoe | None = None,
        workers: int | None = None,
    ) -> Simulation:
        """Deal so many rounds, on all cores unless told otherwise, and hold every wager against its exact odds.

        The same seed gives the same figures everywhere; where none is given, one is drawn, and the result has it.
        """
        from longhu.simulate.simulation import simulate

        return simulate(self.definition, rounds, seed=seed, decks=decks, by_shoe=by_shoe, workers=workers)

    def session(
        self,
        stakes: Mapping[str, str],
        bankroll: str,
        *,
        rounds: int | None = None,
        stop_win: str | None = None,
        stop_loss: str | None = None,
        system: str | Asked = "flat",
        limits: tuple[str, str] | None = None,
        sessions: int | None = None,
        seed: int | None = None,
        decks: int | None = None,
        by_shoe: ByShoe | None = None,
        workers: int | None = None,
    ) -> SessionFigures:
        """Sessions of a patron who brings a bankroll: how they end, how long they last, and the risk of ruin.

        `system` is one of the known ones by name, or a function of your own; `limits` are the table's least and most.
        """
        from longhu.sessions.session import play_sessions

        return play_sessions(
            self.definition,
            self._named(stakes),
            self._money(bankroll),
            rounds=rounds,
            stop_win=None if stop_win is None else self._money(stop_win),
            stop_loss=None if stop_loss is None else self._money(stop_loss),
            betting=system,
            limits=None if limits is None else (self._money(limits[0]), self._money(limits[1])),
            sessions=sessions,
            seed=seed,
            decks=decks,
            by_shoe=by_shoe,
            workers=workers,
        )

    def count(
        self,
        *wagers: str,
        shoes: int | None = None,
        seed: int | None = None,
        decks: int | None = None,
        cut: int | None = None,
        level: int | None = None,
        workers: int | None = None,
    ) -> Study:
        """How far these wagers, or all, can be beaten by counting: effects of removal, the best count, what it earns.

        `shoes` are dealt to `cut` cards from their end; `level` is the largest tag of the count.
        """
        from longhu.counting.study import study

        chosen: dict[str, Wager] = {}
        for wager in wagers:
            known = self.definition.wager_of_name.get(wager)
            if known is None:
                raise KeyError(f"{self.id} has no wager {wager!r}.{suggest(wager, self.wagers)}")
            chosen[known.id] = known
        return study(
            self.definition, chosen or None, seed=seed, shoes=shoes, decks=decks, cut=cut, level=level, workers=workers
        )

    def __str__(self) -> str:
        return f"{self.definition.name.en} ({self.id}, version {self.definition.version}, {self.digest[:12]})"

    __repr__ = __str__
