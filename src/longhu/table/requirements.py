"""What a table must have before it opens: a layout, decks, limits and equipment that fit the game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from longhu.cards import CARDS_PER_DECK
from longhu.deal.procedure import Clauses
from longhu.eventsourcing import Refusal
from longhu.games.game import Game, Result, Wager
from longhu.money import AMOUNT_MAX, UNSTATED, HouseRounding, Money, show
from longhu.table.document import cite
from longhu.table.equipment import check_equipment
from longhu.table.state import Limit, Settings
from longhu.wording import listed

COUNT_MAX = 10_000  # of anything that a table counts: cards, rounds, patrons
DAY = 24 * 60 * 60  # the longest that anybody waits at a table, in seconds


def as_read(game: Game) -> dict[str, Any]:
    """What the house's readings say about a table's settings, where the game has such readings (Q17, Q21, Q33)."""
    numbers = [name for name in ("cut_reserve", "burn", "rounds_after_cut", "area_players") if name in game.readings]
    settings: dict[str, Any] = {name: int(game.readings[name].chosen) for name in numbers}
    return {**settings, "area_cap": game.readings["area_cap"].chosen} if "area_cap" in game.readings else settings


def check_settings(game: Game, settings: Settings) -> Refusal | None:
    """What does not fit the game, with the clause."""
    checks = (
        _readings, _name, _layout, _decks, _method, _spans, _limits, _rounding, _differential, _sharing, _after_cut, _area,
        check_equipment,
    )  # fmt: skip
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


def _name(_game: Game, settings: Settings) -> Refusal | None:
    """The accounts of its tray and its drop box go by the table's name."""
    return None if settings.table.strip() else Refusal("the table has no name", "Give it one", "MON-1")


def _common(listed: Iterable[Clauses]) -> str:
    """The first clause that all of these share, else the first that the first of them has."""
    first, *others = [*listed] or [()]
    shared = [clause for clause in first if all(clause in each for each in others)]
    return next(iter([*shared, *first]), "")


def _layout(game: Game, settings: Settings) -> Refusal | None:
    layout = game.layouts.get(settings.layout)
    if layout is None:
        clause = _common(each.clauses for each in game.layouts.values())
        return Refusal(f"{game.id} has no layout {settings.layout!r}", f"Possible: {', '.join(game.layouts)}", clause)
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
        clause = _common(each.clauses for each in game.methods.values())
        possible = ", ".join(game.methods) or "none, as there is one way to deal"
        return Refusal(f"{game.id} has no dealing method {settings.method!r}", f"Possible: {possible}", clause)
    return None


def _spans(game: Game, settings: Settings) -> Refusal | None:
    """Numbers with which nothing could be dealt, paid or waited for."""
    equipment, cards = settings.equipment, settings.decks * CARDS_PER_DECK
    cut = cite(game, "cut") or cite(game, "cutting-card")
    spans = (
        (settings.chip_unit, "minor units to a chip", 1, AMOUNT_MAX, "MON-2"),
        (settings.burn, "cards burned", 0, cards - game.procedure.cards_max, cite(game, "burn")),
        (settings.cut_reserve, "cards behind the cutting card", 1, cards - settings.burn - 1, cut),
        (settings.rounds_after_cut, "rounds after the cutting card", 0, COUNT_MAX, cite(game, "end-of-shoe") or cut),
        (settings.area_players, "patrons on one area", 0, COUNT_MAX, cite(game, "shared-area")),
        (settings.discrepancy_max, "minor units that a count may be off", 0, AMOUNT_MAX, "OPS-1"),
        (settings.withdrawal_seconds, "seconds for a withdrawal", 1, DAY, ""),
        (settings.reveal_seconds, "seconds for a hand", 0, DAY, ""),
        (equipment.held_out, "cards held out", 0, cards - game.procedure.cards_max, ""),
        (equipment.shoe, "cards in a shoe", 0, COUNT_MAX, ""),
        (equipment.shuffler, "cards in a shuffler", 0, COUNT_MAX, ""),
        (equipment.discard_rack, "cards in a discard rack", 0, COUNT_MAX, ""),
        (equipment.cutting_cards, "cutting cards", 0, COUNT_MAX, ""),
        (equipment.pucks, "pucks", 0, COUNT_MAX, ""),
    )
    for number, what, least, most, clause in spans:
        if not least <= number <= most:
            return Refusal(f"{number} {what}", f"Possible: {least} to {most}", clause)
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
        if not 0 < limit.min <= limit.max <= AMOUNT_MAX or not 1 <= limit.increment <= AMOUNT_MAX:
            return Refusal(f"the limits of {wager.name.en} are not a span of amounts", clause=cite(game, "limits"))
        if settings.least(id) > limit.max:
            step = show(settings.step(id), money)
            return Refusal(
                f"no wager on {wager.name.en} is within its limits in steps of {step}",
                "Set smaller steps or chips, or a larger maximum",
                cite(game, "limits"),
            )
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
    if 0 < settings.differential <= AMOUNT_MAX:
        return None
    clauses = game.differential.clauses
    return Refusal("a table differential is some money", "Set an amount, or none", clauses[0] if clauses else "")


