"""What a GPU times for a host function of a class: the launches it asks for at the timed size, recorded in the jail."""

import nbformat
import numpy as np
import pytest

from autograder.answer.program import Piece, Program
from autograder.classroom import course
from autograder.classroom.jail import host_functions as jailed
from autograder.classroom.jail import namespaces as jail
from autograder.classroom.reading.answers import read_answers
from autograder.classroom.sealed import host_stage
from autograder.classroom.sealed.plan import NotPossible
from autograder.contract import Case
from autograder.running import buffers
from tests.autograder.classroom.conftest import RIGHT

pytestmark = pytest.mark.skipif(bool(jail.unavailable()), reason=f"no jail here: {jail.unavailable()}")
SIZES = {"device_sum": {"n": 5000, "blocks": 4}, "axis_sums": {"n_rows": 40, "n_cols": 70}}
SETUP = Piece("from numba import cuda\n", "06_reductions.ipynb:setup", trusted=True)


def handed_in(function):
    """The exercise of unit 06 whose function this is, and the solution's own cells as a submission."""
    unit = course.unit("06_reductions")
    answers = read_answers(nbformat.read(course.notebook_of(unit.id), as_version=4), unit)
    (answer,) = [answer for answer in answers if answer.exercise.function == function]
    return answer.exercise, answer.program


def timed(exercise, program, values):
    return host_stage.timed_plan(jailed.recorded(exercise, program, values), exercise, values, "sm_90")


@pytest.mark.parametrize(("function", "launches"), [("device_sum", 2), ("axis_sums", 3)])
def test_a_recorded_host_function_becomes_launches_of_machine_code_on_its_own_arrays(function, launches):
    exercise, program = handed_in(function)
    values = buffers.make_values(exercise, Case(SIZES[function]))

    found, beside = timed(exercise, program, values)

    assert launches == len(found.operations)
    assert {name: array.nbytes for name, array in values.items() if isinstance(array, np.ndarray)} == found.buffers
    assert {} == beside
    assert all(code.image.startswith(b"\x7fELF") for code in found.codes)


def test_recording_at_a_timed_size_moves_no_data():
    exercise, program = handed_in("device_sum")
    n = 1 << 28  # 1 GiB of float32, which the jail only has addresses for
    values = {"src": np.broadcast_to(np.float32(0), (n,)), "partial": np.zeros(66, np.float32)}

    found, _ = timed(exercise, program, {**values, "total": np.zeros(1, np.float32)})

    assert 4 * n == found.buffers["src"]


def test_a_host_function_that_raises_at_the_timed_size_says_so():
    exercise, _ = handed_in("device_sum")
    body = "def device_sum(src, partial, total):\n    if src.size > 1000:\n        raise ValueError('too long')\n"
    program = Program(f"{RIGHT}\n\n{body}", "device_sum", setup=(SETUP,))

    with pytest.raises(RuntimeError, match="ValueError: too long"):
        jailed.recorded(exercise, program, buffers.make_values(exercise, Case(SIZES["device_sum"])))


def test_what_looks_at_its_results_is_not_timed_by_a_recorded_plan():
    exercise, _ = handed_in("device_sum")
    kernel = "@cuda.jit\ndef put(x, n):\n    x[0] = n\n"
    body = "def device_sum(src, partial, total):\n    put[1, 1](total, 1)\n    put[1, 1](partial, total[0])\n"
    program = Program(f"{kernel}\n\n{body}", "device_sum", setup=(SETUP,))

    with pytest.raises(NotPossible, match="depends on what it copies back"):
        timed(exercise, program, buffers.make_values(exercise, Case(SIZES["device_sum"])))
