"""Passwords: hashed with argon2id in threads of their own, few at a time so that sign-ins cannot exhaust the machine."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher

from longhu.accounts.names import CHOOSE_ANOTHER
from longhu.accounts.policy import Policy
from longhu.eventsourcing import Refusal
from longhu.messages.message import message_code
from longhu.protocol import PASSWORD_MAX
from longhu.server.streams.commands import StoreUnavailable

PASSWORD_LENGTH = message_code("password-length", length="number")
PASSWORD_LENGTH_RULE = message_code("password-length-rule", minimum="number", maximum="number")
PASSWORD_LIKE_NAME = message_code("password-like-name")
PASSWORD_COMMON = message_code("password-common")
PASSWORD_ADVICE = message_code("password-advice")

T = TypeVar("T")
AT_ONCE = 2  # each takes tens of megabytes
WAITING_MAX = 100
DIFFERENT_MIN = 4  # characters that are not each other's
PLAY = "play-money"  # of the demonstration's staff: everybody is told
COMMON = frozenset(  # what whoever guesses tries first, and is long enough otherwise
    f"""{PLAY} playmoney password password1 password12 password123 passw0rd p@ssw0rd p@ssword pa55word 12345678 123456789 1234567890
    123123123 123321123 12341234 87654321 987654321 0987654321 01234567 0123456789 147258369 1q2w3e4r 1q2w3e4r5t 1qaz2wsx zaq12wsx
    qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234 qwer1234 asdfasdf asdfghjk asdfghjkl zxcvbnm1 zxcvbnm123 abcdefgh abcd1234
    abc12345 abc123456 a1b2c3d4 a1234567 a12345678 aa123456 aa12345678 iloveyou iloveyou1 sunshine sunshine1 princess princess1
    football football1 baseball baseball1 basketball superman batman123 trustno1 starwars whatever computer internet michelle
    jennifer jonathan maverick chocolate butterfly liverpool michael1 charlie1 shadow123 master123 monkey123 dragon12 dragon123
    letmein1 letmein123 welcome1 welcome123 changeme changeme1 change-me administrator admin123 admin1234 admin@123 root1234 test1234
    testtest secret123 default1 5201314520 woaini520 woaini1314 dragontiger dragon-tiger tigerdragon baccarat baccarat1 casino123
    gambling jackpot1 jackpot777 longhu123 longhu888 lucky888 lucky777""".split()
)


class Passwords:
    """What passwords are made into, and whether one is right."""

    def __init__(self, policy: Policy) -> None:
        self._least, self._any_will_do = policy.password_min, policy.play_money
        hasher = Argon2Hasher(policy.hash_time, policy.hash_memory_kib, policy.hash_lanes)
        self._argon2 = PasswordHash((hasher,))
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="longhu-password")
        self._waiting = 0
        self._nobodys = self._argon2.hash("nobody's")  # what a stranger's password is held against, to take as long

    def unfit(self, password: str, person: str) -> Refusal | None:
        """Why this cannot be a password. Length is what counts; no signs of any kind are asked for.

        Where something is at stake it is none of those that everybody knows, that of the demonstration above all.
        """
        length = len(_plain(password))
        if not self._least <= length <= PASSWORD_MAX:
            return Refusal(
                PASSWORD_LENGTH(length=length),
                PASSWORD_LENGTH_RULE(minimum=self._least, maximum=PASSWORD_MAX),
                "SEC-2",
            )
        if person and person.casefold() in _plain(password).casefold() and length < 2 * len(person) + self._least:
            return Refusal(PASSWORD_LIKE_NAME(), CHOOSE_ANOTHER(), "SEC-2")
        if not self._any_will_do and _is_guessed(_plain(password)):
            return Refusal(PASSWORD_COMMON(), PASSWORD_ADVICE(), "SEC-2")
        return None

    async def kept(self, password: str) -> str:
        """What to keep of a password."""
        return await self._in_a_thread(lambda: self._argon2.hash(_plain(password)))

    async def is_right(self, password: str, kept: str) -> bool:
        """Takes as long where nothing is kept, and is wrong."""
        against = kept or self._nobodys
        found = await self._in_a_thread(lambda: self._argon2.verify(_plain(password)[: PASSWORD_MAX + 1], against))
        return found and bool(kept)

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _in_a_thread(self, work: Callable[[], T]) -> T:
        if self._waiting >= WAITING_MAX:
            raise StoreUnavailable("too many people are signing in at once. Ask again.")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1


def _is_guessed(password: str) -> bool:
    """
    >>> _is_guessed("Password123"), _is_guessed("88888888"), _is_guessed("nine cards of jade")
    (True, True, False)
    """
    return password.casefold() in COMMON or len(set(password)) < DIFFERENT_MIN


def _plain(password: str) -> str:
    """The same password from every keyboard: one way to write each letter."""
    return unicodedata.normalize("NFKC", password)
