"""Whole rounds of patrons who wager as they like, each wager known by itself (`shortcut.medley`), many rounds at once.

As in `rounds`, each byte of each line is compared, and at the first line that is not known all goes back to the end of the last whole round. What is
different is where forms stand: a wager under what its patron has on the layout already, a settlement under the line that decides. Amounts
are read from the wagers and must be within their limits; what each comes to was asked of the rules beforehand (`Chips`). Each position is taken
by one patron here, and each patron wagers at one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from longhu.audit.kernels.lines import (
    AMOUNT,
    AT,
    CAME,
    CARD,
    CLOSE,
    COMMAND,
    COMMISSION,
    ENDED,
    ENDING,
    FACE_FOUND,
    FOUND,
    GOES_ON,
    HALF_TOLD,
    HAND_MAX,
    HIDDEN,
    HOLES,
    KIND,
    LAID,
    LEADS,
    LINE_FEED,
    NET,
    NEXT,
    NINE,
    POSTING,
    RESULT,
    ROUND,
    SCATTER,
    SEQUENCE,
    SHOE,
    SINCE,
    START,
    TIME_FOUND,
    TOLD,
    WINNER,
    ZERO,
    U,
    cue_of,
    fits,
    same,
    told_stake,
    under,
)  # fmt: skip
from longhu.audit.kernels.rounds import (
    BETTING,
    COMMANDS,
    DEALING,
    DRAWN,
    FACE_DOWN,
    LAST,
    NUMBER,
    OVER,
    POSTINGS,
    REST,
    ROUNDS,
    SETTLING,
    SHOES,
    WAGERS,
    drawn,
    ended,
)  # fmt: skip

# One wager of one patron at one position: a row of numbers.
SAID_FROM, SAID_TO, PATRON, POSITION, MARK, PLACED, SETTLED_AT, LEAST, MOST, STEP, BACKED = range(11)
# How far a deal has come: a row of numbers. A hand that is passed, and the places after the totals and of those who may be given it, are -1 where there are none.
# Who has each of both hands (0: the dealer), and the places after another card of each that lies face down.
OPEN, ANNOUNCED, TOTALS, PASSED_HAND, PASSED, HELD_BY, _, HIDES, _, DEALT = range(10)
# A stake that lies there: a row of numbers.
BACKING, CHIP, SINCE_WHEN, LYING = range(4)
# In a round; of an amount; who hold hands, the dealer among them.
STAKES_MAX, DIGITS_MAX, PATRONS_MAX = 256, 15, 256
NO_CHIP, DEALER, SOMEBODY = -1, -1, -2
AMOUNT_WORD = b',"amount":'
_AMOUNT = np.frombuffer(AMOUNT_WORD, np.uint8)


class Crowd(NamedTuple):
    """All single wagers, and the places where they are known."""

    slots: Any  # backings, scattered by what lines say of them; -1 where there is none
    shift: Any  # of a scattered cue, to its slot
    backings: Any  # a row for each
    said: Any  # letters of what lines say of them
    deciding: Any  # line of each wager, by ending
    first_line: Any  # of each wager, among all lines
    hand: Any  # that each wager is on, -1 for none
    handles: Any  # may a patron be given cards?
    largest: Any  # does the largest of a patron's wagers count, or all together?
    deals: Any  # a row for each place
    announced: Any  # the places of what is told of hands, of further cards, of the closing call, and of a round's end
    drawn: Any
    closed: Any
    ended: Any


class Chips(NamedTuple):
    """Amounts that were asked about, and what each comes to by each line."""

    slots: Any  # their numbers, scattered; NO_CHIP where there is none
    shift: Any
    amounts: Any
    nets: Any  # by line and amount
    commissions: Any


class Left(NamedTuple):
    """What a run leaves behind besides."""

    lying: Any  # the stakes of the last whole round, a row for each
    stakes: Any  # how many
    wanted: Any  # an amount that nobody has asked about yet


@njit(cache=True, nogil=True)
def _amount(text: Any, start: Any, stop: Any) -> Any:
    """The amount at the end of what a line says of a stake, and where that begins; -1 where there is none."""
    place, amount, power = stop, 0, 1
    while place > start and ZERO <= text[place - 1] <= NINE and stop - place < DIGITS_MAX:
        place -= 1
        amount += (text[place] - ZERO) * power
        power *= 10
    before = place - _AMOUNT.shape[0]
    if place == stop or text[place] == ZERO or before < start or not same(text, before, _AMOUNT, 0, _AMOUNT.shape[0]):
        return -1, -1
    return amount, before


@njit(cache=True, nogil=True)
def _backing(slots: Any, shift: Any, backings: Any, said: Any, text: Any, start: Any, stop: Any) -> Any:
    """Which wager it is that a line tells of, -1 for none that is known."""
    slot = (U(cue_of(text, start, stop)) * SCATTER) >> shift
    while slots[slot] >= 0:
        backing = slots[slot]
        if backings[backing, SAID_TO] - backings[backing, SAID_FROM] == stop - start and same(
            text, start, said, backings[backing, SAID_FROM], backings[backing, SAID_TO]
        ):
            return backing
        slot = (slot + U(1)) & (U(slots.shape[0]) - U(1))
    return -1


@njit(cache=True, nogil=True)
def chip_of(slots: Any, shift: Any, amounts: Any, amount: Any) -> Any:
    """The number of an amount."""
    slot = (U(amount) * SCATTER) >> shift
    while slots[slot] != NO_CHIP and amounts[slots[slot]] != amount:
        slot = (slot + U(1)) & (U(slots.shape[0]) - U(1))
    return slots[slot]


@njit(cache=True, nogil=True)
def holder(
    backings: Any, hand_of: Any, handles: Any, largest: Any, amounts: Any, lying: Any, stakes: Any, hand: Any
) -> Any:
    """Who is given a hand, where nobody has declined: `table.priority.next_holder`, which is the judge of this."""
    backed, latest = np.zeros(handles.shape[0], np.int64), np.zeros(handles.shape[0], np.int64)
    for each in range(stakes):
        row = backings[lying[each, BACKING]]
        if hand_of[row[MARK]] == hand and handles[row[PATRON]]:
            patron, amount = row[PATRON], amounts[lying[each, CHIP]]
            backed[patron] = max(backed[patron], amount) if largest else backed[patron] + amount
            latest[patron] = max(latest[patron], lying[each, SINCE_WHEN])
    first, equals = DEALER, 0
    for patron in range(handles.shape[0]):
        if not backed[patron]:
            continue
        if first == DEALER or (backed[patron], -latest[patron]) > (backed[first], -latest[first]):
            first, equals = patron, 1
        elif backed[patron] == backed[first] and latest[patron] == latest[first]:
            equals += 1
    return SOMEBODY if equals > 1 else first


@njit(cache=True, nogil=True)
def _posted(
    forms: Any, postings: Any, form: Any, amount: Any, net: Any, balances: Any, unlimited: Any, now: Any
) -> Any:
    """The money of a form moves; False where somebody does not have it."""
    for each in range(forms[form, POSTING], forms[form + 1, POSTING]):
        account, moved = postings[each, 0], postings[each, 1] * amount + postings[each, 2] * net
        balances[account] += moved
        now[POSTINGS] += moved != 0
        if balances[account] < 0 and not unlimited[account]:
            return False
    return True


@njit(cache=True, nogil=True)
def follow(
    book: Any, crowd: Any, chips: Any, cards: Any, shoe: Any, run: Any, left: Any, text: Any, ends: Any, digests: Any,
    line_from: Any, line_to: Any,
) -> Any:  # fmt: skip
    """From this line on, how far there are whole rounds whose wagers are known; and the first line that is not."""
    keys, shift, first_form, forms, pieces, letters = (
        book.keys, book.shift, book.first, book.forms, book.pieces, book.letters
    )  # fmt: skip
    backings, deals, amounts = crowd.backings, crowd.deals, chips.amounts
    now, counts, balances = run.now, run.counts, run.balances
    before, counts_before, balances_before = now.copy(), counts.copy(), balances.copy()
    due, found, no_since = np.zeros(HOLES, np.int64), np.zeros(FOUND, np.int64), np.zeros(1, np.int64)
    dealt, held = np.zeros((2, HAND_MAX), np.int64), np.zeros(2, np.int64)
    lying, order, stakes, settled = np.zeros((STAKES_MAX, LYING), np.int64), np.zeros(STAKES_MAX, np.int64), 0, 0
    marks, sits = np.zeros(crowd.handles.shape[0], np.int64), np.zeros(crowd.handles.shape[0], np.int64)
    taken_by = np.zeros(backings.shape[0] + 1, np.int64)
    phase, deal, hands, ending, winner, started, backing, chip, stake = REST, 1, 0, -1, -1, 0, 0, 0, 0
    half_told, known, stopped, start = 0, line_from, line_from, ends[line_from - 1] + 1 if line_from else 0
    due[SEQUENCE], due[AT], due[ROUND], due[SHOE] = now[NUMBER] + 1, now[LAST], now[ROUNDS] + 1, now[SHOES]
    for line in range(line_from, line_to):
        stop = ends[line]
        if text[stop] != LINE_FEED:
            break
        # What was confirmed from here?
        place, cue, tries, lone = 0, 0, 1, False
        due[AMOUNT], due[NET] = 1, 0
        if phase == DEALING:
            tries = 6
        elif phase == BETTING:
            said_from, said_to = told_stake(text, start, stop)
            lone = said_from >= 0
            if lone:
                due[AMOUNT], said_to = _amount(text, said_from, said_to)
                if said_to < 0 or stakes == STAKES_MAX:
                    break
                backing = _backing(crowd.slots, crowd.shift, backings, crowd.said, text, said_from, said_to)
                if backing < 0:
                    break
                row, amount = backings[backing], due[AMOUNT]
                if amount < row[LEAST] or amount > row[MOST] or amount % row[STEP]:
                    break
                if sits[row[PATRON]] not in (0, row[POSITION]) or taken_by[row[POSITION]] not in (0, row[PATRON] + 1):
                    break
                if marks[row[PATRON]] >> row[MARK] & 1:
                    break
                chip = chip_of(chips.slots, chips.shift, amounts, amount)
                if chip == NO_CHIP:
                    left.wanted[0] = amount
                    break
                place, cue = row[PLACED], marks[row[PATRON]]
            else:
                place = crowd.closed
                if not stakes:
                    break
        elif phase == SETTLING:
            if settled < stakes:
                stake = order[settled]
                row, chip = backings[lying[stake, BACKING]], lying[stake, CHIP]
                decided = crowd.deciding[row[MARK], ending]
                which = crowd.first_line[row[MARK]] + decided
                due[AMOUNT], due[SINCE], lone = amounts[chip], lying[stake, SINCE_WHEN], True
                due[NET], due[COMMISSION] = chips.nets[which, chip], chips.commissions[which, chip]
                place, cue = row[SETTLED_AT], (2 * decided + (winner < 0)) * 2 + (settled == 0)
            else:
                place, cue = crowd.ended, int(winner < 0)
        # Is it that again?
        form, told = -1, False
        for each in range(tries):
            if phase == DEALING:
                if each < 3:
                    place = deal
                    cue = cards.turn[hands] if each == 0 else cards.cue[hands] if each == 1 else 0
                elif each == 3:
                    if not deals[deal, OPEN]:
                        continue
                    place, cue, told = crowd.announced, 2 * cards.cue[hands] + deals[deal, ANNOUNCED], True
                elif each == 4:
                    if not deals[deal, OPEN] or cards.due[hands] < 0:
                        continue
                    cue = (2 * cards.turn[hands] + deals[deal, ANNOUNCED]) * PATRONS_MAX
                    cue += deals[deal, HELD_BY + cards.due[hands]]
                    place, told = crowd.drawn, True
                else:
                    if deals[deal, PASSED_HAND] < 0:
                        continue
                    who = holder(
                        backings, crowd.hand, crowd.handles, crowd.largest, amounts, lying, stakes, deals[deal, PASSED_HAND]
                    )  # fmt: skip
                    if who == SOMEBODY:
                        continue
                    place, cue, told = deals[deal, PASSED], who + 1, False
            form = under(keys, shift, first_form, place, cue)
            while form >= 0 and not (
                fits(
                    forms, pieces, letters, cards.face_of, cards.letters, form, text, start, stop, digests, line, due, no_since, dealt,
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
        if phase == DEALING:
            if kind in (HIDDEN, CARD):
                due_hand = cards.due[hands]
                hands = drawn(cards, counts, now, run.laid, dealt, held, hands, found[FACE_FOUND], shoe.most)
                if hands < 0:
                    break
                now[FACE_DOWN] += kind == HIDDEN
                if not told:
                    deal = leads
                elif kind == HIDDEN:
                    deal = deals[deal, HIDES + due_hand]
                ending = ended(cards, dealt, held, hands)
                if ending >= 0:
                    due[ENDING], winner = ending, cards.winner[ending]
            elif kind == RESULT:
                # All collections come before payments.
                settled, phase, half_told = 0, SETTLING, 0
                for pays in range(2):
                    for each in range(stakes):
                        mark = backings[lying[each, BACKING], MARK]
                        which = crowd.first_line[mark] + crowd.deciding[mark, ending]
                        if (chips.nets[which, lying[each, CHIP]] >= 0) == pays:
                            order[settled] = each
                            settled += 1
                settled = 0
            elif told and kind == TOLD:
                deal = deals[deal, TOTALS]
                if deal < 0:
                    break
            else:
                deal = leads
        elif phase == BETTING:
            if lone != (kind == LAID) or lone == (kind == CLOSE):
                break
            if lone:
                row = backings[backing]
                lying[stakes, BACKING], lying[stakes, CHIP], lying[stakes, SINCE_WHEN] = (
                    backing,
                    chip,
                    found[TIME_FOUND],
                )
                stakes += 1
                marks[row[PATRON]] |= 1 << row[MARK]
                sits[row[PATRON]], taken_by[row[POSITION]] = row[POSITION], row[PATRON] + 1
            else:
                phase = DEALING
        elif phase == SETTLING:
            if lone != (kind == CAME) or lone == (kind == ENDED):
                break
            if kind == ENDED and found[TIME_FOUND] - started > shoe.longest:
                break
            now[WAGERS] += lone
            settled += lone
        else:
            if kind != START or (shoe.each_round and now[DRAWN] > shoe.burned):
                break
            now[ROUNDS] += 1
            started, deal, hands, phase, stakes, ending = found[TIME_FOUND], 1, 0, BETTING, 0, -1
            held[:], marks[:], sits[:], taken_by[:] = 0, 0, 0, 0
        if not _posted(forms, book.postings, form, due[AMOUNT], due[NET], balances, run.unlimited, now):
            break
        now[COMMANDS] += forms[form, COMMAND]
        now[NUMBER] += 1
        now[LAST] = due[AT] = found[TIME_FOUND]
        due[SEQUENCE] += 1
        start, stopped = stop + 1, line + 1

        # A whole round.
        if kind == ENDED:
            run.endings[now[OVER]] = ending
            now[OVER] += 1
            due[ROUND] = now[ROUNDS] + 1
            phase, known, left.stakes[0] = REST, line + 1, stakes
            left.lying[:stakes] = lying[:stakes]
            before[:], counts_before[:], balances_before[:] = now, counts, balances
    now[:], counts[:], balances[:] = before, counts_before, balances_before
    return known, stopped
