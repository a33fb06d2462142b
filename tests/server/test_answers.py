"""What is remembered of commands and their answers: those on their way all, of the others the last."""

from __future__ import annotations

from longhu.server.tables.answers import ANSWERS, Answers
from longhu.server.tables.asked import Asked

from longhu.server.streams.outcomes import Committed
from longhu.table.betting import PlaceWager

WAGER = PlaceWager(by="ann", at=0, place=1, wager="dragon", amount=100)


def done(answers: Answers, number: int) -> None:
    asked = Asked(WAGER, f"c{number}")
    answers.asked(asked)
    answers.answered(asked, Committed(number, number))


def test_what_is_on_its_way_is_found_until_it_is_answered() -> None:
    answers, asked = Answers(), Asked(WAGER, "c")
    assert answers.before("c") is None
    answers.asked(asked)
    assert answers.before("c") is asked
    answers.answered(asked, Committed(3, 4))
    assert answers.before("c") == Committed(3, 4)


def test_of_the_answers_the_last_are_remembered_and_not_many_more() -> None:
    answers, waits = Answers(), Asked(WAGER, "waits")
    answers.asked(waits)
    for number in range(10 * ANSWERS):
        done(answers, number)
        oldest = max(0, number - ANSWERS + 1)
        assert answers.before(f"c{oldest}") == Committed(oldest, oldest)
        assert answers.before(f"c{number - 2 * ANSWERS}") is None
    assert answers.before("waits") is waits


def test_what_came_to_nothing_may_be_asked_again() -> None:
    answers, asked = Answers(), Asked(WAGER, "c")
    answers.asked(asked)
    answers.forget("c")
    assert answers.before("c") is None


def test_what_nobody_asked_is_not_remembered() -> None:
    """The house takes steps by itself, each under an id that says what it follows."""
    answers = Answers()
    answers.answered(Asked(WAGER, "auto:7"), Committed(8, 8))
    assert answers.before("auto:7") is None
