"""Wrong answers of the course, as bugs to find: those that a card names, and a card for every exercise of its own."""

from __future__ import annotations

import ast
import io
import random
import tokenize
from functools import cache

from autograder.drills.deck.course import Exercise, Program, exercises, reference
from autograder.drills.deck.course_tasks import task_in
from autograder.drills.deck.model import Card, CardError
from autograder.drills.deck.topics import all_topics
from autograder.exercises.catalogue import Answer, answers_for, has_answers

ASK = {
    "en": "A wrong answer to the exercise {function}. The task: {task}\nWhere is the mistake, and of which class?",
    "zh": "这是练习 {function} 的一份错误答案。任务：{task}\n错在哪一行？属于哪一类？",
}
WHY = {
    "en": "The verdict below is what the course says to whoever hands this in.",
    "zh": "下面的判定就是交出这份答案的人在课程里读到的内容。",
}


def cards_of_the_course() -> list[Card]:
    """A card for every exercise that has catalogued answers; a wrong one is drawn each time that it is asked.

    A new unit, or a new wrong answer, is asked about without a line in any file of cards.
    """
    return [_card(exercise) for exercise in exercises.all_exercises() if exercise.topics and has_answers(exercise)]


def _card(exercise: Exercise) -> Card:
    """Under the first of the exercise's lines that its unit has reached."""
    topics = all_topics()
    brought = [name for name in exercise.topics if name in topics and topics[name].unit <= exercise.unit]
    topic = (brought or [name for name in exercise.topics if name in topics])[0]
    text = {
        language: {
            "ask": ASK[language].format(function=exercise.function, task=task_in(exercise, language)),
            "why": WHY[language],
        }
        for language in ASK
    }
    name = f"{topic.lower()}.find_in_{exercise.id.replace('.', '_')}"
    source = f"the course's catalogue of wrong answers, {exercise.unit}"
    return Card(name, "bug", topic, text, {"exercise": exercise.id}, source)


def drawn_answer(card: Card, rng: random.Random) -> str:
    """The name of the answer that a card asks about: its own, or one of the exercise's wrong ones."""
    if "answer" in card.data:
        return card.data["answer"]
    return rng.choice([answer.name for answer in _answers(card).values() if answer.outcome == "Wrong"])


def program_of(card: Card, answer: str) -> Program:
    """The answer as a submission. Raises: CardError where the catalogue has none of this name."""
    found = _answers(card)
    if answer not in found:
        raise CardError(card.file, card.id, "answer", f"no such answer; there are {', '.join(found)}.")
    return found[answer].program


def constants_of(program: Program) -> dict[str, str]:
    """Constants of the course that an answer uses, by name, as Python writes them: a reader sees the kernel alone."""
    used = {node.id for node in ast.walk(ast.parse(program.source)) if isinstance(node, ast.Name)}
    assigned = [
        node for piece in program.setup for node in ast.parse(piece.source).body if isinstance(node, ast.Assign)
    ]
    return {
        target.id: ast.unparse(node.value)
        for node in assigned
        for target in node.targets
        if isinstance(target, ast.Name) and target.id in used and isinstance(node.value, ast.Constant)
    }


@cache
def _right_sources(exercise_id: str) -> tuple[str, ...]:
    exercise = exercises.find(exercise_id)
    solution = reference.solution_program(exercise)
    catalogued = tuple(answer.program.source for answer in answers_for(exercise) if answer.outcome == "Passed")
    return catalogued + ((solution.source,) if solution else ())


def right_sources(card: Card) -> tuple[str, ...]:
    """The right answers to the card's exercise, as text: those of the catalogue, and the course's own where it is."""
    return _right_sources(card.data["exercise"])


def _answers(card: Card) -> dict[str, Answer]:
    """The catalogued answers to the card's exercise, by name."""
    try:
        exercise = exercises.find(card.data["exercise"])
    except exercises.UnknownExerciseError as error:
        raise CardError(card.file, card.id, "exercise", str(error)) from error
    return {answer.name: answer for answer in answers_for(exercise)}


def without_comments(source: str) -> str:
    """The same lines without what their author says about them, which might give a mistake away."""
    lines = source.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column].rstrip()
    return "\n".join(lines) + "\n"
