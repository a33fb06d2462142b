"""Where each clause acts in the running table: what is asked, and what the table says to it by that clause.

Nothing here is written down by hand. A game file gives each clause a place: a step in `[cites]`, an irregularity, a line of a wager, a layout, a
row of the draw table. The code of the table is read as Python reads it: which refusals and records a function makes, from which of those places it
takes their clause, and from which commands the function is reached. A clause that stands in a comment alone has no place, and so does not act.
"""

from __future__ import annotations

import ast
import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from longhu.clauses import clauses, rulebook_rows
from longhu.eventsourcing import name_of
from longhu.games import registry
from longhu.games.game import Game
from longhu.games.vocabulary import EQUIPMENT, IRREGULARITIES, STEPS
from longhu.table.engine import AREAS
from longhu.table.messages import TABLE
from longhu.table.remedies.procedure import OWN_REPORTS

PACKAGE = Path(__file__).parent
SOURCES = (*sorted(PACKAGE.glob("table/**/*.py")), PACKAGE / "settlement.py", PACKAGE / "odds/reach.py")
REFUSALS = {"Refusal": 2, "SettlementError": 1}  # what refuses, and which of its arguments is the clause
VIEWS = {("longhu.table.views", "view"), ("longhu.table.views", "viewer"), ("longhu.table.opening", "notice")}
DEEPEST = 4  # helpers that give a clause to a helper that gives a clause

# The records of a remedy, whose clauses come from the rule for what was found.
REMEDIES = {
    "void": ("stake-returned", "round-voided"), "refund": ("stake-returned", "round-voided"), "reconstruct": ("cards-restored",),
    "offer-withdrawal-then-reconstruct": ("withdrawal-offered", "cards-restored"),
    "order-then-offer-withdrawal": ("judgement-awaited", "withdrawal-offered"),
    "offer-withdrawal-then-reopen": ("withdrawal-offered", "betting-reopened"),
    "offer-withdrawal-unless-decided": ("exposed-cards-judged", "withdrawal-offered"), "ruling": ("incident-opened",),
}  # fmt: skip
# What a part of a game file is called where the code takes a clause from it.
TAKEN_FROM = {
    r"\.lines|\bline\.clause": "lines",
    r"limit\.clauses": "limit",
    r"\bmaximum\.clauses": "maximum",
    r"wagers?(\[[^]]*\])?\.clauses|\balone\.clauses": "wagers",
    r"layouts?\b.*\.clauses|\blayout\.clauses": "layouts",
    r"\.decks\.clauses": "decks",
    r"\.methods?\b": "methods",
    r"\.differential\b": "differential",
    r"\.high_limit\b": "high_limit",
    r"\bcap\.clauses": "cap",
    r"\breasons?\b": "procedure",
}
# Where a part of a game file is more than a citation: what it says is carried out, and this record or view shows it.
CARRIED_OUT = {
    "lines": (("settle-round", "wager-settled"),),
    "terms": (("settle-round", "wager-settled"),),
    "points": (("announce-totals", "totals-announced"), ("announce-result", "result-announced"), ("view", "counted")),
    "procedure": (("draw-card", "card-drawn"), ("announce-result", "hands-complete")),
    "rows": (("place-wager", "wager-placed"),),
    "settle": (("settle-round", "wager-settled"),),
    "nominee-marker": (
        ("announce-nominee", "nominee-announced"),
        ("order-in-person", "in-person-ordered"),
        ("end-nominee", "nominee-ended"),
        ("view", "seats"),
    ),
    "wagers": (("place-wager", "wager-placed"),),
}


class Act(NamedTuple):
    """What the table does by a clause when somebody asks for something; or what it shows."""

    command: str  # by its name on the wire; "view" where it is shown
    outcome: str  # the code of a refusal, the name of a record, the part of a view


@dataclass(frozen=True)
class Function:
    module: str
    name: str
    node: ast.FunctionDef

    @property
    def id(self) -> tuple[str, str]:
        return self.module, self.name


class Module:
    """One module of the table, with what its names stand for."""

    def __init__(self, path: Path) -> None:
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        self.name = ".".join(parts)
        self.tree = ast.parse(path.read_text(encoding="utf-8"))
        self.functions: dict[str, Function] = {}
        self.constants: dict[str, ast.expr] = {}
        self.imports: dict[str, tuple[str, str]] = {}  # a name here: module, and name there ("" for the module itself)
        for node in self.tree.body:
            match node:
                case ast.FunctionDef():
                    self.functions[node.name] = Function(self.name, node.name, node)
                case ast.ImportFrom(module=str(source)):
                    for each in node.names:
                        self.imports[each.asname or each.name] = (source, each.name)
                case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)) if node.value:
                    self.constants[name] = node.value


