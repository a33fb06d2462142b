"""A simulated shoe that reads its cards: a device like any other to the house, and as unreliable as it is told to be."""

from __future__ import annotations

import json
import queue
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from longhu.cards import DECK

HEARTBEAT = 0.5  # seconds
REFUSED = 4401  # the code with which a house turns a credential away
FAULTS = ("drop", "repeat", "misread", "swap", "extra", "remove", "disconnect")

Told = dict[str, Any]


class CredentialRefused(Exception):
    """The house does not take this credential for this table."""


@dataclass(kw_only=True)
class Rates:
    """How often each fault happens, of all cards that are drawn."""

    drop: float = 0.0  # the card is drawn and not told
    repeat: float = 0.0  # told twice under one number
    misread: float = 0.0  # drawn, and told as unreadable
    swap: float = 0.0  # told under the number after the next, and the next one later
    extra: float = 0.0  # another card is drawn with it, whatever is due
    remove: float = 0.0  # a card is taken out in another way
    disconnect: float = 0.0  # the line is cut after it

    def fault(self, chance: random.Random) -> str:
        """The fault of one card, "" for none."""
        drawn = chance.random()
        for name in FAULTS:
            drawn -= getattr(self, name)
            if drawn < 0:
                return name
        return ""


@dataclass(kw_only=True)
class SimulatedShoe:
    """Cards in a seeded order, what it has told of them, and what really lies on the table."""

    address: str  # of the socket, ws://…/api/tables/T1/device
    credential: str  # as the house gave it: shoe-3:…
    decks: int = 8
    seed: int = 1
    delay: float = 0.0  # seconds from a card's being due to its being drawn
    rates: Rates = field(default_factory=Rates)
    follows: bool = True  # draws a card whenever one is due
    tell: Callable[[Told], None] = lambda _told: None

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self.shoe = self.credential.partition(":")[0]
        self.order = self._shuffled()
        self.sequence = 0
        self.round = 0
        self.lying: list[str] = []  # cards of the round that were drawn, in order, whatever was told of them
        self.faults: dict[str, int] = dict.fromkeys(FAULTS, 0)
        self.cards = 0
        self._unsent: list[Told] = []  # while the line is cut
        self._asked: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self._over = threading.Event()
        self._socket: Any = None
        self._due_at: float | None = None
        self._cut = False
        self._lock = threading.RLock()

    def _shuffled(self) -> Iterator[str]:
        while True:
            cards = [str(each) for each in DECK * self.decks]
            self.chance.shuffle(cards)
            yield from cards

    # ------------------------------------------------ the line

    def run(self) -> None:
        """Connect, speak and come back, until `stop`."""
        from websockets.exceptions import ConnectionClosed, InvalidHandshake

        while not self._over.is_set():
            try:
                self._speak()
            except ConnectionClosed as closed:
                if closed.rcvd is not None and closed.rcvd.code == REFUSED:
                    raise CredentialRefused from None
                self.tell({"what": "cut-off"})
            except InvalidHandshake:
                raise CredentialRefused from None
            except OSError as error:
                self.tell({"what": "no-line", "why": str(error)})
            self._over.wait(HEARTBEAT)

    def stop(self) -> None:
        self._over.set()

    def ask(self) -> None:
        """Draw a card, whether one is due or not."""
        self._asked.put(True)

    def _speak(self) -> None:
        from websockets.sync.client import connect

        headers = {"Authorization": f"Bearer {self.credential}"}
        with connect(self.address, additional_headers=headers) as socket:
            self._socket, self._due_at, self._cut = socket, None, False
            self._send({"type": "hello"}, number=self.sequence - len(self._unsent))
            beat = time.monotonic()
            while not self._over.is_set() and not self._cut:
                with suppress(TimeoutError):
                    self._hear(json.loads(socket.recv(timeout=0.02)))
                if time.monotonic() - beat > HEARTBEAT:
                    self._send({"type": "heartbeat"}, number=self.sequence)
                    beat = time.monotonic()
                if not self._asked.empty():
                    self._asked.get()
                    self.draw()
                elif self._is_time():
                    self.draw()

    def _is_time(self) -> bool:
        """Is a card due for long enough?"""
        if self._due_at is None or time.monotonic() < self._due_at:
            return False
        self._due_at = None
        return True

    def _hear(self, told: Told) -> None:
        kind = told["type"]
        if kind == "welcome":
            self.sequence = max(self.sequence, told["sequence"])
            for each in [each for each in self._unsent if each["sequence"] > told["sequence"]]:
                self._socket.send(json.dumps(each))
            self._unsent = []
        elif kind == "due":
            with self._lock:
                if told["round"] != self.round:
                    self.round, self.lying = told["round"], []
            self._due_at = time.monotonic() + self.delay if told["due"] and self.follows else None
        self.tell({"what": "heard", **told})

    def _send(self, message: Told, *, number: int) -> None:
        told = {**message, "shoe": self.shoe, "sequence": number, "at": int(time.time() * 1000)}
        if self._cut:
            self._unsent.append(told)
            return
        self._socket.send(json.dumps(told))
        self.tell({"what": "said", **told})

    # ------------------------------------------------ the cards

    def draw(self) -> str:
        """The next card leaves the shoe, and something is told of it."""
        with self._lock:
            face, fault = next(self.order), self.rates.fault(self.chance)
            self.lying.append(face)
            self.cards += 1
            if fault:
                self.faults[fault] += 1
                self.tell({"what": "fault", "fault": fault, "card": face})
            self.sequence += 1
            getattr(self, f"_{fault or 'told'}")(face)
            return face

    def _told(self, face: str) -> None:
        self._send({"type": "card", "card": face}, number=self.sequence)

    def _drop(self, _face: str) -> None:
        """Nothing is said of it; the next heartbeat counts it."""

    def _repeat(self, face: str) -> None:
        self._told(face)
        self._told(face)

    def _misread(self, _face: str) -> None:
        self._send({"type": "error", "what": "unreadable"}, number=self.sequence)

    def _swap(self, face: str) -> None:
        """It is told as if another message came before it, which comes after it."""
        self._send({"type": "card", "card": face}, number=self.sequence + 1)
        self._send({"type": "error", "what": "fault", "detail": "told too late"}, number=self.sequence)
        self.sequence += 1

    def _extra(self, face: str) -> None:
        self._told(face)
        self.sequence += 1
        other = next(self.order)
        self.lying.append(other)
        self._told(other)

    def _remove(self, face: str) -> None:
        self._send({"type": "removed", "what": "card"}, number=self.sequence)
        self.tell({"what": "removed", "card": face})

    def _disconnect(self, face: str) -> None:
        """The card is told once the line is there again."""
        self._cut = True
        self._told(face)
