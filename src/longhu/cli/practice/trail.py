"""The trail of a practice table, in a file: what a house would keep, for whoever wants to try the checks."""

from __future__ import annotations

import secrets
from importlib.metadata import version
from typing import IO

from longhu.audit import proof
from longhu.audit.export import WHOLE
from longhu.audit.record import SALT_BYTES, Chain
from longhu.cli.practice.table import PracticeTable
from longhu.cli.terminal import unbroken
from longhu.eventsourcing import Decision, Refusal
from longhu.table.messages import Command, on_record
from longhu.table.state import Table


class TrailFile:
    """A proof that grows with the table."""

    def __init__(self, file: IO[bytes], house: PracticeTable) -> None:
        self._file, self._house = file, house
        table = house.settings.table
        self._chain = Chain(table, lambda: secrets.token_hex(SALT_BYTES))
        files = proof.game_files([house.game])
        file.write(proof.opening_line(table, WHOLE, files, program=version("longhu")))
        house.recorders.append(self.note)

    def note(self, table: Table, command: Command, decision: Decision) -> None:
        """What somebody asked, and what came of it."""
        events = [on_record(command, decision)] if isinstance(decision, Refusal) else decision
        for line in self._chain.lines(table, self._house.game, command, events):
            self._file.write(line + b"\n")

    @unbroken()
    def end(self) -> None:
        """The last shuffle is revealed, and the file says that it is whole."""
        self._house.reveal()
        self._file.write(proof.closing_line(self._chain.sequence, self._chain.head))
