"""Host functions on the GPU of a class, with a stand-in for the GPU: their plans are carried out by the launcher."""

import numpy as np
import pytest

from autograder import exercises
from autograder.answer.program import Program
from autograder.answer.reference import solution_program
from autograder.classroom.jail import host_functions as jailed
from autograder.classroom.jail import namespaces as jail
from autograder.classroom.sealed.host_stage import SealedPlans
from autograder.classroom.sealed.remote import Remote, RemoteKernel
from autograder.running import buffers
from autograder.running.job import Job
from autograder.running.more_cases import all_cases
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
@pytest.mark.parametrize("behaviour", ["nothing", "aims_at_the_answer"])
def test_a_host_function_whose_kernel_is_wrong_on_the_device_is_wrong(behaviour):
    found, _ = carried_out(behaviour=behaviour)

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


def test_a_kernel_is_compiled_once_for_each_set_of_types():
    remote = Remote()
    x, y = (remote.device_array(8, np.float32) for _ in range(2))
    kernel = RemoteKernel(remote, "k")

    for arguments in ((x, y), (y, x), (x, y.reshape(2, 4)), (x, np.int32(3)), (x, np.int32(4))):
        kernel[1, 32, 0, 0](*arguments)

    assert [0, 0, 1, 2, 2] == [operation["launch"] for operation in remote.operations]
    assert 3 == len(remote.kernels)
