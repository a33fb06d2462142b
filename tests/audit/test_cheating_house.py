"""The cheating house: it may alter what it likes and mend the chain behind it, and is caught, in words that anybody understands.

Each cheat is played as far as the house can go: it has the program, the secret and the file, and nobody's copy of a head,
unless the story says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from longhu.audit import export, proof, signed_heads
from longhu.audit.report import VerificationFailed
from longhu.audit.verify import verify
from longhu.fairness.shuffle import commitment, order
from longhu.messages.localization import english
from longhu.messages.message import Message
from longhu.positions import Position
from longhu.table.authority import (
    AUTHORITIES,
    AUTHORITY,
    COSIGNER_IS_ACTOR,
    COSIGNER_NOT_STAFF,
    COSIGNER_TOO_LOW,
    COSIGNER_TWICE,
    FIRST_TABLE,
    bounds_of,
    rows_of,
)
from longhu.table.betting import BETTING_CLOSED, PlaceWager
from longhu.table.confirmation import NOTHING_TO_CONFIRM, REPORTED_IT_THEMSELVES
from longhu.table.dealing import AnnounceResult, DrawCard
from longhu.table.engine import decide
from longhu.table.messages import OTHER_RULES, POSITION_NOT_HELD
from longhu.table.opening import UNKNOWN_AUTHORITY
from longhu.table.settling import SettleRound, WagerSettled
from longhu.table.shuffling import NO_OPEN_SHUFFLE, SECRET_WRONG, RevealShuffle, ShuffleCommitted, ShuffleRevealed
from tests.audit.evening import PRIVATE, PUBLIC, Told, ordinary
from tests.audit.forging import Lines, kind_of, mended, parsed, written
from tests.audit.troubles import second_persons, undone
from tests.table.random_play import order_of
from tests.table.rounds import SECRET

OTHER_SECRET = bytes([7]) * 32


def caught(lines: Lines, says: str, **given: Any) -> None:
    """The verifier names the place, and says this."""
    with pytest.raises(VerificationFailed, match=r"^line \d+") as found:
        verify(lines, **given)
    assert says in found.value.says


def evening(**settings: Any) -> Told:
    """One shoe of Dragon Tiger with two contributions, one round, and its secret."""
    told = Told("dragon-tiger", **settings)
    told.another_shoe(ann="八", bob="luck")
    told.round(ann={"dragon": "50.00"}, bob={"tiger": "20.00"})
    told.reveal()
    return told


def place_of(lines: Lines, kind: str, which: int = -1) -> int:
    return [place for place, line in enumerate(lines) if kind_of(line) == kind][which]


def altered(lines: Lines, kind: str, change: Callable[[dict[str, Any]], object], which: int = -1) -> Lines:
    """One record with something changed in it, and the chain mended."""
    place = place_of(lines, kind, which)
    record = parsed(lines[place])
    change(record)
    return mended([*lines[:place], written(record), *lines[place + 1 :]])


# ------------------------------------------------ the shuffle


@pytest.mark.clause("RUL-6")
def test_it_chooses_the_secret_after_the_contributions() -> None:
    """The commitment is out; a better secret is found when the contributions are known, and revealed in its place."""
    told = Told("dragon-tiger")
    told.another_shoe(ann="八")
    assert told.table.shuffle is not None
    assert told.table.shuffle.mix is not None
    told.order, told.fixed = order(told.table.shuffle.mix, OTHER_SECRET), True
    told.round(ann={"dragon": "50.00"})
    reveal = told.command(RevealShuffle, "dee", secret=OTHER_SECRET.hex())
    told.tell(reveal, [ShuffleRevealed(number=2, secret=OTHER_SECRET.hex(), by="dee", at=reveal.at, clause="RUL-6")])
    caught(told.trail.proof(), english(SECRET_WRONG()))


@pytest.mark.clause("RUL-6")
def test_it_puts_another_commitment_where_the_first_stood() -> None:
    """With the other secret at the end, too: then the cards that were dealt do not fit."""
    other = commitment("T1", 2, OTHER_SECRET)
    forgery = altered(
        evening().trail.proof(), "shuffle-committed/1", lambda record: record["event"].update(commitment=other)
    )
    caught(forgery, english(SECRET_WRONG()))
    both = altered(forgery, "shuffle-revealed/1", lambda record: record["event"].update(secret=OTHER_SECRET.hex()))
    caught(both, "and the shuffle made it")


@pytest.mark.clause("RNG-6")
def test_it_swaps_two_cards_that_nobody_has_seen() -> None:
    told = Told("dragon-tiger")
    assert told.table.shuffle is not None
    cards = [*order_of(told.table.shuffle.mix)]
    other = next(place for place in range(1, 400) if cards[place] != cards[0])
    cards[0], cards[other] = cards[other], cards[0]
    told.order, told.fixed = tuple(cards), True
    told.round(ann={"dragon": "50.00"})
    told.reveal()
    caught(told.trail.proof(), f"card 1 of shoe 1 was {cards[0]}, and the shuffle made it {cards[other]}")


@pytest.mark.clause("RNG-6")
def test_it_deals_the_second_card_of_the_shoe() -> None:
    told = Told("dragon-tiger")
    assert told.table.shuffle is not None
    first, *rest = order_of(told.table.shuffle.mix)
    told.order, told.fixed = (*rest, first), True
    told.round(ann={"dragon": "50.00"})
    told.reveal()
    caught(told.trail.proof(), f"card 1 of shoe 1 was {rest[0]}, and the shuffle made it {first}")


@pytest.mark.clause("RUL-6")
def test_it_reveals_another_secret() -> None:
    forgery = altered(
        evening().trail.proof(), "shuffle-revealed/1", lambda record: record["event"].update(secret=OTHER_SECRET.hex())
    )
    caught(forgery, english(SECRET_WRONG()))


@pytest.mark.clause("RUL-6")
@pytest.mark.parametrize("which", [-2, -1], ids=["ann's", "bob's"])
def test_it_drops_a_contribution(which: int) -> None:
    """The order followed from it, so the cards do not fit any more."""
    lines = evening().trail.proof()
    place = place_of(lines, "contribution-made/1", which)
    caught(mended([*lines[:place], *lines[place + 1 :]]), "and the shuffle made it")


@pytest.mark.clause("RUL-6")
def test_it_writes_another_contribution_for_a_patron() -> None:
    def change(record: dict[str, Any]) -> None:
        record["event"]["contribution"]["value"] = "unlucky"

    caught(altered(evening().trail.proof(), "contribution-made/1", change), "and the shuffle made it")


@pytest.mark.clause("RUL-6")
def test_it_takes_a_contribution_before_it_commits() -> None:
    lines = evening().trail.proof()
    committed, made = place_of(lines, "shuffle-committed/1"), place_of(lines, "contribution-made/1")
    lines[committed], lines[made] = lines[made], lines[committed]
    caught(mended(lines), english(NO_OPEN_SHUFFLE()))


# ------------------------------------------------ money


@pytest.mark.clause("LOG-1")
def test_it_settles_one_wager_wrongly() -> None:
    lines = evening().trail.proof()
    net = parsed(lines[place_of(lines, "wager-settled/1")])["event"]["net"]
    forgery = altered(lines, "wager-settled/1", lambda record: record["event"].update(net=net - 100))
    caught(forgery, f"net is {net - 100}, and the rules make it {net}")


@pytest.mark.clause("LOG-1")
def test_it_pays_itself_at_the_table_and_goes_on_from_there() -> None:
    """Not the file is altered: the program of the house pays a winner too little, and all that follows fits."""
    told = Told("dragon-tiger", fixed=True, cards="KS 2H")
    told.open_betting()
    told.bet("ann", "dragon", "50.00")
    told.close_betting()
    told.deal()
    told.does(AnnounceResult, "dee")
    asked = told.command(SettleRound, "dee")
    decision = decide(told.table, told.game, asked)
    assert isinstance(decision, list)
    short = [replace(event, net=event.net - 500) if isinstance(event, WagerSettled) else event for event in decision]
    told.tell(asked, short)
    caught(told.trail.proof(), "net is 4500, and the rules make it 5000")


@pytest.mark.clause("LOG-1")
def test_it_moves_money_that_nobody_asked_for() -> None:
    lines = evening().trail.proof()
    bought = place_of(lines, "chips-bought/1")
    copied = parsed(lines[bought])
    copied["event"] |= {"amount": 1_000_000_00, "by": "ann", "position": "patron"}
    copied["held"] = "patron"
    caught(mended([*lines[: bought + 1], written(copied), *lines[bought + 1 :]]), "the rules do not allow it")


@pytest.mark.clause("LOG-1")
def test_it_adds_a_payment_to_a_settlement() -> None:
    lines = evening().trail.proof()
    settled = place_of(lines, "wager-settled/1")
    caught(
        mended([*lines[: settled + 1], lines[settled], *lines[settled + 1 :]]),
        "wager-settled is on record, and the rules lead to round-ended",
    )


@pytest.mark.clause("LOG-1")
def test_it_keeps_a_payment_back() -> None:
    lines = evening().trail.proof()
    settled = place_of(lines, "wager-settled/1", 0)
    with pytest.raises(VerificationFailed, match=r"the rules (make it|lead to)"):
        verify(mended([*lines[:settled], *lines[settled + 1 :]]))


# ------------------------------------------------ the log


@pytest.mark.clause("LOG-2", "LOG-8")
def test_it_cuts_the_last_records_off() -> None:
    told = evening()
    lines = told.trail.proof()
    caught(lines[:-5], "the file has no end: it was cut off, or the table was still in play when it was copied")
    caught([*lines[:-5], lines[-1]], f"{told.trail.chain.sequence} records were written, and")
    with_an_end = mended([*lines[:-2], lines[-1]])
    verify(with_an_end)  # a shorter history, and a possible one
    caught(
        with_an_end,
        f"the audit log ends with record {told.trail.chain.sequence - 1}, "
        f"and an anchor names record {told.trail.chain.sequence}",
        anchors=[told.trail.head()],
    )


@pytest.mark.clause("LOG-2")
def test_it_cuts_in_the_middle_of_what_a_command_led_to() -> None:
    lines = evening().trail.proof()
    ended = place_of(lines, "round-ended/1")
    caught(mended([*lines[:ended], lines[-1]]), "the last command must also lead to round-ended: lines are missing")


@pytest.mark.clause("LOG-2")
def test_it_drops_a_refused_command() -> None:
    """Nothing rests on a refusal: without an anchor a mended chain cannot tell, with one it does."""
    told = evening()
    told.refused(PlaceWager, "ann", place=1, wager="dragon", amount=5000)
    told.record_state()
    lines, kept = told.trail.proof(), told.trail.head()
    place = place_of(lines, "command-refused/1")
    without = [*lines[:place], *lines[place + 1 :]]
    caught(without, "some are missing or moved")
    caught(mended(without), "an anchor names record", anchors=[kept])


@pytest.mark.clause("LOG-2")
def test_it_writes_all_of_it_anew() -> None:
    """A whole evening that never was, in perfect order: the head that somebody kept does not fit."""
    honest, invented = evening(), evening(float_counted=200_000_000)
    verify(invented.trail.proof())
    caught(
        invented.trail.proof(),
        "an anchor has another digest for this record: the audit log was written anew",
        anchors=[honest.trail.head()],
    )


@pytest.mark.clause("LOG-8")
def test_it_turns_the_clock_back() -> None:
    lines = evening().trail.proof()
    before = parsed(lines[place_of(lines, "betting-closed/1") - 1])["event"]["at"]
    forgery = altered(lines, "betting-closed/1", lambda record: record["event"].update(at=before - 1))
    caught(forgery, "it is earlier than the record before")


@pytest.mark.clause("LOG-2")
def test_it_signs_a_head_with_another_key() -> None:
    told = ordinary("dragon-tiger", rounds=1)
    lines = told.trail.proof()
    place = place_of(lines, "head")
    honest = told.trail.heads[-1]
    other = signed_heads.signed(honest.table, honest.sequence, honest.digest, honest.at, bytes(32))
    caught([*lines[:place], proof.head_line(other), *lines[place + 1 :]], "a key that is not the house's")
    stolen = replace(other, key=PUBLIC)
    caught([*lines[:place], proof.head_line(stolen), *lines[place + 1 :]], "the signature of a head is not genuine")
    moved = signed_heads.signed(honest.table, honest.sequence - 1, honest.digest, honest.at, PRIVATE)
    caught([*lines[:place], proof.head_line(moved), *lines[place + 1 :]], "with another digest or table")


# ------------------------------------------------ the rules


@pytest.mark.clause("RUL-3")
def test_it_changes_the_rules_inside_the_proof() -> None:
    lines = evening().trail.proof()
    opening = parsed(lines[0])
    (digest,) = opening["games"]
    file = opening["games"][digest]
    assert 'pays = "11:1"' in file["text"]
    file["text"] = file["text"].replace('pays = "11:1"', 'pays = "8:1"', 1)
    caught([written(opening), *lines[1:]], "they were altered")


@pytest.mark.clause("RUL-3")
def test_it_brings_rules_that_were_not_in_force() -> None:
    lines = evening().trail.proof()
    other = parsed(Told("dragon-21").trail.proof()[0])
    caught([written(other), *lines[1:]], "which are not in the proof")
    both = parsed(lines[0])
    both["games"] |= other["games"]
    (digest,) = other["games"]
    forgery = altered([written(both), *lines[1:]], "wager-settled/1", lambda record: record.update(game=digest))
    caught(forgery, "it is under other rules than the command that led to it")
    forgery = altered([written(both), *lines[1:]], "betting-closed/1", lambda record: record.update(game=digest))
    caught(forgery, english(OTHER_RULES()))


@pytest.mark.clause("LOG-6")
def test_it_starts_a_part_from_another_state() -> None:
    lines = list(export.export(ordinary("dragon-tiger").trail.proof(), export.shoe(2)))
    state = parsed(lines[1])
    state["state"]["balances"]["patron:ann"] += 100
    caught([lines[0], written(state), *lines[2:]], "impossible table state: its balances do not sum to zero")
    state["state"]["balances"]["patron:bob"] -= 100
    caught([lines[0], written(state), *lines[2:]], "the state that the file starts from is not the one on record")
    place = place_of(lines, "shuffle-committed/1")
    later = mended([lines[0], lines[1], *lines[place:]])
    caught(later, "a part of an audit log starts with the state of the table on record, and this does not")
    caught(mended([lines[0], *lines[2:]]), "and without the state before it")


@pytest.mark.clause("LOG-6")
def test_it_calls_a_part_the_part_of_another_table() -> None:
    lines = list(export.export(ordinary("dragon-tiger", signs=False).trail.proof(), export.shoe(2)))
    opening = parsed(lines[0])
    opening["table"] = "T2"
    caught([written(opening), *lines[1:]], "this is the state of another table than T2")


def test_it_takes_a_wager_after_the_closing_call() -> None:
    """A friend of the house bets when the cards are known; the record is moved behind the call, or in front of it."""
    lines = evening().trail.proof()
    wager, closed = place_of(lines, "wager-placed/1"), place_of(lines, "betting-closed/1")
    late = [*lines[:wager], *lines[wager + 1 : closed + 1], lines[wager], *lines[closed + 1 :]]
    at = parsed(lines[closed])["event"]["at"]

    def later(record: dict[str, Any]) -> None:
        record["event"] |= {"at": at, "stake": record["event"]["stake"] | {"since": at}}

    caught(altered(late, "wager-placed/1", later), english(BETTING_CLOSED(round=1)))


def test_a_dealer_acts_without_holding_the_position() -> None:
    """Ann draws the cards herself, and the file says that a dealer did."""

    def change(record: dict[str, Any]) -> None:
        record["event"]["by"] = "ann"

    forgery = altered(evening().trail.proof(), "card-drawn/1", change)
    caught(forgery, english(POSITION_NOT_HELD(person="ann", position="dealer")))

    def held(record: dict[str, Any]) -> None:
        record["held"] = Position.CASINO_OPERATOR.value

    caught(
        altered(evening().trail.proof(), "card-drawn/1", held),
        "dee is said to hold the position of casino operator here, and holds the position of dealer",
    )


@pytest.mark.clause("SEC-1")
@pytest.mark.parametrize(
    ("signed", "found"),
    [
        (["dee"], COSIGNER_IS_ACTOR(person="dee")),
        (["ann"], COSIGNER_NOT_STAFF(person="ann")),
        (["nobody"], COSIGNER_NOT_STAFF(person="nobody")),
        (["sue", "sue"], COSIGNER_TWICE(person="sue")),
        (["rex"], COSIGNER_TOO_LOW(person="rex", position="dealer", needed="pit-supervisor")),
        (["kit"], COSIGNER_TOO_LOW(person="kit", position="cage", needed="pit-supervisor")),
    ],
)
def test_somebody_else_signs_with_the_dealer(signed: list[str], found: Message) -> None:
    """The name of the second person is replaced wherever it stands: by the dealer's own, a patron's, nobody's, one that is too low."""

    def change(record: dict[str, Any]) -> None:
        for each in ("event", "asked"):
            record[each]["cosigned_by"] = signed

    caught(altered(second_persons().trail.proof(), "act-cosigned/1", change), english(found))


