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
from minitrt.tactics.attention_form import keys_of
from tests.minitrt.interpreted import run
from tests.minitrt.operations import H200
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
def test_windows_and_caps_bound_every_form(seed, asked):
    op = drawn(seed)
    op.attrs |= asked
    arrays = arrays_of(op)
    right = by_definition(op, arrays)
    compared(op, run_op(op, arrays)[0], right)

    (tactic,) = attention.candidates(op, H200)
    assert "plain_attention" == tactic.name  # tensor cores know no window
    compared(op, run(op, tactic, arrays)[0], right)


def cached(seed: int) -> Op:
    """An attention behind a cache, of random form, whose keys and values are results, too, or are not."""
    rng = np.random.default_rng(seed)
    flat, dtype, images, kv = seed % 2, (F, H)[seed // 2 % 2], 2, int(rng.integers(1, 3))
    heads, past, keys, size = 2 * kv, int(rng.integers(0, 9)) if seed % 5 else 0, int(rng.integers(1, 6)), 8
    v_size = int(rng.choice([8, 5]))
    queries = keys if rng.random() < 0.7 else int(rng.integers(1, 5))
    sizes = [(heads, queries, size), (kv, keys, size), (kv, keys, v_size), (heads, queries, v_size)]
    shapes = [(images, n, h * d) if flat else (images, h, n, d) for h, n, d in sizes]
    inputs = [Value(name, dtype, shape) for name, shape in zip("qkv", shapes, strict=False)]
    full = (images, heads, queries, past + keys)
    inputs.append(Value("mask", (F, B)[seed % 2], full[2:]) if rng.random() < 0.5 else None)
    inputs += [Value(f"past {d}", dtype, (images, kv, past, d)) for d in (size, v_size)] if past else [None, None]
    inputs += [Value("lengths", DataType.INT64, (images,))] if not past else []
    present = [Value(f"all {d}", dtype, (images, kv, past + keys, d)) for d in (size, v_size)]
    outputs = [Value("y", dtype, shapes[3]), *present, Value("scores", dtype, full)][
        : seed % 2 * 3 + 1 if seed % 3 else 1 + seed // 3 % 4
    ]
    if dtype == H and inputs[3] is not None and inputs[3].dtype == F:
        inputs[3].dtype = H
    attrs = dict(causal=bool(rng.random() < 0.5), scores=seed // 2 % 4)
    attrs |= dict(q_heads=heads, kv_heads=kv) if flat else {}
    attrs |= dict(left=int(rng.integers(1, 6))) if rng.random() < 0.3 else {}
    attrs |= dict(softcap=float(rng.choice([0.5, 2.0]))) if rng.random() < 0.3 else {}
    return Op("attention", f"cached {seed}", inputs, outputs, attrs)


@pytest.mark.parametrize("seed", range(24))
def test_attention_behind_a_cache_is_the_reference_s(seed):
    op = cached(seed)
    rng = np.random.default_rng(4)
    arrays = [
        None if value is None else rng.normal(size=value.shape).astype(NUMPY_TYPES[value.dtype]) for value in op.inputs
    ]
    for i, value in enumerate(op.inputs):
        if value is not None and value.dtype in (B, DataType.INT64):
            arrays[i] = rng.random(value.shape) < 0.7 if value.dtype == B else rng.integers(1, keys_of(op) + 1, 2)
    (tactic,) = attention.candidates(op, PASCAL)
    expected = run_op(op, arrays)

    assert len(expected) == len(op.outputs)
    for right, found in zip(expected, run(op, tactic, arrays), strict=True):
        np.testing.assert_allclose(
            found.astype(np.float64), right, atol=AWAY[op.output.dtype], rtol=1e-2, err_msg=op.name
        )


@pytest.mark.parametrize(("causal", "new", "name"), [(True, 1, "mma"), (False, 5, "mma"), (True, 5, "plain")])
def test_one_new_token_behind_a_cache_is_for_tensor_cores(causal, new, name):
    shapes = [(2, 4, new, 64), (2, 2, new, 64), (2, 2, new, 64), None, (2, 2, 9, 64), (2, 2, 9, 64)]
    inputs = [None if shape is None else Value(f"x{i}", H, shape) for i, shape in enumerate(shapes)]
    present = [Value(f"p{i}", H, (2, 2, 9 + new, 64)) for i in range(2)]
    op = Op("attention", "a", inputs, [Value("y", H, shapes[0]), *present], {"causal": causal})

    assert {name} == {tactic.name.split("_")[0] for tactic in attention.candidates(op, H200)}
