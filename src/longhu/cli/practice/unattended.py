"""Many rounds without asking: the same wagers each time, a line a round."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from longhu.cli.practice.figures import show_summary
from longhu.cli.practice.page import Page
from longhu.cli.practice.round import Teller
from longhu.cli.practice.table import YOU, YourHand
from longhu.cli.terminal import unbroken
from longhu.eventsourcing import Refusal
from longhu.table.handling import RevealHand
from longhu.table.state import Phase


def play_many(page: Page, rounds: int, bets: Mapping[str, int], *, explain: bool) -> bool:
    """Play until the rounds are over or a wager is refused; whether all were played."""
    page.welcome()
    teller, complete = Teller(page), False
    with suppress(KeyboardInterrupt):
        complete = all(_play(teller, bets, explain=explain) for _ in range(rounds))
    _leave(teller)
    show_summary(page)
    return complete


@unbroken()
def _leave(teller: Teller) -> None:
    """A round in which betting is closed is dealt out first: wagers after the call stay at risk."""
    house = teller.page.house
    if house.table.round is not None and house.table.round.phase is not Phase.BETTING:
        _deal(teller, explain=False)
    house.leave()


def _play(teller: Teller, bets: Mapping[str, int], *, explain: bool) -> bool:
    """One round; False where the table takes a wager not, or nothing was wagered where something must be."""
    page, house = teller.page, teller.page.house
    if house.new_shoe():
        page.new_shoe()
    house.open_round()
    if explain:
        page.round_opens()
    for wager, amount in bets.items():
        decision = house.bet(wager, amount)
        if isinstance(decision, Refusal):
            page.refused(decision, page.game.wagers[wager].name.en)
            return False
    house.others_bet()
    return _deal(teller, explain=explain)


def _deal(teller: Teller, *, explain: bool) -> bool:
    """From the closing call to the payments; your cards are turned at once."""
    page, house = teller.page, teller.page.house
    number = house.table.rounds
    while (act := house.dealers_act()) is not None:
        if isinstance(act, Refusal):
            page.refused(act)
            return False
        if isinstance(act, YourHand):
            act = house.must(RevealHand(by=YOU, at=house.now(), hand=act.hand))
        for event in act:
            teller.keep(event)
            if explain:
                teller.tell(event)
    if not explain:
        teller.one_line(number)
    return True
