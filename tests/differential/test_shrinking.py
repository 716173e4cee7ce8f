"""A difference is made small and told by line."""

from __future__ import annotations

import numpy as np
import pytest

from simt.numerics import operators
from tests.differential import execute
from tests.differential.compare import differences, digest
from tests.differential.lines import report
from tests.differential.program import program_of_seed
from tests.differential.shrink import shrink


@pytest.fixture
def wrong_remainder(monkeypatch):
    """f(program) -> the arguments as an interpreter leaves them that takes remainders as C does."""

    def run(program):
        with monkeypatch.context() as patch:
            patch.setitem(operators.UFUNCS, "%", np.fmod)
            patch.setitem(operators.SCALAR_OPERATORS, "%", np.fmod)
            patch.setattr(operators, "_plans", {})
            return execute.run(program, "simt")

    return run


def right(program):
    return execute.run(program, "simt")


def first_that_differs(wrong):
    """The first program that the wrong interpreter runs to an end, with another result."""
    for seed in range(100):
        program = program_of_seed(seed)
        if differs(program, wrong):
            return program
    raise AssertionError("no program notices")


def differs(program, wrong) -> bool:
    try:
        return bool(differences(program, right(program), wrong(program)))
    except Exception:  # a wrong remainder may lead out of an array
        return False


@pytest.mark.release
def test_a_difference_is_shrunk_and_told_by_line(wrong_remainder):
    program = first_that_differs(wrong_remainder)
    small = shrink(program, lambda candidate: differs(candidate, wrong_remainder), seconds=4)
    assert differs(small, wrong_remainder)
    assert len(small.source) < len(program.source)
    text = report(small, right, wrong_remainder, ("simt", "the wrong one"))
    assert "simt and the wrong one differ:" in text
    remark = next(line for line in text.splitlines() if "# ^ thread" in line)
    assert " on simt and " in remark
    number, line = next((n, line) for n, line in enumerate(text.splitlines()) if line == remark)
    assert "%" in text.splitlines()[number - 1], text


def test_any_nan_equals_any_nan_and_zeros_of_two_signs_differ():
    program = program_of_seed(0)
    outputs = [np.full(a.shape, np.nan, np.float32) if a.shape else None for a in program.arguments]
    other = [None if array is None else -array for array in outputs]
    assert [] == differences(program, outputs, other)
    assert digest(outputs) == digest(other)
    other[0] = np.full_like(outputs[0], -0.0)
    outputs[0] = np.zeros_like(outputs[0])
    assert digest(outputs) != digest(other)
    assert program.arguments[0].name == differences(program, outputs, other)[0].array
