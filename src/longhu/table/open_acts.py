"""What somebody may do now: the commands that `decide` itself would accept from them.

`decide` is asked, with arguments that make sense at this table, so a page never offers what the table refuses. A command
whose arguments are all chosen from what lies on the table (a hand, an area, a patron) is given whole, ready to be sent.
One that wants something told (an amount, a reason, the face of a card) is given as its type: some form of it would be
accepted, and the person fills it in. Opening a table is not among them: before that, nobody has a position at it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import chain, product
from typing import Any, Literal, get_args, get_origin

import msgspec
from msgspec.structs import FieldInfo

from longhu.cards import DECK
from longhu.eventsourcing import Refusal, name_of
from longhu.games.game import Game
from longhu.games.vocabulary import IRREGULARITIES
from longhu.ledger import is_spot
from longhu.positions import LADDER, Position
from longhu.table.authority import AUTHORITY, SECOND_PERSON_NEEDED, rows_of
from longhu.table.betting import CapArea, PlaceWager
from longhu.table.differential import RemoveWager
from longhu.table.electronic import supplied
from longhu.table.engine import decide
from longhu.table.handling import NameHolder, SqueezeCard
from longhu.table.irregularities.cards import JudgeIrregularity
from longhu.table.irregularities.missing import AttendSearch
from longhu.table.irregularities.rulings import MakeRuling
from longhu.table.messages import TABLE, Command, ConfirmationAwaited
from longhu.table.nominees import NameNominee
from longhu.table.opening import OpenTable
from longhu.table.people import AssignStaff
from longhu.table.shoe import VerifyCards
from longhu.table.shuffling import RevealShuffle, not_to_be_revealed
from longhu.table.spots import Spot, spot_of
from longhu.table.state import Spoken, Stake, Table, replace, stake_key, standing
from longhu.table.suspension import ResumeTable

OpenAct = Command | type[Command]
Form = dict[str, Any]  # arguments of a command
CALLED = "?"  # whoever would come when the pit is called
DECISIONS_OF_THE_PIT = (
    MakeRuling,
    JudgeIrregularity,
    AttendSearch,
    NameHolder,
    RemoveWager,
    VerifyCards,
    ResumeTable,
)  # which rounds wait for
OF_OUTSIDERS = (AssignStaff, NameNominee)  # these name people who need not be at the table


class Asking(msgspec.Struct, frozen=True):
    """Somebody at a table, and what can be pointed at there."""

    table: Table
    game: Game
    person: str
    at: int

    @property
    def position(self) -> Position:
        """The highest that they hold; whoever holds none asks as a patron would."""
        held = standing(self.table, self.person)
        return Position.PATRON if held is None else held

    @property
    def places(self) -> range:
        return range(1, self.table.settings.positions + 1 if self.table.settings else 1)

    @property
    def tray(self) -> list[int]:
        return [self.table.balances.get(f"float:{self.table.settings.table}", 0)] if self.table.settings else []

    @property
    def stand_ins(self) -> tuple[str, ...]:
        """Cards that an electronic shoe could give, behind as many as it has given: they are asked with, never shown."""
        shoe = self.table.shoe
        return () if shoe is None else _stand_ins(shoe.drawn, shoe.counts)

    @property
    def amounts(self) -> list[int]:
        """One chip, all that one has, and more than any area takes."""
        held, settings = self.table.balances.get(f"patron:{self.person}", 0), self.table.settings
        unit = settings.chip_unit if settings else 1
        most = max((limit.max for limit in settings.limits.values()), default=0) if settings else 0
        return [unit, held, (most // unit + 1) * unit]

    def staked(self) -> Iterator[Form]:
        """Wagers that somebody has: on the layout, in the dealer's hand, or come back from a tie."""
        wagers: list[Stake | Spoken] = [*self.table.returned.values()]
        if self.table.round is not None:
            wagers = [*self.table.round.stakes.values(), *self.table.round.spoken.values()]
        for each in wagers:
            yield {"patron": each.patron, "place": each.place, "wager": each.wager}

    @property
    def spots(self) -> list[str]:
        """Where chips of no account lie, and the seat of every position, where the table takes such chips."""
        settings, round = self.table.settings, self.table.round
        if settings is None or not settings.takes_spots:
            return []
        lying = [each.patron for each in round.stakes.values() if is_spot(each.patron)] if round is not None else []
        return [*dict.fromkeys((*lying, *(Spot(place).name for place in self.places)))]

    @property
    def represented(self) -> list[str]:
        """Patrons for whom this person acts as a nominee."""
        return [each.patron for each in self.table.nominees.values() if each.person == self.person and each.active]

    @property
    def patrons(self) -> list[str]:
        """Whose wagers this person may speak of: the own and those of whoever is represented; for staff, everybody's."""
        if self.person in self.table.people:
            return [self.person, *self.represented]
        return [*self.table.people, *self.spots]

    def areas(self) -> Iterator[Form]:
        """Every area of the layout, with the least that could be added there."""
        settings, stakes = self.table.settings, {}
        if settings is None:
            return
        if self.table.round is not None:
            stakes = self.table.round.stakes
        for patron, place, wager in product(self.patrons, self.places, settings.limits):
            if (spot := spot_of(patron)) is not None and spot.place != place:
                continue
            on_it = stake_key(patron, place, wager) in stakes
            least = settings.step(wager) if on_it else settings.least(wager)
            yield {"patron": patron, "place": place, "wager": wager, "amount": least, "chips": (least,)}


