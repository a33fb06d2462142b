"""The configuration of a house: a TOML file, then the environment (`LONGHU_PORT` for `port`), with a sane default for each setting.

An impossible setting is refused in one line before anything starts. A house with real accounts is held to more than a
demonstration: no plain http to other machines, no key that everybody knows, no game faster than PLY-3 allows.
"""

from __future__ import annotations

import secrets
import socket
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from longhu.accounts.policy import Policy
from longhu.fairness.shuffle import secret_of
from longhu.money import Currency, MoneyError
from longhu.protocol import DECKS_MAX, LIST_MAX, MESSAGE_BYTES, SEATS_MAX, TABLE_NAME_MAX, Chips, Device, Patrons
from longhu.server.table_equipment import TableEquipment
from longhu.wording import shown, suggest

PREFIX = "LONGHU_"
LOOPBACK = ("127.0.0.1", "::1")
HASH_KIB = 19_456  # the least memory that keeps a stolen password hash from being tried out quickly
CYCLE_SECONDS = 5.0  # the quickest that a game with real accounts may go (PLY-3)
KNOWN_KEYS = frozenset([bytes(range(32)), b"\0" * 32, b"\xff" * 32])  # that of docs/audit-log.md, and what people type

Seconds = Annotated[float, Meta(ge=0, le=86_400)]
Count = Annotated[int, Meta(ge=1, le=1_000_000_000)]
Name = Annotated[str, Meta(min_length=1, max_length=80)]


class BadConfig(ValueError):
    """A setting that cannot be: which one, what was found, what was expected. One line."""


class TableConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table that the house opens when it starts, where it has none of that name."""

    table: Annotated[str, Meta(min_length=1, max_length=TABLE_NAME_MAX)]
    game: Name  # its id, or a file
    readings: dict[str, str] = {}
    layout: str = ""  # "": the one with the most wagers
    decks: Annotated[int, Meta(ge=0, le=DECKS_MAX)] = 0  # 0: as many as usual
    positions: Annotated[int, Meta(ge=0, le=SEATS_MAX)] = 0  # 0: as many as the layout has, at most seven
    method: str = ""
    dealer: Literal["automatic", "human"] = "automatic"
    device: Device = "virtual"  # what cards are dealt from
    chips: Chips = "electronic"  # what is wagered with
    patrons: Patrons = "rated"  # whose chips: those of accounts, chips by position and spot, or both
    minimum: str = "1.00"  # of every wager whose limits are not told below
    maximum: str = "1000.00"
    limits: dict[str, dict[Literal["min", "max", "increment"], str]] = {}  # by wager
    chip_unit: str = ""  # the smallest chip, in which wagers go; "": the smallest coin
    differential: str = ""  # the largest table differential; "": none is posted
    equipment: TableEquipment | None = None  # what stands on it; None: nothing does, or a demonstration assumes it
    cards_counted: Annotated[int, Meta(ge=0, le=LIST_MAX)] = 0  # in the set, by those who open it; 0: counted later
    checklist: list[str] = []  # what the house wants done before the table opens
    checked: list[str] = []  # what of it was done
    favours_patrons: list[str] = []  # wagers with a negative house edge that the operator offers all the same
    float: str = "100000.00"  # what is in the tray at first
    area: str = ""


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that whoever runs the house may set. Files and environment tell the settings of `policy` beside the others."""

    policy: Policy = Policy()  # what holds for all people of the house
    database: str = "longhu.db"  # a file, or postgresql://…
    host: str = "127.0.0.1"  # the address to listen on
    port: Annotated[int, Meta(ge=0, le=65_535)] = 8270  # 0: any that is free
    origin: str = ""  # as browsers see it, https://tables.example; "": this machine only
    certificate: str = ""  # a PEM file: https is answered here, without a server in front
    certificate_key: str = ""  # the PEM file with its private key
    hosts: list[str] = []  # other names under which browsers and proxies may ask for it, beside that in the origin
    proxies: list[str] = []  # addresses of proxies, beside one on this machine, that are believed for whom they ask
    tables: list[TableConfig] = []
    betting_seconds: Seconds = 15.0  # how long an automatic dealer takes wagers
    pace_seconds: Seconds = 1.0  # between two acts of an automatic dealer
    shoe_silent_seconds: Seconds = 6.0  # after which a shoe that reads cards, and says nothing, counts as lost
    contribution_seconds: Seconds = 10.0  # how long patrons may add to a shuffle, and cut
    sign_ins_per_minute: Count = 20  # from one address
    requests_per_second: Count = 100  # from one address, on average
    lab_per_second: Count = 8  # questions to the odds lab from one address, on average
    spectators: bool = True  # whoever is not signed in may watch
    node: Name = msgspec.field(default_factory=lambda: f"{socket.gethostname()[:60]}-{secrets.token_hex(4)}")
    signing_key: str = ""  # 64 hexadecimal digits, or the file that has them; "": heads are not signed
    copy: str = ""  # the folder in which every record is written a second time; "": none is
    secure_cookies: bool | None = None  # None: unless this machine alone is served over plain http
    metrics: bool = True  # /metrics answers staff, and whoever asks from this machine
    metrics_open: bool = False  # /metrics answers everybody
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["json", "console"] = "json"
    body_bytes: Annotated[int, Meta(ge=1_024, le=10_000_000)] = MESSAGE_BYTES  # the largest request
    request_seconds: Annotated[float, Meta(gt=0, le=3_600)] = 30.0  # after which a request is given up
    stop_seconds: Seconds = 10.0  # how long requests may still take when the server stops

    def __repr__(self) -> str:
        """Without the key: a log line must not have it."""
        told = {name: getattr(self, name) for name in self.__struct_fields__ if name != "signing_key"}
        return f"Config({', '.join(f'{name}={value!r}' for name, value in told.items())})"

    @property
    def demo(self) -> bool:
        """Play money, seeded accounts, guests and robots."""
        return self.policy.play_money

    @property
    def money(self) -> Currency:
        return self.policy.money

    @property
    def is_local(self) -> bool:
        """Does only this machine reach it?"""
        return is_loopback(self.host)

    @property
    def believed(self) -> list[str]:
        """Proxies that say for whom they ask: those told, and where there is an origin, whatever is on this machine."""
        return [*self.proxies, *(LOOPBACK if self.origin else ())]

    @property
    def secure(self) -> bool:
        """Are cookies sent over https alone?"""
        if self.secure_cookies is not None:
            return self.secure_cookies
        return self.scheme == "https" or self.origin.startswith("https://") or not self.is_local

    @property
    def scheme(self) -> str:
        """How this node answers; a server in front may answer otherwise."""
        return "https" if self.certificate else "http"

    def private_key(self) -> bytes | None:
        """What heads are signed with; None where nothing is signed."""
        if not self.signing_key:
            return None
        key = secret_of(self.signing_key)
        if key is None and not _looks_like_a_key(self.signing_key):
            try:
                key = secret_of(Path(self.signing_key).read_text().strip())
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or "it is no text"
                raise BadConfig(
                    f"signing_key: the file {shown(self.signing_key, 80)} cannot be read: {reason}"
                ) from None
        if key is None:
            raise BadConfig(
                "signing_key: found something else than a key of 64 hexadecimal digits or a file that has one. "
                "`longhu anchor --new-key FILE` makes one."
            )
        return key