@pytest.mark.clause("SEC-1")
def test_another_who_might_have_signed_is_seen_by_whoever_kept_a_head() -> None:
    """Who signed is the house's word: the rules ask only that this person may."""
    told = second_persons()

    def change(record: dict[str, Any]) -> None:
        for each in ("event", "asked"):
            record[each]["cosigned_by"] = ["pam"]

    forgery = altered(told.trail.proof(), "act-cosigned/1", change)
    verify(forgery)
    with pytest.raises(VerificationFailed, match="anchor"):
        verify(forgery, anchors=[told.trail.head()])


@pytest.mark.clause("SEC-1")
def test_the_second_signature_is_taken_out() -> None:
    lines = second_persons().trail.proof()
    place = place_of(lines, "act-cosigned/1")

    def unsigned(record: dict[str, Any]) -> None:
        record["event"]["cosigned_by"] = record["asked"]["cosigned_by"] = []

    says = "is on record, and the rules lead to confirmation-awaited"
    caught(altered(lines, "act-cosigned/1", unsigned), f"act-cosigned {says}")
    asked = parsed(lines[place])["asked"]
    found = {**parsed(lines[place + 1]), "asked": {**asked, "cosigned_by": []}}
    caught(mended([*lines[:place], written(found), *lines[place + 2 :]]), f"off-limits-wager-found {says}")
    kept = {**found, "asked": asked}
    alone = mended([*lines[:place], written(kept), *lines[place + 2 :]])
    caught(alone, "off-limits-wager-found is on record, and the rules lead to act-cosigned")


