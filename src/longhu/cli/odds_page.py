"""Odds on the terminal: a table of the wagers, bars for how their rounds end, and plain words where they matter."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from longhu.cli.screen import FigureScreen
from longhu.games.game import Result
from longhu.money import UNSTATED
from longhu.money import show as show_money
from longhu.odds.exports import describe_shoe, percent
from longhu.odds.figures import Decided, GameOdds, WagerOdds
from longhu.paytable import pays
from longhu.wording import listed

if TYPE_CHECKING:
    from longhu.odds.removal import Removal
    from longhu.odds.together import Together

BAR = 20
PARTS = (
    (Result.WIN, "█", "green"),
    (Result.PUSH, "▒", "yellow"),
    (Result.HALF, "▓", "magenta"),
    (Result.LOSE, "░", "red"),
)
WORDS = ("won", "pushed", "half lost", "lost", "void")
DECIDED = {Decided.WON: "bold green", Decided.LOST: "bold red", Decided.PUSHED: "bold yellow", Decided.OPEN: "dim"}


def print_odds(odds: GameOdds, margin: float, *, lines: bool) -> None:
    out = FigureScreen()
    out.print(out.cell(f"{odds.game.name}  ({odds.game.id})", "bold"))
    out.print(f"{describe_shoe(odds)} Exact: {_deals(odds.ways.deals)} counted.")
    for reading in odds.game.readings.values():
        if reading.chosen != reading.default:
            out.print(
                out.cell(
                    f"Under the reading {reading.id}={reading.chosen}: {reading.options[reading.chosen].says.en}.",
                    "yellow",
                )
            )
    out.print(_wagers(out, odds, margin))
    legend = out.cell("Bars: ")
    for word, *shares in zip(WORDS, *map(_ends, odds.values()), strict=True):
        sign, style, _ = shares[0]
        if any(share for _, _, share in shares):
            legend.append(sign, style).append(f" {word}  ")
    out.print(legend)
    for note in notes(out, odds):
        out.print(note)
    if lines:
        for each in odds.values():
            out.print(_lines(out, each))


def _deals(deals: int) -> str:
    if deals == 1:
        return "1 deal"
    return f"{deals:,} deals" if deals < 10**18 else f"{deals:.4e} deals".replace("e+", " × 10^")


def _wagers(out: FigureScreen, odds: GameOdds, margin: float) -> Any:
    decided = ["now"] if odds.dealt else []
    wide = out.wide
    risk = ["of resolved>"] if wide and any(each.element_of_risk is not None for each in odds.values()) else []
    close = [f"rounds to ±{margin * 100:g}%>"] if wide else []
    shown = out.table("wager", *decided, "edge>", *risk, "return>", "wins>", "sd>", *close, "how it ends")
    shown.columns[-1].no_wrap = True
    for each in odds.values():
        style = "bold yellow" if each.favours_patron else ""
        row: list[Any] = [out.cell(each.wager.name.en, "bold")]
        if odds.dealt:
            row.append(out.cell(each.decided.value, DECIDED[each.decided]))
        row.append(out.cell(percent(each.house_edge), style))
        if risk:
            row.append("" if each.element_of_risk is None else percent(each.element_of_risk))
        row += [
            out.cell(percent(each.rtp), style),
            percent(each.hit_frequency, 2),
            f"{each.standard_deviation:.3f}",
            *([f"{each.rounds_within(margin):,}"] if wide else []),
            bar(out, _ends(each), BAR if wide else BAR // 2),
        ]
        shown.add_row(*row)
    return shown


def bar(out: FigureScreen, shares: Iterable[tuple[str, str, Fraction]], width: int = BAR) -> Any:
    """Shares side by side that fill the bar; whatever can happen is seen, however seldom it does."""
    drawn = out.cell("")
    seen = [(sign, style, share * width) for sign, style, share in shares if share]
    cells = [max(1, int(share)) for _, _, share in seen]
    while seen and sum(cells) != width:
        step = 1 if sum(cells) < width else -1
        short = [step * (share - some) for some, (_, _, share) in zip(cells, seen, strict=True)]
        cells[short.index(max(short))] += step
    for (sign, style, _), some in zip(seen, cells, strict=True):
        drawn.append(sign * some, style)
    return drawn


def _ends(each: WagerOdds) -> list[tuple[str, str, Fraction]]:
    """How the wager's rounds end: sign, style and share."""
    return [*((sign, style, each.probability(result)) for result, sign, style in PARTS), ("·", "dim", each.void)]


