"""`longhu play` as somebody at the table meets it: whole sessions typed into it, judged by what it shows and records."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest

import longhu
from longhu.audit import proof
from longhu.audit.report import VerificationReport
from longhu.audit.verify import verify
from longhu.cards import DECK, Card, Shoe, card, cards
from longhu.cli.main import BadInput, main
from longhu.cli.practice import figures as play_figures
from longhu.cli.practice import squeeze as squeeze
from longhu.cli.practice import table as play_table
from longhu.cli.practice.round import FACE_DOWN
from longhu.cli.practice.table import PracticeTable, practice_settings
from longhu.cli.practice.words import NotUnderstood, wagers
from longhu.deal.baccarat import DRAWS_AFTER_STAND
from longhu.deal.procedure import INITIAL_CARD
from longhu.eventsourcing import Event
from longhu.fairness.shuffle import commitment
from longhu.games.game import Game, Wager
from longhu.money import Money
from longhu.odds import figures
from longhu.odds.figures import GameOdds
from longhu.positions import Position
from longhu.settlement import DECKS_OUTSIDE_RANGE, LAYOUT_UNKNOWN, WAGER_NOT_ON_LAYOUT, settle_round
from longhu.table import state
from longhu.table.betting import NO_SUCH_WAGER, WAGER_ABOVE_MAXIMUM, WAGER_BELOW_MINIMUM
from longhu.table.betting_phase import NOTHING_WAGERED, RoundStarted
from longhu.table.dealing import CardDrawn
from longhu.table.fills import AcceptChips, ChipRequestMoved, DeliverChips, IssueChips, RequestChips
from longhu.table.handling import CardSqueezed, CardsRevealed
from longhu.table.messages import AMOUNT_NOT_POSITIVE, NOT_ENOUGH_CHIPS
from longhu.table.requirements import ABOVE_RULES_MAXIMUM
from longhu.table.settling import RoundCapped, RoundEnded, WagerSettled
from longhu.table.shuffling import ContributionMade
from longhu.table.state import Limit
from tests.rounds import said
from tests.table.rounds import settings_for

IDT, D21, DT, DBO, DBC = "immortal-dragon-tiger", "dragon-21", "dragon-tiger", "dragon-bonus-online", "dragon-bonus"
MAIN = {IDT: "player", D21: "dragon", DT: "tiger", DBO: "banker", DBC: "banker"}
SIDE = {IDT: "tie", D21: "dragon-perfect-pair", DT: "tie", DBO: "dragon-bonus-player", DBC: "dragon-bonus-banker"}
YOU = "seat 1"
PROMPT = "Place your bets"
ODDS: dict[tuple[object, ...], GameOdds] = {}


def definition(id: str) -> Game:
    return longhu.game(id).definition


class Table:
    """Sits down in this process: `play("player 50", "", …)` types these lines and gives what was shown."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capsys, self.status = monkeypatch, capsys, -1

    def play(self, words: str, *typed: str) -> str:
        self.monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        self.status = main(["play", *words.split()])
        return self.capsys.readouterr().out


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Table:
    return Table(monkeypatch, capsys)


