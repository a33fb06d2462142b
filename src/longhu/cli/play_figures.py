"""Explanations and accounts at the table: what a wager pays, what it really returns, what a visit came to."""

from __future__ import annotations

from typing import Any

from longhu.cards import Shoe
from longhu.cli.play_page import RESULTS, Page, sign_style
from longhu.games.game import Wager
from longhu.odds.exports import percent
from longhu.odds.figures import GameOdds, game_odds
from longhu.paytable import pays


def full_odds(page: Page) -> GameOdds:
    """The exact odds of a full shoe, for the wagers of the layout; counted once a visit."""
    if page.full_odds is None:
        wagers = {wager.id: wager for wager in page.offered()}
        page.full_odds = game_odds(page.game, Shoe.of_decks(page.house.settings.decks), (), wagers)
    return page.full_odds


def show_lines(page: Page, wager: Wager) -> None:
    """What a wager pays, line by line: the first that holds decides."""
    page.say(f"{wager.name}: the first line that holds decides.", "bold")
    shown = page.out.table("when", "pays", "clauses")
    for line in wager.lines:
        shown.add_row(
            line.says.en,
            page.out.cell(pays(line), RESULTS.get(line.result.value, "red")),
            ", ".join(line.clauses),
        )
    page.out.print(shown)
    if wager.clauses:
        page.say(f"The wager itself: {', '.join(wager.clauses)}. `rules {wager.clauses[0]}` shows a clause.", "dim")


def show_odds(page: Page) -> None:
    """What each wager really returns, from a full shoe and from the cards that are left in this one."""

    full, shoe = full_odds(page), page.house.table.shoe
    now = full
    if shoe is not None and shoe.drawn:
        now = game_odds(page.game, Shoe(shoe.counts), (), {each.wager.id: each.wager for each in full.values()})
    shown = page.out.table("wager", "house edge>", "this shoe>", "return>", "wins>")
    for id, each in full.items():
        style = "bold yellow" if now[id].favours_patron else ""
        shown.add_row(
            page.out.cell(each.wager.name.en, "bold"),
            page.out.cell(percent(each.house_edge), "bold yellow" if each.favours_patron else ""),
            page.out.cell(percent(now[id].house_edge), style),
            percent(each.rtp),
            percent(each.hit_frequency, 2),
        )
    page.out.print(shown)
    left = f"; this shoe: the {shoe.left} cards left in it" if shoe else ""
    page.say(f"Exact, from {full.decks} full decks{left}. A negative edge favours you.", "dim")


def show_summary(page: Page) -> None:
    """Rounds, stakes, net, and the actual return beside the exact one."""
    account = page.account
    page.say()
    page.say("── Your visit ".ljust(min(page.out.console.width, 80), "─"), "bold")
    rounds = f"{account.rounds} round{'s' * (account.rounds != 1)}"
    if not account.staked:
        page.say(f"{rounds} dealt, none with a wager of yours. You leave with {page.amount(account.bought)}.")
        return
    odds = full_odds(page)
    page.out.print(_by_wager(page, odds))
    wagered = "" if account.rounds_wagered == account.rounds else f", {account.rounds_wagered} with wagers"
    leave = page.amount(account.bought + account.net)
    text = page.out.cell(f"{rounds}{wagered}: staked {page.amount(account.staked)}, net ")
    text.append(page.signed(account.net), f"bold {sign_style(account.net)}")
    page.out.print(text.append(f". You leave with {leave} of {page.amount(account.bought)}."))
    expected, unit = account.expected(odds), 10**page.money.decimals
    exact = 1 + expected.net / account.staked
    actual = 1 + account.net / account.staked
    page.say(
        f"Actual return {actual * 100:.2f} %, exact return {float(exact) * 100:.2f} %: "
        f"{float(expected.net) / unit:+.2f} was to be expected, "
        f"within {expected.margin / unit:.2f} of it 95 times in 100."
    )


def _by_wager(page: Page, odds: GameOdds) -> Any:
    shown = page.out.table("wager", "rounds>", "staked>", "net>", "actual>", "exact>")
    for id, tally in page.account.wagers.items():
        shown.add_row(
            page.out.cell(page.game.wagers[id].name.en, "bold"),
            str(tally.rounds),
            page.amount(tally.staked),
            page.out.cell(page.signed(tally.net), sign_style(tally.net)),
            f"{(1 + tally.net / tally.staked) * 100:.2f} %",
            f"{float(odds[id].rtp) * 100:.2f} %",
        )
    return shown
