"""How strong the tests are: small faults are put into the code one at a time, and tests that still pass have missed one.

mutmut makes the faulty versions ("mutants"): another operator, a number one higher, an argument left out. Its own runner is not
used, for two reasons. It wants whole packages, which takes hours, and it leaves out functions with a decorator, which all
deciders of the table are. So each mutant of a sample is written into a copy of the tree, and the tests of its module run there
until the first one fails. A mutant that makes them fail, or run for far too long, is killed. The score is the share of killed ones.

A sample depends on the seed and on the code of each mutant, not on its place in the file: a function that is unchanged in a later
version gives the same mutants again, so that two versions can be compared. Some survivors are no fault of the tests, since the
program does the same with them.

mutmut is not in the lock file, since nothing else needs it, so it gets an environment of its own beside the tree:

    python3 -m venv ../mutation
    ../mutation/bin/pip install -r requirements.lock
    ../mutation/bin/pip install 'mutmut==3.8.*' --editable .
    ../mutation/bin/python -m soak.mutation [--sample N] [--seed S] [--root TREE] [TARGET ...]
"""

from __future__ import annotations

import argparse
import difflib
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from hashlib import sha256
from importlib.util import cache_from_source
from pathlib import Path
from typing import NamedTuple

import libcst as cst
from mutmut.mutation.file_mutation import ChildReplacementTransformer, MutationVisitor
from mutmut.mutation.mutators import mutation_operators
from mutmut.mutation.pragma_handling import IgnoredCode

SEED = 20
MEMORY = 6 << 30  # bytes that a run of the tests may use: a mutant may well fill a list for ever
NEVER_COPIED = shutil.ignore_patterns(".*", "node_modules", "__pycache__")


class Target(NamedTuple):
    """A module, how many of its mutants are tried, and the arguments of the pytest that should kill them."""

    path: str
    sample: int
    tests: tuple[str, ...]


class Score(NamedTuple):
    mutants: int
    tried: int = 0
    killed: int = 0
    endless: int = 0  # of those that were killed

    def row(self, name: str) -> str:
        survived, share = self.tried - self.killed, self.killed / max(self.tried, 1)
        return f"{name:24}{self.mutants:8}{self.tried:7}{self.killed:8}{self.endless:9}{survived:10}{share:8.1%}"


CARDS = ("tests/clauses", "tests/test_every_game.py", "tests/test_roundfile.py")
SETTLEMENT = (*CARDS, "tests/test_cli.py", "tests/table/test_settlement.py")
LEDGER = ("tests/table", "tests/store/test_contract.py", "-k", "not postgresql")
STORE_TESTS = ("contract", "wallets", "rounds", "risks", "trails", "balances", "model")
STORE = (*(f"tests/store/test_{name}.py" for name in STORE_TESTS), "-k", "not postgresql")
DECIDERS = (
    *("betting", "settling", "dealing", "handling", "differential"),
    *("remedies/void", "irregularities/late", "irregularities/missing", "remedies/procedure"),
)
TARGETS = {
    "settlement": Target("src/longhu/settlement.py", 40, SETTLEMENT),
    "ledger": Target("src/longhu/ledger.py", 40, LEDGER),
    "validation": Target("src/longhu/store/validation.py", 40, STORE),
    **{name: Target(f"src/longhu/table/{name}.py", 14, ("tests/table",)) for name in DECIDERS},
}


class Visitor(MutationVisitor):
    """mutmut's own, but decorated functions are mutated too; their decorators are not."""

    def _skip_node_and_children(self, node: cst.CSTNode) -> bool:
        return not isinstance(node, cst.FunctionDef) and bool(super()._skip_node_and_children(node))


def mutants(path: Path, sample: int, seed: int) -> tuple[int, list[tuple[str, str]]]:
    """How many a module has, and a sample of them: the code of the whole module, and the difference."""
    wrapper = cst.MetadataWrapper(cst.parse_module(path.read_text(encoding="utf-8")))
    module, visitor = wrapper.module, Visitor(mutation_operators, IgnoredCode(set(), set(), set()))
    wrapper.visit(visitor)
    ranked = []
    for each in visitor.mutations:
        function = each.contained_by_top_level_function
        if isinstance(function, cst.FunctionDef):  # not a field of a class, nor what runs on import
            change = [module.code_for_node(node) for node in (each.original_node, each.mutated_node)]
            ranked.append((sha256(repr((seed, function.name.value, change)).encode()).digest(), each))
    ranked.sort(key=lambda one: one[0])
    chosen = []
    for _, each in ranked[:sample]:
        code = str(module.visit(ChildReplacementTransformer(each.original_node, each.mutated_node)).code)
        lines = difflib.unified_diff(module.code.splitlines(), code.splitlines(), n=0, lineterm="")
        chosen.append((code, "\n".join([*lines][2:])))
    return len(ranked), chosen


