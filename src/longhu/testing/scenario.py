"""Scenarios: what happens at a table, written as people tell it, and checked line by line.

    table immortal-dragon-tiger layout A method B limits 25 to 1000
    seat 3 is ann with 1000.00
    shoe starts 2D KC 3D 6C
    dealer calls place your bets
    ann bets 300 on banker
    dealer calls no more bets
    dealer finishes the round
    expect banker of ann pays 285.00 (IDT-4.1c)
    expect ann has 1285.00

A line that is refused must be followed by `expect refused`, with code and clause if they matter. Whatever has no words of
its own is said as `manager does command-name field=value`, the value as JSON or a bare word.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

import msgspec
from msgspec.structs import replace

from longhu.cards import DECK, cards
from longhu.eventsourcing import Event, Refusal, name_of
from longhu.fairness.shuffle import commitment
from longhu.games.game import Game
from longhu.messages.localization import english
from longhu.money import UNSTATED, Currency, Money, parse, show
from longhu.positions import Position
from longhu.table.betting import PlaceWager, TakeWagerBack
from longhu.table.betting_phase import CallNoMoreBets, CallPlaceYourBets
from longhu.table.cash import BuyIn, in_tray
from longhu.table.confirmation import ConfirmReport, RejectReport
from longhu.table.dealer import next_act
from longhu.table.dealing import AnnounceResult, AnnounceTotals, DrawCard
from longhu.table.electronic import supplied
from longhu.table.engine import decide, evolve
from longhu.table.handling import PassHands, RefuseHand, RevealHand
from longhu.table.messages import TABLE, Command
from longhu.table.opening import OpenTable
from longhu.table.patrons_edge import patrons_edges
from longhu.table.people import JoinTable
from longhu.table.remedies.void import RoundVoided, StakeReturned
from longhu.table.settling import SettleRound, WagerSettled
from longhu.table.shoe import LoadShoe, VerifyCards
from longhu.table.shuffling import CommitShuffle, RevealShuffle
from longhu.table.spots import Spot
from longhu.table.state import DEVICE_MARK, CardSet, Equipment, Limit, Settings, Table

STAFF = {
    "dealer": Position.DEALER,
    "supervisor": Position.PIT_SUPERVISOR,
    "manager": Position.PIT_MANAGER,
    "shift-manager": Position.GAMING_SHIFT_MANAGER,
    "operator": Position.CASINO_OPERATOR,
    "house": Position.CASINO_OPERATOR,  # its program
    "cage": Position.CAGE,
    "surveillance": Position.SURVEILLANCE,
    "runner": Position.DEALER,
}
START = 1_794_859_200_000  # 16 November 2026, 20:00 UTC: every game is in force
SECRET = bytes(32)
FLAGS = ("physical", "unrated", "both", "unconfirmed", "uncovered")  # words of `table` that take no value
FLOAT = 10_000_000_00
FIELD = r'(\w+)=("[^"]*"|\[.*?\](?= |$)|\S+)'  # of a command or an event
SECOND = 1000
Load = Callable[[str, Mapping[str, str]], Game]


def from_shoe(table: Table, command: Command, order: tuple[str, ...]) -> Command:
    """The command with the cards that come next, where the shoe tells them: a virtual one, or one that reads what leaves it."""
    settings = table.settings
    if settings is not None and settings.device == "reading-shoe":
        told = getattr(command, "card", "") or any(getattr(command, "cards", ()))
        table = table if told else replace(table, settings=replace(settings, device="virtual"))
    return supplied(table, command, order)


class ScenarioError(AssertionError):
    """A line that did not happen as it was told, with its number."""


class Scenario:
    """One table, and the lines that happen at it."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self._clock = START
        self._stands = False  # the next line happens at the very time that was told
        self._number = 0
        self._refused: Refusal | None = None  # what the last line ran into, until somebody expects it
        self._round: list[Event] = []  # the events of the round in progress, or of the last one
        self._order: tuple[str, ...] = ()  # of the shoe: told by the scenario, not by the shuffle that it stands for
        self.events: list[Event] = []
        self.table = Table("")
        self.game: Game | None = None

    # ------------------------------------------------ lines

    def run(self, text: str) -> Scenario:
        """Tell every line; the first that does not fit raises `ScenarioError`."""
        for number, raw in enumerate(text.splitlines(), 1):
            line = raw.partition("#")[0].strip()
            if line:
                self._number = number
                self._tell(line)
        self._nothing_pending("the end")
        return self

    def _tell(self, line: str) -> None:
        if not line.startswith("expect refused"):
            self._nothing_pending(line)
        self._clock += 0 if self._stands else SECOND
        self._stands = False
        for pattern, method in LINES:
            match = re.fullmatch(pattern, line)
            if match:
                method(self, **match.groupdict())
                return
        raise self._wrong(f"nobody understands {line!r}")

    def _nothing_pending(self, line: str) -> None:
        if self._refused is not None:
            raise self._wrong(f"before {line!r}: refused by {self._refused.reason.code}: {self._refused}")

    def _wrong(self, told: str) -> ScenarioError:
        return ScenarioError(f"line {self._number}: {told}")

    def _do(self, command: Command) -> None:
        decision = decide(self.table, self._of(), from_shoe(self.table, command, self._order))
        if isinstance(decision, Refusal):
            self._refused = decision
            return
        for event in decision:
            self.table = evolve(self.table, event)
            self.events.append(event)
            self._round.append(event)

    def _of(self) -> Game:
        if self.game is None:
            raise self._wrong("no table has been set up")
        return self.game

    @property
    def _money(self) -> Currency:
        return self._of().currency or UNSTATED

    def _act(self, kind: type[Command], who: str, **fields: Any) -> None:
        position = STAFF.get(who, Position.PATRON)
        self._do(kind(by=who, at=self._clock, position=position, **fields))

    # ------------------------------------------------ setting up

    def set_up(self, game: str, rest: str) -> None:
        """`table GAME layout A method B decks 8 limits 25 to 1000 differential 5000 area "Ruby Room" …`"""
        options = dict(re.findall(r'(\w+) (?:"([^"]*)")', rest))
        words = re.sub(r'\w+ "[^"]*"', "", rest).split()
        readings = dict(word.split("=", 1) for word in words if "=" in word)
        self.game = loaded = self._load(game, readings)
        plain = [word for word in words if "=" not in word and word not in FLAGS]
        said = dict(zip(plain[::2], plain[1::2], strict=False))
        layout = said.get("layout", next(iter(loaded.layouts)))
        decks = int(said.get("decks", loaded.decks.default))
        low, high = _span(rest)
        limits = {id: self._limit(wager.limit.max, low, high) for id, wager in loaded.offered(layout).items()}
        sets = 2 if said.get("setup") == "batch-shuffler" else 1
        settings = Settings(
            table="T1",
            layout=layout,
            positions=loaded.layouts[layout].positions_max,
            limits=limits,
            decks=decks,
            method=said.get("method", next(iter(loaded.methods), "")),
            differential=parse(said["differential"], self._money) if "differential" in said else None,
            chip_unit=parse(said.get("unit", show(1, self._money)), self._money),
            area=options.get("area", ""),
            device="reading-shoe" if "reading" in words else "hand-shoe" if "physical" in words else "virtual",
            chips="physical" if "physical" in words or "loose" in words else "electronic",
            patrons="unrated" if "unrated" in words else "both" if "both" in words else "rated",
            equipment=Equipment(
                setup=said.get("setup", "shoe"),
                sets=tuple(CardSet((back,) * decks) for back in ("blue", "red")[:sets]),
                shoe=int(said.get("shoe", decks * 52)),
                cover="uncovered" not in words,
                shuffler=8 * 52,
                discard_rack=decks * 52,
                pucks=2,
                drop_box="D1",
            ),
        )
        confirmed = () if "unconfirmed" in words else tuple(patrons_edges(loaded, settings))
        self._act(
            OpenTable,
            said.get("by", "operator"),
            settings=replace(settings, favours_patrons=confirmed),
            staff=STAFF,
            float_counted=FLOAT,
            chips={FLOAT: 1},
            counted_by=("supervisor", "dealer"),
        )
        self._shoe(())

    def _limit(self, most: Money | None, low: str, high: str) -> Limit:
        top = parse(high, self._money)
        return Limit(parse(low, self._money), top if most is None else min(top, most))

    def _shoe(self, first: tuple[str, ...]) -> None:
        """A new shoe whose first cards are these; the others follow in a new deck's order."""
        settings = self.table.settings
        if settings is None:
            return
        for who in ("dealer", "supervisor"):
            self._act(VerifyCards, who, counted=settings.decks * 52)
        rest = [str(each) for each in DECK for _ in range(settings.decks)]
        for each in first:
            rest.remove(each)
        seated = tuple(each.id for each in self.table.people.values() if each.seat is not None)
        if settings.device in ("virtual", "reading-shoe"):
            self._order = (*first, *rest)
        if settings.virtual_shoe:
            if self.table.shuffle is not None:
                self._act(RevealShuffle, "dealer", secret=SECRET.hex())
            sealed = commitment(settings.table, self.table.shoes + 1, SECRET)
            self._act(CommitShuffle, "dealer", commitment=sealed)
        self._act(LoadShoe, "dealer", declined=seated)

    def load_shoe(self, first: str) -> None:
        self._shoe(tuple(str(each) for each in cards(first)))

    def seat(self, seat: str, name: str, amount: str) -> None:
        self._act(JoinTable, name, seat=int(seat))
        self._act(BuyIn, "dealer", patron=name, amount=parse(amount, self._money))

    def stand(self, name: str, amount: str) -> None:
        self._act(JoinTable, name)
        self._act(BuyIn, "dealer", patron=name, amount=parse(amount, self._money))

    def set_clock(self, when: str) -> None:
        """`it is 2025-07-28 08:59 +08:00`: what comes next happens then."""
        self._clock = int(datetime.strptime(when, "%Y-%m-%d %H:%M %z").timestamp() * SECOND)
        self._stands = True

    def wait(self, seconds: str) -> None:
        self._clock += int(seconds) * SECOND

    # ------------------------------------------------ a round

    def open_betting(self, who: str) -> None:
        self._round = []
        self._act(CallPlaceYourBets, who)

    def close_betting(self, who: str) -> None:
        self._act(CallNoMoreBets, who)

    def bet(self, who: str, amount: str, wager: str, place: str | None) -> None:
        at = int(place) if place else self._place(who)
        self._act(PlaceWager, who, place=at, wager=wager, amount=parse(amount, self._money))

    def enter_chips(self, who: str, amount: str, wager: str, spot: str) -> None:
        """Chips of no account, at a spot of a position: `dealer enters 300 on banker at 3`, or `at 3.2`."""
        at = _spot(spot)
        self._act(PlaceWager, who, patron=at.name, place=at.place, wager=wager, amount=parse(amount, self._money))

    def take_back(self, who: str, amount: str | None, wager: str, place: str | None) -> None:
        at = int(place) if place else self._place(who)
        self._act(TakeWagerBack, who, place=at, wager=wager, amount=parse(amount, self._money) if amount else None)

    def _place(self, who: str) -> int:
        person = self.table.people.get(who)
        return person.seat if person and person.seat else 1

    def draw(self, who: str, card: str | None) -> None:
        self._act(DrawCard, who, card=card or "")

    def deal(self) -> None:
        for _ in range(self._of().procedure.initial_cards):
            self._act(DrawCard, "dealer")

    def pass_hands(self) -> None:
        self._act(PassHands, "dealer")

    def refuse(self, who: str, hand: str) -> None:
        self._act(RefuseHand, who, hand=hand)

    def reveal(self, who: str, hand: str) -> None:
        self._act(RevealHand, who, hand=hand)

    def announce_totals(self) -> None:
        self._act(AnnounceTotals, "dealer")

    def announce_result(self) -> None:
        self._act(AnnounceResult, "dealer")

    def settle(self) -> None:
        self._act(SettleRound, "dealer")

    def finish(self) -> None:
        """Everything that the dealer and the holders of the hands still have to do, in order."""
        while self._refused is None and self.table.round is not None:
            act = next_act(self.table, self._of(), by="dealer", at=self._clock) or self._holder_reveals()
            if act is None:
                return
            self._do(act)

    def _holder_reveals(self) -> Command | None:
        round = self.table.round
        opens = (
            sorted(round.cards, key=lambda each: round.hands.index(each.hand) != round.reveals_first) if round else []
        )  # as the dealer said
        hidden = next((each for each in opens if not each.public), None)
        if round is None or hidden is None or not hidden.holder or round.halt.offer is not None or round.halt.incident:
            return None
        return RevealHand(by=hidden.holder, at=self._clock, hand=hidden.hand)

    def confirms(self, who: str) -> None:
        """A second person confirms the report that waits, from their own screen."""
        self._act(ConfirmReport, who, number=self.table.reports)

    def rejects(self, who: str, reason: str) -> None:
        self._act(RejectReport, who, number=self.table.reports, reason=reason)

    def does(self, who: str, command: str, fields: str, cosigner: str | None = None) -> None:
        """Any command, by its name: `manager does cap-area place=4 most=2`, with somebody who signs at once: `with supervisor`."""
        kinds = {name_of(kind): kind for kind in TABLE.deciders}
        if command not in kinds:
            raise self._wrong(f"there is no command {command!r}")
        given = {name: _value(text) for name, text in re.findall(FIELD, fields)}
        held = "device" if who.startswith(DEVICE_MARK) else STAFF.get(who, Position.PATRON).value
        said = {"by": who, "at": self._clock, "position": held, **given}
        said["cosigned_by"] = (cosigner,) if cosigner else ()
        try:
            self._do(msgspec.convert(said, kinds[command], str_keys=True))
        except msgspec.ValidationError as error:
            raise self._wrong(f"{command}: {error}") from None

    # ------------------------------------------------ expectations

    def expect_refused(self, code: str | None, clause: str | None) -> None:
        refusal, self._refused = self._refused, None
        if refusal is None:
            raise self._wrong("nothing was refused")
        if clause and refusal.clause != clause:
            raise self._wrong(f"refused by {refusal.clause or 'no clause'}, not by {clause}: {english(refusal.reason)}")
        if code and refusal.reason.code != code:
            raise self._wrong(f"refused by {refusal.reason.code}, not by {code}: {english(refusal.reason)}")

    def expect_settled(self, wager: str, who: str, how: str, amount: str | None, clause: str | None) -> None:
        settled = [
            event
            for event in self._round
            if isinstance(event, WagerSettled | StakeReturned)
            and event.stake.wager == wager
            and event.stake.patron == who
        ]
        if not settled:
            raise self._wrong(f"{wager} of {who} has not been settled")
        found = settled[-1]
        net = found.net if isinstance(found, WagerSettled) else 0
        wanted = {"pays": 1, "loses": -1}.get(how, 0) * (parse(amount, self._money) if amount else 0)
        if net != wanted or (how == "is returned") != isinstance(found, StakeReturned):
            raise self._wrong(f"{wager} of {who} netted {show(Money(net), self._money)}")
        if clause and found.clause != clause:
            raise self._wrong(f"{wager} of {who} was settled by {found.clause}")

    def expect_balance(self, who: str, amount: str) -> None:
        held = self.table.balances.get(f"patron:{who}", Money(0))
        if held != parse(amount, self._money):
            raise self._wrong(f"{who} has {show(held, self._money)}")

    def expect_stands(self, account: str, amount: str) -> None:
        held, sign = self.table.balances.get(account, Money(0)), -1 if amount.startswith("-") else 1
        if held != sign * parse(amount.removeprefix("-"), self._money):
            raise self._wrong(f"{account} stands at {held} in the smallest coin")

    def expect_tray(self, amount: str) -> None:
        held = in_tray(self.table)
        if held != parse(amount, self._money):
            raise self._wrong(f"the tray has {show(held, self._money)}")

    def expect_owes(self, who: str, amount: str) -> None:
        owes = self.table.balances.get(f"unpaid:{who}", Money(0))
        if owes != parse(amount, self._money):
            raise self._wrong(f"{who} owes {show(owes, self._money)}")

    def expect_owed(self, who: str, amount: str) -> None:
        owed = self.table.owed_to(who)
        if owed != parse(amount, self._money):
            raise self._wrong(f"{who} is owed {show(owed, self._money)}")

    def expect_void(self, clause: str | None) -> None:
        voided = [event for event in self._round if isinstance(event, RoundVoided)]
        if not voided:
            raise self._wrong("the round is not void")
        if clause and voided[-1].clause != clause:
            raise self._wrong(f"the round is void by {voided[-1].clause}")

    def expect_open(self) -> None:
        if self.table.round is None:
            raise self._wrong("no round is in progress")

    def expect_event(self, name: str, clause: str | None, fields: str | None = None) -> None:
        named = {name_of(event): event for event in self._round}
        found = named.get(name)
        if found is None:
            raise self._wrong(f"there was no {name}; there were {', '.join(named) or 'no events'}")
        if clause and found.clause != clause:
            raise self._wrong(f"{name} by {found.clause or 'no clause'}")
        told = msgspec.to_builtins(found, str_keys=True)
        for field, text in re.findall(FIELD, fields or ""):
            if told.get(field) not in (text, _value(text)):
                raise self._wrong(f"{name} has {field}={told.get(field)!r}")

    def expect_holder(self, hand: str, who: str) -> None:
        round, ids = self.table.round, [each.id for each in self._of().procedure.hands]
        holder = (round.holders[ids.index(hand)] if round else "") or "dealer"
        if holder != who:
            raise self._wrong(f"{holder} holds the {hand} hand")


