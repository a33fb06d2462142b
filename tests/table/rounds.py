"""A live table for tests: people with chips, a shoe whose first cards are known, whole rounds in one call.

>>> play = Play("dragon-21", cards="TS 9H TH 9C")       # Dragon and Tiger in dealing order: 20 against 18
>>> _ = play.round(ann={"dragon": "50.00"}, bob={"tie": "5.00"})
>>> play.net("ann"), play.net("bob")
('50.00', '-5.00')
>>> refusal = play.refused(PlaceWager, "ann", place=1, wager="dragon", amount=5000)
>>> refusal.reason.code
'betting-not-open'
"""

from __future__ import annotations

from collections import Counter
from typing import Any, TypeVar

from msgspec.structs import replace

import longhu
from longhu.cards import CARDS_PER_DECK, DECK, cards
from longhu.eventsourcing import Event, Refusal, stored_name
from longhu.fairness.shuffle import commitment
from longhu.games.game import Game
from longhu.money import parse, show
from longhu.positions import Position
from longhu.table.betting import PlaceWager
from longhu.table.betting_phase import CallNoMoreBets, CallPlaceYourBets
from longhu.table.cash import BuyIn
from longhu.table.confirmation import ConfirmReport
from longhu.table.dealing import AnnounceResult, AnnounceTotals, DrawCard, next_hand
from longhu.table.engine import decide, evolve
from longhu.table.handling import PassHands, RevealHand, squeezed
from longhu.table.messages import Command, CommandRefused, ConfirmationAwaited, on_record
from longhu.table.opening import CloseTable, Notice, OpenTable, notice
from longhu.table.patrons_edge import patrons_edges
from longhu.table.people import JoinTable, TakeTheDeal
from longhu.table.requirements import as_read
from longhu.table.settling import SettleRound
from longhu.table.shoe import LoadShoe, VerifyCards
from longhu.table.shuffling import CommitShuffle, CutCards, RevealShuffle
from longhu.table.state import CardSet, Equipment, Limit, Phase, Round, Settings, Table
from longhu.table.views import Viewer, view
from longhu.testing.scenario import START, from_shoe

STAFF = {
    "dee": Position.DEALER,
    "sue": Position.PIT_SUPERVISOR,
    "pam": Position.PIT_MANAGER,
    "gus": Position.GAMING_SHIFT_MANAGER,
    "opal": Position.CASINO_OPERATOR,
    "house": Position.CASINO_OPERATOR,  # its program
    "kit": Position.CAGE,
    "rex": Position.DEALER,  # carries chips
}
PEOPLE = {"ann": 1, "bob": 2, "cay": 3, "stan": None}  # seats; stan stands
SECRET = bytes(32)
CHIPS = "10000.00"  # of each patron
E = TypeVar("E", bound=Event)


def settings_for(game: Game, **changes: Any) -> Settings:
    """A table that may open: the game's first layout and method, all wagers from 5.00 to 1000.00, full equipment."""
    layout = game.layouts[changes.get("layout", next(iter(game.layouts)))]
    decks = changes.get("decks", game.decks.default)
    most = {id: wager.limit.max for id, wager in game.offered(layout.id).items()}
    usual: dict[str, Any] = {
        "table": "T1",
        "layout": layout.id,
        "positions": layout.positions_max,
        "limits": {id: Limit(500, min(100_000, top or 100_000)) for id, top in most.items()},
        "decks": decks,
        "method": next(iter(game.methods), ""),
        "chips": "physical",
        "equipment": equipment_for(decks),
        **as_read(game),
    }
    settings = Settings(**{**usual, **changes})
    return settings if "favours_patrons" in changes else confirmed(game, settings)


def confirmed(game: Game, settings: Settings) -> Settings:
    """As the operator opens a table on which patrons are ahead."""
    return replace(settings, favours_patrons=tuple(patrons_edges(game, settings)))


def equipment_for(decks: int, **changes: Any) -> Equipment:
    """A shoe with one blue set, and room for every card."""
    room = decks * CARDS_PER_DECK
    usual: dict[str, Any] = {
        "sets": (CardSet(("blue",) * decks),),
        "shoe": room,
        "cover": True,
        "discard_rack": room,
        "pucks": 2,
        "drop_box": "D1",
    }
    return Equipment(**{**usual, **changes})


def order_from(first: str, decks: int) -> tuple[str, ...]:
    """A complete shoe that starts with these cards; the others follow as in new decks."""
    start = [str(each) for each in cards(first)]
    rest = Counter(str(each) for each in DECK * decks)
    rest.subtract(start)
    return (*start, *rest.elements())


