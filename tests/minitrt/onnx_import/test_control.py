"""If, Loop, Scan and RoiAlign of ONNX, against ONNX Runtime, and what is too long to unroll."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

import minitrt as trt
from minitrt.onnx_import.regions import control
from tests.minitrt.engines import STRONG, Heard, expected_of, model_of, results_of

helper, node = onnx.helper, onnx.helper.make_node
rng = np.random.default_rng(9)


def graph(nodes, inputs, outputs, name="body", arrays=None) -> onnx.GraphProto:
    """A subgraph; inputs and outputs: name -> (numpy dtype, shape)."""
    kind = helper.np_dtype_to_tensor_dtype
    infos = [
        [helper.make_tensor_value_info(n, kind(np.dtype(t)), shape) for n, (t, shape) in side.items()]
        for side in (inputs, outputs)
    ]
    weights = [onnx.numpy_helper.from_array(a, n) for n, a in (arrays or {}).items()]
    return helper.make_graph(nodes, name, *infos, weights)


F, B, I = np.float32, np.bool_, np.int64  # noqa: E741


def branch(kind: str, name: str) -> onnx.GraphProto:
    return graph([node(kind, ["x"], [name])], {}, {name: (F, (3, 4))}, name)


def test_of_an_unknown_condition_both_branches_are_computed_and_one_is_chosen():
    choice = node("If", ["c"], ["y"], "choose", then_branch=branch("Relu", "a"), else_branch=branch("Neg", "b"))
    model = model_of([choice], {"c": (B, ()), "x": (F, (3, 4))}, ["y"])
    x = rng.standard_normal((3, 4)).astype(F)
    for condition in (True, False):
        feeds = {"c": np.array(condition), "x": x}

        np.testing.assert_array_equal(results_of(model, feeds)["y"], expected_of(model, feeds)["y"])


def looped(steps: np.ndarray | None, stop_at: int | None = None) -> onnx.ModelProto:
    """s = tanh(s W + i), stacked; goes on while i < stop_at."""
    nodes = [
        node("MatMul", ["s", "w"], ["p"]),
        node("Cast", ["i"], ["f"], to=onnx.TensorProto.FLOAT),
        node("Add", ["p", "f"], ["q"]),
        node("Tanh", ["q"], ["t"]),
        node("Identity", ["t"], ["each"]),
        node("Identity", ["go"], ["on"]) if stop_at is None else node("Less", ["i", "last"], ["on"]),
    ]
    arrays = {"last": np.array(stop_at, I)} if stop_at is not None else {}
    body = graph(
        nodes, {"i": (I, ()), "go": (B, ()), "s": (F, (2, 4))},
        {"on": (B, ()), "t": (F, (2, 4)), "each": (F, (2, 4))}, arrays=arrays,
    )  # fmt: skip
    weights = {"w": rng.standard_normal((4, 4)).astype(F), "yes": np.array(True)}
    if steps is not None:
        weights["m"] = steps
    loop = node("Loop", ["m" if steps is not None else "", "yes", "x"], ["last_s", "all_s"], "loop", body=body)
    return model_of([loop], {"x": (F, (2, 4))}, ["last_s", "all_s"], weights)


@pytest.mark.parametrize(("steps", "stop_at"), [(3, None), (9, 4), (None, 2)])
def test_a_loop_is_unrolled_and_sees_the_weights_around_it(steps, stop_at):
    model = looped(None if steps is None else np.array(steps, I), stop_at)
    feeds = {"x": rng.standard_normal((2, 4)).astype(F)}
    found, expected = results_of(model, feeds), expected_of(model, feeds)

    for name in ("last_s", "all_s"):
        np.testing.assert_allclose(found[name], expected[name], rtol=1e-5, atol=1e-6)


def test_a_scan_runs_backwards_and_stacks_along_the_axis_that_it_names():
    nodes = [node("Add", ["s", "e"], ["n"]), node("Mul", ["n", "e"], ["o"])]
    body = graph(nodes, {"s": (F, (3,)), "e": (F, (3,))}, {"n": (F, (3,)), "o": (F, (3,))})
    how = dict(num_scan_inputs=1, scan_input_axes=[1], scan_input_directions=[1], scan_output_axes=[-1])
    model = model_of([node("Scan", ["s0", "x"], ["s", "y"], "scan", body=body, **how)],
                     {"s0": (F, (3,)), "x": (F, (3, 5))}, ["s", "y"])  # fmt: skip
    feeds = {"s0": rng.standard_normal(3).astype(F), "x": rng.standard_normal((3, 5)).astype(F)}
    found, expected = results_of(model, feeds), expected_of(model, feeds)

    for name in ("s", "y"):
        np.testing.assert_allclose(found[name], expected[name], rtol=1e-5, atol=1e-6)


def error_of(model: onnx.ModelProto) -> str:
    logger = Heard()
    parser = trt.OnnxParser(trt.Builder(logger).create_network(STRONG), logger)
    assert not parser.parse(model.SerializeToString())
    return parser.get_error(0).desc()


def test_what_is_too_long_to_unroll_is_run_step_by_step(monkeypatch):
    monkeypatch.setattr(control, "MOST_STEPS", 20)
    model = looped(np.array(21, I))
    feeds = {"x": rng.standard_normal((2, 4)).astype(F)}
    found, expected = results_of(model, feeds), expected_of(model, feeds)

    for name in ("last_s", "all_s"):
        np.testing.assert_allclose(found[name], expected[name], rtol=1e-5, atol=1e-6)


def test_branches_of_different_types_are_refused_where_the_condition_is_unknown():
    other = graph([node("Shape", ["x"], ["b"])], {}, {"b": (I, (2,))}, "b")
    choice = node("If", ["c"], ["y"], "choose", then_branch=branch("Relu", "a"), else_branch=other)
    said = error_of(model_of([choice], {"c": (B, ()), "x": (F, (3, 4))}, ["y"]))

    assert "data choose between FLOAT (3, 4) and INT64 (2,), which must have one type and one rank" in said


def test_an_unsupported_operator_inside_a_branch_is_named():
    inner = graph([node("NoSuchOperator", ["x"], ["b"], "deep")], {}, {"b": (F, (3, 4))}, "b")
    choice = node("If", ["c"], ["y"], "choose", then_branch=branch("Relu", "a"), else_branch=inner)

    assert "NoSuchOperator" in error_of(model_of([choice], {"c": (B, ()), "x": (F, (3, 4))}, ["y"]))


@pytest.mark.parametrize("mode", ["avg", "max"])
@pytest.mark.parametrize("coordinates", ["half_pixel", "output_half_pixel"])
def test_regions_are_sampled_as_onnx_runtime_samples_them(mode, coordinates):
    how = dict(output_height=3, output_width=2, sampling_ratio=2, spatial_scale=0.5, mode=mode)
    align = node("RoiAlign", ["x", "rois", "batch"], ["y"], "align", coordinate_transformation_mode=coordinates, **how)
    rois = np.array([[0, 0, 9, 7], [3, 2, 30, 21], [-4, 5, 6, 40]], F)
    model = model_of([align], {"x": (F, (2, 3, 12, 16))}, ["y"], {"rois": rois, "batch": np.array([1, 0, 1], I)})
    feeds = {"x": rng.standard_normal((2, 3, 12, 16)).astype(F)}

    np.testing.assert_allclose(results_of(model, feeds)["y"], expected_of(model, feeds)["y"], rtol=1e-4, atol=1e-5)
