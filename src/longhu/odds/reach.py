"""What can still happen when some cards lie face up and others do not: reachability over the outcome table.

For a power failure the document asks which wagers are already decided by the cards that are exposed
(IDT-5.15). It is judged on what could still come, not on what the shoe holds (Q31), and cards may lie face
down in any place: the Banker's hand may be exposed while the Player's is not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from longhu.cards import DECK, Card
from longhu.deal.facts import Endings, bits, members
from longhu.deal.procedure import DealError, Procedure, ending_number
from longhu.games.game import Game
from longhu.messages.message import message_code
from longhu.odds.figures import WagerStanding

CARDS_NOT_A_ROUND = message_code("cards-not-a-round")

Exposed = tuple[Sequence[Card | None], Sequence[Card | None]]  # by hand; None is a card that lies face down
State = tuple[Any, Any, int, int]  # both hands, and how many of the later cards that lie open each has taken
REMEMBERED = 256  # what lies open is asked about again and again while a round stands


def reachable(procedure: Procedure[Any], exposed: Exposed) -> Endings:
    """The endings that fit the cards exposed, whatever the others are; cards not listed are not dealt yet."""
    initial = procedure.initial_cards // 2
    firsts, seconds = (_first_cards(procedure, hand, initial) for hand in exposed)
    later = exposed[0][initial:], exposed[1][initial:]
    known: dict[State, frozenset[int]] = {}
    numbers: set[int] = set()
    for one, marks in firsts.items():
        for other, other_marks in seconds.items():
            for draw in _draws(procedure, (one, other, 0, 0), later, known):
                numbers.update(ending_number(procedure, draw, *both) for both in product(marks, other_marks))
    if not numbers:
        raise DealError(CARDS_NOT_A_ROUND())
    return bits(sorted(numbers), procedure.outcomes().size)


def _first_cards(procedure: Procedure[Any], hand: Sequence[Card | None], initial: int) -> Mapping[Any, set[int]]:
    """What a hand's first cards can come to, and how it can be marked then."""
    places: list[Sequence[Card]] = [DECK if each is None else [each] for each in hand[:initial]]
    places += [DECK] * (initial - len(places))
    found: dict[Any, set[int]] = defaultdict(set)
    for cards in product(*places):
        summary = procedure.empty
        for each in cards:
            summary = procedure.take(summary, each)
        found[summary].add(procedure.mark(cards))
    return found


def _draws(
    procedure: Procedure[Any], state: State, later: Exposed, known: dict[State, frozenset[int]]
) -> frozenset[int]:
    """The draw numbers that follow two hands; every card exposed must find its place. `known` are those looked at before."""
    if (found := known.get(state)) is not None:
        return found
    first, second, *used = state
    turn = procedure.due(first, second).hand
    if turn is None:
        fits = used[0] == len(later[0]) and used[1] == len(later[1])
        found = frozenset([procedure.draw_number(first, second)] if fits else [])
    else:
        lies_there = later[turn][used[turn]] if used[turn] < len(later[turn]) else None
        used[turn] = min(used[turn] + 1, len(later[turn]))
        cards = DECK[:13] if lies_there is None else [lies_there]
        taken = {procedure.take((first, second)[turn], each) for each in cards}
        after = ((each, second) if turn == 0 else (first, each) for each in taken)
        found = frozenset().union(*(_draws(procedure, (*hands, used[0], used[1]), later, known) for hands in after))
    known[state] = found
    return found


_DECIDED: dict[tuple[Any, ...], dict[str, WagerStanding]] = {}


def decided(game: Game, exposed: Exposed, layout: str | None = None) -> dict[str, WagerStanding]:
    """For each wager that the layout offers, whether the cards exposed decide it already (IDT-5.15, Q31)."""
    key = (game.digest, layout, tuple(exposed[0]), tuple(exposed[1]))
    found = _DECIDED.get(key)
    if found is None:
        if len(_DECIDED) >= REMEMBERED:
            _DECIDED.clear()
        numbers = list(members(reachable(game.procedure, exposed)))
        found = _DECIDED[key] = {
            id: WagerStanding.of({wager.line(number).net for number in numbers})
            for id, wager in game.offered(layout).items()
        }
    return dict(found)
