"""Does each clause have a test of its own that notices when the running table breaks it?

The rulebook's account (`longhu rules`) counts tests that carry a clause's mark, and a mark is only a claim. So the running table is
broken on purpose, in one way after the other, in a copy of the tree: a dealer who does not deal draws, layouts limit nothing, a late
wager is taken. Then the tests that are marked for the clauses of that fault run, and no others. A clause is caught where one of its own
tests fails; it survives where all of them pass, and then it is they that show too little.

    python -m soak.table_mutants [--list] [MUTANT ...]

The exit status is 1 if a mutant survives a clause. `tests/test_table_mutants.py` holds the faults against the code as it is today.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import longhu
from longhu.enforcement import witnesses
from longhu.games.game import Result
from longhu.games.registry import all_games

TABLE = "src/longhu/table"
NEVER_COPIED = shutil.ignore_patterns(".*", "node_modules", "__pycache__")
SECONDS = 420  # for the tests of one mutant; what has not failed by then has survived


class Change(NamedTuple):
    """A passage of a file, which must be there once, and what stands there instead."""

    path: str
    old: str
    new: str


class Mutant(NamedTuple):
    name: str
    says: str  # what the table does wrong
    clauses: tuple[str, ...]  # each must notice
    changes: tuple[Change, ...]


def paid_as(*results: Result) -> tuple[str, ...]:
    """The clauses of all lines of all games that settle a wager so."""
    lines = [
        line for game in all_games() for wager in longhu.game(game).definition.wagers.values() for line in wager.lines
    ]
    return tuple(dict.fromkeys(id for line in lines if line.result in results for id in line.clauses))


def settled(code: str) -> tuple[Change, ...]:
    """After a wager's net and commission are known, this is done to them."""
    path = f"{TABLE}/settling.py"
    known = "        net, commission = won(line, Money(at_risk), rounding) if at_risk else (0, 0)\n"
    return (Change(path, known, f"{known}        {code}\n"),)


COMPANY = "    wager = game.wagers[id]\n    if not wager.requires and not wager.excludes:\n"
MINE = "open_round(table).stakes_of(patron)"
BETTING, DEALING, HANDLING = f"{TABLE}/betting.py", f"{TABLE}/dealing.py", f"{TABLE}/handling.py"
REQUIREMENTS, PRIORITY = f"{TABLE}/requirements.py", f"{TABLE}/priority.py"
VOID, WITHDRAWAL = f"{TABLE}/remedies/void.py", f"{TABLE}/remedies/withdrawal.py"

