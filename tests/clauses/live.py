"""Rounds at a running table, for the clauses: the cards are dealt, the wagers placed, paid and looked up again.

>>> game = longhu.game("dragon-tiger")
>>> round = played(game, "KS", "4H", dragon="10.00", tie="5.00")
>>> round.winner, round["dragon"].net, round["tie"].clause, round.net
('dragon', '10.00', 'DT-3.6b', '5.00')
>>> whose_card(game, "KS")
'tiger'

Every round goes through `decide` and `evolve`, from the opening call to the settlement. What it paid is read off the ledger, and
must be the same in four places: the events, the patron's balance, the tray, and the log as it is stored and read back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

import longhu
from longhu.cards import DECK, Card, cards
from longhu.deal.procedure import Reason
from longhu.eventsourcing import Codec, Event, Refusal, any_of, replay
from longhu.games.game import Game
from longhu.ledger import Transaction
from longhu.money import parse, show
from longhu.table.cash import BuyIn, in_tray
from longhu.table.dealing import AnnounceTotals, CardDrawn, DrawCard, ResultAnnounced
from longhu.table.engine import evolve
from longhu.table.messages import TABLE
from longhu.table.opening import ChangeSettings, OpenTable
from longhu.table.settling import RoundCapped, WagerSettled
from longhu.table.state import Limit, Table
from tests.rounds import in_dealing_order
from tests.table.rounds import CHIPS, Play

ANN = "ann"
PURSE = 1_000_000_000  # what she has: 10,000,000.00
STORED: Codec[Event] = Codec(any_of(TABLE.evolvers))


@dataclass(frozen=True)
class Paid:
    """What became of one wager, from its event and its transaction."""

    event: WagerSettled
    game: Game
    ledger: Transaction

    @property
    def stake(self) -> str:
        return show(self.event.stake.amount)

    @property
    def result(self) -> str:
        return self.event.result

    @property
    def credit(self) -> str:
        """What came to the patron's account, stake included, by the ledger."""
        return show(sum(each.amount for each in self.ledger.postings if each.account == f"patron:{ANN}"))

    @property
    def net(self) -> str:
        return show(parse(self.credit) - self.event.stake.amount)

    @property
    def commission(self) -> str:
        return show(self.event.commission)

    @property
    def clause(self) -> str:
        return self.ledger.clause

    @property
    def says(self) -> str:
        """The line that decided it, as the record names it."""
        return self.game.wagers[self.event.stake.wager].lines[self.event.line].says.en


@dataclass(frozen=True)
class Played(Mapping[str, Paid]):
    """A round that was dealt, announced and paid."""

    paid: Mapping[str, Paid]
    net: str  # of the patron, by the balance before the wagers and after the settlement
    credit: str  # what came back to the patron's balance, stakes included
    cut: str | None  # what a cap took back
    hands: dict[str, tuple[Card, ...]]
    totals: dict[str, int]
    winner: str | None
    number: int
    reasons: list[Reason]
    log: list[Event]

    def __getitem__(self, wager: str) -> Paid:
        return self.paid[wager]

    def __iter__(self) -> Iterator[str]:
        return iter(self.paid)

    def __len__(self) -> int:
        return len(self.paid)


def definition(game: Game | longhu.api.Game) -> Game:
    return game.definition if isinstance(game, longhu.api.Game) else game


_OPENED: dict[tuple[int, tuple[tuple[str, Any], ...]], Play] = {}


def at_table(game: Game | longhu.api.Game, drawn: str = "", *, betting: bool = True, **settings: Any) -> Play:
    """A table in play whose shoe starts with these cards; Ann has ten million, and wagers from a cent are taken.

    A table is opened once for the same game and settings, and every round starts from there.
    """
    rules = definition(game)
    key = (id(rules), tuple(sorted(settings.items())))
    if key not in _OPENED:
        layout = settings.get("layout") or max(rules.layouts, key=lambda name: len(rules.layouts[name].wagers))
        limits = {
            id: Limit(wager.limit.min or 1, wager.limit.max or PURSE) for id, wager in rules.offered(layout).items()
        }
        play = Play(
            rules, people={ANN: 1}, float_counted=100 * PURSE, **{"limits": limits, "layout": layout, **settings}
        )
        play.does(BuyIn, "dee", patron=ANN, amount=PURSE - parse(CHIPS))
        _OPENED[key] = play
    play = copy(_OPENED[key])
    play.log, play.order = [], _order(drawn, play.settings.decks)
    if betting:
        play.open_betting()
    return play


