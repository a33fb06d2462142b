"""Where lines end, and SHA-256 of many of them (FIPS 180-4). The judge of this is `hashlib`.

A machine that has instructions for it takes two lines at a time; any other eight: each has a lane of the vectors, and a lane that is
done with its line takes the next one, so lines of different lengths do not wait for each other.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from longhu.audit.kernels.digest_blocks import CONSTANTS, ORDER, ROUNDS, START, mix_block, mix_two_blocks
from longhu.simulate.kernels.vectors import (
    BYTES,
    FEATURES,
    add32,
    all8,
    all32,
    both,
    differ,
    either,
    left32,
    load,
    marked,
    ones,
    right32,
    same8,
    store,
    without,
)  # fmt: skip

LANES, WORDS, BLOCK, LENGTH_AT, HEX_DIGITS = 8, 16, 64, 56, 64
ROW = 4 * LANES  # bytes of a vector
ENDED = 0x80  # the byte behind a text
LINE_FEED, ZERO, TEN = ord("\n"), ord("0"), ord("a") - 10
U = np.uint64


@njit(cache=True, nogil=True)
def line_ends(text: Any) -> Any:
    """Where the line feeds are."""
    whole, feed = text.shape[0] // BYTES * BYTES, all8(LINE_FEED)
    count = 0
    for place in range(0, whole, BYTES):
        count += int(ones(marked(same8(load(text, place), feed))))
    for place in range(whole, text.shape[0]):
        count += text[place] == LINE_FEED
    ends, found = np.zeros(count, np.int64), 0
    for block in range(0, text.shape[0], BYTES):
        if block == whole or marked(same8(load(text, block), feed)):
            for place in range(block, min(block + BYTES, text.shape[0])):
                if text[place] == LINE_FEED:
                    ends[found] = place
                    found += 1
    return ends


@njit(cache=True, nogil=True)
def _turned(word: Any, by: Any) -> Any:
    """Every lane rotated to the right."""
    return either(right32(word, by), left32(word, 32 - by))


@njit(cache=True, nogil=True)
def _mix(words: Any, state: Any) -> None:
    """One block of each lane goes into its state."""
    for place in range(WORDS, ROUNDS):
        old, new = load(words, ROW * (place - 15)), load(words, ROW * (place - 2))
        old = differ(differ(_turned(old, 7), _turned(old, 18)), right32(old, 3))
        new = differ(differ(_turned(new, 17), _turned(new, 19)), right32(new, 10))
        before = add32(load(words, ROW * (place - 16)), load(words, ROW * (place - 7)))
        store(words, ROW * place, add32(before, add32(old, new)))
    a, b, c, d = load(state, 0), load(state, ROW), load(state, 2 * ROW), load(state, 3 * ROW)
    e, f, g, h = load(state, 4 * ROW), load(state, 5 * ROW), load(state, 6 * ROW), load(state, 7 * ROW)
    for place in range(ROUNDS):
        turns = differ(differ(_turned(e, 6), _turned(e, 11)), _turned(e, 25))
        chosen = differ(both(e, f), without(e, g))
        known = add32(load(words, ROW * place), all32(np.int64(CONSTANTS[place])))
        first = add32(add32(h, turns), add32(chosen, known))
        turns = differ(differ(_turned(a, 2), _turned(a, 13)), _turned(a, 22))
        most = either(both(a, b), both(c, either(a, b)))
        a, b, c, d, e, f, g, h = add32(first, add32(turns, most)), a, b, c, add32(d, first), e, f, g
    store(state, 0, add32(load(state, 0), a))
    store(state, ROW, add32(load(state, ROW), b))
    store(state, 2 * ROW, add32(load(state, 2 * ROW), c))
    store(state, 3 * ROW, add32(load(state, 3 * ROW), d))
    store(state, 4 * ROW, add32(load(state, 4 * ROW), e))
    store(state, 5 * ROW, add32(load(state, 5 * ROW), f))
    store(state, 6 * ROW, add32(load(state, 6 * ROW), g))
    store(state, 7 * ROW, add32(load(state, 7 * ROW), h))


@njit(cache=True, nogil=True)
def _take(words: Any, lane: Any, text: Any, place: Any) -> None:
    """A whole block of a text, in the words of a lane."""
    for word in range(U(WORDS)):
        here = U(place) + U(4) * word
        number = np.uint32(text[here]) << np.uint32(24) | np.uint32(text[here + U(1)]) << np.uint32(16)
        number |= np.uint32(text[here + U(2)]) << np.uint32(8) | np.uint32(text[here + U(3)])
        words[word * U(LANES) + U(lane)] = number


@njit(cache=True, nogil=True)
def _take_rest(words: Any, lane: Any, text: Any, place: Any, stop: Any, size: Any) -> None:
    """A block that the text does not fill: what is left of it, the byte behind it, and its length in bits."""
    for word in range(WORDS):
        number, here = np.uint32(0), place + 4 * word
        for each in range(here, here + 4):
            letter = text[U(each)] if each < stop else ENDED if each == stop else 0
            number = number << np.uint32(8) | np.uint32(letter)
        words[U(word * LANES + lane)] = number
    if stop - place < LENGTH_AT:
        words[U((WORDS - 2) * LANES + lane)] = np.uint32(8 * size >> 32)
        words[U((WORDS - 1) * LANES + lane)] = np.uint32(8 * size)


@njit(cache=True, nogil=True)
def _tell(digests: Any, line: Any, state: Any, lane: Any) -> None:
    """The digest of a line, in small hexadecimal digits."""
    place = U(HEX_DIGITS * line)
    for word in range(U(8)):
        number = state[word * U(LANES) + U(lane)]
        for each in range(U(8)):
            digit = np.uint8(number >> np.uint32(U(28) - U(4) * each) & np.uint32(15))
            digests[place + U(8) * word + each] = digit + np.uint8(ZERO if digit < 10 else TEN)


@njit(cache=True, nogil=True)
def digest_by_lanes(text: Any, ends: Any, digests: Any) -> None:
    """The digest of each line; a line ends before the letter at its end."""
    words, state = np.zeros(ROUNDS * LANES, np.uint32), np.zeros(8 * LANES, np.uint32)
    # Of each lane: its line (-1 for none), where that starts, goes on and stops.
    lines, starts = np.full(LANES, -1, np.int64), np.zeros(LANES, np.int64)
    places, stops = np.zeros(LANES, np.int64), np.zeros(LANES, np.int64)
    waiting, busy = 0, True
    while busy:
        busy = False
        for lane in range(LANES):
            if lines[lane] < 0 and waiting < ends.shape[0]:
                starts[lane] = places[lane] = ends[waiting - 1] + 1 if waiting else 0
                lines[lane], stops[lane] = waiting, ends[waiting]
                waiting += 1
                for word in range(8):
                    state[word * LANES + lane] = START[word]
            if lines[lane] < 0:
                continue
            busy, place, stop = True, places[lane], stops[lane]
            if stop - place >= BLOCK:
                _take(words, lane, text, place)
            else:
                _take_rest(words, lane, text, place, stop, stop - starts[lane])
            places[lane] = place + BLOCK
        _mix(words, state)
        for lane in range(LANES):
            if lines[lane] >= 0 and places[lane] - stops[lane] > BLOCK - LENGTH_AT:
                _tell(digests, lines[lane], state, lane)
                lines[lane] = -1


@njit(cache=True, nogil=True)
def _start(state: Any) -> None:
    for word in range(8):
        state[word] = START[ORDER[word]]


@njit(cache=True, nogil=True)
def _finish(state: Any, text: Any, place: Any, start: Any, stop: Any, rest: Any, digests: Any, line: Any) -> None:
    """What is left of a line from a place on, and its digest."""
    while stop - place >= BLOCK:
        mix_block(state, text, place)
        place += BLOCK
    left, size = stop - place, 8 * (stop - start)
    rest[:] = 0
    for each in range(U(left)):
        rest[each] = text[U(place) + each]
    rest[left] = ENDED
    last = BLOCK if left < LENGTH_AT else 2 * BLOCK
    for each in range(1, 9):
        rest[last - each] = np.uint8(size >> 8 * (each - 1) & 255)
    mix_block(state, rest, 0)
    if last > BLOCK:
        mix_block(state, rest, BLOCK)
    for word in range(8):
        number, there = state[word], HEX_DIGITS * line + 8 * ORDER[word]
        for each in range(8):
            digit = np.uint8(number >> np.uint32(28 - 4 * each) & np.uint32(15))
            digests[U(there + each)] = digit + np.uint8(ZERO if digit < 10 else TEN)


@njit(cache=True, nogil=True)
def digest_by_instructions(text: Any, ends: Any, digests: Any) -> None:
    """The same with the machine's own instructions, two lines at a time."""
    state, other, rest = np.zeros(8, np.uint32), np.zeros(8, np.uint32), np.zeros(2 * BLOCK, np.uint8)
    for line in range(0, ends.shape[0], 2):
        start = place = ends[line - 1] + 1 if line else 0
        stop = ends[line]
        _start(state)
        if line + 1 < ends.shape[0]:
            there, end = stop + 1, ends[line + 1]
            _start(other)
            for _ in range(min(stop - place, end - there) // BLOCK):
                mix_two_blocks(state, other, text, place, there)
                place, there = place + BLOCK, there + BLOCK
            _finish(other, text, there, stop + 1, end, rest, digests, line + 1)
        _finish(state, text, place, start, stop, rest, digests, line)


digest_lines = digest_by_instructions if "sha" in FEATURES else digest_by_lanes
