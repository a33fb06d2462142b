"""Wagers that never lay together before, where each of them is known by itself.

Patrons who wager as they like hardly ever leave the same wagers on the layout twice. But what a wager rests on is not all of that:

- a wager rests on which others its patron has on the layout, and which there are at its position, whatever their amounts: as long as no
  limit is set on what several of them come to;
- its own amount may be any that the limits of its patron allow, and that the patron has;
- the closing call rests on none, as long as no limit is set on how far hands may lie apart;
- who is given a hand is what the table's own function says of these stakes;
- where all cards lie open, totals and result rest on what the hands come to, whoever has held them; a further card on whose turn it is
  and why, and on who has that hand;
- what becomes of a stake rests on the line that decides it, on its amount, and on whether there was a tie; which comes first, on what the stakes come to;
- the end of the round rests on none, as long as nothing caps what a round may bring.

That holds for wagers that patrons place themselves, each at once. Whatever else is done to a wager is asked of the rules, and so is the rest of
that round. What a round leaves at the table is put together from its wagers; that is held against the table
whenever the rules were asked, and should it ever differ, nothing is taken this way any more.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import lru_cache
from typing import NamedTuple

from longhu.audit.shortcut.forms import Form
from longhu.audit.shortcut.hands import Hands
from longhu.audit.shortcut.steps import NONE, Bets, Closing, Deal, Ending, Spot
from longhu.games.game import Game
from longhu.money import Money
from longhu.settlement import won
from longhu.table.betting import WagerPlaced
from longhu.table.document import chosen
from longhu.table.limits import limit_for
from longhu.table.priority import next_holder
from longhu.table.requirements import rounding_of
from longhu.table.settings import Limit
from longhu.table.settling import WagerSettled, is_payment
from longhu.table.state import Paid, Phase, Round, Stake, Table, replace

PLACE, WAGER, AMOUNT = b',"place":', b',"wager":', b',"amount":'  # in what a line says of a stake
TOLD_MAX = 1024  # bytes that a line says of a stake; more go to the rules, so that memory does not grow
DIGITS_MAX = 15  # of an amount; more go to the rules
BUSY = 32  # rounds that were known so, from which on wagers are learned by themselves alone
NETS_MAX = 1 << 14  # amounts whose coming out is remembered
Beside = tuple[frozenset[bytes], frozenset[bytes]]  # those of the patron, and those at the position


class Backing:
    """One wager of one patron at one position, whatever its amount."""

    def __init__(self, stake: Stake, limit: Limit) -> None:
        self.stake, self.limit = stake, limit
        self.placed, self.settled = Spot(), Spot()  # by what lies beside it; by line, tie, and whether it is the first
        self.may_lie: dict[
            tuple[int, bool], bool
        ] = {}  # afterwards, by the line that decides it and whether it was a tie

    def allows(self, amount: int) -> bool:
        """Is it within the limits, where its patron has no such wager elsewhere?"""
        limit = self.limit
        return limit.min <= amount <= limit.max and not amount % limit.increment


class Lying(NamedTuple):
    """A stake on the layout, and what decides it."""

    backing: Backing
    amount: int
    line: int
    net: int
    commission: int


class Turn(Spot):
    """What may come next while wagers are settled."""

    __slots__ = ("amount", "commission", "net", "then")

    def __init__(self, forms: tuple[Form, ...], then: Spot, amount: int = 0, net: int = 0, commission: int = 0) -> None:
        super().__init__()
        self.forms[None], self.then = forms, then
        self.amount, self.net, self.commission = amount, net, commission

    def told(self, since: bytes) -> tuple[bytes, ...]:
        """What must stand in the line of this stake."""
        return b"%d" % self.amount, since, b"%d" % self.net, b"%d" % self.commission


class Medley:
    """What is known of single wagers at a table as it stands between rounds."""

    def __init__(self, table: Table, game: Game) -> None:
        self.table, self.game = table, game
        self.backings: dict[bytes, Backing] = {}  # by what lines say of them before the amount
        self.drawn_at, self.announced_at, self.closed, self.ended = Spot(), Spot(), Spot(), Spot()
        self.tied: dict[bool, bool] = {}  # how the table remembers a tie
        self.rounds = 0  # that ended so
        self._nets: dict[tuple[str, int, int], tuple[int, int]] = {}
        self._shown: tuple[Bets | None, Table] = None, table  # the table with the wagers that were last asked about
        self.sound = game.cap is None and not _sums(table, game)

    @property
    def is_busy(self) -> bool:
        """Do patrons wager as they like here?"""
        return self.sound and self.rounds >= BUSY

    # ------------------------------------------------ wagers

    def placed(self, bets: Bets, told: bytes) -> tuple[Form, ...]:
        """A wager beside these."""
        if len(told) > TOLD_MAX:
            return NONE
        backed, amount = split(told)
        backing = self.backings.get(backed)
        if backing is None or not (self.sound and bets.plain and backing.allows(amount)):
            return NONE
        return backing.placed.forms.get(_beside(bets.told, backed), NONE)

    def learn_placed(self, bets: Bets, told: bytes, asked: Hashable, made: Form, stake: Stake) -> None:
        made.alone, (backed, amount) = True, split(told)
        backing = self.backings.get(backed)
        if backing is None:
            limit = limit_for(self.table, self.game, stake.wager, stake.patron)
            backing = self.backings[backed] = Backing(stake, limit)
        elsewhere = zip(bets.layout, map(_whose, bets.told.values()), strict=True)
        if (stake.wager, _whose(told)[0]) in [(wager, patron) for wager, (patron, _) in elsewhere]:
            return  # the limit is for both together
        if not backing.allows(amount):
            self.sound = False
        self._learn(backing.placed, _beside(bets.told, backed), asked, made)

    def learn_closed(self, asked: Hashable, made: Form) -> None:
        made.alone = True
        self._learn(self.closed, None, asked, made)

    def _learn(self, spot: Spot, cue: Hashable, asked: Hashable, made: Form) -> None:
        """Should there be two answers to one question, then wagers are not what is said of them above."""
        spot.learn(cue, asked, made)
        self.sound = self.sound and not made.doubted

    def after(self, bets: Bets, told: bytes) -> Bets:
        """The wagers with one more."""
        stake = self.backings[split(told)[0]].stake
        return Bets((*bets.layout, stake.wager), told={**bets.told, stake.key: told}, fleeting=True)

    def is_for(self, bets: Bets) -> bool:
        """Is each of them known by itself, and nothing of all together?"""
        return self.sound and bets.fleeting and bets.plain and bool(bets.told)

    def _stake(self, told: bytes, since: int = 0) -> Stake:
        backed, amount = split(told)
        return replace(self.backings[backed].stake, amount=amount, since=since)

    def holder(self, bets: Bets, since: Mapping[str, bytes], hand: int) -> str | None:
        """Who is given a hand; None where somebody has to say so."""
        if self._shown[0] is not bets:
            stakes = {key: self._stake(told, int(since[key])) for key, told in bets.told.items()}
            self._shown = bets, replace(self.table, round=Round(0, Phase.DEALING, "", 0, stakes=stakes))
        found = next_holder(self._shown[1], self.game, hand, ())
        return found if isinstance(found, str) else None

    # ------------------------------------------------ further cards, totals and result

    def drawn(self, deal: Deal, hands: Hands) -> tuple[Form, ...]:
        """The next card, where all others lie open and the cutting card has not shown."""
        if not deal.open or deal.cut_from is not None or hands.due is None:
            return NONE
        return self.drawn_at.forms.get((deal.announced, hands.turn, deal.holders[hands.due]), NONE)

    def learn_drawn(self, deal: Deal, hands: Hands, asked: Hashable, made: Form) -> None:
        if deal.open and deal.cut_from is None and hands.due is not None:
            made.alone = True
            self._learn(self.drawn_at, (deal.announced, hands.turn, deal.holders[hands.due]), asked, made)

    def announced(self, deal: Deal, hands: Hands) -> tuple[Form, ...]:
        """What may be told of the hands."""
        return self.announced_at.forms.get((deal.announced, hands.cue), NONE) if deal.open else NONE

    def learn_announced(self, deal: Deal, hands: Hands, asked: Hashable, made: Form) -> None:
        if deal.open:
            made.alone = True
            self._learn(self.announced_at, (deal.announced, hands.cue), asked, made)

    # ------------------------------------------------ settlement

    def came(self, wager: str, line: int, amount: int) -> tuple[int, int]:
        """What a stake comes to by a line, and the commission; the rules' own function is asked."""
        found = self._nets.get((wager, line, amount))
        if found is None:
            if self.table.settings is None:
                raise AssertionError("a closed table")
            if len(self._nets) >= NETS_MAX:
                self._nets.clear()
            rounding = rounding_of(self.game, self.table.settings)
            found = won(self.game.wagers[wager].lines[line], Money(amount), rounding)
            self._nets[wager, line, amount] = found
        return found

    def _lying(self, bets: Bets, ending: Ending) -> list[Lying]:
        """What becomes of each stake."""
        found = list[Lying]()
        for told, wager in zip(bets.told.values(), bets.layout, strict=True):
            (backed, amount), line = split(told), self.game.wagers[wager].deciding[ending.number]
            found.append(Lying(self.backings[backed], amount, line, *self.came(wager, line, amount)))
        return found

    def settling(self, bets: Bets, ending: Ending, rest: Spot) -> Turn | None:
        """All stakes one after the other, then the end of the round; None where one is not known."""
        lying, tie = self._lying(bets, ending), ending.winner is None
        if not all((each.line, tie) in each.backing.may_lie for each in lying):
            return None
        lying.sort(key=lambda each: is_payment(each.net))
        turn = Turn(self.ended.forms.get(None, NONE), rest)
        for number in range(len(lying) - 1, -1, -1):
            each = lying[number]
            forms = each.backing.settled.forms.get((each.line, tie, not number), NONE)
            turn = Turn(forms, turn, each.amount, each.net, each.commission)
        return turn

    def learn_settled(self, bets: Bets, ending: Ending, asked: Hashable, made: Form, event: WagerSettled) -> None:
        made.alone, stake = True, event.stake
        backed, amount = split(bets.told[stake.key])
        line, tie = self.game.wagers[stake.wager].deciding[ending.number], ending.winner is None
        backing = self.backings[backed]
        if (event.net, event.commission) != self.came(stake.wager, line, amount):
            self.sound = False
        self.sound = self.sound and backing.may_lie.setdefault((line, tie), event.may_lie) is event.may_lie
        self._learn(backing.settled, (line, tie, made.commands > 0), asked, made)

    def learn_ended(self, ending: Ending, asked: Hashable, made: Form, table: Table) -> None:
        made.alone = True
        self.tied[ending.winner is None] = table.last_tie
        self._learn(self.ended, None, asked, made)

    def closing(self, bets: Bets, ending: Ending) -> Closing | None:
        """What a round leaves behind; None where some of it is not known."""
        lying, tie = self._lying(bets, ending), ending.winner is None
        if tie not in self.tied or not all((each.line, tie) in each.backing.may_lie for each in lying):
            return None
        returned = {
            key: self._stake(told)
            for (key, told), each in zip(bets.told.items(), lying, strict=True)
            if each.backing.may_lie[each.line, tie]
        }
        stakes = [(each.backing.stake, each.net) for each in lying]
        paid = [Paid(stake.patron, stake.wager, net, stake.claim) for stake, net in stakes]
        paid.sort(key=lambda each: is_payment(each.net))
        self.rounds += 1
        return Closing(tuple(paid), returned, last_tie=self.tied[tie], all=True)


