"""What a table must have before it opens: a layout, decks, limits and equipment that fit the game."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from longhu.cards import CARDS_PER_DECK
from longhu.eventsourcing import Refusal
from longhu.games.game import Game, Wager
from longhu.messages.message import message_code
from longhu.money import AMOUNT_MAX, HouseRounding, Money
from longhu.settlement import WAGER_UNKNOWN, common_clause, wrong_area, wrong_decks, wrong_layout
from longhu.table.document import cite
from longhu.table.equipment import check_equipment
from longhu.table.messages import POSSIBLE_RANGE, POSSIBLE_VALUES
from longhu.table.state import Limit, Settings

TABLE_WITHOUT_NAME = message_code("table-without-name")
GIVE_TABLE_NAME = message_code("give-table-name")
LAYOUT_PLACES_WRONG = message_code("layout-places-wrong", layout="text", places="number")
NO_SUCH_METHOD = message_code("no-such-method", game="game", method="text")
ONE_METHOD_ONLY = message_code("one-method-only")
SETTING_OUT_OF_RANGE = message_code("setting-out-of-range", setting="choice", value="number")
LIMITS_MISSING = message_code("limits-missing", wager="wager")
SET_MINIMUM_AND_MAXIMUM = message_code("set-minimum-and-maximum")
LIMITS_WRONG = message_code("limits-wrong", wager="wager")
NO_WAGER_WITHIN_LIMITS = message_code("no-wager-within-limits", wager="wager", step="money")
SET_SMALLER_STEPS = message_code("set-smaller-steps")
ABOVE_RULES_MAXIMUM = message_code("above-rules-maximum", wager="wager", maximum="money")
SET_SMALLER_MINIMUM = message_code("set-smaller-minimum")
NO_DIFFERENTIAL_PROCEDURE = message_code("no-differential-procedure", game="game")
OPEN_WITHOUT_DIFFERENTIAL = message_code("open-without-differential")
DIFFERENTIAL_WRONG = message_code("differential-wrong")
SET_AMOUNT_OR_NONE = message_code("set-amount-or-none")
UNKNOWN_AREA_CAP = message_code("unknown-area-cap", cap="text")
AREA_PATRON_WITHOUT_NAME = message_code("area-patron-without-name")
NAME_THE_PATRONS = message_code("name-the-patrons")
UNKNOWN_AREA = message_code("unknown-area", area="text")
WRITE_INSTEAD = message_code("write-instead", word="text")
UNRATED_NOT_REAL = message_code("unrated-not-real")
USE_REAL_CHIPS = message_code("use-real-chips")
UNRATED_NEEDS_DEALER = message_code("unrated-needs-dealer")
LET_PERSON_DEAL = message_code("let-person-deal")
UNRATED_PAYS_IN_PARTS = message_code("unrated-pays-in-parts", wagers="wagers", unit="money")
SET_WHOLE_STEPS = message_code("set-whole-steps")
UNKNOWN_ROUNDING = message_code("unknown-rounding", rounding="text")

CHIP_VALUES_OFF = message_code("chip-values-off", unit="money")
NAME_WHOLE_CHIPS = message_code("name-whole-chips")

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
        _name, _layout, _decks, _method, _spans, _limits, _chips, _rounding, _unrated, _differential, _sharing, _after_cut, _area,
        check_equipment,
    )  # fmt: skip
    return next((refusal for check in checks if (refusal := check(game, settings)) is not None), None)


def _name(_game: Game, settings: Settings) -> Refusal | None:
    """The accounts of its tray and its drop box go by the table's name."""
    return None if settings.table.strip() else Refusal(TABLE_WITHOUT_NAME(), GIVE_TABLE_NAME(), "MON-1")


def _layout(game: Game, settings: Settings) -> Refusal | None:
    if (error := wrong_layout(game, settings.layout)) is not None:
        return Refusal(error.message, clause=error.clause)
    layout = game.layouts[settings.layout]
    if not layout.positions_min <= settings.positions <= layout.positions_max:
        others = {clause for each in game.layouts.values() if each is not layout for clause in each.clauses}
        clause = next((each for each in layout.clauses if each not in others), "")
        return Refusal(
            LAYOUT_PLACES_WRONG(layout=layout.id, places=settings.positions),
            POSSIBLE_RANGE(least=layout.positions_min, most=layout.positions_max),
            clause,
        )
    return None


def _decks(game: Game, settings: Settings) -> Refusal | None:
    error = wrong_decks(game, settings.decks)
    return Refusal(error.message, clause=error.clause) if error is not None else None


