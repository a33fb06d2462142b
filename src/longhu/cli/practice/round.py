"""A round as it is told: card by card with the reasons, hands passed and squeezed, the result, the settlement."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

from longhu.cards import Card, card
from longhu.cli.practice.page import HANDS, RESULTS, Page, sign_tone
from longhu.cli.practice.squeeze import Segments, could_be, drawn, side_by_side
from longhu.cli.practice.table import YOU
from longhu.deal.procedure import cited
from longhu.eventsourcing import Event
from longhu.games.vocabulary import IRREGULARITY
from longhu.messages.message import message_code
from longhu.paytable import pays
from longhu.report.blocks import Column, ColumnKind, Span, Table, Tone
from longhu.table.betting_phase import BettingClosed
from longhu.table.cutting_card import CuttingCardShown
from longhu.table.dealing import CardDrawn, ResultAnnounced, TotalsAnnounced, result_told, totals_told
from longhu.table.handling import CardsRevealed
from longhu.table.remedies.passing import HandPassed
from longhu.table.remedies.procedure import IRREGULARITY_TOLD
from longhu.table.remedies.void import IrregularityFound, RoundVoided
from longhu.table.settling import RoundCapped, RoundEnded, WagerSettled
from longhu.table.state import Round
from longhu.wording import listed

DOWN = "▒▒"
FACE_DOWN = message_code("laid-face-down", card="message")
ROUND_IS_VOID = message_code("round-is-void", why="message")


class Teller:
    """Says what happens at the table while it happens."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.round: Round | None = None  # as it stood when what is being told happened
        self._settled: list[WagerSettled] = []
        self._story = ""  # of the last round, in a line

    def hand(self, index: int) -> list[Card]:
        """The cards of a hand at the moment that is being told."""
        return [card(each.card) for each in self.round.cards_of(index)] if self.round else []

    def tell(self, event: Event) -> None:
        """What has just happened, as the table tells it; what needs no word gets none."""
        self.round = self.page.house.moment(event).round
        teller = self._tellers.get(type(event))
        if teller is not None:
            teller(event)

    @cached_property
    def _tellers(self) -> Mapping[type[Event], Callable[[Any], None]]:
        return {
            BettingClosed: self._closed,
            CardDrawn: self._card,
            CuttingCardShown: self._cutting_card,
            HandPassed: self._passed,
            CardsRevealed: self._revealed,
            TotalsAnnounced: lambda event: self._cited(
                f"The dealer announces: {self.page.words.text(totals_told(self.page.game, event.totals))}", event
            ),
            ResultAnnounced: self._result,
            WagerSettled: lambda event: self._settled.append(event),
            RoundCapped: self._capped,
            RoundEnded: lambda _event: self._settlement(),
            IrregularityFound: self._irregular,
            RoundVoided: lambda event: self._cited(self.page.words.text(ROUND_IS_VOID(why=event.why)), event),
        }

    def _cited(self, says: str, event: Event, tone: Tone = Tone.PLAIN, *, strong: bool = False) -> None:
        said = says if says.endswith((".", "。")) else f"{says}."
        self.page.say(cited(said, (event.clause,) if event.clause else ()), tone, strong=strong)

    def _irregular(self, event: IrregularityFound) -> None:
        name = IRREGULARITY[event.kind]()
        told = name if event.told is None else IRREGULARITY_TOLD(irregularity=name, told=event.told)
        self._cited(self.page.words.text(told), event)

    def _closed(self, event: BettingClosed) -> None:
        others: dict[str, list[str]] = {}
        for stake in self.round.stakes.values() if self.round else ():
            if stake.patron != YOU:
                told = f"{self.page.game.wagers[stake.wager].name.en} {self.page.amount(stake.amount)}"
                others.setdefault(stake.patron, []).append(told)
        if others:
            self.page.say(f"{'; '.join(f'{who} {listed(what)}' for who, what in others.items())}.", Tone.QUIET)
        self._cited("No more bets", event, strong=True)

    def _card(self, event: CardDrawn) -> None:
        """One card: whose it is, what the hand has now, and why it was due."""
        if self.round is None:
            return
        step = self.round.dealt(self.page.game.procedure).steps[-1]
        *before, last = step.reasons
        for reason in before:
            self.page.say(f"  {reason.text(self.page.words)}")
        index, public = self.round.hands.index(event.card.hand), event.card.public
        shown = self.page.card(step.drawn) if public else DOWN
        total = str(self.page.total(self.hand(index))) if public else ""
        names = [self.page.words.name("hand", hand.id) for hand in self.page.game.procedure.hands]
        first_cards = len(self.round.cards) <= self.page.game.procedure.initial_cards
        why = self.page.words.text(last.message)
        if first_cards and not public:
            why = self.page.words.text(FACE_DOWN(card=last.message))
        face = f"  {shown:>3}"
        self.page.line(
            Span(f"  {names[index]:{max(map(len, names))}}", HANDS[index]),
            self._face(step.drawn, face) if public else Span(face, Tone.QUIET),
            Span(f"  {total:>2}  {cited(why, last.clauses)}"),
        )

    def _face(self, each: Card, text: str) -> Span:
        return Span(text, Tone.BAD if each.suit.colour == "red" else Tone.PLAIN, strong=True)

    def _cutting_card(self, event: CuttingCardShown) -> None:
        when = " in place of the first card" if event.first else ""
        self._cited(f"The cutting card shows{when}; this is the last round of the shoe", event, Tone.EVEN, strong=True)

    def _passed(self, event: HandPassed) -> None:
        whom = {"": "stays with the dealer", YOU: "goes to you"}.get(event.to, f"goes to {event.to}")
        self._cited(f"  {self.page.names[event.hand]}'s hand {whom}", event)

    def _revealed(self, event: CardsRevealed) -> None:
        hand = [card(each) for each in event.cards if each]
        who = "You turn" if event.by == YOU else f"{event.by.capitalize()} turns"
        self.page.line(
            Span(f"  {who} "),
            Span(self.page.names[event.hand], HANDS[self.page.game.hands.index(event.hand)]),
            *(self._face(each, f" {self.page.card(each)}") for each in hand),
            Span(f" = {self.page.total(hand)}"),
        )

    def _result(self, event: ResultAnnounced) -> None:
        if self.round is not None:
            for reason in self.round.dealt(self.page.game.procedure).due.reasons:
                self.page.say(f"  {reason.text(self.page.words)}")
        self.page.say()
        self._cited(self.page.words.text(result_told(self.page.game, event)), event, strong=True)

    def _capped(self, event: RoundCapped) -> None:
        if event.patron == YOU:
            self._cited(f"The cap of the round takes {self.page.amount(event.cut)}", event, Tone.EVEN)

    def _settlement(self) -> None:
        """Line by line what became of your stakes, and in a line each what became of others'."""
        settled, self._settled = self._settled, []
        mine = [event for event in settled if event.stake.patron == YOU]
        if mine:
            columns = (
                Column("wager", ColumnKind.TEXT),
                Column("stake"),
                Column("result", ColumnKind.TEXT),
                Column("net"),
                Column("why", ColumnKind.TEXT),
            )
            self.page.out.show(Table(columns, tuple(map(self._settled_row, mine))))
        others: dict[str, int] = {}
        for event in settled:
            if event.stake.patron != YOU:
                others[event.stake.patron] = others.get(event.stake.patron, 0) + event.net
        if others:
            told = "; ".join(f"{patron} {self.page.signed(net)}" for patron, net in sorted(others.items()))
            self.page.say(f"{told}.", Tone.QUIET)
        if mine:
            net = self.page.account.round_net
            balance = f", balance {self.page.amount(self.page.house.balance())}."
            self.page.line(Span("Net "), Span(self.page.signed(net), sign_tone(net), strong=True), Span(balance))

    def _settled_row(self, event: WagerSettled) -> tuple[str | Span, ...]:
        wager = self.page.game.wagers[event.stake.wager]
        line = wager.lines[event.line]
        return (
            Span(wager.name.en, strong=True),
            self.page.amount(event.stake.amount),
            Span(f"wins {pays(line)}" if line.odds else pays(line), RESULTS.get(event.result, Tone.BAD)),
            Span(self.page.signed(event.net), sign_tone(event.net)),
            f"{line.says.en} ({event.clause})" if event.clause else line.says.en,
        )

    def one_line(self, number: int) -> None:
        """A round on one line, for many rounds at once."""
        spans = [Span(f"{number:>5}  {self._story}  ")]
        if self.page.account.round_staked:
            net = self.page.account.round_net
            spans.append(Span(self.page.signed(net), sign_tone(net)))
            spans.append(Span(f"  balance {self.page.amount(self.page.house.balance())}"))
        self.page.line(*spans)

    def keep(self, event: Event) -> None:
        """Remember what a line for the round needs; the table itself forgets a round that has ended."""
        self.round = self.page.house.moment(event).round
        if isinstance(event, ResultAnnounced):
            named = self.page.names
            hands = ", ".join(
                f"{name} {self.page.cards(self.hand(index))} = {self.page.total(self.hand(index))}"
                for index, name in enumerate(named.values())
            )
            self._story = f"{hands}: {f'{named[event.winner]} wins' if event.winner in named else 'tie'}"
        elif isinstance(event, RoundVoided):
            self._story = f"void: {self.page.words.text(event.why)}"

    # ------------------------------------------------ the squeeze

    def squeeze(self, hand: Sequence[Card], steps: Sequence[int]) -> int:
        """The cards of a hand, each bent open so far; how many lines that took."""
        lines = side_by_side([drawn(each, step) for each, step in zip(hand, steps, strict=True)])
        self._draw(lines)
        return len(lines)

    def film(self, each: Card) -> None:
        """All steps of a squeeze in a row, where nobody can press a key."""
        steps = (1, 2, 3, 4)
        self._draw(side_by_side([drawn(each, step) for step in steps]))
        self.page.say("  " + "  ".join(f"{'/'.join(could_be(each, step)):^11}" for step in steps).rstrip())

    def _draw(self, lines: list[Segments]) -> None:
        tones = {"red": Tone.BAD, "back": Tone.FIRST, "edge": Tone.QUIET}
        for line in lines:
            self.page.line(Span("  "), *(Span(part, tones.get(what, Tone.PLAIN)) for part, what in line))
