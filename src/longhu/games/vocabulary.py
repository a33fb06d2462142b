"""The closed lists of words that a game file may use for events, remedies and positions.

The live table is written against these words; a file says, for its own document, which of them apply,
what is done, who decides, and which clause says so.
"""

from __future__ import annotations

from longhu.messages.message import message_code

POSITIONS = (
    "patron", "dealer", "pit-supervisor", "pit-manager", "gaming-shift-manager",
    "game-supervisor", "casino-supervisor", "casino-operator",
)  # fmt: skip

STEPS = (
    "round-starts", "round-ends", "opening-call", "closing-call", "first-card", "announce-totals", "announce-result",
    "announce-tie", "settle", "collect-and-pay", "late-wager", "late-increase", "late-withdrawal", "change-method",
    "cutting-card", "cutting-card-first", "end-of-shoe", "shuffle", "cut", "burn", "open-table", "void-hand",
    "change-after-tie", "limits", "shared-area", "area-cap", "staff-places-wager", "spoken-wager", "nominee", "nominee-marker", "squeeze-grant", "display",
    "expiry", "general-rules", "position-above", "dealer-draws", "chips-on-layout", "losing-wager", "equal-wagers",
    "standing", "cards-stand", "in-force", "points",
)  # fmt: skip

IRREGULARITIES = (
    "foreign-card",
    "extra-card",
    "missing-card",
    "unshuffled-cards",
    "order-altered",
    "insufficient-cards",
    "card-face-up",
    "wrong-order",
    "too-many-cards-to-hand",
    "wrong-recipient",
    "wrong-squeezer",
    "not-passed",
    "dealt-face-up",
    "card-exposed",
    "drawn-together-order-known",
    "drawn-together-initial-deal",
    "drawn-together-later",
    "drawn-in-error",
    "device-reset",
    "patron-absent",
    "patron-left-with-cards",
    "under-minimum",
    "over-maximum",
    "power-failure",
    "malfunction",
    "game-expired",
    "other",
)
IRREGULARITY = {
    kind: message_code(f"irregularity.{kind}") for kind in IRREGULARITIES
}  # the name of each, in the catalogues
TIMED = ("game-expired",)  # which happen after a number of days

REMEDIES = (
    "void",  # every stake of the round is returned
    "continue",  # the outcome stands
    "reconstruct",  # the cards are put in their right places and the round goes on
    "offer-withdrawal-then-reconstruct",
    "order-then-offer-withdrawal",  # a named position sets the order, then patrons may withdraw
    "offer-withdrawal-then-reopen",
    "offer-withdrawal-unless-decided",
    "retrieve",  # while the cards are unseen
    "dealer-reveals",
    "deduce-and-replace",  # the missing card is found by counting and a like card is used
    "settle-once-then-return",
    "settle-to-limit",
    "refund",
    "ruling",  # a named position decides, with a reason
)

EQUIPMENT = (  # what must be on record before a table opens, where the document asks for it
    "one-back",  # a single back colour and design across a set
    "set-up",  # one of three: a shoe, a batch shuffler with two sets, a continuous shuffler
    "shoe-one-set", "shoe-capacity", "shoe-cover",
    "batch-two-sets", "batch-shuffler-capacity", "batch-shoe-capacity",
    "continuous-one-set", "continuous-capacity", "continuous-without-squeeze",
    "cutting-cards", "discard-rack", "pucks", "drop-box",
)  # fmt: skip

MAXIMUMS = ("area", "outcome")
DIFFERENTIALS = ("pro-rata", "ask-raise-remove")
SQUEEZES = ("largest-wager", "nobody")
FACINGS = ("face-up", "face-down")
