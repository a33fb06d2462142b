"""`longhu verify`: a proof, checked without server or database by whoever holds it."""

from __future__ import annotations

import gc
import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING, cast

from longhu.cli.main import OK, WRONG, BadInput
from longhu.cli.screen import FigureScreen, progress

if TYPE_CHECKING:
    from longhu.audit.findings import Checked
    from longhu.audit.heads import Head

EPILOG = """\
examples:
  longhu play dragon-tiger --seed 7 --rounds 50 --bet "dragon 10" --log evening.jsonl
  longhu verify evening.jsonl
  longhu verify day.jsonl --anchors heads.jsonl --key 9f86d081…
  longhu verify /mnt/copy/T1

Everything is made again: the chain of digests, the signatures, the commitments, the shuffles from their
secrets, every card against the procedure, every settlement from the cards, every posting and balance, and
what each person could see. Every command is asked of the rules in the file again, and what they answer must
be what is on record. A round that is like others before it, step by step, is held against what the rules
said of those; --ask-all asks about each.

The exit status is 0 when all of it holds and 4 when something is wrong; the first wrong thing is told in
words, with its place. It is 2 for a trail of a person or of the house (trails/*.jsonl of `longhu admin export
--all`), which is no proof of a table and is not checked here: `longhu admin check` does that, in the store.
"""

GARBAGE = 50_000  # things made between two looks for what nobody uses any more; a verifier makes hardly any such
STEP = 1 << 18  # bytes of a copy between two moves of the bar


def configure(parser: ArgumentParser) -> None:
    parser.description = "Check a proof that `longhu export` or `longhu play --log` has written."
    parser.epilog = EPILOG
    parser.add_argument(
        "file", metavar="FILE", help="the proof, or a table's folder in a second copy; - reads standard input"
    )
    parser.add_argument("--anchors", metavar="FILE", help="signed heads that you have kept: `longhu anchor --to FILE`")
    parser.add_argument("--key", metavar="HEX", default="", help="the house's public key, as you know it")
    parser.add_argument(
        "--ask-all",
        action="store_true",
        help="ask the rules about every record, also of rounds like others before; slower",
    )
    parser.add_argument("--json", action="store_true", help="for programs")


def run(args: Namespace) -> int:
    from longhu.audit.findings import NoProof, Wrong
    from longhu.audit.proof import ProofError
    from longhu.audit.verify import Verifier
    from longhu.fairness.shuffle import is_digest

    key = args.key.lower()
    if key and not is_digest(key):
        raise BadInput(f"--key {args.key[:40]!r}: a public key has 64 hexadecimal digits")
    gc.set_threshold(GARBAGE)
    verifier = Verifier(key, _anchors(args.anchors), shortcuts=not args.ask_all)
    try:
        with _progress(args.file) as advance:
            if Path(args.file).is_dir():
                verifier.lines(_copied(Path(args.file), advance))
            else:
                with _opened(args.file) as file:
                    verifier.file(file, advance)
        checked = verifier.finish()
    except ProofError as error:
        raise BadInput(f"{args.file}: {error}") from None
    except NoProof as other:
        raise BadInput(f"{args.file}: {other.says}") from None
    except Wrong as wrong:
        _tell_wrong(args, wrong)
        return WRONG
    _tell(args, checked)
    gc.freeze()  # nothing is looked for at the end
    return OK


def _anchors(name: str | None) -> list[Head]:
    if name is None:
        return []
    from longhu.audit.anchors import AnchorError, read

    try:
        return read(Path(name).read_bytes())
    except OSError as error:
        raise BadInput(f"--anchors {name[:80]}: {error.strerror}") from None
    except AnchorError as error:
        raise BadInput(f"--anchors {name[:80]}: {error}") from None


def _copied(folder: Path, advance: Callable[[int], None]) -> Iterator[bytes]:
    """The lines of a table's folder in a second copy, with the bar moved now and then."""
    from longhu.store.mirror import proof_in

    read = 0
    for line in proof_in(folder):
        read += len(line)
        if read > STEP:
            advance(read)
            read = 0
        yield line


def _opened(name: str) -> BufferedReader:
    if name == "-":
        return cast(BufferedReader, sys.stdin.buffer)
    try:
        return open(name, "rb")  # (whoever asked closes it)
    except OSError as error:
        raise BadInput(f"{name[:80]}: {error.strerror}") from None


def _progress(name: str) -> AbstractContextManager[Callable[[int], None]]:
    path = Path(name)
    parts = path.glob("*") if path.is_dir() else [path]
    size = sum(each.stat().st_size for each in parts if each.is_file()) if name != "-" and sys.stderr.isatty() else 0
    return progress("checking", size, octets=True) if size else nullcontext(lambda _taken: None)


def _tell_wrong(args: Namespace, wrong: Exception) -> None:
    from longhu.audit.findings import Wrong

    if args.json and isinstance(wrong, Wrong):
        told = {"verified": False, "line": wrong.line, "record": wrong.sequence or None, "wrong": wrong.says}
        print(json.dumps(told, ensure_ascii=False, indent=2))
    else:
        print(f"WRONG: {args.file}, {wrong}", file=sys.stderr)


def _tell(args: Namespace, checked: Checked) -> None:
    if args.json:
        import msgspec

        print(json.dumps({"verified": True, **msgspec.to_builtins(checked)}, ensure_ascii=False, indent=2))
        return
    from longhu.audit.heads import when

    out = FigureScreen()
    out.print(f"Table {checked.table}, {checked.span}: {', '.join(checked.games)}")
    out.print(f"{when(checked.first_at)} to {when(checked.last_at)}")
    shown = out.table("checked", "how many>", "how")
    for what, count, how in rows(checked):
        shown.add_row(what, f"{count:,}", how)
    out.print(shown)
    out.print(out.cell("Everything holds.", "bold green"))
    out.print(f"The last record has the digest {checked.head}.")
    for remark in checked.remarks:
        out.print(f"Note: {remark}.")


def _up_to(how: str, record: int) -> str:
    return f"{how}, up to record {record:,}" if record else how


def rows(checked: Checked) -> list[tuple[str, int, str]]:
    """What was checked, how much of it, and against what."""
    return [
        ("records", checked.records, "chain of digests, sequence, time, who held which position"),
        ("commands", checked.commands, "asked of the rules again; the answer is what is on record"),
        ("refusals", checked.refusals, "refused again, for the same reason"),
        ("rounds", checked.rounds, f"{checked.voided:,} of them void"),
        ("cards drawn", checked.cards, "against the procedure and the cards left"),
        ("cards hidden", checked.face_down, "salted; shown to nobody before their time"),
        ("wagers settled", checked.wagers, "made again from the cards"),
        ("postings", checked.postings, "sum to zero; nobody owes what they may not"),
        ("commitments", checked.commitments, "before the contributions"),
        ("contributions", checked.contributions, "in the shuffle"),
        ("shuffles", checked.shuffles, f"made again from their secrets, {checked.shuffled_cards:,} cards compared"),
        ("signed heads", checked.heads, _up_to("signature, place and digest", checked.signed_to)),
        ("anchors", checked.anchors, _up_to("kept outside, with the same digests", checked.anchored_to)),
    ]