@cache
def modules() -> Mapping[str, Module]:
    return {module.name: module for module in map(Module, SOURCES)}


def _defined(module: Module, node: ast.expr) -> tuple[Module, str] | None:
    """The module in which a name is defined, and its name there."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        source, name = module.imports.get(node.value.id, ("", ""))
        found = modules().get(f"{source}.{name}")
        return (found, node.attr) if found is not None else None
    if not isinstance(node, ast.Name):
        return None
    if node.id in module.functions or node.id in module.constants:
        return module, node.id
    source, name = module.imports.get(node.id, ("", ""))
    found = modules().get(source)
    if found is None:
        return None
    return (found, name) if name in found.functions or name in found.constants else _defined(found, ast.Name(name))


def _function(module: Module, node: ast.expr) -> Function | None:
    found = _defined(module, node)
    return found[0].functions.get(found[1]) if found is not None else None


@cache
def _assigned(function: Function) -> Mapping[str, list[ast.expr]]:
    """What each name of a function is set to."""
    values: dict[str, list[ast.expr]] = {}
    for node in ast.walk(function.node):
        if isinstance(node, ast.NamedExpr):
            values.setdefault(node.target.id, []).append(node.value)
        if not isinstance(node, (ast.Assign, ast.AnnAssign)) or node.value is None:
            continue
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            pairs = [(target, node.value)]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = [*zip(target.elts, node.value.elts, strict=False)]
            for name, value in pairs:
                if isinstance(name, ast.Name):
                    values.setdefault(name.id, []).append(value)
    return values


Source = tuple[
    str, int | str | None
]  # a part of a game file, and which of its clauses: a place, how its id ends, or any


def _sources(function: Function, node: ast.AST, depth: int = 0) -> set[Source]:
    """The parts of a game file from which an expression takes its clause."""
    module, local, seen = modules()[function.module], _assigned(function), set[str]()

    def visit(each: ast.AST) -> set[Source]:
        found: set[Source] = set()
        match each:
            case ast.Constant(value=str(word)):
                return {(word, None)} if word in (*STEPS, *IRREGULARITIES, *EQUIPMENT) else set()
            case ast.Call(func=called, args=args):
                helper = _function(module, called)
                if helper is not None and _gives_clauses(helper):
                    return _chosen_by(module, helper, set().union(*map(visit, args)), args, depth)
            case ast.Subscript(value=value, slice=ast.Constant(value=int(place))):
                return {(part, place) for part, _ in visit(value)}
            case ast.Name(id=name) if name in local and name not in seen:
                seen.add(name)
                found = set().union(*map(visit, local[name]))
            case ast.Name() if (named := _constant(module, each)) is not None:
                return visit(ast.Constant(named))
        if isinstance(each, (ast.Attribute, ast.Subscript, ast.Name)):
            text = ast.unparse(each)
            found |= {(part, None) for pattern, part in TAKEN_FROM.items() if re.search(pattern, text)}
        return found.union(*map(visit, ast.iter_child_nodes(each)))

    return visit(node)


def _chosen_by(module: Module, helper: Function, told: set[Source], args: list[ast.expr], depth: int) -> set[Source]:
    """What a helper makes of the words that it is given: of several clauses the first, unless it is told which."""
    within = told or (_sources(helper, ast.Module([*helper.node.body], []), depth + 1) if depth < DEEPEST else set())
    which: int | str = 0
    for arg in args[1:]:
        value = arg.value if isinstance(arg, ast.Constant) else _constant(module, arg)
        if isinstance(value, int) or (isinstance(value, str) and value and value not in (*STEPS, *IRREGULARITIES)):
            which = value
    return {(part, which) for part, _ in within}


def _constant(module: Module, node: ast.expr) -> str | None:
    """The text that a name of a module stands for."""
    found = _defined(module, node)
    value = found[0].constants.get(found[1]) if found is not None else None
    if isinstance(value, ast.Name) and found is not None:
        return _constant(found[0], value)
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None


def _gives_clauses(helper: Function) -> bool:
    return helper.node.returns is not None and ast.unparse(helper.node.returns) in ("str", "Rule | None", "Clauses")


def _codes(function: Function, node: ast.AST) -> set[str]:
    """The codes of the messages that an expression names."""
    module, local, waiting, codes, seen = (
        modules()[function.module],
        _assigned(function),
        [node],
        set[str](),
        set[str](),
    )
    while waiting:
        for each in ast.walk(waiting.pop()):
            if not isinstance(each, (ast.Name, ast.Attribute)):
                continue
            if isinstance(each, ast.Name) and each.id in local and each.id not in seen:
                seen.add(each.id)
                waiting += local[each.id]
            found = _defined(module, each)
            made = found[0].constants.get(found[1]) if found is not None else None
            if isinstance(made, ast.Call) and ast.unparse(made.func) == "message_code":
                codes.add(str(ast.literal_eval(made.args[0])))
    return codes


@cache
def _records() -> Mapping[str, str]:
    """The events of the table by the names of their classes."""
    assert AREAS, "all areas have registered their events"
    return {event.__name__: name_of(event) for event in TABLE.evolvers}


def _made(function: Function) -> Iterator[tuple[str, ast.expr]]:
    """Each refusal and record that a function makes, with the expression that is its clause."""
    for call in ast.walk(function.node):
        if not isinstance(call, ast.Call):
            continue
        called, by_name = ast.unparse(call.func), {each.arg: each.value for each in call.keywords}
        if called in REFUSALS and call.args:
            clause = by_name.get("clause") or next(iter(call.args[REFUSALS[called] :]), None)
            if clause is not None:
                yield from ((code, clause) for code in _codes(function, call.args[0]))
        elif called in _records():
            for each in call.keywords:
                if each.arg in (None, "clause"):
                    yield _records()[called], each.value


@cache
def _left_to_caller(module: str, name: str) -> Mapping[str, frozenset[str]]:
    """What a function makes by a clause that it is given: the outcomes by the name of that parameter."""
    function = modules()[module].functions[name]
    found: dict[str, set[str]] = {}
    for outcome, clause in _made(function):
        named = {each.id for each in ast.walk(clause) if isinstance(each, ast.Name)}
        for given in {each.arg for each in function.node.args.args if each.arg.startswith("clause")} & named:
            found.setdefault(given, set()).add(outcome)
    return {given: frozenset(outcomes) for given, outcomes in found.items()}


@cache
def _outcomes(module: str, name: str) -> Mapping[str, set[Source]]:
    """What one function makes, refusals and records, each with the parts of a game file that its clause comes from."""
    home, function = modules()[module], modules()[module].functions[name]
    made: dict[str, set[Source]] = {}
    for outcome, clause in _made(function):
        made.setdefault(outcome, set()).update(_sources(function, clause))
    for node in ast.walk(function.node):
        if isinstance(node, ast.Dict):  # a reason for each of several requirements
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and key.value in EQUIPMENT:
                    for code in _codes(function, value):
                        made.setdefault(code, set()).add((str(key.value), 0))
        helper = _function(home, node.func) if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Call) and helper is not None:
            names = [each.arg for each in helper.node.args.args]
            given = {
                **dict(zip(names, node.args, strict=False)),
                **{each.arg: each.value for each in node.keywords if each.arg},
            }
            for parameter, outcomes in _left_to_caller(*helper.id).items():
                for outcome in outcomes if parameter in given else ():
                    made.setdefault(outcome, set()).update(_sources(function, given[parameter]))
    return made


@cache
def _calls(module: str, name: str) -> frozenset[tuple[str, str]]:
    """The functions that one names."""
    home = modules()[module]
    found = (
        _function(home, node)
        for node in ast.walk(home.functions[name].node)
        if isinstance(node, (ast.Name, ast.Attribute))
    )
    return frozenset(each.id for each in found if each is not None)


def _distances(root: tuple[str, str]) -> Mapping[tuple[str, str], int]:
    """The functions that one leads to, and over how many calls."""
    found, waiting = {root: 0}, deque([root])
    while waiting:
        here = waiting.popleft()
        for each in _calls(*here) - found.keys():
            found[each] = found[here] + 1
            waiting.append(each)
    return found


@cache
def acts_by_source() -> Mapping[Source, frozenset[Act]]:
    """What the table does by each part of a game file; of the commands that lead to it, the nearest."""
    reached: dict[tuple[str, str], dict[str, int]] = {}
    for command, judge in TABLE.deciders.items():
        judged = getattr(judge, "__wrapped__", judge)
        for function, calls in _distances((judged.__module__, judged.__name__)).items():
            reached.setdefault(function, {})[name_of(command)] = calls
    found: dict[Source, set[Act]] = {}
    for function, commands in reached.items():
        nearest = [command for command, calls in commands.items() if calls == min(commands.values())]
        for outcome, sources in _outcomes(*function).items():
            for source in sources:
                found.setdefault(source, set()).update(Act(command, outcome) for command in nearest)
    for root in VIEWS:
        for module, name in _distances(root):
            if module == root[0]:
                node = modules()[module].functions[name]
                for source in _sources(node, node.node):
                    found.setdefault(source, set()).add(Act("view", name.strip("_").replace("_", "-")))
    for kind in IRREGULARITIES:
        report = Act(OWN_REPORTS.get(kind, "report-irregularity"), "irregularity-found")
        found.setdefault((kind, None), set()).add(report)
    for part, acts in CARRIED_OUT.items():
        found.setdefault((part, None), set()).update(Act(*each) for each in acts)
    found.setdefault(("in-force", 0), set()).add(Act("call-place-your-bets", "round-started"))  # it names the rules
    return {source: frozenset(acts) for source, acts in found.items()}


# ------------------------------------------------ from a clause to a part of a game file


def _placed(value: Any, path: tuple[str, ...], seen: set[int]) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The lists of clauses that a definition holds, and where."""
    if isinstance(value, str):
        if value in clauses():
            yield path, (value,)
    elif isinstance(value, Mapping):
        for name, each in value.items():
            yield from _placed(each, (*path, str(name)), seen)
    elif isinstance(value, tuple) and value and all(isinstance(each, str) and each in clauses() for each in value):
        yield path, value
    elif isinstance(value, (tuple, list, frozenset)):
        for each in value:
            yield from _placed(each, path, seen)
    elif is_dataclass(value) and id(value) not in seen:
        seen.add(id(value))
        for field in fields(value):
            yield from _placed(getattr(value, field.name, None), (*path, field.name), seen)


