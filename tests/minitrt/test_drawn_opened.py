"""Drawn graphs of which a size or two are left open: at every size that ONNX Runtime runs, an engine gives the same."""

from __future__ import annotations

import re

import numpy as np
import onnx
import pytest

import minitrt as trt
from minitrt.runtime.session import Session
from tests.minitrt.drawn_graphs import drawn
from tests.minitrt.engines import Heard, engine_of, expected_of, is_dynamic

A_COMMIT, A_RELEASE = 200, 4000  # graphs, of which a third runs at other sizes
SCALES = 1, 0.5, 2, 1.5  # of an open size; the second and third are the profile's ends
REFUSED = (  # what ONNX Runtime makes nothing of, and an engine refuses, as TensorRT does
    r"the window is larger than the image",
    r"SplitToSequence\): the size of axis \d must be known when the engine is built",
    r"\(concat\) cannot take inputs of shape .*\b0[,)]",  # an empty tensor whose other sizes do not agree
)


def opened(model: onnx.ModelProto, rng: np.random.Generator) -> set[tuple[str, int]]:
    """Open one or two sizes of a model's inputs, and forget those of its outputs: which inputs and axes."""
    places = [(v.name, axis) for v in model.graph.input for axis in range(len(v.type.tensor_type.shape.dim))]
    some = {
        places[index] for index in rng.choice(len(places), min(int(rng.integers(1, 3)), len(places)), replace=False)
    }
    for value in model.graph.input:
        for axis, dim in enumerate(value.type.tensor_type.shape.dim):
            if (value.name, axis) in some:
                dim.dim_param = f"{value.name}_{axis}"
    for value in model.graph.output:
        value.type.tensor_type.ClearField("shape")
    return some


def expected_or_none(model: onnx.ModelProto, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray] | None:
    try:
        return expected_of(model, feeds)
    except Exception as error:  # its errors have no class in common
        assert "onnxruntime" in type(error).__module__, error
        return None


def differences(seed: int) -> list[str]:
    """What an engine of the opened graph gives otherwise; none of one that ONNX Runtime runs at its own sizes alone."""
    model, inputs = drawn(seed)
    rng = np.random.default_rng(seed)
    some = opened(model, rng)
    runs = []
    for scale in SCALES:
        shapes = {
            name: [max(1, int(n * scale)) if (name, axis) in some else n for axis, n in enumerate(x.shape)]
            for name, x in inputs.items()
        }
        feeds = {name: rng.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}
        runs.append((feeds, expected_or_none(model, feeds)))
    if any(expected is None for _, expected in runs[:3]):
        return []
    (usual, _), (low, _), (high, _) = runs[:3]
    logger = Heard()
    try:
        session = Session(built(model, low, usual, high, logger), logger)
    except AssertionError as error:
        if re.search(REFUSED[1], str(error)):
            return []
        if not re.search(REFUSED[0], str(error)):
            raise
        session = Session(built(model, usual, usual, high, logger), logger)
        runs = [run for run in runs if run[0] is not low]
    return [
        line for feeds, expected in runs if expected is not None for line in compared(session, feeds, expected, seed)
    ]


def built(model: onnx.ModelProto, low: dict, usual: dict, high: dict, logger: Heard) -> trt.ICudaEngine:
    ranges = {name: tuple(each[name].shape for each in (low, usual, high)) for name in low if is_dynamic(model, name)}
    return engine_of(model, logger, **ranges)


def compared(session: Session, feeds: dict, expected: dict[str, np.ndarray], seed: int) -> list[str]:
    try:
        found = session.run(feeds)
    except Exception as error:
        return [] if any(re.search(each, str(error)) for each in REFUSED) else [f"graph {seed}: {error}"]
    return [
        f"graph {seed}, {name} of {[x.shape for x in feeds.values()]}"
        for name, wanted in expected.items()
        if found[name].shape != wanted.shape or not close(found[name], wanted)
    ]


def close(found: np.ndarray, wanted: np.ndarray) -> bool:
    finite = np.isfinite(wanted)
    error = 1e-5 + 1e-3 * np.abs(wanted[finite]).max(initial=0)
    return bool((np.isfinite(found) == finite).all() and np.allclose(found[finite], wanted[finite], rtol=0, atol=error))


def test_drawn_graphs_with_open_sizes_give_what_onnx_runtime_gives():
    assert [] == [line for seed in range(A_COMMIT) for line in differences(seed)]


@pytest.mark.release
def test_many_drawn_graphs_with_open_sizes_give_what_onnx_runtime_gives():
    assert [] == [line for seed in range(A_COMMIT, A_RELEASE) for line in differences(seed)]
