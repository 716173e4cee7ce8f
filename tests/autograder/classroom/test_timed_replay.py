"""What a GPU times for a host function of a class: the launches it asks for at the timed size, recorded in the jail."""

import nbformat
import numpy as np
import pytest

from autograder import backend
from autograder.answer.program import Piece, Program
from autograder.classroom import course
from autograder.classroom.jail import host_functions as jailed
from autograder.classroom.jail import namespaces as jail
from autograder.classroom.reading.answers import read_answers
from autograder.contract import Case
from autograder.running import buffers
from tests.autograder.classroom.conftest import RIGHT

pytestmark = pytest.mark.skipif(bool(jail.unavailable()), reason=f"no jail here: {jail.unavailable()}")
SIZES = {"device_sum": {"n": 5000, "blocks": 4}, "axis_sums": {"n_rows": 40, "n_cols": 70}}


def handed_in(function):
    """The exercise of unit 06 whose function this is, and the solution's own cells as a submission."""
    unit = course.unit("06_reductions")
    answers = read_answers(nbformat.read(course.notebook_of(unit.id), as_version=4), unit)
    (answer,) = [answer for answer in answers if answer.exercise.function == function]
    return answer.exercise, answer.program


def on_device(values):
    return {n: backend.cuda.to_device(v) if isinstance(v, np.ndarray) else v for n, v in values.items()}


@pytest.mark.parametrize("function", SIZES)
def test_a_recorded_host_function_fills_its_outputs_again_and_again(function):
    backend.install_stand_in()
    exercise, program = handed_in(function)
    values = buffers.make_values(exercise, Case(SIZES[function]))
    expected = exercise.oracle(values)

    replay = jailed.recorded(exercise, program, values)

    for _ in range(2):
        device = on_device(buffers.fresh(exercise, values, 0))
        replay(device)
        for name, array in expected.items():
            np.testing.assert_array_equal(array, device[name].copy_to_host())


def test_recording_at_a_timed_size_moves_no_data():
    exercise, program = handed_in("device_sum")
    n = 1 << 28  # 1 GiB of float32, which the jail only has addresses for
    values = {"src": np.broadcast_to(np.float32(0), (n,)), "partial": np.zeros(66, np.float32)}

    replay = jailed.recorded(exercise, program, {**values, "total": np.zeros(1, np.float32)})

    assert callable(replay)


def test_a_host_function_that_raises_at_the_timed_size_says_so():
    exercise, _ = handed_in("device_sum")
    body = "def device_sum(src, partial, total):\n    if src.size > 1000:\n        raise ValueError('too long')\n"
    setup = Piece("from numba import cuda\n", "06_reductions.ipynb:setup", trusted=True)
    program = Program(f"{RIGHT}\n\n{body}", "device_sum", setup=(setup,))

    with pytest.raises(RuntimeError, match="ValueError: too long"):
        jailed.recorded(exercise, program, buffers.make_values(exercise, Case(SIZES["device_sum"])))
