"""The shuffle of an electronic shoe: committed to, contributed to, and revealed when the shoe is over.

The order itself is in no event and in no state. Whoever keeps the secret works it out (`electronic`), and each card
comes in with the command that draws it; when the secret is revealed, everybody can check that they were the right ones.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.fairness.shuffle import VALUE_CHARACTERS, Contribution, commitment, is_digest, secret_of
from longhu.games.game import Game
from longhu.messages.message import Message, message_code
from longhu.positions import Position
from longhu.table.document import cite
from longhu.table.messages import (
    FINISH_ROUND_FIRST,
    POSSIBLE_RANGE,
    ROUND_IN_PROGRESS,
    TABLE_NOT_OPEN,
    Command,
    decides,
    evolves,
)
from longhu.table.state import Shuffle, Table, public_id
from longhu.table.suspension import is_suspended

SHOE_SHUFFLED_BY_HAND = message_code("shoe-shuffled-by-hand")
SHUFFLE_NOT_REVEALED = message_code("shuffle-not-revealed", number="number")
REVEAL_IT_FIRST = message_code("reveal-it-first")
LOAD_SHOE_OF_SHUFFLE = message_code("load-shoe-of-shuffle")
LOAD_AND_REVEAL = message_code("load-and-reveal")
COMMITMENT_WRONG = message_code("commitment-wrong")
NO_OPEN_SHUFFLE = message_code("no-open-shuffle")
CONTRIBUTE_TO_NEXT = message_code("contribute-to-next")
NOT_SEATED = message_code("not-seated", person="person")
TAKE_A_SEAT = message_code("take-a-seat")
CONTRIBUTED_ALREADY = message_code("contributed-already")
CONTRIBUTION_EMPTY = message_code("contribution-empty")
CONTRIBUTION_TOO_LONG = message_code("contribution-too-long", characters="number", most="number")
CONTRIBUTION_NOT_PRINTABLE = message_code("contribution-not-printable")
NO_CARDS_TO_CUT = message_code("no-cards-to-cut")
CUT_NEXT_SHUFFLE = message_code("cut-next-shuffle")
CARDS_NOT_CUT = message_code("cards-not-cut")
CARDS_CUT_ALREADY = message_code("cards-cut-already", patron="person")
NO_SHUFFLE_TO_REVEAL = message_code("no-shuffle-to-reveal")
SECRET_WRONG = message_code("secret-wrong")
REVEAL_COMMITTED_SECRET = message_code("reveal-committed-secret")
SHUFFLE_WITHOUT_SHOE = message_code("shuffle-without-shoe")
LOAD_IT_FIRST = message_code("load-it-first")
NO_SHUFFLE_COMMITTED = message_code("no-shuffle-committed")
PUBLISH_COMMITMENT_FIRST = message_code("publish-commitment-first")
STANDING_MAY_NOT_CUT = message_code("standing-may-not-cut", patron="person")
CUT_OUT_OF_RANGE = message_code("cut-out-of-range", behind="number")
STAYS_AS_MADE = message_code("stays-as-made")


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
        return Refusal(TABLE_NOT_OPEN())
    if not settings.virtual_shoe:
        return Refusal(SHOE_SHUFFLED_BY_HAND(), clause=cite(game, "shuffle"))
    if table.round is not None:
        return Refusal(ROUND_IN_PROGRESS(), FINISH_ROUND_FIRST(), cite(game, "shuffle"))
    if table.shuffle is not None and not table.shuffle.secret:
        return Refusal(
            SHUFFLE_NOT_REVEALED(number=table.shuffle.number),
            REVEAL_IT_FIRST() if table.shuffle.mix else LOAD_SHOE_OF_SHUFFLE(),
            "RUL-6",
        )
    if (suspended := is_suspended(table)) is not None:
        return suspended
    if not is_digest(command.commitment):
        return Refusal(COMMITMENT_WRONG(), clause="RUL-6")
    return [ShuffleCommitted(number=table.shoes + 1, commitment=command.commitment, **about(command, "RUL-6"))]


@evolves(ShuffleCommitted)
def shuffle_committed(table: Table, event: ShuffleCommitted) -> Table:
    return replace(table, shuffle=Shuffle(event.number, event.commitment))


@decides(Contribute)
def contribute(table: Table, _game: Game, command: Contribute) -> Decision:
    shuffle, person = table.shuffle, table.people.get(command.by)
    if shuffle is None or shuffle.mix or shuffle.secret:
        return Refusal(NO_OPEN_SHUFFLE(), CONTRIBUTE_TO_NEXT())
    if person is None or person.seat is None:
        return Refusal(NOT_SEATED(person=command.by), TAKE_A_SEAT())
    label = public_id(table, command.by)  # everybody makes the shuffle again from it, and nobody learns who it was
    if any(each.person == label for each in shuffle.contributions):
        return Refusal(CONTRIBUTED_ALREADY(), STAYS_AS_MADE())
    if (problem := unfit(command.value)) is not None:
        return Refusal(problem)
    made = ContributionMade(
        number=shuffle.number, contribution=Contribution(label, command.value), **about(command, "RUL-6")
    )
    return [made]


def unfit(value: str) -> Message | None:
    """Why a text cannot be a contribution, None where it can."""
    if not value:
        return CONTRIBUTION_EMPTY()
    if len(value) > VALUE_CHARACTERS:
        return CONTRIBUTION_TOO_LONG(characters=len(value), most=VALUE_CHARACTERS)
    return None if value.isprintable() else CONTRIBUTION_NOT_PRINTABLE()


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
        return Refusal(NO_CARDS_TO_CUT(), CUT_NEXT_SHUFFLE(), cite(game, "cut"))
    if settings.equipment.setup == "continuous-shuffler" or game.reshuffled:
        return Refusal(CARDS_NOT_CUT(), clause=cite(game, "shuffle"))
    if person is None or person.seat is None:
        return Refusal(STANDING_MAY_NOT_CUT(patron=command.by), clause=cite(game, "cut"))
    if shuffle.cut_by:
        return Refusal(CARDS_CUT_ALREADY(patron=shuffle.cut_by), clause=cite(game, "cut"))
    behind, most = (
        settings.cut_reserve if command.behind is None else command.behind,
        settings.cards - settings.burn - 1,
    )
    if not 1 <= behind <= most:
        return Refusal(CUT_OUT_OF_RANGE(behind=behind), POSSIBLE_RANGE(least=1, most=most), cite(game, "cut"))
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
        return refusal or Refusal(NO_SHUFFLE_TO_REVEAL())
    secret = secret_of(command.secret)
    if secret is None or commitment(shuffle.mix.table, shuffle.number, secret) != shuffle.commitment:
        return Refusal(SECRET_WRONG(), REVEAL_COMMITTED_SECRET(), "RUL-6")
    return [ShuffleRevealed(number=shuffle.number, secret=command.secret, **about(command, "RUL-6"))]


def not_to_be_revealed(table: Table, game: Game) -> Refusal | None:
    """Why nothing may be revealed now, whatever the secret is."""
    if table.shuffle is None or table.shuffle.secret:
        return Refusal(NO_SHUFFLE_TO_REVEAL())
    if table.round is not None:
        return Refusal(ROUND_IN_PROGRESS(), FINISH_ROUND_FIRST(), cite(game, "end-of-shoe"))
    if table.shuffle.mix is None:
        return Refusal(
            SHUFFLE_WITHOUT_SHOE(),
            LOAD_IT_FIRST(),
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
    if table.settings is None or not table.settings.virtual_shoe:
        return None
    if shuffle is None or shuffle.mix is not None or shuffle.secret:
        return Refusal(NO_SHUFFLE_COMMITTED(), PUBLISH_COMMITMENT_FIRST(), "RUL-6")
    return None


def still_sealed(table: Table) -> Refusal | None:
    """A table does not close on a shuffle that nobody can check, nor on a commitment that would be given up."""
    if table.shuffle is None or table.shuffle.secret:
        return None
    remedy = REVEAL_IT_FIRST() if table.shuffle.mix else LOAD_AND_REVEAL()
    return Refusal(SHUFFLE_NOT_REVEALED(number=table.shuffle.number), remedy, "RUL-6")


def is_pending(table: Table) -> bool:
    """Has a shuffle been committed to that is not in a shoe yet? Then nothing that it follows from may change."""
    return table.shuffle is not None and not table.shuffle.secret and table.shuffle.mix is None
