"""Settlement: what each wager of a finished round wins or loses, by which line and which clause."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from longhu.cards import Card, Shoe
from longhu.deal.procedure import Clauses, Dealt, RuleError, deal_out
from longhu.games.game import Cap, Game, Line, Result, Wager
from longhu.messages.message import message_code
from longhu.money import UNSTATED, Currency, HouseRounding, Money
from longhu.wording import nearest

ROUND_UNFINISHED = message_code("round-unfinished")
WAGER_TWICE = message_code("wager-twice", wager="wager", name="text")
WAGER_UNKNOWN = message_code("wager-unknown", name="text", game="game", wagers="texts")
WAGER_UNKNOWN_NEAR = message_code("wager-unknown-near", name="text", game="game", near="text", wagers="texts")
WAGER_OFF_BY_READINGS = message_code("wager-off-by-readings", wager="wager")
WAGER_NOT_ON_LAYOUT = message_code("wager-not-on-layout", wager="wager", layout="text", layouts="texts")
WAGER_NEEDS_ANOTHER = message_code("wager-needs-another", wager="wager", others="any wager")
WAGERS_EXCLUDE = message_code("wagers-exclude", wager="wager", other="wager")
WAGER_WITHOUT_STAKE = message_code("wager-without-stake", wager="wager", amount="money")
WAGER_ABOVE_GAME_MAXIMUM = message_code("wager-above-game-maximum", wager="wager", amount="money", maximum="money")
WAGER_BELOW_GAME_MINIMUM = message_code("wager-below-game-minimum", wager="wager", amount="money", minimum="money")
LAYOUT_UNKNOWN = message_code("layout-unknown", name="text", game="game", layouts="texts")
DECKS_OUTSIDE_RANGE = message_code("decks-outside-range", decks="number", game="game", least="number", most="number")


class SettlementError(RuleError):
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
            raise SettlementError(ROUND_UNFINISHED())
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


def check_stakes(game: Game, stakes: Mapping[str, Money], layout: str | None = None) -> None:
    """Refuse stakes that the game itself does not allow: not on the layout, alone, together, over a maximum."""
    offered = game.offered(check_layout(game, layout))
    for id, stake in stakes.items():
        if id not in offered:
            raise _not_offered(game, id, layout)
        check_stake(offered[id], stake)
        if (error := wrong_company(offered[id], stakes)) is not None:
            raise error


def wrong_company(wager: Wager, beside: Collection[str]) -> SettlementError | None:
    """Why a wager may not lie beside these others of the same patron."""
    if wager.requires and not any(other in beside for other in wager.requires):
        return SettlementError(WAGER_NEEDS_ANOTHER(wager=wager.id, others=wager.requires), _first(wager.clauses))
    excluded = next((other for other in wager.excludes if other in beside), None)
    if excluded is not None:
        return SettlementError(WAGERS_EXCLUDE(wager=wager.id, other=excluded), _first(wager.clauses))
    return None


def check_stake(wager: Wager, stake: Money) -> None:
    """Refuse an amount that the document itself does not allow on this wager."""
    id, limit = wager.id, wager.limit
    if stake <= 0:
        raise SettlementError(WAGER_WITHOUT_STAKE(wager=id, amount=stake))
    if limit.max is not None and stake > limit.max:
        above = WAGER_ABOVE_GAME_MAXIMUM(wager=id, amount=stake, maximum=limit.max)
        raise SettlementError(above, _first(limit.clauses))
    if limit.min is not None and stake < limit.min:
        below = WAGER_BELOW_GAME_MINIMUM(wager=id, amount=stake, minimum=limit.min)
        raise SettlementError(below, _first(limit.clauses))


def _not_offered(game: Game, id: str, layout: str | None) -> SettlementError:
    if id not in game.wagers:
        offered, name = list(game.offered(layout)), id[:40]
        if near := nearest(id, offered):
            return SettlementError(WAGER_UNKNOWN_NEAR(name=name, game=game.id, near=near, wagers=offered))
        return SettlementError(WAGER_UNKNOWN(name=name, game=game.id, wagers=offered))
    return wrong_area(game, id, layout) or SettlementError(WAGER_OFF_BY_READINGS(wager=id))


def wrong_area(game: Game, id: str, layout: str | None) -> SettlementError | None:
    """Why a wager of the game is not taken on this layout: its area is on others only."""
    wager = game.wagers.get(id)
    if wager is None or not wager.layouts or id in game.offered(layout):
        return None
    elsewhere = WAGER_NOT_ON_LAYOUT(wager=id, layout=str(layout), layouts=wager.layouts)
    return SettlementError(elsewhere, _first(wager.clauses))


def _first(clauses: Clauses) -> str:
    return clauses[0] if clauses else ""


def common_clause(listed: Iterable[Clauses]) -> str:
    """The first clause that all of these share, else the first that the first of them has."""
    first, *others = [*listed] or [()]
    shared = [clause for clause in first if all(clause in each for each in others)]
    return next(iter([*shared, *first]), "")


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
    check_stakes(game, stakes, layout)
    if dealt.number is None:
        raise AssertionError("a round dealt out has no ending")
    return SettledRound(game, dealt, settle(game, dealt.number, stakes, rounding), money)


def check_layout(game: Game, layout: str | None) -> str | None:
    """A layout that the game has, or none in particular."""
    if layout is not None and (error := wrong_layout(game, layout)) is not None:
        raise error
    return layout


def wrong_layout(game: Game, layout: str) -> SettlementError | None:
    """Why this is no layout of the game."""
    if layout in game.layouts:
        return None
    unknown = LAYOUT_UNKNOWN(name=layout[:40], game=game.id, layouts=list(game.layouts))
    return SettlementError(unknown, common_clause(each.clauses for each in game.layouts.values()))


def check_decks(game: Game, decks: int | None) -> int:
    """The number of decks, which the document bounds."""
    if decks is None:
        return game.decks.default
    if (error := wrong_decks(game, decks)) is not None:
        raise error
    return decks


def wrong_decks(game: Game, decks: int) -> SettlementError | None:
    """Why the game is not played with so many."""
    if game.decks.min <= decks <= game.decks.max:
        return None
    outside = DECKS_OUTSIDE_RANGE(decks=decks, game=game.id, least=game.decks.min, most=game.decks.max)
    return SettlementError(outside, _first(game.decks.clauses))
