"""The tensor-core kernel of every architecture before Hopper, run in the interpreter against the NumPy reference."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import tests.minitrt.meanings  # noqa: F401 - gives the intrinsics their meaning
from minitrt.api.enums import DataType
from minitrt.graph.ir import Op, Value
from minitrt.kernels import words
from minitrt.kernels.factories import cubin
from minitrt.kernels.inline import inline
from minitrt.kernels.tensor_conv import epilogue, fragments, gathering
from minitrt.kernels.tensor_conv import kernel as kernel_module
from minitrt.reference.registry import run_op
from minitrt.tactics import tensor_conv
from minitrt.tactics.candidates import device_candidates
from minitrt.tactics.contract import Device
from tests.minitrt.interpreted import run
from tests.minitrt.operations import CLIP, H200, RELU, conv, in_float16

T4 = Device("Tesla T4", (7, 5), 40, 65536)
A10 = Device("NVIDIA A10", (8, 6), 72, 101376)
SILU = {"type": "silu"}
OPS = {
    "1x1, residual": conv((2, 48, 5, 7), 40, (1, 1), activation=RELU, residual=True),
    "3x3 of 24 channels, uneven padding": conv((2, 24, 6, 7), 72, (3, 3), (2, 1), (1, 0), (0, 2), activation=CLIP),
    "3x3, dilation 2, SiLU, residual": conv((1, 16, 7, 6), 20, (3, 3), (1, 1), (2, 2), None, (2, 2), SILU, True),
    "7x7 of 3 channels, stride 2": conv((1, 3, 13, 11), 16, (7, 7), (2, 2), (3, 3), activation=RELU),
    "int8 to float32": conv((3, 40, 4, 4), 10, (1, 1), output=DataType.FLOAT),
}


def inputs_of(operation: Op) -> list:
    rng = np.random.default_rng(1)

    def random(value):
        if value.dtype == DataType.INT8:
            return rng.integers(-128, 128, value.shape, np.int16).astype(np.int8)
        return rng.standard_normal(value.shape).astype(np.float16)

    return [None if v is None else v.data if v.is_constant else random(v) for v in operation.inputs]


def check(operation: Op, device: Device, instruction: str | None = None, tiles: int | None = None) -> None:
    inputs = inputs_of(operation)
    expected = run_op(operation, inputs)[0]
    tactics = tensor_conv.candidates(operation, device, instruction)[:tiles]
    assert tactics
    for tactic in tactics:
        given = [None if v is None or v.is_constant else a for v, a in zip(operation.inputs, inputs, strict=True)]
        (found,) = run(operation, tactic, given)
        assert found.dtype == expected.dtype and found.shape == expected.shape
        if found.dtype == np.int8:
            differences = np.abs(expected.astype(int) - found)
            assert differences.max() <= 1 and (differences > 0).mean() <= 2e-3, tactic.name
        else:
            np.testing.assert_allclose(found, expected, rtol=4e-3, atol=4e-3, err_msg=tactic.name)


def gemm(rows, terms, columns, dtype, output, transpose_b=False, residual=False, bias=True) -> Op:
    """A matrix product with constant weights, as a fully connected layer has."""
    rng, scale = np.random.default_rng(2), 0.05 if dtype == DataType.INT8 else None
    shape = (columns, terms) if transpose_b else (terms, columns)
    data = rng.integers(-128, 128, shape).astype(np.int8) if scale else rng.standard_normal(shape).astype(np.float16)
    y_scale = 1.5 if output == DataType.INT8 else None
    inputs = [
        Value("a", dtype, (*rows, terms), scale=scale),
        Value("b", dtype, shape, scale=0.01 if scale else None, data=data),
        Value("c", DataType.FLOAT, (columns,), data=rng.standard_normal(columns).astype(np.float32)) if bias else None,
        Value("r", output, (*rows, columns), scale=y_scale) if residual else None,
    ]
    return Op("gemm", "fc", inputs, [Value("y", output, (*rows, columns), scale=y_scale)], {"transpose_b": transpose_b})


OPS = {
    **OPS,
    **{f"{name}, in float16": in_float16(OPS[name]) for name in list(OPS)[:2]},
    "product of rows as they lie": gemm((2, 5), 80, 48, DataType.INT8, DataType.INT8, residual=True),
    "float16 product, other way round": gemm((3, 7), 24, 40, DataType.HALF, DataType.HALF, transpose_b=True),
    "13 logits": gemm((9,), 37, 13, DataType.INT8, DataType.FLOAT, bias=False),
}


@pytest.mark.parametrize("name", OPS)
def test_an_ampere_gpu_computes_what_the_reference_does_with_its_first_tiles(name):
    check(OPS[name], A10, tiles=2)


@pytest.mark.parametrize("name", ["1x1, residual", "3x3 of 24 channels, uneven padding, in float16", "13 logits"])
def test_turing_s_smaller_products_add_up_to_the_same(name):
    check(OPS[name], T4, "turing", tiles=1)


@pytest.mark.parametrize("name", ["3x3 of 24 channels, uneven padding"])
def test_a_gpu_without_tensor_cores_does_it_with_dp4a(name):
    check(OPS[name], T4, "dp4a", tiles=1)


def test_an_older_gpu_tunes_tensor_cores_and_not_the_plain_loops():
    for device in (T4, A10):
        names = [tactic.name for tactic in device_candidates(OPS["1x1, residual"], device)]

        assert names and all(name.startswith("tensor_int8") for name in names)
    assert all("hopper" in tactic.name for tactic in device_candidates(OPS["1x1, residual"], H200))


def test_on_hopper_it_takes_the_activations_that_hopper_s_own_kernel_does_not():
    op = copy.deepcopy(OPS["3x3, dilation 2, SiLU, residual"])
    assert device_candidates(op, H200)[0].name.startswith("hopper_int8")
    op.attrs["activation"] = {"type": "elu", "alpha": 1.0, "beta": 0.0}
    found = device_candidates(op, H200)

    assert found and all(tactic.name.startswith("tensor_int8_ampere") for tactic in found)


@pytest.mark.parametrize(
    ("element", "instruction", "groups", "capability"),
    [("int8", "turing", 2, (7, 5)), pytest.param("float16", "ampere", 4, (8, 9), marks=pytest.mark.release)],
)
def test_wide_warps_keep_their_sums_in_registers(element, instruction, groups, capability):
    """`make compile-kernels` compiles them all."""
    tile = dict(element=element, instruction=instruction, warps_m=2, warps_n=2, row_groups=groups, stages=2)
    made = cubin("tensor_conv", dict(tile, pointwise=False, output=element, residual=element, name="none"), capability)

    assert (made.spill_bytes, made.stack_bytes) == (0, 0)


# --- mutants: each mistake must be seen by the operations above ---


def waiting_too_little(monkeypatch):
    monkeypatch.setattr(kernel_module.words, "WAITS", (words.WAITS[1], words.WAITS[2], words.WAITS[2]))


def rows_in_their_own_order(monkeypatch):
    monkeypatch.setattr(tensor_conv, "channel_order", lambda: np.arange(32))


def no_swizzle_of_what_is_read(monkeypatch):
    monkeypatch.setattr(fragments, "ROW_WORDS", 12)


def residual_without_its_scale(monkeypatch):
    monkeypatch.setattr(epilogue, "make_residual", lambda kind: inline(lambda v, r, at, multiplier: None))


def no_border(monkeypatch):
    real = gathering.make_locate

    def without(pointwise):
        locate = real(pointwise)

        @inline
        def everywhere(first, row, column, chunk, chunks, window):
            source, inside = locate(first, row, column, chunk, chunks, window)
            return max(source, 0), True

        return everywhere

    monkeypatch.setattr(gathering, "make_locate", without)


def one_dead_channel(monkeypatch):
    real = tensor_conv.packed_table

    def table(op, channels):
        made = real(op, channels)
        made[3] = 0
        return made

    monkeypatch.setattr(tensor_conv, "packed_table", table)


@pytest.mark.parametrize(
    "mutate",
    [waiting_too_little, rows_in_their_own_order, no_swizzle_of_what_is_read, residual_without_its_scale, no_border,
     one_dead_channel],
)  # fmt: skip
def test_a_mistake_in_the_kernel_does_not_pass(mutate, monkeypatch):
    mutate(monkeypatch)
    operation = conv((1, 48, 5, 6), 40, (3, 3), before=(1, 1), activation=RELU, residual=True)

    with pytest.raises(AssertionError):
        check(operation, A10, tiles=1)
