"""Attention: what exporters spell is recognised, plain loops run in the interpreter, launches fit the hardware."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from minitrt.api.enums import DataType
from minitrt.graph.ir import NUMPY_TYPES, Op, Value
from minitrt.reference import run_op
from minitrt.tactics import attention
from minitrt.tactics.contract import Tensor
from tests.minitrt.interpreted import run
from tests.minitrt.operations import H200

PASCAL = dataclasses.replace(H200, compute_capability=(6, 1))


def operation(dtype: DataType, queries: int, keys: int, heads: int, size: int, together: bool = False) -> Op:
    """q, k and v as three tensors, or as parts of one."""
    hidden, scale = heads * size, 0.05 if dtype == DataType.INT8 else None
    if together:
        inputs = [Value("qkv", dtype, (2, queries, 3 * hidden), scale)] * 3
    else:
        sizes = (queries, keys, keys)
        inputs = [Value(n, dtype, (2, tokens, hidden), scale) for n, tokens in zip("qkv", sizes, strict=True)]
    starts = [0, hidden, 2 * hidden] if together else [0, 0, 0]
    attrs = {"scale": size**-0.5, "q_heads": heads, "kv_heads": heads, "size": size, "starts": starts}
    y = Value("y", dtype, (2, queries, hidden), 0.02 if scale else None)
    return Op("attention", "attention", inputs, [y], attrs)


def given(op: Op) -> list[np.ndarray]:
    """Random operands; one array where they are one tensor."""
    rng, made = np.random.default_rng(0), {}
    for value in op.inputs:
        random = rng.integers(-128, 128, value.shape) if value.dtype == DataType.INT8 else rng.normal(size=value.shape)
        made.setdefault(value, random.astype(NUMPY_TYPES[value.dtype]))
    return [made[value] for value in op.inputs]


@pytest.mark.parametrize("dtype", [DataType.FLOAT, DataType.HALF, DataType.INT8])
@pytest.mark.parametrize("together", [False, True])
def test_plain_loops_compute_what_the_reference_does(dtype, together):
    op = operation(dtype, 5, 5 if together else 37, 2, 8, together)
    inputs = given(op)
    (tactic,) = attention.candidates(op, PASCAL)

    expected, found = run_op(op, inputs)[0].astype(np.float32), run(op, tactic, inputs)[0].astype(np.float32)
    np.testing.assert_allclose(found, expected, atol=1.001 if dtype == DataType.INT8 else 2e-3)
    assert (np.abs(found - expected) > 0.5).mean() < 0.01


@pytest.mark.parametrize("together", [False, True])
def test_tensor_cores_take_whole_steps_of_aligned_rows(together):
    op = operation(DataType.INT8, 197, 197, 6, 64, together)
    tactics = attention.candidates(op, H200)

    assert len({tactic.name for tactic in tactics}) == len(tactics) >= 3
    for tactic in tactics:
        (launch,) = tactic.make(op)
        assert launch.shared_bytes <= 232448
        assert launch.grid[0] * launch.block[0] // 32 * 16 >= 197, "queries without a block"
        assert [argument.offset_bytes for argument in launch.args if isinstance(argument, Tensor)][:3] == op.attrs[
            "starts"
        ]


@pytest.mark.parametrize("change", [{"size": 24, "q_heads": 2}, {"scale": -1.0}, {"starts": [8, 0, 0]}])
def test_what_fragments_cannot_hold_goes_to_plain_loops(change):
    op = operation(DataType.INT8, 32, 32, 6, 64)
    op.attrs |= change

    assert ["plain_attention"] == [tactic.name for tactic in attention.candidates(op, H200)]