def notes(out: FigureScreen, odds: GameOdds) -> Iterable[Any]:
    """What a reader must not miss."""
    alike: dict[Fraction, list[str]] = {}
    for each in odds.values():
        if each.favours_patron and not odds.dealt:  # once cards are out, nobody may bet on what they show
            alike.setdefault(each.ev, []).append(each.wager.name.en)
    for ev, names in alike.items():
        favour = "favours" if len(names) == 1 else "favour"
        returns = f"{'it returns' if len(names) == 1 else 'they return'} {percent(1 + ev, 2)}"
        loses = f"the house loses {float(ev) * 100:.2f} of every 100 staked"
        yield out.cell(f"{listed(names)} {favour} the patron: {returns}, so {loses}.", "bold yellow")
    if odds.void:
        yield out.cell(
            f"The cards run out before the round is finished in {percent(odds.void)} of the deals: void.", "yellow"
        )


def _lines(out: FigureScreen, each: WagerOdds) -> Any:
    wide = out.wide
    exactly = ["exactly>"] if wide else []
    shown = out.table("when", "pays", "clause", "chance>", "one in>", *exactly, "", title=f"\n{each.wager.name.en}")
    shown.columns[-1].no_wrap = True
    most = max(one.probability for one in each.lines)
    styles = {result: style for result, _, style in PARTS}
    for one in each.lines:
        style = styles[one.line.result]
        eighths = int(one.probability / most * (BAR if wide else BAR // 2) * 8) if most else 0
        shown.add_row(
            one.line.says.en,
            out.cell(pays(one.line), style),
            one.line.clause or "",
            percent(one.probability),
            f"{float(1 / one.probability):,.1f}" if one.probability else "never",
            *([_short(one.probability)] if wide else []),
            out.cell("█" * (eighths // 8) + ("▏▎▍▌▋▊▉"[eighths % 8 - 1] if eighths % 8 else ""), style),
        )
    shown.caption = f"expectation {_short(each.ev)} of the stake"
    shown.caption_justify = "left"
    return shown


def _short(exact: Fraction) -> str:
    text = str(exact)
    return text if len(text) <= 40 else f"{text[:18]}… ({len(text)} signs, see --json)"


def print_together(joint: Together) -> None:
    """The whole result of a round with stakes on several wagers."""
    out, money = FigureScreen(), joint.game.currency or UNSTATED
    stakes = ", ".join(
        f"{show_money(stake, money)} on {joint.game.wagers[id].name.en}" for id, stake in joint.stakes.items()
    )
    shown = out.table("net>", "chance>", "", title=f"\nTogether: {stakes}")
    most = max(joint.nets.values())
    for net, chance in joint.nets.items():
        style = "green" if net > 0 else "red" if net < 0 else "yellow"
        shown.add_row(
            out.cell(show_money(net, money), style),
            percent(chance),
            out.cell("█" * max(1, round(chance / most * BAR)), style),
        )
    out.print(shown)
    unit = 10**money.decimals
    expected, spread = float(joint.expected) / unit, joint.standard_deviation / unit
    out.print(f"On average {expected:+.4f} a round, a return of {percent(joint.rtp)}; standard deviation {spread:.2f}.")
    if joint.game.cap:
        cap, cited = joint.game.cap, f" ({joint.game.cap.clauses[0]})" if joint.game.cap.clauses else ""
        says = f"The cap of {show_money(cap.amount, money)} a round{cited}"
        if joint.cuts:
            cost = float(joint.cut) / unit
            out.print(
                f"{says} cuts {percent(joint.cut_probability)} of the rounds and costs {cost:.6f} a round on average.",
            )
        else:
            out.print(f"{says} is never reached with these stakes.")


def print_removals(found: list[Removal], ids: list[str], names: dict[str, str]) -> None:
    """A column a wager, so that signs and sizes can be compared at a glance."""
    out = FigureScreen()
    shown = out.table("card out", *(f"{names[id]}>" for id in ids))
    widest = {id: max((abs(each.effects[id]) for each in found), default=Fraction(0)) for id in ids}
    for each in found:
        cells: list[Any] = []
        for id in ids:
            effect = each.effects[id]
            strong = widest[id] and abs(effect) * 2 >= widest[id]
            style = ("bold " if strong else "") + ("green" if effect > 0 else "red" if effect < 0 else "dim")
            cells.append(out.cell(f"{float(effect) * 100:+.4f} %" if effect else "0", style))
        shown.add_row(each.stands_for, *cells)
    out.print(shown)
    out.print("What the expectation of one unit staked gains (+) or loses (-) when one such card has left the shoe.")
