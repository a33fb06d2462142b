"""A settled round told in words: what was dealt and why, what each wager came to and by which clause."""

from __future__ import annotations

from longhu.games.game import Game
from longhu.money import show
from longhu.settlement import SettledRound, SettledWager
from longhu.wording import listed


def transcript(settled: SettledRound) -> str:
    """The round as a pit manager would want to read it."""
    lines = [title(settled.game), "", *deal_lines(settled), "", result(settled)]
    if settled.settlement.wagers:
        lines += ["", *wager_lines(settled)]
    return "\n".join(lines)


def title(game: Game) -> str:
    """Which rules governed the round."""
    chosen = [f"{each.id} {each.chosen}" for each in game.readings.values() if each.chosen != each.default]
    reading = f", read with {listed(chosen)}" if chosen else ""
    return f"{game.name.en}, version {game.version}{reading}, {game.digest[:12]}"


def deal_lines(settled: SettledRound) -> list[str]:
    """Card by card; a decision of the procedure stands on its own line before the card it calls for."""
    names = [hand.en for hand in settled.game.procedure.hands]
    width = max(map(len, names))
    lines: list[str] = []
    for step in settled.dealt.steps:
        *before, last = step.reasons
        lines += [f"  {reason}" for reason in before]
        lines.append(f"  {names[step.hand]:{width}}  {step.drawn}  {last}")
    lines += [f"  {reason}" for reason in settled.dealt.due.reasons]
    return lines


def result(settled: SettledRound) -> str:
    """`Player 5D 2C = 7, Banker KC 4C QD = 4: Player wins`"""
    game, dealt = settled.game, settled.dealt
    hands = ", ".join(
        f"{name.en} {' '.join(map(str, dealt.hand(index)))} = {dealt.totals[index]}"
        for index, name in enumerate(game.procedure.hands)
    )
    winner = game.winner(settled.number)
    named = {hand.id: hand.en for hand in game.procedure.hands}
    return f"{hands}: {f'{named[winner]} wins' if winner else 'Tie'}"


def wager_lines(settled: SettledRound) -> list[str]:
    rows = [("wager", "stake", "result", "pays", "net", "why")]
    rows += [_row(each, settled) for each in settled.settlement.wagers]
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    lines = [
        f"  {row[0]:{widths[0]}}  {row[1]:>{widths[1]}}  {row[2]:{widths[2]}}  {row[3]:>{widths[3]}}  "
        f"{row[4]:>{widths[4]}}  {row[5]}"
        for row in rows
    ]
    if cut := settled.settlement.cut:
        clause = f" ({cut.cap.clauses[0]})" if cut.cap.clauses else ""
        lines.append(
            f"  the round's cap of {show(cut.cap.amount, settled.currency)} takes {show(cut.amount, settled.currency)}{clause}"
        )
    lines.append(f"  net {signed(settled.settlement.net, settled)}")
    return lines


def _row(each: SettledWager, settled: SettledRound) -> tuple[str, str, str, str, str, str]:
    line, money = each.line, settled.currency
    commission = f", commission {show(each.commission, money)}" if each.commission else ""
    cited = f" ({line.clause})" if line.clause else ""
    return (
        each.wager.name.en,
        show(each.stake, money),
        line.result.value,
        line.odds.text if line.odds else "",
        signed(each.net, settled),
        f"{line.says.en}{commission}{cited}",
    )


def signed(amount: int, settled: SettledRound) -> str:
    return f"+{show(amount, settled.currency)}" if amount > 0 else show(amount, settled.currency)
