"""The expectation against depth as a picture: a panel for each wager."""

from __future__ import annotations

from longhu.counting.depths import PERCENTILE
from longhu.counting.figures import Study, WagerStudy
from longhu.report.drawing import FAINT, GRID, INK, Drawing, Point
from longhu.report.notation import minus
from longhu.report.plots import BAND, LINE, LOST, WON, Scale, ticks

WIDTH, HEIGHT, HEAD, FOOT = 430, 250, 46, 30
LEFT, RIGHT, TOP, BASE = 58, 414, 40, 205  # of the plot within its panel


def picture(result: Study) -> str:
    """Two panels beside each other; what a panel shows is told once, above all."""
    wagers = list(result.wagers.values())
    columns = min(2, len(wagers))
    rows = -(-len(wagers) // columns)
    says = f"{result.game.name.en}: expectation against depth, {result.decks} decks, seed {result.seed}"
    drawing = Drawing(columns * WIDTH, HEAD + rows * HEIGHT + FOOT, says)
    drawing.text((14, 18), says, size=14)
    _legend(drawing)
    for place, each in enumerate(wagers):
        corner = (place % columns * WIDTH, HEAD + place // columns * HEIGHT)
        _panel(drawing, corner, each)
    told = f"{result.cut} cards behind the cut, {result.shoes:,} shoes; across: per cent of the shoe dealt"
    drawing.text((14, HEAD + rows * HEIGHT + 18), told, colour=FAINT, size=11)
    return str(drawing)


def _legend(drawing: Drawing) -> None:
    x = 14.0
    for colour, words in (
        (LOST, "best round met"),
        (WON, f"{PERCENTILE:.0%} of rounds below"),
        (LINE, "mean"),
        (BAND, "share positive"),
    ):
        drawing.box((x, 28), (14, 8), colour)
        drawing.text((x + 18, 36), words, colour=FAINT, size=11)
        x += 30 + 6.2 * len(words)


def _panel(drawing: Drawing, corner: Point, each: WagerStudy) -> None:
    left, right = corner[0] + LEFT, corner[0] + RIGHT
    top, base = corner[1] + TOP, corner[1] + BASE
    values = [value * 100 for depth in each.depths for value in (depth.mean, depth.high, depth.best)]
    low, high = min(*values, 0.0), max(*values, 0.0)
    across, down = Scale(0, 1, left, right), Scale(low, high, base, top)
    width = (right - left) / 20
    share = Scale(0, max(depth.positive for depth in each.depths) or 1.0, 0, (base - top) * 0.9)
    for depth in each.depths:
        tall = share(depth.positive)
        drawing.box((across(depth.dealt) - width * 0.42, base - tall), (width * 0.84, tall), BAND)
    for value in ticks(low, high):
        drawing.line((left, down(value)), (right, down(value)), GRID)
        drawing.text((left - 6, down(value) + 4), minus(f"{value:g} %"), "end", FAINT, 11)
    drawing.line((left, down(0.0)), (right, down(0.0)), INK, 1, "4 3")
    for colour, points in (
        (LOST, [(across(depth.dealt), down(depth.best * 100)) for depth in each.depths]),
        (WON, [(across(depth.dealt), down(depth.high * 100)) for depth in each.depths]),
        (LINE, [(across(depth.dealt), down(depth.mean * 100)) for depth in each.depths]),
    ):
        drawing.path(points, colour)
    for tenth in range(0, 11, 2):
        drawing.text((across(tenth / 10), base + 15), f"{tenth * 10}", "middle", FAINT, 11)
    most = max(each.depths, key=lambda depth: depth.positive)
    drawing.text((left, corner[1] + 16), each.wager.name.en, size=13)
    drawing.text((left, corner[1] + 31), _words(each, most.positive), colour=FAINT, size=11)


def _words(each: WagerStudy, most: float) -> str:
    if not each.ceiling.bets:
        return "never positive in any round that was met"
    return (
        f"per 100 rounds: counter {each.counter.per_100:.3f}, ceiling {each.ceiling.per_100:.3f}; "
        f"at most {most * 100:.2g} % of rounds positive"
    )
