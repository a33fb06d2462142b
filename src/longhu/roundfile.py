"""Rounds as JSON lines: read, settle, write, one line for one line.

The fast way and the readable way are the same way. A line is walked and settled with what was learned
from earlier lines (how a hand grows, what a stake on a deciding line comes to); whatever does not fit is
given to `settle_round`, which says in words what is wrong with it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from math import inf
from typing import Any

import msgspec

from longhu.cards import CardError, Shoe, ShoeError, card
from longhu.deal.procedure import DealError
from longhu.deal.walker import End, Walker
from longhu.games.game import Game
from longhu.money import UNSTATED, Currency, HouseRounding, Money, MoneyError, parse, show
from longhu.settlement import (
    Cut,
    SettledRound,
    SettledWager,
    SettlementError,
    check_decks,
    check_layout,
    check_stake,
    check_stakes,
    cut_of,
    settle_round,
    settle_wager,
)
from longhu.wording import suggest

LINE_BYTES_MAX = 1 << 20
DECODED_TOGETHER = 64
NO_WAGERS: dict[str, str] = {}
MEMORY_MAX = 20_000  # stakes remembered for each deciding line
COMBINATIONS_MAX = 200  # combinations of wagers remembered, each with the endings met


class Given(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A line of input: the cards in the order in which they left the shoe, and what was staked."""

    cards: list[str]
    wagers: dict[str, str] | msgspec.UnsetType = msgspec.UNSET


def _keys(given: Given) -> int:
    """How many keys the line has, if none stands twice: a colon each."""
    return 2 + len(given.wagers) if given.wagers is not msgspec.UNSET else 1


_Paid = dict[str, tuple[str, int]]  # on one deciding line, what each stake came to: its JSON and its net
_Combination = tuple[bool, dict[Hashable, tuple[_Paid, ...]]]  # do marks matter; by end, each wager's line


