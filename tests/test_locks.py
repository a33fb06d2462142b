"""What is locked is locked by name, version and digest: a lock file holds no address."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-uv.lock", "web/package-lock.json"])
def test_a_lock_file_holds_digests_and_no_address(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert "sha256:" in text or "sha512-" in text
    assert "://" not in text