@lru_cache(maxsize=256)  # every form of every command is tried with them
def _stand_ins(drawn: int, counts: tuple[int, ...]) -> tuple[str, ...]:
    left = [str(card) for card, count in zip(DECK, counts, strict=True) for _ in range(count)]
    return (*[""] * drawn, *left)


def open_acts(table: Table, game: Game, person: str, at: int) -> list[OpenAct]:
    """Everything that this person may ask now, in the order of the table's areas."""
    asking = Asking(table, game, person, at)
    found: list[OpenAct] = []
    for command in TABLE.deciders:
        if command is not OpenTable and asking.position in command.open_to:
            found += _open(asking, command)
    return found


def calls(table: Table, game: Game, person: str, at: int) -> dict[Position, list[OpenAct]]:
    """What waits for a decision that is not this person's, by the lowest position whose it is."""
    held = Asking(table, game, person, at).position
    found: dict[Position, list[OpenAct]] = {}
    for command in DECISIONS_OF_THE_PIT:
        attended = command is AttendSearch and table.round is not None and table.round.search.attended_by
        if attended or _open(Asking(table, game, person, at), command):
            continue
        for position in (each for each in LADDER if each > held and each > Position.DEALER):
            somebody = replace(table, staff={**table.staff, CALLED: position})
            if position in command.open_to and (acts := _open(Asking(somebody, game, CALLED, at), command)):
                found.setdefault(position, []).extend(acts)
                break
    return found


def second_persons(table: Table, game: Game, found: Iterable[OpenAct], person: str, at: int) -> dict[str, Position]:
    """Which of these acts want a second person now, by name, and in which position at least."""
    wanted: dict[str, Position] = {}
    for act in found:
        kind, name = (act, name_of(act)) if isinstance(act, type) else (type(act), name_of(act))
        if name in wanted or not any(row.second and row.command == name for row in rows_of(AUTHORITY, kind)):
            continue
        asked = example(table, game, person, at, kind) if isinstance(act, type) else act
        if asked is None:
            continue
        match decide(table, game, asked):
            case [ConfirmationAwaited(awaited=awaited)]:
                wanted[name] = awaited.needed
            case Refusal(reason=reason) if reason.code == SECOND_PERSON_NEEDED.code:
                wanted[name] = Position(reason.args["position"])
    return wanted


def example(table: Table, game: Game, person: str, at: int, command: type[Command]) -> Command | None:
    """One form of a command that would be accepted from this person now; None where there is none."""
    return next(examples(table, game, person, at, command), None)


def examples(table: Table, game: Game, person: str, at: int, command: type[Command]) -> Iterator[Command]:
    """The forms of a command that would be accepted from this person now, as far as they can be thought of."""
    asking = Asking(table, game, person, at)
    if command is not OpenTable and asking.position in command.open_to:
        yield from _accepted(asking, command, _forms(asking, command, told=True))


def _open(asking: Asking, command: type[Command]) -> list[OpenAct]:
    """The forms of one command that would be accepted: whole, or its type where something is to be told."""
    if command is RevealShuffle:  # nobody can try it with the secret but whoever keeps that
        return [] if not_to_be_revealed(asking.table, asking.game) else [command]
    whole: list[OpenAct] = []
    if not _wants_words(asking, command):
        whole += _accepted(asking, command, _forms(asking, command, told=False))
    if whole or not (command in OF_OUTSIDERS or any(name in TOLD for name in command.__struct_fields__)):
        return whole
    return [command] if example(asking.table, asking.game, asking.person, asking.at, command) else []