def _sums(table: Table, game: Game) -> bool:
    """Is a limit set on what several wagers come to?"""
    settings = table.settings
    if settings is None:
        return False
    divided = game.differential is not None and settings.differential is not None
    return divided or chosen(game, "limit_scope") == "area" or settings.area_cap != "off"


def is_plain(event: WagerPlaced) -> bool:
    """Has its patron placed it, at once?"""
    stake = event.stake
    by_patron = stake.patron == event.by == stake.placed_by and stake.confirmed and not stake.requested
    return by_patron and stake.amount == event.added and stake.pieces == 1 and not (event.chips or event.restack)


def _beside(on_layout: Mapping[str, bytes], backed: bytes) -> Beside:
    """What a wager rests on: which of its patron lie there, and which at its position."""
    patron, place = _whose(backed)
    mine, there = list[bytes](), list[bytes]()
    for told in on_layout.values():
        other, elsewhere = _whose(told)
        if other == patron:
            mine.append(split(told)[0])
        if elsewhere == place:
            there.append(split(told)[0])
    return frozenset(mine), frozenset(there)


@lru_cache(1 << 12)
def _whose(told: bytes) -> tuple[bytes, bytes]:
    """The patron and the position in what a line says of a stake. (A quotation mark within a name is never bare.)"""
    place = told.find(PLACE)
    return told[:place], told[place : told.find(WAGER, place)]


@lru_cache(1 << 12)
def split(told: bytes) -> tuple[bytes, int]:
    """What a line says of a stake: which, and its amount. An amount that is none is less than nothing."""
    backed, _, digits = told.rpartition(AMOUNT)
    plain = digits.isdigit() and digits[0] != ord("0") and len(digits) <= DIGITS_MAX
    return backed, int(digits) if plain else -1
