"""One operation of every kind that plain kernels compute, with ragged sizes, and random inputs for it."""

from __future__ import annotations

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.ir import NUMPY_TYPES, Op, Value
from tests.minitrt.operations import RELU

F, H, I8, I32, I64, B = (DataType[name] for name in ("FLOAT", "HALF", "INT8", "INT32", "INT64", "BOOL"))
rng = np.random.default_rng(11)


def value(name, dtype, shape, scale=None, data=None) -> Value:
    scale = 0.05 if dtype == I8 and scale is None else scale
    return Value(name, dtype, tuple(shape), scale=scale, data=data)


def constant(name, dtype, data, scale=None) -> Value:
    data = np.asarray(data, NUMPY_TYPES[dtype])
    return value(name, dtype, data.shape, scale, data)


def random(dtype, shape) -> np.ndarray:
    if dtype == I8:
        return rng.integers(-128, 128, shape, np.int16).astype(np.int8)
    if dtype in (F, H):
        return (rng.standard_normal(shape) * 2).astype(NUMPY_TYPES[dtype])
    return rng.integers(0, 2 if dtype == B else 5, shape).astype(NUMPY_TYPES[dtype])


def op(kind, inputs, outputs, **attrs) -> Op:
    outputs = outputs if isinstance(outputs, list) else [outputs]
    return Op(kind, kind, list(inputs), outputs, attrs)


def pointwise(program, inputs, output) -> Op:
    return op("pointwise", inputs, output, program=program)


