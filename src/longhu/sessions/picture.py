"""Sessions as a picture: how they ended, and how the bankroll went."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from longhu.report.drawing import FAINT, GRID, INK, Drawing, Point
from longhu.report.notation import minus
from longhu.report.plots import BAND, DIGIT, EVEN, LINE, LOST, WON, Scale, ticks
from longhu.sessions.play import paths
from longhu.sessions.report import title
from longhu.sessions.tally import Whole

if TYPE_CHECKING:
    from longhu.sessions.figures import SessionFigures

WIDTH, HEIGHT, HALF, TOP, BASE = 900, 330, 440, 34, 284
PATHS, MARKS = 2000, 120  # sessions that are followed, and at how many of their rounds
BANDS = ((5, 95, "#e6edf5"), (25, 75, BAND))


def picture(sessions: SessionFigures) -> str:
    """As SVG: the results at the left, the bankroll over the rounds at the right."""
    drawing = Drawing(WIDTH, HEIGHT, title(sessions))
    _results(drawing, sessions)
    _course(drawing, sessions)
    return str(drawing)


def _results(drawing: Drawing, sessions: SessionFigures) -> None:
    found = sessions.bars
    bars, number = found.bars, sessions.sessions
    most = max(bar.sessions for bar in bars) / number * 100
    marks = ticks(0, most)
    left = 20 + DIGIT * max(len(f"{value:g} %") for value in marks)
    across, down = Scale(bars[0].start, bars[-1].end, left, HALF - 16), Scale(0, most, BASE, TOP)
    drawing.text((left, 18), "Result of a session", size=13)
    for value in marks:
        drawing.line((left, down(value)), (HALF - 16, down(value)), GRID)
        drawing.text((left - 6, down(value) + 4), f"{value:g} %", "end", FAINT, 11)
    for bar in bars:
        colour = WON if bar.start > 0 else LOST if bar.end <= 0 else EVEN
        top, start = down(bar.sessions / number * 100), across(bar.start)
        if bar.sessions:
            drawing.box((start + 0.5, top), (across(bar.end) - start - 1, BASE - top), colour)
    drawing.line((left, BASE), (HALF - 16, BASE), INK)
    for value in ticks(bars[0].start, bars[-1].end, 6):
        drawing.text((across(value), BASE + 16), minus(f"{sessions.major(value):g}"), "middle", FAINT, 11)
    outer = [text for text, there in (("first", found.below), ("last", found.above)) if there]
    has = "bars have" if len(outer) > 1 else "bar has"
    told = f"; the {' and the '.join(outer)} {has} what is farther out" if outer else ""
    ruin = f"ruined {sessions.ruin * 100:.2f} %, ahead {sessions.ahead * 100:.2f} %{told}"
    drawing.text((left, BASE + 36), ruin, colour=FAINT, size=11)


def grid_of(sessions: SessionFigures) -> Whole:
    """Rounds at which the bankroll is looked at: up to where nineteen of twenty sessions are over."""
    end = max(sessions.rounds.percentile(95), 1)
    return np.unique(np.linspace(1, end, min(MARKS, end)).astype(np.int64))


def _course(drawing: Drawing, sessions: SessionFigures) -> None:
    grid, plan = grid_of(sessions), sessions.plan
    walked = np.sort(paths(plan, min(PATHS, sessions.sessions), grid), axis=0)
    rounds = [0, *grid.tolist()]

    def at(percent: float) -> list[float]:
        place = min(int(len(walked) * percent / 100), len(walked) - 1)
        return [float(plan.bankroll), *(float(each) for each in walked[place])]

    outer = [*at(BANDS[0][0]), *at(BANDS[0][1])]
    low, high = min(outer), max(outer)
    if low == high:
        low, high = low - 1, high + 1
    marks = ticks(low, high)
    labels = [minus(f"{sessions.major(value):g}") for value in marks]
    left, right = HALF + 20 + DIGIT * max(map(len, labels)), WIDTH - 16
    across, down = Scale(0, rounds[-1], left, right), Scale(low, high, BASE, TOP)
    drawing.text((left, 18), "Bankroll over the rounds", size=13)
    for value, label in zip(marks, labels, strict=True):
        drawing.line((left, down(value)), (right, down(value)), GRID)
        drawing.text((left - 6, down(value) + 4), label, "end", FAINT, 11)

    def line(values: Sequence[float]) -> list[Point]:
        return [(across(number), down(value)) for number, value in zip(rounds, values, strict=True)]

    for least, most, fill in BANDS:
        drawing.area([*line(at(most)), *reversed(line(at(least)))], fill)
    drawing.path(line(at(50)), LINE, 2)
    drawing.line((left, down(plan.bankroll)), (right, down(plan.bankroll)), LOST, 1, "4 3")
    drawing.line((left, BASE), (right, BASE), INK)
    for value in ticks(0, rounds[-1], 6):
        drawing.text((across(value), BASE + 16), f"{value:,.0f}", "middle", FAINT, 11)
    told = f"rounds; the middle, half and nine tenths of the first {len(walked):,} sessions"
    drawing.text(((left + right) / 2, BASE + 36), told, "middle", FAINT, 11)
