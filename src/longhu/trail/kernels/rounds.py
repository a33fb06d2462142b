"""Whole rounds held against an atlas of what the rules have confirmed, many at once.

The same as `Walk.on` does for one line after the other, with numbers for everything: what a line must be follows from its form and from
what the round has come to, and each byte of it is compared. Digests are worked out beforehand, and the secrets, commitments and states
of shoes that were changed on the way are held against the table afterwards (`stride`). At the first line that is not known all goes back to the
end of the last whole round, or of the last whole change of shoes: from there `Walk.on` finds out.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

# Holes of a form, in the order of `forms.Hole`; the last piece of a form has none behind it.
SEQUENCE, PREVIOUS, AT, SINCE, FACE, SALT, FACES, ROUND, ENDING, SHOE, DIGEST = range(11)
END = -1
# Kinds of forms, in the order of `forms.Kind`.
START, WAGER, CLOSE, CARD, HIDDEN, CUT, TURN, TOLD, RESULT, SETTLED, ENDED, CHANGE = range(12)
# Steps in the change of a shoe.
PUT_AWAY, REVEALED, STATE, COMMITTED, OTHER, LOADED = range(6)
# Where a round stands.
REST, BETTING, DEALING, SETTLING = range(4)

# A form: one row of numbers. The first of its pieces and of its postings end those of the form before.
KIND, LATER, COMMAND, HAND, LEADS, KEY, WINNER, STEP, CLOSING, PIECE, POSTING, NEXT, COLUMNS = range(13)
# What a run has come to: one row of numbers.
NUMBER, LAST, ROUNDS, SHOES, DRAWN, LAID, OVER, CHANGED, COMMANDS, POSTINGS, FACE_DOWN, WAGERS, STATES, COUNTED = range(
    14
)
# What is found in a line: its time, the face of its card, where a digest stands in it.
TIME_FOUND, FACE_FOUND, DIGEST_FOUND = range(3)
# What is kept of a change of shoes: where the three digests stand in the text (0: none), rounds and cards before it, its first line.
SECRET_AT, STATE_AT, COMMITMENT_AT, ROUNDS_BEFORE, CARDS_BEFORE, FIRST_LINE, KEPT = range(7)

U = np.uint64
SCATTER = U(0x9E3779B97F4A7C15)
TIME, HEX_DIGITS, SALT_DIGITS, CUES, PASSES, HAND_MAX = 13, 64, 32, 1 << 24, 1 << 23, 16
STAKE, SINCE_WORD, STAKE_FROM, STAKE_TO = b'"stake":{', b',"since":', 150, 500
_STAKE, _SINCE = np.frombuffer(STAKE, np.uint8), np.frombuffer(SINCE_WORD, np.uint8)
_NEXT_FACE = np.frombuffer(b'","', np.uint8)
ZERO, NINE, LOW_A, LOW_F, LINE_FEED = 48, 57, 97, 102, 10


class Book(NamedTuple):
    """All forms, and where each stands: under a place and what it rests on besides."""

    keys: Any  # place and cue, scattered over many slots; -1 where there is none
    shift: Any  # of a scattered key, to its slot
    first: Any  # the first form under each key, or the place that it leads to
    forms: Any  # a row for each, and one behind the last
    pieces: Any  # of the forms, in rows: from which letter to which, and the hole behind it
    letters: Any  # of all pieces
    postings: Any  # of the forms, in rows: account and amount
    layout: Any  # the first wager of each place, and of the one behind the last
    wager: Any
    deciding: Any  # line of each wager, by ending
    decided: Any  # the first way in which the wagers of each place can be decided, and of the one behind the last
    lines: Any  # by which winner and which lines, as one number
    settles: Any  # at which place then


class Cards(NamedTuple):
    """The game's procedure, as far as it has to be asked."""

    then: Any  # hands after one more card
    due: Any  # to which hand, -1 for none
    turn: Any  # as a cue
    cue: Any
    draw: Any
    marks: Any  # of a hand, by its first two cards
    marked: Any  # cards that the mark looks at
    strides: Any  # of an ending's number: by the draw, and by both marks
    winner: Any  # by ending
    face_of: Any  # by two letters
    letters: Any  # two, by face


class Shoe(NamedTuple):
    """What every shoe is, and what rounds may be dealt from it."""

    fresh: Any  # counts of a new one
    burned: Any
    most: Any  # cards that may leave it
    each_round: Any  # is there a full one for every round?
    longest: Any  # round, in milliseconds


