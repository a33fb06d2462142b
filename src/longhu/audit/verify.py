"""Verification of a proof, from the first line to the last, by somebody who trusts nobody and needs no server.

Line by line, and the first check that fails ends it:

1. the opening: the rules in the file can be read, and have the digests under which they stand;
2. every record: its place in the chain, its form, its time (`_check_chain`); then its command through the rules, its cards, its
   money and its shuffle (`replay.Replay`);
3. every signed head: its signature, and that it is of the record above it;
4. the end: nothing is missing, and what witnesses have kept agrees.

The report counts what was replayed and says what was not checked. Memory does not grow with the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NoReturn

import msgspec

from longhu.audit import proof
from longhu.audit.export import is_span
from longhu.audit.record import (
    Record,
    beginning,
    decode,
    digest,
    encode,
    is_canonical,
    read,
    untold_fields,
    why_no_record,
)
from longhu.audit.replay import Replay
from longhu.audit.report import CheckFailed, NotAProof, VerificationFailed, VerificationReport
from longhu.audit.signed_heads import Head, is_genuine
from longhu.eventsourcing import name_of
from longhu.fairness.shuffle import is_digest
from longhu.games.game import Game
from longhu.games.registry import built_in, load_game
from longhu.games.source import GameFileError

# What hostile lines can lead to anywhere below.
UNEXPECTED = (
    ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError, RecursionError, TypeError, ValueError,
)  # fmt: skip


class Verifier:
    """Takes the lines of a proof one by one; the first check that does not hold raises `VerificationFailed`."""

    def __init__(self, key: str = "", anchors: Iterable[Head] = ()) -> None:
        """`key` is the house's public key and `anchors` are signed heads, both known from elsewhere than the file."""
        self.report = VerificationReport("", "", [])
        self._known_key = self._key = key
        self._heads = tuple(anchors)
        self._anchors: dict[int, set[str]] = {}  # digests that witnesses have kept of this table, by record
        self._games: Mapping[str, Game] = {}
        self._replay = Replay({})
        self._line = 0
        self._format = ""  # of the proof, as its opening names it
        self._record: Record | None = None  # on the line that is being checked
        self._sequence = self._last_at = 0  # of the last record
        self._head = ""  # its digest; "" before the first record of a part
        self._is_old = False  # the record is of an old shape, which was upcast
        self._is_part = self._ended = False

    def line(self, line: bytes) -> None:
        """Check the next line of the file, whatever it is made of."""
        self._line += 1
        self._record = None
        try:
            self._check(line.removesuffix(b"\n"))
        except proof.OtherLog as error:
            raise NotAProof(self._line, str(error)) from None
        except (CheckFailed, proof.ProofError) as error:
            self._fail(str(error))
        except UNEXPECTED as error:
            self._fail(f"it cannot be processed ({type(error).__name__}: {str(error)[:200]})")

    def lines(self, lines: Iterable[bytes]) -> None:
        for line in lines:
            self.line(line)

    def finish(self) -> VerificationReport:
        """After the last line: what can only be checked at the end, and the report."""
        self._record = None
        if not self._line:
            raise proof.ProofError("the file is empty. `longhu export` makes proofs.")
        if not self._ended:
            self._line += 1
            self._fail("the file has no end: it was cut off, or the table was still in play when it was copied")
        later = [sequence for sequence in self._anchors if sequence > self._sequence]
        if later:
            self._fail(f"the audit log ends with record {self._sequence}, and an anchor names record {max(later)}")
        if self._known_key and not self.report.heads:
            self._fail("you know the house's key, and nothing in the proof is signed with it")
        if not is_span(self.report.span, part=self._is_part, shoe=self._replay.shuffles.number, last_at=self._last_at):
            self._fail(f"the proof is called {self.report.span!r}, and something else is in it")
        self._complete_report()
        return self.report

    def _fail(self, says: str) -> NoReturn:
        record = self._record
        if record is None:
            raise VerificationFailed(self._line, says) from None
        event = record.event
        raise VerificationFailed(
            self._line, says, sequence=record.sequence, at=event.at, event=name_of(event)
        ) from None

    def _check(self, line: bytes) -> None:
        if self._line == 1:
            self._check_opening(line)
        else:
            FORMATS[self._format](self, line)

    def _check_line_1(self, line: bytes) -> None:
        """A line of `longhu-proof/1`."""
        if self._ended:
            raise CheckFailed("data after the end of the proof")
        if line.startswith(proof.RECORD):
            self._check_record(line)
        elif line.startswith(proof.HEAD):
            self._check_head(line)
        elif line.startswith(proof.STATE) and self._line == 2:
            self._start_from_state(line)
        elif line.startswith(proof.END):
            self._check_end(line)
        else:
            raise CheckFailed("this is neither a record nor another line of a proof")

    # ------------------------------------------------ before the records

    def _check_opening(self, line: bytes) -> None:
        opening = proof.read_opening(line)
        self._games = {name: _load(name, file) for name, file in opening.games.items()}
        if self._known_key and opening.key != self._known_key:
            raise CheckFailed(
                f"the house's key is {self._known_key[:16]}…, and the proof names {opening.key[:16] or 'none'}…"
            )
        self._format, self._key = opening.proof, opening.key
        self._head = beginning(opening.table)
        for head in self._heads:
            if head.table == opening.table:
                self._anchors.setdefault(head.sequence, set()).add(head.digest)
        self._replay = Replay(self._games)
        self.report = VerificationReport(opening.table, opening.span, [game.id for game in self._games.values()])
        self.report.editions = [_named(game) for game in self._games.values()]
        for name, file in opening.games.items():
            if _is_unlike_ours(file, self._games[name]):
                self.report.remarks.append(
                    f"the rules {name[:12]} are called {self._games[name].id}, and are not those that this version has under that name"
                )

    def _start_from_state(self, line: bytes) -> None:
        """A part of an audit log: the table before its first record, which must confirm it."""
        table = proof.read_state(line)
        if table.settings is None or table.settings.table != self.report.table:
            raise CheckFailed(f"this is the state of another table than {self.report.table}, or of one that is closed")
        self._replay.start_from(table)
        self._is_part, self._head = True, ""  # the first record names a line that is not in the file

    # ------------------------------------------------ records

    def _check_record(self, line: bytes) -> None:
        try:
            self._record = record = decode(line)
        except msgspec.MsgspecError as error:
            raise CheckFailed(why_no_record(line, error)) from None
        self._check_chain(record, line)
        self._replay.check(record, untold_fields(line) if self._is_old else None)

    def _check_chain(self, record: Record, line: bytes) -> None:
        """Nothing was left out, put in or altered, the line has the one form that it can have, and time goes on."""
        due, at = self._sequence + 1, record.event.at
        if not self._head:  # the first record of a part
            if not is_digest(record.previous):
                raise CheckFailed("it names no digest of a record before")
        elif record.sequence != due and due == 1:
            raise CheckFailed(f"the file starts with record {record.sequence}, and without the state before it")
        elif record.sequence != due:
            raise CheckFailed(f"record {record.sequence} stands where {due} is due: some are missing or moved")
        elif record.previous != self._head:
            raise CheckFailed("it does not follow from the record before: one of the two was altered")
        self._is_old = encode(record) != line
        if self._is_old and not is_canonical(record, line):
            raise CheckFailed("it is not written as a record is written")
        if record.game not in self._games:
            raise CheckFailed(f"it is under the rules {record.game[:12]}, which are not in the proof")
        if at < self._last_at:
            raise CheckFailed("it is earlier than the record before")
        self._sequence, self._head, self._last_at = record.sequence, digest(line), at
        if self._anchors and self._anchors.get(self._sequence, {self._head}) != {self._head}:
            raise CheckFailed("an anchor has another digest for this record: the audit log was written anew")
        if not self.report.records:
            self.report.first_at = at
        self.report.records += 1

    # ------------------------------------------------ signed heads, and the end

    def _check_head(self, line: bytes) -> None:
        try:
            head = read(line, proof.HeadLine).head
        except msgspec.MsgspecError as error:
            raise CheckFailed(f"this is no signed head: {error}") from None
        if head.key != self._key:
            raise CheckFailed("a head is signed with a key that is not the house's")
        if not is_genuine(head):
            raise CheckFailed("the signature of a head is not genuine")
        if (head.table, head.sequence, head.digest) != (self.report.table, self._sequence, self._head):
            raise CheckFailed(
                f"the head that was signed here is of record {head.sequence}, with another digest or table"
            )
        self.report.heads += 1
        self.report.signed_to = self._sequence

    def _check_end(self, line: bytes) -> None:
        try:
            closing = read(line, proof.EndLine)
        except msgspec.MsgspecError as error:
            raise CheckFailed(f"this is no end of a proof: {error}") from None
        pending = self._replay.pending
        if pending is not None:
            raise CheckFailed(f"the last command must also lead to {name_of(pending)}: lines are missing")
        if closing.end != self.report.records:
            raise CheckFailed(f"{closing.end} records were written, and {self.report.records} are here")
        if closing.head != self._head:
            raise CheckFailed("the end names another last record")
        self._ended = True

    # ------------------------------------------------ the report

    def _complete_report(self) -> None:
        report, shuffles = self.report, self._replay.shuffles
        self._replay.count(report)
        report.last_at, report.head = self._last_at, self._head
        kept = [sequence for sequence in self._anchors if sequence > self._sequence - report.records]
        report.anchors, report.anchored_to = len(kept), max(kept, default=0)
        report.not_checked += self._not_checked()
        if shuffles.unused:
            shoes = "1 shoe was" if shuffles.unused == 1 else f"{shuffles.unused} shoes were"
            report.remarks.append(f"{shoes} put away before a card was dealt")

    def _not_checked(self) -> Iterable[str]:
        """What the reader must take from elsewhere, because the file cannot show it."""
        report, shuffles, last = self.report, self._replay.shuffles, self._sequence
        if shuffles.mix is not None:
            yield f"the cards of shoe {shuffles.mix.number} ({len(shuffles.left)} so far) against its shuffle: it is not revealed yet"
        if shuffles.read:
            yield f"the order of {shuffles.read:,} cards that came from no electronic shoe: it is what the shoe has read"
        if shuffles.entered:
            yield f"the order of {shuffles.entered:,} cards that came from no electronic shoe: it is what the dealer entered"
        for sequence in self._replay.stopped_at:
            yield f"why the table stopped at record {sequence:,}: by this version of the rules it would not have"
        if self._is_part:
            yield f"what came before record {last - report.records + 1:,}: the file starts from the state on record there"
        if report.heads and not self._known_key:
            yield "whose key signed the heads: it is the one that the file names (--key names the house's)"
        vouched = max(report.signed_to, report.anchored_to)
        if not vouched:
            yield "all records against a signature or an anchor: the house could have written all of it anew"
        elif vouched < last:
            yield f"records {vouched + 1:,} to {last:,} against a signature or an anchor: the house could have written these anew"


