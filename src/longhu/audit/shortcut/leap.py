"""A run of the kernel from a walk that stands between rounds: what the lines come to becomes the walk's.

The kernel compares every byte of every line and follows cards, money and time. What it cannot know is checked here, shoe by shoe, before
anything counts: that a secret fits its commitment and gives the cards that were dealt, and that a state has its digest. Whatever
the kernel does not know, `Walk.on` takes up at the beginning of that round, and the rules behind it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from longhu.audit.kernels import rounds as kernel
from longhu.audit.shortcut.atlas import Atlas, Deck
from longhu.audit.shortcut.fresh_shoes import Change, FreshShoes
from longhu.audit.shortcut.steps import Closing
from longhu.audit.shortcut.walk import BOUNDLESS, ROUND_MAX, put_away
from longhu.cards import NUMBER_OF_TEXT
from longhu.eventsourcing import Event
from longhu.money import Money
from longhu.positions import Position
from longhu.table.messages import TABLE
from longhu.table.shoe import ShoeEnded, ShoeLoaded
from longhu.table.shuffling import ShuffleCommitted, ShuffleRevealed
from longhu.table.state import Stake, Table, replace

if TYPE_CHECKING:
    from longhu.audit.shortcut.sheets import Sheet
    from longhu.audit.shortcut.walk import Walk

LAID = [(face.encode(), hand) for face in NUMBER_OF_TEXT for hand in (0, 1)]  # as the kernel counts cards on the layout
NUMBER_MAX = 1 << 60  # of a record, a round or a shoe, and of money that somebody has, where a run starts
CHANGE_LINES = 4  # that a change of shoes has, at least
NOBODY: dict[str, Any] = {
    "by": "",
    "at": 0,
    "position": Position.DEALER,
    "clause": "",
}  # who did it does not matter to the shoe


def may_leap(walk: Walk, atlas: Atlas) -> bool:
    """Can the next round be one that leaves nothing special behind?"""
    shoe, shuffle = walk.table.shoe, walk.table.shuffle
    if not (walk.whole and walk.opens and shoe is not None):
        return False
    if max(walk.sequence, walk.round, shoe.number, *map(abs, walk.balances.values())) > NUMBER_MAX:
        return False
    if atlas.fresh is None:
        return True
    sealed = shuffle is not None and shuffle.mix is not None and not shuffle.secret and shuffle.number == shoe.number
    return sealed and walk.table.shoes == shoe.number and walk.most == atlas.fresh.drawn + atlas.fresh.left


class Leap:
    """One run of the kernel, from a walk that stands between rounds."""

    def __init__(self, walk: Walk, atlas: Atlas, deck: Deck) -> None:
        self._walk, self._atlas, self._deck = walk, atlas, deck
        self._watch, self._table = walk.shoes, walk.table  # after the last change of shoes
        self._others = {account: held for account, held in walk.balances.items() if account not in atlas.accounts}

    def over(self, sheet: Sheet, line: int) -> tuple[int, int]:
        """The line behind the last whole round, where the walk stands then, and the first that is not known."""
        walk, fresh = self._walk, self._atlas.fresh
        kept = walk.next_kept()
        last = min(len(sheet), line + kept - walk.sequence - 1) if kept else len(sheet)
        sheet.put_before(line, walk.head)
        shoe = kernel.Shoe(
            fresh=np.array(fresh.counts if fresh is not None else walk.counts, np.int64),
            burned=max(-1, min(walk.burn, BOUNDLESS)),
            most=walk.most,
            each_round=walk.reshuffled,
            longest=ROUND_MAX,
        )
        while last > line:
            run = self._run(last - line)
            known, stopped = self._follow(shoe, run, sheet, line, last)
            wrong = self._changed(sheet, run)
            if wrong is None:
                if known > line:
                    self._arrive(sheet, run, known - line, known)
                return known, stopped
            last = wrong
        return line, line

    def _follow(self, shoe: kernel.Shoe, run: kernel.Run, sheet: Sheet, line: int, last: int) -> tuple[int, int]:
        known, stopped = kernel.follow(
            self._atlas.book, self._deck.cards, shoe, run, sheet.letters, sheet.ends, sheet.before, line, last
        )
        return known, stopped

    def _run(self, lines: int) -> kernel.Run:
        """What a run starts with, and room for what it leaves behind."""
        walk, atlas = self._walk, self._atlas
        now = np.zeros(kernel.COUNTED, np.int64)
        now[kernel.NUMBER], now[kernel.LAST], now[kernel.ROUNDS] = walk.sequence, int(walk.last), walk.round
        now[kernel.SHOES], now[kernel.DRAWN] = int(walk.shoe), walk.drawn
        changes = 0 if atlas.fresh is None else 1 + lines // CHANGE_LINES
        return kernel.Run(
            now=now,
            counts=np.array(walk.counts, np.int64),
            balances=np.array([walk.balances.get(account, 0) for account in atlas.accounts], np.int64),
            unlimited=atlas.unlimited,
            since=np.zeros(len(atlas.stakes), np.int64),
            laid=np.zeros(lines, np.int64),
            endings=np.zeros(lines, np.int64),
            closings=np.zeros(lines, np.int64),
            changes=np.zeros((changes, kernel.KEPT), np.int64),
            stood=np.zeros((changes, len(atlas.accounts)), np.int64),
            lay_since=np.zeros((changes, len(atlas.stakes)), np.int64),
        )

    # ------------------------------------------------ from one shoe to the next

    def _changed(self, sheet: Sheet, run: kernel.Run) -> int | None:
        """Take the shoes of a run one by one; the first line of a change that is wrong.

        The first and the last are changed at the table. What lies between, where there is a full shoe for every round, need not be.
        """
        walk, fresh, changed = self._walk, self._atlas.fresh, int(run.now[kernel.CHANGED])
        if not changed or fresh is None:
            return None
        self._table = walk.settled()
        self._watch = walk.shoes.twin()
        changes = self._changes(sheet, run, changed)
        first_lines: list[int] = run.changes[:, kernel.FIRST_LINE].tolist()
        starts = np.concatenate((np.zeros(1, np.int64), run.changes[:changed, kernel.CARDS_BEFORE]))
        if not self._at_the_table(changes[0], run.laid[: starts[1]]):
            return first_lines[0]
        last = changed - 1
        if last > 1 and FreshShoes.may_be(self._table, fresh):
            shoes = FreshShoes(self._table, fresh, walk.burn, walk.state)
            dealt, between = run.laid // 2, starts[1 : last + 1]
            wrong = shoes.first_wrong(changes[1:last], dealt, between, self._watch)
            if wrong is not None:
                return first_lines[1 + wrong]
            self._table = shoes.table()
        else:
            last = 1
        for each in range(last, changed):
            if not self._at_the_table(changes[each], run.laid[starts[each] : starts[each + 1]]):
                return first_lines[each]
        return None

    def _changes(self, sheet: Sheet, run: kernel.Run, changed: int) -> list[Change]:
        """The rounds that were dealt from each shoe, and what was told before the next."""
        rounds, endings, closings, changes = 0, run.endings.tolist(), run.closings.tolist(), list[Change]()
        rows = (run.changes[:changed].tolist(), run.stood[:changed].tolist(), run.lay_since[:changed].tolist())
        for change, stood, since in zip(*rows, strict=True):
            over, told = change[kernel.ROUNDS_BEFORE], sheet.told
            closing = self._atlas.closings[closings[over - 1]] if over > rounds else None
            digests = told(change[kernel.SECRET_AT]), told(change[kernel.STATE_AT]), told(change[kernel.COMMITMENT_AT])
            returned = self._returned(closing, since) if closing is not None and closing.returned else {}
            changes.append(Change(*digests, endings[rounds:over], closing, returned, self._balances(stood)))
            rounds = over
        return changes

    def _returned(self, closing: Closing, since: list[int]) -> dict[str, Stake]:
        """The stakes that a tie has returned."""
        stakes = self._atlas.stakes
        return {key: replace(stake, since=since[stakes[key]]) for key, stake in closing.returned.items()}

    def _at_the_table(self, change: Change, laid: Any) -> bool:
        """A shoe goes and another comes; False where a secret, a card or a state is not what it must be."""
        if change.closing is not None:
            cards = [LAID[each] for each in laid.tolist()]
            since = {key: b"%d" % stake.since for key, stake in change.returned.items()}
            balances = dict(change.balances)
            self._table = put_away(self._table, balances, cards, change.endings, change.closing, since)
            self._watch.drew([face.decode() for face, _ in cards])
        table, fresh, watch = self._table, self._atlas.fresh, self._watch
        if fresh is None or table.shuffle is None:
            raise AssertionError("a change of shoes that nobody has learned")
        number = table.shuffle.number
        told = ShuffleRevealed(number=number, secret=change.secret, **NOBODY)
        table = _then(replace(table, balances=dict(change.balances)), ShoeEnded(number=number, why="", **NOBODY))
        if watch.see(table, told):
            return False
        table = _then(table, told)
        if change.state and self._walk.state.digest(table).decode() != change.state:
            return False
        sealed = ShuffleCommitted(number=number + 1, commitment=change.commitment, **NOBODY)
        loaded = ShoeLoaded(shoe=replace(fresh, number=number + 1), burned=self._walk.burn, **NOBODY)
        for event in (sealed, loaded):
            table = _then(table, event)
            watch.see(table, event)
        self._table = table
        return True

    def _balances(self, stood: list[Money]) -> dict[str, Money]:
        """All balances, where those that a run can change stand so; an account that is empty is not listed."""
        return self._others | {account: held for account, held in zip(self._atlas.accounts, stood, strict=True) if held}

    # ------------------------------------------------ what came of it

    def _arrive(self, sheet: Sheet, run: kernel.Run, lines: int, known: int) -> None:
        """The walk stands behind the last whole round."""
        walk, now = self._walk, run.now.tolist()
        balances = self._balances(run.balances.tolist())
        walk.balances.clear()
        walk.balances.update(balances)
        changed, over, laid = now[kernel.CHANGED], now[kernel.OVER], now[kernel.CARDS_LAID]
        rounds = cards = 0
        if changed:
            walk.shoes.become(self._watch)
            walk.table = walk.started_from = replace(self._table, balances=walk.balances)
            walk.use(walk.table.shoe)
            rounds, cards = run.changes[changed - 1, (kernel.ROUNDS_BEFORE, kernel.CARDS_BEFORE)].tolist()
        closing, since = self._leaves(run, over) if over > rounds else (None, {})
        walk.leap(
            (now[kernel.NUMBER], sheet.digest_before(known), b"%d" % now[kernel.LAST]),
            cards=[LAID[each] for each in run.laid[cards:laid].tolist()],
            endings=run.endings[rounds:over].tolist(),
            closing=closing,
            since=since,
        )
        walk.counts[:], walk.drawn, walk.round = run.counts.tolist(), now[kernel.DRAWN], now[kernel.ROUNDS]
        passed = walk.passed
        passed.records += lines
        passed.rounds += over
        passed.cards += cards  # (the others are counted when they are put away)
        passed.commands += now[kernel.COMMANDS]
        passed.postings += now[kernel.POSTINGS]
        passed.face_down += now[kernel.FACE_DOWN]
        passed.wagers += now[kernel.WAGERS]
        passed.states += now[kernel.STATES]

    def _leaves(self, run: kernel.Run, over: int) -> tuple[Closing, dict[str, bytes]]:
        """What the last round leaves behind, and since when its stakes lay there."""
        closing, stakes = self._atlas.closings[run.closings[over - 1]], self._atlas.stakes
        return closing, {key: b"%d" % run.since[stakes[key]] for key in closing.returned}


def _then(table: Table, event: Event) -> Table:
    return TABLE.evolvers[type(event)](table, event)
