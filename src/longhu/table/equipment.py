"""What stands on a table before it opens: cards, shoe, shufflers, rack, pucks and drop box."""

from __future__ import annotations

from longhu.cards import CARDS_PER_DECK
from longhu.eventsourcing import Refusal
from longhu.games.game import Game
from longhu.messages.message import message_code
from longhu.table.messages import POSSIBLE_VALUES
from longhu.table.state import Settings

BACKS_DIFFER = message_code("backs-differ")
UNKNOWN_SET_UP = message_code("unknown-set-up", setup="text")
SETS_NOT_ONE = message_code("sets-not-one", sets="number")
SETS_NOT_TWO = message_code("sets-not-two")
SHOE_TOO_SMALL = message_code("shoe-too-small", holds="number", cards="number")
SHOE_COVER_MISSING = message_code("shoe-cover-missing")
SHUFFLER_TOO_SMALL = message_code("shuffler-too-small", holds="number", cards="number")
DISCARD_RACK_TOO_SMALL = message_code("discard-rack-too-small", holds="number", cards="number")
METHOD_NOT_FROM_CONTINUOUS = message_code("method-not-from-continuous", method="text")
CUTTING_CARDS_WRONG = message_code("cutting-cards-wrong", number="number")
PUCKS_MISSING = message_code("pucks-missing")
DROP_BOX_MISSING = message_code("drop-box-missing")
PUT_EQUIPMENT_RIGHT = message_code("put-equipment-right")
CARDS_MISSING = message_code("cards-missing")
BATCH_SHUFFLER_WRONG = message_code("batch-shuffler-wrong", holds="number", sets="number")
BATCH_SHUFFLER_TAKES = message_code("batch-shuffler-takes", cards="number")
SET_INCOMPLETE = message_code("set-incomplete", decks="number", needed="number")
TAKE_COMPLETE_SETS = message_code("take-complete-sets")

DEVICE_NOT_OF_SET_UP = message_code("device-not-of-set-up", device="choice", setup="choice")
DEAL_FROM_SHUFFLER = message_code("deal-from-shuffler")
SET_UP_A_SHUFFLER = message_code("set-up-a-shuffler")
DEAL_FROM_SHOE = message_code("deal-from-shoe")

SETUPS = ("shoe", "batch-shuffler", "continuous-shuffler")
SHUFFLER_CARDS = 8 * CARDS_PER_DECK  # what a batch shuffler must hold (D21-3.4.a.ii.B)


def check_equipment(game: Game, settings: Settings) -> Refusal | None:
    """What does not fit the game or the cards in play, with the clause."""
    return _asked_for(game, settings) or _set_up(game, settings) or _device(game, settings) or _incomplete(settings)