def refused_settings(game: Game | longhu.api.Game, clause: str, **wrong: Any) -> Refusal:
    """A table neither opens with these settings nor changes to them: refused by this clause, for the same reason."""
    rules = definition(game)
    closed = Play(rules, open=False)
    refusal = closed.refused(OpenTable, "opal", clause, **closed.opening(settings=replace(closed.settings, **wrong)))
    empty = Play(rules, cards=None, people={})
    assert empty.refused(ChangeSettings, "opal", clause, changes=wrong) == refusal
    return refusal


@cache
def _full(decks: int) -> tuple[str, ...]:
    return tuple(str(each) for each in DECK for _ in range(decks))


def _order(first: str, decks: int) -> tuple[str, ...]:
    """A complete shoe that starts with these cards."""
    start, rest = [str(each) for each in cards(first)], [*_full(decks)]
    for each in start:
        rest.remove(each)
    return (*start, *rest)


def placed(play: Play, stakes: Mapping[str, str]) -> None:
    """Ann's wagers at her seat; those that need another come last."""
    named = {name.replace("_", "-"): amount for name, amount in stakes.items()}
    for wager in sorted(named, key=lambda name: bool(play.game.wagers[name].requires)):
        play.bet(ANN, wager, named[wager])


def played(
    game: Game | longhu.api.Game, first: str, second: str, *, layout: str | None = None, **stakes: str
) -> Played:
    """A round of these two hands with these wagers, at a running table."""
    settings = {"layout": layout} if layout else {}
    return play_round(at_table(game, betting=False, **settings), first, second, stakes)


def play_round(play: Play, first: str, second: str, stakes: Mapping[str, str]) -> Played:
    """A round of these two hands with these wagers, at this table, whose shoe starts with their cards."""
    drawn = in_dealing_order(first, second)
    play.order = _order(drawn, play.settings.decks)
    opened = play.table
    play.open_betting()
    placed(play, stakes)
    staked = sum(parse(stake) for stake in stakes.values())
    assert _balance(play) == _balance_of(opened) - staked, "the stakes have left the patron's account"
    play.close_betting()
    deal(play, len(cards(drawn)))
    assert whose(play) == "nobody", f"more cards are due than {first} and {second}"
    dealt = play.current.dealt(play.game.procedure)
    play.finish()
    assert play.table.round is None
    told, number, after = play.last(ResultAnnounced), dealt.number, _balance(play)
    assert number is not None
    _accounted(play, opened)
    paid = {each.stake.wager: _paid(each, play.game) for each in play.log if isinstance(each, WagerSettled)}
    assert len(paid) == len(stakes), "every stake is settled once"
    cut = sum(each.cut for each in play.log if isinstance(each, RoundCapped))
    names = play.game.hands
    return Played(
        {name: paid[name] for name in (stake.replace("_", "-") for stake in stakes)},
        show(after - _balance_of(opened)),
        show(after - _balance_of(opened) + staked),
        show(cut) if cut else None,
        hands_of(play),
        dict(zip(names, told.totals, strict=True)),
        None if told.winner == "tie" else told.winner,
        number,
        [*(reason for step in dealt.steps for reason in step.reasons), *dealt.due.reasons],
        play.log,
    )


def _paid(event: WagerSettled, game: Game) -> Paid:
    """What the ledger moved is what the line that is on record says, to the cent."""
    (ledger,) = event.transactions()
    paid = Paid(event, game, ledger)
    line = game.wagers[event.stake.wager].lines[event.line]
    assert (paid.result, paid.clause) == (line.result.value, line.clause or "")
    expected = event.stake.amount * (1 + line.net)
    assert abs(parse(paid.credit) - expected) < 1, f"{paid.says}: {paid.stake} came back as {paid.credit}"
    return paid


def _balance_of(table: Table) -> int:
    return table.balances.get(f"patron:{ANN}", 0)


def _balance(play: Play) -> int:
    return _balance_of(play.table)


