"""The lab's computations for a designer. They run in a process of their own, which caches nothing but counts of deals."""

from __future__ import annotations

import os
import resource
import sys
from collections import OrderedDict
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import asdict
from datetime import date
from fractions import Fraction
from functools import lru_cache
from importlib.metadata import version
from time import perf_counter
from typing import Any, BinaryIO, TypeVar

import msgspec

from longhu.cards import Shoe
from longhu.deal.pairs import PairBasis
from longhu.deal.procedure import Procedure
from longhu.games import registry
from longhu.games.changes import ChangeError
from longhu.games.changes import changed as changed_by
from longhu.games.deal_section import PROCEDURES
from longhu.games.game import Game, Result
from longhu.games.loader import DECKS_MAX, load
from longhu.games.rewriting import rewritten
from longhu.games.source import FileSource, GameFileError, read_bytes
from longhu.messages.message import Message
from longhu.odds.alternatives import Returns, alternatives, changed
from longhu.odds.claims import reckonings
from longhu.odds.exports import WagerFigures, as_json
from longhu.odds.figures import GameOdds, WagerOdds, wager_odds
from longhu.odds.ways import Ways, ways
from longhu.paytable import game_json
from longhu.report.notation import rounded_percent
from longhu.server.lab import questions
from longhu.server.lab.questions import LAB_CANNOT_DEAL, LAB_MISTAKE, LAB_TOO_LARGE, CountingAsked, SheetAsked, Subject
from longhu.settlement import WAGER_UNKNOWN

T = TypeVar("T")
NAME = "game.toml"  # what a text is called in what is told of it
COUNTS_KEPT = 24
AT_ONCE = 20  # a designer sees at once what a study measures twenty times as long
MEMORY_BYTES = 4 << 30  # of addresses; compiled code reserves far more than it uses
SEED = 20_250_728  # the same question gives the same figures


# ------------------------------------------------ the game in question


