"""The shuffle of an electronic shoe: committed to, contributed to, and revealed when the shoe is over.

The order itself is in no event and in no state. Whoever keeps the secret works it out (`electronic`), and each card
comes in with the command that draws it; when the secret is revealed, everybody can check that they were the right ones.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.fairness.shuffle import Contribution, commitment, is_digest, secret_of, unfit
from longhu.games.game import Game
from longhu.positions import Position
from longhu.table.document import cite
from longhu.table.messages import Command, decides, evolves
from longhu.table.public_identity import public_id
from longhu.table.state import Shuffle, Table
from longhu.table.suspension import is_suspended


class CommitShuffle(Command, frozen=True, kw_only=True, tag="commit-shuffle/1"):
    """Publish the commitment to the secret behind the next shuffle."""

    needs: ClassVar[Position] = Position.DEALER

    commitment: str


class ShuffleCommitted(Event, frozen=True, kw_only=True, tag="shuffle-committed/1"):
    number: int  # of the shoe that it is for
    commitment: str


class Contribute(Command, frozen=True, kw_only=True, tag="contribute/1"):
    """A seated patron adds to the shuffle, once, whatever text they like."""

    value: str


class ContributionMade(Event, frozen=True, kw_only=True, tag="contribution-made/1"):
    number: int
    contribution: Contribution


class CutCards(Command, frozen=True, kw_only=True, tag="cut-cards/1"):
    """A seated patron puts the cutting card into an electronic shoe: nobody can do it in their name."""

    behind: int | None = None  # cards behind it; the usual number where none is said


class CutMade(Event, frozen=True, kw_only=True, tag="cut-made/1"):
    number: int
    person: str
    behind: int


class RevealShuffle(Command, frozen=True, kw_only=True, tag="reveal-shuffle/1"):
    """Tell the secret: from then on everybody knows the order, and no card of it is dealt any more."""

    needs: ClassVar[Position] = Position.DEALER

    secret: str


class ShuffleRevealed(Event, frozen=True, kw_only=True, tag="shuffle-revealed/1"):
    number: int
    secret: str


@decides(CommitShuffle)
def commit_shuffle(table: Table, game: Game, command: CommitShuffle) -> Decision:
    settings = table.settings
    if settings is None:
        return Refusal("the table is not open")
    if not settings.electronic_shoe:
        return Refusal(
            "the cards of a physical shoe are shuffled by hand or by a machine", clause=cite(game, "shuffle")
        )
    if table.round is not None:
        return Refusal("a round is in progress", "The next shoe is prepared when it is over", cite(game, "shuffle"))
    if table.shuffle is not None and not table.shuffle.secret:
        return Refusal(
            f"the shuffle of shoe {table.shuffle.number} has not been revealed",
            "Reveal it first" if table.shuffle.mix else "Load the shoe that it was made for",
            "RUL-6",
        )
    if (suspended := is_suspended(table)) is not None:
        return suspended
    if not is_digest(command.commitment):
        return Refusal("a commitment is 64 hexadecimal digits", clause="RUL-6")
    return [ShuffleCommitted(number=table.shoes + 1, commitment=command.commitment, **about(command, "RUL-6"))]


@evolves(ShuffleCommitted)
def shuffle_committed(table: Table, event: ShuffleCommitted) -> Table:
    return replace(table, shuffle=Shuffle(event.number, event.commitment))


@decides(Contribute)
def contribute(table: Table, _game: Game, command: Contribute) -> Decision:
    shuffle, person = table.shuffle, table.people.get(command.by)
    if shuffle is None or shuffle.mix or shuffle.secret:
        return Refusal("no shuffle is open to contributions", "Contribute when the next one has been committed to")
    if person is None or person.seat is None:
        return Refusal(f"{command.by} is not seated", "Take a seat first")
    label = public_id(table, command.by)  # everybody makes the shuffle again from it, and nobody learns who it was
    if any(each.person == label for each in shuffle.contributions):
        return Refusal("a contribution is made once", "It stands as it was made")
    problem = unfit(command.value)
    if problem:
        return Refusal(problem)
    made = ContributionMade(
        number=shuffle.number, contribution=Contribution(label, command.value), **about(command, "RUL-6")
    )
    return [made]


@evolves(ContributionMade)
def contribution_made(table: Table, event: ContributionMade) -> Table:
    shuffle = table.shuffle
    if shuffle is None:
        raise AssertionError("a contribution without a shuffle")
    return replace(table, shuffle=replace(shuffle, contributions=(*shuffle.contributions, event.contribution)))


@decides(CutCards)
def cut_cards(table: Table, game: Game, command: CutCards) -> Decision:
    shuffle, settings, person = table.shuffle, table.settings, table.people.get(command.by)
    if shuffle is None or settings is None or not is_pending(table):
        return Refusal(
            "no cards are waiting to be cut", "Cut when the next shuffle has been committed to", cite(game, "cut")
        )
    if settings.equipment.setup == "continuous-shuffler" or game.reshuffled:
        return Refusal("these cards are not cut", clause=cite(game, "shuffle"))
    if person is None or person.seat is None:
        return Refusal(f"{command.by} is not seated, and a standing patron does not cut", clause=cite(game, "cut"))
    if shuffle.cut_by:
        return Refusal(f"{shuffle.cut_by} has cut the cards", clause=cite(game, "cut"))
    behind, most = (
        settings.cut_reserve if command.behind is None else command.behind,
        settings.cards - settings.burn - 1,
    )
    if not 1 <= behind <= most:
        return Refusal(f"{behind} cards behind the cutting card", f"From 1 to {most} are possible", cite(game, "cut"))
    return [CutMade(number=shuffle.number, person=command.by, behind=behind, **about(command, cite(game, "cut")))]


@evolves(CutMade)
def cut_made(table: Table, event: CutMade) -> Table:
    if table.shuffle is None:
        raise AssertionError("a cut without a shuffle")
    return replace(table, shuffle=replace(table.shuffle, cut_by=event.person, cut_behind=event.behind))


@decides(RevealShuffle)
def reveal_shuffle(table: Table, game: Game, command: RevealShuffle) -> Decision:
    shuffle, refusal = table.shuffle, not_to_be_revealed(table, game)
    if refusal is not None or shuffle is None or shuffle.mix is None:
        return refusal or Refusal("no shuffle is waiting to be revealed")
    secret = secret_of(command.secret)
    if secret is None or commitment(shuffle.mix.table, shuffle.number, secret) != shuffle.commitment:
        return Refusal("this is not the secret that was committed to", "Reveal the one that was", "RUL-6")
    return [ShuffleRevealed(number=shuffle.number, secret=command.secret, **about(command, "RUL-6"))]


def not_to_be_revealed(table: Table, game: Game) -> Refusal | None:
    """Why nothing may be revealed now, whatever the secret is."""
    if table.shuffle is None or table.shuffle.secret:
        return Refusal("no shuffle is waiting to be revealed")
    if table.round is not None:
        return Refusal(
            "a round is in progress", "The shuffle is revealed when the shoe is over", cite(game, "end-of-shoe")
        )
    if table.shuffle.mix is None:
        return Refusal(
            "no shoe has been made of this shuffle",
            "Load it first: a commitment that is given up would let the house choose",
            "RUL-6",
        )
    return None


@evolves(ShuffleRevealed)
def shuffle_revealed(table: Table, event: ShuffleRevealed) -> Table:
    if table.shuffle is None:
        raise AssertionError("a secret without a shuffle")
    return replace(table, shuffle=replace(table.shuffle, secret=event.secret))


def not_committed(table: Table) -> Refusal | None:
    """An electronic shoe is loaded with a shuffle that has been committed to, and with no other."""
    shuffle = table.shuffle
    if table.settings is None or not table.settings.electronic_shoe:
        return None
    if shuffle is None or shuffle.mix is not None or shuffle.secret:
        return Refusal("no shuffle has been committed to", "Publish a commitment first", "RUL-6")
    return None


def still_sealed(table: Table) -> Refusal | None:
    """A table does not close on a shuffle that nobody can check, nor on a commitment that would be given up."""
    if table.shuffle is None or table.shuffle.secret:
        return None
    remedy = "Reveal it first" if table.shuffle.mix else "Load the shoe that it was made for, and reveal it"
    return Refusal(f"the shuffle of shoe {table.shuffle.number} has not been revealed", remedy, "RUL-6")


def is_pending(table: Table) -> bool:
    """Has a shuffle been committed to that is not in a shoe yet? Then nothing that it follows from may change."""
    return table.shuffle is not None and not table.shuffle.secret and table.shuffle.mix is None
