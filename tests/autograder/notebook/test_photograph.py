"""A right kernel about pictures is tried on a photograph made of formulas; any other kernel is told why not."""

from __future__ import annotations

import numpy as np
import pytest
from numba import cuda

from autograder import exercise, exercises
from autograder.notebook import photograph


@cuda.jit
def invert(src, dst):
    """The negative, as the course asks for it."""
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        dst[row, col] = 255 - src[row, col]


def test_the_photograph_is_the_same_each_time_and_uses_the_whole_range():
    first = photograph.photograph()
    assert (photograph.N_ROWS, photograph.N_COLS, np.uint8) == (*first.shape, first.dtype)
    assert first.tobytes() == photograph.photograph().tobytes()
    assert first.min() < 40 and 220 < first.max()


def test_a_right_kernel_gets_its_picture_and_a_kernel_not_checked_a_sentence(capsys):
    question = exercise("indexing.invert")  # as a notebook does, which makes launches work without a GPU
    assert question.photograph(invert) is None
    assert "Once invert is right" in capsys.readouterr().out

    assert question.check(invert).passed
    figure = question.photograph(invert)
    assert "before and after invert" in figure.alt
    before, after = photograph.through(question.exercise, invert)
    np.testing.assert_array_equal(255 - before, after)


def test_an_exercise_about_something_else_says_so():
    with pytest.raises(photograph.NoPicture, match="saxpy does not make one picture of another"):
        photograph.through(exercises.find("indexing.saxpy"), invert)
