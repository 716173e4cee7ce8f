"""What is found inside a library's function is told with the program's own line alone."""

import re

import pytest

from tests.programs.test_notes import told

PROGRAM = """
    from numba.cuda.random import xoroshiro128p_uniform_float64
    from simt.cuda_api import random
    @cuda.jit
    def noise(states, out):
        i = cuda.grid(1)
        out[i] = xoroshiro128p_uniform_float64(states, i)
    noise[1, 8](random.create_xoroshiro128p_states(4, seed=1), np.zeros(8))
    """


def test_an_index_past_the_states_names_the_line_that_draws():
    pytest.importorskip("numba.cuda.random")
    (report,) = told(PROGRAM, "out_of_bounds")
    (line,) = {where.line for where in report.places}
    assert {line} == set(map(int, re.findall(r"\bline (\d+)", report.finding.message)))
