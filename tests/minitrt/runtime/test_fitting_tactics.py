"""Which tactic runs an operation at sizes that the engine was not tuned for."""

from __future__ import annotations

import pytest

from minitrt.graph.ir import LINEAR, NHWC16
from minitrt.runtime.gpu import fitting_tactic
from minitrt.tactics.contract import REFERENCE, Tactic
from tests.minitrt.plain_operations import F, op, value

LINES, PIXELS = (Tactic(name, list, (layout,), (layout,)) for name, layout in (("a", LINEAR), ("b", NHWC16)))


def operation(layout: str):
    made = op("softmax", [value("x", F, (1, 16, 2, 2))], value("y", F, (1, 16, 2, 2)), axes=[1])
    made.inputs[0].layout = made.output.layout = layout
    return made


def test_the_tactic_that_was_chosen_stays_and_else_one_of_the_same_layouts():
    assert "b" == fitting_tactic(operation(NHWC16), "b", [LINES, PIXELS]).name
    assert "a" == fitting_tactic(operation(LINEAR), "gone", [PIXELS, LINES]).name


def test_where_no_kernel_is_left_numpy_runs_what_lies_in_lines():
    assert REFERENCE == fitting_tactic(operation(LINEAR), "gone", [PIXELS]).name


def test_where_nothing_reads_what_lies_there_the_error_says_so():
    with pytest.raises(ValueError, match=r"softmax: no kernel runs it from nhwc16 to nhwc16 at x \(1, 16, 2, 2\)"):
        fitting_tactic(operation(NHWC16), "gone", [LINES])
