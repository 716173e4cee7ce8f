"""The picture of a task shows what the oracle asks for, and runs nobody's code."""

from __future__ import annotations

import dataclasses
import json
import re

import numpy as np
import pytest

from autograder import exercise as question
from autograder import exercises
from autograder.answer.reference import solved
from autograder.notebook.task import table_of, task_of
from autograder.notebook.tasks import calls as task_calls
from autograder.notebook.tasks import figure as task_figure
from tests.course.test_recorded_tasks import SHOWN_BY_THE_TEXT

TOO_LARGE = (
    *(f"atomics.histogram_{which}" for which in ("global", "shared", "copies", "adaptive")),  # 256 counters and more
    *SHOWN_BY_THE_TEXT,  # heads of 32 numbers
    "compression.count_digits",  # 256 counts
    "compression.digit_of",
    "irregular.mandelbrot",  # of a few pixels, all far outside
    "irregular.mandelbrot_queue",
)
FROM_NOTHING = ("irregular.random_numbers", "irregular.count_draws")  # but two numbers
WITH_ARRAYS = [
    one
    for one in exercises.all_exercises()
    if any(argument.shape for argument in one.arguments)
    and not one.stand_ins
    and one.id not in (*TOO_LARGE, *FROM_NOTHING)
]


def needs(exercise_id: str, *element) -> tuple:
    task = task_of(exercises.find(exercise_id))
    return task.needs.get((element[0], element[1:]), ())


def test_an_element_needs_what_changes_it():
    assert (("src", (4,)), ("src", (5,))) == needs("vector_add.forward_difference", "dst", 4)
    assert () == needs("vector_add.forward_difference", "dst", 7)
    assert (("src", (0, 2)),) == needs("shared_memory.transpose_tiled", "dst", 2, 0)
    assert (("row", (2,)), ("col", (1,))) == needs("indexing.broadcast_add", "dst", 1, 2)


def test_what_is_compared_with_a_limit_may_change_the_result_by_falling_only():
    assert tuple(("src", (i,)) for i in range(8)) == needs("warps.pack_bits", "words", 0)
    assert (("src", (1, 0)), ("src", (1, 1))) == needs("warps.first_above", "first", 1)


def test_the_title_tells_of_an_element_that_needs_something():
    exercise = exercises.find("warps.count_matched")

    assert task_figure.words(task_of(exercise)).splitlines()[4].startswith("hist[6] needs keys[0]")


def test_an_array_that_is_read_and_written_stands_on_both_sides():
    assert (("x", (4,)), ("y", (4,))) == needs("indexing.saxpy", "y", 4)
    assert "y after" in task_figure.words(task_of(exercises.find("indexing.saxpy")))


@pytest.mark.parametrize("exercise", WITH_ARRAYS, ids=lambda one: one.id)
def test_every_exercise_on_arrays_has_a_picture_with_words(exercise):
    task = task_of(exercise)
    figure = task_figure.draw(exercise, task)

    assert task.needs and "needs" in figure.words and exercise.function in figure.alt
    assert all(np.isfinite(one[one == one]).all() for one in task.inputs.values())


@pytest.mark.parametrize("exercise_id", TOO_LARGE)
def test_a_task_of_too_many_elements_has_no_picture(exercise_id):
    assert task_of(exercises.find(exercise_id)) is None


def test_show_draws_the_task_before_there_is_an_answer(capsys):
    figure = question("vector_add.vector_add").show()

    assert "out[4] needs a[4] and b[4]" in figure.words
    assert question("vector_add.blocks_for").show() is None
    assert "has no picture" in capsys.readouterr().out


def told(exercise_id: str) -> dict[str, list[str]]:
    """The rows of the table of a task without a picture, by what they are about."""
    _, rows = table_of(exercises.find(exercise_id))
    return {name: values for name, *values in rows}


def test_a_task_of_numbers_is_shown_as_calls_with_what_they_must_give():
    rows = told("performance.speedups")
    shares, workers = ([float(one.replace(",", "")) for one in rows[name]] for name in ("parallel_share", "workers"))

    assert 4 == len(shares)
    assert [f"{1 / (1 - p + p / n):,.4g}" for p, n in zip(shares, workers, strict=True)] == rows["→ amdahl"]


