"""Compiled code goes with whatever it is made of, also where that stands in other files."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from longhu.compiled_kernels import PACKAGE, made_of

KERNELS = sorted(PACKAGE.glob("*/kernels/[!_]*.py"))


@pytest.mark.parametrize("file", KERNELS, ids=lambda file: f"{file.parts[-3]}-{file.stem}")
def test_everything_that_a_kernel_imports_is_what_it_is_made_of(file: Path) -> None:
    """Held against Python's own reading of the file."""
    found: set[Path] = set()
    for each in ast.walk(ast.parse(file.read_text())):
        if isinstance(each, ast.ImportFrom) and (each.module or "").partition(".")[0] == "longhu":
            names = [str(each.module), *(f"{each.module}.{alias.name}" for alias in each.names)]
            found |= {path for name in names if (path := PACKAGE.parent / f"{name.replace('.', '/')}.py").is_file()}
        assert not isinstance(each, ast.Import) or all(not alias.name.startswith("longhu") for alias in each.names)
    assert found <= made_of(file)
    assert made_of(file) == {file, *found}.union(*(made_of(each) for each in found if each.parent.name == "kernels"))


FIRST = """
from numba import njit
from longhu.small.kernels.second import STEP, step

@njit(cache=True)
def total(count):
    return step(count) + STEP
"""
SECOND = """
from numba import njit

STEP = {0}

@njit(cache=True)
def step(count):
    return count * {0}
"""
RUN = """
import sys, longhu
longhu.__path__.append(sys.argv[1])
import longhu.compiled_kernels as kept
from pathlib import Path
kept.PACKAGE = Path(sys.argv[1])
kept.compare()
from longhu.small.kernels.first import total
print(total(10), sum(total.stats.cache_hits.values()))
"""


def test_a_change_in_another_file_is_noticed(tmp_path: Path) -> None:
    kernels = tmp_path / "small" / "kernels"
    kernels.mkdir(parents=True)
    (kernels / "first.py").write_text(FIRST)

    def ran(step: int) -> str:
        (kernels / "second.py").write_text(SECOND.format(step))
        # without bytecode, which Python takes for new where a file is as long as before and written in the same second
        asked = [sys.executable, "-B", "-c", RUN, str(tmp_path)]
        done = subprocess.run(asked, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    assert ran(2) == "22 0"
    assert ran(2) == "22 1", "kept, as long as nothing has changed"
    assert ran(3) == "33 0"