def _accounted(play: Play, opened: Table) -> None:
    """The settlement, the ledger, the balance, the tray and the log as it is stored tell the same."""
    won = sum(event.net for event in play.log if isinstance(event, WagerSettled))
    won -= sum(event.cut for event in play.log if isinstance(event, RoundCapped))
    postings = [posting for event in play.log for posting in event.postings()]
    assert sum(amount for account, amount in postings if account == f"patron:{ANN}") == won
    assert _balance(play) - _balance_of(opened) == won, "the patron's balance is not what the settlement says"
    assert in_tray(play.table) - in_tray(opened) == -won, "the tray is not what the settlement says"
    assert not [account for account in play.table.balances if account.startswith("layout:")], "chips were left lying"
    stored = [STORED.decode(STORED.encode(event)) for event in play.log]
    assert replay(evolve, opened, stored) == play.table, "the log as it is stored leads to another table"


def credit(game: Game | longhu.api.Game, first: str, second: str, wager: str, stake: str, **beside: str) -> str:
    """What one wager gives back, stake included; one that may not stand alone is placed beside a unit on Tie."""
    if not beside and definition(game).wagers[wager.replace("_", "-")].requires:
        beside = {"tie": "1.00"}
    return played(game, first, second, **{wager: stake}, **beside)[wager.replace("_", "-")].credit


# ------------------------------------------------ the deal alone


def deal(play: Play, count: int) -> None:
    """So many cards, each drawn by the dealer; whoever holds a hand reveals it, and totals are announced where they are."""
    while True:
        round = play.current
        if len(round.cards) >= play.game.procedure.initial_cards:
            play.turn_over()
            if "announce-totals" in play.game.cites and not play.current.totals_announced:
                play.does(AnnounceTotals, "dee")
        if len(round.cards) == count:
            return
        play.draw()


def so_far(game: Game | longhu.api.Game, drawn: str, **settings: Any) -> Play:
    """A table at which these cards lie, in the order in which they left the shoe, and the round may go on."""
    play = at_table(game, drawn, **settings)
    play.bet(ANN, "tie", "10.00")
    play.close_betting()
    deal(play, len(cards(drawn)))
    return play


def next_draw(play: Play) -> CardDrawn | Refusal:
    """What the table says to one more card, of which nothing stays."""
    table, log = play.table, [*play.log]
    decision = play.asks(DrawCard, "dee")
    play.table, play.log = table, log
    if isinstance(decision, Refusal):
        return decision
    (drawn,) = decision
    assert isinstance(drawn, CardDrawn)
    return drawn


def whose(play: Play) -> str:
    """The hand that the next card is laid to, or `nobody` where the table refuses one because the hands are complete."""
    drawn = next_draw(play)
    if isinstance(drawn, Refusal):
        assert drawn.reason.code == "hands-complete", drawn
        return "nobody"
    return drawn.card.hand


def whose_card(game: Game | longhu.api.Game, first: str, second: str = "") -> str:
    """Whose card is next, once these two hands lie there (or these cards, in dealing order)."""
    return whose(so_far(game, in_dealing_order(first, second) if second else first))


def hands_of(play: Play) -> dict[str, tuple[Card, ...]]:
    """The cards by the hand to which the dealer laid them."""
    drawn = [each.card for each in play.log if isinstance(each, CardDrawn)]
    return {hand: cards(" ".join(each.card for each in drawn if each.hand == hand)) for hand in play.game.hands}


def totals_of(play: Play) -> dict[str, int]:
    """The totals of what lies there, as the table counts them."""
    return dict(zip(play.game.hands, play.current.dealt(play.game.procedure).totals, strict=True))


# ------------------------------------------------ tables of rounds as text


def paid_rounds(table: str, document: str) -> list[Any]:
    """The rows of a table below its heading, for `parametrize`; two spaces or more divide the columns.

    The last column names clauses without their document: `3.8b 3.8a` under DT is DT-3.8b and DT-3.8a.
    """
    _, *rows = (re.split(r"\s{2,}", line.strip()) for line in table.strip().splitlines() if line.strip())
    return [
        pytest.param(
            first,
            second,
            wager,
            stake,
            back,
            marks=pytest.mark.clause(*(f"{document}-{clause}" for clause in clauses.split())),
            id=f"{first} v {second}, {stake} on {wager}",
        )
        for first, second, wager, stake, back, clauses in rows
    ]