class RoundFile:
    """Settles lines of one game, at one table's settings."""

    def __init__(
        self,
        game: Game,
        *,
        decks: int | None = None,
        layout: str | None = None,
        rounding: HouseRounding | None = None,
        currency: Currency | None = None,
    ) -> None:
        self.game, self.layout = game, check_layout(game, layout)
        self.decks = check_decks(game, decks)
        self.rounding = rounding or game.rounding
        self.currency = currency or game.currency or UNSTATED
        self.line = self.rounds = self.failed = 0
        self._decode = msgspec.json.Decoder(Given).decode
        self._paid: dict[tuple[str, int], _Paid] = {}
        self._combinations: dict[tuple[str, ...], _Combination] = {}
        self._amounts: dict[int, str] = {}
        self._settle = self._settler()

    # ------------------------------------------------ lines

    def settle_lines(self, lines: list[bytes]) -> Iterator[str]:
        """Settle the next lines of the file: for each the round as JSON, or why it could not be settled.

        Blank lines give nothing, and count. Lines are decoded a few at a time: fewer calls than one by one,
        and what was decoded is still in the processor's cache when it is settled.
        """
        for start in range(0, len(lines), DECODED_TOGETHER):
            some = lines[start : start + DECODED_TOGETHER]
            yield from self._settle_all(some, self._decoded(some))

    def _decoded(self, lines: list[bytes]) -> Sequence[Given | None]:
        """The rounds of these lines; None where a line needs a closer look."""
        try:
            given = [self._decode(line) for line in lines]
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            given = []
        longest, colons = max(map(len, lines)), sum([line.count(b":") for line in lines])
        if given and longest <= LINE_BYTES_MAX and colons == sum(map(_keys, given)):
            return given
        return [None] if len(lines) == 1 else [self._decoded([line])[0] for line in lines]

    def _settle_all(self, lines: list[bytes], given: Sequence[Given | None]) -> list[str]:
        settled, settle = [], self._settle
        for raw, each in zip(lines, given, strict=True):
            self.line += 1
            try:
                if each is not None:
                    settled.append(settle(each))
                elif raw.strip():
                    settled.append(settle(read_line(raw)))
                else:
                    continue
            except ValueError:  # every refusal is one
                self.failed += 1
                told = {"error": self._why(raw), "line": self.line}
                settled.append(json.dumps(told, ensure_ascii=False))
            self.rounds += 1
        return settled

    def _settler(self) -> Callable[[Given], str]:
        """The function that settles one line; what it needs is bound once, because it runs for millions of lines."""
        walker, decks = Walker(self.game.procedure), self.decks
        walk, number, full = walker.walk, walker.number, Shoe.of_decks(decks)
        combinations, amounts, cap_from = self._combinations, self._amounts, self._cap_from()
        first, second = (hand.id for hand in self.game.procedure.hands)
        before, between, join = f'{{"hands":{{"{first}":["', f'"],"{second}":["', '","'.join

        def settle(given: Given) -> str:
            wagers, drawn = given.wagers or NO_WAGERS, given.cards
            if len(drawn) > decks:  # with fewer cards than decks no card can have run out
                full.without([card(text) for text in drawn])
            try:
                end, firsts, seconds = walk(drawn)
            except CardError:
                end, firsts, seconds = walk([str(card(text)) for text in drawn])
            try:
                marked, by_end = combinations[tuple(wagers)]
            except KeyError:
                marked, by_end = self._learn(wagers)
            ended: Hashable = number(end, firsts, seconds) if marked else end
            try:
                stakes = by_end[ended]
            except KeyError:
                stakes = by_end[ended] = self._lines(wagers, number(end, firsts, seconds))
            parts: list[str] = []
            net = 0
            for paid, stake in zip(stakes, wagers.values()):  # noqa: B905 - as long as each other
                try:
                    shown, won = paid[stake]
                except KeyError:
                    shown, won = self._pay(wagers, len(parts), number(end, firsts, seconds))
                parts.append(shown)
                net += won
            cap = ""
            if net > cap_from and (cut := self._cut(wagers, net)):
                net -= cut.amount
                cap = self._cap_json(cut)
            amount = amounts[net] if net in amounts else self._amount(net)
            told = end.told or self._totals_json(end)
            return f'{before}{join(firsts)}{between}{join(seconds)}{told}{",".join(parts)}}}{cap},"net":"{amount}"}}'

        return settle

    # ------------------------------------------------ what is learned once

    def _learn(self, wagers: dict[str, str]) -> _Combination:
        """A combination of wagers not met before: whether the game allows it, and whether it looks at marks."""
        check_stakes(self.game, self._stakes(wagers), self.layout, self.currency)
        if len(self._combinations) >= COMBINATIONS_MAX:
            self._combinations.clear()
        marked = any(self.game.looks_at_marks(self.game.wager_of_name[name]) for name in wagers)
        learned = self._combinations[tuple(wagers)] = (marked, {})
        return learned

    def _lines(self, wagers: dict[str, str], number: int) -> tuple[_Paid, ...]:
        """For an ending, the stakes met so far on the line that decides each wager."""
        return tuple(self._paid_on(name, number) for name in wagers)

    def _paid_on(self, name: str, number: int) -> _Paid:
        """The stakes settled so far on the line that decides this wager for this ending."""
        wager = self.game.wager_of_name[name]
        return self._paid.setdefault((wager.id, wager.deciding[number]), {})

    def _stakes(self, wagers: dict[str, str]) -> dict[str, Money]:
        """Stakes by wager id, whatever language they were written in."""
        stakes: dict[str, Money] = {}
        for name, amount in wagers.items():
            wager = self.game.wager_of_name.get(name)
            id = wager.id if wager else name
            if id in stakes:
                raise SettlementError(f"{id} is wagered twice, as {name!r} too: add the stakes up")
            try:
                stakes[id] = parse(amount, self.currency)
            except MoneyError as error:
                raise SettlementError(f"{name[:40]}: {error}") from None
        return stakes

    def _pay(self, wagers: dict[str, str], place: int, number: int) -> tuple[str, int]:
        """Settle a stake that this line has not seen yet; its limits are checked here."""
        name, stake = list(wagers.items())[place]
        wager, paid = self.game.wager_of_name[name], self._paid_on(name, number)
        amount = parse(stake, self.currency)
        check_stake(wager, amount, self.currency)
        settled = settle_wager(wager, wager.line(number), amount, self.rounding)
        if len(paid) >= MEMORY_MAX:
            paid.clear()
        told = paid[stake] = (f'"{wager.id}":{self.wager_json(settled)}', settled.net)
        return told

    def _cap_from(self) -> float:
        """A net win up to this cannot reach the round's cap, however much was staked within the game's limits."""
        if self.game.cap is None:
            return inf
        most = [wager.limit.max for wager in self.game.wagers.values()]
        return -inf if None in most else self.game.cap.amount - sum(filter(None, most))

    def _cut(self, wagers: dict[str, str], net: int) -> Cut | None:
        """What the cap takes off; the credit is the stakes and what they won."""
        return cut_of(self.game.cap, sum(self._stakes(wagers).values()) + net, net)

    # ------------------------------------------------ JSON

    def wager_json(self, settled: SettledWager) -> str:
        odds = settled.line.odds
        told: dict[str, Any] = {
            "stake": show(settled.stake, self.currency),
            "result": settled.line.result.value,
            "pays": odds.text if odds else None,
            "net": show(settled.net, self.currency),
            "clause": settled.line.clause,
        }
        if odds and odds.commission:
            told["commission"] = show(settled.commission, self.currency)
        return json.dumps(told, ensure_ascii=False, separators=(",", ":"))

    def _cap_json(self, cut: Cut) -> str:
        told = {
            "cap": show(cut.cap.amount, self.currency),
            "cut": show(cut.amount, self.currency),
            "clause": cut.cap.clauses[0] if cut.cap.clauses else None,
        }
        return f',"cap":{json.dumps(told, separators=(",", ":"))}'

    def _totals_json(self, end: End) -> str:
        first, second = (hand.id for hand in self.game.procedure.hands)
        one, other = end.totals
        told = end.told = f'"]}},"totals":{{"{first}":{one},"{second}":{other}}},"settlement":{{'
        return told

    def _amount(self, amount: int) -> str:
        if len(self._amounts) >= MEMORY_MAX:
            self._amounts.clear()
        text = self._amounts[amount] = show(amount, self.currency)
        return text

    # ------------------------------------------------ in words

    def explain(self, raw: bytes) -> SettledRound:
        """The round of one line, with its story; raises the reason why not."""
        given = read_line(raw)
        drawn = [card(text) for text in given.cards]
        return settle_round(
            self.game,
            drawn,
            self._stakes(given.wagers or NO_WAGERS),
            decks=self.decks,
            layout=self.layout,
            rounding=self.rounding,
            currency=self.currency,
        )

    def _why(self, raw: bytes) -> str:
        try:
            self.explain(raw)
        except (CardError, ShoeError, DealError, SettlementError, MoneyError, LineError) as error:
            return str(error)
        raise AssertionError(f"the two ways to settle disagree on {raw[:200]!r}")


