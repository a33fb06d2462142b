"""Words of records, for the index that text search uses.

The index has the words of a record: names, ids, names of events, cards, amounts. It does not have the names of the usual
fields, which are in nearly every record, nor what is another in every record: digests, salts, its number and its time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from longhu.store.row_codec import DICTIONARY

_FIELDS = "|".join(sorted(set(re.findall('"([a-z_]+)":', DICTIONARY.decode()))))
_NOT_INDEXED = re.compile(
    rf'"(?:sequence|at)":\d+|"?\b(?:{_FIELDS})":|\b[0-9a-f]{{32,}}\b|\\.'
)  # the last is an escape of JSON
_WORD = re.compile(r"[^\W_]+")
WORDS = 20  # of a question that the index is asked for; the rest is compared with what it finds


def words_of(lines: Iterable[bytes]) -> str:
    """The words of the records of a row, each once."""
    text = "\n".join(line.decode(errors="replace") for line in lines).lower()
    return " ".join(sorted({_encode(word) for word in _WORD.findall(_NOT_INDEXED.sub(" ", text))}))


def asked_words(text: str) -> tuple[list[str], list[str]]:
    """What to ask the index for: words that a record has, and beginnings of words that it has.

    A single letter or digit begins words of nearly every record, and the index would gather all of them: it is left out
    where anything else is asked for.

    >>> asked_words('Ann wager-placed/1 "amount":102')
    (['placed', 'wager'], ['102', 'ann'])
    >>> asked_words("1")
    ([], ['1'])
    """
    whole, beginnings = set[str](), set[str]()
    for part in text.lower().split():
        *before, last = _WORD.findall(_NOT_INDEXED.sub(" ", part)) or [""]
        whole.update(map(_encode, before))
        beginnings.add(_encode(last))
    telling = {each for each in beginnings if len(each) > 1}
    if not whole and not telling:
        telling = beginnings - {""}
    return sorted(whole)[:WORDS], sorted(telling)[:WORDS]


def has_all(line: bytes, parts: Sequence[str]) -> bool:
    """Does a record have every part somewhere in it, in large or small letters? The parts are in small ones."""
    text = line.decode(errors="replace").lower()
    return all(part in text for part in parts)


def _encode(word: str) -> str:
    """In letters that every database takes for letters; a beginning stays one.

    >>> _encode("ann"), _encode("龙虎")
    ('ann', 'xe9be99e8998e')
    """
    return word if word.isascii() else f"x{word.encode().hex()}"
