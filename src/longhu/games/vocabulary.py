"""The closed lists of words that a game file may use for events, remedies and positions.

The live table is written against these words; a file says, for its own document, which of them apply,
what is done, who decides, and which clause says so.
"""

from __future__ import annotations

from longhu.texts import SIMPLIFIED, TRADITIONAL, Text

POSITIONS = (
    "patron", "dealer", "pit-supervisor", "pit-manager", "gaming-shift-manager",
    "game-supervisor", "casino-supervisor", "casino-operator",
)  # fmt: skip

STEPS = (
    "round-starts", "round-ends", "opening-call", "closing-call", "first-card", "announce-totals", "announce-result",
    "announce-tie", "settle", "collect-and-pay", "late-wager", "late-increase", "late-withdrawal", "change-method",
    "cutting-card", "cutting-card-first", "end-of-shoe", "shuffle", "cut", "burn", "open-table", "void-hand",
    "change-after-tie", "limits", "shared-area", "area-cap", "staff-places-wager", "spoken-wager", "nominee", "squeeze-grant", "display",
    "expiry", "general-rules", "position-above", "dealer-draws", "chips-on-layout", "losing-wager", "maximum", "equal-wagers",
    "standing",
)  # fmt: skip

_NAMES = {  # what goes wrong, as it is called at the table: English, Simplified and Traditional Chinese
    "foreign-card": ("A card that does not belong to the set", "出现不属于本副牌的牌", "出現不屬於本副牌的牌"),
    "extra-card": ("A card too many in the set", "牌组多出一张牌", "牌組多出一張牌"),
    "missing-card": ("A card missing from the set", "牌组缺少一张牌", "牌組缺少一張牌"),
    "unshuffled-cards": ("Cards that were not shuffled", "有牌未洗", "有牌未洗"),
    "order-altered": ("The order of the cards was altered", "牌的次序被打乱", "牌的次序被打亂"),
    "insufficient-cards": ("Not enough cards to finish the round", "余牌不足以完成本局", "餘牌不足以完成本局"),
    "card-face-up": ("A card face up in the shoe", "牌靴中有牌面朝上", "牌靴中有牌面朝上"),
    "wrong-order": ("Cards dealt in the wrong order", "发牌次序错误", "發牌次序錯誤"),
    "too-many-cards-to-hand": ("Too many cards dealt to a hand", "一手牌发牌过多", "一手牌發牌過多"),
    "wrong-recipient": ("Cards passed to the wrong patron", "牌交给了错误的客人", "牌交給了錯誤的客人"),
    "wrong-squeezer": ("The wrong patron has looked at the cards", "错误的客人已看牌", "錯誤的客人已看牌"),
    "not-passed": ("The dealer turned cards instead of passing them", "荷官未交牌而自行翻牌", "荷官未交牌而自行翻牌"),
    "dealt-face-up": ("Cards dealt face up by mistake", "误将牌面朝上发出", "誤將牌面朝上發出"),
    "card-exposed": ("A card turned over too early", "牌过早翻开", "牌過早翻開"),
    "drawn-together-order-known": ("Cards drawn together, order known", "多张牌同时抽出，次序可知", "多張牌同時抽出，次序可知"),
    "drawn-together-initial-deal": ("Cards drawn together in the initial deal, order unknown", "首轮发牌时多张同时抽出，次序不明", "首輪發牌時多張同時抽出，次序不明"),
    "drawn-together-later": ("Cards drawn together after the initial deal, order unknown", "首轮发牌后多张同时抽出，次序不明", "首輪發牌後多張同時抽出，次序不明"),
    "device-reset": ("The dealing device must be reset", "发牌设备需要重置", "發牌設備需要重置"),
    "patron-absent": ("A patron with cards is absent", "持牌客人不在场", "持牌客人不在場"),
    "patron-left-with-cards": ("A patron has left with cards", "客人带牌离开", "客人帶牌離開"),
    "under-minimum": ("A wager under the minimum", "投注低于下限", "投注低於下限"),
    "over-maximum": ("A wager over the maximum", "投注高于上限", "投注高於上限"),
    "power-failure": ("Power failure", "停电", "停電"),
    "malfunction": ("Malfunction", "故障", "故障"),
    "game-expired": ("A game open for too long", "牌局逾期未完", "牌局逾期未完"),
    "other": ("Anything else", "其他情况", "其他情況"),
}  # fmt: skip
IRREGULARITY_NAMES = {
    kind: Text(en, {SIMPLIFIED: hans, TRADITIONAL: hant}) for kind, (en, hans, hant) in _NAMES.items()
}
IRREGULARITIES = tuple(IRREGULARITY_NAMES)
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
    "shoe-one-set", "shoe-capacity",
    "batch-two-sets", "batch-shuffler-capacity", "batch-shoe-capacity",
    "continuous-one-set", "continuous-capacity", "continuous-without-squeeze",
    "cutting-cards", "discard-rack", "pucks", "drop-box",
)  # fmt: skip

DIFFERENTIALS = ("pro-rata", "ask-raise-remove")
SQUEEZES = ("largest-wager", "nobody")
FACINGS = ("face-up", "face-down")
