"""Arguments of one run: the same every time, poisoned where they are outputs, and compared afterwards."""

import dataclasses

import numpy as np
import pytest

from autograder.contract import Argument, Case
from autograder.running import buffers
from tests.autograder.sample import ADD

CASE = Case({"n": 31})
DTYPES = ("float16", "float32", "float64", "int8", "uint8", "int32", "int64", "complex64")


def test_a_case_has_the_same_values_every_time():
    first, second = buffers.make_values(ADD, CASE), buffers.make_values(ADD, CASE)
    assert all(np.array_equal(first[name], second[name]) for name in first)


def test_cases_and_exercises_have_values_of_their_own():
    other = dataclasses.replace(ADD, id="sample.other")
    assert not np.array_equal(buffers.make_values(ADD, CASE)["a"], buffers.make_values(other, CASE)["a"])
    general = Case({"n": 31}, "general")
    assert not np.array_equal(buffers.make_values(ADD, CASE)["a"], buffers.make_values(ADD, general)["a"])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("poison", (0, 1))
def test_poison_is_recognised_element_by_element(dtype, poison):
    array = np.zeros((3, 5), dtype)
    buffers.fill(array, poison)
    assert buffers.still_poisoned(array, poison).all()
    array[1, 2] = 7
    assert (14, False) == (buffers.still_poisoned(array, poison).sum(), buffers.still_poisoned(array, poison)[1, 2])


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_two_poisons_differ_in_every_element(dtype):
    one, two = np.zeros(4, dtype), np.zeros(4, dtype)
    buffers.fill(one, 0)
    buffers.fill(two, 1)
    assert not buffers.still_poisoned(one, 1).any() and not buffers.still_poisoned(two, 0).any()


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("poison", (0, 1))
def test_the_poison_of_floats_is_no_result_and_what_is_added_to_it_shows(dtype, poison):
    array = np.zeros(4, dtype)
    buffers.fill(array, poison)
    assert np.isfinite(array).all() and (array != np.round(array)).all() and (array < 0).all() == (poison == 0)
    assert not buffers.still_poisoned(array + np.dtype(dtype).type(0.25), poison).any()


def test_the_poison_survives_slices_with_gaps():
    array = np.zeros(8, np.float32)
    buffers.fill(array[::2], 0)
    assert [True, False] * 4 == list(buffers.still_poisoned(array, 0))


def test_a_run_gets_copies_with_poisoned_outputs_and_whole_inputs():
    values = buffers.make_values(ADD, CASE)
    run = buffers.fresh(ADD, values, 0)
    assert buffers.still_poisoned(run["out"], 0).all() and np.array_equal(values["a"], run["a"])
    run["a"][0] += 1
    assert not np.array_equal(values["a"], run["a"])


def test_inout_arrays_start_as_the_contract_says():
    arguments = (*ADD.arguments[:2], Argument("out", "inout", "float32", "(n,)"))
    run = buffers.fresh(dataclasses.replace(ADD, arguments=arguments), buffers.make_values(ADD, CASE), 0)
    assert not run["out"].any()


def test_a_changed_input_is_named_even_where_only_a_sign_of_zero_changed():
    before = {"a": np.float32([0.0]), "b": np.float32([np.nan]), "out": np.zeros(1, np.float32)}
    assert [] == buffers.changed_inputs(ADD, before, {name: array.copy() for name, array in before.items()})
    assert ["a"] == buffers.changed_inputs(ADD, before, {**before, "a": np.float32([-0.0])})


def test_empty_arrays_can_be_poisoned():
    array = np.zeros(0, np.float32)
    buffers.fill(array, 1)
    assert (0,) == buffers.still_poisoned(array, 1).shape


@pytest.mark.parametrize("n", [0, 1, 3, 1025])
def test_bytes_are_compared_to_the_last_one(n):
    array = np.arange(3 * n, dtype=np.uint8)[::3]
    assert buffers.same_bytes(array, array.copy())
    for place in {0, n // 2, n - 1} if n else ():
        other = array.copy()
        other[place] ^= 1
        assert not buffers.same_bytes(array, other)