@pytest.fixture(autouse=True)
def _odds_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty-one takes a second to count; every visit to the same game asks for the same odds."""

    def game_odds(game: Game, shoe: Shoe, dealt: tuple[Card, ...], wagers: Mapping[str, Wager]) -> GameOdds:
        key = (game.digest, shoe, *wagers)
        if key not in ODDS:
            ODDS[key] = figures.game_odds(game, shoe, dealt, wagers)
        return ODDS[key]

    monkeypatch.setattr(play_figures, "game_odds", game_odds)


def events_in(path: Path) -> list[Event]:
    return list(proof.events(path.read_bytes().splitlines(keepends=True)))


def left_by(path: Path) -> state.Table:
    """The table as its log left it, which anybody can check."""
    lines = path.read_bytes().splitlines(keepends=True)
    verify(lines)
    return proof.replayed(lines)


def checked_in(path: Path) -> VerificationReport:
    """What `longhu verify` finds in a log."""
    return verify(path.read_bytes().splitlines(keepends=True))


def through_a_pipe(words: str, typed: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "longhu", "play", *words.split()]
    return subprocess.run(command, input=typed, capture_output=True, text=True, timeout=60, check=False)


# ------------------------------------------------ whole sessions


def test_a_session_through_a_pipe_reads_as_a_page() -> None:
    done = through_a_pipe(f"{IDT} --seed 6856", "player 50 tie 5\n\nleave\n")
    assert done.returncode == 0
    assert not done.stderr
    told = done.stdout
    assert "\x1b" not in told
    steps = (
        "Place your bets, please (IDT-3.1).",
        "> player 50 tie 5",
        "On the layout: Player 50.00, Tie 5.00. Balance 945.00.",
        "No more bets (IDT-3.2).",
        said(IDT, FACE_DOWN(card=INITIAL_CARD(hand="player", which="first")), "IDT-3.12.1"),
        "Player's hand goes to you (IDT-3.10).",
        "You turn Player QD 6H = 6",
        "The dealer announces: Player 6, Banker 3 (IDT-3.13).",
        said(IDT, DRAWS_AFTER_STAND(hand="banker", total=3, other="player"), "IDT-3.13-BPS"),
        "Player 6, Banker 8: Banker wins",
        "Banker wins (IDT-3.14)",
        "Net -55.00, balance 945.00.",
        "── Your visit",
        "1 round: staked 55.00, net -55.00. You leave with 945.00 of 1000.00.",
        "Actual return 0.00 %, exact return 96.74 %",
    )
    places = [told.find(step) for step in steps]
    assert -1 not in places, steps[places.index(-1)]
    assert places == sorted(places)


def test_a_seed_gives_the_same_session_in_another_process(table: Table) -> None:
    typed = ("player 50", "", "same", "", "banker 20 tie 5", "", "leave")
    once = through_a_pipe(f"{IDT} --seed 6856 --others 2", "".join(f"{line}\n" for line in typed)).stdout
    assert table.play(f"{IDT} --seed 6856 --others 2", *typed) == once
    assert table.play(f"{IDT} --seed 8 --others 2", *typed) != once


def test_company_does_not_change_the_cards_of_a_seed(table: Table) -> None:
    def dealt(words: str) -> list[str]:
        return re.findall(r"^ +\d+  (.*: (?:\w+ wins|tie))", table.play(words), re.MULTILINE)

    alone = dealt(f"{DT} --seed 4 --rounds 30")
    assert len(alone) == 30
    assert dealt(f"{DT} --seed 4 --rounds 30 --others 5") == alone


def test_a_seed_is_shown_as_practice_and_chance_is_not(table: Table) -> None:
    assert "Practice play: the cards come from seed 12" in table.play(f"{DT} --seed 12")
    without = table.play(DT)
    assert "seed" not in without
    assert "The operating system's generator shuffles the cards." in without


def test_without_a_seed_two_visits_see_different_cards(table: Table) -> None:
    assert table.play(f"{IDT} --rounds 30") != table.play(f"{IDT} --rounds 30")


@pytest.mark.parametrize("others", [0, 3])
@pytest.mark.parametrize("id", list(MAIN))
def test_twenty_rounds_of_every_game_conserve_the_money(id: str, others: int, table: Table, tmp_path: Path) -> None:
    if others and definition(id).layouts[next(iter(definition(id).layouts))].positions_max == 1:
        with pytest.raises(BadInput, match="has 1 position, and one is yours"):
            table.play(f"{id} --others {others}")
        return
    path = tmp_path / "table.jsonl"
    typed = [f"{MAIN[id]} 50 {SIDE[id]} 5", "", *["same", ""] * 19, "leave"]
    told = table.play(f"{id} --seed 3 --others {others} --bankroll 5000 --log {path}", *typed)
    assert "Refused" not in told
    assert "20 rounds: staked 1100.00" in told
    after = left_by(path)
    assert sum(after.balances.values()) == 0
    assert YOU not in after.people
    assert f"patron:{YOU}" not in after.balances
    found = re.search(r"net ([+-]?[\d.]+)\. You leave", told)
    assert found
    assert after.balances.get(f"world:{YOU}", 0) == round(float(found[1]) * 100)


@pytest.mark.parametrize("id", list(MAIN))
def test_the_recorded_rounds_settle_as_the_game_itself_settles_them(id: str, table: Table, tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    words = f"{id} --seed 5 --rounds 40 --bankroll 5000 --bet {MAIN[id]}=50 --bet {SIDE[id]}=5 --log {path}"
    table.play(words)
    game, rounds, drawn, net = definition(id), 0, "", 0
    for event in events_in(path):
        match event:
            case RoundStarted():
                drawn, net = "", 0
            case CardDrawn():
                drawn += f"{event.card.card} "
            case WagerSettled():
                net += event.net
            case RoundCapped():
                net -= event.cut
            case RoundEnded():
                rounds += 1
                stakes = {MAIN[id]: Money(5000), SIDE[id]: Money(500)}
                assert net == settle_round(game, cards(drawn), stakes).settlement.net
    assert rounds == 40


# ------------------------------------------------ typing


@pytest.mark.parametrize(
    ("words", "typed", "answer"),
    [
        (
            IDT,
            "tie 1",
            "Refused (IDT-3.5.1b): " + said(IDT, WAGER_BELOW_MINIMUM(wager="tie", amount=1_00, minimum=5_00)) + "\n",
        ),
        (IDT, "player 501", said(IDT, WAGER_ABOVE_MAXIMUM(wager="player", amount=501_00, maximum=500_00))),
        (
            f"{IDT} --bankroll 20",
            "player 25",
            "Refused (MON-3): " + said(IDT, NOT_ENOUGH_CHIPS(patron=YOU, held=20_00)),
        ),
        (
            f"{IDT} --layout A",
            "player-pair 5",
            "Refused (IDT-4.5a): "
            + said(IDT, WAGER_NOT_ON_LAYOUT(wager="player-pair", layout="A", layouts=["B", "D", "E"])),
        ),
        (D21, "dragon-perfect-pair 5", "Refused (D21-11A"),
        (DBO, "tie 5 player 101", "Player: Refused"),
        (IDT, "bankr 50", "Did you mean 'banker'?"),
        (IDT, "player", "How much on Player? Write it behind, as in `player 50`."),
        (IDT, "50", "'50' on what? Write the wager first, as in `player 50`."),
        (IDT, "player -5", "'-5' is negative"),
        (IDT, "player 1.005", "'1.005' is finer than the smallest unit"),
        (IDT, "player 50 for me", "'for' is no wager and no command."),
        (IDT, "same", "There is no round of yours to repeat."),
        (IDT, "double", "Nothing of yours lies on the layout to be doubled."),
        (IDT, "clear tie", said(IDT, NO_SUCH_WAGER(patron=YOU, wager="tie", place=1))),
        (IDT, "clear nothing", "There is no wager 'nothing'."),
        (IDT, "rules nothing", "'nothing' is no wager and no clause."),
        (IDT, "buy lots", "'lots' is no amount"),
        (IDT, "buy 0", "Refused (OPS-2): " + said(IDT, AMOUNT_NOT_POSITIVE(amount=0))),
        (IDT, "\x1b[31m\x00player", "is no wager and no command"),
    ],
)
def test_a_mistake_is_answered_and_the_table_goes_on(words: str, typed: str, answer: str, table: Table) -> None:
    told = table.play(f"{words} --seed 1", typed, "clear", "p 10" if words != D21 else "d 10", "", "leave")
    assert answer in told
    assert "\x1b" not in told
    assert "1 round: staked 10.00" in told
    assert table.status == 0


def test_wagers_are_named_as_people_name_them() -> None:
    game = definition(IDT)
    for typed in ("player pair 5 p 50", "Player-Pair=5,Player=50", "闲对 5 闲 50.00", "PLAYER PAIR 5 PLAYER 50"):
        assert [(wager.id, amount) for wager, amount in wagers(game, typed)] == [("player-pair", 500), ("player", 5000)]
    with pytest.raises(NotUnderstood, match="no wager is named"):
        wagers(game, " , ")


def test_a_wager_that_stands_only_beside_another_may_be_typed_first(table: Table) -> None:
    told = table.play(f"{D21} --seed 1", "dragon perfect pair 5 tiger 10", "leave")
    assert "On the layout: Tiger 10.00, Dragon Perfect Pair 5.00." in told


def test_more_adds_up_double_doubles_and_clear_takes_back(table: Table) -> None:
    told = table.play(f"{IDT} --seed 1", "player 50", "player 25 tie 5", "double", "clear tie", "clear", "leave")
    assert "On the layout: Player 75.00, Tie 5.00. Balance 920.00." in told
    assert "On the layout: Player 150.00, Tie 10.00. Balance 840.00." in told
    assert "On the layout: Player 150.00. Balance 850.00." in told
    assert "Nothing of yours lies on the layout. Balance 1000.00." in told


def test_chips_can_be_bought_when_they_are_gone(table: Table) -> None:
    told = table.play(f"{DT} --seed 1 --bankroll 3", "tiger 10", "buy 100", "tiger 10", "", "leave")
    assert "No wager takes so little: `buy 500` brings chips" in told
    assert said(DT, NOT_ENOUGH_CHIPS(patron=YOU, held=3_00)) in told
    assert "Nothing of yours lies on the layout. Balance 103.00." in told
    assert "of 103.00." in told


def test_a_tray_that_is_short_is_filled_before_chips_are_sold(table: Table, tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    told = table.play(f"{DT} --seed 1 --log {path}", "buy 100000000", "leave")
    assert "Balance 100001000.00." in told
    stages = [event.request.stage for event in events_in(path) if isinstance(event, ChipRequestMoved)]
    assert stages == ["requested", "issued", "delivered", "accepted"]
    assert sum(left_by(path).balances.values()) == 0


def test_a_tray_that_cannot_pay_is_filled_before_the_payments() -> None:
    game = definition(DT)
    limits = {id: Limit(500, 50000) for id in game.offered("A")}
    settings = practice_settings(game, layout="A", decks=8, method="dealer", limits=limits, seats=1)
    house = PracticeTable(game, settings, 100_000, seed=1)
    assert house.open() is None
    held = house.balance("float:practice")
    asked = RequestChips(by="supervisor", at=1, position=Position.PIT_SUPERVISOR, kind="credit", amount=held)
    house.must(asked)
    house.must(IssueChips(by="dealer", at=1, position=Position.DEALER, number=1))
    house.must(DeliverChips(by="shift manager", at=1, position=Position.GAMING_SHIFT_MANAGER, number=1))
    house.must(AcceptChips(by="cashier", at=1, position=Position.CAGE, number=1))
    assert house.balance("float:practice") == 0
    house.new_shoe()
    house.open_round()
    first, second = (card(each).rank for each in house.order[:2])
    assert first != second
    house.bet("dragon" if first > second else "tiger", 50_000)  # it will win, and nothing is taken in
    while (act := house.dealers_act()) is not None:
        assert isinstance(act, list), act
    assert house.balance() == 150_000
    assert sum(house.table.balances.values()) == 0


def test_rules_and_odds_are_those_of_the_game(table: Table) -> None:
    told = table.play(f"{IDT} --seed 1", "rules player", "rules idt-4.1b", "odds", "leave")
    for line in definition(IDT).wagers["player"].lines:
        assert re.search(rf"{re.escape(line.says.en)} .*{re.escape(line.clauses[0])}", told)
    assert re.search(r"^IDT-4.1b: .*1 to 2", told, re.MULTILINE)
    edge = longhu.game(IDT).odds(decks=8)["tie"].house_edge
    assert re.search(rf"^Tie +{float(edge) * 100:.4f} % +{float(edge) * 100:.4f} %", told, re.MULTILINE)


def test_odds_count_the_cards_that_have_left_the_shoe(table: Table) -> None:
    told = table.play(f"{DT} --seed 1", "", "", "odds", "leave")
    assert "this shoe: the 412 cards left in it" in told
    found = re.search(r"^Dragon Big +([\d.]+) % +([\d.]+) %", told, re.MULTILINE)
    assert found
    assert found[1] == "7.6923" != found[2]


def test_the_notice_and_the_help_speak_of_this_game(table: Table) -> None:
    told = table.play(f"{DT} --seed 1 --min 10 --max 200", "help", "limits", "leave")
    assert "dragon 50" in told
    assert "player" not in told
    assert told.count("Tie 和              11 to 1             10.00    40.00") == 2
    assert "Limits: Dragon and Tiger 10.00 to 200.00; the others 10.00 to 40.00." in told


def test_the_documents_own_maximum_comes_before_the_users(table: Table) -> None:
    assert "Limits: all wagers 5.00 to 100.00." in table.play(f"{DBO} --seed 1")


def test_the_scoreboard_shows_what_has_been(table: Table) -> None:
    told = table.play(f"{IDT} --seed 6856", "", "", "", "roads", "leave")
    assert "  Player 1, Banker 2, ties 0; for information only." in told
    assert "Bead Plate\n   B\n   P\n   B.\nBig Road\n  B P B\n" in told
    assert "The scoreboard is empty" in table.play(f"{IDT} --seed 6856", "roads")


# ------------------------------------------------ the squeeze


@pytest.mark.parametrize(
    ("words", "bet", "squeezes"),
    [
        (f"{IDT} --method A", "player 50", True),
        (f"{IDT} --method B", "player 50", False),
        (f"{D21} --method A", "tiger 50", False),
        (f"{D21} --method B", "tiger 50", True),
        (f"{D21} --method C", "tiger 50", False),
        (DBC, "banker 50", True),
    ],
)
def test_who_may_squeeze_does(words: str, bet: str, squeezes: bool, table: Table, tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    told = table.play(f"{words} --seed 6856 --log {path}", bet, "", "leave")
    happened = events_in(path)
    bent = [event for event in happened if isinstance(event, CardSqueezed)]
    turned = [event for event in happened if isinstance(event, CardsRevealed) and event.by == YOU]
    assert bool(bent) is bool(turned) is squeezes is ("░" in told)
    assert all(event.by == YOU for event in bent)
    if squeezes:
        assert told.index("No more bets") < told.index("░") < told.index("You turn")


def test_no_face_is_told_before_its_hand_is_turned(table: Table, tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    told = table.play(f"{IDT} --seed 6856 --log {path}", "player 50", "", "leave")
    before = told[told.index("No more bets") : told.index("Dealer turns Banker")]
    mine = {
        event.card.card for event in events_in(path) if isinstance(event, CardDrawn) and event.card.hand == "player"
    }
    assert set(re.findall(r"\b[2-9TJQKA][SHDC]\b", before)) <= mine


def test_the_largest_wager_holds_the_hand(table: Table) -> None:
    small = [f"{table.play(f'{IDT} --seed {seed} --others 6', 'player 5', '', 'leave')}" for seed in range(4)]
    large = [f"{table.play(f'{IDT} --seed {seed} --others 6', 'player 500', '', 'leave')}" for seed in range(4)]
    assert any(re.search(r"Player's hand goes to seat [2-7]", told) for told in small)
    assert all("Player's hand goes to you" in told for told in large)


@pytest.mark.parametrize("rank", range(1, 11))
def test_a_card_has_as_many_pips_as_its_rank(rank: int) -> None:
    assert "".join(squeeze.face(rank, "♠")).count("♠") == rank


@pytest.mark.parametrize("each", DECK, ids=str)
def test_a_squeeze_leaves_fewer_ranks_at_each_step_and_one_at_the_end(each: Card) -> None:
    possible = [set(squeeze.could_be(each, step)) for step in range(squeeze.STEPS + 1)]
    assert len(possible[0]) == 13
    assert all(later <= earlier for earlier, later in pairwise(possible))
    assert possible[-1] == {squeeze.written(each)[:-1]}


def test_the_corners_stay_covered_until_the_card_is_open() -> None:
    def shown(step: int) -> list[str]:
        return ["".join(part for part, _ in line) for line in squeeze.drawn(card("8H"), step)]

    assert not any("8" in line or "♥" in line for line in shown(0))
    assert any("♥" in line for line in shown(1))
    assert not any("8" in line for step in range(squeeze.STEPS) for line in shown(step))
    assert shown(squeeze.STEPS)[1] == "│8 ♥   ♥  │"


def at_the_keyboard(words: str, *steps: tuple[str, bytes], columns: int = 100) -> str:
    """A session on a terminal of its own: what is waited for, and what is typed then; without its colours."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    command = [sys.executable, "-m", "longhu", "play", *words.split()]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": str(columns), "LINES": "40"}
    shown, waits, end = b"", list(steps), time.monotonic() + 30

    def own_terminal() -> None:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # so that Ctrl-C reaches the program

    process = subprocess.Popen(
        command,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment,
        start_new_session=True,
        preexec_fn=own_terminal,
    )
    os.close(theirs)
    try:
        with suppress(OSError):  # the other end has gone
            typed = b""
            while time.monotonic() < end:
                if not select.select([ours], [], [], 1.0)[0]:
                    if not waits and typed in (b"\x03", b"\x04"):
                        os.write(ours, typed)  # Python may miss a signal just before it starts to read: press again
                    continue
                part = os.read(ours, 65536)
                if not part:
                    break
                shown += part
                if waits and waits[0][0].encode() in shown:
                    typed = waits.pop(0)[1]
                    os.write(ours, typed)
        assert process.wait(timeout=10) == 0
    finally:
        process.kill()
        process.wait()
        os.close(ours)
    assert not waits
    return re.sub(r"\x1b\[[0-9;]*m", "", shown.decode())


