"""Every plain tactic, in every layout it offers, run in the interpreter and held against the NumPy reference."""

from __future__ import annotations

import numpy as np
import pytest

from minitrt.graph.ir import Op
from minitrt.kernels.plain.activations import FUNCTIONS, PARAMETERS
from minitrt.reference.registry import run_op
from minitrt.tactics.candidates import device_candidates
from minitrt.tactics.contract import Device
from minitrt.tactics.plain import (
    contraction,
    indexing,
    layout,
    movement,
    ordering,
    products,
    recurrent,
    resize,
    rotary,
    rows,
    sampling,
)
from minitrt.tactics.plain import pointwise as pointwise_tactics
from tests.minitrt.index_operations import OPS as INDEXED
from tests.minitrt.interpreted import run
from tests.minitrt.operations import H200
from tests.minitrt.plain_operations import I8, I32, I64, B, F, op, pointwise, random, rng, value
from tests.minitrt.plain_operations import OPS as PLAIN
from tests.minitrt.recurrent_operations import OPS as RECURRENT
from tests.minitrt.sampling_operations import OPS as SAMPLED
from tests.minitrt.whole_operations import OPS as WHOLE

OPS = PLAIN | INDEXED | RECURRENT | WHOLE | SAMPLED
FAMILIES = (
    *(pointwise_tactics, movement, rows, products, layout, resize),
    *(indexing, ordering, rotary, recurrent),
    *(sampling, contraction),
)


def tactics_of(operation: Op) -> list:
    found = [tactic for family in FAMILIES for tactic in family.candidates(operation, H200)]
    return found or contraction.products(operation, H200)


@pytest.mark.parametrize("name", OPS)
def test_a_plain_tactic_computes_what_the_reference_does(name):
    operation = OPS[name]
    inputs = [None if v is None else v.data if v.is_constant else random(v.dtype, v.shape) for v in operation.inputs]
    expected = run_op(operation, inputs)
    tactics = tactics_of(operation)

    assert tactics
    for tactic in tactics:
        given = [None if v is None or v.is_constant else a for v, a in zip(operation.inputs, inputs, strict=True)]
        for right, found in zip(expected, run(operation, tactic, given), strict=True):
            same(right, found, operation, tactic.name)


@pytest.mark.parametrize("device", [Device("Tesla T4", (7, 5), 40, 65536), H200], ids=["sm_75", "sm_90"])
def test_every_gpu_has_a_tactic_for_what_plain_kernels_compute(device):
    assert [] == [name for name, operation in OPS.items() if not device_candidates(operation, device)]


def same(expected: np.ndarray, found: np.ndarray, operation: Op, name: str) -> None:
    assert expected.shape == found.shape and expected.dtype == found.dtype, name
    if expected.dtype == np.int8 and operation.kind not in ("shuffle", "concat"):
        differences = np.abs(expected.astype(int) - found)
        assert differences.max() <= 1 and (differences > 0).sum() <= max(1, 0.002 * differences.size), name
    elif np.issubdtype(expected.dtype, np.floating):
        tolerance = 2e-3 if expected.dtype == np.float16 else 3e-5
        np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance, err_msg=name)
    else:
        np.testing.assert_array_equal(found, expected, err_msg=name)


@pytest.mark.parametrize("name", sorted(FUNCTIONS.keys() - {"none"}))
def test_an_activation_agrees_with_the_reference_also_far_out(name):
    numbers = [0.5, 1.5][: PARAMETERS.get(name, 0)]
    x = np.concatenate([rng.standard_normal(100) * 3, [0.0, -0.0, 90.0, -90.0, 1e30, -1e30]]).astype(np.float32)
    operation = pointwise([[name, ["x0", *numbers], "FLOAT"]], [value("x", F, x.shape)], value("y", F, x.shape))
    expected = run_op(operation, [x])[0]
    (found,) = run(operation, tactics_of(operation)[0], [x])

    np.testing.assert_allclose(found, expected, rtol=2e-5, atol=1e-6)


def test_joining_axes_makes_a_chain_without_broadcasts_one_dimensional():
    operation = OPS["int8 in, int8 out"]

    assert ([2 * 32 * 5 * 7], [[1], [1]]) == pointwise_tactics.joined_axes(operation, "linear")


@pytest.mark.parametrize(
    "operation",
    [
        pointwise(
            [["shift_left", ["x0", "x1"], "INT32"]],
            [value("a", I32, (4,)), value("b", I32, (4,))],
            value("y", I32, (4,)),
        ),
        op(
            "gather",
            [value("x", F, (2, 3, 4)), value("i", I64, (2, 2))],
            value("y", F, (2, 3, 2)),
            axis=2,
            batch_dims=1,
        ),
        op(
            "scatter",
            [value("x", B, (4,)), value("i", I64, (2,)), value("u", B, (2,))],
            value("y", B, (4,)),
            combine="add",
        ),
        op("concat", [value("a", I8, (2, 3), 0.1), value("b", I8, (2, 3), 0.2)], value("y", I8, (4, 3), 0.2), axis=0),
        op(
            "slice",
            [value("x", F, (4, 5)), value("starts", I64, (2,))],
            value("y", F, (2, 2)),
            sizes=[2, 2],
            strides=[1, 1],
        ),
    ],
    ids=[
        "shift",
        "gather behind a shared axis",
        "sum of conditions",
        "concat of two scales",
        "slice at a computed start",
    ],
)
def test_what_no_kernel_computes_is_left_to_the_reference(operation):
    assert [] == tactics_of(operation)


@pytest.mark.parametrize("kind", ["fill", "loop", "branch", "range"])
def test_an_operation_whose_first_input_is_absent_is_left_to_the_host(kind):
    """A loop without a limit, a fill whose numbers are attributes: no family of tactics trips over it."""
    absent = Op(kind, kind, [None, value("x", F, (2, 3))], [value("y", F, (2, 3))], {})

    assert [] == device_candidates(absent, H200)
