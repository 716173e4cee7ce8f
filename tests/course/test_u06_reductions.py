"""What unit 06 says of itself: costs are counted, sums repeat, ties are broken as NumPy breaks them."""

import numpy as np

from autograder.contract import Case
from autograder.exercises.u06_reductions import EXERCISES
from autograder.running import buffers, run_simt
from tests.course.profiles import counted, rows_of
from tools.check_exercises import solution_of

BY_FUNCTION = {exercise.function: exercise for exercise in EXERCISES}


def test_a_sum_without_atomics_has_the_same_bits_in_any_order_of_blocks():
    exercise = BY_FUNCTION["device_sum"]
    case = Case({"n": 1 << 16, "blocks": 61}, "general")
    values = buffers.make_values(exercise, case)
    totals = set()
    for seed in range(4):
        answer, start = solution_of(exercise).load()[1], buffers.fresh(exercise, values, 0)
        run = run_simt.run(exercise, answer, start, traced=False, seed=seed, seconds=20)
        totals.add(run.outputs["total"].tobytes())

    assert 1 == len(totals)


def test_the_largest_of_a_warp_is_what_numpy_says_for_nan_infinities_and_ties():
    exercise = BY_FUNCTION["argmax"]
    values = buffers.make_values(exercise, Case({"n": 3001, "blocks": 3}, "special"))
    expected = exercise.oracle(values)
    warp = np.arange(3001) % (3 * 256) // 32
    for w in range(24):
        mine = np.flatnonzero(warp == w)

        assert mine[np.argmax(values["src"][mine])] == expected["index"][w]


def test_the_profile_that_the_unit_asks_about_is_what_its_solutions_count():
    rungs = dict(zip("DCAEB", list(BY_FUNCTION)[:5], strict=True))
    blocks = {"many_per_thread": {"blocks": 4}, "warp_sum": {"blocks": 4}}
    counters = "global_load_requests shared_load_requests shared_load_wavefronts barriers atomic_operations".split()

    for name, *told in rows_of("06_reductions"):
        sizes = {"n": 8192, **blocks.get(rungs[name], {})}
        assert told == counted(BY_FUNCTION[rungs[name]], None, sizes, counters), name
