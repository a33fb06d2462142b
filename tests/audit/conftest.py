"""The same rules are in hundreds of proofs here; each is read from its text once."""

from __future__ import annotations

import pytest

from longhu.audit import proof
from longhu.games.game import Game
from tests.audit.evening import READ


@pytest.fixture(autouse=True)
def _rules_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    load = proof.GameFile.load

    def once(self: proof.GameFile, name: str) -> Game:
        key = (self.text, *self.readings.items())
        if key not in READ:
            READ[key] = load(self, name)
        return READ[key]

    monkeypatch.setattr(proof.GameFile, "load", once)
