"""The games of the house: what every wager pays and its exact odds, before the first bet and at any time (RUL-1, RUL-2)."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Response, get
from litestar.params import FromPath
from msgspec import Meta

from longhu.cards import Shoe
from longhu.clauses import DOCUMENTS, clauses, standards
from longhu.games import registry
from longhu.games.game import Game
from longhu.games.vocabulary import IRREGULARITY_NAMES
from longhu.odds.exports import as_json
from longhu.odds.figures import odds_over
from longhu.odds.ways import Ways
from longhu.paytable import game_json
from longhu.server.http import guards
from longhu.server.http.counted import Counted
from longhu.server.http.fields import query
from longhu.server.http.guards import ANYBODY
from longhu.server.http.problems import Kind, Trouble
from longhu.server.http.routes.answers import unchanged

REMEMBERED = 64  # odds, by rules and decks


class Name(msgspec.Struct, frozen=True):
    en: str
    zh: str = ""


class GameEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A game in short."""

    id: str
    name: Name
    version: str
    digest: str  # what is on record for every round
    decks: int
    approved: bool  # may this house open a table of it (RUL-4)?
    words: dict[
        str, str
    ]  # what its hands, its wagers and what may go wrong are called in Chinese, by what they are called in English


class GamePage(msgspec.Struct, frozen=True, kw_only=True):
    """A game in full: names, layouts, wagers, their lines with clauses, and exact odds."""

    id: str
    digest: str
    rules: dict[str, Any]
    odds: dict[str, Any]


class Decks(msgspec.Struct, frozen=True, kw_only=True):
    decks: Annotated[int, Meta(ge=1, le=100)] | None = None  # as many as usual where none is said


@get("/api/games", opt=ANYBODY)
async def games(request: guards.Asked) -> list[GameEntry]:
    """The games."""
    floor = guards.house(request).floor
    found = [registry.load_game(path) for path in registry.all_games().values()]
    return [
        GameEntry(
            id=game.id,
            name=Name(game.name.en, game.name.zh or ""),
            version=str(game.version),
            digest=game.digest,
            decks=game.decks.default,
            approved=await floor.approved(game.digest),
            words=_words(game),
        )
        for game in found
    ]


def _words(game: Game) -> dict[str, str]:
    texts = [text for wager in game.wagers.values() for text in (wager.name, wager.label)]
    hands = {hand.en: hand.zh for hand in game.procedure.hands if hand.zh}
    wrong = dict(IRREGULARITY_NAMES[kind] for kind in game.irregularities)
    return {**wrong, **{text.en: text.zh for text in texts if text.zh}, **hands}


@get("/api/games/{game:str}", opt={**ANYBODY, "query": Decks, "etag": True})
async def game_page(request: guards.Asked, game: FromPath[str]) -> Response[GamePage]:
    """A game: what every wager pays, by which clause, and its exact odds."""
    path = registry.all_games().get(game)
    if path is None:
        raise Trouble(Kind.NOT_FOUND, f"No game is called {game[:60]!r}.", remedy="GET /api/games lists them.")
    rules = registry.load_game(path)
    decks = query(request, Decks).decks or rules.decks.default
    if not rules.decks.min <= decks <= rules.decks.max:
        raise Trouble(
            Kind.MALFORMED,
            f"decks: {rules.id} is played with {rules.decks.min} to {rules.decks.max} decks.",
            clause=next(iter(rules.decks.clauses), ""),
        )
    return await paytable(request, rules, decks)


async def paytable(request: guards.Asked, rules: Game, decks: int) -> Response[GamePage]:
    """The rules and odds of a game; whoever has them already is told that they are the same."""
    tag = f'"{rules.digest[:32]}-{decks}"'
    if (same := unchanged(request, tag)) is not None:
        return same
    counted: Counted = request.app.state.counted
    odds = _odds(rules, decks, await counted.ways(rules, decks))
    told = GamePage(id=rules.id, digest=rules.digest, rules=game_json(rules), odds=odds)
    return Response(told, headers={"ETag": tag, "Cache-Control": "no-cache"})


_KNOWN: dict[tuple[str, int], dict[str, Any]] = {}


def _odds(game: Game, decks: int, counted: Ways) -> dict[str, Any]:
    """Exact odds are asked for often, and are the same as long as the rules are."""
    key = (game.digest, decks)
    if key not in _KNOWN:
        if len(_KNOWN) >= REMEMBERED:
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
    raise Trouble(Kind.NOT_FOUND, f"No clause is called {clause[:60]!r}.")


HANDLERS = [games, game_page, clause_text]