def test_enter_bends_the_cards_open_on_a_terminal() -> None:
    told = at_the_keyboard(f"{IDT} --seed 6856 --fast", (PROMPT, b"player 50\n\n" + b"\n" * 8 + b"leave\n"))
    for step in ("It can be J, Q or K.", "It can be Q.", "It can be 6, 7 or 8.", "It can be 6 or 7."):
        assert step in told
    assert told.count("Enter bends it further") == 8
    assert "\x1b[" in told
    assert "Q♦" in told


def test_r_turns_the_hand_at_once_and_n_passes_it_on() -> None:
    told = at_the_keyboard(f"{IDT} --seed 6856 --fast", (PROMPT, b"player 50\n\nr\nplayer 50\n\nn\nleave\n"))
    assert told.count("Enter bends it further") == 2
    assert "Player's hand stays with the dealer" in told
    assert "2 rounds: staked 100.00" in told


@pytest.mark.parametrize(("columns", "lines"), [(100, (11, 11)), (40, (12, 11)), (30, (13, 12))])
def test_a_squeeze_is_drawn_over_itself_however_narrow_the_terminal(columns: int, lines: tuple[int, int]) -> None:
    """A card takes nine lines; the hint and the prompt below take as many as they need."""
    told = at_the_keyboard(f"{IDT} --seed 6856 --fast", (PROMPT, b"player 50\n\n\n\nr\nleave\n"), columns=columns)
    assert [int(each) for each in re.findall(r"\x1b\[(\d+)A\x1b\[J", told)] == [lines[0], lines[1], lines[1]]


