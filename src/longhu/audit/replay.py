"""Replay of an audit log: every command is decided again by the rules, and the events must equal those on record.

The verifier has no rules of its own (decision 9). At the first record of a command it calls the same `decide` as a live table, expects
the resulting events record by record, field by field, and applies them with the same `evolve`. When the secret of a shoe is revealed,
the shuffle is computed again and compared with the cards that left the shoe.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from longhu.audit.record import Record, hides, inferred_command, is_salt
from longhu.audit.report import CheckFailed, VerificationReport, difference, position_name
from longhu.eventsourcing import Event, Refusal, name_of, stored_name
from longhu.fairness.shuffle import Mix, commitment, order, secret_of
from longhu.games.game import Game
from longhu.positions import Position
from longhu.table.checkpoint import StateRecorded
from longhu.table.checkpoint import digest as state_digest
from longhu.table.confirmation import ReportConfirmed
from longhu.table.dealing import CardDrawn
from longhu.table.engine import decide, evolve
from longhu.table.irregularities.cards import CardsSetAside
from longhu.table.irregularities.rulings import CardBurned
from longhu.table.messages import ActCosigned, Command, CommandRefused, on_record
from longhu.table.remedies.void import RoundVoided
from longhu.table.settling import RoundEnded, WagerSettled
from longhu.table.shoe import ShoeLoaded
from longhu.table.shuffling import ContributionMade, ShuffleCommitted, ShuffleRevealed
from longhu.table.state import Table, replace
from longhu.table.suspension import TableStopped, stopped_by


class ShuffleChecks:
    """The shoe in use, and the cards that have left it."""

    def __init__(self) -> None:
        self.commitments = self.contributions = 0
        self.shuffles = self.cards = 0  # made again, and the cards compared with them
        self.unused = 0  # shoes that were revealed before a card was dealt
        self.read = 0  # cards that came from no shuffle: a shoe has read them
        self.entered = 0  # cards that came from no shuffle: the dealer entered or scanned them
        self.number = 0  # of the last shoe that was committed to
        self.mix: Mix | None = None  # of an electronic shoe whose secret is not revealed yet
        self.left: list[str] = []  # cards of that shoe, in their order
        self._commitment = ""
        self._before = 0  # cards that left the shoe before those: burned, or dealt before the file begins
        self._in_use = False  # the shoe was in use when the file begins

    def resume(self, table: Table) -> None:
        """Begin in the middle of a table's life; a shoe in use is checked from its next card on."""
        if table.shuffle is not None and not table.shuffle.secret:
            self._commitment, self.mix = table.shuffle.commitment, table.shuffle.mix
            self._before = table.shoe.drawn if table.shoe is not None else 0
            self._in_use = True

    def check(self, table: Table, event: Event) -> None:
        """Take an event, and the table after it."""
        check = _CHECKS.get(type(event))
        if check is not None:
            check(self, table, event)

    def _card_drawn(self, _table: Table, event: CardDrawn) -> None:
        if self.mix is None or event.from_reserve:
            self.read += event.card.source == "device"
            self.entered += event.card.source != "device"
        else:
            self.left.append(event.card.card)

    def _cards_set_aside(self, _table: Table, event: CardsSetAside) -> None:
        self.left.extend(event.cards)

    def _card_burned(self, _table: Table, event: CardBurned) -> None:
        self.left.append(event.card)

    def _shoe_loaded(self, table: Table, event: ShoeLoaded) -> None:
        shuffle = table.shuffle
        self.mix = shuffle.mix if shuffle is not None and not shuffle.secret else None  # none: a physical shoe
        self.left, self._before, self._in_use = [], event.burned, False

    def _committed(self, _table: Table, event: ShuffleCommitted) -> None:
        self.commitments += 1
        self.number, self._commitment = event.number, event.commitment

    def _contributed(self, _table: Table, _event: ContributionMade) -> None:
        self.contributions += 1

    def _revealed(self, _table: Table, event: ShuffleRevealed) -> None:
        """The secret must give the commitment, and the order of the cards."""
        secret, mix = secret_of(event.secret), self.mix
        if mix is None:
            return
        if secret is None or commitment(mix.table, mix.number, secret) != self._commitment:
            raise CheckFailed(f"the secret of shoe {event.number} is not the one that the house committed to")
        shuffled = order(mix, secret, self._before + len(self.left))[self._before :]
        if tuple(self.left) != shuffled:
            raise CheckFailed(self._difference(event.number, shuffled))
        self.shuffles += bool(self.left) or not self._in_use
        self.cards += len(self.left)
        self.unused += not self.left and not self._in_use
        self.mix = None

    def _difference(self, number: int, shuffled: Sequence[str]) -> str:
        for place, (came, due) in enumerate(zip(self.left, shuffled, strict=False), self._before + 1):
            if came != due:
                return f"card {place} of shoe {number} was {came or 'not told'}, and the shuffle made it {due}"
        return f"shoe {number} gave {len(self.left)} cards, and {len(shuffled)} were in it"