@pytest.fixture
def second_version(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Another table of authority: what a supervisor confirms in the first, a pit manager does."""
    stricter = tuple(
        row._replace(second=Position.PIT_MANAGER) if row.second is Position.PIT_SUPERVISOR else row
        for row in FIRST_TABLE
    )
    monkeypatch.setitem(AUTHORITIES, AUTHORITY + 1, stricter)
    yield AUTHORITY + 1
    for each in (rows_of, bounds_of):
        each.cache_clear()


@pytest.mark.clause("SEC-1", "RUL-3")
def test_a_log_is_judged_by_the_table_of_authority_that_it_names(second_version: int) -> None:
    lines = second_persons().trail.proof()
    found = verify(lines)  # by the first, although there is a second by now
    assert (found.second_persons, found.authorities) == (1, [AUTHORITY])

    def named(version: int | None) -> Lines:
        def change(record: dict[str, Any]) -> None:
            for each in ("event", "asked"):
                if each in record and "authority" in record[each]:
                    record[each]["authority"] = version
                    if version is None:
                        del record[each]["authority"]

        return altered(lines, "table-opened/1", change)

    caught(
        named(second_version), 'awaited is {"number":1,"name":"report-power-failure"'
    )  # it would have waited for a pit manager
    caught(named(second_version + 1), english(UNKNOWN_AUTHORITY(version=second_version + 1)))
    caught(named(0), english(UNKNOWN_AUTHORITY(version=0)))
    caught(named(None), "it is not written as a record is written")


@pytest.mark.clause("SEC-1")
@pytest.mark.parametrize(
    ("by", "position", "found"),
    [
        ("dee", "dealer", REPORTED_IT_THEMSELVES(person="dee")),
        ("ann", "pit-supervisor", POSITION_NOT_HELD(person="ann", position="pit-supervisor")),
        ("nobody", "pit-supervisor", POSITION_NOT_HELD(person="nobody", position="pit-supervisor")),
    ],
)
def test_somebody_else_confirms_the_report(by: str, position: str, found: Message) -> None:
    def change(record: dict[str, Any]) -> None:
        record["held"] = position
        for each in ("event", "asked"):
            record[each] |= {"by": by, "position": position}

    caught(altered(undone().trail.proof(), "report-confirmed/1", change), english(found))


@pytest.mark.clause("SEC-1")
def test_nobody_confirms_the_report() -> None:
    """What follows from it stands there alone, or as if the dealer had asked for it."""
    lines = undone().trail.proof()
    place, waits = place_of(lines, "report-confirmed/1"), place_of(lines, "confirmation-awaited/1")
    caught(mended([*lines[:place], *lines[place + 1 :]]), "the command that led to irregularity-found is missing")
    found = {**parsed(lines[place + 1]), "asked": parsed(lines[waits])["asked"]}
    alone = mended([*lines[:waits], written(found), *lines[place + 2 :]])
    caught(alone, "irregularity-found is on record, and the rules lead to confirmation-awaited")
    caught(mended([*lines[:waits], *lines[waits + 1 :]]), english(NOTHING_TO_CONFIRM(number=1)))


def test_a_hidden_card_lacks_its_salt() -> None:
    """Without it, whoever has the digest could try all faces."""
    told = Told("immortal-dragon-tiger")
    told.open_betting()
    told.bet("ann", "player", "50.00")
    told.close_betting()
    told.does(DrawCard, "dee")
    lines = told.trail.proof()
    says = "an event that hides a card has a salt of 32 digits, and no other has one"
    caught(altered(lines, "card-drawn/1", lambda record: record.pop("salt")), says)
    caught(altered(lines, "card-drawn/1", lambda record: record.update(salt="0")), says)
    caught(altered(lines, "card-drawn/1", lambda record: record.update(salt="no digits, and as long as it")), says)
    caught(altered(lines, "betting-closed/1", lambda record: record.update(salt="0" * 32)), says)


def test_a_command_is_kept_beside_an_event_that_says_it_already() -> None:
    """There is one way to write a record; a second would be room for a message."""
    lines = evening().trail.proof()
    closed = parsed(lines[place_of(lines, "betting-closed/1")])["event"]
    command = {
        "command": "call-no-more-bets/1",
        "by": closed["by"],
        "at": closed["at"],
        "position": closed["position"],
        "cosigned_by": [],
    }
    caught(
        altered(lines, "betting-closed/1", lambda record: record.update(asked=command)),
        "it keeps a command that need not be kept",
    )


def test_the_committed_secret_is_what_the_tests_say() -> None:
    """Cheats with another secret mean something only if that one is another."""
    told = Told("dragon-tiger")
    assert told.last(ShuffleCommitted).commitment == commitment("T1", 1, SECRET) != commitment("T1", 1, OTHER_SECRET)
