"""The remedies: what is done about each kind of irregularity, as the game file says."""

from __future__ import annotations

from longhu.games.game import Game
from longhu.table.acts import Decision
from longhu.table.irregularities.void import ReportIrregularity, irregular
from longhu.table.state import Table


def remedy(table: Table, game: Game, command: ReportIrregularity) -> Decision:
    """The document's procedure for what was reported."""
    return irregular(table, game, command, command.kind, command.told)
