"""A settled round told in words: what was dealt and why, what each wager came to and by which clause."""

from __future__ import annotations

from unicodedata import east_asian_width

from longhu.deal.procedure import cited
from longhu.games.game import Game
from longhu.messages.localization import Localization
from longhu.messages.message import message_code
from longhu.settlement import SettledRound, SettledWager

RULES = message_code("transcript-rules", game="game", version="text", digest="text")
RULES_READ_WITH = message_code(
    "transcript-rules-read-with", game="game", version="text", readings="texts", digest="text"
)
HAND_WINS = message_code("hand-wins", hand="hand")
TIED = message_code("round-tied")
COLUMNS = tuple(message_code(f"column-{each}") for each in ("wager", "stake", "result", "pays", "net", "why"))
WAGER_RESULT = message_code("wager-result", result="choice")
COMMISSION = message_code("commission-kept", amount="money")
CAP_TAKES = message_code("round-cap-takes", cap="money", amount="money")
NET = message_code("net-amount", net="text")

Row = tuple[str, str, str, str, str, str]


def transcript(settled: SettledRound, language: str = "en") -> str:
    """The round as a pit manager would want to read it."""
    words = settled.game.localization(language, settled.currency)
    lines = [title(settled.game, words), "", *deal_lines(settled, words), "", result(settled, words)]
    if settled.settlement.wagers:
        lines += ["", *wager_lines(settled, words)]
    return "\n".join(lines)


def title(game: Game, words: Localization) -> str:
    """Which rules governed the round."""
    about = {"game": game.id, "version": str(game.version), "digest": game.digest[:12]}
    chosen = [f"{each.id} {each.chosen}" for each in game.readings.values() if each.chosen != each.default]
    return words.text(RULES_READ_WITH(**about, readings=chosen) if chosen else RULES(**about))


def deal_lines(settled: SettledRound, words: Localization) -> list[str]:
    """Card by card; a decision of the procedure stands on its own line before the card it calls for."""
    names = [words.name("hand", hand.id) for hand in settled.game.procedure.hands]
    width = max(map(_width, names))
    lines: list[str] = []
    for step in settled.dealt.steps:
        *before, last = step.reasons
        lines += [f"  {reason.text(words)}" for reason in before]
        lines.append(f"  {_left(names[step.hand], width)}  {step.drawn}  {last.text(words)}")
    lines += [f"  {reason.text(words)}" for reason in settled.dealt.due.reasons]
    return lines


def result(settled: SettledRound, words: Localization) -> str:
    """`Player 5D 2C = 7, Banker KC 4C QD = 4: Player wins`"""
    game, dealt = settled.game, settled.dealt
    hands = ", ".join(
        f"{words.name('hand', hand.id)} {' '.join(map(str, dealt.hand(index)))} = {dealt.totals[index]}"
        for index, hand in enumerate(game.procedure.hands)
    )
    winner = game.winner(settled.number)
    return f"{hands}: {words.text(HAND_WINS(hand=winner) if winner else TIED())}"


def wager_lines(settled: SettledRound, words: Localization) -> list[str]:
    wager, stake, how, pays, net, why = (words.text(each()) for each in COLUMNS)
    rows: list[Row] = [(wager, stake, how, pays, net, why)]
    rows += [wager_row(each, words) for each in settled.settlement.wagers]
    widths = [max(_width(row[column]) for row in rows) for column in range(5)]
    lines = [
        f"  {_left(row[0], widths[0])}  {_right(row[1], widths[1])}  {_left(row[2], widths[2])}  "
        f"{_right(row[3], widths[3])}  {_right(row[4], widths[4])}  {row[5]}"
        for row in rows
    ]
    if cut := settled.settlement.cut:
        takes = words.text(CAP_TAKES(cap=cut.cap.amount, amount=cut.amount))
        lines.append(f"  {cited(takes, cut.cap.clauses)}")
    lines.append(f"  {words.text(NET(net=signed(settled.settlement.net, words)))}")
    return lines


def wager_row(each: SettledWager, words: Localization) -> Row:
    """A wager as the table of a round has it."""
    line = each.line
    says = line.says.into(words.language) or line.says.en
    if each.commission:
        says = f"{says}, {words.text(COMMISSION(amount=each.commission))}"
    return (
        words.name("wager", each.wager.id),
        words.exact_money(each.stake),
        words.text(WAGER_RESULT(result=line.result.value)),
        line.odds.printed if line.odds else "",
        signed(each.net, words),
        cited(says, line.clauses),
    )


def signed(amount: int, words: Localization) -> str:
    return f"+{words.exact_money(amount)}" if amount > 0 else words.exact_money(amount)


def _width(text: str) -> int:
    """How many columns of a terminal a text takes: Chinese characters take two."""
    return sum(2 if east_asian_width(each) in "WF" else 1 for each in text)


def _left(text: str, width: int) -> str:
    return text + " " * (width - _width(text))


def _right(text: str, width: int) -> str:
    return " " * (width - _width(text)) + text
