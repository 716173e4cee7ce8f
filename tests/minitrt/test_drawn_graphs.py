"""Graphs that nobody wrote: an engine gives what ONNX Runtime gives, whatever passes make of them."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

from tests.minitrt.drawn_graphs import OPERATORS, drawn
from tests.minitrt.engines import expected_of, results_of

A_COMMIT, A_RELEASE = 120, 4000  # graphs
BREATHS = 8


def differences(seed: int) -> list[str]:
    """What an engine of the graph gives otherwise than ONNX Runtime."""
    model, inputs = drawn(seed)
    found, expected = results_of(model, inputs), expected_of(model, inputs)
    wrong = [name for name in expected if not close(found[name], expected[name])]
    if wrong and jumps(model, inputs, expected):
        return []
    return [f"graph {seed}, {name}: {found[name].shape} and {expected[name].shape}" for name in wrong]


def close(found: np.ndarray, expected: np.ndarray) -> bool:
    finite = np.isfinite(expected)
    largest = np.abs(expected[finite]).max(initial=0)
    same = found.shape == expected.shape and bool((np.isfinite(found) == finite).all())
    return same and np.allclose(found[finite], expected[finite], rtol=0, atol=1e-5 + 1e-3 * largest)


def jumps(model: onnx.ModelProto, inputs: dict, expected: dict) -> bool:
    """Whether ONNX Runtime itself gives something else for inputs that differ in their last digits: a sum that is 0 but
    for rounding lies before a Floor, or a count."""
    for seed in range(BREATHS):
        rng = np.random.default_rng(seed)
        moved = {name: x * (1 + 1e-6 * rng.standard_normal(x.shape)).astype(x.dtype) for name, x in inputs.items()}
        again = expected_of(model, moved)
        if not all(close(again[name], each) for name, each in expected.items()):
            return True
    return False


def test_drawn_graphs_give_what_onnx_runtime_gives():
    assert [] == [line for seed in range(A_COMMIT) for line in differences(seed)]


@pytest.mark.release
def test_many_drawn_graphs_give_what_onnx_runtime_gives():
    assert [] == [line for seed in range(A_COMMIT, A_RELEASE) for line in differences(seed)]


def test_every_operator_is_drawn_and_chains_grow():
    graphs = [drawn(seed)[0].graph for seed in range(A_COMMIT)]

    assert len({node.op_type for graph in graphs for node in graph.node}) > 60 and len(OPERATORS) > 30
    assert max(len(graph.node) for graph in graphs) > 20
