"""A proof, checked from the first line to the last by somebody who trusts nobody.

The chain is followed, signatures are checked, and every command is asked of the rules again, as they stand in the proof:
what they answer must be, field by field, what the trail says happened. So each card drawn against the procedure, each
settlement from the cards, each posting, and each card that was or was not to be seen is made again, by the code that runs a
table and by no other. Shuffles are made again from their secrets. Memory does not grow with the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

import msgspec

from longhu.fairness.shuffle import is_digest
from longhu.games.game import Game
from longhu.games.source import GameFileError
from longhu.ledger import post
from longhu.table import checkpoint
from longhu.table.acts import EVOLVERS, Command, Event, Refusal
from longhu.table.defects import TableStopped, stopped_by
from longhu.table.engine import MOVE_MONEY, decide, held_by
from longhu.table.refusals import on_record
from longhu.table.state import Table, replace
from longhu.trail import heads, proof
from longhu.trail.implied import implied
from longhu.trail.record import SALT_BYTES, Record, asked_of, beginning, decode, digest, encode, hides, what_is_wrong
from longhu.trail.shoes import ShoeWatch


class Wrong(Exception):
    """The first thing that is wrong: where it stands, and what it is, in words."""

    def __init__(self, line: int, says: str, *, sequence: int = 0, at: int = 0, event: str = "") -> None:
        self.line, self.says, self.sequence, self.at, self.event = line, says, sequence, at, event
        super().__init__(str(self))

    def __str__(self) -> str:
        place = f"line {self.line}"
        if self.sequence:
            told = [f"record {self.sequence}", self.event, heads.when(self.at) if self.at else ""]
            place += f" ({', '.join(filter(None, told))})"
        return f"{place}: {self.says}"


class Checked(msgspec.Struct):
    """What was checked, and how much of it."""

    table: str
    span: str
    games: list[str]
    records: int = 0
    first_at: int = 0
    last_at: int = 0
    commands: int = 0
    refusals: int = 0
    rounds: int = 0
    voided: int = 0
    wagers: int = 0
    cards: int = 0
    face_down: int = 0
    postings: int = 0
    commitments: int = 0
    contributions: int = 0
    shuffles: int = 0
    shuffled_cards: int = 0
    heads: int = 0
    states: int = 0
    remarks: list[str] = []
    head: str = ""


class Verifier:
    """Takes the lines of a proof one by one; the first that is wrong raises `Wrong`."""

    def __init__(self, key: str = "", anchors: Iterable[heads.Head] = ()) -> None:
        self._key = key  # the house's, from somewhere else than the proof
        self._anchors = {each.sequence: each for each in anchors}
        self._line = self._sequence = self._last_at = 0
        self._head, self._previous_head = "", ""
        self._ended = False
        self._record: Record | None = None
        self._games: Mapping[str, Game] = {}
        self._table, self._balances = Table(game=""), dict[str, Any]()
        self._expected: list[Event] = []
        self._reached = 0  # of the events that the last command must lead to
        self._held: Any = None
        self._shoes = ShoeWatch()
        self._kinds: Counter[str] = Counter()
        self.checked = Checked("", "", [])

    def line(self, line: bytes) -> None:
        """The next line of the file."""
        self._line += 1
        line = line.removesuffix(b"\n")
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

    def finish(self) -> Checked:
        """After the last line: everything that can only be said at the end."""
        if not self._line:
            raise proof.ProofError("the file is empty. `longhu export` makes proofs.")
        if not self._ended:
            self._line += 1
            self._fail("the file has no end: it was cut off, or the table was still in play when it was copied")
        missing = [sequence for sequence in self._anchors if sequence > self._sequence]
        if missing:
            self._fail(f"the trail ends with record {self._sequence}, and an anchor names record {max(missing)}")
        self._count()
        return self.checked

    # ------------------------------------------------ the frame of the file

    def _open(self, line: bytes) -> None:
        try:
            opening = proof.read_opening(line)
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
        self.checked = Checked(opening.table, opening.span, [each.id for each in games.values()])

    def _stood(self, line: bytes) -> None:
        """A part of a trail: the table before its first record, which must say so itself."""
        try:
            table = msgspec.json.decode(line, type=proof.Standing).state
        except msgspec.MsgspecError as error:
            self._fail(f"this is no state of a table: {error}")
        self._table, self._balances = table, dict(table.balances)
        self._table = replace(table, balances=self._balances)
        self._shoes.resume(table)
        self._head = ""  # the first record names a line that is not here

    def _signed(self, line: bytes) -> None:
        try:
            head = msgspec.json.decode(line, type=proof.SignedHead).head
        except msgspec.MsgspecError as error:
            self._fail(f"this is no signed head: {error}")
        if head.key != self._key:
            self._fail("a head is signed with a key that is not the house's")
        if not heads.is_genuine(head):
            self._fail("the signature of a head is not genuine")
        if (head.table, head.sequence, head.digest) != (self.checked.table, self._sequence, self._head):
            self._fail(f"the head that was signed here is of record {head.sequence}, with another digest or table")
        self.checked.heads += 1

    def _end(self, line: bytes) -> None:
        try:
            closing = msgspec.json.decode(line, type=proof.Closing)
        except msgspec.MsgspecError as error:
            self._fail(f"this is no end of a proof: {error}")
        if self._reached < len(self._expected):
            self._fail(f"the last command must also lead to {_name(self._expected[self._reached])}: lines are missing")
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
        if record.asked is not None or self._reached == len(self._expected):
            self._ask(record)
        expected = self._expected[self._reached]
        if event != expected or type(event) is not type(expected):
            self._fail(_difference(event, expected))
        if record.held is not self._held:
            self._fail(f"{event.by} is said to hold {_held(record.held)} here, and holds {_held(self._held)}")
        if (len(record.salt) != 2 * SALT_BYTES) if hides(event) else record.salt:
            self._fail("an event that hides a card has a salt of 32 digits, and no other has one")
        self._reached += 1
        self._happened(event)

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
        anchor = self._anchors.get(record.sequence)
        if anchor is not None and anchor.digest != self._head:
            self._fail("an anchor outside has another digest for this record: the trail was written anew")
        if not self.checked.records:
            self.checked.first_at = record.event.at
        self.checked.records += 1

    def _ask(self, record: Record) -> None:
        """What the rules say to the command behind this record."""
        if self._reached < len(self._expected):
            self._fail(f"{_name(self._expected[self._reached])} must come first: the command before leads to it, too")
        game = self._games[record.game]
        command = record.asked if record.asked is not None else implied(game, record.event)
        if command is None:
            self._fail(f"nothing tells who asked for what led to {_name(record.event)}")
        if record.asked is not None and record.asked == implied(game, record.event):
            self._fail("it keeps a command that need not be kept")
        self._held = held_by(self._table, command)
        self._expected, self._reached = self._answer(game, command, record.event), 0
        self.checked.commands += 1

    def _answer(self, game: Game, command: Command, event: Event) -> list[Event]:
        try:
            decision = decide(self._table, game, command)
        except Exception as error:
            if isinstance(event, TableStopped):
                return [stopped_by(error, event.at)]
            self._fail(f"the rules have no answer to {asked_of(command)} here ({type(error).__name__}: {error})")
        if isinstance(event, TableStopped):
            self.checked.remarks.append(
                f"the table stopped at record {self._sequence}, and this version would not have"
            )
            return [event]
        if isinstance(decision, Refusal):
            refused = on_record(command, decision)
            if type(event) is not type(refused):
                self._fail(f"the rules do not allow it. {decision}")
            self.checked.refusals += 1
            return [refused]
        if not decision:
            self._fail(f"{asked_of(command)} leads to nothing here")
        return decision

    def _happened(self, event: Event) -> None:
        """The table after an event, with the money that it moved, and the shoe."""
        kind = type(event)
        try:
            if isinstance(event, checkpoint.StateRecorded) and self.checked.records == 1:
                self._is_as_recorded(event)
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

    def _is_as_recorded(self, event: checkpoint.StateRecorded) -> None:
        if checkpoint.digest(self._table) != event.digest:
            raise ValueError("the table that the proof starts from is not the one on record")

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
            checked.remarks.append(f"{shoes.unused} shoes were put away before a card was dealt from them")
        if not checked.heads:
            checked.remarks.append(
                "no head is signed: a house could have written all of it anew, unless you hold an anchor"
            )

    def _fail(self, says: str) -> NoReturn:
        record = self._record
        if record is None or self._ended:
            raise Wrong(self._line, says)
        event: Event = record.event
        raise Wrong(self._line, says, sequence=record.sequence, at=event.at, event=_name(event))


def verify(lines: Iterable[bytes], key: str = "", anchors: Iterable[heads.Head] = ()) -> Checked:
    """What was checked in a proof; `Wrong` tells the first thing that is not right."""
    verifier = Verifier(key, anchors)
    for line in lines:
        verifier.line(line)
    return verifier.finish()


def _name(event: Event) -> str:
    return str(type(event).__struct_config__.tag).partition("/")[0]


def _held(position: Any) -> str:
    return "no position" if position is None else f"the position of {position.word}"


def _difference(event: Event, expected: Event) -> str:
    """What the trail says and what the rules say, in the first field that differs."""
    if type(event) is not type(expected):
        return f"{_name(event)} is on record, and the rules lead to {_name(expected)}"
    for field in event.__struct_fields__:
        found, due = getattr(event, field), getattr(expected, field)
        if found != due:
            return f"{field} is {_shown(found)}, and the rules make it {_shown(due)}"
    return "it differs from what the rules say"


def _shown(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 200 else text[:200] + "…"
