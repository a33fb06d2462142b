"""From one shoe to the next: put away, its secret told, the state on record, a commitment, the cut, and the new shoe.

What these records rest on besides the table between rounds is what came before them in the same change, so they are known
by that, as the records of a round are. Numbers, secret, commitment and the digest of the state are held against the table
itself, which takes each of these steps as it comes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from longhu.audit.record import decode
from longhu.audit.shortcut.forms import DIGEST, Form
from longhu.fairness.shuffle import commitment, is_digest, secret_of
from longhu.table.checkpoint import StateRecorded
from longhu.table.messages import TABLE
from longhu.table.shoe import CardsCut, CardsShuffled, CardsVerified
from longhu.table.shuffling import CutMade, ShuffleCommitted, ShuffleRevealed
from longhu.table.state import Table

if TYPE_CHECKING:
    from longhu.audit.shortcut.walk import Walk


def values(walk: Walk, form: Form, line: bytes, at: bytes) -> tuple[bytes, ...]:
    """What must stand in the holes of a form, behind number, digest and time."""
    table, step = walk.settled(), form.step
    if step is CardsShuffled:
        return (at,)
    if step is CardsVerified or step is CardsCut:
        return ()
    if step is StateRecorded:
        return (walk.state.digest(table),)
    if step is ShuffleRevealed:
        return (b"%d" % (table.shuffle.number if table.shuffle else 0), _told(form, line))
    if step is CutMade:
        return (b"%d" % (table.shoes + 1), at)
    if step is ShuffleCommitted:
        return (b"%d" % (table.shoes + 1), _told(form, line))
    return (b"%d" % (table.shoe.number if table.shoe else table.shoes + 1),)


def _told(form: Form, line: bytes) -> bytes:
    """The secret or the commitment in a line."""
    end = len(line) - form.tail
    return line[end - DIGEST : end]


def happens(walk: Walk, form: Form, line: bytes) -> bool:
    """The table takes a step; not where a secret or a commitment is none, or a card is not the one that was shuffled."""
    table, event = walk.settled(), decode(line).event
    if isinstance(event, ShuffleRevealed) and not _is_its_secret(table, event.secret):
        return False
    if isinstance(event, ShuffleCommitted) and not is_digest(event.commitment):
        return False
    after = TABLE.evolvers[type(event)](table, event)
    if walk.shoes.see(after, event):
        return False
    walk.table = walk.started_from = after
    walk.passed.states += form.step is StateRecorded
    if after.shoe is not None and after.shoe is not table.shoe:
        walk.use(after.shoe)
        walk.opens = True
    return True


def _is_its_secret(table: Table, told: str) -> bool:
    secret, shuffle = secret_of(told), table.shuffle
    if secret is None or shuffle is None or shuffle.mix is None:
        return False
    return commitment(shuffle.mix.table, shuffle.number, secret) == shuffle.commitment
