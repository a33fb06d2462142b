"""Every sentence with which the house refuses somebody has a Chinese one, by its pattern: found in the source, not listed here."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from longhu.server.codec import name_of
from longhu.server.realtime.command_forms import inquiries
from longhu.table.messages import TABLE

ROOT = Path(__file__).parents[2]
SOURCES = ("table", "accounts", "server")
TEXTS = [ROOT / "web" / "src" / "lib" / name for name in ("house_sentences.ts", "staff_sentences.ts")]
TOLD_BY = {
    "Refusal": (0, 1),
    "Trouble": (1, 2),
    "raise_alert": (2,),
    "alert": (2,),
    "noted": (1,),
}  # which of the arguments are sentences
BY_NAME = ("reason", "remedy", "detail")
NOT_FOR_PEOPLE = (  # what only a program is told: what it sent cannot be read, or is no question of the page
    "server/api/http.py", "server/api/operations.py", "server/api/lab.py", "server/realtime", "server/streams",
    "table/checkpoint.py",
)  # fmt: skip

JOINED = ("{}: {}", "{}; {}")  # two sentences, or a name and a sentence


def templates() -> Iterator[tuple[str, str]]:
    """Each sentence with its places as {}, and where it stands."""
    for part in SOURCES:
        for path in sorted((ROOT / "src" / "longhu" / part).rglob("*.py")):
            where = path.relative_to(ROOT / "src" / "longhu").as_posix()
            if not where.startswith(NOT_FOR_PEOPLE):
                tree = ast.parse(path.read_text(encoding="utf-8"))
                for text in _sentences(tree):
                    yield text, where


def _sentences(tree: ast.AST) -> Iterator[str]:
    named = {
        node.targets[0].id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    for call in ast.walk(tree):
        called = call.func if isinstance(call, ast.Call) else None
        name = getattr(called, "id", "") or getattr(called, "attr", "")
        if not isinstance(call, ast.Call) or name not in TOLD_BY:
            continue
        told = [call.args[place] for place in TOLD_BY[name] if place < len(call.args)]
        told += [each.value for each in call.keywords if each.arg in BY_NAME]
        for each in told:
            known = named.get(each.id, each) if isinstance(each, ast.Name) else each
            yield from (text for text in _texts(known) if re.search(r"[a-z]", text))
    for node in ast.walk(tree):
        match node:  # what is told of an irregularity, and of something significant
            case ast.Assign(targets=[ast.Name(id="told")], value=value):
                yield from _texts(value)
            case ast.Return(value=ast.Tuple(elts=[ast.Attribute(value=ast.Name(id="Significant")), value])):
                yield from _texts(value)


def _texts(node: ast.expr) -> list[str]:
    """What an expression may come to, with {} for what is put in; nothing where it is made elsewhere."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr(values=parts):
            return ["".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts)]
        case ast.IfExp(body=body, orelse=otherwise):
            return [*_texts(body), *_texts(otherwise)]
        case ast.BinOp(left=left, right=right):
            return ["".join(both) for both in product(_texts(left), _texts(right))]
    return []


def canonical(text: str) -> str:
    """Sentences that differ in nothing but the names of their places, a capital or a full stop are one."""
    bare = re.sub(r"\{[^}]*\}", "{}", text).removesuffix(".")
    return bare[:1].lower() + bare[1:]


def translated() -> set[str]:
    source = "".join(each.read_text(encoding="utf-8") for each in TEXTS)
    found = re.findall(r"""^  \[(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"),""", source, re.MULTILINE)
    return {canonical((one or other).replace("\\'", "'").replace('\\"', '"')) for one, other in found}


def test_every_refusal_has_a_chinese_sentence() -> None:
    known = translated()
    missing = {
        f"{text}  ({where})" for text, where in templates() if canonical(text) not in known and text not in JOINED
    }
    assert not missing, "write these into web/src/lib/house_sentences.ts or staff_sentences.ts:\n" + "\n".join(
        sorted(missing)
    )


def test_every_event_and_every_command_of_the_staff_has_words() -> None:
    """The consoles call events and commands by name; one that nobody gave words is shown as its id."""
    web = ROOT / "web" / "src" / "dealer"
    named = re.findall(r"'?([a-z][a-z-]+)'?: [\[{]", (web / "words.ts").read_text() + (web / "commands.ts").read_text())
    commands = {name for name, asked in inquiries().items() if asked.needs != "patron"}
    assert not {name_of(each) for each in TABLE.evolvers} - set(named)
    assert not commands - set(named)
