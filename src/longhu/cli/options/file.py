"""Files that appear when they are whole: a reader never meets half of one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from longhu.cli.main import BadInput


@contextmanager
def written_whole(option: str, name: str) -> Iterator[BinaryIO]:
    """The whole file or none of it; a device or a pipe is written to, never replaced."""
    target = Path(os.path.realpath(name))
    part, special = target.with_name(f".longhu-{os.getpid()}.part"), False
    try:
        special = target.exists() and not target.is_file()
        with (target if special else part).open("wb") as file:
            yield file
        if not special:
            part.replace(target)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise BadInput(f"{option} {name[:200]}: {error.strerror}; name a file that can be written") from None
    finally:
        part.unlink(missing_ok=True)


def check_folder(option: str, name: str) -> None:
    """Tell at once, not after counting, that a file cannot be written there."""
    if not name or os.path.isdir(name):
        raise BadInput(f"{option} {name or repr(name)}: {'a folder' if name else 'no name'}; name a file")
    folder = Path(name).parent
    if not os.path.isdir(folder):
        raise BadInput(f"{option} {name}: there is no folder {folder}; make it first, or name another")
