"""Graphs that nobody wrote: an engine gives what ONNX Runtime gives, whatever passes make of them."""

from __future__ import annotations

import numpy as np
import pytest

from tests.minitrt.drawn_graphs import OPERATORS, drawn
from tests.minitrt.engines import expected_of, results_of

A_COMMIT, A_RELEASE = 120, 4000  # graphs


def differences(seed: int) -> list[str]:
    """What an engine of the graph gives otherwise than ONNX Runtime."""
    model, inputs = drawn(seed)
    found, wrong = results_of(model, inputs), []
    for name, expected in expected_of(model, inputs).items():
        finite = np.isfinite(expected)
        largest = np.abs(expected[finite]).max(initial=0)
        same = found[name].shape == expected.shape and (np.isfinite(found[name]) == finite).all()
        if not same or not np.allclose(found[name][finite], expected[finite], rtol=0, atol=1e-5 + 1e-3 * largest):
            wrong.append(f"graph {seed}, {name}: {found[name].shape} and {expected.shape}")
    return wrong


def test_drawn_graphs_give_what_onnx_runtime_gives():
    assert [] == [line for seed in range(A_COMMIT) for line in differences(seed)]


@pytest.mark.release
def test_many_drawn_graphs_give_what_onnx_runtime_gives():
    assert [] == [line for seed in range(A_COMMIT, A_RELEASE) for line in differences(seed)]


def test_every_operator_is_drawn_and_chains_grow():
    graphs = [drawn(seed)[0].graph for seed in range(A_COMMIT)]

    assert len({node.op_type for graph in graphs for node in graph.node}) > 60 and len(OPERATORS) > 30
    assert max(len(graph.node) for graph in graphs) > 20
