// Written by `make messages` from the declared codes and the English catalogue: do not edit.

/** The kind of each argument of a message of the house. */
export const KINDS: Record<string, Record<string, string>> = {
  "above-rules-maximum": {"maximum": "money", "wager": "wager"},
  "account-closed": {"person": "person"},
  "account-locked-already": {"person": "person"},
  "account-not-locked": {"person": "person"},
  "account-of-other-money": {"account": "choice"},
  "acts-for-another": {"patron": "person", "person": "person"},
  "alert-account-locked": {"address": "text", "failures": "number", "person": "person", "source": "choice"},
  "alert-acknowledged-already": {"number": "text"},
  "alert-automatic-dealer-failed": {"detail": "text"},
  "alert-call": {"person": "person", "text": "text"},
  "alert-chips-differ": {"kind": "choice", "number": "number", "person": "person"},
  "alert-clock-stepped": {"node": "text", "seconds": "text"},
  "alert-console": {"command": "command", "person": "person", "user": "text"},
  "alert-dispute": {"dispute": "number", "person": "person", "round": "number"},
  "alert-export": {"of": "text", "person": "person", "what": "choice"},
  "alert-house-command-refused": {"command": "command", "reason": "message"},
  "alert-irregularity": {"kind": "message"},
  "alert-large-win": {"amount": "money", "person": "person", "place": "number", "wager": "wager"},
  "alert-limits-changed": {"person": "person", "reason": "reason"},
  "alert-no-shoe": {"reason": "message"},
  "alert-password-guessing": {"person": "person", "sources": "number"},
  "alert-payment-corrected": {"amount": "money", "patron": "person", "people": "persons", "round": "number"},
  "alert-payments-reversed": {"round": "number"},
  "alert-program-changed": {"changed": "texts", "node": "text"},
  "alert-round-void": {"round": "number"},
  "alert-ruling": {"decision": "text", "person": "person"},
  "alert-second-copy-fault": {"detail": "text"},
  "alert-shoe-fault": {"fault": "message"},
  "alert-shoe-lost": {"cause": "choice", "shoe": "text"},
  "alert-sign-in-failures": {"failures": "number", "minutes": "number"},
  "alert-table-stopped": {"defect": "text"},
  "alert-table-unreadable": {"detail": "text"},
  "amount-not-above-zero": {"field": "text"},
  "amount-not-on-wager": {"amount": "money", "held": "money"},
  "amount-not-positive": {"amount": "money"},
  "amount-range": {"maximum": "money"},
  "another-card-comes-next": {"card": "card"},
  "another-deals": {"dealer": "person"},
  "another-holds-hand": {"hand": "hand", "person": "person"},
  "another-shoe-reads": {"shoe": "text"},
  "approved-before-in-force": {"at": "time", "game": "game"},
  "approved-by-a-position": {"position": "position"},
  "area-above-maximum": {"amount": "money", "maximum": "money", "wager": "wager"},
  "area-capped": {"counts": "choice", "most": "number", "place": "number", "wager": "wager"},
  "area-full": {"patrons": "number"},
  "area-not-on-layout": {"place": "number", "wager": "wager"},
  "as-told": {"text": "reason"},
  "ask-position": {"position": "position"},
  "associated-already": {"association": "choice", "person": "person"},
  "at-most": {"amount": "money"},
  "at-most-characters": {"maximum": "number"},
  "at-table-already": {"person": "person"},
  "barred-as-nominee": {"person": "person", "status": "choice"},
  "barred-until": {"at": "time"},
  "batch-shuffler-takes": {"cards": "number"},
  "batch-shuffler-wrong": {"holds": "number", "sets": "number"},
  "betting-closed": {"round": "number"},
  "blackjack-no-more-cards": {"hands": "hands"},
  "body-not-json": {"found": "text"},
  "break-until": {"at": "time"},
  "call-bet-chips-differ": {"called": "money", "handed": "money"},
  "call-bet-ended": {"how": "choice", "patron": "person", "wager": "wager"},
  "cannot-act-for": {"patron": "person", "person": "person"},
  "cannot-assign-above": {"position": "position", "to": "position"},
  "card-accounted-for": {"card": "card"},
  "card-lies-so": {"card": "card"},
  "card-not-in-shoe": {"card": "card"},
  "card-open-by": {"step": "number", "steps": "number"},
  "card-too-many": {"card": "card", "decks": "number", "found": "number"},
  "cards-count-wrong": {"cards": "number", "counted": "number"},
  "cards-cut-already": {"patron": "person"},
  "cards-have-decided": {"wager": "wager"},
  "cards-lay-open": {"cards": "cards"},
  "cards-left": {"cards": "number"},
  "cards-left-over": {"cards": "cards", "complete": "number", "given": "number"},
  "cards-lie-on": {"hands": "hands"},
  "cards-on-table": {"cards": "number"},
  "cards-over": {"cards": "number"},
  "cards-stayed": {"cards": "number"},
  "cards-told-together": {"cards": "number"},
  "change-behind-end": {"at": "text", "entries": "number", "place": "number"},
  "change-impossible": {"number": "number", "problem": "message"},
  "change-moves-outside": {"at": "text", "found": "text", "last": "number"},
  "change-no-option": {"hint": "message", "option": "text", "reading": "text"},
  "change-no-reading": {"hint": "message", "reading": "text"},
  "change-not-in-list": {"at": "text"},
  "change-nowhere": {"at": "text"},
  "change-without-value": {"at": "text"},
  "checklist-item-not-done": {"item": "text"},
  "chip-request-accepted": {"kind": "choice", "number": "number"},
  "chip-request-stands-at": {"kind": "choice", "number": "number", "stage": "choice"},
  "chip-request-under-way": {"kind": "choice", "number": "number"},
  "chip-values-off": {"unit": "money"},
  "chips-at-table": {"person": "person", "table": "text"},
  "chips-bought": {"patron": "person"},
  "chips-cashed": {"patron": "person"},
  "chips-do-not-add-up": {"amount": "money"},
  "chips-found": {"amount": "money", "patron": "person", "wager": "wager"},
  "chips-handed-over": {"patron": "person", "wager": "wager"},
  "chips-off-limits": {"amount": "money"},
  "chips-still-at-table": {"patron": "person"},
  "chips-taken-back": {"patron": "person", "wager": "wager"},
  "chips-wagered": {"patron": "person", "wager": "wager"},
  "choose-game": {"games": "texts"},
  "choose-up-to": {"maximum": "money"},
  "choose-wager": {"wagers": "any wager"},
  "choose-wager-on": {"hand": "hand"},
  "chose-both-passwords": {"one": "person", "other": "person", "person": "person"},
  "chose-the-password": {"other": "person", "person": "person"},
  "command-id-malformed": {"problem": "message"},
  "command-id-rule": {"maximum": "number"},
  "command-unknown": {"found": "text"},
  "commission-collected": {"patron": "person"},
  "commission-kept": {"amount": "money"},
  "condition-compared-unlike": {"first": "message", "first_kind": "choice", "second": "message", "second_kind": "choice"},
  "condition-name": {"name": "text"},
  "condition-no-number": {"kind": "choice", "part": "message"},
  "condition-no-operand": {"found": "text"},
  "condition-no-such-sign": {"found": "text"},
  "condition-no-words-in-common": {"first": "message", "second": "message"},
  "condition-not-yes-or-no": {"kind": "choice", "part": "message"},
  "condition-number-over-most": {"found": "text", "most": "number"},
  "condition-number-reached": {"found": "text", "most": "number"},
  "condition-only-equal-or-not": {"kind": "choice", "part": "message"},
  "condition-sign-expected": {"found": "text", "sign": "text"},
  "condition-sign-expected-at-end": {"sign": "text"},
  "condition-too-deep": {"most": "number"},
  "condition-too-long": {"found": "number", "most": "number"},
  "condition-unexpected": {"found": "text"},
  "condition-unknown-fact": {"found": "text", "hint": "message"},
  "condition-unknown-word": {"found": "text", "hint": "message"},
  "condition-words-for-signs": {"found": "text"},
  "confirm-after": {"at": "time"},
  "confirm-rounding": {"to": "choice"},
  "confirmation-pending": {"command": "command", "person": "person"},
  "contribution-too-long": {"characters": "number", "most": "number"},
  "correction-owed": {"patron": "person", "round": "number"},
  "cosigner-is-actor": {"person": "person"},
  "cosigner-not-staff": {"person": "person"},
  "cosigner-too-low": {"needed": "position", "person": "person", "position": "position"},
  "cosigner-twice": {"person": "person"},
  "count-does-not-fit": {"found": "number", "gone": "number"},
  "csrf-token-missing": {"header": "text"},
  "cut-declined-already": {"patron": "person"},
  "cut-made-already": {"behind": "number", "patron": "person"},
  "cut-out-of-range": {"behind": "number"},
  "cutting-cards-wrong": {"number": "number"},
  "deal-hands-alike": {"id": "text"},
  "deal-not-two-hands": {"found": "number"},
  "deal-procedure-missing": {"hint": "message"},
  "deal-total-is-natural": {"rows": "text", "total": "number"},
  "deal-total-twice": {"rows": "text", "total": "number"},
  "deal-totals-missing": {"rows": "text", "totals": "text"},
  "dealer-holds-hand": {"hand": "hand"},
  "deals-already": {"person": "person"},
  "decks-out-of-range": {"game": "game", "maximum": "number", "minimum": "number"},
  "decks-outside-range": {"decks": "number", "game": "game", "least": "number", "most": "number"},
  "decoder-says": {"detail": "text"},
  "deposit-limit": {"amount": "money", "maximum": "money", "span": "choice"},
  "deposit-up-to": {"maximum": "money"},
  "device-known-already": {"device": "text"},
  "device-name-rule": {"maximum": "number"},
  "device-name-wrong": {"name": "text"},
  "device-not-of-set-up": {"device": "choice", "setup": "choice"},
  "did-you-mean": {"near": "text", "possible": "text"},
  "differential": {"gap": "money", "leads": "hand", "limit": "money", "over": "money", "trails": "hand"},
  "differential-stage": {"stage": "choice"},
  "discard-rack-too-small": {"cards": "number", "holds": "number"},
  "display-name-rule": {"maximum": "number"},
  "dispute-asks-nothing": {"dispute": "number", "round": "number"},
  "dispute-raised-already": {"dispute": "number", "round": "number"},
  "dispute-ruled-on": {"dispute": "number"},
  "draws-after-stand": {"hand": "hand", "other": "hand", "total": "number"},
  "draws-against-third-card": {"hand": "hand", "other": "hand", "third": "number", "total": "number"},
  "draws-on-total": {"hand": "hand", "total": "number"},
  "draws-up-to": {"hand": "hand", "limit": "number", "total": "number"},
  "duration-hours": {"hours": "number"},
  "duration-minutes": {"minutes": "number"},
  "edge-favours-patrons": {"edge": "percent", "wager": "wager"},
  "edges-favour-patrons": {"edges": "messages"},
  "either-of-two": {"first": "text", "second": "text"},
  "end-not-confirmed": {"patron": "person"},
  "excluded-until": {"at": "time"},
  "exclusion-not-before": {"at": "time"},
  "face-up-before-first": {"card": "card"},
  "faces-not-told": {"needed": "number", "told": "number"},
  "faces-told-wrong": {"needed": "number", "told": "number"},
  "fact-beats-other": {"hand": "hand"},
  "fact-blackjack": {"hand": "hand"},
  "fact-cards": {"hand": "hand"},
  "fact-colour": {"hand": "hand"},
  "fact-higher-rank": {"hand": "hand"},
  "fact-higher-total": {"hand": "hand"},
  "fact-margin": {"hand": "hand"},
  "fact-natural": {"hand": "hand"},
  "fact-pair": {"hand": "hand"},
  "fact-pair-kind": {"hand": "hand"},
  "fact-rank": {"hand": "hand"},
  "fact-suit": {"hand": "hand"},
  "fact-total": {"hand": "hand", "least": "number", "most": "number"},
  "field-missing": {"field": "text"},
  "field-of-other-kind": {"expected": "any message", "found": "message"},
  "field-out-of-bounds": {"bound": "text", "expected": "any message"},
  "field-too-long": {"maximum": "number"},
  "field-too-short": {"minimum": "number"},
  "field-unknown": {"field": "text"},
  "field-wrong": {"field": "text", "problem": "message"},
  "file-amount-wrong": {"expected": "text", "found": "text", "why": "choice"},
  "file-called-alike": {"first": "text", "second": "text", "word": "text"},
  "file-cannot-be-read": {"reason": "text"},
  "file-commission-takes-all": {"commission": "text"},
  "file-ends-too-early": {"detail": "text"},
  "file-english-stands-in-file": {"tag": "text"},
  "file-found-kind": {"kind": "choice"},
  "file-found-value": {"kind": "choice", "value": "text"},
  "file-has-no": {"key": "text"},
  "file-key-missing": {"key": "text", "table": "text"},
  "file-layout-without-rows": {"layout": "text"},
  "file-least-over-most": {"what": "choice"},
  "file-must-be": {"found": "message", "key": "text", "what": "choice"},
  "file-named-twice": {"name": "text", "what": "choice"},
  "file-names-itself": {"key": "text"},
  "file-no-clause-id": {"found": "text"},
  "file-no-id": {"found": "text"},
  "file-no-percentage": {"found": "text", "key": "text"},
  "file-no-such-clause": {"clause": "text"},
  "file-no-such-clause-near": {"clause": "text", "near": "text"},
  "file-no-such-language": {"tag": "text"},
  "file-no-such-name": {"found": "text", "hint": "message", "what": "choice"},
  "file-no-such-word": {"found": "text", "hint": "message", "what": "choice"},
  "file-no-term-name": {"found": "text"},
  "file-not-one-of": {"found": "text", "hint": "message", "key": "text"},
  "file-not-toml": {"detail": "text"},
  "file-not-translated": {"language": "text", "text": "text"},
  "file-not-utf8": {"byte": "number"},
  "file-nothing-at": {"path": "text"},
  "file-nothing-translated": {"language": "text"},
  "file-number-too-large": {"found": "text"},
  "file-odds-for-nothing": {"found": "text"},
  "file-odds-of-nothing": {"found": "text"},
  "file-odds-too-high": {"found": "text", "most": "number"},
  "file-odds-unreadable": {"found": "text"},
  "file-option-changes-nothing": {"option": "text"},
  "file-out-of-range": {"found": "text", "key": "text", "least": "number", "most": "number"},
  "file-says-otherwise": {"found": "text"},
  "file-second-id": {"id": "text", "what": "choice"},
  "file-taken-option-changes": {"option": "text"},
  "file-term-is-fact": {"name": "text"},
  "file-term-is-word": {"name": "text"},
  "file-text-empty": {"key": "text"},
  "file-text-invisible": {"character": "text", "key": "text"},
  "file-text-too-long": {"found": "number", "key": "text", "most": "number"},
  "file-too-deep": {"most": "number"},
  "file-too-large": {"kib": "number"},
  "file-too-many-entries": {"found": "number", "key": "text", "most": "number"},
  "file-translated-twice": {"section": "text", "text": "text"},
  "file-translated-unsaid": {"language": "text", "text": "text"},
  "file-undecided": {"outcomes": "number"},
  "file-undecided-such-as": {"example": "text", "outcomes": "number"},
  "file-unknown-key": {"found": "text", "hint": "message"},
  "file-wager-without-area": {"layout": "text", "wager": "text"},
  "foreign-origin": {"origin": "text"},
  "game-of-other-currency": {"expected": "text", "found": "text", "game": "game"},
  "hand-already-open": {"hand": "hand"},
  "hand-is-due-to": {"hand": "hand", "person": "person"},
  "hand-needs-card": {"given": "number", "hand": "hand", "reason": "message"},
  "hand-not-passed": {"hand": "text"},
  "hand-opens-first": {"hand": "hand"},
  "hand-played-out": {"hand": "hand"},
  "hand-went-wrong": {"due": "person", "hand": "hand", "person": "person"},
  "hand-wins": {"hand": "hand"},
  "hand-with-on-record": {"hand": "hand", "person": "person"},
  "handed-back-wrong": {"amount": "money"},
  "has-nominee": {"patron": "person", "person": "person"},
  "heavier-hand": {"hand": "hand"},
  "held-not-acted-in": {"to": "position"},
  "higher-limit-too-early": {"wait": "duration"},
  "holder-names-no-card": {"person": "person"},
  "holds-a-hand": {"person": "person"},
  "holds-position-already": {"person": "person", "position": "position"},
  "house-limit-unchanged": {"kind": "choice", "span": "choice"},
  "house-of-other-money": {"was": "choice"},
  "incidents": {"incidents": "messages"},
  "initial-card": {"hand": "hand", "which": "choice"},
  "irregularity-told": {"irregularity": "message", "told": "message"},
  "known-cards-gone": {"cards": "cards"},
  "known-query-parameters": {"names": "texts"},
  "lab-cannot-deal": {"detail": "text"},
  "lab-mistake": {"line": "number", "mistake": "message", "others": "number"},
  "laid-face-down": {"card": "message"},
  "layout-places-wrong": {"layout": "text", "places": "number"},
  "layout-unknown": {"game": "game", "layouts": "texts", "name": "text"},
  "left-shoe-together": {"cards": "number"},
  "limit-out-of-range": {"asked": "number", "kind": "choice", "span": "choice"},
  "limit-range": {"maximum": "number"},
  "limit-unchanged": {"kind": "choice", "span": "choice"},
  "limits-missing": {"wager": "wager"},
  "limits-wrong": {"wager": "wager"},
  "list-of-more": {"first": "text", "second": "text"},
  "list-of-two": {"first": "text", "second": "text"},
  "loss-limit-at-risk": {"maximum": "money", "stake": "money"},
  "loss-limit-reached": {"maximum": "money", "span": "choice"},
  "lost-on-lifted": {"amount": "money", "patron": "person"},
  "maximum-out-of-range": {"maximum": "money", "minimum": "money"},
  "may-add": {"amount": "money"},
  "may-not-answer-for": {"patron": "person", "person": "person"},
  "may-not-change-wager": {"patron": "person", "person": "person"},
  "may-not-set": {"position": "position", "settings": "texts"},
  "may-not-wager-for": {"patron": "person", "person": "person"},
  "method-not-from-continuous": {"method": "text"},
  "minimum-above-maximum": {"maximum": "money", "minimum": "money"},
  "money-of-another-kind": {"account": "choice"},
  "money-paid-in": {"person": "person"},
  "money-paid-out": {"person": "person"},
  "must-act-in-person": {"act": "choice", "patron": "person"},
  "name-hand-of-each": {"hands": "any hand"},
  "name-of-a-cash-patron": {"person": "person"},
  "name-reserved": {"name": "text"},
  "name-rule": {"maximum": "number"},
  "name-staff-who-is": {"position": "position"},
  "name-taken": {"person": "person"},
  "name-wagers": {"wagers": "wagers"},
  "natural": {"hand": "hand", "total": "number"},
  "natural-no-more-cards": {"naturals": "messages"},
  "neither-seated-nor-nominee": {"person": "person"},
  "net-amount": {"net": "text"},
  "no-call-bet": {"patron": "person", "wager": "wager"},
  "no-chips-can-lie": {"patron": "person", "place": "number", "wager": "wager"},
  "no-command-id": {"header": "text"},
  "no-differential-procedure": {"game": "game"},
  "no-higher-limit-waits": {"kind": "choice", "span": "choice"},
  "no-nominee": {"patron": "person"},
  "no-nominee-to-approve": {"patron": "person"},
  "no-order-for": {"patron": "person"},
  "no-persons-position": {"position": "position"},
  "no-returned-wager": {"patron": "person", "place": "number", "wager": "wager"},
  "no-round-of-number": {"round": "number"},
  "no-spot": {"patron": "person"},
  "no-such-alert": {"number": "text"},
  "no-such-chip-request": {"number": "number"},
  "no-such-clause": {"clause": "text"},
  "no-such-device": {"device": "text"},
  "no-such-dispute": {"dispute": "number"},
  "no-such-game": {"game": "text"},
  "no-such-hand": {"hand": "text"},
  "no-such-log": {"log": "text"},
  "no-such-method": {"game": "game", "method": "text"},
  "no-such-order": {"number": "text"},
  "no-such-part": {"detail": "text", "table": "text"},
  "no-such-place": {"place": "number", "places": "number"},
  "no-such-record": {"log": "text", "number": "text"},
  "no-such-round": {"round": "number"},
  "no-such-seat": {"seat": "number", "seats": "number"},
  "no-such-table": {"table": "text"},
  "no-such-table-here": {"table": "text"},
  "no-such-wager": {"patron": "person", "place": "number", "wager": "wager"},
  "no-such-wager-here": {"wager": "text"},
  "no-wager-this-round": {"patron": "person"},
  "no-wager-within-limits": {"step": "money", "wager": "wager"},
  "nobody-called": {"person": "text"},
  "nobody-else-is": {"position": "position"},
  "nobody-on-staff-is": {"position": "position"},
  "node-not-started": {"node": "text"},
  "nominee-announced-already": {"person": "person"},
  "nominee-may-not-wager": {"patron": "person"},
  "nominee-not-active": {"patron": "person", "person": "person"},
  "nominee-not-approved": {"patron": "person"},
  "nominee-of-patron": {"number": "text"},
  "nominee-role-stands": {"person": "person"},
  "not-a-card": {"text": "text"},
  "not-a-day": {"day": "text"},
  "not-a-name": {"name": "text"},
  "not-a-sign-in-name": {"name": "text"},
  "not-a-table-name": {"table": "text"},
  "not-among-equal-wagers": {"person": "person"},
  "not-asked": {"patron": "person"},
  "not-at-table": {"person": "person"},
  "not-barred": {"person": "person"},
  "not-cards-of-hand": {"hand": "hand"},
  "not-enough-chips": {"held": "money", "patron": "person"},
  "not-holder-of-card": {"person": "person"},
  "not-holder-of-hand": {"hand": "hand", "person": "person"},
  "not-in-store": {"detail": "text"},
  "not-offered-the-cut": {"patron": "person"},
  "not-on-heavier-hand": {"hand": "hand"},
  "not-on-staff": {"person": "person"},
  "not-recordable": {"detail": "text"},
  "not-seated": {"person": "person"},
  "not-settled-yet": {"round": "number"},
  "not-signed-as-staff": {"person": "text"},
  "not-staff": {"person": "person"},
  "not-the-cage": {"kind": "choice", "position": "position"},
  "not-the-dealer": {"person": "person"},
  "not-whole-chips": {"amount": "money", "unit": "money"},
  "nothing-to-confirm": {"number": "number"},
  "nothing-to-cosign": {"position": "position"},
  "numbered-patron": {"number": "text"},
  "offer-cut-first": {"patron": "person"},
  "only-card": {"hand": "hand"},
  "only-those-on-hand-raise": {"hand": "hand"},
  "opening-float": {"table": "text"},
  "operator-confirms-edges": {"wagers": "wagers"},
  "order-wrong": {"cards": "number"},
  "other-host": {"host": "text"},
  "owed-paid": {"patron": "person"},
  "paid-in-error": {"round": "number"},
  "password-length": {"length": "number"},
  "password-length-rule": {"maximum": "number", "minimum": "number"},
  "patron-absent": {"person": "person"},
  "patron-has-not-asked": {"patron": "person"},
  "patron-has-not-cut": {"patron": "person"},
  "patrons-still-here": {"patrons": "number"},
  "payment-corrected": {"round": "number"},
  "payments-reversed": {"number": "number", "patron": "person"},
  "pays-from-account": {"person": "person"},
  "person-account-short": {"balance": "money", "person": "person"},
  "person-is-staff": {"person": "person", "position": "position"},
  "person-not-below": {"actor": "position", "person": "person", "position": "position"},
  "person-not-signed": {"person": "person"},
  "person-too-low": {"needed": "position", "person": "person", "position": "position"},
  "person-too-low-to-read": {"needed": "position", "person": "person", "position": "position"},
  "place-another-first": {"wagers": "any wager"},
  "play-after": {"at": "time"},
  "plays-at-place": {"patron": "person", "place": "number"},
  "plays-here": {"person": "person"},
  "position-not-held": {"person": "person", "position": "position"},
  "position-too-low": {"needed": "position", "position": "position"},
  "possible-names": {"possible": "text"},
  "possible-range": {"least": "number", "most": "number"},
  "possible-values": {"values": "texts"},
  "program-changed": {"changed": "texts"},
  "raise-lighter-hand": {"hand": "hand"},
  "raised-it-themselves": {"person": "person"},
  "random-source-failed": {"problem": "reason"},
  "ranks-above": {"held": "position", "person": "person", "position": "position"},
  "reality-check-due": {"since": "duration"},
  "record-at-most": {"amount": "money"},
  "refused": {"reason": "message"},
  "refused-by-clause": {"clause": "text", "reason": "message"},
  "repeated-query-parameter": {"name": "text", "times": "number"},
  "report-of-its-own": {"irregularity": "message"},
  "reported-it-themselves": {"person": "person"},
  "request-unreadable": {"problem": "message"},
  "rest-off-limits": {"rest": "money"},
  "result": {"first": "hand", "first_total": "number", "second": "hand", "second_total": "number", "winner": "hand"},
  "round-cap-takes": {"amount": "money", "cap": "money"},
  "round-capped": {"patron": "person"},
  "round-expired": {"days": "number"},
  "round-is-void": {"why": "message"},
  "round-not-expired": {"days": "number"},
  "round-not-kept": {"round": "number"},
  "round-not-over": {"number": "text", "table": "text"},
  "round-over": {"round": "number"},
  "round-wagers-made": {"round": "number"},
  "rounding-cost": {"at_least": "percent", "at_typical": "percent", "at_worst": "percent", "edge": "percent", "least": "money", "typical": "money", "wager": "wager", "worst": "money"},
  "rounding-not-confirmed": {"costs": "messages", "to": "choice", "unit": "money"},
  "rules-approved-already": {"game": "game"},
  "rules-approved-later": {"at": "time"},
  "rules-not-in-force": {"at": "time", "game": "game", "version": "text"},
  "ruling-awaited": {"incident": "message"},
  "seat-beyond-layout": {"person": "person", "seat": "number", "seats": "number"},
  "seat-is-taken": {"seat": "number"},
  "second-person-needed": {"command": "command", "position": "position"},
  "second-person-signs": {"position": "position"},
  "second-person-too-low": {"person": "person", "position": "position"},
  "send-at-most": {"bytes": "number"},
  "send-json": {"type": "text"},
  "set-incomplete": {"decks": "number", "needed": "number"},
  "sets-not-one": {"sets": "number"},
  "setting-out-of-range": {"setting": "choice", "value": "number"},
  "setting-wrong": {"problem": "text", "settings": "texts"},
  "shoe-card-not-due": {"card": "card"},
  "shoe-contradicts": {"sequence": "number"},
  "shoe-is-silent": {"shoe": "text"},
  "shoe-messages-missing": {"missing": "number"},
  "shoe-not-believed": {"fault": "message", "shoe": "text"},
  "shoe-other": {"shoe": "text"},
  "shoe-read-past-unread": {"card": "card"},
  "shoe-reads-cards": {"shoe": "text"},
  "shoe-reports-fault": {"detail": "text"},
  "shoe-restarted": {"known": "number", "sequence": "number"},
  "shoe-too-small": {"cards": "number", "holds": "number"},
  "shuffle-not-revealed": {"number": "number"},
  "shuffle-of-shoe-not-revealed": {"number": "text", "table": "text"},
  "shuffler-too-small": {"cards": "number", "holds": "number"},
  "sign-in-name-rule": {"maximum": "number"},
  "signer-password-given": {"person": "person"},
  "span-out-of-range": {"asked": "number", "unit": "choice"},
  "span-range": {"maximum": "number", "minimum": "number", "unit": "choice"},
  "spot": {"number": "number", "place": "number"},
  "spot-elsewhere": {"patron": "person", "place": "number"},
  "staff-act-for-nobody": {"person": "person"},
  "stake-returned": {"patron": "person", "wager": "wager"},
  "stake-up-to": {"maximum": "money"},
  "standing-may-not-cut": {"patron": "person"},
  "standing-may-not-handle": {"person": "person"},
  "stands-after-stand": {"hand": "hand", "other": "hand", "total": "number"},
  "stands-against-third-card": {"hand": "hand", "other": "hand", "third": "number", "total": "number"},
  "stands-on-total": {"hand": "hand", "total": "number"},
  "stopped-by-defect": {"defect": "text"},
  "store-refused": {"detail": "text"},
  "suspended-for-reason": {"reason": "reason"},
  "table-exists": {"table": "text"},
  "table-known-already": {"table": "text"},
  "table-never-had-these-rules": {"digest": "text", "table": "text"},
  "table-suspended": {"cause": "choice"},
  "take-back-first": {"wager": "wager"},
  "take-cards": {"cards": "cards"},
  "takes-methods": {"methods": "text"},
  "tie": {"total": "number"},
  "time-left-to-answer": {"seconds": "number"},
  "time-left-to-reveal": {"person": "person", "seconds": "number"},
  "time-limit-reached": {"maximum": "duration", "span": "choice"},
  "too-many-deposits": {"maximum": "number"},
  "too-many-disputes": {"most": "number"},
  "too-many-orders": {"maximum": "number", "table": "text"},
  "took-part-already": {"person": "person", "step": "choice"},
  "totals": {"first": "hand", "first_total": "number", "second": "hand", "second_total": "number"},
  "transcript-rules": {"digest": "text", "game": "game", "version": "text"},
  "transcript-rules-read-with": {"digest": "text", "game": "game", "readings": "texts", "version": "text"},
  "tray-count-off": {"against": "choice", "counted": "money", "difference": "money"},
  "tray-has-less": {"amount": "money"},
  "tray-out-of-range": {"amount": "money", "maximum": "money"},
  "tray-short": {"held": "money", "short": "money"},
  "try-after-or-unlock": {"at": "time"},
  "two-command-ids": {"header": "text"},
  "unclaimed": {"patron": "person"},
  "unknown-area": {"area": "text"},
  "unknown-area-cap": {"cap": "text"},
  "unknown-authority": {"version": "number"},
  "unknown-cards-gone": {"cards": "number"},
  "unknown-chip-request": {"kind": "text"},
  "unknown-irregularity": {"kind": "text"},
  "unknown-query-parameter": {"name": "text"},
  "unknown-result": {"result": "text"},
  "unknown-rounding": {"rounding": "text"},
  "unknown-ruling": {"decision": "text"},
  "unknown-set-up": {"setup": "text"},
  "unknown-setting": {"setting": "text"},
  "unpaid": {"patron": "person", "reason": "reason"},
  "unrated-pays-in-parts": {"unit": "money", "wagers": "wagers"},
  "use-report": {"command": "command"},
  "wager-above-game-maximum": {"amount": "money", "maximum": "money", "wager": "wager"},
  "wager-above-maximum": {"amount": "money", "maximum": "money", "wager": "wager"},
  "wager-as-found": {"patron": "person", "wager": "wager"},
  "wager-below-game-minimum": {"amount": "money", "minimum": "money", "wager": "wager"},
  "wager-below-minimum": {"amount": "money", "minimum": "money", "wager": "wager"},
  "wager-depends-on-this": {"wager": "wager"},
  "wager-needs-another": {"others": "any wager", "wager": "wager"},
  "wager-not-in-steps": {"step": "money", "wager": "wager"},
  "wager-not-offered": {"wager": "wager"},
  "wager-not-on-layout": {"layout": "text", "layouts": "texts", "wager": "wager"},
  "wager-off-by-readings": {"wager": "wager"},
  "wager-reduced": {"patron": "person", "wager": "wager"},
  "wager-result": {"result": "choice"},
  "wager-settled": {"patron": "person", "wager": "wager"},
  "wager-twice": {"name": "text", "wager": "wager"},
  "wager-unknown": {"game": "game", "name": "text", "wagers": "texts"},
  "wager-unknown-near": {"game": "game", "name": "text", "near": "text", "wagers": "texts"},
  "wager-without-stake": {"amount": "money", "wager": "wager"},
  "wagers-exclude": {"other": "wager", "wager": "wager"},
  "wagers-still-on-layout": {"patron": "person"},
  "waits-for-judgement": {"irregularity": "message"},
  "wallet-short": {"balance": "money"},
  "within-limits": {"amount": "money"},
  "would-lead-too-far": {"hand": "hand", "most": "money"},
  "write-instead": {"word": "text"},
  "wrong-substitutes": {"missing": "cards", "taken": "cards"},
};

