"""Explanations and accounts at the table: what a wager pays, what it really returns, what a visit came to."""

from __future__ import annotations

from longhu.cards import Shoe
from longhu.cli.practice.page import RESULTS, Page, sign_tone
from longhu.games.game import Wager
from longhu.odds.figures import GameOdds, WagerOdds, game_odds
from longhu.paytable import pays
from longhu.report.blocks import Column, ColumnKind, Span, Table, Tone
from longhu.report.notation import as_percent


def full_odds(page: Page) -> GameOdds:
    """The exact odds of a full shoe, for the wagers of the layout; counted once a visit."""
    if page.full_odds is None:
        wagers = {wager.id: wager for wager in page.offered()}
        page.full_odds = game_odds(page.game, Shoe.of_decks(page.house.settings.decks), (), wagers)
    return page.full_odds


def show_lines(page: Page, wager: Wager) -> None:
    """What a wager pays, line by line: the first that holds decides."""
    page.say(f"{wager.name}: the first line that holds decides.", strong=True)
    columns = tuple(Column(name, ColumnKind.TEXT) for name in ("when", "pays", "clauses"))
    rows = tuple(
        (line.says.en, Span(pays(line), RESULTS.get(line.result.value, Tone.BAD)), ", ".join(line.clauses))
        for line in wager.lines
    )
    page.out.show(Table(columns, rows))
    if wager.clauses:
        page.say(
            f"The wager itself: {', '.join(wager.clauses)}. `rules {wager.clauses[0]}` shows a clause.", Tone.QUIET
        )


def show_odds(page: Page) -> None:
    """What each wager really returns, from a full shoe and from the cards that are left in this one."""

    full, shoe = full_odds(page), page.house.table.shoe
    now = full
    if shoe is not None and shoe.drawn:
        now = game_odds(page.game, Shoe(shoe.counts), (), {each.wager.id: each.wager for each in full.values()})
    columns = (Column("wager", ColumnKind.TEXT), *map(Column, ("house edge", "this shoe", "return", "wins")))
    rows = tuple(
        (
            Span(each.wager.name.en, strong=True),
            _edge(each),
            _edge(now[id]),
            as_percent(each.rtp),
            as_percent(each.hit_frequency, 2),
        )
        for id, each in full.items()
    )
    page.out.show(Table(columns, rows))
    left = f"; this shoe: the {shoe.left} cards left in it" if shoe else ""
    page.say(f"Exact, from {full.decks} full decks{left}. A negative edge favours you.", Tone.QUIET)


def _edge(each: WagerOdds) -> Span:
    favours = each.favours_patron
    return Span(as_percent(each.house_edge), Tone.EVEN if favours else Tone.PLAIN, strong=favours)


def show_summary(page: Page) -> None:
    """Rounds, stakes, net, and the actual return beside the exact one."""
    account = page.account
    page.say()
    page.say("── Your visit ".ljust(min(page.out.width, 80), "─"), strong=True)
    rounds = f"{account.rounds} round{'s' * (account.rounds != 1)}"
    if not account.staked:
        page.say(f"{rounds} dealt, none with a wager of yours. You leave with {page.amount(account.bought)}.")
        return
    odds = full_odds(page)
    page.out.show(_by_wager(page, odds))
    wagered = "" if account.rounds_wagered == account.rounds else f", {account.rounds_wagered} with wagers"
    leave = page.amount(account.bought + account.net)
    page.line(
        Span(f"{rounds}{wagered}: staked {page.amount(account.staked)}, net "),
        Span(page.signed(account.net), sign_tone(account.net), strong=True),
        Span(f". You leave with {leave} of {page.amount(account.bought)}."),
    )
    expected, unit = account.expected(odds), 10**page.money.decimals
    exact = 1 + expected.net / account.staked
    actual = 1 + account.net / account.staked
    page.say(
        f"Actual return {actual * 100:.2f} %, exact return {float(exact) * 100:.2f} %: "
        f"{float(expected.net) / unit:+.2f} was to be expected, "
        f"within {expected.margin / unit:.2f} of it 95 times in 100."
    )


def _by_wager(page: Page, odds: GameOdds) -> Table:
    columns = (Column("wager", ColumnKind.TEXT), *map(Column, ("rounds", "staked", "net", "actual", "exact")))
    rows = tuple(
        (
            Span(page.game.wagers[id].name.en, strong=True),
            str(tally.rounds),
            page.amount(tally.staked),
            Span(page.signed(tally.net), sign_tone(tally.net)),
            as_percent(1 + tally.net / tally.staked, 2),
            as_percent(odds[id].rtp, 2),
        )
        for id, tally in page.account.wagers.items()
    )
    return Table(columns, rows)
