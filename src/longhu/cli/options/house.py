"""How `serve` and `admin` let the user name a house: a configuration, a database, or the demonstration."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from longhu.cli.main import BadInput

if TYPE_CHECKING:
    from longhu.server.config import Config

DEMO_LOGS = {"LONGHU_LOG_FORMAT": "console", "LONGHU_LOG_LEVEL": "warning"}  # somebody watches the terminal


def add_house(parser: ArgumentParser) -> None:
    """`--config FILE`, `--database ADDRESS` and `--demo`."""
    parser.add_argument("--config", metavar="FILE", help="settings of the house, as TOML")
    parser.add_argument("--database", metavar="ADDRESS", help="a file, or postgresql://…; before what --config says")
    parser.add_argument("--demo", action="store_true", help="the demonstration, with play money")


def typed_house(args: Namespace) -> str:
    """The house as the user named it, to be typed again; without the password of a database."""
    words = [("--config", args.config), ("--database", args.database and shown_address(args.database))]
    return " ".join([f"{name} {quote(value)}" for name, value in words if value] + ["--demo"] * args.demo)


def shown_address(address: str) -> str:
    """The address without a password in it."""
    from longhu.store.address import is_server

    if not is_server(address):
        return address
    from urllib.parse import urlsplit

    parts = urlsplit(address)
    user, at, host = parts.netloc.rpartition("@")
    return f"{parts.scheme}://{user.partition(':')[0]}{at}{host}{parts.path}"


def demo_database(environ: Mapping[str, str]) -> Path:
    """Where the demonstration keeps its data: with the user's other data, as freedesktop.org has it."""
    base = environ.get("XDG_DATA_HOME", "")
    folder = Path(base) if os.path.isabs(base) else Path.home() / ".local" / "share"
    return folder / "longhu" / "demo.db"


def chosen_config(args: Namespace, environ: Mapping[str, str], **also: object) -> Config:
    """The settings that the user named; what was typed comes before the environment, and that before the file."""
    from msgspec.structs import replace

    from longhu.server.config import BadConfig, check, load

    typed: dict[str, object] = {name: value for name, value in also.items() if value is not None}
    own_database = args.database is not None or "LONGHU_DATABASE" in environ or args.config
    if args.demo:
        environ = environ if args.config else {**DEMO_LOGS, **environ}
        if not own_database:
            typed["database"] = str(_made(demo_database(environ)))
    if args.database is not None:
        typed["database"] = args.database
    try:
        loaded = load(args.config, {**environ, **({"LONGHU_DEMO": "true"} if args.demo else {})})
        config = replace(loaded, **typed)
        check(config)
    except BadConfig as error:
        raise BadInput(str(error)) from None
    return config


def _made(path: Path) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{path.parent}: {error.strerror}; name another place with --database") from None
    return path