def test_a_word_that_means_nothing_bends_no_card(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    typed = b"player 50\n\nrules\nno\n\nn\nr\nleave\n"
    told = at_the_keyboard(f"{IDT} --seed 6856 --fast --log {path}", (PROMPT, typed))
    assert "'rules' does nothing here. Possible: Enter, r, n, leave." in told
    assert "'no' does nothing here." in told
    assert "'n' does nothing here. Possible: Enter, r, leave." in told  # a card that is bent is not passed on
    assert sum(isinstance(event, CardSqueezed) for event in events_in(path)) == 1
    assert "1 round: staked 50.00" in told


def test_leave_is_understood_in_the_middle_of_a_squeeze() -> None:
    told = at_the_keyboard(f"{IDT} --seed 6856 --fast", (PROMPT, b"player 50\n\n"), ("passes it on", b"leave\n"))
    assert "Your wagers are on the table, so the round is finished first." in told
    assert "1 round: staked 50.00" in told


def test_a_card_is_named_by_its_place_in_the_hand(table: Table) -> None:
    drawing = (
        seed
        for seed in range(50)
        if table.play(f"{IDT} --seed {seed}", "player 50", "", "leave").count("You turn") == 2
    )
    told = at_the_keyboard(
        f"{IDT} --seed {next(drawing)} --fast",
        (PROMPT, b"player 50\n\n\n\n\n\n"),
        ("The second card", b"r\n"),
        ("The third card, from the long edge.", b"r\nleave\n"),
    )
    assert told.count("The first card, from the long edge.") == 1


@pytest.mark.parametrize("key", [b"\x04", b"\x03"], ids=["Ctrl-D", "Ctrl-C"])
def test_whoever_leaves_in_the_middle_of_a_squeeze_is_settled_first(key: bytes) -> None:
    told = at_the_keyboard(f"{IDT} --seed 6856 --fast", (PROMPT, b"player 50\n\n"), ("passes it on", key))
    assert "Your wagers are on the table, so the round is finished first." in told
    assert "1 round: staked 50.00, net -50.00." in told


def test_ctrl_c_at_the_prompt_leaves_politely() -> None:
    told = at_the_keyboard(f"{DT} --seed 6856", (PROMPT, b"tiger 50\n"), ("On the layout", b"\x03"))
    assert "You take your wagers back." in told
    assert "You leave with 1000.00." in told


# ------------------------------------------------ shoes, leaving, many rounds


def test_the_cutting_card_is_announced_and_the_cards_are_shuffled(table: Table) -> None:
    told = table.play(f"{DT} --decks 4 --seed 2 --rounds 100 --explain")
    assert "The dealer shuffles 208 cards: shoe 1." in told
    cut, again = told.index("The cutting card shows"), told.index("The dealer shuffles 208 cards: shoe 2.")
    assert cut < again
    assert told[cut:again].count("── Round") == 0
    assert "Bead Plate" not in told[again:].partition("── Round")[2].partition("Place your bets")[0]


def test_a_game_with_a_full_shoe_for_every_round_gets_one(table: Table, tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    table.play(f"{DBO} --seed 2 --rounds 5 --bet tie=5 --log {path}")
    assert path.read_bytes().count(b'"shoe-loaded/1"') == 5


def test_where_a_round_needs_a_wager_an_empty_line_is_refused(table: Table) -> None:
    told = table.play(f"{DBO} --seed 2", "", "tie 5", "", "leave")
    assert "Refused (DBO-DEAL-1): " + said(DBO, NOTHING_WAGERED()) in told
    assert "1 round: staked 5.00" in told


@pytest.mark.parametrize("typed", [("player 50", "leave"), ("player 50",), ("player 50", "QUIT")])
def test_leaving_before_the_call_gives_the_wagers_back(typed: tuple[str, ...], table: Table, tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    told = table.play(f"{IDT} --seed 1 --log {path}", *typed)
    assert "You take your wagers back." in told
    assert "0 rounds dealt, none with a wager of yours. You leave with 1000.00." in told
    assert f"world:{YOU}" not in left_by(path).balances


def test_no_input_at_all_leaves_politely() -> None:
    done = through_a_pipe(DT, "")
    assert done.returncode == 0
    assert "You leave with 1000.00." in done.stdout
    assert not done.stderr


def test_a_closed_input_is_one_that_has_ended() -> None:
    command = f'"{sys.executable}" -m longhu play {DT} --seed 1 <&-'
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0
    assert "You leave with 1000.00." in done.stdout
    assert not done.stderr


def test_input_that_is_no_text_does_not_end_the_program() -> None:
    command = [sys.executable, "-m", "longhu", "play", DT, "--seed", "1"]
    done = subprocess.run(command, input=b"\xff\xfe\x00\n\ntiger 5\n\n", capture_output=True, timeout=60, check=False)
    assert done.returncode == 0
    assert b"1 with wagers" in done.stdout


def test_many_rounds_take_a_line_each(table: Table) -> None:
    told = table.play(f"{IDT} --seed 5 --rounds 25 --bet player=20 --bet tie=5")
    assert table.status == 0
    assert len(re.findall(r"^ +\d+  Player .* balance \d+\.\d\d$", told, re.MULTILINE)) == 25
    assert "25 rounds: staked 625.00" in told
    exact = longhu.game(IDT).odds(decks=8).together(player="20.00", tie="5.00").rtp
    assert f"exact return {float(exact) * 100:.2f} %" in told


def test_many_rounds_end_when_a_wager_is_refused(table: Table) -> None:
    told = table.play(f"{IDT} --seed 5 --rounds 25 --bet tie=1")
    assert (
        "Tie: Refused (IDT-3.5.1b): " + said(IDT, WAGER_BELOW_MINIMUM(wager="tie", amount=1_00, minimum=5_00)) in told
    )
    assert table.status == 1
    told = table.play(f"{IDT} --seed 5 --rounds 500 --bet tie=100 --bankroll 250")
    assert "Refused (MON-3): " + said(IDT, NOT_ENOUGH_CHIPS(patron=YOU, held=50_00)) in told
    assert "2 rounds: staked 200.00, net -200.00. You leave with 50.00 of 250.00." in told


def test_a_reading_is_played_and_told(table: Table) -> None:
    told = table.play(f"{D21} --seed 1 --reading over_21_pays=1-to-2", "limits", "leave")
    assert "Under the reading over_21_pays=1-to-2: .5 to 1, as if a decimal point were lost." in told
    assert "5 to 1" not in told.replace(".5 to 1", "").replace("25 to 1", "")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([], "which game? Possible: dragon-21"),
        (["dragon-tigr"], "Did you mean 'dragon-tiger'?"),
        ([IDT, "--bankroll", "x"], "--bankroll: 'x' is no amount"),
        ([IDT, "--bankroll", "0"], "--bankroll 0: expected more than nothing"),
        ([IDT, "--decks", "3"], said(IDT, DECKS_OUTSIDE_RANGE(decks=3, game=IDT, least=4, most=10), "IDT-2.1a")),
        ([IDT, "--decks", "x"], "--decks 'x': expected a whole number"),
        ([IDT, "--layout", "Z"], said(IDT, LAYOUT_UNKNOWN(name="Z", game=IDT, layouts=[*"ABCDE"]), "IDT-2.2")),
        ([IDT, "--method", "Z"], "immortal-dragon-tiger has no dealing method 'Z'. Possible: A, B"),
        ([IDT, "--others", "9"], "--others 9: layout D has 8 positions, and one is yours"),
        ([IDT, "--seed", "1.5"], "--seed '1.5': expected a whole number"),
        ([IDT, "--rounds", "0"], "--rounds '0': expected a whole number from 1 to 1000000"),
        ([IDT, "--bet", "player=5"], "--bet is for --rounds N"),
        ([IDT, "--rounds", "1", "--bet", "playr=5"], "Did you mean 'player'?"),
        ([IDT, "--rounds", "1", "--bet", "player"], "how much on Player?"),
        ([DT, "--rounds", "1", "--bet", "=3"], "'3' on what?"),
        ([DT, "--rounds", "1", "--bet", "="], "no wager is named, as in `dragon 50`"),
        (
            [DT, "--rounds", "1", "--bet", "foo=3"],
            "--bet 'foo=3': 'foo' is no wager. Possible: dragon, tiger, tie, dragon-big",
        ),
        ([IDT, "--min", "600"], "--min 600 is more than --max 500.00"),
        ([DBO, "--min", "200"], said(DBO, ABOVE_RULES_MAXIMUM(wager="player", maximum=100_00))),
        ([IDT, "--log", "no/such/place.jsonl"], "--log no/such/place.jsonl: No such file or directory"),
        ([IDT, "--reading", "pair_basis=suits"], "no option 'suits'"),
    ],
)
def test_a_bad_option_is_told_in_one_line(words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(BadInput) as told:
        main(["play", *words])
    assert complaint in str(told.value)
    assert "\n" not in str(told.value)
    assert not capsys.readouterr().out


def test_a_trail_is_never_written_over(table: Table, tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    table.play(f"{DT} --seed 1 --rounds 2 --log {path}")
    kept = path.read_bytes()
    with pytest.raises(BadInput, match="it exists, and a trail is never written over; name another file"):
        table.play(f"{DT} --seed 1 --rounds 2 --log {path}")
    assert path.read_bytes() == kept


def test_a_trail_without_a_seed_is_that_of_a_table_of_its_own(table: Table, tmp_path: Path) -> None:
    """Anchors of two evenings lie in one file; both trails are checked against all of them."""

    def named(words: str, file: str) -> str:
        table.play(f"{DT} {words} --rounds 2 --log {tmp_path / file}")
        return checked_in(tmp_path / file).table

    first, second = named("", "first.jsonl"), named("", "second.jsonl")
    assert first != second
    assert all(re.fullmatch(r"practice-[0-9a-z]{8,}", name) for name in (first, second))
    assert named("--seed 1", "seeded.jsonl") == "practice"


def test_a_bad_option_is_exit_status_2() -> None:
    done = through_a_pipe(f"{IDT} --decks x", "")
    assert done.returncode == 2
    assert done.stderr == "longhu: --decks 'x': expected a whole number from 1 to 100\n"
    assert not done.stdout


def test_help_tells_what_can_be_typed_and_has_examples() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "longhu", "play", "--help"], capture_output=True, text=True, timeout=60, check=True
    )
    assert f"longhu play {IDT}" in done.stdout.partition("examples:")[2]
    assert "at the table:" in done.stdout


# ------------------------------------------------ shuffles that can be checked


@pytest.mark.clause("RUL-6")
@pytest.mark.parametrize(
    ("words", "typed"),
    [
        (DT, ("dragon 50", "", "same", "", "leave")),
        (DT, ("dragon 50", "leave")),
        (DT, ()),
        (DBO, ("player 50", "", "", "leave")),
        (f"{IDT} --others 3", ("player 50", "", "player 50 tie 5", "leave")),
        (f"{D21} --others 4", ("", "", "tiger 50", "leave")),
        (f"{IDT} --rounds 25 --bet tie=1", ()),
        (f"{IDT} --rounds 500 --bet tie=100 --bankroll 250 --others 3", ()),
        (f"{DBO} --rounds 3", ()),
    ],
)
def test_whoever_leaves_can_check_every_shuffle(
    words: str, typed: tuple[str, ...], table: Table, tmp_path: Path
) -> None:
    path = tmp_path / "table.jsonl"
    table.play(f"{words} --seed 1 --log {path}", *typed)
    checked = checked_in(path)
    assert checked.shuffles == checked.commitments > 0
    assert left_by(path).round is None


def interrupted(monkeypatch: pytest.MonkeyPatch, name: str, call: int) -> None:
    """Ctrl-C is pressed when the table asks its core for the so-manieth time."""
    asked, calls = getattr(play_table, name), 0

    def pressed(*given: object) -> object:
        nonlocal calls
        calls += 1
        if calls == call:
            signal.raise_signal(signal.SIGINT)
        return asked(*given)

    monkeypatch.setattr(play_table, name, pressed)


@pytest.mark.parametrize("name", ["decide", "evolve"])
@pytest.mark.parametrize("call", range(1, 50))
def test_ctrl_c_at_any_moment_leaves_a_trail_that_holds(
    name: str, call: int, table: Table, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "table.jsonl"
    interrupted(monkeypatch, name, call)
    with suppress(KeyboardInterrupt):  # before anybody sat down
        table.play(f"{IDT} --seed 1 --rounds 50 --others 2 --bet player=50 --log {path}")
    checked = checked_in(path)
    assert checked.shuffles == checked.commitments
    assert checked.rounds < 5


@pytest.mark.clause("RUL-6")
def test_ctrl_c_finishes_a_round_for_whoever_only_watches(
    table: Table, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told = ""
    for call in range(5, 16):
        path = tmp_path / f"{call}.jsonl"
        with monkeypatch.context() as patched:
            interrupted(patched, "decide", call)
            told += table.play(f"{DT} --seed 1 --log {path}", "", "", "")
        checked = checked_in(path)
        assert checked.shuffles == checked.commitments == 1
    assert "\nThe round is finished first.\n" in told


def test_a_command_is_done_as_a_whole_before_ctrl_c_is_obeyed() -> None:
    game, heard = definition(DT), list[Event]()
    house = PracticeTable(game, settings_for(game, chips="electronic"), 1000_00, seed=1)
    house.recorders.append(lambda _table, _command, _decision: signal.raise_signal(signal.SIGINT))
    house.listeners.append(heard.extend)
    with pytest.raises(KeyboardInterrupt):
        house.open()
    assert house.table.settings is not None
    assert heard
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_table_outside_the_main_thread_minds_no_signals() -> None:
    game = definition(DT)
    house = PracticeTable(game, settings_for(game, chips="electronic"), 1000_00, seed=1)
    with ThreadPoolExecutor(1) as elsewhere:
        assert elsewhere.submit(house.open).result() is None


@pytest.mark.clause("RUL-6")
def test_the_commitment_is_shown_and_the_secret_follows_when_the_shoe_is_over(table: Table) -> None:
    told = table.play(f"{DBO} --seed 1", "shuffle", "tie 5", "", "shuffle", "leave")
    sealed, secrets = re.findall(r"commitment +([0-9a-f]{64})", told), re.findall(r"secret +([0-9a-f]{64})", told)
    assert f"Committed to {sealed[0][:16]}…" in told
    assert sealed[0] == sealed[1] != sealed[2]  # the first shoe, before and after it was over, and the second
    assert [commitment("practice", 1, bytes.fromhex(secret)) for secret in secrets] == [sealed[0]]
    assert told.index("told when the shoe is over") < told.index(secrets[0])


@pytest.mark.clause("RUL-6")
def test_a_contribution_goes_into_the_next_shuffle_and_no_other(table: Table, tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    typed = ("contribute Six  And 四", "tie 5", "", "shuffle", "tie 5", "", "leave")
    told = table.play(f"{DBO} --seed 1 --log {path}", *typed)
    assert "seat 1        contributed Six  And 四" in told
    made = [event for event in events_in(path) if isinstance(event, ContributionMade)]
    assert [(event.number, event.contribution.value) for event in made] == [(2, "Six  And 四")]
    assert checked_in(path).shuffles == 3


def test_a_contribution_changes_the_cards_and_silence_does_not(table: Table) -> None:
    def second_round(*first: str) -> str:
        told = table.play(f"{DBO} --seed 1", *first, "tie 5", "", "tie 5", "", "leave")
        return told.split("No more bets")[2].partition("──")[0]

    assert second_round("shuffle") == second_round() != second_round("contribute 6 1 4 4 2")


@pytest.mark.parametrize(("text", "why"), [("", "The contribution is empty"), ("x" * 129, "at most 128 characters")])
def test_a_contribution_that_does_not_fit_is_told_at_once(text: str, why: str, table: Table) -> None:
    told = table.play(f"{DT} --seed 1", f"contribute {text}", "shuffle", "leave")
    assert why in told
    assert "takes in your" not in told


@pytest.mark.clause("D21-7.0b")
def test_the_whole_set_is_shuffled_and_every_card_is_as_likely_anywhere() -> None:
    """A seeded shuffle of eight decks is a permutation; over many seeds no place prefers a kind of card."""
    game = longhu.game("dragon-21").definition
    first, last, shuffles = Counter[str](), Counter[str](), 2600
    for seed in range(shuffles):
        house = PracticeTable(game, settings_for(game, chips="electronic"), 1000_00, seed=seed)
        assert house.open() is None
        house.new_shoe()
        order = house.order
        first[order[0]] += 1
        last[order[-1]] += 1
    assert sorted(order) == sorted(str(each) for each in DECK for _ in range(8))
    expected = shuffles / 52
    for found in (first, last):
        chi_square = sum((found[str(each)] - expected) ** 2 / expected for each in DECK)
        assert 25 < chi_square < 92  # 51 degrees of freedom: outside once in a thousand; the seeds are fixed
