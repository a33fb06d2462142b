"""What is learned from a record that the rules have confirmed: its form, what it rests on, and where it leads.

Here stands what each kind of record rests on besides the place where it was met, and what of it may differ:

- a wager, and the closing call, rest on the wagers before it, in their order;
- who is given a hand rests on all the wagers; a card on whose turn it is and why; totals and result on what the hands come to;
- settlement rests on all the wagers, the winner, and the lines that decide them;

all of it on the table as it stood between rounds, and on whether time has gone on since the record before. `medley` says what single
wagers rest on, where all of them together are new.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from msgspec.structs import replace

from longhu.audit.record import Record
from longhu.audit.shortcut import steps
from longhu.audit.shortcut.forms import MARKS, TIME, Filled, Form, Hole, Kind, Share, form
from longhu.audit.shortcut.hands import NUMBERS
from longhu.audit.shortcut.medley import TOLD_MAX, is_plain
from longhu.audit.shortcut.steps import DIFFERENT, NO_HAND, NOBODY, Bets, Closing, Spot
from longhu.audit.shortcut.walk import (
    BETTING,
    DEALING,
    NEXT_FACE,
    REST,
    SETTLING,
    SINCE,
    STAKE,
    WHERE,
    Stood,
    Walk,
    put_away,
)
from longhu.eventsourcing import Event
from longhu.table.betting import WagerPlaced
from longhu.table.betting_phase import BettingClosed, RoundStarted
from longhu.table.checkpoint import StateRecorded
from longhu.table.dealing import CardDrawn, CuttingCardShown, DrawCard, ResultAnnounced, TotalsAnnounced
from longhu.table.handling import CardsRevealed, HandPassed
from longhu.table.messages import Command
from longhu.table.settling import RoundCapped, RoundEnded, WagerSettled
from longhu.table.shoe import CardsCut, CardsShuffled, CardsVerified, ShoeEnded, ShoeLoaded
from longhu.table.shuffling import CutMade, ShuffleCommitted, ShuffleRevealed
from longhu.table.state import Stake, Table

M, NO_TEXT = MARKS, ("",) * 5
PROBE = 1000  # a stake of so much tells its postings from those of what it has come to


class Lesson:
    """A confirmed record, and the walk that it is a step of."""

    def __init__(self, walk: Walk, line: bytes, record: Record, table: Table, *, first: bool, complete: bool) -> None:
        self.walk, self.line, self.record = walk, line, record
        self.table = table  # after it
        self.first, self.complete = first, complete  # of the events of its command
        self.at = b"%d" % record.event.at
        self.who = record.event.by, int(record.event.position)
        self.later = self.at != walk.last  # than the record before

    def form(self, kind: Kind, *filled: Filled, asked: Any = None, salt: Any = "", **marked: Any) -> Form | None:
        """The record with holes: in these fields of its event, and in what stands beside it."""
        record, event = self.record, self.record.event
        always = (
            Filled(Hole.SEQUENCE, record.sequence),
            Filled(Hole.PREVIOUS, record.previous),
            Filled(Hole.AT, event.at),
        )
        holes: dict[str, Any] = {"sequence": M[Hole.SEQUENCE], "previous": M[Hole.PREVIOUS]}
        written = replace(record, event=replace(event, at=M[Hole.AT], **marked), asked=asked, salt=salt, **holes)
        made = form(kind, written, (*always, *filled), self.line, later=self.later)
        if made is not None:
            made.led_to(self.who, first=self.first, complete=self.complete)
            made.money = tuple(event.postings())
        return made

    def fleeting(self, kind: Kind, leads: Spot) -> Form:
        """A step that is not remembered."""
        made = Form(kind, NO_TEXT, (), later=self.later)
        if isinstance(leads, Bets):
            made.bets = leads
        else:
            made.spot = leads
        return made

    def asked(self, *also: Hashable) -> Hashable:
        """What was asked, as far as it can differ at one place."""
        event = self.record.event
        return (type(event), event.by, event.position, self.first, self.later, *also)


def learn(lesson: Lesson, stood: Stood) -> bool:
    """Learn a record, and lead the walk past it; False where it is no step of an ordinary round."""
    walk, record = lesson.walk, lesson.record
    phase, teach = _LESSONS.get(type(record.event), (None, None))
    kept = record.asked is not None and not isinstance(record.event, CardsShuffled | CutMade | CuttingCardShown)
    if (
        teach is None
        or phase is not walk.phase
        or kept
        or walk.memory.forms > steps.FORMS_MAX
        or len(lesson.at) != TIME
    ):
        return False
    learned = teach(lesson, record.event)
    if learned is None:
        return False
    walk.memory.forms += 1
    if learned.doubted and walk.memory.stride is not None:
        walk.memory.stride.forget()
    walk.table = lesson.table
    walk.sequence, walk.head, walk.last = stood
    walk.lead(learned)
    round = lesson.table.round
    if walk.phase is DEALING and round is not None:
        walk.deal.open, walk.deal.announced = round.all_public, round.totals_announced
        walk.deal.holders = round.holders if round.passed else NOBODY
    walk.half_told = None if lesson.complete else lesson.who
    walk.sure(stood)
    return True


# ------------------------------------------------ betting


def _started(lesson: Lesson, event: RoundStarted) -> Form | None:
    walk = lesson.walk
    made = lesson.form(Kind.START, Filled(Hole.ROUND, event.number), number=M[Hole.ROUND])
    if made is None or walk.spot is not walk.place.rest or not event.wagering:
        return None
    made.bets = Bets()
    walk.new_round()
    walk.whole, walk.started_from = False, walk.table
    return walk.spot.learn(None, lesson.asked(), made)


def _placed(lesson: Lesson, event: WagerPlaced) -> Form | None:
    walk, line, stake, round = lesson.walk, lesson.line, event.stake, lesson.table.round
    start = line.find(STAKE, *WHERE)
    told = line[start : line.find(SINCE, start)]
    if start < 0 or round is None or stake.since != event.at:
        return None
    walk.since[stake.key] = lesson.at
    layout, bets = tuple(each.wager for each in round.stakes.values()), walk.bets
    plain = bets.plain and is_plain(event) and _placed_alone(lesson, told, event)
    after = Bets(layout, told={**bets.told, stake.key: told}, plain=plain)
    if bets.is_new(told) or not walk.learns_layouts:
        after.fleeting = True
        return lesson.fleeting(Kind.WAGER, after)
    made = _laid(lesson, event)
    if made is None:
        return None
    walk.place.wagers += 1
    made.bets = after
    return bets.learn(told, lesson.asked(event.chips), made)


def _laid(lesson: Lesson, event: WagerPlaced) -> Form | None:
    made = lesson.form(Kind.WAGER, Filled(Hole.SINCE, event.at), stake=_lying(event.stake))
    if made is not None:
        made.key = event.stake.key
    return made


def _placed_alone(lesson: Lesson, told: bytes, event: WagerPlaced) -> bool:
    """A wager by itself, whatever its amount is and whatever others have on the layout."""
    if len(told) > TOLD_MAX:
        return False
    stake, amount = event.stake, Filled(Hole.AMOUNT, event.added)
    filled = amount, Filled(Hole.SINCE, event.at), amount
    made = lesson.form(Kind.LAID, *filled, stake=_lying(stake, amount=M[Hole.AMOUNT]), added=M[Hole.AMOUNT])
    probe = replace(event, stake=replace(stake, amount=PROBE), added=PROBE)
    if made is None or not _shared(made, probe, stake.amount, 0):
        return False
    made.key = stake.key
    lesson.walk.medley.learn_placed(lesson.walk.bets, told, lesson.asked(), made, stake)
    return True


def _shared(made: Form, probe: Event, amount: int, net: int) -> bool:
    """Is the money that moves a matter of a stake's amount and of its net alone? `probe` has `PROBE` and 1 for these."""
    for account, posted in probe.postings():
        of_amount = (posted + PROBE // 2) // PROBE
        made.shares += (Share(account, of_amount, posted - of_amount * PROBE),)
    return made.moved(amount, net) == list(made.money)


def _closed(lesson: Lesson, event: BettingClosed) -> Form | None:
    walk, bets = lesson.walk, lesson.walk.bets
    made = lesson.form(Kind.CLOSE, Filled(Hole.ROUND, event.number), number=M[Hole.ROUND])
    if bets.fleeting:
        if made is not None and walk.medley.is_for(bets):
            walk.medley.learn_closed(lesson.asked(), made)
        return lesson.fleeting(Kind.CLOSE, bets)
    if made is None:
        return None
    made.bets = Bets(bets.layout, told=bets.told, plain=bets.plain)
    return bets.learn(None, lesson.asked(), made)


# ------------------------------------------------ dealing


def _drawn(lesson: Lesson, event: CardDrawn) -> Form | None:
    walk, card, salt = lesson.walk, event.card, lesson.record.salt
    face, deal, hands = card.card.encode(), walk.deal, walk.hands
    filled = [
        Filled(Hole.FACE, card.card),
        Filled(Hole.SHOE, event.shoe_number),
        *([Filled(Hole.SALT, salt)] if salt else []),
    ]
    laid: Any = replace(card, card=M[Hole.FACE])
    made = lesson.form(
        Kind.HIDDEN if salt else Kind.CARD,
        *filled,
        salt=M[Hole.SALT] if salt else "",
        card=laid,
        shoe_number=M[Hole.SHOE],
    )
    if made is None or hands.due != card.hand or face not in NUMBERS or event.from_reserve:
        return None
    base, made.behind_cut = deal.cut_from or deal, deal.cut_from is not None
    made.deal = (
        base.turn((card.hand, False))
        if base is walk.place.deal and not salt
        else base.after_card(card.hand, hidden=salt != "")
    )
    if len(walk.cards) >= walk.memory.game.procedure.initial_cards:
        _drawn_alone(lesson, made)
    walk.hands = hands.then(face)
    walk.counts[NUMBERS[face]] -= 1
    walk.drawn += 1
    walk.cards.append((face, card.hand))
    walk.faces[card.hand].append(face)
    walk.watched = len(walk.cards)
    return deal.learn(hands.turn, lesson.asked(), made)


def _drawn_alone(lesson: Lesson, known: Form) -> None:
    """A further card, whoever has the other hand."""
    walk, alone = lesson.walk, Form(known.kind, known.pieces, known.holes, later=known.later)
    alone.led_to(known.who, first=lesson.first, complete=lesson.complete)
    walk.medley.learn_drawn(walk.deal, walk.hands, lesson.asked(), alone)


def _cutting_card(lesson: Lesson, event: CuttingCardShown) -> Form | None:
    walk, deal, asked = lesson.walk, lesson.walk.deal, lesson.record.asked
    if not isinstance(asked, DrawCard) or walk.drawn < walk.cut_at or lesson.complete:
        return None
    marks: dict[str, Any] = {"at": M[Hole.SINCE], "card": M[Hole.FACE]}
    filled = Filled(Hole.SINCE, event.at), Filled(Hole.FACE, asked.card)
    made = lesson.form(Kind.CUT, *filled, asked=replace(asked, **marks))
    if made is None:
        return None
    walk.cutting_card(asked.card.encode())
    made.deal = deal.turn(made.pieces)
    made.deal.cut_from = deal
    return deal.learn(Kind.CUT, lesson.asked(), made)


def _passed(lesson: Lesson, event: HandPassed) -> Form | None:
    walk, deal = lesson.walk, lesson.walk.deal
    made = lesson.form(Kind.TOLD)
    if made is None:
        return None
    made.deal = deal.turn(made.pieces)
    if walk.medley.is_for(walk.bets):
        deal.passes_hand = event.hand if deal.passes_hand in (NO_HAND, event.hand) else DIFFERENT
        return deal.passed.learn(event.to, lesson.asked(event.hand), made)
    deal.passes = True
    return walk.bets.passes.setdefault(deal, Spot()).learn(None, lesson.asked(event.hand), made)


def _turned(lesson: Lesson, event: CardsRevealed) -> Form | None:
    deal, faces = lesson.walk.deal, NEXT_FACE.decode().join(event.cards)
    made = lesson.form(Kind.TURN, Filled(Hole.FACES, faces), cards=(M[Hole.FACES],))
    if made is None:
        return None
    made.hand, made.deal = event.hand, deal.turn(made.pieces)
    return deal.learn(None, lesson.asked(event.hand), made)


def _told(lesson: Lesson, _event: TotalsAnnounced) -> Form | None:
    walk, deal = lesson.walk, lesson.walk.deal
    made, alone = lesson.form(Kind.TOLD), lesson.form(Kind.TOLD)
    if made is None or alone is None:
        return None
    walk.medley.learn_announced(deal, walk.hands, lesson.asked(), alone)
    made.deal = deal.totals_told()
    return deal.learn(walk.hands.cue, lesson.asked(), made)


def _announced(lesson: Lesson, event: ResultAnnounced) -> Form | None:
    walk, ending = lesson.walk, Filled(Hole.ENDING, event.number)
    made, alone = (lesson.form(Kind.RESULT, ending, number=M[Hole.ENDING]) for _ in range(2))
    if made is None or alone is None or walk.hands.draw is None:
        return None
    walk.ending = walk.memory.ending(walk.hands.draw, *walk.faces)
    made.winner = alone.winner = walk.ending.winner
    walk.medley.learn_announced(walk.deal, walk.hands, lesson.asked(made.winner), alone)
    return walk.deal.learn(walk.hands.cue, lesson.asked(made.winner), made)


# ------------------------------------------------ settlement


def _settled(lesson: Lesson, event: WagerSettled) -> Form | None:
    walk, stake = lesson.walk, event.stake
    made = lesson.form(Kind.SETTLED, Filled(Hole.SINCE, stake.since), stake=_lying(stake))
    if made is not None:
        made.key = stake.key
    if walk.bets.fleeting:
        if walk.medley.is_for(walk.bets):
            _came(lesson, event)
        return lesson.fleeting(Kind.SETTLED, Spot())
    return _next(lesson, made)


def _came(lesson: Lesson, event: WagerSettled) -> None:
    """What became of a stake that is known by itself."""
    walk, stake = lesson.walk, event.stake
    held = {Hole.AMOUNT: stake.amount, Hole.SINCE: stake.since, Hole.NET: event.net, Hole.COMMISSION: event.commission}
    made = lesson.form(
        Kind.CAME,
        *(Filled(*each) for each in held.items()),
        stake=_lying(stake, amount=M[Hole.AMOUNT]),
        net=M[Hole.NET],
        commission=M[Hole.COMMISSION],
    )
    probe = replace(event, stake=replace(stake, amount=PROBE), net=1)
    if made is not None and _shared(made, probe, stake.amount, event.net):
        made.key = stake.key
        walk.medley.learn_settled(walk.bets, walk.ending, lesson.asked(), made, event)


def _capped(lesson: Lesson, _event: RoundCapped) -> Form | None:
    return _next(lesson, lesson.form(Kind.TOLD))


def _ended(lesson: Lesson, event: RoundEnded) -> Form | None:
    walk, table = lesson.walk, lesson.table
    filled = Filled(Hole.ROUND, event.number), Filled(Hole.ENDING, event.ending)
    made = lesson.form(Kind.ENDED, *filled, number=M[Hole.ROUND], ending=M[Hole.ENDING])
    if made is None or not walk.place.is_like(table) or not lesson.complete:
        return None
    if walk.bets.fleeting:
        _ended_alone(lesson, made, event.ending)
        walk.new_round()
        return lesson.fleeting(Kind.ENDED, walk.place.rest)
    closing = made.closing = Closing.of(table)
    closing.all = _leaves(lesson, closing, event.ending)
    walk.new_round()
    made.spot = walk.place.rest
    return walk.spot.learn(None, lesson.asked(), made)


def _ended_alone(lesson: Lesson, made: Form, ending: int) -> None:
    """The end of a round whose wagers are known one by one: does what they leave behind make the table?"""
    walk, medley = lesson.walk, lesson.walk.medley
    if medley.is_for(walk.bets):
        medley.learn_ended(walk.ending, lesson.asked(), made, lesson.table)
        closing = medley.closing(walk.bets, walk.ending)
        if walk.opens and closing is not None and not _leaves(lesson, closing, ending):
            medley.sound = False


def _leaves(lesson: Lesson, closing: Closing, ending: int) -> bool:
    """Does the round leave nothing else behind?"""
    walk = lesson.walk
    return put_away(walk.started_from, walk.balances, walk.cards, [ending], closing, walk.since) == lesson.table


def _lying(stake: Stake, **also: Any) -> Stake:
    """A stake with a hole for the time since which it lies there, and with others."""
    marked: Any = M[Hole.SINCE]
    return replace(stake, since=marked, **also)


def _next(lesson: Lesson, made: Form | None, *, last: bool = False) -> Form | None:
    """The next in a row, which leads to a place of its own; with the last, a round may start."""
    walk = lesson.walk
    if made is None:
        return None
    made.spot = walk.place.rest if last else Spot()
    return walk.spot.learn(None, lesson.asked(), made)


# ------------------------------------------------ from one shoe to the next


def _put_away(lesson: Lesson, event: ShoeEnded) -> Form | None:
    walk = lesson.walk
    shuffle = walk.table.shuffle
    sealed = shuffle is not None and shuffle.mix is not None and not shuffle.secret
    if walk.spot is not walk.place.rest or not sealed:
        return None
    return _changed(lesson, Filled(Hole.SHOE, event.number), number=M[Hole.SHOE])


def _revealed(lesson: Lesson, event: ShuffleRevealed) -> Form | None:
    filled = Filled(Hole.SHOE, event.number), Filled(Hole.DIGEST, event.secret)
    return _in_change(lesson, *filled, number=M[Hole.SHOE], secret=M[Hole.DIGEST])


def _recorded(lesson: Lesson, event: StateRecorded) -> Form | None:
    return _in_change(lesson, Filled(Hole.DIGEST, event.digest), digest=M[Hole.DIGEST])


def _committed(lesson: Lesson, event: ShuffleCommitted) -> Form | None:
    filled = Filled(Hole.SHOE, event.number), Filled(Hole.DIGEST, event.commitment)
    return _in_change(lesson, *filled, number=M[Hole.SHOE], commitment=M[Hole.DIGEST])


def _counted(lesson: Lesson, _event: CardsVerified) -> Form | None:
    return _in_change(lesson)


def _cut(lesson: Lesson, event: CutMade) -> Form | None:
    filled = Filled(Hole.SHOE, event.number), Filled(Hole.SINCE, event.at)
    return _in_change(lesson, *filled, asked=_asked(lesson), number=M[Hole.SHOE])


def _cut_there(lesson: Lesson, _event: CardsCut) -> Form | None:
    return _in_change(lesson)


def _mixed(lesson: Lesson, event: CardsShuffled) -> Form | None:
    return _in_change(lesson, Filled(Hole.SINCE, event.at), asked=_asked(lesson))


def _asked(lesson: Lesson) -> Command | None:
    """What was asked, where it stands beside the event, with a hole for its time."""
    asked, at = lesson.record.asked, M[Hole.SINCE]
    return replace(asked, at=at) if asked is not None else None


def _loaded(lesson: Lesson, event: ShoeLoaded) -> Form | None:
    walk, number = lesson.walk, M[Hole.SHOE]
    if not walk.place.is_like(lesson.table):
        return None
    shoe: Any = replace(event.shoe, number=number)
    made = _in_change(lesson, Filled(Hole.SHOE, event.shoe.number), shoe=shoe)
    walk.use(lesson.table.shoe)
    walk.opens = True
    return made


def _in_change(lesson: Lesson, *filled: Filled, **marked: Any) -> Form | None:
    """A step after the last shoe has been put away in this walk."""
    return None if lesson.walk.spot is lesson.walk.place.rest else _changed(lesson, *filled, **marked)


def _changed(lesson: Lesson, *filled: Filled, **marked: Any) -> Form | None:
    event = lesson.record.event
    made = lesson.form(Kind.CHANGE, *filled, **marked)
    if made is None or lesson.complete is isinstance(event, CardsShuffled | CardsCut):
        return None
    made.step = type(event)
    return _next(lesson, made, last=isinstance(event, ShoeLoaded))


_LESSONS: dict[type[Event], tuple[str, Callable[[Lesson, Any], Form | None]]] = {
    RoundStarted: (REST, _started),
    WagerPlaced: (BETTING, _placed),
    BettingClosed: (BETTING, _closed),
    CardDrawn: (DEALING, _drawn),
    CuttingCardShown: (DEALING, _cutting_card),
    HandPassed: (DEALING, _passed),
    CardsRevealed: (DEALING, _turned),
    TotalsAnnounced: (DEALING, _told),
    ResultAnnounced: (DEALING, _announced),
    WagerSettled: (SETTLING, _settled),
    RoundCapped: (SETTLING, _capped),
    RoundEnded: (SETTLING, _ended),
    ShoeEnded: (REST, _put_away),
    ShuffleRevealed: (REST, _revealed),
    StateRecorded: (REST, _recorded),
    ShuffleCommitted: (REST, _committed),
    CardsVerified: (REST, _counted),
    CutMade: (REST, _cut),
    CardsCut: (REST, _cut_there),
    CardsShuffled: (REST, _mixed),
    ShoeLoaded: (REST, _loaded),
}
