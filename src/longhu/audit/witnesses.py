"""Witnesses keep signed heads where the house cannot reach them: in a file on another machine, behind a webhook, on a slip of paper."""

from __future__ import annotations

from pathlib import Path

import msgspec

from longhu.audit.record import read as read_line
from longhu.audit.signed_heads import Head, is_genuine

SECONDS = 10.0  # that a webhook may take


class WitnessError(ValueError):
    """A head that a witness could not take, or that cannot be read: what was found, and what to do."""


def to_file(head: Head, path: Path) -> None:
    """Add a head to a file of heads, one a line; it is on the disk when this returns."""
    import os

    with path.open("ab") as file:
        file.write(msgspec.json.encode(head) + b"\n")
        file.flush()
        os.fsync(file.fileno())


def to_webhook(head: Head, address: str) -> None:
    """Send a head to somebody who keeps it; anything but success is an error."""
    from urllib.error import URLError
    from urllib.request import Request, urlopen

    if not address.startswith(("https://", "http://")):
        raise WitnessError(f"{address[:80]!r} is no address of a webhook: it starts with https://")
    sent = Request(address, msgspec.json.encode(head), {"Content-Type": "application/json"}, method="POST")
    try:
        with urlopen(sent, timeout=SECONDS) as answer:
            status = answer.status
    except (URLError, OSError, ValueError) as error:
        raise WitnessError(f"{address[:80]} did not take the head: {error}. It is not anchored there.") from None
    if not 200 <= status < 300:
        raise WitnessError(f"{address[:80]} answered {status}. The head is not anchored there.")


def read(text: bytes) -> list[Head]:
    """The heads of a file; a signature that is not genuine is an error."""
    heads: list[Head] = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            head = read_line(line, Head)
        except msgspec.MsgspecError as error:
            raise WitnessError(f"line {number} is no head: {error}") from None
        if not is_genuine(head):
            raise WitnessError(f"the signature of the head in line {number} is not genuine")
        heads.append(head)
    return heads
