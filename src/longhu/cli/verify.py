"""`longhu verify`: check an exported proof, without the house."""

from __future__ import annotations

import gc
import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from longhu.cli.main import OK, WRONG, BadInput
from longhu.cli.terminal import Terminal, file_progress
from longhu.report.blocks import Column, ColumnKind, Prose, Span, Table, Tone

if TYPE_CHECKING:
    from longhu.audit.report import VerificationFailed, VerificationReport
    from longhu.audit.signed_heads import Head

EPILOG = """\
examples:
  longhu play dragon-tiger --seed 7 --rounds 50 --bet "dragon 10" --log evening.jsonl
  longhu verify evening.jsonl
  longhu verify day.jsonl --anchors heads.jsonl --key 9f86d081…
  longhu verify /mnt/copy/T1

Every command is replayed through the rules in the file, and what they lead to must be what is on record: every
card against the procedure, every settlement from the cards, every posting and balance, and what each person
could see. The chain of digests, the signatures and the commitments are checked, and the shuffles are made
again from their secrets. The report counts what was replayed, and says what was not checked.

The exit status is 0 when all of it holds and 4 when something is wrong; the first wrong thing is told in
words, with its place. It is 2 for a trail of a person or of the house (trails/*.jsonl of `longhu admin export
--all`), which is no proof of a table and is not checked here: `longhu admin check` does that, in the store.
"""

GARBAGE = 50_000  # objects made between two searches for garbage; a verifier makes hardly any
LINE_MAX = 1 << 26  # bytes that are read of a line; a longer one is cut there, and fails
STEP = 1 << 17  # bytes between two moves of the bar


def configure(parser: ArgumentParser) -> None:
    parser.description = "Check a proof that `longhu export` or `longhu play --log` has written."
    parser.epilog = EPILOG
    parser.add_argument(
        "file", metavar="FILE", help="the proof, or a table's folder in a second copy; - reads standard input"
    )
    parser.add_argument("--anchors", metavar="FILE", help="signed heads that you have kept: `longhu anchor --to FILE`")
    parser.add_argument("--key", metavar="HEX", default="", help="the house's public key, as you know it")
    parser.add_argument("--json", action="store_true", help="for programs")


def run(args: Namespace) -> int:
    from longhu.audit.proof import ProofError
    from longhu.audit.report import NotAProof, VerificationFailed
    from longhu.audit.verify import Verifier
    from longhu.fairness.shuffle import is_digest

    key = args.key.lower()
    if key and not is_digest(key):
        raise BadInput(f"--key {args.key[:40]!r}: a public key has 64 hexadecimal digits")
    gc.set_threshold(GARBAGE)
    verifier = Verifier(key, _anchors(args.anchors))
    try:
        with _lines(args.file) as lines, _progress(args.file) as advance:
            verifier.lines(_watched(lines, advance))
        report = verifier.finish()
    except ProofError as error:
        raise BadInput(f"{args.file}: {error}") from None
    except NotAProof as other:
        raise BadInput(f"{args.file}: {other.says}") from None
    except VerificationFailed as failed:
        _show_failure(args, failed)
        return WRONG
    _show(args, report)
    gc.freeze()  # nothing is searched for at the end
    return OK


def _anchors(name: str | None) -> list[Head]:
    if name is None:
        return []
    from longhu.audit.signed_heads import WitnessError, read_heads

    try:
        return read_heads(Path(name).read_bytes())
    except OSError as error:
        raise BadInput(f"--anchors {name[:80]}: {error.strerror}") from None
    except WitnessError as error:
        raise BadInput(f"--anchors {name[:80]}: {error}") from None


@contextmanager
def _lines(name: str) -> Iterator[Iterable[bytes]]:
    """The lines of a file, of standard input, or of a table's folder in a second copy, read as they are asked for."""
    path = Path(name)
    if path.is_dir():
        from longhu.store.mirror import proof_in

        yield proof_in(path)
        return
    try:
        file = sys.stdin.buffer if name == "-" else path.open("rb")
    except OSError as error:
        raise BadInput(f"{name[:80]}: {error.strerror}") from None
    with file:
        yield iter(lambda: file.readline(LINE_MAX), b"")


