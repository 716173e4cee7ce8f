"""What unit 04 says of itself: layouts fit, oracles agree."""

import numpy as np
import pytest

from autograder.contract import Case
from autograder.exercises.u04_shared_memory import EXERCISES
from autograder.exercises.u04_shared_memory.naive import transpose_naive
from autograder.exercises.u04_shared_memory.values import blur
from autograder.running import buffers, run_simt
from tests.course.profiles import counted, rows_of
from tools.check_exercises import solution_of

BY_FUNCTION = {exercise.function: exercise for exercise in EXERCISES}
PAIRS = [(row, col) for row in range(32) for col in range(32)]


def test_the_swizzle_gives_every_element_a_word_of_its_own_and_every_column_all_banks():
    place = solution_of(BY_FUNCTION["transpose_swizzled"]).load()[1].py_func.__globals__["place"].py_func
    words = {pair: place(*pair) for pair in PAIRS}

    assert set(range(1024)) == set(words.values())
    for col in range(32):
        assert 32 == len({words[row, col] % 32 for row in range(32)})


@pytest.mark.parametrize(("pitch", "banks"), [(32, 1), (33, 32), (34, 16), (35, 32)])
def test_a_column_uses_as_many_banks_as_the_unit_says_of_each_row_length(pitch, banks):
    assert banks == len({pitch * row % 32 for row in range(32)})


def test_the_oracle_of_the_blur_is_25_products_a_pixel():
    src = buffers.make_values(BY_FUNCTION["blur_5x5"], Case({"n_rows": 7, "n_cols": 9}, "general"))["src"]
    weights = np.outer([1, 4, 6, 4, 1], [1, 4, 6, 4, 1]) / 256
    padded = np.pad(src.astype(np.float64), 2, mode="edge")
    direct = [[(padded[r : r + 5, c : c + 5] * weights).sum() for c in range(9)] for r in range(7)]

    np.testing.assert_allclose(blur(src), direct, rtol=1e-12, atol=1e-12)


def test_both_blurs_of_exact_pictures_have_the_same_bits():
    case = Case({"n_rows": 17, "n_cols": 101})
    pictures = []
    for function in ("blur_5x5", "blur_separable"):
        exercise = BY_FUNCTION[function]
        values = buffers.make_values(BY_FUNCTION["blur_5x5"], case)
        run = run_simt.run(
            exercise,
            solution_of(exercise).load()[1],
            buffers.fresh(exercise, values, 0),
            traced=False,
            seed=0,
            seconds=20,
        )
        pictures.append(run.outputs["dst"].tobytes())

    assert pictures[0] == pictures[1]


def test_the_profile_that_the_unit_asks_about_is_what_its_kernels_count():
    kernels = {"A": "transpose_tiled", "C": "transpose_fast", "D": "transpose_padded"}
    counters = "global_store_requests global_store_sectors shared_load_requests shared_load_wavefronts barriers".split()
    sizes = {"n_rows": 256, "n_cols": 256}

    for name, *told in rows_of("04_shared_memory"):
        exercise = BY_FUNCTION[kernels.get(name, "transpose_tiled")]
        assert told == counted(exercise, transpose_naive if name == "B" else None, sizes, counters), name
    swizzled = counted(BY_FUNCTION["transpose_swizzled"], None, sizes, counters)
    assert swizzled == counted(BY_FUNCTION["transpose_padded"], None, sizes, counters)
