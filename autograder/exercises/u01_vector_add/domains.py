"""What may come in unit 1."""

from __future__ import annotations

from dataclasses import replace

from autograder.running.cases.domain import ANY_BLOCK, SUMMED, Domain, Input, Promises, Real, Whole

N = {"n": Whole(0, 70_003)}
ADD = Domain(sizes=N, arrays={"a": SUMMED, "b": SUMMED})

DOMAINS = {
    "add_one_block": Domain(sizes={"n": Whole(0, 256)}, arrays=ADD.arrays),
    "vector_add": replace(ADD, blocks=ANY_BLOCK),
    "blocks_for": Domain(
        sizes={"n": Whole(0, 1 << 40), "threads": Whole(1, 1_024)},
        inputs=(Input("no elements for blocks of 96", {"n": 0, "threads": 96}),),
    ),
    "forward_difference": Domain(sizes=N, arrays={"src": SUMMED}, blocks=ANY_BLOCK),
    "blend": Domain(sizes=N, scalars={"weight": Real(0, 1)}, arrays={"x": SUMMED, "y": SUMMED}, blocks=ANY_BLOCK),
    "add_on_device": ADD,
    "add_four": Domain(sizes=N, arrays=dict.fromkeys("abcd", SUMMED)),
    "vector_add_unrolled": replace(ADD, blocks=ANY_BLOCK),
}

PROMISES = {
    "add_four": Promises(exactly={"kernel_launches": "in three launches"}),
}
