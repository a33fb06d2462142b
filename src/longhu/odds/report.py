"""Exact odds as a report: the wagers, the lines of each, several together, and what each card is worth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from longhu.games.game import Result, Wager
from longhu.money import UNSTATED
from longhu.money import show as show_money
from longhu.paytable import pays
from longhu.report.blocks import Block, Caution, Cell, Cells, Column, ColumnKind, Prose, Section, Span, Table, Tone
from longhu.report.notation import as_percent
from longhu.report.text import EIGHTHS
from longhu.wording import listed

if TYPE_CHECKING:
    from longhu.odds.figures import GameOdds, WagerOdds
    from longhu.odds.removal import Removal
    from longhu.odds.together import Together

BAR = 12  # signs of a bar
TONES = {Result.WIN: Tone.GOOD, Result.PUSH: Tone.EVEN, Result.HALF: Tone.HALF, Result.LOSE: Tone.BAD}
SIGNS = {Result.WIN: "█", Result.PUSH: "▒", Result.HALF: "▓", Result.LOSE: "░"}
WORDS = {Result.WIN: "won", Result.PUSH: "pushed", Result.HALF: "half lost", Result.LOSE: "lost"}
DECIDED = {"won": Tone.GOOD, "lost": Tone.BAD, "pushed": Tone.EVEN, "open": Tone.QUIET}
DIGITS_MAX = 40  # of an exact number on a terminal
MARGIN = 0.01

Share = tuple[str, Tone, Fraction]


def odds_report(odds: GameOdds, margin: float = MARGIN) -> list[Block]:
    """The wagers of a game, with what a reader must not miss."""
    told: list[Block] = [
        Prose(Span(f"{odds.game.name}  ({odds.game.id})", strong=True)),
        Prose(f"{shoe_text(odds)} Exact: {_deals(odds.ways.deals)} counted."),
    ]
    for reading in odds.game.readings.values():
        if reading.chosen != reading.default:
            says = f"Under the reading {reading.id}={reading.chosen}: {reading.options[reading.chosen].says.en}."
            told.append(Prose(Span(says, Tone.EVEN)))
    return [*told, wager_table(odds, margin), _legend(odds), *_cautions(odds)]


def line_sections(odds: GameOdds) -> list[Section]:
    """Each wager line by line."""
    return [Section(each.wager.name.en, (_line_table(each), _expectation(each))) for each in odds.values()]


def wager_table(odds: GameOdds, margin: float = MARGIN, title: str = "") -> Table:
    """A row for each wager."""
    risk = any(each.element_of_risk is not None for each in odds.values())
    columns = [
        Column("wager", ColumnKind.TEXT),
        *([Column("now", ColumnKind.TEXT)] if odds.dealt else []),
        Column("edge"),
        *([Column("of resolved", spare=True)] if risk else []),
        *(Column(name) for name in ("return", "wins", "sd")),
        Column("expectation", ColumnKind.EXACT, spare=True),
        Column(f"rounds to ±{margin * 100:g}%", spare=True),
        Column("how it ends", ColumnKind.DRAWN),
    ]
    rows = tuple(_wager_row(each, margin, dealt=bool(odds.dealt), risk=risk) for each in odds.values())
    return Table(tuple(columns), rows, title=title)


def brief_table(odds: GameOdds) -> Table:
    """As Python and notebooks show the odds."""
    shoe = f"{odds.decks} decks" if odds.decks else f"{odds.shoe.size} cards"
    dealt = f", {' '.join(map(str, odds.dealt))} on the table" if odds.dealt else ""
    whole = wager_table(odds, title=f"{odds.game.name.en}, {shoe}{dealt}")
    return whole.columns_kept(lambda column: not column.spare and column.kind is not ColumnKind.DRAWN)


def together_section(joint: Together) -> Section:
    """The whole result of a round with stakes on several wagers."""
    money = joint.game.currency or UNSTATED
    stakes = ", ".join(
        f"{show_money(stake, money)} on {joint.game.wagers[id].name.en}" for id, stake in joint.stakes.items()
    )
    most = max(joint.nets.values())
    rows = tuple(
        (
            Span(show_money(net, money), net_tone(net)),
            as_percent(chance),
            Span("█" * max(1, round(chance / most * BAR)), net_tone(net)),
        )
        for net, chance in joint.nets.items()
    )
    shown = Table((Column("net"), Column("chance"), Column("", ColumnKind.DRAWN)), rows)
    unit = 10**money.decimals
    expected, spread = float(joint.expected) / unit, joint.standard_deviation / unit
    sums = f"On average {expected:+.4f} a round, a return of {as_percent(joint.rtp)}; standard deviation {spread:.2f}."
    return Section(f"Together: {stakes}", (shown, Prose(sums), *_cap(joint)))


def removal_table(found: Sequence[Removal], wagers: Mapping[str, Wager]) -> list[Block]:
    """What each card is worth: a column for each wager, so that signs and sizes can be compared."""
    widest = {id: max((abs(each.effects[id]) for each in found), default=Fraction(0)) for id in wagers}
    rows: tuple[Cells, ...] = tuple(
        (each.stands_for, *(_effect(each.effects[id], widest[id]) for id in wagers)) for each in found
    )
    columns = (Column("card out", ColumnKind.TEXT), *(Column(wager.name.en) for wager in wagers.values()))
    says = "What the expectation of one unit staked gains (+) or loses (-) when one such card has left the shoe."
    return [Table(columns, rows), Prose(says)]


def net_tone(net: int) -> Tone:
    return Tone.GOOD if net > 0 else Tone.BAD if net < 0 else Tone.EVEN


def shoe_text(odds: GameOdds) -> str:
    """`8 decks, 416 cards.`, with what is on the table already."""
    cards = f"{odds.shoe.size} card{'' if odds.shoe.size == 1 else 's'}"
    decks = f"{odds.decks} deck{'' if odds.decks == 1 else 's'}, {cards}." if odds.decks else f"A shoe of {cards}."
    return f"{decks} On the table: {' '.join(map(str, odds.dealt))}." if odds.dealt else decks


# ------------------------------------------------ the wagers


def _deals(deals: int) -> str:
    if deals == 1:
        return "1 deal"
    return f"{deals:,} deals" if deals < 10**18 else f"{deals:.4e} deals".replace("e+", " × 10^")


def _wager_row(each: WagerOdds, margin: float, *, dealt: bool, risk: bool) -> Cells:
    favours = each.favours_patron
    tone = Tone.EVEN if favours else Tone.PLAIN
    return (
        Span(each.wager.name.en, strong=True),
        *([Span(each.decided.value, DECIDED[each.decided.value])] if dealt else []),
        Span(as_percent(each.house_edge), tone, favours),
        *(["" if each.element_of_risk is None else as_percent(each.element_of_risk)] if risk else []),
        Span(as_percent(each.rtp), tone, favours),
        as_percent(each.hit_frequency, 2),
        f"{each.standard_deviation:.4f}",
        _short(each.ev),
        f"{each.rounds_within(margin):,}",
        bar(_ends(each)),
    )


def bar(shares: Iterable[Share], width: int = BAR) -> tuple[Span, ...]:
    """Shares side by side that fill the bar; whatever can happen is seen, however seldom it does."""
    seen = [(sign, tone, share * width) for sign, tone, share in shares if share]
    cells = [max(1, int(share)) for _, _, share in seen]
    while seen and sum(cells) != width:
        step = 1 if sum(cells) < width else -1
        short = [step * (share - some) for some, (_, _, share) in zip(cells, seen, strict=True)]
        cells[short.index(max(short))] += step
    return tuple(Span(sign * some, tone) for (sign, tone, _), some in zip(seen, cells, strict=True))


def _ends(each: WagerOdds) -> list[Share]:
    """How the wager's rounds end."""
    ends = [(SIGNS[result], tone, each.probability(result)) for result, tone in TONES.items()]
    return [*ends, ("·", Tone.QUIET, each.void)]


