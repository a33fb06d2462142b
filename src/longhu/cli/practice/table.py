"""A practice table for `longhu play`: the real core, an automatic dealer, one patron, and others if wanted.

This is shell: the clock and the shuffle come from here, and everything else is asked of `decide`.
"""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from longhu.cards import CARDS_PER_DECK
from longhu.cli.terminal import unbroken
from longhu.eventsourcing import Decision, Event, Refusal
from longhu.fairness.shuffle import commitment
from longhu.fairness.source import RandomSource, SourceFailed
from longhu.games.game import Game
from longhu.messages.localization import english
from longhu.positions import Position
from longhu.table.betting import PlaceWager, TakeWagerBack
from longhu.table.betting_phase import AbandonRound
from longhu.table.cash import BuyIn, CashOut
from longhu.table.checkpoint import RecordState
from longhu.table.dealer import automatic_act
from longhu.table.default_settings import usual_settings
from longhu.table.electronic import order, supplied
from longhu.table.engine import decide, evolve
from longhu.table.fills import AcceptChips, DeliverChips, IssueChips, RequestChips
from longhu.table.handling import NameHolder, RevealHand
from longhu.table.irregularities.rulings import MakeRuling
from longhu.table.messages import Command
from longhu.table.opening import OpenTable
from longhu.table.patrons_edge import patrons_edges
from longhu.table.people import JoinTable, LeaveTable
from longhu.table.priority import next_holder
from longhu.table.remedies.withdrawal import AnswerWithdrawalOffer
from longhu.table.settling import SettleRound
from longhu.table.shoe import EndShoe, LoadShoe, VerifyCards, finished
from longhu.table.shuffling import CommitShuffle, Contribute, CutCards, RevealShuffle
from longhu.table.state import Limit, Phase, Settings, Shuffle, Stake, Table
from longhu.table.suspension import SuspendTable

YOU, DEALER, SUPERVISOR, MANAGER, OPERATOR = "seat 1", "dealer", "supervisor", "shift manager", "operator"
CASHIER = "cashier"
STAFF = {
    DEALER: Position.DEALER,
    SUPERVISOR: Position.PIT_SUPERVISOR,
    MANAGER: Position.GAMING_SHIFT_MANAGER,
    OPERATOR: Position.CASINO_OPERATOR,
    CASHIER: Position.CAGE,
}
PRACTICE, BASE_36 = "practice", "0123456789abcdefghijklmnopqrstuvwxyz"
CHIPS = (1, 1, 1, 2, 2, 5, 10)  # what other patrons stake, in minimum wagers


@dataclass(frozen=True)
class YourHand:
    """The dealer waits: you hold this hand, face down."""

    hand: str


