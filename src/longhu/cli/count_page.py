"""A study of counting as people and programs read it."""

from __future__ import annotations

import csv
import json
import sys
from argparse import Namespace
from dataclasses import asdict
from typing import Any

from longhu.cli.screen import FigureScreen
from longhu.counting.figures import Study, WagerStudy
from longhu.counting.gain import Gain
from longhu.counting.tags import Count

BAR = 24  # signs of the longest bar
CEILING = 6  # its column


def show(result: Study, seconds: float, args: Namespace) -> None:
    if args.json:
        print(json.dumps(as_json(result, seconds), ensure_ascii=False, indent=2))
    elif args.csv:
        rows = [_row(each) for each in result.wagers.values()]
        writer = csv.DictWriter(sys.stdout, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    else:
        _print(result, seconds)


def as_json(result: Study, seconds: float) -> dict[str, Any]:
    return {
        "game": result.game.id,
        "digest": result.game.digest,
        "decks": result.decks,
        "cut": result.cut,
        "shoes": result.shoes,
        "rounds": result.rounds,
        "seed": result.seed,
        "seconds": seconds,
        "reshuffled": result.game.reshuffled,
        "wagers": {id: _figures(each, result.decks) for id, each in result.wagers.items()},
    }


def _figures(each: WagerStudy, decks: int) -> dict[str, Any]:
    return {
        "house_edge": each.edge,
        "effects": dict(zip(each.effects.names, each.effects.by_kind.tolist(), strict=True)),
        "levels": [_count(count, decks) for count in each.counts],
        "count": None if each.count is None else _count(each.count, decks),
        "trigger": None if each.trigger is None else asdict(each.trigger),
        "counter": _gain(each.counter),
        "ceiling": _gain(each.ceiling),
        "best": each.best,
        "depths": [asdict(depth) for depth in each.depths],
    }


def _count(count: Count, decks: int) -> dict[str, Any]:
    return {
        "level": count.level,
        "correlation": count.correlation,
        "tags": dict(zip(count.names, count.tags, strict=True)),
        "begins": count.begins(decks),
    }


def _gain(gain: Gain) -> dict[str, float]:
    return {
        "per_100_rounds": gain.per_100,
        "per_100_rounds_error": gain.per_100_error,
        "per_shoe": gain.per_shoe,
        "per_shoe_error": gain.per_shoe_error,
        "share": gain.share,
        "per_bet": gain.per_bet,
    }


def _row(each: WagerStudy) -> dict[str, object]:
    count, trigger = each.count, each.trigger
    return {
        "wager": each.wager.id,
        "house_edge": each.edge,
        "level": "" if count is None else count.level,
        "correlation": "" if count is None else count.correlation,
        "tags": "" if count is None else " ".join(map(str, count.tags)),
        "trigger": "" if trigger is None else trigger.true_count,
        **{f"counter_{name}": value for name, value in _gain(each.counter).items()},
        **{f"ceiling_{name}": value for name, value in _gain(each.ceiling).items()},
        "best": each.best,
    }


def _print(result: Study, seconds: float) -> None:
    screen = FigureScreen()
    _print_answer(screen, result)
    _print_counts(screen, result)
    if len(result.wagers) == 1:
        (only,) = result.wagers.values()
        _print_effects(screen, only)
        _print_depths(screen, only)
    for note in _notes(result):
        screen.print(note)
    screen.print(f"{seconds:.1f} seconds for {result.rounds:,} rounds. The same seed gives the same figures.")


def _print_answer(screen: FigureScreen, result: Study) -> None:
    head, rows = result.cells()
    columns = [head[0], *(f"{name}>" for name in head[1:-1]), head[-1]]
    shown = screen.table(*columns, title=result.title())
    for cells, each in zip(rows, result.wagers.values(), strict=True):
        style = "yellow" if each.ceiling.bets else ""
        shown.add_row(*(screen.cell(cell, style if place == CEILING else "") for place, cell in enumerate(cells)))
    screen.print(shown)
    screen.print(
        "Units for a unit staked, ± standard error. By depth: the share of rounds with a positive expectation, from the "
        "first cards to the cut."
    )


def _print_counts(screen: FigureScreen, result: Study) -> None:
    counted = [(each, each.count) for each in result.wagers.values() if each.count is not None]
    ranks = [(each, count) for each, count in counted if each.effects.suits_alike]
    if ranks:
        title = "The counts: add each card's tag as it is seen; the true count is the sum for each deck that is left"
        names = [f"{name}>" for name in ranks[0][0].effects.names]
        shown = screen.table("wager", *names, "begins>", "correlation>", "of levels", title=title)
        for each, count in ranks:
            cells = [each.wager.name.en, *(_tag(tag) for tag in count.tags)]
            cells += [_tag(count.begins(result.decks)), f"{count.correlation:.3f}", _levels(each)]
            shown.add_row(*(screen.cell(cell) for cell in cells))
        screen.print(shown)
    for each, count in counted:
        if not each.effects.suits_alike:
            tags = "  ".join(f"{_tag(tag)}: {' '.join(cards)}" for tag, cards in _cards_by_tag(count).items())
            screen.print(f"{each.wager.name.en}, correlation {count.correlation:.3f}, tags by card: {tags}")


def _cards_by_tag(count: Count) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for name, tag in zip(count.names, count.tags, strict=True):
        found.setdefault(tag, []).append(name)
    return dict(sorted(found.items()))


def _tag(tag: int) -> str:
    return f"{tag:+d}" if tag else "0"


def _levels(each: WagerStudy) -> str:
    return ", ".join(f"{count.level}: {count.correlation:.3f}" for count in each.counts)


def _print_effects(screen: FigureScreen, each: WagerStudy) -> None:
    title = f"{each.wager.name.en}: what the expectation gains, in per cent, when one card has left the full shoe"
    shown = screen.table("card", "effect %>", "", title=title)
    effects = each.effects.by_kind.tolist()
    most = max(map(abs, effects)) or 1.0
    for name, effect in zip(each.effects.names, effects, strict=True):
        bar = ("+" if effect > 0 else "-") * round(abs(effect) / most * BAR)
        shown.add_row(*(screen.cell(cell) for cell in (name, f"{effect * 100:+.4f}", bar)))
    screen.print(shown)


def _print_depths(screen: FigureScreen, each: WagerStudy) -> None:
    title = f"{each.wager.name.en}: the expectation against depth, in per cent"
    shown = screen.table("dealt %>", "rounds>", "mean>", "95 of 100 below>", "best>", "positive>", "", title=title)
    most = max(depth.positive for depth in each.depths) or 1.0
    for depth in each.depths:
        figures = [f"{value * 100:+.2f}" for value in (depth.mean, depth.high, depth.best)]
        cells = [f"{depth.dealt * 100:.1f}", f"{depth.rounds:,}", *figures, f"{depth.positive * 100:.2f}"]
        shown.add_row(*(screen.cell(cell) for cell in (*cells, "█" * round(depth.positive / most * BAR))))
    screen.print(shown)


def _notes(result: Study) -> list[str]:
    notes = []
    blind = [each.wager.name.en for each in result.wagers.values() if each.effects.none]
    if blind:
        notes.append(
            f"{', '.join(blind)}: one card is as good as any other, so no count of tags helps. The ceiling, where "
            "there is one, is for whoever remembers how many of each card are left."
        )
    given = [each.wager.name.en for each in result.wagers.values() if each.edge < 0]
    if given:
        notes.append(f"{', '.join(given)}: in favour of the patron from the full shoe on, without any counting.")
    beside = [each.wager.name.en for each in result.wagers.values() if each.wager.requires]
    if beside:
        notes.append(f"{', '.join(beside)}: stands only beside another wager; what that one costs is not taken off.")
    if result.game.reshuffled:
        notes.append(
            "The document deals every round from a full shoe: then nothing can be counted. These are the figures of a "
            "house that deals the shoe out."
        )
    return notes
