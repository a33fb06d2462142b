"""The chance of each hand and of each wager as cards are turned: exact, given the cards that lie open to everybody.

They are counted from a full shoe less the open cards, as the odds beside the table are: what went before in the shoe is no part of it,
and a card that lies face down is as unknown here as it is to everybody.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import msgspec
from litestar import Response, get
from litestar.params import FromPath

from longhu.cards import Card, ShoeError, card
from longhu.deal.procedure import DealError, Procedure, deal_so_far
from longhu.games.game import Game, Wager
from longhu.odds.figures import wager_odds
from longhu.odds.ways import Known, Ways
from longhu.server.http import guards
from longhu.server.http.counted import NOTHING_OPEN, Counted
from longhu.server.http.fields import Number
from longhu.server.http.guards import ANYBODY
from longhu.server.http.routes.answers import unchanged
from longhu.server.http.routes.tables import live_table, watching
from longhu.table.state import Round

BASIS = "a full shoe of {decks} decks, less the cards that lie open"


class HandChance(msgspec.Struct, frozen=True, kw_only=True):
    probability: str  # exact, as a fraction
    chance: float


class WagerChance(msgspec.Struct, frozen=True, kw_only=True):
    """How a wager stands, for one unit staked."""

    win: float
    ev: float
    decided: str  # "open", or what it is whatever may come: "won", "lost", "pushed"


class Chances(msgspec.Struct, frozen=True, kw_only=True):
    """The round in play as it stands; before the first open card, any round."""

    sequence: Number
    round: Number
    cards_open: Number
    basis: str
    totals: dict[str, int | None]  # of each hand's open cards, by the game's rules; None while it has none
    hands: dict[str, HandChance]  # that each hand wins, and "tie"; empty where the cards fit no round
    wagers: dict[str, WagerChance]
    says: list[str]  # what follows from the cards, once all of them lie open: who draws, who stands, who has a natural


@get("/api/tables/{table:str}/chances", opt={**ANYBODY, "etag": True, "problems": (401,)})
async def chances(request: guards.Asked, table: FromPath[str]) -> Response[Chances]:
    """The exact chances of the round in play, given the cards that lie open."""
    await watching(request)
    live = await live_table(request, table)
    state, sequence, game = live.state, live.sequence, live.game
    tag = f'"{sequence}"'
    if (same := unchanged(request, tag)) is not None:
        return same
    settings = state.settings
    decks = settings.decks if settings is not None else game.decks.default
    known = open_cards(game.procedure, state.round) if state.round is not None else NOTHING_OPEN
    counted: Counted = request.app.state.counted
    try:
        found = await counted.ways(game, decks, known)
        says = [] if state.round is None else what_follows(game.procedure, state.round)
    except (DealError, ShoeError):  # an irregularity: what lies there is no round
        found, says = None, []
    ids = [hand.id for hand in game.procedure.hands]
    told = Chances(
        sequence=sequence,
        round=state.rounds,
        cards_open=sum(map(len, known)),
        basis=BASIS.format(decks=decks),
        totals={id: _total(game.procedure, cards) for id, cards in zip(ids, known, strict=True)},
        hands={} if found is None else hand_chances(game, found),
        wagers={} if found is None else wager_chances(game.offered(settings.layout if settings else None), found),
        says=says,
    )
    return Response(told, headers={"ETag": tag, "Cache-Control": "no-cache"})


def open_cards(procedure: Procedure[Any], round: Round) -> Known:
    """The cards of each hand that everybody sees, as far as they are its first ones; of two initial cards, either."""
    initial = procedure.initial_cards // 2
    hands = [
        [card(each.card) if each.public and each.card else None for each in round.cards_of(hand)] for hand in (0, 1)
    ]
    firsts = [[each for each in hand[:initial] if each is not None] for hand in hands]
    if all(len(each) == initial for each in firsts):  # what was drawn later counts once everything before it is open
        for shown, hand in zip(firsts, hands, strict=True):
            for each in hand[initial:]:
                if each is None:
                    break
                shown.append(each)
    return tuple(firsts[0]), tuple(firsts[1])


def what_follows(procedure: Procedure[Any], round: Round) -> list[str]:
    """The decisions of the procedure after the initial deal that no card has told of yet, with their clauses."""
    dealt = [card(each.card) for each in round.cards if each.public and each.card]
    if len(dealt) < max(len(round.cards), procedure.initial_cards):
        return []
    return [str(each) for each in deal_so_far(procedure, dealt).due.reasons]


def _total(procedure: Procedure[Any], cards: tuple[Card, ...]) -> int | None:
    hand = procedure.empty
    for each in cards:
        hand = procedure.take(hand, each)
    return procedure.total(hand) if cards else None


def hand_chances(game: Game, counted: Ways) -> dict[str, HandChance]:
    """That each hand wins, and that neither does."""
    of = {hand.id: 0 for hand in game.procedure.hands} | {"tie": 0}
    for number, some in counted.of.items():
        of[game.winner(number) or "tie"] += some
    return {id: _chance(Fraction(some, counted.deals)) for id, some in of.items()}


def _chance(probability: Fraction) -> HandChance:
    return HandChance(probability=str(probability), chance=float(probability))


def wager_chances(wagers: Mapping[str, Wager], counted: Ways) -> dict[str, WagerChance]:
    found = {id: wager_odds(wager, counted) for id, wager in wagers.items()}
    return {
        id: WagerChance(win=float(odds.hit_frequency), ev=float(odds.ev), decided=odds.decided.value)
        for id, odds in found.items()
    }


HANDLERS = [chances]
