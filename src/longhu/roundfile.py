"""Rounds as JSON lines: read, settle, write, one line for one line.

The fast way and the readable way are the same way. A line is walked and settled with what was learned
from earlier lines (how a hand grows, what a stake on a deciding line comes to); whatever does not fit is
given to `settle_round`, which says in words what is wrong with it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
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
MEMORY_MAX = 20_000  # stakes remembered for each deciding line
COMBINATIONS_MAX = 200  # combinations of wagers remembered, each with the endings met


class Given(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A line of input: the cards in the order in which they left the shoe, and what was staked."""

    cards: list[str]
    wagers: dict[str, str] = {}


_Paid = dict[str, tuple[str, int]]  # on one deciding line, what each stake came to: its JSON and its net


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
        self._decode_lines = msgspec.json.Decoder(Given).decode_lines
        self._paid: dict[tuple[str, int], _Paid] = {}
        self._combinations: dict[tuple[str, ...], dict[int, tuple[_Paid, ...]]] = {}
        self._amounts: dict[int, str] = {}
        self._settle = self._settler()

    # ------------------------------------------------ lines

    def settle_lines(self, lines: list[bytes]) -> list[str]:
        """Settle the next lines of the file: for each the round as JSON, or why it could not be settled.

        Blank lines give nothing, and count.
        """
        try:
            together = b"\n".join(lines)
            given = self._decode_lines(together)
            keys = sum(len(each.wagers) for each in given) + 2 * len(given)
            sound = len(given) == len(lines) and together.count(b":") == keys  # no blank line, no key twice
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            sound = False
        if sound:
            return self._settle_all(lines, given)
        settled: list[str] = []
        for raw in lines:
            self.line += 1
            if raw.strip():
                self.rounds += 1
                try:
                    settled.append(self._settle(read_line(raw)))
                except ValueError:
                    settled.append(self._refused(raw, self.line))
        return settled

    def _settle_all(self, lines: list[bytes], given: list[Given]) -> list[str]:
        settled, settle = [], self._settle
        for each in given:
            try:
                settled.append(settle(each))
            except ValueError:  # every refusal is one
                place = len(settled)
                settled.append(self._refused(lines[place], self.line + place + 1))
        self.line += len(lines)
        self.rounds += len(lines)
        return settled

    def _refused(self, raw: bytes, line: int) -> str:
        self.failed += 1
        return json.dumps({"error": self._why(raw), "line": line}, ensure_ascii=False)

    def _settler(self) -> Callable[[Given], str]:
        """The function that settles one line; what it needs is bound once, because it runs for millions of lines."""
        walk, decks = Walker(self.game.procedure).walk, self.decks
        full = Shoe.of_decks(decks)
        combinations, amounts, cap_from = self._combinations, self._amounts, self._cap_from()
        first, second = (hand.id for hand in self.game.procedure.hands)
        before, between, join = f'{{"hands":{{"{first}":["', f'"],"{second}":["', '","'.join

        def settle(given: Given) -> str:
            wagers, drawn = given.wagers, given.cards
            if len(drawn) > decks:  # with fewer cards than decks no card can have run out
                full.without([card(text) for text in drawn])
            try:
                number, end, firsts, seconds = walk(drawn)
            except CardError:
                number, end, firsts, seconds = walk([str(card(text)) for text in drawn])
            try:
                stakes = combinations[tuple(wagers)][number]
            except KeyError:
                stakes = self._learn(wagers, number)
            parts: list[str] = []
            net = 0
            for paid, stake in zip(stakes, wagers.values()):  # noqa: B905 - as long as each other
                try:
                    shown, won = paid[stake]
                except KeyError:
                    shown, won = self._pay(wagers, len(parts), number)
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

    def _learn(self, wagers: dict[str, str], number: int) -> tuple[_Paid, ...]:
        """For a combination of wagers and an ending not met together before: each wager's deciding line."""
        combination = tuple(wagers)
        if combination not in self._combinations:
            check_stakes(self.game, self._stakes(wagers), self.layout, self.currency)
            if len(self._combinations) >= COMBINATIONS_MAX:
                self._combinations.clear()
        by_ending = self._combinations.setdefault(combination, {})
        stakes = by_ending[number] = tuple(self._paid_on(name, number) for name in wagers)
        return stakes

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
            self._stakes(given.wagers),
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
    refuse_repeated_keys(raw)
    try:
        return msgspec.json.decode(raw, type=Given)
    except (msgspec.ValidationError, RecursionError):
        raise LineError(_misfit(raw)) from None


def refuse_repeated_keys(raw: bytes) -> None:
    """JSON readers keep the last of two equal keys; a stake would be lost without a word."""

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in found]
        for key in keys:
            if keys.count(key) > 1:
                raise LineError(f"{key[:40]!r} stands twice in the line: write each key once")
        return dict(found)

    try:
        text = raw.decode()
    except UnicodeDecodeError:
        raise LineError("the line is not UTF-8 text") from None
    try:
        json.loads(text, object_pairs_hook=pairs)
    except json.JSONDecodeError as error:
        raise LineError(f"not valid JSON: {error.msg} at column {error.colno}") from None
    except RecursionError:
        raise LineError("not a round: nested too deeply") from None


_FORM = 'expected {"cards": ["KS", "7H", …], "wagers": {"player": "100.00", …}}'


def _misfit(raw: bytes) -> str:
    """Why valid JSON is no round."""
    data = json.loads(raw)
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
