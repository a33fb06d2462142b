"""Random numbers of a simulation: every block of rounds has a stream of its own, made from the seed and its number.

A histogram depends on the seed and on the blocks, never on who computed which. Four xoshiro256++ run side by side in one
vector; their states come from splitmix64, and what seeds that mixes seed and block twice, so that neighbours have
nothing in common. This is no source of chance for a table with money on it: `fairness` is.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from longhu.simulate.kernels.vectors import add64, differ, either, left64, load, right64

U = np.uint64
GOLDEN, STIR, BLEND = U(0x9E3779B97F4A7C15), U(0xBF58476D1CE4E5B9), U(0x94D049BB133111EB)
STEP, OFFSET = U(0xD1342543DE82EF95), U(0x632BE59BD9B4E019)
WORDS = 16  # of a state: four generators with four words each


@njit(inline="always")
def _mixed(word: Any) -> Any:
    """splitmix64's output for a state."""
    word = (word ^ (word >> U(30))) * STIR
    word = (word ^ (word >> U(27))) * BLEND
    return word ^ (word >> U(31))


@njit(cache=True)
def start_of(seed: Any, block: Any) -> Any:
    """Where the stream of a block begins."""
    return _mixed((_mixed(U(seed) + GOLDEN) ^ (U(block) * STEP + OFFSET)) + GOLDEN)


@njit(cache=True)
def fill(state: Any, start: Any) -> None:
    """The words that follow a start: generator by generator."""
    for generator in range(4):
        for word in range(4):
            start += GOLDEN
            state[4 * word + generator] = _mixed(start)


@njit(cache=True)
def words_from(start: Any) -> Any:
    """The state of one generator by itself."""
    words = np.empty(4, np.uint64)
    for word in range(4):
        start += GOLDEN
        words[word] = _mixed(start)
    return words


@njit(inline="always")
def stream(state: Any) -> Any:
    """Four generators as a value, out of an array that `fill` has filled."""
    return load(state, 0), load(state, 32), load(state, 64), load(state, 96)


@njit(inline="always")
def _turned(word: Any, places: Any) -> Any:
    return either(left64(word, places), right64(word, 64 - places))


@njit(inline="always")
def draw(stream: Any) -> Any:
    """256 bits, and the stream after them."""
    a, b, c, d = stream
    drawn = add64(_turned(add64(a, d), 23), a)
    shifted = left64(b, 17)
    c = differ(c, a)
    d = differ(d, b)
    b = differ(b, c)
    a = differ(a, d)
    return drawn, (a, b, differ(c, shifted), _turned(d, 45))


@njit(inline="always")
def draw_word(words: Any) -> Any:
    """64 bits of a generator that `words_from` has made."""
    a, b, c, d = words[0], words[1], words[2], words[3]
    total = a + d
    drawn = ((total << U(23)) | (total >> U(41))) + a
    c ^= a
    d ^= b
    words[1], words[0] = b ^ c, a ^ d
    words[2], words[3] = c ^ (b << U(17)), (d << U(45)) | (d >> U(19))
    return drawn
