"""Random play: commands of every kind, sensible and not, from everybody, made from the fields that a command has.

A command that a colleague adds tomorrow is covered the day it is registered: its arguments are drawn by the name of the
field where that says what is meant, else by its type, and words are also taken from the function that judges it.
"""

from __future__ import annotations

import inspect
import random
import sys
import types
import typing
from collections.abc import Callable, Iterator
from enum import Enum
from functools import cache
from typing import Any

import msgspec

from longhu.cards import CARDS_PER_DECK, DECK
from longhu.eventsourcing import Refusal
from longhu.fairness.shuffle import Mix, commitment, order
from longhu.games.game import Game
from longhu.games.vocabulary import IRREGULARITIES
from longhu.positions import Position
from longhu.protocol import Patrons
from longhu.table.betting import PlaceWager
from longhu.table.betting_phase import CallNoMoreBets, CallPlaceYourBets
from longhu.table.cash import BuyIn
from longhu.table.confirmation import ConfirmReport, RejectReport
from longhu.table.dealer import next_act
from longhu.table.dealing import DrawCard
from longhu.table.differential import LeaveDifferential, RemoveWager, ScaleBack
from longhu.table.electronic import supplied
from longhu.table.engine import decide
from longhu.table.handling import NameHolder, RefuseHand, RevealHand, SqueezeCard, squeezed
from longhu.table.irregularities.missing import (
    AttendSearch,
    ReportMissingCards,
    ReserveCards,
    SortCards,
    SubstituteCards,
)
from longhu.table.irregularities.rulings import MakeRuling
from longhu.table.messages import TABLE, Command
from longhu.table.open_acts import example
from longhu.table.opening import OpenTable
from longhu.table.people import JoinTable
from longhu.table.remedies.void import CancelExpiredRound
from longhu.table.remedies.withdrawal import AnswerWithdrawalOffer, CloseWithdrawalOffer
from longhu.table.shoe import LoadShoe, VerifyCards, finished
from longhu.table.shuffling import CommitShuffle, Contribute, RevealShuffle
from longhu.table.spots import Spot, spot_of
from longhu.table.state import Phase, Round, Settings, Table, standing
from longhu.testing.scenario import START
from tests.table.rounds import SECRET, STAFF, equipment_for, settings_for

PATRONS = ("ann", "bob", "cay", "stan")
SPOTS = ("@1.1", "@1.2", "@2.1", "@3.1", "@3.2")  # of positions, where nobody has an account
HELPERS = ("ned", "flo")  # who may become nominees
CROWD = (*PATRONS, *HELPERS, *STAFF, "aud")
SHOE = "shoe-3"  # that reads
RARE = (
    "ConnectSource", "CountMessages", "DealByHand", "LoseSource", "ReadCuttingCard", "ReportReadError", "ReportRemoved", "AssignStaff", "CloseTable", "EndShoe", "LeaveTable", "ReportIncident", "TakeTheDeal", "VerifyCards",
)  # fmt: skip
SELDOM = (  # possible only in the middle of something
    "AnnounceNominee", "ApproveNominee", "AttendSearch", "CancelExpiredRound", "ChangeReturnedWager", "EndNominee",
    "ExposeCards", "JudgeIrregularity", "LeaveDifferential", "NameHolder", "RefuseHand", "RemoveWager", "ReportMissingCards", "ReportMispassedHand", "ReserveCards",
    "RetrieveHand", "RevealForAbsent", "SetSpokenWager", "SortCards", "SpeakWager", "SubstituteCards",
)  # fmt: skip
AMOUNTS = (-500, 0, 1, 250, 500, 700, 1000, 2000, 5000, 50_000, 100_000, 10**9)


MONTH = 31 * 24 * 3_600_000  # milliseconds