MUTANTS = (
    # ------------------------------------------------ what is wagered
    Mutant(
        "one-kind-of-wager", "a patron may have one kind of wager only",
        ("DT-3.3a", "DT-3.3b", "D21-5.2", "D21-5.2.b", "D21-5.2.c", "D21-5.2.d", "D21-5.2.f", "DBC-MAIN-1", "DBC-TIE-3", "DBC-DB-1", "DBO-BET-6"),
        (Change(BETTING, COMPANY, f"    if {{each.wager for each in {MINE}}} - {{id}}:\n        return Refusal(BET_NEXT_ROUND())\n{COMPANY}"),),
    ),
    Mutant(
        "bonus-alone", "a wager that needs another may be placed alone",
        ("DBO-BET-5", "DBC-DB-3", "D21-11Aa", "D21-11Ad"),
        (Change(BETTING, f"    error = wrong_company(wager, {{each.wager for each in {MINE}}})\n", "    error = None\n"),),
    ),
    Mutant(
        "side-wager-not-alone", "side wagers need a main wager",
        ("IDT-3.6", "DT-3.3a", "DT-3.3b", "D21-5.2.g", "DBC-TIE-3"),
        (Change(BETTING, COMPANY, f"    if game.wagers[id].hand is None and not any(game.wagers[each.wager].hand for each in {MINE}):\n        return Refusal(BET_NEXT_ROUND())\n{COMPANY}"),),
    ),
    Mutant(
        "layouts-limit-nothing", "every layout offers every wager",
        ("IDT-3.5", "IDT-4.5a", "IDT-4.6a", "IDT-2.2.10", "IDT-2.2.11"),
        (
            Change("src/longhu/games/game.py", "for id, wager in self.wagers.items() if id in shown}", "for id, wager in self.wagers.items()}"),
            Change(BETTING, "command.wager in game.layouts[settings.layout].wagers and command.wager in settings.limits", "command.wager in settings.limits"),
        ),
    ),
    Mutant(
        "late-wagers-taken", "a wager is taken after the closing call",
        ("DT-3.2", "DT-5.6a", "DT-5.6b", "IDT-3.2", "IDT-5.4a", "IDT-5.4b", "D21-5.9", "D21-5.9.a", "D21-5.9c"),
        (Change(BETTING, "    if not until_first_card(game, round):\n        before", "    if False:\n        before"),),
    ),
    Mutant(
        "wagers-before-the-call", "a wager is taken before the opening call",
        ("DT-3.1", "IDT-3.1"),
        (Change(f"{TABLE}/betting_phase.py", "    if table.round is not None:\n        return Refusal(ROUND_IN_PROGRESS()", "    if table.round is None:\n        return Refusal(ROUND_IN_PROGRESS()"),),
    ),
    Mutant(
        "limits-unchecked", "any amount is taken",
        ("IDT-3.5.1b", "D21-5.8.a", "D21-5.8.b", "DBO-MAX-1", "DBO-MAX-2", "DBO-MAX-3", "DBO-MAX-4", "DBO-MAX-5"),
        (Change(BETTING, "    if limit.min <= amount <= limit.max - beside and not amount % limit.increment:\n", "    if True:\n"),),
    ),
    Mutant(
        "no-document-maximum", "a house may raise a maximum of the document",
        ("DBO-MAX-1", "DBO-MAX-2", "DBO-MAX-3", "DBO-MAX-4", "DBO-MAX-5"),
        (Change(REQUIREMENTS, "    return most if most is not None and limit.max > most else None\n", "    return None\n"),),
    ),
    Mutant(
        "document-maximum-of-player-alone", "a house may raise the maxima of the document except Player's",
        ("DBO-MAX-2", "DBO-MAX-3", "DBO-MAX-4", "DBO-MAX-5"),
        (Change(REQUIREMENTS, "    return most if most is not None and limit.max > most else None\n", '    return most if most is not None and limit.max > most and wager.id == "player" else None\n'),),
    ),
    Mutant(
        "areas-not-shared-by-rule", "any number of patrons may bet on one area, whatever was set",
        ("D21-5.7.a", "D21-5.7.ba", "D21-5.7.bb", "IDT-3.7"),
        (Change(BETTING, "        or area_full(table, game, command, patron)\n", ""),),
    ),
    # ------------------------------------------------ how a table opens
    Mutant(
        "any-decks", "a table opens with any number of decks",
        ("DT-2.1a", "IDT-2.1a", "DBO-ABOUT-2b", "DBC-GEN-1", "D21-3.4.a.i.A"),
        (Change(REQUIREMENTS, "    error = wrong_decks(game, settings.decks)\n", "    error = None\n"),),
    ),
    Mutant(
        "decks-of-dragon-21-alone", "the number of decks is checked for Dragon 21 only",
        ("DT-2.1a", "IDT-2.1a", "DBO-ABOUT-2b", "DBC-GEN-1"),
        (Change(REQUIREMENTS, "    error = wrong_decks(game, settings.decks)\n", '    error = wrong_decks(game, settings.decks) if game.id == "dragon-21" else None\n'),),
    ),
    Mutant(
        "any-layout", "a table opens with any layout and any number of positions",
        ("IDT-2.2", "IDT-7-Aa", "IDT-7-Ba", "IDT-7-Ca", "IDT-7-Da", "IDT-7-Ea", "DT-2.2", "D21-3.1a"),
        (Change(REQUIREMENTS, "_name, _layout, _decks,", "_name, _decks,"),),
    ),
    Mutant(
        "rules-before-their-date", "a table opens before its rules are in force",
        ("DT-0", "IDT-0b"),
        (Change(f"{TABLE}/opening.py", "    if command.at < game.in_force_at:\n", "    if False:\n"),),
    ),
    Mutant(
        "round-names-no-rules", "a round does not say by which rules it is played",
        ("DT-0", "D21-0", "IDT-0b"),
        (Change(f"{TABLE}/betting_phase.py", "        game=table.game,\n        game_id=game.id,\n        version=game.version,\n        in_force=game.in_force,\n", '        game="",\n        game_id="",\n        version="",\n        in_force="",\n'),),
    ),
    # ------------------------------------------------ the deal
    Mutant(
        "first-cards-swapped", "the first cards go to the other hand",
        ("IDT-3.12", "IDT-3.12.1", "IDT-3.12.2", "DT-3.4b", "D21-8.0b", "D21-1.0-DRAGONS-HAND", "D21-1.0-TIGERS-HAND", "DBO-DEAL-2", "DBC-DEAL-1"),
        (Change(DEALING, "        return due.hand, due.reasons[-1]\n    due = procedure_due", "        return 1 - (due.hand or 0), due.reasons[-1]\n    due = procedure_due"),),
    ),
    Mutant(
        "face-up-is-face-down", "cards that are dealt face up lie face down",
        ("DT-3.4b", "DBO-DEAL-2", "D21-8.0c", "IDT-3.11.1"),
        (Change(DEALING, '    if method is None or method.cards == "face-up":\n        return True\n', '    if method is None or method.cards == "face-up":\n        return False\n'),),
    ),
    Mutant(
        "face-down-card-shown", "everybody is shown a card that lies face down",
        ("IDT-3.10.2", "IDT-3.10.7b", "IDT-1.1.13", "D21-9.5"),
        (Change(f"{TABLE}/views.py", "                glimpse(table, place, viewer.person)[0] or None,\n", "                each.card or None,\n"),),
    ),
    Mutant(
        "any-dealer-draws", "whoever is a dealer draws, whoever has the deal",
        ("IDT-3.9.1", "D21-4.2c"),
        (
            Change(f"{TABLE}/people.py", "            return judge(table, game, command) if above else another_deals(table, game)\n", "            return judge(table, game, command)\n"),
            Change(DEALING, '    if table.dealer not in ("", command.by) and "position-above" not in game.cites:\n', "    if False:\n"),
        ),
    ),
    Mutant(
        "drawn-before-the-call", "cards are drawn while betting is open",
        ("DT-3.4a", "DBO-DEAL-1"),
        (
            Change(DEALING, "    if round is None or round.phase is Phase.BETTING:\n        return Refusal(BETTING_STILL_OPEN()", "    if round is None:\n        return Refusal(BETTING_STILL_OPEN()"),
            Change(DEALING, "    if round.phase not in (Phase.CLOSED, Phase.DEALING):\n", "    if False:\n"),
        ),
    ),
    Mutant(
        "totals-not-announced", "further cards are drawn before the totals are announced",
        ("IDT-3.13",),
        (Change(DEALING, '    if not round.totals_announced and "announce-totals" in game.cites:\n', "    if False:\n"),),
    ),
    Mutant(
        "smallest-wager-squeezes", "the cards go to whoever has the smallest wager on the hand",
        ("IDT-3.10.2", "IDT-3.10.3", "D21-8.0f", "DBC-DEAL-2"),
        (Change(PRIORITY, "    largest = max(willing.values())\n", "    largest = min(willing.values())\n"),),
    ),
    Mutant(
        "last-of-equals-squeezes", "of equal wagers the last one comes first",
        ("IDT-3.10.4",),
        (Change(PRIORITY, "    first = min(since.values())\n", "    first = max(since.values())\n"),),
    ),
    Mutant(
        "clockwise", "a hand that is refused goes on clockwise",
        ("IDT-3.10.5",),
        (Change(PRIORITY, "reverse=not ascending)", "reverse=ascending)"),),
    ),
    Mutant(
        "any-hand-first", "either hand is turned over first, whatever the dealer has said",
        ("IDT-3.10.6",),
        (Change(HANDLING, "        return _opens_later(game, round, hand) or _by_holder(", "        return _by_holder("),),
    ),
    Mutant(
        "patrons-handle-under-any-method", "patrons may handle cards where the dealer alone does",
        ("IDT-3.11", "IDT-3.11.2a", "IDT-3.11.2b"),
        (Change(HANDLING, '    return method is not None and method.squeeze != "nobody"\n', "    return True\n"),),
    ),
    Mutant(
        "standing-patron-handles", "whoever stands is passed the cards as well",
        ("D21-5.6b", "D21-5.6c", "D21-1.0-DRAGON", "D21-1.0-TIGER"),
        (Change(PRIORITY, '    return "standing" in game.cites and may_bet(table, person) and seat_of(table, person) is None\n', "    return False\n"),),
    ),
    Mutant(
        "cutting-card-ignored", "the cutting card ends nothing",
        ("IDT-3.16a", "IDT-3.16b", "D21-11.0a"),
        (Change(f"{TABLE}/cutting_card.py", "cutting_card_out=True", "cutting_card_out=False"),),
    ),
    Mutant(
        "no-withdrawal-at-the-cut", "the cutting card before a round's first card lets nobody withdraw",
        ("IDT-3.16.1",),
        (Change(f"{TABLE}/cutting_card.py", "*(offer_at_the_cut(table, game, command) if asked else [])", ""),),
    ),
    # ------------------------------------------------ what is paid
    Mutant(
        "wins-doubled", "every win is paid double", paid_as(Result.WIN), settled("net = 2 * net if net > 0 else net"),
    ),
    Mutant(
        "losses-returned", "every losing wager comes back", paid_as(Result.LOSE), settled("net = 0 if line.result is Result.LOSE else net"),
    ),
    Mutant(
        "pushes-taken", "every wager that is pushed is taken", paid_as(Result.PUSH), settled("net = -at_risk if line.result is Result.PUSH else net"),
    ),
    Mutant(
        "tie-takes-nothing", "a tie takes nothing of Dragon and Tiger", ("DT-3.8b",), settled("net = 0 if line.result is Result.HALF else net"),
    ),
    Mutant(
        "banker-even-money", "Banker is paid 1 to 1",
        ("IDT-4.1c", "DBO-BET-2", "DBO-BET-7", "DBC-MAIN-3"),
        settled('net = at_risk if stake.wager == "banker" and net > 0 else net'),
    ),
    Mutant(
        "no-commission", "no commission is kept", ("DBO-BET-7", "DBC-MAIN-3"), settled("net, commission = net + commission, 0"),
    ),
    Mutant(
        "no-cap", "one round may pay any sum", ("DBO-CAP-1",),
        (Change(f"{TABLE}/settling.py", "    if game.cap is None or table.settings is None:\n", "    if True:\n"),),
    ),
    Mutant(
        "last-wins-before-losses", "winners are paid before losing wagers are taken in",
        ("D21-10.2",),
        (Change(f"{TABLE}/settling.py", "    settled = [each for each in settled if not is_payment(each.net)] + [\n        each for each in settled if is_payment(each.net)\n    ]\n", "    settled.sort(key=lambda each: -each.net)\n"),),
    ),
    Mutant(
        "tied-wagers-stay-closed", "wagers that a tie returned may not be changed",
        ("D21-5.11",),
        (Change(f"{TABLE}/settling.py", '    ties = "change-after-tie" in game.cites and game.winner(ending) is None\n', "    ties = False\n"),),
    ),
    # ------------------------------------------------ off the limits, and the differential
    Mutant(
        "short-wagers-always-settled", "wagers under the minimum are settled every time",
        ("IDT-5.12c",),
        (Change(f"{TABLE}/settling.py", "0 if stake.patron in table.short_once else stake.amount", "stake.amount"),),
    ),
    Mutant(
        "short-wagers-never-settled", "wagers under the minimum are returned every time",
        ("IDT-5.12a", "IDT-5.12b"),
        (Change(f"{TABLE}/settling.py", "0 if stake.patron in table.short_once else stake.amount", "0"),),
    ),
    Mutant(
        "over-maximum-paid-whole", "wagers over the maximum are settled whole",
        ("IDT-5.13a", "IDT-5.13b"),
        (Change(f"{TABLE}/settling.py", 'OffLimits("over-maximum", at_risk)', 'OffLimits("over-maximum", stake.amount)'),),
    ),
    Mutant(
        "earlier-rounds-reopened", "wagers of earlier rounds are found off the limits",
        ("IDT-5.14",),
        (Change(f"{TABLE}/irregularities/late.py", "    refusal = _is_final(table, game, command) or _cannot_lie_there(table, game, command)\n", "    refusal = _cannot_lie_there(table, game, command)\n"),),
    ),
    Mutant(
        "differential-ignored", "the hands may lie as far apart as they like",
        ("IDT-5.16", "IDT-5.16.1", "IDT-5.16.2", "IDT-5.16.3", "D21-5.13"),
        (Change(f"{TABLE}/differential.py", "    if round is None or round.cards or found is None or game.differential is None:\n", "    if True:\n"),),
    ),
    Mutant(
        "lifted-wagers-gone", "a wager that is pulled back after the call is no longer at risk",
        ("DT-5.7", "IDT-5.5", "D21-5.10"),
        (
            Change(f"{TABLE}/irregularities/late.py", "    stake = replace(round.stakes[event.key], claim=True)\n    return replace(round, stakes={**round.stakes, event.key: stake})\n", "    return replace(round, stakes={key: each for key, each in round.stakes.items() if key != event.key})\n"),
            Change(BETTING, "    if round.phase is not Phase.BETTING and not lowers and not until_first_card(game, round):\n        return Refusal(\n            BETTING_CLOSED", "    if False:\n        return Refusal(\n            BETTING_CLOSED"),
        ),
    ),
    # ------------------------------------------------ what goes wrong
    Mutant(
        "void-keeps-stakes", "a void round keeps the stakes",
        ("DT-5.1.1", "DT-5.2a", "DT-5.3", "DT-5.4", "DT-5.5", "IDT-5.1.1", "IDT-5.2", "IDT-5.3", "IDT-5.8.2.1", "D21-12.0b", "D21-12.0c", "DBO-30D-1b", "DBO-MALF-1"),
        (Change(VOID, "    back = [StakeReturned(stake=stake, why=\"void\", **about(command, clause)) for stake in round.stakes.values()]\n", "    back = []\n"),),
    ),
    Mutant(
        "nobody-is-asked", "a withdrawal is offered to nobody",
        ("IDT-3.16.1", "IDT-5.8.1", "IDT-5.8.2.2b", "IDT-5.9a", "IDT-5.15.1a"),
        (Change(WITHDRAWAL, "    if not patrons:\n        return _concluded", "    if True:\n        return _concluded"),),
    ),
    Mutant(
        "some-of-all", "a patron may withdraw some wagers where it is all or none",
        ("IDT-5.8.2.2b", "IDT-5.15.1b"),
        (Change(WITHDRAWAL, "    if offer.whole and wanted != mine:\n", "    if False:\n"),),
    ),
    Mutant(
        "decided-wagers-withdrawn", "wagers may be withdrawn that the cards have decided",
        ("IDT-5.15.2",),
        (Change(WITHDRAWAL, "    if found:\n        return [judged]\n", ""),),
    ),
    Mutant(
        "reset-does-not-reopen", "betting stays closed after a reset",
        ("IDT-5.9b",),
        (Change(WITHDRAWAL, '    if offer.then == "reopen" and table.round is not None:\n', "    if False:\n"),),
    ),
    Mutant(
        "cards-stay-wrong", "cards that lie wrong stay where they lie",
        ("DT-5.2b", "IDT-5.7a"),
        (Change(f"{TABLE}/remedies/restoring.py", "    if round is None:\n        return []\n    if round.reserve:\n", "    if True:\n        return []\n    if round.reserve:\n"),),
    ),
    Mutant(
        "drawn-together-reversed", "cards that left the shoe together are dealt in the opposite order",
        ("IDT-5.8",),
        (Change(f"{TABLE}/irregularities/cards.py", "        cards=faces,\n        shoe_number", "        cards=faces[::-1],\n        shoe_number"),),
    ),
    Mutant(
        "thirty-days-ignored", "a game goes on for as long as it likes",
        ("DBO-30D-1a", "DBO-30D-1b"),
        (Change(f"{TABLE}/state.py", "        return end is not None and at > end\n", "        return False\n"),),
    ),
    Mutant(
        "shoe-goes-on", "no shoe is replaced, whatever was found",
        ("IDT-5.11.5",),
        (Change(VOID, "replace(table.shoe, replaced_after_round=True) if table.shoe else None\n    return replace(table, shoe=shoe, new_set=table.new_set or event.new_set)", "table.shoe\n    return replace(table, shoe=shoe)"),),
    ),
    # ------------------------------------------------ who
    Mutant(
        "one-is-enough", "no second person is asked for",
        ("IDT-5.11", "IDT-6.1", "DBO-MALF-1", "IDT-5.8.1"),
        (Change(f"{TABLE}/messages.py", "    row = authority.second_person(table, command, events)\n", "    row = None\n"),),
    ),
    Mutant(
        "anybody-rules", "whoever is staff decides what no clause covers",
        ("IDT-6.1", "D21-12.0f"),
        (Change(f"{TABLE}/irregularities/rulings.py", "    if command.position < decider:\n        needed = POSITION_TOO_LOW", "    if False:\n        needed = POSITION_TOO_LOW"),),
    ),
    Mutant(
        "nominee-without-approval", "a nominee is announced without anybody's approval",
        ("D21-2.2.a",),
        (Change(f"{TABLE}/nominees.py", "    if nominee is None or not nominee.approved:\n", "    if nominee is None:\n"),),
    ),
    Mutant(
        "nominee-without-announcement", "a nominee acts before the announcement",
        ("D21-2.2.b",),
        (Change(f"{TABLE}/state.py", "bool(self.approved) and self.announced", "bool(self.approved)"),),
    ),
    Mutant(
        "nominee-of-many", "one person acts for several patrons",
        ("D21-2.2.d",),
        (Change(f"{TABLE}/nominees.py", "        if each.person == person and each.patron != patron and each.active:\n", "        if False:\n"),),
    ),
    Mutant(
        "staff-as-nominees", "people of the house act as nominees",
        ("D21-2.2.h",),
        (Change(f"{TABLE}/nominees.py", "    known = table.people.get(person)\n    if person in table.staff", "    return None\n    known = table.people.get(person)\n    if person in table.staff"),),
    ),
    Mutant(
        "orders-ignored", "nominees act on, although a supervisor has ordered that patrons act themselves",
        ("D21-2.2.fa", "D21-2.2.fb", "D21-2.2.ga", "D21-2.2.gb"),
        (
            Change(f"{TABLE}/nominees.py", "    return act in table.self_only.get(patron, ()) or act in table.self_only.get(EVERYBODY, ())\n", "    return False\n"),
            Change(f"{TABLE}/nominees.py", "    left = tuple(each for each in nominee.approved if each != act)\n", "    left = nominee.approved\n"),
        ),
    ),
    Mutant(
        "wagers-in-a-void-hand", "wagers are taken in a Void Hand",
        ("D21-1.0-VOID-HAND", "D21-1.0"),
        (Change(BETTING, "    if not round.wagering:\n", "    if False:\n"),),
    ),
    Mutant(
        "method-changed-in-a-round", "the method may change during a round",
        ("IDT-3.9.2b",),
        (Change(f"{TABLE}/opening.py", "    if table.round is not None:\n        return Refusal(ROUND_IN_PROGRESS(), CHANGE_BEFORE", "    if False:\n        return Refusal(ROUND_IN_PROGRESS(), CHANGE_BEFORE"),),
    ),
)  # fmt: skip


