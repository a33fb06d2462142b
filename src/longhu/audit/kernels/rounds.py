"""Whole rounds held against an atlas of what the rules have confirmed, many at once.

The same as `Walk.on` does for one line after the other, with numbers for everything: what a line must be follows from its form and from
what the round has come to, and each byte of it is compared. Digests are worked out beforehand, and the secrets, commitments and states
of shoes that were changed on the way are held against the table afterwards (`leap`). At the first line that is not known all goes back to the
end of the last whole round, or of the last whole change of shoes: from there `Walk.on` finds out.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from longhu.audit.kernels.lines import (
    AT,
    CARD,
    CHANGE,
    CLOSING,
    COMMAND,
    COMMITTED,
    DIGEST_FOUND,
    ENDED,
    ENDING,
    FACE_FOUND,
    FOUND,
    GOES_ON,
    HALF_TOLD,
    HAND_MAX,
    HIDDEN,
    HOLES,
    KEY,
    KIND,
    LEADS,
    LINE_FEED,
    LOADED,
    NEXT,
    OTHER,
    PASSES,
    POSTING,
    PUT_AWAY,
    RESULT,
    REVEALED,
    ROUND,
    SEQUENCE,
    SETTLED,
    SHOE,
    START,
    STATE,
    STEP,
    TIME_FOUND,
    WAGER,
    WHO,
    WINNER,
    fits,
    told_cue,
    under,
)  # fmt: skip

# Where a round stands.
REST, BETTING, DEALING, SETTLING = range(4)
# What a run has come to: one row of numbers.
(
    NUMBER,
    LAST,
    ROUNDS,
    SHOES,
    DRAWN,
    CARDS_LAID,
    OVER,
    CHANGED,
    COMMANDS,
    POSTINGS,
    FACE_DOWN,
    WAGERS,
    STATES,
    COUNTED,
) = range(14)
# What is kept of a change of shoes: where the three digests stand in the text (0: none), rounds and cards before it, its first line.
SECRET_AT, STATE_AT, COMMITMENT_AT, ROUNDS_BEFORE, CARDS_BEFORE, FIRST_LINE, KEPT = range(7)


class Book(NamedTuple):
    """All forms, and where each stands: under a place and what it rests on besides."""

    keys: Any  # place and cue, scattered over many slots; -1 where there is none
    shift: Any  # of a scattered key, to its slot
    first: Any  # the first form under each key, or the place that it leads to
    forms: Any  # a row for each, and one behind the last
    pieces: Any  # of the forms, in rows: from which letter to which, and the hole behind it
    letters: Any  # of all pieces
    postings: (
        Any  # of the forms, in rows: account and amount; or multiples of a stake's amount and of its net (`crowd`)
    )
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
def _settled_at(decided: Any, all_lines: Any, settles: Any, bets: Any, lines: Any) -> Any:
    """The place where these wagers are settled when these lines decide them, -1 where that is not known."""
    for each in range(decided[bets], decided[bets + 1]):
        if all_lines[each] == lines:
            return settles[each]
    return -1


@njit(cache=True, nogil=True)
def drawn(cards: Any, counts: Any, now: Any, laid: Any, dealt: Any, held: Any, hands: Any, face: Any, most: Any) -> Any:
    """The hands after one more card; -1 where none is due, or it cannot come from the shoe."""
    hand = cards.due[hands]
    if hand < 0 or not counts[face] or now[DRAWN] >= most or held[hand] >= HAND_MAX:
        return -1
    counts[face] -= 1
    now[DRAWN] += 1
    laid[now[CARDS_LAID]] = 2 * face + hand
    now[CARDS_LAID] += 1
    dealt[hand, held[hand]] = face
    held[hand] += 1
    return cards.then[hands, face]


@njit(cache=True, nogil=True)
def ended(cards: Any, dealt: Any, held: Any, hands: Any) -> Any:
    """What the hands come to; -1 where another card is due."""
    if cards.draw[hands] < 0 or held[0] < cards.marked or held[1] < cards.marked:
        return -1
    first, second = 0, 0
    for each in range(cards.marked):
        first, second = first * 52 + dealt[0, each], second * 52 + dealt[1, each]
    ending = cards.draw[hands] * cards.strides[0] + cards.marks[first] * cards.strides[1]
    return ending + cards.marks[second] * cards.strides[2]


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
    due, found = np.zeros(HOLES, np.int64), np.zeros(FOUND, np.int64)
    dealt, held = np.zeros((2, HAND_MAX), np.int64), np.zeros(2, np.int64)
    phase, place, bets, deal, hands, ending, winner, started, stage = REST, 0, 0, 1, 0, -1, -1, 0, PUT_AWAY
    half_told, known, stopped, start = 0, line_from, line_from, ends[line_from - 1] + 1 if line_from else 0
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
                    passes = under(keys, shift, first_form, bets, PASSES + deal)
                    form = under(keys, shift, first_form, passes, 0) if passes >= 0 else -1
                else:
                    form = under(
                        keys,
                        shift,
                        first_form,
                        deal,
                        cards.turn[hands] if each == 1 else cards.cue[hands] if each == 2 else 0,
                    )
            elif phase == BETTING:
                form = under(keys, shift, first_form, place, told_cue(text, start, stop))
            else:
                form = under(keys, shift, first_form, place, 0)
            while form >= 0 and not (
                fits(
                    forms, pieces, letters, cards.face_of, cards.letters, form, text, start, stop, digests, line, due, since, dealt,
                    held, found,
                )
                and forms[form, GOES_ON] == half_told
                and (forms[form, KIND] != RESULT or (ending >= 0 and forms[form, WINNER] == winner))
            ):  # fmt: skip
                form = forms[form, NEXT]
            if form >= 0:
                break
        if form < 0:
            break

        # Where does it lead?
        kind, leads, half_told = forms[form, KIND], forms[form, LEADS], forms[form, HALF_TOLD]
        if kind in (HIDDEN, CARD):
            hands = drawn(cards, counts, now, run.laid, dealt, held, hands, found[FACE_FOUND], shoe.most)
            if hands < 0:
                break
            now[FACE_DOWN] += kind == HIDDEN
            deal, ending = leads, ended(cards, dealt, held, hands)
            if ending >= 0:
                due[ENDING], winner = ending, cards.winner[ending]
        elif phase == DEALING:
            if kind == RESULT:
                lines = winner + 1
                for each in range(book.layout[bets], book.layout[bets + 1]):
                    lines = lines * 256 + book.deciding[book.wager[each], ending]
                place, phase = _settled_at(book.decided, book.lines, book.settles, bets, lines), SETTLING
                if place < 0:
                    break
                # With no wagers, the result ends the round, too.
                half_told = 0 if book.layout[bets] < book.layout[bets + 1] else forms[form, WHO]
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
            if now[CHANGED] == run.changes.shape[0]:
                break  # nobody would check it
            step, change = forms[form, STEP], run.changes[now[CHANGED]]
            if step == PUT_AWAY:
                change[:] = 0
                run.stood[now[CHANGED]], run.lay_since[now[CHANGED]] = balances, since
                change[ROUNDS_BEFORE], change[CARDS_BEFORE], change[FIRST_LINE] = now[OVER], now[CARDS_LAID], line
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
            if kind == CHANGE and now[CHANGED] == run.changes.shape[0]:
                break
    now[:], counts[:], balances[:], since[:] = before, counts_before, balances_before, since_before
    return known, stopped
