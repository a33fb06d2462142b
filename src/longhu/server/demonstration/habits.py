"""Habits of a robot patron: its next act at a table, and how long it takes over it.

A robot looks at the same state as a patron's page does, and asks for nothing that a patron could not ask for. Chance comes in
from outside, so a seed gives the same evening again. A robot bets for company's sake: small stakes, a hand and now and then
something on the side, never both hands and never much of what it has.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import msgspec

from longhu.games.game import Game, Wager
from longhu.table.betting import PlaceWager
from longhu.table.handling import RefuseHand, RevealHand, SqueezeCard
from longhu.table.messages import Command
from longhu.table.remedies.withdrawal import AnswerWithdrawalOffer
from longhu.table.shuffling import Contribute, CutCards, is_pending
from longhu.table.state import STEPS, Card, Offer, Round, Settings, Table, public_id

EARLIEST, LATEST, BESIDE = 0.08, 0.75, 0.1  # of the betting time: a first wager between these, a second so much later
WITHDRAWS = 0.3  # how often an offer to withdraw is taken
STAKES = (1, 1, 1, 2, 2, 3, 5, 5, 10)  # of the minimum
SHARE = 8  # a wager is at most this part of the chips at the table
WORDS = ("luck", "dragon", "tiger", "eight", "jade", "red", "phoenix", "lotus", "moon", "gold", "river", "cloud")


class Habits(msgspec.Struct, frozen=True):
    """What one robot is like."""

    sits_out: float  # the share of rounds in which it only looks on
    sides: float  # how often it puts something on the side
    follows: float  # how often it bets on the hand that won last
    haste: float  # 0 bets at any moment, 1 rather early
    bends: float  # seconds for each bend of a card
    declines: float  # how often it would rather not handle the cards
    rounds: int  # after about so many it goes for a walk


def habits(chance: Random) -> Habits:
    """Somebody new."""
    return Habits(
        sits_out=chance.uniform(0.05, 0.3),
        sides=chance.uniform(0.1, 0.5),
        follows=chance.uniform(0.2, 0.8),
        haste=chance.random(),
        bends=chance.uniform(0.15, 0.5),
        declines=chance.uniform(0.0, 0.1),
        rounds=chance.randint(8, 40),
    )


class Wish(msgspec.Struct, frozen=True):
    """Something that a robot wants to do, once it has thought so long; `about` says what for, so that it is asked once."""

    about: tuple[object, ...]
    seconds: float
    command: Command


class Seen(msgspec.Struct, frozen=True):
    """A table as a robot sees it at one moment."""

    table: Table
    game: Game
    person: str
    at: int
    betting_seconds: float
    contribution_seconds: float

    @property
    def settings(self) -> Settings | None:
        return self.table.settings

    @property
    def chips(self) -> int:
        return self.table.balances.get(f"patron:{self.person}", 0)


def wishes(seen: Seen, mine: Habits, chance: Random) -> list[Wish]:
    """What this robot would do now besides betting. Drawn anew at each look: the first of each `about` counts."""
    round = seen.table.round
    if round is None:
        return list(_shuffle(seen, chance))
    if round.halt.offer is not None:
        return list(_answer(seen, chance, round.number, round.halt.offer))
    return list(_cards(seen, mine, chance, round))


def _answer(seen: Seen, chance: Random, number: int, offer: Offer) -> Iterator[Wish]:
    if seen.person in offer.waits_for:
        answer = AnswerWithdrawalOffer(by=seen.person, at=seen.at, withdraw=chance.random() < WITHDRAWS)
        yield Wish(("offer", number, offer.until), chance.uniform(1, 4), answer)


def _shuffle(seen: Seen, chance: Random) -> Iterator[Wish]:
    """A word for the shuffle, and the cut where no patron has cut after a while."""
    shuffle, person = seen.table.shuffle, seen.table.people[seen.person]
    if shuffle is None or not is_pending(seen.table) or person.seat is None:
        return
    if all(each.person != public_id(seen.table, seen.person) for each in shuffle.contributions):
        value = f"{chance.choice(WORDS)} {chance.choice(WORDS)} {chance.randrange(100)}"
        told = Contribute(by=seen.person, at=seen.at, value=value)
        yield Wish(("contribute", shuffle.number), seen.contribution_seconds * chance.uniform(0.05, 0.6), told)
    if "cut" in seen.game.cites and not shuffle.cut_by and seen.settings is not None:
        behind = seen.settings.cut_reserve + chance.randrange(20)
        cut = CutCards(by=seen.person, at=seen.at, behind=behind)
        yield Wish(("cut", shuffle.number), seen.contribution_seconds * chance.uniform(0.5, 0.8), cut)


# ------------------------------------------------ wagers


def bets(seen: Seen, mine: Habits, chance: Random) -> list[Wish]:
    """Its wagers of a round, each with its moment while betting is open: one hand, and perhaps something beside it."""
    round = seen.table.round
    if round is None or not round.wagering or round.stakes_of(seen.person):
        return []
    seconds = seen.betting_seconds * (EARLIEST + (LATEST - EARLIEST) * chance.random() ** (1 + mine.haste))
    found: list[Wish] = []
    for nth, (wager, amount) in enumerate(stakes(seen, mine, chance)):
        asked = PlaceWager(
            by=seen.person,
            at=seen.at,
            place=seen.table.people[seen.person].seat or 1,
            wager=wager.id,
            amount=amount,
        )
        found.append(Wish(("bet", round.number, nth), seconds, asked))
        seconds += seen.betting_seconds * BESIDE * chance.random()
    return found


def stakes(seen: Seen, mine: Habits, chance: Random) -> list[tuple[Wager, int]]:
    """What it puts on the layout this round; nothing where it looks on, or where the table is beyond its means."""
    if seen.settings is None or chance.random() < mine.sits_out:
        return []
    offered = [seen.game.wagers[id] for id in seen.settings.limits]
    mains = [each for each in offered if each.hand] or offered
    chosen = [_favourite(seen, mine, chance, mains)]
    beside = [each for each in offered if not each.hand and _stands_beside(each, chosen[0])]
    if beside and chance.random() < mine.sides:
        chosen.append(chance.choice(beside))
    found = [(wager, stake(seen.settings, wager.id, seen.chips, chance)) for wager in chosen]
    return found if all(amount for _, amount in found) else []


def _stands_beside(wager: Wager, main: Wager) -> bool:
    return (not wager.requires or main.id in wager.requires) and main.id not in wager.excludes


def _favourite(seen: Seen, mine: Habits, chance: Random, mains: list[Wager]) -> Wager:
    """The hand that won last, for those who believe in that; any other time, either."""
    winner = seen.table.results[-1].winner if seen.table.results else ""
    last = [each for each in mains if winner and each.hand == winner]
    return last[0] if last and chance.random() < mine.follows else chance.choice(mains)


def stake(settings: Settings, wager: str, chips: int, chance: Random) -> int:
    """A few minimum wagers, in whole steps, and never much of the chips; 0 where even the least would be too much."""
    step, least = settings.step(wager), settings.least(wager)
    most = min(settings.limits[wager].max, chips // SHARE)
    wanted = max(least, settings.limits[wager].min * chance.choice(STAKES) // step * step)
    return 0 if least > most else min(wanted, most // step * step)


# ------------------------------------------------ cards in the hand


def _cards(seen: Seen, mine: Habits, chance: Random, round: Round) -> Iterator[Wish]:
    """A hand that it holds is bent open card by card, then turned over; now and then it is handed back."""
    for hand, holder in zip(round.hands, round.holders, strict=True):
        hidden = [(place, each) for place, each in enumerate(round.cards) if each.hand == hand and not each.public]
        first = None if round.reveals_first is None else round.hands[round.reveals_first]
        later = hand != first and any(not each.public for each in round.cards if each.hand == first)  # IDT-3.10.6
        if holder == seen.person and hidden and not (later and all(each.bent == STEPS for _, each in hidden)):
            yield _handled(seen, mine, chance, round, hand, hidden)


def _handled(seen: Seen, mine: Habits, chance: Random, round: Round, hand: str, hidden: list[tuple[int, Card]]) -> Wish:
    fresh = all(not each.bent for _, each in hidden)
    unknown = any(not each.card for _, each in hidden)  # of a physical shoe: a robot has no hands
    if unknown or (fresh and chance.random() < mine.declines / len(hidden)):
        return Wish(("refuse", round.number, hand), mine.bends, RefuseHand(by=seen.person, at=seen.at, hand=hand))
    for place, each in hidden:
        if each.bent < STEPS:
            step = min(STEPS, each.bent + chance.randint(2, 4))
            bent = SqueezeCard(by=seen.person, at=seen.at, place=place, step=step)
            return Wish(("bend", round.number, place, each.bent), mine.bends, bent)
    turned = sum(each.public for each in round.cards)  # another look once the other hand lies open (IDT-3.10.6)
    return Wish(
        ("turn", round.number, hand, turned, len(round.cards)),
        mine.bends,
        RevealHand(by=seen.person, at=seen.at, hand=hand),
    )
