"""Every tactic of tensor-core and pixel kernels on a real GPU, against the NumPy reference."""

from __future__ import annotations

import numpy as np
import pytest

from minitrt.api.enums import DataType
from minitrt.graph.ir import BLOCKS16, NHWC16, NUMPY_TYPES, Op, Value
from minitrt.reference import run_op
from tests.minitrt.operations import RAGGED, blocks16, in_float16, nhwc16

pytestmark = pytest.mark.gpu
AS_STORED = {NHWC16: nhwc16, BLOCKS16: blocks16}


@pytest.fixture(scope="module")
def tuner():
    from minitrt.device.driver import device_facts
    from minitrt.tactics.timing_cache import TimingCache, header_of
    from minitrt.tactics.tuner import Tuner

    device = device_facts()
    return Tuner(device, TimingCache(header_of(device)))


def image(dtype: DataType, shape, scale=None) -> Value:
    return Value("x", dtype, shape, scale=scale)


POOL = dict(mode="max", kernel=[3, 3], stride=[2, 2], pads_before=[1, 1], pads_after=[1, 1], dilations=[1, 1])
DEPTHWISE = Op(
    "conv",
    "depthwise",
    [
        image(DataType.INT8, (3, 40, 17, 19), 0.05),
        Value("w", DataType.INT8, (40, 1, 3, 3), 0.01, data=np.arange(-180, 180).reshape(40, 1, 3, 3).astype(np.int8)),
        Value("b", DataType.FLOAT, (40,), data=np.linspace(-2, 2, 40, dtype=np.float32)),
    ],
    [image(DataType.INT8, (3, 40, 9, 10), 0.06)],
    {**POOL, "groups": 40, "activation": {"type": "clip", "alpha": 0.0, "beta": 6.0}},
)
OPS = {
    **RAGGED,
    **{f"{name}, in float16": in_float16(operation) for name, operation in RAGGED.items()},
    "depthwise": DEPTHWISE,
    "max pooling": Op(
        "pool", "p", [image(DataType.INT8, (2, 48, 15, 17), 0.1)], [image(DataType.INT8, (2, 48, 8, 9), 0.1)], POOL
    ),
    "max pooling in float16": Op(
        "pool", "p", [image(DataType.HALF, (2, 48, 15, 17))], [image(DataType.HALF, (2, 48, 8, 9))], POOL
    ),
    "input to blocks": Op(
        "reformat", "q", [image(DataType.FLOAT, (2, 3, 20, 24))], [image(DataType.INT8, (2, 3, 20, 24), 0.02)]
    ),
    "input to float16 blocks": Op(
        "reformat", "q", [image(DataType.FLOAT, (2, 3, 20, 24))], [image(DataType.HALF, (2, 3, 20, 24))]
    ),
}


@pytest.mark.parametrize("name", OPS)
def test_every_tactic_computes_what_the_reference_does(name, tuner):
    from minitrt.tactics.candidates import device_candidates

    compare(OPS[name], device_candidates(OPS[name], tuner.device), tuner)


def compare(operation: Op, tactics: list, tuner) -> None:
    """Run each tactic, and hold its output against the reference's."""
    from minitrt.device import single

    rng = np.random.default_rng(1)
    inputs = [None if v is None else v.data if v.is_constant else random(v, rng) for v in operation.inputs]
    expected = run_op(operation, inputs)[0]
    tuner.compile([launch.kernel for tactic in tactics for launch in tactic.make(operation)])

    assert tactics and not tuner.failed
    for tactic in tactics:
        given = [
            None if v is None or v.is_constant else AS_STORED.get(layout, np.asarray)(array)
            for v, array, layout in zip(operation.inputs, inputs, tactic.inputs, strict=True)
        ]
        found = single.run(operation, tactic, given, tuner._kernels)[0]
        check(AS_STORED.get(tactic.outputs[0], np.asarray)(expected).reshape(-1), found, tactic.name)


OLDER = ["ampere", "turing", "dp4a"]


@pytest.mark.parametrize("name", ["1x1, residual, clipped at 6", "3x3, stride 2", "7x7 of 3 channels, stride 2"])
@pytest.mark.parametrize("instruction", OLDER)
@pytest.mark.parametrize("element", ["int8", "float16"])
def test_what_older_gpus_multiply_with_gives_the_same_here(element, instruction, name, tuner):
    if (element, instruction) == ("float16", "dp4a"):
        pytest.skip("dp4a is for int8")
    from minitrt.tactics import tensor_conv

    operation = RAGGED[name] if element == "int8" else in_float16(RAGGED[name])
    compare(operation, tensor_conv.candidates(operation, tuner.device, instruction)[:1], tuner)


def random(value: Value, rng: np.random.Generator) -> np.ndarray:
    if value.dtype == DataType.INT8:
        return rng.integers(-128, 128, value.shape, np.int16).astype(np.int8)
    return rng.standard_normal(value.shape).astype(NUMPY_TYPES[value.dtype])


def check(expected: np.ndarray, found: np.ndarray, name: str) -> None:
    """int8 at most one step away on one element in ten thousand; floats to their precision."""
    if expected.dtype == np.int8:
        differences = np.abs(expected.astype(int) - found)
        assert differences.max() <= 1 and (differences > 0).mean() <= 1e-4, name
    else:
        np.testing.assert_allclose(found, expected, rtol=3e-3, atol=3e-3 * np.abs(expected).max(), err_msg=name)
