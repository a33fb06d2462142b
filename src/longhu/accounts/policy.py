"""What a house has settled for all of its people: one value, handed to whatever judges."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from longhu.money import UNSTATED, Currency, Money, currency, show

Count = Annotated[int, Meta(ge=1)]


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """How long, how often, how much."""

    play_money: bool = False  # nothing in this house is worth anything: accounts are marked so, and no others are made
    currency: str = ""  # an ISO code; "": hundredths of something
    failures: Count = 3  # wrong passwords in a row from one source that lock an account for that source (SEC-2)
    lock_minutes: Count = 15  # how long it stays locked, unless staff unlock it
    known_days: Count = 90  # for which a device or an address is known after a sign-in
    many_sources: Count = 5  # unknown sources of wrong passwords for one account that raise an alert
    burst: Count = 20  # wrong sign-ins in the whole house that raise an alert (LOG-3)
    burst_minutes: Count = 5  # in so many minutes
    idle_minutes: Count = 30  # after which a session ends by itself (PLY-4)
    session_hours: Count = 12  # after which it ends in any case
    check_minutes: Count = 60  # between two reality checks, for whoever has chosen nothing else (PLY-2)
    password_min: Count = 8  # characters
    hash_time: Count = 3  # argon2id: passes, memory and lanes
    hash_memory_kib: Annotated[int, Meta(ge=8)] = 65_536
    hash_lanes: Count = 2
    large_win: Count = 1_000_000  # minor units won with one wager that are a significant event (LOG-3)
    guest_money: Count = 1_000_000  # minor units of play money that a guest starts with

    @property
    def money(self) -> Currency:
        return currency(self.currency) if self.currency else UNSTATED

    def show(self, amount: int) -> str:
        """An amount as people write it."""
        return show(Money(amount), self.money)