class Unknown(ValueError):
    """A question about a game that is not there, or that has no place for a change."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.code)
        self.message = message


@lru_cache(maxsize=64)
def _built_in(id: str) -> FileSource:
    """The file of a game that is built in or installed; ids are looked up, so no id leads to any other file."""
    path = registry.all_games().get(id)
    if path is None:
        raise Unknown(registry.NO_SUCH_GAME(game=id[:60]))
    return read_bytes(path.read_bytes(), path.name)


def base(subject: Subject) -> FileSource:
    """The file before the changes. `GameFileError` where a text is none."""
    if not subject.text:
        return _built_in(subject.game)
    return read_bytes(subject.text.encode("utf-8", "replace"), NAME)


def changed_source(subject: Subject) -> tuple[FileSource, list[str]]:
    """The file after the changes, and the readings that no longer fit it; places are those of the file before."""
    source = base(subject)
    if not subject.changes:
        return source, []
    data = deepcopy(source.data)
    left_out = _made(lambda: changed_by(data, subject.changes))
    return FileSource(source.name, data, source.keys, source.values, source.written, source.text), left_out


def written_source(subject: Subject) -> FileSource:
    """The file after the changes, as it is written."""
    before, (after, _) = base(subject), changed_source(subject)
    text = _made(lambda: rewritten(before.text, subject.changes))
    source = read_bytes(text.encode(), NAME)
    if source.data != after.data:
        raise AssertionError("the file that was written is not the one that was counted")
    return source


def _made(make: Callable[[], T]) -> T:
    try:
        return make()
    except ChangeError as error:
        raise Unknown(error.message) from None


def shoe(subject: Subject, game: Game) -> Shoe:
    return Shoe.of_decks(subject.decks or game.decks.default)


def loaded(subject: Subject) -> Game:
    """The game as it is written; `GameFileError` tells what is wrong with it."""
    return load(written_source(subject))


# ------------------------------------------------ what is worked out of it


class Counts:
    """Deals by ending. They depend on the procedure and the shoe alone, so other pays or lines need no new count."""

    def __init__(self) -> None:
        self._kept: OrderedDict[int, tuple[Procedure[Any], Shoe, Ways]] = OrderedDict()
        self._next = 0

    def of(self, procedure: Procedure[Any], shoe: Shoe) -> Ways:
        for number, (known, from_shoe, counted) in self._kept.items():
            if known == procedure and from_shoe == shoe:
                self._kept.move_to_end(number)
                return counted
        counted = ways(procedure, shoe)
        self._next += 1
        self._kept[self._next] = (procedure, shoe, counted)
        if len(self._kept) > COUNTS_KEPT:
            self._kept.popitem(last=False)
        return counted


COUNTS = Counts()


def figures(subject: Subject) -> questions.GameFigures:
    """The exact odds of every wager after the changes."""
    began = perf_counter()
    left_out: list[str] = []
    rules = odds = None
    try:
        source, left_out = changed_source(subject)
        game = load(source)
        rules, odds = game_json(game), _odds(game, shoe(subject, game))
        mistakes = []
    except GameFileError as error:
        mistakes = _mistakes(error)
    return questions.GameFigures(
        mistakes=mistakes, left_out=left_out, rules=rules, odds=odds, seconds=perf_counter() - began
    )


def _odds(game: Game, full: Shoe) -> questions.LabOdds:
    counted = COUNTS.of(game.procedure, full)
    each = {id: wager_odds(wager, counted) for id, wager in game.wagers.items()}
    told = as_json(GameOdds(game, full, full.decks, (), counted, each))
    return {**told, "wagers": {id: _exactly(told["wagers"][id], wager) for id, wager in each.items()}}


def _exactly(told: WagerFigures, wager: WagerOdds) -> questions.LabWager:
    risk = wager.element_of_risk
    return {
        **told,
        "lines": [
            {**line, "contribution": str(one.contribution)}
            for line, one in zip(told["lines"], wager.lines, strict=True)
        ],
        "exact": {
            "house_edge": str(wager.house_edge),
            "rtp": str(wager.rtp),
            "hit_frequency": str(wager.hit_frequency),
            "push": str(wager.probability(Result.PUSH)),
            "variance": str(wager.variance),
            "element_of_risk": None if risk is None else str(risk),
        },
        "rounds_within_1": wager.rounds_within(Fraction(1, 100)),
        "nets": [{"net": str(net), "probability": str(chance)} for net, chance in wager.nets.items()],
    }


def _mistakes(error: GameFileError) -> list[questions.Mistake]:
    return [
        questions.Mistake(
            line=each.place.line,
            column=each.place.column,
            at=list(each.path),
            offset=each.offset,
            message=each.message,
            says=each.text(),
        )
        for each in error.problems
    ]


def file(subject: Subject) -> questions.File:
    """The file as it is written after the changes; its comments are kept."""
    left_out: list[str] = []
    source: FileSource | None = None
    game: Game | None = None
    mistakes: list[questions.Mistake] = []
    text = subject.text
    try:
        text = base(subject).text
        left_out = changed_source(subject)[1]
        source = written_source(subject)
        text = source.text
        game = load(source)
    except GameFileError as error:
        mistakes = _mistakes(error)
    return questions.File(
        text=text,
        data=None if source is None else _plain(source.data),
        mistakes=mistakes,
        left_out=left_out,
        facts=[] if game is None else _facts(game),
        choices={
            "result": [each.value for each in Result if each is not Result.WIN],
            "pair": [each.value for each in PairBasis],
            "procedure": list(PROCEDURES),
        },
        decks_max=DECKS_MAX,
    )


def _facts(game: Game) -> list[questions.ConditionFact]:
    known = game.outcomes.facts.values()
    terms = game.terms.items()
    return [
        *(questions.ConditionFact(name=each.name, kind=each.kind.value, says=each.says, words=list(each.words)) for each in known),
        *(questions.ConditionFact(name=name, kind="truth", means=means, words=[]) for name, (means, _) in terms),
    ]  # fmt: skip


def _plain(value: Any) -> Any:
    """Data of a file as JSON has it: dates as texts."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return value if isinstance(value, str | int | float | bool) else str(value)


def removals(subject: Subject) -> questions.Removals:
    """What taking out each card does to every wager."""
    from longhu.odds.removal import removals as taken_out  # compiled code, which the other questions do without

    began = perf_counter()
    game = loaded(subject)
    full = shoe(subject, game)
    found = [
        questions.RemovedCard(
            card=str(each.card),
            stands_for=each.stands_for,
            effects={id: str(effect) for id, effect in each.effects.items()},
        )
        for each in taken_out(game, full, game.wagers)
    ]
    return questions.Removals(decks=_decks(full), cards=found, seconds=perf_counter() - began)


def _decks(full: Shoe) -> int:
    if full.decks is None:
        raise AssertionError("the lab deals from full shoes")
    return full.decks


def readings(subject: Subject) -> questions.Readings:
    """Every doubtful clause with its options side by side, and the published returns under each."""
    began = perf_counter()
    source = written_source(subject)
    game = load(source)
    full = shoe(subject, game)

    def reload(chosen: Mapping[str, str]) -> Game:
        return load(source, chosen)

    found = []
    for reading, options in alternatives(
        game, reload, Returns(full, (game.procedure, COUNTS.of(game.procedure, full)))
    ):
        told = [
            questions.OptionFigures(
                option=each.option.id,
                chosen=each.chosen,
                evs={id: str(ev) for id, ev in each.evs.items()},
            )
            for each in options
        ]
        found.append(questions.ReadingFigures(reading=reading.id, options=told, changed=changed(options)))
    return questions.Readings(readings=found, claims=_claims(game, reload), seconds=perf_counter() - began)


