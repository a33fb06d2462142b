"""What the two Dragon Bonus documents have in common: the ways a round can be played, and the bonus paytable."""

from __future__ import annotations

from collections.abc import Iterator

from longhu.api import Game
from longhu.cards import RANKS
from tests.clauses.live import Played, played, so_far, totals_of, whose_card
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


def third_cards_that_banker_draws_against(game: Game, banker: str) -> str:
    """The ranks of Player's third card, ace to king; Player has 2."""
    return " ".join(rank for rank in RANKS if whose_card(game, f"KS 2D +{rank}S", banker) == "banker")


def worth(game: Game, hand: str) -> int:
    """What a hand counts at a table, as Player's and, where it is of two cards, as Banker's; a single card lies beside a king."""
    told = hand if " " in hand else f"{hand} KS"
    count = totals_of(so_far(game, in_dealing_order(told, "KH 7C")))["player"]
    if "+" not in told:
        assert totals_of(so_far(game, in_dealing_order("KH 7C", told)))["banker"] == count
    return count


def every_round(game: Game) -> tuple[Played, ...]:
    """Rounds at a table: two hands of every total, with a third card of each value for Player, and some for Banker."""
    hands = [hand for hand, _ in TWO_CARDS.values()]
    return tuple(round for player in hands for banker in hands for round in _played_out(game, player, banker))


def _played_out(game: Game, player: str, banker: str) -> Iterator[Played]:
    due = whose_card(game, player, banker)
    if due == "nobody":
        yield played(game, player, banker, player="10.00", banker="10.00", tie="10.00")
    else:
        for rank in RANKS[:10] if due == "player" else ("A", "5", "9"):
            further = f"+{rank}S"
            both = (f"{player} {further}", banker) if due == "player" else (player, f"{banker} {further}")
            yield from _played_out(game, *both)