class LineError(ValueError):
    """A line that is not a round."""


def read_line(raw: bytes) -> Given:
    """A line as cards and wagers; what is wrong with it is said in words."""
    if len(raw) > LINE_BYTES_MAX:
        raise LineError(f"the line is longer than {LINE_BYTES_MAX >> 20} MiB, which no round is")
    data = _read_json(raw)
    try:
        return msgspec.json.decode(raw, type=Given)
    except msgspec.ValidationError:
        raise LineError(_misfit(data)) from None
    except msgspec.DecodeError as error:  # what only Python's own reader lets pass, as half a surrogate
        raise LineError(f"not valid JSON: {error}") from None


def _read_json(raw: bytes) -> Any:
    """JSON readers keep the last of two equal keys, and a stake would be lost without a word: refuse them."""

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        table: dict[str, Any] = {}
        for key, value in found:
            if key in table:
                raise LineError(f"{key[:40]!r} stands twice in the line: write each key once")
            table[key] = value
        return table

    def constant(name: str) -> Any:
        raise LineError(f"not valid JSON: {name} is no number of JSON's")

    try:
        return json.loads(raw.decode(), object_pairs_hook=pairs, parse_constant=constant)
    except LineError:
        raise
    except UnicodeDecodeError:
        raise LineError("the line is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise LineError(f"not valid JSON: {error.msg} at column {error.colno}") from None
    except RecursionError:
        raise LineError("not a round: nested too deeply") from None
    except ValueError:
        raise LineError("not a round: a number with too many digits") from None


_FORM = 'expected {"cards": ["KS", "7H", …], "wagers": {"player": "100.00", …}}'


def _misfit(data: Any) -> str:
    """Why valid JSON is no round."""
    if not isinstance(data, dict):
        return f"the line is {_kind(data)}, {_FORM}"
    for key in data:
        if key not in ("cards", "wagers"):
            return f"unknown key {key[:40]!r}.{suggest(key, ['cards', 'wagers'])}"
    if "cards" not in data:
        return f"the line has no cards, {_FORM}"
    return _bad_cards(data["cards"]) or _bad_wagers(data.get("wagers", {})) or _FORM


def _bad_cards(given: object) -> str:
    if not isinstance(given, list):
        return f"cards is {_kind(given)}, {_FORM}"
    strange = [each for each in given if not isinstance(each, str)]
    return f"a card is {_kind(strange[0])}, {_FORM}" if strange else ""


def _bad_wagers(given: object) -> str:
    if not isinstance(given, dict):
        return f"wagers is {_kind(given)}, {_FORM}"
    for name, amount in given.items():
        try:
            parse(amount)
        except MoneyError as error:
            return f"{name[:40]}: {error}"
    return ""


def _kind(value: object) -> str:
    kinds = {
        bool: "a truth value",
        int: "a number",
        float: "a number",
        str: "a text",
        list: "a list",
        dict: "an object",
    }
    return kinds.get(type(value), "null")


def lines_of(chunks: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Cut a stream into lines, a batch for each chunk; a line of absurd length is cut short, not kept."""
    rest, skipping = b"", False
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        if skipping and lines:
            skipping, lines = False, lines[1:]
        if skipping:
            rest = b""
        elif len(rest) > LINE_BYTES_MAX:
            lines.append(rest[: LINE_BYTES_MAX + 1])
            rest, skipping = b"", True
        yield lines
    if rest and not skipping:
        yield [rest]
