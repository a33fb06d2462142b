"""What happens to a file that several processes write to: told by this one, looked for in the others' name."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from types import TracebackType

from longhu.store.errors import StoreError, Unusable
from longhu.store.interface import Wake

EVERY = 0.2  # seconds between two looks
Stands = dict[str, int]  # the last sequence of each trail


class Polling:
    """A thread that tells what is appended, while it is entered.

    `version` is another whenever somebody else has written to the file; `stands` is asked only then.
    """

    def __init__(self, wake: Wake, version: Callable[[], int], stands: Callable[[], Stands]) -> None:
        self._wake, self._version, self._stands = wake, version, stands
        self._news: SimpleQueue[Stands | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="longhu-changes", daemon=True)
        self._missed = False

    def tell(self, news: Stands) -> None:
        """This process has appended."""
        self._news.put(news)

    def __enter__(self) -> None:
        self._seen = self._version()
        self._known = self._stands()
        self._thread.start()

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._news.put(None)
        self._thread.join()

    def _run(self) -> None:
        looks = time.monotonic() + EVERY
        while (news := self._next(looks)) is not None:
            self._tell(news)
            if time.monotonic() < looks:
                continue
            try:
                self._tell(self._elsewhere())
            except Unusable:
                return
            except StoreError:
                self._missed = True
            looks = time.monotonic() + EVERY

    def _next(self, until: float) -> Stands | None:
        """What this process has appended, nothing when it is time to look, None when this is over."""
        try:
            return self._news.get(timeout=max(0.0, until - time.monotonic()))
        except Empty:
            return {}

    def _elsewhere(self) -> Stands:
        """What others have appended since the last look."""
        version = self._version()
        if version == self._seen and not self._missed:
            return {}
        stands = self._stands()
        self._seen, self._missed = version, False
        return stands

    def _tell(self, news: Stands) -> None:
        for trail, sequence in news.items():
            if sequence > self._known.get(trail, 0):
                self._known[trail] = sequence
                self._wake(trail, sequence)
