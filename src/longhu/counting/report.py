"""A study of counting as a report, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from longhu.report.blocks import Block, Cells, Column, ColumnKind, Prose, Span, Table, Tone
from longhu.report.text import SHARES

if TYPE_CHECKING:
    from longhu.counting.figures import Study, WagerStudy
    from longhu.counting.gain import Gain
    from longhu.counting.tags import Count

BAR = 24  # signs of the longest bar
TAG = 3  # signs of a tag in the row of all ranks


def study_report(result: Study, seconds: float) -> list[Block]:
    """How far each wager can be beaten, and with which count."""
    blocks: list[Block] = [
        answer_table(result),
        Prose(
            "Units won in 100 rounds for a unit staked (± standard error): by who counts with the tags below, and by who knows "
            "every card that is left. By depth: the share of rounds with a positive expectation, from the first cards to the cut."
        ),
        *_counts(result),
    ]
    if len(result.wagers) == 1:
        (only,) = result.wagers.values()
        blocks += [_effect_table(only), _depth_table(only)]
    blocks += [Prose(note) for note in _notes(result)]
    return [
        *blocks,
        Prose(f"{seconds:.1f} seconds for {result.rounds:,} rounds. The same seed gives the same figures."),
    ]


def answer_table(result: Study) -> Table:
    """A row for each wager: units for a unit staked, and per cent."""
    columns = (
        Column("wager", ColumnKind.TEXT),
        Column("edge %"),
        Column("bets from"),
        *(
            Column(name, spare=name not in ("counter", "ceiling"))
            for who in ("counter", "ceiling")
            for name in (who, "±", "a shoe", "bets %")
        ),
        Column("best %"),
        Column("by depth", ColumnKind.DRAWN),
    )
    title = (
        f"{result.game.name.en}: how far each wager can be beaten. {result.decks} decks, {result.cut} cards behind the "
        f"cut, {result.shoes:,} shoes, seed {result.seed}"
    )
    return Table(columns, tuple(map(_answer, result.wagers.values())), title=title)


def _answer(each: WagerStudy) -> Cells:
    ceiling, *rest = _gain_cells(each.ceiling)
    return (
        each.wager.name.en,
        f"{each.edge * 100:.3f}",
        each.bets_from,
        *_gain_cells(each.counter),
        Span(ceiling, Tone.EVEN if each.ceiling.bets else Tone.PLAIN),
        *rest,
        f"{each.best * 100:+.1f}",
        sparkline([depth.positive for depth in each.depths]),
    )


def _gain_cells(gain: Gain) -> list[str]:
    if not gain.bets:
        return ["-", "", "-", "0"]
    return [_units(gain.per_100), _units(gain.per_100_error), _units(gain.per_shoe), f"{gain.share * 100:.2f}"]


def _units(amount: float) -> str:
    """To a thousandth; less than half of one has no sign."""
    return f"{round(amount, 3) + 0.0:.3f}"


def sparkline(shares: Sequence[float]) -> str:
    """A sign for each share; the largest is a full block, and what is not nothing is seen.

    >>> sparkline([0, 0.001, 0.25, 0.5])
    ' ▁▄█'
    """
    most = max(shares, default=0.0) or 1.0
    full = len(SHARES) - 1
    return "".join(SHARES[0 if share <= 0 else max(1, round(share / most * full))] for share in shares)


def _counts(result: Study) -> Iterator[Block]:
    counted = [(each, each.count) for each in result.wagers.values() if each.count is not None]
    ranks = [(each, count) for each, count in counted if each.effects.suits_alike]
    if ranks:
        title = "The counts: add each card's tag as it is seen; the true count is the sum for each deck that is left"
        columns = (
            Column("wager", ColumnKind.TEXT),
            Column("".join(f"{name:>{TAG}}" for name in ranks[0][0].effects.names), ColumnKind.TEXT),
            Column("begins"),
            Column("correlation"),
            Column("of levels", ColumnKind.TEXT, spare=True),
        )
        yield Table(columns, tuple(_count_row(each, count, result.decks) for each, count in ranks), title=title)
    for each, count in counted:
        if not each.effects.suits_alike:
            tags = "  ".join(f"{_tag(tag)}: {' '.join(cards)}" for tag, cards in _cards_by_tag(count).items())
            yield Prose(f"{each.wager.name.en}, correlation {count.correlation:.3f}, tags by card: {tags}")


def _count_row(each: WagerStudy, count: Count, decks: int) -> Cells:
    tags = "".join(f"{_tag(tag):>{TAG}}" for tag in count.tags)
    return each.wager.name.en, tags, _tag(count.begins(decks)), f"{count.correlation:.3f}", _levels(each)


def _cards_by_tag(count: Count) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for name, tag in zip(count.names, count.tags, strict=True):
        found.setdefault(tag, []).append(name)
    return dict(sorted(found.items()))


def _tag(tag: int) -> str:
    return f"{tag:+d}" if tag else "0"


def _levels(each: WagerStudy) -> str:
    return ", ".join(f"{count.level}: {count.correlation:.3f}" for count in each.counts)


def _effect_table(each: WagerStudy) -> Table:
    title = f"{each.wager.name.en}: what the expectation gains, in per cent, when one card has left the full shoe"
    effects = each.effects.by_kind.tolist()
    most = max(map(abs, effects)) or 1.0
    rows = tuple(
        (name, f"{effect * 100:+.4f}", ("+" if effect > 0 else "-") * round(abs(effect) / most * BAR))
        for name, effect in zip(each.effects.names, effects, strict=True)
    )
    return Table((Column("card", ColumnKind.TEXT), Column("effect %"), Column("", ColumnKind.DRAWN)), rows, title=title)


def _depth_table(each: WagerStudy) -> Table:
    title = f"{each.wager.name.en}: the expectation against depth, in per cent"
    names = ("dealt %", "rounds", "mean", "95 of 100 below", "best", "positive")
    most = max(depth.positive for depth in each.depths) or 1.0
    rows = tuple(
        (
            f"{depth.dealt * 100:.1f}",
            f"{depth.rounds:,}",
            *(f"{value * 100:+.2f}" for value in (depth.mean, depth.high, depth.best)),
            f"{depth.positive * 100:.2f}",
            "█" * round(depth.positive / most * BAR),
        )
        for depth in each.depths
    )
    return Table((*map(Column, names), Column("", ColumnKind.DRAWN)), rows, title=title)


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


# ------------------------------------------------ for programs


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
        "levels": [_count_json(count, decks) for count in each.counts],
        "count": None if each.count is None else _count_json(each.count, decks),
        "trigger": None if each.trigger is None else asdict(each.trigger),
        "counter": _gain(each.counter),
        "ceiling": _gain(each.ceiling),
        "best": each.best,
        "depths": [asdict(depth) for depth in each.depths],
    }


def _count_json(count: Count, decks: int) -> dict[str, Any]:
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


def row(each: WagerStudy) -> dict[str, object]:
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
