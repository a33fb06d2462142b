"""A line held against a form, byte by byte, and where forms are found. Everything here is a number or a letter."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

# Holes of a form, in the order of `forms.Hole`; the last piece of a form has none behind it.
SEQUENCE, PREVIOUS, AT, SINCE, FACE, SALT, FACES, ROUND, ENDING, SHOE, DIGEST, AMOUNT, NET, COMMISSION, HOLES = range(
    15
)
END = -1
# Kinds of forms, in the order of `forms.Kind`.
START, WAGER, CLOSE, CARD, HIDDEN, CUT, TURN, TOLD, RESULT, SETTLED, ENDED, CHANGE, LAID, CAME = range(14)
# Steps in the change of a shoe.
PUT_AWAY, REVEALED, STATE, COMMITTED, OTHER, LOADED = range(6)
# A form: one row of numbers. The first of its pieces and of its postings end those of the form before. Whose command has led to it, from 1 on; the
# same where that command began before, and where it goes on behind, otherwise 0.
(
    KIND,
    LATER,
    COMMAND,
    HAND,
    LEADS,
    KEY,
    WINNER,
    STEP,
    CLOSING,
    PIECE,
    POSTING,
    NEXT,
    WHO,
    GOES_ON,
    HALF_TOLD,
    COLUMNS,
) = range(16)
# What is found in a line: its time, the face of its card, where a digest stands in it.
TIME_FOUND, FACE_FOUND, DIGEST_FOUND, FOUND = range(4)

U = np.uint64
SCATTER = U(0x9E3779B97F4A7C15)
TIME, HEX_DIGITS, SALT_DIGITS, CUES, PASSES, HAND_MAX = 13, 64, 32, 1 << 24, 1 << 23, 16
STAKE, SINCE_WORD, STAKE_FROM, STAKE_TO = b'"stake":{', b',"since":', 150, 500
_STAKE, _SINCE = np.frombuffer(STAKE, np.uint8), np.frombuffer(SINCE_WORD, np.uint8)
_NEXT_FACE = np.frombuffer(b'","', np.uint8)
ZERO, NINE, LOW_A, LOW_F, MINUS, LINE_FEED = 48, 57, 97, 102, 45, 10


@njit(cache=True, nogil=True)
def same(text: Any, place: Any, letters: Any, start: Any, stop: Any) -> Any:
    """Do these letters stand there? Without a way out of the loop, many are compared at once."""
    here, there, differ = U(place), U(start), np.uint8(0)
    for each in range(U(stop - start)):
        differ = np.uint8(differ | np.uint8(text[here + each] ^ letters[there + each]))
    return differ == 0


@njit(cache=True, nogil=True)
def behind_number(text: Any, place: Any, stop: Any, number: Any) -> Any:
    """The place behind a number in decimal digits; -1 where something else stands there."""
    if number < 0:
        if place >= stop or text[place] != MINUS:
            return -1
        place, number = place + 1, -number
    size, rest = 1, number
    while rest >= 10:
        rest //= 10
        size += 1
    if place + size > stop:
        return -1
    rest = number
    for each in range(place + size - 1, place - 1, -1):
        if text[each] != ZERO + rest % 10:
            return -1
        rest //= 10
    return place + size


@njit(cache=True, nogil=True)
def time_at(text: Any, place: Any) -> Any:
    """Thirteen digits; -1 for anything else."""
    found = 0
    for each in range(place, place + TIME):
        if text[each] < ZERO or text[each] > NINE:
            return -1
        found = found * 10 + (text[each] - ZERO)
    return found


@njit(cache=True, nogil=True)
def is_hex(text: Any, place: Any, size: Any) -> Any:
    for each in range(place, place + size):
        letter = text[each]
        if not (ZERO <= letter <= NINE or LOW_A <= letter <= LOW_F):
            return False
    return True


@njit(cache=True, nogil=True)
def fits(
    forms: Any, pieces: Any, letters: Any, face_of: Any, face_letters: Any, form: Any, text: Any, place: Any, stop: Any, digests: Any,
    line: Any, due: Any, since: Any, dealt: Any, held: Any, found: Any,
) -> Any:  # fmt: skip
    """Is the line this form, with what must stand in its holes?"""
    for piece in range(forms[form, PIECE], forms[form + 1, PIECE]):
        start, end, hole = pieces[piece, 0], pieces[piece, 1], pieces[piece, 2]
        if place + end - start > stop or not same(text, place, letters, start, end):
            return False
        place += end - start
        if hole == END:
            return place == stop
        if hole == PREVIOUS:
            if place + HEX_DIGITS > stop or not same(
                text, place, digests, HEX_DIGITS * line, HEX_DIGITS * line + HEX_DIGITS
            ):
                return False
            place += HEX_DIGITS
        elif hole == AT:
            if place + TIME > stop:
                return False
            at = time_at(text, place)
            if at < due[AT] or (at > due[AT]) != forms[form, LATER]:
                return False
            found[TIME_FOUND] = at
            place += TIME
        elif hole == FACE:
            if place + 2 > stop:
                return False
            found[FACE_FOUND] = face_of[np.int64(text[place]) * 256 + np.int64(text[place + 1])]
            if found[FACE_FOUND] < 0:
                return False
            place += 2
        elif hole == SALT:
            if place + SALT_DIGITS > stop or not is_hex(text, place, SALT_DIGITS):
                return False
            place += SALT_DIGITS
        elif hole == DIGEST:
            if place + HEX_DIGITS > stop or not is_hex(text, place, HEX_DIGITS):
                return False
            found[DIGEST_FOUND] = place
            place += HEX_DIGITS
        elif hole == FACES:
            hand = forms[form, HAND]
            for each in range(held[hand]):
                if place + 5 > stop:
                    return False
                if each:
                    if not same(text, place, _NEXT_FACE, 0, 3):
                        return False
                    place += 3
                card = dealt[hand, each]
                if not same(text, place, face_letters, 2 * card, 2 * card + 2):
                    return False
                place += 2
        else:
            number = due[hole]
            if hole == SINCE:
                if forms[form, KIND] == SETTLED:
                    number = since[forms[form, KEY]]
                elif forms[form, KIND] != CAME:
                    number = found[TIME_FOUND]
            elif hole == SHOE and forms[form, KIND] == CHANGE and forms[form, STEP] >= COMMITTED:
                number += 1
            place = behind_number(text, place, stop, number)
            if place < 0:
                return False
    return False


@njit(cache=True, nogil=True)
def under(keys: Any, shift: Any, first: Any, place: Any, cue: Any) -> Any:
    """What stands under a key, -1 for nothing."""
    key = place * CUES + cue
    slot = (U(key) * SCATTER) >> shift
    while keys[slot] != key:
        if keys[slot] < 0:
            return -1
        slot = (slot + U(1)) & (U(keys.shape[0]) - U(1))
    return first[slot]


@njit(cache=True, nogil=True)
def cue_of(letters: Any, start: Any, stop: Any) -> Any:
    """What a wager says of its stake, as a number from 1 on."""
    cue = np.uint64(14695981039346656037)
    for each in range(start, stop):
        cue = (cue ^ np.uint64(letters[each])) * np.uint64(1099511628211)
    return 1 + np.int64(cue >> np.uint64(42))


@njit(cache=True, nogil=True)
def told_stake(text: Any, place: Any, stop: Any) -> Any:
    """From where to where a line says which stake, and how much; -1 where it tells of none."""
    start = -1
    for each in range(place + STAKE_FROM, min(place + STAKE_TO, stop) - _STAKE.shape[0] + 1):
        if text[each] == _STAKE[0] and same(text, each, _STAKE, 0, _STAKE.shape[0]):
            start = each
            break
    if start < 0:
        return -1, -1
    for each in range(start, stop - _SINCE.shape[0] + 1):
        if text[each] == _SINCE[0] and same(text, each, _SINCE, 0, _SINCE.shape[0]):
            return start, each
    return -1, -1


@njit(cache=True, nogil=True)
def told_cue(text: Any, place: Any, stop: Any) -> Any:
    """The cue of a wager; 0 where the line is none."""
    start, end = told_stake(text, place, stop)
    return 0 if start < 0 else cue_of(text, start, end)