def _claims(game: Game, reload: Any) -> list[questions.ClaimsUnder]:
    found = []
    for each in reckonings(game, reload) if game.claims else ():
        reading, _, option = each.under.partition("=")
        claims = [
            questions.CheckedClaim(
                wager=one.claim.wager,
                decks=one.claim.decks,
                published=rounded_percent(one.claim.rtp, one.claim.decimals),
                exact=None if one.rtp is None else str(one.rtp),
                agrees=one.agrees,
                clauses=list(one.claim.clauses),
            )
            for one in each.checked
        ]
        found.append(questions.ClaimsUnder(reading=reading, option=option, claims=claims))
    return found


def counting(asked: CountingAsked) -> questions.Counting:
    """How far one wager can be beaten by whoever watches the cards, by how much of the shoe is dealt."""
    from longhu.counting.study import study, usual_shoes
    from longhu.simulate.plan import PlanError

    began = perf_counter()
    game = loaded(asked.subject)
    wager = game.wagers.get(asked.wager)
    if wager is None:
        raise Unknown(WAGER_UNKNOWN(name=asked.wager[:60], game=game.id, wagers=list(game.wagers)))
    try:
        decks = _decks(shoe(asked.subject, game))
        shoes = asked.shoes or usual_shoes(game) // AT_ONCE
        found = study(game, {wager.id: wager}, seed=SEED, shoes=shoes, decks=decks, workers=1)
    except PlanError as error:
        raise Unknown(LAB_CANNOT_DEAL(detail=str(error))) from None
    told = found.wagers[wager.id]
    count = told.count
    return questions.Counting(
        wager=wager.id,
        decks=found.decks,
        cut=found.cut,
        shoes=found.shoes,
        rounds=found.rounds,
        seed=found.seed,
        reshuffled=game.reshuffled,
        level=None if count is None else count.level,
        correlation=None if count is None else count.correlation,
        tags=[]
        if count is None
        else [questions.Tag(card=each, tag=int(tag)) for each, tag in zip(count.names, count.tags, strict=True)],
        true_count=None if told.trigger is None else told.trigger.true_count,
        counter=_gain(told.counter),
        ceiling=_gain(told.ceiling),
        depths=[questions.DepthFigures(**asdict(depth)) for depth in told.depths],
        seconds=perf_counter() - began,
    )


def _gain(gain: Any) -> questions.GainFigures:
    return questions.GainFigures(per_100=gain.per_100, per_100_error=gain.per_100_error, share=gain.share)


def sheet(asked: SheetAsked) -> bytes:
    """The PAR sheet of the game after the changes."""
    from longhu.par.sections import Issue, report
    from longhu.par.sheet import gather

    source = written_source(asked.subject)
    game = load(source)
    full = shoe(asked.subject, game)
    words = f"--game {game.id}.toml --decks {_decks(full)}"
    issue = Issue(
        date=date.fromisoformat(asked.date),
        version=version("longhu"),
        odds_command=f"longhu odds {words} --json",
        par_command=f"longhu par {words} --date {asked.date}",
    )
    made = report(gather(game, full, lambda chosen: load(source, chosen)), issue)
    if asked.form == "pdf":
        from longhu.report.pdf import document

        return document(made)
    from longhu.report.html import page

    return page(made).encode()


# ------------------------------------------------ the process


def answered(message: bytes) -> bytes:
    """The answer to a question."""
    kinds: dict[bytes, tuple[type[msgspec.Struct], Callable[[Any], Any]]] = {
        b"figures": (Subject, figures),
        b"file": (Subject, file),
        b"removals": (Subject, removals),
        b"readings": (Subject, readings),
        b"counting": (CountingAsked, counting),
        b"sheet": (SheetAsked, sheet),
    }
    name, _, content = message.partition(b"\n")
    kind, answer = kinds[name]
    try:
        found = answer(msgspec.json.decode(content, type=kind))
    except Unknown as unknown:
        return b"-" + msgspec.json.encode(unknown.message)
    except GameFileError as error:
        first = error.problems[0]
        mistake = LAB_MISTAKE(line=first.place.line, mistake=first.message, others=len(error.problems) - 1)
        return b"-" + msgspec.json.encode(mistake)
    except MemoryError:
        return b"-" + msgspec.json.encode(LAB_TOO_LARGE())
    return b"+" + (found if isinstance(found, bytes) else msgspec.json.encode(found))


def serve(asked: BinaryIO, told: BinaryIO) -> None:
    """Answer until nobody asks any more."""
    while len(head := asked.read(4)) == 4:
        answer = answered(asked.read(int.from_bytes(head, "big")))
        told.write(len(answer).to_bytes(4, "big") + answer)
        told.flush()


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    told = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints does not get between the answers
    serve(sys.stdin.buffer, told)