def _asked_for(game: Game, settings: Settings) -> Refusal | None:
    """What the document asks for must be on record, and hold the cards in play; only what it lists is asked."""
    equipment, cards = settings.equipment, settings.decks * CARDS_PER_DECK
    backs = [set(each.backs) for each in equipment.sets]
    continuous, batch = equipment.setup == "continuous-shuffler", equipment.setup == "batch-shuffler"
    shoe, squeezed = not continuous and not batch, game.methods.get(settings.method)
    one_set, sets = len(equipment.sets) == 1, len(equipment.sets)
    wrong = {
        "one-back": (any(len(each) > 1 for each in backs), BACKS_DIFFER()),
        "set-up": (equipment.setup not in SETUPS, UNKNOWN_SET_UP(setup=equipment.setup)),
        "shoe-one-set": (shoe and not one_set, SETS_NOT_ONE(sets=sets)),
        "shoe-capacity": (shoe and equipment.shoe < cards, SHOE_TOO_SMALL(holds=equipment.shoe, cards=cards)),
        "shoe-cover": (not continuous and not equipment.cover, SHOE_COVER_MISSING()),
        "batch-two-sets": (
            batch and (sets != 2 or bool(backs[0] & backs[1])),
            SETS_NOT_TWO(),
        ),
        "batch-shuffler-capacity": (
            batch and equipment.shuffler < SHUFFLER_CARDS,
            SHUFFLER_TOO_SMALL(holds=equipment.shuffler, cards=SHUFFLER_CARDS),
        ),
        "batch-shoe-capacity": (batch and equipment.shoe < cards, SHOE_TOO_SMALL(holds=equipment.shoe, cards=cards)),
        "continuous-one-set": (continuous and not one_set, SETS_NOT_ONE(sets=sets)),
        "continuous-capacity": (
            continuous and equipment.shuffler < cards,
            SHUFFLER_TOO_SMALL(holds=equipment.shuffler, cards=cards),
        ),
        "continuous-without-squeeze": (
            continuous and squeezed is not None and squeezed.squeeze != "nobody",
            METHOD_NOT_FROM_CONTINUOUS(method=settings.method),
        ),
        "cutting-cards": (
            equipment.cutting_cards not in (1, 2),
            CUTTING_CARDS_WRONG(number=equipment.cutting_cards),
        ),
        "discard-rack": (
            equipment.discard_rack < cards,
            DISCARD_RACK_TOO_SMALL(holds=equipment.discard_rack, cards=cards),
        ),
        "pucks": (
            squeezed is not None and squeezed.squeeze != "nobody" and equipment.pucks < 2,
            PUCKS_MISSING(),
        ),
        "drop-box": (not equipment.drop_box.strip(), DROP_BOX_MISSING()),
    }
    for requirement, clauses in game.equipment.items():
        failed, reason = wrong[requirement]
        if failed:
            return Refusal(reason, PUT_EQUIPMENT_RIGHT(), clauses[0] if clauses else "")
    return None


def _set_up(game: Game, settings: Settings) -> Refusal | None:
    """Where a document names no set-ups, the table has one that works; a continuous shuffler only by a document's word."""
    equipment, cards = settings.equipment, settings.decks * CARDS_PER_DECK
    if "set-up" in game.equipment:
        return None
    possible = [each for each in SETUPS if each != "continuous-shuffler" or "continuous-capacity" in game.equipment]
    if equipment.setup not in possible:
        return Refusal(UNKNOWN_SET_UP(setup=equipment.setup), POSSIBLE_VALUES(values=possible))
    clause = game.decks.clauses[0] if game.decks.clauses else ""
    if not equipment.sets:
        return Refusal(CARDS_MISSING(), PUT_EQUIPMENT_RIGHT(), clause)
    if equipment.setup == "batch-shuffler" and (len(equipment.sets) != 2 or equipment.shuffler < cards):
        return Refusal(
            BATCH_SHUFFLER_WRONG(holds=equipment.shuffler, sets=len(equipment.sets)),
            BATCH_SHUFFLER_TAKES(cards=cards),
            clause,
        )
    return None


def _device(game: Game, settings: Settings) -> Refusal | None:
    """Real cards come out of a shoe, or out of the shuffler; a virtual shoe stands for any of them."""
    setup, device = settings.equipment.setup, settings.device
    if device in ("hand-shoe", "reading-shoe") and setup == "continuous-shuffler":
        return Refusal(DEVICE_NOT_OF_SET_UP(device=device, setup=setup), DEAL_FROM_SHUFFLER())
    if device != "shuffler":
        return None
    if setup == "shoe":
        return Refusal(DEVICE_NOT_OF_SET_UP(device=device, setup=setup), SET_UP_A_SHUFFLER())
    dealt_from_shoe = game.equipment.get("batch-shoe-capacity")
    if setup == "batch-shuffler" and dealt_from_shoe is not None:
        return Refusal(DEVICE_NOT_OF_SET_UP(device=device, setup=setup), DEAL_FROM_SHOE(), dealt_from_shoe[0])
    return None


def _incomplete(settings: Settings) -> Refusal | None:
    for each in settings.equipment.sets:
        if len(each.backs) != settings.decks:
            return Refusal(SET_INCOMPLETE(decks=len(each.backs), needed=settings.decks), TAKE_COMPLETE_SETS())
    return None
