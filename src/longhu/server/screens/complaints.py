"""What is wrong with a message, as a sentence that names the field."""

from __future__ import annotations

import re

import msgspec

from longhu.server.screens.forms import NO_CONTROLS

_EXPECTED = re.compile(r"Expected `([^`]+)`(?: (.+?))?(?:, got `([^`]+)`)?")
_FIELD = re.compile(r"Object (contains unknown|missing required) field `(.*)`", re.DOTALL)
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


def in_words(error: msgspec.MsgspecError) -> str:
    """What a decoder complains of.

    >>> try: msgspec.json.decode(b'{"place": "5"}', type=dict[str, int])
    ... except msgspec.MsgspecError as error: in_words(error)
    '[...] should be a whole number, and is a text'
    """
    says, _, path = str(error).partition(" - at `$")
    where = path.removesuffix("`").lstrip(".")[:FOUND_MAX]
    if field := _FIELD.fullmatch(says):
        named = ".".join(filter(None, (where, field[2][:FOUND_MAX])))
        return f"{named} is missing" if field[1].startswith("missing") else f"{named} is no field of it"
    if not (expected := _EXPECTED.fullmatch(says)):
        return f"{where}: {_lower(says)}" if where else _lower(says)
    wanted = " or ".join(_WORDS.get(each, each) for each in expected[1].split(" | "))
    if expected[2]:
        bound = "without control characters" if repr(NO_CONTROLS) in expected[2] else expected[2]
        return f"{where or 'the message'} should be {wanted} {bound}"
    return f"{where or 'the message'} should be {wanted}, and is {_WORDS.get(expected[3], expected[3])}"


def _lower(text: str) -> str:
    return text[:1].lower() + text[1 : FOUND_MAX + 1] if not text.startswith("JSON") else text[:FOUND_MAX]
