"""Encoding of a row: the records of one command, what they moved, and their words for text search.

Lines are compressed with a dictionary of typical records, which is a file of this package: a record alone has little
that repeats, and most of it is in every other record. The first byte says how. A row that starts with `{` is plain: so are wagers,
which come by the thousand, and to compress them would cost more than their bytes, above all in waiting for the interpreter.

The search index has the words of a record: names, ids, names of events, cards, amounts. It does not have the names of the usual
fields, which are in nearly every record, nor values that differ in every record: digests, salts, its number and its time.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files

import msgspec

from longhu.store.entries import Entry
from longhu.store.errors import Damaged

Moved = tuple[str, int, int]  # account, amount, balance after it

DICTIONARY = (files("longhu.store") / "dictionary-1.txt").read_bytes()  # never edited: rows could not be read any more
DEFLATED = b"\x01"  # with that dictionary
_WINDOW, _MEMORY, _LEVEL = -14, 6, 6  # no header and no checksum: the chain of digests is one

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(list[list[Moved]])
_deflate = zlib.compressobj(_LEVEL, zlib.DEFLATED, _WINDOW, _MEMORY, zdict=DICTIONARY)


def encode_lines(lines: Sequence[bytes], *, plain: bool = False) -> bytes:
    """No record holds a line feed."""
    row = b"\n".join(lines)
    if plain:
        return row
    deflate = _deflate.copy()  # has read the dictionary already
    return DEFLATED + deflate.compress(row) + deflate.flush()


def decode_lines(row: bytes) -> list[bytes]:
    """All records of a row; one that cannot be read is in no chain, and found by its digest."""
    if row.startswith(DEFLATED):
        try:
            row = zlib.decompressobj(_WINDOW, zdict=DICTIONARY).decompress(row[1:])
        except zlib.error as error:
            raise Damaged(f"a row of records cannot be read: {error}. Compare this database with a backup.") from None
    return row.split(b"\n")


def lines_of(first: int, row: bytes, after: int = 0, last: int | None = None) -> list[bytes]:
    """The records of a row that starts with number `first`: those behind one number, up to another."""
    return decode_lines(row)[max(after + 1 - first, 0) : None if last is None else max(last + 1 - first, 0)]


def encode_postings(moved: Sequence[Sequence[Moved]]) -> str:
    return _encoder.encode(moved).decode()


def entries_of(table: str, first: int, last: int, postings: str) -> Iterator[Entry]:
    """What the records of a row moved, from number `first` to `last`."""
    try:
        records = _decoder.decode(postings)
    except msgspec.MsgspecError as error:
        raise Damaged(f"what records {first} to {last} of {table} moved cannot be read: {error}") from None
    if len(records) != last - first + 1:
        raise Damaged(f"the postings of records {first} to {last} of {table} are those of {len(records)} records")
    for sequence, moved in enumerate(records, first):
        for place, (account, amount, balance) in enumerate(moved):
            yield Entry(table, sequence, place, account, amount, balance)


def encode_account(account: str) -> str:
    """An account as it stands in the postings of every row that moves it."""
    return _encoder.encode(account).decode()


# ------------------------------------------------ words

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
