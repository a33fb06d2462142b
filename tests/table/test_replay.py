"""What the events of a round leave behind: cards, wagers, settled wagers, and the money that they move."""

from __future__ import annotations

from functools import reduce

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longhu.cards import NUMBER_OF_TEXT
from longhu.deal.one_card import ONLY_CARD
from longhu.eventsourcing import Event
from longhu.games import registry
from longhu.games.loader import load
from longhu.games.source import read_text
from longhu.ledger import LedgerError, Posting, Transaction, posted, unlimited
from longhu.messages.message import Message
from longhu.money import Money
from longhu.table.betting import WagerPlaced
from longhu.table.dealing import CardDrawn, ResultAnnounced
from longhu.table.engine import evolve, replay
from longhu.table.messages import TABLE
from longhu.table.settling import RoundEnded, WagerSettled
from longhu.table.state import Card, Outcome, Paid, Phase, Stake, Table, replace
from tests.table.rounds import Play

IDT = "immortal-dragon-tiger"


def applied(table: Table, events: list[Event]) -> Table:
    """One after the other, without the money."""
    return reduce(lambda table, event: TABLE.evolvers[type(event)](table, event), events, table)


def stake_of(patron: str, wager: str = "player", **more: bool) -> Stake:
    return Stake(patron, 1, wager, 300, 0, patron, **more)


# ------------------------------------------------ cards


def drawn(face: str, hand: str, at: int, *, from_reserve: bool = False) -> CardDrawn:
    laid = Card(face, hand, public=False)
    return CardDrawn(card=laid, shoe_number=1, why=ONLY_CARD(hand="dragon"), from_reserve=from_reserve, at=at)


def beside_the_shoe(*reserve: str) -> Table:
    """A round of a physical shoe without cards so far, and these beside the shoe; "" has not been told."""
    play = Play(IDT, method="A", device="hand-shoe")
    play.open_betting()
    play.bet("ann", "player", "50.00")
    play.close_betting()
    assert play.table.shoe is not None
    untold = reserve.count("")
    shoe = replace(play.table.shoe, unknown=play.table.shoe.unknown + untold)
    return replace(play.table, round=replace(play.current, reserve=reserve), shoe=shoe)


def test_cards_come_from_beside_the_shoe_and_from_the_shoe() -> None:
    table = beside_the_shoe("9D", "", "", "KS")
    row: list[Event] = [
        drawn("9D", "player", 1000, from_reserve=True),  # told when it left the shoe
        drawn("3C", "banker", 2000, from_reserve=True),  # told now
        drawn("", "player", 3000, from_reserve=True),  # nobody has seen it yet
        drawn("7H", "banker", 4000),
        drawn("", "player", 5000),
    ]
    after = applied(table, row)
    assert table.shoe is not None
    assert after.shoe is not None
    assert after.round is not None
    assert after.shoe.drawn == table.shoe.drawn + 2
    assert after.shoe.unknown == table.shoe.unknown  # one has been told, one has left the shoe untold
    counts = zip(table.shoe.counts, after.shoe.counts, strict=True)
    fewer = {number: before - left for number, (before, left) in enumerate(counts) if before != left}
    assert fewer == {NUMBER_OF_TEXT["3C"]: 1, NUMBER_OF_TEXT["7H"]: 1}
    assert [each.card for each in after.round.cards] == ["9D", "3C", "", "7H", ""]
    assert (after.round.reserve, after.round.phase) == (("KS",), Phase.DEALING)
    assert (after.round.first_card_at, after.round.last_card_at) == (1000, 5000)


# ------------------------------------------------ outcomes

TIE = '{ says = "Both ranks alike", when = "tie", pays = "11:1", '


@pytest.mark.clause("LOG-2")
def test_records_do_not_depend_on_how_outcomes_are_numbered() -> None:
    """A game that looks at suits numbers its outcomes otherwise; a round is recorded in the same words."""
    text = registry.find("dragon-tiger").read_text(encoding="utf-8")
    plain = load(read_text(text, "plain.toml"))
    suited = load(
        read_text(
            text.replace(TIE, TIE.replace("tie", "tie and suited") + 'clause = "DT-4.1c" },\n  ' + TIE), "suited.toml"
        )
    )
    numbers, records = [], []
    for game in (plain, suited):
        play = Play(game, cards="KH 9S 4D 4C")
        for _ in range(2):
            play.open_betting()
            play.bet("ann", "dragon", "50.00")
            play.finish()
        numbers.append(game.outcomes.size)
        records.append([each for each in play.log if isinstance(each, ResultAnnounced | RoundEnded)])
    assert numbers[0] != numbers[1]
    assert records[0] == records[1]
    assert [each.outcome for each in records[0] if isinstance(each, RoundEnded)] == [Outcome("dragon"), Outcome("tie")]


# ------------------------------------------------ wagers


