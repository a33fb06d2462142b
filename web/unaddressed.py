"""Take out of a lock file where packages come from and who gives money for them: names, versions and digests are enough."""

from __future__ import annotations

import json
import sys
from pathlib import Path

ADDRESSES = ("resolved", "funding")


def main(file: Path) -> None:
    lock = json.loads(file.read_text(encoding="utf-8"))
    for package in lock["packages"].values():
        for name in ADDRESSES:
            package.pop(name, None)
    file.write_text(json.dumps(lock, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
