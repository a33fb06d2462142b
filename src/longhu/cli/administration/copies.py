"""`longhu admin backup` and `restore`: a copy of everything that a house keeps, made while it runs and put back while it does not."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from argparse import Namespace
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from longhu.cli.administration.house import now, opened, whole_check
from longhu.cli.main import OK, BadInput
from longhu.store.address import is_server
from longhu.store.errors import StoreError

SCHEMA = "longhu"
DUMP, FILE = b"PGDMP", b"SQLite format 3\0"  # what backups of either kind begin with


def backup(args: Namespace) -> int:
    """A copy of the store as it stands at this moment; it is whole, or it is not there."""
    target = Path(args.file)
    if target.exists():
        raise BadInput(f"{target} is there already, and a backup is never written over; name another file")
    address: str = args.house.database
    if is_server(address):
        _dump(address, target)
    else:
        from longhu.store.sqlite import SqliteStore

        with opened(args.house) as store:
            if not isinstance(store, SqliteStore):
                raise AssertionError(f"{address} is a file, and its store is another")
            store.backup(target)
    args.told(
        {"backup": str(target), "octets": target.stat().st_size},
        f"{target}: a backup of {args.shown_address}. It has secrets of shuffles: keep it as well as the house itself.",
    )
    return OK


def restore(args: Namespace) -> int:
    """Put a backup in its place; the house is stopped meanwhile, and what was there before is kept beside it."""
    source = Path(args.file)
    if not source.is_file():
        raise BadInput(f"{source}: there is no such backup")
    to_server = is_server(args.house.database)
    _check_kind(source, to_server=to_server)
    kept = _load(args, source) if to_server else _put_back(args, source)
    also = f" What was there before is kept as {kept}." if kept else ""
    args.told({"restored": args.shown_address, "kept": kept}, f"{args.shown_address} is as {source} has it.{also}")
    return OK


def _check_kind(source: Path, *, to_server: bool) -> None:
    """What came out of a database goes into a database, and a file becomes a file."""
    with source.open("rb") as file:
        start = file.read(len(FILE))
    if not start.startswith((FILE, DUMP)):
        raise BadInput(f"{source} is no backup of a house; `longhu admin backup` makes one")
    if start.startswith(DUMP) and not to_server:
        raise BadInput(f"{source} is a backup of a PostgreSQL database, and --database names a file")
    if start.startswith(FILE) and to_server:
        raise BadInput(f"{source} is a backup of a file, and --database names a PostgreSQL database")


# ------------------------------------------------ a file


def _put_back(args: Namespace, source: Path) -> str:
    """The backup, checked, in the place of the file; the name under which the file before it is kept, "" without one."""
    target = Path(args.house.database)
    if target.exists() and source.samefile(target):
        raise BadInput(f"{source} is the house itself; name the backup")
    if target.exists() and not args.replace:
        raise BadInput(f"{target} is there already; --replace keeps it beside the restored one, under another name")
    if not target.exists() and (left := [each for each in _logs(target) if each.exists()]):
        raise BadInput(f"{left[0]} is the log of a house that is not there; move it away first")
    fresh = _beside(target, ".unfinished")
    try:
        _copied(source, fresh)
        with opened(args.house, str(fresh)) as store:
            whole_check(store, "checking the backup")
        aside = _set_aside(target) if target.exists() else None
        try:
            os.link(fresh, target)  # fails where somebody else has made that file meanwhile
        except OSError:
            if aside is not None:
                os.link(aside, target)
            raise
    except OSError as error:
        raise BadInput(f"{target}: {error.strerror}. Nothing was restored") from None
    finally:
        for each in (fresh, *_logs(fresh)):
            each.unlink(missing_ok=True)
    return str(aside or "")


def _copied(source: Path, target: Path) -> None:
    """A copy that only its owner reads, on the disk."""
    with (
        source.open("rb") as reading,
        open(os.open(target, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "wb") as writing,
    ):
        shutil.copyfileobj(reading, writing)
        writing.flush()
        os.fsync(writing.fileno())


def _set_aside(target: Path) -> Path:
    """The file under another name, once it is sure that nobody uses it; its log is written back, or kept beside it."""
    import apsw

    aside = _beside(target, f".{_before()}")
    with closing(apsw.Connection(str(target))) as connection:
        try:
            list(connection.execute("pragma wal_checkpoint(truncate)"))
            list(connection.execute("pragma journal_mode = delete"))  # only whoever is alone with a file can do that
            list(connection.execute("begin exclusive"))
        except apsw.BusyError:
            raise BadInput(f"{target} is in use; stop the server first, then restore") from None
        except (apsw.NotADBError, apsw.CorruptError):
            pass  # why it is being replaced
        except apsw.Error as error:
            raise BadInput(f"{target}: {error}. Nothing was restored") from None
        os.link(target, aside)
        target.unlink()
    for log, kept in zip(_logs(target), _logs(aside), strict=True):
        if log.exists():
            log.replace(kept)
    return aside


def _logs(path: Path) -> tuple[Path, Path]:
    """What SQLite keeps beside a file."""
    return _beside(path, "-wal"), _beside(path, "-shm")


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _before() -> str:
    return time.strftime("before-%Y%m%d-%H%M%S", time.gmtime())


# ------------------------------------------------ a PostgreSQL database


def _dump(address: str, target: Path) -> None:
    unfinished = _beside(target, ".unfinished")
    try:
        os.close(os.open(unfinished, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600))
        _run(address, "pg_dump", "--format=custom", f"--schema={SCHEMA}", f"--file={unfinished}")
        os.link(unfinished, target)
    except OSError as error:
        raise BadInput(f"{target}: {error.strerror}; there is no backup") from None
    finally:
        unfinished.unlink(missing_ok=True)


def _load(args: Namespace, source: Path) -> str:
    address: str = args.house.database
    with _connected(address) as connection:
        aside = _make_room(connection, replace=args.replace)
        try:
            into = _parameters(address).get("dbname") or _parameters(address).get("user") or "postgres"
            options = ("--exit-on-error", "--single-transaction", "--no-owner", f"--dbname={into}")
            _run(address, "pg_restore", *options, str(source))
            with opened(args.house) as store:
                whole_check(store, "checking what was restored")
        except (BadInput, StoreError):
            _take_back(connection, aside)
            raise
    return f"schema {aside}" if aside else ""


def _make_room(connection: Any, *, replace: bool) -> str:
    """The name that the schema which is there now goes by afterwards; "" where there is none."""
    if not connection.execute("select 1 from pg_namespace where nspname = %s", (SCHEMA,)).fetchall():
        return ""
    if not replace:
        raise BadInput("the database has a house already; --replace keeps it beside the restored one")
    held = connection.execute(f"select holder from {SCHEMA}.leases where until > %s", (now(),)).fetchall()
    if held:
        raise BadInput(f"the node {held[0][0]} is running on it; stop the servers first, then restore")
    aside = f"{SCHEMA}_{_before().replace('-', '_')}"
    connection.execute(f"alter schema {SCHEMA} rename to {aside}")
    return aside


def _take_back(connection: Any, aside: str) -> None:
    connection.execute(f"drop schema if exists {SCHEMA} cascade")
    if aside:
        connection.execute(f"alter schema {aside} rename to {SCHEMA}")


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    import psycopg

    try:
        with psycopg.connect(address, autocommit=True, connect_timeout=10) as connection:
            yield connection
    except psycopg.Error as error:
        raise BadInput(f"the database: {str(error).strip().splitlines()[0]}") from None


def _run(address: str, program: str, *arguments: str) -> None:
    """One of PostgreSQL's own programs; how to reach the server goes by the environment, where no other user sees it."""
    found = shutil.which(program)
    if found is None:
        raise BadInput(f"{program} is not to be found; install PostgreSQL's client programs, or do it on the server")
    environment = {**os.environ, **_environment(address)}
    done = subprocess.run([found, *arguments], env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        raise BadInput(f"{program}: {'; '.join(each.removeprefix(f'{program}: ') for each in said[-2:])}")


def _environment(address: str) -> dict[str, str]:
    """The variables that libpq reads for what an address says."""
    from psycopg import pq

    variables = {each.keyword.decode(): each.envvar.decode() for each in pq.Conninfo.get_defaults() if each.envvar}
    return {variables[name]: str(value) for name, value in _parameters(address).items() if name in variables}


def _parameters(address: str) -> Mapping[str, Any]:
    import psycopg
    from psycopg.conninfo import conninfo_to_dict

    try:
        return conninfo_to_dict(address)
    except psycopg.Error as error:
        raise BadInput(f"--database: {str(error).strip()}") from None
