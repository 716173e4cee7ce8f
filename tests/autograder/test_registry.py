"""The catalogue of exercises: found by id, listed by unit, and helpful about ids that do not exist."""

import pytest

from autograder import exercises
from autograder.exercises.catalogue import CatalogueError, answers_for, right, wrong


def test_every_exercise_is_found_by_its_id():
    assert list(exercises.all_exercises()) == [exercises.find(exercise.id) for exercise in exercises.all_exercises()]


def test_a_typing_mistake_is_answered_with_the_nearest_id():
    with pytest.raises(exercises.UnknownExerciseError, match="vector_add.vector_add") as caught:
        exercises.find("vector_ad.vector_add")
    assert "vector_add.vector_add" in caught.value.nearest


def test_the_right_name_in_the_wrong_unit_is_found_too():
    with pytest.raises(exercises.UnknownExerciseError) as caught:
        exercises.find("zzzzzzzzzzzzzzzzzzzzzzzz.device_sum")
    assert "reductions.device_sum" in caught.value.nearest


def test_an_id_like_nothing_points_to_the_list():
    with pytest.raises(exercises.UnknownExerciseError, match="warpbook list"):
        exercises.find("0000000000")


def test_one_unit_can_be_had_alone():
    assert exercises.units()["01_vector_add"] == exercises.of_unit("01_vector_add")
    with pytest.raises(exercises.UnknownExerciseError, match="01_vector_add"):
        exercises.of_unit("01_vector_ad")


def test_units_partition_the_exercises_in_course_order():
    by_unit = exercises.units()
    assert list(exercises.all_exercises()) == [exercise for unit in by_unit.values() for exercise in unit]
    assert all(exercise.unit == unit for unit, members in by_unit.items() for exercise in members)


def test_the_answers_of_an_exercise_are_found_by_its_id():
    answers = answers_for(exercises.find("vector_add.vector_add"))
    assert {"Passed", "Wrong"} == {answer.outcome for answer in answers}


def test_an_answer_keeps_its_lines_and_loses_the_catalogues_decorator():
    answer = next(a for a in answers_for(exercises.find("vector_add.vector_add")) if a.name == "no_guard")
    program = answer.program
    assert "@cuda.jit" == program.source.splitlines()[0]
    assert program.context.splitlines()[program.first_line - 1] == "@cuda.jit"


def test_two_answers_of_one_name_are_refused():
    def answer(): ...

    right("twice")(answer)
    with pytest.raises(CatalogueError, match="'twice'"):
        right("twice")(answer)


def test_a_wrong_answer_must_say_what_a_learner_reads():
    with pytest.raises(CatalogueError, match="'mute'"):
        wrong("mute", misconception="no_guard", says="")
