"""Rounds as JSON lines: read, settle, write, one line for one line.

The fast way and the readable way are the same way. A line is walked and settled with what was learned
from earlier lines (how a hand grows, what a stake on a deciding line comes to); whatever does not fit is
given to `settle_round`, which says in words what is wrong with it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any

import msgspec

from longhu.cards import CardError, Shoe, ShoeError, card
from longhu.deal.procedure import RuleError
from longhu.deal.walker import FinishedRound, Walker
from longhu.games.game import Game, Line, Wager
from longhu.money import UNSTATED, Currency, HouseRounding, Money, MoneyError, parse, show
from longhu.settlement import (
    WAGER_TWICE,
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
MEMORY_MAX = 30_000  # stakes and sets of stakes remembered, all lines together; then everything is forgotten
COMBINATIONS_MAX = 100  # combinations of wagers remembered, each with the ends met


class Given(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A line of input: the cards in the order in which they left the shoe, and what was staked."""

    cards: list[str]
    wagers: dict[str, str] | msgspec.UnsetType = msgspec.UNSET


_Paid = tuple[str, int, int]  # what one stake came to on one line: its JSON, its net, its credit
_Settled = dict[tuple[str, ...], str]  # on the same deciding lines, what each set of stakes came to, as JSON
_Combination = tuple[bool, dict[Hashable, _Settled]]  # of wagers: do marks matter, and by end what was settled


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
        self._paid: dict[tuple[str, int], dict[str, _Paid]] = {}
        self._settled: dict[Hashable, _Settled] = {}
        self._combinations: dict[tuple[str, ...], _Combination] = {}
        self._templates: dict[int, tuple[str, str, str]] = {}  # by the identity of a line, which the game keeps
        self._remembered = 0
        self._settle = self._settler()

    # ------------------------------------------------ lines

    def settle_lines(self, lines: list[bytes]) -> list[str]:
        """Settle the next lines of the file: for each the round as JSON, or why it could not be settled.

        Blank lines give nothing, and count. A few lines are decoded at a time, so that what was decoded is
        still in the processor's cache when it is settled.
        """
        settled: list[str] = []
        for start in range(0, len(lines), DECODED_TOGETHER):
            some = lines[start : start + DECODED_TOGETHER]
            settled += self._settle_all(some) or self._look_closer(some)
        return settled

    def _settle_all(self, lines: list[bytes]) -> list[str] | None:
        """These lines settled; None if any of them needs a closer look."""
        given, settle = self._decoded(lines), self._settle
        if given is None:
            return None
        try:
            settled = [settle(each) for each in given]
        except ValueError:  # every refusal is one
            return None
        self.line += len(lines)
        self.rounds += len(lines)
        return settled

    def _decoded(self, lines: list[bytes]) -> list[Given] | None:
        """The rounds of these lines; None if any of them needs a closer look.

        One object a line: between objects stands `}`, the end of the line, `{`, and nowhere else does that
        stand in JSON. Each key once: there are as many colons as keys.
        """
        together = b"\n".join(lines)
        try:
            given = self._decode_lines(together)
            keys = 2 * len(given) + sum([len(each.wagers) for each in given])  # type: ignore[arg-type, misc]
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, TypeError):  # the last: no wagers at all
            return None
        apart = len(given) == len(lines) == together.count(b"}\n{") + 1
        short = len(together) <= LINE_BYTES_MAX or max(map(len, lines)) <= LINE_BYTES_MAX
        return given if apart and short and together.count(b":") == keys else None

    def _look_closer(self, lines: list[bytes]) -> list[str]:
        """One line after the other, because one of them is blank, broken, odd, or refused."""
        settled: list[str] = []
        for raw in lines:
            self.line += 1
            if not raw.strip():
                continue
            self.rounds += 1
            try:
                settled.append(self._settle(read_line(raw)))
            except ValueError:
                settled.append(self._refused(raw, self.line))
        return settled

    def _refused(self, raw: bytes, line: int) -> str:
        self.failed += 1
        return json.dumps({**self._why(raw), "line": line}, ensure_ascii=False)

    def _settler(self) -> Callable[[Given], str]:
        """The function that settles one line; what it needs is bound once, because it runs for millions of lines."""
        walker, decks = Walker(self.game.procedure), self.decks
        walk, number, full = walker.walk, walker.number, Shoe.of_decks(decks)
        combinations = self._combinations
        first, second = (hand.id for hand in self.game.procedure.hands)
        before, between, join = f'{{"hands":{{"{first}":["', f'"],"{second}":["', '","'.join

        def settle(given: Given) -> str:
            wagers, drawn = given.wagers or NO_WAGERS, given.cards
            try:
                end, firsts, seconds = walk(drawn)
            except CardError:
                drawn = [str(card(text)) for text in drawn]
                end, firsts, seconds = walk(drawn)
            if len(drawn) > decks and len(drawn) - len(set(drawn)) >= decks:  # only then can a card have run out
                full.without([card(text) for text in drawn])
            try:
                marked, by_end = combinations[tuple(wagers)]
            except KeyError:
                marked, by_end = self._learn(wagers)
            ended: Hashable = number(end, firsts, seconds) if marked else end
            try:
                settled = by_end[ended]
            except KeyError:
                settled = by_end[ended] = self._on_lines(wagers, number(end, firsts, seconds))
            try:
                told = settled[tuple(wagers.values())]
            except KeyError:
                told = self._pay(wagers, number(end, firsts, seconds), settled)
            return f"{before}{join(firsts)}{between}{join(seconds)}{end.told or self._totals_json(end)}{told}"

        return settle

    # ------------------------------------------------ what is learned once

    def _learn(self, wagers: dict[str, str]) -> _Combination:
        """A combination of wagers not met before: whether the game allows it, and whether it looks at marks."""
        check_stakes(self.game, self._stakes(wagers), self.layout)
        if len(self._combinations) >= COMBINATIONS_MAX:
            self._forget()
        marked = any(self.game.looks_at_marks(self.game.wager_of_name[name]) for name in wagers)
        learned: _Combination = (marked, {})
        self._combinations[tuple(wagers)] = learned
        return learned

    def _forget(self) -> None:
        """Start anew, so that a file of any size is settled in the same memory."""
        for memory in (self._combinations, self._settled, self._paid):
            memory.clear()
        self._remembered = 0

    def _on_lines(self, wagers: dict[str, str], number: int) -> _Settled:
        """What was settled so far where the same lines decide these wagers as for this ending."""
        lines = tuple((name, self.game.wager_of_name[name].deciding[number]) for name in wagers)
        return self._settled.setdefault(lines, {})

    def _pay(self, wagers: dict[str, str], number: int, settled: _Settled) -> str:
        """Settle stakes not met together on these lines before."""
        parts: list[str] = []
        net = credit = 0
        for name, stake in wagers.items():
            paid = self._paid_stake(self.game.wager_of_name[name], number, stake)
            parts.append(paid[0])
            net += paid[1]
            credit += paid[2]
        cut = cut_of(self.game.cap, credit, net)
        total = show(net - cut.amount if cut else net, self.currency)
        told = f'{",".join(parts)}}}{self._cap_json(cut) if cut else ""},"net":"{total}"}}'
        if self._remembered >= MEMORY_MAX:
            self._forget()
        self._remembered += 1
        settled[tuple(wagers.values())] = told
        return told

    def _paid_stake(self, wager: Wager, number: int, stake: str) -> _Paid:
        """One stake on the line that decides it: its JSON, its net, its credit; its limits are checked here."""
        known = self._paid.setdefault((wager.id, wager.deciding[number]), {})
        if stake in known:
            return known[stake]
        amount = parse(stake, self.currency)
        check_stake(wager, amount)
        settled = settle_wager(wager, wager.line(number), amount, self.rounding)
        paid = (self._wager_json(settled), settled.net, settled.credit)
        self._remembered += 1
        known[stake] = paid
        return paid

    def _stakes(self, wagers: dict[str, str]) -> dict[str, Money]:
        """Stakes by wager id, whatever language they were written in."""
        stakes: dict[str, Money] = {}
        for name, amount in wagers.items():
            wager = self.game.wager_of_name.get(name)
            id = wager.id if wager else name
            if id in stakes:
                raise SettlementError(WAGER_TWICE(wager=id, name=name[:40]))
            try:
                stakes[id] = parse(amount, self.currency)
            except MoneyError as error:
                raise MoneyError(f"{name[:40]}: {error}") from None
        return stakes

    # ------------------------------------------------ JSON

    def _wager_json(self, settled: SettledWager) -> str:
        before, between, after = self._line_json(settled.wager, settled.line)
        stake, net = show(settled.stake, self.currency), show(settled.net, self.currency)
        commission = ""
        if settled.line.odds and settled.line.odds.commission:
            commission = f',"commission":"{show(settled.commission, self.currency)}"'
        return f"{before}{stake}{between}{net}{after}{commission}}}"

    def _line_json(self, wager: Wager, line: Line) -> tuple[str, str, str]:
        """What is the same for every stake on a line: the text before, between and after stake and net."""
        known = self._templates.get(id(line))
        if known is None:
            pays, clause = (json.dumps(text) for text in (line.odds.printed if line.odds else None, line.clause))
            known = self._templates[id(line)] = (
                f'"{wager.id}":{{"stake":"',
                f'","result":"{line.result.value}","pays":{pays},"net":"',
                f'","clause":{clause}',
            )
        return known

    def _cap_json(self, cut: Cut) -> str:
        told = {
            "cap": show(cut.cap.amount, self.currency),
            "cut": show(cut.amount, self.currency),
            "clause": cut.cap.clauses[0] if cut.cap.clauses else None,
        }
        return f',"cap":{json.dumps(told, separators=(",", ":"))}'

    def _totals_json(self, end: FinishedRound) -> str:
        first, second = (hand.id for hand in self.game.procedure.hands)
        one, other = end.totals
        told = end.told = f'"]}},"totals":{{"{first}":{one},"{second}":{other}}},"settlement":{{'
        return told

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

    def _why(self, raw: bytes) -> dict[str, Any]:
        try:
            self.explain(raw)
        except RuleError as error:
            said = error.text(self.game.localization(currency=self.currency))
            return {"error": said, **msgspec.to_builtins(error.message), "clause": error.clause}
        except (CardError, ShoeError, MoneyError, LineError) as error:
            return {"error": str(error)}
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
        text = rest + chunk
        *lines, rest = (text.replace(b"\r\n", b"\n") if b"\r" in text else text).split(b"\n")
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
