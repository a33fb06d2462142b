"""A visit to the table: wagers are typed, the cards come, hands are squeezed, and in the end somebody leaves."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from math import ceil

from longhu.cards import card
from longhu.cli.practice.figures import show_lines, show_odds, show_summary
from longhu.cli.practice.page import Page
from longhu.cli.practice.round import Teller
from longhu.cli.practice.squeeze import STEPS, could_be
from longhu.cli.practice.table import YOU, YourHand
from longhu.cli.practice.words import NotUnderstood, command, help_lines, wager_named, wagers
from longhu.cli.terminal import unbroken
from longhu.eventsourcing import Refusal
from longhu.money import MoneyError, parse
from longhu.report.blocks import Column, ColumnKind, Span, Table, Tone
from longhu.report.text import width
from longhu.table.dealing import CardDrawn
from longhu.table.handling import CardsRevealed, RefuseHand, RevealHand, SqueezeCard
from longhu.table.shuffling import unfit
from longhu.table.state import STEPS as SQUEEZE_STEPS
from longhu.wording import listed, shown, suggest

PAUSE = 0.35  # seconds, after a card on a terminal
CARDS_WIDE, CARD_COLUMNS = 5, 13  # cards beside each other while one is squeezed, and the room for one
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


class Gone(Exception):
    """The patron leaves."""


class PracticeVisit:
    """One patron from sitting down to leaving."""

    def __init__(self, page: Page, *, fast: bool = False) -> None:
        self.page, self.teller, self.house, self.game = page, Teller(page), page.house, page.game
        self.keyboard = sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
        self.pause = 0.0 if fast or not self.keyboard else PAUSE
        self.hurry = False  # the patron has left while cards were out: the round is finished without stops
        if self.keyboard:
            with suppress(ImportError):
                import readline  # noqa: F401  (arrows and history at the prompt)
        elif hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")

    def play(self) -> None:
        """Rounds until the patron leaves; a round that has begun is always finished."""
        self.page.welcome()
        self.page.notice()
        self.page.say(f"`{self._example()}` places a wager, Enter deals, `help` tells the rest.")
        try:
            while True:
                self._round()
        except (Gone, KeyboardInterrupt):
            self._finish()
        show_summary(self.page)

    def _example(self) -> str:
        wager = next(iter(self.house.settings.limits))
        return f"{wager} {self.page.amount(self.house.settings.limits[wager].min * 10)}"

    def _round(self) -> None:
        if self.house.new_shoe():
            self.page.new_shoe()
            self.page.sealed()
        self.house.open_round()
        self.page.round_opens()
        while not self._bet():
            pass
        self._deal()

    @unbroken()
    def _finish(self) -> None:
        """Leave: wagers come back while betting is open; after the call the round is dealt out first."""
        self.hurry, self.pause = True, 0.0
        mine = bool(self.house.stakes())
        if self._closed:
            why = "Your wagers are on the table, so the" if mine else "The"
            self.page.say()
            self.page.say(f"{why} round is finished first.")
            self._deal_on()
        elif mine:
            self.page.say()
            self.page.say("You take your wagers back.")
        self.house.leave()

    @property
    def _closed(self) -> bool:
        from longhu.table.state import Phase

        round = self.house.table.round
        return round is not None and round.phase is not Phase.BETTING

    # ------------------------------------------------ typing

    def _read(self, prompt: str) -> str:
        """A line from the keyboard or the pipe; a pipe's line is shown, so that the page reads as a session."""
        try:
            line = input(prompt) if self.keyboard else self._piped(prompt)
        except EOFError:
            raise Gone from None
        return line.strip()

    def _piped(self, prompt: str) -> str:
        line = sys.stdin.readline() if sys.stdin is not None else ""
        if not line:  # the end of it; or there was no input from the start
            raise EOFError
        printable = "".join(sign if sign.isprintable() else "?" for sign in line.rstrip("\r\n"))
        print(f"{prompt}{printable}".rstrip())
        return printable

    def _bet(self) -> bool:
        """One line at the prompt; True once the cards are to be dealt."""
        line = self._read("> ")
        try:
            told = command(line)
            if told is None:
                self._place(line)
            else:
                word, rest = told
                if not word:
                    return self._call()
                getattr(self, f"_{word}")(rest)
        except (NotUnderstood, MoneyError) as error:
            self.page.say(f"{str(error)[:1].upper()}{str(error)[1:]}.", Tone.EVEN)
        return False

    def _call(self) -> bool:
        """No more bets: the others place theirs, then the dealer calls."""
        self.house.others_bet()
        act = self.house.dealers_act()
        if isinstance(act, Refusal):
            self.page.refused(act)
            return False
        if isinstance(act, list):
            for event in act:
                self.teller.tell(event)
        return True

    def _place(self, line: str) -> None:
        named = wagers(self.game, line)
        for wager, amount in named:
            decision = self.house.bet(wager.id, amount)
            if isinstance(decision, Refusal):
                self.page.refused(decision, wager.name.en if len(named) > 1 else "")
        self.page.layout()

    def _same(self, _rest: str) -> None:
        last = self.page.account.last
        if not last:
            self.page.say("There is no round of yours to repeat.", Tone.EVEN)
            return
        self._place(" ".join(f"{wager} {self.page.amount(amount)}" for wager, amount in last.items()))

    def _double(self, _rest: str) -> None:
        stakes = self.house.stakes()
        if not stakes:
            self.page.say("Nothing of yours lies on the layout to be doubled.", Tone.EVEN)
            return
        self._place(" ".join(f"{wager} {self.page.amount(amount)}" for wager, amount in stakes.items()))

    def _clear(self, rest: str) -> None:
        wager = wager_named(self.game, rest.split()) if rest else None
        if rest and wager is None:
            raise NotUnderstood(f"there is no wager {rest[:40]!r}.{suggest(rest, self.house.settings.limits)}")
        for id in [wager.id] if wager else [*reversed(self.house.stakes())]:
            decision = self.house.take_back(id)
            if isinstance(decision, Refusal):
                self.page.refused(decision)
        self.page.layout()

    def _odds(self, _rest: str) -> None:
        show_odds(self.page)

    def _limits(self, _rest: str) -> None:
        self.page.notice()

    def _roads(self, _rest: str) -> None:
        self.page.roads()

    def _buy(self, rest: str) -> None:
        decision = self.house.buy(YOU, parse(rest, self.page.money))
        if isinstance(decision, Refusal):
            self.page.refused(decision)
        self.page.layout()

    def _contribute(self, rest: str) -> None:
        if (problem := unfit(rest)) is not None:
            raise NotUnderstood(f"{self.page.words.text(problem)} Write it behind, as in `contribute 6 1 4 4 2`.")
        self.house.contribution = rest
        self.page.say("It goes into the next shuffle, when that has been committed to.")

    def _shuffle(self, _rest: str) -> None:
        self.page.shuffle()

    def _leave(self, _rest: str) -> None:
        raise Gone

    def _help(self, _rest: str) -> None:
        rows = tuple((Span(words, strong=True), says) for words, says in help_lines(self.game))
        self.page.out.show(Table((Column("type", ColumnKind.TEXT), Column("to", ColumnKind.TEXT)), rows))

    def _rules(self, rest: str) -> None:
        from longhu.clauses import clauses

        if not rest:
            self.page.notice()
            return
        wager = wager_named(self.game, rest.split())
        clause = next((each for id, each in clauses().items() if id.lower() == rest.lower()), None)
        if wager is not None:
            show_lines(self.page, wager)
        elif clause is not None:
            self.page.say(f"{clause.id}: {clause.requirement}")
        else:
            raise NotUnderstood(f"{rest[:40]!r} is no wager and no clause.{suggest(rest, self.house.settings.limits)}")

    # ------------------------------------------------ the deal

    def _deal(self) -> None:
        try:
            self._deal_on()
        finally:
            sys.stdout.flush()

    def _deal_on(self) -> None:
        """Everything from the first card to the payments."""
        while (act := self.house.dealers_act()) is not None:
            if isinstance(act, YourHand):
                self._your_hand(act.hand)
            elif isinstance(act, Refusal):
                raise AssertionError(f"the dealer was refused: {act}")
            else:
                for event in act:
                    self.teller.tell(event)
                    if self.pause and isinstance(event, CardDrawn | CardsRevealed):
                        time.sleep(self.pause)

    # ------------------------------------------------ the squeeze

    def _your_hand(self, hand: str) -> None:
        """You hold these cards: bend them open one after the other, or turn them at once, or pass them on."""
        round = self.house.table.round
        if round is None:
            raise AssertionError("a hand without a round")
        places = [place for place, each in enumerate(round.cards) if each.hand == hand]
        hidden = [place for place in places if not round.cards[place].public]
        if not self.hurry:
            if self.keyboard:
                if self._squeeze(hand, places, hidden):
                    for event in self.house.must(RefuseHand(by=YOU, at=self.house.now(), hand=hand)):
                        self.teller.tell(event)
                    return
            else:
                for place in hidden:
                    self.teller.film(card(round.cards[place].card))
                    self._bend(place, STEPS)
        for event in self.house.must(RevealHand(by=YOU, at=self.house.now(), hand=hand)):
            self.teller.tell(event)

    def _bend(self, place: int, step: int) -> None:
        """Tell the table how far a card has been bent open."""
        core = max(1, step * SQUEEZE_STEPS // STEPS)
        self.house.must(SqueezeCard(by=YOU, at=self.house.now(), place=place, step=core))

    def _squeeze(self, hand: str, places: list[int], hidden: list[int]) -> bool:
        """Card by card and step by step, drawn over itself; True where the hand is passed on unseen."""
        round = self.house.table.round
        if round is None:
            raise AssertionError("a squeeze without a round")
        faces = {place: card(round.cards[place].card) for place in places}
        steps = {place: 0 if place in hidden else STEPS for place in places}
        self.page.say(f"  {self.page.names[hand]}'s cards are in your hands.")
        in_view = places[-max(1, min(CARDS_WIDE, (self.page.out.width - 2) // CARD_COLUMNS)) :]
        height, untouched = 0, True
        for place in hidden:
            while steps[place] < STEPS:
                self._up(height)
                height = self.teller.squeeze([faces[each] for each in in_view], [steps[each] for each in in_view])
                told = f"The {_ordinal(places.index(place))} card, from the long edge."
                if steps[place]:
                    told = f"It can be {listed(could_be(faces[place], steps[place]), 'or')}."
                key, lines = self._key(told, untouched=untouched)
                height += lines
                if key:
                    self._up(height)
                    return key == "n"
                steps[place] += 1
                untouched = False
                self._bend(place, steps[place])
        self._up(height)
        self.teller.squeeze([faces[each] for each in in_view], [STEPS] * len(in_view))
        return False

    def _key(self, told: str, *, untouched: bool) -> tuple[str, int]:
        """What is done with the card, and on how many lines that was asked.

        No card is bent back, so a word that means nothing here does nothing.
        """
        lines = self.page.tell(f"  {told}")
        prompt = f"  Enter bends it further, r turns all{', n passes it on' if untouched else ''}: "
        while True:
            typed = self._read(prompt)
            lines += ceil(width(prompt + typed) / self.page.out.width)
            key = typed.lower()
            if key in ("", "r") or (key == "n" and untouched):
                return key, lines
            if command(key) == ("leave", ""):
                raise Gone
            keys = "Enter, r, n" if untouched else "Enter, r"
            lines += self.page.tell(f"  {shown(typed)} does nothing here. Possible: {keys}, leave.")

    def _up(self, lines: int) -> None:
        """Back to the top of the drawing, on terminals that can."""
        if lines and os.environ.get("TERM", "dumb") != "dumb":
            sys.stdout.write(f"\x1b[{lines}A\x1b[J")
            sys.stdout.flush()


def _ordinal(place: int) -> str:
    """A card by its place in the hand, from 0."""
    return ORDINALS[place] if place < len(ORDINALS) else f"{place + 1}th"
