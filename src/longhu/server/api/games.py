"""Games and chances: the pay table and exact odds of every wager (RUL-1, RUL-2), and the chances of the round in play.

Chances are counted from a full shoe less the open cards, as the odds beside the table are: earlier rounds of the shoe are no part of
it, and a face-down card counts as unknown. Counting takes from a tenth of a millisecond to two seconds, in a thread. A result is
computed once, however many screens ask for it, and cached.
"""

from __future__ import annotations

import asyncio
import gzip
from collections import OrderedDict
from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any

import msgspec
from litestar import Response, get
from litestar.params import FromPath
from msgspec import Meta

from longhu.cards import Card, Shoe, ShoeError, card
from longhu.clauses import DOCUMENTS, clauses, standards
from longhu.deal.procedure import DealError, Procedure, deal_so_far
from longhu.games import registry
from longhu.games.game import Game, Wager
from longhu.games.vocabulary import IRREGULARITY
from longhu.messages.localization import catalogue
from longhu.messages.message import Message, message_code
from longhu.odds.exports import OddsFigures, as_json
from longhu.odds.figures import WagerStanding, odds_over, wager_odds
from longhu.odds.ways import Known, Ways, open_ways
from longhu.paytable import GameRules, game_json
from longhu.protocol import DECKS_MAX
from longhu.server.api import guards
from longhu.server.api.guards import ANYBODY, live_table, watching
from longhu.server.api.http import Number, Time, query, unchanged
from longhu.server.problems import ProblemKind, Trouble
from longhu.table.state import Round
from longhu.texts import SIMPLIFIED, Names

DECKS_OUT_OF_RANGE = message_code("decks-out-of-range", game="game", minimum="number", maximum="number")
NO_SUCH_CLAUSE = message_code("no-such-clause", clause="text")

NOTHING_OPEN: Known = ((), ())
COUNTS_REMEMBERED = 4096
ODDS_REMEMBERED = 64  # by rules and decks

Key = tuple[str, int, Known]  # the digest of the rules, decks, open cards


class OddsCache:
    """The deals that were counted, of a full shoe of so many decks with these cards of it open on the table."""

    def __init__(self) -> None:
        self._found: OrderedDict[Key, Ways] = OrderedDict()
        self._under_way: dict[Key, asyncio.Task[Ways]] = {}

    async def ways(self, game: Game, decks: int, known: Known = NOTHING_OPEN) -> Ways:
        """`DealError` or `ShoeError` where no round can have these cards."""
        key = (game.digest, decks, known)
        if key in self._found:
            self._found.move_to_end(key)
            return self._found[key]
        task = self._under_way.get(key)
        if task is None:
            task = self._under_way[key] = asyncio.create_task(asyncio.to_thread(_ways, game, decks, known))
            task.add_done_callback(lambda done: self._done(key, done))
        return await asyncio.shield(task)

    def _done(self, key: Key, task: asyncio.Task[Ways]) -> None:
        del self._under_way[key]
        if not task.cancelled() and task.exception() is None:
            self._found[key] = task.result()
            if len(self._found) > COUNTS_REMEMBERED:
                self._found.popitem(last=False)


def _ways(game: Game, decks: int, known: Known) -> Ways:
    return open_ways(game.procedure, Shoe.of_decks(decks), known)


class GameEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A game in short."""

    id: str
    name: Names
    version: str
    digest: str  # what is on record for every round
    decks: int
    in_force: str  # from when its rules are in force; "" where their document has no date
    approved: bool  # may this house open a table of it (RUL-4)?
    approved_from: Time | None  # since when, or from when on; null where it is not approved
    words: dict[
        str, str
    ]  # what its hands, its wagers and what may go wrong are called in Chinese, by what they are called in English


class GamePage(msgspec.Struct, frozen=True, kw_only=True):
    """A game in full: names, layouts, wagers, their lines with clauses, and exact odds."""

    id: str
    digest: str
    rules: GameRules
    odds: OddsFigures


class DecksQuery(msgspec.Struct, frozen=True, kw_only=True):
    decks: Annotated[int, Meta(ge=1, le=DECKS_MAX)] | None = None  # as many as usual where none is said


@get("/api/games", opt=ANYBODY)
async def games(request: guards.Request) -> list[GameEntry]:
    """The games."""
    floor = guards.house(request).house_log
    approved = (await floor.state()).approved
    found = [registry.load_game(path) for path in registry.all_games().values()]
    return [
        GameEntry(
            id=game.id,
            name=game.name.by_language,
            version=str(game.version),
            digest=game.digest,
            decks=game.decks.default,
            in_force=game.in_force,
            approved=await floor.approved(game.digest),
            approved_from=approved[game.digest].effective if game.digest in approved else None,
            words=_words(game),
        )
        for game in found
    ]


def _words(game: Game) -> dict[str, str]:
    texts = [text for wager in game.wagers.values() for text in (wager.name, wager.label)]
    texts += [hand.name for hand in game.procedure.hands]
    codes = [IRREGULARITY[kind].code for kind in game.irregularities]
    wrong = {catalogue("en")[code]: catalogue(SIMPLIFIED)[code] for code in codes}
    return {**wrong, **{text.en: chinese for text in texts if (chinese := text.into(SIMPLIFIED))}}


@get("/api/games/{game:str}", opt={**ANYBODY, "query": DecksQuery, "etag": True})
async def game_page(request: guards.Request, game: FromPath[str]) -> Response[GamePage]:
    """A game: what every wager pays, by which clause, and its exact odds."""
    path = guards.game_file(game)
    rules = registry.load_game(path)
    decks = query(request, DecksQuery).decks or rules.decks.default
    if not rules.decks.min <= decks <= rules.decks.max:
        raise Trouble(
            ProblemKind.MALFORMED,
            DECKS_OUT_OF_RANGE(game=rules.id, minimum=rules.decks.min, maximum=rules.decks.max),
            clause=next(iter(rules.decks.clauses), ""),
        )
    return await paytable(request, rules, decks)


async def paytable(request: guards.Request, rules: Game, decks: int) -> Response[GamePage]:
    """The rules and odds of a game; whoever has them already is told that they are the same."""
    tag = f'"{rules.wording[:32]}-{decks}"'
    if (same := unchanged(request, tag)) is not None:
        return same
    odds_cache: OddsCache = request.app.state.odds_cache
    odds = _odds(rules, decks, await odds_cache.ways(rules, decks))
    told = GamePage(id=rules.id, digest=rules.digest, rules=game_json(rules), odds=odds)
    headers = {"ETag": tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(told, headers=headers)
    packed: Any = gzip.compress(msgspec.json.encode(told), mtime=0)  # a fifth: names and readings in three languages
    return Response(packed, media_type="application/json", headers={**headers, "Content-Encoding": "gzip"})


_KNOWN: dict[tuple[str, int], OddsFigures] = {}  # by wording, since names are in it, and decks


def _odds(game: Game, decks: int, counted: Ways) -> OddsFigures:
    """Exact odds are asked for often, and are the same as long as the rules are."""
    key = (game.wording, decks)
    if key not in _KNOWN:
        if len(_KNOWN) >= ODDS_REMEMBERED:
            _KNOWN.clear()
        _KNOWN[key] = as_json(odds_over(game, Shoe.of_decks(decks), counted))
    return _KNOWN[key]


class ClauseText(msgspec.Struct, frozen=True, kw_only=True):
    """A rule that the house named, in its own words."""

    id: str
    document: str  # where it stands; of a standard, what it is about
    place: str
    requirement: str
    reading: str  # how it is read where the document is doubtful


@get("/api/clauses/{clause:str}", opt=ANYBODY)
async def clause_text(clause: FromPath[str]) -> ClauseText:
    """What a clause asks: cards, payments and refusals name theirs (RUL-1)."""
    if (found := clauses().get(clause)) is not None:
        return ClauseText(
            id=found.id,
            document=DOCUMENTS[found.document],
            place=found.place,
            requirement=found.requirement,
            reading=found.reading,
        )
    if (standard := standards().get(clause)) is not None:
        return ClauseText(
            id=standard.id, document=standard.area, place="", requirement=standard.requirement, reading=""
        )
    raise Trouble(ProblemKind.NOT_FOUND, NO_SUCH_CLAUSE(clause=clause[:60]))


class HandChance(msgspec.Struct, frozen=True, kw_only=True):
    probability: str  # exact, as a fraction
    chance: float


class WagerChance(msgspec.Struct, frozen=True, kw_only=True):
    """How a wager stands, for one unit staked."""

    win: float
    ev: float
    decided: WagerStanding  # "open", or what it is whatever may come


class Follows(msgspec.Struct, frozen=True, kw_only=True):
    """A decision of the deal procedure, and its clause."""

    message: Message
    clause: str


class Chances(msgspec.Struct, frozen=True, kw_only=True):
    """The round in play as it stands; before the first open card, any round."""

    sequence: Number
    round: Number
    cards_open: Number
    decks: Number  # of a full shoe, from which the open cards are taken
    totals: dict[str, int | None]  # of each hand's open cards, by the game's rules; None while it has none
    hands: dict[str, HandChance]  # that each hand wins, and "tie"; empty where the cards fit no round
    wagers: dict[str, WagerChance]
    follows: list[
        Follows
    ]  # what follows from the cards, once all of them lie open: who draws, who stands, who has a natural


@get("/api/tables/{table:str}/chances", opt={**ANYBODY, "etag": True, "problems": (401,)})
async def chances(request: guards.Request, table: FromPath[str]) -> Response[Chances]:
    """The exact chances of the round in play, given the cards that lie open."""
    await watching(request)
    live = await live_table(request, table)
    state, sequence, game = live.state, live.sequence, live.game
    tag = f'"{sequence}"'
    if (same := unchanged(request, tag)) is not None:
        return same
    settings = state.settings
    decks = settings.decks if settings is not None else game.decks.default
    known = open_cards(game.procedure, state.round) if state.round is not None else NOTHING_OPEN
    odds_cache: OddsCache = request.app.state.odds_cache
    try:
        found = await odds_cache.ways(game, decks, known)
        follows = [] if state.round is None else what_follows(game.procedure, state.round)
    except (DealError, ShoeError):  # an irregularity: what lies there is no round
        found, follows = None, []
    told = Chances(
        sequence=sequence,
        round=state.rounds,
        cards_open=sum(map(len, known)),
        decks=decks,
        totals={id: _total(game.procedure, cards) for id, cards in zip(game.hands, known, strict=True)},
        hands={} if found is None else hand_chances(game, found),
        wagers={} if found is None else wager_chances(game.offered(settings.layout if settings else None), found),
        follows=follows,
    )
    return Response(told, headers={"ETag": tag, "Cache-Control": "no-cache"})


def open_cards(procedure: Procedure[Any], round: Round) -> Known:
    """The cards of each hand that everybody sees, as far as they are its first ones; of two initial cards, either."""
    initial = procedure.initial_cards // 2
    hands = [
        [card(each.card) if each.public and each.card else None for each in round.cards_of(hand)] for hand in (0, 1)
    ]
    firsts = [[each for each in hand[:initial] if each is not None] for hand in hands]
    if all(len(each) == initial for each in firsts):  # what was drawn later counts once everything before it is open
        for shown, hand in zip(firsts, hands, strict=True):
            for each in hand[initial:]:
                if each is None:
                    break
                shown.append(each)
    return tuple(firsts[0]), tuple(firsts[1])


def what_follows(procedure: Procedure[Any], round: Round) -> list[Follows]:
    """The decisions of the procedure after the initial deal that no card has told of yet, with their clauses."""
    dealt = [card(each.card) for each in round.cards if each.public and each.card]
    if len(dealt) < max(len(round.cards), procedure.initial_cards):
        return []
    reasons = deal_so_far(procedure, dealt).due.reasons
    return [Follows(message=each.message, clause=next(iter(each.clauses), "")) for each in reasons]


def _total(procedure: Procedure[Any], cards: tuple[Card, ...]) -> int | None:
    hand = procedure.empty
    for each in cards:
        hand = procedure.take(hand, each)
    return procedure.total(hand) if cards else None


def hand_chances(game: Game, counted: Ways) -> dict[str, HandChance]:
    """That each hand wins, and that neither does."""
    of = {hand.id: 0 for hand in game.procedure.hands} | {"tie": 0}
    for number, some in counted.of.items():
        of[game.winner(number) or "tie"] += some
    return {id: _chance(Fraction(some, counted.deals)) for id, some in of.items()}


def _chance(probability: Fraction) -> HandChance:
    return HandChance(probability=str(probability), chance=float(probability))


def wager_chances(wagers: Mapping[str, Wager], counted: Ways) -> dict[str, WagerChance]:
    found = {id: wager_odds(wager, counted) for id, wager in wagers.items()}
    return {
        id: WagerChance(win=float(odds.hit_frequency), ev=float(odds.ev), decided=odds.decided)
        for id, odds in found.items()
    }
