"""The limits of the protocol: lengths, counts and patterns of what goes over the wire, and why a socket is closed.

The server checks them, the descriptions of the API publish them, and the page has them from `web/src/lib/contract.ts`, which is
generated. None of them is written down anywhere else.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Literal

from longhu.cards import DECKS_MAX as DECKS_MAX

WHOLE_MAX = 2**53 - 1  # what every program that reads JSON can hold

# Words

# What cards are dealt from. Real cards come from a shoe that the dealer draws from, from one that reads what leaves it, or from a shuffler;
# a virtual shoe holds none: its order is a shuffle that the house has committed to.
Device = Literal["hand-shoe", "reading-shoe", "shuffler", "virtual"]

# What is wagered with: chips that only the program counts, or real ones on the layout and in the tray.
Chips = Literal["electronic", "physical"]

# Whose chips are wagered: those of patrons with an account, chips by position and spot that belong to no account, or both.
Patrons = Literal["rated", "unrated", "both"]

# What a patron is to the casino; none of the others acts for somebody else at a table (D21-2.2.h).
Association = Literal["none", "employee", "associate", "contractor"]

# Names and ids
COMMAND_ID_MAX = 80
COMMAND_ID_PATTERN = "^[A-Za-z0-9._~:-]+$"
TABLE_NAME_MAX = 40
TABLE_NAME_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9._\-]*$"  # a form of a page wants the hyphen escaped
PERSON_MAX = 40
PERSON_LETTERS = "a-z0-9._-"  # of which the first and the last are letters or digits
FULL_NAME_MAX = 80
DISPLAY_NAME_MAX = 24  # chosen by a patron, to be shown to others
GAME_ID_MAX = 80
GAME_ID_PATTERN = "^[a-z0-9-]+$"
WAGER_ID_MAX = 60
LAYOUT_ID_MAX = 10
METHOD_ID_MAX = 20
DEVICE_NAME_MAX = 40
DEVICE_NAME_PATTERN = r"^[a-z0-9][a-z0-9._\-]*$"
AREA_MAX = 40  # the part of the house that a table stands in
TRAIL_NAME_MAX = 200
STORED_NAME_MAX = 60  # of a command or an event
STORED_NAME_LETTERS = "a-z0-9/-"

# Texts, amounts and lists
PASSWORD_MAX = 200
TEXT_MAX = 1000
TEXT_PATTERN = "^[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f]*$"  # it may have lines; nothing else in it steers a terminal
REASON_MAX = 500
CALL_MAX = 200  # what a dealer tells a supervisor
MONEY_TEXT_MAX = 60
MONEY_PATTERN = "^[0-9]+(\\.[0-9]+)?$"
SIGNED_MONEY_PATTERN = "^-?[0-9]+(\\.[0-9]+)?$"
LIST_MAX = 1000
SIGNATURES_MAX = 5

DENOMINATIONS_MAX = 40  # of chips in one count
CHIPS_MAX = 10**9  # of one denomination
SEATS_MAX = 100  # and positions of a layout
SPOTS_MAX = 20  # at one position
TIME_MAX = 10**14  # milliseconds since 1970, UTC
SPAN_MAX = 100_000  # minutes, hours or days
DAY_PATTERN = "^$|^[0-9]{4}-[0-9]{2}-[0-9]{2}$"  # UTC; "" is no day in particular

# Headers
TOKEN_HEADER = "X-Longhu-CSRF"
ID_HEADER = "Idempotency-Key"

# Pages of a list and searches
SEARCH_TEXT_MAX = 200
PAGE_MAX = 500
PEOPLE_MAX = 200
HITS_MAX = 200

# The socket of a table
MESSAGE_BYTES = 131_072  # the largest message and the largest body, unless the house is configured otherwise
IN_FLIGHT_MAX = 32  # commands of one socket that are not answered yet; further ones are read later
UNREADABLE_MAX = 20  # messages in a row that cannot be read
REPLAYED_MAX = 500  # events, for a client that comes back and missed some


class CloseCode(IntEnum):
    """Why the server closes a socket."""

    POLICY = 1008  # too many messages that cannot be read, or a query that cannot be right
    TOO_BIG = 1009  # a message was too large
    SESSION_OVER = 4401  # nobody is signed in any more
    NO_TABLE = 4404  # there is no such table
    DEVICE_GONE = 4408  # of a shoe that reads cards: it said nothing for too long, or has connected anew
