"""How much may lie where: limits of a wager, how many share an area, and wagers that stand only beside another.

IDT-3.5.1, IDT-3.7, D21-5.7, D21-5.8; D21-11Ad, DBO-BET-5, DBC-DB-3.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from longhu.eventsourcing import Refusal
from longhu.games.game import Game
from longhu.money import UNSTATED, Money, show
from longhu.table.document import chosen, cite
from longhu.table.settings import Limit, Settings
from longhu.table.state import Round, Stake, Table, open_round

if TYPE_CHECKING:
    from longhu.table.betting import PlaceWager

STANDARD = "LIM-1"  # what stands behind limits where the document has no clause


def beyond_limits(
    table: Table, game: Game, command: PlaceWager, patron: str, amount: int, limit: Limit
) -> Refusal | None:
    """Each patron's stake on an area has the minimum, the sum over all areas the maximum (IDT-3.5.1b, D21-5.8)."""
    same = elsewhere(open_round(table), patron, command.wager, command.place)
    if limit.min <= amount <= limit.max - same and not amount % limit.increment:
        return None
    least, money = cite(game, "limits"), game.currency or UNSTATED
    most = cite(game, "maximum") or least
    if amount < limit.min:
        return Refusal(
            f"{show(Money(amount), money)} is under the minimum of {show(Money(limit.min), money)}",
            "Place at least the minimum",
            least or STANDARD,
        )
    if same + amount > limit.max:
        return Refusal(
            f"{show(Money(same + amount), money)} is over the maximum of {show(Money(limit.max), money)}",
            f"At most {show(Money(max(0, limit.max - same - amount + command.amount)), money)} may be added",
            most or STANDARD,
        )
    return Refusal(f"wagers go in steps of {show(Money(limit.increment), money)}", "Lay whole steps", least or "OPS-2")


def elsewhere(round: Round, patron: str, wager: str, place: int) -> int:
    """What a patron has on the same wager at other positions: the maximum is for all of them together."""
    return sum(
        [
            each.amount
            for each in round.stakes.values()
            if each.patron == patron and each.wager == wager and each.place != place
        ]
    )


def limit_for(table: Table, game: Game, wager: str, patron: str) -> Limit:
    """What this patron may stake on it, in whole chips: the table's limits, with a personal maximum where one is granted.

    A house grants what is its own to grant: a maximum of the document holds for everybody (DBO-MAX-1).
    """
    if table.settings is None:
        raise AssertionError("limits of a closed table")
    limit, step = table.settings.limits[wager], table.settings.step(wager)
    personal = table.people[patron].personal_max if patron in table.people else None
    most, document = max(limit.max, personal or 0), game.wagers[wager].limit.max
    return Limit(limit.min, most if document is None else min(most, document), step)


def area_full(table: Table, game: Game, command: PlaceWager, patron: str) -> Refusal | None:
    """How many patrons share an area, and what they may have there together (IDT-3.7, D21-5.7)."""
    settings, round = table.settings, open_round(table)
    if settings is None:
        return None
    if chosen(game, "sets_per_player") == "one":
        elsewhere = {each.place for each in round.stakes_of(patron)}
        if elsewhere - {command.place}:
            return Refusal(f"{patron} plays at position {min(elsewhere)}", "Wager there", cite(game, "shared-area"))
    most_sharing, cap = _area_players(game, settings), table.caps.get(command.place)
    summed = settings.area_cap != "off" or chosen(game, "limit_scope") == "area"  # Q27
    if not most_sharing and cap is None and not summed:
        return None
    there = [each for each in round.stakes.values() if each.place == command.place]
    others = {each.patron for each in there if each.wager == command.wager} - {patron}
    if most_sharing and len(others) >= most_sharing:
        return Refusal(
            f"{len(others)} patrons are on this area already", "Take another position", cite(game, "shared-area")
        )
    if cap is not None and _counted(game, command, patron, there) > cap:
        clauses, counts = game.cites.get("shared-area", ("",)), chosen(game, "area_count") or "patrons"
        return Refusal(f"position {command.place} takes {cap} {counts}", "Take another position", clauses[-1])
    named = settings.area_named if settings.area_cap == "named" else None
    if summed and (named is None or patron in named):
        sharing = [each for each in there if each.wager == command.wager and (named is None or each.patron in named)]
        together = sum(each.amount for each in sharing) + command.amount
        most = settings.limits[command.wager].max
        if together > most:
            money = game.currency or UNSTATED
            clauses = game.cites.get("area-cap") or game.cites.get("limits", (STANDARD,))
            return Refusal(
                f"together {show(Money(together), money)} would be on the area, and {show(Money(most), money)} is the most",
                f"At most {show(Money(max(0, most - together + command.amount)), money)} may be added",
                clauses[0] if named is None else clauses[-1],
            )
    return None


def _counted(game: Game, command: PlaceWager, patron: str, there: list[Stake]) -> int:
    """How many wagers a position would have: of separate patrons, or as the house reads it (Q28)."""
    counts = chosen(game, "area_count")
    if counts == "chips":
        return sum(each.pieces for each in there) + (len(command.chips) or 1)
    if counts == "types":
        return len({each.wager for each in there} | {command.wager})
    return len({each.patron for each in there} | {patron})


def left_alone(game: Game, stakes: Iterable[Stake]) -> list[Stake]:
    """Those whose patron has none of the wagers that they have to stand beside."""
    lying = [stake for stake in stakes if stake.amount]
    held = {(stake.patron, stake.wager) for stake in lying}
    needy = [stake for stake in lying if game.wagers[stake.wager].requires]
    return [stake for stake in needy if not any((stake.patron, id) in held for id in game.wagers[stake.wager].requires)]


def _area_players(game: Game, settings: Settings) -> int:
    """How many patrons may share a wagering area, 0 for any number: as set, or as the game is read (D21-5.7.a)."""
    reading = game.readings.get("area_players")
    return settings.area_players or (int(reading.chosen) if reading is not None else 0)
