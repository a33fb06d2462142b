"""The way of a table through rounds like others before, among what the rules have confirmed.

A walk goes on from round to round as long as each line is known from where it stands. What it has passed becomes the table
when somebody needs that: many rounds are put away at once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import chain

from longhu.audit.record import decode
from longhu.audit.shoes import ShoeWatch
from longhu.audit.shortcut import change
from longhu.audit.shortcut.forms import FACE, TIME, Form, Kind, Who
from longhu.audit.shortcut.hands import NUMBERS
from longhu.audit.shortcut.medley import Medley, Turn, split
from longhu.audit.shortcut.state_text import StateText
from longhu.audit.shortcut.steps import NONE, WAGERS_MAX, Bets, Closing, Ending, Memory, Spot
from longhu.ledger import LedgerError, post
from longhu.money import Money
from longhu.table.messages import TABLE
from longhu.table.settling import RoundEnded, round_ended
from longhu.table.shoe import finished
from longhu.table.state import Card, Phase, Round, ShoeInUse, Table, replace

REST, BETTING, DEALING, SETTLING = "between rounds", "betting", "dealing", "settling"
STARTS = (b'{"event":"round-started/1"', b'{"event":"shoe-ended/1"')  # what may come first
ROUND_MAX = 3_600_000  # milliseconds; a longer round may have met some deadline
BOUNDLESS = 1 << 30
STAKE, SINCE = b'"stake":{', b',"since":'
WHERE = (150, 500)  # in a line, a stake begins
HEX, SALT, NEXT_FACE = b"0123456789abcdef", slice(-35, -3), b'","'  # (a salt stands before the end of its line)
Stood = tuple[int, bytes, bytes]  # a record: its number, digest and time, as lines have them
START, WAGER, CLOSE, CARD, HIDDEN, CUT, TURN, TOLD, RESULT, SETTLED, ENDED, CHANGE, LAID, CAME = Kind
UNENDED = Ending(-1, b"", None)


def may_walk(table: Table, last_at: int) -> bool:
    """Is it a table between rounds, at which the next round or the next shoe can be like others?"""
    settings, shoe = table.settings, table.shoe
    if settings is None or shoe is None or table.round is not None or table.kept:
        return False
    return settings.equipment.setup != "continuous-shuffler" and len(str(last_at)) == TIME


def may_open(table: Table) -> bool:
    """Can an ordinary round be dealt from its shoe?"""
    return table.shoe is not None and not finished(table) and not table.shoe.cutting_card_out


class Passed:
    """How many of what a walk has passed since it was last asked."""

    __slots__ = ("cards", "commands", "face_down", "postings", "records", "rounds", "states", "wagers")

    def __init__(self) -> None:
        self.records = self.commands = self.postings = self.face_down = 0
        self.rounds = self.cards = self.wagers = self.states = 0


class Walk:
    """Where a table stands among what is known, and what was left out of that and must be right."""

    def __init__(
        self,
        memory: Memory,
        table: Table,
        balances: dict[str, Money],
        stood: Stood,
        shoes: ShoeWatch,
        anchors: Collection[int],
    ) -> None:
        self.memory, self.place, self.balances, self.shoes = memory, memory.place(table), balances, shoes
        self.medley = self.place.medley = self.place.medley or Medley(table, memory.game)
        self._anchors = anchors  # records that have to be held against what somebody has kept
        self.reshuffled, self.burn = memory.game.reshuffled, table.settings.burn if table.settings else 0
        self.table = table  # as it was before the lines in `told`, and before the rounds that are not put away yet
        self.whole = True  # it stood between rounds then
        self.started_from = table  # at the start of this round
        self.before = dict(balances)
        self.told: list[bytes] = []
        self.state = StateText()
        self.leaps = False  # whether somebody takes many rounds at once, whenever the walk stands between two
        # The last record, and the last of which all is sure.
        self.sequence, self.head, self.last = self.stood = stood
        # Where among what is known.
        self.phase = REST
        self.spot: Spot = self.place.rest
        self.bets, self.deal, self.hands = Bets(), self.place.deal, memory.no_cards
        self.half_told: Who | None = None  # whose command is; None for nobody's
        self.sound = True  # money was there
        # What was left out.
        self.round, self.started, self.ending = table.rounds, b"", UNENDED
        self.since: dict[str, bytes] = {}
        self.cards: list[tuple[bytes, int]] = []  # of this round, with their hands
        self.faces: tuple[list[bytes], list[bytes]] = ([], [])
        self.watched = 0  # of the cards, by those who watch the shoe
        self.shoe, self.counts, self.drawn, self.holds, self.most, self.cut_at = b"", [0], 0, 0, 0, 0
        self.opens, self.asked_for = may_open(table), b""  # a round; the card behind the cutting card
        self.use(table.shoe)
        # What is not told yet.
        self.passed = Passed()
        self._open = (0, 0, 0, 0)  # commands, postings, cards face down, wagers settled in the lines told
        self._laid: list[tuple[bytes, int]] = []  # in rounds that are not put away yet
        self._endings: list[int] = []
        self._closing: Closing | None = None
        self._lay_since: Mapping[str, bytes] = {}  # the stakes of the last of them

    def use(self, shoe: ShoeInUse | None) -> None:
        """The shoe from which cards come."""
        if shoe is None:
            raise AssertionError("a walk without a shoe")
        self.shoe, self.counts, self.drawn = b"%d" % shoe.number, list(shoe.counts), shoe.drawn
        self.holds, self.cut_at = shoe.drawn + shoe.left, shoe.cut_at or BOUNDLESS
        self.most = min(self.holds, self.cut_at)  # cards that may leave it, all in all, until something else happens

    def cutting_card(self, behind: bytes) -> None:
        """It has shown, and this card was asked for: no other round is dealt from the shoe as if it had not."""
        self.opens, self.asked_for, self.cut_at, self.most = False, behind, BOUNDLESS, self.holds

    # ------------------------------------------------ lines

    def on(self, first: bytes, rest: Iterator[bytes]) -> bytes | None:  # noqa: C901  # one list, read from top to bottom
        """Take lines as long as they are known; the first that is not, None where there are no more.

        What a line must be is written from what is known, and compared. Only time, face and salt are taken from the line
        itself, and each is checked.
        """
        place, balances, memory, medley, kept = self.place, self.balances, self.memory, self.medley, self.next_kept()
        sequence, head, last, phase, spot = self.sequence + 1, self.head, self.last, self.phase, self.spot
        bets, deal, hands, ending, half_told = self.bets, self.deal, self.hands, self.ending, self.half_told
        since, cards, faces, counts, told = self.since, self.cards, self.faces, self.counts, self.told
        shoe, drawn, most, round = self.shoe, self.drawn, self.most, b"%d" % (self.round + (phase is REST))
        (commands, postings, face_down, wagers), stray = self._open, None
        for each in chain((first,), rest):
            number = b"%d" % sequence
            width = len(number)

            # What was confirmed from here?
            if phase is DEALING:
                forms = deal.met.get(hands.cue) or deal.at(hands)
                if drawn >= most:
                    forms = deal.forms.get(CUT, NONE) + forms
                if deal.passes and deal in bets.passes:
                    forms = bets.passes[deal].forms[None] + forms
                elif medley.is_for(bets):
                    forms += medley.announced(deal, hands) + medley.drawn(deal, hands)
                    if deal.passes_hand >= 0:
                        forms += deal.passed.forms.get(medley.holder(bets, since, deal.passes_hand), NONE)
            elif phase is BETTING:
                start = each.find(STAKE, *WHERE)
                stake = each[start : each.find(SINCE, start)] if start > 0 else b""
                forms = bets.forms.get(stake or None) or self._alone(bets, stake)
            else:
                forms = spot.forms.get(None, NONE)

            # Is it that again?
            stray = each
            for form in forms:
                kind, start = form.kind, form.at + width
                at = each[start : start + TIME]
                if at < last or (at > last) is not form.later or form.goes_on != half_told:
                    continue
                if kind is HIDDEN:
                    start = form.face + width
                    face, salt = each[start : start + FACE], each[SALT]
                    due = form.text % (number, head, at, face, shoe, salt)
                elif kind is CARD:
                    start = form.face + width
                    face, salt = each[start : start + FACE], b""
                    due = form.text % (number, head, at, face, shoe)
                elif kind is TOLD:
                    due = form.text % (number, head, at)
                elif kind is TURN:
                    due = form.text % (number, head, at, NEXT_FACE.join(faces[form.hand]))
                elif kind is SETTLED:
                    due = form.text % (number, head, at, since.get(form.key, b""))
                elif kind is WAGER:
                    due = form.text % (number, head, at, at)
                elif kind is LAID:
                    amount = b"%d" % split(stake)[1]
                    due = form.text % (number, head, at, amount, at, amount)
                elif kind is CAME and isinstance(spot, Turn):
                    lay = since.get(form.key, b"")
                    due = form.text % (number, head, at, *spot.told(lay))
                elif kind is START or kind is CLOSE:
                    due = form.text % (number, head, at, round)
                elif kind is RESULT:
                    if hands.draw is None:
                        continue
                    ending = memory.ending(hands.draw, *faces)
                    if ending.winner != form.winner:
                        continue
                    due = form.text % (number, head, at, ending.text)
                elif kind is ENDED:
                    due = form.text % (number, head, at, round, ending.text)
                elif kind is CUT:
                    start = form.face + width
                    face = each[start : start + FACE]
                    due = form.text % (number, head, at, at, face)
                else:
                    due = form.text % (number, head, at, *change.values(self, form, each, at))
                if each == due:
                    stray = None
                    break
            if stray is not None or sequence == kept or not at.isdigit():
                stray = each
                break

            # Where does it lead, and which money moves?
            money: Sequence[tuple[str, int]] = form.money
            if kind is HIDDEN or kind is CARD:
                which, hand = NUMBERS.get(face), hands.due
                if which is None or hand is None or not counts[which] or drawn >= most or salt.translate(None, HEX):
                    stray = each
                    break
                if form.behind_cut and face != self.asked_for:
                    stray = each
                    break
                counts[which] -= 1
                drawn += 1
                hands = hands.met.get(face) or hands.then(face)
                cards.append((face, hand))
                faces[hand].append(face)
                face_down += kind is HIDDEN
                deal = deal.after_card(hand, hidden=kind is HIDDEN) if form.alone else form.deal
            elif phase is DEALING:
                if kind is RESULT:
                    spot, phase = self.settling(bets, ending), SETTLING
                else:
                    deal = deal.totals_told() if form.alone else form.deal
                    if kind is CUT:
                        if drawn < self.cut_at:
                            stray = each
                            break
                        self.cutting_card(face)
                        most = self.most
            elif phase is BETTING:
                if kind is LAID:
                    bets, since[form.key] = medley.after(bets, stake), at
                    money = form.moved(int(amount), 0)
                elif kind is WAGER:
                    bets, since[form.key] = form.bets, at
                else:
                    bets, phase = bets if form.alone else form.bets, DEALING
            elif phase is SETTLING:
                if kind is ENDED and int(at) - int(self.started) > ROUND_MAX:
                    stray = each
                    break
                wagers += kind is SETTLED or kind is CAME
                if isinstance(spot, Turn):
                    money = form.moved(spot.amount, spot.net)
                    spot = spot.then
                else:
                    spot = form.spot
            elif kind is START:
                if not self.opens or (self.reshuffled and drawn > self.burn):
                    stray = each
                    break
                self.round, self.started = self.round + 1, at
                bets, deal, hands, phase = form.bets, place.deal, memory.no_cards, BETTING
            elif change.happens(self, form, each[:-1]):
                spot, shoe, counts, drawn, most = form.spot, self.shoe, self.counts, self.drawn, self.most
            else:
                stray = each
                break
            if money:
                try:
                    post(balances, money)
                except LedgerError:
                    self.sound, stray = False, each
                    break
                postings += len(money)
            line = each[:-1]
            told.append(line)
            sequence += 1
            commands += form.commands
            head, last = sha256(line).hexdigest().encode(), at
            # (With no wagers, the result ends the round, too.)
            half_told = None if (bets.layout if kind is RESULT else form.complete) else form.who

            # Between two rounds, and between two steps in the change of a shoe, there is no way back.
            if half_told is None and (kind is ENDED or kind is CHANGE):
                self.drawn, self._open, phase = drawn, (commands, postings, face_down, wagers), REST
                if kind is ENDED:
                    self._round_over(medley.closing(bets, ending) if form.alone else form.closing, ending)
                    since, cards, faces, round = self.since, self.cards, self.faces, b"%d" % (self.round + 1)
                self.sure((sequence - 1, head, last))
                told, commands, postings, face_down, wagers = self.told, 0, 0, 0, 0
                if self.leaps and (kind is ENDED or spot is place.rest):
                    break
        self.sequence, self.head, self.last, self.phase, self.spot = sequence - 1, head, last, phase, spot
        self.bets, self.deal, self.hands, self.ending, self.half_told = bets, deal, hands, ending, half_told
        self.drawn, self._open = drawn, (commands, postings, face_down, wagers)
        return stray

    def _alone(self, bets: Bets, stake: bytes) -> tuple[Form, ...]:
        """What is known of a wager by itself, or of the closing call; a wager that came here before is rather learned."""
        if not stake:
            return self.medley.closed.forms.get(None, NONE) if self.medley.is_for(bets) else NONE
        if self.learns_layouts and not bets.fleeting and not bets.is_new(stake):
            return NONE
        return self.medley.placed(bets, stake)

    @property
    def learns_layouts(self) -> bool:
        """Are wagers still remembered with all that lay there before?"""
        return self.place.wagers < WAGERS_MAX and (self.reshuffled or not self.medley.is_busy)

    def settling(self, bets: Bets, ending: Ending) -> Spot:
        """Where these wagers are settled."""
        if self.medley.is_for(bets):
            return self.medley.settling(bets, ending, self.place.rest) or Spot()
        return bets.ends.get(ending.number) or bets.end(self.memory.game, ending.number)

    @property
    def is_between_rounds(self) -> bool:
        return self.phase is REST and self.spot is self.place.rest

    def next_kept(self) -> int:
        """The next record that somebody has kept the digest of; those are for the rules."""
        return min((each for each in self._anchors if each > self.sequence), default=0)

    def lead(self, form: Form) -> None:
        """Where the walk stands after a line of this form, at the time of the last."""
        kind = form.kind
        if kind is WAGER or kind is CLOSE:
            self.bets, self.phase = form.bets, BETTING if kind is WAGER else DEALING
        elif kind is START:
            self.round, self.started, self.bets, self.phase = self.round + 1, self.last, form.bets, BETTING
            self.deal, self.hands = self.place.deal, self.memory.no_cards
        elif kind is RESULT:
            self.spot, self.phase = self.settling(self.bets, self.ending), SETTLING
        elif self.phase is DEALING:
            self.deal = form.deal
        else:
            self.spot, self.phase = form.spot, REST if kind is ENDED else self.phase

    # ------------------------------------------------ what was passed

    def sure(self, stood: Stood) -> None:
        """Everything up to this record is sure; the lines told so far are done with."""
        passed, (commands, postings, face_down, wagers) = self.passed, self._open
        passed.records += len(self.told)
        passed.commands += commands
        passed.postings += postings
        passed.face_down += face_down
        passed.wagers += wagers
        self.stood, self.before, self.told, self._open = stood, dict(self.balances), [], (0, 0, 0, 0)

    def _round_over(self, closing: Closing | None, ending: Ending) -> None:
        """A round is put away with others, or by itself where it leaves something special behind."""
        self.passed.rounds += 1
        if self.whole and self.opens and closing is not None and closing.all:
            self._laid += self.cards
            self._endings.append(ending.number)
            self._closing, self._lay_since = closing, self.since
        else:
            self._apply()
        self.new_round()

    def leap(
        self,
        stood: Stood,
        *,
        cards: list[tuple[bytes, int]],
        endings: list[int],
        closing: Closing | None,
        since: Mapping[str, bytes],
    ) -> None:
        """Whole rounds of the shoe in use were taken at once; they are put away with others."""
        self._laid += cards
        self._endings += endings
        if closing is not None:
            self._closing, self._lay_since = closing, since
        self.sequence, self.head, self.last = stood
        self.sure(stood)
        self.new_round()

    def new_round(self) -> None:
        """Nothing is on the layout."""
        self.whole, self.since, self.cards, self.faces, self.watched = True, {}, [], ([], []), 0

    def settled(self) -> Table:
        """The table with all rounds put away, by the table's own function, which takes many like one."""
        closing, cards = self._closing, self._laid
        if closing is not None:
            self.table = put_away(self.table, self.balances, cards, self._endings, closing, self._lay_since)
            self.shoes.drew([_LAID[each].card for each in cards])
            self.passed.cards += len(cards)
            self._closing, self._laid, self._endings = None, [], []
        return self.table

    def _apply(self) -> None:
        """The lines told become the table, event by event."""
        table = self.settled()
        if self.whole:
            self.started_from = table
        for line in self.told:
            event = decode(line).event
            table = TABLE.evolvers[type(event)](table, event)
        self.table = table
        new = self.cards[self.watched :]
        self.shoes.drew([face.decode() for face, _ in new])
        self.passed.cards += len(new)
        self.watched += len(new)

    def catch_up(self) -> bool:
        """Can somebody ask the rules about the next line? Then the table is as all lines so far have made it."""
        lasts = self.phase is not REST and int(self.last) - int(self.started) > ROUND_MAX
        if lasts or self.half_told is not None or not self.sound:
            return False
        self._apply()
        self.whole = self.phase is REST
        self.sure((self.sequence, self.head, self.last))
        return True

    def back(self) -> list[bytes]:
        """The lines since the last sure record, as if they had never been taken; the walk is over."""
        self.settled()
        self.balances.clear()
        self.balances.update(self.before)
        return self.told


_LAID = {(face, hand): Card(face.decode(), hand, True) for face in NUMBERS for hand in (0, 1)}


def put_away(
    table: Table,
    balances: dict[str, Money],
    cards: Sequence[tuple[bytes, int]],
    endings: Sequence[int],
    closing: Closing,
    since: Mapping[str, bytes],
) -> Table:
    """The table after rounds of these cards, all turned over, which have left nothing else behind than the last of them.

    `since` is when the stakes of the last one were laid.
    """
    if table.shoe is None:
        raise AssertionError("a round without a shoe")
    laid = tuple([_LAID[each] for each in cards])
    rounds = table.rounds + len(endings)
    table = replace(
        table,
        balances=balances,
        rounds=rounds,
        round=Round(rounds, Phase.ANNOUNCED, "", 0, cards=laid),
        shoe=table.shoe.gives([each.card for each in laid]),
        results=(*table.results, *endings[:-1]),
        paid=closing.paid,
        last_tie=closing.last_tie,
        returned={key: replace(stake, since=int(since[key])) for key, stake in closing.returned.items()},
    )
    return round_ended(table, RoundEnded(number=rounds, ending=endings[-1]))