def load(path: Path | str | None, environ: Mapping[str, str]) -> Config:
    """The settings in a file, if there is one, and in the environment, which wins; `BadConfig` for what cannot be."""
    told = _of_file(Path(path)) if path is not None else {}
    config = configured(**{**told, **_of_environment(environ)})
    check(config)
    return config


def configured(**told: Any) -> Config:
    """A configuration of settings by their names, whichever part of it they belong to."""
    rules = {OF_POLICY[name]: told.pop(name) for name in [*told] if name in OF_POLICY}
    return Config(policy=Policy(**rules), **told)


def check(config: Config) -> None:
    """What can be wrong with settings that are each of the right form."""
    try:
        config.money  # noqa: B018
    except MoneyError as error:
        raise BadConfig(f"currency: {error}") from None
    if not config.database.strip():  # a variable that was not set must not name the usual place
        raise BadConfig("database: found nothing, expected a file or postgresql://…")
    if config.origin:
        _check_origin(config.origin)
    for each in config.proxies:
        _check_proxy(each)
    if bool(config.certificate) != bool(config.certificate_key):
        missing = "certificate_key" if config.certificate else "certificate"
        raise BadConfig(f"{missing}: not set. A certificate and its key are set together")
    if config.certificate and config.origin.startswith("http://"):
        raise BadConfig(f"origin: with a certificate it is https, and found is {shown(config.origin, 80)}")
    names = [each.table for each in config.tables]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadConfig(f"tables: {shown(twice, 80)} is there twice. Give each table a name of its own")
    key = config.private_key()
    if not config.demo:
        _check_production(config, key)


