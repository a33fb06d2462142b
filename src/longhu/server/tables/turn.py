"""Something that the house does by itself, and when."""

from __future__ import annotations

from typing import NamedTuple

from longhu.table.messages import Command


class Turn(NamedTuple):
    """A command that the house gives once its time has come."""

    due: int  # milliseconds, UTC
    command: Command
    paced: bool = False  # one of the acts that people watch: some time lies between two of them
