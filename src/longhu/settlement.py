"""Settlement: what each wager of a finished round wins or loses, by which line and which clause."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from longhu.cards import Card, Shoe
from longhu.deal.procedure import Clauses, Dealt, deal_out
from longhu.games.game import Cap, Game, Line, Result, Wager
from longhu.money import UNSTATED, Currency, HouseRounding, Money, show
from longhu.wording import listed, suggest


class SettlementError(ValueError):
    """A round that cannot be settled as it was given."""


@dataclass(frozen=True, slots=True)
class SettledWager:
    """One wager, decided."""

    wager: Wager
    stake: Money
    line: Line  # the line that decided it
    net: Money  # what the patron is up, or down
    commission: Money  # kept from the win; 0 where none is charged

    @property
    def credit(self) -> Money:
        """What the patron gets back, stake included."""
        return Money(self.stake + self.net)


@dataclass(frozen=True, slots=True)
class Cut:
    """What a cap on the whole round took from the patron."""

    amount: Money
    cap: Cap


@dataclass(frozen=True, slots=True)
class Settlement:
    """All wagers of one patron in one round."""

    wagers: tuple[SettledWager, ...]
    cut: Cut | None

    @property
    def net(self) -> Money:
        return Money(sum(each.net for each in self.wagers) - (self.cut.amount if self.cut else 0))

    @property
    def credit(self) -> Money:
        return Money(sum(each.credit for each in self.wagers) - (self.cut.amount if self.cut else 0))


@dataclass(frozen=True, slots=True)
class SettledRound:
    """A round from its cards to its money, explained."""

    game: Game
    dealt: Dealt
    settlement: Settlement
    currency: Currency

    @property
    def number(self) -> int:
        if self.dealt.number is None:
            raise SettlementError("the round is not finished")
        return self.dealt.number


def settle_wager(wager: Wager, line: Line, stake: Money, rounding: HouseRounding) -> SettledWager:
    """Pay or take one stake."""
    return SettledWager(wager, stake, line, *won(line, stake, rounding))


def won(line: Line, stake: Money, rounding: HouseRounding) -> tuple[Money, Money]:
    """What one stake wins (below zero: loses), and the commission that was kept of it; the house's rounding is applied here
    and nowhere else (Q01)."""
    if line.result is Result.LOSE:  # whole by nature, as a push is: never rounded
        return Money(-stake), Money(0)
    if line.result is Result.PUSH:
        return Money(0), Money(0)
    net = max(rounding.share(stake, line.net), Money(-stake))
    if line.odds is not None and line.odds.commission:
        return net, Money(rounding.share(stake, line.odds.win) - net)
    return net, Money(0)


def settle(game: Game, number: int, stakes: Mapping[str, Money], rounding: HouseRounding | None = None) -> Settlement:
    """Settle every stake of one patron on the ending with this number."""
    rule = rounding or game.rounding
    settled = tuple(
        settle_wager(game.wagers[id], game.wagers[id].line(number), stake, rule) for id, stake in stakes.items()
    )
    credit, net = sum(each.credit for each in settled), sum(each.net for each in settled)
    return Settlement(settled, cut_of(game.cap, credit, net))


def cut_of(cap: Cap | None, credit: int, net: int) -> Cut | None:
    """What the round's cap takes off: from the credit, or from the profit, as the cap says (Q45)."""
    if cap is None:
        return None
    over = (credit if cap.basis == "credit" else net) - cap.amount
    return Cut(Money(over), cap) if over > 0 else None


def check_stakes(
    game: Game, stakes: Mapping[str, Money], layout: str | None = None, currency: Currency = UNSTATED
) -> None:
    """Refuse stakes that the game itself does not allow: not on the layout, alone, together, over a maximum."""
    offered = game.offered(check_layout(game, layout))
    for id, stake in stakes.items():
        if id not in offered:
            raise SettlementError(_not_offered(game, id, layout))
        wager = offered[id]
        check_stake(wager, stake, currency)
        if wager.requires and not any(other in stakes for other in wager.requires):
            beside = listed([game.wagers[other].name.en for other in wager.requires], "or")
            raise SettlementError(
                f"{wager.name.en} stands only beside {beside}{_cited(wager.clauses)}: place one of them too"
            )
        for other in wager.excludes:
            if other in stakes:
                raise SettlementError(f"{wager.name.en} and {game.wagers[other].name.en} may not be placed together")


def check_stake(wager: Wager, stake: Money, currency: Currency = UNSTATED) -> None:
    """Refuse an amount that the document itself does not allow on this wager."""
    name, limit = wager.name.en, wager.limit
    if stake <= 0:
        raise SettlementError(f"{name}: a stake of {show(stake, currency)} wagers nothing")
    for bound, word, beyond in (
        (limit.max, "over the game's maximum of", limit.max is not None and stake > limit.max),
        (limit.min, "under the game's minimum of", limit.min is not None and stake < limit.min),
    ):
        if bound is not None and beyond:
            raise SettlementError(
                f"{show(stake, currency)} on {name} is {word} {show(bound, currency)}{_cited(limit.clauses)}"
            )


def _not_offered(game: Game, id: str, layout: str | None) -> str:
    if id not in game.wagers:
        return f"{game.id} has no wager {id[:40]!r}.{suggest(id, game.offered(layout))}"
    wager = game.wagers[id]
    if not wager.layouts:
        return f"{wager.name.en} is not offered under the readings chosen"
    where = f"{wager.name.en} is on layout{'s' if len(wager.layouts) > 1 else ''} {', '.join(wager.layouts)}"
    return f"{wager.name.en} is not on layout {layout}{_cited(wager.clauses)}: {where}"


def _cited(clauses: Clauses) -> str:
    return f" ({clauses[0]})" if clauses else ""


def settle_round(
    game: Game,
    drawn: Sequence[Card],
    stakes: Mapping[str, Money],
    *,
    decks: int | None = None,
    layout: str | None = None,
    rounding: HouseRounding | None = None,
    currency: Currency | None = None,
) -> SettledRound:
    """Deal these cards and settle these stakes, or say why that cannot be done."""
    money = currency or game.currency or UNSTATED
    Shoe.of_decks(check_decks(game, decks)).without(drawn)
    dealt = deal_out(game.procedure, drawn)
    check_stakes(game, stakes, layout, money)
    if dealt.number is None:
        raise AssertionError("a round dealt out has no ending")
    return SettledRound(game, dealt, settle(game, dealt.number, stakes, rounding), money)


def check_layout(game: Game, layout: str | None) -> str | None:
    """A layout that the game has, or none in particular."""
    if layout is not None and layout not in game.layouts:
        cited = _cited(next(iter(game.layouts.values())).clauses)
        raise SettlementError(f"{game.id} has no layout {layout[:40]!r}{cited}.{suggest(layout, game.layouts)}")
    return layout


def check_decks(game: Game, decks: int | None) -> int:
    """The number of decks, which the document bounds."""
    if decks is None:
        return game.decks.default
    if not game.decks.min <= decks <= game.decks.max:
        span = f"{game.decks.min}" if game.decks.min == game.decks.max else f"{game.decks.min} to {game.decks.max}"
        raise SettlementError(f"{decks} decks: {game.id} is played with {span}{_cited(game.decks.clauses)}")
    return decks
