"""Host functions on the GPU of a class, with a stand-in for the GPU: their plans are carried out by the launcher."""

import resource

import numpy as np
import pytest

from autograder import exercises
from autograder.answer.program import Program
from autograder.answer.reference import solution_program
from autograder.classroom.jail import host_functions as jailed
from autograder.classroom.jail import namespaces as jail
from autograder.classroom.jail.plan_values import PlanError
from autograder.classroom.sealed.host_stage import Recorded, SealedPlans
from autograder.classroom.sealed.plan import NotPossible
from autograder.classroom.sealed.remote import Remote, RemoteKernel
from autograder.running import buffers
from autograder.running.cases.more_cases import all_cases
from autograder.running.job import Job
from tests.autograder.classroom.sealed import at_hand

EXERCISE = exercises.find("vector_add.add_on_device")
BY_HAND = """
def add_on_device(a, b):
    out = np.empty_like(a)
    vector_add[(a.size + 255) // 256 or 1, 256](a, b, out)
    return out
"""
AGAIN = """
def add_on_device(a, b):
    d_a, d_b, d_out = cuda.to_device(a), cuda.to_device(b), cuda.device_array_like(a)
    vector_add[(a.size + 255) // 256 or 1, 256](d_a, d_b, d_out)
    first = d_out.copy_to_host()
    d_out.copy_to_device(first)
    return d_out.copy_to_host()
"""


def carried_out(source=None, behaviour="adds"):
    """What the GPU's stage finds of add_on_device."""
    solution = solution_program(EXERCISE)
    program = solution if source is None else Program(source, "add_on_device", "01", 1, solution.setup)
    cases = [case for case in all_cases(EXERCISE, program.source, "any") if case.sizes["n"] < 10_000]
    values = [buffers.make_values(EXERCISE, case, "any") for case in all_cases(EXERCISE, program.source, "any")]
    plans = jailed._record(EXERCISE, program, values, [])
    recorded = jailed._recorded(EXERCISE, program, values, plans)
    sealed = SealedPlans(at_hand.doing(behaviour), "stand-in", recorded=recorded, values=values)
    assert cases
    return sealed.run_on_gpu(Job(EXERCISE, program, secret="any")), sealed.record


needs_jail = pytest.mark.skipif(bool(jail.unavailable()), reason=f"no jail here: {jail.unavailable()}")


@needs_jail
@pytest.mark.parametrize("source", [None, BY_HAND, AGAIN], ids=["solution", "host arrays", "in two parts"])
def test_a_host_function_is_right_by_what_the_launcher_did(source):
    found, record = carried_out(source)

    assert {"right"} == {case.status for case in found.trial.cases}, found.trial.causes
    assert 64 == len(record["machine code"])


@needs_jail
def test_a_host_function_whose_kernel_is_wrong_on_the_device_is_wrong():
    found, _ = carried_out(behaviour="nothing")

    assert "wrong" in {case.status for case in found.trial.cases}


def test_parts_of_a_device_array_are_where_numpy_has_them():
    remote = Remote()
    whole = remote.given("x", np.zeros((6, 8), np.float32))
    like = np.arange(48, dtype=np.float32).reshape(6, 8)
    buffer = like.reshape(-1).view(np.uint8)

    for part in (whole[2:4], whole[:, 3], whole[1::2, ::3], whole.transpose(), whole.reshape(-1)[5:9], whole[4]):
        expected = like.reshape(-1)[part.offset // 4 :]
        assert expected[0] == part._within(buffer).flat[0]
    np.testing.assert_array_equal(like[1::2, ::3], whole[1::2, ::3]._within(buffer))
    np.testing.assert_array_equal(like.T, whole.transpose()._within(buffer))


GIB = 1 << 30
FILLED = {"literal": {"dtype": "<f4", "shape": [GIB // 4], "fill": "00000000"}}
BOMBS = {
    "a literal": [{"do": "to_device", "of": FILLED}],
    "a part larger than its array": [{"do": "to_device", "of": {"part": [{"input": "a"}, 0, [10**9], [0]]}}],
    "copies without end": [
        {"do": "device_array", "shape": [GIB // 16], "dtype": "<f4", "order": "C"},
        *({"do": "copy_to_host", "on": 0} for _ in range(9)),
    ],
    "elements without end": [
        {"do": "device_array", "shape": [GIB // 16], "dtype": "<f4", "order": "C"},
        *({"do": "setitem", "on": 0, "index": ["number", n], "value": {"number": ["int", 1]}} for n in range(9)),
    ],
    "arrays without end": [{"do": "device_array", "shape": [1], "dtype": "<f4", "order": "C"}] * 600,
    "more than there is": [{"do": "device_array", "shape": [10**15], "dtype": "<f4", "order": "C"}],
    "an odd reshape": [
        {"do": "device_array", "shape": [1 << 14, 1 << 14], "dtype": "<f4", "order": "C"},
        {"do": "method", "on": 0, "name": "transpose", "args": []},
        {"do": "getitem", "on": 1, "index": ["slice", 0, None, 2]},
        {"do": "method", "on": 2, "name": "reshape", "args": [-1]},
    ],
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_plan_that_would_fill_the_judges_memory_is_stopped_before_it_does(name):
    steps = [{"line": 0, **step} for step in BOMBS[name]]
    values = {"a": np.zeros(64, np.float32), "b": np.zeros(64, np.float32), "out": np.zeros(64, np.float32)}
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    with pytest.raises((NotPossible, PlanError, MemoryError, NotImplementedError)):
        plan = {"steps": steps, "returned": [], "many": True, "error": None}
        Recorded({}, ["a", "b"], Program("", "x")).carried_out(EXERCISE, values, plan, Remote())

    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 700 << 10  # KiB


def test_a_kernel_is_compiled_once_for_each_set_of_types():
    remote = Remote()
    x, y = (remote.device_array(8, np.float32) for _ in range(2))
    kernel = RemoteKernel(remote, "k")

    for arguments in ((x, y), (y, x), (x, y.reshape(2, 4)), (x, np.int32(3)), (x, np.int32(4))):
        kernel[1, 32, 0, 0](*arguments)

    assert [0, 0, 1, 2, 2] == [operation["launch"] for operation in remote.operations]
    assert 3 == len(remote.kernels)
