"""docs/audit-log.md is true: its example is checked from the text, and its tables name what there is."""

from __future__ import annotations

import hashlib
import json
import re
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from longhu.audit import proof, signed_heads
from longhu.audit.record import INFERRED, Record, decode, digest, encode, hides
from longhu.audit.signed_heads import Head
from longhu.eventsourcing import Event
from longhu.positions import Position
from longhu.table.betting import CapArea
from longhu.table.checkpoint import StateRecorded
from longhu.table.messages import TABLE
from tests.audit.evening import PRIVATE, Told

DOCUMENT = (Path(__file__).parents[2] / "docs/audit-log.md").read_text(encoding="utf-8")
EXAMPLE = DOCUMENT.partition("## An example")[2]
FOUR, CARD, HEAD = (block.splitlines() for block in re.findall(r"```json\n(.*?)\n```", EXAMPLE, re.DOTALL))


def tables() -> list[list[list[str]]]:
    """The rows of every table, without their heads."""
    blocks = re.findall(r"(?:^\|.*\n)+", DOCUMENT, re.MULTILINE)
    return [
        [[cell.strip() for cell in row.strip("|\n").split("|")] for row in each.splitlines()[2:]] for each in blocks
    ]


@pytest.mark.clause("LOG-2")
def test_the_records_of_the_example_follow_from_each_other() -> None:
    lines = [line.encode() for line in FOUR]
    told = dict(re.findall(r"^\| (\d+) \| `([0-9a-f]{64})` \|$", EXAMPLE, re.MULTILINE))
    assert {str(decode(line).sequence): digest(line) for line in lines} == told
    for before, line in pairwise(lines):
        assert decode(line).previous == hashlib.sha256(before).hexdigest()


def test_every_record_of_the_example_is_written_as_records_are() -> None:
    for line in (*FOUR, *CARD):
        assert encode(decode(line.encode())).decode() == line


def test_the_trail_of_the_example_begins_with_its_table() -> None:
    assert f"    {hashlib.sha256(b'longhu-trail/1 T1').hexdigest()}\n" in EXAMPLE
    assert len(b"longhu-trail/1 T1") == 17
    assert decode(next(proof.records(Told("dragon-tiger").trail.proof()))).previous in EXAMPLE


def test_the_card_of_the_example_is_hidden_by_a_salt() -> None:
    (line,) = CARD
    assert hides(decode(line.encode()).event)
    assert len(decode(line.encode()).salt) == 32
    assert f"Its digest: `{digest(line.encode())}`" in EXAMPLE


@pytest.mark.clause("LOG-2")
def test_the_head_of_the_example_is_signed_as_the_page_says() -> None:
    head = msgspec.json.decode(HEAD[0], type=proof.HeadLine).head
    assert signed_heads.is_genuine(head)
    assert (head.digest, head.key) == (digest(CARD[0].encode()), signed_heads.public_key(PRIVATE))
    parts = ["longhu-head/1", head.table, str(head.sequence), head.digest, str(head.at), head.key]
    said = b"".join(len(part).to_bytes(4, "big") + part.encode() for part in parts)
    (shown,) = re.findall(r"```\n([0-9a-f\n]+)\n```", EXAMPLE)
    assert bytes.fromhex(shown.replace("\n", "")) == said
    assert f"What was signed, {len(said)} bytes" in EXAMPLE


@pytest.mark.parametrize("kind", [Record, Event, proof.Opening, Head], ids=lambda kind: kind.__name__)
def test_the_tables_name_every_field_in_its_order(kind: type[msgspec.Struct]) -> None:
    fields = [f"`{name}`" for name in kind.__struct_fields__]
    fields = ["`event`", *fields] if kind is Event else fields
    assert fields in [[row[0] for row in table] for table in tables()]


def test_the_page_says_which_commands_an_event_implies() -> None:
    (rows,) = (table for table in tables() if table[0][0] == "`round-started/1`")
    assert {row[0].strip("`") for row in rows} == {str(each.__struct_config__.tag) for each in INFERRED}
    assert {row[1].strip("`") for row in rows} <= {str(each.__struct_config__.tag) for each in TABLE.deciders}


@pytest.mark.parametrize("text", ['"\\\b\f\n\r\t', "\x00\x01\x1f\x7f", "/é陳\u2028🀄"])
def test_texts_are_written_as_the_page_says(text: str) -> None:
    short = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    said = "".join(short.get(each) or (f"\\u{ord(each):04x}" if each < " " else each) for each in text)
    assert msgspec.json.encode(text).decode() == f'"{said}"'


@pytest.mark.clause("LOG-6")
def test_the_state_on_record_has_the_digest_that_the_page_describes() -> None:
    """With areas of the layout that are capped."""
    told = Told("immortal-dragon-tiger")
    for place in (2, 1, 3):
        told.does(CapArea, "pam", place=place, wager="tie", most=2)
    told.round(ann={"player": "50.00"})
    state = json.loads(proof.state_line(told.table))["state"]
    told.record_state()
    said = json.dumps(state, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    assert told.last(StateRecorded).digest == hashlib.sha256(said.encode()).hexdigest()


def test_the_page_names_every_position() -> None:
    for position in Position:
        assert f"`{position.value}`" in DOCUMENT


def test_the_page_names_every_line_of_a_proof() -> None:
    for start in (b'{"proof":', proof.STATE, proof.RECORD, proof.HEAD, proof.END):
        assert f"`{start.decode()}…`" in DOCUMENT
    assert proof.FORMAT in DOCUMENT
    assert signed_heads.PROTOCOL.decode() in DOCUMENT
