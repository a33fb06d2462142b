"""Published returns against the exact ones, under the readings in force and under the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from longhu.cards import Shoe
from longhu.games.game import Claim, Game
from longhu.odds.alternatives import Reload, Returns, alternatives, changed
from longhu.report.notation import rounded_percent


@dataclass(frozen=True, slots=True)
class Checked:
    """A published figure beside the exact one."""

    claim: Claim
    rtp: Fraction | None  # None where the wager is not offered

    @property
    def rounded(self) -> str:
        """The exact figure with as many decimals as were printed, in per cent."""
        return "" if self.rtp is None else rounded_percent(self.rtp, self.claim.decimals)

    @property
    def agrees(self) -> bool:
        return self.rounded == rounded_percent(self.claim.rtp, self.claim.decimals)


@dataclass(frozen=True, slots=True)
class Reckoning:
    """All claims under one set of readings."""

    under: str  # "" for the readings in force, else `name=option`
    says: str
    checked: tuple[Checked, ...]

    @property
    def agrees(self) -> bool:
        return all(each.agrees for each in self.checked)


def reckonings(game: Game, reload: Reload) -> Iterator[Reckoning]:
    """The claims under the readings in force, then under every option that alters a figure that is claimed."""
    returns = {decks: Returns(Shoe.of_decks(decks)) for decks in {claim.decks for claim in game.claims}}
    yield Reckoning("", "the readings in force", _check(game, returns))
    if not game.claims:
        return
    claimed = {claim.wager for claim in game.claims}
    some = next(iter(returns.values()))
    for reading, found in alternatives(game, reload, some):
        if claimed.intersection(changed(found)):
            for each in found:
                if not each.chosen:
                    yield Reckoning(f"{reading.id}={each.option.id}", each.option.says.en, _check(each.game, returns))


def _check(game: Game, returns: dict[int, Returns]) -> tuple[Checked, ...]:
    checked: list[Checked] = []
    for claim in game.claims:
        ev = returns[claim.decks].of(game).get(claim.wager)
        checked.append(Checked(claim, None if ev is None else 1 + ev))
    return tuple(checked)