def test_a_wager_replaces_the_stake_and_its_patron_is_no_longer_ready() -> None:
    play = Play("dragon-bonus-online")
    play.open_betting()
    table = replace(play.table, round=replace(play.current, ready=("bob", "ann", "cay")))
    stakes = [stake_of("ann"), stake_of("bob", "banker"), replace(stake_of("ann"), amount=700)]
    row: list[Event] = [WagerPlaced(stake=stake, added=stake.amount, at=at) for at, stake in enumerate(stakes, 5)]
    after = applied(table, row)
    assert after.round is not None
    assert after.round.stakes == {"ann/1/player": stakes[2], "bob/1/banker": stakes[1]}
    assert (after.round.first_wager, after.round.ready) == (5, ("cay",))
    later = applied(after, row)
    assert later.round is not None
    assert later.round.first_wager == 5


def test_settled_wagers_leave_behind_what_later_rounds_ask_about() -> None:
    play = Play("dragon-21")
    play.open_betting()
    short = replace(stake_of("stan", "dragon", found=True), amount=100)
    stakes = [stake_of("ann", "dragon"), stake_of("bob", "tiger", claim=True), short, stake_of("cay", "tie")]
    table = replace(play.table, round=replace(play.current, stakes={each.key: each for each in stakes}))
    nets = (0, -300, -100, 2400)
    row: list[Event] = [
        WagerSettled(table="T1", stake=stake, line=0, result="", pays="", net=net, may_lie=stake.patron == "ann")
        for stake, net in zip(stakes, nets, strict=True)
    ]
    after = applied(table, row[:3])
    assert after.round is not None
    assert (list(after.round.stakes), after.round.phase) == (["cay/1/tie"], Phase.PAID)
    assert after.paid == (
        Paid("ann", "dragon", 0, staked=stakes[0].amount),
        Paid("bob", "tiger", -300, claim=True, staked=stakes[1].amount),
        Paid("stan", "dragon", -100, staked=100),
    )
    assert (after.returned, after.claims_lost, after.short_once) == (
        {"ann/1/dragon": stakes[0]},
        {"bob": 300},
        ("stan",),
    )
    both = applied(after, row[3:])
    assert both == applied(table, row)
    assert both.paid[-1] == Paid("cay", "tie", 2400, staked=stakes[3].amount)


def test_an_event_without_its_round_is_a_defect() -> None:
    table, stake = Play("dragon-21").table, stake_of("ann", "dragon")
    for event in (WagerPlaced(stake=stake, added=300), drawn("KS", "dragon", 1)):
        with pytest.raises(AssertionError, match="without a round"):
            replay(table, [event])


def test_a_replay_leaves_the_table_that_it_started_from_as_it_is() -> None:
    play = Play("dragon-21", cards="TS 9H TH 9C")
    start, balances = play.table, dict(play.table.balances)
    begun = len(play.log)
    play.round(ann={"dragon": "50.00"}, bob={"tie": "5.00", "tiger": "50.00"})
    assert replay(start, play.log[begun:]) == play.table == reduce(evolve, play.log[begun:], start)
    assert start.balances == balances


# ------------------------------------------------ money

ACCOUNTS = ("patron:ann", "patron:bob", "layout:1/tie", "float:T1", "cage", "world:ann")
amounts = st.integers(-50, 50)


@st.composite
def transactions(draw: st.DrawFn) -> Transaction:
    """Some accounts give and some take, and it sums to zero; no account does both."""
    accounts = draw(st.permutations(ACCOUNTS))
    given_or_taken = draw(st.lists(amounts.filter(bool), min_size=1, max_size=len(ACCOUNTS) - 1))
    legs = [*given_or_taken, -sum(given_or_taken)]
    return Transaction(Message("drop-box"), tuple(map(Posting, accounts, legs)))


@settings(max_examples=150)
@given(transactions(), st.dictionaries(st.sampled_from(ACCOUNTS), st.integers(1, 60)))
@pytest.mark.clause("MON-3")
def test_posting_leaves_nobody_below_zero_who_may_not_be_there(one: Transaction, held: dict[str, int]) -> None:
    before = {account: Money(amount) for account, amount in held.items()}
    change = {each.account: each.amount for each in one.postings}
    due = {account: held.get(account, 0) + change.get(account, 0) for account in ACCOUNTS}
    if any(amount < 0 and not unlimited(account) for account, amount in due.items() if change.get(account)):
        with pytest.raises(LedgerError):
            posted(before, [one])
    else:
        assert posted(before, [one]) == {account: amount for account, amount in due.items() if amount}
    assert before == held


@given(st.integers(1, 1000), st.integers(-1000, 3000))
def test_a_settlement_moves_the_stake_and_what_is_won_or_lost(amount: int, net: int) -> None:
    """The area is empty afterwards; the patron has what is left and what was won, the tray the rest."""
    net, stake = max(net, -amount), replace(stake_of("ann"), amount=amount)
    event = WagerSettled(table="T1", stake=stake, line=0, result="", pays="", net=net)
    due = {"layout:1/player": -amount, "patron:ann": amount + net, "float:T1": -net}
    assert dict(event.postings()) == {account: change for account, change in due.items() if change}
    (told,) = event.transactions()
    assert [*event.postings()] == [(each.account, each.amount) for each in told.postings]
    after = posted({"layout:1/player": Money(amount), "float:T1": Money(3000)}, [told])
    assert after == {
        account: held for account, held in {"patron:ann": amount + net, "float:T1": 3000 - net}.items() if held
    }
