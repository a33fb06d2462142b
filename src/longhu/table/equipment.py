"""What stands on a table before it opens: cards, shoe, shufflers, rack, pucks and drop box."""

from __future__ import annotations

from longhu.cards import CARDS_PER_DECK
from longhu.eventsourcing import Refusal
from longhu.games.game import Game
from longhu.table.state import Settings

SETUPS = ("shoe", "batch-shuffler", "continuous-shuffler")
SHUFFLER_CARDS = 8 * CARDS_PER_DECK  # what a batch shuffler must hold (D21-3.4.a.ii.B)


def check_equipment(game: Game, settings: Settings) -> Refusal | None:
    """What does not fit the game or the cards in play, with the clause."""
    return _asked_for(game, settings) or _set_up(game, settings) or _incomplete(settings)


def _asked_for(game: Game, settings: Settings) -> Refusal | None:
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
        "batch-two-sets": (
            batch and (sets != 2 or bool(backs[0] & backs[1])),
            "two sets with different backs are used",
        ),
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
        "drop-box": (not equipment.drop_box.strip(), "no drop box is on record"),
    }
    for requirement, clauses in game.equipment.items():
        failed, reason = wrong[requirement]
        if failed:
            return Refusal(reason, "Put the equipment right before the table opens", clauses[0] if clauses else "")
    return None


def _set_up(game: Game, settings: Settings) -> Refusal | None:
    """Where a document names no set-ups, the table has one that works; a continuous shuffler only by a document's word."""
    equipment, cards = settings.equipment, settings.decks * CARDS_PER_DECK
    if "set-up" in game.equipment:
        return None
    possible = [each for each in SETUPS if each != "continuous-shuffler" or "continuous-capacity" in game.equipment]
    if equipment.setup not in possible:
        return Refusal(f"{equipment.setup!r} is no set-up of {game.id}", f"Possible: {', '.join(possible)}")
    clause = game.decks.clauses[0] if game.decks.clauses else ""
    if not equipment.sets:
        return Refusal("no set of cards is on record", "Put one on record before the table opens", clause)
    if equipment.setup == "batch-shuffler" and (len(equipment.sets) != 2 or equipment.shuffler < cards):
        return Refusal(
            f"a batch shuffler for {equipment.shuffler} cards, with {len(equipment.sets)} sets",
            f"It takes two sets, and holds the {cards} cards of one",
            clause,
        )
    return None


def _incomplete(settings: Settings) -> Refusal | None:
    for each in settings.equipment.sets:
        if len(each.backs) != settings.decks:
            return Refusal(f"a set of {len(each.backs)} decks at a table of {settings.decks}", "Take complete sets")
    return None
