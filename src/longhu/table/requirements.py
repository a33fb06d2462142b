"""What a table must have before it opens: a layout, decks, limits and equipment that fit the game."""

from __future__ import annotations

from typing import Any

from longhu.cards import CARDS_PER_DECK
from longhu.games.game import Game, Result, Wager
from longhu.money import UNSTATED, HouseRounding, Money, show
from longhu.table.acts import Refusal, cite
from longhu.table.settings import Limit, Settings
from longhu.wording import listed

SETUPS = ("shoe", "batch-shuffler", "continuous-shuffler")
SHUFFLER_CARDS = 8 * CARDS_PER_DECK  # what a batch shuffler must hold (D21-3.4.a.ii.B)


def as_read(game: Game) -> dict[str, Any]:
    """What the house's readings say about a table's settings, where the game has such readings (Q17, Q21, Q33)."""
    numbers = [name for name in ("cut_reserve", "burn", "rounds_after_cut", "area_players") if name in game.readings]
    settings: dict[str, Any] = {name: int(game.readings[name].chosen) for name in numbers}
    return {**settings, "area_cap": game.readings["area_cap"].chosen} if "area_cap" in game.readings else settings


def area_players(game: Game, settings: Settings) -> int:
    """How many patrons may share a wagering area, 0 for any number: as set, or as the game is read (D21-5.7.a)."""
    reading = game.readings.get("area_players")
    return settings.area_players or (int(reading.chosen) if reading is not None else 0)


def check_settings(game: Game, settings: Settings) -> Refusal | None:
    """What does not fit the game, with the clause."""
    checks = (_readings, _layout, _decks, _method, _limits, _rounding, _differential, _sharing, _equipment)
    return next((refusal for check in checks if (refusal := check(game, settings)) is not None), None)


NOT_AT_A_TABLE = {("commission", "tally"), ("malfunction_scope", "open")}  # a commission book; games at other tables


def _readings(game: Game, _settings: Settings) -> Refusal | None:
    """A reading that the table cannot act on is refused rather than passed over."""
    for reading in game.readings.values():
        if (reading.id, reading.chosen) in NOT_AT_A_TABLE:
            return Refusal(
                f"no table can act on the reading {reading.id}={reading.chosen}",
                f"Open it with {reading.id}={reading.default}",
                reading.clauses[0] if reading.clauses else "",
            )
    return None


def _layout(game: Game, settings: Settings) -> Refusal | None:
    layout = game.layouts.get(settings.layout)
    if layout is None:
        return Refusal(f"{game.id} has no layout {settings.layout!r}", f"Possible: {', '.join(game.layouts)}")
    if not layout.positions_min <= settings.positions <= layout.positions_max:
        span = f"{layout.positions_min} to {layout.positions_max}"
        clause = layout.clauses[0] if layout.clauses else ""
        return Refusal(f"{settings.positions} positions on layout {layout.id}", f"It has {span}", clause)
    return None


def _decks(game: Game, settings: Settings) -> Refusal | None:
    if not game.decks.min <= settings.decks <= game.decks.max:
        clause = game.decks.clauses[0] if game.decks.clauses else ""
        return Refusal(
            f"{settings.decks} decks", f"{game.id} is played with {game.decks.min} to {game.decks.max}", clause
        )
    return None


def _method(game: Game, settings: Settings) -> Refusal | None:
    if settings.method not in (list(game.methods) or [""]):
        return Refusal(f"{game.id} has no dealing method {settings.method!r}", f"Possible: {', '.join(game.methods)}")
    return None


def _limits(game: Game, settings: Settings) -> Refusal | None:
    """Every wager offered has limits, within the document's, and pays in whole units (Q01)."""
    money = game.currency or UNSTATED
    for id, wager in game.offered(settings.layout).items():
        limit = settings.limits.get(id)
        if limit is None:
            if wager.optional:
                continue
            return Refusal(
                f"no limits are set for {wager.name.en}", "Set its minimum and maximum", cite(game, "limits")
            )
        if not 0 < limit.min <= limit.max or limit.increment < 1:
            return Refusal(f"the limits of {wager.name.en} are not a span of amounts", clause=cite(game, "limits"))
        beyond = _beyond_document(wager, limit)
        if beyond is not None:
            return Refusal(
                f"{wager.name.en} may be staked up to {show(beyond, money)} only", clause=wager.limit.clauses[0]
            )
    return next((refusal for wager in settings.limits if (refusal := _offered(game, settings, wager))), None)


def _differential(game: Game, settings: Settings) -> Refusal | None:
    if settings.differential is None:
        return None
    if game.differential is None:
        return Refusal(f"{game.id} has no procedure for a table differential", "Open the table without that limit")
    return Refusal("a table differential is some money") if settings.differential <= 0 else None