def _progress(name: str) -> AbstractContextManager[Callable[[int, int], None]]:
    """A bar where somebody waits at a terminal, and nothing elsewhere."""
    if not sys.stderr.isatty():
        return nullcontext(lambda _octets, _records: None)
    path = Path(name)
    parts = path.glob("*") if path.is_dir() else [path]
    size = sum(each.stat().st_size for each in parts if each.is_file())
    return file_progress("verifying", size or None)


def _watched(lines: Iterable[bytes], advance: Callable[[int, int], None]) -> Iterator[bytes]:
    """The same lines, with the bar moved now and then."""
    octets = count = 0
    for line in lines:
        octets, count = octets + len(line), count + 1
        if octets > STEP:
            advance(octets, count)
            octets = count = 0
        yield line
    advance(octets, count)


def _show_failure(args: Namespace, failed: VerificationFailed) -> None:
    if args.json:
        told = {"verified": False, "line": failed.line, "record": failed.sequence or None, "wrong": failed.says}
        print(json.dumps(told, ensure_ascii=False, indent=2))
    else:
        print(f"WRONG: {args.file}, {failed}", file=sys.stderr)


def _show(args: Namespace, report: VerificationReport) -> None:
    if args.json:
        import msgspec

        print(json.dumps({"verified": True, **msgspec.to_builtins(report)}, ensure_ascii=False, indent=2))
        return
    from longhu.audit.signed_heads import when

    columns = (Column("replayed", ColumnKind.TEXT), Column("how many"), Column("what was checked", ColumnKind.TEXT))
    Terminal().show(
        Prose(f"Table {report.table}, {report.span}: {'; '.join(report.editions)}"),
        Prose(f"{when(report.first_at)} to {when(report.last_at)}"),
        Table(columns, tuple((what, f"{count:,}", how) for what, count, how in rows(report))),
        Prose(Span("Everything that was checked holds.", Tone.GOOD, strong=True)),
        Prose(f"The last record has the digest {report.head}."),
        *(Prose(f"Not checked: {each}.") for each in report.not_checked),
        *(Prose(f"Note: {remark}.") for remark in report.remarks),
    )


def _up_to(how: str, record: int) -> str:
    return f"{how}, up to record {record:,}" if record else how


def _word(source: str) -> str:
    """Whose word a face is."""
    words = {
        "shuffle": "the shuffle",
        "device": "the shoe that read them",
        "dealer": "the dealer",
        "two-people": "two people",
    }
    return f"by the word of {words[source]}" if source in words else "lay face down, and nobody told them"


def rows(report: VerificationReport) -> list[tuple[str, int, str]]:
    """What was replayed, how much of it, and what was checked."""
    versions = ", ".join(map(str, report.authorities))
    return [
        ("records", report.records, "chain of digests, sequence, time, who held which position"),
        ("commands", report.commands, "the rules lead to what is on record"),
        ("refusals", report.refusals, "the rules refuse, for the same reason"),
        ("second persons", report.second_persons, f"by the table of authority, version {versions}"),
        ("rounds", report.rounds, f"{report.voided:,} of them void"),
        ("cards drawn", report.cards, "against the procedure and the cards left"),
        *[("", count, _word(source)) for source, count in report.sources.items()],
        ("cards hidden", report.face_down, "salted; shown to nobody before their time"),
        ("wagers settled", report.wagers, "computed again from the cards"),
        ("postings", report.postings, "sum to zero; nobody owes what they may not"),
        ("commitments", report.commitments, "before the contributions"),
        ("contributions", report.contributions, "in the shuffle"),
        ("shuffles", report.shuffles, f"made again from their secrets, {report.shuffled_cards:,} cards compared"),
        ("signed heads", report.heads, _up_to("signature, place and digest", report.signed_to)),
        ("anchors", report.anchors, _up_to("kept outside, with the same digests", report.anchored_to)),
    ]
