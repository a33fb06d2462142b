"""Signed heads: the last record of an audit log at a moment, signed with the house's key.

Witnesses keep heads where the house cannot reach them: in a file on another machine, behind a webhook, on a slip of paper. A head
shows when later records were cut off, and when the log was written anew. Ed25519; a key is 32 bytes, written in hexadecimal.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from longhu.audit.record import read

if TYPE_CHECKING:
    from datetime import datetime

    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

PROTOCOL = b"longhu-head/1"


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last record of an audit log, signed by the house."""

    table: str
    sequence: int
    digest: str
    at: int  # milliseconds, UTC, when it was signed
    key: str  # the public key
    signature: str = ""


def signed(table: str, sequence: int, digest: str, at: int, private_key: bytes) -> Head:
    """A head with the signature of this key."""
    key = _private(private_key)
    head = Head(table, sequence, digest, at, key.public_key().public_bytes_raw().hex())
    return msgspec.structs.replace(head, signature=key.sign(_said(head)).hex())


def is_genuine(head: Head) -> bool:
    """Does the signature fit the key that the head names?"""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(head.key))
        key.verify(bytes.fromhex(head.signature), _said(head))
    except (ValueError, InvalidSignature):
        return False
    return True


def public_key(private_key: bytes) -> str:
    return _private(private_key).public_key().public_bytes_raw().hex()


def slip(head: Head) -> str:
    """A head for paper: short lines, digits in groups that people can compare."""
    groups = [head.digest[place : place + 4] for place in range(0, len(head.digest), 4)]
    rows = [" ".join(groups[place : place + 4]) for place in range(0, len(groups), 4)]
    return "\n".join(
        [f"Table {head.table}, record {head.sequence:,}", when(head.at), *rows, f"signed with {head.key[:16]}…"]
    )


def when(at: int) -> str:
    """A time of the audit log, for people; a number that is no time of a clock is shown as it is."""
    time = _time(at)
    return f"{at} ms" if time is None else time.strftime("%Y-%m-%d %H:%M:%S.%f")[:-3] + " UTC"


def day_of(at: int) -> str | None:
    """The day of a time, UTC, as 2026-11-16; None for a number that is no time of a clock."""
    time = _time(at)
    return None if time is None else time.strftime("%Y-%m-%d")


def _time(at: int) -> datetime | None:
    from datetime import UTC, datetime

    try:
        return datetime.fromtimestamp(at / 1000, UTC)
    except (OverflowError, ValueError, OSError):
        return None


def _said(head: Head) -> bytes:
    """What is signed: every field behind its length."""
    parts = (head.table.encode(), b"%d" % head.sequence, head.digest.encode(), b"%d" % head.at, head.key.encode())
    return b"".join(len(part).to_bytes(4, "big") + part for part in (PROTOCOL, *parts))


def _private(key: bytes) -> Ed25519PrivateKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(key)


# ------------------------------------------------ witnesses

WEBHOOK_SECONDS = 10.0


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
        with urlopen(sent, timeout=WEBHOOK_SECONDS) as answer:
            status = answer.status
    except (URLError, OSError, ValueError) as error:
        raise WitnessError(f"{address[:80]} did not take the head: {error}. It is not anchored there.") from None
    if not 200 <= status < 300:
        raise WitnessError(f"{address[:80]} answered {status}. The head is not anchored there.")


def read_heads(text: bytes) -> list[Head]:
    """The heads of a file; a signature that is not genuine is an error."""
    heads: list[Head] = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            head = read(line, Head)
        except msgspec.MsgspecError as error:
            raise WitnessError(f"line {number} is no head: {error}") from None
        if not is_genuine(head):
            raise WitnessError(f"the signature of the head in line {number} is not genuine")
        heads.append(head)
    return heads