/** What stands in the places of each text. */
export type Values = {
  "above-rules-maximum": { maximum: string | number; wager: string | number };
  "account-closed": { person: string | number };
  "account-locked-already": { person: string | number };
  "account-not-locked": { person: string | number };
  "account-of-other-money": { account: string };
  "account.claims": { whose: string | number };
  "account.commission": { whose: string | number };
  "account.commissions": { whose: string | number };
  "account.drop": { whose: string | number };
  "account.float": { whose: string | number };
  "account.layout": { whose: string | number };
  "account.outside": { whose: string | number };
  "account.over-short": { whose: string | number };
  "account.patron": { whose: string | number };
  "account.unpaid": { whose: string | number };
  "account.world": { whose: string | number };
  "acts-for-another": { patron: string | number; person: string | number };
  "alert-account-locked": { address: string | number; failures: number; person: string | number; source: string };
  "alert-acknowledged-already": { number: string | number };
  "alert-automatic-dealer-failed": { detail: string | number };
  "alert-call": { person: string | number; text: string | number };
  "alert-chips-differ": { kind: string; number: number; person: string | number };
  "alert-clock-stepped": { node: string | number; seconds: string | number };
  "alert-console": { command: string | number; person: string | number; user: string | number };
  "alert-dispute": { dispute: number; person: string | number; round: number };
  "alert-export": { of: string | number; person: string | number; what: string };
  "alert-house-command-refused": { command: string | number; reason: string | number };
  "alert-irregularity": { kind: string | number };
  "alert-large-win": { amount: string | number; person: string | number; place: number; wager: string | number };
  "alert-limits-changed": { person: string | number; reason: string | number };
  "alert-no-shoe": { reason: string | number };
  "alert-password-guessing": { person: string | number; sources: number };
  "alert-payment-corrected": { amount: string | number; patron: string | number; people: string | number; round: number };
  "alert-payments-reversed": { round: number };
  "alert-program-changed": { changed: string | number; node: string | number };
  "alert-round-void": { round: number };
  "alert-ruling": { decision: string | number; person: string | number };
  "alert-second-copy-fault": { detail: string | number };
  "alert-shoe-fault": { fault: string | number };
  "alert-shoe-lost": { cause: string; shoe: string | number };
  "alert-sign-in-failures": { failures: number; minutes: number };
  "alert-table-stopped": { defect: string | number };
  "alert-table-unreadable": { detail: string | number };
  "amount-not-above-zero": { field: string | number };
  "amount-not-on-wager": { held: string | number };
  "amount-range": { maximum: string | number };
  "another-card-comes-next": { card: string | number };
  "another-deals": { dealer: string | number };
  "another-holds-hand": { hand: string | number; person: string | number };
  "another-shoe-reads": { shoe: string | number };
  "approved-before-in-force": { at: string | number; game: string | number };
  "approved-by-a-position": { position: string | number };
  "area-above-maximum": { amount: string | number; maximum: string | number; wager: string | number };
  "area-capped": { counts: string; most: number; place: number; wager: string | number };
  "area-full": { patrons: number };
  "area-not-on-layout": { place: number; wager: string | number };
  "as-told": { text: string | number };
  "ask-position": { position: string | number };
  "associated-already": { association: string; person: string | number };
  "at-most": { amount: string | number };
  "at-most-characters": { maximum: number };
  "at-table-already": { person: string | number };
  "barred-as-nominee": { person: string | number; status: string };
  "barred-until": { at: string | number };
  "batch-shuffler-takes": { cards: number };
  "batch-shuffler-wrong": { holds: number; sets: number };
  "betting-closed": { round: number };
  "blackjack-no-more-cards": { hands: string | number };
  "body-not-json": { found: string | number };
  "break-until": { at: string | number };
  "call-bet-chips-differ": { called: string | number; handed: string | number };
  "call-bet-ended": { how: string; patron: string | number; wager: string | number };
  "cannot-act-for": { patron: string | number; person: string | number };
  "cannot-assign-above": { position: string | number; to: string | number };
  "card-accounted-for": { card: string | number };
  "card-lies-so": { card: string | number };
  "card-not-in-shoe": { card: string | number };
  "card-open-by": { step: number; steps: number };
  "card-too-many": { card: string | number; decks: number; found: number };
  "cards-count-wrong": { cards: number; counted: number };
  "cards-cut-already": { patron: string | number };
  "cards-have-decided": { wager: string | number };
  "cards-lay-open": { cards: string | number };
  "cards-left": { cards: number };
  "cards-left-over": { cards: string | number; complete: number; given: number };
  "cards-lie-on": { hands: string | number };
  "cards-on-table": { cards: number };
  "cards-over": { cards: number };
  "cards-stayed": { cards: number };
  "cards-told-together": { cards: number };
  "change-behind-end": { at: string | number; entries: number; place: number };
  "change-impossible": { number: number; problem: string | number };
  "change-moves-outside": { at: string | number; found: string | number; last: number };
  "change-no-option": { hint: string | number; option: string | number; reading: string | number };
  "change-no-reading": { hint: string | number; reading: string | number };
  "change-not-in-list": { at: string | number };
  "change-nowhere": { at: string | number };
  "change-without-value": { at: string | number };
  "checklist-item-not-done": { item: string | number };
  "chip-request-accepted": { kind: string; number: number };
  "chip-request-stands-at": { kind: string; number: number; stage: string };
  "chip-request-under-way": { kind: string; number: number };
  "chip-values-off": { unit: string | number };
  "chips-at-table": { person: string | number; table: string | number };
  "chips-bought": { patron: string | number };
  "chips-cashed": { patron: string | number };
  "chips-do-not-add-up": { amount: string | number };
  "chips-found": { amount: string | number; patron: string | number; wager: string | number };
  "chips-handed-over": { patron: string | number; wager: string | number };
  "chips-off-limits": { amount: string | number };
  "chips-still-at-table": { patron: string | number };
  "chips-taken-back": { patron: string | number; wager: string | number };
  "chips-wagered": { patron: string | number; wager: string | number };
  "choose-game": { games: string | number };
  "choose-up-to": { maximum: string | number };
  "choose-wager": { wagers: string | number };
  "choose-wager-on": { hand: string | number };
  "chose-both-passwords": { one: string | number; other: string | number; person: string | number };
  "chose-the-password": { other: string | number; person: string | number };
  "command-id-malformed": { problem: string | number };
  "command-id-rule": { maximum: number };
  "command-unknown": { found: string | number };
  "commission-collected": { patron: string | number };
  "commission-kept": { amount: string | number };
  "condition-compared-unlike": { first: string | number; first_kind: string; second: string | number; second_kind: string };
  "condition-name": { name: string | number };
  "condition-no-number": { kind: string; part: string | number };
  "condition-no-operand": { found: string | number };
  "condition-no-such-sign": { found: string | number };
  "condition-no-words-in-common": { first: string | number; second: string | number };
  "condition-not-yes-or-no": { kind: string; part: string | number };
  "condition-number-over-most": { found: string | number; most: number };
  "condition-number-reached": { found: string | number; most: number };
  "condition-only-equal-or-not": { kind: string; part: string | number };
  "condition-sign-expected": { found: string | number; sign: string | number };
  "condition-sign-expected-at-end": { sign: string | number };
  "condition-too-deep": { most: number };
  "condition-too-long": { found: number; most: number };
  "condition-unexpected": { found: string | number };
  "condition-unknown-fact": { found: string | number; hint: string | number };
  "condition-unknown-word": { found: string | number; hint: string | number };
  "condition-words-for-signs": { found: string | number };
  "confirm-after": { at: string | number };
  "confirm-rounding": { to: string };
  "confirmation-pending": { command: string | number; person: string | number };
  "contribution-too-long": { characters: number; most: number };
  "correction-owed": { patron: string | number; round: number };
  "cosigner-is-actor": { person: string | number };
  "cosigner-not-staff": { person: string | number };
  "cosigner-too-low": { needed: string | number; person: string | number; position: string | number };
  "cosigner-twice": { person: string | number };
  "count-does-not-fit": { found: number; gone: number };
  "csrf-token-missing": { header: string | number };
  "cut-declined-already": { patron: string | number };
  "cut-made-already": { behind: number; patron: string | number };
  "cut-out-of-range": { behind: number };
  "cutting-cards-wrong": { number: number };
  "deal-hands-alike": { id: string | number };
  "deal-not-two-hands": { found: number };
  "deal-procedure-missing": { hint: string | number };
  "deal-total-is-natural": { rows: string | number; total: number };
  "deal-total-twice": { rows: string | number; total: number };
  "deal-totals-missing": { rows: string | number; totals: string | number };
  "dealer-holds-hand": { hand: string | number };
  "deals-already": { person: string | number };
  "decks-out-of-range": { game: string | number; maximum: number; minimum: number };
  "decks-outside-range": { decks: number; game: string | number; least: number; most: number };
  "decoder-says": { detail: string | number };
  "deposit-limit": { amount: string | number; maximum: string | number; span: string };
  "deposit-up-to": { maximum: string | number };
  "device-known-already": { device: string | number };
  "device-name-rule": { maximum: number };
  "device-name-wrong": { name: string | number };
  "device-not-of-set-up": { device: string; setup: string };
  "did-you-mean": { near: string | number; possible: string | number };
  "differential": { gap: string | number; leads: string | number; limit: string | number; over: string | number; trails: string | number };
  "differential-stage": { stage: string };
  "discard-rack-too-small": { cards: number; holds: number };
  "display-name-rule": { maximum: number };
  "dispute-asks-nothing": { dispute: number; round: number };
  "dispute-raised-already": { dispute: number; round: number };
  "dispute-ruled-on": { dispute: number };
  "draws-after-stand": { hand: string | number; other: string | number; total: number };
  "draws-against-third-card": { hand: string | number; other: string | number; third: number; total: number };
  "draws-on-total": { hand: string | number; total: number };
  "draws-up-to": { hand: string | number; limit: number; total: number };
  "duration-hours": { hours: number };
  "duration-minutes": { minutes: number };
  "edge-favours-patrons": { edge: string | number; wager: string | number };
  "edges-favour-patrons": { edges: string | number };
  "either-of-two": { first: string | number; second: string | number };
  "end-not-confirmed": { patron: string | number };
  "excluded-until": { at: string | number };
  "exclusion-not-before": { at: string | number };
  "face-up-before-first": { card: string | number };
  "faces-not-told": { needed: number; told: number };
  "faces-told-wrong": { needed: number; told: number };
  "fact-beats-other": { hand: string | number };
  "fact-blackjack": { hand: string | number };
  "fact-cards": { hand: string | number };
  "fact-colour": { hand: string | number };
  "fact-higher-rank": { hand: string | number };
  "fact-higher-total": { hand: string | number };
  "fact-margin": { hand: string | number };
  "fact-natural": { hand: string | number };
  "fact-pair": { hand: string | number };
  "fact-pair-kind": { hand: string | number };
  "fact-rank": { hand: string | number };
  "fact-suit": { hand: string | number };
  "fact-total": { hand: string | number; least: number; most: number };
  "field-missing": { field: string | number };
  "field-of-other-kind": { expected: string | number; found: string | number };
  "field-out-of-bounds": { bound: string | number; expected: string | number };
  "field-too-long": { maximum: number };
  "field-too-short": { minimum: number };
  "field-unknown": { field: string | number };
  "field-wrong": { field: string | number; problem: string | number };
  "file-amount-wrong": { expected: string | number; found: string | number; why: string };
  "file-called-alike": { first: string | number; second: string | number; word: string | number };
  "file-cannot-be-read": { reason: string | number };
  "file-commission-takes-all": { commission: string | number };
  "file-ends-too-early": { detail: string | number };
  "file-english-stands-in-file": { tag: string | number };
  "file-found-kind": { kind: string };
  "file-found-value": { kind: string; value: string | number };
  "file-has-no": { key: string | number };
  "file-key-missing": { key: string | number; table: string | number };
  "file-layout-without-rows": { layout: string | number };
  "file-least-over-most": { what: string };
  "file-must-be": { found: string | number; key: string | number; what: string };
  "file-named-twice": { name: string | number; what: string };
  "file-names-itself": { key: string | number };
  "file-no-clause-id": { found: string | number };
  "file-no-id": { found: string | number };
  "file-no-percentage": { found: string | number; key: string | number };
  "file-no-such-clause": { clause: string | number };
  "file-no-such-clause-near": { clause: string | number; near: string | number };
  "file-no-such-language": { tag: string | number };
  "file-no-such-name": { found: string | number; hint: string | number; what: string };
  "file-no-such-word": { found: string | number; hint: string | number; what: string };
  "file-no-term-name": { found: string | number };
  "file-not-one-of": { found: string | number; hint: string | number; key: string | number };
  "file-not-toml": { detail: string | number };
  "file-not-translated": { language: string | number; text: string | number };
  "file-not-utf8": { byte: number };
  "file-nothing-at": { path: string | number };
  "file-nothing-translated": { language: string | number };
  "file-number-too-large": { found: string | number };
  "file-odds-for-nothing": { found: string | number };
  "file-odds-of-nothing": { found: string | number };
  "file-odds-too-high": { found: string | number; most: number };
  "file-odds-unreadable": { found: string | number };
  "file-option-changes-nothing": { option: string | number };
  "file-out-of-range": { found: string | number; key: string | number; least: number; most: number };
  "file-says-otherwise": { found: string | number };
  "file-second-id": { id: string | number; what: string };
  "file-taken-option-changes": { option: string | number };
  "file-term-is-fact": { name: string | number };
  "file-term-is-word": { name: string | number };
  "file-text-empty": { key: string | number };
  "file-text-invisible": { character: string | number; key: string | number };
  "file-text-too-long": { found: number; key: string | number; most: number };
  "file-too-deep": { most: number };
  "file-too-large": { kib: number };
  "file-too-many-entries": { found: number; key: string | number; most: number };
  "file-translated-twice": { section: string | number; text: string | number };
  "file-translated-unsaid": { language: string | number; text: string | number };
  "file-undecided": { outcomes: number };
  "file-undecided-such-as": { example: string | number; outcomes: number };
  "file-unknown-key": { found: string | number; hint: string | number };
  "file-wager-without-area": { layout: string | number; wager: string | number };
  "finding.card-differs": { dealt: string | number; derived: string | number; place: string | number };
  "finding.cards-follow": { count: number };
  "finding.commitment-broken": { made: string | number };
  "finding.faces-untold": { count: number };
  "finding.form": { part: string | number };
  "finding.last-word-contribution": { person: string | number };
  "finding.last-word-cut": { person: string | number };
  "finding.too-many-cards": { count: number; size: number };
  "foreign-origin": { origin: string | number };
  "game-of-other-currency": { expected: string | number; found: string | number; game: string | number };
  "hand-already-open": { hand: string | number };
  "hand-is-due-to": { hand: string | number; person: string | number };
  "hand-needs-card": { given: number; hand: string | number; reason: string | number };
  "hand-not-passed": { hand: string | number };
  "hand-opens-first": { hand: string | number };
  "hand-played-out": { hand: string | number };
  "hand-went-wrong": { due: string | number; hand: string | number; person: string | number };
  "hand-wins": { hand: string | number };
  "hand-with-on-record": { hand: string | number; person: string | number };
  "handed-back-wrong": { amount: string | number };
  "has-nominee": { patron: string | number; person: string | number };
  "heavier-hand": { hand: string | number };
  "held-not-acted-in": { to: string | number };
  "higher-limit-too-early": { wait: string | number };
  "holder-names-no-card": { person: string | number };
  "holds-a-hand": { person: string | number };
  "holds-position-already": { person: string | number; position: string | number };
  "house-limit-unchanged": { kind: string; span: string };
  "house-of-other-money": { was: string };
  "incidents": { incidents: string | number };
  "initial-card": { hand: string | number; which: string };
  "irregularity-told": { irregularity: string | number; told: string | number };
  "known-cards-gone": { cards: string | number };
  "known-query-parameters": { names: string | number };
  "lab-cannot-deal": { detail: string | number };
  "lab-mistake": { line: number; mistake: string | number; others: number };
  "laid-face-down": { card: string | number };
  "layout-places-wrong": { layout: string | number; places: number };
  "layout-unknown": { game: string | number; layouts: string | number; name: string | number };
  "left-shoe-together": { cards: number };
  "limit-out-of-range": { asked: number; kind: string; span: string };
  "limit-range": { maximum: number };
  "limit-unchanged": { kind: string; span: string };
  "limits-missing": { wager: string | number };
  "limits-wrong": { wager: string | number };
  "list-of-more": { first: string | number; second: string | number };
  "list-of-two": { first: string | number; second: string | number };
  "loss-limit-at-risk": { maximum: string | number; stake: string | number };
  "loss-limit-reached": { maximum: string | number; span: string };
  "lost-on-lifted": { amount: string | number; patron: string | number };
  "maximum-out-of-range": { maximum: string | number; minimum: string | number };
  "may-add": { amount: string | number };
  "may-not-answer-for": { patron: string | number; person: string | number };
  "may-not-change-wager": { patron: string | number; person: string | number };
  "may-not-set": { position: string | number; settings: string | number };
  "may-not-wager-for": { patron: string | number; person: string | number };
  "method-not-from-continuous": { method: string | number };
  "minimum-above-maximum": { maximum: string | number; minimum: string | number };
  "money-of-another-kind": { account: string };
  "money-paid-in": { person: string | number };
  "money-paid-out": { person: string | number };
  "must-act-in-person": { act: string; patron: string | number };
  "name-hand-of-each": { hands: string | number };
  "name-of-a-cash-patron": { person: string | number };
  "name-reserved": { name: string | number };
  "name-rule": { maximum: number };
  "name-staff-who-is": { position: string | number };
  "name-taken": { person: string | number };
  "name-wagers": { wagers: string | number };
  "natural": { hand: string | number; total: number };
  "natural-no-more-cards": { naturals: string | number };
  "neither-seated-nor-nominee": { person: string | number };
  "net-amount": { net: string | number };
  "no-call-bet": { patron: string | number; wager: string | number };
  "no-chips-can-lie": { patron: string | number; place: number; wager: string | number };
  "no-command-id": { header: string | number };
  "no-differential-procedure": { game: string | number };
  "no-higher-limit-waits": { kind: string; span: string };
  "no-nominee": { patron: string | number };
  "no-nominee-to-approve": { patron: string | number };
  "no-order-for": { patron: string | number };
  "no-persons-position": { position: string | number };
  "no-returned-wager": { patron: string | number; place: number; wager: string | number };
  "no-round-of-number": { round: number };
  "no-spot": { patron: string | number };
  "no-such-alert": { number: string | number };
  "no-such-chip-request": { number: number };
  "no-such-clause": { clause: string | number };
  "no-such-device": { device: string | number };
  "no-such-dispute": { dispute: number };
  "no-such-game": { game: string | number };
  "no-such-hand": { hand: string | number };
  "no-such-log": { log: string | number };
  "no-such-method": { game: string | number; method: string | number };
  "no-such-order": { number: string | number };
  "no-such-part": { detail: string | number; table: string | number };
  "no-such-place": { place: number; places: number };
  "no-such-record": { log: string | number; number: string | number };
  "no-such-round": { round: number };
  "no-such-seat": { seat: number };
  "no-such-table": { table: string | number };
  "no-such-table-here": { table: string | number };
  "no-such-wager": { patron: string | number; place: number; wager: string | number };
  "no-such-wager-here": { wager: string | number };
  "no-wager-this-round": { patron: string | number };
  "no-wager-within-limits": { step: string | number; wager: string | number };
  "nobody-called": { person: string | number };
  "nobody-else-is": { position: string | number };
  "nobody-on-staff-is": { position: string | number };
  "node-not-started": { node: string | number };
  "nominee-announced-already": { person: string | number };
  "nominee-may-not-wager": { patron: string | number };
  "nominee-not-active": { patron: string | number; person: string | number };
  "nominee-not-approved": { patron: string | number };
  "nominee-of-patron": { number: string | number };
  "nominee-role-stands": { person: string | number };
  "not-a-card": { text: string | number };
  "not-a-day": { day: string | number };
  "not-a-name": { name: string | number };
  "not-a-sign-in-name": { name: string | number };
  "not-a-table-name": { table: string | number };
  "not-among-equal-wagers": { person: string | number };
  "not-asked": { patron: string | number };
  "not-at-table": { person: string | number };
  "not-barred": { person: string | number };
  "not-cards-of-hand": { hand: string | number };
  "not-enough-chips": { held: string | number; patron: string | number };
  "not-holder-of-card": { person: string | number };
  "not-holder-of-hand": { hand: string | number; person: string | number };
  "not-in-store": { detail: string | number };
  "not-offered-the-cut": { patron: string | number };
  "not-on-heavier-hand": { hand: string | number };
  "not-on-staff": { person: string | number };
  "not-recordable": { detail: string | number };
  "not-seated": { person: string | number };
  "not-settled-yet": { round: number };
  "not-signed-as-staff": { person: string | number };
  "not-staff": { person: string | number };
  "not-the-cage": { kind: string };
  "not-the-dealer": { person: string | number };
  "not-whole-chips": { unit: string | number };
  "nothing-to-confirm": { number: number };
  "nothing-to-cosign": { position: string | number };
  "numbered-patron": { number: string | number };
  "offer-cut-first": { patron: string | number };
  "only-card": { hand: string | number };
  "only-those-on-hand-raise": { hand: string | number };
  "opening-float": { table: string | number };
  "operator-confirms-edges": { wagers: string | number };
  "order-wrong": { cards: number };
  "other-host": { host: string | number };
  "owed-paid": { patron: string | number };
  "page.account.asked": { most: string | number; when: string | number };
  "page.account.at-table": { chips: string | number; staked: string | number; table: string | number };
  "page.account.change-of": { kind: string | number; most: string | number; span: string | number };
  "page.account.confirm": { most: string | number };
  "page.account.cool-sure": { n: number };
  "page.account.cool-yes": { n: number };
  "page.account.ended": { n: number };
  "page.account.exclude-sure": { n: number };
  "page.account.exclude-yes": { n: number };
  "page.account.excluded": { when: string | number };
  "page.account.limits-how": { hours: number };
  "page.account.on-break": { when: string | number };
  "page.account.paid-in": { amount: string | number };
  "page.account.paid-out": { amount: string | number };
  "page.account.seen": { when: string | number };
  "page.account.since": { when: string | number };
  "page.audit.account-trail-movements": { account: string | number };
  "page.audit.chain-links-before": { n: string | number };
  "page.audit.check-run-differ": { n: number };
  "page.audit.check-run-resettle": { day: string | number; table: string | number };
  "page.audit.check-run-resettled": { cards: number; paid: string | number; reversed: number; rounds: number; staked: string | number; void: number; wagers: number };
  "page.audit.check-run-running": { done: string | number; of: string | number };
  "page.audit.check-run-unchecked": { what: string | number };
  "page.audit.check-run-verified": { cards: number; commands: number; heads: number; postings: number; records: number; rounds: number; shuffles: number; wagers: number };
  "page.audit.check-run-verify": { table: string | number };
  "page.audit.record-page-after": { n: string | number };
  "page.audit.record-page-before": { n: string | number };
  "page.audit.record-page-by": { person: string | number };
  "page.audit.record-page-record": { n: string | number; trail: string | number };
  "page.audit.search-found": { n: number };
  "page.audit.search-looked": { n: number };
  "page.audit.search-table": { name: string | number };
  "page.cage.moved": { amount: string | number; person: string | number };
  "page.dealer.awaited-waiting": { who: string | number };
  "page.dealer.call-card": { hand: string | number };
  "page.dealer.call-result": { first: string | number; one: string | number; second: string | number; two: string | number; winner: string | number };
  "page.dealer.call-tie": { total: string | number };
  "page.dealer.call-totals": { first: string | number; one: string | number; second: string | number; two: string | number };
  "page.dealer.cards-field-of": { n: number };
  "page.dealer.cards-field-remove": { card: string | number };
  "page.dealer.cards-field-type": { label: string | number };
  "page.dealer.clauses-decides": { position: string | number };
  "page.dealer.correct-to": { before: string | number; card: string | number };
  "page.dealer.correct-which": { card: string | number };
  "page.dealer.differential-decides": { position: string | number };
  "page.dealer.differential-down": { hand: string | number; over: string | number };
  "page.dealer.differential-leads": { allowed: string | number; gap: string | number; hand: string | number };
  "page.dealer.differential-scale": { hand: string | number };
  "page.dealer.differential-step-asked": { hand: string | number };
  "page.dealer.differential-step-raise": { other: string | number };
  "page.dealer.differential-wagers": { hand: string | number };
  "page.dealer.differential-whose": { patron: string | number; wager: string | number };
  "page.dealer.draw-entry-held": { who: string | number };
  "page.dealer.draw-entry-lay": { card: string | number };
  "page.dealer.draw-entry-to": { hand: string | number };
  "page.dealer.draw-entry-turn": { hand: string | number };
  "page.dealer.entry-drop": { card: string | number };
  "page.dealer.entry-enter-waits": { n: number };
  "page.dealer.entry-remove": { card: string | number };
  "page.dealer.entry-sending": { n: number };
  "page.dealer.entry-stopped": { n: number };
  "page.dealer.entry-waits": { n: number };
  "page.dealer.give-credit": { amount: string | number };
  "page.dealer.hands-aside": { n: number };
  "page.dealer.hands-total": { n: string | number };
  "page.dealer.hands-with": { who: string | number };
  "page.dealer.irregularity-menu-folded": { n: number };
  "page.dealer.last-round": { n: string | number };
  "page.dealer.log-bet": { n: string | number; wager: string | number; who: string | number };
  "page.dealer.log-bought": { who: string | number };
  "page.dealer.log-card": { card: string | number; hand: string | number };
  "page.dealer.log-corrected": { before: string | number; card: string | number };
  "page.dealer.log-deals": { who: string | number };
  "page.dealer.log-given-back": { hand: string | number };
  "page.dealer.log-open": { cards: string | number; hand: string | number };
  "page.dealer.log-passed": { hand: string | number; who: string | number };
  "page.dealer.log-returned": { n: string | number; wager: string | number; who: string | number };
  "page.dealer.log-settled": { n: string | number; wager: string | number; who: string | number };
  "page.dealer.log-slip": { said: string | number };
  "page.dealer.log-took-back": { n: string | number; wager: string | number; who: string | number };
  "page.dealer.log-totals": { first: string | number; second: string | number };
  "page.dealer.next-act-first": { hand: string | number };
  "page.dealer.next-act-to": { hand: string | number };
  "page.dealer.offer-answers-left": { n: number };
  "page.dealer.offer-answers-stays": { who: string | number };
  "page.dealer.offer-answers-withdraws": { who: string | number };
  "page.dealer.order-field-told": { n: string | number };
  "page.dealer.pay-list-capped": { n: string | number; who: string | number };
  "page.dealer.pay-list-chips": { chips: string | number; owed: string | number };
  "page.dealer.pay-list-commission": { n: string | number };
  "page.dealer.pay-list-returned": { n: string | number };
  "page.dealer.pay-list-tallied": { n: string | number };
  "page.dealer.removal-all": { n: string | number };
  "page.dealer.removal-back": { patron: string | number };
  "page.dealer.removal-enough": { n: string | number };
  "page.dealer.removal-lies": { amount: string | number; patron: string | number; place: string | number; wager: string | number };
  "page.dealer.removal-off": { n: string | number };
  "page.dealer.restack-which": { place: string | number; wager: string | number; who: string | number };
  "page.dealer.result-entry-cards": { result: string | number };
  "page.dealer.result-entry-wins": { hand: string | number };
  "page.dealer.returned-list-lies": { n: string | number };
  "page.dealer.returned-list-whose": { patron: string | number; wager: string | number };
  "page.dealer.round": { n: string | number };
  "page.dealer.seat": { n: string | number };
  "page.dealer.second-person-by": { person: string | number; position: string | number };
  "page.dealer.second-person-waits": { command: string | number };
  "page.dealer.shoe-draw": { hand: string | number };
  "page.dealer.shoe-last": { card: string | number };
  "page.dealer.shoe-named": { shoe: string | number };
  "page.dealer.shoe-since": { t: string | number };
  "page.dealer.signing-sign": { position: string | number };
  "page.dealer.spots-off": { amount: string | number; wager: string | number; who: string | number };
  "page.dealer.status-bar-betting": { t: string | number };
  "page.dealer.status-bar-deals": { who: string | number };
  "page.dealer.status-bar-left": { n: number };
  "page.dealer.status-bar-stopped": { why: string | number };
  "page.dealer.status-bar-suspended": { why: string | number };
  "page.dealer.table-list-patrons": { n: number };
  "page.dealer.waiting-call": { position: string | number };
  "page.dealer.waiting-decides": { position: string | number };
  "page.disputes.at": { n: number; round: number; table: string | number };
  "page.disputes.number": { n: number };
  "page.disputes.records": { first: number; last: number; own: string | number };
  "page.disputes.signed": { people: string | number };
  "page.disputes.written-by": { who: string | number };
  "page.fairness.cards": { n: number };
  "page.fairness.cut": { person: string | number };
  "page.fairness.program-bad": { n: number; right: number };
  "page.fairness.program-good": { n: number };
  "page.fairness.seen-bad": { noted: string | number };
  "page.fairness.shoe": { n: string | number };
  "page.fairness.shoe-title": { n: string | number; table: string | number };
  "page.fairness.table-title": { table: string | number };
  "page.history.commission": { table: string | number };
  "page.history.fairness": { n: string | number };
  "page.history.others": { staked: string | number };
  "page.history.replay-card-drawn": { hand: string | number };
  "page.history.replay-cards-revealed": { hand: string | number };
  "page.history.replay-hand-kept": { hand: string | number };
  "page.history.replay-hand-passed": { hand: string | number; to: string | number };
  "page.history.replay-wagers": { n: number };
  "page.history.round-n": { n: string | number };
  "page.history.round-title": { n: string | number; table: string | number };
  "page.history.rules": { dated: string; from: string | number; game: string | number; version: string | number };
  "page.history.staff-confirmed": { who: string | number };
  "page.history.staff-dealt": { who: string | number };
  "page.history.staff-placed": { who: string | number };
  "page.history.step": { all: string | number; n: string | number };
  "page.history.table-title": { table: string | number };
  "page.lab.choice-version": { decks: number; version: string | number };
  "page.lab.claims-other": { says: string | number };
  "page.lab.condition-column": { n: string | number };
  "page.lab.counting-bets": { share: string | number };
  "page.lab.counting-correlation": { n: string | number };
  "page.lab.counting-from": { n: string | number };
  "page.lab.counting-measured": { cut: number; rounds: number; s: string | number; shoes: number };
  "page.lab.counting-title": { wager: string | number };
  "page.lab.deal-hand": { hand: string | number };
  "page.lab.deal-stands": { first: string | number; second: string | number };
  "page.lab.deal-third": { first: string | number; second: string | number };
  "page.lab.depth-plot-label": { first: string | number; high: string | number; last: string | number; low: string | number };
  "page.lab.draw-table-cell": { third: string | number; total: string | number };
  "page.lab.file-text-place": { column: string | number; line: string | number };
  "page.lab.heat-map-took": { decks: number; s: string | number };
  "page.lab.line-editor-down": { n: string | number };
  "page.lab.line-editor-line": { n: string | number };
  "page.lab.line-editor-out": { n: string | number };
  "page.lab.line-editor-up": { n: string | number };
  "page.lab.line-figures-exactly": { fraction: string | number; ways: string | number };
  "page.lab.milliseconds": { n: string | number };
  "page.lab.mistakes-line": { column: string | number; line: string | number };
  "page.lab.readings-others": { n: number };
  "page.lab.returns-than": { difference: string | number };
  "page.lab.seconds": { n: string | number };
  "page.lab.toolbar-cards": { n: number };
  "page.lab.toolbar-outside": { max: number; min: number };
  "page.lab.was": { before: string | number };
  "page.lab.words-word": { words: string | number };
  "page.lab.workbench-left": { id: string | number };
  "page.lab.workbench-ready": { ms: string | number };
  "page.lab.workbench-wrong": { n: number };
  "page.lobby.chips": { amount: string | number };
  "page.lobby.failures": { n: number };
  "page.lobby.round": { n: string | number };
  "page.lobby.seconds": { n: string | number };
  "page.lobby.taken": { seats: number; taken: number };
  "page.lobby.welcome": { name: string | number };
  "page.parts.ask": { hand: string | number };
  "page.parts.card": { rank: string | number; suit: string | number };
  "page.parts.clause-read": { id: string | number };
  "page.parts.clause-window-title": { id: string | number };
  "page.parts.labelled": { label: string | number; value: string | number };
  "page.parts.pair": { hand: string | number };
  "page.parts.parting-at": { chips: string | number; table: string | number };
  "page.parts.parting-in-play": { staked: string | number };
  "page.parts.reveal-clock-left": { n: string | number };
  "page.parts.summary": { counts: string | number; rounds: number; shoe: string | number };
  "page.pit.alert-list-may": { position: string | number };
  "page.pit.alert-list-more": { n: number };
  "page.pit.alert-list-number": { n: string | number };
  "page.pit.approvals-acts": { patron: string | number; person: string | number };
  "page.pit.approvals-approved": { by: string | number };
  "page.pit.approvals-granted": { hand: string | number; person: string | number };
  "page.pit.approvals-held": { hand: string | number; person: string | number };
  "page.pit.approvals-most": { n: string | number };
  "page.pit.cap": { n: string | number; wager: string | number };
  "page.pit.cap-form-lift-of": { area: string | number };
  "page.pit.chip-differs": { chips: string | number; person: string | number };
  "page.pit.close-table-closed": { table: string | number };
  "page.pit.close-table-round": { n: string | number };
  "page.pit.close-table-title": { table: string | number };
  "page.pit.count-sheet-fill": { amount: string | number };
  "page.pit.count-sheet-number": { value: string | number };
  "page.pit.create-person-done": { person: string | number };
  "page.pit.decisions-above": { position: string | number; what: string | number };
  "page.pit.devices-made": { device: string | number };
  "page.pit.equipment-counted": { cards: number };
  "page.pit.equipment-stands": { box: string | number; rack: number; setup: string | number; shoe: number };
  "page.pit.games-approved-from": { at: string | number };
  "page.pit.open-table-opened": { table: string | number };
  "page.pit.order-list-by": { person: string | number; time: string | number };
  "page.pit.patron-list-act": { person: string | number };
  "page.pit.patron-list-free-hint": { chips: string | number; person: string | number };
  "page.pit.patron-list-most-hint": { person: string | number };
  "page.pit.patron-list-nominee": { person: string | number };
  "page.pit.patron-list-own": { n: string | number; wager: string | number };
  "page.pit.patron-list-played": { time: string | number };
  "page.pit.person-desk-last": { time: string | number };
  "page.pit.person-desk-since": { time: string | number };
  "page.pit.person-desk-wallet": { amount: string | number };
  "page.pit.round": { n: string | number };
  "page.pit.second-signature-first": { person: string | number };
  "page.pit.settings-panel-of": { wager: string | number; what: string | number };
  "page.pit.signs": { position: string | number };
  "page.pit.staff-list-as": { position: string | number };
  "page.pit.suspension-hint-resume": { reason: string | number };
  "page.pit.table-card-alerts": { n: number };
  "page.pit.table-card-of": { all: string | number; n: string | number };
  "page.pit.table-desk-closed": { amount: string | number };
  "page.pit.table-desk-dealt": { dealer: string | number };
  "page.pit.theory-plot-outside": { z: string | number };
  "page.pit.theory-plot-picture": { expected: string | number; two: string | number; win: string | number };
  "page.pit.theory-plot-reading": { done: number; of: number };
  "page.pit.theory-plot-rounds": { n: number; staked: string | number };
  "page.pit.theory-plot-within": { z: string | number };
  "page.pit.tray-ask": { amount: string | number };
  "page.pit.tray-credit-n": { n: string | number };
  "page.pit.tray-fill-n": { n: string | number };
  "page.pit.version": { v: string | number };
  "page.table.bent": { all: number; n: number };
  "page.table.bets": { amount: string | number };
  "page.table.buy-in-words": { amount: string | number };
  "page.table.cards-left": { n: number };
  "page.table.check-words": { net: string | number; time: string | number };
  "page.table.chip": { amount: string | number };
  "page.table.commission": { rate: string | number };
  "page.table.confirm-words": { amount: string | number; by: string | number; wager: string | number };
  "page.table.cut-by": { name: string | number };
  "page.table.decks": { n: number };
  "page.table.delay": { n: number };
  "page.table.document": { name: string | number; version: string | number };
  "page.table.ev": { ev: string | number };
  "page.table.exact": { decks: number };
  "page.table.holds": { name: string | number };
  "page.table.human-dealer": { name: string | number };
  "page.table.maximum-bets": { amount: string | number; maximum: string | number };
  "page.table.maximum-reached": { maximum: string | number };
  "page.table.may-not-play": { why: string | number };
  "page.table.method": { name: string | number };
  "page.table.minimum-bets": { amount: string | number; minimum: string | number };
  "page.table.nominee-acts": { person: string | number };
  "page.table.nominee-asked": { person: string | number };
  "page.table.notice-half": { names: string | number };
  "page.table.notice-lose": { names: string | number };
  "page.table.notice-push": { names: string | number };
  "page.table.notice-win": { names: string | number };
  "page.table.offer-until": { n: number };
  "page.table.only": { names: string | number };
  "page.table.others": { amount: string | number };
  "page.table.returned-prompt-kept": { kept: string | number; wager: string | number };
  "page.table.returned-prompt-words": { amount: string | number; wager: string | number };
  "page.table.round": { n: string | number };
  "page.table.rounded-to-house": { unit: string | number };
  "page.table.rounded-to-patron": { unit: string | number };
  "page.table.seat": { n: string | number };
  "page.table.seconds": { n: number };
  "page.table.settlement": { n: string | number };
  "page.table.shoe-number": { n: string | number };
  "page.table.sit-here": { n: string | number };
  "page.table.slow": { n: number };
  "page.table.squeeze-card": { n: string | number; state: string | number };
  "page.table.squeeze-title": { hand: string | number };
  "page.table.standing": { n: string | number };
  "page.table.step-bets": { amount: string | number; step: string | number };
  "page.table.total": { hand: string | number; total: string | number };
  "page.table.waits-for": { what: string | number };
  "page.table.you-see": { card: string | number };
  "page.table.your-wager": { amount: string | number };
  "paid-in-error": { round: number };
  "password-length": { length: number };
  "password-length-rule": { maximum: number; minimum: number };
  "patron-absent": { person: string | number };
  "patron-has-not-asked": { patron: string | number };
  "patron-has-not-cut": { patron: string | number };
  "patrons-still-here": { patrons: number };
  "payment-corrected": { round: number };
  "payments-reversed": { number: number; patron: string | number };
  "pays-from-account": { person: string | number };
  "person-account-short": { balance: string | number; person: string | number };
  "person-is-staff": { person: string | number; position: string | number };
  "person-not-below": { actor: string | number; person: string | number; position: string | number };
  "person-not-signed": { person: string | number };
  "person-too-low": { needed: string | number; person: string | number; position: string | number };
  "person-too-low-to-read": { needed: string | number; person: string | number; position: string | number };
  "place-another-first": { wagers: string | number };
  "play-after": { at: string | number };
  "plays-at-place": { patron: string | number; place: number };
  "plays-here": { person: string | number };
  "position-not-held": { person: string | number; position: string | number };
  "position-too-low": { needed: string | number };
  "possible-names": { possible: string | number };
  "possible-range": { least: number; most: number };
  "possible-values": { values: string | number };
  "program-changed": { changed: string | number };
  "raise-lighter-hand": { hand: string | number };
  "raised-it-themselves": { person: string | number };
  "random-source-failed": { problem: string | number };
  "ranks-above": { held: string | number; person: string | number; position: string | number };
  "reality-check-due": { since: string | number };
  "record-at-most": { amount: string | number };
  "record.account-created": { person: string | number };
  "record.act-cosigned": { command: string | number; cosigned_by: string | number };
  "record.alert-acknowledged": { number: string | number };
  "record.alert-raised": { message: string | number; number: string | number };
  "record.announcement-contradicted": { announced: string | number; cards_say: string | number };
  "record.approval-withdrawn": { game: string | number };
  "record.area-capped": { most: string | number; place: string | number; wager: string | number };
  "record.association-set": { after: string };
  "record.betting-closed": { number: string | number };
  "record.betting-reopened": { number: string | number };
  "record.card-corrected": { before: string | number; card: string | number };
  "record.card-drawn": { card: string | number };
  "record.cards-cut": { person: string | number };
  "record.cards-verified": { counted: string | number; person: string | number };
  "record.chip-request-moved": { amount: string | number; kind: string | number; number: string | number; stage: string | number };
  "record.chips-bought": { amount: string | number; patron: string | number };
  "record.chips-cashed": { amount: string | number; patron: string | number };
  "record.chips-entered": { patron: string | number; wager: string | number };
  "record.clock-stepped": { node: string | number };
  "record.command-refused": { reason: string | number };
  "record.command-scheduled": { number: string | number; table: string | number };
  "record.commission-collected": { amount: string | number; patron: string | number };
  "record.contribution-made": { number: string | number };
  "record.cut-declined": { person: string | number };
  "record.cut-made": { number: string | number; person: string | number };
  "record.deal-confirmed": { person: string | number };
  "record.dealer-changed": { dealer: string | number };
  "record.display-name-set": { after: string | number };
  "record.dispute-raised": { dispute: string | number; round: string | number };
  "record.dispute-ruled": { decision: string | number; dispute: string | number };
  "record.game-approved": { game: string | number };
  "record.hand-passed": { to: string | number };
  "record.house-command-refused": { reason: string | number };
  "record.house-started": { node: string | number; version: string | number };
  "record.incident-opened": { told: string | number };
  "record.irregularity-found": { kind: string | number };
  "record.irregularity-judged": { kind: string | number };
  "record.judgement-awaited": { kind: string | number };
  "record.late-chips-returned": { patron: string | number };
  "record.limit-changed": { kind: string | number; span: string | number };
  "record.limit-imposed": { kind: string | number; span: string | number };
  "record.limit-raise-requested": { kind: string | number; span: string | number };
  "record.maximum-granted": { most: string | number; person: string | number; wagers: string | number };
  "record.nominee-announced": { patron: string | number; person: string | number };
  "record.nominee-approved": { patron: string | number };
  "record.nominee-end-confirmed": { patron: string | number };
  "record.nominee-ended": { patron: string | number; person: string | number };
  "record.off-limits-wager-found": { patron: string | number; wager: string | number };
  "record.operator-set-up": { person: string | number };
  "record.paid-in": { amount: string | number; person: string | number };
  "record.paid-out": { amount: string | number; person: string | number };
  "record.patron-joined": { person: string | number };
  "record.patron-left": { person: string | number };
  "record.payment-corrected": { amount: string | number; patron: string | number; round: string | number };
  "record.payments-reversed": { number: string | number; patron: string | number };
  "record.program-checked": { node: string | number };
  "record.report-confirmed": { command: string | number; reported_by: string | number };
  "record.report-rejected": { command: string | number; reason: string | number; reported_by: string | number };
  "record.result-announced": { winner: string | number };
  "record.round-abandoned": { number: string | number };
  "record.round-capped": { cut: string | number; patron: string | number };
  "record.round-ended": { number: string | number };
  "record.round-reversed": { number: string | number };
  "record.round-started": { number: string | number };
  "record.round-voided": { number: string | number };
  "record.ruling-made": { decision: string | number; reason: string | number };
  "record.scheduled-command-cancelled": { number: string | number; table: string | number };
  "record.scheduled-command-done": { number: string | number; table: string | number };
  "record.scheduled-command-refused": { number: string | number; reason: string | number; table: string | number };
  "record.search-attended": { person: string | number };
  "record.seat-taken": { person: string | number };
  "record.session-started": { address: string | number };
  "record.shoe-condemned": { number: string | number };
  "record.shoe-ended": { number: string | number };
  "record.shuffle-committed": { number: string | number };
  "record.shuffle-revealed": { number: string | number };
  "record.squeeze-granted": { person: string | number };
  "record.staff-assigned": { person: string | number };
  "record.stake-returned": { amount: string | number; patron: string | number; wager: string | number };
  "record.statement-added": { dispute: string | number; person: string | number };
  "record.table-closed": { float_counted: string | number; win: string | number };
  "record.table-created": { table: string | number };
  "record.table-opened": { float_counted: string | number };
  "record.table-suspended": { reason: string | number };
  "record.totals-announced": { totals: string | number };
  "record.unpaid-loss-recorded": { amount: string | number; patron: string | number };
  "record.wager-placed": { added: string | number; patron: string | number; place: string | number; wager: string | number };
  "record.wager-reduced": { patron: string | number; returned: string | number; wager: string | number };
  "record.wager-settled": { net: string | number; patron: string | number; result: string | number; wager: string | number };
  "record.wager-taken-back": { patron: string | number; returned: string | number; wager: string | number };
  "record.withdrawal-offer-answered": { patron: string | number };
  "refused": { reason: string | number };
  "refused-by-clause": { clause: string | number; reason: string | number };
  "repeated-query-parameter": { name: string | number; times: number };
  "report-of-its-own": { irregularity: string | number };
  "reported-it-themselves": { person: string | number };
  "request-unreadable": { problem: string | number };
  "rest-off-limits": { rest: string | number };
  "result": { first: string | number; first_total: number; second: string | number; second_total: number; winner: string | number };
  "round-cap-takes": { amount: string | number; cap: string | number };
  "round-capped": { patron: string | number };
  "round-expired": { days: number };
  "round-is-void": { why: string | number };
  "round-not-expired": { days: number };
  "round-not-kept": { round: number };
  "round-not-over": { number: string | number; table: string | number };
  "round-over": { round: number };
  "round-wagers-made": { round: number };
  "rounding-cost": { at_least: string | number; at_typical: string | number; at_worst: string | number; edge: string | number; least: string | number; typical: string | number; wager: string | number; worst: string | number };
  "rounding-not-confirmed": { costs: string | number; to: string; unit: string | number };
  "rules-approved-already": { game: string | number };
  "rules-approved-later": { at: string | number };
  "rules-not-in-force": { at: string | number; game: string | number; version: string | number };
  "ruling-awaited": { incident: string | number };
  "seat-beyond-layout": { person: string | number; seat: number; seats: number };
  "seat-is-taken": { seat: number };
  "second-person-needed": { command: string | number; position: string | number };
  "second-person-signs": { position: string | number };
  "second-person-too-low": { person: string | number; position: string | number };
  "send-at-most": { bytes: number };
  "send-json": { type: string | number };
  "set-incomplete": { decks: number; needed: number };
  "sets-not-one": { sets: number };
  "setting-out-of-range": { setting: string; value: number };
  "setting-wrong": { problem: string | number; settings: string | number };
  "shoe-card-not-due": { card: string | number };
  "shoe-contradicts": { sequence: number };
  "shoe-is-silent": { shoe: string | number };
  "shoe-messages-missing": { missing: number };
  "shoe-not-believed": { fault: string | number; shoe: string | number };
  "shoe-other": { shoe: string | number };
  "shoe-read-past-unread": { card: string | number };
  "shoe-reads-cards": { shoe: string | number };
  "shoe-reports-fault": { detail: string | number };
  "shoe-restarted": { known: number; sequence: number };
  "shoe-too-small": { cards: number; holds: number };
  "shuffle-not-revealed": { number: number };
  "shuffle-of-shoe-not-revealed": { number: string | number; table: string | number };
  "shuffler-too-small": { cards: number; holds: number };
  "sign-in-name-rule": { maximum: number };
  "signer-password-given": { person: string | number };
  "span-out-of-range": { asked: number; unit: string };
  "span-range": { maximum: number; minimum: number; unit: string };
  "spot": { number: number; place: number };
  "spot-elsewhere": { patron: string | number; place: number };
  "staff-act-for-nobody": { person: string | number };
  "stake-returned": { patron: string | number; wager: string | number };
  "stake-up-to": { maximum: string | number };
  "standing-may-not-cut": { patron: string | number };
  "standing-may-not-handle": { person: string | number };
  "stands-after-stand": { hand: string | number; other: string | number; total: number };
  "stands-against-third-card": { hand: string | number; other: string | number; third: number; total: number };
  "stands-on-total": { hand: string | number; total: number };
  "stopped-by-defect": { defect: string | number };
  "store-refused": { detail: string | number };
  "suspended-for-reason": { reason: string | number };
  "table-exists": { table: string | number };
  "table-known-already": { table: string | number };
  "table-never-had-these-rules": { digest: string | number; table: string | number };
  "table-suspended": { cause: string };
  "take-back-first": { wager: string | number };
  "take-cards": { cards: string | number };
  "takes-methods": { methods: string | number };
  "tie": { total: number };
  "time-left-to-answer": { seconds: number };
  "time-left-to-reveal": { person: string | number; seconds: number };
  "time-limit-reached": { maximum: string | number; span: string };
  "too-many-deposits": { maximum: number };
  "too-many-disputes": { most: number };
  "too-many-orders": { maximum: number; table: string | number };
  "took-part-already": { person: string | number; step: string };
  "totals": { first: string | number; first_total: number; second: string | number; second_total: number };
  "transcript-rules": { digest: string | number; game: string | number; version: string | number };
  "transcript-rules-read-with": { digest: string | number; game: string | number; readings: string | number; version: string | number };
  "tray-count-off": { against: string; counted: string | number; difference: string | number };
  "tray-has-less": { amount: string | number };
  "tray-out-of-range": { maximum: string | number };
  "tray-short": { short: string | number };
  "try-after-or-unlock": { at: string | number };
  "two-command-ids": { header: string | number };
  "unclaimed": { patron: string | number };
  "unknown-area": { area: string | number };
  "unknown-area-cap": { cap: string | number };
  "unknown-authority": { version: number };
  "unknown-cards-gone": { cards: number };
  "unknown-chip-request": { kind: string | number };
  "unknown-irregularity": { kind: string | number };
  "unknown-query-parameter": { name: string | number };
  "unknown-result": { result: string | number };
  "unknown-rounding": { rounding: string | number };
  "unknown-ruling": { decision: string | number };
  "unknown-set-up": { setup: string | number };
  "unknown-setting": { setting: string | number };
  "unpaid": { patron: string | number; reason: string | number };
  "unrated-pays-in-parts": { unit: string | number; wagers: string | number };
  "use-report": { command: string | number };
  "wager-above-game-maximum": { amount: string | number; maximum: string | number; wager: string | number };
  "wager-above-maximum": { maximum: string | number; wager: string | number };
  "wager-as-found": { patron: string | number; wager: string | number };
  "wager-below-game-minimum": { amount: string | number; minimum: string | number; wager: string | number };
  "wager-below-minimum": { minimum: string | number; wager: string | number };
  "wager-depends-on-this": { wager: string | number };
  "wager-needs-another": { others: string | number; wager: string | number };
  "wager-not-in-steps": { step: string | number; wager: string | number };
  "wager-not-offered": { wager: string | number };
  "wager-not-on-layout": { layout: string | number; layouts: string | number; wager: string | number };
  "wager-off-by-readings": { wager: string | number };
  "wager-reduced": { patron: string | number; wager: string | number };
  "wager-result": { result: string };
  "wager-settled": { patron: string | number; wager: string | number };
  "wager-twice": { name: string | number; wager: string | number };
  "wager-unknown": { game: string | number; name: string | number; wagers: string | number };
  "wager-unknown-near": { game: string | number; name: string | number; near: string | number; wagers: string | number };
  "wager-without-stake": { amount: string | number; wager: string | number };
  "wagers-exclude": { other: string | number; wager: string | number };
  "wagers-still-on-layout": { patron: string | number };
  "waits-for-judgement": { irregularity: string | number };
  "wallet-short": { balance: string | number };
  "within-limits": { amount: string | number };
  "would-lead-too-far": { hand: string | number };
  "write-instead": { word: string | number };
  "wrong-substitutes": { missing: string | number; taken: string | number };
};
