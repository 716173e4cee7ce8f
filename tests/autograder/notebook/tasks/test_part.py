"""The part of an array that a task's picture shows, by the numbers that its places have in the whole."""

import dataclasses

import numpy as np
import pytest

from autograder import exercises
from autograder.notebook.task import task_of
from autograder.notebook.tasks import figure
from autograder.notebook.tasks.part import TaskPart

WHOLE = np.arange(24).reshape(2, 3, 4)


def test_an_axis_of_which_one_place_is_shown_takes_no_room():
    part = TaskPart(WHOLE.shape, ((1,), None, (0, 3)))

    assert [[12, 15], [16, 19], [20, 23]] == part.of(WHOLE).tolist()
    assert ((0, 1, 2), (0, 3)) == part.numbers
    assert [7] == TaskPart((2, 8), ((0,), (7,))).of(np.arange(16).reshape(2, 8)).tolist()


def test_an_element_is_found_both_ways_and_one_that_is_not_shown_is_nowhere():
    part = TaskPart(WHOLE.shape, ((1,), None, (0, 3)))

    assert (1, 2, 3) == part.place((2, 1)) and (2, 1) == part.inside((1, 2, 3))
    assert part.inside((0, 2, 3)) is None and part.inside((1, 2, 2)) is None


def test_what_is_not_shown_is_zero_and_the_rest_stays():
    alone = TaskPart(WHOLE.shape, ((1,), None, (0, 3))).alone(WHOLE)

    assert (np.count_nonzero(alone), alone.sum()) == (6, 12 + 15 + 16 + 19 + 20 + 23)


def test_places_along_fewer_axes_than_there_are_are_refused():
    with pytest.raises(ValueError, match="name the places along each axis"):
        TaskPart(WHOLE.shape, (None, None))


@pytest.mark.parametrize(
    ("exercise_id", "sentence"),
    [
        ("engine_kernels.conv_tile", "sums[6, 0] needs src[0, 2, 0] to src[0, 10, 0] and all that is shown of weights"),
        ("language_models.rotate_pairs", "dst[0, 0, 64] needs src[0, 0, 0], src[0, 0, 64], places[0] and speeds[0]"),
        ("language_models.merge_splits", "out[0, 1] needs parts[0, 0, 1], parts[1, 0, 1], parts[2, 0, 1], logs"),
    ],
)
def test_a_head_of_128_and_a_line_of_32_channels_have_a_picture_that_says_what_an_element_needs(exercise_id, sentence):
    assert sentence in figure.words(task_of(exercises.find(exercise_id)))


def test_numbers_of_a_part_can_be_worked_out_by_hand():
    task = task_of(exercises.find("engine_kernels.conv_tile"))
    src, weights = np.pad(task.inputs["src"].astype(int), 4), task.inputs["weights"].astype(int)

    expected = [src[i : i + 9] @ weights for i in range(12)]  # rows of the window are 3 apart, as its columns are long
    assert expected == task.outputs["sums"].tolist()


def test_an_array_may_be_left_out():
    exercise = exercises.find("language_models.attention_pages")
    task = task_of(exercise)

    assert "pages" not in task.inputs and "keys" in task.inputs
    assert task_of(dataclasses.replace(exercise, shown=None)) is None
