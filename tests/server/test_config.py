"""Settings of a house: what is taken, what is refused, and how that is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from longhu.audit.signed_heads import public_key
from longhu.server.config import BadConfig, Config, TableConfig, load

KEY = "11" * 32


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "house.toml"
    path.write_text(text, encoding="utf-8")
    return path


def refused(path: Path | None, environ: dict[str, str] | None = None) -> str:
    """The one line that says what is wrong."""
    with pytest.raises(BadConfig) as error:
        load(path, environ or {})
    assert "\n" not in str(error.value)
    return str(error.value)


def test_everything_has_a_default() -> None:
    config = load(None, {})
    assert (config.host, config.demo, config.is_local, config.secure) == ("127.0.0.1", False, True, False)
    assert config.private_key() is None


def test_a_file_and_the_environment_which_wins(tmp_path: Path) -> None:
    path = written(tmp_path, 'port = 1\nidle_minutes = 5\n[[tables]]\ntable = "T1"\ngame = "dragon-tiger"\n')
    config = load(path, {"LONGHU_PORT": "2", "LONGHU_PROXIES": "10.0.0.1, 10.0.0.2", "HOME": "/", "LONGHU_KILLS": "5"})
    assert (config.port, config.policy.idle_minutes, config.proxies) == (2, 5, ["10.0.0.1", "10.0.0.2"])
    assert config.tables == [TableConfig(table="T1", game="dragon-tiger")]


def test_what_is_asked_of_people_is_told_beside_the_other_settings(tmp_path: Path) -> None:
    told = "demo = true\ncurrency = 'JPY'\nidle_minutes = 7\nlock_minutes = 8\nhash_time = 9\nport = 1"
    config = load(written(tmp_path, told), {"LONGHU_FAILURES": "2"})
    policy = config.policy
    assert (config.demo, config.money.code, config.port, policy.failures) == (True, "JPY", 1, 2)
    assert policy.play_money
    assert (policy.currency, policy.idle_minutes, policy.lock_minutes, policy.hash_time) == ("JPY", 7, 8, 9)


MISTAKES = {
    "databse = 'x'": "'databse' is no setting. Did you mean 'database'?",
    "port = 'x'": "port: expected int, got str; found 'x'",
    "port = 70000": "port: expected int <= 65535; found 70000",
    "policy = {}": "'policy' is no setting",
    "play_money = true": "'play_money' is no setting",
    "lock_minutes = 0": "lock_minutes: expected int >= 1",
    "demo = 1": "demo: expected bool, got int; found 1",
    "betting_seconds = -1": "betting_seconds: expected float >= 0",
    "log_level = 'loud'": "log_level: invalid enum value 'loud'",
    "[[tables]]\ntable = 'T1'\ngame = 'dragon-tiger'\nmimimum = '5'": "object contains unknown field mimimum at [0]",
    "port = ": "house.toml: Invalid value",
    "origin = 'tables.example'": "origin: found 'tables.example', expected the start of the address",
    "origin = 'https://tables.example/'": "without a path",
    "currency = 'XXX'": "currency: 'XXX' is no currency known here",
    "proxies = ['10.0.0.7', 'proxy.example']": "proxies: found 'proxy.example', expected an address or a network",
    "proxies = ['10.0.0.7/24']": "10.0.0.7/24 has host bits set",
    "proxies = ['*']": "proxies: found '*', expected an address",
    "proxies = ['0.0.0.0/0']": "whoever connects would be believed",
    "signing_key = 'nowhere.key'": "signing_key: the file 'nowhere.key' cannot be read: No such file",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_mistakes_are_told_in_one_line_with_the_place(tmp_path: Path, text: str) -> None:
    assert MISTAKES[text] in refused(written(tmp_path, text))


def test_a_file_that_is_not_there_or_no_text(tmp_path: Path) -> None:
    assert "No such file" in refused(tmp_path / "house.toml")
    path = tmp_path / "house.toml"
    path.write_bytes(b"\xff\xfe")
    assert "utf-8" in refused(path)


def test_a_table_told_twice(tmp_path: Path) -> None:
    one = '[[tables]]\ntable = "T1"\ngame = "dragon-tiger"\n'
    assert "'T1' is there twice" in refused(written(tmp_path, one + one))


def test_mistakes_in_the_environment() -> None:
    assert "Did you mean LONGHU_DATABASE?" in refused(None, {"LONGHU_DATABSE": "x"})
    assert refused(None, {"LONGHU_PORT": "80x"}).startswith("LONGHU_PORT: expected int")


PRODUCTION = {
    "host = '0.0.0.0'": "host: 0.0.0.0 can be reached by other machines, and origin is not set",
    "host = '::'": "host: :: can be reached by other machines",
    "host = '0.0.0.0'\norigin = 'http://tables.example'": "set origin to the https:// address",
    "origin = 'http://tables.example'": "origin: 'http://tables.example' is plain http, and other machines would send",
    "host = '0.0.0.0'\norigin = 'https://tables.example'\nsecure_cookies = false": "secure_cookies: false would send",
    f"signing_key = '{bytes(range(32)).hex()}'": "signing_key: everybody knows this key",
    f"signing_key = '{'00' * 32}'": "signing_key: everybody knows this key",
    "hash_memory_kib = 8": "hash_memory_kib: 8 is too little to protect passwords",
}


@pytest.mark.parametrize("text", PRODUCTION)
@pytest.mark.clause("SEC-2")
def test_a_house_with_real_accounts_is_held_to_more(tmp_path: Path, text: str) -> None:
    assert PRODUCTION[text] in refused(written(tmp_path, text))
    load(written(tmp_path, text), {"LONGHU_DEMO": "true"})


@pytest.mark.clause("PLY-3")
def test_no_game_with_real_accounts_is_faster_than_five_seconds(tmp_path: Path) -> None:
    assert "betting_seconds: 4.9 is too quick" in refused(written(tmp_path, "betting_seconds = 4.9"))
    assert load(written(tmp_path, "betting_seconds = 5"), {}).betting_seconds == 5


@pytest.mark.parametrize("origin", ["http://localhost:8080", "http://127.0.0.1:9000", "http://[::1]:9000"])
def test_on_this_machine_alone_plain_http_will_do(tmp_path: Path, origin: str) -> None:
    assert not load(written(tmp_path, f"origin = '{origin}'"), {}).secure


def test_servers_in_front_are_addresses_or_networks(tmp_path: Path) -> None:
    told = "proxies = ['10.0.0.7', '10.1.0.0/16', '::1', 'fd00::/8']"
    assert load(written(tmp_path, told), {}).proxies == ["10.0.0.7", "10.1.0.0/16", "::1", "fd00::/8"]


def test_behind_a_server_with_tls_cookies_are_secure(tmp_path: Path) -> None:
    config = load(written(tmp_path, "host = '0.0.0.0'\norigin = 'https://tables.example:8443'"), {})
    assert config.secure


def test_a_key_is_told_as_itself_or_by_its_file_and_never_shown(tmp_path: Path) -> None:
    path = tmp_path / "house.key"
    path.write_text(KEY + "\n")
    for told in (KEY, str(path)):
        config = Config(signing_key=told)
        key = config.private_key()
        assert key is not None
        assert public_key(key) == public_key(bytes.fromhex(KEY))
        assert KEY not in repr(config)
    assert KEY[:20] not in refused(None, {"LONGHU_SIGNING_KEY": KEY[:-2]})
