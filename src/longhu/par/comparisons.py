"""The sections that hold a game's figures against something: decks, each other, a cap, claims, readings."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt

from longhu.games.game import Reading
from longhu.money import UNSTATED, show
from longhu.odds.alternatives import Alternative, changed
from longhu.odds.claims import Reckoning
from longhu.par.sheet import Sheet
from longhu.par.wager_part import cited
from longhu.paytable import decks as decks_allowed
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
    Prose,
    Section,
    Table,
    kind_of,
)
from longhu.report.notation import NONE, decimal, percent, rounded_percent
from longhu.report.plots import panel
from longhu.wording import listed

COLUMNS_MAX = 12  # beyond, a table is continued in another


def _chunks(values: Sequence[str]) -> list[Sequence[str]]:
    return [values[start : start + COLUMNS_MAX] for start in range(0, len(values), COLUMNS_MAX)]


def by_decks(sheet: Sheet) -> Section:
    """The return for every number of decks that the document allows."""
    game, decks = sheet.game, list(sheet.by_decks)
    source = f" ({cited(game.decks.clauses)})" if game.decks.clauses else ""
    says = f"{game.name.en} is played with {decks_allowed(game)} decks{source}; every figure is for full decks."
    groups = list(sheet.alike())
    names = [listed([each.wager.name.en for each in wagers]) for wagers, _ in groups]
    blocks: list[Block] = [Prose(says)]
    for some in _chunks([str(each) for each in decks]):
        columns = (Column("Return with decks", ColumnKind.TEXT), *(Column(each) for each in some))
        rows = tuple(
            (name, *(percent(returns[int(each)]) for each in some))
            for name, (_, returns) in zip(names, groups, strict=True)
        )
        blocks.append(Table(columns, rows))
    if len(decks) > 1:
        figures = tuple(
            Figure(
                panel(
                    [(each, float(share) * 100) for each, share in returns.items()],
                    sheet.odds.decks,
                    f"{name}: return by number of decks",
                ),
                name,
            )
            for name, (_, returns) in zip(names, groups, strict=True)
        )
        blocks.append(PlotRow(figures, abreast=3))
    exactly = tuple(
        (name if place == 0 else "", str(each), str(share))
        for name, (_, returns) in zip(names, groups, strict=True)
        for place, (each, share) in enumerate(returns.items())
    )
    columns = (
        Column("Wager", ColumnKind.TEXT),
        Column("Decks"),
        Column("Return of one unit, exact", kind_of(*(row[2] for row in exactly))),
    )
    blocks.append(Table(columns, exactly))
    return Section("Return by number of decks", tuple(blocks))


def together(sheet: Sheet) -> Section:
    """How the results of the wagers go together in one round."""
    ids, names = list(sheet.odds), [each.wager.name.en for each in sheet.odds.values()]
    numbers = {id: str(place) for place, id in enumerate(ids, 1)}
    blocks: list[Block] = [
        Prose(
            "For one unit on each wager in the same round. The variance of several stakes is the sum, over every "
            "wager with itself and with every other, of stake times stake times covariance. "
            "Wagers are numbered as in the summary."
        )
    ]
    for title, cell in (("Correlation", _correlation), ("Covariance; on the diagonal the variance", _covariance)):
        for some in _chunks(ids):
            columns = (Column("Wager", ColumnKind.TEXT), *(Column(numbers[id]) for id in some))
            rows = tuple(
                (f"{numbers[one]}  {name}", *(cell(sheet, one, other) for other in some))
                for one, name in zip(ids, names, strict=True)
            )
            blocks.append(Table(columns, rows, title=title))
    return Section("Wagers together in one round", tuple(blocks))


def _covariance(sheet: Sheet, one: str, other: str) -> str:
    return _figure(sheet.covariances[one, other])


def _correlation(sheet: Sheet, one: str, other: str) -> str:
    found = sheet.covariances
    spread = sqrt(found[one, one] * found[other, other])
    if one == other:
        return "1"
    return _figure(Fraction(float(found[one, other]) / spread)) if spread else NONE


def _figure(value: Fraction) -> str:
    """Nothing at all is told apart from what only rounds to nothing."""
    return decimal(float(value), 4) if value else "0"


def cap(sheet: Sheet) -> Section | None:
    """What the limit on one round takes off the largest stakes; None where there is no such limit."""
    game, joint = sheet.game, sheet.capped
    if game.cap is None:
        return None
    money = game.currency or UNSTATED
    counts = "the stakes that come back count" if game.cap.basis == "credit" else "only what is won counts"
    source = f" ({cited(game.cap.clauses)})" if game.cap.clauses else ""
    amount = f"{show(game.cap.amount, money)} {money.code}".rstrip()
    says = f"One round credits a patron with at most {amount}{source}; {counts}."
    if joint is None:
        unlimited = f"{says} The document sets no largest stake, so how often that cuts depends on what is staked."
        return Section("Cap on a round", (Prose(unlimited),))
    unit = 10**money.decimals
    best = max(joint.nets)
    reached = (
        f"The cap cuts {percent(joint.cut_probability)} of the rounds and takes {decimal(float(joint.cut) / unit, 6)} "
        "from the patron on average."
        if joint.cuts
        else "With these stakes the cap never takes anything off, so the returns above hold in full."
    )
    stakes = [f"{show(stake, money)} on {game.wagers[id].name.en}" for id, stake in joint.stakes.items()]
    facts = (
        NamedFact("Largest stakes", listed(stakes)),
        NamedFact("Staked in all", show(joint.staked, money)),
        NamedFact(
            "Best result of a round", f"{show(best, money)} net, {show(joint.staked + best, money)} with the stakes"
        ),
        NamedFact("Return of all together", percent(joint.rtp)),
        NamedFact("Expected net, exact, in the smallest unit", str(joint.expected), ColumnKind.EXACT),
        NamedFact("Standard deviation of a round", decimal(joint.standard_deviation / unit, 4)),
        NamedFact("Rounds that the cap cuts", percent(joint.cut_probability)),
        NamedFact("Taken off on average, exact, in the smallest unit", str(joint.cut), ColumnKind.EXACT),
    )
    return Section("Cap on a round", (Prose(f"{says} {reached}"), Facts(facts)))


def claims(sheet: Sheet) -> Section:
    """Published returns against the exact ones."""
    title = "Published returns"
    if not sheet.game.claims:
        return Section(title, (Prose("The document publishes no returns, so there are none to compare."),))
    blocks: list[Block] = []
    for each in sheet.reckonings:
        right = sum(one.agrees for one in each.checked)
        where = f"Under {each.under} ({each.says})" if each.under else "Under the readings in force"
        verdict = f"{where}, {right} of {len(each.checked)} published returns agree with the exact ones."
        blocks.append(Caution(verdict) if not each.under and not each.agrees else Prose(verdict))
        blocks.append(_checked(sheet, each))
    blocks.append(
        Prose("A published return agrees when the exact one, rounded to as many decimals, is the same, for full decks.")
    )
    return Section(title, tuple(blocks))


def _checked(sheet: Sheet, found: Reckoning) -> Table:
    columns = (
        Column("Wager", ColumnKind.TEXT),
        Column("Decks"),
        Column("Published"),
        Column("Exact, rounded alike"),
        Column("Exact"),
        Column("Verdict", ColumnKind.TEXT),
        Column("Clause", ColumnKind.CLAUSE),
    )
    rows: list[Cells] = [
        (
            sheet.game.wagers[one.claim.wager].name.en,
            str(one.claim.decks),
            f"{rounded_percent(one.claim.rtp, one.claim.decimals)} %",
            f"{one.rounded} %" if one.rtp is not None else "not offered",
            percent(one.rtp) if one.rtp is not None else NONE,
            "agrees" if one.agrees else "differs",
            cited(one.claim.clauses),
        )
        for one in found.checked
    ]
    marked = tuple(place for place, one in enumerate(found.checked) if not one.agrees)
    return Table(columns, tuple(rows), marked=marked)


def readings(sheet: Sheet) -> Section:
    """Every doubtful clause: what is asked, what is taken and why, and what the other options would do."""
    if not sheet.readings:
        return Section("Readings taken", (Prose("No clause of the document is doubtful."),))
    says = (
        "Where the document is doubtful, one reading is taken. A table follows where another reading alters a house "
        "edge; it is computed for the shoe of this report."
    )
    return Section(
        "Readings taken", (Prose(says),), tuple(_reading(sheet, reading, found) for reading, found in sheet.readings)
    )


def _reading(sheet: Sheet, reading: Reading, found: list[Alternative]) -> Section:
    taken = reading.takes.en
    if reading.chosen != reading.default:
        taken = f"{reading.options[reading.chosen].says.en}. Chosen for this report; the file takes {reading.default}."
    facts = [
        NamedFact("Asked", reading.asks.en),
        NamedFact("Taken", taken),
        NamedFact("Because", reading.because.en),
        NamedFact("Clauses", cited(reading.clauses), ColumnKind.CLAUSE),
    ]
    ids = changed(found)
    if reading.options:
        options = "; ".join(
            f"{option.id}{' (taken)' if option.id == reading.chosen else ''}: {option.says.en}"
            for option in reading.options.values()
        )
        facts.append(NamedFact("Options", f"{options}." + ("" if ids else " No house edge depends on it.")))
    blocks: list[Block] = [Facts(tuple(facts))]
    if ids:
        columns = (
            Column("House edge", ColumnKind.TEXT),
            *(Column(f"{each.option.id}{' (taken)' if each.chosen else ''}") for each in found),
        )
        rows = tuple((sheet.game.wagers[id].name.en, *(_edge(each.evs.get(id)) for each in found)) for id in ids)
        blocks.append(Table(columns, rows))
    return Section(f"{reading.id}, {reading.question}" if reading.question else reading.id, tuple(blocks))


def _edge(ev: Fraction | None) -> str:
    return "not offered" if ev is None else percent(-ev)
