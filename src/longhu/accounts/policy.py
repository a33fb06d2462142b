"""What a house has settled for all of its people: one value, handed to whatever judges.

Each line is a setting of the house (`server.config`), and docs/server.md says what it does.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from longhu.money import UNSTATED, Currency, Money, currency, show

Count = Annotated[int, Meta(ge=1, le=1_000_000_000)]
Failures = Annotated[int, Meta(ge=1, le=3)]  # SEC-2 wants a lock after three at the latest
Sources = Annotated[int, Meta(ge=2, le=50)]  # as many as an account remembers
Span = Annotated[int, Meta(ge=1, le=100_000)]  # minutes, hours or days


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """How long, how often, how much."""

    play_money: bool = False  # the setting is called `demo`: nothing here is worth anything, and accounts are marked so
    currency: str = ""  # of the wallets: an ISO code; without one, hundredths of something. Tables count in the same
    failures: Failures = 3  # wrong passwords in a row that lock an account for the device or address in use (SEC-2)
    lock_minutes: Span = 15  # how long it stays locked, unless staff unlock it; the longest delay of unknown sources
    known_days: Span = 90  # for which a device or an address is known after a sign-in
    many_sources: Sources = 5  # unknown sources of wrong passwords for one account that raise an alert
    burst: Count = 20  # refused sign-ins in the whole house that raise an alert (LOG-3)
    burst_minutes: Span = 5  # within so many minutes
    idle_minutes: Span = 30  # after which a session ends by itself (PLY-4)
    session_hours: Span = 12  # after which it ends in any case
    check_minutes: Span = 60  # between two reality checks, for whoever has chosen nothing else (PLY-2)
    password_min: Annotated[int, Meta(ge=8, le=100)] = 8  # characters that a password has at least
    hash_time: Count = 3  # passes of argon2id over a password
    hash_memory_kib: Annotated[int, Meta(ge=8, le=4_194_304)] = 65_536  # memory that it takes
    hash_lanes: Annotated[int, Meta(ge=1, le=64)] = 2  # lanes that it uses
    large_win: Count = 1_000_000  # minor units won with one wager that raise an alert (LOG-3)
    guest_money: Count = 1_000_000  # minor units of play money that a guest starts with

    @property
    def money(self) -> Currency:
        return currency(self.currency) if self.currency else UNSTATED

    def show(self, amount: int) -> str:
        """An amount as people write it."""
        return show(Money(amount), self.money)
