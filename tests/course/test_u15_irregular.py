"""What only unit 15 says, held to its kernels and to what others made of the same numbers."""

import numpy as np
import pytest
from numba import cuda

from autograder import exercises
from autograder.exercises import catalogue
from autograder.exercises.u15_irregular import balance, chance_values, fractal_values
from autograder.exercises.u15_irregular.values import matrix
from autograder.running.buffers import make_values
from tests.course.profiles import counted, rows_of
from tools.check_exercises import solution_of


def test_the_profile_that_the_unit_asks_about_is_what_its_kernels_count():
    rows, warps = exercises.find("irregular.spmv_rows"), exercises.find("irregular.spmv_warps")
    runs = next(one for one in catalogue.answers_for(warps) if one.name == "a_run_for_each_lane").program.load()[1]
    kernels = {"A": (warps, runs), "B": (rows, None), "C": (warps, None)}
    counters = "global_load_requests global_load_sectors warp_instructions thread_instructions".split()

    for name, *told in rows_of("15_irregular"):
        exercise, kernel = kernels[name]
        assert told == counted(exercise, kernel, matrix(64, 2048, 512), counters), name


@pytest.mark.parametrize(
    ("counter", "key", "words"),
    [
        ((0, 0), 0, (0xFF1DAE59, 0x6CD10DF2)),
        ((0xFFFFFFFF, 0xFFFFFFFF), 0xFFFFFFFF, (0x2C3F628B, 0xAB4FD7AD)),
        ((0x243F6A88, 0x85A308D3), 0x13198A2E, (0xDD7CE038, 0xF62A4C12)),
    ],
)
def test_philox_gives_the_known_answers_of_those_who_published_it(counter, key, words):
    recipes = chance_values.Recipe(), chance_values.Recipe(second=True)

    assert words == tuple(int(chance_values.philox(np.array([counter[0]]), counter[1], key, one)[0]) for one in recipes)


def test_pixels_that_are_certain_have_the_turns_that_float32_gives_them():
    exercise = exercises.find("irregular.mandelbrot")
    share = []
    for case in exercise.cases:
        values = make_values(exercise, case)
        orbits = fractal_values.orbits(values)
        c = (values["re"] + 1j * values["im"][:, None]).astype(np.complex64)
        z, turns, inside = np.zeros_like(c), np.zeros(c.shape, int), np.ones(c.shape, bool)
        for _ in range(values["limit"]):
            inside &= z.real**2 + z.imag**2 <= 4
            turns += inside
            z = np.where(inside, z * z + c, z)
        assert (turns == orbits.turns)[orbits.certain].all()
        share.append(orbits.certain.mean())
    assert min(share) > 0.95


def test_the_last_cell_counts_kernels_and_says_which_are_not_written():
    @cuda.jit
    def stub(starts, columns, values, x, y):
        raise NotImplementedError()

    written = solution_of(exercises.find("irregular.n_body")).load()[1]
    rows = balance.balance({"irregular.n_body": written, "irregular.spmv_rows": stub})

    assert [("n_body", "32.0", "1.0"), ("spmv_rows", balance.NOT_WRITTEN, "")] == rows