class Run(NamedTuple):
    """What a run changes, and what it leaves behind."""

    now: Any
    counts: Any
    balances: Any
    unlimited: Any  # accounts that may go below zero
    since: Any  # when, by stake
    laid: Any  # cards, twice the face and the hand
    endings: Any
    closings: Any
    changes: Any
    stood: Any  # balances, by change
    lay_since: Any  # the stakes of the last round, by change


@njit(cache=True, nogil=True)
def _same(text: Any, place: Any, letters: Any, start: Any, stop: Any) -> Any:
    """Do these letters stand there? Without a way out of the loop, many are compared at once."""
    here, there, differ = U(place), U(start), np.uint8(0)
    for each in range(U(stop - start)):
        differ = np.uint8(differ | np.uint8(text[here + each] ^ letters[there + each]))
    return differ == 0


@njit(cache=True, nogil=True)
def _behind_number(text: Any, place: Any, stop: Any, number: Any) -> Any:
    """The place behind a number in decimal digits; -1 where something else stands there."""
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
def _time(text: Any, place: Any) -> Any:
    """Thirteen digits; -1 for anything else."""
    found = 0
    for each in range(place, place + TIME):
        if text[each] < ZERO or text[each] > NINE:
            return -1
        found = found * 10 + (text[each] - ZERO)
    return found


@njit(cache=True, nogil=True)
def _is_hex(text: Any, place: Any, size: Any) -> Any:
    for each in range(place, place + size):
        letter = text[each]
        if not (ZERO <= letter <= NINE or LOW_A <= letter <= LOW_F):
            return False
    return True


@njit(cache=True, nogil=True)
def _fits(
    forms: Any, pieces: Any, letters: Any, face_of: Any, face_letters: Any, form: Any, text: Any, place: Any, stop: Any, digests: Any,
    line: Any, due: Any, since: Any, dealt: Any, held: Any, found: Any,
) -> Any:  # fmt: skip
    """Is the line this form, with what must stand in its holes?"""
    for piece in range(forms[form, PIECE], forms[form + 1, PIECE]):
        start, end, hole = pieces[piece, 0], pieces[piece, 1], pieces[piece, 2]
        if place + end - start > stop or not _same(text, place, letters, start, end):
            return False
        place += end - start
        if hole == END:
            return place == stop
        if hole == PREVIOUS:
            if place + HEX_DIGITS > stop or not _same(
                text, place, digests, HEX_DIGITS * line, HEX_DIGITS * line + HEX_DIGITS
            ):
                return False
            place += HEX_DIGITS
        elif hole == AT:
            if place + TIME > stop:
                return False
            at = _time(text, place)
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
            if place + SALT_DIGITS > stop or not _is_hex(text, place, SALT_DIGITS):
                return False
            place += SALT_DIGITS
        elif hole == DIGEST:
            if place + HEX_DIGITS > stop or not _is_hex(text, place, HEX_DIGITS):
                return False
            found[DIGEST_FOUND] = place
            place += HEX_DIGITS
        elif hole == FACES:
            hand = forms[form, HAND]
            for each in range(held[hand]):
                if place + 5 > stop:
                    return False
                if each:
                    if not _same(text, place, _NEXT_FACE, 0, 3):
                        return False
                    place += 3
                card = dealt[hand, each]
                if not _same(text, place, face_letters, 2 * card, 2 * card + 2):
                    return False
                place += 2
        else:
            number = due[hole]
            if hole == SINCE:
                number = since[forms[form, KEY]] if forms[form, KIND] == SETTLED else found[TIME_FOUND]
            elif hole == SHOE and forms[form, KIND] == CHANGE and forms[form, STEP] >= COMMITTED:
                number += 1
            place = _behind_number(text, place, stop, number)
            if place < 0:
                return False
    return False


@njit(cache=True, nogil=True)
def _under(keys: Any, shift: Any, first: Any, place: Any, cue: Any) -> Any:
    """What stands under a key, -1 for nothing."""
    key = place * CUES + cue
    slot = (U(key) * SCATTER) >> shift
    while keys[slot] != key:
        if keys[slot] < 0:
            return -1
        slot = (slot + U(1)) & (U(keys.shape[0]) - U(1))
    return first[slot]


