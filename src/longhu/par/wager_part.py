"""The part of a report that is about one wager: its paytable in exact counts, its spread, its bands."""

from __future__ import annotations

from fractions import Fraction

from longhu.deal.procedure import Clauses
from longhu.games.game import Game, Wager
from longhu.money import UNSTATED, show
from longhu.odds.figures import Z_95, LineOdds, WagerOdds
from longhu.odds.ways import Ways
from longhu.paytable import pays
from longhu.report.blocks import (
    Block,
    Caution,
    Cells,
    Column,
    ColumnKind,
    Facts,
    Figure,
    NamedFact,
    PlotRow,
    Section,
    Table,
    kind_of,
)
from longhu.report.notation import NONE, decimal, exact, minus, percent, signed, whole
from longhu.report.plots import EVEN, LOST, WON, Bar, bars, funnel
from longhu.texts import SIMPLIFIED
from longhu.wording import listed

ROUNDS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
FUNNEL_POWERS, FUNNEL_POINTS = (2, 7), 12  # from 10^2 to 10^7 rounds, so many points to each power of ten
MARGIN = Fraction(1, 100)
RETURNED_OF_VOID = Fraction(1)  # a void round gives the stake back


def wager_part(game: Game, each: WagerOdds, counted: Ways) -> Section:
    """All about one wager."""
    blocks: list[Block] = []
    if each.favours_patron:
        blocks.append(Caution(favour([each.wager.name.en], each.ev)))
    blocks += [_lines(each, counted), _facts(game, each), PlotRow((_pays(each), _funnel(each))), _bands(each)]
    return Section(each.wager.name.en, tuple(blocks), chinese=each.wager.name.into(SIMPLIFIED))


def favour(names: list[str], ev: Fraction) -> str:
    """Plain words for a wager that the house loses on.

    >>> favour(["Tie"], Fraction(1, 8))
    'Tie favours the patron: it returns 112.50\\xa0%, so the house loses 12.50 of every 100 staked.'
    """
    one = len(names) == 1
    verb, returns = ("favours", "it returns") if one else ("favour", "they return")
    loses = percent(ev, 2).removesuffix("\N{NO-BREAK SPACE}%")
    return (
        f"{listed(names)} {verb} the patron: {returns} {percent(1 + ev, 2)}, "
        f"so the house loses {loses} of every 100 staked."
    )


def cited(clauses: Clauses) -> str:
    return ", ".join(clauses) if clauses else NONE


def _lines(each: WagerOdds, counted: Ways) -> Table:
    """The paytable; its totals are all deals and the whole return."""
    rows = [_line(one) for one in each.lines]
    returned = [one.ways * (1 + one.line.net) for one in each.lines]
    ways = [one.ways for one in each.lines]
    if counted.void:
        rows.append(_row("The cards run out: void", NONE, "stake back", counted.void, RETURNED_OF_VOID, each.void))
        ways.append(counted.void)
        returned.append(counted.void * RETURNED_OF_VOID)
    all_ways, all_returned = sum(ways), sum(returned, Fraction(0))
    if all_ways != counted.deals or all_returned != each.rtp * counted.deals:
        raise AssertionError(f"the lines of {each.wager.id} do not sum to the deals and to the return")
    total = ("All deals", "", "", "", whole(all_ways), exact(all_returned), percent(Fraction(1)), percent(each.rtp))
    digits = kind_of(*(cell for row in (*rows, total) for cell in row[4:6]))
    columns = (
        Column("Line", ColumnKind.TEXT),
        Column("Clause", ColumnKind.CLAUSE),
        Column("Pays", ColumnKind.TEXT),
        Column("Returned per unit"),
        Column("Ways", digits),
        Column("Ways × returned", digits),
        Column("Probability"),
        Column("Part of return"),
    )
    return Table(columns, tuple(rows), total)


def _line(one: LineOdds) -> Cells:
    line = one.line
    return _row(line.says.en, cited(line.clauses), pays(line), one.ways, 1 + line.net, one.probability)


def _row(says: str, clause: str, paid: str, ways: int, returned: Fraction, chance: Fraction) -> Cells:
    return (
        says,
        clause,
        paid,
        exact(returned),
        whole(ways),
        exact(ways * returned),
        percent(chance),
        percent(chance * returned),
    )


