"""Who is offered a hand: the largest wager first, then time, then counter clockwise (IDT-3.10.2 to IDT-3.10.5)."""

from __future__ import annotations

from longhu.games.game import Game
from longhu.table.spots import spot_of
from longhu.table.state import Round, Stake, Table, has_spot, may_bet, seat_of


def hand_index(game: Game, hand: str) -> int | None:
    return game.hands.index(hand) if hand in game.hands else None


def backers(round: Round, game: Game, hand: int) -> dict[str, list[Stake]]:
    """The patrons with main wagers on a hand (Q29: over all positions, side wagers left out)."""
    wanted = game.hands[hand]
    found: dict[str, list[Stake]] = {}
    for stake in round.stakes.values():
        if game.wagers[stake.wager].hand == wanted:
            found.setdefault(stake.patron, []).append(stake)
    return found


def kept_off(table: Table, game: Game, person: str) -> bool:
    """Does this person stand, in a game where the standing do not handle cards (D21-5.6b)?"""
    return "standing" in game.cites and may_bet(table, person) and seat_of(table, person) is None


def takes_cards(table: Table, name: str) -> bool:
    """Is there somebody to whom cards can be handed: a patron, or a spot where the cards are real?"""
    return name in table.people or (has_spot(table, name) and not (table.settings and table.settings.virtual_shoe))


def place_of(table: Table, name: str) -> int:
    """Where somebody is counted counter clockwise: at the own seat, or at the position of a spot; 0 for a standing patron."""
    spot = spot_of(name)
    return spot.place if spot is not None else seat_of(table, name) or 0


def next_holder(table: Table, game: Game, hand: int, declined: tuple[str, ...]) -> str | tuple[str, ...]:
    """Who is offered the hand: a patron, "" for the dealer, or several among whom a supervisor picks.

    The largest wager first (IDT-3.10.2); among equals who placed it first (3.10.4), after that refusal the next
    equal counter clockwise (3.10.5); then the next largest (3.10.3). Whoever stands is passed over where the document
    says so (D21-5.6c). A spot is offered real cards only: others are turned over on a screen, which it has not.
    """
    round = table.round
    if round is None:
        return ""
    if round.granted[hand] not in declined and takes_cards(table, round.granted[hand]):
        return round.granted[hand]
    backing = backers(round, game, hand)
    single = game.chosen.get("squeeze_measure") == "single-wager"
    amounts = {
        patron: (max if single else sum)(stake.amount for stake in stakes)
        for patron, stakes in backing.items()
        if takes_cards(table, patron) and not kept_off(table, game, patron)
    }
    willing = {patron: amount for patron, amount in amounts.items() if patron not in declined}
    if not willing:
        return ""
    largest = max(willing.values())
    equal = [patron for patron, amount in amounts.items() if amount == largest]
    refused = [patron for patron in equal if patron in declined]
    if refused:
        return _counter_clockwise(
            table, game, refused[-1] if len(refused) == 1 else _last(declined, refused), equal, declined
        )
    since = {patron: max(stake.since for stake in backing[patron]) for patron in equal}
    first = min(since.values())
    earliest = [patron for patron in equal if since[patron] == first]
    return earliest[0] if len(earliest) == 1 else tuple(earliest)


def _last(declined: tuple[str, ...], refused: list[str]) -> str:
    return [patron for patron in declined if patron in refused][-1]


def _counter_clockwise(table: Table, game: Game, after: str, equal: list[str], declined: tuple[str, ...]) -> str:
    """The next of the equals, from the seat of whoever refused (Q29: seats ascend counter clockwise unless set)."""
    seats = {patron: place_of(table, patron) for patron in equal}
    ascending = table.settings is None or table.settings.seats_ascend_counter_clockwise
    if game.chosen.get("seat_direction") == "descending":
        ascending = not ascending
    order = sorted(seats, key=lambda patron: seats[patron], reverse=not ascending)
    start = order.index(after)
    turned = order[start + 1 :] + order[:start]
    return next(patron for patron in turned if patron not in declined)
