"""Passing a hand face down to whoever is entitled to it, and on when somebody declines or has no wager on it any more."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from longhu.eventsourcing import Event, about
from longhu.games.game import Game
from longhu.table.messages import Command, evolves_round
from longhu.table.priority import backers, next_holder
from longhu.table.remedies.restoring import handed
from longhu.table.state import Phase, Round, Table


class HandPassed(Event, frozen=True, kw_only=True, tag="hand-passed/1"):
    hand: str
    to: str  # "" is the dealer
    declined: tuple[str, ...]


class HolderAsked(Event, frozen=True, kw_only=True, tag="holder-asked/1"):
    """Nobody can say who comes first; dealing waits for a pit supervisor."""

    hand: str
    among: tuple[str, ...]
    declined: tuple[str, ...] = ()


def method_clause(game: Game, round: Round, paragraph: str = "") -> str:
    """The clause of the method in use, or of one of its paragraphs where the document has it."""
    clauses = game.methods[round.method].clauses if round.method in game.methods else ()
    named = [clause for clause in clauses if paragraph and clause.endswith(f"-{paragraph}")]
    return next(iter((*named, *clauses)), "")


def passed_on(table: Table, game: Game, command: Command, hand: int, declined: tuple[str, ...]) -> Event:
    """The hand goes to the next who is entitled, or a pit supervisor is asked who that is."""
    round = table.round
    clause = method_clause(game, round) if round is not None else ""
    to = next_holder(table, game, hand, declined)
    if isinstance(to, tuple):
        return HolderAsked(hand=game.hands[hand], among=to, declined=declined, **about(command, clause))
    return HandPassed(hand=game.hands[hand], to=to, declined=declined, **about(command, clause))


def passed_anew(table: Table, game: Game, command: Command) -> list[Event]:
    """Whoever has withdrawn every wager on a hand handles it no longer: it goes to the highest that is left (IDT-3.10.2)."""
    round = table.round
    if round is None or not round.passed or round.phase is not Phase.DEALING:
        return []
    gone = [
        hand
        for hand, holder in enumerate(round.holders)
        if holder and holder != round.granted[hand] and holder not in backers(round, game, hand)
    ]
    return [passed_on(table, game, command, hand, round.declined[hand]) for hand in gone]


@evolves_round(HandPassed)
def hand_passed(round: Round, event: HandPassed) -> Round:
    hand = round.hands.index(event.hand)
    declined = (event.declined, round.declined[1]) if hand == 0 else (round.declined[0], event.declined)
    asks = tuple(each for each in round.asks_supervisor if each != hand) if round.asks_supervisor else ()
    return held_by(round, hand, event.to, passed=True, declined=declined, asks_supervisor=asks, last_card_at=event.at)


def held_by(round: Round, hand: int, holder: str, **also: Any) -> Round:
    """The round with a hand at somebody; what another has looked at, the new holder has not."""
    holders = (holder, round.holders[1]) if hand == 0 else (round.holders[0], holder)
    cards = [handed(each, holder) if each.hand == round.hands[hand] else each for each in round.cards]
    return replace(round, holders=holders, cards=tuple(cards), mispassed=rightly_held(round, hand), **also)


@evolves_round(HolderAsked)
def holder_asked(round: Round, event: HolderAsked) -> Round:
    hand = round.hands.index(event.hand)
    round = held_by(round, hand, "")
    declined = [*round.declined]
    declined[hand] = event.declined
    asks = (*(each for each in round.asks_supervisor if each != hand), hand)
    return replace(round, passed=True, declined=(declined[0], declined[1]), asks_supervisor=asks)


def rightly_held(round: Round, *hands: int) -> dict[int, str]:
    """The hands that are at the wrong person, without those that have gone to somebody by a rule since."""
    if not round.mispassed:
        return round.mispassed
    return {hand: due for hand, due in round.mispassed.items() if hand not in hands}