class Copy:
    """A copy of the tree, in which one module at a time is replaced."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(root, folder, ignore=NEVER_COPIED)
        self._seconds: dict[tuple[str, ...], float] = {}

    def seconds(self, tests: tuple[str, ...]) -> float:
        """How long these tests take without any mutant; they must pass."""
        if tests not in self._seconds:
            start = time.monotonic()
            if not self._passes(tests, None):
                sys.exit(f"soak: these tests fail without any mutant: {' '.join(tests)}")
            self._seconds[tests] = time.monotonic() - start
        return self._seconds[tests]

    def survives(self, path: str, code: str, tests: tuple[str, ...]) -> bool | None:
        """Do the tests pass with this code in the module? None where they did not end."""
        limit = 10 + 4 * self.seconds(tests)
        module = self.folder / path
        right = module.read_text(encoding="utf-8")
        module.write_text(code, encoding="utf-8")
        Path(cache_from_source(str(module))).unlink(missing_ok=True)  # it may look as new as the mutant
        try:
            return self._passes(tests, limit)
        except subprocess.TimeoutExpired:
            return None
        finally:
            module.write_text(right, encoding="utf-8")

    def _passes(self, tests: tuple[str, ...], limit: float | None) -> bool:
        environment = os.environ | {"PYTHONPATH": str(self.folder / "src")}
        environment["PYTHONDONTWRITEBYTECODE"] = "1" if limit else ""  # bytecode of the right code alone is kept
        pytest = subprocess.Popen(
            [sys.executable, "-m", "pytest", "-x", "-q", *tests],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # so that what it starts ends with it
        )
        try:
            return pytest.wait(limit) == 0
        finally:
            if pytest.poll() is None:
                os.killpg(pytest.pid, signal.SIGKILL)
                pytest.wait()


def measure(copy: Copy, name: str, target: Target, sample: int, seed: int) -> Score:
    """Try the sample of one target, and print what survived."""
    count, chosen = mutants(copy.folder / target.path, sample, seed)
    if copy.survives(target.path, "raise AssertionError\n", target.tests):
        sys.exit(f"soak: the tests of {name} do not read {target.path} in the copy of the tree")
    score = Score(count)
    print(f"{name}: {count} mutants", flush=True)
    for code, diff in chosen:
        survived = copy.survives(target.path, code, target.tests)
        score = Score(count, score.tried + 1, score.killed + (not survived), score.endless + (survived is None))
        if survived:
            print(f"survived {diff}", flush=True)
    return score


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m soak.mutation", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"all unless told: {', '.join(TARGETS)}")
    parser.add_argument("--sample", type=int, help="mutants that are tried of each target; 40 or 14 unless told")
    parser.add_argument("--seed", type=int, default=SEED, help=f"which mutants are tried; {SEED} unless told")
    parser.add_argument("--root", type=Path, default=Path(), help="the tree that is measured; this one unless told")
    asked = parser.parse_args()
    if unknown := set(asked.targets) - TARGETS.keys():
        parser.error(f"no such target: {', '.join(sorted(unknown))}")
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with tempfile.TemporaryDirectory(prefix="longhu-mutation-") as folder:
        copy = Copy(asked.root, Path(folder) / "tree")
        scores = {}
        for name in asked.targets or TARGETS:
            scores[name] = measure(copy, name, TARGETS[name], asked.sample or TARGETS[name].sample, asked.seed)
    print(f"\n{f'seed {asked.seed}':24} mutants  tried  killed  endless  survived   score")
    for name, score in scores.items():
        print(score.row(name))
    print(Score(*map(sum, zip(*scores.values(), strict=True))).row("together"))


if __name__ == "__main__":
    main()
