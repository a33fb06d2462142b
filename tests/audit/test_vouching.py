"""What a signature and an anchor vouch for, what the report says was not checked, and states that no table can have."""

from __future__ import annotations

import json
from collections.abc import Iterable

import pytest

from longhu.audit import export, proof
from longhu.audit.record import read
from longhu.audit.report import VerificationFailed
from longhu.audit.verify import verify
from tests.audit.evening import PUBLIC, Told, ordinary


def test_records_behind_the_last_head_are_named() -> None:
    told = ordinary("dragon-tiger")
    checked = verify(told.trail.proof(), key=PUBLIC)
    assert (checked.remarks, checked.not_checked) == ([], [])
    unsigned = Told("dragon-tiger", signs=True)
    unsigned.round(ann={"dragon": "50.00"})
    unsigned.trail.sign()
    unsigned.round(ann={"dragon": "50.00"})
    checked = verify(unsigned.trail.proof())
    assert checked.heads == 1
    assert any(f"records {checked.signed_to + 1:,} to " in each for each in checked.not_checked)
    assert verify(unsigned.trail.proof(), anchors=unsigned.trail.heads).anchors == 1


def test_whoever_knows_the_key_expects_a_signature() -> None:
    told = Told("dragon-tiger")
    told.round(ann={"dragon": "50.00"})
    with pytest.raises(VerificationFailed, match="key"):
        verify(told.trail.proof(), key=PUBLIC)


def not_checked(lines: Iterable[bytes]) -> str:
    return "\n".join(verify(lines, key=PUBLIC).not_checked)


def test_a_shoe_that_is_not_revealed_is_not_checked() -> None:
    told = Told("dragon-tiger", signs=True)
    told.round(ann={"dragon": "50.00"})
    told.trail.sign()
    assert not_checked(told.trail.proof()) == (
        "the cards of shoe 1 (2 so far) against its shuffle: it is not revealed yet"
    )
    told.reveal()
    told.trail.sign()
    assert not_checked(told.trail.proof()) == ""


@pytest.mark.clause("LOG-2")
def test_cards_of_a_physical_shoe_are_the_word_of_the_dealer() -> None:
    told = Told("dragon-tiger", signs=True, device="hand-shoe")
    for faces in (("KS", "2H"), ("9D", "4C")):
        told.open_betting()
        told.bet("ann", "dragon", "50.00")
        told.close_betting()
        told.draw(*faces)
        told.finish()
    told.trail.sign()
    assert verify(told.trail.proof()).sources == {"dealer": 4}
    assert not_checked(told.trail.proof()) == (
        "the order of 4 cards that came from no electronic shoe: it is what the dealer entered"
    )


def test_what_came_before_a_part_is_not_checked() -> None:
    lines = ordinary("dragon-tiger").trail.proof()
    part = list(export.export(lines, export.shoe(2)))
    first = json.loads(part[2])["sequence"]
    assert (
        f"what came before record {first}: the file starts from the state on record there" in verify(part).not_checked
    )


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        (("shoe", "counts", 0), 10**9, "the shoe does not hold cards of"),
        (("settings", "decks"), 10**9, "decks"),
        (("people", "ann", "seat"), -3, "seats"),
        (("balances", "patron:ann"), -5, "sum to zero"),
        (("shoe", "drawn"), 10**6, "cards have left its shoe"),
    ],
    ids=str,
)
def test_a_state_that_no_table_can_have_is_refused_before_anything_is_made_of_it(
    path: tuple[str | int, ...], value: int, says: str
) -> None:
    told = ordinary("dragon-tiger", signs=False)
    lines = list(export.export(told.trail.proof(), export.shoe(2)))
    state = json.loads(lines[1])
    place = state["state"]
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    table = read(json.dumps(state).encode(), proof.StartingState).state
    with pytest.raises(VerificationFailed, match=says):
        verify([lines[0], proof.state_line(table), *lines[2:]])
