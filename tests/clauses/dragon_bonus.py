"""What the two Dragon Bonus documents have in common: the ways a round can be played, and the bonus paytable."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from longhu.api import Game
from longhu.cards import RANKS, Card, card, cards
from longhu.deal.procedure import Dealt, deal_so_far
from tests.rounds import in_dealing_order

TWO_CARDS = {
    0: ("KH QC", "4H 6C"),
    1: ("KH AC", "5H 6C"),
    2: ("KH 2C", "AH AC"),
    3: ("KH 3C", "2H AC"),
    4: ("KH 4C", "9H 5C"),
    5: ("KH 5C", "9H 6C"),
    6: ("KH 6C", "9H 7C"),
    7: ("KH 7C", "9H 8C"),
    8: ("KH 8C", "9H 9C"),
    9: ("KH 9C", "4H 5C"),
}  # each total twice, with a picture and without

BONUS_ROUNDS = """
    player      banker      wager                stake  credit  clauses
    KS 4D +5H   KD QC +JS   dragon-bonus-player  10.00  310.00  PAY-9
    KS 4D +5H   QC JS +AH   dragon-bonus-player  10.00  110.00  PAY-8
    KS 4D +5H   QC JS +2H   dragon-bonus-player  10.00  70.00   PAY-7
    KS 4D +5H   QC JS +3H   dragon-bonus-player  10.00  50.00   PAY-6
    KS 4D +5H   QC JS +4H   dragon-bonus-player  10.00  30.00   PAY-5
    KS 4D +5H   QC JS +5C   dragon-bonus-player  10.00  20.00   PAY-4
    KS QD +JH   KH 3C +6S   dragon-bonus-banker  10.00  310.00  PAY-9
    KS QD +AH   KH 3C +6S   dragon-bonus-banker  10.00  110.00  PAY-8
    KS QD +2H   KH 3C +6S   dragon-bonus-banker  10.00  70.00   PAY-7
    KS QD +3H   KH 3C +6S   dragon-bonus-banker  10.00  50.00   PAY-6
    KS QD +4H   KH 3C +6S   dragon-bonus-banker  10.00  30.00   PAY-5
    KS QD +5H   KH 3C +6S   dragon-bonus-banker  10.00  20.00   PAY-4
    KS 7D       KH 3C +10S  dragon-bonus-player  10.00  20.00   PAY-4
    KS 7D       4H 6C +QS   dragon-bonus-player  10.00  70.00   PAY-7
    9S KD       QC JS       dragon-bonus-player  10.00  20.00   PAY-NW
    9S KD       8H QD       dragon-bonus-player  10.00  20.00   PAY-NW
    QC JS       9S KD       dragon-bonus-banker  10.00  20.00   PAY-NW
    8H QD       9S KD       dragon-bonus-banker  10.00  20.00   PAY-NW
    9S KD       4C 5H       dragon-bonus-player  10.00  10.00   PAY-NT
    9S KD       4C 5H       dragon-bonus-banker  10.00  10.00   PAY-NT
    KS 8D       3H 5C       dragon-bonus-player  10.00  10.00   PAY-NT
    KS 8D       3H 5C       dragon-bonus-banker  10.00  10.00   PAY-NT
"""


def deal(game: Game, player: str, banker: str = "") -> Dealt:
    """These cards and no more; the round may be unfinished."""
    drawn = in_dealing_order(player, banker) if banker else player
    return deal_so_far(game.definition.procedure, cards(drawn))


def who_draws(game: Game, player: str, banker: str) -> str:
    """`player` or `banker` when that hand takes the next card, `nobody` when the round is complete.

    >>> import longhu
    >>> who_draws(longhu.game("dragon-bonus"), "KS 2D +8S", "KH 3C")
    'nobody'
    """
    due = deal(game, player, banker).due
    return "nobody" if due.hand is None else game.definition.procedure.hands[due.hand].id


def third_cards_that_banker_draws_against(game: Game, banker: str) -> str:
    """The ranks of Player's third card, ace to king; Player has 2."""
    return " ".join(rank for rank in RANKS if who_draws(game, f"KS 2D +{rank}S", banker) == "banker")


def worth(game: Game, text: str) -> int:
    """What one card, or the first cards of a hand, count."""
    procedure = game.definition.procedure
    hand = procedure.empty
    for each in cards(text):
        hand = procedure.take(hand, each)
    return procedure.total(hand)


def every_round(game: Game) -> Iterator[Dealt]:
    """Two hands of every total, played out with every rank that can follow: each draw that there is."""
    for player, _ in TWO_CARDS.values():
        for banker, _ in TWO_CARDS.values():
            yield from _played_out(game, cards(in_dealing_order(player, banker)))


def _played_out(game: Game, drawn: Sequence[Card]) -> Iterator[Dealt]:
    dealt = deal_so_far(game.definition.procedure, drawn)
    if dealt.due.hand is None:
        yield dealt
    else:
        for rank in RANKS:
            yield from _played_out(game, (*drawn, card(f"{rank}S")))