def _method(game: Game, settings: Settings) -> Refusal | None:
    if settings.method not in (list(game.methods) or [""]):
        clause = common_clause(each.clauses for each in game.methods.values())
        return Refusal(
            NO_SUCH_METHOD(game=game.id, method=settings.method),
            POSSIBLE_VALUES(values=[*game.methods]) if game.methods else ONE_METHOD_ONLY(),
            clause,
        )
    return None


def _spans(game: Game, settings: Settings) -> Refusal | None:
    """Numbers with which nothing could be dealt, paid or waited for."""
    equipment, cards = settings.equipment, settings.decks * CARDS_PER_DECK
    cut = cite(game, "cut") or cite(game, "cutting-card")
    spans = (
        (settings.chip_unit, "chip_unit", 1, AMOUNT_MAX, "MON-2"),
        (settings.burn, "burn", 0, cards - game.procedure.cards_max, cite(game, "burn")),
        (settings.cut_reserve, "cut_reserve", 1, cards - settings.burn - 1, cut),
        (settings.rounds_after_cut, "rounds_after_cut", 0, COUNT_MAX, cite(game, "end-of-shoe") or cut),
        (settings.area_players, "area_players", 0, COUNT_MAX, cite(game, "shared-area")),
        (settings.discrepancy_max, "discrepancy_max", 0, AMOUNT_MAX, "OPS-1"),
        (settings.withdrawal_seconds, "withdrawal_seconds", 1, DAY, ""),
        (settings.reveal_seconds, "reveal_seconds", 0, DAY, ""),
        (equipment.held_out, "held_out", 0, cards - game.procedure.cards_max, ""),
        (equipment.shoe, "shoe", 0, COUNT_MAX, ""),
        (equipment.shuffler, "shuffler", 0, COUNT_MAX, ""),
        (equipment.discard_rack, "discard_rack", 0, COUNT_MAX, ""),
        (equipment.cutting_cards, "cutting_cards", 0, COUNT_MAX, ""),
        (equipment.pucks, "pucks", 0, COUNT_MAX, ""),
    )
    for number, setting, least, most, clause in spans:
        if not least <= number <= most:
            return Refusal(
                SETTING_OUT_OF_RANGE(setting=setting, value=number), POSSIBLE_RANGE(least=least, most=most), clause
            )
    return None


def _limits(game: Game, settings: Settings) -> Refusal | None:
    """Every wager offered has limits, within the document's, and pays in whole units (Q01)."""
    for id, wager in game.offered(settings.layout).items():
        limit = settings.limits.get(id)
        if limit is None:
            if wager.optional:
                continue
            return Refusal(LIMITS_MISSING(wager=id), SET_MINIMUM_AND_MAXIMUM(), cite(game, "limits"))
        if not 0 < limit.min <= limit.max <= AMOUNT_MAX or not 1 <= limit.increment <= AMOUNT_MAX:
            return Refusal(LIMITS_WRONG(wager=id), clause=cite(game, "limits"))
        if settings.least(id) > limit.max:
            return Refusal(
                NO_WAGER_WITHIN_LIMITS(wager=id, step=settings.step(id)),
                SET_SMALLER_STEPS(),
                cite(game, "limits"),
            )
        beyond = _beyond_document(wager, limit)
        if beyond is not None:
            return Refusal(ABOVE_RULES_MAXIMUM(wager=id, maximum=beyond), clause=wager.limit.clauses[0])
    return next((refusal for wager in settings.limits if (refusal := _offered(game, settings, wager))), None)


def _differential(game: Game, settings: Settings) -> Refusal | None:
    if settings.differential is None:
        return None
    if game.differential is None:
        return Refusal(NO_DIFFERENTIAL_PROCEDURE(game=game.id), OPEN_WITHOUT_DIFFERENTIAL())
    if 0 < settings.differential <= AMOUNT_MAX:
        return None
    clauses = game.differential.clauses
    return Refusal(DIFFERENTIAL_WRONG(), SET_AMOUNT_OR_NONE(), clauses[0] if clauses else "")


def _sharing(game: Game, settings: Settings) -> Refusal | None:
    """No more patrons on an area than the document lets the operator permit (D21-5.7.a)."""
    reading = game.readings.get("area_players")
    if reading is not None and settings.area_players and str(settings.area_players) not in reading.options:
        return Refusal(
            SETTING_OUT_OF_RANGE(setting="area_players", value=settings.area_players),
            POSSIBLE_VALUES(values=[*reading.options]),
            cite(game, "shared-area"),
        )
    if settings.area_cap not in ("off", "all", "named"):
        clauses = game.cites.get("area-cap") or game.cites.get("shared-area", ("",))[-1:]
        return Refusal(
            UNKNOWN_AREA_CAP(cap=settings.area_cap), POSSIBLE_VALUES(values=["off", "all", "named"]), clauses[0]
        )
    if not all(name.strip() for name in settings.area_named):
        clauses = game.cites.get("area-cap") or game.cites.get("shared-area", ("",))[-1:]
        return Refusal(AREA_PATRON_WITHOUT_NAME(), NAME_THE_PATRONS(), clauses[-1])
    return None