@njit(cache=True, nogil=True)
def _settled_at(decided: Any, all_lines: Any, settles: Any, bets: Any, lines: Any) -> Any:
    """The place where these wagers are settled when these lines decide them, -1 where that is not known."""
    for each in range(decided[bets], decided[bets + 1]):
        if all_lines[each] == lines:
            return settles[each]
    return -1


@njit(cache=True, nogil=True)
def cue_of(letters: Any, start: Any, stop: Any) -> Any:
    """What a wager says of its stake, as a number from 1 on."""
    cue = np.uint64(14695981039346656037)
    for each in range(start, stop):
        cue = (cue ^ np.uint64(letters[each])) * np.uint64(1099511628211)
    return 1 + np.int64(cue >> np.uint64(42))


@njit(cache=True, nogil=True)
def _told_cue(text: Any, place: Any, stop: Any) -> Any:
    """The cue of a wager; 0 where the line is none."""
    start = -1
    for each in range(place + STAKE_FROM, min(place + STAKE_TO, stop) - _STAKE.shape[0] + 1):
        if text[each] == _STAKE[0] and _same(text, each, _STAKE, 0, _STAKE.shape[0]):
            start = each
            break
    if start < 0:
        return 0
    for each in range(start, stop - _SINCE.shape[0] + 1):
        if text[each] == _SINCE[0] and _same(text, each, _SINCE, 0, _SINCE.shape[0]):
            return cue_of(text, start, each)
    return 0


@njit(cache=True, nogil=True)
def _posted(forms: Any, postings: Any, form: Any, balances: Any, unlimited: Any) -> Any:
    """The money of a form moves; False where somebody does not have it."""
    for each in range(forms[form, POSTING], forms[form + 1, POSTING]):
        account = postings[each, 0]
        balances[account] += postings[each, 1]
        if balances[account] < 0 and not unlimited[account]:
            return False
    return True