@dataclass
class PracticeTable:
    """One table of one game, and whoever sits at it."""

    game: Game
    settings: Settings
    bankroll: int
    others: int = 0
    seed: int | None = None
    listeners: list[Callable[[list[Event]], None]] = field(default_factory=list)
    recorders: list[Callable[[Table, Command, Decision], None]] = field(default_factory=list)  # hear of refusals, too
    table: Table = field(default_factory=lambda: Table(game=""))
    order: tuple[str, ...] = ()  # of the shoe in use; nobody sees it before it ends
    contribution: str = ""  # what you add to the next shuffle
    revealed: Shuffle | None = None  # the last one whose secret was told
    _secret: bytes = b""
    _source: RandomSource | None = None
    _at: int = 0
    _moments: dict[int, Table] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._company = self._chance("others")

    def _chance(self, what: str) -> random.Random:
        """The operating system's generator; or a sequence of its own for each thing that a seed decides."""
        return random.SystemRandom() if self.seed is None else random.Random(f"longhu play {self.seed} {what}")

    def now(self) -> int:
        """The time in milliseconds, never twice the same: who bet first is always known."""
        self._at = max(self._at + 1, time.time_ns() // 1_000_000)
        return self._at

    # ------------------------------------------------ asking the core

    @unbroken()
    def ask(self, command: Command) -> Decision:
        """Give a command; what it brings about has happened once this returns, at the table and on record."""
        command = supplied(self.table, command, self.order)
        decision = decide(self.table, self.game, command)
        for recorder in self.recorders:
            recorder(self.table, command, decision)
        if not isinstance(decision, Refusal):
            table, moments = self.table, {}
            for event in decision:
                moments[id(event)] = table = evolve(table, event)
            self.table, self._moments = table, moments
            for listener in self.listeners:
                listener(decision)
        return decision

    def moment(self, event: Event) -> Table:
        """The table as one event of the last command left it."""
        return self._moments.get(id(event), self.table)

    def must(self, command: Command) -> list[Event]:
        """The same for what the house does itself: a refusal would be a defect."""
        decision = self.ask(command)
        if isinstance(decision, Refusal):
            raise AssertionError(f"{type(command).__name__}: {decision}")
        return decision

    # ------------------------------------------------ the table opens, and shoes come and go

    def open(self) -> Refusal | None:
        """Open the table and let everybody sit down with chips; a refusal says which setting does not fit."""
        patrons = [f"seat {number}" for number in range(1, self.others + 2)]
        most = sum(limit.max for limit in self.settings.limits.values())
        opened = self.ask(
            OpenTable(
                by=OPERATOR,  # who may choose any method (IDT-3.9.2a)
                at=self.now(),
                position=Position.CASINO_OPERATOR,
                settings=self.settings,
                staff=STAFF,
                float_counted=len(patrons) * (self.bankroll + 100 * most),
                counted_by=(DEALER, SUPERVISOR),
            )
        )
        if isinstance(opened, Refusal):
            return opened
        for seat, patron in enumerate(patrons, 1):
            joined = self.ask(JoinTable(by=patron, at=self.now(), seat=seat))
            if isinstance(joined, Refusal):
                return joined
            self.buy(patron, self.bankroll)
        return None

    def buy(self, patron: str, amount: int) -> Decision:
        """Chips for cash; a tray that is short of them is filled first."""
        self._fill(amount)
        return self.ask(BuyIn(by=DEALER, at=self.now(), position=Position.DEALER, patron=patron, amount=amount))

    @unbroken()
    def _fill(self, amount: int) -> None:
        """Enough chips in the tray: requested, issued, delivered and accepted, by four people (OPS-3)."""
        short = amount - self.balance(f"float:{self.settings.table}")
        if short <= 0:
            return
        asked = RequestChips(
            by=SUPERVISOR, at=self.now(), position=Position.PIT_SUPERVISOR, kind="fill", amount=short + amount
        )
        self.must(asked)
        record = self.table.float_record
        number = record.last_request if record else 0
        steps: tuple[tuple[type[IssueChips | DeliverChips | AcceptChips], str], ...] = (
            (IssueChips, CASHIER),
            (DeliverChips, MANAGER),
            (AcceptChips, DEALER),
        )
        for step, by in steps:
            self.must(step(by=by, at=self.now(), position=STAFF[by], number=number))

    def _new_secret(self) -> bytes:
        """What the next shuffle follows from: the operating system's chance, or a seed's (D21-7.0b)."""
        if self.seed is not None:
            return hashlib.sha256(f"longhu play {self.seed} shoe {self.table.shoes + 1}".encode()).digest()
        if self._source is None:
            self._source = RandomSource()
        return self._source.secret()

    @unbroken()
    def new_shoe(self) -> bool:
        """Shuffle and load where a shoe is due: at the start, behind the cutting card, or for every round.

        As a whole: a commitment is never left without its shoe.
        """
        shoe = self.table.shoe
        used_up = self.game.reshuffled and shoe is not None and shoe.drawn > self.settings.burn
        if not finished(self.table) and not used_up:
            return False
        if shoe is not None:
            self.must(EndShoe(by=DEALER, at=self.now(), position=Position.DEALER))
        dealer: dict[str, Any] = {"by": DEALER, "position": Position.DEALER}
        self.reveal()
        self.must(RecordState(at=self.now(), **dealer))
        try:
            self._secret = self._new_secret()
        except SourceFailed as failure:
            self.must(SuspendTable(at=self.now(), reason=str(failure), cause="random-source", **dealer))  # RNG-7
            raise
        sealed = commitment(self.settings.table, self.table.shoes + 1, self._secret)
        self.must(CommitShuffle(at=self.now(), commitment=sealed, **dealer))
        self._contribute()
        if "open-table" in self.game.cites:
            for by in (DEALER, SUPERVISOR):
                self.must(
                    VerifyCards(by=by, at=self.now(), position=STAFF[by], counted=self.settings.decks * CARDS_PER_DECK)
                )
        cutter = YOU if "cut" in self.game.cites else ""
        if cutter:
            self.must(CutCards(by=cutter, at=self.now()))
        self.must(LoadShoe(at=self.now(), **dealer))
        self.order = order(self.table, self._secret)
        return True

    def reveal(self) -> None:
        """Tell the secret of the last shoe, so that everybody can check its shuffle; no round is dealt from it any more."""
        shuffle = self.table.shuffle
        if shuffle is not None and not shuffle.secret and self.table.round is None:
            asked = RevealShuffle(by=DEALER, at=self.now(), position=Position.DEALER, secret=self._secret.hex())
            self.must(asked)
            self.revealed = self.table.shuffle

    def _contribute(self) -> None:
        """What you wanted to add goes into this shuffle, and into no other."""
        if self.contribution:
            self.must(Contribute(by=YOU, at=self.now(), value=self.contribution))
        self.contribution = ""

    # ------------------------------------------------ your side

    def balance(self, account: str = f"patron:{YOU}") -> int:
        return self.table.balances.get(account, 0)

    def stakes(self, patron: str = YOU) -> dict[str, int]:
        """What lies on the layout for a patron, by wager."""
        found = self.table.round.stakes_of(patron) if self.table.round else []
        return {stake.wager: stake.amount for stake in found}

    def bet(self, wager: str, amount: int, patron: str = YOU) -> Decision:
        place = 1 if patron == YOU else self.table.people[patron].seat or 1
        return self.ask(PlaceWager(by=patron, at=self.now(), place=place, wager=wager, amount=amount))

    def take_back(self, wager: str) -> Decision:
        return self.ask(TakeWagerBack(by=YOU, at=self.now(), place=1, wager=wager))

    @unbroken()
    def leave(self) -> None:
        """Wagers that may still come back do; the chips go to the cage."""
        round = self.table.round
        if round is not None and round.phase is Phase.BETTING:
            self._put_away([*round.stakes.values()])
        if self.balance():
            self.must(CashOut(by=YOU, at=self.now(), amount=self.balance()))
        self.ask(LeaveTable(by=YOU, at=self.now()))

    def _put_away(self, stakes: list[Stake]) -> None:
        """No card of this round is dealt any more: everybody takes wagers back, and its shoe can be revealed."""
        for stake in reversed(stakes):  # what must stand beside another came after it
            self.ask(TakeWagerBack(by=stake.patron, at=self.now(), place=stake.place, wager=stake.wager))
        self.ask(AbandonRound(by=DEALER, at=self.now(), position=Position.DEALER))

    # ------------------------------------------------ the others, and the dealer

    def others_bet(self) -> None:
        """Simple patrons: a hand each round, now and then something on the side; they buy chips when they are out."""
        offered = [self.game.wagers[id] for id in self.settings.limits]
        mains = [wager for wager in offered if wager.hand] or offered
        sides = [wager for wager in offered if not wager.hand]
        for number in range(2, self.others + 2):
            patron, chosen = f"seat {number}", [self._company.choice(mains)]
            if sides and self._company.random() < 0.3:
                chosen.append(self._company.choice(sides))
            for wager in chosen:
                limit = self.settings.limits[wager.id]
                amount = min(limit.min * self._company.choice(CHIPS), limit.max)
                if self.balance(f"patron:{patron}") < amount:
                    self.buy(patron, max(self.bankroll, amount))
                self.bet(wager.id, amount, patron)  # where the table refuses, they do without

    def open_round(self) -> None:
        """Place your bets."""
        call = automatic_act(self.table, self.game, by=DEALER, at=self.now())
        if call is None:
            raise AssertionError("the dealer cannot open a round")
        self.must(call)

    def dealers_act(self) -> Decision | YourHand | None:
        """What happens next without you; your hand where it is your turn, None once the round is over."""
        if self.table.round is None:
            return None
        act = automatic_act(self.table, self.game, by=DEALER, at=self.now())
        if act is None:
            return self._others_act()
        decision = self.ask(act)
        if isinstance(decision, Refusal) and isinstance(act, SettleRound) and decision.clause == "OPS-2":
            owed = sum(stake.amount for stake in self.table.round.stakes.values()) * 200  # no line pays more
            self._fill(self.balance(f"float:{self.settings.table}") + owed)
            decision = self.ask(act)
        return decision

    def _others_act(self) -> list[Event] | YourHand:
        """The dealer waits: for whoever holds a hand, for a supervisor, for a ruling."""
        round = self.table.round
        if round is None:
            raise AssertionError("nobody acts without a round")
        if round.halt.offer is not None:  # silence means stay, so nobody needs to be waited for
            return self.must(AnswerWithdrawalOffer(by=round.halt.offer.waits_for[0], at=self.now(), withdraw=False))
        if round.asks_supervisor:
            hand = round.asks_supervisor[0]
            among = next_holder(self.table, self.game, hand, round.declined[hand])
            person = among if isinstance(among, str) else among[0]
            name = NameHolder(
                by=SUPERVISOR, at=self.now(), position=Position.PIT_SUPERVISOR, hand=round.hands[hand], person=person
            )
            return self.must(name)
        hidden = next((each for each in round.cards if not each.public), None)
        if hidden is not None and not round.halt.incident:
            holder = round.holders[round.hands.index(hidden.hand)]
            if holder == YOU:
                return YourHand(hidden.hand)
            return self.must(RevealHand(by=holder, at=self.now(), hand=hidden.hand))
        position = Position.GAMING_SHIFT_MANAGER
        reason = english(round.halt.incident) or "the round cannot go on"
        return self.must(MakeRuling(by=MANAGER, at=self.now(), position=position, decision="void", reason=reason))


def own_name() -> str:
    """`practice-` and the time in base 36: anchors of two evenings, in one file, speak of two tables.

    Cards that a seed gives follow from the table's name, too, so a seeded table keeps the plain one.
    """
    left, digits = time.time_ns() // 1_000_000, ""
    while left:
        left, digit = divmod(left, len(BASE_36))
        digits = BASE_36[digit] + digits
    return f"{PRACTICE}-{digits}"


def practice_settings(
    game: Game,
    *,
    layout: str,
    decks: int,
    method: str,
    limits: dict[str, Limit],
    seats: int,
    table: str = PRACTICE,
) -> Settings:
    """A table as a house would set it up, for one evening of practice."""
    settings = usual_settings(game, table, limits, layout=layout, decks=decks, method=method, seats=seats)
    return replace(settings, favours_patrons=tuple(patrons_edges(game, settings)))  # practice hides no game
