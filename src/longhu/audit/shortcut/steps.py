"""Where a table can stand on the way from one round to the next, and what the rules have confirmed from there."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from longhu.audit.shortcut.forms import Form
from longhu.audit.shortcut.hands import Hands, Known
from longhu.cards import CARD_OF_TEXT
from longhu.deal.procedure import ending_number
from longhu.games.game import Game
from longhu.table.dealing import TotalsAnnounced
from longhu.table.state import Paid, Stake, Table

if TYPE_CHECKING:
    from longhu.audit.shortcut.medley import Medley
    from longhu.audit.shortcut.stride import Stride

VARY = frozenset(("balances", "last_tie", "paid", "results", "returned", "round", "rounds", "shoe", "shoes", "shuffle"))
FORMS_MAX = 100_000  # remembered; then everything is forgotten, so that memory does not grow
MARKED_MAX = 2  # cards that the mark of a hand may look at where many rounds are taken at once
TABLES_MAX = 16  # ways in which a table stood between rounds
SIGHTINGS = 3  # of a wager beside the same others, before it is remembered with them
WAGERS_MAX = 2048  # remembered with all that lay there before; more are known by themselves (`medley`)
NO_HAND, DIFFERENT = -1, -2  # that is passed at a place
NONE: tuple[Form, ...] = ()
NOTHING: Mapping[str, bytes] = {}
NOBODY = ("", "")  # the dealer has both hands


class Spot:
    """A place between two records, and the records that were confirmed from there.

    The same thing asked at the same place has one answer. Should the rules ever give two, then what is remembered does not
    tell the place from another, and they are asked each time.
    """

    __slots__ = ("_answers", "forms")

    def __init__(self) -> None:
        self.forms: dict[Hashable, tuple[Form, ...]] = {}  # by what they rest on, besides the place
        self._answers: dict[Hashable, dict[Hashable, Form | None]] = {}

    def learn(self, cue: Hashable, asked: Hashable, form: Form) -> Form:
        """What was asked and what was answered, resting on `cue`; an answer that is known stays as it is."""
        answers = self._answers.setdefault(cue, {})
        known = answers.setdefault(asked, form)
        if known is None or known.pieces != form.pieces:
            answers[asked], form.doubted = None, True
        self.forms[cue] = tuple(each for each in answers.values() if each is not None)
        return answers[asked] or form


class Bets(Spot):
    """The wagers on the layout, in their order; from here on, everything that depends on all of them."""

    __slots__ = ("_seen", "ends", "fleeting", "layout", "passes", "plain", "settling", "told")

    def __init__(
        self,
        layout: tuple[str, ...] = (),
        *,
        told: Mapping[str, bytes] = NOTHING,
        plain: bool = True,
        fleeting: bool = False,
    ) -> None:
        super().__init__()
        self.layout = layout  # which wagers
        self.told = told  # what lines say of the stakes, by their keys
        self.plain = plain  # each was placed by its patron, at once
        self.fleeting = fleeting  # seen for the first time: nothing that depends on them is remembered
        self._seen: dict[int, int] = {}
        self.passes: dict[Deal, Spot] = {}  # who is given a hand
        self.settling: dict[tuple[str | None, bytes], Spot] = {}  # by the winner, and the lines that decide the wagers
        self.ends: dict[int, Spot] = {}  # the same by the ending

    def is_new(self, told: bytes) -> bool:
        """Was this wager hardly ever added to these? At a busy table most are, and to learn them all would be in vain."""
        if self.fleeting:
            return True
        seen = self._seen[hash(told)] = self._seen.get(hash(told), 0) + 1
        return seen < SIGHTINGS

    def end(self, game: Game, ending: int) -> Spot:
        """Settlement: all depends on the wagers, on who has won, and on the lines that decide."""
        spot = self.ends.get(ending)
        if spot is not None:
            return spot
        lines = bytes([game.wagers[wager].deciding[ending] for wager in self.layout])
        spot = self.ends[ending] = self.settling.setdefault((game.winner(ending), lines), Spot())
        return spot


class Deal(Spot):
    """How far the deal has come, whatever the cards are: which lie face down, who holds them, what was told."""

    __slots__ = ("announced", "cut_from", "holders", "met", "open", "passed", "passes", "passes_hand", "turns")

    def __init__(self) -> None:
        super().__init__()
        self.met: dict[int, tuple[Form, ...]] = {}  # what may come, by what the hands come to
        self.open = self.announced = False  # do all cards lie open, and have totals been told?
        self.holders = NOBODY  # who was given the hands
        self.passes = False  # whether hands are passed here
        self.passes_hand = NO_HAND  # which, where the wagers are known one by one
        self.passed = Spot()  # by whom the hand is given to, whatever the wagers are
        self.cut_from: Deal | None = None  # where the deal stood when the cutting card came
        self.turns: dict[Hashable, Deal] = {}

    def learn(self, cue: Hashable, asked: Hashable, form: Form) -> Form:
        self.met.clear()
        return super().learn(cue, asked, form)

    def at(self, hands: Hands) -> tuple[Form, ...]:
        """What may come: some rests on whose turn it is, some on the totals, some on neither."""
        forms = self.forms
        found = forms.get(hands.turn, NONE) + forms.get(hands.cue, NONE) + forms.get(None, NONE)
        self.met[hands.cue] = found
        return found

    def turn(self, how: Hashable) -> Deal:
        return self.turns.setdefault(how, Deal())

    def after_card(self, hand: int, *, hidden: bool) -> Deal:
        """Here, after one more card; what follows one that lies face up depends on the hands alone."""
        return self.turn((hand, hidden)) if hidden else self

    def totals_told(self) -> Deal:
        """Here, after the totals were announced."""
        after = self.turn(TotalsAnnounced)
        after.open, after.announced, after.holders = self.open, True, self.holders
        return after


class Closing:
    """What a whole round leaves behind, besides cards and money."""

    def __init__(self, paid: tuple[Paid, ...], returned: dict[str, Stake], *, last_tie: bool, all: bool) -> None:
        self.paid, self.last_tie = paid, last_tie
        self.returned = returned  # by a tie; but since when they had lain there, each round says anew
        self.all = all  # is there nothing else? Otherwise the events have to be applied one by one

    @classmethod
    def of(cls, table: Table) -> Closing:
        return cls(table.paid, table.returned, last_tie=table.last_tie, all=False)


class Place:
    """A table as it stands between rounds, and everything that was learned of rounds from there."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.rest, self.deal = Spot(), Deal()
        self.medley: Medley | None = None  # single wagers, as soon as somebody needs that
        self.wagers = 0  # that were learned with all that lay there before

    def is_like(self, table: Table) -> bool:
        """Do the two differ only in what every round changes?"""
        for field in _STAYS:
            held, found = getattr(self._table, field), getattr(table, field)
            if held is not found and held != found:
                return False
        return True


