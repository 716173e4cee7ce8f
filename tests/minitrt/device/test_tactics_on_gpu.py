"""Every tactic of tensor-core and pixel kernels on a real GPU, against the NumPy reference."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from minitrt.api.enums import DataType
from minitrt.graph.ir import BLOCKS16, NHWC16, NUMPY_TYPES, Op, Value
from minitrt.reference import run_op
from minitrt.tactics.attention import candidates as attention_candidates
from minitrt.tactics.contract import VIEW
from tests.minitrt.index_operations import OPS as INDEXED
from tests.minitrt.operations import CHAINS, H200, JOINT, POOLED, QUANTISING, RAGGED, blocks16, in_float16, nhwc16
from tests.minitrt.plain_operations import OPS as PLAIN
from tests.minitrt.recurrent_operations import OPS as RECURRENT
from tests.minitrt.region_operations import OPS as REGIONS
from tests.minitrt.sampling_operations import OPS as SAMPLED
from tests.minitrt.tactics.test_attention_forms import cached, drawn
from tests.minitrt.whole_operations import OPS as WHOLE

pytestmark = pytest.mark.gpu
AS_STORED = {NHWC16: nhwc16, BLOCKS16: blocks16}


@pytest.fixture(scope="module")
def tuner(request):
    """A tuner that has compiled the kernels of all chosen cases, side by side, before one waits for its own."""
    from minitrt.device.driver import device_facts
    from minitrt.tactics.timing_cache import TimingCache, header_of
    from minitrt.tactics.tuner import Tuner

    device = device_facts()
    here = [item for item in request.session.items if item.path == request.path]
    chosen = [CASES[item.callspec.params["name"]] for item in here if hasattr(item, "callspec")]
    made = Tuner(device, TimingCache(header_of(device)))
    made.compile([one.kernel for case in chosen for tactic in tactics_of(case, device) for one in tactic.make(case[0])])
    return made


def tactics_of(case: tuple[Op, str], device) -> list:
    """All that the device would tune, or one of what an older one multiplies with."""
    from minitrt.tactics import tensor_conv
    from minitrt.tactics.candidates import device_candidates

    operation, instruction = case
    if not instruction:
        return device_candidates(operation, device)
    return tensor_conv.candidates(operation, device, instruction)[:1]


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


def attention(dtype: DataType, queries: int, keys: int, size: int) -> Op:
    """Three heads of two sequences, each tensor with features before them that nobody reads."""
    scale, hidden = 0.05 if dtype == DataType.INT8 else None, 3 * size
    inputs = [Value(n, dtype, (2, t, hidden + 16), scale) for n, t in zip("qkv", (queries, keys, keys), strict=True)]
    attrs = {"scale": size**-0.5 / 4, "q_heads": 3, "kv_heads": 3, "size": size, "starts": [16, 0, 16]}
    return Op("attention", "a", inputs, [Value("y", dtype, (2, queries, hidden), 0.05 if scale else None)], attrs)


def behind(operation: Op, kind: DataType, shape: tuple, **attrs) -> Op:
    """An attention behind a mask."""
    operation.inputs.append(Value("mask", kind, shape))
    operation.attrs |= attrs
    return operation


def by_heads(queries: int, keys: int, size: int, groups: int, **attrs) -> Op:
    """Heads of their own axis, `groups` of queries for one of keys and values."""
    shapes = [(2, 2 * groups, queries, size), (2, 2, keys, size), (2, 2, keys, size)]
    inputs = [Value(n, DataType.HALF, shape) for n, shape in zip("qkv", shapes, strict=True)]
    return Op("attention", "a", inputs, [Value("y", DataType.HALF, shapes[0])], attrs)


def behind_a_cache(past: int, new: int, groups: int, causal: bool) -> Op:
    """Keys and values of `past` tokens and of `new` ones, which are results, too."""
    operation = by_heads(new, new, 64, groups, causal=causal)
    before = [(2, 2, past, 64)] * 2
    operation.inputs += [None, *(Value(n, DataType.HALF, shape) for n, shape in zip(("pk", "pv"), before, strict=True))]
    operation.outputs += [Value(n, DataType.HALF, (2, 2, past + new, 64)) for n in ("k to keep", "v to keep")]
    return operation


MASKED = {
    f"attention of {queries} and {keys} tokens behind {kind.name} {shape}, {dtype.name}": behind(
        attention(dtype, queries, keys, 64), kind, shape, **attrs
    )
    for dtype in (DataType.INT8, DataType.HALF)
    for queries, keys, kind, shape, attrs in (
        (128, 128, DataType.FLOAT, (2, 1, 1, 128), {}),
        (197, 197, DataType.HALF, (2, 3, 197, 197), {}),
        (64, 130, DataType.BOOL, (1, 1, 64, 130), {"fill": -1e4}),
        (33, 65, DataType.BOOL, (33, 65), {"causal": True, "zeros": True}),
    )
}


def on_tensor_cores(operation: Op) -> bool:
    return any("mma" in tactic.name for tactic in attention_candidates(operation, H200))


def norm(dtype: DataType, rows: int, length: int, output: DataType) -> Op:
    rng, scales = np.random.default_rng(2), {DataType.INT8: 0.03}
    parameters = [Value(n, DataType.FLOAT, (length,), data=rng.random(length, np.float32) + 0.5) for n in "sb"]
    x, y = (Value(n, d, (rows, length), scales.get(d)) for n, d in (("x", dtype), ("y", output)))
    return Op("norm", "n", [x, *parameters], [y], {"axes": [-1], "epsilon": 1e-5})


def curved(name: str, activation: str) -> Op:
    operation = copy.deepcopy(RAGGED[name])
    operation.attrs["activation"] = {"type": activation, "alpha": 0.0, "beta": 0.0}
    return operation


def mean(kind: str, shape: tuple, dtype: DataType) -> Op:
    scales = (0.1, 0.04) if dtype == DataType.INT8 else (None, None)
    if kind == "reduce":
        attrs, to = {"op": "avg", "axes": [1], "keep_dims": False}, (shape[0], shape[2])
    else:
        zero = [0, 0]
        attrs = {
            "mode": "average",
            "kernel": list(shape[2:]),
            "stride": [1, 1],
            "pads_before": zero,
            "pads_after": zero,
        }
        to = (*shape[:2], 1, 1)
    return Op(kind, "mean", [image(dtype, shape, scales[0])], [image(dtype, to, scales[1])], attrs)


CURVED = {
    f"{activation} behind {name}": curved(name, activation)
    for activation in ("gelu_erf", "gelu_tanh", "silu", "hard_swish")
    for name in ("1x1, residual, clipped at 6", "3x3 of many pixels")
}


def at_stride_one(operation: Op, width: int) -> Op:
    """The depthwise convolution at stride 1, with as many columns out as in."""
    dense = copy.deepcopy(operation)
    dense.attrs["stride"] = [1, 1]
    dense.inputs[0].shape = dense.output.shape = (3, 40, 17, width)
    return dense


OPS = {
    **RAGGED,
    **JOINT,
    **CHAINS,
    **POOLED,
    **QUANTISING,
    "depthwise at stride 1": at_stride_one(DEPTHWISE, 19),
    "depthwise at stride 1, an even width": at_stride_one(DEPTHWISE, 8),
    **CURVED,
    **{f"{name}, in float16": in_float16(operation) for name, operation in CURVED.items()},
    "depthwise in float16": in_float16(DEPTHWISE),
    "depthwise at stride 1 in float16": in_float16(at_stride_one(DEPTHWISE, 19)),
    **{
        f"attention of {queries} and {keys} tokens, heads of {size}, {dtype.name}": attention(
            dtype, queries, keys, size
        )
        for dtype in (DataType.INT8, DataType.HALF)
        for queries, keys, size in ((128, 128, 64), (197, 197, 64), (1, 300, 32), (77, 5, 128), (33, 65, 80))
    },
    **MASKED,
    **{f"attention, drawn by {seed}": drawn(seed) for seed in range(240) if on_tensor_cores(drawn(seed))},
    **{f"attention behind a cache, drawn by {seed}": cached(seed) for seed in range(12)},
    **{
        f"attention of {new} tokens behind a cache of {past}, {groups} heads for one": behind_a_cache(
            past, new, groups, causal=new == 1
        )
        for past, new, groups in ((9, 1, 1), (130, 1, 4), (197, 3, 2), (64, 64, 1))
    },
    "attention, causal": by_heads(197, 197, 64, 1, causal=True),
    "attention, grouped heads": by_heads(65, 130, 128, 4),
    **{
        f"norm of {length}, {x.name} to {y.name}": norm(x, 37, length, y)
        for x, y in (
            (DataType.INT8, DataType.INT8),
            (DataType.HALF, DataType.HALF),
            (DataType.FLOAT, DataType.INT8),
            (DataType.INT8, DataType.FLOAT),
        )
        for length in (768, 392, 8)
    },
    **{
        f"mean, {kind}, {dtype.name}": mean(kind, shape, dtype)
        for kind, shape in (("reduce", (3, 196, 48)), ("pool", (3, 48, 7, 9)))
        for dtype in (DataType.INT8, DataType.HALF)
    },
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
OLDER = ("1x1, residual, clipped at 6", "3x3, stride 2", "7x7 of 3 channels, stride 2", "37 logits of 130 images")
OF_PLAIN_KERNELS = PLAIN | INDEXED | RECURRENT | REGIONS | WHOLE | SAMPLED
CASES = {
    **{name: (operation, "") for name, operation in OPS.items()},
    **{f"plain kernels: {name}": (operation, "") for name, operation in OF_PLAIN_KERNELS.items()},
    **{f"{name}, by {how}": (RAGGED[name], how) for name in OLDER for how in ("ampere", "turing", "dp4a")},
    **{
        f"{name}, by {how}, in float16": (in_float16(RAGGED[name]), how)
        for name in OLDER
        for how in ("ampere", "turing")
    },
}


@pytest.mark.parametrize("name", CASES)
def test_every_tactic_computes_what_the_reference_does(name, tuner):
    from minitrt.device import single

    operation, rng = CASES[name][0], np.random.default_rng(1)
    tactics = tactics_of(CASES[name], tuner.device)
    inputs = [None if v is None else v.data if v.is_constant else random(v, rng) for v in operation.inputs]
    expected = run_op(operation, inputs)
    usable = [tactic for tactic in tactics if can_run(operation, tactic, tuner)]

    assert usable or all(tactic.name.startswith(VIEW) for tactic in tactics)
    for tactic in usable:
        given = [
            None if v is None or v.is_constant else AS_STORED.get(layout, np.asarray)(array)
            for v, array, layout in zip(operation.inputs, inputs, tactic.inputs, strict=True)
        ]
        found = single.run(operation, tactic, given, tuner._kernels)
        most = 1e-4 if tactic.name.startswith("hopper") else 2e-2 if "attention" in tactic.name else 2e-3
        for layout, right, answer in zip(tactic.outputs, expected, found, strict=False):
            check(AS_STORED.get(layout, np.asarray)(right).reshape(-1), answer, tactic.name, most)


def can_run(operation: Op, tactic, tuner) -> bool:
    """Not a view, which launches nothing, and none of its kernels refused for spills, as a build refuses it."""
    errors = [tuner.failed.get(launch.kernel.digest) for launch in tactic.make(operation)]
    assert not [str(error) for error in errors if error and "sums do not fit" not in str(error)]
    return bool(errors) and not any(errors)


def random(value: Value, rng: np.random.Generator) -> np.ndarray:
    dtype = NUMPY_TYPES[value.dtype]
    if dtype.kind == "f":
        return rng.standard_normal(value.shape).astype(dtype)
    ranges = {np.dtype(np.int8): (-128, 128), np.dtype(np.uint8): (0, 256)}
    low, high = ranges.get(dtype, (0, 2))  # indices, conditions: 0 and 1 are always some
    return rng.integers(low, high, value.shape).astype(dtype)


def check(expected: np.ndarray, found: np.ndarray, name: str, most: float) -> None:
    """int8 at most one step away on a share of elements; other integers equal; floats to their precision."""
    if expected.dtype == np.int8:
        differences = np.abs(expected.astype(int) - found)
        assert differences.max() <= 1 and (differences > 0).mean() <= most, name
    elif expected.dtype.kind != "f":
        np.testing.assert_array_equal(found, expected, err_msg=name)
    else:
        tolerance = 3e-3 * float(np.abs(expected[np.isfinite(expected)]).max(initial=1.0))  # infinities must be there
        np.testing.assert_allclose(found, expected, rtol=3e-3, atol=tolerance, err_msg=name)
