"""A budget of modules and lines for each package, and of modules that a wager passes (tests/budget.toml).

It is a ratchet. It may be lowered in any commit and must follow what is deleted: more than 5 % above what is there is too much. To raise it
takes a decision record (docs/decisions) that says what is gained.

    make budget                                     lower it to what is there
    python -m tests.test_budget --write --raise     also raise it, and give a new package its budget
"""

from __future__ import annotations

import argparse
import importlib.util
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
BUDGET = ROOT / "tests" / "budget.toml"
PROGRAM = ROOT / "src" / "longhu"
TOP_LEVEL = "top level"
SLACK = 1.05  # a budget that is further above what is there must be lowered
DIVIDED = "server"  # its packages have a budget each; what is left is its own modules

Figures = Mapping[str, int]


class Size(NamedTuple):
    modules: int  # without __init__.py
    lines: int


def packages() -> dict[str, list[Path]]:
    """The files of each package that has a budget."""
    found: dict[str, list[Path]] = {}
    for file in sorted(PROGRAM.rglob("*.py")):
        *folders, _ = file.relative_to(PROGRAM).parts
        depth = 2 if folders[:1] == [DIVIDED] else 1
        found.setdefault(".".join(folders[:depth]) or TOP_LEVEL, []).append(file)
    return found


def size(files: list[Path]) -> Size:
    modules = [each for each in files if each.name != "__init__.py"]
    return Size(len(modules), sum(len(each.read_text(encoding="utf-8").splitlines()) for each in files))


def wager() -> dict[str, int]:
    """How many modules a traced wager passes over a socket, and how many HTTP adds."""
    spec = importlib.util.spec_from_file_location("wager_path", ROOT / "docs" / "wager_path.py")
    assert spec is not None
    assert spec.loader is not None
    path: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(path)
    found = path.counts(path.traced())
    return {"socket": found.socket, "http_adds": found.http_adds}


def budget() -> dict[str, dict[str, Any]]:
    return tomllib.loads(BUDGET.read_text(encoding="utf-8"))


def above(name: str, allowed: Figures, found: Figures) -> list[str]:
    """What is more than the budget allows, in words."""
    return [
        f"{name} has {found[each]} {each}, and its budget is {allowed.get(each, 0)}. Delete something, or raise the budget "
        "with a decision record: python -m tests.test_budget --write --raise"
        for each in found
        if found[each] > allowed.get(each, 0)
    ]


def too_generous(name: str, allowed: Figures, found: Figures) -> list[str]:
    """What the budget allows without need, in words."""
    return [
        f"the budget of {name} is {allowed[each]} {each}, and there are {found[each]}. Lower it to {found[each]}: make budget"
        for each in found
        if allowed.get(each, 0) > found[each] * SLACK
    ]


@pytest.mark.parametrize("name", packages())
def test_a_package_keeps_to_its_budget(name: str) -> None:
    allowed, found = budget()["packages"].get(name, {}), size(packages()[name])._asdict()
    wrong = above(name, allowed, found) + too_generous(name, allowed, found)
    assert not wrong, "\n".join(wrong)


def test_every_budget_is_that_of_a_package() -> None:
    gone = budget()["packages"].keys() - packages().keys()
    assert not gone, f"there is no package {', '.join(gone)}. Run: make budget"


def test_a_wager_passes_no_more_modules_than_it_may() -> None:
    wrong = above("a wager's way (docs/wager_path.py --print)", budget()["wager"], wager())
    assert not wrong, "\n".join(wrong)


def test_the_budget_is_a_ratchet() -> None:
    allowed = {"modules": 20, "lines": 1000}
    assert not above("x", allowed, {"modules": 20, "lines": 1000})
    assert len(above("x", allowed, {"modules": 21, "lines": 1001})) == 2
    assert not too_generous("x", allowed, {"modules": 20, "lines": 953})
    assert "Lower it to 952" in too_generous("x", allowed, {"modules": 20, "lines": 952})[0]
    assert lowered(allowed, {"modules": 21, "lines": 900}, may_rise=False) == {"modules": 20, "lines": 900}
    assert lowered(allowed, {"modules": 21, "lines": 900}, may_rise=True) == {"modules": 21, "lines": 900}


def lowered(allowed: Figures, found: Figures, *, may_rise: bool) -> Figures:
    return {each: found[each] if may_rise else min(found[each], allowed.get(each, 0)) for each in found}


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    asked.add_argument("--write", action="store_true", required=True, help="lower the budget to what is there")
    asked.add_argument("--raise", action="store_true", dest="may_rise", help="raise it where there is more")
    may_rise = asked.parse_args().may_rise
    sizes: dict[str, Figures] = {name: size(files)._asdict() for name, files in packages().items()}
    passed, allowed = wager(), budget()
    lines = [
        "# Read by tests/test_budget.py. Lower it with `make budget`; to raise it takes a decision record.",
        "",
        "[packages]",
    ]
    for name, found in sizes.items():
        new = lowered(allowed["packages"].get(name, {}), found, may_rise=may_rise)
        lines.append(f'"{name}" = {{ modules = {new["modules"]}, lines = {new["lines"]} }}')
    lines += ["", "[wager] # modules in which anything is called"]
    lines += [f"{each} = {most}" for each, most in lowered(allowed["wager"], passed, may_rise=may_rise).items()]
    BUDGET.write_text("\n".join([*lines, ""]), encoding="utf-8")
    now = budget()
    for line in [each for name, found in sizes.items() for each in above(name, now["packages"][name], found)]:
        print(line)  # noqa: T201
    for line in above("a wager's way", now["wager"], passed):
        print(line)  # noqa: T201


if __name__ == "__main__":
    main()