def _sharing(game: Game, settings: Settings) -> Refusal | None:
    """No more patrons on an area than the document lets the operator permit (D21-5.7.a)."""
    reading = game.readings.get("area_players")
    if reading is not None and settings.area_players and str(settings.area_players) not in reading.options:
        options = ", ".join(reading.options)
        return Refusal(
            f"{settings.area_players} patrons on one area", f"Possible: {options}", cite(game, "shared-area")
        )
    if settings.area_cap not in ("off", "all", "named"):
        return Refusal(
            f"{settings.area_cap!r} is no way to cap an area", "Possible: off, all, named", cite(game, "area-cap")
        )
    return None


def _beyond_document(wager: Wager, limit: Limit) -> Money | None:
    most = wager.limit.max
    return most if most is not None and limit.max > most else None


def _offered(game: Game, settings: Settings, wager: str) -> Refusal | None:
    if wager in game.offered(settings.layout):
        return None
    return Refusal(f"layout {settings.layout} of {game.id} offers no wager {wager!r}")


def inexact(game: Game, settings: Settings) -> list[str]:
    """Wagers whose limits let a payment fall between two chips, so that a rounding policy decides (Q01)."""
    found: list[str] = []
    for id, limit in settings.limits.items():
        for line in game.wagers[id].lines:
            if line.result in (Result.WIN, Result.HALF) and (line.net * limit.increment) % settings.chip_unit:
                found.append(id)
                break
    return found


def _rounding(game: Game, settings: Settings) -> Refusal | None:
    """Where a payment can fall between two chips, somebody must have said to whom the fraction goes (Q01)."""
    if settings.rounding not in ("", "patron", "house"):
        return Refusal(f"a rounding in favour of {settings.rounding!r}", "Name the patron or the house")
    named = settings.rounding or "rounding" in game.data.get("limits", {})
    between = inexact(game, settings)
    if named or not between:
        return None
    names = listed([game.wagers[id].name.en for id in between])
    return Refusal(
        f"with these limits a payment on {names} can fall between two chips",
        "Set larger steps, or name a rounding policy",
        "MON-2",
    )


def rounding_of(game: Game, settings: Settings) -> HouseRounding:
    """How this table rounds: to whom the fraction goes, in whole chips."""
    to_patron = game.rounding.to_patron if not settings.rounding else settings.rounding == "patron"
    return HouseRounding(to_patron, Money(max(settings.chip_unit, game.rounding.unit)))


def _equipment(game: Game, settings: Settings) -> Refusal | None:
    """What the document asks for must be on record, and hold the cards in play; only what it lists is asked."""
    equipment, cards = settings.equipment, settings.decks * CARDS_PER_DECK
    backs = [set(each.backs) for each in equipment.sets]
    continuous, batch = equipment.setup == "continuous-shuffler", equipment.setup == "batch-shuffler"
    shoe, squeezed = not continuous and not batch, game.methods.get(settings.method)
    one_set, sets = len(equipment.sets) == 1, len(equipment.sets)
    wrong = {
        "one-back": (any(len(each) > 1 for each in backs), "a set of cards has decks with different backs"),
        "set-up": (equipment.setup not in SETUPS, f"{equipment.setup!r} is none of {', '.join(SETUPS)}"),
        "shoe-one-set": (shoe and not one_set, f"{sets} sets of cards where one is used"),
        "shoe-capacity": (shoe and equipment.shoe < cards, f"the shoe holds {equipment.shoe} of {cards} cards"),
        "batch-two-sets": (batch and (sets != 2 or backs[0] == backs[1]), "two sets with different backs are used"),
        "batch-shuffler-capacity": (
            batch and equipment.shuffler < SHUFFLER_CARDS,
            f"the shuffler holds {equipment.shuffler} cards, and must hold {SHUFFLER_CARDS}",
        ),
        "batch-shoe-capacity": (batch and equipment.shoe < cards, f"the shoe holds {equipment.shoe} of {cards} cards"),
        "continuous-one-set": (continuous and not one_set, f"{sets} sets of cards where one is used"),
        "continuous-capacity": (
            continuous and equipment.shuffler < cards,
            f"the shuffler holds {equipment.shuffler} of {cards} cards",
        ),
        "continuous-without-squeeze": (
            continuous and squeezed is not None and squeezed.squeeze != "nobody",
            f"{squeezed.name.en if squeezed else ''} is not dealt from a continuous shuffler",
        ),
        "cutting-cards": (
            equipment.cutting_cards not in (1, 2),
            f"{equipment.cutting_cards} cutting cards, not 1 or 2",
        ),
        "discard-rack": (
            equipment.discard_rack < cards,
            f"the discard rack holds {equipment.discard_rack} of {cards} cards",
        ),
        "pucks": (
            squeezed is not None and squeezed.squeeze != "nobody" and equipment.pucks < 2,
            "two pucks show who holds the hands",
        ),
        "drop-box": (not equipment.drop_box, "no drop box is on record"),
    }
    for requirement, clauses in game.equipment.items():
        failed, reason = wrong[requirement]
        if failed:
            return Refusal(reason, "Put the equipment right before the table opens", clauses[0] if clauses else "")
    for each in equipment.sets:
        if len(each.backs) != settings.decks:
            return Refusal(f"a set of {len(each.backs)} decks at a table of {settings.decks}", "Take complete sets")
    return None