def _facts(game: Game, each: WagerOdds) -> Facts:
    facts = [
        NamedFact("Expectation of one unit, exact", str(each.ev), ColumnKind.EXACT),
        NamedFact("Return of one unit, exact", str(each.rtp), ColumnKind.EXACT),
        NamedFact("House edge", percent(each.house_edge)),
        NamedFact("Hit frequency", percent(each.hit_frequency) + _one_in(each.hit_frequency)),
    ]
    if each.element_of_risk is not None:
        facts.append(
            NamedFact("Element of risk", f"{percent(each.element_of_risk)} of what is neither pushed nor void")
        )
    facts += [
        NamedFact(
            "Variance", f"{decimal(float(each.variance), 6)} (standard deviation {decimal(each.standard_deviation, 6)})"
        ),
        NamedFact(f"Rounds for ±{percent(MARGIN, 0)}", f"{whole(each.rounds_within(MARGIN))}, 95 times in 100"),
        *_terms(game, each.wager),
    ]
    return Facts(tuple(facts))


def _one_in(chance: Fraction) -> str:
    return f", once in {decimal(float(1 / chance), 2)} rounds" if chance else ""


def _terms(game: Game, wager: Wager) -> list[NamedFact]:
    """On which terms it may be placed, as far as the document says."""
    money, limit = game.currency or UNSTATED, wager.limit
    facts: list[NamedFact] = []
    if wager.clauses:
        facts.append(NamedFact("Offered by", cited(wager.clauses), ColumnKind.CLAUSE))
    if wager.requires:
        facts.append(NamedFact("Stands only beside", listed([game.wagers[id].name.en for id in wager.requires], "or")))
    if wager.excludes:
        facts.append(NamedFact("Not together with", listed([game.wagers[id].name.en for id in wager.excludes], "or")))
    for word, bound in (("Least stake", limit.min), ("Largest stake", limit.max)):
        if bound is not None:
            source = f" ({cited(limit.clauses)})" if limit.clauses else ""
            facts.append(NamedFact(word, f"{show(bound, money)} {money.code}".rstrip() + source))
    return facts


def _pays(each: WagerOdds) -> Figure:
    """How a round ends for the wager, from the best result to the worst."""
    found = [
        Bar(signed(net), float(chance), percent(chance, 4), WON if net > 0 else LOST if net < 0 else EVEN)
        for net, chance in sorted(each.nets.items(), reverse=True)
    ]
    says = "Net result of one unit staked, and how often it comes: " + ", ".join(
        f"{bar.label} in {bar.shown}" for bar in found
    )
    return Figure(bars(found, says), "Net result of one unit staked, and how often it comes.")


def _clipped(each: WagerOdds, rounds: int) -> tuple[float, float]:
    """The band, as far as it can be reached at all: nothing returns less than its worst line or more than its best."""
    low, high = each.band(rounds)
    nets = list(each.nets) or [Fraction(0)]
    return max(low, float(1 + nets[0])), min(high, float(1 + nets[-1]))


def _funnel(each: WagerOdds) -> Figure:
    first, last = FUNNEL_POWERS
    exponents = (first + step / FUNNEL_POINTS for step in range((last - first) * FUNNEL_POINTS + 1))
    rounds = [round(10**exponent) for exponent in exponents]
    band: list[tuple[int, float, float]] = []
    for some in rounds:
        low, high = _clipped(each, some)
        band.append((some, low * 100, high * 100))
    says = "Return after so many rounds: 95 times in 100 it lies in the band. Dashed: 100\N{NO-BREAK SPACE}%."
    return Figure(funnel(band, float(each.rtp) * 100, says), says)


def _bands(each: WagerOdds) -> Table:
    bands = [_clipped(each, rounds) for rounds in ROUNDS]
    columns = (Column("Rounds", ColumnKind.TEXT), *(Column(whole(rounds)) for rounds in ROUNDS))
    rows = (
        ("Return at least", *(_share(low) for low, _ in bands)),
        ("Return at most", *(_share(high) for _, high in bands)),
        ("Exact return ±", *(_share(Z_95 * each.standard_deviation / rounds**0.5) for rounds in ROUNDS)),
    )
    return Table(columns, rows, title="Band in which the actual return lies, 95 times in 100")


def _share(share: float) -> str:
    return minus(f"{share * 100:.4f}") + "\N{NO-BREAK SPACE}%"
