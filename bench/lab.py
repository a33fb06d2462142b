"""The odds lab: how soon a designer sees the odds, and what the tables notice of it.

- **Typing.** Another pay at each request, as somebody types, over HTTP to a warm server. Goal: less than 150 ms in the median.
- **The house.** Meanwhile and without: how long `/api/games` takes, which any visitor asks, while both lanes of the lab are kept busy with
  the longest that there is (Dragon 21). Goal: the 99th percentile stays below twice what it is without the lab, or 50 ms.

    python bench/lab.py
"""

from __future__ import annotations

import statistics
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1]))

import httpx
from tests.page.houses import demonstration

from longhu.games import registry

TYPED = 40
ASKED = 400


def milliseconds(ask: Callable[[int], httpx.Response], times: int) -> list[float]:
    found = []
    for number in range(times):
        began = perf_counter()
        ask(number).raise_for_status()
        found.append((perf_counter() - began) * 1000)
    return found


def told(name: str, found: list[float]) -> float:
    percentiles = statistics.quantiles(found, n=100)
    print(
        f"{name:36} median {percentiles[49]:7.1f} ms   95 % {percentiles[94]:7.1f} ms   99 % {percentiles[98]:7.1f} ms"
    )
    return percentiles[98]


def typing(client: httpx.Client, game: str) -> None:
    def ask(number: int) -> httpx.Response:
        pays = {"do": "set", "at": ["wager", 2, "lines", 0, "pays"], "to": f"{number + 2}:1"}
        return client.post("/api/lab/odds", json={"game": game, "changes": [pays]})

    ask(0)
    told(f"typing, {game}", milliseconds(ask, TYPED))


def kept_busy(address: str, stop: threading.Event) -> None:
    """Somebody who asks both lanes for the longest answers there are, all the time."""

    def ask(path: str, body: Callable[[int], object]) -> None:
        with httpx.Client(base_url=address, timeout=60) as client:
            number = 0
            while not stop.is_set():
                number += 1
                client.post(path, json=body(number))

    def figures(number: int) -> object:
        return {"game": "dragon-21", "decks": number % 19 + 1}

    for path in ("/api/lab/odds", "/api/lab/removal"):
        threading.Thread(target=ask, args=(path, figures), daemon=True).start()


def main() -> None:
    with TemporaryDirectory() as folder, demonstration(Path(folder)) as house:
        client = httpx.Client(base_url=house.address, timeout=60)
        for game in registry.all_games():
            typing(client, game)

        def visit(_: int) -> httpx.Response:
            return client.get("/api/games")

        alone = told("a visitor, without the lab", milliseconds(visit, ASKED))
        stop = threading.Event()
        kept_busy(house.address, stop)
        busy = told("a visitor, while the lab works", milliseconds(visit, ASKED))
        stop.set()
        print(f"with the lab at work, the 99th percentile is {busy / alone:.1f} times what it is without")


if __name__ == "__main__":
    main()