def _part(path: tuple[str, ...]) -> str:
    """Which part of a game file a place in the definition is; "" where nothing acts by it."""
    match path:
        case ("cites" | "irregularities" | "equipment", name, *_):
            return name
        case ("wagers", _, ("lines" | "limit") as part, *_):
            return part
        case ("layouts", _, "rows", *_):
            return "rows"
        case (
            "wagers"
            | "layouts"
            | "decks"
            | "methods"
            | "differential"
            | "high_limit"
            | "maximum"
            | "cap"
            | "procedure"
            | "terms",
            *_,
        ):
            return path[0]
    return ""


def _by(part: str, clause: str, place: int, of: int) -> frozenset[Act]:
    """What is done by one of the clauses that a part of a game file has; by all of them where the code does not say by which."""
    by = acts_by_source()
    named = {
        end for source, end in by if source == part and isinstance(end, str) and clause.endswith((f".{end}", f"-{end}"))
    }
    which: set[int | str | None] = {place, place - of, *named}
    exact = frozenset[Act]().union(*(by.get((part, each), frozenset()) for each in which))
    return exact or by.get((part, None), frozenset()) | by.get((part, 0), frozenset())


@cache
def acts() -> Mapping[str, tuple[Act, ...]]:
    """What the running table does by each clause."""
    found: dict[str, tuple[Act, ...]] = {}
    for id in registry.all_games():
        found |= acts_of(registry.load_game(registry.find(id)))
    return found


def acts_of(game: Game) -> Mapping[str, tuple[Act, ...]]:
    """What the table does by each clause of one game."""
    found: dict[str, set[Act]] = {}
    for path, listed in _placed(game, (), set()):
        for place, clause in enumerate(listed):
            found.setdefault(clause, set()).update(_by(_part(path), clause, place, len(listed)))
    for kind, rule in game.irregularities.items():
        report = OWN_REPORTS.get(kind, "report-irregularity")
        for clause in rule.clauses:
            found.setdefault(clause, set()).update(Act(report, record) for record in REMEDIES.get(rule.remedy, ()))
    return {clause: tuple(sorted(each)) for clause, each in found.items() if each}


@cache
def screens() -> Mapping[str, tuple[str, ...]]:
    """On which pages each command is given, as `make rules` has found them in the page's sources."""
    found: dict[str, tuple[str, ...]] = {}
    for command, page in rulebook_rows("screens.csv"):
        found[command] = (*found.get(command, ()), page)
    return found


@cache
def beside_the_table() -> Mapping[str, str]:
    """Clauses that no act of the table cites, each with the reason."""
    return {row[0]: row[1] for row in rulebook_rows("beside_table.csv")}
