"""The table of mutations: every field of every kind of record altered, every kind of record left out, repeated, moved, forged.

It is made from evenings that reach every kind of event. Twice: once as somebody alters a file, and once as a forger does
who mends the chain behind it. The first is always caught. The second is caught by the rules, but for what the rules leave
open; that is listed here, with the reason, and whoever has kept a head sees it all the same.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest
from msgspec import MsgspecError

from longhu.audit import export, proof
from longhu.audit.record import decode
from longhu.audit.report import VerificationFailed
from longhu.audit.signed_heads import Head
from longhu.audit.verify import Verifier, verify
from longhu.table.messages import TABLE
from tests.audit.evening import READ, Trail, ordinary, scenarios
from tests.audit.forging import Lines, field_mutations, kind_of, mended, parsed, words, written
from tests.audit.troubles import TROUBLES

KINDS = {str(each.__struct_config__.tag) for each in TABLE.evolvers}
NEVER_REACHED: set[str] = set()  # kinds of events that no evening here has
SAID_BEFORE = (
    "act-cosigned/1",
    "confirmation-awaited/1",
    "first-hand-chosen/1",
)  # which stand before what several commands lead to
OF_NO_DOCUMENT = "OPS-0"  # a standard of the house
DETAIL = "a text, or a detail of what was asked, on which no decision rests here"
ANCHOR_ONLY = (  # why, which field, of which kinds
    (
        "a time, as long as nothing is earlier than what came before it",
        "event.at",
        """betting-closed/1 card-drawn/1 card-squeezed/1 cards-revealed/1 cards-verified/1 chips-bought/1
        contribution-made/1 result-announced/1 round-started/1 shoe-ended/1 shuffle-committed/1 shuffle-revealed/1
        state-recorded/1 totals-announced/1""",
    ),
    (
        "which clause a refusal cites, and what the house's own standards are called: a later version may cite others",
        "event.clause",
        """act-cosigned/1 announcement-contradicted/1 cards-cut/1 cards-shuffled/1 chip-request-moved/1
        chips-bought/1 chips-cashed/1 command-refused/1 confirmation-awaited/1 contribution-made/1
        cut-declined/1 cut-made/1 cutting-card-shown/1 dealer-changed/1 hand-dealing-decided/1 patron-joined/1
        patron-left/1 payment-corrected/1 report-confirmed/1 report-rejected/1 result-announced/1 seat-taken/1
        shoe-ended/1 shoe-loaded/1 shuffle-committed/1 shuffle-revealed/1 source-believed/1 source-connected/1
        source-fault-found/1 source-heard/1 source-lost/1 staff-assigned/1 state-recorded/1 table-closed/1
        table-opened/1 table-resumed/1 table-stopped/1 table-suspended/1 unread-card-entered/1 wager-confirmed/1""",
    ),
    (DETAIL, "event.why", "shoe-ended/1"),
    (DETAIL, "event.defect", "table-stopped/1"),
    (DETAIL, "event.step", "card-squeezed/1"),
    (DETAIL, "asked.place asked.wager asked.amount asked.patron asked.cash asked.requested", "command-refused/1"),
    (DETAIL, "asked.round", "act-cosigned/1:report-off-limits-wager/1"),
    (DETAIL, "asked.recoverable", "act-cosigned/1:report-irregularity/1"),
    (DETAIL, "asked.patrons", "in-person-order-lifted/1"),
    (DETAIL, "asked.patron", "dispute-raised/1 returned-wager-changed/1 wager-spoken/1 withdrawal-offer-answered/1"),
    (DETAIL, "asked.person", "statement-added/1"),
    (DETAIL, "asked.card", "act-cosigned/1:make-ruling/1"),
    ("the hand that opens first, named although it is the one that would", "asked", "first-hand-chosen/1:pass-hands/1"),
    (DETAIL, "asked.confirms_rounding", "settings-changed/1 table-opened/1"),
    (DETAIL, "asked.position asked.cosigned_by", "table-stopped/1"),
    ("chance bits that hide a card: any others would hide it as well", "salt", "cards-set-aside/1 source-heard/1"),
    (
        "a command that later records do not rest on: a history without it is a possible history, too",
        "line-dropped",
        """source-believed/1 source-lost/1 announcement-contradicted/1 area-capped/1 card-squeezed/1 command-refused/1 late-chips-returned/1
        maximum-granted/1 nominee-ended/1 in-person-order-lifted/1 patron-left/1 seat-taken/1 settings-changed/1 shoe-ended/1
        staff-assigned/1 state-recorded/1 statement-added/1 table-closed/1""",
    ),
    (
        "something that may be done twice",
        "line-repeated",
        """source-connected/1 announcement-contradicted/1 area-capped/1 cards-verified/1 command-refused/1 first-hand-chosen/1:choose-first-hand/1 late-chips-returned/1
        search-attended/1 maximum-granted/1 nominee-end-confirmed/1 nominee-named/1 in-person-ordered/1
        returned-wager-changed/1 seat-taken/1 squeeze-granted/1 staff-assigned/1 state-recorded/1 statement-added/1 wager-confirmed/1""",
    ),
)
LISTED = {(kind, field) for _, fields, kinds in ANCHOR_ONLY for field in fields.split() for kind in kinds.split()}
NOT_IN_THE_CHAIN = {  # of the lines around the records
    ("proof", "program"): "which version wrote the file: a label",
    ("head", "line-dropped"): "a signature less; the records stand as they did",
    ("head", "line-repeated"): "the same signature twice",
}


# ------------------------------------------------ evenings, and one record of each kind


class Evening(NamedTuple):
    name: str
    lines: Lines
    head: Head


def small(id: str) -> Trail:
    return ordinary(id, rounds=1, signs=False).trail


@cache
def evenings() -> dict[str, Evening]:
    """The short ones first that end with a revealed shoe and a closed table: there, most depends on what came before."""
    trails = [
        *((id, small(id)) for id in ("dragon-tiger", "immortal-dragon-tiger")),
        *((trouble.__name__, trouble().trail) for trouble in TROUBLES),
        *((name, trail) for name, trail in scenarios() if name not in REVEALED_OTHERWISE),
    ]
    return {name: Evening(name, trail.proof(), trail.head()) for name, trail in trails}


REVEALED_OTHERWISE = ("order 11",)  # its shoe is told by the page, and not by the secret that it reveals


@cache
def representatives() -> dict[str, list[int]]:
    """The lines that stand for their sort, by evening."""
    seen: set[str] = set()
    chosen: dict[str, list[int]] = {}
    for evening in evenings().values():
        for place, line in enumerate(evening.lines):
            if line.startswith(proof.RECORD) and sort_of(line) not in seen:
                seen.add(sort_of(line))
                chosen.setdefault(evening.name, []).append(place)
    return chosen


def sort_of(line: bytes) -> str:
    """The kind of a record; with the command behind it, where one kind keeps many commands."""
    kind = kind_of(line)
    return f"{kind}:{parsed(line)['asked']['command']}" if kind in SAID_BEFORE and b'"asked":' in line else kind


def kind_in(sort: str) -> str:
    return sort.partition(":")[0]


def forked(verifier: Verifier) -> Verifier:
    """A verifier that has seen the same lines; games are shared."""
    shared = {id(each): each for game in READ.values() for each in (game, *vars(game).values())}
    return copy.deepcopy(verifier, shared)


def wrong(verifier: Verifier, rest: Lines) -> str:
    """The first thing that is wrong with the rest of a proof, "" for nothing."""
    verifier = forked(verifier)
    try:
        for line in rest:
            verifier.line(line)
        verifier.finish()
    except VerificationFailed as found:
        return str(found)
    return ""


class Mutation(NamedTuple):
    kind: str
    field: str
    how: str
    rest: Lines  # of the proof, from the mutated line on


def mutations(lines: Lines, place: int, others: dict[str, list[str]]) -> Iterator[Mutation]:
    """What can be done to one line."""
    line, rest = lines[place], lines[place + 1 :]
    kind = sort_of(line)
    for field, how, value in field_mutations(parsed(line), others):
        if how != "emptied" or is_record(written(value)):  # where there may be nothing
            yield Mutation(kind, field, how, [written(value), *rest])
    if line.startswith(proof.RECORD):
        record = parsed(line)
        record["event"]["clause"] = OF_NO_DOCUMENT
        yield Mutation(kind, "event.clause", "a standard", [written(record), *rest])
    yield Mutation(kind, "line-dropped", "", rest)
    yield Mutation(kind, "line-repeated", "", [line, line, *rest])
    if rest:
        yield Mutation(kind, "line-swapped", "", [rest[0], line, *rest[1:]])
    if line.startswith(proof.RECORD):
        yield Mutation(kind, "line-forged", "", [forged(line), *rest])


def is_record(line: bytes) -> bool:
    try:
        decode(line)
    except MsgspecError:
        return False
    return True


def forged(line: bytes) -> bytes:
    """In the place of a record, a payment that nobody has earned."""
    record = parsed(line)
    payment = parsed(unearned())["event"]
    payment |= {"by": record["event"]["by"], "at": record["event"]["at"], "net": payment["net"] + 100_00}
    return written(
        {**{name: record[name] for name in ("sequence", "previous", "game")}, "event": payment, "held": "dealer"}
    )


@cache
def unearned() -> bytes:
    return next(line for line in evenings()["dragon-tiger"].lines if b'"wager-settled/1"' in line)


# ------------------------------------------------ the table

PARTS = ("dragon-tiger", "immortal-dragon-tiger", *(trouble.__name__ for trouble in TROUBLES), "the pages")


def part(name: str) -> list[Evening]:
    """The evenings that one test looks at."""
    return [
        evenings()[each] for each in representatives() if each == name or (each not in PARTS and name not in evenings())
    ]


@pytest.mark.clause("LOG-1", "LOG-2")
def test_every_kind_of_event_is_in_the_table() -> None:
    found = {sort_of(evenings()[name].lines[place]) for name, places in representatives().items() for place in places}
    assert {kind_in(sort) for sort in found} == KINDS - NEVER_REACHED
    assert {sort for sort, _ in LISTED} <= found | KINDS


@pytest.mark.clause("LOG-2")
@pytest.mark.parametrize("name", PARTS)
def test_no_altered_record_survives(name: str) -> None:
    tried: set[tuple[str, str]] = set()
    for verifier, _, mutation in (each for evening in part(name) for each in mutated(evening)):
        if (mutation.kind, mutation.field) not in tried:  # one way is enough: the bytes are others
            tried.add((mutation.kind, mutation.field))
            assert wrong(verifier, mutation.rest), mutation[:3]
    assert len(tried) > 10


@pytest.mark.clause("LOG-2")
@pytest.mark.parametrize("name", PARTS)
def test_what_the_rules_leave_open_to_a_forger_who_mends_the_chain_is_seen_by_whoever_kept_a_head(name: str) -> None:
    survivors, sorts = set[tuple[str, str]](), set[str]()
    for evening in part(name):
        sorts |= {sort_of(evening.lines[place]) for place in representatives()[evening.name]}
        for verifier, place, mutation in mutated(evening):
            forgery = mended([*evening.lines[:place], *mutation.rest])
            if forgery == evening.lines or wrong(verifier, forgery[place:]):
                continue
            survivors.add((mutation.kind, mutation.field))
            with pytest.raises(VerificationFailed, match="anchor"):
                verify(forgery, anchors=[evening.head])
    assert survivors == {(sort, field) for sort in sorts for kind, field in LISTED if kind in (sort, kind_in(sort))}


def mutated(evening: Evening) -> Iterator[tuple[Verifier, int, Mutation]]:
    """Each mutation of each line that stands for its kind, with a verifier that has seen what comes before."""
    verifier, others = Verifier(), words(evening.lines)
    for place, line in enumerate(evening.lines):
        if place in representatives()[evening.name]:
            for mutation in mutations(evening.lines, place, others):
                yield verifier, place, mutation
        verifier.line(line)


# ------------------------------------------------ the lines around the records


@pytest.mark.clause("LOG-2", "LOG-6")
@pytest.mark.parametrize("of", ["the whole table", "shoe 2"])
def test_the_lines_around_the_records_are_altered_in_vain(of: str) -> None:
    whole = ordinary("dragon-tiger", rounds=1).trail.proof()
    lines = whole if of != "shoe 2" else list(export.export(whole, export.shoe(2)))
    verify(lines)
    kinds = {"shoe 2": {"proof", "state", "end"}}.get(of, {"proof", "head", "end"})
    survivors: set[tuple[str, str]] = set()
    for place, line in enumerate(lines):
        if kind_of(line) in kinds:
            for mutation in mutations(lines, place, {}):
                try:
                    verify([*lines[:place], *mutation.rest])
                except VerificationFailed:
                    continue
                survivors.add((mutation.kind, mutation.field))
    assert survivors == {each for each in NOT_IN_THE_CHAIN if each[0] in kinds}
