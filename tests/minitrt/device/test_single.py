"""One layer by itself, as a plan runs it: views that launch nothing, joint pixels, and what is told of a wrong one."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import onnx
import pytest

from benchmarks.engine import numerics
from minitrt.api.enums import DataType
from minitrt.device import single
from minitrt.graph.ir import LINEAR, NHWC16, Op, Value
from minitrt.reference import run_op
from minitrt.tactics.contract import VIEW, Tactic
from tests.minitrt.builder.test_joins import inception, plan_of
from tests.minitrt.engines import model_of

I8 = DataType.INT8
rng = np.random.default_rng(6)
node = onnx.helper.make_node


def view(op: Op, layout: str) -> Tactic:
    return Tactic(f"{VIEW}_{layout}", lambda op: [], (layout,) * len(op.inputs), (layout,))


def random(shape) -> np.ndarray:
    return rng.integers(-128, 128, shape).astype(np.int8)


def told(op: Op, tactic: Tactic, given: list[np.ndarray]) -> list[str]:
    return numerics.differences(op, tactic, given, run_op(op, given), None)


def flatten(*shape: int) -> Op:
    flat = shape[0], int(np.prod(shape[1:]))
    return Op("shuffle", "f", [Value("x", I8, shape, 0.1)], [Value("y", I8, flat, 0.1)], {"shape": list(flat)})


@pytest.mark.parametrize(
    ("shape", "layout", "right"),
    [((2, 40, 1, 1), LINEAR, True), ((2, 40, 1, 1), NHWC16, True), ((2, 5, 4, 3), LINEAR, True),
     ((2, 16, 2, 1), NHWC16, False)],
)  # fmt: skip
def test_a_view_is_right_where_its_inputs_bytes_are_the_result_in_its_layout(shape, layout, right):
    op = flatten(*shape)

    assert right == (not told(op, view(op, layout), [random(shape)]))


def join(inside: list[int], dtype: DataType = I8) -> Op:
    inputs = [Value(n, dtype, (2, c, 3, 1), 0.1, layout=NHWC16) for n, c in zip("ab", (16, 32), strict=True)]
    return Op("concat", "j", inputs, [Value("y", dtype, (2, 48, 3, 1), 0.1)], {"axis": 1, "inside": inside})


@pytest.mark.parametrize("inside", [[0, 1], [0], [1]])
@pytest.mark.parametrize("dtype", [I8, DataType.HALF])
def test_a_join_finds_in_its_pixels_what_makers_wrote_there_and_nothing_else(inside, dtype):
    op = join(inside, dtype)
    given = [random((2, c, 3, 1)).astype(np.float16 if dtype == DataType.HALF else np.int8) for c in (16, 32)]
    tactic = Tactic("plain_concat_nhwc16", lambda op: [], (NHWC16,) * 2, (NHWC16,))

    assert bool(told(op, tactic, given)) == (inside != [0, 1]), "here nobody copies what is not inside"


def test_pixels_that_lie_inside_wider_ones_are_read_with_their_distance_and_the_rest_must_be_untouched():
    value = Value("y", I8, (2, 16, 3, 1), 0.1, layout=NHWC16, pitch=48)
    op, tactic, pixels = Op("conv", "c", [], [value]), Tactic("a tile", lambda op: []), random((6, 16))
    memory = single.there(op, tactic, value, []).reshape(6, 48)
    memory[:, :16] = pixels.view(np.uint8)

    assert np.array_equal(single.own(memory.reshape(-1), value, tactic), pixels.reshape(-1))
    memory[4, 16] += 1
    with pytest.raises(single.GapWritten, match="a tile writes pixels of 16 channels, 48 apart, and between them"):
        single.own(memory.reshape(-1), value, tactic)


def classifier() -> onnx.ModelProto:
    """A pooling, its result as rows, and something behind it."""
    nodes = [node("GlobalAveragePool", ["x"], ["p"], "pool"), node("Flatten", ["p"], ["f"], "flat")]
    nodes.append(node("Softmax", ["f"], ["y"], "softmax"))
    return model_of(nodes, {"x": (np.float32, (2, 32, 6, 6))}, ["y"])


@pytest.mark.parametrize("model", [classifier, inception])
def test_no_layer_of_a_right_plan_is_called_wrong(monkeypatch, model):
    """Kernels stand for themselves here: what they write is the reference's, and views are read as a plan has them."""
    plan, run = plan_of(model()), single.run

    def computed(op, tactic, laid, kernels):
        if not tactic.make(op):
            return run(op, tactic, laid, kernels)
        given = [v.data if v is not None and v.is_constant else a for v, a in zip(op.inputs, logical[op], strict=True)]
        return [numerics.as_stored(a, at).reshape(-1) for a, at in zip(run_op(op, given), tactic.outputs, strict=True)]

    logical = {}
    monkeypatch.setattr(numerics, "run_op", lambda op, given: (logical.update({op: given}), run_op(op, given))[1])
    monkeypatch.setattr(single, "run", computed)
    tactics = {choice.tactic for choice in plan.profiles[0].choices}
    wrong, outputs = numerics.layer_by_layer(SimpleNamespace(_plan=plan), {"x": rng.random((2, 32, 6, 6), np.float32)})

    assert wrong == [] and outputs
    assert any(name.startswith(VIEW) or name == "plain_concat_nhwc16" for name in tactics)