GELU = [["mul", ["x0", "x1"], "FLOAT"], ["add", ["t0", 0.5], "FLOAT"], ["gelu_erf", ["t1"], "FLOAT"]]
CHOICE = [["greater", ["x0", 0.0], "BOOL"], ["where", ["t0", "x0", "x1"], "FLOAT"]]
BIG = (2, 32, 5, 7)
POOL = dict(kernel=[3, 2], stride=[2, 1], pads_before=[1, 0], pads_after=[1, 1], dilations=[1, 1])
CONV = dict(kernel=[3, 3], stride=[2, 1], pads_before=[1, 0], pads_after=[0, 1], dilations=[1, 2], groups=2)
OPS = {
    "chain with a factor a channel": pointwise(
        GELU, [value("a", F, BIG), constant("b", F, random(F, (32, 1, 1)))], value("y", F, BIG)
    ),
    "int8 in, int8 out": pointwise(GELU, [value("a", I8, BIG), value("b", I8, BIG, 0.02)], value("y", I8, BIG, 0.03)),
    "half in, half out": pointwise(
        [["mul", ["x0", "x1"], "HALF"], ["silu", ["t0"], "HALF"]],
        [value("a", H, (3, 70)), value("b", H, (3, 70))],
        value("y", H, (3, 70)),
    ),
    "outer sum of vectors": pointwise(
        [["add", ["x0", "x1"], "FLOAT"]],
        [value("a", F, (6, 1, 5, 1)), value("b", F, (1, 4, 1, 3))],
        value("y", F, (6, 4, 5, 3)),
    ),
    "choice by a comparison": pointwise(CHOICE, [value("a", F, (40, 9)), value("b", F, (9,))], value("y", F, (40, 9))),
    "integers divided towards zero": pointwise(
        [["sub", ["x0", 3], "INT64"], ["div", ["t0", "x1"], "INT64"]],
        [value("a", I64, (300,)), value("b", I64, (300,))],
        value("y", I64, (300,)),
    ),
    "a scalar": pointwise([["sqrt", ["x0"], "FLOAT"]], [value("a", F, ())], value("y", F, ())),
    "cast of floats to integers": pointwise(
        [["cast", ["x0"], "INT32"]], [value("a", F, (50,))], value("y", I32, (50,))
    ),
    "conditions": pointwise(
        [["not", ["x0"], "BOOL"], ["or", ["t0", "x1"], "BOOL"]],
        [value("a", B, (50,)), value("b", B, (50,))],
        value("y", B, (50,)),
    ),
    "squeeze and excite": pointwise(
        [["mul", ["x0", "x1"], "FLOAT"]], [value("a", F, BIG), value("b", F, (2, 32, 1, 1))], value("y", F, BIG)
    ),
    "transpose": op("shuffle", [value("x", F, (4, 3, 5, 2))], value("y", F, (5, 4, 2, 3)), first=[2, 0, 3, 1]),
    "reshape, transpose": op(
        "shuffle", [value("x", I8, (6, 20))], value("y", I8, (5, 6, 4)), shape=[6, 4, 5], second=[2, 0, 1]
    ),
    "transpose, reshape, transpose": op(
        "shuffle", [value("x", H, (4, 6))], value("y", H, (3, 8)), first=[1, 0], shape=[8, 3], second=[1, 0]
    ),
    "reshape alone": op("shuffle", [value("x", I64, (4, 6))], value("y", I64, (3, 8)), shape=[3, 8]),
    "slice backwards": op(
        "slice", [value("x", F, (9, 8))], value("y", F, (4, 3)), starts=[8, 1], sizes=[4, 3], strides=[-2, 2]
    ),
    "slice beyond, filled": op(
        "slice",
        [value("x", F, (5, 5))],
        value("y", F, (7, 5)),
        starts=[-1, 0],
        sizes=[7, 5],
        strides=[1, 1],
        mode="fill",
        fill=2.5,
    ),
    "slice beyond, reflected": op(
        "slice",
        [value("x", F, (5, 4))],
        value("y", F, (9, 4)),
        starts=[-2, 0],
        sizes=[9, 4],
        strides=[1, 1],
        mode="reflect",
    ),
    "slice beyond, wrapped": op(
        "slice",
        [value("x", B, (5, 4))],
        value("y", B, (9, 4)),
        starts=[-2, 0],
        sizes=[9, 4],
        strides=[1, 1],
        mode="wrap",
    ),
    "pad with a number": op(
        "pad", [value("x", F, (3, 4))], value("y", F, (6, 6)), before=[1, 2], after=[2, 0], mode="constant", value=-1.5
    ),
    "pad and crop": op(
        "pad", [value("x", F, (5, 4))], value("y", F, (4, 6)), before=[-1, 1], after=[0, 1], mode="constant", value=0.0
    ),
    "pad with the edge": op(
        "pad", [value("x", H, (3, 4))], value("y", H, (6, 6)), before=[1, 2], after=[2, 0], mode="edge"
    ),
    "expand": op("expand", [value("x", F, (3, 1, 4))], value("y", F, (2, 3, 5, 4)), shape=[2, 3, 5, 4]),
    "tile": op("tile", [value("x", I32, (3, 4))], value("y", I32, (6, 12)), repeats=[2, 3]),
    "concat of channels": op(
        "concat", [value("a", I8, (2, 16, 3, 5)), value("b", I8, (2, 32, 3, 5))], value("y", I8, (2, 48, 3, 5)), axis=1
    ),
    "concat of rows": op(
        "concat", [value("a", F, (2, 3)), value("b", F, (4, 3)), value("c", F, (1, 3))], value("y", F, (7, 3)), axis=0
    ),
    "gather rows": op("gather", [value("x", F, (7, 6)), value("i", I64, (2, 3))], value("y", F, (2, 3, 6)), axis=0),
    "gather columns, from the end": op(
        "gather", [value("x", H, (4, 5)), constant("i", I32, [-1, 0, -5])], value("y", H, (4, 3)), axis=1
    ),
    "gather elements": op(
        "gather", [value("x", F, (7, 6)), value("i", I64, (3, 6))], value("y", F, (3, 6)), axis=0, mode="element"
    ),
    "mean of an image": op("reduce", [value("x", F, BIG)], value("y", F, (2, 32)), op="avg", axes=[2, 3]),
    "largest of the middle": op(
        "reduce", [value("x", I8, (3, 40, 5))], value("y", I8, (3, 1, 5)), op="max", axes=[1], keep_dims=True
    ),
    "length of a vector": op("reduce", [value("x", H, (5, 100))], value("y", F, (5,)), op="l2", axes=[-1]),
    "softmax of rows": op("softmax", [value("x", F, (4, 3, 70))], value("y", F, (4, 3, 70)), axes=[2]),
    "log softmax of the middle": op(
        "softmax", [value("x", F, (2, 10, 3))], value("y", F, (2, 10, 3)), axes=[1], log=True
    ),
    "layer norm": op(
        "norm",
        [value("x", H, (3, 5, 48)), constant("g", F, random(F, (48,))), constant("b", F, random(F, (48,)))],
        value("y", H, (3, 5, 48)),
        axes=[2],
        epsilon=1e-5,
    ),
    "RMS norm": op(
        "norm",
        [value("x", F, (6, 40)), constant("g", H, random(H, (40,)))],
        value("y", F, (6, 40)),
        axes=[1],
        epsilon=1e-6,
        mean=False,
    ),
    "group norm": op(
        "norm",
        [value("x", F, BIG), constant("g", F, random(F, (32,))), constant("b", F, random(F, (32,)))],
        value("y", F, BIG),
        axes=[1, 2, 3],
        epsilon=1e-5,
        groups=4,
        per_channel=True,
    ),
    "mean of a whole image of halves": op(
        "pool", [value("x", H, (2, 5, 7, 7))], value("y", H, (2, 5, 1, 1)), mode="average", kernel=[7, 7], stride=[1, 1]
    ),
    "max pooling": op("pool", [value("x", I8, BIG)], value("y", I8, (2, 32, 3, 7)), mode="max", **POOL),
    "average pooling": op("pool", [value("x", I8, BIG)], value("y", I8, (2, 32, 3, 7), 0.03), mode="average", **POOL),
    "average with padding": op(
        "pool", [value("x", F, BIG)], value("y", F, (2, 32, 3, 7)), mode="average", count_include_pad=True, **POOL
    ),
    "max pooling, ceiled": op(
        "pool",
        [value("x", F, (1, 3, 6, 6))],
        value("y", F, (1, 3, 3, 3)),
        mode="max",
        kernel=[3, 3],
        stride=[2, 2],
        ceil_mode=True,
    ),
    "average pooling, ceiled": op(
        "pool",
        [value("x", F, (1, 3, 6, 6))],
        value("y", F, (1, 3, 3, 3)),
        mode="average",
        kernel=[3, 3],
        stride=[2, 2],
        ceil_mode=True,
        count_include_pad=True,
    ),
    "pooling in one dimension": op(
        "pool", [value("x", F, (2, 3, 17))], value("y", F, (2, 3, 8)), mode="lp", p=3, kernel=[3], stride=[2]
    ),
    "grouped convolution": op(
        "conv",
        [
            value("x", I8, (2, 8, 9, 8)),
            constant("w", I8, random(I8, (32, 4, 3, 3)), (rng.random(32) * 0.01 + 0.001).astype(np.float32)),
            constant("b", F, random(F, (32,))),
            value("r", I8, (2, 32, 4, 5), 0.02),
        ],
        value("y", I8, (2, 32, 4, 5), 0.07),
        activation=RELU,
        **CONV,
    ),
    "depthwise convolution": op(
        "conv",
        [
            value("x", I8, (1, 16, 6, 6)),
            constant("w", I8, random(I8, (16, 1, 3, 3)), 0.01),
            constant("b", F, random(F, (16,))),
            None,
        ],
        value("y", I8, (1, 16, 6, 6)),
        kernel=[3, 3],
        pads_before=[1, 1],
        pads_after=[1, 1],
        groups=16,
        activation={"type": "clip", "alpha": 0.0, "beta": 6.0},
    ),
    "convolution of halves": op(
        "conv",
        [value("x", H, (2, 8, 9, 8)), constant("w", H, random(H, (16, 4, 3, 3))), None, None],
        value("y", H, (2, 16, 4, 5)),
        activation={"type": "silu", "alpha": None, "beta": None},
        **CONV,
    ),
    "convolution in one dimension": op(
        "conv",
        [value("x", F, (2, 3, 17)), constant("w", F, random(F, (5, 3, 4))), constant("b", F, random(F, (5,)))],
        value("y", F, (2, 5, 8)),
        kernel=[4],
        stride=[2],
        pads_before=[1],
        pads_after=[0],
    ),
    "convolution in three": op(
        "conv",
        [value("x", F, (1, 2, 4, 5, 6)), constant("w", F, random(F, (3, 2, 2, 2, 3)))],
        value("y", F, (1, 3, 3, 4, 4)),
        kernel=[2, 2, 3],
    ),
    "deconvolution": op(
        "deconv",
        [value("x", F, (1, 4, 5, 6)), constant("w", F, random(F, (4, 3, 3, 2))), constant("b", F, random(F, (6,)))],
        value("y", F, (1, 6, 10, 11)),
        kernel=[3, 2],
        stride=[2, 2],
        pads_before=[1, 1],
        pads_after=[0, 0],
        groups=2,
        activation=RELU,
    ),
    "matrix product of int8": op(
        "gemm",
        [value("a", I8, (5, 70)), constant("b", I8, random(I8, (70, 33)), 0.01), constant("c", F, random(F, (33,)))],
        value("y", I8, (5, 33), 0.3),
        activation=RELU,
    ),
    "batches of halves, one transposed": op(
        "gemm",
        [value("a", H, (2, 3, 17, 20)), value("b", H, (2, 3, 18, 20))],
        value("y", H, (2, 3, 17, 18)),
        transpose_b=True,
        alpha=0.25,
    ),
    "batches against one matrix": op(
        "gemm",
        [value("a", F, (4, 20, 9)), value("b", F, (20, 6)), constant("c", F, random(F, (6,)))],
        value("y", F, (4, 9, 6)),
        transpose_a=True,
        activation={"type": "gelu_tanh", "alpha": None, "beta": None},
    ),
    "dequantised logits": op(
        "gemm", [value("a", I8, (3, 40)), constant("b", I8, random(I8, (40, 10)), 0.01)], value("y", F, (3, 10))
    ),
    "quantise": op("quantize", [value("x", F, BIG), constant("s", F, 0.02)], value("y", I8, BIG, 0.02)),
    "quantise a channel at a time": op(
        "quantize",
        [value("x", F, (3, 6)), constant("s", F, rng.random(6) * 0.1 + 0.01)],
        value("y", I8, (3, 6)),
        axis=1,
    ),
    "dequantise": op("dequantize", [value("x", I8, BIG), constant("s", F, 0.02)], value("y", F, BIG)),
    "requantise": op("reformat", [value("x", I8, (2, 5, 4, 3), 0.05)], value("y", I8, (2, 5, 4, 3), 0.08)),
    "halve": op("reformat", [value("x", F, (2, 5, 40, 1))], value("y", H, (2, 5, 40, 1))),
}
