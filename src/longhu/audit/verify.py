"""A proof, checked from the first line to the last by somebody who trusts nobody.

The chain is followed, signatures are checked, and every command is asked of the rules again, as they stand in the proof:
what they answer must be, field by field, what the trail says happened. So each card drawn against the procedure, each
settlement from the cards, each posting, and each card that was or was not to be seen is made again, by the code that runs a
table and by no other. Shuffles are made again from their secrets. Memory does not grow with the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn

import msgspec

from longhu.audit import export, proof, signed_heads, standing
from longhu.audit.inferred_commands import inferred_command
from longhu.audit.record import (
    Record,
    beginning,
    command_name,
    decode,
    digest,
    encode,
    hides,
    read,
    what_is_wrong,
)
from longhu.audit.report import (
    NotAProof,
    VerificationFailed,
    VerificationReport,
    difference,
    event_name,
    held_word,
    is_salt,
)
from longhu.audit.shuffle_checks import ShoeWatch
from longhu.fairness.shuffle import is_digest
from longhu.games.game import Game
from longhu.games.registry import built_in, load_game
from longhu.games.source import GameFileError
from longhu.ledger import post
from longhu.table import checkpoint
from longhu.table.acts import EVOLVERS, Command, Event, Refusal
from longhu.table.defects import TableStopped, stopped_by
from longhu.table.engine import MOVE_MONEY, decide, held_by
from longhu.table.refusals import on_record
from longhu.table.state import Table, replace

# What hostile lines can lead to anywhere below.
NO_SENSE = (
    ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError, RecursionError, TypeError, ValueError,
)  # fmt: skip


class Verifier:
    """Takes the lines of a proof one by one; the first that is wrong raises `VerificationFailed`."""

    def __init__(self, key: str = "", anchors: Iterable[signed_heads.Head] = ()) -> None:
        self._key = self._known_key = key  # the house's, from somewhere else than the proof
        self._kept, self._anchors = tuple(anchors), dict[int, set[str]]()  # heads; digests of this table, by record
        self._line = self._sequence = self._last_at = 0
        self._head = ""
        self._ended = False
        self._stands = False  # the proof starts from a state that the first record must confirm
        self._part = False  # of a trail
        self._record: Record | None = None
        self._games: Mapping[str, Game] = {}
        self._table, self._balances = Table(game=""), dict[str, Any]()
        self._expected: list[Event] = []
        self._rules = ""  # under which the last command was asked
        self._reached = 0  # of the events that the last command must lead to
        self._held: Any = None
        self._shoes = ShoeWatch()
        self._kinds: Counter[str] = Counter()
        self.checked = VerificationReport("", "", [])

    def line(self, line: bytes) -> None:
        """The next line of the file; whatever it is made of, it is right or `VerificationFailed`."""
        self._line += 1
        self._guarded(self._next, line.removesuffix(b"\n"))

    def lines(self, lines: Iterable[bytes]) -> None:
        """The next lines of the file."""
        for line in lines:
            self.line(line)

    def _guarded(self, take: Callable[[bytes], None], line: bytes) -> None:
        try:
            take(line)
        except NO_SENSE as error:
            self._fail(f"nothing can be made of it ({type(error).__name__}: {str(error)[:200]})")

    def _next(self, line: bytes) -> None:
        self._record = None  # which this line holds
        if self._line == 1:
            self._open(line)
        elif self._ended:
            self._fail("something stands behind the end")
        elif line.startswith(proof.RECORD):
            self._recorded(line)
        elif line.startswith(proof.HEAD):
            self._signed(line)
        elif line.startswith(proof.STATE) and self._line == 2:
            self._stood(line)
        elif line.startswith(proof.END):
            self._end(line)
        else:
            self._fail("this is neither a record nor anything else that a proof holds")

    def finish(self) -> VerificationReport:
        """After the last line: everything that can only be said at the end."""
        if not self._line:
            raise proof.ProofError("the file is empty. `longhu export` makes proofs.")
        if not self._ended:
            self._line, self._record = self._line + 1, None
            self._fail("the file has no end: it was cut off, or the table was still in play when it was copied")
        missing = [sequence for sequence in self._anchors if sequence > self._sequence]
        if missing:
            self._fail(f"the trail ends with record {self._sequence}, and an anchor names record {max(missing)}")
        if self._known_key and not self.checked.heads:
            self._fail("you know the house's key, and nothing in the proof is signed with it")
        if not export.is_span(self.checked.span, part=self._part, shoe=self._shoes.number, last_at=self._last_at):
            self._fail(f"the proof is called {self.checked.span!r}, and something else is in it")
        self._count()
        return self.checked

    # ------------------------------------------------ the frame of the file

    def _open(self, line: bytes) -> None:
        try:
            opening = proof.read_opening(line)
        except proof.OtherTrail as error:
            raise NotAProof(self._line, str(error)) from None
        except proof.ProofError as error:
            self._fail(str(error))
        games = {}
        for name, file in opening.games.items():
            try:
                games[name] = file.load(f"the rules {name[:12]}")
            except (GameFileError, ValueError) as error:
                self._fail(f"the rules {name[:12]} cannot be read: {error}")
            if games[name].digest != name:
                self._fail(f"the rules {name[:12]} have the digest {games[name].digest[:12]}: they were altered")
        self._games = games
        if self._key and opening.key != self._key:
            self._fail(f"the house's key is {self._key[:16]}…, and the proof names {opening.key[:16] or 'none'}…")
        self._key = opening.key
        self._head = beginning(opening.table)
        for each in self._kept:
            if each.table == opening.table:
                self._anchors.setdefault(each.sequence, set()).add(each.digest)
        self.checked = VerificationReport(opening.table, opening.span, [each.id for each in games.values()])
        for name, file in opening.games.items():
            if _is_unlike_ours(file, games[name]):
                self.checked.remarks.append(
                    f"the rules {name[:12]} are called {games[name].id}, and are not those that this version has under that name"
                )

    def _stood(self, line: bytes) -> None:
        """A part of a trail: the table before its first record, which must say so itself."""
        try:
            table = read(line, proof.StartingState).state
        except msgspec.MsgspecError as error:
            self._fail(f"this is no state of a table: {error}")
        if proof.state_line(table).rstrip(b"\n") != line:
            self._fail("it is not written as the state of a table is written")
        if table.settings is None or table.settings.table != self.checked.table:
            self._fail(f"this is the state of another table than {self.checked.table}, or of one that is closed")
        impossible = standing.impossible(table)
        if impossible:
            self._fail(f"no table can stand so: {impossible}")
        self._balances = dict(table.balances)
        self._table = replace(table, balances=self._balances)
        self._shoes.resume(table)
        self._head, self._stands, self._part = "", True, True  # the first record names a line that is not here

    def _signed(self, line: bytes) -> None:
        try:
            head = read(line, proof.SignedHead).head
        except msgspec.MsgspecError as error:
            self._fail(f"this is no signed head: {error}")
        if head.key != self._key:
            self._fail("a head is signed with a key that is not the house's")
        if not signed_heads.is_genuine(head):
            self._fail("the signature of a head is not genuine")
        if (head.table, head.sequence, head.digest) != (self.checked.table, self._sequence, self._head):
            self._fail(f"the head that was signed here is of record {head.sequence}, with another digest or table")
        self.checked.heads += 1
        self.checked.signed_to = self._sequence

    def _end(self, line: bytes) -> None:
        try:
            closing = read(line, proof.Closing)
        except msgspec.MsgspecError as error:
            self._fail(f"this is no end of a proof: {error}")
        if self._reached < len(self._expected):
            self._fail(
                f"the last command must also lead to {event_name(self._expected[self._reached])}: lines are missing"
            )
        if closing.end != self.checked.records:
            self._fail(f"{closing.end} records were written, and {self.checked.records} are here")
        if closing.head != self._head:
            self._fail("the end names another last record")
        self._ended = True

    # ------------------------------------------------ records

    def _recorded(self, line: bytes) -> None:
        try:
            self._record = record = decode(line)
        except msgspec.MsgspecError as error:
            self._fail(what_is_wrong(line, error))
        self._in_chain(record, line)
        event = record.event
        if self._stands:
            self._is_as_recorded(event)
        if record.asked is not None or self._reached == len(self._expected):
            self._ask(record)
        elif record.game != self._rules:
            self._fail("it is under other rules than the command that led to it")
        expected = self._expected[self._reached]
        if event != expected or type(event) is not type(expected):
            self._fail(difference(event, expected))
        if record.held is not self._held:
            self._fail(f"{event.by} is said to hold {held_word(record.held)} here, and holds {held_word(self._held)}")
        if not is_salt(record.salt) if hides(event) else record.salt:
            self._fail("an event that hides a card has a salt of 32 digits, and no other has one")
        self._reached += 1
        self._happened(event)

    def _is_anchored(self, sequence: int, head: str) -> bool:
        """Does no anchor outside have another digest for this record?"""
        return self._anchors.get(sequence, {head}) == {head}

    def _in_chain(self, record: Record, line: bytes) -> None:
        """Nothing left out, nothing put in, nothing altered, and time goes on."""
        if self._sequence and record.sequence != self._sequence + 1:
            self._fail(f"record {record.sequence} stands where {self._sequence + 1} is due: some are missing or moved")
        if not self._sequence and self._head and record.sequence != 1:
            self._fail(f"the trail starts with record {record.sequence}, and nothing tells how the table stood before")
        if self._head and record.previous != self._head:
            self._fail("it does not follow from the record before: one of the two was altered")
        if not is_digest(record.previous):
            self._fail("it names no digest of a record before")
        if encode(record) != line:
            self._fail("it is not written as a record is written")
        if record.game not in self._games:
            self._fail(f"it is under the rules {record.game[:12]}, which are not in the proof")
        if record.event.at < self._last_at:
            self._fail("it is earlier than the record before")
        self._sequence, self._head, self._last_at = record.sequence, digest(line), record.event.at
        if self._anchors and not self._is_anchored(self._sequence, self._head):
            self._fail("an anchor outside has another digest for this record: the trail was written anew")
        if not self.checked.records:
            self.checked.first_at = record.event.at
        self.checked.records += 1

    def _ask(self, record: Record) -> None:
        """What the rules say to the command behind this record."""
        if self._reached < len(self._expected):
            self._fail(
                f"{event_name(self._expected[self._reached])} must come first: the command before leads to it, too"
            )
        self._rules, game = record.game, self._games[record.game]
        command = record.asked if record.asked is not None else inferred_command(game, record.event)
        if command is None:
            self._fail(f"nothing tells who asked for what led to {event_name(record.event)}")
        if record.asked is not None and record.asked == inferred_command(game, record.event):
            self._fail("it keeps a command that need not be kept")
        self._held = held_by(self._table, command)
        self._expected, self._reached = self._answer(game, command, record.event), 0
        self.checked.commands += 1

    def _answer(self, game: Game, command: Command, event: Event) -> list[Event]:
        try:
            decision = decide(self._table, game, command)
        except Exception as error:
            if isinstance(event, TableStopped):
                return [stopped_by(error, command.at)]
            self._fail(f"the rules have no answer to {command_name(command)} here ({type(error).__name__}: {error})")
        if isinstance(event, TableStopped) and not self._table.stopped:
            self.checked.remarks.append(
                f"the table stopped at record {self._sequence}, and this version would not have"
            )
            return [replace(stopped_by(RuntimeError(), command.at), why=event.why)]
        if isinstance(decision, Refusal):
            refused = on_record(command, decision)
            if type(event) is not type(refused):
                self._fail(f"the rules do not allow it. {decision}")
            self.checked.refusals += 1
            return [refused]
        if not decision:
            self._fail(f"{command_name(command)} leads to nothing here")
        return decision

    def _happened(self, event: Event) -> None:
        """The table after an event, with the money that it moved, and the shoe."""
        kind = type(event)
        try:
            self._table = EVOLVERS[kind](self._table, event)
            if kind in MOVE_MONEY:
                postings = event.postings()
                post(self._balances, postings)
                self.checked.postings += len(postings)
        except (AssertionError, ValueError, KeyError, IndexError, TypeError) as error:
            self._fail(f"it cannot have happened here: {error}")
        self._table = self._table if self._table.balances is self._balances else self._with_balances()
        wrong = self._shoes.see(self._table, event)
        if wrong:
            self._fail(wrong)
        self._kinds[str(kind.__struct_config__.tag)] += 1
        if hides(event):
            self.checked.face_down += 1

    def _with_balances(self) -> Table:
        return replace(self._table, balances=self._balances)

    def _is_as_recorded(self, event: Event) -> None:
        """A part starts where the state of the table was put on record."""
        self._stands = False
        if not isinstance(event, checkpoint.StateRecorded):
            self._fail("a part of a trail starts with the state of the table on record, and this is something else")
        if checkpoint.digest(self._table) != event.digest:
            self._fail("the table that the proof starts from is not the one on record")

    # ------------------------------------------------ what came of it

    def _count(self) -> None:
        checked, kinds, shoes = self.checked, self._kinds, self._shoes
        checked.last_at, checked.head = self._last_at, self._head
        checked.rounds = kinds["round-ended/1"] + kinds["round-voided/1"]
        checked.voided = kinds["round-voided/1"]
        checked.wagers, checked.cards = kinds["wager-settled/1"], kinds["card-drawn/1"]
        checked.states = kinds["state-recorded/1"]
        checked.commitments, checked.contributions = shoes.commitments, shoes.contributions
        checked.shuffles, checked.shuffled_cards = shoes.checked, shoes.cards
        if shoes.mix is not None:
            checked.remarks.append(
                f"shoe {shoes.mix.number} is still sealed: its cards can be checked once it is revealed"
            )
        if shoes.unused:
            put_away = "1 shoe was" if shoes.unused == 1 else f"{shoes.unused} shoes were"
            checked.remarks.append(f"{put_away} put away before a card was dealt")
        first = self._sequence - checked.records + 1
        held = [sequence for sequence in self._anchors if sequence >= first]
        checked.anchors, checked.anchored_to = len(held), max(held, default=0)
        vouched = max(checked.signed_to, checked.anchored_to)
        if not vouched:
            checked.remarks.append("nothing is signed or anchored: a house could have written all of it anew")
        elif vouched < self._sequence:
            checked.remarks.append(
                f"records {vouched + 1:,} to {self._sequence:,} are neither signed nor anchored: a house could have written "
                "these anew"
            )

    def _fail(self, says: str) -> NoReturn:
        record = self._record
        if record is None or self._ended:
            raise VerificationFailed(self._line, says)
        event: Event = record.event
        raise VerificationFailed(self._line, says, sequence=record.sequence, at=event.at, event=event_name(event))


def _is_unlike_ours(file: proof.GameFile, game: Game) -> bool:
    """Do the rules have the name of a game that comes with this program, and say something else?"""
    ours = built_in().get(game.id)
    if ours is None or ours.read_text("utf-8") == file.text:
        return False
    try:
        return load_game(ours, file.readings).digest != game.digest
    except (GameFileError, ValueError):  # readings that ours does not have
        return True


def verify(lines: Iterable[bytes], key: str = "", anchors: Iterable[signed_heads.Head] = ()) -> VerificationReport:
    """What was checked in a proof; `VerificationFailed` tells the first thing that is not right."""
    verifier = Verifier(key, anchors)
    verifier.lines(lines)
    return verifier.finish()