def _legend(odds: GameOdds) -> Prose:
    words = (*WORDS.values(), "void")
    spans = [Span("Bars: ")]
    for word, *shares in zip(words, *map(_ends, odds.values()), strict=True):
        sign, tone, _ = shares[0]
        if any(share for _, _, share in shares):
            spans += [Span(sign, tone), Span(f" {word}  ")]
    return Prose(tuple(spans))


def _cautions(odds: GameOdds) -> Iterator[Block]:
    """What a reader must not miss."""
    alike: dict[Fraction, list[str]] = {}
    for each in odds.values():
        if each.favours_patron and not odds.dealt:  # once cards are out, nobody may bet on what they show
            alike.setdefault(each.ev, []).append(each.wager.name.en)
    for ev, names in alike.items():
        favour = "favours" if len(names) == 1 else "favour"
        returns = f"{'it returns' if len(names) == 1 else 'they return'} {as_percent(1 + ev, 2)}"
        loses = f"the house loses {float(ev) * 100:.2f} of every 100 staked"
        yield Caution(f"{listed(names)} {favour} the patron: {returns}, so {loses}.")
    if odds.void:
        yield Caution(f"The cards run out before the round is finished in {as_percent(odds.void)} of the deals: void.")


# ------------------------------------------------ the lines of a wager