class Copy:
    """A copy of the tree, in which the table is broken in one way at a time."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(root, folder, ignore=NEVER_COPIED)

    def caught(self, ids: Iterable[str], changes: Iterable[Change] = ()) -> dict[str, str]:
        """The clauses of which a test fails after these changes, each with that test; what has no test is no key."""
        before: dict[Path, str] = {}
        try:
            for path, old, new in changes:
                file = self.folder / path
                text = file.read_text(encoding="utf-8")
                before.setdefault(file, text)
                if text.count(old) != 1:
                    sys.exit(f"soak: {path} has this passage {text.count(old)} times, not once:\n{old}")
                file.write_text(text.replace(old, new), encoding="utf-8")
            return self._failed([*ids])
        finally:
            for file, text in before.items():
                file.write_text(text, encoding="utf-8")

    def _failed(self, ids: list[str]) -> dict[str, str]:
        files = sorted({test.partition("::")[0] for id in ids for test in witnesses().get(id, ())})
        files = [
            file for file in files if not file.startswith("tests/page/")
        ]  # browsers are slow, and see little of this
        outcomes = self.folder / "outcomes.json"
        outcomes.unlink(missing_ok=True)
        environment = os.environ | {"PYTHONPATH": str(self.folder / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:xdist",
            "-p",
            "no:cacheprovider",
            "-p",
            "soak.clause_outcomes",
        ]
        pytest = subprocess.Popen(
            [*command, f"--clauses={','.join(ids)}", f"--outcomes={outcomes}", *files],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,  # so that what it starts ends with it
        )
        try:
            told, _ = pytest.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(pytest.pid, signal.SIGKILL)
            told, _ = pytest.communicate()
        if not outcomes.exists():
            sys.exit(f"soak: the tests did not run\n{told}")
        found = json.loads(outcomes.read_text(encoding="utf-8"))
        if missing := [id for id in ids if not found["tests"].get(id)]:
            sys.exit(f"soak: no test is marked for {', '.join(missing)}")
        return dict(found["failed"])


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m soak.table_mutants", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("mutants", nargs="*", metavar="MUTANT", help="all unless told")
    parser.add_argument("--list", action="store_true", help="name the mutants, and run nothing")
    asked = parser.parse_args()
    names = {each.name for each in MUTANTS}
    if unknown := set(asked.mutants) - names:
        parser.error(f"no such mutant: {', '.join(sorted(unknown))}")
    chosen = [each for each in MUTANTS if not asked.mutants or each.name in asked.mutants]
    if asked.list:
        for each in chosen:
            print(f"{each.name:34}{each.says}: {', '.join(each.clauses)}")
        return 0
    survived = 0
    with tempfile.TemporaryDirectory(prefix="longhu-table-mutants-") as folder:
        copy = Copy(Path(), Path(folder) / "tree")
        if failing := copy.caught(dict.fromkeys(id for each in chosen for id in each.clauses)):
            sys.exit(f"soak: tests fail without any mutant: {failing}")
        for each in chosen:
            caught = copy.caught(each.clauses, each.changes)
            alive = [id for id in each.clauses if id not in caught]
            survived += len(alive)
            print(f"{each.name:34}caught by {len(caught)} of {len(each.clauses)} clauses", flush=True)
            if alive:
                print(f"    survived {', '.join(alive)}", flush=True)
    pairs = sum(len(each.clauses) for each in chosen)
    print(f"\n{len(chosen)} mutants, {pairs} clauses asked: {pairs - survived} caught, {survived} survived")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