def _check_production(config: Config, key: bytes | None) -> None:
    """What a demonstration may do, and a house with real accounts may not."""
    if not config.is_local and not config.origin.startswith("https://"):
        raise BadConfig(
            f"host: {config.host} can be reached by other machines, and origin is {config.origin or 'not set'}. Put a "
            "server with TLS in front, or set certificate, and set origin to the https:// address; or listen on 127.0.0.1"
        )
    if config.origin.startswith("http://") and not is_loopback(urlsplit(config.origin).hostname or ""):
        raise BadConfig(
            f"origin: {shown(config.origin, 80)} is plain http, and other machines would send their sessions over it. Put a "
            "server with TLS in front, or set certificate, and set origin to the https:// address"
        )
    if config.secure_cookies is False and not config.is_local:
        raise BadConfig("secure_cookies: false would send sessions over plain http to other machines. Leave it out")
    if key in KNOWN_KEYS:
        raise BadConfig("signing_key: everybody knows this key. `longhu anchor --new-key FILE` makes one")
    if config.policy.hash_memory_kib < HASH_KIB:
        raise BadConfig(
            f"hash_memory_kib: {config.policy.hash_memory_kib} is too little to protect passwords: at least {HASH_KIB}, or leave it out"
        )
    if config.betting_seconds < CYCLE_SECONDS:
        raise BadConfig(
            f"betting_seconds: {config.betting_seconds:g} is too quick: a game takes at least {CYCLE_SECONDS:g} seconds (PLY-3)"
        )


def _check_origin(origin: str) -> None:
    parts = urlsplit(origin)
    plain = f"{parts.scheme}://{parts.netloc}"
    if parts.scheme not in ("http", "https") or not parts.hostname or plain != origin or "@" in parts.netloc:
        raise BadConfig(
            f"origin: found {shown(origin, 80)}, expected the start of the address that browsers open, such as "
            "https://tables.example, without a path"
        )


def _check_proxy(proxy: str) -> None:
    """A name is never that of a connection: nobody would be believed. Nor may everybody be."""
    try:
        if ip_network(proxy).prefixlen:
            return
        why = "whoever connects would be believed"
    except ValueError as error:
        why = str(error)
    raise BadConfig(
        f"proxies: found {shown(proxy, 80)}, expected an address or a network, such as 10.0.0.7 or 10.0.0.0/24: {why}"
    )


def is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _looks_like_a_key(text: str) -> bool:
    """Somebody's key, mistyped: it must not be told in a message as if it were the name of a file."""
    return len(text) >= 32 and all(each in "0123456789abcdefABCDEF" for each in text)


OF_POLICY = {
    "demo" if name == "play_money" else name: name for name in Policy.__struct_fields__
}  # settings, and its fields
_POLICY = {each.name: each.type for each in msgspec.structs.fields(Policy)}
FIELDS = {
    **{each.name: each.type for each in msgspec.structs.fields(Config) if each.name != "policy"},
    **{setting: _POLICY[name] for setting, name in OF_POLICY.items()},
}


def _of_file(path: Path) -> dict[str, Any]:
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadConfig(f"{path}: {error.strerror}") from None
    except ValueError as error:  # no TOML, or no UTF-8
        raise BadConfig(f"{path}: {error}") from None
    for name in found:
        if name not in FIELDS:
            raise BadConfig(f"{path}: {shown(name, 60)} is no setting.{suggest(name, FIELDS)}")
    return {name: _converted(f"{path}: {name}", name, value, strict=True) for name, value in found.items()}


def _of_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    """Settings that the environment has; a name that is nearly one of them is a mistake, others are somebody else's."""
    known = {PREFIX + name.upper(): name for name in FIELDS if name != "tables"}
    found: dict[str, Any] = {}
    for variable, text in environ.items():
        name = known.get(variable)
        if name is not None:
            value = [each.strip() for each in text.split(",") if each.strip()] if name in ("hosts", "proxies") else text
            found[name] = _converted(variable, name, value, strict=False)
        elif variable.startswith(PREFIX) and (near := get_close_matches(variable, known, 1, 0.85)):
            raise BadConfig(f"{variable} in the environment is no setting. Did you mean {near[0]}?")
    return found


def _converted(told_as: str, name: str, value: Any, *, strict: bool) -> Any:
    try:
        return msgspec.convert(value, FIELDS[name], strict=strict)
    except msgspec.ValidationError as error:
        secret = name == "signing_key"
        raise BadConfig(f"{told_as}: {_in_words(error)}{'' if secret else f'; found {shown(value, 60)}'}") from None


def _in_words(error: msgspec.ValidationError) -> str:
    """`expected int, got str`, with the place inside a list or a table."""
    says, _, place = str(error).partition(" - at `$")
    where = f" at {place.rstrip('`')}" if place else ""
    return says[:1].lower() + says[1:].replace("`", "") + where