def _line_table(each: WagerOdds) -> Table:
    columns = (
        Column("when", ColumnKind.TEXT),
        Column("pays", ColumnKind.TEXT),
        Column("clause", ColumnKind.CLAUSE),
        Column("chance"),
        Column("one in"),
        Column("exactly", ColumnKind.EXACT, spare=True),
        Column("", ColumnKind.DRAWN),
    )
    most = max(one.probability for one in each.lines)
    rows = []
    for one in each.lines:
        tone = TONES[one.line.result]
        eighths = int(one.probability / most * BAR * 8) if most else 0
        cells: tuple[Cell, ...] = (
            one.line.says.en,
            Span(pays(one.line), tone),
            one.line.clause or "",
            as_percent(one.probability),
            f"{float(1 / one.probability):,.1f}" if one.probability else "never",
            _short(one.probability),
            Span("█" * (eighths // 8) + EIGHTHS[eighths % 8].strip(), tone),
        )
        rows.append(cells)
    return Table(columns, tuple(rows))


def _expectation(each: WagerOdds) -> Prose:
    return Prose(f"Expectation {_short(each.ev)} of the stake.")


def _short(exact: Fraction) -> str:
    text = str(exact)
    return text if len(text) <= DIGITS_MAX else f"{text[:18]}… ({len(text)} signs, see --json)"


# ------------------------------------------------ together, and one card less


def _cap(joint: Together) -> Iterator[Block]:
    if not joint.game.cap:
        return
    money = joint.game.currency or UNSTATED
    cap, cited = joint.game.cap, f" ({joint.game.cap.clauses[0]})" if joint.game.cap.clauses else ""
    says = f"The cap of {show_money(cap.amount, money)} a round{cited}"
    if not joint.cuts:
        yield Prose(f"{says} is never reached with these stakes.")
        return
    cost, share = float(joint.cut) / 10**money.decimals, as_percent(joint.cut_probability)
    yield Prose(f"{says} cuts {share} of the rounds and costs {cost:.6f} a round on average.")


def _effect(effect: Fraction, widest: Fraction) -> Span:
    strong = bool(widest) and abs(effect) * 2 >= widest
    tone = Tone.GOOD if effect > 0 else Tone.BAD if effect < 0 else Tone.QUIET
    return Span(f"{float(effect) * 100:+.4f} %" if effect else "0", tone, strong)
