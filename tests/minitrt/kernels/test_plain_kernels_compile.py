"""Plain kernels, compiled for the oldest and the newest architecture that the course supports, without a GPU."""

from __future__ import annotations

import pytest

from minitrt.kernels.factories import cubin
from tests.part import a_part

KERNELS = {
    "pointwise": dict(
        program='[["silu", ["x0"], "HALF"]]', inputs=[["float16", "flat"]], output="float16", scaled=False
    ),
    "plain_move": dict(mode="reflect", item_bytes=1),
    "plain_gather": dict(mode="default", item_bytes=2, index="int64"),
    "plain_gather_nd": dict(item_bytes=1, index="int64"),
    "plain_scatter": dict(mode="nd", dtype="float16", index="int64", combine="add", how="ordered"),
    "plain_claim": dict(mode="element", index="int32"),
    "plain_topk": dict(dtype="float16", largest=True),
    "plain_cumulative": dict(dtype="float16", exclusive=True, reverse=True),
    "plain_transpose": dict(source="float32", target="int8"),
    "plain_convert": dict(source="int8", target="float16"),
    "plain_reduce": dict(name="l2", source="float16", target="float32"),
    "plain_whole_reduce": dict(name="l1", dtype="int32"),
    "plain_softmax": dict(source="float16", target="float16", log=False),
    "plain_norm": dict(source="float16", target="float16", centred=True, scaled=True, shifted=True),
    "plain_pool": dict(mode="average", source="int8", target="int8"),
    "plain_matmul": dict(a="float16", b="float16", output="float16", residual="none", name="gelu_tanh"),
    "plain_convolution": dict(x="int8", w="int8", output="int8", residual="int8", name="none"),
    "plain_deconvolution": dict(x="float32", w="float32", output="float32", residual="none", name="none"),
    "plain_attention": dict(
        source="float16", target="float16", mask="bool", bounded=True, capped=True, lengths="int64", shown=4
    ),
    "plain_rotary": dict(source="float16", table="float16", interleaved=True, index="int64"),
    "plain_roi_align": dict(
        source="float16", target="float16", regions="float32", index="int64", mode="avg", half_pixel=True
    ),
    "plain_grid_sample": dict(
        source="float16", target="int8", places="float32", mode="linear", padding="reflect", align=False
    ),
    "plain_local_response": dict(source="float16", target="float16"),
    "plain_pool_places": dict(source="int8"),
    "plain_einsum": dict(a="float16", b="float32", target="float16", single=False),
    "plain_recurrent": dict(
        kind="gru", source="float16", functions=("sigmoid", "tanh"), biased=True, given="h", lengths="int32"
    ),
    "depthwise": dict(kernel_h=3, kernel_w=3, dependent=False),
    "depthwise_walk": dict(element="int8", stride=2, dependent=False),
    "rows_norm": dict(source="int8", target="int8", dependent=False),
}
ATOMIC = {  # combination -> types: what one instruction combines, and numba has it
    "add": ("float32", "int32", "int64"),
    "max": ("int32", "int64"),
    "min": ("int32", "int64"),
}
IN_HALVES = {  # the forms for FP16 of kernels that every architecture is offered
    "depthwise": dict(kernel_h=3, kernel_w=3, dependent=False, element="float16"),
    "rows_norm": dict(source="float16", target="float16", dependent=False),
}


NEWEST = pytest.param((9, 0), id="sm_90a", marks=pytest.mark.release)  # as many registers, and more instructions


@pytest.mark.parametrize("capability", [pytest.param((7, 5), id="sm_75"), NEWEST])
@pytest.mark.parametrize("name", a_part(KERNELS, 3))
def test_a_plain_kernel_keeps_everything_in_registers(name, capability):
    made = cubin(name, KERNELS[name], capability)

    assert (0, 0) == (made.spill_bytes, made.stack_bytes)


@pytest.mark.parametrize("name", IN_HALVES)
def test_a_kernel_for_float16_compiles_for_the_oldest_architecture(name):
    made = cubin(name, IN_HALVES[name], (7, 5))

    assert (0, 0) == (made.spill_bytes, made.stack_bytes)


@pytest.mark.parametrize("combine", ATOMIC)
def test_updates_are_combined_in_memory_by_every_architecture(combine):
    names = dict(mode="element", index="int64", combine=combine, how="atomic")

    assert [0] * len(ATOMIC[combine]) == [
        cubin("plain_scatter", dict(names, dtype=dtype), (7, 5)).spill_bytes for dtype in ATOMIC[combine]
    ]
