"""Passwords: argon2id, in threads of their own, so few at a time that nobody can use up the machine with them."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher

from longhu.house.policy import Policy
from longhu.server.done import Busy
from longhu.table.acts import Refusal

T = TypeVar("T")
AT_ONCE = 2  # each takes tens of megabytes
WAITING_MAX = 100
CHARACTERS_MAX = 200


class Passwords:
    """What passwords are made into, and whether one is right."""

    def __init__(self, policy: Policy) -> None:
        self._least = policy.password_min
        hasher = Argon2Hasher(policy.hash_time, policy.hash_memory_kib, policy.hash_lanes)
        self._argon2 = PasswordHash((hasher,))
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="longhu-password")
        self._waiting = 0
        self._nobodys = self._argon2.hash("nobody's")  # what a stranger's password is held against, to take as long

    def unfit(self, password: str, person: str) -> Refusal | None:
        """Why this cannot be a password. Length is what counts; no signs of any kind are asked for."""
        length = len(_plain(password))
        if not self._least <= length <= CHARACTERS_MAX:
            return Refusal(f"the password has {length} characters", f"Use {self._least} to {CHARACTERS_MAX}", "SEC-2")
        if person and person.casefold() in _plain(password).casefold() and length < 2 * len(person) + self._least:
            return Refusal("the password is hardly more than the name", "Choose another", "SEC-2")
        return None

    async def kept(self, password: str) -> str:
        """What to keep of a password."""
        return await self._in_a_thread(lambda: self._argon2.hash(_plain(password)))

    async def is_right(self, password: str, kept: str) -> bool:
        """Takes as long where nothing is kept, and is wrong."""
        against = kept or self._nobodys
        found = await self._in_a_thread(lambda: self._argon2.verify(_plain(password)[: CHARACTERS_MAX + 1], against))
        return found and bool(kept)

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _in_a_thread(self, work: Callable[[], T]) -> T:
        if self._waiting >= WAITING_MAX:
            raise Busy("too many people are signing in at once. Ask again.")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1


def _plain(password: str) -> str:
    """The same password from every keyboard: one way to write each letter."""
    return unicodedata.normalize("NFKC", password)