@njit(cache=True, nogil=True)
def follow(
    book: Any, cards: Any, shoe: Any, run: Any, text: Any, ends: Any, digests: Any, line_from: Any, line_to: Any
) -> Any:
    """From this line on, how far there are whole rounds, and whole changes of shoes, that are known; and the first line that is not.

    `digests` has for each line that of the line before, as it is written.
    """
    keys, shift, first_form, forms, pieces, letters = (
        book.keys, book.shift, book.first, book.forms, book.pieces, book.letters
    )  # fmt: skip
    now, counts, balances, since = run.now, run.counts, run.balances, run.since
    before, counts_before, balances_before, since_before = now.copy(), counts.copy(), balances.copy(), since.copy()
    due, found = np.zeros(11, np.int64), np.zeros(3, np.int64)
    dealt, held = np.zeros((2, HAND_MAX), np.int64), np.zeros(2, np.int64)
    phase, place, bets, deal, hands, ending, winner, started, stage = REST, 0, 0, 1, 0, -1, -1, 0, PUT_AWAY
    known, stopped, start = line_from, line_from, ends[line_from - 1] + 1 if line_from else 0
    due[SEQUENCE], due[AT], due[ROUND], due[SHOE] = now[NUMBER] + 1, now[LAST], now[ROUNDS] + 1, now[SHOES]
    for line in range(line_from, line_to):
        stop = ends[line]
        if text[stop] != LINE_FEED:
            break
        # What was confirmed from here, and is it that again?
        form, tries = -1, 4 if phase == DEALING else 1
        for each in range(tries):
            if phase == DEALING:
                if each == 0:
                    passes = _under(keys, shift, first_form, bets, PASSES + deal)
                    form = _under(keys, shift, first_form, passes, 0) if passes >= 0 else -1
                else:
                    form = _under(
                        keys,
                        shift,
                        first_form,
                        deal,
                        cards.turn[hands] if each == 1 else cards.cue[hands] if each == 2 else 0,
                    )
            elif phase == BETTING:
                form = _under(keys, shift, first_form, place, _told_cue(text, start, stop))
            else:
                form = _under(keys, shift, first_form, place, 0)
            while form >= 0 and not (
                _fits(
                    forms, pieces, letters, cards.face_of, cards.letters, form, text, start, stop, digests, line, due, since, dealt,
                    held, found,
                )
                and (forms[form, KIND] != RESULT or (ending >= 0 and forms[form, WINNER] == winner))
            ):  # fmt: skip
                form = forms[form, NEXT]
            if form >= 0:
                break
        if form < 0:
            break

        # Where does it lead?
        kind, leads = forms[form, KIND], forms[form, LEADS]
        if kind in (HIDDEN, CARD):
            face, hand = found[FACE_FOUND], cards.due[hands]
            if hand < 0 or not counts[face] or now[DRAWN] >= shoe.most or held[hand] >= HAND_MAX:
                break
            counts[face] -= 1
            now[DRAWN] += 1
            run.laid[now[LAID]] = 2 * face + hand
            now[LAID] += 1
            dealt[hand, held[hand]] = face
            held[hand] += 1
            now[FACE_DOWN] += kind == HIDDEN
            deal, hands, ending = leads, cards.then[hands, face], -1
            if cards.draw[hands] >= 0:
                first, second = 0, 0
                if held[0] < cards.marked or held[1] < cards.marked:
                    break
                for each in range(cards.marked):
                    first, second = first * 52 + dealt[0, each], second * 52 + dealt[1, each]
                ending = cards.draw[hands] * cards.strides[0] + cards.marks[first] * cards.strides[1]
                ending += cards.marks[second] * cards.strides[2]
                due[ENDING], winner = ending, cards.winner[ending]
        elif phase == DEALING:
            if kind == RESULT:
                lines = winner + 1
                for each in range(book.layout[bets], book.layout[bets + 1]):
                    lines = lines * 256 + book.deciding[book.wager[each], ending]
                place, phase = _settled_at(book.decided, book.lines, book.settles, bets, lines), SETTLING
                if place < 0:
                    break
            else:
                deal = leads
        elif phase == BETTING:
            place = bets = leads
            if kind == WAGER:
                since[forms[form, KEY]] = found[TIME_FOUND]
            else:
                phase = DEALING
        elif phase == SETTLING:
            if kind == ENDED and found[TIME_FOUND] - started > shoe.longest:
                break
            now[WAGERS] += kind == SETTLED
            place = leads
        elif kind == START:
            if shoe.each_round and now[DRAWN] > shoe.burned:
                break
            now[ROUNDS] += 1
            started, place, bets, deal, hands, phase = found[TIME_FOUND], leads, leads, 1, 0, BETTING
            held[:] = 0
        else:
            step, change = forms[form, STEP], run.changes[now[CHANGED]]
            if step == PUT_AWAY:
                change[:] = 0
                run.stood[now[CHANGED]], run.lay_since[now[CHANGED]] = balances, since
                change[ROUNDS_BEFORE], change[CARDS_BEFORE], change[FIRST_LINE] = now[OVER], now[LAID], line
            elif step == REVEALED and stage == PUT_AWAY:
                change[SECRET_AT] = found[DIGEST_FOUND]
            elif step == STATE and stage == REVEALED:
                change[STATE_AT] = found[DIGEST_FOUND]
                now[STATES] += 1
            elif step == COMMITTED and stage in (REVEALED, STATE):
                change[COMMITMENT_AT] = found[DIGEST_FOUND]
            elif step == LOADED and stage == COMMITTED:
                counts[:] = shoe.fresh
                now[SHOES] += 1
                now[CHANGED] += 1
                now[DRAWN] = shoe.burned
                due[SHOE] = now[SHOES]
            elif step != OTHER:
                break
            stage = PUT_AWAY if step == LOADED else stage if step == OTHER else step
            place = leads
        if not _posted(forms, book.postings, form, balances, run.unlimited):
            break
        now[POSTINGS] += forms[form + 1, POSTING] - forms[form, POSTING]
        now[COMMANDS] += forms[form, COMMAND]
        now[NUMBER] += 1
        now[LAST] = due[AT] = found[TIME_FOUND]
        due[SEQUENCE] += 1
        start, stopped = stop + 1, line + 1

        # A whole round, or a whole change.
        if kind == ENDED:
            run.endings[now[OVER]], run.closings[now[OVER]] = ending, forms[form, CLOSING]
            now[OVER] += 1
            due[ROUND] = now[ROUNDS] + 1
            phase, place, ending = REST, 0, -1
        if kind == ENDED or (kind == CHANGE and place == 0):
            known = line + 1
            before[:], counts_before[:], balances_before[:], since_before[:] = now, counts, balances, since
            if now[CHANGED] == run.changes.shape[0]:
                break
    now[:], counts[:], balances[:], since[:] = before, counts_before, balances_before, since_before
    return known, stopped
