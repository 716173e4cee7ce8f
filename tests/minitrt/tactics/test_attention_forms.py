"""Attention of any form against its definition, written out query by query: the reference, and plain loops.

The reference is what tests on a GPU compare with, so whatever it forgets would be blamed on the kernel there.
"""

from __future__ import annotations

import numpy as np
import pytest

from minitrt.api.enums import DataType
from minitrt.graph.ir import NUMPY_TYPES, Op, Value
from minitrt.reference import run_op
from minitrt.tactics import attention
from tests.minitrt.interpreted import run
from tests.minitrt.tactics.test_attention import PASCAL

F, H, I8, B = DataType.FLOAT, DataType.HALF, DataType.INT8, DataType.BOOL
AWAY = {F: 3e-5, H: 2e-2, I8: 1.001}  # float16 weights and products; one step of int8
SCALE = 0.05


def drawn(seed: int) -> Op:
    """An attention of random form, sizes, types, mask and attributes."""
    rng = np.random.default_rng(seed)
    form, dtype = ("cut", "flat", "heads")[seed % 3], (F, H, I8, F)[seed // 3 % 4]
    images, kv, groups = (int(rng.integers(1, most)) for most in (3, 3, 4))
    queries, keys, size = int(rng.integers(1, 6)), int(rng.integers(1, 40)), int(rng.choice([3, 8, 16]))
    v_size = size if form == "cut" or rng.random() < 0.5 else int(rng.choice([5, 16, 20]))
    q_heads, attrs = kv * groups, dict(causal=bool(rng.random() < 0.4))
    sizes = [(q_heads, queries, size), (kv, keys, size), (kv, keys, v_size), (q_heads, queries, v_size)]
    step = int(rng.choice([1, 16]))  # features before a part, and rows of features: tensor cores want whole 16 bytes
    starts = [step * int(n) for n in rng.integers(0, 3, 3)]
    if form != "heads":
        attrs |= {"q_heads": q_heads, "kv_heads": kv}
    if form == "cut":
        attrs |= {"size": size, "starts": starts}
    if form == "cut" or rng.random() < 0.5:
        attrs["scale"] = float(rng.choice([0.1, 0.5]))
    more = 2 * step if form == "cut" else 0
    shapes = [(images, *each) if form == "heads" else (images, each[1], each[0] * each[2] + more) for each in sizes[:3]]
    result = (images, *sizes[3]) if form == "heads" else (images, queries, q_heads * v_size)
    scale = SCALE if dtype == I8 else None
    inputs = [Value(name, dtype, shape, scale) for name, shape in zip("qkv", shapes, strict=True)]
    op = Op("attention", f"attention {seed}", inputs, [Value("y", dtype, result, scale)], attrs)
    return masked(op, rng, (images, q_heads, queries, keys))


def masked(op: Op, rng: np.random.Generator, full: tuple) -> Op:
    """The operation behind a mask of some type and shape, or as it is."""
    kind = (None, F, H, B, B)[int(rng.integers(5))]
    if kind is None:
        return op
    shape = tuple(n if axis == 3 or rng.random() < 0.5 else 1 for axis, n in enumerate(full))
    while shape[0] == 1 and len(shape) > 1 and rng.random() < 0.7:
        shape = shape[1:]
    op.inputs.append(Value("mask", kind, shape))
    if kind == B:
        op.attrs |= {"fill": -3.0} if rng.random() < 0.5 else {}
    if rng.random() < 0.5:
        op.attrs["zeros"] = bool(rng.random() < 0.5)
    return op


def arrays_of(op: Op) -> list[np.ndarray]:
    rng = np.random.default_rng(9)

    def random(value: Value) -> np.ndarray:
        if value.dtype == B:
            return rng.random(value.shape) < 0.6
        drawn = rng.integers(-128, 128, value.shape) if value.dtype == I8 else rng.normal(size=value.shape)
        return drawn.astype(NUMPY_TYPES[value.dtype])

    return [random(value) for value in op.inputs]


def by_definition(op: Op, arrays: list[np.ndarray]) -> np.ndarray:
    """The result in real numbers, as rows of (batch, heads, queries, size of a value)."""
    a, four = op.attrs, []
    for i, array in enumerate(arrays[:3]):
        x = array.astype(np.float64) * (op.inputs[i].scale or 1.0)
        if x.ndim == 3:
            count = a["q_heads" if i == 0 else "kv_heads"]
            size, start = a.get("size", x.shape[2] // count), a.get("starts", [0, 0, 0])[i]
            x = np.stack([x[..., start + h * size : start + (h + 1) * size] for h in range(count)], axis=1)
        four.append(x)
    q, k, v = four
    y = np.zeros((*q.shape[:3], v.shape[3]))
    for place in np.ndindex(*q.shape[:3]):
        image, head, query = place
        shared = head * k.shape[1] // q.shape[1]
        scores = k[image, shared] @ q[place] * a.get("scale", q.shape[3] ** -0.5)
        scores = np.tanh(scores / a["softcap"]) * a["softcap"] if a.get("softcap") else scores
        if len(arrays) > 3:
            row = np.broadcast_to(arrays[3], (*q.shape[:3], k.shape[2]))[place]
            scores = np.where(row, scores, a.get("fill", -np.inf)) if row.dtype == bool else scores + row
        ahead = np.arange(k.shape[2]) - query
        shut = a.get("causal", False) & (ahead > 0) | (0 <= a.get("left", -1)) & (ahead < -a.get("left", -1))
        scores = np.where(shut | (0 <= a.get("right", -1)) & (ahead > a.get("right", -1)), -np.inf, scores)
        weights = np.exp(scores - scores.max()) if scores.max() > -np.inf else np.zeros_like(scores)
        empty = 0.0 if a.get("zeros", not a.get("starts")) else np.nan
        y[place] = weights @ v[image, shared] / weights.sum() if weights.sum() else empty
    return y


def compared(op: Op, found: np.ndarray, right: np.ndarray) -> None:
    if op.output.dtype == I8:  # NaN is stored as 0
        right = np.nan_to_num(np.clip(np.rint(right / SCALE), -128, 127))
    if len(op.output.shape) == 3:
        right = right.swapaxes(1, 2).reshape(op.output.shape)
    np.testing.assert_allclose(found.astype(np.float64), right, atol=AWAY[op.output.dtype], err_msg=str(op.attrs))


@pytest.mark.parametrize("seed", range(48))
def test_every_form_of_attention_computes_its_definition(seed):
    op = drawn(seed)
    arrays = arrays_of(op)
    right = by_definition(op, arrays)
    compared(op, run_op(op, arrays)[0], right)

    (tactic,) = attention.candidates(op, PASCAL)
    compared(op, run(op, tactic, arrays)[0], right)


@pytest.mark.parametrize("asked", [{"softcap": 0.7}, {"left": 2}, {"left": 1, "right": 0}, {"right": 3}])
@pytest.mark.parametrize("seed", range(3))
def test_what_kernels_refuse_the_reference_computes_in_every_form(seed, asked):
    op = drawn(seed)
    op.attrs |= asked
    arrays = arrays_of(op)

    assert [] == attention.candidates(op, PASCAL)
    compared(op, run_op(op, arrays)[0], by_definition(op, arrays))
