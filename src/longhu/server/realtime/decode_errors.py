"""What is wrong with a message, as a sentence that names the field."""

from __future__ import annotations

import re

import msgspec

from longhu.server.realtime.wire_types import NO_CONTROLS

_EXPECTED = re.compile(r"Expected `([^`]+)`(?: (.+?))?(?:, got `([^`]+)`)?")
_FIELD = re.compile(r"Object (contains unknown|missing required) field `(.*)`", re.DOTALL)
_HALF = re.compile(rb"(?<!\\)(?:\\\\)*\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u)")  # of a surrogate pair, the first alone
_TRUNCATED = "Input data was truncated"  # so msgspec says of such a half near the end, as well
_WORDS = {
    "array": "a list",
    "bool": "true or false",
    "float": "a number with a point or an exponent",
    "int": "a whole number",
    "null": "null",
    "object": "an object",
    "str": "a text",
}
FOUND_MAX = 200  # characters of what was found, which may be anything


def in_words(error: msgspec.MsgspecError, text: bytes | None = None) -> str:
    """What a decoder complains of; the text, where it is at hand, tells apart what the decoder does not.

    >>> try: msgspec.json.decode(b'{"place": "5"}', type=dict[str, int])
    ... except msgspec.MsgspecError as error: in_words(error)
    '[...] should be a whole number, and is a text'
    """
    if str(error) == _TRUNCATED:
        return _truncated(text)
    says, _, path = str(error).partition(" - at `$")
    where = path.removesuffix("`").lstrip(".")[:FOUND_MAX]
    if field := _FIELD.fullmatch(says):
        named = ".".join(filter(None, (where, field[2][:FOUND_MAX])))
        return f"{named} is missing" if field[1].startswith("missing") else f"{named} is no field of it"
    if says.startswith("Invalid value") and where.rpartition(".")[2] == "command":
        return f"{where}: {_lower(says)}. GET /api/commands lists them"
    if not (expected := _EXPECTED.fullmatch(says)):
        return f"{where}: {_lower(says)}" if where else _lower(says)
    wanted = " or ".join(_WORDS.get(each, each) for each in expected[1].split(" | "))
    if expected[2]:
        bound = "without control characters" if repr(NO_CONTROLS) in expected[2] else expected[2]
        return f"{where or 'the message'} should be {wanted} {bound}"
    return f"{where or 'the message'} should be {wanted}, and is {_WORDS.get(expected[3], expected[3])}"


def _truncated(text: bytes | None) -> str:
    half = "it has half of a surrogate pair, which is no character"
    if text is None:
        return f"it ends too early, or {half}"
    return half if _HALF.search(text) else "it ends too early"


def _lower(text: str) -> str:
    return text[:1].lower() + text[1 : FOUND_MAX + 1] if not text.startswith("JSON") else text[:FOUND_MAX]
