"""Graphs of open sizes that nobody wrote: at every size of the profile an engine gives what ONNX Runtime gives."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

from minitrt.runtime.session import Session
from tests.minitrt.drawn_sizes import HIGH, LOW, SHAPES, drawn
from tests.minitrt.engines import Heard, engine_of, expected_of, parsed

A_COMMIT, A_RELEASE = 60, 2000  # graphs


def differences(seed: int) -> list[str]:
    """What an engine of the graph gives otherwise than ONNX Runtime."""
    model, logger, wrong = drawn(seed), Heard(), []
    session = Session(engine_of(model, logger, x=(LOW, SHAPES[0], HIGH)), logger)
    for shape in SHAPES:
        x = {"x": np.random.default_rng(seed).standard_normal(shape).astype(np.float32)}
        found = session.run(x)
        for name, expected in expected_of(model, x).items():
            if found[name].shape != expected.shape or not np.allclose(found[name], expected, rtol=1e-5, atol=1e-4):
                wrong.append(f"graph {seed}, x of {shape}, {name}: {found[name]!s:.60} instead of {expected!s:.60}")
    return wrong


def test_drawn_graphs_of_open_sizes_give_what_onnx_runtime_gives_at_every_size():
    assert [] == [line for seed in range(A_COMMIT) for line in differences(seed)]


@pytest.mark.release
def test_many_drawn_graphs_of_open_sizes_give_what_onnx_runtime_gives():
    assert [] == [line for seed in range(A_COMMIT, A_RELEASE) for line in differences(seed)]


def test_shapes_are_those_that_onnx_infers_where_it_infers_any():
    """A second opinion: what ONNX's own shape inference calls fixed, is."""
    for seed in range(A_COMMIT):
        model = drawn(seed)
        inferred = onnx.shape_inference.infer_shapes(model, data_prop=True).graph.value_info
        _, network, _ = parsed(model, Heard())
        ours = {out.name: out for index in range(network.num_layers) for out in network.get_layer(index)._outputs}
        for value in (each for each in inferred if each.type.tensor_type.HasField("shape")):
            sizes = [dim.dim_value if dim.HasField("dim_value") else -1 for dim in value.type.tensor_type.shape.dim]
            if value.name in ours and ours[value.name]._network._facts.value(ours[value.name]) is not None:
                found = tuple(ours[value.name].shape)
                assert len(found) == len(sizes) and all(a in (-1, b) for b, a in zip(found, sizes, strict=True))