def _sharing(game: Game, settings: Settings) -> Refusal | None:
    """No more patrons on an area than the document lets the operator permit (D21-5.7.a)."""
    reading = game.readings.get("area_players")
    if reading is not None and settings.area_players and str(settings.area_players) not in reading.options:
        options = ", ".join(reading.options)
        return Refusal(
            f"{settings.area_players} patrons on one area", f"Possible: {options}", cite(game, "shared-area")
        )
    if settings.area_cap not in ("off", "all", "named"):
        clauses = game.cites.get("area-cap") or game.cites.get("shared-area", ("",))[-1:]
        return Refusal(f"{settings.area_cap!r} is no way to cap an area", "Possible: off, all, named", clauses[0])
    if not all(name.strip() for name in settings.area_named):
        clauses = game.cites.get("area-cap") or game.cites.get("shared-area", ("",))[-1:]
        return Refusal("a patron without a name shares an area", "Name the patrons", clauses[-1])
    return None


def _after_cut(game: Game, settings: Settings) -> Refusal | None:
    """No more rounds after the cutting card than the document can be read to allow (Q33)."""
    reading = game.readings.get("rounds_after_cut")
    if reading is None or str(settings.rounds_after_cut) in reading.options:
        return None
    options, clause = ", ".join(reading.options), reading.clauses[0] if reading.clauses else ""
    return Refusal(f"{settings.rounds_after_cut} rounds after the cutting card", f"Possible: {options}", clause)


def _area(game: Game, settings: Settings) -> Refusal | None:
    """A high limit area under another spelling would be taken for an ordinary one (IDT-1.1.5)."""
    known = game.high_limit.areas if game.high_limit else ()
    meant = next((each for each in known if _plain(each) == _plain(settings.area)), settings.area)
    if game.high_limit is None or meant == settings.area:
        return None
    clauses = game.high_limit.clauses
    return Refusal(f"{settings.area!r} is no area known here", f"Write {meant!r}", clauses[0] if clauses else "")


def _plain(words: str) -> str:
    return "".join(each for each in words.casefold() if each.isalnum())


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
    for id in settings.limits:
        for line in game.wagers[id].lines:
            if line.result in (Result.WIN, Result.HALF) and (line.net * settings.step(id)) % settings.chip_unit:
                found.append(id)
                break
    return found


def _rounding(game: Game, settings: Settings) -> Refusal | None:
    """Where a payment can fall between two chips, somebody must have said to whom the fraction goes (Q01)."""
    if settings.rounding not in ("", "patron", "house"):
        reading = game.readings.get("rounding")
        clause = reading.clauses[0] if reading and reading.clauses else "MON-2"
        return Refusal(f"a rounding in favour of {settings.rounding!r}", "Name the patron or the house", clause)
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
