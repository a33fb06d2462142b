"""A small writer of SVG: lines, boxes and texts, with plain attributes that every renderer knows."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

FONT = "Libertinus Serif, Charter, Cambria, Georgia, serif"
INK, FAINT, GRID = "#1c2430", "#5c6675", "#d9dde3"

Point = tuple[float, float]


class Drawing:
    """A picture of a fixed size in its own units; the place where it stands scales it."""

    def __init__(self, width: int, height: int, says: str) -> None:
        self.width, self.height, self.says = width, height, says
        self._drawn: list[str] = []

    def line(self, start: Point, end: Point, colour: str = INK, width: float = 1, dash: str = "") -> None:
        (x1, y1), (x2, y2) = start, end
        self._add("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=colour, stroke_width=width, stroke_dasharray=dash)

    def box(self, corner: Point, size: Point, fill: str) -> None:
        self._add("rect", x=corner[0], y=corner[1], width=size[0], height=size[1], fill=fill)

    def path(self, points: Sequence[Point], colour: str, width: float = 1.5) -> None:
        self._add("polyline", points=_points(points), fill="none", stroke=colour, stroke_width=width)

    def area(self, points: Sequence[Point], fill: str) -> None:
        self._add("polygon", points=_points(points), fill=fill)

    def dot(self, at: Point, radius: float, fill: str, edge: str) -> None:
        self._add("circle", cx=at[0], cy=at[1], r=radius, fill=fill, stroke=edge, stroke_width=1.5)

    def text(self, at: Point, text: str, anchor: str = "start", colour: str = INK, size: float = 12) -> None:
        """Text as it is: no sign in it is read as SVG."""
        self._add("text", text, x=at[0], y=at[1], text_anchor=anchor, fill=colour, font_size=size, font_family=FONT)

    def _add(self, tag: str, text: str = "", **attributes: str | float) -> None:
        written = "".join(
            f' {name.replace("_", "-")}="{escape(_number(value))}"' for name, value in attributes.items() if value != ""
        )
        self._drawn.append(f"<{tag}{written}>{escape(text)}</{tag}>" if text else f"<{tag}{written}/>")

    def __str__(self) -> str:
        size = f'viewBox="0 0 {self.width} {self.height}" width="{self.width}" height="{self.height}"'
        title = f"<title>{escape(self.says)}</title>"
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">{title}{"".join(self._drawn)}</svg>'


def _points(points: Sequence[Point]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _number(value: str | float) -> str:
    """Tenths and hundredths are enough for a picture, and keep it the same everywhere."""
    return value if isinstance(value, str) else f"{value:.2f}".rstrip("0").rstrip(".")
