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


MASKS = {  # type, shape, attributes
    "floats a key": (DataType.FLOAT, (2, 1, 1, 37), {}),
    "half floats a query": (DataType.HALF, (5, 37), {}),
    "booleans a head": (DataType.BOOL, (1, 2, 5, 37), {"fill": -1e9}),
    "booleans that leave nothing": (DataType.BOOL, (2, 1, 5, 37), {"zeros": True}),
    "booleans that leave nothing, and NaN": (DataType.BOOL, (2, 1, 5, 37), {}),
}


def behind(op: Op, name: str, constant: bool = False) -> Op:
    """The operation behind one of the masks; of the last two, one query looks at nothing."""
    dtype, shape, attrs = MASKS[name]
    mask = Value("mask", dtype, shape)
    op.inputs, op.attrs = [*op.inputs, mask], {**op.attrs, **attrs}
    mask.data = mask_of(mask) if constant else None
    return op


def mask_of(value: Value) -> np.ndarray:
    rng = np.random.default_rng(3)
    array = rng.random(value.shape) > 0.4 if value.dtype == DataType.BOOL else rng.normal(size=value.shape) * 4
    if value.shape[:3] == (2, 1, 5):
        array[1, 0, 3] = False
    return array.astype(NUMPY_TYPES[value.dtype])


def by_heads(dtype: DataType, groups: int, causal: bool, flat: bool) -> Op:
    """ONNX's Attention: heads of their own axis, or flat; `groups` heads of queries share keys and values."""
    queries, keys, kv, size = 5, 7, 2, 8
    shapes = [(2, kv * groups, queries, size), (2, kv, keys, size), (2, kv, keys, size)]
    attrs = {"causal": causal}
    if flat:
        shapes = [(n, tokens, heads * size) for n, heads, tokens, size in shapes]
        attrs |= {"q_heads": kv * groups, "kv_heads": kv}
    inputs = [Value(name, dtype, shape) for name, shape in zip("qkv", shapes, strict=True)]
    return Op("attention", "attention", inputs, [Value("y", dtype, shapes[0])], attrs)


def given(op: Op) -> list[np.ndarray]:
    """Random operands; one array where they are one tensor."""
    rng, made = np.random.default_rng(0), {}
    for value in op.inputs:
        random = rng.integers(-128, 128, value.shape) if value.dtype == DataType.INT8 else rng.normal(size=value.shape)
        made.setdefault(value, random.astype(NUMPY_TYPES[value.dtype]))
    masks = {value: mask_of(value) for value in op.inputs[3:] if not value.is_constant}
    return [masks.get(value, made[value] if not value.is_constant else value.data) for value in op.inputs]


@pytest.mark.parametrize("dtype", [DataType.FLOAT, DataType.HALF, DataType.INT8])
@pytest.mark.parametrize("together", [False, True])
def test_plain_loops_compute_what_the_reference_does(dtype, together):
    op = operation(dtype, 5, 5 if together else 37, 2, 8, together)
    inputs = given(op)
    (tactic,) = attention.candidates(op, PASCAL)

    expected, found = run_op(op, inputs)[0].astype(np.float32), run(op, tactic, inputs)[0].astype(np.float32)
    np.testing.assert_allclose(found, expected, atol=1.001 if dtype == DataType.INT8 else 2e-3)
    assert (np.abs(found - expected) > 0.5).mean() < 0.01


@pytest.mark.parametrize("name", MASKS)
def test_plain_loops_read_masks_as_the_reference_does(name):
    op = behind(operation(DataType.FLOAT, 5, 37, 2, 8), name, constant=name == "booleans a head")
    inputs = given(op)
    (tactic,) = attention.candidates(op, H200)

    expected, found = run_op(op, inputs)[0], run(op, tactic, inputs)[0]
    assert ("NaN" in name) == bool(np.isnan(expected).any())
    np.testing.assert_allclose(found, expected, atol=2e-5)


@pytest.mark.parametrize(("groups", "causal", "flat"), [(1, True, False), (3, False, False), (2, True, True)])
def test_plain_loops_compute_onnx_attention(groups, causal, flat):
    op = by_heads(DataType.FLOAT, groups, causal, flat)
    inputs = given(op)
    (tactic,) = attention.candidates(op, H200)

    np.testing.assert_allclose(run(op, tactic, inputs)[0], run_op(op, inputs)[0], atol=2e-5)


@pytest.mark.parametrize("change", [{"unheard_of": 2.0}, "half a cache", "a cache of halves", "scores", "short mask"])
def test_what_no_kernel_computes_of_onnx_attention_goes_to_the_reference(change):
    op = by_heads(DataType.FLOAT, 1, False, False)
    if change == "half a cache":
        op.inputs += [None, Value("past", DataType.FLOAT, (2, 2, 3, 8))]
    elif change == "a cache of halves":
        op.inputs += [None, Value("past", DataType.HALF, (2, 2, 3, 8)), Value("past_v", DataType.HALF, (2, 2, 3, 8))]
    elif change == "scores":
        op.outputs += [Value(name, DataType.FLOAT, (2, 2, 5, 7)) for name in "abc"]
    elif change == "short mask":
        op.inputs.append(Value("mask", DataType.BOOL, (5, 4)))
    else:
        op.attrs |= change

    assert [] == attention.candidates(op, H200)