_STAYS = tuple(name for name in Table.__struct_fields__ if name not in VARY)


class Ending(NamedTuple):
    """How a round came out."""

    number: int
    text: bytes  # the same as lines have it
    winner: str | None


class Memory:
    """Everything that was learned of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.forms = 0
        self.leaps = game.procedure.marked_cards <= MARKED_MAX
        self.stride: Stride | None = None  # over many rounds at once, in a long file
        self._marks: dict[tuple[bytes, ...], int] = {}
        self._endings: dict[tuple[int, int, int], Ending] = {}
        self._places: list[Place] = []
        self._first = game.procedure.marked_cards
        self.no_cards = Hands(Known(), game.procedure, (game.procedure.empty, game.procedure.empty))

    def place(self, table: Table) -> Place:
        """Where rounds of a table like this start."""
        if self.forms > FORMS_MAX:
            self._places, self.forms, self.stride = [], 0, None
        for number, place in enumerate(self._places):
            if place.is_like(table):
                if number:
                    self._places.insert(0, self._places.pop(number))
                return place
        self._places = [Place(table), *self._places[: TABLES_MAX - 1]]
        return self._places[0]

    def ending(self, draw: int, first: list[bytes], second: list[bytes]) -> Ending:
        """What the draw and the marks of both hands come to."""
        key = (draw, self._mark(first), self._mark(second))
        ending = self._endings.get(key)
        if ending is None:
            number = ending_number(self.game.procedure, *key)
            ending = self._endings[key] = Ending(number, b"%d" % number, self.game.winner(number))
        return ending

    def _mark(self, faces: list[bytes]) -> int:
        """The mark of a hand, from the cards that it looks at."""
        seen = tuple(faces[: self._first])
        mark = self._marks.get(seen)
        if mark is None:
            mark = self._marks[seen] = self.game.procedure.mark([CARD_OF_TEXT[face.decode()] for face in faces])
        return mark
