"""How an array is passed to a kernel of either compiler, as the PTX of both declares it."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.classroom.sealed import abi

ROWS = np.zeros((4, 6), np.float32)


@pytest.fixture
def successor(monkeypatch):
    monkeypatch.setattr(abi, "successor_in_use", lambda: True)


@pytest.mark.parametrize("array", [ROWS, ROWS[:, ::2], ROWS.T, ROWS[0]])
def test_an_array_has_as_many_words_as_its_type(array):
    assert len(abi.types_of([abi.kind_of(array)])) == len(abi.of_array("x", array))


@pytest.mark.parametrize("array", [ROWS, ROWS[:, ::2], ROWS.T, ROWS[0]])
def test_an_array_of_the_successor_has_as_many_words_as_its_type(successor, array):
    assert len(abi.types_of([abi.kind_of(array)])) == len(abi.of_array("x", array))


def test_the_successor_is_told_the_address_twice_an_offset_the_shape_and_strides_in_elements(successor):
    begins = ["at", "x", 8]

    assert [begins, begins, 0, 4, 3, 6, 2] == abi.of_array("x", ROWS[:, ::2], 8)


def test_a_stride_that_is_no_whole_number_of_elements_is_told(successor):
    records = np.zeros(4, [("a", np.int8), ("b", np.float32)])

    with pytest.raises(abi.NoSuchArgument, match="counts strides in elements"):
        abi.of_array("x", records["b"])