def test_of_an_array_too_long_to_draw_the_elements_that_are_not_zero_are_told():
    rows = told("atomics.histogram_global")
    (src,), (hist,) = rows["src"], rows["→ hist"]
    expected = [f"hist[{byte}] = {src.count(str(byte))}" for byte in sorted({*json.loads(src)})]

    assert ["256 zeros"] == rows["hist"]
    assert [*expected, "all others 0"] == hist.split(", ")


def test_a_table_of_calls_changes_nothing_that_the_oracle_is_given():
    assert told("atomics.histogram_adaptive") == told("atomics.histogram_adaptive")


def test_an_array_that_starts_as_zeros_is_shown_as_zeros():
    task = task_of(exercises.find("reductions.sum_atomic"))

    assert [0.0] == task.inputs["total"].tolist()
    assert [55.0] == task.outputs["total"].tolist()


def test_the_place_of_the_largest_needs_the_largest_too_which_may_fall_and_not_only_rise():
    task = task_of(exercises.find("reductions.argmax"))
    assert tuple(("src", (k,)) for k in range(8)) == task.needs["index", (0,)]


def test_what_is_needed_of_two_arrays_is_told_of_each_and_boxes_are_as_wide_as_their_numbers():
    convolve = exercises.find("memory_access.convolve")
    figure = task_figure.draw(convolve, task_of(convolve))
    assert "needs 4 elements of src and all of weights" in figure.words
    assert figure.get_size_inches()[0] > task_figure.NARROWEST


def test_the_smallest_key_needs_the_others_too_any_of_which_may_fall_below_it():
    assert 8 == len(needs("scan.radix_sort", "keys", 0))


def test_a_median_needs_all_of_its_numbers_also_where_two_are_equal():
    known = task_of(exercises.find("memory_kinds.median_of_nine"))

    assert {9} == {len(needed) for needed in known.needs.values()}


def test_every_number_of_every_picture_fits_its_box():
    known = [(one.id, task_of(one)) for one in exercises.all_exercises()]
    wide = [
        (name, task_figure._in_a_box(number))
        for name, drawn in known
        if drawn
        for array in (*drawn.inputs.values(), *drawn.outputs.values())
        for number in array.flat
        if len(task_figure._in_a_box(number)) > task_figure.WIDEST + 1
    ]

    assert [] == wide


@pytest.mark.parametrize(
    "number, drawn",
    [
        *(
            (-10.078, "-10.1"),
            (7.774, "7.774"),
            (-0.125, "-0.12"),
            (-123.456, "-123"),
            (-0.0004, "0"),
            (99999, "99999"),
        ),
        *((-99999, "-100k"), (250_000, "250k"), (1_000_000, "1M"), (12_400_000, "12.4M"), (-1_234_567, "-1.2M")),
        *((4_294_967_295, "4.29G"), (4.7e18, "4.7e18"), (-4.7e18, "-5e18"), (np.float32(np.inf), "inf")),
    ],
)
def test_a_box_shows_as_many_digits_as_it_has_room_for(number, drawn):
    assert drawn == task_figure._in_a_box(number)


TALKING = [one for one in exercises.all_exercises() if one.calls]


@pytest.mark.parametrize("asked", TALKING, ids=lambda one: one.id)
def test_a_picture_of_calls_names_what_the_solution_calls_or_defines_in_order(asked):
    source, drawn = solved(asked).source, task_calls.draw(asked)

    assert [] == [what for _, _, what, _ in asked.calls if not re.search(rf"\b{what}\b", source)]
    assert [f"{who} calls {what}" for who, _, what, _ in asked.calls] == [
        line.split(" of ")[0] for line in drawn.words.splitlines() if " calls " in line
    ]
    assert asked.function in drawn.alt


def test_two_columns_stand_for_two_objects_however_often_they_are_called():
    assert ["parser", "creator", "builder", "plugin", "runtime", "context"] == task_calls.names_of(
        exercises.find("engine_runtime.threshold_plugin").calls
    )


def test_an_arrow_never_runs_over_the_numbers_of_a_row_between():
    exercise = exercises.find("streams.two_buffers")
    axes = task_figure.draw(exercise, task_of(exercise)).axes[0]
    arrows = [one for one in axes.texts if getattr(one, "arrow_patch", None)]

    assert arrows and max(one.zorder for one in arrows) < min(one.zorder for one in axes.patches)


