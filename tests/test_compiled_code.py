"""Compiled code is kept somewhere, also for a user who may write nowhere but in the folder for what is temporary."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from longhu.cli.main import COMPILED_CODE, keep_compiled_code

NOWHERE = "/dev/null/longhu"  # as a package or a home that cannot be written
SCRIPT = f"""
import os
from longhu.cli.main import keep_compiled_code
keep_compiled_code(os.environ, {NOWHERE!r})
from longhu.simulate.kernels.chance import start_of
print(os.environ[{COMPILED_CODE!r}], start_of.__name__)
"""


def test_beside_the_program_or_where_somebody_says(tmp_path: Path) -> None:
    environ = {"HOME": NOWHERE}
    keep_compiled_code(environ, str(tmp_path))
    assert environ == {"HOME": NOWHERE}
    keep_compiled_code(environ | {COMPILED_CODE: "/somewhere"}, NOWHERE)
    assert COMPILED_CODE not in environ


def test_with_the_caches_of_the_user(tmp_path: Path) -> None:
    for environ in ({"HOME": str(tmp_path)}, {"HOME": NOWHERE, "XDG_CACHE_HOME": str(tmp_path / "caches")}):
        keep_compiled_code(environ, NOWHERE)
        assert COMPILED_CODE not in environ
    assert {each.name for each in tmp_path.iterdir()} == {".cache", "caches"}


def test_for_one_run_where_nothing_else_can_be_written(tmp_path: Path) -> None:
    own = {name: value for name, value in os.environ.items() if name not in (COMPILED_CODE, "XDG_CACHE_HOME")}
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**own, "HOME": NOWHERE, "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    folder, name = ran.stdout.split()
    assert (Path(folder).parent, name) == (tmp_path, "start_of")
    assert list(tmp_path.iterdir()) == []  # taken away at the end
