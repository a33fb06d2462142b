"""A run on disk: what has been dealt, and of what. A longer run of the same kind goes on from it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import numpy as np

from longhu.simulate.dealers import ByShoe
from longhu.simulate.plan import ROUNDS_MAX, Plan
from longhu.simulate.totals import Spread, Totals

FORMAT = "longhu-simulation/1"


class SavedError(ValueError):
    """A file that a run cannot go on from: what was found, and what to do."""


class SavedRun(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Full blocks alone: the last of a run may be smaller, and is dealt again."""

    format: str
    game: str
    digest: str
    decks: int
    seed: int
    by_shoe: ByShoe | None
    units_per_block: int
    blocks: int  # from the first on
    ahead: list[int]  # and these: a cluster gives blocks back in any order
    size: int  # of the outcome table
    tally: dict[int, list[int]]  # for each ending that came up, how often, by depth
    spread: Spread


def save(totals: Totals, path: Path) -> None:
    """Write the run as it stands; the file changes as a whole or not at all."""
    with _part(path) as part:
        part.write_bytes(msgspec.json.encode(_saved(totals)))
        part.replace(path)


def check_writable(path: Path) -> None:
    """`SavedError` where a run could not be kept in this file; the file itself is left as it is."""
    with _part(path) as part:
        part.write_bytes(b"")


@contextmanager
def _part(path: Path) -> Iterator[Path]:
    """A name beside the file, for what is not whole yet; nothing is left of it."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        yield part
    except OSError as error:
        raise SavedError(f"{path}: {error.strerror}; name a file that can be written") from None
    finally:
        part.unlink(missing_ok=True)


def _saved(totals: Totals) -> SavedRun:
    plan = totals.plan
    found = np.flatnonzero(totals.tally.sum(axis=0))
    return SavedRun(
        FORMAT,
        plan.id,
        plan.game.digest,
        plan.decks,
        plan.seed,
        plan.by_shoe,
        plan.units_per_block,
        min(totals.upto, plan.whole_blocks),
        sorted(block for block in totals.ahead if block < plan.whole_blocks),
        totals.tally.shape[1],
        {int(ending): [int(count) for count in totals.tally[:, ending]] for ending in found},
        totals.spread,
    )


def read(path: Path) -> SavedRun:
    """The run in a file; `SavedError` where there is none."""
    try:
        saved = msgspec.json.decode(path.read_bytes(), type=SavedRun)
    except OSError as error:
        raise SavedError(f"{path}: {error.strerror}; name the file that --save wrote") from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise SavedError(f"{path} is no saved run: {error}. Name the file that --save wrote") from None
    if saved.format != FORMAT:
        raise SavedError(f"{path} has the form {saved.format[:40]!r}, and this version reads {FORMAT}")
    return saved


def resumed(saved: SavedRun, plan: Plan, name: str) -> Totals:
    """The totals of a plan, as far as the saved run has them; `SavedError` where it is a run of something else."""
    expected = {
        "game": (saved.game, plan.id),
        "digest of the game file": (saved.digest, plan.game.digest),
        "decks": (saved.decks, plan.decks),
        "seed": (saved.seed, plan.seed),
        "way to deal": (_told(saved.by_shoe), _told(plan.by_shoe)),
        "size of a block": (saved.units_per_block, plan.units_per_block),
        "number of endings": (saved.size, plan.dealer.size),
    }
    for what, (found, wanted) in expected.items():
        sign = ": " if what == "way to deal" else " "
        if found != wanted:
            raise SavedError(
                f"{name} is a run with the {what}{sign}{found}, and this one has {wanted}. Give what it had"
            )
    if not all(saved.blocks < block for block in saved.ahead) or saved.blocks < 0:
        raise SavedError(f"{name} is damaged: it has the first {saved.blocks} blocks and {saved.ahead[:3]}. Start anew")
    needed = max([saved.blocks, *(block + 1 for block in saved.ahead)])
    if needed > plan.whole_blocks:
        dealt = needed * saved.units_per_block
        raise SavedError(f"{name} has {dealt:,} already, more than this run asks for. Ask for more, or start anew")
    totals = Totals(plan)
    rows = totals.tally.shape[0]
    for ending, counts in saved.tally.items():
        if not 0 <= ending < saved.size or len(counts) != rows or not 0 <= min(counts) <= max(counts) < ROUNDS_MAX:
            raise SavedError(f"{name} is damaged: ending {ending} has the counts {counts[:3]}. Start anew")
        totals.tally[:, ending] = counts
    totals.spread, totals.upto, totals.ahead = saved.spread, saved.blocks, set(saved.ahead)
    _check_sums(totals, name)
    return totals


def _check_sums(totals: Totals, name: str) -> None:
    """A file that was cut short or edited rarely adds up."""
    plan, spread = totals.plan, totals.spread
    blocks = totals.upto + len(totals.ahead)
    wagers = set(plan.game.wagers) if blocks else set()
    if spread.blocks != blocks or set(spread.nets_squared) != wagers or set(spread.nets_by_rounds) != wagers:
        raise SavedError(f"{name} is damaged: its sums are of other blocks or wagers. Start anew")
    if plan.by_shoe is None and totals.rounds != totals.units:
        raise SavedError(f"{name} is damaged: {totals.rounds:,} rounds in {totals.units:,}. Start anew")


def _told(how: ByShoe | None) -> str:
    """The options of a way to deal, as they are given."""
    if how is None:
        return "a fresh shoe each round"
    depths = f" --depths {how.depths} ({how.per_depth} rounds each)" if how.depths > 1 else ""
    return f"--by-shoe --cut {how.cut} --burn {how.burn} --after-cut {how.after}{depths}"