def arrows(exercise_id: str) -> list:
    """The arrows of a picture."""
    exercise = exercises.find(exercise_id)
    axes = task_figure.draw(exercise, task_of(exercise)).axes[0]
    return [one for one in axes.texts if getattr(one, "arrow_patch", None)]


def test_neighbours_that_are_needed_together_have_one_arrow():
    assert 2 * 2 == len(arrows("language_models.half_product"))  # two results, each of a row of weights and of x
    assert 3 * 2 == len(arrows("vector_add.vector_add"))


def test_an_array_of_one_long_row_is_folded_and_a_matrix_is_not():
    plan, cells = (
        task_of(exercises.find("engine_runtime.load_plan")),
        task_of(exercises.find("engine_kernels.pack_int8")),
    )

    assert task_figure.FOLDED == task_figure._layout(plan)[1]
    assert cells.outputs["packed"].shape[-1] == task_figure._layout(cells)[1]


def test_chances_shares_and_times_of_a_picture_are_numbers_that_may_come():
    chosen, profile = (
        task_of(exercises.find(f"{one}")) for one in ("language_models.choose_token", "engine_runtime.mend_layers")
    )

    assert "logits" in chosen.inputs and chosen.inputs["chances"].max() < 1
    assert {0, 1} == {*profile.outputs["memory"].tolist()}


def test_a_sentence_names_a_stretch_by_its_ends_all_of_an_array_by_its_name_and_else_counts():
    known = task_of(exercises.find("streams.two_buffers"))
    lstm = task_of(exercises.find("engine_graph.lstm_step"))

    assert "sums[2] needs batches[2, 0] to batches[2, 7]" == task_figure.sentence(("sums", (2,)), known)
    assert "needs x[0, 0], all of h, c[0, 1], 3 elements of w" in task_figure.sentence(("new_c", (0,)), lstm)


def test_what_a_curve_hides_at_its_end_is_needed_all_the_same_and_its_numbers_are_drawn_where_it_rises():
    whole = dataclasses.replace(exercises.find("engine_graph.lstm_step"), shown=None, as_made=())
    lstm = task_of(whole)

    assert 3 == len([one for one, _ in lstm.needs["new_c", (0, 0)] if one == "bias"])
    assert lstm.inputs["x"].max() < 1 and len(np.unique(lstm.outputs["new_h"].round(3))) > 1


def test_two_elements_that_need_the_same_one_frame_it_one_within_the_other():
    exercise = exercises.find("attention.layer_norm")
    frames = [tuple(line.get_xydata()[0]) for line in task_figure.draw(exercise, task_of(exercise)).axes[0].lines]

    assert len(frames) == len(set(frames))


def test_the_head_of_an_arrow_ends_above_its_array_where_no_box_hides_it():
    exercise = exercises.find("attention.softmax_safe")
    known = task_of(exercise)
    places, *_ = task_figure._layout(known)
    axes = task_figure.draw(exercise, known).axes[0]

    assert {places["dst", (0, 0)][1] + 1.4} == {one.xy[1] for one in axes.texts if getattr(one, "arrow_patch", None)}


def test_columns_and_rows_of_an_array_are_numbered():
    exercise = exercises.find("attention.softmax_safe")
    said = [one.get_text() for one in task_figure.draw(exercise, task_of(exercise)).axes[0].texts]

    assert 2 == said.count("src") + said.count("dst") and all(said.count(number) >= 2 for number in "0123")


def test_no_line_of_a_title_ends_within_brackets():
    exercise = exercises.find("attention.bias_gelu_residual")
    lines = task_figure.draw(exercise, task_of(exercise)).axes[0].get_title(loc="left").splitlines()

    assert [] == [line for line in lines if line.count("[") != line.count("]")]


def test_a_graph_is_drawn_as_boxes_that_say_what_their_rows_mean():
    exercise = exercises.find("engine_graph.clean_graph")
    figure = task_figure.draw(exercise, task_of(exercise))
    said = [one.get_text() for one in figure.axes[0].texts]

    assert "3   CONV 3 x 3, pad 1, 8 channels, array 2" in said and "stands_for" in said
    assert "5 reads 1 and 2" in figure.alt and task_figure.words(task_of(exercise)) in figure.words
