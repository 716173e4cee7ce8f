"""Constants that are stored as int8 steps mean their numbers to every operation, as ONNX Runtime's quantiser writes
them: for norms, biases, factors and batch statistics."""

from __future__ import annotations

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="the extra engine is not installed: these engines are built from ONNX files")

from tests.minitrt import stand_in
from tests.minitrt.engines import expected_of
from tests.minitrt.runtime.test_outputs_without_kernels import NODE, network, session_of

rng = np.random.default_rng(4)
CHANNELS = 7  # no eights: whole rows of those are normalised by a kernel that the interpreter cannot run
IMAGE = rng.standard_normal((2, CHANNELS, 3, 2)).astype(np.float32)
ROWS = rng.standard_normal((5, CHANNELS)).astype(np.float32)
STEPS = {name: rng.integers(20, 100, CHANNELS).astype(np.int8) for name in ("g", "b", "m", "v")}
STEPS |= {"w": rng.integers(-90, 90, (CHANNELS, CHANNELS)).astype(np.int8), "one": np.array(70, np.int8)}
FOR_TENSOR_CORES = ("product, bias and factor",)  # whose kernels the interpreter cannot run
AROUND = [  # what keeps the operation between in int8
    NODE("QuantizeLinear", ["x", "step", "zero"], ["q"]),
    NODE("DequantizeLinear", ["q", "step", "zero"], ["d"]),
    NODE("QuantizeLinear", ["r", "wide", "zero"], ["s"]),
    NODE("DequantizeLinear", ["s", "wide", "zero"], ["y"]),
]
WIDE = 0.1
READ = [NODE("DequantizeLinear", [name, "step"], [name.upper()]) for name in STEPS]
CASES = {
    "norm over channels": ([NODE("LayerNormalization", ["d", "G", "B"], ["r"])], ROWS),
    "batch norm": ([NODE("BatchNormalization", ["d", "G", "B", "M", "V"], ["r"])], IMAGE),
    "instance norm": ([NODE("InstanceNormalization", ["d", "G", "B"], ["r"])], IMAGE),
    "product, bias and factor": (
        [NODE("MatMul", ["d", "W"], ["p"]), NODE("Add", ["p", "B"], ["t"]), NODE("Mul", ["t", "ONE"], ["r"])],
        ROWS,
    ),
    "slopes and a chain": ([NODE("PRelu", ["d", "G"], ["p"]), NODE("Mul", ["p", "G"], ["r"])], ROWS),
}


@pytest.mark.parametrize("name", CASES)
def test_a_constant_of_steps_means_its_numbers(name, monkeypatch):
    stand_in.install(monkeypatch)
    nodes, x = CASES[name]
    wanted = {entry for each in nodes for entry in each.input}
    read = [each for each in READ if each.output[0] in wanted]
    constants = {each.input[0]: STEPS[each.input[0]] for each in read}
    model, feeds = network(
        [*AROUND[:2], *read, *nodes, *AROUND[2:]], "y", x, step=np.float32(0.03), wide=np.float32(WIDE),
        zero=np.int8(0), **constants,
    )  # fmt: skip

    found = session_of(model, feeds, None if name in FOR_TENSOR_CORES else stand_in.DEVICE).run(feeds)["y"]
    np.testing.assert_allclose(found, expected_of(model, feeds)["y"], rtol=2e-5, atol=2e-5)