def shape(place: int, *sizes: int):
    """A change of the shape of input `place`."""
    return lambda op: setattr(op.inputs[place], "shape", sizes)


def typed(place: int, dtype: DataType, scale=None):
    return lambda op: (setattr(op.inputs[place], "dtype", dtype), setattr(op.inputs[place], "scale", scale))


WRONG = {
    "keys of another image": shape(1, 1, 2, 7, 16),
    "heads that do not divide": shape(0, 2, 3, 5, 16),
    "values of other heads": shape(2, 2, 4, 7, 16),
    "values of another length": shape(2, 2, 2, 6, 16),
    "keys of another size": shape(1, 2, 2, 7, 8),
    "flat values": shape(2, 2, 7, 32),
    "a result of another size": lambda op: setattr(op.output, "shape", (2, 4, 5, 8)),
    "keys of another type": typed(1, DataType.FLOAT),
    "integers without a scale": typed(0, DataType.INT32),
    "a mask of integers": lambda op: op.inputs.append(Value("mask", DataType.INT32, (5, 7))),
    "a mask of other queries": lambda op: op.inputs.append(Value("mask", DataType.BOOL, (4, 7))),
    "a mask of the shared heads": lambda op: op.inputs.append(Value("mask", DataType.BOOL, (2, 2, 5, 7))),
    "a softmax of doubles": lambda op: op.attrs.update(precision="DOUBLE"),
    "an attribute that nobody knows": lambda op: op.attrs.update(sinks=True),
}


@pytest.mark.parametrize("name", WRONG)
def test_no_kernel_takes_an_attention_whose_parts_do_not_go_together(name):
    shapes = [(2, 4, 5, 16), (2, 2, 7, 16), (2, 2, 7, 16), (2, 4, 5, 16)]
    *inputs, y = [Value(n, DataType.HALF, each) for n, each in zip("qkvy", shapes, strict=True)]
    op = Op("attention", "a", inputs, [y], {"causal": False})

    assert attention.candidates(op, H200) and attention.candidates(op, PASCAL)
    WRONG[name](op)
    assert [] == attention.candidates(op, H200) == attention.candidates(op, PASCAL)


def test_int8_of_several_scales_within_a_part_is_not_taken_for_one():
    op = operation(DataType.INT8, 32, 32, 2, 64, together=True)
    joint = op.inputs[0]
    joint.axis, joint.scale = 2, np.repeat(np.float32([0.1, 0.2, 0.3]), 128)
    tactic = attention.candidates(op, H200)[0]

    assert pytest.approx(64**-0.5 * 0.1 * 0.2 * np.log2(np.e)) == tactic.make(op)[0].args[5].value
    joint.scale = joint.scale + np.linspace(0, 0.1, 384, dtype=np.float32)
    assert [] == attention.candidates(op, H200)


def test_values_of_another_size_than_keys_go_to_plain_loops():
    op = by_heads(DataType.HALF, 2, False, False)
    for value in (*op.inputs[:2], op.inputs[2], op.output):
        value.shape = (*value.shape[:3], 32 if value in (op.inputs[2], op.output) else 16)

    assert ["plain_attention"] == [tactic.name for tactic in attention.candidates(op, H200)]


@pytest.mark.parametrize("name", MASKS)
def test_tensor_cores_are_told_how_a_mask_lies(name):
    op = behind(operation(DataType.HALF, 5, 37, 2, 16), name, constant=True)
    constants = dict(attention.candidates(op, H200)[0].make(op)[0].kernel.constants)

    assert MASKS[name][0].name[:4].lower() in {"float32": "floa", "float16": "half", "bool": "bool"}[constants["mask"]]
    assert constants["by_query"] == ("key" not in name)
    assert not constants["pairs"], "rows of 37 begin at odd elements, too"


@pytest.mark.parametrize(
    ("keys", "mask", "by_query", "pairs"),
    [(1, (2, 1, 5, 1), True, False), (1, (1, 1), False, False), (37, (37,), False, False), (38, (38,), False, True),
     (38, (5, 38), True, True)],
)  # fmt: skip
def test_a_mask_of_one_key_has_rows_too_and_no_pair_ends_past_its_last_element(keys, mask, by_query, pairs):
    op = operation(DataType.HALF, 5, keys, 2, 16)
    op.inputs.append(Value("mask", DataType.BOOL, mask))
    (launch,) = attention.candidates(op, H200)[0].make(op)
    constants = dict(launch.kernel.constants)

    assert (by_query, pairs, "bool") == tuple(constants[name] for name in ("by_query", "pairs", "mask"))


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


@pytest.mark.parametrize(
    ("heads", "size", "change"), [(2, 24, {}), (6, 64, {"scale": -1.0}), (6, 64, {"starts": [8, 0, 0]})]
)
def test_what_fragments_cannot_hold_goes_to_plain_loops(heads, size, change):
    op = operation(DataType.INT8, 32, 32, heads, size)
    op.inputs[0].shape = (2, 32, heads * size + 16)
    op.attrs |= change

    assert ["plain_attention"] == [tactic.name for tactic in attention.candidates(op, H200)]