def _after_cut(game: Game, settings: Settings) -> Refusal | None:
    """No more rounds after the cutting card than the document can be read to allow (Q33)."""
    reading = game.readings.get("rounds_after_cut")
    if reading is None or str(settings.rounds_after_cut) in reading.options:
        return None
    clause = reading.clauses[0] if reading.clauses else ""
    return Refusal(
        SETTING_OUT_OF_RANGE(setting="rounds_after_cut", value=settings.rounds_after_cut),
        POSSIBLE_VALUES(values=[*reading.options]),
        clause,
    )


def _area(game: Game, settings: Settings) -> Refusal | None:
    """A high limit area under another spelling would be taken for an ordinary one (IDT-1.1.5)."""
    known = game.high_limit.areas if game.high_limit else ()
    meant = next((each for each in known if _plain(each) == _plain(settings.area)), settings.area)
    if game.high_limit is None or meant == settings.area:
        return None
    clauses = game.high_limit.clauses
    return Refusal(UNKNOWN_AREA(area=settings.area), WRITE_INSTEAD(word=meant), clauses[0] if clauses else "")


def _plain(words: str) -> str:
    return "".join(each for each in words.casefold() if each.isalnum())


def _beyond_document(wager: Wager, limit: Limit) -> Money | None:
    most = wager.limit.max
    return most if most is not None and limit.max > most else None


def _offered(game: Game, settings: Settings, wager: str) -> Refusal | None:
    offered = game.offered(settings.layout)
    if wager in offered:
        return None
    if (error := wrong_area(game, wager, settings.layout)) is not None:
        return Refusal(error.message, clause=error.clause)
    return Refusal(WAGER_UNKNOWN(name=wager[:40], game=game.id, wagers=[*offered]))


def _chips(_game: Game, settings: Settings) -> Refusal | None:
    """Chips on a page are whole chips of the table, from the smallest up."""
    values = settings.chip_values
    rising = all(one < other for one, other in pairwise(values))
    if rising and all(0 < value <= AMOUNT_MAX and settings.whole(value) for value in values):
        return None
    return Refusal(CHIP_VALUES_OFF(unit=settings.chip_unit), NAME_WHOLE_CHIPS(), "OPS-2")


def _rounding(game: Game, settings: Settings) -> Refusal | None:
    """Payments are exact, or rounded to whole chips for somebody (Q01)."""
    if settings.rounding in ("", "patron", "house"):
        return None
    reading = game.readings.get("rounding")
    clause = reading.clauses[0] if reading and reading.clauses else "MON-2"
    return Refusal(UNKNOWN_ROUNDING(rounding=settings.rounding), POSSIBLE_VALUES(values=["patron", "house"]), clause)


def _unrated(game: Game, settings: Settings) -> Refusal | None:
    """Chips of no account are real, a person enters them, and every payment comes to whole chips: nobody can be owed the rest."""
    if not settings.takes_spots:
        return None
    if settings.chips != "physical":
        return Refusal(UNRATED_NOT_REAL(), USE_REAL_CHIPS(), "OPS-2")
    if settings.automatic_dealer:
        return Refusal(UNRATED_NEEDS_DEALER(), LET_PERSON_DEAL(), "OPS-2")
    if settings.rounding or settings.chip_unit == 1:
        return None
    broken = [id for id in settings.limits if not _pays_whole_chips(game.wagers[id], settings)]
    return (
        Refusal(UNRATED_PAYS_IN_PARTS(wagers=broken, unit=settings.chip_unit), SET_WHOLE_STEPS(), "MON-2")
        if broken
        else None
    )


def _pays_whole_chips(wager: Wager, settings: Settings) -> bool:
    """Does every line pay a wager within its limits and steps in whole chips?"""
    return all((line.net * settings.step(wager.id)) % settings.chip_unit == 0 for line in wager.lines)


def rounding_of(game: Game, settings: Settings) -> HouseRounding:
    """How this table rounds a payment: to the smallest coin (Q01), or to whole chips where the house has posted that."""
    if not settings.rounding:
        return game.rounding
    return HouseRounding(settings.rounding == "patron", Money(settings.chip_unit))