# How the lines of each format are checked. A format that was once released stays here, with a reader of its opening in `proof.OPENINGS`.
FORMATS: dict[str, Callable[[Verifier, bytes], None]] = {"longhu-proof/1": Verifier._check_line_1}


def _load(name: str, file: proof.GameFile) -> Game:
    try:
        game = file.load(f"the rules {name[:12]}")
    except (GameFileError, ValueError) as error:
        raise CheckFailed(f"the rules {name[:12]} cannot be read: {error}") from None
    if game.digest != name:
        raise CheckFailed(f"the rules {name[:12]} have the digest {game.digest[:12]}: they were altered")
    return game


def _named(game: Game) -> str:
    """Rules by their edition: every round names it, and the replay holds that against these files."""
    return f"{game.id} {game.version}" + (f", in force from {game.in_force}" if game.in_force else "")


def _is_unlike_ours(file: proof.GameFile, game: Game) -> bool:
    """Do the rules have the name of a game that comes with this program, and say something else?"""
    ours = built_in().get(game.id)
    if ours is None or ours.read_text("utf-8") == file.text:
        return False
    try:
        return load_game(ours, file.readings).digest != game.digest
    except (GameFileError, ValueError):  # readings that ours does not have
        return True


def verify(lines: Iterable[bytes], key: str = "", anchors: Iterable[Head] = ()) -> VerificationReport:
    """Verify all lines of a proof; `VerificationFailed` names the first check that does not hold."""
    verifier = Verifier(key, anchors)
    verifier.lines(lines)
    return verifier.finish()
