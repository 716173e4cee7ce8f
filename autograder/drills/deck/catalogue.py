"""Wrong answers of the course, as bugs to find."""

from __future__ import annotations

from autograder.drills.deck.course import Program, exercises
from autograder.drills.deck.model import Card, CardError
from autograder.exercises.catalogue import answers_for


def program_of(card: Card) -> Program:
    """The answer that the card names. Raises: CardError where the catalogue has none of this name."""
    try:
        exercise = exercises.find(card.data["exercise"])
    except exercises.UnknownExerciseError as error:
        raise CardError(card.file, card.id, "exercise", str(error)) from error
    answers = {answer.name: answer for answer in answers_for(exercise)}
    if card.data["answer"] not in answers:
        raise CardError(card.file, card.id, "answer", f"no such answer; there are {', '.join(answers)}.")
    return answers[card.data["answer"]].program
