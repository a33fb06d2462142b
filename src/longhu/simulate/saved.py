"""A run on disk: what has been dealt, and of what. A longer run of the same kind goes on from it."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import numpy as np

from longhu.simulate.dealers import ByShoe
from longhu.simulate.plan import Plan
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
    size: int  # of the outcome table
    tally: dict[int, list[int]]  # for each ending that came up, how often, by depth
    spread: Spread


def save(totals: Totals, path: Path) -> None:
    """Write the run as it stands; the file changes as a whole or not at all."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(msgspec.json.encode(_saved(totals)))
        part.replace(path)
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
        "way to deal": (saved.by_shoe, plan.by_shoe),
        "size of a block": (saved.units_per_block, plan.units_per_block),
        "number of endings": (saved.size, plan.dealer.size),
    }
    for what, (found, wanted) in expected.items():
        if found != wanted:
            raise SavedError(f"{name} is a run with the {what} {found}, and this one has {wanted}. Give what it had")
    if saved.blocks > plan.whole_blocks:
        dealt = saved.blocks * saved.units_per_block
        raise SavedError(f"{name} has {dealt:,} already, more than this run asks for. Ask for more, or start anew")
    totals = Totals(plan)
    rows = totals.tally.shape[0]
    for ending, counts in saved.tally.items():
        if not 0 <= ending < saved.size or len(counts) != rows or min(counts) < 0:
            raise SavedError(f"{name} is damaged: ending {ending} has the counts {counts[:3]}. Start anew")
        totals.tally[:, ending] = counts
    totals.spread, totals.upto = saved.spread, saved.blocks
    return totals
