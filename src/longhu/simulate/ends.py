"""How a patron's session ends."""

from __future__ import annotations

from enum import IntEnum


class End(IntEnum):
    """As numbers, for the kernel that plays sessions writes them."""

    PLAYED_ALL = 0  # every round that was meant to be played
    STOPPED_AHEAD = 1  # enough was won
    STOPPED_BEHIND = 2  # enough was lost
    RUINED = 3  # nothing is left, or too little for the next bet
    LEFT = 4  # the system got up

    @property
    def says(self) -> str:
        return _SAYS[self]


_SAYS = {
    End.PLAYED_ALL: "all rounds played",
    End.STOPPED_AHEAD: "won enough",
    End.STOPPED_BEHIND: "lost enough",
    End.RUINED: "ruined",
    End.LEFT: "left",
}
