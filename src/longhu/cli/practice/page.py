"""The table on the screen: notice, scoreboard, the deal card by card, settlement, and the visit's account."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import TYPE_CHECKING

from longhu.cards import Card
from longhu.cli.practice.account import VisitAccount
from longhu.cli.practice.squeeze import written
from longhu.cli.practice.table import YOU, PracticeTable
from longhu.cli.terminal import Terminal
from longhu.eventsourcing import Refusal
from longhu.games.game import Result, Wager
from longhu.messages.localization import Localization, english
from longhu.messages.message import message_code
from longhu.money import UNSTATED, show
from longhu.paytable import pays
from longhu.report.blocks import Column, ColumnKind, Prose, Span, Table, Tone
from longhu.roads.board import DerivedRoad, RoundResult, bead_plate, big_road, round_result
from longhu.roads.text import ROADS_NOTICE, bead_plate_lines, big_road_lines, hand_signs, scoreboard_lines
from longhu.table.document import cite
from longhu.table.state import public_id
from longhu.wording import listed

if TYPE_CHECKING:
    from longhu.odds.figures import GameOdds

RESULTS = {Result.WIN.value: Tone.GOOD, Result.PUSH.value: Tone.EVEN, Result.HALF.value: Tone.HALF}
HANDS = (Tone.FIRST, Tone.SECOND)  # as scoreboards paint them
TITLES = tuple(road.title for road in DerivedRoad)
SEALED = 16  # digits of a commitment that are shown at a shuffle
BEADS = 9  # columns of the bead plate beside the big road


REFUSED = message_code("refused", reason="message")
REFUSED_BY_CLAUSE = message_code("refused-by-clause", clause="text", reason="message")


def refusal_text(refusal: Refusal, words: Localization) -> str:
    """Why not, by which clause, and on a line of its own what can be done."""
    by = (
        REFUSED_BY_CLAUSE(clause=refusal.clause, reason=refusal.reason)
        if refusal.clause
        else REFUSED(reason=refusal.reason)
    )
    return "\n".join(words.text(each) for each in (by, refusal.remedy) if each)


class Page:
    """Everything that `longhu play` shows, on a terminal with colours and otherwise as plain text."""

    def __init__(self, table: PracticeTable, account: VisitAccount, language: str = "en") -> None:
        self.house, self.account, self.game = table, account, table.game
        self.out = Terminal()
        self.money = self.game.currency or UNSTATED
        self.words = self.game.localization(language, self.money)
        self.names = {hand.id: hand.en for hand in self.game.procedure.hands}
        self.full_odds: GameOdds | None = None  # once somebody has asked

    # ------------------------------------------------ small things

    def say(self, text: str = "", tone: Tone = Tone.PLAIN, *, strong: bool = False) -> None:
        self.out.say(text, tone, strong=strong)

    def line(self, *spans: Span) -> None:
        """A line in several tones."""
        self.out.show(Prose(spans))

    def tell(self, text: str) -> int:
        """Say something on a terminal that may be wiped out again; how many lines it took."""
        self.say(text, Tone.QUIET)
        return self.out.lines_of(text)

    def amount(self, value: int) -> str:
        return show(value, self.money)

    def signed(self, value: int) -> str:
        return f"+{self.amount(value)}" if value > 0 else self.amount(value)

    def card(self, each: Card) -> str:
        return written(each) if self.out.colours else str(each)

    def cards(self, hand: Sequence[Card]) -> str:
        return " ".join(map(self.card, hand))

    def total(self, hand: Sequence[Card]) -> int:
        procedure = self.game.procedure
        return procedure.total(reduce(procedure.take, hand, procedure.empty))

    def refused(self, refusal: Refusal, what: str = "") -> None:
        """The table's own words: which rule, what was found, what can be done."""
        self.say(f"{what}{': ' if what else ''}{refusal_text(refusal, self.words)}", Tone.EVEN)

    # ------------------------------------------------ before the cards

    def welcome(self) -> None:
        settings = self.house.settings
        method = self.game.methods.get(settings.method)
        told = [f"layout {settings.layout}", *([method.name.en] if method else []), f"{settings.decks} decks"]
        self.say(f"{self.game.name}  ({self.game.id})", strong=True)
        self.say(
            f"{', '.join(told)}; you are at {YOU}"
            + (f", with {self.house.others} others." if self.house.others else ".")
        )
        if self.house.seed is not None:
            self.say(
                f"Practice play: the cards come from seed {self.house.seed}, so whoever knows it knows them all.",
                Tone.EVEN,
            )
        else:
            self.say("No money is at stake. The operating system's generator shuffles the cards.", Tone.QUIET)
        for reading in self.game.readings.values():
            if reading.chosen != reading.default:
                says = reading.options[reading.chosen].says.en
                self.say(f"Under the reading {reading.id}={reading.chosen}: {says}.", Tone.EVEN)

    def notice(self) -> None:
        """The notice of the table: what may be wagered on, and how much (IDT-3.5.1c, D21-5.12b)."""
        rows = []
        for id, limit in self.house.settings.limits.items():
            wager = self.game.wagers[id]
            odds = ", ".join(dict.fromkeys(pays(line) for line in wager.lines if line.result is not Result.LOSE))
            rows.append((Span(str(wager.name), strong=True), odds, self.amount(limit.min), self.amount(limit.max)))
        columns = (Column("wager", ColumnKind.TEXT), Column("pays", ColumnKind.TEXT), Column("min"), Column("max"))
        self.out.show(Table(columns, tuple(rows)))
        for wager in self.offered():
            if wager.requires:
                beside = listed([self.game.wagers[id].name.en for id in wager.requires], "or")
                self.say(f"{wager.name.en} only beside {beside}.")
        if self.game.cap:
            cited = f" ({self.game.cap.clauses[0]})" if self.game.cap.clauses else ""
            self.say(f"One round credits at most {self.amount(self.game.cap.amount)}{cited}.")

    def offered(self) -> Iterable[Wager]:
        return (self.game.wagers[id] for id in self.house.settings.limits)

    def _limits_in_short(self) -> str:
        """`Player and Banker 5.00 to 500.00; the others to 100.00`"""
        spans: dict[str, list[str]] = {}
        for wager in self.offered():
            limit = self.house.settings.limits[wager.id]
            span = f"{self.amount(limit.min)} to {self.amount(limit.max)}"
            spans.setdefault(span, []).append(wager.name.en)
        several = len(spans) > 1
        last = list(spans)[-1]
        named = [
            f"{('the others' if several else 'all wagers') if span == last and len(names) > 2 else listed(names)} {span}"
            for span, names in spans.items()
        ]
        return "; ".join(named)

    def round_opens(self) -> None:
        """The head of a round: scoreboard, limits, balance."""
        round, shoe = self.house.table.round, self.house.table.shoe
        number = round.number if round else 0
        self.say()
        self.say(f"── Round {number} ".ljust(min(self.out.width, 80), "─"), strong=True)
        self.board()
        self.say(f"Limits: {self._limits_in_short()}.", Tone.QUIET)
        cards = f"; {shoe.cut_at - shoe.drawn} cards to the cutting card" if shoe and shoe.cut_at else ""
        session = self.signed(self.account.net)
        cited = cite(self.game, "opening-call")
        self.say(f"Balance {self.amount(self.house.balance())}, so far {session}{cards}.")
        self.say(f"Place your bets, please{f' ({cited})' if cited else ''}.", strong=True)
        if self.house.stakes():
            self.layout()
        elif self.house.balance() < min(limit.min for limit in self.house.settings.limits.values()):
            self.say("No wager takes so little: `buy 500` brings chips, `leave` ends the visit.", Tone.EVEN)

    def new_shoe(self) -> None:
        shoe = self.house.table.shoe
        if shoe is None or (shoe.number > 1 and self.game.reshuffled):
            return
        cited = cite(self.game, "shuffle")
        cutter = ", and you cut" if shoe.cut_by == public_id(self.house.table, YOU) else ""
        again = "for every round anew" if self.game.reshuffled else f"shoe {shoe.number}"
        self.say(f"The dealer shuffles {shoe.left} cards{cutter}: {again}{f' ({cited})' if cited else ''}.")

    def called(self, label: str) -> str:
        """Who goes by this in public."""
        return next((name for name in self.house.table.people if public_id(self.house.table, name) == label), label)

    def sealed(self) -> None:
        """The beginning of the commitment, to be compared when the secret is told (RUL-6)."""
        shuffle = self.house.table.shuffle
        if shuffle is None or (shuffle.number > 1 and self.game.reshuffled):
            return
        self.say(
            f"Committed to {shuffle.commitment[:SEALED]}…; `contribute TEXT` adds to the next shuffle, `shuffle` tells more.",
            Tone.QUIET,
        )

    def shuffle(self) -> None:
        """What the shoe in use follows from, as far as anybody may know, and what the last one is checked with."""
        for shuffle in filter(None, (self.house.revealed, self.house.table.shuffle)):
            mix = shuffle.mix
            self.say(f"Shoe {shuffle.number} of table {self.house.settings.table}", strong=True)
            if mix is not None:
                cut = (
                    f"; cut by {self.called(mix.cut_by) or 'the dealer'}, {mix.cut_at} before the cutting card"
                    if mix.cut_at
                    else ""
                )
                self.say(f"  cards         {sum(mix.counts)}{cut}")
            self.say(f"  commitment    {shuffle.commitment}")
            for each in shuffle.contributions:
                self.say(f"  {self.called(each.person):13} contributed {each.value}")
            self.say(f"  secret        {shuffle.secret or 'told when the shoe is over'}")
        if self.house.contribution:
            self.say(f"The next shuffle takes in your {self.house.contribution!r}.")
        self.say("`longhu verify FILE` makes every shuffle of a table with --log FILE again.", Tone.QUIET)

    def layout(self) -> None:
        """What lies there now."""
        stakes = self.house.stakes()
        told = ", ".join(f"{self.game.wagers[id].name.en} {self.amount(stake)}" for id, stake in stakes.items())
        lies = f"On the layout: {told}" if told else "Nothing of yours lies on the layout"
        self.say(f"{lies}. Balance {self.amount(self.house.balance())}.")

    # ------------------------------------------------ the scoreboard

    @property
    def results(self) -> list[RoundResult]:
        return [round_result(self.game.hands, each.winner, each.pairs) for each in self.house.table.results]

    def board(self) -> None:
        """Bead plate and big road side by side, with what they count."""
        results = self.results
        if not results:
            return
        hands = self.game.procedure.hands
        beads = bead_plate_lines(bead_plate(results), hands, BEADS)
        room = max(10, (min(self.out.width, 120) - BEADS * 4 - 6) // 3)
        road = big_road_lines(big_road(results), hands, room)
        wide = max(len("Bead Plate"), *map(len, beads)) + 3
        self.say(f"  {'Bead Plate':{wide}}Big Road", Tone.QUIET)
        for bead, big in zip(beads, road, strict=True):
            if bead or big:
                self._signs(f"  {bead:{wide}}{big}")
        counts = [sum(result.winner == hand for result in results) for hand in (0, 1, None)]
        told = ", ".join(f"{name} {count}" for name, count in zip([*self.names.values(), "ties"], counts, strict=True))
        self.say(f"  {told}; for information only.", Tone.QUIET)

    def roads(self) -> None:
        if not self.results:
            self.say("The scoreboard is empty: no round of this shoe has ended.")
            return
        columns = min(self.out.width, 120) // 4 - 1
        lines = [line for line in scoreboard_lines(self.results, self.game.procedure.hands, columns) if line]
        for line, after in zip(lines, [*lines[1:], ""], strict=True):
            if line.startswith("  "):
                self._signs(line)
            elif line not in TITLES or after.startswith("  "):  # a road that has not begun needs no title
                self.say(line, Tone.QUIET if line == english(ROADS_NOTICE()) else Tone.PLAIN)

    def _signs(self, line: str) -> None:
        """A line of a road, its letters in the colours of the hands."""
        first, second = hand_signs(self.game.procedure.hands)
        tones = {first: HANDS[0], second: HANDS[1], "=": Tone.GOOD, "/": Tone.GOOD, "o": HANDS[1], "x": HANDS[0]}
        self.line(*(Span(sign, tones.get(sign, Tone.PLAIN)) for sign in line.rstrip()))


def sign_tone(net: int) -> Tone:
    return Tone.GOOD if net > 0 else Tone.BAD if net < 0 else Tone.EVEN
