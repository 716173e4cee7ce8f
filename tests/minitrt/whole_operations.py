"""Operations on integers, and joins with constants: what exporters write of token numbers, masks and class tokens."""

from __future__ import annotations

from tests.minitrt.plain_operations import I32, I64, F, constant, op, pointwise, random, value

REMAINDERS = [
    ["sub", ["x0", 2], "INT64"],
    ["mod", ["t0", 3], "INT64"],
    ["fmod", ["t0", -3], "INT64"],
    ["pow", ["t0", "x1"], "INT64"],
    ["mul", ["t1", 1000], "INT64"],
    ["add", ["t4", "t3"], "INT64"],
    ["mul", ["t2", 100000], "INT64"],
    ["add", ["t5", "t6"], "INT64"],
    ["mod", ["t7", "x1"], "INT64"],  # x1 is 0 here and there
    ["mul", ["t7", 7], "INT64"],
    ["add", ["t8", "t9"], "INT64"],
]
OPS = {
    "remainders of integers, powers": pointwise(
        REMAINDERS, [value("a", I64, (300,)), value("b", I64, (300,))], value("y", I64, (300,))
    ),
    **{
        f"{how} of integers, {kind.name}": op(
            "reduce", [value("x", kind, (3, 40, 5))], value("y", kind, (3, 5)), op=how, axes=[1]
        )
        for how, kind in (("sum", I64), ("prod", I64), ("max", I32), ("min", I32), ("l1", I32), ("sumsquare", I64))
    },
    "place of the largest integer": op("arg", [value("x", I64, (7, 40))], value("y", I64, (7, 1)), axis=1),
    "place of the last of the smallest integers": op(
        "arg", [value("x", I32, (7, 40))], value("y", I64, (7, 1)), axis=1, largest=False, last=True
    ),
    "concat with a constant": op(
        "concat", [constant("a", F, random(F, (2, 1, 5))), value("b", F, (2, 4, 5))], value("y", F, (2, 5, 5)), axis=1
    ),
}
