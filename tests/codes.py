"""Codes of messages, for assertions."""

from __future__ import annotations

from longhu.messages.message import Message


def code(message: Message | None) -> str:
    """The code of a message; "" where there is none."""
    return "" if message is None else message.code
