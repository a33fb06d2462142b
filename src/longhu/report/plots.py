"""The plots of a report: how a wager ends, how its return settles down, how it depends on the decks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from longhu.report.drawing import FAINT, GRID, INK, Drawing, Point
from longhu.report.notation import minus

WON, EVEN, LOST, BAND, LINE = "#2c6e49", "#b08900", "#a63d40", "#cfdcec", "#274c77"
WIDTH, HEIGHT = 400, 210
PANEL_WIDTH, PANEL_HEIGHT = 260, 120
DIGIT = 6.6  # the width of a digit of 12 units, about


@dataclass(frozen=True, slots=True)
class Bar:
    label: str
    share: float  # of all rounds
    shown: str
    colour: str


@dataclass(frozen=True, slots=True)
class Scale:
    """From figures to places in the picture."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Round values between the two, at most so many.

    >>> ticks(0, 0.47), ticks(93.1, 93.4, 3)
    ([0.0, 0.1, 0.2, 0.3, 0.4], [93.2, 93.4])
    """
    power = 10.0 ** floor(log10((high - low) / most))
    for step in (power, 2 * power, 5 * power, 10 * power, 20 * power):
        first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
        if last - first + 1 <= most:
            break
    return [round(place * step, 12) for place in range(first, last + 1)]


def _percents(values: Sequence[float], least: int = 0) -> list[str]:
    """Percentages with as many decimals as it takes to tell them apart."""
    decimals = least
    while decimals < 8 and any(abs(round(value, decimals) - value) > 1e-9 for value in values):
        decimals += 1
    return [minus(f"{value:.{decimals}f}") + " %" for value in values]


def bars(found: Sequence[Bar], says: str) -> str:
    """A bar for each thing that can happen, with its chance written behind."""
    room = (HEIGHT - 34) / max(len(found), 1)
    height = HEIGHT if room >= 15 else 34 + 15 * len(found)
    room = min(max(room, 15), 34)
    drawing = Drawing(WIDTH, height, says)
    left = 16 + DIGIT * max((len(each.label) for each in found), default=1)
    right = 14 + DIGIT * max((len(each.shown) for each in found), default=1)
    most = max((each.share for each in found), default=0) or 1.0
    across, base = Scale(0, most, left, WIDTH - right), height - 26
    for value in ticks(0, most * 100):
        x = across(value / 100)
        drawing.line((x, 6), (x, base), GRID)
        drawing.text((x, base + 15), f"{value:g} %", "middle", FAINT, 11)
    top = max(6.0, (base - room * len(found)) / 2)
    for place, each in enumerate(found):
        middle = top + room * (place + 0.5)
        end = max(across(each.share), left + 0.8)  # what can happen is seen
        thick = min(room * 0.68, 20)
        drawing.box((left, middle - thick / 2), (end - left, thick), each.colour)
        drawing.text((left - 6, middle + 4), each.label, "end")
        drawing.text((end + 5, middle + 4), each.shown, colour=FAINT)
    drawing.line((left, 6), (left, base), INK)
    return str(drawing)


def funnel(band: Sequence[tuple[int, float, float]], middle: float, says: str) -> str:
    """The band of the actual return, in per cent, against the rounds played, on a logarithmic axis."""
    low, high = min(low for _, low, _ in band), max(high for _, _, high in band)
    drawing = Drawing(WIDTH, HEIGHT, says)
    if high - low < 1e-9:
        low, high = low - 1, high + 1
    marks = ticks(low, high)
    labels = _percents(marks)
    left, right = 14 + DIGIT * max(map(len, labels)), WIDTH - 14
    across = Scale(log10(band[0][0]), log10(band[-1][0]), left, right)
    down = Scale(low, high, HEIGHT - 30, 12)
    for value, label in zip(marks, labels, strict=True):
        drawing.line((left, down(value)), (right, down(value)), GRID)
        drawing.text((left - 6, down(value) + 4), label, "end", FAINT, 11)
    upper: list[Point] = [(across(log10(rounds)), down(top)) for rounds, _, top in band]
    lower: list[Point] = [(across(log10(rounds)), down(bottom)) for rounds, bottom, _ in band]
    drawing.area([*upper, *reversed(lower)], BAND)
    drawing.path(upper, LINE, 1)
    drawing.path(lower, LINE, 1)
    drawing.line((left, down(middle)), (right, down(middle)), LINE, 1.5)
    if low < 100 < high:
        drawing.line((left, down(100)), (right, down(100)), LOST, 1, "4 3")
    drawing.line((left, HEIGHT - 30), (right, HEIGHT - 30), INK)
    for power in range(round(across.low), round(across.high) + 1):
        x = across(power)
        drawing.line((x, HEIGHT - 30), (x, HEIGHT - 26), INK)
        drawing.text((x, HEIGHT - 16), _power(power), "middle", FAINT, 11)
    drawing.text(((left + right) / 2, HEIGHT - 4), "rounds", "middle", FAINT, 11)
    return str(drawing)


def _power(power: int) -> str:
    return "10" + str(power).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def panel(returns: Sequence[tuple[int, float]], chosen: int | None, says: str) -> str:
    """The return, in per cent, for each number of decks; the number of this report is filled in."""
    drawing = Drawing(PANEL_WIDTH, PANEL_HEIGHT, says)
    low, high = min(value for _, value in returns), max(value for _, value in returns)
    level = high - low < 1e-9
    marks = [low] if level else ticks(low, high, 4)
    labels = [minus(f"{low:.4f} %")] if level else _percents(marks, 2)
    spare = 0.5 if level else (high - low) * 0.12
    left, base = 14 + DIGIT * max(map(len, labels)), PANEL_HEIGHT - 24
    down = Scale(low - spare, high + spare, base, 12)
    across = Scale(returns[0][0], returns[-1][0], left + 10, PANEL_WIDTH - 14)
    for value, label in zip(marks, labels, strict=True):
        drawing.line((left, down(value)), (PANEL_WIDTH - 4, down(value)), GRID)
        drawing.text((left - 6, down(value) + 4), label, "end", FAINT, 11)
    drawing.line((left, base), (PANEL_WIDTH - 4, base), INK)
    every = ceil(len(returns) / 10)
    points = [(across(decks), down(value)) for decks, value in returns]
    drawing.path(points, LINE, 1)
    for place, ((decks, _), point) in enumerate(zip(returns, points, strict=True)):
        drawing.dot(point, 3, LINE if decks == chosen else "#ffffff", LINE)
        if place % every == 0:
            drawing.text((point[0], base + 15), str(decks), "middle", FAINT, 11)
    return str(drawing)
