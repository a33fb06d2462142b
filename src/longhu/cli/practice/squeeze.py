"""A card in text, bent open a little at a time.

The squeeze goes as at the tables: first the long edge, whose pips leave only a few ranks ("two sides", "three sides",
a picture's frame), then the near end, then the middle; the corners stay under the fingers until the card is turned.
"""

from __future__ import annotations

from longhu.cards import Card

STEPS = 4  # 0 is the back, 4 the open face
ROWS, COLUMNS = 7, 9
SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
COVER = "░"
LEFT, MIDDLE, RIGHT = 2, 4, 6
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
PIPS = {  # rank to the rows of its outer columns and of its middle one
    1: ((), (3,)),
    2: ((), (0, 6)),
    3: ((), (0, 3, 6)),
    4: ((0, 6), ()),
    5: ((0, 6), (3,)),
    6: ((0, 3, 6), ()),
    7: ((0, 3, 6), (1,)),
    8: ((0, 3, 6), (1, 5)),
    9: ((0, 2, 4, 6), (3,)),
    10: ((0, 2, 4, 6), (1, 5)),
}
FRAME = ("╭───╮", "│{0}  │", "│   │", "│ {1} │", "│   │", "│  {0}│", "╰───╯")
Segments = list[tuple[str, str]]  # text, and what it is: "edge", "back", a colour or "gap"


def sign(card: Card) -> str:
    return SIGNS[card.suit.value]


def written(card: Card) -> str:
    """A card as a terminal shows it: `10♥`."""
    return RANKS[card.rank - 1] + sign(card)


def face(rank: int, suit: str) -> list[str]:
    """The printed side, seven rows of nine signs, without its corners."""
    if rank not in PIPS:
        return [f"  {row.format(suit, RANKS[rank - 1])}  " for row in FRAME]
    rows = [[" "] * COLUMNS for _ in range(ROWS)]
    outer, middle = PIPS[rank]
    for row in outer:
        rows[row][LEFT] = rows[row][RIGHT] = suit
    for row in middle:
        rows[row][MIDDLE] = suit
    return ["".join(row) for row in rows]


def seen(row: int, column: int, step: int) -> bool:
    """What a squeeze has bared after so many steps."""
    if step >= STEPS:
        return True
    corner = (row == 0 and column < 2) or (row == ROWS - 1 and column >= COLUMNS - 2)
    opened = (step >= 1 and column >= RIGHT) or (step >= 2 and row >= 5) or (step >= 3 and row >= 3)
    return opened and not corner


def could_be(card: Card, step: int) -> list[str]:
    """The ranks that look the same so far.

    >>> from longhu.cards import card
    >>> could_be(card("7H"), 1), could_be(card("7H"), 2), could_be(card("KS"), 1)
    (['6', '7', '8'], ['6', '7'], ['J', 'Q', 'K'])
    """

    def looks(rank: int) -> list[str]:
        return [
            sign if seen(row, column, step) else ""
            for row, line in enumerate(_with_corners(rank, "x"))
            for column, sign in enumerate(line)
        ]

    mine = looks(card.rank)
    return [RANKS[rank - 1] for rank in range(1, 14) if looks(rank) == mine]


def _with_corners(rank: int, suit: str) -> list[str]:
    """Pips stay in their places; the index stands in two corners."""
    rows = face(rank, suit)
    index = RANKS[rank - 1]
    rows[0] = index.ljust(2)[:2] + rows[0][2:]
    rows[-1] = rows[-1][:-2] + index.rjust(2)
    return rows


def drawn(card: Card, step: int) -> list[Segments]:
    """The card after so many steps, nine lines in a frame."""
    bar = "─" * COLUMNS
    lines: list[Segments] = [[(f"╭{bar}╮", "edge")]]
    for row, line in enumerate(_with_corners(card.rank, sign(card))):
        parts: Segments = [("│", "edge")]
        for column, each in enumerate(line):
            parts.append((each, card.suit.colour) if seen(row, column, step) else (COVER, "back"))
        lines.append([*parts, ("│", "edge")])
    return [*lines, [(f"╰{bar}╯", "edge")]]


def side_by_side(cards: list[list[Segments]]) -> list[Segments]:
    """Several drawings in a row."""
    joined: list[Segments] = [[] for _ in cards[0]]
    for place, card in enumerate(cards):
        for line, parts in zip(joined, card, strict=True):
            line += [*([("  ", "gap")] if place else []), *parts]
    return joined