class Play:
    """A table in play. Time goes on by a second with every command."""

    def __init__(
        self,
        game: str | Game = "dragon-21",
        *,
        cards: str | None = "",  # the first cards of the shoe; None leaves the table without one
        people: dict[str, int | None] | None = None,
        open: bool = True,
        float_counted: int = 100_000_000,
        **settings: Any,
    ) -> None:
        self.game = longhu.game(game).definition if isinstance(game, str) else game
        self.table = Table(game="")
        self.now = START
        self.log: list[Event] = []
        self.order: tuple[str, ...] = ()  # of the electronic shoe, whatever the secret of its shuffle says
        self.settings = settings_for(self.game, **settings)
        if not open:
            return
        self.does(OpenTable, "opal", **self.opening(float_counted=float_counted))
        self.does(TakeTheDeal, "dee")
        for person, seat in (PEOPLE if people is None else people).items():
            if seat is None or seat <= self.settings.positions:
                self.does(JoinTable, person, seat=seat)
                self.does(BuyIn, "dee", patron=person, amount=parse(CHIPS))
        if cards is not None:
            self.load(cards)

    # -------------------------------------------- commands

    def command(self, command: type[Command], by: str, **fields: Any) -> Command:
        """What somebody would say, a second later than what was said before."""
        self.now = fields.pop("at", self.now + 1000)
        if "float_counted" in fields:  # by value, in the smallest coin unless it is told
            fields = {"chips": {1: fields["float_counted"]}, **fields}
        position = fields.pop("position", {**STAFF, **self.table.staff, **self.table.acting}.get(by, Position.PATRON))
        return command(by=by, at=self.now, position=position, **fields)

    def asks(self, command: type[Command], by: str, **fields: Any) -> list[Event] | Refusal:
        """Ask, in the position that the person holds unless another is given; events are applied."""
        if command is CloseTable and self.table.round is None:
            self.reveal()
        decision = decide(self.table, self.game, from_shoe(self.table, self.command(command, by, **fields), self.order))
        if isinstance(decision, list):
            for event in decision:
                self.table = evolve(self.table, event)
                self.log.append(event)
            view(self.table, self.game, Viewer())  # whatever happened, everybody can be shown the table
        return decision

    def does(self, command: type[Command], by: str, **fields: Any) -> list[Event]:
        """Ask for what must be allowed; where a second person has to confirm it, somebody does."""
        decision = self.asks(command, by, **fields)
        if isinstance(decision, list) and isinstance(decision[-1], ConfirmationAwaited):
            second = "dee" if by == "sue" else "sue"
            decision = self.asks(ConfirmReport, second, number=self.table.reports)
            assert not isinstance(decision, Refusal), f"{command.__name__} by {by}, confirmed by {second}: {decision}"
            return decision[1:]
        assert not isinstance(decision, Refusal), f"{command.__name__} by {by}: {decision}"
        return decision

    def refused(self, command: type[Command], by: str, clause: str = "", **fields: Any) -> Refusal:
        """Ask for what must be refused, by this clause where one is given; nothing changes."""
        decision = self.asks(command, by, **fields)
        assert isinstance(decision, Refusal), f"{command.__name__} by {by} was allowed: {decision}"
        assert not clause or decision.clause == clause, f"refused by {decision.clause}: {decision}"
        return decision

    def refused_on_record(self, command: type[Command], by: str, clause: str = "", **fields: Any) -> CommandRefused:
        """The same, and kept in the log: who asked for what, and why not."""
        asked = self.command(command, by, **fields)
        record = on_record(asked, self.refused(command, by, clause, **fields))
        assert evolve(self.table, record) == self.table
        self.log.append(record)
        assert (record.command, record.by, record.clause or clause) == (
            stored_name(command),
            by,
            clause or record.clause,
        )
        return record

    # -------------------------------------------- steps of a round, each by the dealer

    def opening(self, **changes: Any) -> dict[str, Any]:
        """What OpenTable is given."""
        usual = {"settings": self.settings, "staff": STAFF, "float_counted": 0, "counted_by": ("sue", "dee")}
        return {**usual, **changes}

    def load(self, first: str = "", **fields: Any) -> list[Event]:
        """Another shoe, counted by two where the document asks for it, that starts with these cards."""
        size = self.settings.decks * CARDS_PER_DECK
        if "open-table" in self.game.cites:
            self.does(VerifyCards, "dee", counted=size)
            self.does(VerifyCards, "sue", counted=size)
        if self.settings.virtual_shoe:
            self.shuffle()
        if self.settings.device in ("virtual", "reading-shoe"):
            self.order = fields.pop("order", None) or order_from(first, self.settings.decks)
        seated = tuple(each.id for each in self.table.people.values() if each.seat is not None)
        cut = {} if "cut_by" in fields else {"declined": seated}
        if self.settings.virtual_shoe and fields.get("cut_by"):
            self.does(CutCards, fields["cut_by"], behind=fields.get("cut_behind"))
        return self.does(LoadShoe, "dee", **{**cut, **fields})

    def shuffle(self) -> None:
        """What the house publishes before a shoe is loaded: the last secret, and a commitment to the next."""
        self.reveal()
        sealed = commitment(self.settings.table, self.table.shoes + 1, SECRET)
        self.does(CommitShuffle, "dee", commitment=sealed)

    def reveal(self) -> None:
        """Tell the secret of the shoe, where there is one to tell."""
        shuffle = self.table.shuffle
        if shuffle is not None and shuffle.mix is not None and not shuffle.secret:
            self.does(RevealShuffle, "dee", secret=SECRET.hex())

    def open_betting(self) -> None:
        """The opening call; a game that has a full shoe for every round gets it first."""
        if self.game.reshuffled and self.table.shoe and self.table.shoe.drawn:
            self.load()
        self.does(CallPlaceYourBets, "dee")

    def bet(self, patron: str, wager: str, amount: str, place: int | None = None, **fields: Any) -> list[Event]:
        """Chips of a patron, at the own seat where no place is given; a standing patron's go to the last place."""
        seat = self.table.people[patron].seat
        placed = {"place": place or seat or self.settings.positions, "wager": wager, "amount": parse(amount)}
        return self.does(PlaceWager, patron, **placed, **fields)

    def close_betting(self) -> None:
        self.does(CallNoMoreBets, "dee")

    def draw(self, *faces: str) -> None:
        """Draw one card, or cards with these faces from a physical shoe."""
        for face in faces or ("",):
            self.does(DrawCard, "dee", card=face)

    def deal(self) -> None:
        """Deal to the end: initial cards, passed and revealed by their holders, totals, further cards."""
        while True:
            round, initial = self.current, self.game.procedure.initial_cards
            if len(round.cards) < initial:
                self.draw()
            elif not round.all_public:
                self.turn_over()
            elif "announce-totals" in self.game.cites and not round.totals_announced:
                self.does(AnnounceTotals, "dee")
            elif next_hand(self.game, round)[0] is not None:
                self.draw()
            else:
                return

    def turn_over(self) -> None:
        """Whoever holds a hand reveals it."""
        if squeezed(self.game, self.current) and not self.current.passed:
            self.does(PassHands, "dee")
        for hand, holder in enumerate(self.current.holders):
            if not all(each.public for each in self.current.cards_of(hand)):
                self.does(RevealHand, holder or "dee", hand=self.game.procedure.hands[hand].id)

    def finish(self) -> list[Event]:
        """Deal on, announce, settle; the events from the announcement on."""
        if self.current.phase is Phase.BETTING:
            self.close_betting()
        self.deal()
        announced = self.does(AnnounceResult, "dee")  # which ends a round without wagers (DT-1.1.2b)
        return announced if self.table.round is None else [*announced, *self.does(SettleRound, "dee")]

    def round(self, **bets: dict[str, str]) -> list[Event]:
        """A whole round with these wagers: `play.round(ann={"dragon": "50.00"})`."""
        self.open_betting()
        for patron, wagers in bets.items():
            for wager, amount in wagers.items():
                self.bet(patron, wager, amount)
        return self.finish()

    # -------------------------------------------- what to look at

    @property
    def current(self) -> Round:
        """The round in progress."""
        assert self.table.round is not None, "no round is in progress"
        return self.table.round

    def last(self, kind: type[E]) -> E:
        """The latest event of a kind."""
        return next(event for event in reversed(self.log) if isinstance(event, kind))

    def chips(self, patron: str) -> str:
        """What a patron has off the layout."""
        return show(self.table.balances.get(f"patron:{patron}", 0))

    @property
    def notice(self) -> Notice:
        """What an open table displays."""
        shown = notice(self.table, self.game)
        assert shown is not None
        return shown

    def net(self, patron: str) -> str:
        """What a patron has won since buying in, chips on the layout not counted."""
        return show(self.table.balances.get(f"patron:{patron}", 0) - parse(CHIPS))
