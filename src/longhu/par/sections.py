"""The whole report of a game, section by section, in the words that people read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction

from longhu.cards import RANKS, SUITS, Shoe
from longhu.clauses import DOCUMENTS
from longhu.games.game import Game
from longhu.odds.figures import Z_95
from longhu.par import comparisons
from longhu.par.sheet import Sheet
from longhu.par.wager_part import favour, wager_part
from longhu.report.blocks import (
    Block,
    Caution,
    Column,
    ColumnKind,
    Facts,
    NamedFact,
    Prose,
    Report,
    Section,
    ShellCommand,
    Table,
)
from longhu.report.notation import NONE, decimal, percent, whole
from longhu.texts import SIMPLIFIED
from longhu.wording import listed


@dataclass(frozen=True, slots=True)
class Issue:
    """When and with what a report is made; the caller has the clock."""

    date: date
    version: str  # of Longhu
    odds_command: str  # gives the same figures to programs
    par_command: str  # gives the same report


def report(sheet: Sheet, issue: Issue) -> Report:
    """The report: what it says depends on the game, the shoe and the issue alone."""
    game = sheet.game
    found = [
        _summary(sheet),
        _wagers(sheet),
        comparisons.by_decks(sheet),
        comparisons.together(sheet),
        comparisons.cap(sheet),
        comparisons.claims(sheet),
        comparisons.readings(sheet),
        _method(sheet, issue),
    ]
    return Report(
        title=game.name.en,
        chinese=game.name.into(SIMPLIFIED),
        subtitle="Probability accounting report (PAR sheet)",
        date=issue.date.isoformat(),
        reference=f"{game.id} {game.version}, {_shoe(sheet)}, digest {game.digest[:16]}…",
        facts=_title_block(sheet, issue),
        notes=tuple(_notes(sheet)),
        sections=tuple(each for each in found if each is not None),
    )


def day(when: date | datetime) -> str:
    """`17 July 2013`, with the time of day where the document gives one."""
    shown = f"{when.day} {when:%B %Y}"
    if not isinstance(when, datetime):
        return shown
    zone = f" (UTC{when.isoformat()[-6:]})" if when.tzinfo else ""
    return f"{shown}, {when:%H:%M}{zone}"


def _shoe(sheet: Sheet) -> str:
    decks, size = sheet.odds.decks, sheet.odds.shoe.size
    cards = f"{size} card{'' if size == 1 else 's'}"
    return f"{decks} deck{'' if decks == 1 else 's'}, {cards}" if decks else f"a shoe of {cards}"


def _title_block(sheet: Sheet, issue: Issue) -> Facts:
    game = sheet.game
    document = f"{game.document}: {DOCUMENTS[game.document]}" if game.document in DOCUMENTS else game.document
    offers = f"layout {sheet.layout} offers" if sheet.layout else "the layouts offer"
    some, every = len(sheet.odds), len(game.offered(sheet.layout))
    return Facts(
        (
            NamedFact("Game", f"{game.name.en} ({game.id})"),
            NamedFact("Version", game.version),
            NamedFact("In effect from", day(game.effective) if game.effective else "not stated"),
            NamedFact("Authority", game.authority or "not stated"),
            NamedFact("Document", document or "not stated"),
            NamedFact("Digest of the rules", game.digest, ColumnKind.EXACT),
            NamedFact("Shoe", _shoe(sheet)[0].upper() + _shoe(sheet)[1:]),
            NamedFact("Deal", _deal(game)),
            NamedFact("Wagers", f"{some}, all that {offers}" if some == every else f"{some} of {every} that {offers}"),
            NamedFact("Deals counted", whole(sheet.odds.ways.deals), ColumnKind.EXACT),
            NamedFact("Date of report", day(issue.date)),
            NamedFact("Made with", f"Longhu {issue.version}"),
        )
    )


def _deal(game: Game) -> str:
    """The procedure, as far as it bears on the count."""
    procedure = game.procedure
    hands = listed([hand.en for hand in procedure.hands])
    shuffled = "for every round" if game.reshuffled else "for every shoe"
    return (
        f"{procedure.name}: {hands}; {procedure.initial_cards} cards dealt in turn, at most {procedure.cards_max} "
        f"in a round; shuffled {shuffled}"
    )


def _notes(sheet: Sheet) -> list[Block]:
    """What the reader must know before any figure."""
    notes: list[Block] = []
    for reading in sheet.game.readings.values():
        if reading.chosen != reading.default:
            says = reading.options[reading.chosen].says.en
            notes.append(Caution(f"Under the reading {reading.id}={reading.chosen}: {says}."))
    if sheet.odds.decks is None:
        notes.append(_composition(sheet.odds.shoe))
    return notes


def _composition(shoe: Shoe) -> Table:
    columns = (Column("Cards in the shoe", ColumnKind.TEXT), *(Column(rank) for rank in RANKS), Column("All"))
    counts = {suit: shoe.counts[place * 13 : place * 13 + 13] for place, suit in enumerate(SUITS)}
    rows = tuple(
        (suit.word.capitalize(), *(str(each) for each in some), str(sum(some))) for suit, some in counts.items()
    )
    return Table(columns, rows, ("All", *(str(each) for each in shoe.by_rank()), str(shoe.size)))


def _summary(sheet: Sheet) -> Section:
    risk = any(each.element_of_risk is not None for each in sheet.odds.values())
    columns = (
        Column("No."),
        Column("Wager", ColumnKind.TEXT),
        Column("House edge"),
        Column("Return"),
        Column("Hit frequency"),
        *([Column("Element of risk")] if risk else []),
        Column("Standard deviation"),
        Column(f"Volatility index ({Z_95:.2f}\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}sd)"),
    )
    rows = tuple(
        (
            str(place),
            each.wager.name.en,
            percent(each.house_edge, 4),
            percent(each.rtp, 4),
            percent(each.hit_frequency, 4),
            *([percent(each.element_of_risk, 4) if each.element_of_risk is not None else NONE] if risk else []),
            decimal(each.standard_deviation),
            decimal(Z_95 * each.standard_deviation),
        )
        for place, each in enumerate(sheet.odds.values(), 1)
    )
    marked = tuple(place for place, each in enumerate(sheet.odds.values()) if each.favours_patron)
    legend = (
        "All figures are for one unit staked. The house edge is what the house keeps of it on average; the return, "
        "what comes back. The hit frequency is the chance to win anything."
    )
    if risk:
        legend += " The element of risk is the edge for each unit that is neither pushed nor void."
    legend += (
        f" The volatility index divided by the square root of the number of rounds is how far the actual return "
        f"strays from the exact one, 95 times in 100: {Z_95:.2f} standard deviations of a normal distribution."
    )
    return Section("Summary", (*_warnings(sheet), Table(columns, rows, marked=marked), Prose(legend)))


def _warnings(sheet: Sheet) -> list[Caution]:
    alike: dict[Fraction, list[str]] = {}
    for each in sheet.odds.values():
        if each.favours_patron:
            alike.setdefault(each.ev, []).append(each.wager.name.en)
    return [Caution(favour(names, ev)) for ev, names in alike.items()]


def _wagers(sheet: Sheet) -> Section:
    says = (
        "A wager is decided by the first of its lines that holds. Ways are ordered deals. Ways times what a unit "
        "returns, over all lines, divided by the number of deals, is the return."
    )
    parts = tuple(wager_part(sheet.game, each, sheet.odds.ways) for each in sheet.odds.values())
    return Section("Wagers", (Prose(says),), parts)


def _method(sheet: Sheet, issue: Issue) -> Section:
    game, counted = sheet.game, sheet.odds.ways
    most = min(game.procedure.cards_max, sheet.odds.shoe.size)
    void = (
        f"The cards run out before the round is finished in {whole(counted.void)} deals "
        f"({percent(sheet.odds.void)}); such a round is void and gives the stake back."
        if counted.void
        else "From this shoe the cards always suffice: no round is void."
    )
    counting = (
        "No figure rests on simulation or on rounded arithmetic. A deal is an ordered draw of "
        f"{most} cards from {sheet.odds.shoe.size}, and every deal is equally likely. A round that needs fewer cards "
        "is counted once for every order in which the cards behind it could lie, so one number of deals is the "
        "denominator of every probability:"
    )
    exactness = (
        f"{void} Ways, expectations and returns are exact integers and fractions and are rounded only where they are "
        "shown; standard deviations are square roots and are rounded as printed. The bands take the sum of many "
        "rounds to be normally distributed and the rounds to be independent; they are cut off at the worst and best "
        "results that a wager has, and are rough where few rounds meet a rare line."
    )
    reproduce = (
        "The same figures for programs, with all fractions, come from the first command; the second writes this "
        "report again, with the same version of Longhu to the last byte. The digest identifies the rules that were "
        "counted: whoever gets another digest has other rules."
    )
    return Section(
        "Method",
        (
            Prose(counting),
            Facts(
                (
                    NamedFact("Deals", whole(counted.deals), ColumnKind.EXACT),
                    NamedFact("Void deals", whole(counted.void), ColumnKind.EXACT),
                )
            ),
            Prose(exactness),
            Prose(reproduce),
            ShellCommand(issue.odds_command),
            ShellCommand(issue.par_command),
            Facts((NamedFact("Digest", game.digest, ColumnKind.EXACT),)),
        ),
    )