_CHECKS: dict[type[Event], Callable[[ShuffleChecks, Table, Any], None]] = {
    CardDrawn: ShuffleChecks._card_drawn,
    CardsSetAside: ShuffleChecks._cards_set_aside,
    CardBurned: ShuffleChecks._card_burned,
    ShoeLoaded: ShuffleChecks._shoe_loaded,
    ShuffleCommitted: ShuffleChecks._committed,
    ContributionMade: ShuffleChecks._contributed,
    ShuffleRevealed: ShuffleChecks._revealed,
}


def _cites_otherwise(event: Event, expected: Event, game: Game) -> bool:
    """Does a record differ in nothing but a clause that is taken from the record?

    The clauses of the game's document come from the game file in the proof, and must be the same. What the house's own standards are called,
    and which clause a refusal cites, is for the version that wrote the record to say: a later one may cite another.
    """
    document = f"{game.document}-"
    cited, due = event.clause, expected.clause
    if not isinstance(event, CommandRefused) and (cited.startswith(document) or due.startswith(document)):
        return False
    return type(event) is type(expected) and event == replace(expected, clause=cited)


# What `evolve` raises where an event does not fit the table.
MISFIT = (AssertionError, ValueError, LookupError, TypeError)


class Replay:
    """The table of a proof, as its records make it."""

    def __init__(self, games: Mapping[str, Game]) -> None:
        self.shuffles = ShuffleChecks()
        self.stopped_at: list[int] = []  # records at which the table stopped, and these rules would not have
        self._games = games
        self._table = Table(game="")
        self._expected: list[Event] = []  # what the last command leads to,
        self._next = 0  # and which of it comes next
        self._rules = ""  # the digest of the rules under which it was asked
        self._held: Position | None = None  # the position of whoever asked
        self._unconfirmed = False  # the table is what the file says, and the next record must confirm it
        self._kinds: Counter[type[Event]] = Counter()
        self._authorities = set[int]()  # the versions of the table of authority that it was opened with
        self._sources: Counter[str] = Counter()  # cards of rounds that are over, by whose word their faces are
        self._commands = self._refusals = self._postings = self._face_down = 0

    def start_from(self, table: Table) -> None:
        """Begin with the state that a part of an audit log starts from."""
        self._table, self._unconfirmed = table, True
        self.shuffles.resume(table)

    @property
    def pending(self) -> Event | None:
        """What the last command also leads to, and is not on record yet."""
        return self._expected[self._next] if self._next < len(self._expected) else None

    def check(self, record: Record, untold: Collection[str] | None = None) -> None:
        """Take the next record; `CheckFailed` where the rules lead to something else.

        A record of an old shape comes as it is read today, with the fields that it does not tell: they are as the rules make them.
        """
        event = record.event
        if self._unconfirmed:
            self._confirm_state(event)
        if record.asked is not None or self._next == len(self._expected):
            self._ask(record, is_old=untold is not None)
        elif record.game != self._rules:
            raise CheckFailed("it is under other rules than the command that led to it")
        expected = self._expected[self._next]
        if untold and type(event) is type(expected):
            event = replace(event, **{name: getattr(expected, name) for name in untold})
        if event != expected and not _cites_otherwise(event, expected, self._games[record.game]):
            raise CheckFailed(difference(event, expected))
        if record.held is not self._held:
            raise CheckFailed(
                f"{event.by} is said to hold {position_name(record.held)} here, and holds {position_name(self._held)}"
            )
        is_hidden = hides(event)
        if not is_salt(record.salt) if is_hidden else record.salt:
            raise CheckFailed("an event that hides a card has a salt of 32 digits, and no other has one")
        self._face_down += is_hidden
        self._next += 1
        self._apply(event)

    def _confirm_state(self, event: Event) -> None:
        self._unconfirmed = False
        if not isinstance(event, StateRecorded):
            raise CheckFailed("a part of an audit log starts with the state of the table on record, and this does not")
        if state_digest(self._table) != event.digest:
            raise CheckFailed("the state that the file starts from is not the one on record")

    def _ask(self, record: Record, *, is_old: bool) -> None:
        """Ask the rules for the command behind this record; in an old shape, an event may have told less of it."""
        if self._next < len(self._expected):
            pending = name_of(self._expected[self._next])
            raise CheckFailed(f"{pending} must come first: the command before leads to it, too")
        game, asked = self._games[record.game], record.asked
        inferred = inferred_command(game, record.event)
        if asked is not None and asked == inferred and not is_old:
            raise CheckFailed("it keeps a command that need not be kept")
        command = inferred if asked is None else asked
        if command is None:
            raise CheckFailed(f"the command that led to {name_of(record.event)} is missing")
        self._rules, self._held = record.game, command.held_by(self._table)
        self._expected, self._next = self._answer(game, command, record), 0
        self._commands += 1

    def _answer(self, game: Game, command: Command, record: Record) -> list[Event]:
        """The events that the rules lead to; a refusal is one, too."""
        event = record.event
        try:
            decision = decide(self._table, game, command)
        except Exception as error:
            if isinstance(event, TableStopped):
                return [stopped_by(error, command.at)]
            raise CheckFailed(
                f"the rules have no answer to {stored_name(command)} here ({type(error).__name__}: {error})"
            ) from None
        if isinstance(event, TableStopped) and not self._table.stopped:
            self.stopped_at.append(record.sequence)
            return [replace(stopped_by(RuntimeError(), command.at), defect=event.defect)]
        if isinstance(decision, Refusal):
            refused = on_record(command, decision)
            if type(event) is not type(refused):
                raise CheckFailed(f"the rules do not allow it. {decision}")
            self._refusals += 1
            return [refused]
        if not decision:
            raise CheckFailed(f"{stored_name(command)} leads to nothing here")
        return decision

    def _apply(self, event: Event) -> None:
        if isinstance(event, (RoundEnded, RoundVoided)):
            self._sources.update(self._lying())
        try:
            self._table = evolve(self._table, event)
        except MISFIT as error:
            raise CheckFailed(f"it cannot have happened here: {error}") from None
        for transaction in event.transactions():
            self._postings += len(transaction.postings)
        self.shuffles.check(self._table, event)
        self._kinds[type(event)] += 1
        self._authorities.add(self._table.authority)

    def _lying(self) -> Counter[str]:
        """The cards that lie there, by whose word their faces are."""
        round = self._table.round
        return Counter(each.source or "untold" for each in round.cards) if round is not None else Counter()

    def count(self, report: VerificationReport) -> None:
        """Write down how much was replayed."""
        kinds, shuffles = self._kinds, self.shuffles
        report.commands, report.refusals = self._commands, self._refusals
        report.rounds = kinds[RoundEnded] + kinds[RoundVoided]
        report.voided = kinds[RoundVoided]
        report.wagers, report.cards = kinds[WagerSettled], kinds[CardDrawn]
        report.sources = dict(sorted((self._sources + self._lying()).items()))
        report.face_down, report.postings = self._face_down, self._postings
        report.states = kinds[StateRecorded]
        report.second_persons, report.authorities = (
            kinds[ActCosigned] + kinds[ReportConfirmed],
            sorted(self._authorities - {0}),
        )
        report.commitments, report.contributions = shuffles.commitments, shuffles.contributions
        report.shuffles, report.shuffled_cards = shuffles.shuffles, shuffles.cards
