"""Wagers that never lay together before, where each of them is known by itself.

Patrons who wager as they like hardly ever leave the same wagers on the layout twice. But what a wager rests on is not all of that:

- a wager rests on those that its patron has on the layout, and on those at its position;
- the closing call rests on none, as long as no limit is set on how far hands may lie apart;
- who is given a hand is what the table's own function says of these stakes;
- where all cards lie open, totals and result rest on what the hands come to, whoever has held them;
- what becomes of a stake rests on the line that decides it, and on whether there was a tie; which comes first, on what the stakes come to;
- the end of the round rests on none, as long as nothing caps what a round may bring.

That holds for wagers that patrons place themselves, each at once. Whatever else is done to a wager is asked of the rules, and so is the rest of
that round. What a round leaves at the table is put together from its wagers; that is held against the table
whenever the rules were asked, and should it ever differ, nothing is taken this way any more.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import lru_cache
from typing import NamedTuple

from longhu.games.game import Game
from longhu.table.betting import WagerPlaced
from longhu.table.priority import next_holder
from longhu.table.settling import WagerSettled, is_payment
from longhu.table.state import Paid, Phase, Round, Stake, Table, replace
from longhu.trail.shortcut.forms import Form
from longhu.trail.shortcut.hands import Hands
from longhu.trail.shortcut.steps import NONE, Bets, Closing, Deal, Ending, Spot

PLACE, WAGER = b',"place":', b',"wager":'  # in what a line says of a stake


class Came(NamedTuple):
    """What became of a stake."""

    paid: Paid
    may_lie: bool


class Turn(Spot):
    """What may come next while wagers are settled."""

    __slots__ = ("then",)

    def __init__(self, forms: tuple[Form, ...], then: Spot) -> None:
        super().__init__()
        self.forms[None], self.then = forms, then


class Medley:
    """What is known of single wagers at a table as it stands between rounds."""

    def __init__(self, table: Table, game: Game) -> None:
        self._table, self._game = table, game
        self._placed, self._announced, self._settled, self._ended = Spot(), Spot(), Spot(), Spot()
        self.closed = Spot()
        self._stakes: dict[bytes, Stake] = {}  # by what lines say of them
        self._came: dict[
            tuple[bytes, int, bool], Came
        ] = {}  # of a stake, by the line that decides it and whether it was a tie
        self._tied: dict[bool, bool] = {}  # how the table remembers a tie
        self._shown: tuple[Bets | None, Table] = None, table  # the table with the wagers that were last asked about
        divided = (
            game.differential is not None and table.settings is not None and table.settings.differential is not None
        )
        self.sound = not divided and game.cap is None

    # ------------------------------------------------ wagers

    def placed(self, bets: Bets, told: bytes) -> tuple[Form, ...]:
        """A wager beside these."""
        return self._placed.forms.get(_beside(bets.told, told), NONE) if self.sound and bets.plain else NONE

    def learn_placed(self, bets: Bets, told: bytes, asked: Hashable, made: Form, stake: Stake) -> None:
        made.alone, self._stakes[told] = True, stake
        self._placed.learn(_beside(bets.told, told), asked, made)

    def learn_closed(self, asked: Hashable, made: Form) -> None:
        made.alone = True
        self.closed.learn(None, asked, made)

    def after(self, bets: Bets, told: bytes) -> Bets:
        """The wagers with one more."""
        stake = self._stakes[told]
        return Bets((*bets.layout, stake.wager), told={**bets.told, stake.key: told}, fleeting=True)

    def is_for(self, bets: Bets) -> bool:
        """Is each of them known by itself, and nothing of all together?"""
        return self.sound and bets.fleeting and bets.plain and bool(bets.told)

    def holder(self, bets: Bets, since: Mapping[str, bytes], hand: int) -> str | None:
        """Who is given a hand; None where somebody has to say so."""
        if self._shown[0] is not bets:
            stakes = {key: replace(self._stakes[told], since=int(since[key])) for key, told in bets.told.items()}
            self._shown = bets, replace(self._table, round=Round(0, Phase.DEALING, "", 0, stakes=stakes))
        found = next_holder(self._shown[1], self._game, hand, ())
        return found if isinstance(found, str) else None

    # ------------------------------------------------ totals and result

    def announced(self, deal: Deal, hands: Hands) -> tuple[Form, ...]:
        """What may be told of the hands."""
        return self._announced.forms.get((deal.announced, hands.cue), NONE) if deal.open else NONE

    def learn_announced(self, deal: Deal, hands: Hands, asked: Hashable, made: Form) -> None:
        if deal.open:
            made.alone = True
            self._announced.learn((deal.announced, hands.cue), asked, made)

    # ------------------------------------------------ settlement

    def _cues(self, bets: Bets, ending: Ending) -> list[tuple[bytes, int, bool]]:
        """What settlement of each stake rests on."""
        tie, number, wagers = ending.winner is None, ending.number, self._game.wagers
        wagered = zip(bets.told.values(), bets.layout, strict=True)
        return [(told, wagers[wager].deciding[number], tie) for told, wager in wagered]

    def settling(self, bets: Bets, ending: Ending, rest: Spot) -> Turn | None:
        """All stakes one after the other, then the end of the round; None where one is not known."""
        cues = self._cues(bets, ending)
        if not all(cue in self._came for cue in cues):
            return None
        cues.sort(key=lambda cue: is_payment(self._came[cue].paid.net))
        turn = Turn(self._ended.forms.get(None, NONE), rest)
        for number in range(len(cues) - 1, -1, -1):
            turn = Turn(self._settled.forms.get((cues[number], not number), NONE), turn)
        return turn

    def learn_settled(self, bets: Bets, ending: Ending, asked: Hashable, made: Form, event: WagerSettled) -> None:
        made.alone, stake = True, event.stake
        cue = bets.told[stake.key], self._game.wagers[stake.wager].deciding[ending.number], ending.winner is None
        self._came[cue] = Came(Paid(stake.patron, stake.wager, event.net, stake.claim), event.may_lie)
        self._settled.learn((cue, made.commands > 0), asked, made)

    def learn_ended(self, ending: Ending, asked: Hashable, made: Form, table: Table) -> None:
        made.alone = True
        self._tied[ending.winner is None] = table.last_tie
        self._ended.learn(None, asked, made)

    def closing(self, bets: Bets, ending: Ending) -> Closing | None:
        """What a round leaves behind; None where some of it is not known."""
        try:
            came = [self._came[cue] for cue in self._cues(bets, ending)]
            last_tie = self._tied[ending.winner is None]
        except KeyError:
            return None
        all_told = zip(bets.told.items(), came, strict=True)
        returned = {key: self._stakes[told] for (key, told), each in all_told if each.may_lie}
        paid = sorted((each.paid for each in came), key=lambda each: is_payment(each.net))
        return Closing(tuple(paid), returned, last_tie=last_tie, all=True)


def is_plain(event: WagerPlaced) -> bool:
    """Has its patron placed it, at once?"""
    stake = event.stake
    by_patron = stake.patron == event.by == stake.placed_by and stake.confirmed and not stake.requested
    return by_patron and stake.amount == event.added and stake.pieces == 1 and not (event.chips or event.restack)


def _beside(on_layout: Mapping[str, bytes], told: bytes) -> tuple[tuple[bytes, ...], tuple[bytes, ...], bytes]:
    """What a wager rests on: those of its patron, those at its position, and itself."""
    patron, place = _whose(told)
    mine, there = list[bytes](), list[bytes]()
    for each in on_layout.values():
        other, elsewhere = _whose(each)
        if other == patron:
            mine.append(each)
        if elsewhere == place:
            there.append(each)
    return tuple(mine), tuple(there), told


@lru_cache(1 << 12)
def _whose(told: bytes) -> tuple[bytes, bytes]:
    """The patron and the position in what a line says of a stake. (A quotation mark within a name is never bare.)"""
    place = told.find(PLACE)
    return told[:place], told[place : told.find(WAGER, place)]