def _wants_words(asking: Asking, command: type[Command]) -> bool:
    """Must something be told? Not for a patron's own chips: the least that an area takes is a whole wager."""
    if command is PlaceWager and asking.person in asking.table.people:
        return False
    return command in OF_OUTSIDERS or any(each.required and each.name in TOLD for each in _fields(command).values())


def _accepted(asking: Asking, command: type[Command], forms: Iterable[Form]) -> Iterator[Command]:
    position = asking.position
    for form in forms:
        asked = command(by=asking.person, at=asking.at, position=position, **form)
        decision = decide(asking.table, asking.game, supplied(asking.table, asked, asking.stand_ins))
        if not isinstance(decision, Refusal) or decision.reason.code == SECOND_PERSON_NEEDED.code:
            yield asked


@cache
def _fields(command: type[Command]) -> Mapping[str, FieldInfo]:
    """What a command says beyond who asks, and when."""
    fields = msgspec.structs.fields(command)
    return {each.name: each for each in fields if each.name not in Command.__struct_fields__}


def _forms(asking: Asking, command: type[Command], *, told: bool) -> Iterator[Form]:
    """Arguments that make sense here; optional ones where they are told, say for whom, or are a yes or no."""
    fields = _fields(command)
    stranger = asking.person not in asking.table.people
    pools: dict[str, list[Form]] = {}
    for name, field in fields.items():
        if name == "patron" and not field.required:
            pools[name] = _for_whom(asking, stranger=stranger)
        elif field.type is bool and not field.required:
            pools[name] = [{}, {name: not field.default}]
        elif field.required or (told and name in TOLD) or name in ("hand", "first"):
            known = [{name: value} for value in _values(asking, name, field.type)]
            pools[name] = known if field.required else [{}, *known]
    known_areas: set[tuple[tuple[str, Any], ...]] = set()  # wagers of several on one area are one where nobody is named
    for together in _together(asking, command, fields):
        own = together.get("patron") == asking.person  # which nobody has to say
        fixed = {name: value for name, value in together.items() if name in pools and not (own and name == "patron")}
        if (area := tuple(fixed.items())) in known_areas:
            continue
        known_areas.add(area)
        for rest in product(*(pool for name, pool in pools.items() if name not in together)):
            yield fixed | {name: value for each in rest for name, value in each.items()}


def _for_whom(asking: Asking, *, stranger: bool) -> list[Form]:
    """Staff act for a patron; a patron for nobody else, save as a nominee."""
    others = _values(asking, "patron", str) if stranger else asking.represented
    return [*([] if stranger else [{}]), *({"patron": patron} for patron in others)]


def _together(asking: Asking, command: type[Command], fields: Mapping[str, FieldInfo]) -> Iterable[Form]:
    """Arguments that belong together: a card, an area of the layout, or a wager that somebody has."""
    if command is SqueezeCard:
        cards = asking.table.round.cards if asking.table.round else ()
        return [{"place": place, "step": each.bent + 1} for place, each in enumerate(cards)]
    if not {"place", "wager"} <= fields.keys():
        return [{}]
    if command is CapArea:
        return asking.areas()
    if "amount" in fields and fields["amount"].required:
        limits = asking.table.settings.limits if asking.table.settings else ()
        return chain(asking.staked(), asking.areas(), ({"place": 1, "wager": wager} for wager in limits))
    return asking.staked()


def _values(asking: Asking, name: str, type: Any) -> list[Any]:
    """What a field may be here: by its name where that fits the type, else by the type."""
    pool = CHOSEN.get(name) or TOLD.get(name)
    known = [value for value in pool(asking) if _fits(value, type)] if pool else []
    if known or type is str or type is int:
        return known
    if type is Position:
        return list(Position)
    return [True, False] if type is bool else list(get_args(type) if get_origin(type) is Literal else ())


def _fits(value: Any, type: Any) -> bool:
    try:
        msgspec.convert(value, type)
    except msgspec.ValidationError:
        return False
    return True


def _numbers(table: Table) -> list[int]:
    """What has a number: fills and credits under way, the last round, the last that was paid, and the last report that waited."""
    requests, paid = table.float_record.requests if table.float_record else (), table.settled[-1:]
    return [*requests, table.rounds, *(each.number for each in paid), table.reports]


def _settled_round(table: Table) -> list[int]:
    """The last round that was settled."""
    last = table.rounds - (table.round is not None)
    return [last] if last else []


