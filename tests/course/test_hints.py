"""Hints: every mistake has a ladder of four steps, the most particular one; a file that is wrong says where."""

import re

import pytest

from autograder import exercise, exercises
from autograder.exercises import hints
from autograder.exercises.catalogue import answers_for
from autograder.exercises.hints import COMMON, HintsError, ladders_of, with_hints

ALL = exercises.all_exercises()
ONE = exercises.find("vector_add.blend")


def read(tmp_path, text):
    """The ladders of a file with this text."""
    path = tmp_path / "hints.md"
    path.write_text(text)
    return ladders_of(path)


@pytest.mark.parametrize("exercise", ALL, ids=lambda exercise: exercise.id)
def test_every_catalogued_mistake_has_a_ladder(exercise):
    mistakes = {answer.misconception for answer in answers_for(exercise) if answer.misconception}

    assert set() == mistakes - {hint.misconception for hint in exercise.hints}


@pytest.mark.parametrize("exercise", ALL, ids=lambda exercise: exercise.id)
def test_every_ladder_has_four_steps_and_every_exercise_one_to_start_with(exercise):
    assert "start" in {hint.misconception for hint in exercise.hints}
    assert [] == [hint.misconception for hint in exercise.hints if len(hint.ladder) != 4]


@pytest.mark.parametrize("exercise", ALL, ids=lambda exercise: exercise.id)
def test_who_asks_for_a_start_is_led_to_this_exercise_and_no_other(exercise):
    start = {hint.misconception: hint.ladder for hint in exercise.hints}["start"]
    others = [other for other in ALL if other.id != exercise.id]
    assert [] == [other.id for other in others if any(start == hint.ladder for hint in other.hints)]


def test_an_exercises_own_ladder_goes_before_the_common_one():
    question = exercise("vector_add.blend")
    ladder = question._ladder("float64_arithmetic")
    (common,) = (each.hint for each in ladders_of(COMMON) if each.misconception == "float64_arithmetic")

    assert common != ladder
    assert ladder in question.exercise.hints


def test_sentences_on_lines_of_their_own_are_one_step_and_the_skeleton_keeps_its_lines(tmp_path):
    text = (
        "# Hints\n\n## no_guard\n\n1. How many?\n   Count them.\n2. Spare.\n\n```python\nif i < n:\n\n    # here\n```\n"
    )

    (ladder,) = read(tmp_path, text)

    assert ("How many? Count them.", "Spare.", "if i < n:\n\n    # here") == ladder.hint.ladder
    assert ((), 3) == (ladder.exercises, ladder.line)


def test_an_exercises_ladder_goes_before_its_units(tmp_path):
    module = tmp_path / "__init__.py"
    read(tmp_path, "# Hints\n\n## start\n\n1. For all.\n\n# blend\n\n## start\n\n1. For blend.\n")

    (found,) = with_hints(str(module), ONE)

    assert ("For blend.",) == found.hints[0].ladder
    assert len(found.hints) == len({hint.misconception for hint in found.hints})


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("# Hints\n\nWords.\n", 3, "belongs to no ladder"),
        ("# Hints\n\n## a\n\n1. One.\n3. Three.\n", 6, "step 3 follows step 1"),
        ("# Hints\n\n## a\n\nWords.\n", 5, "belongs to no step"),
        ("# Hints\n\n## a\n\n1. One.\n\n## a\n\n1. One.\n", 7, "second ladder for a; the first is in line 3"),
        ("# Hints\n\n# f\n\n## a\n\n# f, g\n\n## a\n", 9, "second ladder for a"),
        ("# Hints\n\n## a\n\n1. One.\n\n```python\ni = 1\n", 7, "never closed"),
        ("# Hints\n\n## a\n\n```python\ni = 1\n```\n\n1. One.\n", 9, "belongs to no ladder"),
    ],
)
def test_a_file_of_another_form_is_refused_with_its_line(tmp_path, text, line, says):
    with pytest.raises(HintsError, match=f"hints.md:{line}: .*{re.escape(says)}") as caught:
        read(tmp_path, text)

    assert line == caught.value.line


def test_hints_for_an_exercise_that_the_unit_lacks_are_refused(tmp_path):
    read(tmp_path, "# Hints\n\n# blendd\n\n## start\n\n1. Look.\n")

    with pytest.raises(HintsError, match="has no exercise blendd"):
        with_hints(str(tmp_path / "__init__.py"), ONE)


def test_a_unit_without_hints_is_told_what_to_write(tmp_path):
    with pytest.raises(HintsError, match="there is no such file"):
        hints.with_hints(str(tmp_path / "__init__.py"), ONE)
