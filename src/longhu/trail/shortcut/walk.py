"""One round on its way among the steps that are known."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from hashlib import sha256
from typing import Any, NamedTuple

from longhu.cards import NUMBER_OF_TEXT
from longhu.deal.procedure import ending_number
from longhu.games.game import Game
from longhu.ledger import LedgerError, post
from longhu.money import Money
from longhu.table.acts import Event
from longhu.table.settling import RoundEnded, round_ended
from longhu.table.shoe import finished
from longhu.table.state import Card, Phase, Round, Table, replace
from longhu.trail.record import hides
from longhu.trail.shortcut.steps import Closing, Key, Memory, Step

EVENT, ASKED = b',"event":', b',"asked":'
BETTING, DEALING, SETTLING = "betting", "dealing", "settling"
START = b'{"event":"round-started/1"'
ROUND_MAX = 3_600_000  # milliseconds; a longer round may have met some deadline
NAME = 10  # where the name of an event starts
SALT, SALTED = b',"salt":"', len(b',"salt":"' + b"0" * 32 + b'"}')
HEX = b"0123456789abcdef"
GAP = b"\0"  # in place of what varies; no JSON has it
STAYS = object()  # another card, face up: what follows depends on the hands alone


def may_start(table: Table, game: Game) -> bool:
    """Is it a table at which an ordinary round can follow from the opening call?"""
    settings, shoe = table.settings, table.shoe
    if settings is None or shoe is None or table.round is not None or table.kept or finished(table):
        return False
    if settings.equipment.setup == "continuous-shuffler" or shoe.cutting_card_out:
        return False
    return not (game.reshuffled and shoe.drawn > settings.burn)


class Walk:
    """One round on its way: where it stands among the steps, and what was left out of them and must be right."""

    __slots__ = (
        "_left", "_turn", "at", "balances", "bets", "cards", "commands", "counts", "cue", "cut_at", "deal", "drawn", "end",
        "ending", "face_down", "faces", "hands", "head", "last_at", "lines", "memory", "over", "phase", "place", "postings", "round",
        "rules", "sequence", "shoe", "since", "spot", "started", "table", "time", "wagers",
    )  # fmt: skip

    def __init__(self, memory: Memory, table: Table, balances: dict[str, Money], stood: tuple[int, str, int]) -> None:
        shoe = table.shoe
        if shoe is None:
            raise AssertionError("a round without a shoe")
        self.rules, self.balances = memory.rules, balances
        self.sequence, head, self.last_at = stood
        self.head, self.postings = head.encode(), 0
        self.lines: list[bytes] = []
        self.place = place = memory.place(table)
        self.memory, self.table = memory, table
        self.bets, self.deal, self.end = place.bets, place.deal, place.bets
        self.drawn, self.cut_at = shoe.drawn, shoe.cut_at or 1 << 30
        self.counts = list(shoe.counts)
        self.round, self.shoe = table.rounds + 1, shoe.number
        self.hands = memory.no_cards
        self.cards: list[tuple[str, int]] = []
        self.faces: tuple[list[str], list[str]] = ([], [])
        self.since: dict[bytes, bytes] = {}  # when each stake was made
        self.at, self.time, self.started = b"", 0, 0
        self.ending = self.commands = self.face_down = self.wagers = 0
        self.over, self.phase = False, BETTING
        self.spot, self.cue = self.bets, 0  # where a guess is kept
        self._turn: Hashable = None
        self._left = b""

    def take(self, line: bytes) -> Step | None:
        """The step that a record takes; None where the rules have not confirmed it from here.

        It must follow from the record before, and the money that it moves must be there.
        """
        prefix = b'{"sequence":%d,"previous":"%b%b' % (self.sequence + 1, self.head, self.rules)
        if not line.startswith(prefix):
            return None
        step = self._step(line, len(prefix))
        if step is None or self.time < self.last_at:
            return None
        if step.money:
            try:
                post(self.balances, step.money)
            except LedgerError:
                return None
            self.postings += len(step.money)
        self.sequence, self.head, self.last_at = self.sequence + 1, sha256(line).hexdigest().encode(), self.time
        self.lines.append(line)
        return step

    def _step(self, line: bytes, start: int) -> Step | None:
        guess = self.spot.guesses.get(self.cue)
        if guess is not None and guess.kind.fits(self, guess, line, start):
            kind, step = guess.kind, guess.step
        else:
            body, spot, cue = line[start:], self.spot, self.cue
            kind, steps, key = self._read(body)
            known = steps.get(key) if steps is not None else None
            if known is None:
                return None
            step = known
            if kind.fits is not _never:
                spot.guesses[cue] = Guess(kind, step, key, self._left, self)
        self.commands += step.commands
        kind.leads(self, step)
        return None if self.over and step.closing is None else step

    def _read(self, body: bytes) -> tuple[Kind, dict[Key, Step] | None, Key]:
        """The kind of an event, where to look for its step, and what is left of it to compare."""
        end = body.find(b'"', NAME)
        kind = KINDS.get(body[NAME:end])
        start = body.find(b'"at":', end) + 5
        stop = body.find(b",", start)
        at, last = body[start:stop], self.at
        if kind is None or kind.phase is not self.phase or not _is_time(at) or body.find(ASKED, stop) > 0:
            return NO_KIND, None, ()
        self.at, self.time = at, int(at)
        if not last:
            self.started = self.time
        elif self.time - self.started > ROUND_MAX:
            return NO_KIND, None, ()
        self._left = b""
        steps, left = kind.reads(self, body[stop:])
        if isinstance(left, bytes):
            self._left = left
        return kind, steps, (at == last, body[:start], left)

    # ------------------------------------------------ what came last from a place is tried first: nothing has to be read

    def _fits(self, guess: Guess, line: bytes, start: int, tail: bytes) -> bool:
        """Is it the same event again, at any time that goes with it?"""
        if not (line.endswith(tail) and line.startswith(guess.head, start)):
            return False
        at, last = line[start + guess.width : -len(tail)], self.at
        if at == last:
            return guess.same
        if guess.same or not _is_time(at):
            return False
        time = int(at)
        if not last:
            self.started = time
        elif time - self.started > ROUND_MAX:
            return False
        self.at, self.time = at, time
        return True

    def _called_again(self, guess: Guess, line: bytes, start: int) -> bool:
        return self._fits(guess, line, start, b'%b"number":%d,%b' % (guess.before, self.round, guess.after))

    def _drawn_again(self, guess: Guess, line: bytes, start: int) -> bool:
        hand, end = self.hands.due, None
        if guess.salted:
            end = -SALTED
            if line[-SALTED : len(SALT) - SALTED] != SALT or line[len(SALT) - SALTED : -2].translate(None, HEX):
                return False
            line = line[:end] if line.endswith(b'"}') else b""
        tail = b'%b"shoe_number":%d,%b' % (guess.between, self.shoe, guess.after)
        place = len(line) - len(tail) - 2
        face = line[place : place + 2].decode("ascii", "replace")
        number = NUMBER_OF_TEXT.get(face)
        if number is None or hand is None or self.drawn >= self.cut_at or not self.counts[number]:
            return False
        if not self._fits(guess, line, start, guess.before + line[place : place + 2] + tail):
            return False
        self._lay(face, number, hand)
        self.face_down += guess.salted
        self._turn = (hand, end) if end or self.deal is self.place.deal else STAYS
        return True

    def _passed_again(self, guess: Guess, line: bytes, start: int) -> bool:
        if guess.key not in self.bets.passes or not self._fits(guess, line, start, guess.before):
            return False
        self._turn = guess.before
        return True

    def _revealed_again(self, guess: Guess, line: bytes, start: int) -> bool:
        faces = '","'.join(self.faces[guess.hand]).encode()
        if not self._fits(guess, line, start, b'%b"cards":["%b"]%b' % (guess.before, faces, guess.after)):
            return False
        self._turn = guess.left
        return True

    def _told_again(self, guess: Guess, line: bytes, start: int) -> bool:
        if not self._fits(guess, line, start, guess.before):
            return False
        self._turn = b"totals"
        return True

    def _announced_again(self, guess: Guess, line: bytes, start: int) -> bool:
        number = self._number()
        if number is None or self.memory.winner(number) != guess.winner:
            return False
        return self._fits(guess, line, start, b'%b"number":%d,%b' % (guess.before, number, guess.after))

    def _settled_again(self, guess: Guess, line: bytes, start: int) -> bool:
        since = self.since.get(guess.stake)
        return since is not None and self._fits(guess, line, start, guess.before + since + guess.after)

    def _ended_again(self, guess: Guess, line: bytes, start: int) -> bool:
        tail = b'%b"number":%d,"ending":%d}%b' % (guess.before, self.round, self.ending, guess.after)
        return self._fits(guess, line, start, tail)

    # ------------------------------------------------ one reader for each kind: where to look, and what is left to compare

    def _placed(self, rest: bytes) -> Found:
        start = rest.find(b'"stake":{')
        self.since[rest[start : rest.find(b',"since":', start)]] = self.at
        return _found(self.bets.then, _without(rest, b',"since":%b,' % self.at))

    def _called(self, rest: bytes) -> Found:
        return _found(self.bets.then, _without(rest, b'"number":%d,' % self.round))

    def _drawn(self, rest: bytes) -> Found:
        start = rest.find(b'"card":{"card":"') + 16
        face = rest[start : start + 2].decode("ascii", "replace")
        number, hands, hand = NUMBER_OF_TEXT.get(face), self.hands, self.hands.due
        if number is None or hand is None or self.drawn >= self.cut_at or not self.counts[number]:
            return NOWHERE
        self._lay(face, number, hand)
        stop: int | None = None
        if rest[-SALTED : len(SALT) - SALTED] == SALT:
            if rest[len(SALT) - SALTED : -2].translate(None, HEX) or not rest.endswith(b'"}'):
                return NOWHERE
            stop = -SALTED
            self.face_down += 1
        self._turn = (hand, stop) if stop or self.deal is self.place.deal else STAYS
        left = _without(rest[:start] + GAP + rest[start + 2 : stop], b'"shoe_number":%d,' % self.shoe)
        if left is None:
            return NOWHERE
        self._left = left
        return self.deal.then, (hands.turn, left, stop)

    def _lay(self, face: str, number: int, hand: int) -> None:
        self.hands, self.drawn = self.hands.then(face), self.drawn + 1
        self.counts[number] -= 1
        self.cards.append((face, hand))
        self.faces[hand].append(face)

    def _passed(self, rest: bytes) -> Found:
        self._turn = self._left = rest
        return self.bets.passes, (id(self.deal), rest)

    def _revealed(self, rest: bytes) -> Found:
        hand = rest[rest.find(b'"hand":') + 7 :][:1]
        if hand not in (b"0", b"1"):
            return NOWHERE
        faces = '","'.join(self.faces[int(hand)]).encode()
        self._turn = left = _without(rest, b'"cards":["%b"]' % faces)
        return _found(self.deal.then, left)

    def _told(self, rest: bytes) -> Found:
        self._turn, self._left = b"totals", rest
        return self.deal.then, (self.hands.totals, self.hands.due is None, rest)

    def _announced(self, rest: bytes) -> Found:
        number = self._number()
        left = _without(rest, b'"number":%d,' % number) if number is not None else None
        if number is None or left is None:
            return NOWHERE
        self._left = left
        return self.deal.then, (self.hands.totals, self.memory.winner(number), left)

    def _number(self) -> int | None:
        """The ending that the cards make, once both hands are complete."""
        memory, draw = self.memory, self.hands.draw
        if draw is None:
            return None
        first, second = self.faces
        self.ending = ending_number(memory.game.procedure, draw, memory.mark(first), memory.mark(second))
        return self.ending

    def _settled(self, rest: bytes) -> Found:
        start = rest.find(b'"stake":{')
        stop = rest.find(b',"since":', start) + 9
        since = self.since.get(rest[start : stop - 9])
        if since is None or not rest.startswith(b'%b,"' % since, stop):
            return NOWHERE
        return self.end.then, rest[:stop] + GAP + rest[stop + len(since) :]

    def _capped(self, rest: bytes) -> Found:
        return self.end.then, rest

    def _ends(self, rest: bytes) -> Found:
        return _found(self.end.then, _without(rest, b'"number":%d,"ending":%d}' % (self.round, self.ending)))

    # ------------------------------------------------ where a step leads

    def _in_betting(self, step: Step) -> None:
        self.bets = self.spot = step

    def _to_dealing(self, step: Step) -> None:
        self.bets, self.spot, self.cue, self.phase = step, self.deal, self.hands.cue, DEALING

    def _in_dealing(self, _step: Step) -> None:
        self.cue = self.hands.cue
        if self._turn is STAYS:
            return
        turn = self.deal.turns.get(self._turn)
        if turn is None:
            turn = self.deal.turns[self._turn] = Step()
        self.deal = self.spot = turn

    def _to_settling(self, _step: Step) -> None:
        """From here on all depends on the wagers again, and on who has won."""
        game = self.memory.game
        lines = bytes([game.wagers[wager].deciding[self.ending] for wager in self.bets.wagers])
        decided = (self.memory.winner(self.ending), lines)
        end = self.bets.settling.get(decided)
        if end is None:
            end = self.bets.settling[decided] = Step()
        self.end, self.spot, self.cue, self.phase = end, end, 0, SETTLING

    def _in_settling(self, step: Step) -> None:
        self.wagers += 1
        self.end = self.spot = step

    def _is_capped(self, step: Step) -> None:
        self.end = self.spot = step

    def _to_the_end(self, step: Step) -> None:
        self.end, self.over = step, True

    # ------------------------------------------------ learning, and the end

    def learn(self, body: bytes, event: Event, table: Table, *, first: bool) -> bool:
        """The rules have confirmed an event, the first of its command or not; is there more of the round to learn?"""

        hidden = self.face_down
        kind, steps, key = self._read(body)
        if steps is None or hides(event) != (self.face_down > hidden):
            return False
        step = steps.get(key)
        if step is None:
            step = steps[key] = Step(int(first), tuple(event.postings()))
            step.wagers = tuple(stake.wager for stake in table.round.stakes.values()) if table.round else ()
            self.memory.steps += 1
        kind.leads(self, step)
        if isinstance(event, RoundEnded) and step.closing is None:
            step.closing = Closing(table)
            step.closing.all = self.after(step.closing, table.balances) == table
        return not self.over

    def after(self, closing: Closing, balances: dict[str, Any]) -> Table:
        """The table after the round, put away by its own function."""
        table = self.table
        if table.shoe is None:
            raise AssertionError("a round without a shoe")
        cards = tuple([Card(face, hand, True) for face, hand in self.cards])
        table = replace(
            table,
            balances=balances,
            rounds=self.round,
            round=Round(self.round, Phase.ANNOUNCED, "", self.started, cards=cards),
            shoe=replace(table.shoe, counts=tuple(self.counts), drawn=self.drawn),
            paid=closing.paid,
            last_tie=closing.last_tie,
            returned={},
        )
        return round_ended(table, RoundEnded(number=self.round, ending=self.ending))


Found = tuple[dict[Key, Step] | None, Hashable]
NOWHERE: Found = (None, None)


def _found(steps: dict[Key, Step], left: bytes | None) -> Found:
    return NOWHERE if left is None else (steps, left)


def _is_time(text: bytes) -> bool:
    """Milliseconds as JSON has them: no sign, no leading nought, not beyond all times."""
    return text.isdigit() and text[:1] > b"0" and len(text) < 16


def _without(text: bytes, part: bytes) -> bytes | None:
    """A text with a gap in place of a part that must be in it."""
    start = text.find(part)
    return None if start < 0 else text[:start] + GAP + text[start + len(part) :]


class Guess:
    """What came last from some place: the event in parts, between which stands what varies."""

    __slots__ = (
        "after",
        "before",
        "between",
        "hand",
        "head",
        "key",
        "kind",
        "left",
        "salted",
        "same",
        "stake",
        "step",
        "width",
        "winner",
    )

    def __init__(self, kind: Kind, step: Step, key: Key, left: bytes, walk: Walk) -> None:
        self.kind, self.step, self.key, self.left = kind, step, key, left
        self.same, self.head = bool(key[0]), key[1] if isinstance(key[1], bytes) else b""
        self.width = len(self.head)
        parts = left.split(GAP)
        self.before, self.between, self.after = parts[0], parts[1] if len(parts) > 2 else b"", parts[-1]
        rule = key[2]
        self.salted = isinstance(rule, tuple) and len(rule) == 3 and rule[2] == -SALTED
        self.winner = walk.memory.winner(walk.ending) if kind.reads is Walk._announced else None
        place = left.find(b'"hand":') + 7
        self.hand = int(left[place : place + 1] == b"1")
        self.stake = left[left.find(b'"stake":{') : left.find(b',"since":')]


class Kind(NamedTuple):
    """A kind of event that an ordinary round has: how it is read, where it leads, how it is known again."""

    phase: str  # of the round, in which alone it can be
    reads: Callable[[Walk, bytes], Found]
    leads: Callable[[Walk, Step], None]
    fits: Callable[[Walk, Guess, bytes, int], bool]


def _never(_walk: Walk, _guess: Guess, _line: bytes, _start: int) -> bool:
    return False


NO_KIND = Kind("", lambda _walk, _rest: NOWHERE, lambda _walk, _step: None, _never)
KINDS = {
    b"round-started/1": Kind(BETTING, Walk._called, Walk._in_betting, Walk._called_again),
    b"wager-placed/1": Kind(BETTING, Walk._placed, Walk._in_betting, _never),
    b"betting-closed/1": Kind(BETTING, Walk._called, Walk._to_dealing, Walk._called_again),
    b"card-drawn/1": Kind(DEALING, Walk._drawn, Walk._in_dealing, Walk._drawn_again),
    b"hand-passed/1": Kind(DEALING, Walk._passed, Walk._in_dealing, Walk._passed_again),
    b"cards-revealed/1": Kind(DEALING, Walk._revealed, Walk._in_dealing, Walk._revealed_again),
    b"totals-announced/1": Kind(DEALING, Walk._told, Walk._in_dealing, Walk._told_again),
    b"result-announced/1": Kind(DEALING, Walk._announced, Walk._to_settling, Walk._announced_again),
    b"wager-settled/1": Kind(SETTLING, Walk._settled, Walk._in_settling, Walk._settled_again),
    b"round-capped/1": Kind(SETTLING, Walk._capped, Walk._is_capped, _never),
    b"round-ended/1": Kind(SETTLING, Walk._ends, Walk._to_the_end, Walk._ended_again),
}