class Chance:
    """Draws commands for a table, the same ones for the same seed."""

    def __init__(self, game: Game, seed: int, patrons: Patrons = "rated") -> None:
        self.game, self.random, self.at, self.patrons = game, random.Random(seed), START, patrons
        self.betting: tuple[str, ...] = PATRONS if patrons == "rated" else (*PATRONS, *SPOTS)  # where a patron is named
        self.course: list[Callable[[Table], Command]] = []  # what follows when something takes its course

    def opening(self) -> OpenTable:
        counted = self.random.choice((0, 10**6, 10**8, 10**8))
        return OpenTable(
            by="opal",
            at=self.at,
            position=Position.CASINO_OPERATOR,
            settings=self.settings(),
            staff=dict(STAFF) | {"aud": Position.AUDITOR},
            float_counted=counted,
            chips={1: counted},
            counted_by=("sue", "dee"),
        )

    def settings(self) -> Settings:
        """A table that may open, in one of its many forms."""
        game, pick = self.game, self.random.choice
        decks = pick((game.decks.min, game.decks.default))
        method = pick(list(game.methods) or [""])
        size = decks * CARDS_PER_DECK
        layout = pick(list(game.layouts.values()))
        setup = pick(("shoe", "shoe", "continuous-shuffler" if "continuous-capacity" in game.equipment else "shoe"))
        if method and game.methods[method].squeeze != "nobody":
            setup = "shoe"
        return settings_for(
            game,
            layout=layout.id,
            positions=pick((layout.positions_min, layout.positions_max)),
            decks=decks,
            method=method,
            equipment=equipment_for(decks, setup=setup, shuffler=size, display=pick((True, False))),
            device=pick(
                ("virtual", "virtual", "hand-shoe", "reading-shoe") if setup == "shoe" else ("virtual", "shuffler")
            ),
            burn=pick((0, 0, 3)),
            cut_reserve=pick((14, size - 20, size - 60 if size > 60 else 14)),
            rounds_after_cut=pick((0, 1)),
            differential=pick((None, 5000, 1000)),
            area_players=pick((0, 0, 1)),
            area_cap=pick(("off", "off", "all", "named")),
            area_named=("ann", "bob"),
            extra_cards_face_up=pick((True, False)),
            chip_unit=pick((1, 50)) if self.patrons == "rated" else 1,
            patrons=self.patrons,
            withdrawal_seconds=pick((1, 30)),
        )

    def command(self, table: Table) -> Command:
        """Something that somebody asks, with the cards that the shoe gives where it takes some."""
        return from_shoe(table, self._command(table))

    def _command(self, table: Table) -> Command:
        """Often one that the table allows, often the next step, often anything at all."""
        self.at += self.random.choice((0, 1, 100, 1000, 1000, 40_000))
        if table.settings is None and self.random.random() < 0.7:
            return self.opening()
        if table.awaited is not None and self.random.random() < 0.8:
            return self.random.choice(list(second_persons(table, self.at)))
        if not self.course:
            self.course = self.equal_wagers(table) or self.cards_gone(table) or self.expired(table)
        if self.course:
            return self.course.pop(0)(table)
        ask = self.random.choice((self.step, self.step, self.anything))
        asked = self.sensible(table) if self.random.random() < 0.15 else ask(table)
        if self.random.random() < 0.7:
            for _ in range(10):
                if self.is_allowed(table, asked):
                    break
                asked = ask(table)
        return asked

    def sensible(self, table: Table) -> Command:
        """Some command in a form that fits the table, where there is one; so play goes where chance alone would not."""
        by_name = {each.__name__: each for each in sorted(TABLE.deciders, key=lambda each: each.__name__)}
        names = [*self.random.sample(SELDOM, 10), *self.random.sample(list(by_name), 3)]
        for name in names:
            if name in by_name and name not in RARE:
                staff = by_name[name].needs > Position.PATRON or self.random.random() < 0.3
                form = example(
                    table, self.game, "opal" if staff else self.random.choice(PATRONS), self.at, by_name[name]
                )
                if form is not None:
                    return form
        return self.step(table)

    # ------------------------------------------------ things that take several commands in a row

    def equal_wagers(self, table: Table) -> list[Callable[[Table], Command]]:
        """Two patrons place the same at one moment, and betting closes: somebody must be named to handle the cards."""
        round, at = table.round, self.at
        if (
            self.random.random() < 0.95
            or round is None
            or round.phase is not Phase.BETTING
            or not squeezed(self.game, round)
            or table.settings is None
        ):
            return []
        backed = [id for id in table.settings.limits if self.game.wagers[id].hand]
        wager, amount = self.random.choice(backed), max(table.settings.limits[backed[0]].min, 1000)
        deals: dict[str, Any] = {"by": table.dealer or "dee", "at": at, "position": Position.DEALER}

        def placed(place: int, patron: str) -> Callable[[Table], Command]:
            return lambda _: PlaceWager(by=patron, at=at, place=place, wager=wager, amount=amount)

        initial = self.game.procedure.initial_cards
        due = [lambda table: next_act(table, self.game, by=deals["by"], at=self.at) or self.step(table)]
        chips = [
            lambda _: BuyIn(patron="ann", amount=5000, **deals),
            lambda _: BuyIn(patron="bob", amount=5000, **deals),
        ]
        return [*chips, placed(1, "ann"), placed(2, "bob"), lambda _: CallNoMoreBets(**deals), *due * (initial + 1)]

    def cards_gone(self, table: Table) -> list[Callable[[Table], Command]]:
        """Somebody leaves with cards, and the document's procedure is followed to its end."""
        round = table.round
        if (
            self.random.random() < 0.7
            or round is None
            or not round.passed
            or all(each.card for each in round.cards)
            or not any(round.holders)
        ):
            return []
        gone = 0 if round.holders[0] else 1
        left = [each for each in round.cards if each.hand != round.hands[gone] and not each.public]
        hands = [each.id for each in self.game.procedure.hands]
        reports: dict[str, Any] = {"by": table.dealer or "dee", "at": self.at, "position": Position.DEALER}

        def form(kind: type[Command], by: str = "opal") -> Callable[[Table], Command]:
            return lambda table: example(table, self.game, by, self.at, kind) or self.step(table)

        def confirmed(table: Table) -> Command:
            awaited = table.awaited
            if awaited is None:
                return self.step(table)
            return ConfirmReport(by="gus", at=self.at, position=STAFF["gus"], number=awaited.number)

        return [
            lambda _: ReportMissingCards(hand=hands[gone], **reports),
            confirmed,
            form(AttendSearch),
            *(form(RevealHand, reports["by"]) for _ in left),  # the dealer enters what is left, card by card
            form(ReserveCards),
            form(SortCards),
            confirmed,
            form(SubstituteCards),
        ]

    def expired(self, table: Table) -> list[Callable[[Table], Command]]:
        """Nobody comes back to a game for more than a month; seldom, for it ends everything that was going on."""
        if self.random.random() < 0.98 or "game-expired" not in self.game.irregularities or table.round is None:
            return []
        self.at += MONTH
        return [lambda _: CancelExpiredRound(by="house", at=self.at, position=Position.CASINO_OPERATOR)]

    def is_allowed(self, table: Table, command: Command) -> bool:
        try:
            return not isinstance(decide(table, self.game, from_shoe(table, command)), Refusal)
        except Exception:
            return True  # whoever asks it will find out

    def step(self, table: Table) -> Command:
        """What comes next in an ordinary evening."""
        return self.random.choice(list(self.steps(table)))

    def steps(self, table: Table) -> Iterator[Command]:
        pick = self.random.choice
        deals: dict[str, Any] = {"by": table.dealer or "dee", "at": self.at, "position": Position.DEALER}
        missing = [each for each in PATRONS if each not in table.people]
        poor = [each for each in table.people if table.balances.get(f"patron:{each}", 0) < 1000]
        if missing:
            seat = PATRONS.index(missing[0]) + 1
            yield JoinTable(by=missing[0], at=self.at, seat=None if missing[0] == "stan" else pick((seat, seat, None)))
        if poor:
            yield BuyIn(patron=poor[0], amount=pick((5000, 100_000)), **deals)
        if table.round is None:
            if finished(table):
                for person in ("dee", "sue"):
                    if person not in table.verified:
                        yield self.built(VerifyCards, table, by=person, position=STAFF[person])
                seated = tuple(each.id for each in table.people.values() if each.seat is not None)
                if table.shuffle is not None and table.shuffle.mix and not table.shuffle.secret:
                    yield RevealShuffle(secret=SECRET.hex(), **deals)
                yield self.built(CommitShuffle, table, **deals)
                yield Contribute(by=pick(PATRONS), at=self.at, value=str(self.at))
                yield self.built(LoadShoe, table, cut_by="", cut_behind=None, declined=seated, **deals)
            else:
                yield CallPlaceYourBets(**deals)
        elif table.round.phase is Phase.BETTING:
            for _ in range(6):
                place, amount = pick((1, 1, 2, 3)), pick((500, 500, 700, 1000))
                yield PlaceWager(by=pick(PATRONS), at=self.at, place=place, wager=self.wager(table), amount=amount)
            if self.patrons != "rated":
                spot = spot_of(pick(SPOTS)) or Spot(1)
                lies: dict[str, Any] = {"place": spot.place, "wager": self.wager(table), "amount": pick((500, 1000))}
                yield PlaceWager(patron=spot.name, **lies, **deals)
            yield CallNoMoreBets(**deals)
        else:
            yield from self.dealing(table, table.round, **deals)
        if table.round is not None:
            yield from self.unblocking(table, table.round)

    def dealing(self, table: Table, round: Round, **deals: Any) -> Iterator[Command]:
        due = next_act(table, self.game, by=deals["by"], at=self.at)
        if due is not None:
            yield due
        if isinstance(due, DrawCard):
            yield DrawCard(card=self._card(table), **deals)
        for hand, holder in zip(round.hands, round.holders, strict=True):
            hidden = [place for place, each in enumerate(round.cards) if each.hand == hand and not each.public]
            unknown = sum(1 for place in hidden if not round.cards[place].card)
            acts: dict[str, Any] = {"by": holder, "at": self.at} if holder and not unknown else deals
            if hidden:
                yield SqueezeCard(by=acts["by"], at=self.at, place=hidden[0], step=self._step(table))
                yield RefuseHand(by=acts["by"], at=self.at, hand=hand)
                yield RevealHand(hand=hand, cards=tuple(self._card(table) for _ in range(unknown)), **acts)

    def unblocking(self, table: Table, round: Round) -> Iterator[Command]:
        """Whatever the round waits for, by somebody high enough."""
        pick = self.random.choice
        rules: dict[str, Any] = {"by": "opal", "at": self.at, "position": Position.CASINO_OPERATOR}
        if round.halt.for_ruling:
            yield MakeRuling(
                decision=pick(("burn", "replace", "void") if round.in_error else ("continue", "continue", "void")),
                reason="so it is",
                **rules,
            )
        if round.asks_supervisor:
            yield self.built(NameHolder, table, **rules)
        if round.halt.offer is not None:
            yield from (
                CloseWithdrawalOffer(**rules),
                self.built(AnswerWithdrawalOffer, table, by=pick(PATRONS), position=Position.PATRON),
            )
        if round.differential:
            yield self.built(pick((LeaveDifferential, RemoveWager, ScaleBack)), table, **rules)

    def wager(self, table: Table) -> str:
        offered = list(table.settings.limits) if table.settings else []
        return self.random.choice(offered or list(self.game.wagers))

    def anything(self, table: Table) -> Command:
        """Any command, by anybody, in the position that they hold or in another."""
        command = self.random.choice(sorted(TABLE.deciders, key=lambda each: each.__name__))
        if command.__name__ in RARE and self.random.random() < 0.9:
            return self.anything(table)
        by = self.random.choice(CROWD)
        if self.random.random() < 0.6:  # somebody who may ask for it
            by = {Position.PATRON: self.random.choice(CROWD)}.get(command.needs) or self.random.choice(
                [person for person, position in STAFF.items() if position >= command.needs] or CROWD
            )
        if command.needs is Position.DEVICE:
            return self.built(command, table, by=f"device:{SHOE}", position=Position.DEVICE)
        owner, aimed = self.aimed(command, table)
        if command.needs is Position.PATRON and owner and self.random.random() < 0.7:
            by = owner
        held = standing(table, by)
        position = held if held is not None and self.random.random() < 0.9 else self.random.choice(list(Position))
        return self.built(command, table, by=by, position=position, **aimed)

    def built(self, command: type[Command], table: Table, **given: Any) -> Command:
        """One command with every field filled in, or left at its default."""
        given = {"at": self.at, **given}
        for field in msgspec.structs.fields(command):
            has_default = field.default is not msgspec.NODEFAULT or field.default_factory is not msgspec.NODEFAULT
            if field.name in given or (has_default and self.random.random() < 0.5):
                continue
            given[field.name] = self.argument(command, field.name, field.type, table)
        return command(**given)

    def aimed(self, command: type[Command], table: Table) -> tuple[str, dict[str, Any]]:
        """Often what belongs together, and whose it is: a wager that lies there; a patron and the one who helps."""
        names, owner = command.__struct_fields__, ""
        aimed: dict[str, Any] = {}
        stakes = list(table.round.stakes.values()) if table.round else []
        if self.random.random() < 0.3:
            return owner, aimed
        if {"place", "wager"} <= set(names) and stakes:
            stake = self.random.choice(stakes)
            owner, aimed = stake.patron, {"place": stake.place, "wager": stake.wager, "patron": stake.patron}
        elif "patron" in names and table.nominees:
            nominee = self.random.choice(list(table.nominees.values()))
            owner, aimed = nominee.patron, {"patron": nominee.patron, "person": nominee.person}
        return owner, {name: value for name, value in aimed.items() if name in names}

    def argument(self, command: type[Command], name: str, type: Any, table: Table) -> Any:
        if name in ("reason", "why"):  # what staff say in their own words: no card or name by chance
            return self.random.choice(("so it is", ""))
        by_name: Callable[[Table], Any] | None = getattr(self, f"_{name}", None)
        if by_name is not None and self.random.random() < 0.95:
            value = by_name(table)
            if _fits(value, type):
                return value
        return self.of_type(command, type, table)

    def of_type(self, command: type[Command], type: Any, table: Table) -> Any:
        """Any value of a type; words are those that the command's judge knows, and those of the table."""
        pick, origin, args = self.random.choice, typing.get_origin(type), typing.get_args(type)
        if origin in (typing.Union, types.UnionType):
            return self.of_type(command, pick(args), table)
        if origin is typing.Annotated:
            return self.of_type(command, args[0], table)
        if origin is typing.Literal:
            return pick(args)
        if origin is tuple:
            inner = args[0] if len(args) == 2 and args[1] is Ellipsis else None
            each = [inner] * self.random.randrange(4) if inner is not None else args
            return tuple(self.of_type(command, one, table) for one in each)
        if origin is dict:
            return {self.of_type(command, args[0], table): self.of_type(command, args[1], table) for _ in range(2)}
        if isinstance(type, builtins_type) and issubclass(type, msgspec.Struct):
            fields = {each.name: each.type for each in msgspec.structs.fields(type)}
            return type(**{field: self.argument(command, field, of, table) for field, of in fields.items()})
        if isinstance(type, builtins_type) and issubclass(type, Enum):
            return pick(list(type))
        values: dict[Any, tuple[Any, ...]] = {
            bool: (False, True),
            int: (*AMOUNTS, 2, 3, 4),
            str: (
                *words(command),
                *CROWD,
                *self.game.wagers,
                *(each.id for each in self.game.procedure.hands),
                "KS",
                "",
            ),
            types.NoneType: (None,),
            msgspec.UnsetType: (msgspec.UNSET,),
            Any: (None, 3, "x", (), {}),
        }
        return pick(values[type])

    # ------------------------------------------------ fields whose names say what is meant

    def _settings(self, _table: Table) -> Settings:
        return self.settings()

    def _shoe(self, _table: Table) -> str:
        return SHOE

    def _sequence(self, table: Table) -> int:
        return (table.source.sequence if table.source is not None else 0) + self.random.choice((0, 1, 1, 1, 1, 2))

    def _staff(self, _table: Table) -> dict[str, Position]:
        return dict(STAFF)

    def _counted_by(self, _table: Table) -> tuple[str, ...]:
        return self.random.choice((("sue", "dee"), ("sue",)))

    def _float_counted(self, table: Table) -> int:
        return table.balances.get("float:T1", 0)

    def _counted(self, table: Table) -> int:
        return table.settings.decks * CARDS_PER_DECK if table.settings else 0

    def _commitment(self, table: Table) -> str:
        return commitment(table.settings.table if table.settings else "", table.shoes + 1, SECRET)

    def _secret(self, _table: Table) -> str:
        return self.random.choice((SECRET.hex(), SECRET.hex(), "00", "no secret"))

    def _value(self, _table: Table) -> str:
        return self.random.choice(("luck", "八", "", "x" * 200))

    def _changes(self, table: Table) -> dict[str, Any]:
        names = list(Settings.__struct_fields__)
        other = msgspec.structs.asdict(self.settings())
        name = self.random.choice(names)
        return {name: other[name] if self.random.random() < 0.8 else self.of_type(Command, Any, table)}

    def _hand(self, _table: Table) -> str:
        return self.random.choice([each.id for each in self.game.procedure.hands])

    def _wager(self, table: Table) -> str:
        stakes = [each.wager for each in table.round.stakes.values()] if table.round else []
        return self.random.choice([*stakes, self.wager(table)])

    def _place(self, _table: Table) -> int:
        return self.random.choice((0, 1, 1, 1, 2, 2, 3, 3, 4, 5))

    def _places(self, table: Table) -> tuple[int, ...]:
        cards = len(table.round.cards) if table.round else 0
        return tuple(self.random.randrange(-1, cards + 1) for _ in range(self.random.randrange(4)))

    def _seat(self, _table: Table) -> int:
        return self.random.randrange(9)

    def _step(self, _table: Table) -> int:
        return self.random.randrange(12)

    def _amount(self, _table: Table) -> int:
        return self.random.choice(AMOUNTS)

    def _number(self, _table: Table) -> int:
        return self.random.randrange(4)

    def _patron(self, _table: Table) -> str:
        return self.random.choice((*self.betting, *self.betting, ""))

    def _person(self, _table: Table) -> str:
        return self.random.choice((*self.betting, *HELPERS, "dee"))

    def _card(self, _table: Table) -> str:
        return self.random.choice((*(str(each) for each in DECK), "", "XX"))

    def _cards(self, table: Table) -> tuple[str, ...]:
        return tuple(self._card(table) for _ in range(self.random.randrange(5)))

    def _kind(self, _table: Table) -> str:
        return self.random.choice((*IRREGULARITIES, *self.game.irregularities, "fill", "credit"))

    def _chips(self, _table: Table) -> tuple[int, ...]:
        return self.random.choice(((), (500,), (250, 250), (100, 400)))


