"""Write the lower parts of all transcripts anew: `python -m tests.transcripts_update`. Then read the difference."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from tests.test_transcripts import FILES, RULE, read, replay, told


def update() -> None:
    with TemporaryDirectory() as folder:
        for path in FILES:
            head = path.read_text(encoding="utf-8").partition(f"{RULE}\n")[0]
            path.write_text(f"{head}{RULE}\n{told(replay(read(path).head, Path(folder)))}", encoding="utf-8")


if __name__ == "__main__":
    update()
