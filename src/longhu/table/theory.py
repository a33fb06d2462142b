"""What a table won, round by round, beside what it should have won on average, and how far chance may lead it astray (OPS-4).

The wagers of one round depend on the same cards: the variance of a round is that of all of them together, with the exact
covariances of the outcome table. Every round is taken as dealt from a full shoe, and rounds as independent of each other: what
earlier cards of a shoe do to later rounds is left out, and so are rounding and caps, which take the house's side. Rounds that
were void, or reversed afterwards, count for nothing on either side.

Over a whole opening, `table_win` reads the win off the tray and the drop box.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import sqrt

import msgspec

from longhu.cards import Shoe
from longhu.eventsourcing import Event
from longhu.games.game import Game
from longhu.odds.figures import game_odds
from longhu.table.betting_phase import RoundStarted
from longhu.table.fills import ChipRequestMoved
from longhu.table.irregularities.power import PaymentsReversed, RoundReversed
from longhu.table.opening import SettingsChanged, TableClosed, TableOpened
from longhu.table.settling import RoundCapped, RoundEnded, WagerSettled
from longhu.table.wrong_payments import PaymentCorrected

POINTS_MAX = 720  # that are remembered of a table, however many rounds it had


class Figures(msgspec.Struct, frozen=True):
    """The wagers of a game from a full shoe, for one unit staked on each."""

    edges: Mapping[str, Fraction]
    covariances: Mapping[tuple[str, str], float]


def figures(game: Game, decks: int) -> Figures:
    """Exact house edges and covariances, which take a while to work out."""
    odds = game_odds(game, Shoe.of_decks(decks), wagers=game.wagers)
    return Figures(
        {id: each.house_edge for id, each in odds.items()},
        {pair: float(each) for pair, each in odds.covariances().items()},
    )


class Point(msgspec.Struct, frozen=True):
    """The table after a round, in minor units since it opened."""

    round: int  # its number
    at: int  # milliseconds, UTC
    win: int
    expected: float
    deviation: float  # of the win from what is expected: one standard deviation


class _Round(msgspec.Struct):
    """What one round meant for the house."""

    staked: Counter[str]
    win: int = 0


class Theory:
    """The rounds of one opening of a table; the next opening starts anew. Events come in their order."""

    def __init__(self, figures_of: Callable[[str, int], Figures]) -> None:
        self._figures_of = figures_of  # by the digest of the rules, and decks
        self._begin("", 0, 0)

    def _begin(self, game: str, decks: int, at: int) -> None:
        self._game, self._decks, self.opened = game, decks, at
        self.rounds = self.win = self.staked = 0
        self._staked: Counter[tuple[str, int, str]] = Counter()
        self._variance = 0.0
        self._round, self._reversed = _Round(Counter()), _Round(Counter())
        self._number = self._at = 0
        self._stride = 1
        self._points: list[Point] = []

    def take(self, event: Event) -> None:
        """One more event; those that say nothing about wins may be left out."""
        match event:
            case TableOpened():
                self._begin(event.game, event.settings.decks, event.at)
            case SettingsChanged():
                self._decks = event.after.decks
            case RoundStarted():
                self._round = _Round(Counter())
            case WagerSettled():
                self._round.staked[event.stake.wager] += event.stake.amount - event.returned
                self._round.win -= event.kept_net
            case RoundCapped():
                self._round.win += event.cut
            case RoundEnded():
                self._count(self._round, 1, self._decks)
                self._number, self._at = event.number, event.at
                self._remember()
            case PaymentCorrected():
                self.win += event.to_house
            case PaymentsReversed():
                for each in event.paid:
                    self._reversed.staked[each.wager] += each.staked
                    self._reversed.win -= each.net
            case RoundReversed():
                self._count(self._reversed, -1, event.decks)
                self._reversed = _Round(Counter())
                self._points = [each for each in self._points if each.round != event.number]

    def _count(self, round: _Round, sign: int, decks: int) -> None:
        self.rounds += sign
        self.win += sign * round.win
        staked = {wager: amount for wager, amount in round.staked.items() if amount}
        if not staked:
            return
        known = self._figures_of(self._game, decks)
        for wager, amount in staked.items():
            self._staked[self._game, decks, wager] += sign * amount
            self.staked += sign * amount
        self._variance += sign * _variance(staked, known.covariances)

    def _remember(self) -> None:
        if self.rounds % self._stride:
            return
        self._points.append(self.now)
        if len(self._points) > POINTS_MAX:
            self._points = self._points[1::2]
            self._stride *= 2

    @property
    def expected(self) -> Fraction:
        """What the wagers should have brought in, on average: exact."""
        return sum(
            (
                self._figures_of(game, decks).edges[wager] * amount
                for (game, decks, wager), amount in self._staked.items()
            ),
            Fraction(0),
        )

    @property
    def now(self) -> Point:
        expected = sum(
            float(self._figures_of(game, decks).edges[wager]) * amount
            for (game, decks, wager), amount in self._staked.items()
        )
        return Point(self._number, self._at, self.win, expected, sqrt(max(0.0, self._variance)))

    @property
    def points(self) -> list[Point]:
        """From the first round to the last, evenly spaced where there were many."""
        if not self.rounds or (self._points and self._points[-1].round == self._number):
            return list(self._points)
        return [*self._points, self.now]


def _variance(staked: Mapping[str, int], covariances: Mapping[tuple[str, str], float]) -> float:
    """Of all that lies on the layout together: everybody's wagers are decided by the same cards."""
    return sum(
        one * other * covariances[first, second] for first, one in staked.items() for second, other in staked.items()
    )


class TableWin(msgspec.Struct, frozen=True, kw_only=True):
    """One opening of a table, in minor units."""

    opening: int
    fills: int
    credits: int
    closing: int
    drop: int
    difference: int  # what the closing count was over the ledger, or short of it
    breakage: int  # owed to patrons for payments that came to no chip: still in the tray, but theirs
    staked: dict[str, int]  # by wager, in rounds that were settled
    theoretical: Fraction

    @property
    def win(self) -> int:
        return self.closing + self.credits + self.drop - self.fills - self.opening - self.breakage

    @property
    def hold(self) -> Fraction | None:
        """Win for each unit dropped; None where nothing was."""
        return Fraction(self.win, self.drop) if self.drop else None


def table_win(events: Iterable[Event], edges: Mapping[str, Fraction]) -> TableWin | None:
    """The last opening that has been closed; `edges` are the house edges by wager."""
    found, opened = None, 0
    moved: Counter[str] = Counter()
    staked: Counter[str] = Counter()
    for event in events:
        match event:
            case TableOpened():
                opened, moved, staked = event.float_counted, Counter(), Counter()
            case ChipRequestMoved() if event.request.stage == "accepted":
                moved[event.request.kind] += event.request.amount
            case WagerSettled():
                staked[event.stake.wager] += event.stake.amount - event.returned
            case PaymentsReversed():  # a round that was settled is void (DBO-MALF-1)
                for each in event.paid:
                    staked[each.wager] -= each.staked
            case TableClosed():
                found = TableWin(
                    opening=opened,
                    fills=moved["fill"],
                    credits=moved["credit"],
                    closing=event.float_counted,
                    drop=event.drop,
                    difference=event.difference,
                    breakage=event.breakage,
                    staked=dict(+staked),
                    theoretical=sum((edges[wager] * amount for wager, amount in (+staked).items()), Fraction(0)),
                )
    return found
