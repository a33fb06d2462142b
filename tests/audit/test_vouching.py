"""What a signature and an anchor vouch for, and what is said of the rest; states that no table can have."""

from __future__ import annotations

import json

import pytest

from longhu.audit import export, proof
from longhu.audit.record import read
from longhu.audit.report import VerificationFailed
from longhu.audit.verify import verify
from tests.audit.evening import PUBLIC, Told, ordinary


def test_records_behind_the_last_head_are_named() -> None:
    told = ordinary("dragon-tiger")
    assert not verify(told.trail.proof(), key=PUBLIC).remarks
    unsigned = Told("dragon-tiger", signs=True)
    unsigned.round(ann={"dragon": "50.00"})
    unsigned.trail.sign()
    unsigned.round(ann={"dragon": "50.00"})
    checked = verify(unsigned.trail.proof())
    assert checked.heads == 1
    assert any(f"records {checked.signed_to + 1:,} to " in remark for remark in checked.remarks)
    assert verify(unsigned.trail.proof(), anchors=unsigned.trail.heads).anchors == 1


def test_whoever_knows_the_key_expects_a_signature() -> None:
    told = Told("dragon-tiger")
    told.round(ann={"dragon": "50.00"})
    with pytest.raises(VerificationFailed, match="key"):
        verify(told.trail.proof(), key=PUBLIC)


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