builtins_type = type


def second_persons(table: Table, at: int) -> Iterator[Command]:
    """Everybody of the staff who might confirm the report that waits, and whoever made it, who may take it back."""
    assert table.awaited is not None
    by, number = table.awaited.by, table.awaited.number
    for person in sorted(table.staff.keys() | table.acting.keys()):  # the same for the same seed
        held = standing(table, person)
        if person != by and held is not None:
            yield ConfirmReport(by=person, at=at, position=held, number=number)
    yield RejectReport(by=by, at=at, position=standing(table, by) or Position.DEALER, number=number, reason="a slip")


def from_shoe(table: Table, command: Command) -> Command:
    """The command with the cards of the shoe, which keeps the same secret all evening."""
    sealed = table.shuffle
    return supplied(table, command, order_of(sealed.mix)) if sealed is not None and sealed.mix else command


@cache
def order_of(mix: Mix) -> tuple[str, ...]:
    return order(mix, SECRET)


def _fits(value: Any, type: Any) -> bool:
    try:
        msgspec.convert(value, type, strict=True)
    except msgspec.ValidationError:
        return isinstance(value, msgspec.Struct)
    return True


@cache
def words(command: type[Command]) -> tuple[str, ...]:
    """The short words in the module that judges a command: what it may be compared with."""
    judge = TABLE.deciders.get(command)
    found: set[str] = set()
    if judge is not None:
        for value in vars(sys.modules[judge.__module__]).values():
            if isinstance(value, types.FunctionType) and value.__module__ == judge.__module__:
                _collect(inspect.unwrap(value).__code__, found)
            elif isinstance(value, tuple):
                found.update(each for each in value if isinstance(each, str))
    return tuple(sorted(word for word in found if 0 < len(word) < 24 and " " not in word and "{" not in word))


def _collect(constant: Any, found: set[str]) -> None:
    if isinstance(constant, str):
        found.add(constant)
    elif isinstance(constant, tuple):
        for each in constant:
            _collect(each, found)
    elif isinstance(constant, types.CodeType):
        _collect(constant.co_consts, found)