def _undisputed(asking: Asking) -> list[int]:
    """The last round about which this person has no dispute open."""
    disputes = asking.table.disputes.values()
    own = {each.round for each in disputes if not each.decision and asking.person in (each.patron, each.by)}
    return [next((each for each in range(asking.table.rounds, 0, -1) if each not in own), 0)]


def _counts(asking: Asking) -> list[dict[int, int]]:
    """One chip of an amount, and the chips that are on their way."""
    record = asking.table.float_record
    under_way = [each.chips for each in record.requests.values()] if record is not None else []
    return [*({amount: 1} for amount in (*asking.amounts, *asking.tray)), *under_way]


def _decks(table: Table) -> list[str]:
    """A complete set, in the order of new decks."""
    return [str(card) for card in DECK] * (table.settings.decks if table.settings else 0)


def _left(table: Table) -> list[str]:
    """Faces that the shoe still holds: one that is told must be among them. They are asked with, never shown."""
    counts = table.shoe.counts if table.shoe else ()
    return [str(card) for card, count in zip(DECK, counts, strict=False) if count]


def _cards(table: Table) -> list[tuple[str, ...]]:
    """Faces for as many cards as may lie face down, or those that stand for cards that are gone."""
    left = _left(table)
    deduced = [table.round.search.deduced] if table.round and table.round.search.deduced else []
    return [*deduced, *(tuple(left[:count]) for count in range(1, 5))]


def _sorted(table: Table) -> list[dict[str, int]]:
    """A count of the whole set without what is on the table, and without as many as are gone."""
    if table.round is None:
        return []
    on_table = [each.card for place, each in enumerate(table.round.cards) if place not in table.round.search.missing]
    left = Counter(_decks(table)) - Counter(on_table) - Counter(table.round.reserve)
    for face in _left(table)[: len(table.round.search.missing)]:
        left[face] -= 1
    return [dict(left)]


def _mislaid(asking: Asking) -> list[tuple[str, ...]]:
    """Every card at the other hand."""
    other = dict(zip(asking.game.hands, reversed(asking.game.hands), strict=True))
    return [tuple(other[each.hand] for each in asking.table.round.cards)] if asking.table.round else []


CHOSEN: dict[str, Callable[[Asking], Iterable[Any]]] = {
    "cause": lambda _: ("record",),
    "decision": lambda _: ("continue", "void", "payments-stand"),
    "dispute": lambda asking: [each.number for each in asking.table.disputes.values() if not each.decision],
    "error": lambda _: ("too-much",),
    "first": lambda asking: list(asking.game.hands),
    "hand": lambda asking: list(asking.game.hands),
    "laid": lambda asking: range(len(asking.table.round.cards) if asking.table.round else 0),
    "kind": lambda asking: ("fill", "credit", *dict.fromkeys((*asking.game.irregularities, *IRREGULARITIES))),
    "number": lambda asking: _numbers(asking.table),
    "patron": lambda asking: [*asking.table.people, *asking.spots] or [asking.person],
    "person": lambda asking: [*asking.table.people, *asking.spots, *asking.table.staff],
    "round": lambda asking: [*_settled_round(asking.table), *_undisputed(asking)],
    "place": lambda asking: asking.places,
    "seat": lambda asking: [*asking.places, None],
    "to": lambda asking: [*asking.table.people, *asking.spots],
    "wagers": lambda asking: [tuple(asking.table.settings.limits) if asking.table.settings else ()],
    "wager": lambda asking: [*(asking.table.settings.limits if asking.table.settings else ())][:1],
}

# What a person tells: examples of what could be right.
TOLD: dict[str, Callable[[Asking], Iterable[Any]]] = {
    "amount": lambda asking: asking.amounts,
    "card": lambda asking: _left(asking.table)[:2],  # the first may be what was entered
    "cards": lambda asking: _cards(asking.table),
    "changes": lambda _: [{"withdrawal_seconds": 30}],
    "chips": lambda asking: _counts(asking),  # as a count by value; where wagers are meant, those of the area
    "counted": lambda asking: [len(_decks(asking.table))],
    "counted_by": lambda asking: [tuple(asking.table.staff)],
    "counts": lambda asking: _sorted(asking.table),
    "declined": lambda asking: [tuple(id for id, each in asking.table.people.items() if each.seat is not None)],
    "float_counted": lambda asking: asking.tray,
    "lies": lambda asking: _mislaid(asking),
    "most": lambda asking: (1, *asking.amounts),
    "commitment": lambda _: ("0" * 64,),
    "value": lambda _: ("luck",),
    "reason": lambda _: ("a reason",),
    "told": lambda _: ("what happened",),
}
