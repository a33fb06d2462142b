"""A file read page by page is judged as its lines are, and compiled digests are those of `hashlib`."""

from __future__ import annotations

import random
from collections.abc import Callable
from hashlib import sha256
from io import BytesIO
from typing import Any

import numpy as np
import pytest

from longhu.audit import pages, verify
from longhu.audit.findings import Wrong
from longhu.audit.kernels.digests import digest_by_lanes, digest_lines, line_ends
from longhu.audit.proof import ProofError
from longhu.audit.shortcut.sheets import Sheet
from longhu.audit.verify import Verifier
from tests.audit.late import rounds_of
from tests.audit.test_shortcut import GAMES, evening

SIZES = (700, 5000, 1 << 21)  # of a page: less than a line, some rounds, all


@pytest.fixture
def _long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file is a long one."""
    monkeypatch.setattr(verify, "LONG", 0)
    monkeypatch.setattr(verify, "LEAST", 1)


def verdict(text: bytes) -> Any:
    verifier = Verifier()
    try:
        verifier.file(BytesIO(text))
        return verifier.finish()
    except Wrong as found:
        return found.line, found.says


@pytest.mark.usefixtures("_long")
@pytest.mark.parametrize("id", GAMES)
def test_a_file_is_judged_as_its_lines_are(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = evening(id, 60)
    checked = verify.verify(lines, shortcuts=False)
    for size in SIZES:
        monkeypatch.setattr(pages, "PAGE", size)
        assert verdict(b"".join(lines)) == checked


@pytest.mark.usefixtures("_long")
@pytest.mark.parametrize("size", SIZES)
def test_what_is_wrong_is_found_at_its_line(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "PAGE", size)
    lines = list(evening("dragon-bonus", 60))
    place = rounds_of(tuple(lines))[-4][0] + 3
    for altered in (
        lines[place].replace(b'"at":1', b'"at":2', 1),
        b"\n",
        b"x\r\n",
        lines[place][:-1],
        lines[place - 1],
    ):
        line, _ = verdict(b"".join([*lines[:place], altered, *lines[place + 1 :]]))
        assert line in (place + 1, place + 2), altered[:40]


@pytest.mark.usefixtures("_long")
def test_the_last_line_may_lack_its_end() -> None:
    text = b"".join(evening("dragon-tiger", 60))
    assert verdict(text[:-1]) == verdict(text)
    line, says = verdict(text[:-40])
    assert line == text.count(b"\n")
    assert "end" in says


def test_an_empty_file_is_no_proof() -> None:
    with pytest.raises(ProofError):
        verdict(b"")


def test_whoever_watches_is_told_of_every_byte() -> None:
    text, taken = b"".join(evening("dragon-tiger", 60)), list[int]()
    Verifier().file(BytesIO(text), taken.append)
    assert sum(taken) == len(text)


# ------------------------------------------------ compiled


def digests(lines: list[bytes], digest: Callable[..., None] = digest_lines) -> bytes:
    sheet, found = Sheet(b"".join(line + b"\n" for line in lines)), np.zeros(64 * len(lines), np.uint8)
    assert list(sheet) == [line + b"\n" for line in lines]
    digest(sheet.letters, sheet.ends, found)
    return bytes(found)


@pytest.mark.parametrize("digest", [digest_lines, digest_by_lanes])
def test_compiled_digests_are_those_of_hashlib(digest: Callable[..., None]) -> None:
    """With the machine's own instructions, where it has them, and without."""
    chance = random.Random(7)
    lines = [b"x" * size for size in range(300)]  # every way to fill the last block
    lines += [chance.randbytes(chance.randrange(1000)).replace(b"\n", b"") for _ in range(200)]
    for some in (lines, lines[:1], lines[:7], lines[:8], lines[:9], lines[::-1]):
        assert digests(some, digest) == b"".join(sha256(line).hexdigest().encode() for line in some)


def test_a_line_of_a_million_bytes_has_its_digest() -> None:
    lines = [b"", b"a" * 1_000_000, b"abc"]
    found = digests(lines)
    assert found[64:128] == b"cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"  # FIPS 180-4, example
    assert found[128:] == b"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_line_feeds_are_found_wherever_they_are() -> None:
    for size in range(200):
        letters = random.Random(size).choices(b"ab\n\r", k=size)
        assert line_ends(np.array(letters, np.uint8)).tolist() == [at for at, each in enumerate(letters) if each == 10]


def test_digests_are_made_for_the_lines_that_are_given() -> None:
    text = np.frombuffer(b"abc\nabc\n", np.uint8)
    found = np.zeros(64, np.uint8)
    digest_lines(text, np.array([3]), found)
    assert bytes(found).decode() == sha256(b"abc").hexdigest()
