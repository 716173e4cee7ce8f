"""Grid sampling, local responses, pools that tell places, Einstein sums, and what goes over axes that lie apart
or in the middle."""

from __future__ import annotations

from minitrt.graph.ir import Op
from tests.minitrt.plain_operations import I8, I64, F, H, constant, op, random, value

IMAGE, GRID = (2, 3, 5, 7), (2, 4, 6, 2)


def sampled(dtype, **attrs) -> Op:
    return op("grid_sample", [value("x", dtype, IMAGE), value("g", F, GRID)], value("y", dtype, (2, 3, 4, 6)), **attrs)


def response(dtype, shape, size) -> Op:
    return op("lrn", [value("x", dtype, shape)], value("y", dtype, shape), size=size, alpha=0.3, beta=0.75, k=1.5)


def places(dtype, shape, out, **attrs) -> Op:
    return op("pool", [value("x", dtype, shape)], [value("y", dtype, out), value("i", I64, out)], mode="max", **attrs)


def summed(equation: str, *shapes, out, dtype=F) -> Op:
    inputs = [value(name, dtype, shape) for name, shape in zip("ab", shapes, strict=False)]
    return op("einsum", inputs, value("y", dtype, out), equation=equation)


WINDOW = dict(kernel=[3, 2], stride=[2, 1], pads_before=[1, 0], pads_after=[1, 1], dilations=[1, 2])


def multiplied(a, b, out, **attrs) -> Op:
    return op("gemm", [value("a", F, a), value("b", F, b)], value("y", F, out), **attrs)


OPS = {
    "norm of a vector": op(
        "norm",
        [value("x", F, (48,)), constant("g", F, random(F, (48,))), constant("b", F, random(F, (48,)))],
        value("y", F, (48,)),
        axes=[0],
        epsilon=1e-5,
    ),
    "norm over channels, whose scale is int8 steps and whose bias one number": op(
        "norm",
        [value("x", F, (2, 6, 3, 4)), constant("g", I8, random(I8, (6, 1, 1)), 0.02), constant("b", F, [[0.5]])],
        value("y", F, (2, 6, 3, 4)),
        axes=[1],
        epsilon=1e-5,
    ),
    "norm over rows, whose scale goes along other axes": op(
        "norm",
        [value("x", F, (2, 3, 5)), constant("g", F, random(F, (2, 3, 1)))],
        value("y", F, (2, 3, 5)),
        axes=[2],
        epsilon=1e-5,
    ),
    "a product of vectors": multiplied((5,), (5,), ()),
    "a product of vectors without bias and residual": op(
        "gemm", [value("a", F, (3,)), value("b", F, (2, 3, 4)), None, None], value("y", F, (2, 4))
    ),
    "a vector times matrices": multiplied((4,), (2, 4, 3), (2, 3)),
    "matrices times a vector, turned": multiplied((1, 2, 3, 4), (3,), (1, 2, 4), transpose_a=True),
    "a product of batches that broadcast in three ways": multiplied(
        (2, 1, 3, 1, 4, 5), (1, 3, 3, 2, 6, 5), (2, 3, 3, 2, 4, 6), transpose_b=True
    ),
    **{
        f"sampled, {mode}, {padding}, aligned {align}": sampled(F, mode=mode, padding=padding, align_corners=align)
        for mode in ("linear", "nearest")
        for padding in ("fill", "clamp", "reflect")
        for align in (0, 1)
    },
    "sampled in float16": sampled(H),
    "sampled in int8": sampled(I8, padding="clamp"),
    "responses of three channels": response(F, (2, 5, 3, 4), 3),
    "responses of four channels, in float16": response(H, (2, 6, 4), 4),
    "responses of more channels than there are": response(F, (1, 3, 2, 2), 9),
    "places of the largest": places(F, (2, 3, 8, 9), (2, 3, 4, 8), **WINDOW),
    "places of the largest, columns first": places(F, (2, 3, 8, 9), (2, 3, 4, 8), **WINDOW, storage_order=1),
    "places of the largest of int8, of which many are equal": places(
        I8, (1, 2, 6, 5, 4), (1, 2, 3, 4, 2), kernel=[2, 2, 2], stride=[2, 1, 2]
    ),
    "places of the largest in a row, in float16": places(H, (2, 3, 11), (2, 3, 5), kernel=[3], stride=[2]),
    "a product by letters": summed("bij,jk->bik", (2, 3, 4), (4, 5), out=(2, 3, 5)),
    "a product of heads, in float16": summed("bqhd,bkhd->bhqk", (2, 3, 2, 4), (2, 5, 2, 4), out=(2, 2, 3, 5), dtype=H),
    "a diagonal": summed("ii->i", (4, 4), out=(4,)),
    "a trace beside a sum": summed("iij->", (3, 3, 5), out=()),
    "an outer product in another order": summed("i,j->ji", (3,), (4,), out=(4, 3)),
    "letters that say nothing of the result": summed("ij,jk", (3, 4), (4, 2), out=(3, 2)),
    "dots on both sides, of other lengths": summed("...ij,jk->...ik", (2, 2, 3, 4), (4, 2), out=(2, 2, 3, 2)),
    "dots that broadcast": summed("a...,...b->...ab", (3, 1, 4), (2, 4, 5), out=(2, 4, 3, 5)),
    "a sum over axes apart": op(
        "reduce", [value("x", F, (2, 3, 4, 5))], value("y", F, (3, 5)), op="sum", axes=[0, 2], keep_dims=False
    ),
    "a mean over axes apart, in float16": op(
        "reduce", [value("x", H, (2, 3, 4))], value("y", H, (1, 3, 1)), op="avg", axes=[-1, 0], keep_dims=True
    ),
    "the largest integers over axes apart": op(
        "reduce", [value("x", I64, (3, 2, 3, 2))], value("y", I64, (2, 3)), op="max", axes=[0, 3], keep_dims=False
    ),
    "a product of int8": summed("ij,kj->ik", (3, 9), (4, 9), out=(3, 4), dtype=I8),
}