def _span(text: str) -> tuple[str, str]:
    found = re.search(r"limits (\S+) to (\S+)", text)
    return (found[1], found[2]) if found else ("5.00", "10000.00")


def _spot(text: str) -> Spot:
    place, _, number = text.partition(".")
    return Spot(int(place), int(number or 1))


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


WHO, HAND, AMOUNT = r"(?P<who>@\d+\.\d+|[\w:-]+)", r"(?P<hand>\w+)", r"(?P<amount>[\d.]+)"
CLAUSE = r"(?: \((?P<clause>[\w.-]+)\))?"
LINES: list[tuple[str, Callable[..., None]]] = [
    (r"table (?P<game>[\w.-]+)(?P<rest>.*)", Scenario.set_up),
    (rf"seat (?P<seat>\d+) is (?P<name>\w+) with {AMOUNT}", Scenario.seat),
    (rf"standing is (?P<name>\w+) with {AMOUNT}", Scenario.stand),
    (r"shoe starts (?P<first>.*)", Scenario.load_shoe),
    (r"(?P<seconds>\d+) seconds pass", Scenario.wait),
    (r"it is (?P<when>[\d-]+ [\d:]+ [+-][\d:]+)", Scenario.set_clock),
    (rf"{WHO} calls place your bets", Scenario.open_betting),
    (rf"{WHO} calls no more bets", Scenario.close_betting),
    (rf"{WHO} bets {AMOUNT} on (?P<wager>[\w-]+)(?: at (?P<place>\d+))?", Scenario.bet),
    (rf"{WHO} enters {AMOUNT} on (?P<wager>[\w-]+) at (?P<spot>\d+(?:\.\d+)?)", Scenario.enter_chips),
    (rf"{WHO} takes back (?:{AMOUNT} of )?(?P<wager>[\w-]+)(?: at (?P<place>\d+))?", Scenario.take_back),
    (r"dealer deals", Scenario.deal),
    (rf"{WHO} draws(?: (?P<card>\w+))?", Scenario.draw),
    (r"dealer passes the hands", Scenario.pass_hands),
    (rf"{WHO} refuses {HAND}", Scenario.refuse),
    (rf"{WHO} reveals {HAND}", Scenario.reveal),
    (r"dealer announces the totals", Scenario.announce_totals),
    (r"dealer announces the result", Scenario.announce_result),
    (r"dealer settles", Scenario.settle),
    (r"dealer finishes the round", Scenario.finish),
    (rf"{WHO} confirms", Scenario.confirms),
    (rf'{WHO} rejects because "(?P<reason>[^"]*)"', Scenario.rejects),
    (rf"{WHO} does (?P<command>[\w-]+)(?P<fields>.*?)(?: with (?P<cosigner>[\w-]+))?", Scenario.does),
    (rf"expect refused(?: (?P<code>[a-z][a-z0-9-]*))?{CLAUSE}", Scenario.expect_refused),
    (
        rf"expect (?P<wager>[\w-]+) of {WHO} (?P<how>pays|loses|pushes|is returned)(?: {AMOUNT})?{CLAUSE}",
        Scenario.expect_settled,
    ),
    (r"expect (?P<account>[\w:/.@-]+) stands at (?P<amount>-?[\d.]+)", Scenario.expect_stands),
    (rf"expect the tray has {AMOUNT}", Scenario.expect_tray),
    (rf"expect {WHO} has {AMOUNT}", Scenario.expect_balance),
    (rf"expect {WHO} owes {AMOUNT}", Scenario.expect_owes),
    (rf"expect {WHO} is owed {AMOUNT}", Scenario.expect_owed),
    (rf"expect the round is void{CLAUSE}", Scenario.expect_void),
    (r"expect the round goes on", Scenario.expect_open),
    (rf"expect {WHO} holds {HAND}", lambda self, who, hand: self.expect_holder(hand, who)),
    (rf"expect (?P<name>[\w-]+){CLAUSE}(?: with(?P<fields>(?: \w+=\S+)+))?", Scenario.expect_event),
]
